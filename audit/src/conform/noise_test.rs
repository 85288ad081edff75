//! The one-sided test: is there too little noise? By bets that never rise with the magnitude.

use super::TailCount;
use super::bet::Bet;
use super::cells::{Cells, TAIL_EDGES};
use super::placed::Placed;
use super::scales;
use crate::refute::AuditError;
use dp_assay::stats::Wealth;
use num_bigint::BigInt;
use num_traits::Signed;

/// The shares of the wealth at the start.
const SCALES_SHARE: f64 = 0.46;
const CUTS_SHARE: f64 = 0.32;
const THRESHOLDS_SHARE: f64 = 0.22;

/// The thresholds that are bet on: the first that the magnitude reaches with at most these probabilities.
const MASSES: [f64; 6] = [1.0, 0.8, 0.5, 0.2, 0.06, 0.002];
/// The rarest tail, or inside, of such a bet.
const RAREST: f64 = 1e-5;
/// The parts of the probability of reaching a threshold that are bet on.
const PARTS: [f64; 4] = [0.3, 0.6, 0.8, 0.92];

/// The one-sided test.
pub struct NoiseTest {
    /// Ranges of the magnitude.
    cells: Cells,
    counts: Vec<u64>,
    /// On less noise of the same kind.
    scales: Vec<Bet>,
    /// On noise without its tails, each from the first of these cells on.
    cuts: Vec<(usize, Bet)>,
    /// On fewer magnitudes from the first of these cells on.
    thresholds: Vec<(usize, Bet)>,
}

/// A bet whose factors never rise from cell to cell, whatever the proportions were.
fn non_increasing(mut proportions: Vec<f64>, up: &[f64]) -> Bet {
    let mut least = f64::INFINITY;
    for proportion in &mut proportions {
        least = least.min(*proportion);
        *proportion = least;
    }
    Bet::new(&proportions, up)
}

impl NoiseTest {
    pub fn new(law: &Placed, cells: &Cells) -> Result<Self, AuditError> {
        let cells = cells.of_magnitudes(law)?;
        let up = &cells.up;
        let mut bets = Vec::new();
        for (_, scaled) in scales::less(law)? {
            bets.push(non_increasing(
                cells.ratios(law, &scaled, &BigInt::ZERO),
                up,
            ));
        }
        let inside = |first: usize, beyond: f64| -> Vec<f64> {
            let cells = 0..cells.count();
            cells
                .map(|cell| if cell < first { 1.0 } else { beyond })
                .collect()
        };
        let mut cuts = Vec::new();
        for first in (1..cells.count()).rev().take(TAIL_EDGES + 1) {
            cuts.push((first, non_increasing(inside(first, 0.0), up)));
        }
        let all: f64 = up.iter().sum();
        // The probability of being in these cells or beyond, roughly.
        let tail = |first: usize| up[first..].iter().sum::<f64>() / all;
        let mut firsts: Vec<usize> = MASSES
            .iter()
            .filter_map(|&mass| (1..cells.count()).find(|&first| tail(first) <= mass))
            .collect();
        firsts.dedup();
        firsts.retain(|&first| (RAREST..=1.0 - RAREST).contains(&tail(first)));
        let mut thresholds = Vec::new();
        for first in firsts {
            let mass = tail(first);
            for part in PARTS {
                let beyond = part * (1.0 - mass) / (1.0 - part * mass);
                thresholds.push((first, non_increasing(inside(first, beyond), up)));
            }
        }
        Ok(Self {
            counts: vec![0; cells.count()],
            scales: bets,
            cuts,
            thresholds,
            cells,
        })
    }

    /// Bets on an output.
    pub fn update(&mut self, value: &BigInt) {
        let cell = self.cells.index(&value.abs());
        self.counts[cell] += 1;
        let tails = self.cuts.iter_mut().chain(&mut self.thresholds);
        for bet in tails.map(|(_, bet)| bet).chain(&mut self.scales) {
            bet.update(cell);
        }
    }

    /// The wealth of all its bets.
    pub fn wealth(&self) -> Wealth {
        let of = |tails: &[(usize, Bet)]| Wealth::mean(tails.iter().map(|(_, bet)| bet.wealth));
        let shares = [
            (SCALES_SHARE, scales::wealth(&self.scales)),
            (CUTS_SHARE, of(&self.cuts)),
            (THRESHOLDS_SHARE, of(&self.thresholds)),
        ];
        Wealth::together(shares.into_iter())
    }

