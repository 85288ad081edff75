//! One run of F' on a smoothed loss: its privacy, its steps, and what is printed of it, by formulas of the check's own.

use super::metered::smoothed_plan;
use super::{of, record};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::coins::{ChaCha, Coins, Meter, Outcomes, Promise, Stage};
use dp_assay::halfspaces::bounds::guarantee::of_full_batch;
use dp_assay::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan, smoothed_direction};
use dp_assay::halfspaces::{Dataset, HalfspaceError, Shape};
use dp_assay::law::Noise;
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::privacy::meter::meter;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// `nuz20.full-batch.smoothed`.
pub(super) fn smoothed(check: &mut Check) -> Result<(), Trouble> {
    parts(check)?;
    super::metered::smoothed(check)?;
    broken_twin(check)?;
    steps_once_more(check)?;
    runs_within(check)?;
    printed(check)
}

/// A record counts for at most one, wherever the descent is: for one exactly where the slope is whole.
fn parts(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "the part of a gradient that a record has: all records of the unit disc on the grid 2^-3, nine points, four widths, mu = 1/2",
    );
    let grid = Grid::new(3)?;
    let one = grid.one();
    let along = || -one..=one;
    let disc: Vec<[i64; 2]> = along()
        .flat_map(|x| along().map(move |y| [x, y]))
        .filter(|[x, y]| x * x + y * y <= one * one)
        .collect();
    let kink = one * one / 2;
    let mut longest = 0;
    for width in [1, 3, 4, 8] {
        for w in disc.iter().step_by(disc.len() / 8) {
            for point in &disc {
                let found = smoothed_direction(w, &[point.to_vec()], (kink, width), grid);
                longest = longest.max(found.iter().map(|x| x * x).sum());
                // The slope at this margin, from 0 to 1: by it, each coordinate towards zero, is off by less than 1 + |x|/2^3.
                let below = integer(kink - w[0] * point[0] - w[1] * point[1]);
                let slope = (below / integer(width * one)).clamp(integer(0), integer(1));
                for (found, x) in found.iter().zip(point) {
                    let exact = &slope * integer(*x);
                    let off = (&exact - integer(*found)).abs();
                    let inwards = integer(*found).abs() <= exact.abs();
                    check.holds(
                        inwards && off < integer(1) + ratio(x.abs(), one),
                        format_args!("w = {w:?}, y x = {point:?}, width {width}: {found}"),
                    );
                }
            }
        }
    }
    let text = "the longest part is one, of a record of norm 1";
    check.holds(longest == one * one, text);
    Ok(())
}

/// One noisy gradient at the end of the ball. A record that is three widths below the kink counts for one, or, in the twin, for three.
fn at_the_end(
    data: &Dataset,
    plan: &FullBatchPlan,
    most: i64,
    coins: &mut Meter,
) -> Result<Vec<BigInt>, HalfspaceError> {
    let (one, rho) = (data.grid().one(), plan.rho().rho().clone());
    let budget = &plan.parameters().budget;
    let whole = Promise::Approximate {
        epsilon: budget.epsilon().clone(),
        delta: budget.delta().clone(),
    };
    coins.stage(&Stage::steps(
        "the gradient",
        1,
        Promise::Concentrated(rho),
        whole,
    ));
    let sum: i64 = data
        .records()
        .iter()
        .map(|record| {
            let signed = if record.positive { 1 } else { -1 } * record.features[0];
            // At w = -1, the kink and the width 1/2.
            let part = ((one / 2 + signed) * 2).clamp(0, most * one);
            part * signed / one
        })
        .sum();
    Ok(coins.draw(&plan.noise().around_all([sum]))?)
}

/// What counts a record for as many widths as it is below the kink is refused.
fn broken_twin(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "a gradient whose parts are cut at 1, metered, and a broken twin of it, whose parts are not: n = 3 on the line",
    );
    let grid = Grid::new(8)?;
    let one = grid.one();
    let data = |first| {
        let records = [first, one, one].map(|x| record(&[x], true));
        Dataset::new(grid, 1, records.into())
    };
    let (first, second) = (data(one)?, data(0)?);
    let plan = smoothed_plan(("1", "1e-6"), (ratio(1, 2), Some(1)), first.shape())?;
    let report = |most: i64| {
        let learner = |data: &Dataset, coins: &mut Meter| at_the_end(data, &plan, most, coins);
        let drawn = Outcomes::drawn(ChaCha::reproducible(1, 0));
        meter(learner, &first, &second, drawn, &plan.parameters().budget)
    };
    check.sound(&report(1)?, "cut at 1");
    let faults = report(3)?.faults();
    check.holds(!faults.is_empty(), "not cut: refused");
    Ok(())
}

