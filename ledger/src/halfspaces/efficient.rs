//! The efficient learner of Section 3: its loss, its theorems and its privacy.

use super::metered;
use super::projection::share_sent_to_zero;
use super::{BITS, of, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::SignMatrix;
use dp_assay::halfspaces::as_printed;
use dp_assay::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::steps::{Hinge, overridden, runs_for, unit_points};
use dp_assay::halfspaces::{Dataset, HalfspaceError, Shape};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational, grid::squared_norm};
use dp_assay::privacy::Budget;
use dp_assay::stats::binomial;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::sync::Arc;

/// `nuz20.alg1`: the loss of step 4, as the learners evaluate it, against the printed formula.
pub(super) fn loss(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "gamma in {1, 9/10, 1/2, 3/10, 1/10, 1/1000}, the margins -1, -99/100, ..., 1 and gamma/10",
    );
    // w = 1 and the point s on the line, in steps of 1/1000 gamma: margin s.
    for (numerator, denominator) in [(1, 1), (9, 10), (1, 2), (3, 10), (1, 10), (1, 1000)] {
        let gamma = ratio(numerator, denominator);
        let hinge = Hinge::of_algorithm_1(&gamma);
        let one = 10_000i64;
        let shipped = |steps: i64| hinge.total(&[one], &[vec![steps]], one * one);
        let mut losses = Vec::new();
        for percent in -100..=100i64 {
            let s = ratio(percent, 100);
            let target = &gamma * ratio(96, 100);
            let printed = if s < target {
                ratio(96, 86) - &s / (ratio(86, 100) * &gamma)
            } else {
                Rational::zero()
            };
            let loss = shipped(percent * one / 100);
            let instance = format!("gamma = {gamma}, y <w,x> = {s}");
            check.holds(loss == printed, &instance);
            check.holds(
                s >= &gamma / integer(10) || loss > Rational::one(),
                &instance,
            );
            check.holds(s < target || loss.is_zero(), &instance);
            losses.push(loss);
        }
        let tenth = shipped(one * numerator / (10 * denominator));
        check.holds(
            tenth.is_one(),
            format_args!("gamma = {gamma}, margin gamma/10"),
        );
        for (place, three) in losses.windows(3).enumerate() {
            check.holds(
                &three[0] + &three[2] >= &three[1] * integer(2),
                format_args!("convex at gamma = {gamma}, place {place}"),
            );
        }
        let steepest = losses
            .windows(2)
            .map(|two| (&two[0] - &two[1]) * integer(100));
        let steepest = steepest.max().unwrap_or_else(Rational::zero);
        let slope = ratio(100, 86) / &gamma;
        check.attained(format_args!("slope at gamma = {gamma}"), &steepest, &slope);
        let range = (&gamma * integer(96) + integer(100)) / (&gamma * integer(86));
        let largest = losses.iter().max().cloned().unwrap_or_else(Rational::zero);
        check.attained(format_args!("loss at gamma = {gamma}"), &largest, &range);
    }
    Ok(())
}

/// The counterexample of Theorem 3.
const ONE_RECORD_COUNTS: &str = "epsilon = m/9, m to infinity: the loss of one record is -L <w,x> for a sign vector x \
    of norm 1, that of the others is 0";

