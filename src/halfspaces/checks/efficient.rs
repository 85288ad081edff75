//! The efficient learner of Section 3: its loss, its theorems and its privacy.

use super::projection::share_sent_to_zero;
use super::record;
use crate::claim::{Check, Trouble};
use crate::geometry::SignMatrix;
use crate::halfspaces::as_printed;
use crate::halfspaces::steps::{Hinge, unit_points};
use crate::halfspaces::{Dataset, HalfspaceError};
use crate::number::rational::{integer, ratio};
use crate::number::{Grid, Rational, grid::squared_norm};
use crate::privacy::{Budget, NeighbouringRelation};
use num_traits::{One, Zero};

/// `nuz20.alg1`: the loss of step 4, as the learners evaluate it, against the printed formula.
pub(super) fn loss(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "gamma in {1, 9/10, 1/2, 3/10, 1/10, 1/1000}, the margins -1, -99/100, ..., 1 and gamma/10",
    );
    // w = 1 and the point s on the line, in steps of 1/1000 gamma: margin s.
    for (numerator, denominator) in [(1, 1), (9, 10), (1, 2), (3, 10), (1, 10), (1, 1000)] {
        let gamma = ratio(numerator, denominator);
        let hinge = Hinge::of_algorithm_1(&gamma);
        let one = 10_000i64;
        let shipped = |steps: i64| hinge.total(&[one], &[vec![steps]], one);
        let mut losses = Vec::new();
        for percent in -100..=100i64 {
            let s = ratio(percent, 100);
            let target = &gamma * ratio(96, 100);
            let printed = if s < target {
                ratio(96, 86) - &s / (ratio(86, 100) * &gamma)
            } else {
                Rational::zero()
            };
            let loss = shipped(percent * one / 100);
            let instance = format!("gamma = {gamma}, y <w,x> = {s}");
            check.holds(loss == printed, &instance);
            check.holds(
                s >= &gamma / integer(10) || loss > Rational::one(),
                &instance,
            );
            check.holds(s < target || loss.is_zero(), &instance);
            losses.push(loss);
        }
        let tenth = shipped(one * numerator / (10 * denominator));
        check.holds(
            tenth.is_one(),
            format_args!("gamma = {gamma}, margin gamma/10"),
        );
        for (place, three) in losses.windows(3).enumerate() {
            check.holds(
                &three[0] + &three[2] >= &three[1] * integer(2),
                format_args!("convex at gamma = {gamma}, place {place}"),
            );
        }
        let steepest = losses
            .windows(2)
            .map(|two| (&two[0] - &two[1]) * integer(100));
        let steepest = steepest.max().unwrap_or_else(Rational::zero);
        let slope = ratio(100, 86) / &gamma;
        check.attained(format_args!("slope at gamma = {gamma}"), &steepest, &slope);
        let range = (&gamma * integer(96) + integer(100)) / (&gamma * integer(86));
        let largest = losses.iter().max().cloned().unwrap_or_else(Rational::zero);
        check.attained(format_args!("loss at gamma = {gamma}"), &largest, &range);
    }
    Ok(())
}

/// `nuz20.thm3`.
pub(super) fn theorem_3(check: &mut Check) -> Result<(), Trouble> {
    check.left_open(
        "an existence statement whose polylog has no constants; its explicit form rests on a last-iterate theorem \
         of Shamir and Zhang (2013) that is not re-proved here; nuz20.full-batch does without it",
    );
    Ok(())
}

/// `nuz20.claim6.1`.
pub(super) fn claim_6_1(check: &mut Check) -> Result<(), Trouble> {
    check.left_open(
        "follows from Theorem 3, which is open; nuz20.thm6.corrected has the explicit form for full gradients",
    );
    Ok(())
}

