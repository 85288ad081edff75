//! The plan: everything that is fixed before the first count, in one file. Its SHA-256 is its name.

use super::program::Program;
use crate::error::Error;
use crate::output::{self, Destination};
use dp_assay::number::Rational;
use dp_assay::number::range::above_zero_below_one;
use dp_assay::number::rational::{integer, parse};
use dp_assay::number::shortened;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::stats::MOST_TRIALS;
use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_audit::input;
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{Claim, Learned, Measure, Profile};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

/// What such a file says of itself.
const FORMAT: &str = "dp-assay plan of counts, 1";

/// How the format of every plan begins.
const FORMATS: &str = "dp-assay plan of counts, ";

/// What a plan or a record says of itself. It is read before the rest, which another version may write otherwise.
#[derive(Deserialize)]
pub(super) struct Stamp {
    format: String,
    /// The version of the command; empty in what is neither.
    #[serde(default)]
    pub version: String,
}

impl Stamp {
    /// Refuses another format than this one; what is written by another version is told what is left to do.
    pub(super) fn check(&self, format: &str, instead: &str) -> Result<(), String> {
        if self.format == format {
            return Ok(());
        }
        let by = match self.version.is_empty() || self.version == env!("CARGO_PKG_VERSION") {
            true => String::new(),
            false => format!(" of version {}: {instead}", shortened(&self.version)),
        };
        let found = shortened(&self.format);
        Err(format!("its format must be {format:?}, got {found:?}{by}"))
    }
}

/// The largest plan that is read, in bytes: two datasets of at most 64 MiB, and what is learned.
const LARGEST: u64 = 1 << 28;

/// The outputs on each dataset in a unit, unless another number is given.
pub const DRAWS: u64 = 1 << 20;
/// The most of them: a unit that is interrupted is counted again.
pub const MOST_DRAWS: u64 = 1 << 24;
/// The most units of a plan: all are held when they are merged.
pub const MOST_UNITS: u64 = 1 << 22;
/// The most units of a shard, whose record is written after each of them.
pub const MOST_UNITS_OF_SHARD: u64 = 1 << 14;

/// What is counted, how often, and what will be made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    format: String,
    /// The version of the command: another one may read outputs otherwise.
    pub version: String,
    /// What answers.
    pub program: Program,
    claim: Claimed,
    level: String,
    /// The datasets.
    pub pair: Pair,
    /// How they are neighbours.
    pub neighbours: Neighbours,
    lines: Vec<Learned>,
    /// The outputs on each dataset in a unit.
    pub draws: u64,
    /// The units.
    pub units: u64,
    /// The seed of the search and of what was learned.
    pub seed: u64,
}

/// How the datasets are neighbours, which was checked before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// One record is another.
    Substitute,
    /// One record more in one of them.
    AddRemove,
    /// By the word of the user.
    Vouched,
}

/// A claim as it stands in a file, with exact numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Claimed {
    /// (epsilon, delta).
    EpsilonDelta {
        /// Epsilon.
        epsilon: String,
        /// Delta.
        delta: String,
    },
    /// Zero-concentrated.
    Zcdp {
        /// Rho.
        rho: String,
    },
    /// Rényi, of one order.
    Rdp {
        /// The order.
        alpha: String,
        /// Epsilon.
        epsilon: String,
    },
    /// Gaussian.
    Gdp {
        /// Mu.
        mu: String,
    },
    /// A profile: the file's name, and all of its text.
    Profile {
        /// The name.
        file: String,
        /// The text.
        text: String,
    },
}

impl Claimed {
    /// The claim as it is written. `profile` is the text of its file, if it is a profile.
    ///
    /// # Errors
    /// For a profile without a text.
    pub fn of(claim: &Claim, profile: Option<String>) -> Result<Self, Error> {
        Ok(match claim.measure() {
            Measure::Budget { epsilon, delta } => Self::EpsilonDelta {
                epsilon: epsilon.to_string(),
                delta: delta.to_string(),
            },
            Measure::Zcdp { rho } => Self::Zcdp {
                rho: rho.to_string(),
            },
            Measure::Renyi { order, epsilon } => Self::Rdp {
                alpha: order.to_string(),
                epsilon: epsilon.to_string(),
            },
            Measure::Gaussian { mu } => Self::Gdp { mu: mu.to_string() },
            Measure::Profile(given) => Self::Profile {
                file: given.name().to_owned(),
                text: profile.ok_or_else(|| {
                    Error::Usage(
                        "a plan takes a profile from a file (--profile FILE), not that of a specimen"
                            .to_owned(),
                    )
                })?,
            },
        })
    }

