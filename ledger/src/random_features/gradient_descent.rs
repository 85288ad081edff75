//! The baseline of stochastic gradient descent: how far one record moves it, and what the noise on it hides.

use super::delta;
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::privacy::gaussian;
use dp_assay::random_features::stochastic_gradient_descent::{Record, Run, descend};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// The working precision, in bits.
const BITS: u32 = 192;

pub(super) fn as_coded(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_descent(check)?;
    check.certified("T = m, delta = 1e-5: distances at m = 1204, eta = 1/(8m), 1/(16m); privacy at m = 10,000, eta = 1/(16m) and m = 10^6, eta = 1/m. At the figures' m the distance is refuted, and the privacy of the noisy point is not");
    let pair = "one record (1, 0) with label 1 or -1, all others (0, 1) with label 0";
    let half = delta() / BigInt::from(2);
    // 1. The distance, at the m of the medical data (1204): more than Delta with probability above delta/2.
    for (divisor, visits) in [(8, 4), (16, 2)] {
        let run = Run::of_the_figures(1204, divisor)?;
        let printed = run.printed(&delta())?;
        let distance = attained(&run, visits);
        let chance = at_least(&run, visits.into());
        check.refutes(
            printed.is_below_rational(&distance) && chance.is_above_rational(&half),
            pair,
        );
        check.figure(
            format_args!(
                "m = 1204, eta = 1/({divisor}m): Delta, and the distance at {visits} visits"
            ),
            format_args!("{printed} and {}", to_scientific_below(&distance, 6)),
        );
        check.figure(
            format_args!("probability of {visits} visits or more"),
            chance,
        );
    }
    // 2. The privacy: m = 10,000 at the smallest rate of the code; and m = 10^6 at eta = 1/m, where a single visit is
    //    hidden in the number of visits or not.
    for (m, divisor, threshold) in [(10_000, 16, ratio(6, 5)), (1_000_000, 1, ratio(4, 5))] {
        let run = Run::of_the_figures(m, divisor)?;
        let found = true_delta(&run, &ratio(1, 2), &delta(), &threshold, 12)?;
        check.refutes(found.is_above_rational(&delta()), pair);
        check.figure(
            format_args!("m = {m}, eta = 1/({divisor}m): delta(1/2), at least"),
            to_scientific_below(&found.lower(), 4),
        );
    }
    Ok(())
}

pub(super) fn corrected(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_descent(check)?;
    every_order(check)?;
    by_the_descent(check)?;
    as_many_visits_as_are_allowed_for(check)?;
    at_the_figures(check)
}

/// The bound on every order of up to `steps` steps, for pairs of records of a small domain.
fn every_order(check: &mut Check) -> Result<(), Trouble> {
    let steps = if check.quick() { 4 } else { 5 };
    check.exact(format_args!(
        "all runs of {steps} steps on neighbours of two records from five, eta = 1/4 and 1; one run on the pair of lnsx25.sgd"
    ));
    let unit = |x: i64, z: i64, y: i64| Record {
        phi: vec![ratio(x, 5), ratio(z, 5)],
        y: integer(y),
    };
    let domain = [
        unit(5, 0, 1),
        unit(5, 0, -1),
        unit(3, 4, -1),
        unit(-3, 4, 1),
        unit(0, 0, 1),
    ];
    let (mut runs, mut closest) = (0, Rational::zero());
    for rate in [ratio(1, 4), integer(1)] {
        let run = Run {
            records: 2,
            steps: steps.into(),
            rate: rate.clone(),
        };
        for code in 0..2u32.pow(steps) {
            let order: Vec<usize> = (0..steps).map(|step| (code >> step & 1) as usize).collect();
            let visits = order.iter().filter(|&&index| index == 0).count() as u64;
            let bound = run.distance_bound(visits)?;
            let squared_bound = &bound * &bound;
            for common in &domain {
                for (place, first) in domain.iter().enumerate() {
                    for second in &domain[..place] {
                        let [c, d] = [first, second].map(|record| {
                            descend(&[record.clone(), common.clone()], &order, &rate)
                        });
                        let squared: Rational =
                            c?.iter().zip(&d?).map(|(c, d)| (c - d) * (c - d)).sum();
                        check.holds(
                            squared <= squared_bound,
                            format_args!(
                                "eta = {rate}, order {order:?}, {first:?} or {second:?} beside {common:?}: {squared}"
                            ),
                        );
                        if visits > 0 {
                            closest = closest.max(squared / &squared_bound);
                        }
                        runs += 1;
                    }
                }
            }
        }
    }
    check.figure("runs", runs);
    check.attained(
        "largest squared distance over the squared bound",
        &closest,
        &integer(1),
    );
    Ok(())
}

