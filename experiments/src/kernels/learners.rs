//! The learners and what they are compared with: what is planned by public numbers, and how each is run.

use super::data::Shape;
use super::trial::{FEATURE_BITS, Frame, Split, Trial};
use crate::lenders::LENT;
use crate::lent;
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, LatticeCover, Point};
use dp_assay::kernels::linear_test_independent::{self, LinearPlan};
use dp_assay::kernels::session::Request;
use dp_assay::kernels::{
    Calibration, KernelError, Predictor, TestDependent, TestDependentPlan, TestIndependent,
    TestIndependentPlan, coefficients, gaussian_process, noisy_answers, point_of_features,
    sparse_vector, test_dependent, test_independent,
};
use dp_assay::number::rational::{ratio, to_f64_for_display};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    Optimum,
    Coefficients,
    Process,
    TestDependent,
    NoisyAnswers,
    SparseVector,
    TestIndependent,
    /// One that another paper lends, by its number.
    Lent(usize),
}

/// Those on a kernel.
pub fn learners(shape: Shape) -> Vec<Learner> {
    let few = shape == Shape::Linear;
    let own = [
        Learner::Optimum,
        Learner::Coefficients,
        Learner::Process,
        Learner::TestDependent,
        Learner::NoisyAnswers,
        Learner::SparseVector,
        Learner::TestIndependent,
    ];
    let lent = LENT.iter().enumerate();
    let lent = lent.filter(|(_, lent)| few || lent.takes_many);
    own.into_iter()
        .chain(lent.map(|(number, _)| Learner::Lent(number)))
        .collect()
}

impl Learner {
    /// What the table calls it.
    pub fn name(self, frame: &Frame<'_>) -> &'static str {
        let linear = frame.shape == Shape::Linear;
        match self {
            Self::Optimum if frame.set.of_classes() => "support vector machine: the minimiser w*",
            Self::Optimum => "ridge: the minimiser w*",
            Self::Coefficients if linear => "coefficients, once",
            Self::Coefficients => "coefficients of random features, once",
            Self::Process => "Gaussian process, query by query",
            Self::TestDependent => "Algorithm 2 (TDDL)",
            Self::NoisyAnswers => "Algorithm 1 (PINP), noisy answers",
            Self::SparseVector => "Algorithm 1 (PINP), hidden threshold",
            Self::TestIndependent if linear => "Algorithm 3 (TDIL), lattice",
            Self::TestIndependent => "Algorithm 3 (TDIL), net of the public points",
            Self::Lent(number) => LENT.get(number).map_or("", |lent| lent.name),
        }
    }

    /// What its draws are named by.
    pub fn stream(self) -> String {
        match self {
            Self::Lent(number) => LENT.get(number).map_or("", |lent| lent.stream).to_owned(),
            own => format!("{own:?}"),
        }
    }

    /// Under substitution.
    pub fn privacy(self) -> &'static str {
        match self {
            Self::Optimum => "none",
            Self::SparseVector => "epsilon",
            _ => "epsilon, delta",
        }
    }
}

/// All that a learner draws by, from public numbers.
pub enum Plan {
    Optimum,
    Coefficients(coefficients::Plan),
    Process(gaussian_process::Plan),
    TestDependent(TestDependentPlan),
    NoisyAnswers(noisy_answers::Plan),
    SparseVector(sparse_vector::Plan),
    Net(TestIndependentPlan),
    Lattice(LinearPlan),
    Lent(lent::Plan),
}

/// The coordinates of a Gaussian process for a kernel of infinite dimension: later queries are answered in their span.
pub const COORDINATES: usize = 100;

/// How likely a bound may fail.
pub fn beta() -> Rational {
    ratio(1, 20)
}

