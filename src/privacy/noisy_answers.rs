//! Noisy answers without noise on the threshold: what rounds cost where only few tell anything.
//!
//! A mechanism runs in rounds, as many as it likes. Given what was published before, a round is purely private with a
//! loss of at most `s`, and one of its outcomes is *quiet*: it says nothing but that nothing is said. After so many
//! *updates*, rounds with another outcome, the mechanism ends. The number of rounds is not bounded, so that composition
//! promises nothing; Theorem A does (`jt13.thmA` in `spec/kernels.md`, with its proof). With `B` updates and any real
//! order `l > 0`:
//!
//! - `T = cosh((l + 1/2) s)/cosh(s/2)`, the moment of randomised response;
//! - `D = max{(1 - e^-s/2)(2 - e^-s)^l, e^((1+l)s)/(1 + e^s)}`, what a quiet outcome adds to it at most; `D < 1`;
//! - `c = ln(1 + (T - 1)/(1 - D))`, what an update may take;
//! - `delta(epsilon) <= e^(B c - l epsilon) (1/(1+l)) (l/(1+l))^l`.
//!
//! It holds for neighbours under any relation, that under which each round is purely private, and in both directions.
//! State that rounds share and that is not published must be given, the same for both neighbours: the sparse vector
//! technique, which pays once for a hidden threshold that moves, is not of this kind.

use super::search::{BITS, rounded_up, smallest_within};
use super::{Budget, PrivacyError};
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, at_least_zero};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::One;

/// Orders are searched within one part in `2^ORDER_SLACK`: the bound is flat at the best one.
const ORDER_SLACK: i64 = 6;

/// Losses are found within one part in `2^LOSS_SLACK`.
const LOSS_SLACK: i64 = 10;

/// The largest product of loss and order that is searched, 5/8, by its number: beyond ln 2 no loss leaves room.
const LARGEST_PRODUCT: i64 = -3;

/// What an update may take at the order `l = order > 0`, `c` of Theorem A, if each round costs at most `loss`:
/// a moment of the likelihood ratio over the whole run, `E_P[(P/Q)^l]`, is at most `e^(updates c)`.
///
/// `None` where it has not been shown that `D < 1`: the theorem then says nothing.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `loss > 0` and `order > 0`; those of the real functions.
pub fn cost_of_update(
    loss: &Rational,
    order: &Rational,
    bits: u32,
) -> Result<Option<Enclosure>, PrivacyError> {
    above_zero("the loss of a round", loss)?;
    above_zero("the order", order)?;
    let bits = bits + 32;
    let room = quiet_moment(loss, order, bits)?.complement();
    if !room.lo().is_positive() {
        return Ok(None);
    }
    let grown = moment_less_one(loss, order, bits)?;
    Ok(Some(grown.divided_by(&room)?.ln_1p()?))
}

/// `T - 1`, where `T = cosh((l + 1/2) s)/cosh(s/2)`: as `2 sinh((l + 1) s/2) sinh(l s/2)/cosh(s/2)`, without cancellation.
fn moment_less_one(loss: &Rational, order: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    let half = loss / BigInt::from(2);
    let above = twice_sinh(&(&half * (order + Rational::one())), bits)?;
    let below = twice_sinh(&(&half * order), bits)?;
    // 2 cosh(s/2) = e^(s/2) + e^(-s/2)
    let twice_cosh = Enclosure::exp_of(&half, bits)? + Enclosure::exp_of(&-half, bits)?;
    (above * below).divided_by(&twice_cosh)
}

/// `2 sinh(x) = (e^x - 1) (1 + e^-x)`.
fn twice_sinh(x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    let grown = Enclosure::of(x, bits).exp_minus_one()?;
    Ok(grown * (Enclosure::integer(1, bits) + Enclosure::exp_of(&-x, bits)?))
}

/// `D`, the largest of `(1 - p)^(1+l) (1 - q)^-l` over the probabilities `p`, `q` of an update on two neighbours, the
/// larger of which is at least 1/2.
fn quiet_moment(loss: &Rational, order: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    let one = Enclosure::integer(1, bits);
    // 1. One of them is 1/2, and the other is e^-s/2: (1 - e^-s/2) (2 - e^-s)^l.
    let lost = -Enclosure::of(&-loss, bits).exp_minus_one()?;
    let power = (lost.ln_1p()? * Enclosure::of(order, bits)).exp()?;
    let half = (&one + &lost).shifted(-1) * power;
    // 2. An update tells as much as randomised response: e^((1+l)s)/(1 + e^s).
    let told = Enclosure::exp_of(&(loss * (order + Rational::one())), bits)?;
    let response = told.divided_by(&(&one + Enclosure::exp_of(loss, bits)?))?;
    Ok(half.max(&response))
}