/// The formula of what is attained, by the descent itself.
fn by_the_descent(check: &mut Check) -> Result<(), Trouble> {
    let [data, other] = one_direction(2);
    let run = Run {
        records: 2,
        steps: 4,
        rate: ratio(1, 5),
    };
    let order = [0, 1, 0, 0];
    let [c, d] = [data, other].map(|data| descend(&data, &order, &run.rate));
    let (found, formula) = (&c?[0] - &d?[0], attained(&run, 3));
    check.holds(
        found == formula,
        format_args!("eta = 1/5, order {order:?}: {found}, formula {formula}"),
    );
    Ok(())
}

/// The root of the printed Delta is above the bound, for as many visits as it allows for; and at `eta = 1/m` with m = 1000 so is
/// Delta itself, for as many as are exceeded with probability at most delta/2.
fn as_many_visits_as_are_allowed_for(check: &mut Check) -> Result<(), Trouble> {
    check.certified("m = T = 1000, 1204, 1439, 10,000 at the rates of the figures and of the program, delta = 1e-5");
    for (m, divisor) in [
        (1000, 1),
        (1204, 1),
        (1204, 4),
        (1204, 16),
        (1439, 16),
        (10_000, 16),
    ] {
        let run = Run::of_the_figures(m, divisor)?;
        let visits = run.printed_visits(&delta())?.upper().ceil().to_integer();
        let visits = visits.to_u64().unwrap_or(u64::MAX) - 1;
        let root = run.printed(&delta())?.sqrt()?;
        let bound = run.distance_bound(visits)?;
        check.holds(
            root.is_above_rational(&bound),
            format_args!(
                "m = {m}, eta = 1/({divisor}m), {visits} visits: root {root}, bound {bound}"
            ),
        );
    }
    let figure_one = Run::of_the_figures(1000, 1)?;
    let more = at_least(&figure_one, 9);
    let bound = figure_one.distance_bound(8)?;
    let printed = figure_one.printed(&delta())?;
    check.holds(
        more.is_below_rational(&(delta() / BigInt::from(2))) && printed.is_above_rational(&bound),
        format_args!(
            "m = 1000, eta = 1/m: 9 visits with {more}, bound at 8 {bound}, Delta {printed}"
        ),
    );
    check.figure(
        "Figure 1 (m = 1000): the bound at 8 visits, and Delta",
        format_args!("{} and {printed}", to_scientific_above(&bound, 4)),
    );
    check.figure("9 visits or more have probability", more);
    Ok(())
}

