//! A lower bound beside Theorem 3.1.

use super::theorem::least;
use super::{BITS, of, record};
use crate::claim::{Check, Trouble};
use crate::common::compositions;
use dp_assay::coins::{CoinsError, Law};
use dp_assay::margin::bounds::lower_bound::{light_points, records_needed};
use dp_assay::margin::bounds::{GibbsRun, PureRun};
use dp_assay::margin::gibbs::Candidates;
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, to_scientific, to_scientific_below};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::sample::ScoredChoice;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// `bms22.thm3_1.lower`.
pub(super) fn lower_bound(check: &mut Check) -> Result<(), Trouble> {
    learners(check)?;
    labellings(check)?;
    formula(check)?;
    beside_upper_bounds(check)
}

/// `1 + 10 alpha tanh(epsilon/2)`, by `(e^epsilon - 1)/(e^epsilon + 1)`.
fn factor(alpha: &Rational, epsilon: &Rational) -> Result<Enclosure, Trouble> {
    let power = Enclosure::exp_of(epsilon, BITS)?;
    let one = of(&integer(1));
    let tanh = (&power - &one).divided_by(&(power + &one))?;
    Ok(tanh * of(&(alpha * integer(10))) + one)
}

/// The exponential mechanism on all labellings of `N` light points: the exact probability that all are right, over the
/// draw of `m` records and the coins, against `2^-N (1 + 10 alpha tanh(epsilon/2))^m`; and randomised response at `m = 1`.
fn learners(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 3 } else { 5 };
    check.certified(format_args!(
        "N = 1, 2, 3 light points, alpha = 1/10 and 1/25, m up to {most}, epsilon = 1/2, 1 and 4: the probability that the \
         exponential mechanism on all labellings gets all right, from its law on all datasets; and of randomised response, \
         m = 1, alpha = 1/10"
    ));
    let mut largest = Rational::zero();
    for light in 1..=3usize {
        let domain = Domain::unit_ball(Grid::new(2)?, light + 1)?;
        // The heavy point is known to be positive: w_0 = 1. The last candidate has all light ones right.
        let mut coordinates = Vec::new();
        for signs in 0..1 << light {
            coordinates.push(1);
            coordinates.extend((0..light).map(|i| if signs >> i & 1 == 1 { 1 } else { -1 }));
        }
        let right = (1 << light) - 1;
        let candidates = Candidates::new(light + 1, coordinates)?;
        let along = |axis: usize| {
            let mut x = vec![0; light + 1];
            x[axis] = 4;
            record(&x, true)
        };
        for alpha in [ratio(1, 10), ratio(1, 25)] {
            for epsilon in [ratio(1, 2), integer(1), integer(4)] {
                for m in 1..=most {
                    let mut success = Enclosure::integer(0, BITS);
                    for counts in compositions(light + 1, m) {
                        let probability = multinomial(&counts, &alpha);
                        if probability.is_zero() {
                            continue;
                        }
                        let places = counts.iter().enumerate();
                        let records = places.flat_map(|(axis, &n)| vec![along(axis); n]).collect();
                        let data = Dataset::new(domain, records)?;
                        let law = ScoredChoice::new(candidates.errors(&data)?, &epsilon)?;
                        success = success + law.pmf(&right, BITS)? * of(&probability);
                    }
                    let bound = factor(&alpha, &epsilon)?.power(m as u64);
                    let share = success.shifted(light as i64).divided_by(&bound)?.upper();
                    check.holds(
                        share <= Rational::one(),
                        format_args!("N = {light}, m = {m}, alpha = {alpha}, epsilon = {epsilon}"),
                    );
                    largest = largest.max(share);
                }
            }
        }
        for epsilon in [ratio(1, 2), integer(1), integer(4)] {
            response(check, light, &epsilon)?;
        }
    }
    check.figure(
        "largest probability of the exponential mechanism, of its bound",
        to_scientific(&largest, 3),
    );
    Ok(())
}

