//! Lemma 3.1: the descent of a round, its sensitivity, its steps and its excess loss.

use super::of;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::margin::bounds::ErmRun;
use dp_assay::margin::descent::{Phase, Phases, slope_by_bisection};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// The squared distance of two integer vectors.
fn squared_distance(first: &[i128], second: &[i128]) -> BigInt {
    let pairs = first.iter().zip(second);
    pairs.map(|(a, b)| BigInt::from(a - b).pow(2)).sum()
}

/// `bms22.lem3_1.sens`: the sum of a phase of two runs that differ in one record.
pub(super) fn sensitivity(check: &mut Check) -> Result<(), Trouble> {
    all_sequences(check)?;
    repeated(check)?;
    chain(check)
}

/// On the line: every sequence of four points, the record that differs among them, from several starts.
fn all_sequences(check: &mut Check) -> Result<(), Trouble> {
    const R: i64 = 8;
    check.exact(
        "Phase::sum on the line, phases of four and two points, three margins, three steps: all sequences of three points \
         and the record that differs, all pairs of its values, three starts",
    );
    let values = [-R, 0, 5];
    let pairs = [(-R, R), (0, R), (-R, 3), (2, 5)];
    for tau in [integer(1), ratio(1, 2), ratio(1, 9)] {
        for step in [ratio(1, 4), integer(1), ratio(5, 2)] {
            let phases = Phases::new(1, R as u64, &tau, &step, 3)?;
            for phase in phases.iter().take(2) {
                let n = phase.samples() as u32;
                let one = 1i128 << phase.bits();
                let promised = phase.sensitivity().pow(2);
                for sequence in 0..4u32.pow(n) {
                    let digits: Vec<usize> = (0..n)
                        .map(|place| (sequence / 4u32.pow(place) % 4) as usize)
                        .collect();
                    let uses = digits.iter().filter(|digit| **digit == 3).count();
                    for (here, there) in pairs {
                        let sum = |own: i64, start: i128| {
                            let point =
                                |digit: &usize| [values.get(*digit).copied().unwrap_or(own)];
                            let points: Vec<[i64; 1]> = digits.iter().map(point).collect();
                            phase.sum(vec![start], points.iter().map(|point| &point[..]))
                        };
                        for start in [0, one, -one / 3] {
                            let moved = squared_distance(&sum(here, start), &sum(there, start));
                            check.holds(
                                moved <= &promised * BigInt::from(uses).pow(2),
                                format_args!("{tau} {step} {digits:?} {here} {there} {start}"),
                            );
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// The record that differs comes first, once to three times, and the others are 0.
fn repeated(check: &mut Check) -> Result<(), Trouble> {
    const R: i64 = 1 << 12;
    check.exact("Phase::sum on 512 points: the record that differs comes first, one to three times, the others are 0");
    let phases = Phases::new(2, R as u64, &integer(1), &ratio(1, 8), 10)?;
    let phase = phases
        .iter()
        .next()
        .ok_or(dp_assay::coins::CoinsError::NoOutcome)?;
    for uses in 1..=3usize {
        let sum = |own: i64| {
            let mut points = vec![[own, 0]; uses];
            points.resize(phase.samples() as usize, [0, 0]);
            phase.sum(Phase::origin(2), points.iter().map(|point| &point[..]))
        };
        let moved: BigInt = squared_distance(&sum(R), &sum(-R)).sqrt() + 1;
        let promised = phase.sensitivity() * BigInt::from(uses);
        check.attained(
            format_args!("distance of the sums, record read {uses} times"),
            &moved.into(),
            &promised.into(),
        );
    }
    Ok(())
}

/// An adversary for the hinge loss without smoothing: after the record that differs each point is at the kink of the one
/// run and just beyond that of the other, and otherwise new.
fn chain(check: &mut Check) -> Result<(), Trouble> {
    const R: i64 = 1 << 20;
    let log = if check.quick() { 6 } else { 7 };
    let n = 1usize << (log - 1);
    check.exact(format!(
        "the same on {n} points made against the hinge loss without smoothing: each moves one of its two runs, across the \
         direction in which they differ"
    ));
    let phases = Phases::new(n + 2, R as u64, &ratio(1, 32), &ratio(1, 3), log)?;
    let phase = phases
        .iter()
        .next()
        .ok_or(dp_assay::coins::CoinsError::NoOutcome)?;
    let raw = |product: i128, _: u128| {
        if product < phase.kink() {
            phase.steepest()
        } else {
            0
        }
    };
    let unit = |place: usize, size: i64| {
        let mut point = vec![0i64; n + 2];
        point[place] = size;
        point
    };
    // The record that differs, and a step that both runs take.
    let mut points = [vec![unit(0, R), unit(1, R)], vec![unit(0, -R), unit(1, R)]];
    let last = |points: &[Vec<i64>]| -> Vec<i128> {
        // The last hypothesis: the sum with one more point, less the sum.
        let origin = || Phase::origin(n + 2);
        let zero = unit(0, 0);
        let all = points.iter().map(|point| &point[..]);
        let more = phase.sum_with(origin(), all.clone().chain([&zero[..]]), raw);
        let sum = phase.sum_with(origin(), all, raw);
        more.iter()
            .zip(&sum)
            .map(|(more, sum)| more - sum)
            .collect()
    };
    let mut straddled = 0u64;
    for place in 2..n {
        let (u, other) = (last(&points[0]), last(&points[1]));
        let Some(mut point) = at_both_kinks([&u, &other], phase.kink()) else {
            break;
        };
        point.resize(n + 2, 0);
        let squared: i128 = point.iter().map(|&z| i128::from(z).pow(2)).sum();
        let left = i128::from(R).pow(2) - squared;
        point[place] = if left > 0 { left.isqrt() as i64 } else { 0 };
        let product =
            |u: &[i128]| -> i128 { u.iter().zip(&point).map(|(u, &z)| u * i128::from(z)).sum() };
        straddled += u64::from((product(&u) < phase.kink()) != (product(&other) < phase.kink()));
        points[0].push(point.clone());
        points[1].push(point);
    }
    let distance = |rule: &dyn Fn(&[Vec<i64>]) -> Vec<i128>| -> Rational {
        let moved = squared_distance(&rule(&points[0]), &rule(&points[1])).sqrt();
        Rational::new(moved, phase.sensitivity())
    };
    let origin = || Phase::origin(n + 2);
    let raw =
        distance(&|points| phase.sum_with(origin(), points.iter().map(|point| &point[..]), raw));
    let smoothed = distance(&|points| phase.sum(origin(), points.iter().map(|point| &point[..])));
    check.holds(smoothed <= integer(1), format_args!("smoothed: {smoothed}"));
    check.holds(
        raw > ratio(6, 5) && straddled as usize >= n - 8,
        "without smoothing the points are no adversary",
    );
    let shown = dp_assay::number::rational::shortly;
    check.figure("distance over the promise, smoothed", shown(&smoothed));
    check.figure("distance over the promise, without smoothing", shown(&raw));
    Ok(())
}

/// A point of the first two coordinates whose product with the one hypothesis is a little below the kink, and with the other
/// a little above it: by Cramer's rule, rounded.
fn at_both_kinks([u, other]: [&[i128]; 2], kink: i128) -> Option<Vec<i64>> {
    let big = |value: i128| BigInt::from(value);
    let (a, b, c, d) = (big(u[0]), big(u[1]), big(other[0]), big(other[1]));
    let determinant = &a * &d - &b * &c;
    if determinant.is_zero() {
        return None;
    }
    // More than rounding moves a product.
    let apart = u[0].abs() + u[1].abs() + other[0].abs() + other[1].abs();
    let (below, above) = (big(kink - apart), big(kink + apart));
    let x = (&below * &d - &above * &b) / &determinant;
    let y = (&above * &a - &below * &c) / &determinant;
    Some(vec![x.to_i64()?, y.to_i64()?])
}

/// `bms22.lem3_1.prox`: the step against the condition for a minimum, and bisection against its promise.
pub(super) fn proximal_step(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "Phase::coefficient, four phases, points of squared norm 0 to 64: around the margin and where the slope is constant, \
         against the condition for the minimum of the hinge loss and a parabola; and against bisection",
    );
    let phases = Phases::new(2, 8, &ratio(1, 2), &ratio(1, 2), 4)?;
    for (i, phase) in (1i64..).zip(phases.iter()) {
        let (c_most, kink) = (phase.steepest(), phase.kink());
        for norm_squared in [0u128, 1, 2, 37, 64] {
            // From the margin down to where the step is the longest.
            let reach = (c_most * norm_squared as i128) << (2 * i - 2).min(40);
            for part in -2..=34i128 {
                let product = kink - reach * part / 32 - part;
                let c = phase.coefficient(product, norm_squared);
                if norm_squared == 0 {
                    check.holds(c == 0, "a point that is 0");
                    continue;
                }
                // With f(s) = C max(0, kink - s): some real number within one of c is a slope of -f at product + c/theta.
                let theta =
                    ratio(8, 1) / BigInt::from(4).pow(i as u32) / BigInt::from(norm_squared);
                let place = |c: i128| integer(product) + integer(c) / &theta - integer(kink);
                let slopes = |place: Rational| match place.numer().sign() {
                    num_bigint::Sign::Minus => (c_most, c_most),
                    num_bigint::Sign::NoSign => (0, c_most),
                    num_bigint::Sign::Plus => (0, 0),
                };
                let (_, highest) = slopes(place(c));
                let (lowest, _) = slopes(place(c + 1));
                let instance = format!("phase {i}, |z|^2 = {norm_squared}, part {part}");
                check.holds(highest >= c && lowest < c + 1, &instance);
                // Bisection knows nothing of the closed form.
                let rises = |s: &Rational| -> Rational {
                    if *s < integer(kink) {
                        -integer(c_most)
                    } else {
                        integer(0)
                    }
                };
                let halvings = 12;
                let most = integer(c_most);
                let slope = slope_by_bisection(rises, &most, &theta, &integer(product), halvings)?;
                let off = (-slope - integer(c)).abs();
                let allowed = most / BigInt::from(1u32 << halvings) + integer(1);
                check.holds(off <= allowed, &instance);
            }
        }
    }
    let mut worst = Rational::zero();
    for halvings in [0u32, 1, 5, 10] {
        for tenths in -20..=20i64 {
            // |s| with its kink at 0, curvature 3: the slope is 3 v, cut off at 1.
            let v = ratio(tenths, 10) / integer(3) + ratio(1, 97);
            let sign = |s: &Rational| integer(s.numer().signum());
            let found = slope_by_bisection(sign, &integer(1), &integer(3), &v, halvings)?;
            let exact = (integer(3) * &v).max(integer(-1)).min(integer(1));
            let error = (found - exact).abs() * BigInt::from(1u64 << halvings);
            worst = worst.max(error);
        }
    }
    check.attained("error of bisection times 2^halvings", &worst, &integer(1));
    Ok(())
}

/// `bms22.lem3_1.util`: the parts of its proof on the shipped descent, and their sum.
pub(super) fn excess(check: &mut Check) -> Result<(), Trouble> {
    super::edges::rounds(check)?;
    super::printed::erm(check)?;
    every_path(check)?;
    smoothing(check)?;
    next_start(check)?;
    the_sum(check)
}

/// The value at `s` of `max(0, tau - s)` smoothed with curvature `theta`: the least of `max(0, tau - t) + theta/2 (t - s)^2`.
fn smoothed(tau: &Rational, theta: &Rational, s: &Rational) -> Rational {
    let below = tau - s;
    if !below.is_positive() {
        Rational::zero()
    } else if theta * &below <= integer(1) {
        theta * &below * &below / BigInt::from(2)
    } else {
        below - (theta * BigInt::from(2)).recip()
    }
}

/// On every sequence of four points of the plane: the smoothed loss of the hypotheses where gradients were taken, less that of
/// a comparator; and the hypotheses are in the ball.
fn every_path(check: &mut Check) -> Result<(), Trouble> {
    const R: i64 = 8;
    check.exact(
        "sequences of four of four points of the plane (all of them in a thorough run), two margins, three steps, three \
         starts, nine comparators: the sum \
         of the smoothed losses of the hypotheses of Phase::sum, less the comparator's; the hypotheses in the ball",
    );
    let values: [[i64; 2]; 4] = [[R, 0], [-5, 6], [0, -R], [0, 0]];
    let comparators: Vec<[Rational; 2]> = [-1i64, 0, 1]
        .into_iter()
        .flat_map(|x| [-1i64, 0, 1].map(|y| [ratio(x * 5, 8), ratio(y * 5, 8)]))
        .collect();
    let mut nearest = integer(-1);
    for tau in [integer(1), ratio(1, 3)] {
        for step in [ratio(1, 2), integer(2), integer(4)] {
            let phases = Phases::new(2, R as u64, &tau, &step, 3)?;
            let Some(phase) = phases.iter().next() else {
                continue;
            };
            let one = BigInt::from(1) << phase.bits();
            let value = |u: i128| Rational::new(u.into(), one.clone());
            let length = &step / BigInt::from(4);
            let starts = [
                [0, 0],
                [1i128 << phase.bits(), 0],
                [0, -(1i128 << (phase.bits() - 1))],
            ];
            for (sequence, start) in (0..256usize).flat_map(|s| starts.iter().map(move |t| (s, t)))
            {
                if !check.thorough() && sequence % (if check.quick() { 17 } else { 5 }) != 0 {
                    continue;
                }
                let points: Vec<&[i64]> = (0..4)
                    .map(|place| &values[sequence >> (2 * place) & 3][..])
                    .collect();
                let sum = |count: usize| phase.sum(start.to_vec(), points[..count].iter().copied());
                let mut losses = vec![Rational::zero(); comparators.len()];
                let mut before = sum(0);
                for (place, z) in points.iter().enumerate() {
                    let after = sum(place + 1);
                    let u: Vec<i128> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
                    before = after;
                    let norm: BigInt = u.iter().map(|&u| BigInt::from(u).pow(2)).sum();
                    check.holds(
                        norm <= one.pow(2),
                        format_args!("{points:?}: outside the ball"),
                    );
                    let norm_squared = z.iter().map(|z| z * z).sum::<i64>();
                    if norm_squared == 0 {
                        continue;
                    }
                    // B/q = 8/h, over |z|^2.
                    let theta = integer(8 * R * R) / (&step * integer(norm_squared));
                    let product = |w: &[Rational; 2]| {
                        (&w[0] * integer(z[0]) + &w[1] * integer(z[1])) / integer(R)
                    };
                    let own = smoothed(&tau, &theta, &product(&[value(u[0]), value(u[1])]));
                    for (sum, c) in losses.iter_mut().zip(&comparators) {
                        *sum += &own - smoothed(&tau, &theta, &product(c));
                    }
                }
                for (sum, c) in losses.iter().zip(&comparators) {
                    let squared: Rational = c
                        .iter()
                        .zip(start)
                        .map(|(c, &s)| (c - value(s)).pow(2))
                        .sum();
                    // |start - c|^2/(2 h_1) + n h_1/2, and the rounding.
                    let bound = squared / (&length * BigInt::from(2)) + &length * BigInt::from(2);
                    let rounding = ratio(1, 64);
                    check.holds(
                        *sum <= &bound + rounding,
                        format_args!(
                            "tau = {tau}, h = {step}, {points:?} against {c:?}: {sum} > {bound}"
                        ),
                    );
                    nearest = nearest.max(sum / bound);
                }
            }
        }
    }
    check.figure(
        "loss less the comparator's, over its bound, at most",
        dp_assay::number::rational::shortly(&nearest),
    );
    Ok(())
}

/// What smoothing takes from the loss: between nothing and `h |z|^2/16`.
fn smoothing(check: &mut Check) -> Result<(), Trouble> {
    check.exact("max(0, tau - s) less its smoothed value, on a grid: between 0 and h |z|^2/16");
    let mut worst = Rational::zero();
    for (tau, step) in [(integer(1), ratio(1, 2)), (ratio(1, 3), integer(2))] {
        for norm_squared in [ratio(1, 4), integer(1)] {
            let theta = integer(8) / (&step * &norm_squared);
            let most = &step * &norm_squared / BigInt::from(16);
            for sixteenths in -32..=32i64 {
                let s = ratio(sixteenths, 16);
                let loss = (&tau - &s).max(integer(0));
                // By its definition, at the places where the least can be.
                let at = |t: Rational| {
                    let loss = (&tau - &t).max(integer(0));
                    loss + &theta * (t - &s).pow(2) / BigInt::from(2)
                };
                let least = [tau.clone(), s.clone(), &s + theta.recip()].map(at);
                let least = least.into_iter().min().unwrap_or_default();
                let value = smoothed(&tau, &theta, &s);
                check.holds(value == least, format_args!("{tau} {theta} {s}"));
                let lost = loss - value;
                check.holds(!lost.is_negative(), format_args!("{tau} {theta} {s}"));
                worst = worst.max(lost / &most);
            }
        }
    }
    check.attained(
        "loss taken by smoothing, over h |z|^2/16",
        &worst,
        &integer(1),
    );
    Ok(())
}

/// The start of a phase is no farther from the mean of the phase before than its noise.
fn next_start(check: &mut Check) -> Result<(), Trouble> {
    check.exact("Phase::start after 300 noises of three sizes: no farther from the mean than the noise and a step of the grid");
    let phases = Phases::new(3, 16, &ratio(1, 2), &integer(1), 4)?;
    let mut coins = ChaCha::reproducible(1, 0);
    let list: Vec<&Phase> = phases.iter().collect();
    let (before, next) = (list[0], list[1]);
    let mean_one = BigInt::from(before.samples()) << before.bits();
    for number in 0..300u32 {
        // A mean in the ball, and noise of up to 1/8, 1 or 8.
        let mut draw = |size: &BigInt| -> Result<BigInt, Trouble> {
            Ok(size * (BigInt::from(coins.bits(20)?) - (1 << 19)) / (1 << 19))
        };
        let inside = &mean_one / 2;
        let size = &mean_one * 8 / BigInt::from(8).pow(number % 3);
        let mut mean = Vec::new();
        let mut noise = Vec::new();
        for _ in 0..3 {
            mean.push(draw(&inside)?);
            noise.push(draw(&size)?);
        }
        let released: Vec<BigInt> = mean.iter().zip(&noise).map(|(a, b)| a + b).collect();
        let start = next.start(before, &released);
        let squared: BigInt = start.iter().map(|&u| BigInt::from(u).pow(2)).sum();
        let inside = squared <= BigInt::from(1) << (2 * next.bits());
        check.holds(inside, format_args!("noise {number}: outside the ball"));
        // Both in steps of the finer grid: the sum over n at the bits of the next phase.
        let shift = next.bits() - before.bits();
        let moved: BigInt = start
            .iter()
            .zip(&mean)
            .map(|(&found, mean)| {
                ((BigInt::from(found) * before.samples()) - (mean << shift)).pow(2)
            })
            .sum();
        let noise: BigInt = noise.iter().map(|noise| (noise << shift).pow(2)).sum();
        let rounding = BigInt::from(4 * before.samples());
        check.holds(
            moved.sqrt() <= noise.sqrt() + rounding,
            format_args!("noise {number}"),
        );
    }
    Ok(())
}

/// The bound of a round, phase by phase, against the formula that is shipped.
fn the_sum(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "ErmRun::expected_excess, m from 2 to 10^6, 1 to 4096 dimensions, multipliers 0 to 200, three steps: not below the sum \
         over the phases, and not above by more than a hundredth and the rounding",
    );
    for m in [2u64, 100, 10_000, 1_000_000] {
        for (k, nu) in [(1u64, 0i64), (20, 8), (4096, 41), (100, 200)] {
            for step in [ratio(1, 3), ratio(1, 100), ratio(1, 5000)] {
                let run = ErmRun {
                    records: m,
                    dimension: k,
                    ratio: integer(3),
                    radius: 1 << 20,
                    epsilon: integer(1),
                    rounds: 6,
                    multiplier: integer(nu),
                    step: step.clone(),
                    acceptance: integer(1),
                };
                let shipped = run.expected_excess()? / integer(3);
                // In units of q: |start - comparator|^2/(2 h_i n_i) + h_i/2 a phase, the noise of the last, smoothing.
                let phases = m.ilog2();
                let samples = |i: u32| integer(1u64 << (phases - i));
                let length = |i: u32| &step / BigInt::from(4).pow(i);
                // The noise of a phase: k coordinates of deviation 2 h_i nu.
                let noise = |i: u32| (length(i) * integer(2 * nu)).pow(2) * integer(k);
                let mut sum = &step / integer(16);
                for i in 1..=phases {
                    let apart = if i == 1 { integer(1) } else { noise(i - 1) };
                    sum += apart / (length(i) * samples(i) * integer(2)) + length(i) / integer(2);
                }
                let last = of(&noise(phases)).sqrt()?;
                let instance = format!("m = {m}, k = {k}, nu = {nu}, h = {step}");
                check.holds((&shipped - &sum) >= last.upper(), &instance);
                // The closed form sums all phases to infinity.
                let more = ratio(101, 100) * (&sum + last.upper()) + ratio(1, 10);
                check.holds(m < 10_000 || shipped <= more, &instance);
                if m == 10_000 && k == 20 {
                    let figure = dp_assay::number::rational::to_scientific_above(&shipped, 3);
                    check.figure(format_args!("E1/q, {instance}"), figure);
                }
            }
        }
    }
    Ok(())
}
