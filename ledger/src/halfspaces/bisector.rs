//! Claim 12.1 is false: the bisector of two halfspaces at Hamming distance `d/10` errs with less than
//! 1/10 on both distributions.
//!
//! The proof in the paper takes `theta/pi` for the probability that two halfspaces at angle `theta`
//! *agree*; it is the probability that they disagree ([`disagreement`]).

use dp_assay::halfspaces::HalfspaceError;
use dp_assay::halfspaces::bounds::lower_bound::{band_bound, disagreement};
use dp_assay::halfspaces::bounds::{BITS, of};
use dp_assay::number::range::{above_zero, require};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The bisector `w + w'` of two words `w, w'` in `{+-1/sqrt d}^d`, on the distribution of either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bisector {
    /// The dimension `d`.
    pub dimension: u64,
    /// The Hamming distance of the two words.
    pub distance: u64,
    /// The square of the margin.
    pub gamma_squared: Rational,
    /// The probability that the two halfspaces disagree, `theta/pi`.
    pub disagreement: Enclosure,
    /// The mass `p` of the band.
    pub band: Enclosure,
    /// The error of the bisector, on either distribution.
    pub error: Enclosure,
}

/// The error of the bisector in even dimension, in closed form.
///
/// In the plane of the two words a uniform point has a uniform angle and a radius `r` with
/// `Pr[r > s] = (1 - s^2)^k`, `k = (d-2)/2`. The bisector errs in two opposite wedges between its own
/// boundary and that of `w`; a point at angle `phi` from the latter is outside the band if
/// `r sin phi >= gamma`. So the error is `W/(1-p)`, where
/// `W = (1/pi) int (1 - gamma^2/sin^2 phi)^k d phi` from `arcsin gamma` to `theta/2`, and `1 - p` is twice
/// the same integral up to `pi/2`. In `c = cot phi` the integrand is `(1 - gamma^2 (1+c^2))^k / (1+c^2)`:
/// its constant term integrates to an arctangent, the rest is a polynomial. At Hamming distance `h`,
/// `sin^2(theta/2) = h/d`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `dimension >= 2` is even, `1 <= distance <= dimension/2` and
/// `0 < gamma_squared <= distance/dimension`.
pub fn bisector(
    dimension: u64,
    distance: u64,
    gamma_squared: &Rational,
) -> Result<Bisector, HalfspaceError> {
    let right = dimension >= 2 && dimension.is_multiple_of(2);
    require(right, "dimension", &dimension, "even and at least 2")?;
    let right = distance >= 1 && distance <= dimension / 2;
    require(
        right,
        "distance",
        &distance,
        "between 1 and half the dimension",
    )?;
    above_zero("gamma_squared", gamma_squared)?;
    let fraction = Rational::new(distance.into(), dimension.into());
    let expected = "at most the distance divided by the dimension";
    require(
        *gamma_squared <= fraction,
        "gamma_squared",
        gamma_squared,
        expected,
    )?;

    let k = (dimension - 2) / 2;
    // c and 1 + c^2 = 1/sin^2 phi at the two ends of the wedge.
    let primitive = |sine_squared: &Rational| -> Result<Enclosure, HalfspaceError> {
        let cosecant_squared = integer(1) / sine_squared;
        let c = of(&(&cosecant_squared - integer(1))).sqrt()?;
        Ok(c.atan() + &c * of(&polynomial(k, gamma_squared, &cosecant_squared)))
    };
    let far = primitive(gamma_squared)?;
    let outside = far.divided_by(&Enclosure::pi(BITS))?.shifted(1);
    let wedge = &far - primitive(&fraction)?;
    Ok(Bisector {
        dimension,
        distance,
        gamma_squared: gamma_squared.clone(),
        disagreement: disagreement(&fraction)?,
        band: outside.complement(),
        error: wedge.divided_by(&far)?.shifted(-1),
    })
}

/// `sum_(j=1..k) C(k,j) (-g)^j A_(j-1)`, where `c A_i` is the primitive of `(1 + c^2)^i` at `u = 1 + c^2`.
///
/// By parts, `(2i + 1) A_i = u^i + 2i A_(i-1)`.
fn polynomial(k: u64, g: &Rational, u: &Rational) -> Rational {
    let mut sum = Rational::zero();
    let mut primitive = Rational::one();
    let mut u_power = Rational::one();
    let mut coefficient = Rational::one();
    for j in 1..=k {
        coefficient = -coefficient * integer(k + 1 - j) / integer(j) * g;
        sum += &coefficient * &primitive;
        u_power *= u;
        primitive = (&u_power + primitive * integer(2 * j)) / integer(2 * j + 1);
    }
    sum
}

