//! The experiments of Liao, Needell, Schaeffer, Xue 2025 on their data, as their code has them, and what
//! the repaired learners reach.
//!
//! What is here runs in floats: it reproduces measurements, and nobody's privacy rests on it. The repaired
//! learners are those of the library, exact; their test errors are measured in floats.

pub mod command;
mod features;
mod figures;
mod learners;
pub mod lent;
mod noise;
mod predictors;
mod public;
mod repaired;
mod solvers;
mod surrogate;
mod table1;
mod table2;
mod trial;

use crate::experiment::{Experiments, Results, read};
use crate::table::Table;

use crate::data::{Duplicates, INSURANCE, RED_WINE, Source, WHITE_WINE, others};
use clap::Args;
use dp_assay_cli::error::Error;
use dp_assay_cli::options::whole;
use std::path::Path;

/// What `reproduce` runs.
pub const EXPERIMENTS: Experiments = Experiments {
    name: "lnsx25",
    options: command::Arguments::augment_args,
    run: |matches| command::run(&read(matches)?),
};

/// A part of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Table 1, Figure 4, and the epsilon of their models
    Table1,
    /// Table 2
    Table2,
    /// What the repairs R2 and R3 reach
    Repaired,
    /// What every learner reaches on all three data sets: which one to take
    Learners,
    /// Figures 1 to 3, 7 and 8
    Figures,
}

/// How much is run.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Settings {
    /// Take files with other SHA-256 sums than the published ones; the tables say so
    #[arg(long)]
    pub any_data: bool,
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    pub only: Vec<Part>,
    /// Fewer repetitions: about a minute
    #[arg(long)]
    pub quick: bool,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    pub seed: u64,
}

impl Settings {
    /// Whether a part is to be run.
    fn has(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }

    /// How often the experiments with real data are repeated: each time with another split, other
    /// features and other noise. (The paper's code has one split and ten draws.)
    fn repetitions(&self) -> usize {
        if self.quick { 2 } else { 5 }
    }

    /// The same for the repaired learner, which is quicker.
    fn repetitions_of_repaired(&self) -> usize {
        if self.quick { 3 } else { 20 }
    }

    /// The same for the comparison of all learners.
    fn repetitions_of_learners(&self) -> usize {
        if self.quick { 2 } else { 40 }
    }

    /// Under how many of the neighbouring relations they are compared.
    fn relations(&self) -> usize {
        if self.quick { 1 } else { 2 }
    }
}

/// Runs everything on the files in `directory`; `progress` is told what is about to be run.
pub fn run(
    directory: &Path,
    settings: &Settings,
    progress: impl Fn(&str),
) -> Result<Results, Error> {
    // All three are read before anything is run.
    let all = [&INSURANCE, &RED_WINE, &WHITE_WINE];
    let others = others(directory, &all, settings.any_data)?;
    let medical = Source::read(directory, &INSURANCE)?;
    let red = Source::read(directory, &RED_WINE)?;
    let white = Source::read(directory, &WHITE_WINE)?;

    let mut tables = vec![records(&[&medical, &red, &white], &others)];
    if settings.has(Part::Table1) {
        progress("Table 1 and Figure 4");
        let results = table1::run(&medical, &red, settings)?;
        tables.extend([results.table1(), results.true_epsilon()?, results.figure4()]);
    }
    if settings.has(Part::Table2) {
        progress("Table 2");
        tables.push(table2::run(&medical, &red, &white, settings)?);
    }
    if settings.has(Part::Repaired) {
        progress("R2 and R3");
        tables.extend(repaired::run(&medical, &red, &white, settings)?);
    }
    if settings.has(Part::Learners) {
        progress("every learner");
        tables.extend(learners::run(&medical, &red, &white, settings)?);
    }
    if settings.has(Part::Figures) {
        progress("Figures 1 to 3, 7 and 8");
        tables.extend(figures::synthetic(settings)?);
        tables.push(figures::risk_gaps(&medical, &red, &white, settings)?);
    }
    let plots = figures::plots(&tables);
    Ok(Results { tables, plots })
}

/// How many records there are, and how many coincide; `others` are files that are not the published ones.
fn records(sources: &[&Source], others: &[&str]) -> Table {
    let mut table = Table::new(
        "records",
        "The data",
        &[
            "file",
            "records",
            "repeated inputs",
            "inputs with two labels",
        ],
    );
    for source in sources {
        let Duplicates {
            records,
            repeated,
            conflicting,
        } = source.duplicates();
        table.rows.push(vec![
            source.file.into(),
            records.into(),
            repeated.into(),
            conflicting.into(),
        ]);
    }
    table.notes.push(
        "repeated inputs make the Gram matrix singular; where they have two labels nothing interpolates, and \
         the pseudo-inverse silently returns least squares"
            .to_owned(),
    );
    if !others.is_empty() {
        table.notes.push(format!(
            "not the files that the authors publish, by their SHA-256 sums: {}",
            others.join(", ")
        ));
    }
    table
}
