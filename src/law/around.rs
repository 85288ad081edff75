//! Noise around an exact integer or integer vector, as one law: what a release draws.
//!
//! Noise is never added to a value after the draw: the value is the centre of the law that is drawn. So whoever
//! watches the draws sees what the data decide, and the meter compares the centres of two datasets.

use crate::coins::{Coins, CoinsError, Divergence, GaussianShift, Law, Loss};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::gamma::squared_norm;
use crate::sample::{DiscreteGaussian, DiscreteLaplace, GammaNoise};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Additive noise on integer vectors: how it is drawn, and what it costs to move its centre.
pub trait Noise: Clone + PartialEq + Send + 'static {
    /// Noise for a vector of this many coordinates.
    ///
    /// # Errors
    /// Those of the coins; [`CoinsError::Parameter`] for noise of another fixed dimension.
    fn draw_vector<C: Coins>(
        &self,
        dimension: usize,
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError>;

    /// `Pr[noise = k]`.
    ///
    /// # Errors
    /// Those of the real functions.
    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError>;

    /// `ln(Pr[noise = k] / Pr[noise = l])`.
    ///
    /// # Errors
    /// Those of the real functions.
    fn loss_between(&self, k: &[BigInt], l: &[BigInt], bits: u32) -> Result<Loss, NumberError>;

    /// How far the noise around `shift`, which is not 0, is from the noise around 0.
    fn divergence_of(&self, shift: &[BigInt]) -> Divergence;

    /// About how large a coordinate usually is.
    fn usual_size(&self) -> BigInt;

    /// The law of `value + noise`.
    #[must_use]
    fn around(&self, value: impl Into<BigInt>) -> Around<Self> {
        Around {
            value: value.into(),
            noise: self.clone(),
        }
    }

    /// The law of `values + noise`, coordinate by coordinate.
    #[must_use]
    fn around_all(&self, values: impl IntoIterator<Item = impl Into<BigInt>>) -> AroundAll<Self> {
        AroundAll {
            values: values.into_iter().map(Into::into).collect(),
            noise: self.clone(),
        }
    }
}

impl Noise for DiscreteGaussian {
    fn draw_vector<C: Coins>(
        &self,
        dimension: usize,
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError> {
        (0..dimension).map(|_| coins.draw(self)).collect()
    }

    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
        product_of_coordinates(self, k, bits)
    }

    // The normalisers cancel: (|l|^2 - |k|^2) / (2 variance).
    fn loss_between(&self, k: &[BigInt], l: &[BigInt], _bits: u32) -> Result<Loss, NumberError> {
        let difference = squared_norm(l) - squared_norm(k);
        let twice = self.variance() * BigInt::from(2);
        Ok(Loss::Exact(Rational::from_integer(difference) / twice))
    }

    fn divergence_of(&self, shift: &[BigInt]) -> Divergence {
        Divergence::Gaussian(GaussianShift {
            squared: squared_norm(shift),
            moved: shift.iter().filter(|k| !k.is_zero()).count() as u64,
            variance: self.variance().clone(),
        })
    }

    fn usual_size(&self) -> BigInt {
        self.variance().ceil().to_integer().sqrt() + 1
    }
}

impl Noise for DiscreteLaplace {
    fn draw_vector<C: Coins>(
        &self,
        dimension: usize,
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError> {
        (0..dimension).map(|_| coins.draw(self)).collect()
    }

    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
        product_of_coordinates(self, k, bits)
    }

    // (|l|_1 - |k|_1) / scale
    fn loss_between(&self, k: &[BigInt], l: &[BigInt], _bits: u32) -> Result<Loss, NumberError> {
        let difference = absolute_sum(l) - absolute_sum(k);
        Ok(Loss::Exact(
            Rational::from_integer(difference) / self.scale(),
        ))
    }

    // Attained where the outcome is beyond both centres.
    fn divergence_of(&self, shift: &[BigInt]) -> Divergence {
        Divergence::Pure(Rational::from_integer(absolute_sum(shift)) / self.scale())
    }

    fn usual_size(&self) -> BigInt {
        self.scale().ceil().to_integer()
    }
}

impl Noise for GammaNoise {
    fn draw_vector<C: Coins>(
        &self,
        dimension: usize,
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError> {
        self.check_dimension(dimension)?;
        self.draw(coins)
    }

    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
        super::GammaLaw::new(self.clone())?.pmf(&k.to_vec(), bits)
    }

