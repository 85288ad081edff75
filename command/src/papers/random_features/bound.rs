//! The bounds of the random feature model: lnsx25.thm10, lnsx25.thm11 and lnsx25.thm12.

use crate::error::Error;
use crate::options::Range;
use crate::papers::bound::{
    BETA, Constant, DELTA, EPSILON, Parameter, Stated, Status, Theorem, Values, Version, constant,
};
use dp_assay::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::random_features::bounds::{Setting, generalisation, gram, noise};
use num_bigint::BigUint;
use num_traits::Zero;

const RECORDS: Parameter =
    Parameter::new("--records", "M", "The number of records m", Range::Count);

const FEATURES: Parameter = Parameter::new(
    "--features",
    "N",
    "The number of frequencies N",
    Range::Count,
);

const ETA: Parameter = Parameter::new(
    "--eta",
    "H",
    "How far the eigenvalues of the Gram matrix are from 1, halved",
    Range::BelowHalf,
);

const NORM: Parameter = Parameter::new(
    "--norm",
    "F",
    "The norm of the target in the kernel's space",
    Range::Positive,
);

/// The theorems.
pub const THEOREMS: &[Theorem] = &[
    Theorem {
        claim: "lnsx25.thm10",
        about: "The error of the private random feature model",
        parameters: &[BETA, EPSILON, DELTA, RECORDS, FEATURES, ETA, NORM],
        evaluate: theorem10,
    },
    Theorem {
        claim: "lnsx25.thm11",
        about: "The error of the random feature model without noise",
        parameters: &[BETA, RECORDS, FEATURES, ETA],
        evaluate: theorem11,
    },
    Theorem {
        claim: "lnsx25.thm12",
        about: "The error of the noise of the private random feature model",
        parameters: &[BETA, EPSILON, DELTA, RECORDS, FEATURES, ETA],
        evaluate: theorem12,
    },
];

/// The parameters as given. Theorem 11 has no privacy in it, so that any budget will do for it.
fn setting(values: &Values) -> Result<Setting, Error> {
    let or = |parameter, default: Rational| {
        let value = values.of(parameter);
        if value.is_zero() { default } else { value }
    };
    let setting = Setting {
        records: values.count(&RECORDS),
        features: values.count(&FEATURES),
        eta: values.of(&ETA),
        epsilon: or(&EPSILON, integer(1)),
        delta: or(&DELTA, ratio(1, 2)),
        failure: values.of(&BETA),
    };
    Ok(setting.checked()?)
}

/// The versions of a bound that holds with probability `1 - failures beta`: they say nothing where that is not above 0.
fn with_probability(failures: u32, setting: &Setting, mut versions: Vec<Version>) -> Vec<Version> {
    if &setting.failure * integer(failures) >= integer(1) {
        for version in &mut versions {
            version.status = Status::Vacuous;
            version.reason = format!("its probability 1 - {failures} beta is not above 0");
        }
    }
    versions
}

/// A version of a bound on an error, which says something if it is below what predicting 0 reaches.
fn version(
    name: &'static str,
    mut constants: Vec<Constant>,
    bound: &Enclosure,
    zero: (&Enclosure, &str),
    setting: &Setting,
) -> Result<Version, Error> {
    let needed = gram::features_for_both_edges(setting.records, &setting.eta, &setting.failure)?;
    let enough = BigUint::from(setting.features) >= needed;
    constants.push(constant(
        "N for Theorem 8's conclusion, with our constants",
        needed,
    ));
    let (reaches, why) = zero;
    let (status, reason) = if !bound.is_below(reaches) {
        let figure = to_scientific_above(&reaches.upper(), 4);
        (
            Status::Vacuous,
            format!("to predict 0 errs by at most {figure} {why}"),
        )
    } else if enough {
        (
            Status::Holds,
            "below what predicting 0 is known to reach".to_owned(),
        )
    } else {
        let reason = "its condition on N is not known to be met";
        (Status::Vacuous, reason.to_owned())
    };
    Ok(Version {
        version: name,
        constants,
        status,
        reason,
    })
}

