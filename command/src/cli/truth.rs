//! `assay truth`: certified values.

use super::Outcome;
use crate::error::Error;
use crate::options::whole_in;
use crate::output;
use crate::screen;
use crate::truth::{
    Asked, Format, MOST_DIGITS, Quantity, Question, Span, Subject, answer, subject, subjects,
};
use clap::Args;
use dp_assay::law::named::definitions;
use serde_json::json;

/// Print a certified value: two decimals between which it provably lies.
///
/// A value is that of a real function, of a law, of a statistic, or of a privacy guarantee. What it is of is written as
/// a name and its parameters: exp, discrete-gaussian variance=4, binomial trials=10 probability=1/3. `--list` prints all
/// names, what each has, and an example. A value that is rational is said to be exact, and a bound is said to be one.
///
/// --at, --shift, --epsilon and --delta say where the value is taken. One of them may be a range, as in --at 0..10 or
/// --epsilon 0..2..1/10 (both ends, and the step): one value a line, or all as CSV.
#[derive(Debug, Args)]
#[command(after_help = format!("Laws on the integers:\n{}\n\nMore: assay truth --list", definitions()))]
pub struct Arguments {
    /// The name and its parameters, as in: discrete-laplace scale=2
    #[arg(value_name = "SUBJECT", required_unless_present = "list", num_args = 1..)]
    subject: Vec<String>,
    /// Print all subjects, or those named, with their definitions, quantities and examples
    #[arg(long)]
    list: bool,
    /// Significant digits, from 1 to 1000
    #[arg(long, value_name = "N", value_parser = whole_in::<u32>(1..=MOST_DIGITS), allow_hyphen_values = true, default_value_t = 50)]
    digits: u32,
    /// What to compute; without it the first that the subject has
    #[arg(long, value_name = "Q")]
    quantity: Option<String>,
    /// The argument: K, X or P, or a range A..B or A..B..STEP
    #[arg(long, value_name = "K", value_parser = Span::read, allow_hyphen_values = true)]
    at: Option<Span>,
    /// The shift between the two laws of a profile, or a range of shifts
    #[arg(long, value_name = "D", value_parser = Span::read, allow_hyphen_values = true)]
    shift: Option<Span>,
    /// The epsilon at which a delta is taken, or a range
    #[arg(long, value_name = "E", value_parser = Span::read, allow_hyphen_values = true)]
    epsilon: Option<Span>,
    /// The delta at which an epsilon is taken, or a range
    #[arg(long, value_name = "D", value_parser = Span::read, allow_hyphen_values = true)]
    delta: Option<Span>,
    /// How to print the values
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay truth`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let words: Vec<&str> = arguments
        .subject
        .iter()
        .flat_map(|word| word.split_whitespace())
        .collect();
    if arguments.list {
        return list(&words, arguments.format);
    }
    let question = Question {
        subject: &words,
        quantity: arguments.quantity.as_deref(),
        asked: Asked {
            at: arguments.at.clone(),
            shift: arguments.shift.clone(),
            epsilon: arguments.epsilon.clone(),
            delta: arguments.delta.clone(),
        },
        digits: arguments.digits,
        format: arguments.format,
    };
    // All before any is printed.
    let text = answer(&question)?;
    match arguments.format {
        Format::Table => screen::print(&text)?,
        Format::Json | Format::Csv => output::print(&text)?,
    }
    Ok(Outcome::AsExpected)
}

/// Prints the subjects of these names, all without one.
fn list(names: &[&str], format: Format) -> Result<Outcome, Error> {
    let shown = match names {
        [] => subjects(),
        _ => {
            let named = names.iter().map(|name| subject(name));
            named.collect::<Result<Vec<_>, _>>()?
        }
    };
    match format {
        Format::Table => screen::print(&shown.iter().map(described).collect::<String>())?,
        Format::Json => {
            let all: Vec<_> = shown.iter().map(as_json).collect();
            output::print_json(&json!({ "subjects": all }))?;
        }
        Format::Csv => {
            return Err(Error::Usage(
                "--list is printed as table or json, not as csv".to_owned(),
            ));
        }
    }
    Ok(Outcome::AsExpected)
}

/// A subject for people.
fn described(subject: &Subject) -> String {
    let form = subject.form();
    let separator = if form.is_empty() { "" } else { " " };
    let mut text = format!(
        "{}{separator}{form}\n    {}\n",
        subject.name, subject.definition
    );
    for quantity in &subject.quantities {
        let takes: Vec<&str> = quantity.takes.iter().map(|takes| takes.form()).collect();
        let takes = takes
            .iter()
            .map(|form| format!(" {form}"))
            .collect::<String>();
        text.push_str(&format!(
            "  {}{takes}: {}\n",
            quantity.name, quantity.meaning
        ));
        text.push_str(&format!("      {}\n", example(subject, quantity)));
    }
    text.push('\n');
    text
}

/// A subject for programs.
fn as_json(subject: &Subject) -> serde_json::Value {
    let quantities = subject.quantities.iter().map(|quantity| {
        let takes: Vec<&str> = quantity.takes.iter().map(|takes| takes.form()).collect();
        json!({
            "quantity": quantity.name,
            "meaning": quantity.meaning,
            "method": quantity.method,
            "takes": takes,
            "example": example(subject, quantity),
        })
    });
    json!({
        "subject": subject.name,
        "definition": subject.definition,
        "parameters": subject.form(),
        "quantities": quantities.collect::<Vec<_>>(),
    })
}

/// A command line that asks for the quantity.
fn example(subject: &Subject, quantity: &Quantity) -> String {
    let mut words = vec!["assay truth", subject.name, subject.example];
    let name = format!("--quantity {}", quantity.name);
    if subject.quantities.len() > 1 {
        words.push(&name);
    }
    words.push(quantity.example);
    words.retain(|word| !word.is_empty());
    words.join(" ")
}
