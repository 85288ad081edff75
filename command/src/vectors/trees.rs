//! Class C: trees of all tapes to a depth.

use super::algorithms::{Algorithm, Sample, Sampler};
use super::mistakes::{Mistake, notes};
use super::numbers::{decimals, enclosed};
use super::twin::Twin;
use super::{File, document, tapes};
use crate::error::Error;
use dp_assay::coins::{CoinsError, Tape};
use dp_assay::number::rational::parse;
use dp_assay::number::{Enclosure, NumberError, Rational, certify};
use num_bigint::BigInt;
use num_traits::Zero;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Significant digits of the certified probabilities beside a tree.
const DIGITS: u32 = 30;

/// A tree that is written: the algorithm's, or with a mistake planted.
struct Wanted {
    algorithm: Algorithm,
    parameters: &'static [&'static str],
    depth: u32,
    /// The mistake that this test is for; planted in those that must be refuted.
    bug: Mistake,
    planted: bool,
}

const fn wanted(
    algorithm: Algorithm,
    depth: u32,
    bug: Mistake,
    planted: bool,
    parameters: &'static [&'static str],
) -> Wanted {
    Wanted {
        algorithm,
        parameters,
        depth,
        bug,
        planted,
    }
}

const WANTED: &[Wanted] = &[
    wanted(
        Algorithm::UniformBelow,
        12,
        Mistake::Modulo,
        false,
        &["3", "5", "6", "10"],
    ),
    wanted(
        Algorithm::UniformBelow,
        12,
        Mistake::Modulo,
        true,
        &["5", "6"],
    ),
    wanted(
        Algorithm::Bernoulli,
        14,
        Mistake::Inverted,
        false,
        &["1/3", "2/7", "5/8", "71/226"],
    ),
    wanted(Algorithm::Bernoulli, 14, Mistake::Inverted, true, &["2/7"]),
    // The wrong division of a bignum library shows in the first three, and in none of the others.
    wanted(
        Algorithm::BernoulliExp,
        14,
        Mistake::Division,
        false,
        &["2/3", "3/4", "4/5"],
    ),
    wanted(
        Algorithm::BernoulliExp,
        14,
        Mistake::Division,
        true,
        &["2/3", "3/4", "4/5"],
    ),
    wanted(
        Algorithm::BernoulliExp,
        14,
        Mistake::Parity,
        false,
        &["1/4", "1/2", "1"],
    ),
    wanted(
        Algorithm::BernoulliExp,
        14,
        Mistake::Fraction,
        false,
        &["3/2", "5/2"],
    ),
    wanted(
        Algorithm::BernoulliExp,
        14,
        Mistake::Fraction,
        true,
        &["3/2"],
    ),
    wanted(
        Algorithm::BernoulliExp,
        16,
        Mistake::Underflow,
        false,
        &["8"],
    ),
    wanted(
        Algorithm::Geometric,
        14,
        Mistake::Remainder,
        false,
        &["2/1", "1/1", "1/2", "3/7"],
    ),
    wanted(
        Algorithm::Geometric,
        14,
        Mistake::Remainder,
        true,
        &["1/2", "3/7"],
    ),
    wanted(
        Algorithm::DiscreteLaplace,
        14,
        Mistake::DoubleZero,
        false,
        &["1/2", "1", "3/2", "2"],
    ),
    wanted(
        Algorithm::DiscreteLaplace,
        14,
        Mistake::DoubleZero,
        true,
        &["1/2", "1", "2"],
    ),
    // Too many tapes are undecided at this depth for a mistake to be refuted.
    wanted(
        Algorithm::DiscreteGaussian,
        16,
        Mistake::DoubleZero,
        false,
        &["1/4", "1", "4"],
    ),
];

/// The files of this class, one an algorithm.
///
/// # Errors
/// A tree that the rule does not judge as it should.
pub fn files() -> Result<Vec<File>, Error> {
    Algorithm::ALL.into_iter().map(file).collect()
}

