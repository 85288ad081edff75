//! The algorithm and its solvers on exact instances.

use super::{Effort, Evidence, LedgerError, algorithm, budget, refuted, verified};
use crate::coins::ChaCha;
use crate::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use crate::number::{Enclosure, Rational};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{
    Complex, combination, difference, gram, inverse_gram_diagonal, kaczmarz as pass, minimum_norm,
    predictions, product, reals, ridge, solve, squared_norm,
};
use crate::privacy::gaussian;
use crate::random_features::instances::{
    Instance, point_of_the_circle, x1, x1_on_two_axes, x2, x4, x5, x6, x7,
};
use crate::random_features::{as_coded, as_printed};
use num_bigint::BigInt;
use num_traits::{One, Zero};

const BITS: u32 = 128;

/// Two records and `n` features that are quarter turns: the first row is all ones, and the second is each of the
/// `4^n` in turn. (A phase common to a column changes its coefficient by that phase and nothing else.)
fn all_second_rows(n: u32) -> impl Iterator<Item = Vec<Vec<Complex>>> {
    let ones = vec![Complex::quarter_turns(0); n as usize];
    (0..4u32.pow(n)).map(move |code| {
        let second = (0..n).map(|place| Complex::quarter_turns(code >> (2 * place)));
        vec![ones.clone(), second.collect()]
    })
}

/// Two labels of norm 1.
fn unit_labels() -> Vec<Complex> {
    reals(&[ratio(3, 5), ratio(4, 5)])
}

fn squared_distance(a: &[Complex], b: &[Complex]) -> Rational {
    squared_norm(&difference(a, b))
}

pub(super) fn algorithm_1(effort: &Effort) -> Result<Evidence, LedgerError> {
    let algorithm = algorithm()?;
    // E-a. Every release on X1 has the imaginary part of its own dataset; the neighbour never has it.
    let x1 = x1();
    let own: Vec<Rational> = x1.coefficients()?[0].iter().map(|c| c.im.clone()).collect();
    let apart = x1.squared_imaginary_distance()?;
    let mut coins = ChaCha::reproducible(effort.seed, 0);
    let mut leaks = !apart.is_zero();
    for _ in 0..10 {
        let release = algorithm.release_not_private(&x1.rows, &x1.labels, 20, &mut coins)?;
        leaks &= release.imaginary == own;
    }
    // On X1' the imaginary part determines the labels.
    let x = x1_on_two_axes();
    let release = algorithm.release_not_private(&x.rows, &x.labels, 20, &mut coins)?;
    let read = as_printed::labels_of_the_imaginary_part(&x.rows, &release.imaginary)?;
    leaks &= read == x.labels;
    let mut evidence = Evidence::new("exact counterexample", super::Status::Open, "")
        .figure("|Im c - Im c'|^2 on X1", apart)
        .figure("labels read off one release on X1'", list(&read));
    // E-b. With real features all is noisy, and near-duplicates are still told apart.
    let mut broken = true;
    for n in [50, 5000] {
        let instance = x6(n, 1);
        let squared = instance.squared_distance()?;
        let mu = algorithm.mu(&squared, 1)?;
        let delta = gaussian::profile(&mu.lower(), &integer(1), BITS)?;
        broken &= delta.is_above_rational(algorithm.claimed.delta());
        evidence = evidence
            .figure(format!("mu on X6, n = {n}"), &mu)
            .figure(format!("delta(1) on X6, n = {n}"), &delta);
    }
    Ok(Evidence {
        scope: "epsilon = 1, delta = 1e-5, eta = 3/8; X1 and X1' (complex features), X6 (real ones, any number of equal frequencies)".to_owned(),
        status: refuted(leaks && broken, "", "").status,
        ..evidence
    })
}

fn list(values: &[Rational]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", texts.join(", "))
}

