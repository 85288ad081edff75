//! Theorem 8 with constants: when the eigenvalues of `G/N`, `G = A A*`, are near 1.
//!
//! `K` is the kernel matrix, `K_ij = exp(-s^2 |x_i - x_j|^2/2)` for frequencies from `N(0, s^2 I)`. The
//! paper quotes the theorem (Chen, Schaeffer, Ward 2022) with constants `C1`, `C2` that are not named;
//! those here come from our own proofs in `spec/random-features.md`: [`dimension_of_bounded_kurtosis`] and [`c2`].

use super::{BITS, of, require_eta, whole};
use crate::number::range::{above_zero, above_zero_below_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use crate::random_features::RandomFeatureError;
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// `|x_i - x_j|^2` from which on, for all pairs of `m` points, `|K - I| <= eta`: `(2/s^2) ln(m/eta)`
/// (8a). Gershgorin: a row of `K - I` sums to at most `(m - 1) eta/m`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records >= 1`, `0 < eta < 1` and `s^2 > 0`.
pub fn separation(
    records: u64,
    eta: &Rational,
    frequency_variance: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    above_zero_below_one("eta", eta)?;
    above_zero("the variance of the frequencies", frequency_variance)?;
    let log = of(&(integer(records) / eta)).ln()?;
    Ok(log * of(&(integer(2) / frequency_variance)))
}

/// `C2(eta) = 2 (1 + 4 eta/3)`: between 2 and 10/3 for `eta < 1/2`, at most 14/3 for `eta < 1`.
#[must_use]
pub fn c2(eta: &Rational) -> Rational {
    (Rational::one() + eta * ratio(4, 3)) * integer(2)
}

/// The frequencies `N` from which on `|G/N - I| <= 2 eta` with probability `1 - failure`, if
/// `|K - I| <= eta`: `C2(eta) eta^-2 m ln(2m/failure)` (8b).
///
/// Matrix Bernstein (Tropp 2012, Theorem 1.4) for `X_k = (a_k a_k* - K)/N`, where `a_k` is the `k`-th
/// column of `A`, `|a_k|^2 = m`: `|X_k| <= m/N`, and the sum of the `E X_k^2 = (m K - K^2)/N^2` is at most
/// `m (1 + eta)/N`. At distance `eta` the probability is at most
/// `2m exp(-(N eta^2/(2m))/((1 + eta) + eta/3))`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records >= 1`, `0 < eta < 1` and `0 < failure < 1`.
pub fn features_for_both_edges(
    records: u64,
    eta: &Rational,
    failure: &Rational,
) -> Result<BigUint, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    above_zero_below_one("eta", eta)?;
    above_zero_below_one("failure", failure)?;
    let m = integer(records);
    let log = of(&(integer(2) * &m / failure)).ln()?;
    Ok(ceiling(&(log * of(&(c2(eta) * m / (eta * eta))))))
}

/// The frequencies `N` from which on the least eigenvalue of `G/N` is at least `1 - 2 eta` with
/// probability `1 - failure`, if `|K - I| <= eta` (8c): all that privacy needs.
///
/// Matrix Chernoff (Tropp 2012, Theorem 1.1) for `a_k a_k*/N`, of norm `m/N`:
/// `Pr[lambda_min < 1 - 2 eta] <= m (e^-t (1 - t)^-(1 - t))^(N (1 - eta)/m)` with `t = eta/(1 - eta)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records >= 1`, `0 < eta < 1/2` and `0 < failure < 1`.
pub fn features_for_the_lower_edge(
    records: u64,
    eta: &Rational,
    failure: &Rational,
) -> Result<BigUint, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    require_eta(eta)?;
    above_zero_below_one("failure", failure)?;
    let m = integer(records);
    let log = of(&(&m / failure)).ln()?;
    let needed = (log * of(&m)).divided_by(&lower_edge_rate(eta)?)?;
    Ok(ceiling(&needed))
}

