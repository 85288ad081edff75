//! The bounds of the theorems: bms22.thm3_1, bms22.thm3_1.lower and bms22.gibbs.bound.

use crate::error::Error;
use crate::options::Range;
use crate::papers::bound::{
    ALPHA, BETA, Constant, Cost, EPSILON, Parameter, Stated, Status, Theorem, Values, Version,
    constant, in_tens, power_of_ten,
};
use dp_assay::margin::bounds::lower_bound::{light_points, records_needed};
use dp_assay::margin::bounds::{GibbsRun, Guarantee, PureRun, PureSetting};
use dp_assay::number::rational::{ratio, to_scientific_above, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The margin, over the norm of the hypotheses times the radius of the points.
const MARGIN: Parameter = Parameter::new(
    "--margin",
    "RHO",
    "The margin of halfspaces of norm 1 on records of the unit ball",
    Range::Margin,
);

const RECORDS: Parameter =
    Parameter::new("--records", "M", "The number of records m", Range::Count);

const DIMENSION: Parameter = Parameter::new(
    "--dimension",
    "D",
    "The dimension d of the data",
    Range::Count,
);

const CANDIDATES: Parameter = Parameter::new(
    "--candidates",
    "N",
    "The number of candidates N",
    Range::Count,
);

/// The theorems.
pub const THEOREMS: &[Theorem] = &[
    Theorem {
        claim: "bms22.thm3_1",
        about: "The error of Algorithm 1, the pure learner with a cover",
        parameters: &[BETA, EPSILON, MARGIN, RECORDS, DIMENSION],
        evaluate: theorem3_1,
    },
    Theorem {
        claim: "bms22.gibbs.bound",
        about: "The error of the Gibbs learner on public candidates",
        parameters: &[BETA, EPSILON, MARGIN, RECORDS, DIMENSION, CANDIDATES],
        evaluate: gibbs,
    },
    Theorem {
        claim: "bms22.thm3_1.lower",
        about: "The records that every pure private learner with a margin guarantee needs",
        parameters: &[ALPHA, BETA, EPSILON, MARGIN],
        evaluate: lower,
    },
];

/// `q`, at norm 1 and radius 1.
fn quotient(values: &Values) -> Rational {
    let margin = values.of(&MARGIN);
    if margin.is_zero() {
        margin
    } else {
        margin.recip()
    }
}

fn theorem3_1(values: &Values) -> Result<Stated, Error> {
    let run = PureRun {
        records: values.count(&RECORDS),
        dimension: values.count(&DIMENSION),
        epsilon: values.of(&EPSILON),
        beta: values.of(&BETA),
        ratio: quotient(values),
    };
    let none = Rational::zero();
    let version =
        |name, setting: &PureSetting, alpha: Option<Rational>| -> Result<Version, Error> {
            let log10_cover = in_tens(&Enclosure::of(&setting.log_cover, 96))?;
            let rows = setting.rows.map_or("none".to_owned(), |k| k.to_string());
            let constants = vec![
                error_at_most(alpha.as_ref()),
                constant("rows k of the projection", rows),
                constant("part c of the margin for it", &setting.part),
                constant(
                    "radius of the cover, relative to the ball",
                    to_scientific_below(&setting.radius, 4),
                ),
                constant("points of the cover, at most", power_of_ten(&log10_cover)),
            ];
            let cost = Cost {
                what: "points of the cover",
                size: log10_cover,
            };
            Ok(if alpha.is_some() {
                Version::new(name, constants, &cost)
            } else {
                vacuous(name, constants)
            })
        };
    let (paper, alpha) = run.theorem_3_1_best(&none)?;
    let alpha = Some(alpha).filter(|alpha| *alpha < ratio(1, 2));
    let best = run.best()?;
    let ours = run.guarantee(&best, &none)?;
    let versions = vec![
        version("the paper's proof, with every constant", &paper, alpha)?,
        version("a union over the cover (ours)", &best, ours.alpha)?,
    ];
    let statement = "if some w of norm 1 has y <w, x> > rho on every record, the epsilon-private Algorithm 1 has at \
                     most this error with probability 1 - beta over data, projection and coins";
    Ok((statement.to_owned(), versions))
}

fn gibbs(values: &Values) -> Result<Stated, Error> {
    let candidates = values.count(&CANDIDATES);
    let dimension = values.count(&DIMENSION);
    let run = GibbsRun {
        records: values.count(&RECORDS),
        dimension,
        candidates,
        epsilon: values.of(&EPSILON),
        beta: values.of(&BETA),
    };
    let Guarantee {
        alpha,
        training,
        reason,
    } = run.guarantee(&quotient(values), &Rational::zero())?;
    let mut constants = vec![error_at_most(alpha.as_ref())];
    if let Some(training) = training {
        constants.push(constant(
            "error on the data, at most",
            to_scientific_above(&training, 4),
        ));
    }
    let name = if alpha.is_some() { "terms" } else { "why" };
    constants.push(constant(name, reason));
    let name = "public candidates from a normal prior (ours)";
    let coordinates = BigUint::from(candidates) * BigUint::from(dimension);
    let cost = Cost {
        what: "coordinates of candidates (N d)",
        size: crate::papers::bound::log10(&coordinates)?,
    };
    let version = if alpha.is_some() {
        Version::new(name, constants, &cost)
    } else {
        vacuous(name, constants)
    };
    let statement = "if some w of norm 1 has y <w, x> > rho on every record, the epsilon-private Gibbs learner on N \
                     candidates has at most this error with probability 1 - beta over data, candidates and coins";
    Ok((statement.to_owned(), vec![version]))
}

fn lower(values: &Values) -> Result<Stated, Error> {
    let (alpha, q) = (values.of(&ALPHA), quotient(values));
    let (beta, epsilon) = (values.of(&BETA), values.of(&EPSILON));
    if alpha > ratio(1, 10) {
        let version = Version {
            version: "all labellings of light points (ours)",
            constants: vec![constant("records m, at least", "not proved")],
            status: Status::Vacuous,
            reason: "it is proved for --alpha of at most 1/10".to_owned(),
        };
        return Ok((lower_statement(), vec![version]));
    }
    let records = records_needed(&q, &alpha, &beta, &epsilon)?;
    let records = records.ceil().to_integer();
    let (status, reason) = if records.is_one() || records.is_zero() {
        (Status::Vacuous, "it asks for a single record".to_owned())
    } else {
        let reason = "for every pure private learner, however slow".to_owned();
        (Status::Holds, reason)
    };
    let version = Version {
        version: "all labellings of light points (ours)",
        constants: vec![
            constant("records m, at least", &records),
            constant("points that are labelled", light_points(&q, &alpha)?),
        ],
        status,
        reason,
    };
    Ok((lower_statement(), vec![version]))
}

fn lower_statement() -> String {
    "every epsilon-private learner with error at most alpha with probability 1 - beta, on every distribution on which \
     some w of norm 1 has margin above rho, needs m records"
        .to_owned()
}

fn error_at_most(alpha: Option<&Rational>) -> Constant {
    let value = alpha.map_or("1/2: nothing".to_owned(), |alpha| {
        to_scientific_above(alpha, 4)
    });
    constant("error, at most", value)
}

fn vacuous(version: &'static str, constants: Vec<Constant>) -> Version {
    Version {
        version,
        constants,
        status: Status::Vacuous,
        reason: "an error of 1/2 is that of a coin: more records, a wider margin or a larger epsilon are needed"
            .to_owned(),
    }
}
