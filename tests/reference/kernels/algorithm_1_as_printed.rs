use super::common::{Numbers, budget, on, optimum, point, polynomial, problem, same_coins};
use dp_assay::coins::Coins;
use dp_assay::kernels::Predictor;
use dp_assay::kernels::as_printed::interactive::Printed;
use dp_assay::kernels::noisy_answers::Session;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::kernels::algorithm_1_as_printed::{Required, algorithm_1};
use dp_assay_reference::kernels::minimiser::Loss;

/// The shipped library has lines 1 and 2 as printed; the loop is that of its session.
#[test]
fn it_is_the_shipped_session_with_the_printed_numbers() {
    let (mut updates, mut quiet, mut after, mut whole, mut below_one) = (0, 0, 0, 0, 0);
    let mut numbers = Numbers(5);
    for (p, n, lambda, c, steps, size) in [
        (1, 1_000_000, ratio(1, 100), ratio(1, 10), 1024, integer(20)),
        (1, 1_000_000, ratio(1, 100), integer(8), 16, integer(20)),
        (2, 100_000, integer(1), integer(3), 7, integer(400)),
        (
            1,
            1000,
            integer(16_500_000),
            Rational::new(1.into(), 16_500_000.into()),
            1,
            ratio(1, 100_000),
        ),
        // S is 3/100 and sigma a few steps.
        (1, 100, ratio(2, 3), integer(5), 1, integer(90)),
    ] {
        let kernel = polynomial(p, 0, 2, 0, 3);
        let (_, _, sensitivity) = problem(&kernel, Loss::Linear, lambda.clone(), n);
        for seed in 0..40 {
            let epsilon = if steps == 1 && n == 100 {
                integer(20_000)
            } else {
                integer(1)
            };
            let (delta, beta) = (ratio(1, 1_000_000), ratio(1, 20));
            let w = numbers.expansion(&kernel, 3, &size);
            let z: Vec<Vec<i64>> = (0..7).map(|_| numbers.point(&kernel)).collect();
            let printed = Printed {
                budget: budget(epsilon.clone(), delta.clone()),
                queries: z.len() as u64,
                failure: beta.clone(),
                norm_bound: c.clone(),
                lipschitz: integer(1),
                steps,
            };
            let required = Required {
                n,
                squared_r: kernel.squared_r(),
                epsilon,
                delta,
                beta,
                c: c.clone(),
                l: integer(1),
                lambda: lambda.clone(),
                steps,
            };
            let plan = printed
                .plan_not_private(&sensitivity, &on(&kernel))
                .unwrap();
            let b = printed.updates(&sensitivity).unwrap();
            below_one += i32::from(b < integer(1));
            let (mut ours, mut theirs) = same_coins(seed);
            let value = |x: &Vec<i64>, z: &Vec<i64>| {
                Rational::new(kernel.value(x, z).unwrap(), (1i64 << 48).into())
            };
            let found = algorithm_1(&required, &w, value, &z, &mut ours).unwrap();
            let w = optimum(&kernel, &w);
            let mut session = Session::open(&w, plan, &mut theirs);
            let mut answers = Vec::new();
            for z in &z {
                let Ok(answer) = session.answer(&point(z), &mut theirs) else {
                    after += 1;
                    continue;
                };
                if answer.updated {
                    updates += 1
                } else {
                    quiet += 1
                }
                answers.push(answer.value);
            }
            whole += i32::from(answers.len() == z.len());
            assert_eq!(found, answers);
            assert_eq!(ours.consumed(), theirs.consumed());
            let _ = w.prediction(&point(&z[0]));
        }
    }
    println!(
        "{updates} updates, {quiet} quiet, {after} after the end, {whole} whole, {below_one} with B < 1"
    );
    assert!(updates > 150 && quiet > 150 && after > 50 && whole > 20 && below_one > 20);
}

#[test]
fn no_query_gets_no_answer() {
    let required = Required {
        n: 100,
        squared_r: integer(1),
        epsilon: integer(1),
        delta: ratio(1, 1000),
        beta: ratio(1, 20),
        c: integer(1),
        l: integer(1),
        lambda: integer(1),
        steps: 4,
    };
    let (mut coins, _) = same_coins(1);
    // log(2T/beta) is not defined at T = 0: refused, by public numbers.
    let none: &[i64] = &[];
    assert!(algorithm_1(&required, &[], |_, _| integer(0), none, &mut coins).is_err());
    assert_eq!(coins.consumed(), 0);
    // Without a record in w* all predictions are 0.
    let zero = algorithm_1(&required, &[], |_, _| integer(1), &[1, 2], &mut coins).unwrap();
    assert!(zero.len() == 2 && coins.consumed() > 0);
}
