//! Sessions with a hidden threshold: explored where they are small, metered whole; their twin without fresh noise.

use super::interactive::{
    Constant, Coordinates, adversary, as_many_as_fit, axis, bound_at_sizes, linear, metered_whole,
    opposite_labels, told_by, unit_ball,
};
use super::{BITS, integers};
use crate::budgets;
use crate::claim::{Check, Trouble};
use crate::twins;
use dp_assay::coins::{Coins, CoinsError, Law, Meter};
use dp_assay::geometry::Point;
use dp_assay::kernels::session::Request;
use dp_assay::kernels::sparse_vector::{Plan, Session};
use dp_assay::kernels::{Dataset, KernelError, fit};
use dp_assay::law::{AboveThenAnswer, Around, Censored};
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

fn asked(
    epsilon: &str,
    queries: u64,
    norm_bound: Rational,
    updates: Option<u64>,
) -> Result<Request, Trouble> {
    Ok(Request {
        budget: budgets::pure(parse(epsilon)?)?,
        queries,
        failure: ratio(1, 20),
        norm_bound,
        updates,
        steps: 1024,
    })
}

/// `jt13.svt`
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    summed_sessions(check)?;
    metered_sessions(check)?;
    twin(check)?;
    twins::threshold(check)?;
    twins::forward(check)?;
    super::edges::sparse_vector_fails(check)
}

/// Coins that give the outcomes of a transcript, and say how likely they are.
struct Along {
    threshold: BigInt,
    told: Vec<Option<BigInt>>,
    next: usize,
    probability: Enclosure,
}

impl Coins for Along {
    fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
        Err(CoinsError::NoOutcome)
    }

    fn consumed(&self) -> u64 {
        0
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let threshold = told_by(law, |_: &Around<DiscreteLaplace>| self.threshold.clone());
        let outcome = match threshold {
            Some(threshold) => threshold,
            None => {
                let told = self.told[self.next].clone();
                self.next += 1;
                let told = told_by(law, |_: &AboveThenAnswer| told.clone());
                told.ok_or(CoinsError::NoOutcome)?
            }
        };
        self.probability = &self.probability * law.pmf(&outcome, BITS)?;
        Ok(outcome)
    }
}

/// So far from theta thresholds are summed over.
const REACH: i64 = 100;

/// The probability of a transcript of the session, each of whose exact answers is `value`, up to that of thresholds beyond the
/// reach. The queries are orthogonal to each other.
fn probability(
    value: &Rational,
    plan: &Plan,
    told: &[Option<BigInt>],
) -> Result<Enclosure, Trouble> {
    let optimum = Constant(value.clone());
    let theta = (plan.threshold() / plan.step()).to_integer();
    let mut sum = Enclosure::integer(0, BITS);
    for away in -REACH..=REACH {
        let mut coins = Along {
            threshold: &theta + away,
            told: told.to_vec(),
            next: 0,
            probability: Enclosure::integer(1, BITS),
        };
        let mut session = Session::open(&optimum, plan.clone(), &mut coins)?;
        for index in 0..told.len() {
            match session.answer(&axis(index), &mut coins) {
                Ok(_) => {}
                Err(KernelError::Spent) => break,
                Err(error) => return Err(error.into()),
            }
        }
        sum = sum + coins.probability;
    }
    Ok(sum)
}

