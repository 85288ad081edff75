//! The first test: bets against the law, on ranges and on residue classes.

use super::CellCount;
use super::cells::{Cells, TAIL_EDGES, certified, rounded_up};
use super::guess::Guess;
use super::wealth::{log_mean, multiplied};
use crate::driver::AuditError;
use crate::named_law::{LawError, NamedLaw};
use dp_assay::number::NumberError;
use dp_assay::number::rational::ratio;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

/// A bet that is made once.
struct Fixed {
    says: String,
    factors: Vec<f64>,
    wealth: f64,
}

impl Fixed {
    fn new(says: String, weights: &[f64], up: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let factors = weights.iter().zip(up).map(|(q, p)| (q / total / p).ln());
        Self {
            says,
            factors: factors.collect(),
            wealth: 0.0,
        }
    }
}

/// A bet on the frequencies seen so far, in groups of neighbouring cells.
struct Learned {
    group: Vec<usize>,
    up: Vec<f64>,
    /// Counts, and what is added to them for a start: the law itself, so that they are never 0.
    counts: Vec<f64>,
    total: f64,
    wealth: f64,
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
            wealth: 0.0,
        }
    }

    fn update(&mut self, cell: usize) {
        let group = self.group[cell];
        let factor = self.counts[group] / self.total / self.up[group];
        self.wealth = multiplied(self.wealth, factor.ln());
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

/// The scales that are bet on, in hundredths.
const SCALES: [i64; 14] = [
    25, 50, 67, 80, 90, 95, 98, 102, 105, 110, 125, 150, 200, 400,
];
/// The groups that frequencies are learned in.
const GROUPS: [usize; 4] = [3, 6, 16, 1000];

/// The first test.
pub struct LawTest {
    fixed: Vec<Fixed>,
    learned: Vec<Learned>,
    residues: Vec<Residues>,
    counts: Vec<u64>,
}

impl LawTest {
    pub fn new(law: &NamedLaw, cells: &Cells) -> Result<Self, AuditError> {
        let zero = BigInt::from(0);
        let up = &cells.up;
        let mut fixed = Vec::new();
        for percent in SCALES {
            let factor = ratio(percent, 100);
            let scaled = law.scaled(&factor).map_err(|error| match error {
                LawError::Number(error) => AuditError::Number(error),
                LawError::Parameter(error) => AuditError::Coins(error),
                LawError::Name(value) => AuditError::Question {
                    field: "the law",
                    expected: crate::named_law::NAMES,
                    value,
                },
            })?;
            fixed.push(Fixed::new(
                format!("the law {scaled}, with {factor} times the noise"),
                &cells.guess(&scaled, &zero),
                up,
            ));
        }
        // Shifts of one, and of parts of the distance from the middle to the quarter.
        let guess = Guess::of(law);
        let quarter = guess.quantile(0.75) - guess.quantile(0.5);
        let mut shifts: Vec<BigInt> = [1, 4, 16].map(|part| &quarter / part).into();
        shifts.push(1.into());
        shifts.retain(Signed::is_positive);
        shifts.sort();
        shifts.dedup();
        for shift in shifts.iter().flat_map(|shift| [-shift, shift.clone()]) {
            fixed.push(Fixed::new(
                format!("the law shifted by {shift}"),
                &cells.guess(law, &shift),
                up,
            ));
        }
        for cut in 1..=TAIL_EDGES + 1 {
            let last = cells.count().saturating_sub(cut);
            let first = if law.is_symmetric() { cut } else { 0 };
            if first >= last {
                break;
            }
            let weights: Vec<f64> = up
                .iter()
                .enumerate()
                .map(|(cell, p)| {
                    if (first..last).contains(&cell) {
                        *p
                    } else {
                        0.0
                    }
                })
                .collect();
            fixed.push(Fixed::new(
                format!(
                    "the law without what is beyond {}",
                    cells.edges.get(last - 1).unwrap_or(&zero)
                ),
                &weights,
                up,
            ));
        }
        Ok(Self {
            fixed,
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
        for bet in &mut self.residues {
            bet.update(value);
        }
        for bet in &mut self.fixed {
            bet.wealth = multiplied(bet.wealth, bet.factors[cell]);
        }
        for bet in &mut self.learned {
            bet.update(cell);
        }
    }

    pub fn log(&self) -> f64 {
        let fixed = self.fixed.iter().map(|bet| bet.wealth);
        let learned = self.learned.iter().map(|bet| bet.wealth);
        let residues = self.residues.iter().map(|bet| bet.learned.wealth);
        log_mean(fixed.chain(learned).chain(residues))
    }

    pub fn closest(&self) -> String {
        // The law itself neither wins nor loses.
        let mut best = (0.0, "the law itself".to_owned());
        for bet in &self.fixed {
            if bet.wealth > best.0 {
                best = (bet.wealth, bet.says.clone());
            }
        }
        for bet in &self.learned {
            if bet.wealth > best.0 {
                let says = format!(
                    "other frequencies, as counted in {} ranges",
                    bet.counts.len()
                );
                best = (bet.wealth, says);
            }
        }
        for bet in &self.residues {
            if bet.learned.wealth > best.0 {
                best = (bet.learned.wealth, bet.says());
            }
        }
        best.1
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
