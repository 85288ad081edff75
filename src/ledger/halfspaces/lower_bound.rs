//! Theorem 12 and Claim 12.1.

use super::{refuted, verified};
use crate::halfspaces::bounds::lower_bound::{self as packing, lower_bound};
use crate::halfspaces::checks::band::band;
use crate::halfspaces::checks::bisector::{Code, bisector, bisector_bound};
use crate::ledger::old::{Effort, Evidence, LedgerError};
use crate::number::Rational;
use crate::number::rational::{integer, ratio, to_scientific_below};
use num_bigint::{BigInt, BigUint};

fn gamma_squared(dimension: u64) -> Rational {
    Rational::new(1.into(), BigInt::from(1000 * dimension))
}

pub(super) fn claim_12_1(effort: &Effort) -> Result<Evidence, LedgerError> {
    let tenth = ratio(1, 10);
    let dimensions: &[u64] = if effort.quick {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    let mut stands = true;
    let mut evidence = refuted(
        true,
        "certified arithmetic",
        format!(
            "d in {dimensions:?} in closed form, and every d >= 20 divisible by 10 by a bound; the codes of the proof for d = 20, 40, ..., 200"
        ),
    );
    for &d in dimensions {
        let found = bisector(d, d / 10, &gamma_squared(d))?;
        stands &= found.error.is_below_rational(&tenth);
        evidence = evidence.figure(
            format!("error of the bisector on both, d = {d}"),
            found.error,
        );
    }
    let bound = bisector_bound()?;
    stands &= bound.is_below_rational(&tenth);
    evidence = evidence.figure("bound on it for all d >= 20", bound);
    for length in (20..=200).step_by(20) {
        let code = Code::of_the_paper(length)?;
        stands &= code.minimum_distance() == Some(length / 10);
    }
    evidence = evidence
        .figure(
            "classifier",
            "the bisector w + w' of two words at Hamming distance d/10",
        )
        .figure(
            "minimum distance of the codes with K = 2^(d/20) words",
            "exactly d/10, all pairs",
        );
    if !stands {
        evidence.status = crate::ledger::old::Status::Open;
    }
    Ok(evidence)
}

pub(super) fn claim_12_1_corrected(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let found = packing::nearest_repair()?;
    let holds = found.both_errors.is_above_rational(&ratio(1, 5));
    Ok(verified(
        holds,
        "certified arithmetic",
        "all dimensions: the inequality is monotone in p <= sqrt(2c/pi), c = 1/1000; proof in spec/halfspaces.md",
    )
    .figure("probability of disagreement", found.disagreement)
    .figure("mass of the band, at most", found.band)
    .figure("sum of the two errors, at least", found.both_errors))
}

pub(super) fn theorem_12(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let found = packing::nearest_repair()?;
    let holds = found.both_errors.is_above_rational(&ratio(1, 5)) && found.slope.lo().is_positive();
    Ok(verified(
        holds,
        "certified arithmetic",
        "with the proof repaired at distance d/4 and d = floor(1/(1000 gamma^2)); the printed proof is broken (nuz20.claim12.1)",
    )
    .figure("n epsilon >= slope/gamma^2 + offset, slope", found.slope)
    .figure("offset", found.offset))
}

pub(super) fn theorem_12_corrected(effort: &Effort) -> Result<Evidence, LedgerError> {
    let found = packing::best_repair()?;
    let mut holds = found.both_errors.is_above_rational(&ratio(1, 5))
        && found.slope.is_above_rational(&ratio(5_711, 1_000_000))
        && found.offset.is_above_rational(&ratio(140, 100));
    // The code of the packing, with exact binomials.
    let most: u64 = if effort.quick { 100 } else { 600 };
    for length in 1..=most {
        let distance = (28 * length).div_ceil(100);
        let words = packing::gilbert_varshamov(length, distance);
        holds &= words >= BigUint::from(2u32);
    }
    let bound = lower_bound(&integer(1), &ratio(1, 100))?;
    holds &= bound >= ratio(5711, 100);
    Ok(verified(
        holds,
        "certified arithmetic, exact enumeration",
        format!("the inequality for all d and gamma <= 1; code sizes by exact binomials for d = 1..{most}"),
    )
    .figure("probability of disagreement", found.disagreement)
    .figure("mass of the band, at most", found.band)
    .figure("sum of the two errors, at least", found.both_errors)
    .figure("slope", found.slope)
    .figure("offset", found.offset)
    .figure("n at epsilon = 1, gamma = 1/100, at least", to_scientific_below(&bound, 6)))
}

pub(super) fn lemma_16(effort: &Effort) -> Result<Evidence, LedgerError> {
    let most = if effort.quick { 60 } else { 1000 };
    let mut holds = true;
    let mut largest = band(2, &gamma_squared(2))?;
    for d in (1..=100).chain((110..=most).step_by(30)) {
        let mass = band(d, &gamma_squared(d))?;
        holds &= mass.is_below_rational(&ratio(1, 5));
        largest = largest.max(&mass);
    }
    Ok(verified(
        holds,
        "certified arithmetic",
        format!("d = 1..100 and every 30th up to {most}; for all d >= 2 by p <= sqrt(2/(1000 pi)) = 0.0253 (spec/halfspaces.md)"),
    )
    .figure("largest mass", largest))
}

pub(super) fn agreement(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let disagree = packing::disagreement(&ratio(1, 10))?;
    let agree = disagree.complement();
    // In the plane: theta/pi of the circle lies between the two boundaries.
    let stands =
        agree.is_above_rational(&ratio(79, 100)) && disagree.is_below_rational(&ratio(21, 100));
    Ok(refuted(
        stands,
        "certified arithmetic",
        "two words at Hamming distance d/10, angle arccos(4/5)",
    )
    .figure("theta/pi, printed as Pr[agree]", &disagree)
    .figure("Pr[agree]", &agree)
    .figure(
        "the printed chain, 0.3 + Pr[agree], then shows error at least",
        (agree + crate::number::Enclosure::of(&ratio(3, 10), 64)).complement(),
    ))
}

pub(super) fn disagreement(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // Exactly, for angles whose fraction of the circle is rational: w = e1 and w' at a right angle or at
    // half of one, over the eight open sectors between the two boundaries and their mirror images.
    let mut holds = true;
    for (w, angle) in [
        ([0i64, 1], ratio(1, 2)),
        ([1, 1], ratio(1, 4)),
        ([-1, 1], ratio(3, 4)),
        ([-1, 0], integer(1)),
    ] {
        // One point inside each of the eight sectors of 45 degrees, which are equally likely.
        let sectors = [
            [2, 1],
            [1, 2],
            [-1, 2],
            [-2, 1],
            [-2, -1],
            [-1, -2],
            [1, -2],
            [2, -1],
        ];
        let differ = sectors
            .iter()
            .filter(|x: &&[i64; 2]| (x[0] > 0) != (x[0] * w[0] + x[1] * w[1] > 0))
            .count();
        holds &= Rational::new(differ.into(), 8.into()) == angle;
    }
    let tenth = packing::disagreement(&ratio(1, 10))?;
    holds &= tenth.is_above_rational(&ratio(2048, 10_000))
        && tenth.is_below_rational(&ratio(2049, 10_000));
    Ok(verified(
        holds,
        "exact enumeration, certified arithmetic",
        "theta in {pi/4, pi/2, 3pi/4, pi} by sectors; arccos(4/5) certified",
    )
    .figure("theta/pi at Hamming distance d/10", tenth))
}
