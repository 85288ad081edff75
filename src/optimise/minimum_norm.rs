//! Interpolation of minimum norm: the shortest `c` with `Phi c = y`, within a certified gap.
//!
//! `c# = Phi^T (Phi Phi^T)^-1 y`, defined if the rows are linearly independent. For `c = Phi^T alpha + e` with a
//! rounding error `e` the difference `c# - Phi^T alpha` lies in the span of the rows, and `Phi` maps it to
//! `y - Phi c + Phi e`; so with `s` at most the smallest eigenvalue of `Phi Phi^T`
//!
//! `|c# - c| <= (|y - Phi c| + sqrt(m) |e|) / sqrt(s) + |e|`,
//!
//! all of it computed in integers. **Not private**: its sensitivity is infinite (`spec/random-features.md`).

use super::gram::{gram, smallest_eigenvalue, transposed};
use super::ridge::Solution;
use super::{FeatureMatrix, OptimiseError};
use crate::number::range::above_zero;
use crate::number::{Enclosure, Grid, Rational};
use nalgebra::{Cholesky, DVector};
use num_bigint::BigInt;
use num_traits::One;

/// How fine the coefficients are, in bits.
const BITS: u32 = 40;

/// How often a solution is improved before it is given up.
const ROUNDS: usize = 8;

/// The interpolation of minimum norm, within `tolerance`. Labels are in steps of their grid.
///
/// # Errors
/// [`OptimiseError::Conflict`] for equal rows with different labels; [`OptimiseError::Dependent`] if linear
/// independence, or the tolerance, could not be certified; [`OptimiseError::Overflow`] for coefficients above
/// 2^21; [`OptimiseError::Length`]; [`OptimiseError::Parameter`] unless `tolerance > 0`. These depend on the data.
pub fn solve(
    features: &FeatureMatrix,
    labels: &[i64],
    label_grid: Grid,
    tolerance: &Rational,
) -> Result<Solution, OptimiseError> {
    if labels.len() != features.rows() {
        return Err(OptimiseError::Length {
            what: "the labels",
            expected: features.rows(),
            found: labels.len(),
        });
    }
    above_zero("the tolerance", tolerance)?;
    if labels
        .iter()
        .any(|y| y.unsigned_abs() >> label_grid.bits() >= 1 << 20)
    {
        return Err(TOO_LARGE);
    }
    check_duplicates(features, labels)?;
    if features.rows() > features.columns() {
        return Err(OptimiseError::Dependent);
    }
    let problem = Problem {
        features,
        labels,
        label_grid,
    };
    // 1. A certified lower bound on the smallest eigenvalue, and a factor for guesses.
    let gram = gram(&transposed(features));
    let smallest = smallest_eigenvalue(&gram, features.grid().bits())?;
    let mut full = gram;
    full.fill_upper_triangle_with_lower_triangle();
    let factor = Cholesky::new(full).ok_or(OptimiseError::Dependent)?;
    let mut alpha = vec![0i64; features.rows()];
    let mut c = vec![0i64; features.columns()];
    let mut residual = problem.residual(&c);
    for _ in 0..ROUNDS {
        // 2. The gap, exactly; done if it is small.
        let gap = problem.gap(&residual, &smallest)?;
        if gap <= *tolerance {
            return Ok(Solution {
                coefficients: c,
                bits: BITS,
                gap,
            });
        }
        // 3. A guess for what is missing, and the coefficients that it gives.
        let guess = factor.solve(&DVector::from_vec(problem.as_floats(&residual)));
        for (alpha, guess) in alpha.iter_mut().zip(guess.iter()) {
            *alpha = alpha.saturating_add(guess.round() as i64);
        }
        c = problem.coefficients(&alpha)?;
        residual = problem.residual(&c);
    }
    Err(OptimiseError::Dependent)
}

const TOO_LARGE: OptimiseError = OptimiseError::Overflow {
    what: "interpolation",
};

/// Coefficients and weights of rows in steps of `2^-BITS`, residuals of `2^-(b + BITS)`.
struct Problem<'a> {
    features: &'a FeatureMatrix,
    labels: &'a [i64],
    label_grid: Grid,
}

