//! Section 3.2: how often a record is read that is drawn with replacement, and what that costs.

use super::{BITS, of};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{Explorer, Law, Layer, Uses};
use dp_assay::number::rational::{integer, parse, ratio, shortly, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::with_replacement::{Grouped, capped_multiplier, grouped, least_cap};
use dp_assay::privacy::{NeighbouringRelation, Zcdp, discrete_gaussian};
use dp_assay::sample::{DiscreteGaussian, WithReplacement};
use dp_assay::stats::binomial;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// `bms22.lem3_1.mult`.
pub(super) fn multiplicity(check: &mut Check) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 12 } else { 24 };
    check.exact(format_args!(
        "m up to {most}, n = m and the largest power of two: the probability of more than K uses, for all K, against \
         C(n, K+1)/m^(K+1) and 1/(K+1)!; the least K for eight bounds; sequences under the cap counted for m up to 12"
    ));
    for m in 1..=most {
        for n in [m, 1 << m.ilog2()] {
            let (mut ways, mut factorial) = (Rational::one(), Rational::one());
            for uses in 1..=n {
                ways = ways * integer(n - uses + 1) / integer(uses * m);
                factorial /= integer(uses);
                let tail = binomial::exact_upper_tail(n, uses, &Rational::new(1.into(), m.into()));
                check.holds(
                    tail <= ways && ways <= factorial,
                    format_args!("{uses} uses or more in {n} draws of {m}"),
                );
            }
        }
    }
    for bound in ["1", "2", "5/2", "24", "121", "40000", "12e6", "1e30"] {
        let bound = parse(bound)?;
        let cap = least_cap(&bound)?;
        let factorial = |k: u64| -> BigInt { (1..=k).map(BigInt::from).product() };
        let enough = Rational::from_integer(factorial(cap + 1)) >= bound;
        let least = cap == 0 || Rational::from_integer(factorial(cap)) < bound;
        check.holds(
            enough && least,
            format_args!("(K+1)! >= {bound}: K = {cap}"),
        );
    }
    for m in 2..=12usize {
        let cap = least_cap(&integer(4 * m as u64))? as usize;
        let law = WithReplacement::new(m, m)?.at_most(cap)?;
        let share = Rational::new(law.sequences(), BigInt::from(m).pow(m as u32));
        check.holds(
            share >= ratio(3, 4),
            format_args!(
                "{m} records, at most {cap} uses: {} accepted",
                shortly(&share)
            ),
        );
    }

    check.certified(
        "the law under a cap, draw by draw, three records; Chernoff's bound for m = n up to 60, eight probabilities; the \
         cap at m = 10 000",
    );
    let law = WithReplacement::new(3, 3)?.at_most(2)?;
    let found = Explorer::new(Layer::Laws, 4_000).explore(|coins| law.draw(coins))?;
    check.holds(found.lower.len() == 24, "sequences without three of a kind");
    for sequence in found.lower.keys() {
        check.holds(
            found.allows(sequence, &of(&ratio(1, 24))),
            format_args!("the sequence {sequence:?} has probability 1/24"),
        );
    }
    for m in (2..=60u64).step_by(if check.quick() { 8 } else { 2 }) {
        for failing in [
            "1/2", "1/4", "1/10", "1/100", "1e-3", "1e-6", "1e-9", "1e-15",
        ] {
            let failing = parse(failing)?;
            let logarithm = -of(&failing).ln()?;
            // More than 1 + 3 ln(1/failing).
            let cap = (logarithm.lower() * integer(3) + integer(1))
                .floor()
                .to_integer();
            let uses = u64::try_from(cap).unwrap_or(u64::MAX) + 1;
            let tail = binomial::upper_tail(m, uses, &of(&Rational::new(1.into(), m.into())))?;
            check.holds(
                tail.upper() <= failing,
                format_args!("{uses} uses or more of {m}, against {failing}"),
            );
        }
    }
    // Without the constants: "at most ln(1/delta), but for a probability of delta".
    let tail = binomial::exact_upper_tail(19, 3, &ratio(1, 19));
    let delta = parse("0.0503")?;
    let below_three = -of(&delta).ln()?;
    check.holds(
        tail > delta && below_three.is_below_rational(&integer(3)) && delta < ratio(1, 19),
        "ln(1/delta) itself is no cap: m = 19, delta = 0.0503",
    );
    check.figure(
        "three uses or more, m = n = 19, where ln(1/0.0503) < 3",
        to_scientific(&tail, 3),
    );
    // At size: K = 10 is the least by the exact tail too, if all of m are drawn.
    let (rounds, delta) = (integer(6), parse("1e-6")?);
    let allowed = &delta / (&rounds * integer(2));
    let cap = least_cap(&allowed.recip())?;
    let chance = of(&ratio(1, 10_000));
    let tail = |draws: u64, uses: u64| binomial::upper_tail(draws, uses, &chance);
    check.holds(
        tail(10_000, cap + 1)?.upper() <= allowed && tail(10_000, cap)?.lower() > allowed,
        format_args!("the cap at m = n = 10 000: {cap}, and no smaller one"),
    );
    let mut least = cap;
    while least > 0 && tail(8192, least)?.upper() <= allowed {
        least -= 1;
    }
    check.figure(
        "K at m = 10 000, 6 rounds, delta = 1e-6",
        format_args!("{cap}; by the exact tail of 8192 draws {least}"),
    );
    Ok(())
}