/// One record among `light` points: a labelling with its label by randomised response, and the others by coins. It is
/// private, and all labels are right with the probability of the bound at `m = 1`, `alpha = 1/10`.
fn response(check: &mut Check, light: usize, epsilon: &Rational) -> Result<(), Trouble> {
    let power = Enclosure::exp_of(epsilon, BITS)?;
    let total = (&power + of(&integer(1))).shifted(light as i64 - 1);
    // Of each record (point, label) the weights of all labellings: e^epsilon where its label is kept, else 1.
    let law = |point: usize, label: bool| -> Vec<Enclosure> {
        let kept = |labelling: u32| (labelling >> point & 1 == 1) == label;
        let weight = |l: u32| {
            if kept(l) {
                power.clone()
            } else {
                of(&integer(1))
            }
        };
        (0..1 << light).map(weight).collect()
    };
    let mut laws = Vec::new();
    for point in 0..light {
        laws.extend([law(point, false), law(point, true)]);
    }
    let instance = format!("randomised response, N = {light}, epsilon = {epsilon}");
    for law in &laws {
        let sum = law.iter().fold(of(&integer(0)), |sum, weight| sum + weight);
        check.holds(sum.meets(&total), &instance);
        for other in &laws {
            for (weight, other) in law.iter().zip(other) {
                let ratio = weight.divided_by(other)?;
                check.holds(!power.is_below(&ratio), &instance);
            }
        }
    }
    // All labels are +1: the last labelling, whichever point is drawn.
    let mut success = of(&integer(0));
    for point in 0..light {
        let right = law(point, true).pop().ok_or(CoinsError::NoOutcome)?;
        success = success + right.divided_by(&total)? * of(&ratio(1, light as i64));
    }
    let bound = factor(&ratio(1, 10), epsilon)?.shifted(-(light as i64));
    check.holds(
        success.meets(&bound) && bound.has_digits(30),
        format_args!("{instance}: {success}"),
    );
    Ok(())
}

/// The probability of these counts: the first point has the mass `1 - 10 alpha`, and the others share the rest.
fn multinomial(counts: &[usize], alpha: &Rational) -> Rational {
    let light = alpha * integer(10);
    let each = &light / integer(counts.len() as u64 - 1);
    let mut probability = Rational::one();
    let mut drawn = 0u64;
    for (place, &count) in counts.iter().enumerate() {
        let mass = if place == 0 {
            integer(1) - &light
        } else {
            each.clone()
        };
        for already in 1..=count as u64 {
            drawn += 1;
            probability = probability * &mass * integer(drawn) / integer(already);
        }
    }
    probability
}

/// One classifier errs on at most a tenth of `N` points for at most `e^(H(1/10) N)` labellings.
fn labellings(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "N = 1, ..., 200: the labellings at Hamming distance at most N/10 from one, against e^(H(1/10) N)",
    );
    let entropy = entropy()?;
    for n in 1u64..=200 {
        let mut binomial = BigInt::one();
        let mut ball = BigInt::zero();
        for i in 0..=n / 10 {
            ball += &binomial;
            binomial = binomial * (n - i) / (i + 1);
        }
        let most = &entropy * of(&integer(n));
        let log = of(&integer(ball)).ln()?;
        check.holds(log.lower() <= most.upper(), format_args!("N = {n}"));
    }
    Ok(())
}

/// `H(1/10) = ln 10 - (9/10) ln 9`.
fn entropy() -> Result<Enclosure, Trouble> {
    Ok(of(&integer(10)).ln()? - of(&ratio(9, 10)) * of(&integer(9)).ln()?)
}

