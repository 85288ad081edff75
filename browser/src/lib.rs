//! The exact core for the page of the book that checks: a question in JSON, an answer in JSON, no clock, no network, no other coins
//! than those that the question brings.
//!
//! - [`answer`]: any question; `boundary`: how the page's script hands it over;
//! - `laws`: the samplers of the reference, each with a twin that has a mistake;
//! - `explore`: the reference's samplers on every outcome of their coins; `lent`: the explorer's coins, for the reference;
//! - `draw`: exact noise from the browser's coins; `truth`: what `assay truth` answers; `outputs`: the auditor on outputs that are brought.

mod boundary;
mod draw;
mod explore;
mod laws;
mod lent;
mod outputs;
mod truth;

use serde::Deserialize;
use serde_json::{Value, json};

/// What the page may ask.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
enum Question {
    Explore(explore::Question),
    Draw(draw::Question),
    Truth(truth::Question),
    Outputs(outputs::Question),
}

/// The answer to a question: an object, with `error` where there is none.
#[must_use]
pub fn answer(question: &str) -> String {
    let answered = serde_json::from_str(question)
        .map_err(|error| error.to_string())
        .and_then(|question: Question| match question {
            Question::Explore(question) => question.answer(),
            Question::Draw(question) => question.answer(),
            Question::Truth(question) => question.answer(),
            Question::Outputs(question) => question.answer(),
        });
    let told: Value = answered.unwrap_or_else(|error| json!({ "error": error }));
    told.to_string()
}
