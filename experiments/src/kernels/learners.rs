//! The learners and what they are compared with: what is planned by public numbers, and how each is run.

use super::data::Shape;
use super::trial::{FEATURE_BITS, Frame, Split, Trial};
use crate::lenders::LENT;
use crate::lent::{self, Lent};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, LatticeCover, Point};
use dp_assay::kernels::linear_test_independent::{self, LinearPlan};
use dp_assay::kernels::session::Request;
use dp_assay::kernels::{
    Calibration, KernelError, Predictor, TestDependent, TestDependentPlan, TestIndependent,
    coefficients, gaussian_process, noisy_answers, point_of_features, sparse_vector,
    test_dependent, test_independent,
};
use dp_assay::number::rational::{ratio, to_f64_for_display};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;

/// A row of the table.
pub struct Learner {
    /// What the table calls it.
    pub name: &'static str,
    /// What its draws are named by.
    pub stream: &'static str,
    /// Under substitution.
    pub privacy: &'static str,
    /// What it draws by.
    pub plan: Box<dyn Fn(&Frame<'_>, &Budget) -> Result<Plan, Error> + Sync>,
}

/// What a learner draws by, from public numbers.
pub struct Plan {
    /// A number that the plan states, in the units of predictions, and what it is.
    pub stated: Option<(&'static str, f64)>,
    /// The predictions at the points to test on.
    pub predictions: Box<Predictions>,
}

type Predictions = dyn Fn(&Trial<'_>, &mut ChaCha) -> Result<Vec<f64>, Error> + Send + Sync;

/// Those on a kernel.
pub fn learners(frame: &Frame<'_>) -> Vec<Learner> {
    let linear = frame.shape == Shape::Linear;
    let own =
        |stream, name, privacy, plan: fn(&Frame<'_>, &Budget) -> Result<Plan, Error>| Learner {
            name,
            stream,
            privacy,
            plan: Box::new(plan),
        };
    let minimiser = match frame.set.of_classes() {
        true => "support vector machine: the minimiser w*",
        false => "ridge: the minimiser w*",
    };
    let [released, net] = match linear {
        true => ["coefficients, once", "Algorithm 3 (TDIL), lattice"],
        false => [
            "coefficients of random features, once",
            "Algorithm 3 (TDIL), net of the public points",
        ],
    };
    let noisy = "Algorithm 1 (PINP), noisy answers";
    let sparse = "Algorithm 1 (PINP), hidden threshold";
    let mut all = vec![
        own("Optimum", minimiser, "none", optimum),
        own("Coefficients", released, BOTH, coefficients),
        own("Process", "Gaussian process, query by query", BOTH, process),
        own("TestDependent", "Algorithm 2 (TDDL)", BOTH, targets),
        own("NoisyAnswers", noisy, BOTH, noisy_answers),
        own("SparseVector", sparse, "epsilon", sparse_vector),
        own(
            "TestIndependent",
            net,
            BOTH,
            if linear { by_lattice } else { by_net },
        ),
    ];
    let lent = LENT.iter().filter(|lent| linear || lent.takes_many);
    all.extend(lent.map(|lent| Learner {
        name: lent.name,
        stream: lent.stream,
        privacy: BOTH,
        plan: Box::new(|frame, budget| of_another_paper(lent, frame, budget)),
    }));
    all
}

const BOTH: &str = "epsilon, delta";

/// The coordinates of a Gaussian process for a kernel of infinite dimension: later queries are answered in their span.
pub const COORDINATES: usize = 100;

/// How likely a bound may fail.
pub fn beta() -> Rational {
    ratio(1, 20)
}

impl Plan {
    fn new(
        stated: Option<(&'static str, f64)>,
        predictions: impl Fn(&Trial<'_>, &mut ChaCha) -> Result<Vec<f64>, Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            stated,
            predictions: Box::new(predictions),
        }
    }
}

/// The standard deviation of noise of this variance.
fn deviation(variance: &Rational) -> Option<(&'static str, f64)> {
    let deviation = to_f64_for_display(variance).sqrt();
    Some(("deviation of the noise", deviation))
}

/// A threshold.
fn quiet_below(threshold: &Rational) -> Option<(&'static str, f64)> {
    let threshold = to_f64_for_display(threshold);
    Some(("below this nothing is told", threshold))
}

/// The predictions of a model.
fn of(model: &dyn Predictor, points: &[Point]) -> Vec<f64> {
    let value = |z| to_f64_for_display(&model.prediction(z));
    points.iter().map(value).collect()
}

fn optimum(_frame: &Frame<'_>, _budget: &Budget) -> Result<Plan, Error> {
    Ok(Plan::new(None, |trial, _| {
        Ok(of(&trial.optimum, &trial.test))
    }))
}

fn coefficients(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let (problem, space) = frame.of_coefficients()?;
    let plan = coefficients::Plan::new(&problem, (space, frame.records), budget)?;
    Ok(Plan::new(
        deviation(&plan.variance()),
        move |trial, coins| {
            let test = &trial.test;
            let Some((map, featured)) = &trial.features else {
                let found = coefficients::release(&trial.data, &plan, coins)?;
                return Ok(of(&found, test));
            };
            let found = coefficients::release(featured, &plan, coins)?;
            let domain = trial.frame.domain;
            let points = test.iter().map(|z| point_of_features(z, domain, map));
            Ok(of(
                &found,
                &points.collect::<Result<Vec<_>, KernelError>>()?,
            ))
        },
    ))
}

fn process(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let coordinates = match frame.shape {
        Shape::Linear => frame.domain.dimension(),
        Shape::Gaussian(_) | Shape::Cubic => COORDINATES,
    };
    let asked = gaussian_process::GaussianProcess {
        budget: budget.clone(),
        coordinates,
    };
    let plan = asked.plan(&frame.sensitivity, &frame.kernel)?;
    Ok(Plan::new(
        deviation(&plan.variance()),
        move |trial, coins| {
            let mut session = gaussian_process::Session::open(&trial.optimum, plan.clone(), coins);
            process_answers(&mut session, &trial.test, coins)
        },
    ))
}

/// The answers of a Gaussian process.
pub fn process_answers<P: Predictor>(
    session: &mut gaussian_process::Session<'_, P>,
    queries: &[Point],
    coins: &mut ChaCha,
) -> Result<Vec<f64>, Error> {
    let answer = |z| Ok(to_f64_for_display(&session.answer(z, coins)?.value));
    queries.iter().map(answer).collect()
}

fn targets(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let setting = TestDependent {
        budget: budget.clone(),
        calibration: Calibration::Exact,
        norm_bound: frame.norm_bound()?,
    };
    let plan = setting.plan(&frame.sensitivity, frame.points)?;
    let scale = to_f64_for_display(&(plan.noise().scale() * plan.grid().step()));
    let stated = Some(("scale of the noise of a target", scale));
    Ok(Plan::new(stated, move |trial, coins| {
        by_targets(&plan, trial, coins)
    }))
}

/// The predictions of Algorithm 2.
pub fn by_targets(
    plan: &TestDependentPlan,
    trial: &Trial<'_>,
    coins: &mut ChaCha,
) -> Result<Vec<f64>, Error> {
    let (w, kernel) = (&trial.optimum, &trial.frame.kernel);
    let model = test_dependent::learn(w, kernel, &trial.public, plan, coins)?;
    Ok(trial.test.iter().map(|z| model.prediction(z)).collect())
}

/// What the sessions of Algorithm 1 are asked for.
fn request(frame: &Frame<'_>, budget: &Budget) -> Result<Request, Error> {
    Ok(Request {
        budget: budget.clone(),
        queries: frame.points,
        failure: beta(),
        norm_bound: frame.norm_bound()?,
        updates: None,
        steps: 1024,
    })
}

fn noisy_answers(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let request = request(frame, budget)?;
    let plan = noisy_answers::Plan::new(&request, &frame.sensitivity, &frame.kernel)?;
    Ok(Plan::new(
        quiet_below(&plan.threshold()),
        move |trial, coins| {
            let mut session = noisy_answers::Session::open(&trial.optimum, plan.clone(), coins);
            answers(&trial.test, |z| session.answer(z, coins))
        },
    ))
}

fn sparse_vector(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let request = request(frame, budget)?;
    let plan = sparse_vector::Plan::new(&request, &frame.sensitivity, &frame.kernel)?;
    Ok(Plan::new(
        quiet_below(&plan.threshold()),
        move |trial, coins| {
            let mut session = sparse_vector::Session::open(&trial.optimum, plan.clone(), coins)?;
            answers(&trial.test, |z| session.answer(z, coins))
        },
    ))
}

/// What Algorithm 3 is asked for.
fn test_independent(frame: &Frame<'_>, budget: &Budget) -> Result<TestIndependent, Error> {
    Ok(TestIndependent {
        budget: budget.clone(),
        calibration: Calibration::Exact,
        failure: beta(),
        norm_bound: frame.norm_bound()?,
    })
}

fn by_net(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let setting = test_independent(frame, budget)?;
    let plan = setting.plan(&frame.sensitivity, &frame.kernel, frame.points)?;
    Ok(Plan::new(
        quiet_below(&plan.threshold()),
        move |trial, coins| {
            let found = test_independent::learn(&trial.optimum, &trial.public, &plan, coins)?;
            Ok(of(&found.model, &trial.test))
        },
    ))
}

fn by_lattice(frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let setting = test_independent(frame, budget)?;
    let cover = LatticeCover::truncating(frame.domain.dimension(), &ratio(1, 2))?;
    let plan = LinearPlan::new(&setting, &frame.sensitivity, &frame.kernel, cover, None)?;
    let stated = quiet_below(&plan.plan().threshold());
    Ok(Plan::new(stated, move |trial, coins| {
        let found = linear_test_independent::learn(&trial.optimum, &plan, coins)?;
        let one = trial.frame.domain.grid().one() as f64;
        let weights: Vec<f64> = found.weights.iter().map(to_f64_for_display).collect();
        let product = |z: &Point| {
            let terms = z.coordinates().iter();
            let terms = terms.map(|&(j, x)| weights[j as usize] * f64::from(x) / one);
            terms.sum()
        };
        Ok(trial.test.iter().map(product).collect())
    }))
}

fn of_another_paper(lent: &Lent, frame: &Frame<'_>, budget: &Budget) -> Result<Plan, Error> {
    let map = frame.lent_features(None)?;
    let shape = lent::Shape {
        grid: frame.domain.grid(),
        dimension: frame.lent_dimension(),
        records: frame.records as usize,
        map: &map,
    };
    let plan = (lent.plan)(&shape, budget)?;
    Ok(Plan::new(None, move |trial, coins| {
        trial.predictions_of(&plan, coins)
    }))
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
