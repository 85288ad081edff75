//! Reference conformance: does a program's noise have its law?
//!
//! Not to conform is not the same as not to be private, and so this is a verdict of its own. The outputs on one
//! dataset, less a centre, are compared with a law by bets: one of integers, or one of the real line, by the cells of a
//! grid or rounded to it. What the law cannot answer (an infinity, a text, an error; where it is one of integers or
//! rounded, what is none of its multiples, and -0.0; a negative number if the law has none) disproves it at once. Each call multiplies the
//! wealth of a bet by a factor whose mean under the null is at most 1, whatever the calls before were, so that it ever
//! reaches `1 / level` with probability at most `level` (Ville). So does a mean of such wealths, with weights of sum 1.
//!
//! - *Too little noise.* The null: the magnitude is stochastically at least that of the law, given the calls before.
//!   The bets are functions of the magnitude that never rise, of mean at most 1 under the law; under a larger magnitude
//!   their mean is not larger. They are on the same law with less noise, on the law without its tails, and on
//!   fewer magnitudes above a threshold. More noise than was asked for does not fail this one; it does fail the other.
//! - *Another law.* The null: the outputs have the law. All bets count, those above with 72 % of the
//!   wealth at the start. The integers are cut into at most 107 cells, by the law, and once more into residue classes
//!   modulo a few small numbers, which see what differs within a cell. A factor is `q(cell) / p(cell)`, where `p` is the
//!   certified probability, rounded up, and `q` a guess made before the call: its mean is `sum p_true q / p <= sum q = 1`.
//!   Some bet that there is more noise, or that it is shifted, some on the frequencies seen so far, in few cells or
//!   in all.
//!
//! Both have the whole level. The second null implies the first, and too little noise is said to be proved only if
//! another law is. So if the law is the one that was named, no error is made unless the second null is rejected;
//! and if it is another one whose magnitude is large enough, the only error is to reject the first.
//!
//! In floats: probabilities are rounded by `1 + 1e-12` to the safe side, and each logarithm is lowered by more than it errs.

mod bet;
mod cells;
mod fit;
mod guess;
mod law;
mod law_test;
mod noise_test;
mod placed;
mod scales;
mod tabled;

pub use fit::Fit;
pub use law::{Law, WrittenError};
pub use tabled::Tabled;

use crate::refute::{AuditError, Field, sample};
use crate::targets::{
    Beliefs, Heard, Output, Repetition, Starts, Target, TargetError, check_repeats, check_starts,
    cut,
};
use dp_assay::number::Rational;
use dp_assay::number::range::{above_zero_below_one, at_least_one};
use dp_assay::number::rational::ratio;
use dp_assay::stats::Wealth;
use dp_assay::stats::power::undetectable_mass;
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

use cells::Cells;
use fit::Halves;
use law_test::LawTest;
use noise_test::NoiseTest;
use placed::Placed;

/// What the noise should be, and how much may be spent on it.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The law of the outputs less the centre.
    pub law: Law,
    /// What the output would be without noise: of a law of integers, an integer.
    pub centre: Rational,
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
    /// There is less. That this or `NotConforming` is wrong has probability at most the level.
    TooLittle,
}

/// A range, and how often the outputs less the centre fell there.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCount {
    /// Its least number; `None` if there is none.
    pub from: Option<Rational>,
    /// Its largest number; `None` if there is none.
    pub to: Option<Rational>,
    /// How often it should come, for display.
    pub expected: f64,
    /// How often it came.
    pub count: u64,
}

/// A class of residues, of the integers that outputs less the centre are, or of their number of steps on the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassCount {
    /// The residue,
    pub residue: u32,
    /// modulo this number.
    pub modulus: u32,
    /// How often it should come, for display.
    pub expected: f64,
    /// How often it came.
    pub count: u64,
}

/// How often the magnitude was at least a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct TailCount {
    /// The threshold.
    pub threshold: Rational,
    /// How often it should be reached, for display.
    pub expected: f64,
    /// How often it was.
    pub count: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Conformance {
    /// The verdict, of both tests.
    pub verdict: LawVerdict,
    /// After how many calls the law was disproved.
    pub law_refuted_after: Option<u64>,
    /// An output that the law does not have.
    pub impossible: Option<Output>,
    /// The verdict on the amount. Too little is proved only if another law is.
    pub amount: Amount,
    /// After how many calls too little noise was proved.
    pub too_little_after: Option<u64>,
    /// What the outputs may be like, once another law is proved: a guess that calls bear out which did not choose it. `None`,
    /// like the three counts, after an output that the law does not have.
    pub guess: Option<Fit>,
    /// The cell that is farthest from what it should be, in standard deviations.
    pub cell: Option<CellCount>,
    /// The class of residues that is farthest from what it should be.
    pub class: Option<ClassCount>,
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
    /// Whether it was seen that the program does not repeat itself, if that was looked for.
    pub repetition: Option<Repetition>,
    /// Whether two starts of the program were seen to answer differently, if that was looked for.
    pub starts: Option<Starts>,
    /// How the program failed after the law was disproved, which stays.
    pub failure: Option<TargetError>,
}