/// Sessions of a few rounds, each transcript of which is summed over the thresholds.
fn summed_sessions(check: &mut Check) -> Result<(), Trouble> {
    let queries = if check.quick() { 2 } else { 3 };
    check.certified(format_args!(
        "sessions of {queries} queries, epsilon = 2, B = 2, a step of the grid being the sensitivity: each query quiet, or told \
         something below or above the answer; summed over thresholds up to {REACH} steps from theta, and the others bounded; \
         answers at the threshold, and the neighbour's below and above"
    ));
    let domain = integers(4, 1)?;
    let problem = linear(Rational::one())?;
    let sensitivity = problem.sensitivity(domain, 2)?;
    let kernel = problem.kernel().on(domain)?;
    let mut asked = asked("2", 4, ratio(1, 2), Some(2))?;
    (asked.steps, asked.failure) = (1, ratio(9, 10));
    let plan = Plan::new(&asked, &sensitivity, &kernel)?;
    let epsilon = asked.budget.epsilon();
    let value = plan.threshold();
    let at = (&value / plan.step()).to_integer();
    let outcomes = [None, Some(&at - 4), Some(&at + 4)];
    let beyond = plan.noises()[0].between(&(-REACH).into(), &REACH.into(), BITS)?;
    let beyond = beyond.complement();
    let mut largest = Rational::zero();
    for number in 0..3usize.pow(queries) {
        let digit = |place: u32| number / 3usize.pow(place) % 3;
        let told: Vec<_> = (0..queries)
            .map(|place| outcomes[digit(place)].clone())
            .collect();
        // After two updates the session has ended.
        let updates: Vec<bool> = told.iter().map(Option::is_some).collect();
        if updates[..2] == [true, true] && queries > 2 && digit(2) > 0 {
            continue;
        }
        let of =
            |steps: i64| probability(&(&value + plan.step() * BigInt::from(steps)), &plan, &told);
        let [below, here, above] = [of(-1)?, of(0)?, of(1)?];
        for (p, q) in [
            (&here, &below),
            (&below, &here),
            (&here, &above),
            (&above, &here),
        ] {
            let most = (p + &beyond).ln()? - q.ln()?;
            let least = p.ln()? - (q + &beyond).ln()?;
            check.holds(
                most.upper() <= *epsilon,
                format_args!("{told:?}: a loss of {most}"),
            );
            largest = largest.max(least.lower());
        }
    }
    check.attained("loss of a transcript", &largest, epsilon);
    Ok(())
}

fn metered_sessions(check: &mut Check) -> Result<(), Trouble> {
    let queries = if check.quick() { 60 } else { 600 };
    let n = 1_000_000;
    check.certified(format_args!(
        "metered whole, with the fitting: n = {n}, L = 1, R = 5, lambda = 1/4, linear kernel, epsilon = 1, {queries} queries \
         chosen by the answers, the first outside the domain; B as planned, and B = 5, where the session is spent; one label \
         turned, both orders; outcomes drawn and far out, one at a time and 7 in one direction"
    ));
    let problem = linear(ratio(1, 4))?;
    let [first, second] = opposite_labels(n)?;
    let sensitivity = problem.sensitivity(first.domain(), n)?;
    let kernel = problem.kernel().on(first.domain())?;
    let norm_bound = problem.norm_bound(first.domain())?;
    for updates in [None, Some(5)] {
        let queries = updates.map_or(queries, |_| 40);
        let asked = asked("1", queries, norm_bound.clone(), updates)?;
        let plan = Plan::new(&asked, &sensitivity, &kernel)?;
        let name = format!("B = {}", plan.updates().value);
        // After every fifth answer the session is stopped and started again.
        let session = |data: &Dataset, coins: &mut Meter| {
            let optimum = fit(data, &problem)?;
            let mut session = Session::open(&optimum, plan.clone(), coins)?;
            adversary(|query| {
                if session.answered().len() % 5 == 4 {
                    let threshold = session.threshold_not_private().clone();
                    let answered = session.answered().to_vec();
                    session = Session::resume(&optimum, plan.clone(), threshold, &answered)?;
                }
                session.answer(query, coins)
            })
        };
        metered_whole(check, &name, [&first, &second], plan.budget(), session)?;
    }
    Ok(())
}

