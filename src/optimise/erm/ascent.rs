//! Coordinate ascent on the dual, in integers: the reference, which ends on all data.

use super::loss::{entropy, share_of};
use super::problem::Erm;
use super::products::{Products, Rows};
use super::sums::{Number, Sums};
use crate::number::{Enclosure, Rational, rational::integer};
use crate::optimise::OptimiseError;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

/// Integers that are wide enough: of 128 bits where that is certain, otherwise of any length.
trait Wide: Number + Integer + Signed + From<i64> + Into<BigInt> + TryFrom<BigInt> {}
impl Wide for i128 {}
impl Wide for BigInt {}

/// Raises the dual from `weights`, on their grid of `2^-bits`, until the certified gap is at most the tolerance, or no
/// variable can be changed for the better. Returns the weights and their gap.
///
/// 1. One variable after the other is set to its best value on the grid, given the others, if that is better: decided
///    exactly, but for the logistic loss, where it must be certain by enclosures.
/// 2. The dual rises strictly with each change, and the grid is finite: so this ends.
///
/// # Errors
/// Those of enclosures; none depends on the records.
pub(super) fn ascend<P: Products>(
    erm: &Erm<'_, P>,
    weights: Vec<i64>,
    bits: u32,
    tolerance: &Rational,
    rows: &mut Rows<'_, P>,
) -> Result<(Vec<i64>, Rational), OptimiseError> {
    match Ascent::<P, i128>::new(erm, bits) {
        Some(ascent) if largest_bits(erm, bits) < 127 => ascent.run(weights, tolerance, rows),
        _ => match Ascent::<P, BigInt>::new(erm, bits) {
            Some(ascent) => ascent.run(weights, tolerance, rows),
            None => Err(OptimiseError::Overflow {
                what: "a weight of the dual",
            }),
        },
    }
}

/// More bits than any integer of an ascent has.
fn largest_bits<P: Products>(erm: &Erm<'_, P>, bits: u32) -> u64 {
    let slope = erm.slope.ceil().to_integer();
    let width = erm
        .quadratic
        .as_ref()
        .map_or(integer(1), |loss| loss.width.clone());
    let label = erm.labels.iter().map(|y| y.unsigned_abs()).max();
    let label = (BigInt::from(label.unwrap_or(0)) >> erm.label_bits) + slope + 1;
    // The terms of `rise` and of `curvature` times a step, each at most this.
    let kernel = erm.squared_bound.ceil().to_integer() + 1;
    let factors = [
        label << (bits + 1),
        BigInt::from(erm.size),
        kernel << erm.products.bits(),
        erm.penalty.numer() + erm.penalty.denom(),
        width.numer() + width.denom(),
    ];
    // Four such terms, and a factor 2.
    factors.iter().map(BigInt::bits).sum::<u64>() + 4
}

/// The numbers that an ascent needs, in integers. With `lambda = p/q` and products in steps of `2^-b`, predictions times
/// `unit = p n 2^b` are integers: `q` times the sums of `m_j a_j K_ij`.
struct Ascent<'a, P, T> {
    erm: &'a Erm<'a, P>,
    bits: u32,
    /// `q`.
    factor: T,
    /// `p n 2^b`.
    unit: T,
    /// The numerator and denominator of the loss's width `d`.
    width: (T, T),
    prediction: Rational,
}

impl<'a, P: Products, T: Wide> Ascent<'a, P, T> {
    fn new(erm: &'a Erm<'a, P>, bits: u32) -> Option<Self> {
        let wide = |value: BigInt| T::try_from(value).ok();
        let width = erm
            .quadratic
            .as_ref()
            .map_or(integer(0), |loss| loss.width.clone());
        let unit = (erm.penalty.numer() * erm.size) << erm.products.bits();
        Some(Self {
            erm,
            bits,
            factor: wide(erm.penalty.denom().clone())?,
            unit: wide(unit)?,
            width: (wide(width.numer().clone())?, wide(width.denom().clone())?),
            prediction: erm.prediction_unit(bits),
        })
    }

