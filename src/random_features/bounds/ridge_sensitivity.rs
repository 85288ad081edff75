//! How far ridge regression moves with one record: labels of magnitude at most `B`, rows of norm at most 1.
//!
//! `c(D)` minimises `|Phi c - y|^2 + Lambda |c|^2` with a `Lambda` that is fixed: were it tied to the number
//! of records, as in the paper's `m lambda`, it would move with a removal and the formulas here would be
//! wrong. Proofs: `spec/random-features.md`, `lnsx25.r3`.

use crate::number::range::{above_zero, at_least_one};
use crate::number::{Enclosure, Rational};
use crate::privacy::NeighbouringRelation;
use crate::random_features::RandomFeatureError;
use num_bigint::BigInt;
use num_traits::{One, Zero};

const BITS: u32 = 96;

/// The bound that holds for the relation; `records` is `m`, or a cap on it.
///
/// # Errors
/// Those of [`removal`].
pub fn of_bounded_labels(
    label_bound: &Rational,
    penalty: &Rational,
    records: usize,
    neighbours: NeighbouringRelation,
) -> Result<Rational, RandomFeatureError> {
    match neighbours {
        NeighbouringRelation::AddOrRemove => removal(label_bound, penalty, records),
        NeighbouringRelation::Substitute => substitution(label_bound, penalty, records),
    }
}

/// The **exact** l2 sensitivity under removal of one of at most `m` records, rounded up within one part in
/// 2^14. With `M = m - 1`:
///
/// - `B sqrt(m / Lambda) / 2` if `Lambda <= m / (2 m - 1)^2`;
/// - otherwise `B max t/(Lambda + t) (1 + sqrt(M t (1 - t) / Lambda))` over `t` in `[Lambda/(Lambda + M), 1]`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `B > 0`, `Lambda > 0` and `m >= 1`; those of the square root.
pub fn removal(
    label_bound: &Rational,
    penalty: &Rational,
    records: usize,
) -> Result<Rational, RandomFeatureError> {
    check(label_bound, penalty, records)?;
    let m = Rational::from_integer(records.into());
    let twice = &m * BigInt::from(2) - Rational::one();
    if penalty * &twice * &twice <= m {
        let root = above(m / penalty)?;
        return Ok(label_bound * root / BigInt::from(2));
    }
    Ok(label_bound * largest_on_the_boundary(penalty, &(m - Rational::one()))?)
}

/// The best proved bound under substitution of one of `m` records, rounded up: the smaller of
///
/// - twice [`removal`], through the dataset without the record;
/// - `B (2 h + sqrt(m - 1) / (2 Lambda^(3/2)))` with [`largest_step`] `h`, which for large `Lambda` and `m`
///   cannot be improved by more than a vanishing part (`spec/random-features.md`, `lnsx25.r3`).
///
/// # Errors
/// Those of [`removal`].
pub fn substitution(
    label_bound: &Rational,
    penalty: &Rational,
    records: usize,
) -> Result<Rational, RandomFeatureError> {
    let through = removal(label_bound, penalty, records)? * BigInt::from(2);
    let others = Rational::from_integer((records - 1).into());
    let root = above(others / penalty)?;
    let two = BigInt::from(2);
    let direct = label_bound * (largest_step(penalty)? * &two + root / (penalty * two));
    Ok(through.min(direct))
}

/// The l2 sensitivity where the vector of the labels has norm at most 1, and nothing is asked of the rows:
/// `1/sqrt(Lambda)` under substitution, half of it under removal; rounded up.
///
/// Proof: `spec/random-features.md`, `lnsx25.r2`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `Lambda > 0`; those of the square root.
pub fn of_normed_labels(
    penalty: &Rational,
    neighbours: NeighbouringRelation,
) -> Result<Rational, RandomFeatureError> {
    above_zero("the penalty", penalty)?;
    let root = Enclosure::of(penalty, BITS).sqrt()?.lower();
    Ok(match neighbours {
        NeighbouringRelation::Substitute => root.recip(),
        NeighbouringRelation::AddOrRemove => (root * BigInt::from(2)).recip(),
    })
}

/// A simpler bound under substitution of one of `m` records, rounded up: the smaller of
///
/// - `B sqrt(m/Lambda)`: each minimum is at most `|y| / (2 sqrt(Lambda))` long;
/// - `2 B h (1 + sqrt(m - 1) / (2 sqrt(Lambda)))`, through the dataset without the record, with [`largest_step`] `h`
///   (`spec/random-features.md`, `lnsx25.rls.corrected`).
///
/// # Errors
/// Those of [`removal`].
pub fn substitution_in_closed_form(
    label_bound: &Rational,
    penalty: &Rational,
    records: usize,
) -> Result<Rational, RandomFeatureError> {
    check(label_bound, penalty, records)?;
    let m = Rational::from_integer(records.into());
    let (one, two) = (Rational::one(), BigInt::from(2));
    let trivial = above(&m / penalty)?;
    let others = above((m - &one) / penalty)? / &two;
    let through = largest_step(penalty)? * (one + others) * two;
    Ok(trivial.min(through) * label_bound)
}

