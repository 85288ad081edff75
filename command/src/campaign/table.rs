//! The records of a campaign as one table: for a terminal, as JSON, and as a page in Markdown.

use super::plan::Plan;
use super::record::{Judgement, Record, counts};
use crate::options::number;
use crate::output::printable;
use dp_assay::number::Rational;
use dp_assay::number::rational::{to_scientific, to_scientific_below};
use num_traits::Zero;
use serde_json::{Value, json};

/// The widest name and verdict of a line for the terminal, in characters.
const WIDEST: usize = 34;

/// How many audits have a level, and the sum of their levels, as often as each was made: at most with that probability is a
/// true claim called violated, in the campaign as a whole.
fn levels(records: &[Record]) -> (usize, Rational) {
    let levels = records.iter().filter_map(|record| {
        let level = number(record.level.as_ref()?).ok()?;
        Some(level * Rational::from_integer(record.attempts.into()))
    });
    levels.fold((0, Rational::zero()), |(count, sum), level| {
        (count + 1, sum + level)
    })
}

/// What is said of the campaign as a whole, a sentence a line.
fn summary(records: &[Record]) -> Vec<String> {
    let (not_as_expected, could_not_run) = counts(records);
    let as_expected = records.len() - not_as_expected - could_not_run;
    let (audits, sum) = levels(records);
    let sum = if sum < Rational::from_integer(1.into()) {
        format!(
            "a true claim is called violated, in any of them, with probability at most {}",
            to_scientific(&sum, 3)
        )
    } else {
        format!(
            "their levels sum to {}: that many true claims are called violated on average at most (--level shares one level)",
            to_scientific(&sum, 3)
        )
    };
    vec![
        format!(
            "{} {}: {as_expected} as expected, {not_as_expected} not as expected, {could_not_run} could not run",
            records.len(),
            if records.len() == 1 {
                "mechanism"
            } else {
                "mechanisms"
            },
        ),
        format!("{audits} audits with a level of their own: {sum}"),
        seconds_of(records),
    ]
}

/// The time that all of them took, whenever that was.
fn seconds_of(records: &[Record]) -> String {
    let seconds: f64 = records.iter().map(|record| record.seconds).sum();
    let ran = records.iter().filter(|record| record.seconds > 0.0);
    let processor: Option<f64> = ran.map(|record| record.processor_seconds).sum();
    match processor {
        // An empty sum is -0.
        Some(processor) => format!(
            "{:.0} processor seconds and {seconds:.0} seconds by the clock, each added up over all mechanisms",
            processor + 0.0
        ),
        None => format!("{seconds:.0} seconds by the clock, added up over all mechanisms"),
    }
}

/// What was proved, in a few words, or nothing.
fn proved(record: &Record) -> String {
    let parameter = record.report.pointer("/claim/parameter");
    let parameter = parameter.and_then(Value::as_str).unwrap_or("epsilon");
    let bound = bound(record).map(|bound| format!("{parameter} > {bound}"));
    bound.or_else(|| distance(record)).unwrap_or_default()
}

/// Of a map that is not as stable as claimed: how far its outputs are apart, and how far they may be.
fn distance(record: &Record) -> Option<String> {
    if record.verdict.as_deref() != Some("violation") {
        return None;
    }
    let found = record.report.get("output_distance")?;
    let about = |of: &Value| of.get("about").and_then(Value::as_str).map(str::to_owned);
    let allowed = about(record.report.get("allowed")?)?;
    let found = about(found).unwrap_or_else(|| "infinity".to_owned());
    Some(format!("distance {found} > {allowed}"))
}

/// The bound that was proved on epsilon, or on the parameter of the claim.
fn bound(record: &Record) -> Option<String> {
    if record.verdict.as_deref() == Some("not-refuted") {
        return None;
    }
    let bound = record
        .epsilon_lower
        .as_deref()
        .or(record.parameter_lower.as_deref());
    Some(to_scientific_below(&number(bound?).ok()?, 3))
}

