//! The ladder: which samplers are explored, with which parameters, each over the draws of what stands below it.
//!
//! The rows are its rungs. Each asserts of what it held atomic and drew that a rung below explored it with the same
//! parameters: the laws stand in the lists here, and the layers (uniform integers, Bernoulli draws) are explored with
//! all that was drawn above. So nothing rests on a sampler that no row explores.

use super::BITS;
use super::rung::{Rung, over_laws, power};
use crate::claim::Trouble;
use dp_assay::coins::{Choice, Coins, CoinsError, Explorer, Law, Layer};
use dp_assay::number::{Enclosure, Rational, rational::ratio};
use dp_assay::sample::{
    DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, Remainder, ScoreClass,
    WholePart,
};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// What may stay undecided of a sampler that ends after so many draws.
const TOLERATED: u32 = 30;

fn fractions(list: &[(i64, i64)]) -> Vec<Rational> {
    list.iter().map(|&(n, d)| ratio(n, d)).collect()
}

/// The parameters of the discrete Gaussians.
pub(super) fn variances() -> Vec<Rational> {
    fractions(&[(1, 1_000_000), (1, 4), (3, 4), (1, 1), (25, 7), (400, 1)])
}

/// The scales of the discrete Laplace laws; a Gaussian of variance `v` draws that of scale `floor(sqrt v) + 1`.
pub(super) fn scales() -> Vec<Rational> {
    fractions(&[
        (1, 1000),
        (1, 2),
        (1, 1),
        (3, 2),
        (2, 1),
        (7, 3),
        (20, 1),
        (21, 1),
    ])
}

/// The rates of the geometric laws; a discrete Laplace law of scale `t` draws that of rate `1/t`.
pub(super) fn rates() -> Vec<Rational> {
    fractions(&[
        (1000, 1),
        (9, 1),
        (112, 25),
        (128, 5),
        (3, 1),
        (2, 1),
        (7, 5),
        (1, 1),
        (2, 3),
        (1, 2),
        (3, 7),
        (1, 7),
        (1, 20),
        (1, 21),
    ])
}

/// The discrete Gaussian, over discrete Laplace and Bernoulli(e^-x) draws.
fn gaussian() -> Result<Rung, Trouble> {
    let mut rung = Rung::default();
    for variance in variances() {
        let law = DiscreteGaussian::new(variance)?;
        rung.by_rejection(&law, |law, coins| law.sample(coins))?;
    }
    Ok(rung)
}

/// The discrete Laplace law, over geometric draws and bits.
fn laplace() -> Result<Rung, Trouble> {
    let mut rung = Rung::default();
    for scale in scales() {
        let law = DiscreteLaplace::new(scale)?;
        rung.by_rejection(&law, |law, coins| law.sample(coins))?;
    }
    Ok(rung)
}

/// The geometric law, over the laws of its remainder and its whole part; and these, over uniform integers and
/// Bernoulli(e^-x) draws.
fn geometric() -> Result<Rung, Trouble> {
    let mut rung = Rung::default();
    let mut denominators = BTreeSet::new();
    for rate in rates() {
        denominators.insert(rate.denom().magnitude().clone());
        rung.sampler(&Geometric::new(rate)?, &over_laws(TOLERATED), TOLERATED)?;
    }
    for t in denominators {
        rung.by_rejection(&Remainder { t }, |law, coins| law.sample(coins))?;
    }
    let explorer = Explorer::new(Layer::BernoulliExp, 200);
    rung.sampler(&WholePart, &explorer, TOLERATED)?;
    Ok(rung)
}

/// The exponential mechanism: by inversion, bit by bit; by rejection, over uniform integers and Bernoulli(e^-x) draws;
/// and the rank in the class, over draws of the class and uniform integers.
fn mechanism() -> Result<Rung, Trouble> {
    let mut rung = Rung::default();
    for (_, law) in mechanisms()? {
        rung.sampler(&law, &Explorer::new(Layer::Bits, 600), 40)?;
        rung.by_rejection(&law, |law, coins| law.draw_class_by_rejection(coins))?;
        // Given the class each rank below its count is as likely, and no other comes.
        let found = over_laws(TOLERATED).explore(|coins| law.draw_outcome(coins))?;
        let mut ruled_out = None;
        let mut possible = BTreeSet::new();
        for (class, of_class) in law.classes().iter().enumerate() {
            let count = of_class.count.to_u64().unwrap_or(0);
            let share = Enclosure::of(&Rational::new(1.into(), count.max(1).into()), BITS);
            let each = law.pmf(&class, BITS)? * share;
            for outcome in (0..count).map(|rank| (class, BigUint::from(rank))) {
                if !found.allows(&outcome, &each) {
                    ruled_out = Some(outcome.clone());
                }
                possible.insert(outcome);
            }
        }
        let other = found.lower.keys().find(|key| !possible.contains(key));
        let instance = format!("{}, rank", law.label());
        rung.of(
            instance,
            ruled_out.or_else(|| other.cloned()),
            &found,
            TOLERATED,
        );
    }
    Ok(rung)
}

