//! `assay truth`: certified values.

use super::Outcome;
use crate::error::Error;
use crate::options::whole_in;
use crate::output;
use crate::screen;
use crate::truth::{Asked, Given, Quantity, Span, Subject, Value, Worth, subject, subjects};
use clap::{Args, ValueEnum};
use dp_assay::law::named::definitions;
use dp_assay::number::Rational;
use rayon::prelude::*;
use serde_json::{Map, json};

/// The most digits that are computed.
const MOST_DIGITS: u64 = 1_000;

/// Values times digits: so many digits are printed at most.
const MOST_PRINTED: usize = 10_000_000;

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

/// How values are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
    /// For spreadsheets: a header, then one value a line.
    Csv,
}

/// The values of a quantity, and what is said of all of them.
struct Values<'a> {
    written: String,
    subject: &'a Subject,
    quantity: &'a Quantity,
    digits: u32,
    is_range: bool,
    /// How each is written, where it is taken, and what it is.
    rows: Vec<Row>,
}

struct Row {
    label: String,
    place: Vec<(&'static str, Rational)>,
    value: Value,
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
    let (name, parameters) = words.split_first().ok_or_else(|| {
        Error::Usage("a subject is needed: 'assay truth --list' has all".to_owned())
    })?;
    let subject = subject(name)?;
    let given = Given::read(&subject, parameters)?;
    let digits = arguments.digits;
    let quantity = subject.quantity(arguments.quantity.as_deref())?;
    let asked = Asked {
        at: arguments.at.clone(),
        shift: arguments.shift.clone(),
        epsilon: arguments.epsilon.clone(),
        delta: arguments.delta.clone(),
    };
    let (places, is_range) = asked.places(quantity)?;
    let most = quantity.most.min(MOST_PRINTED / digits as usize);
    if places.len() > most {
        return Err(Error::Usage(format!(
            "--quantity {} is computed for at most {most} values of {digits} digits at once, got {}: take a larger step, or fewer digits",
            quantity.name,
            places.len()
        )));
    }
    // All before any is printed.
    let rows: Result<Vec<Row>, Error> = places
        .par_iter()
        .map(|place| {
            let stated = [
                ("at", &place.at),
                ("shift", &place.shift),
                ("epsilon", &place.epsilon),
                ("delta", &place.delta),
            ];
            let stated = stated.into_iter();
            Ok(Row {
                label: quantity.label(place),
                place: stated
                    .filter_map(|(name, value)| Some((name, value.clone()?)))
                    .collect(),
                value: Value::of(quantity, &given, place, digits)?,
            })
        })
        .collect();
    let values = Values {
        written: given.written(&subject),
        subject: &subject,
        quantity,
        digits,
        is_range,
        rows: rows?,
    };
    match arguments.format {
        Format::Json => output::print_json(&values.json())?,
        Format::Table => screen::print(&values.table())?,
        Format::Csv => output::print(&values.csv()?)?,
    }
    Ok(Outcome::AsExpected)
}

impl Values<'_> {
    /// The arithmetics that computed all of the values.
    fn arithmetics(&self) -> Vec<&'static str> {
        let mut spoke = vec!["num-bigint"];
        if self.rows.iter().all(|row| row.value.is_witnessed) {
            spoke.push("MPFR");
        }
        spoke
    }

    fn table(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            text.push_str(&format!("{}: {}\n", self.written, row.label));
            let value = &row.value;
            if let Some(exact) = &value.exact {
                text.push_str(&format!("exactly {exact}\n"));
            }
            match (&value.lo, value.worth) {
                (Some(lo), _) => text.push_str(&format!("lo {lo}\nhi {}\n", value.hi)),
                (None, _) => text.push_str(&format!("at most {}\n", value.hi)),
            }
            if let Some(limit) = &value.limit {
                text.push_str(&format!("{limit}\n"));
            }
        }
        let agree = match self.arithmetics()[..] {
            [one] => format!("by {one}"),
            ref several => format!("by {}, agreeing", several.join(" and ")),
        };
        text.push_str(&format!(
            "{}\nmethod: {}; {agree}\n",
            self.quantity.meaning, self.quantity.method
        ));
        text
    }

    fn json(&self) -> serde_json::Value {
        let all = json!({
            "law": self.written,
            "quantity": self.quantity.name,
            "definition": self.subject.definition,
            "meaning": self.quantity.meaning,
            "method": self.quantity.method,
            "arithmetics": self.arithmetics(),
            "digits": self.digits,
        });
        let mut all = match all {
            serde_json::Value::Object(all) => all,
            _ => Map::new(),
        };
        match (&self.rows[..], self.is_range) {
            ([row], false) => all.extend(row.json()),
            _ => {
                let rows = self.rows.iter().map(|row| row.json().into());
                all.insert(
                    "values".to_owned(),
                    serde_json::Value::Array(rows.collect()),
                );
            }
        }
        all.into()
    }

    fn csv(&self) -> Result<String, Error> {
        let wrong = |error: csv::Error| Error::Print(std::io::Error::other(error));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let places = self.quantity.takes.iter();
        let places = places.map(|takes| takes.option().trim_start_matches("--"));
        let header = ["law", "quantity"].into_iter().chain(places);
        let header = header.chain(["digits", "kind", "exact", "lo", "hi"]);
        writer.write_record(header).map_err(wrong)?;
        for row in &self.rows {
            let mut fields = vec![self.written.clone(), self.quantity.name.to_owned()];
            for takes in self.quantity.takes {
                let name = takes.option().trim_start_matches("--");
                let found = row.place.iter().find(|(known, _)| *known == name);
                fields.push(found.map_or(String::new(), |(_, value)| value.to_string()));
            }
            fields.push(self.digits.to_string());
            fields.push(row.value.worth.words().to_owned());
            let exact = row.value.exact.as_ref();
            fields.push(exact.map_or(String::new(), Rational::to_string));
            fields.push(row.value.lo.clone().unwrap_or_default());
            fields.push(row.value.hi.clone());
            writer.write_record(fields).map_err(wrong)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Error::Print(std::io::Error::other(error.to_string())))?;
        String::from_utf8(bytes).map_err(|error| Error::Print(std::io::Error::other(error)))
    }
}

impl Row {
    fn json(&self) -> Map<String, serde_json::Value> {
        let mut fields = Map::new();
        fields.insert("label".to_owned(), self.label.clone().into());
        for (name, value) in &self.place {
            fields.insert((*name).to_owned(), value.to_string().into());
        }
        let kind = self.value.worth.words();
        fields.insert("kind".to_owned(), kind.into());
        if let Some(exact) = &self.value.exact {
            fields.insert("exact".to_owned(), exact.to_string().into());
        }
        // Of a bound nothing is known from below.
        let is_bound = self.value.worth == Worth::UpperBound;
        let lo = self.value.lo.clone().filter(|_| !is_bound);
        fields.insert("lo".to_owned(), lo.into());
        fields.insert("hi".to_owned(), self.value.hi.clone().into());
        if let Some(limit) = &self.value.limit {
            fields.insert("limit".to_owned(), limit.clone().into());
        }
        fields
    }
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
