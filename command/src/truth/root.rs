//! Where a decreasing function is 0, certified: an end of the answer is a point at which an enclosure of the function
//! is on one side of 0.
//!
//! The bracket is split into `2^n` parts. The one where the straight line through its ends crosses 0 is tried: if the
//! function's signs at its two ends confirm it, `n` doubles, and otherwise it is halved, and the sign that was found
//! still narrows the bracket. So a smooth function takes a number of steps that is logarithmic in the digits, and any
//! other one no more than bisection does, up to a factor (Abbott 2006, quadratic interval refinement).

use super::Answer;
use super::second::begins_at_most;
use crate::error::Error;
use dp_assay::number::{Dyadic, Enclosure, NumberError, Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::rc::Rc;

/// A function at a point, at a precision in bits.
pub type Function<'a> = dyn Fn(&Rational, u32) -> Result<Enclosure, NumberError> + 'a;

/// No root above `2^LARGEST` or below `2^SMALLEST` is searched.
const LARGEST: i64 = 1 << 11;
const SMALLEST: i64 = -(1 << 12);

/// Beyond what an end needs, so many bits are tried before the sign there counts as unknown.
const SPARE: u32 = 2048;

/// No epsilon above it is searched: exponentials of larger numbers take long.
const LARGEST_EPSILON: u64 = 1 << 20;

/// The highest precision at which two numbers are compared.
const MOST_BITS: u32 = 4096;

/// A bracket: the function is above 0 at the left end, and below 0 at the right end.
pub struct Bracket {
    /// The left end, and the function there.
    pub left: (Rational, Enclosure),
    /// The right end, and the function there.
    pub right: (Rational, Enclosure),
}

/// The positive point at which a decreasing function passes through 0, to `bits` significant bits.
///
/// # Errors
/// [`NumberError::Underflow`] if the function is below 0 at the power of two that is named, about `2^-4096`; [`NumberError::OutOfDomain`] if it is above
/// 0 up to `2^2048`; [`NumberError::PrecisionExhausted`] if its sign is not known; those of the function.
pub fn positive_root(function: &Function, bits: u32) -> Result<Enclosure, NumberError> {
    // What is too much work at these bits is refused before the search has done most of it.
    function(&Rational::one(), bits)?;
    let power = |exponent: i64| Dyadic::new(1, exponent).to_rational();
    let at = |exponent: i64| -> Result<(Rational, Enclosure), NumberError> {
        let nudge = power(exponent - 8);
        signed(function, power(exponent), &nudge, 64)
    };
    // 1. Powers of two, in steps of 1, 2, 4, ... away from 1.
    let middle = at(0)?;
    let up = middle.1.lo().is_positive();
    let (mut left, mut right) = (None, None);
    let (mut low, mut high) = (0, 0);
    match up {
        true => left = Some(middle),
        false => right = Some(middle),
    }
    let mut step = 1;
    let (left, right) = loop {
        if let (Some(left), Some(right)) = (&left, &right) {
            break (left, right);
        }
        let exponent = if up { high + step } else { low - step };
        if exponent > LARGEST {
            return Err(NumberError::OutOfDomain {
                function: "the inverse",
                argument: "this value".to_owned(),
                expected: "nothing up to 2^2048 reaches it",
            });
        }
        if exponent < SMALLEST {
            // Below 2^low the function was found to be below 0.
            return Err(NumberError::Underflow { exponent: low });
        }
        let found = at(exponent)?;
        if up {
            high = exponent;
        } else {
            low = exponent;
        }
        match found.1.lo().is_positive() {
            true => left = Some(found),
            false => right = Some(found),
        }
        step *= 2;
    };
    // 2. Two successive powers of two, by halving the exponents.
    let mut bracket = Bracket {
        left: left.clone(),
        right: right.clone(),
    };
    while bracket.right.0 > &bracket.left.0 * BigInt::from(4) {
        let exponents = [&bracket.left.0, &bracket.right.0].map(magnitude);
        let found = at((exponents[0] + exponents[1]).div_euclid(2))?;
        match found.1.lo().is_positive() {
            true if found.0 > bracket.left.0 => bracket.left = found,
            false if found.0 < bracket.right.0 => bracket.right = found,
            _ => break,
        }
    }
    // 3. Between them.
    refined(function, bracket, bits)
}

/// The least epsilon at which a falling and continuous profile is at most delta, by [`positive_root`]; the profile by the
/// second arithmetic must say so too.
///
/// # Errors
/// An epsilon above [`LARGEST_EPSILON`]; those of [`least_epsilon_by`].
pub fn least_epsilon<'a>(
    profile: impl Fn(&Rational, u32) -> Result<Enclosure, NumberError> + 'a,
    second: impl Fn(&Rational, u32) -> Option<Enclosure> + 'a,
    delta: &'a Rational,
) -> Result<Answer<'a>, Error> {
    refuse_beyond(&profile, delta)?;
    let profile = Rc::new(profile);
    let at_zero = Rc::clone(&profile);
    let above = move |epsilon: &Rational, bits: u32| {
        // There it is at most delta, as was seen.
        if *epsilon > largest_epsilon() {
            return Ok(Enclosure::integer(-1, bits));
        }
        Ok(profile(epsilon, bits)? - Enclosure::of(delta, bits))
    };
    least_epsilon_by(
        move |bits| positive_root(&above, bits),
        |bits| at_zero(&Rational::zero(), bits),
        second,
        delta,
    )
}

