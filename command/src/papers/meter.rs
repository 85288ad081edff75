//! A learner on a table and its neighbour: the options of `assay meter`, the two tables, and what is found.
//!
//! All of it is computed from the records, twice, and none of it is private.

use crate::error::Error;
use crate::options::{Format, coins, whole, whole_in};
use crate::table::{Count, Edit, Row, Table};
use clap::Args;
use dp_assay::coins::{Lockstep, Loss, Meter, Outcomes, Promise, lockstep};
use dp_assay::number::rational::{shortly_above, shortly_below};
use dp_assay::privacy::meter::{Cost, Report, StageReport, judge};
use dp_assay::privacy::{Budget, Published};
use dp_assay_audit::report::{aligned, row};
use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};

/// What stands above everything that is printed.
const HEADING: &str = "NOT PRIVATE: everything below is computed from the records, twice";

/// How a neighbour is written.
const SYNTAX: &str = "write remove:LINE, replace:LINE=RECORD, or the name of a CSV file";

/// What `assay meter` takes besides a learner's own options.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Options {
    /// The neighbour: replace:LINE=RECORD is DATA with another record instead of the one that starts on this line (the
    /// header is line 1), written as in the file, so that --neighbour replace:7=0.5,-1,yes is one; remove:LINE is DATA
    /// without that record, where the number of records is private; anything else is the name of a CSV file with all
    /// records of the neighbour
    #[arg(long, value_name = "NEIGHBOUR", value_parser = neighbour)]
    neighbour: Neighbour,
    /// Lead both runs through unlikely outcomes, about STRETCH times as far out as usual: a promise must be kept
    /// whatever was drawn before
    #[arg(long, value_name = "STRETCH", value_parser = whole_in::<u32>(1..=1_000_000), allow_hyphen_values = true)]
    far_out: Option<u32>,
    /// Reproducible coins instead of those of the operating system
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// How to print what is found
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

/// Where the neighbour comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Neighbour {
    /// The data file, with one record edited.
    Edited(Edit),
    /// A file of its own.
    File(PathBuf),
}

/// Reads `remove:LINE`, `replace:LINE=RECORD`, or a file name.
fn neighbour(text: &str) -> Result<Neighbour, String> {
    let line = |line: &str| -> Result<u64, String> {
        let line = line.trim().parse().ok().filter(|&line| line > 0);
        line.ok_or_else(|| format!("'{text}' has no LINE, a whole number from 1 on: {SYNTAX}"))
    };
    if let Some(removed) = text.strip_prefix("remove:") {
        let (line, record) = (line(removed)?, None);
        return Ok(Neighbour::Edited(Edit { line, record }));
    }
    if let Some(replaced) = text.strip_prefix("replace:") {
        let (at, record) = replaced
            .split_once('=')
            .ok_or_else(|| format!("'{text}' has no =RECORD: {SYNTAX}"))?;
        let (line, record) = (line(at)?, Some(record.to_owned()));
        return Ok(Neighbour::Edited(Edit { line, record }));
    }
    if text.is_empty() {
        return Err(SYNTAX.to_owned());
    }
    Ok(Neighbour::File(text.into()))
}

impl fmt::Display for Neighbour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edited(Edit { line, record: None }) => {
                write!(formatter, "without the record on line {line}")
            }
            Self::Edited(Edit { line, .. }) => {
                write!(formatter, "with another record on line {line}")
            }
            Self::File(path) => write!(formatter, "{}", path.display()),
        }
    }
}

impl Neighbour {
    /// The option as it was given, without the record.
    fn option(&self) -> String {
        match self {
            Self::Edited(Edit { line, record: None }) => format!("--neighbour remove:{line}"),
            Self::Edited(Edit { line, .. }) => format!("--neighbour replace:{line}=..."),
            Self::File(path) => format!("--neighbour {}", path.display()),
        }
    }
}

impl Options {
    /// The table and its neighbour, which `read` reads as the learner does. If one has more records to learn from, it is the
    /// first.
    pub fn pair<F: Ord>(
        &self,
        data: &Path,
        read: impl Fn(&Path, Option<&Edit>) -> Result<Table<F>, Error>,
    ) -> Result<[Table<F>; 2], Error> {
        let table = read(data, None)?;
        let other = match &self.neighbour {
            // The line is that of the edit, not of the file.
            Neighbour::Edited(edit) => read(data, Some(edit))
                .map_err(|error| Error::Usage(format!("{}: {error}", self.neighbour.option())))?,
            Neighbour::File(path) => read(path, None)?,
        };
        if table.placement.columns() != other.placement.columns() {
            return Err(Error::Usage(format!(
                "{}: the header must be that of {}",
                self.neighbour.option(),
                data.display()
            )));
        }
        if table.label != other.label {
            return Err(Error::Usage(
                "the neighbour has other label values: --positive and --negative declare them"
                    .to_owned(),
            ));
        }
        self.are_neighbours(&table, &other)?;
        Ok(if table.training.len() < other.training.len() {
            [other, table]
        } else {
            [table, other]
        })
    }

