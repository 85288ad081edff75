//! Algorithm 1, as printed and as its authors' program has it: what it shows, on which pairs.

use super::instances::{x1, x1_on_two_axes, x6};
use super::{Largest, algorithm, budget, delta, list, metered, mu, told_apart};
use crate::claim::{Check, Trouble};
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{
    Complex, combination, difference, gram, inverse_gram_diagonal, minimum_norm, reals, ridge,
    solve, squared_norm,
};
use dp_assay::privacy::{Budget, PrivacyError, gaussian};
use dp_assay::random_features::bounds::ridge_sensitivity;
use dp_assay::random_features::{as_coded, ridge_with_gamma_noise};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

const BITS: u32 = 128;

/// Certified `delta(1)` from above, for a `mu` that is at most this.
fn delta_at_most(mu: &Enclosure) -> Result<Enclosure, PrivacyError> {
    gaussian::profile(&mu.upper(), &integer(1), BITS)
}

/// Certified `delta(1)` from below, for a `mu` that is at least this.
fn delta_at_least(mu: &Enclosure) -> Result<Enclosure, PrivacyError> {
    gaussian::profile(&mu.lower(), &integer(1), BITS)
}

/// The attack on E-a: the labels, from the imaginary part of the coefficients and the rows.
///
/// With `W = A* (A A*)^-1` and real labels, `Im(c) = Im(W) y`: as many equations as features. They are solved by
/// least squares, `(Im W)^T (Im W) y = (Im W)^T Im(c)`, which is exact as they are consistent. Singular where
/// `Im(W)` does not determine the labels: in particular where all features are real.
fn labels_of_the_imaginary_part(
    rows: &[Vec<Complex>],
    imaginary: &[Rational],
) -> Result<Vec<Rational>, OptimiseError> {
    // 1. The columns of Im(W): what each label contributes.
    let unit = |j: usize| {
        let mut unit = vec![Complex::zero(); rows.len()];
        unit[j].re = Rational::one();
        unit
    };
    let gram = gram(rows);
    let mut columns = Vec::with_capacity(rows.len());
    for j in 0..rows.len() {
        let weights = solve(&gram, &unit(j))?;
        let column = combination(rows, &weights);
        columns.push(column.into_iter().map(|c| c.im).collect::<Vec<_>>());
    }
    // 2. The normal equations.
    let dot = |a: &[Rational], b: &[Rational]| -> Rational {
        a.iter()
            .zip(b)
            .fold(Rational::zero(), |sum, (a, b)| sum + a * b)
    };
    let matrix: Vec<Vec<Complex>> = columns
        .iter()
        .map(|a| columns.iter().map(|b| Complex::real(dot(a, b))).collect())
        .collect();
    let right: Vec<Complex> = columns
        .iter()
        .map(|a| Complex::real(dot(a, imaginary)))
        .collect();
    Ok(solve(&matrix, &right)?.into_iter().map(|y| y.re).collect())
}

pub(super) fn as_printed(check: &mut Check) -> Result<(), Trouble> {
    let algorithm = algorithm()?;
    // With noise in all coordinates near-duplicates are told apart.
    check.certified("X6 at n = 50, 5000 (real features, any number of equal frequencies)");
    for n in [50, 5000] {
        let instance = x6(n, 1);
        let mu = mu(&algorithm, &instance.squared_distance()?, 1)?;
        let found = delta_at_least(&mu)?;
        check.refutes(
            found.is_above_rational(&delta()),
            "X6, near-duplicates with real features and opposite labels",
        );
        check.figure(format_args!("mu on X6, n = {n}"), &mu);
        check.figure(format_args!("delta(1) on X6, n = {n}"), &found);
    }
    check.figure(
        "the other reading, a record swapped for a new one of the same law",
        "the printed bound, but for the probability of Theorem 8: lnsx25.lemma9.corrected",
    );
    // What the algorithm releases, in lockstep.
    metered::as_printed(check)
}