/// The least epsilon at which a falling profile is at most delta: exactly 0 where the profile at 0 is at most delta
/// already, and otherwise what `inverse` says, which is above 0. The profile by the second arithmetic must say so too.
/// Every subject with a least epsilon asks here.
///
/// # Errors
/// Those of the profile at 0; where more bits than [`MOST_BITS`] are needed to tell it from delta.
pub fn least_epsilon_by<'a>(
    inverse: impl Fn(u32) -> Result<Enclosure, NumberError> + 'a,
    at_zero: impl Fn(u32) -> Result<Enclosure, NumberError>,
    second: impl Fn(&Rational, u32) -> Option<Enclosure> + 'a,
    delta: &'a Rational,
) -> Result<Answer<'a>, Error> {
    let mut bits = 128;
    loop {
        let at_zero = at_zero(bits)?;
        if at_zero.upper() <= *delta {
            return Ok(Answer::Witnessed(
                Box::new(|bits| Ok(Enclosure::integer(0, bits))),
                Box::new(move |_, _| begins_at_most(&second, delta, bits)),
            ));
        }
        if at_zero.is_above_rational(delta) {
            return Ok(Answer::falling_through(inverse, second, delta));
        }
        if bits > MOST_BITS {
            return Err(NumberError::PrecisionExhausted { digits: 1, bits }.into());
        }
        bits *= 2;
    }
}

/// Refuses a profile that is above delta at the largest epsilon that is searched.
///
/// # Errors
/// Such a profile; those of the profile.
fn refuse_beyond(
    profile: impl Fn(&Rational, u32) -> Result<Enclosure, NumberError>,
    delta: &Rational,
) -> Result<(), Error> {
    match profile(&largest_epsilon(), 128)?.is_above_rational(delta) {
        true => Err(Error::Usage(format!(
            "--delta {}: the least epsilon is above {LARGEST_EPSILON}, farther than is searched: take less shift, wider noise or a larger delta",
            rational::shortly(delta)
        ))),
        false => Ok(()),
    }
}

fn largest_epsilon() -> Rational {
    rational::integer(LARGEST_EPSILON)
}

/// About the binary logarithm.
fn magnitude(value: &Rational) -> i64 {
    value.numer().bits() as i64 - value.denom().bits() as i64
}

/// The point in the bracket at which a decreasing function passes through 0, to `bits` significant bits. The function is
/// never evaluated at the ends.
///
/// # Errors
/// [`NumberError::PrecisionExhausted`] if the function's sign is not known; those of the function.
pub fn refined(
    function: &Function,
    mut bracket: Bracket,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let mut splits = 1u32;
    loop {
        let (a, b) = (&bracket.left.0, &bracket.right.0);
        let width = b - a;
        let known = magnitude(b) - magnitude(&width);
        if known > i64::from(bits) + 4 {
            return Ok(Enclosure::between(a, b, bits + 8));
        }
        let known = u32::try_from(known.max(0)).unwrap_or(0);
        let parts: BigInt = BigInt::one() << splits;
        let part = &width / &parts;
        let last: BigInt = &parts - 1;
        // 1. Where the straight line crosses 0.
        let [over, under] = [&bracket.left.1, &bracket.right.1].map(|value: &Enclosure| {
            let middle = value.midpoint().to_rational();
            middle.abs()
        });
        let crossing = &over / (&over + under) * parts;
        let index: BigInt = crossing.floor().to_integer().min(last.clone());
        // 2. The signs at the two ends of that part; the ends of the bracket are known.
        let precision = known + splits + 64;
        let nudge = &part / BigInt::from(8);
        let mut confirmed = true;
        let mut next = Bracket {
            left: bracket.left.clone(),
            right: bracket.right.clone(),
        };
        if index.is_positive() {
            let point = a + &part * &index;
            let found = signed(function, point, &-&nudge, precision)?;
            match found.1.lo().is_positive() {
                true => next.left = found,
                false => {
                    next.right = found;
                    confirmed = false;
                }
            }
        }
        if confirmed && index < last {
            let after: BigInt = &index + 1;
            let point = a + &part * after;
            let found = signed(function, point, &nudge, precision)?;
            match found.1.lo().is_positive() {
                true => {
                    next.left = found;
                    confirmed = false;
                }
                false => next.right = found,
            }
        }
        bracket = next;
        splits = match confirmed {
            true => (2 * splits).min(bits.max(1)),
            false => (splits / 2).max(1),
        };
    }
}

