//! What learners have in common: their options, where their coins come from, the privacy statement, and the model and
//! the report that come out.

use super::model::{ModelFile, Privacy, guarantee};
use super::report::{Bound, NotPrivate, Report};
use crate::error::Error;
use crate::options::{Format, coins, whole};
use crate::output::{self, Destination};
use crate::table::{Columns, Count, Label, Table};
use clap::Args;
use dp_assay::coins::ChaCha;
use dp_assay::number::{Rational, rational};
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
    pub unsafe_report: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// A learner that is about to run: its output can be written, and its coins are there.
pub struct Run<'a> {
    options: &'a Options,
    epsilon: &'a Rational,
    destination: Destination,
    origin: String,
    /// The coins.
    pub coins: ChaCha,
}

/// What a learner hands back.
pub struct Learned {
    /// Its name.
    pub algorithm: &'static str,
    /// The privacy parameter delta, 0 for pure privacy.
    pub delta: Rational,
    /// The parameters that were used.
    pub parameters: Parameters,
    /// What is public besides, as the privacy statement lists it.
    pub public: &'static str,
    /// What the theorem promises, if one does.
    pub bound: Option<Bound>,
    /// The weights, in the learner's own form.
    pub weights: Value,
    /// What is computed without noise: there only with `--unsafe-report`.
    pub errors: Option<NotPrivate>,
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

    /// The same, with other neighbours.
    #[must_use]
    pub fn between(self, neighbours: &str) -> Self {
        Self {
            neighbours: neighbours.to_owned(),
            ..self
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
    pub fn start<'a>(&'a self, epsilon: &'a Rational, inputs: &[&Path]) -> Result<Run<'a>, Error> {
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
    pub fn finish(self, public: Public, learned: Learned) -> Result<(), Error> {
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
            Format::Table => output::print(&report.render()),
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
        let private = format!(
            "{} under {}; {} are public{found}; every further release from the same records adds its own epsilon \
             and delta; running time is not covered",
            guarantee(&epsilon, &delta),
            public.neighbours,
            learned.public,
        );
        let privacy = Privacy {
            epsilon,
            delta,
            neighbours: public.neighbours,
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
            learned.weights,
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

    /// The values, by name.
    pub fn values(&self) -> &BTreeMap<String, String> {
        &self.values
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
