//! What several mechanisms cost together.
//!
//! All statements allow adaptive choices: a later mechanism may depend on the outputs of the
//! earlier ones, as long as each has its budget whatever they were. All are under the neighbouring
//! relation of the budgets given, which must be one and the same.

use super::alone::{Alone, in_some_of};
use super::budget::same;
use super::search::{BITS, rounded_up, smallest, surely_at_most};
use super::{Budget, PrivacyError};
use crate::number::range::{above_zero_below_one, at_least_one, at_least_zero, require};
use crate::number::rational::to_scientific_above;
use crate::number::{Enclosure, NumberError, Rational, ln_factorial};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Basic composition: epsilons and deltas add up (Dwork, Kenthapadi, McSherry, Mironov, Naor 2006).
///
/// # Errors
/// [`PrivacyError::NothingToCompose`]; [`PrivacyError::OtherNeighbours`] if the relations differ;
/// [`PrivacyError::Parameter`] if the deltas reach 1.
pub fn basic(budgets: &[Budget]) -> Result<Budget, PrivacyError> {
    let first = budgets.first().ok_or(PrivacyError::NothingToCompose)?;
    let mut epsilon = Rational::zero();
    let mut delta = Rational::zero();
    for budget in budgets {
        same(first.neighbours(), budget.neighbours())?;
        epsilon += budget.epsilon();
        delta += budget.delta();
    }
    Budget::approximate(epsilon, delta, first.neighbours())
}

/// Advanced composition of `times` mechanisms with the same budget, in closed form
/// (Kairouz, Oh, Viswanath 2015, Theorem 3.4): for every `0 < slack < 1`
///
/// `epsilon' = times epsilon tanh(epsilon / 2) + epsilon sqrt(2 times ln(1 / slack))` and
/// `delta' = 1 - (1 - slack) (1 - delta)^times`.
///
/// Basic composition's `times epsilon` holds with the same `delta'` and is returned where it is
/// smaller. Both numbers are rounded up.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `times >= 1` and `0 < slack < 1`; those of the real
/// functions.
pub fn advanced(step: &Budget, times: u64, slack: &Rational) -> Result<Budget, PrivacyError> {
    at_least_one("the number of steps", times)?;
    above_zero_below_one("slack", slack)?;
    // tanh(x/2) = (1 - e^-x) / (1 + e^-x)
    let lost = Enclosure::of(&-step.epsilon(), BITS).exp_minus_one()?;
    let tanh = (-&lost).divided_by(&(Enclosure::integer(2, BITS) + lost))?;
    let drift = Enclosure::of(&(step.epsilon() * BigInt::from(times)), BITS) * tanh;
    let closed = rounded_up(&(drift + deviation(step, times, slack)?));
    let epsilon = closed.min(step.epsilon() * BigInt::from(times));
    let spent = failure(step.delta(), times, BITS)?;
    let slack = Enclosure::of(slack, BITS);
    let delta = rounded_up(&(&slack + slack.complement() * spent));
    Budget::approximate(epsilon, delta, step.neighbours())
}

/// The older form of advanced composition (Dwork, Rothblum, Vadhan 2010), only to compare with:
/// `epsilon' = times epsilon (e^epsilon - 1) + epsilon sqrt(2 times ln(1 / slack))` and
/// `delta' = times delta + slack`, rounded up.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `times >= 1` and `0 < slack < 1`, or if `delta'` reaches 1;
/// those of the real functions.
pub fn dwork_rothblum_vadhan(
    step: &Budget,
    times: u64,
    slack: &Rational,
) -> Result<Budget, PrivacyError> {
    at_least_one("the number of steps", times)?;
    above_zero_below_one("slack", slack)?;
    let gained = Enclosure::of(step.epsilon(), BITS).exp_minus_one()?;
    let drift = Enclosure::of(&(step.epsilon() * BigInt::from(times)), BITS) * gained;
    let epsilon = rounded_up(&(drift + deviation(step, times, slack)?));
    let delta = step.delta() * BigInt::from(times) + slack;
    Budget::approximate(epsilon, delta, step.neighbours())
}

/// `epsilon sqrt(2 times ln(1 / slack))`.
fn deviation(step: &Budget, times: u64, slack: &Rational) -> Result<Enclosure, NumberError> {
    let squares = Enclosure::integer(times, BITS) * (-Enclosure::of(slack, BITS).ln()?);
    Ok(Enclosure::of(step.epsilon(), BITS) * squares.shifted(1).sqrt()?)
}

