//! `assay learn kernel-net`: a model that is near the minimiser at all points of a public net; and its model file.

use super::kernel::{Matrix, Named, kernel_on, point_of_a_model};
use super::learn::{
    Common, Data, Found, Options, Prediction, Setting, WithKernel, domain_of, printed, provided,
};
use super::test_dependent::{Calibrated, refuse_frequencies};
use crate::error::Error;
use crate::options::{Range, number};
use crate::papers::Predict;
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::model::ModelFile;
use crate::papers::report::Bound;
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::geometry::{LatticeCover, Point};
use dp_assay::kernels::linear_test_independent::{self as linear, LinearPlan};
use dp_assay::kernels::test_independent::learn as on_a_list;
use dp_assay::kernels::{
    Expansion, KernelError, Predictor, Sensitivity, TestIndependent, TestIndependentPlan, fit,
};
use dp_assay::number::Rational;
use dp_assay::number::rational::{shortly, to_f64_for_display, to_scientific_above};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Prediction with a kernel anywhere, non-interactive: Algorithm 3 (TDIL) of Jain and Thakurta 2013, repaired. In each round
/// the exponential mechanism finds a point of a public net at which the model is far from the minimiser, and the model is
/// moved there; it ends with the first round that finds none.
///
/// The net is a file, or, for the linear kernel, all points of a lattice in the unit ball, which are chosen from without
/// going through them. kernel-release has less noise unless the features are very many.
#[derive(Debug, Args)]
#[group(id = "nets", required = true, multiple = false, args = ["net", "net_radius"])]
pub struct Tdil {
    #[command(flatten)]
    common: Common,
    /// The public net, a CSV file with the data's feature columns; points of it stand in the model file
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Instead, for the linear kernel: a lattice. Each point of the unit ball is within NU of one of its points
    #[arg(long, value_name = "NU", value_parser = Range::Margin.parser(), allow_hyphen_values = true)]
    net_radius: Option<Rational>,
    /// How the noise of a draw is calibrated
    #[arg(long, value_enum, default_value = "exact")]
    calibration: Calibrated,
    /// The probability with which the bound on the error may fail
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    beta: Rational,
    /// A bound on the norm of the minimiser that was chosen without the records, instead of the one that it keeps for all
    /// records. Privacy does not rest on it
    #[arg(long, value_name = "C", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    norm_bound: Option<Rational>,
    /// Learn also where the model is likely to be 0
    #[arg(long)]
    accept_noise: bool,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: Data,
}

/// A public net.
pub enum Net {
    Listed(Vec<Point>),
    /// Within this radius of every point of the unit ball.
    Lattice(Rational),
}

