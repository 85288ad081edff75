//! What Algorithm 1 as printed promises of its predictions.

use super::interactive::{Constant, Given, axis, linear, on_given_noise, unit_ball};
use super::printed_interactive::printed;
use super::{BITS, grid, integers};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Law};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::noisy_answers::{Plan, Session};
use dp_assay::kernels::{Dataset, KernelError, Predictor, Record, Sensitivity, fit};
use dp_assay::law::Censored;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// How many steps of the grid of answers make the sensitivity.
const STEPS: i64 = 1024;

/// The noise of a plan.
fn noise_of(plan: &Plan) -> Result<DiscreteLaplace, Trouble> {
    Ok(DiscreteLaplace::new(integer(STEPS) / plan.loss())?)
}

/// `jt13.alg1.B`
pub(super) fn units_of_updates(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "n = 10^6, lambda = L = R = C = 1, (1, 1e-6), T = 1000, beta = .05; predictions in other units: c f for f, c = 4, 16, 64",
    );
    let (sensitivity, _) = unit_ball(1_000_000)?;
    let given = printed(Rational::one())?;
    let (line, enough) = (
        given.updates(&sensitivity)?,
        given.updates_enough(&sensitivity)?,
    );
    for factor in [4, 16, 64] {
        // L/c, lambda/c^2 and c C, so that S becomes c S.
        let factor = integer(factor);
        let mut scaled = printed(factor.clone())?;
        scaled.lipschitz = factor.recip();
        let moved = Sensitivity {
            exact: &sensitivity.exact * &factor,
            ..sensitivity.clone()
        };
        let quotient = scaled.updates(&moved)? / &line;
        check.refutes(
            quotient > &factor * ratio(99, 100),
            "predictions in units c times as small: line 1 gives c times as many updates",
        );
        check.holds(
            (&quotient - &factor).abs() < ratio(1, 1 << 40),
            format_args!("c = {factor}: {quotient} times as many"),
        );
        check.holds(
            scaled.updates_enough(&moved)? == enough,
            format_args!("c = {factor}: what is enough has no unit"),
        );
    }
    check.figure("updates by line 1", to_scientific(&line, 4));
    check.figure("updates that are enough, by the same constants", enough);
    Ok(())
}

/// `jt13.alg1.sign`
pub(super) fn sign(check: &mut Check) -> Result<(), Trouble> {
    check.exact("one query whose exact answers on two neighbours are S/2 and -S/2, and one noisy answer beyond sigma on both");
    let (sensitivity, kernel) = unit_ball(1_000_000)?;
    let plan = printed(Rational::one())?.plan_rounded_up(&sensitivity, &kernel)?;
    let half = sensitivity.predictions() / BigInt::from(2);
    // In steps: one beyond sigma, as seen from 0.
    let told = (plan.threshold() / plan.step()).to_integer() + 1;
    let (query, mut seen) = (axis(0), Vec::new());
    for exact in [half.clone(), -half] {
        let noise = &told - (&exact / plan.step()).to_integer();
        let mut coins = Given::new(vec![noise]);
        let optimum = Constant(exact.clone());
        let mut session = Session::open(&optimum, plan.clone(), &mut coins);
        let answer = session.answer(&query, &mut coins)?;
        let up = session.model().terms().iter().all(|term| term.1);
        seen.push((answer, up, exact.is_positive()));
    }
    let [one, other] = [&seen[0], &seen[1]];
    check.holds(
        one.0 == other.0 && one.0.updated && one.1 == other.1,
        "equal noisy answers, and equal steps of the session",
    );
    check.holds(
        one.2 != other.2,
        "answers S/2 and -S/2: the sign of the difference without noise would be a bit of the data",
    );
    Ok(())
}

