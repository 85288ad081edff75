//! The noise of Algorithm 1, `z` from `N(0, sigma^2 I_N)` with `sigma^2 = 8 ln(1.25/delta_p) /
//! (N epsilon_p^2 (1 - 2 eta))`: its length (Lemma 13), what it does to predictions (Theorem 12), and the
//! length of the noise of the Gamma mechanism.
//!
//! `|z|^2/sigma^2` is chi-square with `N` degrees of freedom, so that every claim about it can be decided.

use super::{BITS, Setting, fourth_root, of, whole};
use crate::number::range::{above_zero_below_one, require};
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use crate::random_features::RandomFeatureError;
use crate::stats::chi_square;

/// `E |z|^2 = N sigma^2 = 8 ln(1.25/delta_p) / ((1 - 2 eta) epsilon_p^2)`, for real noise. It depends on
/// neither `N` nor `m`, and is also the mean square of the noise in a prediction:
/// `E |sum_k z_k e^(i <w_k, x>)|^2` at every `x`.
///
/// # Errors
/// Those of the enclosures.
pub fn expected_square(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    let squared_epsilon = &setting.epsilon * &setting.epsilon;
    let factor = integer(8) / (squared_epsilon * setting.lower_edge());
    Ok(setting.log_privacy()? * of(&factor))
}

/// The bound of Lemma 13 on `|z|^2`, as printed:
/// `2 ln(1.25/delta_p)/((1 - 2 eta) epsilon_p^2) + 8 sqrt(2 ln(1/delta)) / (sqrt(N) (1 - 2 eta) epsilon_p)`.
///
/// # Errors
/// Those of the enclosures.
pub fn lemma_13_printed(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    length_printed(setting, &setting.lower_edge())
}

/// The second factor of the printed bounds, with `1 - 2 eta` (Lemma 13, Theorem 12) or with `1 - eta`
/// (Theorem 10) for `edge`.
pub(super) fn length_printed(
    setting: &Setting,
    edge: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let epsilon = &setting.epsilon;
    let leading = setting.log_privacy()? * of(&(integer(2) / (edge * epsilon * epsilon)));
    let root = setting
        .log_failure(1)?
        .shifted(1)
        .divided_by(&setting.n())?
        .sqrt()?;
    Ok(leading + root * of(&(integer(8) / (edge * epsilon))))
}

/// The probability that the printed bound of Lemma 13 holds, exactly: that of
/// `chi^2_N <= N/4 + sqrt(2 N ln(1/delta)) epsilon_p/ln(1.25/delta_p)`.
///
/// # Errors
/// Those of the tail.
pub fn lemma_13_holds(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    let variance = expected_square(setting)?.divided_by(&setting.n())?;
    let level = lemma_13_printed(setting)?.divided_by(&variance)?;
    Ok(chi_square::lower_tail(setting.features, &level)?)
}

/// `|z|^2` is at most this with probability `1 - delta`:
/// `N sigma^2 (1 + 2 sqrt(ln(1/delta)/N) + 2 ln(1/delta)/N)` (Laurent, Massart 2000, Lemma 1).
///
/// # Errors
/// Those of the enclosures.
pub fn lemma_13_corrected(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    let level = chi_square_level(setting.features, &setting.failure)?;
    Ok(expected_square(setting)? * level.divided_by(&setting.n())?)
}

/// `n + 2 sqrt(n l) + 2 l` with `l = ln(1/failure)`: a chi-square variable with `n` degrees of freedom is
/// above it with probability at most `failure`.
///
/// `ln E e^(s (X - n)) = -(n/2)(ln(1 - 2s) + 2s) <= n s^2/(1 - 2s)` for `0 < s < 1/2`; take
/// `1 - 2s = 1/(1 + 2 sqrt(l/n))`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `degrees >= 1` and `0 < failure < 1`.
pub fn chi_square_level(degrees: u64, failure: &Rational) -> Result<Enclosure, RandomFeatureError> {
    require(degrees >= 1, "degrees", &degrees, "at least 1")?;
    above_zero_below_one("failure", failure)?;
    let log = of(&failure.recip()).ln()?;
    let n = whole(degrees);
    let root = (&n * &log).sqrt()?;
    Ok(n + root.shifted(1) + log.shifted(1))
}

