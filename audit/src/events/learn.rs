//! The search for an event: the family that promises most, refined part by part.
//!
//! A search among so many events finds some that look good by luck, the rarest ones first. So it is made on one half of
//! the training outputs, with little caution and with much, and all that it says is the few events that it came by on
//! its way: the other half chooses among them.

use super::cells::Contest;
use super::column::{Column, Histogram, Mask, Outputs, Values, mask};
use super::feature::Feature;
use super::features::features;
use super::interval::interval;
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
/// The caution of the choice among what they came by: the largest of a handful of normal variables is about 1.
const CHOICE: f64 = 1.0;

/// An event so far.
type Found = (Score, Predicate);

/// The families of events of one column.
#[derive(Debug, Clone, Copy)]
enum Family {
    /// Thresholds where there is an order, and sets where there is none.
    Simple,
    /// Intervals and their complements.
    Intervals,
}

/// The simple ones first.
const FAMILIES: [Family; 2] = [Family::Simple, Family::Intervals];

/// What training outputs teach: an event and a partition.
pub struct Lesson<'a> {
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
            features = Lesson::of(features, few, few, aim).finalists();
        }
        Lesson::of(features, outputs, held, aim)
    }

    fn of(features: Vec<Feature>, outputs: Outputs<'a>, held: Outputs<'a>, aim: Aim) -> Self {
        let columns = features.into_iter();
        Self {
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

    /// The outputs that were not searched: what was found shows in them as in others, but for a choice among few.
    #[must_use]
    pub fn held(&self) -> [&'a [Output]; 2] {
        self.held
    }

    /// The event that promises the largest bound on epsilon.
    #[must_use]
    pub fn event(&self) -> Event {
        // 1. The events that the searches came by, those of the most cautious one first.
        let mut found: Vec<Predicate> = Vec::new();
        for caution in CAUTIONS {
            found.extend(self.searched(caution));
        }
        // 2. The outputs that were held out choose.
        let totals = Counts(self.held.map(|all| all.len() as u64));
        let judge = Judge::cautious(&self.aim, totals, CHOICE);
        let mut best: Found = (Score::nothing(), Predicate::never());
        for predicate in found {
            let count =
                |all: &[Output]| all.iter().filter(|output| predicate.holds(output)).count();
            let score = judge.score(Counts(self.held.map(|all| count(all) as u64)));
            if score.better_than(best.0, 0.0) {
                best = (score, predicate);
            }
        }
        Event {
            likelier: best.0.likelier,
            predicate: best.1,
        }
    }

    /// What a search comes by: the best of the families, and its refinements.
    fn searched(&self, caution: f64) -> Vec<Predicate> {
        let judge = Judge::cautious(&self.aim, self.totals, caution);
        let mut best: Found = (Score::nothing(), Predicate::never());
        // 1. The best of each family, the simple families first.
        self.improve(&mut best, None, Counts::default(), &judge, |found| found);
        let mut found = vec![best.1.clone()];
        // 2. One part after the other: a condition more, or an alternative more.
        for _ in 0..REFINEMENTS {
            let old = best.1.clone();
            let mask = mask(self.outputs, |output| old.holds(output));
            let inside = Counts(
                mask.each_ref()
                    .map(|m| m.iter().filter(|b| **b).count() as u64),
            );
            let chosen = Some((&mask, true));
            let base = Counts::default();
            let narrowed = self.improve(&mut best, chosen, base, &judge, |found| old.and(found));
            let chosen = Some((&mask, false));
            let widened = self.improve(&mut best, chosen, inside, &judge, |found| old.or(found));
            if !(narrowed || widened) {
                break;
            }
            found.push(best.1.clone());
        }
        found
    }

    /// Puts the best event on the `chosen` outputs, together with the `base` that is in it anyway, in the place
    /// of `best`, if it is better by a margin. Says whether it did.
    fn improve(
        &self,
        best: &mut Found,
        chosen: Option<(&Mask, bool)>,
        base: Counts,
        judge: &Judge,
        join: impl Fn(Predicate) -> Predicate,
    ) -> bool {
        let histograms: Vec<Histogram> = self
            .columns
            .iter()
            .map(|column| column.histogram(chosen))
            .collect();
        let mut improved = false;
        for family in FAMILIES {
            let by = match (family, chosen) {
                (Family::Simple, None) => MARGIN,
                _ => WORTH,
            };
            for (column, histogram) in self.columns.iter().zip(&histograms) {
                if let Some((score, predicate)) =
                    self.best_of(family, column, histogram, base, judge)
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
            (Family::Simple, Values::Ordered(values)) => {
                threshold(feature, values, histogram, base, judge)
            }
            (Family::Simple, Values::Keys(keys)) => set(feature, keys, histogram, base, judge),
            (Family::Intervals, Values::Ordered(values)) => {
                interval(feature, values, histogram, base, judge)
            }
            (Family::Intervals, Values::Keys(_)) => None,
        }
    }

    /// The partition that wealth against the claim grows most on, of those by one feature and the event, into at most
    /// `most` cells: from 8 to [`super::MOST_CELLS`].
    #[must_use]
    pub fn cells(&self, event: &Event, most: usize, claim: &Null) -> Cells {
        let mask = mask(self.outputs, |output| event.contains(output));
        let contest = Contest {
            held: self.held,
            claim,
        };
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
