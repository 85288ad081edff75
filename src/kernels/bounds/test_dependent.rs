//! Theorems 4, 5, 12, 13 and Corollary 6 with explicit constants: what the targets of Algorithm 2 may cost, and the error.

use super::gaussian_process::everywhere;
use crate::kernels::KernelError;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require};
use crate::number::rational::integer;
use crate::number::{Enclosure, NumberError, Rational};
use crate::privacy::{Budget, PrivacyError};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

const BITS: u32 = 128;

/// `epsilon/sqrt(8 T ln(1/delta))`, rounded down: what one of `T` targets may cost (`jt13.thm4.corrected`). Its noise is
/// `nu = 4 sqrt(2) L R^2 sqrt(T ln(1/delta))/(lambda n epsilon)`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `points >= 1`, `0 < delta < 1` and `epsilon <= 2 ln(1/delta)`.
pub fn closed_loss(points: u64, budget: &Budget) -> Result<Rational, PrivacyError> {
    let logarithm = log_of_delta(budget)?;
    let right = *budget.epsilon() <= logarithm.lower() * BigInt::from(2);
    let expected = "at most 2 ln(1/delta)";
    require(right, "epsilon", budget.epsilon(), expected)?;
    loss(points, &integer(8), budget.epsilon(), &logarithm)
}

/// `2 epsilon/(c sqrt(T ln(1/delta)))`, rounded down: what a target costs if the `O` in line 1 of Algorithm 2 hides the
/// constant `c`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `points >= 1`, `c > 0` and `0 < delta < 1`.
pub fn printed_loss(
    points: u64,
    constant: &Rational,
    budget: &Budget,
) -> Result<Rational, PrivacyError> {
    above_zero("the constant", constant)?;
    let square = constant * constant / BigInt::from(4);
    loss(points, &square, budget.epsilon(), &log_of_delta(budget)?)
}

/// `ln(1/delta)`.
fn log_of_delta(budget: &Budget) -> Result<Enclosure, PrivacyError> {
    above_zero_below_one("delta", budget.delta())?;
    Ok(-Enclosure::of(budget.delta(), BITS).ln()?)
}

/// `epsilon/sqrt(factor T logarithm)`, rounded down.
fn loss(
    points: u64,
    factor: &Rational,
    epsilon: &Rational,
    logarithm: &Enclosure,
) -> Result<Rational, PrivacyError> {
    at_least_one("the number of public points", points)?;
    let square = Enclosure::of(&(factor * BigInt::from(points)), BITS) * logarithm;
    let loss = Enclosure::of(epsilon, BITS).divided_by(&square.sqrt()?)?;
    Ok(loss.with_bits(64).lower())
}

/// `C0 R (2 + sqrt(2 ln(1/beta)))/sqrt(T)`, rounded up (`jt13.thm12.corrected`): by so much the mean of
/// `|<w - w*, phi(z)>|` may exceed that over `T` independent points, for all `w` together, but with probability `beta`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `points >= 1` and `0 < beta < 1`.
pub fn deviation(
    norm_bound: &Rational,
    squared_bound: &Rational,
    points: u64,
    beta: &Rational,
) -> Result<Rational, PrivacyError> {
    at_least_one("the number of public points", points)?;
    let length = Enclosure::of(&(squared_bound / BigInt::from(points)), BITS).sqrt()?;
    let bound = Enclosure::of(norm_bound, BITS) * length * tail(beta)?;
    Ok(bound.with_bits(64).upper())
}

/// `2 + sqrt(2 ln(1/beta))`.
fn tail(beta: &Rational) -> Result<Enclosure, PrivacyError> {
    above_zero_below_one("beta", beta)?;
    let root = (-Enclosure::of(beta, BITS).ln()?).shifted(1).sqrt()?;
    Ok(Enclosure::integer(2, BITS) + root)
}

/// What Algorithm 2 is run with. All of it is public.
#[derive(Debug, Clone)]
pub struct Setting {
    /// `L`.
    pub lipschitz: Rational,
    /// `S'`, the sensitivity of a prediction.
    pub sensitivity: Rational,
    /// `R^2`.
    pub squared_bound: Rational,
    /// `C0`.
    pub norm_bound: Rational,
    /// The budget.
    pub budget: Budget,
    /// The probability of failure.
    pub beta: Rational,
}

