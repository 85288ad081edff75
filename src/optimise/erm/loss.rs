//! Losses of a prediction: convex, and Lipschitz in it.

use crate::number::range::above_zero;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::optimise::OptimiseError;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// A loss `l(f; y)` of a prediction `f` and a label `y`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// `-y f`, with labels -1 and 1: its minimiser has a closed form, `w = (1/(lambda n)) sum of y_i phi(x_i)`. It is not
    /// bounded below.
    Linear,
    /// `max(0, 1 - y f)`, with labels -1 and 1.
    Hinge,
    /// `ln(1 + e^(-y f))`, with labels -1 and 1.
    Logistic,
    /// `(y - f)^2/(2 width)` where `|y - f| <= width`, and `|y - f| - width/2` beyond.
    Huber {
        /// The width, above 0.
        width: Rational,
    },
    /// `(y - f)^2/2` with labels of magnitude at most `largest_label`.
    ///
    /// It is not Lipschitz. But the minimiser has `|y_i - f_i| <= Y (1 + R/sqrt(lambda))`, so that it is also the
    /// minimiser of the loss that goes on with that slope beyond. This is what is minimised here.
    Squared {
        /// `Y`, above 0.
        largest_label: Rational,
    },
}

/// The Lipschitz constant of the squared loss is a multiple of `2^-16`.
const SLOPE_BITS: u32 = 16;

impl Loss {
    /// `L`: the loss is `L`-Lipschitz in the prediction. That of the squared loss depends on `R^2` and `lambda`, and is
    /// rounded up to a multiple of `2^-16`.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] for a width, a largest label or a `lambda` that is not above 0.
    pub fn lipschitz(
        &self,
        squared_bound: &Rational,
        penalty: &Rational,
    ) -> Result<Rational, OptimiseError> {
        above_zero("the penalty", penalty)?;
        match self {
            Self::Linear | Self::Hinge | Self::Logistic => Ok(integer(1)),
            Self::Huber { width } => {
                above_zero("the width of the Huber loss", width)?;
                Ok(integer(1))
            }
            Self::Squared { largest_label } => {
                above_zero("the largest label", largest_label)?;
                let root = Enclosure::of(&(squared_bound / penalty), 96).sqrt()?;
                let exact = largest_label * (root.upper() + integer(1));
                let scale = BigInt::one() << SLOPE_BITS;
                let steps = (exact * &scale).ceil().to_integer();
                Ok(Rational::new(steps, scale))
            }
        }
    }

    /// The largest loss of the prediction 0 for any label; nothing of a loss that takes values below 0, or of one whose
    /// labels have no bound.
    #[must_use]
    pub fn at_zero(&self) -> Option<Rational> {
        match self {
            Self::Linear | Self::Huber { .. } => None,
            // ln 2 is below 0.6931472.
            Self::Logistic => Some(Rational::new(6_931_472.into(), 10_000_000.into())),
            Self::Hinge => Some(integer(1)),
            Self::Squared { largest_label } => Some(largest_label * largest_label / integer(2)),
        }
    }

    /// Whether labels are the classes -1 and 1; otherwise they are numbers.
    #[must_use]
    pub fn of_classes(&self) -> bool {
        matches!(self, Self::Linear | Self::Hinge | Self::Logistic)
    }

    /// What the dual needs of the loss: nothing of the logistic loss.
    pub(super) fn quadratic(&self, slope: &Rational) -> Option<Quadratic> {
        let (width, ends) = match self {
            Self::Logistic => return None,
            Self::Linear => (integer(0), Ends::Label),
            Self::Hinge => (integer(0), Ends::ToLabel),
            Self::Huber { width } => (width.clone(), Ends::Both),
            Self::Squared { .. } => (integer(1), Ends::Both),
        };
        Some(Quadratic {
            width,
            ends,
            slope: slope.clone(),
        })
    }
}

/// A loss `l(f; y) = max over a of a (y - f) - d a^2/2`, where `a` is in an interval: all losses here but the logistic one.
///
/// The linear loss is that of the interval {y}, and the hinge loss that of the interval from 0 to y; the linear loss is 1
/// more than it should be, in its primal and its dual alike.
#[derive(Debug, Clone)]
pub(super) struct Quadratic {
    /// `d`.
    pub width: Rational,
    ends: Ends,
    slope: Rational,
}

#[derive(Debug, Clone, Copy)]
enum Ends {
    Label,
    ToLabel,
    Both,
}

impl Quadratic {
    /// The interval of `a` for a label.
    pub fn interval(&self, label: &Rational) -> (Rational, Rational) {
        match self.ends {
            Ends::Label => (label.clone(), label.clone()),
            Ends::ToLabel => (label.clone().min(integer(0)), label.clone().max(integer(0))),
            Ends::Both => (-self.slope.clone(), self.slope.clone()),
        }
    }

    /// The length of the interval.
    pub fn length(&self) -> Rational {
        match self.ends {
            Ends::Label => integer(0),
            Ends::ToLabel => integer(1),
            Ends::Both => &self.slope * integer(2),
        }
    }

