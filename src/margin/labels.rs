//! Appendix E, Algorithm 4 of the first version: labels are private, features are public.
//!
//! Two datasets are neighbours if one label differs. The hypotheses are finitely many, in public order; on the public
//! points they are covered, and the exponential mechanism chooses in the cover.
//!
//! **This is no privacy for the features**: the cover depends on them (ledger: `bms22.alg_label.full`).

use super::data::Dataset;
use super::error::MarginError;
use super::gibbs::Candidates;
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::Halfspace;
use crate::number::range::above_zero;
use crate::number::rational::shortly;
use crate::number::{OutOfRange, Rational};
use crate::sample::{ScoredChoice, check_exponent};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Learns a halfspace; `(epsilon, 0)`-differentially private if one label changes (ledger: `bms22.alg_label.dp`).
///
/// `rho` is a margin of the values `<w, x>`, in which a step of the grid and one of a hypothesis are one.
///
/// # Errors
/// [`MarginError::Parameter`] unless `rho > 0` and `epsilon > 0`, and for an `epsilon m` beyond what is drawn exactly;
/// [`MarginError::Length`], [`MarginError::Overflow`] and [`MarginError::TooManyValues`] as for [`cover`]; those of the
/// coins. None depends on the labels.
pub fn learn(
    data: &Dataset,
    hypotheses: &Candidates,
    rho: &Rational,
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<LabelModel, MarginError> {
    // 0. What is public.
    check((hypotheses.count(), data.records().len()), rho, epsilon)?;

    // 1. A cover of the truncated hypotheses on the points. No label is read.
    let cover = cover(data, hypotheses, rho)?;

    // 2. Of each of its elements the margin errors at rho/2: a changed label moves each by at most one.
    let errors = margin_errors(data, hypotheses, &cover, rho)?;

    // 3. One of them, with probability proportional to exp(-epsilon errors / 2).
    let promise = Promise::Pure(epsilon.clone());
    coins.stage(&Stage::once("the choice of a hypothesis", promise));
    let place = coins.draw(&ScoredChoice::new(errors, epsilon)?)?;
    let chosen = cover[place];
    Ok(LabelModel {
        chosen,
        halfspace: hypotheses.halfspace(chosen)?,
    })
}

/// What the learner returns. All of it may be published, the cover as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelModel {
    /// The number of the hypothesis that was chosen, in the public list.
    pub chosen: usize,
    /// The hypothesis.
    pub halfspace: Halfspace,
}
crate::published!(LabelModel { chosen, halfspace });

/// Numbers of hypotheses `w`, such that every hypothesis is within less than `rho/2` of one of them on every point, where
/// `<w, x>` is truncated to `[-rho, rho]`.
///
/// In public order a hypothesis is taken unless one that was taken is that near. So the cover is made of hypotheses, any two
/// of them are at least `rho/2` apart at some point, and no label is read. The radius is strict: with `<= rho/2` a
/// hypothesis without margin errors could be left to one that is counted as wrong (`spec/margin.md`, `bms22.thm6_1`).
///
/// Keeps 8 bytes for each record and each hypothesis taken. Compares each hypothesis with all that were taken, up to the
/// first point at which they are far apart: for `N` hypotheses on `m` points of dimension `d` that is `N m d` steps, and
/// between `N` times the size of the cover and `m` times as many.
///
/// # Errors
/// [`MarginError::Parameter`] unless `rho > 0`, and for a numerator or a denominator of `rho` from 2^60 on;
/// [`MarginError::Length`] for hypotheses of another dimension; [`MarginError::Overflow`] for a grid too fine;
/// [`MarginError::TooManyValues`] where the values of all hypotheses would take more than 2 GiB. None depends on the
/// records.
pub fn cover(
    data: &Dataset,
    hypotheses: &Candidates,
    rho: &Rational,
) -> Result<Vec<usize>, MarginError> {
    let (numerator, denominator) = parts(rho)?;
    hypotheses.check(data.domain())?;
    check_size(hypotheses.count(), data.records().len())?;
    // The truncated values times the denominator of rho: integers of at most 2^60, so that twice a difference fits too.
    let truncated = |w: &[i32], x: &[i64]| {
        let value = i128::from(inner_product(w, x)) * i128::from(denominator);
        value.clamp(-i128::from(numerator), i128::from(numerator)) as i64
    };
    let points: Vec<&[i64]> = data.records().iter().map(|r| &r.features[..]).collect();
    let mut taken: Vec<(usize, Vec<i64>)> = Vec::new();
    for (number, w) in hypotheses.iter().enumerate() {
        let values: Vec<i64> = points.iter().map(|x| truncated(w, x)).collect();
        let is_near = |(_, other): &(usize, Vec<i64>)| {
            let mut pairs = values.iter().zip(other);
            pairs.all(|(a, b)| 2 * (a - b).abs() < numerator)
        };
        if !taken.iter().any(is_near) {
            taken.push((number, values));
        }
    }
    Ok(taken.into_iter().map(|(number, _)| number).collect())
}