/// The twin: noise on the threshold, and what is compared with it is told. All rounds quiet and then one answer far below
/// the threshold costs a whole `S/scale` a round.
fn twin(check: &mut Check) -> Result<(), Trouble> {
    const ROUNDS: u64 = 20;
    check.certified(format_args!(
        "the twin that tells the value that was compared: noise of scale 4 S on the threshold, 8 S on an answer, where the \
         session has fresh noise; {ROUNDS} quiet rounds and an answer 40 S below the threshold, summed over 1000 thresholds"
    ));
    let (hidden, noise) = (
        DiscreteLaplace::new(integer(4))?,
        DiscreteLaplace::new(integer(8))?,
    );
    // S is a step; the two exact answers are 0 and 1, the threshold 0 and its noise.
    let told = BigInt::from(-40);
    let far_below = BigInt::from(-100_000);
    let mut sums = [Enclosure::integer(0, BITS), Enclosure::integer(0, BITS)];
    for below in 1..=1000i64 {
        // The threshold is below what is told: a value from it on is told.
        let threshold: BigInt = &told - BigInt::from(below);
        let weight = hidden.pmf(&threshold, BITS)?;
        for (sum, exact) in sums.iter_mut().zip([0, 1]) {
            let law = Censored::new(exact, &noise, [far_below.clone(), threshold.clone()])?;
            let quiet = law.pmf(&None, BITS)?.power(ROUNDS);
            *sum = &*sum + &weight * quiet * law.pmf(&Some(told.clone()), BITS)?;
        }
    }
    // The thresholds below these add at most their own probability to either sum.
    let left = hidden.cdf(&(&told - BigInt::from(1001)), BITS)?;
    let [first, second] = &sums;
    let loss = first.ln()? - (second + &left).ln()?;
    let largest = (first + &left).ln()? - second.ln()?;
    // 20 quiet rounds and the answer at 1/8 each; all of them together at 1/4 + 1/8 would be private.
    check.holds(
        loss.lower() > ratio(26, 10) && largest.upper() < ratio(27, 10),
        format_args!("the loss of {ROUNDS} quiet rounds and one answer is {loss}"),
    );
    check.figure(
        format_args!("the twin without fresh noise: loss of {ROUNDS} quiet rounds and one answer"),
        format_args!("{loss}, (m + 1) S/scale"),
    );
    Ok(())
}

/// Coins that have no chance: the noises of the threshold, of tests and of answers are given.
struct Given {
    threshold: BigInt,
    rounds: Vec<[BigInt; 2]>,
    next: usize,
}

impl Coins for Given {
    fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
        Err(CoinsError::NoOutcome)
    }

    fn consumed(&self) -> u64 {
        0
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let threshold = |law: &Around<DiscreteLaplace>| &law.value + &self.threshold;
        if let Some(threshold) = told_by(law, threshold) {
            return Ok(threshold);
        }
        let [test, answer] = &self.rounds[self.next % self.rounds.len()];
        self.next += 1;
        let told = told_by(law, |law: &AboveThenAnswer| law.with_noise([test, answer]));
        told.ok_or(CoinsError::NoOutcome)
    }
}

/// `jt13.svt.error`
pub(super) fn error(check: &mut Check) -> Result<(), Trouble> {
    super::edges::threshold_by_hand(check)?;
    tails(check)?;
    core(check)?;
    figures(check)
}

/// Each of the three noises is within its bound but with a third of beta.
fn tails(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the tails of the three noises that are drawn: T = 1, 1000, B = 1, 30");
    let (sensitivity, kernel) = unit_ball(1000)?;
    for queries in [1, 1000] {
        for updates in [1, 30] {
            let asked = asked("1", queries, Rational::one(), Some(updates))?;
            let plan = Plan::new(&asked, &sensitivity, &kernel)?;
            let draws = [1, queries, updates.min(queries)];
            for ((noise, within), draws) in plan
                .noises()
                .into_iter()
                .zip(plan.noise_within())
                .zip(draws)
            {
                let within = within / plan.step();
                let beyond = |within: BigInt| -> Result<Enclosure, Trouble> {
                    let inside = noise.between(&-&within, &within, BITS)?;
                    Ok(inside.complement() * Enclosure::integer(draws, BITS))
                };
                let failure = beyond(within.to_integer())?;
                let less = beyond((within * ratio(99, 100)).to_integer())?;
                check.holds(
                    failure.upper() * integer(3) <= asked.failure
                        && less.lower() * integer(3) > asked.failure,
                    format_args!("T = {queries}, B = {updates}: some noise of {draws} draws is beyond with {failure}"),
                );
            }
        }
    }
    Ok(())
}

