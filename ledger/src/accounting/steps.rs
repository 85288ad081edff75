//! Sampled Gaussian steps, where closed forms know their delta.

use super::{BITS, gaussian, number, sampled};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::{Account, Mechanism, Relation, Step};
use dp_assay::number::{Enclosure, Rational};
use num_traits::One;

/// Deviation, steps and delta, without sampling.
const WHOLE: [(&str, u64, &str); 5] = [
    ("20", 1_000, "1e-5"),
    ("1", 1, "1e-6"),
    ("100", 100_000, "1e-12"),
    ("100", 100_000, "1e-14"),
    ("5", 3, "0.05"),
];

/// Rate, deviation and epsilon, of one step.
const ONCE: [[&str; 3]; 4] = [
    ["0.01", "1", "0.02"],
    ["0.1", "1/2", "1"],
    ["0.3", "2", "0.05"],
    ["0.3", "2", "0.2"],
];

pub(super) fn subsampled_gaussian(check: &mut Check) -> Result<(), Trouble> {
    check.certified("k steps without sampling, k = 1 to 100000, delta = 0.05 to 1e-14; one sampled step, both directions");
    for (deviation, times, delta) in WHOLE {
        let step = Step {
            mechanism: Mechanism::Gaussian {
                deviation: number(deviation)?,
                rate: Rational::one(),
            },
            times,
        };
        let delta = number(delta)?;
        let found = Account::new(&[step], Relation::AddOrRemove)?
            .epsilon(&delta, 4)?
            .value;
        let mu = Enclosure::integer(times, BITS).sqrt()?;
        let mu = mu.divided_by(&Enclosure::of(&number(deviation)?, BITS))?;
        let at = |epsilon: &Rational| gaussian(&mu, &Enclosure::exp_of(epsilon, BITS)?);
        let name = format!("deviation {deviation}, {times} steps, delta {delta}");
        check.holds(at(&found.lower())?.upper() >= delta, &name);
        check.holds(at(&found.upper())?.lower() <= delta, &name);
        check.holds(found.has_digits(3), &name);
    }
    for [rate, deviation, epsilon] in ONCE {
        let mechanism = Mechanism::Gaussian {
            deviation: number(deviation)?,
            rate: number(rate)?,
        };
        let steps = [Step {
            mechanism,
            times: 1,
        }];
        let mu = number(deviation)?.recip();
        let epsilon = number(epsilon)?;
        let g = Enclosure::exp_of(&epsilon, BITS)?;
        for (relation, is_swapped) in [(Relation::Remove, false), (Relation::Add, true)] {
            let found = Account::new(&steps, relation)?.delta(&epsilon, 4)?.value;
            let exact = sampled(&number(rate)?, &mu, &g, is_swapped)?;
            check.holds(
                found.meets(&exact),
                format_args!("rate {rate}, deviation {deviation}, {relation:?}"),
            );
        }
    }
    Ok(())
}
