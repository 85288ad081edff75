//! The privacy of Algorithms 1, 2 and 3.

use super::{refuted, verified};
use crate::coins::Law;
use crate::geometry::{LatticeCover, SignMatrix};
use crate::halfspaces::as_printed;
use crate::halfspaces::checks::exhaustive::{PrivacyRatios, SmallInstance};
use crate::halfspaces::checks::one_dimension::{OneDimension, TranscriptLoss};
use crate::halfspaces::hinge::{Hinge, unit_points};
use crate::halfspaces::{Dataset, HalfspaceError, Record};
use crate::ledger::old::{Effort, Evidence, LedgerError};
use crate::number::rational::{integer, ratio, to_scientific};
use crate::number::{Enclosure, Grid, Rational, grid::squared_norm};
use crate::privacy::{Budget, NeighbouringRelation, composition};
use crate::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use num_traits::{One, Zero};

const BITS: u32 = 160;

pub(super) fn loss(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let gammas = [(1, 1), (9, 10), (1, 2), (3, 10), (1, 10), (1, 1000)];
    let mut holds = true;
    for (numerator, denominator) in gammas {
        let gamma = ratio(numerator, denominator);
        let hinge = Hinge::of_algorithm_1(&gamma);
        let slope = ratio(100, 86) / &gamma;
        let at = |s: &Rational| ((&hinge.target - s) / &hinge.width).max(Rational::zero());
        holds &= hinge.width.recip() == slope;
        holds &= at(&(&gamma / BigInt::from(10))) == Rational::one();
        holds &= at(&(&gamma * ratio(96, 100))).is_zero();
        holds &= at(&integer(-1)) == (&gamma * integer(96) + integer(100)) / (&gamma * integer(86));
        holds &= hinge.range() == at(&integer(-1));
        // Piecewise linear and falling, so that it is convex: on a grid of margins every second
        // difference is at least 0, every first one at most 0 and at least -slope times the step.
        let values: Vec<Rational> = (-100..=100).map(|s| at(&ratio(s, 100))).collect();
        holds &= values
            .windows(3)
            .all(|w| &w[0] + &w[2] >= &w[1] * integer(2));
        holds &= values
            .windows(2)
            .all(|w| w[1] <= w[0] && &w[0] - &w[1] <= &slope * ratio(1, 100));
    }
    Ok(verified(
        holds,
        "exact identity",
        "gamma in {1, 9/10, 1/2, 3/10, 1/10, 1/1000}, 201 margins each; a maximum of two lines, for all",
    ))
}

fn basis(dimension: usize) -> Vec<Record> {
    (0..dimension)
        .flat_map(|axis| {
            [true, false].map(|positive| Record {
                features: (0..dimension).map(|j| i64::from(j == axis)).collect(),
                positive,
            })
        })
        .collect()
}

fn both_labels(points: &[&[i64]]) -> Vec<Record> {
    points
        .iter()
        .flat_map(|features| {
            [true, false].map(|positive| Record {
                features: features.to_vec(),
                positive,
            })
        })
        .collect()
}

/// Goes through one instance with `exp(epsilon/2) = 3/2`.
fn enumerate(
    domain: Vec<Record>,
    records: usize,
    m: usize,
    gamma: &Rational,
) -> Result<PrivacyRatios, HalfspaceError> {
    let instance = SmallInstance {
        domain,
        records,
        cover: LatticeCover::rounding(m, &(gamma / BigInt::from(10)))?,
        threshold: gamma / BigInt::from(10),
        root: ratio(3, 2),
    };
    instance.ratios(|bad| bad as u32)
}

/// Runs several instances and compares the largest ratio with `e^epsilon = 9/4`.
fn private(instances: Vec<(String, PrivacyRatios)>, scope: &str) -> Evidence {
    let bound = ratio(9, 4);
    let holds = instances
        .iter()
        .all(|(_, found)| found.sums_to_one && found.joint <= bound && found.marginal <= bound);
    let ratios: u64 = instances.iter().map(|(_, found)| found.ratios).sum();
    let mut evidence = verified(
        holds,
        "exact enumeration",
        format!(
            "{scope}: all datasets, neighbours, projections and outputs, {ratios} exact ratios; e^epsilon = 9/4"
        ),
    );
    for (name, found) in instances {
        evidence = evidence.figure(
            name,
            format!(
                "largest ratio {} = {} over {} datasets, {} matrices, {} outputs",
                found.joint,
                to_scientific(&found.joint, 6),
                found.datasets,
                found.matrices,
                found.outputs
            ),
        );
    }
    evidence
}

