//! What an audit could have missed.
//!
//! Two statements that hold for any finding: a mass that no test of this many calls can see, and, for
//! an event fixed before the calls were made, the epsilon that the test finds with probability 0.95.
//! Power computed from the observed frequency on the suspected side is not among them: it is a function of the p-value.
#![allow(clippy::float_arithmetic)] // statements about a statistical test, each rounded to the side that promises less

use super::window::Window;
use super::{Null, StatsError, TwoSample, clopper_pearson, directed};
use crate::number::{Rational, rational};
use num_traits::One;

/// The power that [`detected_epsilon`] promises.
const POWER: f64 = 0.95;

/// What violates in a call with this probability, and is in the null otherwise, is missed by *every* test of this level
/// with probability at least `miss`: `ln((1 - level) / miss) / calls`, or rather `1 - (miss / (1 -
/// level))^(1/calls)`, which is a little smaller and exact. For no call violates with probability `(1 - mass)^calls`,
/// and given that, the laws are those of the null. Only calls count in which the violation can show.
/// Zero if `miss >= 1 - level`.
///
/// # Errors
/// [`StatsError::Parameter`] if `level` or `miss` is not in (0, 1), [`StatsError::Counts`] without calls.
pub fn undetectable_mass(calls: u64, level: &Rational, miss: &Rational) -> Result<f64, StatsError> {
    if calls == 0 {
        return Err(StatsError::Counts {
            trials: 0,
            occurrences: 0,
        });
    }
    directed::level(level)?;
    directed::level(miss)?;
    let quotient = directed::below(&((Rational::one() - level) / miss));
    if quotient <= 1.0 {
        return Ok(0.0);
    }
    // Logarithms of floats err by far less than the last factor says.
    Ok(-(-quotient.ln() / calls as f64).exp_m1() * (1.0 - 1e-9))
}

