//! Algorithm 4: private empirical risk minimisation (ERM) of the hinge loss.
//!
//! Bassily, Mohri, Suresh 2022, Appendix B.2. Its formulas are not legible in our copy: it is built as the text describes it,
//! with constants of our own (`spec/margin.md`). Two repairs: candidates are moved into the ball after each noise, which the
//! sensitivity of the choice asks for; and the noise is that of an accounting that holds for all epsilon and delta
//! ([`Accounting`]).

use super::bounds::ErmRun;
use super::descent::{Phase, Phases};
use super::error::MarginError;
use crate::coins::{Coins, Promise, Stage, Uses};
use crate::number::range::{above_zero_below_one, at_least_one, require};
use crate::number::{Rational, grid, rational};
use crate::optimise::Hinge;
use crate::prepared::DrawnOften;
use crate::privacy::{Budget, release, with_replacement};
use crate::sample::{DiscreteGaussian, WithReplacement, check_exponent};
use num_bigint::BigInt;
use num_traits::One;

/// Algorithm 4: private minimisation of the hinge loss on points `y x` of the plan's number, dimension and radius.
///
/// Returns the candidates, all of which may be published, and the number of the one chosen.
///
/// # Errors
/// [`MarginError::Parameter`] unless the points are as many as the plan is for; [`MarginError::Length`] for a point of
/// another dimension; [`MarginError::OutsideTheBall`] for one that is longer than the plan's radius; those of the coins.
pub fn solve(
    points: &[Vec<i64>],
    plan: &ErmPlan,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<i64>>, usize), MarginError> {
    plan.check(points)?;
    // Rounds t = 1, ..., M, each with a candidate.
    coins.stage(&plan.stage);
    let mut candidates = Vec::new();
    for _ in 0..plan.rounds {
        // The numbers of the records of S_t, drawn with replacement.
        let sample = coins.draw_hidden(&plan.sampling)?;
        candidates.push(plan.round(points, &sample, coins)?);
    }
    // The exponential mechanism on their total losses, with epsilon/2: all of them are in the ball, so that a substituted
    // record moves each total by at most 1 + q.
    let promise = Promise::Pure(plan.of_choice.clone());
    coins.stage(&Stage::once("the choice of a candidate", promise));
    let scale = (plan.radius as i64) << BITS_OF_CANDIDATES;
    let choice = plan
        .hinge
        .choice(&candidates, points, &plan.of_choice, scale)?;
    let chosen = coins.draw(&choice)?;
    Ok((candidates, chosen))
}

impl ErmPlan {
    /// A round: phased descent on the sampled points, each phase once with noise. A candidate in steps of 2^-30.
    fn round(
        &self,
        points: &[Vec<i64>],
        sample: &[usize],
        coins: &mut impl Coins,
    ) -> Result<Vec<i64>, MarginError> {
        let mut sample = sample.iter();
        let mut start = Phase::origin(self.phases.dimension());
        let mut before: Option<(&Phase, Vec<BigInt>)> = None;
        for (phase, noise) in self.phases.iter().zip(&self.noise) {
            // The mean of the phase before, with its noise, moved into the ball.
            if let Some((before, released)) = &before {
                start = phase.start(before, released);
            }
            // The next n/2^i of the points: no other phase reads them from the sample.
            let next = sample.by_ref().take(phase.samples() as usize);
            let sum = phase.sum(start.clone(), next.map(|&number| &points[number][..]));
            // With noise of deviation nu times what one use of a record moves.
            before = Some((phase, release(sum, noise, coins)?));
        }
        Ok(before.map_or_else(Vec::new, |(last, released)| {
            last.hypothesis(&released, BITS_OF_CANDIDATES)
        }))
    }
}

/// How the noise of Algorithm 4 is calibrated. All three hold for every epsilon and delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accounting {
    /// As in the paper's proof: in each round a cap on how often a record is drawn by Chernoff's bound, group privacy for
    /// so many copies, and equal shares for the rounds.
    Paper,
    /// The sample of each round is drawn so that no record occurs more than K times, `(K + 1)! >= 4 m`; the rounds add up in
    /// zCDP.
    Zcdp,
    /// The exact law of how often a record is drawn, in all rounds and phases together. To be taken.
    Mixture,
}

