//! Theorems 10 and 11: how far the model is from the target `f`, in `L2(mu)`.
//!
//! Notation: `l = ln(1/delta)`, `L = ln(2/delta)`. Theorem 11 bounds `|f - f#|` by a coefficient times
//! `|f|`; Theorem 10 adds the noise, in Theorem 12's bound. Both take Theorem 8's conclusion for granted,
//! with probability `1 - 3 delta` for the data and as much for `m` fresh points.

use super::approximation::{approximation, squared_norm};
use super::noise::{prediction_printed, theorem_12_corrected};
use super::{Setting, fourth_root, of};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use crate::random_features::RandomFeatureError;

/// The three terms of a bound on `|f - f#|/|f|`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// `|f - f*|`, of the best approximation by the features.
    pub approximation: Enclosure,
    /// Of `f* - f#`: that the labels are those of `f` and not of `f*`.
    pub labels: Enclosure,
    /// Of `f* - f#`: that the data do not determine the coefficients.
    pub coefficients: Enclosure,
}

impl Terms {
    /// Their sum.
    #[must_use]
    pub fn sum(&self) -> Enclosure {
        &self.approximation + &self.labels + &self.coefficients
    }
}

/// Theorem 11 as printed, with probability `1 - 8 delta`:
/// `14 L/sqrt(N) + 28 (2 m l)^(1/4) L/sqrt(N (1 - 2 eta)) + (32 l/m)^(1/4) sqrt(L)`.
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_11_printed(setting: &Setting) -> Result<Terms, RandomFeatureError> {
    let log = setting.log_failure(1)?;
    let log_two = setting.log_failure(2)?;
    let root_n = setting.n().sqrt()?;
    let edge = of(&setting.lower_edge()).sqrt()?;
    let approximation = (&log_two * of(&integer(14))).divided_by(&root_n)?;
    let growth = fourth_root(&(setting.m() * log.shifted(1)))?;
    let labels = (growth * &log_two * of(&integer(28))).divided_by(&(root_n * edge))?;
    let decay = fourth_root(&log.shifted(5).divided_by(&setting.m())?)?;
    Ok(Terms {
        approximation,
        labels,
        coefficients: decay * log_two.sqrt()?,
    })
}

/// What is proved in place of Theorem 11, with probability `1 - 6 delta - 4 share` for any `share` in
/// (0, 1): two Gram matrices (Theorem 8), and four events at `share`.
///
/// With `q1 = 1 + 4 L + sqrt(2 L)`, `q2 = 1 + 2 l/3 + sqrt(2 l)` and `P^2 = (1 + 2 eta)/m + sqrt(l/(2m))`,
/// all logarithms at `share`: `q1/sqrt(N) + P sqrt(m) q1/sqrt(N (1 - 2 eta)) + P sqrt(q2)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < share < 1`.
pub fn theorem_11_proved(setting: &Setting, share: &Rational) -> Result<Terms, RandomFeatureError> {
    let q1 = approximation(share)?;
    let q2 = squared_norm(share)?;
    let log = of(&share.recip()).ln()?;
    let root_n = setting.n().sqrt()?;
    let edge = of(&setting.lower_edge()).sqrt()?;
    let from_sample = log.shifted(-1).divided_by(&setting.m())?.sqrt()?;
    let from_gram = of(&setting.upper_edge()).divided_by(&setting.m())?;
    let p = (from_gram + from_sample).sqrt()?;
    Ok(Terms {
        approximation: q1.divided_by(&root_n)?,
        labels: (&p * setting.m().sqrt()? * q1).divided_by(&(root_n * edge))?,
        coefficients: p * q2.sqrt()?,
    })
}

