//! `assay learn kernel-targets`: a model made of noisy predictions at public points; and its model file.

use super::kernel::{Matrix, Named, kernel_on, point_of_a_model};
use super::learn::{
    Common, Data, Found, Options, Prediction, Setting, WithKernel, domain_of, printed, provided,
};
use crate::error::Error;
use crate::options::Range;
use crate::papers::Predict;
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::model::ModelFile;
use crate::papers::report::Bound;
use clap::{Args, ValueEnum};
use dp_assay::coins::Coins;
use dp_assay::geometry::Point;
use dp_assay::kernels::{
    Calibration, GaussianTargets, InSpan, KernelError, Sensitivity, TestDependent, bounds, fit,
    gaussian_targets, test_dependent,
};
use dp_assay::number::rational::{ratio, shortly, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// Prediction with a kernel, semi-interactive: Algorithm 2 (TDDL) of Jain and Thakurta 2013. The minimiser's predictions at
/// the points of --public are released with noise, and the model is the function of least squares through them.
///
/// The constant of the noise, which the paper does not print, is 4 sqrt(2) (closed), or the least that is certified
/// (exact). With --noise gaussian the noise has the shape of the kernel, and does not grow with the number of public points:
/// from a few points on it is less. kernel-release has as little noise, and needs no public points
#[derive(Debug, Args)]
pub struct Tddl {
    #[command(flatten)]
    common: Common,
    /// The public points, a CSV file with the data's feature columns; they stand in the model file
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
    /// The noise of the targets
    #[arg(long, value_enum, default_value = "laplace")]
    noise: Noise,
    /// How the Laplace noise of a target is calibrated [default: exact]
    #[arg(long, value_enum)]
    calibration: Option<Calibrated>,
    /// The bound C0 on the norm of the model, to be chosen without the records; otherwise the one that the minimiser keeps
    /// for all records
    #[arg(long, value_name = "C", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    norm_bound: Option<Rational>,
    /// The probability with which the bound on the error may fail
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    beta: Rational,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: Data,
}

/// The law of the noise of the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Noise {
    /// Of each target its own, as in the paper
    Laplace,
    /// Gaussian, in the shape of the kernel at the public points: (epsilon, delta)-private
    Gaussian,
}

/// How the noise of several draws is calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Calibrated {
    /// The least noise that is certified
    Exact,
    /// 4 sqrt(2) in the paper's formula
    Closed,
    /// (epsilon, 0)-private, whatever --delta is
    Pure,
}

impl Calibrated {
    /// The same in the library.
    pub fn of_the_library(self) -> Calibration {
        match self {
            Self::Exact => Calibration::Exact,
            Self::Closed => Calibration::Closed,
            Self::Pure => Calibration::Pure,
        }
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl fmt::Display for Calibrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Learner for Tddl {
    const NAME: &'static str = "kernel-targets";
    const ALIASES: &'static [&'static str] = &["kernel-tddl"];
    type Family = WithKernel;
    type Before = Vec<Point>;

    fn family(&self) -> Options<'_> {
        Options {
            common: &self.common,
            load: &self.load,
            also: Some(&self.public),
            is_pure: self.calibration() == Calibrated::Pure,
        }
    }

