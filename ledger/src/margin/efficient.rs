//! Algorithms 2 and 4: privacy on the meter, clipping, dimensions, time and Theorem 3.2.

use super::maps::failure_bound;
use super::pairs;
use super::projection::bound;
use super::{BITS, of, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::common::random_records;
use dp_assay::coins::{ChaCha, Meter};
use dp_assay::geometry::sketch::{RandomisedHadamard, TwoStage};
use dp_assay::geometry::{Halfspace, SignMatrix};
use dp_assay::margin::bounds::EfficientRun;
use dp_assay::margin::bounds::efficient::{balanced_map, distortion_of};
use dp_assay::margin::descent::{Phase, Phases};
use dp_assay::margin::efficient::EfficientParameters;
use dp_assay::margin::erm::Accounting;
use dp_assay::margin::map::{Map, MapKind, Projection};
use dp_assay::margin::{Dataset, Domain, Margin};
use dp_assay::number::chosen::overridden;
use dp_assay::number::rational::{integer, ratio, shortly, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational, grid};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cell::Cell;

/// Parameters of our own choice, at `q = 1/rho` on the unit ball.
fn parameters(
    map: Map,
    rho: Rational,
    rounds: u32,
    accounting: Accounting,
) -> Result<EfficientParameters, Trouble> {
    Ok(EfficientParameters {
        budget: budget("1", "1e-6")?,
        margin: Margin::new(integer(1), integer(1), rho)?,
        map: overridden(map),
        distortion: overridden(integer(1)),
        rounds: overridden(rounds),
        accounting,
    })
}

/// `bms22.alg4.dp.paper`.
pub(super) fn privacy_as_in_the_proof(check: &mut Check) -> Result<(), Trouble> {
    super::edges::noise_of_phases(check, Accounting::Paper)?;
    super::edges::efficient_fails(check, Accounting::Paper)?;
    metered(check, Accounting::Paper)
}

/// `bms22.alg4.dp.zcdp`.
pub(super) fn privacy_with_a_cap(check: &mut Check) -> Result<(), Trouble> {
    super::edges::noise_of_phases(check, Accounting::Zcdp)?;
    super::edges::efficient_fails(check, Accounting::Zcdp)?;
    metered(check, Accounting::Zcdp)
}

/// `bms22.alg4.dp.mixture`.
pub(super) fn privacy_of_the_mixture(check: &mut Check) -> Result<(), Trouble> {
    super::edges::noise_of_phases(check, Accounting::Mixture)?;
    super::edges::efficient_fails(check, Accounting::Mixture)?;
    metered(check, Accounting::Mixture)
}

/// The learner metered: few records on the line, where one that is read first in a phase moves it most; and at full size.
fn metered(check: &mut Check, accounting: Accounting) -> Result<(), Trouble> {
    let (m, d) = (1000, 20usize);
    let grid = Grid::new(20)?;
    let limit = grid.one() / (d.isqrt() as i64 + 1);
    let records = random_records((m, d), limit, &mut ChaCha::reproducible(11, 0))?;
    let pairs = pairs::turned_or_at_the_origin(Domain::unit_ball(grid, d)?, records)?;
    let (large_pairs, others) = if check.quick() {
        (&pairs[..1], "one turned")
    } else {
        (&pairs[..], "one turned and one sent to the origin")
    };
    let mut maps = vec![match accounting {
        Accounting::Paper => Map::Signs(3),
        Accounting::Zcdp => Map::Hadamard(3),
        Accounting::Mixture => Map::TwoStage { first: 8, last: 3 },
    }];
    if !check.quick() {
        maps.push(Map::Identity);
    }
    check.certified(format!(
        "learn metered, {accounting:?}: 16 records on the line, the first turned or sent to the origin, the others at the origin \
         or against it; {m} random records in {d} dimensions, {maps:?}, {others}; \
         the first record read up to six times by force, noise drawn and steered"
    ));
    let line = Domain::unit_ball(Grid::new(10)?, 1)?;
    let on_the_line = |first: i64, others: i64| {
        let mut records = vec![record(&[others], false); 16];
        records[0] = record(&[first.abs()], first >= 0);
        Dataset::new(line, records)
    };
    let mut pairs = Vec::new();
    for (others, other) in [(0, -1024), (1024, -1024), (0, 0)] {
        pairs.push((on_the_line(1024, others)?, on_the_line(other, others)?));
    }
    let small = parameters(Map::Identity, integer(1), 2, accounting)?;
    let path = "the uses of one record are spread over rounds and phases";
    let rounds = match accounting {
        Accounting::Zcdp => vec![("the rounds of descent", path)],
        _ => Vec::new(),
    };
    family(
        check,
        "16 records on the line",
        &small,
        (&pairs, 16),
        &rounds,
    )?;
    let rounds = [
        (
            "the rounds of descent",
            "a record is seldom the first of a phase",
        ),
        ("the choice of a candidate", "one record of many"),
    ];
    for map in maps {
        let large = parameters(map, ratio(1, 4), 3, accounting)?;
        let name = format!("{m} records, {map:?}");
        family(check, &name, &large, (large_pairs, 1), &rounds)?;
    }
    Ok(())
}

/// Meters the learner on pairs of one shape, so often along drawn and along steered outcomes.
fn family(
    check: &mut Check,
    name: &str,
    parameters: &EfficientParameters,
    (pairs, times): (&[pairs::Pair], u64),
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let (first, _) = &pairs[0];
    let plan = parameters.plan(first.domain(), first.records().len())?;
    let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
    // Noise that throws every candidate out of the ball, were it not moved back.
    let stretch = Some(1000);
    let named = (name, &parameters.budget);
    pairs::metered_descents(check, named, learner, (pairs, times), stretch, reasons)
}

/// `bms22.thm3_2.proj`: clipping, and predictions without it.
pub(super) fn clipping(check: &mut Check) -> Result<(), Trouble> {
    super::edges::stretched_radius(check)?;
    check.exact(
        "all integer vectors of the plane up to 9, five radii: what is in the ball stays, the rest is moved in along its ray; \
         each kind of map to one dimension: the radius beside the mean square of all its images; 16 learned models on records \
         that the map stretches beyond the ball, each prediction beside that of the candidate on the projected record",
    );
    let side = -9..=9i64;
    for (x, y) in side.clone().flat_map(|x| side.clone().map(move |y| (x, y))) {
        for radius in [1u64, 3, 5, 8, 13] {
            let mut clipped = [x, y];
            grid::clip_to_radius(&mut clipped, radius);
            let (before, after) = (x * x + y * y, clipped[0].pow(2) + clipped[1].pow(2));
            let most = (radius * radius) as i64;
            let instance = format!("({x}, {y}) in {radius}");
            if before <= most {
                check.holds(clipped == [x, y], &instance);
                continue;
            }
            check.holds(after <= most, &instance);
            // Each coordinate is c v, c = radius/|v|, rounded towards zero: (found)^2 |v|^2 <= v^2 radius^2 < (found + 1)^2 |v|^2.
            for (found, v) in clipped.iter().zip([x, y]) {
                let exact = v * v * most;
                let near =
                    found.pow(2) * before <= exact && exact < (found.abs() + 1).pow(2) * before;
                check.holds(near && found * v >= 0, &instance);
            }
        }
    }
    for map in [
        Map::Signs(1),
        Map::Hadamard(1),
        Map::TwoStage { first: 2, last: 1 },
    ] {
        stretched_records(check, map)?;
    }
    Ok(())
}

/// A map of the plane to one dimension: records that it stretches beyond the ball are moved into it, and models learned from
/// them predict what the candidate says of the record as it was projected.
fn stretched_records(check: &mut Check, map: Map) -> Result<(), Trouble> {
    // gamma = 0: images a + b or a - b of (3, 4)/5, over a root, are longer than the ball allows.
    let domain = Domain::unit_ball(Grid::new(10)?, 2)?;
    let records = [[614, 819], [-614, 819], [1024, 0], [0, 3]].map(|x| record(&x, x[0] >= 0));
    let data = Dataset::new(domain, records.to_vec())?;
    let mut parameters = parameters(map, integer(1), 1, Accounting::Mixture)?;
    parameters.distortion = overridden(integer(0));
    let plan = parameters.plan(domain, data.records().len())?;
    // The mean square of the images of (1, 0), times that of the domain's radius: the square of the radius.
    let images = all_maps(map, 2)?;
    let mut sum = 0;
    for drawn in &images {
        sum += grid::squared_norm(&drawn.apply(&[1, 0])?);
    }
    let exact = integer(sum << 20) / integer(images.len() as u64);
    let radius = plan.erm().radius();
    let near = integer(radius).pow(2) <= exact && exact < integer(radius + 1).pow(2);
    check.holds(near, format_args!("{map:?}: the radius {radius}"));
    let mut clipped = 0u64;
    for seed in 0..16 {
        let model = plan.learn(&data, &mut ChaCha::reproducible(1, seed));
        check.holds(
            model.is_ok(),
            format_args!("{map:?}, seed {seed}: {model:?}"),
        );
        let Ok(model) = model else { continue };
        let candidate = Halfspace {
            direction: model.candidates[model.chosen].clone(),
        };
        for record in data.records() {
            let image = model.projection.apply(&record.features)?;
            clipped += u64::from(grid::squared_norm(&image) > u128::from(radius).pow(2));
            let same = candidate.predict(&image)? == model.halfspace.predict(&record.features)?;
            check.holds(same, format_args!("{map:?}, seed {seed}: {record:?}"));
        }
    }
    check.holds(
        clipped > 8,
        format_args!("{map:?}: few records are stretched"),
    );
    check.figure(
        format_args!("{map:?}: records that were clipped in training"),
        clipped,
    );
    Ok(())
}

/// All draws of a map of small shape, equally likely.
fn all_maps(map: Map, d: usize) -> Result<Vec<Projection>, Trouble> {
    Ok(match map {
        Map::Identity => vec![Projection::Identity],
        Map::Signs(rows) => SignMatrix::all(rows, d)?.map(Projection::Signs).collect(),
        Map::Hadamard(rows) => {
            let all = RandomisedHadamard::all(rows, d)?;
            all.map(Projection::Hadamard).collect()
        }
        Map::TwoStage { first, last } => {
            let mut all = Vec::new();
            for first in RandomisedHadamard::all(first, d)? {
                for last in SignMatrix::all(last, first.rows())? {
                    all.push(Projection::TwoStage(TwoStage::new(first.clone(), last)?));
                }
            }
            all
        }
    })
}

/// `(epsilon m ln(m/beta))/(ln^power(1/delta) ln(1/beta))` for a power in halves, and `ln(1/beta)`.
fn printed_dimension(
    m: u64,
    epsilon: &Rational,
    (delta, beta): (&Rational, &Rational),
    halves: u32,
) -> Result<(Enclosure, Enclosure), Trouble> {
    let odds = of(&beta.recip()).ln()?;
    let mut power = Enclosure::integer(1, BITS);
    let root = of(&delta.recip()).ln()?.sqrt()?;
    for _ in 0..halves {
        power = power * &root;
    }
    let above = of(&(integer(m) / beta)).ln()? * of(&(epsilon * integer(m)));
    Ok((above.divided_by(&(power * &odds))?, odds))
}

/// `bms22.alg2.k`: the exponent of the logarithm.
pub(super) fn printed_exponent(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "k = epsilon m ln(m/beta)/(ln^e(1/delta) ln(1/beta)) at epsilon = 1, delta = 1/(10 m), beta = 1/20, m = 10^3, 10^4 and \
         10^6, with e = d/2 at d = 3, 10 and 100 and with e = 3/2: k m ln(1/beta) against the printed running time",
    );
    let (epsilon, beta) = (integer(1), ratio(1, 20));
    for m in [1000u64, 10_000, 1_000_000] {
        let delta = integer(10 * m).recip();
        let printed = |halves| printed_dimension(m, &epsilon, (&delta, &beta), halves);
        // epsilon m^2 ln(m/beta)/ln^(3/2)(1/delta).
        let logarithm = of(&delta.recip()).ln()?;
        let time = of(&(integer(m) / &beta)).ln()? * of(&(&epsilon * integer(m) * integer(m)));
        let time = time.divided_by(&(&logarithm * logarithm.sqrt()?))?;
        let (k, odds) = printed(3)?;
        let steps = &k * &odds * of(&integer(m));
        check.holds(
            steps.meets(&time),
            format_args!("m = {m}: with 3/2 the times agree"),
        );
        check.figure(format_args!("k with 3/2, m = {m}"), k.hi().ceil());
        for d in [10u32, 100] {
            let (k, _) = printed(d)?;
            if m == 1000 {
                let none = k.is_below_rational(&integer(1));
                check.holds(none, format_args!("m = {m}, with {d}/2: no row is left"));
            }
            let steps = &k * &odds * of(&integer(m));
            let ten = (steps * of(&integer(10))).upper();
            check.holds(
                ten < time.lower(),
                format_args!("m = {m}, d = {d}: not the printed time"),
            );
        }
    }
    Ok(())
}

