//! Appendix A.1, line 12: the noise of the gradients, as printed, certified, and of the full-batch variant F'.

use super::metered;
use super::{BITS, of, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::halfspaces::full_batch::FullBatchParameters;
use dp_assay::halfspaces::steps::overridden;
use dp_assay::halfspaces::{Dataset, as_printed, full_batch};
use dp_assay::law::Noise;
use dp_assay::number::rational::{integer, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::privacy::{Zcdp, composition, gaussian, one_record_descent::OneRecordDescent};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// The printed noise on `T = n^2 - 1` noisy gradients, under attack.
///
/// Neighbours: on S' every record has gradient -L (a loss linear with slope L: convex and L-Lipschitz);
/// on S one has +L. In units of the noise, and shifted, each step publishes `N(0, 1)` on S', and on S
/// `N(0, 1)` with probability `1 - 1/n` and `N(1/z, 1)` with probability `1/n`. The attacker gives each
/// step a score of 0 to `SCORES`, by thresholds, and adds the scores up: the event is a sum of at least `c`.
/// `squared` is the square of the noise multiplier `z`.
struct Attack {
    on_s: Enclosure,
    on_s_prime: Enclosure,
    delta: Enclosure,
}

const SCORES: usize = 8;

fn attack(
    squared: &Enclosure,
    n: u64,
    epsilon: &Rational,
    threshold: usize,
) -> Result<Attack, NumberError> {
    // 1/z, rounded down: less of a shift is more private.
    let shift = Enclosure::integer(1, BITS)
        .divided_by(&squared.sqrt()?)?
        .lower();
    let shift = Enclosure::of(&shift, BITS);
    let q = Rational::new(1.into(), n.into());
    let share = Enclosure::of(&q, BITS);
    let rest = share.complement();
    // Score j from the point where the likelihood ratio reaches e^j; any rational threshold will do, so
    // that its enclosure is replaced by a rational near it.
    let mut tails_s = vec![Enclosure::integer(1, BITS)];
    let mut tails_s_prime = vec![Enclosure::integer(1, BITS)];
    for j in 1..=SCORES {
        let odds = (Enclosure::exp_of(&integer(j), BITS)? - rest.clone()).divided_by(&share)?;
        let exact = (odds.ln()? + shift.squared().shifted(-1)).divided_by(&shift)?;
        let point = Enclosure::of(
            &Rational::new(
                (exact.midpoint().shifted(20)).floor(),
                BigInt::from(1 << 20),
            ),
            BITS,
        );
        tails_s_prime.push(point.normal_upper());
        tails_s.push(&rest * point.normal_upper() + &share * (&point - &shift).normal_upper());
    }
    let steps = n * n - 1;
    let on_s = at_least(&law_of_score(&tails_s), steps, threshold);
    let on_s_prime = at_least(&law_of_score(&tails_s_prime), steps, threshold);
    Ok(Attack {
        delta: &on_s - Enclosure::exp_of(epsilon, BITS)? * &on_s_prime,
        on_s,
        on_s_prime,
    })
}

/// `Pr[score = j]` from `Pr[score >= j]`.
fn law_of_score(tails: &[Enclosure]) -> Vec<Enclosure> {
    let nothing = Enclosure::integer(0, BITS);
    (0..tails.len())
        .map(|j| (&tails[j] - tails.get(j + 1).unwrap_or(&nothing)).max(&nothing))
        .collect()
}

/// `Pr[sum of the scores of so many independent steps >= threshold]`.
fn at_least(law: &[Enclosure], steps: u64, threshold: usize) -> Enclosure {
    let convolve = |a: &[Enclosure], b: &[Enclosure]| {
        let mut sum = vec![Enclosure::integer(0, BITS); threshold + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                // All sums from the threshold on are one.
                let place = (i + j).min(threshold);
                sum[place] = &sum[place] + x * y;
            }
        }
        sum
    };
    let mut result = vec![Enclosure::integer(1, BITS)];
    let mut square = law.to_vec();
    let mut left = steps;
    while left > 0 {
        if left & 1 == 1 {
            result = convolve(&result, &square);
        }
        left >>= 1;
        if left > 0 {
            square = convolve(&square, &square);
        }
    }
    result
        .get(threshold)
        .cloned()
        .unwrap_or(Enclosure::integer(0, BITS))
}

/// The counterexample of the printed noise.
const SCORED_GRADIENTS: &str = "the loss y L <e,w>: on S' all gradients are -L e, on S one is +L e; \
    the scores of the noisy gradients are summed";

/// That all noisy gradients together are not (epsilon, delta)-private with noise of this multiplier.
fn violated(
    check: &mut Check,
    squared: &Enclosure,
    (n, delta, epsilon): (u64, &Rational, i64),
    threshold: usize,
    name: &str,
) -> Result<(), Trouble> {
    let found = attack(squared, n, &integer(epsilon), threshold)?;
    check.refutes(found.delta.is_above_rational(delta), SCORED_GRADIENTS);
    let instance = format!(
        "{name}, n = {n}, delta = {delta}, epsilon = {epsilon}, sum of {} scores at least {threshold}",
        n * n - 1
    );
    check.figure(format_args!("Pr[event | S], {instance}"), &found.on_s);
    check.figure(
        format_args!("Pr[event | S'], {instance}"),
        &found.on_s_prime,
    );
    check.figure(
        format_args!("Pr[event | S] - e^epsilon Pr[event | S'], {instance}"),
        &found.delta,
    );
    Ok(())
}

/// The noise that the printed algorithm takes is that of line 12, `32 L^2 n^2 ln(n/delta') ln(1/delta')/epsilon'^2` for
/// the budget of one run of `k`.
fn line_12(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the variance of the printed noise against line 12: two of (n, k, epsilon, delta)",
    );
    for (n, k, epsilon, delta) in [(10, 1, 60, ratio(1, 100)), (7, 4, 3, ratio(1, 1000))] {
        let grid = Grid::new(4)?;
        let claim = budgets::approximate(integer(epsilon), delta.clone())?;
        let taken = as_printed::printed_noise(&claim, k, n, grid)?;
        let taken = taken.noise().variance() / integer(grid.one()).pow(2);
        let log = of(&(integer(k) / &delta)).ln()?;
        let factors = of(&(integer(32 * n * n * u64::from(k * k)) / integer(epsilon * epsilon)));
        let printed = (of(&integer(n)).ln()? + &log) * &log * factors;
        check.holds(
            printed.lower() <= taken && taken <= printed.upper() * ratio(1_000_001, 1_000_000),
            format_args!("n = {n}, k = {k}: {taken}, printed {printed}"),
        );
    }
    Ok(())
}

