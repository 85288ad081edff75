//! The baseline of regularised least squares, with a sensitivity that is one.
//!
//! `theta` is the least of `sum_j (<x_j, theta> - y_j)^2 + Lambda |theta|^2`, which the paper writes with `1/m`
//! in front of the sum and `lambda = Lambda/m`. Its baseline takes `2/(m lambda) = 2/Lambda` for the l2
//! sensitivity, a bound for losses of slope 1; the squared loss has none, and the bound is false (E-s) for
//! labels of at most 1 each, and for labels divided by their own norm. It is true where the *vector* of labels
//! is promised to have norm at most 1 ([`sensitivity_of_normed_labels`]).
//!
//! Exact rationals: for few columns.

use super::as_coded::divided_by_their_norm;
use crate::coins::Coins;
use crate::number::range::{above_zero, require};
use crate::number::{Enclosure, Rational};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{Complex, solve};
use crate::sample::GammaNoise;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

const BITS: u32 = 128;

/// A record: an input of norm at most 1 and a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The input.
    pub x: Vec<Rational>,
    /// The label.
    pub y: Rational,
}

/// The least of `sum_j (<x_j, theta> - y_j)^2 + Lambda |theta|^2` over `dimension` columns.
///
/// # Errors
/// [`OptimiseError::Parameter`] unless `Lambda > 0`; [`OptimiseError::Length`].
pub fn fit(
    records: &[Record],
    dimension: usize,
    penalty: &Rational,
) -> Result<Vec<Rational>, OptimiseError> {
    above_zero("the penalty", penalty)?;
    // 1. X^T X + Lambda I and X^T y.
    let mut matrix = vec![vec![Complex::zero(); dimension]; dimension];
    let mut right = vec![Complex::zero(); dimension];
    for (place, row) in matrix.iter_mut().enumerate() {
        row[place].re += penalty;
    }
    for record in records {
        if record.x.len() != dimension {
            return Err(OptimiseError::Length {
                what: "an input",
                expected: dimension,
                found: record.x.len(),
            });
        }
        for (i, a) in record.x.iter().enumerate() {
            right[i].re += a * &record.y;
            for (j, b) in record.x.iter().enumerate() {
                matrix[i][j].re += a * b;
            }
        }
    }
    // 2. The normal equations.
    Ok(solve(&matrix, &right)?.into_iter().map(|c| c.re).collect())
}

/// The sensitivity of the baseline as printed: `2/(m lambda)`. **False**: for audit only.
#[must_use]
pub fn printed_sensitivity(records: u64, lambda: &Rational) -> Rational {
    Rational::from_integer(2.into()) / (lambda * BigInt::from(records))
}

/// A proved bound on the l2 sensitivity under substitution of one of `m` records with `|x| <= 1` and
/// `|y| <= B`, rounded up: the smaller of
///
/// - `B sqrt(m/Lambda)`: each `|theta|` is at most `|y| / (2 sqrt(Lambda))`;
/// - `2 B h (1 + sqrt(m - 1) / (2 sqrt(Lambda)))`, through the dataset without the record, with `h = 1/(1 + Lambda)`
///   for `Lambda >= 1` and `1/(2 sqrt(Lambda))` below (`spec/random-features.md`, `lnsx25.rls.corrected`).
///
/// # Errors
/// [`OptimiseError::Parameter`] unless `m >= 1`, `Lambda > 0` and `B > 0`; those of the square root.
pub fn sensitivity(
    records: u64,
    penalty: &Rational,
    label_bound: &Rational,
) -> Result<Rational, OptimiseError> {
    above_zero("the penalty", penalty)?;
    above_zero("the bound on the labels", label_bound)?;
    let m = Rational::from_integer(records.into());
    above_zero("the number of records", &m)?;
    let (one, two) = (Rational::one(), BigInt::from(2));
    let above = |squared: Rational| -> Result<Rational, OptimiseError> {
        Ok(Enclosure::of(&squared, BITS).sqrt()?.upper())
    };
    let trivial = above(&m / penalty)?;
    let step = if *penalty >= one {
        (&one + penalty).recip()
    } else {
        above(penalty.recip())? / &two
    };
    let others = above((m - &one) / penalty)? / &two;
    let through = step * (one + others) * two;
    Ok(trivial.min(through) * label_bound)
}

