//! Algorithm 3 for linear kernels, in any dimension: the point is chosen without going through the net.

use super::test_independent::{TestIndependent, TestIndependentPlan};
use super::{KernelError, KernelOn, Predictor, Sensitivity};
use crate::coins::Coins;
use crate::geometry::{CoverKind, Domain, LatticeCover, LinearChoice, Point};
use crate::number::Rational;
use crate::number::range::require;
use crate::number::rational::integer;
use crate::sample::LARGEST_EXPONENT;
use num_bigint::BigInt;
use num_traits::{One, Pow, Signed, Zero};

/// Learns from `w*` on the unit ball, which is **not private**. What is returned is private, as by
/// [`test_independent::learn`](super::test_independent::learn).
///
/// # Errors
/// Those of the coins.
pub fn learn(
    w: &impl Predictor,
    plan: &LinearPlan,
    coins: &mut impl Coins,
) -> Result<LinearModel, KernelError> {
    let LinearPlan {
        plan: common,
        cover,
        domain,
    } = plan;
    coins.stage(&common.stage());
    // 1. w_1 = 0, and v = w* - w_1 = w*.
    let mut model = vec![Rational::zero(); domain.dimension()];
    let mut rest: Vec<Rational> = axes(*domain).map(|z| w.prediction(&z)).collect();
    for _ in 0..common.rounds() {
        // 2. z = k/q of the lattice, with probability proportional to cosh(e <z, v>/(2 S')).
        let slopes = plan.slopes(&rest);
        let k = coins.draw(&LinearChoice::new(cover.clone(), slopes)?)?;
        let q = BigInt::from(cover.denominator());
        let z: Vec<Rational> = k
            .iter()
            .map(|&k| Rational::new(k.into(), q.clone()))
            .collect();
        // 3. d = <z, v> + Lap(S'/e), not told if |d| <= sigma.
        let exact: Rational = rest.iter().zip(&z).map(|(v, z)| v * z).sum();
        let told = coins.draw(&common.noisy(&exact)?)?;
        // 4. |d| <= sigma: w_t is returned.
        let Some(d) = told else {
            return Ok(LinearModel {
                weights: model,
                quiet: true,
            });
        };
        // 5. w_(t+1) = w_t + eta sign(d) z.
        let rate = common.rate() * d.signum();
        for ((w, v), z) in model.iter_mut().zip(&mut rest).zip(&z) {
            let step = &rate * z;
            *v -= &step;
            *w += step;
        }
    }
    Ok(LinearModel {
        weights: model,
        quiet: false,
    })
}

/// What is returned. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearModel {
    /// `w_t`.
    pub weights: Vec<Rational>,
    /// Whether a round was quiet. If none was, no bound on the error holds.
    pub quiet: bool,
}
crate::published!(LinearModel { weights, quiet });

/// The parameters of a run. All of them are public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearPlan {
    plan: TestIndependentPlan,
    cover: LatticeCover,
    domain: Domain,
}

impl LinearPlan {
    /// The plan for a lattice inside the unit ball: a truncating cover. `kernel` is the linear one on the unit ball.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for another kernel or kind of cover, or if scores may be so large that they are not
    /// enclosed; those of [`LinearChoice::check_size`] and of [`TestIndependent::plan`].
    pub fn new(
        setting: &TestIndependent,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
        cover: LatticeCover,
        rounds: Option<u64>,
    ) -> Result<Self, KernelError> {
        let domain = kernel.domain();
        let right = kernel.is_linear() && domain.radius_value().is_one();
        require(
            right,
            "the kernel",
            &"another",
            "the linear one on the unit ball",
        )?;
        let right = cover.kind() == CoverKind::Truncating;
        require(right, "the net", &"another", "a truncating cover")?;
        LinearChoice::check_size(&cover)?;
        let right = cover.dimension() == domain.dimension();
        require(
            right,
            "the dimension of the net",
            &cover.dimension(),
            "that of the points",
        )?;
        // Its points are among (2q + 1)^d; 2 for cosh, which is at least half of the larger exponential.
        let side = BigInt::from(cover.denominator()) * 2 + 1;
        let choices: BigInt = Pow::pow(side, domain.dimension()) * 2;
        let plan = Self {
            plan: setting.plan_of_choices(sensitivity, kernel, &choices, rounds)?,
            cover,
            domain,
        };
        // The solver's vector has at most the length C + r, R being 1, and w_t at most B eta: with less no slope is clipped.
        let longest = &setting.norm_bound + &sensitivity.solver;
        let length = longest + plan.plan.rate() * integer(plan.plan.rounds());
        let right = plan.slope() * length <= plan.largest_slope();
        require(
            right,
            "epsilon",
            &"more",
            "smaller: the exponents are too large",
        )?;
        Ok(plan)
    }

