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
                if let Output::Error(text) = output {
                    self.errors[place] += 1;
                    self.first_error.get_or_insert_with(|| text.clone());
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
        match self.only()? {
            [Output::Error(first), Output::Error(second)] if first == second => Some(first),
            _ => None,
        }
    }

    /// Whether at least 99 in 100 answers were errors.
    #[must_use]
    pub fn are_mostly_errors(&self) -> bool {
        let all: u64 = self.calls.iter().sum();
        let errors: u64 = self.errors.iter().sum();
        errors > 0 && errors >= all - all / 100
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
        let mut two = Answers::default();
        two.hear(&[vec![error("a")], vec![error("b")]]);
        assert!(two.only_error().is_none() && two.only().is_some());
    }
}
