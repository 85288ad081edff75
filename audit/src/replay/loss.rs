//! What two runs with the same noisy values say together: the privacy loss of the noise, and what differs beside it.

use super::recording::{Draw, NoiseLaw, Recording};
use dp_assay::coins::{CoinsError, Law};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::fmt;

/// The bits of logarithms and exponentials.
const BITS: u32 = 96;

/// A loss that exceeds epsilon by more counts as one that exceeds it by this: so is its evidence, nearly.
const MOST_EXCESS: u32 = 200;

/// How far a recorded scale may be from the one that is meant, relatively: a program that computes it in doubles rounds it
/// by 2^-53 in each of up to 30 steps.
fn rounding() -> Rational {
    ratio(1, 1 << 48)
}

/// Why a run cannot have come of the other dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The outputs differ.
    Outputs,
    /// This draw, from 0, is there on one dataset only, or on the integers on one only.
    Draws(usize),
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outputs => {
                formatter.write_str("the outputs differ though all noisy values are equal")
            }
            Self::Draws(place) => write!(
                formatter,
                "draw {place} (from 0) is made on one dataset only, or is on the integers on one only, though all noisy values before are equal"
            ),
        }
    }
}

/// The privacy loss of a run: the logarithm of how much more likely it is on the first dataset than on the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// At least this, and nearly this.
    AtLeast(Rational),
    /// It cannot come of the second dataset, and why.
    Infinite(Reason),
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(loss) => {
                let digits = dp_assay::number::rational::to_scientific(loss, 8);
                formatter.write_str(&digits)
            }
            Self::Infinite(reason) => write!(formatter, "infinite: {reason}"),
        }
    }
}

impl Loss {
    /// The loss of a run on the first dataset, beside the run on the second with its noisy values; `None` if a draw has another
    /// law there that may have made the same value, or if its noisy value was not played back.
    ///
    /// # Errors
    /// [`CoinsError`] if a logarithm cannot be computed, or for a scale that the law cannot have.
    pub fn between(first: &Recording, second: &Recording) -> Result<Option<Self>, CoinsError> {
        let mut loss = Rational::zero();
        for place in 0..first.draws.len().max(second.draws.len()) {
            let (Some(a), Some(b)) = (first.draws.get(place), second.draws.get(place)) else {
                return Ok(Some(Self::Infinite(Reason::Draws(place))));
            };
            if a.law.is_on_integers() != b.law.is_on_integers() {
                return Ok(Some(Self::Infinite(Reason::Draws(place))));
            }
            if a.law != b.law || a.released != b.released {
                return Ok(None);
            }
            loss += of_draw(a, b)?;
        }
        if first.output != second.output {
            return Ok(Some(Self::Infinite(Reason::Outputs)));
        }
        Ok(Some(Self::AtLeast(loss)))
    }

    /// How much evidence a run is against (epsilon, delta): at most, on average over runs, 1 if the claim is true. `None`
    /// is a proof by itself: with delta = 0, a true claim allows it with probability 0.
    ///
    /// # Errors
    /// [`NumberError`] if an exponential cannot be computed.
    pub fn evidence(
        &self,
        epsilon: &Rational,
        delta: &Rational,
    ) -> Result<Option<Rational>, NumberError> {
        let above = match self {
            Self::Infinite(_) => Rational::one(),
            Self::AtLeast(loss) if loss > epsilon => match delta.is_zero() {
                true => return Ok(None),
                false => {
                    // More than this is as good as infinite.
                    let excess = (loss - epsilon).min(integer(MOST_EXCESS));
                    Rational::one() - Enclosure::exp_of(&-excess, BITS)?.upper()
                }
            },
            Self::AtLeast(_) => return Ok(Some(Rational::zero())),
        };
        Ok((!delta.is_zero()).then(|| above.max(Rational::zero()) / delta))
    }

    /// Whether it is known to be more than this.
    #[must_use]
    pub fn exceeds(&self, epsilon: &Rational) -> bool {
        match self {
            Self::Infinite(_) => true,
            Self::AtLeast(loss) => loss > epsilon,
        }
    }
}

/// The first draw, from 0, whose loss has no largest value over its noise: the logarithm of the ratio of two Gaussian laws around other
/// values, or of two laws of other scales, is above every number far out. Such noise hides nothing with delta = 0, whatever
/// epsilon is. What differs by no more than doubles round is no difference.
#[must_use]
pub fn unbounded(first: &Recording, second: &Recording) -> Option<usize> {
    let draws = first.draws.iter().zip(&second.draws);
    let is_unbounded = |(a, b): (&Draw, &Draw)| {
        let given = (&a.scale, &b.scale, &a.value, &b.value);
        let (Some(scale_a), Some(scale_b), Some(value_a), Some(value_b)) = given else {
            return false;
        };
        let little = ratio(1, 1 << 40);
        let is_rescaled = (scale_a - scale_b).abs() > &little * scale_a;
        let size = value_a.abs() + value_b.abs() + scale_a;
        let is_moved = (value_a - value_b).abs() > little * size;
        match a.law {
            NoiseLaw::Gaussian | NoiseLaw::DiscreteGaussian => is_rescaled || is_moved,
            NoiseLaw::Laplace | NoiseLaw::DiscreteLaplace => is_rescaled,
            NoiseLaw::Other(_) => false,
        }
    };
    draws.into_iter().position(is_unbounded)
}

