//! Algorithm 3, repaired: its privacy and its error.

use super::{BITS, grid, record};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins, Meter, Outcomes, lockstep};
use dp_assay::geometry::{Domain, LatticeCover, Point};
use dp_assay::kernels::test_independent::{self, TestIndependent, TestIndependentPlan};
use dp_assay::kernels::{
    Calibration, Dataset, Kernel, KernelError, KernelOn, Predictor, Problem, Sensitivity,
    TestIndependentModel, fit,
};
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::Budget;
use dp_assay::sample::DiscreteLaplace;

/// The loss `-y f` with the linear kernel on the unit ball.
pub struct Linear {
    pub problem: Problem,
    pub domain: Domain,
    pub kernel: KernelOn,
    pub n: u64,
}

impl Linear {
    pub fn new(d: usize, bits: u32, penalty: Rational, n: u64) -> Result<Self, Trouble> {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, penalty)?;
        let domain = Domain::unit_ball(grid(bits)?, d)?;
        Ok(Self {
            kernel: problem.kernel().on(domain)?,
            problem,
            domain,
            n,
        })
    }

    pub fn sensitivity(&self) -> Result<Sensitivity, KernelError> {
        self.problem.sensitivity(self.domain, self.n)
    }

    /// So many records at each point with the label 1, so many with -1.
    pub fn data(&self, records: &[(&[i32], u64, u64)]) -> Result<Dataset, KernelError> {
        let both = records
            .iter()
            .flat_map(|(x, plus, minus)| [(record(x, 1), *plus), (record(x, -1), *minus)]);
        Dataset::new(self.domain, both)
    }

    fn learn(
        &self,
        net: &[Point],
        plan: &TestIndependentPlan,
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<TestIndependentModel, KernelError> {
        let w = fit(data, &self.problem)?;
        test_independent::learn(&w, net, plan, coins)
    }
}

pub fn points(all: &[&[i32]]) -> Vec<Point> {
    all.iter().map(|x| Point::dense(x)).collect()
}

fn setting(asked: Budget, calibration: Calibration, norm_bound: Rational) -> TestIndependent {
    TestIndependent {
        budget: asked,
        calibration,
        failure: ratio(1, 20),
        norm_bound,
    }
}

/// `jt13.tdil`
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    let rounds = if check.quick() { 3 } else { 20 };
    check.certified(format_args!(
        "metered, {rounds} rounds, a net of five points, 10^4 records in the plane, lambda = 1/100: a label turned, and a point \
         moved; three calibrations"
    ));
    let all = Linear::new(2, 6, ratio(1, 100), 10_000)?;
    // A turned label moves the predictions at the first two points by nearly S, both down: the first score falls, and the
    // second rises, which has nearly all of the weight.
    let net = points(&[&[63, 8], &[63, -8], &[0, 8], &[5, 5], &[0, 0]]);
    let base =
        |turned: u64| all.data(&[(&[64, 0], 10 - turned, 810 + turned), (&[0, 64], 8650, 530)]);
    let (first, second) = (base(0)?, base(1)?);
    let moved = all.data(&[
        (&[64, 0], 10, 810),
        (&[0, 64], 8649, 530),
        (&[0, -64], 1, 0),
    ])?;
    for (name, calibration) in [
        ("closed noise", Calibration::Closed),
        ("least noise", Calibration::Exact),
        ("pure noise", Calibration::Pure),
    ] {
        let asked = budget("1", "1e-6")?;
        let claim = match calibration {
            Calibration::Pure => Budget::pure(asked.epsilon().clone(), asked.neighbours())?,
            _ => asked.clone(),
        };
        let setting = setting(asked, calibration, all.problem.norm_bound(all.domain)?);
        let size = net.len() as u64;
        let plan = setting.plan_of_rounds(&all.sensitivity()?, &all.kernel, size, rounds)?;
        let learner = |data: &Dataset, coins: &mut Meter| all.learn(&net, &plan, data, coins);
        check.family(name, &[], |family| {
            family.both_orders(learner, (&first, &second), (3, 20), &claim)?;
            let far_out = Outcomes::far_out(ChaCha::reproducible(3, 1), 20);
            family.run("one point", learner, (&first, &moved), far_out, &claim)?;
            Ok(())
        })?;
        check.figure(
            format_args!("{name}: scale over S"),
            to_scientific(&plan.loss().recip(), 4),
        );
    }
    check.exact("w* = 0 and little noise: the first round is quiet, and the last");
    let even = all.data(&[(&[64, 0], 5000, 5000)])?;
    let asked = budget("1", "1e-6")?;
    let setting = setting(asked, Calibration::Pure, integer(1));
    let plan = setting.plan_of_rounds(&all.sensitivity()?, &all.kernel, net.len() as u64, 9)?;
    let learner = |data: &Dataset, coins: &mut Meter| all.learn(&net, &plan, data, coins);
    let runs = lockstep(
        learner,
        &even,
        &even,
        Outcomes::drawn(ChaCha::reproducible(4, 0)),
    );
    let draws: u64 = runs.accounts.iter().map(|account| account.draws).sum();
    let quiet = runs
        .first
        .is_ok_and(|found| found.quiet && found.model.terms().is_empty());
    check.holds(quiet && draws == 2, format_args!("{draws} draws"));
    Ok(())
}

