//! Records in the LIBSVM format, `LABEL INDEX:VALUE INDEX:VALUE ...`: features by number, most of them 0 and left out.
//!
//! Indices start at 1 and ascend strictly. Fields are separated by spaces; `#` starts a comment, up to the end of the line;
//! blank lines are no records. All features have the same public interval `[-B, B]`, so that 0 stays 0. A record is divided
//! by B, and shortened into the unit ball if it is longer than 1, whatever the other records are: no more can be done where
//! there may be millions of features, and each may be as large as B.
//!
//! With `--clip` no record is refused for its values. One that is not of the format is refused, as in a CSV file; no message
//! shows an index or a value.

use super::input::Input;
use super::labels::{LabelValues, without_plus};
use super::lines::{LONGEST, no_more, read_line};
use super::scale::NOT_A_NUMBER;
use super::{
    Column, Columns, Count, DeclaredBox, DeclaredClasses, Edit, Form, Label, Numbered, Options,
    Placed, Placement, Row, Scale, Shape, Table,
};
use crate::error::Error;
use dp_assay::geometry::{Domain, Point};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, shortly};
use num_traits::{Signed, Zero};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Reads records one at a time, into one buffer.
#[derive(Debug)]
pub struct NumberedRecords<R = Input> {
    path: PathBuf,
    input: R,
    // The number of lines read so far.
    lines: u64,
    // What is still to be edited.
    edit: Option<Edit>,
    // The record read last, without its comment.
    raw: Vec<u8>,
}

impl NumberedRecords {
    /// Opens a file. Options of CSV files are refused.
    pub fn open(path: &Path, form: &Form) -> Result<Self, Error> {
        form.refuse()?;
        Ok(Self::new(path, Input::open(path)?))
    }
}

impl<R: BufRead> NumberedRecords<R> {
    /// Reads from `input`; `path` is its name in errors.
    pub fn new(path: &Path, input: R) -> Self {
        Self {
            path: path.to_owned(),
            input,
            lines: 0,
            edit: None,
            raw: Vec::new(),
        }
    }

    /// Reads the next record, and returns its line; `None` at the end.
    pub fn advance(&mut self) -> Result<Option<u64>, Error> {
        loop {
            let Some(line) = self.read_line()? else {
                return no_more(&self.path, self.edit.as_ref());
            };
            let Some(edit) = self.edit.take_if(|edit| edit.line == line) else {
                return Ok(Some(line));
            };
            let Some(record) = edit.record else {
                continue;
            };
            self.raw = record.into_bytes();
            self.strip_comment();
            if self.raw.trim_ascii().is_empty() {
                return Err(self.wrong(line, "the record given in its place is empty"));
            }
            return Ok(Some(line));
        }
    }

    /// Reads the next line that is not blank into `raw`.
    fn read_line(&mut self) -> Result<Option<u64>, Error> {
        loop {
            self.raw.clear();
            let from = (&*self.path, &mut self.lines);
            if read_line(&mut self.input, from, &mut self.raw)? == 0 {
                return Ok(None);
            }
            if self.raw.len() > LONGEST {
                let reason = format!("longer than {LONGEST} bytes: a line break is missing");
                return Err(self.wrong(self.lines, reason));
            }
            self.strip_comment();
            if !self.raw.trim_ascii().is_empty() {
                return Ok(Some(self.lines));
            }
        }
    }

    fn strip_comment(&mut self) {
        if let Some(place) = self.raw.iter().position(|&byte| byte == b'#') {
            self.raw.truncate(place);
        }
    }

    /// The fields of the record read last: its label, if it has one, and the entries after it.
    fn fields(&self) -> (Option<&[u8]>, impl Iterator<Item = &[u8]>) {
        let mut fields = self
            .raw
            .split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty())
            .peekable();
        let label = fields.next_if(|field| !field.contains(&b':'));
        (label, fields)
    }

    /// The label of the record read last.
    fn label(&self, line: u64) -> Result<&[u8], Error> {
        self.fields().0.ok_or_else(|| {
            self.wrong(
                line,
                "the label is missing: a record is LABEL INDEX:VALUE INDEX:VALUE ...",
            )
        })
    }

    /// An error in the record on `line`.
    fn wrong(&self, line: u64, reason: impl Into<String>) -> Error {
        Error::Record {
            path: self.path.clone(),
            line,
            reason: reason.into(),
        }
    }
}

