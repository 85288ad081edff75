//! Public bases of the functions of a kernel, `f(z) = sum of theta_a z^a`, and random Fourier features as points.

use super::{Dataset, Kernel, KernelError, Optimum, Record};
use crate::geometry::{Domain, FeatureMap, Point, PolynomialMap};
use crate::number::Rational;
use crate::number::range::{OutOfRange, require};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// Features `x^a` with `K(x, z) = sum of W_a x^a z^a`, all `W_a > 0`: the coordinates, of weight 1, for the linear kernel;
/// all monomials for a polynomial one. It does not depend on the data.
///
/// So `w = sum of mu_i phi(x_i)` predicts `sum of theta_a z^a`, `theta_a = W_a sum of mu_i x_i^a`, and
/// `|w|^2 = sum of theta_a^2/W_a`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    domain: Domain,
    features: Features,
}
crate::published_in_words!(Basis);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Features {
    Coordinates,
    Monomials { map: PolynomialMap, degree: u32 },
}

impl Basis {
    /// The basis of a kernel on a domain.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for a kernel without such a basis, the Gaussian one or a matrix,
    /// and for more than 2^24 coordinates; [`KernelError::Geometry`] for
    /// more than 2^20 monomials, and the others of [`PolynomialMap::new`].
    pub fn of(kernel: &Kernel, domain: Domain) -> Result<Self, KernelError> {
        let features = match kernel {
            Kernel::Linear => {
                let (dimension, most) = (domain.dimension(), 1 << 24);
                let name = "the number of features";
                require(dimension <= most, name, &dimension, "at most 2^24")?;
                Features::Coordinates
            }
            Kernel::Polynomial { degree, offset } => Features::Monomials {
                map: PolynomialMap::new(domain, *degree, *offset)?,
                degree: *degree,
            },
            Kernel::Gaussian { .. } | Kernel::Precomputed(_) => {
                let expected = "linear or polynomial: no other has a finite public basis";
                return Err(OutOfRange::new("the kernel of a basis", &"another", expected).into());
            }
        };
        Ok(Self { domain, features })
    }

    /// Where the points are.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// `p`, the number of features.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match &self.features {
            Features::Coordinates => self.domain.dimension(),
            Features::Monomials { map, .. } => map.domain().dimension(),
        }
    }

    /// The numbers of the features of each weight `W`, the weights ascending.
    #[must_use]
    pub fn by_weight(&self) -> BTreeMap<Rational, Vec<usize>> {
        match &self.features {
            Features::Coordinates => {
                BTreeMap::from([(Rational::one(), (0..self.dimension()).collect())])
            }
            Features::Monomials { map, degree } => {
                let mut groups: BTreeMap<Rational, Vec<usize>> = BTreeMap::new();
                // The map has c in squared steps: c^(p - |a|) is of so many squared steps.
                let bits = 2 * self.domain.grid().bits();
                for (place, (weight, own)) in map.weights().zip(map.degrees()).enumerate() {
                    let squared = BigInt::one() << (bits * (degree - own));
                    let weight = Rational::new(weight.into(), squared);
                    groups.entry(weight).or_default().push(place);
                }
                groups
            }
        }
    }

    /// The features of a point that are not 0, with their numbers, in steps of [`Basis::unit`].
    #[must_use]
    pub fn values(&self, point: &Point) -> Vec<(usize, BigInt)> {
        match &self.features {
            Features::Coordinates => {
                let coordinates = point.coordinates().iter();
                coordinates.map(|&(j, v)| (j as usize, v.into())).collect()
            }
            Features::Monomials { map, degree } => {
                let bits = self.domain.grid().bits();
                let monomials = map.monomials_of(point).into_iter().zip(map.degrees());
                let all = monomials.map(|(v, own)| BigInt::from(v) << (bits * (degree - own)));
                all.enumerate().filter(|(_, v)| !v.is_zero()).collect()
            }
        }
    }

    /// A step of [`Basis::values`]: that of the points, to the power of the degree.
    #[must_use]
    pub fn unit(&self) -> Rational {
        let degree = match &self.features {
            Features::Coordinates => 1,
            Features::Monomials { degree, .. } => *degree,
        };
        let bits = self.domain.grid().bits() * degree;
        Rational::new(BigInt::one(), BigInt::one() << bits)
    }

    /// `sum of mu_i x_i^a` for all features, in steps, and what a step is. **Not private.**
    pub(super) fn sums(&self, w: &Optimum) -> (Vec<BigInt>, Rational) {
        let (terms, unit) = w.integer_terms();
        let mut sums = vec![BigInt::zero(); self.dimension()];
        for (point, mu) in terms {
            for (place, value) in self.values(point) {
                sums[place] += mu * value;
            }
        }
        (sums, unit * self.unit())
    }
}

/// The dataset whose points are the features of these: the linear kernel on it is that of the map, and it has a public
/// basis, the features. For random Fourier features that is nearly the kernel that they were drawn for.
///
/// # Errors
/// [`KernelError::Geometry`] if the map is for points of another dimension.
pub fn of_features(data: &Dataset, map: &FeatureMap) -> Result<Dataset, KernelError> {
    let space = Domain::unit_ball(map.feature_grid(), map.dimension())?;
    let mut records = Vec::new();
    for (record, count) in data.records() {
        let point = point_of_features(&record.point, data.domain(), map)?;
        let label = record.label;
        records.push((Record { point, label }, *count));
    }
    Dataset::of_labels(space, data.labels(), records)
}

/// The features of a point of a domain, as a point.
///
/// # Errors
/// [`KernelError::Geometry`] for a point outside the domain, or a map for points of another dimension or grid.
pub fn point_of_features(
    point: &Point,
    domain: Domain,
    map: &FeatureMap,
) -> Result<Point, KernelError> {
    domain.check(point)?;
    let (own, expected) = (domain.grid(), map.input_grid());
    require(
        own == expected,
        "the grid of the points",
        &format!("{} bits", own.bits()),
        "that of the map",
    )?;
    let mut dense = vec![0; domain.dimension()];
    for &(index, v) in point.coordinates() {
        dense[index as usize] = v.into();
    }
    Ok(Point::dense(&map.features(&dense)?))
}
