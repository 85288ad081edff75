use super::common::{
    Numbers, budget, gaussian, on, optimum, point, polynomial, problem, same_coins,
};
use dp_assay::coins::Coins;
use dp_assay::kernels::test_independent::{TestIndependentPlan, learn as shipped_learn};
use dp_assay::kernels::{Calibration, TestIndependent};
use dp_assay::law::Noise;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, nearest, ratio};
use dp_assay::sample::DiscreteLaplace;
use dp_assay_reference::kernels::algorithm_2;
use dp_assay_reference::kernels::algorithm_3::{Chosen, learn};
use dp_assay_reference::kernels::kernel::{Expansion, Kernel};
use dp_assay_reference::kernels::minimiser::{Loss, Problem};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

struct Setting {
    kernel: Kernel,
    problem: Problem,
    chosen: Chosen,
    plan: TestIndependentPlan,
}

fn setting(
    kernel: Kernel,
    loss: Loss,
    n: u64,
    epsilon: Rational,
    b: u64,
    calibration: Calibration,
) -> Setting {
    let (ours, _, sensitivity) = problem(&kernel, loss, ratio(1, 10), n);
    let asked = TestIndependent {
        budget: budget(epsilon.clone(), ratio(1, 1000)),
        calibration,
        failure: ratio(1, 20),
        norm_bound: integer(3),
    };
    let plan = asked
        .plan_of_rounds(&sensitivity, &on(&kernel), 6, b)
        .unwrap();
    let enough = algorithm_2::is_enough((2 * b, plan.loss()), (&epsilon, &ratio(1, 1000))).unwrap();
    assert!(enough, "the library's loss is not certified");
    Setting {
        chosen: Chosen {
            b,
            e: plan.loss().clone(),
            beta: ratio(1, 20),
        },
        kernel,
        problem: ours,
        plan,
    }
}

fn settings() -> Vec<Setting> {
    let (exact, closed, pure) = (Calibration::Exact, Calibration::Closed, Calibration::Pure);
    vec![
        setting(
            polynomial(1, 0, 2, 0, 3),
            Loss::Linear,
            100_000,
            integer(1),
            5,
            exact,
        ),
        setting(
            polynomial(2, 1, 2, 1, 4),
            Loss::Hinge,
            1_000,
            integer(5),
            3,
            closed,
        ),
        setting(
            polynomial(1, 0, 2, 26, 1 << 26),
            Loss::Logistic,
            1_000,
            integer(20),
            4,
            pure,
        ),
        setting(
            gaussian(ratio(1, 2), 2, 3, 8),
            Loss::Huber { width: integer(1) },
            1_000,
            integer(50),
            4,
            pure,
        ),
        // Hardly any noise, sigma a few steps: differences on the edge.
        setting(
            polynomial(1, 0, 2, 0, 2),
            Loss::Linear,
            100,
            integer(400),
            3,
            pure,
        ),
        setting(
            polynomial(1, 0, 2, 0, 2),
            Loss::Linear,
            100,
            integer(90),
            1,
            pure,
        ),
    ]
}

/// The same by both: the terms of the model, and whether a round was quiet.
fn same(setting: &Setting, w: &Expansion, net: &[Vec<i64>], seed: u64) -> (Expansion, bool) {
    let (mut ours, mut theirs) = same_coins(seed);
    let found = learn(w, &setting.problem, net, &setting.chosen, &mut ours).unwrap();
    let points: Vec<_> = net.iter().map(|z| point(z)).collect();
    let expected = shipped_learn(
        &optimum(&setting.kernel, w),
        &points,
        &setting.plan,
        &mut theirs,
    )
    .unwrap();
    assert_eq!(ours.consumed(), theirs.consumed());
    assert_eq!(found.1, expected.quiet);
    let terms: Vec<_> = found
        .0
        .iter()
        .map(|(alpha, z)| (point(z), alpha.is_positive()))
        .collect();
    assert_eq!(expected.model.terms(), terms);
    assert!(
        found
            .0
            .iter()
            .all(|(alpha, _)| alpha.abs() == *setting.plan.rate())
    );
    found
}

