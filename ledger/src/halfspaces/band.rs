//! Lemma 16: the mass `p` of the band `|<w,x>| < gamma`, for `x` uniform on the unit sphere.

use dp_assay::halfspaces::HalfspaceError;
use dp_assay::halfspaces::bounds::{BITS, of};
use dp_assay::number::range::{above_zero, require};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The mass of the band in dimension `d`, for `d gamma^2 <= 1`.
///
/// A coordinate has density `c (1 - t^2)^e`, `e = (d - 3)/2` (for `d >= 2`), so that
/// `p = 2 c gamma sum_j a_j gamma^2j / (2j + 1)`, where `a_j` is the coefficient of `t^2j`. As
/// `a_(j+1)/a_j = (j - e)/(j + 1)` and `d gamma^2 <= 1`, each term is at most half the one before: what
/// is left out is at most the last term kept. In dimension 1 the sphere is `{-1, 1}`, and `p = 0`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `dimension >= 1` and `0 < dimension gamma_squared <= 1`.
pub fn band(dimension: u64, gamma_squared: &Rational) -> Result<Enclosure, HalfspaceError> {
    check(dimension, gamma_squared)?;
    if dimension == 1 {
        return Ok(of(&Rational::zero()));
    }
    let e = ratio(1, 2) * (integer(dimension) - integer(3));
    let mut power = of(&Rational::one());
    let mut sum = of(&Rational::zero());
    let mut j = 0u32;
    let last = loop {
        let term = &power * of(&ratio(1, i64::from(2 * j + 1)));
        sum = sum + &term;
        if term.abs().hi().magnitude() < -i64::from(BITS) {
            break term.abs();
        }
        power = power * of(&((integer(j) - &e) / integer(j + 1) * gamma_squared));
        j += 1;
    };
    let sum = sum.widened(last.hi());
    Ok((density_at_zero(dimension)? * of(gamma_squared).sqrt()? * sum).shifted(1))
}

fn check(dimension: u64, gamma_squared: &Rational) -> Result<(), HalfspaceError> {
    require(dimension > 0, "dimension", &dimension, "at least 1")?;
    above_zero("gamma_squared", gamma_squared)?;
    let right = integer(dimension) * gamma_squared <= Rational::one();
    let expected = "at most one divided by the dimension";
    Ok(require(right, "gamma_squared", gamma_squared, expected)?)
}

/// `Gamma(d/2) / (sqrt(pi) Gamma((d-1)/2))` for `d >= 2`.
///
/// It is `1/pi` for `d = 2` and `1/2` for `d = 3`, and grows by `d/(d-1)` from `d` to `d + 2`. With
/// `b = C(2i, i) / 4^i` it is therefore `1/(pi b)` for `d = 2i + 2` and `(2i + 1) b / 2` for `d = 2i + 3`.
fn density_at_zero(dimension: u64) -> Result<Enclosure, HalfspaceError> {
    let i = (dimension - 2) / 2;
    let mut central = BigUint::one();
    for k in 1..=i {
        // C(2k, k) = C(2k-2, k-1) 2 (2k-1) / k
        central = central * (2 * (2 * k - 1)) / k;
    }
    let central = Enclosure::integer(central, BITS);
    let quarters =
        Enclosure::integer(1, BITS).shifted(2 * i64::try_from(i).unwrap_or(i64::MAX / 2));
    if dimension.is_multiple_of(2) {
        return Ok(quarters.divided_by(&(Enclosure::pi(BITS) * central))?);
    }
    let numerator = central * of(&integer(2 * i + 1));
    Ok(numerator.divided_by(&quarters)?.shifted(-1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::halfspaces::bounds::lower_bound::band_bound;
    use dp_assay::number::range::above_zero_below_one;
    use dp_assay::number::rational::{parse, to_scientific};

    /// The mass of the band in the plane, `(2/pi) arcsin(gamma)`, for `0 < gamma^2 < 1`.
    fn band_in_the_plane(gamma_squared: &Rational) -> Result<Enclosure, HalfspaceError> {
        above_zero_below_one("gamma_squared", gamma_squared)?;
        // tan(arcsin(gamma)) = gamma / sqrt(1 - gamma^2)
        let tangent = of(&(gamma_squared / (integer(1) - gamma_squared))).sqrt()?;
        Ok(tangent.atan().shifted(1).divided_by(&Enclosure::pi(BITS))?)
    }

    fn thousandth(dimension: u64) -> Rational {
        ratio(1, 1000) / integer(dimension)
    }

    #[test]
    fn masses_at_the_paper_s_dimension() {
        for (dimension, mass) in [
            (2, "0.014236"),
            (3, "0.018257"),
            (5, "0.021212"),
            (10, "0.023279"),
            (20, "0.024268"),
            (100, "0.025037"),
            (1000, "0.025208"),
        ] {
            let mass_found = band(dimension, &thousandth(dimension)).unwrap();
            assert!(mass_found.has_digits(25));
            assert_eq!(
                to_scientific(&mass_found.lower(), 5),
                mass,
                "d = {dimension}"
            );
        }
        assert!(band(1, &thousandth(1)).unwrap().contains(&integer(0)));
    }

    #[test]
    fn lemma_16_holds_and_is_seven_times_too_large() {
        for dimension in 2..=1000 {
            let mass = band(dimension, &thousandth(dimension)).unwrap();
            let bound = band_bound(&ratio(1, 1000)).unwrap();
            assert!(mass.is_below(&bound));
            assert!(bound.is_below_rational(&(ratio(2, 10) / integer(7))));
        }
    }

    #[test]
    fn the_series_is_the_closed_form_in_two_and_three_dimensions() {
        let gamma_squared = ratio(1, 4);
        let plane = band(2, &gamma_squared).unwrap();
        assert!(plane.meets(&band_in_the_plane(&gamma_squared).unwrap()));
        assert!(plane.contains(&ratio(1, 3)) && plane.has_digits(30));
        let space = band(3, &gamma_squared).unwrap();
        assert!(space.contains(&ratio(1, 2)) && space.has_digits(30));
    }

    #[test]
    fn the_form_with_d_minus_one_fails_in_the_plane_for_wide_bands() {
        let form = |gamma: &Rational| band_bound(&(gamma * gamma)).unwrap();
        let mass = |gamma: &Rational| band_in_the_plane(&(gamma * gamma)).unwrap();
        let (below, above) = (parse("0.9075").unwrap(), parse("0.9076").unwrap());
        assert!(mass(&below).is_below(&form(&below)));
        assert!(form(&above).is_below(&mass(&above)));
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(band(0, &ratio(1, 10)).is_err());
        assert!(band(20, &ratio(1, 10)).is_err());
        assert!(band(2, &integer(0)).is_err());
        assert!(band_in_the_plane(&integer(1)).is_err());
    }
}
