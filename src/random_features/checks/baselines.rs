//! The baselines: the Gamma mechanism, least squares, and stochastic gradient descent.

use super::gamma_noise::{acceptance_in_the_limit, largest_loss};
use super::{Largest, delta, list};
use crate::claim::{Check, Trouble};
use crate::coins::{Attempts, Explorer, Layer};
use crate::law::GammaLaw;
use crate::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use crate::number::{Enclosure, Rational};
use crate::random_features::least_squares;
use crate::random_features::sgd::{self, Run, one_direction};
use crate::sample::GammaNoise;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

const BITS: u32 = 128;

pub(super) fn gamma_on_the_lattice(check: &mut Check) -> Result<(), Trouble> {
    check.certified("epsilon = 1, d = 1, 2, 3: every shift of length up to 3, outputs of a box");
    let epsilon = integer(1);
    let slack = Rational::new(1.into(), BigInt::from(1u64 << 60));
    // 1. The loss rate (|k - shift| - |k|) is at most rate |shift|, attained at k = 0.
    for d in 1..=3usize {
        let side = [12, 8, 4][d - 1];
        let mut tried = 0;
        for shift in shifts(d) {
            let squared: i64 = shift.iter().map(|k| k * k).sum();
            let length = Enclosure::integer(squared, BITS).sqrt()?;
            // Noise for exactly this sensitivity: rate epsilon/|shift|, a little rounded.
            let noise = GammaNoise::private(&epsilon, &length.upper(), d)?;
            let loss = largest_loss(noise.rate(), &shift, side, BITS)?;
            check.holds(
                !loss.is_above_rational(&epsilon) && loss.is_above_rational(&(&epsilon - &slack)),
                format_args!(
                    "shift {}: largest loss {loss}, promised and attained 1",
                    list(&shift)
                ),
            );
            tried += 1;
        }
        check.figure(
            format_args!("d = {d}: shifts at which the loss is epsilon"),
            tried,
        );
    }
    // 2. An attempt of the sampler, run on all outcomes, allows the law and not that of the inverted rate.
    let budget = if check.quick() { 1000 } else { 6000 };
    check.exact(format_args!(
        "the sampler in the plane at rate 3/2, by exploration of an attempt ({budget} runs)"
    ));
    let noise = GammaNoise::new(ratio(3, 2), 2)?;
    let attempts = Attempts::new(
        Explorer::new(Layer::Laws, budget)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| noise.attempt(coins))?,
    );
    let law = GammaLaw::new(noise)?;
    let inverted = GammaLaw::new(GammaNoise::new(ratio(2, 3), 2)?)?;
    let wrong = attempts.disagreement(&law)?;
    check.holds(
        wrong.is_none(),
        format_args!("rate 3/2: the sampler and its law disagree at {wrong:?}"),
    );
    check.holds(
        attempts.disagreement(&inverted)?.is_some(),
        "rate 2/3 is told from rate 3/2",
    );
    check.figure(
        "probability left undecided",
        to_scientific_above(&attempts.undecided(), 3),
    );
    check.figure("an attempt is accepted with probability", law.acceptance());
    Ok(())
}

/// The vectors of Z^d of length 1 to 3.
fn shifts(d: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..d {
        all = all
            .iter()
            .flat_map(|shift| (-3..=3).map(|k| [&shift[..], &[k]].concat()))
            .collect();
    }
    all.retain(|shift| (1..=9).contains(&shift.iter().map(|k| k * k).sum::<i64>()));
    all
}

pub(super) fn gamma_in_high_dimension(check: &mut Check) -> Result<(), Trouble> {
    check.left_open("the sampler here refuses more than 16 coordinates: it would accept too few of its attempts; no other exact one is known to us");
    for (d, half) in [(16, 8), (100, 50), (4000, 2000)] {
        check.figure(
            format_args!("accepted at d = {d}, at small rates"),
            acceptance_in_the_limit(half),
        );
    }
    Ok(())
}

