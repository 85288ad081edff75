//! Random Fourier features on a grid.
//!
//! `phi(x) = (cos <w_k, x>, sin <w_k, x>)_k / sqrt(N)` has norm 1, and its entries are irrational. Ours are
//! integers, in steps of a public grid, and what privacy uses of them is two facts that hold whatever the
//! cosine of the machine is: they are a function of the record alone, and **their norm is at most 1**, in
//! integers. The paper's "norm exactly `sqrt(N)`" cannot be had on a grid.

use super::{Dataset, RandomFeatureError};
use crate::coins::Coins;
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::FeatureMatrix;
use crate::sample::DiscreteGaussian;
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

/// No coordinate of a frequency is larger than this, in steps: inner products fit in 128 bits.
const LARGEST_FREQUENCY: i64 = 1 << 60;

impl Frequencies {
    /// `count` independent frequencies whose coordinates have the discrete Gaussian law on `grid`.
    ///
    /// `variance` is the parameter of one coordinate in units of the inputs, squared: the paper's `sigma^2`
    /// for features of a kernel `exp(-sigma^2 |x - x'|^2 / 2)`. It is chosen without the data, or paid for.
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] for no frequency or dimension 0; [`RandomFeatureError::Overflow`] for a
    /// coordinate above 2^60 steps; [`RandomFeatureError::Coins`] unless `variance > 0`, and those of the coins.
    pub fn draw(
        count: usize,
        dimension: usize,
        variance: &Rational,
        grid: Grid,
        coins: &mut impl Coins,
    ) -> Result<Self, RandomFeatureError> {
        let law = DiscreteGaussian::new(variance * BigInt::from(grid.one()).pow(2))?;
        let steps = (0..count * dimension)
            .map(|_| coins.draw(&law)?.to_i64().ok_or(TOO_LARGE))
            .collect::<Result<_, RandomFeatureError>>()?;
        Self::new(grid, dimension, steps)
    }

    /// The given frequencies, one after the other, in steps of `grid`.
    ///
    /// # Errors
    /// As [`Frequencies::draw`].
    pub fn new(grid: Grid, dimension: usize, steps: Vec<i64>) -> Result<Self, RandomFeatureError> {
        if dimension == 0 || steps.is_empty() || !steps.len().is_multiple_of(dimension) {
            return Err(RandomFeatureError::Parameter {
                parameter: "the coordinates of the frequencies",
                expected: "a multiple of a dimension of at least 1, and at least one of them",
                value: format!("{} in dimension {dimension}", steps.len()),
            });
        }
        if steps
            .iter()
            .any(|w| w.unsigned_abs() > LARGEST_FREQUENCY.unsigned_abs())
        {
            return Err(TOO_LARGE);
        }
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

const TOO_LARGE: RandomFeatureError = RandomFeatureError::Overflow {
    what: "a coordinate of a frequency",
};

/// The map from a point to its `2 N` features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureMap {
    frequencies: Frequencies,
    input_grid: Grid,
    feature_grid: Grid,
    // floor(2^b / sqrt(N)): no pair (cosine, sine) is longer, in steps.
    radius: i32,
}

