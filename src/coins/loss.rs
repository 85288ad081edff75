//! What a draw costs, and what a learner says that it costs: plain data of the [meter](super::meter).

use crate::number::rational::shortly_above;
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::fmt;

/// The privacy loss of an outcome, `ln(Pr[outcome on the first dataset] / Pr[outcome on the second])`.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "short numbers are held in place")]
pub enum Loss {
    /// Known exactly: the normalisers cancel.
    Exact(Rational),
    /// Enclosed.
    Enclosed(Enclosure),
    /// The outcome has probability 0 on the second dataset.
    Infinite,
}

/// Beyond this many bits of its denominator an exact sum is enclosed instead.
const LONGEST_DENOMINATOR: u64 = 4096;

/// The working precision of a sum of losses.
const BITS: u32 = 128;

impl Loss {
    /// No loss.
    #[must_use]
    pub fn none() -> Self {
        Self::Exact(Rational::zero())
    }

    /// `ln(p / q)` of two enclosed probabilities, the first of them of an outcome that was drawn.
    ///
    /// # Errors
    /// Those of the logarithm: `p` or `q` is not known to be above 0, and `q` is not known to be 0.
    pub fn of_probabilities(p: &Enclosure, q: &Enclosure) -> Result<Self, NumberError> {
        if q.hi().is_zero() {
            return Ok(Self::Infinite);
        }
        Ok(Self::Enclosed(p.ln()? - q.ln()?))
    }

    /// The loss of two draws together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (Self::Exact(a), Self::Exact(b)) => {
                let sum = a + b;
                if sum.denom().bits() > LONGEST_DENOMINATOR {
                    Self::Enclosed(Enclosure::of(&sum, BITS))
                } else {
                    Self::Exact(sum)
                }
            }
            (Self::Exact(a), Self::Enclosed(b)) | (Self::Enclosed(b), Self::Exact(a)) => {
                Self::Enclosed(Enclosure::of(a, BITS) + b)
            }
            (Self::Enclosed(a), Self::Enclosed(b)) => Self::Enclosed(a + b),
        }
    }

    /// An upper bound on its magnitude; `None` if it is infinite.
    #[must_use]
    pub fn magnitude(&self) -> Option<Rational> {
        match self {
            Self::Exact(loss) => Some(loss.abs()),
            Self::Enclosed(loss) => Some(loss.abs().upper()),
            Self::Infinite => None,
        }
    }

    /// Whether its magnitude is certainly above this.
    #[must_use]
    pub fn surely_above(&self, bound: &Rational) -> bool {
        match self {
            Self::Exact(loss) => loss.abs() > *bound,
            Self::Enclosed(loss) => loss.abs().lower() > *bound,
            Self::Infinite => true,
        }
    }

    /// Whether it is certainly more than this, with its sign.
    #[must_use]
    pub fn surely_more_than(&self, bound: &Rational) -> bool {
        match self {
            Self::Exact(loss) => loss > bound,
            Self::Enclosed(loss) => loss.lower() > *bound,
            Self::Infinite => true,
        }
    }

    /// Whether it is exactly zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Exact(loss) if loss.is_zero())
    }
}

/// How far a law is from another one, in one direction: bounds on the privacy loss, with its sign, of the outcomes that are
/// quiet ([`Law::is_quiet`](super::Law::is_quiet)), and of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forward {
    /// Of a quiet outcome; 0 if none is likelier on the first dataset.
    pub quiet: Rational,
    /// Of another outcome, at least 0.
    pub loud: Rational,
}

impl Forward {
    /// No loss.
    #[must_use]
    pub fn none() -> Self {
        let [quiet, loud] = [Rational::zero(), Rational::zero()];
        Self { quiet, loud }
    }
}

