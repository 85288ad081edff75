//! The ridges against the shipped learners R2 and R3, whose solver's result is the guess of the reference; and the certificate of
//! a guess.

use super::support::{
    AddOrRemove, Instance, Substitute, budget, grid, instances, one_in_a_thousand, same_coins,
};
use dp_assay::coins::Coins;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::ridge as solver;
use dp_assay::privacy::Budget;
use dp_assay::random_features::bounds::ridge_sensitivity;
use dp_assay::random_features::steps::{Fit, RidgeParameters};
use dp_assay::random_features::{
    RandomFeatureError, ridge_of_bounded_labels as shipped_r3, ridge_of_normed_labels as shipped_r2,
};
use dp_assay::sample::DiscreteGaussian;
use dp_assay_reference::Error;
use dp_assay_reference::data::Points;
use dp_assay_reference::random_features::ridge::{Public, is_near, learn, minimum};
use dp_assay_reference::random_features::{ridge_of_bounded_labels, ridge_of_normed_labels};
use num_bigint::BigInt;

/// What the shipped learner asks its solver for, and gets.
fn solved(
    instance: &Instance,
    limits: &solver::Limits,
    penalty: &Rational,
    tolerance: &Rational,
) -> solver::Solution {
    let labels: Vec<i64> = instance.records.iter().map(|(_, y)| *y).collect();
    solver::solve(&instance.matrix(), &labels, limits, penalty, tolerance).unwrap()
}

/// The noise of the learner, or some other: what is compared does not depend on it.
fn noise(fit: &Fit, budget: &Budget, is_calibrated: bool) -> DiscreteGaussian {
    if is_calibrated {
        fit.noise(budget).unwrap()
    } else {
        DiscreteGaussian::new(ratio(700, 3)).unwrap()
    }
}

/// Multiples of `4^-b` on each grid of the instances.
fn penalty(seed: usize) -> Rational {
    [integer(1), integer(2), integer(3), integer(50)][seed % 4].clone()
}

#[test]
fn r3_returns_what_the_shipped_learner_returns() {
    let (mut calibrated, mut certified) = (0, 0);
    let (all, one_in) = crate::by_day_or_night((96, 30), (300, 10));
    for (seed, instance) in instances(all).into_iter().enumerate() {
        let c_bits = [0, 2, 8, 14][seed / 4 % 4];
        let parameters = RidgeParameters {
            penalty: penalty(seed),
            coefficient_grid: grid(c_bits),
        };
        let budget = budget(instance.neighbours);
        let data = instance.dataset();
        let fit = shipped_r3::fit(&data, &instance.matrix(), &parameters).unwrap();
        let is_calibrated = seed % one_in < 2;
        let noise = noise(&fit, &budget, is_calibrated);
        // The sensitivity of the exact minimum, and 2^-12 of it.
        let moved = ridge_sensitivity::of_bounded_labels(
            &ratio(instance.largest_label, instance.y_one()),
            &parameters.penalty,
            instance.most,
            instance.neighbours,
        )
        .unwrap();
        let public = Public {
            y_one: instance.y_one(),
            c_one: 1 << c_bits,
            penalty: parameters.penalty.clone(),
            tolerance: &moved / BigInt::from(1 << 12),
            variance: noise.variance().clone(),
        };
        let limits = instance.domain().limits();
        let guess = solved(&instance, &limits, &public.penalty, &public.tolerance);
        let (s, b) = (instance.points(), instance.largest_label);
        let near = (&guess.coefficients[..], 1i64 << guess.bits);
        assert!(is_near(&s, near, &public));
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = ridge_of_bounded_labels::learn(&s, b, near, &public, &mut ours).unwrap();
        let model = fit.release_with((&noise, &budget), &mut theirs).unwrap();
        assert_eq!(found, model.coefficients, "{instance:?}");
        assert_eq!(ours.consumed(), theirs.consumed());
        // What the library found, the reference certifies; nine tenths of the noise it does not.
        let (epsilon, delta) = one_in_a_thousand();
        let d = instance.columns as u64;
        let m = instance.most as u64;
        let enough = |public: &Public, moved: &Rational| {
            let (b, budget) = ((b, m), (&epsilon, &delta));
            ridge_of_bounded_labels::is_enough(
                public,
                b,
                moved,
                d,
                budget,
                crate::lent::relation(instance.neighbours),
            )
            .unwrap()
        };
        if is_calibrated {
            certified += usize::from(enough(&spared(&public), &moved));
            calibrated += 1;
            let less = Public {
                variance: &public.variance * ratio(9, 10),
                ..public.clone()
            };
            assert!(!enough(&less, &moved));
            assert!(!enough(&public, &(&moved * ratio(999, 1000))));
        }
    }
    // Of some instances the library has a sharper bound: the reference then asks for more noise, never for less.
    assert!(most(certified, calibrated), "{certified} of {calibrated}");
}