pub(super) fn pure(effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut instances = vec![
        (
            "m=1 d=2 gamma=1/2 n=2".to_owned(),
            enumerate(basis(2), 2, 1, &ratio(1, 2))?,
        ),
        (
            "m=1 d=2 gamma=1/2 n=6".to_owned(),
            enumerate(basis(2), 6, 1, &ratio(1, 2))?,
        ),
        (
            "m=2 d=2 gamma=9/10 n=2".to_owned(),
            enumerate(basis(2), 2, 2, &ratio(9, 10))?,
        ),
    ];
    if !effort.quick {
        instances.push((
            "m=2 d=2 gamma=9/10 n=4".to_owned(),
            enumerate(basis(2), 4, 2, &ratio(9, 10))?,
        ));
    }
    Ok(private(instances, "unit vectors with both labels"))
}

fn total_instances(effort: &Effort) -> Result<Vec<(String, PrivacyRatios)>, LedgerError> {
    let mut instances = vec![(
        "m=1 d=2 gamma=1/2 n=3, (1,1) and (1,-1)".to_owned(),
        enumerate(both_labels(&[&[1, 1], &[1, -1]]), 3, 1, &ratio(1, 2))?,
    )];
    if !effort.quick {
        instances.push((
            "m=2 d=3 gamma=9/10 n=3, e1 and (1,1,1)".to_owned(),
            enumerate(both_labels(&[&[1, 0, 0], &[1, 1, 1]]), 3, 2, &ratio(9, 10))?,
        ));
        instances.push((
            "m=1 d=2 gamma=1/2 n=3, 0 and e1".to_owned(),
            enumerate(both_labels(&[&[0, 0], &[1, 0]]), 3, 1, &ratio(1, 2))?,
        ));
    }
    Ok(instances)
}

pub(super) fn pure_total(effort: &Effort) -> Result<Evidence, LedgerError> {
    Ok(private(
        total_instances(effort)?,
        "domains in which A x = 0 occurs",
    ))
}

pub(super) fn theorem_10_corrected(effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut instances = total_instances(effort)?;
    instances.push((
        "m=2 d=2 gamma=9/10 n=3".to_owned(),
        enumerate(basis(2), 3, 2, &ratio(9, 10))?,
    ));
    Ok(private(
        instances,
        "joint law of (A, w) and law of w^T A; proof for all in spec/halfspaces.md",
    ))
}

/// The one-dimensional instance of erratum E2.
fn one_dimension(n: u64, epsilon: i64) -> Result<OneDimension, LedgerError> {
    let delta = Rational::new(1.into(), BigInt::from(10).pow(12));
    Ok(OneDimension {
        n,
        k: 4,
        minus: 3,
        claimed: Budget::approximate(integer(epsilon), delta, NeighbouringRelation::Substitute)?,
        grid: Grid::new(3)?,
    })
}

fn describe(evidence: Evidence, instance: &OneDimension, found: &TranscriptLoss) -> Evidence {
    evidence
        .figure(
            "dataset S",
            format!("{} records x = 1 with label +1", instance.n),
        )
        .figure("neighbour S'", "the same with one label -1")
        .figure(
            "event",
            format!(
                "of {} candidates {} end at -1 and the others at +1, and one at -1 is chosen",
                instance.k, instance.minus
            ),
        )
        .figure("Pr[event | S]", &found.agreeing)
        .figure("Pr[event | S']", &found.dissenting)
        .figure("privacy loss of the event", &found.loss)
        .figure("Pr[event | S'] - e^epsilon Pr[event | S]", &found.delta)
}

