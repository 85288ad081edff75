//! Section 3 and what its proofs use: the loss, the projection, the sample complexity.

use super::{BITS, dot, of, record};
use crate::claim::{Check, Trouble};
use crate::geometry::{SignMatrix, johnson_lindenstrauss};
use crate::halfspaces::as_printed;
use crate::halfspaces::bounds::{Goal, Net, full_batch_best, pure, theorem_6, theorem_11};
use crate::halfspaces::steps::{Hinge, unit_points};
use crate::halfspaces::{Dataset, HalfspaceError};
use crate::number::rational::{integer, ratio, to_scientific};
use crate::number::{Enclosure, Grid, NumberError, Rational, grid::squared_norm};
use crate::privacy::{Budget, NeighbouringRelation};
use crate::stats::binomial;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

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

/// The share of the `m x d` sign matrices that send `x` to zero, by enumeration.
pub(super) fn share_sent_to_zero(m: usize, x: &[i64]) -> Result<Rational, Trouble> {
    let (mut zero, mut all) = (0u64, 0u64);
    for matrix in SignMatrix::all(m, x.len())? {
        all += 1;
        zero += u64::from(matrix.apply(x)?.iter().all(|&v| v == 0));
    }
    Ok(Rational::new(zero.into(), all.into()))
}

/// The counterexample of `nuz20.e4` and `nuz20.thm10`.
pub(super) const SENT_TO_ZERO: &str =
    "d = 2, x = (1, -1)/sqrt 2: A x = 0 with probability 2^-m; for (1, 0) never";

/// `nuz20.e4`.
pub(super) fn undefined_direction(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all matrices, m in {1, 2, 3, 5}, balanced signs in d = 2 and 4; x = 0");
    for d in [2u32, 4] {
        for m in [1u32, 2, 3, 5] {
            let x: Vec<i64> = (0..d).map(|j| if j % 2 == 0 { 1 } else { -1 }).collect();
            let share = share_sent_to_zero(m as usize, &x)?;
            // (C(d, d/2) / 2^d)^m
            let row = Rational::new(num_integer::binomial(d, d / 2).into(), (1u32 << d).into());
            check.holds(share == row.pow(m as i32), format_args!("m = {m}, d = {d}"));
            if d == 2 {
                let never = share_sent_to_zero(m as usize, &[1, 0])?.is_zero();
                check.refutes(share.is_positive() && never, SENT_TO_ZERO);
            }
            check.figure(format_args!("Pr[A x = 0], m = {m}, d = {d}"), share);
        }
    }
    let origin = share_sent_to_zero(3, &[0, 0])?;
    check.holds(origin.is_one(), "x = 0 is sent to 0 by every matrix");
    Ok(())
}

