//! The paper's theorems, and ours beside them, with every constant written out.
//!
//! - [`mod@deviation`]: deviation bounds for infinite classes (Appendix A);
//! - [`mod@pure`]: Theorem 3.1, and what a run of Algorithm 1 is guaranteed to achieve;
//! - [`mod@lower_bound`]: how many records every pure private learner needs;
//! - [`mod@efficient`]: Lemma 3.1 and Theorem 3.2, and what a run of Algorithm 2 is guaranteed to achieve;
//! - [`mod@gibbs`]: what a run of the Gibbs learner on public candidates is guaranteed to achieve;
//! - [`mod@labels`]: Theorem 6.1, where labels alone are private;
//! - [`maps`]: how many rows a fast projection needs;
//! - [`features`]: how many random Fourier features a kernel needs;
//! - [`mod@kernel`]: Theorem 4.2, what a run of Algorithm 3 is guaranteed to achieve;
//! - [`mod@network`]: Theorem 5.1, corrected, and what a run of the learner of networks is guaranteed to achieve.
//!
//! Everything is decided in certified arithmetic, rounded up.

pub mod deviation;
pub mod efficient;
pub mod features;
pub mod gibbs;
pub mod kernel;
pub mod labels;
pub mod lower_bound;
pub mod maps;
pub mod network;
pub mod pure;

pub use efficient::{EfficientRun, ErmRun};
pub use gibbs::GibbsRun;
pub use kernel::KernelRun;
pub use labels::LabelRun;
pub use network::{NetworkRun, NetworkSetting};
pub use pure::{PureRun, PureSetting};

use super::MarginError;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};

/// The working precision: far more than any figure here is printed with.
const BITS: u32 = 96;

/// What is guaranteed with probability `1 - beta`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarantee {
    /// The error on the distribution, rounded up; nothing if it is not below 1/2, which a coin achieves.
    pub alpha: Option<Rational>,
    /// The error on the data, rounded up, where something is guaranteed.
    pub training: Option<Rational>,
    /// The terms of the bound, or why it is vacuous.
    pub reason: String,
}

impl Guarantee {
    /// Nothing, and why.
    fn vacuous(reason: String) -> Self {
        Self {
            alpha: None,
            training: None,
            reason,
        }
    }

    /// The error on the distribution by a union over a finite class: of an error `training` on the data, where `class` is
    /// the logarithm of the size of the class over the probability of failure, and `m` the records.
    fn of_class(
        training: Rational,
        class: &Enclosure,
        m: u64,
        reason: String,
    ) -> Result<Self, MarginError> {
        let half = ratio(1, 2);
        if training >= half {
            return Ok(Self::vacuous(reason));
        }
        let c = class.divided_by(&of(&integer(m)))?;
        let alpha = of_finite_class(&of(&training), &c)?.upper();
        Ok(Self {
            alpha: (alpha < half).then_some(alpha),
            training: Some(training),
            reason,
        })
    }
}

/// An enclosure of a rational at the working precision.
fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// The error on the distribution of a hypothesis from a finite class of error `training` on `m` records:
/// `training + c + sqrt(c^2 + 2 c training)`, where `c m` is the logarithm of the size of the class over the probability
/// of failure.
///
/// Proof: if the error is `R`, at most `(1 - t) m R` records are errors with probability at most `e^(-m R t^2/2)`
/// (Chernoff), which is `e^(-c m)` where `(R - training)^2 = 2 c R` for `training = (1 - t) R`.
fn of_finite_class(training: &Enclosure, c: &Enclosure) -> Result<Enclosure, MarginError> {
    let root = (c.squared() + (c * training).shifted(1)).sqrt()?;
    Ok(training + c + root)
}