/// `jt13.sec5.prediction`
pub(super) fn answer_of_an_update(check: &mut Check) -> Result<(), Trouble> {
    check.exact("one query with the exact answer 10 sigma, and no noise");
    let (sensitivity, kernel) = unit_ball(1_000_000_000)?;
    let plan = printed(Rational::one())?.plan_rounded_up(&sensitivity, &kernel)?;
    let exact = plan.threshold() * integer(10);
    let mut coins = Given::new(vec![BigInt::from(0)]);
    let optimum = Constant(exact.clone());
    let mut session = Session::open(&optimum, plan.clone(), &mut coins);
    // The text: the public model's prediction, and the noise.
    let text = session.model().prediction(&axis(0));
    let answer = session.answer(&axis(0), &mut coins)?;
    check.holds(
        (&exact - &text).abs() > *plan.error(),
        "the public model without an update would be off by 10 sigma",
    );
    let right = answer.updated && (answer.value - &exact).abs() <= *plan.error();
    check.holds(right, "line 9 answers from the data");
    Ok(())
}

/// `jt13.alg1.halts`
pub(super) fn halts(check: &mut Check) -> Result<(), Trouble> {
    const AXES: usize = 4805;
    check.certified(format_args!(
        "n = 1.4e12, lambda = .01, L = R = 1, C = .01, T = 20000, beta = .05, (1, 1e-6): w* with 1.3 sigma along each of {AXES} \
         axes, and the queries along them, once each"
    ));
    let problem = linear(ratio(1, 100))?;
    let domain = integers(AXES, 1)?;
    let sensitivity = problem.sensitivity(domain, 1_400_000_000_000)?;
    let kernel = problem.kernel().on(domain)?;
    let mut given = printed(ratio(1, 100))?;
    given.queries = 20_000;
    let updates = given.updates(&sensitivity)?;
    let plan = given.plan_not_private(&sensitivity, &kernel)?;
    // 1. w* is within C.
    let along = plan.threshold() * ratio(13, 10);
    let squared = &along * &along * BigInt::from(AXES);
    let within = squared <= &given.norm_bound * &given.norm_bound;
    check.holds(within, "|w*| <= C");
    // 2. A round along a new axis is quiet with so little probability.
    let step = plan.step();
    let value = (&along / step).floor().to_integer();
    let edge = (plan.threshold() / step).to_integer();
    let noise = noise_of(&plan)?;
    let quiet = Censored::new(value, &noise, [-&edge, edge])?.pmf(&None, BITS)?;
    let some = quiet * Enclosure::integer(plan.updates().value, BITS);
    check.holds(
        some.upper() < ratio(1, 10_000),
        format_args!("some round is quiet before the last update with probability {some}"),
    );
    // 3. The session.
    let optimum = Constant(along);
    let mut coins = ChaCha::reproducible(1, 0);
    let mut session = Session::open(&optimum, plan.clone(), &mut coins);
    let (mut answered, mut refused) = (0, 0);
    for j in 0..AXES {
        match session.answer(&axis(j), &mut coins) {
            Ok(_) => answered += 1,
            Err(KernelError::Spent) => refused += 1,
            Err(error) => return Err(error.into()),
        }
    }
    check.refutes(
        answered == plan.updates().value && refused > 4000,
        "C = .01, 4805 axes along each of which w* has 1.3 sigma: the loop ends at its 89th update",
    );
    let enough = given.updates_enough(&sensitivity)?;
    let more = integer(enough) > &updates * BigInt::from(10);
    check.holds(more, "ten times as many updates are enough, or more");
    check.figure("updates by line 1", to_scientific(&updates, 3));
    check.figure(
        "queries answered, and not",
        format_args!("{answered}, {refused}"),
    );
    check.figure("updates that are enough, with the noise for them", enough);
    Ok(())
}

