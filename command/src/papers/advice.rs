//! Which learner to take, by public numbers: no record is read. Each learner says what is known of it ([`Forecast`]); the rule
//! that takes one of them is [`Question::order`].

use super::forecast::{Forecast, Size, Way};
use super::learn::Learner;
use super::read;
use crate::error::Error;
use clap::{Command, ValueEnum};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use serde::Serialize;

/// What the labels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Two classes
    Classes,
    /// Numbers of a public interval
    Numbers,
}

/// What is asked: all of it is public.
#[derive(Debug)]
pub struct Question {
    /// What the labels are.
    pub task: Task,
    /// The records that are learned from, and the coordinates of each.
    pub size: Size,
    /// The privacy parameter epsilon.
    pub epsilon: Rational,
    /// The privacy parameter delta, if it may be above 0.
    pub delta: Option<Rational>,
}

/// What is known of a learner for a question.
#[derive(Debug, Serialize)]
pub struct Advice {
    /// Its name.
    pub learner: &'static str,
    /// The delta that it spends.
    pub delta: String,
    #[serde(skip)]
    way: Option<Way>,
    /// Its noise, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<String>,
    /// The least margin at which its theorem promises an error below 1/2, to a twentieth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_margin: Option<String>,
    /// The error that it promises at margin 1/2, if that is below 1/2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_at_margin_half: Option<String>,
    /// About how many seconds it takes on one core, reading aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// About how many megabytes it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub megabytes: Option<u64>,
    /// Why it would be refused, if it would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Records times epsilon from which on noisy gradients err less than a choice among candidates: chosen on five public sets of
/// 532 to 6,497 records, at epsilon 1/4, 1 and 4 (`experiments/results/learners.md`).
const ENOUGH_FOR_GRADIENTS: u64 = 1000;

/// How long a learner may take to be advised.
const MOST_SECONDS: u64 = 600;

/// Why gradients of parts of the records are taken.
const BY_TIME: &str = "the learners that err less would take too long";

impl Question {
    /// The rule: the ways in the order in which they are taken, each with the reason. The first whose learner is not refused,
    /// and takes ten minutes at most, is the one to take.
    ///
    /// Where the rule is from: of classes the sets on which it was chosen in `experiments/results/learners.md`, which says too on
    /// how many of the others it holds; of numbers the tables of `spec/kernels.md` and `spec/random-features.md`.
    fn order(&self) -> &'static [(Way, &'static str)] {
        let enough =
            integer(self.size.records as u64) * &self.epsilon >= integer(ENOUGH_FOR_GRADIENTS);
        match (self.task, &self.delta) {
            (Task::Numbers, _) => &[(Way::Gradients, "of numbers, noisy gradients err least")],
            (Task::Classes, Some(_)) if enough => &[
                (
                    Way::Gradients,
                    "with a delta, and records times epsilon of 1000 or more, noisy gradients mostly err least",
                ),
                (
                    Way::Candidates,
                    "noisy gradients of all records would take too long, and a choice among public candidates comes next",
                ),
                (Way::Parts, BY_TIME),
            ],
            (Task::Classes, Some(_)) => &[
                (
                    Way::Candidates,
                    "where records times epsilon are below 1000, a choice among public candidates mostly errs least",
                ),
                (Way::Parts, BY_TIME),
            ],
            (Task::Classes, None) => &[(
                Way::Candidates,
                "without a delta, a choice among public candidates mostly errs least",
            )],
        }
    }

    /// The one of these to take, by the rule, and why.
    pub fn take<'a>(&self, all: &'a [Advice]) -> Option<(&'a Advice, &'static str)> {
        let fits = |advice: &&Advice| {
            advice.refused.is_none() && advice.seconds.is_some_and(|all| all <= MOST_SECONDS)
        };
        self.order().iter().find_map(|(way, why)| {
            let mut of_it = all.iter().filter(|advice| advice.way == Some(*way));
            Some((of_it.find(fits)?, *why))
        })
    }

    /// The learner with its own options as they are unless told otherwise, and this margin; nothing if it is not for this
    /// task, or needs a delta or more that there is none of.
    fn asked<L: Learner>(&self, margin: &Rational) -> Result<Option<L>, Error> {
        let command = L::command(Command::new(L::NAME));
        let has = |id: &str| command.get_arguments().any(|option| option.get_id() == id);
        let needs = |id: &str| {
            let mut options = command.get_arguments();
            options.any(|option| option.get_id() == id && option.is_required_set())
        };
        let of_numbers = needs("label_box");
        if of_numbers != (self.task == Task::Numbers) || needs("delta") && self.delta.is_none() {
            return Ok(None);
        }
        let mut words = vec![L::NAME.to_owned(), "records.csv".to_owned()];
        let mut give =
            |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
        give("--epsilon", &self.epsilon.to_string());
        if let (true, Some(delta)) = (has("delta"), &self.delta) {
            give("--delta", &delta.to_string());
        }
        if let Some(option) = ["gamma", "margin"].into_iter().find(|&id| has(id)) {
            give(&format!("--{option}"), &margin.to_string());
        }
        if needs("lambda") {
            give("--lambda", "1/100");
        }
        if of_numbers {
            give("--label-box", "0:1");
        }
        // One that must be told more, as public points, is no advice from numbers.
        command
            .try_get_matches_from(words)
            .map_or(Ok(None), |matches| read::<L>(&matches).map(Some))
    }
}

