//! Where a learner is not worth its noise: the mean of the labels is likely to predict better. What is asked is public, so
//! that a refusal costs nothing.
//!
//! The constants were measured on white and red wine and on made-up records (`spec/random-features.md`); they are advice,
//! and no privacy rests on them.

use crate::number::Rational;
use crate::number::rational::{integer, ratio};
use thiserror::Error;

/// With fewer steps of descent the mean was better.
const LEAST_STEPS: u32 = 16;
/// With a penalty above this part of the records the mean was better.
const LEAST_SHARE: i64 = 12;
/// With a larger penalty than this part of the records R3 was worse than the mean on red wine.
const LEAST_SHARE_OF_RIDGE: i64 = 8;
/// With residuals clipped to less than this many labels over all records, R4 learns next to nothing.
const LEAST_REACH: i64 = 4;

/// Why the mean of the labels is likely to predict better.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TooNoisy {
    /// Descent may take so many steps.
    #[error("its noise allows {0} steps of descent, where {LEAST_STEPS} are needed")]
    FewSteps(u32),
    /// The statistics are shrunk.
    #[error("its noise asks for a penalty above a {LEAST_SHARE}th of the records")]
    Shrunk,
    /// The ridge's penalty is large.
    #[error(
        "its penalty is above an {LEAST_SHARE_OF_RIDGE}th of the records, and shrinks what they tell"
    )]
    LargePenalty,
    /// Residuals are clipped to little.
    #[error(
        "its residuals are clipped so that all records together weigh less than {LEAST_REACH} labels"
    )]
    ShortReach,
    /// A prediction has much noise.
    #[error("the noise of a prediction has a deviation above a sixth of the label's interval")]
    NoisyPrediction,
}

/// Of R6, whose noise allows so many steps.
///
/// # Errors
/// [`TooNoisy::FewSteps`] below 16.
pub fn of_descent(steps: u32) -> Result<(), TooNoisy> {
    (steps >= LEAST_STEPS)
        .then_some(())
        .ok_or(TooNoisy::FewSteps(steps))
}

/// Of R5, with this penalty for each of the records.
///
/// # Errors
/// [`TooNoisy::Shrunk`] above 1/12.
pub fn of_statistics(penalty_a_record: &Rational) -> Result<(), TooNoisy> {
    let fits = *penalty_a_record <= ratio(1, LEAST_SHARE);
    fits.then_some(()).ok_or(TooNoisy::Shrunk)
}

/// Of R3, with this penalty on so many records.
///
/// # Errors
/// [`TooNoisy::LargePenalty`] above an eighth of the records.
pub fn of_ridge(penalty: &Rational, records: usize) -> Result<(), TooNoisy> {
    let fits = penalty * integer(LEAST_SHARE_OF_RIDGE) <= integer(records as u64);
    fits.then_some(()).ok_or(TooNoisy::LargePenalty)
}

/// Of R4, with residuals of so many records clipped to this.
///
/// # Errors
/// [`TooNoisy::ShortReach`] below 4 in sum.
pub fn of_kaczmarz(residual_bound: &Rational, records: usize) -> Result<(), TooNoisy> {
    let reach = residual_bound * integer(records as u64);
    let fits = reach >= integer(LEAST_REACH);
    fits.then_some(()).ok_or(TooNoisy::ShortReach)
}

/// Of a fit that is released, with this variance of a prediction, labels being in [-1, 1].
///
/// # Errors
/// [`TooNoisy::NoisyPrediction`] above 1/9.
pub fn of_release(variance: &Rational) -> Result<(), TooNoisy> {
    let fits = *variance <= ratio(1, 9);
    fits.then_some(()).ok_or(TooNoisy::NoisyPrediction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_kept_where_it_is_met_and_refused_just_beyond() {
        assert_eq!(of_descent(16), Ok(()));
        assert_eq!(of_descent(15), Err(TooNoisy::FewSteps(15)));
        assert_eq!(of_statistics(&ratio(1, 12)), Ok(()));
        assert_eq!(of_statistics(&ratio(2, 23)), Err(TooNoisy::Shrunk));
        assert_eq!(of_ridge(&integer(3), 24), Ok(()));
        assert_eq!(of_ridge(&integer(3), 23), Err(TooNoisy::LargePenalty));
        assert_eq!(of_kaczmarz(&ratio(1, 4), 16), Ok(()));
        assert_eq!(of_kaczmarz(&ratio(1, 4), 15), Err(TooNoisy::ShortReach));
        assert_eq!(of_release(&ratio(1, 9)), Ok(()));
        assert_eq!(of_release(&ratio(2, 17)), Err(TooNoisy::NoisyPrediction));
    }
}
