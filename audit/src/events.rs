//! Events: predicates of one output, learned on a training half and counted on a fresh one.
//!
//! Nothing here needs to be right for an audit to be valid: the bound is computed on outputs that the
//! search has not seen. A poor event costs power only.

use crate::targets::{Output, hexadecimal};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// The most coordinates and prefixes of vectors that are looked at.
const MOST_COORDINATES: usize = 16;
/// The most different keys of one feature that are counted: those that come first.
const MOST_KEYS: usize = 1 << 16;
/// The most keys in one event.
const LARGEST_SET: usize = 4096;
/// So few keys are ordered and scored on the same outputs.
const FEW: usize = 64;
/// The most outputs of each dataset that are learned from when there are many features.
const MANY_FEATURES: usize = 12;
const MOST_OUTPUTS: usize = 100_000;
/// How many standard errors an estimate is moved towards "private" during the search. With two, of thousands of
/// thresholds on half the right Laplace noise a rare event won by chance, and proved epsilon > 1.06 of 2.
const CAUTION: f64 = 3.5;
/// How much a later feature or a refinement must add: the simple events come first.
const MARGIN: f64 = 0.02;
/// The most parts that an event is refined by.
const REFINEMENTS: usize = 3;
/// The most cells of a partition.
pub const MOST_CELLS: usize = 64;

/// A double that is written in JSON with its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Real(#[serde(with = "hexadecimal")] u64);

impl Real {
    fn new(value: f64) -> Self {
        Self(value.to_bits())
    }

    fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// Something that can be read off an output. `at` is a coordinate, or nothing for the whole output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// The number itself; not for NaN.
    Number {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The exponent of the lowest set bit of a number other than zero.
    LowBit {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The exponent of the highest set bit of a number other than zero.
    Exponent {
        /// The coordinate.
        at: Option<usize>,
    },
    /// How many entries a vector has, or letters a label.
    Length,
    /// The sum of the numbers in a vector.
    Sum,
    /// A weighted sum of the first coordinates of a vector.
    Linear {
        /// The weights.
        weights: Vec<Real>,
    },
    /// The output, or its coordinate, bit for bit.
    Exact {
        /// The coordinate.
        at: Option<usize>,
    },
    /// Which of NaN, -0, 0, inf, -inf or finite a number is.
    Class {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The first entries of a vector, or letters of a label.
    Prefix {
        /// How many; fewer if there are not so many.
        length: usize,
    },
    /// The message of an error; nothing if there is none.
    Error,
}

impl Feature {
    /// Whether its values have an order that means something: [`Feature::value`], and otherwise
    /// [`Feature::key`].
    fn is_ordered(&self) -> bool {
        match self {
            Self::Number { .. }
            | Self::LowBit { .. }
            | Self::Exponent { .. }
            | Self::Length
            | Self::Sum
            | Self::Linear { .. } => true,
            Self::Exact { .. } | Self::Class { .. } | Self::Prefix { .. } | Self::Error => false,
        }
    }

    /// The value of an ordered feature.
    fn value(&self, output: &Output) -> Option<f64> {
        match self {
            Self::Number { at } => place(output, *at)?.number(),
            Self::LowBit { at } => lowest_bit(place(output, *at)?).map(f64::from),
            Self::Exponent { at } => highest_bit(place(output, *at)?).map(f64::from),
            Self::Length => match output {
                Output::Vector(items) => Some(items.len() as f64),
                Output::Label(text) => Some(text.chars().count() as f64),
                _ => None,
            },
            Self::Sum => match output {
                Output::Vector(items) => Some(items.iter().filter_map(Output::number).sum()),
                _ => None,
            },
            Self::Linear { weights } => match output {
                Output::Vector(items) => {
                    let terms = weights.iter().zip(items);
                    Some(terms.filter_map(|(w, x)| Some(w.get() * x.number()?)).sum())
                }
                _ => None,
            },
            _ => None,
        }
        .filter(|value| !value.is_nan())
    }

    /// The value of a feature without order.
    fn key<'a>(&self, output: &'a Output) -> Option<Cow<'a, Output>> {
        match self {
            Self::Exact { at } => place(output, *at).map(Cow::Borrowed),
            Self::Class { at } => {
                let class = match place(output, *at)? {
                    Output::Float(bits) => match f64::from_bits(*bits) {
                        x if x.is_nan() => "NaN",
                        f64::INFINITY => "inf",
                        f64::NEG_INFINITY => "-inf",
                        0.0 if *bits == 0 => "0",
                        0.0 => "-0",
                        _ => "finite",
                    },
                    Output::Integer(0) => "0",
                    Output::Integer(_) | Output::Large(_) => "finite",
                    _ => return None,
                };
                Some(Cow::Owned(Output::Label(class.to_owned())))
            }
            Self::Prefix { length } => match output {
                Output::Vector(items) => {
                    let first = items.iter().take(*length).cloned().collect();
                    Some(Cow::Owned(Output::Vector(first)))
                }
                Output::Label(text) => Some(Cow::Owned(Output::Label(
                    text.chars().take(*length).collect(),
                ))),
                _ => None,
            },
            Self::Error => matches!(output, Output::Error(_)).then_some(Cow::Borrowed(output)),
            _ => None,
        }
    }
}

/// The output, or its coordinate.
fn place(output: &Output, at: Option<usize>) -> Option<&Output> {
    match (at, output) {
        (None, _) => Some(output),
        (Some(index), Output::Vector(items)) => items.get(index),
        (Some(_), _) => None,
    }
}

/// The mantissa and the exponent of a finite double other than zero.
fn mantissa(bits: u64) -> Option<(u64, i32)> {
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0x7ff, _) | (0, 0) => None,
        (0, _) => Some((fraction, -1074)),
        _ => Some((fraction | 1 << 52, exponent - 1075)),
    }
}

