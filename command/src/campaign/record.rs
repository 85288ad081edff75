//! What is kept of each mechanism: what was asked, what was found, and whether that was expected.

use super::plan::{Expected, Mechanism};
use crate::options::number;
use dp_assay_audit::input::read_at_most;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The largest record that is read again, in bytes. Larger ones are made anew.
const LARGEST: u64 = 1 << 28;

/// What is found, beside what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// As expected.
    AsExpected,
    /// A fault was expected, and none was found.
    Missed,
    /// Another verdict than expected: a fault where none was, for one.
    Unexpected,
    /// The verdict is as expected, and the bound is below the one that it should reach.
    Weaker,
    /// The verdict is as expected, and something else in the report is not.
    Differs,
    /// There is no verdict.
    CouldNotRun,
}

impl Judgement {
    /// In words.
    pub const fn says(self) -> &'static str {
        match self {
            Self::AsExpected => "as expected",
            Self::Missed => "MISSED",
            Self::Unexpected => "UNEXPECTED",
            Self::Weaker => "WEAKER",
            Self::Differs => "DIFFERS",
            Self::CouldNotRun => "could not run",
        }
    }
}

/// The record of one mechanism.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// The plan's library.
    pub library: String,
    /// The mechanism's name.
    pub name: String,
    /// The digest of its entry: while this is the same, the record stands. Empty if the entry could not be read.
    pub digest: String,
    /// The version of the auditor.
    pub version: String,
    /// What is claimed, in a few words.
    pub claim: String,
    /// What was expected; `None` if the entry could not be read.
    pub expected: Option<Expected>,
    /// How what was found compares.
    pub judgement: Judgement,
    /// Why not as expected, in one line; empty if it is.
    pub reason: String,
    /// The report's verdict.
    pub verdict: Option<String>,
    /// The bound on epsilon that was proved.
    pub epsilon_lower: Option<String>,
    /// The bound on the parameter that was proved, of a claim in another measure than epsilon.
    #[serde(default)]
    pub parameter_lower: Option<String>,
    /// The event, or the like, that shows it.
    pub event: Option<String>,
    /// The calls that were made for the verdict.
    pub calls: Option<u64>,
    /// The level, exact; `None` where no verdict is left to chance.
    pub level: Option<String>,
    /// How often it was audited at that level: what was inconclusive is asked again.
    #[serde(default = "once")]
    pub attempts: u32,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The processor seconds of the audit and of the programs that it ended; `None` where the system does not say.
    #[serde(default)]
    pub processor_seconds: Option<f64>,
    /// The command that does it again, in a shell.
    pub replay: String,
    /// The whole report.
    pub report: Value,
}

fn once() -> u32 {
    1
}

impl Record {
    /// The record of an entry that has no verdict.
    pub fn could_not_run(library: &str, name: &str, reason: String) -> Self {
        Self {
            library: library.to_owned(),
            name: name.to_owned(),
            digest: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            claim: String::new(),
            expected: None,
            judgement: Judgement::CouldNotRun,
            reason,
            verdict: None,
            epsilon_lower: None,
            parameter_lower: None,
            event: None,
            calls: None,
            level: None,
            attempts: 1,
            seconds: 0.0,
            processor_seconds: None,
            replay: String::new(),
            report: Value::Null,
        }
    }

    /// Judges a report, and takes from it what the tables show.
    pub fn take(&mut self, mechanism: &Mechanism, report: Value) {
        let text = |key: &str| report.get(key).and_then(Value::as_str).map(str::to_owned);
        self.verdict = text("verdict");
        self.epsilon_lower = text("epsilon_lower");
        self.parameter_lower = text("parameter_lower");
        self.event = text("event").or_else(|| text("summary"));
        self.calls = report.get("calls").and_then(Value::as_u64);
        (self.judgement, self.reason) = judge(&mechanism.expected, &report);
        self.report = report;
    }

    /// Whether it is finished: what could not run is tried again.
    pub fn is_finished(&self) -> bool {
        self.judgement != Judgement::CouldNotRun
    }

    /// The record that is in this file, if it is of an entry with this digest. It is judged again: what is expected is part of
    /// the digest, and the rules may have changed.
    pub fn read(path: &Path, digest: &str, mechanism: &Mechanism) -> Option<Self> {
        let bytes = read_at_most(path, LARGEST).ok()??;
        let mut record: Self = serde_json::from_slice(&bytes).ok()?;
        if record.digest != digest {
            return None;
        }
        if record.is_finished() {
            let report = record.report.take();
            record.take(mechanism, report);
        }
        Some(record)
    }

