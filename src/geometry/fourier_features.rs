//! Features on a grid: random Fourier features, and linear ones, which are the point itself.
//!
//! `phi(x) = (cos <w_k, x>, sin <w_k, x>)_k / sqrt(N)` has norm 1, and its entries are irrational. Ours are
//! integers, in steps of a public grid, and what privacy uses of them is two facts that hold whatever the
//! cosine of the machine is: they are a function of the record alone, and **their norm is at most 1**, in
//! integers. The paper's "norm exactly `sqrt(N)`" cannot be had on a grid.

use super::GeometryError;
use crate::coins::{Coins, Law};
use crate::number::range::{above_zero, at_least_one, require};
use crate::number::{Enclosure, Grid, OutOfRange, Rational};
use crate::prepared::DrawnOften;
use crate::sample::{DiscreteCauchy, DiscreteGaussian, DiscreteLaplace};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The frequencies `w_1, ..., w_N`: public randomness, drawn before the data are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequencies {
    grid: Grid,
    dimension: usize,
    // One frequency after the other.
    steps: Vec<i64>,
}

/// A kernel `K(x, x')` of `z = x - x'` alone, with `K(x, x) = 1`, and the law of frequencies whose average of `cos <w, z>` it
/// is.
///
/// The law that is drawn is discrete, in steps `h` of a grid. How far the average is from the kernel is in
/// `bms22.rff.laws` (ledger), for points with `h |z_j|` within the range that is named here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShiftInvariantKernel {
    /// `exp(-variance |z|^2/2)`: normal coordinates, drawn as [`DiscreteGaussian`]; off by at most `3 e^(-13 variance/h^2)` a
    /// coordinate, for `h |z_j| <= 1` and `variance >= h^2`.
    Gaussian {
        /// The variance of a coordinate.
        variance: Rational,
    },
    /// `exp(-rate |z|_1)`, `|z|_1` the sum of the absolute values: Cauchy coordinates, drawn as [`DiscreteCauchy`]; off by at
    /// most `e^(-pi rate/h)` a coordinate, for `h |z_j| <= pi` and `rate >= h`.
    Laplacian {
        /// The scale of a coordinate.
        rate: Rational,
    },
    /// The product of the `1/(1 + scale^2 z_j^2)`: Laplace coordinates, drawn as [`DiscreteLaplace`]; off by at most
    /// `h^2 (z_j^2 + 1/scale^2)/12` a coordinate.
    Cauchy {
        /// The scale of a coordinate.
        scale: Rational,
    },
}

impl ShiftInvariantKernel {
    /// Whether frequencies for this kernel can be drawn on a grid.
    ///
    /// # Errors
    /// Those of [`Frequencies::of_kernel`] that depend on the kernel and the grid.
    pub fn check(&self, grid: Grid) -> Result<(), GeometryError> {
        let one = BigInt::from(grid.one());
        match self {
            Self::Gaussian { variance } => {
                DiscreteGaussian::new(variance * one.pow(2))?;
            }
            Self::Laplacian { rate } => {
                // The square of a negative rate would pass for that of a positive one.
                above_zero("the rate of a Laplacian kernel", rate)?;
                DiscreteCauchy::new((rate * one).pow(2))?;
            }
            Self::Cauchy { scale } => {
                DiscreteLaplace::new(scale * one)?;
            }
        }
        Ok(())
    }
}

/// No coordinate of a frequency is larger than this, in steps: inner products fit in 128 bits.
const LARGEST_FREQUENCY: i64 = 1 << 60;

impl Frequencies {
    /// `count` independent frequencies whose coordinates have the discrete Gaussian law on `grid`.
    ///
    /// `variance` is the parameter of one coordinate in units of the inputs, squared: the paper's `sigma^2`
    /// for features of a kernel `exp(-sigma^2 |x - x'|^2 / 2)`. It is chosen without the data, or paid for.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no frequency, dimension 0 or a
    /// coordinate above 2^60 steps; [`GeometryError::Coins`] unless `variance > 0`, and those of the coins.
    pub fn draw(
        count: usize,
        dimension: usize,
        variance: &Rational,
        grid: Grid,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        let law = DiscreteGaussian::new(variance * BigInt::from(grid.one()).pow(2))?;
        let draws = count.saturating_mul(dimension) as u64;
        let law = DrawnOften::new(law, draws)?;
        Self::of_law((count, dimension), &law, grid, coins)
    }

