//! Does the noise of a program hide what it claims to hide? Two runs on neighbouring datasets with the same noisy values:
//! what their noise says of the datasets is computed by its laws, and what differs beside it is a leak.
//!
//! `spec/auditor.md` has the argument, and what a verdict assumes. `recording` is what a program tells of a run, `loss` what
//! two runs say together, [`examine()`] asks the program.

mod examine;
mod loss;
mod recording;
mod shown;

pub use examine::{Claim, Examined, ReplayError, Run, examine};
pub use loss::{Loss, Reason, unbounded};
pub use recording::{Draw, NoiseLaw, Recorder, Recording};