/// How far two laws of one kind are apart: the worst over all outcomes, in both directions.
#[derive(Debug, Clone, PartialEq)]
pub enum Divergence {
    /// The laws are equal.
    None,
    /// No outcome has a privacy loss above this in magnitude.
    Pure(Rational),
    /// Discrete Gaussian noise around two integer vectors.
    Gaussian(GaussianShift),
    /// Discrete Gaussian noise around what one hidden record of `records` says; what one of the records says
    /// differs.
    OneRecord {
        /// How many records there are, each as likely as the others.
        records: u64,
        /// The farthest, over both laws: from what the record that differs says, on either side, to what any record
        /// says. (Amplification compares it with all of them; how far its own two centres are apart is not enough.)
        read: GaussianShift,
    },
    /// Nothing is known that bounds it.
    Unbounded(&'static str),
}

/// Discrete Gaussian noise, one draw a coordinate, around two integer vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaussianShift {
    /// The squared l2 distance of the vectors.
    pub squared: BigInt,
    /// In how many coordinates they differ.
    pub moved: u64,
    /// The variance parameter of the noise.
    pub variance: Rational,
}

impl GaussianShift {
    /// `rho = squared distance / (2 variance)` of zero-concentrated privacy.
    #[must_use]
    pub fn rho(&self) -> Rational {
        Rational::from_integer(self.squared.clone()) / (&self.variance * BigInt::from(2))
    }
}

/// What a learner promises of a draw or of a stage, whatever the neighbouring datasets and whatever was drawn
/// before. The neighbouring relation is that of the learner's claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// The law does not depend on the data.
    Public,
    /// (epsilon, 0)-differential privacy.
    Pure(Rational),
    /// (epsilon, delta)-differential privacy.
    Approximate {
        /// Epsilon.
        epsilon: Rational,
        /// Delta.
        delta: Rational,
    },
    /// rho-zero-concentrated privacy.
    Concentrated(Rational),
    /// Discrete Gaussian noise around vectors that are at most so far apart, in at most so many coordinates.
    Gaussian(GaussianShift),
    /// (epsilon, delta)-indistinguishability of what is drawn if one record is read from what is drawn if any other is,
    /// of one of two neighbours under substitution. Which record is read is hidden, drawn afresh, and one of `records`,
    /// each as likely as the others.
    OfOneRecord {
        /// How many records there are.
        records: u64,
        /// Epsilon.
        epsilon: Rational,
        /// Delta.
        delta: Rational,
    },
}

impl fmt::Display for Promise {
    /// Numbers that are long are rounded up.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => write!(formatter, "that nothing depends on the records"),
            Self::Pure(epsilon) => write!(formatter, "epsilon = {}", shortly_above(epsilon)),
            Self::Concentrated(rho) => write!(formatter, "rho = {}", shortly_above(rho)),
            Self::Gaussian(shift) => {
                let rho = shortly_above(&shift.rho());
                write!(formatter, "Gaussian noise, rho = {rho}")
            }
            Self::Approximate { epsilon, delta } | Self::OfOneRecord { epsilon, delta, .. } => {
                let (epsilon, delta) = (shortly_above(epsilon), shortly_above(delta));
                write!(formatter, "epsilon = {epsilon}, delta = {delta}")?;
                if let Self::OfOneRecord { records, .. } = self {
                    write!(formatter, ", of one hidden record of {records}")?;
                }
                Ok(())
            }
        }
    }
}

/// How often noisy rounds read records that are drawn with replacement: a round has phases, each of which reads so many
/// records and then releases one value. Public numbers. `privacy::with_replacement` says what they cost.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uses {
    /// How many records there are.
    pub records: u64,
    /// How many numbers of records each phase of a round draws.
    pub draws_of_phase: Vec<u64>,
    /// How many rounds there are, all with these phases.
    pub rounds: u32,
}