    /// An error unless the records are those of neighbours, and not the same.
    fn are_neighbours<F: Ord>(&self, table: &Table<F>, other: &Table<F>) -> Result<(), Error> {
        let refuse = |reason: String| {
            Err(Error::Usage(format!(
                "{}: {reason}; the learner is private under {}",
                self.neighbour.option(),
                table.neighbours
            )))
        };
        let all = |table: &Table<F>| table.training.len() + table.held_out.len();
        if table.count == Count::Public && all(table) != all(other) {
            return refuse(format!(
                "the neighbour must have as many records, {}, and has {}",
                all(table),
                all(other)
            ));
        }
        if table.training == other.training && table.held_out == other.held_out {
            return refuse("the records are the same, or equal on the grid".to_owned());
        }
        // As multisets: in another order they are neighbours too. Those that are held out are a part of their own.
        let only = [(table, other), (other, table)].map(|(these, those)| {
            let held_out = only_in(&these.held_out, &those.held_out);
            only_in(&these.training, &those.training) + held_out
        });
        match (table.count, only) {
            (Count::Public, [0, 0] | [1, 1]) | (Count::AtMost(_), [0, 0] | [0, 1] | [1, 0]) => {
                Ok(())
            }
            (_, [here, there]) => refuse(format!(
                "of the records{}, {here} are in the data alone and {there} in the neighbour alone",
                match table.held_out.is_empty() {
                    true => "",
                    false =>
                        " that are learned from, and of those that are held out by their places",
                }
            )),
        }
    }

    /// Runs `learner` on both datasets, and judges it. `differing` is the number of the only record that differs, if it is
    /// known. What the learner fails with on both is an error of the command.
    pub fn run<D: Sync, T: Published + Send>(
        &self,
        algorithm: &'static str,
        data: &Path,
        learner: impl Fn(&D, &mut Meter) -> Result<T, Error> + Sync,
        ([first, second], differing): (&[D; 2], Option<u64>),
        claim: &Budget,
    ) -> Result<Metered, Error> {
        let (coins, origin) = coins(self.seed)?;
        let outcomes = match self.far_out {
            None => Outcomes::drawn(coins),
            Some(stretch) => Outcomes::far_out(coins, stretch),
        };
        // Errors are results like any other.
        let learner =
            |data: &D, coins: &mut Meter| learner(data, coins).map_err(|error| error.to_string());
        let runs = lockstep(learner, first, second, outcomes);
        let runs = differing.into_iter().fold(runs, Lockstep::differing_in);
        if let (None, Err(reason), Err(other)) = (&runs.parted, &runs.first, &runs.second)
            && reason == other
        {
            return Err(Error::Usage(reason.clone()));
        }
        Ok(Metered {
            algorithm,
            data: data.display().to_string(),
            neighbour: self.neighbour.to_string(),
            coins: origin,
            far_out: self.far_out,
            failures: [runs.first.as_ref().err(), runs.second.as_ref().err()]
                .map(Option::<&String>::cloned),
            report: judge(&runs, claim)?,
            relation: claim.neighbours().to_string(),
        })
    }
}

/// How many records are in `these` and not in `those`.
fn only_in<F: Ord>(these: &[Row<F>], those: &[Row<F>]) -> usize {
    let mut others: Vec<_> = those.iter().collect();
    others.sort_unstable();
    let mut mine: Vec<_> = these.iter().collect();
    mine.sort_unstable();
    let mut others = others.into_iter().peekable();
    let mut only = 0;
    for record in mine {
        while others.next_if(|&other| other < record).is_some() {}
        if others.next_if_eq(&record).is_none() {
            only += 1;
        }
    }
    only
}

/// What was found.
#[derive(Debug)]
pub struct Metered {
    algorithm: &'static str,
    data: String,
    neighbour: String,
    coins: String,
    far_out: Option<u32>,
    failures: [Option<String>; 2],
    report: Report,
    relation: String,
}

impl Metered {
    /// The same, with another name of the neighbouring relation: that of a learner whose records are private in part.
    #[must_use]
    pub fn between(self, relation: &str) -> Self {
        Self {
            relation: relation.to_owned(),
            ..self
        }
    }

    /// Whether no fault was found.
    pub fn is_sound(&self) -> bool {
        self.report.is_sound()
    }

