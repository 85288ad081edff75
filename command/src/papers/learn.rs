//! How a learner is declared, and the one run of all of them: the records are read, learned from, and a model and a
//! report come out, with the privacy statement. [`compare`] does the same on two neighbours, for the meter.

use super::budget::BudgetOptions;
use super::forecast::{Forecast, Size};
use super::halfspace_model;
use super::held_out::{Errors, Told};
use super::meter::{self, Metered};
use super::model::{ModelFile, Privacy, guarantee};
use super::report::{Bound, NotPrivate, Report, Scores};
use super::work::Work;
use super::{Predict, read};
use crate::error::Error;
use crate::options::{Format, coins, whole};
use crate::output::{self, Destination};
use crate::screen;
use crate::table::{Columns, Count, Edit, Label, Table};
use clap::{ArgMatches, Args, Command};
use dp_assay::coins::{ChaCha, Coins, Meter};
use dp_assay::number::{Rational, rational};
use dp_assay::privacy::Budget;
use num_traits::Zero;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What `assay learn` takes besides a learner's own options.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Options {
    /// The model file to write, under a name that is not taken
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Replace the file at --out. A model that is there has been paid for with privacy, which it does not give back
    #[arg(long)]
    force: bool,
    /// Reproducible coins instead of those of the operating system: the model is NOT private
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Also print figures that are computed from the records without noise: errors, clipped records, and the number
    /// of records where it is private. NOT PRIVATE
    #[arg(long)]
    unsafe_report: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    #[command(flatten)]
    budget: BudgetOptions,
}

/// A learner as it is declared: its options are the fields of what is read from the command line, and what is asked of it
/// here is what it has that others of its family have not.
pub trait Learner: Args + Sync {
    /// Its name, which stands in the model file.
    const NAME: &'static str;
    /// Names that it had before: of the command, and in models.
    const ALIASES: &'static [&'static str] = &[];
    /// The learners that read their records as it does.
    type Family: Family;
    /// What is public, and is there before a record is read.
    type Before: Sync;

    /// Adds its help and its options.
    fn command(command: Command) -> Command {
        Self::augment_args(command)
    }
    /// The options that all of its family have.
    fn family(&self) -> OptionsOf<'_, Self>;
    /// Refuses options that do not go together, and makes what is public.
    fn before(&self) -> Result<Self::Before, Error>;
    /// What is known of a run on so many records, from public numbers alone; nothing of a learner that is no advice. Work that
    /// is too much for so many is refused.
    fn forecast(&self, _size: Size) -> Result<Option<Forecast>, Error> {
        Ok(None)
    }
    /// What is public of a run, as the privacy statement lists it.
    fn public(&self) -> &'static str {
        "parameters, intervals, categories and label values"
    }
    /// Plans, says in `named` what it does with which parameters, and learns.
    fn train(
        &self,
        before: &Self::Before,
        data: &<Self::Family as Family>::Data,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<<Self::Family as Family>::Predictor>, Error>;
    /// Reads a predictor from a model file: that of a halfspace, unless the learner finds something else.
    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        halfspace_model::predictor(model)
    }
}

/// The options that all of a learner's family have.
type OptionsOf<'a, L> = <<L as Learner>::Family as Family>::Options<'a>;

/// What learners of one kind of records have in common: how the records are read, what is spent on them, and how a model errs
/// on them.
pub trait Family {
    /// The options that all of them have.
    type Options<'a>: Copy;
    /// What a record has besides its label, as it is read.
    type Features: Ord;
    /// The records to learn from, in the form of the paper.
    type Data: Sync;
    /// A record that is held out.
    type Record: Sync;
    /// What errors are measured with.
    type Predictor;

