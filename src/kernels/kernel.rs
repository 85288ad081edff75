//! Kernels, and their values as integers.

use super::{KernelError, Precomputed};
use crate::geometry::{Domain, Point};
use crate::number::Rational;
use crate::number::fixed_exponential::{ARGUMENT_BITS, exp_minus};
use crate::number::range::{OutOfRange, above_zero, require};
use num_bigint::BigInt;
use num_traits::One;
use std::sync::Arc;

/// A value of a kernel is counted in steps of `2^-48`.
pub const VALUE_BITS: u32 = crate::number::fixed_exponential::VALUE_BITS;

/// The largest `R^2`: so a value, in its steps, fits in 62 bits.
const LARGEST_SQUARED_BOUND: u64 = 1 << 14;

/// The most coordinates of a vector that is kept while solving.
const LARGEST_VECTOR: usize = 1 << 24;

/// A kernel `K(x, z) = <phi(x), phi(z)>`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// `<x, z>`.
    Linear,
    /// `(<x, z> + c)^p`.
    Polynomial {
        /// `p`, from 1 to 20.
        degree: u32,
        /// `c`, in squared steps of the grid of the points.
        offset: u64,
    },
    /// `exp(-|x - z|^2/(2 V))`.
    Gaussian {
        /// `V`, the square of the width, above 0.
        squared_width: Rational,
    },
    /// The entry of a matrix, for points that are numbers.
    Precomputed(Arc<Precomputed>),
}

impl Kernel {
    /// The kernel on the points of a domain.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for degree 0 or above 20, a largest value above 2^14, or one that does not fit in 126
    /// bits at the grid of the points; for a width of 0; for a matrix and another domain than that of its points.
    pub fn on(&self, domain: Domain) -> Result<KernelOn, KernelError> {
        let (values, squared_bound) = match self {
            Self::Linear => polynomial(domain, 1, 0)?,
            Self::Polynomial { degree, offset } => polynomial(domain, *degree, *offset)?,
            Self::Gaussian { squared_width } => {
                let rate = gaussian_rate(domain, squared_width)?;
                (Values::Gaussian(Bell { rate }), Rational::one())
            }
            Self::Precomputed(matrix) => {
                let right = matrix.domain()? == domain;
                let expected = "the numbers of its points: see Precomputed::domain";
                require(right, "the domain of a matrix", &"another", expected)?;
                let bound = matrix.squared_bound().clone();
                (Values::Precomputed(Arc::clone(matrix)), bound)
            }
        };
        let right = squared_bound <= Rational::from_integer(LARGEST_SQUARED_BOUND.into());
        let expected = "at most 2^14: scale the points by a public factor";
        let shown = crate::number::rational::shortly(&squared_bound);
        require(right, "the largest value of the kernel", &shown, expected)?;
        Ok(KernelOn {
            domain,
            values,
            squared_bound,
        })
    }
}

/// `(<x, z> + c)^p` and `R^2 = (r^2 + c)^p`.
fn polynomial(domain: Domain, degree: u32, offset: u64) -> Result<(Values, Rational), KernelError> {
    let right = (1..=20).contains(&degree);
    let expected = "at least 1 and at most 20";
    require(right, "the degree of the kernel", &degree, expected)?;
    // The largest value in steps of 2^(-2 b p).
    let largest = (u128::from(domain.radius()).pow(2) + u128::from(offset)).checked_pow(degree);
    let largest = largest.filter(|largest| *largest <= 1 << 126);
    let expected = "at most 2^126: take a coarser grid or a smaller degree";
    let largest =
        largest.ok_or_else(|| OutOfRange::new("the largest kernel in steps", &"more", expected))?;
    let bits = 2 * domain.grid().bits() * degree;
    let squared_bound = Rational::new(largest.into(), BigInt::one() << bits);
    let values = Values::Polynomial(Power {
        degree,
        offset,
        bits,
    });
    Ok((values, squared_bound))
}

