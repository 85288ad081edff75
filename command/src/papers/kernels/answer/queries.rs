//! Queries: lines of standard input.

use crate::error::Error;
use crate::output;
use crate::papers::kernels::learn::point;
use crate::table::{Form, LONGEST, Placement, Records, read_line};
use dp_assay::geometry::Point;
use dp_assay::number::{rational, shortened};
use std::collections::HashSet;
use std::io::BufRead;
use std::path::Path;

/// What lines come from, in errors.
const INPUT: &str = "standard input";

/// Reads queries, one a line.
pub struct Queries {
    placement: Placement,
    // The names of the columns as a line: those of the data, or those that the first line has; and how many they are.
    header: Vec<u8>,
    count: usize,
    form: Form,
    // Whether the first line may have names.
    may_have_names: bool,
    lines: u64,
}

/// A line of the input.
#[derive(Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    text: Vec<u8>,
}

/// What a line is.
#[derive(Debug)]
pub enum Found {
    /// The names of the columns.
    Names,
    /// A query.
    Query(Query),
    /// Neither, and why. Queries are public, so that this shows their values.
    Refused(String),
}

/// A query.
#[derive(Debug)]
pub struct Query {
    /// Its point.
    pub point: Point,
    /// Whether it was clipped onto the intervals of the columns.
    pub clipped: bool,
}

impl Queries {
    /// Queries of these columns, in the order of the data's file, in its form.
    pub fn new(placement: Placement, features: &[String], form: &Form) -> Self {
        let separator = char::from(form.separator.unwrap_or(b','));
        let quoted = |name: &String| {
            if name.contains([separator, '"', '\n']) {
                format!("\"{}\"", name.replace('"', "\"\""))
            } else {
                name.clone()
            }
        };
        let names: Vec<String> = features.iter().map(quoted).collect();
        Self {
            placement,
            header: names.join(&separator.to_string()).into_bytes(),
            count: names.len(),
            may_have_names: !form.no_header,
            form: Form {
                separator: Some(separator as u8),
                no_header: false,
                numeric_names: true,
                skip_lines: 0,
                comment: None,
                decimal_comma: form.decimal_comma,
            },
            lines: 0,
        }
    }

    /// The columns of a query, as a line where that is short.
    pub fn columns(&self) -> String {
        match self.header.len() {
            0..=200 => String::from_utf8_lossy(&self.header).into_owned(),
            _ => "the columns of the data without the label".to_owned(),
        }
    }

    /// The next line that is not blank; `None` at the end of the input.
    pub fn next_line(&mut self, input: &mut impl BufRead) -> Result<Option<Line>, Error> {
        let path = Path::new(INPUT);
        loop {
            let mut text = Vec::new();
            if read_line(input, (path, &mut self.lines), &mut text)? == 0 {
                return Ok(None);
            }
            if text.len() > LONGEST {
                return Err(Error::Record {
                    path: path.to_owned(),
                    line: self.lines,
                    reason: format!("longer than {LONGEST} bytes"),
                });
            }
            while matches!(text.last(), Some(b'\n' | b'\r')) {
                text.pop();
            }
            if !text.trim_ascii().is_empty() {
                let number = self.lines;
                return Ok(Some(Line { number, text }));
            }
        }
    }

    /// What a line is. An error if it is the first one, and has names that are not those of the columns: later lines would be
    /// read in another order than they are meant in.
    pub fn read(&mut self, line: Line) -> Result<Found, Error> {
        let is_first = std::mem::take(&mut self.may_have_names);
        let fields = match self.fields(&line.text) {
            Ok(fields) => fields,
            Err(error) => return Ok(Found::Refused(reason(error))),
        };
        if is_first && self.has_names(&line.text) {
            output::note(&format!(
                "line {} is read as the names of the columns",
                line.number
            ));
            self.header = line.text;
            self.count = fields.len();
            return Ok(Found::Names);
        }
        if is_first && self.looks_like_names(&fields) {
            return Err(Error::Usage(format!(
                "line {} looks like names: {}; no query was read",
                line.number,
                self.wrong_names(&fields)
            )));
        }
        if fields.len() != self.count {
            let many = |count| match count {
                1 => "1 field".to_owned(),
                _ => format!("{count} fields"),
            };
            return Ok(Found::Refused(format!(
                "it has {}, where a query has {}; what separates them is {:?}",
                many(fields.len()),
                many(self.count),
                char::from(self.form.separator.unwrap_or(b','))
            )));
        }
        self.place(&line)
    }