/// `nuz20.alg-noisegd`.
pub(super) fn printed_noise(check: &mut Check) -> Result<(), Trouble> {
    line_12(check)?;
    let mut cases = vec![(10, ratio(1, 100), 60, 61), (10, ratio(1, 1000), 100, 98)];
    if !check.quick() {
        cases.push((30, ratio(1, 1000), 80, 89));
    }
    check.certified(format_args!(
        "all noisy gradients of a linear loss of slope L, log = ln, {} cases of (n, delta, epsilon)",
        cases.len()
    ));
    for (n, delta, epsilon, threshold) in cases {
        let squared = as_printed::printed_squared_multiplier(&integer(epsilon), &delta, n)?;
        violated(check, &squared, (n, &delta, epsilon), threshold, "log = ln")?;
    }
    check.certified("the same with log = log2, n = 10, delta = 1/100, epsilon = 100");
    let (n, delta, epsilon) = (10, ratio(1, 100), 100);
    let squared = as_printed::printed_squared_multiplier(&integer(epsilon), &delta, n)?;
    let base_two = squared.divided_by(&Enclosure::ln_two(BITS).squared())?;
    violated(check, &base_two, (n, &delta, epsilon), 94, "log = log2")?;
    let claim = budget("60", "0.01")?;
    metered::noise_as_printed(check, 10, &claim)?;
    // The other reading, epsilon of a few units: the printed noise is then more than the certificate asks for.
    check.certified("the printed noise against the certified noise, epsilon = 1, log = ln");
    for (n, delta) in [(100u64, ratio(1, 1_000_000)), (10, ratio(1, 1000))] {
        let printed = as_printed::printed_squared_multiplier(&integer(1), &delta, n)?.sqrt()?;
        let certified = OneRecordDescent::calibrated(
            &budgets::approximate(integer(1), delta.clone())?,
            n,
            n * n,
        )?;
        let instance = format!("epsilon = 1, n = {n}, delta = {delta}");
        check.holds(
            printed.is_above_rational(certified.noise_multiplier()),
            &instance,
        );
        check.figure(
            format_args!("noise multiplier printed and certified, {instance}"),
            format_args!(
                "{} and {}",
                to_scientific(&printed.lower(), 4),
                to_scientific_above(certified.noise_multiplier(), 4)
            ),
        );
    }
    Ok(())
}

