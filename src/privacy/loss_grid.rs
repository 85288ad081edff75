//! Sums of losses: on a grid, where all of them are on one that is not too large, otherwise pair by pair.
//!
//! A loss is a rational and whole multiples of a few irrational units, [`Key`]; a law of losses is its masses, [`Held`].

use super::PrivacyError;
use super::convolution::Masses;
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// So many different losses at most, and their masses in so many bits together.
pub const MOST_LOSSES: u64 = 1 << 18;
const MOST_BITS: u64 = 1 << 27;

/// So many products of masses at most, where losses are not on a grid.
const MOST_PRODUCTS: u64 = 1 << 20;

/// The bits that the recurrences and sums over at most `2^18` losses may lose.
pub(super) const GUARD: u32 = 48;

/// The masses of losses on the first input.
pub(super) type Held = BTreeMap<Key, Enclosure>;

/// A loss: `rational + sum of multiples[i] units[i]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) multiples: Vec<i64>,
    pub(super) rational: Rational,
}

impl Key {
    pub(super) fn plus(&self, other: &Self) -> Self {
        let pairs = self.multiples.iter().zip(&other.multiples);
        Self {
            multiples: pairs.map(|(a, b)| a + b).collect(),
            rational: &self.rational + &other.rational,
        }
    }

    pub(super) fn times(&self, factor: i64) -> Self {
        Self {
            multiples: self.multiples.iter().map(|a| a * factor).collect(),
            rational: &self.rational * BigInt::from(factor),
        }
    }
}

/// Adds a mass to that of its loss.
pub(super) fn merge(masses: &mut Held, key: Key, mass: Enclosure) {
    let sum = match masses.get(&key) {
        Some(there) => there + &mass,
        None => mass,
    };
    masses.insert(key, sum);
}

/// The convolution term by term, where losses are on no grid of at most `points`.
pub(super) fn convolved(first: &Held, second: &Held, points: &str) -> Result<Held, PrivacyError> {
    let products = first.len() as u64 * second.len() as u64;
    if products > MOST_PRODUCTS {
        return Err(PrivacyError::TooManyLosses {
            points: points.to_owned(),
        });
    }
    let mut sums = Held::new();
    for (a, p) in first {
        for (b, q) in second {
            merge(&mut sums, a.plus(b), p * q);
        }
    }
    Ok(sums)
}

/// A grid on which all sums of losses are, and their places in one list: a place is a number whose digits are the multiples of the
/// grid's step and of the units, each counted from the least, in bases so large that no sum carries.
pub(super) struct Layout {
    step: Rational,
    /// Of the multiples of each unit.
    strides: Vec<i64>,
    bases: Vec<u64>,
    /// The least sum.
    origin: Key,
    point: u32,
}

impl Layout {
    /// The layout of the sum of so many losses of each law; otherwise how many points it would need, in words.
    pub(super) fn new(units: usize, parts: &[(&Held, u64)], bits: u32) -> Result<Self, String> {
        let times: u64 = parts.iter().map(|(_, times)| times).sum();
        let point = bits + GUARD + times.ilog2() + 1;
        let step = step(parts).ok_or("more than 2^64 places")?;
        let dimensions = units + 1;
        let strides: Vec<i64> = (0..dimensions - 1)
            .map(|unit| stride(parts, unit))
            .collect();
        let mut spans = vec![BigInt::zero(); dimensions];
        let mut origin = Key {
            multiples: vec![0; dimensions - 1],
            rational: Rational::zero(),
        };
        for (law, times) in parts {
            let from = origin_of(law, units);
            let factor = times.to_i64().ok_or("more than 2^63 mechanisms")?;
            origin = origin.plus(&from.times(factor));
            let widest =
                |of: &dyn Fn(&Key) -> BigInt| law.keys().map(of).max().unwrap_or_default() * factor;
            spans[0] += widest(&|key| ((&key.rational - &from.rational) / &step).to_integer());
            for (unit, stride) in strides.iter().enumerate() {
                spans[unit + 1] += widest(&|key| {
                    BigInt::from((key.multiples[unit] - from.multiples[unit]) / stride)
                });
            }
        }
        let points: BigInt = spans.iter().map(|span| span + 1).product();
        let room = BigInt::from(2 * u64::from(point) + 64);
        if points > MOST_LOSSES.into() || &points * room > MOST_BITS.into() {
            return Err(format!("a grid of {points} losses at {bits} bits"));
        }
        let bases = spans.iter().map(|span| span.to_u64().map_or(1, |s| s + 1));
        Ok(Self {
            step,
            strides,
            bases: bases.collect(),
            origin,
            point,
        })
    }

