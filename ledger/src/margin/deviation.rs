//! Lemma A.1: relative deviations.

use super::of;
use crate::claim::{Check, Trouble};
use crate::common::cube;
use dp_assay::margin::bounds::deviation::{growth, relative_deviation};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::stats::binomial::exact_upper_tail;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeSet;

/// `bms22.lemA_1`.
pub(super) fn lemma_a_1(check: &mut Check) -> Result<(), Trouble> {
    super::printed::pure(check)?;
    above_the_mean(check);
    subsets(check);
    violations(check)
}

/// The shipped bound against `R = B + 2 sqrt(B G/m) + 4 G/m`: `(R - B - 4 G/m)^2 = 4 B G/m`, with the first not negative.
pub(super) fn by_formula(
    check: &mut Check,
    training: &Rational,
    log_growth: &Enclosure,
    delta: &Rational,
    m: u64,
) -> Result<(), Trouble> {
    let found = relative_deviation(&of(training), log_growth, delta, m)?;
    let g = log_growth + of(&integer(4)).ln()? - of(delta).ln()?;
    let share = (g * of(&ratio(4, 1))).divided_by(&of(&integer(m)))?;
    let root = found - of(training) - &share;
    let tiny = Rational::new(1.into(), BigInt::one() << 60);
    let apart = root.squared() - share * of(training);
    check.holds(
        apart.upper().abs() < tiny && apart.lower().abs() < tiny && root.upper() >= -tiny,
        format_args!("m = {m}, delta = {delta}, training error {training}: {apart}"),
    );
    Ok(())
}

/// A binomial variable of success probability above `1/m` is at least its mean with probability at least 1/4: between
/// `j/m` and `(j+1)/m` the probability of `j + 1` successes increases, so that it is enough to look at `j/m`.
fn above_the_mean(check: &mut Check) {
    check.exact("m = 2, ..., 40, j = 1, ..., m - 1: Pr[X >= j + 1] for X binomial of m trials of probability j/m");
    let mut least = integer(1);
    for m in 2..=40u64 {
        for j in 1..m {
            let p = Rational::new(j.into(), m.into());
            let probability = exact_upper_tail(m, j + 1, &p);
            let right = probability >= ratio(1, 4);
            check.holds(right, format_args!("m = {m}, j = {j}: {probability}"));
            least = least.min(probability);
        }
    }
    check.attained(
        "1/4 over the least of them",
        &(ratio(1, 4) / least),
        &integer(1),
    );
}

/// How many subsets of points the sets `{z : <w,z> <= 0}` cut out, for many `w`.
fn subsets(check: &mut Check) {
    check.exact(
        "subsets cut out of points by {z : <w,z> <= 0}, for the integer w up to 6: at most the sum of binomials; +1 and -1 on \
         the line, and those on both axes of the plane, are cut into more than Cover's count for points in general position",
    );
    let points: [(&[&[i64]], Option<u32>); 5] = [
        (&[&[1], &[-1]], Some(3)),
        (&[&[1, 0], &[-1, 0], &[0, 1], &[0, -1]], Some(9)),
        (&[&[1, 0], &[0, 1]], Some(4)),
        (&[&[1, 0], &[1, 2], &[-1, 3], &[-2, -1], &[2, -5]], None),
        (
            &[
                &[1, 0, 0],
                &[-1, 0, 0],
                &[1, 2, 0],
                &[0, -1, 3],
                &[1, 1, 1],
                &[-2, 1, -1],
            ],
            None,
        ),
    ];
    for (points, expected) in points {
        let (n, k) = (points.len() as u64, points[0].len() as u32);
        let cut = |w: Vec<i64>| -> Vec<bool> {
            let product = |z: &&[i64]| -> i64 { w.iter().zip(*z).map(|(w, z)| w * z).sum() };
            points.iter().map(|z| product(z) <= 0).collect()
        };
        let found: BTreeSet<Vec<bool>> = cube(k as usize, 6).map(cut).collect();
        let found = BigUint::from(found.len());
        let instance = format!("{points:?}: {found}");
        check.holds(found <= growth(n, k.into()), &instance);
        if let Some(expected) = expected {
            check.holds(found == BigUint::from(expected), &instance);
        }
        // 2 (C(n-1, 0) + ... + C(n-1, k-1))
        let general = growth(n - 1, u64::from(k) - 1) * 2u32;
        check.figure(
            format_args!("{n} points in dimension {k}"),
            format_args!(
                "{found} subsets, at most {}; in general position {general}",
                growth(n, k.into())
            ),
        );
    }
}

