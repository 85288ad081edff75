//! Claims of zero-concentrated privacy: what scores prove of rho.
//!
//! Of one training by the claims (epsilon, delta) that rho implies; of two probabilities of an event by divergences of some orders.

use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::{NeighbouringRelation, Zcdp};
use dp_assay::stats::one_run::of_budget;
use dp_assay::stats::{OneRun, StatsError};
use num_traits::{One, Signed};

/// The working precision.
const BITS: u32 = 96;

/// No bound on rho is above it; bounds are multiples of one part in so many.
pub(super) const LARGEST: i64 = 20;
const PARTS: i64 = 1000;

/// Where the implied claims are looked at: tenths of the deviation `sqrt(2 rho)` of the loss, from its mean `rho` on.
const PLACES: std::ops::RangeInclusive<i64> = -15..=45;

/// The orders that are looked at, in quarters: 1, where the divergence is that of Kullback and Leibler, up to 64.
const ORDERS: [i64; 14] = [4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40, 64, 128, 256];

/// Whether as many right guesses have probability at most `level` for every program within the claim: by one of the claims (epsilon,
/// delta) that it implies. All of them bound one probability, so that to look at many costs nothing.
pub(super) fn refutes(run: &OneRun, rho: &Rational, level: &Rational) -> Result<bool, StatsError> {
    let wrong = |_| StatsError::Claim {
        epsilon: "what it implies".to_owned(),
        delta: format!("that of rho = {rho}"),
    };
    // A canary is added or removed; the numbers are the same for every relation.
    let claim = Zcdp::new(rho.clone(), NeighbouringRelation::AddOrRemove).map_err(wrong)?;
    // Roughly: every epsilon is as true as another.
    let deviation = Enclosure::of(&(rho * integer(2)), 32).sqrt()?;
    let deviation = deviation.midpoint().to_rational();
    for place in PLACES.step_by(3) {
        let epsilon = rho + &deviation * ratio(place, 10);
        if epsilon.is_negative() || epsilon > integer(40) {
            continue;
        }
        let delta = claim.delta(&epsilon).map_err(wrong)?;
        if delta < Rational::one() && run.refutes(&of_budget(&epsilon, &delta)?, level)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A rho, a multiple of 1/1000 up to 20, that the claim does not keep, but for an error of probability `level`; none if none is refuted.
pub(super) fn lower(run: &OneRun, level: &Rational) -> Result<Option<Rational>, StatsError> {
    // All below the one that is refuted last are false too: each of them claims more.
    let (mut low, mut high) = (0, PARTS * LARGEST + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match refutes(run, &ratio(middle, PARTS), level)? {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok((low > 0).then(|| ratio(low, PARTS)))
}

/// What rho is at least, if an event has the probability `p` on one side and `q` on the other, or they are farther apart: for each
/// order the divergence of the event and what is outside of it, over the order, in both directions.
pub(super) fn of_event(p: &Rational, q: &Rational) -> Result<Option<Rational>, NumberError> {
    let mut best: Option<Rational> = None;
    for quarters in ORDERS {
        let order = ratio(quarters, 4);
        for (p, q) in [(p, q), (q, p)] {
            let bound = divergence(&order, p, q)?.lower() / &order;
            if bound.is_positive() && best.as_ref().is_none_or(|best| bound > *best) {
                best = Some(bound);
            }
        }
    }
    Ok(best)
}

/// The Renyi divergence of this order of a coin of probability `p` from one of probability `q`, both in (0, 1).
fn divergence(order: &Rational, p: &Rational, q: &Rational) -> Result<Enclosure, NumberError> {
    let of = |x: &Rational| Enclosure::of(x, BITS);
    let both = [
        (p.clone(), q.clone()),
        (Rational::one() - p, Rational::one() - q),
    ];
    let mut sum = Enclosure::integer(0, BITS);
    let excess = order - Rational::one();
    for (p, q) in both {
        let loss = of(&p).ln()? - of(&q).ln()?;
        sum = sum
            + of(&p)
                * match excess.is_positive() {
                    true => (of(&excess) * loss).exp()?,
                    false => loss,
                };
    }
    match excess.is_positive() {
        true => sum.ln()?.divided_by(&of(&excess)),
        false => Ok(sum),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::to_f64_for_display;

    #[test]
    fn of_an_event_the_bound_is_that_of_its_divergences_in_doubles() {
        for (p, q) in [(0.9, 0.1), (0.5, 0.01), (0.999, 0.3), (0.3, 0.2)] {
            let exact = |x: f64| dp_assay::number::rational::from_f64(x).unwrap();
            let found = to_f64_for_display(&of_event(&exact(p), &exact(q)).unwrap().unwrap());
            let mut best = 0.0_f64;
            for step in 1..4000 {
                let order = 1.0 + f64::from(step) / 50.0;
                for (p, q) in [(p, q), (q, p)] {
                    let sum = p * (p / q).powf(order - 1.0)
                        + (1.0 - p) * ((1.0 - p) / (1.0 - q)).powf(order - 1.0);
                    best = best.max(sum.ln() / (order - 1.0) / order);
                }
            }
            // Never above the best of all orders, and hardly below it.
            assert!(
                found <= best * 1.02 && found >= best * 0.98,
                "{p} {q}: {found} {best}"
            );
        }
        assert_eq!(of_event(&ratio(1, 3), &ratio(1, 3)).unwrap(), None);
    }

    #[test]
    fn the_bound_is_the_last_thousandth_that_is_refuted_by_a_claim_that_is_implied() {
        let level = ratio(1, 20);
        let run = OneRun::new(100, 50, 46).unwrap();
        let rho = lower(&run, &level).unwrap().unwrap();
        assert!(refutes(&run, &rho, &level).unwrap());
        assert!(!refutes(&run, &(&rho + ratio(1, 1000)), &level).unwrap());
        // What is mu-Gaussian private is mu^2/2-zCDP: mu claims more, and falls sooner.
        let mu = run.mu_lower(&level).unwrap().unwrap();
        assert!(rho <= &mu * &mu / integer(2), "{rho} {mu}");
        assert!(rho > ratio(1, 10), "{rho}");
        let none = OneRun::new(100, 50, 25).unwrap();
        assert_eq!(lower(&none, &level).unwrap(), None);
    }

    /// What is (1, 0)-private is 1/2-zCDP.
    #[test]
    fn randomised_response_is_not_proved_worse_than_it_is() {
        // As many as are expected: e/(1 + e) of 1000.
        let run = OneRun::new(1000, 1000, 731).unwrap();
        let rho = lower(&run, &ratio(1, 20)).unwrap().unwrap();
        assert!(rho < ratio(1, 2), "{rho}");
    }
}
