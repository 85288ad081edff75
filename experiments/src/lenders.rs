//! The learners that papers lend to each other's experiments.

use crate::lent::Lent;

/// All of them.
pub const LENT: &[Lent] = crate::random_features::lent::ALL;