/// A proved bound on the l2 sensitivity under substitution of a record with `|x| <= 1`, where the *vector* of
/// labels has norm at most 1 on both sides, rounded up: `2 h sqrt(1 + 1/(4 Lambda))`, with `h` of
/// [`sensitivity`]. At most `2/Lambda`, the printed bound.
///
/// As there, through the dataset without the record: its residual is at most `|y| + |theta_0|`, and
/// `|theta_0| <= |y_-|/(2 sqrt(Lambda))` where `y^2 + |y_-|^2 <= 1` (`lnsx25.rls.normed-labels`).
///
/// # Errors
/// [`OptimiseError::Parameter`] unless `Lambda > 0`; those of the square root.
pub fn sensitivity_of_normed_labels(penalty: &Rational) -> Result<Rational, OptimiseError> {
    above_zero("the penalty", penalty)?;
    let (one, four) = (Rational::one(), BigInt::from(4));
    let above = |squared: Rational| -> Result<Rational, OptimiseError> {
        Ok(Enclosure::of(&squared, BITS).sqrt()?.upper())
    };
    let step = if *penalty >= one {
        (&one + penalty).recip()
    } else {
        above((penalty * &four).recip())?
    };
    let residual = above(one + (penalty * four).recip())?;
    Ok(step * residual * BigInt::from(2))
}

/// The pair that refutes `2/(m lambda)` for labels that are divided by their own norm: 100 equal inputs `r`, and
/// labels that are all `t`, of which the last becomes 1 (`t` about 1/49,500, such that both norms are rational).
///
/// # Errors
/// None: the norms are rational.
pub fn own_norm_pair(r: &Rational) -> Result<[Vec<Record>; 2], OptimiseError> {
    // 99 t^2 + 1 is a square for 1/t = (99/h - h)/2.
    let t = Rational::new(2000.into(), (99_000_000 - 1).into());
    let dataset = |last: Rational| -> Result<Vec<Record>, OptimiseError> {
        let mut labels = vec![t.clone(); 99];
        labels.push(last);
        let labels = divided_by_their_norm(&labels)?;
        let record = |y| Record {
            x: vec![r.clone()],
            y,
        };
        Ok(labels.into_iter().map(record).collect())
    };
    Ok([dataset(t.clone())?, dataset(Rational::one())?])
}

/// What is public about the data and the fit.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The number of columns, at most [`crate::sample::LARGEST_GAMMA_DIMENSION`].
    pub dimension: usize,
    /// The public number of records.
    pub records: u64,
    /// `B`, a public bound on the labels.
    pub label_bound: Rational,
    /// `Lambda`.
    pub penalty: Rational,
    /// The output is on the grid of steps `2^-grid_bits`.
    pub grid_bits: u32,
}

impl Baseline {
    /// The noise that makes the rounded fit `(epsilon, 0)`-private under substitution.
    ///
    /// In steps of the grid the sensitivity is that of the fit and `sqrt(d)` more: each of the two fits is
    /// rounded by at most half a step a coordinate.
    ///
    /// # Errors
    /// Those of [`sensitivity`] and [`GammaNoise::private`].
    pub fn noise(&self, epsilon: &Rational) -> Result<GammaNoise, OptimiseError> {
        let exact = sensitivity(self.records, &self.penalty, &self.label_bound)?;
        let rounding = Enclosure::integer(self.dimension as u64, BITS)
            .sqrt()?
            .upper();
        let steps = exact * (BigInt::one() << self.grid_bits) + rounding;
        Ok(GammaNoise::private(epsilon, &steps, self.dimension)?)
    }

    /// The fit with Gamma noise, in steps of the grid: `(epsilon, 0)`-private under substitution.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] for a record beyond the public bounds, which is refused rather than clipped;
    /// [`OptimiseError::Length`]; those of [`Self::noise`] and of the coins.
    pub fn release(
        &self,
        data: &[Record],
        epsilon: &Rational,
        coins: &mut impl Coins,
    ) -> Result<Vec<BigInt>, OptimiseError> {
        // 1. The public bounds.
        if data.len() as u64 != self.records {
            return Err(OptimiseError::Length {
                what: "the data",
                expected: self.records as usize,
                found: data.len(),
            });
        }
        for record in data {
            let squared: Rational = record.x.iter().map(|x| x * x).sum();
            let right = squared <= Rational::one() && record.y.abs() <= self.label_bound;
            let expected = "within the public bounds";
            require(right, "a record", &"one beyond them", expected)?;
        }
        // 2. The noise is drawn before the fit is looked at.
        let noise = self.noise(epsilon)?.draw(coins)?;
        // 3. The exact fit, rounded to the grid.
        let scale = BigInt::one() << self.grid_bits;
        let theta = fit(data, self.dimension, &self.penalty)?;
        Ok(theta
            .iter()
            .zip(noise)
            .map(|(theta, noise)| (theta * &scale).round().to_integer() + noise)
            .collect())
    }
}