fn file(algorithm: Algorithm) -> Result<File, Error> {
    let mut tests = Vec::new();
    let of_this = |wanted: &&Wanted| wanted.algorithm == algorithm;
    for wanted in WANTED.iter().filter(of_this) {
        for text in wanted.parameters {
            tests.push(test(wanted, &parse(text)?)?);
        }
    }
    let flags: BTreeSet<&str> = tests
        .iter()
        .flat_map(|test| test["flags"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let bugs: BTreeSet<Mistake> = WANTED.iter().filter(of_this).map(|one| one.bug).collect();
    let notes = notes(flags, tapes::meaning, bugs.into_iter().map(Mistake::words));
    let cases = tests.len();
    let content = json!({"algorithm": algorithm.name(), "notes": notes, "tests": tests});
    let path = format!("trees/{}.json", algorithm.name());
    Ok(document(path, "tape_tree_v1", content, cases))
}

fn test(wanted: &Wanted, parameter: &Rational) -> Result<Value, Error> {
    let Wanted {
        algorithm,
        depth,
        bug,
        planted,
        ..
    } = *wanted;
    let sampler = algorithm.sampler(parameter)?;
    let tree = match planted {
        true => Tree::grow(depth, |tape| {
            let (sample, _) = Twin::new(tape, Some(bug)).draw(algorithm, parameter)?;
            Ok(sample)
        })?,
        false => Tree::grow(depth, |tape| sampler.draw(tape))?,
    };
    let listed = tree.listed(&sampler);
    let id = format!("dpv:tree-{}-{depth}", algorithm.id(parameter));
    let id = match planted {
        true => format!("{id}-{}", bug.word()),
        false => id,
    };
    if tree.is_allowed(&sampler, &listed)? == planted {
        return Err(Error::Usage(format!(
            "{id}: the rule does not say so, {} undecided",
            tree.mass(tree.undecided)
        )));
    }
    let outcomes = listed.iter().map(|sample| {
        let (lo, hi) = decimals(&probability(&sampler, sample)?, DIGITS);
        let lower = tree.mass(tree.leaves(sample));
        Ok(json!({"outcome": sample.to_string(), "lower": lower, "lo": lo, "hi": hi}))
    });
    let outcomes: Vec<Value> = outcomes.collect::<Result<_, Error>>()?;
    let flags = match bug {
        Mistake::Division => "GcdSharing",
        Mistake::DoubleZero => "NegativeZeroReject",
        Mistake::Underflow => "LargeExponent",
        _ => "Ordinary",
    };
    Ok(json!({
        "id": id,
        "parameters": algorithm.parameters(parameter),
        "depth": depth,
        "planted": if planted { bug.word() } else { "none" },
        "result": if planted { "refuted" } else { "consistent" },
        "flags": [flags],
        "bug": bug.word(),
        "effect": bug.effect(),
        "outcomes": outcomes,
        "others": enclosed(&others(&sampler, &listed)?, DIGITS),
        "undecided": tree.mass(tree.undecided),
    }))
}

/// The certified probability of an outcome.
fn probability(sampler: &Sampler, sample: &Sample) -> Result<Enclosure, NumberError> {
    certify(DIGITS + 4, |bits| sampler.pmf(sample, bits))
}

/// The certified probability of all outcomes that are not listed.
fn others(sampler: &Sampler, listed: &[Sample]) -> Result<Enclosure, NumberError> {
    if sampler.outcomes() == Some(listed.len() as u64) {
        return Ok(Enclosure::integer(0, 64));
    }
    certify(DIGITS + 4, |bits| {
        let mut sum = Enclosure::integer(0, bits);
        for sample in listed {
            sum = sum + sampler.pmf(sample, bits)?;
        }
        Ok(sum.complement())
    })
}

/// On how many tapes of `depth` bits each result is drawn, and on how many none is.
struct Tree {
    depth: u32,
    leaves: BTreeMap<Sample, u64>,
    undecided: u64,
}

impl Tree {
    /// Runs `draw` on every tape: on a shorter one first, and where that ends too early on both that begin with it.
    fn grow(
        depth: u32,
        draw: impl Fn(&mut Tape) -> Result<Sample, CoinsError>,
    ) -> Result<Self, Error> {
        let mut tree = Self {
            depth,
            leaves: BTreeMap::new(),
            undecided: 0,
        };
        let mut open = vec![Vec::new()];
        while let Some(bits) = open.pop() {
            match draw(&mut Tape::new(bits.clone())) {
                Ok(sample) => {
                    let tapes = 1 << (depth as usize - bits.len());
                    *tree.leaves.entry(sample).or_default() += tapes;
                }
                Err(CoinsError::TapeEnded { .. }) if bits.len() == depth as usize => {
                    tree.undecided += 1;
                }
                Err(CoinsError::TapeEnded { .. }) => {
                    open.extend([false, true].map(|bit| [&bits[..], &[bit]].concat()));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(tree)
    }

    fn leaves(&self, sample: &Sample) -> u64 {
        self.leaves.get(sample).copied().unwrap_or(0)
    }

    /// So many of all tapes.
    fn mass(&self, tapes: u64) -> String {
        format!("{tapes}/{}", 1u64 << self.depth)
    }

    /// The outcomes that occur, and a few of the likeliest.
    fn listed(&self, sampler: &Sampler) -> Vec<Sample> {
        let likely = (0..3).map_while(|index| sampler.outcome(index));
        let listed: BTreeSet<Sample> = self.leaves.keys().cloned().chain(likely).collect();
        listed.into_iter().collect()
    }

    /// The rule: whether the tree can be that of a sampler with this law.
    fn is_allowed(&self, sampler: &Sampler, listed: &[Sample]) -> Result<bool, NumberError> {
        let total = BigInt::from(1u64 << self.depth);
        let mass = |tapes: u64| Rational::new(tapes.into(), total.clone());
        let allows = |lower: Rational, of_law: &Enclosure| {
            lower <= of_law.upper() && lower + mass(self.undecided) >= of_law.lower()
        };
        for sample in listed {
            if !allows(mass(self.leaves(sample)), &probability(sampler, sample)?) {
                return Ok(false);
            }
        }
        Ok(allows(Rational::zero(), &others(sampler, listed)?))
    }
}