/// `nuz20.e4.corrected`.
pub(super) fn total_direction(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all matrices of 1 to 4 rows and 2 columns; 0, (5, -5), (8, 3), (-11, 11), (1, 0) on the grid 1/16");
    let points: [&[i64]; 5] = [&[0, 0], &[5, -5], &[8, 3], &[-11, 11], &[1, 0]];
    let grid = Grid::new(4)?;
    let one = grid.one();
    let alone = |x: &[i64], positive| Dataset::new(grid, 2, vec![record(x, positive); 2]);
    let together = Dataset::new(grid, 2, points.iter().map(|x| record(x, true)).collect())?;
    for m in 1..=4usize {
        for matrix in SignMatrix::all(m, 2)? {
            let images = unit_points(&together, Some(&matrix))?;
            for (x, image) in points.iter().zip(&images) {
                let instance = format!("A = {matrix:?}, x = {x:?}");
                let v = matrix.apply(x)?;
                let norm = squared_norm(&v);
                if norm == 0 {
                    let mut first = vec![0; m];
                    first[0] = one;
                    check.holds(*image == first, &instance);
                } else {
                    // Each coordinate is v_i/|v| towards zero: u^2 |v|^2 <= one^2 v_i^2 < (u + 1)^2 |v|^2.
                    let rounded = image.iter().zip(&v).all(|(&u, &v)| {
                        let (size, square) = (u.unsigned_abs() as u128, (v * v) as u128);
                        let exact = (one as u128).pow(2) * square;
                        u * v >= 0
                            && size.pow(2) * norm <= exact
                            && exact < (size + 1).pow(2) * norm
                    });
                    check.holds(rounded, &instance);
                }
                check.holds(squared_norm(image) <= (one as u128).pow(2), &instance);
                // Record by record: alone, and with the other label.
                let single = unit_points(&alone(x, true)?, Some(&matrix))?;
                check.holds(single[0] == *image, &instance);
                let turned = unit_points(&alone(x, false)?, Some(&matrix))?;
                let negative: Vec<i64> = image.iter().map(|u| -u).collect();
                check.holds(turned[0] == negative, &instance);
            }
        }
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

/// `nuz20.lem7`.
pub(super) fn lemma_7(check: &mut Check) -> Result<(), Trouble> {
    check.left_open(
        "cited (Anthony and Bartlett 2009, Theorem 5.7) and not re-proved here for every zeta; the case zeta = 1 \
         is proved under nuz20.claim6.2.corrected",
    );
    Ok(())
}

/// `kappa^2/4 - kappa^3/6`.
fn exponent(kappa: &Rational) -> Rational {
    kappa.pow(2) / integer(4) - kappa.pow(3) / integer(6)
}

/// `nuz20.lem4`.
pub(super) fn johnson_lindenstrauss_lemma(check: &mut Check) -> Result<(), Trouble> {
    type Case<'a> = (&'a [i64], usize, (i64, i64));
    let cases: &[Case] = &[
        (&[1, 1], 20, (1, 2)),
        (&[1, 1, 1, 1], 40, (1, 2)),
        (&[1, 1, 1], 60, (2, 5)),
        (&[3, 1, 2], 30, (3, 4)),
        (&[5, 0, 0, 1], 25, (1, 1)),
        (&[1, 1, 1, 1, 1, 1, 1, 1], 200, (3, 10)),
        (&[1, 1, 1, 1, 1, 1, 1, 1], 400, (3, 10)),
    ];
    let cases = if check.quick() { &cases[..5] } else { cases };
    check.certified(format_args!(
        "{} pairs of a vector and m, the exact failure probability over all sign matrices by convolution",
        cases.len()
    ));
    for (x, m, (numerator, denominator)) in cases {
        let kappa = ratio(*numerator, *denominator);
        let failure = johnson_lindenstrauss::failure_probability(x, *m, &kappa)?;
        let decay = exponent(&kappa) * integer(*m);
        let bound = Enclosure::exp_of(&-&decay, BITS)?.shifted(1);
        let instance = format!("x = {x:?}, m = {m}, kappa = {kappa}");
        check.holds(bound.lower() >= failure, &instance);
        check.figure(
            &instance,
            format_args!(
                "fails with probability {}, bound {}",
                to_scientific(&failure, 4),
                to_scientific(&bound.upper(), 4)
            ),
        );
        if *m >= 200 {
            // In the exponent: m E(kappa) of ln(2/failure).
            let reached = of(&(integer(2) / failure)).ln()?;
            check.attained(
                format_args!("exponent, {instance}"),
                &decay,
                &reached.lower(),
            );
        }
    }
    check.certified("the dimension that the code computes is the least for the bound, two pairs");
    for (beta, kappa) in [
        (ratio(1, 10), ratio(1, 2)),
        (ratio(1, 1_000_000_000), ratio(9, 1000)),
    ] {
        let m = johnson_lindenstrauss::dimension(&beta, &kappa)?;
        let bound = |m: u64| -> Result<Enclosure, NumberError> {
            Ok(Enclosure::exp_of(&(-exponent(&kappa) * integer(m)), BITS)?.shifted(1))
        };
        let instance = format!("b = {beta}, kappa = {kappa}: m = {m}");
        check.holds(bound(m)?.upper() <= beta, &instance);
        check.holds(bound(m - 1)?.lower() > beta, &instance);
    }
    Ok(())
}

/// `nuz20.lem5`.
pub(super) fn lemma_5(check: &mut Check) -> Result<(), Trouble> {
    check.exact("d = 2, the matrices of 1, 2 and 20 rows that are all (1, 1)");
    let (x, w) = ([1i64, -1], [1i64, -1]);
    for m in [1usize, 2, 20] {
        let matrix = SignMatrix::from_signs(&vec![vec![1, 1]; m])?;
        let (ax, aw) = (matrix.apply(&x)?, matrix.apply(&w)?);
        // The point mass at (x, +): all of it, or nothing.
        let kept = u64::from(dot(&ax, &aw) > 0);
        check.refutes(
            kept == 0,
            "d = 2, all rows of A (1, 1)/sqrt m, D the point mass at x = w* = (1, -1)/sqrt 2, y = 1",
        );
        check.figure(format_args!("share that keeps its margin, m = {m}"), kept);
    }
    Ok(())
}

/// Integer vectors of one norm, so that all pairs are unit vectors up to one common scale.
fn sphere(squared: i64) -> Vec<[i64; 3]> {
    let line = || -3..=3i64;
    let mut points = Vec::new();
    for x in line() {
        for y in line() {
            points.extend(line().map(|z| [x, y, z]).filter(|p| dot(p, p) == squared));
        }
    }
    points
}

/// `<Aw,Ax>/(|Aw||Ax|) >= (gamma - kappa)/(1 - gamma kappa)`, in integers and squared.
fn keeps_margin((xx, ww, xw): (i64, i64, i64), promised: &Rational) -> bool {
    xw > 0 && integer(xw * xw) >= promised.pow(2) * integer(xx) * integer(ww)
}

/// `nuz20.lem5.corrected`.
pub(super) fn lemma_5_corrected(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 2 } else { 3 };
    check.exact(format_args!(
        "all matrices of 2 to {most} rows and 3 columns, all pairs of integer vectors of squared norm 3 and of 9, the least kappa that covers both tails"
    ));
    let mut implications = 0u64;
    let mut nearest = Rational::zero();
    for m in 2..=most {
        for matrix in SignMatrix::all(m, 3)? {
            for squared in [3, 9] {
                for x in &sphere(squared) {
                    let ax = matrix.apply(x)?;
                    for w in &sphere(squared) {
                        let s = dot(x, w);
                        if s <= 0 {
                            continue;
                        }
                        let aw = matrix.apply(w)?;
                        let (xx, ww, xw) = (dot(&ax, &ax), dot(&aw, &aw), dot(&ax, &aw));
                        let m = m as i64;
                        // |A(x+w)|^2 >= (1 - kappa) |x+w|^2 and |A(x-w)|^2 <= (1 + kappa) |x-w|^2.
                        let short = Rational::one()
                            - Rational::new(
                                (xx + 2 * xw + ww).into(),
                                (m * 2 * (squared + s)).into(),
                            );
                        let long = if s == squared {
                            Rational::zero()
                        } else {
                            Rational::new((xx - 2 * xw + ww).into(), (m * 2 * (squared - s)).into())
                                - Rational::one()
                        };
                        let kappa = short.max(long).max(Rational::zero());
                        let gamma = Rational::new(s.into(), squared.into());
                        if kappa >= gamma {
                            continue;
                        }
                        let promised = (&gamma - &kappa) / (Rational::one() - &gamma * &kappa);
                        check.holds(
                            keeps_margin((xx, ww, xw), &promised),
                            format_args!("A = {matrix:?}, x = {x:?}, w = {w:?}, kappa = {kappa}"),
                        );
                        let share = promised.pow(2) * integer(xx) * integer(ww) / integer(xw * xw);
                        nearest = nearest.max(share);
                        implications += 1;
                    }
                }
            }
        }
    }
    check.attained(
        "square of the margin promised, of the margin kept",
        &nearest,
        &Rational::one(),
    );
    check.figure("implications", implications);
    over_all_matrices(check)
}

