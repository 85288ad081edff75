//! Ridge regression with Gamma noise against the shipped learner.

use super::support::{Instance, Substitute, instances, same_coins};
use crate::lent::Explorer;
use dp_assay::coins::{Coins, CoinsError, Layer};
use dp_assay::law::{GammaLaw, Noise};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::random_features::ridge_with_gamma_noise as shipped;
use dp_assay::sample::GammaNoise;
use dp_assay_reference::Error;
use dp_assay_reference::data::Points;
use dp_assay_reference::random_features::ridge_with_gamma_noise::{is_enough, learn};

fn records(instance: &Instance) -> Vec<shipped::Record> {
    let record = |(x, y): &(Vec<i64>, i64)| shipped::Record {
        x: x.iter()
            .map(|&x| ratio(x, 1 << instance.feature_bits))
            .collect(),
        y: ratio(*y, instance.y_one()),
    };
    instance.records.iter().map(record).collect()
}

#[test]
fn it_returns_what_the_shipped_learner_returns() {
    let mut compared = 0;
    for (seed, instance) in instances(300).into_iter().enumerate() {
        if instance.neighbours != Substitute {
            continue;
        }
        let parameters = shipped::Parameters {
            dimension: instance.columns,
            records: instance.most,
            label_bound: ratio(instance.largest_label, instance.y_one()),
            penalty: [ratio(1, 3), integer(1), ratio(9, 4), integer(40)][seed / 2 % 4].clone(),
            grid_bits: [0, 2, 6][seed / 8 % 3],
        };
        let epsilon = [ratio(1, 2), integer(3)][seed / 24 % 2].clone();
        let noise = parameters.noise(&epsilon).unwrap();
        let c_one = 1 << parameters.grid_bits;
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = learn(
            &instance.points(),
            (instance.largest_label, instance.y_one()),
            c_one,
            &parameters.penalty,
            noise.rate(),
            &mut ours,
        )
        .unwrap();
        let model =
            shipped::learn(&records(&instance), &parameters, &epsilon, &mut theirs).unwrap();
        assert_eq!(found, model, "{instance:?}");
        assert_eq!(ours.consumed(), theirs.consumed());
        // The shipped rate is certified, and a part in a million more is not.
        let enough = |rate: &Rational| {
            let b = (&parameters.label_bound, instance.most as u64);
            let d = instance.columns as u64;
            is_enough(b, c_one, &parameters.penalty, d, rate, &epsilon).unwrap()
        };
        assert!(enough(noise.rate()));
        assert!(!enough(&(noise.rate() * ratio(1_000_001, 1_000_000))));
        compared += 1;
    }
    assert!(compared == 150);
}

#[test]
fn a_minimum_between_two_steps_goes_away_from_zero_as_shipped() {
    // A row of 1 and Lambda = 1: y/2, in steps of 1. Noise of rate 40 is 0 but for e^-40.
    for (label, away) in [(1, 1), (3, 2), (5, 3), (-1, -1), (-3, -2)] {
        let s = Points::new(1, 1, vec![(vec![1], label)]).unwrap();
        let (mut coins, _) = same_coins(3);
        let found = learn(&s, (9, 1), 1, &integer(1), &integer(40), &mut coins).unwrap();
        assert_eq!(found, super::support::big(&[away]));
    }
}

#[test]
fn labels_beyond_the_bound_are_clipped() {
    let run = |labels: [i64; 2]| {
        let s = Points::new(4, 1, labels.map(|y| (vec![3], y)).to_vec()).unwrap();
        let (mut coins, _) = same_coins(4);
        learn(&s, (8, 8), 16, &integer(1), &ratio(1, 9), &mut coins).unwrap()
    };
    assert_eq!(run([9, i64::MIN]), run([8, -8]));
    assert_ne!(run([8, -8]), run([7, -8]));
}

#[test]
fn no_record_has_noise_around_zero() {
    // Not a dataset of the shipped learner; the type has it, and it is no error.
    let s = Points::<i64>::new(4, 2, Vec::new()).unwrap();
    let noise = GammaNoise::new(integer(1), 2).unwrap();
    let (mut ours, mut theirs) = same_coins(5);
    let found = learn(&s, (8, 8), 16, &integer(1), &integer(1), &mut ours).unwrap();
    assert_eq!(found, theirs.draw(&noise.around_all([0, 0])).unwrap());
}

#[test]
fn the_noise_has_the_law_of_its_lattice() {
    // One coordinate, where an attempt is accepted at once: the law around the minimum of one record, y/2 = 2.
    let s = Points::new(1, 1, vec![(vec![1], 4)]).unwrap();
    let explored = Explorer::new(Layer::Laws, 400)
        .with_tail(ratio(1, 1 << 20))
        .explore(|coins| {
            learn(&s, (4, 1), 1, &integer(1), &ratio(3, 2), coins).map_err(|error| match error {
                error @ Error::Coins(_) => crate::lent::passed_on(error),
                other => panic!("{other}"),
            })
        })
        .unwrap();
    let law = GammaLaw::new(GammaNoise::new(ratio(3, 2), 1).unwrap()).unwrap();
    for outcome in -3i64..=7 {
        let around = [outcome - 2].map(Into::into).to_vec();
        let pmf = dp_assay::coins::Law::pmf(&law, &around, 64).unwrap();
        assert!(
            explored.allows(&super::support::big(&[outcome]), &pmf),
            "{outcome}"
        );
    }
    let _: Option<CoinsError> = None;
}

#[test]
fn the_certificate_is_decided_on_its_boundaries() {
    let enough = |m, lambda: Rational, rate: Rational| {
        is_enough((&integer(2), m), 10, &lambda, 4, &rate, &integer(1)).unwrap()
    };
    // m = 1: sqrt(m/Lambda) = 2 h = 2 for Lambda = 1/4: 2 * 2 * 10 + 2 steps.
    assert!(enough(1, ratio(1, 4), ratio(1, 42)));
    assert!(!enough(1, ratio(1, 4), ratio(100, 4199)));
    // m = 5, Lambda = 1: 2 h (1 + 2/2) = 2, and sqrt(5) is more: 2 * 2 * 10 + 2 steps.
    assert!(enough(5, integer(1), ratio(1, 42)));
    assert!(!enough(5, integer(1), ratio(100, 4199)));
    // m = 5, Lambda = 4: 2/5 (1 + 2/4) = 3/5: 12 + 2 steps.
    assert!(enough(5, integer(4), ratio(1, 14)));
    assert!(!enough(5, integer(4), ratio(100, 1399)));
    // m = 4, Lambda = 1/16: sqrt(64) = 8, and 4 (1 + sqrt(3) 2) is more: 160 + 2 steps.
    assert!(enough(4, ratio(1, 16), ratio(1, 162)));
    assert!(!enough(4, ratio(1, 16), ratio(100, 16_199)));
}
