//! Algorithm 3, the test data independent learner (TDIL), repaired: a model that is near `w*` at all points of a public net.

use super::calibration::Calibration;
use super::steps::noise_within;
use super::{AnswerGrid, Expansion, KernelError, KernelOn, Predictor, Sensitivity};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::Point;
use crate::law::Censored;
use crate::number::range::{OutOfRange, above_zero, above_zero_below_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use crate::privacy::Budget;
use crate::sample::{DiscreteLaplace, LARGEST_EXPONENT, ScoredChoice};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Learns from `w*`, which is **not private**. What is returned is private: by the plan's budget under substitution, if no
/// prediction moves by more than the sensitivity that the plan was made for.
///
/// # Errors
/// [`KernelError::Parameter`] for a net of another size than planned; [`KernelError::Geometry`] for a point of it outside
/// the domain, both before anything is drawn; those of the coins.
pub fn learn(
    w: &impl Predictor,
    net: &[Point],
    plan: &TestIndependentPlan,
    coins: &mut impl Coins,
) -> Result<TestIndependentModel, KernelError> {
    plan.check(net)?;
    coins.stage(&plan.stage());
    // 1. w_1 = 0, and so <phi(z), w* - w_1> = <phi(z), w*>.
    let mut model = Expansion::new(plan.kernel.clone(), plan.rate.clone());
    let mut rest: Vec<Rational> = net.iter().map(|z| w.prediction(z)).collect();
    for _ in 0..plan.rounds {
        // 2. z of the net, with probability proportional to exp(e |<phi(z), w* - w_t>|/(2 S')).
        let place = coins.draw(&plan.choice(&rest)?)?;
        // 3. d = <phi(z), w* - w_t> + Lap(S'/e), not told if |d| <= sigma.
        let told = coins.draw(&plan.noisy(&rest[place])?)?;
        // 4. |d| <= sigma: w_t is returned.
        let Some(d) = told else {
            return Ok(TestIndependentModel { model, quiet: true });
        };
        // 5. w_(t+1) = w_t + eta sign(d) phi(z).
        model.step(&net[place], d.is_positive());
        plan.move_on(&mut rest, net, place, d.is_positive());
    }
    Ok(TestIndependentModel {
        model,
        quiet: false,
    })
}

/// What Algorithm 3 returns. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestIndependentModel {
    /// `w_t`.
    pub model: Expansion,
    /// Whether a round was quiet. If none was, no bound on the error holds.
    pub quiet: bool,
}
crate::published!(TestIndependentModel { model, quiet });

/// What is chosen of Algorithm 3. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestIndependent {
    /// The budget, under substitution.
    pub budget: Budget,
    /// How the loss of a draw is found. There are two in each of `B` rounds.
    pub calibration: Calibration,
    /// `beta`: how likely the error may be larger than [`TestIndependentPlan::error`], between 0 and 1.
    pub failure: Rational,
    /// `C > 0`: a public bound on `|w*|` ([`Problem::norm_bound`](super::Problem::norm_bound)).
    pub norm_bound: Rational,
}

/// The parameters of a run. All of them are public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestIndependentPlan {
    kernel: KernelOn,
    grid: AnswerGrid,
    net: BigInt,
    rounds: u64,
    loss: Rational,
    whole: Promise,
    noise: DiscreteLaplace,
    // In steps.
    threshold: BigInt,
    error: BigInt,
    rate: Rational,
}

const STEPS_TO_A_SENSITIVITY: u64 = 16;

/// The most rounds.
const MOST_ROUNDS: u64 = 1 << 19;

impl TestIndependent {
    /// The plan for a net of so many points: `B` is the least number of rounds of which one is quiet, but with probability
    /// `beta` (`jt13.thm8.corrected`).
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless there is a point, `0 < beta < 1` and `C > 0`, or if more than 2^19 rounds are needed;
    /// those of [`Calibration::loss`].
    pub fn plan(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
        net: u64,
    ) -> Result<TestIndependentPlan, KernelError> {
        self.plan_of_choices(sensitivity, kernel, &net.into(), None)
    }

