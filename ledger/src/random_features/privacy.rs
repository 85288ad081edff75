//! Theorem 7, Lemma 9 as printed and as it can be had, and what its noise hides.

use super::impossibility::turned_labels_are_detected;
use super::instances::{Instance, point_of_the_circle, x4, x5, x6};
use super::{Largest, algorithm, all_second_rows, delta, list, mu, second, setting, told_apart};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{self, Complex, gram, minimum_norm, reals};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::as_printed::Algorithm1;
use dp_assay::random_features::bounds::Setting;
use dp_assay::random_features::bounds::gaussian_mechanism::{
    classical_delta, classical_multiplier,
};
use dp_assay::random_features::bounds::gram::lower_edge_failure;
use dp_assay::random_features::bounds::sensitivity::{delta_of_pair, distance};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

const BITS: u32 = 128;

pub(super) fn theorem_7(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_the_figures(check)?;
    let epsilons = ["0.001", "0.1", "0.3", "0.5", "0.7", "0.9", "0.999"];
    let epsilons = if check.quick() {
        &epsilons[4..]
    } else {
        &epsilons[..]
    };
    check.certified(format_args!(
        "{} epsilons below 1 and 8 deltas from 1e-30 to 0.999, by the exact profile; the constants of the proof",
        epsilons.len()
    ));
    let mut worst = Largest::from(Rational::zero());
    for limit in [
        "0.999", "0.97", "0.5", "0.1", "1e-2", "1e-5", "1e-9", "1e-30",
    ] {
        let limit = parse(limit)?;
        for epsilon in epsilons {
            let reached = classical_delta(&parse(epsilon)?, &limit)?;
            check.holds(
                reached.upper() <= limit,
                format_args!("epsilon = {epsilon}, delta = {limit}: delta(epsilon) = {reached}"),
            );
            worst.see(
                reached.upper() / &limit,
                format_args!("epsilon = {epsilon}, delta = {}", to_scientific(&limit, 2)),
            );
        }
    }
    // The constants of the proof for all epsilon <= 1 and all delta: e^(1/2)/2.5 < 1, and where
    // c - 1/(2c) may be negative, Q of it at delta = 1 is below every such delta.
    let half = Enclosure::exp_of(&ratio(1, 2), BITS)?;
    check.holds(
        half.is_below_rational(&ratio(5, 2)),
        format_args!("e^(1/2) = {half}"),
    );
    let c = classical_multiplier(&(Rational::one() - parse("1e-30")?))?;
    let least = &c - Enclosure::integer(1, BITS).divided_by(&c.shifted(1))?;
    let quarter = Enclosure::exp_of(&ratio(-1, 4), BITS)?;
    let from = quarter * Enclosure::of(&ratio(5, 4), BITS);
    let tail = least.normal_upper();
    check.holds(
        tail.is_below(&from),
        format_args!("delta near 1: Q(c - 1/(2c)) = {tail}, delta above {from}"),
    );
    check.attained(
        format_args!("largest delta(epsilon)/delta ({})", worst.instance),
        &worst.value,
        &Rational::one(),
    );
    Ok(())
}

pub(super) fn theorem_7_threshold(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the exact profile on both sides of six thresholds; one for each delta, since the profile grows with epsilon");
    for (limit, below, above) in [
        ("0.5", "4.46", "4.48"),
        ("0.1", "5.74", "5.76"),
        ("1e-3", "7.4634", "7.4635"),
        ("1e-5", "8.4197", "8.4198"),
        ("1e-6", "8.7820", "8.7821"),
        ("1e-10", "9.8498", "9.8499"),
    ] {
        let delta = parse(limit)?;
        let inside = classical_delta(&parse(below)?, &delta)?;
        let outside = classical_delta(&parse(above)?, &delta)?;
        check.holds(
            inside.is_below_rational(&delta),
            format_args!("delta = {limit}, epsilon = {below}: {inside}"),
        );
        check.holds(
            outside.is_above_rational(&delta),
            format_args!("delta = {limit}, epsilon = {above}: {outside}"),
        );
        check.figure(
            format_args!("delta = {limit}: at epsilon = {below}, and {above}"),
            format_args!(
                "{}, {}",
                to_scientific(&inside.upper(), 5),
                to_scientific(&outside.lower(), 5)
            ),
        );
    }
    let far = classical_delta(&integer(20), &delta())?;
    check.figure("exact delta at epsilon = 20, for 1e-5", far);
    Ok(())
}

