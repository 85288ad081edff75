//! The exponential mechanism, randomised response and the Laplace threshold.

use super::super::File;
use super::super::numbers::{fraction, in_a_name};
use super::{CLOSED, Group, Table, certified};
use crate::error::Error;
use crate::truth::mechanisms::{given_otherwise, kept, profile_of_response};
use crate::truth::selection::released;
use dp_assay::coins::Law;
use dp_assay::number::rational::parse;
use dp_assay::number::{NumberError, Rational};
use dp_assay::privacy::PrivacyError;
use dp_assay::privacy::mechanisms::LaplaceThreshold;
use dp_assay::sample::{DiscreteLaplace, ExponentialMechanism, ScoreClass};
use num_bigint::{BigInt, BigUint};
use serde_json::json;

pub fn files() -> Result<Vec<File>, Error> {
    let mut tables = Vec::new();
    for (name, epsilon, sensitivity, classes) in EXPONENTIAL {
        tables.push(exponential(
            name,
            &parse(epsilon)?,
            &parse(sensitivity)?,
            classes,
        )?);
    }
    for epsilon in ["1", "1/10", "1/2", "5", "20", "355/113"] {
        tables.push(randomised_response(&parse(epsilon)?)?);
    }
    for (scale, threshold) in [
        ("1", 5),
        ("1/2", 3),
        ("2", 20),
        ("355/113", 40),
        ("1e6", 20_000_000),
    ] {
        tables.push(laplace_threshold(&parse(scale)?, &threshold.into())?);
    }
    Ok(tables.iter().map(Table::file).collect())
}

/// Losses, and how many outcomes have each.
type Classes = &'static [(&'static str, &'static str)];

/// A name, epsilon, the sensitivity, and the classes.
const EXPONENTIAL: [(&str, &str, &str, Classes); 5] = [
    ("two-outcomes", "1", "1", &[("0", "1"), ("1", "1")]),
    ("votes", "1", "1", &[("-3", "1"), ("-1", "1"), ("0", "3")]),
    (
        "off-grid",
        "355/113",
        "2/7",
        &[("1/3", "1"), ("22/7", "5"), ("0", "2"), ("5/2", "113")],
    ),
    (
        "many-outcomes",
        "1/2",
        "1",
        &[("0", "1"), ("10", "1000000"), ("100", "1000000000000")],
    ),
    (
        "unlikely-outcomes",
        "2",
        "1",
        &[("0", "1"), ("700", "1"), ("800", "1"), ("5000", "1")],
    ),
];

fn exponential(
    name: &str,
    epsilon: &Rational,
    sensitivity: &Rational,
    classes: Classes,
) -> Result<Table, Error> {
    let mut read = Vec::new();
    for (loss, count) in classes {
        read.push(ScoreClass {
            loss: parse(loss)?,
            count: parse(count)?.numer().magnitude().clone(),
        });
    }
    let losses: Vec<String> = read.iter().map(|class| fraction(&class.loss)).collect();
    let counts: Vec<String> = read.iter().map(|class| class.count.to_string()).collect();
    let law = ExponentialMechanism::new(epsilon.clone(), sensitivity.clone(), read)?;
    let values = (0..classes.len()).map(|class| {
        certified(json!({"k": class.to_string()}), |bits| {
            law.pmf(&class, bits)
        })
    });
    let group = Group {
        id: format!("exponential-mechanism-{name}"),
        quantity: "pmf",
        meaning: "the probability that the outcome is one of class k, counted from 0",
        method: CLOSED,
        bug: (
            "factor-two",
            "unsound",
            "the 2 in the exponent is missing: twice the epsilon",
        ),
        values: values.collect::<Result<_, _>>()?,
    };
    Ok(Table {
        law: "exponential-mechanism",
        definition: "each of the counts[k] outcomes of class k has a probability proportional to e^(-epsilon losses[k] / (2 sensitivity))".to_owned(),
        parameters: json!({
            "epsilon": fraction(epsilon),
            "sensitivity": fraction(sensitivity),
            "losses": losses,
            "counts": counts,
        }),
        name: name.to_owned(),
        flags: vec![match name {
            "off-grid" => "OffGrid",
            _ => "Ordinary",
        }],
        groups: vec![group],
    })
}