/// `nuz20.alg-noisegd.corrected`: each case rebuilt from its noise alone, by other means than it was calibrated
/// with.
pub(super) fn certified_noise(check: &mut Check) -> Result<(), Trouble> {
    crate::twins::one_record_steps(check)?;
    super::edges::least_moves(check)?;
    let mut cases = vec![
        (10, ratio(1, 1000), integer(1)),
        (30, ratio(1, 1_000_000), ratio(1, 10)),
        (30, ratio(999, 1000), integer(1)),
        (10, ratio(1, 100), integer(60)),
        (10, ratio(1, 1000), integer(100)),
        (30, ratio(1, 1000), integer(80)),
    ];
    if !check.quick() {
        cases.push((100, ratio(1, 1_000_000), integer(1)));
        cases.push((100, ratio(1, 1_000_000), integer(20)));
    }
    check.certified(format_args!(
        "{} cases of (n, delta, epsilon), n^2 steps: the exact Gaussian profile, amplification, optimal composition",
        cases.len()
    ));
    for (n, delta, epsilon) in cases {
        let descent = OneRecordDescent::calibrated(
            &budgets::approximate(epsilon.clone(), delta.clone())?,
            n,
            n * n,
        )?;
        let instance = format!("n = {n}, epsilon = {epsilon}, delta = {delta}");
        // 1. The noise makes one step (eps0, delta0)-private.
        let (multiplier, own) = (descent.noise_multiplier(), descent.own_step());
        let profile = gaussian::profile(&multiplier.recip(), own.epsilon(), 256)?;
        check.holds(
            profile.upper() <= *own.delta(),
            format_args!("one step, {instance}"),
        );
        // 2. e^eps1 >= 1 + (e^eps0 - 1)/n and delta1 >= delta0/n.
        let amplified = descent.amplified_step();
        let share = of(&Rational::new(1.into(), n.into()));
        let needed = of(own.epsilon()).exp_minus_one()? * share;
        let given = of(amplified.epsilon()).exp_minus_one()?;
        let hidden =
            needed.upper() <= given.lower() && *amplified.delta() >= own.delta() / integer(n);
        check.holds(hidden, format_args!("hidden record, {instance}"));
        // 3. All steps together.
        let reached = composition::optimal_delta(amplified, n * n, &epsilon, BITS)?;
        check.holds(
            reached.upper() <= delta,
            format_args!("all steps, {instance}"),
        );
        check.figure(
            &instance,
            format_args!(
                "noise multiplier {}, delta reached {}",
                to_scientific_above(multiplier, 5),
                to_scientific_above(&reached.upper(), 3)
            ),
        );
    }
    Ok(())
}

/// `e^((a-1)(a rho - epsilon)) (1 - 1/a)^a/(a-1)` at an order `a` near the best: every order gives a valid delta.
fn converted(rho: &Rational, epsilon: &Rational) -> Result<Enclosure, NumberError> {
    let one = Rational::one();
    let log = |order: &Rational| of(&(&one - order.recip())).ln();
    // The logarithm is convex, with derivative (2a - 1) rho - epsilon + ln(1 - 1/a).
    let grows = |order: &Rational| -> Result<bool, NumberError> {
        let linear = (order * integer(2) - &one) * rho - epsilon;
        Ok(!(of(&linear) + log(order)?).lo().is_negative())
    };
    let (mut below, mut above) = (one.clone(), integer(2));
    while !grows(&above)? {
        above *= BigInt::from(2);
    }
    for _ in 0..60 {
        let middle = (&below + &above) / integer(2);
        if grows(&middle)? {
            above = middle;
        } else {
            below = middle;
        }
    }
    let excess = &above - &one;
    let exponent = of(&(&excess * (&above * rho - epsilon))) + of(&above) * log(&above)?;
    exponent.exp()?.divided_by(&of(&excess))
}