/// The probability over `A` that a fixed record keeps its margin. In three dimensions a row and its negative
/// do the same, so that a matrix is four numbers of rows, with a multinomial law.
fn over_all_matrices(check: &mut Check) -> Result<(), Trouble> {
    let m = if check.quick() { 20 } else { 40 };
    check.certified(format_args!(
        "the exact probability over all matrices of {m} rows and 3 columns, two records, kappa in {{1/2, 3/4}}"
    ));
    let rows = [[1i64, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];
    let choose = |n: i64, k: i64| num_integer::binomial(BigInt::from(n), BigInt::from(k));
    for (x, w) in [([2i64, 2, 1], [2i64, 1, 2]), ([1, 2, 2], [2, 2, 1])] {
        let squared = dot(&x, &x);
        let gamma = Rational::new(dot(&x, &w).into(), squared.into());
        for kappa in [ratio(1, 2), ratio(3, 4)] {
            let promised = (&gamma - &kappa) / (Rational::one() - &gamma * &kappa);
            let mut lost = BigInt::ZERO;
            for a in 0..=m {
                for b in 0..=m - a {
                    for c in 0..=m - a - b {
                        let counts = [a, b, c, m - a - b - c];
                        let (mut xx, mut ww, mut xw) = (0, 0, 0);
                        for (row, count) in rows.iter().zip(counts) {
                            let (rx, rw) = (dot(row, &x), dot(row, &w));
                            xx += count * rx * rx;
                            ww += count * rw * rw;
                            xw += count * rx * rw;
                        }
                        if !keeps_margin((xx, ww, xw), &promised) {
                            lost += choose(m, a) * choose(m - a, b) * choose(m - a - b, c);
                        }
                    }
                }
            }
            let lost = Rational::new(lost, BigInt::from(4).pow(m as u32));
            let bound = Enclosure::exp_of(&(-exponent(&kappa) * integer(m)), BITS)?.shifted(1);
            let instance = format!("x = {x:?}, w = {w:?}, kappa = {kappa}");
            check.holds(lost <= bound.lower(), &instance);
            check.figure(
                format_args!("margin {promised} lost, {instance}"),
                format_args!(
                    "with probability {}, bound {}",
                    to_scientific(&lost, 4),
                    to_scientific(&bound.upper(), 4)
                ),
            );
        }
    }
    Ok(())
}

/// What the first display of the proof of Lemma 5 proves for a record of this norm and margin
/// `y <w*,x> >= margin`, `(1 - kappa^2) margin - kappa (1 + kappa) (|x|^2 + 1)/2`, at `kappa = gamma/100`.
fn display(gamma: &Rational, margin: &Rational, norm: &Rational) -> Rational {
    let one = Rational::one();
    let kappa = gamma / integer(100);
    let lost = &kappa * (&one + &kappa) * (norm.pow(2) + &one) / integer(2);
    (one - kappa.pow(2)) * margin - lost
}

/// `nuz20.e9`.
pub(super) fn short_records(check: &mut Check) -> Result<(), Trouble> {
    check.exact("gamma = 1/2, |x| in {1, 1/10, 1/100, 1/1000}");
    let gamma = ratio(1, 2);
    for denominator in [1, 10, 100, 1000] {
        let norm = ratio(1, denominator);
        let used = ratio(98, 100) * &gamma * &norm;
        let proved = display(&gamma, &(&gamma * &norm), &norm);
        if denominator > 1 {
            check.refutes(
                proved < used,
                "gamma = 1/2 relative to |x|, and |x| = 1/10 or less",
            );
        }
        check.figure(
            format_args!("relative margin, |x| = {norm}"),
            format_args!(
                "proved {}, used {}",
                to_scientific(&proved, 4),
                to_scientific(&used, 4)
            ),
        );
        // Under Definition 1 the margin is y <w*,x> itself.
        let proved = display(&gamma, &gamma, &norm);
        check.holds(
            proved >= ratio(98, 100) * &gamma,
            format_args!("Definition 1, |x| = {norm}"),
        );
        check.figure(
            format_args!("margin of Definition 1, |x| = {norm}"),
            format_args!("proved {}, used 0.49", to_scientific(&proved, 4)),
        );
    }
    Ok(())
}

/// The margin that the chain of the proof of Lemma 5 gives for unit vectors.
pub(super) fn margin_of_lemma_5(gamma: &Rational) -> Rational {
    display(gamma, gamma, &Rational::one()) / (Rational::one() + gamma / integer(100))
}

/// `nuz20.e9.corrected`.
pub(super) fn scale_free(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "four directions at 20 norms, all matrices of 3 rows and 2 columns; gamma = 1/100, ..., 1",
    );
    let grid = Grid::new(10)?;
    for matrix in SignMatrix::all(3, 2)? {
        for base in [[3i64, 4], [5, -12], [1, 0], [-7, -7]] {
            let image = |factor: i64| {
                let x = base.map(|v| v * factor);
                let data = Dataset::new(grid, 2, vec![record(&x, true), record(&x, false)])?;
                unit_points(&data, Some(&matrix))
            };
            let first = image(1)?;
            for factor in 2..=20 {
                check.holds(
                    image(factor)? == first,
                    format_args!("A = {matrix:?}, x = {factor} {base:?}"),
                );
            }
        }
    }
    let mut nearest = Rational::zero();
    for percent in 1..=100 {
        let gamma = ratio(percent, 100);
        let margin = margin_of_lemma_5(&gamma);
        let formula = &gamma * (ratio(99, 100) - &gamma / integer(100));
        check.holds(margin == formula, format_args!("gamma = {gamma}"));
        nearest = nearest.max(ratio(98, 100) * gamma / margin);
    }
    check.attained(
        "0.98 gamma, of the margin that the chain gives",
        &nearest,
        &Rational::one(),
    );
    Ok(())
}

