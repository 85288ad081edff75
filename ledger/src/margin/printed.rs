//! The bounds that the learners print, written out once more from the page, at parameters that have nothing in common: to 20 digits.

use crate::claim::{Check, Trouble};
use dp_assay::geometry::LatticeCover;
use dp_assay::margin::bounds::efficient::{keeps, rows_for};
use dp_assay::margin::bounds::pure::log_cover;
use dp_assay::margin::bounds::{
    EfficientRun, ErmRun, GibbsRun, KernelRun, LabelRun, PureRun, deviation, features,
};
use dp_assay::margin::gibbs::PRIOR_VARIANCE;
use dp_assay::margin::map::Map;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;

/// More bits than the library takes.
const BITS: u32 = 192;

type Found = Result<Enclosure, NumberError>;

fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

fn whole(value: u64) -> Enclosure {
    Enclosure::integer(value, BITS)
}

/// `B + c + sqrt(c^2 + 2 c B)`, where `c m` is the logarithm of a finite class over the probability of failure.
fn of_finite_class(training: &Enclosure, class: &Enclosure, m: u64) -> Found {
    let c = class.divided_by(&whole(m))?;
    let root = (c.squared() + whole(2) * &c * training).sqrt()?;
    Ok(training + c + root)
}

/// What a guarantee says, which is there, beside what it is evaluated to.
fn guaranteed(
    check: &mut Check,
    name: &str,
    found: [&Option<Rational>; 2],
    again: [&Enclosure; 2],
) {
    for ((found, again), what) in found
        .into_iter()
        .zip(again)
        .zip(["on the data", "on the distribution"])
    {
        match found {
            Some(found) => {
                check.evaluated_again_above(format_args!("{name}: {what}"), found, again)
            }
            None => check.holds(
                false,
                format_args!("{name}: {what}: nothing is guaranteed, {again} by the formula"),
            ),
        }
    }
}

/// `(2/(epsilon m)) x`
fn of_choice(x: &Enclosure, epsilon: &Rational, m: u64) -> Enclosure {
    x * of(&(integer(2) / (epsilon * integer(m))))
}

/// Theorem 6.1. For `bms22.thm6_1`.
pub(super) fn labels(check: &mut Check) -> Result<(), Trouble> {
    check.certified("what margin-labels prints, B + a + sqrt(a^2 + 2 a B), B = L + (2/(epsilon m)) ln(2 |H|/beta), a = ln(2 |H|/beta)/m: four runs, evaluated again");
    for (records, hypotheses, epsilon, beta, loss) in [
        (1009u64, 17u64, ratio(3, 7), ratio(1, 13), integer(0)),
        (1009, 17, ratio(3, 7), ratio(1, 13), ratio(1, 11)),
        (100_003, 1_000_003, ratio(1, 5), ratio(1, 997), ratio(2, 9)),
        (211, 5, integer(9), ratio(1, 3), ratio(1, 17)),
    ] {
        let run = LabelRun {
            records,
            hypotheses,
            epsilon: epsilon.clone(),
            beta: beta.clone(),
        };
        let found = run.guarantee(&loss)?;
        let odds = of(&(integer(2 * hypotheses) / &beta)).ln()?;
        let training = of(&loss) + of_choice(&odds, &epsilon, records);
        let alpha = of_finite_class(&training, &odds, records)?;
        let name = format!("m = {records}, |H| = {hypotheses}, loss {loss}");
        guaranteed(
            check,
            &name,
            [&found.training, &found.alpha],
            [&training, &alpha],
        );
    }
    Ok(())
}

