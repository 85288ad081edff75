//! The bets against the law that the one-sided test does not make, on ranges and on residue classes.

use super::CellCount;
use super::bet::{Bet, ROUNDING};
use super::cells::{Cells, rounded_up};
use super::placed::{Placed, class};
use super::scales;
use crate::refute::AuditError;
use dp_assay::number::Enclosure;
use dp_assay::stats::Wealth;
use num_bigint::BigInt;

/// A bet on the frequencies seen so far, in groups of neighbouring cells.
struct Learned {
    group: Vec<usize>,
    up: Vec<f64>,
    /// Counts, which start from the law itself, so that they are never 0.
    counts: Vec<f64>,
    total: f64,
    wealth: Wealth,
}

impl Learned {
    fn new(groups: usize, up: &[f64]) -> Self {
        // By the mass up to the middle of a cell; then without gaps.
        let all: f64 = up.iter().sum();
        let mut before = 0.0;
        let mut last = None;
        let mut group = Vec::new();
        let mut sums: Vec<f64> = Vec::new();
        for p in up {
            let place = ((before + p / 2.0) / all * groups as f64) as usize;
            before += p;
            if last != Some(place) {
                last = Some(place);
                sums.push(0.0);
            }
            if let Some(sum) = sums.last_mut() {
                *sum += p;
            }
            group.push(sums.len() - 1);
        }
        Self::grouped(group, &sums)
    }

    /// Each for itself.
    fn each(up: &[f64]) -> Self {
        Self::grouped((0..up.len()).collect(), up)
    }

    fn grouped(group: Vec<usize>, sums: &[f64]) -> Self {
        let strength = sums.len() as f64 / 2.0;
        let counts: Vec<f64> = sums.iter().map(|p| (strength * p).max(1e-6)).collect();
        Self {
            group,
            // A sum of positive numbers errs by less.
            up: sums.iter().map(|p| p * (1.0 + 1e-12)).collect(),
            total: counts.iter().sum(),
            counts,
            wealth: Wealth::START,
        }
    }

    fn update(&mut self, cell: usize) {
        let group = self.group[cell];
        let factor = self.counts[group] / self.total / self.up[group];
        self.wealth = self.wealth.times(factor.ln(), ROUNDING);
        self.counts[group] += 1.0;
        self.total += 1.0;
        // The total is a sum of its own; it may differ from that of the counts by its rounding only, and
        // a larger one is on the safe side.
        self.total *= 1.0 + f64::EPSILON;
    }
}

/// The moduli of the residue classes: even numbers, multiples of 4 or 8, and decimal or ternary lattices.
const MODULI: [u32; 6] = [2, 3, 4, 5, 7, 8];

/// A bet on the residue classes modulo a small number: what the cells, which are ranges, do not see.
struct Residues {
    modulus: u32,
    learned: Learned,
}

impl Residues {
    fn new(modulus: u32, at_most: &[Enclosure]) -> Self {
        let bound = |bound: &Enclosure| rounded_up(&bound.upper()).min(1.0);
        let up: Vec<f64> = at_most.iter().map(bound).collect();
        Self {
            modulus,
            learned: Learned::each(&up),
        }
    }

    fn update(&mut self, value: &BigInt) {
        self.learned.update(class(value, self.modulus));
    }
}

/// The groups that frequencies are learned in.
const GROUPS: [usize; 4] = [3, 6, 16, 1000];

/// The shares of the wealth at the start: the bets of the one-sided test, since less noise than was asked for is what
/// breaks privacy, and the families here.
const LESS_NOISE_SHARE: f64 = 0.72;
const MORE_NOISE_SHARE: f64 = 0.10;
const SHIFTS_SHARE: f64 = 0.06;
const LEARNED_SHARE: f64 = 0.06;
const RESIDUES_SHARE: f64 = 0.06;

/// The other bets.
pub struct LawTest {
    more_noise: Vec<Bet>,
    shifts: Vec<Bet>,
    learned: Vec<Learned>,
    residues: Vec<Residues>,
    counts: Vec<u64>,
}

impl LawTest {
    pub fn new(law: &Placed, cells: &Cells) -> Result<Self, AuditError> {
        let up = &cells.up;
        let more_noise = scales::more(law)?;
        let more_noise = more_noise
            .iter()
            .map(|(_, scaled)| Bet::new(&cells.ratios(law, scaled, &BigInt::ZERO), up));
        let shifts = scales::shifts(law);
        let shifts = shifts
            .iter()
            .map(|shift| Bet::new(&cells.ratios(law, law, shift), up));
        let residues = law.residues_at_most(&MODULI)?;
        let residues = MODULI.iter().zip(&residues);
        Ok(Self {
            more_noise: more_noise.collect(),
            shifts: shifts.collect(),
            learned: GROUPS
                .iter()
                .map(|&groups| Learned::new(groups, up))
                .collect(),
            residues: residues
                .map(|(&modulus, at_most)| Residues::new(modulus, at_most))
                .collect(),
            counts: vec![0; cells.count()],
        })
    }

