//! Noise of the real line around a value, rounded to a grid: the law of the integers that come out.

use super::Continuous;
use crate::number::range::{above_zero, require};
use crate::number::{Enclosure, NumberError, OutOfRange, Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// How a real number becomes an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, and halves away from zero.
    Nearest,
    /// Down, towards minus infinity.
    Down,
    /// Towards zero.
    TowardZero,
}

impl Rounding {
    /// The integer.
    #[must_use]
    pub fn apply(self, x: &Rational) -> BigInt {
        match self {
            Self::Nearest => x.round(),
            Self::Down => x.floor(),
            Self::TowardZero => x.trunc(),
        }
        .to_integer()
    }

    /// The number up to which what is rounded becomes at most `k`.
    fn end(self, k: &BigInt) -> Rational {
        let k = Rational::from_integer(k.clone());
        match self {
            Self::Nearest => k + rational::ratio(1, 2),
            Self::TowardZero if k.is_negative() => k,
            Self::Down | Self::TowardZero => k + Rational::one(),
        }
    }
}

/// The law of `round((value + X) / step)` for noise `X` of the real line, as an integer: the release in steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnGrid {
    noise: Continuous,
    step: Rational,
    rounding: Rounding,
    value: Rational,
}

/// The spread and the value are at most `2^30` steps, the spread at least `2^-10`.
const MOST_STEPS: u32 = 30;
const LEAST_STEPS: u32 = 10;

impl OnGrid {
    /// Noise added to `value`, and rounded to multiples of `step`.
    ///
    /// # Errors
    /// [`OutOfRange`] unless the step is above 0, the spread of the noise ([`Continuous::spread_squared`]) is from `2^-10` to
    /// `2^30` steps, and the value at most `2^30` steps from 0.
    pub fn new(
        noise: Continuous,
        step: Rational,
        rounding: Rounding,
        value: Rational,
    ) -> Result<Self, OutOfRange> {
        above_zero("grid", &step)?;
        let two_to = |power: u32| Rational::from_integer(BigInt::one() << power);
        let squared = noise.spread_squared() / step.pow(2);
        let right = squared >= two_to(2 * LEAST_STEPS).recip() && squared <= two_to(2 * MOST_STEPS);
        let expected = "such that the scale, the deviation, or the sensitivity and the sensitivity over epsilon are from 2^-10 to 2^30 steps of the grid";
        require(right, "grid", &rational::shortly(&step), expected)?;
        let right = value.abs() <= &step * two_to(MOST_STEPS);
        let expected = "at most 2^30 steps of the grid from 0";
        require(right, "centre", &rational::shortly(&value), expected)?;
        Ok(Self {
            noise,
            step,
            rounding,
            value,
        })
    }

    /// The noise before it is rounded.
    #[must_use]
    pub fn noise(&self) -> &Continuous {
        &self.noise
    }

    /// The step of the grid.
    #[must_use]
    pub fn step(&self) -> &Rational {
        &self.step
    }

