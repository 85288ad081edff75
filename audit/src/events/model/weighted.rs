//! The numbers that a likelihood-ratio score is fitted to: standardised features, one row for each output.

use super::column::Outputs;
use super::feature::{Feature, Real, Term};

/// The most outputs of each dataset that a score is fitted to, and the most numbers.
const MOST_ROWS: usize = 20_000;
const MOST_ENTRIES: usize = 1 << 19;
/// Entries are cut off at so many spreads from the middle: an outlier has no more to say than that.
const CUT: f64 = 8.0;
/// Weights below this fraction of the largest one are left out.
const LEAST_WEIGHT: f64 = 0.02;
/// And those below this, over the root of the number of rows. The standard error of a weight is 2 over that root
/// for a column of variance 1, and a normal column that is scaled by its deciles has a variance of 0.152: so this is
/// two standard errors.
const NOISE: f64 = 10.0;

/// Training outputs as rows of numbers.
pub(super) struct Table {
    pub(super) features: Vec<Feature>,
    /// Of each column, the middle and the spread.
    pub(super) scales: Vec<(f64, f64)>,
    /// Of each dataset, the rows.
    pub(super) rows: [Vec<Vec<f64>>; 2],
}

impl Table {
    /// Outputs without any of the features, and infinite ones, are left out; so are features that are
    /// constant. A feature that is not there counts as 0, as in [`Feature::Weighted`].
    pub(super) fn new(features: Vec<Feature>, outputs: Outputs<'_>) -> Self {
        let most = MOST_ROWS.min(MOST_ENTRIES / features.len().max(1) / 2);
        let mut rows = outputs.map(|all| -> Vec<Vec<f64>> {
            let row = |output| {
                let values: Vec<Option<f64>> = features.iter().map(|f| f.value(output)).collect();
                let there = values.iter().any(Option::is_some);
                let row: Vec<f64> = values.into_iter().map(|x| x.unwrap_or(0.0)).collect();
                Some(row).filter(|row| there && row.iter().all(|x| x.is_finite()))
            };
            all.iter().take(most).filter_map(row).collect()
        });
        let scales: Vec<(f64, f64)> = (0..features.len()).map(|i| scale(&rows, i)).collect();
        let varies: Vec<bool> = scales.iter().map(|(_, spread)| *spread > 0.0).collect();
        let kept = |index: &usize| varies[*index];
        for row in rows.iter_mut().flatten() {
            *row = (0..row.len())
                .filter(kept)
                .map(|i| standardised(row[i], scales[i]))
                .collect();
        }
        let indices = || (0..features.len()).filter(kept);
        Self {
            scales: indices().map(|i| scales[i]).collect(),
            features: indices().map(|i| features[i].clone()).collect(),
            rows,
        }
    }

    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        self.features.len()
    }

    /// The feature that weighs the columns so, in three digits; `None` if it would be one column, or none.
    /// The weights are those of the logarithm of the odds; what may well be noise is left out.
    pub(super) fn weighted(&self, weights: &[f64]) -> Option<Feature> {
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
        let rows: usize = self.rows.iter().map(Vec::len).sum();
        let noise = NOISE / (rows.max(1) as f64).sqrt();
        let least = f64::max(LEAST_WEIGHT * largest(weights), noise);
        let raw: Vec<f64> = weights
            .iter()
            .zip(&self.scales)
            .map(|(w, (_, spread))| if w.abs() < least { 0.0 } else { w / spread })
            .collect();
        let unit = largest(&raw);
        if !(unit > 0.0 && unit.is_finite()) {
            return None;
        }
        let terms: Vec<Term> = raw
            .iter()
            .zip(&self.features)
            .filter(|(w, _)| **w != 0.0)
            .map(|(w, feature)| Term {
                weight: Real::new(rounded(w / unit, 3)),
                feature: feature.clone(),
            })
            .collect();
        (terms.len() > 1).then_some(Feature::Weighted { terms })
    }
}

/// A number in spreads from the middle, cut off.
pub(super) fn standardised(value: f64, (middle, spread): (f64, f64)) -> f64 {
    ((value - middle) / spread).clamp(-CUT, CUT)
}

/// The middle and the spread of a column: its median, and the distance of the deciles; the standard deviation
/// if these are equal. A spread of 0 is that of a constant.
fn scale(rows: &[Vec<Vec<f64>>; 2], index: usize) -> (f64, f64) {
    let mut values: Vec<f64> = rows.iter().flatten().map(|row| row[index]).collect();
    if values.is_empty() {
        return (0.0, 0.0);
    }
    values.sort_unstable_by(f64::total_cmp);
    let at = |fraction: f64| values[(fraction * (values.len() - 1) as f64) as usize];
    let (middle, spread) = (at(0.5), at(0.9) - at(0.1));
    if spread > 0.0 && spread.is_finite() {
        return (middle, spread);
    }
    let squares = values.iter().map(|x| (x - middle) * (x - middle));
    let deviation = (squares.sum::<f64>() / values.len() as f64).sqrt();
    (
        middle,
        if deviation.is_finite() {
            deviation
        } else {
            0.0
        },
    )
}

/// To so many significant digits.
pub(super) fn rounded(value: f64, digits: usize) -> f64 {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    text.parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Output;

    #[test]
    fn digits_are_rounded() {
        assert_eq!(rounded(0.123456, 3), 0.123);
        assert_eq!(rounded(-1999.0, 2), -2000.0);
        assert_eq!(rounded(0.0, 3), 0.0);
        assert_eq!(rounded(f64::INFINITY, 3), f64::INFINITY);
    }

    #[test]
    fn rows_are_standardised_and_weights_are_not() {
        let vector =
            |items: &[f64]| Output::Vector(items.iter().map(|x| Output::float(*x)).collect());
        // A wide coordinate, a constant, a narrow one; and outputs that are no rows.
        let mut first: Vec<Output> = (0..101)
            .map(|i| vector(&[f64::from(i) * 100.0, 7.0, f64::from(i % 10)]))
            .collect();
        first.extend([
            vector(&[f64::INFINITY, 7.0, 0.0]),
            Output::Error("wrong".into()),
        ]);
        let number = |at| Feature::Number { at: Some(at) };
        let table = Table::new((0..3).map(number).collect(), [&first, &[]]);
        assert_eq!((table.rows[0].len(), table.width()), (101, 2));
        let Some(Feature::Weighted { terms }) = table.weighted(&[2.0, 2.0]) else {
            panic!("two columns");
        };
        let weights: Vec<f64> = terms.iter().map(|term| term.weight.get()).collect();
        assert_eq!((terms[1].feature.clone(), weights[1]), (number(2), 1.0));
        // The spreads are 8000 and 8.
        assert_eq!(weights[0], 0.001);
        assert!(
            table.weighted(&[3.0, 0.99]).is_none(),
            "10 / sqrt(101) is noise"
        );
        assert!(table.weighted(&[0.0, 0.0]).is_none());
        assert!(table.weighted(&[f64::NAN, f64::NAN]).is_none());
    }
}
