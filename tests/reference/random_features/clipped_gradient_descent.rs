//! R6 against the shipped learner.

use super::support::{
    AddOrRemove, Instance, Small, Substitute, big, budget, grid, instances, one_in_a_thousand,
    same_coins,
};
use dp_assay::coins::Coins;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::noisy_descent;
use dp_assay::privacy::release;
use dp_assay::random_features::clipped_gradient_descent as r6;
use dp_assay::random_features::{Dataset, Domain, Record};
use dp_assay::sample::DiscreteGaussian;
use dp_assay_reference::data::Points;
use dp_assay_reference::random_features::clipped_gradient_descent::{Public, is_enough, learn};
use num_bigint::BigInt;

/// The public numbers of the reference for the parameters of the shipped learner.
fn public(parameters: &r6::Parameters, domain: &Domain, noise: &DiscreteGaussian) -> Public {
    let c_one = parameters.coefficient_grid.one();
    let y_one = domain.label_grid.one();
    let in_steps = |x: Rational| i64::try_from(x.floor().to_integer()).unwrap();
    Public {
        y_one,
        c_one,
        m: domain.records as i64,
        steps: parameters.steps,
        tau: in_steps(&parameters.residual_bound * integer(y_one)),
        rate: parameters.rate.clone(),
        radius: in_steps(&parameters.radius * integer(c_one)),
        variance: noise.variance().clone(),
    }
}

fn parameters(seed: usize) -> r6::Parameters {
    r6::Parameters {
        steps: [1, 3, 6][seed % 3],
        residual_bound: [integer(1), integer(2), ratio(7, 2), integer(100)][seed / 3 % 4].clone(),
        rate: [ratio(1, 2), integer(2), ratio(7, 5)][seed / 12 % 3].clone(),
        radius: [integer(64), integer(1), ratio(10, 3)][seed / 2 % 3].clone(),
        coefficient_grid: grid([8, 6, 14][seed / 5 % 3]),
    }
}

#[test]
fn it_returns_what_the_shipped_learner_returns() {
    let mut reached = 0;
    // A certificate takes longer than all else: of one in so many.
    let (all, one_in, enough_reached) = crate::by_day_or_night((180usize, 25, 15), (300, 5, 50));
    for seed in 0..all {
        let mut small = Small::new(seed as u64);
        let d = small.between(1, 3) as usize;
        let neighbours = if seed % 2 == 0 {
            Substitute
        } else {
            AddOrRemove
        };
        let most = small.between(1, 6) as usize;
        let count = match neighbours {
            Substitute => most,
            AddOrRemove => small.between(0, most as i64) as usize,
        };
        let domain = Domain {
            input_grid: grid(3),
            dimension: d,
            largest_feature: 8,
            label_grid: grid(2),
            largest_label: 16,
            neighbours,
            records: most,
        };
        let records = (0..count).map(|_| Record {
            // Corners of the cube have linear features on the sphere in dimension 3.
            features: (0..d)
                .map(|_| [8, -8, small.between(-8, 8)][small.between(0, 2) as usize])
                .collect(),
            label: [16, -16, 0, small.between(-16, 16)][small.between(0, 3) as usize],
        });
        let data = Dataset::new(domain, records.collect()).unwrap();
        let map = if seed % 4 < 2 {
            FeatureMap::linear(d, grid(3), grid(6)).unwrap()
        } else {
            let (mut coins, _) = same_coins(seed as u64);
            let w = Frequencies::draw(2, d, &integer(1), grid(4), &mut coins).unwrap();
            FeatureMap::new(w, grid(3), grid(6)).unwrap()
        };
        let parameters = parameters(seed);
        let budget = budget(neighbours);
        let noise = r6::noise(&domain, &map, &parameters, &budget).unwrap();
        let public = public(&parameters, &domain, &noise);
        let rows = data.features(&map).unwrap();
        let records = rows.iter().zip(data.labels());
        let records = records.map(|(row, y)| (row.iter().map(|&v| v.into()).collect(), y));
        let s = Points::new(64, map.dimension(), records.collect()).unwrap();
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = learn(&s, &public, &mut ours).unwrap();
        let model =
            r6::learn_with(&data, &map, &parameters, (&noise, &budget), &mut theirs).unwrap();
        assert_eq!(big(&found), model.coefficients);
        assert_eq!(ours.consumed(), theirs.consumed());
        let squared: i128 = found.iter().map(|&c| i128::from(c).pow(2)).sum();
        reached += usize::from(squared > (i128::from(public.radius) - 4).pow(2));
        // The reference certifies what the library found; less it does not.
        if seed % one_in == 0 {
            let (epsilon, delta) = one_in_a_thousand();
            let enough = |variance: Rational| {
                let public = Public {
                    variance,
                    ..public.clone()
                };
                let shape = (64, map.dimension() as u64);
                is_enough(
                    &public,
                    shape,
                    (&epsilon, &delta),
                    crate::lent::relation(neighbours),
                )
                .unwrap()
            };
            assert!(enough(public.variance.clone()));
            assert!(!enough(&public.variance * ratio(99, 100)));
        }
    }
    assert!(reached > enough_reached, "{reached}");
}