/// Orthonormal points `N = floor(1/gamma^2)`: all their labellings have margin gamma.
fn orthonormal_points(gamma: &Rational) -> BigInt {
    gamma.pow(-2).to_integer()
}

/// The records that every learner needs, whatever epsilon: `(N - 1) ln(1/(2 alpha + 2 beta))`.
fn needed_without_privacy(
    alpha: &Rational,
    beta: &Rational,
    gamma: &Rational,
) -> Result<BigUint, NumberError> {
    let log = of(&(integer(2) * (alpha + beta)).recip()).ln()?;
    let needed = of(&integer(orthonormal_points(gamma) - 1)) * log;
    Ok(needed.lo().ceil().to_biguint().unwrap_or_default())
}

/// The counterexample of Theorems 6 and 11 and of Claims 6.2 and 14.2.
const LARGE_EPSILON: &str = "alpha = beta = 1/10, gamma = 3/10, epsilon to infinity: 11 orthonormal points labelled by fair coins";

/// That `n = polylog/(alpha epsilon gamma^2)` is too small for large epsilon.
fn too_few_for_large_epsilon(check: &mut Check) -> Result<(), Trouble> {
    check.certified("alpha = beta = 1/10, gamma = 3/10, epsilon = 10^2, 10^4, 10^6 and 10^40");
    let (alpha, beta, gamma) = (ratio(1, 10), ratio(1, 10), ratio(3, 10));
    let needed = needed_without_privacy(&alpha, &beta, &gamma)?;
    // One record fewer, exactly: a point is unseen with probability (1 - 1/N)^n, and then wrong with 1/2.
    let points = orthonormal_points(&gamma);
    let fewer = u32::try_from(&needed)? - 1;
    let seen_by_none =
        (Rational::one() - Rational::new(1.into(), points.clone())).pow(fewer as i32);
    check.holds(
        seen_by_none / integer(2) > &alpha + &beta,
        format_args!("{fewer} records on {points} points"),
    );
    let bare = |epsilon: &Rational| (&alpha * epsilon * gamma.pow(2)).recip();
    for power in [2u32, 4, 6] {
        let printed = bare(&integer(BigInt::from(10).pow(power)));
        check.holds(
            printed < integer(BigInt::from(needed.clone())),
            format_args!("epsilon = 10^{power}: {printed} of {needed} records"),
        );
        check.figure(
            format_args!("epsilon = 10^{power}"),
            format_args!(
                "1/(alpha epsilon gamma^2) = {}, needed at least {needed}",
                to_scientific(&printed, 3)
            ),
        );
    }
    // With logarithms: the fourth power of the product of those of all parameters.
    let epsilon = integer(BigInt::from(10).pow(40));
    let mut logs = of(&epsilon).ln()?;
    for parameter in [&alpha, &beta, &gamma] {
        logs = logs * of(&parameter.recip()).ln()?;
    }
    let printed = logs.power(4) * of(&bare(&epsilon));
    check.refutes(
        printed.is_below_rational(&Rational::one()) && needed > BigUint::one(),
        LARGE_EPSILON,
    );
    check.figure(
        "the printed n at epsilon = 10^40 with (ln(1/alpha) ln(1/beta) ln(1/gamma) ln(epsilon))^4",
        printed,
    );
    Ok(())
}