/// The steps from the noise that is drawn, which equal coins give once more: `T = 16` steps of length `1/(n/width + r)` in the plane,
/// where `T m sigma^2` is about `(n/width)^2`, towards records that all say +. A gradient is off by at most 2 for each of the 60
/// records, a step by `120 eta`, below 1, and by at most 1 in its move and 1 on the way back into the ball.
fn steps_once_more(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the smoothed steps once more, from the noise that is drawn, at most 64 steps of the grid 2^-20 apart: n = 60 equal records, \
         m = 2, mu = width = 3/5, T = 16, epsilon = 3, delta = 1e-6, eight seeds",
    );
    let (n, m, steps) = (60i64, 2, 16u64);
    let grid = Grid::new(20)?;
    let one = integer(grid.one());
    let data = Dataset::new(grid, m, vec![record(&[grid.one(), 0], true); n as usize])?;
    let plan = smoothed_plan(("3", "1e-6"), (ratio(3, 5), Some(steps)), data.shape())?;
    let mu = ratio(3, 5) * &one;
    let width = mu.ceil();
    let of_noise = integer(m as u64 * steps) * plan.noise().variance() / one.pow(2);
    let steepness = integer(n) * &one / &width;
    let root = |x: &Rational| Ok::<_, NumberError>(of(x).sqrt()?.lower());
    // The least integer above the root.
    let r = root(&of_noise.ceil())?.floor() + integer(1);
    check.holds(
        r > &steepness / integer(2) && r < &steepness * integer(2),
        "r is about n/width",
    );
    let length = (steepness + r).recip();
    for seed in 1..=8 {
        let model = plan.learn(&data, &mut ChaCha::reproducible(seed, 0))?;
        let mut coins = ChaCha::reproducible(seed, 0);
        let (mut w, mut sum) = (vec![integer(0); m], vec![integer(0); m]);
        for _ in 0..steps {
            sum = sum.iter().zip(&w).map(|(s, w)| s + w).collect();
            // The slope falls from 1 at margin 0 to 0 at margin mu.
            let slope = ((&mu - &w[0]) / &width).clamp(integer(0), integer(1));
            let gradient = (slope * integer(n) * &one).round().to_integer();
            let noisy = coins.draw(&plan.noise().around_all([gradient, BigInt::zero()]))?;
            for (w, g) in w.iter_mut().zip(noisy) {
                *w += integer(g) * &length;
            }
            let norm = root(&w.iter().map(|w| w.pow(2)).sum())?;
            if norm > one {
                w.iter_mut().for_each(|w| *w *= &one / &norm);
            }
        }
        for (found, sum) in model.candidates[0].iter().zip(sum) {
            let average = sum / integer(steps);
            check.holds(
                (integer(*found) - &average).abs() <= integer(64),
                format_args!("seed {seed}: the average is {found}, and not {average}"),
            );
        }
    }
    Ok(())
}

/// `X` of the statement without its terms of rounding: `n/T + (n/b + r)/(2T) + (sigma^2/(2r)) (m + 2 sqrt(m x/T) + 2 x/T)
/// + 2 sigma sqrt(2x/T)`.
fn stated(plan: &FullBatchPlan, x: &Enclosure) -> Result<Enclosure, NumberError> {
    let shape = plan.shape();
    let (n, m, steps) = (
        integer(shape.records as u64),
        integer(plan.dimension() as u64),
        integer(plan.steps()),
    );
    let one = integer(shape.grid.one());
    let variance = plan.noise().variance() / one.pow(2);
    let b = (&plan.parameters().margin * &one).ceil() / &one;
    let r = of(&(&m * &variance * &steps).ceil())
        .sqrt()?
        .lower()
        .floor()
        + integer(1);
    let path = &n / &steps + (&n / b + &r) / (integer(2) * &steps);
    let each = x * of(&steps.recip());
    let squares = of(&m) + ((&each * of(&m)).sqrt()? + &each).shifted(1);
    let noise = of(&(&variance / (integer(2) * r))) * squares;
    let across = (of(&variance) * each.shifted(1)).sqrt()?.shifted(1);
    Ok(of(&path) + noise + across)
}

/// The learner that ships, run: the smoothed loss of its average, exactly, is within the bound at `x = 27`. All runs together are
/// beyond it with probability at most `2 * 40 e^-27`, below 1e-9.
fn runs_within(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "40 smoothed runs of the learner that ships: 60 records of margin 3/5 in the plane, epsilon = 2, delta = 1e-6, 16 to 400 \
         steps, on the grid 2^-20",
    );
    let data = super::guarantee::of_margin_three_fifths()?;
    let one = data.grid().one();
    let (mu, mut nearest) = (ratio(3, 5), Rational::zero());
    for seed in 0..40u64 {
        let steps = [16, 50, 150, 400][seed as usize % 4];
        let plan = smoothed_plan(("2", "1e-6"), (mu.clone(), Some(steps)), data.shape())?;
        let model = plan.learn(&data, &mut ChaCha::reproducible(seed, 0))?;
        // Smoothed over all of the margin: 0 from mu on, (mu - s)^2/(2 mu) down to the margin 0, and mu/2 - s below it.
        let loss: Rational = data
            .records()
            .iter()
            .map(|record| {
                let sign = if record.positive { 1 } else { -1 };
                let product = sign * dot(&model.candidates[0], &record.features);
                let s = integer(product) / integer(one).pow(2);
                if s.is_negative() {
                    &mu / integer(2) - s
                } else {
                    (&mu - s).max(Rational::zero()).pow(2) / (integer(2) * &mu)
                }
            })
            .sum();
        // What rounding adds, e = 2 ceil(sqrt 2) 2^-20: below 1/100.
        let bound = stated(&plan, &of(&integer(27)))?.lower();
        check.holds(
            loss <= &bound + ratio(1, 100),
            format_args!("seed {seed}: a loss of {loss}"),
        );
        nearest = nearest.max(loss / bound);
    }
    check.figure("largest loss, of its bound", to_scientific(&nearest, 3));
    Ok(())
}

