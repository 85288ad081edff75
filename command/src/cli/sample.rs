//! `assay sample`: exact samples of a law.

use super::Outcome;
use crate::error::Error;
use crate::options::{Format, whole};
use crate::output;
use clap::Args;
use dp_assay::coins::ChaCha;
use dp_assay::law::named::{NamedLaw, definitions};
use dp_assay::prepared::NamedDrawnOften;
use std::io::{self, BufWriter, Write};

/// Print exact samples of a law, one integer a line.
///
/// The law is written as a name and a parameter: discrete-laplace scale=2,
/// discrete-gaussian variance=4, geometric rate=1/2.
#[derive(Debug, Args)]
#[command(after_help = format!("Laws:\n{}", definitions()))]
pub struct Arguments {
    /// The law's name and its parameter, as in: discrete-laplace scale=2
    #[arg(value_name = "LAW", required = true, num_args = 1..)]
    law: Vec<String>,
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    count: u64,
    /// Reproducible coins instead of those of the operating system; not private
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// How to print the samples
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay sample`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let law = arguments.law.join(" ").parse::<NamedLaw>()?;
    let (mut coins, origin) = crate::options::coins(arguments.seed)?;
    // Many draws are prepared; but a seed gives the samples that it gives for few.
    let draws = match arguments.seed {
        None => arguments.count,
        Some(_) => 0,
    };
    let drawn = NamedDrawnOften::new(law.clone(), draws)?;
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.format {
        Format::Table => lines(&drawn, arguments.count, &mut coins, &mut out)?,
        Format::Json => json(
            (&law, &drawn),
            arguments.count,
            &origin,
            &mut coins,
            &mut out,
        )?,
    }
    out.flush().map_err(Error::Print)?;
    Ok(Outcome::AsExpected)
}

fn lines(
    law: &NamedDrawnOften,
    count: u64,
    coins: &mut ChaCha,
    out: &mut impl Write,
) -> Result<(), Error> {
    for _ in 0..count {
        let sample = law.draw(coins)?;
        writeln!(out, "{sample}").map_err(Error::Print)?;
    }
    Ok(())
}

/// Samples are strings in JSON, since they may be larger than what its readers hold exactly.
fn json(
    (law, drawn): (&NamedLaw, &NamedDrawnOften),
    count: u64,
    origin: &str,
    coins: &mut ChaCha,
    out: &mut impl Write,
) -> Result<(), Error> {
    // Written as they are drawn: there may be more of them than memory.
    let head = output::json(&serde_json::json!({"law": law.to_string(), "coins": origin}))?;
    let head = head.trim_end().trim_end_matches('}').trim_end();
    write!(out, "{head},\n  \"samples\": [").map_err(Error::Print)?;
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        let sample = drawn.draw(coins)?;
        write!(out, "{comma}\n    \"{sample}\"").map_err(Error::Print)?;
    }
    writeln!(out, "\n  ]\n}}").map_err(Error::Print)
}
