//! The samplers of laws on the integers, of vectors, and of the exponential mechanism.

use super::ladder;
use super::rung::{REJECTIONS, Rung, over_laws, power};
use super::{BITS, list};
use crate::claim::{Check, Trouble};
use crate::twins;
use dp_assay::coins::{CoinsError, Divergence, Explorer, Law, Layer, explorer::Run};
use dp_assay::law::{AboveThenAnswer, Censored, Noise};
use dp_assay::number::{Enclosure, Rational, rational::ratio};
use dp_assay::sample::{
    DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, ScoreClass, spherical_gaussian,
};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;

/// `sample.geometric`
pub(super) fn geometric(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!(
        "over draws of the remainder U and the whole part V, rates {}; the remainder, one attempt and its loop; \
         the whole part over Bernoulli(e^-x) draws",
        list(&ladder::rates())
    ));
    let [_, _, geometric, _] = &ladder::ladder()?.laws;
    geometric.report(check);
    geometric.rests_on(check, &[]);
    Ok(())
}

/// `sample.discrete-laplace`
pub(super) fn discrete_laplace(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!(
        "one attempt over geometric draws, and the loop over attempts, at once and after {REJECTIONS} rejections; \
         scales {}",
        list(&ladder::scales())
    ));
    let [_, laplace, geometric, _] = &ladder::ladder()?.laws;
    laplace.report(check);
    laplace.rests_on(check, &[geometric]);
    Ok(())
}

/// `sample.discrete-gaussian`
pub(super) fn discrete_gaussian(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!(
        "one attempt over discrete Laplace draws, and the loop over attempts, at once and after {REJECTIONS} \
         rejections; v in {}",
        list(&ladder::variances())
    ));
    let [gaussian, laplace, ..] = &ladder::ladder()?.laws;
    gaussian.report(check);
    gaussian.rests_on(check, &[laplace]);
    Ok(())
}

/// `sample.censored`
pub(super) fn censored(check: &mut Check) -> Result<(), Trouble> {
    // The value, the scale of the noise, and the quiet interval: around the value, beside it, and one integer.
    let instances = [
        (0, ratio(3, 2), [-2, 2]),
        (5, ratio(7, 3), [-1, 3]),
        (-4, ratio(2, 1), [-1, 3]),
        (1, ratio(1, 2), [1, 1]),
        (0, ratio(1, 1000), [-1, 0]),
    ];
    check.certified(format_args!(
        "{} values and intervals over discrete Laplace draws: each told value, and the quiet outcome against the sum of the \
         probabilities in the interval",
        instances.len()
    ));
    let mut rung = Rung::default();
    for (value, scale, quiet) in instances {
        let noise = DiscreteLaplace::new(scale)?;
        let law = Censored::new(value, &noise, quiet.map(BigInt::from))?;
        // 1. The law that the sampler is held against is the one of the claim.
        let mut sum = Enclosure::integer(0, BITS);
        for k in quiet[0] - 8..=quiet[1] + 8 {
            let noisy = noise.pmf(&(k - value).into(), BITS)?;
            let told = law.pmf(&Some(k.into()), BITS)?;
            let inside = (quiet[0]..=quiet[1]).contains(&k);
            let claimed = if inside {
                Enclosure::integer(0, BITS)
            } else {
                noisy.clone()
            };
            check.holds(
                told.meets(&claimed),
                format_args!("{}: {k} is told with probability {told}", law.label()),
            );
            sum = if inside { sum + noisy } else { sum };
        }
        let stated = law.pmf(&None, BITS)?;
        check.holds(
            stated.meets(&sum),
            format_args!(
                "{}: quiet with probability {stated}, claimed {sum}",
                law.label()
            ),
        );
        // 2. The sampler has that law.
        rung.sampler(&law, &over_laws(20), 20)?;
    }
    rung.report(check);
    let [_, laplace, ..] = &ladder::ladder()?.laws;
    rung.rests_on(check, &[laplace]);
    censored_divergences(check)
}

