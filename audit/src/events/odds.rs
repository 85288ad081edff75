//! What is believed of cells before much was counted in them.
//!
//! Of many cells each has few calls, and says little. A logistic model has one weight for each number in an output, and
//! tells something of every cell from all calls: where it is near, bets grow long before the cells are known one by one.

use super::Cells;
use super::column::Outputs;
use super::feature::Feature;
use super::logistic;
use super::table::{Table, standardised};
use crate::targets::Output;
use dp_assay::stats::{CellCounts, Laws, StatsError, careful_laws, guessed_laws};

/// No belief is nearer to 0 or 1 than this: the model has no idea of what never happens.
const DOUBT: f64 = 1e-3;

/// The weight of what a model believes of a cell, and of "as often on both" without one, in calls.
const BELIEF: f64 = 32.0;
const EVEN: f64 = 4.0;

/// How the laws on cells are guessed from how often each came.
#[derive(Debug, Clone)]
pub enum Guess {
    /// By [`guessed_laws`]: best where few rare cells are all that differs.
    Pooled,
    /// By [`careful_laws`], from what is believed of each cell, with this weight.
    Careful {
        /// The share of the first dataset in its outputs, if both are called equally often.
        shares: Vec<f64>,
        /// In calls.
        weight: f64,
    },
}

impl Guess {
    /// That each of so many cells comes as often on both.
    #[must_use]
    pub fn even(cells: usize) -> Self {
        Self::Careful {
            shares: vec![0.5; cells],
            weight: EVEN,
        }
    }

    /// The laws.
    ///
    /// # Errors
    /// [`StatsError::Cells`] if the counts are of other cells.
    pub fn laws(&self, [first, second]: &CellCounts) -> Result<Laws, StatsError> {
        match self {
            Self::Pooled => guessed_laws(first, second),
            Self::Careful { shares, weight } => careful_laws(first, second, shares, *weight),
        }
    }
}

/// The probability that an output came from the first dataset, if both are called equally often.
pub(super) struct Odds {
    features: Vec<Feature>,
    scales: Vec<(f64, f64)>,
    /// Of the standardised numbers, and at last the constant.
    weights: Vec<f64>,
}

impl Odds {
    /// Fits the model to outputs; `None` if they have no numbers that vary, or only one dataset has.
    pub(super) fn fit(numbers: Vec<Feature>, outputs: Outputs<'_>) -> Option<Self> {
        let table = Table::new(numbers, outputs);
        let weights = logistic::weights(&table)?;
        Some(Self {
            features: table.features,
            scales: table.scales,
            weights,
        })
    }

    /// The belief about each cell: the mean over the outputs in it, and 1/2 where there is none.
    pub(super) fn guess(&self, cells: &Cells, outputs: Outputs<'_>) -> Guess {
        let mut sums = vec![(1.0, 0.5); cells.count()];
        for output in outputs.into_iter().flatten() {
            let (n, sum) = &mut sums[cells.index(output)];
            (*n, *sum) = (*n + 1.0, *sum + self.first(output));
        }
        Guess::Careful {
            shares: sums.into_iter().map(|(n, sum)| sum / n).collect(),
            weight: BELIEF,
        }
    }

    /// The belief about one output.
    fn first(&self, output: &Output) -> f64 {
        let numbers = self
            .features
            .iter()
            .zip(&self.scales)
            .map(|(feature, scale)| {
                let value = feature.value(output).unwrap_or(0.0);
                if value.is_finite() {
                    standardised(value, *scale)
                } else {
                    0.0
                }
            });
        let weighed = self.weights.iter().zip(numbers.chain([1.0]));
        let second: f64 = weighed.map(|(weight, number)| weight * number).sum();
        (1.0 / (1.0 + second.exp())).clamp(DOUBT, 1.0 - DOUBT)
    }
}
