//! Theorem 3.1: what Algorithm 1 achieves.

use super::{BITS, of, record};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::geometry::{LatticeCover, SignMatrix};
use dp_assay::margin::bounds::{PureRun, PureSetting};
use dp_assay::margin::pure::error_scores;
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// `bms22.thm3_1`.
pub(super) fn theorem_3_1(check: &mut Check) -> Result<(), Trouble> {
    super::edges::pure_parameters(check)?;
    super::printed::pure(check)?;
    margin_is_spent(check)?;
    transfer(check)?;
    choice(check)?;
    least_records(check)
}

/// `gamma + (1 + gamma) radius <= 1/q`: what the projection and the cover take of the margin, `Lambda = r = 1`.
fn margin_is_spent(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "q = 1, 3/2, 3 and 10, c in tenths, 1000 records, in 10 and in 2^50 dimensions: gamma + (1 + gamma) \
         radius is 1/q",
    );
    for q in [integer(1), ratio(3, 2), integer(3), integer(10)] {
        for dimension in [10, 1 << 50] {
            for tenths in 1..10 {
                let run = with_goal(1000, dimension, &q, integer(1));
                let setting = run.setting(&ratio(tenths, 10))?;
                let gamma = &setting.part / &q;
                let spent = &gamma + (&gamma + integer(1)) * &setting.radius;
                let projected = setting.rows.is_some();
                check.holds(
                    spent == q.recip() && projected != gamma.is_zero(),
                    format_args!("q = {q}, d = {dimension}, c = {tenths}/10: {spent}"),
                );
            }
        }
    }
    Ok(())
}

fn with_goal(records: u64, dimension: u64, q: &Rational, epsilon: Rational) -> PureRun {
    PureRun {
        records,
        dimension,
        epsilon,
        beta: ratio(1, 20),
        ratio: q.clone(),
    }
}

/// On every matrix of four rows: where the events of the projection hold, the point of the cover that is nearest to the
/// projected hypothesis has no error on the records within the margin.
///
/// With `Lambda = r = 1`, `q = 5/4`, `gamma = 9/16`, so that `sqrt(1 + gamma) = 5/4` and `Phi = A/2` are rational.
fn transfer(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "all 256 and 4096 matrices of four rows and two and three columns, q = 5/4, gamma = 9/16, pairs of a \
         hypothesis and a record of norm 1 with margin above 4/5: where the events of the projection hold, the \
         nearest point of the cover is in it and errs on no record",
    );
    let q = ratio(5, 4);
    let gamma = ratio(9, 16);
    let radius = (q.recip() - &gamma) / (&gamma + integer(1));
    let cover = LatticeCover::rounding(4, &radius)?;
    let denominator = cover.denominator() as i64;
    let vectors: [&[&[i64]]; 2] = [
        &[&[5, 0], &[4, 3], &[3, 4], &[0, 5], &[-3, 4]],
        &[
            &[21, 0, 0],
            &[14, 7, 14],
            &[7, 14, 14],
            &[14, 14, 7],
            &[18, 6, 9],
            &[6, 9, 18],
            &[9, 18, 6],
            &[-14, 14, 7],
        ],
    ];
    let (mut held, mut least) = (0u64, None);
    for vectors in vectors {
        let norm = vectors[0][0];
        for matrix in SignMatrix::all(4, vectors[0].len())? {
            for w in vectors {
                let image = matrix.apply(w)?;
                // |Phi w|^2 <= 1 + gamma is |A w|^2/4 <= 25/16.
                if 4 * dot(&image, &image) > 25 * norm * norm {
                    continue;
                }
                // Phi w/sqrt(1 + gamma), times the denominator, to the nearest: 2 q A w/5.
                let nearest = |v: &i64| (4 * denominator * v + 5 * norm).div_euclid(10 * norm);
                let point: Vec<i64> = image.iter().map(nearest).collect();
                check.holds(
                    cover.contains(&point),
                    format_args!("w = {w:?}, {matrix:?}: {point:?}"),
                );
                for x in vectors {
                    let mapped = matrix.apply(x)?;
                    let margin = 5 * dot(w, x) > 4 * norm * norm;
                    let short = 4 * dot(&mapped, &mapped) <= 25 * norm * norm;
                    // <Phi w, Phi x> >= <w, x> - gamma
                    let kept = 4 * dot(&image, &mapped) >= 16 * dot(w, x) - 9 * norm * norm;
                    if !(margin && short && kept) {
                        continue;
                    }
                    held += 1;
                    let scores = error_scores(std::slice::from_ref(&mapped), &cover)?;
                    check.holds(
                        scores.score(&point) == 0,
                        format_args!("w = {w:?}, x = {x:?}, {matrix:?}"),
                    );
                    let product = dot(&point, &mapped);
                    least = Some(least.map_or(product, |least: i64| least.min(product)));
                }
            }
        }
    }
    check.holds(held > 1000, "the events hold often enough");
    check.figure("how often the events held", held);
    if let Some(least) = least {
        check.figure("least product with a projected record, in integers", least);
    }
    Ok(())
}