fn lowest_bit(number: &Output) -> Option<i32> {
    match number {
        Output::Integer(0) => None,
        Output::Integer(value) => Some(value.trailing_zeros() as i32),
        Output::Large(value) => value.trailing_zeros().map(|bits| bits as i32),
        Output::Float(bits) => mantissa(*bits).map(|(m, e)| e + m.trailing_zeros() as i32),
        _ => None,
    }
}

fn highest_bit(number: &Output) -> Option<i32> {
    match number {
        Output::Integer(0) => None,
        Output::Integer(value) => Some(value.unsigned_abs().ilog2() as i32),
        Output::Large(value) => Some(value.bits() as i32 - 1),
        Output::Float(bits) => mantissa(*bits).map(|(m, e)| e + m.ilog2() as i32),
        _ => None,
    }
}

/// What an output may or may not satisfy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Predicate {
    /// The feature is there, and at most the bound.
    AtMost {
        /// The feature.
        feature: Feature,
        /// The bound.
        bound: Real,
    },
    /// The feature is there, and at least the bound.
    AtLeast {
        /// The feature.
        feature: Feature,
        /// The bound.
        bound: Real,
    },
    /// The feature is there, and one of these.
    OneOf {
        /// The feature.
        feature: Feature,
        /// The values.
        values: BTreeSet<Output>,
    },
    /// All of these.
    All(Vec<Predicate>),
    /// At least one of these; none of nothing.
    Any(Vec<Predicate>),
}

impl Predicate {
    /// Whether `output` satisfies it.
    #[must_use]
    pub fn holds(&self, output: &Output) -> bool {
        match self {
            Self::AtMost { feature, bound } => feature
                .value(output)
                .is_some_and(|value| value <= bound.get()),
            Self::AtLeast { feature, bound } => feature
                .value(output)
                .is_some_and(|value| value >= bound.get()),
            Self::OneOf { feature, values } => feature
                .key(output)
                .is_some_and(|key| values.contains(&*key)),
            Self::All(parts) => parts.iter().all(|part| part.holds(output)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(output)),
        }
    }
}

/// One of the two datasets of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// A predicate, and the dataset under which it seemed to hold more often than it may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Where the predicate is the more likely.
    pub likelier: Side,
    /// The predicate.
    pub predicate: Predicate,
}

impl Event {
    /// Whether `output` is in the event.
    #[must_use]
    pub fn contains(&self, output: &Output) -> bool {
        self.predicate.holds(output)
    }

    /// How many of `outputs` are in the event.
    #[must_use]
    pub fn count(&self, outputs: &[Output]) -> u64 {
        outputs
            .iter()
            .filter(|output| self.contains(output))
            .count() as u64
    }
}

// ---------------------------------------------------------------------------------------------------
// The search.

/// How often something holds under each dataset.
#[derive(Debug, Clone, Copy, Default)]
struct Counts([u64; 2]);

impl Counts {
    fn plus(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    /// The ratio of the two frequencies, smoothed.
    fn ratio(self, totals: Self) -> f64 {
        let rate = |side: usize| (self.0[side] as f64 + 0.5) / (totals.0[side] as f64 + 1.0);
        rate(0) / rate(1)
    }
}

/// How good an event seems.
#[derive(Debug, Clone, Copy)]
struct Score {
    likelier: Side,
    /// A cautious estimate of epsilon at the claimed delta.
    epsilon: f64,
}

impl Score {
    fn of(counts: Counts, totals: Counts, delta: f64) -> Self {
        let first = cautious_epsilon(counts, totals, 0, 1, delta);
        let second = cautious_epsilon(counts, totals, 1, 0, delta);
        let (likelier, epsilon) = if second > first {
            (Side::Second, second)
        } else {
            (Side::First, first)
        };
        Self { likelier, epsilon }
    }

    /// What any event is better than.
    fn least() -> Self {
        Self {
            likelier: Side::First,
            epsilon: f64::NEG_INFINITY,
        }
    }