    /// How it is rounded.
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        self.rounding
    }

    /// The release of the value without noise, in steps.
    #[must_use]
    pub fn of_value(&self) -> BigInt {
        self.rounding.apply(&(&self.value / &self.step))
    }

    /// The law with `factor > 0` times the noise.
    ///
    /// # Errors
    /// [`OutOfRange`] if the factor is not above 0.
    pub fn scaled(&self, factor: &Rational) -> Result<Self, OutOfRange> {
        above_zero("factor", factor)?;
        Ok(Self {
            noise: self.noise.scaled(factor),
            ..self.clone()
        })
    }

    /// How large the noise may be where the release is at most `k`.
    #[must_use]
    pub fn end(&self, k: &BigInt) -> Rational {
        self.rounding.end(k) * &self.step - &self.value
    }

    /// The probability of at least `from` and at most `to` steps; without an end if it is `None`.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn between(
        &self,
        from: Option<&BigInt>,
        to: Option<&BigInt>,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        let least = from.map(|from| self.end(&(from - 1)));
        let most = to.map(|to| self.end(to));
        self.noise.between(least.as_ref(), most.as_ref(), bits)
    }

    /// For each modulus, and each residue `r` below it, a bound from above on the probability of all `k` with
    /// `k - of_value() = r` modulo it.
    ///
    /// Near the value the probabilities are added up. The cells beyond, on either side, are equally wide, and the density falls:
    /// so the probability of each one of a class, but for the first, is at most the mean of the `modulus` cells that end with
    /// it. The class has at most the first cell's probability and one `modulus`-th of all beyond. If the rounding is towards
    /// zero, the cell of zero may be among them. It is twice as wide as others and ends such a sequence: it has at
    /// most twice the first one's probability, and so the first cell counts four times.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn residues_at_most(
        &self,
        moduli: &[u32],
        bits: u32,
    ) -> Result<Vec<Vec<Enclosure>>, NumberError> {
        let zero = || Enclosure::integer(0, bits);
        let mut classes: Vec<Vec<Enclosure>> = moduli
            .iter()
            .map(|&modulus| vec![zero(); modulus as usize])
            .collect();
        let (middle, reach) = (self.of_value(), self.reach());
        for distance in -reach..=reach {
            let k = &middle + distance;
            let mass = self.between(Some(&k), Some(&k), bits)?;
            for (class, &modulus) in classes.iter_mut().zip(moduli) {
                let residue = distance.rem_euclid(i64::from(modulus)) as usize;
                class[residue] = &class[residue] + &mass;
            }
        }
        let firsts = match self.rounding {
            Rounding::Nearest | Rounding::Down => 1,
            Rounding::TowardZero => 4,
        };
        let [left, right] = [&middle - (reach + 1), &middle + (reach + 1)];
        let mut first = zero();
        for end in [&left, &right] {
            first = first + self.between(Some(end), Some(end), bits)?;
        }
        let beyond =
            self.between(None, Some(&left), bits)? + self.between(Some(&right), None, bits)?;
        for (class, &modulus) in classes.iter_mut().zip(moduli) {
            let share = beyond.divided_by(&Enclosure::integer(modulus, bits))?;
            let more = Enclosure::integer(firsts, bits) * &first + share;
            for mass in class {
                *mass = &*mass + &more;
            }
        }
        Ok(classes)
    }

    /// How many cells on either side of the middle one are added up: 40 spreads, beyond which hardly anything is left, but at
    /// most 1000; none where each cell has little anyway.
    fn reach(&self) -> i64 {
        const MOST: i64 = 1000;
        const WIDE: u32 = 14;
        let squared = self.noise.spread_squared() / self.step.pow(2);
        if squared > Rational::from_integer(BigInt::one() << (2 * WIDE)) {
            return 0;
        }
        let squared = (squared * BigInt::from(40 * 40)).ceil().to_integer();
        i64::try_from(squared.sqrt()).map_or(MOST, |reach| (reach + 2).min(MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Law;
    use crate::number::rational::{integer, ratio};
    use crate::prepared::{RealNoise, RoundedGaussian, RoundedLaplace};

    const ALL: [Rounding; 3] = [Rounding::Nearest, Rounding::Down, Rounding::TowardZero];

    fn noises() -> [Continuous; 3] {
        [
            Continuous::laplace(ratio(3, 2)).unwrap(),
            Continuous::gaussian(integer(2)).unwrap(),
            Continuous::staircase(integer(1), integer(1), ratio(1, 3)).unwrap(),
        ]
    }

    fn on_grid(noise: &Continuous, step: Rational, rounding: Rounding, value: Rational) -> OnGrid {
        OnGrid::new(noise.clone(), step, rounding, value).unwrap()
    }

    fn are_close(first: &Enclosure, second: &Enclosure) -> bool {
        (first - second).abs().upper() < ratio(1, 1 << 60)
    }

    #[test]
    fn halves_go_where_the_rounding_says() {
        for (x, nearest, down, toward_zero) in [
            (ratio(5, 2), 3, 2, 2),
            (ratio(-5, 2), -3, -3, -2),
            (ratio(1, 2), 1, 0, 0),
            (ratio(-1, 2), -1, -1, 0),
            (ratio(7, 3), 2, 2, 2),
            (ratio(-7, 3), -2, -3, -2),
            (integer(-4), -4, -4, -4),
        ] {
            for (rounding, expected) in ALL.into_iter().zip([nearest, down, toward_zero]) {
                assert_eq!(
                    rounding.apply(&x),
                    BigInt::from(expected),
                    "{rounding:?} {x}"
                );
            }
        }
    }

    /// A number just below the end of `k` becomes at most `k`, and one just above more.
    #[test]
    fn outcomes_end_where_the_rounding_changes() {
        let little = ratio(1, 1000);
        for rounding in ALL {
            for k in -4..=4 {
                let k = BigInt::from(k);
                let end = rounding.end(&k);
                assert!(rounding.apply(&(&end - &little)) <= k, "{rounding:?} {k}");
                assert!(rounding.apply(&(&end + &little)) > k, "{rounding:?} {k}");
            }
        }
    }

    #[test]
    fn the_probabilities_add_up_to_one_and_to_those_of_ranges() {
        for noise in noises() {
            for rounding in ALL {
                for value in [integer(0), ratio(-7, 3), integer(25)] {
                    let law = on_grid(&noise, ratio(1, 4), rounding, value);
                    let middle = law.of_value();
                    let k = |distance: i64| &middle + distance;
                    let mut sum = law.between(None, Some(&k(-51)), 128).unwrap();
                    for distance in -50..=50 {
                        let (k, below) = (k(distance), k(distance - 1));
                        sum = sum + law.between(Some(&k), Some(&k), 128).unwrap();
                        let at_most = law.between(None, Some(&k), 128).unwrap();
                        assert!(are_close(&sum, &at_most), "{noise} {rounding:?} {k}");
                        let above = law.between(Some(&k), None, 128).unwrap();
                        let all = above + law.between(None, Some(&below), 128).unwrap();
                        assert!(are_close(&all, &Enclosure::integer(1, 128)), "{noise} {k}");
                    }
                }
            }
        }
    }

    /// The samplers draw a real number digit by digit, and have a law of their own for it.
    #[test]
    fn the_law_is_that_of_the_samplers_of_rounded_noise() {
        for step in [ratio(1, 4), integer(3)] {
            for value in [integer(0), ratio(22, 7), ratio(-1, 8)] {
                let laplace = RoundedLaplace::new(ratio(3, 2), step.clone())
                    .unwrap()
                    .around(value.clone());
                let gaussian = RoundedGaussian::new(integer(2), step.clone())
                    .unwrap()
                    .around(value.clone());
                let [first, second, _] = noises();
                let [first, second] = [first, second]
                    .map(|noise| on_grid(&noise, step.clone(), Rounding::Nearest, value.clone()));
                for k in (-30..=30).map(BigInt::from) {
                    let found = first.between(Some(&k), Some(&k), 128).unwrap();
                    assert!(
                        found.meets(&laplace.pmf(&k, 128).unwrap()) && found.has_digits(30),
                        "{k}"
                    );
                    let found = second.between(Some(&k), Some(&k), 128).unwrap();
                    assert!(
                        found.meets(&gaussian.pmf(&k, 128).unwrap()) && found.has_digits(30),
                        "{k}"
                    );
                }
            }
        }
    }

    /// Towards zero, zero has what down and up together give it, and the positive integers what down gives them.
    #[test]
    fn towards_zero_is_down_above_it_and_up_below() {
        for noise in noises() {
            let value = ratio(2, 3);
            let [_, down, toward_zero] =
                ALL.map(|rounding| on_grid(&noise, ratio(1, 2), rounding, value.clone()));
            let mass =
                |law: &OnGrid, k: i64| law.between(Some(&k.into()), Some(&k.into()), 128).unwrap();
            for k in 1..20 {
                assert!(
                    are_close(&mass(&toward_zero, k), &mass(&down, k)),
                    "{noise} {k}"
                );
                assert!(
                    are_close(&mass(&toward_zero, -k), &mass(&down, -k - 1)),
                    "{noise} -{k}"
                );
            }
            let around_zero = mass(&down, 0) + mass(&down, -1);
            assert!(are_close(&mass(&toward_zero, 0), &around_zero), "{noise}");
        }
    }

    #[test]
    fn residue_classes_are_bounded_by_what_they_sum_to() {
        let moduli = [2, 3, 8];
        // By day each rounding has a wide grid with one noise, and at night with all.
        let at_night = std::env::var_os("NIGHTLY").is_some();
        for (i, noise) in noises().into_iter().enumerate() {
            for (j, rounding) in ALL.into_iter().enumerate() {
                // Narrow, and so wide that cells beyond those added up count. Less than 10^-4 is beyond the reach.
                let mut grids = vec![(ratio(1, 2), ratio(5, 3), 200)];
                let is_wide = at_night || i == j;
                if is_wide {
                    grids.push((ratio(1, 200), integer(0), 3000));
                }
                if is_wide && rounding == Rounding::TowardZero {
                    // Only here it matters whether zero is near.
                    grids.push((ratio(1, 200), integer(7), 3000));
                }
                for (step, value, reach) in grids {
                    let law = on_grid(&noise, step, rounding, value);
                    let bounds = law.residues_at_most(&moduli, 96).unwrap();
                    let middle = law.of_value();
                    let masses: Vec<(i64, Enclosure)> = (-reach..=reach)
                        .map(|distance| {
                            let k = &middle + distance;
                            (distance, law.between(Some(&k), Some(&k), 96).unwrap())
                        })
                        .collect();
                    for (bounds, modulus) in bounds.iter().zip(moduli) {
                        for (residue, bound) in bounds.iter().enumerate() {
                            let class = masses
                                .iter()
                                .filter(|(k, _)| k.rem_euclid(modulus.into()) == residue as i64);
                            let sum =
                                class.fold(Enclosure::integer(0, 96), |sum, (_, mass)| sum + mass);
                            let slack = bound.upper() - sum.lower();
                            assert!(
                                bound.upper() >= sum.lower(),
                                "{noise} {rounding:?} {residue}/{modulus}"
                            );
                            assert!(
                                slack < ratio(1, 500),
                                "{noise} {rounding:?} {residue}/{modulus}: {slack}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn grids_and_values_out_of_reach_are_refused_by_name() {
        let laplace = || Continuous::laplace(integer(1)).unwrap();
        let huge = Rational::from_integer(BigInt::one() << 31u32);
        for (step, value, says) in [
            (integer(0), integer(0), "grid must be above 0, got 0"),
            (huge.recip(), integer(0), "grid must be such that the scale"),
            (integer(2000), integer(0), "got 2000"),
            (integer(1), huge, "centre must be at most 2^30 steps"),
        ] {
            let error = OnGrid::new(laplace(), step, Rounding::Nearest, value)
                .unwrap_err()
                .to_string();
            assert!(error.contains(says), "{error}");
        }
        assert!(
            on_grid(&laplace(), integer(1), Rounding::Down, integer(0))
                .scaled(&integer(0))
                .is_err()
        );
    }
}
