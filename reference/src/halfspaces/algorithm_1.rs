//! nuz20, Algorithm 1, **repaired**: a projection, and any private procedure F on what it makes of the data.
//!
//! Private: as private as F is, under substitution of one record, on all data, `A` and what F returns together
//! (`nuz20.e5.corrected`, and so Theorem 8). With F of Algorithm 3: `algorithm_3`; with F', ours: `full_batch_descent`.
//!
//! Where it departs from the printed lines:
//! - line 2 has no value at `A x = 0`: there `x_A` is the first unit vector (`nuz20.e4.corrected`).

use super::projection::{draw, pull_back, unit_points};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use num_bigint::BigInt;

/// Returns `sqrt(m) A`, and `w`, and the direction of `w^T A`. All of it may be published.
///
/// `s`: `true` stands for `y = +1`. `m`: rows of the projection; none for no projection. F is given `y x_A` of each record, in
/// steps of the grid, and returns a `w` of as many coordinates, in steps as well.
pub fn learn<C: Coins>(
    s: &Points<bool>,
    m: Option<usize>,
    f: impl FnOnce(&[Vec<i64>], &mut C) -> Result<Vec<i64>, Error>,
    coins: &mut C,
) -> Result<(Vec<Vec<i64>>, Vec<i64>, Vec<BigInt>), Error> {
    // 1: Choose a random matrix A in R^{m x d}, A_ij = +1/sqrt(m) w.p. 1/2, -1/sqrt(m) w.p. 1/2.
    let a = draw(m, s.dimension(), coins)?;
    // 2: S_A <- { (A x/|A x|, y) | (x, y) in S }.
    let s_a = unit_points(&a, s);
    // 3, 4: C <- the unit ball; l, the loss: they are F's.                              (`hinge_loss`)
    // 5: w <- F(S_A, l, (epsilon, delta), C) and return w^T A.
    let w = f(&s_a, coins)?;
    let pulled_back = pull_back(&w, &a, s.dimension());
    Ok((a, w, pulled_back))
}
