//! F' against the shipped learner `full_batch`. It draws its noise from tables from 4,096 coordinates on: all instances here are below.

use super::common::{Records, any_records, assert_same_model, points, same_coins, shipped};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::steps::overridden;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::{Budget, NeighbouringRelation, Zcdp};
use dp_assay_reference::data::Points;
use dp_assay_reference::halfspaces::full_batch_descent::{Public, is_enough, learn};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

fn parameters(
    (epsilon, delta): (&Rational, &Rational),
    mu: &Rational,
    (m, k, steps): (Option<usize>, u32, Option<u64>),
) -> FullBatchParameters {
    let budget = Budget::approximate(
        epsilon.clone(),
        delta.clone(),
        NeighbouringRelation::Substitute,
    );
    FullBatchParameters {
        budget: budget.unwrap(),
        margin: mu.clone(),
        smoothing: integer(0),
        projected_dimension: overridden(m),
        runs: overridden(k),
        steps,
    }
}

fn public(plan: &FullBatchPlan) -> Public {
    let parameters = plan.parameters();
    Public {
        m: parameters.projected_dimension.value,
        mu: parameters.margin.clone(),
        width: (plan.width() * integer(plan.shape().grid.one()))
            .to_integer()
            .to_u64()
            .unwrap(),
        epsilon: parameters.budget.epsilon().clone(),
        k: parameters.runs.value,
        steps: plan.steps(),
        variance: plan.noise().variance().clone(),
        squared_eta: plan.squared_scale().recip(),
    }
}

/// Runs both; returns how many of the candidates are close to the sphere.
fn compare(bits: u32, records: &Records, parameters: &FullBatchParameters, seed: u64) -> usize {
    let data = shipped(bits, records);
    let plan = parameters.plan(data.shape()).unwrap();
    let public = public(&plan);
    let draws = plan.steps() * plan.dimension() as u64 * u64::from(public.k);
    assert!(draws < 4096, "{draws}");
    let (mut ours, mut theirs) = same_coins(seed);
    let found = learn(&points(bits, records), &public, &mut ours).unwrap();
    let model = plan.learn(&data, &mut theirs).unwrap();
    assert_same_model(&found, &model, data.dimension());
    assert_eq!(ours.consumed(), theirs.consumed());
    let near_the_sphere =
        |w: &&Vec<i64>| w.iter().map(|w| w * w).sum::<i64>() >= (1 << (2 * bits)) / 2;
    found.candidates.iter().filter(near_the_sphere).count()
}

#[test]
fn the_shipped_learner_returns_the_same_on_the_same_coins() {
    let mut coins = ChaCha::reproducible(31, 0);
    let (mut runs, mut near_the_sphere) = (0, 0);
    let (all, enough_near) = crate::by_day_or_night((84u64, 2), (240, 20));
    for round in 0..all {
        let bits = [0, 1, 2, 3, 5, 12, 20][round as usize % 7];
        let d = 1 + (round / 7 % 3) as usize;
        let records = any_records(2 + (round % 9) as usize, d, bits, &mut coins);
        let mu = [ratio(1, 2), integer(1), ratio(3, 10)][round as usize % 3].clone();
        let epsilon = [integer(3000), integer(100), integer(1)][round as usize / 3 % 3].clone();
        let m = [None, Some(1), Some(2), Some(3)][round as usize % 4];
        let steps = [Some(1), Some(2), Some(7), Some(40)][round as usize / 2 % 4];
        let parameters = parameters(
            (&epsilon, &ratio(1, 10)),
            &mu,
            (m, 1 + (round % 3) as u32, steps),
        );
        near_the_sphere += compare(bits, &records, &parameters, round);
        runs += 1;
    }
    assert_eq!(runs, all);
    assert!(near_the_sphere > enough_near, "{near_the_sphere}");
}

