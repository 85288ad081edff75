//! What is believed of cells before much was counted in them.
//!
//! Of many outcomes each has few calls, and says little. A logistic model has one weight for each step of each number in an
//! output, and tells something of every outcome from all calls: where it is near, bets grow long before the outcomes are
//! known one by one.

use super::Cells;
use super::column::Outputs;
use super::feature::Feature;
use super::steps::{Row, Steps};
use crate::targets::Output;
use dp_assay::stats::{CellCounts, Laws, StatsError, careful_laws, guessed_laws};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use std::collections::HashMap;

/// No belief is nearer to 0 or 1 than this: the model has no idea of what never happens.
const DOUBT: f64 = 1e-3;

/// The weight of "as often on both" in a cell, and in cells by the odds of a model that of what the model believes, in
/// calls. Chosen as the powers of two with which audits stopped soonest (`spec/auditor.md`); a wrong weight costs calls, and
/// no validity.
const EVEN: f64 = 4.0;
const BELIEF: f64 = 64.0;

/// One over the variance of a weight of the model beforehand.
const RIDGE: f64 = 1.0;
/// The most steps of Newton's method, the longest of a weight, and the shortest after which it goes on.
const STEPS: usize = 10;
const LONGEST: f64 = 2.0;
const ENOUGH: f64 = 1e-3;

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

/// The probability that an output came from the first dataset, if both are called equally often: a logistic model of the
/// steps of its numbers, whose weights are normal beforehand. The posterior is taken as normal too, and what is believed
/// is drawn towards 1/2 where it is wide (MacKay 1992): of what hardly ever came, little is known.
#[derive(Debug, Clone)]
pub(super) struct Odds {
    steps: Steps,
    weights: DVector<f64>,
    /// The factor `L` of `L L^T`, the inverse of the covariance of the weights.
    precision: Cholesky<f64, Dyn>,
    /// What is believed of the outputs that came.
    known: HashMap<Row, f64>,
}

impl Odds {
    /// Fits the model to outputs; `None` if there are no numbers that vary, or only one dataset has outputs.
    pub(super) fn fit(numbers: Vec<Feature>, outputs: Outputs<'_>) -> Option<Self> {
        if numbers.is_empty() || outputs.iter().any(|all| all.is_empty()) {
            return None;
        }
        let steps = Steps::new(numbers, outputs);
        let rows = steps.rows(outputs);
        if rows.len() < 2 {
            return None;
        }
        let totals = outputs.map(|all| all.len() as f64);
        let half = (totals[0] + totals[1]) / 2.0;
        // As many as there would be of half of the calls on either.
        let of = |side: usize| {
            let counts = rows
                .values()
                .map(|counts| counts[side] * half / totals[side]);
            DVector::from_iterator(rows.len(), counts)
        };
        let counts = [of(0), of(1)];
        let width = rows.keys().next()?.len();
        let matrix = DMatrix::from_row_iterator(
            rows.len(),
            width,
            rows.keys().flatten().map(|step| f64::from(u8::from(*step))),
        );
        let mut weights = DVector::zeros(width);
        for _ in 0..STEPS {
            let (gradient, precision) = slope(&matrix, &counts, &weights)?;
            let step = precision.solve(&gradient);
            let length = f64::min(1.0, LONGEST / step.amax().max(f64::MIN_POSITIVE));
            weights -= &step * length;
            if step.amax() < ENOUGH {
                break;
            }
        }
        let (_, precision) = slope(&matrix, &counts, &weights)?;
        let mut odds = Self {
            steps,
            weights,
            precision,
            known: HashMap::new(),
        };
        odds.known = rows
            .into_keys()
            .map(|row| {
                let share = odds.of_row(&row);
                (row, share)
            })
            .collect();
        Some(odds)
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
    pub(super) fn first(&self, output: &Output) -> f64 {
        let row = self.steps.row(output);
        let known = self.known.get(&row).copied();
        known.unwrap_or_else(|| self.of_row(&row))
    }

    fn of_row(&self, row: &Row) -> f64 {
        let steps = row.iter().map(|step| f64::from(u8::from(*step)));
        let row = DVector::from_iterator(row.len(), steps);
        let mean = row.dot(&self.weights);
        let variance = self.precision.l_dirty().solve_lower_triangular(&row);
        let variance = variance.map_or(f64::INFINITY, |part| part.norm_squared());
        let odds = mean / (1.0 + variance).sqrt();
        (1.0 / (1.0 + (-odds).exp())).clamp(DOUBT, 1.0 - DOUBT)
    }
}

/// The gradient of the loss at these weights, and the factored Hessian.
fn slope(
    rows: &DMatrix<f64>,
    counts: &[DVector<f64>; 2],
    weights: &DVector<f64>,
) -> Option<(DVector<f64>, Cholesky<f64, Dyn>)> {
    let shares = (rows * weights).map(|odds| 1.0 / (1.0 + (-odds).exp()));
    let all = &counts[0] + &counts[1];
    let residuals = all.component_mul(&shares) - &counts[0];
    let gradient = rows.tr_mul(&residuals) + weights * RIDGE;
    let curvature = all.component_mul(&shares.map(|share| share * (1.0 - share)));
    let mut weighted = rows.clone();
    for (mut row, factor) in weighted.row_iter_mut().zip(curvature.iter()) {
        row *= *factor;
    }
    let mut hessian = rows.tr_mul(&weighted);
    for i in 0..hessian.nrows() {
        hessian[(i, i)] += RIDGE;
    }
    Some((gradient, hessian.cholesky()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Aim, Lesson};

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
            assert!((found - truth).abs() < 0.03, "{ones}: {found} {truth}");
        }
        assert!(Odds::fit(numbers(), [&sides[0], &[]]).is_none());
        let labels = [Output::Label("a".into()), Output::Label("b".into())];
        assert!(Odds::fit(numbers(), [&labels, &labels]).is_none());
    }