    fn better_than(self, other: Self, by: f64) -> bool {
        self.epsilon > other.epsilon + by
    }
}

/// ln((p - delta) / q), with p and q at the ends of their Wilson intervals.
fn cautious_epsilon(counts: Counts, totals: Counts, p: usize, q: usize, delta: f64) -> f64 {
    let end = |side: usize, sign: f64| {
        let (k, n) = (counts.0[side] as f64, (totals.0[side] as f64).max(1.0));
        let z2 = CAUTION * CAUTION;
        let spread = CAUTION * (k * (n - k).max(0.0) / n + z2 / 4.0).sqrt();
        ((k + z2 / 2.0 + sign * spread) / (n + z2)).clamp(0.0, 1.0)
    };
    let above = end(p, -1.0) - delta;
    if above > 0.0 {
        (above / end(q, 1.0)).ln()
    } else {
        f64::NEG_INFINITY
    }
}

type Outputs<'a> = [Vec<&'a Output>; 2];

struct Search {
    delta: f64,
    totals: Counts,
}

type Candidate = (Score, Predicate);

/// The event that promises the largest lower bound on epsilon at `delta`.
///
/// The two slices are outputs on the two datasets of a pair; the event must be counted on others.
#[must_use]
pub fn learn_event(first: &[Output], second: &[Output], delta: f64) -> Event {
    let features = features(first, second);
    let outputs = sides(first, second, features.len());
    let search = Search::new(&outputs, delta);
    let nothing = Predicate::Any(Vec::new());
    let mut best: Candidate = (Score::least(), nothing);
    search.improve(
        &mut best,
        &features,
        &outputs,
        Counts::default(),
        MARGIN,
        |found| found,
    );
    // One part after the other: a condition more, or an alternative more.
    for _ in 0..REFINEMENTS {
        let before = best.clone();
        let split = |wanted: bool| -> Outputs<'_> {
            outputs.each_ref().map(|side| {
                let chosen = side
                    .iter()
                    .filter(|output| before.1.holds(output) == wanted);
                chosen.copied().collect()
            })
        };
        let (inside, outside) = (split(true), split(false));
        let old = before.1.clone();
        let and = |found| joined(&old, found, true);
        let changed = search.improve(
            &mut best,
            &features,
            &inside,
            Counts::default(),
            MARGIN,
            and,
        );
        let base = Counts(inside.each_ref().map(|side| side.len() as u64));
        let or = |found| joined(&old, found, false);
        if !(search.improve(&mut best, &features, &outside, base, MARGIN, or) || changed) {
            break;
        }
    }
    Event {
        likelier: best.0.likelier,
        predicate: best.1,
    }
}

fn joined(old: &Predicate, found: Predicate, all: bool) -> Predicate {
    let mut parts = match (old, all) {
        (Predicate::All(parts), true) | (Predicate::Any(parts), false) => parts.clone(),
        _ => vec![old.clone()],
    };
    parts.push(found);
    if all {
        Predicate::All(parts)
    } else {
        Predicate::Any(parts)
    }
}

/// The outputs to learn from.
fn sides<'a>(first: &'a [Output], second: &'a [Output], features: usize) -> Outputs<'a> {
    let limit = if features > MANY_FEATURES {
        MOST_OUTPUTS
    } else {
        usize::MAX
    };
    [first, second].map(|side| side.iter().take(limit).collect())
}

/// The features that such outputs have.
fn features(first: &[Output], second: &[Output]) -> Vec<Feature> {
    let (mut number, mut float, mut label, mut error) = (false, false, false, false);
    let mut longest = None;
    for output in first.iter().chain(second) {
        match output {
            Output::Integer(_) | Output::Large(_) => number = true,
            Output::Float(_) => (number, float) = (true, true),
            Output::Label(_) => label = true,
            Output::Vector(items) => longest = longest.max(Some(items.len())),
            Output::Error(_) => error = true,
        }
    }
    let mut features = Vec::new();
    let numeric = |at, float: bool, features: &mut Vec<Feature>| {
        features.extend([Feature::Number { at }, Feature::LowBit { at }]);
        if float {
            features.extend([Feature::Exponent { at }, Feature::Class { at }]);
        }
    };
    if error {
        features.push(Feature::Error);
    }
    if number {
        numeric(None, float, &mut features);
    }
    if label {
        features.push(Feature::Length);
        features.extend((1..=4).map(|length| Feature::Prefix { length }));
    }
    if let Some(longest) = longest {
        features.extend([Feature::Length, Feature::Sum]);
        for index in 0..longest.min(MOST_COORDINATES) {
            numeric(Some(index), true, &mut features);
            features.push(Feature::Exact { at: Some(index) });
            features.push(Feature::Prefix { length: index + 1 });
        }
        let weights = weights(first, second, longest.min(MOST_COORDINATES));
        features.extend(weights.map(|weights| Feature::Linear { weights }));
    }
    features.push(Feature::Exact { at: None });
    features
}

