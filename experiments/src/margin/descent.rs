//! Full-batch noisy gradient descent on the unit ball, in floats: what private learners of halfspaces are usually
//! compared with.

use crate::draws::Draws;
use dp_assay::coins::CoinsError;

/// A loss of `<w, z>`, for `z = y x`, that falls at most at the rate `1/rho`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// `max(0, 1 - <w, z> / rho)`
    Hinge,
    /// `ln(1 + exp(-<w, z> / rho))`
    Logistic,
}

/// How many gradients are released.
const STEPS: u32 = 500;

impl Loss {
    /// Minus the slope, in units of `1/rho`.
    fn pull(self, product: f64, rho: f64) -> f64 {
        match self {
            Self::Hinge if product < rho => 1.0,
            Self::Hinge => 0.0,
            Self::Logistic => 1.0 / (1.0 + (product / rho).exp()),
        }
    }
}

/// The mean of the iterates, up to a factor: each step releases the mean gradient over all `points`, which a substitution
/// moves by at most `2 / (rho m)`, with Gaussian noise that makes all steps together `concentrated`-zCDP.
pub fn learn(
    points: &[Vec<f64>],
    dimension: usize,
    loss: Loss,
    rho: f64,
    concentrated: f64,
    draws: &mut Draws,
) -> Result<Vec<f64>, CoinsError> {
    let m = points.len() as f64;
    let steps = f64::from(STEPS);
    let deviation = 2.0 / (rho * m) * (steps / (2.0 * concentrated)).sqrt();
    // The usual length for gradients of this second moment, on a ball of radius 1.
    let moment = rho.powi(-2) + dimension as f64 * deviation.powi(2);
    let length = (steps * moment).sqrt().recip();
    let mut w = vec![0.0; dimension];
    let mut sum = vec![0.0; dimension];
    for _ in 0..STEPS {
        let mut step: Vec<f64> = draws.normals(dimension)?;
        step.iter_mut().for_each(|noise| *noise *= deviation);
        for z in points {
            let product: f64 = w.iter().zip(z).map(|(w, z)| w * z).sum();
            let pull = loss.pull(product, rho) / (rho * m);
            if pull > 0.0 {
                let coordinates = step.iter_mut().zip(z);
                coordinates.for_each(|(step, z)| *step += pull * z);
            }
        }
        let coordinates = w.iter_mut().zip(&step);
        coordinates.for_each(|(w, step)| *w += length * step);
        let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        if norm > 1.0 {
            w.iter_mut().for_each(|w| *w /= norm);
        }
        let coordinates = sum.iter_mut().zip(&w);
        coordinates.for_each(|(sum, w)| *sum += w);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_that_of_its_loss() {
        assert_eq!(Loss::Hinge.pull(0.2, 0.25), 1.0);
        assert_eq!(Loss::Hinge.pull(0.25, 0.25), 0.0);
        let value = |x: f64| (-x / 0.25).exp().ln_1p();
        let slope = (value(0.1 + 1e-6) - value(0.1 - 1e-6)) / 2e-6;
        let pull = Loss::Logistic.pull(0.1, 0.25);
        assert!((slope + pull / 0.25).abs() < 1e-6);
    }

    #[test]
    fn with_much_budget_records_are_separated_and_with_little_there_is_noise() {
        let points = vec![vec![0.6, 0.1], vec![0.5, -0.2], vec![0.7, 0.0]];
        for loss in [Loss::Hinge, Loss::Logistic] {
            let learn = |concentrated, seed| {
                let mut draws = Draws::new(seed, "descent");
                learn(&points, 2, loss, 0.5, concentrated, &mut draws).unwrap()
            };
            let w = learn(1e6, 1);
            assert!(w[0] > 10.0 * w[1].abs(), "{w:?}");
            // Noise alone has either sign: outside of 8 to 32 of 40 with probability below 10^-3.
            let wrong = (0..40).filter(|&seed| learn(1e-6, seed)[0] < 0.0).count();
            assert!((8..=32).contains(&wrong), "{wrong}");
        }
    }
}
