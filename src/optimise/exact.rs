//! Exact linear algebra over the rational complex numbers: for small instances whose every digit counts.
//!
//! A matrix is a list of rows, and `A` has one row for each record; real matrices are complex ones whose
//! imaginary parts are zero. Everything is Gaussian elimination with exact arithmetic: cubic in the
//! number of records, with numbers that grow. For real sizes take a certified float solver.

#![deny(clippy::float_arithmetic)]

use super::OptimiseError;
use crate::number::Rational;
use crate::number::range::above_zero;
use num_traits::{One, Signed, Zero};
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A complex number with rational parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complex {
    /// The real part.
    pub re: Rational,
    /// The imaginary part.
    pub im: Rational,
}

impl Complex {
    /// A real number.
    #[must_use]
    pub fn real(value: Rational) -> Self {
        Self {
            re: value,
            im: Rational::zero(),
        }
    }

    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::real(Rational::zero())
    }

    /// `i^quarters`: the feature `exp(i <w, x>)` where `<w, x>` is that many quarter turns.
    #[must_use]
    pub fn quarter_turns(quarters: u32) -> Self {
        let one = Rational::one();
        match quarters % 4 {
            0 => Self::real(one),
            1 => Self {
                re: Rational::zero(),
                im: one,
            },
            2 => Self::real(-one),
            _ => Self {
                re: Rational::zero(),
                im: -one,
            },
        }
    }

    /// The conjugate.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        Self {
            re: self.re.clone(),
            im: -&self.im,
        }
    }

    /// The squared absolute value.
    #[must_use]
    pub fn squared(&self) -> Rational {
        &self.re * &self.re + &self.im * &self.im
    }

    /// Whether both parts are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    /// Both parts times a rational.
    #[must_use]
    pub fn scaled(&self, factor: &Rational) -> Self {
        Self {
            re: &self.re * factor,
            im: &self.im * factor,
        }
    }

    /// `1 / self`, for a number that the caller has shown not to be zero.
    fn inverse(&self) -> Self {
        self.conjugate().scaled(&self.squared().recip())
    }
}

impl fmt::Display for Complex {
    /// `3/5`, or `3/5-1/5i`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.im.is_zero(), self.im.is_negative()) {
            (true, _) => write!(formatter, "{}", self.re),
            (false, true) => write!(formatter, "{}{}i", self.re, self.im),
            (false, false) => write!(formatter, "{}+{}i", self.re, self.im),
        }
    }
}

impl Add for &Complex {
    type Output = Complex;
    fn add(self, other: &Complex) -> Complex {
        Complex {
            re: &self.re + &other.re,
            im: &self.im + &other.im,
        }
    }
}

impl Sub for &Complex {
    type Output = Complex;
    fn sub(self, other: &Complex) -> Complex {
        Complex {
            re: &self.re - &other.re,
            im: &self.im - &other.im,
        }
    }
}

impl Mul for &Complex {
    type Output = Complex;
    fn mul(self, other: &Complex) -> Complex {
        Complex {
            re: &self.re * &other.re - &self.im * &other.im,
            im: &self.re * &other.im + &self.im * &other.re,
        }
    }
}

impl Neg for &Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex {
            re: -&self.re,
            im: -&self.im,
        }
    }
}

/// Real numbers as complex ones.
#[must_use]
pub fn reals(values: &[Rational]) -> Vec<Complex> {
    values.iter().cloned().map(Complex::real).collect()
}

/// `sum_k a_k b_k`, without a conjugate: the prediction of coefficients `b` on a row `a`.
#[must_use]
pub fn product(a: &[Complex], b: &[Complex]) -> Complex {
    let terms = a.iter().zip(b).map(|(a, b)| a * b);
    terms.fold(Complex::zero(), |sum, term| &sum + &term)
}

/// `|a|^2`.
#[must_use]
pub fn squared_norm(a: &[Complex]) -> Rational {
    a.iter().map(Complex::squared).sum()
}

/// `a - b`.
#[must_use]
pub fn difference(a: &[Complex], b: &[Complex]) -> Vec<Complex> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// `A c`: what the coefficients `c` predict on each row.
#[must_use]
pub fn predictions(rows: &[Vec<Complex>], c: &[Complex]) -> Vec<Complex> {
    rows.iter().map(|row| product(row, c)).collect()
}

