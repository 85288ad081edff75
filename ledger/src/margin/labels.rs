//! Section 6 and Appendix E: private labels.

use super::deviation::by_formula;
use super::{BITS, of_the_coins, record};
use crate::budgets;
use crate::claim::{Check, Trouble};
use crate::common::{shares, turned};
use dp_assay::coins::{ChaCha, Explorer, Law, Layer, Meter, Outcomes};
use dp_assay::geometry::Halfspace;
use dp_assay::margin::bounds::deviation::relative_deviation;
use dp_assay::margin::gibbs::Candidates;
use dp_assay::margin::labels::{cover, learn, margin_errors};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, shortly, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::privacy::meter::meter;
use dp_assay::sample::ScoredChoice;
use dp_assay::stats::binomial;
use num_traits::{Signed, Zero};

/// Four points of the plane, and the 29 integer vectors of norm at most 3 in lexicographic order.
const POINTS: [[i64; 2]; 4] = [[1, 0], [0, 1], [1, 1], [1, -1]];

fn vectors() -> Vec<[i32; 2]> {
    let all = (-3..=3).flat_map(|a| (-3..=3).map(move |b| [a, b]));
    all.filter(|[a, b]| a * a + b * b <= 9).collect()
}

fn hypotheses() -> Result<Candidates, Trouble> {
    Ok(Candidates::new(2, vectors().concat())?)
}

/// The points, each so many times, with the labels of these bits.
fn labelled(points: &[[i64; 2]], times: usize, labels: usize) -> Result<Dataset, Trouble> {
    let mut records = Vec::new();
    for (place, point) in points.iter().enumerate() {
        let one = record(point, (labels >> place) & 1 == 1);
        records.extend(vec![one; times]);
    }
    Ok(Dataset::new(Domain::new(Grid::new(0)?, 2, 2)?, records)?)
}

/// `<w, x>` truncated to `[-rho, rho]`.
fn truncated(w: [i32; 2], x: [i64; 2], rho: &Rational) -> Rational {
    let value = i64::from(w[0]) * x[0] + i64::from(w[1]) * x[1];
    integer(value).min(rho.clone()).max(-rho)
}

/// The farthest of two hypotheses on the points, truncated.
fn distance(first: [i32; 2], second: [i32; 2], points: &[[i64; 2]], rho: &Rational) -> Rational {
    let of_point = |x: &[i64; 2]| (truncated(first, *x, rho) - truncated(second, *x, rho)).abs();
    points.iter().map(of_point).fold(integer(0), Rational::max)
}

/// The greedy cover by its definition.
fn cover_by_definition(points: &[[i64; 2]], rho: &Rational) -> Vec<usize> {
    let all = vectors();
    let radius = rho * ratio(1, 2);
    let mut taken: Vec<usize> = Vec::new();
    for number in 0..all.len() {
        let far = |c: &usize| distance(all[*c], all[number], points, rho) >= radius;
        if taken.iter().all(far) {
            taken.push(number);
        }
    }
    taken
}

/// `y <w, x> <= rho/2` for so many of the points, by the definition.
fn errors_by_definition(w: [i32; 2], labels: usize, rho: &Rational) -> u32 {
    let is_error = |(place, x): (usize, &[i64; 2])| {
        let sign = integer(if (labels >> place) & 1 == 1 { 1 } else { -1 });
        truncated(w, *x, rho) * sign <= rho * ratio(1, 2)
    };
    POINTS.iter().enumerate().filter(|&p| is_error(p)).count() as u32
}

