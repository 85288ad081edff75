//! A program that repeats itself: the most frequent break of the assumption that answers are independent.
//!
//! A generator that is made again for each request, with a fixed seed or with the time, answers all requests on the same
//! dataset alike. All later calls then say the same as the first, and conclusions from them are worth nothing. So
//! some requests are made on each dataset, and compared: two, or more of a slow program, which gives few answers at once.
//!
//! *A good program is hardly ever accused.* Let its answers on a dataset be independent and of one law, whatever that is.
//! Given all answers of the `k` requests, but for their order, each order is as likely as any other. If the replies are
//! alike, of `n` answers each, among them `m_v` of the value `v`, there are `(k n)! / ((k m_1)! (k m_2)! ...)` orders, and
//! in `n! / (m_1! m_2! ...)` of them the replies are alike. Their quotient is the probability of that, and only if it is
//! at most [`CHANCE`] is it called a repetition. Two datasets: `1e-9` in all. How many requests there are, and for how many
//! answers, depends on the calls and on the time that the program takes; after a reply that differs there are no more.

use super::{Output, Target, TargetError};
use serde_json::Value;
use std::collections::BTreeMap;

/// The probability with which a good program may be accused on one dataset.
pub(super) const CHANCE: f64 = 5e-10;

/// The calls of an audit from which on it is worth the while.
pub const LEAST_CALLS: u64 = 50;
/// The answers of a request in the shortest audits. Of four different ones, six requests are enough.
const LEAST: u64 = 4;
/// In audits of fewer calls, all that are alike may take as many as the audit: there is little to compare.
const SHORT: u64 = 400;
/// The most answers of a request. 32 are enough for a fair coin.
const MOST: u64 = 64;
/// The most requests. 18 are enough if each is for two answers that differ.
const MOST_REQUESTS: usize = 24;
/// The requests after which a program that is not slow is asked for as many.
const FINDING_ITS_PACE: usize = 2;

/// What was seen of repetition, in a program that was not found to repeat itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repetition {
    /// On each dataset, two replies differed.
    Differed,
    /// On this dataset all replies were alike, but the answers vary too little, or are too few, to say why.
    Undecided {
        /// The dataset.
        data: String,
        /// How many requests were compared.
        requests: usize,
        /// How many answers of each.
        answers: usize,
    },
    /// The audit has fewer than [`LEAST_CALLS`].
    NotChecked,
}

/// Asks some times on each dataset, for at most 128 answers on each and an eighth of the calls of the audit, and for some
/// more to find its pace. In an audit of fewer than 400 calls, for eight on each and, only of a program whose replies are
/// alike, for half of the calls.
///
/// Not seen are programs whose answers vary too little (a coin that shows heads once in 100 times), or that answer so
/// slowly that they are asked for one answer at a time: [`Repetition::Undecided`]. Nor are seeds that are different and too
/// close together.
///
/// # Errors
/// [`TargetError::Repeats`], and those of the target.
pub fn check_repeats(
    target: &mut dyn Target,
    datasets: &[&Value],
    calls: u64,
) -> Result<Repetition, TargetError> {
    if calls < LEAST_CALLS {
        return Ok(Repetition::NotChecked);
    }
    let wanted = (calls / 16).clamp(LEAST, MOST) as usize;
    let mut seen = Repetition::Differed;
    for &data in datasets {
        // One that may be slow is asked for few answers at first.
        for _ in 0..FINDING_ITS_PACE {
            if target.at_once(data) < wanted {
                ask(target, data, wanted)?;
            }
        }
        let mut reply = ask(target, data, wanted)?;
        let answers = match calls {
            ..SHORT => calls as usize / 2,
            _ => 2 * wanted,
        };
        let most = (answers / reply.len().max(1)).clamp(2, MOST_REQUESTS);
        let (mut requests, mut alike) = (1, true);
        while alike && requests < most {
            let next = ask(target, data, reply.len())?;
            reply.truncate(next.len());
            alike = reply[..] == next[..];
            requests += 1;
        }
        if !alike {
            continue;
        }
        let (data, answers) = (data.to_string(), reply.len());
        if chance(&reply, requests) <= CHANCE {
            return Err(TargetError::Repeats {
                data,
                requests,
                answers,
            });
        }
        seen = Repetition::Undecided {
            data,
            requests,
            answers,
        };
    }
    Ok(seen)
}

