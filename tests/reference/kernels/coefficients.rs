use super::common::{Numbers, budget, domain, point, polynomial, problem, same_coins};
use dp_assay::coins::Coins;
use dp_assay::kernels::coefficients::{Plan, release as shipped_release};
use dp_assay::kernels::{Basis, Dataset, Predictor, Record, fit};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::{Zcdp, discrete_gaussian};
use dp_assay_reference::kernels::coefficients::{basis, is_enough, predict, release};
use dp_assay_reference::kernels::kernel::{Expansion, Kernel};
use dp_assay_reference::kernels::minimiser::{Loss, Problem, squared_d};
use dp_assay_reference::privacy as certificates;
use num_bigint::BigInt;
use num_traits::One;
use std::collections::BTreeMap;

struct Setting {
    kernel: Kernel,
    problem: Problem,
    theirs: dp_assay::kernels::Problem,
    plan: Plan,
    variances: BTreeMap<Rational, Rational>,
    epsilon: Rational,
    delta: Rational,
}

/// The variances that the library plans, by its own rules: it does not tell them.
fn setting(kernel: Kernel, loss: Loss, n: u64, epsilon: Rational) -> Setting {
    let (ours, theirs, _) = problem(&kernel, loss, ratio(1, 10), n);
    let delta = ratio(1, 1_000_000);
    let budget = budget(epsilon.clone(), delta.clone());
    let plan = Plan::new(&theirs, (domain(&kernel), n), &budget).unwrap();
    let squared_gamma = plan.step() * plan.step();
    let weights: Vec<Rational> = plan.basis().by_weight().into_keys().collect();
    let variances = if let [weight] = &weights[..] {
        let moved = (plan.squared_sensitivity() * weight / &squared_gamma)
            .floor()
            .to_integer();
        let variance = discrete_gaussian::variance(
            &budget,
            &moved.max(BigInt::one()),
            plan.basis().dimension() as u64,
        );
        BTreeMap::from([(weight.clone(), variance.unwrap())])
    } else {
        let rho = Zcdp::largest_for(&budget).unwrap();
        let squared_tau = plan.squared_sensitivity() / (rho.rho() * integer(2));
        weights
            .into_iter()
            .map(|w| (w.clone(), (&squared_tau * w / &squared_gamma).ceil()))
            .collect()
    };
    Setting {
        kernel,
        problem: ours,
        theirs,
        plan,
        variances,
        epsilon,
        delta,
    }
}

fn settings() -> Vec<Setting> {
    vec![
        setting(polynomial(1, 0, 3, 0, 3), Loss::Linear, 40, integer(1)),
        setting(
            polynomial(1, 0, 2, 26, 1 << 26),
            Loss::Hinge,
            20,
            integer(100),
        ),
        setting(polynomial(2, 0, 2, 1, 4), Loss::Logistic, 12, integer(2)),
        setting(polynomial(3, 1, 2, 0, 2), Loss::Hinge, 25, integer(1)),
        setting(polynomial(3, 6, 2, 2, 8), Loss::Linear, 9, integer(30)),
        setting(polynomial(1, 2, 2, 1, 3), Loss::Linear, 9, integer(3)),
        setting(polynomial(2, 1, 1, 0, 1), Loss::Linear, 1, ratio(1, 2)),
    ]
}

fn dataset(numbers: &mut Numbers, setting: &Setting) -> Dataset {
    let records = (0..setting.problem.n).map(|i| {
        let x = match i {
            0 => vec![0; setting.kernel.d],
            1 => [vec![setting.kernel.radius], vec![0; setting.kernel.d - 1]].concat(),
            _ => numbers.point(&setting.kernel),
        };
        (
            Record {
                point: point(&x),
                label: 2 * numbers.next(1).abs() - 1,
            },
            1,
        )
    });
    Dataset::new(domain(&setting.kernel), records.collect::<Vec<_>>()).unwrap()
}

fn expansion(w: &dp_assay::kernels::Optimum, d: usize) -> Expansion {
    w.terms()
        .map(|(x, mu)| {
            let mut dense = vec![0; d];
            x.coordinates()
                .iter()
                .for_each(|&(j, x)| dense[j as usize] = x.into());
            (mu, dense)
        })
        .collect()
}

