//! Sessions of noisy answers: explored where they are small, metered whole, their queries chosen by an adversary.

use super::{BITS, integers};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use crate::twins;
use dp_assay::coins::{ChaCha, Coins, CoinsError, Explored, Explorer, Law, Layer, Meter, Outcomes};
use dp_assay::geometry::Point;
use dp_assay::kernels::noisy_answers::{Plan, Session};
use dp_assay::kernels::session::Answer;
use dp_assay::kernels::session::Request;
use dp_assay::kernels::{
    Dataset, Kernel, KernelError, KernelOn, Predictor, Problem, Record, Sensitivity, fit,
};
use dp_assay::law::Censored;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::{Budget, noisy_answers};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::any::Any;
use std::collections::BTreeMap;

/// One number at every point.
#[derive(Debug, Clone)]
pub(super) struct Constant(pub Rational);

impl Predictor for Constant {
    fn prediction(&self, _: &Point) -> Rational {
        self.0.clone()
    }
}

/// The loss `-y f`, the linear kernel, and this penalty.
pub(super) fn linear(penalty: Rational) -> Result<Problem, KernelError> {
    Problem::new(Loss::Linear, Kernel::Linear, penalty)
}

/// What was answered, in order, and whether it was an update.
pub(super) type Transcript = Vec<(bool, Rational)>;

/// A session of four queries, each orthogonal to those before, so that the public model answers 0 to each; it ends with
/// its updates.
fn small_session(
    value: &Rational,
    plan: &Plan,
    coins: &mut impl Coins,
) -> Result<Transcript, CoinsError> {
    let optimum = Constant(value.clone());
    let mut session = Session::open(&optimum, plan.clone(), coins);
    let mut transcript = Vec::new();
    for index in 0..4 {
        // The one error that is not of the coins is that the session is spent.
        match session.answer(&axis(index), coins) {
            Ok(Answer { value, updated }) => transcript.push((updated, value)),
            Err(KernelError::Coins(error)) => return Err(error),
            Err(_) => break,
        }
    }
    Ok(transcript)
}

/// A unit vector.
pub(super) fn axis(j: usize) -> Point {
    let mut coordinates = vec![0; j + 1];
    coordinates[j] = 1;
    Point::dense(&coordinates)
}

/// An upper bound on the sum of `max(0, P - e^epsilon Q)` over all transcripts: over those that were seen, and what is
/// undecided of `P`.
fn hockey_stick(
    first: &Explored<Transcript>,
    second: &Explored<Transcript>,
    epsilon: &Rational,
) -> Result<Enclosure, Trouble> {
    let factor = Enclosure::exp_of(epsilon, BITS)?;
    let zero = Enclosure::integer(0, BITS);
    let mut sum = zero.clone();
    for (transcript, p) in &first.lower {
        let q = second.lower(transcript);
        let gap = Enclosure::of(p, BITS) - &factor * Enclosure::of(&q, BITS);
        sum = sum + gap.max(&zero);
    }
    Ok(sum + Enclosure::of(&first.undecided, BITS))
}