/// The Gibbs learner. For `bms22.gibbs.bound`.
pub(super) fn gibbs(check: &mut Check) -> Result<(), Trouble> {
    check.certified("what the Gibbs learner's bound is, over tau = 0, 1/16, 2/16, ..., evaluated again: three runs, few dimensions and so many that the grid of candidates counts; its two shares");
    let v = integer(PRIOR_VARIANCE);
    for (records, dimension, candidates, epsilon, beta, q, loss) in [
        (
            10_007u64,
            7u64,
            4099u64,
            ratio(9, 7),
            ratio(1, 13),
            ratio(3, 2),
            ratio(1, 101),
        ),
        (
            1_000_003,
            3_000_017,
            65_537,
            ratio(1, 3),
            ratio(1, 5),
            ratio(8, 7),
            integer(0),
        ),
        (
            1_000_003,
            41,
            1_000_003,
            ratio(11, 3),
            ratio(1, 29),
            ratio(5, 4),
            ratio(1, 37),
        ),
    ] {
        let run = GibbsRun {
            records,
            dimension,
            candidates,
            epsilon: epsilon.clone(),
            beta: beta.clone(),
        };
        let name = format!("m = {records}, d = {dimension}, N = {candidates}");
        // a = e^(-d/(11 v)) (1 - Phi(tau)), T = 1 - Phi(tau/q - sqrt(d/(4 (v - 1/6))))
        let good = |tau: &Rational| -> Found {
            let grid = -(integer(dimension) / (integer(11) * &v));
            Ok(Enclosure::exp_of(&grid, BITS)? * of(tau).normal_upper())
        };
        let lost = |tau: &Rational| -> Found {
            let slip = of(&(integer(dimension) / (integer(4) * (&v - ratio(1, 6))))).sqrt()?;
            Ok((of(&(tau / &q)) - slip).normal_upper())
        };
        let mut best: Option<Enclosure> = None;
        for step in 0..400 {
            let tau = ratio(step, 16);
            let (a, t) = (good(&tau)?, lost(&tau)?);
            let slip = Rational::new(1.into(), BigInt::from(1) << 80);
            let share = run.good_share(&tau)?;
            check.holds(
                share <= a.upper() && share >= a.lower() * (integer(1) - &slip),
                format_args!("{name}, tau = {tau}: a = {a}"),
            );
            check.evaluated_again_above(
                format_args!("{name}, tau = {tau}: T"),
                &run.lost_share(&q, &tau)?,
                &t,
            );
            // N a >= 8 ln(3/beta)
            if (&a * whole(candidates)).is_below(&(of(&(integer(3) / &beta)).ln()? * whole(8))) {
                break;
            }
            let odds = (whole(6).divided_by(&(a * of(&beta)))?).ln()?;
            let training = of(&loss) + whole(2) * t + of_choice(&odds, &epsilon, records);
            best = Some(best.map_or(training.clone(), |best| best.min(&training)));
        }
        let Some(training) = best else {
            check.holds(false, format_args!("{name}: no tau"));
            continue;
        };
        let class = of(&(integer(3 * candidates) / &beta)).ln()?;
        let alpha = of_finite_class(&training, &class, records)?;
        let found = run.guarantee(&q, &loss)?;
        guaranteed(
            check,
            &name,
            [&found.training, &found.alpha],
            [&training, &alpha],
        );
    }
    Ok(())
}

/// Runs of Algorithm 4: many records and few, dimension, noise and steps of all sizes, and each of its terms a tenth somewhere.
fn erm_runs() -> Vec<ErmRun> {
    let run =
        |records, dimension, q, radius, epsilon, rounds, multiplier, step, acceptance| ErmRun {
            records,
            dimension,
            ratio: q,
            radius,
            epsilon,
            rounds,
            multiplier,
            step,
            acceptance,
        };
    vec![
        run(
            1009,
            7,
            ratio(5, 3),
            17,
            ratio(3, 7),
            11,
            ratio(13, 9),
            ratio(1, 19),
            integer(1),
        ),
        run(
            37,
            2,
            integer(1),
            1 << 30,
            integer(50),
            9,
            integer(0),
            ratio(1, 2),
            ratio(3, 4),
        ),
        run(
            9,
            101,
            ratio(31, 7),
            5,
            ratio(1, 11),
            8,
            ratio(41, 10),
            ratio(1, 3),
            ratio(3, 4),
        ),
        run(
            1_000_000_007,
            1_000_003,
            ratio(9, 8),
            1 << 20,
            ratio(7, 2),
            12,
            ratio(23, 11),
            ratio(1, 9001),
            integer(1),
        ),
    ]
}

