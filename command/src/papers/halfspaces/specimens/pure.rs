//! Algorithm 2: where the exponential mechanism is tight, and with a projection that is drawn again.

use super::dataset;
use crate::papers::tiny::{
    in_proportion, one_dissents, projected, projected_to_zero, refused, vector,
};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::SignMatrix;
use dp_assay::halfspaces::pure::{self, PureParameters, margin_scores};
use dp_assay::halfspaces::{Dataset, HalfspaceError};
use dp_assay::number::rational::ratio;
use dp_assay_audit::specimen::{Mechanism, Specimen, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// Algorithm 2 with two features projected to one; the output is the projection and the point.
struct Pure {
    parameters: PureParameters,
    /// Whether the projection is drawn again until no record is projected to zero: broken.
    redrawn: bool,
}

impl Pure {
    fn new(epsilon: i64, redrawn: bool) -> Result<Self, HalfspaceError> {
        let half = ratio(1, 2);
        let epsilon = ratio(epsilon, 1);
        // The goal and the number of records only choose what is chosen otherwise here.
        let parameters = PureParameters::from_theorem(&half, &half, &epsilon, &half, 2, 2)?
            .with_projected_dimension(Some(1))?
            .with_radius(ratio(1, 1))?;
        Ok(Self {
            parameters,
            redrawn,
        })
    }

    /// Whether a projection will do.
    fn fits(&self, data: &Dataset, projection: &SignMatrix) -> Result<bool, HalfspaceError> {
        let kept = |images: Vec<Vec<i64>>| images.iter().all(|image| image != &[0]);
        Ok(!self.redrawn || kept(data.projected(Some(projection))?))
    }

    fn learn(&self, data: &Dataset, coins: &mut ChaCha) -> Result<Output, HalfspaceError> {
        loop {
            let model = pure::learn(data, &self.parameters, coins)?;
            let Some(projection) = &model.projection else {
                return Ok(vector(model.point));
            };
            if self.fits(data, projection)? {
                return Ok(projected(projection, &model.point)?);
            }
        }
    }

    fn law(&self, data: &Dataset) -> Result<Vec<(Output, f64)>, HalfspaceError> {
        let cover = self.parameters.cover(data.dimension())?;
        let rate = self.parameters.epsilon().to_f64().unwrap_or(f64::NAN) / 2.0;
        let mut laws = Vec::new();
        for projection in SignMatrix::all(1, data.dimension())? {
            if !self.fits(data, &projection)? {
                continue;
            }
            let images = data.projected(Some(&projection))?;
            let scores = margin_scores(&images, &cover, &self.parameters.threshold().value)?;
            let mut weights = Vec::new();
            for (bad, &count) in scores.counts().iter().enumerate() {
                let weight = (-rate * bad as f64).exp();
                for point in (0..count).filter_map(|rank| scores.point(bad, rank)) {
                    weights.push((projected(&projection, &point)?, weight));
                }
            }
            laws.push(weights);
        }
        Ok(in_proportion(laws))
    }
}

impl Mechanism for Pure {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.learn(&dataset(data, 2)?, coins).map_err(refused(data))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let law = self.law(&dataset(data, 2)?).map_err(refused(data))?;
        Ok(Some(law))
    }
}

pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    Ok(vec![
        specimen(
            "learner-pure",
            "right: Algorithm 2, close to the claim",
            one_dissents(),
            Pure::new(1, false).map_err(&constants)?,
        )?,
        specimen(
            "learner-pure-without-two",
            "Algorithm 2 with weights exp(-epsilon c) for exp(-epsilon c / 2)",
            one_dissents(),
            Pure::new(2, false).map_err(&constants)?,
        )?,
        specimen(
            "learner-pure-redrawn",
            "Algorithm 2, but the projection is drawn again until it suits the data",
            projected_to_zero(),
            Pure::new(1, true).map_err(&constants)?,
        )?,
    ])
}
