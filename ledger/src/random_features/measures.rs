//! The two measures of fairness (Section 2.3), exactly.
//!
//! - Excess risk: for squared loss, a linear model and noise of mean zero and covariance `s^2 I` on its
//!   coefficients, the noise costs `s^2` times the mean squared norm of the features, and nothing else: the
//!   cross term has mean zero. The gap of a group is an equality, not an approximation.
//! - Statistical parity: the Kolmogorov–Smirnov distance of two samples, by one pass through both.

use dp_assay::number::Rational;
use dp_assay::number::range::require;
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{Complex, product, squared_norm};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The mean over the rows of `|phi|^2`: half the trace of the Hessian of the mean squared loss.
///
/// # Errors
/// [`OptimiseError::Length`] for no rows.
pub(super) fn mean_squared_norm(rows: &[Vec<Complex>]) -> Result<Rational, OptimiseError> {
    if rows.is_empty() {
        return Err(OptimiseError::Length {
            what: "a group",
            expected: 1,
            found: 0,
        });
    }
    let sum: Rational = rows.iter().map(|row| squared_norm(row)).sum();
    Ok(sum / BigInt::from(rows.len()))
}

/// The excess risk on these rows of real noise of mean zero and covariance `variance I` on the coefficients
/// (Definition 3): `variance` times the mean of `|phi|^2`, whatever the coefficients and labels.
///
/// For complex noise, with this variance in both parts, it is twice that.
///
/// # Errors
/// [`OptimiseError::Length`] for no rows.
pub(super) fn excess_risk(
    rows: &[Vec<Complex>],
    variance: &Rational,
) -> Result<Rational, OptimiseError> {
    Ok(mean_squared_norm(rows)? * variance)
}

/// The excess risk gap of a group (Definition 4): `variance |mean_a |phi|^2 - mean |phi|^2|`, which is
/// `variance/2` times the difference of the traces of the Hessians.
///
/// # Errors
/// [`OptimiseError::Length`] for no rows.
pub(super) fn excess_risk_gap(
    group: &[Vec<Complex>],
    all: &[Vec<Complex>],
    variance: &Rational,
) -> Result<Rational, OptimiseError> {
    Ok((excess_risk(group, variance)? - excess_risk(all, variance)?).abs())
}

/// The trace of the Hessian of `(1/m) sum |<phi, c> - y|^2` in real coefficients, by second differences along each
/// axis: exact, as the risk is a quadratic function.
///
/// # Errors
/// [`OptimiseError::Length`] for no rows.
pub(super) fn trace_of_hessian(
    rows: &[Vec<Complex>],
    labels: &[Complex],
) -> Result<Rational, OptimiseError> {
    let width = rows.first().map_or(0, Vec::len);
    let origin = vec![Complex::zero(); width];
    let at_origin = risk(rows, labels, &origin)?;
    let mut trace = Rational::zero();
    for axis in 0..width {
        for sign in [1, -1] {
            let mut c = origin.clone();
            c[axis].re = Rational::from_integer(sign.into());
            trace += risk(rows, labels, &c)? - &at_origin;
        }
    }
    Ok(trace)
}

/// The mean squared loss `(1/m) sum |<phi, c> - y|^2` (equation (1)).
///
/// # Errors
/// [`OptimiseError::Length`] for no rows, or labels that are not as many.
pub(super) fn risk(
    rows: &[Vec<Complex>],
    labels: &[Complex],
    c: &[Complex],
) -> Result<Rational, OptimiseError> {
    if rows.is_empty() || rows.len() != labels.len() {
        return Err(OptimiseError::Length {
            what: "the labels of a group",
            expected: rows.len().max(1),
            found: labels.len(),
        });
    }
    let losses = rows
        .iter()
        .zip(labels)
        .map(|(row, label)| (&product(row, c) - label).squared());
    Ok(losses.sum::<Rational>() / BigInt::from(rows.len()))
}

