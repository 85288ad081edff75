//! The straight line: the logarithm of the odds is `a + b x`.

use super::logistic::{Design, Fit, RIDGE, Row};
use super::weighted::Scale;
use crate::events::outputs::SAMPLE;

/// The odds that one number has.
pub struct Line {
    scale: Scale,
    fit: Fit,
}

impl Line {
    /// Fits the line to the numbers on the two datasets; `None` if they do not vary.
    pub fn fit(values: &[Vec<f64>; 2]) -> Option<Self> {
        let scale = Scale::of(values.iter().flatten().copied().collect());
        if scale.spread <= 0.0 {
            return None;
        }
        let mut rows: Vec<Row> = Vec::new();
        for (values, counts) in values.iter().zip([[1.0, 0.0], [0.0, 1.0]]) {
            let few = values.iter().take(SAMPLE);
            rows.extend(few.map(|value| (vec![1.0, scale.standardise(*value)], counts)));
        }
        let fit = Design::new(&rows, RIDGE)?.fit()?;
        Some(Self { scale, fit })
    }

    /// The probability that this number came from the first dataset, if both are called equally often.
    pub fn share(&self, value: f64) -> f64 {
        self.fit.share(vec![1.0, self.scale.standardise(value)])
    }
}