/// Rows of real features `(cos, sin)` at rational points of the circle, one for each tangent of a half
/// angle: `N` of them give a row of norm exactly `sqrt(N)`.
pub(super) fn rational_features(half_tangents: &[(i64, i64)]) -> Vec<Rational> {
    let mut row = Vec::new();
    for &(p, q) in half_tangents {
        let t = ratio(p, q);
        let square = &t * &t;
        let scale = (Rational::one() + &square).recip();
        row.push((Rational::one() - square) * &scale);
        row.push(integer(2) * t * scale);
    }
    row
}

fn squared_distance(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// `G^-1 v` for the Gram matrix of the rows, by elimination; the rows are independent.
fn gram_solve(rows: &[Vec<Rational>], v: &[Rational]) -> Result<Vec<Rational>, OptimiseError> {
    Ok(real_parts(exact::solve(
        &exact::gram(&complex(rows)),
        &exact::reals(v),
    )?))
}

fn complex(rows: &[Vec<Rational>]) -> Vec<Vec<Complex>> {
    rows.iter().map(|row| exact::reals(row)).collect()
}

fn real_parts(values: Vec<Complex>) -> Vec<Rational> {
    values.into_iter().map(|value| value.re).collect()
}

/// Whether every eigenvalue of the Gram matrix of the rows is above `least`: by the pivots of the
/// elimination, without a root.
fn eigenvalues_above(rows: &[Vec<Rational>], least: &Rational) -> bool {
    let m = rows.len();
    let entry = |i: usize, j: usize| {
        let product = dot(&rows[i], &rows[j]);
        if i == j { product - least } else { product }
    };
    let mut matrix: Vec<Vec<Rational>> = (0..m)
        .map(|i| (0..m).map(|j| entry(i, j)).collect())
        .collect();
    for pivot in 0..m {
        if !matrix[pivot][pivot].is_positive() {
            return false;
        }
        let lead = matrix[pivot].clone();
        for line in &mut matrix[pivot + 1..] {
            let factor = &line[pivot] / &lead[pivot];
            for (x, y) in line.iter_mut().zip(&lead) {
                *x -= &factor * y;
            }
        }
    }
    true
}

/// The coefficients of least norm that interpolate the labels.
fn interpolate(
    rows: &[Vec<Rational>],
    labels: &[Rational],
) -> Result<Vec<Rational>, OptimiseError> {
    Ok(real_parts(exact::minimum_norm(
        &complex(rows),
        &exact::reals(labels),
    )?))
}

/// Three rows of norm 2: four frequencies at rational points of the circle.
fn three_rows() -> [Vec<Rational>; 3] {
    [
        [(0, 1), (0, 1), (0, 1), (0, 1)],
        [(1, 1), (1, 2), (-1, 3), (2, 1)],
        [(-1, 2), (3, 1), (1, 4), (-2, 3)],
    ]
    .map(|row| rational_features(&row))
}

pub(super) fn lemma_9(check: &mut Check) -> Result<(), Trouble> {
    check.exact("eta = 3/8: X4 at N = 6, 7, 100, X5 at N = 100, X6 at n = 10, 100, 10^4, 10^6, a neighbour of orthogonal rows; the other reading on three records of four frequencies at rational points of the circle, every swap");
    let algorithm = algorithm()?;
    // |c - c'|^2 over the square of the printed bound.
    let excess = |instance: &Instance| -> Result<Rational, Trouble> {
        let printed = algorithm.squared_sensitivity(instance.frequencies)?;
        Ok(instance.squared_distance()? / printed)
    };
    let one = Rational::one();
    // 1. Near-duplicates with real features: without bound, and the same for every N.
    let mut last = one.clone();
    for n in [10, 100, 10_000, 1_000_000] {
        let found = excess(&x6(n, 1))?;
        let more = excess(&x6(n, 3))?;
        check.refutes(
            found > one,
            "X6, near-duplicates with real features and opposite labels",
        );
        check.holds(
            found > last && found == more,
            format_args!("X6, n = {n}: {found}, of three frequencies {more}"),
        );
        check.figure(
            format_args!("X6, n = {n}: excess"),
            to_scientific_below(&found, 6),
        );
        last = found;
    }
    // 2. Rational families: below the bound for few frequencies, above it for many.
    for (instance, above) in [
        (x4(6), false),
        (x4(7), true),
        (x4(100), true),
        (x5(100), true),
    ] {
        let found = excess(&instance)?;
        let (name, n) = (instance.name, instance.frequencies);
        check.holds(
            (found > one) == above,
            format_args!("{name}, N = {n}: |c - c'|^2 is {found} of the squared bound"),
        );
        check.figure(format_args!("{name}, N = {n}: excess"), found);
    }
    orthogonal_rows(check, &algorithm)?;
    a_swap_for_a_new_sample(check, &algorithm)
}

/// The dataset itself perfectly conditioned (G = I), a neighbour not.
fn orthogonal_rows(check: &mut Check, algorithm: &Algorithm1) -> Result<(), Trouble> {
    let (cosine, sine) = point_of_the_circle(100);
    let own = [
        reals(&[integer(1), integer(0)]),
        reals(&[integer(0), integer(1)]),
    ];
    let other = [own[0].clone(), reals(&[cosine, sine])];
    let c = minimum_norm(&own, &reals(&[ratio(3, 5), ratio(4, 5)]))?;
    let d = minimum_norm(&other, &reals(&[ratio(3, 5), ratio(-4, 5)]))?;
    let found = super::squared_distance(&c, &d) / algorithm.squared_sensitivity(1)?;
    check.refutes(
        found > Rational::one(),
        "orthogonal rows, one record substituted by a near-duplicate of the other",
    );
    check.figure(
        "orthogonal rows, one record substituted: excess",
        to_scientific_below(&found, 6),
    );
    Ok(())
}

/// The other reading: `m + 1` records whose Gram matrix has no eigenvalue below `N (1 - 2 eta) = 1`, of which one dataset has all
/// but one and its neighbour all but another.
fn a_swap_for_a_new_sample(check: &mut Check, algorithm: &Algorithm1) -> Result<(), Trouble> {
    let rows = three_rows();
    check.holds(
        eigenvalues_above(&rows, &Rational::one()),
        "the three records: eigenvalues above N (1 - 2 eta)",
    );
    let bound = algorithm.squared_sensitivity(4)?;
    let mut farthest = Largest::from(Rational::zero());
    for (kept, old, new) in [
        (0, 1, 2),
        (1, 0, 2),
        (2, 0, 1),
        (0, 2, 1),
        (1, 2, 0),
        (2, 1, 0),
    ] {
        for (y, from, to) in [(3, 4, -4), (0, 5, -5)] {
            let of = |swapped: usize, label: i64| {
                let rows = [rows[kept].clone(), rows[swapped].clone()];
                interpolate(&rows, &[ratio(y, 5), ratio(label, 5)])
            };
            farthest.see(
                squared_distance(&of(old, from)?, &of(new, to)?),
                format_args!("record {old} swapped for {new} beside {kept}, labels {y}/5, {from}/5 and {to}/5"),
            );
        }
    }
    check.holds(
        farthest.value <= bound,
        format_args!(
            "{}: |c - c'|^2 = {}, at most {bound}",
            farthest.instance, farthest.value
        ),
    );
    check.figure(
        "a record swapped for a new sample: largest excess",
        to_scientific(&(&farthest.value / &bound), 4),
    );
    Ok(())
}

pub(super) fn lemma_9_corrected(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_the_figures(check)?;
    let n = if check.quick() { 4 } else { 6 };
    check.exact(format_args!(
        "two and three records, four frequencies at rational points of the circle, three label vectors; and for removal all two-row matrices of {n} quarter turns (up to phases) with lambda_min >= N/4"
    ));
    let rows = three_rows();
    let labels = [
        vec![ratio(2, 3), ratio(2, 3), ratio(1, 3)],
        vec![ratio(3, 5), ratio(-4, 5), integer(0)],
        vec![integer(0), integer(1), integer(0)],
    ];
    let (mut substitutions, mut removals) = (0, 0);
    let mut of_norm = Largest::from(Rational::zero());
    let mut of_removal = Largest::from(Rational::zero());
    let mut beyond_removal = false;
    for (m, edge) in [(2, ratio(1, 2)), (3, ratio(1, 4))] {
        let rows = &rows[..m];
        // eta such that all eigenvalues of G/N are above 1 - 2 eta = edge; N = 4.
        check.holds(
            eigenvalues_above(rows, &(&edge * integer(4))),
            format_args!("m = {m}: eigenvalues above {edge} N"),
        );
        let setting = Setting {
            eta: (integer(1) - edge) / integer(2),
            ..setting(m as u64, 4)
        };
        let substitution = distance(&setting, Substitute)?.squared();
        let removal = distance(&setting, AddOrRemove)?.squared();
        for y in &labels {
            let y = &y[..m];
            let c = interpolate(rows, y)?;
            let norm = dot(&c, &c);
            for j in 0..m {
                let mut unit = vec![Rational::zero(); m];
                unit[j] = Rational::one();
                let inverse = gram_solve(rows, &unit)?[j].clone();
                // (9-dist): the label of record j is substituted.
                for value in [ratio(-1, 1), ratio(-1, 3), ratio(1, 7)] {
                    let mut other = y.to_vec();
                    other[j] = value.clone();
                    let moved = interpolate(rows, &other)?;
                    let moved_by = squared_distance(&c, &moved);
                    let change = &y[j] - &value;
                    let name = format!("labels {}, label {j} becomes {value}", list(y));
                    check.holds(
                        moved_by == &change * &change * &inverse,
                        format_args!("{name}: |c - c'|^2 = {moved_by}, (G^-1)_jj = {inverse}"),
                    );
                    check.holds(
                        substitution.is_above_rational(&moved_by),
                        format_args!("{name}: |c - c'|^2 = {moved_by}, at most {substitution}"),
                    );
                    // Twice the norm is reached: half of the bound would not do for substitution.
                    let larger = norm.clone().max(dot(&moved, &moved));
                    of_norm.see(&moved_by / larger, &name);
                    beyond_removal |= removal.is_below_rational(&moved_by);
                    substitutions += 1;
                }
                // (9-rem): record j is removed.
                let kept = |index: &usize| *index != j;
                let fewer: Vec<_> = (0..m).filter(kept).map(|i| rows[i].clone()).collect();
                let rest: Vec<_> = (0..m).filter(kept).map(|i| y[i].clone()).collect();
                let smaller = interpolate(&fewer, &rest)?;
                let moved_by = squared_distance(&c, &smaller);
                let residual = &y[j] - dot(&rows[j], &smaller);
                let name = format!("labels {}, record {j} removed", list(y));
                check.holds(
                    moved_by == &norm - dot(&smaller, &smaller)
                        && moved_by == &residual * &residual * &inverse,
                    format_args!("{name}: |c - c_-j|^2 = {moved_by}, residual {residual}"),
                );
                check.holds(
                    removal.is_above_rational(&moved_by),
                    format_args!("{name}: |c - c_-j|^2 = {moved_by}, at most {removal}"),
                );
                if norm.is_positive() {
                    of_removal.see(&moved_by / &norm, name);
                }
                removals += 1;
            }
        }
    }
    check.attained(
        format_args!(
            "substitution: |c - c'|^2 over the larger |c|^2 ({})",
            of_norm.instance
        ),
        &of_norm.value,
        &integer(4),
    );
    check.attained(
        format_args!("removal: |c - c_-j|^2 over |c|^2 ({})", of_removal.instance),
        &of_removal.value,
        &integer(1),
    );
    check.holds(
        beyond_removal,
        "a substitution moves farther than half of the bound",
    );
    check.figure(
        "substitutions, removals",
        format_args!("{substitutions}, {removals}"),
    );
    removals_of_quarter_turns(check, n)?;
    let example = setting(1000, 67_866);
    let failure = lower_edge_failure(1000, 67_866, &example.eta)?.upper();
    check.figure(
        "delta of a pair at m = 1000, N = 67866, eta = 3/8, failure 1/20: substitution, removal",
        [Substitute, AddOrRemove]
            .map(|relation| to_scientific(&delta_of_pair(&example, relation, &failure), 4))
            .join(", "),
    );
    Ok(())
}

/// Removal on all matrices of quarter turns that satisfy the condition: a quarter of the squared bound.
fn removals_of_quarter_turns(check: &mut Check, n: u32) -> Result<(), Trouble> {
    let algorithm = algorithm()?;
    let half = algorithm.squared_sensitivity(n.into())? / BigInt::from(4);
    let y = reals(&[ratio(3, 5), ratio(4, 5)]);
    let mut farthest = Largest::from(Rational::zero());
    let mut matrices = 0;
    for rows in well_conditioned(n, &algorithm.eta) {
        matrices += 1;
        let c = minimum_norm(&rows, &y)?;
        for kept in 0..2 {
            let fewer = minimum_norm(&rows[kept..=kept], &y[kept..=kept])?;
            farthest.see(
                super::squared_distance(&c, &fewer),
                format_args!("record {} removed, second row {}", 1 - kept, second(&rows)),
            );
        }
    }
    check.holds(
        farthest.value <= half,
        format_args!("{}: {}, at most {half}", farthest.instance, farthest.value),
    );
    check.figure("matrices of quarter turns", matrices);
    check.figure(
        "there, largest squared distance over a quarter of the squared bound",
        &farthest.value / &half,
    );
    Ok(())
}

/// The two-row matrices of quarter turns with `lambda_min(G) = N - |g| >= N (1 - 2 eta)`, up to phases.
fn well_conditioned(n: u32, eta: &Rational) -> impl Iterator<Item = Vec<Vec<Complex>>> {
    let limit = integer(n) * eta * BigInt::from(2);
    all_second_rows(n).filter(move |rows| gram(rows)[0][1].squared() <= &limit * &limit)
}

pub(super) fn turned_labels(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "delta = 1e-5, four epsilons; any two datasets at the Delta that the noise is for",
    );
    for (epsilon, at_most) in [
        (ratio(1, 4), ratio(5104, 10_000)),
        (ratio(1, 2), ratio(5207, 10_000)),
        (integer(1), ratio(5412, 10_000)),
        (integer(2), ratio(5819, 10_000)),
    ] {
        let found = turned_labels_are_detected(&epsilon, &delta())?;
        check.holds(
            found.is_below_rational(&at_most),
            format_args!("epsilon = {epsilon}: {found}"),
        );
        check.figure(
            format_args!("epsilon = {epsilon}: told apart, at most"),
            found,
        );
    }
    // Labels y and -y are such a pair: |c(y) - c(-y)|^2 = 4 |c|^2.
    let n = if check.quick() { 4 } else { 6 };
    check.exact(format_args!(
        "labels reversed on all two-row matrices of {n} quarter turns (up to phases) with lambda_min >= N/4"
    ));
    let algorithm = algorithm()?;
    let printed = algorithm.squared_sensitivity(n.into())?;
    let mut farthest = Largest::from(Rational::zero());
    let mut matrices = 0;
    for rows in well_conditioned(n, &algorithm.eta) {
        let [c, d] = [1, -1]
            .map(|sign| minimum_norm(&rows, &reals(&[ratio(3 * sign, 5), ratio(4 * sign, 5)])));
        farthest.see(
            super::squared_distance(&c?, &d?),
            format_args!("second row {}", second(&rows)),
        );
        matrices += 1;
    }
    check.holds(
        farthest.value <= printed,
        format_args!(
            "{}: |c(y) - c(-y)|^2 = {}, at most {printed}",
            farthest.instance, farthest.value
        ),
    );
    check.figure("matrices", matrices);
    check.figure(
        "largest |c(y) - c(-y)|^2, and the squared bound",
        format_args!("{} and {printed}", farthest.value),
    );
    check.figure(
        "told apart there, at epsilon = 1",
        told_apart(&mu(&algorithm, &farthest.value, n.into())?),
    );
    Ok(())
}
