//! Bets that add up: a test that may look at its result again and again.
//!
//! Each call flips a fair coin for the data set, independent of everything else, and multiplies the
//! wealth against the claim by an [`EVariable`]. Under the claim wealth is a supermartingale, so that
//! it ever reaches `1 / level` with probability at most `level` (Ville). The calls come in rounds. Before a round
//! a bet is made, that is, laws on cells of outputs are guessed, from anything that was seen before; the cells may
//! be others in each round. After it the wealth is looked at. Alternating the data sets instead of flipping
//! the coin is not valid at every stopping time.
//!
//! Several bettors may share the wealth: each starts with a share `s` of it and multiplies its own, by bets on cells
//! of its own. The sum is a supermartingale too. Which cells are best is then no question to be settled beforehand;
//! the answer costs at most `ln(1/s)`, with the share of the best one.
//!
//! Laws and counts of all rounds are kept, so that the wealth against any other claim can be computed afterwards:
//! its bets are made from the same laws, which were there before the calls. The claims are nested: the lower bound
//! is the last epsilon of a grid up to which *all* are rejected. The highest rejected alone would not be valid, nor would
//! be halving: the wealth need not fall along the grid. To search the best stakes anew for each epsilon takes long, and is
//! done for every tenth only; between, they are those of the epsilon below. Stakes depend on the guess then, and on the
//! grid, and not on the calls of the round: that is all that is asked of them.
//!
//! A claim of another measure than (epsilon, delta) implies many of these. Each bet may then be against another of them,
//! chosen before the round: what satisfies the claim satisfies all, so that each factor has mean at most 1 under it.
#![allow(clippy::float_arithmetic)] // a sum of logarithms in a statistical test, whose error is bounded beside it

use super::e_variable::Stakes;
use super::{EVariable, Null, Side, StatsError, Wealth};
use crate::number::Rational;
use crate::number::rational::ratio;

/// A test of (epsilon, delta)-indistinguishability that may be looked at after every round.
#[derive(Debug, Clone)]
pub struct EProcess {
    /// What bets are against, unless they name another hypothesis.
    null: Null,
    // Of each bettor, the rounds so far, and the laws guessed for the next one with the bet on them.
    rounds: Vec<Vec<Round>>,
    next: Option<Vec<(Laws, EVariable)>>,
    purse: Purse,
    calls: u64,
}

/// The probabilities of cells, guessed or known, on the first and on the second data set.
pub type Laws = [Vec<f64>; 2];
/// How often each cell came on either.
pub type CellCounts = [Vec<u64>; 2];

/// The laws guessed before a round, and how often each cell came in it.
#[derive(Debug, Clone)]
struct Round {
    laws: Laws,
    counts: CellCounts,
}

/// The wealth of each bettor in parts of its share, and the most that all had together after a round.
#[derive(Debug, Clone)]
struct Purse {
    shares: Vec<f64>,
    each: Vec<Wealth>,
    best: Wealth,
}

impl Purse {
    fn of(shares: &[f64]) -> Self {
        Self {
            shares: shares.to_vec(),
            each: vec![Wealth::START; shares.len()],
            best: Wealth::START,
        }
    }

    /// Multiplies the wealth of one bettor.
    fn multiply(&mut self, bettor: usize, bet: &EVariable, counts: &CellCounts) {
        let (mut sum, mut size) = (0.0, 0.0);
        for (side, counts) in [Side::First, Side::Second].into_iter().zip(counts) {
            for (cell, &count) in counts.iter().enumerate() {
                let term = count as f64 * bet.log(side, cell).unwrap_or(0.0);
                sum += term;
                size += term.abs();
            }
        }
        // Each product and each addition errs by half a unit in the last place of at most `size`.
        let error = size * (4 * bet.cells() + 4) as f64 * f64::EPSILON;
        self.each[bettor] = self.each[bettor].times(sum, error);
    }

    fn together(&self) -> Wealth {
        let shares = self.shares.iter().copied();
        Wealth::together(shares.zip(self.each.iter().copied()))
    }

    /// Looks at the wealth of all, after a round.
    fn look(&mut self) {
        self.best = self.best.max(self.together());
    }
}

/// The most bettors.
const MOST_BETTORS: usize = 1000;

