//! The problem, its dual, and how near a dual point is to the minimum.

use super::loss::{Loss, Quadratic, logistic_gap, share_of};
use super::products::Products;
use crate::number::range::{OutOfRange, require};
use crate::number::{Rational, rational::integer};
use crate::optimise::OptimiseError;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// `P(w) = (1/n) sum of m_i l(<w, phi_i>; y_i) + (lambda/2) |w|^2`, where record `i` occurs `m_i` times, `n` in all.
///
/// Its dual has a variable `a_i` for each different record. With `w(a) = (1/(lambda n)) sum of m_i a_i phi_i` it is
/// `D(a) = -(1/n) sum of m_i l*(-a_i; y_i) - (lambda/2) |w(a)|^2`, at most `P(w)` for all `a` and `w`.
///
/// The difference `gap(a) = P(w(a)) - D(a)` is the mean of `l(f_i; y_i) + l*(-a_i; y_i) + a_i f_i`, `f_i = <w(a), phi_i>`.
/// It bounds how far `w(a)` is from the minimiser: `lambda |w(a) - w*|^2 <= gap(a)` (`jt13.eq2.gap`).
#[derive(Debug)]
pub struct Erm<'a, P> {
    pub(super) products: &'a P,
    pub(super) labels: &'a [i64],
    pub(super) label_bits: u32,
    pub(super) counts: &'a [u64],
    pub(super) size: u64,
    pub(super) penalty: &'a Rational,
    /// `R^2`, with the error of a value.
    pub(super) squared_bound: Rational,
    /// `L`.
    pub(super) slope: Rational,
    /// Of all losses but the logistic one.
    pub(super) quadratic: Option<Quadratic>,
}

impl<'a, P: Products> Erm<'a, P> {
    /// The problem of these records: their products, labels in steps of `2^-label_bits`, and counts.
    ///
    /// `squared_bound` is `R^2`: no record has a larger `K(x, x)`.
    ///
    /// # Errors
    /// [`OptimiseError::Length`] unless there are as many labels and counts as records; [`OptimiseError::Parameter`]
    /// for a count of 0 or more than 2^40 records in all, a record beyond `R^2`, and those of [`Loss::lipschitz`].
    pub fn new(
        products: &'a P,
        labels: (&'a [i64], u32),
        counts: &'a [u64],
        loss: &Loss,
        penalty: &'a Rational,
        squared_bound: &Rational,
    ) -> Result<Self, OptimiseError> {
        let (labels, label_bits) = labels;
        let expected = products.count();
        for (what, found) in [("the labels", labels.len()), ("the counts", counts.len())] {
            if found != expected {
                return Err(OptimiseError::Length {
                    what,
                    expected,
                    found,
                });
            }
        }
        let size = counts.iter().try_fold(0u64, |sum, m| sum.checked_add(*m));
        let size = size.unwrap_or(u64::MAX);
        let right = counts.iter().all(|m| *m >= 1) && (1..=1 << 40).contains(&size);
        let expected = "from 1 to 2^40, each record at least once";
        require(right, "the number of records", &size, expected)?;
        let slope = loss.lipschitz(squared_bound, penalty)?;
        let step = Rational::new(1.into(), BigInt::one() << products.bits());
        let squared_bound = squared_bound + integer(products.error()) * &step;
        let largest = (&squared_bound / &step).floor().to_integer();
        let inside = |i: usize| {
            let value = products.value(i, i);
            value >= 0 && BigInt::from(value) <= largest
        };
        if !(0..products.count()).all(inside) {
            let expected = "at least 0 and at most the bound";
            return Err(
                OutOfRange::new("the kernel of a record with itself", &"other", expected).into(),
            );
        }
        Ok(Self {
            products,
            labels,
            label_bits,
            counts,
            size,
            penalty,
            squared_bound,
            slope: slope.clone(),
            quadratic: loss.quadratic(&slope),
        })
    }

    /// `gap(a)`, rounded up, where `a_i` is `weights[i]` steps of `2^-bits`, and in the interval on which the dual of its record's
    /// loss is finite: beyond it the gap is infinite, and what is returned says nothing. **Not private.**
    ///
    /// # Errors
    /// [`OptimiseError::Length`] unless there is a weight for each record; those of enclosures.
    pub fn gap(&self, weights: &[i64], bits: u32) -> Result<Rational, OptimiseError> {
        if weights.len() != self.counts.len() {
            return Err(OptimiseError::Length {
                what: "the weights",
                expected: self.counts.len(),
                found: weights.len(),
            });
        }
        let mut sums = vec![BigInt::zero(); weights.len()];
        let mut row = Vec::new();
        for (i, sum) in sums.iter_mut().enumerate() {
            self.products.row(i, &mut row);
            for ((k, a), m) in row.iter().zip(weights).zip(self.counts) {
                *sum += BigInt::from(*k) * *a * *m;
            }
        }
        self.gap_of(weights, bits, sums.iter().cloned())
    }

    /// The same, from the sums of `m_j a_j K_ij` over `j`, in steps of the products and of `a`.
    pub(super) fn gap_of(
        &self,
        weights: &[i64],
        bits: u32,
        sums: impl Iterator<Item = BigInt>,
    ) -> Result<Rational, OptimiseError> {
        let grid = BigInt::one() << bits;
        let prediction = self.prediction_unit(bits);
        let mut sum = Rational::zero();
        for (i, (weight, total)) in weights.iter().zip(sums).enumerate() {
            let f = &prediction * total;
            let a = Rational::new((*weight).into(), grid.clone());
            let term = match &self.quadratic {
                Some(loss) => loss.fenchel_young(&self.label(i), &f, &a),
                None => {
                    let s = Rational::new(share_of(self.labels[i], *weight).into(), grid.clone());
                    let t = f * BigInt::from(self.labels[i]);
                    logistic_gap(&t, &s, self.precision(bits))?
                }
            };
            sum += term * BigInt::from(self.counts[i]);
        }
        Ok(sum / BigInt::from(self.size) + self.rounding())
    }

    /// What the error of the kernel's values may add to a gap: `2 L eta`.
    pub(super) fn rounding(&self) -> Rational {
        let step = Rational::new(
            self.products.error().into(),
            BigInt::one() << self.products.bits(),
        );
        integer(2) * &self.slope * &self.slope / self.penalty * step
    }

    /// What one step of a sum is in a prediction: `1/(lambda n)` of a step of the products and of `a`.
    pub(super) fn prediction_unit(&self, bits: u32) -> Rational {
        let scale = BigInt::from(self.size) << (self.products.bits() + bits);
        self.penalty.recip() / scale
    }

    pub(super) fn label(&self, i: usize) -> Rational {
        Rational::new(self.labels[i].into(), BigInt::one() << self.label_bits)
    }

    /// The bits of enclosures at weights of so many bits: a difference of two entropies is then off by less than the
    /// square of a step (`jt13.eq2.arrives`).
    pub(super) fn precision(&self, bits: u32) -> u32 {
        let largest = (&self.squared_bound / self.penalty).ceil().to_integer();
        2 * bits + 96 + largest.bits() as u32
    }
}
