//! Partitions of all outputs into cells.
//!
//! Of the partitions by one feature that one is learned on which wealth would have grown most: by a bet made from some
//! training outputs, on others.

use super::column::{Column, Histogram, Mask, Values, both};
use super::estimator::Estimator;
use super::promise::Counts;
use super::set::LARGEST_SET;
use crate::events::event::Event;
use crate::events::features::{Feature, Real};
use crate::events::model::Odds;
use crate::events::outputs::Outputs;
use crate::events::predicate::Predicate;
use crate::targets::Output;
use dp_assay::stats::{CellCounts, EVariable, Null, Side};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The most cells of a learned partition: frequencies are known from the calls that a first proof takes.
pub const MOST_CELLS: usize = 64;
/// The fewest cells that one is learned with: with the event apart, half of them are two bins and two more.
const LEAST_CELLS: usize = 8;
/// So much more wealth, as a logarithm, must a later partition have won: the simple features come first. Little, since
/// laws are guessed from other outputs than those that a partition was fitted to, and a choice by luck costs little.
const LATER_WEALTH: f64 = 0.1;
/// The most outputs that have a cell each. With more, many bets would be on cells that nobody has seen.
const MOST_OUTCOMES: usize = 256;
/// How often each of these must have come on the mean: once is no frequency.
const MEAN: usize = 2;
/// Quantiles at which the tails are cut, where rare outputs tell most.
const TAILS: [f64; 4] = [1e-4, 1e-3, 0.999, 0.9999];
/// With fewer cells the tails are not cut.
const FOR_TAILS: usize = 16;
/// The logarithms of the odds of a model are cut at this many multiples of a quarter on either side of 0.
const QUARTERS: i32 = 16;

/// A partition of all outputs.
#[derive(Debug, Clone)]
pub struct Partition {
    feature: Feature,
    bins: Bins,
    /// Outputs in and outside of this are in different cells.
    event: Option<Predicate>,
    cells: usize,
    /// Whether the bins were chosen by where the two datasets differ.
    is_fitted: bool,
}

#[derive(Debug, Clone)]
enum Bins {
    /// The bins between these values: `value <= edge` goes left.
    Edges(Vec<f64>),
    /// The bin of each key, and how many bins there are.
    Keys(HashMap<Output, usize>, usize),
    /// The bins between these values of the odds that a model believes, as logarithms.
    Odds(Rc<Odds>, Vec<f64>),
    /// All outputs together.
    Whole,
}

impl Partition {
    /// The event, and all other outputs.
    #[must_use]
    pub fn two(event: &Event) -> Self {
        Self {
            feature: Feature::Length,
            bins: Bins::Whole,
            event: Some(event.predicate.clone()),
            cells: 2,
            is_fitted: true,
        }
    }

    /// All outputs in one cell.
    fn trivial() -> Self {
        Self {
            feature: Feature::Length,
            bins: Bins::Whole,
            event: None,
            cells: 1,
            is_fitted: false,
        }
    }

    /// The outputs themselves, each in a cell of its own, and one cell for all that were not among these; `None` if
    /// there are too many. No partition tells more, and this one is not fitted to anything.
    pub(super) fn outcomes(outputs: [&[Output]; 2], whole: &Feature) -> Option<Self> {
        let calls: usize = outputs.iter().map(|all| all.len()).sum();
        let most = MOST_OUTCOMES.min(calls / MEAN);
        let mut keys: HashMap<Cow<'_, Output>, usize> = HashMap::new();
        for key in outputs.into_iter().flatten().filter_map(|o| whole.key(o)) {
            let next = keys.len();
            keys.entry(key).or_insert(next);
            if keys.len() > most {
                return None;
            }
        }
        let bins = keys.len();
        let keys = keys.into_iter().map(|(key, bin)| (key.into_owned(), bin));
        Some(Self {
            feature: whole.clone(),
            bins: Bins::Keys(keys.collect(), bins),
            event: None,
            cells: bins + 1,
            is_fitted: false,
        })
    }

    /// The outputs by the odds that a model believes of them, as logarithms: by quarters.
    pub(super) fn by_odds(odds: Odds) -> Self {
        let quarters = -QUARTERS..=QUARTERS;
        let edges: Vec<f64> = quarters.map(|k| f64::from(k) / 4.0).collect();
        Self {
            cells: edges.len() + 2,
            feature: Feature::Exact { at: None },
            bins: Bins::Odds(Rc::new(odds), edges),
            event: None,
            is_fitted: false,
        }
    }

