//! Theorem 8 with constants, and the rate of Theorem 6: the Gram matrix and the kernel.

use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::random_features::bounds::gram;
use dp_assay::random_features::bounds::kernel::kernel_error;
use dp_assay::stats::chi_square;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;

const BITS: u32 = 128;

/// `Pr[|S|^2 >= level]` for the sum `S` of `n` independent uniform phases 1, i, -1, -i, exactly.
///
/// Re S + Im S and Re S - Im S are independent sums of `n` fair signs.
fn four_phases_reach(n: u64, level: &Rational) -> Rational {
    let mut row = vec![BigInt::one()];
    for k in 0..n {
        let next = &row[k as usize] * (n - k) / (k + 1);
        row.push(next);
    }
    let n = n as i64;
    let twice = level * integer(2);
    let mut count = BigInt::zero();
    for (a, ways) in row.iter().enumerate() {
        for (b, other) in row.iter().enumerate() {
            let (u, v) = (2 * a as i64 - n, 2 * b as i64 - n);
            if integer(u * u + v * v) >= twice {
                count += ways * other;
            }
        }
    }
    Rational::new(count, BigInt::one() << (2 * n))
}

pub(super) fn theorem_6_hoeffding(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    let sizes: &[u64] = &[4, 16, 50, 150];
    let sizes = if check.quick() { &sizes[..3] } else { sizes };
    check.exact(format_args!(
        "four uniform phases, kernel 0: N in {sizes:?}, delta in {{1/2, 1/10, 1/100}}"
    ));
    for &n in sizes {
        for failure in [ratio(1, 2), ratio(1, 10), ratio(1, 100)] {
            let radius = kernel_error(n, &failure)?;
            let level = radius.squared().lower() * integer(n * n);
            let exact = four_phases_reach(n, &level);
            check.holds(
                exact <= failure,
                format_args!("N = {n}, delta = {failure}: fails with probability {exact}"),
            );
            check.figure(
                format_args!("N = {n}, delta = {failure}: fails with probability"),
                to_scientific(&exact, 3),
            );
        }
    }
    Ok(())
}

/// The law of a coordinate: integer values of mean 0 with their weights, which are integers too.
struct Coordinate {
    name: &'static str,
    values: &'static [(i64, u32)],
}

const COORDINATES: [Coordinate; 4] = [
    Coordinate {
        name: "signs",
        values: &[(-1, 1), (1, 1)],
    },
    Coordinate {
        name: "half zeros",
        values: &[(-1, 1), (0, 2), (1, 1)],
    },
    Coordinate {
        name: "skewed",
        values: &[(-1, 2), (2, 1)],
    },
    Coordinate {
        name: "nine tenths zeros",
        values: &[(-1, 1), (0, 18), (1, 1)],
    },
];

impl Coordinate {
    /// `E x^power`.
    fn moment(&self, power: u32) -> Rational {
        let total: u32 = self.values.iter().map(|&(_, weight)| weight).sum();
        let sum: i64 = self
            .values
            .iter()
            .map(|&(value, weight)| value.pow(power) * i64::from(weight))
            .sum();
        integer(sum) / integer(total)
    }

    /// `Pr[|x - x'|^2 <= d E x^2]` for two points of `d` such coordinates, exactly: the law of the sum of squared
    /// differences, one coordinate after the other, up to that limit.
    fn within_its_length(&self, d: u64) -> Rational {
        let limit = (self.moment(2) * integer(d)).floor().to_integer();
        let limit = limit.to_usize().unwrap_or(0);
        let mut differences: BTreeMap<usize, u32> = BTreeMap::new();
        for &(x, weight) in self.values {
            for &(other, of_other) in self.values {
                let squared = (x - other).unsigned_abs().pow(2) as usize;
                *differences.entry(squared).or_default() += weight * of_other;
            }
        }
        let mut ways = vec![BigUint::zero(); limit + 1];
        ways[0] = BigUint::one();
        for _ in 0..d {
            let mut next = vec![BigUint::zero(); limit + 1];
            for (&squared, &weight) in &differences {
                for place in squared..=limit {
                    next[place] += &ways[place - squared] * weight;
                }
            }
            ways = next;
        }
        let total: u32 = self.values.iter().map(|&(_, weight)| weight).sum();
        let all = BigInt::from(total).pow(2 * d as u32);
        Rational::new(ways.into_iter().sum::<BigUint>().into(), all)
    }
}