/// Algorithm 4 with its noise calibrated.
#[derive(Debug, Clone)]
pub struct ErmPlan {
    records: usize,
    radius: u64,
    rounds: u32,
    hinge: Hinge,
    phases: Phases,
    multiplier: Rational,
    step: Rational,
    noise: Vec<DrawnOften<DiscreteGaussian>>,
    sampling: WithReplacement,
    pub(super) stage: Stage,
    of_choice: Rational,
}

/// A candidate is in steps of `2^-30`: its inner product with a point fits in 64 bits.
const BITS_OF_CANDIDATES: u32 = 30;

impl ErmPlan {
    /// A plan for `m` points of dimension `k` and norm at most `radius` steps, and the hinge loss at `q`, the largest norm
    /// of hypotheses times that of points over the margin.
    ///
    /// Half of epsilon and all of delta are for the rounds, half of epsilon for the choice.
    ///
    /// # Errors
    /// As [`EfficientParameters::plan`](super::efficient::EfficientParameters::plan).
    pub fn new(
        (m, k, radius): (usize, usize, u64),
        q: &Rational,
        budget: &Budget,
        rounds: u32,
        accounting: Accounting,
    ) -> Result<Self, MarginError> {
        require(m >= 2, "the number of records", &m, "at least 2")?;
        require(*q >= Rational::one(), "the ratio q", q, "at least 1")?;
        at_least_one("the number of rounds", u64::from(rounds))?;
        above_zero_below_one("delta", budget.delta())?;
        check_exponent(budget.epsilon(), m)?;
        let half = half_of(budget)?;
        let (multiplier, sampling, stage) = account(accounting, &uses(m, rounds)?, &half)?;
        let log_samples = m.ilog2();
        let step = step(k, log_samples, &multiplier)?;
        let tau = q.recip();
        let phases = Phases::new(k, radius, &tau, &step, log_samples)?;
        // sigma_i = nu times what one use of a record moves; its square is rounded up to an integer.
        let draws = u64::from(rounds).saturating_mul(k as u64);
        let law = |phase: &Phase| {
            let moved = Rational::from_integer(phase.sensitivity());
            let law = DiscreteGaussian::new((moved * &multiplier).pow(2).ceil())?;
            DrawnOften::new(law, draws)
        };
        Ok(Self {
            records: m,
            radius,
            rounds,
            hinge: Hinge::of_margin(&tau),
            noise: phases.iter().map(law).collect::<Result<_, _>>()?,
            phases,
            multiplier,
            step,
            sampling,
            stage,
            of_choice: half.epsilon().clone(),
        })
    }
}

/// The uses of `M` rounds on `m` records: of `n = 2^P <= m` points of a round `n - 1` are taken, `n/2`, `n/4`, ..., 1.
pub(super) fn uses(m: usize, rounds: u32) -> Result<Uses, MarginError> {
    let phases = (0..m.ilog2()).rev().map(|log| 1 << log).collect();
    Ok(Uses::new(m as u64, phases, rounds)?)
}

/// Half of epsilon, and all of delta.
pub(super) fn half_of(budget: &Budget) -> Result<Budget, MarginError> {
    let epsilon = budget.epsilon() / BigInt::from(2);
    let (delta, neighbours) = (budget.delta().clone(), budget.neighbours());
    Ok(Budget::approximate(epsilon, delta, neighbours)?)
}

/// The noise multiplier of an accounting, the law of the numbers of records, and the stage of all rounds.
pub(super) fn account(
    accounting: Accounting,
    uses: &Uses,
    budget: &Budget,
) -> Result<(Rational, WithReplacement, Stage), MarginError> {
    let draws: u64 = uses.draws_of_phase.iter().sum();
    let plain = WithReplacement::new(uses.records as usize, draws as usize)?;
    let name = "the rounds of descent";
    let rho = |multiplier: &Rational, uses: u64| {
        rational::integer(uses).pow(2) / (multiplier.pow(2) * BigInt::from(2))
    };
    Ok(match accounting {
        Accounting::Mixture | Accounting::Paper => {
            let multiplier = match accounting {
                Accounting::Mixture => uses.multiplier(budget)?,
                _ => with_replacement::grouped(uses, budget)?.multiplier,
            };
            let stage =
                Stage::hidden_uses(name, uses.clone(), rho(&multiplier, 1), budget.promise());
            (multiplier, plain, stage)
        }
        Accounting::Zcdp => {
            let cap = with_replacement::least_cap(&rational::integer(4 * uses.records))?;
            let multiplier = with_replacement::capped_multiplier(cap, uses.rounds, budget)?;
            let releases = uses.draws_of_phase.len() as u64 * u64::from(uses.rounds);
            let each = Promise::Concentrated(rho(&multiplier, cap));
            let whole = Promise::Concentrated(rho(&multiplier, cap) * BigInt::from(uses.rounds));
            let stage = Stage::path(name, releases, each, whole);
            (multiplier, plain.at_most(cap as usize)?, stage)
        }
    })
}