/// `A* w`: the combination of the conjugate rows with these weights.
#[must_use]
pub fn combination(rows: &[Vec<Complex>], weights: &[Complex]) -> Vec<Complex> {
    let width = rows.first().map_or(0, Vec::len);
    let mut sum = vec![Complex::zero(); width];
    for (row, weight) in rows.iter().zip(weights) {
        for (entry, feature) in sum.iter_mut().zip(row) {
            *entry = &*entry + &(&feature.conjugate() * weight);
        }
    }
    sum
}

/// The Gram matrix `A A*`, one row and one column for each record.
#[must_use]
pub fn gram(rows: &[Vec<Complex>]) -> Vec<Vec<Complex>> {
    let against = |row: &Vec<Complex>, other: &Vec<Complex>| {
        let conjugate: Vec<Complex> = other.iter().map(Complex::conjugate).collect();
        product(row, &conjugate)
    };
    rows.iter()
        .map(|row| rows.iter().map(|other| against(row, other)).collect())
        .collect()
}

/// The solution of `matrix x = right`, by Gaussian elimination.
///
/// # Errors
/// [`OptimiseError::Singular`]; [`OptimiseError::Length`] unless the matrix is square and fits `right`.
pub fn solve(matrix: &[Vec<Complex>], right: &[Complex]) -> Result<Vec<Complex>, OptimiseError> {
    let size = right.len();
    fits("a matrix", size, matrix.len())?;
    for row in matrix {
        fits("a row of a square matrix", size, row.len())?;
    }
    // 1. The equations, each with its right side as the last entry.
    let mut equations: Vec<Vec<Complex>> = matrix
        .iter()
        .zip(right)
        .map(|(row, value)| row.iter().chain([value]).cloned().collect())
        .collect();
    for column in 0..size {
        // 2. A row whose entry in this column is not zero: any will do, exact as we are.
        let pivot = (column..size)
            .find(|&row| !equations[row][column].is_zero())
            .ok_or(OptimiseError::Singular)?;
        equations.swap(column, pivot);
        // 3. Its entry becomes one, and that of all other rows zero.
        let inverse = equations[column][column].inverse();
        let unit: Vec<Complex> = equations[column]
            .iter()
            .map(|entry| entry * &inverse)
            .collect();
        for (row, equation) in equations.iter_mut().enumerate() {
            let factor = equation[column].clone();
            if row != column && !factor.is_zero() {
                for (entry, unit) in equation.iter_mut().zip(&unit) {
                    *entry = &*entry - &(&factor * unit);
                }
            }
        }
        equations[column] = unit;
    }
    Ok(equations
        .into_iter()
        .filter_map(|mut equation| equation.pop())
        .collect())
}

/// The coefficients of least norm among those with `A c = y`, by equation (4) of `lnsx25`:
/// `c = A* (A A*)^-1 y`.
///
/// # Errors
/// [`OptimiseError::Conflict`] for two equal rows with different labels, otherwise [`OptimiseError::Singular`]
/// where `A A*` has no inverse (equal rows, or more records than features); [`OptimiseError::Length`].
pub fn minimum_norm(
    rows: &[Vec<Complex>],
    labels: &[Complex],
) -> Result<Vec<Complex>, OptimiseError> {
    check_shape(rows, labels.len())?;
    for (second, row) in rows.iter().enumerate() {
        for first in 0..second {
            if rows[first] == *row && labels[first] != labels[second] {
                return Err(OptimiseError::Conflict { first, second });
            }
        }
    }
    // 1. G u = y.   2. c = A* u.
    let weights = solve(&gram(rows), labels)?;
    Ok(combination(rows, &weights))
}