/// The shipped steps, one after the other, on any rows.
fn shipped_steps(
    instance: &Instance,
    parameters: &r6::Parameters,
    noise: &DiscreteGaussian,
    coins: &mut impl Coins,
) -> Vec<i64> {
    let (data, matrix, domain) = (instance.dataset(), instance.matrix(), instance.domain());
    let one = integer(parameters.coefficient_grid.one());
    let product = integer(1i64 << instance.feature_bits) * integer(instance.y_one());
    let scale = product * integer(domain.records as u64) / &one / &parameters.rate;
    let radius = i64::try_from((&parameters.radius * &one).floor().to_integer()).unwrap();
    let mut c = vec![0; instance.columns];
    for _ in 0..parameters.steps {
        let direction = r6::direction(&data, &matrix, &c, parameters).unwrap();
        let noisy = release(direction, noise, coins).unwrap();
        noisy_descent::step(&mut c, &noisy, &(&scale * &scale), radius);
    }
    c
}

#[test]
fn it_takes_the_shipped_steps_on_every_kind_of_row() {
    let mut empty = 0;
    for (seed, instance) in instances(300).into_iter().enumerate() {
        let parameters = parameters(seed);
        let noise =
            DiscreteGaussian::new([ratio(1, 1000), integer(900)][seed / 7 % 2].clone()).unwrap();
        let public = public(&parameters, &instance.domain(), &noise);
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = learn(&instance.points(), &public, &mut ours).unwrap();
        assert_eq!(
            found,
            shipped_steps(&instance, &parameters, &noise, &mut theirs)
        );
        assert_eq!(ours.consumed(), theirs.consumed());
        empty += usize::from(instance.records.is_empty());
    }
    assert!(empty > 20);
}

/// One record in one column, one step without noise from 0: labels and features in quarters, coefficients in eighths.
fn one_step(phi: i64, label: i64, tau: Rational, rate: Rational, radius: Rational) -> i64 {
    let instance = Instance {
        feature_bits: 2,
        label_bits: 2,
        largest_label: 1000,
        columns: 1,
        most: 1,
        neighbours: Substitute,
        records: vec![(vec![phi], label)],
    };
    let parameters = r6::Parameters {
        steps: 1,
        residual_bound: tau,
        rate,
        radius,
        coefficient_grid: grid(3),
    };
    let noise = DiscreteGaussian::new(ratio(1, 1000)).unwrap();
    let public = public(&parameters, &instance.domain(), &noise);
    let (mut ours, mut theirs) = same_coins(0);
    let found = learn(&instance.points(), &public, &mut ours).unwrap();
    assert_eq!(
        found,
        shipped_steps(&instance, &parameters, &noise, &mut theirs)
    );
    found[0]
}

