//! Cells: a partition of all outputs.
//!
//! Of the partitions by one feature that one is learned on which wealth would have grown most: by a bet made from some
//! training outputs, on others.

use super::Event;
use super::column::{Column, Histogram, Mask, Outputs, Values, both};
use super::feature::Feature;
use super::odds::{Guess, Odds};
use super::predicate::Predicate;
use super::promise::Counts;
use super::set::LARGEST_SET;
use crate::targets::Output;
use dp_assay::stats::{CellCounts, EVariable, Null, Side};
use std::collections::HashMap;
use std::rc::Rc;

/// The most cells of a partition.
pub const MOST_CELLS: usize = 64;
/// So much more wealth, as a logarithm, must a later partition have won: the simple features come first. Little, since
/// laws are guessed from other outputs than those that a partition was fitted to, and a choice by luck costs little.
const MARGIN: f64 = 0.1;
/// The most outputs that have a cell each, and how often each must have come on the mean.
const MOST_OUTCOMES: usize = 256;
const LEAST_OFTEN: usize = 2;
/// Quantiles at which the tails are cut.
const TAILS: [f64; 4] = [1e-4, 1e-3, 0.999, 0.9999];
/// If there are so many cells.
const FOR_TAILS: usize = 16;

/// A partition of all outputs.
#[derive(Debug, Clone)]
pub struct Cells {
    feature: Feature,
    parts: Parts,
    // Outputs in and outside of this are in different cells.
    event: Option<Predicate>,
    cells: usize,
    // Whether the parts were chosen by where the two datasets differ.
    is_fitted: bool,
}

#[derive(Debug, Clone)]
enum Parts {
    /// The bins between these values: `value <= edge` goes left.
    Edges(Vec<f64>),
    /// The bin of each key, and how many bins there are.
    Keys(HashMap<Output, usize>, usize),
    /// The bins between these values of the odds that a model believes, as logarithms.
    Odds(Rc<Odds>, Vec<f64>),
    /// All outputs together.
    Whole,
}

impl Parts {
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

    /// How many bins there are; the last is for what has no value.
    fn bins(&self) -> usize {
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
        bin.unwrap_or(self.bins() - 1)
    }

    fn left(edges: &[f64], value: f64) -> usize {
        edges.partition_point(|edge| *edge < value)
    }

