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
//! real `T` is not in this library. [`GammaNoise::new`] refuses more than [`LARGEST_DIMENSION`] coordinates.

use crate::coins::{Coins, CoinsError, Law};
use crate::number::range::{above_zero, require};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use crate::sample::DiscreteLaplace;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The most coordinates: one draw in about 80 is accepted.
pub const LARGEST_DIMENSION: usize = 16;

/// Noise on `Z^d` with mass proportional to `exp(-rate |k|)`, `|k|` the l2 norm (ledger:
/// `lnsx25.gamma-lattice`).
#[derive(Debug, Clone)]
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
    /// [`CoinsError::Parameter`] unless `rate > 0` and `dimension` is 1 to [`LARGEST_DIMENSION`].
    pub fn new(rate: Rational, dimension: usize) -> Result<Self, CoinsError> {
        let of_this_law = |wrong| CoinsError::Parameter {
            law: "Gamma noise",
            wrong,
        };
        above_zero("rate", &rate).map_err(of_this_law)?;
        let right = (1..=LARGEST_DIMENSION).contains(&dimension);
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
            rate: &self.rate,
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

    /// `exp(-rate |k|)`.
    fn weight(&self, squared: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        decay(&self.rate, squared, &Rational::zero(), bits)
    }
}

fn squared_norm(k: &[BigInt]) -> BigInt {
    k.iter().map(|k| k * k).sum()
}

/// `exp(-rate (sqrt(squared) - less))`.
fn decay(
    rate: &Rational,
    squared: &BigInt,
    less: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let root = Enclosure::integer(squared.clone(), bits).sqrt()?;
    let exponent = Enclosure::of(rate, bits) * (root - Enclosure::of(less, bits));
    (-&exponent).exp()
}

/// True with probability `exp(-rate (sqrt(squared) - less))`, where `sqrt(squared) >= less`.
struct Acceptance<'a> {
    rate: &'a Rational,
    squared: BigInt,
    less: Rational,
}

impl Law for Acceptance<'_> {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<bool, CoinsError> {
        // Where the root is an integer the exponent is rational.
        let root = self.squared.sqrt();
        if &root * &root == self.squared {
            return coins.bernoulli_exp(&(self.rate * (Rational::from(root) - &self.less)));
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
        let accepted = decay(self.rate, &self.squared, &self.less, bits)?;
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

/// The law of [`GammaNoise`]: its probabilities, with the normaliser computed once.
#[derive(Debug, Clone)]
pub struct GammaLaw {
    noise: GammaNoise,
    normaliser: Enclosure,
    acceptance: Enclosure,
}

const BITS: u32 = 128;

impl GammaLaw {
    /// The law; its normaliser is a sum over a box, and a bound on the rest.
    ///
    /// With `q = exp(-rate r)` the mass `exp(-rate |k|)` is at most `prod q^|k_i|`, so that the rest is at most
    /// `T^d - S^d`, where `T` is the sum of `q^|k|` over all integers and `S` over the side of the box. The box
    /// is such that `q^side < e^-36`: about 15 digits. Slow for small rates in three dimensions and more.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn new(noise: GammaNoise) -> Result<Self, NumberError> {
        let d = noise.dimension as u64;
        // 1. The box |k_i| <= side.
        let decay = &noise.rate * &noise.share;
        let side = (Rational::from_integer(36.into()) / &decay).ceil();
        let side = side.to_integer().to_u64().unwrap_or(u64::MAX);
        // 2. How many points of the box have each squared norm.
        let mut counts = vec![BigUint::one()];
        for _ in 0..d {
            counts = add_a_coordinate(&counts, side);
        }
        // 3. The sum over the box.
        let mut inside = Enclosure::integer(0, BITS);
        for (squared, count) in counts.iter().enumerate() {
            if !count.is_zero() {
                let count = Enclosure::integer(BigInt::from(count.clone()), BITS);
                inside = inside + count * noise.weight(&squared.into(), BITS)?;
            }
        }
        // 4. The rest: T = (1 + q)/(1 - q) and S = T - 2 q^(side + 1)/(1 - q).
        let q = Enclosure::exp_of(&-&decay, BITS)?;
        let miss = q.complement();
        let all = (Enclosure::integer(1, BITS) + &q).divided_by(&miss)?;
        let missing = q.power(side + 1).shifted(1).divided_by(&miss)?;
        let rest = all.power(d) - (&all - &missing).power(d);
        let normaliser = Enclosure::new(inside.lo(), (&inside + &rest).hi(), BITS);
        // An attempt is accepted with probability (sum of masses) / (sum of the proposal's).
        let acceptance = normaliser.divided_by(&all.power(d))?;
        Ok(Self {
            noise,
            normaliser,
            acceptance,
        })
    }

    /// The noise.
    #[must_use]
    pub fn noise(&self) -> &GammaNoise {
        &self.noise
    }

    /// The probability that an attempt is accepted.
    #[must_use]
    pub fn acceptance(&self) -> &Enclosure {
        &self.acceptance
    }
}