    /// `count` independent frequencies for a kernel: their coordinates have its law on `grid` ([`ShiftInvariantKernel`]).
    ///
    /// # Errors
    /// As [`Frequencies::draw`]; [`GeometryError::Coins`] for a parameter that is not above 0, or, of a Laplacian kernel, below
    /// a step of the grid.
    pub fn of_kernel(
        count: usize,
        dimension: usize,
        kernel: &ShiftInvariantKernel,
        grid: Grid,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        let (shape, one) = ((count, dimension), BigInt::from(grid.one()));
        match kernel {
            ShiftInvariantKernel::Gaussian { variance } => {
                Self::draw(count, dimension, variance, grid, coins)
            }
            ShiftInvariantKernel::Laplacian { rate } => {
                kernel.check(grid)?;
                let law = DiscreteCauchy::new((rate * one).pow(2))?;
                Self::of_law(shape, &law, grid, coins)
            }
            ShiftInvariantKernel::Cauchy { scale } => {
                let law = DiscreteLaplace::new(scale * one)?;
                let law = DrawnOften::new(law, count.saturating_mul(dimension) as u64)?;
                Self::of_law(shape, &law, grid, coins)
            }
        }
    }

    /// Frequencies of independent coordinates of this law, in steps of `grid`.
    fn of_law(
        (count, dimension): (usize, usize),
        law: &impl Law<Outcome = BigInt>,
        grid: Grid,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        let coordinates = count.saturating_mul(dimension);
        let step = |_| -> Result<i64, GeometryError> {
            let step: BigInt = coins.draw(law)?;
            let fits = step.to_i64();
            Ok(fits.ok_or_else(|| OutOfRange::new(LARGE.0, &step, LARGE.1))?)
        };
        let steps = (0..coordinates)
            .map(step)
            .collect::<Result<_, GeometryError>>()?;
        Self::new(grid, dimension, steps)
    }

    /// The given frequencies, one after the other, in steps of `grid`.
    ///
    /// # Errors
    /// As [`Frequencies::draw`].
    pub fn new(grid: Grid, dimension: usize, steps: Vec<i64>) -> Result<Self, GeometryError> {
        require(
            dimension > 0 && !steps.is_empty() && steps.len().is_multiple_of(dimension),
            "the coordinates of the frequencies",
            &format!("{} in dimension {dimension}", steps.len()),
            "a multiple of a dimension of at least 1, and at least one of them",
        )?;
        let largest = steps.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
        let right = largest <= LARGEST_FREQUENCY.unsigned_abs();
        require(right, LARGE.0, &largest, LARGE.1)?;
        Ok(Self {
            grid,
            dimension,
            steps,
        })
    }

    /// The number `N` of frequencies.
    #[must_use]
    pub fn count(&self) -> usize {
        self.steps.len() / self.dimension
    }

    /// The dimension `d` of each.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The frequencies, in steps of their grid.
    pub fn iter(&self) -> impl Iterator<Item = &[i64]> {
        self.steps.chunks_exact(self.dimension)
    }
}

const LARGE: (&str, &str) = ("a coordinate of a frequency", "at most 2^60 steps");

/// The finest grid of features: their squares, and the sums that solvers make of them, fit in 128 bits.
pub const FINEST_FEATURES: u32 = 24;

/// The map from a point to its features: integer rows of norm at most 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureMap {
    features: Features,
    input_grid: Grid,
    feature_grid: Grid,
    // floor(2^b / sqrt(N)): no pair (cosine, sine) is longer, in steps. For linear features N is d + 1, and no entry
    // is larger.
    radius: i32,
}

/// Which features.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Features {
    /// `(cos <w_k, x>, sin <w_k, x>)_k / sqrt(N)`.
    Fourier(Frequencies),
    /// `(1, x) / sqrt(d + 1)` in this dimension `d`, each coordinate of `x` clipped to [-1, 1].
    Linear(usize),
}