/// `jt13.thm3`
pub(super) fn theorem_3(check: &mut Check) -> Result<(), Trouble> {
    const RECORDS: u64 = 1_000_000_000_000;
    let last = if check.quick() { 4 } else { 10 };
    check.certified(format_args!(
        "n = 10^12, lambda = .01, L = C = 1, (1, 1e-6), T = 1000, beta = .05, R = 4^-k for k = 0 to {last}: records at one point, \
         the loss -y f, labels such that the prediction there is sigma/2; ten queries at it"
    ));
    let mut before: Option<Rational> = None;
    for k in 0..=last {
        // 1. One point, a step of 4^-k from 0: the minimiser predicts R^2 (sum of labels)/(lambda n) there.
        let domain = Domain::new(grid(2 * k)?, 1, 1)?;
        let point = Point::dense(&[1]);
        let problem = linear(ratio(1, 100))?;
        let sensitivity = problem.sensitivity(domain, RECORDS)?;
        let kernel = problem.kernel().on(domain)?;
        let given = printed(Rational::one())?;
        let plan = given.plan_not_private(&sensitivity, &kernel)?;
        let half = plan.threshold() / BigInt::from(2);
        let of_label = kernel.squared_bound() / problem.penalty() / BigInt::from(RECORDS);
        let surplus = (&half / of_label / BigInt::from(2)).floor().to_integer();
        let surplus = u64::try_from(surplus).unwrap_or(RECORDS / 2);
        let record = |label| Record {
            point: point.clone(),
            label,
        };
        let (up, down) = (RECORDS / 2 + surplus, RECORDS / 2 - surplus);
        let data = Dataset::new(domain, [(record(1), up), (record(-1), down)])?;
        let optimum = fit(&data, &problem)?;
        let error = optimum.prediction(&point);
        let near = error <= half && error > half * ratio(99, 100);
        check.holds(
            near,
            format_args!("k = {k}: the prediction is nearly sigma/2"),
        );
        let squared = &error * &error;
        let bound = &given.norm_bound * &given.norm_bound * kernel.squared_bound();
        check.holds(squared <= bound, format_args!("k = {k}: |w*| <= C"));
        // 2. No round of T is an update, but with probability far below beta; and the session answers 0.
        let step = plan.step();
        let (value, edge) = (&error / step, plan.threshold() / step);
        let [value, edge] = [value, edge].map(|x| x.floor().to_integer());
        let quiet = Censored::new(value, &noise_of(&plan)?, [-&edge, edge])?.pmf(&None, BITS)?;
        let some = quiet.complement() * Enclosure::integer(given.queries, BITS);
        check.holds(
            some.upper() < parse("1e-5")?,
            format_args!("k = {k}: some update with probability {some}"),
        );
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan.clone(), &mut coins);
        for _ in 0..10 {
            let answer = session.answer(&point, &mut coins)?;
            let zero = !answer.updated && answer.value == integer(0);
            check.holds(zero, format_args!("k = {k}: the answer is 0"));
        }
        // 3. The error over what is printed doubles with each k.
        let order = given.printed_order(&sensitivity)?;
        let quotient = Enclosure::of(&error, BITS).divided_by(&order)?.lower();
        if let Some(before) = before {
            let grows = &quotient / before;
            check.refutes(
                grows > ratio(19, 10),
                "R = 4^-k and an error of sigma/2: the error over the printed expression doubles with each k",
            );
            check.holds(grows < ratio(21, 10), format_args!("k = {k}: by {grows}"));
        }
        if k == 0 || k == last {
            check.figure(
                format_args!("R = 4^-{k}: error over the printed expression"),
                to_scientific(&quotient, 3),
            );
        }
        before = Some(quotient);
    }
    check.figure(
        "with B in proportion to C R/sigma_1, and C, R >= 1, delta <= 1/e",
        "the printed order holds: jt13.thm3.corrected",
    );
    Ok(())
}

