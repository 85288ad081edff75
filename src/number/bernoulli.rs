//! The Bernoulli numbers, for the series of Stirling and of Euler and Maclaurin.

use super::Rational;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::sync::OnceLock;

/// How many are kept.
const COUNT: usize = 32;

/// The Bernoulli numbers `B_2, B_4, ..., B_64`, computed once.
#[must_use]
pub fn bernoulli_numbers() -> &'static [Rational; COUNT] {
    static NUMBERS: OnceLock<[Rational; COUNT]> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let all = from_recurrence(2 * COUNT);
        std::array::from_fn(|index| all[2 * index + 2].clone())
    })
}

/// `B_0, ..., B_last`, each from those before: `sum over k <= n of binomial(n + 1, k) B_k = 0`.
fn from_recurrence(last: usize) -> Vec<Rational> {
    let mut numbers = vec![Rational::one()];
    for n in 1..=last {
        let mut sum = Rational::zero();
        let mut binomial = BigInt::one();
        for (k, number) in numbers.iter().enumerate() {
            sum += number * &binomial;
            binomial = binomial * (n + 1 - k) / (k + 1);
        }
        numbers.push(-sum / BigInt::from(n + 1));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::rational::ratio;
    use super::*;

    #[test]
    fn they_are_the_known_ones() {
        let numbers = bernoulli_numbers();
        assert_eq!(numbers[0], ratio(1, 6));
        assert_eq!(numbers[1], ratio(-1, 30));
        assert_eq!(numbers[9], ratio(-174_611, 330));
    }
}
