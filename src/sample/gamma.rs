//! The Gamma mechanism on the integer lattice, exactly, in low dimension.
//!
//! On `R^d` noise `b` of density proportional to `exp(-xi |b|)`, with `xi = epsilon / Delta`, makes a query of
//! l2 sensitivity `Delta` (epsilon, 0)-private: the ratio of two densities is at most
//! `exp(xi ||o - q'| - |o - q||) <= exp(xi |q - q'|)`. On the lattice `Z^d` the same noise, with *mass*
//! proportional to `exp(-xi |k|)`, does the same for a query on the lattice: a shift by a lattice vector maps
//! the lattice on itself, so that both laws have one normaliser, and the inequality is the same.
//!
//! The name: on `R^d` the norm of `b` has the Gamma law of shape `d` and *rate* `xi`.
//!
//! # The dimension
//! A draw is a product of discrete Laplace draws, accepted with a probability of about `0.76^d`: exact,
//! and hopeless for `d = 2 N` in the thousands. There the law is a mixture of products of discrete
//! Gaussians, as `exp(-xi sqrt(s))` is the mean of `exp(-s T)` over a Lévy law of `T`; an exact draw of that
//! real `T` is not in this library. [`GammaNoise::new`] refuses more than [`LARGEST_GAMMA_DIMENSION`] coordinates.

use super::DiscreteLaplace;
use crate::coins::{Coins, CoinsError, Law};
use crate::number::range::{above_zero, require};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The most coordinates: one draw in about 80 is accepted.
pub const LARGEST_GAMMA_DIMENSION: usize = 16;

/// Noise on `Z^d` with mass proportional to `exp(-rate |k|)`, `|k|` the l2 norm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GammaNoise {
    rate: Rational,
    dimension: usize,
    // r <= 1/sqrt(d), a rational.
    share: Rational,
    proposal: DiscreteLaplace,
}

impl GammaNoise {
    /// The noise of this rate, for each step of the lattice.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `rate > 0` and `dimension` is 1 to [`LARGEST_GAMMA_DIMENSION`].
    pub fn new(rate: Rational, dimension: usize) -> Result<Self, CoinsError> {
        let of_this_law = |wrong| CoinsError::Parameter {
            law: "Gamma noise",
            wrong,
        };
        above_zero("rate", &rate).map_err(of_this_law)?;
        let right = (1..=LARGEST_GAMMA_DIMENSION).contains(&dimension);
        require(right, "dimension", &dimension, "1 to 16").map_err(of_this_law)?;
        // r = floor(2^20 / sqrt(d)) / 2^20, exact where d is 1, 4 or 16.
        let squared = (1u64 << 40) / dimension as u64;
        let share = Rational::new(squared.isqrt().into(), (1u64 << 20).into());
        let proposal = DiscreteLaplace::new((&rate * &share).recip())?;
        Ok(Self {
            rate,
            dimension,
            share,
            proposal,
        })
    }

    /// The noise with which a query on the lattice of this l2 sensitivity is `(epsilon, 0)`-private, under
    /// the relation for which the sensitivity is meant: rate `epsilon / sensitivity`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless both are above 0, and those of [`Self::new`].
    pub fn private(
        epsilon: &Rational,
        sensitivity: &Rational,
        dimension: usize,
    ) -> Result<Self, CoinsError> {
        above_zero("sensitivity", sensitivity).map_err(|wrong| CoinsError::Parameter {
            law: "Gamma noise",
            wrong,
        })?;
        Self::new(epsilon / sensitivity, dimension)
    }

    /// The rate.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// The number of coordinates.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// One attempt: `None` if rejected.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<Vec<BigInt>>, CoinsError> {
        // 1. Independent discrete Laplace coordinates: mass proportional to exp(-rate r |k|_1).
        let mut k = Vec::with_capacity(self.dimension);
        for _ in 0..self.dimension {
            k.push(coins.draw(&self.proposal)?);
        }
        // 2. Accepted with probability exp(-rate (|k| - r |k|_1)); |k| >= |k|_1 / sqrt(d) >= r |k|_1.
        let accepted = coins.draw(&Acceptance {
            rate: self.rate.clone(),
            squared: squared_norm(&k),
            less: &self.share * k.iter().map(|k| k.abs()).sum::<BigInt>(),
        })?;
        Ok(accepted.then_some(k))
    }

    /// Draws a vector: attempts until one is accepted.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<Vec<BigInt>, CoinsError> {
        loop {
            if let Some(k) = self.attempt(coins)? {
                return Ok(k);
            }
        }
    }

    /// # Errors
    /// [`CoinsError::Parameter`] for another dimension than that of the noise.
    pub(crate) fn check_dimension(&self, dimension: usize) -> Result<(), CoinsError> {
        let expected = "that of the noise";
        require(
            dimension == self.dimension,
            "dimension",
            &dimension,
            expected,
        )
        .map_err(|wrong| CoinsError::Parameter {
            law: "Gamma noise",
            wrong,
        })
    }

    /// A rational `r <= 1/sqrt(d)`: the mass is at most `exp(-rate r |k|_1)`.
    pub(crate) fn share(&self) -> &Rational {
        &self.share
    }

    /// `exp(-rate |k|)`, for the square of `|k|`.
    pub(crate) fn weight(&self, squared: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        decay(&self.rate, squared, &Rational::zero(), bits)
    }
}

