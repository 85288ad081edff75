//! The law of [`GammaNoise`].

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::GammaNoise;
use crate::sample::gamma::squared_norm;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// The law of [`GammaNoise`]: its probabilities, with the normaliser computed once.
#[derive(Debug, Clone, PartialEq)]
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
        let d = noise.dimension() as u64;
        // 1. The box |k_i| <= side.
        let decay = noise.rate() * noise.share();
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

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, CoinsError> {
        self.noise.draw(coins)
    }

    /// Known to about 15 digits, whatever `bits`.
    fn pmf(&self, outcome: &Vec<BigInt>, bits: u32) -> Result<Enclosure, NumberError> {
        if outcome.len() != self.noise.dimension() {
            return Ok(Enclosure::integer(0, bits));
        }
        self.noise
            .weight(&squared_norm(outcome), bits)?
            .divided_by(&self.normaliser)
    }

    fn outcome(&self, index: u64) -> Option<Vec<BigInt>> {
        let d = self.noise.dimension() as u32;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Explorer, Layer, RejectionLaw};
    use crate::number::rational::{integer, ratio};
    use crate::sample::DiscreteLaplace;
    use num_traits::Signed;

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
        // (1 + q)/(1 - q) to all bits: what is outside of the box counts on both sides.
        let q = Enclosure::exp_of(&ratio(-2, 3), 256).unwrap();
        let exact = (Enclosure::integer(1, 256) + &q).divided_by(&q.complement());
        let exact = exact.unwrap();
        assert!(law.normaliser.lower() <= exact.lower());
        assert!(law.normaliser.upper() >= exact.upper());
        assert!(law.acceptance().contains(&integer(1)));
    }

    #[test]
    fn attempts_have_the_law_in_the_plane() {
        let noise = noise(ratio(3, 2), 2);
        let attempt = Explorer::new(Layer::Laws, 3000)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| noise.attempt(coins))
            .unwrap();
        let attempts = RejectionLaw::new(attempt);
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
    fn outcomes_are_listed_once_each() {
        let law = GammaLaw::new(noise(integer(4), 2)).unwrap();
        let mut listed: Vec<_> = (0..49).map(|index| law.outcome(index).unwrap()).collect();
        listed.sort();
        listed.dedup();
        assert_eq!(listed.len(), 49);
        assert!(listed.iter().flatten().all(|k| k.abs() <= 3.into()));
    }

    #[test]
    fn points_are_counted_by_their_squared_norm() {
        let side = 3i64;
        let mut expected = vec![0u32; 19];
        for a in -side..=side {
            for b in -side..=side {
                expected[(a * a + b * b) as usize] += 1;
            }
        }
        let line = add_a_coordinate(&[BigUint::one()], 3);
        let plane = add_a_coordinate(&line, 3);
        assert_eq!(
            plane,
            expected.into_iter().map(BigUint::from).collect::<Vec<_>>()
        );
    }

    #[test]
    fn probabilities_add_up_to_one_with_what_the_box_leaves_out() {
        // Beyond 20 steps less than e^-78 is left; the law's own box has 13.
        let law = GammaLaw::new(noise(integer(4), 2)).unwrap();
        let at = |a: i64, b: i64| law.pmf(&vec![a.into(), b.into()], 128).unwrap();
        let mut sum = Enclosure::integer(0, 128);
        for a in -20..=20 {
            for b in -20..=20 {
                sum = sum + at(a, b);
            }
        }
        assert!(sum.contains(&integer(1)), "{sum}");
        assert!(at(0, 0).has_digits(15), "{}", at(0, 0));
        // Another number of coordinates is impossible.
        assert!(law.pmf(&vec![0.into()], 128).unwrap().hi().is_zero());
        assert_eq!(law.noise().dimension(), 2);
    }
}
