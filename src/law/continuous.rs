//! Noise of the real line, by its tails: Laplace, Gaussian and staircase.

use crate::number::range::{above_zero, require, zero_to_one};
use crate::number::{Enclosure, NumberError, OutOfRange, Rational, rational};
use num_traits::{One, Zero};
use std::fmt;

/// A law on the real line that is symmetric around 0 and whose density never rises with the magnitude.
///
/// Made by [`Continuous::laplace`], [`Continuous::gaussian`] and [`Continuous::staircase`], which check the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continuous {
    /// Density `e^(-|x|/S) / (2 S)`.
    #[non_exhaustive]
    Laplace {
        /// `S`, above 0.
        scale: Rational,
    },
    /// Density `e^(-x^2/(2 V)) / sqrt(2 pi V)`.
    #[non_exhaustive]
    Gaussian {
        /// `V`, above 0.
        variance: Rational,
    },
    /// Steps (Geng and Viswanath 2012, arXiv 1212.1186): the density is `a e^(-k E)` where `k D <= |x| < (k + G) D`,
    /// and `a e^(-(k+1) E)` where `(k + G) D <= |x| < (k + 1) D`, for `k = 0, 1, 2, ...`.
    #[non_exhaustive]
    Staircase {
        /// `E`, from 1e-6 to 1000.
        epsilon: Rational,
        /// `D`, above 0.
        sensitivity: Rational,
        /// `G`, from 0 to 1: the part of a period that is on the higher step.
        gamma: Rational,
    },
}

impl fmt::Display for Continuous {
    /// As in `staircase epsilon=1 sensitivity=1 gamma=1/3`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Laplace { scale } => write!(formatter, "laplace scale={scale}"),
            Self::Gaussian { variance } => write!(formatter, "gaussian variance={variance}"),
            Self::Staircase {
                epsilon,
                sensitivity,
                gamma,
            } => write!(
                formatter,
                "staircase epsilon={epsilon} sensitivity={sensitivity} gamma={gamma}"
            ),
        }
    }
}

impl Continuous {
    /// Laplace noise of this scale.
    ///
    /// # Errors
    /// [`OutOfRange`] unless the scale is above 0.
    pub fn laplace(scale: Rational) -> Result<Self, OutOfRange> {
        above_zero("scale", &scale)?;
        Ok(Self::Laplace { scale })
    }

    /// Gaussian noise of this variance.
    ///
    /// # Errors
    /// [`OutOfRange`] unless the variance is above 0.
    pub fn gaussian(variance: Rational) -> Result<Self, OutOfRange> {
        above_zero("variance", &variance)?;
        Ok(Self::Gaussian { variance })
    }

    /// Staircase noise: `epsilon`-differentially private for a value that moves by at most `sensitivity`, and of the least
    /// mean magnitude among such noise if `gamma = 1 / (1 + e^(epsilon/2))`.
    ///
    /// # Errors
    /// [`OutOfRange`] unless `epsilon` is from 1e-6 to 1000, the sensitivity above 0 and `gamma` from 0 to 1.
    pub fn staircase(
        epsilon: Rational,
        sensitivity: Rational,
        gamma: Rational,
    ) -> Result<Self, OutOfRange> {
        let within = epsilon >= rational::ratio(1, 1_000_000) && epsilon <= rational::integer(1000);
        require(
            within,
            "epsilon",
            &rational::shortly(&epsilon),
            "from 1e-6 to 1000",
        )?;
        above_zero("sensitivity", &sensitivity)?;
        zero_to_one("gamma", &gamma)?;
        Ok(Self::Staircase {
            epsilon,
            sensitivity,
            gamma,
        })
    }

    /// The noise, `factor` times as large; `factor > 0`.
    pub(super) fn scaled(&self, factor: &Rational) -> Self {
        match self.clone() {
            Self::Laplace { scale } => Self::Laplace {
                scale: scale * factor,
            },
            Self::Gaussian { variance } => Self::Gaussian {
                variance: variance * factor * factor,
            },
            Self::Staircase {
                epsilon,
                sensitivity,
                gamma,
            } => Self::Staircase {
                sensitivity: sensitivity * factor,
                epsilon,
                gamma,
            },
        }
    }

    /// The square of how far it spreads, roughly: of the scale, the deviation, or the larger of the sensitivity and the
    /// sensitivity over epsilon.
    #[must_use]
    pub fn spread_squared(&self) -> Rational {
        match self {
            Self::Laplace { scale } => scale * scale,
            Self::Gaussian { variance } => variance.clone(),
            Self::Staircase {
                epsilon,
                sensitivity,
                ..
            } => (sensitivity / epsilon.clone().min(Rational::one())).pow(2),
        }
    }