    /// The bins of the values of the column that they were made from.
    fn bins_of(&self, column: &Column<'_>) -> Vec<usize> {
        match (self, &column.values) {
            (Self::Edges(edges), Values::Ordered(values)) => {
                values.iter().map(|v| Self::left(edges, *v)).collect()
            }
            (Self::Keys(bins, _), Values::Keys(keys)) => keys
                .iter()
                .map(|key| bins.get(&**key).copied().unwrap_or(self.bins() - 1))
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
    /// cell came there, and what is believed of it besides.
    pub(super) fn growth(&self, cells: &Cells, past: &CellCounts, guess: &Guess) -> f64 {
        let future = cells.count_all(self.held);
        let Ok(laws) = guess.laws(past) else {
            return 0.0;
        };
        let Ok(bet) = EVariable::new(self.claim, &laws[0], &laws[1]) else {
            return 0.0;
        };
        let mut growth = 0.0;
        for (side, counts) in [Side::First, Side::Second].into_iter().zip(&future) {
            let each = counts.iter().enumerate();
            growth += each
                .map(|(cell, count)| *count as f64 * bet.log(side, cell).unwrap_or(0.0))
                .sum::<f64>();
        }
        growth
    }
}

impl Cells {
    /// The event, and all other outputs.
    #[must_use]
    pub fn two(event: &Event) -> Self {
        Self {
            feature: Feature::Length,
            parts: Parts::Whole,
            event: Some(event.predicate.clone()),
            cells: 2,
            is_fitted: true,
        }
    }

    /// The outputs themselves, each in a cell of its own, and one cell for all that were not among these; `None` if
    /// there are too many. No partition tells more, and this one is not fitted to anything.
    pub(super) fn outcomes(outputs: [&[Output]; 2]) -> Option<Self> {
        let calls: usize = outputs.iter().map(|all| all.len()).sum();
        let most = MOST_OUTCOMES.min(calls / LEAST_OFTEN);
        let mut keys: HashMap<&Output, usize> = HashMap::new();
        for output in outputs.into_iter().flatten() {
            let next = keys.len();
            keys.entry(output).or_insert(next);
            if keys.len() > most {
                return None;
            }
        }
        let bins = keys.len();
        let keys = keys.into_iter().map(|(key, bin)| (key.clone(), bin));
        Some(Self {
            feature: Feature::Exact { at: None },
            parts: Parts::Keys(keys.collect(), bins),
            event: None,
            cells: bins + 1,
            is_fitted: false,
        })
    }

    /// The outputs by the odds that a model believes of them, as logarithms: by quarters.
    pub(super) fn by_odds(odds: Odds) -> Self {
        let edges: Vec<f64> = (-16..=16).map(|k| f64::from(k) / 4.0).collect();
        Self {
            cells: edges.len() + 2,
            feature: Feature::Exact { at: None },
            parts: Parts::Odds(Rc::new(odds), edges),
            event: None,
            is_fitted: false,
        }
    }

    pub(super) fn best(
        columns: &[Column<'_>],
        event: &Predicate,
        mask: &Mask,
        totals: Counts,
        most: usize,
        contest: &Contest<'_>,
    ) -> Self {
        let most = most.clamp(8, MOST_CELLS);
        let mut best: Option<(f64, Self)> = None;
        for column in columns {
            let outside = column.histogram(Some((mask, false)));
            let inside = column.histogram(Some((mask, true)));
            let all: Histogram = (outside.iter().zip(&inside))
                .map(|(a, b)| [a[0].plus(b[0]), a[1].plus(b[1])])
                .collect();
            for with_event in [false, true] {
                let (cells, counts) = if with_event {
                    let parts = Parts::of(column, &all, totals, most / 2);
                    let counts = [&outside, &inside];
                    Self::counted(column, parts, Some((event, mask)), &counts)
                } else {
                    let parts = Parts::of(column, &all, totals, most);
                    Self::counted(column, parts, None, &[&all])
                };
                let past = [0, 1].map(|side| {
                    let counts = counts.iter().map(|halves| both(halves).0[side]);
                    counts.collect::<Vec<u64>>()
                });
                let growth = contest.growth(&cells, &past, &Guess::even(cells.cells));
                if best.as_ref().is_none_or(|best| growth > best.0 + MARGIN) {
                    best = Some((growth, cells));
                }
            }
        }
        let everything = || Self {
            feature: Feature::Length,
            parts: Parts::Whole,
            event: None,
            cells: 1,
            is_fitted: false,
        };
        best.map_or_else(everything, |(_, cells)| cells)
    }

    /// The cells of these parts, and how often each came at even and at odd places. The histograms are those
    /// of the outputs outside and inside of the event, if there is one.
    fn counted(
        column: &Column<'_>,
        parts: Parts,
        event: Option<(&Predicate, &Mask)>,
        histograms: &[&Histogram],
    ) -> (Self, Vec<[Counts; 2]>) {
        let bins = parts.bins();
        let of_value = parts.bins_of(column);
        let mut counts = vec![[Counts::default(); 2]; bins * histograms.len()];
        for (block, histogram) in histograms.iter().enumerate() {
            for (halves, bin) in histogram.iter().zip(&of_value) {
                let sum = &mut counts[block * bins + bin];
                *sum = [sum[0].plus(halves[0]), sum[1].plus(halves[1])];
            }
        }
        // Outputs without a value are not in the histograms.
        let absent = column.absent(event.map(|(_, mask)| mask));
        for (block, halves) in absent.iter().enumerate().take(histograms.len()) {
            let sum = &mut counts[block * bins + bins - 1];
            *sum = [sum[0].plus(halves[0]), sum[1].plus(halves[1])];
        }
        let is_merged = matches!(&parts, Parts::Keys(keys, bins) if keys.len() > *bins);
        let is_weighted = matches!(column.feature, Feature::Weighted { .. });
        let cells = Self {
            is_fitted: event.is_some() || is_merged || is_weighted,
            feature: column.feature.clone(),
            parts,
            event: event.map(|(predicate, _)| predicate.clone()),
            cells: bins * histograms.len(),
        };
        (cells, counts)
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

    /// The cell of an output, below [`Cells::count`].
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
        let bin = self.parts.bin(&self.feature, output);
        match &self.event {
            Some(event) if is_inside.unwrap_or_else(|| event.holds(output)) => {
                bin + self.parts.bins()
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
