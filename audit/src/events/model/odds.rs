//! What is believed of an output before much was counted of it.
//!
//! Of many outcomes each has few calls, and says little. A logistic model has one weight for each *step* of each number in
//! an output (is it there, is it at least each of some cuts), and tells something of every outcome from all calls: any odds
//! that are a sum of functions of the numbers, in whatever shape. Where it is near, bets grow long before the outcomes are
//! known one by one. A number in a vector that ends early, or has text at its place, is one that is not there.
//!
//! Where vectors end at different places, their last number tells most: it made the program stop. From the calls that ended
//! at one place alone it would be learned late. So it has steps of its own, and each of them once more times the place,
//! since the odds of one place are near those of the next; what is special to one place is believed slowly.

use super::logistic::{Design, Fit, RIDGE, Row};
use crate::events::features::Feature;
use crate::events::outputs::{Outputs, SAMPLE};
use crate::targets::Output;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// No belief is nearer to 0 or 1 than this: the model has no idea of what never happens.
const DOUBT: f64 = 1e-3;
/// The most steps of all numbers together. The last number has up to two columns besides for each of its cuts.
const MOST_STEPS: usize = 64;
/// The most cuts of one number: more know no more of a smooth law.
const MOST_CUTS: usize = 8;
/// The most cuts of the last number, which all calls teach.
const LAST_CUTS: usize = 12;
/// The most different rows: those that come first. The time of a fit is this times the square of the steps.
const MOST_ROWS: usize = 8192;
/// The mass of each tail that is cut off: odds are often extreme there.
const TAIL: f64 = 0.02;
/// From so many calls for each weight the ridge is twice what it is in the end: a model of many weights must not bet on what
/// few calls look like.
const FEW: f64 = 6.0;
/// From so many calls a cut at one place weighs as much as others where the last number is read besides; before, as much less
/// as there are fewer calls. (A weight of 1/8 is as a ridge 64 times as large.)
const MANY: f64 = 50_000.0;

/// How many steps of each number an output reaches: 0 if the number is not there, otherwise 1 and one for each cut that it
/// is not below.
type Reached = Vec<u8>;

/// The probability that an output came from the first dataset, if both are called equally often.
#[derive(Debug, Clone)]
pub struct Odds {
    steps: Steps,
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
        // 1. The steps.
        let steps = Steps::of(numbers, outputs);
        // 2. The different rows of steps, and how often each came.
        let counts = count(outputs, |output| steps.reached(output));
        if counts.len() < 2 {
            return None;
        }
        let rows: Vec<Row> = counts
            .iter()
            .map(|(reached, counts)| (steps.row(reached), *counts))
            .collect();
        // 3. The model, and what it believes of them.
        let weights = rows.first().map_or(0, |(row, _)| row.len()) as f64;
        let fit = Design::new(&rows, RIDGE * (1.0 + FEW * weights / calls(outputs)))?.fit()?;
        let believed = counts.into_keys().zip(rows);
        let known = believed.map(|(reached, (row, _))| (reached, belief(&fit, row)));
        Some(Self {
            known: known.collect(),
            steps,
            fit,
        })
    }

    /// The belief about one output.
    pub fn first(&self, output: &Output) -> f64 {
        let reached = self.steps.reached(output);
        let known = self.known.get(&reached).copied();
        known.unwrap_or_else(|| belief(&self.fit, self.steps.row(&reached)))
    }
}

/// How many calls there were.
fn calls(outputs: Outputs<'_>) -> f64 {
    (outputs[0].len() + outputs[1].len()) as f64
}

fn belief(fit: &Fit, row: Vec<f64>) -> f64 {
    fit.share(row).clamp(DOUBT, 1.0 - DOUBT)
}

/// The numbers of an output, and of each where it is cut: rising.
#[derive(Debug, Clone)]
struct Steps {
    numbers: Vec<(Feature, Vec<f64>)>,
    last: Option<Last>,
    /// The weight of a cut at one place.
    one_place: f64,
}

/// The last number of vectors that end at different places.
#[derive(Debug, Clone)]
struct Last {
    cuts: Vec<f64>,
    /// The place of the length among the numbers.
    length: usize,
}

