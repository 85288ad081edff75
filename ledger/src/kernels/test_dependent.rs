//! Algorithm 2: the privacy of its targets, and what is fitted to them.

use super::plain::{CUBIC, LINEAR, Plain, Terms};
use super::{BITS, integers, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::coins::{ChaCha, Coins, Law, Meter, Outcomes, lockstep};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::as_printed;
use dp_assay::kernels::bounds::test_dependent as bounds;
use dp_assay::kernels::test_dependent::{self, TestDependent, TestDependentPlan};
use dp_assay::kernels::{
    Calibration, Dataset, InSpan, Kernel, KernelError, KernelOn, Problem, Sensitivity, fit,
};
use dp_assay::number::rational::{from_f64, integer, parse, ratio, to_scientific};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::erm::Loss;
use dp_assay::optimise::exact::{reals, solve};
use dp_assay::privacy::Budget;
use dp_assay::privacy::composition::{optimal_delta, step_for};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// A thousand records at one point `x`, a label of which is turned; and public points `z_t` at which the predictions move by
/// nearly `S`, all of them.
pub(super) struct AllMove {
    pub(super) problem: Problem,
    pub(super) kernel: KernelOn,
    pub(super) sensitivity: Sensitivity,
    pub(super) pair: [Dataset; 2],
    pub(super) public: Vec<Point>,
}

/// `x = 100 e_0`, so that `R = 100`.
const FAR: i32 = 100;

impl AllMove {
    fn new(public: Vec<Point>) -> Result<Self, Trouble> {
        let domain = integers(public.len() + 1, FAR as u64)?;
        let problem = Problem::new(Loss::Linear, Kernel::Linear, Rational::one())?;
        let data = |plus| {
            let records = [(record(&[FAR], 1), plus), (record(&[FAR], -1), 1000 - plus)];
            Dataset::new(domain, records)
        };
        Ok(Self {
            kernel: problem.kernel().on(domain)?,
            sensitivity: problem.sensitivity(domain, 1000)?,
            pair: [data(501)?, data(500)?],
            problem,
            public,
        })
    }

    /// Nearly parallel points: `z_t = 99 e_0 + e_t`.
    fn parallel(points: usize) -> Result<Self, Trouble> {
        let point = |t| Point::new(vec![(0, FAR - 1), (t, 1)]);
        let public: Result<Vec<Point>, _> = (1..=points as u32).map(point).collect();
        Self::new(public?)
    }

    /// Nearly parallel points, and `x` itself before and after them.
    pub(super) fn around(points: usize) -> Result<Self, Trouble> {
        let mut public = Self::parallel(points)?.public;
        let x = Point::dense(&[FAR]);
        public.insert(0, x.clone());
        public.push(x);
        Self::new(public)
    }

    /// `x` itself, so many times.
    fn repeated(points: usize) -> Result<Self, Trouble> {
        Self::new(vec![Point::dense(&[FAR]); points])
    }

    pub(super) fn points(&self) -> u64 {
        self.public.len() as u64
    }

    /// `fit`, then `learn`.
    fn learn(
        &self,
        plan: &TestDependentPlan,
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<InSpan, KernelError> {
        let w = fit(data, &self.problem)?;
        test_dependent::learn(&w, &self.kernel, &self.public, plan, coins)
    }
}

/// `jt13.thm4`
pub(super) fn hidden_constant(check: &mut Check) -> Result<(), Trouble> {
    super::printed::targets(check)?;
    let sizes: &[(usize, &str)] = if check.quick() {
        &[(10, "0.0082"), (100, "0.0105")]
    } else {
        &[(10, "0.0082"), (100, "0.0105"), (1000, "0.0106")]
    };
    check.certified(format_args!(
        "epsilon = 1, delta = 1e-6, T in {:?}: Algorithm 2 with the constant 1 in lockstep on a thousand records, targets on a \
         grid with one step to S",
        sizes.iter().map(|size| size.0).collect::<Vec<_>>()
    ));
    let budget = budget("1", "1e-6")?;
    let one = Rational::one();
    for (points, least) in sizes {
        let all = AllMove::parallel(*points)?;
        // As large a C0 as that does not bind.
        let bound = integer(10).pow(12);
        let plan = as_printed::test_dependent::plan(
            &all.sensitivity,
            1,
            all.points(),
            &one,
            &budget,
            bound,
        )?;
        // 1. All targets move by one step.
        let drawn = || ChaCha::reproducible(1, 0);
        let runs = lockstep(
            |data: &Dataset, coins: &mut Meter| all.learn(&plan, data, coins),
            &all.pair[0],
            &all.pair[1],
            Outcomes::drawn(drawn()),
        );
        let [account] = &runs.accounts[..] else {
            check.holds(false, format_args!("T = {points}: one stage"));
            continue;
        };
        let whole = plan.loss() * BigInt::from(all.points());
        check.holds(
            account.different == all.points() && account.pure.sum == whole,
            format_args!("T = {points}: each target takes its whole loss"),
        );
        // 2. The predictions of w^ at the z_t are the targets: K_ZZ = 99^2 J + 1 is regular.
        let w = fit(&all.pair[0], &all.problem)?;
        let targets = plan.noisy_targets(&w, &all.public, &mut drawn())?;
        let model = all.learn(&plan, &all.pair[0], &mut drawn())?;
        let told = |(z, target): (&Point, &BigInt)| -> Result<bool, NumberError> {
            Ok(plan.grid().round(&from_f64(model.prediction(z))?) == *target)
        };
        let all_told: Result<Vec<bool>, _> = all.public.iter().zip(&targets).map(told).collect();
        check.holds(
            all_told?.into_iter().all(|same| same),
            format_args!("T = {points}: w^ tells the targets"),
        );
        // 3. Noise around 0 and around 1 is randomised response: it is above 0 with probability 1/(1 + e^loss) or its
        //    complement, and has one likelihood ratio on either side.
        let above = plan.noise().cdf(&BigInt::zero(), BITS)?.complement();
        let response = Enclosure::exp_of(plan.loss(), BITS)? + Enclosure::integer(1, BITS);
        let response = Enclosure::integer(1, BITS).divided_by(&response)?;
        let [low, high] = [0, 1].map(|value| dp_assay::law::Noise::around(plan.noise(), value));
        let mut sides = true;
        for outcome in [-5, 0, 1, 6] {
            let loss = low.loss(&high, &outcome.into(), BITS)?.magnitude();
            sides &= loss.as_ref() == Some(plan.loss());
        }
        check.holds(
            above.meets(&response) && above.has_digits(20) && sides,
            format_args!("T = {points}: randomised response"),
        );
        // 4. So this is delta, exactly.
        let each = Budget::pure(plan.loss().clone(), budget.neighbours())?;
        let delta = optimal_delta(&each, all.points(), &one, BITS)?;
        check.refutes(
            delta.lower() > parse(least)?,
            "with the constant 1, T = 10, 100, 1000, delta(1) is .0082, .0105, .0106 where 1e-6 is stated",
        );
        check.figure(format_args!("constant 1, T = {points}: delta(1)"), &delta);
        // 5. The other reading.
        let each = Budget::pure(
            bounds::closed_loss(all.points(), &budget)?,
            budget.neighbours(),
        )?;
        let delta = optimal_delta(&each, all.points(), &one, BITS)?.upper();
        check.holds(
            delta < parse("1e-20")?,
            format_args!("T = {points}: {delta} with the constant 4 sqrt 2"),
        );
        let name = format_args!("constant 4 sqrt(2), T = {points}: delta(1), at most").to_string();
        check.figure(name, to_scientific(&delta, 3));
    }
    let loss = bounds::printed_loss(1000, &one, &budget)?;
    let least = continuous(&loss, 1000, &one)?;
    check.refutes(
        least.lower() > parse("0.0103")?,
        "with the constant 1 and continuous noise, T = 1000, delta(1) is above .0103",
    );
    check.figure(
        "constant 1, T = 1000, continuous noise: delta(1), at least",
        least,
    );
    Ok(())
}

/// A lower bound on delta of `T` continuous Laplace variables of scale `S/loss`, all moved by `S`: of each only is told
/// whether it is below both centres, above both, or between. Between it tells nothing; otherwise it is randomised response.
fn continuous(loss: &Rational, points: u64, epsilon: &Rational) -> Result<Enclosure, Trouble> {
    let lie = Enclosure::exp_of(&-loss, BITS)?;
    let between = lie.complement().shifted(-1);
    let odds = between.divided_by(&between.complement())?;
    let each = budgets::pure(loss.clone())?;
    // Binomial(T, between) are between: C(T, k) between^k (1 - between)^(T - k).
    let mut probability = between.complement().power(points);
    let mut sum = Enclosure::integer(0, BITS);
    for k in 0..40 {
        sum = sum + &probability * optimal_delta(&each, points - k, epsilon, BITS)?;
        let factor = Enclosure::of(&Rational::new((points - k).into(), (k + 1).into()), BITS);
        probability = probability * (&odds * factor);
    }
    Ok(sum)
}

/// Budgets, with epsilon at most `2 ln(1/delta)`.
const BUDGETS: [(&str, &str); 6] = [
    ("0.01", "1e-9"),
    ("0.1", "1e-6"),
    ("1", "1e-6"),
    ("5", "1e-6"),
    ("1.3", "0.5"),
    ("27.6", "1e-6"),
];

/// `jt13.thm4.corrected`
pub(super) fn closed_form(check: &mut Check) -> Result<(), Trouble> {
    super::printed::targets(check)?;
    let sizes: &[u64] = if check.quick() {
        &[1, 10]
    } else {
        &[1, 2, 10, 100, 1000]
    };
    check.certified(format_args!(
        "the exact delta of T targets with the closed noise, six budgets, T in {sizes:?}"
    ));
    for (epsilon, delta) in BUDGETS {
        let budget = budget(epsilon, delta)?;
        for &points in sizes {
            let loss = bounds::closed_loss(points, &budget)?;
            let instance = format!("epsilon = {epsilon}, delta = {delta}, T = {points}");
            let each = Budget::pure(loss.clone(), budget.neighbours())?;
            let found = optimal_delta(&each, points, budget.epsilon(), BITS)?;
            check.holds(
                found.upper() <= *budget.delta(),
                format_args!("{instance}: {found}"),
            );
            check.holds(
                loss <= step_for(&budget, points)?,
                format_args!("{instance}: the closed noise is not below the least"),
            );
        }
    }
    let points = if check.quick() { 20 } else { 1000 };
    check.exact(format_args!(
        "metered, T = {points} nearly parallel points: a thousand records at one point, one label turned"
    ));
    metered(
        check,
        "closed noise",
        &AllMove::parallel(points)?,
        Calibration::Closed,
    )
}

/// `jt13.thm4.exact`
pub(super) fn exact_noise(check: &mut Check) -> Result<(), Trouble> {
    let sizes: &[u64] = if check.quick() {
        &[1, 10]
    } else {
        &[1, 10, 1000]
    };
    check.certified(format_args!(
        "the largest loss of a target, six budgets, T in {sizes:?}: it keeps delta, and one part in 2^19 more does not"
    ));
    let more = ratio((1 << 19) + 1, 1 << 19);
    for (epsilon, delta) in BUDGETS {
        let budget = budget(epsilon, delta)?;
        for &points in sizes {
            let loss = step_for(&budget, points)?;
            let of = |loss: Rational| -> Result<Enclosure, Trouble> {
                let each = Budget::pure(loss, budget.neighbours())?;
                Ok(optimal_delta(&each, points, budget.epsilon(), BITS)?)
            };
            let (kept, broken) = (of(loss.clone())?, of(loss * &more)?);
            check.holds(
                kept.upper() <= *budget.delta() && broken.lower() > *budget.delta(),
                format_args!(
                    "epsilon = {epsilon}, delta = {delta}, T = {points}: {kept}, {broken}"
                ),
            );
        }
    }
    let points = if check.quick() { 20 } else { 1000 };
    check.exact(format_args!(
        "metered, one public point {points} times: a thousand records at that point, one label turned"
    ));
    let all = AllMove::repeated(points)?;
    metered(check, "least noise", &all, Calibration::Exact)?;
    metered(check, "pure noise", &all, Calibration::Pure)
}

/// `fit` and `learn` on the pair, both ways, with outcomes that are drawn and far out.
fn metered(
    check: &mut Check,
    name: &str,
    all: &AllMove,
    calibration: Calibration,
) -> Result<(), Trouble> {
    let asked = budget("1", "1e-6")?;
    let claim = match calibration {
        Calibration::Pure => Budget::pure(asked.epsilon().clone(), asked.neighbours())?,
        _ => asked.clone(),
    };
    let setting = TestDependent {
        budget: asked,
        calibration,
        norm_bound: all.problem.norm_bound(all.kernel.domain())?,
    };
    let plan = setting.plan(&all.sensitivity, all.points())?;
    let learner = |data: &Dataset, coins: &mut Meter| all.learn(&plan, data, coins);
    let [first, second] = &all.pair;
    check.family(name, &[], |family| {
        family.both_orders(learner, (first, second), (2, 30), &claim)
    })?;
    check.figure(
        format_args!("{name}: scale over S"),
        to_scientific(&plan.loss().recip(), 4),
    );
    Ok(())
}

/// A programme of Algorithm 2, in rationals.
pub struct Programme<'a> {
    pub kernel: &'a Plain,
    pub points: &'a [Point],
    pub targets: &'a [Rational],
}

impl Programme<'_> {
    /// `K a`.
    pub fn predictions(&self, a: &[Rational]) -> Vec<Rational> {
        let w = self.vector(a);
        self.points
            .iter()
            .map(|z| self.kernel.prediction(&w, z))
            .collect()
    }

    pub fn vector(&self, a: &[Rational]) -> Terms {
        self.points.iter().cloned().zip(a.iter().cloned()).collect()
    }

    /// `|w|^2`.
    fn squared_norm(&self, a: &[Rational]) -> Rational {
        dot(a, &self.predictions(a))
    }

    /// The solution of `(K + mu) a = y`, if that is regular.
    fn ridge(&self, mu: i64) -> Result<Vec<Rational>, OptimiseError> {
        let row = |(i, x): (usize, &Point)| {
            let values = self.points.iter().enumerate();
            let row: Vec<Rational> = values
                .map(|(j, z)| self.kernel.value(x, z) + integer(if i == j { mu } else { 0 }))
                .collect();
            reals(&row)
        };
        let matrix: Vec<_> = self.points.iter().enumerate().map(row).collect();
        let found = solve(&matrix, &reals(self.targets))?;
        Ok(found.into_iter().map(|a| a.re).collect())
    }

    /// At most so much is `T J(w)` above its minimum over `|v| <= C0`: the largest `<g, w - v>` with half the gradient `g`,
    /// times 2.
    fn gap(&self, a: &[Rational], squared_bound: &Rational) -> Result<Rational, Trouble> {
        let predictions = self.predictions(a);
        let gradient: Vec<Rational> = predictions
            .iter()
            .zip(self.targets)
            .map(|(f, y)| f - y)
            .collect();
        let along = dot(&gradient, &predictions);
        let length = self.squared_norm(&gradient) * squared_bound;
        let length = Enclosure::of(&length, BITS).sqrt()?.upper();
        Ok((along + length) * integer(2))
    }

    /// What the shipped code finds.
    pub fn shipped(
        &self,
        domain: Domain,
        squared_bound: &Rational,
    ) -> Result<Vec<Rational>, Trouble> {
        let float = dp_assay::number::rational::to_f64_for_display;
        let kernel = self.kernel.shipped().on(domain)?;
        let targets: Vec<f64> = self.targets.iter().map(float).collect();
        let bound = Enclosure::of(squared_bound, BITS).sqrt()?.lower();
        let model = InSpan::nearest(&kernel, self.points, &targets, float(&bound));
        let found: Result<Vec<Rational>, _> = model.terms().map(|(_, a)| from_f64(a)).collect();
        Ok(found?)
    }
}

