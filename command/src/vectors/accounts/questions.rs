//! What is asked in class F: steps, and the delta or the epsilon at which they are accounted.

use crate::error::Error;
use dp_assay::accountant::{Account, Known, Mechanism, Relation, Step};
use dp_assay::number::Rational;
use dp_assay::number::rational::parse;
use serde_json::{Value, json};

use super::super::numbers::fraction;

/// How the records of a step are chosen, and its noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    PoissonGaussian,
    PoissonLaplace,
    FixedGaussian,
}

impl Law {
    pub fn name(self) -> &'static str {
        match self {
            Self::PoissonGaussian => "poisson-gaussian",
            Self::PoissonLaplace => "poisson-laplace",
            Self::FixedGaussian => "fixed-gaussian",
        }
    }

    pub fn definition(self) -> &'static str {
        match self {
            Self::PoissonGaussian => {
                "so many steps, each on a sample that has each record with probability rate; Gaussian noise of this standard deviation is added to a sum to which one record adds a vector of l2 norm at most 1. All answers are seen, and each step may depend on those before it. Neighbours: one record is added or removed, whichever costs more"
            }
            Self::PoissonLaplace => {
                "so many steps, each on a sample that has each record with probability rate; Laplace noise of this scale is added to a sum to which one record adds a number between -1 and 1. All answers are seen, and each step may depend on those before it. Neighbours: one record is added or removed, whichever costs more"
            }
            Self::FixedGaussian => {
                "so many steps, each on a batch that has exactly this part of the records, drawn without replacement; Gaussian noise of this standard deviation is added to a sum to which one record adds a vector of l2 norm at most 1. All answers are seen, and each step may depend on those before it. Neighbours: one record is replaced by another, which moves the sum by up to 2. lo is what one mechanism costs, hi what none exceeds"
            }
        }
    }

    pub fn relation(self) -> Relation {
        match self {
            Self::FixedGaussian => Relation::Substitution,
            _ => Relation::AddOrRemove,
        }
    }

    /// The name of the noise among the parameters.
    fn noise(self) -> &'static str {
        match self {
            Self::PoissonLaplace => "scale",
            _ => "deviation",
        }
    }
}

/// At which delta the epsilon is asked for, or at which epsilon the delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    Delta(Rational),
    Epsilon(Rational),
}

impl At {
    /// What is asked for.
    pub fn quantity(&self) -> &'static str {
        match self {
            Self::Delta(_) => "epsilon",
            Self::Epsilon(_) => "delta",
        }
    }
}

/// A question to an accountant.
#[derive(Debug, Clone)]
pub struct Question {
    pub law: Law,
    pub rate: Rational,
    pub noise: Rational,
    pub steps: u64,
    pub at: At,
    /// As the place is written in the id.
    written: &'static str,
}

impl Question {
    pub fn id(&self) -> String {
        format!(
            "dpv:{}-{},{},{}-{}-{}",
            self.law.name(),
            self.rate,
            self.noise,
            self.steps,
            self.at.quantity(),
            self.written
        )
    }

    pub fn parameters(&self) -> Value {
        json!({
            "rate": fraction(&self.rate),
            self.law.noise(): fraction(&self.noise),
            "steps": self.steps.to_string(),
        })
    }

    /// The place as a file has it.
    pub fn place(&self) -> Value {
        match &self.at {
            At::Delta(delta) => json!({"delta": fraction(delta)}),
            At::Epsilon(epsilon) => json!({"epsilon": fraction(epsilon)}),
        }
    }

    pub fn mechanism(&self) -> Mechanism {
        let (rate, noise) = (self.rate.clone(), self.noise.clone());
        match self.law {
            Law::PoissonGaussian => Mechanism::Gaussian {
                deviation: noise,
                rate,
            },
            Law::PoissonLaplace => Mechanism::Laplace { scale: noise, rate },
            Law::FixedGaussian => Mechanism::FixedBatch {
                deviation: noise,
                rate,
            },
        }
    }

    /// What an account of this mechanism under this relation says.
    pub fn answer(
        &self,
        mechanism: Mechanism,
        relation: Relation,
        digits: u32,
    ) -> Result<Known, Error> {
        let step = Step {
            mechanism,
            times: self.steps,
        };
        let account = Account::new(&[step], relation).map_err(wrong)?;
        let known = match &self.at {
            At::Delta(delta) => account.epsilon(delta, digits),
            At::Epsilon(epsilon) => account.delta(epsilon, digits),
        };
        known.map_err(wrong)
    }
}