/// A part of a learner's run: what it promises in all, and draw by draw.
///
/// To every real source of coins a stage means nothing. The [meter](super::meter) checks that each draw keeps
/// the promise, and that the promises of the draws compose to that of the stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// What it does, in the words of the pseudo-code: "the choice of a point".
    pub name: &'static str,
    /// The promise of all draws together.
    pub whole: Promise,
    /// The promise of each draw.
    pub each: Promise,
    /// How many draws it makes; `None`: any number, all of them public, or rounds ([`Together::Rounds`], [`Together::Above`]).
    pub draws: Option<u64>,
    /// Whether it may make fewer: when it ends is a function of what was drawn (`spec/meter.md`, Theorem 6).
    pub may_end: bool,
    /// Why what is promised of the draws is what is promised of all of them.
    pub together: Together,
    /// Whether it reads records that no stage reads which is not apart, and no others: see [`Self::apart`].
    pub is_apart: bool,
}

/// Why the promises of draws are that of their stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Together {
    /// Each of the draws may take all of its promise: the promises compose.
    Sums,
    /// On every path, whatever is drawn, what the draws actually take adds up to at most the promise of the stage,
    /// though each may take more than its part of it: one record is read once, in one of the draws (`spec/meter.md`,
    /// Theorem 4).
    OnEveryPath,
    /// The draws read records that hidden numbers, drawn with replacement, tell; each costs at most the promise of a
    /// draw times the squared number of times that the record that differs is read for it (`spec/meter.md`,
    /// Theorem 5).
    HiddenUses(Uses),
    /// Any number of rounds, one draw each, of which on every path at most so many are updates, that is, not quiet
    /// ([`Law::is_quiet`](super::Law::is_quiet)); each is pure whatever was drawn before (`spec/meter.md`, Theorem 7).
    Rounds {
        /// The most updates.
        updates: u64,
    },
    /// One hidden draw of a threshold, which moves between neighbours ([`Coins::draw_moved`](super::Coins::draw_moved)), and
    /// then any number of rounds, of which on every path at most so many are not quiet; given the threshold, and the moved
    /// one on the neighbour, a quiet outcome is no likelier than there (`spec/meter.md`, Theorem 9).
    Above {
        /// What moving the threshold costs at most.
        moved: Rational,
        /// The most updates.
        updates: u64,
    },
}

impl Stage {
    /// Draws whose laws do not depend on the data.
    #[must_use]
    pub fn public(name: &'static str) -> Self {
        Self {
            name,
            whole: Promise::Public,
            each: Promise::Public,
            draws: None,
            may_end: false,
            together: Together::Sums,
            is_apart: false,
        }
    }

    /// One draw.
    #[must_use]
    pub fn once(name: &'static str, promise: Promise) -> Self {
        Self {
            name,
            whole: promise.clone(),
            each: promise,
            draws: Some(1),
            may_end: false,
            together: Together::Sums,
            is_apart: false,
        }
    }

    /// So many draws with one promise each, and one for all of them.
    #[must_use]
    pub fn steps(name: &'static str, draws: u64, each: Promise, whole: Promise) -> Self {
        Self {
            name,
            whole,
            each,
            draws: Some(draws),
            may_end: false,
            together: Together::Sums,
            is_apart: false,
        }
    }

    /// So many draws at most: after which of them the stage ends depends on what was drawn. Otherwise as [`Self::steps`].
    #[must_use]
    pub fn up_to(name: &'static str, draws: u64, each: Promise, whole: Promise) -> Self {
        Self {
            may_end: true,
            ..Self::steps(name, draws, each, whole)
        }
    }

    /// Any number of rounds that cost at most `loss` each, of which at most `updates` are not quiet. `whole` is
    /// [`Promise::Approximate`]: what `privacy::noisy_answers` finds, or more.
    #[must_use]
    pub fn rounds(name: &'static str, updates: u64, loss: Rational, whole: Promise) -> Self {
        Self {
            draws: None,
            together: Together::Rounds { updates },
            ..Self::steps(name, 0, Promise::Pure(loss), whole)
        }
    }

