//! Bernoulli(exp(-x)), prepared; and the exponential mechanism: repeated, and over integer scores.

use super::decisions::{SHARP, Seen, Stated, tables_of};
use super::integers::bracket;
use super::list_of;
use super::scripted::{After, Answer, Scripted};
use crate::claim::{Check, Trouble};
use crate::samplers::rung::{Rung, over_laws, power};
use crate::samplers::{BITS, ladder};
use dp_assay::coins::{Against, Choice, Coins, Explorer, Law, Layer, Sharp, Tape};
use dp_assay::number::{Enclosure, Rational, rational, rational::ratio};
use dp_assay::prepared::{IntegerScores, PreparedBernoulliExp, PreparedExponentialMechanism};
use dp_assay::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// `sample.prepared-bernoulli-exp`
pub(in super::super) fn bernoulli_exp(check: &mut Check) -> Result<(), Trouble> {
    let mut exponents: Vec<Rational> = [
        (0, 1),
        (1, 1000),
        (1, 2),
        (1, 1),
        (22, 7),
        (10, 1),
        (44, 1),
        (45, 1),
        (1000, 1),
        (10_000_000, 1),
    ]
    .map(|(n, d)| ratio(n, d))
    .to_vec();
    exponents.extend([-20, -40, -80].map(super::power_of_two));
    check.certified(format_args!(
        "x in {}: the two bounds against the exponential, what a word below, above and between them gives, and the words between them \
         settled bit by bit",
        list_of(&exponents)
    ));
    let mut undecided = Rational::zero();
    for x in &exponents {
        let prepared = PreparedBernoulliExp::new(x.clone())?;
        let p = Enclosure::exp_of(&-x, SHARP)?;
        let drawn = |answer: Answer| {
            let mut coins = Scripted::default();
            coins.answers.push_back(answer);
            let found = prepared.draw(&mut coins);
            (found, coins.bounds.first().copied())
        };
        if x.is_zero() {
            check.holds(
                prepared.draw(&mut Tape::written("")) == Ok(true),
                "x = 0 is true without a bit",
            );
            continue;
        }
        let (below, bounds) = drawn(Answer::Below);
        let Some(bounds) = bounds else {
            check.holds(false, format_args!("x = {x}: compared with no bounds"));
            continue;
        };
        check.holds(
            below == Ok(true)
                && drawn(Answer::NotBelow).0 == Ok(false)
                && bracket(bounds, &p)
                && bounds[1] - bounds[0] <= 2,
            format_args!("x = {x}: bounds {bounds:?} of {p}"),
        );
        // Words between the bounds, by the code that compares bit by bit.
        for word in bounds[0]..=bounds[1] {
            let found = Explorer::new(Layer::Bits, 400)
                .until(power(24))
                .explore(|run| {
                    let (left, coins) = (64, run);
                    prepared.draw(&mut After { word, left, coins })
                })?;
            let scaled = p.shifted(64) - Enclosure::integer(word, SHARP);
            let [none, all] = [0, 1].map(|n| Enclosure::integer(n, SHARP));
            let share = scaled.max(&none).min(&all);
            check.holds(
                found.allows(&true, &share)
                    && found.allows(&false, &share.complement())
                    && found.undecided <= power(24),
                format_args!("x = {x}: word {word}"),
            );
            undecided = undecided.max(found.undecided);
        }
    }
    // The comparison itself: the first byte, and all 64 bits.
    let bounds = [
        [0, 0],
        [0, u64::MAX],
        [u64::MAX, u64::MAX],
        [1 << 63, 1 << 63],
        [0x1234_5678_9abc_def0, 0x1234_5678_9abc_def3],
        [0x12ff_ffff_ffff_fffe, 0x1300_0000_0000_0001],
        [0x40_0000_0000_0000, 0xff40_0000_0000_0000],
    ];
    check.exact(format_args!(
        "a word against {} pairs of bounds: all 256 first bytes, and the words around the bounds",
        bounds.len()
    ));
    for [below, last] in bounds {
        let bytes = (0..256u64).flat_map(|byte| [byte << 56, byte << 56 | u64::MAX >> 8]);
        let near = [below, last]
            .into_iter()
            .flat_map(|bound| [bound.wrapping_sub(1), bound, bound.wrapping_add(1)]);
        for word in bytes.chain(near) {
            let mut nothing = Tape::written("");
            let coins = &mut nothing;
            let left = 64;
            let found = After { word, left, coins }.against(below / 2, || Sharp { below, last })?;
            let right = match found {
                Against::Below => word < below,
                Against::NotBelow => word > last,
                Against::Between { .. } => (below..=last).contains(&word),
            };
            check.holds(right, format_args!("{word} against {below} and {last}"));
        }
    }
    check.figure(
        "largest undecided mass of a word between the bounds",
        rational::to_scientific_above(&undecided, 3),
    );
    Ok(())
}