impl FeatureMap {
    /// The map for points of `input_grid` to their `2 N` random Fourier features in steps of `feature_grid`.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for a feature grid finer than 24 bits, or one so coarse that
    /// `1/sqrt(N)` is below its step.
    pub fn new(
        frequencies: Frequencies,
        input_grid: Grid,
        feature_grid: Grid,
    ) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: radius(frequencies.count(), feature_grid)?,
            features: Features::Fourier(frequencies),
            input_grid,
            feature_grid,
        })
    }

    /// The map for points in [-1, 1]^d, in steps of `input_grid`, to `(1, x) / sqrt(d + 1)`, rounded towards zero to
    /// steps of `feature_grid`; a coordinate beyond the interval is clipped to it.
    ///
    /// # Errors
    /// As [`FeatureMap::new`], and [`GeometryError::Parameter`] for dimension 0.
    pub fn linear(
        dimension: usize,
        input_grid: Grid,
        feature_grid: Grid,
    ) -> Result<Self, GeometryError> {
        at_least_one("the dimension of linear features", dimension as u64)?;
        Ok(Self {
            radius: radius(dimension.saturating_add(1), feature_grid)?,
            features: Features::Linear(dimension),
            input_grid,
            feature_grid,
        })
    }

    /// No entry of a row is larger in magnitude, in steps of the feature grid.
    #[must_use]
    pub fn largest_entry(&self) -> i32 {
        self.radius
    }

    /// Whether features of so many frequencies have a length on this grid.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for a grid of more than 24 bits, or with a step above `1/sqrt(count)`.
    pub fn check_grid(count: usize, feature_grid: Grid) -> Result<(), GeometryError> {
        radius(count, feature_grid).map(drop)
    }

    /// The frequencies; `None` if the features are linear.
    #[must_use]
    pub fn frequencies(&self) -> Option<&Frequencies> {
        match &self.features {
            Features::Fourier(frequencies) => Some(frequencies),
            Features::Linear(_) => None,
        }
    }

    /// The grid of the features.
    #[must_use]
    pub fn feature_grid(&self) -> Grid {
        self.feature_grid
    }

    /// The number `D` of features: `2 N`, or `d + 1` if they are linear.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match &self.features {
            Features::Fourier(frequencies) => 2 * frequencies.count(),
            Features::Linear(dimension) => dimension + 1,
        }
    }

    /// The features of a point, in steps of the feature grid: cosine and sine of each frequency in turn; or the
    /// constant and the coordinates.
    ///
    /// # Errors
    /// [`GeometryError::Length`].
    pub fn features(&self, point: &[i64]) -> Result<Vec<i32>, GeometryError> {
        self.check_length(point)?;
        let frequencies = match &self.features {
            Features::Fourier(frequencies) => frequencies,
            Features::Linear(_) => return Ok(self.linear_row(point)),
        };
        let mut features = Vec::with_capacity(self.dimension());
        for w in frequencies.iter() {
            let angle = self.angle_in_steps(w, point);
            let (cos, sin) = floating_pair(angle, self.angle_bits(frequencies));
            features.extend(pair(self.radius, cos, sin));
        }
        Ok(features)
    }

    /// `radius (1, x)`, each coordinate within [-1, 1] and rounded towards zero: `d + 1` entries of magnitude at most
    /// `floor(2^b / sqrt(d + 1))`, so that the norm is at most 1.
    fn linear_row(&self, point: &[i64]) -> Vec<i32> {
        let (radius, one) = (i64::from(self.radius), self.input_grid.one());
        let entry =
            |&x: &i64| i128::from(x.clamp(-one, one)) * i128::from(radius) / i128::from(one);
        let entries = point.iter().map(|x| entry(x) as i32);
        std::iter::once(self.radius).chain(entries).collect()
    }

    /// The same, Fourier features with certified cosines and sines, each times the radius and rounded towards zero: plain and
    /// slow. [`FeatureMap::features`] differs by at most one step in each entry (tested on some points, and
    /// not relied upon).
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Number`] for an angle beyond the certified range.
    pub fn certified_features(&self, point: &[i64]) -> Result<Vec<i32>, GeometryError> {
        self.check_length(point)?;
        let frequencies = match &self.features {
            Features::Fourier(frequencies) => frequencies,
            Features::Linear(_) => return Ok(self.linear_row(point)),
        };
        let mut features = Vec::with_capacity(self.dimension());
        for w in frequencies.iter() {
            let steps = BigInt::from(self.angle_in_steps(w, point));
            let angle = Rational::new(steps, BigInt::from(1) << self.angle_bits(frequencies));
            for function in [Enclosure::cos, Enclosure::sin] {
                features.push(self.scaled(|bits| function(&Enclosure::of(&angle, bits)))?);
            }
        }
        Ok(features)
    }

    /// The grid of the points.
    #[must_use]
    pub fn input_grid(&self) -> Grid {
        self.input_grid
    }

    fn check_length(&self, point: &[i64]) -> Result<(), GeometryError> {
        let expected = match &self.features {
            Features::Fourier(frequencies) => frequencies.dimension(),
            Features::Linear(dimension) => *dimension,
        };
        if point.len() == expected {
            return Ok(());
        }
        let found = point.len();
        Err(GeometryError::Length { expected, found })
    }

    /// `<w, x>` exactly, in steps of the product of the two grids. Wraps for sums above 2^127, which no grid
    /// of data reaches and which would be wrong, not less private.
    fn angle_in_steps(&self, w: &[i64], point: &[i64]) -> i128 {
        w.iter().zip(point).fold(0i128, |sum, (&w, &x)| {
            sum.wrapping_add(i128::from(w) * i128::from(x))
        })
    }

    fn angle_bits(&self, frequencies: &Frequencies) -> u32 {
        frequencies.grid.bits() + self.input_grid.bits()
    }

    /// The radius times a real number of magnitude at most 1, rounded towards zero.
    fn scaled(
        &self,
        value: impl Fn(u32) -> Result<Enclosure, crate::number::NumberError>,
    ) -> Result<i32, GeometryError> {
        let mut bits = 64;
        loop {
            let product = value(bits)? * Enclosure::integer(self.radius, bits);
            let truncate = |end: Rational| end.trunc().to_integer();
            let (below, above) = (truncate(product.lower()), truncate(product.upper()));
            // Only cos 0 and sin 0 are integers after scaling, and those are enclosed exactly.
            if below == above || bits > 1024 {
                return Ok(below.to_i32().unwrap_or(0));
            }
            bits *= 2;
        }
    }
}

/// `floor(2^b / sqrt(count))` for a grid of `b` bits.
fn radius(count: usize, grid: Grid) -> Result<i32, GeometryError> {
    let b = grid.bits();
    let squared = (1u64 << (2 * b.min(31))) / (count as u64).max(1);
    let radius = squared.isqrt();
    let right = b <= FINEST_FEATURES && radius > 0;
    let expected = "at most 24, and enough for 1/sqrt(N)";
    require(right, "the bits of the feature grid", &b, expected)?;
    Ok(radius as i32)
}

/// Cosine and sine of `steps 2^-bits` in floats. The library `libm` computes them in plain arithmetic, with
/// the same bits on every machine.
#[allow(clippy::float_arithmetic)] // privacy rests on `pair` alone
fn floating_pair(steps: i128, bits: u32) -> (f64, f64) {
    // A power of two at most 2^80: exact.
    let angle = steps as f64 / (1u128 << bits) as f64;
    let (sin, cos) = libm::sincos(angle);
    (cos, sin)
}

/// `radius (cos, sin)`, rounded towards zero; **never longer than `radius`, whatever the two floats are**.
#[allow(clippy::float_arithmetic)] // the norm is decided in integers
fn pair(radius: i32, cos: f64, sin: f64) -> [i32; 2] {
    // 1. Towards zero; what is no number becomes 0, what is too large the largest integer.
    let entry = |value: f64| (f64::from(radius) * value) as i32;
    let mut pair = [entry(cos), entry(sin)];
    // 2. Where the floats were wrong, onto the axes.
    pair = pair.map(|v| v.clamp(-radius, radius));
    let squared = |v: i32| i64::from(v) * i64::from(v);
    if squared(pair[0]) + squared(pair[1]) > squared(radius) {
        pair[1] = 0;
    }
    pair
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::integer;
    use proptest::prelude::*;

    fn squared_norm(row: &[i32]) -> u128 {
        row.iter()
            .map(|v| u128::from(v.unsigned_abs()).pow(2))
            .sum()
    }

    fn map(count: usize, bits: u32) -> FeatureMap {
        let grid = Grid::new(16).unwrap();
        let mut coins = ChaCha::reproducible(5, 0);
        let frequencies = Frequencies::draw(count, 3, &integer(40), grid, &mut coins).unwrap();
        FeatureMap::new(frequencies, grid, Grid::new(bits).unwrap()).unwrap()
    }

    #[test]
    fn the_norm_is_at_most_one_whatever_the_floats_are() {
        let wild = [
            0.0,
            1.0,
            -1.0,
            1.5,
            -7.0,
            0.8,
            1e300,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for radius in [1, 5, 1000, 1 << 24] {
            for cos in wild {
                for sin in wild {
                    let [c, s] = pair(radius, cos, sin).map(i64::from);
                    assert!(c * c + s * s <= i64::from(radius) * i64::from(radius));
                }
            }
        }
    }

    #[test]
    fn the_floats_are_within_one_step_of_certified_cosines() {
        for (count, bits) in [(1, 24), (3, 20), (50, 12)] {
            let map = map(count, bits);
            for point in [[0, 0, 0], [1 << 16, 0, 0], [-40_000, 123, 65_535]] {
                let fast = map.features(&point).unwrap();
                let plain = map.certified_features(&point).unwrap();
                assert_eq!(fast.len(), 2 * count);
                assert!(fast.iter().zip(&plain).all(|(a, b)| a.abs_diff(*b) <= 1));
            }
        }
    }

    #[test]
    fn the_norm_is_close_to_one_but_not_one() {
        // floor(2^20 / sqrt(50)) = 148290, and each of 100 entries loses less than a step.
        let row = map(50, 20).features(&[1, 2, 3]).unwrap();
        let squared = squared_norm(&row);
        assert!(squared < 1 << 40);
        let least = 148_290u128 - 2;
        assert!(squared > 50 * least * least);
    }

    #[test]
    fn linear_features_are_the_point_and_a_constant() {
        let grid = |bits| Grid::new(bits).unwrap();
        // floor(2^8 / sqrt(3)) = 147
        let map = FeatureMap::linear(2, grid(4), grid(8)).unwrap();
        assert_eq!((map.dimension(), map.largest_entry()), (3, 147));
        assert_eq!(map.features(&[16, -8]).unwrap(), [147, 147, -73]);
        assert_eq!(map.certified_features(&[0, 1]).unwrap(), [147, 0, 9]);
        let farthest = map.features(&[i64::MAX, i64::MIN]).unwrap();
        assert_eq!(farthest, [147, 147, -147]);
        assert!(squared_norm(&farthest) <= 1 << 16);
        assert!(map.features(&[1]).is_err());
        assert!(FeatureMap::linear(0, grid(4), grid(8)).is_err());
        assert!(FeatureMap::linear(2, grid(4), grid(0)).is_err());
    }

    #[test]
    fn maps_that_cannot_be_are_refused() {
        let grid = |bits| Grid::new(bits).unwrap();
        assert!(Frequencies::new(grid(4), 2, vec![1; 3]).is_err());
        assert!(Frequencies::new(grid(4), 0, vec![1]).is_err());
        assert!(Frequencies::new(grid(4), 1, vec![]).is_err());
        assert!(Frequencies::new(grid(4), 1, vec![i64::MAX]).is_err());
        let many = Frequencies::new(grid(4), 1, vec![1; 17]).unwrap();
        assert!(FeatureMap::new(many.clone(), grid(4), grid(2)).is_err());
        assert!(FeatureMap::new(many.clone(), grid(4), grid(25)).is_err());
        let map = FeatureMap::new(many, grid(4), grid(3)).unwrap();
        assert!(map.features(&[1, 2]).is_err());
        let mut coins = ChaCha::reproducible(1, 0);
        assert!(Frequencies::draw(3, 1, &integer(0), grid(4), &mut coins).is_err());
    }

    #[test]
    fn the_frequencies_of_a_kernel() {
        let grid = Grid::new(10).unwrap();
        let draw = |kernel: &ShiftInvariantKernel| {
            let mut coins = ChaCha::reproducible(3, 0);
            Frequencies::of_kernel(2000, 2, kernel, grid, &mut coins)
        };
        // A quarter of the coordinates is beyond 0.6745 deviations, or one scale, or ln 2 scales, on either side.
        let two = integer(2);
        for (kernel, quartile) in [
            (
                ShiftInvariantKernel::Gaussian {
                    variance: integer(4),
                },
                1381,
            ),
            (ShiftInvariantKernel::Laplacian { rate: two.clone() }, 2048),
            (ShiftInvariantKernel::Cauchy { scale: two }, 1420),
        ] {
            let drawn = draw(&kernel).unwrap();
            assert_eq!((drawn.count(), drawn.dimension()), (2000, 2));
            let beyond = drawn.iter().flatten().filter(|w| **w > quartile).count();
            assert!((850..1150).contains(&beyond), "{kernel:?}: {beyond}");
        }
        let zero = || integer(0);
        assert!(draw(&ShiftInvariantKernel::Gaussian { variance: zero() }).is_err());
        assert!(draw(&ShiftInvariantKernel::Laplacian { rate: integer(-1) }).is_err());
        assert!(draw(&ShiftInvariantKernel::Cauchy { scale: zero() }).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_row_is_legal(x in proptest::collection::vec(any::<i64>(), 3), count in 1usize..40, bits in 4u32..24) {
            let map = map(count, bits);
            let row = map.features(&x).unwrap();
            prop_assert!(squared_norm(&row) <= 1 << (2 * bits));
        }
    }
}