fn shown(name: &'static str, bound: &Enclosure) -> Constant {
    constant(name, to_scientific_above(&bound.upper(), 5))
}

/// Theorem 10, with probability `1 - 9 beta`.
fn theorem10(values: &Values) -> Result<Stated, Error> {
    let setting = setting(values)?;
    let norm = values.of(&NORM);
    let reaches = Enclosure::of(&norm, 64);
    let zero = (&reaches, "(|f|)");
    let one = |name, bound: Enclosure| {
        version(
            name,
            vec![shown("|f - fhat|, at most", &bound)],
            &bound,
            zero,
            &setting,
        )
    };
    let mut printed = one(
        "as printed, with 1 - eta",
        generalisation::theorem_10_printed(&setting, &norm)?,
    )?;
    printed.status = Status::Vacuous;
    printed.reason =
        "the printed bound is false for eta near 1/2: where it has 1 - eta, Theorem 12 gives 1 - 2 eta".to_owned();
    let versions = vec![
        printed,
        one(
            "with 1 - 2 eta",
            generalisation::theorem_10_corrected(&setting, &norm)?,
        )?,
        one(
            "our constants",
            generalisation::theorem_10_proved(&setting, &norm)?,
        )?,
    ];
    let statement =
        "with probability 1 - 9 beta the private model is that close to its target f in L2(mu)";
    let versions = with_probability(9, &setting, versions);
    Ok((statement.to_owned(), versions))
}

/// Theorem 11, with probability `1 - 8 beta`, for a target of norm 1.
fn theorem11(values: &Values) -> Result<Stated, Error> {
    let setting = setting(values)?;
    let reaches = Enclosure::integer(1, 64);
    let zero = (&reaches, "|f|");
    let one = |name, terms: generalisation::Terms| {
        let constants = vec![
            shown("|f - f#|/|f|, at most", &terms.sum()),
            shown("of it, approximation", &terms.approximation),
            shown("of it, labels", &terms.labels),
            shown("of it, coefficients", &terms.coefficients),
        ];
        version(name, constants, &terms.sum(), zero, &setting)
    };
    let share = &setting.failure * ratio(1, 2);
    let versions = vec![
        one("as printed", generalisation::theorem_11_printed(&setting)?)?,
        one(
            "our constants",
            generalisation::theorem_11_proved(&setting, &share)?,
        )?,
    ];
    let statement = "with probability 1 - 8 beta the model without noise is that close to its target f in L2(mu)";
    let versions = with_probability(8, &setting, versions);
    Ok((statement.to_owned(), versions))
}

/// Theorem 12, with probability `1 - 5 beta`; for labels of norm at most 1.
fn theorem12(values: &Values) -> Result<Stated, Error> {
    let setting = setting(values)?;
    let exact = noise::expected_square(&setting)?.sqrt()?;
    let reaches = Enclosure::of(&integer(setting.records).recip(), 64).sqrt()?;
    let zero = (
        &reaches,
        "on the data in the mean (labels of norm at most 1)",
    );
    let one = |name, bound: Enclosure| {
        let constants = vec![
            shown("|f# - fhat|, at most", &bound),
            constant(
                "its root mean square, exactly, for every N and m",
                to_scientific_below(&exact.lower(), 5),
            ),
        ];
        version(name, constants, &bound, zero, &setting)
    };
    let versions = vec![
        one("as printed", noise::theorem_12_printed(&setting)?)?,
        one("our constants", noise::theorem_12_corrected(&setting)?)?,
    ];
    let statement =
        "with probability 1 - 5 beta the noise moves the model by at most that in L2(mu)";
    let versions = with_probability(5, &setting, versions);
    Ok((statement.to_owned(), versions))
}