/// What is known of a learner for a question; nothing of one that is no advice for it.
pub fn of<L: Learner>(question: &Question) -> Result<Option<Advice>, Error> {
    let at = |margin: &Rational| -> Result<Option<Forecast>, Error> {
        match question.asked::<L>(margin)? {
            Some(learner) => learner.forecast(question.size),
            None => Ok(None),
        }
    };
    let advice = Advice::begun::<L>(question);
    let forecast = match at(&ratio(1, 2)) {
        Ok(None) => return Ok(None),
        Ok(Some(forecast)) => forecast,
        Err(error) => {
            return Ok(Some(Advice {
                refused: Some(error.to_string()),
                ..advice
            }));
        }
    };
    let promised = |forecast: &Forecast| {
        let bound = forecast.bound.as_ref();
        bound.and_then(|bound| bound.error_at_most.clone())
    };
    // At a small margin the work may be too much: then nothing is promised.
    let says =
        |margin: &Rational| matches!(at(margin), Ok(Some(found)) if promised(&found).is_some());
    let narrow = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    Ok(Some(Advice {
        way: Some(forecast.way),
        error_at_margin_half: promised(&forecast),
        least_margin: least_margin(says).map(|margin| margin.to_string()),
        seconds: Some(narrow(forecast.work.seconds())),
        megabytes: Some(narrow(forecast.work.bytes.div_ceil(1 << 20))),
        noise: Some(forecast.noise),
        ..advice
    }))
}

/// The least of 1/20, 2/20, .., 1 at which a bound says something: what it says at a margin it says at a larger one.
fn least_margin(says: impl Fn(&Rational) -> bool) -> Option<Rational> {
    let margin = |twentieths: i64| ratio(twentieths, 20);
    let (mut low, mut high) = (0, 20);
    if !says(&margin(high)) {
        return None;
    }
    while high - low > 1 {
        let middle = (low + high) / 2;
        if says(&margin(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(margin(high))
}

impl Advice {
    /// Of a learner, of which nothing is known yet but whether it spends the delta.
    fn begun<L: Learner>(question: &Question) -> Self {
        let command = L::command(Command::new(L::NAME));
        let mut options = command.get_arguments();
        let has_delta = options.any(|option| option.get_id() == "delta");
        let delta = question.delta.as_ref().filter(|_| has_delta);
        Self {
            learner: L::NAME,
            delta: delta.map_or_else(|| "0".to_owned(), Rational::to_string),
            way: None,
            noise: None,
            least_margin: None,
            error_at_margin_half: None,
            seconds: None,
            megabytes: None,
            refused: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_margin_is_the_first_at_which_something_is_said() {
        for least in 1..=20 {
            let says = |margin: &Rational| *margin >= ratio(least, 20);
            assert_eq!(least_margin(says), Some(ratio(least, 20)));
        }
        assert_eq!(least_margin(|_| false), None);
    }

    #[test]
    fn the_first_way_of_the_rule_that_is_quick_enough_is_taken() {
        let question = |records, epsilon, delta| Question {
            task: Task::Classes,
            size: Size {
                records,
                coordinates: 10,
            },
            epsilon,
            delta,
        };
        let learner = |learner, way, seconds, refused: Option<&str>| Advice {
            learner,
            delta: String::new(),
            way: Some(way),
            noise: None,
            least_margin: None,
            error_at_margin_half: None,
            seconds: Some(seconds),
            megabytes: None,
            refused: refused.map(str::to_owned),
        };
        let all = |seconds, refused| {
            vec![
                learner("parts", Way::Parts, 1, None),
                learner("candidates", Way::Candidates, seconds, None),
                learner("gradients", Way::Gradients, 1, refused),
            ]
        };
        let taken =
            |question: &Question, all: &[Advice]| question.take(all).map(|(one, _)| one.learner);
        let delta = || Some(ratio(1, 1_000_000));
        let large = question(1000, integer(1), delta());
        assert_eq!(taken(&large, &all(1, None)), Some("gradients"));
        assert_eq!(taken(&large, &all(1, Some("too much"))), Some("candidates"));
        let slow = all(MOST_SECONDS + 1, Some("too much"));
        assert_eq!(taken(&large, &slow), Some("parts"));
        for small in [
            question(999, integer(1), delta()),
            question(3999, ratio(1, 4), delta()),
        ] {
            assert_eq!(taken(&small, &all(1, None)), Some("candidates"));
        }
        let pure = question(1000, integer(1), None);
        assert_eq!(taken(&pure, &all(1, None)), Some("candidates"));
        assert_eq!(taken(&pure, &slow), None);
    }
}
