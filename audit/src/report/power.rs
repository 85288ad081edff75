//! The power of the whole audit, by planted violations.

use super::Rows;
use crate::refute::{NAMES, PipelinePower};
use dp_assay::number::rational::to_scientific;
use serde_json::{Value, json};

/// For programs.
pub fn as_json(powers: &[PipelinePower]) -> Value {
    if powers.is_empty() {
        return json!({
            "measured": false,
            "how": format!("--power FAMILY: {NAMES}"),
        });
    }
    let family = |power: &PipelinePower| {
        json!({
            "family": power.family.to_string(),
            "parameter": power.parameter,
            // Of whatever the parameter is.
            "epsilon": power.caught.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
            "missed": power.missed.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
            "runs": power.runs,
            // There is no time limit; older versions had one.
            "out_of_time": false,
            "caught": power.caught.as_ref().map_or(0, |_| power.runs),
        })
    };
    json!({
        "measured": true,
        "probability": 0.95,
        "confidence": 0.95,
        "families": powers.iter().map(family).collect::<Vec<_>>(),
    })
}

/// For people.
pub fn rows(powers: &[PipelinePower]) -> Rows {
    let row = |value: String| ("power of the audit".to_owned(), value);
    if powers.is_empty() {
        let how = "not measured: --power all plants violations and measures it, in many audits";
        return vec![row(how.to_owned())];
    }
    powers.iter().map(|power| row(sentence(power))).collect()
}

fn sentence(power: &PipelinePower) -> String {
    match (&power.caught, &power.missed) {
        (Some(epsilon), _) => format!(
            "{} with {} {} or more: planted {} times, caught each time (probability 0.95 or more, at 95 % confidence; of single values on a given pair)",
            power.family,
            power.parameter,
            to_scientific(epsilon, 4),
            power.runs
        ),
        (None, Some(_)) => format!(
            "{}: of the largest planted {} fewer than {} of {} runs were caught",
            power.family, power.parameter, power.runs, power.runs
        ),
        (None, None) => format!(
            "{}: not measured, as no {} up to 40 is above the claim by enough to be planted",
            power.family, power.parameter
        ),
    }
}