    /// Bets on an output, in that cell.
    pub fn update(&mut self, cell: usize, value: &BigInt) {
        self.counts[cell] += 1;
        for bet in self.more_noise.iter_mut().chain(&mut self.shifts) {
            bet.update(cell);
        }
        for bet in &mut self.learned {
            bet.update(cell);
        }
        for bet in &mut self.residues {
            bet.update(value);
        }
    }

    /// The wealth of all bets against the law, if that of the one-sided test is `less_noise`.
    pub fn wealth(&self, less_noise: Wealth) -> Wealth {
        let residues = self.residues.iter().map(|bet| bet.learned.wealth);
        let shares = [
            (LESS_NOISE_SHARE, less_noise),
            (MORE_NOISE_SHARE, scales::wealth(&self.more_noise)),
            (
                SHIFTS_SHARE,
                Wealth::mean(self.shifts.iter().map(|bet| bet.wealth)),
            ),
            (
                LEARNED_SHARE,
                Wealth::mean(self.learned.iter().map(|bet| bet.wealth)),
            ),
            (RESIDUES_SHARE, Wealth::mean(residues)),
        ];
        Wealth::together(shares.into_iter())
    }

    /// The cell that is farthest from what it should be, in standard deviations.
    pub fn farthest(&self, law: &Placed, cells: &Cells) -> Option<CellCount> {
        let calls: u64 = self.counts.iter().sum();
        let all = calls as f64;
        let deviation = |cell: usize| {
            let p = cells.up[cell].min(1.0);
            (self.counts[cell] as f64 - all * p).abs() / (all * p * (1.0 - p) + 1.0).sqrt()
        };
        let cell = (0..cells.count()).max_by(|&a, &b| deviation(a).total_cmp(&deviation(b)))?;
        let before = cell
            .checked_sub(1)
            .and_then(|before| cells.edges.get(before));
        let first = before.map(|edge| edge + 1);
        let [from, to] = law.range(first.as_ref(), cells.edges.get(cell));
        Some(CellCount {
            from,
            to,
            expected: all * cells.up[cell].min(1.0),
            count: self.counts[cell],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise_test::NoiseTest;
    use super::*;
    use dp_assay::coins::ChaCha;
    use dp_assay::law::named::NamedLaw;
    use dp_assay::number::rational::integer;

    fn two() -> (NamedLaw, Placed) {
        let named = "discrete-laplace scale=2".parse::<NamedLaw>().unwrap();
        let law = Placed::new(&named.clone().into(), &integer(0)).unwrap();
        (named, law)
    }

    /// Whoever bets on everything begins with the wealth 1: its parts are together no more.
    #[test]
    fn the_wealth_is_one_at_the_start() {
        let (_, law) = two();
        let cells = Cells::of(&law).unwrap();
        let (test, noise) = (
            LawTest::new(&law, &cells).unwrap(),
            NoiseTest::new(&law, &cells).unwrap(),
        );
        for wealth in [
            noise.wealth(),
            test.wealth(noise.wealth()),
            test.wealth(Wealth::START),
        ] {
            assert!(
                wealth.log() <= 0.0 && wealth.log() > -1e-9,
                "{}",
                wealth.log()
            );
        }
    }

    /// How many of 200 runs of 600 calls on noise of the law itself reach the wealth 20. `peek` is done before the
    /// bets, which may not know the output.
    fn alarms(cells: &Cells, peek: impl Fn(&mut LawTest, usize)) -> usize {
        let (named, law) = two();
        let run = |seed: &u64| {
            let mut coins = ChaCha::reproducible(*seed, 3);
            let mut test = LawTest::new(&law, cells).unwrap();
            let mut noise = NoiseTest::new(&law, cells).unwrap();
            (0..600).any(|_| {
                let value = named.draw(&mut coins).unwrap();
                let cell = cells.index(&value);
                peek(&mut test, cell);
                test.update(cell, &value);
                noise.update(&value);
                test.wealth(noise.wealth()).log() >= 20f64.ln()
            })
        };
        (0..200).filter(run).count()
    }

    /// At level 1/20, more than 23 alarms in 200 runs have probability below 1e-4; the mutants have nearly 200.
    #[test]
    fn a_bettor_that_peeks_and_probabilities_that_are_too_low_break_the_level() {
        let (_, law) = two();
        let mut cells = Cells::of(&law).unwrap();
        let right = alarms(&cells, |_, _| {});
        let peeking = alarms(&cells, |test, cell| {
            for bet in &mut test.learned {
                bet.counts[bet.group[cell]] += 1.0;
                bet.total += 1.0;
            }
        });
        for p in &mut cells.up {
            *p *= 0.99;
        }
        let low = alarms(&cells, |_, _| {});
        eprintln!(
            "{right} alarms in 200 runs; {peeking} if a bettor peeks; {low} if the probabilities are too low"
        );
        assert!(right <= 23, "{right}");
        assert!(peeking >= 190, "{peeking}");
        assert!(low >= 190, "{low}");
    }
}
