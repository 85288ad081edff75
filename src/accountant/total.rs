//! The companions of many steps together: tilted, convolved in a window, with every error charged.

use super::companions::Companion;
use super::double::U;
use super::interval::Interval;
use super::tilt::{Tilt, beyond, scale};
use super::transform::{Complex, Transform, UNDERFLOW};

/// A kind of step: its two companions, and how often it is taken.
#[derive(Debug, Clone)]
pub struct Kind {
    /// Above the pair.
    pub upper: Companion,
    /// Below it.
    pub lower: Companion,
    /// The loss of node 0.
    pub offset: f64,
    /// How many steps.
    pub times: u64,
}

/// Tilted masses of the sum at the nodes of a window, and what they leave out.
///
/// At node l both companions of the sum have `A_l e^(scale - theta step l)` under P.
#[derive(Debug, Clone)]
pub struct Total {
    /// At each node of the window: bounds of the A of the upper companion from above, of the lower from below.
    pub masses: Vec<[f64; 2]>,
    /// An upper bound of what the upper companion has above the window.
    pub above: f64,
    /// An upper bound of what the lower companion's entries have too much, in all: masses from outside of the window.
    pub folded: f64,
    /// The sum of the logarithms by which the kinds were scaled.
    pub scale: Interval,
    /// How much the largest error of an entry is.
    pub errors: [f64; 2],
}

/// The tilted masses of a kind at their nodes, rounded up or down.
fn tilted(
    companion: &Companion,
    kind: &Kind,
    step: f64,
    tilt: &Tilt,
    zeta: f64,
    up: bool,
) -> Vec<(i64, f64)> {
    let (step, power) = (Interval::exactly(step), Interval::exactly(1.0 + tilt.theta));
    let constant = Interval::exactly(kind.offset) - Interval::exactly(zeta);
    let masses = companion.atoms().map(|(node, mass)| {
        let loss = step * Interval::exactly(node as f64);
        let weight = Interval::exactly(mass) * (power * loss + constant).exp();
        (node, if up { weight.hi } else { weight.lo })
    });
    masses.collect()
}

/// The masses modulo the length of the window, rounded up or down.
fn folded(masses: &[(i64, f64)], length: usize, up: bool) -> Vec<f64> {
    let mut folded = vec![0.0; length];
    for (node, mass) in masses {
        let place = &mut folded[node.rem_euclid(length as i64) as usize];
        let sum = *place + mass;
        // A sum with 0 is exact.
        *place = match (*place == 0.0 || *mass == 0.0, up) {
            (true, _) => sum,
            (false, true) => sum.next_up(),
            (false, false) => sum.next_down(),
        };
    }
    folded
}

fn sum(masses: &[(i64, f64)]) -> f64 {
    masses
        .iter()
        .fold(0.0, |sum, (_, mass)| (sum + mass).next_up())
}

/// A product of powers of transformed values, with a bound of its modulus and of its error.
#[derive(Clone, Copy)]
pub(super) struct Product {
    pub(super) value: Complex,
    pub(super) modulus: f64,
    pub(super) error: f64,
}

/// Below this a product counts as 0, and is charged as its error.
const NEGLIGIBLE: f64 = 1e-60;

/// The product of `values^times`, where each value errs by at most `error`.
///
/// With `m` above the moduli of value and truth, `|f^k - F^k| <= k error m^(k-1)`, and for products the terms add up. Powering
/// rounds at most `k - 1` products, each within `sqrt(5) U`; the products of powers add one each.
pub(super) fn product(values: &[(Complex, f64, u64)]) -> Product {
    let (mut modulus, mut relative) = (1.0_f64, 0.0_f64);
    for (value, error, times) in values {
        let m = value.modulus() + error;
        let k = *times as f64;
        modulus *= power(m, *times) * (1.0 + 4.0 * k * U) * (1.0 + 4.0 * U);
        relative += k * (error / m + 2.24 * U) + 2.24 * U;
    }
    if modulus < NEGLIGIBLE {
        return Product {
            value: Complex::default(),
            modulus: 0.0,
            error: NEGLIGIBLE,
        };
    }
    let mut value = Complex { re: 1.0, im: 0.0 };
    for (factor, _, times) in values {
        value = value.times(complex_power(*factor, *times));
    }
    Product {
        value,
        modulus,
        // The second order of the roundings: relative errors below 1e-2 in all.
        error: relative * 1.01 * modulus + UNDERFLOW,
    }
}

fn power(x: f64, k: u64) -> f64 {
    (0..u64::BITS - k.leading_zeros())
        .rev()
        .fold(1.0, |result: f64, bit| {
            let square = result * result;
            if k >> bit & 1 == 1 {
                square * x
            } else {
                square
            }
        })
}

fn complex_power(x: Complex, k: u64) -> Complex {
    let one = Complex { re: 1.0, im: 0.0 };
    (0..u64::BITS - k.leading_zeros())
        .rev()
        .fold(one, |result, bit| {
            let square = result.times(result);
            if k >> bit & 1 == 1 {
                square.times(x)
            } else {
                square
            }
        })
}

