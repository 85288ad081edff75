//! Lemma 13, Theorem 12 and the length of the Gamma mechanism's noise.

use super::{refuted, refuted_unless, setting, verified};
use crate::ledger::old::{Effort, Evidence, LedgerError, Status};
use crate::number::rational::{integer, parse, ratio, to_scientific};
use crate::number::{Enclosure, Rational};
use crate::random_features::bounds::{Setting, noise};
use crate::stats::chi_square;
use num_traits::Zero;

const BITS: u32 = 128;

pub(super) fn lemma_13(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut stands = true;
    let mut evidence = refuted(
        true,
        "exact chi-square tails, certified",
        "epsilon = 1, delta_p = 1e-5, delta = 0.01 and 0.1; eta cancels",
    );
    for failure in ["0.01", "0.1"] {
        for features in [1, 2, 10, 100, 1000, 5000] {
            let setting = Setting {
                failure: parse(failure)?,
                ..setting(1000, features)
            };
            let holds = noise::lemma_13_holds(&setting)?;
            let claimed = integer(1) - &setting.failure;
            stands &= holds.is_below_rational(&claimed);
            evidence = evidence.figure(
                format!("N = {features}, delta = {failure}"),
                format!("holds with probability {holds}, claimed {claimed}"),
            );
        }
    }
    if !stands {
        evidence.status = Status::Open;
    }
    Ok(evidence)
}

pub(super) fn lemma_13_corrected(effort: &Effort) -> Result<Evidence, LedgerError> {
    let sizes: &[u64] = &[1, 2, 3, 10, 100, 1000, 5000];
    let sizes = if effort.quick { &sizes[..6] } else { sizes };
    let mut holds = true;
    let mut evidence = verified(
        true,
        "exact chi-square tails, certified",
        format!(
            "N in {sizes:?}, delta in {{0.5, 0.1, 0.01, 1e-6, 1e-12}}; proof for all in spec/random-features.md"
        ),
    );
    for &features in sizes {
        let mut worst = Rational::zero();
        for failure in ["0.5", "0.1", "0.01", "1e-6", "1e-12"] {
            let failure = parse(failure)?;
            let level = noise::chi_square_level(features, &failure)?;
            let exact = chi_square::upper_tail(features, &level)?;
            holds &= exact.upper() <= failure;
            worst = worst.max(exact.upper() / failure);
        }
        evidence = evidence.figure(
            format!("N = {features}: probability of failure over delta, at most"),
            to_scientific(&worst, 3),
        );
    }
    Ok(refuted_unless(holds, evidence))
}

pub(super) fn sub_exponential(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let exceeds = |features: u64, failure: &str| -> Result<(Enclosure, Rational), LedgerError> {
        let failure = parse(failure)?;
        let level = noise::sub_exponential_level(features, &failure)?;
        Ok((chi_square::upper_tail(features, &level)?, failure))
    };
    let (one, failure) = exceeds(1, "1e-6")?;
    let stands = one.is_above_rational(&failure);
    let mut evidence = refuted(
        stands,
        "exact chi-square tails, certified",
        "N = 1, delta = 1e-6; with 8 ln(1/delta) <= N the bound is proved",
    )
    .figure("N = 1, delta = 1e-6: fails with probability", one);
    for (features, failure) in [(20, "0.1"), (100, "1e-5")] {
        let (inside, failure) = exceeds(features, failure)?;
        if inside.upper() > failure {
            evidence.status = Status::Open;
        }
        evidence = evidence.figure(
            format!(
                "N = {features}, delta = {}: fails with probability",
                to_scientific(&failure, 2)
            ),
            inside,
        );
    }
    Ok(evidence)
}

pub(super) fn gamma_length(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let failure = ratio(1, 10);
    let claimed = integer(1) - &failure / integer(2);
    let mut stands = true;
    let mut evidence = refuted(
        true,
        "exact chi-square tails, certified",
        "delta = 0.1, N in {100, 1000, 5000}; eta and epsilon cancel",
    );
    for features in [100, 1000, 5000] {
        let holds = noise::gamma_length_holds(features, &failure)?;
        stands &= holds.is_below_rational(&claimed);
        evidence = evidence.figure(
            format!("N = {features}"),
            format!("holds with probability {holds}, claimed {claimed}"),
        );
    }
    if !stands {
        evidence.status = Status::Open;
    }
    Ok(evidence)
}

