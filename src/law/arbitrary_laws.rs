//! Laws and exact parameters for property tests: of code that takes a law, and of samplers and values of somebody else.
//!
//! With the feature `proptest` every law here has a strategy (`any::<DiscreteLaplace>()`), and so have exact numbers above 0
//! (`above_zero()`). With the feature `quickcheck` the laws are `Arbitrary`, and the numbers the type `AboveZero`. Both shrink
//! what fails to simple parameters.
//!
//! A parameter is between 1/100 and 101. One in three is *ugly*: its denominator has the prime `2^61 - 1` as a factor, so that
//! no product of two of them fits into a machine word. Mechanisms have up to six classes, some of them empty, some of one
//! loss.
//!
//! ```
//! # #[cfg(feature = "proptest")] {
//! use dp_assay::coins::Law;
//! use dp_assay::sample::DiscreteLaplace;
//! use num_bigint::BigInt;
//! use proptest::prelude::*;
//!
//! proptest!(ProptestConfig::with_cases(20), |(law: DiscreteLaplace, k in -9..9i64)| {
//!     let [above, below] = [k, -k].map(|k| law.pmf(&BigInt::from(k), 64).unwrap());
//!     prop_assert!(above.meets(&below));
//! });
//! # }
//! ```

#[cfg(feature = "proptest")]
pub use strategies::above_zero;

#[cfg(feature = "quickcheck")]
pub use arbitrary::AboveZero;

#[cfg(any(feature = "proptest", feature = "quickcheck"))]
mod parts {
    use crate::coins::CoinsError;
    use crate::number::Rational;
    use crate::sample::{ExponentialMechanism, ScoreClass, ScoredChoice, WithReplacement};
    use num_traits::Zero;
    use std::ops::RangeInclusive;

    /// The largest numerator and denominator before a number is made ugly.
    pub(super) const SIMPLE: i64 = 100;
    /// 2^61 - 1.
    pub(super) const PRIME: i64 = (1 << 61) - 1;
    pub(super) const LOSSES: RangeInclusive<i64> = -5..=5;
    pub(super) const MOST_CLASSES: usize = 6;
    pub(super) const MOST_OF_A_CLASS: usize = 10;
    pub(super) const MOST_RECORDS: usize = 8;
    pub(super) const MOST_COORDINATES: usize = 3;

    /// `simple`, and `tail` over the prime.
    pub(super) fn exact(simple: Rational, tail: i64) -> Rational {
        simple + Rational::new(tail.into(), PRIME.into())
    }

    /// The mechanism on these losses and counts. Where no class has an outcome the first gets one.
    pub(super) fn mechanism(
        epsilon: Rational,
        sensitivity: Rational,
        classes: impl IntoIterator<Item = (Rational, usize)>,
    ) -> Result<ExponentialMechanism, CoinsError> {
        let class = |(loss, count): (Rational, usize)| ScoreClass {
            loss,
            count: count.into(),
        };
        let mut classes: Vec<ScoreClass> = classes.into_iter().map(class).collect();
        if classes.iter().all(|class| class.count.is_zero())
            && let Some(first) = classes.first_mut()
        {
            first.count += 1u32;
        }
        ExponentialMechanism::new(epsilon, sensitivity, classes)
    }

    pub(super) fn choice(scores: &[u8], epsilon: &Rational) -> Result<ScoredChoice, CoinsError> {
        ScoredChoice::new(scores.iter().map(|&score| score.into()).collect(), epsilon)
    }

    /// So many draws, each record at most `more` times above what the draws need.
    pub(super) fn replacement(
        records: usize,
        draws: usize,
        more: usize,
    ) -> Result<WithReplacement, CoinsError> {
        let least = draws.div_ceil(records.max(1));
        WithReplacement::new(records, draws)?.at_most(least.saturating_add(more))
    }
}

#[cfg(feature = "proptest")]
mod strategies {
    use super::parts::{self, LOSSES, PRIME, SIMPLE, exact};
    use crate::coins::CoinsError;
    use crate::law::named::NamedLaw;
    use crate::number::Rational;
    use crate::number::rational::{integer, ratio};
    use crate::sample::{
        DiscreteCauchy, DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, GammaNoise,
        Geometric, ScoredChoice, WithReplacement,
    };
    use proptest::collection::vec;
    use proptest::prelude::{Arbitrary, BoxedStrategy, Just, Strategy, any};
    use proptest::prop_oneof;

    /// Exact numbers from 1/100 to 101, one in three with an ugly denominator. They shrink towards 1.
    pub fn above_zero() -> impl Strategy<Value = Rational> + Clone {
        // They shrink one after the other: the numerator last, once the rest is simple.
        (1..=SIMPLE, tail(), 1..=SIMPLE).prop_map(|(q, tail, p)| exact(ratio(p, q), tail))
    }

    /// Losses, some of them equal.
    fn loss() -> impl Strategy<Value = Rational> + Clone {
        (LOSSES, tail()).prop_map(|(whole, tail)| exact(integer(whole), tail))
    }

    fn tail() -> impl Strategy<Value = i64> + Clone {
        prop_oneof![2 => Just(0), 1 => 0..PRIME]
    }

