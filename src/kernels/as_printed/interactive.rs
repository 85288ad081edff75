//! Algorithm 1 (PINP) as printed: lines 1 and 2. The loop is that of [`Session`](crate::kernels::noisy_answers::Session).

use crate::kernels::bounds::noisy_answers::printed_loss;
use crate::kernels::noisy_answers::Plan;
use crate::kernels::{AnswerGrid, KernelError, KernelOn, Sensitivity};
use crate::number::chosen::overridden;
use crate::number::range::{OutOfRange, above_zero, above_zero_below_one, at_least_one};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use crate::privacy::Budget;
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

const BITS: u32 = 128;

/// What Algorithm 1 is given.
#[derive(Debug, Clone)]
pub struct Printed {
    /// (epsilon, delta), under substitution; `delta > 0`.
    pub budget: Budget,
    /// `T`, the number of queries.
    pub queries: u64,
    /// `beta`.
    pub failure: Rational,
    /// `C`, a public bound on `|w*|`.
    pub norm_bound: Rational,
    /// `L`, the Lipschitz constant of the loss.
    pub lipschitz: Rational,
    /// How many steps of the grid of answers make the sensitivity: the noise is discrete.
    pub steps: u64,
}

impl Printed {
    /// Line 1, a real number: `B = n lambda epsilon C^2/(200 L R sqrt(2 ln(2T/beta)) ln(4/delta))`, rounded to 64 bits
    /// upwards, by `n lambda = 2 L R^2/S`.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `T >= 1`, `0 < beta, delta < 1` and `C, L > 0`; those of the real functions.
    pub fn updates(&self, sensitivity: &Sensitivity) -> Result<Rational, KernelError> {
        above_zero("the norm bound", &self.norm_bound)?;
        above_zero("the Lipschitz constant", &self.lipschitz)?;
        above_zero_below_one("delta", self.budget.delta())?;
        let squared = &sensitivity.squared_bound;
        let records = &self.lipschitz * squared * BigInt::from(2) / &sensitivity.exact;
        let numerator = records * self.budget.epsilon() * &self.norm_bound * &self.norm_bound;
        let root = self.logarithm()?.shifted(1).sqrt()?;
        let four = Enclosure::of(&(integer(4) / self.budget.delta()), BITS).ln()?;
        let constant = &self.lipschitz * BigInt::from(200);
        let radius = Enclosure::of(squared, BITS).sqrt()?;
        let divisor = Enclosure::of(&constant, BITS) * radius * root * four;
        let found = Enclosure::of(&numerator, BITS).divided_by(&divisor)?;
        Ok(found.with_bits(64).upper())
    }

    /// In the place of line 1 a number of updates with which the loop does not end early: the least integer above
    /// `sqrt(16/5) C R/sigma_1` (`jt13.thm3.corrected`).
    ///
    /// # Errors
    /// Those of [`Self::updates`]; [`KernelError::Parameter`] for one above 2^63.
    pub fn updates_enough(&self, sensitivity: &Sensitivity) -> Result<u64, KernelError> {
        let least = self.largest_spread(sensitivity)?;
        let least = least.divided_by(&self.threshold_of_one(sensitivity)?)?;
        let enough: BigInt = least.upper().floor().to_integer() + 1;
        let found = enough.to_u64().filter(|found| *found <= 1 << 63);
        let expected = "at most 2^63: take more records or a smaller norm bound";
        let refused = || OutOfRange::new("the number of updates", &enough, expected);
        Ok(found.ok_or_else(refused)?)
    }

    /// Theorem 3 with a constant, for [`Self::updates_enough`] updates: `(5/4) sqrt(sigma_1 (sigma_1 + sqrt(16/5) C R))`.
    ///
    /// # Errors
    /// Those of [`Self::updates`].
    pub fn error_repaired(&self, sensitivity: &Sensitivity) -> Result<Enclosure, KernelError> {
        let one = self.threshold_of_one(sensitivity)?;
        let both = &one + self.largest_spread(sensitivity)?;
        Ok((one * both).sqrt()? * Enclosure::of(&ratio(5, 4), BITS))
    }

    /// What Theorem 3 prints in `O(.)`: `C R^2 sqrt(L ln(T/beta)) ln^2(1/delta)/sqrt(n epsilon lambda)`, by
    /// `n lambda = 2 L R^2/S`.
    ///
    /// # Errors
    /// Those of [`Self::updates`].
    pub fn printed_order(&self, sensitivity: &Sensitivity) -> Result<Enclosure, KernelError> {
        let queries = integer(self.queries) / &self.failure;
        let logarithm = Enclosure::of(&queries, BITS).ln()?;
        let inverse = Enclosure::of(self.budget.delta(), BITS).ln()?;
        let (squared, epsilon) = (&sensitivity.squared_bound, self.budget.epsilon());
        let spread = &sensitivity.exact * squared / (epsilon * BigInt::from(2));
        let root = (Enclosure::of(&spread, BITS) * logarithm).sqrt()?;
        Ok(Enclosure::of(&self.norm_bound, BITS) * root * inverse.squared())
    }

