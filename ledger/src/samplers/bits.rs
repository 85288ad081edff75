//! From bits to Bernoulli draws, and from one attempt to a loop.

use super::ladder;
use super::rung::{REJECTIONS, Rung, power};
use super::{BITS, list};
use crate::claim::{Check, Trouble};
use dp_assay::coins::explorer::Run;
use dp_assay::coins::{Choice, Coins, CoinsError, Explored, Explorer, Layer, RejectionLaw, layers};
use dp_assay::number::{Enclosure, Rational, rational::ratio};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeSet;

/// `sample.uniform-below`
pub(super) fn uniform_below(check: &mut Check) -> Result<(), Trouble> {
    let most = match (check.quick(), check.thorough()) {
        (true, _) => 20u32,
        (_, true) => 1000,
        _ => 200,
    };
    let above = &ladder::ladder()?.laws;
    let drawn = above.iter().flat_map(Rung::drawn);
    let below = drawn.filter_map(|choice| match choice {
        Choice::UniformBelow(n) => Some(n.clone()),
        _ => None,
    });
    let explored: BTreeSet<BigUint> = below.chain((1..=most).map(BigUint::from)).collect();
    check.exact(format_args!(
        "one attempt, bit by bit, n = 1..={most} and all that the samplers above draw"
    ));
    let mut rung = Rung::default();
    let mut runs = 0;
    for n in &explored {
        let attempt = Explorer::new(Layer::Bits, 3000)
            .explore(|coins| layers::uniform_below_attempt(coins, n))?;
        check.holds(
            attempt.undecided.is_zero(),
            format_args!("n = {n}: everything is decided"),
        );
        // The n outcomes share what is not rejected, so that there are no others.
        let accepted = Rational::one() - attempt.lower(&None);
        let share = accepted / Rational::from_integer(n.clone().into());
        for k in 0..n.to_u64().unwrap_or(0) {
            check.holds(
                attempt.lower(&Some(k.into())) == share,
                format_args!("n = {n}, k = {k}"),
            );
        }
        rung.explores(Choice::UniformBelow(n.clone()));
        runs += attempt.runs;
    }
    check.figure("runs explored, attempts", runs);
    rung.carries(check, above, |choice| {
        matches!(choice, Choice::UniformBelow(_))
    });
    // The loop itself: 3 = 4 - 1, 7 = 8 - 1 and 15 = 16 - 1 have one rejected candidate, 6 has two and 5 three, so
    // that of 5 less is decided by as many runs.
    let whole = [(3, 30), (5, 6), (6, 12), (7, 30), (15, 30)];
    check.certified(format_args!(
        "the loop, bit by bit, at once and after {REJECTIONS} rejections, n in {}",
        list(&whole.map(|(n, _)| n))
    ));
    for (n, tolerated) in whole {
        let below = BigUint::from(n as u32);
        let share = Enclosure::of(&Rational::new(1.into(), n.into()), BITS);
        for left in [0, REJECTIONS] {
            let found = Explorer::new(Layer::Bits, 6000)
                .until(power(tolerated))
                .explore(|coins| AfterOnes { coins, left }.uniform_below(&below))?;
            let other = found.lower.keys().find(|k| **k >= below).cloned();
            let wrong = (0..n as u32)
                .map(BigUint::from)
                .find(|k| !found.allows(k, &share));
            rung.of(
                format_args!("n = {n} after {left} rejections"),
                wrong.or(other),
                &found,
                tolerated,
            );
        }
    }
    rung.report(check);
    Ok(())
}

/// Coins whose first words are all ones: candidates that are rejected, unless `n` is a power of two.
struct AfterOnes<'a> {
    coins: &'a mut Run,
    left: u32,
}

impl Coins for AfterOnes<'_> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        if self.left == 0 {
            return self.coins.bits(count);
        }
        self.left -= 1;
        Ok((1 << count) - 1)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }
}

