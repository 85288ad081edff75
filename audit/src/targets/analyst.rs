//! Who asks a program that answers by sessions: public, and a function of the answers so far.
//!
//! An analyst is drawn once, by a strategy and a seed, before the first session. From then on it tosses no coin: what it asks
//! next follows from the answers. So the answers of a session are all that can be known of it, and together they are one output.

use super::{Output, TargetError, cut};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::fmt;

/// The most questions of a session.
pub const MOST_ROUNDS: usize = 1000;

/// How an analyst chooses the next question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// In the order of the list, and from its beginning again
    #[default]
    Fixed,
    /// Each by chance, drawn before the first session: the same in all of them
    Random,
    /// By a table, drawn before the first session, of the round and what the last answer was like: an error, null, true, false,
    /// a text, or a number that is larger than the number before it (the first one: than 0), or not
    Adaptive,
    /// One question until it is refused by an error or null, then the next one, until all are refused one after the other: it
    /// spends a budget to its end, and goes on
    Probing,
}

impl Strategy {
    /// How many questions a session has unless it is said, of a list of so many: as many; of a probing analyst 16 times as many,
    /// since who stops before a question is refused does not see whether the budget is kept.
    #[must_use]
    pub fn usual_rounds(self, questions: usize) -> usize {
        let each = if self == Self::Probing { 16 } else { 1 };
        questions.saturating_mul(each).clamp(1, MOST_ROUNDS)
    }
}

/// An analyst.
#[derive(Debug, Clone, PartialEq)]
pub struct Analyst {
    questions: Vec<Value>,
    strategy: Strategy,
    rounds: usize,
    seed: u64,
}

impl Analyst {
    /// An analyst of this strategy, drawn by the seed, who asks at most `rounds` of these questions.
    ///
    /// # Errors
    /// What would be right, if there is no question, or no round or more than [`MOST_ROUNDS`].
    pub fn new(
        questions: Vec<Value>,
        strategy: Strategy,
        rounds: usize,
        seed: u64,
    ) -> Result<Self, String> {
        if questions.is_empty() {
            return Err("an analyst needs at least one question, got none".to_owned());
        }
        if !(1..=MOST_ROUNDS).contains(&rounds) {
            return Err(format!(
                "an analyst asks at least 1 and at most {MOST_ROUNDS} questions in a session, got {rounds}"
            ));
        }
        Ok(Self {
            questions,
            strategy,
            rounds,
            seed,
        })
    }

    /// The next question after these answers; `None` if the session is over.
    #[must_use]
    pub fn next(&self, answers: &[Output]) -> Option<&Value> {
        let round = answers.len();
        if round >= self.rounds {
            return None;
        }
        let place = match self.strategy {
            Strategy::Fixed => round,
            Strategy::Random => self.drawn(round, ""),
            Strategy::Adaptive => self.drawn(round, like(answers)),
            Strategy::Probing => self.probed(answers)?,
        };
        self.questions.get(place % self.questions.len())
    }

    /// The answers of one session, whose questions `ask` answers.
    ///
    /// # Errors
    /// Those of `ask`.
    pub fn transcript(
        &self,
        mut ask: impl FnMut(&Value) -> Result<Output, TargetError>,
    ) -> Result<Vec<Output>, TargetError> {
        let mut answers = Vec::new();
        while let Some(question) = self.next(&answers) {
            answers.push(ask(question)?);
        }
        Ok(answers)
    }

    /// A number that the seed, the round and the last answer give: nobody needs it to be fair.
    fn drawn(&self, round: usize, like: &str) -> usize {
        let text = format!("analyst {} {round} {like}", self.seed);
        let digest = Sha256::digest(text.as_bytes());
        digest[..4]
            .iter()
            .fold(0, |number, &byte| number << 8 | usize::from(byte))
    }

    /// The place of the question: one further with each refusal.
    fn probed(&self, answers: &[Output]) -> Option<usize> {
        let in_a_row = answers.iter().rev().take_while(|answer| refuses(answer));
        let is_over = in_a_row.count() >= self.questions.len();
        (!is_over).then(|| answers.iter().filter(|answer| refuses(answer)).count())
    }

    /// For the report: who asks.
    #[must_use]
    pub fn as_json(&self) -> Value {
        serde_json::json!({
            "strategy": self.strategy, "questions": self.questions, "rounds": self.rounds, "seed": self.seed,
        })
    }
}

/// In a line, for the report.
impl fmt::Display for Analyst {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.strategy.serialize(&mut *formatter)?;
        let questions = cut(Value::from(self.questions.clone()).to_string());
        let rounds = self.rounds;
        write!(
            formatter,
            ", at most {rounds} questions a session, of {questions}"
        )
    }
}

fn refuses(answer: &Output) -> bool {
    matches!(answer, Output::Error(_) | Output::Null)
}