/// All phases of all rounds.
fn phases(uses: &Uses) -> Vec<u64> {
    uses.draws_of_phase.repeat(uses.rounds as usize)
}

/// Each number of a phase by turns, over all sequences of numbers: how often record 0 is read in each phase.
fn all_sequences(uses: &Uses) -> Vec<Vec<u64>> {
    let mut found = vec![Vec::new()];
    for draws in phases(uses) {
        let mut next = Vec::new();
        for before in &found {
            for mut sequence in 0..uses.records.pow(draws as u32) {
                let mut times = 0;
                for _ in 0..draws {
                    times += u64::from(sequence % uses.records == 0);
                    sequence /= uses.records;
                }
                let mut all: Vec<u64> = Vec::clone(before);
                all.push(times);
                next.push(all);
            }
        }
        found = next;
    }
    found
}

/// A round of phases of a half, a quarter, ... of the largest power of two.
fn halving(records: u64, rounds: u32) -> Result<Uses, Trouble> {
    let draws = (0..records.ilog2()).rev().map(|exponent| 1 << exponent);
    Ok(Uses::new(records, draws.collect(), rounds)?)
}

fn concentrated(rho: Rational) -> Result<Zcdp, Trouble> {
    Ok(Zcdp::new(rho, NeighbouringRelation::Substitute)?)
}

/// `bms22.uses`.
pub(super) fn accountant(check: &mut Check) -> Result<(), Trouble> {
    summed(check)?;
    mixtures(check)?;
    at_size(check)
}

/// The shipped sum against one over all sequences of numbers, with the library's conversion for each.
fn summed(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "all sequences of numbers for seven sizes of one to five records: the law of J, and delta by a sum over them; and a \
         size at which more than 64 uses decide",
    );
    for (records, draws, rounds) in [
        (2, vec![1], 1),
        (2, vec![3], 2),
        (3, vec![4], 1),
        (3, vec![2, 1, 1], 2),
        (3, vec![2, 1], 2),
        (1, vec![2, 1], 2),
        (5, vec![1, 1], 3),
    ] {
        let uses = Uses::new(records, draws, rounds)?;
        let sequences = all_sequences(&uses);
        let mut law: BTreeMap<u64, u64> = BTreeMap::new();
        for times in &sequences {
            *law.entry(times.iter().map(|j| j * j).sum()).or_default() += 1;
        }
        let share = |count: u64| Rational::new(count.into(), sequences.len().into());
        let squares = uses.squares(64)?;
        let slack = Rational::new(1.into(), BigInt::one() << 100);
        for (&value, &count) in &law {
            let more = squares.probability(value as usize) - share(count);
            check.holds(
                more >= Rational::zero() && more < slack,
                format_args!("{uses:?}: J = {value}"),
            );
        }
        for (multiplier, epsilon) in [("1", "1/2"), ("3", "1/4"), ("5/2", "2"), ("1/2", "0")] {
            let (multiplier, epsilon) = (parse(multiplier)?, parse(epsilon)?);
            let mut sum = Rational::zero();
            for (&value, &count) in law.iter().filter(|(value, _)| **value > 0) {
                let rho = integer(value) / (&multiplier * &multiplier * integer(2));
                sum += concentrated(rho)?.delta(&epsilon)? * share(count);
            }
            let found = uses.delta(&multiplier, &epsilon)?;
            let near = &sum * ratio(1001, 1000);
            check.holds(
                found <= near && found >= sum * ratio(999, 1000),
                format_args!("{uses:?}, multiplier {multiplier}, epsilon {epsilon}"),
            );
        }
    }
    // 65 uses of 100 cost all; 64, their square less by 129, a factor of e^20 less; and no J above 4096 is kept apart.
    let uses = Uses::new(8, vec![100], 1)?;
    let chance = binomial::exact_upper_tail(100, 65, &ratio(1, 8));
    let found = uses.delta_of_rho(&integer(20), &integer(20 * 65 * 65))?;
    check.holds(
        found >= chance,
        format_args!(
            "65 uses or more of 100: {} >= {}",
            shortly(&found),
            shortly(&chance)
        ),
    );
    Ok(())
}

