//! A learner on a split of a data set: the split, the parameters, and the errors.

use super::public::{GRID_BITS, Public};
use crate::data::Source;
use crate::draws::Draws;
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::Budget;
use dp_assay::random_features::steps::{Fit, RidgeParameters};
use dp_assay::random_features::{
    Dataset, Domain, Model, RandomFeatureError, Record, adassp, clipped_gradient_descent,
    clipped_interpolation, clipped_kaczmarz, noisy_statistics, ridge_of_bounded_labels,
    ridge_of_normed_labels,
};
use dp_assay::sample::DiscreteGaussian;
use dp_assay_cli::error::Error;
use num_traits::ToPrimitive;

/// Features and frequencies are multiples of 2^-20, coefficients of 2^-24.
pub const FEATURE_BITS: u32 = 20;
pub const COEFFICIENT_BITS: u32 = 24;

/// A data set, ready to be learned from.
pub struct Experiment<'a> {
    pub public: &'a Public,
    pub records: Vec<Record>,
    /// The true labels, as they stand in the file.
    pub labels: Vec<f64>,
    /// The labels' extremes: the scale of Table 1.
    pub extremes: [f64; 2],
}

/// A repetition: who is learned from and who is tested on, and the features.
pub struct Split {
    seed: u64,
    label: String,
    pub training: Vec<usize>,
    pub test: Vec<usize>,
    pub linear: FeatureMap,
    pub fourier: FeatureMap,
}

impl<'a> Experiment<'a> {
    pub fn new(source: &Source, public: &'a Public) -> Result<Self, Error> {
        let labels = source.labels();
        let least = labels.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = labels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(Self {
            public,
            records: public.place(source)?,
            labels,
            extremes: [least, largest],
        })
    }

    /// The split of this seed and label, with so many frequencies of this variance.
    pub fn split(
        &self,
        (seed, label): (u64, &str),
        (frequencies, variance): (usize, &Rational),
    ) -> Result<Split, Error> {
        let order = Draws::new(seed, label).permutation(self.records.len())?;
        let (test, training) = order.split_at(order.len().div_ceil(10));
        let dimension = self.dimension();
        let (inputs, features) = (Grid::new(GRID_BITS)?, Grid::new(FEATURE_BITS)?);
        let coins = &mut coins(seed, label, "frequencies");
        let frequencies = Frequencies::draw(frequencies, dimension, variance, features, coins)?;
        Ok(Split {
            seed,
            label: label.to_owned(),
            training: training.to_vec(),
            test: test.to_vec(),
            linear: FeatureMap::linear(dimension, inputs, features)?,
            fourier: FeatureMap::new(frequencies, inputs, features)?,
        })
    }

    fn dimension(&self) -> usize {
        let first = self.records.first();
        first.map_or(0, |record| record.features.len())
    }

    /// The public domain of the records of a split to learn from.
    pub fn domain(&self, split: &Split, budget: &Budget) -> Result<Domain, Error> {
        let records = split.training.len();
        self.public
            .domain(self.dimension(), records, budget.neighbours())
    }

    /// The square of the scale of Table 1, once for each of so many records.
    pub fn scale(&self, records: usize) -> f64 {
        let [least, largest] = self.extremes;
        (largest - least).powi(2) * records as f64
    }

    /// The labels of some records.
    pub fn labels_of(&self, indices: &[usize]) -> Vec<f64> {
        indices.iter().map(|&index| self.labels[index]).collect()
    }
}

/// A learner on a split.
pub struct Trial<'a> {
    experiment: &'a Experiment<'a>,
    split: &'a Split,
    map: &'a FeatureMap,
    data: Dataset,
    /// A label of the data times this is one in [-1, 1].
    unit: f64,
    parameters: Parameters,
}

/// The parameters of a learner.
pub enum Parameters {
    Fitted(Fitted),
    Noisy(Noisy),
}

/// Of one that adds noise to a fit.
pub enum Fitted {
    R1(clipped_interpolation::Parameters),
    R2(RidgeParameters),
    R3(RidgeParameters),
    R4(clipped_kaczmarz::Parameters),
}

/// Of one whose noise is known before the records are.
pub enum Noisy {
    R5(noisy_statistics::Parameters),
    R6(clipped_gradient_descent::Parameters),
    AdaSsp(Grid),
    AdaSspAsPublished(Grid),
}

impl Noisy {
    pub fn r5() -> Result<Self, RandomFeatureError> {
        Ok(Self::R5(noisy_statistics::Parameters::suggested()?))
    }

    pub fn r6(domain: &Domain, budget: &Budget) -> Result<Self, RandomFeatureError> {
        let parameters = clipped_gradient_descent::Parameters::suggested(domain, budget)?;
        Ok(Self::R6(parameters))
    }

    pub fn ada_ssp() -> Result<Self, RandomFeatureError> {
        Ok(Self::AdaSsp(Grid::new(COEFFICIENT_BITS)?))
    }

