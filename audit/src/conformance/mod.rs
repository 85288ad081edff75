//! Reference conformance: does a program's noise have the law that it should have?
//!
//! Not to conform is not the same as not to be private, and so this is a verdict of its own. The outputs on one
//! dataset, less a centre, are compared with a named law by two tests at half of the level each. Both may be
//! looked at after every call, and stop as soon as the proof is there:
//!
//! - *The law.* The integers are cut into at most 107 cells, by the reference law, and once more into residue classes
//!   modulo a few small numbers, which see what differs within a cell; what it cannot answer (a fraction,
//!   -0.0, an infinity, a text, an error) disproves it at once. Each call multiplies a wealth by `q(cell) / p(cell)`,
//!   where `p` is the certified probability, rounded up, and `q` a guess made before the call. Under
//!   the law the mean factor is `sum p_true q / p <= sum q = 1`, whatever `q` is, so that the wealth ever reaches
//!   `1 / level` with probability at most `level` (Ville). The mean of several wealths is one: some bet that the noise is
//!   scaled, shifted or cut, some on the frequencies seen so far, in few cells or in all.
//! - *Too little noise.* Under "the magnitude is at least `t` with probability at least `c`" the mean of
//!   `q / c` for a hit and `(1 - q) / (1 - c)` for a miss is at most 1 for every `q < c`. `c` is that of the law, rounded
//!   down. More noise than was asked for does not fail this one; it does fail the first.
//!
//! In floats: probabilities are rounded by `1 ± 1e-12` to the safe side, and each logarithm is lowered by more than it errs.

mod cells;
mod guess;
mod law_test;
mod noise_test;
mod wealth;

use crate::driver::{AuditError, sample};
use crate::named_law::NamedLaw;
use crate::targets::{Beliefs, Output, Target};
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, integer, ratio, to_f64_for_display};
use dp_assay::stats::power::undetectable_mass;
use num_bigint::BigInt;
use num_traits::Signed;
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

use cells::Cells;
use law_test::LawTest;
use noise_test::NoiseTest;

/// What the noise should be, and how much may be spent on it.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The law of the outputs less the centre.
    pub law: NamedLaw,
    /// What the output would be without noise.
    pub centre: BigInt,
    /// The probability with which a conforming target may be called not conforming.
    pub level: Rational,
    /// The most calls.
    pub calls: u64,
}

/// What a test of conformance says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawVerdict {
    /// No proof was found that the law is another one.
    ConformsNotRefuted,
    /// The law is another one, except with probability at most the level.
    NotConforming,
}

/// Whether there is less noise than was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// No proof was found that there is too little; there may be more than was asked for.
    EnoughNotRefuted,
    /// There is less, except with probability at most half of the level.
    TooLittle,
}

/// A range of integers, and how often the outputs less the centre fell there.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCount {
    /// The first integer; `None` if there is none.
    pub from: Option<BigInt>,
    /// The last integer; `None` if there is none.
    pub to: Option<BigInt>,
    /// How often it should come, for display.
    pub expected: f64,
    /// How often it came.
    pub count: u64,
}

/// How often the magnitude was at least a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct TailCount {
    /// The threshold.
    pub threshold: BigInt,
    /// How often it should be reached, for display.
    pub expected: f64,
    /// How often it was.
    pub count: u64,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Conformance {
    /// The verdict, of both tests.
    pub verdict: LawVerdict,
    /// After how many calls the law was disproved.
    pub law_refuted_after: Option<u64>,
    /// An output that the law does not have.
    pub impossible: Option<Output>,
    /// The verdict of the one-sided test alone.
    pub amount: Amount,
    /// After how many calls too little noise was proved.
    pub too_little_after: Option<u64>,
    /// The bet that won most, in words: a description of the outputs, not a proof.
    pub closest: String,
    /// The cell that is farthest from what it should be, in standard deviations.
    pub cell: Option<CellCount>,
    /// The threshold on which the one-sided test won most; `None` if the law has no useful one.
    pub tail: Option<TailCount>,
    /// All calls that were looked at.
    pub calls: u64,
    /// Another law in less than this part of the calls, and the reference in the others, is missed with probability at
    /// least `miss`.
    pub undetectable_mass: f64,
    /// See `undetectable_mass`.
    pub miss: Rational,
    /// What the target said about its own noise, if it said something.
    pub beliefs: Option<Beliefs>,
    /// How long it took.
    pub seconds: Duration,
}

