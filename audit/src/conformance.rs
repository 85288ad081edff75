//! Reference conformance: does a program's noise have the law that it should have?
//!
//! Not to conform is not the same as not to be private, and so this is a verdict of its own. The outputs on one
//! dataset, less a centre, are compared with a named law by two tests at half of the level each. Both may be
//! looked at after every call, and stop as soon as the proof is there:
//!
//! - *The law.* The integers are cut into at most 63 cells, by the reference law; what it cannot answer (a fraction,
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

use crate::driver::{AuditError, sample};
use crate::named_law::{LawError, NamedLaw};
use crate::targets::{Beliefs, Output, Target};
use dp_assay::number::rational::{from_f64, integer, ratio, to_f64_for_display};
use dp_assay::number::{Enclosure, NumberError, Rational, certify};
use dp_assay::stats::power::undetectable_mass;
use num_bigint::BigInt;
use num_traits::Signed;
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

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
    /// A difference confined to outputs of less than this mass is missed with probability at least `miss`.
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
            test.update(cells.index(&value));
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

/// Not below the number, for a number in [0, 1]: the conversion errs by one unit in the last place, or underflows.
fn rounded_up(value: &Rational) -> f64 {
    to_f64_for_display(value) * (1.0 + 1e-12) + f64::MIN_POSITIVE
}

/// A float near the middle of an enclosure.
fn near(enclosure: &Enclosure) -> f64 {
    to_f64_for_display(&enclosure.midpoint().to_rational())
}

/// Bits for what is only a guess.
const GUESS: u32 = 64;
/// Digits of certified probabilities, and bits where so many digits cannot be had: extremely small ones.
const DIGITS: u32 = 13;
const MANY: u32 = 1024;

fn certified(
    mut function: impl FnMut(u32) -> Result<Enclosure, NumberError>,
) -> Result<Enclosure, NumberError> {
    match certify(DIGITS, &mut function) {
        Err(NumberError::PrecisionExhausted { .. }) => function(MANY),
        result => result,
    }
}

/// The middle is cut into this many parts of equal mass; the tails beyond at these powers of 1/2.
const MIDDLE: u32 = 48;
const TAILS: [i32; 7] = [6, 8, 10, 12, 14, 17, 20];

/// A partition of the integers into ranges, each up to an edge and the last without one.
struct Cells {
    edges: Vec<BigInt>,
    /// Certified probabilities, rounded up.
    up: Vec<f64>,
}

impl Cells {
    fn of(law: &NamedLaw) -> Result<Self, AuditError> {
        let middle = (1..MIDDLE).map(|i| f64::from(i) / f64::from(MIDDLE));
        let tails = TAILS.iter().map(|&power| 0.5f64.powi(power));
        let mut edges = Vec::new();
        if law.is_symmetric() {
            for mass in middle.filter(|&mass| mass <= 0.5).chain(tails) {
                let edge = quantile(law, mass)?;
                edges.push(-&edge - 1);
                edges.push(edge);
            }
        } else {
            for mass in middle.chain(tails.flat_map(|tail| [tail, 1.0 - tail])) {
                edges.push(quantile(law, mass)?);
            }
        }
        edges.sort();
        edges.dedup();
        let mut up = Vec::new();
        for cell in 0..=edges.len() {
            let probability = certified(|bits| {
                let to = match edges.get(cell) {
                    Some(edge) => law.cdf(edge, bits)?,
                    None => Enclosure::integer(1, bits),
                };
                match cell.checked_sub(1).and_then(|before| edges.get(before)) {
                    Some(edge) => Ok(to - law.cdf(edge, bits)?),
                    None => Ok(to),
                }
            })?;
            up.push(rounded_up(&probability.upper()));
        }
        Ok(Self { edges, up })
    }

    fn count(&self) -> usize {
        self.up.len()
    }

    fn index(&self, value: &BigInt) -> usize {
        self.edges.partition_point(|edge| edge < value)
    }