/// What neighbours lose at most, by the probabilities of each outcome; nothing is stated where the interval or the noise is not one of both.
fn censored_divergences(check: &mut Check) -> Result<(), Trouble> {
    let law = |value: i64, scale: Rational, [least, largest]: [i64; 2]| {
        let noise = DiscreteLaplace::new(scale)?;
        Censored::new(value, &noise, [least, largest].map(BigInt::from))
    };
    check.certified("what the law states of its loss, outcome by outcome: values 0 to 5 apart, intervals that differ below, above, at both ends, or not; scales that differ");
    let one = law(2, ratio(5, 3), [-2, 3])?;
    for (value, interval) in [
        (2, [-2, 3]),
        (3, [-2, 3]),
        (-3, [-2, 3]),
        (2, [-3, 3]),
        (2, [-2, 4]),
        (2, [-1, 2]),
        (3, [-2, 5]),
        (1, [0, 3]),
    ] {
        let other = law(value, ratio(5, 3), interval)?;
        let outcomes = || std::iter::once(None).chain((-20..=20).map(|k| Some(BigInt::from(k))));
        twins::divergence(check, [&one, &other], outcomes())?;
        twins::divergence(check, [&other, &one], outcomes())?;
        let stated = !matches!(one.divergence(&other, 96)?, Divergence::Unbounded(_));
        check.holds(
            stated == (interval == [-2, 3]),
            format_args!("{interval:?}: a bound is stated: {stated}"),
        );
    }
    let wider = law(2, ratio(7, 3), [-2, 3])?;
    let stated = !matches!(one.divergence(&wider, 96)?, Divergence::Unbounded(_));
    check.holds(!stated, "noise that depends on the data has no bound");
    Ok(())
}

/// `sample.above-then-answer`
pub(super) fn above_then_answer(check: &mut Check) -> Result<(), Trouble> {
    // The excess, the answer, and the scales of the noise of the test and of the answer.
    let instances = [
        (0, 3, ratio(3, 2), ratio(2, 1)),
        (-4, 0, ratio(2, 1), ratio(1, 2)),
        (5, -1, ratio(7, 3), ratio(3, 2)),
        (-1, 2, ratio(1, 1000), ratio(1, 1)),
    ];
    check.certified(format_args!(
        "{} tests and answers over discrete Laplace draws: the quiet outcome against the sum of the probabilities of the test's \
         noise, and each answer against the product",
        instances.len()
    ));
    let mut rung = Rung::default();
    for (excess, answer, test, noise) in instances {
        let (test, noise) = (DiscreteLaplace::new(test)?, DiscreteLaplace::new(noise)?);
        let law = AboveThenAnswer::new([excess, answer].map(BigInt::from), &test, &noise);
        // 1. The law that the sampler is held against is the one of the claim.
        let mut passes = Enclosure::integer(0, BITS);
        for k in -excess..400 - excess {
            passes = passes + test.pmf(&k.into(), BITS)?;
        }
        let stated = law.pmf(&None, BITS)?;
        check.holds(
            stated.complement().meets(&passes),
            format_args!("{}: quiet with probability {stated}", law.label()),
        );
        for k in answer - 8..=answer + 8 {
            let told = law.pmf(&Some(k.into()), BITS)?;
            let claimed = &passes * noise.pmf(&(k - answer).into(), BITS)?;
            check.holds(
                told.meets(&claimed),
                format_args!("{}: {k} is told with probability {told}", law.label()),
            );
        }
        // 2. The sampler has that law.
        rung.sampler(&law, &over_laws(16), 16)?;
    }
    rung.report(check);
    let [_, laplace, ..] = &ladder::ladder()?.laws;
    rung.rests_on(check, &[laplace]);
    twins::forward(check)
}

