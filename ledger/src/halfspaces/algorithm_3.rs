//! Appendix A.1: the privacy budget of Algorithm 3 and of its procedure F, and the number of runs.

use super::metered;
use super::one_dimension::{OneDimension, OutputLoss, Printed, TranscriptLoss};
use super::{BITS, of, of_the_coins, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Strength, Trouble};
use dp_assay::coins::{ChaCha, Explorer, Layer};
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::steps::{self, Hinge, overridden};
use dp_assay::halfspaces::{Dataset, as_printed};
use dp_assay::number::rational::{integer, ratio, shortly_above, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational, grid::squared_norm};
use dp_assay::privacy::composition;
use dp_assay::sample::DiscreteGaussian;
use dp_assay::stats::FrequencyTest;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::sync::Arc;

/// The counterexample of Algorithm 3 and of procedure F.
const TRANSCRIPT: &str = "one dimension, gamma = 1, k = 4: n records say +1, and one of them changes to -1; \
    three candidates end at -1, one at +1, and one at -1 is chosen";

/// The instance of [`TRANSCRIPT`], on the grid 1/8.
fn instance(n: u64, epsilon: i64) -> Result<OneDimension, Trouble> {
    let delta = Rational::new(1.into(), BigInt::from(10).pow(12));
    Ok(OneDimension {
        n,
        k: 4,
        minus: 3,
        claimed: budgets::approximate(integer(epsilon), delta.clone())?,
        grid: Grid::new(3)?,
    })
}

fn figures(check: &mut Check, name: &str, found: &TranscriptLoss) {
    check.figure(format_args!("Pr[event | S], {name}"), &found.agreeing);
    check.figure(format_args!("Pr[event | S'], {name}"), &found.dissenting);
    check.figure(
        format_args!("privacy loss of the event, {name}"),
        &found.loss,
    );
    check.figure(
        format_args!("Pr[event | S'] - e^epsilon Pr[event | S], {name}"),
        &found.delta,
    );
}

/// That the transcript as printed is not (epsilon, delta)-private, at this `n` and epsilon, delta = 1e-12.
fn overspends(check: &mut Check, n: u64, epsilon: i64) -> Result<(), Trouble> {
    let instance = instance(n, epsilon)?;
    let found = instance.as_printed()?;
    let name = format!("n = {n}, epsilon = {epsilon}");
    check.refutes(
        found.loss.is_above_rational(instance.claimed.epsilon())
            && found.delta.is_above_rational(instance.claimed.delta()),
        TRANSCRIPT,
    );
    figures(check, &name, &found);
    Ok(())
}

/// That the same event is within epsilon if the budget is split.
fn within_budget(check: &mut Check, n: u64, epsilon: i64) -> Result<(), Trouble> {
    let instance = instance(n, epsilon)?;
    let found = instance.with_the_budget_split()?;
    let name = format!("budget split, n = {n}, epsilon = {epsilon}");
    check.holds(
        found.loss.is_below_rational(instance.claimed.epsilon()),
        &name,
    );
    check.holds(found.delta.hi().is_negative(), &name);
    figures(check, &name, &found);
    Ok(())
}

/// `nuz20.alg3`.
pub(super) fn transcript(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the transcript (all candidates, and which is chosen) on the grid 1/8, delta = 1e-12, n = 3, epsilon = 12");
    overspends(check, 3, 12)?;
    check.figure(
        "under the other reading, a budget that is split, the loss of the event is",
        "within epsilon: nuz20.alg3.corrected",
    );
    metered::algorithm_3_as_printed(check, 3, &instance(3, 12)?.claimed)
}

