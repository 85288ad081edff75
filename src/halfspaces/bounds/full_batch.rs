//! The efficient learner with full gradients: what Theorem 6 becomes when every step is elementary.
//!
//! Algorithm 3 samples one record per step and returns the last iterate; its analysis needs a theorem on
//! last iterates and one on privacy amplification. Full gradients, whose noise is accounted in
//! zero-concentrated differential privacy, and the average iterate need neither.

use super::{Goal, lemma_7, margin_left, of, solve, whole};
use crate::geometry::johnson_lindenstrauss::least_dimension;
use crate::halfspaces::HalfspaceError;
use crate::halfspaces::full_batch::damping;
use crate::halfspaces::steps::{rounding_of_a_record, runs_for};
use crate::number::range::above_zero_below_one;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::Zero;

/// The numbers of the full-batch learner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullBatch {
    /// The independent runs, `k = ceil(log2(8/beta))`.
    pub runs: u32,
    /// The distortion `kappa` of the projection.
    pub kappa: Rational,
    /// The margin of the hinge loss `max(0, 1 - s/margin)`: what the projection leaves.
    pub margin: Rational,
    /// The dimension `m` of the projection.
    pub dimension: BigUint,
    /// The records `n`; each run takes `n^2` steps.
    pub records: BigUint,
}

impl FullBatch {
    /// The gradient steps of all runs, `k n^2`, each of `n` records.
    #[must_use]
    pub fn gradient_steps(&self) -> BigUint {
        &self.records * &self.records * self.runs
    }

    /// The operations of all steps, each on `n` records in dimension `m`: `k n^3 m`.
    #[must_use]
    pub fn operations(&self) -> BigUint {
        self.gradient_steps() * &self.records * &self.dimension
    }
}

/// The full-batch learner with distortion `kappa = fraction * gamma`.
///
/// `k` runs of `T = n^2` projected gradient steps from 0 on the total loss, each step with Gaussian
/// noise, share `(epsilon/2, delta)`; the exponential mechanism at `epsilon/2` chooses among the averages.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < delta < 1` and `0 < fraction < 1`.
pub fn full_batch(
    goal: &Goal,
    delta: &Rational,
    fraction: &Rational,
) -> Result<FullBatch, HalfspaceError> {
    from_distance(goal, delta, fraction, 1)
}

/// The full-batch learner with the best `kappa` among `gamma/20, ..., 19 gamma/20`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < delta < 1`.
pub fn full_batch_best(goal: &Goal, delta: &Rational) -> Result<FullBatch, HalfspaceError> {
    let mut best = full_batch(goal, delta, &ratio(1, 20))?;
    for twentieths in 2..20 {
        let next = full_batch(goal, delta, &ratio(twentieths, 20))?;
        if next.records < best.records {
            best = next;
        }
    }
    Ok(best)
}

/// The learner started at most `distance` away from the separator; from 0 this is 1.
fn from_distance(
    goal: &Goal,
    delta: &Rational,
    fraction: &Rational,
    distance: u32,
) -> Result<FullBatch, HalfspaceError> {
    above_zero_below_one("delta", delta)?;
    above_zero_below_one("fraction", fraction)?;
    let kappa = fraction * &goal.gamma;
    let margin = margin_left(&goal.gamma, &kappa);
    let half = &goal.epsilon / integer(2);
    let rho = concentrated_budget(&half, delta)?;
    let runs = runs_for(&goal.beta);
    // Two norms per record.
    let dimension = |n: &BigUint| least_dimension(&goal.norm_failure(2, n), &kappa);
    let records = solve(|n| {
        let m = dimension(n)?;
        let per_run = rho.divided_by(&Enclosure::integer(runs, super::BITS))?;
        // Twice the expectation, for all runs but a 2^-k share of the outcomes (Markov).
        let descent = descent_excess(&whole(n), &whole(n).pow(2), &whole(&m), &per_run, &margin)?
            * Enclosure::integer(2 * distance, super::BITS);
        let choice = choice_excess(&margin, &half, &(integer(8 * runs) / &goal.beta))?;
        let training = (descent + choice) * of(&(integer(4) / &goal.alpha));
        Ok(training.max(&lemma_7(goal, &m, n)?))
    })?;
    Ok(FullBatch {
        runs,
        dimension: dimension(&records)?,
        kappa,
        margin,
        records,
    })
}