/// The mean risk of `c + z` less the risk of `c`, over all `2^d` sign vectors `z` times `deviation`: a noise of mean
/// zero and covariance `deviation^2 I`, enumerated.
///
/// # Errors
/// [`OptimiseError::Parameter`] for more than 16 coefficients; [`OptimiseError::Length`].
pub(super) fn excess_risk_by_enumeration(
    rows: &[Vec<Complex>],
    labels: &[Complex],
    c: &[Complex],
    deviation: &Rational,
) -> Result<Rational, OptimiseError> {
    let expected = "at most 16, to enumerate all signs";
    require(
        c.len() <= 16,
        "the number of coefficients",
        &c.len(),
        expected,
    )?;
    let vectors = 1u32 << c.len();
    let mut sum = Rational::zero();
    for signs in 0..vectors {
        let mut noisy = c.to_vec();
        for (place, entry) in noisy.iter_mut().enumerate() {
            if signs >> place & 1 == 1 {
                entry.re += deviation;
            } else {
                entry.re -= deviation;
            }
        }
        sum += risk(rows, labels, &noisy)?;
    }
    Ok(sum / BigInt::from(vectors) - risk(rows, labels, c)?)
}

/// The mean of `(phi . z)^2` over all vectors of signs `z`: what noise of variance 1 in each coordinate adds to a
/// squared error.
pub(super) fn mean_square_over_signs(row: &[Rational]) -> Rational {
    let cases = 1u64 << row.len();
    let mut sum = Rational::zero();
    for signs in 0..cases {
        let mut product = Rational::zero();
        for (k, value) in row.iter().enumerate() {
            if signs >> k & 1 == 1 {
                product += value;
            } else {
                product -= value;
            }
        }
        sum += &product * &product;
    }
    sum / BigInt::from(cases)
}

/// The Kolmogorov–Smirnov distance `sup_t |F_a(t) - F_b(t)|` of two samples, exactly, ties and all.
///
/// Both distribution functions are constant between neighbouring points of the merged samples, and continuous from
/// the right: the supremum is attained at a point of one of them, or the functions agree everywhere. The limit from
/// the left at a point is the value at the point before.
///
/// # Errors
/// [`OptimiseError::Length`] for an empty sample.
pub(super) fn kolmogorov_smirnov(
    a: &[Rational],
    b: &[Rational],
) -> Result<Rational, OptimiseError> {
    if a.is_empty() || b.is_empty() {
        return Err(OptimiseError::Length {
            what: "a sample",
            expected: 1,
            found: 0,
        });
    }
    // 1. Both samples in order.
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort();
    b.sort();
    // 2. At each point of either, how many of each are at most it.
    let (mut of_a, mut of_b) = (0, 0);
    let mut largest = Rational::zero();
    while of_a < a.len() && of_b < b.len() {
        let point = a[of_a].clone().min(b[of_b].clone());
        // 3. All that are equal to the point are passed before the functions are compared.
        of_a += a[of_a..]
            .iter()
            .take_while(|value| **value == point)
            .count();
        of_b += b[of_b..]
            .iter()
            .take_while(|value| **value == point)
            .count();
        let gap =
            Rational::new(of_a.into(), a.len().into()) - Rational::new(of_b.into(), b.len().into());
        largest = largest.max(gap.abs());
    }
    // 4. Past the end of one sample its function is 1, and the gap only shrinks.
    Ok(largest)
}

/// The same over the points of a grid alone, as the experiments have it: never above the exact distance.
///
/// # Errors
/// [`OptimiseError::Length`] for an empty sample.
pub(super) fn kolmogorov_smirnov_on_grid(
    a: &[Rational],
    b: &[Rational],
    grid: &[Rational],
) -> Result<Rational, OptimiseError> {
    let at_most = |sample: &[Rational], t: &Rational| -> Result<Rational, OptimiseError> {
        if sample.is_empty() {
            return Err(OptimiseError::Length {
                what: "a sample",
                expected: 1,
                found: 0,
            });
        }
        let count = sample.iter().filter(|value| *value <= t).count();
        Ok(Rational::new(count.into(), sample.len().into()))
    };
    let mut largest = Rational::zero();
    for t in grid {
        largest = largest.max((at_most(a, t)? - at_most(b, t)?).abs());
    }
    Ok(largest)
}