    /// The law of the cells if the outputs are `shift` above draws from `law`: a guess.
    fn guess(&self, law: &NamedLaw, shift: &BigInt) -> Result<Vec<f64>, NumberError> {
        let mut weights = Vec::new();
        let mut before = Enclosure::integer(0, GUESS);
        for cell in 0..self.count() {
            let to = match self.edges.get(cell) {
                Some(edge) => law.cdf(&(edge - shift), GUESS)?,
                None => Enclosure::integer(1, GUESS),
            };
            weights.push(near(&(&to - &before)).max(1e-18));
            before = to;
        }
        Ok(weights)
    }
}

/// The least `k` with `Pr[X <= k]` at least `mass`, or one close to it: a guess.
fn quantile(law: &NamedLaw, mass: f64) -> Result<BigInt, NumberError> {
    let reached =
        |k: &BigInt| -> Result<bool, NumberError> { Ok(near(&law.cdf(k, GUESS)?) >= mass) };
    let zero = BigInt::from(0);
    let (mut below, mut above);
    if reached(&zero)? {
        (below, above) = (BigInt::from(-1), zero);
        while reached(&below)? {
            above = below.clone();
            below *= 2;
        }
    } else {
        (below, above) = (zero, BigInt::from(1));
        while !reached(&above)? {
            below = above.clone();
            above *= 2;
        }
    }
    while &above - &below > BigInt::from(1) {
        let middle: BigInt = (&above + &below) >> 1;
        if reached(&middle)? {
            above = middle;
        } else {
            below = middle;
        }
    }
    Ok(above)
}

/// Subtracted from each logarithm, for the rounding of the bet.
const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// The sum of two logarithms, lowered by more than it errs.
fn multiplied(wealth: f64, factor: f64) -> f64 {
    let sum = wealth + factor - SLACK;
    sum - sum.abs() * f64::EPSILON
}

/// The logarithm of the mean of what has these logarithms, lowered by more than it errs.
fn log_mean(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let top = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        return top;
    }
    let (mut sum, mut count) = (0.0, 0.0);
    for log in logs {
        sum += (log - top).exp();
        count += 1.0;
    }
    top + (sum / count).ln() - 1e-9
}

/// A bet that is made once.
struct Fixed {
    says: String,
    factors: Vec<f64>,
    wealth: f64,
}

impl Fixed {
    fn new(says: String, weights: &[f64], up: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let factors = weights.iter().zip(up).map(|(q, p)| (q / total / p).ln());
        Self {
            says,
            factors: factors.collect(),
            wealth: 0.0,
        }
    }
}

/// A bet on the frequencies seen so far, in groups of neighbouring cells.
struct Learned {
    group: Vec<usize>,
    up: Vec<f64>,
    /// Counts, and what is added to them for a start: the law itself, so that they are never 0.
    counts: Vec<f64>,
    total: f64,
    wealth: f64,
}

impl Learned {
    fn new(groups: usize, up: &[f64]) -> Self {
        // By the mass up to the middle of a cell; then without gaps.
        let all: f64 = up.iter().sum();
        let mut before = 0.0;
        let mut last = None;
        let mut group = Vec::new();
        let mut sums: Vec<f64> = Vec::new();
        for p in up {
            let place = ((before + p / 2.0) / all * groups as f64) as usize;
            before += p;
            if last != Some(place) {
                last = Some(place);
                sums.push(0.0);
            }
            if let Some(sum) = sums.last_mut() {
                *sum += p;
            }
            group.push(sums.len() - 1);
        }
        let strength = sums.len() as f64 / 2.0;
        let counts: Vec<f64> = sums.iter().map(|p| (strength * p).max(1e-6)).collect();
        Self {
            group,
            // A sum of positive numbers errs by less.
            up: sums.iter().map(|p| p * (1.0 + 1e-12)).collect(),
            total: counts.iter().sum(),
            counts,
            wealth: 0.0,
        }
    }