pub(super) fn as_coded(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let claimed = budget(integer(1))?;
    // 1. An exact instance: N = 200, cosines 3/5 and 4/5 on one record, -1 and 4/5 on the other.
    let n = 200;
    let cosines = |first: Rational| -> Vec<Rational> {
        (0..n)
            .map(|k| {
                if k % 2 == 0 {
                    first.clone()
                } else {
                    ratio(4, 5)
                }
            })
            .collect()
    };
    let rows = as_coded::features(&[cosines(ratio(3, 5)), cosines(integer(-1))])?;
    let moved = as_coded::squared_label_swap(&rows, 0, &integer(1))?;
    let printed = as_coded::squared_sensitivity(n)?;
    let mut stands = moved >= ratio(1, 2) && moved > printed;
    let mut evidence = refuted(
        true,
        "exact counterexample, certified arithmetic",
        "epsilon = 1, delta = 1e-5: every dataset with an interpolation, every draw of the frequencies, every record whose label moves from 0 to 1",
    )
    .figure("|c - c'|^2 on an instance, N = 200", &moved)
    .figure("Delta^2 in the code there", &printed);
    // 2. Every dataset: mu >= sqrt(N) / (4 sqrt(2) c).
    for n in [2000, 4000, 10_000] {
        let mu = as_coded::mu_of_any_label_swap(n, &claimed)?;
        let delta = gaussian::profile(&mu.lower(), &integer(1), BITS)?;
        let epsilon = as_coded::epsilon_exceeded(&mu.lower(), claimed.delta())?;
        stands &= delta.is_above_rational(claimed.delta()) && epsilon > Some(1);
        evidence = evidence
            .figure(
                format!("N = {n}: mu is at least"),
                to_scientific_below(&mu.lower(), 5),
            )
            .figure(
                format!("N = {n}: delta(1) is at least"),
                to_scientific_below(&delta.lower(), 5),
            )
            .figure(
                format!("N = {n}: epsilon at delta = 1e-5 is above"),
                epsilon.unwrap_or(0),
            );
    }
    if !stands {
        evidence.status = super::Status::Open;
    }
    Ok(evidence)
}

pub(super) fn lemma_9(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let algorithm = algorithm()?;
    let excess = |instance: &Instance| -> Result<Rational, LedgerError> {
        let printed = algorithm.squared_sensitivity(instance.frequencies)?;
        Ok(instance.squared_distance()? / printed)
    };
    let one = Rational::one();
    let mut stands = true;
    let mut evidence = Evidence::new(
        "exact counterexample",
        super::Status::Open,
        "eta = 3/8; figures are |c - c'|^2 over the square of the printed bound",
    );
    // Rational families: below the bound for few frequencies, above it for many.
    for (instance, above) in [
        (x4(6), false),
        (x4(7), true),
        (x4(100), true),
        (x5(100), true),
    ] {
        let found = excess(&instance)?;
        stands &= (found > one) == above;
        evidence = evidence.figure(
            format!("{}, N = {}", instance.name, instance.frequencies),
            found,
        );
    }
    // Near-duplicates with real features: without bound, and the same for every N.
    let mut last = one.clone();
    for n in [10, 100, 10_000, 1_000_000] {
        let found = excess(&x6(n, 1))?;
        stands &= found > last && found == excess(&x6(n, 3))?;
        evidence = evidence.figure(format!("X6, n = {n}"), to_scientific_below(&found, 6));
        last = found;
    }
    // The dataset itself perfectly conditioned (G = I), a neighbour not.
    let (cosine, sine) = point_of_the_circle(100);
    let own = [
        reals(&[integer(1), integer(0)]),
        reals(&[integer(0), integer(1)]),
    ];
    let other = [own[0].clone(), reals(&[cosine, sine])];
    let c = minimum_norm(&own, &unit_labels())?;
    let d = minimum_norm(&other, &reals(&[ratio(3, 5), ratio(-4, 5)]))?;
    let found = squared_distance(&c, &d) / algorithm.squared_sensitivity(1)?;
    stands &= found > one;
    evidence = evidence.figure(
        "orthogonal rows, one record substituted by a near-duplicate",
        to_scientific_below(&found, 6),
    );
    Ok(Evidence {
        status: refuted(stands, "", "").status,
        ..evidence
    })
}

