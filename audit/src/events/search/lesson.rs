//! The search for an event: the family that promises most, refined part by part.
//!
//! A search among so many events finds some that look good by luck, the rarest ones first. So it is made on one half of
//! the training outputs, with much caution, with little and with none, and all that it says is the few events that it
//! came by on its way: the other half chooses among them, with as much caution as leaves one that promises something.

use super::cells::Contest;
use super::column::{Column, Histogram, Outputs, Values, mask};
use super::feature::Feature;
use super::features::features;
use super::interval::interval;
use super::odds::{Guess, Odds};
use super::outcomes::{MOST_DIFFERENT, Outcomes};
use super::predicate::Predicate;
use super::promise::{Aim, Counts, Judge, Score};
use super::set::set;
use super::threshold::threshold;
use super::{Cells, Event};
use crate::targets::Output;
use dp_assay::stats::Null;

/// The most outputs of each dataset that are learned from: those that come first.
pub const MOST_OUTPUTS: usize = 1 << 17;
/// The most values that are read off outputs at a time: many features are first compared on few outputs.
const MOST_VALUES: usize = 1 << 20;
/// So many features are then looked at on all outputs.
const FINALISTS: usize = 12;
/// How much of epsilon a later feature must add: the simple ones come first.
const MARGIN: f64 = 0.02;
/// How much an interval or a refinement must add to the simple event.
const WORTH: f64 = 0.05;
/// The most parts that an event is refined by.
const REFINEMENTS: usize = 3;
/// The cautions of the searches, in standard errors. The largest of a million normal variables is about 5; a rare
/// leak is passed over unless there is less.
const CAUTIONS: [f64; 3] = [5.0, 2.0, 1.0];
/// The cautions of the choice among what they came by: the largest of some twenty normal variables is about 2. Where
/// nothing promises anything so, a smaller promise is better than none.
const CHOICES: [f64; 3] = [2.0, 1.0, 0.0];
/// The caution of the last fit of a threshold: some ten of its events are unlike enough to be different ones.
const REFIT: f64 = 2.0;

/// How much of epsilon a set of outcomes must add: it is chosen by what is expected, not by the luckiest count.
const LITTLE: f64 = 0.005;

/// An event so far.
type Found = (Score, Predicate);

/// Where a search begins.
fn nothing() -> Found {
    (Score::nothing(), Predicate::never())
}

/// A family of events of one column.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Family {
    /// Where there is an order.
    Thresholds,
    /// Where there is none.
    Sets,
    /// Intervals and their complements.
    Intervals,
}

/// The simple ones first.
const FAMILIES: [Family; 3] = [Family::Thresholds, Family::Sets, Family::Intervals];

/// Some of the outputs, as the histogram of each column, and how many others are in the event anyway.
struct Among<'h> {
    histograms: &'h [Histogram],
    base: Counts,
}

/// What training outputs teach: an event and a partition.
pub struct Lesson<'a> {
    /// All of them.
    all: Outputs<'a>,
    /// Those that are searched.
    outputs: Outputs<'a>,
    /// Those that choose among what was found.
    held: Outputs<'a>,
    columns: Vec<Column<'a>>,
    /// What a model of the odds is fitted to: the numbers and the length.
    numbers: Vec<Feature>,
    aim: Aim,
    totals: Counts,
}

impl<'a> Lesson<'a> {
    /// Reads the outputs on the two datasets: at most [`MOST_OUTPUTS`] of each, the first ones.
    #[must_use]
    pub fn new(first: &'a [Output], second: &'a [Output], aim: Aim) -> Self {
        let most = |all: &'a [Output]| &all[..all.len().min(MOST_OUTPUTS)];
        let all = [most(first), most(second)];
        let outputs = all.map(|all| &all[..all.len() / 2]);
        let held = all.map(|all| &all[all.len() / 2..]);
        let mut features = features(outputs);
        let is_number = |feature: &&Feature| feature.is_number() || **feature == Feature::Length;
        let numbers = features.iter().filter(is_number).cloned().collect();
        let longest = outputs[0].len().max(outputs[1].len());
        let affordable = MOST_VALUES / (2 * features.len());
        if longest > affordable && features.len() > FINALISTS {
            let few = outputs.map(|all| &all[..all.len().min(affordable)]);
            features = Lesson::of(features, all, few, few, aim).finalists();
        }
        Self {
            numbers,
            ..Lesson::of(features, all, outputs, held, aim)
        }
    }

