//! The noise of the real line, added to an exact value and rounded to a grid.

use super::drawn::CHUNK;
use super::real::{Cells, Target, is_within_reach, power_of_two};
use super::real::{Place, Real};
use crate::coins::{Coins, CoinsError, Divergence, Law};
use crate::number::range::{above_zero, require};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Signed;

/// Laplace noise of the real line, rounded to the multiples of a step (ledger: `sample.rounded-laplace`).
///
/// `round((value + X) / step)` for a real `X` with density `e^(-|x|/scale) / (2 scale)`: as rounding is done after the
/// noise, a release is `(D / scale, 0)`-differentially private for a value that moves by at most `D` between neighbours,
/// as the ideal mechanism is. `X` is not computed: so many of its digits are drawn as the rounding takes.
#[derive(Debug, Clone)]
pub struct RoundedLaplace {
    scale: Rational,
    step: Rational,
    cells: Cells,
}

/// Gaussian noise of the real line, rounded to the multiples of a step (ledger: `sample.rounded-gaussian`).
///
/// `round((value + X) / step)` for a real Gaussian `X` of the given variance: a release is `D^2 / (2 variance)`-zCDP for a value that
/// moves by at most `D`, and has the privacy profile of the ideal mechanism or a better one.
#[derive(Debug, Clone)]
pub struct RoundedGaussian {
    variance: Rational,
    step: Rational,
    cells: Cells,
}

/// Noise of the real line that is rounded to the multiples of a step.
pub trait RealNoise: Clone + PartialEq + Send + 'static {
    /// Whether the library has this noise: see [`Law`].
    #[doc(hidden)]
    fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
        false
    }

    /// The step of the grid.
    fn step(&self) -> &Rational;

    /// The probability that the noise lies between two numbers, the first one smaller.
    ///
    /// # Errors
    /// Those of the real functions.
    fn between(
        &self,
        least: &Rational,
        most: &Rational,
        bits: u32,
    ) -> Result<Enclosure, NumberError>;

    /// Fills `out` with independent releases of `value`, as multiples of the step.
    ///
    /// # Errors
    /// Those of the coins; [`CoinsError::TooLarge`] if one does not fit.
    fn fill<C: Coins>(
        &self,
        value: &Rational,
        coins: &mut C,
        out: &mut [i64],
    ) -> Result<(), CoinsError>;

    /// Releases `value`, as a multiple of the step.
    ///
    /// # Errors
    /// Those of the coins.
    fn draw_around<C: Coins>(&self, value: &Rational, coins: &mut C) -> Result<BigInt, CoinsError>;

    /// How far releases of two values are apart.
    fn divergence_between(&self, first: &Rational, second: &Rational) -> Divergence;

    /// The law of a release of `value`.
    #[must_use]
    fn around(&self, value: Rational) -> Rounded<Self> {
        Rounded {
            noise: self.clone(),
            value,
        }
    }
}

/// Checks a scale or variance and a step: `squared` is the scale in steps, squared.
fn check(
    law: &'static str,
    parameter: &'static str,
    value: &Rational,
    step: &Rational,
    squared: impl FnOnce() -> Rational,
) -> Result<(), CoinsError> {
    let expected = "between 2^-40 and 2^48 steps (squared, for a variance)";
    above_zero(parameter, value)
        .and_then(|()| above_zero("step", step))
        .and_then(|()| require(is_within_reach(&squared()), parameter, value, expected))
        .map_err(|wrong| CoinsError::Parameter { law, wrong })
}

impl RoundedLaplace {
    /// Noise of this scale, rounded to multiples of `step`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless both are above 0 and the scale is between `2^-40` and `2^48` steps; those of the enclosures.
    pub fn new(scale: Rational, step: Rational) -> Result<Self, CoinsError> {
        check(LAPLACE, "scale", &scale, &step, || (&scale / &step).pow(2))?;
        Ok(Self {
            cells: Cells::laplace(&(&scale / &step))?,
            scale,
            step,
        })
    }

    /// The scale.
    #[must_use]
    pub fn scale(&self) -> &Rational {
        &self.scale
    }

    /// `Pr[X > x]` for `x >= 0`: `e^(-x/scale) / 2`.
    fn beyond(&self, x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(Enclosure::exp_of(&-(x / &self.scale), bits)?.shifted(-1))
    }
}