    /// What is given to any learner.
    fn given(options: Self::Options<'_>) -> Given<'_>;
    /// Refuses files that do not go together.
    fn check(_options: Self::Options<'_>) -> Result<(), Error> {
        Ok(())
    }
    /// Reads the records of a file like [`Given::data`], one of them perhaps as if it were another.
    fn read(
        options: Self::Options<'_>,
        path: &Path,
        edit: Option<&Edit>,
    ) -> Result<Table<Self::Features>, Error>;
    /// The records to learn from, and those held out. Work that is too much for so many is refused here.
    fn records(
        options: Self::Options<'_>,
        table: Table<Self::Features>,
        named: &Parameters,
    ) -> Result<(Self::Data, Vec<Self::Record>), Error>;
    /// What is spent.
    fn budget(options: Self::Options<'_>, data: &Self::Data) -> Result<Budget, Error>;
    /// How the model errs on held-out records: a function of the model and of each record alone.
    fn held_out_errors(
        options: Self::Options<'_>,
        predictor: &Self::Predictor,
        records: &[Self::Record],
    ) -> Errors;
    /// How well the model does on the records that it learned from and on those held out, beside others. **Not private.**
    fn scores(
        predictor: &Self::Predictor,
        data: &Self::Data,
        held_out: &[Self::Record],
        label: &Label,
    ) -> Result<[Scores; 2], Error>;
    /// Refuses two datasets that are no neighbours. Otherwise the number of the only record that differs, from 0, if records are
    /// taken by their number and there is one.
    fn neighbours(
        _options: Self::Options<'_>,
        _pair: [&Self::Data; 2],
    ) -> Result<Option<u64>, Error> {
        Ok(None)
    }
}

/// What is given to any learner.
pub struct Given<'a> {
    /// The privacy parameter epsilon.
    pub epsilon: &'a Rational,
    /// The file of the records.
    pub data: &'a Path,
    /// A second file of records.
    pub second: Option<&'a Path>,
    /// Files of public things that are read as well.
    pub also: Vec<&'a Path>,
    /// The name of the neighbouring relation, if it is not the budget's own.
    pub relation: Option<&'static str>,
}

/// What a learner hands back.
pub struct Trained<P> {
    /// The weights, in the learner's own form.
    pub weights: Value,
    /// What the theorem promises, if one does.
    pub bound: Option<Bound>,
    /// What its errors are measured with.
    pub predictor: P,
}

/// Learns, writes the model and prints the report.
pub fn run<L: Learner>(matches: &ArgMatches) -> Result<(), Error> {
    let (learner, options) = (read::<L>(matches)?, read::<Options>(matches)?);
    let given = L::Family::given(learner.family());
    let before = checked(&learner)?;
    let files: Vec<&Path> = [given.data].into_iter().chain(given.second).collect();
    let mut run = options.start(given.epsilon, &[&files[..], &given.also[..]].concat())?;
    let mut purse = options.budget.open(&files)?;
    let table = L::Family::read(learner.family(), given.data, None)?;
    let (public, clipped) = (Public::of(&table), table.clipped);
    let mut parameters = Parameters::default();
    let data = L::Family::records(learner.family(), table, &parameters)?;
    let budget = L::Family::budget(learner.family(), &data.0)?;
    if let Some(purse) = &purse {
        purse.check(&budget, &public.neighbours)?;
    }
    let before_the_coins = run.coins.consumed();
    let trained = train(&learner, &before, &data, &mut parameters, &mut run.coins);
    // An error may tell what was drawn.
    if let Some(purse) = &mut purse
        && (trained.is_ok() || run.coins.consumed() > before_the_coins)
    {
        purse.enter((L::NAME, &options.out), &budget, &public.neighbours)?;
    }
    let (trained, told) = trained?;
    let errors = if options.unsafe_report {
        let label = &public.label;
        let [training, held] = L::Family::scores(&trained.predictor, &data.0, &data.1, label)?;
        Some(NotPrivate {
            training_records: public.training,
            held_out_records: public.held_out,
            clipped,
            training,
            held_out: held,
        })
    } else {
        None
    };
    let learned = Learned {
        algorithm: L::NAME,
        delta: budget.delta().clone(),
        parameters,
        public: learner.public(),
        bound: trained.bound,
        weights: trained.weights,
        held_out: told,
        errors,
    };
    run.finish(public, learned)
}

/// The records to learn from, and those held out.
type Parts<F> = (<F as Family>::Data, Vec<<F as Family>::Record>);

/// What is public, of options and files that go together.
fn checked<L: Learner>(learner: &L) -> Result<L::Before, Error> {
    let before = learner.before()?;
    L::Family::check(learner.family())?;
    Ok(before)
}

/// Learns from the one part, and tells the errors on the other, if there is one.
fn train<L: Learner>(
    learner: &L,
    before: &L::Before,
    (data, held_out): &Parts<L::Family>,
    named: &mut Parameters,
    coins: &mut impl Coins,
) -> Result<(Trained<<L::Family as Family>::Predictor>, Option<Told>), Error> {
    let trained = learner.train(before, data, named, coins)?;
    if held_out.is_empty() {
        return Ok((trained, None));
    }
    let errors = L::Family::held_out_errors(learner.family(), &trained.predictor, held_out);
    let told = errors.told(L::Family::given(learner.family()).epsilon, coins)?;
    Ok((trained, Some(told)))
}

/// Meters a learner on two neighbouring datasets.
pub fn compare<L: Learner>(matches: &ArgMatches) -> Result<Metered, Error> {
    let (learner, options) = (read::<L>(matches)?, read::<meter::Options>(matches)?);
    let shared = learner.family();
    let given = L::Family::given(shared);
    if given.second.is_some() {
        return Err(Error::Usage(
            "assay meter takes one data file: put both classes into it, and name the label's column with --label"
                .to_owned(),
        ));
    }
    let before = checked(&learner)?;
    let tables = options.pair(given.data, |path, edit| L::Family::read(shared, path, edit))?;
    let silent = Parameters::silent();
    let [first, second] = tables.map(|table| L::Family::records(shared, table, &silent));
    let pair = [first?, second?];
    let differing = L::Family::neighbours(shared, [&pair[0].0, &pair[1].0])?;
    let budget = L::Family::budget(shared, &pair[0].0)?;
    let learn = |data: &Parts<L::Family>, coins: &mut Meter| {
        let mut parameters = Parameters::silent();
        let (trained, told) = train(&learner, &before, data, &mut parameters, coins)?;
        let told = told.map(|told| told.told);
        Ok((trained.weights.to_string(), parameters.values, told))
    };
    let pair = (&pair, differing);
    let metered = options.run(L::NAME, given.data, learn, pair, &budget)?;
    Ok(match given.relation {
        None => metered,
        Some(relation) => metered.between(relation),
    })
}

/// A learner that is about to run: its output can be written, and its coins are there.
struct Run<'a> {
    options: &'a Options,
    epsilon: &'a Rational,
    destination: Destination,
    origin: String,
    coins: ChaCha,
}

