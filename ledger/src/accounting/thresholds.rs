//! The companions of a pair, at many thresholds.

use super::{BITS, TOO_LONG, doubles, gaussian, h, hand, interval, listed, number, sampled};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::companions::{lower, upper};
use dp_assay::accountant::pairs::gaussian::SampledGaussian;
use dp_assay::accountant::pairs::{Grid, Noise};
use dp_assay::number::rational::{from_f64, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_traits::One;

/// Rate, the rest, and mu.
const PAIRS: [[&str; 3]; 4] = [
    ["1/100", "99/100", "1"],
    ["3/10", "7/10", "2"],
    ["1", "0", "1/2"],
    ["1/1000", "999/1000", "2"],
];

pub(super) fn companions(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "(rate, mu) in {(1/100, 1), (3/10, 2), (1, 1/2), (1/1000, 2)}, both directions, 2.5 and 6 points to a standard deviation, \
         g = 47/77, 53/77, ..., 131/77",
    );
    for [rate, rest, mu] in PAIRS {
        let mean = Enclosure::of(&number(mu)?, BITS);
        let noise = SampledGaussian::new(interval(rate)?, interval(rest)?, interval(mu)?);
        for points in [2.5, 6.0] {
            let grid = Grid::even(noise.deviation() / points, 1e-9);
            let cells = noise.cells(&grid).ok_or(TOO_LONG)?;
            for (is_swapped, cells) in [(false, cells.clone()), (true, cells.swapped())] {
                let (up, low) = (upper(&cells), lower(&cells));
                let infinite = up.infinite;
                let (up, low) = (listed(&up, &cells)?, listed(&low, &cells)?);
                let slack = from_f64(cells.slack)? + Rational::one();
                for i in (47..137).step_by(6) {
                    let g = ratio(i, 77);
                    let at = Enclosure::of(&g, BITS);
                    let exact = sampled(&number(rate)?, &at, is_swapped, &|g| gaussian(&mean, g))?;
                    let raised = &exact * Enclosure::of(&slack, BITS);
                    let above = h(&up, infinite, &(&g / &slack))? * Enclosure::of(&slack, BITS);
                    let below = h(&low, 0.0, &(&g * &slack))?;
                    let name = format!(
                        "rate {rate}, mu {mu}, g {g}, {points} points, swapped {is_swapped}"
                    );
                    check.holds(above.hi() >= exact.lo(), &name);
                    check.holds(below.lo() <= raised.hi(), &name);
                }
            }
        }
    }
    doubles::intervals(check)?;
    doubles::functions(check)?;
    hand::wide_masses(check)
}