/// `(1 - eta) (t + (1 - t) ln(1 - t))` with `t = eta/(1 - eta)`: the exponent of (8c) for each `N/m`.
fn lower_edge_rate(eta: &Rational) -> Result<Enclosure, RandomFeatureError> {
    let t = eta / (Rational::one() - eta);
    let rest = Rational::one() - &t;
    let rate = of(&t) + of(&rest) * of(&rest).ln()?;
    Ok(rate * of(&(Rational::one() - eta)))
}

/// A bound on the probability that the least eigenvalue of `G/N` is below `1 - 2 eta`, if
/// `|K - I| <= eta` (8c); at most 1.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records, features >= 1` and `0 < eta < 1/2`.
pub fn lower_edge_failure(
    records: u64,
    features: u64,
    eta: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    require(features >= 1, "features", &features, "at least 1")?;
    require_eta(eta)?;
    let share = of(&Rational::new(features.into(), records.into()));
    let bound = whole(records) * (-(share * lower_edge_rate(eta)?)).exp()?;
    Ok(bound.min(&whole(1)))
}

/// A bound on the probability that two of `m` points from `N(0, (g^2/d) I)` are closer than `g` (8d):
/// `(m^2/2) exp(-(d/2) (ln 2 - 1/2))`, at most 1.
///
/// `|x - x'|^2` is `2 g^2/d` times a chi-square variable with `d` degrees of freedom, which is below
/// `d/2` with probability at most `(e^(1/2)/2)^(d/2)` (Chernoff).
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records, dimension >= 1`.
pub fn close_pair(records: u64, dimension: u64) -> Result<Enclosure, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    let pairs = whole(records).squared().shifted(-1);
    Ok((pairs * closeness(dimension)?).min(&whole(1)))
}

/// `(e^(1/2)/2)^(d/2)`, Chernoff's bound on `Pr[chi^2_d < d/2]`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `dimension >= 1`.
pub fn closeness(dimension: u64) -> Result<Enclosure, RandomFeatureError> {
    require(dimension >= 1, "dimension", &dimension, "at least 1")?;
    let rate = Enclosure::ln_two(BITS) - of(&ratio(1, 2));
    Ok((-(rate * whole(dimension).shifted(-1))).exp()?)
}

/// The least dimension at which (8d) leaves a probability of at most `failure`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records >= 1` and `0 < failure < 1`.
pub fn dimension_of_gaussian_data(
    records: u64,
    failure: &Rational,
) -> Result<BigUint, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    above_zero_below_one("failure", failure)?;
    let m = integer(records);
    let log = of(&(&m * &m / (integer(2) * failure))).ln()?;
    let rate = (Enclosure::ln_two(BITS) - of(&ratio(1, 2))).shifted(-1);
    Ok(ceiling(&log.divided_by(&rate)?))
}

/// A bound on the probability that two points of `d` independent coordinates each, of mean 0, variance `g^2/d` and
/// kurtosis at most `kurtosis`, are within `g`: `exp(-d/(4 (3 + kurtosis)))`.
///
/// `|x - x'|^2` is a sum of `d` independent `Y >= 0` with `E Y = 2 g^2/d` and `E Y^2 <= (2 kurtosis + 6) g^4/d^2`.
/// From `e^(-t Y) <= 1 - t Y + t^2 Y^2/2` the sum is `g^2` below its mean with probability at most
/// `exp(-g^4/(2 d E Y^2))`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `dimension >= 1` and `kurtosis > 0`.
pub fn closeness_of_bounded_kurtosis(
    dimension: u64,
    kurtosis: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    require(dimension >= 1, "dimension", &dimension, "at least 1")?;
    above_zero("kurtosis", kurtosis)?;
    let exponent = integer(dimension) / (integer(4) * (kurtosis + integer(3)));
    Ok((-of(&exponent)).exp()?)
}