    fn update(&mut self, cell: usize) {
        let group = self.group[cell];
        let factor = self.counts[group] / self.total / self.up[group];
        self.wealth = multiplied(self.wealth, factor.ln());
        self.counts[group] += 1.0;
        self.total += 1.0;
        // The total is a sum of its own; it may differ from that of the counts by its rounding only, and
        // a larger one is on the safe side.
        self.total *= 1.0 + f64::EPSILON;
    }
}

/// The scales that are bet on, in hundredths.
const SCALES: [i64; 14] = [
    25, 50, 67, 80, 90, 95, 98, 102, 105, 110, 125, 150, 200, 400,
];
/// The groups that frequencies are learned in.
const GROUPS: [usize; 4] = [3, 6, 16, 1000];

/// The first test.
struct LawTest {
    fixed: Vec<Fixed>,
    learned: Vec<Learned>,
    counts: Vec<u64>,
}

impl LawTest {
    fn new(law: &NamedLaw, cells: &Cells) -> Result<Self, AuditError> {
        let zero = BigInt::from(0);
        let up = &cells.up;
        let mut fixed = Vec::new();
        for percent in SCALES {
            let factor = ratio(percent, 100);
            let scaled = law.scaled(&factor).map_err(|error| match error {
                LawError::Number(error) => AuditError::Number(error),
                LawError::Parameter(error) => AuditError::Coins(error),
                LawError::Name(value) => AuditError::Question {
                    field: "the law",
                    expected: crate::named_law::NAMES,
                    value,
                },
            })?;
            fixed.push(Fixed::new(
                format!("the law {scaled}, with {factor} times the noise"),
                &cells.guess(&scaled, &zero)?,
                up,
            ));
        }
        // Shifts of one, and of parts of the distance from the middle to the quarter.
        let quarter = quantile(law, 0.75)? - quantile(law, 0.5)?;
        let mut shifts: Vec<BigInt> = [1, 4, 16].map(|part| &quarter / part).into();
        shifts.push(1.into());
        shifts.retain(Signed::is_positive);
        shifts.sort();
        shifts.dedup();
        for shift in shifts.iter().flat_map(|shift| [-shift, shift.clone()]) {
            fixed.push(Fixed::new(
                format!("the law shifted by {shift}"),
                &cells.guess(law, &shift)?,
                up,
            ));
        }
        for cut in 1..=TAILS.len() + 1 {
            let last = cells.count().saturating_sub(cut);
            let first = if law.is_symmetric() { cut } else { 0 };
            if first >= last {
                break;
            }
            let weights: Vec<f64> = up
                .iter()
                .enumerate()
                .map(|(cell, p)| {
                    if (first..last).contains(&cell) {
                        *p
                    } else {
                        0.0
                    }
                })
                .collect();
            fixed.push(Fixed::new(
                format!(
                    "the law without what is beyond {}",
                    cells.edges.get(last - 1).unwrap_or(&zero)
                ),
                &weights,
                up,
            ));
        }
        Ok(Self {
            fixed,
            learned: GROUPS
                .iter()
                .map(|&groups| Learned::new(groups, up))
                .collect(),
            counts: vec![0; cells.count()],
        })
    }

    fn update(&mut self, cell: usize) {
        self.counts[cell] += 1;
        for bet in &mut self.fixed {
            bet.wealth = multiplied(bet.wealth, bet.factors[cell]);
        }
        for bet in &mut self.learned {
            bet.update(cell);
        }
    }

    fn log(&self) -> f64 {
        let fixed = self.fixed.iter().map(|bet| bet.wealth);
        log_mean(fixed.chain(self.learned.iter().map(|bet| bet.wealth)))
    }

    fn closest(&self) -> String {
        // The law itself neither wins nor loses.
        let mut best = (0.0, "the law itself".to_owned());
        for bet in &self.fixed {
            if bet.wealth > best.0 {
                best = (bet.wealth, bet.says.clone());
            }
        }
        for bet in &self.learned {
            if bet.wealth > best.0 {
                let says = format!(
                    "other frequencies, as counted in {} ranges",
                    bet.counts.len()
                );
                best = (bet.wealth, says);
            }
        }
        best.1
    }

