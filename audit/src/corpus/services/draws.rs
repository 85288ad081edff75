//! What a session draws: by coins, or every outcome one after the other, which gives the law of what the same code answers.

use super::super::choice::RandomisedResponse;
use crate::specimen::Noise;
use crate::targets::{Output, TargetError};
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::ratio;
use std::collections::BTreeMap;

/// Values up to this are summed over: of noise of scale 2, all but 1e-9.
const REACH: i64 = 45;

/// What can be drawn.
pub trait Draws {
    /// A bit, told by randomised response with so many quarters of epsilon.
    fn tells(&mut self, bit: bool, quarters: u32) -> Result<bool, TargetError>;

    /// The centre with noise.
    fn noisy(&mut self, centre: i64, noise: &Noise) -> Result<i64, TargetError>;

    /// Whether the centre with noise is at least the threshold: the noise itself is not asked for.
    fn reaches(&mut self, centre: i64, noise: &Noise, threshold: i64) -> Result<bool, TargetError>;
}

fn response(quarters: u32) -> RandomisedResponse {
    RandomisedResponse {
        epsilon: ratio(quarters.into(), 4),
    }
}

/// By coins.
pub struct Tossed<'a>(pub &'a mut ChaCha);

impl Draws for Tossed<'_> {
    fn tells(&mut self, bit: bool, quarters: u32) -> Result<bool, TargetError> {
        response(quarters).answer(bit, self.0)
    }

    fn noisy(&mut self, centre: i64, noise: &Noise) -> Result<i64, TargetError> {
        Ok(centre + noise.draw(self.0)?)
    }

    fn reaches(&mut self, centre: i64, noise: &Noise, threshold: i64) -> Result<bool, TargetError> {
        Ok(self.noisy(centre, noise)? >= threshold)
    }
}

/// The law of what `run` answers: it is run with every outcome of what it draws.
pub fn law(
    run: impl Fn(&mut dyn Draws) -> Result<Output, TargetError>,
) -> Result<Vec<(Output, f64)>, TargetError> {
    let mut law: BTreeMap<Output, f64> = BTreeMap::new();
    let mut every = Every {
        path: Vec::new(),
        at: 0,
        mass: 1.0,
    };
    loop {
        let output = run(&mut every)?;
        *law.entry(output).or_default() += every.mass;
        if !every.goes_on() {
            return Ok(law.into_iter().collect());
        }
    }
}

/// One outcome after the other.
struct Every {
    /// Of each draw of this run its outcome, and how many it has.
    path: Vec<[usize; 2]>,
    /// The draws so far in this run.
    at: usize,
    /// The probability of the outcomes so far.
    mass: f64,
}

impl Every {
    /// The outcome that is next, of those with these probabilities.
    fn outcome(&mut self, masses: &[f64]) -> usize {
        if self.at == self.path.len() {
            self.path.push([0, masses.len()]);
        }
        let [outcome, _] = self.path[self.at];
        self.at += 1;
        self.mass *= masses[outcome];
        outcome
    }

    /// Whether there is a run that was not made.
    fn goes_on(&mut self) -> bool {
        (self.at, self.mass) = (0, 1.0);
        while let Some([outcome, outcomes]) = self.path.pop() {
            if outcome + 1 < outcomes {
                self.path.push([outcome + 1, outcomes]);
                return true;
            }
        }
        false
    }
}

impl Draws for Every {
    fn tells(&mut self, bit: bool, quarters: u32) -> Result<bool, TargetError> {
        let truth = response(quarters).truth();
        Ok((self.outcome(&[truth, 1.0 - truth]) == 0) == bit)
    }

    fn noisy(&mut self, centre: i64, noise: &Noise) -> Result<i64, TargetError> {
        // One range for all centres, so that neighbours have the same values.
        let masses: Vec<f64> = (-REACH..=REACH).map(|k| noise.pmf(k - centre)).collect();
        Ok(self.outcome(&masses) as i64 - REACH)
    }

    fn reaches(&mut self, centre: i64, noise: &Noise, threshold: i64) -> Result<bool, TargetError> {
        // 1 - F is computed as the F of the other tail.
        let masses = [
            noise.cdf(centre - threshold),
            noise.cdf(threshold - 1 - centre),
        ];
        Ok(self.outcome(&masses) == 0)
    }
}
