//! Ranges of integers, and their certified probabilities under the reference law.

use super::guess::Guess;
use crate::refute::AuditError;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::to_f64_for_display;
use dp_assay::number::{Enclosure, NumberError, Rational, certify};
use num_bigint::BigInt;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Not below the number, for a number in [0, 1]: the conversion errs by one unit in the last place, or underflows.
pub fn rounded_up(value: &Rational) -> f64 {
    to_f64_for_display(value) * (1.0 + 1e-12) + f64::MIN_POSITIVE
}

/// Digits of certified probabilities, and bits where so many digits cannot be had: extremely small ones.
const DIGITS: u32 = 13;
const MANY: u32 = 1024;

pub fn certified(
    mut function: impl FnMut(u32) -> Result<Enclosure, NumberError>,
) -> Result<Enclosure, NumberError> {
    match certify(DIGITS, &mut function) {
        Err(NumberError::PrecisionExhausted { .. } | NumberError::Underflow { .. }) => {
            function(MANY)
        }
        result => result,
    }
}

/// The distribution function of a law, with what all its values share computed once for each precision: the
/// normaliser of Gaussian noise costs more than the rest.
pub struct Cdf<'a> {
    law: &'a NamedLaw,
    normalisers: RefCell<BTreeMap<u32, Enclosure>>,
}

impl<'a> Cdf<'a> {
    pub fn of(law: &'a NamedLaw) -> Self {
        Self {
            law,
            normalisers: RefCell::default(),
        }
    }

    /// The probability of at most `k`.
    pub fn at(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let NamedLaw::DiscreteGaussian(law) = self.law else {
            return self.law.cdf(k, bits);
        };
        let known = self.normalisers.borrow().get(&bits).cloned();
        let normaliser = match known {
            Some(normaliser) => normaliser,
            None => {
                let normaliser = law.normaliser(bits)?;
                self.normalisers
                    .borrow_mut()
                    .insert(bits, normaliser.clone());
                normaliser
            }
        };
        law.upper_tail_with(&-k, &normaliser, bits)
    }
}

/// The middle is cut into this many parts of equal mass; the tails beyond at the powers of 1/2 from 2^-6 to 2^-20
/// in steps of one half: a tail that is cut off anywhere lacks most of the mass beyond one of the edges.
const MIDDLE: u32 = 48;
const TAILS: std::ops::RangeInclusive<i32> = 12..=40;
/// How many edges a tail has.
pub const TAIL_EDGES: usize = (*TAILS.end() - *TAILS.start() + 1) as usize;

/// A partition of the integers, or of the magnitudes, into ranges, each up to an edge and the last without one.
pub struct Cells {
    pub edges: Vec<BigInt>,
    /// Certified probabilities, rounded up.
    pub up: Vec<f64>,
    /// Whether it is the magnitudes that are cut.
    magnitudes: bool,
}

impl Cells {
    pub fn of(law: &NamedLaw) -> Result<Self, AuditError> {
        let (cdf, guess) = (Cdf::of(law), Guess::of(law));
        let middle = (1..MIDDLE).map(|i| f64::from(i) / f64::from(MIDDLE));
        let tails = TAILS.map(|halves| 0.5f64.powf(f64::from(halves) / 2.0));
        let mut edges = Vec::new();
        if law.is_symmetric() {
            for mass in middle.filter(|&mass| mass <= 0.5).chain(tails) {
                let edge = guess.quantile(mass);
                edges.push(-&edge - 1);
                edges.push(edge);
            }
        } else {
            for mass in middle.chain(tails.flat_map(|tail| [tail, 1.0 - tail])) {
                edges.push(guess.quantile(mass));
            }
        }
        edges.sort();
        edges.dedup();
        let mut up = Vec::new();
        for cell in 0..=edges.len() {
            let probability = certified(|bits| {
                let to = match edges.get(cell) {
                    Some(edge) => cdf.at(edge, bits)?,
                    None => Enclosure::integer(1, bits),
                };
                match cell.checked_sub(1).and_then(|before| edges.get(before)) {
                    Some(edge) => Ok(to - cdf.at(edge, bits)?),
                    None => Ok(to),
                }
            })?;
            up.push(rounded_up(&probability.upper()));
        }
        Ok(Self {
            edges,
            up,
            magnitudes: false,
        })
    }

    pub fn count(&self) -> usize {
        self.up.len()
    }

    pub fn index(&self, value: &BigInt) -> usize {
        self.edges.partition_point(|edge| edge < value)
    }

    /// The same cells of the magnitude, if these are cells of the integers.
    pub fn of_magnitudes(&self, law: &NamedLaw) -> Self {
        // With each edge of a symmetric law, k, there is -k - 1: a cell in the middle, and pairs around it.
        let middle = if law.is_symmetric() {
            self.edges.len() / 2
        } else {
            0
        };
        let up = (middle..self.count()).map(|cell| match cell - middle {
            // A sum of two errs by less.
            distance @ 1.. if distance <= middle => {
                (self.up[cell] + self.up[middle - distance]) * (1.0 + 1e-12)
            }
            _ => self.up[cell],
        });
        Self {
            edges: self.edges[middle..].to_vec(),
            up: up.collect(),
            magnitudes: true,
        }
    }

    /// The law of the cells if the outputs are `shift` above draws from `law`: a guess.
    fn guess(&self, law: &NamedLaw, shift: &BigInt) -> Vec<f64> {
        let guess = Guess::of(law);
        let mut weights = Vec::new();
        let mut before = 0.0;
        for cell in 0..self.count() {
            let to = match self.edges.get(cell) {
                Some(edge) if self.magnitudes => {
                    guess.cdf(&(edge - shift)) - guess.cdf(&(-edge - 1 - shift))
                }
                Some(edge) => guess.cdf(&(edge - shift)),
                None => 1.0,
            };
            weights.push((to - before).max(1e-18));
            before = to;
        }
        weights
    }

    /// How many times as likely the cells are if the outputs are `shift` above draws from `other`: a guess. Most of
    /// what two guesses err by is the same, and cancels.
    pub fn ratios(&self, law: &NamedLaw, other: &NamedLaw, shift: &BigInt) -> Vec<f64> {
        let asked = self.guess(law, &BigInt::ZERO);
        let other = self.guess(other, shift);
        other.iter().zip(asked).map(|(q, p)| q / p).collect()
    }
}