/// The zCDP budget `(sqrt(ln(1/delta) + epsilon) - sqrt(ln(1/delta)))^2`: the solution of
/// `rho + 2 sqrt(rho ln(1/delta)) = epsilon` (Bun and Steinke 2016, Proposition 1.3).
pub(super) fn concentrated_budget(
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Enclosure, HalfspaceError> {
    let log = of(&(integer(1) / delta)).ln()?;
    // epsilon / (sum of the roots) is their difference, without cancellation.
    let sum = (&log + of(epsilon)).sqrt()? + log.sqrt()?;
    Ok(of(epsilon).divided_by(&sum)?.squared())
}

/// The expected excess of the average of `T` noisy full-gradient steps per unit of starting distance:
/// `L sqrt(n^2/T + 2m/rho)` with `L = 1/margin`.
///
/// A step has sensitivity `2L` under substitution, so that `sigma^2 = 2 T L^2 / rho` per coordinate makes
/// all of them rho-zCDP. Projected steps of length `eta` give `D^2/(2 eta T) + eta G^2/2` on average, with
/// `G^2 = n^2 L^2 + m sigma^2`; the best `eta = D/(G sqrt T)` gives `D G/sqrt T`.
pub(super) fn descent_excess(
    n: &Rational,
    steps: &Rational,
    m: &Rational,
    rho: &Enclosure,
    margin: &Rational,
) -> Result<Enclosure, HalfspaceError> {
    let noise = of(&(integer(2) * m)).divided_by(rho)?;
    let root = (of(&(n * n / steps)) + noise).sqrt()?;
    Ok(root.divided_by(&of(margin))?)
}

/// A run of noisy projected gradient descent on the grid of step `2^-bits`: what its rounding depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundedDescent {
    /// The records `n`.
    pub records: u64,
    /// The dimension `m` of the descent.
    pub dimension: u64,
    /// The gradient steps `T`.
    pub steps: u64,
    /// The margin of the loss.
    pub margin: Rational,
    /// Over so much of the margin its slope falls, a multiple of the grid's step; 0 for the hinge loss.
    pub width: Rational,
    /// The variance of the noise on each coordinate of the sum of unit gradients.
    pub variance: Rational,
    /// The bits of the grid.
    pub bits: u32,
}

impl RoundedDescent {
    /// What rounding the steps and the average may add to the expected excess loss of the average, rounded
    /// up: `(1/margin) (sqrt(T (n^2 + m sigma^2)) (2 e + e^2/2) + n e/2)` with `e` twice
    /// [`rounding_of_a_record`]; on a smoothed loss `n/width + r` is in the place of the root, for the [`damping`] `r`, and
    /// `7 n e/2` in that of `n e/2`.
    ///
    /// Proof: a step is rounded twice, by at most `sqrt(m) 2^-bits` each time: before the projection on the
    /// ball, which brings it no farther from a point `u` of the ball (nor does the cut at a box around the
    /// ball), and after it. Let `a` be the distance from `u` before the step and `b` that of the exact step
    /// before its projection: the distance after it is at most `b + e`, and at most 2, so that its square is
    /// at most `b^2 + 4 e + e^2` (if `b >= 2` it is at most `b^2`). In the sum over the steps the excess of
    /// the average grows by `(4 e + e^2) / (2 eta)`, where `1/eta = sqrt(T (n^2 + m sigma^2)) / margin`.
    /// The average moves by at most `e/2`, over which the total loss changes by at most `n/margin` times that.
    ///
    /// Smoothed, the loss is taken where a step ends, after its rounding: `n e` more. And the gradient of a record is rounded by
    /// at most `e`: its slope by a step of the grid, and each coordinate. The end of a step is at most 2 from `u`: `2 n e` more.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn of_the_steps(&self) -> Result<Rational, HalfspaceError> {
        let e = of(&(rounding_of_a_record(self.dimension, self.bits) * integer(2)));
        let n = integer(self.records);
        let squared_noise = integer(self.dimension) * &self.variance;
        let (reciprocal_rate, halves) = if self.width.is_zero() {
            let squared = (&n * &n + squared_noise) * integer(self.steps);
            (of(&squared).sqrt()?, 1u32)
        } else {
            let damping = integer(damping(&squared_noise, self.steps));
            (of(&(&n / &self.width + damping)), 7)
        };
        let descent = reciprocal_rate * (e.shifted(1) + e.squared().shifted(-1));
        let average = of(&(n * integer(halves))) * e.shifted(-1);
        let sum = (descent + average).divided_by(&of(&self.margin))?;
        Ok(sum.upper())
    }
}