impl Placement {
    /// The point of the record of numbered features read last, and whether it was clipped or shortened. Its label is not
    /// looked at, and may be missing.
    pub fn point<R: BufRead>(
        &self,
        records: &NumberedRecords<R>,
        line: u64,
    ) -> Result<(Point, bool), Error> {
        let Some(numbered) = &self.columns.numbered else {
            return Err(Error::Usage(
                "these columns have names, not numbers: a CSV file is needed".to_owned(),
            ));
        };
        let (label, entries) = records.fields();
        // All of a record of CSV would be a label, and its features 0.
        if label.is_some_and(|label| label.iter().any(|byte| b",;|".contains(byte))) {
            return Err(records.wrong(line, NO_RECORD));
        }
        let (mut coordinates, mut clipped, mut last) = (Vec::new(), false, 0);
        for (place, entry) in (1..).zip(entries) {
            let wrong = |reason: &str| records.wrong(line, format!("entry {place}: {reason}"));
            let colon = entry.iter().position(|&byte| byte == b':');
            let (index, value) = entry.split_at(colon.unwrap_or(entry.len()));
            let value = value.get(1..).ok_or_else(|| wrong(NO_ENTRY))?;
            let index = index_of(index).ok_or_else(|| wrong(NO_ENTRY))?;
            if index == 0 {
                return Err(wrong("its index is 0, and indices start at 1"));
            }
            if index > u64::from(numbered.count) {
                let reason = format!(
                    "its index is above {}, that of the last feature",
                    numbered.count
                );
                return Err(wrong(&reason));
            }
            if index <= last {
                return Err(wrong(
                    "its index is not above the one before it: indices must ascend",
                ));
            }
            last = index;
            let (steps, beyond) = placed(&numbered.scale, value, self.largest, self.clip)
                .map_err(|reason| wrong(&reason))?;
            clipped |= beyond;
            // Below 2^24.
            coordinates.push((index as u32 - 1, steps));
        }
        // The ball that leaves room for the constant coordinate, if there is one.
        let domain = Domain::new(
            self.grid(),
            self.columns.dimension(),
            self.largest.unsigned_abs(),
        )?;
        let square = |v: i64| i128::from(v).pow(2);
        let norm: i128 = coordinates.iter().map(|(_, v)| square(*v)).sum();
        clipped |= norm > square(self.largest);
        let point = domain.clipped(&coordinates)?;
        if !self.columns.intercept {
            return Ok((point, clipped));
        }
        let mut all = point.coordinates().to_vec();
        // At most 2^30.
        all.push((numbered.count, self.largest as i32));
        Ok((Point::new(all)?, clipped))
    }
}

/// What a line is told that looks like one of a CSV file.
const NO_RECORD: &str = "it must be LABEL INDEX:VALUE INDEX:VALUE ..., with spaces between: this looks like a record of a CSV file";

/// What a field after the label is told that is not one.
const NO_ENTRY: &str = "it must be INDEX:VALUE, where INDEX is a whole number without a sign";

/// A number of an interval, on integers from `-largest` to `largest`, and whether it was clipped.
fn placed(scale: &Scale, text: &[u8], largest: i64, clip: bool) -> Result<(i64, bool), String> {
    match scale.place(text, largest) {
        None => Err(format!("its value {NOT_A_NUMBER}")),
        Some(Placed::Inside(steps)) => Ok((steps, false)),
        Some(Placed::Below) if clip => Ok((-largest, true)),
        Some(Placed::Above) if clip => Ok((largest, true)),
        Some(Placed::Below | Placed::Above) => Err(format!(
            "its value is outside the public interval {}:{} (--clip clips onto it)",
            shortly(scale.lo()),
            shortly(scale.hi())
        )),
    }
}

/// A whole number of at most 18 digits.
fn index_of(text: &[u8]) -> Option<u64> {
    let fits = (1..=18).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let digit = |sum: u64, byte: &u8| sum * 10 + u64::from(byte - b'0');
    fits.then(|| text.iter().fold(0, digit))
}

/// A file in the LIBSVM format before a record is read: everything here is public.
#[derive(Debug)]
pub struct OpenedNumbered<'a> {
    options: &'a Options,
    records: NumberedRecords,
    /// How records are placed.
    pub placement: Placement,
}