    /// The plan of so many rounds.
    ///
    /// # Errors
    /// Those of [`Self::plan`].
    pub fn plan_of_rounds(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
        net: u64,
        rounds: u64,
    ) -> Result<TestIndependentPlan, KernelError> {
        self.plan_of_choices(sensitivity, kernel, &net.into(), Some(rounds))
    }

    /// The plan for a choice among so many points, in so many rounds or in as few as suffice.
    pub(super) fn plan_of_choices(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
        net: &BigInt,
        rounds: Option<u64>,
    ) -> Result<TestIndependentPlan, KernelError> {
        let of_rounds = |rounds| self.of_rounds(sensitivity, kernel, net, rounds);
        if let Some(rounds) = rounds {
            return of_rounds(rounds);
        }
        // B is enough if it is above 16 C^2 R^2/(9 sigma^2), where sigma grows with B.
        let enough = |rounds: u64| -> Result<Option<TestIndependentPlan>, KernelError> {
            let plan = of_rounds(rounds)?;
            Ok((integer(rounds) > plan.most_updates(&self.norm_bound)).then_some(plan))
        };
        let (mut below, mut rounds) = (0, 1);
        let mut found = loop {
            if let Some(plan) = enough(rounds)? {
                break plan;
            }
            if rounds >= MOST_ROUNDS {
                let expected = "at most 2^19: take a larger epsilon or more records";
                return Err(OutOfRange::new("the rounds", &"more", expected).into());
            }
            (below, rounds) = (rounds, 2 * rounds);
        };
        while rounds - below > 1 {
            let middle = below.midpoint(rounds);
            match enough(middle)? {
                Some(plan) => (rounds, found) = (middle, plan),
                None => below = middle,
            }
        }
        Ok(found)
    }

    fn of_rounds(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
        net: &BigInt,
        rounds: u64,
    ) -> Result<TestIndependentPlan, KernelError> {
        require(
            net.is_positive(),
            "the points of the net",
            net,
            "at least 1",
        )?;
        let right = (1..=MOST_ROUNDS).contains(&rounds);
        require(right, "the rounds", &rounds, "at least 1 and at most 2^19")?;
        above_zero_below_one("beta", &self.failure)?;
        above_zero("the norm bound", &self.norm_bound)?;
        // 1. e: what each of the 2 B draws may cost.
        let loss = self.calibration.loss(2 * rounds, &self.budget)?;
        // 2. All noise is within so many steps, but with probability beta/2. With what rounding, the solver and evaluation add:
        //    omega. Of the model, with terms of 3 omega/R^2 in B rounds, evaluation adds a share of omega.
        let grid = AnswerGrid::new(sensitivity, STEPS_TO_A_SENSITIVITY)?;
        let scale = integer(grid.per_sensitivity()) / &loss;
        let half = &self.failure / BigInt::from(2);
        let within = noise_within(&scale, rounds, &half)?;
        let share = integer(3 * rounds) * kernel.error_of_a_value() / &sensitivity.squared_bound;
        let expected = "smaller, relative to the largest one: they are added in every round";
        require(
            share <= ratio(1, 2),
            "the errors of the kernel's values",
            &"more",
            expected,
        )?;
        let fixed = &within + grid.slack(sensitivity, &Rational::zero()) + 1;
        let omega = (integer(fixed) / (Rational::one() - share))
            .ceil()
            .to_integer();
        let added = &omega - within;
        // 3. sigma = 4 omega and eta = 3 sigma/(4 R^2).
        let threshold: BigInt = &omega * 4;
        let rate = grid.value(&threshold) * integer(3) / (&sensitivity.squared_bound * integer(4));
        // 4. No choice is worse than the best by gamma = (2 S'/e) ln(2 B |net|/beta), but with probability beta/2; and what is
        //    added above to either.
        let choices = integer(net.clone()) * integer(rounds) / half;
        let worse =
            Enclosure::of(&(&scale * integer(2)), 128) * Enclosure::of(&choices, 128).ln()?;
        let gamma = worse.upper().ceil().to_integer() + added * 2;
        let plan = TestIndependentPlan {
            kernel: kernel.clone(),
            net: net.clone(),
            rounds,
            whole: self.calibration.whole(&self.budget),
            noise: DiscreteLaplace::new(scale)?,
            error: &threshold + omega + gamma,
            loss,
            grid,
            threshold,
            rate,
        };
        // Else scores that count would be cut off, and the error would not be what is stated.
        let right = plan.error <= plan.largest_score().into();
        let expected = "larger: the scores that must be told apart are too many";
        require(right, "epsilon", &"less", expected)?;
        Ok(plan)
    }
}