    fn of(
        features: Vec<Feature>,
        all: Outputs<'a>,
        outputs: Outputs<'a>,
        held: Outputs<'a>,
        aim: Aim,
    ) -> Self {
        let columns = features.into_iter();
        Self {
            numbers: Vec::new(),
            all,
            outputs,
            held,
            columns: columns.map(|f| Column::new(f, outputs)).collect(),
            aim,
            totals: Counts(outputs.map(|all| all.len() as u64)),
        }
    }

    /// The features that promise most by themselves, in their order; errors and whole outputs always.
    fn finalists(&self) -> Vec<Feature> {
        let judge = Judge::new(&self.aim, self.totals);
        let promise = |column: &Column<'_>| {
            let always = matches!(column.feature, Feature::Error | Feature::Exact { at: None });
            let histogram = column.histogram(None);
            let best = FAMILIES
                .iter()
                .filter_map(|family| {
                    self.best_of(*family, column, &histogram, Counts::default(), &judge)
                })
                .map(|(score, _)| score.epsilon())
                .fold(f64::NEG_INFINITY, f64::max);
            if always { f64::INFINITY } else { best }
        };
        let promises: Vec<f64> = self.columns.iter().map(promise).collect();
        let mut ranked: Vec<usize> = (0..promises.len()).collect();
        ranked.sort_by(|a, b| promises[*b].total_cmp(&promises[*a]).then(a.cmp(b)));
        ranked.truncate(FINALISTS);
        ranked.sort_unstable();
        let features = ranked.into_iter().map(|i| self.columns[i].feature.clone());
        features.collect()
    }

    /// The outputs that are learned from.
    #[must_use]
    pub fn all(&self) -> [&'a [Output]; 2] {
        self.all
    }

    /// The outputs that were not searched: what was found shows in them as in others, but for a choice among few.
    #[must_use]
    pub fn held(&self) -> [&'a [Output]; 2] {
        self.held
    }

    /// The event that promises the largest bound on epsilon.
    #[must_use]
    pub fn event(&self) -> Event {
        // 1. The events that the searches came by, those of the most cautious one first.
        let columns = self.columns.iter();
        let whole: Vec<Histogram> = columns.map(|column| column.histogram(None)).collect();
        let mut found: Vec<Predicate> = Vec::new();
        for caution in CAUTIONS {
            let judge = Judge::cautious(&self.aim, self.totals, caution);
            let (simple, best) = self.simple(&whole, &judge);
            found.extend(simple);
            found.extend(self.refined(best, &judge));
        }
        let bare = Judge::bare(&self.aim, self.totals);
        found.extend(self.simple(&whole, &bare).0);
        // 2. The outputs that were held out choose, the simple events first.
        let totals = Counts(self.held.map(|all| all.len() as u64));
        let mut counted: Vec<(Counts, Predicate)> = Vec::new();
        for predicate in found {
            if counted.iter().all(|(_, before)| *before != predicate) {
                let count =
                    |all: &[Output]| all.iter().filter(|output| predicate.holds(output)).count();
                let counts = Counts(self.held.map(|all| count(all) as u64));
                counted.push((counts, predicate));
            }
        }
        let mut best = nothing();
        let mut chosen_with = CHOICES[0];
        for caution in CHOICES {
            chosen_with = caution;
            let judge = Judge::cautious(&self.aim, totals, caution);
            for (counts, predicate) in &counted {
                let score = judge.score(*counts);
                if score.better_than(best.0, MARGIN) {
                    best = (score, predicate.clone());
                }
            }
            if best.1 != Predicate::never() {
                break;
            }
        }
        // 3. If none promises anything, the one that looks most unlike: an event shows a reader more than none.
        if best.1 == Predicate::never() {
            let judge = Judge::bare(&self.aim, totals);
            let unlike = |counts: &Counts| counts.ratio(totals).ln().abs();
            let most = counted
                .into_iter()
                .rev()
                .max_by(|a, b| unlike(&a.0).total_cmp(&unlike(&b.0)));
            best = most.map_or(best, |(counts, predicate)| (judge.score(counts), predicate));
        }
        // 4. Where a threshold is, all outputs say better than a half.
        if let Some(refitted) = self.refitted(&best.1) {
            best = refitted;
        }
        // 5. If the outcomes are few, their shrunk frequencies.
        if let Some(set) = self.outcome_set(&best.1, chosen_with) {
            best = set;
        }
        Event {
            likelier: best.0.likelier,
            predicate: best.1,
        }
    }

    /// The best threshold of the same feature by all outputs, if it is better by a margin; `None` for events of more
    /// choices, which would fit their own outputs.
    fn refitted(&self, predicate: &Predicate) -> Option<Found> {
        let (Predicate::AtMost { feature, .. } | Predicate::AtLeast { feature, .. }) = predicate
        else {
            return None;
        };
        let column = Column::new(feature.clone(), self.all);
        let totals = Counts(self.all.map(|all| all.len() as u64));
        let judge = Judge::cautious(&self.aim, totals, REFIT);
        let histogram = column.histogram(None);
        let base = Counts::default();
        let found = self.best_of(Family::Thresholds, &column, &histogram, base, &judge)?;
        let count = |all: &[Output]| all.iter().filter(|output| predicate.holds(output)).count();
        let old = judge.score(Counts(self.all.map(|all| count(all) as u64)));
        let is_better = [old, Score::nothing()]
            .iter()
            .all(|old| found.0.better_than(*old, MARGIN));
        is_better.then_some(found)
    }

    /// The best set of outcomes by their shrunk frequencies in all outputs, if it promises more than the event does by these,
    /// and than it does by what was counted, with the caution that the event was chosen with: a rare leak among many
    /// outcomes that do not leak is shrunk away.
    fn outcome_set(&self, event: &Predicate, chosen_with: f64) -> Option<Found> {
        // 1. Nearly always they are too many, and half of the outputs show it.
        let exact = Feature::Exact { at: None };
        let column = self.columns.iter().find(|column| column.feature == exact)?;
        if matches!(&column.values, Values::Keys(keys) if keys.len() > MOST_DIFFERENT) {
            return None;
        }
        let shrunk = |outputs| {
            let odds = Odds::fit(self.numbers.clone(), outputs);
            let belief = |output: &Output| odds.as_ref().map_or(0.5, |odds| odds.first(output));
            Outcomes::of(outputs, belief)
        };
        let totals = |outputs: Outputs<'_>| Counts(outputs.map(|all| all.len() as u64));
        let counted = |outputs: Outputs<'_>, predicate: &Predicate| {
            let holds =
                |all: &[Output]| all.iter().filter(|output| predicate.holds(output)).count();
            let judge = Judge::cautious(&self.aim, totals(outputs), chosen_with);
            judge.score(Counts(outputs.map(|all| holds(all) as u64)))
        };
        // 2. Of numbers thresholds are as good as a rule, and a lucky set costs more: is the best set of the searched outputs
        // better on the others?
        if self.numbers.contains(&Feature::Number { at: None }) {
            let judge = Judge::cautious(&self.aim, totals(self.outputs), 0.0);
            let tried = shrunk(self.outputs)?.best(&judge)?.1;
            if !counted(self.held, &tried).better_than(counted(self.held, event), MARGIN) {
                return None;
            }
        }
        // 3. The best set of all outputs.
        let judge = Judge::cautious(&self.aim, totals(self.all), 0.0);
        let outcomes = shrunk(self.all)?;
        let found = outcomes.best(&judge)?;
        let by_shrinking = judge.expected(outcomes.expected(event));
        let is_better = [by_shrinking, counted(self.all, event), Score::nothing()]
            .iter()
            .all(|old| found.0.better_than(*old, LITTLE));
        is_better.then_some(found)
    }

    /// The best of each family, if it promises anything, the simple families first; and the best of these.
    fn simple(&self, histograms: &[Histogram], judge: &Judge) -> (Vec<Predicate>, Found) {
        let base = Counts::default();
        let all = Among { histograms, base };
        let (mut found, mut best) = (Vec::new(), nothing());
        for family in FAMILIES {
            let mut of_family = nothing();
            if !self.improve(&mut of_family, MARGIN, &[family], &all, judge, |it| it) {
                continue;
            }
            let by = if family == Family::Intervals {
                WORTH
            } else {
                MARGIN
            };
            if of_family.0.better_than(best.0, by) {
                best = of_family.clone();
            }
            found.push(of_family.1);
        }
        (found, best)
    }

    /// One part after the other, that promises more: a condition more, or an alternative more.
    fn refined(&self, mut best: Found, judge: &Judge) -> Vec<Predicate> {
        let mut found = Vec::new();
        if best.1 == Predicate::never() {
            return found;
        }
        for _ in 0..REFINEMENTS {
            let old = best.1.clone();
            let mask = mask(self.outputs, |output| old.holds(output));
            let inside = Counts(
                mask.each_ref()
                    .map(|m| m.iter().filter(|b| **b).count() as u64),
            );
            let histograms = |side| -> Vec<Histogram> {
                let columns = self.columns.iter();
                columns
                    .map(|column| column.histogram(Some((&mask, side))))
                    .collect()
            };
            let (within, without) = (histograms(true), histograms(false));
            let within = Among {
                histograms: &within,
                base: Counts::default(),
            };
            let without = Among {
                histograms: &without,
                base: inside,
            };
            let families = &FAMILIES;
            let narrowed =
                self.improve(&mut best, WORTH, families, &within, judge, |it| old.and(it));
            let widened =
                self.improve(&mut best, WORTH, families, &without, judge, |it| old.or(it));
            if !(narrowed || widened) {
                break;
            }
            found.push(best.1.clone());
        }
        found
    }

    /// Puts the best event of these families, among some of the outputs, in the place of `best`, if it is better by a
    /// margin. Says whether it did.
    fn improve(
        &self,
        best: &mut Found,
        by: f64,
        families: &[Family],
        among: &Among<'_>,
        judge: &Judge,
        join: impl Fn(Predicate) -> Predicate,
    ) -> bool {
        let mut improved = false;
        for family in families {
            for (column, histogram) in self.columns.iter().zip(among.histograms) {
                if let Some((score, predicate)) =
                    self.best_of(*family, column, histogram, among.base, judge)
                    && score.better_than(best.0, by)
                {
                    *best = (score, join(predicate));
                    improved = true;
                }
            }
        }
        improved
    }

    /// The best event of a family on a column, together with the `base`, that is in it anyway.
    fn best_of(
        &self,
        family: Family,
        column: &Column<'_>,
        histogram: &Histogram,
        base: Counts,
        judge: &Judge,
    ) -> Option<Found> {
        let feature = &column.feature;
        match (family, &column.values) {
            (Family::Thresholds, Values::Ordered(values)) => {
                threshold(feature, values, histogram, base, judge)
            }
            (Family::Sets, Values::Keys(keys)) => set(feature, keys, histogram, base, judge),
            (Family::Intervals, Values::Ordered(values)) => {
                interval(feature, values, histogram, base, judge)
            }
            _ => None,
        }
    }

    /// The outputs themselves, each in a cell of its own, if they are few.
    #[must_use]
    pub fn outcomes(&self) -> Option<Cells> {
        Cells::outcomes(self.all)
    }

    /// The guess by which a bet on the cells, made from the outputs that were searched, grows most on the others: the
    /// pooled one, or "as often on both".
    #[must_use]
    pub fn guess(&self, cells: &Cells, claim: &Null) -> Guess {
        let (contest, past) = (self.contest(claim), cells.count_all(self.outputs));
        let growth = |guess: &Guess| contest.growth(cells, &past, guess);
        let (even, pooled) = (Guess::even(cells.count()), Guess::Pooled);
        let (of_even, of_pooled) = (growth(&even), growth(&pooled));
        if of_pooled >= of_even { pooled } else { even }
    }

    /// Cells by the odds that a model of the numbers believes, and the guess of their laws.
    #[must_use]
    pub fn by_odds(&self) -> Option<(Cells, Guess)> {
        let odds = Odds::fit(self.numbers.clone(), self.all)?;
        let cells = Cells::by_odds(odds.clone());
        let guess = odds.guess(&cells, self.all);
        Some((cells, guess))
    }

    fn contest<'b>(&self, claim: &'b Null) -> Contest<'b>
    where
        'a: 'b,
    {
        Contest {
            held: self.held,
            claim,
        }
    }

    /// The partition that wealth against the claim grows most on, of those by one feature and the event, into at most
    /// `most` cells: from 8 to [`super::MOST_CELLS`].
    #[must_use]
    pub fn cells(&self, event: &Event, most: usize, claim: &Null) -> Cells {
        let mask = mask(self.outputs, |output| event.contains(output));
        let contest = self.contest(claim);
        Cells::best(
            &self.columns,
            &event.predicate,
            &mask,
            self.totals,
            most,
            &contest,
        )
    }
}
