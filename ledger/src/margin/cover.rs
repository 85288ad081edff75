//! Algorithm 1: the size of its cover, and the norm of what it returns.

use super::BITS;
use crate::claim::{Check, Trouble};
use dp_assay::geometry::{LatticeCover, SignMatrix};
use dp_assay::margin::bounds::pure::log_cover;
use dp_assay::number::grid::squared_norm;
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// `bms22.alg1.cover`.
pub(super) fn size(check: &mut Check) -> Result<(), Trouble> {
    counted(check)?;
    covering(check)
}

/// The largest `b` such that `|c|^2 <= b` is `|c| <= q + sqrt(k)/2`: with `t = 4b - 4q^2 - k`, `t <= 0` or
/// `t^2 <= 16 q^2 k`.
fn squared_bound(k: i64, q: i64) -> usize {
    let mut b = q * q;
    loop {
        let t = 4 * (b + 1) - 4 * q * q - k;
        if t > 0 && t * t > 16 * q * q * k {
            return b as usize;
        }
        b += 1;
    }
}

/// The points of the cover, counted one way and the other, and the bound.
fn counted(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 20 } else { 40 };
    check.certified(format_args!(
        "rounding covers of radius 1/2, 1/4 and 1/10 in 1 to {most} dimensions: the number of points, against the bound, and \
         against the library's where that is below 2^60"
    ));
    let mut least: Option<Enclosure> = None;
    for radius in [ratio(1, 2), ratio(1, 4), ratio(1, 10)] {
        let mut covers = Vec::new();
        for k in 1..=most {
            let cover = LatticeCover::rounding(k as usize, &radius)?;
            let b = squared_bound(k, cover.denominator() as i64);
            covers.push((k, cover, b));
        }
        // ways[s]: how many integer vectors of k coordinates have the squared norm s.
        let largest = covers.iter().map(|(_, _, b)| *b).max().unwrap_or(0);
        let mut ways = vec![BigUint::zero(); largest + 1];
        ways[0] = BigUint::one();
        for (k, cover, b) in covers {
            let mut next = ways.clone();
            for c in (1..).take_while(|c| c * c <= largest) {
                for sum in c * c..=largest {
                    next[sum] += &ways[sum - c * c] * 2u32;
                }
            }
            ways = next;
            let found: BigUint = ways[..=b].iter().sum();
            let instance = format!("radius {radius}, k = {k}");
            let bound = log_cover(k as u64, &radius)?;
            let size = Enclosure::integer(BigInt::from(found.clone()), BITS).ln()?;
            check.holds(size.is_below(&bound), format_args!("{instance}: {found}"));
            if found.bits() <= 60 {
                let library = cover.count_at_most(1 << 60)?;
                check.holds(BigUint::from(library) == found, &instance);
            }
            let gap = (bound - size).divided_by(&Enclosure::integer(k, BITS))?;
            least = Some(least.map_or(gap.clone(), |least| least.min(&gap)));
        }
    }
    if let Some(least) = least {
        let least = to_scientific(&least.upper(), 3);
        check.figure("least (bound - ln |C|)/k", least);
    }
    Ok(())
}

/// Every point of a grid in the ball: the nearest integer point is in the cover and within the radius.
fn covering(check: &mut Check) -> Result<(), Trouble> {
    let fine = 24i64;
    check.exact(format_args!(
        "covering: radius 1/2, 1/4 and 1/10, every point of the grid 1/{fine} in the unit ball of 1, 2 and 3 \
         dimensions"
    ));
    let mut worst = Rational::zero();
    for k in 1..=3u32 {
        let width = (2 * fine + 1) as u64;
        for radius in [ratio(1, 2), ratio(1, 4), ratio(1, 10)] {
            let cover = LatticeCover::rounding(k as usize, &radius)?;
            let q = cover.denominator() as i64;
            let mut farthest = 0;
            let mut missed = 0;
            for code in 0..width.pow(k) {
                let w: Vec<i64> = (0..k)
                    .map(|axis| (code / width.pow(axis) % width) as i64 - fine)
                    .collect();
                if squared_norm(&w) > (fine * fine) as u128 {
                    continue;
                }
                // The nearest integer to q w/24, and how far it is, in units of 1/(24 q).
                let near: Vec<i64> = w
                    .iter()
                    .map(|w| (2 * q * w + fine).div_euclid(2 * fine))
                    .collect();
                let gap: Vec<i64> = near.iter().zip(&w).map(|(c, w)| c * fine - q * w).collect();
                missed += u32::from(!cover.contains(&near));
                farthest = farthest.max(squared_norm(&gap));
            }
            let farthest = Rational::new(farthest.into(), (fine * q).pow(2).into());
            let share = farthest / (&radius * &radius);
            let instance = format!("radius {radius}, k = {k}");
            check.holds(
                missed == 0,
                format_args!("{instance}: {missed} not in the cover"),
            );
            check.holds(share <= Rational::one(), &instance);
            worst = worst.max(share);
        }
    }
    check.attained("squared distance, of the radius's", &worst, &integer(1));
    Ok(())
}

/// `bms22.alg1.norm`.
pub(super) fn norm(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "all matrices of (k, d) = (1, 3), (2, 2), (2, 5), (3, 3), (3, 5), three points each: the mean and the \
         largest of |Phi^T w|^2",
    );
    for (k, d) in [(1usize, 3usize), (2, 2), (2, 5), (3, 3), (3, 5)] {
        for point in [vec![1; k], vec![-3; k], (0..k as i64).collect::<Vec<_>>()] {
            let mut sum = BigInt::zero();
            let mut largest = 0;
            let mut matrices = 0u64;
            for matrix in SignMatrix::all(k, d)? {
                let squared = squared_norm(&matrix.pull_back(&point)?);
                sum += squared;
                largest = largest.max(squared);
                matrices += 1;
            }
            // k |Phi^T w|^2 is the squared norm of the integer vector.
            let squared = integer(squared_norm(&point));
            let mean = Rational::new(sum, matrices.into()) / integer(k as u64);
            let instance = format!("k = {k}, d = {d}, w = {point:?}");
            let expected = &squared * Rational::new(d.into(), k.into());
            check.holds(mean == expected, format_args!("{instance}: mean {mean}"));
            let largest = integer(largest) / integer(k as u64);
            check.holds(largest <= squared * integer(d as u64), &instance);
        }
    }
    Ok(())
}