    /// A line for each law: its parts, and the law that they make. What is no law is drawn again.
    macro_rules! strategies {
        ($($law:ident from $parts:expr, $law_of:expr;)*) => {$(
            impl Arbitrary for $law {
                type Parameters = ();
                type Strategy = BoxedStrategy<Self>;

                fn arbitrary_with((): ()) -> BoxedStrategy<Self> {
                    let law = |parts| -> Result<Self, CoinsError> { $law_of(parts) };
                    $parts
                        .prop_filter_map("no such law", move |parts| law(parts).ok())
                        .boxed()
                }
            }
        )*};
    }

    strategies! {
        Geometric from above_zero(), Self::new;
        DiscreteLaplace from above_zero(), Self::new;
        DiscreteGaussian from above_zero(), Self::new;
        DiscreteCauchy from above_zero(), Self::new;
        GammaNoise from (above_zero(), 1..=parts::MOST_COORDINATES),
            |(rate, dimension)| Self::new(rate, dimension);
        ExponentialMechanism from
            (above_zero(), above_zero(), vec((loss(), 0..=parts::MOST_OF_A_CLASS), 1..=parts::MOST_CLASSES)),
            |(epsilon, sensitivity, classes): (_, _, Vec<_>)| parts::mechanism(epsilon, sensitivity, classes);
        ScoredChoice from (vec(0..=10u8, 1..=parts::MOST_CLASSES), above_zero()),
            |(scores, epsilon): (Vec<_>, _)| parts::choice(&scores, &epsilon);
        WithReplacement from (1..=parts::MOST_RECORDS, 1..=parts::MOST_RECORDS, 0..=parts::MOST_RECORDS),
            |(records, draws, more)| parts::replacement(records, draws, more);
        NamedLaw from prop_oneof![
                any::<DiscreteLaplace>().prop_map(Self::DiscreteLaplace),
                any::<DiscreteGaussian>().prop_map(Self::DiscreteGaussian),
                any::<Geometric>().prop_map(Self::Geometric),
            ],
            Ok;
    }
}

#[cfg(feature = "quickcheck")]
mod arbitrary {
    use super::parts::{self, LOSSES, PRIME, SIMPLE, exact};
    use crate::coins::CoinsError;
    use crate::law::named::NamedLaw;
    use crate::number::Rational;
    use crate::number::rational::{integer, ratio};
    use crate::sample::{
        DiscreteCauchy, DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, GammaNoise,
        Geometric, ScoreClass, ScoredChoice, WithReplacement,
    };
    use num_bigint::BigInt;
    use num_traits::{One, Signed, ToPrimitive, Zero};
    use quickcheck::{Arbitrary, Gen};

    /// An exact number from 1/100 to 101, one in three with an ugly denominator. It shrinks towards 1.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AboveZero(pub Rational);

    /// A loss, often an integer. It shrinks towards 0.
    #[derive(Debug, Clone)]
    struct Loss(Rational);

    /// A whole number of this range, all alike.
    fn within(range: std::ops::RangeInclusive<i64>, source: &mut Gen) -> i64 {
        let (least, largest) = range.into_inner();
        let width = largest.abs_diff(least) + 1;
        least + (u64::arbitrary(source) % width) as i64
    }

    fn size(largest: usize, source: &mut Gen) -> usize {
        within(1..=largest as i64, source) as usize
    }

    fn tail(source: &mut Gen) -> i64 {
        match within(0..=2, source) {
            0 => within(0..=PRIME - 1, source),
            _ => 0,
        }
    }

    /// `numerator / denominator` where both are above 0.
    fn above_zero(numerator: BigInt, denominator: BigInt) -> Option<AboveZero> {
        let right = numerator.is_positive() && denominator.is_positive();
        right.then(|| AboveZero(Rational::new(numerator, denominator)))
    }

    /// How long a number is to say: what shrinks is less.
    fn complexity(value: &Rational) -> BigInt {
        value.numer().abs() + value.denom()
    }

    impl Arbitrary for AboveZero {
        fn arbitrary(source: &mut Gen) -> Self {
            let simple = ratio(within(1..=SIMPLE, source), within(1..=SIMPLE, source));
            Self(exact(simple, tail(source)))
        }