pub(super) fn gamma_rate(check: &mut Check) -> Result<(), Trouble> {
    check.certified("Z^2, epsilon = 1, Delta = 3, shift (3, 0), outputs within 8 of the origin");
    let (epsilon, sensitivity) = (integer(1), integer(3));
    let rate = &epsilon / &sensitivity;
    let shift = [3, 0];
    for (rate, promised) in [(rate.clone(), epsilon), (rate.recip(), integer(9))] {
        let loss = largest_loss(&rate, &shift, 8, BITS)?;
        check.holds(
            loss.contains(&promised),
            format_args!("rate {rate}: largest loss {loss}, stated {promised}"),
        );
        check.figure(format_args!("largest loss, rate {rate}"), loss);
    }
    Ok(())
}

/// The pairs of the two counterexamples: `m`, `m lambda` and `r`. The second line is the paper's
/// `lambda = sqrt(N)/(2m)` at `N = 4096`.
fn tilted() -> [(usize, Rational, Rational); 2] {
    [
        (1000, integer(10), ratio(1, 10)),
        (1338, integer(32), ratio(3, 20)),
    ]
}

pub(super) fn least_squares(check: &mut Check) -> Result<(), Trouble> {
    check.exact("|x| <= 1 and |y| <= 1 throughout, m = 1000 and 1338; 100 labels divided by their own norm; as coded, one record");
    // How far the fits are apart, over the printed bound.
    let excess = |squared: Rational, printed: &Rational| -> Result<Enclosure, Trouble> {
        Ok(Enclosure::of(&(squared / (printed * printed)), BITS).sqrt()?)
    };
    // 1. As the paper writes it, (1/m) sum (...)^2 + lambda |theta|^2: Lambda = m lambda.
    for (m, penalty, r) in tilted() {
        let pair = least_squares::tilted_pair(m - 1, &r);
        let squared = least_squares::squared_distance(&pair, 2, &penalty)?;
        let lambda = &penalty / BigInt::from(m);
        let printed = least_squares::printed_sensitivity(m as u64, &lambda);
        check.refutes(
            squared > &printed * &printed,
            "m - 1 records (r, 0) with label 1, and (3/5, 4/5) or (3/5, -4/5) with label -1",
        );
        check.figure(
            format_args!("m = {m}, m lambda = {penalty}: distance over 2/(m lambda)"),
            excess(squared, &printed)?,
        );
    }
    // 2. Labels divided by their own norm, as the text of Section 4.2 has them.
    let penalty = integer(32);
    let own = least_squares::own_norm_pair(&ratio(14, 25))?;
    let squared = least_squares::squared_distance(&own, 1, &penalty)?;
    let printed = integer(2) / &penalty;
    check.refutes(
        squared > &printed * &printed,
        "100 inputs 14/25, labels divided by their own norm: raw labels about 1/49,500, of which one becomes 1",
    );
    check.figure(
        "m = 100, m lambda = 32, labels divided by their own norm: distance over 2/(m lambda)",
        excess(squared, &printed)?,
    );
    // 3. As the code has it, X^T X + lambda I, without the m: one record other than zero.
    let record = |x: Rational, y: i64| least_squares::Record {
        x: vec![x],
        y: integer(y),
    };
    let lambda = ratio(64, 2 * 1338);
    let pair = [1, -1].map(|y| vec![record(Rational::zero(), 0), record(ratio(3, 20), y)]);
    let squared = least_squares::squared_distance(&pair, 1, &lambda)?;
    let printed = least_squares::printed_sensitivity(1338, &lambda);
    check.holds(
        squared > &printed * &printed,
        format_args!("as coded, one record 3/20: |theta - theta'|^2 = {squared}"),
    );
    check.figure(
        "as coded, m = 1338, N = 4096: distance over 4/sqrt(N)",
        excess(squared, &printed)?,
    );
    // The other reading: label vectors of norm at most 1.
    for (m, penalty, _) in tilted() {
        let right = least_squares::sensitivity_of_normed_labels(&penalty)?;
        let printed = integer(2) / &penalty;
        check.holds(
            right <= printed,
            format_args!("m = {m}, label vectors of norm 1: {right}, printed {printed}"),
        );
        check.figure(
            format_args!("m lambda = {penalty}, label vectors of norm at most 1: sensitivity over 2/(m lambda)"),
            to_scientific_above(&(right / printed), 4),
        );
    }
    Ok(())
}