    /// For people.
    pub fn render(&self) -> String {
        let report = &self.report;
        let mut text = format!("{HEADING}\n\n");
        let mut rows = vec![
            row("learner", self.algorithm),
            row("data", self.data.clone()),
            row("neighbour", self.neighbour.clone()),
            row("coins", self.coins.clone()),
        ];
        if let Some(stretch) = self.far_out {
            let outcomes = format!("steered, about {stretch} times as far out as usual");
            rows.push(row("outcomes", outcomes));
        }
        let (epsilon, delta) = (report.claim.epsilon(), report.claim.delta());
        let claim = format!("(epsilon = {epsilon}, delta = {delta}), {}", self.relation);
        rows.push(row("claim", claim));
        text += &aligned(&rows, "");
        text += "\nStages\n";
        for stage in &report.stages {
            text += &format!("  {}\n", stage.stage.name);
            text += &aligned(&stage_rows(stage), "    ");
        }
        if report.stages.is_empty() {
            text += "  the learner states none\n";
        }
        text += "\nThis pair\n";
        let attained = report
            .attained()
            .map_or_else(|| "no bound".to_owned(), |share| shortly_above(&share));
        let mut rows = vec![
            row("privacy loss of this run", loss(&report.loss)),
            row("its draws compose to", report.cost.to_string()),
            row("of the claim", attained),
        ];
        if let Some(promised) = &report.promised {
            rows.push(row("the promises compose to", promised.to_string()));
        }
        rows.push(row("equal results", yes(report.equal_results)));
        for (who, failure) in ["first run", "second run"].iter().zip(&self.failures) {
            if let Some(reason) = failure {
                rows.push(row(format!("{who} failed"), reason.clone()));
            }
        }
        text += &aligned(&rows, "  ");
        text.push('\n');
        let faults = report.faults();
        for fault in &faults {
            text += &format!("FAULT: {fault}\n");
        }
        if faults.is_empty() {
            text += "no fault on this pair and run; other pairs and outcomes may show one\n";
        }
        text
    }

    /// For programs: numbers are texts, exact or rounded to the side on which less is promised.
    pub fn json(&self) -> Value {
        let report = &self.report;
        let stages: Vec<Value> = report.stages.iter().map(stage_json).collect();
        json!({
            "heading": HEADING,
            "algorithm": self.algorithm,
            "data": self.data,
            "neighbour": self.neighbour,
            "coins": self.coins,
            "far_out": self.far_out,
            "claim": {
                "epsilon": report.claim.epsilon().to_string(),
                "delta": report.claim.delta().to_string(),
                "neighbours": self.relation,
            },
            "stages": stages,
            "privacy_loss": loss_json(&report.loss),
            "pair": cost_json(&report.cost),
            "attained": report.attained().map(|share| shortly_above(&share)),
            "promised": report.promised.as_ref().map(cost_json),
            "equal_results": report.equal_results,
            "failures": self.failures,
            "parted": report.parted.as_ref().map(ToString::to_string),
            "faults": report.faults(),
        })
    }
}

fn stage_rows(report: &StageReport) -> Vec<(String, String)> {
    let mut draws = report.draws.to_string();
    if report.times > 1 {
        draws += &format!(", in {} rounds", report.times);
    }
    let mut rows = vec![
        row("draws", draws),
        row("each promises", report.stage.each.to_string()),
    ];
    if report.stage.whole != report.stage.each {
        rows.push(row("all promise", report.stage.whole.to_string()));
    }
    // Of a promise that nothing depends on the data there are no parts.
    if report.stage.each != Promise::Public || report.attained.is_none() {
        let share = report.attained.as_ref().map(shortly_above);
        let share = share.unwrap_or_else(|| "no bound".to_owned());
        rows.push(row("most that a draw takes of it", share));
    }
    rows
}

fn stage_json(report: &StageReport) -> Value {
    json!({
        "name": report.stage.name,
        "rounds": report.times,
        "draws": report.draws,
        "each": report.stage.each.to_string(),
        "whole": report.stage.whole.to_string(),
        "attained": report.attained.as_ref().map(shortly_above),
        "counted": report.counted,
        "composes": report.composes,
    })
}

fn cost_json(cost: &Cost) -> Value {
    match cost {
        Cost::Bounded { epsilon, delta } => {
            json!({"epsilon": shortly_above(epsilon), "delta": shortly_above(delta)})
        }
        Cost::Unbounded(why) => json!({"unbounded": why}),
    }
}