impl EProcess {
    /// Against this claim, by so many bettors with equal shares, at least one.
    ///
    /// # Errors
    /// [`StatsError::Claim`]; [`StatsError::Cells`] if there is no bettor, or more than 1,000.
    pub fn new(epsilon: &Rational, delta: &Rational, bettors: usize) -> Result<Self, StatsError> {
        // However many too many there are, one is enough to be refused.
        let shares = vec![1.0 / bettors as f64; bettors.min(MOST_BETTORS + 1)];
        Self::of(Null::new(epsilon, delta)?, &shares)
    }

    /// Against this hypothesis, by bettors who have these shares of the wealth at the start.
    ///
    /// # Errors
    /// [`StatsError::Cells`] if there is no bettor, or more than 1,000; or if a share is not above 0, or their sum is above 1 by
    /// more than rounding.
    pub fn of(null: Null, shares: &[f64]) -> Result<Self, StatsError> {
        let reason = match shares.len() {
            0 => Some("nobody bets on them"),
            1..=MOST_BETTORS => None,
            _ => Some("more than 1,000 bet on them"),
        };
        // A thousand roundings of numbers up to 1; the wealth is lowered by more.
        let is_above = |sum: f64| sum > 1.0 + 1e-13;
        let are_shares = shares.iter().all(|share| *share > 0.0) && !is_above(shares.iter().sum());
        let reason = reason.or((!are_shares).then_some("the bettors' shares are not parts of 1"));
        if let Some(reason) = reason {
            return Err(StatsError::Cells { reason });
        }
        Ok(Self {
            null,
            rounds: vec![Vec::new(); shares.len()],
            next: None,
            purse: Purse::of(shares),
            calls: 0,
        })
    }

    /// Bets on the next round: its calls fall into cells, those of each bettor, whose laws on the two data sets are
    /// guessed as in `laws` (see [`guessed_laws`](super::guessed_laws)). The guess may depend on all calls before, and on
    /// none of the round.
    ///
    /// # Errors
    /// [`StatsError::Cells`], also if there are not as many laws as bettors.
    pub fn bet(&mut self, laws: Vec<Laws>) -> Result<(), StatsError> {
        let null = self.null;
        self.bet_against(laws.into_iter().map(|laws| (laws, null)).collect())
    }

    /// The same, each bettor against a hypothesis of its own, which the claim must imply. It may depend on all calls
    /// before, too, and on none of the round.
    ///
    /// # Errors
    /// As for [`Self::bet`].
    pub fn bet_against(&mut self, bets: Vec<(Laws, Null)>) -> Result<(), StatsError> {
        if bets.len() != self.rounds.len() {
            return Err(StatsError::Cells {
                reason: "each bettor needs laws",
            });
        }
        let bets = bets.into_iter().map(|(laws, null)| {
            let bet = EVariable::new(&null, &laws[0], &laws[1])?;
            Ok((laws, bet))
        });
        self.next = Some(bets.collect::<Result<_, StatsError>>()?);
        Ok(())
    }

    /// Takes a round into account: how often each cell of each bettor came on the first and on the second data set, each
    /// call having been made on one of them by a fair coin. The same laws are the guess for the round after, if no
    /// others are given.
    ///
    /// # Errors
    /// [`StatsError::Cells`] if there was no bet, or on another number of cells, or if the bettors did not see the same
    /// number of calls; nothing changes then.
    pub fn settle(&mut self, counts: Vec<CellCounts>) -> Result<(), StatsError> {
        let fail = |reason| Err(StatsError::Cells { reason });
        let Some(bets) = &self.next else {
            return fail("there was no bet on them");
        };
        let fits = |((_, bet), counts): (&(Laws, EVariable), &CellCounts)| {
            counts.iter().all(|counts| counts.len() == bet.cells())
        };
        if counts.len() != bets.len() || !bets.iter().zip(&counts).all(fits) {
            return fail("the bet was on another number of them");
        }
        let calls = |counts: &CellCounts| counts.iter().flatten().sum::<u64>();
        if counts
            .windows(2)
            .any(|two| calls(&two[0]) != calls(&two[1]))
        {
            return fail("the bettors saw different numbers of calls");
        }
        self.calls += calls(&counts[0]);
        for (bettor, ((laws, bet), counts)) in bets.iter().zip(counts).enumerate() {
            self.purse.multiply(bettor, bet, &counts);
            let laws = laws.clone();
            self.rounds[bettor].push(Round { laws, counts });
        }
        self.purse.look();
        Ok(())
    }

