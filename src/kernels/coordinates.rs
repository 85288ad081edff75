//! Public queries as coordinates: nearly orthonormal vectors of the kernel's space, found as the queries come.
//!
//! Gram and Schmidt's method, twice for each query, in integers. How good the result is does not matter for privacy: a
//! vector is taken only if the integers prove that all vectors together are nearly orthonormal. Nothing here depends on
//! the data.

use super::{KernelOn, VALUE_BITS};
use crate::geometry::Point;
use crate::number::Rational;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Weights of vectors and coordinates of points are counted in steps of `2^-64`.
pub const BITS: u32 = 64;

/// `kappa = 2^-10`: each row of the matrix of inner products, less the identity, has an absolute sum of at most this.
pub const KAPPA_BITS: u32 = 10;

/// Inner products of two vectors are counted in steps of `2^-176`.
const INNER_BITS: u32 = 2 * BITS + VALUE_BITS;

/// Vectors `e_1, e_2, ...`, each a combination of the points at which one was added, whose Gram matrix `G` has
/// `|G - I| <= kappa` (`jt13.gp.online`).
#[derive(Debug, Clone)]
pub struct Coordinates {
    kernel: KernelOn,
    most: usize,
    longest: BigInt,
    points: Vec<Point>,
    // Row i: the kernel between point i and the points up to it.
    gram: Vec<Vec<i64>>,
    vectors: Vec<Vector>,
}

/// `e_j = sum of c_i phi(z_i)`.
#[derive(Debug, Clone)]
struct Vector {
    // The c_i, in steps.
    weights: Vec<BigInt>,
    // The sum of the |c_i|.
    length: BigInt,
    // At least the absolute sum of this row of G - I.
    off: BigInt,
}

/// A point in terms of the vectors: `phi(z) = sum of u_j e_j + rest`.
#[derive(Debug, Clone)]
pub struct Expanded {
    point: Point,
    // The kernel between the points of the vectors and this one, and of this one with itself.
    column: Vec<i64>,
    /// The `u_j`, in steps of `2^-64`.
    pub along: Vec<BigInt>,
    // The weights of the points of the vectors, and of this one, in steps of 2^-128.
    rest: Vec<BigInt>,
    // |rest|^2 by the values of the kernel, in steps of 2^-304; and by how much it may be off.
    squared: BigInt,
    error: BigInt,
}

impl Coordinates {
    /// No vectors yet; at most so many, with weights whose absolute sum is at most `longest` steps of `2^-64`.
    #[must_use]
    pub fn new(kernel: KernelOn, most: usize, longest: BigInt) -> Self {
        Self {
            kernel,
            most,
            longest,
            points: Vec::new(),
            gram: Vec::new(),
            vectors: Vec::new(),
        }
    }