    fn claim(&self) -> Result<Claim, String> {
        let measure = match self {
            Self::EpsilonDelta { epsilon, delta } => Measure::Budget {
                epsilon: number("epsilon", epsilon)?,
                delta: number("delta", delta)?,
            },
            Self::Zcdp { rho } => Measure::Zcdp {
                rho: number("rho", rho)?,
            },
            Self::Rdp { alpha, epsilon } => Measure::Renyi {
                order: number("alpha", alpha)?,
                epsilon: number("epsilon", epsilon)?,
            },
            Self::Gdp { mu } => Measure::Gaussian {
                mu: number("mu", mu)?,
            },
            Self::Profile { file, text } => Measure::Profile(Profile::parse(file, text)?),
        };
        let claim = Claim::new(measure);
        claim.check().map_err(|error| error.to_string())?;
        Ok(claim)
    }
}

fn number(name: &str, text: &str) -> Result<Rational, String> {
    parse(text).map_err(|error| format!("{name}: {error}"))
}

/// What is new in a plan, beside the version.
pub struct Parts {
    /// What answers.
    pub program: Program,
    /// The claim.
    pub claim: Claimed,
    /// The level of all that the counts may prove.
    pub level: Rational,
    /// The datasets.
    pub pair: Pair,
    /// How they are neighbours.
    pub neighbours: Neighbours,
    /// The events.
    pub lines: Vec<Learned>,
    /// The outputs on each dataset in a unit.
    pub draws: u64,
    /// The units.
    pub units: u64,
    /// The seed of what was learned.
    pub seed: u64,
}

/// A plan that was read or made, with its name.
#[derive(Debug, Clone)]
pub struct Named {
    /// The plan.
    pub plan: Plan,
    /// The SHA-256 of its file.
    pub hash: [u8; 32],
    /// The claim.
    pub claim: Claim,
    /// The level of each line.
    pub level_of_line: Rational,
}

impl Named {
    /// The hash in hexadecimal.
    #[must_use]
    pub fn name(&self) -> String {
        hexadecimal(&self.hash)
    }

    /// The level of all lines together.
    #[must_use]
    pub fn level(&self) -> Rational {
        &self.level_of_line * integer(self.plan.lines.len() as u64)
    }

    /// The events.
    #[must_use]
    pub fn lines(&self) -> &[Learned] {
        &self.plan.lines
    }

    /// Makes a plan of its parts: its text, and the plan that is read from it.
    ///
    /// # Errors
    /// If they fit no plan.
    pub fn new(parts: Parts) -> Result<(String, Self), Error> {
        let text = output::json(&Plan {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: parts.program,
            claim: parts.claim,
            level: parts.level.to_string(),
            pair: parts.pair,
            neighbours: parts.neighbours,
            lines: parts.lines,
            draws: parts.draws,
            units: parts.units,
            seed: parts.seed,
        })?;
        let named = Self::parse(text.as_bytes()).map_err(Error::Usage)?;
        Ok((text, named))
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// If there is none, or if it is of another version of the command.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = read_at_most(path, LARGEST)?;
        Self::parse(&bytes).map_err(|reason| Error::data(path, reason))
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        const INSTEAD: &str = "count and merge with that version, or make a new plan with this one";
        let none = |error| format!("it is not a plan, as assay plan writes one: {error}");
        let stamp: Stamp = serde_json::from_slice(bytes).map_err(none)?;
        // Of another format it is a plan all the same.
        let other = |reason| match stamp.format.starts_with(FORMATS) {
            true => reason,
            false => format!("it is not a plan: {reason}"),
        };
        stamp.check(FORMAT, INSTEAD).map_err(other)?;
        if stamp.version != env!("CARGO_PKG_VERSION") {
            return Err(format!(
                "it is a plan of version {}, and this is version {}: counts of two versions may differ ({INSTEAD})",
                shortened(&stamp.version),
                env!("CARGO_PKG_VERSION")
            ));
        }
        let plan: Plan = serde_json::from_slice(bytes).map_err(none)?;
        check_size(plan.units, plan.draws)?;
        if !(1..=2).contains(&plan.lines.len()) {
            return Err(format!(
                "it must have one or two lines, got {}",
                plan.lines.len()
            ));
        }
        if plan.pair.0 == plan.pair.1 {
            return Err("its two datasets are equal".to_owned());
        }
        let relation = match plan.neighbours {
            Neighbours::Substitute => Some(NeighbouringRelation::Substitute),
            Neighbours::AddRemove => Some(NeighbouringRelation::AddOrRemove),
            Neighbours::Vouched => None,
        };
        if let Some(relation) = relation {
            let checked = plan.pair.check(relation);
            checked.map_err(|error| format!("its two datasets: {error}"))?;
        }
        plan.program.check()?;
        let level = number("level", &plan.level)?;
        above_zero_below_one("the level", &level).map_err(|error| error.to_string())?;
        Ok(Self {
            claim: plan.claim.claim()?,
            level_of_line: level / integer(plan.lines.len() as u64),
            hash: Sha256::digest(bytes).into(),
            plan,
        })
    }
}

