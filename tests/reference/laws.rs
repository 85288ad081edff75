//! Laws: the reference's probabilities are the library's, and those of its own sampler on every outcome of the coins.

use crate::lent::explored;
use dp_assay::coins::{Law as _, Layer};
use dp_assay::law::{self as theirs, Noise as _};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::sample as shipped;
use dp_assay_reference::coins::{Coins, Law};
use dp_assay_reference::number::{Enclosure, Rational};
use dp_assay_reference::sample::{self, Noise};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use std::any::type_name;
use std::collections::BTreeMap;

/// Whether the enclosures have a number in common, and the reference's is known to 10 digits or is 0.
#[track_caller]
fn meet(ours: &Enclosure, theirs: &dp_assay::number::Enclosure) {
    let (lo, hi) = (ours.lower(), ours.upper());
    assert!(lo <= theirs.upper() && theirs.lower() <= hi, "{lo} to {hi}");
    assert!(
        (&hi - &lo) * BigInt::from(10u64.pow(10)) <= hi,
        "{lo} to {hi}"
    );
}

#[test]
fn probabilities_are_those_of_the_library() {
    for p in [
        ratio(1, 9),
        ratio(99, 100),
        integer(1),
        ratio(7, 3),
        integer(40),
    ] {
        let gaussian = (
            sample::DiscreteGaussian::new(p.clone()).unwrap(),
            shipped::DiscreteGaussian::new(p.clone()).unwrap(),
        );
        let laplace = (
            sample::DiscreteLaplace::new(p.clone()).unwrap(),
            shipped::DiscreteLaplace::new(p.clone()).unwrap(),
        );
        let geometric = (
            sample::Geometric::new(p.clone()).unwrap(),
            shipped::Geometric::new(p.clone()).unwrap(),
        );
        for k in -6i64..=6 {
            let big = BigInt::from(k);
            meet(
                &gaussian.0.pmf(&big, 96).unwrap(),
                &gaussian.1.pmf(&big, 96).unwrap(),
            );
            meet(
                &gaussian.0.upper_tail(&big, 96).unwrap(),
                &gaussian.1.upper_tail(&big, 96).unwrap(),
            );
            meet(
                &laplace.0.pmf(&big, 96).unwrap(),
                &laplace.1.pmf(&big, 96).unwrap(),
            );
            meet(
                &laplace.0.cdf(&big, 96).unwrap(),
                &laplace.1.cdf(&big, 96).unwrap(),
            );
            meet(
                &laplace.0.around(3).pmf(&big, 96).unwrap(),
                &laplace.1.around(3).pmf(&big, 96).unwrap(),
            );
            let count = BigUint::from(k.unsigned_abs());
            meet(
                &geometric.0.pmf(&count, 96).unwrap(),
                &geometric.1.pmf(&count, 96).unwrap(),
            );
            let told = [None, Some(big)];
            for outcome in told {
                let quiet = || [BigInt::from(-1), BigInt::from(2)];
                let ours = sample::Censored::new(1, &laplace.0, quiet()).unwrap();
                let library = theirs::Censored::new(1, &laplace.1, quiet()).unwrap();
                meet(
                    &ours.pmf(&outcome, 96).unwrap(),
                    &library.pmf(&outcome, 96).unwrap(),
                );
                let values = || [BigInt::from(-1), BigInt::from(2)];
                let ours = sample::AboveThenAnswer::new(values(), &laplace.0, &laplace.0);
                let library = theirs::AboveThenAnswer::new(values(), &laplace.1, &laplace.1);
                meet(
                    &ours.pmf(&outcome, 96).unwrap(),
                    &library.pmf(&outcome, 96).unwrap(),
                );
            }
        }
    }
}

/// The sampler, run on every outcome of a layer of coins, has the probabilities of the law; `outcomes` of them, and no others.
#[track_caller]
fn is_sampled_as_it_says<L: Law>(law: &L, layer: Layer) {
    let found = explored(layer, 12_000, |coins| coins.draw(law));
    assert!(found.undecided < ratio(1, 4), "{}", type_name::<L>());
    for (outcome, lower) in &found.lower {
        let pmf = law.pmf(outcome, 96).unwrap();
        assert!(*lower <= pmf.upper(), "{outcome:?}");
        assert!(lower + &found.undecided >= pmf.lower(), "{outcome:?}");
    }
    // What was found is all that the law has, but for what is undecided.
    let outcomes = found.lower.keys();
    let known = outcomes.map(|outcome| law.pmf(outcome, 96).unwrap().upper());
    let known: Rational = known.sum();
    assert!(known + found.undecided >= Rational::one());
}

/// Rejections are explored attempt by attempt here, so that narrow laws are decided best.
#[test]
fn samplers_have_their_laws_on_every_outcome_of_their_coins() {
    let exp = Layer::BernoulliExp;
    // The narrow ones alone by day.
    let all = crate::by_day_or_night(1, 3);
    for p in [ratio(1, 4), ratio(1, 2), ratio(2, 3)]
        .into_iter()
        .take(all)
    {
        let laplace = sample::DiscreteLaplace::new(p.clone()).unwrap();
        let quiet = [BigInt::from(0), BigInt::from(1)];
        is_sampled_as_it_says(&sample::Geometric::new(p.recip()).unwrap(), exp);
        is_sampled_as_it_says(&laplace, exp);
        is_sampled_as_it_says(&laplace.around(-4), exp);
        is_sampled_as_it_says(&sample::Censored::new(1, &laplace, quiet).unwrap(), exp);
    }
    let quarter = ratio(1, 4);
    is_sampled_as_it_says(
        &sample::DiscreteGaussian::new(quarter.clone()).unwrap(),
        exp,
    );
    let laplace = sample::DiscreteLaplace::new(quarter).unwrap();
    let values = [BigInt::from(0), BigInt::from(7)];
    let above = sample::AboveThenAnswer::new(values, &laplace, &laplace);
    is_sampled_as_it_says(&above, exp);
    is_sampled_as_it_says(&laplace.around_all([1, -1]), exp);
    is_sampled_as_it_says(&sample::GammaNoise::new(integer(4), 1).unwrap(), exp);
}