/// The same with labels of norm at most 1.
fn normed(instance: &Instance) -> Instance {
    let mut left = instance.y_one().pow(2);
    let mut instance = instance.clone();
    for (_, y) in &mut instance.records {
        let most = left.isqrt();
        *y = (*y).clamp(-most, most);
        left -= *y * *y;
    }
    instance.largest_label = instance.largest_label.max(instance.y_one());
    instance
}

/// More than half of them; by day they are eight or twelve, and more than a quarter is asked for.
fn most(certified: usize, calibrated: usize) -> bool {
    crate::by_day_or_night(4, 2) * certified > calibrated
}

/// A part in a million more: of a wide law in one dimension the reference has no exact profile, and asks for as much.
fn spared(public: &Public) -> Public {
    Public {
        variance: &public.variance * ratio(1_000_001, 1_000_000),
        ..public.clone()
    }
}

#[test]
fn r2_returns_what_the_shipped_learner_returns() {
    let (mut calibrated, mut certified) = (0, 0);
    let mut on_the_sphere = 0;
    for (seed, instance) in instances(300).into_iter().enumerate() {
        let instance = normed(&instance);
        let c_bits = [0, 2, 8, 14][seed / 4 % 4];
        let parameters = RidgeParameters {
            penalty: penalty(seed),
            coefficient_grid: grid(c_bits),
        };
        let budget = budget(instance.neighbours);
        let fit = shipped_r2::fit(&instance.dataset(), &instance.matrix(), &parameters).unwrap();
        // A certificate takes longer than all else.
        let is_calibrated = seed % crate::by_day_or_night(50, 10) < 2;
        let noise = noise(&fit, &budget, is_calibrated);
        let moved =
            ridge_sensitivity::of_normed_labels(&parameters.penalty, instance.neighbours).unwrap();
        let public = Public {
            y_one: instance.y_one(),
            c_one: 1 << c_bits,
            penalty: parameters.penalty.clone(),
            tolerance: &moved / BigInt::from(1 << 12),
            variance: noise.variance().clone(),
        };
        let limits = solver::Limits {
            largest_label: instance.y_one(),
            ..instance.domain().limits()
        };
        let guess = solved(&instance, &limits, &public.penalty, &public.tolerance);
        let s = instance.points();
        let near = (&guess.coefficients[..], 1i64 << guess.bits);
        assert!(is_near(&s, near, &public));
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = ridge_of_normed_labels::learn(&s, near, &public, &mut ours).unwrap();
        let model = fit.release_with((&noise, &budget), &mut theirs).unwrap();
        assert_eq!(found, model.coefficients, "{instance:?}");
        assert_eq!(ours.consumed(), theirs.consumed());
        let (epsilon, delta) = one_in_a_thousand();
        let enough = |public: &Public| {
            let (d, budget) = (instance.columns as u64, (&epsilon, &delta));
            ridge_of_normed_labels::is_enough(
                public,
                d,
                budget,
                crate::lent::relation(instance.neighbours),
            )
            .unwrap()
        };
        if is_calibrated {
            certified += usize::from(enough(&spared(&public)));
            calibrated += 1;
            let less = Public {
                variance: &public.variance * ratio(9, 10),
                ..public.clone()
            };
            assert!(!enough(&less));
        }
        let squared: i64 = instance.records.iter().map(|(_, y)| y * y).sum();
        on_the_sphere += usize::from(squared == instance.y_one().pow(2));
    }
    assert!(on_the_sphere > 20);
    assert!(most(certified, calibrated), "{certified} of {calibrated}");
}

