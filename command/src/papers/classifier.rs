//! What learners of two classes have in common: how their records are read, the run, the meter, and what they are
//! compared with.

use super::halfspace_model;
use super::learn::{self, Learned, Parameters, Public};
use super::meter::{self, Metered};
use super::report::{Bound, NotPrivate, Score, Scores};
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::table::{self, DeclaredClasses, Opened, Row, Shape, Table};
use clap::Args;
use dp_assay::coins::{ChaCha, Meter};
use dp_assay::geometry::{Halfspace, Record};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
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
}

/// A learner of a paper: its name, what it promises beside epsilon, and what it is compared with.
pub struct Learner<'a, D> {
    /// Its name.
    pub name: &'static str,
    /// The privacy parameter delta, 0 for pure privacy.
    pub delta: Rational,
    /// What is public of a run, as the privacy statement lists it.
    pub public: &'static str,
    /// What is private.
    pub private: Private,
    /// What it is compared with, without privacy: its name in the report, and what finds it.
    pub beside: (&'static str, &'a WithoutPrivacy<'a, D>),
}

impl<D> Learner<'_, D> {
    /// Refuses a second file where a label may change. Of two files the label of a record is the file it is in: a changed
    /// one moves it from one file to the other and shifts all records between, while the public split into records to
    /// learn from and held-out ones goes by position.
    fn check(&self, inputs: &Inputs) -> Result<(), Error> {
        if self.private == Private::Labels && inputs.second.is_some() {
            return Err(Error::Usage(format!(
                "{} takes one data file: put both classes into it, and name the label's column with --label; with a file \
                 for each class, a changed label would move its record",
                self.name
            )));
        }
        Ok(())
    }
}

/// What a learner keeps private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Private {
    /// A record, which may be substituted.
    Records,
    /// A label, which may change; all features are public.
    Labels,
}

/// The neighbouring relation where labels alone are private.
const CHANGE_OF_LABEL: &str = "change of one label; n public";

/// A learner without privacy.
pub type WithoutPrivacy<'a, D> = dyn Fn(&D) -> Result<Halfspace, Error> + 'a;

/// What a learner finds.
pub struct Trained {
    /// The weights, in the form that the learner's own predictor reads.
    pub weights: serde_json::Value,
    /// The prediction for a point; nothing where it is undecided.
    pub predict: Prediction,
    /// The parameters that were used.
    pub parameters: Parameters,
    /// What the theorem promises.
    pub bound: Bound,
}

impl Trained {
    /// A halfspace that was found.
    pub fn halfspace(halfspace: Halfspace, parameters: Parameters, bound: Bound) -> Self {
        Self {
            weights: halfspace_model::weights(&halfspace),
            predict: by_halfspace(halfspace),
            parameters,
            bound,
        }
    }
}

/// A prediction for a point on the grid, true for the positive class.
pub type Prediction = Box<dyn Fn(&[i64]) -> Result<Option<bool>, Error>>;

/// The prediction by a halfspace.
pub fn by_halfspace(halfspace: Halfspace) -> Prediction {
    Box::new(move |point| Ok(halfspace.predict(point)?))
}

/// Reads the records.
pub fn read(inputs: &Inputs, data: &Data) -> Result<Table, Error> {
    let second = inputs.second.as_deref();
    let (bits, intercept) = (data.grid_bits, data.intercept);
    let opened = data
        .table
        .open(&inputs.data, second, Shape::Ball, bits, intercept)?;
    opened.classes(&data.classes)
}

/// Learns, writes the model and prints the report.
pub fn run<D: Labelled>(
    learner: &Learner<'_, D>,
    options: &learn::Options,
    (inputs, data): (&Inputs, &Data),
    train: impl FnOnce(&D, &mut ChaCha) -> Result<Trained, Error>,
) -> Result<(), Error> {
    learner.check(inputs)?;
    let mut files = vec![inputs.data.as_path()];
    files.extend(inputs.second.as_deref());
    let mut run = options.start(&inputs.epsilon, &files)?;
    let table = read(inputs, data)?;
    let public = match learner.private {
        Private::Records => Public::of(&table),
        Private::Labels => Public::of(&table).between(CHANGE_OF_LABEL),
    };
    let (dataset, held_out, clipped) = dataset::<D>(table)?;
    let trained = train(&dataset, &mut run.coins)?;
    let errors = if options.unsafe_report {
        let found = not_private(&trained.predict, learner.beside, &dataset, &held_out)?;
        Some(NotPrivate { clipped, ..found })
    } else {
        None
    };
    let learned = Learned {
        algorithm: learner.name,
        delta: learner.delta.clone(),
        parameters: trained.parameters,
        public: learner.public,
        bound: Some(trained.bound),
        weights: trained.weights,
        errors,
    };
    run.finish(public, learned)
}