impl Problem<'_> {
    /// `y - Phi c`, exactly.
    fn residual(&self, c: &[i64]) -> Vec<i128> {
        let shift = self.features.grid().bits() + BITS - self.label_grid.bits();
        let products = self.features.times(c);
        let difference = |(&y, product): (&i64, i128)| (i128::from(y) << shift) - product;
        self.labels.iter().zip(products).map(difference).collect()
    }

    /// `Phi^T alpha`, each coordinate rounded to the nearest.
    fn coefficients(&self, alpha: &[i64]) -> Result<Vec<i64>, OptimiseError> {
        let b = self.features.grid().bits();
        if alpha.iter().any(|alpha| alpha.unsigned_abs() >= 1 << 61) {
            return Err(TOO_LARGE);
        }
        let weights: Vec<i128> = alpha.iter().map(|&alpha| alpha.into()).collect();
        let half = (1i128 << b) >> 1;
        let round = |sum: i128| i64::try_from((sum + half) >> b).ok();
        self.features
            .transposed_times(&weights)
            .into_iter()
            .map(|sum| {
                round(sum)
                    .filter(|c| c.unsigned_abs() < 1 << 61)
                    .ok_or(TOO_LARGE)
            })
            .collect()
    }

    /// The bound of the module's text, rounded up.
    fn gap(&self, residual: &[i128], smallest: &Rational) -> Result<Rational, OptimiseError> {
        const PRECISION: u32 = 64;
        let b = self.features.grid().bits();
        let squared: BigInt = residual.iter().map(|&r| BigInt::from(r).pow(2)).sum();
        let residual = Rational::new(squared.sqrt() + 1, BigInt::one() << (b + BITS));
        let root = |n: usize| Enclosure::integer(n, PRECISION).sqrt().map(|r| r.upper());
        let rounding = root(self.features.columns())? / (BigInt::from(2) << BITS);
        let least = Enclosure::of(smallest, PRECISION).sqrt()?.lower();
        let inside = (residual + root(self.features.rows())? * &rounding) / least;
        Ok(inside + rounding)
    }

    /// What a weight must make up for, over the squared steps of the Gram matrix, in steps of a weight.
    #[allow(clippy::float_arithmetic)] // for a guess
    fn as_floats(&self, residual: &[i128]) -> Vec<f64> {
        let scale = (1u64 << self.features.grid().bits()) as f64;
        residual.iter().map(|&r| r as f64 * scale).collect()
    }
}