impl Options {
    /// Opens a file of so many numbered features.
    pub fn open_numbered(
        &self,
        path: &Path,
        count: u32,
        grid_bits: u32,
        intercept: bool,
    ) -> Result<OpenedNumbered<'_>, Error> {
        let scale = self.numbered_scale()?;
        let columns = Columns {
            numeric: Vec::new(),
            categories: Vec::new(),
            intercept,
            shape: Shape::Ball,
            grid_bits,
            numbered: Some(Numbered { count, scale }),
            missing: None,
        };
        Ok(OpenedNumbered {
            options: self,
            records: NumberedRecords::open(path, &self.form)?,
            placement: Placement::new(columns, self.clip)?,
        })
    }

    /// The interval of all features. Options of columns that have names are refused.
    fn numbered_scale(&self) -> Result<Scale, Error> {
        let named = [
            ("--label", self.label.is_some()),
            ("--drop", !self.drop.is_empty()),
            ("--category", !self.categories.is_empty()),
            ("--columns", self.columns.is_some()),
            ("--missing", !self.missing.is_empty()),
            ("--missing-mark", !self.missing_marks.is_empty()),
        ];
        if let Some((option, _)) = named.iter().find(|(_, given)| *given) {
            return Err(Error::Usage(format!(
                "{option} names a column, and with --libsvm features have numbers: the label comes first in a record"
            )));
        }
        let one = integer(1);
        let wrong = |given: &str| {
            Err(Error::Usage(format!(
                "--box {given}: with --libsvm it must be one interval -B:B for all features, such as -1:1, so that 0 stays 0"
            )))
        };
        match &self.boxes[..] {
            [] => Scale::new(-one.clone(), one).map_or_else(|| wrong("-1:1"), Ok),
            [DeclaredBox { name: None, scale }] => {
                let sum: Rational = scale.lo() + scale.hi();
                if sum.is_zero() && scale.hi().is_positive() {
                    Ok(scale.clone())
                } else {
                    wrong(&format!("{}:{}", shortly(scale.lo()), shortly(scale.hi())))
                }
            }
            [
                DeclaredBox {
                    name: Some(name), ..
                },
            ] => wrong(&format!("{name}=LO:HI")),
            _ => wrong("LO:HI is given twice"),
        }
    }
}