impl Setting {
    /// `L (nu ln(2T/beta) + gamma + C0 R (2 + sqrt(2 ln(2/beta)))/sqrt(T))`, rounded up, for noise of scale `nu` on a grid of
    /// step `gamma` (`jt13.thm5.corrected`).
    ///
    /// # Errors
    /// Those of [`deviation`].
    pub fn excess(
        &self,
        points: u64,
        nu: &Rational,
        gamma: &Rational,
    ) -> Result<Rational, PrivacyError> {
        let half = &self.beta / BigInt::from(2);
        let spread = deviation(&self.norm_bound, &self.squared_bound, points, &half)?;
        let noise = Enclosure::of(nu, BITS) * self.logarithm(points)?;
        Ok(&self.lipschitz * (noise.with_bits(64).upper() + gamma + spread))
    }

    /// `L (tau R' (1 + sqrt(2 ln(2/beta))) + S'/512 + C0 rho + C0 R (2 + sqrt(2 ln(2/beta)))/sqrt(T))`, rounded up, with
    /// `R'^2 = (1 + 2^-9) R^2`: for Gaussian noise in the shape of the kernel, of variance `tau^2` in each coordinate, if no
    /// public point is farther than `rho` from what its target is a prediction for (`jt13.tddl.gaussian`).
    ///
    /// # Errors
    /// Those of [`deviation`] and [`everywhere`].
    pub fn gaussian_excess(
        &self,
        points: u64,
        variance: &Rational,
        squared_rest: &Rational,
    ) -> Result<Rational, KernelError> {
        let half = &self.beta / BigInt::from(2);
        let spread = deviation(&self.norm_bound, &self.squared_bound, points, &half)?;
        let squared = variance * &self.squared_bound * Rational::new(513.into(), 512.into());
        // The root of the mean square over the points: as if all noise were in one coordinate.
        let noise = everywhere(&squared, 1, &half)?;
        let rounding = &self.sensitivity / BigInt::from(512);
        let rest = &self.norm_bound * &self.norm_bound * squared_rest;
        let rest = Enclosure::of(&rest, BITS).sqrt()?.with_bits(64).upper();
        Ok(&self.lipschitz * (noise + rounding + rest + spread))
    }

    /// `ln(2T/beta)`.
    fn logarithm(&self, points: u64) -> Result<Enclosure, PrivacyError> {
        at_least_one("the number of public points", points)?;
        above_zero_below_one("beta", &self.beta)?;
        Ok(Enclosure::of(&(integer(points) * BigInt::from(2) / &self.beta), BITS).ln()?)
    }

    /// `p`: the noise of `T` targets makes an error of `p sqrt(T)`.
    fn price(&self, points: u64) -> Result<Enclosure, PrivacyError> {
        let root = log_of_delta(&self.budget)?.shifted(3).sqrt()?;
        let nu = Enclosure::of(&(&self.sensitivity / self.budget.epsilon()), BITS) * root;
        Ok(nu * self.logarithm(points)?)
    }

    /// `q`: too few points make an error of `q/sqrt(T)`.
    fn gain(&self) -> Result<Enclosure, PrivacyError> {
        let root = Enclosure::of(&self.squared_bound, BITS).sqrt()?;
        let half = &self.beta / BigInt::from(2);
        Ok(Enclosure::of(&self.norm_bound, BITS) * root * tail(&half)?)
    }

    /// About `q/p`, the number of points at which the two errors are equal: `Theta(C0 n epsilon lambda/(L R
    /// sqrt(ln(1/delta)) ln(T/beta)))`.
    ///
    /// # Errors
    /// Those of [`deviation`].
    pub fn points(&self) -> Result<u64, PrivacyError> {
        let gain = self.gain()?;
        let mut points = 1;
        // ln(2T/beta) changes little.
        for _ in 0..20 {
            let next = gain.divided_by(&self.price(points)?)?.upper();
            points = next
                .round()
                .to_integer()
                .to_u64()
                .unwrap_or(u64::MAX)
                .max(1);
        }
        Ok(points)
    }

