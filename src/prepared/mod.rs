//! Prepared samplers: built once for a law with exact parameters, drawn from many times, fast.
//!
//! Each has exactly the law of its plain twin in [`crate::sample`], which stays the reference. It rests on tables of certified
//! thresholds ([`Table`](crate::coins::Table)): what a word leaves open is settled by more bits and sharper enclosures. No
//! float, no rounding, no truncated tail. Proofs and scopes: `spec/samplers.md`.
//!
//! - [`PreparedLaplace`], [`PreparedGeometric`]: one table for small scales, and base-512 digits for large ones, which are independent;
//! - [`PreparedGaussian`]: one table for small variances, and cells with an exact squeeze for large ones;
//! - [`PreparedBernoulliExp`]: true with probability `exp(-x)`;
//! - [`PreparedExponentialMechanism`]: repeated draws of one mechanism; [`IntegerScores`]: scores given with each call;
//! - [`RoundedLaplace`], [`RoundedGaussian`], [`RoundedGaussianVector`]: the noise of the real line, added to exact values and then
//!   rounded to a grid;
//! - [`DrawnOften`]: a law from which so many draws are expected, prepared where that pays and can be done, and plain elsewhere.
//!
//! Drawn from [`Recycled`](crate::coins::Recycled) coins they take hardly more bits than the entropy of what they return. A prepared noise
//! is a [`Law`](crate::coins::Law) and [`Noise`](crate::law::Noise), so that it stands wherever its twin stands.
//!
//! The time of a draw depends on what is drawn, a little: `spec/samplers.md` says where.

#![deny(clippy::float_arithmetic)]

mod bernoulli_exp;
mod cumulative;
#[cfg(feature = "rand")]
mod distribution;
mod drawn;
mod drawn_often;
mod exponential_mechanism;
mod gaussian;
mod gaussian_cells;
mod geometric;
mod laplace;
mod named;
mod noise;
mod real;
mod rounded;
mod squeeze;

