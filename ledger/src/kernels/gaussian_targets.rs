//! Algorithm 2 with Gaussian noise in the shape of the kernel: metered, its noise, and its error.

use super::plain::CUBIC;
use super::test_dependent::AllMove;
use super::{BITS, integers, record};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins, Law, Meter};
use dp_assay::geometry::Point;
use dp_assay::kernels::bounds::gaussian_process::everywhere;
use dp_assay::kernels::bounds::test_dependent::Setting;
use dp_assay::kernels::gaussian_process::Session;
use dp_assay::kernels::gaussian_targets::{GaussianTargets, GaussianTargetsPlan, learn};
use dp_assay::kernels::{Dataset, KernelError, Optimum, Predictor, Problem, Sensitivity, fit};
use dp_assay::number::rational::{
    from_f64, integer, parse, ratio, to_scientific, to_scientific_above,
};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// About the most records for which the hinge loss is solved: then the noise is far below the norm bound; and few.
const MANY: u64 = 1 << 20;
const FEW: u64 = 1000;

/// `jt13.tddl.gaussian`
pub(super) fn gaussian_targets(check: &mut Check) -> Result<(), Trouble> {
    super::printed::targets(check)?;
    metered(check)?;
    let line = Line::new(MANY)?;
    shape(check, &line)?;
    tail(check)?;
    error(check, &line, MANY)?;
    if !check.quick() {
        error(check, &Line::new(FEW)?, FEW)?;
    }
    Ok(())
}

/// `fit` and `learn` on the pair, both ways, with outcomes that are drawn and far out.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    let points = if check.quick() { 10 } else { 40 };
    check.certified(format_args!(
        "metered, epsilon = 1, delta = 1e-6: a thousand records at one point, one label turned; public points: that point \
         twice, and {points} nearly parallel ones"
    ));
    let all = AllMove::around(points)?;
    let asked = GaussianTargets {
        budget: budget("1", "1e-6")?,
        norm_bound: all.problem.norm_bound(all.kernel.domain())?,
    };
    let plan = asked.plan(&all.sensitivity, &all.kernel, all.points())?;
    let learner = |data: &Dataset, coins: &mut Meter| -> Result<_, KernelError> {
        learn(&fit(data, &all.problem)?, &all.public, &plan, coins)
    };
    let [first, second] = &all.pair;
    check.family("noise in the shape of the kernel", &[], |family| {
        family.both_orders(learner, (first, second), (2, 6), &asked.budget)
    })?;
    let squared = plan.session().variance() * &all.sensitivity.squared_bound;
    let deviation = Enclosure::of(&squared, BITS).sqrt()?;
    let in_units = deviation.upper() / &all.sensitivity.exact;
    check.figure(
        "standard deviation over S, any number of points",
        to_scientific(&in_units, 4),
    );
    Ok(())
}

/// The line from -3 to 3, on which the cubic kernel has four dimensions; eight public points drawn from it; a minimiser.
struct Line {
    all: Vec<Point>,
    public: Vec<Point>,
    optimum: Optimum,
    sensitivity: Sensitivity,
    asked: GaussianTargets,
    plan: GaussianTargetsPlan,
}

impl Line {
    fn new(n: u64) -> Result<Self, Trouble> {
        let domain = integers(1, 3)?;
        let all: Vec<Point> = (-3..=3).map(|x| Point::dense(&[x])).collect();
        let mut coins = ChaCha::reproducible(7, n);
        let mut public = Vec::new();
        for _ in 0..8 {
            let place = usize::try_from(coins.bits(32)?).unwrap_or_default() % all.len();
            public.push(all[place].clone());
        }
        let problem = Problem::new(Loss::Hinge, CUBIC.shipped(), ratio(1, 100))?;
        let records = [(record(&[2], 1), n / 2), (record(&[-1], -1), n / 2)];
        let data = Dataset::new(domain, records)?;
        let sensitivity = problem.sensitivity(domain, n)?;
        let asked = GaussianTargets {
            budget: budget("1", "1e-6")?,
            norm_bound: problem.norm_bound(domain)?,
        };
        let optimum = fit(&data, &problem)?;
        Ok(Self {
            plan: asked.plan(&sensitivity, optimum.kernel(), public.len() as u64)?,
            all,
            public,
            optimum,
            sensitivity,
            asked,
        })
    }