pub(super) fn theorem_8(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    // 1. Two points are rarely within g: exactly, against the bound by fourth moments.
    let dimensions = [1, 2, 5, 10, 20, 50, 100, 200, 400];
    check.certified(format_args!(
        "Pr[|x - x'|^2 <= g^2] for coordinates of four laws, d in {dimensions:?}, exact against its bound; the conditions on d, g and N against lnsx25.thm8a and lnsx25.thm8b for m = 2, 100, 10^6, delta = 1/2, 1/20, 1e-9, eta = 1/100, 3/8, 99/100"
    ));
    for coordinate in &COORDINATES {
        let squared = coordinate.moment(2);
        let kurtosis = coordinate.moment(4) / (&squared * &squared);
        check.holds(
            coordinate.moment(1).is_zero(),
            format_args!("{}: mean 0", coordinate.name),
        );
        for d in dimensions {
            let exact = coordinate.within_its_length(d);
            let bound = gram::closeness_of_bounded_kurtosis(d, &kurtosis)?;
            check.holds(
                bound.is_above_rational(&exact),
                format_args!("{}, d = {d}: {exact}, at most {bound}", coordinate.name),
            );
            if d == 100 {
                check.figure(
                    format_args!(
                        "{}, kurtosis {kurtosis}, d = 100: exact, bound",
                        coordinate.name
                    ),
                    format_args!(
                        "{}, {}",
                        to_scientific(&exact, 3),
                        to_scientific(&bound.upper(), 3)
                    ),
                );
            }
        }
    }
    // 2. What the conditions give.
    for m in [2u64, 100, 1_000_000] {
        for failure in [ratio(1, 2), ratio(1, 20), ratio(1, 1_000_000_000)] {
            // All pairs are apart, but for a probability of delta^2/2.
            let kurtosis = integer(3);
            let d = gram::dimension_of_bounded_kurtosis(m, &kurtosis, &failure)?;
            let close = gram::closeness_of_bounded_kurtosis(small(d.clone()), &kurtosis)?;
            let pairs = close * Enclosure::integer(m, BITS).squared().shifted(-1);
            check.holds(
                pairs.upper() <= &failure * &failure / integer(2),
                format_args!("m = {m}, delta = {failure}, d = {d}: a close pair with {pairs}"),
            );
            for eta in [ratio(1, 100), ratio(3, 8), ratio(99, 100)] {
                // g^2 at s^2 = 1, and the separation that lnsx25.thm8a asks for.
                let log = Enclosure::of(&(integer(2 * m) / &eta), BITS).ln()?;
                let apart = log.shifted(2);
                let needed = gram::separation(m, &eta, &integer(1))?;
                // N with C2 = 14/3, and the frequencies that lnsx25.thm8b asks for.
                let frequencies = Enclosure::of(&(integer(2 * m) / &failure), BITS).ln()?
                    * Enclosure::of(&(ratio(14, 3) * integer(m) / (&eta * &eta)), BITS);
                let enough = gram::features_for_both_edges(m, &eta, &failure)?;
                check.holds(
                    needed.is_below(&apart)
                        && frequencies.is_above_rational(&(Rational::from_integer(enough.into()) - integer(1))),
                    format_args!("m = {m}, delta = {failure}, eta = {eta}: g^2 = {apart} of {needed}, N = {frequencies}"),
                );
            }
        }
    }
    check.figure(
        "d for m = 1000, delta = 1/20, Gaussian coordinates (kurtosis 3)",
        gram::dimension_of_bounded_kurtosis(1000, &integer(3), &ratio(1, 20))?,
    );
    Ok(())
}

