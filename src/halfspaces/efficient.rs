//! Algorithm 3 (= Algorithm 1 with procedure F and Noise-GD), repaired.
//!
//! As printed, its choice read at its own epsilon, it spends its budget twice, and its noise is certified for some
//! (epsilon, delta) only; see [`super::as_printed`] and `nuz20.alg-F`, `nuz20.alg-noisegd`, `nuz20.e4` and `nuz20.e6` in
//! `spec/halfspaces.md`. Repaired: half the budget for the candidates and half for the choice among them, noise from an unconditional certificate, a total map
//! `x -> x_A`, and the logarithm to base 2. Its `n^2` steps make it slow; [`super::full_batch`] is the
//! learner to use.

use super::data::{Dataset, EfficientModel, Shape};
use super::error::HalfspaceError;
use super::one_record_gradient::OneRecordGradient;
use super::steps::{
    Chosen, Hinge, check_goal, check_shape, choose, draw_projection, pull_back, runs_for,
    unit_points,
};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::johnson_lindenstrauss;
use crate::number::chosen::from_theorem;
use crate::number::{Grid, Rational};
use crate::optimise::noisy_descent;
use crate::prepared::DrawnOften;
use crate::privacy::{
    Budget, NeighbouringRelation, discrete_gaussian, one_record_descent::OneRecordDescent,
};
use crate::sample::{DiscreteGaussian, check_exponent};
use num_bigint::BigInt;
use std::sync::Arc;

/// Learns a halfspace by the repaired Algorithm 3; `(epsilon, delta)`-differentially private under
/// substitution of one record (ledger: `nuz20.alg3.corrected`).
///
/// Takes `runs * steps` draws of an `m`-dimensional Gaussian. For many models on data of one shape, calibrate
/// once: [`EfficientParameters::plan`].
///
/// # Errors
/// Those of [`check_shape`], of the calibration, the projection and the coins; none depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &EfficientParameters,
    coins: &mut impl Coins,
) -> Result<EfficientModel, HalfspaceError> {
    parameters.plan(data.shape())?.learn(data, coins)
}

/// The repaired Algorithm 3 with its noise calibrated: what depends on public values alone, so that one plan
/// serves any number of models. Each has the whole budget of the parameters.
pub struct EfficientPlan {
    parameters: EfficientParameters,
    shape: Shape,
    noise: NoiseGd,
}

