//! Theorems 4, 5 and 8: Algorithms 2 and 3.

use super::interactive::said;
use super::{DIMENSION, NET_RADIUS, NORM_BOUND, PENALTY, POINTS, Setting, bounded, shown, whole};
use crate::error::Error;
use crate::papers::bound::{BETA, Stated, Status, Values, Version, constant};
use dp_assay::geometry::LatticeCover;
use dp_assay::kernels::bounds::test_dependent::{self, printed_excess, printed_loss};
use dp_assay::kernels::bounds::test_independent::Printed;
use dp_assay::kernels::linear_test_independent::LinearPlan;
use dp_assay::kernels::{Calibration, TestDependent, TestDependentPlan, TestIndependent};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, shortly, to_scientific_below};
use num_traits::One;

const MOST_POINTS: u64 = 100_000;

const CALIBRATIONS: [(&str, Calibration); 3] = [
    (
        "nu = 4 sqrt(2) L R^2 sqrt(T ln(1/delta))/(lambda n epsilon)",
        Calibration::Closed,
    ),
    ("The least noise that is certified", Calibration::Exact),
    ("Pure privacy, delta = 0", Calibration::Pure),
];

/// The plan of Algorithm 2.
fn plan(
    setting: &Setting,
    calibration: Calibration,
    points: u64,
    norm_bound: &Rational,
) -> Result<TestDependentPlan, Error> {
    let asked = TestDependent {
        budget: setting.budget.clone(),
        calibration,
        norm_bound: norm_bound.clone(),
    };
    Ok(asked.plan(&setting.sensitivity, points)?)
}

/// `nu`.
fn scale(plan: &TestDependentPlan) -> Rational {
    plan.noise().scale() * plan.grid().step()
}

/// The noise of Algorithm 2.
pub fn noise(values: &Values) -> Result<Stated, Error> {
    let setting = Setting::of(values, 1)?;
    let points = whole(values, &POINTS, MOST_POINTS)?;
    let with = |nu: &Rational, loss: &Rational| {
        vec![
            constant("scale nu of the noise", shown(nu)),
            constant("privacy loss of a target", to_scientific_below(loss, 6)),
        ]
    };
    let mut versions = Vec::new();
    for (version, calibration) in CALIBRATIONS {
        let plan = plan(&setting, calibration, points, &Rational::one());
        versions.push(match plan {
            Ok(plan) => Version {
                version,
                constants: with(&scale(&plan), plan.loss()),
                status: Status::Feasible,
                reason: "as shipped, with the solver's part of the sensitivity".to_owned(),
            },
            // The closed form is not for every budget.
            Err(error) => Version {
                version,
                constants: Vec::new(),
                status: Status::Infeasible,
                reason: error.to_string(),
            },
        });
    }
    let one = printed_loss(points, &Rational::one(), &setting.budget)?;
    versions.push(Version {
        version: "As printed, with 1 for the constant that is hidden",
        constants: with(&(&setting.sensitivity.exact / &one), &one),
        status: Status::Infeasible,
        reason: "not (epsilon, delta)-private for all numbers of points: jt13.thm4".to_owned(),
    });
    let statement = "the noisy predictions at all public points are (epsilon, delta)-private together, whatever is fitted \
                     to them; the loss has slope at most 1, and K(z, z) <= 1";
    Ok((statement.to_owned(), versions))
}