/// `lnsx25.alg1.complex`: real noise on complex coefficients.
pub(super) fn complex(check: &mut Check) -> Result<(), Trouble> {
    let algorithm = algorithm()?;
    check.exact(
        "epsilon = 1, delta = 1e-5, eta = 3/8; ten releases on X1, one on X1' (complex features)",
    );
    // Every release on X1 has the imaginary part of its own dataset; the neighbour never has it.
    let x1 = x1();
    let imaginary = |c: &[Complex]| -> Vec<Rational> { c.iter().map(|c| c.im.clone()).collect() };
    let [own, others] = x1.coefficients()?.map(|c| imaginary(&c));
    let mut coins = ChaCha::reproducible(check.seed(), 0);
    let mut shown = own != others;
    for _ in 0..10 {
        let release = algorithm.release_not_private(&x1.rows, &x1.labels, 20, &mut coins)?;
        shown &= release.imaginary == own;
    }
    check.refutes(
        shown,
        "X1: the imaginary part of the output is that of c, and never that of the neighbour's",
    );
    check.figure("|Im c - Im c'|^2 on X1", x1.squared_imaginary_distance()?);
    // On X1' the imaginary part determines the labels.
    let x = x1_on_two_axes();
    let release = algorithm.release_not_private(&x.rows, &x.labels, 20, &mut coins)?;
    let read = labels_of_the_imaginary_part(&x.rows, &release.imaginary)?;
    check.holds(
        read == x.labels,
        format_args!("X1': labels {} read off one release", list(&read)),
    );
    check.figure("labels read off one release on X1'", list(&read));
    check.figure(
        "the other reading, real coefficients",
        "the imaginary part is 0, and shows nothing",
    );
    metered::complex(check)
}

pub(super) fn imaginary_part(check: &mut Check) -> Result<(), Trouble> {
    check.certified("X1 at epsilon = 1, delta = 1e-5, eta = 3/8; twenty releases as printed on each of the two datasets");
    let (algorithm, x1) = (algorithm()?, x1());
    // 1. As printed the event is certain on the one dataset, and impossible on the other: no release of the
    //    algorithm has noise there.
    let own: Vec<Rational> = x1.coefficients()?[0].iter().map(|c| c.im.clone()).collect();
    let mut coins = ChaCha::reproducible(check.seed(), 1);
    let mut happened = [0, 0];
    for (labels, count) in [&x1.labels, &x1.neighbour].into_iter().zip(&mut happened) {
        for _ in 0..20 {
            let release = algorithm.release_not_private(&x1.rows, labels, 20, &mut coins)?;
            *count += u32::from(release.imaginary == own);
        }
    }
    check.holds(
        happened == [20, 0],
        format_args!("X1: the event happens {happened:?} times in 20 on the two datasets"),
    );
    check.figure(
        "releases with Im(output) = Im(c), of 20, on the two datasets",
        format_args!("{happened:?}"),
    );
    // 2. With noise of the same variance on both parts, all of the distance is hidden.
    let (apart, all) = (x1.squared_imaginary_distance()?, x1.squared_distance()?);
    let mu = mu(&algorithm, &all, x1.frequencies)?;
    let repaired = delta_at_most(&mu)?;
    check.holds(
        all == ratio(48, 25) && repaired.is_below_rational(&integer(10).pow(-17)),
        format_args!("X1, noise on both parts: |c - c'|^2 = {all}, delta(1) = {repaired}"),
    );
    check.figure(
        "|Im c - Im c'|^2, of |c - c'|^2",
        format_args!("{apart} of {all}"),
    );
    check.figure("mu with noise on both parts", &mu);
    check.figure("delta(1) then", repaired);
    Ok(())
}

