//! Definitions 1 and 2, Theorem 7, what is left of Lemma 9, and what privacy rules out.

use super::{refuted_unless, verified};
use crate::ledger::old::{Effort, Evidence, LedgerError};
use crate::number::Rational;
use crate::number::rational::{integer, parse, ratio, to_scientific, to_scientific_below};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{self, Complex};
use crate::privacy::{Budget, NeighbouringRelation, gaussian};
use crate::random_features::bounds::Setting;
use crate::random_features::bounds::gaussian_mechanism::{classical_delta, classical_multiplier};
use crate::random_features::bounds::gram::lower_edge_failure;
use crate::random_features::bounds::sensitivity::{delta_of_pair, distance};
use crate::random_features::impossibility::{
    least_mean_square, least_variance, turned_labels_are_detected,
};
use num_traits::{One, Signed, Zero};

const BITS: u32 = 128;

/// The largest change of a number over all neighbours, by enumeration: datasets of 1 to 3 labels, each
/// between `-bound` and `bound`.
fn sensitivity(of: fn(&[i64]) -> i64, bound: i64, relation: NeighbouringRelation) -> i64 {
    let labels: Vec<i64> = (-bound..=bound).collect();
    let mut datasets: Vec<Vec<i64>> = vec![Vec::new()];
    let mut largest = 0;
    for _ in 0..3 {
        datasets = datasets
            .iter()
            .flat_map(|data| labels.iter().map(|&label| [&data[..], &[label]].concat()))
            .collect();
        for data in &datasets {
            for index in 0..data.len() {
                let neighbours: Vec<Vec<i64>> = match relation {
                    NeighbouringRelation::AddOrRemove => {
                        vec![[&data[..index], &data[index + 1..]].concat()]
                    }
                    NeighbouringRelation::Substitute => labels
                        .iter()
                        .map(|&label| [&data[..index], &[label], &data[index + 1..]].concat())
                        .collect(),
                };
                for neighbour in neighbours {
                    largest = largest.max((of(data) - of(&neighbour)).abs());
                }
            }
        }
    }
    largest
}

fn sum(data: &[i64]) -> i64 {
    data.iter().sum()
}

fn count(data: &[i64]) -> i64 {
    data.len() as i64
}

pub(super) fn definition_1(_effort: &Effort) -> Result<Evidence, LedgerError> {
    use NeighbouringRelation::{AddOrRemove, Substitute};
    // 1. Noise that is enough for removal is too little for substitution.
    let (epsilon, delta) = (integer(1), ratio(1, 100_000));
    let budget = Budget::approximate(epsilon.clone(), delta.clone(), AddOrRemove)?;
    let moves = sensitivity(sum, 1, AddOrRemove);
    let deviation = gaussian::standard_deviation(&budget, &integer(moves))?;
    let at = |relation| -> Result<_, LedgerError> {
        let mu = integer(sensitivity(sum, 1, relation)) / &deviation;
        Ok(gaussian::profile(&mu, &epsilon, BITS)?)
    };
    let removed = at(AddOrRemove)?;
    let substituted = at(Substitute)?;
    // 2. To publish the number of records is private under substitution only: it never changes there.
    let changes = [Substitute, AddOrRemove].map(|relation| sensitivity(count, 1, relation));
    let holds =
        removed.upper() <= delta && substituted.is_above_rational(&delta) && changes == [0, 1];
    Ok(verified(
        holds,
        "certified arithmetic",
        "the sum of up to 3 labels in [-1, 1] at (1, 1e-5), and the number of records",
    )
    .figure("delta(1) under removal, with noise for removal", removed)
    .figure(
        "delta(1) under substitution, with the same noise",
        substituted,
    )
    .figure(
        "the number of records changes under substitution, removal by",
        format!("{changes:?}"),
    ))
}

pub(super) fn definition_2(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut evidence = verified(
        true,
        "exact enumeration",
        "sums of up to 3 labels in [-B, B], B = 1, 2, 3",
    );
    for bound in 1..=3 {
        let removal = sensitivity(sum, bound, NeighbouringRelation::AddOrRemove);
        let substitution = sensitivity(sum, bound, NeighbouringRelation::Substitute);
        holds &= removal == bound && substitution == 2 * bound;
        evidence = evidence.figure(
            format!("B = {bound}"),
            format!("{removal} by removal, {substitution} by substitution"),
        );
    }
    Ok(refuted_unless(holds, evidence))
}