/// `sample.exponential-mechanism`
pub(super) fn exponential_mechanism(check: &mut Check) -> Result<(), Trouble> {
    let laws = ladder::mechanisms()?;
    let outcomes = |law: &ExponentialMechanism| -> BigUint {
        law.classes().iter().map(|class| &class.count).sum()
    };
    let most = laws.iter().map(|(_, law)| outcomes(law)).max();
    let most = most.unwrap_or_default();
    check.certified(format_args!(
        "{} instances of up to {most} outcomes, empty and single classes among them: inversion bit by bit; \
         rejection, one attempt over Bernoulli(e^-x) draws and the loop over attempts, at once and after {REJECTIONS} \
         rejections; the rank, over draws of the class; the stated law against n e^(-epsilon l/(2 Delta)), normalised",
        laws.len()
    ));
    // 1. The law that the samplers are held against is the one of the claim.
    for ([epsilon, sensitivity], law) in &laws {
        let weights = weights(epsilon, sensitivity, law.classes())?;
        let total = weights
            .iter()
            .fold(Enclosure::integer(0, BITS), |sum, weight| sum + weight);
        for (class, weight) in weights.iter().enumerate() {
            let (stated, claimed) = (law.pmf(&class, BITS)?, weight.divided_by(&total)?);
            check.holds(
                stated.meets(&claimed),
                format_args!(
                    "epsilon = {epsilon}, Delta = {sensitivity}, class {class}: {stated}, claimed {claimed}"
                ),
            );
        }
    }
    // 2. The samplers have that law.
    let [.., mechanism] = &ladder::ladder()?.laws;
    mechanism.report(check);
    mechanism.rests_on(check, &[]);
    Ok(())
}

/// `n e^(-epsilon l/(2 Delta))` of each class: `n` outcomes with the loss `l`.
fn weights(
    epsilon: &Rational,
    sensitivity: &Rational,
    classes: &[ScoreClass],
) -> Result<Vec<Enclosure>, Trouble> {
    let weight = |class: &ScoreClass| {
        let exponent = epsilon * &class.loss / (sensitivity * BigInt::from(2));
        let each = Enclosure::exp_of(&-exponent, BITS)?;
        Ok(each * Enclosure::of(&Rational::from(BigInt::from(class.count.clone())), BITS))
    };
    classes.iter().map(weight).collect()
}

/// `sample.spherical-gaussian`
///
/// Every coordinate of an outcome, and that there are no fewer outcomes than products: a coordinate that repeats
/// another one makes some outcomes likelier than the product of their probabilities.
pub(super) fn spherical(check: &mut Check) -> Result<(), Trouble> {
    const MOST: usize = 4;
    let law = DiscreteGaussian::new(ratio(3, 4))?;
    check.certified(format_args!(
        "1 to {MOST} coordinates over discrete Gaussian draws, v = {}: the vector alone, and as noise around a vector",
        law.variance()
    ));
    let mut rung = Rung::default();
    let mut masses: BTreeMap<BigInt, Enclosure> = BTreeMap::new();
    for dimension in 1..=MOST {
        let centre = [3, -1, 0, 7].map(BigInt::from)[..dimension].to_vec();
        let around = law.around_all(centre.clone());
        let zero = vec![BigInt::from(0); dimension];
        let mut explore = |name: &str,
                           centre: &[BigInt],
                           sampler: &dyn Fn(&mut Run) -> Result<Vec<BigInt>, CoinsError>|
         -> Result<(), Trouble> {
            let found = Explorer::new(Layer::Laws, 20_000)
                .with_tail(power(12))
                .explore(sampler)?;
            let mut ruled_out = None;
            for point in found.lower.keys() {
                let mut product = Enclosure::integer(1, BITS);
                for (value, middle) in point.iter().zip(centre) {
                    let noise = value - middle;
                    if !masses.contains_key(&noise) {
                        masses.insert(noise.clone(), law.pmf(&noise, BITS)?);
                    }
                    product = product * &masses[&noise];
                }
                if point.len() != dimension || !found.allows(point, &product) {
                    ruled_out = Some(point);
                }
            }
            let instance = format!("{name}, {dimension} coordinates");
            rung.of(instance, ruled_out, &found, 9);
            Ok(())
        };
        explore("alone", &zero, &|coins| {
            spherical_gaussian(&law, dimension, coins)
        })?;
        explore("around a vector", &centre, &|coins| around.sample(coins))?;
    }
    rung.report(check);
    let [gaussian, ..] = &ladder::ladder()?.laws;
    rung.rests_on(check, &[gaussian]);
    Ok(())
}