/// `n + 2 sqrt(2 n l)` with `l = ln(1/failure)`: what the sub-exponential tail bound of the printed proof
/// gives, with the parameters `(2 sigma^2, 4 sigma^2)` stated there.
///
/// That bound is Gaussian only up to deviations of `nu^2/alpha = n sigma^2`, that is, for `8 l <= n`.
///
/// # Errors
/// Those of [`chi_square_level`].
pub fn sub_exponential_level(
    degrees: u64,
    failure: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    require(degrees >= 1, "degrees", &degrees, "at least 1")?;
    above_zero_below_one("failure", failure)?;
    let log = of(&failure.recip()).ln()?;
    let n = whole(degrees);
    let root = (&n * log.shifted(1)).sqrt()?;
    Ok(n + root.shifted(1))
}

/// The bound of Theorem 12 on `|f# - fhat|`, as printed.
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_12_printed(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    prediction_printed(setting, &setting.lower_edge())
}

/// `sqrt(N) (sqrt((1 + 2 eta)/m) + (2 ln(1/delta)/m)^(1/4))` times the root of [`length_printed`].
pub(super) fn prediction_printed(
    setting: &Setting,
    edge: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let from_gram = of(&setting.upper_edge()).divided_by(&setting.m())?.sqrt()?;
    let from_sample = fourth_root(
        &setting
            .log_failure(1)?
            .shifted(1)
            .divided_by(&setting.m())?,
    )?;
    let length = length_printed(setting, edge)?.sqrt()?;
    Ok(setting.n().sqrt()? * (from_gram + from_sample) * length)
}

/// `|f# - fhat|` in `L2(mu)` is at most this with probability `1 - delta`, over the noise alone, whatever
/// `mu`, the data and the frequencies: `sqrt(N sigma^2 (1 + 2 sqrt(l) + 2 l))`, `l = ln(1/delta)`.
///
/// `|f# - fhat|^2 = z^T K z` for a positive semidefinite `K` of trace `N`, so it is `sigma^2` times a
/// weighted sum of squares, the weights at most `N` in sum and each ([`chi_square_level`] for weights).
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_12_corrected(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    let level = chi_square_level(1, &setting.failure)?;
    Ok((expected_square(setting)? * level).sqrt()?)
}

/// A bound on `Pr[z^T K z > r N sigma^2]` for every positive semidefinite `K` of trace `N`, `r > 1`:
/// `e^(-(r - 1 - ln r)/2)`.
///
/// With `E e^(s z^T K z/(sigma^2 N)) <= (1 - 2s)^(-1/2)`, since the product of the `1 - 2 s lambda_i/N` is
/// at least one minus the sum; at `2s = 1 - 1/r`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `r > 1`.
pub fn more_than(r: &Enclosure) -> Result<Enclosure, RandomFeatureError> {
    let right = r.is_above_rational(&integer(1));
    require(right, "r", r, "above 1")?;
    let exponent = (r - whole(1) - r.ln()?).shifted(-1);
    Ok((-exponent).exp()?)
}

/// A bound on `Pr[z^T K z <= x N sigma^2]` for every positive semidefinite `K` of trace `N`, `x <= 1`:
/// `sqrt(e x)`.
///
/// With `E e^(-s z^T K z/(sigma^2 N)) <= (1 + 2s)^(-1/2)`, since the product of the `1 + 2 s lambda_i/N` is
/// at least one plus the sum; at `1 + 2s = 1/x` it is `e^((1 - x)/2) sqrt(x)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 <= x <= 1`.
pub fn less_than(x: &Enclosure) -> Result<Enclosure, RandomFeatureError> {
    let right = !x.lo().is_negative() && x.upper() <= integer(1);
    require(right, "x", x, "between 0 and 1")?;
    let e = Enclosure::exp_of(&integer(1), BITS)?;
    Ok((e * x).sqrt()?)
}

/// The paper's bound on the length of the noise of the Gamma mechanism, with probability `1 - delta/2` as printed:
/// `sqrt(2/((1 - 2 eta) epsilon_p^2)) (sqrt(N) + sqrt(2/delta))`.
///
/// # Errors
/// Those of the enclosures.
pub fn gamma_length_printed(setting: &Setting) -> Result<Enclosure, RandomFeatureError> {
    let squared_epsilon = &setting.epsilon * &setting.epsilon;
    let outer = of(&(integer(2) / (setting.lower_edge() * squared_epsilon))).sqrt()?;
    let inner = setting.n().sqrt()? + of(&(integer(2) / &setting.failure)).sqrt()?;
    Ok(outer * inner)
}