    /// `sigma_1`, sigma of line 2 at `B = 1`.
    ///
    /// # Errors
    /// Those of [`Self::updates`].
    pub fn threshold_of_one(&self, sensitivity: &Sensitivity) -> Result<Enclosure, KernelError> {
        let loss = printed_loss(&Rational::one(), &self.budget)?;
        let scale = sensitivity.predictions() / loss;
        Ok(self.logarithm()?.shifted(2) * Enclosure::of(&scale, BITS))
    }

    /// `sqrt(16/5) C R`.
    fn largest_spread(&self, sensitivity: &Sensitivity) -> Result<Enclosure, KernelError> {
        above_zero("the norm bound", &self.norm_bound)?;
        let squared = &self.norm_bound * &self.norm_bound * &sensitivity.squared_bound;
        Ok(Enclosure::of(&(squared * ratio(16, 5)), BITS).sqrt()?)
    }

    /// `ln(2T/beta)`
    fn logarithm(&self) -> Result<Enclosure, KernelError> {
        at_least_one("the number of queries", self.queries)?;
        above_zero_below_one("beta", &self.failure)?;
        Ok(Enclosure::of(&(integer(self.queries) * integer(2) / &self.failure), BITS).ln()?)
    }

    /// Lines 1 and 2 as printed, with a real `B`. The loop runs while the counter is below `B`: it makes `ceil(B)` updates
    /// at most. **Not private** for `B` far below 1 (`jt13.thm2`).
    ///
    /// # Errors
    /// Those of [`Self::updates`].
    pub fn plan_not_private(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Plan, KernelError> {
        let updates = self.updates(sensitivity)?;
        self.with_updates(&updates, sensitivity, kernel)
    }

    /// The same with `B` rounded up to an integer, so at least 1, before line 2: private (`jt13.thm2.corrected`).
    ///
    /// # Errors
    /// Those of [`Self::plan_not_private`].
    pub fn plan_rounded_up(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Plan, KernelError> {
        let updates = self.updates(sensitivity)?.ceil();
        self.with_updates(&updates, sensitivity, kernel)
    }

    /// The same with [`Self::updates_enough`] in the place of line 1: private, and no query stays unanswered but with
    /// probability `beta` (`jt13.thm3.corrected`).
    ///
    /// # Errors
    /// Those of [`Self::updates_enough`].
    pub fn plan_repaired(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Plan, KernelError> {
        let updates = integer(self.updates_enough(sensitivity)?);
        self.with_updates(&updates, sensitivity, kernel)
    }

    fn with_updates(
        &self,
        updates: &Rational,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
    ) -> Result<Plan, KernelError> {
        // 2. eps_0, by the loss of a round s = S eps_0; sigma = (4/eps_0) ln(2T/beta).
        let loss = printed_loss(updates, &self.budget)?;
        let grid = AnswerGrid::new(sensitivity, self.steps)?;
        let scale = integer(grid.per_sensitivity()) / &loss;
        let in_steps = self.logarithm()? * Enclosure::of(&scale, BITS);
        let threshold = in_steps.shifted(2).upper().ceil().to_integer();
        // eta = sigma/(4 R^2)
        let rate = grid.value(&threshold) / (kernel.squared_bound() * BigInt::from(4));
        let most = updates.ceil().to_integer().to_u64().unwrap_or(u64::MAX);
        // Theorem 10: within 5 sigma/4, if no draw of noise is beyond sigma/4; and rounding to the grid, and evaluation.
        let evaluated =
            (sensitivity.predictions() - &sensitivity.exact + grid.step()) / BigInt::from(2);
        let error = grid.value(&threshold) * ratio(5, 4) + evaluated;
        let trivial = &self.norm_bound * &self.norm_bound * kernel.squared_bound();
        Ok(Plan {
            kernel: kernel.clone(),
            budget: self.budget.clone(),
            queries: self.queries,
            noise: DiscreteLaplace::new(scale)?,
            loss,
            updates: overridden(most.max(1)),
            noise_within: &threshold / BigInt::from(4),
            threshold,
            rate,
            vacuous: &error * &error >= trivial,
            error,
            grid,
        })
    }
}