/// The most values of 8 bytes that may be kept: 2 GiB of them.
const MOST_VALUES: usize = 1 << 28;

/// Refuses what [`learn`] refuses for so many hypotheses and records, before there are any: `rho`, `epsilon` and the numbers
/// are public.
///
/// # Errors
/// [`MarginError::Parameter`] and [`MarginError::TooManyValues`] as [`learn`].
pub fn check(
    (count, records): (usize, usize),
    rho: &Rational,
    epsilon: &Rational,
) -> Result<(), MarginError> {
    check_exponent(epsilon, records)?;
    parts(rho)?;
    check_size(count, records)
}

/// Refuses numbers of hypotheses and of records for which the values of all hypotheses could not be kept. How many are
/// depends on the features, which are public.
///
/// # Errors
/// [`MarginError::TooManyValues`] beyond 2 GiB.
pub fn check_size(count: usize, records: usize) -> Result<(), MarginError> {
    let values = count.saturating_mul(records);
    if values <= MOST_VALUES {
        return Ok(());
    }
    Err(MarginError::TooManyValues {
        count,
        records,
        gibibytes: (values as u64).div_ceil(1 << 27),
        limit: (MOST_VALUES as u64) >> 27,
    })
}

/// Numerator and denominator of `rho > 0`, both below 2^60, so that nothing overflows.
fn parts(rho: &Rational) -> Result<(i64, i64), MarginError> {
    above_zero("rho", rho)?;
    let small = |part: &BigInt| part.to_i64().filter(|part| *part < 1 << 60);
    let parts = small(rho.numer()).zip(small(rho.denom()));
    let expected = "a fraction whose numerator and denominator are below 2^60";
    Ok(parts.ok_or_else(|| OutOfRange::new("rho", &shortly(rho), expected))?)
}

/// Of each hypothesis of the cover the number of records with `y <w, x> <= rho/2`, which truncating to `[-rho, rho]` does
/// not change. **Not private.**
///
/// # Errors
/// [`MarginError::Parameter`] for a number past the last hypothesis, and as [`cover`]; [`MarginError::Length`] and
/// [`MarginError::Overflow`] as there.
pub fn margin_errors(
    data: &Dataset,
    hypotheses: &Candidates,
    cover: &[usize],
    rho: &Rational,
) -> Result<Vec<u32>, MarginError> {
    let (numerator, denominator) = parts(rho)?;
    hypotheses.check(data.domain())?;
    // An integer is at most rho/2 if and only if it is at most its floor, which is below 2^60.
    let most = numerator / (2 * denominator);
    let points: Vec<Vec<i64>> = data.records().iter().map(|r| r.signed()).collect();
    let all: Vec<&[i32]> = hypotheses.iter().collect();
    let errors = |&number: &usize| -> Result<u32, MarginError> {
        let missing = || OutOfRange::new("the number of a candidate", &number, "below their count");
        let w = all.get(number).ok_or_else(missing)?;
        let is_error = |x: &&Vec<i64>| inner_product(w, x) <= most;
        Ok(points.iter().filter(is_error).count() as u32)
    };
    cover.iter().map(errors).collect()
}

