//! Sessions that answer fixed queries, each with one update: as repaired, as printed, and with one noise for test and answer.
//!
//! The output is how many queries were quiet, and what was told of the next one, in steps; 0 if nothing was.

use super::{Setting, budget, one_turned};
use crate::papers::tiny::{refused, vector};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::Point;
use dp_assay::kernels::as_printed::interactive::Printed;
use dp_assay::kernels::session::{Answer, Request};
use dp_assay::kernels::{KernelError, Optimum, Predictor, noisy_answers, sparse_vector};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::sample::DiscreteLaplace;
use dp_assay_audit::specimen::{Draw, Mechanism, Noise, Specimen, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use num_traits::{ToPrimitive, Zero};
use serde_json::{Value, json};

/// Beyond so many steps noise of this scale has a probability of e^-60; and exact answers are below 100 steps.
fn reach(noise: &DiscreteLaplace) -> i64 {
    let scale = noise.scale() * integer(60);
    scale.ceil().to_integer().to_i64().unwrap_or(0) + 100
}

/// The queries: 1, -1, 1, -1.
fn queries() -> impl Iterator<Item = Point> {
    [1, -1, 1, -1].into_iter().map(|z| Point::dense(&[z]))
}

/// A number in steps.
fn steps(value: &Rational, step: &Rational) -> i64 {
    (value / step)
        .round()
        .to_integer()
        .to_i64()
        .unwrap_or(i64::MAX / 4)
}

/// What a session answers, until it has ended.
fn outcome(
    step: &Rational,
    mut answer: impl FnMut(&Point) -> Result<Answer, KernelError>,
) -> Result<Output, KernelError> {
    let mut quiet = 0;
    for query in queries() {
        let answer = answer(&query)?;
        if answer.updated {
            return Ok(vector([quiet, steps(&answer.value, step)]));
        }
        quiet += 1;
    }
    Ok(vector([quiet, 0]))
}

/// The law of that, by the probabilities that a query is quiet and that something is told of it, both of the exact answer
/// in steps, as long as the public model is 0.
fn law_of(
    (exact, reach): (&[i64], i64),
    mut quiet: impl FnMut(usize) -> f64,
    told: impl Fn(usize, i64) -> f64,
) -> Vec<(Output, f64)> {
    let mut law = Vec::new();
    for place in 0..exact.len() {
        let before = quiet(place);
        for value in -reach..=reach {
            let mass = before * told(place, value);
            if mass > 0.0 {
                law.push((vector([place as i64, value]), mass));
            }
        }
    }
    law.push((vector([exact.len() as i64, 0]), quiet(exact.len())));
    law
}

/// Algorithm 1, with one update: repaired, or as printed with `B < 1`.
struct Noisy {
    setting: Setting,
    plan: noisy_answers::Plan,
}

impl Noisy {
    fn exact(&self, w: &Optimum) -> Vec<i64> {
        queries()
            .map(|z| steps(&w.prediction(&z), self.plan.step()))
            .collect()
    }
}

impl Mechanism for Noisy {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.on(data)?(coins)
    }

    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        let w = self.setting.of_labels(data)?;
        Ok(Box::new(move |coins| {
            let mut session = noisy_answers::Session::open(&w, self.plan.clone(), coins);
            let step = self.plan.step();
            outcome(step, |z| session.answer(z, coins)).map_err(refused(data))
        }))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let exact = self.exact(&self.setting.of_labels(data)?);
        let drawn = DiscreteLaplace::new(&self.to_a_sensitivity(data)? / self.plan.loss())?;
        let noise = Noise::new(drawn.scale().clone())?;
        let sigma = steps(&self.plan.threshold(), self.plan.step());
        let quiet = |exact: &i64| noise.cdf(sigma - exact) - noise.cdf(-sigma - 1 - exact);
        let before = |place: usize| exact[..place].iter().map(quiet).product();
        let told = |place: usize, value: i64| {
            if value.abs() > sigma {
                noise.pmf(value - exact[place])
            } else {
                0.0
            }
        };
        Ok(Some(law_of((&exact, reach(&drawn)), before, told)))
    }
}

impl Noisy {
    /// How many steps make the sensitivity.
    fn to_a_sensitivity(&self, data: &Value) -> Result<Rational, TargetError> {
        let sensitivity = self.setting.sensitivity().map_err(refused(data))?;
        Ok(sensitivity.predictions() / self.plan.step())
    }
}

/// A hidden threshold, with one update.
struct Sparse {
    setting: Setting,
    plan: sparse_vector::Plan,
}

impl Mechanism for Sparse {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.on(data)?(coins)
    }

    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        let w = self.setting.of_labels(data)?;
        Ok(Box::new(move |coins| {
            let session = sparse_vector::Session::open(&w, self.plan.clone(), coins);
            let mut session = session.map_err(refused(data))?;
            let step = self.plan.step();
            outcome(step, |z| session.answer(z, coins)).map_err(refused(data))
        }))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let w = self.setting.of_labels(data)?;
        let step = self.plan.step();
        let exact: Vec<i64> = queries().map(|z| steps(&w.prediction(&z), step)).collect();
        let noise = |noise: &DiscreteLaplace| Noise::new(noise.scale().clone());
        let drawn = self.plan.noises();
        let [threshold, test, answer] = drawn.map(noise);
        let (threshold, test, answer) = (threshold?, test?, answer?);
        let theta = steps(&self.plan.threshold(), step);
        // Quiet if |exact| and the noise of a test are below the threshold.
        let quiet = |exact: i64, at: i64| test.cdf(at - 1 - exact.abs());
        let sum = |term: &dyn Fn(i64) -> f64| -> f64 {
            (-reach(drawn[0])..=reach(drawn[0]))
                .map(|away| threshold.pmf(away) * term(theta + away))
                .sum()
        };
        let all = |place: usize, at: i64| -> f64 {
            exact[..place]
                .iter()
                .map(|&exact| quiet(exact, at))
                .product()
        };
        let passes: Vec<f64> = (0..exact.len())
            .map(|place| sum(&|at| all(place, at) * (1.0 - quiet(exact[place], at))))
            .collect();
        let before = |place: usize| match passes.get(place) {
            Some(passes) => *passes,
            None => sum(&|at| all(place, at)),
        };
        let told = |place: usize, value: i64| answer.pmf(value - exact[place]);
        Ok(Some(law_of((&exact, reach(drawn[2])), before, told)))
    }
}