/// The calls of the first batch, and of the largest.
const FIRST_BATCH: u64 = 250;
const LARGEST_BATCH: u64 = 4000;
/// After the proof of another law, that of too little noise is looked for in this many times the calls that it took.
const PATIENCE: u64 = 4;

/// Checks that the program does not repeat itself, tests whether the outputs on `data`, less the centre, have the law, and
/// ends the program. A law that was disproved stays so if the program fails later, unless it answered more than it was
/// asked for.
///
/// # Errors
/// Those of [`audit_law`].
pub fn examine(
    target: &mut dyn Target,
    data: &Value,
    reference: &Reference,
) -> Result<Conformance, AuditError> {
    reference.check()?;
    let mut target = Heard::new(target);
    let starts = check_starts(&mut target, &[data])?;
    let repetition = check_repeats(&mut target, &[data], reference.calls)?;
    let before = target.answers();
    let mut found = match audit_law(&mut target, data, reference) {
        // It answered something else before.
        Err(AuditError::Target(TargetError::NothingButErrors { error })) => {
            return Err(match target.ends_in_errors() {
                Some(refusal) => TargetError::Refuses { refusal },
                None => TargetError::NothingButErrors { error },
            }
            .into());
        }
        found => found?,
    };
    // A law that was disproved by answers before a refusal stays so.
    if found.failure.is_none()
        && let Some(refusal) = target.refusal(&[data])?
        && found
            .law_refuted_after
            .is_none_or(|calls| before + calls >= refusal.from)
    {
        return Err(TargetError::Refuses { refusal }.into());
    }
    found.starts = Some(starts);
    found.repetition = Some(repetition);
    if found.failure.is_none()
        && let Err(error) = target.finish()
    {
        let is_proved = found.verdict == LawVerdict::NotConforming;
        if !is_proved || error.makes_answers_doubtful() {
            return Err(error.into());
        }
        found.failure = Some(error);
    }
    Ok(found)
}

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
    let law = Placed::new(&reference.law, &reference.centre)?;
    let cells = Cells::of(&law)?;
    let mut test = LawTest::new(&law, &cells)?;
    let mut noise = NoiseTest::new(&law, &cells)?;
    let mut halves = Halves::new(cells.count());
    let needed = Wealth::needed(&reference.level)?;
    let mut beliefs = Beliefs::default();
    let (mut refuted, mut little, mut impossible) = (None, None, None);
    let mut failure = None;
    let (mut calls, mut most, mut batch) = (0, reference.calls, FIRST_BATCH);
    'sampling: while calls < most {
        let n = batch.min(most - calls);
        batch = (2 * batch).min(LARGEST_BATCH);
        let outputs = match sample(target, data, n as usize, &mut beliefs) {
            Err(error) if refuted.is_some() && !error.makes_answers_doubtful() => {
                failure = Some(error);
                break;
            }
            answer => answer?,
        };
        if let (0, Some(Output::Error(error))) = (calls, outputs.first())
            && outputs.iter().all(|output| *output == outputs[0])
        {
            let error = cut(format!("{error:?}"));
            return Err(TargetError::NothingButErrors { error }.into());
        }
        for output in outputs {
            calls += 1;
            let Some(value) = law.read(&output) else {
                refuted = refuted.or(Some(calls));
                impossible = Some(output);
                break 'sampling;
            };
            let cell = cells.index(&value);
            test.update(cell, &value);
            halves.update(cell, &value);
            noise.update(&value);
            let less_noise = noise.wealth();
            if refuted.is_none() && test.wealth(less_noise) >= needed {
                refuted = Some(calls);
                most = most.min(calls.saturating_mul(PATIENCE));
            }
            if refuted.is_some() && less_noise >= needed {
                little = Some(calls);
                break 'sampling;
            }
            if calls >= most {
                break 'sampling;
            }
        }
    }
    let miss = ratio(1, 20);
    let possible = impossible.is_none();
    Ok(Conformance {
        verdict: if refuted.is_some() {
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
        guess: match possible && refuted.is_some() {
            true => halves.fit(&law, &cells)?,
            false => None,
        },
        cell: test.farthest(&law, &cells).filter(|_| possible),
        class: halves.farthest(&law).filter(|_| possible),
        tail: noise.best(&law).filter(|_| possible),
        calls,
        // An audit that stopped early would have gone on to the end without its proof.
        undetectable_mass: undetectable_mass(
            if refuted.is_some() {
                reference.calls
            } else {
                calls
            },
            &reference.level,
            &miss,
        )?,
        miss,
        beliefs: beliefs.said(),
        seconds: start.elapsed(),
        repetition: None,
        starts: None,
        failure,
    })
}

impl Reference {
    /// Checks that it is a question.
    ///
    /// # Errors
    /// [`AuditError::Question`], which names the field.
    pub fn check(&self) -> Result<(), AuditError> {
        Field::Level.check(above_zero_below_one("the level", &self.level))?;
        Field::Calls.check(at_least_one("the number of calls", self.calls))?;
        Placed::new(&self.law, &self.centre)?;
        Ok(())
    }
}
