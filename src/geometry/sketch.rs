//! Random maps that are fast to apply, or that sketch tensor powers, in integers.
//!
//! | map | of `x` | inner products |
//! |---|---|---|
//! | [`RandomisedHadamard`] | `P H D x`: random signs, the Walsh-Hadamard transform, random rows | `<x, y>` on average |
//! | [`TwoStage`] | the same, then a matrix of random signs | `<x, y>` on average |
//! | [`CountSketch`] | signed coordinates, thrown into buckets | `<x, y>` on average |
//! | [`TensorSketch`] | the circular convolution of `p` count sketches | `<x, y>^p` on average |
//! | [`TreeSketch`] | a binary tree of tensor sketches of degree 2 | `<x, y>^p` on average |
//! | [`Fastfood`] | `H G Q H B x`: signs, a permutation, Gaussian gains | rows of a Gaussian matrix, dependent |
//!
//! Each is drawn without the data, and may be published. What makes "on average" of the inner product of two images is the
//! map's `squared_scale`, a rational: it is returned, and never applied, so that the image of an integer vector is one.
//! How long an image is depends on the draw: a learner clips it.

use super::hadamard::walsh_hadamard;
use super::projection::{check_length, check_sum};
use super::{GeometryError, SignMatrix};
use crate::coins::Coins;
use crate::number::range::{OutOfRange, at_least_one, require};
use crate::number::{Rational, rational::integer};
use crate::sample::DiscreteGaussian;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// The longest vector that is transformed, 2^30: what it would be padded to fits in memory.
const LONGEST: usize = 1 << 30;

/// The most maps that are gone through: 16 million.
const MOST_ENUMERATED: u64 = 1 << 24;

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

/// Each coordinate, with a random sign, is added to a random bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountSketch {
    signs: Vec<i8>,
    buckets: Vec<usize>,
    size: usize,
}

impl CountSketch {
    /// A random sketch of vectors of this dimension in `size` buckets.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no bucket or dimension 0, and those of the coins.
    pub fn random(
        size: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_dimension(dimension)?;
        at_least_one(BUCKETS, size as u64)?;
        let signs = random_signs(dimension, coins)?;
        let bucket = |_| random_below(size, coins);
        let buckets = (0..dimension)
            .map(bucket)
            .collect::<Result<_, GeometryError>>()?;
        Ok(Self {
            signs,
            buckets,
            size,
        })
    }

    /// All sketches of a small shape, each once: they are equally likely.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] if there are none, or more than 2^24.
    pub fn all(size: usize, dimension: usize) -> Result<impl Iterator<Item = Self>, GeometryError> {
        check_dimension(dimension)?;
        at_least_one(BUCKETS, size as u64)?;
        let count = count_of_all(&[(2, dimension), (size as u64, dimension)])?;
        Ok((0..count).map(move |number| {
            let mut digits = Digits(number);
            Self {
                signs: (0..dimension).map(|_| digits.sign()).collect(),
                buckets: (0..dimension).map(|_| digits.below(size as u64)).collect(),
                size,
            }
        }))
    }

    /// The number of buckets.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The dimension of the vectors.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.signs.len()
    }

    /// The buckets. Their absolute values sum to at most those of `x`.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if the absolute values of `x` sum to 2^63 or more.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(x.len(), self.dimension())?;
        check_sum(x)?;
        let mut sums = vec![0; self.size];
        for ((x, &sign), &bucket) in x.iter().zip(&self.signs).zip(&self.buckets) {
            sums[bucket] += x * i64::from(sign);
        }
        Ok(sums)
    }

    /// The vector whose inner product with `x` is that of `w` with the buckets.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if the absolute values of `w` sum to 2^63 or more.
    pub fn pull_back(&self, w: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(w.len(), self.size)?;
        check_sum(w)?;
        let place = |(&bucket, &sign): (&usize, &i8)| w[bucket] * i64::from(sign);
        Ok(self.buckets.iter().zip(&self.signs).map(place).collect())
    }
}

