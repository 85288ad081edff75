//! The learners of the paper on tiny data, and broken twins, on the pairs where they are worst.
//!
//! Data are records `[x_1, ..., x_d, label]` in eighths, in the unit ball, with a label of 1 or -1.
//!
//! | specimen | truth on its pair |
//! |---|---|
//! | `learner-margin-pure`, `learner-margin-gibbs` | from their exact laws: close to the claim |
//! | `learner-margin-gibbs-without-two` | from its exact law: above the claim |
//! | `learner-margin-pure-redrawn`, `learner-margin-gibbs-redrawn` | infinite: half of one law is disjoint from the other |

mod gibbs;
mod pure;

use crate::papers::tiny::{BITS, not_records, records};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::Grid;
use dp_assay_audit::specimen::{Due, Specimen};
use dp_assay_audit::targets::TargetError;
use serde_json::Value;

/// The dataset that is written as an array of records of two features.
fn dataset(data: &Value) -> Result<Dataset, TargetError> {
    let refused = || not_records(data);
    let grid = Grid::new(BITS).map_err(|_| refused())?;
    let domain = Domain::unit_ball(grid, 2).map_err(|_| refused())?;
    Dataset::new(domain, records(data)?).map_err(|_| refused())
}

/// What an audit must say of each.
pub const DUE: &[(&str, Due)] = &[
    ("learner-margin-pure", Due::NotRefuted),
    ("learner-margin-gibbs", Due::NotRefuted),
    ("learner-margin-gibbs-without-two", Due::CaughtFrom(50000)),
    ("learner-margin-pure-redrawn", Due::CaughtFrom(1000)),
    ("learner-margin-gibbs-redrawn", Due::CaughtFrom(1000)),
];

/// All of them.
pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let lists = [pure::all()?, gibbs::all()?];
    Ok(lists.into_iter().flatten().collect())
}
