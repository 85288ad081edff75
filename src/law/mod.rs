//! The exact laws of the samplers: probabilities, moments and privacy profiles, as enclosures.
//!
//! The sampler of each law stands in [`crate::sample`]; here is what it must come out as. Every value
//! is a certified [`Enclosure`](crate::number::Enclosure) at the working precision asked for; to get
//! a number of decimal digits, wrap the call in [`certify`](crate::number::certify).
//!
//! [`Noise::around`] and [`Noise::around_all`] make the law of a release: noise around an exact integer or vector; a
//! [`Censored`] one is told only outside a public interval; by [`AboveThenAnswer`] a value is told only where a noisy test
//! passes.
//! [`Continuous`] noise of the real line has its law by its tails, and [`OnGrid`] the law of what is rounded to a grid.
//! [`SumOfLaws`] is the law of the sum of two independent draws.
//! [`named`] has the laws by name, with their definitions; [`arbitrary_laws`] gives laws to property tests. With the feature
//! `rand` the laws are distributions of that crate (`distribution`), with `serde` they are written and read (`written`).
//!
//! The *privacy profile* of additive noise `Y` at an integer shift `D` is
//! `delta(epsilon) = sup_E Pr[Y + D in E] - e^epsilon Pr[Y in E]`: adding `Y` to an integer query is
//! `(epsilon, delta)`-differentially private, under the neighbouring relation for which the query
//! moves by exactly `D`.

#![deny(clippy::float_arithmetic)]

mod above;
pub mod arbitrary_laws;
mod around;
mod censored;
pub(crate) mod consecutive;
mod continuous;
mod discrete_cauchy;
mod discrete_gaussian;
mod discrete_laplace;
#[cfg(feature = "rand")]
pub mod distribution;
mod exponential_mechanism;
mod gamma;
mod geometric;
pub mod named;
mod on_grid;
mod scored_choice;
mod sum;
mod theta;
mod with_replacement;
#[cfg(feature = "serde")]
pub mod written;

pub use above::AboveThenAnswer;
pub use around::{Around, AroundAll, Noise};
pub use censored::Censored;
pub use continuous::Continuous;
pub use gamma::GammaLaw;
pub use on_grid::{OnGrid, Rounding};
pub use sum::SumOfLaws;

#[cfg(test)]
mod tests {
    use crate::coins::Law;
    use crate::number::rational::ratio;
    use crate::sample::{DiscreteGaussian, DiscreteLaplace, Geometric, Remainder, WholePart};

    #[test]
    fn a_label_names_the_law_and_its_parameter() {
        let parameter = || ratio(7, 2);
        for (label, expected) in [
            (
                Geometric::new(parameter()).unwrap().label(),
                "Geometric(7/2)",
            ),
            (
                DiscreteLaplace::new(parameter()).unwrap().label(),
                "DiscreteLaplace(7/2)",
            ),
            (
                DiscreteGaussian::new(parameter()).unwrap().label(),
                "DiscreteGaussian(7/2)",
            ),
            (Remainder { t: 5u32.into() }.label(), "Remainder(5)"),
            (WholePart.label(), "WholePart"),
        ] {
            assert_eq!(label, expected);
        }
    }

    #[test]
    fn outcomes_are_numbered_from_the_likeliest_on() {
        fn numbered<L: Law>(law: &L) -> Vec<L::Outcome> {
            (0..5).map_while(|index| law.outcome(index)).collect()
        }
        let small = |k: u32| num_bigint::BigUint::from(k);
        let middle = [0, 1, -1, 2, -2].map(num_bigint::BigInt::from);
        assert_eq!(
            numbered(&Geometric::new(ratio(1, 2)).unwrap()),
            [0, 1, 2, 3, 4].map(small)
        );
        assert_eq!(numbered(&WholePart), [0, 1, 2, 3, 4].map(small));
        assert_eq!(numbered(&Remainder { t: small(3) }), [0, 1, 2].map(small));
        assert_eq!(
            numbered(&DiscreteLaplace::new(ratio(1, 2)).unwrap()),
            middle
        );
        assert_eq!(
            numbered(&DiscreteGaussian::new(ratio(1, 2)).unwrap()),
            middle
        );
    }
}
