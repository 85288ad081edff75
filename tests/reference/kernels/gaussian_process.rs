use super::common::{
    Numbers, budget, gaussian, on, optimum, point, polynomial, problem, same_coins,
};
use crate::lent::Tape;
use dp_assay::coins::Coins;
use dp_assay::kernels::gaussian_process::{GaussianProcess, Plan, Session as Shipped};
use dp_assay::kernels::{GaussianTargets, gaussian_targets};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::number::{Enclosure, Rational};
use dp_assay_reference::kernels::gaussian_process::{Session, answer, is_enough};
use dp_assay_reference::kernels::kernel::Kernel;
use dp_assay_reference::kernels::minimiser::{Loss, Problem, eta, squared_d};
use dp_assay_reference::kernels::span::nearest_in_span;
use dp_assay_reference::privacy::discrete_gaussian;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

struct Setting {
    kernel: Kernel,
    problem: Problem,
    m: usize,
    plan: Plan,
}

fn setting(kernel: Kernel, loss: Loss, lambda: Rational, n: u64, m: usize) -> Setting {
    let (ours, _, sensitivity) = problem(&kernel, loss, lambda, n);
    let asked = GaussianProcess {
        budget: budget(integer(2), ratio(1, 1_000_000)),
        coordinates: m,
    };
    let plan = asked.plan(&sensitivity, &on(&kernel)).unwrap();
    Setting {
        kernel,
        problem: ours,
        m,
        plan,
    }
}

impl Setting {
    fn open(&self) -> Session {
        open(&self.kernel, self.m, &self.plan)
    }
}

fn open(kernel: &Kernel, m: usize, plan: &Plan) -> Session {
    let longest = plan.longest() * integer(BigInt::from(1) << 64);
    Session {
        kernel: kernel.clone(),
        m,
        longest: longest.to_integer(),
        gamma: plan.step().clone(),
        variance: plan.variance() / plan.step() / plan.step(),
        z: Vec::new(),
        e: Vec::new(),
        v: Vec::new(),
    }
}

fn settings() -> Vec<Setting> {
    vec![
        setting(polynomial(1, 0, 3, 2, 4), Loss::Linear, integer(1), 100, 3),
        setting(polynomial(1, 0, 4, 2, 4), Loss::Hinge, integer(1), 100, 2),
        setting(
            polynomial(3, 1, 2, 0, 2),
            Loss::Hinge,
            ratio(1, 10),
            1_000,
            8,
        ),
        setting(
            gaussian(ratio(1, 2), 2, 3, 8),
            Loss::Hinge,
            integer(1),
            1_000,
            6,
        ),
        // Rounded values, and weights that may not be long: the second point of two near ones is no coordinate.
        setting(
            polynomial(2, 0, 2, 15, 1 << 15),
            Loss::Linear,
            integer(4),
            100_000,
            5,
        ),
    ]
}

#[test]
fn it_is_the_shipped_session() {
    let mut numbers = Numbers(17);
    let (mut added, mut not_added, mut outside) = (0, 0, 0);
    for setting in settings() {
        let kernel = &setting.kernel;
        for seed in 0..24 {
            let w = numbers.expansion(kernel, 3, &integer(2));
            let shipped_w = optimum(kernel, &w);
            let (mut ours, mut theirs) = same_coins(seed);
            let mut session = setting.open();
            let mut shipped = Shipped::open(&shipped_w, setting.plan.clone(), &mut theirs);
            let mut asked: Vec<Vec<i64>> = Vec::new();
            for query in 0..10 {
                let z = match query {
                    1 => vec![kernel.radius + 1; kernel.d],
                    3 => vec![0; kernel.d],
                    5 => asked[0].clone(),
                    // Next to one that was asked.
                    6 => asked[0].iter().map(|z| z - z.signum()).collect(),
                    _ => numbers.point(kernel),
                };
                let found = answer(&mut session, &w, &z, &mut ours);
                match shipped.answer(&point(&z), &mut theirs) {
                    Ok(expected) => {
                        assert_eq!(found.unwrap(), (expected.value, expected.squared_rest));
                        if expected.added {
                            added += 1
                        } else {
                            not_added += 1
                        }
                        asked.push(z);
                    }
                    Err(_) => {
                        assert!(found.is_err());
                        outside += 1;
                    }
                }
                assert_eq!(ours.consumed(), theirs.consumed());
            }
            let released: Vec<_> = session
                .z
                .iter()
                .zip(&session.v)
                .map(|(z, v)| (point(z), v.clone()))
                .collect();
            let expected: Vec<_> = shipped
                .released()
                .map(|(z, v)| (z.clone(), v.clone()))
                .collect();
            assert_eq!(released, expected);
        }
    }
    println!("{added} coordinates added, {not_added} not, {outside} outside");
    assert!(added > 200 && not_added > 200 && outside > 100);
}

