//! The family of the thresholds: `feature <= bound` and `feature >= bound`.

use super::column::{Histogram, both};
use super::promise::{Counts, Judge, Score};
use crate::events::features::{Feature, Real};
use crate::events::predicate::Predicate;

/// The best threshold at one of the rising `values`, together with `base`, that is in the event anyway.
pub fn threshold(
    feature: &Feature,
    values: &[f64],
    histogram: &Histogram,
    base: Counts,
    judge: &Judge,
) -> Option<(Score, Predicate)> {
    let there = histogram
        .iter()
        .fold(Counts::default(), |sum, halves| sum.plus(both(halves)));
    let mut best: Option<(Score, bool, f64)> = None;
    let mut up_to = Counts::default();
    for (halves, value) in histogram.iter().zip(values) {
        let here = both(halves);
        if here.sum() == 0 {
            continue;
        }
        let from = there.minus(up_to);
        up_to = up_to.plus(here);
        for (counts, at_most) in [(up_to, true), (from, false)] {
            let score = judge.score(counts.plus(base));
            if best.is_none_or(|best| score.better_than(best.0, 0.0)) {
                best = Some((score, at_most, *value));
            }
        }
    }
    best.map(|(score, at_most, bound)| {
        let (feature, bound) = (feature.clone(), Real::new(bound));
        let predicate = if at_most {
            Predicate::AtMost { feature, bound }
        } else {
            Predicate::AtLeast { feature, bound }
        };
        (score, predicate)
    })
}