    /// The mean belief in each cell, over its outputs and one more: of the odds that its outputs have, or else of belief 1/2.
    pub(super) fn means(&self, outputs: Outputs<'_>, belief: impl Fn(&Output) -> f64) -> Vec<f64> {
        let start = |cell| (1.0, self.bins.middle(cell));
        let mut sums: Vec<(f64, f64)> = (0..self.cells).map(start).collect();
        for output in outputs.into_iter().flatten() {
            let (n, sum) = &mut sums[self.index(output)];
            (*n, *sum) = (*n + 1.0, *sum + belief(output));
        }
        sums.into_iter().map(|(n, sum)| sum / n).collect()
    }

    /// The cells of these bins of a column, and how often each came. The histograms are those of the outputs outside and
    /// inside of the event, if there is one.
    fn counted(
        column: &Column<'_>,
        bins: Bins,
        event: Option<(&Predicate, &Mask)>,
        histograms: &[&Histogram],
    ) -> (Self, CellCounts) {
        let (each, of_value) = (bins.count(), bins.of_values(column));
        let cells = each * histograms.len();
        let mut past = [vec![0; cells], vec![0; cells]];
        let mut add = |cell: usize, counts: Counts| {
            for (past, count) in past.iter_mut().zip(counts.0) {
                past[cell] += count;
            }
        };
        for (block, histogram) in histograms.iter().enumerate() {
            for (halves, bin) in histogram.iter().zip(&of_value) {
                add(block * each + bin, both(halves));
            }
        }
        // Outputs without a value are not in the histograms.
        let absent = column.absent(event.map(|(_, mask)| mask));
        for (block, counts) in absent.into_iter().enumerate().take(histograms.len()) {
            add(block * each + each - 1, counts);
        }
        let is_merged = matches!(&bins, Bins::Keys(keys, bins) if keys.len() > *bins);
        let is_weighted = matches!(column.feature, Feature::Weighted { .. });
        let partition = Self {
            is_fitted: event.is_some() || is_merged || is_weighted,
            feature: column.feature.clone(),
            bins,
            event: event.map(|(predicate, _)| predicate.clone()),
            cells,
        };
        (partition, past)
    }

    /// What is in a cell, as an event says it; `None` where that is what no other cell holds, or the belief of a model. Of
    /// cells outside of an event it says what they have in common with those inside.
    #[must_use]
    pub fn predicate(&self, cell: usize) -> Option<Predicate> {
        let each = self.bins.count();
        let of_bin = self.bins.predicate(&self.feature, cell % each);
        match &self.event {
            Some(event) if cell >= each => Some(match of_bin {
                Some(bin) => event.and(bin),
                None => event.clone(),
            }),
            _ => of_bin,
        }
    }

    /// How often each cell came.
    pub(super) fn count_all(&self, outputs: Outputs<'_>) -> CellCounts {
        outputs.map(|outputs| {
            let mut counts = vec![0; self.cells];
            for output in outputs {
                counts[self.index(output)] += 1;
            }
            counts
        })
    }

    /// The cell of an output, below [`Partition::count`].
    #[must_use]
    pub fn index(&self, output: &Output) -> usize {
        self.place(output, None)
    }

    /// The same, if it is known whether the output is in the event that the cells were learned with.
    #[must_use]
    pub fn index_if(&self, output: &Output, is_inside: bool) -> usize {
        self.place(output, Some(is_inside))
    }

    fn place(&self, output: &Output, is_inside: Option<bool>) -> usize {
        let bin = self.bins.bin(&self.feature, output);
        match &self.event {
            Some(event) if is_inside.unwrap_or_else(|| event.holds(output)) => {
                bin + self.bins.count()
            }
            _ => bin,
        }
    }

    /// Whether the outputs that they were learned from look more unlike in them than they are: laws must then be guessed
    /// from others.
    #[must_use]
    pub fn is_fitted(&self) -> bool {
        self.is_fitted
    }

    /// How many cells there are: at least 1.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells
    }
}

impl Bins {
    /// At most `most` bins of a column.
    fn of(column: &Column<'_>, histogram: &Histogram, totals: Counts, most: usize) -> Self {
        let most = most - 2;
        match &column.values {
            Values::Ordered(values) if values.len() <= most => Self::Edges(values.clone()),
            Values::Ordered(values) => Self::Edges(quantiles(values, histogram, most)),
            Values::Keys(keys) => {
                let mut ranked: Vec<(&Output, Counts)> = keys
                    .iter()
                    .zip(histogram)
                    .map(|(key, halves)| (&**key, both(halves)))
                    .collect();
                // The most frequent; of too many for a bin each, those of similar ratios together.
                ranked.sort_by(|(a, x), (b, y)| y.sum().cmp(&x.sum()).then_with(|| a.cmp(b)));
                ranked.truncate(LARGEST_SET);
                if ranked.len() > most {
                    ranked.sort_by(|(a, x), (b, y)| {
                        let order = x.ratio(totals).total_cmp(&y.ratio(totals));
                        order.then_with(|| a.cmp(b))
                    });
                }
                let (all, bins) = (ranked.len(), ranked.len().min(most));
                let binned = ranked.into_iter().enumerate();
                let binned = binned
                    .map(|(index, (key, _))| (key.clone(), index * bins / all.max(1)))
                    .collect();
                Self::Keys(binned, bins)
            }
        }
    }

