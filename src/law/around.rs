//! Noise around an exact integer or integer vector, as one law: what a release draws.
//!
//! Noise is never added to a value after the draw: the value is the centre of the law that is drawn. So whoever
//! watches the draws sees what the data decide, and the meter compares the centres of two datasets.

use crate::coins::{Coins, CoinsError, Divergence, GaussianShift, Law, Loss};
use crate::number::root::ceil_sqrt;
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::gamma::squared_norm;
use crate::sample::{DiscreteGaussian, DiscreteLaplace, GammaNoise};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Additive noise on integer vectors: how it is drawn, and what it costs to move its centre.
pub trait Noise: Clone + PartialEq + Send + 'static {
    /// Whether the library has this noise: see [`Law`].
    #[doc(hidden)]
    fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
        false
    }

    /// Noise for a vector of this many coordinates.
    ///
    /// # Errors
    /// Those of the coins; [`CoinsError::Parameter`] for noise of another fixed dimension.
    fn draw_vector<C: Coins>(
        &self,
        dimension: usize,
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError>;

    /// Makes of exact `values` what is released of them: the same with noise, by the coins of [`Noise::draw_vector`].
    ///
    /// # Errors
    /// Those of `draw_vector`.
    fn add_to<C: Coins>(&self, values: &mut [BigInt], coins: &mut C) -> Result<(), CoinsError> {
        let noise = self.draw_vector(values.len(), coins)?;
        for (value, noise) in values.iter_mut().zip(noise) {
            *value += noise;
        }
        Ok(())
    }

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
    fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

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
    fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

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
    fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

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
        Divergence::Pure(self.rate() * Rational::new(ceil_sqrt(&squared), fine.sqrt()))
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

    fn is_of_the_library(&self, seal: crate::coins::Seal) -> bool {
        self.noise.is_noise_of_the_library(seal)
    }

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

    fn moved(&self, slack: &BigInt) -> Option<Self> {
        Some(self.noise.around(&self.value + slack))
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

    fn is_of_the_library(&self, seal: crate::coins::Seal) -> bool {
        self.noise.is_noise_of_the_library(seal)
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, CoinsError> {
        let mut released = self.values.clone();
        self.noise.add_to(&mut released, coins)?;
        Ok(released)
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
    use crate::coins::{ChaCha, Explorer, Layer, Tape};
    use crate::number::rational::{integer, ratio};
    use crate::sample::spherical_gaussian;

    fn gaussian(variance: Rational) -> DiscreteGaussian {
        DiscreteGaussian::new(variance).unwrap()
    }

    fn laplace(scale: Rational) -> DiscreteLaplace {
        DiscreteLaplace::new(scale).unwrap()
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

    /// The released vector less the exact one is what `alone` draws of the same coins.
    fn releases_the_sum<N: Noise>(
        noise: &N,
        alone: impl Fn(&mut ChaCha) -> Result<Vec<BigInt>, CoinsError>,
    ) {
        let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
        let released = coins[0].draw(&noise.around_all([5, -2, 5])).unwrap();
        let alone = alone(&mut coins[1]).unwrap();
        let exact = [5, -2, 5].map(BigInt::from);
        let sums: Vec<_> = exact.iter().zip(&alone).map(|(x, y)| x + y).collect();
        assert_eq!(released, sums);
        assert_eq!(coins[0].consumed(), coins[1].consumed());
    }

    #[test]
    fn each_coordinate_has_noise_of_its_own() {
        let noise = gaussian(integer(40));
        releases_the_sum(&noise, |coins| spherical_gaussian(&noise, 3, coins));
        let noise = laplace(integer(7));
        releases_the_sum(&noise, |coins| (0..3).map(|_| coins.draw(&noise)).collect());
        let noise = GammaNoise::new(ratio(1, 3), 3).unwrap();
        releases_the_sum(&noise, |coins| noise.draw(coins));
        // Gamma noise has one dimension only.
        let released = ChaCha::reproducible(1, 0).draw(&noise.around_all([5, -2]));
        assert!(matches!(released, Err(CoinsError::Parameter { .. })));
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
        losses_are_those_of_the_probabilities(&laplace(ratio(5, 3)), [1, -2]);
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

    #[test]
    fn a_shift_costs_by_its_length() {
        let shift = [3, 0, -4].map(BigInt::from);
        let expected = Divergence::Gaussian(GaussianShift {
            squared: 25.into(),
            moved: 2,
            variance: ratio(7, 2),
        });
        assert_eq!(gaussian(ratio(7, 2)).divergence_of(&shift), expected);
        // 7 / (5/3), and 5 times 1/2.
        let of_laplace = laplace(ratio(5, 3)).divergence_of(&shift);
        assert_eq!(of_laplace, Divergence::Pure(ratio(21, 5)));
        let gamma = GammaNoise::new(ratio(1, 2), 3).unwrap();
        assert_eq!(gamma.divergence_of(&shift), Divergence::Pure(ratio(5, 2)));
        // A length that is no integer is rounded up, by little: here sqrt 2.
        let Divergence::Pure(twice) = gamma.divergence_of(&[1, 0, 1].map(BigInt::from)) else {
            panic!("Gamma noise is pure");
        };
        let squared = twice.pow(2) * BigInt::from(4);
        assert!(squared > integer(2) && squared < integer(2) + ratio(1, 1 << 50));
    }

    #[test]
    fn usual_sizes_are_about_those_of_the_noise() {
        for (variance, size) in [(ratio(1, 2), 2), (integer(9), 4), (integer(10), 4)] {
            assert_eq!(gaussian(variance).usual_size(), size.into());
        }
        assert_eq!(laplace(ratio(7, 2)).usual_size(), 4.into());
        // 5 coordinates at rate 1/3.
        let gamma = GammaNoise::new(ratio(1, 3), 5).unwrap();
        assert_eq!(gamma.usual_size(), 15.into());
    }

    #[test]
    fn far_out_every_coordinate_is_so_many_usual_sizes_up_or_down() {
        // The usual size is 4, and the coins say down, up, up.
        let law = laplace(ratio(7, 2)).around_all([5, -5, 0]);
        let far = law.far_out(3, &mut Tape::written("011")).unwrap();
        assert_eq!(far, Some([-7, 7, 12].map(BigInt::from).to_vec()));
        let law = laplace(ratio(7, 2)).around(5);
        let far = [0, 1].map(|bit| law.far_out(3, &mut Tape::new(vec![bit == 1])).unwrap());
        assert_eq!(far, [Some((-7).into()), Some(17.into())]);
    }

    #[test]
    fn around_a_value_outcomes_and_losses_are_moved_by_it() {
        let noise = laplace(integer(5));
        let (first, second) = (noise.around(3), noise.around(1));
        let outcomes = (0..4).map_while(|index| first.outcome(index));
        assert!(outcomes.eq([3, 4, 2, 5].map(BigInt::from)));
        // (|4 - 1| - |4 - 3|) / 5 and (|1 - 1| - |1 - 3|) / 5
        let loss = |outcome: i64| first.loss(&second, &outcome.into(), 64).unwrap();
        assert_eq!(
            (loss(4), loss(1)),
            (Loss::Exact(ratio(2, 5)), Loss::Exact(ratio(-2, 5)))
        );
        let divergence = first.divergence(&second, 64).unwrap();
        assert_eq!(divergence, Divergence::Pure(ratio(2, 5)));
    }

    #[test]
    fn a_vector_of_another_length_is_impossible() {
        let noise = gaussian(integer(1));
        let (short, long) = (noise.around_all([0]), noise.around_all([0, 0]));
        let outcome = vec![BigInt::zero()];
        assert!(long.pmf(&outcome, 64).unwrap().hi().is_zero());
        assert!(short.pmf(&outcome, 64).unwrap().lo().is_positive());
        let divergence = short.divergence(&long, 64).unwrap();
        let says = "the number of values depends on the data";
        assert_eq!(divergence, Divergence::Unbounded(says));
    }

    #[test]
    fn with_other_noise_the_loss_is_that_of_the_probabilities() {
        // Pr[0] of one value, squared for two.
        let [narrow, wide] = [integer(1), integer(2)].map(laplace);
        let outcome = vec![BigInt::zero(), BigInt::zero()];
        let loss = narrow
            .around_all([0, 0])
            .loss(&wide.around_all([0, 0]), &outcome, 128);
        let Loss::Enclosed(loss) = loss.unwrap() else {
            panic!("normalisers do not cancel");
        };
        let of_zero = |law: &DiscreteLaplace| law.pmf(&0.into(), 128).unwrap().ln().unwrap();
        let expected = (of_zero(&narrow) - of_zero(&wide)).shifted(1);
        assert!(
            loss.meets(&expected) && loss.has_digits(30),
            "{loss} {expected}"
        );
    }
}