/// Each term of [`theorem_11_proved`] at `share = delta/2` over its term of [`theorem_11_printed`], at
/// `m = 1` and `1 + 2 eta = 2` (the labels' term without the common factor `sqrt(N (1 - 2 eta))`).
///
/// All three fall as `delta` falls and as `m` grows, so that their being below 1 at `delta = 1/8` proves
/// Theorem 11, with its own `1 - 8 delta`, for every `delta < 1/8`; for other `delta` it says nothing.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < failure < 1`.
pub fn theorem_11_worst_ratios(failure: &Rational) -> Result<[Enclosure; 3], RandomFeatureError> {
    let share = failure * ratio(1, 2);
    let (q1, q2) = (approximation(&share)?, squared_norm(&share)?);
    let log = of(&failure.recip()).ln()?;
    let log_two = of(&share.recip()).ln()?;
    let p_squared = of(&integer(2)) + log_two.shifted(-1).sqrt()?;
    let first = q1.divided_by(&(&log_two * of(&integer(14))))?;
    let growth = fourth_root(&log.shifted(1))?;
    let second = (p_squared.sqrt()? * &q1).divided_by(&(growth * &log_two * of(&integer(28))))?;
    let decay = fourth_root(&log.shifted(5))? * log_two.sqrt()?;
    let third = (p_squared * q2).sqrt()?.divided_by(&decay)?;
    Ok([first, second, third])
}

/// The two terms of (16), the printed bound on `|c* - c#|/|f|`, over those that are proved with probability
/// `1 - 2 delta`: `q1/(14 L)` and `(q2/(16 L))^(1/2)`, with `q1` and `q2` at `delta/4`, `L = ln(2/delta)`.
///
/// The common factors `sqrt(m)/(N sqrt(1 - 2 eta))` and `1/sqrt(N)` cancel. Both fall as `delta` falls, so that their
/// being below 1 at `delta = 1/2` proves (16) for every `delta <= 1/2`; for more it says nothing.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < failure < 1`.
pub fn equation_16_ratios(failure: &Rational) -> Result<[Enclosure; 2], RandomFeatureError> {
    let share = failure * ratio(1, 4);
    let (q1, q2) = (approximation(&share)?, squared_norm(&share)?);
    let log_two = of(&(integer(2) / failure)).ln()?;
    let labels = q1.divided_by(&(&log_two * of(&integer(14))))?;
    let coefficients = q2.divided_by(&log_two.shifted(4))?.sqrt()?;
    Ok([labels, coefficients])
}

/// The two sides of the last step of the printed proof of Theorem 11, (17), over `|f|`: what was derived,
/// `(N (1 + 2 eta)/m + sqrt(2 l) N/sqrt(m))^(1/2) (sqrt(m) 14 L/(N sqrt(1 - 2 eta)) + 4 sqrt(L/N))`, and
/// what is said to be at least as large, the last two terms of Theorem 11.
///
/// # Errors
/// Those of the enclosures.
pub fn equation_17(setting: &Setting) -> Result<(Enclosure, Enclosure), RandomFeatureError> {
    let log_two = setting.log_failure(2)?;
    let from_gram = of(&setting.upper_edge()).divided_by(&setting.m())?;
    let from_sample = setting
        .log_failure(1)?
        .shifted(1)
        .divided_by(&setting.m())?
        .sqrt()?;
    let p = (from_gram + from_sample).sqrt()?;
    let labels = (setting.m().sqrt()? * &log_two * of(&integer(14)))
        .divided_by(&(setting.n() * of(&setting.lower_edge())).sqrt()?)?;
    let derived = p * (labels + log_two.sqrt()?.shifted(2));
    let printed = theorem_11_printed(setting)?;
    Ok((derived, printed.labels + printed.coefficients))
}

/// Theorem 10 as printed, for a target of norm `|f|`: with `1 - eta` in the noise, where Theorem 12 has
/// `1 - 2 eta`. Probability `1 - 9 delta`.
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_10_printed(
    setting: &Setting,
    norm: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let edge = integer(1) - &setting.eta;
    let noise = prediction_printed(setting, &edge)?;
    Ok(theorem_11_printed(setting)?.sum() * of(norm) + noise)
}

/// Theorem 10 with `1 - 2 eta` in both places, and its own probability `1 - 9 delta`: Theorem 11 takes
/// `8 delta`, and Theorem 12 holds with `1 - delta/2`.
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_10_corrected(
    setting: &Setting,
    norm: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let noise = prediction_printed(setting, &setting.lower_edge())?;
    Ok(theorem_11_printed(setting)?.sum() * of(norm) + noise)
}