/// How many points have each squared norm, with one coordinate of -side to side more.
fn add_a_coordinate(counts: &[BigUint], side: u64) -> Vec<BigUint> {
    let mut next = vec![BigUint::zero(); counts.len() + (side * side) as usize];
    for (squared, count) in counts.iter().enumerate() {
        if !count.is_zero() {
            next[squared] += count;
            for k in 1..=side {
                next[squared + (k * k) as usize] += count * 2u32;
            }
        }
    }
    next
}

impl Law for GammaLaw {
    type Outcome = Vec<BigInt>;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, CoinsError> {
        self.noise.draw(coins)
    }

    /// Known to about 15 digits, whatever `bits`.
    fn pmf(&self, outcome: &Vec<BigInt>, bits: u32) -> Result<Enclosure, NumberError> {
        if outcome.len() != self.noise.dimension {
            return Ok(Enclosure::integer(0, bits));
        }
        self.noise
            .weight(&squared_norm(outcome), bits)?
            .divided_by(&self.normaliser)
    }

    fn outcome(&self, index: u64) -> Option<Vec<BigInt>> {
        let d = self.noise.dimension as u32;
        // The points by their largest coordinate `shell`: (2 shell + 1)^d of them are within it.
        let within = |shell: u64| (2 * shell + 1).checked_pow(d);
        let shell = (0..).find(|&shell| within(shell).is_none_or(|count| index < count))?;
        let before = if shell == 0 { 0 } else { within(shell - 1)? };
        let point = |mut rank: u64| {
            let side = 2 * shell + 1;
            let coordinate = |_| {
                let digit = rank % side;
                rank /= side;
                BigInt::from(digit) - BigInt::from(shell)
            };
            (0..d).map(coordinate).collect::<Vec<_>>()
        };
        (0..within(shell)?)
            .map(point)
            .filter(|k| k.iter().any(|k| *k.magnitude() == shell.into()))
            .nth((index - before) as usize)
    }
}

/// The largest privacy loss `ln(Pr[k] / Pr[k - shift])` over the points `k` of a box around the origin,
/// for noise of this rate: an exact formula, `rate (|k - shift| - |k|)`, as an enclosure of its maximum.
///
/// # Errors
/// Those of the square root.
pub fn largest_loss(
    rate: &Rational,
    shift: &[i64],
    side: i64,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let mut points: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in shift {
        points = points
            .iter()
            .flat_map(|point| (-side..=side).map(|k| [&point[..], &[k]].concat()))
            .collect();
    }
    let norm = |k: &[i64]| {
        let squared: i64 = k.iter().map(|k| k * k).sum();
        Enclosure::integer(squared, bits).sqrt()
    };
    let mut largest = Enclosure::integer(0, bits);
    for k in points {
        let moved: Vec<i64> = k.iter().zip(shift).map(|(k, shift)| k - shift).collect();
        largest = largest.max(&(norm(&moved)? - norm(&k)?));
    }
    Ok(Enclosure::of(rate, bits) * largest)
}

