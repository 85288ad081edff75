//! Procedure F', the practical learner: full gradients, accounted in zCDP.
//!
//! The same projection, loss and choice as Algorithm 3 ([`super::efficient`]); but each step sees the
//! gradient of the whole dataset, so that no amplification lemma is needed, and a run returns the average
//! of its points, so that standard convergence of projected gradient descent applies
//! (`spec/halfspaces.md`, `nuz20.full-batch`).

use super::data::{Dataset, EfficientModel, Shape};
use super::error::HalfspaceError;
use super::steps::{
    Chosen, Hinge, check_goal, check_shape, choose, draw_projection, overridden, pull_back,
    rounding_of_a_record, runs_for, unit_points,
};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::johnson_lindenstrauss;
use crate::number::chosen::from_theorem;
use crate::number::{Grid, Rational, rational};
use crate::optimise::hinge::inner_product;
use crate::optimise::noisy_descent;
use crate::prepared::DrawnOften;
use crate::privacy::{Budget, NeighbouringRelation, Zcdp, release};
use crate::sample::{DiscreteGaussian, check_exponent};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Learns a halfspace by F'; `(epsilon, delta)`-differentially private under substitution of one record
/// (ledger: `nuz20.full-batch`). For many models on data of one shape, calibrate once:
/// [`FullBatchParameters::plan`].
///
/// # Errors
/// Those of [`check_shape`], of the calibration, the projection and the coins; none depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &FullBatchParameters,
    coins: &mut impl Coins,
) -> Result<EfficientModel, HalfspaceError> {
    parameters.plan(data.shape())?.learn(data, coins)
}

/// F' with its noise calibrated: what depends on public values alone, so that one plan serves any number of
/// models. Each has the whole budget of the parameters.
pub struct FullBatchPlan {
    parameters: FullBatchParameters,
    shape: Shape,
    rho: Zcdp,
    steps: u64,
    noise: DrawnOften<DiscreteGaussian>,
}

impl FullBatchPlan {
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
        let parameters = &self.parameters;
        let (rows, k) = (parameters.projected_dimension.value, parameters.runs.value);
        // 1. Choose A, once, with entries +-1/sqrt(m).
        coins.stage(&Stage::public("the projection"));
        let projection = draw_projection(rows, data.dimension(), coins)?;
        // 2. S_A, each record as y x_A, x_A = A x / |A x|.
        let points = unit_points(data, projection.as_ref())?;
        // 3. The loss l(w; (x, y)) = max(0, 1 - y <w, x> / mu). k runs, with (epsilon/2, delta) together; one has all of epsilon.
        let hinge = Hinge::of_margin(&parameters.margin);
        coins.stage(&self.stage());
        let candidates = (0..k)
            .map(|_| self.run(&points, &hinge, coins))
            .collect::<Result<Vec<_>, _>>()?;
        // 4. epsilon/2 for the exponential mechanism on their total losses; among one candidate there is no choice.
        let chosen = if k == 1 {
            0
        } else {
            let half = parameters.budget.epsilon() / BigInt::from(2);
            choose(&candidates, &points, &hinge, &half, data.grid(), coins)?
        };
        // 5. Return w^T A.
        let halfspace = pull_back(projection.as_ref(), &candidates[chosen])?;
        Ok(EfficientModel {
            projection,
            candidates,
            chosen,
            halfspace,
        })
    }

    /// All gradients as a stage: `rho/(k T)` each, and together all of delta and [`share_of_the_runs`] of epsilon.
    fn stage(&self) -> Stage {
        let gradients = u64::from(self.parameters.runs.value) * self.steps;
        let each = self.rho.rho() / BigInt::from(gradients);
        let whole = Promise::Approximate {
            epsilon: share_of_the_runs(&self.parameters.budget, self.parameters.runs.value),
            delta: self.parameters.budget.delta().clone(),
        };
        Stage::steps(
            "the gradients",
            gradients,
            Promise::Concentrated(each),
            whole,
        )
    }

    /// One run of noisy projected gradient descent: `T` gradients, from the origin.
    fn run(
        &self,
        points: &[Vec<i64>],
        hinge: &Hinge,
        coins: &mut impl Coins,
    ) -> Result<Vec<i64>, HalfspaceError> {
        let (m, one, steps) = (points[0].len(), self.shape.grid.one(), self.steps);
        // Only an inner product that fits in 64 bits is compared, and the kink is at most 2^60.
        let kink = hinge.kink(one.pow(2)).to_i64().unwrap_or(i64::MAX);
        let squared_scale = self.squared_scale();
        let mut w = vec![0i64; m];
        let mut sum = vec![0i128; m];
        for _ in 0..steps {
            for (total, x) in sum.iter_mut().zip(&w) {
                *total += i128::from(*x);
            }
            // a. Minus the gradient at w, in units of L: the sum of y x_A over y <w, x_A> < mu.
            let gradient = descent_direction(&w, points, kink);
            // b. Made private: noise of variance sigma^2 on each coordinate.
            let noisy = release(gradient, &self.noise, coins)?;
            // c. w <- w + eta L (that), projected on the unit ball.
            noisy_descent::step(&mut w, &noisy, &squared_scale, one);
        }
        // d. The average of the points where gradients were taken; rounded towards zero, so that it stays
        //    in the ball.
        let average = |total: &i128| (total / i128::from(steps)) as i64;
        Ok(sum.iter().map(average).collect())
    }

    /// `1 / (eta L)^2` for the learning rate `eta = 1 / (L sqrt(T (n^2 + m sigma^2)))`, with the slope `L = 1/mu`
    /// and `sigma^2` in units of `L^2`: the origin is at most 1 away from every point of the ball.
    fn squared_scale(&self) -> Rational {
        let squared_sigma = self.noise().variance() / BigInt::from(self.shape.grid.one()).pow(2);
        let squared_records = BigInt::from(self.shape.records).pow(2);
        (squared_sigma * BigInt::from(self.dimension()) + squared_records)
            * BigInt::from(self.steps)
    }
}