/// `E1 = q ((4/(h n) + h (11/48 + 16 k nu'^2/n + 2 sqrt(k) nu'/n^2 + 1/768))/p + 2/r + (1 + 2 sqrt k)/2^30)`.
fn expected_excess(run: &ErmRun) -> Found {
    let n = integer(1u64 << run.records.ilog2());
    let nu = &run.multiplier * ratio(1025, 1024);
    let k = integer(run.dimension);
    let root = of(&k).sqrt()?;
    let noise =
        of(&(integer(16) * &k * &nu * &nu / &n)) + &root * of(&(integer(2) * &nu / (&n * &n)));
    let slope = of(&(ratio(11, 48) + ratio(1, 768))) + noise;
    let steps = of(&(integer(4) / (&run.step * &n))) + of(&run.step) * slope;
    let rounding = of(&(integer(2) / integer(run.radius)))
        + (whole(1) + whole(2) * root) * of(&ratio(1, 1 << 30));
    Ok(of(&run.ratio) * (steps * of(&run.acceptance.recip()) + rounding))
}

/// `2 E1 + (4 (1 + q)/(epsilon m)) ln(2 M/failure)`.
fn excess(run: &ErmRun, failure: &Rational) -> Found {
    let odds = of(&(integer(2 * u64::from(run.rounds)) / failure)).ln()?;
    let rate = integer(4) * (integer(1) + &run.ratio) / (&run.epsilon * integer(run.records));
    Ok(whole(2) * expected_excess(run)? + odds * of(&rate))
}

/// Lemma 3.1. For `bms22.lem3_1.util` and `bms22.thm3_2`.
pub(super) fn erm(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the bound on the loss of Algorithm 4, of a round and of the choice among rounds: four runs, evaluated again");
    for run in erm_runs() {
        let name = format!("m = {}, k = {}", run.records, run.dimension);
        check.evaluated_again_above(
            format_args!("{name}: a round"),
            &run.expected_excess()?,
            &expected_excess(&run)?,
        );
        let failure = ratio(2, 13);
        check.evaluated_again_above(
            format_args!("{name}: the choice"),
            &run.excess(&failure)?,
            &excess(&run, &failure)?,
        );
        let enough = (1..40)
            .find(|&rounds| integer(1u64 << rounds) * &failure >= integer(2))
            .unwrap_or(0);
        for (rounds, right) in [(enough, true), (enough - 1, false)] {
            let fewer = ErmRun {
                rounds,
                ..run.clone()
            };
            check.holds(
                fewer.excess(&failure).is_ok() == right,
                format_args!("{name}: {rounds} rounds"),
            );
        }
    }
    Ok(())
}

/// Runs of Algorithm 2, with and without a map, whose guarantee says something.
fn efficient_runs() -> Result<Vec<EfficientRun>, Trouble> {
    let erm = |records: u64, dimension: u64, q: Rational| ErmRun {
        records,
        dimension,
        ratio: q,
        radius: 1 << 28,
        epsilon: ratio(7, 2),
        rounds: 12,
        multiplier: ratio(23, 11),
        step: ratio(1, 20_011),
        acceptance: integer(1),
    };
    let beta = ratio(1, 19);
    let mut runs = vec![EfficientRun {
        erm: erm(2_000_000_011, 1009, ratio(9, 7)),
        ratio: ratio(9, 7),
        map: Map::Identity,
        dimension: 1009,
        distortion: ratio(1, 3),
        beta: beta.clone(),
    }];
    let gamma = ratio(1, 23);
    let m = 1_000_000_007;
    let rows = rows_for(m, &gamma, &(&beta / integer(3)))?.unwrap_or(0);
    runs.push(EfficientRun {
        erm: erm(m, rows, ratio(9, 8) * (&gamma + integer(1))),
        ratio: ratio(9, 8),
        map: Map::Signs(usize::try_from(rows)?),
        dimension: 10_000_019,
        distortion: gamma,
        beta,
    });
    Ok(runs)
}

/// `loss + gamma q + excess` on the data, and `2 (1 + gamma) q/sqrt(m) + sqrt(ln(3/beta)/(2 m))` more on the distribution.
fn of_efficient(run: &EfficientRun, loss: &Enclosure) -> Result<[Enclosure; 2], NumberError> {
    let gamma = match run.map {
        Map::Identity => integer(0),
        _ => run.distortion.clone(),
    };
    let third = &run.beta / integer(3);
    let training = loss + of(&(gamma * &run.ratio)) + excess(&run.erm, &third)?;
    let m = whole(run.erm.records);
    let class = of(&(integer(2) * &run.erm.ratio)).divided_by(&m.sqrt()?)?;
    let sample = of(&third.recip())
        .ln()?
        .divided_by(&(whole(2) * m))?
        .sqrt()?;
    let alpha = &training + class + sample;
    Ok([training, alpha])
}