fn violation(n: u64, epsilon: i64) -> Result<Evidence, LedgerError> {
    let instance = one_dimension(n, epsilon)?;
    let found = instance.as_printed()?;
    let breaks = found.loss.is_above_rational(instance.claimed.epsilon())
        && found.delta.is_above_rational(instance.claimed.delta());
    let scope = format!(
        "the transcript (candidates, choice) at n = {n}, epsilon = {epsilon}, delta = 1e-12, gamma = 1, one dimension, grid 1/8; the final output alone is not refuted"
    );
    Ok(describe(
        refuted(breaks, "certified exact law", scope),
        &instance,
        &found,
    ))
}

pub(super) fn algorithm_3(_effort: &Effort) -> Result<Evidence, LedgerError> {
    violation(3, 12)
}

pub(super) fn procedure_f(effort: &Effort) -> Result<Evidence, LedgerError> {
    if effort.quick {
        violation(3, 16)
    } else {
        violation(5, 6)
    }
}

pub(super) fn overspent(effort: &Effort) -> Result<Evidence, LedgerError> {
    if effort.quick {
        violation(3, 20)
    } else {
        violation(4, 8)
    }
}

fn within_budget(n: u64, epsilon: i64) -> Result<Evidence, LedgerError> {
    let instance = one_dimension(n, epsilon)?;
    let found = instance.with_the_budget_split()?;
    let holds =
        found.loss.is_below_rational(instance.claimed.epsilon()) && found.delta.hi().is_negative();
    let scope =
        format!("the same event at n = {n}, epsilon = {epsilon}; proof for all: basic composition");
    Ok(describe(
        verified(holds, "certified exact law", scope),
        &instance,
        &found,
    ))
}

pub(super) fn split(effort: &Effort) -> Result<Evidence, LedgerError> {
    within_budget(
        if effort.quick { 3 } else { 4 },
        if effort.quick { 20 } else { 8 },
    )
}

pub(super) fn algorithm_3_corrected(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut cases = 0;
    for k in 1..=20u64 {
        for (epsilon, delta) in [
            (ratio(1, 10), ratio(1, 1000)),
            (ratio(1, 1), ratio(1, 1_000_000)),
            (ratio(7, 1), ratio(1, 10)),
        ] {
            let each = Budget::approximate(
                &epsilon / BigInt::from(2 * k),
                &delta / BigInt::from(k),
                NeighbouringRelation::Substitute,
            )?;
            let choice =
                Budget::pure(&epsilon / BigInt::from(2), NeighbouringRelation::Substitute)?;
            let mut parts = vec![each; k as usize];
            parts.push(choice);
            let whole = composition::basic(&parts)?;
            holds &= *whole.epsilon() == epsilon && *whole.delta() == delta;
            cases += 1;
        }
    }
    let within = within_budget(3, 12)?;
    holds &= within.status == crate::ledger::old::Status::Verified;
    let mut evidence = verified(
        holds,
        "exact composition, certified exact law",
        format!(
            "{cases} budgets compose to exactly (epsilon, delta); the event that refutes the printed one stays below epsilon; noise: nuz20.alg-noisegd.corrected, choice: nuz20.alg-F.corrected"
        ),
    );
    evidence.figures = within.figures;
    Ok(evidence)
}

pub(super) fn choice_sensitivity(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let one = 1 << 6;
    let mut holds = true;
    for (numerator, denominator) in [(9, 10), (1, 2), (3, 10), (1, 10)] {
        let gamma = ratio(numerator, denominator);
        let hinge = Hinge::of_algorithm_1(&gamma);
        let expected = (&gamma * integer(96) + integer(100)) / (&gamma * integer(86));
        holds &= hinge.range() == expected;
        // Attained: w = x of norm one, and one label turned.
        let w = [one, 0];
        let others = vec![vec![one / 2, one / 3]; 4];
        let mut with = others.clone();
        with.push(vec![one, 0]);
        let mut against = others;
        against.push(vec![-one, 0]);
        holds &= hinge.total(&w, &against, one) - hinge.total(&w, &with, one) == expected;
        // Never exceeded, over all pairs of points of a coarse grid.
        let ball: Vec<Vec<i64>> = (-4..=4i64)
            .flat_map(|x| (-4..=4i64).map(move |y| vec![x, y]))
            .filter(|p| squared_norm(p) <= 16)
            .collect();
        for w in &ball {
            let losses: Vec<Rational> = ball
                .iter()
                .map(|p| hinge.total(w, std::slice::from_ref(p), 4))
                .collect();
            let least = losses.iter().min().cloned().unwrap_or_else(Rational::zero);
            holds &= losses.iter().all(|l| l - &least <= expected);
        }
    }
    Ok(verified(
        holds,
        "exact enumeration",
        "gamma in {9/10, 1/2, 3/10, 1/10}: attained at w = x, and not exceeded by any pair of the 49 points of the disc on the grid 1/4",
    ))
}