/// The exact probability that some hypothesis violates the bound, for thresholds on eight points; one of them alone is
/// one hypothesis.
fn violations(check: &mut Check) -> Result<(), Trouble> {
    let all: &[u64] = if check.quick() {
        &[20, 60]
    } else {
        &[20, 60, 120]
    };
    check.certified(format_args!(
        "thresholds on eight points of equal and of geometric probability, m in {all:?}, delta = 1/2, 1/20 and 1/1000: the \
         exact probability that one of nine hypotheses violates the bound; and of each hypothesis alone; the shipped bound by \
         its formula"
    ));
    let mut worst = Rational::zero();
    for masses in [[1u32; 8], [1, 1, 2, 4, 8, 16, 32, 64]] {
        for &m in all {
            for delta in [ratio(1, 2), ratio(1, 20), ratio(1, 1000)] {
                for hypotheses in [9u32, 1] {
                    let log = of(&integer(hypotheses)).ln()?;
                    for errors in [0, 1, m / 3, m] {
                        let training = Rational::new(errors.into(), m.into());
                        by_formula(check, &training, &log, &delta, m)?;
                    }
                    let allowed = allowed(&log, &delta, m)?;
                    let failure = failure(&masses, &allowed, hypotheses == 1);
                    let instance = format!("m = {m}, delta = {delta}, {hypotheses} hypotheses");
                    check.holds(failure <= delta, &instance);
                    worst = worst.max(failure / &delta);
                }
            }
        }
    }
    check.figure(
        "largest probability of a violation, of delta",
        to_scientific(&worst, 3),
    );
    Ok(())
}

/// Of each number of errors the largest error that the bound allows.
fn allowed(log_growth: &Enclosure, delta: &Rational, m: u64) -> Result<Vec<Rational>, Trouble> {
    let mut allowed = Vec::new();
    for errors in 0..=m {
        let training = of(&Rational::new(errors.into(), m.into()));
        allowed.push(relative_deviation(&training, log_growth, delta, m)?.lower());
    }
    Ok(allowed)
}

/// The probability that, for some `t`, the first `t` points have more mass than is allowed for how often they are drawn;
/// or, alone, the largest such probability for one `t`. The counts, cumulated point by point, are a Markov chain.
fn failure(masses: &[u32], allowed: &[Rational], alone: bool) -> Rational {
    let m = allowed.len() - 1;
    let total: u32 = masses.iter().sum();
    let powers = |base: u32| -> Vec<BigInt> {
        let mut powers = vec![BigInt::one()];
        for i in 0..m {
            powers.push(&powers[i] * base);
        }
        powers
    };
    let mut choose = vec![vec![BigInt::one()]];
    for n in 0..m {
        let mut row = vec![BigInt::one()];
        row.extend(choose[n].windows(2).map(|pair| &pair[0] + &pair[1]));
        row.push(BigInt::one());
        choose.push(row);
    }
    let (mut worst, mut all) = (BigInt::zero(), BigInt::zero());
    // held[j]: in how many ways j of the draws are among the points so far, without a violation.
    let mut held = vec![BigInt::zero(); m + 1];
    held[0] = BigInt::one();
    let mut before = 0;
    for &mass in &masses[..masses.len() - 1] {
        before += mass;
        let own = powers(mass);
        let mut next = vec![BigInt::zero(); m + 1];
        for (j, ways) in held.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
            for more in 0..=m - j {
                next[j + more] += ways * &choose[m - j][more] * &own[more];
            }
        }
        let error = Rational::new(before.into(), total.into());
        let rest = powers(total - before);
        let mut lost = BigInt::zero();
        for (j, ways) in next.iter_mut().enumerate() {
            if error > allowed[j] {
                lost += &*ways * &rest[m - j];
                if !alone {
                    *ways = BigInt::zero();
                }
            }
        }
        all += &lost;
        worst = worst.max(lost);
        held = next;
    }
    let found = if alone { worst } else { all };
    Rational::new(found, powers(total)[m].clone())
}