/// The logarithm of the bound on delta at one order: `B c - l epsilon - ln(1 + l) - l ln(1 + 1/l)`.
fn logarithm_of_bound(
    loss: &Rational,
    updates: u64,
    epsilon: &Rational,
    order: &Rational,
    bits: u32,
) -> Result<Option<Enclosure>, PrivacyError> {
    let Some(cost) = cost_of_update(loss, order, bits)? else {
        return Ok(None);
    };
    let spent = cost * Enclosure::integer(updates, bits);
    let spared = Enclosure::of(&(order * epsilon), bits);
    let shape = Enclosure::of(order, bits).ln_1p()?
        + Enclosure::of(order, bits) * Enclosure::of(&order.recip(), bits).ln_1p()?;
    Ok(Some(spent - spared - shape))
}

/// A delta, rounded up and at most 1, with which rounds that cost at most `loss` each and end after `updates` updates are
/// (epsilon, delta)-private: the bound of Theorem A at the best order that a search finds. Every order is valid.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `loss > 0`, `updates >= 1` and `epsilon >= 0`; those of the real functions.
pub fn delta(loss: &Rational, updates: u64, epsilon: &Rational) -> Result<Rational, PrivacyError> {
    above_zero("the loss of a round", loss)?;
    at_least_one("the number of updates", updates)?;
    at_least_zero("epsilon", epsilon)?;
    let at = |order: &Rational, bits| logarithm_of_bound(loss, updates, epsilon, order, bits);
    // Where the bound rises, or there is none, the order is large enough.
    let step = Rational::new(BigInt::from(65), BigInt::from(64));
    let order = smallest_within(ORDER_SLACK, |order| {
        Ok(match (at(order, 64)?, at(&(order * &step), 64)?) {
            (Some(here), Some(there)) => there.midpoint() >= here.midpoint(),
            _ => true,
        })
    })?;
    // The order found may be just beyond those that have a bound; one less than a part in 32 below it has one.
    for order in [order.clone(), order * Rational::new(31.into(), 32.into())] {
        if let Some(logarithm) = at(&order, BITS)? {
            let zero = Enclosure::integer(0, BITS);
            return Ok(rounded_up(&logarithm.min(&zero).exp()?).min(Rational::one()));
        }
    }
    Ok(Rational::one())
}