/// One run that is smoothed over all of its margin, as the command runs it, over a part of it, and over a step of the grid.
#[test]
fn a_smoothed_run_is_the_same_too() {
    let mut coins = ChaCha::reproducible(33, 0);
    for round in 0..60u64 {
        let bits = [1, 3, 5, 12, 20][round as usize % 5];
        let d = 1 + (round / 5 % 3) as usize;
        let records = any_records(2 + (round % 9) as usize, d, bits, &mut coins);
        let mu = [ratio(1, 2), integer(1), ratio(3, 10)][round as usize % 3].clone();
        let epsilon = [integer(3000), integer(100), integer(1)][round as usize / 3 % 3].clone();
        let m = [None, Some(2)][round as usize % 2];
        let smoothing = [integer(1), ratio(1, 3), ratio(1, 1 << 20)];
        let parameters = FullBatchParameters {
            smoothing: smoothing[round as usize / 2 % 3].clone(),
            ..parameters((&epsilon, &ratio(1, 10)), &mu, (m, 1, Some(40)))
        };
        compare(bits, &records, &parameters, round);
    }
}

/// The length of a step, which is told to the reference, by its formula: `1/(T (n^2 + m v/4^b))`, and smoothed
/// `1/(n 2^b/W + r)^2` for the width `W` in steps and the least integer `r` above `sqrt(ceil(T m v/4^b))`.
#[test]
fn the_steps_are_as_long_as_the_theorems_say() {
    let (n, d, bits, steps) = (30usize, 2, 6, 7u64);
    let data = shipped(bits, &vec![(vec![0; d], true); n]);
    let shape = data.shape();
    let plan = |smoothing: Rational| {
        let mu = ratio(3, 10);
        let hinge = parameters((&integer(1), &ratio(1, 1000)), &mu, (None, 1, Some(steps)));
        let parameters = FullBatchParameters { smoothing, ..hinge };
        public(&parameters.plan(shape).unwrap())
    };
    let hinge = plan(integer(0));
    let of_noise = &hinge.variance * integer(steps) * integer(d as u64) / integer(1 << (2 * bits));
    let of_records = integer(steps) * integer((n * n) as u64);
    assert_eq!(hinge.squared_eta.recip(), of_records + &of_noise);
    let smoothed = plan(ratio(1, 2));
    // 3/20 of 64 is 9.6 steps.
    assert_eq!((smoothed.width, hinge.width), (10, 0));
    let root = |r: u64| integer(n as u64) * ratio(1 << bits, 10) + integer(r);
    let squared = of_noise.ceil();
    let r = (0..).find(|&r| integer(r) * integer(r) > squared).unwrap();
    assert_eq!(smoothed.squared_eta.recip(), root(r).pow(2));
}

/// The learner as the command runs it on small data: the theorem's runs and steps, no projection.
#[test]
fn the_theorem_s_parameters_are_learned_with_too() {
    let mut coins = ChaCha::reproducible(32, 0);
    for seed in 0..20 {
        let records = any_records(12, 2, 10, &mut coins);
        let goal = (&ratio(1, 10), &ratio(1, 10));
        let budget =
            Budget::approximate(integer(2), ratio(1, 1000), NeighbouringRelation::Substitute);
        let parameters =
            FullBatchParameters::from_theorem(goal, budget.unwrap(), &ratio(3, 5), (12, 2));
        compare(10, &records, &parameters.unwrap(), seed);
    }
}

/// One dimension on the grid of quarters, with little noise: `w` is at the kink 1/2 often, and at the ends.
#[test]
fn a_record_at_the_kink_is_not_followed() {
    for seed in 0..120 {
        let label = |i: u64| (seed >> i) & 1 == 1;
        let records = (0..4)
            .map(|i| (vec![if i == 3 { 0 } else { 4 }], label(i)))
            .collect();
        let parameters = parameters(
            (&integer(20_000), &ratio(1, 10)),
            &ratio(1, 2),
            (None, 2, Some(40)),
        );
        compare(2, &records, &parameters, seed);
    }
}

/// A good order, by halving the interval of its logarithm: the bound falls and then rises.
fn good_order(rho: &Rational, epsilon: &Rational) -> Rational {
    let zcdp = Zcdp::new(rho.clone(), NeighbouringRelation::Substitute).unwrap();
    let at = |step: i64| {
        let excess = ratio(1001, 1000).pow(step as i32);
        let excess = Rational::new(
            (excess.numer() << 64) / excess.denom(),
            BigInt::from(1) << 64,
        );
        let bound = zcdp.delta_of_order(&excess, epsilon, 96).unwrap();
        (bound.midpoint().to_rational(), excess)
    };
    let (mut low, mut high) = (-7000, 14_000);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if at(middle).0 < at(middle + 1).0 {
            high = middle
        } else {
            low = middle
        }
    }
    at(low + 1).1 + integer(1)
}