pub(super) fn equation_4(effort: &Effort) -> Result<Evidence, LedgerError> {
    let n = if effort.quick { 3 } else { 5 };
    let labels = unit_labels();
    let (mut holds, mut regular, mut singular) = (true, 0, 0);
    for rows in all_second_rows(n) {
        let c = match minimum_norm(&rows, &labels) {
            Ok(c) => c,
            // The rows are one up to a phase: no inverse.
            Err(OptimiseError::Singular | OptimiseError::Conflict { .. }) => {
                singular += 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        regular += 1;
        // 1. It interpolates.
        holds &= predictions(&rows, &c) == labels;
        // 2. Every other interpolation is longer: for each axis e, v = e - A* G^-1 A e is in the kernel of A,
        //    and |c + v|^2 = |c|^2 + |v|^2. These v span the kernel.
        for axis in 0..rows[0].len() {
            let mut e = vec![Complex::zero(); rows[0].len()];
            e[axis] = Complex::quarter_turns(0);
            let inside = combination(&rows, &solve(&gram(&rows), &predictions(&rows, &e))?);
            let v = difference(&e, &inside);
            holds &= predictions(&rows, &v).iter().all(Complex::is_zero);
            let sum: Vec<Complex> = c.iter().zip(&v).map(|(c, v)| c + v).collect();
            holds &= squared_norm(&sum) == squared_norm(&c) + squared_norm(&v);
        }
        // 3. Removal of the second record: an orthogonal increment of known length.
        let fewer = minimum_norm(&rows[..1], &labels[..1])?;
        let residual = &labels[1] - &product(&rows[1], &fewer);
        let length = residual.squared() * inverse_gram_diagonal(&rows, 1)?;
        holds &= squared_norm(&c) == squared_norm(&fewer) + &length;
        holds &= squared_distance(&c, &fewer) == length;
        // 4. A label swap: its change squared times (G^-1)_22.
        let swapped = minimum_norm(&rows, &reals(&[ratio(3, 5), ratio(-4, 5)]))?;
        let change = ratio(64, 25) * inverse_gram_diagonal(&rows, 1)?;
        holds &= squared_distance(&c, &swapped) == change;
    }
    let seven = minimum_norm(&x7().rows, &reals(&x7().labels))?;
    Ok(verified(
        holds && regular > 0,
        "exact enumeration",
        format!("all two-row matrices of {n} quarter turns, up to a phase of each column: {regular} with an inverse, {singular} without"),
    )
    .figure("X7: |c(D_-2)|^2", squared_norm(&seven))
    .figure("X1: |c(D)|^2", squared_norm(&x1().coefficients()?[0])))
}

pub(super) fn misprinted_inverse(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // m = N = 2, where at least the sizes fit: A = [[1, 1], [1, i]].
    let turn = Complex::quarter_turns;
    let rows = vec![vec![turn(0), turn(0)], vec![turn(0), turn(1)]];
    let unit = |place: usize| {
        vec![
            turn(0).scaled(&integer(i32::from(place == 0))),
            turn(0).scaled(&integer(i32::from(place == 1))),
        ]
    };
    let (mut printed_inverts, mut corrected_inverts) = (true, true);
    for place in 0..2 {
        let weights = solve(&gram(&rows), &unit(place))?;
        // A A(A A*)^-1 e and A A*(A A*)^-1 e.
        let printed = predictions(&rows, &predictions(&rows, &weights));
        let corrected = predictions(&rows, &combination(&rows, &weights));
        printed_inverts &= printed == unit(place);
        corrected_inverts &= corrected == unit(place);
    }
    Ok(refuted(
        !printed_inverts && corrected_inverts,
        "exact counterexample",
        "A = [[1, 1], [1, i]]; for m < N an m x N matrix and an m x m matrix have no product",
    )
    .figure("A (A (A A*)^-1) = I", printed_inverts)
    .figure("A (A* (A A*)^-1) = I", corrected_inverts))
}

/// `lambda_min` of a Gram matrix of two rows of squared norm `n`: `n - |g|`.
fn least_eigenvalue(rows: &[Vec<Complex>]) -> Result<Enclosure, LedgerError> {
    let gram = gram(rows);
    let off = Enclosure::of(&gram[0][1].squared(), BITS).sqrt()?;
    Ok(Enclosure::of(&gram[0][0].re, BITS) - off)
}

pub(super) fn equation_5(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // |c_Lambda - c| <= Lambda |y| / (sqrt(l) (l + Lambda)), l = lambda_min(G): s/(s^2 + Lambda) against 1/s.
    let mut holds = true;
    let mut evidence = Evidence::new(
        "exact identity, certified arithmetic",
        super::Status::Open,
        "X1 and X2 at Lambda = 1, 1/10, ..., 10^-6: the normal equation exactly, and the distance to the limit; attained on X2",
    );
    for instance in [x1(), x2()] {
        let labels = reals(&instance.labels);
        let least = least_eigenvalue(&instance.rows)?;
        let c = minimum_norm(&instance.rows, &labels)?;
        let mut previous: Option<Rational> = None;
        for power in 0..7 {
            let penalty = Rational::new(BigInt::one(), BigInt::from(10).pow(power));
            let found = ridge(&instance.rows, &labels, &penalty)?;
            // A*(y - A c) = Lambda c
            let residual = difference(&labels, &predictions(&instance.rows, &found));
            let scaled: Vec<Complex> = found.iter().map(|c| c.scaled(&penalty)).collect();
            holds &= combination(&instance.rows, &residual) == scaled;
            let distance = squared_distance(&found, &c);
            let bound = Enclosure::of(&(&penalty * &penalty), BITS)
                .divided_by(&(&least * (&least + Enclosure::of(&penalty, BITS)).squared()))?;
            holds &= !bound.is_below_rational(&distance);
            holds &= instance.name != "X2" || bound.contains(&distance);
            holds &= previous.is_none_or(|previous| distance < previous);
            previous = Some(distance);
        }
        let last = previous.unwrap_or_else(Rational::zero);
        evidence = evidence.figure(
            format!(
                "{}: |c_Lambda - c|^2 at Lambda = 10^-6 is at most",
                instance.name
            ),
            to_scientific_above(&last, 4),
        );
    }
    Ok(Evidence {
        status: verified(holds, "", "").status,
        ..evidence
    })
}

pub(super) fn removal(effort: &Effort) -> Result<Evidence, LedgerError> {
    let n = if effort.quick { 4 } else { 6 };
    let algorithm = algorithm()?;
    let half = algorithm.squared_sensitivity(n.into())? / BigInt::from(4);
    let (mut holds, mut counted, mut largest) = (true, 0, Rational::zero());
    for rows in all_second_rows(n) {
        // lambda_min = N - |g| >= N (1 - 2 eta) where |g| <= 2 eta N.
        let limit = integer(n) * &algorithm.eta * BigInt::from(2);
        if gram(&rows)[0][1].squared() > &limit * &limit {
            continue;
        }
        counted += 1;
        let labels = unit_labels();
        let c = minimum_norm(&rows, &labels)?;
        for kept in 0..2 {
            let fewer = minimum_norm(&rows[kept..=kept], &labels[kept..=kept])?;
            let distance = squared_distance(&c, &fewer);
            holds &= distance == squared_norm(&c) - squared_norm(&fewer);
            holds &= distance <= half;
            largest = largest.max(distance / &half);
        }
    }
    Ok(verified(
        holds && counted > 0,
        "exact enumeration",
        format!("eta = 3/8; the {counted} two-row matrices of {n} quarter turns (up to phases) that satisfy the condition, either record removed"),
    )
    .figure("largest squared distance over a quarter of the squared bound", largest))
}

/// All sequences of `steps` records out of `m`.
fn sequences(m: usize, steps: u32) -> impl Iterator<Item = Vec<usize>> {
    (0..m.pow(steps)).map(move |mut code| {
        let mut next = || {
            let record = code % m;
            code /= m;
            record
        };
        (0..steps).map(|_| next()).collect()
    })
}

/// `E |c_k - c|^2` over uniform sequences of `steps` records, exactly.
fn expected_error(
    rows: &[Vec<Complex>],
    labels: &[Complex],
    steps: u32,
) -> Result<Rational, LedgerError> {
    let c = minimum_norm(rows, labels)?;
    let mut sum = Rational::zero();
    for order in sequences(rows.len(), steps) {
        sum += squared_distance(&pass(rows, labels, &order)?, &c);
    }
    Ok(sum / BigInt::from(rows.len()).pow(steps))
}

pub(super) fn kaczmarz(effort: &Effort) -> Result<Evidence, LedgerError> {
    let steps = if effort.quick { 5 } else { 8 };
    let mut holds = true;
    let mut evidence = Evidence::new(
        "exact enumeration, certified arithmetic",
        super::Status::Open,
        format!(
            "X1 and X2: the expectation over all sequences of up to {steps} records against (1 - lambda_min/|A|_F^2)^k |c|^2 (rows are of equal norm: uniform sampling is row-norm sampling)"
        ),
    );
    for instance in [x1(), x2()] {
        let labels = reals(&instance.labels);
        let frobenius: Rational = instance.rows.iter().map(|row| squared_norm(row)).sum();
        let rate = least_eigenvalue(&instance.rows)?
            .divided_by(&Enclosure::of(&frobenius, BITS))?
            .complement();
        let start = squared_norm(&minimum_norm(&instance.rows, &labels)?);
        for k in 0..=steps {
            let found = expected_error(&instance.rows, &labels, k)?;
            let bound = rate.power(k.into()) * Enclosure::of(&start, BITS);
            holds &= !bound.is_below_rational(&found);
            // Orthogonal rows attain it.
            holds &= instance.name != "X2" || bound.contains(&found);
            if k == steps {
                evidence = evidence.figure(
                    format!("{}: E|c_{k} - c|^2 and its bound", instance.name),
                    format!("{} and {bound}", to_scientific_above(&found, 6)),
                );
            }
        }
    }
    Ok(Evidence {
        status: verified(holds, "", "").status,
        ..evidence
    })
}

pub(super) fn one_epoch(effort: &Effort) -> Result<Evidence, LedgerError> {
    // Orthonormal rows, the best conditioned there are: E|c_m - c|^2 = (1 - 1/m)^m |c|^2, as each record that
    // was missed keeps its whole error.
    let largest = if effort.quick { 4 } else { 5 };
    let mut formula = true;
    for m in 2..=largest {
        let unit = |j: usize| (0..m).map(move |k| integer(i32::from(j == k)));
        let rows: Vec<Vec<Complex>> = (0..m)
            .map(|j| reals(&unit(j).collect::<Vec<_>>()))
            .collect();
        let labels = reals(&(1..=m).map(|j| ratio(j as i64, 3)).collect::<Vec<_>>());
        let found = expected_error(&rows, &labels, m as u32)?;
        let kept = num_traits::pow(ratio(m as i64 - 1, m as i64), m);
        formula &= found == kept * squared_norm(&labels);
    }
    let missed = |m: i64| Enclosure::of(&ratio(m - 1, m), BITS).power(m as u64);
    let (small, real) = (missed(2), missed(1204));
    Ok(refuted(
        formula && small.contains(&ratio(1, 4)) && real.is_above_rational(&ratio(36, 100)),
        "exact enumeration, certified arithmetic",
        format!(
            "orthonormal rows, m = 2 to {largest}, the expectation by enumeration of all sequences"
        ),
    )
    .figure("E|c_m - c|^2 / |c|^2 at m = 2", "1/4")
    .figure("the same at m = 1204", real))
}

pub(super) fn one_pass(effort: &Effort) -> Result<Evidence, LedgerError> {
    let n = if effort.quick { 4 } else { 5 };
    let bound = ratio(4, n);
    let (mut holds, mut cases, mut largest) = (true, 0, Rational::zero());
    let datasets = [[3, 4], [3, -4], [4, 3], [0, 5], [-5, 0]];
    for order in [[0, 1], [1, 0]] {
        let mut ends: Vec<Vec<Vec<Complex>>> = Vec::new();
        for rows in all_second_rows(n as u32) {
            let mut of_these = Vec::new();
            for labels in datasets {
                let labels = reals(&labels.map(|y| ratio(y, 5)));
                let c = pass(&rows, &labels, &order)?;
                // 1. |c|^2 <= |y|^2 / N.
                holds &= squared_norm(&c) <= ratio(1, n);
                of_these.push(c);
                cases += 1;
            }
            ends.push(of_these);
        }
        // 2. All ends are within the bound of each other, those of neighbours in particular.
        for of_these in &ends {
            for first in of_these {
                for second in &ends[0] {
                    let distance = squared_distance(first, second);
                    holds &= distance <= bound;
                    largest = largest.max(distance / &bound);
                }
            }
        }
    }
    // 3. Attained by one record whose label changes sign.
    let row = vec![vec![Complex::quarter_turns(0); n as usize]];
    let [c, d] = [1, -1].map(|y| pass(&row, &reals(&[integer(y)]), &[0]));
    let attained = squared_distance(&c?, &d?) == bound;
    // 4. X8.
    let x8 = pass(&x1().rows, &reals(&x1().labels), &[0, 1])?;
    Ok(verified(
        holds && attained,
        "exact enumeration",
        format!("{cases} passes over two records of {n} quarter turns, both orders; the distance of every end to every end with rows of ones"),
    )
    .figure("largest squared distance over 4|y|^2/N, two records", largest)
    .figure("one record, its label reversed: attained", attained)
    .figure("X8: |c|^2, at most 1/3", squared_norm(&x8)))
}