#[test]
fn on_every_boundary_too() {
    let at = |phi, label| one_step(phi, label, integer(2), integer(1), integer(64));
    // The clip at 2, which is 8 quarters: a step below, met, a step beyond; both signs.
    for (label, c) in [
        (7, 14),
        (8, 16),
        (9, 16),
        (-7, -14),
        (-8, -16),
        (-9, -16),
        (0, 0),
    ] {
        assert_eq!(at(4, label), c);
    }
    assert_eq!(at(0, 8), 0);
    // A step between two steps of c goes towards zero: 3/4 of 1/4 is 3/16, and 3/2 eighths.
    assert_eq!((at(3, 1), at(3, -1)), (1, -1));
    // The ball met, and a step beyond it.
    let in_ball = |label| one_step(4, label, integer(9), integer(1), integer(2));
    assert_eq!((in_ball(8), in_ball(9), in_ball(-9)), (16, 16, -16));
}

#[test]
fn a_residual_is_rounded_towards_zero_before_it_is_clipped() {
    // Two records, two steps without noise. phi = 1, labels in quarters, c in eighths: after the first step c = 1/8, and the
    // residuals -1/8 and 3/8 are 0 and 1/4.
    let instance = Instance {
        feature_bits: 2,
        label_bits: 2,
        largest_label: 8,
        columns: 1,
        most: 2,
        neighbours: Substitute,
        records: vec![(vec![4], 0), (vec![4], 2)],
    };
    let parameters = r6::Parameters {
        steps: 2,
        residual_bound: integer(1),
        rate: ratio(1, 2),
        radius: integer(64),
        coefficient_grid: grid(3),
    };
    let noise = DiscreteGaussian::new(ratio(1, 1000)).unwrap();
    let public = public(&parameters, &instance.domain(), &noise);
    let (mut ours, mut theirs) = same_coins(0);
    let found = learn(&instance.points(), &public, &mut ours).unwrap();
    assert_eq!(
        found,
        shipped_steps(&instance, &parameters, &noise, &mut theirs)
    );
    // 1/2 of 1/2 over 2 is 1/8; then 1/4 of 1/2 over 2 is 1/16, half a step.
    assert_eq!(found, [1]);
}

#[test]
fn no_record_has_as_many_coefficients_and_coins_as_any() {
    let none = Points::<i64>::new(64, 3, Vec::new()).unwrap();
    let one = Points::new(64, 3, vec![(vec![64, 0, 0], 4)]).unwrap();
    let public = Public {
        y_one: 4,
        c_one: 256,
        m: 5,
        steps: 4,
        tau: 8,
        rate: integer(1),
        radius: 256,
        variance: integer(1),
    };
    let run = |s| {
        let (mut coins, _) = same_coins(3);
        let c = learn(s, &public, &mut coins).unwrap();
        (c.len(), coins.consumed())
    };
    assert_eq!(run(&none), run(&one));
    assert_eq!(run(&none).0, 3);
}

#[test]
fn the_certificate_counts_steps_and_the_relation() {
    // tau phi_one = 8 * 64, T = 4, d = 3.
    let (epsilon, delta) = one_in_a_thousand();
    for (neighbours, moved) in [(AddOrRemove, 512i64), (Substitute, 1024)] {
        let squared = BigInt::from(moved * moved * 4);
        let least =
            dp_assay::privacy::discrete_gaussian::variance(&budget(neighbours), &squared, 12)
                .unwrap();
        let enough = |variance| {
            let public = Public {
                y_one: 4,
                c_one: 256,
                m: 5,
                steps: 4,
                tau: 8,
                rate: integer(1),
                radius: 256,
                variance,
            };
            is_enough(
                &public,
                (64, 3),
                (&epsilon, &delta),
                crate::lent::relation(neighbours),
            )
            .unwrap()
        };
        assert!(enough(least.clone()));
        assert!(!enough(least * ratio(999, 1000)));
    }
}
