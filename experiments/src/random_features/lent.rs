//! What the paper lends to the experiments of others: its repaired learners, with the parameters that the library suggests.

use super::trial::{Noisy, predict};
use crate::lent::{Lent, Plan, Shape};
use dp_assay::privacy::Budget;
use dp_assay::random_features::{Dataset, Domain, RandomFeatureError, Record};
use dp_assay_cli::error::Error;

/// All of them.
pub const ALL: &[Lent] = &[
    Lent {
        name: "noisy gradient descent",
        stream: "Descent",
        takes_many: true,
        plan: |shape, budget| planned(|domain| Noisy::r6(domain, budget), shape, budget),
    },
    Lent {
        name: "noisy sufficient statistics",
        stream: "Statistics",
        takes_many: false,
        plan: |shape, budget| planned(|_| Noisy::r5(), shape, budget),
    },
    Lent {
        name: "AdaSSP",
        stream: "AdaSsp",
        takes_many: false,
        plan: |shape, budget| planned(|_| Noisy::ada_ssp(), shape, budget),
    },
];

/// A learner with its noise.
fn planned(
    learner: impl FnOnce(&Domain) -> Result<Noisy, RandomFeatureError>,
    shape: &Shape<'_>,
    budget: &Budget,
) -> Result<Plan, Error> {
    let domain = Domain {
        input_grid: shape.grid,
        dimension: shape.dimension,
        largest_feature: shape.grid.one(),
        label_grid: shape.grid,
        largest_label: shape.grid.one(),
        neighbours: budget.neighbours(),
        records: shape.records,
    };
    let learner = learner(&domain)?;
    let noise = learner.noise(&domain, shape.map, budget)?;
    let budget = budget.clone();
    Ok(Box::new(move |sample, coins| {
        let record = |(features, label): &(Vec<i64>, i64)| Record {
            features: features.clone(),
            label: *label,
        };
        let data = Dataset::new(domain, sample.training.iter().map(record).collect())?;
        let model = learner.learn(&data, sample.map, (&noise, &budget), coins)?;
        let points = sample.test.iter();
        points
            .map(|point| predict(&model, sample.map, point))
            .collect()
    }))
}