    /// The number of the next attempt: one without a report drew nothing.
    pub fn next_attempt(&self) -> u32 {
        self.attempts + u32::from(!self.report.is_null())
    }
}

/// Compares a report with what is expected of it.
fn judge(expected: &Expected, report: &Value) -> (Judgement, String) {
    let Some(verdict) = report.get("verdict").and_then(Value::as_str) else {
        let reason = "the report has no verdict".to_owned();
        return (Judgement::CouldNotRun, reason);
    };
    if verdict != expected.verdict {
        let because = report.get("reason").and_then(Value::as_str);
        let because = because.map_or(String::new(), |reason| format!(": {reason}"));
        let reason = format!("{verdict}, but expected {}{because}", expected.verdict);
        // Of a claim, of a law, and of recorded noise.
        let found_nothing = verdict.starts_with("not-refuted") || verdict == "conforms-not-refuted";
        let judgement = match verdict {
            "inconclusive" => Judgement::CouldNotRun,
            _ if found_nothing => Judgement::Missed,
            _ => Judgement::Unexpected,
        };
        return (judgement, reason);
    }
    let bound = report.get("epsilon_lower").and_then(Value::as_str);
    if let Some(least) = &expected.epsilon_lower {
        let reached = match (bound.map(number), number(least)) {
            (Some(Ok(bound)), Ok(least)) => bound >= least,
            _ => false,
        };
        if !reached {
            let bound = bound.unwrap_or("none");
            let reason = format!("the bound on epsilon is {bound}, but expected at least {least}");
            return (Judgement::Weaker, reason);
        }
    }
    for (pointer, value) in &expected.report {
        let found = report.pointer(pointer).unwrap_or(&Value::Null);
        if found != value {
            let reason = format!("the report has {found} at {pointer}, but expected {value}");
            return (Judgement::Differs, reason);
        }
    }
    (Judgement::AsExpected, String::new())
}

/// How many are not as expected, and how many could not run.
pub fn counts(records: &[Record]) -> (usize, usize) {
    let count = |which: fn(&Judgement) -> bool| {
        let judgements = records.iter().map(|record| record.judgement);
        judgements.filter(which).count()
    };
    let could_not_run = count(|judgement| *judgement == Judgement::CouldNotRun);
    let as_expected = count(|judgement| *judgement == Judgement::AsExpected);
    (records.len() - could_not_run - as_expected, could_not_run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expected(verdict: &str) -> Expected {
        Expected {
            verdict: verdict.to_owned(),
            epsilon_lower: None,
            report: std::collections::BTreeMap::new(),
            why: "w".to_owned(),
        }
    }

    #[test]
    fn each_way_of_not_being_as_expected_has_its_name() {
        let judged = |expected: &Expected, report: Value| judge(expected, &report).0;
        let violation = expected("violation");
        let sound = expected("not-refuted");
        for (wanted, verdict, judgement) in [
            (&violation, "violation", Judgement::AsExpected),
            (&violation, "not-refuted", Judgement::Missed),
            (&sound, "violation", Judgement::Unexpected),
            (&sound, "not-refuted", Judgement::AsExpected),
            (&sound, "inconclusive", Judgement::CouldNotRun),
            (
                &expected("inconclusive"),
                "inconclusive",
                Judgement::AsExpected,
            ),
            (
                &expected("not-conforming"),
                "conforms-not-refuted",
                Judgement::Missed,
            ),
            (
                &expected("violation-given-the-recorded-noise"),
                "not-refuted-given-the-recorded-noise",
                Judgement::Missed,
            ),
        ] {
            assert_eq!(
                judged(wanted, json!({ "verdict": verdict })),
                judgement,
                "{verdict}"
            );
        }
        assert_eq!(judged(&sound, json!({})), Judgement::CouldNotRun);
        let bound = |least: &str| Expected {
            epsilon_lower: Some(least.to_owned()),
            ..violation.clone()
        };
        let report = json!({"verdict": "violation", "epsilon_lower": "1.25000"});
        assert_eq!(judged(&bound("5/4"), report.clone()), Judgement::AsExpected);
        assert_eq!(judged(&bound("1.2500001"), report), Judgement::Weaker);
        let none = json!({"verdict": "violation", "epsilon_lower": null});
        assert_eq!(judged(&bound("1"), none), Judgement::Weaker);
        let mut whole = violation.clone();
        whole.report.insert("/counts/second".to_owned(), json!(0));
        let with = |count: u64| json!({"verdict": "violation", "counts": {"second": count}});
        assert_eq!(judged(&whole, with(0)), Judgement::AsExpected);
        assert_eq!(judged(&whole, with(1)), Judgement::Differs);
    }
}
