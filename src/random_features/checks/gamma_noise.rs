//! Figures of Gamma noise that only its claims need.

use crate::number::{Enclosure, NumberError, Rational};

const BITS: u32 = 128;

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
    use crate::law::GammaLaw;
    use crate::number::rational::{integer, ratio};
    use crate::sample::GammaNoise;

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
    fn the_acceptance_falls_by_a_quarter_a_dimension() {
        // d = 2: pi/4.
        let plane = acceptance_in_the_limit(1);
        assert!(plane.meets(&Enclosure::pi(128).shifted(-2)));
        let law = GammaLaw::new(GammaNoise::new(ratio(1, 4), 2).unwrap()).unwrap();
        let gap = (&plane - law.acceptance()).abs();
        assert!(gap.is_below_rational(&ratio(1, 50)), "{gap}");
    }
}