pub(super) fn near_duplicates(check: &mut Check) -> Result<(), Trouble> {
    check.certified("X6 at n = 50 and 5000, epsilon = 1, delta = 1e-5, eta = 3/8; clipped: any pair at the printed bound");
    let algorithm = algorithm()?;
    let printed = algorithm.squared_sensitivity(1)?;
    let hidden = ratio(5412, 10_000);
    for (n, least) in [(50, ratio(84, 100)), (5000, ratio(99, 100))] {
        let instance = x6(n, 1);
        // 1. As printed.
        let found = told_apart(&mu(&algorithm, &instance.squared_distance()?, 1)?);
        check.holds(
            found.is_above_rational(&least),
            format_args!("n = {n}, as printed: told apart with probability {found}"),
        );
        check.figure(format_args!("n = {n}: told apart as printed"), found);
        // 2. Ridge with Lambda = N (1 - 2 eta)/4, which makes the printed bound true (R2), at the same noise.
        let [c, d] = [&instance.labels, &instance.neighbour]
            .map(|labels| ridge(&instance.rows, &reals(labels), &ratio(1, 16)));
        let distance = squared_norm(&difference(&c?, &d?));
        let found = told_apart(&mu(&algorithm, &distance, 1)?);
        check.holds(
            distance <= printed && found.is_below_rational(&hidden),
            format_args!("n = {n}, ridge: |c - c'|^2 = {distance}, told apart with {found}"),
        );
        check.figure(format_args!("n = {n}: with ridge"), found);
    }
    // 3. Clipping to half of the printed bound: the triangle inequality, whatever the data.
    let nominal = told_apart(&mu(&algorithm, &printed, 1)?);
    check.holds(
        nominal.is_below_rational(&hidden),
        format_args!("clipped, two opposite points of the ball: told apart with {nominal}"),
    );
    check.figure("clipped (R1), at most", nominal);
    Ok(())
}

pub(super) fn duplicates(check: &mut Check) -> Result<(), Trouble> {
    check.exact("X6 at n = 10^6, and with equal rows; Lambda = 1/16");
    // 1. Equal inputs, different labels.
    let mut equal = x6(10, 1);
    equal.rows[1] = equal.rows[0].clone();
    let found = minimum_norm(&equal.rows, &reals(&equal.labels));
    check.holds(
        matches!(
            found,
            Err(OptimiseError::Conflict {
                first: 0,
                second: 1
            })
        ),
        format_args!("equal rows, labels (3/5, 4/5): {found:?}"),
    );
    // 2. Nearly equal inputs: the norm grows like the inverse of the distance.
    let near = x6(1_000_000, 1);
    let [_, c] = near.coefficients()?;
    let large = squared_norm(&c);
    check.holds(
        large > integer(10).pow(11),
        format_args!("X6, n = 10^6: |c|^2 = {large}"),
    );
    check.figure("|c|^2 on near-duplicates", to_scientific_below(&large, 6));
    // 3. Ridge on both: |c|^2 <= |y|^2 / (4 Lambda) = 4.
    for (name, instance) in [("equal rows", &equal), ("X6, n = 10^6", &near)] {
        for labels in [&instance.labels, &instance.neighbour] {
            let c = squared_norm(&ridge(&instance.rows, &reals(labels), &ratio(1, 16))?);
            check.holds(
                c <= integer(4),
                format_args!("ridge, {name}, labels {}: |c|^2 = {c}", list(labels)),
            );
        }
    }
    Ok(())
}

