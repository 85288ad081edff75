//! The features of a polynomial kernel `(<x, x'> + c)^p`: all monomials, in integers.
//!
//! `(<x, x'> + c)^p` is the sum over `k_0 + k_1 + ... + k_d = p` of `p!/(k_0! ... k_d!) c^(k_0)` times the product of the
//! `(x_i x'_i)^(k_i)` (the multinomial theorem). So the feature of `(k_0, ..., k_d)` is the monomial times the square root
//! of that weight. The weight is an integer, its root is not: a feature is rounded towards zero, so that the norm of the
//! features is at most the kernel's `(|x|^2 + c)^(p/2)`, which is at most `(r^2 + c)^(p/2)`. This is the radius for clipping
//! and noise; `r^p` is too small for every `c > 0`.

use super::{Domain, FINEST_GRID, GeometryError, Point};
use crate::number::range::{OutOfRange, require};
use crate::number::root::ceil_sqrt;
use crate::number::{Grid, grid::clip_to_radius};
use std::ops::Range;

/// The most features: a record of them takes 8 MiB.
const MOST_FEATURES: u64 = 1 << 20;

/// The map from a point of a domain to the features of a polynomial kernel, which are in a domain of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolynomialMap {
    from: Domain,
    to: Domain,
    monomials: Vec<Monomial>,
    // Features are in steps of 2^coarser times the p-th power of a step of the points.
    coarser: u32,
}

/// A product of coordinates, and the square of its factor.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Monomial {
    // The coordinates that occur, with how often, upwards; as often as c, what is missing to the degree.
    exponents: Vec<(usize, u32)>,
    weight: u128,
}

impl PolynomialMap {
    /// The map for the kernel `(<x, x'> + c)^degree` of points of `domain`; `c` is `offset` steps of its grid, squared.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for degree 0 or above 20, more than 2^20 features, or a degree or grid so large that the
    /// kernel does not fit in 126 bits; those of [`Domain::new`].
    pub fn new(domain: Domain, degree: u32, offset: u64) -> Result<Self, GeometryError> {
        let right = (1..=20).contains(&degree);
        let expected = "at least 1 and at most 20";
        require(right, "the degree of the kernel", &degree, expected)?;
        let d = domain.dimension() as u64;
        // Without c no monomial is of a lower degree.
        let count = if offset == 0 {
            binomial((d - 1).saturating_add(degree.into()), degree)
        } else {
            binomial(d.saturating_add(degree.into()), degree)
        };
        let shown = count.map_or("2^64 or more".to_owned(), |count| count.to_string());
        let few = count.is_some_and(|count| count <= MOST_FEATURES);
        let expected = "at most 2^20: take a smaller degree, or a sketch";
        require(few, "the number of monomials", &shown, expected)?;
        // The largest kernel, (r^2 + c)^p. Every weight times its squared monomial is at most this.
        let largest = (u128::from(domain.radius()).pow(2) + u128::from(offset)).checked_pow(degree);
        let largest = largest.filter(|largest| *largest <= 1 << 126);
        let expected = "at most 2^126: take a coarser grid or a smaller degree";
        let largest = largest.ok_or_else(|| {
            OutOfRange::new("the largest kernel in steps", &"2^126 or more", expected)
        })?;
        let bits = domain.grid().bits() * degree;
        let mut coarser = bits.saturating_sub(FINEST_GRID);
        while coarser < bits && ceiling_of_root(largest, coarser) > 1 << FINEST_GRID {
            coarser += 1;
        }
        let monomials = monomials(domain.dimension(), degree, offset)?;
        let radius = ceiling_of_root(largest, coarser);
        let radius = u64::try_from(radius).unwrap_or(u64::MAX);
        let to = Domain::new(Grid::new(bits - coarser)?, monomials.len(), radius)?;
        Ok(Self {
            from: domain,
            to,
            monomials,
            coarser,
        })
    }