#[test]
fn labels_longer_than_one_are_no_dataset_of_r2() {
    // In eighths: (8, 0) is legal, (8, 1) and (6, 6) are not.
    let public = public(integer(2), ratio(1, 100), integer(1));
    for (labels, is_legal) in [
        ([8, 0], true),
        ([0, -8], true),
        ([8, 1], false),
        ([6, 6], false),
    ] {
        let s = Points::new(8, 1, labels.map(|y| (vec![8], y)).to_vec()).unwrap();
        let (mut ours, _) = same_coins(0);
        let found = ridge_of_normed_labels::learn(&s, (&[0], 1), &public, &mut ours);
        let refused = Err(Error::OutOfRange("the norm of the labels"));
        assert_eq!(found.is_ok(), is_legal);
        assert!(is_legal || found == refused);
        let instance = Instance {
            feature_bits: 3,
            label_bits: 3,
            largest_label: 16,
            columns: 1,
            most: 2,
            neighbours: Substitute,
            records: labels.map(|y| (vec![8], y)).to_vec(),
        };
        let parameters = RidgeParameters {
            penalty: integer(2),
            coefficient_grid: grid(4),
        };
        let theirs = shipped_r2::fit(&instance.dataset(), &instance.matrix(), &parameters);
        assert_eq!(theirs.is_ok(), is_legal);
        assert!(is_legal || theirs == Err(RandomFeatureError::LabelsTooLong));
    }
}

/// Labels in eighths, coefficients in steps of `1/16`.
fn public(penalty: Rational, tolerance: Rational, variance: Rational) -> Public {
    Public {
        y_one: 8,
        c_one: 16,
        penalty,
        tolerance,
        variance,
    }
}

#[test]
fn a_guess_at_the_tolerance_is_near_and_one_beyond_is_not() {
    // One record (1, 0) with label 1, Lambda = 3: c* = (1/4, 0). At c = (1/2, 0) the gradient is (1, 0) and |g|/Lambda = 1/3.
    let s = Points::new(4, 2, vec![(vec![4, 0], 8i64)]).unwrap();
    let with = |tolerance| public(integer(3), tolerance, integer(1));
    let guess = (&[8i64, 0][..], 16);
    assert!(is_near(&s, guess, &with(ratio(1, 3))));
    assert!(!is_near(&s, guess, &with(ratio(333_333, 1_000_000))));
    // The minimum itself is near at tolerance 0, and so is zero for no record.
    assert!(is_near(&s, (&[4, 0], 16), &with(integer(0))));
    assert!(!is_near(&s, (&[4, 1], 16), &with(integer(0))));
    let none = Points::<i64>::new(4, 2, Vec::new()).unwrap();
    assert!(is_near(&none, (&[0, 0], 16), &with(integer(0))));
    // What is no vector of two coordinates is not near.
    assert!(!is_near(&none, (&[0], 16), &with(integer(1))));
    assert!(!is_near(&none, (&[0, 0, 0], 16), &with(integer(1))));
    assert!(!is_near(&none, (&[0, 0], 0), &with(integer(1))));
}