impl TestIndependentPlan {
    /// `B`.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// What a draw costs.
    #[must_use]
    pub fn loss(&self) -> &Rational {
        &self.loss
    }

    /// `sigma`.
    #[must_use]
    pub fn threshold(&self) -> Rational {
        self.grid.value(&self.threshold)
    }

    /// `eta`.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// `sigma + omega + gamma`: so far the model may be from `w*` at a point of the net, but with probability `beta`. At a point
    /// whose feature vector is within `d` of one of the net's: `C d` more.
    #[must_use]
    pub fn error(&self) -> Rational {
        self.grid.value(&self.error)
    }

    /// `16 C^2 R^2/(9 sigma^2)`: no more rounds are updates if all noise is within its bound.
    fn most_updates(&self, norm_bound: &Rational) -> Rational {
        let length = norm_bound / self.threshold();
        &length * &length * self.kernel.squared_bound() * integer(16) / integer(9)
    }

    /// `S'`.
    #[must_use]
    pub fn sensitivity(&self) -> Rational {
        self.grid.value(&self.grid.per_sensitivity().into())
    }

    /// The law of step 3, for what is left of the prediction of `w*`.
    pub(super) fn noisy(&self, rest: &Rational) -> Result<Censored, KernelError> {
        let quiet = [-&self.threshold, self.threshold.clone()];
        Ok(Censored::new(self.grid.round(rest), &self.noise, quiet)?)
    }

    /// The law of step 2, for what is left of the predictions of `w*` at the points of the net.
    pub(super) fn choice(&self, rest: &[Rational]) -> Result<ScoredChoice, KernelError> {
        // The score in steps. Beyond the largest that the mechanism takes, a neighbour moves it no more.
        let largest = self.largest_score();
        let score = |rest: &Rational| {
            let score = self.grid.round(rest).magnitude().to_u32();
            score.unwrap_or(largest).min(largest)
        };
        let scores: Vec<u32> = rest.iter().map(score).collect();
        let largest = scores.iter().copied().max().unwrap_or(0);
        // Low scores are good to `ScoredChoice`. A neighbour moves a score by t steps at most.
        let missing = scores.iter().map(|score| largest - score).collect();
        Ok(ScoredChoice::new(missing, &self.loss_of_step())?)
    }

    /// `e/t`: what the choice costs if scores move by one step.
    fn loss_of_step(&self) -> Rational {
        &self.loss / BigInt::from(self.grid.per_sensitivity())
    }

    /// The largest score that counts: its exponent is at most [`LARGEST_EXPONENT`]. Public.
    fn largest_score(&self) -> u32 {
        let largest = integer(2 * LARGEST_EXPONENT) / self.loss_of_step();
        largest.to_integer().to_u32().unwrap_or(u32::MAX)
    }

    /// What is left at each point of the net after the update with this one.
    fn move_on(&self, rest: &mut [Rational], net: &[Point], place: usize, up: bool) {
        let unit = &self.rate / (BigInt::one() << super::VALUE_BITS);
        let unit = if up { unit } else { -unit };
        for (rest, x) in rest.iter_mut().zip(net) {
            *rest -= &unit * BigInt::from(self.kernel.value(x, &net[place]));
        }
    }

    fn check(&self, net: &[Point]) -> Result<(), KernelError> {
        let right = BigInt::from(net.len()) == self.net;
        require(right, "the net", &net.len(), "as many points as planned")?;
        for z in net {
            self.kernel.domain().check(z)?;
        }
        Ok(())
    }