/// The least `|A c - y|^2 + penalty |c|^2`, by equation (5) of `lnsx25` with `penalty = m lambda`:
/// `c = A* (A A* + penalty I)^-1 y`.
///
/// # Errors
/// [`OptimiseError::Parameter`] unless `penalty > 0`; [`OptimiseError::Length`].
pub fn ridge(
    rows: &[Vec<Complex>],
    labels: &[Complex],
    penalty: &Rational,
) -> Result<Vec<Complex>, OptimiseError> {
    check_shape(rows, labels.len())?;
    above_zero("the penalty", penalty)?;
    // 1. (G + penalty I) u = y.   2. c = A* u.
    let mut matrix = gram(rows);
    for (place, row) in matrix.iter_mut().enumerate() {
        row[place].re += penalty;
    }
    let weights = solve(&matrix, labels)?;
    Ok(combination(rows, &weights))
}

/// One step of Kaczmarz: the point nearest to `c` that satisfies the equation of record `record`,
/// `c + (y - a c) a* / |a|^2`.
///
/// # Errors
/// [`OptimiseError::ZeroRow`]; [`OptimiseError::Length`].
pub fn kaczmarz_step(
    c: &[Complex],
    rows: &[Vec<Complex>],
    labels: &[Complex],
    record: usize,
) -> Result<Vec<Complex>, OptimiseError> {
    check_shape(rows, labels.len())?;
    let row = rows.get(record).ok_or(OptimiseError::Length {
        what: "a dataset",
        expected: record + 1,
        found: rows.len(),
    })?;
    fits("the coefficients", row.len(), c.len())?;
    let norm = squared_norm(row);
    if norm.is_zero() {
        return Err(OptimiseError::ZeroRow { record });
    }
    let residual = &labels[record] - &product(row, c);
    let step = residual.scaled(&norm.recip());
    Ok(c.iter()
        .zip(row)
        .map(|(c, a)| c + &(&step * &a.conjugate()))
        .collect())
}

/// Kaczmarz from the origin through the records in this order.
///
/// # Errors
/// Those of [`kaczmarz_step`].
pub fn kaczmarz(
    rows: &[Vec<Complex>],
    labels: &[Complex],
    order: &[usize],
) -> Result<Vec<Complex>, OptimiseError> {
    let origin = vec![Complex::zero(); rows.first().map_or(0, Vec::len)];
    order
        .iter()
        .try_fold(origin, |c, &record| kaczmarz_step(&c, rows, labels, record))
}

/// The entry `(j, j)` of `(A A*)^-1`, which is real.
///
/// # Errors
/// Those of [`solve`].
pub fn inverse_gram_diagonal(rows: &[Vec<Complex>], j: usize) -> Result<Rational, OptimiseError> {
    let unit: Vec<Complex> = (0..rows.len())
        .map(|place| Complex::real(Rational::from_integer(i32::from(place == j).into())))
        .collect();
    let column = solve(&gram(rows), &unit)?;
    let entry = column.into_iter().nth(j).ok_or(OptimiseError::Length {
        what: "a dataset",
        expected: j + 1,
        found: rows.len(),
    })?;
    Ok(entry.re)
}

/// Refuses rows of unequal length, and labels that are not as many as the rows.
fn check_shape(rows: &[Vec<Complex>], labels: usize) -> Result<(), OptimiseError> {
    fits("the labels", rows.len(), labels)?;
    for row in rows {
        fits("a row", rows[0].len(), row.len())?;
    }
    Ok(())
}