pub(super) fn theorem_7(effort: &Effort) -> Result<Evidence, LedgerError> {
    let epsilons = ["0.001", "0.1", "0.3", "0.5", "0.7", "0.9", "0.999"];
    let deltas = [
        "0.999", "0.97", "0.5", "0.1", "1e-2", "1e-5", "1e-9", "1e-30",
    ];
    let epsilons = if effort.quick {
        &epsilons[4..]
    } else {
        &epsilons[..]
    };
    let mut holds = true;
    let mut worst = Rational::zero();
    for delta in deltas {
        let delta = parse(delta)?;
        for epsilon in epsilons {
            let reached = classical_delta(&parse(epsilon)?, &delta)?;
            holds &= reached.upper() <= delta;
            worst = worst.max(reached.upper() / &delta);
        }
    }
    // The constants of the proof for all epsilon <= 1 and all delta: e^(1/2)/2.5 < 1, and where
    // c - 1/(2c) may be negative, Q of it at delta = 1 is below every such delta.
    let half = crate::number::Enclosure::exp_of(&ratio(1, 2), BITS)?;
    holds &= half.is_below_rational(&ratio(5, 2));
    let c = classical_multiplier(&(Rational::one() - parse("1e-30")?))?;
    let least = &c - crate::number::Enclosure::integer(1, BITS).divided_by(&c.shifted(1))?;
    let quarter = crate::number::Enclosure::exp_of(&ratio(-1, 4), BITS)?;
    let from = quarter * crate::number::Enclosure::of(&ratio(5, 4), BITS);
    holds &= least.normal_upper().is_below(&from);
    Ok(verified(
        holds,
        "certified arithmetic",
        format!(
            "{} epsilons below 1 and 8 deltas from 1e-30 to 0.999, by the exact profile; proof for all in spec/random-features.md",
            epsilons.len()
        ),
    )
    .figure("largest delta(epsilon)/delta", to_scientific(&worst, 4)))
}

pub(super) fn theorem_7_threshold(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut evidence = verified(
        true,
        "certified arithmetic",
        "one threshold for each of six deltas, since the profile grows with epsilon (proof in spec/random-features.md)",
    );
    for (delta, below, above) in [
        ("0.5", "4.46", "4.48"),
        ("0.1", "5.74", "5.76"),
        ("1e-3", "7.4634", "7.4635"),
        ("1e-5", "8.4197", "8.4198"),
        ("1e-6", "8.7820", "8.7821"),
        ("1e-10", "9.8498", "9.8499"),
    ] {
        let limit = parse(delta)?;
        let (inside, outside) = (
            classical_delta(&parse(below)?, &limit)?,
            classical_delta(&parse(above)?, &limit)?,
        );
        holds &= inside.is_below_rational(&limit) && outside.is_above_rational(&limit);
        evidence = evidence.figure(
            format!("delta = {delta}"),
            format!("kept up to epsilon = {below}, broken at {above}"),
        );
    }
    let far = classical_delta(&integer(20), &ratio(1, 100_000))?;
    evidence = evidence.figure("exact delta at epsilon = 20, for 1e-5", far);
    Ok(refuted_unless(holds, evidence))
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

fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
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

pub(super) fn lemma_9_corrected(_effort: &Effort) -> Result<Evidence, LedgerError> {
    use NeighbouringRelation::{AddOrRemove, Substitute};
    let rows: Vec<Vec<Rational>> = [
        [(0, 1), (0, 1), (0, 1), (0, 1)],
        [(1, 1), (1, 2), (-1, 3), (2, 1)],
        [(-1, 2), (3, 1), (1, 4), (-2, 3)],
    ]
    .iter()
    .map(|row| rational_features(row))
    .collect();
    let labels = [
        vec![ratio(2, 3), ratio(2, 3), ratio(1, 3)],
        vec![ratio(3, 5), ratio(-4, 5), integer(0)],
        vec![integer(0), integer(1), integer(0)],
    ];
    let mut holds = true;
    let (mut substitutions, mut removals) = (0, 0);
    let (mut doubled, mut attained, mut two_is_needed) = (false, false, false);
    for (m, edge) in [(2, ratio(1, 2)), (3, ratio(1, 4))] {
        let rows = &rows[..m];
        // eta such that all eigenvalues of G/N are above 1 - 2 eta = edge; N = 4.
        holds &= eigenvalues_above(rows, &(&edge * integer(4)));
        let setting = Setting {
            eta: (integer(1) - edge) / integer(2),
            ..super::setting(m as u64, 4)
        };
        let of_substitution = distance(&setting, Substitute)?.squared();
        let of_removal = distance(&setting, AddOrRemove)?.squared();
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
                    let change = &y[j] - &value;
                    let moved_by = squared_distance(&c, &moved);
                    holds &= moved_by == &change * &change * &inverse;
                    // Twice the norm is reached: half of the bound would not do for substitution.
                    let larger = norm.clone().max(dot(&moved, &moved));
                    holds &= moved_by <= integer(4) * &larger;
                    doubled |= moved_by == integer(4) * larger;
                    holds &= of_substitution.is_above_rational(&moved_by);
                    two_is_needed |= of_removal.is_below_rational(&moved_by);
                    substitutions += 1;
                }
                // (9-rem): record j is removed.
                let kept = |index: &usize| *index != j;
                let fewer: Vec<_> = (0..m).filter(kept).map(|i| rows[i].clone()).collect();
                let rest: Vec<_> = (0..m).filter(kept).map(|i| y[i].clone()).collect();
                let smaller = interpolate(&fewer, &rest)?;
                let moved_by = squared_distance(&c, &smaller);
                let residual = &y[j] - dot(&rows[j], &smaller);
                holds &= moved_by == &norm - dot(&smaller, &smaller);
                holds &= moved_by == &residual * &residual * &inverse;
                attained |= moved_by == norm && norm.is_positive();
                holds &= of_removal.is_above_rational(&moved_by);
                removals += 1;
            }
        }
    }
    Ok(verified(
        holds && doubled && attained && two_is_needed,
        "exact arithmetic",
        format!(
            "two and three records, four frequencies at rational points of the circle: {substitutions} substitutions and {removals} removals, both bounds attained; proofs for all in spec/random-features.md"
        ),
    )
    .figure(
        "delta of a pair at m = 1000, N = 67866, eta = 3/8, failure 1/20: substitution, removal",
        {
            let setting = super::setting(1000, 67_866);
            let failure = lower_edge_failure(1000, 67_866, &setting.eta)?.upper();
            [Substitute, AddOrRemove]
                .map(|relation| {
                    to_scientific(&delta_of_pair(&setting, relation, &failure), 4)
                })
                .join(", ")
        },
    ))
}

