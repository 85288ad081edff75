//! Targets whose `alpha` has two values: enough to tell the printed cut `T = sqrt(N) |f|^2` of Lemmas 14 to 16 from
//! `T = sqrt(N) |f|`, exactly.

use dp_assay::number::range::{above_zero, above_zero_below_one, require};
use dp_assay::number::rational::integer;
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::random_features::RandomFeatureError;
use dp_assay::random_features::bounds::{BITS, of};
use dp_assay::stats::binomial;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// Where `alpha` is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// At `sqrt(N) |f|^2`, as printed.
    Printed,
    /// At `sqrt(N) |f|`.
    Corrected,
}

/// A target whose `alpha` is a real `size` with some probability, and 0 otherwise, looked at in `x = 0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoValued {
    features: u64,
    size: Rational,
    probability: Rational,
}

impl TwoValued {
    /// The target with these parameters, approximated by so many features `N`.
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] unless `features >= 1`, `size > 0` and `0 < probability < 1`.
    pub fn new(
        features: u64,
        size: Rational,
        probability: Rational,
    ) -> Result<Self, RandomFeatureError> {
        require(features >= 1, "features", &features, "at least 1")?;
        above_zero("size", &size)?;
        above_zero_below_one("probability", &probability)?;
        Ok(Self {
            features,
            size,
            probability,
        })
    }

    /// `|f|^2 = E alpha^2`.
    #[must_use]
    pub fn squared_norm(&self) -> Rational {
        &self.size * &self.size * &self.probability
    }

    /// Whether the large value is cut off, so that `f* = 0`.
    #[must_use]
    pub fn is_cut(&self, truncation: Truncation) -> bool {
        let norm = self.squared_norm();
        let squared_level = match truncation {
            Truncation::Printed => integer(self.features) * &norm * &norm,
            Truncation::Corrected => integer(self.features) * norm,
        };
        &self.size * &self.size > squared_level
    }

    /// `|f(0) - E f*(0)|^2`, exactly.
    #[must_use]
    pub fn squared_bias(&self, truncation: Truncation) -> Rational {
        if !self.is_cut(truncation) {
            return Rational::zero();
        }
        let value = &self.size * &self.probability;
        &value * &value
    }

    /// `Pr[|f*(0) - E f*(0)|^2 > factor |f|^2/N]`, the probability over the frequencies.
    ///
    /// With `k` of them where `alpha` is large this is `(k - N p)^2 > factor N p`.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn deviates(
        &self,
        truncation: Truncation,
        factor: &Enclosure,
    ) -> Result<Enclosure, RandomFeatureError> {
        let nothing = Enclosure::integer(0, BITS);
        if self.is_cut(truncation) {
            return Ok(nothing);
        }
        let mean = integer(self.features) * &self.probability;
        let reach = (factor * of(&mean)).sqrt()?;
        let above = self.at_least(&(of(&mean) + &reach))?;
        let below = of(&mean) - reach;
        if below.is_below_rational(&Rational::zero()) {
            return Ok(above);
        }
        Ok(above + self.at_most(&below)?)
    }

    /// `Pr[|c*|^2 > factor |f|^2/N]`: with `k` frequencies where `alpha` is large this is
    /// `k > factor N p`.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn norm_exceeds(
        &self,
        truncation: Truncation,
        factor: &Enclosure,
    ) -> Result<Enclosure, RandomFeatureError> {
        if self.is_cut(truncation) {
            return Ok(Enclosure::integer(0, BITS));
        }
        let mean = integer(self.features) * &self.probability;
        self.at_least(&(factor * of(&mean)))
    }

    /// `Pr[k > level]`, or an error if the enclosure of the level contains an integer.
    fn at_least(&self, level: &Enclosure) -> Result<Enclosure, RandomFeatureError> {
        let least = between_integers(level)? + BigInt::one();
        let Some(least) = least.to_u64().filter(|&k| k <= self.features) else {
            return Ok(Enclosure::integer(0, BITS));
        };
        Ok(binomial::upper_tail(
            self.features,
            least,
            &of(&self.probability),
        )?)
    }

    /// `Pr[k < level]`, likewise.
    fn at_most(&self, level: &Enclosure) -> Result<Enclosure, RandomFeatureError> {
        let most = between_integers(level)?;
        let most = most.to_u64().unwrap_or(u64::MAX);
        Ok(binomial::lower_tail(
            self.features,
            most,
            &of(&self.probability),
        )?)
    }
}