/// `jt13.thm10`
pub(super) fn theorem_10(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the noise at B of line 1, rounded up: T draws within sigma/4 but with probability beta; T = 1, 1000, 10^9",
    );
    let (sensitivity, kernel) = unit_ball(3_000_000)?;
    let mut given = printed(Rational::one())?;
    for queries in [1, 1000, 1_000_000_000] {
        given.queries = queries;
        let plan = given.plan_rounded_up(&sensitivity, &kernel)?;
        let noise = noise_of(&plan)?;
        let within = (plan.threshold() / plan.step() / BigInt::from(4))
            .floor()
            .to_integer();
        let outside = noise.between(&-&within, &within, BITS)?.complement();
        let failure = outside * Enclosure::integer(queries, BITS);
        check.holds(
            failure.upper() <= given.failure,
            format_args!("T = {queries}: some noise is beyond sigma/4 with probability {failure}"),
        );
    }
    check.exact(
        "the session on given noise within sigma/4, n = 3 10^6, lambda = L = C = R = 1, B of line 1, rounded up: as jt13.nt.error",
    );
    given.queries = 1000;
    let plan = given.plan_rounded_up(&sensitivity, &kernel)?;
    on_given_noise(check, &plan)?;
    // 5 sigma/4 = 500 S sqrt(B) ln(4/delta) ln(2T/beta)/epsilon, with the constants of line 2.
    let updates = given.updates(&sensitivity)?.ceil();
    let [four, twice] = [
        integer(4) / given.budget.delta(),
        integer(2000) / &given.failure,
    ]
    .map(|x| Enclosure::of(&x, BITS).ln());
    let order = Enclosure::of(&updates, BITS).sqrt()? * four? * twice?;
    let order = order * Enclosure::of(&(&sensitivity.exact * integer(500)), BITS);
    let share = Enclosure::of(plan.error(), BITS).divided_by(&order)?;
    check.holds(
        share.lower() > ratio(99, 100) && share.upper() < ratio(101, 100),
        format_args!("the bound is {share} of 500 S sqrt(B) ln(4/delta) ln(2T/beta)/epsilon"),
    );
    check.figure(
        format_args!("B = {updates}: every answer is within"),
        to_scientific_above(plan.error(), 3),
    );
    Ok(())
}

/// `jt13.thm3.corrected`
pub(super) fn theorem_3_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.exact("the session on given noise within sigma/4, n = 3 10^6, lambda = L = C = R = 1: as jt13.nt.error");
    let (sensitivity, kernel) = unit_ball(3_000_000)?;
    let given = printed(Rational::one())?;
    let plan = given.plan_repaired(&sensitivity, &kernel)?;
    on_given_noise(check, &plan)?;
    let bound = given.error_repaired(&sensitivity)?;
    check.holds(
        *plan.error() <= bound.upper() + plan.step(),
        format_args!("the bound is {bound}"),
    );
    nearly_all_updates(check)?;
    order(check)
}

/// `<w*, z>` on points in halves.
struct Halves(Vec<Rational>);

impl Predictor for Halves {
    fn prediction(&self, z: &Point) -> Rational {
        let terms = z.coordinates().iter();
        let sum: Rational = terms.map(|&(j, v)| &self.0[j as usize] * integer(v)).sum();
        sum / BigInt::from(2)
    }
}