impl EfficientPlan {
    /// Learns a model, as [`learn`] does with these parameters.
    ///
    /// # Errors
    /// [`HalfspaceError::Shape`] for data of another shape, which is public; those of the projection and the coins.
    pub fn learn(
        &self,
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<EfficientModel, HalfspaceError> {
        self.shape.check(data)?;
        let (rows, k) = (
            self.parameters.projected_dimension.value,
            self.parameters.runs.value,
        );
        // 1. Choose A, once, with entries +-1/sqrt(m).
        coins.stage(&Stage::public("the projection"));
        let projection = draw_projection(rows, data.dimension(), coins)?;
        // 2. S_A, each record as y x_A, x_A = A x / |A x|.
        let points = Arc::new(unit_points(data, projection.as_ref())?);
        // 3. C is the unit ball.
        // 4. l(w; (x, y)) = max(0, 96 gamma/100 - y <w, x>) / (86 gamma/100).
        let hinge = &self.parameters.hinge;
        // 5. Procedure F. 8, 9. Noise-GD k times, with (epsilon/2k, delta/k) each ...
        let candidates = (0..k)
            .map(|_| self.noise.run(&points, hinge, coins))
            .collect::<Result<Vec<_>, _>>()?;
        //    10. ... and epsilon/2 for the exponential mechanism on their total losses.
        let half = self.parameters.budget.epsilon() / BigInt::from(2);
        let chosen = choose(&candidates, &points, hinge, &half, data.grid(), coins)?;
        // 6. Return w^T A.
        let halfspace = pull_back(projection.as_ref(), &candidates[chosen])?;
        Ok(EfficientModel {
            projection,
            candidates,
            chosen,
            halfspace,
        })
    }
}

/// Noise-GD: one record a step, with Gaussian noise on `n` times its gradient.
pub struct NoiseGd {
    noise: DrawnOften<DiscreteGaussian>,
    // sigma^2 in units of the slope 1/width: so much noise has the coordinate of a unit gradient.
    squared_sigma: Rational,
    records: u64,
    steps: u64,
    one: i64,
    // What a run promises, and each of its steps.
    stage: Stage,
}

impl NoiseGd {
    /// Runs it, from the origin to the last point. For the ledger; the learner checks its data.
    ///
    /// # Errors
    /// [`HalfspaceError::Shape`] for another number of records than that of the budget, none among them; those of the coins.
    #[doc(hidden)]
    pub fn run(
        &self,
        points: &Arc<Vec<Vec<i64>>>,
        hinge: &Hinge,
        coins: &mut impl Coins,
    ) -> Result<Vec<i64>, HalfspaceError> {
        let n = points.len() as u64;
        let m = match points.first() {
            Some(first) if n == self.records => first.len(),
            _ => {
                return Err(HalfspaceError::Shape {
                    expected: format!("{} records", self.records),
                    found: format!("{n}"),
                });
            }
        };
        let kink = hinge.kink(self.one.pow(2));
        let of_the_first = self.squared_scale(1, n, m as u64);
        coins.stage(&self.stage);
        // 14. A point of C: the origin.
        let mut w = vec![0; m];
        for t in 1..self.steps {
            // 15. A uniform record; minus n times its gradient, in units of the slope L, is n y x_A below
            //     the kink and 0 from there on. Gaussian noise of variance sigma^2 on each coordinate.
            let gradient = coins.draw(&OneRecordGradient {
                points: Arc::clone(points),
                w: w.clone(),
                kink: kink.clone(),
                noise: self.noise.clone(),
            })?;
            //     A step of eta(t) = 2 / sqrt(t (n^2 L^2 + m sigma^2)), back into C.
            let squared_scale = times(&of_the_first, t);
            noisy_descent::step(&mut w, &gradient, &squared_scale, self.one);
        }
        // 16. The last point.
        Ok(w)
    }

    /// The descent with noise of a given variance parameter, in squared grid steps, that has this budget. For the ledger, which
    /// gives it the noise that is printed: whether that is enough for the budget is not looked at.
    #[doc(hidden)]
    pub fn with_variance(
        variance: Rational,
        each: &RunBudget,
        grid: Grid,
    ) -> Result<Self, HalfspaceError> {
        let one = grid.one();
        Ok(Self {
            squared_sigma: &variance / BigInt::from(one).pow(2),
            noise: DrawnOften::Plain(DiscreteGaussian::new(variance)?),
            records: each.records,
            steps: each.steps,
            one,
            stage: each.stage()?,
        })
    }

    /// The same for runs in dimension `m`: their noise is prepared, if they draw much of it.
    pub(super) fn in_dimension(mut self, m: usize) -> Result<Self, HalfspaceError> {
        let draws = self.steps.saturating_mul(m as u64);
        self.noise = DrawnOften::new(self.noise().clone(), draws)?;
        Ok(self)
    }

    /// The noise on each coordinate, in grid steps.
    pub fn noise(&self) -> &DiscreteGaussian {
        self.noise.law()
    }

    /// The square of `1 / (eta(t) L)`, where `eta(t) = 2 / sqrt(t (n^2 L^2 + m sigma^2))` is the learning
    /// rate of step `t`, and 2 the diameter of the unit ball.
    pub fn squared_scale(&self, t: u64, n: u64, m: u64) -> Rational {
        let squared_gradient = &self.squared_sigma * BigInt::from(m) + BigInt::from(n).pow(2);
        squared_gradient * BigInt::from(t) / BigInt::from(4)
    }
}

/// `scale t`, not in lowest terms: their greatest common divisor would take longer than the step.
fn times(scale: &Rational, t: u64) -> Rational {
    Rational::new_raw(scale.numer() * t, scale.denom().clone())
}

/// The parameters of the repaired Algorithm 3. All are public.
///
/// Privacy, `(epsilon, delta)` under substitution of one record, holds for all values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EfficientParameters {
    /// `(epsilon, delta)`, under substitution.
    pub budget: Budget,
    /// The loss.
    pub hinge: Hinge,
    /// The number `m` of rows of the projection; `None` for no projection.
    pub projected_dimension: Chosen<Option<usize>>,
    /// The number `k` of candidates.
    pub runs: Chosen<u32>,
    /// The number of points each run visits, the first included.
    pub steps: Chosen<u64>,
}