    pub(super) fn stage(&self) -> Stage {
        let each = Promise::Pure(self.loss.clone());
        Stage::up_to("the rounds", 2 * self.rounds, each, self.whole.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Law};
    use crate::geometry::Domain;
    use crate::kernels::{Dataset, Kernel, Problem, Record, fit};
    use crate::number::Grid;
    use crate::optimise::erm::Loss;
    use crate::privacy::NeighbouringRelation::Substitute;

    #[test]
    fn nets_are_refused_before_anything_is_drawn() {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap();
        let point = |x| Point::dense(&[x]);
        let record = Record {
            point: point(2),
            label: 1,
        };
        let w = fit(&Dataset::new(domain, [(record, 9000)]).unwrap(), &problem).unwrap();
        let sensitivity = problem.sensitivity(domain, 9000).unwrap();
        let setting = TestIndependent {
            budget: Budget::pure(integer(1), Substitute).unwrap(),
            calibration: Calibration::Pure,
            failure: ratio(1, 20),
            norm_bound: integer(2),
        };
        let plan = setting.plan(&sensitivity, w.kernel(), 2).unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        for wrong in [vec![point(1)], vec![point(1), point(3)]] {
            assert!(learn(&w, &wrong, &plan, &mut coins).is_err());
        }
        assert_eq!(coins.consumed(), 0);
        let found = learn(&w, &[point(1), point(2)], &plan, &mut coins).unwrap();
        assert!(found.quiet && !found.model.terms().is_empty());
        assert!(setting.plan(&sensitivity, w.kernel(), 0).is_err());
        let failing = TestIndependent {
            failure: integer(1),
            ..setting.clone()
        };
        assert!(failing.plan(&sensitivity, w.kernel(), 2).is_err());
        let rounds = |rounds| setting.plan_of_rounds(&sensitivity, w.kernel(), 2, rounds);
        assert!(rounds(0).is_err() && rounds((1 << 19) + 1).is_err());
        let far = TestIndependent {
            norm_bound: integer(1u64 << 40),
            ..setting
        };
        assert!(far.plan(&sensitivity, w.kernel(), 2).is_err());
    }

    /// C = 1/1000 for the tests that choose another; R = 2 and S' = 8/9000.
    fn setting() -> (TestIndependent, Sensitivity, KernelOn) {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap();
        let setting = TestIndependent {
            budget: Budget::pure(integer(1), Substitute).unwrap(),
            calibration: Calibration::Pure,
            failure: ratio(1, 20),
            norm_bound: ratio(1, 1000),
        };
        let kernel = problem.kernel().on(domain).unwrap();
        (setting, problem.sensitivity(domain, 9000).unwrap(), kernel)
    }

    #[test]
    fn there_is_a_round_more_than_updates() {
        let (mut setting, sensitivity, kernel) = setting();
        let four = setting.plan_of_rounds(&sensitivity, &kernel, 2, 4).unwrap();
        // If C R = (3/4) sigma sqrt(4), then four rounds may all be updates.
        for (share, rounds) in [(integer(1), 5), (ratio(99, 100), 4)] {
            setting.norm_bound = four.threshold() * ratio(3, 4) * share;
            let plan = setting.plan(&sensitivity, &kernel, 2).unwrap();
            assert_eq!(plan.rounds(), rounds);
        }
    }

    #[test]
    fn choices_are_within_gamma_but_with_half_of_beta() {
        let (setting, sensitivity, kernel) = setting();
        let plan = setting
            .plan_of_rounds(&sensitivity, &kernel, 100, 3)
            .unwrap();
        // The error is sigma + omega + gamma, sigma = 4 omega; four steps of gamma are for rounding.
        let gamma: BigInt = &plan.error - &plan.threshold / 4 * 5 - 4;
        // One point is better by gamma than the 99 others, in each of three rounds.
        let mut rest = vec![integer(0); 100];
        rest[7] = plan.grid.value(&gamma);
        let best = plan.choice(&rest).unwrap().pmf(&7, 128).unwrap();
        let worse = best.complement() * Enclosure::integer(3, 128);
        assert!(worse.upper() <= ratio(1, 40) && worse.lower() > ratio(9, 400));
    }
}