/// `nuz20.thm8`.
pub(super) fn theorem_8(check: &mut Check) -> Result<(), Trouble> {
    const COUNTEREXAMPLE: &str =
        "S = {e1/2, 0}, S' = {e1/2, e2/2}: A x / |A x| has no value, with probability 1 and 0";
    check.exact("Algorithm 3 as printed on S and S', 3 rows, three seeds; all 64 matrices");
    let grid = Grid::new(4)?;
    let data =
        |second: &[i64]| Dataset::new(grid, 2, vec![record(&[8, 0], true), record(second, true)]);
    let (with_origin, without) = (data(&[0, 0])?, data(&[0, 8])?);
    let budget = Budget::approximate(
        integer(1),
        ratio(1, 1_000_000),
        NeighbouringRelation::Substitute,
    )?;
    let half = ratio(1, 2);
    for seed in 1..=3 {
        let run = |data: &Dataset| {
            let mut coins = crate::coins::ChaCha::reproducible(seed, 0);
            as_printed::learn_not_private(data, &budget, (&half, &half), Some(3), &mut coins)
        };
        let undefined = matches!(run(&with_origin), Err(HalfspaceError::Undefined { .. }));
        check.refutes(undefined && run(&without).is_ok(), COUNTEREXAMPLE);
    }
    let on_s = share_sent_to_zero(3, &[0, 0])?;
    let on_s_prime = share_sent_to_zero(3, &[8, 0])? + share_sent_to_zero(3, &[0, 8])?;
    check.refutes(on_s.is_one() && on_s_prime.is_zero(), COUNTEREXAMPLE);
    check.figure("Pr[no result | S]", on_s);
    check.figure("Pr[no result | S'], at most", on_s_prime);
    // The other reading: with x_A total there is a result on S for every matrix.
    let mut defined = 0u64;
    for matrix in SignMatrix::all(3, 2)? {
        let images = unit_points(&with_origin, Some(&matrix))?;
        let each = images.iter().all(|image| squared_norm(image) > 0);
        check.holds(each, format_args!("x_A total, A = {matrix:?}"));
        defined += u64::from(each);
    }
    check.figure(
        "matrices of 64 for which a total x_A is defined on S",
        defined,
    );
    Ok(())
}

/// `nuz20.e5`.
pub(super) fn post_processing(check: &mut Check) -> Result<(), Trouble> {
    check.exact("m = d = 1: A = -1 and +1, s = -1 and +1");
    // Pr[w = 1 | s] and Pr[w^T A = s | s], over a fair sign A and w = A s.
    let mut laws = Vec::new();
    for s in [-1i64, 1] {
        let signs = [-1i64, 1];
        let share = |event: &dyn Fn(i64) -> bool| {
            let count = signs.iter().filter(|&&a| event(a)).count();
            Rational::new(count.into(), signs.len().into())
        };
        let plus = share(&|a| a * s == 1);
        let reveals = share(&|a| (a * s) * a == s);
        check.figure(format_args!("Pr[w = 1 | s = {s}]"), &plus);
        check.figure(format_args!("Pr[w^T A = s | s = {s}]"), &reveals);
        laws.push((plus, reveals));
    }
    check.refutes(
        laws[0].0 == laws[1].0 && laws.iter().all(|(_, reveals)| reveals.is_one()),
        "m = d = 1, A = +-1 fair, data a sign s, w = A s: w is uniform, and w^T A = s",
    );
    Ok(())
}

/// `nuz20.e5.corrected`: the delta of the pair, over all events, is at most the largest delta given A.
pub(super) fn joint_law(check: &mut Check) -> Result<(), Trouble> {
    let parts = if check.quick() { 2 } else { 3 };
    check.exact(format_args!(
        "two matrices of probabilities 1/2, 1/2 and 1/3, 2/3; all laws on three values with denominator {parts}; e^epsilon in {{1, 3/2, 3}}; all 64 events"
    ));
    let mut laws = Vec::new();
    for a in 0..=parts {
        laws.extend((0..=parts - a).map(|b| [a, b, parts - a - b]));
    }
    let mut attained = 0u64;
    for (numerator, denominator) in [(1, 1), (3, 2), (3, 1)] {
        // Pr - e^epsilon Pr', times all denominators: an integer.
        let excess = |p: &[i64; 3], q: &[i64; 3]| {
            [0, 1, 2].map(|value| denominator * p[value] - numerator * q[value])
        };
        let delta = |excess: &[i64; 3]| -> i64 { excess.iter().map(|&e| e.max(0)).sum() };
        for (first, second) in [(1, 1), (1, 2)] {
            for p in &laws {
                for p_prime in &laws {
                    let given_first = excess(p, p_prime);
                    for q in &laws {
                        for q_prime in &laws {
                            let given_second = excess(q, q_prime);
                            let worst = (0..64u32)
                                .map(|event| {
                                    let inside = |place: usize| i64::from(event >> place & 1);
                                    (0..3)
                                        .map(|value| {
                                            first * given_first[value] * inside(value)
                                                + second * given_second[value] * inside(value + 3)
                                        })
                                        .sum::<i64>()
                                })
                                .max()
                                .unwrap_or(0);
                            let promised = delta(&given_first).max(delta(&given_second));
                            check.holds(
                                worst <= promised * (first + second),
                                format_args!(
                                    "e^epsilon = {numerator}/{denominator}, laws {p:?}, {q:?} and {p_prime:?}, {q_prime:?}"
                                ),
                            );
                            attained += u64::from(worst == promised * (first + second));
                        }
                    }
                }
            }
        }
    }
    check.figure("pairs of laws that attain the bound", attained);
    Ok(())
}