    /// How many vectors there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.vectors.len()
    }

    /// How many more there may be.
    #[must_use]
    pub fn left(&self) -> usize {
        self.most - self.vectors.len()
    }

    /// The points whose combinations the vectors are.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The weights of the points in a vector, in steps of `2^-64`.
    #[must_use]
    pub fn weights(&self, vector: usize) -> &[BigInt] {
        &self.vectors[vector].weights
    }

    /// A point of the domain in terms of the vectors.
    #[must_use]
    pub fn expand(&self, z: &Point) -> Expanded {
        let points = self.points.iter().chain([z]);
        let column: Vec<i64> = points.map(|x| self.kernel.value(x, z)).collect();
        // 1. rest = phi(z).
        let mut along = vec![BigInt::zero(); self.count()];
        let mut rest = vec![BigInt::zero(); self.count()];
        rest.push(BigInt::one() << (2 * BITS));
        // 2. Twice: u_j = <e_j, rest>, and rest loses the sum of the u_j e_j.
        for _ in 0..2 {
            let products = self.products(&column, &rest);
            for (vector, sum) in self.vectors.iter().zip(&mut along) {
                let u = vector.inner(&products) >> INNER_BITS;
                for (left, weight) in rest.iter_mut().zip(&vector.weights) {
                    *left -= &u * weight;
                }
                *sum += u;
            }
        }
        // 3. |rest|^2
        let products = self.products(&column, &rest);
        let squared = rest.iter().zip(&products).map(|(a, b)| a * b).sum();
        let length: BigInt = rest.iter().map(Signed::abs).sum();
        Expanded {
            point: z.clone(),
            along,
            squared,
            error: length.pow(2) * self.kernel.error(),
            column,
            rest,
        }
    }

    /// The inner products of the points of the vectors, and of one more, with a combination of them.
    fn products(&self, column: &[i64], weights: &[BigInt]) -> Vec<BigInt> {
        let count = self.count();
        let value = |i: usize, k: usize| match (i.max(k), i.min(k)) {
            (larger, smaller) if larger == count => column[smaller],
            (larger, smaller) => self.gram[larger][smaller],
        };
        let product = |i: usize| {
            let terms = weights.iter().enumerate();
            terms.map(|(k, weight)| weight * value(i, k)).sum()
        };
        (0..=count).map(product).collect()
    }

    /// Adds the direction of what is left of a point, if the certificate allows it; otherwise nothing.
    pub fn add(&mut self, expanded: &Expanded) -> bool {
        expanded
            .direction()
            .is_some_and(|weights| self.add_vector(expanded, weights))
    }

    /// Adds the vector with these weights at the points of the vectors and at one more, if with it all vectors are still
    /// nearly orthonormal: every row of `G - I` has an absolute sum of at most `kappa`, what values of the kernel are off by
    /// included.
    pub fn add_vector(&mut self, expanded: &Expanded, weights: Vec<BigInt>) -> bool {
        let length: BigInt = weights.iter().map(Signed::abs).sum();
        // Of an expansion in fewer vectors than there are now, nothing is added.
        let fits = expanded.column.len() == self.count() + 1 && weights.len() <= self.count() + 1;
        if self.left() == 0 || length > self.longest || !fits {
            return false;
        }
        // 1. Its row of G - I, each entry with its error.
        let error = |other: &BigInt| &length * other * self.kernel.error();
        let products = self.products(&expanded.column, &weights);
        let entry = |vector: &Vector| vector.inner(&products).abs() + error(&vector.length);
        let entries: Vec<BigInt> = self.vectors.iter().map(entry).collect();
        let one = BigInt::one() << INNER_BITS;
        let squared: BigInt = weights.iter().zip(&products).map(|(a, b)| a * b).sum();
        let own = (squared - one).abs() + error(&length);
        // 2. The absolute sum of every row, the new entry of the others included.
        let kappa = BigInt::one() << (INNER_BITS - KAPPA_BITS);
        let off = own + entries.iter().sum::<BigInt>();
        let others = self.vectors.iter().zip(&entries);
        if off > kappa
            || others
                .clone()
                .any(|(vector, entry)| &vector.off + entry > kappa)
        {
            return false;
        }
        // 3. It is taken.
        for (vector, entry) in self.vectors.iter_mut().zip(entries) {
            vector.off += entry;
        }
        self.vectors.push(Vector {
            weights,
            length,
            off,
        });
        self.points.push(expanded.point.clone());
        self.gram.push(expanded.column.clone());
        true
    }
}

impl Vector {
    /// `<e_j, x>`, by the inner products of `x` with the points.
    fn inner(&self, products: &[BigInt]) -> BigInt {
        let terms = self.weights.iter().zip(products);
        terms.map(|(weight, product)| weight * product).sum()
    }
}

impl Expanded {
    /// `|rest|` by the values of the kernel, rounded down, in steps of `2^-152`.
    fn norm(&self) -> BigInt {
        if self.squared.is_positive() {
            self.squared.sqrt()
        } else {
            BigInt::zero()
        }
    }

    /// `rest/|rest|`; `None` if nothing is left.
    fn direction(&self) -> Option<Vec<BigInt>> {
        let norm = self.norm();
        // 2^-128 over 2^-152, in steps of 2^-64.
        let weight = |left: &BigInt| (left << (VALUE_BITS / 2 + BITS)) / &norm;
        (!norm.is_zero()).then(|| self.rest.iter().map(weight).collect())
    }

    /// The distance of the point from the span of the vectors, nearly: its coordinate in the direction of what is left.
    #[must_use]
    pub fn distance(&self) -> Rational {
        Rational::new(self.norm(), BigInt::one() << (2 * BITS + VALUE_BITS / 2))
    }

    /// At least the squared norm of what is left.
    #[must_use]
    pub fn squared_rest(&self) -> Rational {
        let squared = &self.squared + &self.error;
        Rational::new(squared, BigInt::one() << (4 * BITS + VALUE_BITS))
    }
}

