//! Algorithm 3 as printed. **Not private** with its literal exponent.

use crate::coins::{Coins, Promise, Stage};
use crate::geometry::Point;
use crate::kernels::{AnswerGrid, Expansion, KernelError, KernelOn, Predictor, Sensitivity};
use crate::law::Noise;
use crate::number::rational::integer;
use crate::number::{Enclosure, NumberError, Rational};
use crate::privacy::Budget;
use crate::sample::{DiscreteLaplace, ScoredChoice};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// What Algorithm 3 is run with.
#[derive(Debug, Clone)]
pub struct Algorithm3 {
    /// `L`.
    pub lipschitz: Rational,
    /// `lambda`.
    pub penalty: Rational,
    /// `n`.
    pub records: u64,
    /// `R^2`.
    pub squared_bound: Rational,
    /// The budget.
    pub budget: Budget,
    /// `beta`.
    pub failure: Rational,
    /// The exponent of line 5.
    pub exponent: Exponent,
}

/// What is multiplied by `|<phi(z), w_t - w*>|` in the exponent of line 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exponent {
    /// `eps_0 n lambda/(8 L R^2)`, with the `eps_0` of line 1.
    Literal,
    /// `eps_0/4`: the same if `eps_0` in the exponent is the loss `eps_0 S` of a draw of noise.
    Repaired,
}

/// What a run releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Released {
    /// `w_B`, as line 14 says: the update of the last round is not in it.
    pub last: Expansion,
    /// How many rounds were updates.
    pub updates: u64,
    /// Whether the last one was.
    pub last_is_update: bool,
    /// The answers of lines 8 and 10, in steps of a sixteenth of `S`, rounded.
    pub answers: Vec<BigInt>,
}
crate::published!(Released {
    last,
    updates,
    last_is_update,
    answers
});

const BITS: u32 = 128;
const STEPS_TO_A_SENSITIVITY: u64 = 16;