/// `nuz20.full-batch`.
pub(super) fn full_batch_privacy(check: &mut Check) -> Result<(), Trouble> {
    super::edges::full_batch_fails(check)?;
    check.certified("the noise that the learner draws, rebuilt: 4 budgets, runs in {1, 7}, steps in {1, 50, 1000}, grids 2^-8 and 2^-20");
    for (epsilon, delta) in [
        (ratio(1, 10), ratio(1, 1_000_000)),
        (integer(1), ratio(1, 1_000_000)),
        (integer(3), ratio(1, 100)),
        (integer(20), ratio(1, 1_000_000_000)),
    ] {
        // One run has all of epsilon; of seven the choice has half.
        for (k, share) in [(1u32, epsilon.clone()), (7, &epsilon / integer(2))] {
            let name = format!("epsilon = {epsilon}, delta = {delta}, {k} runs");
            let rho = full_batch::concentrated(
                &budgets::approximate(epsilon.clone(), delta.clone())?,
                k,
            )?;
            sums_of_full_batch(check, &rho, k, &name)?;
            // 2. rho gives (share, delta), by a conversion of the check's own.
            let reached = converted(rho.rho(), &share)?.upper();
            check.attained(format_args!("delta, {name}"), &reached, &delta);
            // 3. The closed conversion, which sample sizes use, gives no more.
            let closed = Zcdp::closed_for(&budgets::approximate(share, delta.clone())?)?;
            let resolution = Rational::one() + ratio(1, 1 << 19);
            check.holds(
                *closed.rho() <= rho.rho() * resolution,
                format_args!("closed form, {name}"),
            );
            check.figure(format_args!("rho, {name}"), to_scientific(rho.rho(), 6));
        }
    }
    steps_of_full_batch(check)?;
    metered::full_batch(check)
}

/// 1. `k T` sums that a substituted record moves by 2: `D^2/(2 v)` each adds up to at most rho.
fn sums_of_full_batch(check: &mut Check, rho: &Zcdp, k: u32, name: &str) -> Result<(), Trouble> {
    for steps in [1u64, 50, 1000] {
        for bits in [8, 20] {
            let noise = full_batch::noise(rho, k, steps, Grid::new(bits)?)?;
            let moved = integer(BigInt::from(2) << bits);
            let each = moved.pow(2) / (integer(2) * noise.variance());
            let all = each * integer(k) * integer(steps);
            check.attained(
                format_args!("zCDP of {steps} steps on the grid 2^-{bits}, {name}"),
                &all,
                rho.rho(),
            );
        }
    }
    Ok(())
}

/// The steps of F' from the noise that it draws, which equal coins give once more: `T = 16` steps of length
/// `1/sqrt(T (n^2 + m sigma^2))` in the plane, where `m sigma^2` is about `n^2`, towards records that all say +, until the
/// margin is 3/5. A step rounds a coordinate by at most 1 in its move and by 1 on the way back into the ball, and a
/// projection brings no two points further apart: the average of 16 points is off by less than 32.
fn steps_of_full_batch(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the steps of F' once more, from the noise that it draws, at most 32 steps of the grid 2^-20 apart: n = 60 equal \
         records, m = 2, mu = 3/5, T = 16, epsilon = 1, delta = 1e-6, eight seeds",
    );
    let (n, m, steps) = (60, 2, 16);
    let grid = Grid::new(20)?;
    let one = integer(grid.one());
    let data = Dataset::new(grid, m, vec![record(&[grid.one(), 0], true); n])?;
    let parameters = FullBatchParameters {
        budget: budget("1", "1e-6")?,
        margin: ratio(3, 5),
        smoothing: integer(0),
        projected_dimension: overridden(None),
        runs: overridden(1),
        steps: Some(steps),
    };
    let plan = parameters.plan(data.shape())?;
    let of_noise = integer(m as u64) * plan.noise().variance() / one.pow(2);
    let of_records = integer((n * n) as u64);
    check.holds(
        of_noise > &of_records / integer(2) && of_noise < &of_records * integer(2),
        "m sigma^2 is about n^2",
    );
    let root = |x: &Rational| Ok::<_, NumberError>(of(x).sqrt()?.lower());
    let length = root(&((of_records + of_noise) * integer(steps)))?.recip();
    for seed in 1..=8 {
        let model = plan.learn(&data, &mut ChaCha::reproducible(seed, 0))?;
        let mut coins = ChaCha::reproducible(seed, 0);
        let mut w = vec![integer(0); m];
        let mut sum = w.clone();
        for _ in 0..steps {
            sum = sum.iter().zip(&w).map(|(s, w)| s + w).collect();
            let below = w[0] < ratio(3, 5) * &one;
            let gradient = [if below { n as i64 * grid.one() } else { 0 }, 0];
            let noisy = coins.draw(&plan.noise().around_all(gradient))?;
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
            let away = (integer(*found) - &average).abs();
            check.holds(
                away <= integer(32),
                format_args!("seed {seed}: the average is {found}, and not {average}"),
            );
        }
    }
    Ok(())
}
