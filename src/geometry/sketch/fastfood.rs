//! Blocks of Fastfood, for random Fourier features of many dimensions.

use super::{check_dimension, check_signs, padded_length, random_below, random_signs, signed};
use crate::coins::Coins;
use crate::geometry::GeometryError;
use crate::geometry::hadamard::walsh_hadamard;
use crate::geometry::projection::{check_length, check_sum};
use crate::number::Rational;
use crate::number::range::{OutOfRange, require};
use crate::prepared::DrawnOften;
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A block of Fastfood (Le, Sarlos and Smola 2013): `H G Q H B` for random signs `B`, a random permutation `Q` and Gaussian
/// gains `G`. It stands for a square matrix of independent normal entries, and is applied in `n log n` additions.
///
/// Each of its `n` rows alone has the law of `n` independent normal numbers of variance `n v`, where `v` is that of a gain.
/// The rows of one block depend on each other, and have one length: of their work the factor `S`, which would give each a
/// length of its own, is left out. Only blocks are independent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fastfood {
    pub(super) signs: Vec<i8>,
    pub(super) order: Vec<usize>,
    pub(super) gains: Vec<i64>,
}

impl Fastfood {
    /// A random block for vectors of this dimension, padded to a power of two; `variance` is the parameter of the discrete
    /// Gaussian law of a gain.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for dimension 0 or one above 2^30, or a gain of 2^63 or more;
    /// [`GeometryError::Coins`] unless `variance > 0`, and those of the coins.
    pub fn random(
        dimension: usize,
        variance: &Rational,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_dimension(dimension)?;
        let law = DiscreteGaussian::new(variance.clone())?;
        let signs = random_signs(dimension, coins)?;
        let length = padded_length(dimension);
        let law = DrawnOften::new(law, length as u64)?;
        let mut order: Vec<usize> = (0..length).collect();
        for last in (1..length).rev() {
            order.swap(last, random_below(last + 1, coins)?);
        }
        let gain = |_| -> Result<i64, GeometryError> {
            let gain: BigInt = coins.draw(&law)?;
            let expected = "below 2^63";
            let fits = gain.to_i64();
            Ok(fits.ok_or_else(|| OutOfRange::new("a gain", &gain, expected))?)
        };
        let gains = (0..length).map(gain).collect::<Result<_, _>>()?;
        Ok(Self {
            signs,
            order,
            gains,
        })
    }

    /// The block with these signs, one for each coordinate, and, for each coordinate of the padded vector, this gain and the
    /// place that it comes from.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] unless the signs are 1 or -1 and `order` is a permutation;
    /// [`GeometryError::Length`] unless it and the gains have the padded length.
    pub fn new(signs: Vec<i8>, order: Vec<usize>, gains: Vec<i64>) -> Result<Self, GeometryError> {
        check_dimension(signs.len())?;
        check_signs(&signs)?;
        let length = padded_length(signs.len());
        check_length(order.len(), length)?;
        check_length(gains.len(), length)?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let right = sorted.into_iter().eq(0..length);
        let places = || format!("{order:?}");
        require(right, "the order of a block", &places(), "a permutation")?;
        Ok(Self {
            signs,
            order,
            gains,
        })
    }

    /// `H G Q H B x`: the inner products of `x` with the rows of the block.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if a sum might not fit in 64 bits.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(x.len(), self.signs.len())?;
        check_sum(x)?;
        let mut vector = signed(x, &self.signs);
        vector.resize(self.gains.len(), 0);
        walsh_hadamard(&mut vector)?;
        let gained = |(&place, &gain): (&usize, &i64)| {
            let product = vector[place].checked_mul(gain);
            product.ok_or(GeometryError::Overflow)
        };
        let mut gained: Vec<i64> = self
            .order
            .iter()
            .zip(&self.gains)
            .map(gained)
            .collect::<Result<_, _>>()?;
        walsh_hadamard(&mut gained)?;
        Ok(gained)
    }
}