/// The loss of one draw, rounded down. Both draws have no fault, one law and one noisy value.
fn of_draw(a: &Draw, b: &Draw) -> Result<Rational, CoinsError> {
    let given = (&a.scale, &b.scale, &a.value, &b.value, &a.released);
    let (Some(scale_a), Some(scale_b), Some(value_a), Some(value_b), Some(released)) = given else {
        return Ok(Rational::zero());
    };
    // How unlikely the noise is: minus the logarithm of its density, but for the normaliser.
    let unlikely = |value: &Rational, scale: &Rational| {
        let noise = (released - value).abs() / scale;
        match a.law {
            NoiseLaw::Gaussian | NoiseLaw::DiscreteGaussian => &noise * &noise / integer(2),
            _ => noise,
        }
    };
    let (on_a, on_b) = (unlikely(value_a, scale_a), unlikely(value_b, scale_b));
    let rounded = (&on_a + &on_b) * rounding() * integer(4);
    let scales = if scale_a == scale_b {
        Rational::zero()
    } else {
        let (at_a, at_b) = (at_zero(&a.law, scale_a)?, at_zero(&a.law, scale_b)?);
        at_a.divided_by(&at_b)?.ln()?.lower() - rounding() * integer(4)
    };
    Ok(on_b - on_a + scales - rounded)
}

