//! Theorem A, ours, with the closed forms that it stands beside; and the errors of noisy answers and of Gaussian noise.

use super::{DIMENSION, NORM_BOUND, QUERIES, Setting, UPDATES, bounded, budget, shown, whole};
use crate::error::Error;
use crate::papers::bound::{BETA, Stated, Status, Values, Version, constant};
use dp_assay::kernels::bounds::gaussian_process;
use dp_assay::kernels::bounds::noisy_answers::{closed_loss, theorem_9_loss};
use dp_assay::kernels::coefficients;
use dp_assay::kernels::noisy_answers::Plan;
use dp_assay::kernels::session::Request;
use dp_assay::number::rational::{integer, shortly, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::discrete_gaussian;
use dp_assay::privacy::noisy_answers::largest_loss;
use num_bigint::BigInt;
use num_traits::One;

const MOST_QUERIES: u64 = 1_000_000_000;

pub fn theorem_a(values: &Values) -> Result<Stated, Error> {
    let updates = whole(values, &UPDATES, u64::MAX)?;
    let budget = budget(values)?;
    let version = |name, loss: &Rational, reason: &str| Version {
        version: name,
        constants: vec![
            constant("privacy loss s of a round", to_scientific_below(loss, 6)),
            constant("scale of the noise, in sensitivities", shown(&loss.recip())),
        ],
        status: Status::Feasible,
        reason: reason.to_owned(),
    };
    let sharp = largest_loss(updates, &budget)?;
    let mut versions = vec![version(
        "Theorem A",
        &sharp,
        "rounded down, at an order that is searched",
    )];
    let reason = "epsilon/(3 sqrt(B) ln(1/delta)), for delta <= e^-5 and epsilon <= ln(1/delta)/5";
    let name = "Corollary A1, in closed form";
    versions.push(match closed_loss(updates, &budget) {
        Ok(loss) => version(name, &loss, reason),
        Err(_) => Version {
            version: name,
            constants: Vec::new(),
            status: Status::Infeasible,
            reason: format!("not for this epsilon and delta: {reason}"),
        },
    });
    let printed = theorem_9_loss(updates, &budget)?;
    let reason = "epsilon/(200 sqrt(B) ln(4/delta)), for epsilon <= 10";
    let mut theorem_9 = version("Theorem 9, as printed", &printed, reason);
    if budget.epsilon() > &integer(10) {
        theorem_9.status = Status::Infeasible;
        theorem_9.reason = format!("not for this epsilon: {reason}");
    }
    versions.push(theorem_9);
    let statement = "rounds of this privacy loss each, any number of them, at most B not quiet, are (epsilon, \
                     delta)-private together";
    Ok((statement.to_owned(), versions))
}

/// `m + 2 w`.
pub fn noisy_answers(values: &Values) -> Result<Stated, Error> {
    let setting = Setting::of(values, 1)?;
    let norm_bound = values.of(&NORM_BOUND);
    let (queries, failure) = (whole(values, &QUERIES, MOST_QUERIES)?, values.of(&BETA));
    let plan = Plan::new(
        &Request {
            budget: setting.budget,
            queries,
            failure: failure.clone(),
            norm_bound: norm_bound.clone(),
            updates: None,
            steps: 1 << 10,
        },
        &setting.sensitivity,
        &setting.kernel,
    )?;
    let updates = plan.updates().value;
    // m = C R/sqrt(B) and w = (S/s) ln(T/beta), real numbers.
    let of = |value: &Rational| Enclosure::of(value, 128);
    let m = of(&norm_bound).divided_by(&of(&integer(updates)).sqrt()?)?;
    let logarithm = of(&(integer(queries) / &failure)).ln()?;
    let w = of(&(setting.sensitivity.exact / plan.loss())) * logarithm;
    let stated = (m + w.shifted(1)).upper();
    let others = || {
        vec![
            ("updates B", updates.to_string()),
            (
                "privacy loss s of a round",
                to_scientific_below(plan.loss(), 6),
            ),
        ]
    };
    let mut of_plan = others();
    of_plan.push(("threshold sigma", shown(&plan.threshold())));
    let versions = vec![
        bounded(
            "m + 2 w, at the B of the plan",
            &stated,
            &norm_bound,
            others(),
        ),
        bounded("The shipped plan", plan.error(), &norm_bound, of_plan),
    ];
    Ok((said("all answers of a session", &failure), versions))
}

/// `tau R sqrt(2 ln(2T/beta))`, and everywhere.
pub fn coefficients(values: &Values) -> Result<Stated, Error> {
    let dimension = whole(values, &DIMENSION, 1_000_000)?;
    let setting = Setting::of(values, dimension)?;
    let norm_bound = values.of(&NORM_BOUND);
    let (points, failure) = (whole(values, &QUERIES, MOST_QUERIES)?, values.of(&BETA));
    // tau for a vector that moves by S/R, on a grid that is next to none.
    let fine = BigInt::one() << 80;
    let steps = discrete_gaussian::variance(&setting.budget, &fine, dimension)?;
    let moved = &setting.sensitivity.exact;
    let stated = steps * moved * moved / fine;
    let space = (setting.domain, setting.records);
    let plan = coefficients::Plan::new(&setting.problem, space, &setting.budget)?;
    let shipped = plan.variance();
    let deviation = |variance: &Rational| -> Result<_, Error> {
        let tau = Enclosure::of(variance, 64).sqrt()?.upper();
        Ok(vec![("noise of a prediction tau R", shown(&tau))])
    };
    let at_points =
        |variance: &Rational| gaussian_process::at_fixed_points(variance, points, &failure);
    let everywhere = gaussian_process::everywhere(&shipped, dimension, &failure)?;
    let versions = vec![
        bounded(
            "At points fixed in advance, without solver and rounding",
            &at_points(&stated)?,
            &norm_bound,
            deviation(&stated)?,
        ),
        bounded(
            "At points fixed in advance, the shipped plan",
            &(at_points(&shipped)? + plan.slack()),
            &norm_bound,
            deviation(&shipped)?,
        ),
        bounded(
            "Everywhere, also at points that are chosen by answers, the shipped plan",
            &(everywhere + plan.slack()),
            &norm_bound,
            deviation(&shipped)?,
        ),
    ];
    Ok((
        said("predictions by the released coefficients", &failure),
        versions,
    ))
}

/// What is bounded, and in which units.
pub fn said(what: &str, failure: &Rational) -> String {
    format!(
        "{what} are within the error of those of the minimiser, with probability {}; the loss has slope at most 1, \
         and K(z, z) <= 1",
        shortly(&(Rational::one() - failure))
    )
}