pub(super) fn turned_labels(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let delta = ratio(1, 100_000);
    let mut holds = true;
    let mut evidence = verified(
        true,
        "certified arithmetic",
        "delta = 1e-5, four epsilons; the distance at most the Delta that the noise is for",
    );
    for (epsilon, at_most) in [
        (ratio(1, 4), ratio(5104, 10_000)),
        (ratio(1, 2), ratio(5207, 10_000)),
        (integer(1), ratio(5412, 10_000)),
        (integer(2), ratio(5819, 10_000)),
    ] {
        let found = turned_labels_are_detected(&epsilon, &delta)?;
        holds &= found.is_below_rational(&at_most);
        evidence = evidence.figure(format!("epsilon = {epsilon}"), found);
    }
    Ok(refuted_unless(holds, evidence))
}

/// The largest test error of Table 1 (epsilon 1), and of Figure 4 at three budgets.
pub(super) fn reported() -> [(Rational, Rational, &'static str); 3] {
    [
        (ratio(1, 4), ratio(32, 10), "176.5"),
        (ratio(1, 2), ratio(86, 100), "49.44"),
        (integer(1), ratio(79, 100), "13.91"),
    ]
}

pub(super) fn impossibility(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let delta = ratio(1, 100_000);
    let mut holds = true;
    let mut evidence = verified(
        true,
        "certified arithmetic",
        "labels in [0, 1], delta = 1e-5; proof for every interpolator with Gaussian noise in spec/random-features.md",
    );
    for (epsilon, error, at_least) in reported() {
        let found = least_variance(&integer(1), &epsilon, &delta)?;
        holds &= found.is_above_rational(&parse(at_least)?) && found.is_above_rational(&error);
        evidence = evidence.figure(
            format!("epsilon = {epsilon}"),
            format!(
                "at least {} at each record; reported at most {}",
                to_scientific_below(&found.lower(), 5),
                to_scientific(&error, 2)
            ),
        );
    }
    Ok(refuted_unless(holds, evidence))
}

pub(super) fn impossibility_any_noise(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let delta = ratio(1, 100_000);
    let mut holds = true;
    let mut evidence = verified(
        true,
        "certified arithmetic",
        "labels in [0, 1], delta = 1e-5; proof for every law of the noise in spec/random-features.md",
    );
    for (epsilon, error, _) in reported() {
        let found = least_mean_square(&integer(1), &epsilon, &delta)?;
        holds &= found > error;
        // Laplace noise of scale 1/epsilon is private, so a larger bound would be wrong.
        holds &= found < integer(2) / (&epsilon * &epsilon);
        evidence = evidence.figure(
            format!("epsilon = {epsilon}"),
            format!(
                "at least {}; reported at most {}",
                to_scientific_below(&found, 5),
                to_scientific(&error, 2)
            ),
        );
    }
    Ok(refuted_unless(holds, evidence))
}
