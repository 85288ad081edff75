//! Companions of cells that were made by hand: masses known as wide intervals, one part at a time.

use super::{exactly, h, listed};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::cells::{Cell, Cells, Mass};
use dp_assay::accountant::companions::{lower, upper};
use dp_assay::accountant::interval::Interval;
use dp_assay::number::Rational;
use dp_assay::number::rational::ratio;
use num_traits::Zero;

/// Likelihood ratio and Q-mass of outcomes, losses rising, each in a part of its own: below the first node, in the lower and
/// the upper part of each of four cells, and above the last node. Nodes are at e^-1, e^-1/2, 1, e^1/2 and e.
const OUTCOMES: [(f64, f64); 10] = [
    (0.367, 0.125),
    (0.375, 0.0625),
    (0.5625, 0.03125),
    (0.625, 0.125),
    (0.9375, 0.25),
    (1.0625, 0.125),
    (1.5625, 0.03125),
    (1.75, 0.0625),
    (2.625, 0.09375),
    (2.75, 0.0625),
];

/// By how much masses may differ from what is in the middle of their intervals.
const SHARE: f64 = 1.0 / 64.0;

/// The cells, where the masses of one part are known within a share of them.
fn cells(wide: usize) -> Cells {
    let mass = |place: usize| {
        let (ratio, q) = OUTCOMES[place];
        let share = if place == wide { SHARE } else { 0.0 };
        let around = |mass: f64| {
            let product = Interval::exactly(mass) * Interval::between(1.0 - share, 1.0 + share);
            if share > 0.0 {
                product
            } else {
                Interval::exactly(mass)
            }
        };
        Mass {
            p: around(ratio * q),
            q: around(q),
        }
    };
    let cell = |i: usize| Cell {
        low: mass(2 * i + 1),
        high: mass(2 * i + 2),
    };
    Cells {
        offset: 0.0,
        step: 0.5,
        nodes: (-2..=2).collect(),
        cells: (0..4).map(cell).collect(),
        on: Vec::new(),
        below: mass(0),
        above: mass(9),
        slack: 0.0,
    }
}

/// h of the outcomes themselves, or the other way round, those of one part `by` times as likely.
fn exact(wide: usize, by: f64, g: &Rational, is_swapped: bool) -> Result<Rational, Trouble> {
    let mut sum = Rational::zero();
    for (place, (ratio, q)) in OUTCOMES.iter().enumerate() {
        let by = exactly(if place == wide { by } else { 1.0 })?;
        // Products of few binary digits are exact.
        let (p, q) = (exactly(ratio * q)? * &by, exactly(*q)? * &by);
        let excess = if is_swapped { q - g * p } else { p - g * q };
        sum += excess.max(Rational::zero());
    }
    Ok(sum)
}

/// Whichever masses there are in the intervals, the companions are above and below.
pub(super) fn wide_masses(check: &mut Check) -> Result<(), Trouble> {
    check.certified("ten outcomes by hand, the masses of each in turn known within 1/64 of them, both directions, g = 1/20, 3/20, ..., 79/20");
    for wide in 0..OUTCOMES.len() {
        let cells = cells(wide);
        for (is_swapped, cells) in [(false, cells.clone()), (true, cells.swapped())] {
            let (up, low) = (upper(&cells), lower(&cells));
            let infinite = up.infinite;
            let (up, low) = (listed(&up, &cells)?, listed(&low, &cells)?);
            for i in (1..80).step_by(2) {
                let g = ratio(i, 20);
                let (above, below) = (h(&up, infinite, &g)?, h(&low, 0.0, &g)?);
                for by in [1.0 - SHARE, 1.0 + SHARE] {
                    let exact = exact(wide, by, &g, is_swapped)?;
                    let name = format!("part {wide} times {by}, g {g}, swapped {is_swapped}");
                    check.holds(above.upper() >= exact, &name);
                    check.holds(below.lower() <= exact, &name);
                }
            }
        }
    }
    Ok(())
}
