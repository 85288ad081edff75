//! Algorithm 3 as it is printed: **not private** as claimed, for audit only.
//!
//! It differs from the repaired [`super::efficient`] in four places, each marked below:
//!
//! - E2: the candidates alone spend `(epsilon, delta)`, and the choice among them spends `epsilon` again (what it may spend
//!   is not printed; this is our reading);
//! - E1': the noise is a formula that is proved for some `(epsilon, delta)` only;
//! - `nuz20.e4`: `A x / |A x|` has no value where `A x = 0`;
//! - `nuz20.e6`: the number of runs has a natural logarithm, where the proof needs base 2.

use super::data::{Dataset, EfficientModel, Shape};
use super::efficient::{NoiseGd, RunBudget};
use super::error::HalfspaceError;
use super::steps::{Hinge, check_shape, choose, draw_projection, pull_back, unit_points};
use crate::coins::{Coins, Stage};
use crate::number::{Enclosure, Grid, NumberError, Rational};
use crate::privacy::Budget;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

const BITS: u32 = 160;

/// Runs Algorithm 3 as printed, with `m` rows of the projection (none for `None`): **not private**.
///
/// # Errors
/// Those of [`plan`] and [`PrintedPlan::learn_not_private`].
pub fn learn_not_private(
    data: &Dataset,
    claimed: &Budget,
    goal: (&Rational, &Rational),
    rows: Option<usize>,
    coins: &mut impl Coins,
) -> Result<EfficientModel, HalfspaceError> {
    plan(data.shape(), claimed, goal, rows)?.learn_not_private(data, coins)
}

/// Algorithm 3 as printed with its noise computed: what depends on public values alone, so that one plan serves any
/// number of models. Each claims the whole budget.
pub struct PrintedPlan {
    claimed: Budget,
    shape: Shape,
    rows: Option<usize>,
    hinge: Hinge,
    runs: u32,
    noise: NoiseGd,
}

/// The plan for data of a shape, the goal `(gamma, beta)` and `m` rows of the projection.
///
/// # Errors
/// Those of the shape, the budget and the logarithms.
pub fn plan(
    shape: Shape,
    claimed: &Budget,
    (gamma, beta): (&Rational, &Rational),
    rows: Option<usize>,
) -> Result<PrintedPlan, HalfspaceError> {
    let n = shape.records as u64;
    let k = printed_runs(beta)?;
    check_shape(shape.grid, k, n * n)?;
    Ok(PrintedPlan {
        claimed: claimed.clone(),
        shape,
        rows,
        hinge: Hinge::of_algorithm_1(gamma),
        runs: k,
        // 5. and 8. As printed: all of (epsilon, delta) for the candidates.
        noise: printed_noise(claimed, k, n, shape.grid)?
            .in_dimension(rows.unwrap_or(shape.dimension))?,
    })
}

impl PrintedPlan {
    /// Runs it: **not private**.
    ///
    /// # Errors
    /// [`HalfspaceError::Undefined`] where a record's `A x` is zero: an error that depends on the data, and
    /// so leaks (`nuz20.e4`); [`HalfspaceError::Shape`] for data of another shape; those of the projection and the coins.
    pub fn learn_not_private(
        &self,
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<EfficientModel, HalfspaceError> {
        self.shape.check(data)?;
        // 1. Choose A.
        coins.stage(&Stage::public("the projection"));
        let projection = draw_projection(self.rows, data.dimension(), coins)?;
        // 2. S_A. As printed: undefined where A x = 0.
        for point in data.projected(projection.as_ref())? {
            if point.iter().all(|&x| x == 0) {
                return Err(HalfspaceError::Undefined {
                    what: "A x / |A x| for A x = 0",
                });
            }
        }
        let points = Arc::new(unit_points(data, projection.as_ref())?);
        // 5. and 8. Noise-GD k times.
        let candidates = (0..self.runs)
            .map(|_| self.noise.run(&points, &self.hinge, coins))
            .collect::<Result<Vec<_>, _>>()?;
        // 10. What the choice may spend is not printed. We read it as the algorithm's own epsilon, all of it once more.
        let chosen = choose(
            &candidates,
            &points,
            &self.hinge,
            self.claimed.epsilon(),
            data.grid(),
            coins,
        )?;
        let halfspace = pull_back(projection.as_ref(), &candidates[chosen])?;
        Ok(EfficientModel {
            projection,
            candidates,
            chosen,
            halfspace,
        })
    }
}

/// `ceil(log(8 / beta))` with the natural logarithm.
///
/// # Errors
/// Those of the logarithm.
pub fn printed_runs(beta: &Rational) -> Result<u32, NumberError> {
    let log = Enclosure::of(&(beta.recip() * BigInt::from(8)), BITS).ln()?;
    Ok(log.hi().ceil().to_u32().unwrap_or(u32::MAX))
}

/// `sigma^2 / (2 n L)^2 = 8 ln(n / delta') ln(1 / delta') / epsilon'^2`: the square of the printed noise
/// multiplier, relative to the sensitivity under substitution (line 12), for the budget `(epsilon', delta')`
/// of one run.
///
/// # Errors
/// Those of the logarithm.
pub fn printed_squared_multiplier(
    epsilon: &Rational,
    delta: &Rational,
    n: u64,
) -> Result<Enclosure, NumberError> {
    let inverse = Enclosure::of(&delta.recip(), BITS);
    let logs = (&inverse * Enclosure::integer(n, BITS)).ln()? * inverse.ln()?;
    (logs.shifted(3)).divided_by(&Enclosure::of(epsilon, BITS).squared())
}

/// The printed noise of each of `k` runs, its variance rounded up to the grid's 2^-60.
pub fn printed_noise(
    claimed: &Budget,
    k: u32,
    n: u64,
    grid: Grid,
) -> Result<NoiseGd, HalfspaceError> {
    let each = claimed.split(u64::from(k))?;
    let squared = printed_squared_multiplier(each.epsilon(), each.delta(), n)?;
    let multiplier = Rational::new(squared.hi().shifted(60).ceil(), BigInt::from(1u64 << 60));
    let sensitivity = BigInt::from(2 * n) * BigInt::from(grid.one());
    let run = RunBudget {
        whole: each,
        records: n,
        steps: n * n,
    };
    NoiseGd::with_variance(multiplier * sensitivity.pow(2), &run, grid)
}
