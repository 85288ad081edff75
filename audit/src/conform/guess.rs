//! Distribution functions in doubles, for guesses: the cuts of the integers, and the bets. Nothing rests on
//! them: a bad guess costs power, and decisions use certified probabilities.

use super::placed::Placed;
use dp_assay::law::named::NamedLaw;
use dp_assay::law::{Continuous, OnGrid, Rounding};
use dp_assay::number::rational::{integer, to_f64_for_display};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A law in doubles.
pub enum Guess {
    /// With this rate, the reciprocal of the scale.
    Laplace(f64),
    /// With this rate.
    Geometric(f64),
    /// With this variance parameter.
    Gaussian(f64),
    /// The probabilities of at most each integer, from the first one on.
    Table(i64, Vec<f64>),
    /// Of the real line, in steps of the grid.
    Real(Real, OnSteps),
}

/// Noise of the real line, in steps of the grid.
pub enum Real {
    /// With this scale.
    Laplace(f64),
    /// With this deviation.
    Gaussian(f64),
    /// With these epsilon, sensitivity and gamma.
    Staircase(f64, f64, f64),
}

/// How noise around a value is rounded.
pub struct OnSteps {
    rounding: Rounding,
    /// What the value is rounded to, and by how much it is above that.
    middle: f64,
    above: f64,
}

impl Guess {
    /// The law, roughly.
    pub fn of(law: &Placed) -> Self {
        match law {
            Placed::Integers { law, .. } => Self::of_integers(law),
            Placed::Table { table, .. } => {
                let (least, up_to) = table.cumulated();
                Self::Table(least, up_to)
            }
            Placed::Reals { law, .. } => Self::Real(Real::of(law), OnSteps::of(law)),
        }
    }

    fn of_integers(law: &NamedLaw) -> Self {
        match law {
            NamedLaw::DiscreteLaplace(law) => Self::Laplace(1.0 / to_f64_for_display(law.scale())),
            NamedLaw::Geometric(law) => Self::Geometric(to_f64_for_display(law.rate())),
            NamedLaw::DiscreteGaussian(law) => Self::Gaussian(to_f64_for_display(law.variance())),
        }
    }

    /// The probability of at most `k`.
    pub fn cdf(&self, k: &BigInt) -> f64 {
        let k = k.to_f64().unwrap_or(f64::NAN);
        match *self {
            Self::Laplace(rate) => {
                let of_zero = 1.0 + (-rate).exp();
                if k < 0.0 {
                    (rate * k).exp() / of_zero
                } else {
                    1.0 - (-rate * (k + 1.0)).exp() / of_zero
                }
            }
            Self::Geometric(_) if k < 0.0 => 0.0,
            Self::Geometric(rate) => -(-rate * (k + 1.0)).exp_m1(),
            Self::Gaussian(variance) if variance < 1.0 => {
                // Beyond 9 nothing is left, in doubles.
                let sum = |to: f64| -> f64 {
                    (-9..=9)
                        .map(f64::from)
                        .filter(|j| *j <= to)
                        .map(|j| (-j * j / (2.0 * variance)).exp())
                        .sum()
                };
                sum(k) / sum(9.0)
            }
            Self::Gaussian(variance) => {
                // The continuous law up to the middle between k and k + 1. What is rounded to integers has 1/12 more
                // variance.
                normal((k + 0.5) / (variance - 1.0 / 12.0).sqrt())
            }
            Self::Table(least, _) if k < least as f64 => 0.0,
            Self::Table(least, ref up_to) => up_to
                .get((k - least as f64) as usize)
                .copied()
                .unwrap_or(1.0),
            Self::Real(ref noise, ref steps) => noise.cdf(steps.end(k)),
        }
    }

    /// The least `k` of probability at least `mass` to be at most `k`, to one part in 2^30.
    pub fn quantile(&self, mass: f64) -> BigInt {
        let reached = |k: &BigInt| self.cdf(k) >= mass;
        let (mut below, mut above) = if reached(&BigInt::ZERO) {
            (BigInt::from(-1), BigInt::ZERO)
        } else {
            (BigInt::ZERO, BigInt::from(1))
        };
        // Doubles end at 2^1024.
        for _ in 0..1024 {
            if reached(&below) {
                above = below.clone();
                below *= 2;
            } else if !reached(&above) {
                below = above.clone();
                above *= 2;
            } else {
                break;
            }
        }
        while &above - &below > BigInt::from(1) + BigInt::from(above.magnitude() >> 30) {
            let middle: BigInt = (&above + &below) >> 1;
            if reached(&middle) {
                above = middle;
            } else {
                below = middle;
            }
        }
        above
    }
}

impl Real {
    fn of(law: &OnGrid) -> Self {
        let in_steps = |size| to_f64_for_display(&(size / law.step()));
        match law.noise() {
            Continuous::Laplace { scale, .. } => Self::Laplace(in_steps(scale)),
            Continuous::Gaussian { variance, .. } => {
                Self::Gaussian(to_f64_for_display(&(variance / law.step().pow(2))).sqrt())
            }
            Continuous::Staircase {
                epsilon,
                sensitivity,
                gamma,
                ..
            } => Self::Staircase(
                to_f64_for_display(epsilon),
                in_steps(sensitivity),
                to_f64_for_display(gamma),
            ),
        }
    }