/// `bms22.thm3_2.time`: how many gradients are taken.
pub(super) fn time(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "m from 2 to 200: the points that the shipped phases take, counted as they are read; M = ceil(log2(2/beta)) for three \
         beta; the coordinates that are visited, a constant times k m log2(4/beta)",
    );
    for m in 2u64..=200 {
        let log = m.ilog2();
        let phases = Phases::new(1, 4, &integer(1), &integer(1), log)?;
        let read = Cell::new(0u64);
        for phase in phases.iter() {
            let point: &[i64] = &[3];
            let before = read.get();
            let points = std::iter::from_fn(|| {
                (read.get() - before < phase.samples()).then(|| {
                    read.set(read.get() + 1);
                    point
                })
            });
            let _ = phase.sum(Phase::origin(1), points);
        }
        check.holds(
            read.get() == phases.samples() && read.get() < m && 2 * (read.get() + 1) > m,
            format_args!("m = {m}: {} points", read.get()),
        );
        for beta in [ratio(1, 2), ratio(1, 20), ratio(1, 1000)] {
            let rounds = dp_assay::margin::bounds::efficient::rounds_for(&beta)?;
            // M <= log2(4/beta): 2^M <= 4/beta.
            let power = Rational::from_integer(BigInt::one() << rounds);
            let within = power <= beta.recip() * integer(4) && power >= beta.recip() * integer(2);
            check.holds(within, format_args!("beta = {beta}: {rounds} rounds"));
        }
    }
    Ok(())
}

