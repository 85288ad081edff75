//! The entropy of a law in bits: what any exact sampler needs on average.
//!
//! In floats, for printing. The largest probability is that of the library, certified; the others follow by the law's
//! formula, and must sum to one.

use dp_assay::coins::Law;
use dp_assay::number::rational::to_f64_for_display;
use num_bigint::BigInt;

/// The bits of working precision at which a probability is asked for.
const PRECISION: u32 = 64;

/// The entropy of a symmetric law on the integers, `Pr[k] = Pr[0] exp(-exponent(|k|))`.
///
/// # Panics
/// If the probabilities do not sum to one: then `exponent` is not the law's.
pub fn of<L: Law<Outcome = BigInt>>(law: &L, exponent: impl Fn(f64) -> f64) -> f64 {
    let centre = law
        .pmf(&BigInt::from(0), PRECISION)
        .expect("a certified probability");
    let centre = to_f64_for_display(&centre.lower());
    let (mut sum, mut entropy) = (0.0, 0.0);
    for k in 0u32.. {
        let exponent = exponent(f64::from(k));
        let probability = centre * (-exponent).exp();
        // Further out there are no terms that a float would show.
        if exponent > 60.0 {
            break;
        }
        let times = if k == 0 { 1.0 } else { 2.0 };
        sum += times * probability;
        entropy += times * probability * (exponent / std::f64::consts::LN_2 - centre.log2());
    }
    assert!((sum - 1.0).abs() < 1e-6, "the probabilities sum to {sum}");
    entropy
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::integer;
    use dp_assay::sample::DiscreteLaplace;

    /// The magnitude and sign of a discrete Laplace number: H = -log2 Pr[0] + E|k| log2(e) / scale.
    #[test]
    fn the_entropy_at_scale_one_is_that_of_the_closed_form() {
        let law = DiscreteLaplace::new(integer(1)).unwrap();
        let q = (-1.0f64).exp();
        let closed =
            -((1.0 - q) / (1.0 + q)).log2() + 2.0 * q / (1.0 - q * q) * std::f64::consts::LOG2_E;
        assert!((of(&law, |k| k) - closed).abs() < 1e-9);
    }

    #[test]
    #[should_panic(expected = "the probabilities sum to")]
    fn the_exponent_of_another_law_is_noticed() {
        of(&DiscreteLaplace::new(integer(2)).unwrap(), |k| k);
    }
}