fn wrong(error: dp_assay::accountant::AccountantError) -> Error {
    Error::Usage(format!("accounts: {error}"))
}

/// Questions of one law and one quantity.
struct Table {
    law: Law,
    at: fn(Rational) -> At,
    /// Rates, noises, steps, and deltas or epsilons: all combinations of these.
    rows: &'static [[&'static str; 4]],
}

/// Steps up to ten thousand, by powers of ten, and more.
const FEW: &str = "1 10 100 1000 10000";
const MANY: &str = "100000 1000000";

/// Every delta that is asked for, and some, where an answer takes seconds.
const DELTAS: &str = "1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9 1e-10 1e-12 1e-14";
const SOME: &str = "1e-2 1e-5 1e-8 1e-11 1e-14";

/// Epsilons above a thousand or so are left out: nobody asks for them. New rows come last.
const TABLES: &[Table] = &[
    Table {
        law: Law::PoissonGaussian,
        at: At::Delta,
        rows: &[
            // Without sampling.
            ["1", "0.5 0.8 1", "1 10 100", DELTAS],
            ["1", "2 5", "1 10 100 1000", DELTAS],
            ["1", "10 30 100", FEW, DELTAS],
            ["1", "30 100", "100000", DELTAS],
            ["1", "100", "1000000", DELTAS],
            // On samples, from large ones to small.
            ["1e-1", "0.5", "10 100 1000", DELTAS],
            ["1e-1", "0.8 1 2 5 10 30 100", FEW, DELTAS],
            ["1e-2", "0.8 1 2 5 10 30 100", "100 1000 10000", DELTAS],
            ["1e-2", "0.8 1 2 5 10 30 100", "1 10", SOME],
            ["1e-2", "1 2", MANY, SOME],
            ["1e-1 1e-2", "10 100", MANY, SOME],
            ["1e-2", "0.5", "10 100", SOME],
            ["1e-3", "1 5 30", "100 1000 10000", SOME],
            ["1e-3", "1 5 30", MANY, SOME],
            ["1e-4", "1 5 30", "10000 100000 1000000", SOME],
            ["1e-1", "0.3", "1 10", SOME],
            // Between the powers of ten; and batches of 256 of 60,000 images, 15 and 60 times.
            ["1/20 1/3", "1 1.5 3 7 20", "10 50 200 1000", DELTAS],
            ["1", "1.5 3 7 20", "5 20 50", DELTAS],
            ["256/60000", "0.7 1.1 1.3", "3516 14062", SOME],
        ],
    },
    Table {
        law: Law::FixedGaussian,
        at: At::Delta,
        rows: &[
            ["1e-1", "1 2 5 20", "1 10 1000", "1e-4 1e-6 1e-8 1e-10"],
            ["1", "1 2 5 20", "1 10", "1e-4 1e-6 1e-8 1e-10"],
            ["1", "5 20", "1000", "1e-4 1e-6 1e-8 1e-10"],
            ["1e-2", "1 2 5 20", "10 1000", "1e-4 1e-6 1e-8 1e-10"],
        ],
    },
    Table {
        law: Law::PoissonGaussian,
        at: At::Epsilon,
        rows: &[["1e-2 1e-1 1", "1 2 5", "100 10000", "0.5 1 2 4"]],
    },
    // Here the addition of a record costs more than its removal.
    Table {
        law: Law::PoissonLaplace,
        at: At::Epsilon,
        rows: &[
            ["0.5 0.6 0.7 0.8 0.9", "1", "2", "0.1 0.25"],
            ["0.5 0.6 0.7 0.8 0.9", "2", "2", "0.1"],
        ],
    },
];

/// The questions, in the order of the tables.
///
/// # Errors
/// A number that is none.
pub fn questions() -> Result<Vec<Question>, Error> {
    let mut found = Vec::new();
    for table in TABLES {
        for [rates, noises, steps, places] in table.rows {
            for rate in rates.split(' ') {
                for noise in noises.split(' ') {
                    for steps in steps.split(' ') {
                        for place in places.split(' ') {
                            found.push(Question {
                                law: table.law,
                                rate: parse(rate)?,
                                noise: parse(noise)?,
                                steps: parse(steps)?.to_integer().try_into().unwrap_or(0),
                                at: (table.at)(parse(place)?),
                                written: place,
                            });
                        }
                    }
                }
            }
        }
    }
    Ok(found)
}
