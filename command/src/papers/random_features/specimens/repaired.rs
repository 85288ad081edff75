//! The repaired learners R3 and R4, and twins that take the sensitivity of a removal for that of a substitution.
//!
//! One record at the public input 0, whose feature is (1, 0); its label goes from 1 to -1. There both sensitivities
//! are attained, up to rounding: the learners spend nearly all that they claim, and their twins twice that.

use super::{TargetError, delta, integer, labels, ratio, truth, vector};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::{self, Fit, RidgeParameters};
use dp_assay::random_features::{
    Dataset, Domain, RandomFeatureError, Record, clipped_kaczmarz, ridge_of_bounded_labels,
};
use dp_assay::sample::DiscreteGaussian;
use dp_assay_audit::specimen::{self, Mechanism, Specimen, specimen};
use dp_assay_audit::targets::Output;
use num_traits::ToPrimitive;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Which of the two.
#[derive(Clone, Copy)]
enum Learner {
    /// R3.
    Ridge,
    /// R4.
    Kaczmarz,
}

/// What a learner finds for each label that there may be, and its noise, which does not depend on the label.
struct Repaired {
    fits: BTreeMap<i64, Fit>,
    noise: DiscreteGaussian,
    budget: Budget,
}

/// Labels in these parts of 1.
const LABEL_STEPS: i64 = 4;

impl Learner {
    /// The coefficients before the noise.
    fn fit(self, label: i64) -> Result<Fit, RandomFeatureError> {
        let (input_grid, coefficient_grid) = (Grid::new(0)?, Grid::new(8)?);
        let domain = Domain {
            input_grid,
            dimension: 1,
            largest_feature: 1,
            label_grid: Grid::new(2)?,
            largest_label: LABEL_STEPS,
            neighbours: NeighbouringRelation::Substitute,
            records: 1,
        };
        let record = Record {
            features: vec![0],
            label,
        };
        let data = Dataset::new(domain, vec![record])?;
        let frequencies = Frequencies::new(input_grid, 1, vec![1])?;
        let features = data.features(&FeatureMap::new(frequencies, input_grid, Grid::new(10)?)?)?;
        match self {
            Self::Ridge => {
                let parameters = RidgeParameters {
                    penalty: integer(1),
                    coefficient_grid,
                };
                ridge_of_bounded_labels::fit(&data, &features, &parameters)
            }
            Self::Kaczmarz => {
                let parameters = clipped_kaczmarz::Parameters {
                    residual_bound: integer(1),
                    order: clipped_kaczmarz::Order::AsGiven,
                    coefficient_grid,
                };
                // In this order no coin is tossed.
                let mut coins = ChaCha::reproducible(0, 0);
                clipped_kaczmarz::fit(&data, &features, &parameters, &mut coins)
            }
        }
    }

    /// The specimen whose noise is for this part of the sensitivity.
    fn specimen(
        self,
        name: &'static str,
        about: &'static str,
        part: &Rational,
    ) -> Result<Specimen, TargetError> {
        let pair = [json!([LABEL_STEPS]), json!([-LABEL_STEPS])];
        let refuse = refused(&pair[0]);
        let fits: BTreeMap<i64, Fit> = (-LABEL_STEPS..=LABEL_STEPS)
            .map(|label| Ok((label, self.fit(label).map_err(&refuse)?)))
            .collect::<Result<_, TargetError>>()?;
        let (first, second) = (&fits[&LABEL_STEPS], &fits[&-LABEL_STEPS]);
        let budget =
            Budget::substituting(&integer(1), &delta()).map_err(|error| refuse(error.into()))?;
        let sensitivity = &first.sensitivity * part;
        let noise = steps::noise(&sensitivity, first.grid, first.coefficients.len(), &budget)
            .map_err(&refuse)?;
        let gaps = first.coefficients.iter().zip(&second.coefficients);
        let squared: i64 = gaps.map(|(a, b)| (a - b).pow(2)).sum();
        let truth =
            truth(&(integer(squared) / noise.variance())).map_err(super::refused(&pair[0]))?;
        let mechanism = Repaired {
            fits,
            noise,
            budget,
        };
        Ok(Specimen {
            delta: delta(),
            truth,
            ..specimen(name, about, pair, mechanism)?
        })
    }
}

impl Mechanism for Repaired {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let fit = match &labels(data, 1)?[..] {
            [label] => label
                .to_integer()
                .to_i64()
                .and_then(|label| self.fits.get(&label)),
            _ => None,
        };
        let fit = fit.ok_or_else(|| TargetError::Data {
            expected: "one label, from -4 to 4 quarters",
            got: data.to_string(),
        })?;
        let model = fit
            .release_with((&self.noise, &self.budget), coins)
            .map_err(refused(data))?;
        Ok(vector(
            model.coefficients.into_iter().map(Rational::from).collect(),
        ))
    }
}

fn refused(data: &Value) -> impl Fn(RandomFeatureError) -> TargetError + use<> {
    specimen::refused(data, "one label, from -4 to 4 quarters")
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let half = ratio(1, 2);
    Ok(vec![
        Learner::Ridge.specimen(
            "random-features-ridge",
            "right: ridge with bounded labels (R3), where its bound is attained",
            &integer(1),
        )?,
        Learner::Ridge.specimen(
            "random-features-ridge-without-two",
            "the same with noise for a removal, under substitution",
            &half,
        )?,
        Learner::Kaczmarz.specimen(
            "random-features-kaczmarz",
            "right: one pass with clipped residuals (R4), where its bound is attained",
            &integer(1),
        )?,
        Learner::Kaczmarz.specimen(
            "random-features-kaczmarz-without-two",
            "the same with noise for a removal, under substitution",
            &half,
        )?,
    ])
}
