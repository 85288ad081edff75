//! The search for an event: the family that promises most, refined part by part.
//!
//! A search among so many events finds some that look good by luck, the rarest ones first. So it is made on one half of
//! the training outputs, with much caution, with little and with none, and all that it says is the few events that it
//! came by on its way: the other half chooses among them, with as much caution as leaves one that promises something.

use super::column::{Column, Histogram, Values, mask};
use super::family::{FAMILIES, Family, Found};
use super::lesson::Lesson;
use super::outcomes::{MOST_OUTCOMES, Outcomes};
use super::promise::{
    Aim, CHOICES, Counts, EXPECTED, Judge, LATER, LINE, LONGER, REFIT, SEARCHES, Score,
};
use crate::events::event::Event;
use crate::events::features::Feature;
use crate::events::model::Odds;
use crate::events::outputs::Outputs;
use crate::events::predicate::Predicate;
use crate::targets::Output;

/// The most parts that an event is refined by: a person reads it.
const REFINEMENTS: usize = 3;

/// Some of the outputs, as the histogram of each column, and how many others are in the event anyway.
struct Among {
    histograms: Vec<Histogram>,
    base: Counts,
}

/// Where a search begins.
fn nothing() -> Found {
    (Score::nothing(), Predicate::never())
}

/// The event that promises the largest lower bound on epsilon at `delta`, if it is counted on three times as
/// many outputs: [`Aim::after`]. [`Lesson`] learns for another aim, and cells from the same reading.
///
/// The two slices are outputs on the two datasets of a pair; the event must be counted on others.
#[must_use]
pub fn learn_event(first: &[Output], second: &[Output], delta: f64) -> Event {
    let aim = Aim::after(first.len().max(second.len()), delta);
    Lesson::new(first, second, aim).event()
}

