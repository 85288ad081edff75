//! How the laws on cells are guessed: from counts, and from prior beliefs while counts are small.

use dp_assay::stats::{CellCounts, Laws, StatsError, careful_laws, guessed_laws};

/// The weight of "as often on both" in a cell, in calls. This and [`BELIEF`] are the powers of two with
/// which audits stopped soonest; a wrong weight costs calls, and no validity.
const EVEN: f64 = 4.0;
/// The weight of the belief of a model in a cell, in calls: a model has learned from all calls, and was fitted to those that
/// are counted in its cells.
const BELIEF: f64 = 1024.0;

/// How laws are guessed.
#[derive(Debug, Clone)]
pub enum Estimator {
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

impl Estimator {
    /// Believes that each of so many cells comes as often on both.
    #[must_use]
    pub fn even(cells: usize) -> Self {
        Self::Careful {
            shares: vec![0.5; cells],
            weight: EVEN,
        }
    }

    /// Believes what a model says of the cells.
    pub(super) fn believing(shares: Vec<f64>) -> Self {
        Self::Careful {
            shares,
            weight: BELIEF,
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
