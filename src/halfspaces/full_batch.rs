//! Procedure F', the practical learner: full gradients, accounted in zCDP.
//!
//! The same projection, loss and choice as Algorithm 3 ([`super::efficient`]); but each step sees the
//! gradient of the whole dataset, so that no amplification lemma is needed, and a run returns the average
//! of its points, so that standard convergence of projected gradient descent applies
//! (`spec/halfspaces.md`, `nuz20.full-batch`).
//!
//! One run may descend on a smoothed loss, whose slope does not end at the margin but falls to nothing below it: as private,
//! and done after far fewer steps (`nuz20.full-batch.smoothed`).

use super::data::{Dataset, EfficientModel, Shape};
use super::error::HalfspaceError;
use super::steps::{
    Chosen, Hinge, check_goal, check_shape, choose, draw_projection, overridden, pull_back,
    rounding_of_a_record, runs_for, unit_points,
};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::johnson_lindenstrauss;
use crate::number::chosen::from_theorem;
use crate::number::range::require;
use crate::number::root::ceil_sqrt;
use crate::number::{Grid, Rational, rational};
use crate::optimise::hinge::inner_product;
use crate::optimise::noisy_descent;
use crate::prepared::DrawnOften;
use crate::privacy::{Budget, NeighbouringRelation, Zcdp, release};
use crate::sample::{DiscreteGaussian, check_exponent};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

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
        let (m, grid, steps) = (points[0].len(), self.shape.grid, self.steps);
        let (one, width) = (grid.one(), self.width_in_steps());
        // Only an inner product that fits in 64 bits is compared, and the kink is at most 2^60.
        let kink = hinge.kink(one.pow(2)).to_i64().unwrap_or(i64::MAX);
        let squared_scale = self.squared_scale();
        let mut w = vec![0i64; m];
        let mut sum = vec![0i128; m];
        for _ in 0..steps {
            for (total, x) in sum.iter_mut().zip(&w) {
                *total += i128::from(*x);
            }
            // a. Minus the gradient at w, in units of L: the sum of y x_A over y <w, x_A> < mu; of each a part, if it is smoothed.
            let gradient = match width {
                0 => descent_direction(&w, points, kink),
                _ => smoothed_direction(&w, points, (kink, width), grid),
            };
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
    /// and `sigma^2` in units of `L^2`: the origin is at most 1 away from every point of the ball. Smoothed,
    /// `eta L = 1 / (n/width + r)` for the [`damping`] `r`.
    #[must_use]
    pub fn squared_scale(&self) -> Rational {
        let squared_sigma = self.noise().variance() / BigInt::from(self.shape.grid.one()).pow(2);
        let squared_noise = squared_sigma * BigInt::from(self.dimension());
        let records = BigInt::from(self.shape.records);
        if self.width().is_zero() {
            return (squared_noise + records.pow(2)) * BigInt::from(self.steps);
        }
        let damping = damping(&squared_noise, self.steps);
        (self.width().recip() * records + damping).pow(2)
    }

    /// Over so much of the margin below `mu` the slope of the loss falls from all to nothing: a multiple of the grid's step,
    /// and 0 for the hinge loss.
    #[must_use]
    pub fn width(&self) -> Rational {
        Rational::new(self.width_in_steps().into(), self.shape.grid.one().into())
    }

    /// At most `2^30`, as the margin is at most 1.
    fn width_in_steps(&self) -> i64 {
        let parameters = &self.parameters;
        let width =
            &parameters.smoothing * &parameters.margin * rational::integer(self.shape.grid.one());
        width.ceil().to_integer().to_i64().unwrap_or(i64::MAX)
    }
}