fn points(places: &[i32]) -> Vec<Point> {
    places.iter().map(|x| Point::dense(&[*x])).collect()
}

/// What floats may be off by, as a share.
fn rounding() -> Rational {
    ratio(1, 1_000_000_000)
}

/// `jt13.alg2.span`
pub(super) fn in_the_span(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "Z = 0, 1, 2, K = (x z + 1)^3, targets 1, 0, 2: the minimiser without and with a bound that binds, one outside the span",
    );
    let domain = integers(1, 2)?;
    let places = points(&[0, 1, 2]);
    let targets = [1, 0, 2].map(integer);
    let programme = Programme {
        kernel: &CUBIC,
        points: &places,
        targets: &targets,
    };
    let known = [
        (0, ["103/64", "-25/32", "11/64"], "125/64"),
        (1, ["49/81", "-205/729", "52/729"], "158095/531441"),
    ];
    for (mu, coefficients, squared) in known {
        let a = programme.ridge(mu)?;
        let by_hand: Result<Vec<Rational>, _> = coefficients.iter().map(|a| parse(a)).collect();
        let norm = programme.squared_norm(&a);
        check.holds(
            a == by_hand? && norm == parse(squared)?,
            format_args!("mu = {mu}: {a:?}, |w|^2 = {norm}"),
        );
        let shipped = programme.shipped(domain, &norm)?;
        let near = |(a, b): (&Rational, &Rational)| (a - b).abs() < rounding();
        check.holds(
            shipped.iter().zip(&a).all(near),
            format_args!("mu = {mu}, shipped: {shipped:?}"),
        );
    }
    // A vector that is orthogonal to the phi(z_t): phi(-1) less its part in their span.
    let outside = Point::dense(&[-1]);
    let products: Vec<Rational> = places.iter().map(|z| CUBIC.value(&outside, z)).collect();
    let part = Programme {
        targets: &products,
        ..programme
    }
    .ridge(0)?;
    let mut v = programme.vector(&part.iter().map(|a| -a).collect::<Vec<_>>());
    v.push((outside.clone(), Rational::one()));
    let unseen = places.iter().all(|z| CUBIC.prediction(&v, z).is_zero());
    let (squared, there) = (
        CUBIC.squared_distance(&v, &Vec::new()),
        CUBIC.prediction(&v, &outside),
    );
    check.holds(
        unseen && squared.is_positive() && squared == there,
        format_args!("outside the span: |v|^2 = {squared}, <v, phi(-1)> = {there}"),
    );

    check.certified(
        "all targets from -2 to 2 on three public points, also one that is there twice, two kernels, three bounds: the gap of \
         what is found",
    );
    let worst = largest_gap(check)?;
    check.figure(
        "gap over the squared targets, at most",
        to_scientific(&worst, 2),
    );
    Ok(())
}