/// Theorem 3.2. For `bms22.thm3_2`.
pub(super) fn efficient(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the guarantee of Algorithm 2 without a map and with as many rows as gamma = 1/23 asks for, evaluated again; with a row less nothing; the rows, ceil(ln(3 (3 m + 1)/beta)/(gamma^2/4 - gamma^3/6))");
    for run in efficient_runs()? {
        let loss = ratio(1, 41);
        let found = run.guarantee(&loss)?;
        let [training, alpha] = of_efficient(&run, &of(&loss))?;
        guaranteed(
            check,
            &format!("{:?}", run.map),
            [&found.training, &found.alpha],
            [&training, &alpha],
        );
        let Map::Signs(rows) = run.map else { continue };
        let gamma = &run.distortion;
        let exponent = gamma.pow(2) / integer(4) - gamma.pow(3) / integer(6);
        let third = &run.beta / integer(3);
        let m = run.erm.records;
        let asked = of(&(integer(3 * u128::from(m) + 1) / &third))
            .ln()?
            .divided_by(&of(&exponent))?;
        check.holds(
            BigInt::from(rows) == asked.hi().ceil(),
            format_args!("{rows} rows, {asked} by the formula"),
        );
        let fewer = EfficientRun {
            map: Map::Signs(rows - 1),
            ..run.clone()
        };
        let nothing = fewer.guarantee(&loss)?.alpha.is_none();
        let kept = keeps(Map::Signs(rows - 1), (m, run.dimension), gamma, &third)?;
        check.holds(nothing && !kept, "a row less");
        // The margin may be chosen: at another q of the data.
        let at = run.at(&ratio(17, 16));
        check.holds(
            at.ratio == ratio(17, 16) && at.erm.ratio == ratio(17, 16) * (gamma + integer(1)),
            "at another margin",
        );
    }
    Ok(())
}

/// Theorem 4.2. For `bms22.thm4_2.bound`, `bms22.thm4_2.d` and `bms22.thm4_2.features`.
pub(super) fn kernel(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the guarantee of Algorithm 3 by frequencies and by monomials, evaluated again; with a frequency less nothing; the numbers of frequencies, and how near kernels are kept, as printed and as proved",
    );
    let base = efficient_runs()?.swap_remove(0);
    let m = base.erm.records;
    // D = ceil(4 m ln(4 m/beta')), beta' the learner's.
    let needed = (of(&(integer(4 * m) / &base.beta)).ln()? * whole(4 * m))
        .hi()
        .ceil();
    let needed = u64::try_from(needed)?;
    let run = |frequencies, features, grid_bits, radius| KernelRun {
        learner: base.clone(),
        frequencies,
        features,
        grid_bits,
        radius,
    };
    let loss = ratio(1, 41);
    let q = of(&base.ratio);
    let fourier = run(Some(needed), 2 * needed, 20, 1 << 20);
    // At q' = q/2: 2 q'/sqrt(m) + 8 q' sqrt(D)/2^b.
    let half = &q * of(&ratio(1, 2));
    let of_frequencies = whole(2) * &half.divided_by(&whole(m).sqrt()?)?
        + whole(8) * half * whole(needed).sqrt()? * of(&ratio(1, 1 << 20));
    let monomials = run(None, 4099, 13, 10_007);
    let of_monomials = q * whole(4099).sqrt()? * of(&ratio(1, 10_007));
    for (name, run, added) in [
        ("frequencies", &fourier, of_frequencies),
        ("monomials", &monomials, of_monomials),
    ] {
        check.evaluated_again_above(
            format_args!("{name}: what they add"),
            &run.of_features()?,
            &added,
        );
        let [training, alpha] = of_efficient(&base, &(of(&loss) + added))?;
        let found = run.guarantee(&loss)?;
        let says = training.upper() < ratio(1, 2) && alpha.upper() < ratio(1, 2);
        if says {
            guaranteed(
                check,
                name,
                [&found.training, &found.alpha],
                [&training, &alpha],
            );
        } else {
            check.holds(
                found.alpha.is_none(),
                format_args!("{name}: {alpha} says nothing"),
            );
        }
    }
    let fewer = run(Some(needed - 1), 2 * needed - 2, 24, 1 << 24).guarantee(&loss)?;
    check.holds(
        fewer.alpha.is_none() && fewer.training.is_none(),
        "a frequency less",
    );
    frequencies(check)
}

