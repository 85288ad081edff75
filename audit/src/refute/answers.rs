//! What all answers of an audit have in common: it may show that a program ignored its task. No verdict
//! of privacy rests on it.

use crate::events::bytes;
use crate::targets::{Output, OutputKind};
use dp_assay::number::Rational;
use std::collections::{BTreeSet, HashMap};

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
    different: [Different; 2],
}

/// How often each answer came on a dataset, as long as they are few.
#[derive(Debug, Clone, PartialEq, Default)]
struct Different {
    counts: HashMap<Output, u64>,
    bytes: usize,
    are_many: bool,
}

/// The most different answers on a dataset that are counted, and the most bytes of them.
const MOST_DIFFERENT: usize = 1024;
const MOST_BYTES: usize = 1 << 20;
/// Answers come again and again if they came so often on average.
const AGAIN: u64 = 4;
/// So few numbers are hardly noise.
const FEW: usize = 4;
/// So many answers, all alike often, are those of a generator with few states.
const STATES: usize = 32;

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
                self.different[place].hear(output);
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

    /// How many different answers there were on the two datasets, if they came again and again and none came on both. Not of many
    /// numbers that are larger on one dataset than on the other: a half-line tells that better.
    #[must_use]
    pub fn none_on_both(&self) -> Option<[usize; 2]> {
        let [first, second] = &self.different;
        let come_again = first.come_again() && second.come_again();
        let on_both = |output| second.counts.contains_key(output);
        let is_so = come_again && !first.counts.keys().any(on_both) && !first.is_apart(second);
        is_so.then_some([first.counts.len(), second.counts.len()])
    }

    /// How many different doubles there were, if all came about as often: noise has tails, and a generator with few states has none.
    #[must_use]
    pub fn few_states(&self) -> Option<[usize; 2]> {
        let are_states = self.different.iter().all(Different::are_states);
        are_states.then(|| [0, 1].map(|place: usize| self.different[place].counts.len()))
    }

    /// Whether at least 99 in 100 answers were errors.
    #[must_use]
    pub fn are_mostly_errors(&self) -> bool {
        let all: u64 = self.calls.iter().sum();
        let errors: u64 = self.errors.iter().sum();
        errors > 0 && errors >= all - all / 100
    }
}

impl Different {
    fn hear(&mut self, output: &Output) {
        if self.are_many {
            return;
        }
        if let Some(count) = self.counts.get_mut(output) {
            *count += 1;
            return;
        }
        self.bytes += bytes(output);
        self.are_many = self.counts.len() == MOST_DIFFERENT || self.bytes > MOST_BYTES;
        match self.are_many {
            true => self.counts = HashMap::new(),
            false => _ = self.counts.insert(output.clone(), 1),
        }
    }

    fn come_again(&self) -> bool {
        let calls: u64 = self.counts.values().sum();
        !self.counts.is_empty() && calls >= 16 && calls >= AGAIN * self.counts.len() as u64
    }

    /// Whether both are many numbers, all of one above all of the other.
    fn is_apart(&self, other: &Self) -> bool {
        let numbers = |of: &Self| -> Option<BTreeSet<Rational>> {
            of.counts.keys().map(Output::exact_number).collect()
        };
        let are_few = self.counts.len().max(other.counts.len()) <= FEW;
        match (numbers(self), numbers(other)) {
            (Some(one), Some(two)) if !are_few => {
                one.last() < two.first() || two.last() < one.first()
            }
            _ => false,
        }
    }

    /// Whether they are doubles whose counts vary no more than those of equally likely ones, by twice their chi squared.
    fn are_states(&self) -> bool {
        let number = self.counts.len() as f64;
        let calls: u64 = self.counts.values().sum();
        let mean = calls as f64 / number.max(1.0);
        let unlike = |count: &u64| (*count as f64 - mean).powi(2) / mean;
        let chi_squared: f64 = self.counts.values().map(unlike).sum();
        self.come_again()
            && self.counts.len() >= STATES
            && self.counts.keys().any(Output::has_fraction)
            && chi_squared < 2.0 * number
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

    #[test]
    fn answers_that_come_on_one_dataset_alone_are_told_from_those_on_both() {
        let answers = |first: &[i128], second: &[i128]| {
            let mut answers = Answers::default();
            let all = |of: &[i128]| of.iter().map(|k| Output::Integer(*k)).collect();
            answers.hear(&[all(first), all(second)]);
            answers
        };
        let (low, high) = ([1, 2].repeat(8), [3, 4, 5, 3].repeat(4));
        assert_eq!(answers(&low, &high).none_on_both(), Some([2, 3]));
        assert_eq!(
            answers(&low, &[&high[..], &[2]].concat()).none_on_both(),
            None
        );
        // Too few to say, or too rarely again.
        assert_eq!(answers(&low[..12], &high).none_on_both(), None);
        let many: Vec<i128> = (10..100).collect();
        assert_eq!(answers(&low, &many).none_on_both(), None);
        // Many numbers, all above the others; and between them.
        let above: Vec<i128> = (100..110).collect();
        let between: Vec<i128> = (0..20).map(|k| 20 * k + 15).collect();
        assert_eq!(answers(&high, &above.repeat(9)).none_on_both(), None);
        assert_eq!(
            answers(&between.repeat(9), &above.repeat(9)).none_on_both(),
            Some([20, 10])
        );
        let most: Vec<i128> = (10..2000).collect();
        assert_eq!(answers(&low, &most.repeat(9)).none_on_both(), None);
        assert_eq!(Answers::default().none_on_both(), None);
    }

    #[test]
    fn a_generator_of_few_states_is_told_from_noise_with_tails() {
        let mut answers = [Answers::default(), Answers::default(), Answers::default()];
        for k in 0..2000u32 {
            // 200 states; a lattice with tails, where one in 2^j is at j; and whole numbers.
            let state = f64::from(k * 7 % 200) + 0.5;
            let tail = f64::from((k + 1).trailing_zeros()) + 0.5;
            for (answers, value) in answers.iter_mut().zip([state, tail, state - 0.5]) {
                let output = || vec![Output::float(value)];
                answers.hear(&[output(), output()]);
            }
        }
        let found = answers.map(|answers| answers.few_states());
        assert_eq!(found, [Some([200, 200]), None, None]);
    }

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