fn dataset(records: Vec<Record>) -> Result<Dataset, HalfspaceError> {
    let dimension = records.first().map_or(0, |record| record.features.len());
    Dataset::new(Grid::new(4)?, dimension, records)
}

fn record(features: &[i64], positive: bool) -> Record {
    Record {
        features: features.to_vec(),
        positive,
    }
}

/// The share of the m x d sign matrices that send `x` to zero, by enumeration.
fn share_sent_to_zero(m: usize, x: &[i64]) -> Result<Rational, HalfspaceError> {
    let mut zero = 0u64;
    let mut all = 0u64;
    for matrix in SignMatrix::all(m, x.len())? {
        all += 1;
        zero += u64::from(matrix.apply(x)?.iter().all(|&v| v == 0));
    }
    Ok(Rational::new(zero.into(), all.into()))
}

pub(super) fn undefined_direction(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // (C(d, d/2) / 2^d)^m for balanced signs.
    let table = [
        (1, 2, ratio(1, 2)),
        (2, 2, ratio(1, 4)),
        (3, 2, ratio(1, 8)),
        (5, 2, ratio(1, 32)),
        (1, 4, ratio(3, 8)),
        (2, 4, ratio(9, 64)),
        (3, 4, ratio(27, 512)),
        (5, 4, ratio(243, 32_768)),
    ];
    let mut stands = true;
    let mut evidence = refuted(
        true,
        "exact enumeration",
        "all matrices, balanced sign vectors; and x = 0, for which A x = 0 always",
    );
    for (m, d, expected) in table {
        let x: Vec<i64> = (0..d).map(|j| if j % 2 == 0 { 1 } else { -1 }).collect();
        let share = share_sent_to_zero(m, &x)?;
        stands &= share == expected;
        evidence = evidence.figure(format!("Pr[A x = 0], m = {m}, d = {d}"), share);
    }
    if !stands {
        evidence.status = crate::ledger::old::Status::Open;
    }
    Ok(evidence)
}

/// What the literal algorithm does on neighbouring datasets, of which one holds the origin.
fn literal_algorithm_leaks(statement: &str) -> Result<Evidence, LedgerError> {
    let budget = Budget::approximate(
        integer(1),
        ratio(1, 1_000_000),
        NeighbouringRelation::Substitute,
    )?;
    let with_origin = dataset(vec![record(&[8, 0], true), record(&[0, 0], true)])?;
    let without = dataset(vec![record(&[8, 0], true), record(&[0, 8], true)])?;
    let run = |data: &Dataset| {
        let mut coins = crate::coins::ChaCha::reproducible(1, 0);
        as_printed::learn_not_private(
            data,
            &budget,
            (&ratio(1, 2), &ratio(1, 2)),
            Some(3),
            &mut coins,
        )
    };
    let undefined = matches!(run(&with_origin), Err(HalfspaceError::Undefined { .. }));
    let defined = run(&without).is_ok();
    // The probabilities, over all 64 matrices of the run's shape: of the origin on S, and of either point on S'.
    let on_s = share_sent_to_zero(3, &[0, 0])?;
    let on_s_prime = share_sent_to_zero(3, &[8, 0])? + share_sent_to_zero(3, &[0, 8])?;
    Ok(refuted(
        undefined && defined && on_s.is_one() && on_s_prime.is_zero(),
        "exact counterexample",
        format!("{statement}: the event 'no result' has probability 1 on S and 0 on S' (a row of signs never sends a multiple of a unit vector to zero)"),
    )
    .figure("dataset S", "e1/2 and the origin, both labelled +1")
    .figure("neighbour S'", "e1/2 and e2/2, both labelled +1")
    .figure("event", "A x / |A x| is undefined")
    .figure("Pr[event | S]", on_s)
    .figure("Pr[event | S'], at most", on_s_prime))
}

