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

/// The weight of what a model believes of a cell, and of "as often on both" without one, in calls. Chosen as the powers of
/// two with which simulated audits stopped soonest (`spec/auditor.md`); a wrong weight costs calls, and no validity.
const BELIEF: f64 = 32.0;
const EVEN: f64 = 4.0;

/// The most outputs on each dataset that the model is fitted to: after more, the cells are known by their counts.
const MOST_FITTED: usize = 4096;

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
    /// Fits the model to outputs, the first ones of many; `None` if they have no numbers that vary, or only one dataset has.
    pub(super) fn fit(numbers: Vec<Feature>, outputs: Outputs<'_>) -> Option<Self> {
        let outputs = outputs.map(|all| &all[..all.len().min(MOST_FITTED)]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Aim, Lesson};
    use dp_assay::number::rational::ratio;
    use dp_assay::stats::Null;

    /// Three answers, each lied about with probability 1/4: the odds are 3 for each that is 0 on the first dataset.
    fn outputs(side: u64, n: u64) -> Vec<Output> {
        let answer = |row: u64, place: u64| {
            let lie = (row >> (2 * place)).is_multiple_of(4);
            Output::Integer(i128::from((side == 1) != lie))
        };
        let rows = (0..n).map(|row| row * 37 % 64);
        rows.map(|row| Output::Vector((0..3).map(|place| answer(row, place)).collect()))
            .collect()
    }

    fn numbers() -> Vec<Feature> {
        (0..3).map(|at| Feature::Number { at: Some(at) }).collect()
    }

    #[test]
    fn the_model_knows_a_cell_from_the_others() {
        let sides = [outputs(0, 640), outputs(1, 640)];
        let odds = Odds::fit(numbers(), [&sides[0], &sides[1]]).unwrap();
        for ones in 0..=3_i32 {
            let of = |place| Output::Integer(i128::from(place < ones));
            let output = Output::Vector((0..3).map(of).collect());
            // Each 0 has odds 3, and each 1 has odds 1/3; the ridge draws a little.
            let truth = 1.0 / (1.0 + 3f64.powi(2 * ones - 3));
            let found = odds.first(&output);
            assert!((found - truth).abs() < 0.02, "{ones}: {found} {truth}");
        }
        assert!(Odds::fit(numbers(), [&sides[0], &[]]).is_none());
        let labels = [Output::Label("a".into()), Output::Label("b".into())];
        assert!(Odds::fit(numbers(), [&labels, &labels]).is_none());
    }

    /// Few calls on the eight outcomes, of which the model knows more than their counts.
    #[test]
    fn the_guess_that_wins_on_held_out_outputs_is_chosen() {
        let sides = [outputs(0, 64), outputs(1, 64)];
        let aim = Aim::after(64, 0.0);
        let lesson = Lesson::new(&sides[0], &sides[1], aim);
        let cells = lesson.outcomes().unwrap();
        assert_eq!(cells.count(), 9);
        let claim = Null::new(&ratio(1, 1), &ratio(0, 1)).unwrap();
        let Guess::Careful { shares, weight } = lesson.guess(&cells, &claim) else {
            panic!("the model");
        };
        assert_eq!(weight, BELIEF);
        let zeros = Output::Vector(vec![Output::Integer(0); 3]);
        assert!(shares[cells.index(&zeros)] > 0.85, "{shares:?}");
        // Of what was not seen, nothing is believed.
        assert_eq!(shares[cells.index(&Output::Label("?".into()))], 0.5);
    }

    #[test]
    fn outputs_are_cells_only_if_they_are_few() {
        let many: Vec<Output> = (0..600).map(|i| Output::Integer(i % 257)).collect();
        let aim = Aim::after(600, 0.0);
        let outcomes = |all: &[Output]| Lesson::new(all, all, aim).outcomes().map(|c| c.count());
        assert_eq!(outcomes(&many), None);
        let few: Vec<Output> = (0..600).map(|i| Output::Integer(i % 256)).collect();
        assert_eq!(outcomes(&few), Some(257));
        // Once each on either dataset, which is twice; a single one came once.
        assert_eq!(outcomes(&few[..8]), Some(9));
        assert!(Lesson::new(&few[..8], &[], aim).outcomes().is_none());
    }
}
