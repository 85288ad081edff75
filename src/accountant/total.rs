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

/// The tilted masses of a kind, folded into the window, and not folded.
struct Tilted {
    first: i64,
    masses: Vec<f64>,
}

fn tilted(
    companion: &Companion,
    kind: &Kind,
    step: f64,
    tilt: &Tilt,
    zeta: f64,
    up: bool,
) -> Tilted {
    let (step, power) = (Interval::exactly(step), Interval::exactly(1.0 + tilt.theta));
    let constant = Interval::exactly(kind.offset) - Interval::exactly(zeta);
    let masses = companion.masses.iter().enumerate().map(|(i, mass)| {
        if *mass == 0.0 {
            return 0.0;
        }
        let node = Interval::exactly((companion.first + i as i64) as f64);
        let weight = Interval::exactly(*mass) * (power * (step * node) + constant).exp();
        if up { weight.hi } else { weight.lo }
    });
    Tilted {
        first: companion.first,
        masses: masses.collect(),
    }
}

impl Tilted {
    /// The masses modulo the length of the window, rounded up or down.
    fn folded(&self, length: usize, up: bool) -> Vec<f64> {
        let mut folded = vec![0.0; length];
        for (i, mass) in self.masses.iter().enumerate() {
            let place = &mut folded[(self.first + i as i64).rem_euclid(length as i64) as usize];
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

    fn sum(&self) -> f64 {
        self.masses
            .iter()
            .fold(0.0, |sum, mass| (sum + mass).next_up())
    }
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
        let pairs = upper
            .folded(length, true)
            .into_iter()
            .zip(lower.folded(length, false));
        let mut values: Vec<Complex> = pairs.map(|(re, im)| Complex { re, im }).collect();
        let error = (upper.sum() + lower.sum()) * (transform.error() + 4.0 * U) * 1.01 + UNDERFLOW;
        transform.forward(&mut values);
        transformed.push((values, error, kind.times));
        uppers.push((upper, kind.times));
        lowers.push((lower, kind.times));
    }
    let (mut values, errors) = powers(&transform, &transformed);
    transform.inverse(&mut values);
    let uppers: Vec<_> = uppers
        .iter()
        .map(|(t, k)| (t.first, &t.masses[..], *k))
        .collect();
    let lowers: Vec<_> = lowers
        .iter()
        .map(|(t, k)| (t.first, &t.masses[..], *k))
        .collect();
    let top = tilt.bottom + length as i64;
    let [down, up] = tilt.chernoff;
    Total {
        masses: unfolded(&values, tilt.bottom, errors),
        above: beyond(&uppers, step, top, up),
        folded: (beyond(&lowers, step, tilt.bottom - 1, down) + beyond(&lowers, step, top, up))
            .next_up(),
        scale: scale_of_all,
        errors,
    }
}

/// The bounds of the masses, in the order of the window.
fn unfolded(values: &[Complex], bottom: i64, errors: [f64; 2]) -> Vec<[f64; 2]> {
    let n = values.len() as f64;
    let at = |i: usize| values[(bottom + i as i64).rem_euclid(values.len() as i64) as usize];
    // Dividing by a power of two is exact.
    let bounds = |value: Complex| {
        [
            (value.re / n + errors[0]).next_up().max(0.0),
            (value.im / n - errors[1]).next_down().max(0.0),
        ]
    };
    (0..values.len()).map(|i| bounds(at(i))).collect()
}

/// The transforms of both sums, packed again, and the error of every entry after the inverse transform.
fn powers(transform: &Transform, kinds: &[(Vec<Complex>, f64, u64)]) -> (Vec<Complex>, [f64; 2]) {
    let n = kinds[0].0.len();
    let mut packed = vec![Complex::default(); n];
    let (mut moduli, mut errors) = (0.0, [0.0; 2]);
    for f in 0..=n / 2 {
        let opposite = (n - f) % n;
        let (here, there) = (transform.place(f), transform.place(opposite));
        let mut factors = [
            Vec::with_capacity(kinds.len()),
            Vec::with_capacity(kinds.len()),
        ];
        for (values, error, times) in kinds {
            let (z, w) = (values[here], values[there]);
            let upper = Complex {
                re: 0.5 * (z.re + w.re),
                im: 0.5 * (z.im - w.im),
            };
            let lower = Complex {
                re: 0.5 * (z.im + w.im),
                im: 0.5 * (w.re - z.re),
            };
            factors[0].push((upper, *error, *times));
            factors[1].push((lower, *error, *times));
        }
        let [upper, lower] = factors.map(|factors| product(&factors));
        let count = if f == opposite { 1.0 } else { 2.0 };
        moduli += count * (upper.modulus + lower.modulus);
        errors[0] += count * upper.error;
        errors[1] += count * lower.error;
        let (u, l) = (upper.value, lower.value);
        packed[here] = Complex {
            re: u.re - l.im,
            im: u.im + l.re,
        };
        if f != opposite {
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