/// A bound under substitution where the *vector* of labels has norm at most 1 on both sides and rows have norm at
/// most 1, rounded up: `2 h sqrt(1 + 1/(4 Lambda))`, with [`largest_step`] `h`. At most `2/Lambda`.
///
/// As above, through the dataset without the record: its residual is at most `|y| + |theta_0|`, and
/// `|theta_0| <= |y_-|/(2 sqrt(Lambda))` where `y^2 + |y_-|^2 <= 1` (`lnsx25.rls.normed-labels`).
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `Lambda > 0`; those of the square root.
pub fn substitution_of_normed_labels(penalty: &Rational) -> Result<Rational, RandomFeatureError> {
    let step = largest_step(penalty)?;
    let residual = above(Rational::one() + (penalty * BigInt::from(4)).recip())?;
    Ok(step * residual * BigInt::from(2))
}

/// `h = sup |S^-1 a| / (1 + a^T S^-1 a)` over `S >= Lambda` and `|a| <= 1`, rounded up:
/// `1/(2 sqrt(Lambda))` if `Lambda <= 1`, and `1/(1 + Lambda)` otherwise.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `Lambda > 0`; those of the square root.
pub fn largest_step(penalty: &Rational) -> Result<Rational, RandomFeatureError> {
    above_zero("the penalty", penalty)?;
    if *penalty > Rational::one() {
        return Ok((penalty + Rational::one()).recip());
    }
    let root = Enclosure::of(penalty, BITS).sqrt()?.lower();
    Ok((root * BigInt::from(2)).recip())
}

/// Within this relative distance of the maximum: 2^-14.
const RELATIVE: u32 = 14;
const FIRST_INTERVALS: u32 = 64;

/// The maximum of the second case over `B`, rounded up, by branch and bound: an interval of `t` is split
/// until its certified upper bound is close to a value that is attained.
fn largest_on_the_boundary(
    penalty: &Rational,
    others: &Rational,
) -> Result<Rational, RandomFeatureError> {
    let value = |t: &Rational, product: &Rational| -> Result<Enclosure, RandomFeatureError> {
        let one = Enclosure::integer(1, BITS);
        let root = Enclosure::of(&(others * product / penalty), BITS).sqrt()?;
        Ok(Enclosure::of(&(t / (penalty + t)), BITS) * (one + root))
    };
    let half = Rational::new(1.into(), 2.into());
    // t/(Lambda + t) grows; t (1 - t) is largest at the point nearest to 1/2.
    let upper = |low: &Rational, high: &Rational| -> Result<Rational, RandomFeatureError> {
        let t = half.clone().clamp(low.clone(), high.clone());
        Ok(value(high, &(&t * (Rational::one() - &t)))?.upper())
    };
    let at = |t: Rational| -> Result<Rational, RandomFeatureError> {
        Ok(value(&t, &(&t * (Rational::one() - &t)))?.lower())
    };
    let slack = Rational::new(
        BigInt::from((1 << RELATIVE) + 1),
        BigInt::from(1 << RELATIVE),
    );
    // 1. Equal intervals; the largest value at a middle is attained.
    let lowest = penalty / (penalty + others);
    let width = (Rational::one() - &lowest) / BigInt::from(FIRST_INTERVALS);
    let cut = |k: u32| &lowest + &width * BigInt::from(k);
    let mut intervals: Vec<_> = (0..FIRST_INTERVALS).map(|k| (cut(k), cut(k + 1))).collect();
    let mut attained = Rational::zero();
    for (low, high) in &intervals {
        attained = attained.max(at((low + high) / BigInt::from(2))?);
    }
    // 2. Split until no interval can hold much more than that.
    let mut largest = Rational::zero();
    while let Some((low, high)) = intervals.pop() {
        let bound = upper(&low, &high)?;
        if bound <= &attained * &slack {
            largest = largest.max(bound);
            continue;
        }
        let middle = (&low + &high) / BigInt::from(2);
        attained = attained.max(at(middle.clone())?);
        intervals.push((low, middle.clone()));
        intervals.push((middle, high));
    }
    Ok(largest)
}

/// The square root, rounded up.
fn above(squared: Rational) -> Result<Rational, RandomFeatureError> {
    Ok(Enclosure::of(&squared, BITS).sqrt()?.upper())
}

