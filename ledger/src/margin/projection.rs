//! Lemma A.3: projections keep inner products.

use super::BITS;
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::geometry::SignMatrix;
use dp_assay::geometry::johnson_lindenstrauss::least_dimension;
use dp_assay::margin::bounds::PureRun;
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The rate of the exponent, `gamma^2/4 - gamma^3/6`.
fn rate(gamma: &Rational) -> Rational {
    gamma.pow(2) / integer(4) - gamma.pow(3) / integer(6)
}

/// `events e^(-k rate)`.
pub(super) fn bound(events: u64, k: u64, gamma: &Rational) -> Result<Enclosure, Trouble> {
    let tail = Enclosure::exp_of(&-(rate(gamma) * integer(k)), BITS)?;
    Ok(tail * Enclosure::integer(events, BITS))
}

/// Vectors of three coordinates, with their norms.
const VECTORS: [([i64; 3], i64); 4] = [
    ([2, 1, 2], 3),
    ([6, 2, 3], 7),
    ([1, 2, -2], 3),
    ([0, 3, 4], 5),
];

/// The images of the vectors, by all that matters of a matrix of three columns: how many of its rows are, up to their
/// sign, each of four. What is returned is `k` times inner products.
pub(super) struct Images([i64; 4]);

const ROWS: [[i64; 3]; 4] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];

impl Images {
    pub(super) fn product(&self, u: &[i64], v: &[i64]) -> i64 {
        let of_row = |row: &[i64; 3]| dot(row, u) * dot(row, v);
        let rows = ROWS.iter().zip(self.0);
        rows.map(|(row, count)| count * of_row(row)).sum()
    }
}

/// The probability, over all matrices of `k` rows and three columns, that what must hold does not.
pub(super) fn failure(k: usize, holds: impl Fn(&Images) -> bool) -> Rational {
    let mut factorial = vec![BigUint::one()];
    for n in 1..=k {
        factorial.push(&factorial[n - 1] * n);
    }
    let mut lost = BigUint::zero();
    for a in 0..=k {
        for b in 0..=k - a {
            for c in 0..=k - a - b {
                let d = k - a - b - c;
                let images = Images([a, b, c, d].map(|count| count as i64));
                if !holds(&images) {
                    let same = &factorial[a] * &factorial[b] * &factorial[c] * &factorial[d];
                    lost += &factorial[k] / same;
                }
            }
        }
    }
    Rational::new(lost.into(), BigInt::from(4).pow(k as u32))
}

/// `bms22.lemA_3`.
pub(super) fn lemma_a_3(check: &mut Check) -> Result<(), Trouble> {
    four_events(check)?;
    unnormalised(check)?;
    let all: &[usize] = if check.quick() { &[40] } else { &[40, 80] };
    check.certified(format_args!(
        "the exact probability over all matrices of {all:?} rows and three columns that a norm or an inner product of four \
         vectors is not kept, gamma = 3/4 and 1, against 4 * 6 + 2 * 4 one-sided events"
    ));
    for &k in all {
        for gamma in [ratio(3, 4), integer(1)] {
            let gamma_k = &gamma * integer(k as u64);
            let kept = |images: &Images| {
                VECTORS.iter().enumerate().all(|(place, (u, u_norm))| {
                    VECTORS[..=place].iter().all(|(v, v_norm)| {
                        let change = images.product(u, v) - k as i64 * dot(u, v);
                        integer(change.abs()) <= &gamma_k * integer(u_norm * v_norm)
                    })
                })
            };
            let found = failure(k, kept);
            let most = bound(32, k as u64, &gamma)?;
            let instance = format!("k = {k}, gamma = {gamma}");
            check.holds(found <= most.lower(), &instance);
            check.figure(
                &instance,
                format_args!(
                    "fails with probability {}, bound {}",
                    to_scientific(&found, 3),
                    to_scientific(&most.upper(), 3)
                ),
            );
        }
    }
    check.certified(
        "the least number of rows for 2, 10 and 1000 vectors, beta = 1/20, gamma = 1/10 and 1/2",
    );
    for m in [2u64, 10, 1000] {
        for gamma in [ratio(1, 10), ratio(1, 2)] {
            let events = 2 * m * (m - 1) + 2 * m;
            let beta = ratio(1, 20);
            // least_dimension is for two events.
            let share = &beta * integer(2) / integer(events);
            let k = least_dimension(&share, &gamma)?.to_u64_digits()[0];
            let instance = format!("m = {m}, gamma = {gamma}: k = {k}");
            check.holds(
                bound(events, k, &gamma)?.is_below_rational(&beta),
                &instance,
            );
            check.holds(
                bound(events, k - 1, &gamma)?.is_above_rational(&beta),
                &instance,
            );
            check.figure(format_args!("rows, m = {m}, gamma = {gamma}"), k);
        }
    }
    Ok(())
}

