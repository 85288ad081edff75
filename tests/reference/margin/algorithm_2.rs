//! Algorithm 2: the reference is the shipped `efficient`; what is printed is checked line by line.

use super::common::{Dice, dataset, plain, points, same_coins};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::geometry::sketch::RandomisedHadamard;
use dp_assay::margin::Margin;
use dp_assay::margin::descent::Phase;
use dp_assay::margin::efficient::EfficientParameters;
use dp_assay::margin::erm::{Accounting, ErmPlan};
use dp_assay::margin::map::Map;
use dp_assay::number::Rational;
use dp_assay::number::chosen::overridden;
use dp_assay::number::grid::clip_to_radius;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::{Budget, NeighbouringRelation::Substitute};
use dp_assay_reference::margin::algorithm_1::signs;
use dp_assay_reference::margin::algorithm_2::{Matrix, hadamard, learn, two_stage};
use dp_assay_reference::margin::algorithm_2_as_printed::{Required, algorithm_2};
use dp_assay_reference::margin::algorithm_4::{Public, is_enough};
use dp_assay_reference::margin::algorithm_4_as_printed::{self, algorithm_4};
use num_bigint::BigInt;

/// What the library found, as the reference takes it.
pub fn public(plan: &ErmPlan, q: &Rational, epsilon: &Rational) -> Public {
    Public {
        q: q.clone(),
        rounds: plan.rounds(),
        h: plan.step().clone(),
        bits: plan.phases().iter().map(Phase::bits).collect(),
        variances: plan.noise().map(|noise| noise.variance().clone()).collect(),
        epsilon: epsilon / BigInt::from(2),
    }
}

fn big(w: &[i64]) -> Vec<BigInt> {
    w.iter().copied().map(BigInt::from).collect()
}

fn draw(map: Map, d: usize, coins: &mut ChaCha) -> Matrix {
    match (map, map.rows(d)) {
        (Map::Signs(k), Some(_)) => signs(k, d, coins).unwrap(),
        (Map::Hadamard(k), Some(_)) => hadamard(k, d, coins).unwrap(),
        (Map::TwoStage { first, last }, Some(_)) => two_stage(last, first, d, coins).unwrap(),
        _ => (0..d)
            .map(|i| (0..d).map(|j| i64::from(i == j)).collect())
            .collect(),
    }
}

#[test]
fn the_reference_is_the_shipped_learner_on_the_same_coins() {
    let mut dice = Dice::new(8);
    let (mut clipped, mut on_the_sphere, mut identity) = (0, 0, 0);
    for seed in 0..300 {
        let d = dice.between(1, 6) as usize;
        let m = dice.one_of(&[2, 3, 8, 13]);
        let radius = dice.one_of(&[1, 16, 300]);
        let records = dice.records(m, radius, d);
        let map = dice.one_of(&[
            Map::Identity,
            Map::Signs(1),
            Map::Signs(3),
            Map::Hadamard(2),
            Map::Hadamard(4),
            Map::TwoStage { first: 3, last: 2 },
            Map::TwoStage { first: 1, last: 1 },
        ]);
        let gamma = dice.one_of(&[integer(0), ratio(1, 3), integer(3)]);
        let epsilon = dice.one_of(&[integer(2), integer(5000)]);
        let parameters = EfficientParameters {
            budget: Budget::approximate(epsilon.clone(), ratio(1, 100), Substitute).unwrap(),
            margin: Margin::new(integer(2), ratio(radius, 16), ratio(radius, 24)).unwrap(),
            map: overridden(map),
            distortion: overridden(gamma.clone()),
            rounds: overridden(2),
            accounting: Accounting::Mixture,
        };
        let data = dataset(radius, d, &records);
        let plan = parameters.plan(data.domain(), m).unwrap();
        let (mut ours, mut theirs) = same_coins(seed);

        let matrix = draw(map, d, &mut ours);
        let image = plan.erm().radius() as i64;
        let stretch = if map.rows(d).is_some() {
            gamma
        } else {
            integer(0)
        };
        identity += usize::from(map.rows(d).is_none());
        let q = integer(3) * (stretch + integer(1));
        let public = public(plan.erm(), &q, &epsilon);
        let (candidates, chosen, direction) = learn(
            &points(radius, d, &records),
            &matrix,
            image,
            &public,
            &mut ours,
        )
        .unwrap();
        let model = plan.learn(&data, &mut theirs).unwrap();
        let shipped: Vec<Vec<BigInt>> = model.candidates.iter().map(|w| big(w)).collect();
        assert_eq!((&candidates, chosen), (&shipped, model.chosen));
        assert_eq!(direction, big(&model.halfspace.direction));
        assert_eq!(ours.consumed(), theirs.consumed());
        for (x, _) in &records {
            let v = model.projection.apply(x).unwrap();
            let squared = v.iter().map(|v| v * v).sum::<i64>();
            clipped += usize::from(squared > image * image);
            on_the_sphere += usize::from(squared == image * image);
        }
    }
    assert!(
        clipped > 200 && on_the_sphere > 100,
        "{clipped} {on_the_sphere}"
    );
    assert!(identity > 50, "{identity}");
}