/// Unit vectors in steps of `2^-10`, as in the shipped test: 1 + 1023^2 + 43^2 + 14^2 + 1 = 4 + 1023^2 + 45^2 + 9 + 9 = 2^20.
#[test]
fn weights_of_exactly_the_largest_length_are_taken_and_one_step_more_is_not() {
    let kernel = polynomial(1, 0, 1, 0, 2);
    let w = vec![(integer(1), vec![1])];
    let with = |longest: BigInt, z: i64| {
        let mut session = Session {
            kernel: kernel.clone(),
            m: 1,
            longest,
            gamma: integer(1),
            variance: ratio(1, 1_000_000),
            z: Vec::new(),
            e: Vec::new(),
            v: Vec::new(),
        };
        let (mut coins, _) = same_coins(1);
        let (_, rest) = answer(&mut session, &w, &[z], &mut coins).unwrap();
        (session.z.len(), rest)
    };
    // e_1 = phi(2)/2 has the weight 1/2.
    let half: BigInt = BigInt::from(1) << 63;
    assert_eq!(with(half.clone(), 2), (1, integer(0)));
    assert_eq!(with(half - 1, 2), (0, integer(4)));
    // At the origin nothing is left.
    assert_eq!(with(BigInt::from(1) << 100, 0), (0, integer(0)));
}

#[test]
fn a_session_goes_on_in_the_span_after_its_last_coordinate() {
    let setting = &settings()[1];
    let mut session = setting.open();
    let (mut coins, _) = same_coins(3);
    let w = vec![(integer(1), vec![1, 2, 3, 0])];
    let unit = |j: usize| {
        (0..4)
            .map(|i| if i == j { 4 } else { 0 })
            .collect::<Vec<i64>>()
    };
    for j in 0..4 {
        let before = coins.consumed();
        let (value, rest) = answer(&mut session, &w, &unit(j), &mut coins).unwrap();
        if j < 2 {
            assert!(rest.is_zero() && coins.consumed() > before);
        } else {
            assert_eq!((value, rest), (integer(0), integer(1)));
            assert_eq!(coins.consumed(), before);
        }
    }
}

#[test]
fn coins_that_fail_end_the_session() {
    let setting = &settings()[0];
    let mut session = setting.open();
    let (mut coins, _) = same_coins(1);
    let w = vec![(integer(1), vec![1, 1, 1])];
    assert!(answer(&mut session, &w, &[1, 0, 0], &mut Tape::written("1")).is_err());
    assert!(answer(&mut session, &w, &[1, 0, 0], &mut coins).is_err() && coins.consumed() == 0);
}

#[test]
fn the_noise_that_the_library_finds_is_certified_and_less_is_not() {
    let (epsilon, delta) = (integer(2), ratio(1, 1_000_000));
    for setting in settings() {
        let mut session = setting.open();
        assert!(is_enough(&setting.problem, &session, (&epsilon, &delta)).unwrap());
        session.variance *= ratio(19, 20);
        assert!(!is_enough(&setting.problem, &session, (&epsilon, &delta)).unwrap());
        // Nor is the same noise on a coarser grid, or with longer weights where values are rounded.
        let mut coarse = setting.open();
        coarse.gamma *= integer(100);
        coarse.variance /= integer(10_000);
        assert!(!is_enough(&setting.problem, &coarse, (&epsilon, &delta)).unwrap());
        let mut long = setting.open();
        long.longest *= 1000;
        let exact = setting.kernel.error().is_zero();
        assert_eq!(
            is_enough(&setting.problem, &long, (&epsilon, &delta)).unwrap(),
            exact
        );
    }
}

