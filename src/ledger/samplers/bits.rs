//! From bits to Bernoulli draws, and from one attempt to a loop.

use super::exploration::Explorations;
use super::{BITS, list};
use crate::claim::{Check, Trouble};
use crate::coins::explorer::Run;
use crate::coins::{Attempts, Coins, CoinsError, Explored, Explorer, Layer, layers};
use crate::number::{Enclosure, Rational, rational::ratio};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

/// `sample.uniform-below`
pub(super) fn uniform_below(check: &mut Check) -> Result<(), Trouble> {
    let most: u32 = match (check.quick(), check.thorough()) {
        (true, _) => 20,
        (false, false) => 200,
        (false, true) => 1000,
    };
    check.exact(format_args!("one attempt, bit by bit, n = 1..={most}"));
    let mut runs = 0;
    for n in 1..=most {
        let below = BigUint::from(n);
        let attempt = Explorer::new(Layer::Bits, 3000)
            .explore(|coins| layers::uniform_below_attempt(coins, &below))?;
        check.holds(
            attempt.undecided.is_zero(),
            format_args!("n = {n}: everything is decided"),
        );
        // The n outcomes share what is not rejected, so that there are no others.
        let accepted = Rational::one() - attempt.lower(&None);
        let share = accepted / Rational::from_integer(n.into());
        for k in 0..n {
            check.holds(
                attempt.lower(&Some(k.into())) == share,
                format_args!("n = {n}, k = {k}"),
            );
        }
        runs += attempt.runs;
    }
    check.figure("runs explored", runs);
    Ok(())
}

/// `sample.bernoulli`
pub(super) fn bernoulli(check: &mut Check) -> Result<(), Trouble> {
    const DENOMINATORS: i64 = 24;
    const LONGEST: u64 = 40;
    check.exact(format_args!(
        "bit by bit, every p with denominator up to {DENOMINATORS}; more than j bits with probability at most 2^-j, \
         j = 0..={LONGEST}"
    ));
    let mut rows = Explorations::new(check, Rational::new(1.into(), (1u64 << LONGEST).into()));
    for denominator in 1..=DENOMINATORS {
        for numerator in 0..=denominator {
            let p = ratio(numerator, denominator);
            let found = Explorer::new(Layer::Bits, 120).explore(|coins| {
                let value = coins.bernoulli(&p)?;
                Ok((coins.consumed(), value))
            })?;
            // Pr[true] lies between what was seen and what may still come; so does Pr[false].
            let seen = |which: bool| -> Rational {
                let masses = found.lower.iter();
                masses
                    .filter(|((_, value), _)| *value == which)
                    .map(|(_, mass)| mass)
                    .sum()
            };
            let fits = seen(true) <= p && seen(false) <= Rational::one() - &p;
            rows.of(
                format_args!("p = {p}"),
                (!fits).then_some(true),
                &found.undecided,
                found.runs,
            );
            // The sum over j of Pr[more than j bits] is the mean: at most 1 + 1/2 + 1/4 + ... = 2.
            let within = |j: u64| -> Rational {
                let masses = found.lower.iter();
                masses
                    .filter(|((bits, _), _)| *bits <= j)
                    .map(|(_, mass)| mass)
                    .sum()
            };
            for j in 0..=LONGEST {
                let more = Rational::one() - within(j);
                rows.holds(
                    more <= Rational::new(1.into(), (1u64 << j).into()),
                    format_args!("p = {p}, more than {j} bits with probability {more}"),
                );
            }
        }
    }
    rows.finish();
    Ok(())
}

/// `sample.bernoulli-exp`
pub(super) fn bernoulli_exp(check: &mut Check) -> Result<(), Trouble> {
    // At 2/3, 3/4 and 4/5 an arithmetic that divides wrongly shows in 14 coin flips: a peer's did.
    let to_the_bits = [(2, 3), (3, 4), (4, 5)].map(|(n, d)| ratio(n, d));
    let held = [(0, 1), (1, 1000), (1, 2), (1, 1), (5, 2), (7, 1)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "over Bernoulli draws, x in {}, {}; bit by bit, x in {}",
        list(&held),
        list(&to_the_bits),
        list(&to_the_bits)
    ));
    let mut rows = Explorations::new(check, ratio(1, 1000));
    let cases = held
        .iter()
        .chain(&to_the_bits)
        .map(|x| (x, Layer::Bernoulli))
        .chain(to_the_bits.iter().map(|x| (x, Layer::Bits)));
    for (x, layer) in cases {
        let truth = Enclosure::exp_of(&-x, BITS)?;
        let found = Explorer::new(layer, 3000).explore(|coins| coins.bernoulli_exp(x))?;
        let fits = found.allows(&true, &truth) && found.allows(&false, &truth.complement());
        rows.of(
            format_args!("x = {x} over {layer:?}"),
            (!fits).then_some(true),
            &found.undecided,
            found.runs,
        );
    }
    rows.finish();
    Ok(())
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
        let partly = Attempts::new(attempt(known, 0, 0, 9)?);
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
                let whole = Attempts::new(attempt(known, given, others, 1000)?);
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
