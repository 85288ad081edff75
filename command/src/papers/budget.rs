//! What is spent on one dataset: a file that adds it up over runs, and refuses what goes beyond its total.
//!
//! The sum of the epsilons and the sum of the deltas bound what all runs together cost under one neighbouring relation
//! (basic composition). A run is entered as soon as it has drawn, before its model is written, and also if it fails after
//! that: an error may tell what was drawn. What is refused before a coin is drawn costs nothing.

use crate::error::Error;
use crate::options::{Range, number};
use crate::output::{self, Destination};
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::rational::shortly;
use dp_assay::privacy::Budget;
use num_traits::{Signed, Zero};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The options of a budget.
#[derive(Debug, Args)]
#[group(skip)]
pub struct BudgetOptions {
    /// Add what this run costs to the file, which has what earlier runs on the same records cost, and refuse what goes
    /// beyond its total. Epsilons are added up, and deltas
    #[arg(long, value_name = "FILE")]
    budget: Option<PathBuf>,
    /// Begin the file at --budget, with this total
    #[arg(long, value_name = "EPSILON[,DELTA]", value_parser = total, requires = "budget", allow_hyphen_values = true)]
    budget_total: Option<Spent>,
}

/// An epsilon and a delta; in the file they are exact texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
struct Spent {
    epsilon: Rational,
    delta: Rational,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    epsilon: String,
    delta: String,
}

impl From<Spent> for Written {
    fn from(spent: Spent) -> Self {
        Self {
            epsilon: spent.epsilon.to_string(),
            delta: spent.delta.to_string(),
        }
    }
}

impl TryFrom<Written> for Spent {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let read = |name: &str, text: &str| match number(text) {
            Ok(value) if !value.is_negative() => Ok(value),
            _ => Err(format!("{name} must be an exact number from 0 on")),
        };
        Ok(Self {
            epsilon: read("epsilon", &written.epsilon)?,
            delta: read("delta", &written.delta)?,
        })
    }
}

/// Reads `EPSILON` or `EPSILON,DELTA`.
fn total(text: &str) -> Result<Spent, String> {
    let (epsilon, delta) = match text.split_once(',') {
        None => (text, None),
        Some((epsilon, delta)) => (epsilon, Some(delta)),
    };
    let epsilon = Range::Epsilon.parser()(epsilon).map_err(|error| format!("EPSILON: {error}"))?;
    let delta = match delta {
        None => Rational::zero(),
        Some(delta) => Range::Delta.parser()(delta).map_err(|error| format!("DELTA: {error}"))?,
    };
    Ok(Spent { epsilon, delta })
}

/// A run that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    algorithm: String,
    model: String,
    cost: Spent,
}

/// The format that is written and read.
const FORMAT: &str = "dp-assay-budget-1";

/// A larger file is refused.
const LARGEST: u64 = 1 << 26;

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Account {
    format: String,
    /// The names of the files of the records.
    data: String,
    /// The neighbouring relation of all runs; empty before the first.
    neighbours: String,
    total: Spent,
    runs: Vec<Entry>,
}

impl Account {
    fn spent(&self) -> Spent {
        let cost =
            |part: fn(&Spent) -> &Rational| self.runs.iter().map(|run| part(&run.cost)).sum();
        Spent {
            epsilon: cost(|cost| &cost.epsilon),
            delta: cost(|cost| &cost.delta),
        }
    }
}

/// The budget of a run: nobody else has it until this is dropped.
#[derive(Debug)]
pub struct Purse {
    path: PathBuf,
    account: Account,
    // Held locked.
    _lock: File,
}