/// A bound on the error of the bisector at distance `d/10` and `gamma^2 = 1/(1000 d)`, for all `d >= 20`.
///
/// With `(1 - t)^k <= exp(-kt)` and `sin phi <= phi`, `W <= (1/pi) int_0^T exp(-a/phi^2) d phi`, where
/// `T = theta/2 = arctan(1/3)` and `a = k gamma^2 = (d-2)/(2000 d) >= 0.00045`. By parts and with
/// `u = sqrt(a)/phi`, the integral is `T exp(-a/T^2) - sqrt(pi a) erfc(sqrt(a)/T)`. The band has mass at
/// most `sqrt(2/(1000 pi))`.
///
/// # Errors
/// Those of the enclosures.
pub fn bisector_bound() -> Result<Enclosure, HalfspaceError> {
    let pi = Enclosure::pi(BITS);
    let a = of(&ratio(45, 100_000));
    let half_angle = of(&ratio(1, 3)).atan();
    let decay = (-a.divided_by(&half_angle.squared())?).exp()?;
    let tail = a.sqrt()?.divided_by(&half_angle)?.erfc();
    let integral = half_angle * decay - (&pi * a).sqrt()? * tail;
    let outside = band_bound(&ratio(1, 1000))?.complement();
    Ok(integral.divided_by(&(pi * outside))?)
}

/// A binary code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The length of the words.
    pub length: u64,
    /// The words, as the sets of their ones.
    pub words: Vec<BigUint>,
}

impl Code {
    /// A code as in the proof of Theorem 12: length `d = 20 j`, `K = 2^(d/20)` words, distance at least
    /// `d/10`; and two words at exactly that distance. Every bit of a `j`-bit number is repeated `2j` times.
    ///
    /// (For longer words see [`dp_assay::halfspaces::bounds::lower_bound::gilbert_varshamov`]: the greedy code that starts with two
    /// words at distance `d/10` has more than `2^(d/20)` words.)
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless `length` is 20, 40, ..., 200: the `j` blocks of `2j` must fit.
    pub fn of_the_paper(length: u64) -> Result<Self, HalfspaceError> {
        let right = length.is_multiple_of(20) && (20..=200).contains(&length);
        require(right, "length", &length, "a multiple of 20 from 20 to 200")?;
        let bits = length / 20;
        let block = (BigUint::one() << (2 * bits)) - 1u32;
        let word = |number: u64| {
            (0..bits)
                .filter(|bit| number >> bit & 1 == 1)
                .map(|bit| &block << (2 * bits * bit))
                .sum()
        };
        Ok(Self {
            length,
            words: (0..1 << bits).map(word).collect(),
        })
    }

    /// The smallest Hamming distance of two words, over all pairs.
    #[must_use]
    pub fn minimum_distance(&self) -> Option<u64> {
        let pairs = self.words.iter().enumerate();
        pairs
            .flat_map(|(i, a)| self.words[..i].iter().map(move |b| (a ^ b).count_ones()))
            .min()
    }
}

#[cfg(test)]
mod tests {
    use super::super::band::band;
    use super::*;
    use dp_assay::halfspaces::bounds::lower_bound::gilbert_varshamov;
    use dp_assay::number::rational::to_scientific;

    fn at_a_tenth(dimension: u64) -> Bisector {
        bisector(
            dimension,
            dimension / 10,
            &(ratio(1, 1000) / integer(dimension)),
        )
        .unwrap()
    }

    #[test]
    fn the_bisector_is_accurate_for_both() {
        for (dimension, error) in [
            (20, "0.092968"),
            (40, "0.092791"),
            (60, "0.092732"),
            (100, "0.092686"),
            (200, "0.092651"),
            (1000, "0.092623"),
        ] {
            let found = at_a_tenth(dimension);
            assert!(found.error.has_digits(25), "{}", found.error);
            assert!(found.error.is_below_rational(&ratio(1, 10)));
            assert_eq!(to_scientific(&found.error.lower(), 5), error);
        }
    }

    #[test]
    fn two_computations_of_the_band_agree() {
        for dimension in (20..=200).step_by(20) {
            let found = at_a_tenth(dimension);
            let mass = band(dimension, &found.gamma_squared).unwrap();
            assert!(found.band.meets(&mass) && found.band.has_digits(25));
        }
    }

    #[test]
    fn the_bound_holds_for_all_dimensions_and_is_below_a_tenth() {
        let bound = bisector_bound().unwrap();
        assert_eq!(to_scientific(&bound.upper(), 6), "0.0932457");
        for dimension in (20..=200).step_by(10) {
            assert!(at_a_tenth(dimension).error.is_below(&bound));
        }
    }

    #[test]
    fn a_slightly_larger_distance_saves_the_claim_from_the_bisector() {
        let at = |distance| bisector(100, distance, &ratio(1, 100_000)).unwrap().error;
        assert!(at(11).is_below_rational(&ratio(1, 10)));
        assert!(at(12).is_above_rational(&ratio(1, 10)));
    }

    #[test]
    fn the_counterexample_satisfies_the_paper_s_hypotheses() {
        for length in (20..=200).step_by(20) {
            let code = Code::of_the_paper(length).unwrap();
            assert_eq!(code.words.len(), 1 << (length / 20));
            assert_eq!(code.minimum_distance(), Some(length / 10));
            assert!(code.words.iter().all(|word| word.bits() <= length));
        }
        // Beyond: a greedy code, whatever its first two words.
        for length in (220..=600).step_by(20) {
            let greedy = gilbert_varshamov(length, length / 10);
            assert!(greedy > BigUint::one() << (length / 2));
        }
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(bisector(21, 2, &ratio(1, 1000)).is_err());
        assert!(bisector(20, 0, &ratio(1, 1000)).is_err());
        assert!(bisector(20, 2, &ratio(1, 5)).is_err());
        assert!(Code::of_the_paper(30).is_err());
    }
}
