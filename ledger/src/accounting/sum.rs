//! The convolution of many steps beside exact integers.

use super::{TOO_LONG, interval};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::cells::loss;
use dp_assay::accountant::companions::{Companion, lower, upper};
use dp_assay::accountant::interval::Interval;
use dp_assay::accountant::pairs::gaussian::SampledGaussian;
use dp_assay::accountant::pairs::{Grid, Noise};
use dp_assay::accountant::residues::{BITS, convolution_power};
use dp_assay::accountant::tilt::{Tilt, scale};
use dp_assay::accountant::total::{Kind, convolve};

/// Steps, tilt and length.
const CASES: [(u64, f64, usize); 4] = [
    (1, 0.5, 256),
    (7, 2.0, 256),
    (50, 3.0, 512),
    (333, 1.0, 1024),
];

/// The tilted masses modulo the window, in units of 2^-62, a unit further out than the doubles.
fn in_units(companion: &Companion, step: f64, tilt: &Tilt, zeta: f64, up: bool) -> Vec<u64> {
    let unit = 2.0_f64.powi(BITS as i32);
    let mut folded = vec![0_u64; tilt.length];
    for (node, mass) in companion.atoms() {
        let exponent =
            Interval::exactly(1.0 + tilt.theta) * loss(0.0, step, node) - Interval::exactly(zeta);
        let weight = Interval::exactly(mass) * exponent.exp();
        folded[node.rem_euclid(tilt.length as i64) as usize] += match up {
            true => (weight.hi * unit).ceil() as u64 + 1,
            false => (weight.lo * unit).floor() as u64,
        };
    }
    folded
}

pub(super) fn transform(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "1, 7, 50 and 333 steps of rate 1/10, mu 1, windows of 256, 256, 512 and 1024, every entry",
    );
    let noise = SampledGaussian::new(interval("1/10")?, interval("9/10")?, interval("1")?);
    let step = noise.deviation() / 3.0;
    let cells = noise.cells(&Grid::even(step, 1e-4)).ok_or(TOO_LONG)?;
    let unit = 0.5_f64.powi(BITS as i32);
    let mut charged = 0.0_f64;
    for (times, theta, length) in CASES {
        let tilt = Tilt {
            theta,
            bottom: -(length as i64) / 4,
            length,
            chernoff: [-1.0, 1.0],
        };
        let kind = Kind {
            upper: upper(&cells),
            lower: lower(&cells),
            offset: 0.0,
            times,
        };
        let total = convolve(std::slice::from_ref(&kind), step, &tilt);
        let zeta = scale(&kind.upper, 0.0, step, theta);
        let up = convolution_power(&in_units(&kind.upper, step, &tilt, zeta, true), times, true);
        let low = convolution_power(
            &in_units(&kind.lower, step, &tilt, zeta, false),
            times,
            false,
        );
        // The integers are rounded: a unit for every product, and for every mass once a step.
        let rounded = times as f64 * (length as f64 + 8.0) * unit * 4.0;
        for (i, [above, below]) in total.masses.iter().enumerate() {
            let place = (tilt.bottom + i as i64).rem_euclid(length as i64) as usize;
            let (high, lowest) = (up[place] as f64 * unit, low[place] as f64 * unit);
            check.holds(
                *above >= high - rounded,
                format_args!("{times} steps, entry {i}, above"),
            );
            check.holds(
                *below <= lowest + rounded,
                format_args!("{times} steps, entry {i}, below"),
            );
            let near = above - high <= 2.0 * total.errors[0] + rounded
                && lowest - below <= 2.0 * total.errors[1] + rounded;
            check.holds(near, format_args!("{times} steps, entry {i}, not far"));
        }
        charged = charged.max(total.errors[0]).max(total.errors[1]);
    }
    check.figure(
        "largest error charged to an entry",
        format!("{charged:.1e}"),
    );
    Ok(())
}