/// `1/(2 V)` for a squared step of the grid, to the nearest step of `2^-114`.
///
/// A squared distance is at most 2^62 squared steps, so that the exponent is off by at most `2^-53`. Rates from 2^13 on
/// are one: the kernel of two different points is then below half a step of a value.
fn gaussian_rate(domain: Domain, squared_width: &Rational) -> Result<u128, KernelError> {
    above_zero("the squared width of the kernel", squared_width)?;
    let scale = i64::from(ARGUMENT_BITS) - 2 * i64::from(domain.grid().bits());
    let exact = Rational::from_integer(BigInt::one() << scale) / (squared_width * BigInt::from(2));
    let most = 1u128 << (ARGUMENT_BITS + 13);
    Ok(u128::try_from(exact.round().to_integer()).map_or(most, |rate| rate.min(most)))
}

/// A kernel on the points of a domain: integer code only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelOn {
    domain: Domain,
    values: Values,
    squared_bound: Rational,
}
crate::published_in_words!(KernelOn);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Values {
    Polynomial(Power),
    Gaussian(Bell),
    Precomputed(Arc<Precomputed>),
}

/// `(p + offset)^degree` of an inner product `p`. An exact value is counted in steps of `2^-bits`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Power {
    degree: u32,
    offset: u64,
    bits: u32,
}

impl Power {
    fn of(&self, inner_product: i128) -> i64 {
        // |<x, z>| <= r^2, so that no power is above 2^126.
        let exact = (inner_product + i128::from(self.offset)).pow(self.degree);
        rounded(exact, self.bits)
    }
}

/// `e^-(d rate)` of a squared distance `d`. The exponent is counted in steps of `2^-114`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bell {
    rate: u128,
}

impl Bell {
    fn of(&self, squared_distance: u128) -> i64 {
        // An exponent that does not fit is above 2^13.
        let exponent = squared_distance.checked_mul(self.rate);
        exp_minus(exponent.unwrap_or(u128::MAX)) as i64
    }
}

impl KernelOn {
    /// The domain.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// Whether it is `<x, z>`.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        matches!(
            self.values,
            Values::Polynomial(Power {
                degree: 1,
                offset: 0,
                ..
            })
        )
    }

    /// `R^2`, the largest `K(x, x)` of the domain; not of the data.
    #[must_use]
    pub fn squared_bound(&self) -> &Rational {
        &self.squared_bound
    }

    /// `K(x, z)` of two points of the domain, in steps of `2^-48`, off by at most [`KernelOn::error`] steps.
    #[must_use]
    pub fn value(&self, x: &Point, z: &Point) -> i64 {
        match &self.values {
            Values::Polynomial(power) => power.of(x.inner_product(z)),
            Values::Gaussian(bell) => bell.of(x.squared_distance(z)),
            Values::Precomputed(matrix) => matrix.value(x, z),
        }
    }

    /// The same for one point of the domain and many. It is laid out over all coordinates, so that each coordinate of the
    /// others is looked at once, and alone. Squared distances are at most `2^62`, and so is what they add up from.
    pub(super) fn row<'a>(
        &self,
        x: &Point,
        others: impl Iterator<Item = &'a Point>,
        row: &mut Vec<i64>,
    ) {
        row.clear();
        if self.domain.dimension() > LARGEST_VECTOR {
            return row.extend(others.map(|z| self.value(x, z)));
        }
        let mut laid_out = vec![0i64; self.domain.dimension()];
        for &(j, x) in x.coordinates() {
            laid_out[j as usize] = x.into();
        }
        let sum = |z: &Point, term: fn(i64, i64) -> i64| -> i64 {
            let terms = z.coordinates().iter();
            terms
                .map(|&(j, z)| term(laid_out[j as usize], z.into()))
                .sum()
        };
        match &self.values {
            Values::Polynomial(power) => {
                row.extend(others.map(|z| power.of(sum(z, |x, z| x * z).into())));
            }
            Values::Gaussian(bell) => {
                let norm = x.squared_norm() as i64;
                // |x - z|^2 = |x|^2 + sum of z (z - 2 x)
                let distance = |z| norm + sum(z, |x, z| z * (z - 2 * x));
                row.extend(others.map(|z| bell.of(distance(z).unsigned_abs().into())));
            }
            Values::Precomputed(matrix) => row.extend(others.map(|z| matrix.value(x, z))),
        }
    }

    /// By how much a value may be off, in the units of the kernel.
    #[must_use]
    pub fn error_of_a_value(&self) -> Rational {
        Rational::new(self.error().into(), BigInt::one() << VALUE_BITS)
    }

    /// Whether the solver keeps one vector: of the linear kernel, where its values are exact. With another kernel it looks at
    /// pairs of records, and its time grows with the square of their number.
    #[must_use]
    pub fn has_a_vector(&self) -> bool {
        self.linear_shift().is_some() && self.domain.dimension() <= LARGEST_VECTOR
    }

    /// Of the linear kernel, where its values are exact: the `s` with `K(x, z) = 2^s <x, z>` steps.
    pub(super) fn linear_shift(&self) -> Option<u32> {
        match &self.values {
            Values::Polynomial(Power {
                degree: 1,
                offset: 0,
                bits,
            }) => VALUE_BITS.checked_sub(*bits),
            _ => None,
        }
    }

    /// By how many steps a value may be off: 0 where the exact value is a multiple of a step.
    #[must_use]
    pub fn error(&self) -> u32 {
        match &self.values {
            Values::Polynomial(power) => u32::from(power.bits > VALUE_BITS),
            // 33/64 of a step for the exponential, and 1/32 for its argument.
            Values::Gaussian(_) => 1,
            Values::Precomputed(_) => 0,
        }
    }
}