pub(super) fn theorem_8(_effort: &Effort) -> Result<Evidence, LedgerError> {
    literal_algorithm_leaks("Algorithm 3 as printed, x = 0 in one of two neighbours")
}

pub(super) fn theorem_10(_effort: &Effort) -> Result<Evidence, LedgerError> {
    literal_algorithm_leaks(
        "step 2, which Algorithms 2 and 3 share, with x = 0 in one of two neighbours",
    )
}

pub(super) fn total_direction(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut cases = 0;
    let points: [&[i64]; 5] = [&[0, 0], &[5, -5], &[8, 3], &[-11, 11], &[1, 0]];
    let data = dataset(points.iter().map(|p| record(p, true)).collect())?;
    let alone = dataset(vec![record(points[1], true), record(points[3], false)])?;
    for m in 1..=4 {
        for matrix in SignMatrix::all(m, 2)? {
            let images = unit_points(&data, Some(&matrix))?;
            // Norm at most one, and close to one: each coordinate loses less than a step.
            holds &= images.iter().all(|v| {
                let norm = squared_norm(v);
                norm <= 256 && norm > 0
            });
            // Record by record: the same record has the same image in another dataset.
            holds &= unit_points(&alone, Some(&matrix))?[0] == images[1];
            cases += images.len();
        }
    }
    Ok(verified(
        holds,
        "exact enumeration",
        format!(
            "all matrices up to 4 x 2, five records with 0 and balanced ones among them: {cases} images"
        ),
    ))
}

pub(super) fn exponential_mechanism(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let found = enumerate(basis(2), 6, 1, &ratio(1, 2))?;
    let mut holds = found.joint <= ratio(9, 4);
    let mut cases = 0;
    let mut worst = Enclosure::integer(0, BITS);
    for epsilon in [ratio(1, 10), integer(1), integer(5)] {
        for failure in [ratio(1, 2), ratio(1, 20), ratio(1, 1000)] {
            for best in [1u32, 3, 50] {
                let classes: Vec<ScoreClass> = (0..40i64)
                    .map(|loss| ScoreClass {
                        loss: integer(loss),
                        count: if loss == 0 {
                            best.into()
                        } else {
                            (loss * loss).unsigned_abs().into()
                        },
                    })
                    .collect();
                let outcomes: Rational = classes
                    .iter()
                    .map(|c| Rational::from(BigInt::from(c.count.clone())))
                    .sum();
                let mechanism = ExponentialMechanism::new(epsilon.clone(), integer(1), classes)?;
                let reach = Enclosure::of(&(ratio(2, 1) / &epsilon), BITS)
                    * Enclosure::of(&(outcomes / &failure), BITS).ln()?;
                let mut beyond = Enclosure::integer(0, BITS);
                for class in 0..40usize {
                    if !Enclosure::integer(class, BITS).is_below(&reach) {
                        beyond = beyond + mechanism.pmf(&class, BITS)?;
                    }
                }
                let share = beyond.divided_by(&Enclosure::of(&failure, BITS))?;
                holds &=
                    !share.is_above_rational(&Rational::one()) && share.upper() <= Rational::one();
                worst = worst.max(&share);
                cases += 1;
            }
        }
    }
    Ok(verified(
        holds,
        "exact enumeration, certified enclosure",
        format!(
            "privacy: {} exact ratios at n = 6; utility: {cases} instances of 40 score classes",
            found.ratios
        ),
    )
    .figure("largest ratio at n = 6", format!("{} <= 9/4", found.joint))
    .figure("largest failure probability, relative to delta", worst))
}