/// The largest loss of a round, within about one part in `2^9`, with which [`delta`] certifies
/// `updates` updates for the budget, under its relation.
///
/// The product `x` of loss and order hardly depends on either: about `1/sqrt(updates)`, and at most 0.7. For each `x` the
/// largest loss is searched; then the best `x`; and [`delta`] has the last word.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `updates >= 1`, and `delta > 0`: with `delta = 0` no loss would do; those of the
/// real functions.
pub fn largest_loss(updates: u64, budget: &Budget) -> Result<Rational, PrivacyError> {
    at_least_one("the number of updates", updates)?;
    above_zero_below_one("delta", budget.delta())?;
    let epsilon = budget.epsilon();
    let allowed = Enclosure::of(budget.delta(), BITS).ln()?.lower();
    // 1. The least scale, 1/loss, that is enough at the product numbered so; there are four in an octave, and 1 is number 0.
    let least_scale = |index: i64| {
        let product = Dyadic::new(4 + index.rem_euclid(4), index.div_euclid(4) - 2).to_rational();
        smallest_within(LOSS_SLACK, |scale| {
            let order = &product * scale;
            let bound = logarithm_of_bound(&scale.recip(), updates, epsilon, &order, 64)?;
            Ok(bound.is_some_and(|bound| bound.upper() <= allowed))
        })
    };
    // 2. The best product, from about 1/sqrt(updates) on, downhill.
    let mut index = -2 * i64::from(updates.ilog2()) - 4;
    let mut scale = least_scale(index)?;
    for direction in [1, -1] {
        while index + direction <= LARGEST_PRODUCT {
            let next = least_scale(index + direction)?;
            if next >= scale {
                break;
            }
            (index, scale) = (index + direction, next);
        }
    }
    // 3. At the order that `delta` finds the bound may be larger by a little; or smaller, as products are few.
    let enough = |scale: &Rational| -> Result<bool, PrivacyError> {
        Ok(delta(&scale.recip(), updates, epsilon)? <= *budget.delta())
    };
    let part = |of: i64, more: i64| Rational::new((of + more).into(), of.into());
    while !enough(&scale)? {
        scale *= part(1 << LOSS_SLACK, 1);
    }
    for power in 5..=LOSS_SLACK {
        let less = &scale * part(1 << power, -1);
        if enough(&less)? {
            scale = less;
        }
    }
    Ok(scale.recip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio};
    use crate::privacy::NeighbouringRelation::Substitute;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    /// To four digits, as another program found them.
    #[test]
    fn largest_losses_are_those_of_another_program() {
        for (epsilon, updates, loss) in [
            ("1", 1, "0.05160"),
            ("1", 10, "0.03127"),
            ("1", 100, "0.01327"),
            ("1", 1000, "0.004679"),
        ] {
            let found = largest_loss(updates, &budget(epsilon, "1e-6")).unwrap();
            let known = parse(loss).unwrap();
            let apart = (&found - &known) / &known;
            assert!(
                apart < ratio(1, 2000) && apart > ratio(-1, 500),
                "{updates}: {found} {known}"
            );
        }
    }

    #[test]
    fn a_moment_is_that_of_randomised_response() {
        // E_P[(P/Q)^l] at s = ln 2 and l = 2: (2/3) 4 + (1/3)/4 = 11/4; ln 2 is enclosed.
        let s = ratio(6_931_471_806, 10_000_000_000);
        let found = moment_less_one(&s, &integer(2), 128).unwrap();
        let apart = (found - Enclosure::of(&ratio(7, 4), 128)).abs();
        assert!(apart.upper() < ratio(1, 1_000_000_000), "{apart}");
        // D at l = 2: (3/4) (3/2)^2 = 27/16 and 8/3.
        let found = quiet_moment(&s, &integer(2), 128).unwrap();
        let apart = (found - Enclosure::of(&ratio(8, 3), 128)).abs();
        assert!(apart.upper() < ratio(1, 1_000_000_000), "{apart}");
    }

    #[test]
    fn without_room_there_is_no_bound_and_delta_is_at_most_one() {
        assert!(
            cost_of_update(&integer(1), &integer(2), 64)
                .unwrap()
                .is_none()
        );
        let found = delta(&integer(3), 100, &integer(0)).unwrap();
        assert!(found <= integer(1) && found > ratio(1, 2));
    }

    #[test]
    fn delta_falls_with_epsilon_and_rises_with_loss_and_updates() {
        let found = |loss: &str, updates, epsilon: i64| {
            delta(&parse(loss).unwrap(), updates, &integer(epsilon)).unwrap()
        };
        let middle = found("0.02", 30, 1);
        assert!(found("0.02", 30, 2) < middle && middle < found("0.02", 30, 0));
        assert!(found("0.01", 30, 1) < middle && middle < found("0.03", 30, 1));
        assert!(found("0.02", 20, 1) < middle && middle < found("0.02", 40, 1));
    }

    #[test]
    fn tiny_and_large_losses_are_accounted_for() {
        let many = largest_loss(1 << 40, &budget("0.001", "1e-12")).unwrap();
        assert!(
            many > ratio(1, 1 << 40) && many < ratio(1, 1 << 30),
            "{many}"
        );
        let few = largest_loss(1, &budget("20", "0.01")).unwrap();
        assert!(few > ratio(1, 2), "{few}");
    }

    #[test]
    fn what_is_outside_its_range_is_refused() {
        assert!(delta(&integer(0), 1, &integer(1)).is_err());
        assert!(delta(&integer(1), 0, &integer(1)).is_err());
        assert!(delta(&integer(1), 1, &integer(-1)).is_err());
        assert!(cost_of_update(&integer(1), &integer(0), 64).is_err());
        assert!(largest_loss(1, &Budget::pure(integer(1), Substitute).unwrap()).is_err());
        assert!(largest_loss(0, &budget("1", "1e-6")).is_err());
    }
}