impl Learner for Tdil {
    const NAME: &'static str = "kernel-net";
    const ALIASES: &'static [&'static str] = &["kernel-tdil"];
    type Family = WithKernel;
    type Before = Net;

    fn family(&self) -> Options<'_> {
        Options {
            common: &self.common,
            load: &self.load,
            also: self.net.as_deref(),
            is_pure: self.calibration == Calibrated::Pure,
        }
    }

    fn public(&self) -> &'static str {
        "parameters, the net, intervals, categories and label values"
    }

    /// The net, before any record is looked at.
    fn before(&self) -> Result<Net, Error> {
        refuse_frequencies(&self.common)?;
        match (&self.net, &self.net_radius) {
            (Some(path), _) => {
                let points = self.load.points(&self.common, "--net", path)?;
                Ok(Net::Listed(points))
            }
            (None, Some(radius)) if self.common.kernel == Named::Linear => {
                Ok(Net::Lattice(radius.clone()))
            }
            (None, Some(radius)) => Err(Error::Usage(format!(
                "--net-radius {}: a lattice is for --kernel linear, here {}; take --net FILE",
                shortly(radius),
                self.common.kernel
            ))),
            (None, None) => Err(Error::Usage("--net or --net-radius is needed".to_owned())),
        }
    }

    fn train(
        &self,
        net: &Net,
        setting: &Setting,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        self.common.describe(named)?;
        let (problem, domain) = (&setting.problem, setting.data.domain());
        let asked = TestIndependent {
            budget: setting.budget.clone(),
            calibration: self.calibration.of_the_library(),
            failure: self.beta.clone(),
            norm_bound: match &self.norm_bound {
                Some(bound) => bound.clone(),
                None => problem.norm_bound(domain)?,
            },
        };
        let provided = provided(self.norm_bound.as_ref());
        let kernel = problem.kernel().on(domain)?;
        let sensitivity = problem.sensitivity(domain, setting.data.size())?;
        named.set("norm_bound", to_scientific_above(&asked.norm_bound, 6));
        named.set("calibration", self.calibration);
        match net {
            Net::Listed(points) => {
                let plan = asked.plan(&sensitivity, &kernel, points.len() as u64)?;
                named.set("net", points.len());
                let told = Told::of(&asked, &plan, &sensitivity, (None, provided));
                told.say(named, self.accept_noise)?;
                let w = fit(&setting.data, problem)?;
                let found = on_a_list(&w, points, &plan, coins)?;
                Ok(Trained {
                    weights: steps(&self.common.kernel, plan.rate(), &found.model)?,
                    bound: Some(told.bound(found.quiet, found.model.terms().is_empty())),
                    predictor: Found {
                        predict: predict(found.model),
                        features: None,
                    },
                })
            }
            Net::Lattice(radius) => {
                let cover = LatticeCover::truncating(domain.dimension(), radius);
                let cover = cover.map_err(|error| {
                    Error::Usage(format!("--net-radius {}: {error}", shortly(radius)))
                })?;
                let plan = LinearPlan::new(&asked, &sensitivity, &kernel, cover, None);
                let plan = plan.map_err(|error| {
                    Error::Usage(format!(
                        "--net-radius {} in {} dimensions: {error}; a larger --net-radius has fewer points",
                        shortly(radius),
                        domain.dimension()
                    ))
                })?;
                named.set("net_radius", radius);
                let told = Told::of(&asked, plan.plan(), &sensitivity, (Some(radius), provided));
                told.say(named, self.accept_noise)?;
                let w = fit(&setting.data, problem)?;
                let found = linear::learn(&w, &plan, coins)?;
                let weights = found.weights.iter().map(Rational::to_string).collect();
                let is_zero = found.weights.iter().all(Rational::is_zero);
                Ok(Trained {
                    weights: serde_json::json!(Weights::Linear { weights }),
                    bound: Some(told.bound(found.quiet, is_zero)),
                    predictor: Found {
                        predict: along(found.weights, domain.grid().bits()),
                        features: None,
                    },
                })
            }
        }
    }
    /// Reads a predictor from a model file.
    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        let weights: Weights = model.weights()?;
        let domain = domain_of(model)?;
        let predict = match weights {
            Weights::Steps {
                kernel: name,
                rate,
                steps,
            } => {
                let kernel = kernel_on(&name, domain)?;
                let rate = number(&rate).map_err(|error| format!("rate: {error}"))?;
                let mut expansion = Expansion::new(kernel, rate);
                for (coordinates, up) in steps {
                    expansion.step(&point_of_a_model(coordinates, domain)?, up);
                }
                predict(expansion)
            }
            Weights::Linear { weights } => {
                if weights.len() != domain.dimension() {
                    return Err(format!(
                        "it must have {} weights, got {}",
                        domain.dimension(),
                        weights.len()
                    ));
                }
                let weight =
                    |text: &String| number(text).map_err(|error| format!("weights: {error}"));
                let weights: Result<Vec<_>, _> = weights.iter().map(weight).collect();
                along(weights?, domain.grid().bits())
            }
        };
        Ok(printed(model, predict))
    }
}

/// What is said of a run before anything is spent.
struct Told {
    rounds: u64,
    error: Rational,
    vacuous: bool,
    /// `sigma`: a step is made only where the model is so far from the minimiser.
    threshold: Rational,
    /// Where it holds.
    at: &'static str,
    /// On what condition, if any.
    provided: &'static str,
    probability: Rational,
}