/// How many frequencies are asked for, and what so many keep.
fn frequencies(check: &mut Check) -> Result<(), Trouble> {
    for (m, beta) in [
        (7u64, ratio(1, 3)),
        (101, ratio(2, 29)),
        (50_021, ratio(1, 1009)),
    ] {
        let name = format!("m = {m}, beta = {beta}");
        let log = |x: Rational| of(&(x / &beta)).ln();
        let printed = (whole(m).squared() * log(integer(2 * m))?).hi().ceil();
        check.holds(
            BigInt::from(features::frequencies_as_printed(m, &beta)?) == printed,
            format_args!("{name}: D as printed"),
        );
        let ours = (whole(4 * m) * log(integer(4 * m))?).hi().ceil();
        check.holds(
            BigInt::from(features::frequencies(m, &beta)?) == ours,
            format_args!("{name}: D"),
        );
        for d in [11u64, 3001] {
            let printed = (whole(4) * log(integer(m))?).divided_by(&whole(d))?;
            check.evaluated_again_above(
                format_args!("{name}, D = {d}: kept as printed"),
                &features::closeness_as_printed(m, d, &beta)?,
                &printed,
            );
            let ours = (whole(2) * log(integer(m * (m - 1)))?).divided_by(&whole(d))?;
            check.evaluated_again_above(
                format_args!("{name}, D = {d}: kept"),
                &features::closeness(m, d, &beta)?,
                &ours,
            );
            let q = ratio(13, 11);
            let added = of(&q)
                * (whole(2).divided_by(&whole(m).sqrt()?)?
                    + whole(8) * whole(d).sqrt()? * of(&ratio(1, 1 << 9)));
            check.evaluated_again_above(
                format_args!("{name}, D = {d}: what they add"),
                &features::excess(&q, m, d, 9)?,
                &added,
            );
        }
    }
    Ok(())
}

/// Theorem 3.1 and Lemma A.1. For `bms22.thm3_1` and `bms22.lemA_1`.
pub(super) fn pure(check: &mut Check) -> Result<(), Trouble> {
    check.certified("Theorem 3.1 and the guarantee of Algorithm 1 at given settings, the bound on a cover, Lemma A.1 and its count, evaluated again at parameters that have nothing in common");
    for (records, dimension, epsilon, beta, q) in [
        (1_000_003u64, 11u64, ratio(9, 7), ratio(1, 13), ratio(7, 5)),
        (
            10_000_019,
            1_000_003,
            ratio(11, 3),
            ratio(1, 5),
            ratio(11, 10),
        ),
    ] {
        let run = PureRun {
            records,
            dimension,
            epsilon: epsilon.clone(),
            beta: beta.clone(),
            ratio: q.clone(),
        };
        for part in [ratio(2, 7), ratio(3, 5)] {
            let setting = run.setting(&part)?;
            let name = format!("m = {records}, d = {dimension}, c = {part}");
            // (3 m + 1) e^(-k (gamma^2/4 - gamma^3/6)) <= beta/3, gamma = c/q
            let gamma = &part / &q;
            let exponent = gamma.pow(2) / integer(4) - gamma.pow(3) / integer(6);
            let rows = of(&(integer(3) * integer(3 * u128::from(records) + 1) / &beta))
                .ln()?
                .divided_by(&of(&exponent))?;
            let rows = u64::try_from(rows.hi().ceil())?;
            let (rows, part) = if rows < dimension {
                (Some(rows), part)
            } else {
                (None, integer(0))
            };
            let radius = (integer(1) - &part) / (&q + &part);
            let covered = rows.unwrap_or(dimension);
            check.holds(
                setting.rows == rows
                    && setting.part == part
                    && setting.radius == radius
                    && setting.covered == covered,
                format_args!("{name}: {setting:?}"),
            );
            let cover = cover_by_hand(covered, &radius)?;
            check.evaluated_again_above(
                format_args!("{name}: the cover"),
                &setting.log_cover,
                &cover,
            );
            let loss = ratio(1, 43);
            let odds = &cover + of(&(integer(3) / &beta)).ln()?;
            let training = of(&loss) + of_choice(&odds, &epsilon, records);
            // Sauer: k (1 + ln(2 m/k)).
            let growth = whole(covered)
                * (whole(1) + of(&(integer(2 * records) / integer(covered))).ln()?);
            let a = (growth + of(&(integer(12) / &beta)).ln()?).divided_by(&whole(records))?;
            let printed = &training + whole(2) * (&training * &a).sqrt()? + whole(4) * a;
            check.evaluated_again_above(
                format_args!("{name}: Theorem 3.1"),
                &run.theorem_3_1(&setting, &loss)?,
                &printed,
            );
            let alpha = of_finite_class(&training, &odds, records)?;
            if alpha.upper() < ratio(1, 2) {
                let found = run.guarantee(&setting, &loss)?;
                guaranteed(
                    check,
                    &name,
                    [&found.training, &found.alpha],
                    [&training, &alpha],
                );
            }
        }
    }
    lemma_a_1(check)
}