/// `nuz20.alg-F`.
pub(super) fn procedure_f(check: &mut Check) -> Result<(), Trouble> {
    let instances: &[(u64, i64)] = if check.quick() {
        &[(3, 16)]
    } else {
        &[(4, 8), (5, 6)]
    };
    check.certified(format_args!(
        "the transcript (all candidates, and which is chosen) on the grid 1/8, delta = 1e-12, (n, epsilon) in {instances:?}"
    ));
    check.figure(
        "under the other reading, a choice at epsilon/2 beside candidates at epsilon/2",
        "(epsilon, delta) by composition: nuz20.alg3.corrected",
    );
    for &(n, epsilon) in instances {
        overspends(check, n, epsilon)?;
        let claim = instance(n, epsilon)?.claimed;
        metered::algorithm_3_as_printed(check, usize::try_from(n)?, &claim)?;
    }
    Ok(())
}

/// The counterexample of the last point of one run, and of the final output of Algorithm 3.
const OUTPUT: &str = "one dimension, gamma = 1, n = 2: both records say +1, and one of them changes to -1; \
    the output is at or below the threshold that the figures name";

/// That the output of `k` printed runs and the choice is not private, in its exact law; of one run its last point.
fn output_violates(
    check: &mut Check,
    printed: &Printed,
    name: &str,
) -> Result<OutputLoss, Trouble> {
    let found = printed.output()?;
    let (epsilon, delta) = (printed.claimed.epsilon(), printed.claimed.delta());
    let one = printed.grid.one();
    let most = found.event.last().copied().unwrap_or(one);
    // All outputs up to a threshold below 0, and no other.
    let is_below_a_threshold = most < 0 && found.event.iter().copied().eq(-one..=most);
    check.refutes(
        is_below_a_threshold && found.delta.is_above_rational(delta),
        OUTPUT,
    );
    let instance = format!("{name}, epsilon = {epsilon}, delta = {delta}, grid 1/{one}");
    check.figure(
        format_args!("event: the output is at most, {instance}"),
        ratio(most, one),
    );
    check.figure(format_args!("Pr[event | S], {instance}"), &found.agreeing);
    check.figure(
        format_args!("Pr[event | S'], {instance}"),
        &found.dissenting,
    );
    check.figure(
        format_args!("Pr[event | S'] - e^epsilon Pr[event | S], {instance}"),
        &found.delta,
    );
    Ok(found)
}

/// Tests that the shipped run follows the law of the counterexample: it counts outputs in the event, on S and on S'. On S
/// the event is so unlikely that one occurrence rejects. `output` draws one output, on S' if its first argument says so.
fn follows(
    check: &mut Check,
    (name, trials): (&str, u64),
    law: &OutputLoss,
    output: impl Fn(bool, &mut ChaCha) -> Result<i64, Trouble>,
) -> Result<(), Trouble> {
    let mut coins = ChaCha::reproducible(check.seed(), 0);
    let (mut on_s, mut on_s_prime) = (0, 0);
    for _ in 0..trials {
        on_s += u64::from(law.event.contains(&output(false, &mut coins)?));
        on_s_prime += u64::from(law.event.contains(&output(true, &mut coins)?));
    }
    let level = Rational::new(1.into(), BigInt::from(10).pow(12));
    let test = FrequencyTest::new(trials, law.dissenting.clone(), level.clone())?;
    let strength = Strength {
        samples: trials,
        level: integer(2) * &level,
        detects: format!("on S' a factor {}", shortly_above(&test.detects()?)),
    };
    check.statistical(
        format_args!("{name}, the event on S and on S', seed {}", check.seed()),
        &strength,
    );
    let any = law.agreeing.upper() * integer(trials);
    check.holds(any <= level, "the event is too likely on S for this test");
    check.holds(on_s == 0, "the event on S");
    check.holds(
        test.accepts(on_s_prime),
        format_args!("the event on S', {on_s_prime} times of {trials}"),
    );
    check.figure(
        format_args!("event on S and on S', {name}"),
        format_args!("{on_s} and {on_s_prime} of {trials}"),
    );
    Ok(())
}

/// Algorithm 3 as printed at `n = 2`, with the choice at `epsilon / parts`.
fn printed_pair(
    (k, base_two): (u32, bool),
    (epsilon, delta): (i64, Rational),
    parts: i64,
    bits: u32,
) -> Result<Printed, Trouble> {
    Ok(Printed {
        n: 2,
        k,
        claimed: budgets::approximate(integer(epsilon), delta.clone())?,
        choice: ratio(epsilon, parts),
        base_two,
        grid: Grid::new(bits)?,
    })
}