/// The error that the statement gives for a plan without projection: E = X/(mu - b/2 - e/2), at x = ln(3/beta).
fn least_error(plan: &FullBatchPlan, beta: &Rational) -> Result<Enclosure, NumberError> {
    let (shape, mu) = (plan.shape(), &plan.parameters().margin);
    let (n, m) = (shape.records as u64, shape.dimension as u64);
    let one = integer(shape.grid.one());
    let root = (1..).find(|root| root * root >= m).unwrap_or(1);
    let e = integer(2 * root) / &one;
    let b = (mu * &one).ceil() / &one;
    let variance = plan.noise().variance() / one.pow(2);
    let squared = (integer(m * plan.steps()) * variance).ceil();
    let r = of(&squared).sqrt()?.lower().floor() + integer(1);
    let rounding = (integer(n) / &b + r) * (integer(4) * &e + e.pow(2)) / integer(2)
        + integer(7 * n) * &e / integer(2);
    let x = of(&(integer(3) / beta)).ln()?;
    let counted = mu - b / integer(2) - &e / integer(2);
    let excess = (stated(plan, &x)? + of(&rounding)).divided_by(&of(&counted))?;
    // C = ln(6/beta) + m ln(2en/m)
    let growth = of(&ratio(2 * n as i64, m as i64)).ln()? + of(&integer(1));
    let class = of(&(integer(6) / beta)).ln()? + growth * of(&integer(m));
    super::guarantee::error(&excess, &class, &integer(n))
}

/// What is printed for plans of one smoothed run is what the statement gives, and at most 2 % larger.
fn printed(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "plans of one smoothed run, without projection: gamma = 9/10 and 1/2, n = 10^5 and 3 10^5, d = 20, epsilon = 1 and 4, beta = \
         1/10, delta = 1e-6, grid 2^-30; the hinge loss with its own steps, and with as many",
    );
    let (grid, beta) = (Grid::new(30)?, ratio(1, 10));
    for (gamma, records, epsilon) in [
        (ratio(9, 10), 100_000, "1"),
        (ratio(1, 2), 300_000, "1"),
        (ratio(1, 2), 100_000, "4"),
    ] {
        let name = format!("gamma = {gamma}, n = {records}, epsilon = {epsilon}");
        let shape = Shape {
            records,
            dimension: 20,
            grid,
        };
        let plan = |parameters: FullBatchParameters| -> Result<_, Trouble> {
            let plan = parameters.plan(shape)?;
            Ok((of_full_batch(&plan, &gamma, &beta)?.alpha, plan))
        };
        let budget = budget(epsilon, "1e-6")?;
        let hinge =
            FullBatchParameters::from_theorem((&beta, &beta), budget, &gamma, (records, 20))?
                .with_one_run(&gamma, 20)
                .with_margin_left(&gamma, shape);
        let (of_all, unsmoothed) = plan(hinge.clone())?;
        let all = unsmoothed.steps();
        let (alpha, smoothed) = plan(FullBatchParameters {
            smoothing: integer(1),
            ..hinge.clone()
        })?;
        let steps = smoothed.steps();
        let text = format!("{name}: smoothed it takes fewer steps");
        check.holds(smoothed.width().is_positive() && steps < all / 100, text);
        let as_many = FullBatchParameters {
            steps: Some(steps),
            ..hinge
        };
        let (of_as_many, _) = plan(as_many)?;
        let Some(alpha) = alpha else {
            check.holds(false, format_args!("{name}: no guarantee"));
            continue;
        };
        let least = least_error(&smoothed, &beta)?;
        check.holds(least.is_below_rational(&alpha), &name);
        check.holds(
            least.is_above_rational(&(&alpha * ratio(98, 100))),
            format_args!("{name}: a smaller error"),
        );
        let shown = |alpha: Option<Rational>| {
            alpha.map_or_else(|| "nothing".to_owned(), |alpha| alpha.to_string())
        };
        check.figure(
            &name,
            format_args!(
                "alpha = {alpha} with {steps} steps; the hinge loss {} with {all}, and {} with as many",
                shown(of_all),
                shown(of_as_many)
            ),
        );
    }
    Ok(())
}
