//! Confidence bounds for the probability of an event, from its occurrences (Clopper and Pearson 1934).
//!
//! The lower bound is the largest `p` at which as many occurrences have probability at most the
//! level; each candidate is checked with a tail that is rounded up, so that the bound returned is
//! never above the exact one. It is not always near it: a tail is rounded up by about 1e-250 of its largest term, so
//! that below a level of about 1e-240 the lower bound is 0 and the upper bound 1.
#![allow(clippy::float_arithmetic)] // the bisection proposes, a certified tail decides

use super::window::Window;
use super::{MOST_TRIALS, StatsError, TRIALS_LIMIT, directed};
use crate::number::Rational;

/// Weights below this fraction of the mode's are bounded, not summed: what remains is far below the level.
fn cut(level: f64) -> f64 {
    (level * 1e-20).clamp(1e-260, 1e-40)
}

/// Below the probability of the event, except with probability at most `level`.
///
/// # Errors
/// [`StatsError::Parameter`], [`StatsError::Counts`].
pub fn lower(trials: u64, occurrences: u64, level: &Rational) -> Result<f64, StatsError> {
    check(trials, occurrences)?;
    Ok(lower_at(trials, occurrences, directed::level(level)?))
}

/// Above the probability of the event, except with probability at most `level`.
///
/// # Errors
/// [`StatsError::Parameter`], [`StatsError::Counts`].
pub fn upper(trials: u64, occurrences: u64, level: &Rational) -> Result<f64, StatsError> {
    check(trials, occurrences)?;
    Ok(upper_at(trials, occurrences, directed::level(level)?))
}

/// Refuses counts that the bounds are not made for.
pub(super) fn check(trials: u64, occurrences: u64) -> Result<(), StatsError> {
    if trials == 0 || trials > MOST_TRIALS || occurrences > trials {
        return Err(StatsError::Counts {
            trials,
            occurrences,
        });
    }
    Ok(())
}

/// The lower bound, at a level that is a float.
pub(super) fn lower_at(trials: u64, occurrences: u64, level: f64) -> f64 {
    if occurrences == 0 {
        return 0.0;
    }
    let holds = |p: f64| Window::new(trials, p, cut(level)).upper_tail_above(occurrences) <= level;
    // Up to level 1/2 the bound is below the frequency, at which as many occurrences are at least as likely as not.
    let most = if level > 0.5 {
        1.0
    } else {
        occurrences as f64 / trials as f64
    };
    let (mut low, mut high) = (0.0, most);
    let mut enough = 0.0;
    if trials > TRIALS_LIMIT {
        // A window takes a tenth of a second then: begin some standard deviations below, and end at a thousandth of what lies
        // between. Where to look is a guess, and whether a bound holds is not.
        // At a frequency of 1 the misses are few: then of the order of one.
        let deviation = (most * (1.0 - most)).max(1.0 / trials as f64) / trials as f64;
        let deviation = deviation.sqrt();
        for count in [3.0, 9.0, 27.0, 81.0] {
            let there = most - count * deviation;
            if there > 0.0 && holds(there) {
                low = there;
                break;
            }
        }
        enough = (most - low) / 1000.0;
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high || high - low <= (1e-13 * low).max(enough) {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The upper bound, at a level that is a float: the misses have a probability too.
pub(super) fn upper_at(trials: u64, occurrences: u64, level: f64) -> f64 {
    (1.0 - lower_at(trials, trials - occurrences, level))
        .next_up()
        .min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{self, from_f64, ratio};
    use crate::stats::binomial::exact_upper_tail;

    #[test]
    fn the_bound_is_exact_and_on_the_safe_side() {
        let level = ratio(1, 20);
        for n in [1u64, 5, 30] {
            for x in 1..=n {
                let p = lower(n, x, &level).unwrap();
                assert!(exact_upper_tail(n, x, &from_f64(p).unwrap()) <= level);
                let more = from_f64(p * (1.0 + 1e-9)).unwrap();
                assert!(exact_upper_tail(n, x, &more) > level, "{n} {x} {p}");
            }
        }
    }

    #[test]
    fn an_upper_bound_is_not_below_one_less_the_lower_bound_of_the_misses() {
        for n in [7u64, 50, 1000] {
            for x in (0..=n).step_by(1 + n as usize / 50) {
                let level = ratio(1, 20);
                let ends = [upper(n, x, &level), lower(n, n - x, &level)];
                let [high, low] = ends.map(|end| from_f64(end.unwrap()).unwrap());
                assert!(high + low >= rational::integer(1), "{x} of {n}");
            }
        }
    }

    #[test]
    fn extreme_levels_have_their_bounds() {
        // By another program, to 5 digits.
        let far = lower(1000, 500, &rational::parse("1e-60").unwrap()).unwrap();
        assert!((far - 0.25686).abs() < 1e-5, "{far}");
        // One of one, with probability p: p <= 9/10; and one of two, 2p - p^2 <= 9/10.
        let high = lower(1, 1, &ratio(9, 10)).unwrap();
        assert!((high - 0.9).abs() < 1e-9 && high <= 0.9, "{high}");
        let high = lower(2, 1, &ratio(9, 10)).unwrap();
        assert!((high - (1.0 - 0.1f64.sqrt())).abs() < 1e-9, "{high}");
    }

    #[test]
    fn the_rule_of_three() {
        // Nothing seen: 1 - level^(1/n), here to ten digits.
        let bound = upper(1000, 0, &ratio(1, 20)).unwrap();
        assert!((bound - 0.002_991_249_545).abs() < 1e-12, "{bound}");
        assert_eq!(lower(1000, 0, &ratio(1, 20)).unwrap(), 0.0);
        assert_eq!(upper(1000, 1000, &ratio(1, 20)).unwrap(), 1.0);
    }

    #[test]
    fn ten_million_trials_have_the_bound_of_the_normal_law() {
        let p = lower(10_000_000, 3_000_000, &ratio(1, 1_000_000)).unwrap();
        assert!(
            (p - (0.3 - 4.7534 * (0.21f64 / 1e7).sqrt())).abs() < 1e-6,
            "{p}"
        );
    }

    /// What a cluster counts. The normal law is off by some 1e-6 standard deviations here.
    #[test]
    fn a_trillion_trials_have_the_bound_of_the_normal_law() {
        let trials = MOST_TRIALS;
        // Of an event that comes half of the time the window is the longest there is: at night.
        let parts: &[u64] = match std::env::var_os("NIGHTLY") {
            Some(_) => &[2, 1000],
            None => &[1000],
        };
        let z = 1.95996;
        for part in parts {
            let seen = trials / part;
            let p = lower(trials, seen, &ratio(1, 40)).unwrap();
            let rate = seen as f64 / trials as f64;
            let deviations = (rate - p) / (rate * (1.0 - rate) / trials as f64).sqrt();
            assert!((z..z * 1.002).contains(&deviations), "{deviations}");
        }
        // Nothing seen: 1 - level^(1/n).
        let none = upper(trials, 0, &ratio(1, 20)).unwrap() * trials as f64;
        assert!(
            (none / 20f64.ln() - 1.0).abs() < 2e-3 && none >= 20f64.ln(),
            "{none}"
        );
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(lower(0, 0, &ratio(1, 20)).is_err());
        assert!(lower(5, 6, &ratio(1, 20)).is_err());
        assert!(upper(5, 5, &ratio(0, 1)).is_err());
        assert!(upper(MOST_TRIALS + 1, 5, &ratio(1, 2)).is_err());
    }
}