/// The step `h = 2/sqrt(n c)`, `c = 11/48 + 16 k nu^2/n + 2 sqrt(k) nu/n^2`, at which the bound on the loss is least
/// (`spec/margin.md`, `bms22.lem3_1.util`); rounded down.
fn step(k: usize, log_samples: u32, multiplier: &Rational) -> Result<Rational, MarginError> {
    let n = BigInt::one() << log_samples;
    let root = BigInt::from(k).sqrt() + 1;
    let c = rational::ratio(11, 48)
        + multiplier.pow(2) * BigInt::from(16 * k as u64) / &n
        + multiplier * (root * 2) / n.pow(2);
    let squared = rational::integer(4) / (c * n);
    let fine: BigInt = BigInt::one() << 64;
    let squared: Rational = squared * fine.pow(2);
    let root = squared.floor().to_integer().sqrt();
    Ok(Rational::new(root, fine))
}

impl ErmPlan {
    fn check(&self, points: &[Vec<i64>]) -> Result<(), MarginError> {
        let expected = "that of the plan";
        let right = points.len() == self.records;
        require(right, "the number of records", &points.len(), expected)?;
        for (number, point) in points.iter().enumerate() {
            if point.len() != self.phases.dimension() {
                return Err(MarginError::Length {
                    what: format!("point {number}"),
                    expected: self.phases.dimension(),
                    found: point.len(),
                });
            }
            // The first test keeps the squares of the second from overflowing.
            if point.iter().any(|x| x.unsigned_abs() > self.radius)
                || grid::squared_norm(point) > u128::from(self.radius).pow(2)
            {
                return Err(MarginError::OutsideTheBall { record: number });
            }
        }
        Ok(())
    }

    /// What is public of a run, for the bound on its loss ([`ErmRun::excess`]).
    #[must_use]
    pub fn run(&self) -> ErmRun {
        let capped = self.sampling.most() < self.sampling.draws();
        ErmRun {
            records: self.records as u64,
            dimension: self.phases.dimension() as u64,
            ratio: self.hinge.target.recip(),
            radius: self.radius,
            epsilon: &self.of_choice * BigInt::from(2),
            rounds: self.rounds,
            multiplier: self.multiplier.clone(),
            step: self.step.clone(),
            // Of a capped sample: 1 - m/(K + 1)!, K being so large that this is 3/4 or more.
            acceptance: rational::ratio(if capped { 3 } else { 4 }, 4),
        }
    }

    /// The largest norm of a point, in steps of its grid: `r~`.
    #[must_use]
    pub fn radius(&self) -> u64 {
        self.radius
    }

    /// The number of rounds, M.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The loss, of hypotheses and points of the unit ball.
    #[must_use]
    pub fn hinge(&self) -> &Hinge {
        &self.hinge
    }

    /// The number of points.
    #[must_use]
    pub fn records(&self) -> usize {
        self.records
    }

    /// The phases of a round.
    #[must_use]
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The noise of each phase, on the sum of its hypotheses.
    #[must_use]
    pub fn noise(&self) -> impl ExactSizeIterator<Item = &DiscreteGaussian> {
        self.noise.iter().map(DrawnOften::law)
    }

    /// The deviation of the noise over what one use of a record moves: `nu`.
    #[must_use]
    pub fn multiplier(&self) -> &Rational {
        &self.multiplier
    }

    /// The step `h`: four times the largest distance of a step of the first phase.
    #[must_use]
    pub fn step(&self) -> &Rational {
        &self.step
    }
}