    // rate (|l| - |k|)
    fn loss_between(&self, k: &[BigInt], l: &[BigInt], bits: u32) -> Result<Loss, NumberError> {
        let norm = |k: &[BigInt]| Enclosure::integer(squared_norm(k), bits).sqrt();
        let loss = Enclosure::of(self.rate(), bits) * (norm(l)? - norm(k)?);
        Ok(Loss::Enclosed(loss))
    }

    // rate |shift|, by the triangle inequality; the root is rounded up.
    fn divergence_of(&self, shift: &[BigInt]) -> Divergence {
        let fine: BigInt = BigInt::one() << 120;
        let squared = squared_norm(shift) * &fine;
        let root = squared.sqrt();
        let root = if &root * &root == squared {
            root
        } else {
            root + 1
        };
        Divergence::Pure(self.rate() * Rational::new(root, fine.sqrt()))
    }

    fn usual_size(&self) -> BigInt {
        (self.rate().recip() * BigInt::from(self.dimension()))
            .ceil()
            .to_integer()
    }
}

fn absolute_sum(k: &[BigInt]) -> BigInt {
    k.iter().map(Signed::abs).sum()
}

fn product_of_coordinates(
    law: &impl Law<Outcome = BigInt>,
    k: &[BigInt],
    bits: u32,
) -> Result<Enclosure, NumberError> {
    k.iter().try_fold(Enclosure::integer(1, bits), |all, k| {
        Ok(all * law.pmf(k, bits)?)
    })
}

/// The law of an exact integer and noise. Made by [`Noise::around`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around<N> {
    /// The exact value.
    pub value: BigInt,
    /// The noise.
    pub noise: N,
}

impl<N: Noise + Law<Outcome = BigInt>> Law for Around<N> {
    type Outcome = BigInt;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
        Ok(&self.value + self.noise.sample(coins)?)
    }

    // Pr[value + noise = outcome] = Pr[noise = outcome - value]
    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        self.noise.pmf(&(outcome - &self.value), bits)
    }

    fn outcome(&self, index: u64) -> Option<BigInt> {
        Some(&self.value + self.noise.outcome(index)?)
    }

    fn loss(&self, other: &Self, outcome: &BigInt, bits: u32) -> Result<Loss, NumberError> {
        let outcome = vec![outcome.clone()];
        self.as_vector().loss(&other.as_vector(), &outcome, bits)
    }

    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        self.as_vector().divergence(&other.as_vector(), bits)
    }

    fn far_out<C: Coins>(&self, stretch: u32, coins: &mut C) -> Result<Option<BigInt>, CoinsError> {
        let far = self.as_vector().far_out(stretch, coins)?;
        Ok(far.and_then(|mut far| far.pop()))
    }
}

impl<N: Noise> Around<N> {
    fn as_vector(&self) -> AroundAll<N> {
        self.noise.around_all([self.value.clone()])
    }
}

/// The law of an exact integer vector and noise. Made by [`Noise::around_all`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AroundAll<N> {
    /// The exact values.
    pub values: Vec<BigInt>,
    /// The noise.
    pub noise: N,
}

impl<N: Noise> Law for AroundAll<N> {
    type Outcome = Vec<BigInt>;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, CoinsError> {
        let noise = self.noise.draw_vector(self.values.len(), coins)?;
        Ok(self.values.iter().zip(noise).map(|(x, y)| x + y).collect())
    }

    fn pmf(&self, outcome: &Vec<BigInt>, bits: u32) -> Result<Enclosure, NumberError> {
        if outcome.len() != self.values.len() {
            return Ok(Enclosure::integer(0, bits));
        }
        self.noise.pmf_of_vector(&self.noise_in(outcome), bits)
    }

    fn loss(&self, other: &Self, outcome: &Vec<BigInt>, bits: u32) -> Result<Loss, NumberError> {
        if outcome.len() != other.values.len() {
            return Ok(Loss::Infinite);
        }
        if self.noise != other.noise {
            return Loss::of_probabilities(&self.pmf(outcome, bits)?, &other.pmf(outcome, bits)?);
        }
        let (own, others) = (self.noise_in(outcome), other.noise_in(outcome));
        self.noise.loss_between(&own, &others, bits)
    }

    fn divergence(&self, other: &Self, _bits: u32) -> Result<Divergence, NumberError> {
        if self.noise != other.noise {
            return Ok(Divergence::Unbounded("the noise depends on the data"));
        }
        if self.values.len() != other.values.len() {
            return Ok(Divergence::Unbounded(
                "the number of values depends on the data",
            ));
        }
        let shift: Vec<BigInt> = self
            .values
            .iter()
            .zip(&other.values)
            .map(|(x, y)| x - y)
            .collect();
        Ok(self.noise.divergence_of(&shift))
    }