/// The integer below a level that is strictly between two integers.
fn between_integers(level: &Enclosure) -> Result<BigInt, NumberError> {
    let below = level.lo().floor();
    if below == level.hi().floor() && level.is_above_rational(&integer(below.clone())) {
        return Ok(below);
    }
    Err(NumberError::PrecisionExhausted {
        digits: 1,
        bits: BITS,
    })
}

/// The quantifiers of (14) and (15): with `n` points and one that is drawn uniformly, a function that is
/// `sqrt(n)` there and 0 elsewhere reaches 1 at each fixed point with probability `1/n`, but its mean
/// square reaches 1 always. Returns the probability at the worst point, and that of a mean square of 1
/// or more, both by enumeration. (At most some `t < 1` in absolute value is the same event as below 1.)
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `points >= 2`.
pub fn pointwise_and_in_the_mean(points: u64) -> Result<(Rational, Rational), RandomFeatureError> {
    require(points >= 2, "points", &points, "at least 2")?;
    let mut exceeds = vec![0u64; usize::try_from(points).unwrap_or(usize::MAX)];
    let mut mean_square_reaches_one = 0u64;
    for drawn in 0..points {
        // The squares of the values: n at the point that is drawn.
        let square = |point| if point == drawn { points } else { 0 };
        for (point, count) in (0..points).zip(&mut exceeds) {
            *count += u64::from(square(point) >= 1);
        }
        let sum: u64 = (0..points).map(square).sum();
        mean_square_reaches_one += u64::from(sum >= points);
    }
    let share = |count: u64| Rational::new(count.into(), points.into());
    let worst = exceeds.into_iter().max().unwrap_or(0);
    Ok((share(worst), share(mean_square_reaches_one)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    fn target(features: u64, size: Rational, probability: Rational) -> TwoValued {
        TwoValued::new(features, size, probability).unwrap()
    }

    #[test]
    fn the_printed_cut_loses_the_whole_target() {
        let small = target(100, ratio(1, 10), ratio(1, 20));
        let allowed = small.squared_norm() / integer(100);
        assert!(small.is_cut(Truncation::Printed) && !small.is_cut(Truncation::Corrected));
        assert_eq!(
            small.squared_bias(Truncation::Printed),
            &allowed * integer(5)
        );
        assert_eq!(small.squared_bias(Truncation::Corrected), integer(0));
    }

    #[test]
    fn the_printed_cut_keeps_what_is_too_large() {
        let failure = ratio(1, 10_000);
        let large = target(1, integer(10_000), ratio(15, 100_000));
        let log = of(&(integer(2) / &failure)).ln().unwrap();
        let factor = log.squared().shifted(5) + log.shifted(2);
        let printed = large.deviates(Truncation::Printed, &factor).unwrap();
        assert!(printed.is_above_rational(&failure));
        let corrected = large.deviates(Truncation::Corrected, &factor).unwrap();
        assert_eq!(corrected.upper(), integer(0));
    }

    #[test]
    fn deviations_are_counted_on_both_sides() {
        // k = 0, ..., 4 fair coins: |k - 2| > sqrt(1.5 * 2) is k = 0 or 4.
        let coins = target(4, integer(1), ratio(1, 2));
        let found = coins
            .deviates(Truncation::Corrected, &of(&ratio(3, 2)))
            .unwrap();
        assert!(found.contains(&ratio(1, 8)) && found.has_digits(20));
        let found = coins
            .norm_exceeds(Truncation::Corrected, &of(&ratio(7, 4)))
            .unwrap();
        assert!(found.contains(&ratio(1, 16)));
    }

    #[test]
    fn what_is_rare_at_each_point_can_be_certain_in_the_mean() {
        assert_eq!(
            pointwise_and_in_the_mean(20).unwrap(),
            (ratio(1, 20), integer(1))
        );
        assert!(pointwise_and_in_the_mean(1).is_err());
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(TwoValued::new(0, integer(1), ratio(1, 2)).is_err());
        assert!(TwoValued::new(1, integer(0), ratio(1, 2)).is_err());
        assert!(TwoValued::new(1, integer(1), integer(1)).is_err());
    }
}
