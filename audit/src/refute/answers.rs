//! What all answers of an audit have in common: it may show that a program ignored its task. No verdict
//! of privacy rests on it.

use crate::targets::{Output, OutputKind};
use std::collections::BTreeSet;

/// The answers on the two datasets of a pair.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    /// How many there were on either dataset.
    pub calls: [u64; 2],
    /// Of these, how many were errors.
    pub errors: [u64; 2],
    /// The text of the first error.
    pub first_error: Option<String>,
    /// The kinds of all of them.
    pub kinds: BTreeSet<OutputKind>,
    first: [Option<Output>; 2],
    vary: [bool; 2],
}

impl Answers {
    /// Takes the outputs on the two datasets into account.
    pub(crate) fn hear(&mut self, outputs: &[Vec<Output>; 2]) {
        for (place, outputs) in outputs.iter().enumerate() {
            self.calls[place] += outputs.len() as u64;
            for output in outputs {
                self.kinds.insert(output.kind());
                if let Some(text) = error_of(output) {
                    self.errors[place] += 1;
                    self.first_error.get_or_insert_with(|| text.to_owned());
                }
                let first = self.first[place].get_or_insert_with(|| output.clone());
                self.vary[place] = self.vary[place] || first != output;
            }
        }
    }

    /// The one answer to all calls on either dataset; `None` if answers differ on one of them, or there are none.
    #[must_use]
    pub fn only(&self) -> Option<[&Output; 2]> {
        match (&self.first, self.vary) {
            ([Some(first), Some(second)], [false, false]) => Some([first, second]),
            _ => None,
        }
    }

    /// The one error that is the answer to all calls on both datasets.
    #[must_use]
    pub fn only_error(&self) -> Option<&str> {
        let [first, second] = self.only()?.map(error_of);
        first.filter(|_| first == second)
    }

    /// Whether at least 99 in 100 answers were errors.
    #[must_use]
    pub fn are_mostly_errors(&self) -> bool {
        let all: u64 = self.calls.iter().sum();
        let errors: u64 = self.errors.iter().sum();
        errors > 0 && errors >= all - all / 100
    }
}

/// The error that an output is, or that is all of a transcript.
fn error_of(output: &Output) -> Option<&str> {
    match output {
        Output::Error(text) => Some(text),
        Output::Vector(answers) => {
            let first = error_of(answers.first()?)?;
            let are_one = answers.iter().all(|answer| error_of(answer) == Some(first));
            are_one.then_some(first)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Output {
        Output::Error(text.to_owned())
    }

    #[test]
    fn one_answer_to_all_calls_is_seen() {
        let mut answers = Answers::default();
        assert_eq!(answers.only(), None);
        answers.hear(&[vec![Output::Integer(3); 4], Vec::new()]);
        assert_eq!(answers.only(), None);
        answers.hear(&[vec![Output::Integer(3)], vec![Output::Integer(4)]]);
        assert_eq!(
            answers.only(),
            Some([&Output::Integer(3), &Output::Integer(4)])
        );
        assert!(answers.only_error().is_none() && !answers.are_mostly_errors());
        answers.hear(&[Vec::new(), vec![Output::Integer(5)]]);
        assert_eq!(answers.only(), None);
    }

    #[test]
    fn errors_are_counted_and_one_error_is_told_from_two() {
        let mut answers = Answers::default();
        answers.hear(&[vec![error("a"); 50], vec![error("a"); 49]]);
        assert_eq!(answers.only_error(), Some("a"));
        answers.hear(&[Vec::new(), vec![Output::Integer(1)]]);
        assert!(answers.only_error().is_none() && answers.are_mostly_errors());
        answers.hear(&[vec![Output::Integer(1)], Vec::new()]);
        assert!(!answers.are_mostly_errors());
        // So is a session that says nothing else.
        let mut sessions = Answers::default();
        let transcript = |last| Output::Vector(vec![error("a"), error("a"), last]);
        sessions.hear(&[
            vec![transcript(error("a")); 9],
            vec![transcript(error("a"))],
        ]);
        assert_eq!(sessions.only_error(), Some("a"));
        assert_eq!(sessions.errors, [9, 1]);
        for other in [error("b"), Output::Integer(1)] {
            let mut mixed = Answers::default();
            mixed.hear(&[vec![transcript(other.clone())], vec![transcript(other)]]);
            assert!(mixed.only_error().is_none() && mixed.errors == [0, 0]);
        }
        let mut two = Answers::default();
        two.hear(&[vec![error("a")], vec![error("b")]]);
        assert!(two.only_error().is_none() && two.only().is_some());
    }
}
