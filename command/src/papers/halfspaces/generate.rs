//! `assay generate halfspace`: records of known margin, public and reproducible.

use crate::error::Error;
use crate::options::{Range, whole, whole_in};
use crate::output::{self, Destination, Kind};
use clap::Args;
use dp_assay::coins::{ChaCha, Coins, CoinsError};
use dp_assay::number::{Rational, rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::path::PathBuf;

/// Records of signs, separated by a halfspace with a margin.
///
/// A vector w of signs is drawn uniformly. Each record has a uniform label y, and its j-th
/// coordinate agrees with y w_j with probability (1 + 2 margin)/2, at most 1. It is drawn again until
/// y <w, x> / d >= margin. Columns x1 to xd are 1 or -1 (load them with --box -1:1), and so is
/// the column label.
#[derive(Debug, Args)]
pub struct Halfspace {
    /// How many records
    #[arg(short = 'n', long = "n", value_name = "N", value_parser = whole_in::<u64>(1..=MOST_SIGNS), allow_hyphen_values = true)]
    n: u64,
    /// How many coordinates, at most 2^20; all records together have at most 1e10, which are some 25 GB
    #[arg(short = 'd', long = "d", value_name = "D", value_parser = whole_in::<usize>(1..=MOST_COORDINATES as u64), allow_hyphen_values = true)]
    d: usize,
    /// The margin, in (0, 1]
    #[arg(long, value_name = "G", value_parser = Range::Margin.parser(), allow_hyphen_values = true)]
    margin: Rational,
    /// The seed: equal seeds give equal files
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    seed: u64,
    /// The CSV file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file at --out even if it has not the header of such records
    #[arg(long)]
    force: bool,
}

/// The most coordinates that are generated.
const MOST_COORDINATES: usize = 1 << 20;

/// The most coordinates of all records together.
const MOST_SIGNS: u64 = 10_000_000_000;

/// A stream that no learner draws from: data and learner stay independent under equal seeds.
const STREAM: u64 = u64::from_le_bytes(*b"generate");

/// The first line of a file of `d` signs and a label a record.
fn header(d: usize) -> String {
    let names: Vec<String> = (1..=d).map(|j| format!("x{j}")).collect();
    format!("{},label", names.join(","))
}

/// A file of such records.
const KIND: Kind = Kind {
    is: |first| {
        let line = first
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let commas = line.iter().filter(|&&byte| byte == b',').count();
        commas <= MOST_COORDINATES && line == header(commas).as_bytes()
    },
    name: "a file of generated records",
};

/// Runs `assay generate halfspace`.
pub fn run(halfspace: &Halfspace) -> Result<(), Error> {
    let signs = halfspace.n.saturating_mul(halfspace.d as u64);
    if signs > MOST_SIGNS {
        return Err(Error::Usage(format!(
            "--n {} records of --d {} signs are {:.1e}, more than 1e10, some 25 GB: lower one of them",
            halfspace.n, halfspace.d, signs as f64
        )));
    }
    let destination = Destination::of_kind(&halfspace.out, &[], &KIND, halfspace.force)?;
    let mut coins = ChaCha::reproducible(halfspace.seed, STREAM);
    let source = MarginSource::new(halfspace.d, &halfspace.margin, &mut coins)?;
    destination.write(|out| {
        let wrong = |error| Error::write(destination.path(), error);
        writeln!(out, "{}", header(halfspace.d)).map_err(wrong)?;
        let mut line = String::new();
        for _ in 0..halfspace.n {
            let (signs, label) = source.draw(&mut coins)?;
            line.clear();
            for positive in signs {
                line += if positive { "1," } else { "-1," };
            }
            line += if label { "1\n" } else { "-1\n" };
            out.write_all(line.as_bytes()).map_err(wrong)?;
        }
        Ok(())
    })?;
    output::print(&format!(
        "{}: {} records of {} signs, margin at least {}, seed {} (public and reproducible)\n",
        halfspace.out.display(),
        halfspace.n,
        halfspace.d,
        halfspace.margin,
        halfspace.seed
    ))
}

/// The law of the records.
struct MarginSource {
    // The signs of w, true for +1.
    secret: Vec<bool>,
    agreement: Rational,
    // The least number of coordinates that agree: y <w, x> = 2 agreeing - d >= margin d.
    least: usize,
}

impl MarginSource {
    fn new(d: usize, margin: &Rational, coins: &mut ChaCha) -> Result<Self, CoinsError> {
        let secret = (0..d)
            .map(|_| Ok(coins.bits(1)? == 1))
            .collect::<Result<_, CoinsError>>()?;
        let agreement = (rational::ratio(1, 2) + margin).min(Rational::one());
        let twice = (Rational::one() + margin) * BigInt::from(d);
        let least = twice.numer().div_ceil(&(twice.denom() * 2));
        Ok(Self {
            secret,
            agreement,
            least: least.to_usize().unwrap_or(d),
        })
    }

    /// One record: its signs, true for +1, and its label.
    fn draw(&self, coins: &mut ChaCha) -> Result<(Vec<bool>, bool), CoinsError> {
        let label = coins.bits(1)? == 1;
        loop {
            let mut agreeing = 0;
            let mut signs = Vec::with_capacity(self.secret.len());
            for &sign in &self.secret {
                let agrees = coins.bernoulli(&self.agreement)?;
                agreeing += usize::from(agrees);
                signs.push((sign == label) == agrees);
            }
            if agreeing >= self.least {
                return Ok((signs, label));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_has_the_margin() {
        for (d, margin) in [
            (1, (1, 10)),
            (10, (1, 10)),
            (9, (1, 3)),
            (7, (1, 1)),
            (5, (3, 5)),
        ] {
            let margin = rational::ratio(margin.0, margin.1);
            let mut coins = ChaCha::reproducible(5, 0);
            let source = MarginSource::new(d, &margin, &mut coins).unwrap();
            for _ in 0..200 {
                let (signs, label) = source.draw(&mut coins).unwrap();
                let product: i64 = signs
                    .iter()
                    .zip(&source.secret)
                    .map(|(x, w)| if x == w { 1 } else { -1 })
                    .sum();
                let signed = if label { product } else { -product };
                assert!(
                    rational::ratio(signed, d as i64) >= margin,
                    "{signed} of {d}"
                );
            }
        }
    }

    #[test]
    fn the_threshold_is_not_higher_than_it_must_be() {
        let mut coins = ChaCha::reproducible(1, 0);
        // y <w, x> >= 1 of 10 needs 2 k - 10 >= 1: k = 6.
        let source = MarginSource::new(10, &rational::ratio(1, 10), &mut coins).unwrap();
        assert_eq!(source.least, 6);
        // y <w, x> >= 2 of 10: k = 6 too.
        let source = MarginSource::new(10, &rational::ratio(1, 5), &mut coins).unwrap();
        assert_eq!(source.least, 6);
    }
}
