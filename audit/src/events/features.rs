//! Which features the training outputs have.

use super::column::Outputs;
use super::feature::Feature;
use super::table::Table;
use super::{linear, logistic};
use crate::targets::Output;

/// The most coordinates and prefixes of vectors that are looked at.
const MOST_COORDINATES: usize = 16;
/// Of longer vectors, so many coordinates are the first ones; the others are those that differ most.
const FIRST_COORDINATES: usize = 4;
/// The most entries of vectors that are read to choose them.
const MOST_READ: usize = 1 << 21;
/// The longest prefix of a label.
const LONGEST_PREFIX: usize = 4;

/// The features that such outputs have, the simple ones first.
pub(super) fn features(outputs: Outputs<'_>) -> Vec<Feature> {
    let (mut number, mut float, mut label, mut error) = (false, false, false, false);
    let mut longest = None;
    for output in outputs.into_iter().flatten() {
        match output {
            Output::Integer(_) | Output::Large(_) => number = true,
            Output::Float(_) => (number, float) = (true, true),
            Output::Label(_) => label = true,
            Output::Vector(items) => longest = longest.max(Some(items.len())),
            Output::Error(_) => error = true,
        }
    }
    let mut features = Vec::new();
    if error {
        features.push(Feature::Error);
    }
    if number {
        features.extend(numeric(None, float));
    }
    if label {
        features.push(Feature::Length);
        features.extend((1..=LONGEST_PREFIX).map(|length| Feature::Prefix { length }));
    }
    if let Some(longest) = longest {
        features.extend([Feature::Length, Feature::Sum]);
        for index in coordinates(outputs, longest) {
            features.extend(numeric(Some(index), true));
            features.push(Feature::Exact { at: Some(index) });
        }
        let lengths = 1..=longest.min(MOST_COORDINATES);
        features.extend(lengths.map(|length| Feature::Prefix { length }));
    }
    features.extend(scores(outputs, &features));
    features.push(Feature::Exact { at: None });
    features
}

/// What can be read off a number.
fn numeric(at: Option<usize>, float: bool) -> Vec<Feature> {
    let mut features = vec![Feature::Number { at }, Feature::LowBit { at }];
    if float {
        features.extend([Feature::Exponent { at }, Feature::Class { at }]);
    }
    features
}

/// The likelihood-ratio scores of the numbers together, and of their bits together.
fn scores(outputs: Outputs<'_>, features: &[Feature]) -> Vec<Feature> {
    let those = |wanted: fn(&Feature) -> bool| -> Vec<Feature> {
        features.iter().filter(|f| wanted(f)).cloned().collect()
    };
    let numbers = Table::new(those(|f| matches!(f, Feature::Number { .. })), outputs);
    let bits = Table::new(
        those(|f| matches!(f, Feature::LowBit { .. } | Feature::Exponent { .. })),
        outputs,
    );
    [
        linear::score(&numbers),
        logistic::score(&numbers),
        logistic::score(&bits),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// At most [`MOST_COORDINATES`] of `longest` coordinates: the first ones, and those whose means differ most,
/// in standard errors.
fn coordinates(outputs: Outputs<'_>, longest: usize) -> Vec<usize> {
    if longest <= MOST_COORDINATES {
        return (0..longest).collect();
    }
    let rows = (MOST_READ / longest).max(1);
    let mut sums = vec![[[0.0; 3]; 2]; longest];
    for (side, all) in outputs.into_iter().enumerate() {
        for output in all.iter().take(rows) {
            let Output::Vector(items) = output else {
                continue;
            };
            for (item, sums) in items.iter().zip(&mut sums) {
                if let Some(x) = item.number().filter(|x| x.is_finite()) {
                    let [n, sum, squares] = &mut sums[side];
                    (*n, *sum, *squares) = (*n + 1.0, *sum + x, *squares + x * x);
                }
            }
        }
    }
    let difference = |index: usize| {
        let [(mean0, error0), (mean1, error1)] = sums[index].map(|[n, sum, squares]| {
            let n = f64::max(n, 1.0);
            let mean = sum / n;
            (mean, (squares / n - mean * mean).max(0.0) / n)
        });
        (mean1 - mean0).abs() / (error0 + error1).max(f64::MIN_POSITIVE).sqrt()
    };
    let differences: Vec<f64> = (0..longest).map(difference).collect();
    let mut others: Vec<usize> = (FIRST_COORDINATES..longest).collect();
    others.sort_by(|a, b| differences[*b].total_cmp(&differences[*a]).then(a.cmp(b)));
    others.truncate(MOST_COORDINATES - FIRST_COORDINATES);
    let mut chosen: Vec<usize> = (0..FIRST_COORDINATES).chain(others).collect();
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coordinates_that_differ_are_among_the_chosen() {
        // 200 coordinates; coordinate 137 has another mean, and 50 is a constant.
        let vector = |row: usize, shift: f64| {
            let entry = |i: usize| ((row * 7919 + i * 104_729) % 1000) as f64;
            let mut items: Vec<Output> = (0..200).map(|i| Output::float(entry(i))).collect();
            items[137] = Output::float(entry(137) + shift);
            items[50] = Output::float(1.0);
            Output::Vector(items)
        };
        let [first, second] =
            [0.0, 300.0].map(|shift| (0..2000).map(|row| vector(row, shift)).collect::<Vec<_>>());
        let chosen = coordinates([&first, &second], 200);
        assert_eq!(chosen.len(), MOST_COORDINATES);
        assert!(chosen.contains(&137) && chosen.contains(&0), "{chosen:?}");
        assert_eq!(coordinates([&first, &second], 3), [0, 1, 2]);
    }
}