/// `nuz20.thm6`.
pub(super) fn theorem_6_at_large_epsilon(check: &mut Check) -> Result<(), Trouble> {
    too_few_for_large_epsilon(check)?;
    let (tenth, gamma) = (ratio(1, 10), ratio(3, 10));
    let goal = Goal::new(tenth.clone(), tenth, gamma, integer(1))?;
    let delta = ratio(1, 1_000_000);
    let found = full_batch_best(&goal, &delta)?;
    check.figure("epsilon = 1, by nuz20.thm6.corrected: n", found.records);
    if !check.quick() {
        let printed = theorem_6(&goal, &delta)?;
        check.figure(
            "epsilon = 1, with the paper's constants (rests on Shamir and Zhang)",
            format_args!(
                "n = {}, m = {}, {} gradient steps",
                printed.records, printed.dimension, printed.gradient_steps
            ),
        );
    }
    Ok(())
}

/// `nuz20.claim6.2` and `nuz20.claim14.2`.
pub(super) fn claims_at_large_epsilon(check: &mut Check) -> Result<(), Trouble> {
    too_few_for_large_epsilon(check)?;
    // What the claims' own step asks for: 4 (2en/m)^m e^(-alpha n/32) <= beta/4, whatever epsilon.
    let m = 100;
    let n = least_for_generalisation(&ratio(1, 10), &ratio(1, 10), m)?;
    check.figure(
        "the generalisation at m = 100 asks, for every epsilon, for n",
        n,
    );
    Ok(())
}

/// `nuz20.thm11`.
pub(super) fn theorem_11_at_large_epsilon(check: &mut Check) -> Result<(), Trouble> {
    too_few_for_large_epsilon(check)?;
    let tenth = ratio(1, 10);
    let goal = Goal::new(tenth.clone(), tenth, ratio(3, 10), integer(1))?;
    let found = theorem_11(&goal, Net::Lattice)?;
    check.figure("epsilon = 1, with the paper's constants: n", found.records);
    Ok(())
}