    /// Each coordinate `stretch` usual sizes from its centre, up or down.
    fn far_out<C: Coins>(
        &self,
        stretch: u32,
        coins: &mut C,
    ) -> Result<Option<Vec<BigInt>>, CoinsError> {
        let far = self.noise.usual_size() * stretch;
        let mut moved = |value: &BigInt| {
            Ok(match coins.bits(1)? {
                0 => value - &far,
                _ => value + &far,
            })
        };
        let outcome: Result<_, CoinsError> = self.values.iter().map(&mut moved).collect();
        Ok(Some(outcome?))
    }
}

impl<N> AroundAll<N> {
    /// The noise that makes the outcome.
    fn noise_in(&self, outcome: &[BigInt]) -> Vec<BigInt> {
        outcome
            .iter()
            .zip(&self.values)
            .map(|(y, x)| y - x)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use crate::sample::spherical_gaussian;

    fn gaussian(variance: Rational) -> DiscreteGaussian {
        DiscreteGaussian::new(variance).unwrap()
    }

    #[test]
    fn the_law_around_a_value_is_that_of_its_sampler() {
        let noise = gaussian(ratio(1, 2));
        let found = Explorer::new(Layer::Laws, 500)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| coins.draw(&noise.around(3)))
            .unwrap();
        assert!(found.disagreement(&noise.around(3)).unwrap().is_none());
        // Noise around another value is another law.
        assert!(found.disagreement(&noise.around(2)).unwrap().is_some());
    }

    #[test]
    fn each_coordinate_has_noise_of_its_own() {
        let noise = gaussian(integer(40));
        let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
        let released = coins[0].draw(&noise.around_all([5, -2, 5])).unwrap();
        let alone = spherical_gaussian(&noise, 3, &mut coins[1]).unwrap();
        let exact = [5, -2, 5].map(BigInt::from);
        let sums: Vec<_> = exact.iter().zip(&alone).map(|(x, y)| x + y).collect();
        assert_eq!(released, sums);
    }

    /// The exact loss of a family against the quotient of its probabilities, and its bound over many outcomes.
    fn losses_are_those_of_the_probabilities<N: Noise>(noise: &N, moved: [i64; 2]) {
        let (first, second) = (noise.around_all([0, 0]), noise.around_all(moved));
        let bound = match first.divergence(&second, 128).unwrap() {
            Divergence::Pure(bound) => Some(bound),
            Divergence::Gaussian(_) => None,
            other => panic!("{other:?}"),
        };
        let mut largest = Rational::zero();
        for a in -6..7 {
            for b in -6..7 {
                let outcome = vec![BigInt::from(a), BigInt::from(b)];
                let loss = first.loss(&second, &outcome, 128).unwrap();
                let (p, q) = (
                    first.pmf(&outcome, 128).unwrap(),
                    second.pmf(&outcome, 128).unwrap(),
                );
                let quotient = p.ln().unwrap() - q.ln().unwrap();
                let same = match &loss {
                    Loss::Exact(loss) => quotient.contains(loss),
                    Loss::Enclosed(loss) => quotient.meets(loss),
                    Loss::Infinite => false,
                };
                assert!(same, "{loss:?} {quotient}");
                largest = largest.max(loss.magnitude().unwrap());
            }
        }
        if let Some(bound) = bound {
            // Reached far out in the direction of the shift.
            assert!(
                largest <= bound && largest > &bound * ratio(9, 10),
                "{bound}"
            );
        }
    }

    #[test]
    fn losses_are_exact_and_bounded() {
        losses_are_those_of_the_probabilities(&gaussian(ratio(7, 2)), [1, -2]);
        let laplace = DiscreteLaplace::new(ratio(5, 3)).unwrap();
        losses_are_those_of_the_probabilities(&laplace, [1, -2]);
        let gamma = GammaNoise::new(ratio(3, 2), 2).unwrap();
        losses_are_those_of_the_probabilities(&gamma, [1, 1]);
    }

    #[test]
    fn other_noise_is_not_a_shift() {
        let (narrow, wide) = (gaussian(integer(1)), gaussian(integer(2)));
        let apart = narrow.around(0).divergence(&wide.around(0), 64).unwrap();
        assert!(matches!(apart, Divergence::Unbounded(_)));
        let longer = narrow
            .around_all([0])
            .loss(&narrow.around_all([0, 0]), &vec![0.into()], 64);
        assert_eq!(longer.unwrap(), Loss::Infinite);
    }
}