/// Probabilities of noise of this variance at the integers from `-reach` to `reach`.
fn noise(variance: &Rational, reach: i64) -> Result<Vec<Enclosure>, Trouble> {
    let law = DiscreteGaussian::new(variance.clone())?;
    let pmf = |k: i64| Ok(law.pmf(&k.into(), 64)?);
    (-reach..=reach).map(pmf).collect()
}

/// `sup_E P(E) - e^epsilon Q(E)`, rounded up and down, of laws that are given but for a rest of P.
fn hockey_stick(
    p: &[Enclosure],
    q: &[Enclosure],
    epsilon: &Rational,
) -> Result<Enclosure, Trouble> {
    let factor = Enclosure::exp_of(epsilon, 64)?;
    let zero = Enclosure::integer(0, 64);
    let (mut sum, mut known) = (zero.clone(), zero.clone());
    for (p, q) in p.iter().zip(q) {
        sum = sum + (p - &factor * q).max(&zero);
        known = known + p;
    }
    let rest = known.complement().max(&zero);
    Ok(sum.hull(&(&sum + rest)))
}

/// The mixtures themselves: all datasets of few bits, one or two phases, exact laws of what is released.
fn mixtures(check: &mut Check) -> Result<(), Trouble> {
    let shapes: &[(u64, &[u64])] = if check.quick() {
        &[(2, &[2]), (2, &[2, 1])]
    } else {
        &[(2, &[2]), (3, &[3]), (2, &[2, 1]), (3, &[2, 1])]
    };
    check.certified(format_args!(
        "the laws of what is released, sums of bits with noise of variance 4: (records, phases) = {shapes:?}, all datasets \
         and neighbours, five epsilons: delta at most what is accounted for"
    ));
    const REACH: i64 = 18;
    let multiplier = integer(2);
    let noise = noise(&integer(4), REACH)?;
    // The noise that makes `y` of a sum.
    let of_sum = |y: i64, sum: i64| -> Option<&Enclosure> {
        usize::try_from(y - sum + REACH)
            .ok()
            .and_then(|place| noise.get(place))
    };
    let mut worst = Rational::zero();
    for &(records, draws) in shapes {
        let uses = Uses::new(records, draws.to_vec(), 1)?;
        let largest = draws.iter().max().copied().unwrap_or(0) as i64;
        let range = REACH + largest;
        let mut laws = Vec::new();
        for data in 0..1u64 << records {
            // How often each vector of sums occurs.
            let mut sums: BTreeMap<Vec<i64>, u64> = BTreeMap::new();
            let total: u64 = draws.iter().sum();
            for mut sequence in 0..records.pow(total as u32) {
                let mut vector = Vec::new();
                for &draws in draws {
                    let mut sum = 0;
                    for _ in 0..draws {
                        sum += i64::from(data >> (sequence % records) & 1 == 1);
                        sequence /= records;
                    }
                    vector.push(sum);
                }
                *sums.entry(vector).or_default() += 1;
            }
            let mut law = Vec::new();
            let second = if draws.len() == 2 {
                -range..=range
            } else {
                0..=0
            };
            for y in -range..=range {
                for z in second.clone() {
                    let mut probability = Enclosure::integer(0, 64);
                    for (vector, &count) in &sums {
                        let share = Rational::new(count.into(), records.pow(total as u32).into());
                        let Some(first) = of_sum(y, vector[0]) else {
                            continue;
                        };
                        let both = match vector.get(1) {
                            None => first.clone(),
                            Some(&sum) => match of_sum(z, sum) {
                                Some(second) => first * second,
                                None => continue,
                            },
                        };
                        probability = probability + Enclosure::of(&share, 64) * both;
                    }
                    law.push(probability);
                }
            }
            laws.push(law);
        }
        for epsilon in ["0", "1/10", "1/4", "1/2", "1"] {
            let epsilon = parse(epsilon)?;
            let allowed = uses.delta(&multiplier, &epsilon)?;
            for data in 0..laws.len() {
                for record in 0..records {
                    let other = data ^ (1 << record);
                    let delta = hockey_stick(&laws[data], &laws[other], &epsilon)?.upper();
                    check.holds(
                        delta <= allowed,
                        format_args!("{uses:?}, data {data:b} and {other:b}, epsilon {epsilon}"),
                    );
                    worst = worst.max(delta / &allowed);
                }
            }
        }
    }
    check.figure(
        "the largest part of the delta accounted for that these mixtures have",
        to_scientific(&worst, 3),
    );
    Ok(())
}