/// What the last answer is like.
fn like(answers: &[Output]) -> &str {
    match answers {
        [] => "",
        [.., Output::Error(_)] => "error",
        [.., Output::Null] => "null",
        [.., Output::Boolean(true)] => "true",
        [.., Output::Boolean(false)] => "false",
        [.., Output::Label(text)] => text,
        [before @ .., last] => match last.number() {
            Some(number) => {
                let previous = before.iter().rev().find_map(Output::number);
                match number.partial_cmp(&previous.unwrap_or(0.0)) {
                    Some(Ordering::Greater) => "larger",
                    _ => "not larger",
                }
            }
            None => "other",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn analyst(strategy: Strategy, rounds: usize, seed: u64) -> Analyst {
        let questions = vec![json!("a"), json!("b"), json!("c")];
        Analyst::new(questions, strategy, rounds, seed).unwrap()
    }

    /// The questions of a session, one letter each, that answers so.
    fn asks(analyst: &Analyst, mut answer: impl FnMut(&str) -> Output) -> String {
        let mut asked = String::new();
        let answers = analyst.transcript(|question| {
            let question = question.as_str().unwrap();
            asked.push_str(question);
            Ok(answer(question))
        });
        assert_eq!(answers.unwrap().len(), asked.len());
        asked
    }

    #[test]
    fn a_fixed_analyst_asks_in_order_and_begins_again() {
        let asked = asks(&analyst(Strategy::Fixed, 5, 1), |_| Output::Null);
        assert_eq!(asked, "abcab");
    }

    #[test]
    fn a_random_analyst_is_drawn_by_its_seed_and_ignores_the_answers() {
        let drawn = |seed, answer: i128| {
            asks(&analyst(Strategy::Random, 8, seed), |_| {
                Output::Integer(answer)
            })
        };
        for seed in 0..20 {
            assert_eq!(drawn(seed, 5), drawn(seed, -5));
        }
        let all: BTreeSet<String> = (0..20).map(|seed| drawn(seed, 0)).collect();
        assert!(all.len() > 15, "{all:?}");
        // All questions come.
        let letters: BTreeSet<char> = all.iter().flat_map(|asked| asked.chars()).collect();
        assert_eq!(letters.len(), 3);
    }

    #[test]
    fn an_adaptive_analyst_asks_by_what_the_last_answer_was_like() {
        let second = |seed, answer: Output| {
            let asked = asks(&analyst(Strategy::Adaptive, 2, seed), |_| answer.clone());
            asked.chars().last()
        };
        // Answers that are alike lead to the same question, and others to another one, of some analysts.
        let unlike = [
            Output::Integer(3),
            Output::Integer(-3),
            Output::Boolean(true),
            Output::Boolean(false),
            Output::Error("no".into()),
            Output::Null,
            Output::Label("above".into()),
            Output::Label("below".into()),
        ];
        for (place, first) in unlike.iter().enumerate() {
            for other in &unlike[place + 1..] {
                let differs = |seed| second(seed, first.clone()) != second(seed, other.clone());
                assert!((0..30).any(differs), "{first} {other}");
            }
        }
        for seed in 0..30 {
            assert_eq!(
                second(seed, Output::Integer(3)),
                second(seed, Output::float(0.5))
            );
            assert_eq!(
                second(seed, Output::Error("x".into())),
                second(seed, Output::Error("y".into()))
            );
        }
    }

    #[test]
    fn the_second_number_is_compared_with_the_first() {
        let third = |seed, first: i128, second: i128| {
            let mut answers = [first, second, 0].into_iter();
            let asked = asks(&analyst(Strategy::Adaptive, 3, seed), |_| {
                Output::Integer(answers.next().unwrap())
            });
            asked.chars().last()
        };
        for seed in 0..30 {
            assert_eq!(third(seed, 5, 6), third(seed, 5, 60));
            assert_eq!(third(seed, 5, 4), third(seed, 5, 5));
        }
        assert!((0..30).any(|seed| third(seed, 5, 6) != third(seed, 5, 4)));
    }

    #[test]
    fn a_probing_analyst_asks_until_it_is_refused_and_goes_on_until_all_are() {
        // Three answers to a, one to b, none to c; then all are refused.
        let mut left = [3, 1, 0];
        let asked = asks(&analyst(Strategy::Probing, 100, 1), |question| {
            let left = &mut left["abc".find(question).unwrap()];
            if *left == 0 {
                return Output::Error("the budget is spent".into());
            }
            *left -= 1;
            Output::Integer(7)
        });
        assert_eq!(asked, "aaaabbca");
        let endless = asks(&analyst(Strategy::Probing, 4, 1), |_| Output::Boolean(true));
        assert_eq!(endless, "aaaa");
    }

    #[test]
    fn a_probing_analyst_goes_on_beyond_the_list_unless_it_is_told_when_to_stop() {
        assert_eq!(Strategy::Fixed.usual_rounds(3), 3);
        assert_eq!(Strategy::Probing.usual_rounds(3), 48);
        assert_eq!(Strategy::Probing.usual_rounds(MOST_ROUNDS), MOST_ROUNDS);
        assert_eq!(Strategy::Fixed.usual_rounds(0), 1);
    }

    #[test]
    fn no_questions_and_no_rounds_are_refused() {
        let new = |questions: usize, rounds| {
            Analyst::new(vec![json!(1); questions], Strategy::Fixed, rounds, 1)
        };
        assert!(new(0, 1).unwrap_err().contains("at least one question"));
        for rounds in [0, MOST_ROUNDS + 1] {
            let error = new(1, rounds).unwrap_err();
            assert!(error.contains(&format!("got {rounds}")), "{error}");
        }
        new(1, MOST_ROUNDS).unwrap();
    }
}
