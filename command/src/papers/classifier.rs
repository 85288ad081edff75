//! What learners of two classes have in common: how they are declared, how their records are read, and what they are
//! compared with.

use super::halfspace_model::{self, Prediction, by_halfspace};
use super::held_out::Errors;
use super::learn::{Family, Given, Parameters, Trained};
use super::report::{Bound, Score, Scores};
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::table::{self, DeclaredClasses, Edit, Label, Opened, Row, Shape, Table};
use clap::{Args, Command};
use dp_assay::geometry::{Halfspace, Record};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::Budget;
use serde_json::Value;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// What all of them take.
#[derive(Debug, Args)]
pub struct Inputs {
    /// The records, a CSV file; the positive class alone if a second file is given
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// The records of the negative class, with the same header
    #[arg(value_name = "DATA2")]
    pub second: Option<PathBuf>,
    /// The privacy parameter epsilon, above 0
    #[arg(long, value_name = "E", value_parser = Range::Epsilon.parser(), allow_hyphen_values = true)]
    pub epsilon: Rational,
}

/// How the records are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct Data {
    /// The two classes
    #[command(flatten)]
    classes: DeclaredClasses,
    /// Add a constant coordinate, so that the halfspace need not pass through the middle of the box
    #[arg(long)]
    intercept: bool,
    /// Place the data on the multiples of 2^-B; most learners take at most 30
    #[arg(long, value_name = "B", value_parser = whole_in::<u32>(0..=MOST), allow_hyphen_values = true, default_value_t = 20)]
    pub grid_bits: u32,
    /// The table
    #[command(flatten)]
    table: table::Options,
}

/// A paper's dataset of labelled points of the unit ball.
pub trait Labelled: Sized {
    /// The dataset of these records, on this grid and of this dimension.
    fn of(grid: Grid, dimension: usize, records: Vec<Record>) -> Result<Self, Error>;

    /// Its records.
    fn records(&self) -> &[Record];

    /// What all learners of it are compared with, as the report calls it.
    const BESIDE: &'static str;

    /// What that finds at a margin.
    fn without_privacy(&self, margin: &Rational) -> Result<Halfspace, Error>;
}

/// The options that all learners of two classes have, and what is private of their records.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What all of them take.
    pub inputs: &'a Inputs,
    /// How the records are read.
    pub data: &'a Data,
    /// The privacy parameter delta, if there is one.
    pub delta: Option<&'a Rational>,
    /// What is private.
    pub private: Private,
}

impl<'a> Options<'a> {
    /// Of a learner that keeps records private, without a delta.
    pub fn new(inputs: &'a Inputs, data: &'a Data) -> Self {
        Self {
            inputs,
            data,
            delta: None,
            private: Private::Records,
        }
    }
}

/// What a learner keeps private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Private {
    /// A record, which may be substituted.
    Records,
    /// A label, which may change, as the learner of this name does; all features are public.
    LabelsOf(&'static str),
}

/// The neighbouring relation where labels alone are private.
const CHANGE_OF_LABEL: &str = "change of one label; n public";

/// What a learner of two classes finds.
pub struct Found {
    predict: Prediction,
    /// The margin that it learned at: what it is compared with learns at the same.
    margin: Rational,
}

impl Trained<Found> {
    /// What predicts so, at this margin.
    pub fn new(weights: Value, predict: Prediction, margin: Rational, bound: Bound) -> Self {
        Self {
            weights,
            bound: Some(bound),
            predictor: Found { predict, margin },
        }
    }

    /// A halfspace that was found.
    pub fn halfspace(halfspace: Halfspace, margin: Rational, bound: Bound) -> Self {
        let weights = halfspace_model::weights(&halfspace);
        Self::new(weights, by_halfspace(halfspace), margin, bound)
    }
}

/// Opens the records of a file.
fn open<'a>(path: &Path, second: Option<&'a Path>, data: &'a Data) -> Result<Opened<'a>, Error> {
    let (bits, intercept) = (data.grid_bits, data.intercept);
    data.table.open(path, second, Shape::Ball, bits, intercept)
}

/// Reads the records.
pub fn read(inputs: &Inputs, data: &Data) -> Result<Table, Error> {
    open(&inputs.data, inputs.second.as_deref(), data)?.classes(&data.classes)
}

/// The learners of two classes, from a paper's dataset.
pub struct OfClasses<D>(PhantomData<D>);

impl<D: Labelled + Sync> Family for OfClasses<D> {
    type Options<'a> = Options<'a>;
    type Features = Vec<i64>;
    type Data = D;
    type Record = Record;
    type Predictor = Found;

