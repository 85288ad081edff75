//! The program of Figures 1 to 6: `m` steps of Kaczmarz in an order that is hidden, and the noise of Algorithm 1.
//!
//! The pair: one record with a label 0 or 1, and `m - 1` others that do not interfere. With the label 0 the component
//! of the coefficients that is looked at is 0. With the label 1 it is at least `rho` as soon as the record is drawn,
//! which happens with probability `1 - (1 - 1/m)^m`. So the output is a normal number against a mixture of two.

use super::{budget, delta};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{CoinsError, Explored, Explorer, Layer};
use dp_assay::number::rational::{integer, ratio, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{Complex, product, squared_norm};
use dp_assay::random_features::as_coded;
use num_traits::{One, Signed, Zero};

const BITS: u32 = 96;

/// Rows that name the counterexample do so in these words.
pub(super) const COUNTEREXAMPLE: &str = "m steps of Kaczmarz in a hidden order: a record with label 0 or 1, all other inputs equal, with label 0";

/// The law of the component of the program's coefficients along `direction`, times its length, over all orders.
fn law_of_component(
    rows: &[Vec<Complex>],
    labels: &[Rational],
    direction: &[Complex],
) -> Result<Explored<Rational>, CoinsError> {
    Explorer::new(Layer::UniformBelow, 1 << 16).explore(|coins| {
        match as_coded::kaczmarz(rows, labels, coins) {
            Ok(c) => Ok(product(direction, &c).re),
            Err(OptimiseError::Coins(error)) => Err(error),
            // The rows and labels fit each other, and no row is 0.
            Err(_) => Err(CoinsError::NoOutcome),
        }
    })
}

/// The features of the program on the first of its records, less their component along those of the others.
fn component_beside(row: &[Complex], others: &[Complex]) -> Vec<Complex> {
    let share = product(row, others).re / squared_norm(others);
    row.iter()
        .zip(others)
        .map(|(a, b)| Complex::real(&a.re - &b.re * &share))
        .collect()
}

/// The probability that one of `m` records is drawn in `m` draws: `1 - (1 - 1/m)^m`.
fn drawn(m: u64) -> Enclosure {
    let missed = Enclosure::of(&(Rational::one() - integer(m).recip()), BITS).power(m);
    missed.complement()
}

/// `delta(epsilon)` at least, where the component is 0 on the one dataset and `rho` or more with probability
/// `1 - (1 - 1/m)^m` on the other, and noise is added as the program adds it: the largest value of
/// `p Q(t - rho/s) + (1 - p) Q(t) - e^epsilon Q(t)` over thresholds of `t` deviations in steps of 1/8.
fn told_apart(
    m: u64,
    frequencies: u64,
    epsilon: &Rational,
    squared_rho: &Rational,
) -> Result<Rational, Trouble> {
    let variance = as_coded::variance(frequencies, &budget(epsilon.clone())?)?;
    let mu = Enclosure::of(squared_rho, BITS)
        .divided_by(&variance)?
        .sqrt()?;
    let p = drawn(m);
    let odds = Enclosure::exp_of(epsilon, BITS)?;
    let mut best = Rational::zero();
    for eighths in 0..=40 {
        let t = Enclosure::of(&ratio(eighths, 8), BITS);
        let (moved, stayed) = ((&t - &mu).normal_upper(), t.normal_upper());
        let gain = &p * moved + p.complement() * &stayed - &odds * stayed;
        best = best.max(gain.lower());
    }
    Ok(best)
}

/// `rho^2` at least, for features `sqrt(2/N) cos(<w_k, x> + b_k)` at two inputs whose kernel is at most 1/1000, and
/// the probability at most, over the frequencies and uniform phases, that they are not such.
///
/// Hoeffding: `|phi|^2` is 1 plus a mean of `N` numbers in [-1, 1] of mean 0, off by more than 1/10 with probability
/// at most `e^(-N/200)`, at either input; and the inner product is a mean of `N` numbers in [-2, 2] of mean at most
/// 1/1000, off by more than 1/5 with probability at most `2 e^(-N/200)`. Otherwise the squared cosine of their angle
/// is at most `(201/1000)^2/(9/10)^2`, and `rho^2 >= (1 - cos^2)/(11/10)`.
fn typical(frequencies: u64) -> Result<(Rational, Enclosure), Trouble> {
    let squared_cosine = (ratio(201, 1000) / ratio(9, 10)).pow(2);
    let squared_rho = (Rational::one() - squared_cosine) / ratio(11, 10);
    let tail = Enclosure::exp_of(&ratio(-(frequencies as i64), 200), BITS)?;
    // |phi(x_1)|^2 above and below, |phi(x_2)|^2 below; the inner product twice.
    Ok((squared_rho, tail * Enclosure::integer(5, BITS)))
}

/// A lower bound on the program's `delta(epsilon)` on the pair, over its order, its noise, its frequencies and phases.
pub(super) fn shown(m: u64, frequencies: u64, epsilon: &Rational) -> Result<Rational, Trouble> {
    let (squared_rho, untypical) = typical(frequencies)?;
    let found = told_apart(m, frequencies, epsilon, &squared_rho)?;
    // Where the features are not typical, the event is empty: it adds nothing.
    Ok((untypical.complement() * Enclosure::of(&found, BITS)).lower())
}

/// Refutes that the program is private at these numbers of records and features and this epsilon.
pub(super) fn not_private(
    check: &mut Check,
    cases: &[(u64, u64, Rational)],
) -> Result<(), Trouble> {
    for (m, frequencies, epsilon) in cases {
        let found = shown(*m, *frequencies, epsilon)?;
        check.refutes(found > delta(), COUNTEREXAMPLE);
        check.figure(
            format_args!("Kaczmarz, m = {m}, N = {frequencies}: delta({epsilon}) at least"),
            to_scientific_below(&found, 3),
        );
    }
    Ok(())
}

/// The cosines of four records at `N = 8` whose features are orthonormal: half of them are 0, the others 1 or -1.
fn orthonormal() -> Result<Vec<Vec<Complex>>, OptimiseError> {
    let signs = [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]];
    let row = |signs: &[i64; 4]| {
        signs
            .iter()
            .flat_map(|&sign| [integer(sign), integer(0)])
            .collect()
    };
    as_coded::features(&signs.iter().map(row).collect::<Vec<_>>())
}