/// `n e^(-epsilon l / (2 Delta))` of each class, in order, summed and divided by the whole sum.
fn cumulative(
    [epsilon, sensitivity]: &[Rational; 2],
    law: &ExponentialMechanism,
) -> Result<Vec<Enclosure>, Trouble> {
    let mut sums = vec![Enclosure::integer(0, SHARP)];
    for ScoreClass { loss, count } in law.classes() {
        let exponent = epsilon * loss / (sensitivity * BigInt::from(2));
        let each = Enclosure::exp_of(&-exponent, SHARP)?;
        let weight = each * Enclosure::integer(BigInt::from(count.clone()), SHARP);
        sums.push(&sums[sums.len() - 1] + weight);
    }
    let total = sums[sums.len() - 1].clone();
    let shares = sums[1..].iter().map(|sum| sum.divided_by(&total));
    Ok(shares.collect::<Result<_, _>>()?)
}

/// `sample.prepared-exponential-mechanism`
pub(in super::super) fn exponential_mechanism(check: &mut Check) -> Result<(), Trouble> {
    let mut laws = ladder::mechanisms()?;
    let many = if check.quick() { 300 } else { 1000 };
    let parameters = [ratio(1, 100), ratio(1, 1)];
    let classes = (0..many).map(|k| ScoreClass {
        loss: ratio(k * k % 977, 3),
        count: BigUint::from((k % 4) as u32),
    });
    let [epsilon, sensitivity] = parameters.clone();
    let law = ExponentialMechanism::new(epsilon, sensitivity, classes.collect())?;
    laws.push((parameters, law));
    check.certified(format_args!(
        "{} instances, one of them of {many} classes, with empty and single classes among them: every word of the table against \
         n e^(-epsilon l/(2 Delta)), normalised; class and rank as they were picked, and over draws of them",
        laws.len()
    ));
    let (mut seen, mut rung) = (Seen::default(), Rung::default());
    for (parameters, law) in &laws {
        let prepared = PreparedExponentialMechanism::new(law)?;
        let tables = tables_of(|coins| prepared.sample(coins), 0)?;
        let [table] = &tables[..] else {
            check.holds(
                false,
                format_args!("{}: {} tables", law.label(), tables.len()),
            );
            continue;
        };
        rung.explores(Choice::Law(table.label()));
        let stated = Stated {
            instance: law.label(),
            table: table.clone(),
            cumulative: cumulative(parameters, law)?,
        };
        seen.decides(check, &stated, 1)?;
        let occupied = law.classes().iter().enumerate();
        for (class, of) in occupied.filter(|(_, of)| !of.count.is_zero()) {
            for rank in [0, of.count.to_u64().unwrap_or(1) - 1] {
                let picked = || Scripted::picking([(table, [class].into())]);
                let mut coins = picked();
                coins.ranks.push_back(rank);
                let mut out = [0];
                prepared.fill(&mut picked(), &mut out)?;
                check.holds(
                    prepared.draw_outcome(&mut coins)? == (class, rank.into())
                        && prepared.sample(&mut picked())? == class
                        && out == [class as i64],
                    format_args!("{}: class {class}, rank {rank}", law.label()),
                );
            }
        }
        if law.classes().len() > 100 {
            continue;
        }
        // Given the class, each rank below its count is as likely.
        let found = over_laws(30).explore(|coins| prepared.draw_outcome(coins))?;
        let mut wrong = None;
        for outcome in found.lower.keys() {
            let (class, rank) = outcome;
            let count = &law.classes()[*class].count;
            let share = Rational::new(One::one(), BigInt::from(count.clone()).max(1.into()));
            let each = law.pmf(class, BITS)? * Enclosure::of(&share, BITS);
            if rank >= count || !found.allows(outcome, &each) {
                wrong = Some(outcome.clone());
            }
        }
        rung.of(law.label(), wrong, &found, 30);
    }
    rung.report(check);
    rung.rests_on(check, &[]);
    seen.report(check);
    Ok(())
}