/// As many queries, all at 1.
const ROUNDS: usize = 20;

/// A hidden noisy threshold, and one noise for a test and its answer: broken. Steps are the sensitivity.
struct SameNoise {
    setting: Setting,
    threshold: Noise,
    noise: Noise,
    theta: i64,
}

impl SameNoise {
    fn exact(&self, data: &Value) -> Result<i64, TargetError> {
        let sensitivity = self.setting.sensitivity().map_err(refused(data))?;
        let w = self.setting.of_labels(data)?;
        let z = Point::dense(&[1]);
        Ok(steps(&w.prediction(&z), &sensitivity.predictions()))
    }
}

impl Mechanism for SameNoise {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let exact = self.exact(data)?;
        let threshold = self.theta + self.threshold.draw(coins)?;
        for quiet in 0..ROUNDS {
            let answer = exact + self.noise.draw(coins)?;
            if answer >= threshold {
                return Ok(vector([quiet as i64, answer]));
            }
        }
        Ok(vector([ROUNDS as i64, 0]))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        // Below, all ratios are as at LEAST; and no mass is 0.
        const LEAST: i64 = -40;
        const MOST: i64 = 200;
        let exact = self.exact(data)?;
        let mut law = Vec::new();
        for rounds in 0..=ROUNDS {
            // The threshold, and that so many answers are below it.
            let weight = |at: i64| {
                let quiet = self.noise.cdf(at - 1 - exact);
                self.threshold.pmf(at - self.theta) * quiet.powi(rounds as i32)
            };
            if rounds == ROUNDS {
                let mass = (2 * LEAST..=2 * MOST).map(weight).sum();
                law.push((vector([rounds as i64, 0]), mass));
                continue;
            }
            let mut below: f64 = (2 * LEAST..LEAST).map(weight).sum();
            for answer in LEAST..=MOST {
                below += weight(answer);
                let mass = below * self.noise.pmf(answer - exact);
                law.push((vector([rounds as i64, answer]), mass));
            }
        }
        Ok(Some(law))
    }
}

fn request(delta: &Rational, norm_bound: Rational) -> Result<Request, KernelError> {
    Ok(Request {
        budget: budget(delta)?,
        queries: 4,
        // Something is told often.
        failure: ratio(9, 10),
        norm_bound,
        updates: Some(1),
        steps: 4,
    })
}

/// Four records, `lambda = 1`: `S = 1/2`, and the predictions at 1 are 1 and 1/2.
fn four() -> Result<Setting, KernelError> {
    Setting::new((1, 0), integer(1), 4)
}

fn noisy(delta: &Rational) -> Result<Noisy, KernelError> {
    let setting = four()?;
    let asked = request(delta, ratio(1, 8))?;
    let plan = noisy_answers::Plan::new(&asked, &setting.sensitivity()?, &setting.kernel)?;
    Ok(Noisy { setting, plan })
}

fn sparse() -> Result<Sparse, KernelError> {
    let setting = four()?;
    let asked = request(&Rational::zero(), ratio(1, 8))?;
    let plan = sparse_vector::Plan::new(&asked, &setting.sensitivity()?, &setting.kernel)?;
    Ok(Sparse { setting, plan })
}

/// Eight records and a large `lambda`: `B` is below 1.
fn printed(delta: &Rational) -> Result<Noisy, KernelError> {
    let penalty = integer(132_000);
    let setting = Setting::new((1, 0), penalty.clone(), 8)?;
    let printed = Printed {
        budget: budget(delta)?,
        queries: 4,
        failure: ratio(1, 20),
        norm_bound: penalty.recip(),
        lipschitz: integer(1),
        steps: 4,
    };
    let plan = printed.plan_not_private(&setting.sensitivity()?, &setting.kernel)?;
    Ok(Noisy { setting, plan })
}

pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    let (large, small) = (ratio(1, 20), ratio(1, 1_000_000));
    Ok(vec![
        specimen(
            "session-noisy-answers",
            "right: Algorithm 1 with the constants of Theorem A, four fixed queries",
            one_turned(),
            noisy(&large).map_err(&constants)?,
        )?
        .claiming(large)?,
        specimen(
            "session-sparse-vector",
            "right: sparse vector with fresh noise on what is told, four fixed queries",
            one_turned(),
            sparse().map_err(&constants)?,
        )?,
        specimen(
            "session-as-printed",
            "Algorithm 1 as printed, where its bound on the updates is below 1",
            [json!([1]), json!([-1])],
            printed(&small).map_err(&constants)?,
        )?
        .claiming(small)?,
        specimen(
            "session-same-noise",
            "sparse vector that tells the noisy answer that it compared, twenty queries; with fresh noise it would be right",
            one_turned(),
            SameNoise {
                setting: four().map_err(&constants)?,
                threshold: Noise::new(integer(4))?,
                noise: Noise::new(integer(4))?,
                theta: 10,
            },
        )?,
    ])
}