/// The statistical parity gap (Definition 5): the largest distance between two groups.
///
/// # Errors
/// [`OptimiseError::Length`] for an empty group.
pub(super) fn statistical_parity(groups: &[Vec<Rational>]) -> Result<Rational, OptimiseError> {
    let mut largest = Rational::zero();
    for (place, a) in groups.iter().enumerate() {
        for b in &groups[..place] {
            largest = largest.max(kolmogorov_smirnov(a, b)?);
        }
    }
    Ok(largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};
    use dp_assay::optimise::exact::reals;
    use proptest::prelude::*;

    fn sample(values: &[i64]) -> Vec<Rational> {
        values.iter().map(|&value| integer(value)).collect()
    }

    #[test]
    fn ties_are_passed_together() {
        let ks = |a: &[i64], b: &[i64]| kolmogorov_smirnov(&sample(a), &sample(b)).unwrap();
        // One value at a time a tie would show as a gap that is not there.
        assert_eq!(ks(&[1, 1, 1, 1], &[1, 1]), integer(0));
        assert_eq!(ks(&[1, 2], &[2, 3]), ratio(1, 2));
        assert_eq!(ks(&[0, 0], &[5]), integer(1));
        assert_eq!(ks(&[5], &[0, 0]), integer(1));
        assert_eq!(ks(&[1, 2, 3, 4], &[2, 2, 2, 9]), ratio(1, 4));
    }

    #[test]
    fn a_factor_of_two_dropped_is_caught() {
        let rows = vec![
            reals(&[ratio(1, 2), integer(1)]),
            reals(&[integer(0), ratio(1, 3)]),
        ];
        let labels = reals(&[integer(1), integer(-1)]);
        let trace = trace_of_hessian(&rows, &labels).unwrap();
        let mean = mean_squared_norm(&rows).unwrap();
        assert_eq!(trace, &mean * BigInt::from(2));
        assert_ne!(trace, mean);
    }

    #[test]
    fn empty_groups_are_refused() {
        assert!(kolmogorov_smirnov(&[], &sample(&[1])).is_err());
        assert!(kolmogorov_smirnov_on_grid(&sample(&[1]), &[], &sample(&[1])).is_err());
        assert!(excess_risk(&[], &integer(1)).is_err());
        assert!(risk(&[], &[], &[]).is_err());
        let wide = vec![Complex::zero(); 17];
        let rows = vec![wide.clone()];
        assert!(
            excess_risk_by_enumeration(&rows, &reals(&[integer(1)]), &wide, &integer(1)).is_err()
        );
    }

    proptest! {
        #[test]
        fn the_distance_is_the_largest_gap_over_all_points_and_their_left_limits(
            a in prop::collection::vec(-4i64..5, 1..9),
            b in prop::collection::vec(-4i64..5, 1..9),
        ) {
            // Halves are between the integers: F there is the limit from the left at the next integer.
            let fine: Vec<_> = (-12..12).map(|half| ratio(half, 2)).collect();
            let coarse: Vec<_> = (-12..12).step_by(5).map(|half| ratio(half, 2)).collect();
            let (a, b) = (sample(&a), sample(&b));
            let exact = kolmogorov_smirnov(&a, &b).unwrap();
            prop_assert_eq!(&exact, &kolmogorov_smirnov_on_grid(&a, &b, &fine).unwrap());
            prop_assert!(kolmogorov_smirnov_on_grid(&a, &b, &coarse).unwrap() <= exact);
        }

        #[test]
        fn the_excess_risk_is_the_formula(
            entries in prop::collection::vec((-3i64..4, -3i64..4), 12),
            labels in prop::collection::vec(-3i64..4, 4),
            c in prop::collection::vec(-3i64..4, 3),
            deviation in 1i64..5,
        ) {
            let complex = |&(re, im): &(i64, i64)| Complex { re: ratio(re, 2), im: ratio(im, 3) };
            let rows: Vec<Vec<_>> = entries.chunks(3).map(|row| row.iter().map(complex).collect()).collect();
            let deviation = ratio(deviation, 3);
            let labels = reals(&sample(&labels));
            let c = reals(&sample(&c));
            let enumerated = excess_risk_by_enumeration(&rows, &labels, &c, &deviation).unwrap();
            prop_assert_eq!(enumerated, excess_risk(&rows, &(&deviation * &deviation)).unwrap());
        }
    }
}