/// What `1/eta` of a smoothed run has beside the steepness `n/width` of its gradient: `r`, the least integer above
/// `sqrt(ceil(T m sigma^2))`, for the noise `m sigma^2` that a gradient has on average, squared. The theorem holds at every public
/// `r` above 0, and is best about there.
#[must_use]
pub fn damping(squared_noise: &Rational, steps: u64) -> BigInt {
    let squared = (squared_noise * BigInt::from(steps)).ceil().to_integer();
    squared.sqrt() + 1
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

/// Minus the gradient at `w` of the smoothed loss, in units of its slope `L`: the sum of `s y x_A`, where `s` is 1 for a record at
/// least `width` below the kink, 0 at the kink, and falls evenly between, each rounded towards zero to the grid. So a record more
/// or less moves it by at most one here too.
///
/// `kink` has the scale of an inner product, and `width >= 1` that of a coordinate.
#[must_use]
pub fn smoothed_direction(
    w: &[i64],
    points: &[Vec<i64>],
    (kink, width): (i64, i64),
    grid: Grid,
) -> Vec<i64> {
    let (one, bits) = (grid.one(), grid.bits());
    let mut direction = vec![0i64; w.len()];
    for point in points {
        let part = ((kink - inner_product(w, point)) / width).clamp(0, one);
        for (sum, x) in direction.iter_mut().zip(point) {
            let product = part * x; // at most 2^60
            // Of a negative number a shift rounds away from zero: one less than 2^bits is added first.
            *sum += (product + ((product >> 63) & (one - 1))) >> bits;
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
    /// Over which share of the margin, from 0 to 1, the slope of the loss falls from all to nothing ([`FullBatchPlan::width`]):
    /// 0 for the hinge loss. Above 0 it is for one run.
    pub smoothing: Rational,
    /// The number `m` of rows of the projection; `None` for no projection.
    pub projected_dimension: Chosen<Option<usize>>,
    /// The number `k` of candidates.
    pub runs: Chosen<u32>,
    /// The number `T` of gradients of each run; `None` for [`FullBatchParameters::balanced_steps`], which depend on `m`.
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
            smoothing: Rational::zero(),
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
    /// Those of [`check_shape`] and of the calibration; a smoothing outside its range.
    pub fn plan(&self, shape: Shape) -> Result<FullBatchPlan, HalfspaceError> {
        let k = self.runs.value;
        check_shape(shape.grid, k, self.steps.unwrap_or(1))?;
        check_exponent(self.budget.epsilon(), shape.records)?;
        let (least, most) = (Rational::zero(), rational::integer(u64::from(k == 1)));
        let right = (least..=most).contains(&self.smoothing);
        let range = "from 0 to 1 for one run, and 0 for several";
        require(right, "smoothing", &self.smoothing, range)?;
        let m = self.dimension(shape);
        let rho = concentrated(&self.budget, k)?;
        let steps = match self.steps {
            Some(steps) => steps,
            None => self.balanced_steps(shape)?,
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

    /// The dimension `m` of a descent on data of a shape.
    fn dimension(&self, shape: Shape) -> usize {
        self.projected_dimension.value.unwrap_or(shape.dimension)
    }

    /// The steps from which on more help little: those of [`hinge_steps`], or of [`smoothed_steps`].
    ///
    /// # Errors
    /// Those of the conversion of the budget.
    pub fn balanced_steps(&self, shape: Shape) -> Result<u64, HalfspaceError> {
        let (n, m, k) = (shape.records, self.dimension(shape), self.runs.value);
        let rho = concentrated(&self.budget, k)?;
        let width = &self.smoothing * &self.margin;
        Ok(if width.is_positive() {
            smoothed_steps(&rho, n, m, &width)
        } else {
            hinge_steps(&rho, n, m, k)
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
        self.parameters.dimension(self.shape)
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
pub fn hinge_steps(rho: &Zcdp, n: usize, m: usize, k: u32) -> u64 {
    let squared = BigInt::from(n).pow(2);
    let steps = rho.rho() * squared / BigInt::from(2 * m as u64 * u64::from(k));
    steps
        .ceil()
        .to_integer()
        .to_u64()
        .unwrap_or(u64::MAX)
        .max(FEWEST_STEPS)
}

/// `T = ceil((n/width) sqrt(rho/(2 m)))`, and at least [`FEWEST_STEPS`], for one run on the smoothed loss, whose excess is at most
/// about `L (n/(2 width T) + sqrt(2 m/rho))` (`nuz20.full-batch.smoothed`): the first term is then half of the second.
#[must_use]
pub fn smoothed_steps(rho: &Zcdp, n: usize, m: usize, width: &Rational) -> u64 {
    let squared = (width.recip() * BigInt::from(n)).pow(2) * rho.rho() / BigInt::from(2 * m as u64);
    let steps = ceil_sqrt(&squared.ceil().to_integer());
    steps.to_u64().unwrap_or(u64::MAX).max(FEWEST_STEPS)
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
    use num_traits::One;

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

    /// Every record of the ball moves a smoothed gradient by at most one, on a line and in the plane, at every margin.
    #[test]
    fn the_sensitivity_of_a_smoothed_gradient_is_two_and_no_less() {
        let grid = Grid::new(4).unwrap();
        let ball: Vec<Vec<i64>> = (-16..=16)
            .flat_map(|x| (-16..=16).map(move |y| vec![x, y]))
            .filter(|p| squared_norm(p) <= 256)
            .collect();
        let mut longest = 0;
        for (w, width) in [([0, 0], 8), ([5, -3], 16), ([-16, 0], 3), ([11, 11], 1)] {
            let alone =
                |p: &Vec<i64>| smoothed_direction(&w, std::slice::from_ref(p), (128, width), grid);
            for point in &ball {
                let found = alone(point);
                // The part by the formula, and each coordinate towards zero.
                let product: i64 = w.iter().zip(point).map(|(w, x)| w * x).sum();
                let part = ratio(128 - product, width).floor().to_integer();
                let part = part.clamp(BigInt::ZERO, 16.into());
                for (found, x) in found.iter().zip(point) {
                    let expected = (&part * x / BigInt::from(16)).to_i64();
                    assert_eq!(Some(*found), expected, "{w:?} {point:?}");
                }
                longest = longest.max(squared_norm(&found));
            }
        }
        assert_eq!(longest, 256);
    }

    #[test]
    fn a_smoothed_run_steps_by_its_steepness_and_its_noise() {
        let shape = Shape {
            records: 3,
            dimension: 2,
            grid: Grid::new(4).unwrap(),
        };
        let smoothed = FullBatchParameters {
            smoothing: Rational::one(),
            runs: overridden(1),
            ..parameters(1, 3)
        };
        let mut plan = smoothed.plan(shape).unwrap();
        // Of the margin 3/5 that is 9.6 steps of 1/16, rounded up to 10.
        assert_eq!(plan.width(), ratio(5, 8));
        // sigma = 6 and m = 2: r = 18 + 1 = 19, and a step of 1/(3/(5/8) + 19).
        plan.noise = DrawnOften::Plain(DiscreteGaussian::new(ratio(36 * 16 * 16, 1)).unwrap());
        plan.steps = 5;
        assert_eq!(plan.squared_scale(), ratio(119, 5).pow(2));
        // Several runs, or more than the margin, are refused.
        for (runs, smoothing) in [(2, ratio(1, 2)), (1, ratio(11, 10)), (1, ratio(-1, 10))] {
            let wrong = FullBatchParameters {
                smoothing,
                runs: overridden(runs),
                ..parameters(1, 3)
            };
            let refused = wrong.plan(shape).map(|_| ()).unwrap_err().to_string();
            assert!(refused.starts_with("smoothing must"), "{refused}");
        }
    }

    #[test]
    fn smoothed_steps_are_the_root_of_those_of_the_hinge_loss() {
        // (1000/(1/2)) sqrt((1/10)/(2 * 5)) = 200, and 10^6 (1/10)/(2 * 5) = 10^4.
        let rho = Zcdp::new(ratio(1, 10), NeighbouringRelation::Substitute).unwrap();
        assert_eq!(smoothed_steps(&rho, 1000, 5, &ratio(1, 2)), 200);
        assert_eq!(smoothed_steps(&rho, 1001, 5, &ratio(1, 2)), 201);
        assert_eq!(smoothed_steps(&rho, 1, 5, &ratio(1, 2)), FEWEST_STEPS);
        assert_eq!(hinge_steps(&rho, 1000, 5, 1), 10_000);
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
