//! The bounds of the random feature model: lnsx25.thm10, lnsx25.thm11 and lnsx25.thm12.

use super::{Arguments, Constant, Status, Version, constant, given};
use crate::error::Error;
use dp_assay::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::random_features::bounds::{Setting, generalisation, gram, noise};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The parameters as given. Theorem 11 has no privacy in it, so that any budget will do for it.
fn setting(arguments: &Arguments) -> Result<Setting, Error> {
    let whole = |value: &Option<Rational>| given(value).to_integer().to_u64().unwrap_or(u64::MAX);
    let setting = Setting {
        records: whole(&arguments.records),
        features: whole(&arguments.features),
        eta: given(&arguments.eta),
        epsilon: arguments.epsilon.clone().unwrap_or(integer(1)),
        delta: arguments.delta.clone().unwrap_or(ratio(1, 2)),
        failure: given(&arguments.beta),
    };
    Ok(setting.checked()?)
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
pub(super) fn theorem10(arguments: &Arguments) -> Result<(String, Vec<Version>), Error> {
    let setting = setting(arguments)?;
    let norm = given(&arguments.norm);
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
        "false for eta near 1/2: where it has 1 - eta, Theorem 12 gives 1 - 2 eta".to_owned();
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
    Ok((statement.to_owned(), versions))
}

/// Theorem 11, with probability `1 - 8 beta`, for a target of norm 1.
pub(super) fn theorem11(arguments: &Arguments) -> Result<(String, Vec<Version>), Error> {
    let setting = setting(arguments)?;
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
    Ok((statement.to_owned(), versions))
}

/// Theorem 12, with probability `1 - 5 beta`; for labels of norm at most 1.
pub(super) fn theorem12(arguments: &Arguments) -> Result<(String, Vec<Version>), Error> {
    let setting = setting(arguments)?;
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
    Ok((statement.to_owned(), versions))
}
