//! The power of the whole audit, by planted violations.

use super::arguments::Arguments;
use crate::error::Error;
use crate::report::audit::Rows;
use dp_assay::number::rational::to_scientific;
use dp_assay_audit::refute::{AuditError, Finding, Question, Verdict};
use dp_assay_audit::refute::{
    Family, NAMES, PipelinePower, UNASKED, UNASKED_SECONDS, pipeline_power,
};
use serde_json::json;
use std::time::{Duration, Instant};

/// What was measured.
pub enum Measured {
    /// It was not asked for, and takes many audits.
    NotAsked,
    /// In each family.
    Families(Vec<PipelinePower>),
}

/// The families that the options name.
pub fn families(arguments: &Arguments) -> Result<Vec<Family>, Error> {
    let mut families = Vec::new();
    for name in &arguments.power {
        let named = Family::read(name).ok_or_else(|| Error::option("--power", NAMES, name))?;
        families.extend(named);
    }
    Ok(families)
}

/// Measures it in the families that were asked for; unasked in all, for a limited time, if nothing was found and the audits
/// are short.
pub fn measure(
    asked: &[Family],
    finding: &Finding,
    question: &Question,
) -> Result<Measured, AuditError> {
    let unasked = finding.verdict == Verdict::NotRefuted && question.calls <= UNASKED;
    // What nobody asked for may not take long.
    let until = Instant::now() + Duration::from_secs(UNASKED_SECONDS);
    let (families, until) = match asked {
        [] if unasked => (Family::all(), Some(until)),
        [] => return Ok(Measured::NotAsked),
        asked => (asked.to_vec(), None),
    };
    let powers = families
        .iter()
        .map(|family| pipeline_power(family, question, until));
    Ok(Measured::Families(powers.collect::<Result<_, _>>()?))
}

impl Measured {
    /// For programs.
    pub fn as_json(&self) -> serde_json::Value {
        match self {
            Self::NotAsked => json!({
                "measured": false,
                "how": format!("--power FAMILY: {NAMES}"),
            }),
            Self::Families(powers) => json!({
                "measured": true,
                "probability": 0.95,
                "confidence": 0.95,
                "families": powers.iter().map(|power| json!({
                    "family": power.family.to_string(),
                    "epsilon": power.caught.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
                    "missed": power.missed.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
                    "runs": power.runs,
                    "out_of_time": power.out_of_time,
                    "caught": power.caught.as_ref().map_or(0, |_| power.runs),
                })).collect::<Vec<_>>(),
            }),
        }
    }

    /// For people.
    pub fn rows(&self) -> Rows {
        let name = "power of the audit".to_owned();
        match self {
            Self::NotAsked => vec![(
                name,
                "not measured: --power all plants violations and measures it, in many audits"
                    .to_owned(),
            )],
            Self::Families(powers) => powers
                .iter()
                .map(|power| (name.clone(), sentence(power)))
                .collect(),
        }
    }
}

fn sentence(power: &PipelinePower) -> String {
    let rest = if power.out_of_time {
        format!("; smaller ones were not tried in {UNASKED_SECONDS} s, and --power takes the time")
    } else {
        String::new()
    };
    match (&power.caught, &power.missed) {
        (Some(epsilon), _) => format!(
            "{} with epsilon {} or more: planted {} times, caught each time (probability 0.95 or more, at 95 % confidence; of single values on a given pair){rest}",
            power.family,
            to_scientific(epsilon, 4),
            power.runs
        ),
        (None, Some(_)) => format!(
            "{}: of the largest planted epsilon fewer than {} of {} runs were caught",
            power.family, power.runs, power.runs
        ),
        (None, None) if power.out_of_time => format!(
            "{}: not measured in {UNASKED_SECONDS} s; --power takes the time",
            power.family
        ),
        (None, None) => format!(
            "{}: not measured, as no epsilon up to 40 is above the claim by enough to be planted",
            power.family
        ),
    }
}