    fn public(&self) -> &'static str {
        "parameters, the public points, intervals, categories and label values"
    }

    fn before(&self) -> Result<Vec<Point>, Error> {
        if let (Noise::Gaussian, Some(calibration)) = (self.noise, self.calibration) {
            return Err(Error::Usage(format!(
                "--calibration {calibration} is for --noise laplace: Gaussian noise is always the least that is certified"
            )));
        }
        refuse_frequencies(&self.common)?;
        self.load.points(&self.common, "--public", &self.public)
    }

    fn train(
        &self,
        points: &Vec<Point>,
        setting: &Setting,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        self.common.describe(named)?;
        let (problem, domain) = (&setting.problem, setting.data.domain());
        let sensitivity = problem.sensitivity(domain, setting.data.size())?;
        let norm_bound = match &self.norm_bound {
            Some(bound) => bound.clone(),
            None => problem.norm_bound(domain)?,
        };
        named.set("public_points", points.len());
        named.set("norm_bound", to_scientific_above(&norm_bound, 6));
        named.set("noise", self.noise);
        let theorem = theorem(setting, &sensitivity, &norm_bound, &self.beta)?;
        match self.noise {
            Noise::Laplace => self.with_laplace(points, setting, &theorem, named, coins),
            Noise::Gaussian => self.with_gaussian(points, setting, &theorem, named, coins),
        }
    }

    /// Reads a predictor from a model file.
    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        let weights: Weights = model.weights()?;
        let domain = domain_of(model)?;
        let kernel = kernel_on(&weights.kernel, domain)?;
        if weights.points.len() != weights.coefficients.len() {
            return Err("it must have a coefficient for each public point".to_owned());
        }
        let mut terms = Vec::new();
        for (coordinates, alpha) in weights.points.into_iter().zip(&weights.coefficients) {
            let point = point_of_a_model(coordinates, domain)?;
            let number = alpha.parse().ok().filter(|alpha: &f64| alpha.is_finite());
            let alpha = number.ok_or_else(|| "its coefficients must be numbers".to_owned())?;
            terms.push((point, alpha));
        }
        Ok(printed(model, predict(InSpan::new(&kernel, terms))))
    }
}

impl Tddl {
    fn calibration(&self) -> Calibrated {
        self.calibration.unwrap_or(Calibrated::Exact)
    }

    fn with_laplace(
        &self,
        points: &[Point],
        setting: &Setting,
        theorem: &Theorem,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let asked = TestDependent {
            budget: setting.budget.clone(),
            calibration: self.calibration().of_the_library(),
            norm_bound: theorem.setting.norm_bound.clone(),
        };
        let count = points.len() as u64;
        let plan = asked.plan(&theorem.sensitivity, count)?;
        let scale = plan.noise().scale() * plan.grid().step();
        let shown = to_scientific_above(&scale, 3);
        named.set("calibration", self.calibration());
        named.set("noise_of_a_target", &shown);
        named.note(&format!(
            "noise of a target: Laplace noise of scale {shown}, where labels are within [-1, 1]"
        ));
        let excess = theorem.setting.excess(count, &scale, plan.grid().step())?;
        let bound = self.bound(theorem, &excess)?;
        named.note(&bound.statement);
        let w = fit(&setting.data, &setting.problem)?;
        let found = test_dependent::learn(&w, w.kernel(), points, &plan, coins)?;
        self.trained(found, bound)
    }

    fn with_gaussian(
        &self,
        points: &[Point],
        setting: &Setting,
        theorem: &Theorem,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let asked = GaussianTargets {
            budget: setting.budget.clone(),
            norm_bound: theorem.setting.norm_bound.clone(),
        };
        let count = points.len() as u64;
        let what = format!("{count} points of --public with --noise gaussian");
        let steps = 3 * u128::from(count).pow(3);
        let instead = "fewer points, or --noise laplace";
        self.common
            .announce_work((&what, steps), instead, |work| named.note(work))?;
        let kernel = setting.problem.kernel().on(setting.data.domain())?;
        let plan = asked.plan(&theorem.sensitivity, &kernel, count)?;
        // The noise of a prediction has at most the variance (1 + 2^-9) tau^2 R^2.
        let variance = plan.session().variance();
        let squared = &variance * kernel.squared_bound() * ratio(513, 512);
        let shown = to_scientific_above(&Enclosure::of(&squared, 64).sqrt()?.upper(), 3);
        named.set("noise_of_a_target", &shown);
        named.note(&format!(
            "noise of a target: standard deviation at most {shown}, where labels are within [-1, 1]"
        ));
        let excess = |rest: &Rational| theorem.setting.gaussian_excess(count, &variance, rest);
        let before = self.bound(theorem, &excess(&Rational::zero())?)?;
        named.note(&before.statement);
        let w = fit(&setting.data, &setting.problem)?;
        let found = gaussian_targets::learn(&w, points, &plan, coins)?;
        // How far a point is from what its target is a prediction for is public, and known now.
        let bound = self.bound(theorem, &excess(&found.squared_rest)?)?;
        if bound.statement != before.statement {
            named.note(&format!(
                "some public points are nearly in the span of others: {}",
                bound.statement
            ));
        }
        self.trained(found.model, bound)
    }