    /// A hidden threshold that costs at most `moved` to move, and any number of rounds, of which at most `updates` are not
    /// quiet; these cost at most `loss` each, and quiet ones nothing. `whole` is [`Promise::Pure`].
    #[must_use]
    pub fn above(
        name: &'static str,
        moved: Rational,
        updates: u64,
        loss: Rational,
        whole: Promise,
    ) -> Self {
        Self {
            draws: None,
            together: Together::Above { moved, updates },
            ..Self::steps(name, 0, Promise::Pure(loss), whole)
        }
    }

    /// So many draws whose actual costs add up, on every path, to at most `whole`: [`Promise::Concentrated`], as each of
    /// them is or [`Promise::Gaussian`]. Or each is [`Promise::Gaussian`], the squared distances of a path add up to at most that of
    /// this promise, and `whole` is [`Promise::Approximate`] (`spec/meter.md`, Theorem 8).
    #[must_use]
    pub fn path(name: &'static str, draws: u64, each: Promise, whole: Promise) -> Self {
        Self {
            together: Together::OnEveryPath,
            ..Self::steps(name, draws, each, whole)
        }
    }

    /// The same, of records that the other stages do not read. Which records these are is public, and goes by their
    /// places. Under substitution stages apart then cost nothing beside the others: a record is in one part
    /// (`spec/meter.md`, Theorem 10).
    #[must_use]
    pub fn apart(self) -> Self {
        Self {
            is_apart: true,
            ..self
        }
    }

    /// Whether how many draws it makes may not depend on what was drawn.
    #[must_use]
    pub fn has_fixed_draws(&self) -> bool {
        let rounds = matches!(
            self.together,
            Together::Rounds { .. } | Together::Above { .. }
        );
        !self.may_end && !rounds
    }

