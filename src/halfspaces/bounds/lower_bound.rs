//! Theorem 12, repaired: a larger distance, and a bound for every classifier.

use super::{BITS, of};
use crate::halfspaces::HalfspaceError;
use crate::number::range::{above_zero, above_zero_at_most_one, above_zero_below_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// The probability that two halfspaces disagree whose normal vectors are words at Hamming distance
/// `fraction * d`: `theta/pi` with `cos theta = 1 - 2 fraction`.
///
/// At a tenth it is 0.2048. The proof of Claim 12.1 takes this for the probability that they *agree*,
/// which is 0.7952; its chain then reads `0.3 + 0.7952`, and concludes nothing.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < fraction < 1`.
pub fn disagreement(fraction: &Rational) -> Result<Enclosure, HalfspaceError> {
    above_zero_below_one("fraction", fraction)?;
    let cosine = of(&(integer(1) - integer(2) * fraction));
    Ok(cosine.acos()?.divided_by(&Enclosure::pi(BITS))?)
}

/// Lemma 16, sharper: the mass `p` of the band `|<w,x>| < gamma`, for `x` uniform on the sphere in dimension
/// `d` with `d gamma^2 <= c <= 1`, is at most `sqrt(2c/pi)`.
///
/// Proof: a coordinate has density `k (1 - t^2)^((d-3)/2)`. For `d >= 3` it is largest at 0, where it is
/// `Gamma(d/2) / (sqrt(pi) Gamma((d-1)/2))`, at most `sqrt((d-1)/(2 pi))` because Gamma is log-convex:
/// `Gamma(z + 1/2)^2 <= Gamma(z) Gamma(z + 1) = z Gamma(z)^2`. For `d = 2`, `p = (2/pi) arcsin(gamma)`, at most
/// `gamma`. For `d = 1`, `p = 0`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < c <= 1`.
pub fn band_bound(c: &Rational) -> Result<Enclosure, HalfspaceError> {
    above_zero_at_most_one("c", c)?;
    let quotient = of(&(integer(2) * c)).divided_by(&Enclosure::pi(BITS))?;
    Ok(quotient.sqrt()?)
}

/// A lower bound on `err + err'`, the errors of *any* classifier, randomised or not, on two of the
/// distributions: `(theta/pi - p) / (1 - p)`.
///
/// Proof: where the two labels differ and `x` is outside both bands, one of the two is wrong, and both
/// densities are `1/(1-p)`. It remains to bound that mass from below by `theta/pi - p`. Given the radius
/// of `x` in the plane of the normal vectors, its angle is uniform, and a halfspace without its band is an
/// arc; let `2A` be its length (0 within the band). The arc of `w` and that of `-w'` have their centres
/// `pi - theta` apart, so that they lie in an arc of length `2A + pi - theta` and overlap in at least
/// `2A - pi + theta`; likewise the opposite two. And `E[4A/(2 pi)] = 1 - p`.
fn both_errors(disagreement: &Enclosure, band: &Enclosure) -> Result<Enclosure, HalfspaceError> {
    Ok((disagreement - band).divided_by(&band.complement())?)
}

/// A packing for Theorem 12: words at distance at least `fraction * d` in dimension `d = floor(c/gamma^2)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packing {
    /// The least probability that two of the halfspaces disagree.
    pub disagreement: Enclosure,
    /// The bound `sqrt(2c/pi)` on the mass of a band.
    pub band: Enclosure,
    /// The lower bound on the two errors of any classifier: above 0.2, no classifier has both at most 0.1.
    pub both_errors: Enclosure,
    /// `ln K >= rate * d` for the number of words.
    pub rate: Enclosure,
    /// `n epsilon >= slope / gamma^2 + offset`.
    pub slope: Enclosure,
    /// The constant term.
    pub offset: Enclosure,
}

