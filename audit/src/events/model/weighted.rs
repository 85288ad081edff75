//! Weighted sums: of numbers that each say little, the sum that tells the two datasets apart best.
//!
//! 1. One row for each output: its numbers, standardised so that outliers and scales do not matter.
//! 2. The weights are those of the logistic model of the rows; it asks for no moments.
//! 3. What may well be noise is left out, and the rest said in three digits.

use super::logistic::{Design, RIDGE, Row};
use crate::events::features::{Feature, Real, Term};
use crate::events::outputs::{Outputs, SAMPLE};

/// The most numbers in all rows together: the time of a fit is this times the number of columns.
const MOST_ENTRIES: usize = 1 << 19;
/// Numbers are cut off at so many spreads from the middle: an outlier has no more to say than that.
const CUT: f64 = 8.0;
/// Weights below this fraction of the largest one are left out: people read the sum.
const LEAST_WEIGHT: f64 = 0.02;
/// And those below this, over the root of the number of rows. The standard error of a weight is 2 over that root
/// for a column of variance 1, and a normal column that is scaled by its deciles has a variance of 0.152: so this is
/// two standard errors.
const NOISE: f64 = 10.0;
/// Digits of a weight: the others are noise.
const DIGITS: usize = 3;

/// The weighted sum of these features; `None` if it would be one of them, or nothing.
///
/// Outputs without any of the features, and infinite ones, are left out; so are features that are constant. A feature
/// that is not there counts as 0, as in [`Feature::Weighted`].
pub fn weighted_sum(features: &[Feature], outputs: Outputs<'_>) -> Option<Feature> {
    // 1. The numbers, and those that vary, standardised.
    let most = SAMPLE.min(MOST_ENTRIES / features.len().max(1) / 2);
    let numbers = outputs.map(|all| -> Vec<Vec<f64>> {
        let row = |output| {
            let values: Vec<Option<f64>> = features.iter().map(|f| f.value(output)).collect();
            let there = values.iter().any(Option::is_some);
            let row: Vec<f64> = values.into_iter().map(|x| x.unwrap_or(0.0)).collect();
            Some(row).filter(|row| there && row.iter().all(|x| x.is_finite()))
        };
        all.iter().take(most).filter_map(row).collect()
    });
    let column = |index: usize| numbers.iter().flatten().map(move |row| row[index]);
    let scales: Vec<Scale> = (0..features.len())
        .map(|index| Scale::of(column(index).collect()))
        .collect();
    let varying: Vec<usize> = (0..features.len())
        .filter(|index| scales[*index].spread > 0.0)
        .collect();
    if varying.len() < 2 {
        return None;
    }
    let mut rows: Vec<Row> = Vec::new();
    for (numbers, counts) in numbers.iter().zip([[1.0, 0.0], [0.0, 1.0]]) {
        for row in numbers {
            let standardised = varying.iter().map(|i| scales[*i].standardise(row[*i]));
            rows.push((standardised.chain([1.0]).collect(), counts));
        }
    }
    // 2. The weights. (Those of the odds of the second dataset.)
    let fit = Design::new(&rows, RIDGE)?.fit()?;
    let weights = varying.iter().zip(&fit.weights).map(|(i, w)| (*i, -w));
    // 3. The sum.
    sum(features, &scales, weights.collect(), rows.len())
}

/// The sum of the features in these columns, with the weights of the standardised columns.
fn sum(
    features: &[Feature],
    scales: &[Scale],
    weights: Vec<(usize, f64)>,
    rows: usize,
) -> Option<Feature> {
    let largest = |weights: &[(usize, f64)]| weights.iter().fold(0.0, |m: f64, w| m.max(w.1.abs()));
    let noise = NOISE / (rows.max(1) as f64).sqrt();
    let least = f64::max(LEAST_WEIGHT * largest(&weights), noise);
    let kept: Vec<(usize, f64)> = weights
        .into_iter()
        .filter(|(_, weight)| weight.abs() >= least)
        .map(|(index, weight)| (index, weight / scales[index].spread))
        .collect();
    let unit = largest(&kept);
    if kept.len() < 2 || !unit.is_finite() {
        return None;
    }
    let term = |(index, weight): (usize, f64)| Term {
        weight: Real::new(weight / unit).rounded(DIGITS),
        feature: features[index].clone(),
    };
    Some(Feature::Weighted {
        terms: kept.into_iter().map(term).collect(),
    })
}

