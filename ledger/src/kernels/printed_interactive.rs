//! Algorithm 1 with its printed parameters.

use super::interactive::{adaptive_session, linear, opposite_labels};
use super::{BITS, integers};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Meter, Outcomes};
use dp_assay::geometry::Point;
use dp_assay::kernels::as_printed::interactive::Printed;
use dp_assay::kernels::bounds::noisy_answers::{printed_loss, theorem_9_loss};
use dp_assay::kernels::noisy_answers::Session;
use dp_assay::kernels::{Dataset, Predictor, Record, fit};
use dp_assay::number::rational::{integer, parse, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::noisy_answers;
use dp_assay::sample::DiscreteLaplace;
use num_traits::One;

pub(super) fn printed(norm_bound: Rational) -> Result<Printed, Trouble> {
    Ok(Printed {
        budget: budget("1", "1e-6")?,
        queries: 1000,
        failure: ratio(1, 20),
        norm_bound,
        lipschitz: Rational::one(),
        steps: 1024,
    })
}

/// `jt13.alg1.eps0`
pub(super) fn printed_noise(check: &mut Check) -> Result<(), Trouble> {
    check.certified("(1, 1e-6), B = 1, 10, 10^4: the loss of a round by line 2 and by Theorem 9");
    let budget = budget("1", "1e-6")?;
    for updates in [1, 10, 10_000] {
        let line = printed_loss(&integer(updates), &budget)?;
        let theorem = theorem_9_loss(updates, &budget)?;
        let quotient = &line / &theorem;
        let apart = &quotient - integer(2);
        check.refutes(
            quotient > ratio(3, 2),
            "(1, 1e-6), any B: S eps_0 of line 2 is twice that of Theorem 9",
        );
        check.holds(
            apart < ratio(1, 1 << 40) && apart > ratio(-1, 1 << 40),
            format_args!("B = {updates}: {quotient}"),
        );
    }
    Ok(())
}

/// `jt13.thm2`
pub(super) fn theorem_2(check: &mut Check) -> Result<(), Trouble> {
    super::printed::rounds(check)?;
    const RECORDS: u64 = 1000;
    check.certified(
        "n = 1000, lambda = 1.65e7, L = R = 1, the loss -y f, all labels 1 and one of them turned, (1, 1e-6), T = 1000, \
         beta = .05: the first answer, for C = L R/lambda and for the paper's 2 L R/lambda",
    );
    let penalty = integer(16_500_000);
    let problem = linear(penalty.clone())?;
    let domain = integers(1, 1)?;
    let all = |label| Record {
        point: Point::dense(&[1]),
        label,
    };
    let first = Dataset::new(domain, [(all(1), RECORDS)])?;
    let second = Dataset::new(domain, [(all(1), RECORDS - 1), (all(-1), 1)])?;
    let sensitivity = problem.sensitivity(domain, RECORDS)?;
    let kernel = problem.kernel().on(domain)?;
    let query = Point::dense(&[1]);
    for (factor, least) in [(1, "0.987"), (2, "0.847")] {
        let given = printed(integer(factor) / &penalty)?;
        let updates = given.updates(&sensitivity)?;
        let plan = given.plan_not_private(&sensitivity, &kernel)?;
        // 1. The shipped session answers the first query from the data.
        let optimum = fit(&first, &problem)?;
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan.clone(), &mut coins);
        let answer = session.answer(&query, &mut coins)?;
        check.holds(
            answer.updated && updates < Rational::one(),
            "one update, and B < 1",
        );
        // 2. The event: the answer is above the middle of the two predictions, S apart, and above sigma.
        let [one, other] = [&first, &second].map(|data| fit(data, &problem));
        let (one, other) = (one?.prediction(&query), other?.prediction(&query));
        let apart = (&one - &other) / sensitivity.predictions();
        check.holds(
            apart.is_one(),
            format_args!("the predictions are {apart} S apart"),
        );
        let told = other > plan.threshold() + &sensitivity.exact;
        check.holds(told, "both predictions are told, but for noise of many S");
        let noise = DiscreteLaplace::new(integer(given.steps) / plan.loss())?;
        let half = integer(given.steps / 2).to_integer();
        let [at_minus, at_plus] = [-&half, half].map(|k| noise.cdf(&k, BITS));
        let (p, q) = (at_minus?.complement(), at_plus?.complement());
        let factor_of = Enclosure::exp_of(given.budget.epsilon(), BITS)?;
        let delta = &p - factor_of * &q;
        check.refutes(
            delta.lower() >= parse(least)?,
            "n = 1000, lambda = 1.65e7, one label turned: B < 1, and the first answer",
        );
        check.figure(
            format_args!("C = {factor} L R/lambda: B, and the loss of a round"),
            format_args!(
                "{}, {}",
                to_scientific(&updates, 3),
                to_scientific(plan.loss(), 4)
            ),
        );
        check.figure(
            format_args!(
                "C = {factor} L R/lambda: delta at epsilon = 1, where 1e-6 is claimed, at least"
            ),
            delta,
        );
    }
    // The other reading: B is an integer, so at least 1.
    let loss = printed_loss(&Rational::one(), &budget("1", "1e-6")?)?;
    let delta = noisy_answers::delta(&loss, 1, &Rational::one())?;
    check.holds(delta <= parse("1e-6")?, "B = 1 is private");
    check.figure(
        "with B an integer, at least 1: delta at epsilon = 1 is at most",
        to_scientific_above(&delta, 3),
    );
    Ok(())
}

/// `jt13.thm2.corrected`
pub(super) fn theorem_2_corrected(check: &mut Check) -> Result<(), Trouble> {
    let queries = if check.quick() { 30 } else { 200 };
    check.certified(format_args!(
        "metered whole, (1, 1e-6), {queries} queries chosen by the answers, one label turned, both orders, outcomes drawn and \
         far out: n = 10^6 and lambda = 1/4, where B is large; n = 1000 and lambda = 1.65e7, where B is below 1 before it is \
         rounded up"
    ));
    let mut smallest = None;
    for (n, penalty) in [(1_000_000, ratio(1, 4)), (1000, integer(16_500_000))] {
        let problem = linear(penalty)?;
        let [first, second] = opposite_labels(n)?;
        let sensitivity = problem.sensitivity(first.domain(), n)?;
        let kernel = problem.kernel().on(first.domain())?;
        let mut given = printed(problem.norm_bound(first.domain())?)?;
        given.queries = queries;
        let plan = given.plan_rounded_up(&sensitivity, &kernel)?;
        let below = given.updates(&sensitivity)? < Rational::one();
        check.holds(below == (n == 1000), format_args!("n = {n}: B is below 1"));
        let name = format!("n = {n}, B = {}", plan.updates().value);
        check.family(&name, &[], |family| {
            for (first, second) in [(&first, &second), (&second, &first)] {
                for (led, outcomes) in [
                    ("drawn", Outcomes::drawn(ChaCha::reproducible(1, 0))),
                    ("far out", Outcomes::far_out(ChaCha::reproducible(1, 1), 3)),
                ] {
                    let learner = |data: &Dataset, coins: &mut Meter| {
                        adaptive_session(data, &problem, &plan, coins)
                    };
                    family.run(led, learner, (first, second), outcomes, plan.budget())?;
                }
            }
            Ok(())
        })?;
        smallest = Some(plan.updates().value);
    }
    check.holds(smallest == Some(1), "B rounded up is 1");
    Ok(())
}
