//! Algorithm 1: right, and with a projection that is drawn again.

use super::dataset;
use crate::papers::tiny::{
    in_proportion, one_dissents, projected, projected_to_zero, refused, vector,
};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{Halfspace, SignMatrix};
use dp_assay::margin::pure::{self, PureParameters};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::rational::{integer, to_f64_for_display};
use dp_assay_audit::specimen::{Mechanism, Specimen, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use serde_json::{Value, json};

/// Algorithm 1 with two features projected to one; the output is the projection and the point.
struct Pure {
    parameters: PureParameters,
    /// Whether the projection is drawn again until no record is projected to zero: broken.
    redrawn: bool,
}

impl Pure {
    fn new(redrawn: bool) -> Result<Self, MarginError> {
        Ok(Self {
            parameters: PureParameters::new(integer(1), Some(1), integer(1))?,
            redrawn,
        })
    }

    /// Whether a projection will do.
    fn fits(&self, data: &Dataset, projection: &SignMatrix) -> Result<bool, MarginError> {
        for record in data.records() {
            if self.redrawn && record.projected(Some(projection))? == [0] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn learn(&self, data: &Dataset, coins: &mut ChaCha) -> Result<Output, MarginError> {
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

    /// Point by point: a point of the cover errs where the halfspace that it is pulled back to does.
    fn law(&self, data: &Dataset) -> Result<Vec<(Output, f64)>, MarginError> {
        let rate = to_f64_for_display(self.parameters.epsilon()) / 2.0;
        let reach = self.parameters.cover(2)?.squared_bound().isqrt() as i64;
        let mut laws = Vec::new();
        for projection in SignMatrix::all(1, 2)? {
            if !self.fits(data, &projection)? {
                continue;
            }
            let mut weights = Vec::new();
            for point in -reach..=reach {
                let direction = projection.pull_back(&[point])?;
                let errors = Halfspace { direction }.errors(data.records())?;
                let weight = (-rate * errors as f64).exp();
                weights.push((projected(&projection, &[point])?, weight));
            }
            laws.push(weights);
        }
        Ok(in_proportion(laws))
    }
}

impl Mechanism for Pure {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.learn(&dataset(data)?, coins).map_err(refused(data))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let law = self.law(&dataset(data)?).map_err(refused(data))?;
        Ok(Some(law))
    }
}

pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    Ok(vec![
        specimen(
            "learner-margin-pure",
            "right: Algorithm 1, close to the claim",
            one_dissents(),
            Pure::new(false).map_err(&constants)?,
        )?,
        specimen(
            "learner-margin-pure-redrawn",
            "Algorithm 1, but the projection is drawn again until it suits the data",
            projected_to_zero(),
            Pure::new(true).map_err(&constants)?,
        )?,
    ])
}