    /// Rounds of noisy phases that read records drawn with replacement: in the stage, hidden draws of the numbers of the
    /// records, in the order of the phases, and one draw with discrete Gaussian noise a phase. If the record that differs is read
    /// `j` times for a draw, that draw costs at most `j^2` times the rho `of_one`. `whole` is
    /// [`Promise::Approximate`]: what `privacy::with_replacement` finds, or more.
    #[must_use]
    pub fn hidden_uses(name: &'static str, uses: Uses, of_one: Rational, whole: Promise) -> Self {
        let draws = uses.draws_of_phase.len() as u64 * u64::from(uses.rounds);
        Self {
            together: Together::HiddenUses(uses),
            ..Self::steps(name, draws, Promise::Concentrated(of_one), whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    fn enclosed(lo: i64, hi: i64) -> Loss {
        Loss::Enclosed(Enclosure::between(&integer(lo), &integer(hi), 64))
    }

    #[test]
    fn a_loss_is_the_logarithm_of_a_quotient_of_probabilities() {
        let p = |n, d| Enclosure::of(&ratio(n, d), 128);
        let loss = Loss::of_probabilities(&p(3, 4), &p(1, 4)).unwrap();
        let Loss::Enclosed(loss) = loss else {
            panic!("{loss:?}");
        };
        assert!(loss.meets(&Enclosure::integer(3, 128).ln().unwrap()));
        assert!(loss.has_digits(30));
        let infinite = Loss::of_probabilities(&p(1, 4), &p(0, 1)).unwrap();
        assert_eq!(infinite, Loss::Infinite);
        assert!(Loss::of_probabilities(&p(0, 1), &p(1, 4)).is_err());
    }

    #[test]
    fn losses_add_up_whether_exact_or_enclosed() {
        let exact = |n| Loss::Exact(integer(n));
        for (first, second, sum) in [
            (exact(2), exact(-5), exact(-3)),
            (exact(2), enclosed(-5, 1), enclosed(-3, 3)),
            (enclosed(-5, 1), enclosed(3, 4), enclosed(-2, 5)),
            (exact(2), Loss::Infinite, Loss::Infinite),
            (enclosed(-5, 1), Loss::Infinite, Loss::Infinite),
        ] {
            for (first, second) in [(&first, &second), (&second, &first)] {
                let found = first.plus(second);
                let same = match (&found, &sum) {
                    (Loss::Enclosed(a), Loss::Enclosed(b)) => {
                        a.lower() == b.lower() && a.upper() == b.upper()
                    }
                    (a, b) => a == b,
                };
                assert!(same, "{first:?} {second:?} {found:?}");
            }
        }
    }

    #[test]
    fn a_sum_is_exact_up_to_the_longest_denominator() {
        // 2^bits has bits + 1 binary digits.
        let sum = |bits: u32| {
            let small = Rational::new(1.into(), BigInt::from(2).pow(bits));
            Loss::none().plus(&Loss::Exact(small))
        };
        assert!(matches!(sum(4095), Loss::Exact(_)));
        assert!(matches!(sum(4096), Loss::Enclosed(_)));
    }

    #[test]
    fn a_loss_is_compared_by_its_magnitude() {
        let minus_three = Loss::Exact(integer(-3));
        assert_eq!(minus_three.magnitude(), Some(integer(3)));
        assert_eq!(enclosed(-4, -2).magnitude(), Some(integer(4)));
        assert_eq!(Loss::Infinite.magnitude(), None);
        for (loss, bound, above) in [
            (&minus_three, 2, true),
            (&minus_three, 3, false),
            (&minus_three, 4, false),
            (&enclosed(-4, -2), 1, true),
            (&enclosed(-4, -2), 2, false),
            (&enclosed(-4, -2), 3, false),
            (&Loss::Infinite, 1000, true),
        ] {
            assert_eq!(
                loss.surely_above(&integer(bound)),
                above,
                "{loss:?} {bound}"
            );
        }
    }

    #[test]
    fn a_loss_is_more_than_another_with_its_sign() {
        for (loss, bound, more) in [
            (Loss::Exact(integer(-3)), -4, true),
            (Loss::Exact(integer(-3)), -3, false),
            (Loss::Exact(integer(3)), 2, true),
            (enclosed(-4, -2), -5, true),
            (enclosed(-4, -2), -4, false),
            (Loss::Infinite, 1000, true),
        ] {
            assert_eq!(
                loss.surely_more_than(&integer(bound)),
                more,
                "{loss:?} {bound}"
            );
        }
    }

    #[test]
    fn only_an_exact_zero_is_zero() {
        assert!(Loss::none().is_zero());
        for loss in [Loss::Exact(integer(1)), enclosed(0, 0), Loss::Infinite] {
            assert!(!loss.is_zero(), "{loss:?}");
        }
    }

    /// 9 / (2 * 3) = 3/2.
    fn shift() -> GaussianShift {
        GaussianShift {
            squared: 9.into(),
            moved: 1,
            variance: integer(3),
        }
    }

    #[test]
    fn rho_is_half_the_squared_distance_over_the_variance() {
        assert_eq!(shift().rho(), ratio(3, 2));
    }

    #[test]
    fn a_promise_says_what_it_promises() {
        let (epsilon, delta) = (ratio(1, 2), ratio(1, 8));
        for (promise, says) in [
            (Promise::Public, "that nothing depends on the records"),
            (Promise::Pure(epsilon.clone()), "epsilon = 1/2"),
            (Promise::Concentrated(delta.clone()), "rho = 1/8"),
            (Promise::Gaussian(shift()), "Gaussian noise, rho = 3/2"),
            (
                Promise::Approximate {
                    epsilon: epsilon.clone(),
                    delta: delta.clone(),
                },
                "epsilon = 1/2, delta = 1/8",
            ),
            (
                Promise::OfOneRecord {
                    records: 10,
                    epsilon,
                    delta,
                },
                "epsilon = 1/2, delta = 1/8, of one hidden record of 10",
            ),
        ] {
            assert_eq!(promise.to_string(), says);
        }
    }
}