    /// The odds rise, fall and rise again with a number that only some outputs have: no line, and no single number, tells it.
    #[test]
    fn the_model_knows_odds_of_any_shape() {
        let output = |value: u64| {
            let text = Output::Label("none".into());
            let number = |x: u64| Output::Integer(i128::from(x));
            Output::Vector(vec![
                number(7),
                if value == 4 { text } else { number(value) },
            ])
        };
        // Of 160 each: how many of the first dataset have the values 0 to 3, and none.
        let often = [[20, 60, 20, 30, 30], [40, 20, 40, 30, 30]];
        let sides = often.map(|often| {
            let of = |(value, n): (u64, usize)| vec![output(value); n];
            (0..).zip(often).flat_map(of).collect::<Vec<_>>()
        });
        let odds = Odds::fit(numbers(), [&sides[0], &sides[1]]).unwrap();
        for (value, truth) in (0..).zip([0.33, 0.75, 0.33, 0.5, 0.5]) {
            let found = odds.first(&output(value));
            assert!((found - truth).abs() < 0.06, "{value}: {found} {truth}");
        }
        // What came once is believed less than what came often.
        let one = [output(0), output(1)];
        let odds = Odds::fit(numbers(), [&one[..1], &one[1..]]).unwrap();
        assert!((odds.first(&output(0)) - 0.5).abs() < 0.15);
    }

    #[test]
    fn cells_by_the_odds_of_a_model_need_few_calls() {
        let sides = [outputs(0, 64), outputs(1, 64)];
        let lesson = Lesson::new(&sides[0], &sides[1], Aim::after(64, 0.0));
        let (cells, Guess::Careful { shares, .. }) = lesson.by_odds().unwrap() else {
            panic!("a model");
        };
        let zeros = Output::Vector(vec![Output::Integer(0); 3]);
        assert!(shares[cells.index(&zeros)] > 0.85, "{shares:?}");
        // Without numbers there is no model.
        let labels = [Output::Label("a".into())];
        let lesson = Lesson::new(&[], &labels, Aim::after(64, 0.0));
        assert!(lesson.by_odds().is_none());
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