    /// Whether the claim is rejected: a true claim ever is, with probability at most the level.
    ///
    /// # Errors
    /// [`StatsError::Parameter`].
    pub fn rejects(&self, level: &Rational) -> Result<bool, StatsError> {
        Ok(self.purse.best >= Wealth::needed(level)?)
    }

    /// The last epsilon of the grid up to which every claim is rejected at this level: except with
    /// probability at most the level, epsilon is above it, whenever one looks.
    ///
    /// # Errors
    /// [`StatsError::Parameter`], [`StatsError::Claim`]; [`StatsError::Cells`] if the grid does not increase.
    pub fn epsilon_lower<'a>(
        &self,
        grid: &'a [Rational],
        level: &Rational,
    ) -> Result<Option<&'a Rational>, StatsError> {
        if grid.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(StatsError::Cells {
                reason: "the grid of epsilons must increase",
            });
        }
        let delta = self.null.delta;
        let null = |epsilon: &Rational, _: &Laws| {
            let null = Null::new(epsilon, &Rational::default())?;
            Ok(Null { delta, ..null })
        };
        self.last_rejected(grid, level, null, is_near)
    }

    /// The last of these claims, each of which implies the next one, up to which every one is rejected at this level:
    /// except with probability at most the level, it is false, whenever one looks. `null` says what is bet against, of
    /// what a claim implies, where these laws are guessed; `is_near` whether the stakes of the first claim will do for
    /// the second, which costs power only.
    ///
    /// # Errors
    /// [`StatsError::Parameter`], and those of `null`.
    pub fn last_rejected<'a, T>(
        &self,
        claims: &'a [T],
        level: &Rational,
        null: impl Fn(&T, &Laws) -> Result<Null, StatsError>,
        is_near: impl Fn(&T, &T) -> bool,
    ) -> Result<Option<&'a T>, StatsError> {
        let needed = Wealth::needed(level)?;
        let mut last = None;
        let mut searched: Option<(&T, Vec<Option<Stakes>>)> = None;
        for claim in claims {
            let null = |laws: &Laws| null(claim, laws);
            searched = searched.filter(|(at, _)| is_near(at, claim));
            let purse = match &searched {
                Some((_, stakes)) => self.against(null, Some(stakes))?.0,
                None => {
                    let (purse, stakes) = self.against(null, None)?;
                    searched = Some((claim, stakes));
                    purse
                }
            };
            if purse.best < needed {
                break;
            }
            last = Some(claim);
        }
        Ok(last)
    }

    /// The wealth against another claim, with bets on the same laws, and what was staked, in the order of the rounds: the
    /// best, or these stakes.
    fn against(
        &self,
        null: impl Fn(&Laws) -> Result<Null, StatsError>,
        stakes: Option<&[Option<Stakes>]>,
    ) -> Result<(Purse, Vec<Option<Stakes>>), StatsError> {
        let mut purse = Purse::of(&self.purse.shares);
        let mut staked = Vec::new();
        for round in 0..self.rounds[0].len() {
            for (bettor, rounds) in self.rounds.iter().enumerate() {
                let Round { laws, counts } = &rounds[round];
                let null = null(laws)?;
                let bet = match stakes {
                    Some(stakes) => {
                        EVariable::with(&null, &laws[0], &laws[1], stakes[staked.len()])?
                    }
                    None => EVariable::new(&null, &laws[0], &laws[1])?,
                };
                staked.push(bet.stakes());
                purse.multiply(bettor, &bet, counts);
            }
            purse.look();
        }
        Ok((purse, staked))
    }

    /// The largest logarithm of the wealth so far.
    #[must_use]
    pub fn log_wealth(&self) -> f64 {
        self.purse.best.log()
    }

    /// The number of calls taken into account.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }
}