/// An instance of the theorem: delta = 1/(10 m), beta = 1/20, q = 1.
#[derive(Clone, Copy)]
struct Instance {
    m: u64,
    d: u64,
    epsilon: u64,
    accounting: Accounting,
    kind: MapKind,
}

impl Instance {
    /// The run of the theorem's own parameters, as it ships.
    fn run(&self) -> Result<EfficientRun, Trouble> {
        let margin = Margin::new(integer(1), integer(1), integer(1))?;
        let budget = budgets::approximate(integer(self.epsilon), integer(10 * self.m).recip())?;
        let beta = ratio(1, 20);
        let (m, d) = (self.m as usize, self.d as usize);
        let (kind, accounting) = (self.kind, self.accounting);
        let parameters =
            EfficientParameters::from_theorem_for(kind, &beta, budget, margin, accounting, (m, d))?;
        // Images are in steps that are finer by the root of the map's scale.
        let bits = if kind == MapKind::TwoStage { 1 } else { 10 };
        let domain = Domain::unit_ball(Grid::new(bits)?, d)?;
        Ok(parameters.plan(domain, m)?.run(&beta))
    }
}

/// `bms22.thm3_2`: the transfer to the projected space, and the bound.
pub(super) fn theorem_3_2(check: &mut Check) -> Result<(), Trouble> {
    super::printed::erm(check)?;
    super::printed::efficient(check)?;
    transfer(check)?;
    the_bound(check)
}

