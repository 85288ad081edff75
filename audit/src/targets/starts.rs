//! A program that begins alike at each start: its seed is fixed for the process.
//!
//! Within one process the answers of such a program have the law that is claimed. But whoever starts it too knows its noise: a
//! default seed, or the time in seconds, hides nothing. So before anything else a second process is started and asked what the
//! first one is asked, and the two replies are compared.
//!
//! *A good program is hardly ever accused.* The answers of both are `2 n` independent ones of one law. Given all of them but
//! for their order, two replies are alike, in their order too, with the probability that `repeats` computes, for two requests.
//! Only if that is at most [`CHANCE`] on a dataset are the starts called alike.
//!
//! *Not seen* are seeds that differ from start to start and may still be guessed: the number of the process, the time to less
//! than a second.

use super::repeats::{CHANCE, ask, chance, check_repeats};
use super::{Output, Target, TargetError};
use serde_json::Value;

/// The most answers of each process on a dataset. 32 are enough of a fair coin.
const MOST: usize = 64;
/// The most requests for them: a slow program gives few answers at once.
const MOST_REQUESTS: usize = 24;
/// The calls of an audit whose check of repetition tells a generator that is made again.
const REQUESTS: u64 = 2000;

/// What was seen of two starts of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Starts {
    /// On each dataset, the two replies differed.
    Differed,
    /// On this dataset all answers were alike, but they vary too little, or are too few, to say why.
    Undecided {
        /// The dataset.
        data: String,
        /// How many answers of each process were compared.
        answers: usize,
    },
    /// They were not compared, for this reason.
    NotCompared(String),
}

/// Starts the target once more, and asks both for the same on each dataset, until they differ. Nothing may have been asked of
/// the target before. What goes wrong with the second process leaves the two uncompared.
///
/// # Errors
/// [`TargetError::StartsAlike`], and those of the target.
pub fn check_starts(target: &mut dyn Target, datasets: &[&Value]) -> Result<Starts, TargetError> {
    let mut other = match target.again() {
        Ok(other) => other,
        Err(reason) => return Ok(Starts::NotCompared(reason)),
    };
    let mut seen = Starts::Differed;
    for &data in datasets {
        let (mut reply, mut alike) = (Vec::new(), true);
        for _ in 0..MOST_REQUESTS {
            let n = (MOST - reply.len()).min(other.at_once(data));
            let first = ask(target, data, n)?;
            let second = match other.sample(data, first.len()) {
                Ok(batch) => batch.outputs,
                Err(error) => {
                    let reason = format!("the second process failed: {error}");
                    return Ok(Starts::NotCompared(reason));
                }
            };
            alike = first == second;
            reply.extend(first);
            if !alike || reply.len() >= MOST {
                break;
            }
        }
        if alike {
            let found = judged(&reply, data);
            if found.is_err() {
                // What makes its generator again for each request begins alike too, and that is the nearer fault.
                check_repeats(target, &[data], REQUESTS)?;
            }
            seen = found?;
        }
    }
    Ok(seen)
}

/// What it says that both processes gave this reply.
fn judged(reply: &[Output], data: &Value) -> Result<Starts, TargetError> {
    let (data, answers) = (data.to_string(), reply.len());
    match chance(reply, 2) <= CHANCE {
        true => Err(TargetError::StartsAlike { data, answers }),
        false => Ok(Starts::Undecided { data, answers }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Batch;
    use dp_assay::coins::{ChaCha, Coins};
    use serde_json::json;

    /// Integers of so many bits, and how its starts are seeded.
    struct Program {
        bits: u32,
        seeds: Vec<u64>,
        coins: ChaCha,
        most: usize,
        fails: bool,
    }

    fn program(bits: u32, seeds: &[u64]) -> Program {
        Program {
            bits,
            seeds: seeds[1..].to_vec(),
            coins: ChaCha::reproducible(seeds[0], 0),
            most: 1000,
            fails: false,
        }
    }

    impl Target for Program {
        fn sample(&mut self, _: &Value, n: usize) -> Result<Batch, TargetError> {
            assert!(n <= self.most);
            if self.fails {
                return Err(TargetError::Failed);
            }
            let draw = |_| Ok(Output::Integer(self.coins.bits(self.bits)?.into()));
            Ok(Batch {
                outputs: (0..n).map(draw).collect::<Result<_, TargetError>>()?,
                traces: Vec::new(),
            })
        }

        fn at_once(&self, _: &Value) -> usize {
            self.most
        }

        fn again(&self) -> Result<Box<dyn Target>, String> {
            let seed = self.seeds.first().ok_or("it can't")?;
            let again = Program {
                seeds: Vec::new(),
                coins: ChaCha::reproducible(*seed, 0),
                ..*self
            };
            Ok(Box::new(again))
        }
    }

    fn check(mut program: Program) -> Result<Starts, TargetError> {
        check_starts(&mut program, &[&json!([0]), &json!([1])])
    }

    #[test]
    fn one_seed_for_all_processes_is_found() {
        for bits in [1, 2, 8, 40] {
            let error = check(program(bits, &[7, 7])).unwrap_err().to_string();
            assert!(error.contains("two starts of it gave"), "{error}");
            assert!(error.contains("--one-start"), "{error}");
        }
        // Of a program that is asked for two answers at a time too.
        let slow = Program {
            most: 2,
            ..program(40, &[7, 7])
        };
        assert!(check(slow).is_err());
    }

    #[test]
    fn two_seeds_and_a_program_without_coins_are_not_accused() {
        for seed in 1..500 {
            let found = check(program(1, &[0, seed])).unwrap();
            assert_eq!(found, Starts::Differed, "{seed}");
        }
        let silent = check(program(0, &[7, 7])).unwrap();
        assert!(matches!(silent, Starts::Undecided { answers: 64, .. }));
    }

    #[test]
    fn what_cannot_be_started_twice_is_not_compared() {
        let alone = check(program(8, &[7])).unwrap();
        assert_eq!(alone, Starts::NotCompared("it can't".to_owned()));
    }
}