/// Minus the gradient at `w`, in units of the slope: the sum of `y x_A` over the records below the kink.
/// A record more or less moves it by at most one, so that a substituted one moves it by at most 2.
///
/// Sums of up to 2^33 vectors of norm 2^30 fit in 64 bits.
#[must_use]
pub fn descent_direction(w: &[i64], points: &[Vec<i64>], kink: i64) -> Vec<i64> {
    let mut direction = vec![0i64; w.len()];
    for point in points {
        if inner_product(w, point) < kink {
            for (sum, x) in direction.iter_mut().zip(point) {
                *sum += x;
            }
        }
    }
    direction
}

/// The parameters of F'. All are public.
///
/// Privacy, `(epsilon, delta)` under substitution of one record, holds for all values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullBatchParameters {
    /// `(epsilon, delta)`, under substitution.
    pub budget: Budget,
    /// The margin `mu` of the loss `max(0, 1 - y <w, x> / mu)`.
    pub margin: Rational,
    /// The number `m` of rows of the projection; `None` for no projection.
    pub projected_dimension: Chosen<Option<usize>>,
    /// The number `k` of candidates.
    pub runs: Chosen<u32>,
    /// The number `T` of gradients of each run; `None` for [`balanced_steps`], which depend on `m`.
    pub steps: Option<u64>,
}

impl FullBatchParameters {
    /// The parameters of F' for `n` records in dimension `d`: distortion `kappa = gamma/2`, `m` by the
    /// Johnson-Lindenstrauss lemma for failure `alpha beta^2 / (32 n)` (two events a record), no
    /// projection if that is `d` or more, and then no distortion either; margin
    /// `mu = (gamma - kappa) / (1 + kappa)`, `k = ceil(log2(8/beta))`.
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
        let kappa = gamma / BigInt::from(2);
        let failure = alpha * beta * beta / BigInt::from(32 * n as u64);
        let m = johnson_lindenstrauss::dimension(&failure, &kappa)?;
        let rows = usize::try_from(m).ok().filter(|&m| m < d);
        Ok(Self {
            budget,
            margin: margin_left(gamma, rows),
            projected_dimension: from_theorem(rows),
            runs: from_theorem(runs_for(beta)),
            steps: None,
        })
    }
}

