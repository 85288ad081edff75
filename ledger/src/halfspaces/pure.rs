//! Section 4 and Appendix B: Algorithm 2, its cover, its privacy and its sample complexity.

use super::exhaustive::{PrivacyRatios, SmallInstance};
use super::metered;
use super::projection::{SENT_TO_ZERO, share_sent_to_zero};
use super::sample_complexity::goals;
use super::{BITS, of, of_the_coins, record, rows_for};
use crate::claim::{Check, Trouble};
use crate::common::{cube, dot, points_of};
use dp_assay::coins::{CoinsError, Explored, Explorer, Law, Layer};
use dp_assay::geometry::{LatticeCover, SignMatrix};
use dp_assay::halfspaces::bounds::{Goal, Net, Pure, pure, theorem_11};
use dp_assay::halfspaces::pure::margin_scores;
use dp_assay::halfspaces::pure::{PureParameters, learn};
use dp_assay::halfspaces::{Dataset, HalfspaceError, Record};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::sample::{ExponentialMechanism, ScoreClass};
use dp_assay::stats::binomial;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// Both labels of each of the given points.
fn both_labels(points: &[&[i64]]) -> Vec<Record> {
    points
        .iter()
        .flat_map(|features| [record(features, true), record(features, false)])
        .collect()
}

/// Goes through one instance of Algorithm 2 with `e^(epsilon/2) = 3/2`.
fn enumerate(
    points: &[&[i64]],
    records: usize,
    m: usize,
    gamma: &Rational,
) -> Result<PrivacyRatios, HalfspaceError> {
    let tenth = gamma / integer(10);
    let instance = SmallInstance {
        domain: both_labels(points),
        records,
        cover: LatticeCover::rounding(m, &tenth)?,
        threshold: tenth,
        root: ratio(3, 2),
    };
    instance.ratios(|bad| bad as u32)
}

const BASIS: &[&[i64]] = &[&[1, 0], &[0, 1]];
const DIAGONALS: &[&[i64]] = &[&[1, 1], &[1, -1]];