/// The circular convolution of `p` independent count sketches of one vector (Pham and Pagh 2013): a count sketch of its
/// `p`-th tensor power, without going through it.
///
/// A convolution is computed by its definition, in integers: `k^2` products for `k` buckets.
///
/// For the kernel `(<x, y> + c)^p` append to every vector a coordinate whose square is `c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorSketch {
    factors: Vec<CountSketch>,
}

impl TensorSketch {
    /// A random sketch of this degree.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for degree 0, and those of [`CountSketch::random`].
    pub fn random(
        degree: usize,
        size: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        let factor = |_| CountSketch::random(size, dimension, coins);
        Self::new((0..degree).map(factor).collect::<Result<_, _>>()?)
    }

    /// The convolution of these sketches. They must be independent.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for none; [`GeometryError::Length`] if they differ in shape.
    pub fn new(factors: Vec<CountSketch>) -> Result<Self, GeometryError> {
        check_factors(&factors)?;
        Ok(Self { factors })
    }

    /// The sketch of `x`, `p` times with itself.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if the `p`-th power of the sum of the absolute values of
    /// `x` is 2^63 or more.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_power(x, self.factors.len())?;
        let mut product = self.factors[0].apply(x)?;
        for factor in &self.factors[1..] {
            product = convolution(&product, &factor.apply(x)?);
        }
        Ok(product)
    }
}

/// A tree of sketches (Ahle et al. 2020): at each of `p` leaves a count sketch of the vector, at each inner node the tensor
/// sketch of degree 2 of what its two children have. **All of them are independent**: a leaf or a node that is used
/// twice makes the sketch biased.
///
/// Neighbours are paired level by level; the last of an odd number goes up as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeSketch {
    leaves: Vec<CountSketch>,
    nodes: Vec<[CountSketch; 2]>,
}

impl TreeSketch {
    /// A random sketch of this degree.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for degree 0, and those of [`CountSketch::random`].
    pub fn random(
        degree: usize,
        size: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        let mut leaves = Vec::with_capacity(degree);
        for _ in 0..degree {
            leaves.push(CountSketch::random(size, dimension, coins)?);
        }
        let mut nodes = Vec::with_capacity(degree.saturating_sub(1));
        for _ in 1..degree {
            let left = CountSketch::random(size, size, coins)?;
            nodes.push([left, CountSketch::random(size, size, coins)?]);
        }
        Self::new(leaves, nodes)
    }

    /// The tree of these leaves and nodes, level by level from the leaves. They must be independent.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no leaf; [`GeometryError::Length`] unless all leaves have one shape, there is one
    /// node less than there are leaves, and each maps buckets to as many.
    pub fn new(
        leaves: Vec<CountSketch>,
        nodes: Vec<[CountSketch; 2]>,
    ) -> Result<Self, GeometryError> {
        check_factors(&leaves)?;
        check_length(nodes.len(), leaves.len() - 1)?;
        let size = leaves[0].size();
        for sketch in nodes.iter().flatten() {
            check_length(sketch.size(), size)?;
            check_length(sketch.dimension(), size)?;
        }
        Ok(Self { leaves, nodes })
    }

    /// The sketch of `x`, `p` times with itself.
    ///
    /// # Errors
    /// As [`TensorSketch::apply`].
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_power(x, self.leaves.len())?;
        let leaf = |leaf: &CountSketch| leaf.apply(x);
        let mut level: Vec<Vec<i64>> = self.leaves.iter().map(leaf).collect::<Result<_, _>>()?;
        let mut nodes = self.nodes.iter();
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                above.push(match pair {
                    [one, other] => match nodes.next() {
                        Some([left, right]) => convolution(&left.apply(one)?, &right.apply(other)?),
                        None => Vec::new(),
                    },
                    _ => pair.concat(),
                });
            }
            level = above;
        }
        Ok(level.concat())
    }
}