#[test]
fn the_basis_is_the_shipped_one_and_sums_to_the_kernel() {
    let mut numbers = Numbers(15);
    for setting in settings() {
        let kernel = &setting.kernel;
        let shipped = Basis::of(setting.theirs.kernel(), domain(kernel)).unwrap();
        let ours = basis(kernel).unwrap();
        assert_eq!(ours.len(), shipped.dimension());
        for (weight, places) in shipped.by_weight() {
            assert!(places.iter().all(|&a| ours[a].1 == weight));
        }
        for _ in 0..20 {
            let (x, z) = (numbers.point(kernel), numbers.point(kernel));
            let steps: Vec<BigInt> = (0..ours.len()).map(|_| numbers.next(50).into()).collect();
            let shipped = dp_assay::kernels::coefficients::Coefficients::new(
                shipped.clone(),
                ratio(1, 8),
                steps.clone(),
            );
            assert_eq!(
                predict(kernel, &ratio(1, 8), &steps, &z).unwrap(),
                shipped.unwrap().prediction(&point(&z))
            );
            // sum of W_a x^a z^a = K(x, z): theta_a = W_a x^a, with a step so fine that it is whole.
            let fine = Rational::new(1.into(), BigInt::one() << 400);
            let one_each = |weight: &Rational| (weight.clone(), ratio(1, 1 << 20));
            let variances = ours.iter().map(|(_, weight)| one_each(weight)).collect();
            let (mut coins, _) = same_coins(1);
            let theta = release(
                &vec![(integer(1), x.clone())],
                kernel,
                &fine,
                &variances,
                &mut coins,
            )
            .unwrap();
            let off = predict(kernel, &fine, &theta, &z).unwrap() * integer(BigInt::one() << 48)
                - integer(kernel.value(&x, &z).unwrap());
            assert!(off <= ratio(1, 2) && off >= ratio(-1, 2), "{off}");
        }
    }
}

#[test]
fn it_is_the_shipped_release() {
    let mut numbers = Numbers(16);
    for setting in settings() {
        for seed in 0..30 {
            let data = dataset(&mut numbers, &setting);
            let w = expansion(&fit(&data, &setting.theirs).unwrap(), setting.kernel.d);
            let (mut ours, mut theirs) = same_coins(seed);
            let found = release(
                &w,
                &setting.kernel,
                setting.plan.step(),
                &setting.variances,
                &mut ours,
            )
            .unwrap();
            let expected = shipped_release(&data, &setting.plan, &mut theirs).unwrap();
            assert_eq!(found, expected.steps());
            assert_eq!(ours.consumed(), theirs.consumed());
        }
    }
}

#[test]
fn a_coefficient_half_a_step_off_goes_up() {
    // Without noise to speak of: theta = 3/2, -3/2 steps.
    let kernel = polynomial(1, 0, 2, 1, 2);
    let variances = BTreeMap::from([(integer(1), ratio(1, 1_000_000))]);
    let (mut coins, _) = same_coins(1);
    let w = vec![(integer(3), vec![1, -1])];
    let found = release(&w, &kernel, &integer(1), &variances, &mut coins).unwrap();
    assert_eq!(found, [BigInt::from(2), BigInt::from(-1)]);
    let none = release(&vec![], &kernel, &integer(1), &variances, &mut coins).unwrap();
    assert_eq!(none, [BigInt::from(0), BigInt::from(0)]);
}

/// Whether some order, of many, certifies the release.
fn certified(
    setting: &Setting,
    variances: &BTreeMap<Rational, Rational>,
    gamma: &Rational,
) -> bool {
    // The noise of one variance is certified without an order: one is as good as any.
    let (mut powers, parts) = match variances.len() {
        1 => (0..1, 4..5),
        _ => (-6..12, 4..8),
    };
    powers.any(|power: i32| {
        let excess = if power < 0 {
            ratio(1, 1 << -power)
        } else {
            integer(1 << power)
        };
        parts.clone().any(|quarters| {
            let excess = &excess * ratio(quarters, 4);
            let budget = (&setting.epsilon, &setting.delta);
            is_enough(&setting.problem, gamma, variances, &excess, budget).unwrap_or(false)
        })
    })
}