impl Algorithm3 {
    /// Line 1: `B = n epsilon/(100 L R ln(4/delta))`, real, and rounded down.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn bound_on_updates(&self) -> Result<Rational, NumberError> {
        let records = integer(self.records) * self.budget.epsilon();
        let divisor = Enclosure::of(&(&self.lipschitz * integer(100)), BITS)
            * Enclosure::of(&self.squared_bound, BITS).sqrt()?
            * self.logarithm()?;
        let bound = Enclosure::of(&records, BITS).divided_by(&divisor)?;
        Ok(bound.with_bits(64).lower())
    }

    /// Line 1: `eps_0 = n epsilon lambda/(10 L R^2 sqrt(B) ln(4/delta))`, rounded down.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn noise_rate(&self) -> Result<Rational, NumberError> {
        let records = integer(self.records) * self.budget.epsilon() * &self.penalty;
        let slope = &self.lipschitz * &self.squared_bound * integer(10);
        let divisor = Enclosure::of(&slope, BITS)
            * Enclosure::of(&self.bound_on_updates()?, BITS).sqrt()?
            * self.logarithm()?;
        let rate = Enclosure::of(&records, BITS).divided_by(&divisor)?;
        Ok(rate.with_bits(64).lower())
    }

    /// Line 1: `sigma = (4/eps_0) ln(2B/beta)`, rounded down.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn threshold(&self) -> Result<Rational, NumberError> {
        let choices = self.bound_on_updates()? * integer(2) / &self.failure;
        let logarithm = Enclosure::of(&choices, BITS).ln()?;
        let factor = integer(4) / self.noise_rate()?;
        Ok((Enclosure::of(&factor, BITS) * logarithm)
            .with_bits(64)
            .lower())
    }

    /// Line 1: `eta = sigma/(4 R^2)`.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn step_size(&self) -> Result<Rational, NumberError> {
        Ok(self.threshold()? / (&self.squared_bound * integer(4)))
    }

    /// Line 1: `nu = d R/(eps_0 n L_phi)`, rounded down.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn net_radius(
        &self,
        dimension: u64,
        of_features: &Rational,
    ) -> Result<Rational, NumberError> {
        let root = Enclosure::of(&self.squared_bound, BITS).sqrt()?;
        let divisor = self.noise_rate()? * integer(self.records) * of_features;
        let radius = root * Enclosure::of(&(integer(dimension) / divisor), BITS);
        Ok(radius.with_bits(64).lower())
    }

    /// `ln(4/delta)`.
    fn logarithm(&self) -> Result<Enclosure, NumberError> {
        Enclosure::of(&(integer(4) / self.budget.delta()), BITS).ln()
    }

    /// `S = 2 L R^2/(lambda n)`.
    #[must_use]
    pub fn sensitivity(&self) -> Rational {
        &self.lipschitz * &self.squared_bound * integer(2) / (&self.penalty * integer(self.records))
    }

    /// The grid of the code: a sixteenth of `S`.
    ///
    /// # Errors
    /// None.
    pub fn grid(&self) -> Result<AnswerGrid, KernelError> {
        let sensitivity = Sensitivity {
            exact: self.sensitivity(),
            solver: integer(0),
            evaluation: integer(0),
            squared_bound: self.squared_bound.clone(),
        };
        AnswerGrid::new(&sensitivity, STEPS_TO_A_SENSITIVITY)
    }

    /// Line 5: the law of `z`, for what is left of the predictions of `w*` at the points of the net.
    ///
    /// # Errors
    /// Those of the real functions and of [`ScoredChoice::new`].
    pub fn choice(&self, rest: &[Rational]) -> Result<ScoredChoice, KernelError> {
        let grid = self.grid()?;
        let rate = self.noise_rate()?;
        let exponent = match self.exponent {
            // eps_0 n lambda/(8 L R^2) = eps_0/(4 S)
            Exponent::Literal => rate / (self.sensitivity() * integer(4)),
            Exponent::Repaired => rate / integer(4),
        };
        let score = |rest: &Rational| grid.round(rest).magnitude().to_u32().unwrap_or(u32::MAX);
        let scores: Vec<u32> = rest.iter().map(score).collect();
        let largest = scores.iter().copied().max().unwrap_or(0);
        let missing = scores.iter().map(|score| largest - score).collect();
        // The law of `ScoredChoice` has half of its parameter in the exponent.
        Ok(ScoredChoice::new(
            missing,
            &(exponent * grid.step() * integer(2)),
        )?)
    }

    /// `Lap(1/(2 eps_0))`, in steps of the grid.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn noise(&self) -> Result<DiscreteLaplace, KernelError> {
        let rate = self.noise_rate()? * integer(2) * self.grid()?.step();
        Ok(DiscreteLaplace::new(rate.recip())?)
    }

    /// Lines 2 to 14.
    ///
    /// # Errors
    /// Those of the real functions and of the coins.
    pub fn learn(
        &self,
        w: &impl Predictor,
        kernel: &KernelOn,
        net: &[Point],
        coins: &mut impl Coins,
    ) -> Result<Released, KernelError> {
        let (grid, noise) = (self.grid()?, self.noise()?);
        let threshold = (self.threshold()? / grid.step()).floor().to_integer();
        let rounds = self
            .bound_on_updates()?
            .to_integer()
            .to_u64()
            .unwrap_or(u64::MAX);
        // What a draw of noise costs: 2 eps_0 S.
        let each = Promise::Pure(self.noise_rate()? * self.sensitivity() * integer(2));
        let draws = rounds.saturating_mul(3);
        coins.stage(&Stage::up_to(
            "the rounds",
            draws,
            each,
            self.budget.promise(),
        ));
        // 2. w_1 = 0.
        let mut model = Expansion::new(kernel.clone(), self.step_size()?);
        let mut released = Released {
            last: model.clone(),
            updates: 0,
            last_is_update: false,
            answers: Vec::new(),
        };
        // 4. For t = 1, ..., B:
        for _ in 0..rounds {
            released.last = model.clone();
            let left: Vec<Rational> = net
                .iter()
                .map(|z| w.prediction(z) - model.prediction(z))
                .collect();
            // 5. z of the net.
            let place = coins.draw(&self.choice(&left)?)?;
            let z = &net[place];
            // 6. d = <w* - w_t, phi(z)> + Lap(1/(2 eps_0))
            let d = coins.draw(&noise.around(grid.round(&left[place])))?;
            released.last_is_update = d.magnitude() > threshold.magnitude();
            if released.last_is_update {
                // 8. alpha = eta sign(d); the answer <w*, phi(z)> with fresh noise.
                model.step(z, d.is_positive());
                released.updates += 1;
                let answer = coins.draw(&noise.around(grid.round(&w.prediction(z))))?;
                released.answers.push(answer);
            } else {
                // 10. The answer of the model.
                released.answers.push(grid.round(&model.prediction(z)));
            }
        }
        // 14. w_B
        Ok(released)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};
    use crate::privacy::NeighbouringRelation::Substitute;

    #[test]
    fn line_1_has_the_values_of_another_program() {
        let printed = Algorithm3 {
            lipschitz: integer(2),
            penalty: ratio(1, 4),
            records: 1_000_000,
            squared_bound: integer(9),
            budget: Budget::approximate(ratio(1, 2), ratio(1, 1_000_000), Substitute).unwrap(),
            failure: ratio(1, 20),
            exponent: Exponent::Repaired,
        };
        let near = |found: Rational, value: &str| {
            let known = parse(value).unwrap();
            let apart = (&found - &known) / known;
            assert!(apart < ratio(1, 1000) && apart > ratio(-1, 1000), "{found}");
        };
        near(printed.bound_on_updates().unwrap(), "54.81805");
        near(printed.noise_rate().unwrap(), "6.169934");
        near(printed.threshold().unwrap(), "4.987346");
        near(printed.step_size().unwrap(), "0.1385374");
        near(printed.net_radius(5, &integer(7)).unwrap(), "3.473063e-7");
    }
}