/// The points of an instance, `n`, `m` and gamma.
type Instance<'a> = (&'a [&'a [i64]], usize, usize, (i64, i64));

/// Goes through instances, and compares each largest ratio with `e^epsilon = 9/4`.
fn all_ratios(check: &mut Check, instances: &[Instance]) -> Result<(), Trouble> {
    let bound = ratio(9, 4);
    let mut largest = Rational::zero();
    for &(points, n, m, (numerator, denominator)) in instances {
        let gamma = ratio(numerator, denominator);
        let found = enumerate(points, n, m, &gamma)?;
        let instance = format!("points {points:?}, n = {n}, m = {m}, gamma = {gamma}");
        let witness = &found.witness;
        let named = format!(
            "{instance}: records {:?} and {:?} times, A = {:?}, w bad for {:?}",
            witness.dataset, witness.neighbour, witness.projection, witness.bad
        );
        check.holds(
            found.sums_to_one,
            format_args!("{instance}: total probability"),
        );
        check.holds(found.joint <= bound, &named);
        check.holds(found.marginal <= found.joint, &named);
        check.figure(
            &instance,
            format_args!(
                "largest ratio {} = {}, of {} over {} datasets, {} matrices, {} outputs",
                found.joint,
                to_scientific(&found.joint, 6),
                found.ratios,
                found.datasets,
                found.matrices,
                found.outputs
            ),
        );
        largest = largest.max(found.joint);
    }
    check.attained("largest ratio, against e^epsilon", &largest, &bound);
    Ok(())
}

/// What the learner returns of use here: `sqrt(m) A`, and `q w`.
pub(super) type Returned = (Option<SignMatrix>, Vec<i64>);

/// The law of `(A, w)` that the shipped learner returns, over every outcome of its draws.
pub(super) fn explored(
    data: &Dataset,
    parameters: &PureParameters,
) -> Result<Explored<Returned>, CoinsError> {
    Explorer::new(Layer::Laws, 100_000).explore(|coins| {
        learn(data, parameters, coins)
            .map(|model| (model.projection, model.point))
            .map_err(of_the_coins)
    })
}

/// The shipped learner on all datasets of `n` of these records and all their neighbours, draw by draw, with
/// `m = 1`, a cover of radius 1/4 and epsilon 1: no ratio exceeds `e^epsilon`.
fn learner_on_all_neighbours(
    check: &mut Check,
    points: &[&[i64]],
    n: usize,
) -> Result<(), Trouble> {
    let epsilon = integer(1);
    let parameters =
        PureParameters::from_theorem(&ratio(1, 10), &ratio(1, 10), &epsilon, &ratio(1, 2), n, 2)?
            .with_projected_dimension(Some(1))?
            .with_radius(ratio(1, 4))?;
    let domain = both_labels(points);
    // The datasets, as sorted choices of records of the domain.
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..n {
        choices = choices
            .into_iter()
            .flat_map(|choice| {
                let from = choice.last().copied().unwrap_or(0);
                (from..domain.len()).map(move |next| [&choice[..], &[next]].concat())
            })
            .collect();
    }
    let grid = Grid::new(2)?;
    let mut laws = Vec::new();
    for choice in &choices {
        let records = choice.iter().map(|&kind| domain[kind].clone()).collect();
        let law = explored(&Dataset::new(grid, 2, records)?, &parameters)?;
        check.holds(
            law.undecided < Rational::new(1.into(), BigInt::one() << 100),
            format_args!("everything explored on {choice:?}"),
        );
        laws.push(law);
    }
    let most = Enclosure::exp_of(&epsilon, BITS)?.lower();
    let mut largest = Rational::zero();
    for (choice, law) in choices.iter().zip(&laws) {
        for (other, other_law) in choices.iter().zip(&laws) {
            let shared = shared_records(choice, other);
            if shared + 1 != n {
                continue;
            }
            for (outcome, probability) in &law.lower {
                let (more, less) = (probability + &law.undecided, other_law.lower(outcome));
                check.holds(
                    more <= &most * &less,
                    format_args!(
                        "records {choice:?} and {other:?} of {domain:?}, (A, w) = {outcome:?}"
                    ),
                );
                if less.is_positive() {
                    largest = largest.max(more / less);
                }
            }
        }
    }
    check.attained("largest ratio of the learner, against e", &largest, &most);
    Ok(())
}

/// How many records two sorted choices share, each as often as both have it.
fn shared_records(one: &[usize], other: &[usize]) -> usize {
    let count = |list: &[usize], kind: usize| list.iter().filter(|&&k| k == kind).count();
    let largest = one.iter().chain(other).copied().max().unwrap_or(0);
    (0..=largest)
        .map(|kind| count(one, kind).min(count(other, kind)))
        .sum()
}

/// `nuz20.alg2`.
pub(super) fn algorithm_2(check: &mut Check) -> Result<(), Trouble> {
    super::edges::pure_fails(check)?;
    check.exact("unit vectors with both labels, e^epsilon = 9/4: all datasets, neighbours, matrices, (A, w) and w^T A");
    let mut instances: Vec<Instance> = vec![
        (BASIS, 2, 1, (1, 2)),
        (BASIS, 6, 1, (1, 2)),
        (BASIS, 2, 2, (9, 10)),
    ];
    if !check.quick() {
        instances.push((BASIS, 4, 2, (9, 10)));
    }
    all_ratios(check, &instances)?;
    let n = if check.quick() { 4 } else { 8 };
    check.certified(format_args!(
        "the learner that ships, draw by draw: epsilon = 1, m = 1, unit vectors of the plane, all datasets of {n} records and their neighbours"
    ));
    learner_on_all_neighbours(check, &[&[4, 0], &[0, 4]], n)
}

/// `nuz20.alg2.corrected`.
pub(super) fn algorithm_2_total(check: &mut Check) -> Result<(), Trouble> {
    super::edges::room(check)?;
    check.exact("domains in which A x = 0 occurs, e^epsilon = 9/4: all datasets, neighbours, matrices, (A, w) and w^T A");
    let mut instances: Vec<Instance> = vec![(DIAGONALS, 3, 1, (1, 2))];
    if !check.quick() {
        instances.push((&[&[1, 0, 0], &[1, 1, 1]], 3, 2, (9, 10)));
        instances.push((&[&[0, 0], &[1, 0]], 3, 1, (1, 2)));
        instances.push((DIAGONALS, 6, 1, (1, 2)));
    }
    instances.push((BASIS, 3, 2, (9, 10)));
    all_ratios(check, &instances)?;
    let n = if check.quick() { 2 } else { 4 };
    check.certified(format_args!(
        "the learner that ships, draw by draw: epsilon = 1, m = 1, 0 and both diagonals, all datasets of {n} records and their neighbours"
    ));
    learner_on_all_neighbours(check, &[&[2, 2], &[2, -2], &[0, 0]], n)?;
    metered::algorithm_2(check)
}

/// `nuz20.net`.
pub(super) fn net(check: &mut Check) -> Result<(), Trouble> {
    check.exact("the points of both nets, one by one, at r = 9/100, 5/100 (m = 1, 2, 3) and 3/100 (m = 1, 2)");
    for (percent, most) in [(9, 3usize), (5, 3), (3, 2)] {
        let radius = ratio(percent, 100);
        for m in 1..=most {
            for (cover, parts) in [
                (LatticeCover::rounding(m, &radius)?, 2),
                (LatticeCover::truncating(m, &radius)?, 1),
            ] {
                // q = ceil(sqrt(m)/(parts r)): the least with (parts r q)^2 >= m.
                let q = cover.denominator() as i64;
                let enough = |q: i64| (integer(parts * q) * &radius).pow(2) >= integer(m as u64);
                // |h| <= q; or |h| <= q + sqrt(m)/2, that is t <= q sqrt(m) for t = |h|^2 - q^2 - m/4.
                let inside = |h: &[i64]| {
                    let excess = dot(h, h) - q * q;
                    if parts == 1 {
                        return excess <= 0;
                    }
                    let t = 4 * excess - m as i64;
                    t <= 0 || t * t <= 16 * q * q * m as i64
                };
                let expected = cube(m, q + 1).filter(|h| inside(h)).count() as u128;
                let counted = cover.count_at_most(u128::MAX)?;
                let instance = format!("{:?}, m = {m}, r = {radius}", cover.kind());
                check.holds(enough(q) && !enough(q - 1), &instance);
                check.holds(
                    counted == expected,
                    format_args!("{instance}: {counted} points"),
                );
                check.holds(points_of(&cover).len() as u128 == expected, &instance);
                check.figure(instance, counted);
            }
        }
    }
    let most = if check.quick() { 2 } else { 3 };
    check.exact(format_args!(
        "covering, r = 1/2 and 3/10: every point of the grid 1/12 in the ball of up to {most} dimensions"
    ));
    let fineness = 12i64;
    let mut farthest = Rational::zero();
    for m in 1..=most {
        for radius in [ratio(1, 2), ratio(3, 10)] {
            for cover in [
                LatticeCover::rounding(m, &radius)?,
                LatticeCover::truncating(m, &radius)?,
            ] {
                let net = points_of(&cover);
                let q = cover.denominator() as i64;
                for x in cube(m, fineness).filter(|x| dot(x, x) <= fineness * fineness) {
                    // |x/12 - h/q|^2 (12 q)^2
                    let gap = |h: &Vec<i64>| -> i64 {
                        x.iter()
                            .zip(h)
                            .map(|(x, h)| (x * q - h * fineness).pow(2))
                            .sum()
                    };
                    let nearest = net.iter().map(gap).min().unwrap_or(i64::MAX);
                    let share =
                        Rational::new(nearest.into(), (fineness * q).pow(2).into()) / radius.pow(2);
                    check.holds(
                        share <= Rational::one(),
                        format_args!("{:?}, r = {radius}, point {x:?}/12", cover.kind()),
                    );
                    farthest = farthest.max(share);
                }
            }
        }
    }
    check.attained(
        "squared distance to the net, of r^2",
        &farthest,
        &Rational::one(),
    );
    Ok(())
}

/// `nuz20.lem9`.
pub(super) fn exponential_mechanism(check: &mut Check) -> Result<(), Trouble> {
    check.certified("privacy: three outcomes, all utilities in {0, ..., 3}^3 and all that differ from them by at most Delta = 1, epsilon in {1/10, 1, 5}");
    let utilities: Vec<[i64; 3]> = cube(3, 2)
        .filter(|u| u.iter().all(|&u| u < 2))
        .map(|u| [u[0] + 2, u[1] + 2, u[2] + 2])
        .collect();
    for epsilon in [ratio(1, 10), integer(1), integer(5)] {
        // The mechanism that ships, with the loss 3 - u.
        let law = |u: &[i64; 3]| -> Result<Vec<Enclosure>, Trouble> {
            let classes = u.map(|u| ScoreClass {
                loss: integer(3 - u),
                count: BigUint::one(),
            });
            let mechanism =
                ExponentialMechanism::new(epsilon.clone(), integer(1), classes.to_vec())?;
            let pmf = (0..3usize).map(|outcome| mechanism.pmf(&outcome, BITS));
            Ok(pmf.collect::<Result<_, _>>()?)
        };
        let laws = utilities.iter().map(law).collect::<Result<Vec<_>, _>>()?;
        let most = Enclosure::exp_of(&epsilon, BITS)?;
        let mut largest = Rational::zero();
        for (u, p) in utilities.iter().zip(&laws) {
            for (v, q) in utilities.iter().zip(&laws) {
                if u.iter().zip(v).any(|(u, v)| (u - v).abs() > 1) {
                    continue;
                }
                for outcome in 0..3 {
                    let ratio = p[outcome].divided_by(&q[outcome])?;
                    check.holds(
                        ratio.is_below(&most),
                        format_args!("epsilon = {epsilon}, u = {u:?} and {v:?}, outcome {outcome}"),
                    );
                    largest = largest.max(ratio.upper());
                }
            }
        }
        check.attained(
            format_args!("largest ratio, against e^epsilon, epsilon = {epsilon}"),
            &largest,
            &most.lower(),
        );
    }
    check.certified("utility: 27 instances of 40 score classes, epsilon in {1/10, 1, 5}, delta in {1/2, 1/20, 1/1000}");
    let mut worst = Rational::zero();
    for epsilon in [ratio(1, 10), integer(1), integer(5)] {
        for failure in [ratio(1, 2), ratio(1, 20), ratio(1, 1000)] {
            for best in [1u32, 3, 50] {
                let count = |loss: u32| if loss == 0 { best } else { loss * loss };
                let classes = (0..40u32).map(|loss| ScoreClass {
                    loss: integer(loss),
                    count: count(loss).into(),
                });
                let mechanism =
                    ExponentialMechanism::new(epsilon.clone(), integer(1), classes.collect())?;
                let outcomes: u32 = (0..40).map(count).sum();
                let reach =
                    of(&(integer(2) / &epsilon)) * of(&(integer(outcomes) / &failure)).ln()?;
                let mut beyond = of(&Rational::zero());
                for loss in 0..40usize {
                    if !of(&integer(loss)).is_below(&reach) {
                        beyond = beyond + mechanism.pmf(&loss, BITS)?;
                    }
                }
                let share = beyond.divided_by(&of(&failure))?.upper();
                check.holds(
                    share <= Rational::one(),
                    format_args!("epsilon = {epsilon}, delta = {failure}, {best} best outcomes"),
                );
                worst = worst.max(share);
            }
        }
    }
    check.attained("failure probability, of delta", &worst, &Rational::one());
    Ok(())
}

/// `nuz20.thm10`.
pub(super) fn theorem_10(check: &mut Check) -> Result<(), Trouble> {
    check.exact("n = 1, m = 1, ..., 5, all matrices; e^epsilon = 9/4 with x_A total");
    for m in 1..=5usize {
        let on_s = share_sent_to_zero(m, &[1, -1])?;
        let on_s_prime = share_sent_to_zero(m, &[1, 0])?;
        check.refutes(on_s.is_positive() && on_s_prime.is_zero(), SENT_TO_ZERO);
        check.figure(
            format_args!("Pr[A x = 0] on S and on S', m = {m}"),
            format_args!("{on_s} and {on_s_prime}"),
        );
    }
    // The other reading: with x_A total the same records are safe.
    let found = enumerate(DIAGONALS, 3, 1, &ratio(1, 2))?;
    check.holds(
        found.joint <= ratio(9, 4),
        "x_A total, both diagonals, n = 3",
    );
    check.figure("largest ratio with x_A total, e^epsilon = 9/4", found.joint);
    Ok(())
}

/// `ln |W|` of the rounding net: `m ln(sqrt(2 pi e) (1 + 1/(2r) + 1/sqrt(m)))`.
fn log_net(m: &Rational, radius: &Rational) -> Result<Enclosure, NumberError> {
    let one = of(&integer(1));
    let two_pi_e = Enclosure::pi(BITS).shifted(1) * one.exp()?;
    let sum = of(&(integer(1) + (integer(2) * radius).recip())) + one.divided_by(&of(m).sqrt()?)?;
    Ok(of(m) * (two_pi_e.ln()?.shifted(-1) + sum.ln()?))
}

/// `nuz20.thm11.corrected`: the requirements of the statement, by formulas of their own.
pub(super) fn theorem_11_corrected(check: &mut Check) -> Result<(), Trouble> {
    super::edges::of_the_theorem(check)?;
    check.certified("epsilon = 1/10, 1 and 10: the requirements on n and m at the n that the library returns, for the rounding net");
    for (name, alpha, beta, gamma) in goals(check.quick()) {
        for epsilon in [ratio(1, 10), integer(1), integer(10)] {
            let goal = Goal::new(alpha.clone(), beta.clone(), gamma.clone(), epsilon.clone())?;
            let name = format!("{name}, epsilon = {epsilon}");
            // (a): |W| and m for four norms a record, and n >= (max(8/epsilon, 6)/alpha)(ln|W| + ln(4/beta)).
            let paper = theorem_11(&goal, Net::Lattice)?;
            let asked = |found: &Pure, norms: u32| -> Result<(Rational, Enclosure), NumberError> {
                let n = whole(&found.records);
                let failure = &alpha * beta.pow(2) / (integer(16 * norms) * &n);
                let class = log_net(&whole(&found.dimension), &found.radius)? + log_four(&beta)?;
                let factor = (integer(8) / &epsilon).max(integer(6)) / &alpha;
                Ok((
                    rows_for(&failure, &found.kappa)?.upper(),
                    class * of(&factor),
                ))
            };
            let (rows, records) = asked(&paper, 4)?;
            check.holds(paper.kappa == &gamma / integer(100), &name);
            check.holds(paper.radius == &gamma / integer(10), &name);
            check.holds(
                rows <= whole(&paper.dimension),
                format_args!("(a), rows, {name}"),
            );
            check.holds(
                records.upper() <= whole(&paper.records),
                format_args!("(a), records, {name}"),
            );
            check.figure(
                format_args!("the paper's constants, {name}"),
                format_args!("n = {}, m = {}", paper.records, paper.dimension),
            );
            if epsilon.is_one() {
                // The same with two norms and a better kappa and radius, which asks for no more than this.
                let best = pure::optimised_best(&goal, Net::Lattice)?;
                let (rows, records) = asked(&best, 2)?;
                let left = (&gamma - &best.kappa) / (integer(1) + &best.kappa);
                check.holds(best.radius < left, format_args!("radius, {name}"));
                check.attained(
                    format_args!("(a), rows asked for, {name}"),
                    &rows,
                    &whole(&best.dimension),
                );
                check.attained(
                    format_args!("(a), records asked for, {name}"),
                    &records.upper(),
                    &whole(&best.records),
                );
                check.figure(
                    format_args!("better constants, {name}"),
                    format_args!("n = {}, m = {}", best.records, best.dimension),
                );
            }
            // (b): by volume, as in the table.
            let volume = pure::counted(&goal, &ratio(3, 4), Net::Volume)?;
            let class = integer(volume.dimension.clone());
            let class = of(&class) * of(&(integer(1) + integer(2) / &volume.radius)).ln()?;
            check.holds(
                volume.log_net.meets(&class) && class.has_digits(20),
                format_args!("ln (1 + 2/r)^m, {name}"),
            );
            // (b): m >= ln(4n/beta)/E(kappa), r < (gamma-kappa)/(1-gamma kappa), and the exponent of Chernoff's
            // bound, (x - B)^2/(2x) at x = alpha n, is at least C.
            let counted = pure::counted(&goal, &ratio(3, 4), Net::Lattice)?;
            let n = whole(&counted.records);
            let m = whole(&counted.dimension);
            let rows = rows_for(&(&beta / (integer(2) * &n)), &counted.kappa)?.upper();
            check.attained(format_args!("(b), rows asked for, {name}"), &rows, &m);
            let left = (&gamma - &counted.kappa) / (integer(1) - &gamma * &counted.kappa);
            check.holds(counted.radius < left, format_args!("radius of (b), {name}"));
            let class = log_net(&m, &counted.radius)? + log_four(&beta)?;
            let wrong = &class * of(&(integer(2) / &epsilon));
            let x = &alpha * &n;
            check.holds(
                wrong.is_below_rational(&x),
                format_args!("B < alpha n, {name}"),
            );
            let spare = (of(&x) - &wrong)
                .squared()
                .divided_by(&of(&(integer(2) * &x)))?;
            check.attained(
                format_args!("C of Chernoff's exponent, {name}"),
                &class.upper(),
                &spare.lower(),
            );
            check.figure(
                format_args!("(b), {name}"),
                format_args!("n = {n}, m = {m}"),
            );
        }
    }
    packings(check)
}

/// A net by volume is a largest set of points more than `r` apart: every such set is at most as large as its bound.
fn packings(check: &mut Check) -> Result<(), Trouble> {
    check.certified("sets of points of the ball more than r apart, chosen greedily on the grid 1/12: m = 1, 2, 3, r in {1/4, 1/2, 9/10}");
    let fineness = 12i64;
    let mut nearest = Rational::zero();
    for m in 1..=3 {
        for radius in [ratio(1, 4), ratio(1, 2), ratio(9, 10)] {
            // The squared distances are integers, so that their bound may be rounded down.
            let apart = i64::try_from((&radius * integer(fineness)).pow(2).to_integer())?;
            let mut apart_from_all: Vec<Vec<i64>> = Vec::new();
            for x in cube(m, fineness).filter(|x| dot(x, x) <= fineness.pow(2)) {
                let squared =
                    |y: &Vec<i64>| -> i64 { x.iter().zip(y).map(|(x, y)| (x - y).pow(2)).sum() };
                if apart_from_all.iter().all(|y| squared(y) > apart) {
                    apart_from_all.push(x);
                }
            }
            let size = integer(apart_from_all.len() as u64);
            let bound = Net::Volume.log_size(&BigUint::from(m), &radius)?.exp()?;
            check.holds(
                size <= bound.lower(),
                format_args!("m = {m}, r = {radius}: {size} points"),
            );
            nearest = nearest.max(size / bound.lower());
        }
    }
    check.attained("points, of (1 + 2/r)^m", &nearest, &Rational::one());
    Ok(())
}

fn whole(n: &BigUint) -> Rational {
    integer(n.clone())
}

/// `ln(4/beta)`.
fn log_four(beta: &Rational) -> Result<Enclosure, NumberError> {
    of(&(integer(4) / beta)).ln()
}

/// `nuz20.claim11.1`: a net in the plane, records in it, and the mechanism's law on them.
pub(super) fn claim_11_1(check: &mut Check) -> Result<(), Trouble> {
    let side = if check.quick() { 6 } else { 12 };
    check.exact(format_args!(
        "a net point errs on no record: gamma = 1/2 and 9/10, m = 2, all directions w_A of {{-{side}, ..., {side}}}^2, all records of {{-8, ..., 8}}^2 with margin 96 gamma/100 or more"
    ));
    for (numerator, denominator) in [(1, 2), (9, 10)] {
        let gamma = ratio(numerator, denominator);
        let tenth = &gamma / integer(10);
        // The net and the threshold that the learner takes.
        let quarter = ratio(1, 4);
        let shipped = PureParameters::from_theorem(&quarter, &quarter, &integer(1), &gamma, 2, 2)?;
        let cover = shipped.cover(2)?;
        let threshold = &shipped.threshold().value;
        check.holds(
            shipped.radius().value == tenth && *threshold == tenth,
            format_args!("radius and threshold gamma/10, gamma = {gamma}"),
        );
        let target = (&gamma * ratio(96, 100)).pow(2);
        for w in cube(2, side).filter(|w| w.iter().any(|&w| w != 0)) {
            let records: Vec<Vec<i64>> = cube(2, 8)
                .filter(|v| {
                    let product = dot(&w, v);
                    let norms = integer(dot(&w, &w)) * integer(dot(v, v));
                    product > 0 && integer(product * product) >= &target * norms
                })
                .collect();
            let scores = margin_scores(&records, &cover, threshold)?;
            check.holds(
                scores.point(0, 0).is_some(),
                format_args!(
                    "gamma = {gamma}, w_A along {w:?}, {} records",
                    records.len()
                ),
            );
        }
        // Bad is y <h/q, v> < (gamma/10) |v|, for each point of the net.
        let q = cover.denominator() as i64;
        let bad = |h: &[i64], v: &[i64]| {
            let product = dot(h, v);
            product <= 0
                || integer(product).pow(2) < (&tenth * integer(q)).pow(2) * integer(dot(v, v))
        };
        let net = points_of(&cover);
        for v in cube(2, 3) {
            let expected = net.iter().filter(|h| bad(h, &v)).count() as u64;
            let counts = margin_scores(std::slice::from_ref(&v), &cover, threshold)?.counts();
            check.holds(
                counts[1] == expected,
                format_args!("gamma = {gamma}: points of the net for which {v:?} is bad"),
            );
        }
    }
    check.certified("the mechanism's law on records of margin 96 gamma/100: gamma = 1/2, m = 2, alpha = beta = 1/4, epsilon in {1/2, 2, 10}, the n of the claim");
    let (alpha, beta, gamma) = (ratio(1, 4), ratio(1, 4), ratio(1, 2));
    let tenth = &gamma / integer(10);
    let cover = LatticeCover::rounding(2, &tenth)?;
    let size = integer(BigInt::from(cover.count_at_most(u128::MAX)?));
    for epsilon in [ratio(1, 2), integer(2), integer(10)] {
        let logs = of(&size).ln()? + log_four(&beta)?;
        let n = (&logs * of(&(integer(8) / (&alpha * &epsilon))))
            .hi()
            .ceil();
        let n = usize::try_from(n)?;
        // Records near both ends of the cone around (1, 0): (2, 3)/|..| has margin 0.55.
        let record = |i: usize| {
            if i.is_multiple_of(2) {
                vec![2, 3]
            } else {
                vec![2, -3]
            }
        };
        let records: Vec<Vec<i64>> = (0..n).map(record).collect();
        let counts = margin_scores(&records, &cover, &tenth)?.counts();
        let weight = |bad: usize, count: u64| -> Result<Enclosure, NumberError> {
            let exponent = -&epsilon * integer(bad) / integer(2);
            Ok(Enclosure::exp_of(&exponent, BITS)? * of(&integer(count)))
        };
        let mut all = of(&Rational::zero());
        let mut beyond = all.clone();
        for (bad, &count) in counts.iter().enumerate() {
            let weight = weight(bad, count)?;
            if integer(bad) > &alpha * integer(n) / integer(4) {
                beyond = beyond + &weight;
            }
            all = all + weight;
        }
        let failure = beyond.divided_by(&all)?;
        let instance = format!("epsilon = {epsilon}, n = {n}");
        check.holds(
            counts[0] > 0,
            format_args!("{instance}: a point without error"),
        );
        check.holds(failure.upper() <= &beta / integer(4), &instance);
        check.figure(
            format_args!("Pr[more than alpha n/4 records bad], {instance}"),
            failure,
        );
    }
    Ok(())
}

/// A lower bound on `N r^m`, for the number `N` of balls of radius `r` that cover the unit ball in dimension
/// `m >= 2`: `r sqrt(2 pi (m-1) (1 - r^2))`. The proof is on the page.
fn covering_constant(dimension: u64, radius: &Rational) -> Result<Enclosure, NumberError> {
    let chord = integer(1) - radius.pow(2);
    let square = Enclosure::pi(BITS).shifted(1) * of(&(integer(dimension - 1) * chord));
    Ok(of(radius) * square.sqrt()?)
}

/// `nuz20.e10`.
pub(super) fn covering_number(check: &mut Check) -> Result<(), Trouble> {
    check.certified("r = gamma/10 = 1/10, m = 18, 1609 and 160770; m = 1, 2, 3 by counting a net");
    let radius = ratio(1, 10);
    for (dimension, at_least) in [(18, 1), (1609, 10), (160_770, 100)] {
        let constant = covering_constant(dimension, &radius)?;
        check.refutes(
            constant.is_above_rational(&integer(at_least)),
            "r = 1/10: N r^m is above 1, 10 and 100 at m = 18, 1609 and 160770",
        );
        check.figure(format_args!("N r^m at m = {dimension}, at least"), constant);
    }
    // The other reading: for each m a constant of its own, at most 3^m by volume.
    for m in 1..=3usize {
        let size = LatticeCover::rounding(m, &radius)?.count_at_most(u128::MAX)?;
        let constant = integer(BigInt::from(size)) * radius.pow(m as i32);
        check.holds(
            constant <= integer(3).pow(m as i32),
            format_args!("m = {m}"),
        );
        check.figure(
            format_args!("N r^m of the lattice net at m = {m}"),
            constant,
        );
    }
    Ok(())
}

/// `nuz20.e10.corrected`.
pub(super) fn lattice_size(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 4 } else { 6 };
    check.certified(format_args!(
        "exact counts of the rounding net, m = 1..{most}, r in {{1/4, 1/2, 3/4}}"
    ));
    for m in 1..=most {
        for (numerator, denominator) in [(1, 4), (1, 2), (3, 4)] {
            let radius = ratio(numerator, denominator);
            let count = LatticeCover::rounding(m, &radius)?.count_at_most(u128::MAX)?;
            let exact = Enclosure::integer(BigUint::from(count), BITS).ln()?;
            let bound = log_net(&integer(m as u64), &radius)?;
            let instance = format!("m = {m}, r = {radius}: {count} points");
            check.holds(exact.upper() <= bound.lower(), &instance);
            let shipped = Net::Lattice.log_size(&BigUint::from(m), &radius)?;
            check.holds(
                shipped.meets(&bound),
                format_args!("the library's bound, {instance}"),
            );
        }
    }
    Ok(())
}