/// The least epsilon, on a grid of hundredths, that the test would find with probability at least 0.95 in
/// an event fixed beforehand, when the claim is `null`: at the worst of 17 evenly spaced frequencies `q` of the event on
/// the second data set that are compatible with its `y` occurrences at this level, where "epsilon" means that the
/// frequency on the first is `e^epsilon q + delta`. `None` if no epsilon up to 40 is.
///
/// Counted as found are the tables that reject for sure (see `TwoSample::sure_counts`): a little fewer than all.
///
/// # Errors
/// [`StatsError::Counts`], [`StatsError::Parameter`].
pub fn detected_epsilon(
    test: &TwoSample,
    null: &Null,
    y: u64,
    level: &Rational,
) -> Result<Option<Rational>, StatsError> {
    let (first, second) = test.trials();
    let half = level / num_bigint::BigInt::from(2);
    let low = clopper_pearson::lower(second, y, &half)?;
    let high = clopper_pearson::upper(second, y, &half)?;
    let (from, to) = (
        Window::new(second, low, 1e-6).first(),
        Window::new(second, high, 1e-6).last(),
    );
    let critical = test.sure_counts(from, to, null)?;
    // The second data set may have any frequency in the interval: 17 of them.
    let mut needed = Some(0u32);
    for i in 0..=16u32 {
        let q = low + (high - low) * f64::from(i) / 16.0;
        let window = Window::new(second, q, 1e-6);
        let found = |hundredths: u32| {
            let slope = (f64::from(hundredths) / 100.0).exp();
            let p = (slope * q + null.delta).min(1.0);
            let hits = Window::new(first, p, 1e-12);
            let power = window.mean_below(|y| match y.checked_sub(from) {
                Some(i) if y <= to => hits.upper_tail_below(critical[i as usize]),
                _ => 0.0,
            });
            power >= POWER
        };
        needed = match needed {
            Some(start) if !found(start) => {
                // Power rises with epsilon.
                let (mut low, mut high) = (start, 4001);
                while high - low > 1 {
                    let middle = (low + high) / 2;
                    if found(middle) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                (high <= 4000).then_some(high)
            }
            unchanged => unchanged,
        };
    }
    Ok(needed.map(|hundredths| rational::ratio(i64::from(hundredths), 100)))
}

/// The least probability of an event on the first data set, rounded up, with which the test rejects `null` with
/// probability at least 0.95 if the event never comes on the second. `None` if not even an event that always comes is
/// enough.
///
/// This is what can be said of an event that was not seen on the second data set: its frequency there may be 0, so that no
/// epsilon gives it a frequency on the first.
///
/// # Errors
/// [`StatsError::Counts`], [`StatsError::Parameter`].
pub fn detected_mass(test: &TwoSample, null: &Null) -> Result<Option<f64>, StatsError> {
    let (first, _) = test.trials();
    if !test.rejects(first, 0, null)? {
        return Ok(None);
    }
    // The least count that rejects: more reject too. None does not.
    let (mut low, mut high) = (0, first);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if test.rejects(middle, 0, null)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    // At the upper confidence bound for one occurrence less, fewer come with probability 1/20.
    let miss = rational::ratio(1, 20);
    clopper_pearson::upper(first, high - 1, &miss).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{ratio, to_f64_for_display};

    #[test]
    fn the_undetectable_mass_of_the_notes() {
        let twentieth = ratio(1, 20);
        let mass = undetectable_mass(1000, &twentieth, &twentieth).unwrap();
        assert!((mass - 2.940e-3).abs() < 1e-6, "{mass}");
        // Such a violation is missed: nothing seen has probability miss / (1 - level) at least.
        assert!((1.0 - mass).powi(1000) * 0.95 >= 0.05);
        assert_eq!(
            undetectable_mass(10, &ratio(1, 2), &ratio(1, 2)).unwrap(),
            0.0
        );
        assert!(undetectable_mass(0, &twentieth, &twentieth).is_err());
        assert!(undetectable_mass(5, &twentieth, &ratio(0, 1)).is_err());
    }

    #[test]
    fn the_detected_epsilon_is_detected() {
        let level = ratio(1, 20);
        let (n, y) = (1000u64, 200u64);
        let null = Null::new(&ratio(1, 2), &ratio(0, 1)).unwrap();
        let test = TwoSample::new(n, n, &level).unwrap();
        let epsilon = detected_epsilon(&test, &null, y, &level).unwrap().unwrap();
        // By the normal approximation at q = .176: 0.5 + (1.645 + 1.645) * 0.085.
        let value = to_f64_for_display(&epsilon);
        assert!(value > 0.65 && value < 0.85, "{value}");
        // At the observed frequency the power is larger still.
        let power = power_at(&test, &null, 0.2, value.exp() * 0.2);
        assert!(power >= 0.95, "{power}");
    }

    #[test]
    fn the_detected_epsilon_is_detected_at_both_ends_of_the_interval_of_the_frequency() {
        let level = ratio(1, 20);
        let (n, y) = (100u64, 20u64);
        let null = Null::new(&ratio(1, 2), &ratio(0, 1)).unwrap();
        let test = TwoSample::new(n, n, &level).unwrap();
        let epsilon = detected_epsilon(&test, &null, y, &level).unwrap().unwrap();
        let factor = to_f64_for_display(&epsilon).exp();
        let half = ratio(1, 40);
        let ends = [
            clopper_pearson::lower(n, y, &half).unwrap(),
            clopper_pearson::upper(n, y, &half).unwrap(),
        ];
        for q in ends {
            let power = power_at(&test, &null, q, (factor * q).min(1.0));
            assert!(power >= 0.95, "{q}: {power}");
        }
    }

    /// With which probability the test rejects at these two frequencies: exact, from the test itself.
    fn power_at(test: &TwoSample, null: &Null, q: f64, p: f64) -> f64 {
        let (n, _) = test.trials();
        let hits = Window::new(n, p, 1e-12);
        let window = Window::new(n, q, 1e-6);
        // With the same y more occurrences on the first reject too.
        let least = |y| {
            let (mut low, mut high) = (0, n + 1);
            while low < high {
                let middle = (low + high) / 2;
                if test.rejects(middle, y, null).unwrap() {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        window.mean_below(|y| hits.upper_tail_below(least(y)))
    }

    #[test]
    fn of_an_event_that_never_came_a_mass_is_detected() {
        let level = ratio(1, 20);
        let null = Null::new(&ratio(1, 1), &ratio(0, 1)).unwrap();
        let n = 1000u64;
        let test = TwoSample::new(n, n, &level).unwrap();
        assert_eq!(detected_epsilon(&test, &null, 0, &level).unwrap(), None);
        let mass = detected_mass(&test, &null).unwrap().unwrap();
        let least = (0..=n)
            .find(|&x| test.rejects(x, 0, &null).unwrap())
            .unwrap();
        let power = |mass| Window::new(n, mass, 1e-12).upper_tail_below(least);
        // So often it rejects at that mass, and not at a hundredth less.
        assert!(power(mass) > 0.95 - 1e-6, "{mass} {}", power(mass));
        assert!(power(0.99 * mass) < 0.95, "{mass}");
        // Too few calls.
        let few = TwoSample::new(2, 2, &level).unwrap();
        assert_eq!(detected_mass(&few, &null).unwrap(), None);
    }
}