#[test]
fn the_shipped_noise_is_enough_at_a_good_order_and_a_thousandth_less_is_not_at_any() {
    for (n, d, bits, k, steps, epsilon, delta) in [
        (30, 2, 4, 7, None, ratio(2, 1), ratio(1, 1_000_000)),
        (400, 5, 16, 8, Some(50), ratio(1, 10), ratio(1, 1000)),
        (2, 1, 0, 1, Some(1), ratio(50, 1), ratio(1, 10)),
        (10, 3, 12, 5, Some(3), ratio(1, 1), ratio(9, 10)),
    ] {
        let data = shipped(bits, &vec![(vec![0; d], true); n]);
        let plan = parameters((&epsilon, &delta), &ratio(1, 2), (None, k, steps))
            .plan(data.shape())
            .unwrap();
        let (public, one) = (public(&plan), 1i64 << bits);
        // One run has all of epsilon.
        let share = &epsilon / BigInt::from(if k == 1 { 1 } else { 2 });
        let order = good_order(plan.rho().rho(), &share);
        assert!(
            is_enough(&public, one, &delta, &order).unwrap(),
            "{n} {order}"
        );
        let less = Public {
            variance: &public.variance * ratio(999, 1000),
            ..public.clone()
        };
        for excess in (-40..40).map(|step| ratio(11, 10).pow(step)) {
            let order = (&order - integer(1)) * excess + integer(1);
            assert!(
                !is_enough(&less, one, &delta, &order).unwrap(),
                "{n} {order}"
            );
        }
        // With more to publish it is not enough either.
        for dearer in [
            Public {
                k: k + 1,
                ..public.clone()
            },
            Public {
                steps: public.steps + 1,
                ..public.clone()
            },
            Public {
                epsilon: &epsilon * ratio(99, 100),
                ..public.clone()
            },
        ] {
            assert!(!is_enough(&dearer, one, &delta, &order).unwrap());
        }
        assert!(!is_enough(&public, 2 * one, &delta, &order).unwrap());
    }
}

#[test]
fn data_of_every_shape_are_learned_or_refused_by_their_shape_alone() {
    let public = Public {
        m: None,
        mu: ratio(1, 2),
        epsilon: integer(1),
        k: 2,
        steps: 3,
        variance: integer(100),
        width: 0,
        squared_eta: ratio(1, 50),
    };
    let mut coins = ChaCha::reproducible(1, 0);
    let learned =
        |s: &Points<bool>, public: &Public, coins: &mut ChaCha| learn(s, public, coins).is_ok();
    for x in [vec![0, 0], vec![4, 0], vec![-2, 2]] {
        for n in 0..3 {
            let s = Points::new(4, 2, vec![(x.clone(), true); n]).unwrap();
            for m in [None, Some(1), Some(3)] {
                assert!(learned(
                    &s,
                    &Public {
                        m,
                        ..public.clone()
                    },
                    &mut coins
                ));
            }
            for refused in [
                Public {
                    m: Some(0),
                    ..public.clone()
                },
                Public {
                    k: 0,
                    ..public.clone()
                },
                Public {
                    steps: 0,
                    ..public.clone()
                },
                Public {
                    mu: integer(0),
                    ..public.clone()
                },
                Public {
                    variance: integer(0),
                    ..public.clone()
                },
            ] {
                assert!(!learned(&s, &refused, &mut coins), "{refused:?}");
            }
        }
    }
    let flat = Points::new(4, 0, vec![(vec![], true); 2]).unwrap();
    assert!(!learned(&flat, &public, &mut coins));
    assert!(learned(
        &flat,
        &Public {
            m: Some(2),
            ..public.clone()
        },
        &mut coins
    ));
    let finest = Points::new(i64::MAX, 2, vec![(vec![i64::MAX / 2; 2], true); 2]).unwrap();
    assert!(learned(
        &finest,
        &Public {
            m: Some(2),
            ..public.clone()
        },
        &mut coins
    ));
    let without_noise = Public {
        variance: integer(0),
        ..public.clone()
    };
    assert!(is_enough(&without_noise, 4, &ratio(1, 10), &integer(2)).is_err());
    assert!(is_enough(&public, 4, &ratio(1, 10), &integer(1)).is_err());
    let _ = coins.consumed();
}