fn randomised_response(epsilon: &Rational) -> Result<Table, Error> {
    let id = format!("randomised-response-epsilon={}", fraction(epsilon));
    let pmf = Group {
        id: id.clone(),
        quantity: "pmf",
        meaning: "the probability that the bit is kept (k = 0), that it is flipped (k = 1)",
        method: CLOSED,
        bug: (
            "coin",
            "unsound",
            "the bit is replaced by a fair coin where it should be flipped: it is flipped half as often",
        ),
        values: vec![
            certified(json!({"k": "0"}), |bits| kept(epsilon, 2, bits))?,
            certified(json!({"k": "1"}), |bits| given_otherwise(epsilon, 2, bits))?,
        ],
    };
    let mut values = Vec::new();
    for text in ["0", "1/10", "1/2", "1", "2", "355/113", "10"] {
        let at = parse(text)?;
        let arguments = json!({"epsilon": fraction(&at)});
        values.push(certified(arguments, |bits| {
            profile_of_response(epsilon, 2, &at, bits)
        })?);
    }
    let profile = Group {
        id,
        quantity: "profile",
        meaning: "the least delta for which the answer is (epsilon, delta)-private",
        method: CLOSED,
        bug: (
            "clipping",
            "negative",
            "a delta below 0 beyond the epsilon of the mechanism",
        ),
        values,
    };
    Ok(Table {
        law: "randomised-response",
        definition:
            "a bit is kept with probability e^epsilon / (1 + e^epsilon), and flipped otherwise"
                .to_owned(),
        parameters: json!({"epsilon": fraction(epsilon)}),
        name: format!("epsilon={}", in_a_name(epsilon)),
        flags: vec![match epsilon.numer().magnitude() > &BigUint::from(100u32) {
            true => "OffGrid",
            false => "Ordinary",
        }],
        groups: vec![pmf, profile],
    })
}

fn laplace_threshold(scale: &Rational, threshold: &BigInt) -> Result<Table, Error> {
    let law = DiscreteLaplace::new(scale.clone())?;
    let mut counts: Vec<BigInt> = [1, 2, 3].map(BigInt::from).to_vec();
    counts.extend([threshold - 1, threshold.clone(), threshold + 1]);
    counts.dedup();
    counts.sort_unstable();
    counts.dedup();
    let release = |count: &BigInt| {
        certified(json!({"count": count.to_string()}), |bits| {
            released(&law, threshold, count, bits)
        })
    };
    let id = format!(
        "laplace-threshold-scale={},threshold={threshold}",
        fraction(scale)
    );
    let delta = Group {
        id: id.clone(),
        quantity: "delta",
        meaning: "the delta that no epsilon repairs, if a person has one record: the probability that a partition of one record is released",
        method: CLOSED,
        bug: (
            "strict",
            "unsound",
            "the probability above the threshold for a release from the threshold on: a factor e^(1/scale) too small",
        ),
        values: vec![release(&1.into())?],
    };
    let releases = Group {
        id: id.clone(),
        quantity: "release",
        meaning: "the probability that a partition of so many records is released",
        method: CLOSED,
        bug: (
            "one-sided",
            "above-one",
            "q^(threshold - count) / (1 + q), the tail of an argument of at least 0, for counts above the threshold too: no probability",
        ),
        values: counts.iter().map(release).collect::<Result<_, _>>()?,
    };
    let selection = LaplaceThreshold::new(law.clone(), threshold.clone());
    let mut values = Vec::new();
    for epsilon in ["0", "1/10", "1/2", "1", "2", "355/113"] {
        let epsilon = parse(epsilon)?;
        let at = json!({"epsilon": fraction(&epsilon)});
        values.push(certified(at, |bits| {
            selection.delta(&epsilon, bits).map_err(of_number)
        })?);
    }
    let profile = Group {
        id,
        quantity: "profile",
        meaning: "the least delta at epsilon over all neighbours that differ in one record of one partition, where the noisy counts are released too",
        method: "the larger of the delta of one record and of the profile of the noise at shift 1, both closed forms",
        bug: (
            "noise-alone",
            "unsound",
            "the profile of the noise, without the release of a partition that one person alone is in",
        ),
        values,
    };
    Ok(Table {
        law: "laplace-threshold",
        definition: "a partition of count >= 1 records is released if count + X >= threshold, for discrete Laplace noise X of this scale; Pr[X = k] = (1 - q) / (1 + q) q^|k| with q = e^(-1/scale)".to_owned(),
        parameters: json!({"scale": fraction(scale), "threshold": threshold.to_string()}),
        name: format!("scale={},threshold={threshold}", in_a_name(scale)),
        flags: vec![match *scale > Rational::from_integer(1000.into()) {
            true => "HugeScale",
            false => "Ordinary",
        }],
        groups: vec![delta, releases, profile],
    })
}

/// The error of a real function, which more digits may mend; nothing else is wrong with an epsilon of at least 0.
fn of_number(error: PrivacyError) -> NumberError {
    match error {
        PrivacyError::Number(error) => error,
        other => NumberError::OutOfDomain {
            function: "the profile of a threshold",
            argument: other.to_string(),
            expected: "an epsilon of at least 0",
        },
    }
}
