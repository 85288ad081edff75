//! An audit that one machine is not enough for, in three steps: learn, count, merge.
//!
//! 1. `plan`: a pair and an event are fixed on one machine, and written down with the claim. The hash of the file is the plan's name.
//! 2. `count`: a *shard* counts the event in its *units*, each with coins of its own (`coins`), which depend on the plan and
//!    the unit alone; `program` is what answers. A `record` is what is kept: integers.
//! 3. `merge`: the records are added up, and judged once; `fingerprint` tells whether two units had one stream of coins.
//!    `report` says what was found.
//!
//! Why the verdict holds: `spec/auditor.md`, *Beyond one machine*.

mod coins;
pub mod count;
mod fingerprint;
pub mod merge;
pub mod plan;
pub mod program;
pub mod record;
pub mod report;
