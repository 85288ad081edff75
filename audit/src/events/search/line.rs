//! The half-line that a straight line believes in: of noise that is added, the odds of the two datasets are nearly linear in the
//! number, and so two weights tell where to cut.
//!
//! A search among all thresholds finds the luckiest one. With a delta above 0 that costs most: what an event has above the
//! claim is a difference of two frequencies, and from few calls every threshold has a lucky neighbour. So the logarithm of the
//! odds is fitted as `a + b x`, to one number or to a weighted sum of several, and the threshold is the one that promises most
//! if that is true.

use super::lesson::Lesson;
use super::promise::{Counts, Judge, Score};
use crate::events::features::{Feature, Real};
use crate::events::model::Line;
use crate::events::outputs::SAMPLE;
use crate::events::predicate::Predicate;

/// So many outputs on each dataset must have the number.
const LEAST: usize = 64;
/// In all but one of so many outputs it must be there.
const ABSENT: usize = 20;

impl Lesson<'_> {
    /// The best half-line if a straight line is right, and what it promises then; `None` without a number that nearly all
    /// outputs have.
    pub(super) fn line_event(&self) -> Option<(Score, Predicate)> {
        let feature = self.axis()?;
        let read = self.all.map(|all| -> Vec<f64> {
            let values = all.iter().filter_map(|output| feature.value(output));
            values.filter(|value| value.is_finite()).collect()
        });
        let are_many = |(values, all): (&Vec<f64>, &&[_])| {
            values.len() >= LEAST && ABSENT * (all.len() - values.len()) <= all.len()
        };
        if !read.iter().zip(&self.all).all(are_many) {
            return None;
        }
        let line = Line::fit(&read)?;
        let mut values: Vec<f64> = read.into_iter().flatten().collect();
        values.sort_unstable_by(f64::total_cmp);
        // Of many, as many as tell where to cut.
        let step = values.len().div_ceil(SAMPLE);
        let few = values.into_iter().step_by(step);
        let shares: Vec<(f64, f64)> = few.map(|value| (value, line.share(value))).collect();
        self.best_cut(&feature, &shares)
    }

    /// The number of the outputs, or the weighted sum of their numbers.
    fn axis(&self) -> Option<Feature> {
        let numbers = || self.numbers.iter().filter(|feature| feature.is_number());
        if numbers().count() == 1 {
            return numbers().next().cloned();
        }
        let sums = self.columns.iter().map(|column| &column.feature);
        let mut sums = sums.filter(|feature| {
            matches!(feature, Feature::Weighted { terms } if terms.iter().all(|term| term.feature.is_number()))
        });
        sums.next().cloned()
    }

    /// The threshold among rising values that promises most if the first dataset has these shares of them.
    fn best_cut(&self, feature: &Feature, values: &[(f64, f64)]) -> Option<(Score, Predicate)> {
        let totals = Counts::of(self.all);
        let judge = Judge::cautious(&self.aim, totals, 0.0);
        // As many on each side as there were.
        let all = values.len() as f64;
        let [of_first, of_second] = totals.0.map(|total| 2.0 * total as f64 / all);
        let mut best: Option<(Score, bool, f64)> = None;
        for at_most in [true, false] {
            let mut expected = [0.0, 0.0];
            for index in 0..values.len() {
                let place = if at_most {
                    index
                } else {
                    values.len() - 1 - index
                };
                let (value, share) = values[place];
                expected[0] += of_first * share;
                expected[1] += of_second * (1.0 - share);
                let next = if at_most {
                    values.get(place + 1)
                } else {
                    place.checked_sub(1).map(|p| &values[p])
                };
                // Equal values go together.
                if next.is_some_and(|next| next.0 == value) {
                    continue;
                }
                let score = judge.expected(expected);
                if best.is_none_or(|(most, ..)| score.better_than(most, 0.0)) {
                    best = Some((score, at_most, value));
                }
            }
        }
        best.map(|(score, at_most, bound)| {
            let (feature, bound) = (feature.clone(), Real::new(bound));
            let predicate = match at_most {
                true => Predicate::AtMost { feature, bound },
                false => Predicate::AtLeast { feature, bound },
            };
            (score, predicate)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::promise::Aim;
    use super::*;
    use crate::targets::Output;

    #[test]
    fn the_threshold_is_that_of_the_law_and_not_the_luckiest() {
        // Normal quantiles, shifted by 1 on one side: with delta 0.1 the best event of claims near epsilon 1 is x >= 1.5.
        let quantile = |u: f64| {
            // A logistic law of the same variance is near enough.
            (u / (1.0 - u)).ln() * 0.551
        };
        let side = |shift: f64, n: usize| -> Vec<Output> {
            let value = |i: usize| quantile((i as f64 + 0.5) / n as f64) + shift;
            (0..n).map(|i| Output::float(value(i * 7919 % n))).collect()
        };
        let (first, second) = (side(0.0, 601), side(1.0, 601));
        let lesson = Lesson::new(&first, &second, Aim::after(601, 0.1));
        let (_, event) = lesson.line_event().unwrap();
        let bound = match &event {
            Predicate::AtLeast { bound, .. } => bound.get() - 0.5,
            Predicate::AtMost { bound, .. } => 0.5 - bound.get(),
            other => panic!("{other}"),
        };
        assert!((0.3..1.7).contains(&bound), "{event}");
        // Texts have no line.
        let texts = vec![Output::Label("x".into()); 600];
        assert!(
            Lesson::new(&texts, &texts, Aim::after(600, 0.1))
                .line_event()
                .is_none()
        );
    }
}
