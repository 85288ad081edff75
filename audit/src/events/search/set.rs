//! The family of the sets: `feature in {…}`, the values of the largest ratio.

use super::column::{FEW, Histogram, both};
use super::promise::{Counts, Judge, Score};
use crate::events::features::Feature;
use crate::events::predicate::Predicate;
use crate::targets::Output;
use std::borrow::Cow;

/// The most keys in one event, and in one partition: what comes after is rare.
pub const LARGEST_SET: usize = 4096;
/// How often each of [`FEW`] keys must come on the mean: of keys that came once, half are on one dataset alone.
const MEAN_OF_FEW: u64 = 3;
/// How often each of more keys must come to be looked at: fewer occurrences prove nothing.
const LEAST_OF_MANY: u64 = 8;

/// The best set of `keys`, together with `base`, that is in the event anyway.
pub fn set(
    feature: &Feature,
    keys: &[Cow<'_, Output>],
    histogram: &Histogram,
    base: Counts,
    judge: &Judge,
) -> Option<(Score, Predicate)> {
    let mut found: Vec<(&Output, [Counts; 2])> = keys
        .iter()
        .zip(histogram)
        .filter(|(_, halves)| both(halves).sum() > 0)
        .map(|(key, halves)| (&**key, *halves))
        .collect();
    let totals = judge.totals;
    let came = found
        .iter()
        .map(|(_, halves)| both(halves).sum())
        .sum::<u64>();
    let few = found.len() <= FEW && came >= MEAN_OF_FEW * found.len() as u64;
    let (order_totals, judge, base) = if few {
        for (_, halves) in &mut found {
            *halves = [both(halves); 2];
        }
        (totals, *judge, base)
    } else {
        found.retain(|(_, halves)| both(halves).sum() >= LEAST_OF_MANY);
        let even = Counts(totals.0.map(|total| total.div_ceil(2)));
        let base = Counts(base.0.map(|count| count / 2));
        (even, judge.among(totals.minus(even)), base)
    };
    found.sort_by(|(a, x), (b, y)| {
        let [x, y] = [x, y].map(|halves| halves[0].ratio(order_totals));
        y.total_cmp(&x).then_with(|| a.cmp(b))
    });
    let mut best: Option<(Score, bool, usize)> = None;
    for forward in [true, false] {
        let mut counts = base;
        for taken in 1..=found.len().min(LARGEST_SET) {
            let index = if forward {
                taken - 1
            } else {
                found.len() - taken
            };
            counts = counts.plus(found[index].1[1]);
            let score = judge.score(counts);
            if best.is_none_or(|best| score.better_than(best.0, 0.0)) {
                best = Some((score, forward, taken));
            }
        }
    }
    best.map(|(score, forward, taken)| {
        let chosen = if forward {
            &found[..taken]
        } else {
            &found[found.len() - taken..]
        };
        let values = chosen.iter().map(|(key, _)| (*key).clone()).collect();
        let feature = feature.clone();
        (score, Predicate::OneOf { feature, values })
    })
}