/// Whatever the noises within their bounds: errors, and how many updates are made.
fn core(check: &mut Check) -> Result<(), Trouble> {
    const UPDATES: u64 = 16;
    check.exact(format_args!(
        "the session on given noise within its bounds, C = R = 1, B = {UPDATES}: w* along as many axes as C allows with m and a \
         little, one coordinate at m + 2 gamma, one of C and -C, and 0; 27 choices of the three noises, up, down and none, \
         and tests in turn up and down"
    ));
    let (sensitivity, kernel) = unit_ball(1_000_000)?;
    let plan = Plan::new(
        &asked("1", 1000, Rational::one(), Some(UPDATES))?,
        &sensitivity,
        &kernel,
    )?;
    check.holds(!plan.is_vacuous(), "the bound says something");
    let step = plan.step();
    let within = plan.noise_within();
    let gamma = &within[0] + &within[1];
    let smallest = plan.threshold() - &gamma;
    let just_quiet = plan.threshold() + &gamma - step * BigInt::from(2);
    let instances = [
        ("many of m", as_many_as_fit(smallest)),
        ("one at m + 2 gamma", vec![just_quiet]),
        ("one of C", vec![Rational::one()]),
        ("one of -C, and 0", vec![-Rational::one(), Rational::zero()]),
        ("w* = 0", vec![Rational::zero()]),
    ];
    let in_steps = within.map(|within| (within / step).to_integer());
    let signs = [-1, 0, 1].map(BigInt::from);
    let mut noises = Vec::new();
    for threshold in &signs {
        for test in &signs {
            for answer in &signs {
                let round = |test: &BigInt| [test * &in_steps[1], answer * &in_steps[2]];
                noises.push((threshold * &in_steps[0], vec![round(test)]));
                if test.is_positive() {
                    let both = vec![round(test), round(&-test)];
                    noises.push((threshold * &in_steps[0], both));
                }
            }
        }
    }
    let (mut worst, mut most) = (Rational::zero(), 0);
    for (name, coordinates) in instances {
        let optimum = Coordinates::along_the_axes(check, name, &coordinates);
        for (threshold, rounds) in noises.clone() {
            let mut coins = Given {
                threshold,
                rounds,
                next: 0,
            };
            let mut session = Session::open(&optimum, plan.clone(), &mut coins)?;
            let answer = |query: &Point| session.answer(query, &mut coins);
            let instance = (name, coordinates.len(), plan.error());
            worst = worst.max(optimum.answered(check, instance, answer));
            most = most.max(UPDATES - session.left().updates);
        }
    }
    check.holds(
        most == UPDATES - 1,
        format_args!("{most} updates of fewer than {UPDATES}"),
    );
    check.attained("error of an answer", &worst, plan.error());
    Ok(())
}

/// The bound at the setting of `jt13.nt.error`.
fn figures(check: &mut Check) -> Result<(), Trouble> {
    let sizes = [(10_000, "44"), (100_000, "19.6"), (1_000_000, "9")];
    bound_at_sizes(check, "epsilon = 1", sizes, |sensitivity, kernel| {
        let plan = Plan::new(&asked("1", 1000, integer(100), None)?, sensitivity, kernel)?;
        Ok((plan.error().clone(), plan.updates().value))
    })
}