impl EfficientParameters {
    /// The parameters of Theorem 6 for `n` records in dimension `d`: `m` by the Johnson-Lindenstrauss
    /// lemma for `kappa = gamma/100` and failure `alpha beta^2 / (64 n)`, no projection if that is `d` or
    /// more, `k = ceil(log2(8/beta))` runs of `n^2` points.
    ///
    /// # Errors
    /// Those of [`check_goal`], and of the lemma.
    pub fn from_theorem(
        (alpha, beta): (&Rational, &Rational),
        budget: Budget,
        gamma: &Rational,
        (n, d): (usize, usize),
    ) -> Result<Self, HalfspaceError> {
        check_goal(alpha, beta, &budget, gamma)?;
        let failure = alpha * beta * beta / BigInt::from(64 * n as u64);
        let m = johnson_lindenstrauss::dimension(&failure, &(gamma / BigInt::from(100)))?;
        Ok(Self {
            budget,
            hinge: Hinge::of_algorithm_1(gamma),
            projected_dimension: from_theorem(usize::try_from(m).ok().filter(|&m| m < d)),
            runs: from_theorem(runs_for(beta)),
            steps: from_theorem((n as u64).saturating_mul(n as u64)),
        })
    }

    /// The variance parameter of the noise on each coordinate of `n` times a gradient in dimension `m`, in
    /// squared grid steps: so much that all `steps - 1` gradients of a run have `1/k` of half of epsilon
    /// and of all of delta, by the unconditional certificate of
    /// [`one_record_descent`](crate::privacy::one_record_descent).
    ///
    /// # Errors
    /// Those of the calibration.
    pub fn noise(&self, n: usize, m: usize, grid: Grid) -> Result<Rational, HalfspaceError> {
        let descent = self.run_budget(n)?.descent()?;
        // n times a gradient direction of norm at most one becomes n times another: 2 n in grid steps.
        let sensitivity = BigInt::from(2 * n as u64) * BigInt::from(grid.one());
        Ok(discrete_gaussian::variance(
            descent.own_step(),
            &sensitivity.pow(2),
            m as u64,
        )?)
    }

    /// `1/k` of half of epsilon and of all of delta.
    fn run_budget(&self, n: usize) -> Result<RunBudget, HalfspaceError> {
        let k = BigInt::from(self.runs.value);
        Ok(RunBudget {
            whole: Budget::approximate(
                self.budget.epsilon() / (&k * 2),
                self.budget.delta() / k,
                NeighbouringRelation::Substitute,
            )?,
            records: n as u64,
            steps: self.steps.value,
        })
    }
}

/// What one run of Noise-GD may spend on its `steps - 1` gradients.
pub struct RunBudget {
    /// What the run may spend.
    pub whole: Budget,
    /// `n`, the number of records.
    pub records: u64,
    /// `T`: the last point is that of step `T`.
    pub steps: u64,
}

impl RunBudget {
    fn descent(&self) -> Result<OneRecordDescent, HalfspaceError> {
        let gradients = self.steps.saturating_sub(1).max(1);
        let descent = OneRecordDescent::calibrated(&self.whole, self.records, gradients)?;
        Ok(descent)
    }