    pub fn noise(
        &self,
        domain: &Domain,
        map: &FeatureMap,
        budget: &Budget,
    ) -> Result<DiscreteGaussian, RandomFeatureError> {
        match self {
            Self::R5(parameters) => {
                let shape = noisy_statistics::Shape::new(domain, map, &parameters.label_weight)?;
                noisy_statistics::noise(&shape, budget)
            }
            Self::R6(parameters) => {
                clipped_gradient_descent::noise(domain, map, parameters, budget)
            }
            Self::AdaSsp(_) => adassp::noise(domain, map, budget),
            Self::AdaSspAsPublished(_) => adassp::published_noise(map, budget),
        }
    }

    pub fn learn(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        noise: (&DiscreteGaussian, &Budget),
        coins: &mut ChaCha,
    ) -> Result<Model, RandomFeatureError> {
        match self {
            Self::R5(parameters) => {
                noisy_statistics::learn_with(data, map, parameters, noise, coins)
            }
            Self::R6(parameters) => {
                clipped_gradient_descent::learn_with(data, map, parameters, noise, coins)
            }
            Self::AdaSsp(grid) | Self::AdaSspAsPublished(grid) => {
                adassp::learn_with(data, map, *grid, noise, coins)
            }
        }
    }
}

impl<'a> Trial<'a> {
    pub fn new(
        experiment: &'a Experiment<'a>,
        split: &'a Split,
        (map, parameters): (&'a FeatureMap, Parameters),
        budget: &Budget,
    ) -> Result<Self, Error> {
        let training = split.training.iter();
        let mut records: Vec<Record> = training
            .map(|&index| experiment.records[index].clone())
            .collect();
        let divisor = match parameters {
            Parameters::Fitted(Fitted::R2(_)) => ridge_of_normed_labels::divisor(records.len()),
            _ => 1,
        };
        for record in &mut records {
            record.label /= divisor;
        }
        Ok(Self {
            experiment,
            split,
            map,
            parameters,
            data: Dataset::new(experiment.domain(split, budget)?, records)?,
            unit: divisor as f64,
        })
    }

    pub fn noise(&self, budget: &Budget) -> Result<DiscreteGaussian, Error> {
        Ok(match &self.parameters {
            Parameters::Noisy(noisy) => noisy.noise(self.data.domain(), self.map, budget)?,
            Parameters::Fitted(fitted) => self.fit(fitted)?.noise(budget)?,
        })
    }

    /// The test error, on the scale of Table 1, of what is learned with this noise.
    pub fn error(&self, noise: &DiscreteGaussian, budget: &Budget) -> Result<f64, Error> {
        let (experiment, test) = (self.experiment, &self.split.test);
        let coins = &mut coins(self.split.seed, &self.split.label, "noise");
        let noise = (noise, budget);
        let model = match &self.parameters {
            Parameters::Noisy(noisy) => noisy.learn(&self.data, self.map, noise, coins)?,
            Parameters::Fitted(fitted) => self.fit(fitted)?.release_with(noise, coins)?,
        };
        let (centre, radius) = experiment.public.label_centre_and_radius();
        let mut squares = 0.0;
        for &index in test {
            let point = &experiment.records[index].features;
            let prediction = self.unit * predict(&model, self.map, point)?;
            squares += (centre + radius * prediction - experiment.labels[index]).powi(2);
        }
        Ok(squares / experiment.scale(test.len()))
    }

    fn fit(&self, fitted: &Fitted) -> Result<Fit, Error> {
        let data = &self.data;
        let features = data.features(self.map)?;
        Ok(match fitted {
            Fitted::R1(parameters) => clipped_interpolation::fit(data, &features, parameters)?,
            Fitted::R2(parameters) => ridge_of_normed_labels::fit(data, &features, parameters)?,
            Fitted::R3(parameters) => ridge_of_bounded_labels::fit(data, &features, parameters)?,
            Fitted::R4(parameters) => {
                let order = &mut coins(self.split.seed, &self.split.label, "order");
                clipped_kaczmarz::fit(data, &features, parameters, order)?
            }
        })
    }
}

/// Coins for one purpose.
pub fn coins(seed: u64, label: &str, purpose: &str) -> ChaCha {
    Draws::new(seed, &format!("{label}, {purpose}")).into_coins()
}

/// A prediction in floats, with labels in [-1, 1].
pub fn predict(model: &Model, map: &FeatureMap, point: &[i64]) -> Result<f64, Error> {
    let sum: f64 = map
        .features(point)?
        .iter()
        .zip(&model.coefficients)
        .map(|(&feature, coefficient)| {
            // Far below 2^53 steps, or rounded.
            f64::from(feature) * coefficient.to_f64().unwrap_or(f64::NAN)
        })
        .sum();
    let bits = map.feature_grid().bits() + model.grid.bits();
    Ok(sum / (1u64 << bits) as f64)
}