/// The calls of the first batch, and of the largest.
const FIRST_BATCH: u64 = 250;
const LARGEST_BATCH: u64 = 4000;
/// After one proof, the other is looked for in this many times the calls that it took.
const PATIENCE: u64 = 4;

/// Tests whether the outputs on `data`, less the centre, have the law.
///
/// # Errors
/// [`AuditError::Target`] if the target fails, and then nothing is concluded; [`AuditError::Question`];
/// [`AuditError::Number`] if the probabilities of the law could not be computed.
pub fn audit_law(
    target: &mut dyn Target,
    data: &Value,
    reference: &Reference,
) -> Result<Conformance, AuditError> {
    let start = Instant::now();
    reference.check()?;
    let cells = Cells::of(&reference.law)?;
    let mut test = LawTest::new(&reference.law, &cells)?;
    let mut noise = NoiseTest::new(&reference.law, &cells)?;
    let needed = needed(&(&reference.level / BigInt::from(2)));
    let mut beliefs = Beliefs::default();
    let (mut refuted, mut little, mut impossible) = (None, None, None);
    let (mut calls, mut most, mut batch) = (0, reference.calls, FIRST_BATCH);
    'sampling: while calls < most {
        let n = batch.min(most - calls);
        batch = (2 * batch).min(LARGEST_BATCH);
        for output in sample(target, data, n as usize, &mut beliefs)? {
            calls += 1;
            let Some(value) = exact_integer(&output) else {
                refuted = refuted.or(Some(calls));
                impossible = Some(output);
                break 'sampling;
            };
            let value = value - &reference.centre;
            test.update(cells.index(&value), &value);
            noise.update(&value);
            if refuted.is_none() && test.log() >= needed {
                refuted = Some(calls);
            }
            if little.is_none() && noise.log() >= needed {
                little = Some(calls);
            }
            match (refuted, little) {
                (Some(_), Some(_)) => break 'sampling,
                (Some(after), None) | (None, Some(after)) => {
                    most = most.min(after.saturating_mul(PATIENCE));
                    if calls >= most {
                        break 'sampling;
                    }
                }
                (None, None) => {}
            }
        }
    }
    let miss = ratio(1, 20);
    Ok(Conformance {
        verdict: if refuted.is_some() || little.is_some() {
            LawVerdict::NotConforming
        } else {
            LawVerdict::ConformsNotRefuted
        },
        law_refuted_after: refuted,
        impossible,
        amount: if little.is_some() {
            Amount::TooLittle
        } else {
            Amount::EnoughNotRefuted
        },
        too_little_after: little,
        closest: test.closest(),
        cell: test.farthest(&cells),
        tail: noise.best(),
        calls,
        undetectable_mass: undetectable_mass(calls.max(1), &reference.level, &miss)?,
        miss,
        beliefs: beliefs.said(),
        seconds: start.elapsed(),
    })
}

impl Reference {
    fn check(&self) -> Result<(), AuditError> {
        if !self.level.is_positive() || self.level >= integer(1) {
            return Err(AuditError::Question {
                field: "the level",
                expected: "above 0 and below 1",
                value: self.level.to_string(),
            });
        }
        if self.calls == 0 {
            return Err(AuditError::Question {
                field: "the number of calls",
                expected: "at least 1",
                value: self.calls.to_string(),
            });
        }
        Ok(())
    }
}

/// The logarithm of `1 / level`, rounded up.
fn needed(level: &Rational) -> f64 {
    // The level is rounded down; one below all normal floats is never reached.
    let level = to_f64_for_display(level) * (1.0 - 1e-12);
    if level < f64::MIN_POSITIVE {
        return f64::INFINITY;
    }
    -level.ln() + 1e-9
}

/// The integer that an output is exactly. -0.0 is none: it can be told from 0.
fn exact_integer(output: &Output) -> Option<BigInt> {
    match output {
        Output::Integer(value) => Some(BigInt::from(*value)),
        Output::Large(value) => Some((**value).clone()),
        Output::Float(bits) => {
            let value = f64::from_bits(*bits);
            if value == 0.0 && value.is_sign_negative() {
                return None;
            }
            from_f64(value)
                .ok()
                .filter(Rational::is_integer)
                .map(|value| value.to_integer())
        }
        Output::Label(_) | Output::Vector(_) | Output::Error(_) => None,
    }
}
