//! R4 against the shipped learner, in both orders.

use super::support::{
    AddOrRemove, Instance, Substitute, budget, grid, instances, one_in_a_thousand, same_coins,
};
use crate::lent::Explorer;
use dp_assay::coins::{Coins, Layer};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::random_features::clipped_kaczmarz as r4;
use dp_assay::sample::DiscreteGaussian;
use dp_assay_reference::Error;
use dp_assay_reference::data::Points;
use dp_assay_reference::random_features::clipped_kaczmarz::{is_enough, learn, random_order};
use num_bigint::BigInt;

/// `tau` in steps of `1/(phi_one c_one)`, of which the shipped learner takes the whole ones.
fn tau(residual_bound: &Rational, phi_one: i64, c_one: i64) -> BigInt {
    (residual_bound * BigInt::from(phi_one) * BigInt::from(c_one)).to_integer()
}

#[test]
fn it_returns_what_the_shipped_learner_returns() {
    let mut clipped = 0;
    for (seed, instance) in instances(400).into_iter().enumerate() {
        let c_bits = [0, 1, 5, 12][seed / 2 % 4];
        let parameters = r4::Parameters {
            residual_bound: [ratio(1, 3), integer(1), ratio(3, 2), integer(100)][seed / 8 % 4]
                .clone(),
            order: [r4::Order::AsGiven, r4::Order::Random][seed / 32 % 2],
            coefficient_grid: grid(c_bits),
        };
        let budget = budget(instance.neighbours);
        let data = instance.dataset();
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let fit = r4::fit(&data, &instance.matrix(), &parameters, &mut theirs).unwrap();
        // A certificate takes longer than all else.
        let is_calibrated = seed % crate::by_day_or_night(70, 10) == 0;
        let noise = if is_calibrated {
            fit.noise(&budget).unwrap()
        } else {
            DiscreteGaussian::new(ratio(700, 3)).unwrap()
        };
        let model = fit.release_with((&noise, &budget), &mut theirs).unwrap();
        let (s, c_one) = (instance.points(), 1i64 << c_bits);
        let tau = tau(&parameters.residual_bound, s.one(), c_one);
        let order = match parameters.order {
            r4::Order::AsGiven => (0..instance.records.len()).collect(),
            r4::Order::Random => random_order(instance.records.len(), &mut ours).unwrap(),
        };
        let ones = (instance.y_one(), c_one);
        let found = learn(&s, &order, ones, &tau, noise.variance(), &mut ours).unwrap();
        assert_eq!(found, model.coefficients, "{instance:?}");
        assert_eq!(ours.consumed(), theirs.consumed());
        let bound = &parameters.residual_bound * integer(instance.y_one());
        clipped += usize::from(
            instance
                .records
                .iter()
                .any(|(_, y)| integer(y.abs()) > bound),
        );
        if is_calibrated {
            let (epsilon, delta) = one_in_a_thousand();
            let enough = |variance: &Rational| {
                let (shape, m) = ((s.one(), instance.columns as u64), instance.most as u64);
                is_enough(
                    shape,
                    m,
                    &tau,
                    variance,
                    (&epsilon, &delta),
                    crate::lent::relation(instance.neighbours),
                )
                .unwrap()
            };
            assert!(enough(noise.variance()));
            // The shipped noise is for the residual bound, of which tau is the whole steps: at most a third less here.
            if integer(tau.clone())
                == &parameters.residual_bound * integer(s.one()) * integer(c_one)
            {
                assert!(!enough(&(noise.variance() * ratio(9, 10))));
            }
        }
    }
    assert!(clipped > 100);
}

/// One row in quarters, coefficients and labels in steps of the given bits, without noise.
fn pass(
    records: &[(i64, i64)],
    label_bits: u32,
    c_bits: u32,
    residual_bound: Rational,
) -> Vec<BigInt> {
    let instance = Instance {
        feature_bits: 2,
        label_bits,
        largest_label: i64::MAX,
        columns: 1,
        most: records.len().max(1),
        neighbours: AddOrRemove,
        records: records.iter().map(|(phi, y)| (vec![*phi], *y)).collect(),
    };
    let parameters = r4::Parameters {
        residual_bound: residual_bound.clone(),
        order: r4::Order::AsGiven,
        coefficient_grid: grid(c_bits),
    };
    let (mut coins, mut others) = same_coins(0);
    let fit = r4::fit(
        &instance.dataset(),
        &instance.matrix(),
        &parameters,
        &mut coins,
    )
    .unwrap();
    let (s, order) = (instance.points(), (0..records.len()).collect::<Vec<_>>());
    let tau = tau(&residual_bound, 4, 1 << c_bits);
    let ones = (1 << label_bits, 1 << c_bits);
    let found = learn(&s, &order, ones, &tau, &ratio(1, 1000), &mut others).unwrap();
    assert_eq!(found, super::support::big(&fit.coefficients));
    found
}

