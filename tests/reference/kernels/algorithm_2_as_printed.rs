use super::common::{Numbers, budget, on, optimum, point, polynomial, problem, same_coins};
use crate::lent::Explorer;
use dp_assay::coins::{Coins, Layer};
use dp_assay::kernels::as_printed::test_dependent::plan;
use dp_assay::kernels::{InSpan, test_dependent};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::number::{Enclosure, Rational};
use dp_assay_reference::kernels::algorithm_2_as_printed::{Required, algorithm_2};
use dp_assay_reference::kernels::kernel::Kernel;
use dp_assay_reference::kernels::minimiser::Loss;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

fn required(kernel: &Kernel, n: u64, lambda: Rational, constant: Rational, steps: u64) -> Required {
    Required {
        n,
        squared_r: kernel.squared_r(),
        epsilon: integer(1),
        delta: ratio(1, 1_000_000),
        l: integer(1),
        lambda,
        constant,
        steps,
    }
}

fn value(kernel: &Kernel) -> impl Fn(&Vec<i64>, &Vec<i64>) -> Rational {
    |x, z| Rational::new(kernel.value(x, z).unwrap(), BigInt::from(1) << 48)
}

#[test]
fn it_is_the_shipped_learner_with_the_printed_noise() {
    let mut numbers = Numbers(9);
    for (p, c, n, lambda, constant, steps, points) in [
        (1, 0, 1000, ratio(1, 10), integer(1), 1024, 5),
        (2, 1, 77, integer(3), ratio(1, 3), 16, 1),
        (3, 1, 1_000_000, ratio(1, 7), integer(6), 1, 4),
        (1, 0, 5, ratio(1, 10), ratio(1, 50), 1, 6),
    ] {
        let kernel = polynomial(p, c, 2, 0, 3);
        let (_, _, sensitivity) = problem(&kernel, Loss::Linear, lambda.clone(), n);
        let budget = budget(integer(1), ratio(1, 1_000_000));
        let c0 = ratio(3, 2);
        let plan = plan(&sensitivity, steps, points, &constant, &budget, c0.clone()).unwrap();
        let required = required(&kernel, n, lambda, constant, steps);
        for seed in 0..60 {
            let size = if seed % 2 == 0 {
                ratio(1, 10)
            } else {
                integer(5)
            };
            let w = numbers.expansion(&kernel, 3, &size);
            let mut z: Vec<Vec<i64>> = (0..points).map(|_| numbers.point(&kernel)).collect();
            if points > 3 {
                // One that is there again, and the origin.
                z[1] = z[0].clone();
                z[2] = vec![0, 0];
            }
            let public: Vec<_> = z.iter().map(|z| point(z)).collect();
            let shipped_w = optimum(&kernel, &w);
            let (mut ours, mut theirs) = same_coins(seed);
            let argmin = |y: &[Rational]| {
                let y: Vec<f64> = y.iter().map(to_f64_for_display).collect();
                InSpan::nearest(&on(&kernel), &public, &y, c0.to_f64().unwrap())
            };
            let found = algorithm_2(&required, &w, value(&kernel), &z, argmin, &mut ours).unwrap();
            let expected =
                test_dependent::learn(&shipped_w, &on(&kernel), &public, &plan, &mut theirs)
                    .unwrap();
            assert_eq!(found, expected);
            assert_eq!(ours.consumed(), theirs.consumed());
            // What is minimised is given the targets, in units of predictions.
            let (mut ours, mut theirs) = same_coins(seed);
            let y = algorithm_2(
                &required,
                &w,
                value(&kernel),
                &z,
                <[Rational]>::to_vec,
                &mut ours,
            )
            .unwrap();
            let steps = plan
                .noisy_targets(&shipped_w, &public, &mut theirs)
                .unwrap();
            let targets: Vec<Rational> = steps.iter().map(|k| plan.grid().value(k)).collect();
            assert_eq!(y, targets);
        }
    }
}

/// `S = 2/(lambda n) = 1` and one step to it: the odds of two neighbouring outcomes are `e^(S/nu)`, `nu = sqrt(2 ln 10^6)/2`.
#[test]
fn the_noise_has_the_printed_scale() {
    let kernel = polynomial(1, 0, 1, 0, 1);
    let required = required(&kernel, 1, integer(2), integer(1), 1);
    let z = [vec![1], vec![-1]];
    let found = Explorer::new(Layer::Laws, 4000)
        .with_tail(ratio(1, 1 << 10))
        .explore(|coins| {
            let w = [(integer(3), vec![1])];
            let found = algorithm_2(
                &required,
                &w,
                value(&kernel),
                &z,
                <[Rational]>::to_vec,
                coins,
            );
            found.map_err(|error| match error {
                error @ dp_assay_reference::Error::Coins(_) => crate::lent::passed_on(error),
                other => panic!("{other}"),
            })
        })
        .unwrap();
    let probability = |y: [i64; 2]| found.lower(&y.map(integer).to_vec());
    // Around the predictions 3 and -3.
    let most = probability([3, -3]);
    assert!(found.lower.values().all(|p| *p <= most));
    for near in [[4, -3], [2, -3], [3, -2], [3, -4]] {
        let odds = Enclosure::of(&(&most / probability(near)), 64)
            .ln()
            .unwrap();
        let logarithm = Enclosure::integer(1_000_000, 64)
            .ln()
            .unwrap()
            .shifted(1)
            .sqrt()
            .unwrap()
            .shifted(-1);
        let one = odds * logarithm - Enclosure::integer(1, 64);
        assert!(one.abs().upper() < ratio(1, 1 << 30), "{one}");
    }
}
