//! How many records Section 3 asks for: Theorem 6, Claim 6.2 and Lemma 7, and large epsilon, where the pure learner of
//! Section 4 shares the counterexample.

use super::{BITS, of, rows_for};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::halfspaces::bounds::{
    Goal, Net, full_batch_best, lemma_7 as asked_by_lemma_7, pure, theorem_6, theorem_11,
};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::stats::binomial;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// `e^lambda + e^(-(1+zeta) lambda)`: at most 2 wherever the exchange of a pair is expected to gain nothing.
fn exchanged(zeta: &Rational, lambda: &Enclosure) -> Result<Enclosure, NumberError> {
    let back = -(lambda * of(&(integer(1) + zeta)));
    Ok(lambda.exp()? + back.exp()?)
}

/// `Pr[some h: err(h) > (1 + zeta) emp(h) + eta]` for all eight sets of errors on three points of these masses,
/// over all samples of `n`.
fn worst_of_three_points(
    n: u64,
    masses: &[Rational; 3],
    zeta: &Rational,
    eta: &Rational,
) -> Rational {
    let factorial = |k: u64| (1..=k).product::<u64>().max(1);
    let mut sum = Rational::zero();
    for first in 0..=n {
        for second in 0..=n - first {
            let counts = [first, second, n - first - second];
            let bad = (0..8u32).any(|errors| {
                let on = |i: &usize| errors >> i & 1 == 1;
                let err: Rational = (0..3).filter(on).map(|i| masses[i].clone()).sum();
                let seen: u64 = (0..3).filter(on).map(|i| counts[i]).sum();
                err > (integer(1) + zeta) * Rational::new(seen.into(), n.into()) + eta
            });
            if bad {
                let ways = factorial(n) / counts.iter().map(|&k| factorial(k)).product::<u64>();
                let each = (0..3).map(|i| masses[i].pow(counts[i] as i32));
                sum += each.fold(integer(ways), |product, power| product * power);
            }
        }
    }
    sum
}

/// `nuz20.lem7.sharper`.
pub(super) fn lemma_7_sharper(check: &mut Check) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 12 } else { 30 };
    check.exact(format_args!(
        "Pr[Bin(n, p) >= floor(np)] >= 1/2: n = 1..{most} and 64, p = k/n and the tenths"
    ));
    let half = ratio(1, 2);
    let mut least = Rational::one();
    for n in (1..=most).chain([64]) {
        let whole = (1..n).map(|k| Rational::new(k.into(), n.into()));
        for p in whole.chain((1..10).map(|k| ratio(k, 10))) {
            let mean = u64::try_from((&p * integer(n)).to_integer())?;
            let found = binomial::exact_upper_tail(n, mean, &p);
            check.holds(found >= half, format_args!("n = {n}, p = {p}"));
            least = least.min(found);
        }
    }
    check.attained("1/2, of the least of these", &half, &least);
    check.certified("the exchange at zeta = 1, lambda = ln((1 + sqrt 5)/2): all patterns of up to 160 pairs, sums t = 1..64");
    // A pair of two different results adds 1 or -2, a pair of two errors -1: the latter only lowers the sum.
    let golden = (of(&integer(5)).sqrt()? + of(&integer(1))).shifted(-1);
    let lambda = golden.ln()?;
    let tails: Vec<Vec<Rational>> = (1..=160u64)
        .step_by(if check.quick() { 40 } else { 4 })
        .map(|pairs| {
            // Pr[X >= k], all at once.
            let mut tails = vec![Rational::zero(); pairs as usize + 2];
            let mut ways = BigInt::one();
            let terms: Vec<BigInt> = (0..=pairs)
                .map(|k| {
                    let term = ways.clone();
                    ways = &ways * (pairs - k) / (k + 1);
                    term
                })
                .collect();
            for k in (0..=pairs as usize).rev() {
                let term = Rational::new(terms[k].clone(), BigInt::one() << pairs);
                tails[k] = &tails[k + 1] + term;
            }
            tails
        })
        .collect();
    for t in 1..=64u64 {
        let mut largest = Rational::zero();
        for tails in &tails {
            let pairs = tails.len() as u64 - 2;
            // X - 2 (pairs - X) >= t
            let least = (t + 2 * pairs).div_ceil(3);
            if least <= pairs {
                largest = largest.max(tails[least as usize].clone());
            }
        }
        let bound = (-(&lambda * of(&integer(t)))).exp()?;
        check.holds(
            largest <= bound.lower(),
            format_args!("a sum of {t} or more"),
        );
        if t == 64 && !check.quick() {
            let reached = -of(&largest).ln()?;
            check.attained(
                "exponent lambda t, of that of the likeliest pattern, t = 64",
                &(&lambda * of(&integer(t))).upper(),
                &reached.lower(),
            );
        }
    }
    let golden_pair = exchanged(&Rational::one(), &lambda)?;
    check.holds(
        golden_pair.contains(&integer(2)) && golden_pair.has_digits(30),
        "e^lambda + e^(-2 lambda) = 2 at the golden ratio",
    );
    check.certified("the statement: all sets of errors on three points of masses 1/2, 1/3, 1/6, all samples of n = 4, 8, ..., 20, zeta in {1/4, 1, 4}, eta in {1/10, 3/10}, lambda the largest hundredth");
    for zeta in [ratio(1, 4), integer(1), integer(4)] {
        let mut hundredths = 1;
        while exchanged(&zeta, &of(&ratio(hundredths + 1, 100)))?.upper() <= integer(2) {
            hundredths += 1;
        }
        let lambda = ratio(hundredths, 100);
        for eta in [ratio(1, 10), ratio(3, 10)] {
            for n in [4u64, 8, 12, 16, 20] {
                let masses = [ratio(1, 2), ratio(1, 3), ratio(1, 6)];
                let found = worst_of_three_points(n, &masses, &zeta, &eta);
                // 2 e^lambda 8 e^(-lambda eta n)
                let exponent = &lambda * (integer(1) - &eta * integer(n));
                let bound = Enclosure::exp_of(&exponent, BITS)?.shifted(4);
                check.holds(
                    found <= bound.lower(),
                    format_args!("zeta = {zeta}, eta = {eta}, n = {n}"),
                );
            }
        }
        check.figure(
            format_args!("lambda at zeta = {zeta}, where the printed rate is"),
            format_args!("{lambda}, {}", &zeta / (integer(4) * (&zeta + integer(1)))),
        );
    }
    Ok(())
}

