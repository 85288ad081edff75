//! The Gamma mechanism of the baselines, on the integer lattice.

use super::list;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{Explorer, Law, Layer, RejectionLaw};
use dp_assay::law::GammaLaw;
use dp_assay::number::rational::{integer, ratio, to_scientific_above};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::GammaNoise;
use num_bigint::BigInt;

const BITS: u32 = 128;

pub(super) fn gamma_on_the_lattice(check: &mut Check) -> Result<(), Trouble> {
    super::edges::proposals(check)?;
    check.certified("epsilon = 1, d = 1, 2, 3: every shift of length up to 3, outputs of a box");
    let epsilon = integer(1);
    let slack = Rational::new(1.into(), BigInt::from(1u64 << 60));
    // 1. The loss rate (|k - shift| - |k|) is at most rate |shift|, attained at k = 0.
    for d in 1..=3usize {
        let side = [12, 8, 4][d - 1];
        let mut tried = 0;
        for shift in shifts(d) {
            let squared: i64 = shift.iter().map(|k| k * k).sum();
            let length = Enclosure::integer(squared, BITS).sqrt()?;
            // Noise for exactly this sensitivity: rate epsilon/|shift|, a little rounded.
            let noise = GammaNoise::private(&epsilon, &length.upper(), d)?;
            let loss = largest_loss(noise.rate(), &shift, side, BITS)?;
            check.holds(
                !loss.is_above_rational(&epsilon) && loss.is_above_rational(&(&epsilon - &slack)),
                format_args!(
                    "shift {}: largest loss {loss}, promised and attained 1",
                    list(&shift)
                ),
            );
            tried += 1;
        }
        check.figure(
            format_args!("d = {d}: shifts at which the loss is epsilon"),
            tried,
        );
    }
    // 2. An attempt of the sampler, run on all outcomes, allows the law and not that of the inverted rate.
    let budget = if check.quick() { 1000 } else { 6000 };
    check.exact(format_args!(
        "the sampler in the plane at rate 3/2, by exploration of an attempt ({budget} runs)"
    ));
    let noise = GammaNoise::new(ratio(3, 2), 2)?;
    let attempts = RejectionLaw::new(
        Explorer::new(Layer::Laws, budget)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| noise.attempt(coins))?,
    );
    let law = GammaLaw::new(noise)?;
    let inverted = GammaLaw::new(GammaNoise::new(ratio(2, 3), 2)?)?;
    let wrong = attempts.disagreement(&law)?;
    check.holds(
        wrong.is_none(),
        format_args!("rate 3/2: the sampler and its law disagree at {wrong:?}"),
    );
    check.holds(
        attempts.disagreement(&inverted)?.is_some(),
        "rate 2/3 is told from rate 3/2",
    );
    check.figure(
        "probability left undecided",
        to_scientific_above(&attempts.undecided(), 3),
    );
    check.figure("an attempt is accepted with probability", law.acceptance());
    in_one_dimension(check)
}

/// In one dimension the law has the closed form (1 - q)/(1 + q) q^|k|: all of it lies in what is stated, to the last bit.
fn in_one_dimension(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "rate 2/3 in one dimension, k = -3, ..., 3, against the closed form to twice the bits",
    );
    let law = GammaLaw::new(GammaNoise::new(ratio(2, 3), 1)?)?;
    let q = Enclosure::exp_of(&ratio(-2, 3), 2 * BITS)?;
    let one = Enclosure::integer(1, 2 * BITS);
    let at_origin = (&one - &q).divided_by(&(&one + &q))?;
    for k in -3i64..=3 {
        let exact = &at_origin * q.power(k.unsigned_abs());
        let stated = law.pmf(&vec![k.into()], BITS)?;
        check.holds(
            stated.lower() <= exact.lower() && exact.upper() <= stated.upper(),
            format_args!("k = {k}: {stated}"),
        );
    }
    Ok(())
}

/// The vectors of Z^d of length 1 to 3.
fn shifts(d: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..d {
        all = all
            .iter()
            .flat_map(|shift| (-3..=3).map(|k| [&shift[..], &[k]].concat()))
            .collect();
    }
    all.retain(|shift| (1..=9).contains(&shift.iter().map(|k| k * k).sum::<i64>()));
    all
}

pub(super) fn gamma_in_high_dimension(check: &mut Check) -> Result<(), Trouble> {
    check.left_open("the sampler here refuses more than 16 coordinates: it would accept too few of its attempts; no other exact one is known to us");
    for (d, half) in [(16, 8), (100, 50), (4000, 2000)] {
        check.figure(
            format_args!("accepted at d = {d}, at small rates"),
            acceptance_in_the_limit(half),
        );
    }
    Ok(())
}

pub(super) fn gamma_rate(check: &mut Check) -> Result<(), Trouble> {
    check.certified("Z^2, epsilon = 1, Delta = 3, shift (3, 0), outputs within 8 of the origin");
    let (epsilon, sensitivity) = (integer(1), integer(3));
    let rate = &epsilon / &sensitivity;
    let shift = [3, 0];
    for (rate, promised) in [(rate.clone(), epsilon), (rate.recip(), integer(9))] {
        let loss = largest_loss(&rate, &shift, 8, BITS)?;
        check.holds(
            loss.contains(&promised),
            format_args!("rate {rate}: largest loss {loss}, stated {promised}"),
        );
        check.figure(format_args!("largest loss, rate {rate}"), loss);
    }
    Ok(())
}

/// The largest privacy loss `ln(Pr[k] / Pr[k - shift])` over the points `k` of a box around the origin,
/// for noise of this rate: an exact formula, `rate (|k - shift| - |k|)`, as an enclosure of its maximum.
///
/// # Errors
/// Those of the square root.
fn largest_loss(
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
fn acceptance_in_the_limit(half: u64) -> Enclosure {
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
    use dp_assay::law::GammaLaw;
    use dp_assay::number::rational::{integer, ratio};
    use dp_assay::sample::GammaNoise;

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
