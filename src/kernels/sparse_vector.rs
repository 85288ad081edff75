//! Algorithm 1 with a hidden noisy threshold, the sparse vector technique: predictions for queries that come one by one,
//! purely private.

use super::session::{self, Answer, Answered, Left, PublicSide, Request};
use super::steps::noise_within;
use super::{AnswerGrid, Expansion, KernelError, KernelOn, Predictor, Sensitivity};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::Point;
use crate::law::{AboveThenAnswer, Noise};
use crate::number::Rational;
use crate::number::chosen::{Chosen, from_theorem, overridden};
use crate::number::range::at_least_one;
use crate::number::rational::{integer, ratio};
use crate::privacy::Budget;
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::Signed;

/// A session that answers queries: at most so many, of which at most [`Plan::updates`] are answered from the data.
///
/// epsilon-private under substitution, all its answers together, the queries chosen as anybody likes who sees them
/// (`jt13.svt`). The time of an answer depends on the data and is not covered.
///
/// What is hidden is the threshold, in steps.
pub type Session<'a, P> = session::Session<'a, P, Plan, BigInt>;

impl<'a, P: Predictor + ?Sized> Session<'a, P> {
    /// Opens a session on an optimum whose predictions have the sensitivity of the plan.
    ///
    /// # Errors
    /// Those of the coins.
    #[track_caller]
    pub fn open(optimum: &'a P, plan: Plan, coins: &mut impl Coins) -> Result<Self, KernelError> {
        coins.stage(&plan.stage());
        // 1. The threshold and noise: once, for all rounds.
        let law = plan.threshold_noise.around(plan.threshold.clone());
        let threshold = coins.draw_moved(&law, &plan.grid.per_sensitivity().into())?;
        Self::resume(optimum, plan, threshold, &[])
    }

    /// Goes on with the session of this plan that had this hidden threshold ([`Self::threshold_not_private`]) and was
    /// stopped after these answers ([`Self::answered`]). Nothing is drawn: the public model is made again from what was told.
    ///
    /// **Privacy rests on these being all answers of that one session.** Whoever goes on from an older list, or twice from
    /// one, spends the budget twice.
    ///
    /// # Errors
    /// [`KernelError::Spent`] if the plan does not allow so many answers; [`KernelError::Geometry`] for a query outside the
    /// domain. Nothing else is checked.
    pub fn resume(
        optimum: &'a P,
        plan: Plan,
        threshold: BigInt,
        answered: &[Answered],
    ) -> Result<Self, KernelError> {
        Ok(Self {
            optimum,
            hidden: threshold,
            public: plan.public_side().after(answered)?,
            plan,
        })
    }

    /// The prediction at a query.
    ///
    /// # Errors
    /// [`KernelError::Spent`] once the session has answered all queries, or made all updates, that it may;
    /// [`KernelError::Geometry`] for a query outside the domain, before anything is drawn. A query that is refused is not
    /// counted. Those of the coins, which end the session.
    #[track_caller]
    pub fn answer(&mut self, z: &Point, coins: &mut impl Coins) -> Result<Answer, KernelError> {
        // 2. The prediction of the public model, w = 0 at first, in steps; none for a query that may not be asked.
        let public = self.public.admit(z)?;
        // 3. The exact prediction of the optimum, in steps, and how far it is from there above the threshold.
        let exact = self.plan.grid.round(&self.optimum.prediction(z));
        let excess = (&exact - &public).abs() - &self.hidden;
        // 4. If the excess and noise are not negative, a = exact + fresh noise is told: one draw decides both.
        let Plan { test, noise, .. } = &self.plan;
        let law = AboveThenAnswer::new([excess, exact], test, noise);
        let told = coins.draw(&law).inspect_err(|_| self.public.end())?;
        // 5. Then a is the answer, and the model is moved towards it.
        Ok(self.public.enter(z, public, told))
    }

    /// The hidden threshold, in steps, for the state of a session that is stopped. **Not private**: whoever knows it learns
    /// more of each quiet round than epsilon allows.
    #[must_use]
    pub fn threshold_not_private(&self) -> &BigInt {
        &self.hidden
    }
}