    /// Where the features are: the number of monomials, and the radius `(r^2 + c)^(p/2)`, rounded up to a step.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.to
    }

    /// By how many bits a step of the features is coarser than the power of a step of the points.
    #[must_use]
    pub fn coarser(&self) -> u32 {
        self.coarser
    }

    /// The squares of the factors of the monomials.
    pub fn weights(&self) -> impl Iterator<Item = u128> {
        self.monomials.iter().map(|monomial| monomial.weight)
    }

    /// The degrees of the monomials.
    pub fn degrees(&self) -> impl Iterator<Item = u32> {
        let degree = |monomial: &Monomial| monomial.exponents.iter().map(|(_, k)| k).sum();
        self.monomials.iter().map(degree)
    }

    /// The monomials without their factors, exactly, in powers of a step of the points.
    ///
    /// A point beyond the radius is clipped first, as everywhere.
    ///
    /// # Errors
    /// [`GeometryError::Length`].
    pub fn monomials(&self, point: &[i64]) -> Result<Vec<i128>, GeometryError> {
        if point.len() != self.from.dimension() {
            return Err(GeometryError::Length {
                expected: self.from.dimension(),
                found: point.len(),
            });
        }
        Ok(self.products(point.to_vec()))
    }

    /// The same of a point by its coordinates that are not 0; any beyond the dimension are left out.
    #[must_use]
    pub fn monomials_of(&self, point: &Point) -> Vec<i128> {
        let mut all = vec![0; self.from.dimension()];
        for &(index, v) in point.coordinates() {
            if let Some(coordinate) = all.get_mut(index as usize) {
                *coordinate = v.into();
            }
        }
        self.products(all)
    }

    fn products(&self, mut point: Vec<i64>) -> Vec<i128> {
        clip_to_radius(&mut point, self.from.radius());
        let power = |&(place, k): &(usize, u32)| i128::from(point[place]).pow(k);
        // No partial product is larger than r^p, which is at most 2^63.
        let product = |monomial: &Monomial| monomial.exponents.iter().map(power).product();
        self.monomials.iter().map(product).collect()
    }

    /// The features: each monomial times the root of its weight, rounded towards zero. Their norm is at most the radius of
    /// [`PolynomialMap::domain`], in integers.
    ///
    /// # Errors
    /// [`GeometryError::Length`].
    pub fn features(&self, point: &[i64]) -> Result<Vec<i64>, GeometryError> {
        let feature = |(monomial, weight): (i128, u128)| {
            // At most (|x|^2 + c)^p: one term of the multinomial theorem.
            let squared = weight * monomial.unsigned_abs().pow(2);
            let root = squared.isqrt().checked_shr(self.coarser);
            let root = root.unwrap_or(0) as i64;
            if monomial < 0 { -root } else { root }
        };
        let monomials = self.monomials(point)?.into_iter();
        Ok(monomials.zip(self.weights()).map(feature).collect())
    }
}

/// The least integer `n` with `n^2 4^shift >= value`.
fn ceiling_of_root(value: u128, shift: u32) -> u128 {
    // No root has more than 65 bits.
    ceil_sqrt(&value).div_ceil(1u128.checked_shl(shift).unwrap_or(u128::MAX))
}

/// `n` over `k`, if it is below 2^64.
fn binomial(n: u64, k: u32) -> Option<u64> {
    let mut result = 1u128;
    for i in 0..u128::from(k) {
        // n (n-1) ... (n-i) is divisible by (i+1)!.
        result = result.checked_mul(u128::from(n) - i)? / (i + 1);
    }
    u64::try_from(result).ok()
}

/// All monomials of degree at most `degree`, or of this degree if `offset` is 0, in lexicographic order of the exponents,
/// the highest first.
fn monomials(dimension: usize, degree: u32, offset: u64) -> Result<Vec<Monomial>, GeometryError> {
    let mut all = Vec::new();
    extend(&mut all, &mut Vec::new(), 0..dimension, degree, offset == 0);
    all.into_iter()
        .map(|exponents| {
            let weight = weight(&exponents, degree, offset);
            let expected = "small enough for 127 bits";
            let weight = weight.ok_or_else(|| OutOfRange::new("the offset", &offset, expected))?;
            Ok(Monomial { exponents, weight })
        })
        .collect()
}

/// Appends the monomials that multiply `product` by coordinates of these places, `left` times in all, or less often unless
/// `whole`.
fn extend(
    all: &mut Vec<Vec<(usize, u32)>>,
    product: &mut Vec<(usize, u32)>,
    places: Range<usize>,
    left: u32,
    whole: bool,
) {
    if left == 0 {
        all.push(product.clone());
        return;
    }
    for place in places.clone() {
        for k in (1..=left).rev() {
            product.push((place, k));
            extend(all, product, place + 1..places.end, left - k, whole);
            product.pop();
        }
    }
    if !whole {
        all.push(product.clone());
    }
}

