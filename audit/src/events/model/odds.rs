//! What is believed of an output before much was counted of it.
//!
//! Of many outcomes each has few calls, and says little. A logistic model has one weight for each *step* of each number in
//! an output (is it there, is it at least each of some cuts), and tells something of every outcome from all calls: any odds
//! that are a sum of functions of the numbers, in whatever shape. Where it is near, bets grow long before the outcomes are
//! known one by one. A number in a vector that ends early, or has text at its place, is one that is not there.

use super::logistic::{Design, Fit, Row};
use crate::events::features::Feature;
use crate::events::outputs::{Outputs, SAMPLE};
use crate::targets::Output;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// No belief is nearer to 0 or 1 than this: the model has no idea of what never happens.
const DOUBT: f64 = 1e-3;
/// The most steps of all numbers together.
const MOST_STEPS: usize = 64;
/// The most cuts of one number: more know no more of a smooth law.
const MOST_CUTS: usize = 8;
/// The most different rows: those that come first. The time of a fit is this times the square of the steps.
const MOST_ROWS: usize = 8192;
/// The mass of each tail that is cut off: odds are often extreme there.
const TAIL: f64 = 0.02;

/// How many steps of each number an output reaches: 0 if the number is not there, otherwise 1 and one for each cut that it
/// is not below.
type Reached = Vec<u8>;

/// The probability that an output came from the first dataset, if both are called equally often.
#[derive(Debug, Clone)]
pub struct Odds {
    numbers: Vec<Feature>,
    /// Of each number, where it is cut: rising.
    cuts: Vec<Vec<f64>>,
    fit: Fit,
    /// What is believed of the outputs that came.
    known: HashMap<Reached, f64>,
}

impl Odds {
    /// Fits the model to outputs; `None` if there are no numbers that vary, or only one dataset has outputs.
    pub fn fit(numbers: Vec<Feature>, outputs: Outputs<'_>) -> Option<Self> {
        if numbers.is_empty() {
            return None;
        }
        // 1. The cuts, where the outputs are.
        let each = (MOST_STEPS / numbers.len()).saturating_sub(1);
        let each = each.clamp(1, MOST_CUTS);
        let cut = |number: &Feature| {
            let read = outputs.map(|all| &all[..all.len().min(SAMPLE)]);
            let values = read.into_iter().flatten();
            cuts(
                values.filter_map(|output| number.value(output)).collect(),
                each,
            )
        };
        let cuts: Vec<Vec<f64>> = numbers.iter().map(cut).collect();
        // 2. The different rows of steps, and how often each came.
        let counts = count(outputs, |output| reached(&numbers, &cuts, output));
        if counts.len() < 2 {
            return None;
        }
        let rows: Vec<Row> = counts
            .iter()
            .map(|(reached, counts)| (steps(&cuts, reached), *counts))
            .collect();
        // 3. The model, and what it believes of them.
        let fit = Design::new(&rows)?.fit()?;
        let believed = counts.into_keys().zip(rows);
        let known = believed.map(|(reached, (row, _))| (reached, belief(&fit, row)));
        Some(Self {
            known: known.collect(),
            numbers,
            cuts,
            fit,
        })
    }

    /// The belief about one output.
    pub fn first(&self, output: &Output) -> f64 {
        let reached = reached(&self.numbers, &self.cuts, output);
        let known = self.known.get(&reached).copied();
        known.unwrap_or_else(|| belief(&self.fit, steps(&self.cuts, &reached)))
    }
}

fn belief(fit: &Fit, row: Vec<f64>) -> f64 {
    fit.share(row).clamp(DOUBT, 1.0 - DOUBT)
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

fn reached(numbers: &[Feature], cuts: &[Vec<f64>], output: &Output) -> Reached {
    let reach = |(number, cuts): (&Feature, &Vec<f64>)| {
        let value = number.value(output)?;
        Some(1 + cuts.partition_point(|cut| *cut <= value) as u8)
    };
    let each = numbers.iter().zip(cuts);
    each.map(|number| reach(number).unwrap_or(0)).collect()
}

/// The row of the design matrix: for each number whether it is there and which cuts it reaches, and a 1 for the constant.
fn steps(cuts: &[Vec<f64>], reached: &Reached) -> Vec<f64> {
    let of = |(cuts, reached): (&Vec<f64>, &u8)| {
        let (all, reached) = (1 + cuts.len(), usize::from(*reached));
        (0..all).map(move |step| f64::from(u8::from(step < reached)))
    };
    cuts.iter().zip(reached).flat_map(of).chain([1.0]).collect()
}

/// How often each row came on the two datasets. Of too many rows, those that come first.
fn count(
    outputs: Outputs<'_>,
    reached: impl Fn(&Output) -> Reached,
) -> BTreeMap<Reached, [f64; 2]> {
    let mut rows: BTreeMap<Reached, [f64; 2]> = BTreeMap::new();
    let longest = outputs[0].len().max(outputs[1].len());
    // Side by side, so that neither fills the table alone.
    for (index, side) in (0..longest).flat_map(|index| [(index, 0), (index, 1)]) {
        let Some(output) = outputs[side].get(index) else {
            continue;
        };
        let is_room = rows.len() < MOST_ROWS;
        match rows.entry(reached(output)) {
            Entry::Occupied(mut counts) => counts.get_mut()[side] += 1.0,
            Entry::Vacant(free) if is_room => free.insert([0.0, 0.0])[side] += 1.0,
            Entry::Vacant(_) => (),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::tests::three_answers;

    fn numbers() -> Vec<Feature> {
        (0..3).map(|at| Feature::Number { at: Some(at) }).collect()
    }

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
        let (numbers, cuts) = ([Feature::Number { at: Some(1) }], [vec![2.0]]);
        let reached = |output: &Output| reached(&numbers, &cuts, output);
        let row = |output| steps(&cuts, &reached(output));
        assert_eq!(row(&first[0]), [1.0, 0.0, 1.0]);
        assert_eq!(row(&first[1]), [0.0, 0.0, 1.0]);
        assert_eq!(row(&second[0]), [1.0, 1.0, 1.0]);
        let rows = count([&first, &second], reached);
        assert_eq!(rows[&reached(&first[0])], [2.0, 0.0]);
        assert_eq!(rows[&reached(&first[1])], [1.0, 1.0]);
    }

    #[test]
    fn the_model_knows_a_cell_from_the_others() {
        let sides = [three_answers(0, 640), three_answers(1, 640)];
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
}
