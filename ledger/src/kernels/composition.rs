//! Theorem 11: the composition of pure draws.

use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::number::Rational;
use dp_assay::number::rational::{parse, to_scientific};
use dp_assay::privacy::composition::{dwork_rothblum_vadhan, optimal_delta};
use num_traits::Zero;

/// `jt13.thm11`
pub(super) fn theorem_11(check: &mut Check) -> Result<(), Trouble> {
    let (steps, slacks) = (["0.001", "0.1", "0.5", "1", "2"], ["0.5", "0.1", "1e-6"]);
    let times = if check.quick() {
        &[1, 20][..]
    } else {
        &[1, 20, 400]
    };
    check.certified(format_args!(
        "the exact delta of k randomised responses at the printed epsilon': epsilon in {steps:?}, k in {times:?}, delta' in \
         {slacks:?}"
    ));
    let mut largest = Rational::zero();
    for epsilon in steps {
        let step = budgets::pure(parse(epsilon)?)?;
        for &times in times {
            for slack in slacks {
                let slack = parse(slack)?;
                let whole = dwork_rothblum_vadhan(&step, times, &slack)?;
                let exact = optimal_delta(&step, times, whole.epsilon(), 128)?;
                check.holds(
                    exact.upper() <= slack,
                    format_args!("epsilon = {epsilon}, k = {times}, delta' = {slack}: {exact}"),
                );
                largest = largest.max(exact.upper() / &slack);
            }
        }
    }
    check.figure(
        "exact delta over delta', at most",
        to_scientific(&largest, 3),
    );
    Ok(())
}