/// `p!/(k_0! ... k_d!) c^(k_0)`, where `k_0` is what is missing to the degree `p`; nothing beyond 127 bits.
fn weight(exponents: &[(usize, u32)], degree: u32, offset: u64) -> Option<u128> {
    let mut left = degree;
    let mut weight = 1u128;
    for &(_, k) in exponents {
        weight = weight.checked_mul(u128::from(binomial(left.into(), k)?))?;
        left -= k;
    }
    let powers = u128::from(offset).checked_pow(left)?;
    weight
        .checked_mul(powers)
        .filter(|weight| weight >> 127 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::grid::squared_norm;
    use proptest::prelude::*;

    fn map(bits: u32, d: usize, radius: u64, degree: u32, offset: u64) -> PolynomialMap {
        let domain = Domain::new(Grid::new(bits).unwrap(), d, radius).unwrap();
        PolynomialMap::new(domain, degree, offset).unwrap()
    }

    #[test]
    fn the_square_of_two_coordinates_and_an_offset() {
        let map = map(2, 2, 10, 2, 3);
        // x^2, xy, x, y^2, y, 1
        let weights: Vec<u128> = map.weights().collect();
        assert_eq!(weights, [1, 2, 6, 1, 6, 9]);
        let monomials = map.monomials(&[5, -3]).unwrap();
        assert_eq!(monomials, [25, -15, 5, 9, -3, 1]);
        assert_eq!(map.monomials_of(&Point::dense(&[5, -3, 7])), monomials);
        assert_eq!(map.degrees().collect::<Vec<u32>>(), [2, 2, 1, 2, 1, 0]);
        // 15 sqrt(2) = 21.2, 5 sqrt(6) = 12.2, 3 sqrt(6) = 7.3
        let features = map.features(&[5, -3]).unwrap();
        assert_eq!(features, [25, -21, 12, 9, -7, 3]);
        // 100 + 3, at a grid of 4 bits.
        let domain = map.domain();
        assert_eq!((domain.radius(), domain.dimension()), (103, 6));
        assert_eq!((domain.grid().bits(), map.coarser()), (4, 0));
        assert!(map.features(&[1]).is_err());
        // As many monomials as coordinates take no more room than they need.
        let domain = Domain::new(Grid::new(0).unwrap(), 1 << 20, 10).unwrap();
        let linear = PolynomialMap::new(domain, 1, 0).unwrap();
        let mut point = vec![0; 1 << 20];
        point[77] = -9;
        assert_eq!(linear.features(&point).unwrap(), point);
    }

    #[test]
    fn without_an_offset_all_monomials_have_the_degree() {
        let map = map(0, 3, 10, 3, 0);
        assert_eq!(map.domain().dimension(), 10);
        assert_eq!(map.weights().sum::<u128>(), 27);
        assert_eq!(map.domain().radius(), 1000);
        assert_eq!(map.features(&[0, -2, 0]).unwrap()[6], -8);
    }

    #[test]
    fn features_of_a_fine_grid_are_coarser() {
        let map = map(20, 1, 1 << 20, 3, 1 << 40);
        // (1 + 1)^(3/2) = 2.83: two bits more than 30, less the 60 of the grid; the radius is below 2^30.
        assert_eq!(map.domain().grid().bits(), 28);
        assert_eq!(map.coarser(), 32);
        let features = map.features(&[1 << 20]).unwrap();
        let norm = squared_norm(&features);
        let radius = u128::from(map.domain().radius());
        assert!(norm <= radius * radius && norm > (radius - 4).pow(2));
        // What is too long is clipped first.
        assert_eq!(map.features(&[i64::MAX]).unwrap(), features);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let new = |d, radius, degree, offset| {
            let domain = Domain::new(Grid::new(4).unwrap(), d, radius).unwrap();
            PolynomialMap::new(domain, degree, offset)
        };
        assert!(new(2, 16, 0, 1).is_err() && new(2, 16, 21, 1).is_err());
        assert!(new(2, 1 << 30, 3, 1).is_err() && new(2, 1 << 10, 3, 1).is_ok());
        assert!(new(2, 16, 3, u64::MAX).is_err());
        let many = new(1000, 16, 3, 1).unwrap_err().to_string();
        assert!(many.contains("167668501"), "{many}");
        assert!(new(usize::MAX >> 1, 16, 20, 1).is_err());
        assert_eq!(binomial(5, 2), Some(10));
        assert_eq!(binomial(64, 32), Some(1_832_624_140_942_590_534));
        assert_eq!(binomial(70, 35), None);
        // A grid so fine that only the kernel at its steps fits.
        let tiny = map(30, 1, 1, 20, 1);
        assert_eq!((tiny.domain().radius(), tiny.coarser()), (1, 570));
        assert!(tiny.features(&[1]).unwrap().iter().all(|v| *v == 0));
    }

    proptest! {
        #[test]
        fn features_keep_the_norm_of_the_kernel(
            x in prop::collection::vec(-40i64..40, 1..4), degree in 1u32..5, offset in 0u64..3000
        ) {
            let map = map(5, x.len(), 40, degree, offset);
            let domain = map.domain();
            let features = map.features(&x).unwrap();
            prop_assert!(squared_norm(&features) <= u128::from(domain.radius()).pow(2));
            let mut clipped = x.clone();
            clip_to_radius(&mut clipped, 40);
            let kernel = (squared_norm(&clipped) + u128::from(offset)).pow(degree);
            prop_assert!(squared_norm(&features) << (2 * map.coarser()) <= kernel);
        }
    }
}