#[test]
fn choices_have_their_laws_on_every_outcome_of_their_coins() {
    let uniform = Layer::UniformBelow;
    is_sampled_as_it_says(&sample::WithReplacement::new(3, 2, 1).unwrap(), uniform);
    let class = |loss: i64, count: u32| sample::ScoreClass {
        loss: integer(loss),
        count: count.into(),
    };
    let classes = vec![class(1, 1), class(0, 0), class(0, 2), class(3, 4)];
    let mechanism = sample::ExponentialMechanism::new(integer(2), integer(1), classes).unwrap();
    is_sampled_as_it_says(&mechanism, uniform);
    let choice = sample::ScoredChoice::new(vec![3, 0, 0, 1], &integer(1)).unwrap();
    is_sampled_as_it_says(&choice, uniform);
}

#[test]
fn a_law_too_heavy_to_be_explored_whole_is_never_above_its_probabilities() {
    let law = sample::DiscreteCauchy::new(ratio(9, 4)).unwrap();
    let found = explored(Layer::Bernoulli, 4000, |coins| coins.draw(&law));
    for (outcome, lower) in found.lower {
        let pmf = law.pmf(&outcome, 96).unwrap();
        assert!(
            lower <= pmf.upper() && lower + &found.undecided >= pmf.lower(),
            "{outcome}"
        );
    }
    assert!(found.undecided < ratio(1, 2), "{}", found.undecided);
}

#[test]
fn choices_cauchy_and_vectors_have_the_probabilities_of_the_library() {
    let ours = sample::DiscreteCauchy::new(ratio(9, 4)).unwrap();
    let library = shipped::DiscreteCauchy::new(ratio(9, 4)).unwrap();
    for k in -5..=5 {
        meet(
            &ours.pmf(&k.into(), 96).unwrap(),
            &library.pmf(&k.into(), 96).unwrap(),
        );
    }
    let ours = sample::ScoredChoice::new(vec![3, 0, 0, 1], &integer(1)).unwrap();
    let library = shipped::ScoredChoice::new(vec![3, 0, 0, 1], &integer(1)).unwrap();
    for outcome in 0..4 {
        meet(
            &ours.pmf(&outcome, 96).unwrap(),
            &library.pmf(&outcome, 96).unwrap(),
        );
    }
    assert!(ours.pmf(&4, 96).unwrap().upper().is_zero());
    let ours = sample::GammaNoise::new(integer(2), 2).unwrap();
    let library = theirs::GammaLaw::new(shipped::GammaNoise::new(integer(2), 2).unwrap()).unwrap();
    for k in [[0, 0], [1, 0], [-1, 2]] {
        let k = k.map(BigInt::from).to_vec();
        meet(&ours.pmf(&k, 96).unwrap(), &library.pmf(&k, 96).unwrap());
    }
    let ours = sample::WithReplacement::new(3, 4, 2).unwrap();
    let library = shipped::WithReplacement::new(3, 4)
        .unwrap()
        .at_most(2)
        .unwrap();
    meet(
        &ours.pmf(&vec![0, 1, 0, 2], 96).unwrap(),
        &library.pmf(&vec![0, 1, 0, 2], 96).unwrap(),
    );
    assert!(ours.pmf(&vec![0, 0, 0, 2], 96).unwrap().upper().is_zero());
    assert!(!ours.pmf(&vec![0, 0, 1], 96).unwrap().upper().is_positive());
}

/// The sum of the masses of a Gamma law over a large box. The rest is far below the last digit.
fn all_masses(rate: &Rational, dimension: u32, side: i64) -> dp_assay::number::Enclosure {
    use dp_assay::number::Enclosure;
    let mut counts = BTreeMap::from([(0i64, 1u64)]);
    for _ in 0..dimension {
        let mut next = BTreeMap::new();
        for (squared, count) in counts {
            for k in -side..=side {
                *next.entry(squared + k * k).or_default() += count;
            }
        }
        counts = next;
    }
    let mass = |squared| {
        let norm = Enclosure::integer(squared, 200).sqrt().unwrap();
        (-(norm * Enclosure::of(rate, 200))).exp().unwrap()
    };
    let masses = counts
        .into_iter()
        .map(|(squared, count)| mass(squared) * Enclosure::integer(count, 200));
    masses.reduce(|sum, mass| sum + mass).unwrap()
}

#[test]
fn what_lies_beyond_the_box_is_in_the_enclosure_of_a_mass() {
    for (rate, dimension) in [(integer(3), 1), (integer(2), 2), (ratio(5, 2), 3)] {
        let law = sample::GammaNoise::new(rate.clone(), dimension).unwrap();
        let found = law.pmf(&vec![BigInt::zero(); dimension], 96).unwrap();
        let all = all_masses(&rate, dimension as u32, 60);
        assert!(found.lower() <= all.upper().recip() && all.lower().recip() <= found.upper());
    }
}
