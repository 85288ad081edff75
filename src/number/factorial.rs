//! The logarithm of the factorial.

use super::{Enclosure, NumberError, Rational, bernoulli_numbers};
use num_bigint::BigInt;

/// `ln(n!)`.
///
/// Below 64 from the product; above by Stirling's series, whose partial sums err by less than
/// the first term left out, and with its sign (the series envelops `ln n!`: Binet's remainder
/// alternates). The working precision should not exceed 320 bits or so: beyond, the series is cut
/// off at its 20th term and the enclosure widens, as it must.
///
/// # Errors
/// Those of the logarithm.
pub fn ln_factorial(n: u64, bits: u32) -> Result<Enclosure, NumberError> {
    if n < 64 {
        let product: BigInt = (2..=n).map(BigInt::from).product();
        return Enclosure::integer(product, bits).ln();
    }
    // Guard bits for the cancellation of n ln n against n.
    let bits = bits + 16;
    let x = Enclosure::integer(n, bits);
    let half_ln_two_pi_n = (Enclosure::pi(bits).shifted(1) * &x).ln()?.shifted(-1);
    let mut sum = &x * x.ln()? - &x + half_ln_two_pi_n;
    let inverse_square = Enclosure::of(&Rational::new(1.into(), BigInt::from(n) * n), bits);
    let mut power = Enclosure::of(&Rational::new(1.into(), n.into()), bits);
    for (index, number) in bernoulli_numbers().iter().enumerate() {
        let i = index as u64 + 1;
        let term = (Enclosure::of(number, bits) * &power)
            .divided_by(&Enclosure::integer(2 * i * (2 * i - 1), bits))?;
        if index == TERMS {
            return Ok(sum.widened(term.abs().hi()).with_bits(bits - 16));
        }
        sum = sum + term;
        power = power * &inverse_square;
    }
    Ok(sum)
}

/// Terms of Stirling's series that are summed.
const TERMS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_the_series_is_in_the_enclosure() {
        // At 320 bits the first term left out is far above the last place.
        for n in [64u64, 65, 80, 100] {
            let product: BigInt = (2..=n).map(BigInt::from).product();
            let exact = Enclosure::integer(product, 700).ln().unwrap();
            for bits in [64, 320] {
                let series = ln_factorial(n, bits).unwrap();
                assert!(series.lower() <= exact.lower(), "{n} {bits}");
                assert!(series.upper() >= exact.upper(), "{n} {bits}");
            }
        }
    }

    #[test]
    fn stirling_meets_the_product() {
        for n in [64u64, 65, 100, 500] {
            let product: BigInt = (2..=n).map(BigInt::from).product();
            let exact = Enclosure::integer(product, 200).ln().unwrap();
            let series = ln_factorial(n, 128).unwrap();
            assert!(
                series.meets(&exact) && series.has_digits(35),
                "{n}: {series}"
            );
        }
    }
}