/// `sample.bernoulli`
pub(super) fn bernoulli(check: &mut Check) -> Result<(), Trouble> {
    const LONGEST: u64 = 40;
    let denominators = if check.thorough() { 100 } else { 24 };
    check.exact(format_args!(
        "bit by bit, every p with denominator up to {denominators}; more than j bits with probability at most 2^-j, \
         j = 0..={LONGEST}"
    ));
    let mut rung = Rung::default();
    let of_value = |found: &Explored<(u64, bool)>, which: bool| -> Rational {
        let masses = found.lower.iter();
        masses
            .filter(|((_, value), _)| *value == which)
            .map(|(_, mass)| mass)
            .sum()
    };
    let explore = |p: &Rational, runs: usize| {
        Explorer::new(Layer::Bits, runs).explore(|coins| {
            let value = coins.bernoulli(p)?;
            Ok((coins.consumed(), value))
        })
    };
    // Pr[true] lies between what was seen and what may still come; so does Pr[false].
    let fits = |p: &Rational, found: &Explored<(u64, bool)>| {
        of_value(found, true) <= *p && of_value(found, false) <= Rational::one() - p
    };
    for denominator in 1..=denominators {
        for numerator in 0..=denominator {
            let p = ratio(numerator, denominator);
            let found = explore(&p, 120)?;
            rung.of(
                format_args!("p = {p}"),
                (!fits(&p, &found)).then_some(true),
                &found,
                40,
            );
            // The sum over j of Pr[more than j bits] is the mean: at most 1 + 1/2 + 1/4 + ... = 2.
            let mut masses = found.lower.iter().peekable();
            let mut more = Rational::one();
            for j in 0..=LONGEST {
                while let Some((_, mass)) = masses.next_if(|((bits, _), _)| *bits <= j) {
                    more -= mass;
                }
                check.holds(
                    more <= Rational::new(1.into(), (1u64 << j).into()),
                    format_args!("p = {p}, more than {j} bits with probability {more}"),
                );
            }
            rung.explores(Choice::Bernoulli(p));
        }
    }
    // All that Bernoulli(e^-x) draws, for all that is drawn above it.
    let above = &ladder::ladder()?.bernoulli_exp;
    let drawn: Vec<Rational> = above
        .drawn()
        .iter()
        .filter_map(|choice| match choice {
            Choice::Bernoulli(p) => Some(p.clone()),
            _ => None,
        })
        .collect();
    check.exact(format_args!(
        "bit by bit, the {} probabilities that Bernoulli(e^-x) draws in its row",
        drawn.len()
    ));
    for p in drawn {
        let found = explore(&p, 32)?;
        let wrong = (!fits(&p, &found)).then_some(true);
        rung.of(format_args!("p = {p}"), wrong, &found, 14);
        rung.explores(Choice::Bernoulli(p));
    }
    rung.carries(check, std::slice::from_ref(above), |choice| {
        matches!(choice, Choice::Bernoulli(_))
    });
    rung.report(check);
    Ok(())
}

/// `sample.bernoulli-exp`
pub(super) fn bernoulli_exp(check: &mut Check) -> Result<(), Trouble> {
    let ladder::Ladder {
        laws,
        bernoulli_exp: rung,
    } = ladder::ladder()?;
    // At 2/3, 3/4 and 4/5 an arithmetic that divides wrongly shows in 14 coin flips: a peer's did.
    let to_the_bits = [(2, 3), (3, 4), (4, 5)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "x in {} and all that the samplers above draw: above 1 over draws of it up to 1, whole; up to 1 over Bernoulli \
         draws; bit by bit, x in {}",
        list(&ladder::exponents()),
        list(&to_the_bits)
    ));
    rung.report(check);
    let mut whole = Rung::default();
    for x in &to_the_bits {
        ladder::explore_exponent(&mut whole, x, Layer::Bits, 3000, 10)?;
    }
    whole.report(check);
    // What the laws draw, and what it draws of itself, up to 1.
    for above in [&laws[..], std::slice::from_ref(rung)] {
        rung.carries(check, above, |choice| {
            matches!(choice, Choice::BernoulliExp(_))
        });
    }
    // However large x is: true is returned if all factors come up true, and their exponents add up to x.
    let large = [(17, 2), (2_000_001, 2000), (100_000, 1)].map(|(n, d)| ratio(n, d));
    check.exact(format_args!(
        "the exponents drawn where all come up true add up to x, none above 1; one false and false is returned at once; \
         x in {}",
        list(&large)
    ));
    for x in &large {
        let mut coins = Factors::default();
        let all = coins.top(x)?;
        check.holds(
            all && coins.sum == *x,
            format_args!("x = {x}: {} drawn", coins.sum),
        );
        let factors = coins.count;
        for wrong in [1, 2, factors / 2, factors] {
            let mut coins = Factors {
                fails_at: Some(wrong),
                ..Factors::default()
            };
            let all = coins.top(x)?;
            check.holds(
                !all && coins.count == wrong,
                format_args!("x = {x}: false at factor {wrong} of {factors}"),
            );
        }
    }
    Ok(())
}