/// Sessions of four rounds on every outcome: the delta of the whole transcript is below that of Theorem A. Also for
/// `jt13.thmA`.
pub(super) fn explored_sessions(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 1 } else { 2 };
    check.certified(format_args!(
        "sessions of four queries, explored over whole draws, a step of the grid being the sensitivity: (epsilon, delta) = \
         (1, 1/2), B = 1 to {most}; the answers at the threshold and beside it; both orders, epsilon = 1/4, 1, 2"
    ));
    let domain = integers(4, 1)?;
    let problem = linear(Rational::one())?;
    let sensitivity = problem.sensitivity(domain, 2)?;
    let kernel = problem.kernel().on(domain)?;
    let budget = budget("1", "0.5")?;
    for updates in 1..=most {
        let asked = Request {
            budget: budget.clone(),
            queries: 4,
            failure: ratio(9, 10),
            norm_bound: ratio(1, 2),
            updates: Some(updates),
            steps: 1,
        };
        let plan = Plan::new(&asked, &sensitivity, &kernel)?;
        // The step of the grid is S', which is S = 1 here.
        let step = sensitivity.predictions();
        let edge = plan.threshold();
        for offset in [-1, 0, 1] {
            let value = &edge + &step * BigInt::from(offset);
            let explore = |value: &Rational| {
                Explorer::new(Layer::Laws, 40_000)
                    .with_tail(ratio(1, 1 << 9))
                    .explore(|coins| small_session(value, &plan, coins))
            };
            let (one, other) = (explore(&value)?, explore(&(&value + &step))?);
            for (first, second) in [(&one, &other), (&other, &one)] {
                for epsilon in ["0.25", "1", "2"] {
                    let epsilon = parse(epsilon)?;
                    let found = hockey_stick(first, second, &epsilon)?;
                    let bound = noisy_answers::delta(plan.loss(), updates, &epsilon)?;
                    let instance = format!("B = {updates}, {offset} from the threshold");
                    check.holds(
                        found.upper() <= bound && first.undecided < ratio(1, 20),
                        format_args!("{instance}, epsilon = {epsilon}: {found} of {bound}"),
                    );
                    if offset == 0 && epsilon.is_one() {
                        check.figure(
                            format_args!(
                                "{instance}, s = {}: delta at epsilon = 1",
                                to_scientific(plan.loss(), 3)
                            ),
                            format_args!(
                                "at most {found}, by Theorem A {}",
                                to_scientific(&bound, 3)
                            ),
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// The dimension of the metered sessions: a direction for each query.
const DIRECTIONS: usize = 1001;

/// `5 e_0`.
fn along() -> Point {
    Point::dense(&[5])
}

/// `4 e_0 + 3 e_j`
fn aside(j: u32) -> Result<Point, KernelError> {
    Ok(Point::new(vec![(0, 4), (j, 3)])?)
}

/// Copies of one record, the label of one of which is turned on the second dataset: the predictions at `5 e_0` differ by
/// all that they may.
pub(super) fn opposite_labels(n: u64) -> Result<[Dataset; 2], KernelError> {
    let domain = integers(DIRECTIONS, 5)?;
    let all = |label| Record {
        point: along(),
        label,
    };
    let first = Dataset::new(domain, [(all(1), n)])?;
    let second = Dataset::new(domain, [(all(1), n - 1), (all(-1), 1)])?;
    Ok([first, second])
}

/// A whole session: fitting, and the queries of [`adversary`]. After every fifth answer the session is stopped and started
/// again.
pub(super) fn adaptive_session(
    data: &Dataset,
    problem: &Problem,
    plan: &Plan,
    coins: &mut Meter,
) -> Result<(Transcript, Vec<bool>), KernelError> {
    let optimum = fit(data, problem)?;
    let mut session = Session::open(&optimum, plan.clone(), coins);
    adversary(|query| {
        if session.answered().len() % 5 == 4 {
            let answered = session.answered().to_vec();
            session = Session::resume(&optimum, plan.clone(), &answered)?;
        }
        session.answer(query, coins)
    })
}

/// Queries that an adversary chooses by the answers. The first is outside the domain, where predictions move by more. After an
/// update it asks the same again; a quiet answer sends it to a point in a direction that it has not used. Of a session that is
/// spent it asks three times more. What was answered, and whether each of these was refused.
pub(super) fn adversary(
    mut ask: impl FnMut(&Point) -> Result<Answer, KernelError>,
) -> Result<(Transcript, Vec<bool>), KernelError> {
    let (mut transcript, mut refused) = (Vec::new(), Vec::new());
    let (mut query, mut next) = (Point::dense(&[6]), 1);
    while refused.len() < 3 {
        match ask(&query) {
            Ok(Answer { value, updated }) => {
                if !updated {
                    query = if next % 2 == 0 { along() } else { aside(next)? };
                    next = (next + 1) % DIRECTIONS as u32;
                }
                transcript.push((updated, value));
            }
            Err(KernelError::Geometry(_)) => query = along(),
            Err(KernelError::Spent) => refused.push(true),
            Err(error) => return Err(error),
        }
    }
    Ok((transcript, refused))
}

/// `jt13.nt`
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    explored_sessions(check)?;
    metered_sessions(check)?;
    twins::results(check)
}

fn metered_sessions(check: &mut Check) -> Result<(), Trouble> {
    let queries = if check.quick() { 60 } else { 500 };
    let n = 1_000_000;
    check.certified(format_args!(
        "metered whole, with the fitting: n = {n}, L = 1, R = 5, lambda = 1/4, linear kernel, (1, 1e-6), {queries} queries \
         chosen by the answers, the first outside the domain; B as planned, and B = 5, where the session is spent; one label \
         turned, both orders; outcomes drawn and far out, one at a time and 7 in one direction"
    ));
    let problem = linear(ratio(1, 4))?;
    let [first, second] = opposite_labels(n)?;
    let sensitivity = problem.sensitivity(first.domain(), n)?;
    let kernel = problem.kernel().on(first.domain())?;
    let claim = budget("1", "1e-6")?;
    for updates in [None, Some(5)] {
        let asked = Request {
            budget: claim.clone(),
            queries: updates.map_or(queries, |_| 40),
            failure: ratio(1, 20),
            norm_bound: problem.norm_bound(first.domain())?,
            updates,
            steps: 1024,
        };
        let plan = Plan::new(&asked, &sensitivity, &kernel)?;
        let name = format!("B = {}", plan.updates().value);
        let session =
            |data: &Dataset, coins: &mut Meter| adaptive_session(data, &problem, &plan, coins);
        metered_whole(check, &name, [&first, &second], plan.budget(), session)?;
    }
    Ok(())
}

/// Whole sessions on both orders of a pair, along outcomes drawn and far out; and how many updates they make.
pub(super) fn metered_whole(
    check: &mut Check,
    name: &str,
    [first, second]: [&Dataset; 2],
    claim: &Budget,
    session: impl Fn(&Dataset, &mut Meter) -> Result<(Transcript, Vec<bool>), KernelError> + Sync,
) -> Result<(), Trouble> {
    let coins = |stream| ChaCha::reproducible(1, stream);
    let mut most = 0;
    check.family(name, &[], |family| {
        for (order, pair) in [(first, second), (second, first)].into_iter().enumerate() {
            for (led, outcomes) in [
                ("drawn", Outcomes::drawn(coins(0))),
                ("far out", Outcomes::far_out(coins(1), 3)),
                (
                    "far out in one direction",
                    Outcomes::far_out(coins(2), 20).patiently(7),
                ),
            ] {
                let instance = format!("order {order}, {led}");
                let ((transcript, _), _) = family.run(instance, &session, pair, outcomes, claim)?;
                most = most.max(transcript.iter().filter(|answer| answer.0).count());
            }
        }
        Ok(())
    })?;
    check.figure(format_args!("{name}: updates in a session, at most"), most);
    Ok(())
}

/// Coins that have no chance: the noise of each round is given.
pub(super) struct Given {
    noise: Vec<BigInt>,
    rounds: usize,
}

impl Given {
    /// Noise in steps, of one round after the other, and then from the beginning again.
    pub(super) fn new(noise: Vec<BigInt>) -> Self {
        Self { noise, rounds: 0 }
    }
}

impl Coins for Given {
    fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
        Err(CoinsError::NoOutcome)
    }

    fn consumed(&self) -> u64 {
        0
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let noise = &self.noise[self.rounds % self.noise.len()];
        self.rounds += 1;
        told_by(law, |law: &Censored| law.with_noise(noise)).ok_or(CoinsError::NoOutcome)
    }
}

/// What is told if this is the law of the draw.
pub(super) fn told_by<L: Law, M: Law>(
    law: &L,
    tell: impl Fn(&M) -> M::Outcome,
) -> Option<L::Outcome> {
    let law: &dyn Any = law;
    let told: Box<dyn Any> = Box::new(tell(law.downcast_ref::<M>()?));
    Some(*told.downcast::<L::Outcome>().ok()?)
}

/// Predictions at the unit vectors, those of a `w*` with these coordinates.
pub(super) struct Coordinates(pub BTreeMap<Point, Rational>);

impl Predictor for Coordinates {
    fn prediction(&self, z: &Point) -> Rational {
        self.0.get(z).cloned().unwrap_or_else(Rational::zero)
    }
}

impl Coordinates {
    /// A `w*` along the first axes, of norm at most 1.
    pub(super) fn along_the_axes(check: &mut Check, name: &str, coordinates: &[Rational]) -> Self {
        let squared: Rational = coordinates.iter().map(|x| x * x).sum();
        check.holds(
            squared <= Rational::one(),
            format_args!("{name}: |w*| <= C"),
        );
        let axes = coordinates.iter().enumerate();
        Self(axes.map(|(j, value)| (axis(j), value.clone())).collect())
    }

    /// Asks each of the first axes until the answer is quiet, and once more, and one axis beyond: none is refused, or off by more
    /// than `most`. The largest error.
    pub(super) fn answered(
        &self,
        check: &mut Check,
        (name, axes, most): (&str, usize, &Rational),
        mut answer: impl FnMut(&Point) -> Result<Answer, KernelError>,
    ) -> Rational {
        let mut worst = Rational::zero();
        for j in 0..axes + 1 {
            let query = axis(j);
            let mut quiet = 0;
            while quiet < 2 {
                let answer = match answer(&query) {
                    Ok(answer) => answer,
                    Err(refused) => {
                        check.holds(false, format_args!("{name}, axis {j}: {refused}"));
                        break;
                    }
                };
                quiet += usize::from(!answer.updated);
                let error = (&answer.value - self.prediction(&query)).abs();
                let text = format!("{name}, axis {j}: off by {}", to_scientific(&error, 3));
                check.holds(error <= *most, text);
                worst = worst.max(error);
            }
        }
        worst
    }
}

/// So often this coordinate, that `|w*| <= 1`.
pub(super) fn as_many_as_fit(smallest: Rational) -> Vec<Rational> {
    let mut together = vec![smallest.clone()];
    while together.len() < AXES
        && &smallest * &smallest * BigInt::from(together.len() + 1) <= Rational::one()
    {
        together.push(smallest.clone());
    }
    together
}

/// `jt13.nt.error`
pub(super) fn error(check: &mut Check) -> Result<(), Trouble> {
    tails(check)?;
    core(check)?;
    figures(check)
}

fn asked(queries: u64, norm_bound: Rational, updates: Option<u64>) -> Result<Request, Trouble> {
    Ok(Request {
        budget: budget("1", "1e-6")?,
        queries,
        failure: ratio(1, 20),
        norm_bound,
        updates,
        steps: 1024,
    })
}

/// `T` draws of noise are within `w` but with probability `beta`; and not within much less.
fn tails(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the tails of the noise that is drawn: T = 1, 1000, 10^9, B = 1, 100");
    let problem = linear(Rational::one())?;
    let domain = integers(2, 1)?;
    let sensitivity = problem.sensitivity(domain, 1000)?;
    let kernel = problem.kernel().on(domain)?;
    for queries in [1, 1000, 1_000_000_000] {
        for updates in [1, 100] {
            let asked = asked(queries, Rational::one(), Some(updates))?;
            let plan = Plan::new(&asked, &sensitivity, &kernel)?;
            let steps = integer(asked.steps);
            let noise = DiscreteLaplace::new(&steps / plan.loss())?;
            let within = plan.noise_within() / sensitivity.predictions() * steps;
            let beyond = |within: BigInt| -> Result<Enclosure, Trouble> {
                let inside = noise.between(&-&within, &within, BITS)?;
                Ok(inside.complement() * Enclosure::integer(queries, BITS))
            };
            let failure = beyond(within.to_integer())?;
            let less = beyond((within * ratio(99, 100)).to_integer())?;
            check.holds(
                failure.upper() <= asked.failure && less.lower() > asked.failure,
                format_args!("T = {queries}, B = {updates}: fails with probability {failure}"),
            );
        }
    }
    Ok(())
}

/// Whatever the noise within `w`: errors, and how many updates are made.
fn core(check: &mut Check) -> Result<(), Trouble> {
    const UPDATES: u64 = 16;
    check.exact(format_args!(
        "the session on given noise within w, C = R = 1, B = {UPDATES}: w* along as many axes as C allows with m and a little, \
         one coordinate at sigma + w, one of C and -C, and 0; all noise up, all down, in turn, and none"
    ));
    let (sensitivity, kernel) = unit_ball(1_000_000)?;
    let plan = Plan::new(
        &asked(1000, Rational::one(), Some(UPDATES))?,
        &sensitivity,
        &kernel,
    )?;
    check.holds(!plan.is_vacuous(), "the bound says something");
    let most = on_given_noise(check, &plan)?;
    check.holds(
        most == UPDATES - 1,
        format_args!("{most} updates of fewer than {UPDATES}"),
    );
    Ok(())
}

/// How many directions of feature space the sessions on given noise have.
pub(super) const AXES: usize = 40;

/// The loss `-y f` with `lambda = 1` on the unit ball, the linear kernel: `C = R = 1`.
pub(super) fn unit_ball(n: u64) -> Result<(Sensitivity, KernelOn), Trouble> {
    let problem = linear(Rational::one())?;
    let domain = integers(AXES, 1)?;
    let kernel = problem.kernel().on(domain)?;
    Ok((problem.sensitivity(domain, n)?, kernel))
}

/// Sessions of a plan on the unit ball with `C = 1`, on given noise within its `w`: no answer is off by more than its bound,
/// and none is refused. The most updates in a session.
pub(super) fn on_given_noise(check: &mut Check, plan: &Plan) -> Result<u64, Trouble> {
    let step = plan.step();
    let (within, threshold) = (plan.noise_within(), plan.threshold());
    let up = (&within / step).to_integer();
    // With the noise w just beyond sigma; as many of these as are within C.
    let smallest = &threshold - &within + step;
    let instances = [
        ("many of m", as_many_as_fit(smallest)),
        ("one at sigma + w", vec![&threshold + &within]),
        ("one of C", vec![Rational::one()]),
        ("one of -C, and 0", vec![-Rational::one(), Rational::zero()]),
        ("w* = 0", vec![Rational::zero()]),
    ];
    let (mut worst, mut most) = (Rational::zero(), 0);
    for (name, coordinates) in instances {
        let optimum = Coordinates::along_the_axes(check, name, &coordinates);
        for noise in [
            vec![up.clone()],
            vec![-&up],
            vec![up.clone(), -&up],
            vec![BigInt::zero()],
        ] {
            let mut coins = Given::new(noise);
            let mut session = Session::open(&optimum, plan.clone(), &mut coins);
            let answer = |query: &Point| session.answer(query, &mut coins);
            let instance = (name, coordinates.len(), plan.error());
            worst = worst.max(optimum.answered(check, instance, answer));
            most = most.max(plan.updates().value - session.left().updates);
        }
    }
    check.attained("error of an answer", &worst, plan.error());
    Ok(most)
}

/// The bound at the setting of the notes.
fn figures(check: &mut Check) -> Result<(), Trouble> {
    let sizes = [(10_000, "36.6"), (100_000, "10.6"), (1_000_000, "3.3")];
    bound_at_sizes(check, "(1, 1e-6)", sizes, |sensitivity, kernel| {
        let plan = Plan::new(&asked(1000, integer(100), None)?, sensitivity, kernel)?;
        Ok((plan.error().clone(), plan.updates().value))
    })
}

/// The bound of a plan for so many records, below these numbers; and how many updates it has.
pub(super) fn bound_at_sizes(
    check: &mut Check,
    budget: &str,
    sizes: [(u64, &str); 3],
    plan: impl Fn(&Sensitivity, &KernelOn) -> Result<(Rational, u64), Trouble>,
) -> Result<(), Trouble> {
    let sizes = if check.quick() { &sizes[1..2] } else { &sizes };
    check.certified(format_args!(
        "the bound at L = R = 1, lambda = .01, C = 100, T = 1000, beta = .05, {budget}, n = 10^4, 10^5, 10^6"
    ));
    let problem = linear(ratio(1, 100))?;
    let domain = integers(2, 1)?;
    let kernel = problem.kernel().on(domain)?;
    for &(n, below) in sizes {
        let (bound, updates) = plan(&problem.sensitivity(domain, n)?, &kernel)?;
        let error = to_scientific_above(&bound, 3);
        check.holds(bound <= parse(below)?, format_args!("n = {n}: {error}"));
        check.figure(
            format_args!("n = {n}: every answer is within"),
            format_args!("{error}, with B = {updates}"),
        );
    }
    Ok(())
}
