//! The bounds of the theorems, in units in which `L = R = 1`: what the statement says, and what the shipped plan says of the
//! hinge loss with a linear kernel, with the solver's part of the sensitivity and rounding.

mod interactive;
mod learners;

use crate::error::Error;
use crate::options::Range;
use crate::papers::bound::{
    BETA, DELTA, EPSILON, Parameter, Status, Theorem, Values, Version, constant,
};
use dp_assay::geometry::Domain;
use dp_assay::kernels::{Kernel, KernelOn, Problem, Sensitivity};
use dp_assay::number::rational::to_scientific_above;
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::Budget;
use num_traits::ToPrimitive;

const UPDATES: Parameter = Parameter::new(
    "--updates",
    "B",
    "The number B of answers that are told from the data",
    Range::Count,
);

const RECORDS: Parameter =
    Parameter::new("--records", "N", "The number of records n", Range::Count);

const PENALTY: Parameter = Parameter::new(
    "--lambda",
    "L",
    "The penalty lambda of (lambda/2) |w|^2",
    Range::Positive,
);

const QUERIES: Parameter = Parameter::new(
    "--queries",
    "T",
    "The number T of queries, at most 1e9",
    Range::Count,
);

const POINTS: Parameter = Parameter::new(
    "--points",
    "T",
    "The number T of public points, at most 1e5",
    Range::Count,
);

const NORM_BOUND: Parameter = Parameter::new(
    "--norm-bound",
    "C",
    "The bound C on the norm of the minimiser; with the hinge loss sqrt(2/lambda) is one for all records",
    Range::Positive,
);

const DIMENSION: Parameter = Parameter::new(
    "--dimension",
    "D",
    "The dimension d of the data, at most 1e6",
    Range::Count,
);

const NET_RADIUS: Parameter = Parameter::new(
    "--net-radius",
    "NU",
    "The radius nu of the net of the unit ball",
    Range::Margin,
);

/// The theorems.
pub const THEOREMS: &[Theorem] = &[
    Theorem {
        claim: "jt13.thmA",
        about: "What a noisy answer may cost where B of any number of them are told, without noise on the threshold",
        parameters: &[EPSILON, DELTA, UPDATES],
        evaluate: interactive::theorem_a,
    },
    Theorem {
        claim: "jt13.nt.error",
        about: "The error of a session of noisy answers",
        parameters: &[EPSILON, DELTA, BETA, RECORDS, PENALTY, QUERIES, NORM_BOUND],
        evaluate: interactive::noisy_answers,
    },
    Theorem {
        claim: "jt13.gp.error",
        about: "The error of the coefficients released with Gaussian noise",
        parameters: &[
            EPSILON, DELTA, BETA, RECORDS, PENALTY, QUERIES, DIMENSION, NORM_BOUND,
        ],
        evaluate: interactive::coefficients,
    },
    Theorem {
        claim: "jt13.thm4.corrected",
        about: "The noise of Algorithm 2, the learner that knows public points",
        parameters: &[EPSILON, DELTA, RECORDS, PENALTY, POINTS],
        evaluate: learners::noise,
    },
    Theorem {
        claim: "jt13.thm5.corrected",
        about: "The error of Algorithm 2, the learner that knows public points",
        parameters: &[EPSILON, DELTA, BETA, RECORDS, PENALTY, POINTS, NORM_BOUND],
        evaluate: learners::excess,
    },
    Theorem {
        claim: "jt13.thm8.corrected",
        about: "The error of Algorithm 3, repaired, with a lattice for its net",
        parameters: &[
            EPSILON, DELTA, BETA, RECORDS, PENALTY, DIMENSION, NET_RADIUS, NORM_BOUND,
        ],
        evaluate: learners::net,
    },
];

/// A parameter that is a count, of at most so many.
fn whole(values: &Values, parameter: &Parameter, most: u64) -> Result<u64, Error> {
    let value = values.of(parameter);
    let count = value.to_integer().to_u64().filter(|&count| count <= most);
    count.ok_or_else(|| {
        let option = parameter.option;
        Error::Usage(format!("{option} must be at most {most}, got {value}"))
    })
}

/// The hinge loss with a linear kernel on the unit ball of so many dimensions: `L = R = 1`.
struct Setting {
    problem: Problem,
    domain: Domain,
    kernel: KernelOn,
    records: u64,
    sensitivity: Sensitivity,
    budget: Budget,
}

impl Setting {
    fn of(values: &Values, dimension: u64) -> Result<Self, Error> {
        let records = whole(values, &RECORDS, u64::MAX)?;
        let problem = Problem::new(Loss::Hinge, Kernel::Linear, values.of(&PENALTY))?;
        let domain = Domain::unit_ball(Grid::new(12)?, dimension as usize)?;
        Ok(Self {
            kernel: problem.kernel().on(domain)?,
            sensitivity: problem.sensitivity(domain, records)?,
            budget: budget(values)?,
            problem,
            domain,
            records,
        })
    }
}

fn budget(values: &Values) -> Result<Budget, Error> {
    Ok(Budget::substituting(
        &values.of(&EPSILON),
        &values.of(&DELTA),
    )?)
}

/// A version with a bound on the error of predictions: it says nothing from `C R` on, which 0 keeps to as well.
fn bounded(
    version: &'static str,
    error: &Rational,
    norm_bound: &Rational,
    others: Vec<(&'static str, String)>,
) -> Version {
    let mut constants = vec![constant("error, at most", shown(error))];
    constants.extend(
        others
            .into_iter()
            .map(|(name, value)| constant(name, value)),
    );
    let trivial = shown(norm_bound);
    let (status, reason) = if error >= norm_bound {
        let reason = format!("says nothing: the prediction 0 is within C R = {trivial} as well");
        (Status::Vacuous, reason)
    } else {
        let reason = format!("below C R = {trivial}, which the prediction 0 keeps to");
        (Status::Feasible, reason)
    };
    Version {
        version,
        constants,
        status,
        reason,
    }
}

fn shown(value: &Rational) -> String {
    to_scientific_above(value, 6)
}
