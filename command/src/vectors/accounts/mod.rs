//! Class F: what steps on samples of the records cost together, between two certified ends, to hold an accountant against.

mod planted;
mod questions;
mod renyi;
mod transform;

use super::mistakes::notes;
use super::numbers::decimals;
use super::{File, document};
use crate::error::Error;
use dp_assay::accountant::{Known, Limit};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use planted::Mistake;
use questions::{At, Law, Question, questions};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Significant digits at which both ends agree, where no flag says that there are fewer.
const DIGITS: u32 = 6;

/// Significant digits that are written, of the ends and of what an accountant with a mistake says.
const WRITTEN: u32 = 12;
const WRITTEN_OF_MISTAKES: u32 = 4;

/// A question with its answer, and the mistakes that it shows, each with what it says.
struct Answered {
    question: Question,
    known: Known,
    shown: Vec<(Mistake, Rational)>,
}

/// The files of this class, one a law and a quantity.
///
/// # Errors
/// A question that the accountant refuses, or one that shows no mistake.
pub fn files() -> Result<Vec<File>, Error> {
    let answered: Vec<Answered> = questions()?
        .into_par_iter()
        .filter_map(|question| answered(question).transpose())
        .collect::<Result<_, Error>>()?;
    let mut files: BTreeMap<(Law, &str), Vec<(Answered, Mistake)>> = BTreeMap::new();
    for (answered, mistake) in given_out(answered)? {
        let key = (answered.question.law, answered.question.at.quantity());
        files.entry(key).or_default().push((answered, mistake));
    }
    Ok(files
        .iter()
        .map(|((law, quantity), cases)| file(*law, quantity, cases))
        .collect())
}

/// The answer. There is none where epsilon is 0, since no accountant says less; nor where delta is below 1e-20 or above 1/2, for
/// which nobody asks.
fn answered(question: Question) -> Result<Option<Answered>, Error> {
    let known = question.answer(question.mechanism(), question.law.relation(), DIGITS)?;
    let (lo, hi) = (known.value.lower(), known.value.upper());
    let is_asked_for = match question.at {
        At::Delta(_) => lo > integer(0),
        At::Epsilon(_) => lo > integer(10).pow(-20) && hi < ratio(1, 2),
    };
    if !is_asked_for {
        return Ok(None);
    }
    let mut shown = Vec::new();
    for mistake in Mistake::ALL {
        let found = mistake.shown(&question, &known)?;
        shown.extend(found.map(|found| (mistake, found)));
    }
    Ok(Some(Answered {
        question,
        known,
        shown,
    }))
}

/// Each case with the mistake that it is for: of those that it shows the one that has the fewest cases before it.
fn given_out(answered: Vec<Answered>) -> Result<Vec<(Answered, Mistake)>, Error> {
    let mut counts: BTreeMap<Mistake, usize> = BTreeMap::new();
    let mut given = Vec::new();
    for answered in answered {
        let count = |mistake: &Mistake| counts.get(mistake).copied().unwrap_or(0);
        let shown = answered.shown.iter().map(|(mistake, _)| *mistake);
        let fewest = shown.min_by_key(|mistake| (count(mistake), *mistake));
        let mistake = fewest
            .ok_or_else(|| Error::Usage(format!("{}: shows no mistake", answered.question.id())))?;
        *counts.entry(mistake).or_default() += 1;
        given.push((answered, mistake));
    }
    Ok(given)
}

fn file(law: Law, quantity: &str, cases: &[(Answered, Mistake)]) -> File {
    let tests: Vec<Value> = cases
        .iter()
        .map(|(answered, mistake)| answered.json(*mistake))
        .collect();
    let flags = cases.iter().flat_map(|(answered, _)| answered.flags());
    let bugs = cases.iter().map(|(_, mistake)| mistake.words());
    let content = json!({
        "law": law.name(),
        "quantity": quantity,
        "definition": law.definition(),
        "digits": DIGITS,
        "notes": notes(flags, meaning, bugs),
        "tests": tests,
    });
    let path = format!("accounts/{}-{quantity}.json", law.name());
    document(path, "account_v1", content, cases.len())
}