/// Six points of the plane in fifths, of norm at most 1.
const POINTS: [(i64, i64); 6] = [(0, 0), (5, 0), (3, 4), (-4, 3), (2, 0), (0, 2)];

pub(super) fn least_squares_of_normed_labels(check: &mut Check) -> Result<(), Trouble> {
    use least_squares::{Record, sensitivity_of_normed_labels, squared_distance};
    check.exact("all neighbours of two records on six points of the plane, labels of norm 1, Lambda in {1/25, 1/4, 1, 4, 32}");
    let (mut pairs, mut closest) = (0, Rational::zero());
    for penalty in [
        ratio(1, 25),
        ratio(1, 4),
        integer(1),
        integer(4),
        integer(32),
    ] {
        let bound = sensitivity_of_normed_labels(&penalty)?;
        check.holds(
            bound <= integer(2) / &penalty,
            format_args!("Lambda = {penalty}: {bound}, at most 2/Lambda"),
        );
        let squared_bound = &bound * &bound;
        let mut farthest = Largest::from(Rational::zero());
        // Both vectors of labels have norm at most 1: (3, 4)/5 against (3, -4)/5, and a single label.
        for (kept, own) in [(0, 5), (3, 4), (-4, 3), (5, 0)] {
            for common in POINTS {
                for first in POINTS {
                    for second in POINTS {
                        for other in [own, -own] {
                            let record = |(x, z): (i64, i64), y| Record {
                                x: vec![ratio(x, 5), ratio(z, 5)],
                                y: ratio(y, 5),
                            };
                            let shared = record(common, kept);
                            let pair = [record(first, own), record(second, other)]
                                .map(|last| vec![shared.clone(), last]);
                            farthest.see(
                                squared_distance(&pair, 2, &penalty)?,
                                format_args!("{common:?} with {kept}, {first:?} with {own} or {second:?} with {other}, in fifths"),
                            );
                            pairs += 1;
                        }
                    }
                }
            }
        }
        check.holds(
            farthest.value <= squared_bound,
            format_args!(
                "Lambda = {penalty}, {}: {}",
                farthest.instance, farthest.value
            ),
        );
        closest = closest.max(farthest.value / squared_bound);
    }
    check.figure("pairs", pairs);
    check.attained(
        "largest squared distance over the squared bound",
        &closest,
        &integer(1),
    );
    Ok(())
}

pub(super) fn least_squares_corrected(check: &mut Check) -> Result<(), Trouble> {
    use least_squares::{Record, sensitivity, squared_distance};
    let penalties = [
        ratio(1, 4),
        integer(2),
        ratio(1, 20),
        integer(1),
        integer(10),
    ];
    let penalties = if check.quick() {
        &penalties[..2]
    } else {
        &penalties[..]
    };
    check.exact(format_args!(
        "all neighbours of two records from 12 in the plane, Lambda in {}; the pairs of lnsx25.rls",
        list(penalties)
    ));
    let mut domain = Vec::new();
    for (x, z) in POINTS {
        for y in [-1, 1] {
            domain.push(Record {
                x: vec![ratio(x, 5), ratio(z, 5)],
                y: integer(y),
            });
        }
    }
    let (mut pairs, mut closest) = (0, Rational::zero());
    for penalty in penalties {
        let bound = sensitivity(2, penalty, &integer(1))?;
        let squared_bound = &bound * &bound;
        let mut farthest = Largest::from(Rational::zero());
        for common in &domain {
            for (place, first) in domain.iter().enumerate() {
                for second in &domain[..place] {
                    let pair = [first, second].map(|last| vec![common.clone(), last.clone()]);
                    farthest.see(
                        squared_distance(&pair, 2, penalty)?,
                        format_args!("{common:?}, {first:?} or {second:?}"),
                    );
                    pairs += 1;
                }
            }
        }
        check.holds(
            farthest.value <= squared_bound,
            format_args!(
                "Lambda = {penalty}, {}: {}",
                farthest.instance, farthest.value
            ),
        );
        closest = closest.max(farthest.value / squared_bound);
    }
    for (m, penalty, r) in tilted() {
        let bound = sensitivity(m as u64, &penalty, &integer(1))?;
        let squared = squared_distance(&least_squares::tilted_pair(m - 1, &r), 2, &penalty)?;
        check.holds(
            squared <= &bound * &bound,
            format_args!("m = {m}, Lambda = {penalty}, r = {r}: {squared}, bound {bound}"),
        );
        let share = Enclosure::of(&(squared / (&bound * &bound)), BITS).sqrt()?;
        check.figure(
            format_args!("m = {m}, Lambda = {penalty}: distance over the bound"),
            share,
        );
    }
    check.figure("pairs with two records", pairs);
    check.attained(
        "largest squared distance over the squared bound, two records",
        &closest,
        &integer(1),
    );
    Ok(())
}