/// How many twentieths of epsilon the threshold and the answers get; the rest is for the tests.
type Split = [i64; 2];

/// The splits that are tried. Tests get most of it: their noise has a factor 2 in its scale, grows with `B`, and enters the
/// error twice.
const SPLITS: [Split; 5] = [[2, 2], [1, 1], [1, 2], [2, 1], [3, 3]];

/// The parameters of a session. All of them are public.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    kernel: KernelOn,
    budget: Budget,
    queries: u64,
    grid: AnswerGrid,
    split: Split,
    updates: Chosen<u64>,
    threshold_noise: DiscreteLaplace,
    test: DiscreteLaplace,
    noise: DiscreteLaplace,
    // In steps: within which the three noises are, and theta.
    within: [BigInt; 3],
    threshold: BigInt,
    rate: Rational,
    error: Rational,
    vacuous: bool,
}

/// Beyond this number of updates none is searched.
const LARGEST_UPDATES: u64 = 1 << 40;

impl Plan {
    /// The plan of a session on predictions with this sensitivity, by this kernel.
    ///
    /// The threshold gets `e_1` of epsilon, the tests `e_2`, the answers `e_3`. Let `gamma` be such that the noise of the
    /// threshold and those of all `T` tests come to at most `gamma`, and `omega` such that that of all `B` answers does,
    /// each with probability `1 - beta/3`. With `m > omega` and `m > C R/sqrt(B)`, the threshold `m + gamma` and steps of
    /// `m/R^2` there are fewer than `B` updates, and quiet answers are within `m + 2 gamma`. `B` and the split of epsilon
    /// are chosen for this sum (`jt13.svt.error`).
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `T, B, steps >= 1`, `0 < beta < 1` and `C > 0`; [`KernelError::Privacy`] for a
    /// budget under another relation than substitution; those of the real functions.
    pub fn new(
        request: &Request,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Self, KernelError> {
        request.check()?;
        let with =
            |updates, split| Self::with_updates(request, updates, split, sensitivity, kernel);
        // 1. Doubled until the error rises.
        let mut best = with(
            request.updates.map_or(from_theorem(1), overridden),
            SPLITS[0],
        )?;
        let mut near = vec![best.updates.clone()];
        if request.updates.is_none() {
            while best.updates.value < LARGEST_UPDATES {
                let next = with(from_theorem(2 * best.updates.value), SPLITS[0])?;
                if next.error >= best.error {
                    break;
                }
                best = next;
            }
            let size = best.updates.value;
            let eighths = [6, 8, 10, 12].map(|eighths| size * eighths / 8);
            near = eighths.map(|size| from_theorem(size.max(1))).to_vec();
        }
        // 2. About there, with the best split.
        for size in near {
            for split in SPLITS {
                let next = with(size.clone(), split)?;
                if next.error < best.error {
                    best = next;
                }
            }
        }
        Ok(best)
    }

    fn with_updates(
        request: &Request,
        updates: Chosen<u64>,
        split: Split,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Self, KernelError> {
        at_least_one("the number of updates", updates.value)?;
        let grid = AnswerGrid::new(sensitivity, request.steps)?;
        // 1. The noises: S'/e_1 on the threshold, 2 B S'/e_2 on a test, B S'/e_3 on an answer.
        let epsilon = request.budget.epsilon();
        let part = |twentieths: i64| epsilon * ratio(twentieths, 20);
        let of_threshold = integer(grid.per_sensitivity()) / part(split[0]);
        let all = integer(grid.per_sensitivity()) * BigInt::from(updates.value);
        let of_test = &all * BigInt::from(2) / part(20 - split[0] - split[1]);
        let of_answer = all / part(split[1]);
        // 2. gamma and omega, a third of beta for each of the three noises.
        let third = &request.failure / BigInt::from(3);
        let within = [
            noise_within(&of_threshold, 1, &third)?,
            noise_within(&of_test, request.queries, &third)?,
            noise_within(&of_answer, updates.value.min(request.queries), &third)?,
        ];
        let gamma = &within[0] + &within[1];
        // 3. m > omega, and m^2 B > C^2 R^2, in steps.
        let whole = &request.norm_bound / grid.step();
        let squared = &whole * &whole * kernel.squared_bound();
        let root = (&squared / BigInt::from(updates.value))
            .floor()
            .to_integer()
            .sqrt();
        let margin = root.max(within[2].clone()) + 1;
        // 4. A step of the model, m/R^2.
        let rate = grid.value(&margin) / kernel.squared_bound();
        // 5. What rounding and evaluation add.
        let model = &rate * BigInt::from(updates.value) * kernel.error_of_a_value();
        let slack = grid.slack(sensitivity, &model);
        // 6. theta.
        let threshold = &margin + &gamma + &slack;
        let error = grid.value(&(&threshold + &gamma + &slack));
        // What is at most C R is as well answered by 0.
        let trivial = &request.norm_bound * &request.norm_bound * kernel.squared_bound();
        Ok(Self {
            kernel: kernel.clone(),
            budget: request.budget.clone(),
            queries: request.queries,
            split,
            updates,
            threshold_noise: DiscreteLaplace::new(of_threshold)?,
            test: DiscreteLaplace::new(of_test)?,
            noise: DiscreteLaplace::new(of_answer)?,
            within,
            threshold,
            rate,
            vacuous: &error * &error >= trivial,
            error,
            grid,
        })
    }

    /// The threshold and the rounds as a stage.
    fn stage(&self) -> Stage {
        let epsilon = self.budget.epsilon();
        let moved = epsilon * ratio(self.split[0], 20);
        let loss = (epsilon - &moved) / BigInt::from(self.updates.value);
        let whole = Promise::Pure(epsilon.clone());
        Stage::above("the rounds", moved, self.updates.value, loss, whole)
    }

    /// The public side of a session before the first query: `w = 0`.
    fn public_side(&self) -> PublicSide {
        let left = Left {
            queries: self.queries,
            updates: self.updates.value,
        };
        let model = Expansion::new(self.kernel.clone(), self.rate.clone());
        PublicSide::new(self.grid.clone(), model, left)
    }

    /// What all answers cost together: of it epsilon, and no delta.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// `T`, the most queries.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.queries
    }

    /// `B`, the most updates.
    #[must_use]
    pub fn updates(&self) -> &Chosen<u64> {
        &self.updates
    }

    /// `e_1, e_2, e_3`: what of epsilon the threshold, the tests and the answers get.
    #[must_use]
    pub fn split(&self) -> [Rational; 3] {
        let [threshold, answers] = self.split;
        let part = |twentieths| self.budget.epsilon() * ratio(twentieths, 20);
        [threshold, 20 - threshold - answers, answers].map(part)
    }

    /// The noises of the threshold, of a test, and of an answer, in steps.
    #[must_use]
    pub fn noises(&self) -> [&DiscreteLaplace; 3] {
        [&self.threshold_noise, &self.test, &self.noise]
    }

    /// Within which the noises of the threshold, of all tests and of all answers are, each with probability
    /// `1 - beta/3`. In the units of predictions.
    #[must_use]
    pub fn noise_within(&self) -> [Rational; 3] {
        self.within.each_ref().map(|within| self.grid.value(within))
    }

    /// A step of the grid of answers, in the units of predictions.
    #[must_use]
    pub fn step(&self) -> &Rational {
        self.grid.step()
    }

    /// `theta`, around which the hidden threshold is drawn. In the units of predictions.
    #[must_use]
    pub fn threshold(&self) -> Rational {
        self.grid.value(&self.threshold)
    }

    /// By how much an update moves the model, times `phi` of the query.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// By how much an answer is off at most, with probability `1 - beta` all of them, and none is refused; in the units of
    /// predictions, against `<w*, phi(z)>` of the exact minimiser.
    #[must_use]
    pub fn error(&self) -> &Rational {
        &self.error
    }

    /// Whether the bound says nothing: at least `C R`, which the answer 0 keeps to as well.
    #[must_use]
    pub fn is_vacuous(&self) -> bool {
        self.vacuous
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Tape};
    use crate::geometry::Domain;
    use crate::kernels::{Kernel, Problem};
    use crate::number::Grid;
    use crate::number::rational::parse;
    use crate::optimise::erm::Loss;
    use crate::privacy::NeighbouringRelation;

    /// Predicts so much times the first coordinate.
    struct Slope(Rational);

    impl Predictor for Slope {
        fn prediction(&self, z: &Point) -> Rational {
            let first = z.coordinates().first().filter(|first| first.0 == 0);
            &self.0 * integer(first.map_or(0, |first| first.1))
        }
    }

    fn setting(n: u64) -> (Sensitivity, KernelOn) {
        let domain = Domain::new(Grid::new(0).unwrap(), 2, 2).unwrap();
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        let kernel = problem.kernel().on(domain).unwrap();
        (problem.sensitivity(domain, n).unwrap(), kernel)
    }

    fn asked(updates: Option<u64>) -> Request {
        Request {
            budget: Budget::pure(integer(1), NeighbouringRelation::Substitute).unwrap(),
            queries: 5,
            failure: ratio(1, 10),
            norm_bound: integer(2),
            updates,
            steps: 1024,
        }
    }

    fn point(x: i32, y: i32) -> Point {
        Point::dense(&[x, y])
    }

    #[test]
    fn a_draw_that_fails_ends_the_session() {
        let (sensitivity, kernel) = setting(1_000_000_000);
        let plan = Plan::new(&asked(None), &sensitivity, &kernel).unwrap();
        let optimum = Slope(ratio(3, 2));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan, &mut coins).unwrap();
        let failed = session.answer(&point(2, 0), &mut Tape::written("1"));
        assert!(matches!(failed, Err(KernelError::Coins(_))), "{failed:?}");
        let refused = session.answer(&point(2, 0), &mut coins);
        assert_eq!(refused.unwrap_err(), KernelError::Spent);
        assert_eq!(session.left().queries, 0);
    }