/// The best that is proved, with probability `1 - 9 delta`: [`theorem_11_proved`] at `delta/2` and
/// [`theorem_12_corrected`].
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_10_proved(
    setting: &Setting,
    norm: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    let share = &setting.failure * ratio(1, 2);
    let model = theorem_11_proved(setting, &share)?.sum();
    Ok(model * of(norm) + theorem_12_corrected(setting)?)
}

#[cfg(test)]
mod tests {
    use super::super::noise::{less_than, over_expected};
    use super::super::tests::usual;
    use super::*;
    use crate::number::rational::to_scientific;

    #[test]
    fn what_is_proved_is_below_what_is_printed() {
        for ratio in theorem_11_worst_ratios(&ratio(1, 8)).unwrap() {
            assert!(ratio.is_below_rational(&integer(1)), "{ratio}");
        }
        for (m, n) in [(1, 1), (10, 1000), (1000, 1500), (1_000_000, 1_000_000_000)] {
            let setting = usual(m, n);
            let share = &setting.failure / integer(2);
            let (proved, printed) = (
                theorem_11_proved(&setting, &share).unwrap(),
                theorem_11_printed(&setting).unwrap(),
            );
            assert!(proved.approximation.is_below(&printed.approximation));
            assert!(proved.labels.is_below(&printed.labels));
            assert!(proved.coefficients.is_below(&printed.coefficients));
        }
    }

    #[test]
    fn the_last_step_of_the_printed_proof_is_wrong() {
        let (derived, printed) = equation_17(&usual(1000, 1_000_000_000)).unwrap();
        assert!(printed.is_below(&derived));
    }

    #[test]
    fn one_minus_eta_for_one_minus_two_eta_is_caught() {
        let setting = Setting {
            eta: ratio(1, 2) - ratio(1, 1_000_000_000),
            ..usual(1000, 200_000)
        };
        let zero = integer(0);
        let printed = theorem_10_printed(&setting, &zero).unwrap();
        let share = over_expected(&printed, &setting).unwrap();
        assert!(less_than(&share).unwrap().is_below_rational(&ratio(1, 50)));
        let corrected = theorem_10_corrected(&setting, &zero).unwrap();
        let share = over_expected(&corrected, &setting).unwrap();
        assert!(share.is_above_rational(&integer(25)));
    }

    #[test]
    fn the_values_at_the_paper_s_smallest_experiment() {
        let setting = usual(1000, 1500);
        let zero = integer(0);
        let shown = |value: Enclosure| to_scientific(&value.upper(), 4);
        assert_eq!(shown(theorem_10_printed(&setting, &zero).unwrap()), "76.78");
        assert_eq!(
            shown(theorem_10_corrected(&setting, &zero).unwrap()),
            "121.4"
        );
    }

    /// By floats in another language.
    #[test]
    fn the_terms_have_the_values_of_their_formulas() {
        let setting = usual(1000, 1500);
        let shown = |value: &Enclosure| to_scientific(&value.midpoint().to_rational(), 5);
        let terms = |terms: Terms| {
            assert!(terms.sum().has_digits(20));
            [&terms.approximation, &terms.labels, &terms.coefficients].map(shown)
        };
        let printed = theorem_11_printed(&setting).unwrap();
        assert_eq!(terms(printed), ["1.3335", "46.927", "1.0687"]);
        let proved = theorem_11_proved(&setting, &ratio(1, 40)).unwrap();
        assert_eq!(terms(proved), ["0.55483", "7.4187", "0.52538"]);
        let [first, second, third] = theorem_11_worst_ratios(&ratio(1, 8)).unwrap();
        assert_eq!(
            [&first, &second, &third].map(shown),
            ["0.45073", "0.28131", "0.85498"]
        );
        let [labels, coefficients] = equation_16_ratios(&ratio(1, 2)).unwrap();
        assert_eq!([&labels, &coefficients].map(shown), ["0.74429", "0.44668"]);
        let (derived, said) = equation_17(&setting).unwrap();
        assert_eq!([&derived, &said].map(shown), ["25.889", "47.995"]);
        let model = theorem_10_proved(&setting, &integer(2)).unwrap();
        assert_eq!(shown(&model), "79.653");
    }
}
