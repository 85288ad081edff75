//! The learners of the halfspaces paper on a tiny grid: as repaired, as printed, and a broken twin.
//!
//! Data are records `[x_1, ..., x_d, label]` in eighths, in the unit ball, with a label of 1 or -1.
//!
//! | specimen | truth on its pair |
//! |---|---|
//! | `learner-pure` | from its exact law, over all projections: at most the claim |
//! | `learner-pure-redrawn` | from its exact law: infinite, half of one law is disjoint from the other |
//! | `learner-as-printed` | infinite: an error has probability exactly 1/2 on one dataset, and 0 on the other |
//!
//! The full-batch learner is not among them: it calibrates its noise anew for each model, too slowly for an
//! audit; its accounting is re-checked by the ledger (`nuz20.full-batch`).

use super::{Mechanism, Specimen, Truth, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::SignMatrix;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::score::MarginScores;
use dp_assay::halfspaces::{Dataset, HalfspaceError, Record, as_printed};
use dp_assay::number::{Grid, rational::ratio};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// The grid has steps of 1/8.
const BITS: u32 = 3;

/// What the library refuses, which is a matter of the data: the parameters are constants.
fn refused(data: &Value) -> impl Fn(HalfspaceError) -> TargetError + use<> {
    let got = data.to_string();
    move |error| TargetError::Data {
        expected: "records on which the learner runs",
        got: format!("{got} ({error})"),
    }
}

/// The dataset that is written as an array of records.
fn dataset(data: &Value, dimension: usize) -> Result<Dataset, TargetError> {
    let wrong = || TargetError::Data {
        expected: "an array of records [x_1, ..., x_d, label] in eighths, the label 1 or -1",
        got: data.to_string(),
    };
    let record = |record: &Value| {
        let values: Vec<i64> = record
            .as_array()?
            .iter()
            .map(Value::as_i64)
            .collect::<Option<_>>()?;
        let (label, features) = values.split_last()?;
        (label.abs() == 1).then(|| Record {
            features: features.to_vec(),
            positive: *label == 1,
        })
    };
    let records: Option<Vec<Record>> = data
        .as_array()
        .ok_or_else(wrong)?
        .iter()
        .map(record)
        .collect();
    let grid = Grid::new(BITS).map_err(|_| wrong())?;
    Dataset::new(grid, dimension, records.ok_or_else(wrong)?).map_err(|_| wrong())
}

fn vector(entries: impl IntoIterator<Item = i64>) -> Output {
    let entries = entries.into_iter().map(|k| Output::Integer(k.into()));
    Output::Vector(entries.collect())
}

/// Algorithm 2 with two features projected to one; the output is the projection and the point.
struct Pure {
    parameters: PureParameters,
    /// Whether the projection is drawn again until no record is projected to zero: broken.
    redrawn: bool,
}

impl Pure {
    fn new(redrawn: bool) -> Result<Self, HalfspaceError> {
        let half = ratio(1, 2);
        let parameters = PureParameters::from_theorem(&half, &half, &ratio(1, 1), &half, 2, 2)?
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

    fn output(projection: &SignMatrix, point: &[i64]) -> Result<Output, HalfspaceError> {
        let signs = [projection.apply(&[1, 0])?, projection.apply(&[0, 1])?].concat();
        Ok(vector(signs.into_iter().chain(point.iter().copied())))
    }

    fn learn(&self, data: &Dataset, coins: &mut ChaCha) -> Result<Output, HalfspaceError> {
        loop {
            let model = pure::learn(data, &self.parameters, coins)?;
            let Some(projection) = &model.projection else {
                return Ok(vector(model.point));
            };
            if self.fits(data, projection)? {
                return Self::output(projection, &model.point);
            }
        }
    }

    fn law(&self, data: &Dataset) -> Result<Vec<(Output, f64)>, HalfspaceError> {
        let cover = self.parameters.cover(data.dimension())?;
        let rate = self.parameters.epsilon().to_f64().unwrap_or(f64::NAN) / 2.0;
        let mut law = Vec::new();
        let mut projections = 0;
        for projection in SignMatrix::all(1, data.dimension())? {
            if !self.fits(data, &projection)? {
                continue;
            }
            projections += 1;
            let images = data.projected(Some(&projection))?;
            let scores = MarginScores::new(&images, &cover, &self.parameters.threshold().value)?;
            let counts = scores.counts();
            let weight = |bad: usize| (-rate * bad as f64).exp();
            let total: f64 = (0..)
                .zip(&counts)
                .map(|(bad, &count)| count as f64 * weight(bad))
                .sum();
            for (bad, &count) in counts.iter().enumerate() {
                for point in (0..count).filter_map(|rank| scores.point(bad, rank)) {
                    law.push((Self::output(&projection, &point)?, weight(bad) / total));
                }
            }
        }
        law.iter_mut()
            .for_each(|(_, p)| *p /= f64::from(projections));
        Ok(law)
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

/// Algorithm 3 as it is printed, with two features projected to one; the output is the halfspace.
struct AsPrinted {
    claimed: Budget,
}

impl Mechanism for AsPrinted {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let half = ratio(1, 2);
        let dataset = dataset(data, 2)?;
        match as_printed::learn_not_private(&dataset, &self.claimed, (&half, &half), Some(1), coins)
        {
            Ok(model) => Ok(vector(model.halfspace.direction)),
            // An error that depends on the data is an output.
            Err(error @ HalfspaceError::Undefined { .. }) => Ok(Output::Error(error.to_string())),
            Err(error) => Err(refused(data)(error)),
        }
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        dataset(data, 2).map(|_| None)
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    let delta = ratio(1, 100);
    let budget = Budget::approximate(ratio(1, 1), delta.clone(), NeighbouringRelation::Substitute)
        .map_err(|error| constants(error.into()))?;
    // (4, 4) is projected to zero by half of the projections, and (4, 0) by none.
    let projected_to_zero = || [json!([[4, 0, 1], [4, 0, 1]]), json!([[4, 0, 1], [4, 4, 1]])];
    Ok(vec![
        specimen(
            "learner-pure",
            "right: Algorithm 2, at most the claim",
            [
                json!([[8, 0, 1], [8, 0, 1]]),
                json!([[8, 0, 1], [8, 0, -1]]),
            ],
            Pure::new(false).map_err(&constants)?,
        )?,
        specimen(
            "learner-pure-redrawn",
            "Algorithm 2, but the projection is drawn again until it suits the data",
            projected_to_zero(),
            Pure::new(true).map_err(&constants)?,
        )?,
        Specimen {
            delta,
            truth: Truth {
                epsilon: f64::INFINITY,
                disjoint: Some(0.5),
            },
            ..specimen(
                "learner-as-printed",
                "Algorithm 3 as printed: it has no value where A x = 0",
                projected_to_zero(),
                AsPrinted { claimed: budget },
            )?
        },
    ])
}