/// One request, for at most `n` answers.
pub(super) fn ask(
    target: &mut dyn Target,
    data: &Value,
    n: usize,
) -> Result<Vec<Output>, TargetError> {
    let n = n.min(target.at_once(data));
    Ok(target.sample(data, n)?.outputs)
}

/// The probability that so many replies are alike if each is this one up to the order of all answers.
pub(super) fn chance(reply: &[Output], replies: usize) -> f64 {
    one_order(reply.iter().cycle().take(replies * reply.len())) / one_order(reply.iter())
}

/// The probability that these answers in a random order come in this one: `m_1! m_2! ... / n!`.
fn one_order<'a>(outputs: impl Iterator<Item = &'a Output>) -> f64 {
    let mut counts: BTreeMap<&Output, f64> = BTreeMap::new();
    let mut chance = 1.0;
    for (before, output) in (1u32..).zip(outputs) {
        let count = counts.entry(output).or_default();
        *count += 1.0;
        chance *= *count / f64::from(before);
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Batch;
    use dp_assay::coins::{ChaCha, Coins};
    use serde_json::json;

    /// Integers of so many bits, from a generator that may be made again for each request.
    struct Generator {
        bits: u32,
        is_made_again: bool,
        coins: ChaCha,
    }

    impl Target for Generator {
        fn sample(&mut self, _: &Value, n: usize) -> Result<Batch, TargetError> {
            if self.is_made_again {
                self.coins = ChaCha::reproducible(42, 0);
            }
            let draw = |_| Ok(Output::Integer(self.coins.bits(self.bits)?.into()));
            Ok(Batch {
                outputs: (0..n).map(draw).collect::<Result<_, TargetError>>()?,
                traces: Vec::new(),
            })
        }
    }

    fn check(
        bits: u32,
        is_made_again: bool,
        seed: u64,
        calls: u64,
    ) -> Result<Repetition, TargetError> {
        let mut target = Generator {
            bits,
            is_made_again,
            coins: ChaCha::reproducible(seed, 0),
        };
        check_repeats(&mut target, &[&json!([0]), &json!([1])], calls)
    }

    #[test]
    fn a_generator_that_is_made_again_for_each_request_is_found() {
        for (bits, calls) in [
            (1, 2000),
            (1, 200_000),
            (4, 400),
            (30, 400),
            (30, 50),
            (8, 100),
        ] {
            let error = check(bits, true, 1, calls).unwrap_err().to_string();
            assert!(error.contains("reuse its seed"), "{error}");
            assert!(error.contains("[0]"), "{error}");
        }
    }

    /// Asked for eight times as many as it has answered before, and no more than `most`.
    struct Slow {
        inner: Generator,
        answered: usize,
        most: usize,
        asked: usize,
    }

    impl Target for Slow {
        fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
            assert!(n <= self.at_once(data), "{n}");
            self.answered = (8 * n).max(self.answered);
            self.asked += n;
            self.inner.sample(data, n)
        }
        fn at_once(&self, _: &Value) -> usize {
            self.answered.clamp(1, self.most)
        }
    }

    fn slow(bits: u32, is_made_again: bool, most: usize) -> Slow {
        let inner = Generator {
            bits,
            is_made_again,
            coins: ChaCha::reproducible(1, 0),
        };
        Slow {
            inner,
            answered: 0,
            most,
            asked: 0,
        }
    }

    #[test]
    fn a_program_that_is_slow_is_asked_oftener_for_what_it_can_answer() {
        let check = |is_made_again, most, calls| {
            let mut target = slow(30, is_made_again, most);
            let found = check_repeats(&mut target, &[&json!([0])], calls);
            assert!(target.asked <= 2 * MOST as usize + 2 * most, "{most}");
            found
        };
        for most in [40, 15, 12, 10, 7, 5, 3, 2] {
            for calls in [400, 200_000] {
                let error = check(true, most, calls).unwrap_err().to_string();
                let said = format!("got the same {} answers", most.min(calls as usize / 16));
                assert!(error.contains(&said), "{error}");
                assert_eq!(check(false, most, calls).unwrap(), Repetition::Differed);
            }
        }
    }

    #[test]
    fn what_cannot_be_decided_is_said() {
        // One answer at a time: the program may also be one that answers always the same.
        let undecided = |found: Repetition, answers| match found {
            Repetition::Undecided { answers: n, .. } => assert_eq!(n, answers),
            other => panic!("{other:?}"),
        };
        let data = json!([0]);
        let check = |mut target: Slow| check_repeats(&mut target, &[&data], 200_000).unwrap();
        undecided(check(slow(30, true, 1)), 1);
        undecided(check(slow(0, false, 100)), 64);
        // But two answers that differ are no repetition.
        assert_eq!(check(slow(30, false, 1)), Repetition::Differed);
        // Of one dataset it is enough.
        let mut target = slow(30, false, 100);
        let mut first_is_silent = |data: &Value| match data[0].as_u64() {
            Some(0) => Ok(Output::Integer(0)),
            _ => Ok(target.inner.sample(data, 1)?.outputs.remove(0)),
        };
        let found = check_repeats(
            &mut crate::targets::Function(&mut first_is_silent),
            &[&json!([0]), &json!([1])],
            200_000,
        );
        undecided(found.unwrap(), 64);
    }

    #[test]
    fn an_audit_of_few_calls_is_not_made_longer() {
        let mut never = crate::targets::Function(|_: &Value| -> Result<Output, TargetError> {
            panic!("asked")
        });
        let found = check_repeats(&mut never, &[&json!([0])], LEAST_CALLS - 1);
        assert_eq!(found.unwrap(), Repetition::NotChecked);
    }

    #[test]
    fn a_good_program_and_one_that_answers_always_the_same_are_not_accused() {
        for seed in 0..1000 {
            check(1, false, seed, 2000).unwrap();
        }
        // No bits: always 0.
        check(0, true, 1, 200_000).unwrap();
    }

    #[test]
    fn eighteen_pairs_of_answers_that_differ_are_a_repetition_and_seventeen_are_none() {
        let pair = [Output::Integer(1), Output::Integer(2)];
        assert!(chance(&pair, 18) <= CHANCE);
        assert!(chance(&pair, 17) > CHANCE);
        // By the check itself: half of the calls, two answers a request.
        let check = |calls| check_repeats(&mut slow(30, true, 2), &[&json!([0])], calls);
        assert!(matches!(
            check(72),
            Err(TargetError::Repeats { requests: 18, .. })
        ));
        assert!(matches!(
            check(68),
            Ok(Repetition::Undecided { requests: 17, .. })
        ));
    }

    #[test]
    fn the_chance_is_that_of_like_replies_among_all_orders() {
        let near = |values: &[i128], replies: usize, expected: f64| {
            let reply: Vec<Output> = values.iter().copied().map(Output::Integer).collect();
            let found = chance(&reply, replies);
            assert!((found / expected - 1.0).abs() < 1e-12, "{found}");
        };
        // 4! of the 8! / 2^4 orders: 1 / (7 * 5 * 3).
        near(&[1, 2, 3, 4], 2, 1.0 / 105.0);
        // C(4, 2) of C(8, 4), and 2 of C(36, 18).
        near(&[1, 2, 1, 2], 2, 6.0 / 70.0);
        near(&[1, 2], 18, 2.0 / 9_075_135_300.0);
        near(&[7; 50], 2, 1.0);
        near(&[7], 24, 1.0);
        // C(32, 16) of the C(64, 32) orders of a fair coin.
        let coin: Vec<i128> = (0..32).map(|place| place % 2).collect();
        near(&coin, 2, 601_080_390.0 / 1.832_624_140_942_590_5e18);
    }

    /// All orders of small replies, counted one by one.
    #[test]
    fn the_chance_is_what_counting_says() {
        fn orders(left: &mut Vec<i128>, made: &mut Vec<i128>, seen: &mut Vec<Vec<i128>>) {
            if left.is_empty() {
                seen.push(made.clone());
            }
            for place in 0..left.len() {
                let value = left.remove(place);
                made.push(value);
                orders(left, made, seen);
                made.pop();
                left.insert(place, value);
            }
        }
        for (reply, replies) in [(vec![1, 2], 3), (vec![1, 1, 2], 2), (vec![1, 2, 3], 2)] {
            let mut all = Vec::new();
            orders(&mut reply.repeat(replies), &mut Vec::new(), &mut all);
            let alike = |order: &&Vec<i128>| {
                let first = &order[..reply.len()];
                order.chunks(reply.len()).all(|reply| reply == first)
            };
            let counted = all.iter().filter(alike).count() as f64 / all.len() as f64;
            let outputs: Vec<Output> = reply.iter().copied().map(Output::Integer).collect();
            assert!((chance(&outputs, replies) / counted - 1.0).abs() < 1e-12);
        }
    }
}