    /// A session that answers the public points.
    fn session<'a>(
        &self,
        w: &'a dyn Predictor,
        coins: &mut impl Coins,
    ) -> Result<Session<'a, dyn Predictor + 'a>, KernelError> {
        let mut session = Session::open(w, self.plan.session().clone(), coins);
        for z in &self.public {
            session.answer(z, coins)?;
        }
        Ok(session)
    }
}

/// Predicts 0.
struct Nothing;

impl Predictor for Nothing {
    fn prediction(&self, _: &Point) -> Rational {
        Rational::zero()
    }
}

/// The targets are `U v` of the coordinates `v` that a session on the same points releases, and `U U^T` is `K_ZZ`.
fn shape(check: &mut Check, line: &Line) -> Result<(), Trouble> {
    check.certified(
        "eight public points drawn from the seven of a line, cubic kernel, of four dimensions: the matrix of the noise beside \
         K_ZZ in rationals; what is learned beside what is fitted to the answers of a session with the same coins",
    );
    let (points, step) = (&line.public, line.plan.session().step());
    // 1. U: what a session answers when one coordinate is 1, and the others are 0.
    let nothing = line.session(&Nothing, &mut ChaCha::reproducible(1, 0))?;
    let places: Vec<Point> = nothing.released().map(|(z, _)| z.clone()).collect();
    let column = |one: usize| -> Result<Vec<Rational>, KernelError> {
        let released = places.iter().enumerate();
        let released = released.map(|(j, z)| (z.clone(), BigInt::from(u8::from(j == one))));
        let mut session = Session::resume(&Nothing, line.plan.session().clone(), released)?;
        let mut none = ChaCha::reproducible(1, 1);
        let answer = |z| Ok(session.answer(z, &mut none)?.value / step);
        points.iter().map(answer).collect()
    };
    let columns: Result<Vec<Vec<Rational>>, KernelError> = (0..places.len()).map(column).collect();
    let columns = columns?;
    check.holds(
        columns.len() == 4,
        format_args!("{} coordinates", columns.len()),
    );
    let mut worst = Rational::zero();
    for (s, x) in points.iter().enumerate() {
        for (t, z) in points.iter().enumerate() {
            let product: Rational = columns.iter().map(|u| &u[s] * &u[t]).sum();
            worst = worst.max((product - CUBIC.value(x, z)).abs());
        }
    }
    // R^2 = 1000
    check.holds(
        worst <= ratio(1000, 1 << 9),
        format_args!("U U^T is off by {worst}"),
    );
    check.figure("U U^T beside K_ZZ, off by", to_scientific(&worst, 2));
    // 2. The learner tells U v, since C0 does not bind, and a session with the same coins releases v.
    for seed in 0..3 {
        let coins = || ChaCha::reproducible(seed, 3);
        let model = learn(&line.optimum, points, &line.plan, &mut coins())?.model;
        let session = line.session(&line.optimum, &mut coins())?;
        for (t, z) in points.iter().enumerate() {
            let released = session.released().zip(&columns);
            let target = released.map(|((_, v), u)| &u[t] * v).sum::<Rational>() * step;
            let off = (from_f64(model.prediction(z))? - &target).abs();
            check.holds(
                off <= (target.abs() + Rational::one()) * parse("1e-6")?,
                format_args!("seed {seed}, point {t}: off by {off}"),
            );
        }
    }
    Ok(())
}

/// The length of the noise at the points, exactly, for noise of two coordinates.
fn tail(check: &mut Check) -> Result<(), Trouble> {
    let shapes: &[(i64, i64)] = if check.quick() {
        &[(3, 1)]
    } else {
        &[(1, 0), (1, 1), (3, 1), (20, 1)]
    };
    check.certified(format_args!(
        "a Y_1^2 + b Y_2^2 with variance 4, (a, b) in {shapes:?}: the probability that its root is above \
         tau sqrt(a + b) (1 + sqrt(2 ln(1/beta))), beta = 1/2, 1/10, 1/1000"
    ));
    const REACH: i64 = 24;
    let law = DiscreteGaussian::new(integer(4))?;
    let mass = |k: i64| law.pmf(&k.into(), BITS);
    let masses: Result<Vec<Enclosure>, _> = (-REACH..=REACH).map(mass).collect();
    let masses = masses?;
    let beyond = law.upper_tail(&(REACH + 1).into(), BITS)?.shifted(2);
    let mut nearest = Rational::zero();
    for &(a, b) in shapes {
        for beta in [ratio(1, 2), ratio(1, 10), ratio(1, 1000)] {
            let bound = everywhere(&integer(4 * (a + b)), 1, &beta)?;
            // An integer is above the square of the bound if it is above this one.
            let least = (&bound * &bound)
                .floor()
                .to_integer()
                .to_i64()
                .unwrap_or(i64::MAX);
            let mut above = beyond.clone();
            for (y, first) in (-REACH..).zip(&masses) {
                for (z, second) in (-REACH..).zip(&masses) {
                    if a * y * y + b * z * z > least {
                        above = above + first * second;
                    }
                }
            }
            check.holds(
                above.upper() <= beta,
                format_args!("({a}, {b}), beta = {beta}: {above}"),
            );
            nearest = nearest.max(above.upper() / &beta);
        }
    }
    check.figure(
        "probability over beta, at most",
        to_scientific_above(&nearest, 3),
    );
    Ok(())
}