    /// `l(f; y) - a (y - f) + d a^2/2`, at least 0, and 0 if and only if `a` is the maximiser.
    pub fn fenchel_young(&self, label: &Rational, f: &Rational, a: &Rational) -> Rational {
        let residual = label - f;
        let (low, high) = self.interval(label);
        // The maximiser of b residual - d b^2/2.
        let best = if self.width.is_zero() {
            if residual.is_positive() { high } else { low }
        } else {
            (&residual / &self.width).max(low).min(high)
        };
        let half = &self.width / integer(2);
        let value = |b: &Rational| b * &residual - &half * b * b;
        value(&best) - value(a)
    }
}

/// `s` times a label -1 or 1, from the dual variable.
pub(super) fn share_of(label: i64, weight: i64) -> i64 {
    weight * label.signum()
}

/// An upper bound of `ln(1 + e^-t) + s t + s ln s + (1 - s) ln(1 - s)`, which is at least 0: the Fenchel-Young loss of the
/// logistic loss at the margin `t = y f` and `a = s y`.
///
/// # Errors
/// Those of enclosures.
pub(super) fn logistic_gap(
    t: &Rational,
    s: &Rational,
    bits: u32,
) -> Result<Rational, OptimiseError> {
    // ln(1 + e^-t) = max(0, -t) + ln(1 + e^-|t|)
    let away = Enclosure::exp_of(&-t.abs(), bits)?.ln_1p()?;
    let linear = (-t).max(Rational::zero()) + s * t;
    let loss = &away + &Enclosure::of(&linear, bits);
    Ok((&loss - &entropy(s, bits)?).upper().max(Rational::zero()))
}

/// `-s ln s - (1 - s) ln(1 - s)`, for `s` in [0, 1].
///
/// # Errors
/// Those of enclosures.
pub(super) fn entropy(s: &Rational, bits: u32) -> Result<Enclosure, OptimiseError> {
    let mut sum = Enclosure::integer(0, bits);
    for part in [s.clone(), integer(1) - s] {
        if part.is_positive() {
            let part = Enclosure::of(&part, bits);
            sum = &sum - &(&part * &part.ln()?);
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn the_squared_loss_has_the_slope_of_bounded_labels() {
        let squared = |largest_label: Rational| Loss::Squared { largest_label };
        // Y (1 + R/sqrt(lambda)) = 3 (1 + 2/(1/5)) = 33
        let slope = squared(integer(3)).lipschitz(&integer(4), &ratio(1, 25));
        assert_eq!(slope.unwrap(), integer(33));
        // 1 + sqrt(2) = 2.414213562..., rounded up to a multiple of 2^-16.
        let slope = squared(integer(1)).lipschitz(&integer(2), &integer(1));
        assert_eq!(slope.unwrap(), ratio(158_218, 65536));
        assert_eq!(squared(integer(3)).at_zero(), Some(ratio(9, 2)));
        for wrong in [squared(integer(0)), Loss::Huber { width: integer(0) }] {
            assert!(wrong.lipschitz(&integer(1), &integer(1)).is_err());
        }
        assert!(Loss::Hinge.lipschitz(&integer(1), &integer(0)).is_err());
    }

    #[test]
    fn the_gap_of_a_record_is_that_of_its_definition() {
        let quadratic = |loss: Loss| loss.quadratic(&integer(1)).unwrap();
        let hinge = quadratic(Loss::Hinge);
        // max(0, 1 - t) - s (1 - t) at y = -1, t = 1/4, s = 1/3
        let gap = hinge.fenchel_young(&integer(-1), &ratio(-1, 4), &ratio(-1, 3));
        assert_eq!(gap, ratio(1, 2));
        let beyond = hinge.fenchel_young(&integer(1), &integer(3), &ratio(1, 3));
        assert_eq!(beyond, ratio(2, 3));
        let huber = quadratic(Loss::Huber { width: ratio(1, 2) });
        // Residual 2, a = 1/2: (2 - 1/4) - 1 + 1/16
        let gap = huber.fenchel_young(&integer(1), &integer(-1), &ratio(1, 2));
        assert_eq!(gap, ratio(13, 16));
        // Residual 1/4, a = 1/2: the maximiser.
        let gap = huber.fenchel_young(&integer(1), &ratio(3, 4), &ratio(1, 2));
        assert_eq!(gap, integer(0));
        let linear = quadratic(Loss::Linear);
        assert_eq!(linear.interval(&integer(-1)), (integer(-1), integer(-1)));
        assert_eq!((hinge.length(), huber.length()), (integer(1), integer(2)));
        assert!(Loss::Logistic.quadratic(&integer(1)).is_none());
    }

    #[test]
    fn the_gap_of_the_logistic_loss_is_a_divergence_of_coins() {
        // At s = 1/(1 + e^t) it is 0; at t = 0 it is ln 2 less the entropy of s.
        let none = logistic_gap(&integer(0), &ratio(1, 2), 64).unwrap();
        assert!(none < ratio(1, 1 << 40));
        let all = logistic_gap(&integer(0), &integer(1), 64).unwrap();
        assert!((all - ratio(6_931_471_806, 10_000_000_000)).abs() < ratio(1, 1 << 30));
        // ln(1 + e^-3) + 3/4 - entropy(1/4) = 0.0485874 + 0.75 - 0.5623351
        let gap = logistic_gap(&integer(3), &ratio(1, 4), 64).unwrap();
        assert!((gap - ratio(2_362_523, 10_000_000)).abs() < ratio(1, 1_000_000));
        assert_eq!(share_of(-1, -7), 7);
    }
}
