//! Numbers as steps: for each, whether it is there, and for some cuts whether it is at least as large.
//!
//! A model with one weight for each step tells any odds that are a sum of functions of the numbers, in whatever shape. A
//! number in a vector that ends early, or has text at its place, is one that is not there.

use super::column::Outputs;
use super::feature::Feature;
use crate::targets::Output;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The most steps of all numbers together.
const MOST_STEPS: usize = 64;
/// The most cuts of one number.
const MOST_CUTS: usize = 8;
/// The most different rows.
const MOST_ROWS: usize = 8192;
/// The most outputs on each dataset that the cuts are chosen by.
const MOST_READ: usize = 8192;
/// The mass of the tails that are cut off.
const TAIL: f64 = 0.02;

/// The steps of some numbers.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    features: Vec<Feature>,
    /// Of each, where it is cut: rising.
    cuts: Vec<Vec<f64>>,
}

/// Which steps there are.
pub(super) type Row = Vec<bool>;

impl Steps {
    /// The steps of these numbers, cut where the outputs are.
    pub(super) fn new(features: Vec<Feature>, outputs: Outputs<'_>) -> Self {
        let each = (MOST_STEPS / features.len().max(1)).saturating_sub(1);
        let each = each.clamp(1, MOST_CUTS);
        let cut = |feature: &Feature| {
            let read = outputs
                .into_iter()
                .flat_map(|all| all.iter().take(MOST_READ));
            let values = read.filter_map(|output| feature.value(output));
            cuts(values.collect(), each)
        };
        Self {
            cuts: features.iter().map(cut).collect(),
            features,
        }
    }

    /// The steps of an output, and a 1 for the constant.
    pub(super) fn row(&self, output: &Output) -> Row {
        let mut row = Vec::new();
        for (feature, cuts) in self.features.iter().zip(&self.cuts) {
            let value = feature.value(output);
            row.push(value.is_some());
            row.extend(
                cuts.iter()
                    .map(|cut| value.is_some_and(|value| value >= *cut)),
            );
        }
        row.push(true);
        row
    }

    /// The different rows of the outputs, and how often each came. Of too many, those that come first.
    pub(super) fn rows(&self, outputs: Outputs<'_>) -> BTreeMap<Row, [f64; 2]> {
        let mut rows: BTreeMap<Row, [f64; 2]> = BTreeMap::new();
        let longest = outputs[0].len().max(outputs[1].len());
        // Side by side, so that neither fills the table alone.
        for (index, side) in (0..longest).flat_map(|index| [(index, 0), (index, 1)]) {
            let Some(output) = outputs[side].get(index) else {
                continue;
            };
            let is_room = rows.len() < MOST_ROWS;
            match rows.entry(self.row(output)) {
                Entry::Occupied(mut counts) => counts.get_mut()[side] += 1.0,
                Entry::Vacant(free) if is_room => free.insert([0.0, 0.0])[side] += 1.0,
                Entry::Vacant(_) => (),
            }
        }
        rows
    }
}

/// At most so many of the values, all but the least, that cut off the tails and cut the rest into parts of equal mass.
fn cuts(mut values: Vec<f64>, most: usize) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let mut different = values.clone();
    different.dedup();
    if different.len() > most + 1 {
        let last = (values.len() - 1) as f64;
        let place = |k: usize| match k {
            0 => TAIL,
            k if k + 1 == most => 1.0 - TAIL,
            k => k as f64 / most as f64,
        };
        different = (0..most)
            .map(|k| values[(place(k) * last) as usize])
            .collect();
        different.insert(0, values[0]);
        different.dedup();
    }
    different.into_iter().skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_cut_where_the_outputs_are() {
        assert_eq!(cuts(vec![3.0, 1.0, 2.0, 1.0], 8), [2.0, 3.0]);
        assert_eq!(cuts(vec![5.0; 9], 8), [0.0; 0]);
        assert_eq!(cuts(Vec::new(), 8), [0.0; 0]);
        let many = (0..1000).map(f64::from).collect();
        assert_eq!(cuts(many, 4), [19.0, 249.0, 499.0, 979.0]);
    }

    #[test]
    fn what_is_not_there_is_told_from_what_is_small() {
        let vector = |items: &[i128]| {
            let items = items.iter().map(|item| Output::Integer(*item));
            Output::Vector(items.collect())
        };
        let first = [vector(&[1, 0]), vector(&[1]), vector(&[1, 0])];
        let second = [vector(&[1, 2]), Output::Label("text".into())];
        let features = vec![Feature::Number { at: Some(1) }];
        let steps = Steps::new(features, [&first, &second]);
        assert_eq!(steps.row(&first[0]), [true, false, true]);
        assert_eq!(steps.row(&first[1]), [false, false, true]);
        assert_eq!(steps.row(&second[0]), [true, true, true]);
        let rows = steps.rows([&first, &second]);
        assert_eq!(rows[&steps.row(&first[0])], [2.0, 0.0]);
        assert_eq!(rows[&steps.row(&first[1])], [1.0, 1.0]);
    }
}
