//! Theorem 6: the efficient learner (Algorithms 1 and 3) with the paper's constants.

use super::{Goal, ceiling, lemma_7, of, solve};
use crate::geometry::johnson_lindenstrauss::least_dimension;
use crate::halfspaces::HalfspaceError;
use crate::halfspaces::steps::runs_for;
use crate::number::range::above_zero_below_one;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;

/// The numbers of Theorem 6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theorem6 {
    /// The independent runs, `k = ceil(log2(8/beta))`.
    pub runs: u32,
    /// The distortion of the projection, `kappa = gamma/100`.
    pub kappa: Rational,
    /// The dimension `m` of the projection.
    pub dimension: BigUint,
    /// The records that Claim 6.1 (the training error) asks for, at this `m` and `n`.
    pub training: BigUint,
    /// The records that Claim 6.2 (the generalisation) asks for, at this `m` and `n`.
    pub generalisation: BigUint,
    /// The records `n`: both claims hold.
    pub records: BigUint,
    /// The gradient steps of all runs, `k n^2`.
    pub gradient_steps: BigUint,
}

impl Theorem6 {
    /// The operations of all steps, each on one record in dimension `m`: `k n^2 m`.
    #[must_use]
    pub fn operations(&self) -> BigUint {
        &self.gradient_steps * &self.dimension
    }
}

/// Theorem 6 with the paper's constants: projections distorted by `gamma/100`, four norms per record,
/// a hinge loss with slope `100/(86 gamma)`, `n^2` stochastic steps per run.
///
/// The budget is split so that it is not overspent: `epsilon/(2k)` and `delta/k` for each run and
/// `epsilon/2` for the choice among them. That the noise of Algorithm 3 gives this privacy is another
/// matter (`nuz20.alg-noisegd`); here it only determines the utility.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < delta < 1`.
pub fn theorem_6(goal: &Goal, delta: &Rational) -> Result<Theorem6, HalfspaceError> {
    above_zero_below_one("delta", delta)?;
    let kappa = &goal.gamma / integer(100);
    let runs = runs_for(&goal.beta);
    let dimension = |n: &BigUint| least_dimension(&goal.norm_failure(4, n), &kappa);
    let training = |m: &BigUint, n: &BigUint| -> Result<Enclosure, HalfspaceError> {
        Ok(excess(goal, delta, m, n)? * of(&(integer(4) / &goal.alpha)))
    };
    let records = solve(|n| {
        let m = dimension(n)?;
        Ok(training(&m, n)?.max(&lemma_7(goal, &m, n)?))
    })?;
    let m = dimension(&records)?;
    Ok(Theorem6 {
        runs,
        training: ceiling(&training(&m, &records)?),
        generalisation: ceiling(&lemma_7(goal, &m, &records)?),
        gradient_steps: &records * &records * runs,
        kappa,
        dimension: m,
        records,
    })
}

/// Theorem 3 with constants: with probability `1 - beta/4` the total loss exceeds the least by at most
/// `16 (1 + ln n) L sqrt(1 + 128 k^2 m ln(nk/delta) ln(k/delta) / epsilon^2) + (4R/epsilon) ln(8k/beta)`.
///
/// One run: the last of `T = n^2` iterates is within `2 D G (2 + ln T) / sqrt T` of the least loss in
/// expectation, where `D = 2` and `G^2 = n^2 L^2 + m sigma^2` (Shamir and Zhang 2013, Theorem 2), with
/// `sigma^2 = 32 n^2 L^2 ln(n/delta') ln(1/delta') / epsilon'^2`, `epsilon' = epsilon/(2k)` and
/// `delta' = delta/k`. The best of `k` runs: at most twice that, except with probability `beta/8`.
/// The choice (exponential mechanism at `epsilon/2`, sensitivity `R`) adds the last term, except with
/// probability `beta/8`. The hinge loss ranges over `[0, R]`, `R = (96 gamma + 100)/(86 gamma)`.
fn excess(
    goal: &Goal,
    delta: &Rational,
    m: &BigUint,
    n: &BigUint,
) -> Result<Enclosure, HalfspaceError> {
    let one = of(&integer(1));
    let k = integer(runs_for(&goal.beta));
    let n = super::whole(n);
    let slope = of(&(integer(100) / (integer(86) * &goal.gamma)));
    let range = of(&((&goal.gamma * integer(96) + integer(100)) / (&goal.gamma * integer(86))));
    let noise = of(&(integer(128) * &k * &k * super::whole(m) / (&goal.epsilon * &goal.epsilon)))
        * of(&(&n * &k / delta)).ln()?
        * of(&(&k / delta)).ln()?;
    let descent = of(&integer(16)) * (&one + of(&n).ln()?) * slope * (&one + noise).sqrt()?;
    let choice =
        of(&(integer(4) / &goal.epsilon)) * range * of(&(ratio(8, 1) * &k / &goal.beta)).ln()?;
    Ok(descent + choice)
}

#[cfg(test)]
mod tests {
    use super::super::tests::goal;
    use super::*;

    #[test]
    fn the_paper_s_constants_ask_for_hundreds_of_billions_of_records() {
        let delta = ratio(1, 1_000_000);
        let numbers = |goal: &Goal| {
            let theorem = theorem_6(goal, &delta).unwrap();
            assert!(theorem.training.clone().max(theorem.generalisation) <= theorem.records);
            (theorem.dimension.to_string(), theorem.records.to_string())
        };
        let expected = |m: &str, n: &str| (m.to_owned(), n.to_owned());
        assert_eq!(
            numbers(&goal("0.1", "0.1", "0.3", "1")),
            expected("17312734", "597462702023")
        );
        assert_eq!(
            numbers(&goal("0.1", "0.1", "0.1", "1")),
            expected("164940283", "6151980255363")
        );
        assert_eq!(
            numbers(&goal("0.25", "0.25", "0.9", "1")),
            expected("1608858", "14150041601")
        );
    }

    #[test]
    fn every_run_takes_as_many_steps_as_there_are_pairs_of_records() {
        let theorem = theorem_6(&goal("0.1", "0.1", "0.3", "1"), &ratio(1, 1_000_000)).unwrap();
        // 7 times 597462702023^2, and 17312734 operations each.
        assert_eq!(
            theorem.gradient_steps.to_string(),
            "2498731762160368618047703"
        );
        assert_eq!(
            theorem.operations().to_string(),
            "43259878335633727226207481350002"
        );
    }
}