/// The parameters of plans worked out apart: what they must keep to, and that a little less would not do.
fn by_hand(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "omega, sigma, gamma, eta and B of two plans: hinge loss, R = 2, a million records, a solver that may err by as much as a \
         record moves predictions; nets of 25 and 10^4 points, beta = 1/10 and 1e-9",
    );
    let problem = Problem::new(Loss::Hinge, Kernel::Linear, ratio(1, 100))?.with_share(0)?;
    let domain = Domain::new(grid(3)?, 2, 16)?;
    let kernel = problem.kernel().on(domain)?;
    let sensitivity = problem.sensitivity(domain, 1_000_000)?;
    check.holds(
        sensitivity.solver == sensitivity.exact && sensitivity.squared_bound == integer(4),
        "r = S, R = 2",
    );
    let norm_bound = problem.norm_bound(domain)?;
    for (beta, net) in [("1/10", 25u64), ("1e-9", 10_000)] {
        let beta = parse(beta)?;
        let setting = TestIndependent {
            failure: beta.clone(),
            ..setting(
                budget("1", "1e-6")?,
                Calibration::Closed,
                norm_bound.clone(),
            )
        };
        let plan = setting.plan(&sensitivity, &kernel, net)?;
        let name = format!("beta = {beta}, a net of {net} points");
        let (scale, rounds) = (plan.sensitivity() / plan.loss(), integer(plan.rounds()));
        // A score is a whole number of steps, of which S' is 16.
        let step = plan.sensitivity() / integer(16);
        let omega = plan.threshold() / integer(4);
        // Half a step of rounding, and r; evaluation is exact. Of whole steps there may be two more.
        let added = &step / integer(2) + &sensitivity.solver;
        let beyond = |w: &Rational| -> Result<Enclosure, Trouble> {
            let steps = (w / &step).floor().to_integer();
            let within = DiscreteLaplace::new(&scale / &step)?.between(&-&steps, &steps, BITS)?;
            Ok(within.complement() * Enclosure::of(&rounds, BITS))
        };
        let half = &beta / integer(2);
        check.holds(
            beyond(&(&omega - &added))?.upper() <= half
                && beyond(&(&omega - &added - &step * integer(4)))?.lower() > half,
            format_args!("{name}: omega"),
        );
        let choices = &rounds * integer(2 * net) / &beta;
        let worse =
            Enclosure::of(&(&scale * integer(2)), BITS) * Enclosure::of(&choices, BITS).ln()?;
        let gamma = plan.error() - plan.threshold() - &omega - &added * integer(2);
        check.holds(
            gamma >= worse.upper() && gamma <= worse.lower() + &step * integer(6),
            format_args!("{name}: gamma"),
        );
        check.holds(
            plan.rate() * integer(4) * integer(4) == plan.threshold() * integer(3),
            format_args!("{name}: eta = 3 sigma/(4 R^2)"),
        );
        // 16 C^2 R^2/(9 sigma^2), and B is the least above it.
        let updates = |sigma: Rational| (&norm_bound * integer(2) / sigma).pow(2) * ratio(16, 9);
        let fewer = setting.plan_of_rounds(&sensitivity, &kernel, net, plan.rounds() - 1)?;
        check.holds(
            rounds > updates(plan.threshold())
                && integer(fewer.rounds()) <= updates(fewer.threshold()),
            format_args!("{name}: B = {}", plan.rounds()),
        );
    }
    Ok(())
}

