//! Algorithm 2, the test data dependent learner (TDDL): a model made of noisy predictions at public points.

use super::calibration::Calibration;
use super::{AnswerGrid, InSpan, KernelError, KernelOn, Predictor, Sensitivity};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::Point;
use crate::law::Noise;
use crate::number::range::{above_zero, require};
use crate::number::{Rational, rational};
use crate::privacy::Budget;
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;

/// Learns from `w*`, which is **not private**, and the public points `z_1, ..., z_T`. What is returned is private: by the
/// plan's budget under substitution, if no prediction moves by more than the sensitivity that the plan was made for.
///
/// Every public point counts, also one that is there again.
///
/// # Errors
/// [`KernelError::Parameter`] unless there are as many points as planned; [`KernelError::Geometry`] for a point outside the
/// domain, both before anything is drawn; those of the coins.
pub fn learn(
    w: &impl Predictor,
    kernel: &KernelOn,
    public: &[Point],
    plan: &TestDependentPlan,
    coins: &mut impl Coins,
) -> Result<InSpan, KernelError> {
    check(kernel, public, plan.points)?;
    // 1. y_t = <w*, phi(z_t)> + b_t with b_t ~ Lap(nu), all of them before anything is fitted.
    let targets = plan.noisy_targets(w, public, coins)?;
    // 2. w^ = argmin over |w| <= C0 of (1/T) sum of (<w, phi(z_t)> - y_t)^2, in the span of the phi(z_t).
    let targets = targets.iter().map(|steps| plan.grid.value(steps));
    Ok(fit(kernel, public, targets, &plan.norm_bound))
}

/// Step 2: what is fitted to the targets.
pub(super) fn fit(
    kernel: &KernelOn,
    public: &[Point],
    targets: impl Iterator<Item = Rational>,
    norm_bound: &Rational,
) -> InSpan {
    let targets: Vec<f64> = targets.map(|y| rational::to_f64_for_display(&y)).collect();
    let bound = rational::to_f64_for_display(norm_bound);
    InSpan::nearest(kernel, public, &targets, bound)
}

/// That there are as many public points as planned, not too many, in the domain.
pub(super) fn check(kernel: &KernelOn, public: &[Point], planned: u64) -> Result<(), KernelError> {
    let right = planned <= MOST_POINTS;
    let expected = "at most 2^14: their kernel is kept";
    require(right, "the number of public points", &planned, expected)?;
    let right = public.len() as u64 == planned;
    let expected = "as many as planned for";
    require(right, "the public points", &public.len(), expected)?;
    for z in public {
        kernel.domain().check(z)?;
    }
    Ok(())
}

/// What is chosen of Algorithm 2. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestDependent {
    /// The budget, under substitution.
    pub budget: Budget,
    /// The noise of a target.
    pub calibration: Calibration,
    /// `C0`, above 0: the set that is searched is `|w| <= C0`.
    pub norm_bound: Rational,
}

impl TestDependent {
    /// What is drawn for so many public points. A prediction is rounded to a thousandth of its sensitivity.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `C0 > 0` and there is a point; those of
    /// [`Calibration::loss`].
    pub fn plan(
        &self,
        sensitivity: &Sensitivity,
        points: u64,
    ) -> Result<TestDependentPlan, KernelError> {
        let loss = self.calibration.loss(points, &self.budget)?;
        let whole = self.calibration.whole(&self.budget);
        let grid = AnswerGrid::new(sensitivity, STEPS_TO_A_SENSITIVITY)?;
        TestDependentPlan::new(grid, points, loss, whole, self.norm_bound.clone())
    }
}

const STEPS_TO_A_SENSITIVITY: u64 = 1 << 10;

/// The most public points: the values of the kernel between them take 2 GiB.
const MOST_POINTS: u64 = 1 << 14;

/// What is drawn. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestDependentPlan {
    grid: AnswerGrid,
    points: u64,
    loss: Rational,
    noise: DiscreteLaplace,
    whole: Promise,
    norm_bound: Rational,
}