#[test]
fn the_gap_of_a_guess_bounds_its_distance_from_the_exact_minimum() {
    for (seed, instance) in instances(300).into_iter().enumerate() {
        let s = instance.points();
        let penalty = penalty(seed) / integer(1 + seed as i64 % 3);
        let exact = minimum(&s, instance.y_one(), &penalty).unwrap();
        for (off, one) in [(0, 1i64 << 20), (3, 1 << 6), (1, 1 << 2)] {
            let c: Vec<i64> = exact
                .iter()
                .map(|c| {
                    let steps = dp_assay::number::rational::nearest(&(c * integer(one)));
                    i64::try_from(steps).unwrap() + off
                })
                .collect();
            let apart: Rational = c
                .iter()
                .zip(&exact)
                .map(|(c, exact)| (ratio(*c, one) - exact).pow(2))
                .sum();
            for tolerance in [ratio(1, 1 << 18), ratio(1, 10), ratio(1, 2), integer(4)] {
                let public = Public {
                    y_one: instance.y_one(),
                    ..public(penalty.clone(), tolerance.clone(), integer(1))
                };
                if is_near(&s, (&c, one), &public) {
                    assert!(apart <= &tolerance * &tolerance);
                }
                // And it is no more than M/Lambda times too strict.
                let steepest = (integer(instance.records.len() as u64) + &penalty) / &penalty;
                if &apart * &steepest * &steepest <= &tolerance * &tolerance {
                    assert!(is_near(&s, (&c, one), &public));
                }
            }
        }
    }
}

#[test]
fn a_guess_that_is_not_near_is_not_used() {
    for (seed, instance) in instances(300).into_iter().enumerate() {
        let s = instance.points();
        let public = Public {
            y_one: instance.y_one(),
            ..public(penalty(seed), ratio(1, 1000), ratio(1, 1000))
        };
        let run = |guess: (&[i64], i64)| {
            let (mut coins, _) = same_coins(seed as u64);
            learn(&s, guess, &public, &mut coins).unwrap()
        };
        let far = vec![1000; instance.columns];
        assert_eq!(run((&far, 1)), run((&[], 1)));
        // In steps of 1/16 it is the exact minimum, to the nearest: noise of this variance is 0 but for e^-500.
        let exact = minimum(&s, public.y_one, &public.penalty).unwrap();
        for (found, exact) in run((&far, 1)).into_iter().zip(exact) {
            let off = (integer(found) - exact * integer(16)).pow(2);
            assert!(off <= ratio(1, 4));
        }
    }
}

#[test]
fn coefficients_between_two_steps_go_to_the_even_one_as_shipped() {
    // A row of 1 and Lambda = 1: c = y/2, in steps of 1/8: labels in eighths are halves of a step.
    for (label, even) in [(1, 0), (3, 2), (5, 2), (7, 4), (-1, 0), (-3, -2), (-5, -2)] {
        let instance = Instance {
            feature_bits: 3,
            label_bits: 3,
            largest_label: 8,
            columns: 1,
            most: 1,
            neighbours: Substitute,
            records: vec![(vec![8], label)],
        };
        let parameters = RidgeParameters {
            penalty: integer(1),
            coefficient_grid: grid(3),
        };
        let fit = shipped_r3::fit(&instance.dataset(), &instance.matrix(), &parameters).unwrap();
        assert_eq!(fit.coefficients, [even]);
        let public = Public {
            c_one: 8,
            ..public(integer(1), ratio(1, 1000), ratio(1, 1000))
        };
        let (mut coins, _) = same_coins(0);
        let found = learn(&instance.points(), (&[], 1), &public, &mut coins).unwrap();
        assert_eq!(found, [BigInt::from(even)]);
    }
}

#[test]
fn labels_beyond_the_bound_are_clipped_as_the_domain_clips_them() {
    let s = |labels: [i64; 2]| Points::new(8, 1, labels.map(|y| (vec![5], y)).to_vec()).unwrap();
    let public = public(integer(1), ratio(1, 1000), integer(9));
    let run = |labels| {
        let (mut coins, _) = same_coins(7);
        ridge_of_bounded_labels::learn(&s(labels), 8, (&[], 1), &public, &mut coins).unwrap()
    };
    assert_eq!(run([9, -100]), run([8, -8]));
    assert_eq!(run([i64::MAX, i64::MIN]), run([8, -8]));
}

#[test]
fn no_penalty_is_refused_whatever_the_data_are() {
    for records in [vec![], vec![(vec![4, 0], 8i64)], vec![(vec![0, 0], 0)]] {
        let s = Points::new(4, 2, records).unwrap();
        for penalty in [integer(0), integer(-1)] {
            let refused = minimum(&s, 8, &penalty);
            assert_eq!(refused, Err(Error::OutOfRange("Lambda")));
        }
    }
}