/// The bound beside its parts, and beside the error of the shipped learner.
fn error(check: &mut Check, line: &Line, n: u64) -> Result<(), Trouble> {
    check.certified(format_args!(
        "{n} records at two points of that line, hinge loss with a solver, Q the seven points: the noise and the mean loss \
         beside the bound with beta = 1e-9"
    ));
    let Line {
        all,
        public,
        optimum: w,
        sensitivity,
        asked,
        plan,
    } = line;
    let points = public.len() as u64;
    let found = learn(w, public, plan, &mut ChaCha::reproducible(8, n))?;
    let setting = Setting {
        lipschitz: integer(1),
        sensitivity: sensitivity.predictions(),
        squared_bound: sensitivity.squared_bound.clone(),
        norm_bound: asked.norm_bound.clone(),
        budget: asked.budget.clone(),
        beta: parse("1e-9")?,
    };
    let variance = plan.session().variance();
    let bound = setting.gaussian_excess(points, &variance, &found.squared_rest)?;
    // 1. Its parts.
    let of = |number: &Rational| Enclosure::of(number, BITS);
    let tail = (of(&(integer(2) / &setting.beta)).ln()?.shifted(1)).sqrt()?;
    let [one, two] = [1, 2].map(|number| Enclosure::integer(number, BITS));
    let squared = &sensitivity.squared_bound;
    let norm = &asked.norm_bound;
    let noise = of(&(variance * squared * ratio(513, 512))).sqrt()? * (one + &tail);
    let of_points = of(&(norm * norm * squared / integer(points))).sqrt()? * (two + &tail);
    let rest = of(&(norm * norm * &found.squared_rest)).sqrt()?;
    let rounding = of(&(sensitivity.predictions() / integer(512)));
    let parts = (noise.clone() + of_points + rest.clone() + rounding.clone()).upper();
    check.attained(
        format_args!("n = {n}: the bound beside its parts"),
        &parts,
        &bound,
    );
    check.holds(
        bound <= parts * (Rational::one() + parse("1e-9")?),
        format_args!("n = {n}: not above them"),
    );
    // 2. The root of the mean square of u at the public points, which is at most that of the noise.
    let apart = |z: &Point| -> Result<Rational, Trouble> {
        Ok(from_f64(found.model.prediction(z))? - w.prediction(z))
    };
    let mut squares = Rational::zero();
    for z in public {
        let u = apart(z)?;
        squares += &u * &u / integer(points);
    }
    let at_points = of(&squares).sqrt()?.upper();
    let allowed = (noise + rest + rounding).upper();
    check.holds(
        at_points <= allowed,
        format_args!("n = {n}: {at_points} at the public points"),
    );
    // 3. The mean loss, with the label that the minimiser says.
    let hinge = |y: &Rational, f: &Rational| (Rational::one() - y * f).max(Rational::zero());
    let mut excess = Rational::zero();
    for z in all {
        let best = w.prediction(z);
        let y = if best.is_negative() {
            integer(-1)
        } else {
            integer(1)
        };
        let found = from_f64(found.model.prediction(z))?;
        excess += (hinge(&y, &found) - hinge(&y, &best)) / integer(all.len());
    }
    check.holds(excess <= bound, format_args!("n = {n}: excess {excess}"));
    check.figure(
        format_args!("n = {n}: at the public points, bound; mean loss above, bound"),
        format_args!(
            "{}, {}; {}, {}",
            to_scientific(&at_points, 3),
            to_scientific(&allowed, 3),
            to_scientific(&excess, 3),
            to_scientific(&bound, 3)
        ),
    );
    Ok(())
}
