//! Where randomness comes from.
//!
//! One trait, [`Coins`]: a source of fair bits, and on top of them the layers from which every
//! sampler of the library is built. The layers' defaults stand in one place, [`layers`].
//!
//! - [`ChaCha`]: the cipher ChaCha20 as a generator, in 2^64 independent streams of one seed;
//! - [`Generator`]: any cryptographic generator of the `rand` ecosystem;
//! - [`OperatingSystem`]: the operating system's generator, whose failure is an error;
//! - [`Tape`]: replays given bits, for known-answer tests;
//! - [`Table`]: a finite law as certified thresholds, drawn from many times; [`Uniform`], by which it settles what a word leaves open;
//! - [`Recycled`]: a layer over any source, which uses again what a draw leaves of its randomness;
//! - [`ConstantWork`]: a layer that scans tables whole;
//! - [`Explorer`]: runs the code that samples on *every* outcome, best-first by probability, and
//!   returns exact lower bounds and what it left undecided: a proof instead of a sample;
//! - [`Meter`]: runs a learner on two datasets in [`lockstep`], with the same outcomes, and accounts for every draw.

#![deny(clippy::float_arithmetic)]

mod chacha;
mod compared;
mod constant_work;
mod error;
pub mod explorer;
mod generator;
pub mod layers;
mod loss;
pub mod meter;
mod operating_system;
mod recycled;
mod small_laws;
mod steering;
mod table;
mod tape;
mod uniform;

pub use chacha::ChaCha;
pub(crate) use compared::NO_COUPLING;
pub use constant_work::ConstantWork;
pub use error::CoinsError;
pub use explorer::{Choice, Explored, Explorer, Layer, RejectionLaw};
pub use generator::Generator;
pub(crate) use layers::Seal;
pub use layers::{Against, Coins, Law, Question, Sharp};
pub use loss::{Divergence, Forward, GaussianShift, Loss, Promise, Stage, Together, Uses};
pub use meter::{
    Account, Fresh, HiddenReads, HiddenThreshold, Lockstep, Meter, OneRecordSteps, Outcomes,
    Parted, PureLosses, Shifts, lockstep, lockstep_of,
};
pub(crate) use meter::{NOT_ENCLOSED, PROBES};
pub use operating_system::OperatingSystem;
pub use recycled::Recycled;
pub(crate) use steering::{Probe, Steering};
pub use table::{Cell, MOST_PLACES, Table};
pub use tape::Tape;
pub use uniform::Uniform;