fn check(
    label_bound: &Rational,
    penalty: &Rational,
    records: usize,
) -> Result<(), RandomFeatureError> {
    above_zero("the bound of the labels", label_bound)?;
    above_zero("the penalty", penalty)?;
    Ok(at_least_one("the number of records", records as u64)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio};
    use num_traits::Signed;

    /// Within 2^-12 of each other, four times what the search leaves.
    fn close(value: &Rational, expected: &Rational) -> bool {
        (value - expected).abs() * integer(1 << 12) <= *expected
    }

    #[test]
    fn the_figures_of_an_independent_derivation_are_met() {
        let m = 10_000;
        for (penalty, four_digits) in [
            (ratio(1, 1000), "3158"),
            (integer(1), "38.58"),
            (integer(10), "1.763"),
            (integer(100), "0.0698"),
        ] {
            let bound = substitution(&integer(1), &penalty, m).unwrap();
            let expected = parse(four_digits).unwrap();
            assert!((bound - &expected).abs() * integer(1000) < expected);
        }
    }

    #[test]
    fn one_record_alone_moves_the_minimum_by_the_largest_step() {
        for penalty in [ratio(1, 7), integer(1), ratio(9, 2), integer(1000)] {
            let alone = removal(&integer(3), &penalty, 1).unwrap();
            let step = largest_step(&penalty).unwrap() * integer(3);
            assert!(alone >= step || penalty <= integer(1));
            assert!(close(&alone, &step), "{penalty}");
        }
    }

    #[test]
    fn the_two_cases_of_the_removal_formula_meet() {
        // At Lambda = m/(2m-1)^2 both hold.
        for m in [2i64, 5, 100] {
            let edge = ratio(m, (2 * m - 1) * (2 * m - 1));
            let inside = removal(&integer(1), &edge, m as usize).unwrap();
            let outside = largest_on_the_boundary(&edge, &integer(m - 1)).unwrap();
            assert!(close(&inside, &outside), "{m}");
        }
    }

    #[test]
    fn substitution_is_more_than_removal_and_at_most_twice() {
        for penalty in [
            ratio(1, 100),
            ratio(1, 4),
            integer(1),
            integer(30),
            integer(900),
        ] {
            for m in [1, 2, 10, 1338] {
                let removed = removal(&integer(1), &penalty, m).unwrap();
                let substituted = substitution(&integer(1), &penalty, m).unwrap();
                assert!(removed < substituted);
                assert!(substituted <= removed * integer(2));
            }
        }
    }

    #[test]
    fn sensitivities_without_a_meaning_are_refused() {
        for (bound, penalty, m) in [(0, 1, 1), (1, 0, 1), (1, -1, 1), (1, 1, 0)] {
            assert!(removal(&integer(bound), &integer(penalty), m).is_err());
            assert!(substitution(&integer(bound), &integer(penalty), m).is_err());
        }
    }

    #[test]
    fn the_closed_forms_at_squares() {
        use NeighbouringRelation::{AddOrRemove, Substitute};
        let (four, quarter) = (integer(4), ratio(1, 4));
        // 1/sqrt(Lambda), and half of it.
        assert_eq!(of_normed_labels(&four, Substitute).unwrap(), ratio(1, 2));
        assert_eq!(of_normed_labels(&four, AddOrRemove).unwrap(), quarter);
        // h is 1/(2 sqrt(Lambda)) up to 1, and 1/(1 + Lambda).
        assert_eq!(largest_step(&quarter).unwrap(), integer(1));
        assert_eq!(largest_step(&integer(1)).unwrap(), ratio(1, 2));
        assert_eq!(largest_step(&four).unwrap(), ratio(1, 5));
        // 2 (3/4) sqrt(1 + 9/16)
        let found = substitution_of_normed_labels(&ratio(4, 9)).unwrap();
        assert!(close(&found, &ratio(15, 8)));
        // The smaller is 2 (1/5) (1 + sqrt(4)/4), and then sqrt(4/(1/4)), for labels up to 2 and 3.
        let found = substitution_in_closed_form(&integer(2), &four, 5).unwrap();
        assert_eq!(found, ratio(6, 5));
        let found = substitution_in_closed_form(&integer(3), &quarter, 4).unwrap();
        assert_eq!(found, integer(12));
    }

    #[test]
    fn the_bound_is_that_of_the_relation() {
        use NeighbouringRelation::{AddOrRemove, Substitute};
        let (label, penalty) = (integer(2), ratio(1, 3));
        let of = |relation| of_bounded_labels(&label, &penalty, 7, relation).unwrap();
        assert_eq!(of(AddOrRemove), removal(&label, &penalty, 7).unwrap());
        assert_eq!(of(Substitute), substitution(&label, &penalty, 7).unwrap());
    }
}