/// `nuz20.alg3.output`.
pub(super) fn final_output(check: &mut Check) -> Result<(), Trouble> {
    let beta = ratio(9, 10);
    check.certified("the law of the output, n = 2, log = ln: k = ceil(ln(8/beta)) = 3 for beta = 9/10, grid 1/16, epsilon = 850, delta = 0.23");
    check.holds(as_printed::printed_runs(&beta)? == 3, "k = 3");
    let pair = printed_pair((3, false), (850, ratio(23, 100)), 1, 4)?;
    let law = output_violates(check, &pair, "log = ln")?;
    if !check.quick() {
        check.certified("the same with log = log2 in the noise and in k = 4: grid 1/8, epsilon = 3200, delta = 1/5");
        check.holds(steps::runs_for(&beta) == 4, "k = 4");
        let pair = printed_pair((4, true), (3200, ratio(1, 5)), 1, 3)?;
        output_violates(check, &pair, "log = log2")?;
        check.certified("the same with log = ln and a choice at epsilon/2: grid 1/8, epsilon = 1400, delta = 1/5");
        let pair = printed_pair((3, false), (1400, ratio(1, 5)), 2, 3)?;
        output_violates(check, &pair, "log = ln, choice at epsilon/2")?;
    }
    check.certified("at moderate epsilon no event of the output exceeds the claim: epsilon = 100, delta = 0.23, log = ln, grid 1/4");
    let pair = printed_pair((3, false), (100, ratio(23, 100)), 1, 2)?;
    let found = pair.output()?;
    check.holds(
        found.delta.is_below_rational(&ratio(23, 100)),
        "epsilon = 100",
    );
    check.figure(
        "largest Pr[event | S'] - e^epsilon Pr[event | S] of any event, log = ln, epsilon = 100",
        &found.delta,
    );
    // The algorithm itself, run.
    let grid = Grid::new(4)?;
    let one = grid.one();
    let data = |second| Dataset::new(grid, 1, vec![record(&[one], true), record(&[one], second)]);
    let (agreeing, dissenting) = (data(true)?, data(false)?);
    let claimed = budget("850", "0.23")?;
    let plan = as_printed::plan(agreeing.shape(), &claimed, (&integer(1), &beta), None)?;
    let name = "Algorithm 3 as printed, log = ln, epsilon = 850, delta = 0.23";
    let trials = if check.quick() { 400 } else { 1000 };
    follows(check, (name, trials), &law, |on_s_prime, coins| {
        let data = if on_s_prime { &dissenting } else { &agreeing };
        Ok(plan.learn_not_private(data, coins)?.halfspace.direction[0])
    })
}