    /// What is as for a listed net.
    #[must_use]
    pub fn plan(&self) -> &TestIndependentPlan {
        &self.plan
    }

    /// The slopes `e v/(2 S' q)`. Each is clipped to a public bound, so that `|<slopes, k>|` can be enclosed for whatever `w*`
    /// there is; the slopes of neighbours come no farther apart.
    fn slopes(&self, v: &[Rational]) -> Vec<Rational> {
        let (slope, largest) = (self.slope(), self.largest_slope());
        let clipped = |v: &Rational| (v * &slope).clamp(-&largest, largest.clone());
        v.iter().map(clipped).collect()
    }

    /// With slopes up to this one `|<slopes, k>|` is at most half of [`LARGEST_EXPONENT`], since `|k| <= q`: so no exponent, which
    /// is the difference of two, is above it.
    fn largest_slope(&self) -> Rational {
        let root = (self.domain.dimension() - 1).isqrt() + 1;
        integer(LARGEST_EXPONENT / 2) / (BigInt::from(self.cover.denominator()) * root)
    }

    /// `e/(2 S' q)`.
    fn slope(&self) -> Rational {
        self.plan.loss() / (self.plan.sensitivity() * BigInt::from(2 * self.cover.denominator()))
    }
}

/// The unit vectors.
fn axes(domain: Domain) -> impl Iterator<Item = Point> {
    let one = domain.radius() as i32;
    (0..domain.dimension()).map(move |j| {
        let mut coordinates = vec![0; j + 1];
        coordinates[j] = one;
        Point::dense(&coordinates)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Calibration, Kernel, Problem};
    use crate::number::Grid;
    use crate::number::rational::ratio;
    use crate::optimise::erm::Loss;
    use crate::privacy::{Budget, NeighbouringRelation::Substitute};

    fn setting() -> TestIndependent {
        TestIndependent {
            budget: Budget::pure(integer(1), Substitute).unwrap(),
            calibration: Calibration::Pure,
            failure: ratio(1, 20),
            norm_bound: integer(1),
        }
    }

    #[test]
    fn only_lattices_inside_the_unit_ball_are_taken() {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        let plan = |radius: u64, cover: LatticeCover| {
            let domain = Domain::new(Grid::new(4).unwrap(), 2, radius).unwrap();
            let kernel = Kernel::Linear.on(domain).unwrap();
            let sensitivity = problem.sensitivity(domain, 100_000).unwrap();
            LinearPlan::new(&setting(), &sensitivity, &kernel, cover, Some(2))
        };
        let inside = |d| LatticeCover::truncating(d, &ratio(1, 2)).unwrap();
        assert_eq!(plan(16, inside(2)).unwrap().plan().rounds(), 2);
        let rounding = LatticeCover::rounding(2, &ratio(1, 2)).unwrap();
        assert!(plan(16, rounding).is_err() && plan(16, inside(3)).is_err());
        assert!(plan(8, inside(2)).is_err());
    }

    #[test]
    fn slopes_are_clipped_where_exponents_could_not_be_enclosed() {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        for d in [1, 2, 3, 5] {
            let domain = Domain::unit_ball(Grid::new(4).unwrap(), d).unwrap();
            let kernel = Kernel::Linear.on(domain).unwrap();
            let sensitivity = problem.sensitivity(domain, 100_000).unwrap();
            let cover = LatticeCover::truncating(d, &ratio(9, 10)).unwrap();
            let q = integer(cover.denominator());
            let plan = LinearPlan::new(&setting(), &sensitivity, &kernel, cover, Some(2)).unwrap();
            // <slopes, k> is at most |slopes| q, for whatever v, and an exponent is a difference of two.
            let largest = integer(LARGEST_EXPONENT / 2);
            let slopes = plan.slopes(&vec![integer(-(1i64 << 60)); d]);
            let squared: Rational = slopes.iter().map(|slope| slope * slope).sum();
            assert!(&squared * &q * &q <= &largest * &largest, "d = {d}");
            // Of a short v they are e v/(2 S' q), unclipped.
            let slopes = plan.slopes(&vec![ratio(1, 2); d]);
            let unclipped = plan.plan().loss() / (sensitivity.predictions() * integer(4) * q);
            assert_eq!(slopes, vec![unclipped; d]);
        }
    }
}