/// Both ends of a privacy loss; `None` where it is infinite.
fn ends(loss: &Loss) -> Option<[String; 2]> {
    match loss {
        Loss::Exact(loss) => Some([shortly_below(loss), shortly_above(loss)]),
        Loss::Enclosed(loss) => Some([shortly_below(&loss.lower()), shortly_above(&loss.upper())]),
        Loss::Infinite => None,
    }
}

fn loss(loss: &Loss) -> String {
    match ends(loss) {
        None => "infinite".to_owned(),
        Some([lower, upper]) if lower == upper => lower,
        Some([lower, upper]) => format!("from {lower} to {upper}"),
    }
}

fn loss_json(loss: &Loss) -> Value {
    match ends(loss) {
        None => json!("infinite"),
        Some([lower, upper]) => json!({"at_least": lower, "at_most": upper}),
    }
}

fn yes(yes: bool) -> &'static str {
    if yes { "yes" } else { "NO" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use dp_assay::coins::{Coins, Stage};
    use dp_assay::law::Noise;
    use dp_assay::number::rational;
    use dp_assay::privacy::NeighbouringRelation;
    use dp_assay::sample::DiscreteLaplace;
    use num_bigint::BigInt;

    #[test]
    fn a_neighbour_is_an_edit_or_a_file() {
        let edited = |line, record: Option<&str>| {
            let record = record.map(str::to_owned);
            Ok(Neighbour::Edited(Edit { line, record }))
        };
        assert_eq!(neighbour("remove:12"), edited(12, None));
        assert_eq!(neighbour("replace: 3=a=b, 1"), edited(3, Some("a=b, 1")));
        assert_eq!(
            neighbour("other.csv"),
            Ok(Neighbour::File("other.csv".into()))
        );
        for wrong in [
            "remove:",
            "remove:0",
            "remove:x",
            "replace:3",
            "replace:=1",
            "",
        ] {
            let message = neighbour(wrong).unwrap_err();
            assert!(message.contains("replace:LINE=RECORD"), "{message}");
        }
    }

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    /// A learner of one number, which claims epsilon = 1 and promises it of its draw, on 0 and on 1.
    fn metered(
        learner: impl Fn(i64, &mut Meter) -> Result<BigInt, Error> + Sync,
    ) -> Result<Metered, Error> {
        let line = Line::parse_from(["meter", "--neighbour", "other.csv", "--seed", "3"]);
        let claim = Budget::pure(rational::integer(1), NeighbouringRelation::Substitute)?;
        let learner = |data: &i64, coins: &mut Meter| {
            coins.stage(&Stage::once(
                "the number",
                Promise::Pure(rational::integer(1)),
            ));
            learner(*data, coins)
        };
        let data = Path::new("data.csv");
        line.options
            .run("mine", data, learner, (&[0, 1], None), &claim)
    }

    fn laplace(scale: i64) -> DiscreteLaplace {
        DiscreteLaplace::new(rational::integer(scale)).unwrap()
    }

    #[test]
    fn a_fault_is_printed_in_both_forms() {
        let sound = metered(|data, coins| Ok(coins.draw(&laplace(1).around(data))?)).unwrap();
        assert!(sound.is_sound());
        assert!(
            sound
                .render()
                .ends_with("other pairs and outcomes may show one\n")
        );
        let broken = metered(|data, coins| Ok(coins.draw(&laplace(1).around(3 * data))?)).unwrap();
        assert!(!broken.is_sound());
        let text = broken.render();
        for part in [
            "\n    most that a draw takes of it  3\n",
            "FAULT: the draws cost (epsilon = 3, delta = 0)",
            "FAULT: the number: a draw takes 3 of its promise",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let json = broken.json();
        assert_eq!(json["faults"].as_array().unwrap().len(), 2);
        assert_eq!(
            (&json["attained"], &json["pair"]["epsilon"]),
            (&"3".into(), &"3".into())
        );
        assert_eq!(json["stages"][0]["attained"], "3");
    }

    #[test]
    fn an_error_on_one_dataset_is_a_fault_and_on_both_an_error() {
        let fails = |data: i64, coins: &mut Meter, on: &[i64]| {
            coins.draw(&laplace(1).around(data))?;
            let refused = on.contains(&data);
            (!refused)
                .then(BigInt::default)
                .ok_or_else(|| Error::Usage("it does not like the record".to_owned()))
        };
        let one = metered(|data, coins| fails(data, coins, &[1])).unwrap();
        let text = one.render();
        for part in [
            "equal results             NO",
            "second run failed         it does not like the record",
            "FAULT: equal outcomes gave different results",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(one.json()["failures"][1], "it does not like the record");
        let both = metered(|data, coins| fails(data, coins, &[0, 1])).unwrap_err();
        assert_eq!(both.to_string(), "it does not like the record");
    }
}
