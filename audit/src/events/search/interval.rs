//! The family of the intervals: `low <= feature <= high`, and what is on either side of an interval.

use super::column::{FEW, Histogram, both};
use super::promise::{Counts, Judge, Score};
use crate::events::features::{Feature, Real};
use crate::events::predicate::Predicate;

/// Between so many parts of about equal mass the ends are sought first, in all pairs; heavy values are parts by themselves.
const PARTS: u64 = 128;
/// Further cuts in the tails, where the ratios are largest: this fraction of the outputs on either side.
const TAILS: [f64; 2] = [1e-3, 1e-2];
/// At most so many places are tried when an end is moved: about as long as the pairs take.
const MOVES: usize = 256;

/// The best interval, or the best two sides, together with `base`, that is in the event anyway. Intervals
/// that reach an end of the values are thresholds, and not looked at.
pub fn interval(
    feature: &Feature,
    values: &[f64],
    histogram: &Histogram,
    base: Counts,
    judge: &Judge,
) -> Option<(Score, Predicate)> {
    let few = histogram
        .iter()
        .filter(|halves| both(halves).sum() > 0)
        .count()
        <= FEW;
    if few {
        let counts = histogram.iter().map(both);
        let (score, ends) = chosen(values, counts, base, judge)?;
        return Some((score, ends.predicate(feature)));
    }
    let totals = judge.totals;
    let even = Counts(totals.0.map(|total| total.div_ceil(2)));
    let half_base = Counts(base.0.map(|count| count / 2));
    let counts = histogram.iter().map(|halves| halves[0]);
    let (_, ends) = chosen(values, counts, half_base, &judge.among(even))?;
    let odd = values
        .iter()
        .zip(histogram)
        .filter(|(value, _)| ends.hold(**value))
        .fold(half_base, |sum, (_, halves)| sum.plus(halves[1]));
    let score = judge.among(totals.minus(even)).score(odd);
    Some((score, ends.predicate(feature)))
}

/// An interval, or what is on either side of it.
enum Ends {
    Between(f64, f64),
    Beside(f64, f64),
}

impl Ends {
    fn hold(&self, value: f64) -> bool {
        match *self {
            Self::Between(low, high) => low <= value && value <= high,
            Self::Beside(low, high) => value <= low || value >= high,
        }
    }

    fn predicate(&self, feature: &Feature) -> Predicate {
        let feature = || feature.clone();
        match *self {
            Self::Between(low, high) => Predicate::Between {
                feature: feature(),
                low: Real::new(low),
                high: Real::new(high),
            },
            Self::Beside(low, high) => Predicate::Any(vec![
                Predicate::AtMost {
                    feature: feature(),
                    bound: Real::new(low),
                },
                Predicate::AtLeast {
                    feature: feature(),
                    bound: Real::new(high),
                },
            ]),
        }
    }
}

/// The ends that promise most.
fn chosen(
    values: &[f64],
    counts: impl Iterator<Item = Counts>,
    base: Counts,
    judge: &Judge,
) -> Option<(Score, Ends)> {
    // Only the values that come: those of a part of the outputs may not.
    let (values, counts): (Vec<f64>, Vec<Counts>) = (values.iter().zip(counts))
        .filter(|(_, counts)| counts.sum() > 0)
        .unzip();
    // below[i]: in the values before the i-th.
    let mut below = vec![Counts::default()];
    for here in &counts {
        below.push(below[below.len() - 1].plus(*here));
    }
    let there = below[values.len()];
    let score = |[from, to]: [usize; 2], inside: bool| {
        let within = below[to].minus(below[from]);
        let counts = if inside { within } else { there.minus(within) };
        judge.score(counts.plus(base))
    };
    // 1. All pairs of a few cuts.
    let cuts = cuts(&below);
    let mut best: Option<(Score, [usize; 2], bool)> = None;
    for (index, from) in cuts.iter().enumerate() {
        for to in &cuts[index + 1..] {
            for inside in [true, false] {
                let score = score([*from, *to], inside);
                if best.is_none_or(|best| score.better_than(best.0, 0.0)) {
                    best = Some((score, [*from, *to], inside));
                }
            }
        }
    }
    let (mut most, mut ends, inside) = best?;
    // 2. Each end in turn, between its neighbours among the cuts.
    for end in [0, 1, 0, 1] {
        let place = cuts.partition_point(|cut| *cut < ends[end]);
        let lowest = place.checked_sub(1).map_or(1, |before| cuts[before]);
        let highest = cuts.get(place + 1).copied().unwrap_or(values.len() - 1);
        let step = (highest - lowest).div_ceil(MOVES).max(1);
        for moved in (lowest..=highest).step_by(step) {
            let mut candidate = ends;
            candidate[end] = moved;
            if candidate[0] < candidate[1] && score(candidate, inside).better_than(most, 0.0) {
                (most, ends) = (score(candidate, inside), candidate);
            }
        }
    }
    let [from, to] = ends;
    let ends = if inside {
        Ends::Between(values[from], values[to - 1])
    } else {
        Ends::Beside(values[from - 1], values[to])
    };
    Some((most, ends))
}

