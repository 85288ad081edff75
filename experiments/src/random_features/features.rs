//! Random features as the paper's code has them.
//!
//! The paper prints complex exponentials of norm sqrt(N); its code has real cosines, scaled so that a
//! record's features have norm about 1.

use crate::draws::Draws;
use dp_assay::coins::CoinsError;
use nalgebra::{DMatrix, DVector};

/// `x -> (cos(<w_k, x> + b_k) sqrt(2/N))_k`, with `w_k` normal and `b_k` uniform on a circle.
pub struct CosineFeatures {
    frequencies: DMatrix<f64>,
    offsets: DVector<f64>,
}

impl CosineFeatures {
    /// `count` features of inputs with `dimension` coordinates; `deviation` is the standard deviation
    /// of each coordinate of a frequency.
    pub fn draw(
        count: usize,
        dimension: usize,
        deviation: f64,
        draws: &mut Draws,
    ) -> Result<Self, CoinsError> {
        let normals = draws.normals(count * dimension)?;
        let mut offsets = Vec::with_capacity(count);
        for _ in 0..count {
            offsets.push(std::f64::consts::TAU * draws.uniform()?);
        }
        Ok(Self {
            frequencies: DMatrix::from_vec(count, dimension, normals) * deviation,
            offsets: offsets.into(),
        })
    }

    /// The features of each column of `inputs`: features by records.
    pub fn of(&self, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let scale = (2.0 / self.offsets.len() as f64).sqrt();
        let mut features = &self.frequencies * inputs;
        for mut record in features.column_iter_mut() {
            for (angle, offset) in record.iter_mut().zip(&self.offsets) {
                *angle = (*angle + offset).cos() * scale;
            }
        }
        features
    }
}

/// The mean over the records of the squared norm.
pub fn mean_squared_norm(features: &DMatrix<f64>) -> f64 {
    features.norm_squared() / features.ncols() as f64
}
