//! Nguyen, Ullman, Zakynthinou 2020 (`nuz20`): large-margin halfspaces, in the order in which they may be read.
//!
//! Neighbours differ in one record, which is substituted; `n`, `d` and the grid are public. Claims: `spec/halfspaces.md`.

/// Line 1 and line 2 of all three algorithms, and Lemma 4, which says how many rows are enough.
pub mod projection;

/// Algorithm 2, every printed line. Not private as claimed where some `A x` is 0.
pub mod algorithm_2_as_printed;

/// Algorithm 2, repaired: a net, and a choice of one of its points; pure.
pub mod algorithm_2;

/// The loss, line 4 of Algorithms 1 and 3, and the choice by it, line 10 of Algorithm 3.
pub mod hinge_loss;

/// Algorithm 1, repaired: a projection, and any private procedure F.
pub mod algorithm_1;

/// Algorithm 3, every printed line: Algorithm 1 with procedure F and Noise-GD. Not private as claimed.
pub mod algorithm_3_as_printed;

/// Algorithm 3, repaired: one record a step.
pub mod algorithm_3;

/// Procedure F', ours in the place of F: all records in each step.
pub mod full_batch_descent;
