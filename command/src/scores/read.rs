//! The scores of a CSV file.

use super::plan::Plan;
use crate::error::Error;
use crate::options::number;
use csv::{ReaderBuilder, StringRecord};
use dp_assay::number::{Rational, shortened};
use dp_assay::stats::MOST_CANARIES;
use dp_assay_audit::scores::Scored;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A longer file is refused: as many canaries as are taken, of a thousand letters each.
const LONGEST: u64 = MOST_CANARIES * 1000;

/// The column of the scores, and that of the names, which may be missing.
const SCORE: &str = "score";
const NAME: &str = "canary";

/// Columns that say who was in. A score that stands beside them was made by somebody who knew.
const COINS: [&str; 6] = ["in", "out", "member", "is_member", "membership", "label"];

/// A row.
struct Row {
    name: Option<String>,
    score: Rational,
    line: u64,
}

/// The scores of those who were in, and of those who were not.
pub fn two_files(ins: &Path, outs: &Path) -> Result<Vec<Scored>, Error> {
    let sides = [(ins, true), (outs, false)];
    let mut all = Vec::new();
    let mut places: BTreeMap<String, (&Path, u64)> = BTreeMap::new();
    for (path, is_in) in sides {
        for row in rows(path)? {
            if let Some(name) = &row.name
                && let Some((other, line)) = places.insert(name.clone(), (path, row.line))
            {
                let (name, other) = (shortened(name), other.display());
                return Err(Error::Record {
                    path: path.to_owned(),
                    line: row.line,
                    reason: format!(
                        "the canary '{name}' has a score in {other}, line {line} too: each is in or out, once, and no twin of it is the other"
                    ),
                });
            }
            all.push(Scored {
                name: row.name,
                score: row.score,
                is_in,
            });
        }
    }
    let named = all.iter().filter(|scored| scored.name.is_some()).count();
    if named != 0 && named != all.len() {
        return Err(Error::Usage(format!(
            "--in and --out: one file has the column '{NAME}' and the other has not: both, or neither"
        )));
    }
    Ok(all)
}

/// The scores of the canaries of a plan, all of them.
pub fn of_plan(path: &Path, plan: &Plan) -> Result<Vec<Scored>, Error> {
    let mut left: BTreeMap<String, bool> = plan.canaries().collect();
    let mut all = Vec::new();
    for row in rows(path)? {
        let wrong = |reason: String| Error::Record {
            path: path.to_owned(),
            line: row.line,
            reason,
        };
        let Some(name) = row.name else {
            return Err(Error::data(
                path,
                format!(
                    "the column '{NAME}' is needed, with the names of the plan: 1 to {}",
                    plan.len()
                ),
            ));
        };
        let Some(is_in) = left.remove(&name) else {
            let shown = shortened(&name);
            return Err(wrong(match plan.has(&name) {
                true => format!("the canary '{shown}' has a score already: each has one"),
                false => format!(
                    "the plan has no canary '{shown}': it has 1 to {}",
                    plan.len()
                ),
            }));
        };
        all.push(Scored {
            name: Some(name),
            score: row.score,
            is_in,
        });
    }
    match left.keys().next() {
        None => Ok(all),
        Some(first) => Err(Error::data(
            path,
            format!(
                "{} canaries of the plan have no score, the first is '{first}': all are scored, whatever came of them, since to drop some after the coins is to choose",
                left.len()
            ),
        )),
    }
}

/// The rows of a file.
fn rows(path: &Path) -> Result<Vec<Row>, Error> {
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    let length = file
        .metadata()
        .map_err(|source| Error::read(path, source))?
        .len();
    if length > LONGEST {
        return Err(Error::data(
            path,
            format!("it has {length} bytes, and at most {LONGEST} are read"),
        ));
    }
    let mut reader = ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(file.take(LONGEST));
    let header = reader
        .headers()
        .map_err(|error| unreadable(path, &error))?
        .clone();
    let (score, name) = columns(path, &header)?;
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(path, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        if rows.len() as u64 == MOST_CANARIES {
            return Err(Error::data(
                path,
                format!("it has more than {MOST_CANARIES} scores: at most as many are taken"),
            ));
        }
        let name = name.map(|place| record[place].to_owned());
        if let Some(name) = &name
            && !seen.insert(name.clone())
        {
            let reason = format!(
                "the canary '{}' is here twice: each has one score, and is put in once",
                shortened(name)
            );
            return Err(Error::Record {
                path: path.to_owned(),
                line,
                reason,
            });
        }
        rows.push(Row {
            score: one_score(path, line, &record[score])?,
            name,
            line,
        });
    }
    Ok(rows)
}

/// Where the scores and the names stand.
fn columns(path: &Path, header: &StringRecord) -> Result<(usize, Option<usize>), Error> {
    let place = |name: &str| {
        header
            .iter()
            .position(|field| field.trim_start_matches('\u{feff}') == name)
    };
    if let Some(knows) = COINS.into_iter().find(|name| place(name).is_some()) {
        return Err(Error::data(
            path,
            format!(
                "the column '{knows}' says who was in: scores are made by somebody who does not know, and the coins come from --coins, or from which file it is"
            ),
        ));
    }
    let Some(score) = place(SCORE) else {
        let first = header.iter().collect::<Vec<_>>().join(",");
        return Err(Error::data(
            path,
            format!(
                "the first line must name the column '{SCORE}', and may name '{NAME}'; it is '{}'",
                shortened(&first)
            ),
        ));
    };
    Ok((score, place(NAME)))
}

/// A score, exactly.
fn one_score(path: &Path, line: u64, text: &str) -> Result<Rational, Error> {
    number(text).map_err(|_| Error::Field {
        path: path.to_owned(),
        line,
        column: SCORE.to_owned(),
        reason: format!(
            "'{}' is no score: it must be a decimal number, such as 0.25 or -1.5e-3. Where there is none, write one that was chosen before, for all of them",
            shortened(text)
        ),
    })
}

fn unreadable(path: &Path, error: &csv::Error) -> Error {
    Error::data(path, format!("it is no CSV file of one table: {error}"))
}
