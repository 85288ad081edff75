//! The privacy of the noise: as printed, certified, and of the full-batch variant.

use super::{refuted, verified};
use crate::halfspaces::{as_printed, full_batch};
use crate::ledger::old::{Effort, Evidence, LedgerError};
use crate::number::rational::{integer, ratio, to_scientific, to_scientific_above};
use crate::number::{Enclosure, Grid, NumberError, Rational};
use crate::privacy::{
    Budget, NeighbouringRelation, Zcdp, composition, gaussian, one_record_descent::OneRecordDescent,
};
use num_bigint::BigInt;
use num_traits::{One, Zero};

const BITS: u32 = 128;

/// The printed noise on `T = n^2 - 1` noisy gradients, under attack.
///
/// Neighbours: on S' every record has gradient -L (a loss linear with slope L: convex and L-Lipschitz);
/// on S one has +L. In units of the noise, and shifted, each step publishes `N(0, 1)` on S', and on S
/// `N(0, 1)` with probability `1 - 1/n` and `N(1/z, 1)` with probability `1/n`. The attacker gives each
/// step a score of 0 to `SCORES`, by thresholds, and adds the scores up: the event is a sum of at least `c`.
struct Attack {
    threshold: usize,
    on_s: Enclosure,
    on_s_prime: Enclosure,
    delta: Enclosure,
}

const SCORES: usize = 8;

fn attack(
    n: u64,
    delta: &Rational,
    epsilon: &Rational,
    threshold: usize,
) -> Result<Attack, NumberError> {
    let squared = as_printed::printed_squared_multiplier(epsilon, delta, n)?;
    // 1/z, rounded down: less of a shift is more private.
    let shift = Enclosure::integer(1, BITS)
        .divided_by(&squared.sqrt()?)?
        .lower();
    let shift = Enclosure::of(&shift, BITS);
    let q = Rational::new(1.into(), n.into());
    let share = Enclosure::of(&q, BITS);
    let rest = share.complement();
    // Score j from the point where the likelihood ratio reaches e^j; any rational threshold will do, so
    // that its enclosure is replaced by a rational near it.
    let mut tails_s = vec![Enclosure::integer(1, BITS)];
    let mut tails_s_prime = vec![Enclosure::integer(1, BITS)];
    for j in 1..=SCORES {
        let odds = (Enclosure::exp_of(&integer(j), BITS)? - rest.clone()).divided_by(&share)?;
        let exact = (odds.ln()? + shift.squared().shifted(-1)).divided_by(&shift)?;
        let point = Enclosure::of(
            &Rational::new(
                (exact.midpoint().shifted(20)).floor(),
                BigInt::from(1 << 20),
            ),
            BITS,
        );
        tails_s_prime.push(point.normal_upper());
        tails_s.push(&rest * point.normal_upper() + &share * (&point - &shift).normal_upper());
    }
    let steps = n * n - 1;
    let on_s = at_least(&law_of_score(&tails_s), steps, threshold);
    let on_s_prime = at_least(&law_of_score(&tails_s_prime), steps, threshold);
    Ok(Attack {
        threshold,
        delta: &on_s - Enclosure::exp_of(epsilon, BITS)? * &on_s_prime,
        on_s,
        on_s_prime,
    })
}

/// `Pr[score = j]` from `Pr[score >= j]`.
fn law_of_score(tails: &[Enclosure]) -> Vec<Enclosure> {
    let nothing = Enclosure::integer(0, BITS);
    (0..tails.len())
        .map(|j| (&tails[j] - tails.get(j + 1).unwrap_or(&nothing)).max(&nothing))
        .collect()
}

/// `Pr[sum of the scores of so many independent steps >= threshold]`.
fn at_least(law: &[Enclosure], steps: u64, threshold: usize) -> Enclosure {
    let convolve = |a: &[Enclosure], b: &[Enclosure]| {
        let mut sum = vec![Enclosure::integer(0, BITS); threshold + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                // All sums from the threshold on are one.
                let place = (i + j).min(threshold);
                sum[place] = &sum[place] + x * y;
            }
        }
        sum
    };
    let mut result = vec![Enclosure::integer(1, BITS)];
    let mut square = law.to_vec();
    let mut left = steps;
    while left > 0 {
        if left & 1 == 1 {
            result = convolve(&result, &square);
        }
        left >>= 1;
        if left > 0 {
            square = convolve(&square, &square);
        }
    }
    result
        .get(threshold)
        .cloned()
        .unwrap_or(Enclosure::integer(0, BITS))
}

fn violated(
    n: u64,
    delta: &Rational,
    epsilon: i64,
    threshold: usize,
) -> Result<Evidence, LedgerError> {
    let found = attack(n, delta, &integer(epsilon), threshold)?;
    let scope = format!(
        "all noisy gradients at n = {n}, delta = {delta}, epsilon = {epsilon}, for a linear loss of slope L; the last point alone is not refuted"
    );
    Ok(refuted(
        found.delta.is_above_rational(delta),
        "certified arithmetic",
        scope,
    )
    .figure("neighbour S'", "all gradients -L")
    .figure("dataset S", "one gradient +L, all others -L")
    .figure(
        "event",
        format!(
            "the scores of the {} gradients sum to {} or more",
            n * n - 1,
            found.threshold
        ),
    )
    .figure("Pr[event | S]", &found.on_s)
    .figure("Pr[event | S']", &found.on_s_prime)
    .figure("Pr[event | S] - e^epsilon Pr[event | S']", &found.delta))
}

pub(super) fn printed_noise(effort: &Effort) -> Result<Evidence, LedgerError> {
    if effort.quick {
        violated(10, &ratio(1, 1000), 100, 98)
    } else {
        violated(30, &ratio(1, 1000), 80, 89)
    }
}

