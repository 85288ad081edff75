//! `assay learn kernel-release`: the coefficients of the minimiser, once, with Gaussian noise; and its model file.

use super::kernel::{Named, kernel_of_a_model};
use super::learn::{
    Common, Data, Found, Options, Prediction, Setting, WithKernel, domain_of, printed,
};
use crate::error::Error;
use crate::options::{Range, number};
use crate::papers::Predict;
use crate::papers::forecast::{Forecast, Size, Way};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::model::{self, ModelFile, integers};
use crate::papers::report::Bound;
use crate::papers::work::{Work, bytes_of_records};
use clap::Args;
use dp_assay::coins::{Coins, Stage};
use dp_assay::geometry::{Domain, FeatureMap, Frequencies};
use dp_assay::kernels::bounds::gaussian_process;
use dp_assay::kernels::coefficients::{Coefficients, Plan, release};
use dp_assay::kernels::{Basis, Predictor, Problem, of_features, point_of_features};
use dp_assay::number::rational::{shortly, to_f64_for_display, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use serde::{Deserialize, Serialize};

/// Prediction with a kernel, the release to take: the minimiser of the regularised risk of Jain and Thakurta 2013, its
/// coefficients in a public basis, once, with Gaussian noise. The model predicts at any point, as often as one likes.
///
/// A Gaussian kernel has no finite basis: take fourier=N,V. Privacy includes the solver's gap, which is certified, and all
/// rounding. How much noise a prediction has is said before anything is spent.
#[derive(Debug, Args)]
pub struct Release {
    #[command(flatten)]
    common: Common,
    /// The probability with which the bound on the noise may fail
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    beta: Rational,
    /// Learn also where the noise of a prediction is as large as the labels
    #[arg(long)]
    accept_noise: bool,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: Data,
}

/// Frequencies and features are multiples of 2^-20.
const FEATURE_BITS: u32 = 20;

impl Learner for Release {
    const NAME: &'static str = "kernel-release";
    type Family = WithKernel;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options {
            common: &self.common,
            load: &self.load,
            also: None,
            is_pure: false,
        }
    }

    fn public(&self) -> &'static str {
        match self.common.kernel {
            Named::Fourier { .. } => {
                "parameters, the frequencies, intervals, categories and label values"
            }
            _ => "parameters, intervals, categories and label values",
        }
    }

    fn before(&self) -> Result<(), Error> {
        match &self.common.kernel {
            Named::Gaussian { variance } => Err(Error::Usage(format!(
                "--kernel gaussian={variance}: it has no finite basis; take fourier=N,{variance}, N random frequencies for it"
            ))),
            matrix @ Named::Matrix(_) => Err(Error::Usage(format!(
                "--kernel {matrix}: no basis of it is known here; take kernel-targets or kernel-net"
            ))),
            _ => Ok(()),
        }
    }

    fn forecast(&self, size: Size) -> Result<Option<Forecast>, Error> {
        let problem = self.common.problem(&self.load)?;
        let (grid, records) = (Grid::new(self.load.grid_bits())?, size.records as u64);
        let domain = Domain::unit_ball(grid, size.coordinates)?;
        let budget = self.common.budget()?;
        let plan = Plan::new(&problem, (domain, records), &budget)?;
        let (noise, bound) = self.noise((&problem, records), &plan, &mut Parameters::silent())?;
        let (steps, a_second) = self.common.steps(records, 0);
        Ok(Some(Forecast {
            way: Way::Release,
            noise: format!(
                "standard deviation {noise} of a prediction, where labels are within [-1, 1]"
            ),
            bound: Some(bound),
            work: Work {
                what: format!("{records} records"),
                steps,
                a_second,
                bytes: bytes_of_records(size.records, size.coordinates) * 2,
            },
        }))
    }

    fn train(
        &self,
        _before: &(),
        setting: &Setting,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        self.common.describe(named)?;
        // 1. Random features, which do not depend on the records.
        let domain = setting.data.domain();
        let map = match self.common.kernel.frequencies() {
            None => None,
            Some((count, variance)) => {
                coins.stage(&Stage::public("the frequencies"));
                let grid = Grid::new(FEATURE_BITS)?;
                let drawn = Frequencies::draw(count, domain.dimension(), variance, grid, coins)?;
                let map = FeatureMap::new(drawn.clone(), domain.grid(), grid)?;
                Some((drawn, map))
            }
        };
        let featured = match &map {
            None => setting.data.clone(),
            Some((_, map)) => of_features(&setting.data, map)?,
        };
        // 2. The plan, and what it says of the noise.
        let space = (featured.domain(), featured.size());
        let plan = Plan::new(&setting.problem, space, &setting.budget)?;
        let sizes = (&setting.problem, setting.data.size());
        let (_, bound) = self.noise(sizes, &plan, named)?;
        // 3. The release.
        let found = release(&featured, &plan, coins)?;
        let frequencies = map.as_ref().map(|(drawn, _)| drawn);
        let weights = weights(&self.common.kernel, frequencies, &found);
        let map = map.map(|(_, map)| map);
        Ok(Trained {
            weights,
            bound: Some(bound),
            predictor: Found {
                features: map.clone().map(|map| (featured, map)),
                predict: predict(found, domain, map),
            },
        })
    }

    /// Reads a predictor from a model file.
    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        let weights: Weights = model.weights()?;
        let domain = domain_of(model)?;
        let named = kernel_of_a_model(&weights.kernel)?;
        let said = |error: &dyn std::fmt::Display| error.to_string();
        let map = match named.frequencies() {
            None if weights.feature_grid_bits != FEATURE_BITS => {
                return Err(format!(
                    "feature_grid_bits: it must be {FEATURE_BITS}, got {}",
                    weights.feature_grid_bits
                ));
            }
            None => None,
            Some((count, _)) if weights.frequencies.len() != count => {
                return Err(format!(
                    "frequencies: --kernel {named} has {count}, got {}",
                    weights.frequencies.len()
                ));
            }
            Some(_) => {
                let bits = weights.feature_grid_bits;
                let drawn = model::frequencies(&weights.frequencies, domain.dimension(), bits)?;
                let grid = Grid::new(bits).map_err(|error| said(&error))?;
                let map = FeatureMap::new(drawn, domain.grid(), grid);
                Some(map.map_err(|error| said(&error))?)
            }
        };
        let space = match &map {
            None => domain,
            Some(map) => Domain::unit_ball(map.feature_grid(), map.dimension())
                .map_err(|error| said(&error))?,
        };
        let step = number(&weights.step).map_err(|error| format!("step: {error}"))?;
        if !step.is_positive() {
            return Err(format!("step: it must be above 0, got {}", weights.step));
        }
        if map.is_none() && !weights.frequencies.is_empty() {
            return Err(format!("frequencies: --kernel {named} has none"));
        }
        let steps = integers::<BigInt>("coefficients", &weights.coefficients)?;
        let kernel = named
            .of_the_library(domain.grid().bits())
            .map_err(|error| said(&error))?;
        let found =
            Basis::of(&kernel, space).and_then(|basis| Coefficients::new(basis, step, steps));
        let found = found.map_err(|error| said(&error))?;
        Ok(printed(model, predict(found, domain, map)))
    }
}