/// Convolves all steps. Upper and lower companion travel as real and imaginary part.
#[must_use]
pub fn convolve(kinds: &[Kind], step: f64, tilt: &Tilt) -> Total {
    let length = tilt.length;
    let transform = Transform::new(length);
    let mut scale_of_all = Interval::ZERO;
    let (mut uppers, mut lowers, mut transformed) = (Vec::new(), Vec::new(), Vec::new());
    for kind in kinds {
        let zeta = scale(&kind.upper, kind.offset, step, tilt.theta);
        let upper = tilted(&kind.upper, kind, step, tilt, zeta, true);
        let lower = tilted(&kind.lower, kind, step, tilt, zeta, false);
        let times = Interval::exactly(kind.times as f64);
        scale_of_all = scale_of_all + times * Interval::exactly(zeta);
        let pairs = folded(&upper, length, true)
            .into_iter()
            .zip(folded(&lower, length, false));
        let values: Vec<Complex> = pairs.map(|(re, im)| Complex { re, im }).collect();
        transformed.push(Transformed::of(
            &transform,
            values,
            sum(&upper) + sum(&lower),
            kind.times,
        ));
        uppers.push((upper, kind.times));
        lowers.push((lower, kind.times));
    }
    let (masses, errors) = convolved(&transform, &transformed, tilt.bottom);
    let uppers: Vec<_> = uppers.iter().map(|(masses, k)| (&masses[..], *k)).collect();
    let lowers: Vec<_> = lowers.iter().map(|(masses, k)| (&masses[..], *k)).collect();
    let top = tilt.bottom + length as i64;
    let [down, up] = tilt.chernoff;
    Total {
        masses,
        above: beyond(&uppers, step, top, up),
        folded: (beyond(&lowers, step, tilt.bottom - 1, down) + beyond(&lowers, step, top, up))
            .next_up(),
        scale: scale_of_all,
        errors,
    }
}

/// A kind of step in frequencies: real part and imaginary part were its upper and its lower masses.
pub(super) struct Transformed {
    values: Vec<Complex>,
    /// What each value of either errs by at most.
    error: f64,
    times: u64,
}

impl Transformed {
    /// The transform of values whose moduli add up to at most `sum`.
    pub(super) fn of(
        transform: &Transform,
        mut values: Vec<Complex>,
        sum: f64,
        times: u64,
    ) -> Self {
        transform.forward(&mut values);
        Self {
            values,
            error: sum * (transform.error() + 4.0 * U) * 1.01 + UNDERFLOW,
            times,
        }
    }

    /// The upper and the lower masses at a place, whose opposite frequency is at another.
    fn apart(&self, here: usize, there: usize) -> [Complex; 2] {
        let (z, w) = (self.values[here], self.values[there]);
        let upper = Complex {
            re: 0.5 * (z.re + w.re),
            im: 0.5 * (z.im - w.im),
        };
        let lower = Complex {
            re: 0.5 * (z.im + w.im),
            im: 0.5 * (w.re - z.re),
        };
        [upper, lower]
    }
}

/// The cyclic convolution of all steps in the order of the window, which begins at node `bottom`: upper masses from
/// above, lower ones from below. And what was charged to every entry.
pub(super) fn convolved(
    transform: &Transform,
    kinds: &[Transformed],
    bottom: i64,
) -> (Vec<[f64; 2]>, [f64; 2]) {
    let (mut values, errors) = powers(transform, kinds);
    transform.inverse(&mut values);
    let n = values.len() as f64;
    let at = |i: usize| values[(bottom + i as i64).rem_euclid(values.len() as i64) as usize];
    // Dividing by a power of two is exact.
    let bounds = |value: Complex| {
        [
            (value.re / n + errors[0]).next_up().max(0.0),
            (value.im / n - errors[1]).next_down().max(0.0),
        ]
    };
    ((0..values.len()).map(|i| bounds(at(i))).collect(), errors)
}

/// The transforms of both sums, packed again, and the error of every entry after the inverse transform.
fn powers(transform: &Transform, kinds: &[Transformed]) -> (Vec<Complex>, [f64; 2]) {
    let n = kinds[0].values.len();
    let mut packed = vec![Complex::default(); n];
    let (mut moduli, mut errors) = (0.0, [0.0; 2]);
    let mut factors = [Vec::new(), Vec::new()];
    for here in 0..n {
        let there = Transform::opposite(here);
        if there < here {
            continue;
        }
        for (side, factors) in factors.iter_mut().enumerate() {
            factors.clear();
            factors.extend(
                kinds
                    .iter()
                    .map(|kind| (kind.apart(here, there)[side], kind.error, kind.times)),
            );
        }
        let [upper, lower] = [product(&factors[0]), product(&factors[1])];
        let count = if here == there { 1.0 } else { 2.0 };
        moduli += count * (upper.modulus + lower.modulus);
        errors[0] += count * upper.error;
        errors[1] += count * lower.error;
        let (u, l) = (upper.value, lower.value);
        packed[here] = Complex {
            re: u.re - l.im,
            im: u.im + l.re,
        };
        if here != there {
            packed[there] = Complex {
                re: u.re + l.im,
                im: l.re - u.im,
            };
        }
    }
    // Packing rounds once more; the sums here by n U.
    let length = n as f64;
    let inverse = (transform.error() + 2.0 * U) * moduli;
    let all = |error: f64| (error + inverse) / length * (1.0 + 4.0 * length * U) * 1.01 + UNDERFLOW;
    (packed, errors.map(all))
}