/// The probability that the paper's bound on the length `R` of the noise of the Gamma mechanism holds,
/// `R <= sqrt(2/((1 - 2 eta) epsilon_p^2)) (sqrt(N) + sqrt(2/delta))`, exactly.
///
/// `R` has the law Gamma with shape `N` and rate `epsilon_p/Delta`, `Delta = 2/sqrt(N (1 - 2 eta))`; so
/// `2 R epsilon_p/Delta` is chi-square with `2N` degrees of freedom, and the bound is
/// `sqrt(2) (N + sqrt(2N/delta))` of it: `eta` and `epsilon_p` cancel.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `features >= 1` and `0 < failure < 1`.
pub fn gamma_length_holds(
    features: u64,
    failure: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let level = gamma_level(features, failure)? * of(&integer(2)).sqrt()?;
    Ok(chi_square::lower_tail(features.saturating_mul(2), &level)?)
}

/// The probability that the corrected bound holds, with 2 in place of `sqrt(2)`: it is at least
/// `1 - delta/2`, by Chebyshev's inequality (mean `N Delta/epsilon_p`, variance `N Delta^2/epsilon_p^2`).
///
/// # Errors
/// Those of [`gamma_length_holds`].
pub fn gamma_length_corrected_holds(
    features: u64,
    failure: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let level = gamma_level(features, failure)?.shifted(1);
    Ok(chi_square::lower_tail(features.saturating_mul(2), &level)?)
}

/// `N + sqrt(2N/delta)`.
fn gamma_level(features: u64, failure: &Rational) -> Result<Enclosure, RandomFeatureError> {
    require(features >= 1, "features", &features, "at least 1")?;
    above_zero_below_one("failure", failure)?;
    let deviation = of(&(integer(2) * integer(features) / failure)).sqrt()?;
    Ok(whole(features) + deviation)
}

/// What makes Theorem 12 true at failure `delta <= 1/5`, with `N >= 8 m ln(2m/delta)` (Theorem 8 with
/// `C2 >= 2` and `eta < 1/2`): a lower bound, for every `m >= 1`, on the square of its right-hand side over
/// `N sigma^2`, `2 ln(2/delta) (1 + 2 (2 l)^(1/4) + sqrt(2 l))`, `l = ln(1/delta)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < failure < 1`.
pub fn theorem_12_excess(failure: &Rational) -> Result<Enclosure, RandomFeatureError> {
    above_zero_below_one("failure", failure)?;
    let twice_log = of(&failure.recip()).ln()?.shifted(1);
    let sum = of(&integer(1)) + fourth_root(&twice_log)?.shifted(1) + twice_log.sqrt()?;
    Ok(of(&(integer(2) / failure)).ln()?.shifted(1) * sum)
}

