//! The options of `assay audit --replay`.

use crate::options::whole_in;
use clap::Args;

/// What `assay audit --help` says of it.
pub const FORMATS: &str = r#"RECORDED NOISE
  With --replay the program records its noise, and repeats a run on the other
  dataset with the same noisy values. What the noise tells of the datasets is
  computed by its laws; what differs beside it is a leak. One run of each may be
  a proof. The verdict is of a kind of its own, and the report says what it
  assumes.
  audit/targets/python/recorder.py records numpy's and random's Laplace and
  Gaussian noise, differences of numpy's geometric draws, and other noise that
  is drawn through it. In other languages:
    {"op": "record", "data": [0, 1]}   run, keep the noise, and answer one line
    {"op": "replay", "data": [0, 0]}   run with the noisy values that were kept
  The line is
    {"output": …, "draws": [{"law": "laplace", "scale": 2, "value": 1,
      "released": "0x1.8p+0", "otherwise_used": false}, …]}
  with the law (laplace, gaussian, discrete-laplace, discrete-gaussian, or
  anything else for other randomness), the value under the noise and the noisy
  value, for each draw.
"#;

/// The options of `--replay`.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// Judge the noise that the program records (see RECORDED NOISE below): needs --epsilon, --pair and a program that
    /// can repeat a run with the same noisy values
    #[arg(long, requires = "epsilon", conflicts_with_all = ["zcdp", "rdp", "gdp", "profile", "map", "law", "domain", "self_test", "all_calls", "power", "calls"])]
    pub replay: bool,
    /// For --replay: the most runs that are recorded (20, if it is not given)
    #[arg(long, value_name = "N", value_parser = whole_in::<u64>(1..=100_000), allow_hyphen_values = true, requires = "replay")]
    pub runs: Option<u64>,
}