/// Lemma A.1, the count of subsets and the bound on a cover.
fn lemma_a_1(check: &mut Check) -> Result<(), Trouble> {
    for (training, growth, delta, m) in [
        (ratio(1, 7), ratio(31, 3), ratio(1, 17), 1009u64),
        (integer(0), ratio(2, 9), ratio(3, 5), 11),
    ] {
        let found = deviation::relative_deviation(&of(&training), &of(&growth), &delta, m)?;
        let a = (of(&growth) + of(&(integer(4) / &delta)).ln()?).divided_by(&whole(m))?;
        let again = of(&training) + whole(2) * (of(&training) * &a).sqrt()? + whole(4) * a;
        check.evaluated_again(format_args!("Lemma A.1 at m = {m}"), &found, &again);
    }
    for (points, dimension) in [(1u64, 1u64), (13, 4), (7, 7), (6, 11)] {
        // Row by row of Pascal's triangle.
        let mut row = vec![BigInt::from(1)];
        for _ in 0..points {
            let next = row.windows(2).map(|pair| &pair[0] + &pair[1]);
            row = std::iter::once(BigInt::from(1))
                .chain(next)
                .chain([BigInt::from(1)])
                .collect();
        }
        let sum: BigInt = row.iter().take(dimension as usize + 1).sum();
        check.holds(
            BigInt::from(deviation::growth(points, dimension)) == sum,
            format_args!("{points} points in dimension {dimension}"),
        );
        let again = match dimension >= points {
            true => whole(points) * whole(2).ln()?,
            false => {
                whole(dimension) * (whole(1) + of(&(integer(points) / integer(dimension))).ln()?)
            }
        };
        check.evaluated_again(
            format_args!("{points} points in dimension {dimension}: the logarithm"),
            &deviation::log_growth(points.into(), dimension)?,
            &again,
        );
    }
    for (dimension, radius) in [(3u64, ratio(2, 7)), (101, ratio(1, 11))] {
        check.evaluated_again(
            format_args!("a cover in dimension {dimension}"),
            &log_cover(dimension, &radius)?,
            &cover_by_hand(dimension, &radius)?,
        );
    }
    Ok(())
}

/// `k ln(sqrt(2 pi e/k) (Q + sqrt k)) - ln(pi k)/2`
fn cover_by_hand(dimension: u64, radius: &Rational) -> Result<Enclosure, Trouble> {
    let q = LatticeCover::rounding(usize::try_from(dimension)?, radius)?.denominator();
    let (k, pi) = (whole(dimension), Enclosure::pi(BITS));
    let base =
        (whole(2) * &pi * whole(1).exp()?).divided_by(&k)?.sqrt()? * (whole(q) + k.sqrt()?);
    Ok(&k * base.ln()? - (pi * &k).ln()?.divided_by(&whole(2))?)
}