/// `nuz20.e8.corrected`.
pub(super) fn large_epsilon_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("alpha = beta = 1/10, gamma = 3/10, epsilon from 1/100 to 10^6, (b) of nuz20.thm11.corrected");
    let (alpha, beta, gamma) = (ratio(1, 10), ratio(1, 10), ratio(3, 10));
    let needed = needed_without_privacy(&alpha, &beta, &gamma)?;
    let records = |epsilon: &Rational| -> Result<_, Trouble> {
        let goal = Goal::new(alpha.clone(), beta.clone(), gamma.clone(), epsilon.clone())?;
        Ok(pure::counted(&goal, &ratio(3, 4), Net::Lattice)?)
    };
    let at_one = Rational::from(BigInt::from(records(&integer(1))?.records));
    for epsilon in [
        ratio(1, 100),
        ratio(1, 10),
        integer(1),
        integer(100),
        integer(10_000),
        integer(1_000_000),
    ] {
        let found = records(&epsilon)?;
        let n = Rational::from(BigInt::from(found.records.clone()));
        let instance = format!("epsilon = {epsilon}: n = {n}");
        check.holds(found.records >= needed, &instance);
        // Between 2C/alpha, which no epsilon removes, and 1.5 max(1, 1/epsilon) n(1).
        let class = &found.log_net + of(&(integer(4) / &beta)).ln()?;
        let limit = class.shifted(1).divided_by(&of(&alpha))?;
        check.holds(limit.is_below_rational(&n), &instance);
        let factor = Rational::one().max(epsilon.recip());
        check.holds(n <= ratio(3, 2) * factor * &at_one, &instance);
        if epsilon >= integer(10_000) {
            check.attained(
                format_args!("2C/alpha of n, {instance}"),
                &limit.upper(),
                &n,
            );
        }
        check.figure(format_args!("epsilon = {epsilon}"), format_args!("n = {n}"));
    }
    Ok(())
}

/// The name, alpha, beta and gamma of the rows of the tables.
pub(super) fn goals(quick: bool) -> Vec<(String, Rational, Rational, Rational)> {
    let table = [
        (ratio(1, 10), ratio(1, 10), ratio(3, 10)),
        (ratio(1, 4), ratio(1, 4), ratio(9, 10)),
        (ratio(1, 10), ratio(1, 10), ratio(1, 10)),
    ];
    let named = |(alpha, beta, gamma)| {
        let name = format!("alpha = {alpha}, beta = {beta}, gamma = {gamma}");
        (name, alpha, beta, gamma)
    };
    let take = if quick { 2 } else { 3 };
    table.into_iter().take(take).map(named).collect()
}

/// `ln(2/b)/E(kappa)`: so many rows keep a norm up to kappa, but for probability `b`.
pub(super) fn rows_for(failure: &Rational, kappa: &Rational) -> Result<Enclosure, NumberError> {
    of(&(integer(2) / failure))
        .ln()?
        .divided_by(&of(&exponent(kappa)))
}

/// `nuz20.thm6.corrected`: the two requirements of the statement, by formulas of their own.
pub(super) fn theorem_6_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("epsilon = 1, delta = 10^-6: both requirements and that on m, at the n that the library returns");
    let delta = ratio(1, 1_000_000);
    let epsilon = integer(1);
    for (name, alpha, beta, gamma) in goals(check.quick()) {
        let goal = Goal::new(alpha.clone(), beta.clone(), gamma.clone(), epsilon.clone())?;
        let found = full_batch_best(&goal, &delta)?;
        let n = Rational::from(BigInt::from(found.records.clone()));
        let m = Rational::from(BigInt::from(found.dimension.clone()));
        let kappa = &found.kappa;
        // k = ceil(log2(8/beta))
        let k = integer(found.runs);
        let twice = |k: u64| Rational::new(BigInt::one() << k, 1.into()) * &beta;
        check.holds(twice(found.runs) >= integer(8), &name);
        check.holds(twice(found.runs - 1) < integer(8), &name);
        // mu = (gamma - kappa)/(1 + kappa)
        let mu = (&gamma - kappa) / (integer(1) + kappa);
        check.holds(found.margin == mu, &name);
        // rho = (sqrt(ln(1/delta) + epsilon/2) - sqrt(ln(1/delta)))^2
        let log = of(&delta.recip()).ln()?;
        let rho = ((&log + of(&(&epsilon / integer(2)))).sqrt()? - log.sqrt()?).squared();
        // m >= ln(2/b)/E(kappa), b = alpha beta^2/(32 n)
        let rows = rows_for(&(&alpha * beta.pow(2) / (integer(32) * &n)), kappa)?;
        check.attained(format_args!("rows asked for, {name}"), &rows.upper(), &m);
        check.holds(m <= &n * integer(2), &name);
        // n >= (4/alpha) ((2/mu) sqrt(1 + 2mk/rho) + (4 (1 + 1/mu)/epsilon) ln(8k/beta))
        let root = (of(&(integer(2) * &m * &k)).divided_by(&rho)? + of(&integer(1))).sqrt()?;
        let descent = of(&(integer(2) / &mu)) * root;
        let choice = of(&(integer(4) * (integer(1) + mu.recip()) / &epsilon))
            * of(&(integer(8) * &k / &beta)).ln()?;
        let training = (descent + choice) * of(&(integer(4) / &alpha));
        // n >= (32/alpha) (ln(16/beta) + m ln(2en/m))
        let generalisation = generalisation(&alpha, &beta, &m, &n)?;
        let asked = training.max(&generalisation);
        check.attained(
            format_args!("records asked for, {name}"),
            &asked.upper(),
            &n,
        );
        check.figure(&name, format_args!("n = {n}, m = {m}, kappa = {kappa}"));
    }
    Ok(())
}