/// Whether so many units of so many draws are a plan.
///
/// # Errors
/// What is wrong, and what would be right.
pub fn check_size(units: u64, draws: u64) -> Result<(), String> {
    if !(1..=MOST_DRAWS).contains(&draws) {
        return Err(format!(
            "a unit must have from 1 to {MOST_DRAWS} draws, got {draws}"
        ));
    }
    if !(1..=MOST_UNITS).contains(&units) {
        return Err(format!(
            "there must be from 1 to {MOST_UNITS} units, got {units}"
        ));
    }
    match units * draws <= MOST_TRIALS {
        true => Ok(()),
        false => Err(format!(
            "there must be at most {MOST_TRIALS} draws on each dataset, the most that the exact test takes, got {}",
            units * draws
        )),
    }
}

/// All bytes of a file of at most so many.
pub(super) fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let bytes = input::read_at_most(path, most).map_err(|source| Error::read(path, source))?;
    bytes.ok_or_else(|| Error::data(path, format!("it has more than {most} bytes")))
}

/// Where a new plan goes: no file that is there is replaced, as its counts would be lost.
///
/// # Errors
/// If there is a file, or none can be written.
pub fn destination(path: &Path) -> Result<Destination, Error> {
    if path.exists() {
        return Err(Error::Destination {
            path: path.to_owned(),
            reason: "it is there already, and what was counted for it would be lost: remove it, or choose another name".to_owned(),
        });
    }
    Destination::new(path, &[])
}