pub(super) fn sgd(check: &mut Check) -> Result<(), Trouble> {
    check.certified("T = m, delta = 1e-5: distances at m = 1204, eta = 1/(8m), 1/(16m); privacy at m = 10,000, eta = 1/(16m) and m = 10^6, eta = 1/m. At the figures' m the distance is refuted, and the privacy of the noisy point is not");
    let pair = "one record (1, 0) with label 1 or -1, all others (0, 1) with label 0";
    let half = delta() / BigInt::from(2);
    // 1. The distance, at the m of the medical data (1204): more than Delta with probability above delta/2.
    for (divisor, visits) in [(8, 4), (16, 2)] {
        let run = Run::of_the_figures(1204, divisor)?;
        let printed = run.printed(&delta())?;
        let distance = run.attained(visits);
        let chance = run.at_least(visits.into());
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
        let found = run.true_delta(&ratio(1, 2), &delta(), &threshold, 12)?;
        check.refutes(found.is_above_rational(&delta()), pair);
        check.figure(
            format_args!("m = {m}, eta = 1/({divisor}m): delta(1/2), at least"),
            to_scientific_below(&found.lower(), 4),
        );
    }
    Ok(())
}

pub(super) fn sgd_corrected(check: &mut Check) -> Result<(), Trouble> {
    // 1. The bound on every order of up to `steps` steps, for pairs of records of a small domain.
    let steps = if check.quick() { 4 } else { 5 };
    check.exact(format_args!(
        "all runs of {steps} steps on neighbours of two records from five, eta = 1/4 and 1; one run on the pair of lnsx25.sgd"
    ));
    let unit = |x: i64, z: i64, y: i64| sgd::Record {
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
                            sgd::descend(&[record.clone(), common.clone()], &order, &rate)
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
    // 2. The formula of what is attained, by the descent itself.
    let [data, other] = one_direction(2);
    let run = Run {
        records: 2,
        steps: 4,
        rate: ratio(1, 5),
    };
    let order = [0, 1, 0, 0];
    let [c, d] = [data, other].map(|data| sgd::descend(&data, &order, &run.rate));
    let (found, formula) = (&c?[0] - &d?[0], run.attained(3));
    check.holds(
        found == formula,
        format_args!("eta = 1/5, order {order:?}: {found}, formula {formula}"),
    );
    // 3. The root of the printed Delta is above the bound, for as many visits as it allows for; and at eta = 1/m
    //    with m = 1000 so is Delta itself, for as many as are exceeded with probability at most delta/2.
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
    let more = figure_one.at_least(9);
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
    // 4. The privacy of the noisy point at the figures' parameters, as if the number of visits were known: for
    //    |phi| <= 1, and for |phi|^2 <= 2, which is what the code's cosines have.
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
            let found = run.delta_at_most(&integer(squared_length), &half, &delta(), 12)?;
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
        let found = run.delta_at_most(&integer(squared_length), &half, &delta(), 12)?;
        check.figure(
            format_args!("not settled: |phi|^2 <= {squared_length}, m = {m}, eta = 1/({divisor}m), delta(1/2) at most"),
            to_scientific_above(&found.upper(), 4),
        );
    }
    Ok(())
}
