//! Algorithm 1 (PINP) with the constants of Theorem A: predictions for queries that come one by one.

use super::session::{self, Answer, Answered, Left, PublicSide, Request};
use super::steps::noise_within;
use super::{AnswerGrid, Expansion, KernelError, KernelOn, Predictor, Sensitivity};
use crate::coins::{Coins, Stage};
use crate::geometry::Point;
use crate::law::Censored;
use crate::number::Rational;
use crate::number::chosen::{Chosen, from_theorem, overridden};
use crate::number::range::at_least_one;
use crate::number::rational::integer;
use crate::privacy::{Budget, noisy_answers};
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;

/// A session that answers queries: at most so many, of which at most [`Plan::updates`] are answered from the data.
///
/// (epsilon, delta)-private under substitution, all its answers together, the queries chosen as anybody likes who sees
/// them (`jt13.nt`). The time of an answer depends on the data and is not covered.
pub type Session<'a, P> = session::Session<'a, P, Plan>;

impl<'a, P: Predictor + ?Sized> Session<'a, P> {
    /// Opens a session on an optimum whose predictions have the sensitivity of the plan.
    #[track_caller]
    pub fn open(optimum: &'a P, plan: Plan, coins: &mut impl Coins) -> Self {
        coins.stage(&plan.stage());
        Self {
            optimum,
            hidden: (),
            public: plan.public_side(),
            plan,
        }
    }