pub(super) fn gamma_length_corrected(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut evidence = verified(
        true,
        "exact chi-square tails, certified",
        "N in {1, 2, 10, 100, 1000}, delta in {0.9, 0.1, 0.01}; proof for all in spec/random-features.md",
    );
    for features in [1, 2, 10, 100, 1000] {
        for failure in ["0.9", "0.1", "0.01"] {
            let failure = parse(failure)?;
            let found = noise::gamma_length_corrected_holds(features, &failure)?;
            holds &= found.is_above_rational(&(integer(1) - &failure / integer(2)));
            if failure == ratio(1, 10) {
                evidence = evidence.figure(format!("N = {features}, delta = 0.1"), found);
            }
        }
    }
    Ok(refuted_unless(holds, evidence))
}

pub(super) fn theorem_12(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // The worst case, delta = 1/5 (for more, nothing is claimed) and m = 1: all falls from there.
    let limit = ratio(1, 5);
    let excess = noise::theorem_12_excess(&limit)?;
    let fails = noise::more_than(&excess)?;
    let mut holds = fails.upper() <= &limit / integer(2);
    let mut evidence = verified(
        true,
        "certified arithmetic",
        "given Theorem 8's conditions with C2 >= 2; a grid of 12 settings, and the worst case of the proof",
    )
    .figure("worst case: bound^2 over its mean, at least", excess)
    .figure("worst case: fails with probability, at most", fails);
    for records in [1u64, 100, 10_000] {
        for failure in ["0.19", "0.05", "1e-3", "1e-9"] {
            let failure = parse(failure)?;
            let log = Enclosure::of(&(integer(2 * records) / &failure), BITS).ln()?;
            // 8 m ln(2m/delta), rounded up.
            let least = (log.upper() * integer(8 * records)).ceil().to_integer();
            let setting = Setting {
                failure: failure.clone(),
                ..setting(records, u64::try_from(least).unwrap_or(u64::MAX))
            };
            let bound = noise::theorem_12_printed(&setting)?;
            let fails = noise::more_than(&noise::over_expected(&bound, &setting)?)?;
            holds &= fails.upper() <= failure / integer(2);
        }
    }
    if !holds {
        evidence.status = Status::Refuted;
    }
    Ok(evidence)
}

pub(super) fn theorem_12_corrected(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    // 1. E |phi . z|^2 = N for unit noise: over all signs of z, at features on the circle.
    let row = super::privacy::rational_features(&[(1, 2), (-2, 3), (3, 1)]);
    let mean_square = super::figures::mean_square_over_signs(&row);
    holds &= mean_square == integer(3);
    // 2. Equal weights of every rank: N/r times chi-square with r degrees of freedom.
    for failure in ["0.5", "0.05", "1e-6"] {
        let failure = parse(failure)?;
        let level = noise::chi_square_level(1, &failure)?;
        for rank in [1u64, 2, 10, 100, 1000] {
            let scaled = &level * Enclosure::integer(rank, BITS);
            holds &= chi_square::upper_tail(rank, &scaled)?.upper() <= failure;
        }
    }
    let example = setting(1000, 5000);
    Ok(verified(
        holds,
        "exact chi-square tails, certified",
        "weights equal on 1, 2, 10, 100 and 1000 directions, three probabilities of failure; proof for all in spec/random-features.md",
    )
    .figure("mean square over all signs, 3 frequencies", mean_square)
    .figure(
        "root mean square at epsilon = 1, delta_p = 1e-5, eta = 3/8",
        noise::expected_square(&example)?.sqrt()?,
    )
    .figure(
        "with probability 0.95 at most",
        noise::theorem_12_corrected(&example)?,
    ))
}

pub(super) fn grows_with_features(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut evidence = refuted(
        true,
        "certified arithmetic",
        "m = 1000, epsilon = 1, delta_p = 1e-5, eta = 3/8, delta = 0.05",
    );
    let mut last = Enclosure::integer(0, BITS);
    let exact = noise::expected_square(&setting(1000, 1500))?.sqrt()?;
    for features in [1500, 5000, 100_000] {
        let setting = setting(1000, features);
        let bound = noise::theorem_12_printed(&setting)?;
        let same = noise::expected_square(&setting)?.sqrt()?.meets(&exact);
        if !last.is_below(&bound) || !same || !exact.is_below(&bound) {
            evidence.status = Status::Open;
        }
        evidence = evidence.figure(format!("Theorem 12 at N = {features}"), &bound);
        last = bound;
    }
    Ok(evidence.figure("root mean square of the noise, for every N and m", exact))
}