pub(super) fn own_norm(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "m = 100, orthonormal rows, one label from 1 to 98,999,999/2000: both norms are rational",
    );
    // m - 1 = 99 labels 1 and one label z with 99 + z^2 a square: z = 1 (norm 10), and z = (99/h - h)/2.
    let h = ratio(1, 1000);
    let z = (integer(99) / &h - &h) / BigInt::from(2);
    let labels = |last: &Rational| -> Vec<Rational> {
        let mut labels = vec![integer(1); 99];
        labels.push(last.clone());
        labels
    };
    let first = as_coded::divided_by_their_norm(&labels(&integer(1)))?;
    let second = as_coded::divided_by_their_norm(&labels(&z))?;
    // Orthonormal rows of the code's scaling (N >= m): |c - c'| = |y - y'|.
    let gap = difference(&reals(&first), &reals(&second));
    let distance = squared_norm(&gap);
    for (place, change) in gap.iter().enumerate() {
        check.holds(
            !change.is_zero(),
            format_args!("label {place} moves by {change}"),
        );
    }
    let code = as_coded::squared_sensitivity(200)?;
    check.holds(
        distance > ratio(7, 4) && distance > code,
        format_args!("|c - c'|^2 = {distance}; the program's Delta^2 at N = 200 is {code}"),
    );
    // With y_j / (B sqrt(m)) for the public B = z only the one label moves, from -z to z at most.
    let mut farthest = Largest::from(Rational::zero());
    for (old, new) in [(integer(1), z.clone()), (-&z, integer(1)), (-&z, z.clone())] {
        let moved: Rational = labels(&old)
            .iter()
            .zip(labels(&new))
            .map(|(a, b)| (a - b).pow(2) / (&z * &z * BigInt::from(100)))
            .sum();
        farthest.see(moved, format_args!("{old} to {new}"));
    }
    check.attained(
        format_args!("with a public bound: |y - y'|^2 ({})", farthest.instance),
        &farthest.value,
        &ratio(4, 100),
    );
    check.figure("largest substituted label", to_scientific_above(&z, 6));
    check.figure(
        "|c - c'|^2 with the labels' own norm",
        to_scientific_below(&distance, 6),
    );
    check.figure("Delta^2 of the program at N = 200", code);
    Ok(())
}

pub(super) fn tied_penalty(check: &mut Check) -> Result<(), Trouble> {
    use ridge_with_gamma_noise::{Record, fit};
    check.exact("records (1, 1) and (1, -1), lambda = 1, the second removed");
    let record = |y: i64| Record {
        x: vec![integer(1)],
        y: integer(y),
    };
    let data = [record(1), record(-1)];
    // lambda = 1: Lambda = m lambda is 2, and 1 without the second record.
    let both = fit(&data, 1, &integer(2))?;
    let tied = fit(&data[..1], 1, &integer(1))?;
    let fixed = fit(&data[..1], 1, &integer(2))?;
    let distance = |a: &[Rational], b: &[Rational]| (&a[0] - &b[0]).abs();
    let (of_tied, of_fixed) = (distance(&both, &tied), distance(&both, &fixed));
    // At a fixed Lambda = 2 removal of one of two moves by at most h (1 + 1/(2 sqrt(2))), h = 1/3: half of the
    // bound for a substitution.
    let bound = ridge_sensitivity::substitution_in_closed_form(&integer(1), &integer(2), 2)?
        / BigInt::from(2);
    check.holds(
        of_tied == ratio(1, 2) && of_tied > bound,
        format_args!("penalty m lambda: {of_tied}, above {bound}"),
    );
    check.holds(
        of_fixed == ratio(1, 3),
        format_args!("penalty fixed at 2: {of_fixed}"),
    );
    check.holds(
        of_fixed <= bound,
        format_args!("penalty fixed at 2: {of_fixed}, at most {bound}"),
    );
    check.figure(
        "distance, penalty fixed at 2, and the bound for such records",
        format_args!("{of_fixed}, {}", to_scientific_above(&bound, 5)),
    );
    check.figure("distance, penalty m lambda", of_tied);
    Ok(())
}

