//! Bets that add up, one per epsilon of a grid: a test that may look at its result after every call.
//!
//! Each call flips a fair coin for the data set, independent of everything else, and multiplies the
//! wealth against each claim by its [`EVariable`]. Under the claim wealth is a supermartingale, so that
//! it ever reaches `1 / level` with probability at most `level` (Ville). The bet may be renewed at any
//! time, from the calls already made. Alternating the data sets instead of flipping the coin is not
//! valid at every stopping time.
//!
//! The claims are nested: the lower bound is the last epsilon of the grid up to which *all* are rejected.
//! The highest rejected alone would not be valid.
#![allow(clippy::float_arithmetic)] // a sum of logarithms in a statistical test, lowered at each step by more than it errs

use super::{EVariable, Null, Side, StatsError, directed};
use crate::number::Rational;

/// Tests of (epsilon, delta)-indistinguishability for each epsilon of a grid, valid at any time.
#[derive(Debug, Clone)]
pub struct EProcess {
    claims: Vec<Claim>,
    cells: usize,
    calls: u64,
}

#[derive(Debug, Clone)]
struct Claim {
    epsilon: Rational,
    null: Null,
    bet: EVariable,
    log: f64,
    best: f64,
}

impl EProcess {
    /// Against each epsilon of the grid at this delta, with the laws on cells of outputs guessed as
    /// `first` and `second` (see [`smoothed`](super::smoothed)), from calls that are not fed again.
    ///
    /// # Errors
    /// [`StatsError::Claim`], [`StatsError::Cells`]; also if the grid does not increase.
    pub fn new(
        grid: &[Rational],
        delta: &Rational,
        first: &[f64],
        second: &[f64],
    ) -> Result<Self, StatsError> {
        if grid.is_empty() || grid.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(StatsError::Cells {
                reason: "the grid of epsilons must increase",
            });
        }
        let claim = |epsilon: &Rational| {
            let null = Null::new(epsilon, delta)?;
            Ok(Claim {
                epsilon: epsilon.clone(),
                null,
                bet: EVariable::new(&null, first, second)?,
                log: 0.0,
                best: 0.0,
            })
        };
        Ok(Self {
            claims: grid.iter().map(claim).collect::<Result<_, StatsError>>()?,
            cells: first.len(),
            calls: 0,
        })
    }

    /// Takes one output into account: the data set it came from, by a fair coin, and its cell.
    ///
    /// # Errors
    /// [`StatsError::Cells`] if there is no such cell; nothing changes then.
    pub fn update(&mut self, side: Side, cell: usize) -> Result<(), StatsError> {
        if cell >= self.cells {
            return Err(StatsError::Cells {
                reason: "there is no such cell",
            });
        }
        self.calls += 1;
        for claim in &mut self.claims {
            if let Some(log) = claim.bet.log(side, cell) {
                let sum = claim.log + log;
                // The sum errs by half a unit in its last place.
                claim.log = sum - sum.abs() * f64::EPSILON;
                claim.best = claim.best.max(claim.log);
            }
        }
        Ok(())
    }

    /// Renews the bets for calls to come, from guesses that may depend on all calls so far.
    ///
    /// # Errors
    /// [`StatsError::Cells`], also if the number of cells changes; nothing changes then.
    pub fn renew(&mut self, first: &[f64], second: &[f64]) -> Result<(), StatsError> {
        if first.len() != self.cells {
            return Err(StatsError::Cells {
                reason: "their number may not change",
            });
        }
        let bets: Vec<EVariable> = self
            .claims
            .iter()
            .map(|claim| EVariable::new(&claim.null, first, second))
            .collect::<Result<_, _>>()?;
        for (claim, bet) in self.claims.iter_mut().zip(bets) {
            claim.bet = bet;
        }
        Ok(())
    }

    /// The last epsilon of the grid up to which every claim is rejected at this level: except with
    /// probability at most the level, epsilon is above it, whenever one looks.
    ///
    /// # Errors
    /// [`StatsError::Level`].
    pub fn epsilon_lower(&self, level: &Rational) -> Result<Option<&Rational>, StatsError> {
        // The logarithm errs by less than the last summand.
        let needed = -directed::level(level)?.ln() + 1e-12;
        let rejected = self.claims.iter().take_while(|claim| claim.best >= needed);
        Ok(rejected.last().map(|claim| &claim.epsilon))
    }

    /// The largest logarithm of the wealth so far against each epsilon of the grid.
    pub fn wealth(&self) -> impl Iterator<Item = (&Rational, f64)> {
        self.claims.iter().map(|claim| (&claim.epsilon, claim.best))
    }

    /// The number of outputs taken into account.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use crate::stats::smoothed;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn uniform(rng: &mut ChaCha8Rng) -> f64 {
        (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Randomised response whose true epsilon is `epsilon`.
    fn respond(rng: &mut ChaCha8Rng, epsilon: f64) -> (Side, usize) {
        let side = rng.next_u64() & 1;
        let lie = uniform(rng) < 1.0 / (1.0 + epsilon.exp());
        let cell = (side == 1) != lie;
        let side = if side == 0 { Side::First } else { Side::Second };
        (side, usize::from(cell))
    }

    #[test]
    fn the_level_holds_at_every_time_and_with_renewed_bets() {
        // 1000 runs at the true epsilon = 1, looked at 300 times each; level 1/20. A valid test has more
        // than 85 false alarms with probability below 1e-6.
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut alarms, mut doubled) = (0, 0);
        for _ in 0..1000 {
            let mut process =
                EProcess::new(&[ratio(1, 1)], &ratio(0, 1), &[0.8, 0.2], &[0.2, 0.8]).unwrap();
            let mut counts = [[0u64; 2]; 2];
            let mut twin = 0.0f64;
            for call in 1..=300 {
                let (side, cell) = respond(&mut rng, 1.0);
                twin += process.claims[0].bet.log(side, cell).unwrap() + std::f64::consts::LN_2;
                process.update(side, cell).unwrap();
                counts[usize::from(side == Side::Second)][cell] += 1;
                if call % 100 == 0 {
                    let laws = counts.map(|row| smoothed(&row).unwrap());
                    process.renew(&laws[0], &laws[1]).unwrap();
                }
            }
            alarms += u32::from(process.epsilon_lower(&ratio(1, 20)).unwrap().is_some());
            doubled += u32::from(twin >= 20.0f64.ln());
        }
        assert!(alarms <= 85, "{alarms}");
        assert!(doubled > 900, "{doubled}");
    }

    #[test]
    fn a_violation_is_found_in_the_calls_that_the_growth_predicts() {
        let p = 1.0 / (1.0 + (-2.0f64).exp());
        let grid: Vec<Rational> = (0..40).map(|j| ratio(j, 20)).collect();
        let mut process = EProcess::new(&grid, &ratio(0, 1), &[p, 1.0 - p], &[1.0 - p, p]).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let one = ratio(1, 1);
        while process.epsilon_lower(&ratio(1, 20)).unwrap() < Some(&one) {
            let (side, cell) = respond(&mut rng, 2.0);
            process.update(side, cell).unwrap();
            assert!(process.calls() < 400);
        }
        // ln 20 / 0.0671 = 45.
        assert!(process.calls() > 10, "{}", process.calls());
        for _ in 0..5000 {
            let (side, cell) = respond(&mut rng, 2.0);
            process.update(side, cell).unwrap();
        }
        let bound = process.epsilon_lower(&ratio(1, 20)).unwrap().unwrap();
        assert!(*bound >= ratio(17, 10) && *bound < ratio(2, 1), "{bound}");
    }

    #[test]
    fn nonsense_is_refused() {
        let law = [0.5, 0.5];
        let zero = ratio(0, 1);
        assert!(EProcess::new(&[], &zero, &law, &law).is_err());
        assert!(EProcess::new(&[ratio(1, 1), ratio(1, 1)], &zero, &law, &law).is_err());
        let mut process = EProcess::new(&[ratio(1, 1)], &zero, &law, &law).unwrap();
        assert!(process.update(Side::First, 2).is_err());
        assert!(process.renew(&[1.0], &[1.0]).is_err());
        assert!(process.epsilon_lower(&ratio(1, 1)).is_err());
    }
}