/// The privacy of the noisy point at the figures' parameters, as if the number of visits were known: for `|phi| <= 1`, and for
/// `|phi|^2 <= 2`, which is what the code's cosines have.
fn at_the_figures(check: &mut Check) -> Result<(), Trouble> {
    let half = ratio(1, 2);
    let short = [
        (1000, 1),
        (1204, 1),
        (1204, 2),
        (1204, 8),
        (1439, 1),
        (1439, 2),
        (1439, 8),
    ];
    let long = [(1000, 1), (1204, 1), (1204, 2), (1439, 1), (1439, 2)];
    for (squared_length, runs) in [(1, &short[..]), (2, &long[..])] {
        for &(m, divisor) in runs {
            let run = Run::of_the_figures(m, divisor)?;
            let found = delta_at_most(&run, &integer(squared_length), &half, &delta(), 12)?;
            let name = format!("|phi|^2 <= {squared_length}, m = {m}, eta = 1/({divisor}m)");
            check.holds(
                found.is_below_rational(&delta()),
                format_args!("{name}: delta(1/2) = {found}"),
            );
            check.figure(
                format_args!("{name}: delta(1/2) is at most"),
                to_scientific_above(&found.upper(), 4),
            );
        }
    }
    // Not settled: the bound is above delta there.
    for (squared_length, m, divisor) in [(1, 1204, 16), (2, 1204, 8), (2, 1439, 8)] {
        let run = Run::of_the_figures(m, divisor)?;
        let found = delta_at_most(&run, &integer(squared_length), &half, &delta(), 12)?;
        check.figure(
            format_args!("not settled: |phi|^2 <= {squared_length}, m = {m}, eta = 1/({divisor}m), delta(1/2) at most"),
            to_scientific_above(&found.upper(), 4),
        );
    }
    Ok(())
}

/// What `visits` visits do on the pair of [`one_direction`]: `2 (1 - (1 - eta)^visits)`, exactly.
fn attained(run: &Run, visits: u32) -> Rational {
    let kept = num_traits::pow(Rational::one() - &run.rate, visits as usize);
    (Rational::one() - kept) * BigInt::from(2)
}

/// The probabilities that a record is visited 0, 1, ..., `most` times.
fn law_of_visits(run: &Run, most: u64) -> Vec<Enclosure> {
    let chance = Enclosure::of(&Rational::new(1.into(), run.records.into()), BITS);
    let miss = chance.complement();
    let law = |visits: u64| {
        let ways = num_integer::binomial(BigInt::from(run.steps), BigInt::from(visits));
        Enclosure::integer(ways, BITS) * chance.power(visits) * miss.power(run.steps - visits)
    };
    (0..=most.min(run.steps)).map(law).collect()
}

/// The probability of at least `visits` visits.
fn at_least(run: &Run, visits: u64) -> Enclosure {
    let one = Enclosure::integer(1, BITS);
    match visits.checked_sub(1) {
        None => one,
        Some(fewer) => law_of_visits(run, fewer)
            .iter()
            .fold(one, |rest, probability| rest - probability),
    }
}

/// An upper bound on the delta at `epsilon` of the noisy last point, as coded, on all neighbours with
/// `|phi|^2 <= squared_length` and `|y| <= 1`, even if the number of visits were revealed:
/// `sum_k Pr[k] delta(epsilon; mu_k) + Pr[more than most]`, with `mu_k` from
/// [`Run::distance_bound_of_longer_features`].
fn delta_at_most(
    run: &Run,
    squared_length: &Rational,
    epsilon: &Rational,
    delta: &Rational,
    most: u64,
) -> Result<Enclosure, OptimiseError> {
    let deviation = run.printed_deviation(epsilon, delta)?;
    let mut sum = at_least(run, most + 1);
    // Without a visit the two runs are the same.
    for (visits, probability) in (0..).zip(law_of_visits(run, most)).skip(1) {
        let distance = run.distance_bound_of_longer_features(squared_length, visits)?;
        let distance = Enclosure::of(&distance, BITS);
        let mu = distance.divided_by(&deviation)?.upper();
        sum = sum + probability * gaussian::profile(&mu, epsilon, BITS)?;
    }
    Ok(sum)
}