pub use bernoulli_exp::PreparedBernoulliExp;
pub use drawn_often::{DrawnOften, Preparable, WORTHWHILE};
pub use exponential_mechanism::{IntegerScores, PreparedExponentialMechanism};
pub use gaussian::PreparedGaussian;
pub use geometric::PreparedGeometric;
pub use laplace::PreparedLaplace;
pub use named::NamedDrawnOften;
pub use rounded::{RealNoise, Rounded, RoundedGaussian, RoundedGaussianVector, RoundedLaplace};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Coins, CoinsError, ConstantWork, Law, Recycled};
    use crate::number::{Rational, rational::ratio};
    use crate::sample::{
        DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, ScoreClass,
    };
    use num_bigint::{BigInt, BigUint};
    use num_traits::One;

    fn two_to_the(exponent: i32) -> Rational {
        real::power_of_two(exponent)
    }

    fn refused<T>(made: Result<T, CoinsError>, names: [&str; 2]) {
        let message = made
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        for name in names {
            assert!(message.contains(name), "{name}: {message}");
        }
    }

    #[test]
    fn parameters_beyond_reach_are_refused_by_name_and_value() {
        let beyond = two_to_the(40) + ratio(1, 7);
        let shown = beyond.to_string();
        let laplace = |scale| PreparedLaplace::new(&DiscreteLaplace::new(scale).unwrap());
        let geometric = |rate| PreparedGeometric::new(&Geometric::new(rate).unwrap());
        let gaussian = |v| PreparedGaussian::new(&DiscreteGaussian::new(v).unwrap());
        refused(laplace(beyond.clone()), ["scale", &shown]);
        refused(
            laplace(beyond.recip()),
            ["scale", &beyond.recip().to_string()],
        );
        refused(geometric(beyond.clone()), ["rate", &shown]);
        refused(geometric(beyond.recip()), ["rate", "2^-40"]);
        let square = &beyond * &beyond;
        refused(gaussian(square.clone()), ["variance", &square.to_string()]);
        refused(gaussian(square.recip()), ["variance", "2^-40"]);
        refused(IntegerScores::new(ratio(0, 1)), ["rate", "0"]);
        refused(PreparedBernoulliExp::new(ratio(-1, 3)), ["x >= 0", "-1/3"]);
        refused(RoundedLaplace::new(ratio(1, 1), ratio(0, 1)), ["step", "0"]);
        refused(
            RoundedLaplace::new(ratio(-1, 1), ratio(1, 1)),
            ["scale", "-1"],
        );
        let beyond = two_to_the(48) + ratio(1, 7);
        let square = &beyond * &beyond;
        refused(
            RoundedLaplace::new(beyond.clone(), ratio(1, 1)),
            ["scale", &beyond.to_string()],
        );
        refused(
            RoundedGaussian::new(square.clone(), ratio(1, 1)),
            ["variance", &square.to_string()],
        );
        let ragged = [vec![ratio(1, 1)], vec![]];
        refused(
            RoundedGaussianVector::new(&ragged, ratio(1, 1)),
            ["factor", "0"],
        );
        refused(
            RoundedGaussianVector::new(&[], ratio(-1, 2)),
            ["step", "-1/2"],
        );
    }

    #[test]
    fn a_vector_of_values_must_have_a_value_for_each_row() {
        let noise = RoundedGaussianVector::new(&[vec![ratio(1, 1)]], ratio(1, 1)).unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        refused(noise.draw_around(&[], &mut coins), ["values", "0"]);
    }

    #[test]
    fn no_scores_have_no_candidate() {
        let mechanism = IntegerScores::new(ratio(1, 2)).unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        assert_eq!(
            mechanism.draw::<i64>(&[], &mut coins),
            Err(CoinsError::NoOutcome)
        );
    }

    /// The ends of what is prepared: one integer alone at the small end.
    #[test]
    fn the_ends_of_the_parameters_are_prepared_and_drawn() {
        let mut coins = ChaCha::reproducible(2, 0);
        for end in [-40, 40] {
            let laplace = PreparedLaplace::new(&DiscreteLaplace::new(two_to_the(end)).unwrap());
            let gaussian =
                PreparedGaussian::new(&DiscreteGaussian::new(two_to_the(2 * end)).unwrap());
            let geometric = PreparedGeometric::new(&Geometric::new(two_to_the(-end)).unwrap());
            let drawn: [BigInt; 3] = [
                coins.draw(&laplace.unwrap()).unwrap(),
                coins.draw(&gaussian.unwrap()).unwrap(),
                coins.draw(&geometric.unwrap()).unwrap().into(),
            ];
            for k in drawn {
                let zero = k == BigInt::from(0);
                assert!(zero == (end < 0) && k.bits() < 48, "{k}");
            }
        }
    }

    /// What a prepared law says of itself is what its twin says.
    fn says_what_its_twin_says<L: Law, T: Law<Outcome = L::Outcome>>(prepared: &L, twin: &T) {
        for index in 0..40 {
            let outcome = twin.outcome(index);
            assert_eq!(prepared.outcome(index), outcome);
            if let Some(outcome) = outcome {
                assert_eq!(prepared.pmf(&outcome, 96), twin.pmf(&outcome, 96));
            }
        }
        assert_eq!(prepared.label(), format!("prepared {}", twin.label()));
    }

    #[test]
    fn prepared_laws_say_what_their_twins_say() {
        let laplace = DiscreteLaplace::new(ratio(355, 113)).unwrap();
        says_what_its_twin_says(&PreparedLaplace::new(&laplace).unwrap(), &laplace);
        let gaussian = DiscreteGaussian::new(ratio(5000, 1)).unwrap();
        says_what_its_twin_says(&PreparedGaussian::new(&gaussian).unwrap(), &gaussian);
        let geometric = Geometric::new(ratio(1, 100)).unwrap();
        says_what_its_twin_says(&PreparedGeometric::new(&geometric).unwrap(), &geometric);
        let class = |loss| ScoreClass {
            loss: ratio(loss, 1),
            count: BigUint::one(),
        };
        let classes = vec![class(0), class(2), class(1)];
        let law = ExponentialMechanism::new(ratio(1, 1), ratio(1, 1), classes).unwrap();
        says_what_its_twin_says(&PreparedExponentialMechanism::new(&law).unwrap(), &law);
    }

    #[test]
    fn equal_laws_are_equal_prepared_and_others_are_not() {
        let prepared = |scale| PreparedLaplace::new(&DiscreteLaplace::new(scale).unwrap()).unwrap();
        assert_eq!(prepared(ratio(2, 1)), prepared(ratio(4, 2)));
        assert_ne!(prepared(ratio(2, 1)), prepared(ratio(3, 1)));
    }

    /// A top far beyond 64 bits: a tape cannot lead there, coins can.
    struct FarOut;

    impl Coins for FarOut {
        fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
            Ok(0)
        }

        fn consumed(&self) -> u64 {
            0
        }

        fn pick(&mut self, table: &crate::coins::Table) -> Result<usize, CoinsError> {
            Ok(table.places() - 1)
        }

        fn pick_each(
            &mut self,
            table: &crate::coins::Table,
            out: &mut [i64],
        ) -> Result<(), CoinsError> {
            out.fill(table.places() as i64 - 1);
            Ok(())
        }

        fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
            law.outcome(u64::MAX).ok_or(CoinsError::NoOutcome)
        }
    }

    #[test]
    fn what_does_not_fit_64_bits_is_an_error_of_many_and_an_integer_of_one() {
        let geometric = PreparedGeometric::new(&Geometric::new(ratio(1, 1000)).unwrap()).unwrap();
        let laplace = PreparedLaplace::new(&DiscreteLaplace::new(ratio(1000, 1)).unwrap()).unwrap();
        let mut out = [0; 2];
        let errors = [
            geometric.fill(&mut FarOut, &mut out),
            laplace.fill(&mut FarOut, &mut out),
        ];
        for error in errors {
            assert!(
                matches!(error, Err(CoinsError::TooLarge { .. })),
                "{error:?}"
            );
        }
        assert!(geometric.sample(&mut FarOut).unwrap().bits() > 64);
        let drawn = laplace.sample(&mut FarOut).unwrap();
        assert!(drawn < BigInt::from(i64::MIN), "{drawn}");
    }

    /// The same words, looked up and with constant work; and a recycled source draws what is likely too.
    #[test]
    fn constant_work_draws_what_the_look_up_draws() {
        let law = PreparedLaplace::new(&DiscreteLaplace::new(ratio(1000, 1)).unwrap()).unwrap();
        for stream in 0..50 {
            let words = ChaCha::reproducible(3, stream);
            let (mut plain, mut constant) = (WholeWords(words.clone()), ConstantWork(words));
            assert_eq!(law.sample(&mut plain), law.sample(&mut constant));
        }
        let mut recycled = Recycled::new(ChaCha::reproducible(4, 0));
        let mut out = [0; 1000];
        law.fill(&mut recycled, &mut out).unwrap();
        // The entropy of scale 1000 is 12.4 bits.
        assert!(recycled.consumed() < 12_700, "{}", recycled.consumed());
        assert!(out.iter().all(|k| k.abs() < 50_000));
    }

    /// Coins whose picks begin with a whole word, as those of constant work do.
    struct WholeWords(ChaCha);

    impl Coins for WholeWords {
        fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
            self.0.bits(count)
        }

        fn consumed(&self) -> u64 {
            self.0.consumed()
        }

        fn pick(&mut self, table: &crate::coins::Table) -> Result<usize, CoinsError> {
            let word = self.0.bits(64)?;
            let bits = (0..64).rev().map(|bit| word >> bit & 1 == 1).collect();
            crate::coins::Tape::new(bits).pick(table)
        }
    }
}