/// `nuz20.alg-noisegd.last-point`.
pub(super) fn last_point(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the law of the last point, n = 2: log = ln, epsilon = 66, delta = 3/10, and log = log2, epsilon = 135, delta = 3/10; grid 1/16");
    let pair = printed_pair((1, false), (66, ratio(3, 10)), 1, 4)?;
    let law = output_violates(check, &pair, "log = ln")?;
    let other = printed_pair((1, true), (135, ratio(3, 10)), 1, 4)?;
    output_violates(check, &other, "log = log2")?;
    // Noise-GD itself, run.
    let grid = pair.grid;
    let one = grid.one();
    let noise = as_printed::printed_noise(&pair.claimed, 1, pair.n, grid)?;
    let hinge = Hinge::of_algorithm_1(&integer(1));
    let [agreeing, dissenting] = [one, -one].map(|second| Arc::new(vec![vec![one], vec![second]]));
    let name = "Noise-GD as printed, log = ln, epsilon = 66, delta = 3/10";
    let trials = if check.quick() { 1000 } else { 4000 };
    follows(check, (name, trials), &law, |on_s_prime, coins| {
        let points = if on_s_prime { &dissenting } else { &agreeing };
        Ok(noise.run(points, &hinge, coins)?[0])
    })?;
    check.exact("the length of its steps: n = 5, m = 3, epsilon = 1, delta = 1/1000, t = 1, 2, 3");
    // eta(t) = 2/sqrt(t (n^2 L^2 + m sigma^2)), as printed.
    let noise = as_printed::printed_noise(&budget("1", "1e-3")?, 1, 5, grid)?;
    let squared_sigma = noise.noise().variance() / integer(one).pow(2);
    for t in 1..=3 {
        let printed = (integer(25) + integer(3) * &squared_sigma) * integer(t) / integer(4);
        check.holds(
            noise.squared_scale(t, 5, 3) == printed,
            format_args!("1/(eta L)^2, t = {t}"),
        );
    }
    // The other reading, a few units of epsilon: nothing is shown.
    check.certified(
        "at epsilon = 1 no event of the last point exceeds the claim: delta = 3/10, log = ln, grid 1/2",
    );
    let found = printed_pair((1, false), (1, ratio(3, 10)), 1, 1)?.output()?;
    check.holds(found.delta.is_below_rational(&ratio(3, 10)), "epsilon = 1");
    check.figure(
        "largest Pr[event | S'] - e^epsilon Pr[event | S] of any event, log = ln, epsilon = 1",
        &found.delta,
    );
    Ok(())
}

/// `nuz20.alg3.corrected`: from the noise that the learner draws back to (epsilon, delta).
pub(super) fn algorithm_3_corrected(check: &mut Check) -> Result<(), Trouble> {
    super::edges::noise_of_a_plan(check)?;
    super::edges::efficient_fails(check)?;
    let instances: &[(u64, u32)] = if check.quick() {
        &[(5, 1), (5, 4)]
    } else {
        &[(5, 1), (5, 4), (10, 7)]
    };
    check.certified(format_args!(
        "the noise that the learner calibrates, rebuilt: (n, k) in {instances:?}, n^2 points, (epsilon, delta) in {{(1, 1e-6), (1/10, 1/1000), (7, 1/10)}}, one dimension, grid 1/2"
    ));
    let grid = Grid::new(1)?;
    for &(n, k) in instances {
        for (epsilon, delta) in [
            (integer(1), ratio(1, 1_000_000)),
            (ratio(1, 10), ratio(1, 1000)),
            (integer(7), ratio(1, 10)),
        ] {
            let parameters = EfficientParameters {
                budget: budgets::approximate(epsilon.clone(), delta.clone())?,
                hinge: Hinge::of_algorithm_1(&ratio(1, 2)),
                projected_dimension: overridden(None),
                runs: overridden(k),
                steps: overridden(n * n),
            };
            let variance = parameters.noise(n as usize, 1, grid)?;
            // One run has epsilon/(2k) and delta/k.
            let (epsilon_run, delta_run) = (&epsilon / integer(2 * k), &delta / integer(k));
            let reached = delta_of_run(&variance, n, &epsilon_run, &delta_run, grid)?;
            let instance = format!("n = {n}, k = {k}, epsilon = {epsilon}, delta = {delta}");
            check.holds(reached.is_some(), format_args!("one step, {instance}"));
            let reached = reached.filter(|reached| *reached <= delta_run);
            check.holds(reached.is_some(), format_args!("one run, {instance}"));
            let Some(reached) = reached else { continue };
            // k runs and the choice at epsilon/2.
            let mut parts = vec![budgets::approximate(epsilon_run, reached)?; k as usize];
            let half = &epsilon / integer(2);
            parts.push(budgets::pure(half)?);
            let whole = composition::basic(&parts)?;
            check.holds(
                *whole.epsilon() == epsilon,
                format_args!("epsilon, {instance}"),
            );
            check.holds(*whole.delta() <= delta, format_args!("delta, {instance}"));
            check.figure(
                format_args!("delta reached, {instance}"),
                to_scientific_above(whole.delta(), 3),
            );
        }
    }
    check.certified("the event that refutes the printed transcript, with the printed noise at half the budget: grid 1/8, delta = 1e-12");
    within_budget(check, 3, 12)?;
    if !check.quick() {
        within_budget(check, 4, 8)?;
    }
    metered::algorithm_3(check)
}

