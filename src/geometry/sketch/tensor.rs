//! Sketches of tensor powers, made of count sketches: their inner products stand for a power of `<x, y>`.

use super::CountSketch;
use crate::coins::Coins;
use crate::geometry::GeometryError;
use crate::geometry::projection::check_length;
use crate::number::range::require;

/// The circular convolution of `p` independent count sketches of one vector (Pham and Pagh 2013): a count sketch of its
/// `p`-th tensor power, without going through it.
///
/// A convolution is computed by its definition, in integers: `k^2` products for `k` buckets.
///
/// For the kernel `(<x, y> + c)^p` append to every vector a coordinate whose square is `c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorSketch {
    pub(super) factors: Vec<CountSketch>,
}

impl TensorSketch {
    /// A random sketch of this degree.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for degree 0 or one above 64, and those of [`CountSketch::random`].
    pub fn random(
        degree: usize,
        size: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_degree(degree)?;
        let factor = |_| CountSketch::random(size, dimension, coins);
        Self::new((0..degree).map(factor).collect::<Result<_, _>>()?)
    }

    /// The convolution of these sketches. They must be independent.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for none or more than 64; [`GeometryError::Length`] if they differ in shape.
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
    /// [`GeometryError::Parameter`] for degree 0 or one above 64, and those of [`CountSketch::random`].
    pub fn random(
        degree: usize,
        size: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_degree(degree)?;
        let mut leaves = Vec::with_capacity(degree);
        for _ in 0..degree {
            leaves.push(CountSketch::random(size, dimension, coins)?);
        }
        let mut nodes = Vec::with_capacity(degree - 1);
        for _ in 1..degree {
            let left = CountSketch::random(size, size, coins)?;
            nodes.push([left, CountSketch::random(size, size, coins)?]);
        }
        Self::new(leaves, nodes)
    }

    /// The tree of these leaves and nodes, level by level from the leaves. They must be independent.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no leaf or more than 64; [`GeometryError::Length`] unless all leaves have one shape, there is one
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

/// Beyond 64 only vectors with at most one coordinate, 1 or -1, have a power below 2^63.
fn check_degree(degree: usize) -> Result<(), GeometryError> {
    let right = (1..=64).contains(&degree);
    let expected = "at least 1 and at most 64";
    Ok(require(right, "the degree of a sketch", &degree, expected)?)
}

/// That the degree is right, and that all factors have the shape of the first.
fn check_factors(factors: &[CountSketch]) -> Result<(), GeometryError> {
    check_degree(factors.len())?;
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
