//! The options of `assay audit`.

use super::super::{Format, integer, number};
use clap::Args;
use dp_assay::number::Rational;
use dp_assay_audit::driver::Until;
use num_bigint::BigInt;
use std::path::PathBuf;

/// Audit a program, in any language: prove its claim (epsilon, delta) false, or say what was not seen.
///
/// The program reads requests on its standard input and answers samples on its standard output, one JSON
/// value a line (see audit/targets/). With --law, ask instead whether its noise has a law: not to conform is
/// not the same as not to be private. Exit status: 0 not refuted, 1 violation or another law proved,
/// 2 could not run, 3 inconclusive.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The program and its arguments, as one text
    #[arg(long, value_name = "COMMAND", required_unless_present = "self_test")]
    pub target: Option<String>,
    /// The claimed epsilon, above 0 and at most 40
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, required_unless_present_any = ["self_test", "law"])]
    pub epsilon: Option<Rational>,
    /// The claimed delta, at least 0 and below 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    pub delta: Rational,
    /// Two JSON files, the datasets
    #[arg(long, value_name = "A.json,B.json", value_delimiter = ',', num_args = 1..=2)]
    pub pair: Vec<PathBuf>,
    /// A JSON file that describes the datasets, from which pairs are searched
    #[arg(long, value_name = "DOMAIN.json", conflicts_with_all = ["pair", "neighbours"])]
    pub domain: Option<PathBuf>,
    /// How the two datasets of --pair are neighbours; a domain says it itself
    #[arg(long, value_enum, default_value = "substitute")]
    pub neighbours: Neighbours,
    /// The law of the integers that the program answers, less the centre: discrete-laplace scale=2
    #[arg(long, value_name = "LAW", conflicts_with_all = ["epsilon", "delta", "pair", "domain", "self_test", "neighbours", "no_shrink"])]
    pub law: Option<String>,
    /// A JSON file, the dataset for --law; without it: null
    #[arg(long, value_name = "DATA.json", requires = "law")]
    pub data: Option<PathBuf>,
    /// What the program would answer on this dataset without noise
    #[arg(long, value_name = "K", value_parser = integer, allow_hyphen_values = true, requires = "law")]
    pub centre: Option<BigInt>,
    /// The calls on the pair that is audited, at least 400 and at most 16777216, or the most calls for --law
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub calls: u64,
    /// Spend all calls, for the best bound on epsilon, instead of stopping at the first proof
    #[arg(long, conflicts_with = "law")]
    pub all_calls: bool,
    /// The probability with which a true claim may be called violated
    #[arg(long, value_name = "ALPHA", default_value = "1/20", value_parser = number, allow_hyphen_values = true)]
    pub alpha: Rational,
    /// The seconds that the program has for a batch
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub deadline: u64,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    pub reply: ReplyKind,
    /// The seed of the auditor's own coins
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Keep the pair as it is, and do not look for a smaller one
    #[arg(long)]
    pub no_shrink: bool,
    /// Also measure which epsilon the whole audit catches with probability 0.95, by planted violations of a family:
    /// randomised-response, discrete-laplace, rare-release:MASS, or all. Takes up to 944 audits a family
    #[arg(long, value_name = "FAMILY", value_delimiter = ',', conflicts_with_all = ["law", "self_test"])]
    pub power: Vec<String>,
    /// Also write report.json, report.html and report.xml (JUnit) into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "self_test")]
    pub report: Option<PathBuf>,
    /// Audit the auditor: the corpus of mechanisms with known privacy, or those named (disjoint-* names several)
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with_all = ["target", "epsilon", "delta", "pair", "domain", "neighbours", "no_shrink", "reply", "deadline"])]
    pub self_test: Option<Vec<String>>,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Neighbours {
    /// One record is replaced by another
    Substitute,
    /// One record is added or removed
    AddRemove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReplyKind {
    /// One JSON value a line
    Lines,
    /// Eight bytes a value: doubles, little-endian
    F64le,
}

impl Arguments {
    /// When an audit stops.
    pub const fn until(&self) -> Until {
        if self.all_calls {
            Until::End
        } else {
            Until::Proof
        }
    }
}
