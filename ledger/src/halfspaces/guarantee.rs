//! What the learners print as the guarantee of a run, by formulas of the checks' own.

use super::sample_complexity::goals;
use super::{BITS, exponent, of, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::coins::ChaCha;
use dp_assay::halfspaces::bounds::guarantee::{of_full_batch, of_pure};
use dp_assay::halfspaces::bounds::{Guarantee, Projection, PureRun};
use dp_assay::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::pure::PureParameters;
use dp_assay::halfspaces::steps::overridden;
use dp_assay::halfspaces::{Dataset, Shape};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use num_bigint::BigUint;
use num_traits::Zero;

/// `2 n e^(-m E(kappa))` at the largest kappa that leaves the margin `kept` of `gamma`: `(gamma - kappa)/(1 - gamma kappa) =
/// kept`.
fn lost(n: u64, rows: u64, gamma: &Rational, kept: &Rational) -> Result<Enclosure, NumberError> {
    let kappa = (gamma - kept) / (integer(1) - gamma * kept);
    let each = Enclosure::exp_of(&(-exponent(&kappa) * integer(rows)), BITS)?;
    Ok(each * of(&integer(2 * n)))
}

/// That `alpha` is what `nuz20.thm11.run` asks for, and no more than 1/500 above it.
fn pure_holds(
    check: &mut Check,
    run: &PureRun,
    guarantee: &Guarantee,
    name: &str,
) -> Result<(), Trouble> {
    let Some(alpha) = &guarantee.alpha else {
        check.holds(false, format_args!("{name}: {}", guarantee.reason));
        return Ok(());
    };
    let kept = &run.radius + &run.threshold;
    let lost = match run.projection {
        Projection::None => of(&integer(0)),
        Projection::Signs { rows } => lost(run.records, rows, &run.gamma, &kept)?,
    };
    check.holds(kept <= run.gamma && lost.is_below_rational(&run.beta), name);
    let left = of(&run.beta) - lost;
    // |W| (1 - alpha (1 - e^(-epsilon/2)))^n, in logarithms, against b.
    let keeps = Enclosure::exp_of(&(-&run.epsilon / integer(2)), BITS)?;
    let drawn = |alpha: &Rational| -> Result<Enclosure, NumberError> {
        let each = of(&integer(1)) - of(alpha) + of(alpha) * &keeps;
        Ok(of(&integer(run.net.clone())).ln()? + each.ln()? * of(&integer(run.records)))
    };
    let allowed = left.ln()?;
    check.holds(drawn(alpha)?.upper() <= allowed.lower(), name);
    let enough = !allowed.is_below(&drawn(&(alpha * ratio(499, 500)))?);
    check.holds(!enough, format_args!("{name}: a smaller error"));
    check.figure(name, format_args!("alpha = {alpha}"));
    Ok(())
}

/// `nuz20.thm11.run`.
pub(super) fn pure_run(check: &mut Check) -> Result<(), Trouble> {
    check.certified("learners without projection: gamma = 1/2 and 9/10, d = 2 and 3, n = 2000 and 100000, epsilon in {1/10, 1, 10}");
    let beta = ratio(1, 10);
    for (gamma, d) in [(ratio(1, 2), 2usize), (ratio(9, 10), 3)] {
        for n in [2000usize, 100_000] {
            for epsilon in [ratio(1, 10), integer(1), integer(10)] {
                let parameters =
                    PureParameters::from_theorem(&ratio(1, 10), &beta, &epsilon, &gamma, n, d)?;
                let run = PureRun {
                    records: n as u64,
                    projection: Projection::None,
                    epsilon: epsilon.clone(),
                    gamma: gamma.clone(),
                    beta: beta.clone(),
                    radius: &gamma / integer(10),
                    threshold: &gamma / integer(10),
                    net: parameters.cover(d)?.count_at_most(u128::MAX)?.into(),
                };
                let name = format!("gamma = {gamma}, d = {d}, n = {n}, epsilon = {epsilon}");
                pure_holds(check, &run, &of_pure(&parameters, (n, d), &beta)?, &name)?;
            }
        }
    }
    check.certified("runs with a projection to 900 and to 2000 rows, thresholds 0 and 1/20; the least number of rows that is not vacuous");
    for threshold in [integer(0), ratio(1, 20)] {
        let run = |rows: u64| PureRun {
            records: 20_000,
            projection: Projection::Signs { rows },
            epsilon: integer(1),
            gamma: ratio(1, 2),
            beta: beta.clone(),
            radius: ratio(1, 5),
            threshold: threshold.clone(),
            net: BigUint::from(10u32).pow(90),
        };
        for rows in [900, 2000] {
            let name = format!("{rows} rows, threshold {threshold}");
            pure_holds(check, &run(rows), &run(rows).guarantee()?, &name)?;
        }
        let kept = ratio(1, 5) + &threshold;
        let mut least = 1;
        while !lost(20_000, least, &ratio(1, 2), &kept)?.is_below_rational(&beta) {
            least += 1;
        }
        check.holds(
            run(least - 1).guarantee()?.alpha.is_none()
                && run(least).guarantee()?.reason.contains("errs on none"),
            format_args!("{least} rows, threshold {threshold}"),
        );
    }
    check.certified(
        "a run with a projection to 5000 rows, r + t = 3/5, at gamma = 1/2 and at gamma = 3/4",
    );
    let run = |gamma: Rational| PureRun {
        records: 20_000,
        projection: Projection::Signs { rows: 5000 },
        epsilon: integer(1),
        gamma,
        beta: beta.clone(),
        radius: ratio(2, 5),
        threshold: ratio(1, 5),
        net: BigUint::from(10u32).pow(90),
    };
    // At gamma = 1/2 kappa is negative, and 2n e^(-m E(kappa)) would be below beta all the same.
    let kept = ratio(3, 5);
    let spoiled = lost(20_000, 5000, &ratio(1, 2), &kept)?;
    check.holds(spoiled.is_below_rational(&beta), "a negative kappa");
    check.holds(
        run(ratio(1, 2)).guarantee()?.alpha.is_none(),
        "r + t > gamma promises nothing",
    );
    let name = "5000 rows, r + t = 3/5, gamma = 3/4";
    pure_holds(
        check,
        &run(ratio(3, 4)),
        &run(ratio(3, 4)).guarantee()?,
        name,
    )?;
    check.exact(
        "a run without projection whose net has radius gamma = 1: its point may err everywhere",
    );
    let origin = PureRun {
        records: 1_000_000,
        projection: Projection::None,
        epsilon: integer(1),
        gamma: integer(1),
        beta,
        radius: integer(1),
        threshold: integer(0),
        net: BigUint::from(1u32),
    };
    check.holds(
        origin.guarantee()?.alpha.is_none(),
        "r = gamma, t = 0: a tie is bad",
    );
    Ok(())
}

/// What `nuz20.thm6.run` states for a plan.
struct Stated {
    /// `E`.
    excess: Enclosure,
    /// `ln(6/b) + v ln(2en/v)`.
    class: Enclosure,
    /// `n`.
    records: Rational,
}

impl Stated {
    /// `((1 + zeta) E + 1 + C/lambda)/n` at `e^lambda + e^(-(1+zeta) lambda) = 2`; the least over these values of lambda.
    fn least(&self, lambdas: impl IntoIterator<Item = Rational>) -> Result<Enclosure, NumberError> {
        let mut least: Option<Enclosure> = None;
        for lambda in lambdas {
            // (1 + zeta) lambda = -ln(2 - e^lambda)
            let other = (of(&integer(2)) - Enclosure::exp_of(&lambda, BITS)?).ln()?;
            let sum = (&self.class - &self.excess * other).divided_by(&of(&lambda))?;
            let error = (sum + of(&integer(1))).divided_by(&of(&self.records))?;
            least = Some(least.map_or(error.clone(), |least| least.min(&error)));
        }
        Ok(least.unwrap_or_else(|| of(&integer(1))))
    }
}

/// The error that an excess of so many errors and such a class give, `C = ln(6/b) + v ln(2en/v)`.
pub(super) fn error(
    excess: &Enclosure,
    class: &Enclosure,
    n: &Rational,
) -> Result<Enclosure, NumberError> {
    let stated = Stated {
        excess: excess.clone(),
        class: class.clone(),
        records: n.clone(),
    };
    stated.least(its_lambdas())
}

/// The values of lambda that the library tries: `2^-j s/16`, `s = 6, ..., 11`, `j = 0, ..., 11`.
fn its_lambdas() -> impl Iterator<Item = Rational> {
    (0..12).flat_map(|j| (6..=11).map(move |s| ratio(s, 16 << j)))
}

/// 78 others.
fn other_lambdas() -> impl Iterator<Item = Rational> {
    let small = (1..=9).map(|i| ratio(i, 1000));
    small.chain((1..=69).map(|i| ratio(i, 100)))
}

/// The error that `nuz20.thm6.run` states for a plan, from the noise that it draws.
fn stated(plan: &FullBatchPlan, gamma: &Rational, beta: &Rational) -> Result<Stated, Trouble> {
    let shape = plan.shape();
    let parameters = plan.parameters();
    let (n, m) = (integer(shape.records as u64), plan.dimension() as u64);
    let (mu, k, steps) = (
        &parameters.margin,
        integer(parameters.runs.value),
        integer(plan.steps()),
    );
    let one = integer(shape.grid.one());
    // ceil(sqrt m) steps of the grid
    let root = (1u64..).find(|root| root * root >= m).unwrap_or(1);
    let rounding = integer(root) / &one;
    let left = match parameters.projected_dimension.value {
        None => of(beta),
        Some(rows) => of(beta) - lost(shape.records as u64, rows as u64, gamma, &(mu + &rounding))?,
    };
    // G = sqrt(n^2 + m sigma^2), in units of 1/mu.
    let squared = n.pow(2) + integer(m) * plan.noise().variance() / one.pow(2);
    let descent = of(&(&squared / &steps)).sqrt()?;
    let e = &rounding * integer(2);
    let rounded = of(&(&squared * &steps)).sqrt()? * of(&(&e * integer(2) + e.pow(2) / integer(2)))
        + of(&(&n * &e / integer(2)));
    let odds = of(&integer(3)).divided_by(&left)?;
    let excess = if k == integer(1) {
        let variance = plan.noise().variance() / one.pow(2);
        (likely(&n, m, (&steps, &variance), &odds.ln()?)? + rounded).divided_by(&of(mu))?
    } else {
        let one_run = (descent + rounded).divided_by(&of(mu))?;
        let best = (odds.ln()? * of(&k.recip())).exp()? * one_run;
        let epsilon = parameters.budget.epsilon() / integer(2);
        let range = integer(1) + mu.recip();
        best + of(&(integer(2) * range / epsilon)) * (odds * of(&k)).ln()?
    };
    let excess = excess.divided_by(&of(&(integer(1) - rounding / mu)))?;
    let v = integer(m.min(shape.dimension as u64));
    let growth = of(&v) * (of(&(integer(2) * &n / &v)).ln()? + of(&integer(1)));
    let class = of(&integer(6)).divided_by(&left)?.ln()? + growth;
    Ok(Stated {
        excess,
        class,
        records: n,
    })
}

/// `mu X` of `nuz20.full-batch.one-run`, without rounding.
fn likely(
    n: &Rational,
    m: u64,
    (steps, variance): (&Rational, &Rational),
    x: &Enclosure,
) -> Result<Enclosure, NumberError> {
    let rows = integer(m);
    let squared = n.pow(2) + &rows * variance;
    let root = of(&(&squared * steps)).sqrt()?; // G sqrt T
    // Q = n^2 + m sigma^2 + 2 sigma^2 (sqrt(m x/T) + x/T)
    let deviation = (x * of(&(&rows / steps))).sqrt()? + x * of(&steps.recip());
    let q = of(&squared) + of(&(integer(2) * variance)) * deviation;
    let first = of(&(&squared / integer(2))).divided_by(&root)?;
    let second = q.divided_by(&root.shifted(1))?;
    let path = of(&integer(4)) + of(&n.pow(2)).divided_by(&root.squared())?;
    let third = (of(&(integer(2) * variance / steps)) * x * path).sqrt()?;
    Ok(first + second + third)
}

/// `nuz20.full-batch.one-run`.
pub(super) fn one_run(check: &mut Check) -> Result<(), Trouble> {
    check.certified("plans of one run of F' for three goals, without projection: n = 5 10^4 and 10^5, d = 20, epsilon = 1, grid 2^-30");
    let bits = 30;
    for (name, alpha, beta, gamma) in goals(false) {
        for (n, epsilon) in [(50_000usize, 1), (100_000, 1)] {
            let budget = budgets::approximate(integer(epsilon), ratio(1, 1_000_000))?;
            let shape = Shape {
                records: n,
                dimension: 20,
                grid: Grid::new(bits)?,
            };
            let several =
                FullBatchParameters::from_theorem((&alpha, &beta), budget, &gamma, (n, 20))?;
            let one = several.clone().with_one_run(&gamma, 20);
            let printed = |parameters: FullBatchParameters| -> Result<_, Trouble> {
                let plan = parameters.with_margin_left(&gamma, shape).plan(shape)?;
                Ok((of_full_batch(&plan, &gamma, &beta)?.alpha, plan))
            };
            let name = format!("{name}, n = {n}, epsilon = {epsilon}, grid 2^-{bits}");
            let (Some(alpha), plan) = printed(one)? else {
                check.holds(false, format_args!("{name}: no guarantee"));
                continue;
            };
            let least = stated(&plan, &gamma, &beta)?.least(its_lambdas())?;
            check.holds(least.is_below_rational(&alpha), &name);
            check.holds(
                least.is_above_rational(&(&alpha * ratio(98, 100))),
                format_args!("{name}: a smaller error"),
            );
            let (before, _) = printed(several)?;
            check.holds(
                before.as_ref().is_none_or(|before| alpha < *before),
                format_args!("{name}: better than several runs"),
            );
            let before = before.map_or_else(|| "nothing".to_owned(), |before| before.to_string());
            check.figure(
                &name,
                format_args!("alpha = {alpha}, of several runs {before}"),
            );
        }
    }
    runs_within(check)
}

/// 60 records of margin 3/5 in the plane, on the grid 2^-20.
pub(super) fn of_margin_three_fifths() -> Result<Dataset, Trouble> {
    let grid = Grid::new(20)?;
    let one = grid.one();
    let corners = [[12, 9], [12, -9], [15, 0]].map(|x| x.map(|x| x * one / 15));
    let records = (0..60).map(|i| {
        let sign = if i % 2 == 0 { 1 } else { -1 };
        record(&corners[i % 3].map(|x| sign * x), i % 2 == 0)
    });
    Ok(Dataset::new(grid, 2, records.collect())?)
}

/// The learner that ships, run: the loss of its average, exactly, is within the bound at `x = 27`. All runs together are beyond it
/// with probability at most `2 * 40 e^-27`, below 1e-9.
fn runs_within(check: &mut Check) -> Result<(), Trouble> {
    check.certified("40 runs of the learner that ships: 60 records of margin 3/5 in the plane, epsilon = 2, delta = 1e-6, 16 to 400 steps, on the grid 2^-20");
    let data = of_margin_three_fifths()?;
    let one = data.grid().one();
    let (mu, n, mut nearest) = (ratio(3, 5), integer(60), Rational::zero());
    for seed in 0..40u64 {
        let budget = budget("2", "1e-6")?;
        let steps = [16, 50, 150, 400][seed as usize % 4];
        let plan = FullBatchParameters {
            budget,
            margin: mu.clone(),
            smoothing: integer(0),
            projected_dimension: overridden(None),
            runs: overridden(1),
            steps: Some(steps),
        }
        .plan(data.shape())?;
        let model = plan.learn(&data, &mut ChaCha::reproducible(seed, 0))?;
        // The records are y x, and lose max(0, 1 - <w, y x>/mu).
        let loss: Rational = data
            .records()
            .iter()
            .map(|record| {
                let sign = if record.positive { 1 } else { -1 };
                let product = sign * dot(&model.candidates[0], &record.features);
                let margin = integer(product) / integer(one).pow(2);
                (integer(1) - margin / &mu).max(Rational::zero())
            })
            .sum();
        let variance = plan.noise().variance() / integer(one).pow(2);
        let steps = integer(steps);
        let bound = likely(&n, 2, (&steps, &variance), &of(&integer(27)))?;
        // What rounding adds, e = 2 ceil(sqrt 2) 2^-20: below 1/100.
        let bound = bound.divided_by(&of(&mu))?.lower();
        check.holds(
            loss <= &bound + ratio(1, 100),
            format_args!("seed {seed}: a loss of {loss}"),
        );
        nearest = nearest.max(loss / bound);
    }
    check.figure("largest loss, of its bound", to_scientific(&nearest, 3));
    Ok(())
}

/// `nuz20.thm6.run`.
pub(super) fn full_batch_run(check: &mut Check) -> Result<(), Trouble> {
    super::edges::coarse_grids(check)?;
    check.certified("plans of F' for three goals, with and without projection: n = 10^5 and 8 10^5, d = 20 and 20000, epsilon = 1 and 10, grids 2^-20 and 2^-30");
    let mut informative = 0;
    for (name, alpha, beta, gamma) in goals(false) {
        for (n, d, epsilon, bits) in [
            (100_000usize, 20usize, 1, 30),
            (800_000, 20, 10, 20),
            (800_000, 20_000, 10, 30),
        ] {
            let budget = budgets::approximate(integer(epsilon), ratio(1, 1_000_000))?;
            let shape = Shape {
                records: n,
                dimension: d,
                grid: Grid::new(bits)?,
            };
            let plan = FullBatchParameters::from_theorem((&alpha, &beta), budget, &gamma, (n, d))?
                .with_margin_left(&gamma, shape)
                .plan(shape)?;
            let name = format!("{name}, n = {n}, d = {d}, epsilon = {epsilon}, grid 2^-{bits}");
            let printed = of_full_batch(&plan, &gamma, &beta)?.alpha;
            let stated = stated(&plan, &gamma, &beta)?;
            let (least, others) = (stated.least(its_lambdas())?, stated.least(other_lambdas())?);
            let best = others.min(&least);
            if let Some(printed) = printed {
                check.holds(least.is_below_rational(&printed), &name);
                check.holds(
                    best.is_above_rational(&(&printed * ratio(98, 100))),
                    format_args!("{name}: a smaller error"),
                );
                check.figure(
                    &name,
                    format_args!("alpha = {printed}; over other lambda {others}"),
                );
                informative += 1;
            } else {
                check.holds(
                    best.is_above_rational(&ratio(49, 100)),
                    format_args!("{name}: not vacuous"),
                );
            }
        }
    }
    check.certified(
        "a plan whose loss has the margin gamma, so that rounding takes what the separator needs",
    );
    let (gamma, beta) = (ratio(1, 2), ratio(1, 10));
    let budget = |epsilon| budgets::approximate(integer(epsilon), ratio(1, 1_000_000));
    let shape = Shape {
        records: 100_000,
        dimension: 20,
        grid: Grid::new(20)?,
    };
    let plan =
        FullBatchParameters::from_theorem((&beta, &beta), budget(1)?, &gamma, (100_000, 20))?
            .plan(shape)?;
    check.holds(plan.parameters().margin == gamma, "mu = gamma");
    check.holds(
        of_full_batch(&plan, &gamma, &beta)?.alpha.is_none(),
        "mu + e/2 > gamma promises nothing",
    );
    check.certified("a plan with a projection to 2000 rows whose loss has the margin 9/10, at gamma = 1/2 and at gamma = 19/20");
    let shape = Shape {
        records: 800_000,
        dimension: 20_000,
        grid: Grid::new(30)?,
    };
    let (n, rows, margin) = (shape.records, 2000, ratio(9, 10));
    let mut parameters =
        FullBatchParameters::from_theorem((&beta, &beta), budget(10)?, &gamma, (n, 20_000))?;
    parameters.projected_dimension = overridden(Some(rows));
    parameters.margin = margin.clone();
    let plan = parameters.plan(shape)?;
    // At gamma = 1/2 kappa is negative, and 2n e^(-m E(kappa)) would be below beta all the same.
    let spoiled = lost(n as u64, rows as u64, &gamma, &margin)?;
    check.holds(spoiled.is_below_rational(&beta), "a negative kappa");
    check.holds(
        of_full_batch(&plan, &gamma, &beta)?.alpha.is_none(),
        "mu + e/2 > gamma promises nothing in a projection",
    );
    check.holds(
        of_full_batch(&plan, &ratio(19, 20), &beta)?.alpha.is_some(),
        "the same plan at gamma = 19/20",
    );
    check.holds(
        informative >= 4,
        format_args!("{informative} guarantees are informative"),
    );
    Ok(())
}