    fn trained(&self, found: InSpan, bound: Bound) -> Result<Trained<Found>, Error> {
        Ok(Trained {
            weights: weights(&self.common.kernel, &found)?,
            bound: Some(bound),
            predictor: Found {
                predict: predict(found),
                features: None,
            },
        })
    }

    /// What an excess of the mean loss says.
    fn bound(&self, theorem: &Theorem, excess: &Rational) -> Result<Bound, Error> {
        let shown = to_scientific_above(excess, 3);
        if excess * excess >= theorem.squared_trivial {
            let trivial = Enclosure::of(&theorem.squared_trivial, 64).sqrt()?.upper();
            return Ok(Bound::vacuous(format!(
                "the bound on the loss says nothing: it is {shown}, and the mean loss of the model 0 is at most {} above that \
                 of the minimiser",
                to_scientific_above(&trivial, 3)
            )));
        }
        let provided = provided(self.norm_bound.as_ref());
        Ok(Bound {
            statement: format!(
                "if the public points are drawn independently from where the queries come from, the mean loss is at most \
                 {shown} above that of the minimiser with probability {}{provided}",
                shortly(&(Rational::one() - &self.beta))
            ),
            vacuous: false,
            error_at_most: None,
        })
    }
}

/// What jt13.thm5.corrected and jt13.tddl.gaussian are applied to.
struct Theorem {
    setting: bounds::test_dependent::Setting,
    sensitivity: Sensitivity,
    /// `(L C0 R)^2`: the model 0 is within its root of the minimiser.
    squared_trivial: Rational,
}

fn theorem(
    setting: &Setting,
    sensitivity: &Sensitivity,
    norm_bound: &Rational,
    beta: &Rational,
) -> Result<Theorem, Error> {
    let problem = &setting.problem;
    let squared_bound = sensitivity.squared_bound.clone();
    let lipschitz = problem.loss().lipschitz(&squared_bound, problem.penalty());
    let lipschitz = lipschitz.map_err(KernelError::from)?;
    let trivial = &lipschitz * norm_bound;
    Ok(Theorem {
        squared_trivial: &trivial * &trivial * &squared_bound,
        setting: bounds::test_dependent::Setting {
            lipschitz,
            sensitivity: sensitivity.predictions(),
            squared_bound,
            norm_bound: norm_bound.clone(),
            budget: setting.budget.clone(),
            beta: beta.clone(),
        },
        sensitivity: sensitivity.clone(),
    })
}

/// Random frequencies have a finite basis, and so a better learner.
pub fn refuse_frequencies(common: &Common) -> Result<(), Error> {
    match &common.kernel {
        fourier @ Named::Fourier { variance, .. } => Err(Error::Usage(format!(
            "--kernel {fourier}: random frequencies are for kernel-release; take gaussian={variance}"
        ))),
        _ => Ok(()),
    }
}

fn predict(found: InSpan) -> Prediction {
    Box::new(move |z| Ok(found.prediction(z)))
}

/// The weights in a model file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with points and coefficients"
)]
struct Weights {
    kernel: String,
    // Of each public point its coordinates, in steps, and its coefficient, as the shortest text of a float.
    points: Vec<Vec<(u32, i32)>>,
    coefficients: Vec<String>,
}

fn weights(kernel: &Named, found: &InSpan) -> Result<serde_json::Value, Error> {
    // Of a matrix the predictions at all rows: what a linear kernel makes of unit vectors.
    let (kernel, terms) = match kernel {
        Named::Matrix(file) => {
            let Matrix { rows, kernel } = file.read()?;
            let rows = 0..*rows as u32;
            let all: Result<Vec<Point>, KernelError> = rows.map(|i| kernel.point(i)).collect();
            let value = |z: Point| {
                let prediction = found.prediction(&z);
                (z, prediction)
            };
            (&Named::Linear, all?.into_iter().map(value).collect())
        }
        kernel => {
            let terms = found.terms().map(|(z, alpha)| (z.clone(), alpha));
            (kernel, terms.collect::<Vec<_>>())
        }
    };
    let (points, coefficients) = terms
        .into_iter()
        .map(|(z, alpha)| (z.coordinates().to_vec(), alpha.to_string()))
        .unzip();
    Ok(serde_json::json!(Weights {
        kernel: kernel.to_string(),
        points,
        coefficients,
    }))
}