    fn farthest(&self, cells: &Cells) -> Option<CellCount> {
        let calls: u64 = self.counts.iter().sum();
        let all = calls as f64;
        let deviation = |cell: usize| {
            let p = cells.up[cell].min(1.0);
            (self.counts[cell] as f64 - all * p).abs() / (all * p * (1.0 - p) + 1.0).sqrt()
        };
        let cell = (0..cells.count()).max_by(|&a, &b| deviation(a).total_cmp(&deviation(b)))?;
        Some(CellCount {
            from: cell
                .checked_sub(1)
                .and_then(|before| cells.edges.get(before))
                .map(|edge| edge + 1),
            to: cells.edges.get(cell).cloned(),
            expected: all * cells.up[cell].min(1.0),
            count: self.counts[cell],
        })
    }
}

/// The parts of a tail's probability that are bet on, in hundredths.
const PARTS: [f64; 6] = [0.05, 0.3, 0.6, 0.8, 0.9, 0.96];
/// The rarest tail that is looked at.
const RAREST: f64 = 1e-5;

/// The event that the magnitude is at least a threshold.
struct Tail {
    threshold: BigInt,
    /// Its probability under the law, rounded down.
    least: f64,
    /// For each part, the logarithms for a hit and for a miss, and the wealth.
    bets: Vec<[f64; 3]>,
    count: u64,
}

/// The second test.
struct NoiseTest {
    tails: Vec<Tail>,
    calls: u64,
}

impl NoiseTest {
    fn new(law: &NamedLaw, cells: &Cells) -> Result<Self, AuditError> {
        let mut thresholds = vec![BigInt::from(1)];
        for mass in [0.6, 0.75, 0.9, 0.97, 0.999] {
            thresholds.push(quantile(law, mass)? + 1);
        }
        thresholds.extend(cells.edges.last().map(|edge| edge + 1));
        thresholds.retain(Signed::is_positive);
        thresholds.sort();
        thresholds.dedup();
        let mut tails = Vec::new();
        for threshold in thresholds {
            let probability = certified(|bits| {
                let inside = law.cdf(&(&threshold - 1), bits)? - law.cdf(&-&threshold, bits)?;
                Ok(inside.complement())
            })?;
            let least = to_f64_for_display(&probability.lower()) * (1.0 - 1e-12);
            if !(RAREST..=1.0 - RAREST).contains(&least) {
                continue;
            }
            let bets = PARTS.iter().map(|part| {
                let q = part * least;
                [(q / least).ln(), ((1.0 - q) / (1.0 - least)).ln(), 0.0]
            });
            tails.push(Tail {
                threshold,
                least,
                bets: bets.collect(),
                count: 0,
            });
        }
        Ok(Self { tails, calls: 0 })
    }

    fn update(&mut self, value: &BigInt) {
        self.calls += 1;
        for tail in &mut self.tails {
            let hit = value.magnitude() >= tail.threshold.magnitude();
            tail.count += u64::from(hit);
            for [on_hit, on_miss, wealth] in &mut tail.bets {
                *wealth = multiplied(*wealth, if hit { *on_hit } else { *on_miss });
            }
        }
    }

    fn log(&self) -> f64 {
        let tails = self.tails.iter();
        log_mean(tails.flat_map(|tail| tail.bets.iter().map(|bet| bet[2])))
    }

    fn best(&self) -> Option<TailCount> {
        let wealth = |tail: &Tail| log_mean(tail.bets.iter().map(|bet| bet[2]));
        self.tails
            .iter()
            .max_by(|a, b| wealth(a).total_cmp(&wealth(b)))
            .map(|tail| TailCount {
                threshold: tail.threshold.clone(),
                expected: tail.least * self.calls as f64,
                count: tail.count,
            })
    }
}