/// Whether stakes for the first epsilon will do for the second, which is not below it.
fn is_near(at: &Rational, epsilon: &Rational) -> bool {
    let tenth = ratio(1, 10);
    *epsilon < at + (at * &tenth).max(tenth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::guessed_laws;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn uniform(rng: &mut ChaCha8Rng) -> f64 {
        (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Randomised response whose true epsilon is `epsilon`: how often each answer came in so many calls.
    fn respond(rng: &mut ChaCha8Rng, epsilon: f64, calls: u32) -> [Vec<u64>; 2] {
        let mut counts = [vec![0; 2], vec![0; 2]];
        for _ in 0..calls {
            let side = (rng.next_u64() & 1) as usize;
            let lie = uniform(rng) < 1.0 / (1.0 + epsilon.exp());
            counts[side][usize::from((side == 1) != lie)] += 1;
        }
        counts
    }

    fn add(counts: &mut [Vec<u64>; 2], more: &[Vec<u64>; 2]) {
        for (side, more) in counts.iter_mut().zip(more) {
            for (count, more) in side.iter_mut().zip(more) {
                *count += more;
            }
        }
    }

    /// False alarms in 1000 runs of 30 rounds of ten calls at the true epsilon = 1, level 1/20, with laws guessed from
    /// the rounds before or, by the broken twin, from the round itself too.
    fn alarms(cheat: bool) -> usize {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let run = |_: &i32| {
            let mut process = EProcess::new(&ratio(1, 1), &ratio(0, 1), 1).unwrap();
            let mut counts = [vec![0; 2], vec![0; 2]];
            for _ in 0..30 {
                let round = respond(&mut rng, 1.0, 10);
                let mut seen = counts.clone();
                add(&mut counts, &round);
                if cheat {
                    seen = round
                        .clone()
                        .map(|side| side.iter().map(|count| 100 * count).collect());
                }
                process
                    .bet(vec![guessed_laws(&seen[0], &seen[1]).unwrap()])
                    .unwrap();
                process.settle(vec![round]).unwrap();
            }
            process.rejects(&ratio(1, 20)).unwrap()
        };
        (0..1000).filter(run).count()
    }

    #[test]
    fn the_level_holds_at_every_time_and_with_renewed_bets() {
        // A valid test has more than 85 false alarms with probability below 1e-6.
        let alarms = alarms(false);
        assert!(alarms <= 85, "{alarms}");
    }

    #[test]
    fn a_bet_made_after_the_calls_breaks_the_level() {
        assert!(alarms(true) > 200);
    }

    #[test]
    fn a_violation_is_found_in_the_calls_that_the_growth_predicts() {
        let p = 1.0 / (1.0 + (-2.0f64).exp());
        let grid: Vec<Rational> = (20..60).map(|j| ratio(j, 20)).collect();
        let mut process = EProcess::new(&ratio(1, 1), &ratio(0, 1), 1).unwrap();
        process
            .bet(vec![[vec![p, 1.0 - p], vec![1.0 - p, p]]])
            .unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        while !process.rejects(&ratio(1, 20)).unwrap() {
            process.settle(vec![respond(&mut rng, 2.0, 1)]).unwrap();
            assert!(process.calls() < 400);
        }
        // ln 20 / 0.0671 = 45.
        assert!(process.calls() > 10, "{}", process.calls());
        for _ in 0..50 {
            process.settle(vec![respond(&mut rng, 2.0, 100)]).unwrap();
        }
        let bound = process.epsilon_lower(&grid, &ratio(1, 20)).unwrap();
        let bound = bound.unwrap();
        assert!(*bound >= ratio(17, 10) && *bound < ratio(2, 1), "{bound}");
    }

    #[test]
    fn the_wealth_against_the_claim_is_the_same_afterwards() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let claim = Null::new(&ratio(1, 1), &ratio(1, 100)).unwrap();
        let mut process = EProcess::of(claim, &[0.75, 0.25]).unwrap();
        let mut counts = [vec![0; 2], vec![0; 2]];
        for _ in 0..20 {
            let guess = guessed_laws(&counts[0], &counts[1]).unwrap();
            let nothing = [vec![1.0], vec![1.0]];
            process.bet(vec![guess, nothing]).unwrap();
            let round = respond(&mut rng, 2.0, 20);
            add(&mut counts, &round);
            let all = round.each_ref().map(|side| vec![side.iter().sum()]);
            process.settle(vec![round, all]).unwrap();
        }
        assert!(process.log_wealth() > 1.0);
        let (again, stakes) = process.against(|_| Ok(claim), None).unwrap();
        assert_eq!(again.best.log(), process.log_wealth());
        // And with the stakes kept, but for the rounding.
        let (kept, _) = process.against(|_| Ok(claim), Some(&stakes)).unwrap();
        assert!((kept.best.log() - again.best.log()).abs() < 1e-9);
    }

    /// Along a fine grid nearly all stakes are kept. The bound is the same within a step, of a coarse grid on which each
    /// has its own.
    #[test]
    fn a_bound_on_a_fine_grid_is_that_of_stakes_of_their_own() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut process = EProcess::new(&ratio(1, 10), &ratio(1, 1000), 1).unwrap();
        let mut counts = [vec![0; 2], vec![0; 2]];
        for _ in 0..60 {
            let guess = guessed_laws(&counts[0], &counts[1]).unwrap();
            process.bet(vec![guess]).unwrap();
            let round = respond(&mut rng, 1.5, 40);
            add(&mut counts, &round);
            process.settle(vec![round]).unwrap();
        }
        let level = ratio(1, 20);
        let fine: Vec<Rational> = (20..400).map(|j| ratio(j, 200)).collect();
        let bound = process.epsilon_lower(&fine, &level).unwrap().unwrap();
        assert!(*bound > ratio(1, 1), "{bound}");
        // A grid of one epsilon: its stakes are searched.
        let alone = |epsilon: Rational| {
            let grid = [epsilon];
            process.epsilon_lower(&grid, &level).unwrap().is_some()
        };
        assert!(
            alone(bound - ratio(1, 100)) && !alone(bound + ratio(1, 50)),
            "{bound}"
        );
    }

    /// An event of 1/2 and 1/5 proves `ln((1/2 - delta) / (1/5))`, here ln 2, and no more: without delta that would be ln 2.5.
    #[test]
    fn a_bound_on_epsilon_is_for_the_delta_of_the_claim() {
        let mut process = EProcess::new(&ratio(1, 2), &ratio(1, 10), 1).unwrap();
        process.bet(vec![[vec![0.5, 0.5], vec![0.2, 0.8]]]).unwrap();
        process
            .settle(vec![[vec![50_000, 50_000], vec![20_000, 80_000]]])
            .unwrap();
        let grid: Vec<Rational> = (50..100).map(|j| ratio(j, 100)).collect();
        let bound = process
            .epsilon_lower(&grid, &ratio(1, 20))
            .unwrap()
            .unwrap();
        assert!((ratio(60, 100)..ratio(69, 100)).contains(bound), "{bound}");
    }

    /// Wealth may be larger against a larger epsilon. The bound is the last up to which all are rejected.
    #[test]
    fn a_bound_does_not_jump_over_an_epsilon_that_is_not_rejected() {
        let mut process = EProcess::new(&ratio(1, 10), &ratio(0, 1), 1).unwrap();
        process.bet(vec![[vec![0.6, 0.4], vec![0.4, 0.6]]]).unwrap();
        process.settle(vec![[vec![0, 30], vec![30, 0]]]).unwrap();
        process.bet(vec![[vec![0.9, 0.1], vec![0.1, 0.9]]]).unwrap();
        process.settle(vec![[vec![10, 0], vec![0, 10]]]).unwrap();
        let bound =
            |grid: &[Rational]| process.epsilon_lower(grid, &ratio(1, 20)).unwrap().cloned();
        assert_eq!(bound(&[ratio(1, 1)]), Some(ratio(1, 1)));
        assert_eq!(bound(&[ratio(1, 10), ratio(1, 1)]), None);
    }

    #[test]
    fn stakes_are_searched_anew_for_every_tenth() {
        assert!(is_near(&ratio(1, 1_000_000), &ratio(1, 11)));
        assert!(!is_near(&ratio(1, 10), &ratio(2, 10)));
        assert!(is_near(&ratio(2, 1), &ratio(219, 100)));
        assert!(!is_near(&ratio(2, 1), &ratio(22, 10)));
    }

    /// Two bettors, one of whom guesses that the answers are exchanged and loses all that it has: the other one's wealth
    /// is halved, once.
    #[test]
    fn the_wealth_of_several_is_the_mean() {
        let good = [vec![0.9, 0.1], vec![0.1, 0.9]];
        let bad = [good[1].clone(), good[0].clone()];
        let mut alone = EProcess::new(&ratio(1, 1), &ratio(0, 1), 1).unwrap();
        let mut both = EProcess::new(&ratio(1, 1), &ratio(0, 1), 2).unwrap();
        alone.bet(vec![good.clone()]).unwrap();
        both.bet(vec![bad, good]).unwrap();
        for _ in 0..20 {
            let round = [vec![9, 1], vec![1, 9]];
            alone.settle(vec![round.clone()]).unwrap();
            both.settle(vec![round.clone(), round]).unwrap();
        }
        let lost = alone.log_wealth() - both.log_wealth();
        assert!(alone.log_wealth() > 10.0 && (lost - 2f64.ln()).abs() < 1e-9);
        // Wealth of one for the bets of both would be the sum, or the largest: twice as much.
        assert_eq!(both.calls(), 400);
        let other = vec![[vec![9, 1], vec![1, 9]], [vec![9, 1], vec![1, 8]]];
        assert!(both.settle(other).is_err());
    }

    /// What a bettor wins counts in proportion to its share.
    #[test]
    fn a_bettor_wins_in_proportion_to_its_share() {
        let wealth = |share: f64| {
            let null = Null::new(&ratio(1, 1), &ratio(0, 1)).unwrap();
            let mut process = EProcess::of(null, &[1.0 - share, share]).unwrap();
            let knows = [vec![0.9, 0.1], vec![0.1, 0.9]];
            let errs = [knows[1].clone(), knows[0].clone()];
            process.bet(vec![errs, knows]).unwrap();
            let round = [vec![180, 20], vec![20, 180]];
            process.settle(vec![round.clone(), round]).unwrap();
            let grid = [ratio(1, 1)];
            let afterwards = process.epsilon_lower(&grid, &ratio(1, 20)).unwrap();
            assert_eq!(afterwards, Some(&grid[0]));
            process.log_wealth()
        };
        let lost = wealth(0.75) - wealth(0.25);
        assert!((lost - 3f64.ln()).abs() < 1e-9, "{lost}");
    }

    #[test]
    fn shares_that_are_no_parts_of_one_are_refused() {
        let of = |shares: &[f64]| {
            let null = Null::new(&ratio(1, 1), &ratio(0, 1)).unwrap();
            EProcess::of(null, shares)
        };
        assert!(of(&[0.25, 0.125, 0.125, 0.5]).is_ok());
        assert!(of(&[0.001; 1000]).is_ok() && of(&[0.5, 0.5 + 1e-12]).is_err());
        assert!(EProcess::new(&ratio(1, 1), &ratio(0, 1), usize::MAX).is_err());
        assert!(of(&[1.0 / 3.0; 3]).is_ok() && of(&[0.1; 10]).is_ok() && of(&[0.5]).is_ok());
        for wrong in [
            &[] as &[f64],
            &[0.5, 0.5001],
            &[1.0, 0.0],
            &[1.5, -0.5],
            &[f64::NAN],
        ] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
        assert!(of(&[0.0005; 1001]).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        let zero = ratio(0, 1);
        assert!(EProcess::new(&ratio(41, 1), &zero, 1).is_err());
        assert!(EProcess::new(&ratio(1, 1), &zero, 0).is_err());
        let mut process = EProcess::new(&ratio(1, 1), &zero, 1).unwrap();
        assert!(process.settle(vec![[vec![1], vec![1]]]).is_err());
        assert!(process.bet(vec![[vec![1.0], vec![0.5, 0.5]]]).is_err());
        let even = || [vec![0.5, 0.5], vec![0.5, 0.5]];
        assert!(process.bet(vec![even(), even()]).is_err());
        process.bet(vec![even()]).unwrap();
        assert!(process.settle(vec![[vec![1], vec![1, 2]]]).is_err());
        assert!(process.settle(vec![]).is_err());
        assert_eq!(process.calls(), 0);
        assert!(process.rejects(&ratio(1, 1)).is_err());
        let grid = [ratio(1, 1), ratio(1, 1)];
        assert!(process.epsilon_lower(&grid, &ratio(1, 2)).is_err());
    }
}