/// What the exponential mechanism adds: `(2R/epsilon) ln(odds)`, where `R = 1 + 1/margin` is the range of
/// the loss, and so the sensitivity of a total loss, and `odds = k / failure`.
pub(super) fn choice_excess(
    margin: &Rational,
    epsilon: &Rational,
    odds: &Rational,
) -> Result<Enclosure, HalfspaceError> {
    let range = integer(1) + integer(1) / margin;
    Ok(of(&(integer(2) * range / epsilon)) * of(odds).ln()?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::goal;
    use super::*;

    #[test]
    fn full_gradients_need_a_hundred_thousand_times_fewer_records() {
        let delta = ratio(1, 1_000_000);
        for (goal, fraction, dimension, records) in [
            (
                goal("0.1", "0.1", "0.3", "1"),
                ratio(17, 20),
                1979u32,
                6_168_341u32,
            ),
            (
                goal("0.1", "0.1", "0.1", "1"),
                ratio(17, 20),
                16_931,
                52_758_520,
            ),
            (
                goal("0.25", "0.25", "0.9", "1"),
                ratio(17, 20),
                294,
                344_867,
            ),
        ] {
            let best = full_batch_best(&goal, &delta).unwrap();
            assert_eq!(best.kappa, fraction * &goal.gamma);
            assert_eq!(best.dimension, dimension.into());
            assert_eq!(best.records, records.into());
        }
    }

    #[test]
    fn a_start_anywhere_in_the_ball_is_at_distance_two() {
        let delta = ratio(1, 1_000_000);
        let numbers = |goal: &Goal, fraction| {
            let found = from_distance(goal, &delta, &fraction, 2).unwrap();
            (found.dimension, found.records)
        };
        let expected = |m: u32, n: u32| (m.into(), n.into());
        assert_eq!(
            numbers(&goal("0.1", "0.1", "0.3", "1"), ratio(3, 4)),
            expected(2504, 7_804_232)
        );
        assert_eq!(
            numbers(&goal("0.1", "0.1", "0.1", "1"), ratio(4, 5)),
            expected(19_207, 67_264_793)
        );
        assert_eq!(
            numbers(&goal("0.25", "0.25", "0.9", "1"), ratio(7, 10)),
            expected(370, 413_089)
        );
    }

    #[test]
    fn rounding_is_paid_for_on_coarse_grids() {
        let descent = |bits| RoundedDescent {
            records: 1000,
            dimension: 4,
            steps: 100,
            margin: ratio(1, 2),
            width: integer(0),
            variance: integer(750_000),
            bits,
        };
        // e = 4/1024; sqrt(100 (10^6 + 3 10^6)) = 20_000; 2 (20_000 (2 e + e^2/2) + 1000 e/2).
        let e = ratio(4, 1024);
        let expected =
            (&e * integer(2) + &e * &e / integer(2)) * integer(40_000) + &e * integer(1000);
        let found = descent(10).of_the_steps().unwrap();
        assert!(found >= expected && found < expected * ratio(1_000_001, 1_000_000));
        assert!(descent(30).of_the_steps().unwrap() < ratio(1, 1000));
        // Smoothed over 1/4: 4000 + 17321, since sqrt(100 3 10^6) = 17320.5, in the place of 20_000, and 7 n e/2.
        let smoothed = RoundedDescent {
            width: ratio(1, 4),
            ..descent(10)
        };
        let expected =
            (&e * integer(2) + &e * &e / integer(2)) * integer(42_642) + &e * integer(7000);
        let found = smoothed.of_the_steps().unwrap();
        assert!(found >= expected && found < expected * ratio(1_000_001, 1_000_000));
    }

    #[test]
    fn the_concentrated_budget_is_spent_exactly() {
        let (epsilon, delta) = (ratio(1, 2), ratio(1, 1000));
        let rho = concentrated_budget(&epsilon, &delta).unwrap();
        let log = of(&integer(1000)).ln().unwrap();
        let spent = &rho + (&rho * log).sqrt().unwrap().shifted(1);
        assert!(spent.contains(&epsilon) && spent.has_digits(30));
    }

    #[test]
    fn the_operations_are_those_of_all_records_in_all_steps_of_all_runs() {
        let numbers = FullBatch {
            runs: 7,
            kappa: ratio(1, 4),
            margin: ratio(1, 4),
            dimension: 3u32.into(),
            records: 10u32.into(),
        };
        // 7 runs of 100 steps; each step goes through 10 records of 3 coordinates.
        assert_eq!(numbers.gradient_steps(), 700u32.into());
        assert_eq!(numbers.operations(), 21_000u32.into());
    }
}