pub(crate) fn squared_norm(k: &[BigInt]) -> BigInt {
    k.iter().map(|k| k * k).sum()
}

/// `exp(-rate (sqrt(squared) - less))`, where `sqrt(squared) >= less`: so no enclosure of the difference reaches below 0,
/// where a large rate would take it beyond the range of the exponential.
fn decay(
    rate: &Rational,
    squared: &BigInt,
    less: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let root = Enclosure::integer(squared.clone(), bits).sqrt()?;
    let difference = (root - Enclosure::of(less, bits)).max(&Enclosure::integer(0, bits));
    (-(Enclosure::of(rate, bits) * difference)).exp()
}

/// True with probability `exp(-rate (sqrt(squared) - less))`, where `sqrt(squared) >= less`.
#[derive(Debug, Clone, PartialEq)]
struct Acceptance {
    rate: Rational,
    squared: BigInt,
    less: Rational,
}

impl Law for Acceptance {
    type Outcome = bool;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<bool, CoinsError> {
        // Where the root is an integer the exponent is rational.
        let root = self.squared.sqrt();
        if &root * &root == self.squared {
            return coins.bernoulli_exp(&(&self.rate * (Rational::from(root) - &self.less)));
        }
        // Otherwise a uniform number is drawn bit by bit, until it lies certainly on one side of the
        // probability. After j bits that is undecided with probability about 2^-j.
        let mut precision = 64;
        let mut probability = self.pmf(&true, precision)?;
        let mut drawn = BigInt::zero();
        let mut digits: u32 = 0;
        loop {
            // The uniform number is in [drawn / 2^digits, (drawn + 1) / 2^digits).
            if *probability.lo() >= Dyadic::new(&drawn + 1, -i64::from(digits)) {
                return Ok(true);
            }
            if *probability.hi() <= Dyadic::new(drawn.clone(), -i64::from(digits)) {
                return Ok(false);
            }
            drawn = (drawn << 1u32) + coins.bits(1)?;
            digits += 1;
            if digits + 32 > precision {
                precision *= 2;
                probability = self.pmf(&true, precision)?;
            }
        }
    }