/// A law's density or probability at 0, but for a factor that all scales have.
fn at_zero(law: &NoiseLaw, scale: &Rational) -> Result<Enclosure, CoinsError> {
    let zero = BigInt::zero();
    Ok(match law {
        NoiseLaw::DiscreteLaplace => DiscreteLaplace::new(scale.clone())?.pmf(&zero, BITS)?,
        NoiseLaw::DiscreteGaussian => DiscreteGaussian::new(scale * scale)?.pmf(&zero, BITS)?,
        _ => Enclosure::of(&scale.recip(), BITS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Output;

    fn draw(law: NoiseLaw, scale: Rational, value: i64, released: Rational) -> Draw {
        Draw {
            law,
            scale: Some(scale),
            value: Some(integer(value)),
            released: Some(released),
            otherwise_used: false,
        }
    }

    fn run(output: i64, draws: &[Draw]) -> Recording {
        Recording {
            output: Output::Integer(output.into()),
            draws: draws.to_vec(),
        }
    }

    fn loss(a: &Draw, b: &Draw) -> Rational {
        let runs = [a, b].map(|draw| run(0, std::slice::from_ref(draw)));
        match Loss::between(&runs[0], &runs[1]).unwrap() {
            Some(Loss::AtLeast(loss)) => loss,
            other => panic!("{other:?}"),
        }
    }

    /// By hand, each of another formula than the code's where there is one.
    #[test]
    fn the_loss_of_a_draw_is_that_of_its_law() {
        let near = |found: Rational, expected: f64| {
            let found = dp_assay::number::rational::to_f64_for_display(&found);
            assert!(
                (found - expected).abs() < 1e-11 && found <= expected + 1e-15,
                "{found} {expected}"
            );
        };
        use NoiseLaw::{DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace};
        for law in [Laplace, DiscreteLaplace] {
            // Beyond the first value: the whole shift over the scale; beyond the second: its opposite.
            let at = |value, released| draw(law.clone(), ratio(1, 2), value, integer(released));
            near(loss(&at(0, -3), &at(1, -3)), 2.0);
            near(loss(&at(0, 5), &at(1, 5)), -2.0);
        }
        // (shift^2 - 2 noise shift) / (2 sigma^2), with noise -1 and shift 3 at sigma 2.
        for law in [Gaussian, DiscreteGaussian] {
            let at = |value| draw(law.clone(), integer(2), value, integer(-1));
            near(loss(&at(0), &at(3)), (9.0 + 6.0) / 8.0);
        }
        // Other scales: densities at 1, of scales 1 and 2.
        let at = |law: &NoiseLaw, scale| draw(law.clone(), integer(scale), 0, integer(1));
        let density = |scale: f64| (-1.0 / scale).exp() / (2.0 * scale);
        near(
            loss(&at(&Laplace, 1), &at(&Laplace, 2)),
            (density(1.0) / density(2.0)).ln(),
        );
        let density = |scale: f64| (-0.5 / (scale * scale)).exp() / scale;
        near(
            loss(&at(&Gaussian, 1), &at(&Gaussian, 2)),
            (density(1.0) / density(2.0)).ln(),
        );
        let laplace = |k: f64, scale: f64| (-k.abs() / scale).exp();
        let gaussian = |k: f64, scale: f64| (-k * k / (2.0 * scale * scale)).exp();
        let weights: [(_, &dyn Fn(f64, f64) -> f64); 2] =
            [(DiscreteLaplace, &laplace), (DiscreteGaussian, &gaussian)];
        for (law, weight) in weights {
            let mass = |scale: f64| {
                let total: f64 = (-200..=200).map(|k| weight(f64::from(k), scale)).sum();
                weight(1.0, scale) / total
            };
            let (one, two) = (at(&law, 1), at(&law, 2));
            near(loss(&one, &two), (mass(1.0) / mass(2.0)).ln());
        }
    }

    #[test]
    fn what_differs_beside_the_noise_is_an_infinite_loss() {
        let one = draw(NoiseLaw::Laplace, integer(1), 0, integer(5));
        let other = Draw {
            law: NoiseLaw::Gaussian,
            ..one.clone()
        };
        let whole = Draw {
            law: NoiseLaw::DiscreteLaplace,
            ..one.clone()
        };
        let moved = Draw {
            released: Some(integer(6)),
            ..one.clone()
        };
        let (draws, none): ([Draw; 1], [Draw; 0]) = ([one], []);
        for (first, second, reason) in [
            (run(1, &draws), run(2, &draws), Reason::Outputs),
            (run(1, &draws), run(1, &none), Reason::Draws(0)),
            (run(1, &none), run(1, &draws), Reason::Draws(0)),
            (run(1, &draws), run(1, &[whole]), Reason::Draws(0)),
        ] {
            let loss = Loss::between(&first, &second).unwrap();
            assert_eq!(loss, Some(Loss::Infinite(reason)));
        }
        // Of two laws on the line either may have made any value; and one that was not played back says nothing.
        for second in [other, moved] {
            let loss = Loss::between(&run(1, &draws), &run(2, &[second])).unwrap();
            assert_eq!(loss, None);
        }
        let same = Loss::between(&run(1, &draws), &run(1, &draws))
            .unwrap()
            .unwrap();
        assert!(!same.exceeds(&integer(0)), "{same}");
    }

    #[test]
    fn a_loss_without_a_largest_value_is_told_from_what_doubles_round() {
        let (scale, none) = (integer(3), integer(5));
        let at = |law: &NoiseLaw, scale: &Rational, value| {
            run(1, &[draw(law.clone(), scale.clone(), value, none.clone())])
        };
        let nearly = &scale * (Rational::one() + ratio(1, 1 << 45));
        let (gaussian, laplace) = (NoiseLaw::Gaussian, NoiseLaw::Laplace);
        for (law, scales, values, expected) in [
            (&gaussian, [&scale, &scale], [0, 1], true),
            (&gaussian, [&scale, &scale], [1, 1], false),
            (&gaussian, [&scale, &nearly], [1, 1], false),
            (&gaussian, [&scale, &none], [1, 1], true),
            (&laplace, [&scale, &scale], [0, 9], false),
            (&laplace, [&scale, &none], [0, 0], true),
        ] {
            let [first, second] = [0, 1].map(|side| at(law, scales[side], values[side]));
            let found = unbounded(&first, &second).is_some();
            assert_eq!(found, expected, "{law} {scales:?} {values:?}");
        }
        let mut moved = at(&gaussian, &scale, 1 << 20);
        let same = moved.clone();
        moved.draws[0].value = Some(integer(1 << 20) + ratio(1, 1 << 30));
        assert_eq!(unbounded(&moved, &same), None);
        moved.draws[0].value = Some(integer(1 << 20) + ratio(1, 1 << 10));
        assert_eq!(unbounded(&moved, &same), Some(0));
    }

    /// Noise that is as large as the claim needs is never accused, though the scale was rounded.
    #[test]
    fn a_scale_that_was_rounded_is_no_violation() {
        for tenths in 1..100_i64 {
            let scale = dp_assay::number::rational::from_f64(1.0 / (tenths as f64 / 10.0)).unwrap();
            let at = |value| draw(NoiseLaw::Laplace, scale.clone(), value, integer(-40));
            let found = Loss::AtLeast(loss(&at(0), &at(1)));
            assert!(!found.exceeds(&ratio(tenths, 10)), "{tenths}: {found}");
        }
    }

    /// Recorded scales may be off by 2^-48 of themselves, whichever way makes the loss seem largest.
    #[test]
    fn the_loss_is_at_most_that_of_the_scales_that_are_meant() {
        let apart = ratio(1, 1 << 48);
        let of = |value: &Rational| Enclosure::of(value, 200);
        // (the scale that is meant, the noise) on each dataset
        for (meant_a, noise_a, meant_b, noise_b) in [
            (integer(1), integer(0), integer(1), integer(3)),
            (integer(1), integer(2), integer(1), integer(0)),
            (ratio(1, 3), integer(7), ratio(1, 3), integer(-8)),
            (integer(1), integer(0), integer(2), integer(0)),
            (integer(3), integer(1), integer(2), integer(4)),
        ] {
            use NoiseLaw::{DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace};
            for law in [Laplace, Gaussian, DiscreteLaplace, DiscreteGaussian] {
                let unlikely = |noise: &Rational, scale: &Rational| match law {
                    Gaussian | DiscreteGaussian => noise * noise / (scale * scale * integer(2)),
                    _ => noise.abs() / scale,
                };
                // Of all values together, up to a factor that is the same for all scales; what is left out is below e^-300.
                let total = |scale: &Rational| match law {
                    DiscreteLaplace | DiscreteGaussian => {
                        let weight =
                            |k: i64| Enclosure::exp_of(&-unlikely(&integer(k), scale), 200);
                        (1..1000).fold(of(&ratio(1, 2)), |sum, k| sum + weight(k).unwrap())
                    }
                    _ => of(scale),
                };
                let totals = total(&meant_b).divided_by(&total(&meant_a));
                let meant = of(&(unlikely(&noise_b, &meant_b) - unlikely(&noise_a, &meant_a)))
                    + totals.unwrap().ln().unwrap();
                for (off_a, off_b) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let recorded = |noise: &Rational, scale: &Rational, off: i64| Draw {
                        law: law.clone(),
                        scale: Some(scale * (Rational::one() + &apart * integer(off))),
                        value: Some(-noise),
                        released: Some(integer(0)),
                        otherwise_used: false,
                    };
                    let found = loss(
                        &recorded(&noise_a, &meant_a, off_a),
                        &recorded(&noise_b, &meant_b, off_b),
                    );
                    assert!(
                        found <= meant.lower(),
                        "{law:?} {meant_a} {meant_b} {off_a} {off_b}"
                    );
                }
            }
        }
    }

    #[test]
    fn evidence_is_rounded_down() {
        for tenths in (1..50).chain([2000, 5000]) {
            let excess = ratio(tenths, 10);
            let evidence = Loss::AtLeast(&excess + integer(1))
                .evidence(&integer(1), &ratio(1, 100))
                .unwrap()
                .unwrap();
            let exact = integer(100)
                * (Rational::one() - Enclosure::exp_of(&-excess, 300).unwrap().lower());
            assert!(evidence <= exact, "{tenths}");
        }
    }

    #[test]
    fn evidence_is_at_most_one_on_average_under_a_true_claim() {
        // Gaussian noise of sigma 1 and a shift of 1, by a sum over a fine grid: with delta = delta(epsilon) it is 1.
        let (step, epsilon) = (0.01, 0.5_f64);
        let density = |x: f64| (-x * x / 2.0).exp() * step / (2.0 * std::f64::consts::PI).sqrt();
        let delta: f64 = (-1000..1000)
            .map(|k| f64::from(k) * step)
            .map(|x| (density(x) - epsilon.exp() * density(x - 1.0)).max(0.0))
            .sum();
        let exact = |value: f64| dp_assay::number::rational::from_f64(value).unwrap();
        let mean: f64 = (-1000..1000)
            .map(|k| f64::from(k) * step)
            .map(|x| {
                let loss = Loss::AtLeast(exact(0.5 - x));
                let evidence = loss
                    .evidence(&exact(epsilon), &exact(delta))
                    .unwrap()
                    .unwrap();
                density(x) * dp_assay::number::rational::to_f64_for_display(&evidence)
            })
            .sum();
        assert!((mean - 1.0).abs() < 1e-3, "{mean}");
        // However large a loss is, its evidence is found at once, and is at most that of a leak.
        let huge = Loss::AtLeast(integer(10).pow(12));
        let evidence = huge.evidence(&integer(1), &ratio(1, 100)).unwrap().unwrap();
        assert!(evidence < integer(100) && evidence > integer(99));
        assert_eq!(huge.evidence(&integer(1), &integer(0)).unwrap(), None);
        let leak = Loss::Infinite(Reason::Outputs);
        assert_eq!(
            leak.evidence(&integer(1), &ratio(1, 100)).unwrap(),
            Some(integer(100))
        );
        assert_eq!(leak.evidence(&integer(1), &integer(0)).unwrap(), None);
        assert!(
            Loss::AtLeast(integer(1))
                .evidence(&integer(1), &integer(0))
                .unwrap()
                == Some(integer(0))
        );
    }
}
