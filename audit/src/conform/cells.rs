//! Ranges of integers, and their certified probabilities under the reference law.

use super::guess::Guess;
use super::placed::Placed;
use crate::refute::AuditError;
use dp_assay::number::Rational;
use dp_assay::number::rational::to_f64_for_display;
use num_bigint::BigInt;

/// Not below the number, for a number in [0, 1]: the conversion errs by one unit in the last place, or underflows.
pub fn rounded_up(value: &Rational) -> f64 {
    to_f64_for_display(value) * (1.0 + 1e-12) + f64::MIN_POSITIVE
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
    pub fn of(law: &Placed) -> Result<Self, AuditError> {
        let guess = Guess::of(law);
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
        let up = (0..=edges.len()).map(|cell| {
            let before = cell.checked_sub(1).and_then(|before| edges.get(before));
            let from = before.map(|edge| edge + 1);
            let probability = law.between(from.as_ref(), edges.get(cell))?;
            Ok(rounded_up(&probability.upper()))
        });
        let up = up.collect::<Result<Vec<f64>, AuditError>>()?;
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

    /// Cells of the magnitude, with the magnitudes of these edges.
    ///
    /// # Errors
    /// Those of the probabilities.
    pub fn of_magnitudes(&self, law: &Placed) -> Result<Self, AuditError> {
        if !law.is_symmetric() {
            return self.of_both_sides(law);
        }
        // With each edge of a symmetric law, k, there is -k - 1: a cell in the middle, and pairs around it.
        let middle = self.edges.len() / 2;
        let up = (middle..self.count()).map(|cell| match cell - middle {
            0 => self.up[cell],
            // A sum of two errs by less.
            distance => (self.up[cell] + self.up[middle - distance]) * (1.0 + 1e-12),
        });
        Ok(Self {
            edges: self.edges[middle..].to_vec(),
            up: up.collect(),
            magnitudes: true,
        })
    }

    /// The same where the two sides are not alike, or there is only one.
    fn of_both_sides(&self, law: &Placed) -> Result<Self, AuditError> {
        // What is at most -k - 1 is beyond the magnitude k.
        let magnitude = |edge: &BigInt| edge.clone().max(-edge - 1);
        let mut edges: Vec<BigInt> = self.edges.iter().map(magnitude).collect();
        edges.sort();
        edges.dedup();
        let mut up = Vec::new();
        for cell in 0..=edges.len() {
            let from = match cell.checked_sub(1) {
                Some(before) => &edges[before] + 1,
                None => BigInt::ZERO,
            };
            let to = edges.get(cell);
            let mut sum = rounded_up(&law.between(Some(&from), to)?.upper());
            // The magnitude 0 has one side.
            let nearest = -from.max(1.into());
            if to.is_none_or(|to| -to <= nearest) {
                let farthest = to.map(|to| -to);
                sum += rounded_up(&law.between(farthest.as_ref(), Some(&nearest))?.upper());
            }
            // A sum of two errs by less.
            up.push(sum * (1.0 + 1e-12));
        }
        Ok(Self {
            edges,
            up,
            magnitudes: true,
        })
    }

    /// The law of the cells if the outputs are `shift` above draws from `law`: a guess.
    pub fn guess(&self, law: &Placed, shift: &BigInt) -> Vec<f64> {
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
    pub fn ratios(&self, law: &Placed, other: &Placed, shift: &BigInt) -> Vec<f64> {
        let asked = self.guess(law, &BigInt::ZERO);
        let other = self.guess(other, shift);
        other.iter().zip(asked).map(|(q, p)| q / p).collect()
    }
}
