//! What Section 3 says of the projection: `x_A`, Lemmas 4 and 5, and the length of a record.

use super::{BITS, exponent, of, record};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::geometry::{SignMatrix, johnson_lindenstrauss};
use dp_assay::halfspaces::Dataset;
use dp_assay::halfspaces::bounds::{guarantee::sharp_margin, margin_left};
use dp_assay::halfspaces::steps::unit_points;
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational, grid::squared_norm};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

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

/// `nuz20.lem4`.
pub(super) fn johnson_lindenstrauss_lemma(check: &mut Check) -> Result<(), Trouble> {
    super::edges::tails(check)?;
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
    super::edges::drawn_matrices(check)?;
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
                        // What the library's bounds take for it.
                        check.holds(
                            sharp_margin(&gamma, &kappa) == promised
                                && margin_left(&gamma, &kappa) <= promised,
                            format_args!("gamma = {gamma}, kappa = {kappa}"),
                        );
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

/// `nuz20.display2`.
pub(super) fn display_2(check: &mut Check) -> Result<(), Trouble> {
    check.exact("b = alpha beta^2/(64 n) and beta' = alpha beta/(4 n): 4 b/beta' = beta/4 and n beta' <= beta/4, alpha and beta in tenths, n = 1, 10, 1000");
    for alpha in 1..=9 {
        for beta in 1..=9 {
            for n in [1, 10, 1000] {
                let (alpha, beta) = (ratio(alpha, 10), ratio(beta, 10));
                let b = &alpha * beta.pow(2) / integer(64 * n);
                let mass = &alpha * &beta / integer(4 * n);
                let instance = format!("alpha = {alpha}, beta = {beta}, n = {n}");
                check.holds(integer(4) * b / &mass == &beta / integer(4), &instance);
                check.holds(integer(n) * mass <= beta / integer(4), &instance);
            }
        }
    }
    check.exact("all matrices of 3 rows and 3 columns, D uniform on the records of squared norm 3 with y<w*,x> > 0 for w* = (1, 1, 1): the share of matrices that leave a mass of bad records");
    let w = [1i64, 1, 1];
    let records: Vec<[i64; 3]> = sphere(3).into_iter().filter(|x| dot(x, &w) > 0).collect();
    let mut masses = Vec::new();
    let mut each = vec![0u64; records.len()];
    for matrix in SignMatrix::all(3, 3)? {
        let aw = matrix.apply(&w)?;
        let mut bad = 0u64;
        for (x, times) in records.iter().zip(&mut each) {
            // Bad: the sign of the margin is lost.
            let lost = dot(&matrix.apply(x)?, &aw) <= 0;
            bad += u64::from(lost);
            *times += u64::from(lost);
        }
        masses.push(Rational::new(bad.into(), records.len().into()));
    }
    let matrices = integer(masses.len() as u64);
    // Each record is bad for a share of the matrices; so is the mass in expectation, by exchanging the sums.
    let worst = each.iter().max().copied().unwrap_or(0);
    let expected: Rational = masses.iter().sum::<Rational>() / &matrices;
    check.holds(
        expected <= integer(worst) / &matrices,
        "E_A Pr_D[bad] is at most the largest Pr_A[bad]",
    );
    for quarters in 1..=4 {
        let mass = ratio(quarters, 4);
        let share = masses.iter().filter(|found| **found >= mass).count();
        check.holds(
            integer(share as u64) / &matrices <= &expected / &mass,
            format_args!("mass {mass}"),
        );
    }
    check.figure(
        "Pr_A[bad] of a record, at most, and in expectation over D",
        format_args!("{} and {expected}", integer(worst) / &matrices),
    );
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

#[cfg(test)]
mod tests {
    use super::*;

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