impl Lesson<'_> {
    /// The event that promises the largest bound on epsilon.
    #[must_use]
    pub fn event(&self) -> Event {
        // 1. The events that the searches come by, those of the most cautious one first.
        let candidates = self.candidates();
        // 2. The outputs that were held out choose.
        let (mut best, caution) = self.chosen(candidates);
        // 3. Where a threshold is, all outputs say better than a half.
        if let Some(refitted) = self.refitted(&best.1) {
            best = refitted;
        }
        // 4. If the outcomes are few, their shrunk frequencies.
        if let Some(set) = self.outcome_set(&best.1, caution) {
            best = set;
        }
        // 5. With a delta, the half-line that a straight line believes in.
        if let Some(line) = self.half_line(&best.1) {
            best = line;
        }
        let (score, predicate) = best;
        Event {
            likelier: score.likelier,
            predicate,
        }
    }

    /// The half-line of the straight line, where the claim has a delta, unless the event does better by a margin that luck
    /// hardly has.
    fn half_line(&self, event: &Predicate) -> Option<Found> {
        if self.aim.delta <= 0.0 {
            return None;
        }
        let line = self.line_event()?;
        let judge = Judge::cautious(&self.aim, Counts::of(self.all), 0.0);
        let of_event = judge.score(Counts::holding(event, self.all));
        let is_chosen =
            line.0.better_than(Score::nothing(), 0.0) && !of_event.better_than(line.0, LINE);
        is_chosen.then_some(line)
    }

    /// The different events that searches with each caution come by, and the simple ones of a search without a test to come.
    fn candidates(&self) -> Vec<Predicate> {
        let totals = Counts::of(self.searched);
        let columns = self.columns.iter();
        let all = Among {
            histograms: columns.map(|column| column.histogram(None)).collect(),
            base: Counts::default(),
        };
        let mut found: Vec<Predicate> = Vec::new();
        for caution in SEARCHES {
            let judge = Judge::cautious(&self.aim, totals, caution);
            let (simple, best) = self.simple(&all, &judge);
            found.extend(simple);
            found.extend(self.refined(best, &judge));
        }
        found.extend(self.simple(&all, &Judge::bare(&self.aim, totals)).0);
        let mut different: Vec<Predicate> = Vec::new();
        for predicate in found {
            if !different.contains(&predicate) {
                different.push(predicate);
            }
        }
        different
    }

    /// The best event of each family, if it promises anything, the simple families first; and the best of these.
    fn simple(&self, all: &Among, judge: &Judge) -> (Vec<Predicate>, Found) {
        let (mut found, mut best) = (Vec::new(), nothing());
        for family in FAMILIES {
            let mut of_family = nothing();
            if !self.improve(&mut of_family, LATER, &[family], all, judge, |it| it) {
                continue;
            }
            let by = if family == Family::Intervals {
                LONGER
            } else {
                LATER
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
            let mask = mask(self.searched, |output| old.holds(output));
            let among = |inside: bool, base: Counts| {
                let columns = self.columns.iter();
                let histograms = columns.map(|column| column.histogram(Some((&mask, inside))));
                Among {
                    histograms: histograms.collect(),
                    base,
                }
            };
            let within = among(true, Counts::default());
            let without = among(false, Counts::holding(&old, self.searched));
            let families = &FAMILIES;
            let narrowed = self.improve(&mut best, LONGER, families, &within, judge, |it| {
                old.and(it)
            });
            let widened = self.improve(&mut best, LONGER, families, &without, judge, |it| {
                old.or(it)
            });
            if !(narrowed || widened) {
                break;
            }
            found.push(best.1.clone());
        }
        found
    }

    /// Replaces `best` by the best event of these families among some of the outputs, if that is better by a margin.
    /// Says whether it did.
    fn improve(
        &self,
        best: &mut Found,
        by: f64,
        families: &[Family],
        among: &Among,
        judge: &Judge,
        join: impl Fn(Predicate) -> Predicate,
    ) -> bool {
        let mut improved = false;
        for family in families {
            for (column, histogram) in self.columns.iter().zip(&among.histograms) {
                if let Some((score, predicate)) = family.best(column, histogram, among.base, judge)
                    && score.better_than(best.0, by)
                {
                    *best = (score, join(predicate));
                    improved = true;
                }
            }
        }
        improved
    }

    /// The best of the candidates on the outputs that were held out, the first ones first, and the caution with which it was
    /// chosen: the first that leaves one. If none promises anything, the one that looks most unlike: an event shows a reader
    /// more than none.
    fn chosen(&self, candidates: Vec<Predicate>) -> (Found, f64) {
        let totals = Counts::of(self.held);
        let counted: Vec<(Counts, Predicate)> = candidates
            .into_iter()
            .map(|predicate| (Counts::holding(&predicate, self.held), predicate))
            .collect();
        for caution in CHOICES {
            let judge = Judge::cautious(&self.aim, totals, caution);
            let mut best = nothing();
            for (counts, predicate) in &counted {
                let score = judge.score(*counts);
                if score.better_than(best.0, LATER) {
                    best = (score, predicate.clone());
                }
            }
            if best.1 != Predicate::never() {
                return (best, caution);
            }
        }
        let unlike = |counts: &Counts| counts.ratio(totals).ln().abs();
        let most = counted
            .into_iter()
            .rev()
            .max_by(|a, b| unlike(&a.0).total_cmp(&unlike(&b.0)));
        let judge = Judge::bare(&self.aim, totals);
        let found = most.map(|(counts, predicate)| (judge.score(counts), predicate));
        (found.unwrap_or_else(nothing), CHOICES[CHOICES.len() - 1])
    }

    /// The best threshold of the same feature by all outputs, if it is better by a margin; `None` for events of more
    /// choices, which would fit their own outputs.
    fn refitted(&self, event: &Predicate) -> Option<Found> {
        let (Predicate::AtMost { feature, .. } | Predicate::AtLeast { feature, .. }) = event else {
            return None;
        };
        let judge = Judge::cautious(&self.aim, Counts::of(self.all), REFIT);
        let column = Column::new(feature.clone(), self.all);
        let (histogram, base) = (column.histogram(None), Counts::default());
        let found = Family::Thresholds.best(&column, &histogram, base, &judge)?;
        let old = judge.score(Counts::holding(event, self.all));
        let is_better = [old, Score::nothing()]
            .iter()
            .all(|old| found.0.better_than(*old, LATER));
        is_better.then_some(found)
    }

    /// The best set of outcomes by their shrunk frequencies in all outputs. It must promise more than the event does by
    /// these frequencies, and more than the event does by its counts with the caution that it was chosen with: a rare
    /// leak among many outcomes that do not leak is shrunk away.
    fn outcome_set(&self, event: &Predicate, caution: f64) -> Option<Found> {
        // 1. Nearly always they are too many, and half of the outputs show it.
        let exact = self.whole()?;
        let column = self.columns.iter().find(|column| column.feature == exact)?;
        if matches!(&column.values, Values::Keys(keys) if keys.len() > MOST_OUTCOMES) {
            return None;
        }
        let shrunk = |outputs| {
            let odds = Odds::fit(self.numbers.clone(), outputs);
            let belief = |output: &Output| odds.as_ref().map_or(0.5, |odds| odds.first(output));
            Outcomes::of(outputs, exact.clone(), belief)
        };
        let counted = |outputs: Outputs<'_>, predicate: &Predicate| {
            let judge = Judge::cautious(&self.aim, Counts::of(outputs), caution);
            judge.score(Counts::holding(predicate, outputs))
        };
        // 2. On numbers thresholds are usually as good, and a lucky set costs more: is the best set of the searched
        // outputs better on the others?
        if self.numbers.contains(&Feature::Number { at: None }) {
            let judge = Judge::cautious(&self.aim, Counts::of(self.searched), 0.0);
            let tried = shrunk(self.searched)?.best(&judge)?.1;
            if !counted(self.held, &tried).better_than(counted(self.held, event), LATER) {
                return None;
            }
        }
        // 3. The best set of all outputs.
        let judge = Judge::cautious(&self.aim, Counts::of(self.all), 0.0);
        let outcomes = shrunk(self.all)?;
        let found = outcomes.best(&judge)?;
        let by_shrinking = judge.expected(outcomes.expected(event));
        let is_better = [by_shrinking, counted(self.all, event), Score::nothing()]
            .iter()
            .all(|old| found.0.better_than(*old, EXPECTED));
        is_better.then_some(found)
    }
}