#[test]
fn on_every_boundary_too() {
    let at = |records: &[(i64, i64)], residual_bound: Rational| pass(records, 2, 4, residual_bound);
    // Rows of 1, labels in quarters, coefficients in sixteenths.
    assert_eq!(at(&[], integer(1)), super::support::big(&[0]));
    assert_eq!(at(&[(0, 4)], integer(1)), super::support::big(&[0]));
    // A residual that meets the clip, and a step beyond it, on both sides.
    for (label, c) in [(4, 16), (5, 16), (3, 12), (-4, -16), (-5, -16)] {
        assert_eq!(at(&[(4, label)], integer(1)), super::support::big(&[c]));
    }
    // Ties: a row of 3/4 and a label of 1 on a grid of halves is 3/2 steps, and goes up; so does -3/2.
    for (label, c) in [(4, 2), (-4, -1)] {
        assert_eq!(
            pass(&[(3, label)], 2, 1, integer(9)),
            super::support::big(&[c])
        );
    }
    // Residuals between two steps of the coefficients: labels in eighths, coefficients in halves.
    for (label, c) in [(2, 1), (6, 2), (-2, 0), (-6, -1)] {
        assert_eq!(
            pass(&[(4, label)], 3, 1, integer(9)),
            super::support::big(&[c])
        );
    }
    // Labels on a finer grid than all products are rounded down first: in 64ths, against eighths.
    for label in [-9, -8, -7, -1, 1, 7, 8, 9, 63] {
        pass(&[(4, label), (3, label)], 6, 1, integer(9));
    }
    // The longest label, which the shipped pass saturates.
    pass(
        &[(-4, i64::MAX), (4, i64::MAX), (3, -i64::MAX)],
        0,
        30,
        ratio(1, 32),
    );
}

#[test]
fn a_place_without_a_record_is_passed_by() {
    let s = Points::new(4, 1, vec![(vec![4], 4)]).unwrap();
    let run = |order: &[usize]| {
        let (mut coins, _) = same_coins(1);
        learn(
            &s,
            order,
            (4, 4),
            &BigInt::from(16),
            &ratio(1, 1000),
            &mut coins,
        )
        .unwrap()
    };
    assert_eq!(run(&[0]), run(&[7, 0]));
}

#[test]
fn every_order_of_four_records_has_the_same_probability() {
    let explored = Explorer::new(Layer::UniformBelow, 1000)
        .explore(|coins| {
            random_order(4, coins).map_err(|error| match error {
                error @ Error::Coins(_) => crate::lent::passed_on(error),
                other => panic!("{other}"),
            })
        })
        .unwrap();
    assert_eq!(explored.lower.len(), 24);
    assert!(explored.lower.values().all(|p| *p == ratio(1, 24)));
    let (mut coins, _) = same_coins(0);
    assert!(random_order(0, &mut coins).unwrap().is_empty());
    assert_eq!(random_order(1, &mut coins).unwrap(), [0]);
    assert_eq!(coins.consumed(), 0);
}

#[test]
fn the_certificate_counts_the_record_twice_if_it_is_substituted_and_each_rounding() {
    // tau is 3 steps of c, d = 4, m = 2: 6 + 2 (2 + 1) = 12 steps, or 3 + 6 = 9.
    let (epsilon, delta) = one_in_a_thousand();
    for (neighbours, moved) in [(Substitute, 12i64), (AddOrRemove, 9)] {
        let least = dp_assay::privacy::discrete_gaussian::variance(
            &budget(neighbours),
            &BigInt::from(moved * moved),
            4,
        )
        .unwrap();
        let enough = |variance: &Rational| {
            is_enough(
                (8, 4),
                2,
                &BigInt::from(24),
                variance,
                (&epsilon, &delta),
                crate::lent::relation(neighbours),
            )
            .unwrap()
        };
        assert!(enough(&least));
        assert!(!enough(&(&least * ratio(99, 100))));
    }
}
