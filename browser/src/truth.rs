//! Certified values: what `assay truth` answers to the same words.

use dp_assay_cli::truth::{Asked, Format, MOST_DIGITS, Span, answer};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of a command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The name and its parameters, as in `discrete-laplace scale=2`.
    subject: String,
    quantity: Option<String>,
    at: Option<String>,
    shift: Option<String>,
    epsilon: Option<String>,
    delta: Option<String>,
    digits: u32,
    format: Written,
}

/// How the values are written.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    /// As the command prints them.
    Table,
    Csv,
    Json,
}

impl Question {
    /// `text`: what the command prints.
    pub fn answer(&self) -> Result<Value, String> {
        if !(1..=MOST_DIGITS).contains(&u64::from(self.digits)) {
            return Err(format!(
                "--digits must be from 1 to {MOST_DIGITS}, got {}",
                self.digits
            ));
        }
        let read = |option: &str, text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => Span::read(text)
                .map(Some)
                .map_err(|reason| format!("{option}: {reason}")),
        };
        let words: Vec<&str> = self.subject.split_whitespace().collect();
        let question = dp_assay_cli::truth::Question {
            subject: &words,
            quantity: self.quantity.as_deref(),
            asked: Asked {
                at: read("--at", &self.at)?,
                shift: read("--shift", &self.shift)?,
                epsilon: read("--epsilon", &self.epsilon)?,
                delta: read("--delta", &self.delta)?,
            },
            digits: self.digits,
            format: match self.format {
                Written::Table => Format::Table,
                Written::Csv => Format::Csv,
                Written::Json => Format::Json,
            },
        };
        let text = answer(&question).map_err(|error| error.to_string())?;
        Ok(json!({ "text": text }))
    }
}
