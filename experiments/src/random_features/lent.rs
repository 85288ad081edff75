//! What the paper lends to the experiments of others: its repaired learners, with the parameters that the library suggests.

use crate::lent::{Lent, Plan, Sample, Shape};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::FeatureMap;
use dp_assay::number::Grid;
use dp_assay::privacy::Budget;
use dp_assay::random_features::{
    Dataset, Domain, Model, RandomFeatureError, Record, adassp, clipped_gradient_descent,
    noisy_statistics,
};
use dp_assay::sample::DiscreteGaussian;
use dp_assay_cli::error::Error;
use num_traits::ToPrimitive;

/// All of them.
pub const ALL: &[Lent] = &[
    Lent {
        name: "noisy gradient descent",
        stream: "Descent",
        takes_many: true,
        plan: descent,
    },
    Lent {
        name: "noisy sufficient statistics",
        stream: "Statistics",
        takes_many: false,
        plan: statistics,
    },
    Lent {
        name: "AdaSSP",
        stream: "AdaSsp",
        takes_many: false,
        plan: ada_ssp,
    },
];

/// A learner with its noise.
struct Planned {
    domain: Domain,
    budget: Budget,
    noise: DiscreteGaussian,
    learner: Learner,
}

enum Learner {
    Descent(clipped_gradient_descent::Parameters),
    Statistics(noisy_statistics::Parameters),
    AdaSsp(Grid),
}

fn domain(shape: &Shape<'_>, budget: &Budget) -> Domain {
    Domain {
        input_grid: shape.grid,
        dimension: shape.dimension,
        largest_feature: shape.grid.one(),
        label_grid: shape.grid,
        largest_label: shape.grid.one(),
        neighbours: budget.neighbours(),
        records: shape.records,
    }
}

fn planned(domain: Domain, budget: &Budget, noise: DiscreteGaussian, learner: Learner) -> Plan {
    let planned = Planned {
        domain,
        budget: budget.clone(),
        noise,
        learner,
    };
    Box::new(move |sample, coins| planned.predictions(sample, coins))
}

fn descent(shape: &Shape<'_>, budget: &Budget) -> Result<Plan, Error> {
    let domain = domain(shape, budget);
    let parameters = clipped_gradient_descent::Parameters::suggested(&domain, budget)?;
    let noise = clipped_gradient_descent::noise(&domain, shape.map, &parameters, budget)?;
    Ok(planned(domain, budget, noise, Learner::Descent(parameters)))
}

fn statistics(shape: &Shape<'_>, budget: &Budget) -> Result<Plan, Error> {
    let domain = domain(shape, budget);
    let parameters = noisy_statistics::Parameters::suggested()?;
    let form = noisy_statistics::Shape::new(&domain, shape.map, &parameters.label_weight)?;
    let noise = noisy_statistics::noise(&form, budget)?;
    Ok(planned(
        domain,
        budget,
        noise,
        Learner::Statistics(parameters),
    ))
}

fn ada_ssp(shape: &Shape<'_>, budget: &Budget) -> Result<Plan, Error> {
    let domain = domain(shape, budget);
    let noise = adassp::noise(&domain, shape.map, budget)?;
    let grid = Grid::new(24)?;
    Ok(planned(domain, budget, noise, Learner::AdaSsp(grid)))
}

impl Planned {
    fn learn(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        coins: &mut ChaCha,
    ) -> Result<Model, RandomFeatureError> {
        let noise = (&self.noise, &self.budget);
        match &self.learner {
            Learner::Descent(parameters) => {
                clipped_gradient_descent::learn_with(data, map, parameters, noise, coins)
            }
            Learner::Statistics(parameters) => {
                noisy_statistics::learn_with(data, map, parameters, noise, coins)
            }
            Learner::AdaSsp(grid) => adassp::learn_with(data, map, *grid, noise, coins),
        }
    }

    fn predictions(&self, sample: &Sample<'_>, coins: &mut ChaCha) -> Result<Vec<f64>, Error> {
        let record = |(features, label): &(Vec<i64>, i64)| Record {
            features: features.clone(),
            label: *label,
        };
        let data = Dataset::new(self.domain, sample.training.iter().map(record).collect())?;
        let model = self.learn(&data, sample.map, coins)?;
        let unit = (1u64 << (sample.map.feature_grid().bits() + model.grid.bits())) as f64;
        let mut predictions = Vec::new();
        for point in &sample.test {
            let row = sample.map.features(point)?;
            let terms = row.iter().zip(&model.coefficients);
            // Far below 2^53 steps, or rounded.
            let terms = terms.map(|(&x, c)| f64::from(x) * c.to_f64().unwrap_or(f64::NAN));
            predictions.push(terms.sum::<f64>() / unit);
        }
        Ok(predictions)
    }
}
