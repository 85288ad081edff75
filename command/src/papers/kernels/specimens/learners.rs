//! Algorithms 2 and 3 as printed.

use super::{Setting, budget, labels, one_turned};
use crate::papers::tiny::refused;
use dp_assay::coins::{ChaCha, Coins, Law};
use dp_assay::geometry::Point;
use dp_assay::kernels::as_printed::test_dependent::plan;
use dp_assay::kernels::as_printed::test_independent::{Algorithm3, Exponent};
use dp_assay::kernels::{KernelError, Predictor, TestDependentPlan, test_dependent};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::sample::ScoredChoice;
use dp_assay_audit::specimen::{Draw, Mechanism, Noise, Specimen, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// Algorithm 2 on equal public points, with 1 for the constant of its noise that is hidden: broken. What is fitted is
/// their mean; the output is their sum, in steps, which are the sensitivity.
struct Tddl {
    setting: Setting,
    plan: TestDependentPlan,
    public: Vec<Point>,
}

const POINTS: usize = 10;

impl Mechanism for Tddl {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.on(data)?(coins)
    }

    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        let w = self.setting.of_labels(data)?;
        let to_sum = POINTS as f64 / to_f64_for_display(self.plan.grid().step());
        let learn = test_dependent::learn;
        Ok(Box::new(move |coins| {
            let found = learn(&w, &self.setting.kernel, &self.public, &self.plan, coins);
            let mean = found.map_err(refused(data))?.prediction(&self.public[0]);
            Ok(Output::Integer(((mean * to_sum).round() as i64).into()))
        }))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        const REACH: usize = 1000;
        let w = self.setting.of_labels(data)?;
        let exact = self.plan.grid().round(&w.prediction(&self.public[0]));
        let exact = exact.to_i64().unwrap_or(i64::MAX / 4);
        let noise = Noise::new(self.plan.noise().scale().clone())?;
        // Masses c q^|k|.
        let (c, q) = (noise.pmf(0), noise.pmf(1) / noise.pmf(0));
        // Of the sum of the noises, from -REACH on: each adds what comes from the left and what comes from the right.
        let mut sum = vec![0.0; 2 * REACH + 1];
        sum[REACH] = 1.0;
        for _ in 0..POINTS {
            let (mut left, mut right) = (sum.clone(), sum.clone());
            for k in 1..sum.len() {
                left[k] += q * left[k - 1];
            }
            for k in (1..sum.len()).rev() {
                right[k - 1] += q * right[k];
            }
            let both = left.iter().zip(&right).zip(&sum);
            sum = both
                .map(|((left, right), at)| c * (left + right - at))
                .collect();
        }
        // A range that is the same for neighbours.
        let shift = exact * POINTS as i64;
        let most = REACH as i64 - 200;
        let mass = |value: i64| sum[(value - shift + REACH as i64) as usize];
        let law = (-most..=most).map(|value| (Output::Integer(value.into()), mass(value)));
        Ok(Some(law.collect()))
    }
}

/// The first point that Algorithm 3 chooses, its exponent taken literally: broken. All records but one are halved between
/// two points, and the label says at which the last one is.
struct Tdil {
    setting: Setting,
    algorithm: Algorithm3,
}

impl Tdil {
    fn choice(&self, data: &Value) -> Result<ScoredChoice, TargetError> {
        let places = [446, 921, 446, -921];
        let net: Vec<Point> = places.chunks(2).map(Point::dense).collect();
        let half = self.setting.records / 2;
        let up = u64::from(labels(data)? == [1]);
        let counts = [half - 1 + up, half + 1 - up];
        let counts = net.iter().zip(counts);
        let w = self
            .setting
            .optimum(counts.map(|(z, count)| (z.clone(), 1, count)));
        let w = w.map_err(refused(data))?;
        let rest: Vec<Rational> = net.iter().map(|z| w.prediction(z)).collect();
        self.algorithm.choice(&rest).map_err(refused(data))
    }
}

impl Mechanism for Tdil {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.on(data)?(coins)
    }

    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        let choice = self.choice(data)?;
        Ok(Box::new(move |coins| {
            Ok(Output::Integer(coins.draw(&choice)? as i128))
        }))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let choice = self.choice(data)?;
        let of = |place: usize| {
            let mass = choice.pmf(&place, 64).map_err(refused(data))?;
            let mass = to_f64_for_display(&mass.upper());
            Ok((Output::Integer(place as i128), mass))
        };
        [0, 1]
            .into_iter()
            .map(of)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

fn tddl(delta: &Rational) -> Result<Tddl, KernelError> {
    let setting = Setting::new((1, 0), integer(1), 4)?;
    let sensitivity = setting.sensitivity()?;
    let (budget, one) = (budget(delta)?, integer(1));
    Ok(Tddl {
        plan: plan(
            &sensitivity,
            1,
            POINTS as u64,
            &one,
            &budget,
            integer(1_000_000),
        )?,
        public: vec![Point::dense(&[1]); POINTS],
        setting,
    })
}

fn tdil(delta: &Rational) -> Result<Tdil, KernelError> {
    let setting = Setting::new((2, 10), ratio(1, 100), 10_000_000)?;
    Ok(Tdil {
        algorithm: Algorithm3 {
            lipschitz: integer(1),
            penalty: ratio(1, 100),
            records: setting.records,
            squared_bound: setting.kernel.squared_bound().clone(),
            budget: budget(delta)?,
            failure: ratio(1, 20),
            exponent: Exponent::Literal,
        },
        setting,
    })
}

pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    let (large, small) = (ratio(1, 100), ratio(1, 1_000_000));
    Ok(vec![
        specimen(
            "learner-kernel-tddl-constant-1",
            "Algorithm 2 with 1 for the constant of its noise that is not printed",
            one_turned(),
            tddl(&large).map_err(&constants)?,
        )?
        .claiming(large)?,
        specimen(
            "learner-kernel-tdil-literal",
            "the first choice of Algorithm 3 with its exponent as printed",
            [json!([1]), json!([-1])],
            tdil(&small).map_err(&constants)?,
        )?
        .claiming(small)?,
    ])
}