/// The probability that an attempt is accepted on `R^d` for `d = 2 half`, which the lattice comes close to at
/// small rates: `2 pi^half Gamma(d) / (Gamma(half) (2 sqrt(d))^d)`.
#[must_use]
pub fn acceptance_in_the_limit(half: u64) -> Enclosure {
    let d = 2 * half;
    // Gamma(d) / Gamma(half) = half (half + 1) ... (d - 1), and (2 sqrt(d))^d = (4 d)^half.
    let mut value = Enclosure::integer(2, BITS);
    let pi = Enclosure::pi(BITS);
    for factor in half..d {
        let step = Enclosure::of(&Rational::new(factor.into(), (4 * d).into()), BITS);
        value = value * &pi * step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Attempts, ChaCha, Explorer, Layer};
    use crate::number::rational::{integer, ratio};

    fn noise(rate: Rational, dimension: usize) -> GammaNoise {
        GammaNoise::new(rate, dimension).unwrap()
    }

    #[test]
    fn in_one_dimension_it_is_the_discrete_laplace_law() {
        let law = GammaLaw::new(noise(ratio(2, 3), 1)).unwrap();
        let laplace = DiscreteLaplace::new(ratio(3, 2)).unwrap();
        for k in -20..20i64 {
            let k = BigInt::from(k);
            let ours = law.pmf(&vec![k.clone()], 128).unwrap();
            assert!(ours.meets(&laplace.pmf(&k, 128).unwrap()), "{k}");
        }
        assert!(law.acceptance().contains(&integer(1)));
    }

    #[test]
    fn attempts_have_the_law_in_the_plane() {
        let noise = noise(ratio(3, 2), 2);
        let attempt = Explorer::new(Layer::Laws, 3000)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| noise.attempt(coins))
            .unwrap();
        let attempts = Attempts::new(attempt);
        assert!(
            attempts.undecided() < ratio(1, 50),
            "{}",
            attempts.undecided()
        );
        let law = GammaLaw::new(noise).unwrap();
        assert!(attempts.disagreement(&law).unwrap().is_none());
        // The Gamma rate inverted: shape and *scale* for shape and *rate*.
        let inverted = GammaLaw::new(GammaNoise::new(ratio(2, 3), 2).unwrap()).unwrap();
        assert!(attempts.disagreement(&inverted).unwrap().is_some());
    }

    #[test]
    fn acceptance_is_decided_bit_by_bit_with_its_probability() {
        let rate = ratio(1, 2);
        let law = Acceptance {
            rate: &rate,
            squared: 2.into(),
            less: integer(1),
        };
        let found = Explorer::new(Layer::Bits, 80)
            .explore(|coins| law.sample(coins))
            .unwrap();
        assert!(found.disagreement(&law).unwrap().is_none());
        assert!(found.undecided < ratio(1, 1 << 20));
        let twin = Acceptance {
            rate: &rate,
            squared: 2.into(),
            less: integer(0),
        };
        assert!(found.disagreement(&twin).unwrap().is_some());
    }

    #[test]
    fn the_loss_is_at_most_epsilon_and_the_inverted_rate_is_caught() {
        let (epsilon, sensitivity) = (integer(1), integer(3));
        let right = GammaNoise::private(&epsilon, &sensitivity, 2).unwrap();
        for shift in [[3, 0], [2, 2], [0, -3], [1, 2]] {
            let loss = largest_loss(right.rate(), &shift, 8, 128).unwrap();
            assert!(!loss.is_above_rational(&epsilon), "{shift:?}: {loss}");
            let inverted = right.rate().recip();
            let loss = largest_loss(&inverted, &shift, 8, 128).unwrap();
            assert!(loss.is_above_rational(&integer(6)), "{shift:?}: {loss}");
        }
    }

    #[test]
    fn outcomes_are_listed_once_each() {
        let law = GammaLaw::new(noise(integer(4), 2)).unwrap();
        let mut listed: Vec<_> = (0..49).map(|index| law.outcome(index).unwrap()).collect();
        listed.sort();
        listed.dedup();
        assert_eq!(listed.len(), 49);
        assert!(listed.iter().flatten().all(|k| k.abs() <= 3.into()));
    }

    /// A thousand draws in five dimensions: on R^d the squared norm has mean 480 and variance 199680, so that
    /// by Chebyshev the mean of a thousand is within 80 of it with probability 0.96 (seed fixed).
    #[test]
    fn draws_in_five_dimensions_have_about_the_norm_of_the_gamma_law() {
        let noise = noise(ratio(1, 4), 5);
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
    fn the_acceptance_falls_by_a_quarter_a_dimension() {
        // d = 2: pi/4.
        let plane = acceptance_in_the_limit(1);
        assert!(plane.meets(&Enclosure::pi(128).shifted(-2)));
        let law = GammaLaw::new(noise(ratio(1, 4), 2)).unwrap();
        let gap = (&plane - law.acceptance()).abs();
        assert!(gap.is_below_rational(&ratio(1, 50)), "{gap}");
    }
}