/// The law of J for one record, of phases whose laws are enclosed one by one.
fn enclosed_squares(uses: &Uses, most: u64) -> Result<BTreeMap<u64, Enclosure>, Trouble> {
    let chance = of(&Rational::new(1.into(), uses.records.into()));
    let mut law = BTreeMap::from([(0, Enclosure::integer(1, BITS))]);
    for draws in phases(uses) {
        let mut phase = Vec::new();
        for j in (0..=draws).take_while(|j| j * j <= most) {
            phase.push((j * j, binomial::pmf(draws, j, &chance)?));
        }
        let mut next: BTreeMap<u64, Enclosure> = BTreeMap::new();
        for (before, probability) in &law {
            for (square, of_phase) in phase.iter().filter(|(square, _)| before + square <= most) {
                let both = probability * of_phase;
                let sum = next
                    .entry(before + square)
                    .or_insert_with(|| Enclosure::integer(0, BITS));
                *sum = &*sum + both;
            }
        }
        law = next;
    }
    Ok(law)
}

/// The multiplier of the learner's phases, against a sum of its own; and what other accountings ask for.
fn at_size(check: &mut Check) -> Result<(), Trouble> {
    let (rounds, most) = (if check.quick() { 1 } else { 6 }, 100);
    check.certified(format_args!(
        "m = 10 000 with 13 phases, {rounds} rounds, epsilon = 1/2, delta = 1e-6: the multiplier, by a sum over J up to {most} \
         with binomial probabilities of their own"
    ));
    let within = budget("0.5", "1e-6")?;
    let uses = halving(10_000, rounds)?;
    let multiplier = uses.multiplier(&within)?;
    let law = enclosed_squares(&uses, most)?;
    // What is beyond costs at most its probability, and at least nothing.
    let known = law
        .values()
        .fold(Enclosure::integer(0, BITS), |sum, one| sum + one);
    let delta = |multiplier: &Rational| -> Result<Rational, Trouble> {
        let mut sum = Rational::zero();
        for (&value, probability) in law.iter().filter(|(value, _)| **value > 0) {
            let rho = integer(value) / (multiplier * multiplier * integer(2));
            sum += concentrated(rho)?.delta(within.epsilon())? * probability.upper();
        }
        Ok(sum)
    };
    let beyond = known.complement().upper();
    let enough = delta(&multiplier)?;
    check.holds(
        &enough + &beyond <= within.delta() * ratio(101, 100),
        format_args!(
            "multiplier {}: delta {}",
            shortly(&multiplier),
            shortly(&enough)
        ),
    );
    check.holds(
        delta(&(&multiplier * ratio(98, 100)))? > *within.delta(),
        "two hundredths less would not do",
    );
    let four = |value: &Rational| to_scientific(value, 4);
    check.figure(
        format_args!("multiplier, m = 10 000, {rounds} rounds, by hidden uses"),
        four(&multiplier),
    );
    if !check.quick() {
        let larger = halving(1_000_000, rounds)?.multiplier(&within)?;
        check.figure("the same, m = 1 000 000", four(&larger));
    }
    let failing = within.delta() / integer(2 * u64::from(rounds));
    for (name, cap) in [
        (
            "a cap that fails with probability delta/2",
            least_cap(&failing.recip())?,
        ),
        (
            "a cap that sequences are drawn under",
            least_cap(&integer(40_000))?,
        ),
    ] {
        let found = capped_multiplier(cap, rounds, &within)?;
        let spent = |multiplier: &Rational| -> Result<Rational, Trouble> {
            let squares = integer(cap * cap * u64::from(rounds));
            let rho = squares / (multiplier * multiplier * integer(2));
            Ok(concentrated(rho)?.delta(within.epsilon())?)
        };
        let least = spent(&(&found * ratio(99, 100)))? > *within.delta();
        check.holds(
            spent(&found)? <= *within.delta() && least && found > multiplier,
            format_args!("{name}, K = {cap}: K^2 uses a round, and more noise"),
        );
        check.figure(format_args!("multiplier, {name}, K = {cap}"), four(&found));
    }
    let once = capped_multiplier(1, 1, &within)?;
    check.figure("multiplier, one round, each record once", four(&once));
    Ok(())
}