impl FullBatchParameters {
    /// The same parameters with one run, so that nothing is spent on a choice; and with the projection only where the bound on
    /// the excess loss, which grows as `sqrt(m)/mu` (`nuz20.full-batch`), is smaller with it. Public numbers alone decide.
    #[must_use]
    pub fn with_one_run(self, gamma: &Rational, dimension: usize) -> Self {
        let squared_bound = |rows: Option<usize>| {
            let squared_margin = margin_left(gamma, rows).pow(2);
            rational::integer(rows.unwrap_or(dimension) as u64) / squared_margin
        };
        let rows = self.projected_dimension.value;
        let rows = rows.filter(|&m| squared_bound(Some(m)) < squared_bound(None));
        Self {
            margin: margin_left(gamma, rows),
            projected_dimension: overridden(rows),
            runs: overridden(1),
            ..self
        }
    }
}

/// The margin that the theorem's projection leaves of `gamma`: `(gamma - kappa) / (1 + kappa)` at
/// distortion `kappa = gamma/2`, and all of it without a projection. A projection to fewer rows than the
/// theorem's may distort more.
#[must_use]
pub fn margin_left(gamma: &Rational, rows: Option<usize>) -> Rational {
    match rows {
        Some(_) => gamma / (gamma + rational::integer(2)),
        None => gamma.clone(),
    }
}

impl FullBatchParameters {
    /// Calibrates the noise for data of a shape.
    ///
    /// # Errors
    /// Those of [`check_shape`] and of the calibration.
    pub fn plan(&self, shape: Shape) -> Result<FullBatchPlan, HalfspaceError> {
        let k = self.runs.value;
        check_shape(shape.grid, k, self.steps.unwrap_or(1))?;
        check_exponent(self.budget.epsilon(), shape.records)?;
        let m = self.projected_dimension.value.unwrap_or(shape.dimension);
        let rho = concentrated(&self.budget, k)?;
        let steps = match self.steps {
            Some(steps) => steps,
            None => balanced_steps(&rho, shape.records, m, k),
        };
        let draws = steps.saturating_mul(m as u64).saturating_mul(k.into());
        Ok(FullBatchPlan {
            noise: DrawnOften::new(noise(&rho, k, steps, shape.grid)?, draws)?,
            parameters: self.clone(),
            shape,
            rho,
            steps,
        })
    }

    /// The same parameters with the margin of the loss that is left of `gamma`, so that the separator's loss
    /// is 0: with a projection [`margin_left`], which is not sharp and so leaves room for rounding; without
    /// one what the rounding of the records leaves ([`rounding_of_a_record`]), where that is something.
    #[must_use]
    pub fn with_margin_left(self, gamma: &Rational, shape: Shape) -> Self {
        let rows = self.projected_dimension.value;
        let mut margin = margin_left(gamma, rows);
        let rounding = rounding_of_a_record(shape.dimension as u64, shape.grid.bits());
        if rows.is_none() && rounding < margin {
            margin -= rounding;
        }
        Self { margin, ..self }
    }
}

impl FullBatchPlan {
    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &FullBatchParameters {
        &self.parameters
    }

    /// The shape of the data.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The dimension `m` of the descent.
    #[must_use]
    pub fn dimension(&self) -> usize {
        let rows = self.parameters.projected_dimension.value;
        rows.unwrap_or(self.shape.dimension)
    }

    /// The concentrated budget of all gradients.
    #[must_use]
    pub fn rho(&self) -> &Zcdp {
        &self.rho
    }

    /// The number `T` of gradients of each run.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The noise on each coordinate of a gradient, in grid steps.
    #[must_use]
    pub fn noise(&self) -> &DiscreteGaussian {
        self.noise.law()
    }
}