fn fits(what: &'static str, expected: usize, found: usize) -> Result<(), OptimiseError> {
    if expected == found {
        return Ok(());
    }
    Err(OptimiseError::Length {
        what,
        expected,
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use proptest::prelude::*;

    fn row(quarters: &[u32]) -> Vec<Complex> {
        quarters
            .iter()
            .map(|&q| Complex::quarter_turns(q))
            .collect()
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let rows = [row(&[0, 1]), row(&[0, 1])];
        let right = reals(&[integer(1), integer(1)]);
        assert_eq!(solve(&rows, &right), Err(OptimiseError::Singular));
        assert_eq!(minimum_norm(&rows, &right), Err(OptimiseError::Singular));
    }

    #[test]
    fn conflicting_duplicates_give_a_clear_error() {
        let rows = [row(&[0, 1]), row(&[0, 0]), row(&[0, 1])];
        let labels = reals(&[integer(1), integer(0), integer(2)]);
        let error = minimum_norm(&rows, &labels).unwrap_err();
        assert_eq!(
            error,
            OptimiseError::Conflict {
                first: 0,
                second: 2
            }
        );
        assert!(error.to_string().contains("rows 0 and 2 are equal"));
        // Ridge has a solution all the same, which interpolates neither.
        let c = ridge(&rows, &labels, &ratio(1, 100)).unwrap();
        assert_ne!(product(&rows[0], &c), labels[0]);
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let rows = [row(&[0, 1]), row(&[0])];
        let one = reals(&[integer(1)]);
        let two = reals(&[integer(1), integer(1)]);
        assert!(matches!(
            minimum_norm(&rows, &two),
            Err(OptimiseError::Length { .. })
        ));
        assert!(matches!(
            ridge(&rows[..1], &two, &integer(1)),
            Err(OptimiseError::Length { .. })
        ));
        assert!(matches!(
            solve(&rows[..1], &one),
            Err(OptimiseError::Length { .. })
        ));
        assert!(matches!(
            kaczmarz(&rows[..1], &one, &[1]),
            Err(OptimiseError::Length { .. })
        ));
        assert!(matches!(
            ridge(&rows[..1], &one, &integer(0)),
            Err(OptimiseError::Parameter { .. })
        ));
        let zero = [vec![Complex::zero()]];
        assert_eq!(
            kaczmarz(&zero, &one, &[0]),
            Err(OptimiseError::ZeroRow { record: 0 })
        );
    }

    fn entry() -> impl Strategy<Value = Complex> {
        (-4i64..5, -4i64..5).prop_map(|(re, im)| Complex {
            re: integer(re),
            im: integer(im),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_solve_returns_solves(
            matrix in prop::collection::vec(prop::collection::vec(entry(), 3), 3),
            right in prop::collection::vec(entry(), 3),
        ) {
            match solve(&matrix, &right) {
                Ok(x) => prop_assert_eq!(predictions(&matrix, &x), right),
                // Then the determinant is zero.
                Err(error) => {
                    prop_assert_eq!(error, OptimiseError::Singular);
                    let minor = |a: usize, b: usize| {
                        &(&matrix[1][a] * &matrix[2][b]) - &(&matrix[1][b] * &matrix[2][a])
                    };
                    let determinant = product(
                        &matrix[0],
                        &[minor(1, 2), minor(2, 0), minor(0, 1)],
                    );
                    prop_assert!(determinant.is_zero());
                }
            }
        }

        #[test]
        fn ridge_satisfies_its_normal_equation(
            rows in prop::collection::vec(prop::collection::vec(entry(), 2), 3),
            labels in prop::collection::vec(entry(), 3),
            penalty in 1i64..9,
        ) {
            let penalty = ratio(penalty, 4);
            let c = ridge(&rows, &labels, &penalty).unwrap();
            // A* (y - A c) = penalty c
            let residual = difference(&labels, &predictions(&rows, &c));
            let scaled: Vec<_> = c.iter().map(|c| c.scaled(&penalty)).collect();
            prop_assert_eq!(combination(&rows, &residual), scaled);
        }

        #[test]
        fn a_step_of_kaczmarz_satisfies_its_equation_and_moves_along_the_row(
            row in prop::collection::vec(entry(), 3),
            c in prop::collection::vec(entry(), 3),
            label in entry(),
        ) {
            prop_assume!(!squared_norm(&row).is_zero());
            let rows = [row];
            let next = kaczmarz_step(&c, &rows, std::slice::from_ref(&label), 0).unwrap();
            prop_assert_eq!(product(&rows[0], &next), label.clone());
            let step = (&label - &product(&rows[0], &c)).scaled(&squared_norm(&rows[0]).recip());
            prop_assert_eq!(difference(&next, &c), combination(&rows, &[step]));
        }
    }

    #[test]
    fn a_number_prints_its_imaginary_part_with_its_sign_if_it_has_one() {
        let printed = |re, im| Complex { re, im }.to_string();
        assert_eq!(printed(ratio(3, 5), integer(0)), "3/5");
        assert_eq!(printed(ratio(3, 5), ratio(-1, 5)), "3/5-1/5i");
        assert_eq!(printed(integer(-2), integer(1)), "-2+1i");
    }
}