/// `bms22.lem3_1.priv`.
pub(super) fn groups(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "two sizes and budgets with delta < 1/m and epsilon <= ln(1/delta): each step of the proof, by other routes: the tail \
         of the binomial, the group's delta as a sum, the exact profile of the noise at one use and at K, rounds added up; \
         and the noise that hidden uses ask for",
    );
    for (records, rounds, epsilon, delta) in [(10_000, 6, "1", "1e-6"), (1_000, 1, "13", "1e-6")] {
        recomposed(check, records, rounds, &parse(epsilon)?, &parse(delta)?)?;
    }

    check.certified(
        "noise for one use and the whole budget, in one phase of m draws: the exact delta of the mixture on m - 1 records 0 and \
         one that is 0 or 1; one or three budgets",
    );
    let budgets = [(200, "1", "1e-3"), (1000, "1", "1e-5"), (1000, "2", "1e-6")];
    let budgets = if check.quick() {
        &budgets[..1]
    } else {
        &budgets
    };
    for &(records, epsilon, delta) in budgets {
        let within = budget(epsilon, delta)?;
        // A use is five steps of the grid.
        const STEP: i64 = 5;
        let variance = discrete_gaussian::variance(&within, &BigInt::from(STEP * STEP), 1)?;
        let exact = mixture_of_one_phase(records, &variance, STEP, within.epsilon())?;
        check.holds(
            exact.lower() > *within.delta(),
            format_args!(
                "m = {records}, epsilon {epsilon}: without group privacy delta is not {delta}"
            ),
        );
        // As the accountant has it: rho of one use is the step squared over twice the variance.
        let uses = Uses::new(records, vec![records], 1)?;
        let of_one = integer(STEP * STEP) / (&variance * integer(2));
        let allowed = uses.delta_of_rho(&of_one, within.epsilon())?;
        check.holds(
            exact.upper() <= allowed,
            format_args!("m = {records}, epsilon {epsilon}: the accountant covers the mixture"),
        );
        check.figure(
            format_args!(
                "without group privacy, m = {records}, epsilon = {epsilon}, delta = {delta}"
            ),
            format_args!(
                "delta is {}, {} times that; accounted for: {}",
                to_scientific(&exact.upper(), 3),
                to_scientific(&(exact.upper() / within.delta()), 3),
                to_scientific(&allowed, 3)
            ),
        );
    }
    // e^(K e) of the group's factor, at K e = epsilon/2 and epsilon = ln(10^6).
    let growth = of(&integer(1_000_000)).ln()?.shifted(-1).exp()?;
    check.figure(
        "by what the exponential of the group's factor grows at epsilon = ln(1e6), one round",
        to_scientific(&growth.upper(), 4),
    );
    Ok(())
}

/// `delta(epsilon)` of the sums of `m` draws from records that are 0, but one: `j steps`, `j` binomial, against 0.
fn mixture_of_one_phase(
    records: u64,
    variance: &Rational,
    step: i64,
    epsilon: &Rational,
) -> Result<Enclosure, Trouble> {
    const USES: i64 = 12;
    let chance = of(&Rational::new(1.into(), records.into()));
    let mut times = Vec::new();
    for j in 0..=USES {
        times.push(binomial::pmf(records, j as u64, &chance)?.with_bits(64));
    }
    let reach = (variance.to_integer().sqrt() + 1u32) * 9u32;
    let reach = i64::try_from(reach).unwrap_or(i64::MAX) + step * USES;
    let noise = noise(variance, reach)?;
    let at = |y: i64| noise.get((y + reach) as usize);
    let (mut p, mut q) = (Vec::new(), Vec::new());
    for y in step * USES - reach..=reach {
        let mut mixed = Enclosure::integer(0, 64);
        for (j, times) in times.iter().enumerate() {
            if let Some(noise) = at(y - step * j as i64) {
                mixed = mixed + times * noise;
            }
        }
        p.push(mixed);
        q.push(noise[(y + reach) as usize].clone());
    }
    hockey_stick(&p, &q, epsilon)
}