impl BudgetOptions {
    /// Opens the file, or begins it, for a run on these files of records; nothing without `--budget`.
    pub fn open(&self, data: &[&Path]) -> Result<Option<Purse>, Error> {
        let Some(path) = &self.budget else {
            return Ok(None);
        };
        // The file is replaced as a whole, and so cannot be locked itself.
        let lock = lock(path)?;
        let names = data.iter().filter_map(|path| path.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        let data = names.join(", ");
        let account = match (read(path)?, &self.budget_total) {
            (Some(account), None) => account,
            (None, Some(total)) => Account {
                format: FORMAT.to_owned(),
                data: data.clone(),
                neighbours: String::new(),
                total: total.clone(),
                runs: Vec::new(),
            },
            (None, None) => {
                return Err(Error::data(
                    path,
                    "there is no budget yet: --budget-total EPSILON[,DELTA] begins one",
                ));
            }
            (Some(account), Some(_)) => {
                return Err(Error::data(
                    path,
                    format!(
                        "the budget is there already, with a total of epsilon {} and delta {}: leave --budget-total out",
                        shortly(&account.total.epsilon),
                        shortly(&account.total.delta)
                    ),
                ));
            }
        };
        if account.data != data {
            return Err(Error::data(
                path,
                format!(
                    "it is the budget of {}, and the records are those of {data}: take another file for each dataset",
                    account.data
                ),
            ));
        }
        Ok(Some(Purse {
            path: path.clone(),
            account,
            _lock: lock,
        }))
    }
}

impl Purse {
    /// Refuses a run that costs more than is left, or that cannot be added to those before. Nothing is spent yet.
    pub fn check(&self, budget: &Budget, neighbours: &str) -> Result<(), Error> {
        let (account, spent) = (&self.account, self.account.spent());
        if !account.runs.is_empty() && account.neighbours != neighbours {
            return Err(Error::data(
                &self.path,
                format!(
                    "what it has was spent under {}, and this run is private under {neighbours}: such costs cannot be added; \
                     take another file, and count both",
                    account.neighbours
                ),
            ));
        }
        let asked = [
            (
                "epsilon",
                budget.epsilon(),
                &spent.epsilon,
                &account.total.epsilon,
            ),
            ("delta", budget.delta(), &spent.delta, &account.total.delta),
        ];
        for (name, asked, spent, total) in asked {
            if spent + asked > *total {
                return Err(Error::data(
                    &self.path,
                    format!(
                        "of {name} {} this run asks for {}, and {} is left on {}; nothing was spent",
                        shortly(total),
                        shortly(asked),
                        shortly(&(total - spent)),
                        account.data
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Enters a run: on the disk before anything is told of it.
    pub fn enter(
        &mut self,
        (algorithm, model): (&str, &Path),
        budget: &Budget,
        neighbours: &str,
    ) -> Result<(), Error> {
        neighbours.clone_into(&mut self.account.neighbours);
        self.account.runs.push(Entry {
            algorithm: algorithm.to_owned(),
            model: model.display().to_string(),
            cost: Spent {
                epsilon: budget.epsilon().clone(),
                delta: budget.delta().clone(),
            },
        });
        Destination::new(&self.path, &[])?.write_text(&output::json(&self.account)?)?;
        let (spent, total) = (self.account.spent(), &self.account.total);
        output::note(&format!(
            "budget {}: epsilon {} of {} and delta {} of {} are spent",
            self.path.display(),
            shortly(&spent.epsilon),
            shortly(&total.epsilon),
            shortly(&spent.delta),
            shortly(&total.delta)
        ));
        Ok(())
    }
}

/// Locks a budget by a file beside it, which stays.
fn lock(path: &Path) -> Result<File, Error> {
    let mut name = OsString::from(path);
    name.push(".lock");
    let beside = PathBuf::from(name);
    let file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&beside)
        .map_err(|source| Error::write(&beside, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::data(
            path,
            "another run uses it: two at once could spend more than the total",
        )),
        Err(TryLockError::Error(error)) => Err(Error::write(&beside, error)),
    }
}

/// Reads a budget; nothing if there is no file.
fn read(path: &Path) -> Result<Option<Account>, Error> {
    let mut text = String::new();
    match File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text)) {
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::read(path, source)),
        Ok(_) => {}
    }
    let wrong = |reason: String| Error::data(path, format!("it is no budget: {reason}"));
    let account: Account = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    match account.format == FORMAT {
        true => Ok(Some(account)),
        false => Err(wrong(format!("its format must be \"{FORMAT}\""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};
    use dp_assay::privacy::NeighbouringRelation;

    const NEIGHBOURS: &str = "substitution of one record; n public";

    fn of(epsilon: Rational, delta: Rational) -> Budget {
        Budget::approximate(epsilon, delta, NeighbouringRelation::Substitute).unwrap()
    }

    fn open(path: &Path, total: Option<&str>, data: &str) -> Result<Purse, String> {
        let options = BudgetOptions {
            budget: Some(path.to_owned()),
            budget_total: total.map(|text| super::total(text).unwrap()),
        };
        let found = options.open(&[Path::new(data)]);
        found.map(Option::unwrap).map_err(|error| error.to_string())
    }

    #[test]
    fn costs_are_added_exactly_and_what_is_beyond_the_total_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("b.json");
        assert!(
            open(&path, None, "d.csv")
                .unwrap_err()
                .contains("--budget-total")
        );
        let (epsilon, delta) = (ratio(1, 3), ratio(1, 1000));
        for run in 0..3 {
            let total = (run == 0).then_some("1,1/100");
            let mut purse = open(&path, total, "folder/d.csv").unwrap();
            let budget = of(epsilon.clone(), delta.clone());
            purse.check(&budget, NEIGHBOURS).unwrap();
            purse
                .enter(("a-learner", Path::new("m.json")), &budget, NEIGHBOURS)
                .unwrap();
        }
        // 1 is spent, and not a grain is left.
        let purse = open(&path, None, "d.csv").unwrap();
        let said = purse
            .check(&of(ratio(1, 1 << 30), delta), NEIGHBOURS)
            .unwrap_err()
            .to_string();
        assert!(
            said.contains("of epsilon 1 this run asks for") && said.contains("0 is left"),
            "{said}"
        );
    }

    #[test]
    fn a_delta_a_relation_a_dataset_and_a_second_run_are_watched_too() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("b.json");
        let mut purse = open(&path, Some("9"), "d.csv").unwrap();
        let said = purse
            .check(&of(integer(1), ratio(1, 100)), NEIGHBOURS)
            .unwrap_err();
        assert!(
            said.to_string()
                .contains("of delta 0 this run asks for 1/100"),
            "{said}"
        );
        assert!(
            open(&path, Some("9"), "d.csv")
                .unwrap_err()
                .contains("another run uses it")
        );
        let pure = of(integer(1), Rational::zero());
        purse
            .enter(("a", Path::new("m")), &pure, NEIGHBOURS)
            .unwrap();
        let said = purse
            .check(&pure, "change of one label; n public")
            .unwrap_err();
        assert!(said.to_string().contains("cannot be added"), "{said}");
        drop(purse);
        assert!(
            open(&path, Some("9"), "d.csv")
                .unwrap_err()
                .contains("there already")
        );
        assert!(
            open(&path, None, "e.csv")
                .unwrap_err()
                .contains("the budget of d.csv")
        );
    }
}