/// The choice: its error exceeds the least by more than `t` with probability at most `|C| e^(-epsilon t/2)`.
fn choice(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the choice on covers of radius 1/2 in 1 to 4 dimensions, 12 records on one point or on the axes, \
         epsilon = 1/2 and 2: Pr[errors > least + t] for every t, from the number of points of each score",
    );
    let mut worst = Rational::zero();
    for k in 1..=4usize {
        let cover = LatticeCover::rounding(k, &ratio(1, 2))?;
        let size = integer(cover.count_at_most(1 << 40)?);
        let along = |place: usize| {
            let mut x = vec![0; k];
            x[place % k] = 4;
            record(&x, true).signed()
        };
        for axes in [1, k] {
            let records: Vec<Vec<i64>> = (0..12).map(|place| along(place % axes)).collect();
            let counts = error_scores(&records, &cover)?.counts();
            let least = counts.iter().position(|count| *count > 0).unwrap_or(0);
            for epsilon in [ratio(1, 2), integer(2)] {
                let mut weights = Vec::new();
                let mut total = Enclosure::integer(0, BITS);
                for (errors, count) in (0u64..).zip(&counts) {
                    let exponent = -(&epsilon * integer(errors)) / integer(2);
                    let weight = Enclosure::exp_of(&exponent, BITS)? * of(&integer(*count));
                    total = total + &weight;
                    weights.push(weight);
                }
                for t in 0..12usize {
                    let mut above = Enclosure::integer(0, BITS);
                    for weight in weights.iter().skip(least + t + 1) {
                        above = above + weight;
                    }
                    let exponent = -(&epsilon * integer(t as u64)) / integer(2);
                    let most = Enclosure::exp_of(&exponent, BITS)? * of(&size);
                    let share = above.divided_by(&total)?.divided_by(&most)?.upper();
                    check.holds(
                        share <= Rational::one(),
                        format_args!("k = {k}, {axes} axes, epsilon = {epsilon}, t = {t}"),
                    );
                    worst = worst.max(share);
                }
            }
        }
    }
    check.figure(
        "largest probability, of its bound",
        to_scientific(&worst, 3),
    );
    Ok(())
}

/// The least number of records for an error of 1/10, to a thousandth, and the bound there by formulas of its own.
fn least_records(check: &mut Check) -> Result<(), Trouble> {
    let ratios: &[i64] = if check.quick() { &[1] } else { &[1, 3, 10] };
    let inverse_epsilons: &[i64] = if check.quick() { &[1] } else { &[1, 10] };
    check.certified(format_args!(
        "q in {ratios:?}, 1/epsilon in {inverse_epsilons:?}, beta = 1/20, margin loss 0, any dimension from 2^50 on: the records at which \
         the bound is 1/10, and the bound there by formulas of their own"
    ));
    let tenth = ratio(1, 10);
    for &q in ratios {
        for &inverse in inverse_epsilons {
            let epsilon = ratio(1, inverse);
            let run = |m| with_goal(m, 1 << 50, &integer(q), epsilon.clone());
            let paper = |m| -> Result<Rational, Trouble> {
                Ok(run(m).theorem_3_1_best(&Rational::zero())?.1)
            };
            let union = |m| -> Result<Rational, Trouble> {
                let run = run(m);
                let found = run.guarantee(&run.best()?, &Rational::zero())?;
                Ok(found.alpha.unwrap_or(integer(1)))
            };
            let m = least(&tenth, paper)?;
            let (setting, bound) = run(m).theorem_3_1_best(&Rational::zero())?;
            let again = by_hand(&run(m), &setting)?;
            let instance = format!("q = {q}, epsilon = {epsilon}");
            let apart = (again.upper() - &bound).abs();
            check.holds(
                apart < Rational::new(1.into(), BigInt::one() << 60),
                format_args!("{instance}: {again}"),
            );
            check.attained(format_args!("bound at m = {m}, {instance}"), &bound, &tenth);
            check.figure(
                format_args!("{instance}, the paper's proof"),
                format_args!(
                    "m = {m}, c = {}, k = {}, |C| = e^{}",
                    setting.part,
                    setting.covered,
                    to_scientific(&setting.log_cover, 4)
                ),
            );
            let m = least(&tenth, union)?;
            let run = run(m);
            let setting = run.best()?;
            let bound = union(m)?;
            let apart = union_by_hand(&run, &setting, &bound)?.upper();
            check.holds(
                apart.abs() < Rational::new(1.into(), BigInt::one() << 60),
                format_args!("{instance}, by a union over the cover: {apart}"),
            );
            check.attained(
                format_args!("bound by a union over the cover at m = {m}, {instance}"),
                &bound,
                &tenth,
            );
            check.figure(
                format_args!("{instance}, by a union over the cover"),
                format_args!("m = {m}"),
            );
        }
    }
    Ok(())
}