impl Plan {
    /// The plan of a learner.
    pub fn new(learner: Learner, frame: &Frame<'_>, budget: &Budget) -> Result<Self, Error> {
        let stated = &frame.sensitivity;
        let norm_bound = || frame.norm_bound();
        let request = || -> Result<Request, Error> {
            Ok(Request {
                budget: budget.clone(),
                queries: frame.points,
                failure: beta(),
                norm_bound: norm_bound()?,
                updates: None,
                steps: 1024,
            })
        };
        Ok(match learner {
            Learner::Optimum => Self::Optimum,
            Learner::Coefficients => {
                let (problem, space) = frame.of_coefficients()?;
                let space = (space, frame.records);
                Self::Coefficients(coefficients::Plan::new(&problem, space, budget)?)
            }
            Learner::Process => {
                let coordinates = match frame.shape {
                    Shape::Linear => frame.domain.dimension(),
                    Shape::Gaussian(_) | Shape::Cubic => COORDINATES,
                };
                let asked = gaussian_process::GaussianProcess {
                    budget: budget.clone(),
                    coordinates,
                };
                Self::Process(asked.plan(stated, &frame.kernel)?)
            }
            Learner::TestDependent => {
                let setting = TestDependent {
                    budget: budget.clone(),
                    calibration: Calibration::Exact,
                    norm_bound: norm_bound()?,
                };
                Self::TestDependent(setting.plan(stated, frame.points)?)
            }
            Learner::NoisyAnswers => Self::NoisyAnswers(noisy_answers::Plan::new(
                &request()?,
                stated,
                &frame.kernel,
            )?),
            Learner::SparseVector => Self::SparseVector(sparse_vector::Plan::new(
                &request()?,
                stated,
                &frame.kernel,
            )?),
            Learner::TestIndependent => {
                let setting = TestIndependent {
                    budget: budget.clone(),
                    calibration: Calibration::Exact,
                    failure: beta(),
                    norm_bound: norm_bound()?,
                };
                match frame.shape {
                    Shape::Linear => {
                        let cover =
                            LatticeCover::truncating(frame.domain.dimension(), &ratio(1, 2))?;
                        let plan = LinearPlan::new(&setting, stated, &frame.kernel, cover, None)?;
                        Self::Lattice(plan)
                    }
                    Shape::Gaussian(_) | Shape::Cubic => {
                        Self::Net(setting.plan(stated, &frame.kernel, frame.points)?)
                    }
                }
            }
            Learner::Lent(number) => {
                let map = frame.lent_features(None)?;
                let shape = lent::Shape {
                    grid: frame.domain.grid(),
                    dimension: frame.lent_dimension(),
                    records: frame.records as usize,
                    map: &map,
                };
                let lent = LENT;
                let chosen = lent
                    .get(number)
                    .ok_or_else(|| Error::Usage("no such learner".to_owned()))?;
                Self::Lent((chosen.plan)(&shape, budget)?)
            }
        })
    }

    /// A number that the plan states, in the units of predictions, and what it is.
    pub fn stated(&self) -> Option<(&'static str, f64)> {
        let root = |variance: &Rational| to_f64_for_display(variance).sqrt();
        let (what, value) = match self {
            Self::Coefficients(plan) => ("deviation of the noise", root(&plan.variance())),
            Self::Process(plan) => ("deviation of the noise", root(&plan.variance())),
            Self::TestDependent(plan) => {
                let scale = plan.noise().scale() * plan.grid().step();
                ("scale of the noise of a target", to_f64_for_display(&scale))
            }
            Self::NoisyAnswers(plan) => (
                "below this nothing is told",
                to_f64_for_display(&plan.threshold()),
            ),
            Self::SparseVector(plan) => (
                "below this nothing is told",
                to_f64_for_display(&plan.threshold()),
            ),
            Self::Net(plan) => (
                "below this nothing is told",
                to_f64_for_display(&plan.threshold()),
            ),
            Self::Lattice(plan) => (
                "below this nothing is told",
                to_f64_for_display(&plan.plan().threshold()),
            ),
            Self::Optimum | Self::Lent(_) => return None,
        };
        Some((what, value))
    }