/// `sample.integer-scores`
pub(in super::super) fn integer_scores(check: &mut Check) -> Result<(), Trouble> {
    let rates = [
        ratio(1, 2),
        ratio(22, 7),
        ratio(1, 1000),
        super::power_of_two(-40),
        ratio(1000, 1),
    ];
    let lists: [&[i64]; 5] = [
        &[0],
        &[3, 3, 3],
        &[0, -1, 5, 4, -250],
        &[i64::MIN, 0, i64::MAX],
        &[7, 1_000_000, 999_999, 12_345],
    ];
    check.certified(format_args!(
        "rates {}, {} lists of scores: each candidate, accepted by as many draws as the difference to the best has binary ones, each \
         with bounds of exp(-rate 2^j); false at any of them rejects, and another is drawn",
        list_of(&rates),
        lists.len()
    ));
    let mut draws = 0;
    for rate in &rates {
        let mechanism = IntegerScores::new(rate.clone())?;
        for scores in lists {
            let (at, best) = (0..scores.len())
                .zip(scores)
                .max_by_key(|(_, score)| **score)
                .unwrap_or((0, &0));
            for (candidate, score) in scores.iter().enumerate() {
                let difference = BigInt::from(*best) - score;
                let ones: Vec<u64> = (0..64).rev().filter(|&j| difference.bit(j)).collect();
                let script = |answers: &[Answer]| {
                    let mut coins = Scripted::default();
                    coins.ranks.extend([candidate as u64, at as u64]);
                    coins.answers.extend(answers);
                    let found = mechanism.draw(scores, &mut coins);
                    (found, coins)
                };
                // All true: as many bounds as ones, of the right powers.
                let (found, coins) = script(&vec![Answer::Below; ones.len()]);
                let n = scores.len() as u64;
                let mut right = found == Ok(candidate)
                    && coins.belows == [n]
                    && coins.bounds.len() == ones.len();
                for (j, bounds) in ones.iter().zip(&coins.bounds) {
                    let exponent = rate * (BigInt::one() << *j);
                    let p = Enclosure::exp_of(&-exponent, SHARP)?;
                    right &= bracket(*bounds, &p) && bounds[1] - bounds[0] <= 2;
                }
                check.holds(
                    right,
                    format_args!("rate {rate}: {scores:?}, candidate {candidate}"),
                );
                // One is false: the other candidate is drawn, the best one, and it is accepted.
                for wrong in 0..ones.len() {
                    let mut answers = vec![Answer::Below; wrong];
                    answers.push(Answer::NotBelow);
                    let (found, coins) = script(&answers);
                    check.holds(
                        found == Ok(at) && coins.belows == [n, n],
                        format_args!(
                            "rate {rate}: {scores:?}, candidate {candidate} fails at {wrong}"
                        ),
                    );
                }
                draws += ones.len() + 1;
            }
        }
    }
    check.figure("draws", draws);
    Ok(())
}