/// `N sigma^2` of a setting divided into the square of a bound on `|f# - fhat|`.
///
/// # Errors
/// Those of the enclosures.
pub fn over_expected(
    bound: &Enclosure,
    setting: &Setting,
) -> Result<Enclosure, RandomFeatureError> {
    Ok(bound.squared().divided_by(&expected_square(setting)?)?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::usual;
    use super::*;
    use crate::number::rational::{parse, ratio, to_scientific};

    fn with_failure(features: u64, failure: &str) -> Setting {
        Setting {
            failure: parse(failure).unwrap(),
            ..usual(1000, features)
        }
    }

    #[test]
    fn lemma_13_fails_almost_surely() {
        for (features, failure, holds) in [
            (10, "0.01", "0.0271"),
            (20, "0.01", "0.00133"),
            (100, "0.01", "4.42e-14"),
            (1000, "0.01", "2.66e-135"),
            (1000, "0.1", "8.30e-137"),
        ] {
            let found = lemma_13_holds(&with_failure(features, failure)).unwrap();
            assert!(found.has_digits(10));
            assert_eq!(to_scientific(&found.midpoint().to_rational(), 3), holds);
        }
    }

    #[test]
    fn neither_eta_nor_the_number_of_records_matters_to_lemma_13() {
        let setting = usual(1000, 50);
        let other = Setting {
            eta: ratio(1, 10),
            records: 7,
            ..setting.clone()
        };
        let (one, two) = (lemma_13_holds(&setting), lemma_13_holds(&other));
        assert!(one.unwrap().meets(&two.unwrap()));
    }

    #[test]
    fn the_corrected_lemma_holds_and_a_quarter_of_it_does_not() {
        let setting = usual(1000, 1000);
        let level = chi_square_level(1000, &setting.failure).unwrap();
        let above = chi_square::upper_tail(1000, &level).unwrap();
        assert!(above.is_below_rational(&setting.failure));
        // The mutant: the leading term as printed.
        let quarter = level.shifted(-2);
        let above = chi_square::upper_tail(1000, &quarter).unwrap();
        assert!(above.is_above_rational(&ratio(999, 1000)));
    }

    #[test]
    fn the_mean_square_of_the_noise_in_a_prediction() {
        let exact = expected_square(&usual(1000, 1500)).unwrap();
        assert_eq!(to_scientific(&exact.upper(), 5), "375.55");
        for (features, printed) in [(1500, "121.4"), (5000, "220.6"), (100_000, "982.0")] {
            let bound = theorem_12_printed(&usual(1000, features)).unwrap();
            assert_eq!(to_scientific(&bound.upper(), 4), printed);
        }
    }

    #[test]
    fn the_weighted_tails_hold_where_they_can_be_computed() {
        // K = I: chi-square with N degrees of freedom; K of rank one: N times one squared normal variable.
        for r in [ratio(3, 2), integer(3), integer(20)] {
            let bound = more_than(&of(&r)).unwrap();
            for n in [1u64, 2, 10, 100] {
                let level = of(&(&r * integer(n)));
                let spread = chi_square::upper_tail(n, &level).unwrap();
                assert!(!bound.is_below(&spread));
            }
            assert!(!bound.is_below(&chi_square::upper_tail(1, &of(&r)).unwrap()));
        }
        for x in [ratio(1, 1000), ratio(1, 4), integer(1)] {
            let bound = less_than(&of(&x)).unwrap();
            for n in [1u64, 2, 10, 100] {
                let level = of(&(&x * integer(n)));
                assert!(!bound.is_below(&chi_square::lower_tail(n, &level).unwrap()));
            }
        }
        assert!(more_than(&whole(1)).is_err() && less_than(&whole(2)).is_err());
    }

    #[test]
    fn the_printed_gamma_bound_fails_and_the_corrected_one_holds() {
        let at = |n, function: fn(u64, &Rational) -> Result<Enclosure, RandomFeatureError>| {
            function(n, &ratio(1, 10)).unwrap()
        };
        assert_eq!(
            to_scientific(&at(100, gamma_length_holds).upper(), 3),
            "0.604"
        );
        let far = at(1000, gamma_length_holds);
        assert!(far.is_below_rational(&parse("1e-10").unwrap()));
        for n in [1, 2, 100, 1000] {
            let corrected = at(n, gamma_length_corrected_holds);
            assert!(corrected.is_above_rational(&ratio(95, 100)));
        }
    }

    #[test]
    fn the_printed_length_of_gamma_noise_at_squares() {
        // sqrt(2 / ((1/2) (1/2)^2)) (sqrt(9) + sqrt(2 / (1/8))) = 4 (3 + 4).
        let setting = Setting {
            eta: ratio(1, 4),
            epsilon: ratio(1, 2),
            failure: ratio(1, 8),
            ..usual(10, 9)
        };
        let length = gamma_length_printed(&setting).unwrap();
        assert!(length.contains(&integer(28)) && length.has_digits(20));
    }

    /// By floats in another language.
    #[test]
    fn the_bounds_have_the_values_of_their_formulas() {
        let setting = usual(1000, 1500);
        let fifth = ratio(1, 5);
        for (found, expected) in [
            (lemma_13_printed(&setting), "95.911"),
            (lemma_13_corrected(&setting), "410.62"),
            (theorem_12_corrected(&setting), "62.655"),
            (theorem_12_excess(&fifth), "25.204"),
            (sub_exponential_level(8, &fifth), "18.149"),
            (chi_square_level(8, &fifth), "18.395"),
            (more_than(&whole(3)), "0.63719"),
            (less_than(&of(&ratio(1, 4))), "0.82436"),
        ] {
            let found = found.unwrap().midpoint().to_rational();
            assert_eq!(to_scientific(&found, 5), expected);
        }
        // A bound that is the root of the mean square is 1 over it.
        let root = expected_square(&setting).unwrap().sqrt().unwrap();
        assert!(
            over_expected(&root, &setting)
                .unwrap()
                .contains(&integer(1))
        );
    }
}