    /// `Pr[X > x]` for `x >= 0`, to nearly full relative accuracy however small it is.
    fn tail(&self, x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            // e^(-x/S) / 2
            Self::Laplace { scale } => Ok(Enclosure::exp_of(&-(x / scale), bits)?.shifted(-1)),
            // Pr[Z > sqrt(x^2 / V)]
            Self::Gaussian { variance } => {
                let squared = Enclosure::of(&(x * x / variance), bits + 16);
                Ok(squared.sqrt()?.normal_upper().with_bits(bits))
            }
            Self::Staircase {
                epsilon,
                sensitivity,
                gamma,
            } => staircase_tail(epsilon, &(x / sensitivity), gamma, bits),
        }
    }

    /// `Pr[least < X < most]`; without an end if it is `None`, and 0 if `most <= least`.
    ///
    /// On each side of 0 a difference of the two tails of that side: nothing is lost far out.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn between(
        &self,
        least: Option<&Rational>,
        most: Option<&Rational>,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        // Pr[near < X < far] for 0 <= near.
        let side = |near: Rational, far: Option<Rational>| match far {
            Some(far) if far <= near => Ok(Enclosure::integer(0, bits)),
            Some(far) => Ok(self.tail(&near, bits)? - self.tail(&far, bits)?),
            None => self.tail(&near, bits),
        };
        let above_zero = |x: Rational| x.max(Rational::zero());
        let right = |end: Option<&Rational>| end.map(|x| above_zero(x.clone()));
        let left = |end: Option<&Rational>| end.map(|x| above_zero(-x));
        let above = side(right(least).unwrap_or_default(), right(most))?;
        let below = side(left(most).unwrap_or_default(), left(least))?;
        Ok(above + below)
    }
}