/// The pair that refutes `2/(m lambda)`: `others` records `(r, 0)` with label 1, and one record `(3/5, 4/5)` or
/// `(3/5, -4/5)` with label -1. The others tilt the plane, and the last record's residual is about 2.
#[must_use]
pub fn tilted_pair(others: usize, r: &Rational) -> [Vec<Record>; 2] {
    let record = |x: [Rational; 2], y: i64| Record {
        x: x.to_vec(),
        y: Rational::from_integer(y.into()),
    };
    let fifths = |n: i64| Rational::new(n.into(), 5.into());
    let common = vec![record([r.clone(), Rational::zero()], 1); others];
    [4, -4].map(|n| [&common[..], &[record([fifths(3), fifths(n)], -1)]].concat())
}

/// The squared distance between the fits on two datasets.
///
/// # Errors
/// Those of [`fit`].
pub fn squared_distance(
    pair: &[Vec<Record>; 2],
    dimension: usize,
    penalty: &Rational,
) -> Result<Rational, OptimiseError> {
    let [first, second] = [
        fit(&pair[0], dimension, penalty)?,
        fit(&pair[1], dimension, penalty)?,
    ];
    Ok(first
        .iter()
        .zip(&second)
        .map(|(a, b)| (a - b) * (a - b))
        .sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::{integer, ratio};
    use proptest::prelude::*;

    #[test]
    fn a_sensitivity_for_losses_of_slope_one_is_caught() {
        let (m, penalty) = (1000, integer(10));
        let pair = tilted_pair(m - 1, &ratio(1, 10));
        let distance = squared_distance(&pair, 2, &penalty).unwrap();
        let printed = printed_sensitivity(m as u64, &(&penalty / BigInt::from(m)));
        assert_eq!(printed, ratio(1, 5));
        // By a factor of more than 2.9, and within the proved bound.
        let factor = ratio(29, 10);
        assert!(distance > &printed * &printed * &factor * &factor);
        let bound = sensitivity(m as u64, &penalty, &integer(1)).unwrap();
        assert!(distance <= &bound * &bound);
    }

    #[test]
    fn labels_divided_by_their_own_norm_break_the_printed_bound_and_a_promise_keeps_it() {
        // Lambda = sqrt(N)/2 = 32 at N = 4096.
        let penalty = integer(32);
        let pair = own_norm_pair(&ratio(14, 25)).unwrap();
        for data in &pair {
            let squared: Rational = data.iter().map(|record| &record.y * &record.y).sum();
            assert_eq!(squared, integer(1));
        }
        // Not one label but all have moved.
        let changed = pair[0].iter().zip(&pair[1]).filter(|(a, b)| a != b);
        assert_eq!(changed.count(), 100);
        let printed = integer(2) / &penalty;
        let distance = squared_distance(&pair, 1, &penalty).unwrap();
        assert!(distance > &printed * &printed * ratio(3, 2));
        for penalty in [ratio(1, 100), ratio(1, 4), integer(1), integer(4), penalty] {
            let promised = sensitivity_of_normed_labels(&penalty).unwrap();
            assert!(promised <= integer(2) / penalty);
        }
        assert!(sensitivity_of_normed_labels(&integer(0)).is_err());
    }

    #[test]
    fn a_release_is_on_the_grid_and_wrong_data_are_refused() {
        let baseline = Baseline {
            dimension: 2,
            records: 4,
            label_bound: integer(1),
            penalty: integer(1),
            grid_bits: 8,
        };
        let [data, _] = tilted_pair(3, &ratio(1, 2));
        let mut coins = ChaCha::reproducible(3, 0);
        let mut release = |data: &[Record]| baseline.release(data, &integer(1), &mut coins);
        assert_eq!(release(&data).unwrap().len(), 2);
        assert!(release(&data[1..]).is_err());
        let mut long = data.clone();
        long[0].x[0] = ratio(11, 10);
        assert!(release(&long).is_err());
        let mut loud = data.clone();
        loud[0].y = ratio(11, 10);
        assert!(release(&loud).is_err());
    }

    fn record() -> impl Strategy<Value = Record> {
        (0usize..8, 0i64..5, -4i64..5).prop_map(|(direction, length, label)| {
            let (x, y) = [
                (5, 0),
                (3, 4),
                (0, 5),
                (-3, 4),
                (4, 3),
                (4, -3),
                (-5, 0),
                (3, -4),
            ][direction];
            Record {
                x: vec![ratio(x * length, 20), ratio(y * length, 20)],
                y: ratio(label, 4),
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn neighbours_are_within_the_proved_bound(
            common in prop::collection::vec(record(), 0..8),
            first in record(),
            second in record(),
            penalty in 1i64..40,
        ) {
            let penalty = ratio(penalty, 8);
            let pair = [&first, &second].map(|last| [&common[..], std::slice::from_ref(last)].concat());
            let distance = squared_distance(&pair, 2, &penalty).unwrap();
            let bound = sensitivity(pair[0].len() as u64, &penalty, &integer(1)).unwrap();
            prop_assert!(distance <= &bound * &bound);
        }
    }
}