fn inner_product(w: &[i32], x: &[i64]) -> i64 {
    w.iter().zip(x).map(|(&w, x)| i64::from(w) * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Tape};
    use crate::geometry::Record;
    use crate::margin::Domain;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};

    /// Points of the line, with their labels.
    fn line(points: &[(i64, bool)]) -> Dataset {
        let record = |&(x, positive): &(i64, bool)| Record {
            features: vec![x],
            positive,
        };
        let domain = Domain::new(Grid::new(4).unwrap(), 1, 100).unwrap();
        Dataset::new(domain, points.iter().map(record).collect()).unwrap()
    }

    fn hypotheses(all: &[i32]) -> Candidates {
        Candidates::new(1, all.to_vec()).unwrap()
    }

    fn covered(all: &[i32], rho: Rational) -> Vec<usize> {
        cover(&line(&[(1, true)]), &hypotheses(all), &rho).unwrap()
    }

    #[test]
    fn the_first_of_those_that_are_near_is_taken() {
        // rho/2 = 2: 0 takes 1 and -1, and 3 takes 2.
        assert_eq!(covered(&[0, 1, -1, 3, 2], integer(4)), [0, 3]);
        assert_eq!(covered(&[3, 2, 0, 1], integer(4)), [0, 2]);
        assert_eq!(covered(&[0, 2], integer(4)), [0, 1]);
        assert_eq!(covered(&[0, 2], ratio(41, 10)), [0]);
    }

    #[test]
    fn what_is_as_far_as_half_the_margin_is_not_near() {
        assert_eq!(covered(&[2, 8], integer(4)), [0, 1]);
        assert_eq!(covered(&[2, 8], ratio(9, 2)), [0, 1]);
        // Beyond the margin all values are alike.
        assert_eq!(covered(&[4, 8, 100, -4, -9], integer(4)), [0, 3]);
    }

    #[test]
    fn a_point_on_which_they_differ_tells_hypotheses_apart() {
        let data = line(&[(0, true), (1, false), (0, false)]);
        let all = hypotheses(&[0, 1, 5]);
        assert_eq!(cover(&data, &all, &integer(4)).unwrap(), [0, 2]);
        let silent = line(&[(0, true), (0, false)]);
        assert_eq!(cover(&silent, &all, &integer(4)).unwrap(), [0]);
    }

    #[test]
    fn what_would_not_fit_in_memory_is_refused_before_the_work() {
        let data = line(&vec![(1, true); 20_000]);
        let all = hypotheses(&vec![1; 14_000]);
        assert_eq!(
            cover(&data, &all, &integer(1)).unwrap_err().to_string(),
            "the values of 14000 candidates on 20000 records would take 3 GiB, more than 2: take fewer candidates, or \
             fewer records"
        );
        assert!(check_size(1 << 14, 1 << 14).is_ok());
        assert!(check_size((1 << 14) + 1, 1 << 14).is_err());
        assert!(check_size(usize::MAX, 2).is_err());
    }

    #[test]
    fn a_number_past_the_list_and_a_margin_of_many_digits_are_refused() {
        let data = line(&[(1, true), (2, false)]);
        let all = hypotheses(&[1, 2]);
        let past = margin_errors(&data, &all, &[0, 2], &integer(1)).unwrap_err();
        let expected = "the number of a candidate must be below their count, got 2";
        assert_eq!(past.to_string(), expected);
        for (part, fits) in [((1u64 << 60) - 1, true), (1 << 60, false)] {
            for rho in [integer(part), integer(part).recip()] {
                assert_eq!(cover(&data, &all, &rho).is_ok(), fits, "{rho}");
            }
        }
    }

    #[test]
    fn errors_count_at_half_the_margin_ties_included() {
        let data = line(&[(1, true), (-1, false), (1, false), (2, true)]);
        let all = hypotheses(&[2, 1, -3]);
        let errors = |rho| margin_errors(&data, &all, &[0, 1, 2], &rho).unwrap();
        // The products with the labels: 2, 2, -2, 4; 1, 1, -1, 2; -3, -3, 3, -6.
        assert_eq!(errors(integer(4)), [3, 4, 3]);
        assert_eq!(errors(ratio(39, 10)), [1, 3, 3]);
        assert_eq!(margin_errors(&data, &all, &[2], &integer(4)).unwrap(), [3]);
    }

    #[test]
    fn the_hypothesis_without_errors_is_chosen_at_a_large_epsilon() {
        let data = line(&[(1, true); 40]);
        let all = hypotheses(&[-9, 0, 1, 9]);
        let mut coins = ChaCha::reproducible(1, 0);
        let model = learn(&data, &all, &integer(4), &integer(4), &mut coins).unwrap();
        assert_eq!(model.chosen, 3);
        assert_eq!(model.halfspace.direction, [9]);
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_a_coin_is_drawn() {
        let data = line(&[(1, true)]);
        let refused = |all: &Candidates, rho, epsilon| {
            let mut coins = Tape::written("");
            learn(&data, all, &rho, &epsilon, &mut coins).unwrap_err()
        };
        let right = hypotheses(&[1]);
        let wide = Candidates::new(2, vec![1, 2]).unwrap();
        for (all, rho, epsilon) in [
            (&right, integer(0), integer(1)),
            (&right, integer(1), integer(0)),
            (&right, integer(1u64 << 60), integer(1)),
            (&right, integer(1), integer(1 << 24)),
            (&wide, integer(1), integer(1)),
        ] {
            refused(all, rho, epsilon);
        }
    }
}