/// `Pr[X > x D]` of staircase noise for `x = k + v >= 0` with an integer `k` and `0 <= v < 1`, in units of the sensitivity `D`.
///
/// The period `k` has mass `b^k (1 - b) / 2` on either side, `b = e^-E`, so what is beyond it has mass `b^(k+1) / 2`. Of the
/// period, the part beyond `v` is `(max(G - v, 0) + b (1 - max(G, v))) / (G + b (1 - G))`.
fn staircase_tail(
    epsilon: &Rational,
    x: &Rational,
    gamma: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let bits = bits + 16;
    let whole = x.floor();
    let v = x - &whole;
    let of = |x: Rational| Enclosure::of(&x, bits);
    let b = Enclosure::exp_of(&-epsilon, bits)?;
    let high = of((gamma - &v).max(Rational::zero()));
    let low = of(Rational::one() - v.max(gamma.clone()));
    let all = of(gamma.clone()) + &b * of(Rational::one() - gamma);
    let part = (high + &b * low).divided_by(&all)?;
    // 1 - b
    let of_period = -of(-epsilon).exp_minus_one()?;
    let power = Enclosure::exp_of(&(-epsilon * whole), bits)?;
    Ok((power.shifted(-1) * (b + of_period * part)).with_bits(bits - 16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    fn staircase(epsilon: Rational, sensitivity: Rational, gamma: Rational) -> Continuous {
        Continuous::staircase(epsilon, sensitivity, gamma).unwrap()
    }

    fn laws() -> Vec<Continuous> {
        vec![
            Continuous::laplace(ratio(7, 3)).unwrap(),
            Continuous::gaussian(ratio(7, 3)).unwrap(),
            staircase(integer(1), integer(2), ratio(3, 8)),
            staircase(ratio(1, 10), ratio(1, 2), integer(0)),
            staircase(integer(3), integer(1), integer(1)),
        ]
    }

    fn are_close(first: &Enclosure, second: &Enclosure) -> bool {
        (first - second).abs().upper() < ratio(1, 1 << 60)
    }

    #[test]
    fn the_two_sides_are_alike_and_all_parts_add_up_to_one() {
        for law in laws() {
            let between = |least: Option<Rational>, most: Option<Rational>| {
                law.between(least.as_ref(), most.as_ref(), 128).unwrap()
            };
            let ends: Vec<Rational> = (-40..=40).map(|k| ratio(k, 3)).collect();
            let mut sum = between(None, Some(ends[0].clone()));
            assert!(are_close(&sum, &between(Some(-&ends[0]), None)), "{law}");
            for pair in ends.windows(2) {
                let mass = between(Some(pair[0].clone()), Some(pair[1].clone()));
                let mirrored = between(Some(-&pair[1]), Some(-&pair[0]));
                assert!(
                    are_close(&mass, &mirrored) && mass.lower() > Rational::zero(),
                    "{law}"
                );
                sum = sum + mass;
            }
            sum = sum + between(Some(ends[80].clone()), None);
            assert!(are_close(&sum, &Enclosure::integer(1, 128)), "{law}: {sum}");
            assert!(are_close(&between(None, None), &sum), "{law}");
            assert!(between(Some(integer(2)), Some(integer(1))).hi().is_zero());
        }
    }

    /// From the density, step by step: the width of each step times its height.
    #[test]
    fn a_staircase_has_the_mass_of_its_steps() {
        let (d, g) = (integer(2), ratio(3, 8));
        let law = staircase(ratio(1, 2), d.clone(), g.clone());
        let b = |k: i64| Enclosure::exp_of(&ratio(-k, 2), 128).unwrap();
        let of = |x: Rational| Enclosure::of(&x, 128);
        let one = || integer(1);
        // The heights, so that both sides have mass 1: 2 D (G + b (1 - G)) a / (1 - b) = 1.
        let all = of(integer(2) * &d) * (of(g.clone()) + b(1) * of(one() - &g));
        let a = (of(one()) - b(1)).divided_by(&all).unwrap();
        for k in 0..30 {
            let [start, step, end] = [integer(k), integer(k) + &g, integer(k + 1)].map(|x| x * &d);
            for (least, most, height) in [(&start, &step, k), (&step, &end, k + 1)] {
                // All of the step, and the second quarter of it.
                let quarter = (most - least) / integer(4);
                for (from, to) in [
                    (least.clone(), most.clone()),
                    (least + &quarter, least + &quarter * integer(2)),
                ] {
                    let mass = law.between(Some(&from), Some(&to), 128).unwrap();
                    let expected = of(&to - &from) * &a * b(height);
                    assert!(
                        are_close(&mass, &expected),
                        "{from} to {to}: {mass} {expected}"
                    );
                }
            }
        }
    }

    /// What makes the noise private: beyond a sensitivity further out there is `e^-E` of the mass.
    #[test]
    fn a_sensitivity_further_out_a_staircase_has_its_part_of_the_mass() {
        let law = staircase(ratio(1, 3), ratio(1, 2), ratio(1, 5));
        let part = Enclosure::exp_of(&ratio(-1, 3), 128).unwrap();
        for k in 0..50 {
            let tail = |x: Rational| law.between(Some(&x), None, 128).unwrap();
            let further = tail(ratio(k, 7) + ratio(1, 2));
            assert!(are_close(&further, &(tail(ratio(k, 7)) * &part)), "{k}");
        }
    }

    #[test]
    fn tails_keep_their_digits_far_out() {
        for law in laws() {
            let [least, most] = [integer(300), integer(301)];
            let mass = law.between(Some(&least), Some(&most), 128).unwrap();
            let left = law.between(Some(&-most), Some(&-least), 128).unwrap();
            assert!(
                mass.has_digits(20) && left.has_digits(20),
                "{law}: {mass} {left}"
            );
        }
    }

    #[test]
    fn a_law_is_scaled_as_its_noise_is() {
        for law in laws() {
            let scaled = law.scaled(&integer(3));
            let mass = law
                .between(Some(&ratio(1, 4)), Some(&integer(2)), 128)
                .unwrap();
            let found = scaled
                .between(Some(&ratio(3, 4)), Some(&integer(6)), 128)
                .unwrap();
            assert!(are_close(&mass, &found), "{law} {scaled}");
            assert_eq!(scaled.spread_squared(), law.spread_squared() * integer(9));
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused_by_name() {
        let [zero, one, two] = [0, 1, 2].map(integer);
        for (refused, says) in [
            (
                Continuous::laplace(zero.clone()),
                "scale must be above 0, got 0",
            ),
            (
                Continuous::gaussian(-&one),
                "variance must be above 0, got -1",
            ),
            (
                Continuous::staircase(zero.clone(), one.clone(), one.clone()),
                "epsilon must be from 1e-6 to 1000, got 0",
            ),
            (
                Continuous::staircase(one.clone(), zero, one.clone()),
                "sensitivity must be above 0",
            ),
            (
                Continuous::staircase(one.clone(), one, two),
                "gamma must be",
            ),
        ] {
            let error = refused.unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