#[test]
fn how_far_the_minimum_moves_is_as_shipped() {
    let moves = ridge_of_bounded_labels::moves_by_at_most;
    for (i, m) in [1u64, 2, 3, 10, 1000, 10_000].into_iter().enumerate() {
        for (j, lambda) in [
            ratio(1, 1_000_000),
            ratio(1, 1000),
            ratio(1, 4),
            integer(1),
            ratio(9, 8),
            integer(10),
            integer(1000),
            integer(1_000_000),
        ]
        .into_iter()
        .enumerate()
        {
            // Each with each at night; by day a third of the pairs, with every m and every Lambda in some.
            if !(i + j).is_multiple_of(crate::by_day_or_night(3, 1)) {
                continue;
            }
            for neighbours in [AddOrRemove, Substitute] {
                let one = integer(1);
                let shipped =
                    ridge_sensitivity::of_bounded_labels(&one, &lambda, m as usize, neighbours)
                        .unwrap();
                assert!(moves(&shipped, &lambda, m, crate::lent::relation(neighbours)).unwrap());
                // The shipped value is within a part in 2^14 of the largest.
                let less = &shipped * ratio(9998, 10_000);
                assert!(
                    !moves(&less, &lambda, m, crate::lent::relation(neighbours)).unwrap(),
                    "{m} {lambda}"
                );
            }
        }
    }
}

#[test]
fn how_far_the_minimum_moves_is_decided_on_the_boundaries() {
    let moves = ridge_of_bounded_labels::moves_by_at_most;
    let less = |value: &Rational| value - ratio(1, 1_000_000_000);
    // Lambda = m/(2 m - 1)^2, where both cases hold: sqrt(m/Lambda)/2 = (2 m - 1)/2.
    for m in [2u64, 5, 100] {
        let n = 2 * m as i64 - 1;
        for (lambda, at) in [
            (ratio(m as i64, n * n), ratio(n, 2)),
            (ratio(m as i64, 4 * n * n), integer(n)),
        ] {
            assert!(moves(&at, &lambda, m, crate::lent::relation(AddOrRemove)).unwrap());
            assert!(!moves(&less(&at), &lambda, m, crate::lent::relation(AddOrRemove)).unwrap());
        }
    }
    // One record alone: h = 1/(2 sqrt(Lambda)) up to Lambda = 1, and 1/(1 + Lambda) above; twice that if it is substituted.
    for (lambda, h) in [
        (ratio(1, 4), integer(1)),
        (integer(1), ratio(1, 2)),
        (integer(3), ratio(1, 4)),
    ] {
        assert!(moves(&h, &lambda, 1, crate::lent::relation(AddOrRemove)).unwrap());
        assert!(!moves(&less(&h), &lambda, 1, crate::lent::relation(AddOrRemove)).unwrap());
        let twice = h * integer(2);
        assert!(moves(&twice, &lambda, 1, crate::lent::relation(Substitute)).unwrap());
        assert!(!moves(&less(&twice), &lambda, 1, crate::lent::relation(Substitute)).unwrap());
    }
    // Much data and a large penalty: 2/(1 + Lambda) + sqrt(m - 1)/(2 Lambda^(3/2)) is less than twice the removal.
    let (lambda, m) = (integer(100), 10_001);
    let direct = ratio(2, 101) + ratio(100, 2 * 1000);
    assert!(moves(&direct, &lambda, m, crate::lent::relation(Substitute)).unwrap());
    assert!(
        !moves(
            &less(&direct),
            &lambda,
            m,
            crate::lent::relation(Substitute)
        )
        .unwrap()
    );
    // What is no parameter is not enough.
    for (lambda, m) in [(integer(0), 1), (integer(-1), 1), (integer(1), 0)] {
        assert!(
            !moves(
                &integer(1000),
                &lambda,
                m,
                crate::lent::relation(AddOrRemove)
            )
            .unwrap()
        );
    }
    assert!(
        !moves(
            &integer(-5),
            &integer(1),
            1,
            crate::lent::relation(AddOrRemove)
        )
        .unwrap()
    );
}