#[test]
fn the_noise_that_the_library_finds_is_certified_and_less_is_not() {
    for setting in settings() {
        let gamma = setting.plan.step();
        // Between two of the orders that are tried the bound is a little worse.
        let grown = |factor: Rational| {
            setting
                .variances
                .iter()
                .map(|(w, v)| (w.clone(), v * &factor))
                .collect()
        };
        let spare = if setting.variances.len() == 1 {
            integer(1)
        } else {
            ratio(101, 100)
        };
        assert!(certified(&setting, &grown(spare), gamma));
        assert!(!certified(&setting, &grown(ratio(19, 20)), gamma));
        // Nor is the same with one of the variances less, or with a coarser grid.
        for weight in setting.variances.keys() {
            let mut less = setting.variances.clone();
            less.insert(weight.clone(), &setting.variances[weight] * ratio(9, 10));
            assert!(!certified(&setting, &less, gamma));
        }
        let coarse: BTreeMap<_, _> = setting
            .variances
            .iter()
            .map(|(w, v)| (w.clone(), v / integer(10_000)))
            .collect();
        assert!(!certified(&setting, &coarse, &(gamma * integer(100))));
        // Or without one of them.
        let mut without = setting.variances.clone();
        without.pop_first();
        assert!(!certified(&setting, &without, gamma));
        let (mut coins, _) = same_coins(1);
        assert!(release(&vec![], &setting.kernel, gamma, &without, &mut coins).is_err());
        assert_eq!(coins.consumed(), 0);
    }
}

/// `(D'/tau)^2` in squared steps, for `tau = 1`: `D' = D + gamma sqrt(sum of 1/W)`, and a step of a weight `W` is `gamma/sqrt(W)`.
fn squared_steps(setting: &Setting, gamma: &Rational) -> Rational {
    let root = |x: &Rational| Enclosure::of(x, 300).sqrt().unwrap();
    let basis = basis(&setting.kernel).unwrap();
    let of_rounding: Rational = basis.iter().map(|(_, weight)| gamma * gamma / weight).sum();
    let moved = root(&squared_d(&setting.problem).unwrap()) + root(&of_rounding);
    moved.squared().upper() / gamma / gamma
}

#[test]
fn noise_is_enough_from_the_delta_on_that_hides_what_moves() {
    let (epsilon, excess) = (integer(1), ratio(5, 4));
    for setting in settings() {
        // As planned, and on a grid so coarse that rounding is a large part.
        for coarser in [integer(1), ratio(1 << 30, 1)] {
            let gamma = setting.plan.step() * coarser;
            let squared = squared_steps(&setting, &gamma);
            let grown =
                |(weight, _): (&Rational, _)| (weight.clone(), &squared * weight * ratio(3, 2));
            let mut variances: BTreeMap<_, _> = setting.variances.iter().map(grown).collect();
            // One has less noise, and decides.
            *variances.last_entry().unwrap().get_mut() *= ratio(3, 4);
            let (weight, variance) = variances.last_key_value().unwrap();
            let delta = if variances.len() == 1 {
                let steps = (&squared * weight).to_integer().max(BigInt::one());
                let d = basis(&setting.kernel).unwrap().len() as u64;
                certificates::discrete_gaussian::delta(variance, &steps, d, &epsilon)
            } else {
                let rho = &squared * weight / variance / integer(2);
                certificates::zcdp::delta_of_order(&rho, &excess, &epsilon)
            };
            let (delta, little) = (delta.unwrap(), ratio(1, 1 << 50));
            let enough = |delta: &Rational| {
                let budget = (&epsilon, delta);
                is_enough(&setting.problem, &gamma, &variances, &excess, budget).unwrap()
            };
            assert!(enough(&(&delta * (integer(1) + &little))));
            assert!(!enough(&(&delta * (integer(1) - little))));
        }
    }
}

#[test]
fn a_kernel_without_a_basis_is_refused() {
    let kernel = super::common::gaussian(integer(1), 1, 0, 1);
    assert!(basis(&kernel).is_err());
}
