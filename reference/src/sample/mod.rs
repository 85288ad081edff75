//! Exact samplers, each with its law: a file each. No float, no modular bias, no truncated tail.
//!
//! That the code has exactly the law beside it is proved in `spec/samplers.md`, and run: the explorer of `dp-assay` goes
//! through every outcome of the coins.
//!
//! - [`Geometric`], [`DiscreteLaplace`], [`DiscreteGaussian`] (Canonne, Kamath, Steinke 2020), on the integers; on the grid
//!   2^-b the same with the scale counted in steps of 2^-b; [`DiscreteCauchy`], for public frequencies;
//! - [`ExponentialMechanism`] over finitely many outcomes, grouped by score; [`ScoredChoice`] of the number of one;
//! - [`GammaNoise`]: a vector whose mass falls with its l2 norm, in low dimension;
//! - [`Noise`]: the law of an exact value and noise, which is what a release draws; [`Censored`] tells it only outside a public
//!   interval, [`AboveThenAnswer`] only where a noisy test passes;
//! - [`WithReplacement`]: which records a pass reads.

mod above_then_answer;
mod censored;
mod discrete_cauchy;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential_mechanism;
mod gamma;
mod geometric;
mod noise;
mod scored_choice;
mod with_replacement;

pub use above_then_answer::AboveThenAnswer;
pub use censored::Censored;
pub use discrete_cauchy::DiscreteCauchy;
pub use discrete_gaussian::DiscreteGaussian;
pub use discrete_laplace::DiscreteLaplace;
pub use exponential_mechanism::{ExponentialMechanism, LARGEST_EXPONENT, ScoreClass};
pub use gamma::GammaNoise;
pub use geometric::Geometric;
pub use noise::{Around, AroundAll, Noise};
pub use scored_choice::ScoredChoice;
pub use with_replacement::WithReplacement;