impl RoundedGaussian {
    /// Noise of this variance, rounded to multiples of `step`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless both are above 0 and the standard deviation is between `2^-40` and `2^48` steps; those
    /// of the enclosures.
    pub fn new(variance: Rational, step: Rational) -> Result<Self, CoinsError> {
        check(GAUSSIAN, "variance", &variance, &step, || {
            &variance / step.pow(2)
        })?;
        Ok(Self {
            cells: Cells::gaussian(&(&variance / step.pow(2)))?,
            variance,
            step,
        })
    }

    /// The variance.
    #[must_use]
    pub fn variance(&self) -> &Rational {
        &self.variance
    }

    /// `Pr[X > x]` for `x >= 0`.
    fn beyond(&self, x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
        let squared = Enclosure::of(&(x * x / &self.variance), bits + 16);
        Ok(squared.sqrt()?.normal_upper().with_bits(bits))
    }
}

const LAPLACE: &str = "rounded Laplace";
const GAUSSIAN: &str = "rounded Gaussian";

/// The probability between two numbers, from that beyond a number that is not negative; by symmetry, so that nothing cancels.
fn between_by_symmetry(
    least: &Rational,
    most: &Rational,
    bits: u32,
    beyond: impl Fn(&Rational) -> Result<Enclosure, NumberError>,
) -> Result<Enclosure, NumberError> {
    if !least.is_negative() {
        Ok(beyond(least)? - beyond(most)?)
    } else if !most.is_positive() {
        Ok(beyond(&-most)? - beyond(&-least)?)
    } else {
        let outside = beyond(&-least)? + beyond(most)?;
        Ok((Enclosure::integer(1, bits) - outside).max(&Enclosure::integer(0, bits)))
    }
}

/// Whether this bit of the words is set.
#[inline]
fn is_set(words: &[u64], index: usize) -> bool {
    (words[index / 64] >> (index % 64)) & 1 == 1
}

macro_rules! real_noise {
    ($noise:ty, $name:expr, $parameter:ident, $divergence:expr) => {
        impl RealNoise for $noise {
            fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
                true
            }

            fn step(&self) -> &Rational {
                &self.step
            }

            fn between(
                &self,
                least: &Rational,
                most: &Rational,
                bits: u32,
            ) -> Result<Enclosure, NumberError> {
                between_by_symmetry(least, most, bits, |x| self.beyond(x, bits))
            }

            fn fill<C: Coins>(
                &self,
                value: &Rational,
                coins: &mut C,
                out: &mut [i64],
            ) -> Result<(), CoinsError> {
                let target = Target::new(&(value / &self.step), self.cells.width);
                let (mut signs, mut words) = ([0; CHUNK / 64], [0; CHUNK]);
                for chunk in out.chunks_mut(CHUNK) {
                    // 1. Cells. 2. The signs, and the first digits. What is rejected is drawn again, cell and all.
                    coins.pick_each(self.cells.table(), chunk)?;
                    coins.words(&mut signs[..chunk.len().div_ceil(64)])?;
                    coins.words(&mut words[..chunk.len()])?;
                    for (index, (rounded, &word)) in chunk.iter_mut().zip(&words).enumerate() {
                        let (cell, negative) = (*rounded as usize, is_set(&signs, index));
                        let drawn = match self.cells.accept(cell, negative, word, coins)? {
                            Some(accepted) => accepted,
                            None => self.cells.draw(coins)?,
                        };
                        *rounded = target.round(drawn, &self.cells, coins)?.small($name)?;
                    }
                }
                Ok(())
            }

            fn draw_around<C: Coins>(
                &self,
                value: &Rational,
                coins: &mut C,
            ) -> Result<BigInt, CoinsError> {
                let target = Target::new(&(value / &self.step), self.cells.width);
                let drawn = self.cells.draw(coins)?;
                Ok(target.round(drawn, &self.cells, coins)?.into())
            }

            fn divergence_between(&self, first: &Rational, second: &Rational) -> Divergence {
                $divergence(self, first - second)
            }
        }

        impl PartialEq for $noise {
            fn eq(&self, other: &Self) -> bool {
                self.$parameter == other.$parameter && self.step == other.step
            }
        }
    };
}
real_noise!(
    RoundedLaplace,
    LAPLACE,
    scale,
    |noise: &RoundedLaplace, shift: Rational| Divergence::Pure(shift.abs() / &noise.scale)
);
real_noise!(
    RoundedGaussian,
    GAUSSIAN,
    variance,
    |_: &RoundedGaussian, _| Divergence::Unbounded(
        "the meter knows the discrete Gaussian, not the rounded one"
    )
);