fn largest_gap(check: &mut Check) -> Result<Rational, Trouble> {
    let domain = integers(1, 2)?;
    let mut worst = Rational::zero();
    for places in [[0, 1, 2], [1, 1, 2], [-1, 2, 0]] {
        let places = points(&places);
        for kernel in [LINEAR, CUBIC] {
            for number in 0..125 {
                let targets =
                    [number % 5, number / 5 % 5, number / 25].map(|y: i64| integer(y - 2));
                let programme = Programme {
                    kernel: &kernel,
                    points: &places,
                    targets: &targets,
                };
                let scale = dot(&targets, &targets) + Rational::one();
                for squared_bound in [ratio(1, 100), ratio(1, 2), integer(1000)] {
                    let a = programme.shipped(domain, &squared_bound)?;
                    let norm = programme.squared_norm(&a);
                    let within = norm <= &squared_bound * (Rational::one() + rounding());
                    let gap = programme.gap(&a, &squared_bound)? / &scale;
                    check.holds(
                        within && gap < ratio(1, 10_000),
                        format_args!("{targets:?}, C0^2 = {squared_bound}: gap {gap}"),
                    );
                    worst = worst.max(gap);
                }
            }
        }
    }
    Ok(worst)
}

/// `jt13.thm5.core`
pub(super) fn core(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "three public points, two w*, all noise from -2 to 2, C0 = |w*|, 2 |w*|, 100: |u| <= |b| of what is found; vectors with a \
         gap",
    );
    let domain = integers(1, 2)?;
    let places = points(&[0, 1, 2]);
    let none = vec![Rational::zero(); 3];
    let mut worst = Rational::zero();
    for optimum in [[1, -1, 0], [0, 2, -1]] {
        let optimum: Terms = places.iter().cloned().zip(optimum.map(integer)).collect();
        let exact: Vec<Rational> = places
            .iter()
            .map(|z| CUBIC.prediction(&optimum, z))
            .collect();
        let squared = CUBIC.squared_distance(&optimum, &Vec::new());
        for number in 0..125 {
            let noise = [number % 5, number / 5 % 5, number / 25].map(|b: i64| integer(b - 2));
            let targets: Vec<Rational> = exact.iter().zip(&noise).map(|(f, b)| f + b).collect();
            let programme = Programme {
                kernel: &CUBIC,
                points: &places,
                targets: &targets,
            };
            let of_noise = dot(&noise, &noise);
            for squared_bound in [squared.clone(), &squared * integer(4), integer(10_000)] {
                let found = programme.shipped(domain, &squared_bound)?;
                let short: Vec<Rational> = found.iter().map(|a| a * ratio(3, 4)).collect();
                for a in [&found, &short, &none] {
                    let moved = programme.predictions(a);
                    let u: Vec<Rational> = moved.iter().zip(&exact).map(|(f, g)| f - g).collect();
                    let uu = dot(&u, &u);
                    // T kappa, at least: |u| <= |b| + sqrt(|b|^2 + T kappa), squared twice.
                    let gap = programme.gap(a, &squared_bound)?.max(Rational::zero());
                    let beyond = (&uu - &of_noise * integer(2) - &gap).max(Rational::zero());
                    check.holds(
                        &beyond * &beyond <= (&of_noise + &gap) * &of_noise * integer(4),
                        format_args!("{noise:?}, C0^2 = {squared_bound}, {a:?}: a gap"),
                    );
                    if std::ptr::eq(a, &found) && of_noise.is_positive() {
                        worst = worst.max(uu / &of_noise);
                    }
                }
            }
        }
    }
    check.attained("|u|^2 over |b|^2", &worst, &(Rational::one() + rounding()));
    Ok(())
}