/// Where the numbers of a column lie.
pub struct Scale {
    /// Their median.
    middle: f64,
    /// The distance of their deciles, or the standard deviation if these are equal. That of a constant is 0.
    pub spread: f64,
}

impl Scale {
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let last = values.len().saturating_sub(1);
        let at = |fraction: f64| values.get((fraction * last as f64) as usize).copied();
        let (Some(middle), Some(low), Some(high)) = (at(0.5), at(0.1), at(0.9)) else {
            return Self {
                middle: 0.0,
                spread: 0.0,
            };
        };
        let deciles = high - low;
        if deciles > 0.0 && deciles.is_finite() {
            return Self {
                middle,
                spread: deciles,
            };
        }
        let squares = values.iter().map(|x| (x - middle) * (x - middle));
        let deviation = (squares.sum::<f64>() / values.len() as f64).sqrt();
        Self {
            middle,
            spread: Some(deviation).filter(|s| s.is_finite()).unwrap_or(0.0),
        }
    }

    /// In spreads from the middle, cut off.
    pub fn standardise(&self, value: f64) -> f64 {
        ((value - self.middle) / self.spread).clamp(-CUT, CUT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Output;

    fn vector(items: &[f64]) -> Output {
        Output::Vector(items.iter().map(|x| Output::float(*x)).collect())
    }

    fn numbers() -> Vec<Feature> {
        (0..3).map(|at| Feature::Number { at: Some(at) }).collect()
    }

    #[test]
    fn columns_are_standardised_and_weights_are_not() {
        let features = numbers();
        // A wide coordinate, a constant, a narrow one.
        let columns: [fn(i32) -> f64; 3] =
            [|i| f64::from(i) * 100.0, |_| 7.0, |i| f64::from(i % 10)];
        let scales = columns.map(|column| Scale::of((0..101).map(column).collect()));
        assert_eq!(
            scales.each_ref().map(|scale| scale.spread),
            [8000.0, 0.0, 8.0]
        );
        let sum = |wide, narrow| sum(&features, &scales, vec![(0, wide), (2, narrow)], 101);
        let Some(Feature::Weighted { terms }) = sum(2.0, 2.0) else {
            panic!("two columns");
        };
        let weights: Vec<f64> = terms.iter().map(|term| term.weight.get()).collect();
        assert_eq!((&terms[1].feature, weights[1]), (&features[2], 1.0));
        assert_eq!(weights[0], 0.001);
        assert!(sum(3.0, 0.99).is_none(), "10 / sqrt(101) is noise");
        assert!(sum(0.0, 0.0).is_none());
        assert!(sum(f64::NAN, f64::NAN).is_none());
    }

    #[test]
    fn outputs_that_are_no_rows_are_left_out() {
        let outputs = |shift: f64| -> Vec<Output> {
            let mut outputs: Vec<Output> = (0..1000)
                .map(|i| {
                    let noise = f64::from(i * 37 % 101) / 101.0;
                    vector(&[noise + shift, 7.0, f64::from(i % 10) - 10.0 * noise])
                })
                .collect();
            outputs.extend([
                vector(&[f64::INFINITY, 7.0, 0.0]),
                Output::Error("wrong".into()),
            ]);
            outputs
        };
        let (first, second) = (outputs(0.0), outputs(0.5));
        let Some(Feature::Weighted { terms }) = weighted_sum(&numbers(), [&first, &second]) else {
            panic!("two columns that vary");
        };
        let features: Vec<&Feature> = terms.iter().map(|term| &term.feature).collect();
        assert_eq!(features, [&numbers()[0], &numbers()[2]]);
        assert!(terms[0].weight.get() == 1.0 && terms[1].weight.get() > 0.0);
        assert!(weighted_sum(&numbers(), [&first, &[]]).is_none());
        assert!(weighted_sum(&numbers()[..1], [&first, &second]).is_none());
    }
}
