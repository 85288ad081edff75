//! The convolution of many steps beside exact integers.

use super::{TOO_LONG, curve, doubles, exactly, interval};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::cells::loss;
use dp_assay::accountant::companions::{Companion, lower, upper};
use dp_assay::accountant::interval::Interval;
use dp_assay::accountant::pairs::gaussian::SampledGaussian;
use dp_assay::accountant::pairs::{Grid, Noise};
use dp_assay::accountant::residues::{BITS, convolution_power};
use dp_assay::accountant::tilt::{Tilt, scale};
use dp_assay::accountant::total::{Kind, convolve};
use dp_assay::accountant::transform::Transform;
use dp_assay::number::Rational;

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

/// What the page charges to a value for each level of a transform, in units of 2^-53.
const LEVEL: f64 = 7.3;

pub(super) fn transform(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "1, 7, 50 and 333 steps of rate 1/10, mu 1, windows of 256, 256, 512 and 1024, every entry",
    );
    let unit = 0.5_f64.powi(BITS as i32);
    let mut charged = 0.0_f64;
    for (times, theta, length) in CASES {
        let tilt = Tilt {
            theta,
            bottom: -(length as i64) / 4,
            length,
            chernoff: [-1.0, 1.0],
        };
        let (kind, step) = kind(times)?;
        let total = convolve(std::slice::from_ref(&kind), step, &tilt);
        let (levels, unit_of_doubles) = (f64::from(length.ilog2()), f64::EPSILON / 2.0);
        let again = Transform::new(length).error() / (LEVEL * levels * unit_of_doubles);
        check.holds(
            (1.0..1.001).contains(&again),
            format_args!("length {length}, every level charged: {again}"),
        );
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
    doubles::edges(check)?;
    cut_windows(check)?;
    curve::by_hand(check)
}

/// Windows that cut the sum of 20 steps on one side: what lies above, and what folds back into them, is charged, beside exact integers
/// in a window that holds all.
fn cut_windows(check: &mut Check) -> Result<(), Trouble> {
    const WIDE: usize = 2048;
    check.exact("20 steps of the same in windows of 128 nodes that cut the sum below and above, beside one of 2048");
    let (kind, step) = kind(20)?;
    let zeta = scale(&kind.upper, 0.0, step, 0.0);
    let tilt = |bottom: i64, length: usize, chernoff| Tilt {
        theta: 0.0,
        bottom,
        length,
        chernoff,
    };
    let power = |companion: &Companion, length: usize| {
        let units = in_units(companion, step, &tilt(0, length, [0.0; 2]), zeta, false);
        convolution_power(&units, kind.times, false)
    };
    let at = |masses: &[u64], node: i64| masses[node.rem_euclid(masses.len() as i64) as usize];
    let unit = exactly(0.5_f64.powi(BITS as i32))?;
    let (folded, all) = (power(&kind.lower, 128), power(&kind.lower, WIDE));
    let upper = power(&kind.upper, WIDE);
    for (bottom, chernoff) in [(0, [-1.5, 3.0]), (-115, [-8.0, 1.5]), (-40, [-4.0, 2.0])] {
        let total = convolve(
            std::slice::from_ref(&kind),
            step,
            &tilt(bottom, 128, chernoff),
        );
        let window = bottom..bottom + 128;
        let excess: i128 = window
            .clone()
            .map(|node| i128::from(at(&folded, node)) - i128::from(at(&all, node)))
            .sum();
        let beyond: i128 = (window.end..bottom + WIDE as i64 / 2)
            .map(|node| i128::from(at(&upper, node)))
            .sum();
        for (what, charged, exact) in [
            ("folded", total.folded, excess),
            ("above", total.above, beyond),
        ] {
            let exact = Rational::from_integer(exact.into()) * &unit;
            check.holds(
                charged == f64::INFINITY || exactly(charged)? >= exact,
                format_args!("window from {bottom}, {what}: {charged}"),
            );
        }
    }
    Ok(())
}

/// A small sampled Gaussian, so many times, and the step of its grid.
fn kind(times: u64) -> Result<(Kind, f64), Trouble> {
    let noise = SampledGaussian::new(interval("1/10")?, interval("9/10")?, interval("1")?);
    let step = noise.deviation() / 3.0;
    let cells = noise.cells(&Grid::even(step, 1e-4)).ok_or(TOO_LONG)?;
    let kind = Kind {
        upper: upper(&cells),
        lower: lower(&cells),
        offset: 0.0,
        times,
    };
    Ok((kind, step))
}