/// All maps of scale four: where the margin of a record is kept up to gamma, the hinge loss rises by at most gamma q.
fn transfer(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "all draws of four rows of signs, four of the fast map, and two of it with two of signs, of two and three columns, \
         three records and two hypotheses each, gamma = 1/2 and 1: where products and norms are kept up to gamma, the hinge \
         loss of the projected hypothesis is at most that of the other and gamma q, and both are in their balls",
    );
    let mut kept = 0u64;
    let mut worst = Rational::zero();
    let maps = [
        Map::Signs(4),
        Map::Hadamard(4),
        Map::TwoStage { first: 2, last: 2 },
    ];
    let scale = 4i64;
    for (w, points) in [
        (vec![3i64, 4], vec![vec![5i64, 0], vec![3, 4], vec![-4, 3]]),
        (
            vec![2, -1, 2],
            vec![vec![3, 0, 0], vec![1, -2, 2], vec![-2, 2, 1]],
        ),
    ] {
        let product = |a: &[i64], b: &[i64]| -> i64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let (norm_w, norm_x) = (product(&w, &w), product(&points[0], &points[0]));
        // |w| |x|: both are squares.
        let whole = integer((norm_w * norm_x).isqrt());
        let mut drawn = Vec::new();
        for map in maps {
            drawn.extend(all_maps(map, w.len())?);
        }
        for map in drawn {
            let image = map.apply(&w)?;
            for gamma in [ratio(1, 2), integer(1)] {
                for x in &points {
                    let other = map.apply(x)?;
                    let (before, after) = (product(&w, x), ratio(product(&image, &other), scale));
                    let norms = [(&image, norm_w), (&other, norm_x)];
                    let short = norms.iter().all(|(v, norm)| {
                        ratio(product(v, v), scale) <= (&gamma + integer(1)) * integer(*norm)
                    });
                    if after < integer(before) - &gamma * &whole || !short {
                        continue;
                    }
                    kept += 1;
                    // At the margin rho = |w||x|/q.
                    for q in [integer(1), integer(3)] {
                        let rho = &whole / &q;
                        let loss = |s: Rational| (integer(1) - s / &rho).max(integer(0));
                        let more = loss(after.clone()) - loss(integer(before));
                        worst = worst.max(&more / (&gamma * &q));
                    }
                }
            }
        }
    }
    check.attained("rise of the hinge loss, over gamma q", &worst, &integer(1));
    check.holds(kept > 100, "no margin is kept");
    check.figure("margins kept", kept);
    Ok(())
}