/// `bms22.alg_label.dp`: the learner as shipped, explored and metered.
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    super::edges::labels_fail(check)?;
    check.exact(
        "four points of the plane, 29 hypotheses, rho = 2: the cover on all 16 labellings; e^(epsilon/2) = 3/2: all 64 ordered \
         pairs of labellings that differ in one label, with the exponent epsilon/2 and with epsilon",
    );
    let (rho, all) = (integer(2), vectors());
    let expected = cover_by_definition(&POINTS, &rho);
    let shipped = hypotheses()?;
    let mut scores = Vec::new();
    for labels in 0..16 {
        let data = labelled(&POINTS, 1, labels)?;
        let found = cover(&data, &shipped, &rho)?;
        check.holds(
            found == expected,
            format_args!("labels {labels}: {found:?}"),
        );
        let errors = margin_errors(&data, &shipped, &found, &rho)?;
        let of_hypothesis = |&number: &usize| errors_by_definition(all[number], labels, &rho);
        let own: Vec<u32> = expected.iter().map(of_hypothesis).collect();
        check.holds(errors == own, format_args!("labels {labels}: {errors:?}"));
        scores.push(errors);
    }
    // At e^(epsilon/2) = 3/2 probabilities are rational.
    let worst_ratio = |base: &Rational| {
        let laws: Vec<Vec<Rational>> = scores.iter().map(|s| of_base(s, base)).collect();
        let mut worst = integer(1);
        for (labels, law) in laws.iter().enumerate() {
            for place in 0..4 {
                let pairs = law.iter().zip(&laws[labels ^ (1 << place)]);
                worst = pairs.map(|(p, q)| p / q).fold(worst, Rational::max);
            }
        }
        worst
    };
    let (worst, doubled) = (worst_ratio(&ratio(3, 2)), worst_ratio(&ratio(9, 4)));
    check.holds(worst <= ratio(9, 4), format_args!("a ratio of {worst}"));
    check.holds(doubled > ratio(9, 4), format_args!("a ratio of {doubled}"));
    check.figure("elements of the cover", expected.len());
    check.figure("largest ratio, where 9/4 is promised", &worst);
    check.figure("with the exponent epsilon", shortly(&doubled));

    check.certified("learn on every outcome of its draw at epsilon = 1, on the 16 labellings");
    for (labels, errors) in scores.iter().enumerate() {
        let data = labelled(&POINTS, 1, labels)?;
        let found = Explorer::new(Layer::Laws, 100).explore(|coins| {
            let model = learn(&data, &shipped, &rho, &integer(1), coins);
            model.map(|model| model.chosen).map_err(of_the_coins)
        })?;
        let mut weights = Vec::new();
        for &e in errors {
            weights.push(Enclosure::exp_of(&ratio(-i64::from(e), 2), BITS)?);
        }
        for (&number, p) in expected.iter().zip(shares(&weights)?) {
            let agrees = found.allows(&number, &p);
            check.holds(agrees, format_args!("labels {labels}: {number}: {p}"));
        }
    }
    metered(check)
}

/// Probabilities proportional to `base^-errors`.
pub(super) fn of_base(errors: &[u32], base: &Rational) -> Vec<Rational> {
    let weights: Vec<Rational> = errors.iter().map(|&e| base.pow(-(e as i32))).collect();
    let total = weights.iter().fold(Rational::zero(), |sum, w| sum + w);
    weights.iter().map(|w| w / &total).collect()
}

/// One label that decides against all others, changed, at two sizes.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "learn metered: 12 and 1000 records on one point, all but one with one label, that label changed, two hypotheses; \
         80 records on four points, one label changed, 29 hypotheses; drawn and steered outcomes",
    );
    let claim = budgets::pure(integer(1))?;
    let two = Candidates::new(2, vec![2, 0, -2, 0])?;
    let many = hypotheses()?;
    let mut pairs = Vec::new();
    for n in [12, 1000] {
        let name = format!("{n} on one point");
        pairs.push((name, &two, labelled(&POINTS[..1], n, 0)?));
    }
    pairs.push(("four points".to_owned(), &many, labelled(&POINTS, 20, 15)?));
    let seed = check.seed();
    for (name, hypotheses, second) in &pairs {
        let mut records = second.records().to_vec();
        records[0] = turned(&records[0]);
        let first = Dataset::new(second.domain(), records)?;
        let learner = |data: &Dataset, coins: &mut Meter| {
            learn(data, hypotheses, &integer(2), &integer(1), coins)
        };
        check.family(name, &[], |family| {
            let steered = (ChaCha::reproducible(seed, 1), 1);
            family.drawn_and_steered(learner, (&first, second), steered, &claim)
        })?;
    }
    Ok(())
}

/// `bms22.alg_label.full`: the cover depends on the features.
pub(super) fn features(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "four points of the plane, 29 hypotheses, rho = 3, epsilon = 1: the point (1, 1) sent to the origin; the largest \
         loss where a label changes instead",
    );
    let (rho, epsilon, shipped) = (integer(3), integer(1), hypotheses()?);
    let first = labelled(&POINTS, 1, 15)?;
    let mut records = first.records().to_vec();
    records[2].features = vec![0, 0];
    let second = Dataset::new(first.domain(), records)?;
    let (here, there) = (
        cover(&first, &shipped, &rho)?,
        cover(&second, &shipped, &rho)?,
    );
    let of = |data: &Dataset, cover: &[usize]| -> Result<ScoredChoice, Trouble> {
        let errors = margin_errors(data, &shipped, cover, &rho)?;
        Ok(ScoredChoice::new(errors, &epsilon)?)
    };
    // The likeliest hypothesis that the second dataset never gives.
    let law = of(&first, &here)?;
    let mut lost = Enclosure::integer(0, BITS);
    for (place, number) in here.iter().enumerate() {
        if !there.contains(number) {
            lost = lost.max(&law.pmf(&place, BITS)?);
        }
    }
    let claim = budgets::pure(epsilon.clone())?;
    let learner = |data: &Dataset, coins: &mut Meter| learn(data, &shipped, &rho, &epsilon, coins);
    let outcomes = Outcomes::drawn(ChaCha::reproducible(check.seed(), 1));
    let report = meter(learner, &first, &second, outcomes, &claim)?;
    check.holds(!report.is_sound(), "the meter sees a fault");
    check.holds(
        lost.is_above_rational(&ratio(1, 10)),
        "(1, 1) sent to the origin: a hypothesis of probability above 1/10 is impossible then",
    );
    check.figure(
        "probability of a hypothesis that is impossible on the neighbour",
        &lost,
    );
    let mut worst = Rational::zero();
    for place in 0..4 {
        let other = labelled(&POINTS, 1, 15 ^ (1 << place))?;
        let changed = of(&other, &here)?;
        for outcome in 0..here.len() {
            let loss = law.pmf(&outcome, BITS)?.ln()? - changed.pmf(&outcome, BITS)?.ln()?;
            worst = worst.max(loss.abs().upper());
        }
    }
    check.holds(worst <= epsilon, format_args!("a label: {worst}"));
    check.figure("largest loss where a label changes, of 1", shortly(&worst));
    Ok(())
}