    fn run(
        &self,
        mut weights: Vec<i64>,
        tolerance: &Rational,
        rows: &mut Rows<'_, P>,
    ) -> Result<(Vec<i64>, Rational), OptimiseError> {
        let erm = self.erm;
        // 0. What is given is moved into the intervals: the gap is one only there.
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight = self.within(i, *weight);
        }
        let mut sums = Sums::<P, T>::new(rows);
        let counted = |i: usize, by: i64| T::from(by) * T::from(erm.counts[i] as i64);
        for (i, weight) in weights.iter().enumerate().filter(|(_, a)| **a != 0) {
            sums.add(i, &counted(i, *weight));
        }
        loop {
            let all = (0..weights.len()).map(|i| sums.at(i).into());
            let gap = erm.gap_of(&weights, self.bits, all)?;
            if gap <= *tolerance {
                return Ok((weights, gap));
            }
            let mut moved = false;
            for (i, weight) in weights.iter_mut().enumerate() {
                let step = match &erm.quadratic {
                    Some(_) => self.step(i, *weight, &sums.at(i)),
                    None => self.logistic_step(i, *weight, sums.at(i).into())?,
                };
                if step != 0 {
                    *weight += step;
                    sums.add(i, &counted(i, step));
                    moved = true;
                }
            }
            if !moved {
                return Ok((weights, gap));
            }
        }
    }

    /// How far to move a variable to its best value on the grid; 0 where it is.
    ///
    /// In steps of the grid and in units of `1/(unit times the denominator of d)`, the dual rises with a step `s` by
    /// `s rise - s^2 curvature/2`, with `rise = y - f - d a` and `curvature = d + m K_ii/(lambda n)`.
    fn step(&self, i: usize, weight: i64, sum: &T) -> i64 {
        let erm = self.erm;
        let (low, high) = self.interval(i);
        let label = T::from(erm.labels[i]) * power_of_two::<T>(self.bits - erm.label_bits);
        let (numerator, denominator) = (self.width.0.clone(), self.width.1.clone());
        let residual = label * self.unit.clone() - self.factor.clone() * sum.clone();
        let rise = denominator.clone() * residual
            - numerator.clone() * T::from(weight) * self.unit.clone();
        let diagonal = T::from(erm.products.value(i, i)) * T::from(erm.counts[i] as i64);
        let curvature =
            denominator * diagonal * self.factor.clone() + numerator * self.unit.clone();
        let two = T::from(2);
        // To the nearest integer; without a curvature as far as it goes.
        let best = if curvature.is_zero() {
            rise.signum() * (T::from(high) - T::from(low))
        } else {
            (two.clone() * rise.clone() + curvature.clone())
                .div_floor(&(two.clone() * curvature.clone()))
        };
        let best = best
            .max(T::from(low) - T::from(weight))
            .min(T::from(high) - T::from(weight));
        // Only upwards.
        let gain = best.clone().signum() * (two * rise - curvature * best.clone()).signum();
        if !gain.is_positive() {
            return 0;
        }
        // Between two weights: it fits.
        i64::try_from(best.into()).unwrap_or(0)
    }

    /// The nearest weight in the interval of a variable.
    fn within(&self, i: usize, weight: i64) -> i64 {
        let (low, high) = self.interval(i);
        match &self.erm.quadratic {
            Some(_) => weight.clamp(low, high),
            None => {
                let label = self.erm.labels[i].signum();
                share_of(label, share_of(label, weight).clamp(low, high))
            }
        }
    }

    /// The interval of a variable, in steps of the grid; of `s = y a` for the logistic loss.
    fn interval(&self, i: usize) -> (i64, i64) {
        let Some(loss) = &self.erm.quadratic else {
            return (0, 1 << self.bits);
        };
        let (low, high) = loss.interval(&self.erm.label(i));
        let steps = |end: Rational| {
            let scaled = (end * (BigInt::one() << self.bits)).trunc().to_integer();
            i64::try_from(scaled).unwrap_or(0)
        };
        (steps(low), steps(high))
    }

    /// The same for the logistic loss, in `s = y a`: from a step of 1 that is certainly better, doubled and then halved while
    /// that is certainly better still.
    fn logistic_step(&self, i: usize, weight: i64, sum: BigInt) -> Result<i64, OptimiseError> {
        let erm = self.erm;
        let label = erm.labels[i].signum();
        let start = share_of(label, weight);
        let (low, high) = self.interval(i);
        let bits = erm.precision(self.bits);
        let grid = Rational::new(BigInt::one(), BigInt::one() << self.bits);
        let margin = &self.prediction * sum * BigInt::from(label);
        let diagonal = BigInt::from(erm.products.value(i, i)) * erm.counts[i];
        let curvature = &self.prediction * diagonal * (BigInt::one() << self.bits);
        // The dual at s, but for a constant: the entropy, and a quadratic.
        let value = |s: i64| -> Result<Enclosure, OptimiseError> {
            let by = integer(s - start) * &grid;
            let rest = &by * &margin + &curvature * &by * &by / integer(2);
            let s = integer(s) * &grid;
            Ok(&entropy(&s, bits)? - &Enclosure::of(&rest, bits))
        };
        let first = value(start)?;
        for direction in [1, -1] {
            let (mut best, mut at) = (start, first.clone());
            let mut stride = 1i64;
            let mut doubling = true;
            while stride > 0 {
                let next = best.saturating_add(direction * stride);
                let candidate = if (low..=high).contains(&next) {
                    Some(value(next)?).filter(|candidate| at.is_below(candidate))
                } else {
                    None
                };
                match candidate {
                    Some(candidate) => (best, at) = (next, candidate),
                    None => doubling = false,
                }
                stride = if doubling {
                    stride.saturating_mul(2)
                } else {
                    stride / 2
                };
            }
            if best != start {
                return Ok((best - start) * label);
            }
        }
        Ok(0)
    }
}

fn power_of_two<T: Wide>(bits: u32) -> T {
    // At most 62 bits: a weight has no more.
    T::from(1i64 << bits)
}