    /// `2 sqrt(2) L sqrt(p q) + L gamma`, rounded up: the error with the closed noise and a number of points between half and
    /// twice `q/p`.
    ///
    /// # Errors
    /// Those of [`deviation`].
    pub fn balanced(&self, points: u64, gamma: &Rational) -> Result<Rational, PrivacyError> {
        let square = (self.price(points)? * self.gain()?).shifted(3);
        Ok(&self.lipschitz * (square.sqrt()?.with_bits(64).upper() + gamma))
    }
}

/// `K L^4 R^4 sqrt(ln(1/delta)) (2 + sqrt(2 ln(2/beta))) ln(2T/beta)/(lambda^2 epsilon error^2)` with `K = 97`, rounded up:
/// so many records suffice for the error, with `T` as in [`Setting::points`] (`jt13.cor6.corrected`).
///
/// # Errors
/// [`PrivacyError::Parameter`] for an error or a `lambda` that is not above 0; those of [`deviation`].
pub fn records(
    [lipschitz, squared_bound, penalty, error]: [&Rational; 4],
    budget: &Budget,
    beta: &Rational,
    points: u64,
) -> Result<BigInt, PrivacyError> {
    above_zero("the error", error)?;
    above_zero("the penalty", penalty)?;
    let slopes = lipschitz * lipschitz * squared_bound / (penalty * error);
    let outer = &slopes * &slopes * integer(97) / budget.epsilon();
    let half = beta / BigInt::from(2);
    let logarithm = Enclosure::of(&(integer(points) / &half), BITS).ln()?;
    let all =
        Enclosure::of(&outer, BITS) * log_of_delta(budget)?.sqrt()? * tail(&half)? * logarithm;
    Ok(all.upper().ceil().to_integer())
}

/// What is printed in Theorem 5, with 1 for the constant that its `O` hides:
/// `(L R)^(3/2) sqrt(C0 ln(1/delta)^(1/2)) ln(T/beta)/sqrt(n epsilon lambda)`.
///
/// # Errors
/// [`PrivacyError::Parameter`] for a delta or a beta outside (0, 1).
pub fn printed_excess(
    setting: &Setting,
    penalty: &Rational,
    records: u64,
    points: u64,
) -> Result<Enclosure, NumberError> {
    let Setting {
        lipschitz,
        squared_bound,
        norm_bound,
        budget,
        beta,
        ..
    } = setting;
    let of = |value: &Rational| Enclosure::of(value, BITS);
    let square = lipschitz * lipschitz * squared_bound;
    let three_halves = of(&square).sqrt()? * of(&square).sqrt()?.sqrt()?;
    let root = (of(norm_bound) * (-of(budget.delta()).ln()?).sqrt()?).sqrt()?;
    let logarithm = of(&(integer(points) / beta)).ln()?;
    let scale = of(&(integer(records) * budget.epsilon() * penalty)).sqrt()?;
    (three_halves * root * logarithm).divided_by(&scale)
}

/// The number of records of Corollary 6, with 1 for its hidden constant:
/// `L^4 R^3 ln(1/beta)^2 sqrt(ln(1/delta))/(error^2 epsilon)`.
///
/// # Errors
/// Those of the real functions.
pub fn printed_records(
    [lipschitz, squared_bound, error]: [&Rational; 3],
    budget: &Budget,
    beta: &Rational,
) -> Result<Enclosure, NumberError> {
    let of = |value: &Rational| Enclosure::of(value, BITS);
    let slopes = lipschitz * lipschitz * lipschitz * lipschitz * squared_bound;
    let outer = slopes / (error * error * budget.epsilon());
    let logarithm = of(beta).ln()?;
    let root = (-of(budget.delta()).ln()?).sqrt()?;
    Ok(of(&outer) * of(squared_bound).sqrt()? * logarithm.squared() * root)
}