/// `nuz20.lem7`.
pub(super) fn lemma_7(check: &mut Check) -> Result<(), Trouble> {
    check.certified("e^c + e^(-(1+zeta) c) <= 2 and 2 e^c <= 4 at c = zeta/(4(1+zeta)): zeta = 2^-10, 2^-9.5, ..., 2^10");
    let mut largest = Rational::zero();
    for power in -20..=20i64 {
        // 2^(power/2), in quarters of the power of two below it.
        let whole = Rational::new(BigInt::one() << (power.div_euclid(2) + 10), (1024).into());
        let zeta = if power.rem_euclid(2) == 1 {
            whole * ratio(3, 2)
        } else {
            whole
        };
        let c = &zeta / (integer(4) * (integer(1) + &zeta));
        let pair = exchanged(&zeta, &of(&c))?;
        check.holds(pair.upper() <= integer(2), format_args!("zeta = {zeta}"));
        check.holds(
            of(&c).exp()?.upper() <= integer(2),
            format_args!("2 e^c, zeta = {zeta}"),
        );
        largest = largest.max(pair.upper());
    }
    check.attained("e^c + e^(-(1+zeta) c)", &largest, &integer(2));
    check.certified("every zeta: by a quadratic up to 6, by two constants from 2 on");
    // With v = 1 + zeta: 2 + v^2 <= 8 v, which is convex in v, at both ends.
    for v in [1i64, 7] {
        check.holds(2 + v * v <= 8 * v, format_args!("v = {v}"));
    }
    // e^x <= 1 + x + x^2 for 0 <= x <= 1/4, as 1/2 + x/6 + ... <= 1/2 e^x <= 1 there.
    let quarter = Enclosure::exp_of(&ratio(1, 4), BITS)?;
    check.holds(quarter.upper() <= integer(2), "e^(1/4)/2 <= 1");
    let far = quarter + Enclosure::exp_of(&ratio(-1, 2), BITS)?;
    check.holds(far.upper() < integer(2), "zeta >= 2: e^(1/4) + e^(-1/2)");
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

/// `nuz20.thm6.corrected`: the two requirements of the statement, by formulas of their own.
pub(super) fn theorem_6_corrected(check: &mut Check) -> Result<(), Trouble> {
    super::edges::of_the_theorem(check)?;
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
        let twice = |k: u32| Rational::new(BigInt::one() << k, 1.into()) * &beta;
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
            // What the library asks for at this m and n is the requirement.
            let goal = Goal::new(alpha.clone(), beta.clone(), integer(1), integer(1))?;
            let records = n.to_integer().to_biguint().unwrap_or_default();
            let library = asked_by_lemma_7(&goal, &m.into(), &records)?;
            let own = generalisation(&alpha, &beta, &integer(m), &n)?;
            check.holds(
                library.meets(&own) && library.has_digits(20),
                format_args!("the library's requirement, {instance}"),
            );
            check.figure(
                format_args!("alpha = {alpha}, beta = {beta}, m = {m}"),
                format_args!("n = {n}"),
            );
        }
    }
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