/// The rungs above bits, uniform integers and Bernoulli draws.
#[derive(Debug)]
pub(super) struct Ladder {
    /// The laws: Gaussian, Laplace, geometric, exponential mechanism.
    pub(super) laws: [Rung; 4],
    /// Bernoulli(e^-x).
    pub(super) bernoulli_exp: Rung,
}

/// All rungs, explored once: the lower rows ask what the upper ones drew.
pub(super) fn ladder() -> Result<&'static Ladder, Trouble> {
    static LADDER: OnceLock<Result<Ladder, Trouble>> = OnceLock::new();
    let explored = LADDER.get_or_init(|| {
        let laws = [gaussian()?, laplace()?, geometric()?, mechanism()?];
        let bernoulli_exp = bernoulli_exp(&laws)?;
        Ok(Ladder {
            laws,
            bernoulli_exp,
        })
    });
    explored.as_ref().map_err(Clone::clone)
}

/// The exponents at which Bernoulli(e^-x) is explored whether they are drawn above or not.
pub(super) fn exponents() -> Vec<Rational> {
    fractions(&[
        (0, 1),
        (1, 1000),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (1, 1),
        (5, 2),
        (7, 1),
        (8, 1),
        (20, 1),
        (41, 2),
        (50, 1),
    ])
}

/// Bernoulli(e^-x): above 1 over draws of it up to 1, up to 1 over Bernoulli draws; at the listed exponents, and at
/// all that are drawn above.
fn bernoulli_exp(above: &[Rung]) -> Result<Rung, Trouble> {
    let mut rung = Rung::default();
    let mut asked: BTreeSet<Rational> = exponents().into_iter().collect();
    asked.extend(above.iter().flat_map(Rung::drawn).filter_map(exponent));
    let (low, high): (Vec<_>, Vec<_>) = asked.into_iter().partition(|x| *x <= Rational::one());
    for x in &high {
        // After j trues e^-j is undecided; the listed ones are explored to their end.
        let tolerated = if exponents().contains(x) { 100 } else { 40 };
        explore_exponent(&mut rung, x, Layer::BernoulliExpUpToOne, 150, tolerated)?;
    }
    // And those up to 1 that were drawn just now.
    let drawn = rung.drawn().iter().filter_map(exponent);
    let low: BTreeSet<Rational> = drawn.chain(low).collect();
    for x in &low {
        explore_exponent(&mut rung, x, Layer::Bernoulli, 200, 40)?;
    }
    Ok(rung)
}

fn exponent(choice: &Choice) -> Option<Rational> {
    match choice {
        Choice::BernoulliExp(x) => Some(x.clone()),
        _ => None,
    }
}

/// Bernoulli(e^-x) over the draws of this layer.
pub(super) fn explore_exponent(
    rung: &mut Rung,
    x: &Rational,
    layer: Layer,
    budget: usize,
    tolerated: u32,
) -> Result<(), Trouble> {
    let truth = Enclosure::exp_of(&-x, BITS)?;
    let explorer = Explorer::new(layer, budget).until(power(tolerated));
    let found = explorer.explore(|coins| coins.bernoulli_exp(x))?;
    let fits = found.allows(&true, &truth) && found.allows(&false, &truth.complement());
    let instance = format!("x = {x} over {layer:?}");
    rung.of(instance, (!fits).then_some(true), &found, tolerated);
    rung.explores(Choice::BernoulliExp(x.clone()));
    Ok(())
}

/// Instances of the exponential mechanism, each with its epsilon and its sensitivity.
pub(super) fn mechanisms() -> Result<Vec<([Rational; 2], ExponentialMechanism)>, CoinsError> {
    // epsilon, sensitivity, and the loss and the count of each class.
    type Instance<'a> = ((i64, i64), (i64, i64), &'a [(i64, i64, u32)]);
    let instances: [Instance; 5] = [
        ((1, 1), (1, 1), &[(0, 1, 1), (1, 1, 1)]),
        ((2, 1), (1, 1), &[(0, 1, 1), (1, 1, 5), (3, 1, 40)]),
        (
            (1, 3),
            (5, 2),
            &[(7, 2, 3), (1, 2, 2), (40, 1, 7), (3, 1, 0)],
        ),
        ((10, 1), (1, 1), &[(2, 1, 0), (5, 1, 1), (6, 1, 9)]),
        ((1, 1), (1, 1), &[(4, 1, 6)]),
    ];
    instances
        .iter()
        .map(|(epsilon, sensitivity, classes)| {
            let classes = classes
                .iter()
                .map(|&(numerator, denominator, count)| ScoreClass {
                    loss: ratio(numerator, denominator),
                    count: count.into(),
                })
                .collect();
            let epsilon = ratio(epsilon.0, epsilon.1);
            let sensitivity = ratio(sensitivity.0, sensitivity.1);
            let law = ExponentialMechanism::new(epsilon.clone(), sensitivity.clone(), classes)?;
            Ok(([epsilon, sensitivity], law))
        })
        .collect()
}
