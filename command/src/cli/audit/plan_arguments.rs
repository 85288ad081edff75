//! The options of `assay audit --plan`.

use crate::options::whole_in;
use crate::shards::plan::{MOST_DRAWS, MOST_UNITS};
use clap::Args;
use std::path::PathBuf;

/// What `assay audit --help` says of it.
pub const FORMATS: &str = r#"MANY MACHINES
  assay audit --plan FILE …       here: search a pair, learn an event, fix both
  assay count FILE --shard i/N …  on each of N machines: count it, unit by unit
  assay merge FILE SHARD…         here again: add up, and judge once
  A plan has the program, the claim, the pair, the event, the level, and how
  often all is counted: --units times --unit-draws outputs on each dataset.
  A program that takes the seed of a request ("seed": 64 hexadecimal digits)
  and uses no other coins is --seeded: its counts can be repeated, and are the
  same on however many machines. docs/shards.md has more.
"#;

/// The options of `--plan`.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// Search a pair and learn an event with --calls, at most 100000 of them for the event, and write a plan of counts for many
    /// machines, which assay count and assay merge follow. Nothing is decided here (see MANY MACHINES below)
    #[arg(long, value_name = "FILE", requires = "units", conflicts_with_all = ["law", "self_test", "map", "replay", "all_calls", "first_proof", "power", "report", "no_shrink"])]
    pub plan: Option<PathBuf>,
    /// For --plan: the units into which the work is cut
    #[arg(long, value_name = "U", value_parser = whole_in::<u64>(1..=MOST_UNITS), allow_hyphen_values = true, requires = "plan")]
    pub units: Option<u64>,
    /// For --plan: the outputs on each dataset in a unit. A unit that is interrupted is counted again: fewer for slow programs
    /// (1048576, if it is not given)
    #[arg(long, value_name = "N", value_parser = whole_in::<u64>(1..=MOST_DRAWS), allow_hyphen_values = true, requires = "plan")]
    pub unit_draws: Option<u64>,
    /// For --plan: the program takes the seed of each request from the request
    #[arg(long, requires = "plan", requires = "target")]
    pub seeded: bool,
    /// For --plan, instead of a program: a mechanism of the corpus of --self-test, with its pair and its claim. It is seeded
    #[arg(long, value_name = "NAME", requires = "plan", conflicts_with_all = ["target", "claimed", "delta", "pair", "domain", "neighbours", "reply"])]
    pub specimen: Option<String>,
}