/// The law of a rounded release: the multiples of the step, counted in steps. Made by [`RealNoise::around`].
#[derive(Debug, Clone, PartialEq)]
pub struct Rounded<N> {
    /// The noise.
    pub noise: N,
    /// The exact value.
    pub value: Rational,
}

impl<N: RealNoise> Law for Rounded<N> {
    type Outcome = BigInt;

    fn is_of_the_library(&self, seal: crate::coins::Seal) -> bool {
        self.noise.is_noise_of_the_library(seal)
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
        self.noise.draw_around(&self.value, coins)
    }

    // The noise takes the value to between outcome - 1/2 and outcome + 1/2 steps.
    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let twice = Rational::from_integer(outcome * 2);
        let end = |more: i32| {
            (&twice + Rational::from_integer(more.into())) * self.noise.step() / BigInt::from(2)
                - &self.value
        };
        self.noise.between(&end(-1), &end(1), bits)
    }

    fn divergence(&self, other: &Self, _bits: u32) -> Result<Divergence, NumberError> {
        if self.noise != other.noise {
            return Ok(Divergence::Unbounded("the noise depends on the data"));
        }
        if self.value == other.value {
            return Ok(Divergence::None);
        }
        Ok(self.noise.divergence_between(&self.value, &other.value))
    }
}

/// Correlated Gaussian noise of the real line, `A Z` for a matrix `A` and independent standard Gaussians `Z`, added to exact
/// values and rounded to a grid (ledger: `sample.rounded-gaussian-vector`).
///
/// The covariance is `A A^T`, exactly, as `A` is rational: no root is taken. What is released is a function of `values + A Z`, so
/// that its privacy is that of the ideal mechanism.
#[derive(Debug, Clone)]
pub struct RoundedGaussianVector {
    // In steps of the grid.
    factor: Vec<Vec<Rational>>,
    step: Rational,
    standard: Cells,
}

impl RoundedGaussianVector {
    /// Noise with the factor `A`, row by row, rounded to multiples of `step`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `step > 0` and the rows are equally long; those of the enclosures.
    pub fn new(factor: &[Vec<Rational>], step: Rational) -> Result<Self, CoinsError> {
        let columns = factor.first().map_or(0, Vec::len);
        let ragged = factor
            .iter()
            .map(Vec::len)
            .find(|&length| length != columns);
        above_zero("step", &step)
            .and_then(|()| {
                let found = ragged.unwrap_or(columns);
                require(
                    ragged.is_none(),
                    "factor",
                    &found,
                    "a matrix: rows of one length",
                )
            })
            .map_err(|wrong| CoinsError::Parameter {
                law: "rounded Gaussian vector",
                wrong,
            })?;
        let in_steps = |row: &Vec<Rational>| row.iter().map(|a| a / &step).collect();
        Ok(Self {
            factor: factor.iter().map(in_steps).collect(),
            standard: Cells::gaussian(&Rational::from_integer(1.into()))?,
            step,
        })
    }

    /// The covariance of the noise before rounding, `A A^T`.
    #[must_use]
    pub fn covariance(&self) -> Vec<Vec<Rational>> {
        let product = |a: &[Rational], b: &[Rational]| -> Rational {
            let terms = a.iter().zip(b).map(|(x, y)| x * y);
            terms.sum::<Rational>() * &self.step * &self.step
        };
        let rows = self.factor.iter();
        rows.map(|a| self.factor.iter().map(|b| product(a, b)).collect())
            .collect()
    }

