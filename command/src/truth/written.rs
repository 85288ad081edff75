//! The answer to a question, as the command prints it.

use super::{Asked, Given, Quantity, Subject, Value, Worth, subject};
use crate::error::Error;
use crate::output;
use clap::ValueEnum;
use dp_assay::number::Rational;
use rayon::prelude::*;
use serde_json::{Map, json};

/// The most digits that are computed.
pub const MOST_DIGITS: u64 = 1_000;

/// Values times digits: so many digits are printed at most.
const MOST_PRINTED: usize = 10_000_000;

/// How values are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
    /// For spreadsheets: a header, then one value a line.
    Csv,
}

/// A question about one subject, and the format of the answer.
#[derive(Debug)]
pub struct Question<'a> {
    /// The subject's name and its parameters, `name=value` each.
    pub subject: &'a [&'a str],
    /// What is asked of it; without it the first that it has.
    pub quantity: Option<&'a str>,
    /// Where.
    pub asked: Asked,
    /// Significant digits, from 1 to [`MOST_DIGITS`].
    pub digits: u32,
    /// How the values are written.
    pub format: Format,
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

/// The answer to a question: all of its values, or none.
///
/// # Errors
/// A subject or a quantity that there is not, parameters or places that are wrong, values that are out of reach.
pub fn answer(question: &Question) -> Result<String, Error> {
    let (name, parameters) = question.subject.split_first().ok_or_else(|| {
        Error::Usage("a subject is needed: 'assay truth --list' has all".to_owned())
    })?;
    let subject = subject(name)?;
    let given = Given::read(&subject, parameters)?;
    let digits = question.digits;
    let quantity = subject.quantity(question.quantity)?;
    let (places, is_range) = question.asked.places(quantity)?;
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
    match question.format {
        Format::Json => output::json(&values.json()),
        Format::Table => Ok(values.table()),
        Format::Csv => values.csv(),
    }
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