    #[test]
    fn a_session_follows_the_predictions_is_stopped_and_goes_on() {
        let (sensitivity, kernel) = setting(1_000_000_000);
        let plan = Plan::new(&asked(None), &sensitivity, &kernel).unwrap();
        assert!(!plan.is_vacuous() && *plan.error() < ratio(1, 10));
        assert_eq!(plan.split().iter().sum::<Rational>(), integer(1));
        let optimum = Slope(ratio(3, 2));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan.clone(), &mut coins).unwrap();
        for (x, updated) in [(2, true), (0, false), (-1, true)] {
            let answer = session.answer(&point(x, 0), &mut coins).unwrap();
            let error = (&answer.value - optimum.prediction(&point(x, 0))).abs();
            assert!(error <= *plan.error() && answer.updated == updated);
        }
        assert_eq!(session.left().queries, 2);
        assert_eq!(session.left().updates, plan.updates().value - 2);
        assert_eq!(
            session.model().terms(),
            [(point(2, 0), true), (point(-1, 0), false)]
        );
        // Stopped and started again: nothing is drawn, and the same is answered.
        let (threshold, answered) = (session.threshold_not_private(), session.answered());
        let again = Session::resume(&optimum, plan.clone(), threshold.clone(), answered);
        let (mut again, mut other_coins) = (again.unwrap(), coins.clone());
        assert_eq!(
            (again.left(), again.model()),
            (session.left(), session.model())
        );
        for x in [1, -1] {
            let answer = session.answer(&point(x, 1), &mut coins).unwrap();
            assert_eq!(again.answer(&point(x, 1), &mut other_coins), Ok(answer));
        }
        assert_eq!(
            again.answer(&point(0, 0), &mut coins),
            Err(KernelError::Spent)
        );
        let outside = session.answer(&point(2, 1), &mut coins);
        assert!(matches!(outside, Err(KernelError::Geometry(_))));
    }

    #[test]
    fn the_session_ends_with_its_updates() {
        let (sensitivity, kernel) = setting(1_000_000_000);
        let plan = Plan::new(&asked(Some(1)), &sensitivity, &kernel).unwrap();
        assert_eq!(plan.updates().value, 1);
        let optimum = Slope(integer(4));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan, &mut coins).unwrap();
        assert!(session.answer(&point(2, 0), &mut coins).unwrap().updated);
        let consumed = coins.consumed();
        assert_eq!(
            session.answer(&point(0, 0), &mut coins),
            Err(KernelError::Spent)
        );
        assert_eq!(coins.consumed(), consumed);
    }

    #[test]
    fn what_no_plan_can_be_made_for_is_refused() {
        let (sensitivity, kernel) = setting(1000);
        let refused = |asked: Request| Plan::new(&asked, &sensitivity, &kernel).is_err();
        assert!(!refused(asked(Some(3))) && refused(asked(Some(0))));
        let mut no_queries = asked(Some(3));
        no_queries.queries = 0;
        let mut no_steps = asked(Some(3));
        no_steps.steps = 0;
        let mut no_norm = asked(Some(3));
        no_norm.norm_bound = integer(0);
        let mut sure = asked(Some(3));
        sure.failure = integer(0);
        let mut other = asked(Some(3));
        other.budget = Budget::pure(integer(1), NeighbouringRelation::AddOrRemove).unwrap();
        for wrong in [no_queries, no_steps, no_norm, sure, other] {
            assert!(refused(wrong));
        }
        let (sensitivity, kernel) = setting(10);
        assert!(
            Plan::new(&asked(None), &sensitivity, &kernel)
                .unwrap()
                .is_vacuous()
        );
    }

    #[test]
    fn the_noises_are_those_of_the_split() {
        let (sensitivity, kernel) = setting(1000);
        let plan = Plan::new(&asked(Some(3)), &sensitivity, &kernel).unwrap();
        let [threshold, tests, answers] = plan.split();
        let steps = integer(1024);
        let scales = plan.noises().map(|noise| noise.scale().clone());
        assert_eq!(scales[0], &steps / threshold);
        assert_eq!(scales[1], &steps * integer(6) / tests);
        assert_eq!(scales[2], &steps * integer(3) / answers);
        let within = plan.noise_within();
        assert!(within[0] < within[1] && parse("0.001").unwrap() < within[0]);
    }

    #[test]
    fn the_margin_is_the_least_that_answers_and_updates_allow() {
        // C R = 4; values of the kernel are exact, so that the slack is a step.
        for (n, updates) in [(1000, 3), (1_000_000, 1), (1_000_000, 3)] {
            let (sensitivity, kernel) = setting(n);
            let plan = Plan::new(&asked(Some(updates)), &sensitivity, &kernel).unwrap();
            assert_eq!((plan.queries(), plan.updates().value), (5, updates));
            let [threshold, tests, answers] = plan.noise_within();
            let gamma = threshold + tests;
            let margin = plan.threshold() - &gamma - plan.step();
            let right = |margin: &Rational| {
                margin * margin * integer(updates) > integer(16) && *margin > answers
            };
            assert!(right(&margin) && !right(&(&margin - plan.step())));
            // m + 2 gamma, and a step for each of the two roundings.
            let error = &margin + (gamma + plan.step()) * integer(2);
            assert_eq!(*plan.error(), error);
            assert_eq!(plan.rate, margin / integer(4));
        }
    }

    #[test]
    fn a_bound_is_vacuous_from_c_r_on() {
        // R = 2
        let mut seen = [0; 2];
        for norm_bound in [ratio(1, 2), integer(3)] {
            for n in (1..30).map(|k| k * k * k * 20) {
                let (sensitivity, kernel) = setting(n);
                let mut asked = asked(Some(2));
                asked.norm_bound.clone_from(&norm_bound);
                let plan = Plan::new(&asked, &sensitivity, &kernel).unwrap();
                let vacuous = *plan.error() >= &norm_bound * integer(2);
                assert_eq!(plan.is_vacuous(), vacuous, "n = {n}");
                seen[usize::from(vacuous)] += 1;
            }
        }
        assert!(seen[0] > 4 && seen[1] > 4, "{seen:?}");
    }
}