/// Weights of a linear score: the difference of the means over the variance, coordinate by coordinate, to
/// three digits. None if they say nothing.
fn weights(first: &[Output], second: &[Output], dimension: usize) -> Option<Vec<Real>> {
    if dimension < 2 {
        return None;
    }
    let moments = |side: &[Output], index: usize| {
        let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for output in side.iter().take(MOST_OUTPUTS) {
            if let Some(x) = place(output, Some(index)).and_then(Output::number) {
                n += 1.0;
                sum += x;
                squares += x * x;
            }
        }
        let mean = sum / f64::max(n, 1.0);
        (mean, squares / f64::max(n, 1.0) - mean * mean)
    };
    let weights: Vec<f64> = (0..dimension)
        .map(|index| {
            let (mean0, variance0) = moments(first, index);
            let (mean1, variance1) = moments(second, index);
            (mean1 - mean0) / (variance0 + variance1).max(1e-12)
        })
        .collect();
    let largest = weights.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let rounded = weights
        .iter()
        .map(|w| Real::new((w / largest * 1000.0).round() / 1000.0));
    Some(rounded.collect())
}

impl Search {
    fn new(outputs: &Outputs<'_>, delta: f64) -> Self {
        Self {
            delta,
            totals: Counts(outputs.each_ref().map(|side| side.len() as u64)),
        }
    }

    /// Puts the best event of `features` on `outputs`, together with the `base` that holds anyway, in the
    /// place of `best` if it is better `by` so much.
    fn improve(
        &self,
        best: &mut Candidate,
        features: &[Feature],
        outputs: &Outputs<'_>,
        base: Counts,
        by: f64,
        wrap: impl Fn(Predicate) -> Predicate,
    ) -> bool {
        let mut changed = false;
        for feature in features {
            let found = if feature.is_ordered() {
                self.threshold(feature, outputs, base)
            } else {
                self.set(feature, outputs, base)
            };
            if let Some((score, predicate)) = found
                && score.better_than(best.0, by)
            {
                *best = (score, wrap(predicate));
                changed = true;
            }
        }
        changed
    }

    /// The best threshold.
    fn threshold(
        &self,
        feature: &Feature,
        outputs: &Outputs<'_>,
        base: Counts,
    ) -> Option<Candidate> {
        let values = outputs.each_ref().map(|side| {
            let mut values: Vec<f64> = side
                .iter()
                .filter_map(|output| feature.value(output))
                .collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        });
        let there = Counts(values.each_ref().map(|side| side.len() as u64));
        let mut below = [0, 0];
        let mut best: Option<(Score, bool, f64)> = None;
        loop {
            let next = [0, 1].map(|side| values[side].get(below[side]).copied());
            let here = match next {
                [Some(a), Some(b)] => a.min(b),
                [Some(a), None] | [None, Some(a)] => a,
                [None, None] => break,
            };
            let under = Counts(below.map(|count| count as u64));
            let from = Counts([there.0[0] - under.0[0], there.0[1] - under.0[1]]);
            for side in [0, 1] {
                while values[side]
                    .get(below[side])
                    .is_some_and(|value| *value <= here)
                {
                    below[side] += 1;
                }
            }
            let up_to = Counts(below.map(|count| count as u64));
            for (counts, at_most) in [(up_to, true), (from, false)] {
                let score = Score::of(counts.plus(base), self.totals, self.delta);
                if best.is_none_or(|best| score.better_than(best.0, 0.0)) {
                    best = Some((score, at_most, here));
                }
            }
        }
        best.map(|(score, at_most, bound)| {
            let (feature, bound) = (feature.clone(), Real::new(bound));
            let predicate = if at_most {
                Predicate::AtMost { feature, bound }
            } else {
                Predicate::AtLeast { feature, bound }
            };
            (score, predicate)
        })
    }