/// An error for two equal rows, which says whether their labels agree.
fn check_duplicates(features: &FeatureMatrix, labels: &[i64]) -> Result<(), OptimiseError> {
    let mut order: Vec<usize> = (0..features.rows()).collect();
    order.sort_by(|&j, &k| features.row(j).cmp(features.row(k)).then(j.cmp(&k)));
    let equal = |pair: &&[usize]| features.row(pair[0]) == features.row(pair[1]);
    let mut duplicates = order.windows(2).filter(equal).peekable();
    if duplicates.peek().is_none() {
        return Ok(());
    }
    match duplicates.find(|pair| labels[pair[0]] != labels[pair[1]]) {
        Some(pair) => Err(OptimiseError::Conflict {
            first: pair[0],
            second: pair[1],
        }),
        None => Err(OptimiseError::Dependent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    fn grid(bits: u32) -> Grid {
        Grid::new(bits).unwrap()
    }

    fn solved(rows: &[Vec<i32>], labels: &[i64]) -> Result<Solution, OptimiseError> {
        let features = FeatureMatrix::new(grid(8), rows[0].len(), rows).unwrap();
        solve(&features, labels, grid(2), &ratio(1, 1_000_000))
    }

    #[test]
    fn the_shortest_interpolation_is_found() {
        // Rows (1/2, 1/2, 0) and (0, 0, -3/4): c = (1, 1, 0) and (0, 0, -2).
        let found = solved(&[vec![128, 128, 0], vec![0, 0, -192]], &[4, 6]).unwrap();
        let unit = 1 << found.bits;
        for (c, expected) in found.coefficients.iter().zip([1, 1, -2]) {
            assert!((c - expected * unit).abs() <= unit / 1_000_000);
        }
        assert!(found.gap <= ratio(1, 1_000_000));
    }

    #[test]
    fn conflicting_and_equal_labels_of_duplicates_are_told_apart() {
        let rows = [vec![128, 0], vec![0, 128], vec![128, 0]];
        let conflict = solved(&rows, &[1, 2, 3]);
        let expected = OptimiseError::Conflict {
            first: 0,
            second: 2,
        };
        assert_eq!(conflict, Err(expected));
        assert_eq!(solved(&rows, &[1, 2, 1]), Err(OptimiseError::Dependent));
    }

    #[test]
    fn dependent_rows_are_refused() {
        let dependent = [vec![128, 0, 0], vec![0, 128, 0], vec![100, 100, 0]];
        assert_eq!(
            solved(&dependent, &[1, 2, 3]),
            Err(OptimiseError::Dependent)
        );
        assert_eq!(
            solved(&[vec![1], vec![2]], &[1, 2]),
            Err(OptimiseError::Dependent)
        );
        assert_eq!(solved(&[vec![0, 0]], &[0]), Err(OptimiseError::Dependent));
    }

    #[test]
    fn the_eigenvalue_is_bounded_from_below() {
        // Rows (1, 0) and (3/4, 1/4): the smallest eigenvalue of [[1, 3/4], [3/4, 5/8]] is about 0.0393.
        let rows = [vec![256, 0], vec![192, 64]];
        let features = FeatureMatrix::new(grid(8), 2, &rows).unwrap();
        let bound = smallest_eigenvalue(&gram(&transposed(&features)), 8).unwrap();
        assert_eq!(bound, ratio(1, 64));
    }

    #[test]
    fn coefficients_are_rounded_to_the_nearest() {
        // One row, a quarter: 1/4, 2/4, 3/4 and their negatives; halves go up.
        let features = FeatureMatrix::new(grid(2), 1, &[vec![1]]).unwrap();
        let problem = Problem {
            features: &features,
            labels: &[0],
            label_grid: grid(2),
        };
        for (alpha, nearest) in [(1, 0), (2, 1), (3, 1), (-1, 0), (-2, 0), (-3, -1), (8, 2)] {
            assert_eq!(problem.coefficients(&[alpha]), Ok(vec![nearest]));
        }
    }

    #[test]
    fn coefficients_from_two_to_the_61_on_are_refused() {
        // Two rows of 1: the coefficient is the sum of the weights.
        let features = FeatureMatrix::new(grid(2), 1, &[vec![4], vec![4]]).unwrap();
        let problem = Problem {
            features: &features,
            labels: &[0, 0],
            label_grid: grid(2),
        };
        let half = 1i64 << 60;
        let below = problem.coefficients(&[half, half - 1]);
        assert_eq!(below, Ok(vec![2 * half - 1]));
        assert_eq!(problem.coefficients(&[half, half]), Err(TOO_LARGE));
    }

    #[test]
    fn a_residual_counts_with_its_length_rounded_up() {
        // The unit matrix in whole steps, and one step missing in both rows. In steps: the residual is sqrt(2) long, a
        // rounding error at most 1/2 in both coordinates, and sqrt(2) + sqrt(2) sqrt(1/2) + sqrt(1/2) is 3.1213....
        let features = FeatureMatrix::new(grid(0), 2, &[vec![1, 0], vec![0, 1]]).unwrap();
        let problem = Problem {
            features: &features,
            labels: &[0, 0],
            label_grid: grid(0),
        };
        let gap = problem.gap(&[1, 1], &Rational::one()).unwrap() * (BigInt::one() << BITS);
        assert!(gap > ratio(31_213, 10_000) && gap < ratio(41_214, 10_000));
    }

    #[test]
    fn as_many_rows_as_columns_are_solved() {
        // (1/2, 0) and (1/4, 1/2): c = (2, 1) for labels 1 and 1.
        let found = solved(&[vec![128, 0], vec![64, 128]], &[4, 4]).unwrap();
        for (c, expected) in found.coefficients.iter().zip([2i64, 1]) {
            assert!((c - (expected << BITS)).abs() <= 1 << (BITS - 19));
        }
    }

    #[test]
    fn labels_from_two_to_the_20_on_are_refused() {
        // In quarters.
        let solve = |label| solved(&[vec![256, 0]], &[label]);
        let most = (1 << 22) - 1;
        assert_eq!(solve(most).unwrap().coefficients, [most << 38, 0]);
        assert_eq!(solve(most + 1), Err(TOO_LARGE));
        assert_eq!(solve(-most - 1), Err(TOO_LARGE));
    }
}