impl OpenedNumbered<'_> {
    /// The same, with one record as if it were another, if that is asked for.
    #[must_use]
    pub fn perhaps_edited(mut self, edit: Option<&Edit>) -> Self {
        self.records.edit = edit.cloned();
        self
    }

    /// The points of all records, whose labels are not looked at; of more than so many one more.
    pub fn points(mut self, most: usize) -> Result<Vec<Point>, Error> {
        let mut points = Vec::new();
        while let Some(line) = self.records.advance()? {
            let (point, _) = self.placement.point(&self.records, line)?;
            points.push(point);
            if points.len() > most {
                break;
            }
        }
        Ok(points)
    }

    /// Reads records of two classes.
    pub fn classes(self, declared: &DeclaredClasses) -> Result<Table<Point>, Error> {
        let declared = declared.checked()?.without_plus();
        let (positive, negative) = declared.values();
        if positive.is_some() && positive == negative {
            return Err(Error::Usage(
                "--positive and --negative must differ, and +1 is 1".to_owned(),
            ));
        }
        let classes_found = !declared.are_both_given();
        let mut found = LabelValues::new(declared);
        let path = self.records.path.clone();
        let (mut rows, clipped, rest) = self.read(|records, line| {
            let wrong = |reason: &str| records.wrong(line, reason);
            let label = without_plus(records.label(line)?);
            Ok((found.index(label, wrong)?, false))
        })?;
        let classes = found.decide(&path, "the label", &mut rows)?;
        rest.table(rows, Label::Classes(classes), (clipped, classes_found))
    }

    /// Reads records whose label is a number in this public interval.
    pub fn numbers(self, interval: &DeclaredBox) -> Result<Table<Point>, Error> {
        if let Some(name) = &interval.name {
            return Err(Error::Usage(format!(
                "--label-box {name}=LO:HI must be LO:HI, without a name: with --libsvm the label comes first in a record"
            )));
        }
        let column = Column {
            name: "label".to_owned(),
            scale: interval.scale.clone(),
        };
        let (one, clip) = (self.placement.grid().one(), self.options.clip);
        let (rows, clipped, rest) = self.read(|records, line| {
            let label = records.label(line)?;
            placed(&column.scale, label, one, clip)
                .map_err(|reason| records.wrong(line, format!("the label: {reason}")))
        })?;
        rest.table(rows, Label::Interval(column), (clipped, false))
    }

    /// Reads all records, and how many were clipped; `label` gives each its label, and whether that was clipped.
    fn read(
        mut self,
        mut label: impl FnMut(&NumberedRecords, u64) -> Result<(i64, bool), Error>,
    ) -> Result<(Vec<Row<Point>>, u64, Self), Error> {
        let (mut rows, mut clipped) = (Vec::new(), 0);
        while let Some(line) = self.records.advance()? {
            let (features, beyond) = self.placement.point(&self.records, line)?;
            let (label, label_beyond) = label(&self.records, line)?;
            clipped += u64::from(beyond || label_beyond);
            rows.push(Row { features, label });
        }
        Ok((rows, clipped, self))
    }

    fn table(
        self,
        rows: Vec<Row<Point>>,
        label: Label,
        (clipped, classes_found): (u64, bool),
    ) -> Result<Table<Point>, Error> {
        let path = &self.records.path;
        let [training, held_out] = self.options.split(rows, Count::Public, path)?;
        Ok(Table {
            placement: self.placement,
            label,
            classes_found,
            training,
            held_out,
            neighbours: "substitution of one record; n public".to_owned(),
            count: Count::Public,
            clipped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        classes: DeclaredClasses,
        #[arg(long)]
        intercept: bool,
        #[command(flatten)]
        options: Options,
    }

    /// Reads records of 9 features on the grid of quarters.
    fn opened<T>(
        text: &str,
        words: &[&str],
        read: impl FnOnce(&Line, OpenedNumbered) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("d.svm");
        std::fs::write(&path, text).unwrap();
        let line = Line::try_parse_from(["line"].iter().chain(words)).unwrap();
        let opened = line.options.open_numbered(&path, 9, 2, line.intercept)?;
        read(&line, opened)
    }

    fn classes(text: &str, words: &[&str]) -> Result<Table<Point>, Error> {
        opened(text, words, |line, opened| opened.classes(&line.classes))
    }

    fn points(text: &str, words: &[&str]) -> Vec<Vec<(u32, i32)>> {
        let points = opened(text, words, |_, opened| opened.points(100)).unwrap();
        points.iter().map(|p| p.coordinates().to_vec()).collect()
    }

    #[test]
    fn records_become_points_and_two_ways_of_one_are_one_label() {
        let text = "\u{feff}# a comment\n+1 1:0.5 9:-0.75 # more\r\n\n-1 3:1e0\n1\n -1\t2:0 4:.5\n";
        let table = classes(text, &[]).unwrap();
        let row = |coordinates: &[(u32, i32)], label| Row {
            features: Point::new(coordinates.to_vec()).unwrap(),
            label,
        };
        let expected = [
            row(&[(0, 2), (8, -3)], 1),
            row(&[(2, 4)], -1),
            row(&[], 1),
            row(&[(3, 2)], -1),
        ];
        assert_eq!(table.training, expected);
        assert_eq!((table.clipped, table.classes_found), (0, true));
        let names = |words: &[&str]| match classes(text, words).unwrap().label {
            Label::Classes(classes) => (classes.positive, classes.negative),
            Label::Interval(_) => panic!("an interval"),
        };
        assert_eq!(names(&[]), ("1".to_owned(), "-1".to_owned()));
        let turned = ["--positive=-1", "--negative", "+1"];
        assert_eq!(names(&turned), ("-1".to_owned(), "1".to_owned()));
    }

    #[test]
    fn long_records_are_shortened_into_the_ball_one_by_one() {
        // 4 steps are 1: (4, 4) has length 5.7.
        assert_eq!(
            points("1:1 2:1\n7:1\n", &[]),
            [vec![(0, 2), (1, 2)], vec![(6, 4)]]
        );
        assert_eq!(
            points("1 1:2 2:-1\n", &["--box", "-4:4"]),
            [vec![(0, 2), (1, -1)]]
        );
        assert_eq!(points("0 1:7 3:-9\n", &["--clip"]), [vec![(0, 2), (2, -2)]]);
        // With an intercept of 2 steps, and features in the ball of 2 steps: 2^2 + 2^2 <= 4^2.
        let with = |text| points(text, &["--intercept"]);
        assert_eq!(with("1 1:1\n"), [vec![(0, 2), (9, 2)]]);
        assert_eq!(with("1 1:1 2:1\n"), [vec![(0, 1), (1, 1), (9, 2)]]);
        let table = classes("1 1:1 2:1\n-1 1:1\n-1 1:3\n", &["--clip"]).unwrap();
        assert_eq!(table.clipped, 2);
    }

    #[test]
    fn what_is_not_of_the_format_is_refused_by_its_line_and_never_shown() {
        for (record, part) in [
            ("1:0.1", "the label is missing"),
            ("1 0:0.731", "entry 1: its index is 0"),
            (
                "1 2:0.731 2:0.1",
                "entry 2: its index is not above the one before",
            ),
            (
                "1 3:0.731 2:0.1",
                "entry 2: its index is not above the one before",
            ),
            ("1 10:0.731", "its index is above 9"),
            ("1 73100000000000000000:0.1", "INDEX is a whole number"),
            ("1 -1:0.731", "INDEX is a whole number"),
            ("1 qid:731", "INDEX is a whole number"),
            ("1 731", "INDEX:VALUE"),
            ("1 3:", "must be a finite number"),
            ("1 3:nan", "must be a finite number"),
            ("1 3:0.731:1", "must be a finite number"),
            ("1 3:73.1", "outside the public interval -1:1"),
            ("731 3:0.1", "a third"),
            ("0.731,0.5,1", "looks like a record of a CSV file"),
        ] {
            let text = format!("1 1:1\n-1\n\n{record}\n");
            let message = classes(&text, &[]).unwrap_err().to_string();
            assert!(message.contains("d.svm, line 4: "), "{message}");
            assert!(message.contains(part), "{record}: {message}");
            assert!(!message.contains("731"), "{message}");
        }
        for (text, part) in [
            ("", "two values"),
            ("1 1:1\n", "two values"),
            ("1\n+1.0\n", "two ways"),
        ] {
            let message = classes(text, &[]).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn options_of_named_columns_are_refused_by_name() {
        let text = "1 1:1\n-1\n";
        for (words, part) in [
            (&["--label", "y"][..], "--label names a column"),
            (&["--drop", "y"], "--drop names a column"),
            (&["--category", "c=a,b"], "--category names a column"),
            (&["--no-header"], "--no-header is for CSV files"),
            (&["--separator", ";"], "--separator is for CSV files"),
            (
                &["--box", "0:1"],
                "--box 0:1: with --libsvm it must be one interval -B:B",
            ),
            (&["--box", "a=-1:1"], "--box a=LO:HI: with --libsvm"),
            (&["--box", "-1:1", "--box", "-2:2"], "is given twice"),
            (&["--positive", "1", "--negative", "+1"], "+1 is 1"),
        ] {
            let message = classes(text, words).unwrap_err().to_string();
            assert!(message.contains(part), "{words:?}: {message}");
        }
    }

    #[test]
    fn labels_that_are_numbers_are_placed_in_their_interval() {
        let numbers = |text: &str, words: &[&str]| {
            let interval = super::super::declared_box("0:10").unwrap();
            opened(text, words, |_, opened| opened.numbers(&interval))
        };
        let table = numbers("10 1:1\n0\n7.5 2:1\n", &[]).unwrap();
        let labels: Vec<i64> = table.training.iter().map(|row| row.label).collect();
        assert_eq!(labels, [4, -4, 2]);
        let message = numbers("10 1:1\n731\n", &[]).unwrap_err().to_string();
        assert!(
            message.contains("line 2: the label: its value is outside the public interval 0:10")
        );
        assert!(numbers("10 1:1\n731\n", &["--clip"]).is_ok());
        assert!(numbers("10 1:1\n", &[]).is_err());
    }

    #[test]
    fn one_record_is_read_as_another() {
        let edited = |line, record: Option<&str>| {
            let record = record.map(str::to_owned);
            opened("1 1:1\n# no record\n-1\n1 2:1\n", &[], |_, opened| {
                opened
                    .perhaps_edited(Some(&Edit { line, record }))
                    .points(9)
            })
        };
        assert_eq!(
            edited(3, Some("-1 5:1 # new")).unwrap()[1],
            Point::new(vec![(4, 4)]).unwrap()
        );
        assert_eq!(edited(4, None).unwrap().len(), 2);
        for (line, record) in [(2, None), (5, None), (1, Some("")), (1, Some("1 x"))] {
            assert!(edited(line, record).is_err(), "{line}");
        }
    }
}