/// What stands in a model, and in the report.
struct Learned {
    algorithm: &'static str,
    /// 0 for pure privacy.
    delta: Rational,
    parameters: Parameters,
    public: &'static str,
    bound: Option<Bound>,
    weights: Value,
    /// There only where records are held out.
    held_out: Option<Told>,
    /// There only with `--unsafe-report`.
    errors: Option<NotPrivate>,
}

/// The parameters of a run.
#[derive(Debug, Default)]
pub struct Parameters {
    /// By name, exactly.
    values: BTreeMap<String, String>,
    /// Those that are not the theorem's.
    overridden: Vec<&'static str>,
    /// Whether notes are kept to themselves.
    silent: bool,
}

/// What the report says of the table that was learned from; all of it is public.
pub struct Public {
    columns: Columns,
    label: Label,
    classes_found: bool,
    neighbours: String,
    count: Count,
    training: usize,
    held_out: usize,
}

impl Public {
    /// Of a table.
    pub fn of<F>(table: &Table<F>) -> Self {
        Self {
            columns: table.placement.columns().clone(),
            label: table.label.clone(),
            classes_found: table.classes_found,
            neighbours: table.neighbours.clone(),
            count: table.count,
            training: table.training.len(),
            held_out: table.held_out.len(),
        }
    }

    /// The number of records to learn from, or the cap on it.
    pub fn records(&self) -> usize {
        match self.count {
            Count::Public => self.training,
            Count::AtMost(cap) => cap,
        }
    }
}

impl Options {
    /// Checks the output, and takes the coins.
    fn start<'a>(&'a self, epsilon: &'a Rational, inputs: &[&Path]) -> Result<Run<'a>, Error> {
        let destination = ModelFile::destination(&self.out, inputs, self.force)?;
        let (coins, origin) = coins(self.seed)?;
        if let Some(seed) = self.seed {
            output::warn(&format!(
                "--seed {seed}: whoever knows the seed can undo the noise; this model is NOT private"
            ));
        }
        Ok(Run {
            options: self,
            epsilon,
            destination,
            origin,
            coins,
        })
    }
}

