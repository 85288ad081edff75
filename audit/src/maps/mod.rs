//! Is a transformation as stable as it is claimed to be? Distances, without statistics: one pair of datasets at a known
//! distance whose outputs are farther apart than claimed is a proof. `spec/auditor.md` has the argument.
//!
//! - `distance` measures datasets and outputs alike; `claim` holds a pair against the claim.
//! - `candidates` are the pairs that are tried; `shrink` makes a found one smaller.
//! - [`examine()`] does all of it; `error` is why nothing was concluded.

mod candidates;
mod claim;
mod distance;
mod error;
mod examine;
mod shrink;

pub use claim::{Bound, Compared, Stability};
pub use distance::{Distance, Length, Measure, Metric, MetricError, UserField};
pub use error::MapError;
pub use examine::{Datasets, Effort, Examined, examine};
