//! The claims of the paper, in its order, and the machinery that is for their evidence only.
//!
//! The claims are stated in `spec/margin.md`.
//!
//! | section of the paper | checks |
//! |---|---|
//! | 3.1, the pure learner: the Gibbs learner in its place | `gibbs` |

mod gibbs;

use crate::claim::{Page, Registered};
use crate::geometry::Record;

/// The page of the paper's claims, and their checks.
pub const PAGE: Page = Page {
    paper: "bms22",
    title: "Bassily, Mohri, Suresh 2022: margin guarantees",
    path: "spec/margin.md",
    text: include_str!("../../../spec/margin.md"),
    checks: CHECKS,
};

/// The checks, in the order of the page, which is the paper's.
const CHECKS: &[Registered] = &[
    // 3.1. The pure learner
    ("bms22.gibbs", gibbs::privacy),
    ("bms22.gibbs.prior", gibbs::prior),
    ("bms22.gibbs.bound", gibbs::bound),
];

fn record(features: &[i64], positive: bool) -> Record {
    Record {
        features: features.to_vec(),
        positive,
    }
}