/// The least `m`, to a thousandth, at which the bound is at most the goal: found by doubling, then by halving.
pub(super) fn least(
    goal: &Rational,
    bound: impl Fn(u64) -> Result<Rational, Trouble>,
) -> Result<u64, Trouble> {
    let (mut low, mut high) = (1u64, 2u64);
    while bound(high)? > *goal {
        (low, high) = (high, 2 * high);
    }
    while high - low > (high / 1000).max(1) {
        let middle = low.midpoint(high);
        if bound(middle)? > *goal {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

/// Theorem 3.1 with `p = 0`: `R = p1 + sqrt(4 p1 A') + 4 A'`.
fn by_hand(run: &PureRun, setting: &PureSetting) -> Result<Enclosure, Trouble> {
    let k = of(&integer(setting.covered));
    let m = integer(run.records);
    let sixty = of(&(integer(3) / &run.beta)).ln()?;
    let log_cover = log_cover_by_hand(setting)?;
    let chosen = (log_cover + &sixty) * of(&(integer(2) / (&run.epsilon * &m)));
    let growth = &k * (of(&(&m * integer(2))).ln()? - k.ln()? + of(&integer(1)));
    let a = (growth + sixty + of(&integer(4)).ln()?) * of(&(integer(4) / m));
    Ok(&chosen + (&chosen * &a).sqrt()? + a)
}

/// `(R - p1)^2 - 2 h R` at `R = bound`, `p1 = 2 h/epsilon`, `h = (ln |C| + ln(3/beta))/m`: 0, if that is the bound.
fn union_by_hand(
    run: &PureRun,
    setting: &PureSetting,
    bound: &Rational,
) -> Result<Enclosure, Trouble> {
    let odds = log_cover_by_hand(setting)? + of(&(integer(3) / &run.beta)).ln()?;
    let h = odds * of(&integer(run.records).recip());
    let apart = of(bound) - &h * of(&(integer(2) / &run.epsilon));
    Ok(apart.squared() - (h * of(bound)).shifted(1))
}

/// `ln |C| = k (ln(1 + Q/sqrt k) + (1 + ln(2 pi))/2) - ln(pi k)/2`.
fn log_cover_by_hand(setting: &PureSetting) -> Result<Enclosure, Trouble> {
    let k = of(&integer(setting.covered));
    // Q = ceil(sqrt(k)/(2 radius)): the least with (2 Q radius)^2 >= k.
    let exact = integer(setting.covered) / (&setting.radius * &setting.radius * integer(4));
    let mut q = exact.ceil().to_integer().sqrt();
    if Rational::from_integer(&q * &q) < exact {
        q += 1;
    }
    let pi = Enclosure::pi(BITS);
    let one = of(&integer(1));
    let stretched = of(&Rational::from_integer(q)).divided_by(&k.sqrt()?)?;
    let per_axis = stretched.ln_1p()? + (pi.shifted(1).ln()? + one).shifted(-1);
    Ok(&k * per_axis - (&pi * &k).ln()?.shifted(-1))
}
