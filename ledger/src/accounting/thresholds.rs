//! The companions of a pair, at many thresholds.

use super::{BITS, interval, number, sampled};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::cells::Cells;
use dp_assay::accountant::companions::{Companion, lower, upper};
use dp_assay::accountant::pairs::Noise;
use dp_assay::accountant::pairs::gaussian::SampledGaussian;
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

/// h of a companion at a ratio, by its definition.
fn h(companion: &Companion, cells: &Cells, g: &Rational) -> Result<Enclosure, Trouble> {
    let zero = Enclosure::integer(0, BITS);
    let mut sum = Enclosure::of(&from_f64(companion.infinite)?, BITS);
    for (node, mass) in (companion.first..).zip(&companion.masses) {
        let node = Rational::from_integer(node.into());
        let loss = from_f64(cells.offset)? + node * from_f64(cells.step)?;
        let gain = Enclosure::exp_of(&loss, BITS)? - Enclosure::of(g, BITS);
        sum = sum + Enclosure::of(&from_f64(*mass)?, BITS) * gain.max(&zero);
    }
    Ok(sum)
}

pub(super) fn companions(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "(rate, mu) in {(1/100, 1), (3/10, 2), (1, 1/2), (1/1000, 2)}, both directions, 2.5 and 6 points to a standard deviation, \
         g = 47/77, 48/77, ..., 136/77",
    );
    for [rate, rest, mu] in PAIRS {
        let noise = SampledGaussian::new(interval(rate)?, interval(rest)?, interval(mu)?);
        for points in [2.5, 6.0] {
            let cells = noise.cells(noise.deviation() / points, 1e-9);
            for (is_swapped, cells) in [(false, cells.clone()), (true, cells.swapped())] {
                let (up, low) = (upper(&cells), lower(&cells));
                let slack = from_f64(cells.slack)? + Rational::one();
                for i in 47..137 {
                    let g = ratio(i, 77);
                    let exact = sampled(
                        &number(rate)?,
                        &number(mu)?,
                        &Enclosure::of(&g, BITS),
                        is_swapped,
                    )?;
                    let raised = &exact * Enclosure::of(&slack, BITS);
                    let above = h(&up, &cells, &(&g / &slack))? * Enclosure::of(&slack, BITS);
                    let below = h(&low, &cells, &(&g * &slack))?;
                    let name = format!(
                        "rate {rate}, mu {mu}, g {g}, {points} points, swapped {is_swapped}"
                    );
                    check.holds(above.hi() >= exact.lo(), &name);
                    check.holds(below.lo() <= raised.hi(), &name);
                }
            }
        }
    }
    Ok(())
}
