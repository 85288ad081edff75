//! The bets against the law that the one-sided test does not make, on ranges and on residue classes.

use super::CellCount;
use super::bet::{Bet, ROUNDING};
use super::cells::{Cells, certified, rounded_up};
use super::guess::Guess;
use super::scales;
use crate::refute::AuditError;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::NumberError;
use dp_assay::stats::Wealth;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

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
    counts: Vec<u64>,
}

impl Residues {
    fn new(law: &NamedLaw, modulus: u32) -> Result<Self, NumberError> {
        let up = (0..modulus)
            .map(|residue| {
                let bound = certified(|bits| law.residue_at_most(residue, modulus, bits))?;
                Ok(rounded_up(&bound.upper()).min(1.0))
            })
            .collect::<Result<Vec<_>, NumberError>>()?;
        Ok(Self {
            modulus,
            learned: Learned::each(&up),
            counts: vec![0; up.len()],
        })
    }

    fn update(&mut self, value: &BigInt) {
        let class = value.mod_floor(&self.modulus.into()).to_usize();
        let class = class.unwrap_or(0);
        self.counts[class] += 1;
        self.learned.update(class);
    }

    fn says(&self) -> String {
        let counts: Vec<String> = self.counts.iter().map(ToString::to_string).collect();
        format!(
            "other residues modulo {}: {} calls of each",
            self.modulus,
            counts.join(", ")
        )
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
    pub fn new(law: &NamedLaw, cells: &Cells) -> Result<Self, AuditError> {
        let up = &cells.up;
        let more_noise = scales::more(law)?.into_iter().map(|(factor, scaled)| {
            let ratios = cells.ratios(law, &scaled, &BigInt::ZERO);
            Bet::new(scales::says(law, &factor), &ratios, up)
        });
        // Shifts of one, and of parts of the distance from the middle to the quarter.
        let guess = Guess::of(law);
        let quarter = guess.quantile(0.75) - guess.quantile(0.5);
        let mut shifts: Vec<BigInt> = [1, 4, 16].map(|part| &quarter / part).into();
        shifts.push(1.into());
        shifts.retain(Signed::is_positive);
        shifts.sort();
        shifts.dedup();
        let both_ways = shifts.iter().flat_map(|shift| [-shift, shift.clone()]);
        let shifts = both_ways.map(|shift| {
            let ratios = cells.ratios(law, law, &shift);
            Bet::new(format!("the law shifted by {shift}"), &ratios, up)
        });
        Ok(Self {
            more_noise: more_noise.collect(),
            shifts: shifts.collect(),
            learned: GROUPS
                .iter()
                .map(|&groups| Learned::new(groups, up))
                .collect(),
            residues: MODULI
                .iter()
                .map(|&modulus| Residues::new(law, modulus))
                .collect::<Result<_, _>>()?,
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

    /// What the outputs are like, by the bet that won most, these or those of the one-sided test. The law itself neither
    /// wins nor loses, and of so many guesses some one always wins a little by luck. So as long as the law is not refuted, one
    /// is told only if it has won 20 times the number of all guesses, which under the law has a probability of at most
    /// 1/20 (Ville, for each; and their sum).
    pub fn closest<'a>(
        &'a self,
        less_noise: impl Iterator<Item = &'a Bet>,
        is_refuted: bool,
    ) -> String {
        let ranges = |bet: &Learned| {
            format!(
                "other frequencies, as counted in {} ranges",
                bet.counts.len()
            )
        };
        let scaled = less_noise.chain(&self.more_noise).chain(&self.shifts);
        let scaled = scaled.map(|bet| (bet.wealth.log(), bet.says.clone()));
        let learned = self
            .learned
            .iter()
            .map(|bet| (bet.wealth.log(), ranges(bet)));
        let residues = self.residues.iter();
        let residues = residues.map(|bet| (bet.learned.wealth.log(), bet.says()));
        let guesses: Vec<(f64, String)> = scaled.chain(learned).chain(residues).collect();
        let least = match is_refuted {
            true => 0.0,
            false => (20.0 * guesses.len() as f64).ln(),
        };
        let best = guesses.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((wealth, says)) if wealth > least => says,
            _ => "the law itself".to_owned(),
        }
    }

    pub fn farthest(&self, cells: &Cells) -> Option<CellCount> {
        let calls: u64 = self.counts.iter().sum();
        let all = calls as f64;
        let deviation = |cell: usize| {
            let p = cells.up[cell].min(1.0);
            (self.counts[cell] as f64 - all * p).abs() / (all * p * (1.0 - p) + 1.0).sqrt()
        };
        let cell = (0..cells.count()).max_by(|&a, &b| deviation(a).total_cmp(&deviation(b)))?;
        Some(CellCount {
            from: cell
                .checked_sub(1)
                .and_then(|before| cells.edges.get(before))
                .map(|edge| edge + 1),
            to: cells.edges.get(cell).cloned(),
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

    /// How many of 200 runs of 600 calls on noise of the law itself reach the wealth 20. `peek` is done before the
    /// bets, which may not know the output.
    fn alarms(cells: &Cells, peek: impl Fn(&mut LawTest, usize)) -> usize {
        let law = "discrete-laplace scale=2".parse::<NamedLaw>().unwrap();
        let run = |seed: &u64| {
            let mut coins = ChaCha::reproducible(*seed, 3);
            let mut test = LawTest::new(&law, cells).unwrap();
            let mut noise = NoiseTest::new(&law, cells).unwrap();
            (0..600).any(|_| {
                let value = law.draw(&mut coins).unwrap();
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
        let law = "discrete-laplace scale=2".parse::<NamedLaw>().unwrap();
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