/// What the gradients of `k` runs have of epsilon: half of it, and all of it if there is nothing to choose.
#[must_use]
pub fn share_of_the_runs(budget: &Budget, k: u32) -> Rational {
    budget.epsilon() / BigInt::from(if k == 1 { 1 } else { 2 })
}

/// The concentrated budget `rho` of the gradients of `k` runs: the largest certified for their share of epsilon
/// ([`share_of_the_runs`]) and all of delta.
///
/// # Errors
/// Those of the conversion.
pub fn concentrated(budget: &Budget, k: u32) -> Result<Zcdp, HalfspaceError> {
    let share = Budget::approximate(
        share_of_the_runs(budget, k),
        budget.delta().clone(),
        NeighbouringRelation::Substitute,
    )?;
    Ok(Zcdp::largest_for(&share)?)
}

/// `T = ceil(n^2 rho / (2 m k))`, and at least [`FEWEST_STEPS`]: from there on more steps help little, since
/// the excess loss is at most `L sqrt(n^2 / T + 2 m k / rho)`.
#[must_use]
pub fn balanced_steps(rho: &Zcdp, n: usize, m: usize, k: u32) -> u64 {
    let squared = BigInt::from(n).pow(2);
    let steps = rho.rho() * squared / BigInt::from(2 * m as u64 * u64::from(k));
    steps
        .ceil()
        .to_integer()
        .to_u64()
        .unwrap_or(u64::MAX)
        .max(FEWEST_STEPS)
}

/// A single step would return the average of one point, the origin, which has learned nothing.
pub const FEWEST_STEPS: u64 = 16;