pub(super) fn as_coded_by_kaczmarz(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 3 } else { 4 };
    check.exact(format_args!(
        "the program's Kaczmarz on every order, m = 2 to {most}: orthonormal features, other labels 0 and 1; and two different inputs at N = 2 and 8"
    ));
    let (zero, one) = (Rational::zero(), Rational::one());
    for m in 2..=most {
        let missed = ratio(m as i64 - 1, m as i64).pow(m as i32);
        // 1. Orthonormal features: the component is the label if the record was drawn, and 0 otherwise.
        let rows = &orthonormal()?[..m];
        let labels = |first: &Rational| -> Vec<Rational> {
            let others = (1..m).map(|place| integer(place as i64 % 2));
            [first.clone()].into_iter().chain(others).collect()
        };
        let still = law_of_component(rows, &labels(&zero), &rows[0])?;
        let moved = law_of_component(rows, &labels(&one), &rows[0])?;
        check.holds(
            still.lower(&zero) == one
                && moved.lower(&zero) == missed
                && moved.lower(&one) == &one - &missed,
            format_args!(
                "orthonormal, m = {m}: label 0 gives {:?}, label 1 gives {:?}",
                still.lower, moved.lower
            ),
        );
        // 2. All other inputs equal, their labels 0: it is at least rho = sqrt(1 - cos^2)/|phi| if it was drawn.
        for (n, cosines) in [
            (2, [[(3, 5), (4, 5)], [(-4, 5), (1, 1)]]),
            (8, [[(1, 1), (3, 5)], [(3, 5), (0, 1)]]),
            (8, [[(-1, 1), (5, 13)], [(12, 13), (4, 5)]]),
        ] {
            let row = |pair: [(i64, i64); 2]| -> Vec<Rational> {
                (0..n)
                    .map(|k| ratio(pair[k % 2].0, pair[k % 2].1))
                    .collect()
            };
            let features = as_coded::features(&cosines.map(row))?;
            let rows: Vec<Vec<Complex>> = (0..m).map(|j| features[j.min(1)].clone()).collect();
            let beside = component_beside(&features[0], &features[1]);
            let labels = |first: &Rational| -> Vec<Rational> {
                (0..m)
                    .map(|j| if j == 0 { first.clone() } else { zero.clone() })
                    .collect()
            };
            let still = law_of_component(&rows, &labels(&zero), &beside)?;
            let moved = law_of_component(&rows, &labels(&one), &beside)?;
            // <u, c> for u of squared length |phi|^2 (1 - cos^2): at least rho |u|, squared.
            let (phi, u) = (squared_norm(&features[0]), squared_norm(&beside));
            let least = (&u / &phi).pow(2);
            let as_far: Rational = moved
                .lower
                .iter()
                .filter(|(found, _)| found.is_positive() && found.pow(2) >= least)
                .map(|(_, mass)| mass)
                .sum();
            check.holds(
                still.lower(&zero) == one && as_far == &one - &missed,
                format_args!(
                    "N = {n}, cosines {cosines:?}, m = {m}: at least rho with probability {as_far}, drawn with {}",
                    &one - &missed
                ),
            );
        }
    }
    // 3. What the noise leaves of it, at the figures' numbers of records and features.
    check.certified("delta_p = 1e-5, m and N of Figures 1 to 6: over the frequencies and phases, the order and the noise; and with orthonormal features");
    let cases = [
        (1000, 1500, integer(1)),
        (1000, 5000, integer(1)),
        (1000, 1500, ratio(1, 2)),
        (1204, 2000, integer(1)),
        (1204, 10_000, integer(1)),
        (1204, 10_000, ratio(1, 2)),
        (1439, 2000, ratio(1, 4)),
        (1439, 10_000, integer(1)),
    ];
    not_private(check, &cases)?;
    for (m, frequencies, stated) in [
        (1000, 1500, "0.285"),
        (1000, 5000, "0.552"),
        (1204, 2000, "0.355"),
        (1204, 10_000, "0.620"),
    ] {
        let found = told_apart(m, frequencies, &integer(1), &one)?;
        check.holds(
            found > dp_assay::number::rational::parse(stated)?,
            format_args!(
                "orthonormal, m = {m}, N = {frequencies}: delta(1) >= {found}, stated {stated}"
            ),
        );
        check.figure(
            format_args!("orthonormal features, m = {m}, N = {frequencies}: delta(1) at least"),
            to_scientific_below(&found, 3),
        );
    }
    Ok(())
}
