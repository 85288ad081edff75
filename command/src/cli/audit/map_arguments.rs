//! The options of `assay audit --map`.

use super::super::number;
use crate::options::whole_in;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay_audit::maps::Metric;

/// What `assay audit --help` says of it.
pub const FORMATS: &str = r#"A TRANSFORMATION
  With --map the program is a function without noise, and the claim is one of
  distances: outputs are at most so far apart. A pair whose outputs are farther
  apart proves it false; nothing is left to chance.
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

/// The options of `--map`.
#[derive(Debug, Args)]
pub struct MapArguments {
    /// Audit a transformation without noise: are outputs at most as far apart as --stability or --bound says? Needs no
    /// statistics: one pair of datasets is a proof (see A TRANSFORMATION below)
    #[arg(long, conflicts_with_all = ["claimed", "delta", "law", "self_test", "all_calls", "power", "calls", "alpha"])]
    pub map: bool,
    /// For --map: outputs are at most C times as far apart as the datasets
    #[arg(long, value_name = "C", value_parser = number, allow_hyphen_values = true, requires = "map", conflicts_with = "bound")]
    pub stability: Option<Rational>,
    /// For --map: outputs are at most B apart where the datasets are at most 1 apart
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true, requires = "map")]
    pub bound: Option<Rational>,
    /// For --map: the metric of the datasets; without it symmetric for add-remove and hamming for substitute
    #[arg(long, value_enum, value_name = "METRIC", requires = "map")]
    pub input_metric: Option<Metric>,
    /// For --map: the metric of the outputs
    #[arg(long, value_enum, value_name = "METRIC", requires = "map")]
    pub output_metric: Option<Metric>,
    /// For the metric by-user: the field that says whose record it is, by its name in an object or its position in an
    /// array, from 0
    #[arg(
        long,
        value_name = "FIELD",
        allow_hyphen_values = true,
        requires = "map"
    )]
    pub user: Option<String>,
    /// For --map: the most pairs of a domain that are tried (2000, if it is not given)
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(1..=1_000_000), allow_hyphen_values = true, requires = "map")]
    pub most_pairs: Option<usize>,
}