    /// The best set of keys: those of the largest ratio.
    fn set(&self, feature: &Feature, outputs: &Outputs<'_>, base: Counts) -> Option<Candidate> {
        let mut keys = keys(feature, outputs);
        let few = keys.len() <= FEW;
        if !few {
            keys.retain(|(_, [order, score])| {
                order.0[0] + order.0[1] + score.0[0] + score.0[1] >= 8
            });
        }
        let half = Counts(self.totals.0.map(|total| total.div_ceil(2)));
        let (order_totals, score_totals) = if few {
            (self.totals, self.totals)
        } else {
            (half, Counts(self.totals.0.map(|total| total / 2)))
        };
        // With few keys, both halves are used for both purposes.
        let parts = |halves: &[Counts; 2]| {
            let both = halves[0].plus(halves[1]);
            if few {
                (both, both)
            } else {
                (halves[0], halves[1])
            }
        };
        keys.sort_by(|(a, x), (b, y)| {
            let [x, y] = [x, y].map(|halves| parts(halves).0.ratio(order_totals));
            y.total_cmp(&x).then_with(|| a.cmp(b))
        });
        let base = if few {
            base
        } else {
            Counts(base.0.map(|count| count / 2))
        };
        let mut best: Option<(Score, bool, usize)> = None;
        for forward in [true, false] {
            let mut counts = base;
            for taken in 1..=keys.len().min(LARGEST_SET) {
                let index = if forward {
                    taken - 1
                } else {
                    keys.len() - taken
                };
                counts = counts.plus(parts(&keys[index].1).1);
                let score = Score::of(counts, score_totals, self.delta);
                if best.is_none_or(|best| score.better_than(best.0, 0.0)) {
                    best = Some((score, forward, taken));
                }
            }
        }
        best.map(|(score, forward, taken)| {
            let chosen = if forward {
                &keys[..taken]
            } else {
                &keys[keys.len() - taken..]
            };
            let values = chosen.iter().map(|(key, _)| (**key).clone()).collect();
            let feature = feature.clone();
            (score, Predicate::OneOf { feature, values })
        })
    }
}

type Keyed<'a> = Vec<(Cow<'a, Output>, [Counts; 2])>;

/// The keys of a feature, and how often each comes at even and at odd places.
fn keys<'a>(feature: &Feature, outputs: &Outputs<'a>) -> Keyed<'a> {
    let mut counts: HashMap<Cow<'a, Output>, [Counts; 2]> = HashMap::new();
    let longest = outputs[0].len().max(outputs[1].len());
    // Side by side, so that neither fills the table alone.
    for index in 0..longest {
        for (side, all) in outputs.iter().enumerate() {
            let Some(key) = all.get(index).and_then(|output| feature.key(output)) else {
                continue;
            };
            if let Some(found) = counts.get_mut(&key) {
                found[index % 2].0[side] += 1;
            } else if counts.len() < MOST_KEYS {
                counts.entry(key).or_default()[index % 2].0[side] += 1;
            }
        }
    }
    counts.into_iter().collect()
}

// ---------------------------------------------------------------------------------------------------
// Cells.

/// A partition of all outputs into at most [`MOST_CELLS`] cells, numbered from 0 by their estimated
/// likelihood ratio: the lowest are likelier under the second dataset, the highest under the first.
#[derive(Debug, Clone)]
pub struct Cells {
    feature: Feature,
    parts: Parts,
    // Outputs in and outside of this are in different cells.
    event: Option<Predicate>,
    // The cell of each raw index.
    order: Vec<usize>,
    cells: usize,
}

#[derive(Debug, Clone)]
enum Parts {
    /// The bins between these values: `value <= edge` goes left.
    Edges(Vec<f64>),
    /// The bin of each key, and how many bins there are.
    Keys(HashMap<Output, usize>, usize),
}

impl Parts {
    /// How many bins there are; the last is for what has no value.
    fn bins(&self) -> usize {
        match self {
            Self::Edges(edges) => edges.len() + 2,
            Self::Keys(_, bins) => bins + 1,
        }
    }

    fn bin(&self, feature: &Feature, output: &Output) -> usize {
        let bin = match self {
            Self::Edges(edges) => feature
                .value(output)
                .map(|value| edges.partition_point(|edge| *edge < value)),
            Self::Keys(keys, _) => feature.key(output).and_then(|key| keys.get(&*key)).copied(),
        };
        bin.unwrap_or(self.bins() - 1)
    }
}

impl Cells {
    /// The partition that promises most, of those by one feature and one event.
    #[must_use]
    pub fn learn(first: &[Output], second: &[Output], delta: f64) -> Self {
        let event = learn_event(first, second, delta);
        Self::around(&event, first, second, delta)
    }

    /// The same, with the event already learned from the same outputs.
    #[must_use]
    pub fn around(event: &Event, first: &[Output], second: &[Output], delta: f64) -> Self {
        Self::at_most(MOST_CELLS, event, first, second, delta)
    }

    /// The same, with at most `most` cells, where `most` is from 8 to [`MOST_CELLS`].
    #[must_use]
    pub fn at_most(
        most: usize,
        event: &Event,
        first: &[Output],
        second: &[Output],
        delta: f64,
    ) -> Self {
        let features = features(first, second);
        let outputs = sides(first, second, features.len());
        let search = Search::new(&outputs, delta);
        let mut best: Option<(Score, Self)> = None;
        for feature in &features {
            let with_event = partition(feature, &outputs, most / 2);
            let alone = partition(feature, &outputs, most);
            for (parts, event) in [(alone, None), (with_event, Some(&event.predicate))] {
                let candidate = Self::ordered(feature, parts, event, &outputs, &search);
                if best
                    .as_ref()
                    .is_none_or(|best| candidate.0.better_than(best.0, 1e-3))
                {
                    best = Some(candidate);
                }
            }
        }
        let everything = || Self {
            feature: Feature::Length,
            parts: Parts::Edges(Vec::new()),
            event: None,
            order: vec![0, 0],
            cells: 1,
        };
        best.map_or_else(everything, |(_, cells)| cells)
    }