/// Cuts between values, rising: `i` is before the i-th value; neither the first nor the last place.
fn cuts(below: &[Counts]) -> Vec<usize> {
    let last = below.len() - 1;
    let total = below[last].sum();
    let part = (total / PARTS).max(1);
    let mut cuts = Vec::new();
    let mut cut_at = 0;
    for place in 1..last {
        let mass = |from: usize, to: usize| below[to].sum() - below[from].sum();
        if mass(cut_at, place) >= part || mass(place, place + 1) >= part {
            cuts.push(place);
            cut_at = place;
        }
    }
    for tail in TAILS {
        let mass = (tail * total as f64) as u64;
        cuts.push(below.partition_point(|counts| counts.sum() < mass));
        cuts.push(below.partition_point(|counts| counts.sum() <= total - mass));
    }
    cuts.retain(|cut| (1..last).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::super::promise::Aim;
    use super::super::threshold::threshold;
    use super::*;
    use dp_assay::coins::{ChaCha, Coins};

    /// Counts of 0, 1, 2, … under the two datasets.
    fn histogram(counts: &[[u64; 2]]) -> (Vec<f64>, Histogram) {
        let values = (0..counts.len()).map(|i| i as f64).collect();
        let counts = counts
            .iter()
            .map(|c| [Counts(c.map(|c| c.div_ceil(2))), Counts(c.map(|c| c / 2))]);
        (values, counts.collect())
    }

    /// Both families on outputs of these exact frequencies: epsilon and the event.
    fn both_families(counts: &[[u64; 2]]) -> [(f64, String); 2] {
        let (values, histogram) = histogram(counts);
        let total = counts
            .iter()
            .fold(Counts::default(), |sum, c| sum.plus(Counts(*c)));
        let aim = Aim::after(total.0[0] as usize, 0.0);
        let (feature, base) = (Feature::Number { at: None }, Counts::default());
        let judge = Judge::new(&aim, total);
        let simple = threshold(&feature, &values, &histogram, base, &judge).unwrap();
        let found = interval(&feature, &values, &histogram, base, &judge).unwrap();
        [simple, found].map(|(score, predicate)| (score.epsilon(), predicate.to_string()))
    }

    #[test]
    fn a_leak_in_the_middle_shows_in_no_threshold() {
        // Ten values; in the middle, mass moves from one to the next: epsilon = ln 9 there, and at most ln 2
        // for every threshold.
        let mut counts = [[100_000, 100_000]; 10];
        counts[5] = [20_000, 180_000];
        counts[4] = [180_000, 20_000];
        let [(threshold, _), (interval, event)] = both_families(&counts);
        assert!(threshold < 2f64.ln(), "{threshold}");
        assert!(interval > 2.1 && interval < 9f64.ln(), "{interval}");
        assert!(event == "output = 4" || event == "output = 5", "{event}");
    }

    #[test]
    fn a_leak_in_both_tails_is_found() {
        let mut counts = [[100_000, 100_000]; 12];
        (counts[0], counts[11]) = ([90_000, 10_000], [90_000, 10_000]);
        counts[6] = [20_000, 180_000];
        let [(threshold, _), (interval, event)] = both_families(&counts);
        assert_eq!(event, "output <= 0 or output >= 11");
        assert!(interval > threshold + 0.005, "{threshold} {interval}");
    }

    #[test]
    fn the_ends_are_exact_among_many_values() {
        // A narrow interval among 10,000 values, not at a cut.
        let mut counts = vec![[100, 100]; 10_000];
        counts[3217..3291].fill([190, 10]);
        counts[3291..3365].fill([10, 190]);
        let [(threshold, _), (interval, event)] = both_families(&counts);
        assert!(threshold < 0.1, "{threshold}");
        assert!(interval > 2.5, "{interval} {event}");
        assert!(event.contains("3291") || event.contains("3290"), "{event}");
    }

    #[test]
    fn two_values_have_no_interval() {
        let (values, counts) = histogram(&[[5, 1], [1, 5]]);
        let judge = Judge::new(&Aim::after(6, 0.0), Counts([6, 6]));
        let (feature, base) = (Feature::Number { at: None }, Counts::default());
        assert!(interval(&feature, &values, &counts, base, &judge).is_none());
        assert!(interval(&feature, &[], &Vec::new(), base, &judge).is_none());
    }

    #[test]
    fn luck_is_not_taken_for_a_leak() {
        // One output for each value and half, of the first dataset with probability 15/16; the other outputs have no
        // value. Every interval has epsilon = ln 15, and some look like more: runs of one dataset.
        let mut coins = ChaCha::reproducible(7, 0);
        let mut counts = [vec![], vec![]];
        for half in &mut counts {
            half.extend((0..5000).map(|_| match coins.bits(4).unwrap() {
                0 => Counts([0, 1]),
                _ => Counts([1, 0]),
            }));
        }
        let histogram: Histogram = (0..5000).map(|i| [counts[0][i], counts[1][i]]).collect();
        let values: Vec<f64> = (0..5000).map(f64::from).collect();
        let total = Counts([10_000, 10_000]);
        let (feature, base) = (Feature::Number { at: None }, Counts::default());
        let judge = Judge::new(&Aim::after(10_000, 0.0), total);
        let (score, _) = interval(&feature, &values, &histogram, base, &judge).unwrap();
        assert!(score.epsilon() < 15f64.ln(), "{}", score.epsilon());
    }
}
