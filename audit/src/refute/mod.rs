//! Is the claim false? From a program, a claim and datasets to a verdict with a proof.
//!
//! - [`examine`] is the whole audit, and accounts for all of its level; `levels` is the table of its shares.
//! - `question` is the claim and the calls, `claim` its measure and the half-planes that it allows one event, `profile` a
//!   measure in a file, and `finding` what an audit proved of it on one pair.
//! - `search` finds the pair of a domain; `pair` audits it, by `calls`, `bets` on what comes, and an `exact_test` at the end.
//! - `confirm` shows an event of a proof by bets on fresh calls; `shrink` looks for a smaller pair, and `shorten` for a
//!   shorter event.
//! - `time` puts the times of answers into buckets, for a line of values with their times.
//! - `fixed` is for an event that is learned here and counted on many machines.
//! - `power` plants violations of known size and audits them; `answers` is what all answers have in common.

mod answers;
mod bets;
mod calls;
mod claim;
mod confirm;
mod error;
mod exact_test;
mod examine;
mod finding;
mod fixed;
mod levels;
mod pair;
mod power;
mod profile;
mod question;
mod rare;
mod search;
mod shorten;
mod shrink;
mod time;

pub use answers::Answers;
pub(crate) use calls::sample;
pub use claim::{Claim, LEAST_EPSILON, Measure, read_renyi};
pub use confirm::confirm_event;
pub use examine::{Datasets, Examined, Failure, Phase, Shrinking, Stage, examine};
pub use finding::{Confirmation, Counted, EventCounts, Finding, Method, Verdict};
pub use fixed::{Judged, Learned, judge, learn};
pub use levels::{EXACT, EXACT_WITH_DELTA, Levels, PairLevels, SHORTER_EVENTS, SMALLER_PAIRS};
pub use pair::audit_pair;
pub use power::{Family, NAMES, PipelinePower, RUNS, pipeline_power};
pub use profile::Profile;
pub use question::{AuditError, Field, LEAST_CALLS, Question, Until};
pub use rare::learnable_mass;
pub use search::{Searched, search_pair};
pub use shrink::{Shrunk, shrink_violation};
pub use time::Buckets;