impl FeatureMap {
    /// The map for points of `input_grid` to features in steps of `feature_grid`.
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] for a feature grid finer than 24 bits, or one so coarse that
    /// `1/sqrt(N)` is below its step.
    pub fn new(
        frequencies: Frequencies,
        input_grid: Grid,
        feature_grid: Grid,
    ) -> Result<Self, RandomFeatureError> {
        let b = feature_grid.bits();
        let squared = (1u64 << (2 * b.min(31))) / frequencies.count() as u64;
        let radius = squared.isqrt();
        if b > crate::optimise::FINEST_FEATURES || radius == 0 {
            return Err(RandomFeatureError::Parameter {
                parameter: "the bits of the feature grid",
                expected: "at most 24, and enough for 1/sqrt(N)",
                value: b.to_string(),
            });
        }
        Ok(Self {
            frequencies,
            input_grid,
            feature_grid,
            radius: radius as i32,
        })
    }

    /// The frequencies.
    #[must_use]
    pub fn frequencies(&self) -> &Frequencies {
        &self.frequencies
    }

    /// The grid of the features.
    #[must_use]
    pub fn feature_grid(&self) -> Grid {
        self.feature_grid
    }

    /// The number `D = 2 N` of features.
    #[must_use]
    pub fn dimension(&self) -> usize {
        2 * self.frequencies.count()
    }

    /// The features of a point: cosine and sine of each frequency in turn, in steps of the feature grid.
    ///
    /// # Errors
    /// [`RandomFeatureError::Length`].
    pub fn features(&self, point: &[i64]) -> Result<Vec<i32>, RandomFeatureError> {
        self.check_length(point)?;
        let mut features = Vec::with_capacity(self.dimension());
        for w in self.frequencies.iter() {
            let (cos, sin) = floating_pair(self.angle_in_steps(w, point), self.angle_bits());
            features.extend(pair(self.radius, cos, sin));
        }
        Ok(features)
    }

    /// The same with certified cosines and sines, each times the radius and rounded towards zero: plain and
    /// slow. [`FeatureMap::features`] differs by at most one step in each entry, for angles up to 2^20
    /// (tested, not relied upon).
    ///
    /// # Errors
    /// [`RandomFeatureError::Length`]; [`RandomFeatureError::Number`] for an angle beyond the certified range.
    pub fn certified_features(&self, point: &[i64]) -> Result<Vec<i32>, RandomFeatureError> {
        self.check_length(point)?;
        let mut features = Vec::with_capacity(self.dimension());
        for w in self.frequencies.iter() {
            let steps = BigInt::from(self.angle_in_steps(w, point));
            let angle = Rational::new(steps, BigInt::from(1) << self.angle_bits());
            for function in [Enclosure::cos, Enclosure::sin] {
                features.push(self.scaled(|bits| function(&Enclosure::of(&angle, bits)))?);
            }
        }
        Ok(features)
    }

    /// The features of all records.
    ///
    /// # Errors
    /// As [`FeatureMap::features`], and [`RandomFeatureError::Parameter`] if the data lie on another grid.
    pub fn matrix(&self, data: &Dataset) -> Result<FeatureMatrix, RandomFeatureError> {
        if data.domain().input_grid != self.input_grid {
            return Err(RandomFeatureError::Parameter {
                parameter: "the input grid of the data",
                expected: "that of the feature map",
                value: format!("2^-{}", data.domain().input_grid.bits()),
            });
        }
        let records = data.records().iter();
        let rows = records
            .map(|record| self.features(&record.features))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(FeatureMatrix::new(
            self.feature_grid,
            self.dimension(),
            &rows,
        )?)
    }

    fn check_length(&self, point: &[i64]) -> Result<(), RandomFeatureError> {
        if point.len() == self.frequencies.dimension() {
            return Ok(());
        }
        Err(RandomFeatureError::Length {
            what: "a point".to_owned(),
            expected: self.frequencies.dimension(),
            found: point.len(),
        })
    }

    /// `<w, x>` exactly, in steps of the product of the two grids. Wraps for sums above 2^127, which no grid
    /// of data reaches and which would be wrong, not less private.
    fn angle_in_steps(&self, w: &[i64], point: &[i64]) -> i128 {
        w.iter().zip(point).fold(0i128, |sum, (&w, &x)| {
            sum.wrapping_add(i128::from(w) * i128::from(x))
        })
    }

    fn angle_bits(&self) -> u32 {
        self.frequencies.grid.bits() + self.input_grid.bits()
    }

    /// The radius times a real number of magnitude at most 1, rounded towards zero.
    fn scaled(
        &self,
        value: impl Fn(u32) -> Result<Enclosure, crate::number::NumberError>,
    ) -> Result<i32, RandomFeatureError> {
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
