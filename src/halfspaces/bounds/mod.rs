//! How many records the halfspace learners need, with every constant written out.
//!
//! The paper writes `n = polylog / (alpha epsilon gamma^2)`. Here `n` is a number, and so is the
//! dimension `m` of the projection, although each depends on the other.
//!
//! - [`efficient`]: Theorem 6 (Algorithm 1 with noisy stochastic gradients), with the paper's constants;
//! - [`mod@full_batch`]: the same learner with full gradients and an averaged iterate, proved from scratch;
//! - [`pure`]: Theorem 11 (Algorithm 2), with the paper's constants and with better ones;
//! - [`guarantee`]: the converse: what a run with given `n`, `m`, ... is guaranteed to achieve.
//!
//! All inequalities are decided in certified arithmetic: an `n` returned here does satisfy the stated
//! requirement. That no smaller `n` does is not claimed.

pub mod efficient;
pub mod full_batch;
pub mod guarantee;
pub mod lower_bound;
pub mod pure;

pub use efficient::{Theorem6, theorem_6};
pub use full_batch::{FullBatch, RoundedDescent, full_batch, full_batch_best};
pub use guarantee::{FullBatchRun, Guarantee, Projection, PureRun};
pub use pure::{Net, Pure, theorem_11};

use super::HalfspaceError;
use crate::number::range::{above_zero, above_zero_at_most_one, above_zero_below_one};
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::One;

/// The working precision: far more than any figure here is printed with.
pub const BITS: u32 = 128;

/// What is asked of a learner: with probability `1 - beta` an error of at most `alpha`, on every
/// distribution of margin `gamma`, with privacy `epsilon`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    alpha: Rational,
    beta: Rational,
    gamma: Rational,
    epsilon: Rational,
}

impl Goal {
    /// The goal with these parameters.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless `0 < alpha, beta < 1`, `0 < gamma <= 1` and `epsilon > 0`.
    pub fn new(
        alpha: Rational,
        beta: Rational,
        gamma: Rational,
        epsilon: Rational,
    ) -> Result<Self, HalfspaceError> {
        above_zero_below_one("alpha", &alpha)?;
        above_zero_below_one("beta", &beta)?;
        above_zero_at_most_one("gamma", &gamma)?;
        above_zero("epsilon", &epsilon)?;
        Ok(Self {
            alpha,
            beta,
            gamma,
            epsilon,
        })
    }

    /// The largest failure probability of one norm, `alpha beta^2 / (16 events n)`.
    ///
    /// A record is bad with probability at most `events` times this, in expectation over the
    /// projection; so (Markov) with probability `1 - beta/4` the bad records have mass at most
    /// `alpha beta/(4n)`, and all of `n` records are good with probability `1 - alpha beta/4`.
    fn norm_failure(&self, events: u32, n: &BigUint) -> Rational {
        &self.alpha * &self.beta * &self.beta / (integer(16 * events) * whole(n))
    }
}

/// The margin that a projection leaves: `(gamma - kappa) / (1 + kappa)`, with probability one minus
/// *two* norm failures, those of `x + w` and `x - w` for the separator `w`; `|x|, |w| <= 1`.
///
/// Proof for label 1: `4 <Aw,Ax>`, which is `|A(x+w)|^2 - |A(x-w)|^2`, is at least
/// `4 <w,x> - 2 kappa (|x|^2 + |w|^2)`, so at least `4 (gamma - kappa)`; and `4 |Aw| |Ax|`, which is at
/// most `|A(x+w)|^2 + |A(x-w)|^2`, is at most `4 (1 + kappa)`. ([`guarantee`] sharpens this.)
pub fn margin_left(gamma: &Rational, kappa: &Rational) -> Rational {
    (gamma - kappa) / (kappa + integer(1))
}

/// The Lemma 7 term, `(32/alpha) (ln(16/beta) + m ln(2en/m))`, or `m/2` if that is more.
///
/// `4 Pi(2n) exp(-alpha n/32) <= beta/4` for the growth function `Pi(2n) <= (2en/m)^m` (Sauer; for
/// `m <= 2n`) of homogeneous halfspaces in dimension `m`, whose VC dimension is `m`.
pub fn lemma_7(goal: &Goal, m: &BigUint, n: &BigUint) -> Result<Enclosure, HalfspaceError> {
    let growth = &of(&whole(m)) * log_growth_base(m, n)?;
    let confidence = of(&(integer(16) / &goal.beta)).ln()?;
    let needed = (growth + confidence) * of(&(integer(32) / &goal.alpha));
    Ok(needed.max(&of(&(whole(m) / integer(2)))))
}

/// `ln(2 e n / m) = 1 + ln(2n/m)`.
fn log_growth_base(m: &BigUint, n: &BigUint) -> Result<Enclosure, HalfspaceError> {
    Ok(of(&(integer(2) * whole(n) / whole(m))).ln()? + of(&integer(1)))
}

/// An `n` with `requirement(n) <= n`, certified: the first that the iteration `n <- requirement(n)`
/// from 1 reaches. It ends because the requirements here grow like powers of `log n`; where they do
/// not decrease, it ends at the least solution (up to the width of the enclosures).
fn solve(
    requirement: impl Fn(&BigUint) -> Result<Enclosure, HalfspaceError>,
) -> Result<BigUint, HalfspaceError> {
    let mut n = BigUint::one();
    loop {
        let needed = ceiling(&requirement(&n)?);
        if needed <= n {
            return Ok(n);
        }
        n = needed;
    }
}

/// `1 - e^(-epsilon/2)`: by how much each record that counts against a point of the net lowers its weight.
fn falls_by(epsilon: &Rational) -> Result<Enclosure, HalfspaceError> {
    Ok(Enclosure::exp_of(&(-epsilon / integer(2)), BITS)?.complement())
}

/// An enclosure of a rational at the working precision.
pub fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// The rational that a natural number is.
pub(super) fn whole(n: &BigUint) -> Rational {
    integer(n.clone())
}

/// The smallest natural number that is certainly not below the enclosed one.
pub(super) fn ceiling(value: &Enclosure) -> BigUint {
    value.hi().ceil().to_biguint().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    pub(super) fn goal(alpha: &str, beta: &str, gamma: &str, epsilon: &str) -> Goal {
        let read = |text| crate::number::rational::parse(text).unwrap();
        Goal::new(read(alpha), read(beta), read(gamma), read(epsilon)).unwrap()
    }

    #[test]
    fn parameters_outside_their_range_are_refused_by_name() {
        let error = Goal::new(ratio(1, 10), ratio(1, 1), ratio(1, 2), ratio(1, 1)).unwrap_err();
        assert_eq!(error.to_string(), "beta must be above 0 and below 1, got 1");
        assert!(Goal::new(ratio(1, 10), ratio(1, 10), ratio(2, 1), ratio(1, 1)).is_err());
        assert!(Goal::new(ratio(1, 10), ratio(1, 10), ratio(1, 2), ratio(0, 1)).is_err());
    }
}