/// The function of the library, by another formula; and that it is above the bound with `e^epsilon - 1`.
fn formula(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "q = 2, 5/2, 10, 100, alpha = 1/10, 1/20, 1/1000, epsilon = 1/10, 1, 10, beta = 1/20: the bound by \
         another formula, and above that with e^epsilon - 1 for tanh(epsilon/2)",
    );
    let beta = ratio(1, 20);
    let rate = Enclosure::ln_two(BITS) - entropy()?;
    for q in [integer(2), ratio(5, 2), integer(10), integer(100)] {
        for alpha in [ratio(1, 10), ratio(1, 20), ratio(1, 1000)] {
            let heavy = i64::from(alpha != ratio(1, 10));
            let squared = &q * &q;
            // The largest integer with N + heavy < q^2.
            let below = if squared.is_integer() {
                squared.to_integer() - 1
            } else {
                squared.to_integer()
            };
            let points = light_points(&q, &alpha)?;
            let instance = format!("q = {q}, alpha = {alpha}");
            check.holds(points == &below - heavy, &instance);
            let nats = &rate * of(&integer(points)) + of(&ratio(19, 20)).ln()?;
            for epsilon in [ratio(1, 10), integer(1), integer(10)] {
                let needed = records_needed(&q, &alpha, &beta, &epsilon)?;
                let again = nats.divided_by(&factor(&alpha, &epsilon)?.ln()?)?;
                let close = (again.upper() - &needed) < ratio(1, 1 << 40);
                check.holds(
                    needed <= again.upper() && close,
                    format_args!("{instance}, epsilon = {epsilon}"),
                );
                let told = Enclosure::exp_of(&epsilon, BITS)? - of(&integer(1));
                let weaker = (told * of(&(&alpha * integer(10)))).ln_1p()?;
                let weaker = nats.divided_by(&weaker)?;
                check.holds(
                    weaker.upper() <= needed,
                    format_args!("{instance}, epsilon = {epsilon}: the weaker form"),
                );
            }
        }
    }
    Ok(())
}

/// The figure: the records that the learners need by their bounds, over those that every learner needs.
fn beside_upper_bounds(check: &mut Check) -> Result<(), Trouble> {
    let ratios: &[i64] = if check.quick() { &[3] } else { &[2, 3, 5, 10] };
    let inverse_alphas: &[i64] = if check.quick() { &[10] } else { &[10, 30, 100] };
    check.certified(format_args!(
        "q in {ratios:?}, 1/alpha in {inverse_alphas:?}, epsilon = 1, beta = 1/20, margin loss 0: the records with which \
         Algorithm 1 is good, over those without which no learner is"
    ));
    let (beta, epsilon) = (ratio(1, 20), integer(1));
    for &q in ratios {
        for &inverse in inverse_alphas {
            let alpha = ratio(1, inverse);
            let lower = records_needed(&integer(q), &alpha, &beta, &epsilon)?;
            let algorithm_1 = least(&alpha, |records| {
                let run = PureRun {
                    records,
                    dimension: 1 << 50,
                    epsilon: epsilon.clone(),
                    beta: beta.clone(),
                    ratio: integer(q),
                };
                let found = run.guarantee(&run.best()?, &Rational::zero())?;
                Ok(found.alpha.unwrap_or(integer(1)))
            })?;
            check.holds(
                lower <= integer(algorithm_1),
                format_args!("q = {q}, alpha = {alpha}"),
            );
            let quotient = integer(algorithm_1) / &lower;
            check.figure(
                format_args!("q = {q}, alpha = {alpha}"),
                format_args!(
                    "at least {}; Algorithm 1 {algorithm_1}, {} times as many",
                    to_scientific_below(&lower, 3),
                    to_scientific(&quotient, 3)
                ),
            );
        }
    }
    // The Gibbs learner, where a million candidates are enough.
    let (q, alpha) = (integer(2), ratio(1, 10));
    let lower = records_needed(&q, &alpha, &beta, &epsilon)?;
    let gibbs = least(&alpha, |records| {
        let run = GibbsRun {
            records,
            dimension: 1000,
            candidates: 1_000_000,
            epsilon: epsilon.clone(),
            beta: beta.clone(),
        };
        let found = run.guarantee(&q, &Rational::zero())?;
        Ok(found.alpha.unwrap_or(integer(1)))
    })?;
    check.figure(
        "q = 2, alpha = 1/10, the Gibbs learner on 10^6 candidates in 1000 dimensions",
        format_args!(
            "{gibbs} records, {} times as many",
            to_scientific(&(integer(gibbs) / lower), 3)
        ),
    );
    Ok(())
}