/// `bms22.thm6_1`: the cover, what is transferred to it, and the choice.
pub(super) fn errors(check: &mut Check) -> Result<(), Trouble> {
    super::printed::labels(check)?;
    check.exact(
        "four points of the plane, 29 hypotheses, rho = 1, 2, 3 and 5/2: the cover; all 464 pairs of a labelling and a \
         hypothesis; and a hypothesis at distance exactly rho/2 of another",
    );
    let (all, shipped) = (vectors(), hypotheses()?);
    for rho in [integer(1), integer(2), integer(3), ratio(5, 2)] {
        let radius = &rho * ratio(1, 2);
        let taken = cover(&labelled(&POINTS, 1, 0)?, &shipped, &rho)?;
        for (number, &w) in all.iter().enumerate() {
            let near = |c: &&usize| distance(w, all[**c], &POINTS, &rho) < radius;
            let of_it = taken.iter().filter(near).count();
            // An element of the cover is near no other one.
            let right = if taken.contains(&number) {
                of_it == 1
            } else {
                of_it > 0
            };
            check.holds(right, format_args!("rho = {rho}: {w:?}: {of_it}"));
        }
        for labels in 0..16 {
            let data = labelled(&POINTS, 1, labels)?;
            let least = margin_errors(&data, &shipped, &taken, &rho)?
                .into_iter()
                .min();
            for w in &all {
                let own = of_margin(&data, *w, &rho)?;
                check.holds(
                    least.is_some_and(|least| least as usize <= own),
                    format_args!("rho = {rho}, labels {labels}: {w:?}: {own} of {least:?}"),
                );
            }
        }
    }
    // h(x) = 2 rho has no margin error at rho; c(x) = rho/2, at distance rho/2 of it, has one at rho/2.
    let tie = Candidates::new(2, vec![1, 0, 4, 0])?;
    let data = labelled(&POINTS[..1], 1, 1)?;
    let taken = cover(&data, &tie, &integer(2))?;
    let own = of_margin(&data, [4, 0], &integer(2))?;
    let found = margin_errors(&data, &tie, &taken, &integer(2))?;
    let sound = taken == [0, 1] && own == 0 && found == [1, 0];
    check.holds(sound, format_args!("{taken:?}: {own}, {found:?}"));

    check.certified(
        "each point 10 times, epsilon = 1, beta = 1/20, rho = 2, the 16 labellings: the exact probability of more margin errors \
         than promised",
    );
    let (rho, beta) = (integer(2), ratio(1, 20));
    let mut worst = Rational::zero();
    for labels in 0..16 {
        let data = labelled(&POINTS, 10, labels)?;
        let taken = cover(&data, &shipped, &rho)?;
        let errors = margin_errors(&data, &shipped, &taken, &rho)?;
        let mut least = usize::MAX;
        for w in &all {
            least = least.min(of_margin(&data, *w, &rho)?);
        }
        let odds = integer(taken.len() as u64) / &beta;
        let slack = Enclosure::of(&odds, BITS).ln()?.upper() * integer(2);
        let promised = integer(least as u64) + slack;
        let law = ScoredChoice::new(errors.clone(), &integer(1))?;
        let mut failed = Enclosure::integer(0, BITS);
        for (place, &e) in errors.iter().enumerate() {
            if integer(e) > promised {
                failed = failed + law.pmf(&place, BITS)?;
            }
        }
        check.holds(
            failed.upper() <= beta,
            format_args!("labels {labels}: {failed}"),
        );
        worst = worst.max(failed.upper());
    }
    check.figure(
        "largest probability of more errors than promised",
        shortly(&worst),
    );
    Ok(())
}