/// The packing with these parameters, for all `gamma^2 <= c`.
///
/// Words: `K >= 2^d / sum_(i < fraction d) C(d,i)`, greedily (Gilbert, Varshamov), and that sum is at
/// most `exp(d H(fraction))`, where `H` is the entropy: `rate = ln 2 - H`.
///
/// Packing: for `n` records, group privacy gives each of `K - 1` disjoint events the probability
/// `0.9 exp(-n epsilon)`, together at most 0.1; so `n epsilon >= ln(9(K-1)) >= ln(9/2) + ln K` for
/// `K >= 2`, and `d >= c/gamma^2 - 1`. (`K >= 2` for every `d >= 1`: a word and its negative.)
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < fraction < 1/2` and `0 < c < 1`.
pub fn packing(fraction: &Rational, c: &Rational) -> Result<Packing, HalfspaceError> {
    let right = *fraction > Rational::zero() && *fraction < ratio(1, 2);
    require(right, "fraction", fraction, "strictly between 0 and 1/2")?;
    above_zero_below_one("c", c)?;
    let disagreement = disagreement(fraction)?;
    let band = band_bound(c)?;
    let rest = integer(1) - fraction;
    let entropy = -(of(fraction) * of(fraction).ln()? + of(&rest) * of(&rest).ln()?);
    let rate = Enclosure::ln_two(BITS) - entropy;
    Ok(Packing {
        both_errors: both_errors(&disagreement, &band)?,
        disagreement,
        band,
        slope: of(c) * &rate,
        offset: of(&ratio(9, 2)).ln()? - &rate,
        rate,
    })
}

/// The smallest change of the paper's proof: distance `d/4` instead of `d/10`.
///
/// # Errors
/// Those of the enclosures.
pub fn nearest_repair() -> Result<Packing, HalfspaceError> {
    packing(&ratio(1, 4), &ratio(1, 1000))
}

/// The repair with the best constant that we know: distance `0.28 d` and `d = floor(0.057/gamma^2)`.
///
/// # Errors
/// Those of the enclosures.
pub fn best_repair() -> Result<Packing, HalfspaceError> {
    packing(&ratio(28, 100), &ratio(57, 1000))
}

/// The number of records that every epsilon-private (1/10, 1/10, gamma)-learner of halfspaces needs, in
/// some dimension up to [`largest_dimension`]: at least `max(0.005711/gamma^2 + 1.40, 2.197) / epsilon`.
///
/// The first is [`best_repair`]. The second, `ln 9 / epsilon`, needs two distributions only: `+-1` on the
/// line, labelled by the two halfspaces of the line. Where `gamma^2 > 0.057` it is the larger of the two.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `epsilon > 0` and `0 < gamma <= 1`.
pub fn lower_bound(epsilon: &Rational, gamma: &Rational) -> Result<Rational, HalfspaceError> {
    above_zero("epsilon", epsilon)?;
    above_zero_at_most_one("gamma", gamma)?;
    let packed = ratio(5711, 1_000_000) / (gamma * gamma) + ratio(140, 100);
    Ok(packed.max(ratio(2197, 1000)) / epsilon)
}

/// A dimension that is enough for [`lower_bound`]: `max(1, floor(0.057/gamma^2))`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < gamma <= 1`.
pub fn largest_dimension(gamma: &Rational) -> Result<BigInt, HalfspaceError> {
    above_zero_at_most_one("gamma", gamma)?;
    let packed = (ratio(57, 1000) / (gamma * gamma)).floor().to_integer();
    Ok(packed.max(BigInt::one()))
}