/// `D'^2` in squared steps, by `D' = (1 + 2^-11) D + sqrt(m) (2 A eta + gamma)`.
fn squared_steps(problem: &Problem, session: &Session) -> BigInt {
    let root = |x: &Rational| Enclosure::of(x, 300).sqrt().unwrap();
    let longest = Rational::new(session.longest.clone(), BigInt::from(1) << 64);
    let each = longest * eta(problem).unwrap() * integer(2) + &session.gamma;
    let of_vector = root(&(squared_d(problem).unwrap() * ratio(2049 * 2049, 2048 * 2048)));
    let moved = of_vector + root(&(&each * &each * integer(session.m as u64)));
    let steps = moved.upper() / &session.gamma;
    (&steps * &steps).to_integer().max(1.into())
}

#[test]
fn noise_is_enough_from_the_delta_on_that_hides_what_moves() {
    let epsilon = integer(1);
    // By day each second.
    let step = crate::by_day_or_night(2, 1);
    for setting in settings().into_iter().step_by(step) {
        // As planned; on a coarse grid, where rounding counts; and with long weights, where the error of evaluation counts.
        for (coarser, longer) in [(1, 0), (1 << 22, 0), (1, 12)] {
            let mut session = setting.open();
            session.gamma *= integer(coarser);
            session.longest <<= longer;
            let squared = squared_steps(&setting.problem, &session);
            session.variance = integer(squared.clone()) * ratio(3, 2) + ratio(1, 2);
            let m = setting.m as u64;
            let delta = discrete_gaussian::delta(&session.variance, &squared, m, &epsilon).unwrap();
            let enough = |delta: &Rational| {
                is_enough(&setting.problem, &session, (&epsilon, delta)).unwrap()
            };
            assert!(enough(&delta), "{coarser} {longer}");
            assert!(!enough(&(&delta * (integer(1) - ratio(1, 1 << 60)))));
        }
    }
}

/// `gaussian_targets`, which has no file: the answers of a session at the public points, and what is nearest to them.
#[test]
fn algorithm_2_with_this_noise_is_a_session_and_what_is_nearest_to_its_answers() {
    let mut numbers = Numbers(18);
    for setting in settings().iter().take(3) {
        let kernel = &setting.kernel;
        let (_, _, sensitivity) = problem(
            kernel,
            setting.problem.loss.clone(),
            setting.problem.lambda.clone(),
            setting.problem.n,
        );
        for seed in 0..8 {
            let mut z: Vec<Vec<i64>> = (0..4).map(|_| numbers.point(kernel)).collect();
            z[2] = z[0].clone();
            let c0 = if seed % 2 == 0 {
                ratio(1, 3)
            } else {
                integer(100)
            };
            let asked = GaussianTargets {
                budget: budget(integer(2), ratio(1, 1_000_000)),
                norm_bound: c0.clone(),
            };
            let plan = asked.plan(&sensitivity, &on(kernel), 4).unwrap();
            let w = numbers.expansion(kernel, 3, &integer(2));
            let public: Vec<_> = z.iter().map(|z| point(z)).collect();
            let (mut ours, mut theirs) = same_coins(seed);
            let model = gaussian_targets::learn(&optimum(kernel, &w), &public, &plan, &mut theirs)
                .unwrap()
                .model;
            let mut session = open(kernel, 4, plan.session());
            let y: Vec<Rational> = z
                .iter()
                .map(|z| answer(&mut session, &w, z, &mut ours).unwrap().0)
                .collect();
            assert_eq!(ours.consumed(), theirs.consumed());
            let w_hat = nearest_in_span(kernel, &z, &y, &c0).unwrap();
            let scale = 1.0
                + y.iter()
                    .map(|y| to_f64_for_display(&y.abs()))
                    .fold(0.0, f64::max);
            for z in &z {
                let exact = to_f64_for_display(&kernel.predict(&w_hat, z).unwrap());
                assert!((exact - model.prediction(&point(z))).abs() < 1e-6 * scale);
            }
        }
    }
}