pub(super) fn separation(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    check.certified("equally spaced points on a line, as close as allowed, m in {2, 3, 10, 40}, eta in {1/4, 3/8}, s^2 in {1, 40}: row sums of K - I");
    for m in [2u64, 3, 10, 40] {
        for eta in [ratio(1, 4), ratio(3, 8)] {
            for variance in [integer(1), integer(40)] {
                let squared = gram::separation(m, &eta, &variance)?;
                let exponent = squared * Enclosure::of(&(&variance / integer(2)), BITS);
                let mut worst = Enclosure::integer(0, BITS);
                for i in 0..m {
                    let mut sum = Enclosure::integer(0, BITS);
                    for j in (0..m).filter(|&j| j != i) {
                        let steps = Enclosure::integer(i.abs_diff(j).pow(2), BITS);
                        sum = sum + (-(&exponent * steps)).exp()?;
                    }
                    worst = worst.max(&sum);
                }
                check.holds(
                    worst.upper() <= eta,
                    format_args!("m = {m}, eta = {eta}, s^2 = {variance}: a row sums to {worst}"),
                );
                check.figure(
                    format_args!("m = {m}, eta = {eta}, s^2 = {variance}: largest sum of a row"),
                    worst,
                );
            }
        }
    }
    Ok(())
}

pub(super) fn both_edges(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    check.exact("two records and four uniform phases (K = I, |G/N - I| = |S|/N), eta in {1/4, 3/8}, delta in {1/2, 1/10}");
    for eta in [ratio(1, 4), ratio(3, 8)] {
        for failure in [ratio(1, 2), ratio(1, 10)] {
            let n = small(gram::features_for_both_edges(2, &eta, &failure)?);
            let exact = four_phases_reach(n, &(integer(4 * n * n) * &eta * &eta));
            check.holds(
                exact <= failure,
                format_args!("eta = {eta}, delta = {failure}, N = {n}: fails with {exact}"),
            );
            check.figure(
                format_args!("eta = {eta}, delta = {failure}: fails at N = {n} with probability"),
                to_scientific(&exact, 3),
            );
        }
    }
    // The constant at eta = 3/8: 2 (1 + 1/2) (8/3)^2 = 64/3.
    check.certified("m = 1000, eta = 3/8, delta = 1/20: N against 21.4 m ln(2m/delta)");
    let n = gram::features_for_both_edges(1000, &ratio(3, 8), &ratio(1, 20))?;
    let log = Enclosure::integer(40_000, BITS).ln()?;
    let stated = log * Enclosure::integer(21_400, BITS);
    check.holds(
        stated.is_above_rational(&integer(BigInt::from(n.clone()))),
        format_args!("N = {n}, stated {stated}"),
    );
    check.figure("N for m = 1000, eta = 3/8, delta = 1/20", n);
    Ok(())
}

fn small(n: BigUint) -> u64 {
    n.to_u64().unwrap_or(u64::MAX)
}

/// `Pr[lambda_min(G/N) < 1/4]` for three records with independent fair signs for phases, exactly.
///
/// A column is one of four up to its sign; with `a`, `b`, `c` the entries of `G` off the diagonal,
/// `4 G - N I` has `3N` on its diagonal, and is positive semidefinite if no principal minor is negative.
fn three_records_below_a_quarter(n: u64) -> Rational {
    let mut factorials = vec![BigUint::one()];
    for k in 1..=n {
        let next = &factorials[k as usize - 1] * k;
        factorials.push(next);
    }
    let factorial = |k: i64| &factorials[k as usize];
    let n = n as i64;
    let mut count = BigUint::zero();
    for p in 0..=n {
        for q in 0..=n - p {
            for r in 0..=n - p - q {
                let s = n - p - q - r;
                // p columns (1,1,1), q (1,1,-1), r (1,-1,1), s (1,-1,-1).
                let (a, b, c) = (p + q - r - s, p - q + r - s, p - q - r + s);
                let (d, a, b, c) = (3 * n, 4 * a, 4 * b, 4 * c);
                let minors = d >= a.abs() && d >= b.abs() && d >= c.abs();
                let determinant = d * d * d + 2 * a * b * c - d * (a * a + b * b + c * c);
                if !minors || determinant < 0 {
                    let ways = factorial(p) * factorial(q) * factorial(r) * factorial(s);
                    count += factorial(n) / ways;
                }
            }
        }
    }
    Rational::new(count.into(), BigInt::one() << (2 * n))
}