/// What so many steps of `2^-64` are.
#[must_use]
pub fn value(steps: &BigInt) -> Rational {
    Rational::new(steps.clone(), BigInt::one() << BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Domain;
    use crate::kernels::Kernel;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};

    fn coordinates(most: usize, longest: u64) -> Coordinates {
        let domain = Domain::new(Grid::new(0).unwrap(), 3, 8).unwrap();
        let kernel = Kernel::Linear.on(domain).unwrap();
        Coordinates::new(kernel, most, BigInt::from(longest) << BITS)
    }

    #[test]
    fn a_plane_has_two_coordinates() {
        let mut plane = coordinates(3, 4);
        let add = |plane: &mut Coordinates, z: [i32; 3]| {
            let expanded = plane.expand(&Point::dense(&z));
            plane.add(&expanded)
        };
        assert!(add(&mut plane, [3, 4, 0]) && add(&mut plane, [1, 0, 0]));
        // (3, 4, 0)/5; what is left of (1, 0, 0) is (16, -12, 0)/25, of norm 4/5.
        let first = value(&plane.weights(0)[0]) - ratio(1, 5);
        assert!(first <= integer(0) && first > ratio(-1, 1 << 60));
        let found = plane.expand(&Point::dense(&[7, 1, 0]));
        let along: Vec<Rational> = found.along.iter().map(value).collect();
        for (found, exact) in along.iter().zip([integer(5), integer(5)]) {
            let off = found - exact;
            assert!(off < ratio(1, 1 << 50) && off > ratio(-1, 1 << 50));
        }
        assert!(found.squared_rest() < ratio(1, 1 << 60));
        // Nothing is left: what is added is noise of the rounding, whose weights are too long.
        assert!(!add(&mut plane, [7, 1, 0]) && plane.count() == 2);
        let out = plane.expand(&Point::dense(&[0, 0, 2]));
        assert_eq!(
            (out.distance(), out.squared_rest()),
            (integer(2), integer(4))
        );
        assert!(add(&mut plane, [0, 0, 2]) && plane.left() == 0);
    }

    #[test]
    fn an_expansion_in_fewer_vectors_is_not_added() {
        let mut space = coordinates(3, 4);
        let [first, second] = [[3, 4, 0], [1, 0, 0]].map(|z| space.expand(&Point::dense(&z)));
        assert!(space.add(&first) && !space.add(&second) && !space.add(&first));
        assert_eq!(space.count(), 1);
    }

    #[test]
    fn what_is_no_coordinate_is_not_added() {
        // Weights of at most 1/2, and one vector only.
        let mut one = coordinates(1, 1);
        one.longest = BigInt::one() << (BITS - 1);
        for (z, added) in [([1, 0, 0], false), ([0, 2, 0], true), ([0, 0, 3], false)] {
            let expanded = one.expand(&Point::dense(&z));
            assert_eq!(one.add(&expanded), added);
        }
        let zero = coordinates(1, 1).expand(&Point::dense(&[]));
        assert!(!coordinates(1, 1).add(&zero));
    }

    #[test]
    fn a_vector_that_leans_by_exactly_kappa_is_taken() {
        // Unit vectors in steps of 2^-10: 1 + 1023^2 + 43^2 + 14^2 + 1 = 4 + 1023^2 + 45^2 + 9 + 9 = 2^20.
        let domain = Domain::new(Grid::new(10).unwrap(), 5, 1 << 10).unwrap();
        let kernel = Kernel::Linear.on(domain).unwrap();
        let one = BigInt::one() << BITS;
        for (leaning, taken) in [([1, 1023, 43, 14, 1], true), ([2, 1023, 45, 3, 3], false)] {
            let mut all = Coordinates::new(kernel.clone(), 2, one.clone());
            let first = all.expand(&Point::dense(&[1 << 10]));
            assert!(all.add(&first));
            let second = all.expand(&Point::dense(&leaning));
            let weights = vec![BigInt::zero(), one.clone()];
            assert_eq!(all.add_vector(&second, weights), taken);
        }
    }

    #[test]
    fn exact_values_are_certified_with_long_weights_and_rounded_ones_are_not() {
        // The second point is the first and 2^-20 along another axis: weights of about 2^20 make a unit vector of it.
        for (bits, taken) in [(20, true), (25, false)] {
            let unit = 1 << bits;
            let domain = Domain::new(Grid::new(bits).unwrap(), 2, unit).unwrap();
            let kernel = Kernel::Linear.on(domain).unwrap();
            let longest = BigInt::one() << (BITS + 40);
            let mut all = Coordinates::new(kernel, 2, longest);
            let unit = unit as i32;
            let first = all.expand(&Point::dense(&[unit - 1]));
            assert!(all.add(&first));
            let second = all.expand(&Point::dense(&[unit - 1, unit >> 20]));
            assert_eq!(all.add(&second), taken, "{bits} bits");
        }
    }
}