/// `(32/alpha) (ln(16/beta) + m ln(2en/m))`.
fn generalisation(
    alpha: &Rational,
    beta: &Rational,
    m: &Rational,
    n: &Rational,
) -> Result<Enclosure, NumberError> {
    let growth = of(m) * (of(&(integer(2) * n / m)).ln()? + of(&integer(1)));
    Ok((of(&(integer(16) / beta)).ln()? + growth) * of(&(integer(32) / alpha)))
}

/// The `n` that the iteration of the requirement of `nuz20.claim6.2.corrected` reaches from `m` on.
fn least_for_generalisation(
    alpha: &Rational,
    beta: &Rational,
    m: u64,
) -> Result<Rational, Trouble> {
    let mut n = integer(m);
    loop {
        let next = integer(generalisation(alpha, beta, &integer(m), &n)?.hi().ceil());
        if next <= n {
            return Ok(n);
        }
        n = next;
    }
}

/// `nuz20.claim6.2.corrected`.
pub(super) fn claim_6_2_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("4 (2en/m)^m e^(-eta n/8) <= beta/4 at eta = alpha/4 and the n required; (alpha, beta) = (1/10, 1/10), (1/4, 1/4), (1/10, 1/4), m in {10, 1000, 17312734}");
    for (alpha, beta) in [
        (ratio(1, 10), ratio(1, 10)),
        (ratio(1, 4), ratio(1, 4)),
        (ratio(1, 10), ratio(1, 4)),
    ] {
        for m in [10u64, 1000, 17_312_734] {
            let n = least_for_generalisation(&alpha, &beta, m)?;
            let eta = &alpha / integer(4);
            let base = Enclosure::exp_of(&integer(1), BITS)? * of(&(&n * integer(2) / integer(m)));
            let left =
                of(&integer(4)).ln()? + base.ln()? * of(&integer(m)) - of(&(eta * &n / integer(8)));
            let right = of(&(&beta / integer(4))).ln()?;
            let instance = format!("alpha = {alpha}, beta = {beta}, m = {m}, n = {n}");
            check.holds(left.upper() <= right.lower(), &instance);
            // Not by far: 1 % fewer records are too few.
            let fewer = &n * ratio(99, 100);
            let asked = generalisation(&alpha, &beta, &integer(m), &fewer)?;
            check.holds(asked.is_above_rational(&fewer), &instance);
            check.figure(
                format_args!("alpha = {alpha}, beta = {beta}, m = {m}"),
                format_args!("n = {n}"),
            );
        }
    }
    check.certified("the constants of the proof's part (i)");
    let one_pair =
        Enclosure::exp_of(&ratio(32, 100), BITS)? + Enclosure::exp_of(&ratio(-48, 100), BITS)?;
    check.attained("e^0.32 + e^-0.48", &one_pair.upper(), &integer(2));
    // From u = 8 ln 4 on: 1 + 16/u < 2.45, and 2.45 e^(-0.24 u) <= 4 e^(-u/8).
    let u = of(&integer(4)).ln()?.shifted(3);
    let factor = of(&integer(16)).divided_by(&u)? + of(&integer(1));
    check.attained("1 + 16/u at u = 8 ln 4", &factor.upper(), &ratio(245, 100));
    let ours = of(&ratio(245, 100)) * (-(&u * of(&ratio(24, 100)))).exp()?;
    check.holds(
        ours.is_below(&((-u.shifted(-3)).exp()?.shifted(2))),
        "u = 8 ln 4",
    );
    check.exact("part (ii): every set of up to 3 points of {-1, 0, 1}^2 and its labellings by ties as errors");
    let line = || -1..=1i64;
    let grid: Vec<[i64; 2]> = line().flat_map(|x| line().map(move |y| [x, y])).collect();
    for (i, &a) in grid.iter().enumerate() {
        for (j, &b) in grid[..i].iter().enumerate() {
            for &c in &grid[..j] {
                let patterns = error_patterns(&[a, b, c]);
                check.holds(patterns < 8, format_args!("{a:?}, {b:?}, {c:?} shattered"));
            }
        }
    }
    check.holds(
        error_patterns(&[[1, 0], [0, 1]]) == 4,
        "(1, 0), (0, 1) not shattered",
    );
    Ok(())
}

