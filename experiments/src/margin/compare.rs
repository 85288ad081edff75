//! What every learner of two classes reaches, a table a data set.

use super::descent::{self, Loss};
use super::learners::{DataSet, LEARNERS, Learner, Outcome};
use super::peer::Peer;
use super::{DELTA, Settings, epsilons};
use crate::assay;
use crate::data::{RED_WINE, WHITE_WINE, others};
use crate::draws::Draws;
use crate::table::{Cell, Table, summary};
use clap::{Args, Command, FromArgMatches};
use dp_assay::geometry::{Halfspace, Record};
use dp_assay::margin::Dataset;
use dp_assay::number::{Rational, rational};
use dp_assay::privacy::{Budget, Zcdp};
use dp_assay_cli::error::Error;
use dp_assay_cli::papers::classifier::{self, Data, Inputs, majority_class};
use dp_assay_cli::papers::margin::svm;
use rayon::prelude::*;
use std::fs;
use std::path::Path;

/// A table for each data set.
pub fn run(
    settings: &Settings,
    peer: Option<&Peer>,
    progress: &impl Fn(&str),
) -> Result<Vec<Table>, Error> {
    let directory = tempfile::tempdir()
        .map_err(|error| Error::Usage(format!("no temporary directory: {error}")))?;
    let directory = directory.path();
    let mut tables = Vec::new();
    let mut sets = Vec::new();
    if let Some(data) = &settings.data {
        sets.push(wine(data, settings, directory)?);
    }
    sets.push(signs("signs-20", 2500, 20, "2/5", "10000", directory)?);
    if !settings.quick {
        sets.push(signs("signs-1000", 1250, 1000, "1/10", "1000", directory)?);
    }
    for set in &sets {
        progress(&format!("every learner on {}", set.name));
        tables.push(of_data(set, settings, peer, directory)?);
    }
    Ok(tables)
}

/// Red wines against white ones: one file in `directory`, with a column of labels.
fn wine(data: &Path, settings: &Settings, directory: &Path) -> Result<DataSet, Error> {
    let others = others(data, &[&RED_WINE, &WHITE_WINE], settings.any_data)?;
    let mut title = "red wine against white".to_owned();
    if !others.is_empty() {
        let others = others.join(", ");
        title += &format!(" (not the files that the authors publish: {others})");
    }
    let mut options = strings(&[
        "--separator",
        ";",
        "--drop",
        "quality",
        "--label",
        COLOUR,
        "--positive",
        "red",
        "--negative",
        "white",
        "--clip",
        "--intercept",
    ]);
    for interval in WINE {
        options.extend(["--box".to_owned(), (*interval).to_owned()]);
    }
    let file = directory.join("wine.csv");
    merge(data, &file)?;
    Ok(DataSet {
        name: "table-wine",
        title,
        file,
        options,
        margin: "1/4",
        candidates: "10000",
    })
}

/// The name of the label's column.
const COLOUR: &str = "colour";

/// Writes the two files of the wines into one, with a column of labels: margin-labels takes no second file. The red wines
/// stand first, then the white ones. That is the order of the published files, and it is public: a record whose label
/// changed would stay on its line.
fn merge(data: &Path, file: &Path) -> Result<(), Error> {
    let mut merged = String::new();
    for (schema, colour) in [(&RED_WINE, "red"), (&WHITE_WINE, "white")] {
        let path = data.join(schema.file);
        let text = fs::read_to_string(&path).map_err(|error| Error::read(&path, error))?;
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let header = lines.next().unwrap_or_default();
        if merged.is_empty() {
            merged = format!("{header};{COLOUR}\n");
        }
        for line in lines {
            merged += &format!("{line};{colour}\n");
        }
    }
    fs::write(file, merged).map_err(|error| Error::write(file, error))
}

/// Round figures that a form would allow.
const WINE: &[&str] = &[
    "fixed acidity=4:12",
    "volatile acidity=0:1",
    "citric acid=0:1",
    "residual sugar=0:20",
    "chlorides=0:0.2",
    "free sulfur dioxide=0:100",
    "total sulfur dioxide=0:300",
    "density=0.985:1.005",
    "pH=2.7:3.8",
    "sulphates=0.2:1",
    "alcohol=8:14",
];