/// The least dimension that Theorem 8 asks for with `C1 = 8 (3 + kurtosis)`: `C1 ln(m/failure)`. From there on the
/// `m^2/2` pairs of [`closeness_of_bounded_kurtosis`] have a close one with probability at most `failure^2/2`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records >= 1`, `kurtosis > 0` and `0 < failure < 1`.
pub fn dimension_of_bounded_kurtosis(
    records: u64,
    kurtosis: &Rational,
    failure: &Rational,
) -> Result<BigUint, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    above_zero("kurtosis", kurtosis)?;
    above_zero_below_one("failure", failure)?;
    let log = of(&(integer(records) / failure)).ln()?;
    Ok(ceiling(
        &(log * of(&(integer(8) * (kurtosis + integer(3))))),
    ))
}

/// The mean and the variance of `S`, the sum of `|G_ij/N|^2` over all `i != j`, for independent
/// uniform phases: `m(m - 1)/N` and `2 m (m - 1) (N - 1)/N^3`.
///
/// The `|G_ij|^2` of different pairs are uncorrelated, and the sum of `N` uniform phases has
/// `E |.|^2 = N` and `E |.|^4 = 2 N^2 - N`. All of it holds for the four phases 1, i, -1, -i as well.
#[must_use]
pub fn off_diagonal(records: u64, features: u64) -> (Rational, Rational) {
    let (m, n) = (integer(records), integer(features));
    let pairs = &m * (&m - integer(1));
    let mean = &pairs / &n;
    let variance = integer(2) * pairs * (&n - integer(1)) / (&n * &n * &n);
    (mean, variance)
}

/// A bound on the probability that `|G/N - I| <= 2 eta` for independent uniform phases, which are what
/// frequencies of large variance give: 1 if there is none.
///
/// `|G/N - I| <= 2 eta` makes the squares of its entries add up to at most `4 eta^2 m`. Where the mean of
/// that sum ([`off_diagonal`]) is more, Chebyshev's inequality says how unlikely this is. So `N` must be
/// at least about `(m - 1)/(4 eta^2)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records, features >= 1` and `0 < eta < 1/2`.
pub fn conclusion_at_most(
    records: u64,
    features: u64,
    eta: &Rational,
) -> Result<Rational, RandomFeatureError> {
    require(records >= 1, "records", &records, "at least 1")?;
    require(features >= 1, "features", &features, "at least 1")?;
    require_eta(eta)?;
    let (mean, variance) = off_diagonal(records, features);
    let allowed = integer(4) * eta * eta * integer(records);
    let gap = mean - allowed;
    if gap <= Rational::zero() {
        return Ok(Rational::one());
    }
    Ok((variance / (&gap * &gap)).min(Rational::one()))
}

