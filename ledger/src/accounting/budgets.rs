//! Budgets: the least noise and the most steps, and their neighbours, beside closed forms.

use super::{BITS, gaussian, number};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::{Budget, Mechanism, Relation, Step, Verdict};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_traits::One;

pub(super) fn for_budget(check: &mut Check) -> Result<(), Trouble> {
    verdicts(check)?;
    budgets(check)?;
    on_batches(check)
}

/// The square of the mu of Gaussian steps together.
fn squared_mu(steps: &[(Rational, u64)]) -> Rational {
    let parts = steps
        .iter()
        .map(|(deviation, times)| integer(*times) / (deviation * deviation));
    parts.sum()
}

/// Steps without sampling.
fn whole(steps: &[(Rational, u64)]) -> Vec<Step> {
    let step = |(deviation, times): &(Rational, u64)| Step {
        mechanism: Mechanism::Gaussian {
            deviation: deviation.clone(),
            rate: Rational::one(),
        },
        times: *times,
    };
    steps.iter().map(step).collect()
}

/// Budgets a thousandth below and above what steps cost.
fn verdicts(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "deviation 3, 10 steps, delta 1e-5: budgets a thousandth below and above their epsilon",
    );
    let (steps, delta) = ([(integer(3), 10)], number("1e-5")?);
    let mu = Enclosure::of(&squared_mu(&steps), BITS).sqrt()?;
    let is_within = |epsilon: &Rational| -> Result<bool, Trouble> {
        Ok(gaussian(&mu, &Enclosure::exp_of(epsilon, BITS)?)?.upper() <= delta)
    };
    let (mut low, mut high) = (integer(0), integer(16));
    for _ in 0..30 {
        let middle = (&low + &high) / integer(2);
        match is_within(&middle)? {
            true => high = middle,
            false => low = middle,
        }
    }
    for (share, expected) in [(999, Verdict::Beyond), (1001, Verdict::Within)] {
        let epsilon = &high * ratio(share, 1000);
        let budget = Budget {
            epsilon,
            delta: delta.clone(),
        };
        let found = budget.verdict(&whole(&steps), Relation::AddOrRemove)?;
        check.holds(
            found == expected,
            format_args!("{share} thousandths of epsilon: {found:?}"),
        );
    }
    Ok(())
}

/// The least noise and the most steps of a budget: the closed form has the value within it and the neighbour beyond it.
fn budgets(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the least factor of deviations 2 and 1/3, 3 and 5 steps, and the most steps of deviation 10, at epsilon 1 and delta 1e-5");
    let budget = Budget {
        epsilon: integer(1),
        delta: number("1e-5")?,
    };
    let delta = |squared_mu: &Rational| -> Result<Enclosure, Trouble> {
        gaussian(
            &Enclosure::of(squared_mu, BITS).sqrt()?,
            &Enclosure::exp_of(&budget.epsilon, BITS)?,
        )
    };
    let (steps, digits) = ([(integer(2), 3), (ratio(1, 3), 5)], 3);
    let noise = budget.least_noise(&whole(&steps), Relation::AddOrRemove, digits)?;
    // Deviations that are larger by a factor have a mu that is smaller by it.
    let at = |factor: &Rational| delta(&(squared_mu(&steps) / (factor * factor)));
    let name = format!("least noise: {noise:?}");
    check.holds(at(&noise.value)?.upper() <= budget.delta, &name);
    // The unit of the last of three digits of a number from 10 to 99.9.
    let next = &noise.value - ratio(1, 10);
    check.holds(at(&next)?.lower() > budget.delta, &name);
    check.holds(noise.is_sharp && noise.beyond == Some(next), &name);
    let one = [(integer(10), 1)];
    let most = budget.most_steps(&whole(&one), Relation::AddOrRemove)?;
    let name = format!("most steps: {most:?}");
    let at = |times: &Rational| delta(&(squared_mu(&one) * times));
    check.holds(at(&most.value)?.upper() <= budget.delta, &name);
    let next = &most.value + integer(1);
    check.holds(at(&next)?.lower() > budget.delta, &name);
    check.holds(most.is_sharp && most.beyond == Some(next), &name);
    Ok(())
}

/// Batches of a fixed size: what is within is so by the pair that dominates, what is beyond by the one that is attained.
fn on_batches(check: &mut Check) -> Result<(), Trouble> {
    check.certified("batches of all records, 4 steps, epsilon 1, delta 1e-5: the least deviation, whose steps are Gaussians of half that deviation");
    let budget = Budget {
        epsilon: integer(1),
        delta: number("1e-5")?,
    };
    let mechanism = Mechanism::FixedBatch {
        deviation: integer(1),
        rate: Rational::one(),
    };
    let steps = [Step {
        mechanism,
        times: 4,
    }];
    let noise = budget.least_noise(&steps, Relation::Substitution, 3)?;
    let at = |deviation: &Rational| -> Result<Enclosure, Trouble> {
        let half = deviation / integer(2);
        let mu = Enclosure::of(&squared_mu(&[(half, 4)]), BITS).sqrt()?;
        gaussian(&mu, &Enclosure::exp_of(&budget.epsilon, BITS)?)
    };
    let next = &noise.value - ratio(1, 10);
    let holds = at(&noise.value)?.upper() <= budget.delta
        && at(&next)?.lower() > budget.delta
        && noise.beyond == Some(next);
    check.holds(holds, format_args!("least noise on batches: {noise:?}"));
    Ok(())
}