impl TestDependentPlan {
    /// Targets on this grid, each with the privacy loss `loss`, which together keep the promise `whole`.
    pub(super) fn new(
        grid: AnswerGrid,
        points: u64,
        loss: Rational,
        whole: Promise,
        norm_bound: Rational,
    ) -> Result<Self, KernelError> {
        above_zero("the norm bound", &norm_bound)?;
        above_zero("the loss of a target", &loss)?;
        // nu = S'/loss, in steps of the grid.
        let scale = Rational::from_integer(grid.per_sensitivity().into()) / &loss;
        Ok(Self {
            noise: DiscreteLaplace::new(scale)?,
            grid,
            points,
            loss,
            whole,
            norm_bound,
        })
    }

    /// The grid of the targets.
    #[must_use]
    pub fn grid(&self) -> &AnswerGrid {
        &self.grid
    }

    /// The noise of a target, in steps of the grid.
    #[must_use]
    pub fn noise(&self) -> &DiscreteLaplace {
        &self.noise
    }

    /// What a target costs.
    #[must_use]
    pub fn loss(&self) -> &Rational {
        &self.loss
    }

    /// `C0`.
    #[must_use]
    pub fn norm_bound(&self) -> &Rational {
        &self.norm_bound
    }

    /// Step 1: the targets, in steps of the grid.
    pub fn noisy_targets(
        &self,
        w: &impl Predictor,
        public: &[Point],
        coins: &mut impl Coins,
    ) -> Result<Vec<BigInt>, KernelError> {
        let each = Promise::Pure(self.loss.clone());
        let stage = Stage::steps("the noisy targets", self.points, each, self.whole.clone());
        coins.stage(&stage);
        let mut targets = Vec::with_capacity(public.len());
        for z in public {
            let exact = self.grid.round(&w.prediction(z));
            targets.push(coins.draw(&self.noise.around(exact))?);
        }
        Ok(targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::geometry::Domain;
    use crate::kernels::{Dataset, Kernel, Problem, Record, fit};
    use crate::number::Grid;
    use crate::number::rational::{integer, parse};
    use crate::optimise::erm::Loss;
    use crate::privacy::NeighbouringRelation::Substitute;

    fn problem() -> (Problem, Domain) {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        (problem, Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap())
    }

    fn setting(calibration: Calibration, delta: &str, norm_bound: i64) -> TestDependent {
        let delta = parse(delta).unwrap();
        TestDependent {
            budget: Budget::approximate(integer(1), delta, Substitute).unwrap(),
            calibration,
            norm_bound: integer(norm_bound),
        }
    }

    #[test]
    fn public_points_are_refused_before_anything_is_drawn() {
        let (problem, domain) = problem();
        let point = |x| Point::dense(&[x]);
        let record = Record {
            point: point(2),
            label: 1,
        };
        let w = fit(&Dataset::new(domain, [(record, 9)]).unwrap(), &problem).unwrap();
        let sensitivity = problem.sensitivity(domain, 9).unwrap();
        let plan = setting(Calibration::Exact, "1e-6", 2)
            .plan(&sensitivity, 2)
            .unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        for wrong in [vec![point(1)], vec![point(1); 3], vec![point(1), point(3)]] {
            assert!(learn(&w, w.kernel(), &wrong, &plan, &mut coins).is_err());
        }
        assert_eq!(coins.consumed(), 0);
        assert!(learn(&w, w.kernel(), &[point(1), point(-2)], &plan, &mut coins).is_ok());
    }

    #[test]
    fn what_cannot_be_planned_is_refused() {
        let (problem, domain) = problem();
        let sensitivity = problem.sensitivity(domain, 9).unwrap();
        let plan = |calibration, delta, bound, points| {
            setting(calibration, delta, bound).plan(&sensitivity, points)
        };
        assert!(plan(Calibration::Closed, "0", 1, 5).is_err());
        assert!(plan(Calibration::Closed, "1e-6", 0, 5).is_err());
        assert!(plan(Calibration::Exact, "1e-6", 1, 0).is_err());
        let pure = plan(Calibration::Pure, "0", 1, 5).unwrap();
        assert_eq!(pure.loss(), &parse("1/5").unwrap());
        // S' = 2 * 4/9 is 1024 steps, and the scale 5 of it.
        assert_eq!(pure.grid().step() * integer(1024), parse("8/9").unwrap());
        assert_eq!(pure.noise().scale(), &integer(5120));
        assert_eq!(
            plan(Calibration::Exact, "0", 1, 5).unwrap().loss(),
            pure.loss()
        );
    }
}