impl Steps {
    /// Cuts the numbers where the outputs are.
    fn of(numbers: Vec<Feature>, outputs: Outputs<'_>) -> Self {
        let each = (MOST_STEPS / numbers.len()).saturating_sub(1);
        let each = each.clamp(1, MOST_CUTS);
        let cut = |value: &dyn Fn(&Output) -> Option<f64>, most| {
            let read = outputs.map(|all| &all[..all.len().min(SAMPLE)]);
            cuts(read.into_iter().flatten().filter_map(value).collect(), most)
        };
        let numbers: Vec<(Feature, Vec<f64>)> = numbers
            .into_iter()
            .map(|number| {
                let cuts = cut(&|output| number.value(output), each);
                (number, cuts)
            })
            .collect();
        let length = (numbers.iter())
            .position(|(number, cuts)| *number == Feature::Length && !cuts.is_empty());
        let last = length.map(|length| Last {
            cuts: cut(&last_number, LAST_CUTS),
            length,
        });
        let last = last.filter(|last| !last.cuts.is_empty());
        Self {
            numbers,
            one_place: last
                .as_ref()
                .map_or(1.0, |_| (calls(outputs) / MANY).min(1.0)),
            last,
        }
    }

    /// How many steps of each number an output reaches and, if it is read, of the last one.
    fn reached(&self, output: &Output) -> Reached {
        let reach = |value: Option<f64>, cuts: &[f64]| {
            value.map_or(0, |value| {
                1 + cuts.partition_point(|cut| *cut <= value) as u8
            })
        };
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|(number, cuts)| reach(number.value(output), cuts));
        let last = self.last.iter();
        let last = last.map(|last| reach(last_number(output), &last.cuts));
        numbers.chain(last).collect()
    }

    /// The row of the design matrix: for each number whether it is there and which cuts it reaches; for the last number each
    /// step, and each cut times the place; and a 1 for the constant.
    fn row(&self, reached: &Reached) -> Vec<f64> {
        let is = |step: usize, reached: u8| f64::from(u8::from(step < usize::from(reached)));
        let mut row = vec![1.0];
        for ((number, cuts), reached) in self.numbers.iter().zip(reached) {
            let of_cut = match number {
                Feature::Length => 1.0,
                _ => self.one_place,
            };
            row.push(is(0, *reached));
            row.extend((1..=cuts.len()).map(|step| of_cut * is(step, *reached)));
        }
        if let (Some(last), Some(of_last)) = (&self.last, reached.last()) {
            // From -1/2 to 1/2.
            let lengths = self.numbers[last.length].1.len() as f64;
            let place = (f64::from(reached[last.length]) - 1.0) / lengths - 0.5;
            for step in 1..=last.cuts.len() {
                let is_reached = is(step, *of_last);
                row.extend([is_reached, is_reached * place]);
            }
        }
        row
    }
}