/// A value in steps of `2^-bits`, in steps of `2^-48`.
fn rounded(exact: i128, bits: u32) -> i64 {
    let value = match bits.checked_sub(VALUE_BITS) {
        None | Some(0) => exact << (VALUE_BITS - bits),
        // To the nearest step; beyond 126 bits nothing is left.
        Some(finer) => {
            let half = exact >> (finer - 1).min(127);
            (half + 1) >> 1
        }
    };
    value as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};
    use num_traits::{Pow, Signed};
    use proptest::prelude::*;

    fn domain(bits: u32, d: usize, radius: u64) -> Domain {
        Domain::new(Grid::new(bits).unwrap(), d, radius).unwrap()
    }

    fn cubic() -> Kernel {
        Kernel::Polynomial {
            degree: 3,
            offset: 1,
        }
    }

    #[test]
    fn values_of_small_kernels_are_exact() {
        let kernel = cubic().on(domain(0, 1, 2)).unwrap();
        assert_eq!((kernel.squared_bound(), kernel.error()), (&integer(125), 0));
        let point = |x| Point::dense(&[x]);
        assert_eq!(kernel.value(&point(2), &point(-1)), -(1 << 48));
        assert_eq!(kernel.value(&point(2), &point(2)), 125 << 48);
        let linear = Kernel::Linear.on(domain(2, 2, 5)).unwrap();
        assert_eq!(*linear.squared_bound(), ratio(25, 16));
        let value = linear.value(&Point::dense(&[3, -4]), &Point::dense(&[1, 2]));
        assert_eq!(value, -5 << 44);
        // 2 b p = 48 is the last that is exact.
        let edge = Kernel::Linear.on(domain(24, 1, 3)).unwrap();
        assert_eq!((edge.error(), edge.value(&point(3), &point(-3))), (0, -9));
        let finer = Kernel::Linear.on(domain(25, 1, 3)).unwrap();
        assert_eq!((finer.error(), finer.value(&point(3), &point(2))), (1, 2));
        assert_eq!(finer.value(&point(3), &point(-3)), -2);
    }

    #[test]
    fn what_is_too_large_is_refused() {
        assert!(Kernel::Linear.on(domain(0, 1, 128)).is_ok());
        let refused = Kernel::Linear.on(domain(0, 1, 129)).unwrap_err();
        let text = "the largest value of the kernel must be at most 2^14, got 16641: scale the points by a public factor";
        assert_eq!(refused.to_string(), text);
        let of = |degree| Kernel::Polynomial { degree, offset: 1 }.on(domain(20, 1, 1 << 20));
        assert!(of(0).is_err() && of(3).is_ok() && of(4).is_err());
        assert!(of(21).is_err());
    }

    #[test]
    fn a_row_has_the_values() {
        // The most that a domain has: the largest radius, points at opposite ends.
        let far = domain(30, 3, 1 << 30);
        let ends = [1 << 30, -(1 << 30)].map(|end| Point::dense(&[0, end]));
        let inner = [vec![(0, 1 << 29), (2, -5)], vec![(1, 7)], vec![]].map(Point::new);
        let points: Vec<Point> = ends
            .into_iter()
            .chain(inner.into_iter().map(Result::unwrap))
            .collect();
        let width = |squared_width| Kernel::Gaussian { squared_width };
        for kernel in [Kernel::Linear, width(ratio(1, 50)), width(integer(3))] {
            let kernel = kernel.on(far).unwrap();
            let mut row = vec![1, 2];
            for x in &points {
                kernel.row(x, points.iter(), &mut row);
                let values: Vec<i64> = points.iter().map(|z| kernel.value(x, z)).collect();
                assert_eq!(row, values);
            }
        }
    }

    proptest! {
        #[test]
        fn a_row_of_random_points_has_the_values(
            places in prop::collection::vec((0u32..5, -30i32..30), 12), degree in 1u32..4
        ) {
            let spread = domain(5, 5, 100);
            let kernel = Kernel::Polynomial { degree, offset: 9 }.on(spread).unwrap();
            let gaussian = Kernel::Gaussian { squared_width: ratio(2, 3) }.on(spread).unwrap();
            let points: Vec<Point> = places
                .chunks(3)
                .map(|some| {
                    let mut dense = [0; 5];
                    some.iter().for_each(|&(j, x)| dense[j as usize] = x);
                    Point::dense(&dense)
                })
                .collect();
            for kernel in [kernel, gaussian] {
                let mut row = Vec::new();
                kernel.row(&points[0], points.iter(), &mut row);
                let values: Vec<i64> = points.iter().map(|z| kernel.value(&points[0], z)).collect();
                prop_assert_eq!(row, values);
            }
        }

        #[test]
        fn a_rounded_value_is_within_its_error(
            bits in 0u32..21, degree in 1u32..4, offset in 0u64..50, x in -40i32..40, z in -40i32..40
        ) {
            let kernel = Kernel::Polynomial { degree, offset }.on(domain(bits, 1, 40));
            prop_assume!(kernel.is_ok());
            let kernel = kernel.unwrap();
            let step = Rational::new(BigInt::one(), BigInt::one() << VALUE_BITS);
            let squared = Rational::new(BigInt::one(), BigInt::one() << (2 * bits));
            let exact: Rational =
                Pow::pow((integer(x * z) + integer(offset)) * squared, degree);
            let value = integer(kernel.value(&Point::dense(&[x]), &Point::dense(&[z]))) * &step;
            prop_assert!((value - exact).abs() <= step * integer(kernel.error()));
        }
    }

    #[test]
    fn a_value_is_off_by_a_step_where_it_is_rounded() {
        let step = Rational::new(BigInt::one(), BigInt::one() << VALUE_BITS);
        let off = |kernel: Kernel, bits| kernel.on(domain(bits, 1, 3)).unwrap().error_of_a_value();
        assert_eq!(
            (off(Kernel::Linear, 24), off(Kernel::Linear, 25)),
            (integer(0), step.clone())
        );
        let squared_width = integer(1);
        assert_eq!(off(Kernel::Gaussian { squared_width }, 0), step);
    }
}