fn calls(record: &Record) -> String {
    record
        .calls
        .map_or(String::new(), |calls| calls.to_string())
}

/// For a terminal: a line a mechanism, and below it what is not as expected.
pub fn text(records: &[Record]) -> String {
    let verdict = |record: &Record| record.verdict.clone().unwrap_or_else(|| "-".to_owned());
    let width = |of: &dyn Fn(&Record) -> String| {
        let widths = records.iter().map(|record| of(record).chars().count());
        widths.max().unwrap_or(0).min(WIDEST)
    };
    let (name, says) = (width(&|record| record.name.clone()), width(&verdict));
    let mut text = String::new();
    let mut library = "";
    for record in records {
        if record.library != library {
            library = &record.library;
            text += &format!("{library}\n");
        }
        let bound = bound(record).map_or(String::new(), |bound| format!("> {bound}"));
        text += &format!(
            "  {:name$}  {:says$}  {:13}  {bound:>9}  {:>9}  {:>7.1} s\n",
            record.name,
            verdict(record),
            record.judgement.says(),
            calls(record),
            record.seconds
        );
        if record.judgement != Judgement::AsExpected {
            text += &format!("      {}\n", printable(&record.reason));
        }
    }
    text.push('\n');
    for sentence in summary(records) {
        text += &format!("{sentence}\n");
    }
    text
}

/// For programs: the records without their whole reports, and the counts.
pub fn as_json(records: &[Record]) -> Value {
    let (not_as_expected, could_not_run) = counts(records);
    let (audits, sum) = levels(records);
    let brief = |record: &Record| {
        let mut value = json!(record);
        if let Some(fields) = value.as_object_mut() {
            fields.remove("report");
        }
        value
    };
    json!({
        "mechanisms": records.iter().map(brief).collect::<Vec<_>>(),
        "summary": {
            "mechanisms": records.len(),
            "not_as_expected": not_as_expected,
            "could_not_run": could_not_run,
            "audits_with_a_level": audits,
            "sum_of_levels": sum.to_string(),
        },
    })
}

/// A page in Markdown: the command that made it, the summary, and a table a library.
pub fn markdown(command: &str, plans: &[Plan], records: &[Record]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut page = format!(
        "# A campaign of `assay`\n\nMade by `{}`, version {version}.\n\n",
        printable(command).replace('`', "'")
    );
    for sentence in summary(records) {
        page += &format!("- {sentence}\n");
    }
    page += "\nA verdict `not-refuted` means that these calls, on this pair, found no proof: not that the mechanism is private.\n";
    for library in libraries(records) {
        page += &format!("\n## {library}\n\n");
        let about = plans.iter().find(|plan| plan.library == library);
        if let Some(plan) = about.filter(|plan| !plan.about.is_empty()) {
            page += &format!("{}\n\n", cell(&plan.about));
        }
        page += "| mechanism | claim | expected | found | proved | calls | s | |\n|---|---|---|---|---|---|---|---|\n";
        for record in records.iter().filter(|record| record.library == library) {
            let expected = record.expected.as_ref();
            let why = expected.map_or("", |expected| &expected.why);
            let verdict = expected.map_or("", |expected| &expected.verdict);
            let judgement = match record.judgement {
                Judgement::AsExpected => cell(why),
                other => format!(
                    "**{}** ({}). {}",
                    other.says(),
                    cell(&record.reason),
                    cell(why)
                ),
            };
            page += &format!(
                "| {} | {} | {} | {} | {} | {} | {:.1} | {judgement} |\n",
                record.name,
                cell(&record.claim),
                cell(verdict),
                cell(record.verdict.as_deref().unwrap_or("-")),
                cell(&proved(record)),
                calls(record),
                record.seconds,
            );
        }
    }
    page
}