/// The error of Algorithm 2.
pub fn excess(values: &Values) -> Result<Stated, Error> {
    let setting = Setting::of(values, 1)?;
    let points = whole(values, &POINTS, MOST_POINTS)?;
    let (norm_bound, beta) = (values.of(&NORM_BOUND), values.of(&BETA));
    let one = Rational::one();
    let theorem = |points| -> Result<_, Error> {
        let plan = plan(&setting, Calibration::Closed, points, &norm_bound)?;
        Ok((
            test_dependent::Setting {
                lipschitz: one.clone(),
                sensitivity: setting.sensitivity.predictions(),
                squared_bound: one.clone(),
                norm_bound: norm_bound.clone(),
                budget: setting.budget.clone(),
                beta: beta.clone(),
            },
            plan,
        ))
    };
    let (stated, closed) = theorem(points)?;
    let exact = plan(&setting, Calibration::Exact, points, &norm_bound)?;
    let version = |name, plan: &TestDependentPlan, points: u64| -> Result<Version, Error> {
        let nu = scale(plan);
        let error = stated.excess(points, &nu, plan.grid().step())?;
        let others = vec![
            ("scale nu of the noise", shown(&nu)),
            ("public points T", points.to_string()),
        ];
        Ok(bounded(name, &error, &norm_bound, others))
    };
    let mut versions = vec![
        version("With the noise of jt13.thm4.corrected", &closed, points)?,
        version("With the least noise that is certified", &exact, points)?,
    ];
    let best = stated.points()?.min(MOST_POINTS);
    let (_, at_best) = theorem(best)?;
    let name = "With the noise of jt13.thm4.corrected, at the T where both parts of the error are equal, or 1e5";
    versions.push(version(name, &at_best, best)?);
    let printed = printed_excess(&stated, &values.of(&PENALTY), setting.records, points)?.upper();
    versions.push(Version {
        version: "Theorem 5, as printed, with 1 for the constant that is hidden",
        constants: vec![constant("error", shown(&printed))],
        status: Status::Infeasible,
        reason: "not a bound for every T: jt13.thm5".to_owned(),
    });
    let statement = format!(
        "where queries come from the distribution of the public points, the mean loss of the model exceeds that of the \
         minimiser by at most the error, with probability {}; the loss has slope at most 1, and K(z, z) <= 1",
        shortly(&(Rational::one() - beta))
    );
    Ok((statement, versions))
}

/// The error of Algorithm 3.
pub fn net(values: &Values) -> Result<Stated, Error> {
    let dimension = whole(values, &DIMENSION, 1_000_000)?;
    let setting = Setting::of(values, dimension)?;
    let (norm_bound, beta) = (values.of(&NORM_BOUND), values.of(&BETA));
    let radius = values.of(&NET_RADIUS);
    let cover = LatticeCover::truncating(dimension as usize, &radius)?;
    let mut versions = Vec::new();
    let names = [
        ("Repaired, with the constant 4 sqrt(2)", Calibration::Closed),
        (
            "Repaired, with the least noise that is certified",
            Calibration::Exact,
        ),
    ];
    for (name, calibration) in names {
        let asked = TestIndependent {
            budget: setting.budget.clone(),
            calibration,
            failure: beta.clone(),
            norm_bound: norm_bound.clone(),
        };
        let (sensitivity, kernel) = (&setting.sensitivity, &setting.kernel);
        let plan = LinearPlan::new(&asked, sensitivity, kernel, cover.clone(), None)?;
        let plan = plan.plan();
        // Away from the net by nu C.
        let error = plan.error() + &radius * &norm_bound;
        let others = vec![
            ("of it at the points of the net", shown(&plan.error())),
            ("threshold sigma", shown(&plan.threshold())),
            ("rounds B", plan.rounds().to_string()),
            (
                "privacy loss of a draw",
                to_scientific_below(plan.loss(), 6),
            ),
        ];
        versions.push(bounded(name, &error, &norm_bound, others));
    }
    let printed = Printed {
        lipschitz: Rational::one(),
        penalty: values.of(&PENALTY),
        records: integer(setting.records),
        bound: Rational::one(),
        dimension: integer(dimension),
        // phi is the identity, and the logarithm of its constant is 0: the least that says something.
        of_features: integer(3),
        budget: setting.budget,
        failure: beta.clone(),
    };
    versions.push(Version {
        version: "Theorem 8, as printed, with 1 for the constant that is hidden, and L_phi = 3",
        constants: vec![constant("error", shown(&printed.error()?.upper()))],
        status: Status::Infeasible,
        reason: "its rate in n is false: jt13.thm8".to_owned(),
    });
    Ok((said("predictions in the whole unit ball", &beta), versions))
}
