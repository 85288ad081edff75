//! The Bernoulli numbers, for the series of Stirling and of Euler and Maclaurin.

use super::Rational;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The Bernoulli numbers `B_2, B_4, ..., B_(2 count)`, from their recurrence.
#[must_use]
pub fn bernoulli_numbers(count: usize) -> Vec<Rational> {
    let mut numbers = vec![Rational::one()];
    for n in 1..=2 * count {
        // sum over k <= n of binomial(n + 1, k) B_k = 0
        let mut sum = Rational::zero();
        let mut binomial = BigInt::one();
        for (k, number) in numbers.iter().enumerate() {
            sum += number * &binomial;
            binomial = binomial * (n + 1 - k) / (k + 1);
        }
        numbers.push(-sum / BigInt::from(n + 1));
    }
    numbers.into_iter().skip(2).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rational::ratio;
    use super::*;

    #[test]
    fn they_are_the_known_ones() {
        let numbers = bernoulli_numbers(30);
        assert_eq!(numbers[0], ratio(1, 6));
        assert_eq!(numbers[1], ratio(-1, 30));
        assert_eq!(numbers[9], ratio(-174_611, 330));
        assert_eq!(numbers.len(), 30);
    }
}