    /// Goes on with the session of this plan that was stopped after these answers ([`Self::answered`]). Nothing is drawn and
    /// nothing private is read: the public model is made again from what was told.
    ///
    /// **Privacy rests on these being all answers of that one session.** Whoever goes on from an older list, or twice from
    /// one, spends the budget twice.
    ///
    /// # Errors
    /// [`KernelError::Spent`] if the plan does not allow so many answers; [`KernelError::Geometry`] for a query outside the
    /// domain. Nothing else is checked.
    pub fn resume(optimum: &'a P, plan: Plan, answered: &[Answered]) -> Result<Self, KernelError> {
        Ok(Self {
            optimum,
            hidden: (),
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
        // 1. The prediction of the public model, w = 0 at first, in steps; none for a query that may not be asked.
        let public = self.public.admit(z)?;
        // 2. The exact prediction of the optimum, in steps.
        let exact = self.plan.grid.round(&self.optimum.prediction(z));
        // 3. a = exact + noise. Within sigma of the public prediction it is not told: one draw decides both.
        let quiet = [
            &public - &self.plan.threshold,
            &public + &self.plan.threshold,
        ];
        let law = Censored::new(exact, &self.plan.noise, quiet)?;
        let told = coins.draw(&law).inspect_err(|_| self.public.end())?;
        // 4. Otherwise a is the answer, and the model is moved towards it.
        Ok(self.public.enter(z, public, told))
    }
}

/// The parameters of a session. All of them are public.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub(super) kernel: KernelOn,
    pub(super) budget: Budget,
    pub(super) queries: u64,
    pub(super) grid: AnswerGrid,
    pub(super) loss: Rational,
    pub(super) updates: Chosen<u64>,
    pub(super) noise: DiscreteLaplace,
    // In steps: w, m and sigma.
    pub(super) noise_within: BigInt,
    pub(super) threshold: BigInt,
    pub(super) rate: Rational,
    pub(super) error: Rational,
    pub(super) vacuous: bool,
}

/// Beyond this number of updates, a power of 4, none is searched.
const LARGEST_UPDATES: u64 = 1 << 40;

impl Plan {
    /// The plan of a session on predictions with this sensitivity, by this kernel.
    ///
    /// Let `w` be such that all `T` draws of noise are within `w` with probability `1 - beta`, and
    /// `m > C R/sqrt(B)`. With the threshold `sigma = m + w` and steps of `m/R^2` each update then brings the public model
    /// nearer to `w*`, and there are fewer than `B`; quiet answers are within `m + 2 w`. `B` is chosen for this sum
    /// (`jt13.nt.error`).
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `T, B, steps >= 1`, `0 < beta < 1` and `C > 0`; [`KernelError::Privacy`] for a
    /// budget with `delta = 0` or under another relation than substitution; those of the real functions.
    pub fn new(
        request: &Request,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Self, KernelError> {
        request.check()?;
        let with = |updates| Self::with_updates(request, updates, sensitivity, kernel);
        if let Some(updates) = request.updates {
            return with(overridden(updates));
        }
        // From 1 on in steps of a factor of 4, until the error rises; then between.
        let mut best = with(from_theorem(1))?;
        while best.updates.value < LARGEST_UPDATES {
            let next = with(from_theorem(4 * best.updates.value))?;
            if next.error >= best.error {
                break;
            }
            best = next;
        }
        let middle = best.updates.value;
        for updates in [4, 6, 12, 16, 24].map(|eighths| middle * eighths / 8) {
            if updates >= 1 {
                let next = with(from_theorem(updates))?;
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
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Self, KernelError> {
        at_least_one("the number of updates", updates.value)?;
        let grid = AnswerGrid::new(sensitivity, request.steps)?;
        // 1. s, the loss of a round, by Theorem A; the noise has the scale S'/s.
        let loss = noisy_answers::largest_loss(updates.value, &request.budget)?;
        let scale = integer(grid.per_sensitivity()) / &loss;
        // 2. w: T Pr[|noise| > w] <= beta.
        let noise_within = noise_within(&scale, request.queries, &request.failure)?;
        // 3. m^2 B > C^2 R^2, in steps.
        let whole = &request.norm_bound / grid.step();
        let squared = &whole * &whole * kernel.squared_bound();
        let margin = (&squared / BigInt::from(updates.value))
            .floor()
            .to_integer()
            .sqrt()
            + 1;
        // 4. A step of the model, alpha = m/R^2.
        let rate = grid.value(&margin) / kernel.squared_bound();
        // 5. What rounding and evaluation add.
        let model = &rate * BigInt::from(updates.value) * kernel.error_of_a_value();
        let slack = grid.slack(sensitivity, &model);
        // 6. sigma.
        let threshold = &margin + &noise_within + &slack;
        let error = grid.value(&(&threshold + &noise_within + &slack));
        // What is at most C R is as well answered by 0.
        let trivial = &request.norm_bound * &request.norm_bound * kernel.squared_bound();
        Ok(Self {
            kernel: kernel.clone(),
            budget: request.budget.clone(),
            queries: request.queries,
            noise: DiscreteLaplace::new(scale)?,
            loss,
            updates,
            noise_within,
            threshold,
            rate,
            vacuous: &error * &error >= trivial,
            error,
            grid,
        })
    }

    /// The rounds as a stage.
    fn stage(&self) -> Stage {
        let updates = self.updates.value;
        Stage::rounds(
            "the rounds",
            updates,
            self.loss.clone(),
            self.budget.promise(),
        )
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

    /// What all answers cost together.
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

    /// `s`, the privacy loss of a round.
    #[must_use]
    pub fn loss(&self) -> &Rational {
        &self.loss
    }

    /// By how much an update moves the model, times `phi` of the query.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// A step of the grid of answers, in the units of predictions.
    #[must_use]
    pub fn step(&self) -> &Rational {
        self.grid.step()
    }

    /// `w`: with probability `1 - beta` all draws of noise are within it. In the units of predictions.
    #[must_use]
    pub fn noise_within(&self) -> Rational {
        self.grid.value(&self.noise_within)
    }

    /// `sigma`: a noisy answer within it of the public prediction is not told. In the units of predictions.
    #[must_use]
    pub fn threshold(&self) -> Rational {
        self.grid.value(&self.threshold)
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
    use crate::number::rational::{parse, ratio};
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
        let delta = parse("1e-6").unwrap();
        Request {
            budget: Budget::approximate(integer(1), delta, NeighbouringRelation::Substitute)
                .unwrap(),
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
        let plan = Plan::new(&asked(Some(3)), &sensitivity, &kernel).unwrap();
        let optimum = Slope(ratio(3, 2));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan, &mut coins);
        let failed = session.answer(&point(2, 0), &mut Tape::written("1"));
        assert!(matches!(failed, Err(KernelError::Coins(_))), "{failed:?}");
        let refused = session.answer(&point(2, 0), &mut coins);
        assert_eq!(refused.unwrap_err(), KernelError::Spent);
        assert_eq!(session.left().queries, 0);
    }

    #[test]
    fn a_session_follows_the_predictions_and_says_what_is_left() {
        let (sensitivity, kernel) = setting(1_000_000_000);
        let plan = Plan::new(&asked(None), &sensitivity, &kernel).unwrap();
        assert!(!plan.is_vacuous() && *plan.error() < ratio(1, 10));
        let optimum = Slope(ratio(3, 2));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan.clone(), &mut coins);
        let before = session.left();
        assert_eq!((before.queries, before.updates), (5, plan.updates().value));
        for (x, updated) in [(2, true), (0, false)] {
            let answer = session.answer(&point(x, 0), &mut coins).unwrap();
            let error = &answer.value - optimum.prediction(&point(x, 0));
            assert!(&error <= plan.error() && -error <= *plan.error());
            assert_eq!(answer.updated, updated);
        }
        let left = session.left();
        assert_eq!((left.queries, left.updates), (3, before.updates - 1));
        assert_eq!(session.model().terms(), [(point(2, 0), true)]);
    }

    #[test]
    fn a_refused_query_is_not_counted_and_a_spent_session_answers_nothing() {
        let (sensitivity, kernel) = setting(1_000_000_000);
        let plan = Plan::new(&asked(Some(1)), &sensitivity, &kernel).unwrap();
        // Twice what C allows: with B = 1 nothing less is told.
        let optimum = Slope(integer(4));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan, &mut coins);
        let refused = session.answer(&point(2, 1), &mut coins);
        assert!(matches!(refused, Err(KernelError::Geometry(_))));
        assert_eq!((session.left().queries, coins.consumed()), (5, 0));
        for _ in 0..4 {
            let quiet = session.answer(&point(0, 2), &mut coins).unwrap();
            assert!(!quiet.updated);
        }
        assert!(session.answer(&point(2, 0), &mut coins).unwrap().updated);
        let consumed = coins.consumed();
        // All updates are made, and all queries answered.
        for query in [point(2, 0), point(0, 0)] {
            assert_eq!(session.answer(&query, &mut coins), Err(KernelError::Spent));
        }
        assert_eq!(coins.consumed(), consumed);
    }

    #[test]
    fn a_session_that_is_stopped_and_started_again_goes_on() {
        let (sensitivity, kernel) = setting(1_000_000_000);
        let plan = Plan::new(&asked(None), &sensitivity, &kernel).unwrap();
        let optimum = Slope(ratio(3, 2));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&optimum, plan.clone(), &mut coins);
        for x in [2, 0, -1] {
            session.answer(&point(x, 0), &mut coins).unwrap();
        }
        let (answered, consumed) = (session.answered().to_vec(), coins.consumed());
        let mut again = Session::resume(&optimum, plan.clone(), &answered).unwrap();
        assert_eq!(coins.consumed(), consumed);
        assert_eq!(
            (again.left(), again.model()),
            (session.left(), session.model())
        );
        assert_eq!(again.answered(), session.answered());
        let mut other_coins = coins.clone();
        for x in [1, -1] {
            let answer = session.answer(&point(x, 1), &mut coins).unwrap();
            assert_eq!(again.answer(&point(x, 1), &mut other_coins), Ok(answer));
        }
        assert_eq!(
            again.answer(&point(0, 0), &mut coins),
            Err(KernelError::Spent)
        );
        // Of a plan with fewer updates, or other queries, no session has answered so.
        let resumed = |plan: Plan, answered: &[Answered]| {
            Session::resume(&optimum, plan, answered).map(|session| session.left())
        };
        let fewer = Plan::new(&asked(Some(1)), &sensitivity, &kernel).unwrap();
        assert!(answered.iter().filter(|one| one.told.is_some()).count() > 1);
        assert_eq!(resumed(fewer, &answered), Err(KernelError::Spent));
        let outside = Answered {
            query: point(2, 2),
            told: None,
        };
        assert!(matches!(
            resumed(plan, &[outside]),
            Err(KernelError::Geometry(_))
        ));
    }

    #[test]
    fn what_no_plan_can_be_made_for_is_refused() {
        let (sensitivity, kernel) = setting(1000);
        let refused = |asked: Request| Plan::new(&asked, &sensitivity, &kernel).is_err();
        assert!(!refused(asked(Some(3))));
        assert!(refused(asked(Some(0))));
        let mut no_queries = asked(Some(3));
        no_queries.queries = 0;
        let mut no_steps = asked(Some(3));
        no_steps.steps = 0;
        let mut no_norm = asked(Some(3));
        no_norm.norm_bound = integer(0);
        let mut sure = asked(Some(3));
        sure.failure = integer(0);
        let mut pure = asked(Some(3));
        pure.budget = Budget::pure(integer(1), NeighbouringRelation::Substitute).unwrap();
        let mut other = asked(Some(3));
        let delta = ratio(1, 1000);
        other.budget =
            Budget::approximate(integer(1), delta, NeighbouringRelation::AddOrRemove).unwrap();
        for wrong in [no_queries, no_steps, no_norm, sure, pure, other] {
            assert!(refused(wrong));
        }
        // With few records the bound says nothing.
        let (sensitivity, kernel) = setting(10);
        assert!(
            Plan::new(&asked(None), &sensitivity, &kernel)
                .unwrap()
                .is_vacuous()
        );
    }

    #[test]
    fn the_number_of_updates_has_the_least_error_of_those_around_it() {
        let (sensitivity, kernel) = setting(1_000_000);
        let plan = Plan::new(&asked(None), &sensitivity, &kernel).unwrap();
        let chosen = plan.updates().value;
        for other in [chosen / 2, chosen * 2] {
            let other = Plan::new(&asked(Some(other.max(1))), &sensitivity, &kernel).unwrap();
            assert!(other.updates().value == chosen || other.error() > plan.error());
        }
    }

    #[test]
    fn the_margin_is_the_least_with_which_there_are_fewer_than_b_updates() {
        // C R = 4; values of the kernel are exact, so that the slack is a step.
        let (sensitivity, kernel) = setting(1_000_000);
        for updates in [1, 3, 16] {
            let plan = Plan::new(&asked(Some(updates)), &sensitivity, &kernel).unwrap();
            assert_eq!((plan.queries(), plan.updates().value), (5, updates));
            let margin = plan.threshold() - plan.noise_within() - plan.step();
            let reached = |margin: &Rational| margin * margin * integer(updates);
            assert!(reached(&margin) > integer(16));
            assert!(reached(&(&margin - plan.step())) <= integer(16));
            // Each update brings the model nearer by m^2/R^2, R^2 = 4.
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
                let mut asked = asked(Some(4));
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