/// A block of Fastfood (Le, Sarlos and Smola 2013): `H G Q H B` for random signs `B`, a random permutation `Q` and Gaussian
/// gains `G`. It stands for a square matrix of independent normal entries, and is applied in `n log n` additions.
///
/// Each of its `n` rows alone has the law of `n` independent normal numbers of variance `n v`, where `v` is that of a gain.
/// The rows of one block depend on each other, and have one length: of their work the factor `S`, which would give each a
/// length of its own, is left out. Only blocks are independent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fastfood {
    signs: Vec<i8>,
    order: Vec<usize>,
    gains: Vec<i64>,
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

const ROWS: &str = "the number of rows of a sketch";
const BUCKETS: &str = "the number of buckets of a sketch";

/// The least power of two that is at least the dimension.
fn padded_length(dimension: usize) -> usize {
    dimension.next_power_of_two()
}

fn check_dimension(dimension: usize) -> Result<(), GeometryError> {
    let right = (1..=LONGEST).contains(&dimension);
    let expected = "at least 1 and at most 2^30";
    Ok(require(
        right,
        "the dimension of a sketched vector",
        &dimension,
        expected,
    )?)
}

fn check_signs(signs: &[i8]) -> Result<(), GeometryError> {
    for sign in signs {
        require(sign.abs() == 1, "a sign of a sketch", sign, "1 or -1")?;
    }
    Ok(())
}

fn random_signs(count: usize, coins: &mut impl Coins) -> Result<Vec<i8>, GeometryError> {
    let sign = |_| Ok(if coins.bits(1)? == 1 { 1 } else { -1 });
    (0..count).map(sign).collect()
}

fn random_below(n: usize, coins: &mut impl Coins) -> Result<usize, GeometryError> {
    let drawn = coins.uniform_below(&BigUint::from(n))?.to_usize();
    Ok(drawn.unwrap_or(0))
}

/// The first coordinates of `x`, each times its sign.
fn signed(x: &[i64], signs: &[i8]) -> Vec<i64> {
    let product = |(x, &sign): (&i64, &i8)| x * i64::from(sign);
    x.iter().zip(signs).map(product).collect()
}

/// That there is a factor, and that all have the shape of the first.
fn check_factors(factors: &[CountSketch]) -> Result<(), GeometryError> {
    at_least_one("the degree of a sketch", factors.len() as u64)?;
    for factor in factors {
        check_length(factor.dimension(), factors[0].dimension())?;
        check_length(factor.size(), factors[0].size())?;
    }
    Ok(())
}

/// That no sum of products of `degree` coordinates of `x` can overflow.
fn check_power(x: &[i64], degree: usize) -> Result<(), GeometryError> {
    let sum: u128 = x.iter().map(|x| u128::from(x.unsigned_abs())).sum();
    let power = u32::try_from(degree)
        .ok()
        .and_then(|degree| sum.checked_pow(degree));
    if power.is_some_and(|power| power <= i64::MAX as u128) {
        Ok(())
    } else {
        Err(GeometryError::Overflow)
    }
}

/// `c_k`, the sum of `a_i b_j` over `i + j = k` modulo the length.
fn convolution(a: &[i64], b: &[i64]) -> Vec<i64> {
    let mut sums = vec![0; a.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            sums[(i + j) % a.len()] += x * y;
        }
    }
    sums
}

/// The product of the powers, if so many maps are gone through.
fn count_of_all(powers: &[(u64, usize)]) -> Result<u64, GeometryError> {
    let mut count = Some(1u64);
    for &(base, exponent) in powers {
        let power = u32::try_from(exponent)
            .ok()
            .and_then(|exponent| base.checked_pow(exponent));
        count = count
            .zip(power)
            .and_then(|(count, power)| count.checked_mul(power));
    }
    let few = count.filter(|count| *count <= MOST_ENUMERATED);
    let shown = count.map_or("2^64 or more".to_owned(), |count| count.to_string());
    let refused = || OutOfRange::new("the number of maps of a shape", &shown, "at most 2^24");
    Ok(few.ok_or_else(refused)?)
}