fn meaning(flag: &str) -> &'static str {
    match flag {
        "OneStep" => "one step",
        "Unsampled" => "every step has all records, so that there is a closed form",
        "ManySteps" => "at least 100,000 steps",
        "SmallDelta" => "delta is at most 1e-10",
        "Ordinary" => "nothing of the other flags",
        "FewerDigits" => {
            "a grid of 2^22 points does not give six digits, or the rounding of doubles leaves fewer: the ends are as near as they come"
        }
        "Apart" => {
            "which mechanism of the kind costs the most is not known: one costs lo, none more than hi"
        }
        _ => "",
    }
}

impl Answered {
    fn flags(&self) -> Vec<&'static str> {
        let question = &self.question;
        let delta = match &question.at {
            At::Delta(delta) => delta.clone(),
            At::Epsilon(_) => self.known.value.upper(),
        };
        let first = match question.steps {
            1 => "OneStep",
            _ if question.rate == integer(1) => "Unsampled",
            100_000.. => "ManySteps",
            _ if delta <= integer(10).pow(-10) => "SmallDelta",
            _ => "Ordinary",
        };
        let second = match self.known.limit {
            None => None,
            Some(Limit::Worst) => Some("Apart"),
            Some(_) => Some("FewerDigits"),
        };
        [first].into_iter().chain(second).collect()
    }

    /// The case, as one for a mistake that it shows.
    fn json(&self, mistake: Mistake) -> Value {
        let (lo, hi) = decimals(&self.known.value, WRITTEN);
        let said = self.shown.iter().find(|(shown, _)| *shown == mistake);
        // Rounded towards the ends, so that it is no more than what the mistake does.
        let said = said.map(|(_, said)| {
            let (below, above) = decimals(&Enclosure::of(said, 64), WRITTEN_OF_MISTAKES);
            if mistake.is_unsound() { above } else { below }
        });
        let (bug, effect, _) = mistake.words();
        json!({
            "id": self.question.id(),
            "parameters": self.question.parameters(),
            "at": self.question.place(),
            "lo": lo,
            "hi": hi,
            "mistaken": said,
            "flags": self.flags(),
            "bug": bug,
            "effect": effect,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Of so many questions one is computed again by day. At night `assay vectors` computes all.
    const ONE_IN: usize = 101;

    /// The cases of the repository by their ids.
    fn written() -> BTreeMap<String, Value> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/vectors/v1/accounts");
        let mut cases = BTreeMap::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let file: Value = serde_json::from_str(&text).unwrap();
            for case in file["tests"].as_array().unwrap() {
                cases.insert(case["id"].as_str().unwrap().to_owned(), case.clone());
            }
        }
        cases
    }

    /// Whether the repository has this answer, for one of the mistakes that it shows.
    fn is_there(answered: &Answered, written: &BTreeMap<String, Value>) -> bool {
        let case = written.get(&answered.question.id());
        let mistakes = answered.shown.iter().map(|(mistake, _)| *mistake);
        case.is_some_and(|case| mistakes.into_iter().any(|one| answered.json(one) == *case))
    }

    #[test]
    fn a_sample_of_the_cases_is_computed_again() {
        let written = written();
        let sample: Vec<Question> = questions().unwrap().into_iter().step_by(ONE_IN).collect();
        let compared: Vec<bool> = sample
            .into_par_iter()
            .map(|question| {
                let id = question.id();
                match answered(question).unwrap() {
                    Some(found) => assert!(is_there(&found, &written), "{id}"),
                    None => assert!(!written.contains_key(&id), "{id}: epsilon is 0"),
                }
                written.contains_key(&id)
            })
            .collect();
        assert!(compared.iter().filter(|there| **there).count() > 15);
    }

    #[test]
    fn another_digit_is_noticed_and_so_is_a_mistake_that_does_not_show() {
        let mut written = written();
        let question = questions()
            .unwrap()
            .into_iter()
            .find(|question| question.steps == 10 && written.contains_key(&question.id()));
        let found = answered(question.unwrap()).unwrap().unwrap();
        assert!(is_there(&found, &written));
        let case = written.get_mut(&found.question.id()).unwrap();
        let right = case.clone();
        case["hi"] = (right["hi"].as_str().unwrap().to_owned() + "1").into();
        assert!(!is_there(&found, &written));
        let case = written.get_mut(&found.question.id()).unwrap();
        *case = right;
        case["bug"] = "fixed".into();
        assert!(!is_there(&found, &written));
    }
}
