//! `assay stable`: is a transformation as stable as it is claimed to be?

use super::Outcome;
use super::auditor::{DatasetOptions, Named, Program, SEE, Seed, Shown, inconclusive, notes};
use crate::error::Error;
use crate::options::{number, whole_in};
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::range::at_least_zero;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::maps::{
    Bound, Datasets, Effort, MapError, Measure, Metric, Stability, UserField, examine,
};
use dp_assay_audit::report::{AuditReport, map};
use dp_assay_audit::targets::Reply;

/// What is measured.
const FORMATS: &str = r#"A TRANSFORMATION
  is a function without noise, and the claim is one of distances: outputs are
  at most so far apart. A pair whose outputs are farther apart proves it false;
  nothing is left to chance.
  symmetric   of arrays in any order: the records that only one of them has
  insert-delete  of arrays: the records to insert and to delete, in their order
  hamming     of arrays of one length: the places that differ
  by-user     of arrays of records: the users whose records differ, 1 if one
              dataset has none of them and 2 otherwise; --user names the field
  absolute    of numbers
  l1, l2, l-infinity  of arrays and objects of numbers, nested too; a name that
              one object lacks counts as 0
  Doubles are exact, and so are roots, which are compared by their squares. All
  NaN are one number, at distance 0 from itself and infinitely far from others;
  so are infinities. An exception on one side only is infinitely far.
  In a dataset {"float": "nan"} is NaN for the metric, and so are the other
  texts of float.hex(). To try them over a domain, name them as values of a
  choice.

"#;

/// Audit a transformation without noise: are outputs at most as far apart as --stability or --bound says?
///
/// Needs no statistics: one pair of datasets is a proof. The program must be deterministic: every dataset is asked twice.
/// Exit status: 0 not refuted, 1 violation proved, 2 could not run, 3 inconclusive.
#[derive(Debug, Args)]
#[command(after_long_help = [FORMATS, SEE].concat())]
pub struct Arguments {
    #[command(flatten)]
    program: Program,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    reply: Reply,
    #[command(flatten)]
    datasets: DatasetOptions,
    /// Outputs are at most C times as far apart as the datasets
    #[arg(long, value_name = "C", value_parser = number, allow_hyphen_values = true, conflicts_with = "bound")]
    stability: Option<Rational>,
    /// Outputs are at most B apart where the datasets are at most 1 apart
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true)]
    bound: Option<Rational>,
    /// The metric of the datasets (see A TRANSFORMATION below); without it symmetric for add-remove and hamming for substitute
    #[arg(long, value_enum, value_name = "METRIC")]
    input_metric: Option<Metric>,
    /// The metric of the outputs
    #[arg(long, value_enum, value_name = "METRIC")]
    output_metric: Option<Metric>,
    /// For the metric by-user: the field that says whose record it is, by its name in an object or its position in an
    /// array, from 0
    #[arg(long, value_name = "FIELD", allow_hyphen_values = true)]
    user: Option<String>,
    /// The most pairs of a domain that are tried
    #[arg(long, value_name = "N", default_value = "2000", value_parser = whole_in::<usize>(1..=1_000_000), allow_hyphen_values = true, conflicts_with = "pair")]
    most_pairs: usize,
    #[command(flatten)]
    seed: Seed,
    /// Keep the pair as it is, and do not look for a smaller one
    #[arg(long)]
    no_shrink: bool,
    #[command(flatten)]
    shown: Shown,
}

/// Runs `assay stable`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let files = arguments.shown.files(arguments.datasets.inputs())?;
    let report = audit(arguments)?;
    arguments.shown.end(&report, files)
}

fn audit(arguments: &Arguments) -> Result<AuditReport, Error> {
    let datasets = match arguments.datasets.read()? {
        Named::Pair(pair) => Datasets::Given(pair),
        Named::Domain(domain) => Datasets::Described(domain),
    };
    let stability = stability(arguments, &datasets)?;
    let effort = Effort {
        pairs: arguments.most_pairs,
        seed: arguments.seed.seed,
        shrink: !arguments.no_shrink,
    };
    let command = &arguments.program.target;
    let mut target = arguments.program.start(arguments.reply)?;
    let report = match examine(&mut target, &datasets, &stability, effort) {
        Ok(found) => map::report(&found, &stability, &datasets, effort, command),
        Err(error @ (MapError::Target(_) | MapError::NotDeterministic { .. })) => inconclusive(
            stability.to_string(),
            command,
            Some(effort.seed),
            target.asked(),
            &error.to_string(),
        )
        .asking(map::asked(&stability)),
        Err(error) => return Err(Error::usage(error)),
    };
    Ok(report.noting(notes(&target, command)))
}

fn stability(arguments: &Arguments, datasets: &Datasets) -> Result<Stability, Error> {
    let bound = match (&arguments.stability, &arguments.bound) {
        (Some(factor), None) => {
            at_least_zero("--stability", factor)?;
            Bound::Factor(factor.clone())
        }
        (None, Some(most)) => {
            at_least_zero("--bound", most)?;
            Bound::Neighbours(most.clone())
        }
        _ => {
            return Err(Error::Usage(
                "the claim is missing: give --stability C, outputs are at most C times as far apart as the datasets, or --bound B".to_owned(),
            ));
        }
    };
    let neighbours = match datasets {
        Datasets::Given(_) => arguments.datasets.two.neighbours.relation(),
        Datasets::Described(domain) => Some(NeighbouringRelation::from(domain.neighbours)),
    };
    let usual = neighbours.map(|relation| match relation {
        NeighbouringRelation::Substitute => Metric::Hamming,
        NeighbouringRelation::AddOrRemove => Metric::Symmetric,
    });
    let input = arguments.input_metric.or(usual).ok_or_else(|| {
        Error::Usage(
            "--neighbours vouched names no metric of the datasets: give --input-metric".to_owned(),
        )
    })?;
    let output = arguments.output_metric.ok_or_else(|| {
        Error::Usage(
            "--output-metric is needed: symmetric, insert-delete, hamming, by-user, absolute, l1, l2 or l-infinity"
                .to_owned(),
        )
    })?;
    let user = arguments.user.as_deref().map(UserField::read);
    if let (Some(field), false) = (&arguments.user, [input, output].contains(&Metric::ByUser)) {
        return Err(Error::Usage(format!(
            "--user is for the metric by-user, got {field} for {input} and {output}"
        )));
    }
    if user.is_none() && [input, output].contains(&Metric::ByUser) {
        return Err(Error::Usage(
            "the metric by-user needs --user FIELD, the name or the position of the field that says whose record it is".to_owned(),
        ));
    }
    let measure = |metric| Measure {
        metric,
        user: user.clone().filter(|_| metric == Metric::ByUser),
    };
    Ok(Stability {
        input: measure(input),
        output: measure(output),
        bound,
    })
}