/// `nuz20.thm3`.
pub(super) fn theorem_3(check: &mut Check) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 60 } else { 200 };
    check.certified(format_args!(
        "sign vectors x of norm 1 with <w,x> >= 1/2 are a share of at most e^(-m/8): w along (1, ..., 1), m = 1..{most}, and all w of {{-2, ..., 2}}^m, m <= 4"
    ));
    for m in 1..=most {
        // <w,x> is (2 ups - m)/m.
        let share = binomial::exact_upper_tail(m, (3 * m).div_ceil(4), &ratio(1, 2));
        let bound = Enclosure::exp_of(&-ratio(m as i64, 8), BITS)?;
        check.holds(share <= bound.lower(), format_args!("m = {m}"));
    }
    for m in 1..=4u32 {
        let bound = Enclosure::exp_of(&-ratio(i64::from(m), 8), BITS)?.lower();
        for code in 0..5u64.pow(m) {
            let w: Vec<i64> = (0..m)
                .map(|i| (code / 5u64.pow(i) % 5) as i64 - 2)
                .collect();
            let norm: i64 = w.iter().map(|w| w * w).sum();
            let near = (0..1u32 << m).filter(|signs| {
                let signed = |(i, w): (usize, &i64)| if signs >> i & 1 == 1 { *w } else { -w };
                let product: i64 = w.iter().enumerate().map(signed).sum();
                // <w,x> = product / (|w| sqrt m) >= 1/2
                product > 0 && 4 * product * product >= norm * i64::from(m)
            });
            let share = Rational::new(near.count().into(), (1u32 << m).into());
            check.holds(share <= bound, format_args!("w = {w:?}"));
        }
    }
    check.certified("n = 10, beta = 1/10, delta = 10^-6, the fourth power of the product of the logarithms of n, 1/beta and 1/delta; m = 10^20, 10^30");
    let (n, beta, delta) = (integer(10), ratio(1, 10), ratio(1, 1_000_000));
    let logs = of(&n).ln()? * of(&beta.recip()).ln()? * of(&delta.recip()).ln()?;
    for power in [20u32, 30] {
        let m = integer(BigInt::from(10).pow(power));
        let epsilon = &m / integer(9);
        // An excess of at most this, of L: below 1/2 it asks for <w,x> > 1/2.
        let printed = of(&m).sqrt()? * logs.power(4) * of(&(integer(2) / &epsilon));
        // Privacy leaves one of two sign vectors, on average, at least (1 - beta/4 - delta) e^-epsilon; and no w
        // serves more than e^(-m/8) of them.
        let left = of(&(integer(1) - &beta / integer(4) - &delta)).ln()? - of(&epsilon);
        let share = of(&(-&m / integer(8)));
        check.refutes(
            printed.is_below_rational(&ratio(1, 2)) && share.is_below(&left),
            ONE_RECORD_COUNTS,
        );
        check.figure(
            format_args!("the printed excess, of L, at m = 10^{power}"),
            printed,
        );
    }
    // The other reading: epsilon up to 2 ln(1/delta), where the repaired bound is of the printed form.
    check.certified("epsilon = 1: the bound of nuz20.thm3.corrected, of sqrt(m) L |C|/epsilon");
    let found = repaired_excess(&integer(10_000), (&integer(1), &delta), &beta)?
        .divided_by(&of(&integer(100)))?;
    check.holds(found.is_below(&logs.power(4)), "epsilon = 1, m = 10^4");
    check.figure(
        "polylog of nuz20.thm3.corrected at epsilon = 1, m = 10^4",
        found,
    );
    Ok(())
}

/// `16 sqrt(m k (ln(1/delta) + epsilon/2)) + 8 ln(8k/beta)`: the excess of `nuz20.thm3.corrected`, of
/// `L |C|/epsilon`.
fn repaired_excess(
    m: &Rational,
    (epsilon, delta): (&Rational, &Rational),
    beta: &Rational,
) -> Result<Enclosure, NumberError> {
    let k = integer(runs_for(beta));
    let log = of(&delta.recip()).ln()? + of(&(epsilon / integer(2)));
    let root = (log * of(&(m * &k))).sqrt()?;
    let choice = of(&(integer(8) * &k / beta)).ln()?;
    Ok(root.shifted(4) + choice.shifted(3))
}

/// A plan of the full-batch learner without projection, with its own number of steps.
fn full_batch_plan(
    budget: &Budget,
    margin: &Rational,
    (n, m): (usize, usize),
    beta: &Rational,
) -> Result<FullBatchPlan, Trouble> {
    let parameters = FullBatchParameters {
        budget: budget.clone(),
        margin: margin.clone(),
        smoothing: integer(0),
        projected_dimension: overridden(None),
        runs: overridden(runs_for(beta)),
        steps: None,
    };
    Ok(parameters.plan(Shape {
        records: n,
        dimension: m,
        grid: Grid::new(16)?,
    })?)
}

/// What a plan's exact steps and the choice exceed the least loss by, but for `beta/4`, where the loss has this slope
/// and this range: twice `sqrt((n^2 + m sigma^2)/T)` times the slope, and `(4 range/epsilon) ln(8k/beta)`.
fn planned_excess(
    plan: &FullBatchPlan,
    (slope, range): (&Rational, &Rational),
    beta: &Rational,
) -> Result<Enclosure, NumberError> {
    let shape = plan.shape();
    let (n, m) = (
        integer(shape.records as u64),
        integer(shape.dimension as u64),
    );
    let sigma_squared = plan.noise().variance() / integer(shape.grid.one()).pow(2);
    let squared = (n.pow(2) + m * sigma_squared) / integer(plan.steps());
    let descent = of(&squared).sqrt()?.shifted(1) * of(slope);
    let k = integer(plan.parameters().runs.value);
    let choice = of(&(integer(4) * range / plan.parameters().budget.epsilon()));
    Ok(descent + choice * of(&(integer(8) * k / beta)).ln()?)
}

