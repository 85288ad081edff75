use super::common::{
    Numbers, budget, gaussian, on, optimum, point, polynomial, problem, same_coins,
};
use crate::lent::Tape;
use dp_assay::coins::Coins;
use dp_assay::kernels::KernelError;
use dp_assay::kernels::session::Request;
use dp_assay::kernels::sparse_vector::{Plan, Session};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, nearest, ratio};
use dp_assay_reference::kernels::algorithm_1::{self, Asked, Rule, answer};
use dp_assay_reference::kernels::kernel::Kernel;
use dp_assay_reference::kernels::minimiser::{Loss, Problem};
use dp_assay_reference::kernels::sparse_vector::open;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

struct Setting {
    kernel: Kernel,
    problem: Problem,
    asked: Asked,
    b: u64,
    plan: Plan,
}

fn setting(
    kernel: Kernel,
    loss: Loss,
    n: u64,
    epsilon: i64,
    b: u64,
    steps: u64,
    c: i64,
) -> Setting {
    let (ours, _, sensitivity) = problem(&kernel, loss, ratio(1, 10), n);
    let request = Request {
        budget: budget(integer(epsilon), integer(0)),
        queries: 6,
        failure: ratio(1, 20),
        norm_bound: integer(c),
        updates: Some(b),
        steps,
    };
    Setting {
        plan: Plan::new(&request, &sensitivity, &on(&kernel)).unwrap(),
        kernel,
        problem: ours,
        asked: Asked {
            queries: 6,
            beta: ratio(1, 20),
            c: integer(c),
            steps,
        },
        b,
    }
}

fn settings() -> Vec<Setting> {
    vec![
        setting(
            polynomial(1, 0, 2, 0, 3),
            Loss::Linear,
            1_000_000,
            1,
            3,
            1024,
            5,
        ),
        setting(polynomial(1, 0, 2, 0, 3), Loss::Hinge, 1_000, 20, 1, 1, 500),
        // Little noise in steps: excesses on the edge.
        setting(polynomial(1, 0, 1, 0, 2), Loss::Linear, 400, 300, 2, 1, 1),
        setting(polynomial(1, 0, 1, 0, 2), Loss::Linear, 400, 800, 16, 2, 1),
        setting(
            polynomial(1, 0, 2, 26, 1 << 26),
            Loss::Logistic,
            3_000,
            100,
            4,
            3,
            2,
        ),
        setting(
            gaussian(ratio(1, 2), 2, 3, 8),
            Loss::Hinge,
            2_000,
            200,
            9,
            2,
            3,
        ),
    ]
}

impl Setting {
    fn open(&self, coins: &mut crate::lent::ChaCha) -> algorithm_1::Session {
        let split = self.plan.split();
        open(&self.problem, &self.asked, self.b, split.each_ref(), coins).unwrap()
    }
}

#[test]
fn lines_1_to_3_are_the_shipped_plan() {
    for setting in settings() {
        let (mut ours, mut theirs) = same_coins(3);
        let session = setting.open(&mut ours);
        let plan = setting.plan;
        let w = optimum(&setting.kernel, &vec![]);
        let shipped = Session::open(&w, plan.clone(), &mut theirs).unwrap();
        assert_eq!((&session.u, &session.alpha), (plan.step(), plan.rate()));
        let Rule::HiddenThreshold {
            threshold,
            test,
            noise,
        } = &session.rule
        else {
            panic!("another rule");
        };
        assert_eq!(threshold, shipped.threshold_not_private());
        let scales: Vec<_> = plan.noises()[1..]
            .iter()
            .map(|noise| noise.scale())
            .collect();
        assert_eq!([test.scale(), noise.scale()], scales[..]);
        assert_eq!(session.left, (plan.queries(), plan.updates().value));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn answers_are_those_of_the_shipped_session() {
    let mut numbers = Numbers(8);
    let (mut updates, mut quiet, mut spent, mut outside, mut on_the_edge) = (0, 0, 0, 0, [0; 2]);
    for setting in settings() {
        let kernel = &setting.kernel;
        for seed in 0..60 {
            let (mut ours, mut theirs) = same_coins(seed);
            let mut session = setting.open(&mut ours);
            let factor = ratio(1 << (numbers.next(3) + 3), 2) / kernel.squared_r();
            let w = numbers.expansion(kernel, 3, &(setting.plan.threshold() * factor));
            let shipped_w = optimum(kernel, &w);
            let mut shipped = Session::open(&shipped_w, setting.plan.clone(), &mut theirs).unwrap();
            for query in 0..9 {
                let z = match query {
                    2 => vec![kernel.radius + 1; kernel.d],
                    4 => vec![0; kernel.d],
                    _ => numbers.point(kernel),
                };
                let mut again = ours.clone();
                let public = kernel
                    .predict(&session.w, &z)
                    .unwrap_or_else(|_| Rational::zero());
                let found = answer(&mut session, &w, &z, &mut ours);
                match shipped.answer(&point(&z), &mut theirs) {
                    Ok(expected) => {
                        assert_eq!(found.unwrap(), expected.value);
                        let Rule::HiddenThreshold {
                            threshold, test, ..
                        } = &session.rule
                        else {
                            unreachable!()
                        };
                        let steps = |f: Rational| nearest(&(f / &session.u));
                        let exact = steps(kernel.predict(&w, &z).unwrap());
                        let excess: BigInt = (exact - steps(public)).abs() - threshold;
                        let excess = dp_assay_reference::coins::Coins::draw(
                            &mut again,
                            &dp_assay_reference::sample::Noise::around(test, excess),
                        )
                        .unwrap();
                        on_the_edge[0] += i32::from(excess.is_zero());
                        on_the_edge[1] += i32::from(excess == BigInt::from(-1));
                        assert_eq!(expected.updated, !excess.is_negative());
                        if expected.updated {
                            updates += 1
                        } else {
                            quiet += 1
                        }
                    }
                    Err(KernelError::Spent) => {
                        spent += 1;
                        assert!(found.is_err());
                    }
                    Err(KernelError::Geometry(_)) => {
                        outside += 1;
                        assert!(found.is_err() && again.consumed() == ours.consumed());
                    }
                    Err(other) => panic!("{other}"),
                }
                assert_eq!(ours.consumed(), theirs.consumed());
            }
            let terms: Vec<_> = session
                .w
                .iter()
                .map(|(alpha, z)| (point(z), alpha.is_positive()))
                .collect();
            assert_eq!(shipped.model().terms(), terms);
        }
    }
    println!(
        "{updates} updates, {quiet} quiet, {spent} spent, {outside} outside, {on_the_edge:?} on the edge"
    );
    assert!(updates > 200 && quiet > 300 && spent > 200 && outside > 300);
    assert!(on_the_edge[0] > 10 && on_the_edge[1] > 10);
}

#[test]
fn coins_that_fail_end_the_session() {
    let setting = &settings()[0];
    let (mut ours, _) = same_coins(1);
    let mut session = setting.open(&mut ours);
    let w = vec![(integer(1), vec![1, 1])];
    assert!(answer(&mut session, &w, &[1, 0], &mut Tape::written("1")).is_err());
    let before = ours.consumed();
    assert!(answer(&mut session, &w, &[1, 0], &mut ours).is_err() && ours.consumed() == before);
}