    /// Releases `values`, one for each row, as multiples of the step.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] if there are more or fewer values than rows; those of the coins.
    pub fn draw_around<C: Coins>(
        &self,
        values: &[Rational],
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError> {
        let right = values.len() == self.factor.len();
        require(
            right,
            "values",
            &values.len(),
            "as many as the factor has rows",
        )
        .map_err(|wrong| CoinsError::Parameter {
            law: "rounded Gaussian vector",
            wrong,
        })?;
        // 1. As many standard Gaussians as there are columns, the first digits of each.
        let columns = self.factor.first().map_or(0, Vec::len);
        let mut gaussians = Vec::with_capacity(columns);
        for _ in 0..columns {
            gaussians.push(match self.standard.draw(coins)? {
                Place::Short {
                    negative,
                    cell,
                    word,
                } => self.standard.real(negative, cell, word),
                Place::Long(real) => *real,
            });
        }
        // 2. Drawn further until every coordinate is decided.
        loop {
            let intervals: Vec<[Dyadic; 2]> = gaussians.iter().map(Real::interval).collect();
            let rounded: Option<Vec<BigInt>> = self
                .factor
                .iter()
                .zip(values)
                .map(|(row, value)| self.rounded(row, &intervals, value))
                .collect();
            if let Some(rounded) = rounded {
                return Ok(rounded);
            }
            for gaussian in &mut gaussians {
                gaussian.draw_digits(coins)?;
            }
        }
    }

    /// The integer part of `value + 1/2 + row Z`, in steps, if it is one for all that `Z` may be.
    fn rounded(
        &self,
        row: &[Rational],
        intervals: &[[Dyadic; 2]],
        value: &Rational,
    ) -> Option<BigInt> {
        let raised = value / &self.step + power_of_two(-1);
        // All over one denominator: each sum of fractions would be reduced.
        let denominators = row.iter().map(Rational::denom);
        let denominator = denominators.fold(raised.denom().clone(), |all, one| all.lcm(one));
        let numerator = |x: &Rational| Dyadic::from(x.numer() * (&denominator / x.denom()));
        let mut ends = [numerator(&raised), numerator(&raised)];
        for (a, [lo, hi]) in row.iter().zip(intervals) {
            let (least, most) = if a.is_negative() { (hi, lo) } else { (lo, hi) };
            let a = numerator(a);
            ends = [&ends[0] + &(&a * least), &ends[1] + &(&a * most)];
        }
        let [floor, other] = ends.map(|end| end.floor().div_floor(&denominator));
        (floor == other).then_some(floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::{integer, ratio};

    /// What is released of a value, if the cells, signs and digits that are drawn for many are accepted: in rationals.
    fn accepted(cells: &Cells, value: &Rational, coins: &mut ChaCha, count: usize) -> Vec<BigInt> {
        let mut places = vec![0; count];
        coins.pick_each(cells.table(), &mut places).unwrap();
        let mut signs = vec![0; count.div_ceil(64)];
        coins.words(&mut signs).unwrap();
        let mut words = vec![0; count];
        coins.words(&mut words).unwrap();
        let release = |index: usize| {
            let u = Rational::new(words[index].into(), BigInt::from(1) << 64u32);
            let magnitude = (integer(places[index]) + u) * power_of_two(cells.width);
            let negative = signs[index / 64] >> (index % 64) & 1 == 1;
            let number = if negative { -magnitude } else { magnitude };
            (value + number + ratio(1, 2)).floor().to_integer()
        };
        (0..count).map(release).collect()
    }

    #[test]
    fn each_of_many_has_its_own_cell_sign_and_digits() {
        let noise = RoundedLaplace::new(integer(1), ratio(1, 1 << 32)).unwrap();
        let value = ratio(1, 3);
        for count in [1, 63, 64, 65, 200, CHUNK] {
            let mut coins = ChaCha::reproducible(count as u64, 0);
            let in_steps = &value / noise.step();
            let expected = accepted(&noise.cells, &in_steps, &mut coins.clone(), count);
            let mut found = vec![0; count];
            noise.fill(&value, &mut coins, &mut found).unwrap();
            let equal = found.iter().zip(&expected);
            let equal = equal.filter(|(found, expected)| BigInt::from(**found) == **expected);
            // About one of 130 is rejected, and drawn again.
            let rejected = count - equal.count();
            assert!(rejected <= 10, "{rejected} of {count}");
        }
    }
}