/// The words of a greedy code of this length and distance, at least:
/// `ceil(2^length / sum_(i < distance) C(length, i))`. The first words may be chosen freely.
#[must_use]
pub fn gilbert_varshamov(length: u64, distance: u64) -> BigUint {
    let mut binomial = BigUint::one();
    let mut ball = BigUint::zero();
    for i in 0..distance.min(length + 1) {
        ball += &binomial;
        binomial = binomial * (length - i) / (i + 1);
    }
    // A distance of 0 forbids nothing.
    (BigUint::one() << length).div_ceil(&ball.max(BigUint::one()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::to_scientific;

    #[test]
    fn the_paper_s_agreement_is_the_disagreement() {
        let apart = disagreement(&ratio(1, 10)).unwrap();
        assert_eq!(to_scientific(&apart.lower(), 6), "0.204833");
        assert_eq!(to_scientific(&apart.complement().lower(), 6), "0.795167");
    }

    #[test]
    fn no_classifier_is_accurate_for_two_distributions_of_the_repairs() {
        let fifth = ratio(1, 5);
        let nearest = nearest_repair().unwrap();
        assert!(nearest.both_errors.is_above_rational(&fifth));
        assert_eq!(to_scientific(&nearest.both_errors.lower(), 5), "0.31608");
        let best = best_repair().unwrap();
        assert!(best.both_errors.is_above_rational(&fifth));
        assert_eq!(to_scientific(&best.disagreement.lower(), 6), "0.354978");
        assert_eq!(to_scientific(&best.band.lower(), 6), "0.190492");
        // The same inequality as theta/pi > 0.2 + 0.8 p.
        let needed = of(&fifth) + &best.band * of(&ratio(4, 5));
        assert!(needed.is_below(&best.disagreement));
        // The paper's own distance gives nothing.
        let printed = packing(&ratio(1, 10), &ratio(1, 1000)).unwrap();
        assert!(printed.both_errors.is_below_rational(&fifth));
    }

    #[test]
    fn the_constants_of_the_lower_bound_are_below_the_proved_ones() {
        let best = best_repair().unwrap();
        assert!(best.slope.is_above_rational(&ratio(5711, 1_000_000)));
        assert!(best.offset.is_above_rational(&ratio(140, 100)));
        assert!(
            of(&integer(9))
                .ln()
                .unwrap()
                .is_above_rational(&ratio(2197, 1000))
        );
        assert_eq!(to_scientific(&best.rate.lower(), 7), "0.1001939");
        let nearest = nearest_repair().unwrap();
        assert_eq!(to_scientific(&nearest.slope.lower(), 5), "0.00013081");
        assert_eq!(to_scientific(&nearest.offset.lower(), 5), "1.3733");
    }

    #[test]
    fn the_lower_bound_grows_with_the_inverse_square_of_the_margin() {
        let at = |gamma| lower_bound(&ratio(1, 10), &gamma).unwrap();
        assert_eq!(at(ratio(1, 100)), ratio(5851, 10));
        assert_eq!(at(integer(1)), ratio(2197, 100));
        assert_eq!(largest_dimension(&ratio(1, 100)).unwrap(), 570.into());
        assert_eq!(largest_dimension(&integer(1)).unwrap(), 1.into());
        assert!(largest_dimension(&integer(0)).is_err());
        assert!(lower_bound(&integer(0), &ratio(1, 2)).is_err());
        assert!(lower_bound(&integer(1), &integer(2)).is_err());
    }

    #[test]
    fn greedy_codes_have_the_words_of_the_entropy_bound() {
        let rate = best_repair().unwrap().rate;
        for length in 1..=600u64 {
            let distance = (28 * length).div_ceil(100);
            let words = gilbert_varshamov(length, distance);
            assert!(words >= BigUint::from(2u32));
            let log = Enclosure::integer(words, BITS).ln().unwrap();
            assert!((&rate * of(&integer(length))).is_below(&log));
        }
        for (length, words) in [(20, 170u32), (40, 2944), (60, 47_352)] {
            assert_eq!(gilbert_varshamov(length, length / 4), words.into());
        }
        assert_eq!(gilbert_varshamov(100, 25), BigUint::from(11_049_708u32));
        assert_eq!(gilbert_varshamov(3, 9), BigUint::one());
    }
}