/// The delta that `n^2 - 1` steps with this noise reach at epsilon, by the exact profile of the discrete
/// Gaussian, amplification by a hidden record, and optimal composition. `None` if one step is not private enough.
fn delta_of_run(
    variance: &Rational,
    n: u64,
    epsilon: &Rational,
    delta: &Rational,
    grid: Grid,
) -> Result<Option<Rational>, Trouble> {
    let steps = n * n - 1;
    // eps1 = (sqrt(2 ln(2/delta) + 2 epsilon) - sqrt(2 ln(2/delta)))/sqrt(T), eps0 = ln(1 + n (e^eps1 - 1))
    let log = of(&(integer(2) / delta)).ln()?.shifted(1);
    let root = (&log + of(&(epsilon * integer(2)))).sqrt()? - log.sqrt()?;
    let amplified = root.divided_by(&of(&integer(steps)).sqrt()?)?;
    let own = (amplified.exp_minus_one()? * of(&integer(n)) + of(&integer(1))).ln()?;
    // delta0 = min(1/2, n delta/(2T))
    let own_delta = (delta * integer(n) / integer(2 * steps)).min(ratio(1, 2));
    // In grid steps a substituted record moves n times a gradient of norm 1 by 2n.
    let shift = BigInt::from(2 * n) * BigInt::from(grid.one());
    let profile = DiscreteGaussian::new(variance.clone())?.profile(&shift, &own.lower(), 256)?;
    if profile.upper() > own_delta {
        return Ok(None);
    }
    let step = budgets::approximate(amplified.upper(), own_delta / integer(n))?;
    Ok(Some(
        composition::optimal_delta(&step, steps, epsilon, BITS)?.upper(),
    ))
}

/// `nuz20.alg-F.corrected`.
pub(super) fn choice(check: &mut Check) -> Result<(), Trouble> {
    check.exact("the sensitivity of the total loss, gamma in {1, 9/10, 1/2, 3/10, 1/10}: all pairs of a w and of records in the 49 points of the disc on the grid 1/4");
    let line = || -4..=4i64;
    let ball: Vec<Vec<i64>> = line()
        .flat_map(|x| line().map(move |y| vec![x, y]))
        .filter(|p| squared_norm(p) <= 16)
        .collect();
    for (numerator, denominator) in [(1, 1), (9, 10), (1, 2), (3, 10), (1, 10)] {
        let gamma = ratio(numerator, denominator);
        let hinge = Hinge::of_algorithm_1(&gamma);
        let range = (&gamma * integer(96) + integer(100)) / (&gamma * integer(86));
        check.holds(hinge.range() == range, format_args!("gamma = {gamma}"));
        let mut moved = Rational::zero();
        for w in &ball {
            let losses = ball
                .iter()
                .map(|p| hinge.total(w, std::slice::from_ref(p), 16));
            let losses: Vec<Rational> = losses.collect();
            let most = losses.iter().max().cloned().unwrap_or_else(Rational::zero);
            let least = losses.iter().min().cloned().unwrap_or_else(Rational::zero);
            check.holds(
                &most - &least <= range,
                format_args!("gamma = {gamma}, w = {w:?}/4"),
            );
            moved = moved.max(most - least);
        }
        check.attained(
            format_args!("total loss moved, gamma = {gamma}"),
            &moved,
            &range,
        );
    }
    check.certified("the choice that ships, explored: gamma = 1, epsilon = 2, two to four candidates at -1 and +1, n = 1, ..., 8 records, all neighbours");
    let (epsilon, grid) = (integer(2), Grid::new(3)?);
    let one = grid.one();
    let hinge = Hinge::of_algorithm_1(&integer(1));
    let most = Enclosure::exp_of(&epsilon, BITS)?.lower();
    let mut largest = Rational::zero();
    for candidates in [
        vec![-one, one],
        vec![-one, one, one],
        vec![-one, -one, -one, one],
    ] {
        let candidates: Vec<Vec<i64>> = candidates.into_iter().map(|w| vec![w]).collect();
        for n in 1..=8i64 {
            let law = |minus: i64| -> Result<_, Trouble> {
                let record = |i: i64| vec![if i < minus { -one } else { one }];
                let points: Vec<Vec<i64>> = (0..n).map(record).collect();
                let explored = Explorer::new(Layer::Laws, 1000).explore(|coins| {
                    steps::choose(&candidates, &points, &hinge, &epsilon, grid, coins)
                        .map_err(of_the_coins)
                })?;
                Ok(explored)
            };
            for minus in 0..n {
                let (one_law, other) = (law(minus)?, law(minus + 1)?);
                for (p, q) in [(&one_law, &other), (&other, &one_law)] {
                    for (outcome, probability) in &p.lower {
                        let (more, less) = (probability + &p.undecided, q.lower(outcome));
                        check.holds(
                            more <= &most * &less,
                            format_args!("candidates {candidates:?}, n = {n}, {minus} or one more at -1, outcome {outcome}"),
                        );
                        if less.is_positive() {
                            largest = largest.max(more / less);
                        }
                    }
                }
            }
        }
    }
    check.attained("largest ratio, against e^epsilon", &largest, &most);
    Ok(())
}