pub(super) fn low_bits(check: &mut Check) -> Result<(), Trouble> {
    check.certified("one record, coefficients 0 and 1, noise of deviation 1 rounded to the nearest double, their sum rounded");
    // One record with one real feature 1: c is its label, 0 or 1. Noise z: a standard normal number, rounded to
    // the nearest double of 53 bits. The event: |output| < 1/2, and it is no multiple of 2^-53.
    let row = [reals(&[integer(1)])];
    let c = minimum_norm(&row, &reals(&[integer(0)]))?;
    let d = minimum_norm(&row, &reals(&[integer(1)]))?;
    let apart = squared_norm(&difference(&c, &d));
    check.holds(
        apart == integer(1),
        format_args!("coefficients {} and {}", list(&c), list(&d)),
    );
    // 1. Label 1: |1 + z| < 1/2 needs 1/2 <= -z <= 3/2, where doubles are multiples of 2^-53; then so is 1 + z,
    //    which is a double itself. The event never happens.
    // 2. Label 0: the output is z. Between 2^-(b+1) and 2^-b doubles are spaced by 2^-(53+b): all but every
    //    2^b-th of them are in the event. The density falls there, so that every such multiple is the least likely
    //    of the 2^b doubles up to it: the others have at least the share 1 - 2^-b, but for one cell at the end.
    let mut event = Enclosure::integer(0, BITS);
    for b in 1..=12i64 {
        let above = Enclosure::integer(1, BITS).shifted(-b);
        let between = above.normal_cdf() - above.shifted(-1).normal_cdf();
        let share = Enclosure::integer(1, BITS).shifted(-b).complement();
        event = event + (share * between).shifted(1);
    }
    // 24 cells, none more likely than 2^-54.
    let event = event - Enclosure::integer(24, BITS).shifted(-54);
    check.holds(
        event.is_above_rational(&ratio(23, 100)),
        format_args!("label 0: the event has probability {event}"),
    );
    let real = gaussian::profile(&integer(1), &integer(10), BITS)?;
    check.holds(
        real.is_below_rational(&ratio(1, 1_000_000)),
        format_args!("real numbers: delta(10) = {real}"),
    );
    check.figure(
        "Pr[event] for label 0, at least",
        to_scientific_below(&event.lower(), 5),
    );
    check.figure("delta(10) of the same noise on real numbers", real);
    Ok(())
}

/// How far the coefficients move, squared, where the label of record `j` moves by `change`:
/// `change^2 (A A*)^-1_jj`, exactly.
fn squared_label_swap(
    rows: &[Vec<Complex>],
    j: usize,
    change: &Rational,
) -> Result<Rational, OptimiseError> {
    Ok(inverse_gram_diagonal(rows, j)? * change * change)
}

/// A lower bound on `mu = distance / standard deviation` for *every* dataset that the program interpolates,
/// whatever its inputs and frequencies, and *every* record, where its label moves from 0 to 1:
/// `mu^2 >= 1 / (2 variance)`.
///
/// The distance is at least `sqrt((A A*)^-1_jj) >= 1 / |phi(x_j)|`, and `|phi|^2 = (2/N) sum cos^2 <= 2`.
fn mu_of_any_label_swap(frequencies: u64, claimed: &Budget) -> Result<Enclosure, OptimiseError> {
    let half = Enclosure::integer(1, BITS).shifted(-1);
    let variance = as_coded::variance(frequencies, claimed)?;
    Ok(half.divided_by(&variance)?.sqrt()?)
}