impl Told {
    fn of(
        asked: &TestIndependent,
        plan: &TestIndependentPlan,
        sensitivity: &Sensitivity,
        (radius, provided): (Option<&Rational>, &'static str),
    ) -> Self {
        let (at, beyond) = match radius {
            None => ("at the points of the net", Rational::zero()),
            Some(radius) => ("at all points of the unit ball", &asked.norm_bound * radius),
        };
        let error = plan.error() + beyond;
        // 0 is as near as C R; and labels are within [-1, 1].
        let trivial = &asked.norm_bound * &asked.norm_bound * &sensitivity.squared_bound;
        let vacuous = &error * &error >= trivial || error >= Rational::one();
        Self {
            rounds: plan.rounds(),
            vacuous,
            threshold: plan.threshold(),
            error,
            at,
            provided,
            probability: Rational::one() - &asked.failure,
        }
    }

    /// Says it, or refuses.
    fn say(&self, named: &mut Parameters, accepted: bool) -> Result<(), Error> {
        named.set("rounds", self.rounds);
        named.set("error_at_most", to_scientific_above(&self.error, 3));
        if self.threshold >= Rational::one() && !accepted {
            return Err(Error::Usage(format!(
                "a step is made only where the model is about {} from the minimiser, and labels are within [-1, 1], so that \
                 the model is likely to be 0; nothing was spent. That falls with more records, a larger --lambda or a larger \
                 --epsilon (--accept-noise learns all the same)",
                to_scientific_above(&self.threshold, 3)
            )));
        }
        named.note(&format!(
            "rounds: at most {}; {}",
            self.rounds,
            self.statement()
        ));
        Ok(())
    }

    fn statement(&self) -> String {
        let error = to_scientific_above(&self.error, 3);
        let at = self.at;
        if self.vacuous {
            return format!(
                "the bound on the error says nothing: {at}, predictions are within {error} of the minimiser's, where labels \
                 are within [-1, 1]"
            );
        }
        format!(
            "{at}, predictions are within {error} of the minimiser's with probability {}, where labels are within [-1, 1]{}",
            shortly(&self.probability),
            self.provided
        )
    }

    fn bound(&self, quiet: bool, is_zero: bool) -> Bound {
        if !quiet {
            let reason = "nothing is promised: no round was quiet";
            return Bound::vacuous(reason.to_owned());
        }
        let of_zero = match is_zero {
            true => "no step was made, and the model is 0; ",
            false => "",
        };
        Bound {
            statement: format!("{of_zero}{}", self.statement()),
            vacuous: self.vacuous,
            error_at_most: None,
        }
    }
}

fn predict(model: Expansion) -> Prediction {
    Box::new(move |z| Ok(to_f64_for_display(&model.prediction(z))))
}

/// The prediction by weights of coordinates, which are multiples of `2^-bits`.
fn along(weights: Vec<Rational>, bits: u32) -> Prediction {
    let one = BigInt::one() << bits;
    Box::new(move |z| {
        let coordinates = z.coordinates().iter();
        let term = |(j, z): &(u32, i32)| Some(weights.get(*j as usize)? * BigInt::from(*z));
        let sum: Rational = coordinates.filter_map(term).sum();
        Ok(to_f64_for_display(&(sum / &one)))
    })
}

/// The weights in a model file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    rename_all = "lowercase",
    deny_unknown_fields,
    expecting = "an object with steps or linear weights"
)]
enum Weights {
    /// Steps towards points of a listed net.
    Steps {
        kernel: String,
        rate: String,
        // Of each its point, in steps of the grid, and whether it is added.
        steps: Vec<(Vec<(u32, i32)>, bool)>,
    },
    /// Of a lattice: a weight of each coordinate.
    Linear { weights: Vec<String> },
}

fn steps(kernel: &Named, rate: &Rational, model: &Expansion) -> Result<serde_json::Value, Error> {
    let weights = match kernel {
        // Of a matrix the predictions at all rows, which are weights of unit vectors.
        Named::Matrix(file) => {
            let Matrix { rows, kernel } = file.read()?;
            let rows = 0..*rows as u32;
            let weight = |i| Ok(model.prediction(&kernel.point(i)?).to_string());
            let weights = rows.map(weight).collect::<Result<_, KernelError>>()?;
            Weights::Linear { weights }
        }
        kernel => {
            let step = |(x, up): &(Point, bool)| (x.coordinates().to_vec(), *up);
            Weights::Steps {
                kernel: kernel.to_string(),
                rate: rate.to_string(),
                steps: model.terms().iter().map(step).collect(),
            }
        }
    };
    Ok(serde_json::json!(weights))
}
