//! Algorithm 2 with a constant in the place of the paper's `O`. **Not private** for a constant that is too small.

use crate::kernels::bounds::test_dependent::printed_loss;
use crate::kernels::{AnswerGrid, KernelError, Sensitivity, TestDependentPlan};
use crate::number::Rational;
use crate::privacy::Budget;

/// Line 1: `nu = constant L R^2 sqrt(T ln(1/delta))/(lambda n epsilon)`, on a grid of so many steps to a sensitivity.
/// The rest is [`learn`](crate::kernels::test_dependent::learn).
///
/// # Errors
/// Those of [`printed_loss`] and [`AnswerGrid::new`].
pub fn plan(
    sensitivity: &Sensitivity,
    steps: u64,
    points: u64,
    constant: &Rational,
    budget: &Budget,
    norm_bound: Rational,
) -> Result<TestDependentPlan, KernelError> {
    let loss = printed_loss(points, constant, budget)?;
    let grid = AnswerGrid::new(sensitivity, steps)?;
    TestDependentPlan::new(grid, points, loss, budget.promise(), norm_bound)
}