/// The smallest natural number that is certainly not below the enclosed one.
fn ceiling(value: &Enclosure) -> BigUint {
    value.hi().ceil().to_biguint().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::to_scientific;

    #[test]
    fn the_constants_at_three_eighths() {
        let eta = ratio(3, 8);
        assert_eq!(c2(&eta), integer(3));
        let rate = lower_edge_rate(&eta).unwrap();
        let inverse = whole(1).divided_by(&rate).unwrap();
        assert_eq!(to_scientific(&inverse.upper(), 4), "6.853");
    }

    #[test]
    fn a_thousand_records_ask_for_a_quarter_million_features() {
        let (eta, failure) = (ratio(3, 8), ratio(1, 20));
        let both = features_for_both_edges(1000, &eta, &failure).unwrap();
        let lower = features_for_the_lower_edge(1000, &eta, &failure).unwrap();
        assert_eq!(both.to_string(), "226062");
        assert_eq!(lower.to_string(), "67866");
        // The least N of (8c) is where its probability reaches the failure allowed.
        let at = |n: u64| lower_edge_failure(1000, n, &eta).unwrap();
        assert!(at(67_866).is_below_rational(&ratio(1, 20)));
        assert!(at(67_865).is_above_rational(&ratio(1, 20)));
        let dimension = dimension_of_gaussian_data(1000, &failure).unwrap();
        assert_eq!(dimension.to_string(), "167");
        assert!(close_pair(1000, 167).unwrap().is_below_rational(&failure));
        assert!(close_pair(1000, 166).unwrap().is_above_rational(&failure));
    }

    #[test]
    fn with_a_few_features_the_conclusion_is_out_of_reach() {
        let eta = ratio(3, 8);
        for features in [1200, 1500] {
            let at_most = conclusion_at_most(1000, features, &eta).unwrap();
            assert!(at_most < ratio(1, 1000), "{at_most}");
        }
        assert_eq!(conclusion_at_most(1000, 1777, &eta).unwrap(), integer(1));
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        let half = ratio(1, 2);
        assert!(separation(0, &ratio(1, 4), &integer(1)).is_err());
        assert!(separation(2, &ratio(1, 4), &integer(0)).is_err());
        assert!(features_for_both_edges(2, &integer(1), &half).is_err());
        assert!(features_for_the_lower_edge(2, &half, &half).is_err());
        assert!(closeness_of_bounded_kurtosis(0, &integer(3)).is_err());
        assert!(dimension_of_bounded_kurtosis(2, &integer(0), &half).is_err());
        assert!(features_for_the_lower_edge(2, &ratio(1, 4), &integer(1)).is_err());
        assert!(lower_edge_failure(2, 0, &ratio(1, 4)).is_err());
        assert!(close_pair(2, 0).is_err());
        assert!(conclusion_at_most(2, 2, &half).is_err());
    }

    #[test]
    fn points_at_the_separation_have_a_kernel_of_eta_over_m() {
        let (records, eta, variance) = (10, ratio(1, 4), integer(3));
        let squared = separation(records, &eta, &variance).unwrap();
        let kernel = (-(squared * of(&(variance / integer(2))))).exp().unwrap();
        assert!(kernel.contains(&ratio(1, 40)) && kernel.has_digits(20));
    }

    #[test]
    fn off_diagonal_entries_of_four_phases_have_the_stated_moments() {
        // Two points and two frequencies: G_12 is the sum of two products of phases, and S = 2 |G_12|^2/4.
        let phase = |k: i64| [(1, 0), (0, 1), (-1, 0), (0, -1)][k as usize];
        let mut values = Vec::new();
        for first in 0..4 {
            for second in 0..4 {
                let ((a, b), (c, d)) = (phase(first), phase(second));
                values.push(ratio((a + c) * (a + c) + (b + d) * (b + d), 2));
            }
        }
        let count = integer(16);
        let mean = values.iter().sum::<Rational>() / &count;
        let squares: Rational = values.iter().map(|s| (s - &mean) * (s - &mean)).sum();
        assert_eq!(off_diagonal(2, 2), (mean, squares / count));
    }

    #[test]
    fn closeness_has_the_values_of_its_formulas() {
        // exp(-64/(4 (3 + 1))) = e^-4, and 8 (3 + 1) ln 2 = 22.2.
        let found = closeness_of_bounded_kurtosis(64, &integer(1)).unwrap();
        assert_eq!(to_scientific(&found.upper(), 6), "0.0183156");
        let dimension = dimension_of_bounded_kurtosis(1, &integer(1), &ratio(1, 2)).unwrap();
        assert_eq!(dimension.to_string(), "23");
        // sqrt(e)/2, squared in dimension 4.
        assert_eq!(to_scientific(&closeness(2).unwrap().upper(), 6), "0.824361");
        assert_eq!(to_scientific(&closeness(4).unwrap().upper(), 6), "0.679570");
        // Of three points in dimension 16: 9/2 (sqrt(e)/2)^8 = 9/2 (e/4)^4.
        assert_eq!(
            to_scientific(&close_pair(3, 16).unwrap().upper(), 6),
            "0.959733"
        );
        assert!(close_pair(3, 1).unwrap().contains(&integer(1)));
    }
}