pub(super) fn lower_edge(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    let eta = ratio(3, 8);
    let failures: &[Rational] = &[ratio(1, 2), ratio(1, 10)];
    let failures = if check.quick() {
        &failures[..1]
    } else {
        failures
    };
    check.exact(format_args!(
        "eta = 3/8, delta in {}: two records with four uniform phases, three with fair signs",
        super::list(failures)
    ));
    for failure in failures {
        let n = small(gram::features_for_the_lower_edge(2, &eta, failure)?);
        let two = four_phases_reach(n, &(integer(4 * n * n) * &eta * &eta));
        let more = small(gram::features_for_the_lower_edge(3, &eta, failure)?);
        let three = three_records_below_a_quarter(more);
        for (m, n, exact) in [(2, n, two), (3, more, three)] {
            check.holds(
                exact <= *failure,
                format_args!("m = {m}, delta = {failure}, N = {n}: fails with {exact}"),
            );
            check.figure(
                format_args!("m = {m}, delta = {failure}: fails at N = {n} with probability"),
                to_scientific(&exact, 3),
            );
        }
    }
    check.certified("m = 1000, eta = 3/8, delta = 1/20: N against 6.86 m ln(m/delta)");
    let n = gram::features_for_the_lower_edge(1000, &eta, &ratio(1, 20))?;
    let stated = Enclosure::integer(20_000, BITS).ln()? * Enclosure::integer(6_860, BITS);
    check.holds(
        stated.is_above_rational(&integer(BigInt::from(n.clone()))),
        format_args!("N = {n}, stated {stated}"),
    );
    check.figure("N for m = 1000, delta = 1/20", n);
    Ok(())
}

pub(super) fn gaussian_data(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    check.certified(
        "Pr[chi^2_d < d/2] for d = 1 to 200 against its bound; the dimension at m = 1000",
    );
    for d in 1..=200u64 {
        let exact = chi_square::lower_tail(d, &Enclosure::integer(d, BITS).shifted(-1))?;
        let bound = gram::closeness(d)?;
        check.holds(
            exact.is_below(&bound),
            format_args!("d = {d}: {exact}, at most {bound}"),
        );
        if d == 5 || d == 100 || d == 200 {
            check.figure(
                format_args!("d = {d}"),
                format_args!("{exact} at most {}", to_scientific(&bound.upper(), 4)),
            );
        }
    }
    let dimension = gram::dimension_of_gaussian_data(1000, &ratio(1, 20))?;
    let at = |d: u64| gram::close_pair(1000, d);
    let (enough, too_little) = (at(167)?, at(166)?);
    check.holds(
        dimension == BigUint::from(167u32)
            && enough.upper() <= ratio(1, 20)
            && too_little.is_above_rational(&ratio(1, 20)),
        format_args!("m = 1000: d = {dimension}, bound {enough} at 167 and {too_little} at 166"),
    );
    check.figure("dimension for m = 1000, delta = 1/20", dimension);
    Ok(())
}