    #[cfg(test)]
    pub fn bets(&self) -> impl Iterator<Item = &Bet> {
        let tails = self.cuts.iter().chain(&self.thresholds);
        self.scales.iter().chain(tails.map(|(_, bet)| bet))
    }

    /// The threshold of the bet on a tail that won most.
    pub fn best(&self, law: &Placed) -> Option<TailCount> {
        let calls: u64 = self.counts.iter().sum();
        self.thresholds
            .iter()
            .chain(&self.cuts)
            .max_by(|(_, a), (_, b)| a.wealth.log().total_cmp(&b.wealth.log()))
            .map(|&(first, _)| TailCount {
                threshold: law.threshold(&(&self.cells.edges[first - 1] + 1)),
                expected: self.cells.up[first..].iter().sum::<f64>() * calls as f64,
                count: self.counts[first..].iter().sum(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio, to_f64_for_display};

    const LAWS: [&str; 13] = [
        "discrete-laplace scale=2",
        "discrete-laplace scale=1/1000",
        "discrete-laplace scale=1000000000000000000000000",
        "discrete-gaussian variance=1/2",
        "discrete-gaussian variance=1",
        "discrete-gaussian variance=1024",
        "geometric rate=1/3",
        "geometric rate=1000",
        "laplace scale=1 grid=1/100",
        "gaussian variance=4 grid=1 rounded=nearest",
        "laplace scale=2 grid=1/3 rounded=down",
        "gaussian variance=1/4 grid=1 rounded=toward-zero",
        "staircase epsilon=1 sensitivity=1 gamma=1/3 grid=1/4 rounded=toward-zero",
    ];

    /// Rounded noise around a centre that is no multiple of the grid.
    fn law(name: &str) -> Placed {
        let centre = if name.contains("rounded") {
            ratio(7, 5)
        } else {
            integer(0)
        };
        Placed::new(&name.parse().unwrap(), &centre).unwrap()
    }

    /// The mean factor, for these probabilities of the cells.
    fn mean(bet: &Bet, cells: &[f64]) -> f64 {
        bet.factors().zip(cells).map(|(factor, p)| factor * p).sum()
    }

    #[test]
    fn no_bet_rises_with_the_magnitude_or_wins_on_average() {
        for name in LAWS {
            let law = law(name);
            let test = NoiseTest::new(&law, &Cells::of(&law).unwrap()).unwrap();
            assert!(test.bets().count() >= 14, "{name}");
            let found = probabilities(&test.cells, &law);
            for bet in test.bets() {
                let factors: Vec<f64> = bet.factors().collect();
                assert!(factors.is_sorted_by(|a, b| a >= b), "{name}: {factors:?}");
                let mean = mean(bet, &found);
                assert!(mean < 1.0 + 1e-9, "{name}, {factors:?}: {mean}");
            }
        }
    }

    /// The cells of a law, with the probabilities of another.
    fn probabilities(cells: &Cells, other: &Placed) -> Vec<f64> {
        let up_to = |edge: &BigInt| {
            let inside = other.between(Some(&-edge), Some(edge)).unwrap();
            to_f64_for_display(&inside.upper())
        };
        let mut before = 0.0;
        let mut all = Vec::new();
        for cell in 0..cells.count() {
            let to = cells.edges.get(cell).map_or(1.0, up_to);
            all.push(to - before);
            before = to;
        }
        all
    }

    /// What the one-sided null needs, and what a bet on more noise, which rises, does not have.
    #[test]
    fn more_noise_wins_nothing_but_would_by_a_bet_that_rises() {
        for name in [
            "discrete-laplace scale=20",
            "discrete-gaussian variance=1024",
            "geometric rate=1/30",
            "laplace scale=1 grid=1/20",
            "gaussian variance=1024 grid=1 rounded=toward-zero",
            "staircase epsilon=1/2 sensitivity=1 gamma=1/3 grid=1/8 rounded=down",
        ] {
            let law = law(name);
            let test = NoiseTest::new(&law, &Cells::of(&law).unwrap()).unwrap();
            let more = law.scaled(&ratio(11, 10)).unwrap();
            let found = probabilities(&test.cells, &more);
            for bet in test.bets() {
                assert!(mean(bet, &found) < 1.0, "{name}");
            }
            let rises = test.cells.ratios(&law, &more, &BigInt::ZERO);
            let mutant = Bet::new(&rises, &test.cells.up);
            assert!(mean(&mutant, &found) > 1.005, "{name}");
            // The test makes it a constant, which wins nothing.
            let repaired = non_increasing(rises, &test.cells.up);
            assert!(mean(&repaired, &found) < 1.0 + 1e-9, "{name}");
        }
    }
}