    /// The masses of a law in fixed point, at the places of its losses counted from its own least ones.
    pub(super) fn fixed(&self, law: &Held) -> Masses {
        let origin = origin_of(law, self.strides.len());
        let placed: Vec<(usize, &Enclosure)> = law
            .iter()
            .map(|(key, mass)| (self.place(key, &origin), mass))
            .collect();
        let length = placed.iter().map(|(place, _)| place + 1).max().unwrap_or(0);
        Masses::new(&placed, length.max(1), self.point)
    }

    fn place(&self, key: &Key, origin: &Key) -> usize {
        let steps = ((&key.rational - &origin.rational) / &self.step).to_integer();
        let mut place = steps.to_u64().unwrap_or(0);
        let mut weight = self.bases[0];
        for (unit, base) in self.bases[1..].iter().enumerate() {
            let steps = (key.multiples[unit] - origin.multiples[unit]) / self.strides[unit];
            place += weight * steps.unsigned_abs();
            weight *= base;
        }
        place as usize
    }

    /// The losses at the places with their masses.
    pub(super) fn masses(&self, masses: &Masses, bits: u32) -> Held {
        let enclosures = masses.enclosures(bits + GUARD).enumerate();
        enclosures
            .map(|(place, mass)| {
                let mut rest = place as u64;
                let mut digit = |base: u64| {
                    let digit = rest % base;
                    rest /= base;
                    digit
                };
                let steps = digit(self.bases[0]);
                let rational = &self.origin.rational + &self.step * BigInt::from(steps);
                let units = self.bases[1..].iter().zip(&self.strides);
                let multiples = units
                    .zip(&self.origin.multiples)
                    .map(|((&base, stride), least)| least + stride * digit(base) as i64)
                    .collect();
                (
                    Key {
                        multiples,
                        rational,
                    },
                    mass,
                )
            })
            .collect()
    }
}

/// The least of each part of the losses.
fn origin_of(law: &Held, units: usize) -> Key {
    let least = |of: &dyn Fn(&Key) -> i64| law.keys().map(of).min().unwrap_or(0);
    let rational = law.keys().map(|key| &key.rational).min();
    Key {
        multiples: (0..units)
            .map(|unit| least(&|key| key.multiples[unit]))
            .collect(),
        rational: rational.cloned().unwrap_or_default(),
    }
}

/// The largest integer that divides all differences of the multiples of a unit; 1 if there are none.
fn stride(parts: &[(&Held, u64)], unit: usize) -> i64 {
    let mut found = 0;
    for (law, _) in parts {
        let mut multiples = law.keys().map(|key| key.multiples[unit]);
        let Some(first) = multiples.next() else {
            continue;
        };
        found = multiples.fold(found, |found, multiple| found.gcd(&(multiple - first)));
    }
    found.max(1)
}

/// The largest rational that divides all differences of losses of one law; 1 if there are none. `None` if the
/// denominators have no short common multiple.
fn step(parts: &[(&Held, u64)]) -> Option<Rational> {
    const LONGEST: u64 = 4096;
    let mut found = Rational::zero();
    for (law, _) in parts {
        let mut rationals = law.keys().map(|key| &key.rational);
        let Some(first) = rationals.next() else {
            continue;
        };
        for rational in rationals {
            let difference = (rational - first).abs();
            // gcd(a/b, c/d) = gcd(a d, c b)/(b d)
            let numerator =
                (found.numer() * difference.denom()).gcd(&(difference.numer() * found.denom()));
            found = Rational::new(numerator, found.denom() * difference.denom());
            if found.denom().bits() > LONGEST {
                return None;
            }
        }
    }
    Some(if found.is_zero() {
        Rational::one()
    } else {
        found
    })
}