/// The bound, from the plan that ships, against the formula by its own route; and what it comes to.
fn the_bound(check: &mut Check) -> Result<(), Trouble> {
    let low = |m, accounting| Instance {
        m,
        d: 5,
        epsilon: 1,
        accounting,
        kind: MapKind::Signs,
    };
    let high = |kind, accounting| Instance {
        m: 1_000_000,
        d: 1_000_000,
        epsilon: 8,
        accounting,
        kind,
    };
    let mut instances = vec![
        low(1_000_000, Accounting::Zcdp),
        high(MapKind::Signs, Accounting::Zcdp),
    ];
    if !check.quick() {
        instances.push(low(10_000, Accounting::Mixture));
        instances.push(high(MapKind::Hadamard, Accounting::Mixture));
        instances.push(high(MapKind::TwoStage, Accounting::Mixture));
    }
    if check.thorough() {
        instances.push(low(10_000, Accounting::Paper));
    }
    check.certified(
        "EfficientRun::guarantee of the plans for delta = 1/(10 m), beta = 1/20, q = 1, at the instances of the figures, \
         against gamma q + 2 E1 + (8/(epsilon m)) (1 + q') ln(..)/2 + 2 q'/sqrt m + sqrt(ln(3/beta)/2m); below 1/2 from a \
         million records on",
    );
    for instance in instances {
        let (m, epsilon) = (instance.m, integer(instance.epsilon));
        let run = instance.run()?;
        let (k, nu) = (run.erm.dimension, &run.erm.multiplier);
        let name = format!(
            "m = {m}, d = {}, epsilon = {epsilon}, {:?}, {:?}",
            instance.d, instance.accounting, run.map
        );
        let n = integer(1u64 << m.ilog2());
        let projected = k < instance.d;
        let gamma = if projected {
            run.distortion.clone()
        } else {
            integer(0)
        };
        let stretched = integer(1) + &gamma;
        check.holds(run.erm.ratio == stretched, &name);
        // 4 q' sqrt(c/n), at the best step.
        let c = ratio(11, 48)
            + nu * nu * integer(16 * k) / &n
            + nu * integer(2) * of(&integer(k)).sqrt()?.upper() / (&n * &n);
        let best = of(&(c / &n)).sqrt()? * of(&(integer(4) * &stretched));
        let more = match instance.accounting {
            Accounting::Zcdp => ratio(4, 3),
            _ => integer(1),
        };
        let expected = (best * of(&more)).upper();
        let shipped = run.erm.expected_excess()?;
        check.holds(
            shipped >= expected && shipped <= &expected * ratio(101, 100) + ratio(1, 200),
            format_args!("{name}: E1 = {}", shortly(&shipped)),
        );
        let odds = of(&integer(120 * u64::from(run.erm.rounds))).ln()?;
        let rate = (integer(1) + &stretched) * integer(4) / (&epsilon * integer(m));
        let choice = (odds * of(&rate)).upper();
        let class = of(&(integer(4) * &stretched * &stretched / integer(m))).sqrt()?;
        let sample = (of(&integer(60)).ln()? * of(&integer(2 * m).recip())).sqrt()?;
        let all = &gamma + &shipped * integer(2) + choice + (class + sample).upper();
        let found = run.guarantee(&integer(0))?;
        let same = match &found.alpha {
            Some(alpha) => (alpha - &all).abs() < ratio(1, 1 << 40),
            None => all >= ratio(1, 2) && m < 1_000_000,
        };
        check.holds(same, format_args!("{name}: {found:?}"));
        // With a little less distortion than the map has, nothing is guaranteed.
        if projected {
            let mut less = run.clone();
            less.distortion -= ratio(1, 1 << 15);
            let refused = less.guarantee(&integer(0))?.alpha.is_none();
            check.holds(refused, format_args!("{name}: less distortion"));
        }
        check.figure(
            format_args!("bound, {name}"),
            format_args!(
                "{} with k = {k}, nu = {}",
                to_scientific_above(&all, 3),
                to_scientific_above(nu, 3)
            ),
        );
    }
    Ok(())
}

