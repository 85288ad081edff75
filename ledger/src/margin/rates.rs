//! What is printed up to constants, beside our bounds with constants: the rates of Section 3.2, and the size of networks.

use super::of;
use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{CoinsError, Uses};
use dp_assay::margin::bounds::efficient::{balanced_map, distortion_of, rounds_for};
use dp_assay::margin::bounds::{EfficientRun, ErmRun, NetworkRun};
use dp_assay::margin::feed_forward::Shape;
use dp_assay::margin::map::MapKind;
use dp_assay::number::rational::{integer, ratio, shortly_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::Budget;
use dp_assay::privacy::with_replacement::grouped;
use num_traits::{One, Zero};

/// `bms22.thm3_2.rate`: Lemma 3.1 and Theorem 3.2 as printed, over a grid.
pub(super) fn of_algorithm_2(check: &mut Check) -> Result<(), Trouble> {
    let epsilons = [ratio(1, 10), integer(5), integer(1)];
    let betas = [ratio(1, 1_000_000), ratio(1, 20)];
    let (epsilons, betas, named) = if check.quick() {
        (&epsilons[..1], &betas[..1], "epsilon = 1/10, beta = 1e-6")
    } else {
        (
            &epsilons[..],
            &betas[..],
            "epsilon = 1/10, 1 and 5, beta = 1/20 and 1e-6",
        )
    };
    check.certified(format_args!(
        "the accounting of the paper's proof; {named}, delta = 1/(10 m) and 1/m^3; m = 2^8, \
         2^20 and 2^30 with k = 1, 30 and 2^10: the shipped excess over the printed one; m = 2^38, 2^41 and 2^44, and no limit to \
         the dimension: the shipped bound over the printed one with its logarithms; neither grows by more than a factor of 2",
    ));
    let (mut lemma, mut theorem) = (Rational::zero(), Rational::zero());
    for epsilon in epsilons {
        for beta in betas {
            for power in [1, 3] {
                let budget = |m: u64| -> Result<Budget, Trouble> {
                    let tenth = if power == 1 { 10u64 } else { 1 };
                    let delta = num_traits::pow(integer(m), power) * integer(tenth);
                    Ok(budgets::approximate(epsilon.clone(), delta.recip())?)
                };
                let instance = format!("epsilon = {epsilon}, beta = {beta}, delta with m^{power}");
                for k in [1, 30, 1 << 10] {
                    let of_m = |m| of_the_excess(m, k, &budget(m)?, beta);
                    let most =
                        no_growth(check, &[8, 20, 30], of_m, &format!("{instance}, k = {k}"))?;
                    lemma = lemma.max(most);
                }
                let of_m = |m| of_the_bound(m, &budget(m)?, beta);
                theorem = theorem.max(no_growth(check, &[38, 41, 44], of_m, &instance)?);
            }
        }
    }
    check.holds(lemma <= integer(8000), format_args!("Lemma 3.1: {lemma}"));
    check.figure("largest quotient, Lemma 3.1", shortly_above(&lemma));
    check.holds(
        theorem <= integer(1000),
        format_args!("Theorem 3.2: {theorem}"),
    );
    check.figure("largest quotient, Theorem 3.2", shortly_above(&theorem));
    Ok(())
}

/// The quotients at powers of two, none of them above twice the first: the largest.
fn no_growth(
    check: &mut Check,
    logs: &[u32],
    quotient: impl Fn(u64) -> Result<Rational, Trouble>,
    instance: &str,
) -> Result<Rational, Trouble> {
    let first = quotient(1 << logs[0])?;
    let mut most = first.clone();
    for log in &logs[1..] {
        let later = quotient(1 << log)?;
        check.holds(
            later <= &first * integer(2),
            format_args!("{instance}, m = 2^{log}: {later}, above {first}"),
        );
        most = most.max(later);
    }
    Ok(most)
}

/// A run of Algorithm 4 with the noise of the paper's proof and the best step, at `q = 1`, on a fine grid.
fn run(m: u64, k: u64, budget: &Budget, rounds: u32) -> Result<ErmRun, Trouble> {
    let multiplier = multiplier(m, budget, rounds)?;
    let n = integer(m);
    // h = 2/sqrt(n c).
    let c = ratio(11, 48)
        + &multiplier * &multiplier * integer(16 * k) / &n
        + &multiplier * integer(2) * of(&integer(k)).sqrt()?.upper() / (&n * &n);
    let step = of(&integer(2)).divided_by(&of(&(c * &n)).sqrt()?)?.lower();
    Ok(ErmRun {
        records: m,
        dimension: k,
        ratio: Rational::one(),
        radius: 1 << 60,
        epsilon: budget.epsilon().clone(),
        rounds,
        multiplier,
        step,
        acceptance: Rational::one(),
    })
}

fn multiplier(m: u64, budget: &Budget, rounds: u32) -> Result<Rational, Trouble> {
    let half = budget.epsilon() * ratio(1, 2);
    let half = budgets::approximate(half, budget.delta().clone())?;
    let phases = (0..m.ilog2()).rev().map(|log| 1 << log).collect();
    Ok(grouped(&Uses::new(m, phases, rounds)?, &half)?.multiplier)
}

/// `ln^(3/2)(1/delta) ln(1/beta)`.
fn logarithms(budget: &Budget, beta: &Rational) -> Result<Enclosure, Trouble> {
    let of_delta = of(&budget.delta().recip()).ln()?;
    Ok(&of_delta * of_delta.sqrt()? * of(&beta.recip()).ln()?)
}

/// What Algorithm 4 adds to the least loss, over `1/sqrt m + sqrt k ln^(3/2)(1/delta) ln(1/beta)/(epsilon m)`.
fn of_the_excess(m: u64, k: u64, budget: &Budget, beta: &Rational) -> Result<Rational, Trouble> {
    let ours = run(m, k, budget, rounds_for(beta)?)?.excess(beta)?;
    let root = of(&integer(m).recip()).sqrt()?;
    let rate = of(&(budget.epsilon() * integer(m)).recip());
    let private = logarithms(budget, beta)? * of(&integer(k)).sqrt()? * rate;
    Ok(of(&ours).divided_by(&(root + private))?.upper())
}

/// The bound of Algorithm 2 at hinge loss 0, over the root of
/// `sqrt(ln(m/beta)) ln^(3/2)(1/delta) ln(1/beta)/(min(1, epsilon) m)`.
fn of_the_bound(m: u64, budget: &Budget, beta: &Rational) -> Result<Rational, Trouble> {
    let third = beta / integer(3);
    let rounds = rounds_for(&third)?;
    let nothing = || Trouble::from(CoinsError::NoOutcome);
    let shape = (m, 1 << 62);
    let noise = multiplier(m, budget, rounds)?;
    let map = balanced_map(MapKind::Signs, shape, &noise, &third)?.ok_or_else(nothing)?;
    let k = map.rows(1 << 62).ok_or_else(nothing)? as u64;
    let distortion = distortion_of(map, shape, &third)?.ok_or_else(nothing)?;
    let run = EfficientRun {
        erm: ErmRun {
            ratio: integer(1) + &distortion,
            ..run(m, k, budget, rounds)?
        },
        ratio: Rational::one(),
        map,
        dimension: shape.1,
        distortion,
        beta: beta.clone(),
    };
    let ours = run
        .guarantee(&Rational::zero())?
        .alpha
        .ok_or_else(nothing)?;
    let root = of(&(integer(m) / beta)).ln()?.sqrt()?;
    let rate = budget.epsilon().clone().min(Rational::one()) * integer(m);
    let printed = root * logarithms(budget, beta)? * of(&rate.recip());
    Ok(of(&ours).divided_by(&printed.sqrt()?)?.upper())
}

/// `bms22.text.network`: the size of the cover of networks.
pub(super) fn of_networks(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "m = 1000 and 10^6, beta = 1/20, Q = 2, L = 1, 2 and 4: the shipped cover at dimensions 2^40, 2^50 and 2^60; and over \
         N ln(L m N/beta) with N = 1, 4, ..., 2^12 neurons a layer",
    );
    let mut most = Rational::zero();
    for records in [1000u64, 1_000_000] {
        for layers in [1usize, 2, 4] {
            let setting = |dimension: usize, width: usize| {
                let run = NetworkRun {
                    records,
                    shape: Shape::new(dimension, width, layers)?,
                    epsilon: integer(1),
                    beta: ratio(1, 20),
                    reach: integer(2),
                };
                run.setting(&ratio(17, 20)).map_err(Trouble::from)
            };
            let first = setting(1 << 40, 4)?;
            let instance = format!("m = {records}, L = {layers}");
            for log in [50, 60] {
                let same = setting(1 << log, 4)? == first;
                check.holds(same, format_args!("{instance}: dimension 2^{log}"));
            }
            let mut alone = None;
            for log in (0..=12).step_by(2) {
                let neurons = 1u64 << log;
                let of_beta = integer(20 * layers as u64 * records) * integer(neurons);
                let linear = of(&of_beta).ln()? * of(&integer(neurons));
                let size = of(&setting(1 << 40, neurons as usize)?.log_cover);
                let share = size.divided_by(&linear)?;
                let one = alone.get_or_insert_with(|| share.lower()).clone();
                let more = share.upper() / (one * integer(layers as u64));
                check.holds(
                    more <= ratio(11, 10),
                    format_args!("{instance}, {neurons} neurons: {}", shortly_above(&more)),
                );
                most = most.max(more);
            }
        }
    }
    check.figure(
        "ln |C|/(N ln(L m N/beta)), over L times that of one neuron, at most",
        shortly_above(&most),
    );
    Ok(())
}
