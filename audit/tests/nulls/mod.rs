//! Claims that are true and leave nothing to spare, and what the whole pipeline says of them.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::{parse, ratio};
use dp_assay::sample::DiscreteLaplace;
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{Finding, Question, Until, audit_pair};
use dp_assay_audit::targets::{Function, Output, TargetError};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// One in so many true claims may be called violated.
pub const ONE_IN: u32 = 20;

/// A mechanism, on data that are one bit, whose claim is met with equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Randomised response: (1, 0).
    RandomisedResponse,
    /// The truth with probability 3/4: (1, 3/4 - e/4), rounded up in the 16th digit.
    ThreeQuarters,
    /// The bit with discrete Laplace noise of scale 1: (1, 0).
    DiscreteLaplace,
    /// Half of that, as a double: values and bits are two lines, and each may be refuted.
    HalfLaplace,
}

/// A null: a mechanism, and which of its datasets comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Null {
    /// The mechanism.
    pub kind: Kind,
    /// Whether the dataset 1 comes first.
    pub swapped: bool,
}

/// All nulls.
pub const ALL: [Null; 8] = {
    const fn null(kind: Kind, swapped: bool) -> Null {
        Null { kind, swapped }
    }
    [
        null(Kind::RandomisedResponse, false),
        null(Kind::RandomisedResponse, true),
        null(Kind::ThreeQuarters, false),
        null(Kind::ThreeQuarters, true),
        null(Kind::DiscreteLaplace, false),
        null(Kind::DiscreteLaplace, true),
        OF_TWO_LINES[0],
        OF_TWO_LINES[1],
    ]
};

/// Those whose audit has two lines.
pub const OF_TWO_LINES: [Null; 2] = {
    const fn null(swapped: bool) -> Null {
        let kind = Kind::HalfLaplace;
        Null { kind, swapped }
    }
    [null(false), null(true)]
};

impl Null {
    /// The true delta at the claimed epsilon, in floats, and a unit more than it errs.
    pub fn delta(self) -> f64 {
        match self.kind {
            Kind::ThreeQuarters => 0.75 - 0.25 * 1f64.exp() + 1e-15,
            Kind::RandomisedResponse | Kind::DiscreteLaplace | Kind::HalfLaplace => 0.0,
        }
    }

    /// One audit of it, from the first sample to the verdict.
    pub fn audit(self, seed: u64, calls: u64, until: Until) -> Finding {
        let noise = DiscreteLaplace::new(ratio(1, 1)).unwrap();
        let mut coins = ChaCha::reproducible(seed, self.kind as u64);
        let mut target = Function(|data: &Value| -> Result<Output, TargetError> {
            let bit = data[0] == 1;
            let value = match self.kind {
                Kind::RandomisedResponse => loop {
                    let answer = coins.bits(1)? == 1;
                    if answer == bit || coins.bernoulli_exp(&ratio(1, 1))? {
                        break i128::from(answer);
                    }
                },
                Kind::ThreeQuarters => i128::from((coins.bits(2)? > 0) == bit),
                Kind::DiscreteLaplace | Kind::HalfLaplace => {
                    i128::from(bit) + coins.draw(&noise)?.to_i128().unwrap_or(i128::MAX / 2)
                }
            };
            Ok(match self.kind {
                Kind::HalfLaplace => Output::float(value as f64 / 2.0),
                _ => Output::Integer(value),
            })
        });
        let (zero, one) = (json!([0]), json!([1]));
        let pair = if self.swapped {
            Pair(one, zero)
        } else {
            Pair(zero, one)
        };
        let question = Question {
            epsilon: ratio(1, 1),
            delta: match self.kind {
                Kind::ThreeQuarters => parse("0.0704295428852387").unwrap(),
                _ => ratio(0, 1),
            },
            level: ratio(1, ONE_IN.into()),
            calls,
            until,
            shrink: false,
            seed,
        };
        audit_pair(&mut target, &pair, &question).unwrap()
    }
}

/// `Pr[Bin(runs, 1/one_in) >= alarms]`, to about ten digits.
pub fn tail(runs: u32, alarms: u32, one_in: u32) -> f64 {
    let p = 1.0 / f64::from(one_in);
    let mut log = f64::from(runs) * (1.0 - p).ln();
    let mut sum = 0.0;
    for k in 0..=runs {
        if k >= alarms {
            sum += log.exp();
        }
        log += (f64::from(runs - k) / f64::from(k + 1) * p / (1.0 - p)).ln();
    }
    sum
}
