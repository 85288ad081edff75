//! A program that repeats itself: the most usual way to break the assumption that answers are independent.
//!
//! A generator that is made again for each request, with a fixed seed or with the time, answers two requests on the same
//! dataset alike. All later calls then say the same as the first, and what is concluded from them is worth nothing. So two
//! requests are made on each dataset of a pair, and compared.
//!
//! *A good program is hardly ever accused.* Let its answers on a dataset be independent and of one law, whatever that is.
//! Given all answers of the second request, and those of the first but for their order, each order of the first is as
//! likely as any other. Of `n!` orders `m_1! m_2! ...` give the sequence of the second request, with `m_v` the number of
//! answers of the value `v`. So both are alike with probability at most `m_1! m_2! ... / n!`, and they are called a
//! repetition only if this is at most [`CHANCE`]. Two datasets: `1e-9` in all.

use super::{Output, Target, TargetError};
use crate::pairs::Pair;
use serde_json::Value;
use std::collections::BTreeMap;

/// The probability with which a good program may be accused on one dataset.
const CHANCE: f64 = 5e-10;

/// The least and the most answers of a request. 64 are enough for a fair coin.
const LEAST: u64 = 16;
const MOST: u64 = 64;
/// The requests after which a program that is not slow is asked for as many.
const FINDING_ITS_PACE: usize = 2;

/// Asks twice on each dataset of the pair, for at most 64 answers and a sixteenth of the calls of the audit.
///
/// Not seen are programs whose answers vary too little (a coin that shows heads once in 100 times), and seeds that are
/// different and too close together.
///
/// # Errors
/// [`TargetError::Repeats`], and those of the target.
pub fn check_repeats(target: &mut dyn Target, pair: &Pair, calls: u64) -> Result<(), TargetError> {
    let n = (calls / 16).clamp(LEAST, MOST) as usize;
    for data in [&pair.0, &pair.1] {
        // One that may be slow is asked for few answers at first.
        for _ in 0..FINDING_ITS_PACE {
            if target.at_once(data) < n {
                ask(target, data, n)?;
            }
        }
        let (mut first, mut second) = (ask(target, data, n)?, ask(target, data, n)?);
        let answers = first.len().min(second.len());
        first.truncate(answers);
        second.truncate(answers);
        if first == second && chance(&second) <= CHANCE {
            return Err(TargetError::Repeats {
                data: data.to_string(),
                answers,
            });
        }
    }
    Ok(())
}

/// One request, for at most `n` answers.
fn ask(target: &mut dyn Target, data: &Value, n: usize) -> Result<Vec<Output>, TargetError> {
    let n = n.min(target.at_once(data));
    Ok(target.sample(data, n)?.outputs)
}

/// The probability that these answers in a random order come in this one: `m_1! m_2! ... / n!`.
fn chance(outputs: &[Output]) -> f64 {
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

    fn check(bits: u32, is_made_again: bool, seed: u64, calls: u64) -> Result<(), TargetError> {
        let mut target = Generator {
            bits,
            is_made_again,
            coins: ChaCha::reproducible(seed, 0),
        };
        check_repeats(&mut target, &Pair(json!([0]), json!([1])), calls)
    }

    #[test]
    fn a_generator_that_is_made_again_for_each_request_is_found() {
        for (bits, calls) in [(1, 2000), (1, 200_000), (4, 400), (30, 400)] {
            let error = check(bits, true, 1, calls).unwrap_err().to_string();
            assert!(error.contains("reuse its seed"), "{error}");
            assert!(error.contains("[0]"), "{error}");
        }
    }

    #[test]
    fn a_program_that_may_be_slow_is_asked_for_what_it_can_answer() {
        // Eight times as many as it has answered before, and no more than 40.
        struct Slow(Generator, usize);
        impl Target for Slow {
            fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
                assert!(n <= self.at_once(data), "{n}");
                self.1 = (8 * n).max(self.1);
                self.0.sample(data, n)
            }
            fn at_once(&self, _: &Value) -> usize {
                self.1.clamp(1, 40)
            }
        }
        let pair = Pair(json!([0]), json!([1]));
        for is_made_again in [false, true] {
            let generator = Generator {
                bits: 8,
                is_made_again,
                coins: ChaCha::reproducible(1, 0),
            };
            let found = check_repeats(&mut Slow(generator, 0), &pair, 200_000);
            assert_eq!(found.is_err(), is_made_again);
        }
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
    fn the_chance_is_that_of_an_order_among_all() {
        let outputs = |values: &[i128]| -> Vec<Output> {
            values.iter().copied().map(Output::Integer).collect()
        };
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12);
        near(chance(&outputs(&[1, 2, 3, 4])), 1.0 / 24.0);
        near(chance(&outputs(&[1, 2, 1, 2])), 4.0 / 24.0);
        near(chance(&outputs(&[7; 50])), 1.0);
        // C(64, 32) orders of a fair coin.
        let coin: Vec<i128> = (0..64).map(|place| place % 2).collect();
        near(chance(&outputs(&coin)), 1.0 / 1.832_624_140_942_590_5e18);
    }
}