/// How many patterns of errors, `<w,z> <= 0`, all `w` of the plane make on these points `z = y x`. They change
/// only where `w` crosses a line orthogonal to a point; tried are those lines, `w = 0`, and a `w` between any two.
fn error_patterns(points: &[[i64; 2]]) -> usize {
    let mut rays: Vec<[i64; 2]> = vec![[0, 0]];
    for &[x, y] in points {
        rays.extend([[-y, x], [y, -x], [x, y], [-x, -y]]);
    }
    let mut patterns = std::collections::BTreeSet::new();
    for a in &rays {
        for b in &rays {
            let w = [a[0] + b[0], a[1] + b[1]];
            patterns.insert(points.iter().map(|z| dot(&w, z) <= 0).collect::<Vec<_>>());
        }
    }
    patterns.len()
}

/// `nuz20.lem7.finite-class`.
pub(super) fn finite_class(check: &mut Check) -> Result<(), Trouble> {
    let sizes: &[u64] = if check.quick() {
        &[1, 10, 100]
    } else {
        &[1, 10, 57, 100, 1000, 10_000]
    };
    check.certified(format_args!(
        "binomial tails, n in {sizes:?}, alpha in {{1/100, 1/10, 1/4, 1/2, 1}}"
    ));
    let mut tightest = Rational::zero();
    for &n in sizes {
        for (numerator, denominator) in [(1, 100), (1, 10), (1, 4), (1, 2), (1, 1)] {
            let alpha = ratio(numerator, denominator);
            let p = of(&(&alpha * ratio(3, 4)));
            let most = (&alpha * integer(n) / integer(4)).to_integer();
            let tail = binomial::lower_tail(n, u64::try_from(most)?, &p)?;
            let bound = Enclosure::exp_of(&(-&alpha * integer(n) / integer(6)), BITS)?;
            check.holds(
                tail.upper() <= bound.lower(),
                format_args!("n = {n}, alpha = {alpha}"),
            );
            tightest = tightest.max(tail.divided_by(&bound)?.upper());
        }
    }
    check.attained("tail, of its bound", &tightest, &Rational::one());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn privacy_that_is_free_does_not_make_learning_free() {
        let tenth = ratio(1, 10);
        let gamma = ratio(3, 10);
        assert_eq!(orthonormal_points(&gamma), 11.into());
        let needed = needed_without_privacy(&tenth, &tenth, &gamma).unwrap();
        assert_eq!(needed, 10u32.into());
    }

    #[test]
    fn short_records_break_the_chain_of_lemma_5() {
        let half = ratio(1, 2);
        let at = |norm: Rational| {
            let proved = display(&half, &(&half * &norm), &norm);
            (proved, ratio(98, 100) * &half * norm)
        };
        let (proved, used) = at(integer(1));
        assert!(proved > used);
        let (proved, used) = at(ratio(1, 10));
        assert_eq!(to_scientific(&proved, 4), "0.04746");
        assert_eq!(used, ratio(49, 1000));
        let (proved, used) = at(ratio(1, 100));
        assert_eq!(to_scientific(&proved, 4), "0.002487");
        assert_eq!(used, ratio(49, 10_000));
        assert!(at(ratio(1, 1000)).0 < integer(0));
    }

    #[test]
    fn the_margin_of_lemma_5_is_0_98() {
        assert_eq!(margin_of_lemma_5(&integer(1)), ratio(98, 100));
        for percent in 1..=100 {
            let gamma = ratio(percent, 100);
            let formula = &gamma * (ratio(99, 100) - &gamma / integer(100));
            assert_eq!(margin_of_lemma_5(&gamma), formula);
            assert!(formula >= ratio(98, 100) * gamma);
        }
    }
}