/// Records of signs, of a known margin.
fn signs(
    name: &'static str,
    records: usize,
    dimension: usize,
    margin: &'static str,
    candidates: &'static str,
    directory: &Path,
) -> Result<DataSet, Error> {
    let file = directory.join(format!("{name}.csv"));
    let mut command = assay::command()?;
    command.args(["generate", "halfspace", "-n", &records.to_string()]);
    command.args(["-d", &dimension.to_string(), "--margin", margin, "--out"]);
    let output = command.arg(&file).output();
    if !output.is_ok_and(|output| output.status.success()) {
        return Err(Error::Usage(format!(
            "{}: the records could not be made",
            file.display()
        )));
    }
    Ok(DataSet {
        name: match name {
            "signs-20" => "table-signs-20",
            _ => "table-signs-1000",
        },
        title: format!("{records} records of {dimension} signs of margin {margin}"),
        file,
        options: strings(&[
            "--label",
            "label",
            "--positive",
            "1",
            "--negative=-1",
            "--box",
            "-1:1",
        ]),
        margin,
        candidates,
    })
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// All learners on one data set.
fn of_data(
    set: &DataSet,
    settings: &Settings,
    peer: Option<&Peer>,
    directory: &Path,
) -> Result<Table, Error> {
    let mut columns = vec!["learner", "privacy"];
    columns.extend(["epsilon 1/4", "epsilon 1", "epsilon 4"]);
    let mut table = Table::new(
        set.name,
        format!(
            "Every learner on {}: held-out error, and its standard error",
            set.title
        ),
        &columns,
    );
    let repetitions: Vec<u64> = (0..settings.repetitions as u64)
        .map(|repetition| settings.seed.wrapping_mul(1000).wrapping_add(repetition))
        .collect();
    let row = |label: &str, privacy: &str, cells: [Cell; 3]| {
        let mut row: Vec<Cell> = vec![label.into(), privacy.into()];
        row.extend(cells);
        row
    };

    // In floats, on the same splits.
    let beside: Vec<Beside> = repetitions
        .par_iter()
        .map(|&repetition| Beside::of(set, repetition, peer))
        .collect::<Result<_, Error>>()?;
    let same = |of: fn(&Beside) -> f64| {
        let errors: Vec<f64> = beside.iter().map(of).collect();
        [(); 3].map(|()| summary(&errors))
    };
    let each = |of: &dyn Fn(&Beside, usize) -> f64| {
        [0, 1, 2].map(|budget| {
            let errors: Vec<f64> = beside.iter().map(|beside| of(beside, budget)).collect();
            summary(&errors)
        })
    };
    let rows = &mut table.rows;
    rows.push(row("majority class", "none", same(|found| found.majority)));
    rows.push(row(
        "support vector machine",
        "none",
        same(|found| found.svm),
    ));
    for learner in LEARNERS {
        let mut refused = None;
        let cells = epsilons().map(|(epsilon, _)| {
            errors(learner, set, epsilon, &repetitions, directory, &mut refused)
        });
        let [first, second, third] = cells;
        let privacy = if learner.delta {
            "epsilon, delta"
        } else {
            "epsilon"
        };
        rows.push(row(learner.label, privacy, [first?, second?, third?]));
        if let Some(reason) = refused {
            table.notes.push(format!("{}: {reason}", learner.label));
        }
    }
    for (number, label) in [
        (0, "noisy gradient descent, hinge loss, in floats"),
        (1, "noisy gradient descent, logistic loss, in floats"),
    ] {
        let cells = each(&|found, budget| found.descent[budget][number]);
        rows.push(row(label, "epsilon, delta", cells));
    }
    if let Some(peer) = peer {
        let cells = each(&|found, budget| found.peer[budget]);
        rows.push(row(&peer.name(), "as it claims", cells));
    }
    table.notes.push(format!(
        "{} repetitions, each with another split, other candidates and other noise; delta is {DELTA}; all are told the \
         margin {}; the Gibbs learner has {} candidates",
        settings.repetitions, set.margin, set.candidates
    ));
    table.notes.push(
        "noisy gradient descent: 500 steps on all records in the full space, projected to the unit ball, averaged"
            .to_owned(),
    );
    Ok(table)
}

/// The held-out errors of a learner at one budget. Where it is refused there is no figure, and `refused` says why.
fn errors(
    learner: &Learner,
    set: &DataSet,
    epsilon: &str,
    repetitions: &[u64],
    directory: &Path,
    refused: &mut Option<String>,
) -> Result<Cell, Error> {
    let outcomes: Vec<Outcome> = repetitions
        .par_iter()
        .map(|&repetition| learner.run(set, epsilon, repetition, directory))
        .collect::<Result<_, Error>>()?;
    let mut errors = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Error(error) => errors.push(error),
            Outcome::Refused(reason) => {
                *refused = Some(reason);
                return Ok("refused".into());
            }
        }
    }
    Ok(summary(&errors))
}