/// The libraries, each once, in their order.
pub fn libraries(records: &[Record]) -> Vec<&str> {
    let mut libraries: Vec<&str> = Vec::new();
    for record in records {
        if !libraries.contains(&record.library.as_str()) {
            libraries.push(&record.library);
        }
    }
    libraries
}

/// A text in a cell: one line, in which nothing ends the cell or begins markup.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        if matches!(letter, '|' | '<' | '*' | '\\') {
            cell.push('\\');
        }
        cell.push(letter);
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let mut missed = Record::could_not_run(
            "a",
            "first",
            "not-refuted, but expected violation".to_owned(),
        );
        missed.judgement = Judgement::Missed;
        missed.verdict = Some("not-refuted".to_owned());
        missed.epsilon_lower = Some("0.5".to_owned());
        missed.level = Some("1/20".to_owned());
        let mut found = missed.clone();
        found.name = "second".to_owned();
        found.judgement = Judgement::AsExpected;
        found.verdict = Some("violation".to_owned());
        found.epsilon_lower = Some("1.2399".to_owned());
        let failed = Record::could_not_run("b", "third", "prepare | ended\nbadly".to_owned());
        vec![missed, found, failed]
    }

    #[test]
    fn the_table_says_what_is_not_as_expected_and_why() {
        let records = records();
        let text = text(&records);
        for part in [
            "  first   not-refuted  MISSED",
            "      not-refuted, but expected violation\n",
            "  second  violation    as expected       > 1.23",
            "  third   -            could not run",
            "3 mechanisms: 1 as expected, 1 not as expected, 1 could not run\n",
            "2 audits with a level of their own: a true claim is called violated, in any of them, with probability at most 0.100\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(as_json(&records)["summary"]["sum_of_levels"], "1/10");
        // What was inconclusive at first had its level twice.
        let mut again = records;
        again[0].attempts = 2;
        assert_eq!(as_json(&again)["summary"]["sum_of_levels"], "3/20");
    }

    #[test]
    fn the_page_says_what_was_proved_of_an_epsilon_of_another_parameter_or_of_a_distance() {
        let mut records = records();
        let mut concentrated = records[1].clone();
        concentrated.epsilon_lower = None;
        concentrated.parameter_lower = Some("0.51234".to_owned());
        concentrated.report = json!({"claim": {"kind": "zcdp", "parameter": "rho"}});
        records.push(concentrated);
        records[0].verdict = Some("violation".to_owned());
        records[0].epsilon_lower = None;
        records[0].report =
            json!({"output_distance": {"about": "4.47"}, "allowed": {"about": "4"}});
        records[2].verdict = Some("violation".to_owned());
        records[2].report =
            json!({"output_distance": {"infinite": "why"}, "allowed": {"about": "1"}});
        let proved = records.iter().map(proved).collect::<Vec<_>>();
        assert_eq!(
            proved,
            [
                "distance 4.47 > 4",
                "epsilon > 1.23",
                "distance infinity > 1",
                "rho > 0.512",
            ]
        );
    }

    #[test]
    fn the_seconds_are_those_of_the_processor_where_the_system_says() {
        let mut records = records();
        for record in &mut records[..2] {
            record.seconds = 3.0;
            record.processor_seconds = Some(2.0);
        }
        let both =
            "4 processor seconds and 6 seconds by the clock, each added up over all mechanisms";
        assert_eq!(seconds_of(&records), both);
        records[0].processor_seconds = None;
        assert_eq!(
            seconds_of(&records),
            "6 seconds by the clock, added up over all mechanisms"
        );
    }

    #[test]
    fn a_page_keeps_its_cells_whatever_is_in_them() {
        let page = markdown("assay campaign", &[], &records());
        assert!(page.contains("| third |  |  | - |  |  | 0.0 | **could not run** (prepare \\| ended\\\\nbadly).  |\n"), "{page}");
        assert!(page.contains("\n## b\n"), "{page}");
    }
}