    /// The run as a stage: each gradient is private for the record that it reads.
    fn stage(&self) -> Result<Stage, HalfspaceError> {
        let descent = self.descent()?;
        let each = Promise::OfOneRecord {
            records: self.records,
            epsilon: descent.own_step().epsilon().clone(),
            delta: descent.own_step().delta().clone(),
        };
        let whole = Promise::Approximate {
            epsilon: self.whole.epsilon().clone(),
            delta: self.whole.delta().clone(),
        };
        let gradients = self.steps.saturating_sub(1);
        Ok(Stage::steps("a run of Noise-GD", gradients, each, whole))
    }
}

impl EfficientPlan {
    /// The shape of the data.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The noise on each coordinate of `n` times a gradient, in grid steps.
    #[must_use]
    pub fn noise(&self) -> &DiscreteGaussian {
        self.noise.noise()
    }
}

impl EfficientParameters {
    /// Calibrates the noise for data of a shape.
    ///
    /// # Errors
    /// Those of [`check_shape`] and of the calibration.
    pub fn plan(&self, shape: Shape) -> Result<EfficientPlan, HalfspaceError> {
        check_shape(shape.grid, self.runs.value, self.steps.value)?;
        check_exponent(self.budget.epsilon(), shape.records)?;
        let m = self.projected_dimension.value.unwrap_or(shape.dimension);
        Ok(EfficientPlan {
            noise: NoiseGd::with_variance(
                self.noise(shape.records, m, shape.grid)?,
                &self.run_budget(shape.records)?,
                shape.grid,
            )?
            .in_dimension(m)?,
            parameters: self.clone(),
            shape,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::halfspaces::steps::overridden;
    use crate::number::rational::{integer, ratio};

    fn small() -> (Dataset, EfficientParameters) {
        let record = |x, y, positive| crate::halfspaces::Record {
            features: vec![x, y],
            positive,
        };
        let records = vec![record(8, 4, true), record(-8, 3, false), record(7, 0, true)];
        let data = Dataset::new(Grid::new(4).unwrap(), 2, records).unwrap();
        let budget =
            Budget::approximate(integer(1), ratio(1, 100), NeighbouringRelation::Substitute);
        let goal = (&ratio(1, 2), &ratio(1, 2));
        let mut parameters =
            EfficientParameters::from_theorem(goal, budget.unwrap(), &ratio(1, 2), (3, 2)).unwrap();
        parameters.projected_dimension = overridden(Some(1));
        (data, parameters)
    }

    #[test]
    fn a_plan_learns_what_is_learned_without_one_and_refuses_other_shapes() {
        use crate::coins::ChaCha;
        let (data, parameters) = small();
        let plan = parameters.plan(data.shape()).unwrap();
        let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
        for _ in 0..3 {
            let planned = plan.learn(&data, &mut coins[0]).unwrap();
            assert_eq!(planned, learn(&data, &parameters, &mut coins[1]).unwrap());
        }
        // Fewer records would need other noise, and so would another grid.
        let fewer = Dataset::new(data.grid(), 2, data.records()[..2].to_vec()).unwrap();
        let finer = Dataset::new(Grid::new(5).unwrap(), 2, data.records().to_vec()).unwrap();
        for other in [fewer, finer] {
            let error = plan.learn(&other, &mut coins[0]).unwrap_err();
            assert!(matches!(error, HalfspaceError::Shape { .. }), "{error}");
        }
    }

    #[test]
    fn a_scale_times_t_is_that_of_step_t() {
        let (data, parameters) = small();
        let noise = parameters.plan(data.shape()).unwrap().noise;
        let first = noise.squared_scale(1, 3, 2);
        for t in [1, 2, 6, 1 << 40, u64::MAX] {
            let unreduced = times(&first, t);
            assert_eq!(unreduced.reduced(), noise.squared_scale(t, 3, 2), "{t}");
        }
    }

    #[test]
    fn the_noise_covers_n_times_the_gradient() {
        // Without its n the noise would be n times too small; its variance, n^2 times.
        let n = 20;
        let budget = |epsilon, delta| {
            Budget::approximate(epsilon, delta, NeighbouringRelation::Substitute).unwrap()
        };
        let goal = (&ratio(1, 10), &ratio(1, 10));
        let whole = budget(integer(7), ratio(7, 1000));
        let mut parameters =
            EfficientParameters::from_theorem(goal, whole, &ratio(1, 2), (n, 2)).unwrap();
        parameters.steps = overridden(30);
        let grid = Grid::new(4).unwrap();
        let variance = parameters.noise(n, 2, grid).unwrap();
        // The budget of one of seven runs, of which 29 steps are noisy.
        let descent =
            OneRecordDescent::calibrated(&budget(ratio(1, 2), ratio(1, 1000)), n as u64, 29)
                .unwrap();
        let own = descent.own_step();
        let reached = |squared: i64| {
            discrete_gaussian::delta(&variance, &squared.into(), 2, own.epsilon()).unwrap()
        };
        let sensitivity = 2 * n as i64 * grid.one();
        assert!(reached(sensitivity * sensitivity) <= *own.delta());
        assert!(reached(4 * sensitivity * sensitivity) > *own.delta());
    }

    #[test]
    fn the_repaired_algorithm_3_learns_a_separable_set() {
        let records = (0..12)
            .map(|i| super::super::Record {
                features: if i % 2 == 0 {
                    vec![200, 100]
                } else {
                    vec![-200, 100]
                },
                positive: i % 2 == 0,
            })
            .collect();
        let data = Dataset::new(Grid::new(8).unwrap(), 2, records).unwrap();
        let budget = Budget::approximate(
            ratio(400, 1),
            ratio(1, 1000),
            NeighbouringRelation::Substitute,
        )
        .unwrap();
        let goal = (&ratio(1, 10), &ratio(1, 10));
        let parameters =
            EfficientParameters::from_theorem(goal, budget, &ratio(1, 2), (12, 2)).unwrap();
        assert_eq!((parameters.runs.value, parameters.steps.value), (7, 144));
        let model = learn(
            &data,
            &parameters,
            &mut crate::coins::ChaCha::reproducible(5, 0),
        )
        .unwrap();
        assert_eq!(model.halfspace.errors(data.records()).unwrap(), 0);
    }

    #[test]
    fn a_step_is_two_over_the_root_of_t_times_the_squared_gradient() {
        // sigma = 6, n = 2 and m = 3: at t = 5 the step is 2/sqrt(5 (4 + 3 * 36)) = 1/sqrt(140).
        let grid = Grid::new(4).unwrap();
        let whole =
            Budget::approximate(integer(1), ratio(1, 1000), NeighbouringRelation::Substitute);
        let run = RunBudget {
            whole: whole.unwrap(),
            records: 2,
            steps: 9,
        };
        let variance = integer(36 * grid.one() * grid.one());
        let descent = NoiseGd::with_variance(variance, &run, grid).unwrap();
        assert_eq!(descent.squared_scale(5, 2, 3), integer(140));
        // Its budget is that of two records.
        let hinge = Hinge::of_algorithm_1(&ratio(1, 2));
        for count in [0, 1, 2, 3] {
            let points = Arc::new(vec![vec![1, 0, 0]; count]);
            let ran = descent.run(&points, &hinge, &mut ChaCha::reproducible(1, 0));
            assert_eq!(ran.is_ok(), count == 2, "{ran:?}");
        }
    }

    #[test]
    fn the_theorem_projects_only_to_fewer_dimensions() {
        let half = ratio(1, 2);
        let rows = |d| {
            let delta = ratio(1, 100);
            let budget =
                Budget::approximate(integer(1), delta, NeighbouringRelation::Substitute).unwrap();
            EfficientParameters::from_theorem((&half, &half), budget, &half, (3, d))
                .unwrap()
                .projected_dimension
                .value
        };
        // alpha beta^2 / (64 n), and gamma / 100.
        let m = johnson_lindenstrauss::dimension(&ratio(1, 8 * 64 * 3), &ratio(1, 200)).unwrap();
        let m = usize::try_from(m).unwrap();
        assert_eq!((rows(m), rows(m + 1)), (None, Some(m)));
    }
}
