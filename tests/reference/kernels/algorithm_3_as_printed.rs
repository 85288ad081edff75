use super::common::{Numbers, budget, on, optimum, point, polynomial, same_coins};
use dp_assay::coins::Coins;
use dp_assay::kernels::as_printed::test_independent::{Algorithm3, Exponent};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::kernels::algorithm_3_as_printed::{Output, Required, algorithm_3};
use dp_assay_reference::kernels::kernel::{Expansion, Kernel};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

struct Setting {
    kernel: Kernel,
    required: Required,
    printed: Algorithm3,
    size: Rational,
}

fn setting(kernel: Kernel, n: u64, lambda: Rational, epsilon: i64, size: Rational) -> Setting {
    let (delta, beta) = (ratio(1, 1000), ratio(1, 20));
    Setting {
        required: Required {
            n,
            squared_r: kernel.squared_r(),
            epsilon: integer(epsilon),
            delta: delta.clone(),
            beta: beta.clone(),
            l: integer(2),
            lambda: lambda.clone(),
            d: kernel.d as u64,
            l_phi: integer(7),
        },
        printed: Algorithm3 {
            lipschitz: integer(2),
            penalty: lambda,
            records: n,
            squared_bound: kernel.squared_r(),
            budget: budget(integer(epsilon), delta),
            failure: beta,
            exponent: Exponent::Literal,
        },
        kernel,
        size,
    }
}

fn settings() -> Vec<Setting> {
    vec![
        // B = 2.4, 4.0 and 0.6.
        setting(
            polynomial(1, 0, 2, 2, 12),
            12_000,
            ratio(1, 100),
            1,
            integer(300),
        ),
        setting(
            polynomial(2, 1, 2, 0, 2),
            33_000,
            integer(1),
            1,
            integer(40),
        ),
        setting(polynomial(1, 0, 2, 0, 3), 3_000, integer(1), 1, integer(9)),
        // sigma is a few steps.
        setting(polynomial(1, 0, 2, 0, 1), 60, integer(2), 60, integer(2)),
        setting(polynomial(1, 0, 2, 0, 1), 20, integer(1), 700, integer(3)),
    ]
}

fn run(
    setting: &Setting,
    w: &Expansion,
    net: &[Vec<i64>],
    coins: &mut crate::lent::ChaCha,
) -> (Output<Vec<i64>>, Rational) {
    let value = |x: &Vec<i64>, z: &Vec<i64>| {
        Rational::new(setting.kernel.value(x, z).unwrap(), BigInt::from(1) << 48)
    };
    let mut asked = None;
    let net = |nu: &Rational| {
        asked = Some(nu.clone());
        net.to_vec()
    };
    let output = algorithm_3(&setting.required, w, value, net, coins).unwrap();
    (output, asked.unwrap())
}

#[test]
fn it_is_the_shipped_learner_with_the_printed_exponent() {
    let mut numbers = Numbers(12);
    let (mut updates, mut quiet, mut no_round, mut last_is_update) = (0, 0, 0, 0);
    for setting in settings() {
        let kernel = &setting.kernel;
        for seed in 0..60 {
            let w = numbers.expansion(kernel, 3, &(&setting.size / integer(1 + seed as i64 % 4)));
            let mut net: Vec<Vec<i64>> = (0..6).map(|_| numbers.point(kernel)).collect();
            // Ties: a point that is there again, its negative, and the origin.
            net[1] = net[0].clone();
            net[2] = net[0].iter().map(|z| -z).collect();
            net[3] = vec![0; kernel.d];
            let shipped_w = optimum(kernel, &w);
            let (mut ours, mut theirs) = same_coins(seed);
            let (found, nu) = run(&setting, &w, &net, &mut ours);
            let points: Vec<_> = net.iter().map(|z| point(z)).collect();
            let expected = setting
                .printed
                .learn(&shipped_w, &on(kernel), &points, &mut theirs)
                .unwrap();
            assert_eq!(ours.consumed(), theirs.consumed());
            assert_eq!(
                nu,
                setting
                    .printed
                    .net_radius(kernel.d as u64, &integer(7))
                    .unwrap()
            );
            let grid = setting.printed.grid().unwrap();
            let answers: Vec<Rational> = expected.answers.iter().map(|k| grid.value(k)).collect();
            assert_eq!(found.answers, answers);
            let eta = setting.printed.step_size().unwrap();
            let told: Vec<_> = found
                .w
                .iter()
                .filter(|(alpha, _)| !alpha.is_zero())
                .collect();
            assert!(told.iter().all(|(alpha, _)| alpha.abs() == eta));
            let terms: Vec<_> = told
                .iter()
                .map(|(alpha, z)| (point(z), alpha.is_positive()))
                .collect();
            assert_eq!(expected.last.terms(), terms);
            updates += expected.updates;
            quiet += found.answers.len() as u64 - expected.updates;
            no_round += u64::from(found.answers.is_empty());
            last_is_update += u64::from(expected.last_is_update);
        }
    }
    println!(
        "{updates} updates, {quiet} quiet, {no_round} without a round, {last_is_update} end with an update"
    );
    assert!(updates > 200 && quiet > 200 && no_round > 30 && last_is_update > 30);
}

#[test]
fn with_one_point_and_far_predictions_every_round_is_an_update_and_the_last_is_left_out() {
    let setting = &settings()[1];
    let (mut coins, _) = same_coins(1);
    let w = vec![(integer(1_000_000), vec![1, 1])];
    let (found, _) = run(setting, &w, &[vec![1, 1]], &mut coins);
    let rounds = setting.printed.bound_on_updates().unwrap().to_integer();
    assert_eq!(BigInt::from(found.answers.len()), rounds);
    assert_eq!(BigInt::from(found.w.len() + 1), rounds);
}