/// On every matrix: where the four events of a pair hold, the inner product is kept.
fn four_events(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "all 16 matrices of 2 x 2 and 512 of 3 x 3, pairs of integer vectors: with s, t the normalised ones, \
         where |Phi(s + t)|^2 and |Phi(s - t)|^2 are kept up to gamma = 1/4, 1/2, 1, so is the inner product",
    );
    let plane: [(&[i64], i64); 3] = [(&[3, 4], 5), (&[-4, 3], 5), (&[1, 0], 1)];
    let space = VECTORS.each_ref().map(|(v, norm)| (&v[..], *norm));
    let mut held = 0u64;
    for vectors in [&plane[..], &space[..]] {
        let k = vectors[0].0.len();
        for matrix in SignMatrix::all(k, k)? {
            for (u, u_norm) in vectors {
                for (v, v_norm) in vectors {
                    // |v| u and |u| v have one norm.
                    let scaled = |x: &[i64], by: i64| x.iter().map(|x| x * by).collect::<Vec<_>>();
                    let (s, t) = (scaled(u, *v_norm), scaled(v, *u_norm));
                    let sum: Vec<i64> = s.iter().zip(&t).map(|(s, t)| s + t).collect();
                    let difference: Vec<i64> = s.iter().zip(&t).map(|(s, t)| s - t).collect();
                    // k (|Phi x|^2 - |x|^2), for a vector x.
                    let change = |x: &[i64]| -> Result<i64, Trouble> {
                        let image = matrix.apply(x)?;
                        Ok(dot(&image, &image) - k as i64 * dot(x, x))
                    };
                    let changes = [change(&sum)?, change(&difference)?];
                    let squares = [dot(&sum, &sum), dot(&difference, &difference)];
                    let product = dot(&matrix.apply(&s)?, &matrix.apply(&t)?);
                    let product_change = product - k as i64 * dot(&s, &t);
                    for quarters in [1, 2, 4] {
                        let within =
                            |change: i64, of: i64| change.abs() * 4 <= quarters * k as i64 * of;
                        let events = (0..2).all(|i| within(changes[i], squares[i]));
                        let norms = (u_norm * v_norm).pow(2);
                        if events {
                            held += 1;
                            check.holds(
                                within(product_change, norms),
                                format_args!("{u:?}, {v:?}, gamma = {quarters}/4"),
                            );
                        }
                    }
                }
            }
        }
    }
    check.holds(held > 1000, "the events hold often enough");
    check.figure("how often the events held", held);
    Ok(())
}

/// Not normalised, the same events let the inner product go.
fn unnormalised(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "u = (100, 0), v = (0, 1), all 64 matrices of three rows, gamma = 1/4: the norms of u + v and u - v \
         are kept, and the inner product is not kept up to gamma |u| |v|",
    );
    for matrix in SignMatrix::all(3, 2)? {
        let image = |x: &[i64]| matrix.apply(x);
        let mut kept = true;
        for x in [[100, 1], [100, -1]] {
            let (squared, mapped) = (3 * dot(&x, &x), image(&x)?);
            kept &= 4 * (dot(&mapped, &mapped) - squared).abs() <= squared;
        }
        let product = dot(&image(&[100, 0])?, &image(&[0, 1])?);
        check.holds(
            kept && 4 * product.abs() > 3 * 100,
            format_args!("{matrix:?}"),
        );
    }
    Ok(())
}

/// `bms22.lemA_3.one-sided`.
pub(super) fn one_sided(check: &mut Check) -> Result<(), Trouble> {
    let all: &[usize] = if check.quick() { &[40] } else { &[40, 80] };
    check.certified(format_args!(
        "the exact probability over all matrices of {all:?} rows and three columns that one of three records loses more than \
         gamma of its margin or a norm grows by more than gamma, gamma = 1/2, 3/4 and 1, against 10 events"
    ));
    let ([first, records @ ..], m) = (VECTORS, 3u64);
    let (w, w_norm) = first;
    for &k in all {
        for gamma in [ratio(1, 2), ratio(3, 4), integer(1)] {
            let rows = integer(k as u64);
            let longest = (&gamma + integer(1)) * &rows;
            let good = |images: &Images| {
                let short = |x: &[i64; 3], norm: i64| {
                    integer(images.product(x, x)) <= &longest * integer(norm * norm)
                };
                short(&w, w_norm)
                    && records.iter().all(|(x, norm)| {
                        let lost = k as i64 * dot(&w, x) - images.product(&w, x);
                        let may = &gamma * &rows * integer(w_norm * norm);
                        short(x, *norm) && integer(lost) <= may
                    })
            };
            let found = failure(k, good);
            let most = bound(3 * m + 1, k as u64, &gamma)?;
            let instance = format!("k = {k}, gamma = {gamma}");
            check.holds(found <= most.lower(), &instance);
            check.figure(
                &instance,
                format_args!(
                    "fails with probability {}, bound {}",
                    to_scientific(&found, 3),
                    to_scientific(&most.upper(), 3)
                ),
            );
        }
    }
    check.certified(
        "the rows of Algorithm 1 for m = 1, 1000, 10^6, q = 1, 3, 10, c = 17/20, beta = 1/20: (3m + 1) e^(-k \
         rate) is at most beta/3, and not with one row fewer",
    );
    for records in [1, 1000, 1_000_000] {
        for q in [1, 3, 10] {
            let run = PureRun {
                records,
                dimension: u64::MAX,
                epsilon: integer(1),
                beta: ratio(1, 20),
                ratio: integer(q),
            };
            let c = ratio(17, 20);
            let Some(k) = run.setting(&c)?.rows else {
                check.holds(false, "no projection");
                continue;
            };
            let (gamma, third) = (c / integer(q), ratio(1, 60));
            let events = 3 * records + 1;
            let instance = format!("m = {records}, q = {q}: k = {k}");
            check.holds(
                bound(events, k, &gamma)?.is_below_rational(&third),
                &instance,
            );
            check.holds(
                bound(events, k - 1, &gamma)?.is_above_rational(&third),
                &instance,
            );
            check.figure(format_args!("rows, m = {records}, q = {q}"), k);
        }
    }
    Ok(())
}
