//! How many records every pure private learner with a margin guarantee needs.

use super::of;
use crate::margin::MarginError;
use crate::number::range::{above_zero, above_zero_below_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The records that a learner needs, at least, if it is `(epsilon, 0)`-private and, with probability `1 - beta`, has an
/// error of at most `alpha` on every distribution on which some hypothesis of ratio `q` has margin loss 0: rounded down,
/// and 0 if nothing follows.
///
/// `m ln(1 + 10 alpha tanh(epsilon/2)) >= (ln 2 - H(1/10)) N + ln(1 - beta)`, for `N` of [`light_points`]. Proof:
/// `spec/margin.md`, `bms22.thm3_1.lower`.
///
/// # Errors
/// [`MarginError::Parameter`] unless `q >= 1`, `0 < alpha <= 1/10`, `0 < beta < 1` and `epsilon > 0`.
pub fn records_needed(
    q: &Rational,
    alpha: &Rational,
    beta: &Rational,
    epsilon: &Rational,
) -> Result<Rational, MarginError> {
    above_zero_below_one("beta", beta)?;
    above_zero("epsilon", epsilon)?;
    let points = light_points(q, alpha)?;
    let nats = labelling_rate()? * of(&integer(points)) + of(&(integer(1) - beta)).ln()?;
    if nats.lo().is_negative() {
        return Ok(Rational::zero());
    }
    // tanh(epsilon/2) = (1 - e^-epsilon)/(1 + e^-epsilon)
    let less = (-of(epsilon)).exp_minus_one()?;
    let told = (-&less).divided_by(&(&less + of(&integer(2))))?;
    let per_record = (told * of(&(alpha * integer(10)))).ln_1p()?;
    Ok(nats.divided_by(&per_record)?.lower())
}

/// The points that are labelled, `N`: `ceil(q^2) - 2`, beside one heavy point; at `alpha = 1/10` there is no heavy
/// point, and they are one more.
///
/// # Errors
/// [`MarginError::Parameter`] unless `q >= 1` and `0 < alpha <= 1/10`.
pub fn light_points(q: &Rational, alpha: &Rational) -> Result<BigInt, MarginError> {
    require(*q >= integer(1), "the ratio q", q, "at least 1")?;
    let tenth = ratio(1, 10);
    let right = alpha.is_positive() && *alpha <= tenth;
    require(right, "alpha", alpha, "above 0 and at most 1/10")?;
    let all: BigInt = (q * q).ceil().to_integer() - 1;
    let light = if *alpha == tenth { all } else { all - 1 };
    Ok(light.max(BigInt::zero()))
}

/// `ln 2 - H(1/10)`: one classifier errs on at most a tenth of `N` points for at most `e^(H(1/10) N)` labellings.
fn labelling_rate() -> Result<Enclosure, MarginError> {
    let (tenth, rest) = (of(&ratio(1, 10)), of(&ratio(9, 10)));
    let entropy = -(&tenth * tenth.ln()? + &rest * rest.ln()?);
    Ok(Enclosure::ln_two(super::BITS) - entropy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::to_scientific;

    #[test]
    fn the_points_are_strictly_fewer_than_the_squared_ratio() {
        let points = |numerator, denominator, tenths| {
            let q = ratio(numerator, denominator);
            light_points(&q, &ratio(tenths, 100)).unwrap()
        };
        assert_eq!(points(10, 1, 10), BigInt::from(99));
        assert_eq!(points(10, 1, 9), BigInt::from(98));
        assert_eq!(points(3, 2, 10), BigInt::from(2));
        assert_eq!(points(1, 1, 10), BigInt::from(0));
        assert_eq!(points(1, 1, 1), BigInt::from(0));
    }

    #[test]
    fn records_of_another_program() {
        // (0.368064 N + ln(19/20)) / ln(1 + 10 alpha tanh(epsilon/2)), in floats.
        let needed = |q: i64, percent, epsilon: Rational| {
            let (alpha, beta) = (ratio(percent, 100), ratio(1, 20));
            let needed = records_needed(&integer(q), &alpha, &beta, &epsilon).unwrap();
            to_scientific(&needed, 4)
        };
        assert_eq!(needed(10, 10, integer(1)), "95.78");
        assert_eq!(needed(10, 1, integer(1)), "797.3");
        assert_eq!(needed(10, 1, ratio(1, 10)), "7228");
        assert_eq!(needed(10, 1, integer(50)), "377.9");
        // No point, or too few: nothing follows.
        assert_eq!(needed(1, 10, integer(1)), "0");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let half = ratio(1, 2);
        let needed = |q: &Rational, alpha: &Rational, beta: &Rational, epsilon: &Rational| {
            records_needed(q, alpha, beta, epsilon).is_ok()
        };
        let (q, alpha) = (integer(3), ratio(1, 20));
        assert!(needed(&q, &alpha, &half, &half));
        assert!(!needed(&half, &alpha, &half, &half));
        assert!(!needed(&q, &half, &half, &half));
        assert!(!needed(&q, &integer(0), &half, &half));
        assert!(!needed(&q, &alpha, &integer(1), &half));
        assert!(!needed(&q, &alpha, &half, &integer(0)));
    }
}
