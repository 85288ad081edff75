//! Random signs, the Walsh-Hadamard transform, and rows of it; alone, or before a matrix of random signs.

use super::{
    Digits, check_dimension, check_signs, count_of_all, padded_length, random_signs, signed,
};
use crate::coins::Coins;
use crate::geometry::hadamard::walsh_hadamard;
use crate::geometry::projection::{check_length, check_sum};
use crate::geometry::{GeometryError, SignMatrix};
use crate::number::range::{at_least_one, require};
use crate::number::{Rational, rational::integer};
use num_bigint::BigInt;

const ROWS: &str = "the number of rows of a sketch";

/// `P H D`: random signs, the Walsh-Hadamard transform of the vector padded with zeros, and rows of it that are drawn with
/// replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomisedHadamard {
    signs: Vec<i8>,
    rows: Vec<usize>,
}

impl RandomisedHadamard {
    /// A random map to `rows` coordinates: a bit for each sign, `log2` of the padded length for each row.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no row, dimension 0 or one above 2^30, and those of the coins.
    pub fn random(
        rows: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_dimension(dimension)?;
        at_least_one(ROWS, rows as u64)?;
        let signs = random_signs(dimension, coins)?;
        let bits = padded_length(dimension).trailing_zeros();
        let row = |_| Ok(coins.bits(bits)? as usize);
        let rows = (0..rows).map(row).collect::<Result<_, GeometryError>>()?;
        Ok(Self { signs, rows })
    }

    /// The map with these signs, one for each coordinate, and these rows, counted from 0.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no sign or no row, a sign that is neither 1 nor -1, or a row outside the padded
    /// transform.
    pub fn new(signs: Vec<i8>, rows: Vec<usize>) -> Result<Self, GeometryError> {
        check_dimension(signs.len())?;
        check_signs(&signs)?;
        at_least_one(ROWS, rows.len() as u64)?;
        let last = rows.iter().max().copied().unwrap_or(0);
        let right = last < padded_length(signs.len());
        let expected = "below the padded length";
        require(right, "a row of the transform", &last, expected)?;
        Ok(Self { signs, rows })
    }

    /// All maps of a small shape, each once: they are equally likely.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] if there are none, or more than 2^24.
    pub fn all(rows: usize, dimension: usize) -> Result<impl Iterator<Item = Self>, GeometryError> {
        check_dimension(dimension)?;
        at_least_one(ROWS, rows as u64)?;
        let length = padded_length(dimension);
        let count = count_of_all(&[(2, dimension), (length as u64, rows)])?;
        Ok((0..count).map(move |number| {
            let mut digits = Digits(number);
            Self {
                signs: (0..dimension).map(|_| digits.sign()).collect(),
                rows: (0..rows).map(|_| digits.below(length as u64)).collect(),
            }
        }))
    }

    /// `1/k` for `k` rows: the factor of `<P H D x, P H D y>` that makes its expectation `<x, y>`.
    #[must_use]
    pub fn squared_scale(&self) -> Rational {
        integer(self.rows.len()).recip()
    }

    /// The number of rows `k`.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// `P H D x`. No coordinate is larger than `|x_1| + ... + |x_d|`.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if that sum is 2^63 or more.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(x.len(), self.signs.len())?;
        check_sum(x)?;
        let mut vector = signed(x, &self.signs);
        vector.resize(padded_length(x.len()), 0);
        walsh_hadamard(&mut vector)?;
        Ok(self.rows.iter().map(|&row| vector[row]).collect())
    }

    /// `w^T P H D`: the inner product with it is that of `w` with the image.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if the absolute values of `w` sum to 2^63 or more.
    pub fn pull_back(&self, w: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(w.len(), self.rows.len())?;
        check_sum(w)?;
        let mut vector = vec![0; padded_length(self.signs.len())];
        for (&row, weight) in self.rows.iter().zip(w) {
            vector[row] += weight;
        }
        walsh_hadamard(&mut vector)?;
        Ok(signed(&vector, &self.signs))
    }
}

/// [`RandomisedHadamard`] to some rows, and a matrix of random signs to fewer: the number of rows of the second does not
/// depend on the dimension of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoStage {
    first: RandomisedHadamard,
    last: SignMatrix,
}

impl TwoStage {
    /// A random map through `between` coordinates to `rows`.
    ///
    /// # Errors
    /// Those of [`RandomisedHadamard::random`] and [`SignMatrix::random`].
    pub fn random(
        rows: usize,
        between: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        Ok(Self {
            first: RandomisedHadamard::random(between, dimension, coins)?,
            last: SignMatrix::random(rows, between, coins)?,
        })
    }

    /// The second map after the first.
    ///
    /// # Errors
    /// [`GeometryError::Length`] unless the matrix has a column for each row of the first.
    pub fn new(first: RandomisedHadamard, last: SignMatrix) -> Result<Self, GeometryError> {
        check_length(last.columns(), first.rows())?;
        Ok(Self { first, last })
    }

    /// The product of both factors: `1/(k_1 k)`.
    #[must_use]
    pub fn squared_scale(&self) -> Rational {
        self.first.squared_scale() / BigInt::from(self.last.rows())
    }

    /// The image of `x`.
    ///
    /// # Errors
    /// Those of the two maps.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        self.last.apply(&self.first.apply(x)?)
    }

    /// The vector whose inner product with `x` is that of `w` with the image.
    ///
    /// # Errors
    /// Those of the two maps.
    pub fn pull_back(&self, w: &[i64]) -> Result<Vec<i64>, GeometryError> {
        self.first.pull_back(&self.last.pull_back(w)?)
    }
}