    fn given(options: Self::Options<'_>) -> Given<'_> {
        Given {
            epsilon: &options.inputs.epsilon,
            data: &options.inputs.data,
            second: options.inputs.second.as_deref(),
            also: Vec::new(),
            relation: match options.private {
                Private::Records => None,
                Private::LabelsOf(_) => Some("change one label"),
            },
        }
    }

    /// Refuses a second file where a label may change. Of two files the label of a record is the file it is in: a changed
    /// one moves it from one file to the other and shifts all records between, while the public split into records to
    /// learn from and held-out ones goes by position.
    fn check(options: Options<'_>) -> Result<(), Error> {
        match (options.private, &options.inputs.second) {
            (Private::LabelsOf(name), Some(_)) => Err(Error::Usage(format!(
                "{name} takes one data file: put both classes into it, and name the label's column with --label; with a file \
                 for each class, a changed label would move its record"
            ))),
            _ => Ok(()),
        }
    }

    fn read(options: Options<'_>, path: &Path, edit: Option<&Edit>) -> Result<Table, Error> {
        let Options { inputs, data, .. } = options;
        let opened = open(path, inputs.second.as_deref(), data)?.perhaps_edited(edit);
        if options.private == Private::Records {
            return opened.classes(&data.classes);
        }
        let mut table = opened.with_all_labels().classes(&data.classes)?;
        table.neighbours = CHANGE_OF_LABEL.to_owned();
        Ok(table)
    }

    fn records(
        _options: Options<'_>,
        table: Table,
        _named: &Parameters,
    ) -> Result<(D, Vec<Record>), Error> {
        let (data, held_out, _) = dataset(table)?;
        Ok((data, held_out))
    }

    fn budget(options: Options<'_>, _data: &D) -> Result<Budget, Error> {
        let delta = options.delta.cloned().unwrap_or_default();
        Ok(Budget::substituting(&options.inputs.epsilon, &delta)?)
    }

    fn held_out_errors(_options: Options<'_>, found: &Found, records: &[Record]) -> Errors {
        Errors::of_classes(records, |record| is_right(&found.predict, record))
    }

    fn scores(
        found: &Found,
        data: &D,
        held_out: &[Record],
        _label: &Label,
    ) -> Result<[Scores; 2], Error> {
        let beside = data.without_privacy(&found.margin)?;
        let majority = majority_class(data.records());
        let count = |records: &[Record]| -> Result<Scores, Error> {
            if records.is_empty() {
                return Ok(Scores::default());
            }
            let of_majority = records.iter().filter(|record| record.positive != majority);
            let wrong = |wrong| Score::Wrong(wrong, records.len());
            Ok(Scores(vec![
                ("this_model", wrong(errors(&found.predict, records))),
                (D::BESIDE, wrong(beside.errors(records)? as u64)),
                ("majority_class", wrong(of_majority.count() as u64)),
            ]))
        };
        Ok([count(data.records())?, count(held_out)?])
    }

    fn neighbours(options: Options<'_>, pair: [&D; 2]) -> Result<Option<u64>, Error> {
        match options.private {
            Private::LabelsOf(name) if !have_equal_features(pair) => Err(Error::Usage(format!(
                "the neighbour must have the same features: {name} is private under a change of one label"
            ))),
            _ => Ok(only_difference(pair)),
        }
    }
}

/// The help without a second file, where one is always refused.
pub fn of_one_file(command: Command) -> Command {
    command
        .mut_arg("data", |data| data.help("The records, a CSV file"))
        .mut_arg("second", |second| second.hide(true))
}

/// The number of the only record that differs, counted from 0; nothing if several do, as in another order.
fn only_difference<D: Labelled>([first, second]: [&D; 2]) -> Option<u64> {
    let pairs = (0..).zip(first.records().iter().zip(second.records()));
    let mut differing = pairs.filter(|(_, (record, other))| record != other);
    let (number, _) = differing.next()?;
    differing.next().is_none().then_some(number)
}

/// Whether only labels differ.
fn have_equal_features<D: Labelled>([first, second]: [&D; 2]) -> bool {
    let pairs = first.records().iter().zip(second.records());
    pairs.into_iter().all(|(a, b)| a.features == b.features)
}

/// The records to learn from, those held out, and how many of both were clipped.
pub fn dataset<D: Labelled>(table: Table) -> Result<(D, Vec<Record>, u64), Error> {
    let records = |rows: Vec<Row>| -> Vec<Record> {
        rows.into_iter()
            .map(|row| Record {
                features: row.features,
                positive: row.label == 1,
            })
            .collect()
    };
    let (grid, dimension) = (
        table.placement.grid(),
        table.placement.columns().dimension(),
    );
    let dataset = D::of(grid, dimension, records(table.training))?;
    Ok((dataset, records(table.held_out), table.clipped))
}

/// How many records lie on the wrong side, or on neither.
fn errors(predict: &Prediction, records: &[Record]) -> u64 {
    let wrong = records.iter().filter(|record| !is_right(predict, record));
    wrong.count() as u64
}

/// Whether a record lies on its side. A point for which nothing is predicted lies on neither.
fn is_right(predict: &Prediction, record: &Record) -> bool {
    predict(&record.features).is_ok_and(|decision| decision.side == Some(record.positive))
}

/// The class of most records; the positive one if they are equally many.
pub fn majority_class(records: &[Record]) -> bool {
    let positive = records.iter().filter(|record| record.positive).count();
    2 * positive >= records.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_is_that_of_most() {
        let record = |positive| Record {
            features: Vec::new(),
            positive,
        };
        let of = |classes: [bool; 3]| majority_class(&classes.map(record));
        assert!(of([true, false, true]));
        assert!(!of([false, false, true]));
    }
}