/// A shard: the part `index` of `of`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// Its units, of so many: `floor((i-1) U / N) <= u < floor(i U / N)`.
    #[must_use]
    pub fn units(self, units: u64) -> Range<u64> {
        let until = |part: u64| {
            let product = u128::from(part) * u128::from(units) / u128::from(self.of);
            product as u64
        };
        until(self.index - 1)..until(self.index)
    }

    /// The same, if it is a shard of so many units.
    ///
    /// # Errors
    /// What would be right.
    pub fn check(self, units: u64) -> Result<Range<u64>, String> {
        if self.of > units {
            return Err(format!(
                "--shard must be one of at most {units}, as many as the plan has units, got {self}"
            ));
        }
        let range = self.units(units);
        if range.end - range.start > MOST_UNITS_OF_SHARD {
            return Err(format!(
                "--shard must have at most {MOST_UNITS_OF_SHARD} units, and {self} has {}: cut the {units} units into more shards",
                range.end - range.start
            ));
        }
        Ok(range)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it must be i/N, with i from 1 to N, as in 3/8".to_owned();
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let (index, of) = (number(index)?, number(of)?);
        match index >= 1 && index <= of {
            true => Ok(Self { index, of }),
            false => Err(wrong()),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;
    use dp_assay_audit::events::{Aspect, Event, Feature, Predicate, Real, Side, Step, Term};
    use dp_assay_audit::refute::EventCounts;
    use dp_assay_audit::targets::Output;
    use serde_json::json;

    /// A line for answers of at least 1.
    pub fn line(predicate: Predicate) -> Learned {
        Learned {
            aspect: Aspect::Whole,
            event: Event {
                likelier: Side::First,
                predicate,
            },
            training: EventCounts {
                first_calls: 1000,
                first: 700,
                second_calls: 1000,
                second: 200,
            },
        }
    }

    pub fn at_least_one() -> Predicate {
        Predicate::AtLeast {
            feature: Feature::Number { at: None },
            bound: Real::new(1.0),
        }
    }

    pub fn parts(units: u64, draws: u64) -> Parts {
        Parts {
            program: Program::Specimen {
                name: "discrete-laplace-2".to_owned(),
            },
            claim: Claimed::EpsilonDelta {
                epsilon: "1".to_owned(),
                delta: "0".to_owned(),
            },
            level: ratio(1, 20),
            pair: Pair(json!([1]), json!([0])),
            neighbours: Neighbours::Substitute,
            lines: vec![line(at_least_one())],
            draws,
            units,
            seed: 1,
        }
    }

    #[test]
    fn a_plan_is_read_back_as_it_was_and_named_by_its_bytes() {
        let numbers = Feature::Weighted {
            terms: vec![Term {
                weight: Real::new(-0.1),
                feature: Feature::Within {
                    path: vec![Step::Name("a".into()), Step::Entry(3), Step::LastNumeral(0)],
                    feature: Box::new(Feature::Offset {
                        at: Some(1),
                        from: Output::Integer(1 << 70),
                    }),
                },
            }],
        };
        let one_of = Predicate::OneOf {
            feature: Feature::Exact { at: None },
            values: [
                Output::float(-0.0),
                Output::Error("no".into()),
                Output::Vector(vec![Output::Error("no".into())]),
            ]
            .into(),
        };
        let predicate = Predicate::Any(vec![
            Predicate::All(vec![at_least_one(), one_of]),
            Predicate::Between {
                feature: numbers,
                low: Real::new(f64::NEG_INFINITY),
                high: Real::new(0.1),
            },
        ]);
        let mut parts = parts(7, DRAWS);
        parts.lines = vec![line(predicate), line(at_least_one())];
        let (text, named) = Named::new(parts).unwrap();
        let read = Named::parse(text.as_bytes()).unwrap();
        assert_eq!(read.plan, named.plan);
        assert_eq!(read.hash, named.hash);
        assert_eq!(named.level(), ratio(1, 20));
        assert_eq!(named.level_of_line, ratio(1, 40));
        let other = Named::parse(format!("{text} ").as_bytes()).unwrap();
        assert_ne!(other.hash, named.hash);
    }

    #[test]
    fn what_is_no_plan_is_refused_by_its_field() {
        let (text, _) = Named::new(parts(7, 100)).unwrap();
        let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        for (from, to, says) in [
            (
                "plan of counts, 1",
                "plan of counts, 2",
                "its format must be",
            ),
            (
                &*version,
                "\"version\": \"0.0.0\"",
                "a plan of version 0.0.0",
            ),
            (
                "\"units\": 7",
                "\"units\": 0",
                "from 1 to 4194304 units, got 0",
            ),
            ("\"units\": 7", "\"units\": -7", "invalid value"),
            (
                "\"draws\": 100",
                "\"draws\": 16777217",
                "from 1 to 16777216 draws",
            ),
            (
                "\"level\": \"1/20\"",
                "\"level\": \"1\"",
                "above 0 and below 1",
            ),
            ("\"level\": \"1/20\"", "\"level\": \"x\"", "level: "),
            (
                "\"epsilon\": \"1\"",
                "\"epsilon\": \"0\"",
                "epsilon must be",
            ),
            ("discrete-laplace-2", "no-such-thing", "no specimen"),
            ("\"number\"", "\"nombre\"", "unknown variant"),
            (
                "\"seed\": 1",
                "\"seed\": 1, \"more\": 2",
                "unknown field `more`",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let error = Named::parse(text.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(error.contains(says), "{to}: {error}");
        }
        assert!(check_size(1 << 20, 1 << 20).is_ok());
        assert!(check_size((1 << 20) + 1, 1 << 20).is_err());
    }

    #[test]
    fn shards_are_a_partition_of_the_units() {
        for units in [1, 2, 7, 100, MOST_UNITS] {
            for of in [1, 2, 3, 7, 100].into_iter().filter(|of| *of <= units) {
                let mut next = 0;
                for index in 1..=of {
                    let shard: Shard = format!("{index}/{of}").parse().unwrap();
                    let range = shard.units(units);
                    assert_eq!(range.start, next);
                    assert!(range.end > range.start);
                    next = range.end;
                }
                assert_eq!(next, units);
            }
        }
        for wrong in ["0/3", "4/3", "1", "a/b", "-1/3", "1/0", "1/3/4", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        let shard: Shard = "2/8".parse().unwrap();
        assert!(shard.check(7).unwrap_err().contains("at most 7"));
        assert!(shard.check(MOST_UNITS).unwrap_err().contains("more shards"));
        assert_eq!(shard.check(16), Ok(2..4));
    }
}