    /// What is in a bin that has an edge, or keys.
    fn predicate(&self, feature: &Feature, bin: usize) -> Option<Predicate> {
        let feature = feature.clone();
        match self {
            Self::Edges(edges) => {
                let above = |edge: &f64| Real::new(edge.next_up());
                Some(
                    match (
                        bin.checked_sub(1).and_then(|b| edges.get(b)),
                        edges.get(bin),
                    ) {
                        (None, Some(high)) => Predicate::AtMost {
                            feature,
                            bound: Real::new(*high),
                        },
                        (Some(low), Some(high)) => Predicate::Between {
                            feature,
                            low: above(low),
                            high: Real::new(*high),
                        },
                        (Some(low), None) if bin == edges.len() => Predicate::AtLeast {
                            feature,
                            bound: above(low),
                        },
                        _ => return None,
                    },
                )
            }
            Self::Keys(keys, _) => {
                let here = keys.iter().filter(|(_, other)| **other == bin);
                let values: BTreeSet<Output> = here.map(|(key, _)| key.clone()).collect();
                (!values.is_empty()).then_some(Predicate::OneOf { feature, values })
            }
            Self::Odds(..) | Self::Whole => None,
        }
    }

    /// How many bins there are; the last is for what has no value.
    fn count(&self) -> usize {
        match self {
            Self::Edges(edges) | Self::Odds(_, edges) => edges.len() + 2,
            Self::Keys(_, bins) => bins + 1,
            Self::Whole => 1,
        }
    }

    fn bin(&self, feature: &Feature, output: &Output) -> usize {
        let bin = match self {
            Self::Edges(edges) => feature.value(output).map(|value| Self::left(edges, value)),
            Self::Keys(keys, _) => feature.key(output).and_then(|key| keys.get(&*key)).copied(),
            Self::Odds(odds, edges) => {
                let share = odds.first(output);
                Some(Self::left(edges, (share / (1.0 - share)).ln()))
            }
            Self::Whole => None,
        };
        bin.unwrap_or(self.count() - 1)
    }

    /// The belief in the middle of a bin of odds; 1/2 for other bins.
    fn middle(&self, bin: usize) -> f64 {
        match self {
            Self::Odds(_, edges) if bin <= edges.len() => {
                // Half a quarter below the upper edge; the last bin has none.
                let log_odds = match edges.get(bin) {
                    Some(edge) => edge - 1.0 / 8.0,
                    None => edges[bin - 1] + 1.0 / 8.0,
                };
                1.0 / (1.0 + (-log_odds).exp())
            }
            _ => 0.5,
        }
    }

    fn left(edges: &[f64], value: f64) -> usize {
        edges.partition_point(|edge| *edge < value)
    }

