//! The second test: is there too little noise?

use super::TailCount;
use super::cells::{Cdf, Cells, certified};
use super::guess::Guess;
use super::wealth::{log_mean, multiplied};
use crate::driver::AuditError;
use crate::named_law::NamedLaw;
use dp_assay::number::rational::to_f64_for_display;
use num_bigint::BigInt;
use num_traits::Signed;

/// The parts of a tail's probability that are bet on, in hundredths.
const PARTS: [f64; 6] = [0.05, 0.3, 0.6, 0.8, 0.9, 0.96];
/// The rarest tail that is looked at.
const RAREST: f64 = 1e-5;

/// The event that the magnitude is at least a threshold.
struct Tail {
    threshold: BigInt,
    /// Its probability under the law, rounded down.
    least: f64,
    /// For each part, the logarithms for a hit and for a miss, and the wealth.
    bets: Vec<[f64; 3]>,
    count: u64,
}

/// The second test.
pub struct NoiseTest {
    tails: Vec<Tail>,
    calls: u64,
}

impl NoiseTest {
    pub fn new(law: &NamedLaw, cells: &Cells) -> Result<Self, AuditError> {
        let (cdf, guess) = (Cdf::of(law), Guess::of(law));
        let mut thresholds = vec![BigInt::from(1)];
        for mass in [0.6, 0.75, 0.9, 0.97, 0.999] {
            thresholds.push(guess.quantile(mass) + 1);
        }
        thresholds.extend(cells.edges.last().map(|edge| edge + 1));
        thresholds.retain(Signed::is_positive);
        thresholds.sort();
        thresholds.dedup();
        let mut tails = Vec::new();
        for threshold in thresholds {
            let probability = certified(|bits| {
                let inside = cdf.at(&(&threshold - 1), bits)? - cdf.at(&-&threshold, bits)?;
                Ok(inside.complement())
            })?;
            let least = to_f64_for_display(&probability.lower()) * (1.0 - 1e-12);
            if !(RAREST..=1.0 - RAREST).contains(&least) {
                continue;
            }
            let bets = PARTS.iter().map(|part| {
                let q = part * least;
                [(q / least).ln(), ((1.0 - q) / (1.0 - least)).ln(), 0.0]
            });
            tails.push(Tail {
                threshold,
                least,
                bets: bets.collect(),
                count: 0,
            });
        }
        Ok(Self { tails, calls: 0 })
    }

    pub fn update(&mut self, value: &BigInt) {
        self.calls += 1;
        for tail in &mut self.tails {
            let hit = value.magnitude() >= tail.threshold.magnitude();
            tail.count += u64::from(hit);
            for [on_hit, on_miss, wealth] in &mut tail.bets {
                *wealth = multiplied(*wealth, if hit { *on_hit } else { *on_miss });
            }
        }
    }

    pub fn log(&self) -> f64 {
        let tails = self.tails.iter();
        log_mean(tails.flat_map(|tail| tail.bets.iter().map(|bet| bet[2])))
    }

    pub fn best(&self) -> Option<TailCount> {
        let wealth = |tail: &Tail| log_mean(tail.bets.iter().map(|bet| bet[2]));
        self.tails
            .iter()
            .max_by(|a, b| wealth(a).total_cmp(&wealth(b)))
            .map(|tail| TailCount {
                threshold: tail.threshold.clone(),
                expected: tail.least * self.calls as f64,
                count: tail.count,
            })
    }
}