/// Coins whose Bernoulli(e^-x) up to 1 comes up true each time, but for one; and the exponents that were asked for.
#[derive(Default)]
struct Factors {
    sum: Rational,
    count: u64,
    fails_at: Option<u64>,
}

impl Factors {
    fn top(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        layers::bernoulli_exp(self, x)
    }
}

impl Coins for Factors {
    // Nothing below the factors is drawn.
    fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
        Err(CoinsError::NoOutcome)
    }

    fn consumed(&self) -> u64 {
        0
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        if *x > Rational::one() {
            return Err(CoinsError::NegativeExponent {
                value: format!("a factor above 1: {x}"),
            });
        }
        self.sum += x;
        self.count += 1;
        Ok(self.fails_at != Some(self.count))
    }
}

/// `sample.attempts`
///
/// An attempt of 32 equally likely leaves. Of the first 24 it is known what they give: `known` the outcome 1,
/// 16 - `known` the outcome 2, and 8 a rejection. The last 8 are one step further, and not explored.
pub(super) fn attempts(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "attempts of 32 leaves: 0, 4, 8, 12 or 16 give the outcome, 8 are rejected, 8 not explored; \
         all 45 ways of giving those to the outcome, to another or to rejection",
    );
    for known in [0, 4, 8, 12, 16] {
        // Eight equal branches; the last two go on to four leaves each. Nine runs see the first six.
        let partly = RejectionLaw::new(attempt(known, 0, 0, 9)?);
        check.holds(
            partly.undecided() == ratio(8, 24),
            format_args!("{known} leaves: a third of what is not rejected is undecided"),
        );
        for given in 0..=8 {
            for others in 0..=8 - given {
                // All leaves counted: this is the law, once the attempts are repeated until one is accepted.
                let truth = ratio(known + given, 16 + given + others);
                let instance =
                    format_args!("{known} leaves, then {given} more and {others} elsewhere")
                        .to_string();
                let whole = RejectionLaw::new(attempt(known, given, others, 1000)?);
                check.holds(
                    whole.undecided().is_zero() && whole.allows(&1, &Enclosure::of(&truth, BITS)),
                    format_args!("{instance}, all explored"),
                );
                check.holds(
                    partly.allows(&1, &Enclosure::of(&truth, BITS)),
                    format_args!("{instance}, partly explored"),
                );
                // The ends are attained: a millionth beyond them is ruled out.
                if given == 8 {
                    let beyond = &truth + ratio(1, 1_000_000);
                    check.holds(
                        !partly.allows(&1, &Enclosure::of(&beyond, BITS)),
                        format_args!("{instance}: the upper end"),
                    );
                }
                if others == 8 {
                    let beyond = &truth - ratio(1, 1_000_000);
                    check.holds(
                        !partly.allows(&1, &Enclosure::of(&beyond, BITS)),
                        format_args!("{instance}: the lower end"),
                    );
                }
            }
        }
    }
    Ok(())
}

/// The attempt of [`attempts`] with `given` of the last eight leaves for the outcome 1 and `others` for 2.
fn attempt(
    known: i64,
    given: i64,
    others: i64,
    budget: usize,
) -> Result<Explored<Option<u8>>, CoinsError> {
    let below = |coins: &mut Run, n: u32| -> Result<i64, CoinsError> {
        let drawn = coins.uniform_below(&n.into())?;
        drawn.to_i64().ok_or(CoinsError::NoOutcome)
    };
    Explorer::new(Layer::UniformBelow, budget).explore(|coins| {
        Ok(match below(coins, 8)? {
            branch if 4 * branch < known => Some(1),
            branch if branch < 4 => Some(2),
            branch if branch < 6 => None,
            branch => match 4 * (branch - 6) + below(coins, 4)? {
                leaf if leaf < given => Some(1),
                leaf if leaf < given + others => Some(2),
                _ => None,
            },
        })
    })
}