/// What runs in floats, on one split: held-out errors, for each budget where there is one.
struct Beside {
    majority: f64,
    svm: f64,
    descent: [[f64; 2]; 3],
    peer: [f64; 3],
}

impl Beside {
    fn of(set: &DataSet, repetition: u64, peer: Option<&Peer>) -> Result<Self, Error> {
        let (data, held_out) = read(set, repetition)?;
        let margin = rational::parse(set.margin)?;
        let records = data.records();
        let dimension = data.domain().dimension();
        let share = |wrong: usize| wrong as f64 / held_out.len().max(1) as f64;
        let majority = majority_class(records);
        let of_majority = held_out.iter().filter(|r| r.positive != majority).count();
        let svm = svm::learn(data.domain(), records, &margin);
        let one = data.domain().grid().one() as f64;
        let points = in_units(records, one);
        let rho = rational::to_f64_for_display(&margin);
        let mut found = Self {
            majority: share(of_majority),
            svm: share(errors_of(&svm, &held_out)?),
            descent: [[f64::NAN; 2]; 3],
            peer: [f64::NAN; 3],
        };
        for (budget, (name, epsilon)) in epsilons().iter().enumerate() {
            let concentrated = concentrated(epsilon)?;
            for (number, loss) in [Loss::Hinge, Loss::Logistic].into_iter().enumerate() {
                let label = format!("descent, {}, {name}, {number}, {repetition}", set.name);
                let mut draws = Draws::new(repetition, &label);
                let w = descent::learn(&points, dimension, loss, rho, concentrated, &mut draws)?;
                found.descent[budget][number] = share(errors_of(&svm::integers(&w), &held_out)?);
            }
            if let Some(peer) = peer {
                let epsilon = rational::to_f64_for_display(epsilon);
                let parts = [records, &held_out[..]];
                let errors = peer.errors(parts, (epsilon, repetition), one)?;
                found.peer[budget] = share(errors.test);
            }
        }
        Ok(found)
    }
}

/// The zCDP that a budget is worth, with the delta of all learners.
pub fn concentrated(epsilon: &Rational) -> Result<f64, Error> {
    let budget = Budget::substituting(epsilon, &rational::parse(DELTA)?)?;
    Ok(rational::to_f64_for_display(
        Zcdp::largest_for(&budget)?.rho(),
    ))
}

/// Of each record `y x`, in units.
pub fn in_units(records: &[Record], one: f64) -> Vec<Vec<f64>> {
    let point = |record: &Record| record.signed().iter().map(|&x| x as f64 / one).collect();
    records.iter().map(point).collect()
}

/// How many records a halfspace has wrong; a tie is an error.
pub fn errors_of(halfspace: &Halfspace, records: &[Record]) -> Result<usize, Error> {
    Ok(halfspace.errors(records)?)
}

/// The records to learn from, and those held out, as the learners read them.
fn read(set: &DataSet, repetition: u64) -> Result<(Dataset, Vec<Record>), Error> {
    let command = Command::new("data").no_binary_name(true);
    let command = Data::augment_args(Inputs::augment_args(command));
    let mut arguments = set.arguments(repetition);
    arguments.extend(["--epsilon".to_owned(), "1".to_owned()]);
    let matches = command.try_get_matches_from(arguments)?;
    let inputs = Inputs::from_arg_matches(&matches)?;
    let data = Data::from_arg_matches(&matches)?;
    let (dataset, held_out, _) = classifier::dataset(classifier::read(&inputs, &data)?)?;
    Ok((dataset, held_out))
}