/// A lower bound on the true delta at `epsilon` of the noisy last point, as coded, on the pair of
/// [`one_direction`]: `Pr[E] - e^epsilon Pr'[E]` for the event that the first coordinate exceeds `threshold`
/// standard deviations.
///
/// With `k` visits that coordinate is `1 - (1 - eta)^k` on the one dataset and minus that on the other: two
/// mixtures over the law of the visits, which is not revealed. More than `most` visits are counted against
/// the bound.
fn true_delta(
    run: &Run,
    epsilon: &Rational,
    delta: &Rational,
    threshold: &Rational,
    most: u64,
) -> Result<Enclosure, OptimiseError> {
    let deviation = run.printed_deviation(epsilon, delta)?;
    let threshold = Enclosure::of(threshold, BITS);
    let mut likely = Enclosure::integer(0, BITS);
    let mut unlikely = at_least(run, most + 1);
    for (visits, probability) in (0u32..).zip(law_of_visits(run, most)) {
        let center = Enclosure::of(&attained(run, visits), BITS).shifted(-1);
        let mu = center.divided_by(&deviation)?;
        likely = likely + &probability * (&threshold - &mu).normal_upper();
        unlikely = unlikely + &probability * (&threshold + &mu).normal_upper();
    }
    Ok(likely - Enclosure::exp_of(epsilon, BITS)? * unlikely)
}

/// Two neighbouring datasets of `m >= 2` records: all but the first have features `(0, 1)` and label 0, and the first
/// has `(1, 0)` and label 1 or -1.
fn one_direction(records: usize) -> [Vec<Record>; 2] {
    let unit = |first: bool| {
        let entry = |one: bool| Rational::from_integer(i32::from(one).into());
        vec![entry(first), entry(!first)]
    };
    [1, -1].map(|label| {
        let first = Record {
            phi: unit(true),
            y: Rational::from_integer(label.into()),
        };
        let other = Record {
            phi: unit(false),
            y: Rational::zero(),
        };
        let mut data = vec![other; records.max(2)];
        data[0] = first;
        data
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squared_distance(a: &[Rational], b: &[Rational]) -> Rational {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    #[test]
    fn visits_to_one_direction_do_what_the_formula_says() {
        let [data, other] = one_direction(3);
        let run = Run {
            records: 3,
            steps: 5,
            rate: ratio(1, 7),
        };
        let order = [0, 1, 0, 2, 0];
        let c = descend(&data, &order, &run.rate).unwrap();
        let d = descend(&other, &order, &run.rate).unwrap();
        assert_eq!(
            squared_distance(&c, &d),
            num_traits::pow(attained(&run, 3), 2)
        );
        assert!(attained(&run, 3) <= run.distance_bound(3).unwrap());
    }

    #[test]
    fn a_squared_sensitivity_used_as_a_sensitivity_is_caught() {
        let run = Run::of_the_figures(10_000, 16).unwrap();
        let found = true_delta(&run, &ratio(1, 2), &delta(), &ratio(6, 5), 12).unwrap();
        assert!(found.is_above_rational(&ratio(3, 100)), "{found}");
        // No upper bound is below it.
        let above = delta_at_most(&run, &integer(1), &ratio(1, 2), &delta(), 12).unwrap();
        assert!(found.is_below(&above));
        // Its root is a bound: at as many visits as it allows for.
        let visits = run.printed_visits(&delta()).unwrap().upper();
        let visits = u64::try_from(visits.floor().to_integer()).unwrap();
        let bound = run.distance_bound(visits).unwrap();
        let root = run.printed(&delta()).unwrap().sqrt().unwrap();
        assert!(root.is_above_rational(&bound));
    }

    #[test]
    fn the_law_of_visits_is_binomial() {
        let run = Run {
            records: 2,
            steps: 3,
            rate: ratio(1, 2),
        };
        let law = law_of_visits(&run, 9);
        assert_eq!(law.len(), 4);
        for (probability, eighths) in law.iter().zip([1, 3, 3, 1]) {
            assert!(probability.contains(&ratio(eighths, 8)));
        }
        assert!(at_least(&run, 2).contains(&ratio(1, 2)));
        assert!(at_least(&run, 0).contains(&integer(1)));
    }
}
