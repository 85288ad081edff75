//! The family of the sets of outcomes: if the different outputs are few, the best set of them by shrunk frequencies.
//!
//! Of hundreds of outcomes the one of the largest ratio is rather the luckiest than the best. A caution against that costs
//! the rare ones most, and holding outputs out costs half of them. Frequencies that are shrunk by as much as the outputs
//! themselves ask for need neither: on the mean they promise what will come, of the best of them too.

use super::column::{Column, Values, both};
use super::promise::{Judge, Score};
use crate::events::features::Feature;
use crate::events::outputs::Outputs;
use crate::events::predicate::Predicate;
use crate::targets::Output;
use std::borrow::Cow;

/// The most outcomes: the best set of them is read by people.
pub const MOST_OUTCOMES: usize = 1024;
/// How often each must have come on the mean: shrinking needs something to shrink.
const MEAN: u64 = 8;
/// The weights that are tried, in calls: these powers of four; the last one believes no count.
const POWERS: std::ops::RangeInclusive<i32> = 0..=12;

/// The different outputs, and how often each would be expected among as many outputs on the two datasets.
pub struct Outcomes<'a> {
    keys: Vec<Cow<'a, Output>>,
    counts: Vec<[f64; 2]>,
    /// The whole output, in the aspect that is looked at.
    whole: Feature,
}

impl<'a> Outcomes<'a> {
    /// `None` if there are too many, or on one of the datasets none.
    pub fn of(
        outputs: Outputs<'a>,
        whole: Feature,
        belief: impl Fn(&Output) -> f64,
    ) -> Option<Self> {
        let column = Column::new(whole.clone(), outputs);
        let histogram = column.histogram(None);
        let Values::Keys(keys) = column.values else {
            return None;
        };
        let totals = outputs.map(|all| all.len() as f64);
        let calls = totals[0] + totals[1];
        let is_rare = (calls as u64) < MEAN * keys.len() as u64;
        if keys.len() > MOST_OUTCOMES || is_rare || totals.contains(&0.0) {
            return None;
        }
        let counts: Vec<[u64; 2]> = histogram.iter().map(|halves| both(halves).0).collect();
        // Believed if both are called equally often, and then as they were.
        let believed = |key: &Output| {
            let (first, second) = (belief(key) * totals[0], (1.0 - belief(key)) * totals[1]);
            first / (first + second)
        };
        let shares: Vec<f64> = keys.iter().map(|key| believed(key)).collect();
        let weight = weight(&counts, &shares);
        let expected = counts.iter().zip(&shares).map(|(&[a, b], share)| {
            let [a, b] = [a as f64, b as f64];
            let first = (a + weight * share) / (a + b + weight);
            [(a + b) * first, (a + b) * (1.0 - first)]
        });
        Some(Self {
            counts: expected.collect(),
            keys,
            whole,
        })
    }

    /// How often an event is expected among as many outputs.
    pub fn expected(&self, event: &Predicate) -> [f64; 2] {
        let inside = self.keys.iter().zip(&self.counts);
        inside
            .filter(|(key, _)| event.holds(key))
            .fold([0.0, 0.0], |sum, (_, counts)| plus(sum, *counts))
    }

    /// The set of outcomes that promises most.
    pub fn best(&self, judge: &Judge) -> Option<(Score, Predicate)> {
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        let ratio = |index: usize| self.counts[index][0] / self.counts[index][1];
        order.sort_by(|a, b| {
            let falling = ratio(*b).total_cmp(&ratio(*a));
            falling.then_with(|| self.keys[*a].cmp(&self.keys[*b]))
        });
        let mut best: Option<(Score, Vec<usize>)> = None;
        for forward in [true, false] {
            let mut counts = [0.0, 0.0];
            for taken in 1..=order.len() {
                let last = if forward {
                    taken - 1
                } else {
                    order.len() - taken
                };
                counts = plus(counts, self.counts[order[last]]);
                let score = judge.expected(counts);
                if best
                    .as_ref()
                    .is_none_or(|best| score.better_than(best.0, 0.0))
                {
                    let chosen = if forward {
                        &order[..taken]
                    } else {
                        &order[last..]
                    };
                    best = Some((score, chosen.to_vec()));
                }
            }
        }
        best.map(|(score, chosen)| {
            let keys = chosen.iter().map(|index| (*self.keys[*index]).clone());
            let feature = self.whole.clone();
            let values = keys.collect();
            (score, Predicate::OneOf { feature, values })
        })
    }
}

fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// The weight of `share` with which each output is predicted best, whether it came from the first dataset or the second,
/// from those before it that were the same: the likelihood of beta-binomial counts.
fn weight(counts: &[[u64; 2]], shares: &[f64]) -> f64 {
    // The logarithm of x (x + 1) ... (x + n - 1).
    let rising = |x: f64, n: u64| (0..n).map(|i| (x + i as f64).ln()).sum::<f64>();
    let likelihood = |weight: f64| -> f64 {
        let of = |(&[a, b], share): (&[u64; 2], &f64)| {
            let second = weight * (1.0 - share);
            rising(weight * share, a) + rising(second, b) - rising(weight, a + b)
        };
        counts.iter().zip(shares).map(of).sum()
    };
    let weights = POWERS.map(|power| 4f64.powi(power));
    let likely = weights.map(|weight| (likelihood(weight), weight));
    let best = likely.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(f64::INFINITY, |(_, weight)| weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::search::promise::{Aim, Counts};

    /// Outcomes with these counts on the two datasets.
    fn sides(counts: &[[usize; 2]]) -> [Vec<Output>; 2] {
        [0, 1].map(|side| {
            let of =
                |(value, counts): (i128, &[usize; 2])| vec![Output::Integer(value); counts[side]];
            (0..).zip(counts).flat_map(of).collect()
        })
    }

    fn best(counts: &[[usize; 2]], belief: impl Fn(&Output) -> f64) -> String {
        let sides = sides(counts);
        let outputs = [sides[0].as_slice(), sides[1].as_slice()];
        let totals = Counts(outputs.map(|all| all.len() as u64));
        let judge = Judge::cautious(&Aim::after(outputs[0].len(), 0.0), totals, 0.0);
        let found = Outcomes::of(outputs, Feature::Exact { at: None }, belief)
            .unwrap()
            .best(&judge);
        found.unwrap().1.to_string()
    }

    /// Outcome 0 has the largest ratio of those that came often; of thirty rare ones the luckiest have larger ones.
    #[test]
    fn a_lucky_outcome_is_not_the_best_one() {
        let mut counts = vec![[9000, 9000], [900, 450]];
        counts.extend((0..30).map(|i: usize| [20 + i / 2, 20 + (29 - i) / 2]));
        assert_eq!(best(&counts, |_| 0.5), "output = 1");
        // If most outcomes are as unlike as the counts say, rare ones are believed.
        let mut counts = vec![[9000, 9000], [900, 450]];
        counts.extend((0..30).map(|i| if i % 2 == 0 { [200, 20] } else { [20, 200] }));
        let found = best(&counts, |_| 0.5);
        assert!(found.contains("15 values"), "{found}");
    }

    #[test]
    fn counts_are_drawn_towards_what_is_believed() {
        let counts = [[500, 500], [60, 40], [60, 40], [40, 60], [40, 60]];
        let [first, second] = [0.62, 0.58].map(|share| {
            let belief = move |output: &Output| match output.number() {
                Some(1.0) => share,
                Some(2.0) => 1.2 - share,
                Some(0.0) => 0.5,
                _ => 0.4,
            };
            let sides = sides(&counts);
            let outputs = [sides[0].as_slice(), sides[1].as_slice()];
            let outcomes = Outcomes::of(outputs, Feature::Exact { at: None }, belief).unwrap();
            let one = Predicate::OneOf {
                feature: Feature::Exact { at: None },
                values: [Output::Integer(1)].into(),
            };
            let [p, q] = outcomes.expected(&one);
            // As often in all as it came.
            assert!((p + q - 100.0).abs() < 1e-9, "{p} {q}");
            p / (p + q)
        });
        assert!(first > 0.61 && second < 0.59, "{first} {second}");
    }

    #[test]
    fn many_outcomes_and_rare_ones_are_left_to_the_other_families() {
        let of = |counts: &[[usize; 2]]| {
            let sides = sides(counts);
            Outcomes::of([&sides[0], &sides[1]], Feature::Exact { at: None }, |_| 0.5)
                .map(|outcomes| outcomes.keys.len())
        };
        assert_eq!(of(&[[4, 4]; 1024]), Some(1024));
        assert_eq!(of(&[[4, 4]; 1025]), None);
        assert_eq!(of(&[[4, 3]; 10]), None);
        assert_eq!(of(&[[10, 0]; 2]), None);
    }
}