/// The records of `nuz20.thm11.corrected` (b), by volume, at alpha = beta = 1/10 and epsilon = 1.
pub(super) fn counted_records(gamma: &Rational) -> Result<Rational, Trouble> {
    let tenth = ratio(1, 10);
    let goal = Goal::new(tenth.clone(), tenth, gamma.clone(), integer(1))?;
    let found = pure::counted(&goal, &ratio(3, 4), Net::Volume)?;
    Ok(integer(found.records))
}

/// `nuz20.table1`.
pub(super) fn running_time(check: &mut Check) -> Result<(), Trouble> {
    check.certified("alpha = 1/10, gamma = 9/10, epsilon = 1: ln of (10/gamma)^m in the theorem's own m, beta = 10^-10, 10^-100, 10^-1000");
    let gamma = ratio(9, 10);
    let tries = |power: u32| -> Result<(Enclosure, Enclosure, Enclosure), Trouble> {
        let beta = Rational::new(BigInt::one(), BigInt::from(10).pow(power));
        let goal = Goal::new(ratio(1, 10), beta.clone(), gamma.clone(), integer(1))?;
        let found = theorem_11(&goal, Net::Volume)?;
        let m = integer(found.dimension.clone());
        let least = of(&m) * of(&(integer(10) / &gamma)).ln()?;
        // ln(n/(alpha beta)) ln(1 + 20/gamma)/gamma^2, which the other reading allows in the exponent.
        let allowed = of(&(integer(found.records) * integer(10) / &beta)).ln()?
            * of(&(integer(1) + integer(20) / &gamma)).ln()?
            * of(&gamma.pow(-2));
        Ok((of(&beta.recip()).ln()?, least, allowed))
    };
    let (first_log, first, _) = tries(10)?;
    for power in [100, 1000] {
        let (log, least, allowed) = tries(power)?;
        // Any f(1/gamma) cancels: the quotient of the two sizes against the thousandth power of that of the logarithms.
        let gained = &least - &first;
        let polynomial = log.divided_by(&first_log)?.ln()? * of(&integer(1000));
        check.refutes(
            polynomial.is_below(&gained),
            "gamma = 9/10, beta to 0: the net grows like a power of 1/beta",
        );
        check.figure(
            format_args!("ln of the points gone through at beta = 10^-{power} beyond those at 10^-10, and 1000 ln of the quotient of ln(1/beta)"),
            format_args!("{gained} and {polynomial}"),
        );
        // 4/kappa^2 at kappa = gamma/100, twice for beta^2, and a little more.
        check.holds(
            least.is_below(&(allowed * of(&integer(90_000)))),
            format_args!("with ln(n/(alpha beta)) in the exponent, beta = 10^-{power}"),
        );
    }
    Ok(())
}

/// `nuz20.growth`.
pub(super) fn growth(check: &mut Check) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 20 } else { 60 };
    check.exact(format_args!(
        "2n = 2, 4, ..., {most}, m = 1..8: Sauer's sum for VC dimension m + 1, and for m"
    ));
    for doubled in (2..=most).step_by(2) {
        for m in 1..=8u64 {
            let sum = |dimension: u64| -> BigUint {
                let terms = (0..=dimension.min(doubled))
                    .map(|i| num_integer::binomial(BigUint::from(doubled), BigUint::from(i)));
                terms.sum()
            };
            let printed = BigUint::from(doubled).pow(m as u32 + 1) + 1u32;
            let instance = format!("2n = {doubled}, m = {m}");
            check.holds(sum(m + 1) <= printed, &instance);
            check.holds(sum(m) <= sum(m + 1), &instance);
        }
    }
    check.exact("all sets of four points of {-1, 0, 1}^2, m = 2: the patterns of errors that halfspaces make");
    let line = || -1..=1i64;
    let grid: Vec<[i64; 2]> = line().flat_map(|x| line().map(move |y| [x, y])).collect();
    let mut largest = 0;
    for set in 0..1u32 << grid.len() {
        if set.count_ones() == 4 {
            let points: Vec<[i64; 2]> = (0..grid.len())
                .filter(|i| set >> i & 1 == 1)
                .map(|i| grid[i])
                .collect();
            let patterns = error_patterns(&points);
            check.holds(patterns <= 4usize.pow(3) + 1, format_args!("{points:?}"));
            // Sauer for dimension 2: 1 + 4 + 6.
            check.holds(patterns <= 11, format_args!("{points:?}"));
            largest = largest.max(patterns);
        }
    }
    check.figure(
        "most patterns on four points of the plane, of 11 (dimension 2) and 65 (as printed)",
        largest,
    );
    Ok(())
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
}
