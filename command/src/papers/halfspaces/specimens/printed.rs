//! Algorithm 3 as printed: where it has no value (`nuz20.e4`), and where it spends its budget twice
//! (`nuz20.alg-F`).

use super::dataset;
use crate::papers::tiny::{BITS, projected_to_zero, refused, vector};
use dp_assay::coins::ChaCha;
use dp_assay::halfspaces::as_printed::{self, PrintedPlan};
use dp_assay::halfspaces::{HalfspaceError, Shape};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::Budget;
use dp_assay_audit::specimen::{Mechanism, Specimen, Truth, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use dp_assay_ledger::halfspaces::one_dimension::{OneDimension, TranscriptLoss};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Algorithm 3 as it is printed, on two records of two features projected to one; the output is the halfspace.
struct AsPrinted {
    plan: PrintedPlan,
}

impl AsPrinted {
    fn new(claimed: &Budget) -> Result<Self, HalfspaceError> {
        let half = ratio(1, 2);
        let plan = as_printed::plan(shape(2, 2)?, claimed, (&half, &half), Some(1))?;
        Ok(Self { plan })
    }
}

fn shape(records: usize, dimension: usize) -> Result<Shape, HalfspaceError> {
    Ok(Shape {
        records,
        dimension,
        grid: Grid::new(BITS)?,
    })
}

impl Mechanism for AsPrinted {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        match self.plan.learn_not_private(&dataset(data, 2)?, coins) {
            Ok(model) => Ok(vector(model.halfspace.direction)),
            // An error that depends on the data is an output.
            Err(error @ HalfspaceError::Undefined { .. }) => Ok(Output::Error(error.to_string())),
            Err(error) => Err(refused(data)(error)),
        }
    }
}

/// 1e-12.
fn tiny() -> Rational {
    Rational::new(1.into(), BigInt::from(10).pow(12))
}

/// The transcript of Algorithm 3 as printed on three records of one feature, without a projection: the candidates, and
/// which is chosen.
struct Transcript {
    claimed: Budget,
    plan: PrintedPlan,
}

/// `gamma = 1` and `beta = 1/2`, which give `ceil(ln 16) = 3` candidates as printed.
fn goal() -> (Rational, Rational) {
    (integer(1), ratio(1, 2))
}

impl Transcript {
    fn new(claimed: Budget) -> Result<Self, HalfspaceError> {
        let (gamma, beta) = goal();
        let plan = as_printed::plan(shape(3, 1)?, &claimed, (&gamma, &beta), None)?;
        Ok(Self { claimed, plan })
    }

    /// The exact law of one event: that all candidates but one end at -1 and that one at +1, and one of the former
    /// is chosen.
    fn event(&self) -> Result<TranscriptLoss, HalfspaceError> {
        let k = as_printed::printed_runs(&goal().1)?;
        let event = OneDimension {
            n: 3,
            k,
            minus: k - 1,
            claimed: self.claimed.clone(),
            grid: Grid::new(BITS)?,
        };
        event.as_printed()
    }

    /// A lower bound on the epsilon of the claimed delta, from that event.
    fn truth(&self) -> Result<Truth, HalfspaceError> {
        let event = self.event()?;
        let spent = event.dissenting.lower() - self.claimed.delta();
        let least = to_f64_for_display(&(spent / event.agreeing.upper())).ln();
        Ok(Truth {
            epsilon: least.max(0.0),
            exact: false,
            disjoint: None,
        })
    }
}

impl Mechanism for Transcript {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let model = self.plan.learn_not_private(&dataset(data, 1)?, coins);
        let model = model.map_err(refused(data))?;
        let candidates = model.candidates.into_iter().flatten();
        Ok(vector(candidates.chain([model.chosen as i64])))
    }
}

pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    let budget = |epsilon: i64, delta| {
        Budget::substituting(&integer(epsilon), &delta).map_err(|error| constants(error.into()))
    };
    let claimed = budget(1, ratio(1, 100))?;
    let as_printed = AsPrinted::new(&claimed).map_err(&constants)?;
    let twice = Transcript::new(budget(12, tiny())?).map_err(&constants)?;
    Ok(vec![
        Specimen {
            delta: claimed.delta().clone(),
            truth: Truth {
                epsilon: f64::INFINITY,
                exact: true,
                disjoint: Some(0.5),
            },
            ..specimen(
                "learner-as-printed",
                "Algorithm 3 as printed: it has no value where A x = 0",
                projected_to_zero(),
                as_printed,
            )?
        },
        Specimen {
            epsilon: twice.claimed.epsilon().clone(),
            delta: twice.claimed.delta().clone(),
            truth: twice.truth().map_err(&constants)?,
            ..specimen(
                "learner-as-printed-budget",
                "Algorithm 3 as printed: it spends its budget twice, in events that are too rare to be seen",
                [
                    json!([[8, 1], [8, 1], [8, 1]]),
                    json!([[8, 1], [8, 1], [8, -1]]),
                ],
                twice,
            )?
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overspent_budget_is_certified_and_no_million_calls_show_it() {
        let claimed = Budget::substituting(&integer(12), &tiny()).unwrap();
        let transcript = Transcript::new(claimed).unwrap();
        let event = transcript.event().unwrap();
        assert!(event.delta.is_above_rational(&tiny()));
        assert!(transcript.truth().unwrap().epsilon > 12.0);
        // On the dataset where it is rare a million calls see it with a probability below 1/1000 ...
        let one_in = |calls: u64| Rational::new(1.into(), calls.into());
        assert!(event.agreeing.is_below_rational(&one_in(1_000_000_000)));
        // ... and without it, a probability of 2e-4 proves no epsilon above ln(2e-4 10^6 / 3) < 5 on the other.
        assert!(event.dissenting.is_below_rational(&one_in(5000)));
    }
}
