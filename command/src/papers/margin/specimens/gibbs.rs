//! The Gibbs learner on two public candidates, and with candidates that are drawn again.

use super::dataset;
use crate::papers::tiny::{in_proportion, one_dissents, refused, vector};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::margin::gibbs::{self, Candidates};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, to_f64_for_display};
use dp_assay_audit::specimen::{Mechanism, Specimen, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use serde_json::{Value, json};

/// A list of candidates, drawn uniformly from `lists`; the output is the candidate that is chosen.
struct Gibbs {
    lists: Vec<Candidates>,
    epsilon: Rational,
    /// Whether the list is drawn again until one of it errs on at most half of the records: broken.
    redrawn: bool,
}

impl Gibbs {
    fn new(lists: &[&[i32]], epsilon: i64, redrawn: bool) -> Result<Self, MarginError> {
        let candidates = |list: &&[i32]| Candidates::new(2, list.to_vec());
        Ok(Self {
            lists: lists.iter().map(candidates).collect::<Result<_, _>>()?,
            epsilon: integer(epsilon),
            redrawn,
        })
    }

    /// Whether a list will do.
    fn fits(&self, list: &Candidates, data: &Dataset) -> Result<bool, MarginError> {
        let half = data.records().len() as u32;
        let errors = list.errors(data)?;
        Ok(!self.redrawn || errors.iter().any(|errors| 2 * errors <= half))
    }

    fn learn(&self, data: &Dataset, coins: &mut ChaCha) -> Result<Output, MarginError> {
        loop {
            let list = if self.lists.len() > 1 {
                &self.lists[coins.bits(1)? as usize]
            } else {
                &self.lists[0]
            };
            if self.fits(list, data)? {
                let model = gibbs::learn(data, list, &self.epsilon, coins)?;
                return Ok(vector(model.halfspace.direction));
            }
        }
    }

    fn law(&self, data: &Dataset) -> Result<Vec<(Output, f64)>, MarginError> {
        let rate = to_f64_for_display(&self.epsilon) / 2.0;
        let mut laws = Vec::new();
        for list in &self.lists {
            if !self.fits(list, data)? {
                continue;
            }
            let mut weights = Vec::new();
            for number in 0..list.count() {
                let halfspace = list.halfspace(number)?;
                let errors = halfspace.errors(data.records())?;
                weights.push((vector(halfspace.direction), (-rate * errors as f64).exp()));
            }
            laws.push(weights);
        }
        Ok(in_proportion(laws))
    }
}

impl Mechanism for Gibbs {
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
    // (1, 0) errs on no record of those that agree, (-1, 0) on all.
    let opposite: &[i32] = &[1, 0, -1, 0];
    Ok(vec![
        specimen(
            "learner-margin-gibbs",
            "right: the Gibbs learner on two opposite candidates, close to the claim",
            one_dissents(),
            Gibbs::new(&[opposite], 1, false).map_err(&constants)?,
        )?,
        specimen(
            "learner-margin-gibbs-without-two",
            "the Gibbs learner with weights exp(-epsilon c) for exp(-epsilon c / 2)",
            one_dissents(),
            Gibbs::new(&[opposite], 2, false).map_err(&constants)?,
        )?,
        specimen(
            "learner-margin-gibbs-redrawn",
            "the Gibbs learner, but the candidates are drawn again until one suits the data",
            [json!([[8, 0, 1], [8, 0, 1]]), json!([[8, 0, 1], [4, 4, 1]])],
            Gibbs::new(&[&[1, 0], &[0, 1]], 1, true).map_err(&constants)?,
        )?,
    ])
}
