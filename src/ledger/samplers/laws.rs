//! The samplers of laws on the integers, of vectors, and of the exponential mechanism.

use super::exploration::Explorations;
use super::{BITS, list};
use crate::claim::{Check, Trouble};
use crate::coins::{CoinsError, Explorer, Law, Layer};
use crate::number::{Enclosure, Rational, rational::ratio};
use crate::sample::{
    DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, ScoreClass,
    spherical_gaussian,
};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// `sample.geometric`
pub(super) fn geometric(check: &mut Check) -> Result<(), Trouble> {
    let rates =
        [(1000, 1), (3, 1), (1, 1), (7, 5), (2, 3), (1, 2), (1, 7)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "over Bernoulli(e^-x) draws, rates {}",
        list(&rates)
    ));
    let mut rows = Explorations::new(check, ratio(1, 20));
    for rate in rates {
        let law = Geometric::new(rate)?;
        let found = Explorer::new(Layer::BernoulliExp, 6000).explore(|coins| law.sample(coins))?;
        rows.of_law(format_args!("rate {}", law.rate()), &law, &found)?;
    }
    rows.finish();
    Ok(())
}

/// `sample.discrete-laplace`
pub(super) fn discrete_laplace(check: &mut Check) -> Result<(), Trouble> {
    let over_geometric =
        [(1, 1000), (1, 2), (1, 1), (7, 3), (20, 1), (100, 1)].map(|(n, d)| ratio(n, d));
    let over_bernoulli = [(1, 2), (3, 2)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "one attempt: over geometric draws, scales {}; over Bernoulli(e^-x) draws, scales {}",
        list(&over_geometric),
        list(&over_bernoulli)
    ));
    let mut rows = Explorations::new(check, ratio(1, 100));
    for scale in over_geometric {
        let law = DiscreteLaplace::new(scale)?;
        let attempt = Explorer::new(Layer::Laws, 1 << 17)
            .with_tail(ratio(1, 1 << 30))
            .explore(|coins| law.attempt(coins))?;
        rows.of_attempts(format_args!("scale {}", law.scale()), &law, attempt)?;
    }
    for scale in over_bernoulli {
        let law = DiscreteLaplace::new(scale)?;
        let attempt =
            Explorer::new(Layer::BernoulliExp, 4000).explore(|coins| law.attempt(coins))?;
        rows.of_attempts(format_args!("scale {}", law.scale()), &law, attempt)?;
    }
    rows.finish();
    Ok(())
}

/// `sample.discrete-gaussian`
pub(super) fn discrete_gaussian(check: &mut Check) -> Result<(), Trouble> {
    let variances = [(1, 1_000_000), (1, 4), (1, 1), (25, 7), (400, 1)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "one attempt, over discrete Laplace draws, v in {}",
        list(&variances)
    ));
    let mut rows = Explorations::new(check, ratio(1, 1 << 20));
    for variance in variances {
        let law = DiscreteGaussian::new(variance)?;
        let attempt = Explorer::new(Layer::Laws, 1 << 17)
            .with_tail(ratio(1, 1 << 30))
            .explore(|coins| law.attempt(coins))?;
        rows.of_attempts(format_args!("v = {}", law.variance()), &law, attempt)?;
    }
    rows.finish();
    Ok(())
}

/// `sample.spherical-gaussian`
pub(super) fn spherical(check: &mut Check) -> Result<(), Trouble> {
    let law = DiscreteGaussian::new(ratio(3, 4))?;
    let instance = format!(
        "two coordinates over discrete Gaussian draws, v = {}",
        law.variance()
    );
    check.certified(&instance);
    let mut rows = Explorations::new(check, ratio(1, 1 << 10));
    let found = Explorer::new(Layer::Laws, 6000)
        .with_tail(ratio(1, 1 << 20))
        .explore(|coins| spherical_gaussian(&law, 2, coins))?;
    let mut ruled_out = None;
    for point in found.lower.keys() {
        let product = law.pmf(&point[0], BITS)? * law.pmf(&point[1], BITS)?;
        if !found.allows(point, &product) {
            ruled_out = Some(point);
        }
    }
    rows.of(instance, ruled_out, &found.undecided, found.runs);
    rows.finish();
    Ok(())
}

/// `sample.exponential-mechanism`
pub(super) fn exponential_mechanism(check: &mut Check) -> Result<(), Trouble> {
    let laws = mechanisms()?;
    let outcomes = |law: &ExponentialMechanism| -> BigUint {
        law.classes().iter().map(|class| &class.count).sum()
    };
    let most = laws.iter().map(outcomes).max().unwrap_or_default();
    check.certified(format_args!(
        "{} instances of up to {most} outcomes, empty and single classes among them: inversion bit by bit; \
         one attempt of rejection over Bernoulli(e^-x) draws; the rank, over draws of the class",
        laws.len()
    ));
    let mut rows = Explorations::new(check, Rational::new(1.into(), (1u64 << 40).into()));
    for (number, law) in laws.iter().enumerate() {
        let found = Explorer::new(Layer::Bits, 600).explore(|coins| law.draw_class(coins))?;
        rows.of_law(format_args!("instance {number}, inversion"), law, &found)?;
        let attempt =
            Explorer::new(Layer::BernoulliExp, 200).explore(|coins| law.attempt(coins))?;
        rows.of_attempts(format_args!("instance {number}, rejection"), law, attempt)?;
        // Given the class each rank below its count is as likely, and no other comes.
        let found = Explorer::new(Layer::Laws, 600).explore(|coins| law.draw_outcome(coins))?;
        let mut ruled_out = None;
        for (class, of_class) in law.classes().iter().enumerate() {
            let count = of_class.count.to_u64().unwrap_or(0);
            let share = Enclosure::of(&Rational::new(1.into(), count.max(1).into()), BITS);
            let each = law.pmf(&class, BITS)? * share;
            let mut ranks = (0..count).map(|rank| (class, BigUint::from(rank)));
            ruled_out = ruled_out.or(ranks.find(|outcome| !found.allows(outcome, &each)));
        }
        rows.of(
            format_args!("instance {number}, rank"),
            ruled_out,
            &found.undecided,
            found.runs,
        );
    }
    rows.finish();
    Ok(())
}

/// Instances of the exponential mechanism: `(epsilon, sensitivity, [(loss, count)])`.
pub(super) fn mechanisms() -> Result<Vec<ExponentialMechanism>, CoinsError> {
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
            ExponentialMechanism::new(
                ratio(epsilon.0, epsilon.1),
                ratio(sensitivity.0, sensitivity.1),
                classes,
            )
        })
        .collect()
}