/// The function where its sign is known: at `point`, or if it is 0 there, as far as can be told, a little beside it.
fn signed(
    function: &Function,
    point: Rational,
    nudge: &Rational,
    bits: u32,
) -> Result<(Rational, Enclosure), NumberError> {
    let most = bits.saturating_mul(4).saturating_add(SPARE);
    let mut at = point;
    for _ in 0..2 {
        let mut bits = bits;
        loop {
            let value = function(&at, bits)?;
            if !value.contains_zero() {
                return Ok((at, value));
            }
            if bits >= most {
                break;
            }
            bits = bits.saturating_mul(2).min(most);
        }
        at += nudge;
    }
    Err(NumberError::PrecisionExhausted {
        digits: bits * 3 / 10,
        bits: most,
    })
}

/// The least integer that is not below, of those on both sides of 0 or of those from 0 on: between powers of two first,
/// then by halving.
pub fn least(
    is_below: impl Fn(&BigInt) -> Result<bool, NumberError>,
    is_on_both_sides: bool,
) -> Result<BigInt, NumberError> {
    let one = BigInt::one();
    let (mut below, mut enough) = (-one.clone(), one);
    while is_below(&enough)? {
        enough *= 2;
    }
    while is_on_both_sides && !is_below(&below)? {
        below *= 2;
    }
    while &enough - &below > BigInt::one() {
        let middle: BigInt = (&below + &enough) >> 1;
        match is_below(&middle)? {
            true => below = middle,
            false => enough = middle,
        }
    }
    Ok(enough)
}

/// Whether a probability is below `p`, decided at rising precision.
pub fn is_below(
    probability: impl Fn(u32) -> Result<Enclosure, NumberError>,
    p: &Rational,
) -> Result<bool, NumberError> {
    let mut bits = 64;
    loop {
        let value = probability(bits)?;
        if value.is_below_rational(p) {
            return Ok(true);
        }
        if value.is_above_rational(p) {
            return Ok(false);
        }
        if bits >= MOST_BITS {
            return Err(NumberError::PrecisionExhausted { digits: 1, bits });
        }
        bits *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};
    use std::cell::Cell;

    #[test]
    fn roots_are_those_that_are_known() {
        // 2 - x^2, 1/x - 3, e^-x - 1/1000: sqrt(2), 1/3, ln(1000).
        let two = |x: &Rational, bits: u32| Ok(Enclosure::of(&(integer(2) - x * x), bits));
        let root = positive_root(&two, 3000).unwrap();
        assert!(root.meets(&Enclosure::integer(2, 4000).sqrt().unwrap()) && root.has_digits(900));
        let third = |x: &Rational, bits: u32| Ok(Enclosure::of(&(x.recip() - integer(3)), bits));
        let root = positive_root(&third, 200).unwrap();
        assert!(root.contains(&ratio(1, 3)) && root.has_digits(60));
        let logarithm = |x: &Rational, bits: u32| {
            let value = Enclosure::exp_of(&-x, bits)?;
            Ok(value - Enclosure::of(&ratio(1, 1000), bits))
        };
        let root = positive_root(&logarithm, 400).unwrap();
        assert!(root.meets(&Enclosure::integer(1000, 500).ln().unwrap()) && root.has_digits(120));
    }

    #[test]
    fn a_root_on_a_dyadic_point_is_enclosed_too() {
        for root in [integer(1), integer(4), ratio(3, 8), ratio(5, 1)] {
            let line = |x: &Rational, bits: u32| Ok(Enclosure::of(&(&root - x), bits));
            let found = positive_root(&line, 100).unwrap();
            assert!(found.contains(&root) && found.has_digits(29), "{found}");
        }
    }

    #[test]
    fn a_smooth_function_takes_few_steps_and_a_bent_one_not_many() {
        let calls = Cell::new(0);
        let smooth = |x: &Rational, bits: u32| {
            calls.set(calls.get() + 1);
            Ok(Enclosure::exp_of(&-x, bits)? - Enclosure::of(&ratio(1, 7), bits))
        };
        positive_root(&smooth, 3300).unwrap();
        // Halving would take 3,300.
        assert!(calls.get() < 200, "{}", calls.get());
        calls.set(0);
        let bent = |x: &Rational, bits: u32| {
            calls.set(calls.get() + 1);
            let value = match *x < ratio(10, 3) {
                true => ratio(10, 3) - x,
                false => (ratio(10, 3) - x) * integer(1_000_000),
            };
            Ok(Enclosure::of(&value, bits))
        };
        let found = positive_root(&bent, 100).unwrap();
        assert!(found.contains(&ratio(10, 3)));
        assert!(calls.get() < 1000, "{}", calls.get());
    }

    #[test]
    fn without_a_root_there_is_an_error() {
        let always = |_: &Rational, bits: u32| Ok(Enclosure::integer(1, bits));
        assert!(positive_root(&always, 64).is_err());
        let never = |_: &Rational, bits: u32| Ok(Enclosure::integer(-1, bits));
        assert!(matches!(
            positive_root(&never, 64),
            Err(NumberError::Underflow { .. })
        ));
        let unknown = |_: &Rational, bits: u32| {
            let unit = Dyadic::new(1, 0);
            Ok(Enclosure::integer(0, bits).widened(&unit))
        };
        assert!(positive_root(&unknown, 64).is_err());
    }
}
