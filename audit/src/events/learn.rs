//! The search for an event: the family that promises most, refined part by part.
//!
//! A search among so many events finds some that look good by luck, the rarest ones first. So it is made on one half of
//! the training outputs, with little caution and with much, and all that it says is the few events that it came by on
//! its way: the other half chooses among them.

use super::cells::Contest;
use super::column::{Column, Histogram, Outputs, Values, mask};
use super::feature::Feature;
use super::features::features;
use super::interval::interval;
use super::odds::{Guess, Odds};
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
/// The caution of the choice among what they came by: the largest of some twenty normal variables is about 2.
const CHOICE: f64 = 2.0;

/// The caution of the last fit of a threshold: some ten of its events are unlike enough to be different ones.
const REFIT: f64 = 2.0;

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
        let longest = outputs[0].len().max(outputs[1].len());
        let affordable = MOST_VALUES / (2 * features.len());
        if longest > affordable && features.len() > FINALISTS {
            let few = outputs.map(|all| &all[..all.len().min(affordable)]);
            features = Lesson::of(features, all, few, few, aim).finalists();
        }
        Lesson::of(features, all, outputs, held, aim)
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
            for predicate in self.searched(&whole, caution) {
                if !found.contains(&predicate) {
                    found.push(predicate);
                }
            }
        }
        // 2. The outputs that were held out choose, the simple events first.
        let totals = Counts(self.held.map(|all| all.len() as u64));
        let judge = Judge::cautious(&self.aim, totals, CHOICE);
        let mut best = nothing();
        let mut shown: (f64, Found) = (0.0, nothing());
        for predicate in found {
            let count =
                |all: &[Output]| all.iter().filter(|output| predicate.holds(output)).count();
            let counts = Counts(self.held.map(|all| count(all) as u64));
            let score = judge.score(counts);
            let ratio = counts.ratio(totals).ln().abs();
            if ratio > shown.0 {
                shown = (ratio, (score, predicate.clone()));
            }
            let by = if best.1 == Predicate::never() {
                0.0
            } else {
                MARGIN
            };
            if score.better_than(best.0, by) {
                best = (score, predicate);
            }
        }
        // 3. If none promises anything, the one that looks most unlike: an event shows a reader more than none.
        if best.1 == Predicate::never() {
            best = shown.1;
        }
        // 4. Where a threshold is, all outputs say better than a half.
        if let Some(refitted) = self.refitted(&best.1) {
            best = refitted;
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
        found.0.better_than(old, MARGIN).then_some(found)
    }

    /// What a search comes by: the best of each family, and the refinements of the best of all.
    fn searched(&self, whole: &[Histogram], caution: f64) -> Vec<Predicate> {
        let judge = Judge::cautious(&self.aim, self.totals, caution);
        let mut best = nothing();
        let mut found = Vec::new();
        // 1. The best of each family, the simple families first.
        for family in FAMILIES {
            let base = Counts::default();
            let mut of_family = nothing();
            let all = Among {
                histograms: whole,
                base,
            };
            self.improve(&mut of_family, MARGIN, &[family], &all, &judge, |it| it);
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
        // 2. One part after the other: a condition more, or an alternative more.
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
            let narrowed = self.improve(&mut best, WORTH, families, &within, &judge, |it| {
                old.and(it)
            });
            let widened = self.improve(&mut best, WORTH, families, &without, &judge, |it| {
                old.or(it)
            });
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
    /// pooled one, "as often on both", or what a logistic model of the numbers believes.
    #[must_use]
    pub fn guess(&self, cells: &Cells, claim: &Null) -> Guess {
        let numbers = || {
            let features = self.columns.iter().map(|column| column.feature.clone());
            features.filter(|feature| feature.is_number() || *feature == Feature::Length)
        };
        let model = |outputs| {
            let odds = Odds::fit(numbers().collect(), outputs)?;
            Some(odds.guess(cells, outputs))
        };
        let (contest, past) = (self.contest(claim), cells.count_all(self.outputs));
        let growth = |guess: &Guess| contest.growth(cells, &past, guess);
        let (even, pooled) = (Guess::even(cells.count()), Guess::Pooled);
        let (of_even, of_pooled) = (growth(&even), growth(&pooled));
        let of_model = model(self.outputs).map_or(f64::NEG_INFINITY, |guess| growth(&guess));
        if of_model > f64::max(of_even, of_pooled) {
            // Fitted once more, to all.
            model(self.all).unwrap_or(even)
        } else if of_pooled >= of_even {
            pooled
        } else {
            even
        }
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