impl Run<'_> {
    /// Writes the model, and prints the report.
    fn finish(self, public: Public, learned: Learned) -> Result<(), Error> {
        let cautions = cautions(self.epsilon, &learned.delta, &public);
        for caution in &cautions {
            output::warn(caution);
        }
        let (model, mut report) = self.model_and_report(public, learned, cautions);
        let written = model.write(&self.destination, self.options.force)?;
        let is_elsewhere = written != self.destination.path();
        if is_elsewhere {
            report.model = written.display().to_string();
        }
        let printed = match self.options.format {
            Format::Json => output::print_json(&report),
            Format::Table => screen::print(&report.render()),
        };
        // The budget is spent, whether the report was seen or not.
        printed.map_err(|error| match error {
            Error::Print(source) => Error::AfterModel {
                path: PathBuf::from(&report.model),
                source,
            },
            other => other,
        })?;
        match is_elsewhere {
            false => Ok(()),
            true => Err(Error::Destination {
                path: self.options.out.clone(),
                reason: format!(
                    "there is a file of this name by now, and it stays; the model is in {}, and its privacy budget is spent",
                    report.model
                ),
            }),
        }
    }

    fn model_and_report(
        &self,
        public: Public,
        learned: Learned,
        cautions: Vec<String>,
    ) -> (ModelFile, Report) {
        let (epsilon, delta) = (self.epsilon.to_string(), learned.delta.to_string());
        let found = if public.classes_found {
            " (the label values were found in the records, and are taken to be public)"
        } else {
            ""
        };
        let places = match public.held_out {
            0 => "",
            _ => ", and the places of the records",
        };
        let private = format!(
            "{} under {}; {}{places} are public{found}; every further release from the same records adds its own epsilon \
             and delta; running time is not covered",
            guarantee(&epsilon, &delta),
            public.neighbours,
            learned.public,
        );
        let privacy = Privacy {
            epsilon,
            delta,
            neighbours: public.neighbours,
            private: self.options.seed.is_none(),
            coins: self.origin.clone(),
            statement: match self.options.seed {
                None => private,
                Some(_) => {
                    format!("NOT private, since a seed is given; with secret coins: {private}")
                }
            },
        };
        let is_public = public.count == Count::Public;
        let coordinates = public.columns.dimension();
        let grid_bits = public.columns.grid_bits;
        let model = ModelFile::new(
            (learned.algorithm, privacy),
            (
                learned.parameters.values.clone(),
                learned.parameters.origin(),
            ),
            (public.columns, public.label),
            (learned.weights, learned.held_out),
        );
        let report = Report {
            model: self.options.out.display().to_string(),
            algorithm: model.algorithm.clone(),
            privacy: model.privacy.clone(),
            cautions,
            parameters: model.parameters.clone(),
            parameters_from: model.parameters_from.clone(),
            training_records: is_public.then_some(public.training),
            held_out_records: is_public.then_some(public.held_out),
            coordinates,
            grid_bits,
            bound: learned.bound,
            label: model.label.clone(),
            held_out: model.held_out.clone(),
            not_private: learned.errors,
        };
        (model, report)
    }
}

/// What is legal, and should be thought about.
pub fn cautions(epsilon: &Rational, delta: &Rational, public: &Public) -> Vec<String> {
    let mut cautions = Vec::new();
    if *epsilon > rational::integer(10) {
        cautions.push(format!(
            "--epsilon {} is above 10: hardly anything is promised to a record",
            rational::shortly(epsilon)
        ));
    }
    let records = public.records();
    if !delta.is_zero() && delta * rational::integer(records as u64) > rational::integer(1) {
        let what = match public.count {
            Count::Public => "records are learned from",
            Count::AtMost(_) => "is the cap on the number of records",
        };
        cautions.push(format!(
            "--delta {} is above 1/{records}, where {records} {what}: it also allows to publish a record \
             drawn at random",
            rational::shortly(delta)
        ));
    }
    if public.classes_found {
        cautions.push(
            "the two label values were found in the records, and are published: --positive and --negative \
             declare them"
                .to_owned(),
        );
    }
    cautions
}

impl Parameters {
    /// None yet, of a run that says nothing of itself: two of them are compared.
    pub fn silent() -> Self {
        Self {
            silent: true,
            ..Self::default()
        }
    }

    /// Says something about the run before anything is spent.
    pub fn note(&self, text: &str) {
        if !self.silent {
            output::note(text);
        }
    }

    /// Says how long the run takes, where that is long.
    pub fn say(&self, work: &Work) {
        if work.is_long() {
            self.note(&work.in_words());
        }
    }

    /// A projection of random signs to `rows` of `d` dimensions, or none; `asked` is `--dimension`.
    pub fn projection(&mut self, asked: Option<u32>, rows: Option<usize>, d: usize) {
        self.choose("dimension", rows.unwrap_or(d), asked.is_some());
        let projection = match (rows, asked) {
            (Some(_), _) => "random signs".to_owned(),
            (None, None) => "none".to_owned(),
            (None, Some(k)) => format!("none, since --dimension {k} is not below {d}"),
        };
        self.set("projection", projection);
    }

    /// A parameter that no theorem chooses.
    pub fn set(&mut self, name: &str, value: impl ToString) {
        self.values.insert(name.to_owned(), value.to_string());
    }

    /// A parameter that a theorem chooses unless it is overridden.
    pub fn choose(&mut self, name: &'static str, value: impl ToString, overridden: bool) {
        self.set(name, value);
        if overridden {
            self.overridden.push(name);
        }
    }

    /// Whether all are the theorem's.
    pub fn are_the_theorems(&self) -> bool {
        self.overridden.is_empty()
    }

    /// `theorem`, or `overridden: ` and which.
    pub fn origin(&self) -> String {
        if self.are_the_theorems() {
            "theorem".to_owned()
        } else {
            format!("overridden: {}", self.overridden.join(", "))
        }
    }
}