/// The digits of a number, in whatever bases they are asked for.
struct Digits(u64);

impl Digits {
    fn below(&mut self, base: u64) -> usize {
        let digit = self.0 % base;
        self.0 /= base;
        digit as usize
    }

    fn sign(&mut self) -> i8 {
        if self.below(2) == 0 { 1 } else { -1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::ratio;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn dot(a: &[i64], b: &[i64]) -> i64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn count_sketch(signs: &[i8], buckets: &[usize], size: usize) -> CountSketch {
        CountSketch {
            signs: signs.to_vec(),
            buckets: buckets.to_vec(),
            size,
        }
    }

    #[test]
    fn rows_of_the_transform_of_the_signed_vector() {
        let map = RandomisedHadamard::new(vec![1, -1], vec![1, 0, 1]).unwrap();
        assert_eq!(map.apply(&[5, 3]).unwrap(), [8, 2, 8]);
        assert_eq!(map.pull_back(&[10, 1, 100]).unwrap(), [111, 109]);
        assert_eq!((map.rows(), map.squared_scale()), (3, ratio(1, 3)));
        // Three coordinates are padded to four.
        let map = RandomisedHadamard::new(vec![1, 1, -1], vec![0, 3]).unwrap();
        assert_eq!(map.apply(&[1, 2, 4]).unwrap(), [-1, 3]);
    }

    #[test]
    fn a_matrix_of_signs_after_the_transform() {
        let first = RandomisedHadamard::new(vec![1, -1], vec![1, 0]).unwrap();
        let last = SignMatrix::from_signs(&[vec![1, 1], vec![1, -1], vec![-1, 1]]).unwrap();
        let map = TwoStage::new(first.clone(), last).unwrap();
        assert_eq!(map.apply(&[5, 3]).unwrap(), [10, 6, -6]);
        assert_eq!(map.squared_scale(), ratio(1, 6));
        let wide = SignMatrix::from_signs(&[vec![1, 1, 1]]).unwrap();
        assert!(TwoStage::new(first, wide).is_err());
    }

    #[test]
    fn coordinates_are_thrown_into_buckets() {
        let sketch = count_sketch(&[1, -1, -1], &[1, 0, 1], 3);
        assert_eq!(sketch.apply(&[5, 3, 7]).unwrap(), [-3, -2, 0]);
        assert_eq!(sketch.pull_back(&[10, 20, 30]).unwrap(), [20, -10, -20]);
    }

    #[test]
    fn a_tensor_sketch_is_a_count_sketch_of_the_tensor_power() {
        let mut coins = ChaCha::reproducible(3, 0);
        let x = [2, -3, 5];
        for degree in 1..4 {
            let sketch = TensorSketch::random(degree, 4, 3, &mut coins).unwrap();
            let mut sums = vec![0; 4];
            for tuple in 0..3usize.pow(degree as u32) {
                let (mut bucket, mut product, mut rest) = (0, 1, tuple);
                for factor in &sketch.factors {
                    let i = rest % 3;
                    rest /= 3;
                    bucket += factor.buckets[i];
                    product *= x[i] * i64::from(factor.signs[i]);
                }
                sums[bucket % 4] += product;
            }
            assert_eq!(sketch.apply(&x).unwrap(), sums, "degree {degree}");
        }
    }

    #[test]
    fn a_tree_of_three_leaves() {
        let leaf = |sign| count_sketch(&[sign, 1], &[0, 1], 2);
        let swapped = count_sketch(&[1, 1], &[1, 0], 2);
        let same = count_sketch(&[1, 1], &[0, 1], 2);
        let tree = TreeSketch::new(
            vec![leaf(1), leaf(-1), leaf(-1)],
            vec![[same.clone(), swapped.clone()], [swapped, same]],
        )
        .unwrap();
        // The leaves have (2, 3), (-2, 3) and (-2, 3). The first node: (2, 3) * (3, -2) = (0, 5). The second: (5, 0) * (-2, 3).
        assert_eq!(tree.apply(&[2, 3]).unwrap(), [-10, 15]);
    }

    #[test]
    fn a_block_of_fastfood_is_its_product_of_matrices() {
        // H B x = (2, 8), its places exchanged and with gains (24, 4), transformed.
        let block = Fastfood::new(vec![1, -1], vec![1, 0], vec![3, 2]).unwrap();
        assert_eq!(block.apply(&[5, 3]).unwrap(), [28, 20]);
        let mut coins = ChaCha::reproducible(7, 0);
        let mut orders = BTreeSet::new();
        for _ in 0..500 {
            let block = Fastfood::random(3, &integer(100), &mut coins).unwrap();
            let Fastfood {
                signs,
                order,
                gains,
            } = block;
            assert!(Fastfood::new(signs, order.clone(), gains).is_ok());
            orders.insert(order);
        }
        assert_eq!(orders.len(), 24);
    }

    #[test]
    fn all_maps_of_a_shape_are_distinct_and_those_that_are_drawn() {
        let mut coins = ChaCha::reproducible(1, 0);
        let all: Vec<_> = RandomisedHadamard::all(2, 3).unwrap().collect();
        assert_eq!(all.len(), 8 * 16);
        let distinct: BTreeSet<_> = all.iter().map(|map| format!("{map:?}")).collect();
        assert_eq!(distinct.len(), all.len());
        let mut drawn = BTreeSet::new();
        for _ in 0..2000 {
            let map = RandomisedHadamard::random(2, 3, &mut coins).unwrap();
            drawn.insert(format!("{map:?}"));
        }
        assert_eq!(drawn, distinct);
        let distinct: BTreeSet<_> = CountSketch::all(3, 2)
            .unwrap()
            .map(|map| format!("{map:?}"))
            .collect();
        assert_eq!(distinct.len(), 36);
        let mut drawn = BTreeSet::new();
        for _ in 0..1000 {
            let map = CountSketch::random(3, 2, &mut coins).unwrap();
            drawn.insert(format!("{map:?}"));
        }
        assert_eq!(drawn, distinct);
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        let mut coins = ChaCha::reproducible(1, 0);
        assert!(RandomisedHadamard::random(0, 3, &mut coins).is_err());
        assert!(RandomisedHadamard::random(1, 0, &mut coins).is_err());
        assert!(RandomisedHadamard::random(1, LONGEST + 1, &mut coins).is_err());
        assert!(RandomisedHadamard::new(vec![1, 0], vec![0]).is_err());
        assert!(RandomisedHadamard::new(vec![1, 1, 1], vec![3]).is_ok());
        assert!(RandomisedHadamard::new(vec![1, 1, 1], vec![4]).is_err());
        assert!(RandomisedHadamard::all(8, 8).is_err() && CountSketch::all(2, 13).is_err());
        assert!(RandomisedHadamard::all(100, 100).is_err() && CountSketch::all(2, 12).is_ok());
        assert!(CountSketch::random(0, 3, &mut coins).is_err());
        assert!(CountSketch::random(3, 0, &mut coins).is_err());
        assert!(TensorSketch::random(0, 3, 3, &mut coins).is_err());
        assert!(TreeSketch::random(0, 3, 3, &mut coins).is_err());
        let of = |size, dimension| count_sketch(&vec![1; dimension], &vec![0; dimension], size);
        assert!(TensorSketch::new(vec![of(2, 3), of(2, 2)]).is_err());
        assert!(TensorSketch::new(vec![of(2, 3), of(3, 3)]).is_err());
        let tree = |nodes| TreeSketch::new(vec![of(2, 3), of(2, 3)], nodes);
        assert!(tree(vec![]).is_err());
        assert!(tree(vec![[of(2, 2), of(2, 3)]]).is_err());
        assert!(tree(vec![[of(2, 2), of(3, 2)]]).is_err());
        assert!(tree(vec![[of(2, 2), of(2, 2)]]).is_ok());
        assert!(Fastfood::random(3, &integer(0), &mut coins).is_err());
        assert!(Fastfood::new(vec![1, 1], vec![0, 0], vec![1, 1]).is_err());
        assert!(Fastfood::new(vec![1, 1], vec![0], vec![1, 1]).is_err());
        assert!(Fastfood::new(vec![1, 1], vec![0, 1], vec![1]).is_err());
        assert!(Fastfood::new(vec![1, 2], vec![0, 1], vec![1, 1]).is_err());
    }

    #[test]
    fn what_might_overflow_is_refused() {
        let overflow = |found: Result<Vec<i64>, GeometryError>| {
            assert_eq!(found.unwrap_err(), GeometryError::Overflow);
        };
        let map = RandomisedHadamard::new(vec![1, 1], vec![0]).unwrap();
        overflow(map.apply(&[i64::MAX, 1]));
        overflow(map.apply(&[i64::MIN, 0]));
        overflow(map.pull_back(&[i64::MIN]));
        let sketch = count_sketch(&[1, 1], &[0, 0], 1);
        overflow(sketch.apply(&[i64::MAX, 1]));
        overflow(sketch.pull_back(&[i64::MIN]));
        let squared = TensorSketch::new(vec![sketch.clone(), sketch.clone()]).unwrap();
        let one = count_sketch(&[1], &[0], 1);
        let tree = TreeSketch::new(vec![sketch.clone(), sketch], vec![[one.clone(), one]]).unwrap();
        // 3037000499 is the integer part of the root of 2^63 - 1.
        let root = 3_037_000_499;
        assert_eq!(squared.apply(&[root, 0]).unwrap(), [root * root]);
        assert_eq!(tree.apply(&[root, 0]).unwrap(), [root * root]);
        overflow(squared.apply(&[root, 1]));
        overflow(tree.apply(&[root, 1]));
        let block = Fastfood::new(vec![1, 1], vec![0, 1], vec![1 << 40, 1]).unwrap();
        overflow(block.apply(&[1 << 40, 0]));
        overflow(block.apply(&[i64::MAX, 1]));
        assert!(block.apply(&[1 << 20, 0]).is_ok() && block.apply(&[1]).is_err());
    }

    proptest! {
        #[test]
        fn pulling_back_keeps_the_inner_product(
            x in prop::collection::vec(-1_000_000i64..1_000_000, 1..40),
            w in prop::collection::vec(-1000i64..1000, 1..12), seed in any::<u64>()
        ) {
            let mut coins = ChaCha::reproducible(seed, 0);
            let map = RandomisedHadamard::random(w.len(), x.len(), &mut coins).unwrap();
            let (image, pulled) = (map.apply(&x).unwrap(), map.pull_back(&w).unwrap());
            prop_assert_eq!(dot(&image, &w), dot(&x, &pulled));
            let map = TwoStage::random(w.len(), 5, x.len(), &mut coins).unwrap();
            let (image, pulled) = (map.apply(&x).unwrap(), map.pull_back(&w).unwrap());
            prop_assert_eq!(dot(&image, &w), dot(&x, &pulled));
            let map = CountSketch::random(w.len(), x.len(), &mut coins).unwrap();
            let (image, pulled) = (map.apply(&x).unwrap(), map.pull_back(&w).unwrap());
            prop_assert_eq!(dot(&image, &w), dot(&x, &pulled));
        }
    }
}