        /// The simplest first: 1, the integers beside, half the numerator or the denominator, and one less.
        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let (p, q) = (self.0.numer(), self.0.denom());
            let one = BigInt::one;
            let whole = p / q;
            let simpler = [
                above_zero(one(), one()),
                above_zero(whole.clone(), one()),
                above_zero(whole + 1, one()),
                above_zero(p / 2, q.clone()),
                above_zero(p.clone(), q / 2),
                above_zero(p - 1, q.clone()),
                above_zero(p.clone(), q - 1),
            ];
            let most = complexity(&self.0);
            let simpler = simpler.into_iter().flatten();
            Box::new(simpler.filter(move |value| complexity(&value.0) < most))
        }
    }

    impl Arbitrary for Loss {
        fn arbitrary(source: &mut Gen) -> Self {
            Self(exact(integer(within(LOSSES, source)), tail(source)))
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let whole = self.0.trunc();
            let nearer = &whole - whole.signum();
            let most = complexity(&self.0);
            let simpler = [Rational::zero(), whole, nearer].map(Self);
            Box::new(
                simpler
                    .into_iter()
                    .filter(move |value| complexity(&value.0) < most),
            )
        }
    }

    /// The first of what `draw` draws that is a law.
    fn first_law<L>(mut draw: impl FnMut() -> Result<L, CoinsError>) -> L {
        loop {
            if let Ok(law) = draw() {
                return law;
            }
        }
    }

    /// A law shrinks as its parts do; what they then make, if it is a law.
    fn shrunk<P: Arbitrary, L: 'static>(
        parts: P,
        law: impl Fn(P) -> Result<L, CoinsError> + 'static,
    ) -> Box<dyn Iterator<Item = L>> {
        Box::new(parts.shrink().filter_map(move |parts| law(parts).ok()))
    }

    /// Laws of one parameter.
    macro_rules! one_parameter {
        ($($law:ident: $parameter:ident;)*) => {$(
            impl Arbitrary for $law {
                fn arbitrary(source: &mut Gen) -> Self {
                    first_law(|| Self::new(AboveZero::arbitrary(source).0))
                }

                fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
                    let parameter = AboveZero(self.$parameter().clone());
                    shrunk(parameter, |parameter| Self::new(parameter.0))
                }
            }
        )*};
    }

    one_parameter! {
        Geometric: rate;
        DiscreteLaplace: scale;
        DiscreteGaussian: variance;
        DiscreteCauchy: squared_scale;
    }

    impl Arbitrary for GammaNoise {
        fn arbitrary(source: &mut Gen) -> Self {
            first_law(|| {
                let dimension = size(parts::MOST_COORDINATES, source);
                Self::new(AboveZero::arbitrary(source).0, dimension)
            })
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let parts = (AboveZero(self.rate().clone()), self.dimension());
            shrunk(parts, |(rate, dimension)| Self::new(rate.0, dimension))
        }
    }

    impl Arbitrary for ExponentialMechanism {
        fn arbitrary(source: &mut Gen) -> Self {
            first_law(|| {
                let [epsilon, sensitivity] = [(); 2].map(|()| AboveZero::arbitrary(source).0);
                let many = size(parts::MOST_CLASSES, source);
                let classes = (0..many).map(|_| {
                    let count = size(parts::MOST_OF_A_CLASS + 1, source) - 1;
                    (Loss::arbitrary(source).0, count)
                });
                parts::mechanism(epsilon, sensitivity, classes)
            })
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let class = |class: &ScoreClass| {
                let count = class.count.to_u64().unwrap_or(u64::MAX);
                (Loss(class.loss.clone()), count)
            };
            let classes: Vec<_> = self.classes().iter().map(class).collect();
            let [epsilon, sensitivity] =
                [self.epsilon(), self.sensitivity()].map(|value| AboveZero(value.clone()));
            shrunk((epsilon, sensitivity, classes), |parts| {
                let (epsilon, sensitivity, classes) = parts;
                let class = |(loss, count): (Loss, u64)| ScoreClass {
                    loss: loss.0,
                    count: count.into(),
                };
                let classes = classes.into_iter().map(class).collect();
                Self::new(epsilon.0, sensitivity.0, classes)
            })
        }
    }

    impl Arbitrary for ScoredChoice {
        fn arbitrary(source: &mut Gen) -> Self {
            first_law(|| {
                let many = size(parts::MOST_CLASSES, source);
                let scores: Vec<u8> = (0..many).map(|_| within(0..=10, source) as u8).collect();
                parts::choice(&scores, &AboveZero::arbitrary(source).0)
            })
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let parts = (self.scores().to_vec(), AboveZero(self.epsilon().clone()));
            shrunk(parts, |(scores, epsilon)| Self::new(scores, &epsilon.0))
        }
    }

    impl Arbitrary for WithReplacement {
        fn arbitrary(source: &mut Gen) -> Self {
            first_law(|| {
                let [records, draws, more] = [(); 3].map(|()| size(parts::MOST_RECORDS, source));
                parts::replacement(records, draws, more - 1)
            })
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let parts = (self.records(), self.draws(), self.most());
            shrunk(parts, |(records, draws, most)| {
                Self::new(records, draws)?.at_most(most)
            })
        }
    }

    impl Arbitrary for NamedLaw {
        fn arbitrary(source: &mut Gen) -> Self {
            match within(0..=2, source) {
                0 => Self::DiscreteLaplace(Arbitrary::arbitrary(source)),
                1 => Self::DiscreteGaussian(Arbitrary::arbitrary(source)),
                _ => Self::Geometric(Arbitrary::arbitrary(source)),
            }
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            match self {
                Self::DiscreteLaplace(law) => Box::new(law.shrink().map(Self::DiscreteLaplace)),
                Self::DiscreteGaussian(law) => Box::new(law.shrink().map(Self::DiscreteGaussian)),
                Self::Geometric(law) => Box::new(law.shrink().map(Self::Geometric)),
            }
        }
    }
}