#[test]
fn the_certificate_is_that_of_the_projected_points() {
    let epsilon = integer(1);
    let parameters = EfficientParameters {
        budget: Budget::approximate(epsilon.clone(), ratio(1, 1000), Substitute).unwrap(),
        margin: Margin::new(integer(1), integer(1), ratio(1, 2)).unwrap(),
        map: overridden(Map::Signs(3)),
        distortion: overridden(ratio(1, 2)),
        rounds: overridden(2),
        accounting: Accounting::Mixture,
    };
    let data = dataset(16, 9, &Dice::new(9).records(20, 16, 9));
    let plan = parameters.plan(data.domain(), 20).unwrap();
    let public = public(plan.erm(), &integer(3), &epsilon);
    let image = plan.erm().radius() as i64;
    // One order for all J is valid as well, and here enough for a delta ten times as large.
    let orders = vec![integer(8); 60];
    let shape = (20, 3, image);
    assert!(is_enough(&public, shape, &orders, (&epsilon, &ratio(1, 100))).unwrap());
    assert!(!is_enough(&public, shape, &orders, (&epsilon, &ratio(1, 100_000))).unwrap());
}

#[test]
fn of_no_coordinates_and_of_radius_0_nothing_is_learned_and_nothing_panics() {
    let public = Public {
        q: integer(1),
        rounds: 1,
        h: integer(1),
        bits: vec![10],
        variances: vec![integer(1)],
        epsilon: integer(1),
    };
    let mut coins = ChaCha::reproducible(1, 0);
    let flat = points(4, 0, &vec![(vec![], true), (vec![], false)]);
    let (_, _, direction) = learn(&flat, &vec![], 4, &public, &mut coins).unwrap();
    assert!(direction.is_empty());
    let two = points(4, 1, &vec![(vec![1], true), (vec![0], false)]);
    assert!(learn(&two, &vec![vec![1]], 0, &public, &mut coins).is_err());
    let none = points(4, 1, &vec![]);
    assert!(learn(&none, &vec![vec![1]], 4, &public, &mut coins).is_err());
    assert_eq!(hadamard(3, 1, &mut coins).unwrap().len(), 3);
}

fn required(beta: Rational) -> Required {
    Required {
        epsilon: ratio(3, 2),
        delta: ratio(1, 50),
        lambda: ratio(5, 2),
        r: ratio(1, 2),
        rho: ratio(1, 4),
        beta,
    }
}