/// What is printed in Theorem 12, with 1 for the constant that its `O` hides: `sqrt(B^2 (R L_f)^2 ln(1/beta)/T)`.
///
/// # Errors
/// Those of the real functions.
pub fn printed_deviation(
    norm_bound: &Rational,
    squared_bound: &Rational,
    lipschitz: &Rational,
    points: u64,
    beta: &Rational,
) -> Result<Enclosure, NumberError> {
    let outer = norm_bound * norm_bound * squared_bound * lipschitz * lipschitz;
    let logarithm = -Enclosure::of(beta, BITS).ln()?;
    (Enclosure::of(&(outer / BigInt::from(points)), BITS) * logarithm).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};
    use crate::privacy::NeighbouringRelation::Substitute;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    fn near(found: &Rational, value: &str) {
        let known = parse(value).unwrap();
        let apart = (found - &known) / known;
        assert!(apart < ratio(1, 1000) && apart > ratio(-1, 1000), "{found}");
    }

    #[test]
    fn losses_have_the_values_of_another_program() {
        let budget = budget("1", "1e-6");
        near(&closed_loss(1000, &budget).unwrap(), "0.00300796");
        near(
            &printed_loss(1000, &integer(1), &budget).unwrap(),
            "0.0170156",
        );
        // 4 sqrt(2) is the constant of the closed form.
        let twice = printed_loss(7, &parse("5.656854249").unwrap(), &budget).unwrap();
        near(&(twice / closed_loss(7, &budget).unwrap()), "1");
    }

    #[test]
    fn what_no_formula_is_proved_for_is_refused() {
        assert!(closed_loss(0, &budget("1", "1e-6")).is_err());
        assert!(closed_loss(1, &budget("1", "0")).is_err());
        assert!(closed_loss(1, &budget("27", "1e-6")).is_ok());
        assert!(closed_loss(1, &budget("28", "1e-6")).is_err());
        assert!(printed_loss(1, &integer(0), &budget("1", "1e-6")).is_err());
        assert!(deviation(&integer(1), &integer(1), 1, &integer(1)).is_err());
    }

    #[test]
    fn errors_are_those_of_the_formulas() {
        // 3 * 2 * (2 + sqrt(2 ln 100))/10
        near(
            &deviation(&integer(3), &integer(4), 100, &ratio(1, 100)).unwrap(),
            "3.02091",
        );
    }

    fn setting() -> Setting {
        Setting {
            lipschitz: integer(3),
            sensitivity: ratio(1, 10_000),
            squared_bound: integer(4),
            norm_bound: integer(5),
            budget: budget("2", "1e-6"),
            beta: ratio(1, 20),
        }
    }

    #[test]
    fn the_error_has_three_parts() {
        let at = |nu, gamma| setting().excess(100, &nu, &gamma).unwrap();
        let zero = || integer(0);
        // Too few points: 3 * 5 * 2 (2 + sqrt(2 ln 40))/10.
        let few = at(zero(), zero());
        near(&few, "14.14861");
        // Noise: (3/7) ln 4000. Rounding: 3 steps.
        near(&(at(ratio(1, 7), zero()) - &few), "3.554593");
        assert_eq!(at(zero(), ratio(1, 3)) - few, integer(1));
    }

    #[test]
    fn noise_and_too_few_points_are_equal_at_the_best_number_of_points() {
        let setting = setting();
        let best = setting.points().unwrap();
        near(&integer(best), "7142");
        let closed = closed_loss(best, &setting.budget).unwrap();
        let nu = &setting.sensitivity / closed;
        let few = setting.excess(best, &integer(0), &integer(0)).unwrap();
        let both = setting.excess(best, &nu, &integer(0)).unwrap();
        near(&(&both / &few), "2");
        // Half or twice as many points cost a factor of sqrt(2).
        let balanced = |gamma| setting.balanced(best, &gamma).unwrap();
        near(&(balanced(integer(0)) / both), "1.414214");
        assert_eq!(balanced(ratio(1, 3)) - balanced(integer(0)), integer(1));
    }

    #[test]
    fn what_is_printed_has_the_values_of_another_program() {
        let setting = setting();
        let (budget, beta) = (&setting.budget, &setting.beta);
        let [l, r2, error] = [&integer(3), &integer(4), &ratio(1, 7)];
        let excess = printed_excess(&setting, &ratio(1, 4), 10_000, 100).unwrap();
        near(&excess.upper(), "6.810575");
        let found = printed_records([l, r2, error], budget, beta).unwrap();
        near(&found.upper(), "529578.8");
        let found = printed_deviation(&integer(5), r2, &integer(7), 100, beta).unwrap();
        near(&found.upper(), "12.11573");
        let found = records([l, r2, &ratio(1, 4), error], budget, beta, 100).unwrap();
        near(&integer(found), "7164821840.64");
    }
}