/// The last entry of a vector, if it is a number. Objects have no end at which a program stopped.
fn last_number(output: &Output) -> Option<f64> {
    let Output::Vector(entries) = output else {
        return None;
    };
    let at = entries.len().checked_sub(1);
    at.and_then(|at| Feature::Number { at: Some(at) }.value(output))
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
        let steps = Steps::of(vec![Feature::Number { at: Some(1) }], [&first, &second]);
        let row = |output| steps.row(&steps.reached(output));
        assert_eq!(row(&first[0]), [1.0, 1.0, 0.0]);
        assert_eq!(row(&first[1]), [1.0, 0.0, 0.0]);
        assert_eq!(row(&second[0]), [1.0, 1.0, 1.0]);
        let rows = count([&first, &second], |output| steps.reached(output));
        assert_eq!(rows[&steps.reached(&first[0])], [2.0, 0.0]);
        assert_eq!(rows[&steps.reached(&first[1])], [1.0, 1.0]);
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

    /// The output of a program that stops at a place, and tells a number there.
    fn output(place: usize, value: i128) -> Output {
        let mut items = vec![Output::Label("below".into()); place];
        items.push(Output::Integer(value));
        Output::Vector(items)
    }

    /// A program that stops at one of six places and tells a number there. Its odds at a place are those of the place before,
    /// times the same: what few calls of the last place say, all of them do.
    #[test]
    fn the_last_number_is_learned_from_all_places() {
        // At place i, 0 has odds e^(i/2) and 1 has odds 1; later places come less often.
        let truth = |place: usize, value: i128| match value {
            0 => 1.0 / (1.0 + (-(place as f64) / 2.0).exp()),
            _ => 0.5,
        };
        let mut sides = [Vec::new(), Vec::new()];
        for (place, often) in [640, 320, 160, 80, 40, 10].into_iter().enumerate() {
            for value in [0, 1] {
                let first = (f64::from(often) * truth(place, value)).round() as usize;
                sides[0].extend(vec![output(place, value); first]);
                sides[1].extend(vec![output(place, value); often as usize - first]);
            }
        }
        let numbers = numbers().into_iter().chain([Feature::Length]).collect();
        let odds = Odds::fit(numbers, [&sides[0], &sides[1]]).unwrap();
        let found = odds.first(&output(5, 0));
        // Of ten calls with odds of 12 alone, the ridge would believe less than 0.8.
        assert!((0.8..0.97).contains(&found), "{found}");
        assert!((odds.first(&output(0, 0)) - 0.5).abs() < 0.06);
        assert!((odds.first(&output(3, 1)) - 0.5).abs() < 0.1);
    }

    /// A program that stops at one of four places. At the second its number has odds of 3, elsewhere it tells nothing: there is
    /// no line through the places. Of 2,000 calls this is not believed, of 50,000 it is.
    #[test]
    fn what_is_special_to_one_place_is_believed_slowly() {
        // Of 32 calls, which come again and again: at each place eight, at the second six and two.
        let side = |of_second: [usize; 2], calls: usize| -> Vec<Output> {
            let often = |place| if place == 1 { of_second } else { [4, 4] };
            let some = (0..4).flat_map(|place| {
                let [zeros, ones] = often(place).map(|often| 0..often);
                let zeros = zeros.map(move |_| output(place, 0));
                zeros.chain(ones.map(move |_| output(place, 1)))
            });
            some.collect::<Vec<_>>()
                .into_iter()
                .cycle()
                .take(calls)
                .collect()
        };
        let believed = |calls: usize| {
            let sides = [side([6, 2], calls / 2), side([2, 6], calls / 2)];
            let numbers = numbers().into_iter().chain([Feature::Length]).collect();
            let odds = Odds::fit(numbers, [&sides[0], &sides[1]]).unwrap();
            [0, 1].map(|value| odds.first(&output(1, value)))
        };
        let few = believed(2_000);
        assert!(few.iter().all(|share| (share - 0.5).abs() < 0.1), "{few:?}");
        let [zero, one] = believed(MANY as usize);
        assert!((zero - 0.75).abs() < 0.03 && (one - 0.25).abs() < 0.03);
    }

    /// At six calls for each weight the ridge is twice what it is in the end.
    #[test]
    fn a_model_of_many_weights_is_careful_with_few_calls() {
        // A constant, whether the number is there, and one cut: three weights.
        let zeros_and_ones = |zeros: usize| {
            let of = |value: i128| Output::Vector(vec![Output::Integer(value)]);
            [vec![of(0); zeros], vec![of(1); 9 - zeros]].concat()
        };
        let sides = [zeros_and_ones(7), zeros_and_ones(2)];
        let numbers = vec![Feature::Number { at: Some(0) }];
        let odds = Odds::fit(numbers, [&sides[0], &sides[1]]).unwrap();
        let rows = [
            (vec![1.0, 1.0, 0.0], [7.0, 2.0]),
            (vec![1.0, 1.0, 1.0], [2.0, 7.0]),
        ];
        let twice = Design::new(&rows, 2.0 * RIDGE).unwrap().fit().unwrap();
        assert_eq!(
            odds.first(&sides[0][0]),
            belief(&twice, vec![1.0, 1.0, 0.0])
        );
    }

    #[test]
    fn an_object_has_no_last_number() {
        let object = |length: usize| {
            let names = ["a", "b", "c"].map(str::to_owned)[..length].to_vec();
            Output::Object(names, vec![Output::Integer(length as i128); length])
        };
        let sides = [[object(1), object(2)], [object(2), object(3)]];
        let steps = Steps::of(vec![Feature::Length], [&sides[0], &sides[1]]);
        assert!(steps.last.is_none());
        assert_eq!(
            last_number(&Output::Vector(vec![object(1), Output::Integer(5)])),
            Some(5.0)
        );
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
