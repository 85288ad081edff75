//! Units: the same problem in other units of features and of predictions has the same parameters, in those units.

use super::grid;
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::geometry::Domain;
use dp_assay::kernels::session::Request;
use dp_assay::kernels::{
    AnswerGrid, Calibration, Kernel, Problem, TestDependent, TestIndependent, coefficients,
    noisy_answers, sparse_vector,
};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::erm::Loss;
use num_traits::Zero;

/// What privacy and noise are computed from, and the power of the unit of features and of predictions in each.
fn parameters(
    problem: &Problem,
    domain: Domain,
    n: u64,
) -> Result<Vec<(Rational, i32, i32)>, Trouble> {
    let stated = problem.sensitivity(domain, n)?;
    let answers = AnswerGrid::new(&stated, 16)?;
    let norm = problem.norm_bound(domain)?;
    // With phi in a new unit w is in its inverse: <w, phi> stays.
    Ok(vec![
        (stated.exact.clone(), 0, 1),
        (stated.solver.clone(), 0, 1),
        (stated.predictions(), 0, 1),
        (stated.squared_bound.clone(), 2, 0),
        (stated.squared_vectors(), -2, 2),
        (answers.step().clone(), 0, 1),
        (norm, -1, 1),
    ])
}

/// The same of what each algorithm plans, where it makes ten updates or rounds, or is asked at ten public points.
fn planned(
    problem: &Problem,
    domain: Domain,
    n: u64,
) -> Result<Vec<(Rational, i32, i32)>, Trouble> {
    let budget = budget("1", "1e-6")?;
    let (sensitivity, kernel) = (
        problem.sensitivity(domain, n)?,
        problem.kernel().on(domain)?,
    );
    let asked = Request {
        budget: budget.clone(),
        queries: 100,
        failure: ratio(1, 10),
        norm_bound: problem.norm_bound(domain)?,
        updates: Some(10),
        steps: 1024,
    };
    let answers = noisy_answers::Plan::new(&asked, &sensitivity, &kernel)?;
    let hidden = sparse_vector::Plan::new(&asked, &sensitivity, &kernel)?;
    let independent = TestIndependent {
        budget: budget.clone(),
        calibration: Calibration::Closed,
        failure: ratio(1, 10),
        norm_bound: asked.norm_bound.clone(),
    };
    let independent = independent.plan_of_rounds(&sensitivity, &kernel, 50, 10)?;
    let dependent = TestDependent {
        budget: budget.clone(),
        calibration: Calibration::Closed,
        norm_bound: asked.norm_bound,
    };
    let dependent = dependent.plan(&sensitivity, 10)?;
    let coefficients = coefficients::Plan::new(problem, (domain, n), &budget)?;
    // phi(z) times a step of a model is a prediction: the step is in the inverse unit of phi, squared.
    Ok(vec![
        (answers.loss().clone(), 0, 0),
        (answers.step().clone(), 0, 1),
        (answers.noise_within(), 0, 1),
        (answers.threshold(), 0, 1),
        (answers.error().clone(), 0, 1),
        (answers.rate().clone(), -2, 1),
        (hidden.threshold(), 0, 1),
        (hidden.error().clone(), 0, 1),
        (hidden.rate().clone(), -2, 1),
        (independent.threshold(), 0, 1),
        (independent.error(), 0, 1),
        (independent.rate().clone(), -2, 1),
        (dependent.noise().scale() * dependent.grid().step(), 0, 1),
        (coefficients.squared_sensitivity().clone(), -2, 2),
        (coefficients.slack().clone(), 0, 1),
    ])
}

/// All of `found` are those of `expected` in units of features that are `a` times, and of predictions `c` times smaller.
fn compare(
    check: &mut Check,
    expected: &[(Rational, i32, i32)],
    found: &[(Rational, i32, i32)],
    units: (&Rational, &Rational),
    name: &str,
) {
    let (a, c) = units;
    for (number, ((value, i, j), (other, _, _))) in expected.iter().zip(found).enumerate() {
        let same = *other == value * a.pow(*i) * c.pow(*j);
        check.holds(same, format_args!("{name}, parameter {number}"));
    }
}

/// Features in other units: `phi -> a phi` with `lambda -> a^2 lambda` is the same problem.
pub fn equivariance(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "features in units of 1/2^k, k up to 5: linear kernel, five losses, lambda 1/100, 1/4 and 1; predictions in units of \
         1/4^k, k up to 4: Huber and squared loss; in either unit what sessions of noisy answers and with a hidden threshold, \
         Algorithms 2 and 3 and the release of coefficients plan for a million records",
    );
    let n = 1000;
    let losses = |c: &Rational| {
        [
            Loss::Huber {
                width: c * ratio(1, 3),
            },
            Loss::Squared {
                largest_label: c * integer(3),
            },
        ]
    };
    let of_classes = [Loss::Linear, Loss::Hinge, Loss::Logistic];
    let one = integer(1);
    let domain = |k: u32| Domain::new(grid(3)?, 2, 8 << k).map_err(Trouble::from);
    for loss in of_classes.into_iter().chain(losses(&one)) {
        for penalty in [ratio(1, 100), ratio(1, 4), integer(1)] {
            let of = |k: u32| -> Result<_, Trouble> {
                let penalty = &penalty * integer(4u64.pow(k));
                let problem = Problem::new(loss.clone(), Kernel::Linear, penalty)?;
                parameters(&problem, domain(k)?, n)
            };
            let expected = of(0)?;
            for k in 0..=5 {
                let a = integer(1u64 << k);
                compare(check, &expected, &of(k)?, (&a, &one), "phi -> a phi");
            }
        }
    }
    // Predictions: l -> c l for the Huber loss, with lambda -> lambda/c; l -> c^2 l for the squared one, with the same lambda.
    let largest = [(0, -1), (1, 0)];
    for (which, power) in largest {
        let of = |k: u32| -> Result<_, Trouble> {
            let c = integer(4u64.pow(k));
            let penalty = ratio(1, 4) * c.pow(power);
            let problem = Problem::new(losses(&c)[which].clone(), Kernel::Linear, penalty)?;
            Ok((c, parameters(&problem, domain(0)?, n)?))
        };
        let (_, expected) = of(0)?;
        for k in 0..=4 {
            let (c, found) = of(k)?;
            compare(check, &expected, &found, (&one, &c), "f -> c f");
        }
        check.holds(!expected[0].0.is_zero(), "there is something to compare");
    }
    // Plans, in units of 1/8 of features and of 1/16 of predictions.
    let huber = |c: &Rational, k: u32| -> Result<_, Trouble> {
        let penalty = ratio(1, 4) * integer(4u64.pow(k)) / c;
        let problem = Problem::new(losses(c)[0].clone(), Kernel::Linear, penalty)?;
        planned(&problem, domain(k)?, 1_000_000)
    };
    let expected = huber(&one, 0)?;
    let (a, c) = (integer(8), integer(16));
    compare(
        check,
        &expected,
        &huber(&one, 3)?,
        (&a, &one),
        "plans, phi -> a phi",
    );
    compare(
        check,
        &expected,
        &huber(&c, 0)?,
        (&one, &c),
        "plans, f -> c f",
    );
    Ok(())
}
