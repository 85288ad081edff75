//! The bounds of the theorems: jt13.thmA, and with it the closed forms that it stands beside.

use crate::error::Error;
use crate::options::Range;
use crate::papers::bound::{
    DELTA, EPSILON, Parameter, Stated, Status, Theorem, Values, Version, constant,
};
use dp_assay::kernels::bounds::noisy_answers::{closed_loss, theorem_9_loss};
use dp_assay::number::Rational;
use dp_assay::number::rational::to_scientific_below;
use dp_assay::privacy::noisy_answers::largest_loss;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_traits::ToPrimitive;

const UPDATES: Parameter = Parameter {
    option: "--updates",
    value: "B",
    help: "The number B of answers that are told from the data",
    range: Range::Count,
};

/// The theorems.
pub const THEOREMS: &[Theorem] = &[Theorem {
    claim: "jt13.thmA",
    about: "What a noisy answer may cost where B of any number of them are told, without noise on the threshold",
    parameters: &[EPSILON, DELTA, UPDATES],
    evaluate: theorem_a,
}];

fn theorem_a(values: &Values) -> Result<Stated, Error> {
    let updates = values
        .of(&UPDATES)
        .to_integer()
        .to_u64()
        .unwrap_or(u64::MAX);
    let (epsilon, delta) = (values.of(&EPSILON), values.of(&DELTA));
    let budget = Budget::approximate(epsilon, delta, NeighbouringRelation::Substitute)?;
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
    if let Ok(loss) = closed_loss(updates, &budget) {
        let reason =
            "epsilon/(3 sqrt(B) ln(1/delta)), for delta <= e^-5 and epsilon <= ln(1/delta)/5";
        versions.push(version("Corollary A1, in closed form", &loss, reason));
    }
    let printed = theorem_9_loss(updates, &budget)?;
    let reason = "epsilon/(200 sqrt(B) ln(4/delta)), for epsilon <= 10";
    versions.push(version("Theorem 9, as printed", &printed, reason));
    let statement = "rounds of this privacy loss each, any number of them, of which B are not quiet, are (epsilon, \
                     delta)-private together";
    Ok((statement.to_owned(), versions))
}

fn shown(value: &Rational) -> String {
    dp_assay::number::rational::to_scientific_above(value, 6)
}