#[test]
fn what_is_printed_hands_projected_and_clipped_records_to_algorithm_4() {
    let mut dice = Dice::new(10);
    let mut clipped = 0;
    for seed in 0..60 {
        let d = dice.between(1, 6) as usize;
        let m = dice.between(2, 12) as usize;
        let one = dice.one_of(&[8, 30]);
        let records = dice.records(m, one / 2, d);
        let required = required(dice.one_of(&[ratio(1, 10), ratio(1, 3)]));
        let (mut ours, mut theirs) = same_coins(seed);
        let answer: Vec<BigInt> = (0..50).map(BigInt::from).collect();
        let mut seen = None;
        let (phi, w, w_priv) = algorithm_2(
            &plain(&records),
            one,
            &required,
            &mut ours,
            |s, steps, problem, coins| {
                seen = Some((s.to_vec(), steps, problem.clone(), coins.bits(9).unwrap()));
                Ok(answer[..s[0].0.len()].to_vec())
            },
        )
        .unwrap();
        // 1: k = epsilon m log(m/beta)/(log^(3/2)(1/delta) log(1/beta)), rounded up.
        let (beta, count) = (
            dp_assay::number::rational::to_f64_for_display(&required.beta),
            m as f64,
        );
        let k = 1.5 * count * (count / beta).ln() / (50f64.ln().powf(1.5) * (1.0 / beta).ln());
        assert_eq!(phi.len(), k.ceil() as usize);
        // 2: P H D, by the shipped map.
        let map = RandomisedHadamard::random(phi.len(), d, &mut theirs).unwrap();
        // 3: into the ball of 2 r = 1, in steps of 1/(one sqrt(k)).
        let (s, steps, problem, next) = seen.unwrap();
        assert_eq!(steps, (phi.len() as i64 * one * one).isqrt());
        for ((found, y), (x, label)) in s.iter().zip(plain(&records)) {
            let mut image = map.apply(&x).unwrap();
            let unclipped = image.clone();
            clip_to_radius(&mut image, steps as u64);
            clipped += usize::from(image != unclipped);
            assert_eq!((found, *y), (&image, label));
        }
        // 4: argmin over B^k(2 Lambda) at the margin rho, with the whole budget, by the coins that follow.
        assert_eq!((problem.lambda, problem.r), (integer(5), integer(1)));
        assert_eq!((problem.rho, problem.beta), (ratio(1, 4), required.beta));
        assert_eq!(
            (problem.epsilon, problem.delta),
            (ratio(3, 2), ratio(1, 50))
        );
        assert_eq!(next, theirs.bits(9).unwrap());
        // 5: Phi^T w.
        assert_eq!(w, answer[..phi.len()]);
        let weights: Vec<i64> = (0..phi.len() as i64).collect();
        assert_eq!(w_priv, big(&map.pull_back(&weights).unwrap()));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
    assert!(clipped > 50, "{clipped}");
}

#[test]
fn the_printed_algorithms_2_and_4_run_together() {
    let records = vec![
        (vec![8, 1, 0], true),
        (vec![-7, 0, 2], false),
        (vec![8, -2, 0], true),
        (vec![-8, 0, 0], false),
    ];
    let mut required = required(ratio(1, 4));
    required.epsilon = integer(1_000_000);
    let mut right = 0;
    for seed in 0..10 {
        let mut coins = ChaCha::reproducible(seed, 0);
        let (_, _, w) = algorithm_2(
            &plain(&records),
            16,
            &required,
            &mut coins,
            |s, steps, problem, coins| {
                let required = algorithm_4_as_printed::Required {
                    epsilon: problem.epsilon.clone(),
                    delta: problem.delta.clone(),
                    lambda: problem.lambda.clone(),
                    r: problem.r.clone(),
                    rho: problem.rho.clone(),
                    beta: problem.beta.clone(),
                    steps,
                    grid: 1 << 30,
                };
                algorithm_4(s, &required, coins)
            },
        )
        .unwrap();
        for (x, y) in &records {
            let product: BigInt = w.iter().zip(x).map(|(w, x)| w * x).sum();
            right += usize::from((product > BigInt::ZERO) == *y);
        }
    }
    assert!(right > 30, "{right}");
}