/// `1 - (1 - delta)^times`, without cancellation.
fn failure(delta: &Rational, times: u64, bits: u32) -> Result<Enclosure, NumberError> {
    let failing = Alone::exactly(delta.clone(), bits).in_some_of(times)?;
    Ok(failing.enclosed().clone())
}

/// The most steps that [`optimal_delta`] sums over: its time is linear in them.
pub const MOST_STEPS: u64 = 1 << 20;

/// The exact `delta'` of `times` mechanisms with the same budget at `epsilon' >= 0`: the smallest
/// for which *every* choice of such mechanisms is `(epsilon', delta')`-private (Kairouz, Oh,
/// Viswanath 2015, Theorem 3.3).
///
/// The worst mechanism fails openly with probability `delta` and otherwise tells one bit by
/// randomised response, truthfully with probability `e^epsilon / (1 + e^epsilon)`. With `l` lies
/// among `k = times` answers the likelihood ratio is `e^((k - 2 l) epsilon)`, whence
///
/// `delta' = 1 - (1 - delta)^k (1 - sum over l of p_l max(0, 1 - r_l))`,
/// `r_l = e^(epsilon' - (k - 2 l) epsilon)`,
///
/// with the binomial probabilities `p_l = C(k, l) e^((k - l) epsilon) / (1 + e^epsilon)^k`. The
/// theorem states it for `epsilon' = (k - 2 i) epsilon`; as the hockey-stick divergence of the
/// worst pair it holds for every `epsilon' >= 0`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `1 <= times <= MOST_STEPS` and `epsilon' >= 0`; those of the
/// real functions.
pub fn optimal_delta(
    step: &Budget,
    times: u64,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, PrivacyError> {
    at_least_one("the number of steps", times)?;
    require(
        times <= MOST_STEPS,
        "the number of steps",
        &times,
        "at most 2^20",
    )?;
    at_least_zero("epsilon", epsilon)?;
    // Each of at most 2^20 steps of the recurrences loses a few units in the last place.
    let working = bits + 32;
    let sum = answers(step, times, epsilon, working, working)?;
    let failure = failure(step.delta(), times, working)?;
    let total = &failure + failure.complement() * sum;
    Ok(total.with_bits(bits))
}

/// Up to so many steps, and at a precision above this, the binomial probabilities are all computed from the first.
const FEW_STEPS: u64 = 1 << 10;
const FINE: u32 = 192;

/// `sum over l of p_l max(0, 1 - r_l)`, from the likeliest of its terms outwards on both sides until the next one is below
/// `2^-cut` of the sum; what is left is bounded.
fn answers(
    step: &Budget,
    times: u64,
    epsilon: &Rational,
    bits: u32,
    cut: u32,
) -> Result<Enclosure, PrivacyError> {
    let terms = counted_terms(step, times, epsilon);
    if terms == 0 {
        return Ok(Enclosure::integer(0, bits));
    }
    let one = Enclosure::integer(1, bits);
    let lie = Enclosure::exp_of(&-step.epsilon(), bits)?;
    let truth = one.divided_by(&(&one + &lie))?;
    // 1. A term to start from, and its probability: the first one, or the one nearest to the mode, by Stirling's series.
    let (start, probability) = if times <= FEW_STEPS || bits > FINE {
        (0, truth.power(times))
    } else {
        let mode = (truth.complement() * Enclosure::integer(times, bits)).lower();
        let mode = mode.floor().to_integer().to_u64().unwrap_or(0);
        let start = mode.min(terms - 1);
        // Of ln k!, up to 2^25, that many bits more.
        let fine = bits + 32;
        let choices = ln_factorial(times, fine)?
            - ln_factorial(start, fine)?
            - ln_factorial(times - start, fine)?;
        let lies = Enclosure::of(&(step.epsilon() * BigInt::from(start)), fine);
        let either = Enclosure::exp_of(&-step.epsilon(), fine)?.ln_1p()?;
        let either = Enclosure::integer(times, fine) * either;
        (start, (choices - lies - either).exp()?.with_bits(bits))
    };
    // p_(l+1) / p_l = e^-epsilon (k - l) / (l + 1), which falls with l.
    let odds = |l: u64| -> Result<Enclosure, NumberError> {
        (&lie * Enclosure::integer(times - l, bits)).divided_by(&Enclosure::integer(l + 1, bits))
    };
    let exponent = |l: u64| epsilon - step.epsilon() * (BigInt::from(times) - BigInt::from(l) * 2);
    let first_ratio = Enclosure::exp_of(&exponent(start), bits)?;
    let mut sum = &probability * first_ratio.complement();
    // What is left beside a geometric series whose first term is `next`, as 1 - r_l is at most 1; if it is negligible.
    let negligible = |sum: &Enclosure, next: &Enclosure, quotient: &Enclosure| {
        let gap = quotient.complement();
        let small = next.hi().magnitude() < sum.lo().magnitude().saturating_sub(cut.into());
        (small && gap.lo().is_positive()).then(|| next.divided_by(&gap))
    };
    let mut beyond = Enclosure::integer(0, bits);
    // 2. Upwards.
    let grow = Enclosure::exp_of(&(step.epsilon() * BigInt::from(2)), bits)?;
    let (mut term, mut ratio) = (probability.clone(), first_ratio.clone());
    for l in start..terms - 1 {
        let quotient = odds(l)?;
        term = term * &quotient;
        if let Some(rest) = negligible(&sum, &term, &quotient) {
            beyond = beyond + rest?;
            break;
        }
        ratio = ratio * &grow;
        sum = sum + &term * ratio.complement();
    }
    // 3. Downwards.
    let shrink = Enclosure::exp_of(&(step.epsilon() * BigInt::from(-2)), bits)?;
    let (mut term, mut ratio) = (probability, first_ratio);
    for l in (0..start).rev() {
        let quotient = one.divided_by(&odds(l)?)?;
        term = term * &quotient;
        if let Some(rest) = negligible(&sum, &term, &quotient) {
            beyond = beyond + rest?;
            break;
        }
        ratio = ratio * &shrink;
        sum = sum + &term * ratio.complement();
    }
    Ok(Enclosure::new(sum.lo(), &(sum.hi() + beyond.hi()), bits))
}

/// The probability that some of `times >= 1` such steps fail, `1 - (1 - step.delta)^times`, as a rational number, where it is not long.
#[must_use]
pub fn failure_exactly(step: &Budget, times: u64) -> Option<Rational> {
    in_some_of(step.delta(), times)
}

/// How many `l >= 0` have `(times - 2 l) step.epsilon > epsilon`, exactly.
fn counted_terms(step: &Budget, times: u64, epsilon: &Rational) -> u64 {
    let half = (Rational::from_integer(times.into()) - epsilon / step.epsilon()) / BigInt::from(2);
    if !half.is_positive() {
        return 0;
    }
    half.ceil().to_integer().to_u64().unwrap_or(0)
}

/// Optimal composition: the smallest `epsilon'` (rounded up, within one part in 2^20) for which
/// `times` mechanisms with the same budget are certified `(epsilon', delta)`-private by
/// [`optimal_delta`].
///
/// # Errors
/// [`PrivacyError::DeltaOutOfReach`] if `delta` is below `1 - (1 - step.delta)^times`, which no
/// epsilon repairs; those of [`optimal_delta`]; [`PrivacyError::Parameter`] unless
/// `0 <= delta < 1`.
pub fn optimal(step: &Budget, times: u64, delta: &Rational) -> Result<Budget, PrivacyError> {
    at_least_one("the number of steps", times)?;
    super::error::proper_delta(delta)?;
    let all = step.epsilon() * BigInt::from(times);
    if failure_exactly(step, times).is_some_and(|failure| failure == *delta) {
        // Nothing to spare: the sum is exact.
        return Budget::approximate(all, delta.clone(), step.neighbours());
    }
    let reached = |epsilon: &Rational| {
        surely_at_most(delta, |bits| optimal_delta(step, times, epsilon, bits))
    };
    if !reached(&all)? {
        return Err(PrivacyError::DeltaOutOfReach {
            delta: to_scientific_above(delta, 6),
            least: to_scientific_above(&failure(step.delta(), times, BITS)?.upper(), 6),
        });
    }
    // As a fraction of what basic composition promises.
    let fraction = smallest(|fraction| {
        if *fraction >= Rational::one() {
            return Ok(true);
        }
        reached(&(&all * fraction))
    })?;
    Budget::approximate(all * fraction, delta.clone(), step.neighbours())
}

/// The largest epsilon of a step (rounded down, within one part in 2^20) with which `times` pure mechanisms are certified
/// for the budget by [`optimal_delta`], under its relation: what each of many draws of noise may cost. With `delta = 0` it is
/// `epsilon/times`, exactly, and it is never less.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `1 <= times`, and `times <= MOST_STEPS` where `delta > 0`; those of the real functions.
pub fn step_for(budget: &Budget, times: u64) -> Result<Rational, PrivacyError> {
    at_least_one("the number of steps", times)?;
    let sum = budget.epsilon() / BigInt::from(times);
    if budget.delta().is_zero() {
        return Ok(sum);
    }
    // As a multiple of what basic composition allows.
    let fraction = smallest(|fraction| {
        if *fraction >= Rational::one() {
            return Ok(true);
        }
        let step = Budget::pure(&sum / fraction, budget.neighbours())?;
        surely_at_most(budget.delta(), |bits| {
            optimal_delta(&step, times, budget.epsilon(), bits)
        })
    })?;
    Ok(sum / fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio};
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
    use proptest::prelude::*;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    /// The hockey-stick divergence of the worst pair, summed over all outcomes of all steps.
    fn by_enumeration(step: &Budget, times: u32, epsilon: &Rational) -> Enclosure {
        let bits = 200;
        let truth = {
            let lie = Enclosure::exp_of(&-step.epsilon(), bits).unwrap();
            let one = Enclosure::integer(1, bits);
            one.divided_by(&(one.clone() + lie)).unwrap()
        };
        let keep = Enclosure::of(&(Rational::one() - step.delta()), bits);
        // An outcome of one step under the two datasets: revealed, answered 0, answered 1.
        let fail = Enclosure::of(step.delta(), bits);
        let none = Enclosure::integer(0, bits);
        let cells = [
            (fail.clone(), none.clone()),
            (none.clone(), fail),
            (&keep * &truth, &keep * truth.complement()),
            (&keep * truth.complement(), &keep * &truth),
        ];
        let mut sum = none.clone();
        let factor = Enclosure::exp_of(epsilon, bits).unwrap();
        for outcome in 0..4u32.pow(times) {
            let (mut p, mut q) = (Enclosure::integer(1, bits), Enclosure::integer(1, bits));
            for i in 0..times {
                let cell = &cells[(outcome / 4u32.pow(i) % 4) as usize];
                p = p * &cell.0;
                q = q * &cell.1;
            }
            sum = sum + (p - &factor * q).max(&none);
        }
        sum
    }

    #[test]
    fn optimal_composition_is_the_divergence_of_the_worst_pair() {
        for (epsilon, delta) in [("1/2", "0"), ("0.3", "0.01"), ("2", "1e-3")] {
            let step = budget(epsilon, delta);
            for times in 1..=4u32 {
                for total in ["0", "0.1", "0.6", "1", "5/2", "10"] {
                    let total = parse(total).unwrap();
                    let formula = optimal_delta(&step, times.into(), &total, 128).unwrap();
                    let summed = by_enumeration(&step, times, &total);
                    let gap = (&formula - &summed).abs();
                    assert!(gap.upper() < ratio(1, 1 << 60), "{formula} {summed}");
                }
            }
        }
    }

    #[test]
    fn optimal_composition_is_never_worse_than_the_closed_forms() {
        for (epsilon, delta, times) in [("0.1", "1e-8", 100), ("1", "1e-9", 30), ("0.01", "0", 400)]
        {
            let step = budget(epsilon, delta);
            let closed = advanced(&step, times, &parse("1e-6").unwrap()).unwrap();
            let older = dwork_rothblum_vadhan(&step, times, &parse("1e-6").unwrap()).unwrap();
            let best = optimal(&step, times, closed.delta()).unwrap();
            assert!(best.implies(&closed) && closed.epsilon() <= older.epsilon());
            let certified = optimal_delta(&step, times, best.epsilon(), 128).unwrap();
            assert!(certified.upper() <= *best.delta());
            // One part in 2^19 less is not enough.
            let less = best.epsilon() * ratio((1 << 19) - 1, 1 << 19);
            assert!(optimal_delta(&step, times, &less, 128).unwrap().lower() > *best.delta());
        }
    }

    #[test]
    fn advanced_composition_without_its_drift_is_not_private() {
        // The broken twin: epsilon sqrt(2 k ln(1/slack)) alone.
        let step = budget("1", "0");
        let slack = parse("0.1").unwrap();
        let root = rounded_up(&deviation(&step, 400, &slack).unwrap());
        assert!(optimal_delta(&step, 400, &root, 128).unwrap().lower() > slack);
        let whole = advanced(&step, 400, &slack).unwrap();
        let exact = optimal_delta(&step, 400, whole.epsilon(), 128).unwrap();
        assert!(exact.upper() <= slack);
    }

    #[test]
    fn half_a_million_steps_are_summed_around_their_mode() {
        // With the same answer as from the first term on, where that is quick; above and below the mean loss.
        for times in [1500, 4000] {
            let step = budget("0.05", "1e-9");
            for total in ["0", "1", "4", "20", "60"] {
                let total = parse(total).unwrap();
                let near = answers(&step, times, &total, 160, 160).unwrap();
                let all = answers(&step, times, &total, FINE + 1, FINE + 1).unwrap();
                assert!(
                    near.meets(&all) && near.has_digits(25),
                    "{times} {total}: {near} {all}"
                );
            }
        }
        let step = budget("1/1000", "0");
        let found = optimal_delta(&step, 500_000, &integer(3), 128).unwrap();
        assert!(found.has_digits(20), "{found}");
    }

    #[test]
    fn a_step_for_a_budget_is_as_large_as_it_may_be() {
        // In units of epsilon = 1 over the step, delta = 1e-6, as another program found them.
        for (times, scale) in [(10, "9.994"), (100, "41.65"), (1000, "133.42")] {
            let whole = budget("1", "1e-6");
            let step = step_for(&whole, times).unwrap();
            let known = parse(scale).unwrap();
            let apart = (step.recip() - &known) / known;
            assert!(apart < ratio(1, 2000) && apart > ratio(-1, 2000), "{step}");
            let own = Budget::pure(step.clone(), Substitute).unwrap();
            let certified = optimal_delta(&own, times, whole.epsilon(), 128).unwrap();
            assert!(certified.upper() <= *whole.delta());
            let more = Budget::pure(step * ratio((1 << 19) + 1, 1 << 19), Substitute).unwrap();
            let beyond = optimal_delta(&more, times, whole.epsilon(), 128).unwrap();
            assert!(beyond.lower() > *whole.delta());
        }
        assert_eq!(step_for(&budget("1", "0"), 7), Ok(ratio(1, 7)));
        assert!(step_for(&budget("1", "0"), 0).is_err());
    }

    #[test]
    fn one_step_composes_to_itself() {
        let step = budget("0.7", "0.001");
        let exact = optimal_delta(&step, 1, step.epsilon(), 128).unwrap();
        assert!(exact.contains(step.delta()));
        let same = optimal(&step, 1, step.delta()).unwrap();
        assert_eq!(
            (same.epsilon(), same.delta()),
            (step.epsilon(), step.delta())
        );
        let twice = optimal(&step, 2, &parse("0.001999").unwrap()).unwrap();
        assert_eq!(twice.epsilon(), &parse("1.4").unwrap());
        // Without failures the sum is exact, however many the steps.
        let many = optimal(&budget("0.001", "0"), 200_000, &parse("0").unwrap()).unwrap();
        assert_eq!(many.epsilon(), &parse("200").unwrap());
    }

    #[test]
    fn a_delta_below_the_sum_of_failures_is_out_of_reach() {
        let step = budget("1", "1e-3");
        let refused = optimal(&step, 10, &parse("1e-3").unwrap());
        assert!(matches!(refused, Err(PrivacyError::DeltaOutOfReach { .. })));
        let pure = optimal(&budget("1", "0"), 10, &Rational::zero()).unwrap();
        assert_eq!(pure.epsilon(), &integer(10));
    }

    #[test]
    fn guarantees_under_different_relations_do_not_add_up() {
        let other = Budget::pure(integer(1), AddOrRemove).unwrap();
        assert!(matches!(
            basic(&[budget("1", "0"), other]),
            Err(PrivacyError::OtherNeighbours { .. })
        ));
        assert_eq!(basic(&[]), Err(PrivacyError::NothingToCompose));
        assert!(basic(&[budget("1", "0.6"), budget("1", "0.6")]).is_err());
    }

    #[test]
    fn counts_and_slacks_outside_their_range_are_refused() {
        let step = budget("1", "0");
        assert!(advanced(&step, 0, &ratio(1, 2)).is_err());
        assert!(advanced(&step, 1, &integer(0)).is_err());
        assert!(optimal_delta(&step, 0, &integer(1), 64).is_err());
        assert!(optimal_delta(&step, MOST_STEPS + 1, &integer(1), 64).is_err());
        assert!(optimal_delta(&step, 1, &integer(-1), 64).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn parts_of_a_budget_compose_to_it(e in 1i64..1000, d in 0i64..1000, parts in 1u64..20) {
            let whole = Budget::approximate(ratio(e, 100), ratio(d, 1001), Substitute).unwrap();
            let part = whole.split(parts).unwrap();
            prop_assert_eq!(basic(&vec![part.clone(); parts as usize]).unwrap(), whole.clone());
            // The optimum never asks for more than the sum.
            let exact = optimal_delta(&part, parts, whole.epsilon(), 128).unwrap();
            prop_assert!(exact.lower() <= *whole.delta());
        }

        #[test]
        fn delta_falls_as_epsilon_grows(e in 1i64..300, times in 1u64..40, a in 0i64..1000, b in 0i64..1000) {
            let step = Budget::approximate(ratio(e, 100), ratio(1, 10_000), Substitute).unwrap();
            let less = optimal_delta(&step, times, &ratio(a, 50), 128).unwrap();
            let more = optimal_delta(&step, times, &ratio(a + b, 50), 128).unwrap();
            prop_assert!(more.lower() <= less.upper());
        }
    }

    #[test]
    fn at_many_bits_the_sum_is_as_sharp_as_asked_for() {
        // More than Stirling's series has for a thousand steps.
        let found = optimal_delta(&budget("0.05", "0"), 1100, &integer(1), 1000).unwrap();
        assert!(found.has_digits(290), "{found}");
    }

    #[test]
    fn what_is_left_of_the_sum_is_bounded_wherever_it_is_cut() {
        // From the first term, and from the mode on both sides; most of the terms are left out.
        for (epsilon, times) in [("1", 40), ("3", 1000), ("0.05", 4000), ("0.001", 100_000)] {
            let step = budget(epsilon, "0");
            for total in ["0", "1", "4"] {
                let total = parse(total).unwrap();
                let all = answers(&step, times, &total, 160, 160).unwrap();
                for cut in [1, 4, 10, 20] {
                    let some = answers(&step, times, &total, 160, cut).unwrap();
                    let inside = some.lower() <= all.lower() && all.upper() <= some.upper();
                    assert!(inside, "{epsilon} {times} {total} {cut}: {some} {all}");
                }
            }
        }
    }

    #[test]
    fn the_closed_forms_have_the_values_of_another_program() {
        let step = budget("0.1", "1e-8");
        let slack = parse("1e-6").unwrap();
        let just_above = |found: &Rational, value: &str| {
            let above = found - parse(value).unwrap();
            assert!(above.is_positive() && above < ratio(1, 1 << 55), "{above}");
        };
        let older = dwork_rothblum_vadhan(&step, 100, &slack).unwrap();
        just_above(older.epsilon(), "6.308230950513408226747");
        assert_eq!(older.delta(), &parse("2e-6").unwrap());
        let closed = advanced(&step, 100, &slack).unwrap();
        just_above(closed.epsilon(), "5.756105519335731700613");
        just_above(closed.delta(), "0.000001999998505000656699799");
        // Of few steps the sum is smaller.
        assert_eq!(advanced(&step, 2, &slack).unwrap().epsilon(), &ratio(1, 5));
    }

    #[test]
    fn a_term_counts_if_its_answers_tell_more_than_epsilon() {
        // With l lies of k = 5 they tell 5 - 2 l, of k = 4 they tell 4 - 2 l.
        for (times, total, terms) in [
            (5, "0", 3),
            (5, "0.9", 3),
            (5, "1", 2),
            (5, "4.9", 1),
            (5, "5", 0),
            (5, "6", 0),
            (4, "0", 2),
            (4, "2", 1),
        ] {
            let total = parse(total).unwrap();
            let found = counted_terms(&budget("1", "0"), times, &total);
            assert_eq!(found, terms, "{times} {total}");
        }
    }
}