    /// Orders the bins by the even outputs, and scores the order by the odd ones.
    fn ordered(
        feature: &Feature,
        parts: Parts,
        event: Option<&Predicate>,
        outputs: &Outputs<'_>,
        search: &Search,
    ) -> (Score, Self) {
        let raw = parts.bins() * if event.is_some() { 2 } else { 1 };
        let mut cells = Self {
            feature: feature.clone(),
            parts,
            event: event.cloned(),
            order: (0..raw).collect(),
            cells: raw,
        };
        let mut counts = vec![[Counts::default(); 2]; raw];
        for (side, all) in outputs.iter().enumerate() {
            for (index, output) in all.iter().enumerate() {
                counts[cells.raw(output)][index % 2].0[side] += 1;
            }
        }
        let even = Counts(search.totals.0.map(|total| total.div_ceil(2)));
        let odd = Counts(search.totals.0.map(|total| total / 2));
        let ratios: Vec<f64> = counts.iter().map(|halves| halves[0].ratio(even)).collect();
        let mut ranked: Vec<usize> = (0..raw).collect();
        ranked.sort_by(|a, b| ratios[*a].total_cmp(&ratios[*b]).then(a.cmp(b)));
        let mut score = Score::least();
        for backward in [false, true] {
            let mut sum = Counts::default();
            for place in 0..raw {
                let place = if backward { raw - 1 - place } else { place };
                sum = sum.plus(counts[ranked[place]][1]);
                let here = Score::of(sum, odd, search.delta);
                if here.better_than(score, 0.0) {
                    score = here;
                }
            }
        }
        // The final order uses all outputs.
        let ratios: Vec<f64> = counts
            .iter()
            .map(|[a, b]| a.plus(*b).ratio(search.totals))
            .collect();
        ranked.sort_by(|a, b| ratios[*a].total_cmp(&ratios[*b]).then(a.cmp(b)));
        for (rank, bin) in ranked.into_iter().enumerate() {
            cells.order[bin] = rank;
        }
        (score, cells)
    }

    fn raw(&self, output: &Output) -> usize {
        let bin = self.parts.bin(&self.feature, output);
        match &self.event {
            Some(event) if event.holds(output) => bin + self.parts.bins(),
            _ => bin,
        }
    }

    /// How many cells there are: at least 1 and at most [`MOST_CELLS`].
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells
    }

    /// The cell of an output, below [`Cells::count`].
    #[must_use]
    pub fn index(&self, output: &Output) -> usize {
        self.order[self.raw(output)]
    }
}

/// Bins of a feature, at most `most` of them.
fn partition(feature: &Feature, outputs: &Outputs<'_>, most: usize) -> Parts {
    let most = most - 2;
    if feature.is_ordered() {
        // Quantiles of a part of the outputs, of both datasets.
        let mut values: Vec<f64> = outputs
            .iter()
            .flat_map(|side| side.iter().take(MOST_OUTPUTS))
            .filter_map(|output| feature.value(output))
            .collect();
        values.sort_unstable_by(f64::total_cmp);
        let mut edges: Vec<f64> = values.clone();
        edges.dedup();
        if edges.len() > most {
            // Many cells are there for many outputs, and some of them for the tails.
            let tails: &[f64] = match most {
                0..16 => &[],
                _ => &[1e-4, 1e-3, 0.999, 0.9999],
            };
            let even = (1..most - tails.len()).map(|i| i as f64 / (most - tails.len()) as f64);
            let last = values.len() - 1;
            edges = even
                .chain(tails.iter().copied())
                .map(|q| values[(q * last as f64) as usize])
                .collect();
            edges.sort_unstable_by(f64::total_cmp);
            edges.dedup();
        }
        return Parts::Edges(edges);
    }
    let mut keys = keys(feature, outputs);
    let totals = Counts(outputs.each_ref().map(|side| side.len() as u64));
    keys.sort_by(|(a, x), (b, y)| {
        let [x, y] =
            [x, y].map(|halves| halves[0].0[0] + halves[0].0[1] + halves[1].0[0] + halves[1].0[1]);
        y.cmp(&x).then_with(|| a.cmp(b))
    });
    keys.truncate(LARGEST_SET);
    if keys.len() > most {
        // Those of similar ratios together.
        keys.sort_by(|(a, x), (b, y)| {
            let [x, y] = [x, y].map(|halves| halves[0].plus(halves[1]).ratio(totals));
            x.total_cmp(&y).then_with(|| a.cmp(b))
        });
    }
    let (all, bins) = (keys.len(), keys.len().min(most));
    let binned = keys.into_iter().enumerate();
    let binned = binned.map(|(index, (key, _))| (key.into_owned(), index * bins / all.max(1)));
    Parts::Keys(binned.collect(), bins)
}