    fn pmf(&self, outcome: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        let accepted = decay(&self.rate, &self.squared, &self.less, bits)?;
        Ok(if *outcome {
            accepted.min(&Enclosure::integer(1, bits))
        } else {
            accepted.complement().max(&Enclosure::integer(0, bits))
        })
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        [true, false].get(index as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Choice, Explorer, Layer, Tape};
    use crate::number::rational::{integer, ratio};

    #[test]
    fn acceptance_is_decided_bit_by_bit_with_its_probability() {
        let rate = ratio(1, 2);
        let law = Acceptance {
            rate: rate.clone(),
            squared: 2.into(),
            less: integer(1),
        };
        let found = Explorer::new(Layer::Bits, 80)
            .explore(|coins| law.sample(coins))
            .unwrap();
        assert!(found.disagreement(&law).unwrap().is_none());
        assert!(found.undecided < ratio(1, 1 << 20));
        let twin = Acceptance {
            rate: rate.clone(),
            squared: 2.into(),
            less: integer(0),
        };
        assert!(found.disagreement(&twin).unwrap().is_some());
    }

    #[test]
    fn no_rate_takes_acceptance_beyond_the_exponential() {
        // sqrt(c^2 + (c + 1)^2 + ...) is above the half of the sum by 3/(16 c): at 64 bits that is not told from 0.
        let c = BigInt::from(10).pow(12);
        let vector = [c.clone(), c.clone(), c.clone(), &c + 1];
        let law = Acceptance {
            rate: Rational::from_integer(BigInt::from(10).pow(40)),
            squared: squared_norm(&vector),
            less: ratio(1, 2) * vector.iter().sum::<BigInt>(),
        };
        assert!(law.pmf(&true, 64).unwrap().contains(&integer(0)));
        // At 128 bits it is, and then the probability is nearly 0.
        let mut tape = Tape::written(&"1".repeat(100));
        assert_eq!((law.sample(&mut tape), tape.consumed()), (Ok(false), 33));
    }

    /// A thousand draws in five dimensions: on R^d the squared norm has mean 480 and variance 199680, so that
    /// by Chebyshev the mean of a thousand is within 80 of it with probability 0.96 (seed fixed).
    #[test]
    fn draws_in_five_dimensions_have_about_the_norm_of_the_gamma_law() {
        let noise = GammaNoise::new(ratio(1, 4), 5).unwrap();
        let mut coins = ChaCha::reproducible(7, 0);
        let sum: BigInt = (0..1000)
            .map(|_| squared_norm(&noise.draw(&mut coins).unwrap()))
            .sum();
        // On R^d: E |b|^2 = d (d + 1) / rate^2 = 480.
        let mean = Rational::new(sum, 1000.into());
        assert!(mean > integer(400) && mean < integer(560), "{mean}");
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(GammaNoise::new(integer(0), 2).is_err());
        assert!(GammaNoise::new(integer(1), 0).is_err());
        assert!(GammaNoise::new(integer(1), 17).is_err());
        assert!(GammaNoise::private(&integer(1), &integer(0), 2).is_err());
    }

    #[test]
    fn where_the_norm_is_an_integer_one_exponential_coin_decides() {
        for (squared, less, exponent) in [
            (0, 0, integer(0)),
            (4, 0, integer(1)),
            (9, 0, ratio(3, 2)),
            (9, 1, integer(1)),
        ] {
            let law = Acceptance {
                rate: ratio(1, 2),
                squared: squared.into(),
                less: integer(less),
            };
            let found = Explorer::new(Layer::BernoulliExp, 10)
                .explore(|coins| law.sample(coins))
                .unwrap();
            assert!(found.drawn.iter().eq([&Choice::BernoulliExp(exponent)]));
            assert!(found.disagreement(&law).unwrap().is_none());
        }
    }

    #[test]
    fn a_number_close_to_the_probability_is_decided_once_that_is_sharp_enough() {
        // The rate ln 2 / (sqrt 2 - 1), rounded down to 90 binary digits: accepted with probability 1/2 and about
        // 2^-91, which at 64 bits is not told from 1/2.
        let rate = Rational::new(
            2_071_575_452_568_196_515_350_392_613u128.into(),
            BigInt::from(2).pow(90),
        );
        let law = Acceptance {
            rate,
            squared: 2.into(),
            less: integer(1),
        };
        let mut tape = Tape::written(&format!("0{}", "1".repeat(100)));
        assert_eq!(law.sample(&mut tape), Ok(true));
        // 32 bits before the bounds are spent they are computed again, to 128 bits.
        assert_eq!(tape.consumed(), 64 - 32 + 1);
    }

    #[test]
    fn acceptance_numbers_both_of_its_outcomes() {
        let law = Acceptance {
            rate: ratio(1, 2),
            squared: 2.into(),
            less: integer(1),
        };
        let outcomes = (0..).map_while(|index| law.outcome(index));
        assert!(outcomes.eq([true, false]));
    }

    #[test]
    fn the_rate_is_epsilon_over_the_sensitivity() {
        let noise = GammaNoise::private(&integer(3), &integer(2), 4).unwrap();
        assert_eq!((noise.rate(), noise.dimension()), (&ratio(3, 2), 4));
    }

    #[test]
    fn the_share_is_just_below_one_over_the_root_of_the_dimension() {
        for dimension in 1..=LARGEST_GAMMA_DIMENSION {
            let noise = GammaNoise::new(integer(1), dimension).unwrap();
            let times = |share: Rational| &share * &share * BigInt::from(dimension);
            assert!(times(noise.share().clone()) <= integer(1), "{dimension}");
            assert!(
                times(noise.share() + ratio(1, 1 << 20)) > integer(1),
                "{dimension}"
            );
        }
        let of_four = GammaNoise::new(integer(1), 4).unwrap();
        assert_eq!(*of_four.share(), ratio(1, 2));
    }

    #[test]
    fn another_dimension_than_that_of_the_noise_is_refused() {
        let noise = GammaNoise::new(integer(1), 2).unwrap();
        for dimension in [1, 2, 3] {
            assert_eq!(noise.check_dimension(dimension).is_ok(), dimension == 2);
        }
    }

    #[test]
    fn the_probability_of_acceptance_falls_with_the_norm_beyond_what_was_proposed() {
        let law = Acceptance {
            rate: ratio(1, 2),
            squared: 2.into(),
            less: integer(1),
        };
        // e^(-(sqrt 2 - 1) / 2) = 0.81293...
        let accepted = law.pmf(&true, 64).unwrap();
        assert!(accepted.is_above_rational(&ratio(81_293, 100_000)));
        assert!(accepted.is_below_rational(&ratio(81_294, 100_000)));
        let rejected = law.pmf(&false, 64).unwrap();
        assert!((accepted + rejected).contains(&integer(1)));
    }
}