    /// The query on a line.
    fn place(&self, line: &Line) -> Result<Found, Error> {
        let text = [&self.header, &line.text[..]].join(&b'\n');
        let mut records = Records::new(Path::new(INPUT), text.as_slice(), &self.form)?;
        let places = self.placement.find(&records)?;
        // It is the second line of this text.
        if let Err(error) = records.advance() {
            return Ok(Found::Refused(reason(error)));
        }
        match self.placement.place(&records, line.number, &places) {
            Ok((features, clipped)) => Ok(Found::Query(Query {
                point: point(&features)?,
                clipped,
            })),
            Err(Error::Field { column, reason, .. }) => {
                let field = records.column(&column).map(|place| records.field(place));
                let value = String::from_utf8_lossy(field.unwrap_or_default());
                let value = shortened(&value);
                Ok(Found::Refused(format!(
                    "column '{column}' is '{value}': {reason}"
                )))
            }
            Err(error) => Ok(Found::Refused(reason(error))),
        }
    }

    /// The fields of a line.
    fn fields(&self, line: &[u8]) -> Result<Vec<String>, Error> {
        let form = Form {
            no_header: true,
            ..self.form.clone()
        };
        let mut records = Records::new(Path::new(INPUT), line, &form)?;
        records.advance()?;
        let field = |place| String::from_utf8_lossy(records.field(place)).into_owned();
        Ok((0..records.header().len()).map(field).collect())
    }

    /// Whether a line has the names of all columns.
    fn has_names(&self, line: &[u8]) -> bool {
        Records::new(Path::new(INPUT), line, &self.form)
            .is_ok_and(|records| self.placement.find(&records).is_ok())
    }

    /// Whether some field is the name of a column, in capitals or not, which no query can have: it is neither a number nor a
    /// value of a category.
    fn looks_like_names(&self, fields: &[String]) -> bool {
        let columns = self.placement.columns();
        let is_value = |name: &String| {
            let mut values = columns.categories.iter().flat_map(|column| &column.values);
            values.any(|value| value == name)
        };
        let is_number = |name: &str| rational::parse(name).is_ok() || name.parse::<f64>().is_ok();
        fields.iter().any(|field| {
            !is_value(field)
                && !is_number(field)
                && columns.names().any(|name| name.eq_ignore_ascii_case(field))
        })
    }

    /// What is wrong with names.
    fn wrong_names(&self, fields: &[String]) -> String {
        let names: Vec<&String> = self.placement.columns().names().collect();
        let missing: Vec<&String> = names
            .iter()
            .copied()
            .filter(|name| !fields.contains(name))
            .collect();
        let mut wrong = Vec::new();
        if !missing.is_empty() {
            let others: Vec<&String> = fields
                .iter()
                .filter(|field| !names.contains(field))
                .collect();
            match others.len() {
                0 => {}
                1 => wrong.push(format!("{} is no column of the data", listed(&others))),
                _ => wrong.push(format!("{} are no columns of the data", listed(&others))),
            }
            let is = if missing.len() == 1 { "is" } else { "are" };
            wrong.push(format!("{} {is} missing", listed(&missing)));
        }
        let mut seen = HashSet::new();
        if let Some(field) = fields.iter().find(|field| !seen.insert(*field)) {
            wrong.push(format!("'{}' is there twice", shortened(field)));
        }
        if wrong.is_empty() {
            wrong.push("a name is empty, or no text".to_owned());
        }
        wrong.join("; ")
    }
}

/// The first names of a list, and how many more there are.
fn listed(names: &[&String]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST);
    let first: Vec<String> = first.map(|name| format!("'{}'", shortened(name))).collect();
    match names.len().saturating_sub(MOST) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// An error without its place: who reads it is told the line.
fn reason(error: Error) -> String {
    match error {
        Error::Record { reason, .. } | Error::Data { reason, .. } => reason,
        other => other.to_string(),
    }
}