/// The kinds of maps that project.
const KINDS: [MapKind; 3] = [MapKind::Signs, MapKind::Hadamard, MapKind::TwoStage];

/// `bms22.thm3_2.k`: the dimension that balances the bound.
pub(super) fn balanced_dimension(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "m = 10^6, 10^8 and 10^10, d = 10^6, nu = 10 and 40, failure 1/60, random signs, the fast map and the two-stage one: \
         sqrt(C/k) + 32 sqrt(k) nu/n at k* and at k*/2, 2 k*; the least rows at gamma = 1; and with the distortion of k* the \
         probability of failure, by the terms of the proofs",
    );
    for m in [1_000_000u64, 100_000_000, 10_000_000_000] {
        for nu in [10i64, 40] {
            for kind in KINDS {
                balanced(check, kind, m, nu)?;
            }
        }
    }
    Ok(())
}

fn balanced(check: &mut Check, kind: MapKind, m: u64, nu: i64) -> Result<(), Trouble> {
    let (d, length, failure) = (1_000_000u64, 1u64 << 20, ratio(1, 60));
    let instance = format!("{kind:?}, m = {m}, nu = {nu}");
    let Some(map) = balanced_map(kind, (m, d), &integer(nu), &failure)? else {
        check.holds(false, &instance);
        return Ok(());
    };
    let best = match map {
        Map::Identity => 0,
        Map::Signs(k) | Map::Hadamard(k) | Map::TwoStage { last: k, .. } => k as u64,
    };
    let n = integer(1u64 << m.ilog2());
    let vectors = integer(3 * m + 1) / &failure;
    let logarithm = |times: u64| of(&(&vectors * integer(times))).ln();
    // C, and how many rows gamma = 1 asks for: e^(-k/12) of each of 3m + 1 events, and the lemmas of the fast maps.
    let (constant, least) = match kind {
        MapKind::Hadamard => {
            let product = logarithm(4 * length)? * logarithm(4)? * of(&integer(6));
            (product.clone(), product)
        }
        MapKind::TwoStage => {
            let log = logarithm(6)?;
            // g^2/4 - g^3/6 at g = 1/3.
            (log.clone() * of(&integer(36)), log * of(&ratio(324, 7)))
        }
        _ => {
            let log = logarithm(1)?;
            (log.clone() * of(&integer(4)), log * of(&integer(12)))
        }
    };
    let least = least.hi().ceil();
    let cost = |k: u64| -> Result<Rational, Trouble> {
        let of_map = constant.divided_by(&of(&integer(k)))?.sqrt()?;
        let noise = of(&integer(k)).sqrt()? * of(&(integer(32 * nu) / &n));
        Ok((of_map + noise).upper())
    };
    if BigInt::from(best) > least {
        let here = cost(best)?;
        let slack = &here * ratio(1, 1000);
        let balanced = here <= cost(best / 2)? + &slack && here <= cost(2 * best)? + &slack;
        check.holds(balanced, &instance);
    } else {
        check.holds(BigInt::from(best) == least, &instance);
    }
    let gamma = distortion_of(map, (m, d), &failure)?.unwrap_or_default();
    let fails = |gamma: &Rational| failure_of(map, (m, length), gamma, &failure);
    let less = fails(&(&gamma - ratio(1, 1 << 16)))?;
    let tight = fails(&gamma)?.upper() <= failure && less.is_above_rational(&failure);
    check.holds(tight, format_args!("{instance}: gamma = {gamma}"));
    let shown = to_scientific_above(&gamma, 3);
    check.figure(
        &instance,
        format_args!("{map:?}, at least {least} rows; gamma = {shown}"),
    );
    Ok(())
}

/// How likely it is, at most, that a map distorts one of `m` records in a dimension that is a power of two by more than
/// `gamma`: the terms of the proofs, those of the fast maps for `3m + 1` vectors.
fn failure_of(
    map: Map,
    (m, d): (u64, u64),
    gamma: &Rational,
    failure: &Rational,
) -> Result<Enclosure, Trouble> {
    let all = 3 * m + 1;
    Ok(match map {
        Map::Identity => of(&integer(0)),
        Map::Signs(rows) => bound(all, rows as u64, gamma)?,
        Map::Hadamard(rows) => {
            failure_bound((all, d), rows as u64, gamma, &(failure / integer(2)))?
        }
        Map::TwoStage { first, last } => {
            let (g, third) = (gamma / integer(3), failure / integer(3));
            let first = failure_bound((all, d), first as u64, &g, &third)?;
            first + bound(2 * all, last as u64, &g)?
        }
    })
}