    /// The bins of the values of the column that they were made from.
    fn of_values(&self, column: &Column<'_>) -> Vec<usize> {
        match (self, &column.values) {
            (Self::Edges(edges), Values::Ordered(values)) => {
                values.iter().map(|v| Self::left(edges, *v)).collect()
            }
            (Self::Keys(bins, _), Values::Keys(keys)) => keys
                .iter()
                .map(|key| bins.get(&**key).copied().unwrap_or(self.count() - 1))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// At most `most` values that cut the outputs into parts of equal mass, and cut off the tails.
fn quantiles(values: &[f64], histogram: &Histogram, most: usize) -> Vec<f64> {
    let mut below = 0;
    let below: Vec<u64> = histogram
        .iter()
        .map(|halves| {
            below += both(halves).sum();
            below
        })
        .collect();
    let last = below.last().map_or(0, |total| total.saturating_sub(1));
    // Many cells are there for many outputs, and some of them for the tails.
    let tails: &[f64] = if most < FOR_TAILS { &[] } else { &TAILS };
    let parts = most - tails.len();
    let even = (1..parts).map(|i| i as f64 / parts as f64);
    let mut edges: Vec<f64> = even
        .chain(tails.iter().copied())
        .map(|q| {
            let rank = (q * last as f64) as u64;
            values[below.partition_point(|count| *count <= rank)]
        })
        .collect();
    edges.sort_unstable_by(f64::total_cmp);
    edges.dedup();
    edges
}

/// What partitions are compared by.
pub(super) struct Contest<'a> {
    /// Outputs that the columns were not read from.
    pub(super) held: Outputs<'a>,
    /// The claim that is bet against.
    pub(super) claim: &'a Null,
}

impl Contest<'_> {
    /// The logarithm of the wealth on the outputs that were held out, of a bet on guesses made from others: how often each
    /// cell came there, and what the estimator believes of it besides.
    pub(super) fn growth(
        &self,
        cells: &Partition,
        past: &CellCounts,
        estimator: &Estimator,
    ) -> f64 {
        let Ok(laws) = estimator.laws(past) else {
            return 0.0;
        };
        let Ok(bet) = EVariable::new(self.claim, &laws[0], &laws[1]) else {
            return 0.0;
        };
        let mut growth = 0.0;
        for (side, counts) in [Side::First, Side::Second]
            .into_iter()
            .zip(cells.count_all(self.held))
        {
            for (cell, count) in counts.into_iter().enumerate() {
                growth += count as f64 * bet.log(side, cell).unwrap_or(0.0);
            }
        }
        growth
    }

    /// The partition by one column that wealth grows most on, into at most `most` cells, with and without the event apart.
    pub(super) fn best(
        &self,
        columns: &[Column<'_>],
        event: &Predicate,
        mask: &Mask,
        totals: Counts,
        most: usize,
    ) -> Partition {
        let most = most.clamp(LEAST_CELLS, MOST_CELLS);
        let mut best: Option<(f64, Partition)> = None;
        for column in columns {
            let outside = column.histogram(Some((mask, false)));
            let inside = column.histogram(Some((mask, true)));
            let all: Histogram = (outside.iter().zip(&inside))
                .map(|(a, b)| [a[0].plus(b[0]), a[1].plus(b[1])])
                .collect();
            let whole = Bins::of(column, &all, totals, most);
            let half = Bins::of(column, &all, totals, most / 2);
            for (cells, past) in [
                Partition::counted(column, whole, None, &[&all]),
                Partition::counted(column, half, Some((event, mask)), &[&outside, &inside]),
            ] {
                let growth = self.growth(&cells, &past, &Estimator::even(cells.cells));
                if best
                    .as_ref()
                    .is_none_or(|best| growth > best.0 + LATER_WEALTH)
                {
                    best = Some((growth, cells));
                }
            }
        }
        best.map_or_else(Partition::trivial, |(_, cells)| cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::tests::three_answers;

    /// Belief begins with odds that the outputs of a bin have.
    #[test]
    fn the_middle_of_a_bin_of_odds_is_in_it() {
        let sides = [three_answers(0, 64), three_answers(1, 64)];
        let numbers = (0..3).map(|at| Feature::Number { at: Some(at) }).collect();
        let odds = Odds::fit(numbers, [&sides[0], &sides[1]]).unwrap();
        let bins = Partition::by_odds(odds).bins;
        let Bins::Odds(_, edges) = &bins else {
            panic!("bins of odds");
        };
        for bin in 0..=edges.len() {
            let belief = bins.middle(bin);
            let found = Bins::left(edges, (belief / (1.0 - belief)).ln());
            assert_eq!(found, bin);
        }
        // What is not believed at all.
        assert!((bins.middle(edges.len() + 1) - 0.5).abs() < f64::EPSILON);
    }

    #[test]
    fn the_belief_of_a_cell_is_that_of_its_outputs_and_of_its_middle_once() {
        let sides = [three_answers(0, 64), three_answers(1, 64)];
        let numbers = (0..3).map(|at| Feature::Number { at: Some(at) }).collect();
        let odds = Odds::fit(numbers, [&sides[0], &sides[1]]).unwrap();
        let cells = Partition::by_odds(odds);
        let zeros = Output::Vector(vec![Output::Integer(0); 3]);
        let (one, three) = ([zeros.clone()], vec![zeros.clone(); 3]);
        let means = cells.means([&one, &three], |_| 0.25);
        for (cell, mean) in means.into_iter().enumerate() {
            let middle = cells.bins.middle(cell);
            let due = match cell == cells.index(&zeros) {
                true => (4.0 * 0.25 + middle) / 5.0,
                false => middle,
            };
            assert!((mean - due).abs() < 1e-12, "{cell}: {mean} {due}");
        }
    }
}
