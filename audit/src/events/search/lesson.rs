//! What training outputs teach: the event that promises most, and partitions to bet on.
//!
//! Half of the outputs are searched, and the other half, which is held out, chooses among what was found.

use super::column::{Column, mask};
use super::estimator::Estimator;
use super::family::FAMILIES;
use super::partition::{Contest, Partition};
use super::promise::{Aim, Counts, Judge};
use crate::events::event::Event;
use crate::events::features::{Aspect, Feature, features};
use crate::events::model::{Odds, weighted_sum};
use crate::events::outputs::{MOST_OUTPUTS, Outputs};
use crate::targets::Output;
use dp_assay::stats::Null;

/// The most values that are read off outputs at a time: many features are first compared on few outputs.
const MOST_VALUES: usize = 1 << 20;
/// So many features are then looked at on all outputs: the rest promise less, and each costs a pass.
const FINALISTS: usize = 12;

/// What training outputs teach.
pub struct Lesson<'a> {
    /// All of them.
    pub(super) all: Outputs<'a>,
    /// Those that are searched.
    pub(super) searched: Outputs<'a>,
    /// Those that choose among what was found.
    pub(super) held: Outputs<'a>,
    /// Each feature, read off those that are searched.
    pub(super) columns: Vec<Column<'a>>,
    /// What a model of the odds is fitted to: the numbers and the length.
    pub(super) numbers: Vec<Feature>,
    pub(super) aim: Aim,
    aspect: Aspect,
}

impl<'a> Lesson<'a> {
    /// Reads the outputs on the two datasets: at most [`MOST_OUTPUTS`] of each, the first ones.
    #[must_use]
    pub fn new(first: &'a [Output], second: &'a [Output], aim: Aim) -> Self {
        Self::of(first, second, aim, Aspect::Whole)
    }

    /// The same in one aspect of the outputs.
    #[must_use]
    pub fn of(first: &'a [Output], second: &'a [Output], aim: Aim, aspect: Aspect) -> Self {
        let all = [first, second].map(|all| &all[..all.len().min(MOST_OUTPUTS)]);
        let searched = all.map(|all| &all[..all.len() / 2]);
        let held = all.map(|all| &all[all.len() / 2..]);
        // 1. What is read of such outputs, what is learned of their numbers and bits together, and the whole outputs.
        let mut features = features(searched, aspect);
        let those = |wanted: fn(&Feature) -> bool| -> Vec<Feature> {
            features.iter().filter(|f| wanted(f)).cloned().collect()
        };
        let numbers = match aspect {
            Aspect::Bits => those(Feature::is_bit),
            _ => those(|feature| feature.is_number() || *feature == Feature::Length),
        };
        let sums = [those(Feature::is_number), those(Feature::is_bit)];
        features.extend(
            sums.iter()
                .filter_map(|terms| weighted_sum(terms, searched)),
        );
        features.extend(whole(aspect));
        // 2. Of too many, those that promise most on few outputs.
        let affordable = MOST_VALUES / (2 * features.len().max(1));
        if searched.iter().any(|all| all.len() > affordable) && features.len() > FINALISTS {
            let few = searched.map(|all| &all[..all.len().min(affordable)]);
            features = finalists(features, few, aim);
        }
        let columns = features.into_iter();
        Self {
            all,
            searched,
            held,
            columns: columns.map(|f| Column::new(f, searched)).collect(),
            numbers,
            aim,
            aspect,
        }
    }

    /// Learns from now on for this delta. What was read of the outputs stays.
    pub fn aim_at(&mut self, delta: f64) {
        self.aim.delta = delta;
    }

    /// The outputs that are learned from.
    #[must_use]
    pub fn all(&self) -> [&'a [Output]; 2] {
        self.all
    }

    /// The outputs that were not searched. They served only to choose among few events, so they are nearly fresh.
    #[must_use]
    pub fn held(&self) -> [&'a [Output]; 2] {
        self.held
    }

    /// The whole output in this aspect.
    pub(super) fn whole(&self) -> Option<Feature> {
        whole(self.aspect)
    }

    /// The outputs themselves, each in a cell of its own, if they are few.
    #[must_use]
    pub fn outcomes(&self) -> Option<Partition> {
        Partition::outcomes(self.all, &self.whole()?)
    }

    /// The partition that wealth against the claim grows most on, of those by one feature and the event, into at most
    /// `most` cells: from 8 to [`super::MOST_CELLS`].
    #[must_use]
    pub fn cells(&self, event: &Event, most: usize, claim: &Null) -> Partition {
        let mask = mask(self.searched, |output| event.contains(output));
        let totals = Counts::of(self.searched);
        let contest = self.contest(claim);
        contest.best(&self.columns, &event.predicate, &mask, totals, most)
    }

    /// The estimator by which a bet on the cells, made from the outputs that were searched, grows most on the others: the
    /// pooled one, or "as often on both".
    #[must_use]
    pub fn estimator(&self, cells: &Partition, claim: &Null) -> Estimator {
        let (contest, past) = (self.contest(claim), cells.count_all(self.searched));
        let growth = |estimator: &Estimator| contest.growth(cells, &past, estimator);
        let (even, pooled) = (Estimator::even(cells.count()), Estimator::Pooled);
        let (of_even, of_pooled) = (growth(&even), growth(&pooled));
        if of_pooled >= of_even { pooled } else { even }
    }

    /// Cells by the odds that a model of the numbers believes, and the estimator that believes them.
    #[must_use]
    pub fn by_odds(&self) -> Option<(Partition, Estimator)> {
        let odds = Odds::fit(self.numbers.clone(), self.all)?;
        let cells = Partition::by_odds(odds.clone());
        let shares = cells.means(self.all, |output| odds.first(output));
        Some((cells, Estimator::believing(shares)))
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
}

/// The whole output in an aspect; `None` if that is one of a part of it only.
fn whole(aspect: Aspect) -> Option<Feature> {
    let at = None;
    match aspect {
        Aspect::Whole => Some(Feature::Exact { at }),
        Aspect::Values | Aspect::Time => Some(Feature::Value { at }),
        Aspect::Bits => None,
    }
}

/// The features that promise most by themselves, in their order; errors and whole outputs always.
fn finalists(features: Vec<Feature>, outputs: Outputs<'_>, aim: Aim) -> Vec<Feature> {
    let judge = Judge::new(&aim, Counts::of(outputs));
    let promise = |feature: &Feature| {
        if matches!(
            feature,
            Feature::Error | Feature::Exact { at: None } | Feature::Value { at: None }
        ) {
            return f64::INFINITY;
        }
        let column = Column::new(feature.clone(), outputs);
        let (histogram, base) = (column.histogram(None), Counts::default());
        let best = FAMILIES
            .iter()
            .filter_map(|f| f.best(&column, &histogram, base, &judge));
        let promises = best.map(|(score, _)| score.epsilon());
        promises.fold(f64::NEG_INFINITY, f64::max)
    };
    let mut ranked: Vec<(f64, usize)> = features.iter().map(promise).zip(0..).collect();
    ranked.sort_by(|(x, a), (y, b)| y.total_cmp(x).then(a.cmp(b)));
    ranked.truncate(FINALISTS);
    let is_chosen = |index: usize| ranked.iter().any(|(_, chosen)| *chosen == index);
    let chosen = features.into_iter().enumerate();
    chosen
        .filter(|(index, _)| is_chosen(*index))
        .map(|(_, feature)| feature)
        .collect()
}