/// `nuz20.claim14.2.corrected`: the union bound with exact tails, for nets that can be counted.
pub(super) fn claim_14_2_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("|W| Pr[Bin(n, 3 alpha/4) <= alpha n/4] at the n required: nets of m = 1, 2, 3 and r = 9/100, alpha and beta in {1/10, 1/4}; and the library's n for three goals");
    for m in 1..=3usize {
        let size = LatticeCover::rounding(m, &ratio(9, 100))?.count_at_most(u128::MAX)?;
        let size = integer(BigInt::from(size));
        for alpha in [ratio(1, 10), ratio(1, 4)] {
            for beta in [ratio(1, 10), ratio(1, 4)] {
                let logs = of(&size).ln()? + log_four(&beta)?;
                let n = (logs * of(&(integer(6) / &alpha))).hi().ceil();
                let n = u64::try_from(n)?;
                let most = (&alpha * integer(n) / integer(4)).to_integer();
                let p = of(&(ratio(3, 4) * &alpha));
                let tail = binomial::lower_tail(n, u64::try_from(most)?, &p)?;
                let failure = tail * of(&size);
                let instance = format!("m = {m}, alpha = {alpha}, beta = {beta}, n = {n}");
                check.holds(failure.upper() <= &beta / integer(4), &instance);
                check.figure(format_args!("failure, {instance}"), failure);
            }
        }
    }
    for (name, alpha, beta, gamma) in goals(check.quick()) {
        let goal = Goal::new(alpha.clone(), beta.clone(), gamma, integer(1))?;
        let found = pure::optimised_best(&goal, Net::Lattice)?;
        let class = log_net(&whole(&found.dimension), &found.radius)? + log_four(&beta)?;
        let asked = class * of(&(integer(6) / &alpha));
        check.attained(
            format_args!("records asked for, {name}"),
            &asked.upper(),
            &whole(&found.generalisation),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_constant_bounds_the_covering_number() {
        let tenth = ratio(1, 10);
        let above = |dimension, bound: i64| {
            let constant = covering_constant(dimension, &tenth).unwrap();
            constant.is_above_rational(&integer(bound))
        };
        assert!(above(18, 1) && above(1609, 10) && above(160_770, 100));
        // At the paper's own dimension for gamma = 0.3 and its radius gamma/10.
        let constant = covering_constant(16_212_597, &ratio(3, 100)).unwrap();
        assert!(constant.is_above_rational(&integer(302)));
    }
}