    /// The predictions at the points to test on.
    pub fn predictions(&self, trial: &Trial<'_>, coins: &mut ChaCha) -> Result<Vec<f64>, Error> {
        let (w, test) = (&trial.optimum, &trial.test);
        let of = |model: &dyn Predictor, points: &[Point]| -> Vec<f64> {
            let values = points
                .iter()
                .map(|z| to_f64_for_display(&model.prediction(z)));
            values.collect()
        };
        Ok(match self {
            Self::Optimum => of(w, test),
            Self::Coefficients(plan) => match &trial.features {
                None => of(&coefficients::release(&trial.data, plan, coins)?, test),
                Some((map, featured)) => {
                    let found = coefficients::release(featured, plan, coins)?;
                    let domain = trial.frame.domain;
                    let points = test.iter().map(|z| point_of_features(z, domain, map));
                    of(&found, &points.collect::<Result<Vec<_>, KernelError>>()?)
                }
            },
            Self::Process(plan) => {
                let mut session = gaussian_process::Session::open(w, plan.clone(), coins);
                let mut answers = Vec::new();
                for z in test {
                    answers.push(to_f64_for_display(&session.answer(z, coins)?.value));
                }
                answers
            }
            Self::TestDependent(plan) => {
                let kernel = &trial.frame.kernel;
                let model = test_dependent::learn(w, kernel, &trial.public, plan, coins)?;
                test.iter().map(|z| model.prediction(z)).collect()
            }
            Self::NoisyAnswers(plan) => {
                let mut session = noisy_answers::Session::open(w, plan.clone(), coins);
                answers(test, |z| session.answer(z, coins))?
            }
            Self::SparseVector(plan) => {
                let mut session = sparse_vector::Session::open(w, plan.clone(), coins)?;
                answers(test, |z| session.answer(z, coins))?
            }
            Self::Net(plan) => {
                let found = test_independent::learn(w, &trial.public, plan, coins)?;
                of(&found.model, test)
            }
            Self::Lattice(plan) => {
                let found = linear_test_independent::learn(w, plan, coins)?;
                let one = trial.frame.domain.grid().one() as f64;
                let weights: Vec<f64> = found.weights.iter().map(to_f64_for_display).collect();
                let product = |z: &Point| {
                    let terms = z.coordinates().iter();
                    let terms = terms.map(|&(j, x)| weights[j as usize] * f64::from(x) / one);
                    terms.sum()
                };
                test.iter().map(product).collect()
            }
            Self::Lent(plan) => trial.predictions_of(plan, coins)?,
        })
    }
}

/// The answers of a session; once it is spent it predicts 0.
fn answers(
    queries: &[Point],
    mut ask: impl FnMut(&Point) -> Result<dp_assay::kernels::session::Answer, KernelError>,
) -> Result<Vec<f64>, Error> {
    let mut answers = Vec::new();
    for z in queries {
        answers.push(match ask(z) {
            Ok(answer) => to_f64_for_display(&answer.value),
            Err(KernelError::Spent) => 0.0,
            Err(error) => return Err(error.into()),
        });
    }
    Ok(answers)
}

impl Frame<'_> {
    /// How many coordinates a record has for a learner of another paper: those from -1 to 1, or those of a point where there
    /// are random features.
    fn lent_dimension(&self) -> usize {
        match self.shape {
            Shape::Gaussian(_) => self.domain.dimension(),
            Shape::Linear | Shape::Cubic => self.domain.dimension() - 1,
        }
    }

    /// The features that it takes: random ones of a split, or of any split where only their form matters; else linear ones.
    fn lent_features(&self, trial: Option<&Trial<'_>>) -> Result<FeatureMap, Error> {
        let random = match trial {
            Some(trial) => trial.features.as_ref().map(|(map, _)| map.clone()),
            None => self.features(0, &Split::new(self.set, 0, 0)?)?,
        };
        match random {
            Some(map) => Ok(map),
            None => Ok(FeatureMap::linear(
                self.lent_dimension(),
                self.domain.grid(),
                Grid::new(FEATURE_BITS)?,
            )?),
        }
    }
}

impl Trial<'_> {
    /// The records as a learner of another paper takes them, and its predictions.
    fn predictions_of(&self, plan: &lent::Plan, coins: &mut ChaCha) -> Result<Vec<f64>, Error> {
        let (frame, set) = (self.frame, self.frame.set);
        let map = frame.lent_features(Some(self))?;
        let features = |index: usize| -> Result<Vec<i64>, Error> {
            let record = &set.records[index];
            if self.features.is_none() {
                return Ok(record.coordinates.clone());
            }
            let mut dense = vec![0; frame.lent_dimension()];
            for &(j, x) in set.point(record)?.coordinates() {
                dense[j as usize] = x.into();
            }
            Ok(dense)
        };
        // There classes too are on the grid of the coordinates.
        let finer = frame.domain.grid().bits() - set.labels.bits();
        let labelled = |&index: &usize| Ok((features(index)?, set.records[index].label << finer));
        let point = |&index: &usize| features(index);
        let sample = lent::Sample {
            training: self
                .split
                .training
                .iter()
                .map(labelled)
                .collect::<Result<_, Error>>()?,
            test: self
                .split
                .test
                .iter()
                .map(point)
                .collect::<Result<_, Error>>()?,
            map: &map,
        };
        plan(&sample, coins)
    }
}