/// `jt13.thm8.corrected`
pub(super) fn error(check: &mut Check) -> Result<(), Trouble> {
    by_hand(check)?;
    let (bits, radius, seeds) = if check.quick() {
        (2, "0.36", 1)
    } else {
        (3, "0.18", 4)
    };
    check.certified(format_args!(
        "a million records in the plane, lambda = 1/100, epsilon = 1, delta = 1e-6, beta = 1e-9: {seeds} runs \
         for each of three w* on a net of radius {radius}"
    ));
    let all = Linear::new(2, bits, ratio(1, 100), 1_000_000)?;
    let cover = LatticeCover::truncating(2, &parse(radius)?)?;
    check.holds(
        cover.denominator() == 1 << bits,
        format_args!("a net on the grid: {}", cover.denominator()),
    );
    let net: Vec<Point> = (0..)
        .map_while(|rank| cover.point_at(rank))
        .map(|k| Point::dense(&[k[0] as i32, k[1] as i32]))
        .collect();
    let norm_bound = all.problem.norm_bound(all.domain)?;
    let setting = TestIndependent {
        failure: parse("1e-9")?,
        ..setting(
            budget("1", "1e-6")?,
            Calibration::Closed,
            norm_bound.clone(),
        )
    };
    let (sensitivity, size) = (all.sensitivity()?, net.len() as u64);
    let plan = setting.plan(&sensitivity, &all.kernel, size)?;
    // sup over the unit ball of |<z, w* - w>| is |w* - w|.
    let bound = plan.error() + cover.radius() * &norm_bound;
    let one = 1 << bits;
    let axes = points(&[&[one, 0], &[0, one]]);
    let mut worst = Rational::from_integer(0.into());
    for (x, y) in [(0, 0), (100_000, 50_000), (200_000, 100_000)] {
        let left = 1_000_000 - x - y;
        let data = all.data(&[
            (&[one, 0], x, 0),
            (&[0, one], y, 0),
            (&[one, 0], left / 2, left / 2),
        ])?;
        let w = fit(&data, &all.problem)?;
        for seed in 0..seeds {
            let mut coins = ChaCha::reproducible(seed, 5);
            let found = test_independent::learn(&w, &net, &plan, &mut coins)?;
            let squared: Rational = axes
                .iter()
                .map(|z| w.prediction(z) - found.model.prediction(z))
                .map(|apart| &apart * &apart)
                .sum();
            check.holds(
                found.quiet && squared <= &bound * &bound,
                format_args!("w* = ({x}, {y})/10^4, seed {seed}: {squared}"),
            );
            worst = worst.max(squared);
        }
    }
    let worst = Enclosure::of(&worst, BITS).sqrt()?.upper();
    check.figure("B", plan.rounds());
    check.figure("sigma", to_scientific(&plan.threshold(), 3));
    check.figure("points of the net", size);
    check.figure(
        "largest error seen, of the bound",
        format_args!(
            "{} of {}",
            to_scientific(&worst, 3),
            to_scientific(&bound, 3)
        ),
    );
    // sigma is of order (S/epsilon) sqrt(B), and B of order (C R/sigma)^2: sigma falls like 1/sqrt(n), up to logarithms.
    let larger = Linear::new(2, bits, ratio(1, 100), 100_000_000)?;
    let later = setting.plan(&larger.sensitivity()?, &larger.kernel, size)?;
    let fall = plan.error() / later.error();
    check.holds(
        fall > integer(7) && fall < integer(11),
        format_args!("a hundred times as many records: the error falls by {fall}"),
    );
    check.figure(
        "n = 10^8: error, as a part of that at 10^6",
        to_scientific(&fall.recip(), 3),
    );
    Ok(())
}