/// `2^-runs`, of the `beta/8` that the proof needs.
fn overshoot(runs: u64, beta: &Rational) -> Rational {
    integer(8) / beta / integer(BigInt::one() << runs)
}

/// `ceil(ln(8/beta))`.
fn natural_runs(beta: &Rational) -> Result<u64, Trouble> {
    let log = of(&(integer(8) / beta)).ln()?;
    Ok(u64::try_from(log.hi().ceil())?)
}

/// `nuz20.e6`.
pub(super) fn natural_logarithm(check: &mut Check) -> Result<(), Trouble> {
    check.certified("beta in {1/20, 1/100, 1/1000, 10^-6}");
    for denominator in [20, 100, 1000, 1_000_000] {
        let beta = ratio(1, denominator);
        let runs = natural_runs(&beta)?;
        let natural = overshoot(runs, &beta);
        check.refutes(
            natural > Rational::one(),
            "k = ceil(ln(8/beta)) runs, each good with probability 1/2, at beta = 1/20 and less",
        );
        let binary = u64::from(steps::runs_for(&beta));
        let other = overshoot(binary, &beta);
        check.holds(
            other <= Rational::one(),
            format_args!("base 2, beta = {beta}"),
        );
        check.figure(
            format_args!("all runs fail with probability, of beta/8, beta = {beta}"),
            format_args!("{natural} for {runs} runs; {other} for {binary} (base 2)"),
        );
    }
    Ok(())
}

/// `nuz20.e6.corrected`.
pub(super) fn base_two(check: &mut Check) -> Result<(), Trouble> {
    check.exact("beta = 1/2, ..., 1/2000: the runs that the learners make, and one fewer");
    for denominator in 2..=2000 {
        let beta = ratio(1, denominator);
        let runs = u64::from(steps::runs_for(&beta));
        check.holds(
            overshoot(runs, &beta) <= Rational::one(),
            format_args!("beta = {beta}"),
        );
        check.holds(
            overshoot(runs - 1, &beta) > Rational::one(),
            format_args!("beta = {beta}, one run fewer"),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_natural_logarithm_makes_too_few_runs() {
        for (beta, runs, expected) in [
            (ratio(1, 20), 6, ratio(5, 2)),
            (ratio(1, 100), 7, ratio(25, 4)),
            (ratio(1, 1000), 9, ratio(125, 8)),
            (ratio(1, 1_000_000), 16, ratio(15_625, 128)),
        ] {
            let found = natural_runs(&beta).unwrap();
            assert_eq!((found, overshoot(found, &beta)), (runs, expected));
        }
    }
}