impl Release {
    /// How much noise a prediction has: said, set down, and returned with the bound.
    fn noise(
        &self,
        (problem, records): (&Problem, u64),
        plan: &Plan,
        named: &mut Parameters,
    ) -> Result<(String, Bound), Error> {
        let space = plan.basis().domain();
        let stated = problem.sensitivity(space, records)?;
        named.set("coefficients", plan.basis().dimension());
        named.set("sensitivity", to_scientific_above(&stated.exact, 4));
        named.set(
            "sensitivity_solver",
            to_scientific_above(&(stated.solver * BigInt::from(2)), 4),
        );
        named.set(
            "sensitivity_evaluation",
            to_scientific_above(&(stated.evaluation * BigInt::from(2)), 4),
        );
        // tau^2 R^2
        let squared = plan.variance() * &stated.squared_bound;
        let deviation = Enclosure::of(&squared, 64).sqrt()?.upper();
        let text = to_scientific_above(&deviation, 3);
        named.set("noise_of_a_prediction", &text);
        // A model of one number errs by no more.
        if squared >= Rational::one() && !self.accept_noise {
            return Err(Error::Usage(format!(
                "the noise of a prediction has a standard deviation of up to {text}, where labels are within [-1, 1], so that \
                 one number for all is likely to predict better; nothing was spent. It falls with more records, a larger \
                 --lambda or a larger --epsilon (--accept-noise learns all the same)"
            )));
        }
        named.note(&format!(
            "noise of a prediction: standard deviation at most {text}, where labels are within [-1, 1]"
        ));
        let at_one = gaussian_process::at_fixed_points(&squared, 1, &self.beta)? + plan.slack();
        let bound = Bound {
            statement: format!(
                "at a point that is chosen beforehand, the prediction is within {} of that of the minimiser with probability {}; \
                 nothing is said of the minimiser's own error",
                to_scientific_above(&at_one, 3),
                shortly(&(Rational::one() - &self.beta))
            ),
            vacuous: false,
            error_at_most: None,
        };
        Ok((text, bound))
    }
}

/// The prediction by released coefficients.
fn predict(found: Coefficients, domain: Domain, map: Option<FeatureMap>) -> Prediction {
    Box::new(move |z| {
        let value = match &map {
            None => found.prediction(z),
            Some(map) => found.prediction(&point_of_features(z, domain, map)?),
        };
        Ok(to_f64_for_display(&value))
    })
}

/// The weights in a model file: numbers as texts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with coefficients")]
struct Weights {
    kernel: String,
    feature_grid_bits: u32,
    // Of each frequency its coordinates.
    frequencies: Vec<Vec<String>>,
    step: String,
    coefficients: Vec<String>,
}

fn weights(
    kernel: &Named,
    frequencies: Option<&Frequencies>,
    found: &Coefficients,
) -> serde_json::Value {
    let texts = |row: &[i64]| row.iter().map(i64::to_string).collect();
    let weights = Weights {
        kernel: kernel.to_string(),
        feature_grid_bits: FEATURE_BITS,
        frequencies: frequencies
            .into_iter()
            .flat_map(Frequencies::iter)
            .map(texts)
            .collect(),
        step: found.step().to_string(),
        coefficients: found.steps().iter().map(BigInt::to_string).collect(),
    };
    serde_json::json!(weights)
}