/// The proof of the lemma's privacy, step by step, for the rounds' share (epsilon/2, delta).
fn recomposed(
    check: &mut Check,
    records: u64,
    rounds: u32,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<(), Trouble> {
    let instance = format!("m = {records}, {rounds} rounds, epsilon = {epsilon}, delta = {delta}");
    let within = budgets::approximate(epsilon / integer(2), delta.clone())?;
    let uses = halving(records, rounds)?;
    let Grouped {
        cap,
        of_one,
        multiplier,
    } = grouped(&uses, &within)?;
    let draws: u64 = uses.draws_of_phase.iter().sum();
    let failing = delta / integer(2 * u64::from(rounds));
    // 1. How often a record is read in one round.
    let tail = binomial::upper_tail(
        draws,
        cap + 1,
        &of(&Rational::new(1.into(), records.into())),
    )?;
    check.holds(
        tail.upper() <= failing,
        format_args!("{instance}: more than {cap} uses"),
    );
    // 2. The group: delta times the sum of e^(l e), l below K.
    let ratio_of = Enclosure::exp_of(of_one.epsilon(), BITS)?;
    let (mut power, mut sum) = (Enclosure::integer(1, BITS), Enclosure::integer(0, BITS));
    for _ in 0..cap {
        sum = sum + &power;
        power = power * &ratio_of;
    }
    let group = (sum * of(of_one.delta())).upper();
    let rounded = Rational::one() + Rational::new(1.into(), BigInt::one() << 50);
    check.holds(
        group <= &failing * &rounded && group >= &failing * ratio(999, 1000),
        format_args!("{instance}: the delta of {cap} uses is that of a round"),
    );
    // 3. The noise that is drawn, at one use and at K of them, on a grid where one use is ten steps.
    let variance = &multiplier * &multiplier * integer(100);
    let law = DiscreteGaussian::new(variance)?;
    let at_one = law.profile(&BigInt::from(10), of_one.epsilon(), 256)?;
    check.holds(
        at_one.upper() <= *of_one.delta(),
        format_args!("{instance}: the noise at one use"),
    );
    let all = of_one.epsilon() * integer(cap);
    let at_all = law.profile(&BigInt::from(10 * cap), &all, 256)?;
    check.holds(
        at_all.upper() <= failing,
        format_args!("{instance}: the noise at {cap} uses"),
    );
    // 4. All rounds.
    check.holds(
        all * integer(rounds) <= epsilon / integer(2),
        format_args!("{instance}: the epsilons of the rounds"),
    );
    // 5. By hidden uses less noise does.
    let least = uses.multiplier(&within)?;
    check.holds(
        uses.delta(&least, within.epsilon())? <= *delta && least < multiplier,
        format_args!("{instance}: the least multiplier by hidden uses"),
    );
    check.figure(
        format_args!("{instance}: multiplier as in the proof, K = {cap}; by hidden uses"),
        format_args!(
            "{}; {}",
            to_scientific(&multiplier, 4),
            to_scientific(&least, 4)
        ),
    );
    Ok(())
}

/// `bms22.lem3_1.range`.
pub(super) fn range(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "three sizes and budgets with delta >= 1/m or epsilon > ln(1/delta): each step of the proof of privacy, as within the \
         range",
    );
    for (records, rounds, epsilon, delta) in [
        (1_000, 2, "20", "1e-6"),
        (100, 2, "1", "1/10"),
        (16, 3, "40", "1/2"),
    ] {
        let (epsilon, delta) = (parse(epsilon)?, parse(delta)?);
        let above = epsilon > (-of(&delta).ln()?).upper();
        check.holds(
            above || delta >= Rational::new(1.into(), records.into()),
            format_args!("m = {records}, epsilon = {epsilon}, delta = {delta} is outside"),
        );
        recomposed(check, records, rounds, &epsilon, &delta)?;
    }
    Ok(())
}