    /// The probability of at most `x`.
    fn cdf(&self, x: f64) -> f64 {
        // That beyond x > 0.
        let tail = match *self {
            Self::Gaussian(deviation) => return normal(x / deviation),
            Self::Laplace(scale) => (-x.abs() / scale).exp() / 2.0,
            Self::Staircase(epsilon, sensitivity, gamma) => {
                let (whole, v) = (
                    (x.abs() / sensitivity).floor(),
                    (x.abs() / sensitivity).fract(),
                );
                let b = (-epsilon).exp();
                let beyond = (gamma - v).max(0.0) + b * (1.0 - v.max(gamma));
                let part = beyond / (gamma + b * (1.0 - gamma));
                (-epsilon * whole).exp() / 2.0 * (b + (1.0 - b) * part)
            }
        };
        if x < 0.0 { tail } else { 1.0 - tail }
    }
}

impl OnSteps {
    fn of(law: &OnGrid) -> Self {
        let middle = law.of_value();
        // The end of the middle cell is so far from the value.
        let end = to_f64_for_display(&(law.end(&middle) / law.step()));
        let rounding = law.rounding();
        let above = match rounding {
            Rounding::Nearest => 0.5 - end,
            Rounding::TowardZero if middle < BigInt::ZERO => -end,
            Rounding::Down | Rounding::TowardZero => 1.0 - end,
        };
        let middle = to_f64_for_display(&integer(middle));
        Self {
            rounding,
            middle,
            above,
        }
    }

    /// How large the noise may be where the outcome is at most `k` above the middle.
    fn end(&self, k: f64) -> f64 {
        let up = match self.rounding {
            Rounding::Nearest => 0.5,
            Rounding::TowardZero if k + self.middle < 0.0 => 0.0,
            Rounding::Down | Rounding::TowardZero => 1.0,
        };
        k + up - self.above
    }
}

/// The probability that a standard normal variable is at most `z`.
fn normal(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    if x < 0.0 {
        erfc(-x) / 2.0
    } else {
        1.0 - erfc(x) / 2.0
    }
}

/// `2 / sqrt(pi)` times the integral of `exp(-t^2)` from `x >= 0` on: by the series of its complement, or by the
/// continued fraction of Laplace.
fn erfc(x: f64) -> f64 {
    let density = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..60 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        1.0 - 2.0 * density * sum
    } else {
        let fraction = (1..=60)
            .rev()
            .fold(x, |rest, n| x + f64::from(n) / 2.0 / rest);
        density / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    #[test]
    fn guesses_are_near_what_is_certified() {
        // The continuous law differs from the discrete one by less than a hundredth from variance 1 on.
        for (name, centre, error) in [
            ("discrete-laplace scale=3", integer(0), 1e-9),
            ("discrete-gaussian variance=1/2", integer(0), 0.01),
            ("discrete-gaussian variance=9", integer(0), 0.01),
            ("discrete-gaussian variance=10000", integer(0), 0.01),
            ("geometric rate=1/5", integer(0), 1e-9),
            ("laplace scale=3 grid=1/4", integer(7), 1e-9),
            (
                "gaussian variance=9 grid=1/2 rounded=nearest",
                ratio(17, 5),
                1e-9,
            ),
            ("laplace scale=1 grid=1/2 rounded=down", ratio(-17, 5), 1e-9),
            (
                "laplace scale=1 grid=1/2 rounded=toward-zero",
                ratio(-17, 5),
                1e-9,
            ),
            (
                "staircase epsilon=1 sensitivity=2 gamma=1/3 grid=1/3 rounded=toward-zero",
                ratio(3, 5),
                1e-9,
            ),
        ] {
            let law = Placed::new(&name.parse().unwrap(), &centre).unwrap();
            let guess = Guess::of(&law);
            for k in [-350, -20, -9, -3, -1, 0, 1, 4, 15, 400] {
                let certified = law.between(None, Some(&k.into())).unwrap();
                let certified = to_f64_for_display(&certified.midpoint().to_rational());
                let found = guess.cdf(&k.into());
                assert!(
                    (found - certified).abs() < error,
                    "{name} {k}: {found} {certified}"
                );
            }
            for mass in [1e-4, 0.3, 0.5, 0.9] {
                let k = guess.quantile(mass);
                assert!(
                    guess.cdf(&k) >= mass && guess.cdf(&(k - 1)) < mass,
                    "{name} {mass}"
                );
            }
        }
    }

    #[test]
    fn the_tail_function_has_its_known_values() {
        for (x, expected) in [
            (0.0, 1.0),
            (1.0, 0.157_299_207_050_285_1),
            (2.4, 6.885_138_966_645_079e-4),
            (3.0, 2.209_049_699_858_544e-5),
            (5.0, 1.537_459_794_428_035e-12),
        ] {
            assert!((erfc(x) / expected - 1.0).abs() < 1e-9, "{x}: {}", erfc(x));
        }
    }
}