/// On each of the points with either label: an error of a hypothesis is one of the nearest element of the shipped cover at
/// `rho/2`, and that is a margin error of the hypothesis.
fn between(
    check: &mut Check,
    all: &[[i32; 2]],
    points: &[[i64; 2]],
    rho: &Rational,
) -> Result<(), Trouble> {
    let shipped = Candidates::new(2, all.concat())?;
    let taken = cover(&labelled(points, 1, 0)?, &shipped, rho)?;
    for &w in all {
        let of = |c: &&usize| distance(w, all[**c], points, rho);
        let Some(nearest) = taken.iter().min_by_key(of) else {
            continue;
        };
        for point in points {
            for label in [0, 1] {
                let data = labelled(&[*point], 1, label)?;
                let own = of_margin(&data, w, &integer(0))?;
                let middle = margin_errors(&data, &shipped, &[*nearest], rho)?[0] as usize;
                let outer = of_margin(&data, w, rho)?;
                check.holds(
                    own <= middle && middle <= outer,
                    format_args!("rho = {rho}, {w:?}, {point:?}: {own}, {middle}, {outer}"),
                );
            }
        }
    }
    Ok(())
}

/// `bms22.lemA_2`: what the cover does for a hypothesis on one record, and the probability that the bound fails.
pub(super) fn relative_margin(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "four points of the plane with either label, 29 hypotheses, rho = 1, 2, 3 and 5/2, and one point with a hypothesis at \
         distance rho/2 of another: an error of h is one of the nearest element of the cover at rho/2, and that is a margin \
         error of h",
    );
    let (all, shipped) = (vectors(), hypotheses()?);
    for rho in [integer(1), integer(2), integer(3), ratio(5, 2)] {
        between(check, &all, &POINTS, &rho)?;
    }
    between(check, &[[1, 0], [4, 0]], &POINTS[..1], &integer(2))?;

    check.certified(
        "400 records with label +1 on the four points, with probabilities 7/10, 1/10, 1/10 and 1/10, rho = 1 and 2, delta = \
         1/20: the sum over the hypotheses of the exact probability that the bound fails; the shipped bound by its formula",
    );
    let (m, delta) = (400u64, ratio(1, 20));
    let mass = [ratio(7, 10), ratio(1, 10), ratio(1, 10), ratio(1, 10)];
    for rho in [integer(1), integer(2)] {
        let taken = cover(&labelled(&POINTS, 1, 0)?, &shipped, &rho)?;
        let log = Enclosure::integer(taken.len() as u64, BITS).ln()?;
        let bound = |errors: u64| -> Result<Rational, Trouble> {
            let training = Enclosure::of(&ratio(errors as i64, m as i64), BITS);
            Ok(relative_deviation(&training, &log, &delta, m)?.lower())
        };
        let bounds: Vec<Rational> = (0..=m).map(bound).collect::<Result<_, _>>()?;
        for errors in [0, 40, 400] {
            by_formula(check, &ratio(errors, m as i64), &log, &delta, m)?;
        }
        let mut failed = Rational::zero();
        let mut reached = 0;
        for &w in &all {
            // The masses of the errors and of the margin errors.
            let of_threshold = |threshold: &Rational| -> Result<Rational, Trouble> {
                let mut sum = Rational::zero();
                for (point, mass) in POINTS.iter().zip(&mass) {
                    let data = labelled(&[*point], 1, 1)?;
                    sum += mass * integer(of_margin(&data, w, threshold)? as u64);
                }
                Ok(sum)
            };
            let (risk, margin_risk) = (of_threshold(&integer(0))?, of_threshold(&rho)?);
            // The bound increases with the margin errors: it is below the risk for the first so many numbers of them. Of a
            // hypothesis that always has a margin error all 400 are, and the bound is above 1.
            let below = bounds.iter().take_while(|bound| **bound < risk).count() as u64;
            if below > 0 && margin_risk < integer(1) {
                reached += 1;
                let p = Enclosure::of(&margin_risk, BITS);
                failed += binomial::lower_tail(m, below - 1, &p)?.upper();
            }
        }
        check.holds(
            failed <= delta && reached > 3,
            format_args!("rho = {rho}: {failed}, {reached} hypotheses"),
        );
        check.figure(
            format_args!("rho = {rho}: fails, at most"),
            to_scientific_above(&failed, 2),
        );
    }
    Ok(())
}

/// `bms22.lemA_2.fat`.
pub(super) fn fat_shattering(check: &mut Check) -> Result<(), Trouble> {
    check.left_open(
        "the formula is not legible in our copy, and the bound on covers by the fat-shattering dimension is cited",
    );
    Ok(())
}

/// The records with `y <w, x> <= rho`.
fn of_margin(data: &Dataset, w: [i32; 2], rho: &Rational) -> Result<usize, Trouble> {
    let direction = w.map(i64::from).to_vec();
    Ok(data.margin_errors(&Halfspace { direction }, rho)?)
}