/// The noise on each coordinate of a gradient, in grid steps: substitution moves the sum of the points
/// below the kink by at most 2, and each of the `k T` sums has `rho / (k T)`.
///
/// # Errors
/// Those of the calibration.
pub fn noise(
    rho: &Zcdp,
    k: u32,
    steps: u64,
    grid: Grid,
) -> Result<DiscreteGaussian, HalfspaceError> {
    let each = Zcdp::new(rho.rho() / (BigInt::from(k) * steps), rho.neighbours())?;
    let sensitivity = rational::integer(2 * grid.one());
    Ok(DiscreteGaussian::new(each.variance(&sensitivity)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::halfspaces::Record;
    use crate::number::{grid::squared_norm, rational::ratio};

    fn budget(epsilon: i64) -> Budget {
        let delta = ratio(1, 1_000_000);
        Budget::approximate(ratio(epsilon, 1), delta, NeighbouringRelation::Substitute).unwrap()
    }

    /// Points of the unit circle that the halfspace x > 0 separates with margin 3/5.
    fn separable(n: usize) -> Dataset {
        let corners = [[12, 9], [12, -9], [15, 0]];
        let records = (0..n)
            .map(|i| {
                let positive = i % 2 == 0;
                let sign = if positive { 1 } else { -1 };
                Record {
                    features: corners[i % 3]
                        .iter()
                        .map(|x| sign * x * (1 << 12))
                        .collect(),
                    positive,
                }
            })
            .collect();
        Dataset::new(Grid::new(16).unwrap(), 2, records).unwrap()
    }

    fn parameters(epsilon: i64, n: usize) -> FullBatchParameters {
        let goal = (&ratio(1, 10), &ratio(1, 10));
        FullBatchParameters::from_theorem(goal, budget(epsilon), &ratio(3, 5), (n, 2)).unwrap()
    }

    #[test]
    fn a_separable_set_is_learned() {
        let data = separable(2000);
        let model = learn(&data, &parameters(2, 2000), &mut ChaCha::reproducible(1, 0)).unwrap();
        assert_eq!(model.halfspace.errors(data.records()).unwrap(), 0);
        assert_eq!(model.candidates.len(), 7);
        assert!(model.candidates.iter().all(|w| squared_norm(w) <= 1 << 32));
    }

    #[test]
    fn a_plan_learns_what_is_learned_without_one_and_refuses_other_shapes() {
        let (data, parameters) = (separable(30), parameters(1, 30));
        let plan = parameters.plan(data.shape()).unwrap();
        let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
        for _ in 0..3 {
            let planned = plan.learn(&data, &mut coins[0]).unwrap();
            assert_eq!(planned, learn(&data, &parameters, &mut coins[1]).unwrap());
        }
        let error = plan.learn(&separable(29), &mut coins[0]).unwrap_err();
        assert!(matches!(error, HalfspaceError::Shape { .. }), "{error}");
    }

    #[test]
    fn equal_coins_learn_equal_models_and_others_do_not() {
        let data = separable(50);
        let learned = |seed| {
            learn(
                &data,
                &parameters(1, 50),
                &mut ChaCha::reproducible(seed, 0),
            )
            .unwrap()
        };
        assert_eq!(learned(3), learned(3));
        assert_ne!(learned(3).candidates, learned(4).candidates);
    }

    #[test]
    fn the_sensitivity_of_a_gradient_is_two_and_no_less() {
        let one = 1 << 4;
        let kink = one * one / 2;
        let ball: Vec<Vec<i64>> = (-16..=16)
            .flat_map(|x| (-16..=16).map(move |y| vec![x, y]))
            .filter(|p| squared_norm(p) <= 256)
            .collect();
        let mut largest = 0;
        for w in [[0, 0], [5, -3], [-16, 0]] {
            let alone: Vec<Vec<i64>> = ball
                .iter()
                .map(|p| descent_direction(&w, std::slice::from_ref(p), kink))
                .collect();
            for a in alone.iter().step_by(7) {
                for b in &alone {
                    let gap: Vec<i64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
                    largest = largest.max(squared_norm(&gap));
                }
            }
        }
        // (2 one)^2: a calibration to sensitivity 1 would be broken.
        assert_eq!(largest, 4 * 256);
    }

    #[test]
    fn the_noise_of_a_gradient_that_moves_by_one_is_too_little() {
        let rho = concentrated(&budget(1), 7).unwrap();
        let grid = Grid::new(10).unwrap();
        let right = noise(&rho, 7, 50, grid).unwrap();
        let spent = |variance: &Rational| {
            let each = Zcdp::gaussian(
                &rational::integer(2 * grid.one()),
                variance,
                NeighbouringRelation::Substitute,
            );
            each.unwrap().rho() * BigInt::from(7 * 50)
        };
        assert!(spent(right.variance()) <= *rho.rho());
        // Sensitivity 1 for 2; and the variance of one run, or of one step, for that of all.
        for twin in [
            right.variance() / BigInt::from(4),
            right.variance() / BigInt::from(7),
            right.variance() / BigInt::from(50),
        ] {
            assert!(spent(&twin) > *rho.rho());
        }
    }

    #[test]
    fn the_margin_leaves_room_for_rounding_where_it_can() {
        let shape = |bits| Shape {
            records: 40,
            dimension: 2,
            grid: Grid::new(bits).unwrap(),
        };
        let margin = |rows, bits| {
            let mut parameters = parameters(1, 40);
            parameters.projected_dimension = overridden(rows);
            parameters
                .with_margin_left(&ratio(3, 5), shape(bits))
                .margin
        };
        // sqrt(2) is rounded up to 2; (3/5 - 3/10) / (1 + 3/10) = 3/13.
        assert_eq!(margin(None, 16), ratio(3, 5) - ratio(2, 1 << 16));
        assert_eq!(margin(Some(4), 16), ratio(3, 13));
        assert_eq!(margin(None, 1), ratio(3, 5));
    }

    #[test]
    fn one_run_is_projected_only_where_its_bound_is_smaller() {
        // A projection leaves (3/5 - 3/10)/(1 + 3/10) = 3/13: with m rows the bound is that of (13/5)^2 m dimensions.
        let mut parameters = parameters(1, 40);
        for (rows, d, expected) in [
            (Some(100), 675, None),
            (Some(100), 677, Some(100)),
            (None, 677, None),
        ] {
            parameters.projected_dimension = overridden(rows);
            let one = parameters.clone().with_one_run(&ratio(3, 5), d);
            assert_eq!(
                (one.projected_dimension.value, one.runs.value),
                (expected, 1)
            );
            assert_eq!(one.margin, margin_left(&ratio(3, 5), expected));
        }
    }

    #[test]
    fn one_run_has_all_of_epsilon_and_makes_no_choice() {
        let (data, mut parameters) = (separable(40), parameters(1, 40));
        parameters.runs = overridden(1);
        parameters.steps = Some(3);
        let plan = parameters.plan(data.shape()).unwrap();
        let all = Zcdp::largest_for(&budget(1)).unwrap();
        assert_eq!(plan.rho(), &all);
        let mut coins = ChaCha::reproducible(1, 0);
        let model = plan.learn(&data, &mut coins).unwrap();
        assert_eq!((model.candidates.len(), model.chosen), (1, 0));
        // No more coins than its three gradients of two coordinates take.
        let mut alone = ChaCha::reproducible(1, 0);
        for _ in 0..6 {
            alone.draw(plan.noise()).unwrap();
        }
        assert_eq!(coins.consumed(), alone.consumed());
        parameters.runs = overridden(2);
        assert!(parameters.plan(data.shape()).unwrap().rho().rho() < all.rho());
    }

    #[test]
    fn an_overridden_dimension_projects() {
        let data = separable(40);
        let mut parameters = parameters(1, 40);
        parameters.projected_dimension = overridden(Some(5));
        parameters.steps = Some(3);
        let model = learn(&data, &parameters, &mut ChaCha::reproducible(1, 0)).unwrap();
        assert_eq!(model.projection.unwrap().rows(), 5);
        assert_eq!(model.candidates[0].len(), 5);
        assert_eq!(model.halfspace.direction.len(), 2);
    }

    #[test]
    fn the_theorem_projects_to_the_rows_of_its_lemma() {
        // ln(2 * 32 * 2000 / (1/10 * 1/5^2)) / (9/400 - 9/2000) = 960.07.
        let goal = (&ratio(1, 10), &ratio(1, 5));
        let parameters = |d| {
            FullBatchParameters::from_theorem(goal, budget(1), &ratio(3, 5), (2000, d)).unwrap()
        };
        assert_eq!(parameters(962).projected_dimension.value, Some(961));
        assert_eq!(parameters(961).projected_dimension.value, None);
    }

    #[test]
    fn a_step_is_one_over_the_root_of_all_steps_times_the_squared_gradient() {
        let shape = Shape {
            records: 3,
            dimension: 2,
            grid: Grid::new(4).unwrap(),
        };
        let mut plan = parameters(1, 3).plan(shape).unwrap();
        // sigma = 6, n = 3 and m = 2: a step of 1/sqrt(5 (9 + 2 * 36)) = 1/sqrt(405).
        plan.noise = DrawnOften::Plain(DiscreteGaussian::new(ratio(36 * 16 * 16, 1)).unwrap());
        plan.steps = 5;
        assert_eq!(plan.squared_scale(), ratio(405, 1));
    }

    #[test]
    fn a_record_at_the_kink_has_no_loss_left_to_descend() {
        let points = [vec![3, 1], vec![4, 5], vec![-1, 2]];
        // Products with (1, 0): 3, 4 and -1.
        assert_eq!(descent_direction(&[1, 0], &points, 4), [2, 3]);
    }

    #[test]
    fn rounding_by_the_whole_margin_leaves_the_margin_as_it_is() {
        // One coordinate on the grid of halves is off by up to 1/2.
        let shape = Shape {
            records: 40,
            dimension: 1,
            grid: Grid::new(1).unwrap(),
        };
        let mut parameters = parameters(1, 40);
        parameters.projected_dimension = overridden(None);
        let margin = |gamma| parameters.clone().with_margin_left(&gamma, shape).margin;
        assert_eq!(margin(ratio(1, 2)), ratio(1, 2));
        assert_eq!(margin(ratio(3, 4)), ratio(1, 4));
    }
}