/// The mean and the variance of the sum of `|G_ij/N|^2` over `i != j`, over all matrices of four phases
/// with a first row of ones (which is no loss: the columns may be turned).
fn off_diagonal_by_enumeration(m: u32, n: u32) -> (Rational, Rational) {
    let entries = (m - 1) * n;
    let (mut sum, mut sum_of_squares) = (BigInt::zero(), BigInt::zero());
    for code in 0..1u64 << (2 * entries) {
        let quarter = |row: u32, column: u32| {
            if row == 0 {
                0
            } else {
                (code >> (2 * ((row - 1) * n + column))) & 3
            }
        };
        let mut squares = 0i64;
        for i in 0..m {
            for j in 0..i {
                let (mut re, mut im) = (0i64, 0i64);
                for k in 0..n {
                    match (quarter(i, k) + 4 - quarter(j, k)) & 3 {
                        0 => re += 1,
                        1 => im += 1,
                        2 => re -= 1,
                        _ => im -= 1,
                    }
                }
                squares += 2 * (re * re + im * im);
            }
        }
        sum += squares;
        sum_of_squares += squares * squares;
    }
    let cases = BigInt::one() << (2 * entries);
    let scale = integer(n) * integer(n);
    let mean = Rational::new(sum, cases.clone()) / &scale;
    let second = Rational::new(sum_of_squares, cases) / (&scale * &scale);
    let variance = second - &mean * &mean;
    (mean, variance)
}

pub(super) fn necessary(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    let sizes: &[(u32, u32)] = &[(2, 1), (2, 3), (2, 6), (3, 2), (3, 3), (4, 2), (3, 4)];
    let sizes = if check.quick() { &sizes[..6] } else { sizes };
    check.exact(format_args!(
        "mean and variance over all matrices of four phases for (m, N) in {sizes:?}; the probabilities at m = 1000, eta = 3/8 by Chebyshev"
    ));
    for &(m, n) in sizes {
        let found = off_diagonal_by_enumeration(m, n);
        let stated = gram::off_diagonal(m.into(), n.into());
        check.holds(
            found == stated,
            format_args!("m = {m}, N = {n}: mean and variance {found:?}, stated {stated:?}"),
        );
    }
    for n in [1200, 1500, 1700] {
        let at_most = gram::conclusion_at_most(1000, n, &ratio(3, 8))?;
        check.holds(
            at_most < ratio(1, 100),
            format_args!("m = 1000, N = {n}: probability at most {at_most}"),
        );
        check.figure(
            format_args!(
                "m = 1000, N = {n}: Theorem 8's conclusion holds with probability at most"
            ),
            to_scientific(&at_most, 3),
        );
    }
    Ok(())
}

pub(super) fn hypotheses(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_8(check)?;
    check.certified("m = 1000, eta = 3/8, delta = 1/20, our constants");
    let (eta, failure) = (ratio(3, 8), ratio(1, 20));
    // Used: N up to 5,000 and d = 5, 100 on synthetic data; N up to 22,000 and d = 11 on real data, which have
    // more than 1000 records.
    for (what, needed, stated, used) in [
        (
            "frequencies for both edges",
            gram::features_for_both_edges(1000, &eta, &failure)?,
            226_062u32,
            22_000u32,
        ),
        (
            "frequencies for the lower edge",
            gram::features_for_the_lower_edge(1000, &eta, &failure)?,
            67_866,
            22_000,
        ),
        (
            "dimension",
            gram::dimension_of_gaussian_data(1000, &failure)?,
            167,
            100,
        ),
    ] {
        check.holds(
            needed == BigUint::from(stated) && stated > used,
            format_args!("{what}: {needed}, stated {stated}, used {used}"),
        );
        check.figure(
            format_args!("{what}: asked for, and used at most"),
            format_args!("{needed}, {used}"),
        );
    }
    let at_1500 = gram::conclusion_at_most(1000, 1500, &eta)?;
    check.holds(
        at_1500 < ratio(1, 100),
        format_args!("N = 1500: the conclusion has probability at most {at_1500}"),
    );
    check.figure(
        "the conclusion holds at N = 1500 with probability at most",
        to_scientific(&at_1500, 3),
    );
    Ok(())
}