/// The largest integer `epsilon` up to 2^20 that Gaussian noise at this `mu` certainly exceeds:
/// `delta(epsilon) > delta`; `None` if not even `epsilon = 0` is exceeded.
fn epsilon_exceeded(mu: &Rational, delta: &Rational) -> Result<Option<u64>, PrivacyError> {
    let exceeded = |epsilon: u64| -> Result<bool, PrivacyError> {
        Ok(gaussian::profile(mu, &integer(epsilon), BITS)?.is_above_rational(delta))
    };
    if !exceeded(0)? {
        return Ok(None);
    }
    // Exceeded at `below`, and not at `above`.
    let (mut below, mut above) = (0, 1);
    while above < 1 << 20 && exceeded(above)? {
        (below, above) = (above, above * 2);
    }
    while above - below > 1 {
        let middle = below.midpoint(above);
        if exceeded(middle)? {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok(Some(below))
}

/// With `Delta = 2/sqrt(1 - 2 eta) = 4` for the program's scaling, `sqrt(N)` times its own, a swap at this `mu` is
/// hidden: `delta(1)` then.
fn hidden_by_the_right_noise(frequencies: u64, mu: &Enclosure) -> Result<Enclosure, PrivacyError> {
    let root = Enclosure::integer(frequencies, BITS).sqrt()?;
    delta_at_most(&Enclosure::of(&mu.upper(), BITS).divided_by(&root)?)
}

pub(super) fn scale_of_the_features(check: &mut Check) -> Result<(), Trouble> {
    check.certified("N = 10,000, epsilon = 1, delta = 1e-5: every dataset with an interpolation, every draw of the frequencies, every record whose label moves from 0 to 1; with Delta = 4, coefficients 1/sqrt(2) apart");
    let mu = mu_of_any_label_swap(10_000, &budget(integer(1))?)?;
    let found = delta_at_least(&mu)?;
    check.holds(
        found.is_above_rational(&ratio(4, 5)),
        format_args!("as coded: delta(1) = {found}"),
    );
    let hidden = hidden_by_the_right_noise(10_000, &mu)?;
    check.holds(
        hidden.is_below_rational(&integer(10).pow(-160)),
        format_args!("with Delta = 4: delta(1) = {hidden}"),
    );
    check.figure("delta(1) as coded, at least", found);
    check.figure("delta(1) with Delta = 4", hidden);
    Ok(())
}

pub(super) fn as_coded(check: &mut Check) -> Result<(), Trouble> {
    let claimed = budget(integer(1))?;
    // 1. An exact instance: N = 200, cosines 3/5 and 4/5 on one record, -1 and 4/5 on the other.
    check.exact("the program's features at N = 200, two records: the coefficients on labels (0, 1/3) and (1, 1/3)");
    let n = 200;
    let cosines = |first: Rational| -> Vec<Rational> {
        let pair = [first, ratio(4, 5)];
        (0..n).map(|k| pair[k % 2].clone()).collect()
    };
    let rows = as_coded::features(&[cosines(ratio(3, 5)), cosines(integer(-1))])?;
    let moved = squared_label_swap(&rows, 0, &integer(1))?;
    let printed = as_coded::squared_sensitivity(n as u64)?;
    let [c, d] = [0, 1].map(|label| minimum_norm(&rows, &reals(&[integer(label), ratio(1, 3)])));
    let by_solver = squared_norm(&difference(&c?, &d?));
    check.holds(
        moved == by_solver,
        format_args!("N = 200: (G^-1)_11 = {moved}, by the solver {by_solver}"),
    );
    check.holds(
        moved >= squared_norm(&rows[0]).recip() && moved >= ratio(1, 2),
        format_args!("N = 200: {moved} is at least 1/|phi|^2 and 1/2"),
    );
    check.refutes(
        moved > printed,
        "the program's features, a label that moves from 0 to 1 at any record of any dataset that is interpolated",
    );
    check.figure("|c - c'|^2 on an instance, N = 200", &moved);
    check.figure("Delta^2 of the program there", &printed);
    // 2. Every dataset: mu >= sqrt(N) / (4 sqrt(2) c).
    check.certified("epsilon = 1, delta = 1e-5, N = 2000, 4000, 10,000: every dataset with an interpolation, every draw of the frequencies, every record whose label moves from 0 to 1");
    for n in [2000, 4000, 10_000] {
        let mu = mu_of_any_label_swap(n, &claimed)?;
        let found = delta_at_least(&mu)?;
        let epsilon = epsilon_exceeded(&mu.lower(), claimed.delta())?;
        check.holds(
            found.is_above_rational(claimed.delta()) && epsilon > Some(1),
            format_args!("N = {n}: delta(1) = {found}, epsilon above {epsilon:?}"),
        );
        check.figure(
            format_args!("N = {n}: mu is at least"),
            to_scientific_below(&mu.lower(), 5),
        );
        check.figure(
            format_args!("N = {n}: delta(1) is at least"),
            to_scientific_below(&found.lower(), 5),
        );
        check.figure(
            format_args!("N = {n}: epsilon at delta = 1e-5 is above"),
            epsilon.unwrap_or(0),
        );
        let hidden = hidden_by_the_right_noise(n, &mu)?;
        check.holds(
            hidden.is_below_rational(&integer(10).pow(-100)),
            format_args!("N = {n}, with Delta = 4: delta(1) = {hidden}"),
        );
        check.figure(
            format_args!("N = {n}: delta(1) of the same swap with Delta = 4"),
            hidden,
        );
    }
    // 3. The release itself, in lockstep.
    metered::as_coded(check)
}

pub(super) fn single_prediction(check: &mut Check) -> Result<(), Trouble> {
    check.certified("epsilon = 1, delta = 1e-5; any dataset with an interpolation, any training record; as coded N = 2000, 10,000, as printed N = 10,000");
    let (algorithm, claimed) = (algorithm()?, budget(integer(1))?);
    let log = Enclosure::of(&(ratio(5, 4) / delta()), BITS).ln()?;
    // The prediction at a training record that is interpolated is y + <phi, z>, of variance sigma^2 |phi|^2.
    // 1. The program: |phi|^2 <= 2 and a label that moves from 0 to 1.
    for n in [2000u64, 10_000] {
        let variance = as_coded::variance(n, &claimed)?.shifted(1);
        let stated = log.shifted(6).divided_by(&Enclosure::integer(n, BITS))?;
        let mu = Enclosure::integer(1, BITS).divided_by(&variance.sqrt()?)?;
        let found = delta_at_least(&mu)?;
        check.holds(
            variance.meets(&stated) && found.is_above_rational(&delta()),
            format_args!("as coded, N = {n}: variance {variance}, delta(1) = {found}"),
        );
        check.figure(
            format_args!("N = {n}: variance of the program's prediction, at most"),
            to_scientific_above(&variance.upper(), 5),
        );
        check.figure(format_args!("N = {n}: delta(1)"), found);
    }
    // 2. As printed, on the paper's features: |phi|^2 = N, and labels of norm at most 1 move by at most 2.
    let n = 10_000;
    let variance = algorithm.variance(n)? * Enclosure::integer(n, BITS);
    let mu = Enclosure::integer(2, BITS).divided_by(&variance.sqrt()?)?;
    let found = delta_at_most(&mu)?;
    check.holds(
        variance.meets(&log.shifted(5)) && found.is_below_rational(&delta()),
        format_args!(
            "as printed, a label that moves by 2: variance {variance}, delta(1) = {found}"
        ),
    );
    check.figure("variance of the printed prediction", variance);
    check.figure("delta(1) there, for a label that moves by 2", found);
    // 3. What every private interpolation needs for labels in [0, 1]: 1/mu*^2.
    let multiplier = gaussian::noise_multiplier(&claimed)?;
    check.figure(
        "variance that is needed for a label in [0, 1]",
        to_scientific_above(&(&multiplier * &multiplier), 6),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::instances::x5;
    use super::*;

    #[test]
    fn labels_are_read_off_the_imaginary_part() {
        let x = x1_on_two_axes();
        for labels in [&x.labels, &x.neighbour] {
            let c = minimum_norm(&x.rows, &reals(labels)).unwrap();
            let imaginary: Vec<_> = c.into_iter().map(|c| c.im).collect();
            let found = labels_of_the_imaginary_part(&x.rows, &imaginary).unwrap();
            assert_eq!(&found, labels);
        }
        // Real features have nothing to read.
        let real = x5(4);
        let nothing = vec![Rational::zero(); 4];
        assert_eq!(
            labels_of_the_imaginary_part(&real.rows, &nothing),
            Err(OptimiseError::Singular)
        );
    }

    #[test]
    fn near_duplicates_break_the_claim_and_orthogonal_rows_do_not() {
        let algorithm = algorithm().unwrap();
        let delta_of = |instance: &super::super::instances::Instance| {
            let squared = instance.squared_distance().unwrap();
            let mu = mu(&algorithm, &squared, instance.frequencies).unwrap();
            gaussian::profile(&mu.lower(), &integer(1), 128).unwrap()
        };
        assert!(delta_of(&x6(40, 1)).is_above_rational(&delta()));
        assert!(delta_of(&super::super::instances::x2()).is_below_rational(&delta()));
    }

    #[test]
    fn noise_on_the_real_part_alone_is_caught() {
        // Every release has the imaginary part of its own dataset, which the neighbour never has.
        let x1 = x1();
        let [c, other] = x1.coefficients().unwrap();
        let parts = |c: Vec<Complex>| c.into_iter().map(|c| c.im).collect::<Vec<_>>();
        let (own, others) = (parts(c), parts(other));
        assert_ne!(own, others);
        let mut coins = ChaCha::reproducible(1, 0);
        for _ in 0..20 {
            let release = algorithm()
                .unwrap()
                .release_not_private(&x1.rows, &x1.labels, 20, &mut coins)
                .unwrap();
            assert_eq!(release.imaginary, own);
        }
    }

    #[test]
    fn the_release_depends_on_whether_there_are_conflicting_duplicates() {
        let mut x = x6(10, 1);
        x.rows[1] = x.rows[0].clone();
        let mut coins = ChaCha::reproducible(1, 0);
        assert!(matches!(
            algorithm()
                .unwrap()
                .release_not_private(&x.rows, &x.labels, 20, &mut coins),
            Err(OptimiseError::Conflict { .. })
        ));
    }

    /// Two records, N = 8.
    fn rows() -> Vec<Vec<Complex>> {
        let cosines = |first: i64| {
            (0..8)
                .map(|k| ratio(if k % 2 == 0 { first } else { 4 }, 5))
                .collect()
        };
        as_coded::features(&[cosines(3), cosines(-5)]).unwrap()
    }

    #[test]
    fn the_distance_of_a_label_swap_is_the_formula() {
        let rows = rows();
        let labels = [integer(0), ratio(1, 3)];
        let swapped = [integer(1), ratio(1, 3)];
        let c = minimum_norm(&rows, &reals(&labels)).unwrap();
        let other = minimum_norm(&rows, &reals(&swapped)).unwrap();
        let distance = squared_norm(&difference(&c, &other));
        assert_eq!(distance, squared_label_swap(&rows, 0, &integer(1)).unwrap());
        // And is at least 1/|phi|^2 >= 1/2.
        assert!(distance >= squared_norm(&rows[0]).recip());
        assert!(distance >= ratio(1, 2));
        let equal = vec![rows[0].clone(); 2];
        assert_eq!(
            squared_label_swap(&equal, 0, &integer(1)),
            Err(OptimiseError::Singular)
        );
    }

    #[test]
    fn noise_for_unnormalised_features_on_normalised_ones_is_caught() {
        let claimed = budget(integer(1)).unwrap();
        let mu = mu_of_any_label_swap(10_000, &claimed).unwrap().lower();
        let found = gaussian::profile(&mu, &integer(1), 128).unwrap();
        assert!(found.is_above_rational(&ratio(8, 10)));
        assert!(epsilon_exceeded(&mu, claimed.delta()).unwrap().unwrap() >= 20);
        // With the sensitivity that fits the scaling, sqrt(N) times as much, the swap is private.
        let right = mu / BigInt::from(100);
        assert_eq!(epsilon_exceeded(&right, claimed.delta()).unwrap(), Some(0));
    }
}
