//! Queries: lines of standard input.

use crate::error::Error;
use crate::papers::kernels::learn::point;
use crate::table::{Form, Placement, Records};
use dp_assay::geometry::Point;
use std::io::{BufRead, Read};
use std::path::Path;

/// What lines come from, in errors.
const INPUT: &str = "standard input";

/// A longer line is refused, and ends the session.
const LONGEST: usize = 1 << 26;

/// Reads queries, one a line.
pub struct Queries {
    placement: Placement,
    // The names of the columns as a line: those of the data, or those that the first line has.
    header: Vec<u8>,
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
    pub fn new(placement: Placement, features: Vec<String>, form: Form) -> Self {
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
            may_have_names: !form.no_header,
            form: Form {
                separator: Some(separator as u8),
                no_header: false,
                numeric_names: true,
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
            let read = input
                .by_ref()
                .take(LONGEST as u64 + 1)
                .read_until(b'\n', &mut text)
                .map_err(|source| Error::read(path, source))?;
            if read == 0 {
                return Ok(None);
            }
            self.lines += 1;
            if text.len() > LONGEST {
                return Err(Error::Record {
                    path: path.to_owned(),
                    line: self.lines,
                    reason: format!("longer than {LONGEST} bytes"),
                });
            }
            if self.lines == 1 && text.starts_with(b"\xef\xbb\xbf") {
                text.drain(..3);
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

    /// The query on a line; `None` where it has the names of the columns.
    pub fn query(&mut self, line: Line) -> Result<Option<Query>, Error> {
        if std::mem::take(&mut self.may_have_names) && self.has_names(&line.text) {
            self.header = line.text;
            return Ok(None);
        }
        let text = [&self.header, &line.text[..]].join(&b'\n');
        let mut records = Records::new(Path::new(INPUT), text.as_slice(), &self.form)?;
        let places = self.placement.find(&records)?;
        // It is the second line of this text.
        let found = records.advance().map_err(|error| match error {
            Error::Record { path, reason, .. } => Error::Record {
                path,
                line: line.number,
                reason,
            },
            other => other,
        })?;
        if found.is_none() {
            return Err(Error::data(Path::new(INPUT), "a query is missing"));
        }
        let (features, clipped) = self.placement.place(&records, line.number, &places)?;
        Ok(Some(Query {
            point: point(&features)?,
            clipped,
        }))
    }

    /// Whether a line has the names of all columns.
    fn has_names(&self, line: &[u8]) -> bool {
        Records::new(Path::new(INPUT), line, &self.form)
            .is_ok_and(|records| self.placement.find(&records).is_ok())
    }
}
