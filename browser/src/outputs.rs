//! The auditor on outputs that somebody brings: those of a mechanism on two neighbouring datasets.

use dp_assay::coins::CoinsError;
use dp_assay::number::{Rational, rational};
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{self, Claim, Examined, LEAST_CALLS, Until, audit_pair};
use dp_assay_audit::report::{Conclusion, claim};
use dp_assay_audit::targets::{Function, Output, TargetError};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most outputs on each dataset.
const MOST: usize = 1 << 18;

/// The outputs, in the order in which they came, and what the mechanism claims.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    first: String,
    second: String,
    epsilon: String,
    delta: String,
    level: String,
    /// The seed of the auditor's own coins: it must not have been known when the outputs came.
    seed: u64,
}

impl Question {
    /// `conclusion`, and `text`: the auditor's report.
    pub fn answer(&self) -> Result<Value, String> {
        let outputs = [("first", &self.first), ("second", &self.second)];
        let [first, second] = outputs.map(|(dataset, text)| {
            read(text).map_err(|reason| format!("the {dataset} dataset, {reason}"))
        });
        let (first, second) = (first?, second?);
        let question = refute::Question {
            claim: Claim::budget(
                number("epsilon", &self.epsilon)?,
                number("delta", &self.delta)?,
            ),
            level: number("the level", &self.level)?,
            calls: calls(first.len().min(second.len()))?,
            until: Until::Proof,
            shrink: false,
            time: false,
            seed: self.seed,
        };
        let (mut first, mut second) = (first.into_iter(), second.into_iter());
        let mut pasted = Function(|dataset: &Value| {
            let next = match dataset == &json!("first") {
                true => first.next(),
                false => second.next(),
            };
            next.ok_or_else(|| {
                TargetError::Coins(CoinsError::Generator {
                    reason: "they chose one dataset more often than it has outputs".to_owned(),
                })
            })
        });
        let pair = Pair(json!("first"), json!("second"));
        let found = audit_pair(&mut pasted, &pair, &question).map_err(|error| error.to_string())?;
        let report = claim::report(&Examined::alone(None, found), &question, "the outputs");
        Ok(json!({
            "conclusion": match report.conclusion {
                Conclusion::Refuted => "refuted",
                Conclusion::NotRefuted => "not refuted",
                Conclusion::Inconclusive => "inconclusive",
            },
            "text": report.text(true),
        }))
    }
}

/// How many calls there are, each on one of the datasets by a fair coin: so many that with `n` outputs on each the coins ask for more with
/// probability below 1e-8: six standard deviations from the middle. The audit is inconclusive then.
///
/// The number may depend on how many outputs there are, and on nothing else of them.
fn calls(n: usize) -> Result<u64, String> {
    // calls / 2 + 6 sqrt(calls) / 2 <= n, and calls <= 2 n.
    let spare = 6 * (2 * n).isqrt() + 6;
    let calls = (2 * n).saturating_sub(spare) as u64;
    match calls >= LEAST_CALLS {
        true => Ok(calls),
        false => Err(format!(
            "at least 58 outputs on each dataset are needed, got {n} on one"
        )),
    }
}

fn number(name: &str, text: &str) -> Result<Rational, String> {
    let is_short = text.len() <= 40;
    let read = rational::parse(text.trim()).ok().filter(|_| is_short);
    read.ok_or_else(|| format!("{name} must be an exact number, such as 3/2, 0.1 or 1e-6"))
}

/// One output a line, as the auditor's protocol has them; or several numbers, with spaces or commas between.
fn read(text: &str) -> Result<Vec<Output>, String> {
    let mut outputs = Vec::new();
    for (at, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        match Output::read(line) {
            Ok(output) => outputs.push(output),
            Err(whole) => {
                let parts = line
                    .split([' ', ',', ';', '\t'])
                    .filter(|part| !part.is_empty());
                let parts: Result<Vec<Output>, String> = parts.map(Output::read).collect();
                outputs.extend(parts.map_err(|_| format!("line {at}: {whole}"))?);
            }
        }
        if outputs.len() > MOST {
            return Err(format!("line {at}: at most {MOST} outputs are taken"));
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the exact tail of the binomial law.
    #[test]
    fn the_coins_ask_for_more_outputs_than_there_are_with_probability_below_1e_8() {
        use dp_assay::number::Enclosure;
        use dp_assay::stats::binomial;
        let (half, least) = (
            Enclosure::of(&rational::ratio(1, 2), 64),
            rational::ratio(1, 200_000_000),
        );
        for n in [58, 59, 100, 1000, 4000] {
            let tail = binomial::upper_tail(calls(n).unwrap(), n as u64 + 1, &half).unwrap();
            assert!(tail.is_below_rational(&least), "{n}: {tail}");
        }
        assert!(calls(57).is_err());
    }
}