pub(super) fn constant_32(_effort: &Effort) -> Result<Evidence, LedgerError> {
    violated(10, &ratio(1, 100), 60, 61)
}

/// Re-establishes the guarantee of a calibrated descent from its noise alone, by other means than it was
/// calibrated with: the exact Gaussian profile, amplification, and optimal composition.
fn recomposed(
    n: u64,
    delta: &Rational,
    epsilon: &Rational,
) -> Result<(bool, Enclosure, Rational), LedgerError> {
    let budget = Budget::approximate(
        epsilon.clone(),
        delta.clone(),
        NeighbouringRelation::Substitute,
    )?;
    let descent = OneRecordDescent::calibrated(&budget, n, n * n)?;
    let multiplier = descent.noise_multiplier().clone();
    let own = descent.own_step();
    let profile = gaussian::profile(&multiplier.recip(), own.epsilon(), 256)?;
    let own_holds = profile.upper() <= *own.delta();
    // e^eps1 >= 1 + (e^eps0 - 1)/n and delta1 >= delta0/n.
    let amplified = descent.amplified_step();
    let share = Enclosure::of(&Rational::new(1.into(), n.into()), BITS);
    let needed = Enclosure::of(own.epsilon(), BITS).exp_minus_one()? * share;
    let given = Enclosure::of(amplified.epsilon(), BITS).exp_minus_one()?;
    let amplified_holds =
        needed.upper() <= given.lower() && *amplified.delta() >= own.delta() / BigInt::from(n);
    let reached = composition::optimal_delta(amplified, n * n, epsilon, BITS)?;
    let holds = own_holds && amplified_holds && reached.upper() <= *delta;
    Ok((holds, reached, multiplier))
}

fn recompose_all(cases: &[(u64, Rational, Rational)]) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut evidence = verified(
        true,
        "certified arithmetic",
        format!(
            "{} cases, each rebuilt from its noise by the exact Gaussian profile, amplification and optimal composition; proof for all in spec/halfspaces.md",
            cases.len()
        ),
    );
    for (n, delta, epsilon) in cases {
        let (case_holds, reached, multiplier) = recomposed(*n, delta, epsilon)?;
        holds &= case_holds;
        evidence = evidence.figure(
            format!("n = {n}, epsilon = {epsilon}, delta = {delta}"),
            format!(
                "noise multiplier {}, delta reached {}",
                to_scientific_above(&multiplier, 5),
                to_scientific_above(&reached.upper(), 3)
            ),
        );
    }
    if !holds {
        evidence.status = crate::ledger::old::Status::Refuted;
    }
    Ok(evidence)
}

pub(super) fn certified_noise(effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut cases = vec![
        (10, ratio(1, 1000), integer(1)),
        (30, ratio(1, 1_000_000), ratio(1, 10)),
        (30, ratio(999, 1000), integer(1)),
    ];
    if !effort.quick {
        cases.push((100, ratio(1, 1_000_000), integer(1)));
        cases.push((100, ratio(1, 1_000_000), integer(20)));
    }
    recompose_all(&cases)
}

pub(super) fn certified_at_large_epsilon(_effort: &Effort) -> Result<Evidence, LedgerError> {
    recompose_all(&[
        (10, ratio(1, 100), integer(60)),
        (10, ratio(1, 1000), integer(100)),
        (30, ratio(1, 1000), integer(80)),
    ])
}

pub(super) fn full_batch(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut cases = 0;
    let mut evidence = verified(
        true,
        "exact accounting, certified arithmetic",
        "4 budgets, runs in {1, 7}, steps in {1, 50, 1000}, grids 2^-8 and 2^-20; proof for all in spec/halfspaces.md",
    );
    for (epsilon, delta) in [
        (ratio(1, 10), ratio(1, 1_000_000)),
        (integer(1), ratio(1, 1_000_000)),
        (integer(3), ratio(1, 100)),
        (integer(20), ratio(1, 1_000_000_000)),
    ] {
        let budget = Budget::approximate(
            epsilon.clone(),
            delta.clone(),
            NeighbouringRelation::Substitute,
        )?;
        let rho = full_batch::concentrated(&budget)?;
        for k in [1u32, 7] {
            for steps in [1u64, 50, 1000] {
                for bits in [8, 20] {
                    let grid = Grid::new(bits)?;
                    let noise = full_batch::noise(&rho, k, steps, grid)?;
                    // 1. All k T gradients of sensitivity 2 (in grid steps 2 one): zCDP adds up to rho.
                    let each = Zcdp::gaussian(
                        &integer(2 * grid.one()),
                        noise.variance(),
                        NeighbouringRelation::Substitute,
                    )?;
                    holds &= each.rho() * BigInt::from(k) * BigInt::from(steps) <= *rho.rho();
                    cases += 1;
                }
            }
        }
        // 2. rho gives (epsilon/2, delta), by the conversion evaluated anew; the choice is epsilon/2.
        let half = &epsilon / BigInt::from(2);
        let reached = rho.delta(&half)?;
        holds &= reached <= delta && reached > Rational::zero();
        holds &= &half + &half == epsilon;
        // 3. The closed form is never better by more than the search's resolution.
        let closed = Zcdp::closed_for(&Budget::approximate(
            half,
            delta.clone(),
            NeighbouringRelation::Substitute,
        )?)?;
        holds &= closed.rho() <= &(rho.rho() * (Rational::one() + ratio(1, 1 << 19)));
        evidence = evidence.figure(
            format!("epsilon = {epsilon}, delta = {delta}"),
            format!("rho = {}", to_scientific(rho.rho(), 6)),
        );
    }
    if !holds {
        evidence.status = crate::ledger::old::Status::Refuted;
    }
    Ok(evidence.figure("accountings", cases))
}