/// Meters a learner on two neighbouring datasets.
pub fn meter<D: Labelled + Sync>(
    learner: &Learner<'_, D>,
    options: &meter::Options,
    (inputs, data): (&Inputs, &Data),
    train: impl Fn(&D, &mut Meter) -> Result<Trained, Error> + Sync,
) -> Result<Metered, Error> {
    if inputs.second.is_some() {
        return Err(Error::Usage(
            "assay meter takes one data file: put both classes into it, and name the label's column with --label"
                .to_owned(),
        ));
    }
    let open = |path: &Path| {
        let bits = data.grid_bits;
        data.table
            .open(path, None, Shape::Ball, bits, data.intercept)
    };
    let read = |opened: Opened<'_>| {
        let mut table = opened.classes(&data.classes)?;
        if learner.private == Private::Labels {
            table.neighbours = CHANGE_OF_LABEL.to_owned();
        }
        Ok(table)
    };
    let tables = options.tables(&inputs.data, open, read)?;
    let [first, second] = tables.map(|table| dataset::<D>(table).map(|(dataset, ..)| dataset));
    let pair = [first?, second?];
    if learner.private == Private::Labels && !have_equal_features(&pair) {
        return Err(Error::Usage(format!(
            "the neighbour must have the same features: {} is private under a change of one label",
            learner.name
        )));
    }
    let claim = Budget::approximate(
        inputs.epsilon.clone(),
        learner.delta.clone(),
        NeighbouringRelation::Substitute,
    )?;
    let trained = |data: &D, coins: &mut Meter| {
        let trained = train(data, coins)?;
        Ok((
            trained.weights.to_string(),
            trained.parameters.values().clone(),
        ))
    };
    let differing = only_difference(&pair);
    let pair = (&pair, differing);
    let metered = options.run(learner.name, &inputs.data, trained, pair, &claim)?;
    Ok(match learner.private {
        Private::Records => metered,
        Private::Labels => metered.between("change one label"),
    })
}

/// The number of the only record that differs, counted from 0; nothing if several do, as in another order.
fn only_difference<D: Labelled>([first, second]: &[D; 2]) -> Option<u64> {
    let pairs = (0..).zip(first.records().iter().zip(second.records()));
    let mut differing = pairs.filter(|(_, (record, other))| record != other);
    let (number, _) = differing.next()?;
    differing.next().is_none().then_some(number)
}

/// Whether only labels differ.
fn have_equal_features<D: Labelled>([first, second]: &[D; 2]) -> bool {
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

/// The errors of the model, of what it is compared with, and of the majority class.
fn not_private<D: Labelled>(
    predict: &Prediction,
    (name, beside): (&'static str, &WithoutPrivacy<'_, D>),
    dataset: &D,
    held_out: &[Record],
) -> Result<NotPrivate, Error> {
    let training = dataset.records();
    let beside = beside(dataset)?;
    let majority = majority_class(training);
    let count = |records: &[Record]| -> Result<Scores, Error> {
        if records.is_empty() {
            return Ok(Scores::default());
        }
        let of_majority = records.iter().filter(|record| record.positive != majority);
        let wrong = |wrong| Score::Wrong(wrong, records.len());
        Ok(Scores(vec![
            ("this_model", wrong(errors(predict, records)?)),
            (name, wrong(beside.errors(records)? as u64)),
            ("majority_class", wrong(of_majority.count() as u64)),
        ]))
    };
    Ok(NotPrivate {
        training_records: training.len(),
        held_out_records: held_out.len(),
        clipped: 0,
        training: count(training)?,
        held_out: count(held_out)?,
    })
}

/// How many records lie on the wrong side, or on neither.
fn errors(predict: &Prediction, records: &[Record]) -> Result<u64, Error> {
    let mut errors = 0;
    for record in records {
        errors += u64::from(predict(&record.features)? != Some(record.positive));
    }
    Ok(errors)
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
