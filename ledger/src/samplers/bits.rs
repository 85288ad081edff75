//! From bits to Bernoulli draws, and from one attempt to a loop.

use super::ladder;
use super::rung::{REJECTIONS, Rung, power};
use super::{BITS, list};
use crate::claim::{Check, Trouble};
use crate::twins::TooLikely;
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
        // A candidate has w bits, the least with n <= 2^w: it is an outcome with probability 2^-w, so that n 2^-w > 1/2 is not rejected.
        let width = (0u32..).find(|&w| *n <= BigUint::one() << w).unwrap_or(0);
        check.holds(
            attempt.lower(&Some(BigUint::zero())) == power(width),
            format_args!("n = {n}: a candidate has {width} bits"),
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
    words(check)
}

/// `below`, of a word, and `uniform_below`: what becomes of a candidate, for `n` too large to be explored.
fn words(check: &mut Check) -> Result<(), Trouble> {
    let sizes = [
        1u64,
        2,
        (1 << 16) + 1,
        (1 << 20) + 7,
        (1 << 21) - 1,
        3 << 30,
        (1 << 32) - 1,
        1 << 32,
        (1 << 33) + 5,
        u64::MAX / 3,
        (1 << 63) + 1,
        u64::MAX,
    ];
    check.exact(format_args!(
        "`below` and `uniform_below` of {} numbers up to 2^64: each candidate at an end of the range and in its midst is returned as it is, and \
         each from n on is rejected, with the bits of all candidates drawn",
        sizes.len()
    ));
    for n in sizes {
        let width = (0u32..64).find(|&w| n <= 1 << w).unwrap_or(64);
        let last = if width == 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        let near = [
            0,
            1,
            2,
            n / 3,
            n / 2,
            n - 1,
            n,
            n.saturating_add(1),
            n / 2 + n / 3,
            last - 1,
            last,
        ];
        for candidate in near.into_iter().filter(|&candidate| candidate <= last) {
            // The candidate, and 0 if it is rejected.
            let expected = if candidate < n { candidate } else { 0 };
            let drawn = u64::from(width) * if candidate < n { 1 } else { 2 };
            let name = format_args!("n = {n}, candidate {candidate}").to_string();
            let mut coins = Words::of(&[candidate, 0]);
            check.holds(coins.below(n)? == expected, format_args!("{name}: below"));
            check.holds(
                coins.consumed() == drawn,
                format_args!("{name}: the bits of below"),
            );
            let mut coins = Words::of(&[candidate, 0]);
            let found = coins.uniform_below(&n.into())?;
            check.holds(
                found == expected.into(),
                format_args!("{name}: uniform_below"),
            );
            check.holds(coins.consumed() == drawn, format_args!("{name}: the bits"));
        }
    }
    let mut coins = Words::of(&[0, 0]);
    let refused = coins.below(0).is_err() && coins.uniform_below(&BigUint::zero()).is_err();
    check.holds(refused, "n = 0 has no outcome");
    Ok(())
}

/// Coins that give these words, one at a time: whatever width is asked for, and then an error.
struct Words {
    left: Vec<u64>,
    consumed: u64,
}

impl Words {
    fn of(words: &[u64]) -> Self {
        let left = words.iter().rev().copied().collect();
        Self { left, consumed: 0 }
    }
}

impl Coins for Words {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.consumed += u64::from(count);
        match (count, self.left.pop()) {
            (0, word) => {
                self.left.extend(word);
                Ok(0)
            }
            (_, Some(word)) => Ok(word),
            (_, None) => Err(CoinsError::TapeEnded { length: 0 }),
        }
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
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
    refusals(check)
}

/// What the explorer refuses: samplers whose law its runs do not bound.
fn refusals(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "broken twins, each refused by the explorer: samplers that go on after an error, ask on, ask otherwise or no more when they are run \
         again, pause by themselves, give another result from the 1st, 3rd, 5th, 9th or 17th time on; a law of mass 3/2, choices that are too wide or no choice",
    );
    let explorer = || Explorer::new(Layer::UniformBelow, 3000);
    let mut refused = |name: &str, found: Result<Explored<u64>, CoinsError>| {
        check.holds(found.is_err(), format_args!("{name}: refused"));
    };
    // An honest one, by the same hand.
    let six = |coins: &mut Run| coins.bits(6);
    let whole = explorer().explore(six)?;
    refused(
        "it goes on after an error",
        explorer().explore(|coins| Ok(coins.bits(1).unwrap_or(0))),
    );
    refused(
        "it asks on after an error",
        explorer().explore(|coins| coins.bits(1).or_else(|_| coins.bits(1))),
    );
    let mut runs = 0;
    refused(
        "it asks for another choice when it is run again",
        explorer().explore(|coins| {
            runs += 1;
            if runs == 1 {
                coins.bits(1)
            } else {
                coins.uniform_below(&3u32.into()).map(|_| 0)
            }
        }),
    );
    let mut spare = None;
    refused(
        "it asks no more when it is run again",
        explorer().explore(|coins| match spare {
            Some(bit) => Ok(bit),
            None => {
                let bit = coins.bits(1)?;
                spare = Some(bit);
                Ok(bit)
            }
        }),
    );
    refused(
        "it pauses by itself",
        explorer().explore(|_| Err(CoinsError::Paused)),
    );
    // However late it changes: of 64 runs that end the 1st, 2nd, 4th, ... is repeated. With those repetitions it has ended
    // so many times before.
    for right in [1, 3, 5, 9, 17, 33] {
        let mut ended = 0;
        refused(
            "it gives another result later",
            explorer().explore(|coins| {
                let word = coins.bits(6)?;
                ended += 1;
                Ok(if ended > right { 100 + ended } else { word })
            }),
        );
    }
    check.holds(
        whole.undecided.is_zero() && whole.lower.len() == 64,
        "six bits: the honest sampler is explored whole",
    );
    no_choices(check)
}

/// Choices that there are not.
fn no_choices(check: &mut Check) -> Result<(), Trouble> {
    let explorer = || Explorer::new(Layer::UniformBelow, 3000);
    let mut refused = |name: &str, found: Result<Explored<u64>, CoinsError>| {
        check.holds(found.is_err(), format_args!("{name}: refused"));
    };
    refused(
        "a choice that is too wide",
        explorer().explore(|coins| coins.uniform_below(&(1u32 << 17).into()).map(|_| 0)),
    );
    refused(
        "a choice of nothing",
        explorer().explore(|coins| coins.uniform_below(&BigUint::zero()).map(|_| 0)),
    );
    refused(
        "more bits than a word has",
        explorer().explore(|coins| coins.bits(65)),
    );
    for layer in [Layer::Bits, Layer::Bernoulli] {
        let explorer = Explorer::new(layer, 3000);
        refused(
            "no probability",
            explorer.explore(|coins| coins.bernoulli(&ratio(3, 2)).map(u64::from)),
        );
        refused(
            "no exponent",
            explorer.explore(|coins| coins.bernoulli_exp(&ratio(-1, 2)).map(u64::from)),
        );
    }
    let laws = Explorer::new(Layer::Laws, 3000);
    refused(
        "no law",
        laws.explore(|coins| coins.draw(&TooLikely).map(u64::from)),
    );
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