/// The session on noise that is up by sigma/4 throughout, and a `w*` of norm `C` that takes nearly as many updates as the
/// proof allows: 3 sigma/4 along 16 axes; what is left of four of them, sigma/2 each, comes to sigma in their diagonal, and
/// what is left of four diagonals likewise.
fn nearly_all_updates(check: &mut Check) -> Result<(), Trouble> {
    const AXES: usize = 16;
    check.exact(
        "R = 2, C R = 3 sigma at B = 29: 3 sigma/4 along 16 axes, asked along them, along the diagonals of each four, and along \
         that of all, until they are quiet; all noise up by sigma/4",
    );
    let domain = Domain::new(grid(1)?, AXES, 4)?;
    let problem = linear(Rational::one())?;
    let sensitivity = problem.sensitivity(domain, 3_000_000)?;
    let kernel = problem.kernel().on(domain)?;
    // 1. C, and a little more for rounding.
    let mut given = printed(Rational::one())?;
    let sigma = given.threshold_of_one(&sensitivity)? * Enclosure::integer(29, BITS).sqrt()?;
    given.norm_bound = sigma.upper() * ratio(3, 2) * ratio(1001, 1000);
    let plan = given.plan_repaired(&sensitivity, &kernel)?;
    // 2. w*.
    let along = plan.threshold() - plan.noise_within() + plan.step() * BigInt::from(2);
    let optimum = Halves(vec![along / BigInt::from(2); AXES]);
    let squared: Rational = optimum.0.iter().map(|x| x * x).sum();
    let within = squared <= &given.norm_bound * &given.norm_bound;
    check.holds(within, "|w*| <= C");
    // 3. Each query until it is quiet. All have the norm R, 4 halves.
    let diagonal = |first: usize, axes: usize, each: i32| {
        let place = |j| {
            if (first..first + axes).contains(&j) {
                each
            } else {
                0
            }
        };
        Point::dense(&(0..AXES).map(place).collect::<Vec<i32>>())
    };
    let mut queries: Vec<Point> = (0..AXES).map(|j| diagonal(j, 1, 4)).collect();
    queries.extend((0..AXES).step_by(4).map(|j| diagonal(j, 4, 2)));
    queries.push(diagonal(0, AXES, 1));
    let up = (plan.noise_within() / plan.step()).to_integer();
    let mut coins = Given::new(vec![up]);
    let mut session = Session::open(&optimum, plan.clone(), &mut coins);
    for query in &queries {
        loop {
            match session.answer(query, &mut coins) {
                Ok(answer) if answer.updated => {}
                Ok(_) => break,
                Err(refused) => {
                    check.holds(false, format_args!("{query:?}: {refused}"));
                    break;
                }
            }
        }
    }
    let made = plan.updates().value - session.left().updates;
    check.holds(
        made == 26 && plan.updates().value == 29,
        format_args!("{made} updates, of fewer than {}", plan.updates().value),
    );
    check.figure(
        "updates on given noise, and B",
        format_args!("{made}, {}", plan.updates().value),
    );
    Ok(())
}

/// The bound against what Theorem 3 prints.
fn order(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the bound over what Theorem 3 prints: C = 1, 100, R = 1, 8, delta = .3, 1e-6, 1e-12, T = 1, 10^6, with the least n for \
         which sigma_1 <= C R, and 1000 times as many; the bound at the setting of jt13.nt.error, n = 10^7, 10^8",
    );
    let mut worst = integer(0);
    for (bound, radius) in [(1, 1), (100, 1), (1, 8), (100, 8)] {
        for (delta, queries) in [
            ("0.3", 1),
            ("1e-6", 1),
            ("1e-6", 1_000_000),
            ("1e-12", 1_000_000),
        ] {
            let mut given = printed(integer(bound))?;
            given.budget = budget("1", delta)?;
            (given.queries, given.failure) = (queries, ratio(1, 2));
            let squared = integer(radius * radius);
            // S of which sigma_1 is C R, and a thousandth of it.
            let of = |exact: Rational| Sensitivity {
                exact,
                solver: integer(0),
                evaluation: integer(0),
                squared_bound: squared.clone(),
            };
            let one = given.threshold_of_one(&of(Rational::one()))?;
            let largest = integer(bound * radius) / one.upper();
            for exact in [largest.clone(), largest / BigInt::from(1000)] {
                let found = of(exact);
                let share = given.error_repaired(&found)?;
                let share = share.divided_by(&given.printed_order(&found)?)?.upper();
                check.holds(
                    share <= integer(129),
                    format_args!(
                        "C = {bound}, R = {radius}, delta = {delta}, T = {queries}: {}",
                        to_scientific(&share, 4)
                    ),
                );
                worst = worst.max(share);
            }
        }
    }
    check.figure(
        "C, R >= 1, delta <= 1/e: the bound over what Theorem 3 prints, at most",
        to_scientific_above(&worst, 3),
    );
    let problem = linear(ratio(1, 100))?;
    for (n, below) in [(10_000_000, "19.1"), (100_000_000, "6.01")] {
        let sensitivity = problem.sensitivity(integers(2, 1)?, n)?;
        let bound = printed(integer(100))?.error_repaired(&sensitivity)?;
        check.holds(
            bound.upper() < parse(below)?,
            format_args!("n = {n}: {bound}"),
        );
        check.figure(format_args!("n = {n}: every answer is within"), bound);
    }
    Ok(())
}