// ---------------------------------------------------------------------------------------------------
// Words.

/// `output`, or `output[3]`.
struct Subject(Option<usize>);

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => formatter.write_str("output"),
            Some(index) => write!(formatter, "output[{index}]"),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { at } | Self::Exact { at } => write!(formatter, "{}", Subject(*at)),
            Self::LowBit { at } => write!(formatter, "lowest bit of {}", Subject(*at)),
            Self::Exponent { at } => write!(formatter, "highest bit of {}", Subject(*at)),
            Self::Length => formatter.write_str("length of output"),
            Self::Sum => formatter.write_str("sum of output"),
            Self::Linear { weights } => {
                for (index, weight) in weights.iter().enumerate() {
                    let plus = if index == 0 { "" } else { " + " };
                    write!(formatter, "{plus}{} output[{index}]", weight.get())?;
                }
                Ok(())
            }
            Self::Class { at } => write!(formatter, "class of {}", Subject(*at)),
            Self::Prefix { length } => write!(formatter, "first {length} of output"),
            Self::Error => formatter.write_str("error"),
        }
    }
}

/// The most values of a set that are printed.
const PRINTED: usize = 8;

impl fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound_of = |feature: &Feature, bound: &Real| match feature {
            Feature::LowBit { .. } | Feature::Exponent { .. } => format!("2^{}", bound.get()),
            _ => bound.get().to_string(),
        };
        match self {
            Self::AtMost { feature, bound } => {
                write!(formatter, "{feature} <= {}", bound_of(feature, bound))
            }
            Self::AtLeast { feature, bound } => {
                write!(formatter, "{feature} >= {}", bound_of(feature, bound))
            }
            Self::OneOf { feature, values } => {
                let name = match feature {
                    // An error says itself that it is one.
                    Feature::Error => String::new(),
                    Feature::Exact { at: None }
                        if values.iter().all(|v| matches!(v, Output::Error(_))) =>
                    {
                        String::new()
                    }
                    _ => feature.to_string(),
                };
                let printed = values.iter().take(PRINTED);
                let mut listed: Vec<String> = match feature {
                    Feature::Class { .. } => printed
                        .map(|value| match value {
                            Output::Label(class) => class.clone(),
                            other => other.to_string(),
                        })
                        .collect(),
                    _ => printed.map(Output::to_string).collect(),
                };
                if values.len() > PRINTED {
                    listed.push(format!("… ({} values)", values.len()));
                }
                match (name.is_empty(), &listed[..]) {
                    (true, _) => formatter.write_str(&listed.join(" or ")),
                    (false, [one]) => write!(formatter, "{name} = {one}"),
                    (false, _) => write!(formatter, "{name} in {{{}}}", listed.join(", ")),
                }
            }
            Self::All(parts) | Self::Any(parts) => {
                let (word, empty) = match self {
                    Self::All(_) => (" and ", "always"),
                    _ => (" or ", "never"),
                };
                let inner = |part: &Self| match part {
                    Self::All(_) | Self::Any(_) => format!("({part})"),
                    _ => part.to_string(),
                };
                let parts: Vec<String> = parts.iter().map(inner).collect();
                match parts.is_empty() {
                    true => formatter.write_str(empty),
                    false => formatter.write_str(&parts.join(word)),
                }
            }
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.predicate.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::coins::{ChaCha, Coins};

    /// `n` outputs of each of two mechanisms that read 64 uniform bits.
    fn two(
        n: usize,
        first: impl Fn(u64) -> Output,
        second: impl Fn(u64) -> Output,
    ) -> [Vec<Output>; 2] {
        let mut coins = ChaCha::reproducible(11, 0);
        let mut draw = |f: &dyn Fn(u64) -> Output| -> Vec<Output> {
            (0..n).map(|_| f(coins.bits(64).unwrap())).collect()
        };
        [draw(&first), draw(&second)]
    }

    fn learned(sides: &[Vec<Output>; 2]) -> (Event, [u64; 2]) {
        let event = learn_event(&sides[0], &sides[1], 0.0);
        let json = serde_json::to_string(&event).unwrap();
        assert_eq!(
            serde_json::from_str::<Event>(&json).unwrap(),
            event,
            "{json}"
        );
        let counts = [event.count(&sides[0]), event.count(&sides[1])];
        (event, counts)
    }

    #[test]
    fn a_threshold_is_found() {
        let sides = two(
            20_000,
            |u| Output::Integer((u % 10).into()),
            |u| {
                Output::Integer(if u % 3 == 0 {
                    5
                } else {
                    5 + (u / 3 % 5) as i128
                })
            },
        );
        let (event, counts) = learned(&sides);
        assert_eq!(event.to_string(), "output <= 4");
        assert_eq!(event.likelier, Side::First);
        assert_eq!(counts[1], 0);
    }

    #[test]
    fn low_bits_are_found() {
        // Uniform on multiples of 2^-54 or of 2^-50: almost the same numbers.
        let sides = two(
            20_000,
            |u| Output::float((u >> 10) as f64 * 2f64.powi(-54) + 0.0),
            |u| Output::float((u >> 14) as f64 * 2f64.powi(-50)),
        );
        let (event, counts) = learned(&sides);
        assert!(
            event
                .to_string()
                .starts_with("lowest bit of output <= 2^-5"),
            "{event}"
        );
        assert!(counts[0] > 10_000 && counts[1] == 0, "{event} {counts:?}");
    }

    #[test]
    fn errors_zeros_lengths_and_prefixes_are_found() {
        let error = || Output::Error("division by zero".to_owned());
        let sides = two(
            5000,
            |u| Output::float(u as f64),
            |u| {
                if u % 9 == 0 {
                    error()
                } else {
                    Output::float(u as f64)
                }
            },
        );
        let (event, _) = learned(&sides);
        assert_eq!(event.to_string(), "error 'division by zero'");
        assert_eq!(event.likelier, Side::Second);

        let sides = two(
            5000,
            |u| Output::float((u % 3) as f64),
            |u| Output::float(-((u % 3) as f64)),
        );
        let (event, counts) = learned(&sides);
        assert!(
            counts.contains(&0) && counts.iter().sum::<u64>() > 4000,
            "{event} {counts:?}"
        );

        let list = |u: u64, n: usize| {
            Output::Vector(
                (0..n)
                    .map(|i| Output::Integer((u >> i & 1).into()))
                    .collect(),
            )
        };
        let sides = two(5000, |u| list(u, 3 + (u % 7 == 0) as usize), |u| list(u, 3));
        let (event, _) = learned(&sides);
        assert_eq!(event.to_string(), "length of output >= 4");

        let label = |u: u64, with: &str| Output::Label(format!("{with}{}", u % 1_000_000));
        let sides = two(
            5000,
            |u| label(u, if u % 2 == 0 { "x" } else { "y" }),
            |u| label(u, "x"),
        );
        let (event, counts) = learned(&sides);
        assert!(counts[1] == 0 && counts[0] > 2000, "{event}");
    }

    #[test]
    fn rare_values_of_one_dataset_are_found() {
        let sides = two(
            100_000,
            |u| {
                Output::Integer(if u % 1000 == 0 {
                    1 << 40
                } else {
                    (u / 1000 % 50).into()
                })
            },
            |u| Output::Integer((u % 50).into()),
        );
        let (event, counts) = learned(&sides);
        assert!(counts[0] > 50 && counts[1] == 0, "{event} {counts:?}");
    }

    #[test]
    fn nothing_is_learned_from_nothing() {
        let event = learn_event(&[], &[], 0.0);
        assert!(!event.contains(&Output::Integer(1)));
        let cells = Cells::learn(&[], &[], 0.0);
        assert!(cells.index(&Output::Integer(1)) < cells.count());
    }

    #[test]
    fn cells_are_ordered_by_their_ratio() {
        // Two bumps against one: no threshold orders the ratio.
        let sides = two(
            50_000,
            |u| Output::float((u % 1_000_000) as f64),
            |u| Output::float((u % 500_000 + 250_000) as f64),
        );
        let cells = Cells::learn(&sides[0], &sides[1], 0.0);
        assert!(cells.count() <= MOST_CELLS && cells.count() > 10);
        let mut counts = vec![[0u64; 2]; cells.count()];
        for (side, outputs) in sides.iter().enumerate() {
            for output in outputs {
                counts[cells.index(output)][side] += 1;
            }
        }
        let ratio = |c: [u64; 2]| (c[0] as f64 + 0.5) / (c[1] as f64 + 0.5);
        assert!(
            counts.windows(2).all(|w| ratio(w[0]) <= ratio(w[1])),
            "{counts:?}"
        );
        assert!(cells.index(&Output::Error("?".into())) < cells.count());
    }

    #[test]
    fn features_are_read_off() {
        assert_eq!(lowest_bit(&Output::float(0.75)), Some(-2));
        assert_eq!(highest_bit(&Output::float(0.75)), Some(-1));
        assert_eq!(lowest_bit(&Output::float(5e-324)), Some(-1074));
        assert_eq!(highest_bit(&Output::float(5e-324)), Some(-1074));
        assert_eq!(lowest_bit(&Output::Integer(-12)), Some(2));
        assert_eq!(lowest_bit(&Output::float(-0.0)), None);
        assert_eq!(lowest_bit(&Output::float(f64::NAN)), None);
    }
}