/// `nuz20.thm3.corrected`.
pub(super) fn theorem_3_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("rho >= epsilon^2/(16 (ln(1/delta) + epsilon/2)), epsilon in {1/100, 1, 10, 28}, delta = 10^-6");
    let (beta, delta) = (ratio(1, 10), ratio(1, 1_000_000));
    let log = of(&delta.recip()).ln()?;
    for epsilon in [ratio(1, 100), integer(1), integer(10), integer(28)] {
        let all = &log + of(&(&epsilon / integer(2)));
        let rho = (all.sqrt()? - log.sqrt()?).squared();
        let least = of(&epsilon.pow(2)).divided_by(&all.shifted(4))?;
        let name = format!("epsilon^2/(16 (ln(1/delta) + epsilon/2)), of rho, epsilon = {epsilon}");
        if epsilon < integer(2) {
            check.attained(name, &least.upper(), &rho.lower());
        } else {
            check.holds(least.upper() <= rho.lower(), name);
        }
    }
    check.certified("the noise and the steps of the full-batch learner that ships, in the excess of the proof: n in {100, 10^4}, m in {2, 1000}, epsilon in {1/10, 1, 20}, slopes 1 and 10");
    for n in [100usize, 10_000] {
        for m in [2usize, 1000] {
            for epsilon in [ratio(1, 10), integer(1), integer(20)] {
                for margin in [integer(1), ratio(1, 10)] {
                    let budget = budgets::approximate(epsilon.clone(), delta.clone())?;
                    let plan = full_batch_plan(&budget, &margin, (n, m), &beta)?;
                    let slope = margin.recip();
                    let range = integer(1) + &slope;
                    let found = planned_excess(&plan, (&slope, &range), &beta)?;
                    // L |C|/epsilon, with the diameter 2.
                    let unit = of(&(integer(2) * &slope / &epsilon));
                    let bound =
                        unit * repaired_excess(&integer(m as u64), (&epsilon, &delta), &beta)?;
                    let name = format!("n = {n}, m = {m}, epsilon = {epsilon}, slope {slope}");
                    check.holds(found.upper() <= bound.lower(), &name);
                    if epsilon.is_one() && m == 1000 && n == 10_000 {
                        check.figure(
                            format_args!("excess of the learner (from the origin), and of the statement, {name}"),
                            format_args!("{found} and {bound}"),
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// `nuz20.claim6.1`.
pub(super) fn claim_6_1(check: &mut Check) -> Result<(), Trouble> {
    const COUNTEREXAMPLE: &str = "epsilon so large that n = 1: F takes n^2 - 1 = 0 steps, and returns where it began, \
        which fits a record x with y <w_1,x> <= 0 with training error 1";
    check.certified("alpha = beta = 1/10, gamma = 3/10, delta = 10^-6, epsilon = 10^60: the n of the statement with the fourth power of the product of all logarithms");
    let (alpha, beta, gamma) = (ratio(1, 10), ratio(1, 10), ratio(3, 10));
    let (delta, epsilon) = (ratio(1, 1_000_000), integer(BigInt::from(10).pow(60)));
    let mut logs = of(&epsilon).ln()?;
    for parameter in [&alpha, &beta, &gamma, &delta] {
        logs = logs * of(&parameter.recip()).ln()?;
    }
    let printed = logs.power(4) * of(&(&alpha * &epsilon * gamma.pow(2)).recip());
    check.refutes(printed.is_below_rational(&integer(1)), COUNTEREXAMPLE);
    check.figure("the n of the statement", printed);
    check.exact("Noise-GD as printed, run on one record with ten seeds, gamma = 3/10");
    let grid = Grid::new(4)?;
    let one = grid.one();
    let hinge = Hinge::of_algorithm_1(&gamma);
    let budget = budgets::approximate(integer(1000), delta.clone())?;
    let noise = as_printed::printed_noise(&budget, as_printed::printed_runs(&beta)?, 1, grid)?;
    for seed in 1..=10 {
        let mut coins = ChaCha::reproducible(seed, 0);
        let w = noise.run(&Arc::new(vec![vec![one, 0]]), &hinge, &mut coins)?;
        // y <w,x_A> < gamma/10 on the only record.
        let wrong =
            Rational::new((w[0] * one).into(), BigInt::from(one).pow(2)) < &gamma / integer(10);
        check.refutes(wrong && integer(1) > &alpha / integer(4), COUNTEREXAMPLE);
    }
    check.figure(
        "the other reading, epsilon = 1, by nuz20.claim6.1.corrected at m = 1000: n",
        least_for_training(&alpha, &beta, &gamma, (&integer(1), &delta), 1000)?,
    );
    check.certified(
        "the n of nuz20.claim6.1.corrected at epsilon = 1 and m = 1000 is of the printed form",
    );
    let n = least_for_training(&alpha, &beta, &gamma, (&integer(1), &delta), 1000)?;
    let bare = (&alpha * gamma.pow(2)).recip();
    check.holds(
        of(&(integer(n) / bare)).is_below(&logs.power(4)),
        "epsilon = 1",
    );
    Ok(())
}

/// The `n` of `nuz20.claim6.1.corrected`: `(800/(86 alpha gamma epsilon))` times [`repaired_excess`], rounded up.
fn least_for_training(
    alpha: &Rational,
    beta: &Rational,
    gamma: &Rational,
    (epsilon, delta): (&Rational, &Rational),
    m: u64,
) -> Result<BigInt, Trouble> {
    let excess = repaired_excess(&integer(m), (epsilon, delta), beta)?;
    let factor = integer(800) / (integer(86) * alpha * gamma * epsilon);
    Ok((excess * of(&factor)).hi().ceil())
}

/// `nuz20.claim6.1.corrected`.
pub(super) fn claim_6_1_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the noise and the steps of the full-batch learner that ships, at the n of the statement, with the loss of Algorithm 1: three pairs (alpha, gamma), m in {10, 1000}, epsilon in {1/2, 1, 10}");
    let (beta, delta) = (ratio(1, 10), ratio(1, 1_000_000));
    for (alpha, gamma) in [
        (ratio(1, 10), ratio(3, 10)),
        (ratio(1, 4), ratio(9, 10)),
        (ratio(1, 10), ratio(1, 10)),
    ] {
        let hinge = Hinge::of_algorithm_1(&gamma);
        let slope = integer(100) / (integer(86) * &gamma);
        check.holds(
            hinge.width.recip() == slope,
            format_args!("slope, gamma = {gamma}"),
        );
        for m in [10u64, 1000] {
            for epsilon in [ratio(1, 2), integer(1), integer(10)] {
                let budget = budgets::approximate(epsilon.clone(), delta.clone())?;
                let n = least_for_training(&alpha, &beta, &gamma, (&epsilon, &delta), m)?;
                let records = usize::try_from(&n)?;
                let plan =
                    full_batch_plan(&budget, &hinge.width, (records, usize::try_from(m)?), &beta)?;
                let found = planned_excess(&plan, (&slope, &hinge.range()), &beta)?;
                // The separator loses nothing, and a record below gamma/10 costs at least 1.
                let allowed = &alpha * integer(n.clone()) / integer(4);
                check.holds(
                    found.upper() <= allowed,
                    format_args!(
                        "alpha = {alpha}, gamma = {gamma}, m = {m}, epsilon = {epsilon}, n = {n}"
                    ),
                );
                if epsilon.is_one() {
                    check.figure(
                        format_args!("alpha = {alpha}, gamma = {gamma}, m = {m}, epsilon = 1"),
                        format_args!("n = {n}; bad records at most {found} of {allowed}"),
                    );
                }
            }
        }
    }
    Ok(())
}

/// `nuz20.thm8`.
pub(super) fn theorem_8(check: &mut Check) -> Result<(), Trouble> {
    const COUNTEREXAMPLE: &str =
        "S = {e1/2, 0}, S' = {e1/2, e2/2}: A x / |A x| has no value, with probability 1 and 0";
    check.exact("Algorithm 3 as printed on S and S', 3 rows, three seeds; all 64 matrices");
    let grid = Grid::new(4)?;
    let data =
        |second: &[i64]| Dataset::new(grid, 2, vec![record(&[8, 0], true), record(second, true)]);
    let (with_origin, without) = (data(&[0, 0])?, data(&[0, 8])?);
    let budget = budget("1", "1e-6")?;
    let half = ratio(1, 2);
    let plan = as_printed::plan(without.shape(), &budget, (&half, &half), Some(3))?;
    for seed in 1..=3 {
        let run = |data: &Dataset| {
            let mut coins = ChaCha::reproducible(seed, 0);
            plan.learn_not_private(data, &mut coins)
        };
        let undefined = matches!(run(&with_origin), Err(HalfspaceError::Undefined { .. }));
        check.refutes(undefined && run(&without).is_ok(), COUNTEREXAMPLE);
    }
    check.refutes(
        metered::results_differ(&with_origin, &without, &budget, 3)?,
        COUNTEREXAMPLE,
    );
    let on_s = share_sent_to_zero(3, &[0, 0])?;
    let on_s_prime = share_sent_to_zero(3, &[8, 0])? + share_sent_to_zero(3, &[0, 8])?;
    check.refutes(on_s.is_one() && on_s_prime.is_zero(), COUNTEREXAMPLE);
    check.figure("Pr[no result | S]", on_s);
    check.figure("Pr[no result | S'], at most", on_s_prime);
    // The other reading: with x_A total there is a result on S for every matrix.
    let mut defined = 0u64;
    for matrix in SignMatrix::all(3, 2)? {
        let images = unit_points(&with_origin, Some(&matrix))?;
        let each = images.iter().all(|image| squared_norm(image) > 0);
        check.holds(each, format_args!("x_A total, A = {matrix:?}"));
        defined += u64::from(each);
    }
    check.figure(
        "matrices of 64 for which a total x_A is defined on S",
        defined,
    );
    Ok(())
}

/// `nuz20.e5`.
pub(super) fn post_processing(check: &mut Check) -> Result<(), Trouble> {
    check.exact("m = d = 1: A = -1 and +1, s = -1 and +1");
    // Pr[w = 1 | s] and Pr[w^T A = s | s], over a fair sign A and w = A s.
    let mut laws = Vec::new();
    for s in [-1i64, 1] {
        let signs = [-1i64, 1];
        let share = |event: &dyn Fn(i64) -> bool| {
            let count = signs.iter().filter(|&&a| event(a)).count();
            Rational::new(count.into(), signs.len().into())
        };
        let plus = share(&|a| a * s == 1);
        let reveals = share(&|a| (a * s) * a == s);
        check.figure(format_args!("Pr[w = 1 | s = {s}]"), &plus);
        check.figure(format_args!("Pr[w^T A = s | s = {s}]"), &reveals);
        laws.push((plus, reveals));
    }
    check.refutes(
        laws[0].0 == laws[1].0 && laws.iter().all(|(_, reveals)| reveals.is_one()),
        "m = d = 1, A = +-1 fair, data a sign s, w = A s: w is uniform, and w^T A = s",
    );
    Ok(())
}

/// `nuz20.e5.corrected`: the delta of the pair, over all events, is at most the largest delta given A.
pub(super) fn joint_law(check: &mut Check) -> Result<(), Trouble> {
    let parts = if check.quick() { 2 } else { 3 };
    check.exact(format_args!(
        "two matrices of probabilities 1/2, 1/2 and 1/3, 2/3; all laws on three values with denominator {parts}; e^epsilon in {{1, 3/2, 3}}; all 64 events"
    ));
    let mut laws = Vec::new();
    for a in 0..=parts {
        laws.extend((0..=parts - a).map(|b| [a, b, parts - a - b]));
    }
    let mut attained = 0u64;
    for (numerator, denominator) in [(1, 1), (3, 2), (3, 1)] {
        // Pr - e^epsilon Pr', times all denominators: an integer.
        let excess = |p: &[i64; 3], q: &[i64; 3]| {
            [0, 1, 2].map(|value| denominator * p[value] - numerator * q[value])
        };
        let delta = |excess: &[i64; 3]| -> i64 { excess.iter().map(|&e| e.max(0)).sum() };
        for (first, second) in [(1, 1), (1, 2)] {
            for p in &laws {
                for p_prime in &laws {
                    let given_first = excess(p, p_prime);
                    for q in &laws {
                        for q_prime in &laws {
                            let given_second = excess(q, q_prime);
                            let worst = (0..64u32)
                                .map(|event| {
                                    let inside = |place: usize| i64::from(event >> place & 1);
                                    (0..3)
                                        .map(|value| {
                                            first * given_first[value] * inside(value)
                                                + second * given_second[value] * inside(value + 3)
                                        })
                                        .sum::<i64>()
                                })
                                .max()
                                .unwrap_or(0);
                            let promised = delta(&given_first).max(delta(&given_second));
                            check.holds(
                                worst <= promised * (first + second),
                                format_args!(
                                    "e^epsilon = {numerator}/{denominator}, laws {p:?}, {q:?} and {p_prime:?}, {q_prime:?}"
                                ),
                            );
                            attained += u64::from(worst == promised * (first + second));
                        }
                    }
                }
            }
        }
    }
    check.figure("pairs of laws that attain the bound", attained);
    Ok(())
}