#[test]
fn it_is_the_shipped_learner() {
    let mut numbers = Numbers(13);
    let (mut updates, mut quiet, mut never) = (0, 0, 0);
    for setting in settings() {
        for seed in 0..60 {
            let factor = ratio(1 << numbers.next(5).abs(), 2) / setting.kernel.squared_r();
            let w = numbers.expansion(&setting.kernel, 3, &(setting.plan.threshold() * factor));
            let mut net: Vec<Vec<i64>> = (0..6).map(|_| numbers.point(&setting.kernel)).collect();
            // Ties: a point that is there again, its negative, and the origin.
            net[1] = net[0].clone();
            net[2] = net[0].iter().map(|z| -z).collect();
            net[3] = vec![0; setting.kernel.d];
            let (model, was_quiet) = same(&setting, &w, &net, seed);
            updates += model.len();
            if was_quiet { quiet += 1 } else { never += 1 }
        }
    }
    println!("{updates} updates, {quiet} quiet, {never} without a quiet round");
    assert!(updates > 200 && quiet > 100 && never > 20);
}

#[test]
fn a_difference_of_exactly_sigma_is_quiet() {
    // One point, so that only the noise is drawn.
    let mut edge = [0; 2];
    for setting in settings().iter().skip(4) {
        let (u, sigma) = (
            setting.plan.sensitivity() / integer(16),
            setting.plan.threshold(),
        );
        let noise = DiscreteLaplace::new(integer(16) / &setting.chosen.e).unwrap();
        let net = vec![vec![2, 0]; 6];
        for seed in 0..60 {
            for steps in [-1, 0, 1] {
                for sign in [-1, 1] {
                    let mu = (&sigma + &u * integer(steps)) * integer(sign) / integer(4);
                    let w = vec![(mu, vec![2, 0])];
                    let (model, was_quiet) = same(setting, &w, &net, seed);
                    // All points are one class of scores: its rank is drawn, and then the noise.
                    let (mut coins, _) = same_coins(seed);
                    coins.uniform_below(&6u32.into()).unwrap();
                    let exact = setting.kernel.predict(&w, &[2, 0]).unwrap() / &u;
                    let d = coins.draw(&noise.around(nearest(&exact))).unwrap();
                    let sigma: BigInt = (&sigma / &u).to_integer();
                    if d.abs() == sigma {
                        edge[0] += 1;
                        assert!(was_quiet && model.is_empty());
                    } else if d.abs() == sigma + 1 {
                        edge[1] += 1;
                        assert!(!model.is_empty());
                    }
                }
            }
        }
    }
    println!("{edge:?} on the edge and beyond");
    assert!(edge[0] > 50 && edge[1] > 50);
}

/// Scores at and about the largest that count, and far beyond.
#[test]
fn large_scores_are_cut_off_as_in_the_shipped_learner() {
    let setting = &settings()[4];
    let u = setting.plan.sensitivity() / integer(16);
    let most = integer(dp_assay::sample::LARGEST_EXPONENT * 2 * 16) / &setting.chosen.e;
    let most = most.to_integer().to_i64().unwrap();
    for steps in [most - 1, most, most + 1, 2 * most, 1 << 60] {
        // Predictions 4 mu and -2 mu, a little less than half of it, and 0.
        let w = vec![(&u * integer(steps) / integer(4), vec![2, 0])];
        let net = [
            vec![2, 0],
            vec![-1, 0],
            vec![1, 0],
            vec![0, 1],
            vec![2, 0],
            vec![-2, 0],
        ];
        for seed in 0..crate::by_day_or_night(5, 20) {
            let (model, _) = same(setting, &w, &net, seed);
            assert_eq!(model.len(), 3);
        }
    }
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_drawn() {
    let Setting {
        problem, chosen, ..
    } = &settings()[0];
    let (mut coins, _) = same_coins(1);
    for wrong in [vec![vec![0, 3], vec![3, 1]], vec![vec![1]], vec![]] {
        assert!(learn(&vec![], problem, &wrong, chosen, &mut coins).is_err());
    }
    // A kernel whose errors add up to more than half of omega in so many rounds.
    let many = Chosen {
        b: 1 << 60,
        ..chosen.clone()
    };
    let rounded = &settings()[2].problem;
    assert!(learn(&vec![], rounded, &[vec![0, 1]], &many, &mut coins).is_err());
    assert_eq!(coins.consumed(), 0);
}
