//! Tables: records from CSV files, or in the LIBSVM format, placed on the public grid.
//!
//! - [`lines`]: records of a file, with the line on which each starts;
//! - [`scale`]: decimal text to integers, exactly;
//! - [`input`]: what a file is by its first bytes, and its text;
//! - [`columns`]: the public columns, and the coordinates of a record;
//! - [`schema`]: what is public of each column, from a file;
//! - [`missing`]: what is made of missing values;
//! - [`numbered`]: features that have numbers, not names;
//! - [`libsvm`]: records of numbered features, most of them 0;
//! - [`labels`]: two classes, or a number in an interval;
//! - [`split`]: which records are held out.
//!
//! What is public: the names of the columns, the interval of each numeric one, the values of each categorical one, the
//! two classes or the interval of the label, the grid, and the number of records or a cap on it. The records are private, so no message shows a value
//! of the data. That a file is *refused* depends on the data all the
//! same: refusals are for those who hold the data, and no model comes with one. With `--clip`, `--positive` and
//! `--negative`, well-formed records are never refused for what they contain.

mod columns;
mod input;
mod labels;
mod libsvm;
mod lines;
mod missing;
mod numbered;
mod scale;
mod schema;
mod split;

pub use columns::{Category, Column, Columns, Placement, Shape};
pub use labels::{Classes, DeclaredClasses, Label};
pub use libsvm::NumberedRecords;
pub use lines::{Edit, Form, LONGEST, Records, read_line};
pub use numbered::{MOST_FEATURES, Numbered};
pub use scale::{Placed, Scale};
pub use schema::skeleton;
pub use split::permutation;

use crate::error::Error;
use crate::options::{Range, number, whole};
use crate::output;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::rational::shortly;
use labels::{DROPPED, LabelValues};
use lines::listed;
use missing::{DeclaredRule, Missing, Rule, declared_rule};
use num_traits::Zero;
use split::hold_out;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How data files are read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data")]
#[group(skip)]
pub struct Options {
    /// The form of the files
    #[command(flatten)]
    form: Form,
    /// The column with the label, in a single file
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// A column to leave out; may be repeated, for other columns
    #[arg(long, value_name = "COLUMN")]
    drop: Vec<String>,
    /// The public interval of all numeric columns, LO:HI, or of one, NAME=LO:HI; may be repeated
    #[arg(long = "box", value_name = "[NAME=]LO:HI", value_parser = declared_box, allow_hyphen_values = true)]
    boxes: Vec<DeclaredBox>,
    /// A column of names, and the public names that may occur; may be repeated
    #[arg(long = "category", value_name = "COLUMN=A,B,...", value_parser = declared_category)]
    categories: Vec<Category>,
    /// What is public of each column, in a TOML file as assay columns prints it: instead of --box, --category, --drop and
    /// --label for single columns, and beside them
    #[arg(long, value_name = "FILE")]
    columns: Option<PathBuf>,
    /// What is made of a missing value, of all columns or of one: drop has the zero record instead of its record, zero the
    /// middle of the interval or no name, fill:X reads X. It is missing if it is empty, NA, N/A, NaN, null or ?. May be
    /// repeated, for other columns. The rule looks at one record alone, so that privacy is the same; where the number of
    /// records is private, a dropped one is left out
    #[arg(long, value_name = "[COLUMN=]RULE", value_parser = declared_rule)]
    missing: Vec<DeclaredRule>,
    /// Another mark of a missing value, besides the usual ones; may be repeated
    #[arg(long = "missing-mark", value_name = "TEXT", allow_hyphen_values = true)]
    missing_marks: Vec<String>,
    /// Clip numbers onto their intervals, and let unknown names be none, instead of refusing
    #[arg(long)]
    clip: bool,
    /// Hold out this fraction of the records, by their places, and tell the error on them with noise: it costs nothing beside
    /// the model, and stands in the model file. Otherwise none is held out. Not where records are added or removed
    #[arg(
        long, alias = "holdout", value_name = "FRACTION", value_parser = Range::Fraction.parser(), allow_hyphen_values = true
    )]
    held_out: Option<Rational>,
    /// The public seed that says which records are held out
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    split_seed: u64,
}

/// `LO:HI` or `NAME=LO:HI`.
#[derive(Debug, Clone)]
pub struct DeclaredBox {
    name: Option<String>,
    scale: Scale,
}

impl DeclaredBox {
    /// Its interval.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }
}

/// Reads `LO:HI` or `NAME=LO:HI`.
pub fn declared_box(text: &str) -> Result<DeclaredBox, String> {
    let (name, interval) = match text.rsplit_once('=') {
        Some((name, interval)) => (Some(name.trim().to_owned()), interval),
        None => (None, text),
    };
    let (lo, hi) = interval
        .split_once(':')
        .ok_or("it is not a box: write -1:1 or NAME=-1:1")?;
    let read = |name: &str, end: &str| number(end).map_err(|error| format!("{name}: {error}"));
    let scale = Scale::new(read("LO", lo)?, read("HI", hi)?).ok_or("it must have LO below HI")?;
    Ok(DeclaredBox { name, scale })
}

fn declared_category(text: &str) -> Result<Category, String> {
    let wrong = || "it is not a category: write COLUMN=A,B with different values".to_owned();
    let (name, values) = text.rsplit_once('=').ok_or_else(wrong)?;
    let category = Category {
        name: name.trim().to_owned(),
        values: values
            .split(',')
            .map(|value| value.trim().to_owned())
            .collect(),
    };
    category.check().map_err(|_| wrong())?;
    Ok(category)
}

/// A record on the grid.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row<F = Vec<i64>> {
    /// Its coordinates.
    pub features: F,
    /// What [`Label`] says: 1 or -1, or a number on the grid.
    pub label: i64,
}

/// What is public about the number of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Count {
    /// The number itself: neighbours differ in one record.
    #[default]
    Public,
    /// A cap on it: neighbours differ by one record that is added or removed.
    AtMost(usize),
}

/// Everything that was read.
#[derive(Debug)]
pub struct Table<F = Vec<i64>> {
    /// The public columns, and how records of them are placed.
    pub placement: Placement,
    /// What the labels mean.
    pub label: Label,
    /// Whether the two classes were found in the records, and not declared.
    pub classes_found: bool,
    /// The records to learn from.
    pub training: Vec<Row<F>>,
    /// The records to measure the error on.
    pub held_out: Vec<Row<F>>,
    /// How the neighbours are that the records are private between.
    pub neighbours: String,
    /// What is public about the number of records.
    pub count: Count,
    /// How many records were clipped: private.
    pub clipped: u64,
}

/// Data whose header was read, but no record yet: everything here is public. One file with a label column, or two files,
/// the positive class first.
#[derive(Debug)]
pub struct Opened<'a> {
    options: Options,
    records: Records,
    second: Option<&'a Path>,
    label: Option<usize>,
    // Whether a record without a label is dropped, and whether that may be asked for.
    drops_labels: bool,
    needs_labels: bool,
    places: Vec<usize>,
    /// The public columns, and how records of them are placed.
    pub placement: Placement,
}

impl Options {
    /// The form of the files.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Opens one file or two, and reads the header.
    pub fn open<'a>(
        &'a self,
        first: &Path,
        second: Option<&'a Path>,
        shape: Shape,
        grid_bits: u32,
        intercept: bool,
    ) -> Result<Opened<'a>, Error> {
        let records = Records::open(first, &self.form)?;
        let options = self.with_columns()?.with_names_of(&records);
        let label = options.label_column(&records, second.is_some())?;
        let numeric = options.numeric_columns(&records, label)?;
        let scales = scales(&numeric, &options.boxes)?;
        warn_of_unnamed(&records, &numeric);
        let missing = Missing::of(&options.missing, &options.missing_marks)?;
        let drops_labels = options.rule_of_the_label(&records, label, missing.as_ref())?;
        let numeric = numeric.into_iter().zip(scales);
        let columns = Columns {
            numeric: numeric
                .map(|(name, scale)| Column { name, scale })
                .collect(),
            categories: options.categories.clone(),
            intercept,
            shape,
            grid_bits,
            numbered: None,
            missing,
        };
        columns
            .check_rules()
            .map_err(|reason| Error::Usage(format!("--missing: {reason}")))?;
        let placement = Placement::new(columns, options.clip)?;
        Ok(Opened {
            places: placement.find(&records)?,
            options,
            records,
            second,
            label,
            drops_labels,
            needs_labels: false,
            placement,
        })
    }

    /// Whether missing values have rules.
    pub fn has_rules(&self) -> Result<bool, Error> {
        Ok(!self.with_columns()?.missing.is_empty())
    }

    /// The same with columns named as in the header, without the apostrophes that may be around a name there.
    fn with_names_of(mut self, records: &Records) -> Self {
        let name = |name: &str| match records.column(name) {
            Some(place) => records.header()[place].clone(),
            None => name.to_owned(),
        };
        let boxes = self
            .boxes
            .iter_mut()
            .filter_map(|declared| declared.name.as_mut());
        let categories = self
            .categories
            .iter_mut()
            .map(|category| &mut category.name);
        let rules = self
            .missing
            .iter_mut()
            .filter_map(|rule| rule.column.as_mut());
        for column in boxes.chain(categories).chain(rules) {
            *column = name(column);
        }
        self
    }

    /// Whether a record without a label is dropped: the only thing that can be made of one. Rules of columns that are no
    /// features are refused.
    fn rule_of_the_label(
        &self,
        records: &Records,
        label: Option<usize>,
        missing: Option<&Missing>,
    ) -> Result<bool, Error> {
        let Some(missing) = missing else {
            return Ok(false);
        };
        let label = label.and_then(|place| records.header().get(place));
        for (name, rule) in missing.columns() {
            if records.column(name).is_none() {
                let reason = format!("--missing {name}={rule}: {}", records.no_column(name));
                return Err(Error::data(records.path(), reason));
            }
            if Some(name) == label && *rule != Rule::Drop {
                return Err(Error::Usage(format!(
                    "--missing {name}={rule}: it is the label, and of a record without one nothing can be learned: \
                     --missing {name}=drop"
                )));
            }
        }
        let own = label.and_then(|name| missing.rule(name));
        Ok(own == Some(&Rule::Drop))
    }

    /// The place of the label column: there is one if and only if there is a single file.
    fn label_column(&self, records: &Records, two_files: bool) -> Result<Option<usize>, Error> {
        match (&self.label, two_files) {
            (None, true) => Ok(None),
            (Some(name), true) => Err(Error::Usage(format!(
                "--label {name} goes with one data file: of two files the first is the positive class, the second \
                 the negative one"
            ))),
            (None, false) => Err(Error::Usage(
                "--label COLUMN is missing: name the label's column; a learner of two classes also takes two \
                 files, the positive class first"
                    .to_owned(),
            )),
            (Some(name), false) => Ok(Some(column(records, "--label", name)?)),
        }
    }

    /// The columns that are neither the label, nor dropped, nor categories.
    fn numeric_columns(
        &self,
        records: &Records,
        label: Option<usize>,
    ) -> Result<Vec<String>, Error> {
        let mut keep = vec![true; records.header().len()];
        if let Some(label) = label {
            keep[label] = false;
        }
        let categories = self.categories.iter().map(|category| &category.name);
        let named = self.drop.iter().map(|name| ("--drop", name));
        for (option, name) in named.chain(categories.map(|name| ("--category", name))) {
            let place = column(records, option, name)?;
            if !keep[place] {
                return Err(Error::Usage(format!(
                    "{option} {name}: it is the label's column, dropped, or given twice"
                )));
            }
            keep[place] = false;
        }
        let numeric = records.header().iter().zip(keep).filter(|(_, keep)| *keep);
        let numeric: Vec<String> = numeric.map(|(name, _)| name.clone()).collect();
        if numeric.is_empty() && self.categories.is_empty() {
            return Err(Error::data(
                records.path(),
                "no feature is left: at least one column besides the label is needed",
            ));
        }
        Ok(numeric)
    }

    /// The records to learn from, and those held out.
    fn split<F>(
        &self,
        rows: Vec<Row<F>>,
        count: Count,
        path: &Path,
    ) -> Result<[Vec<Row<F>>; 2], Error> {
        let n = rows.len();
        // Where records are added or removed their number is private: no record at all is learned from too.
        if count == Count::Public && n < 2 {
            return Err(Error::data(
                path,
                format!("at least two records are needed, got {n}"),
            ));
        }
        let fraction = self.held_out.clone().unwrap_or_default();
        let given = shortly(&fraction);
        if !fraction.is_zero() && count != Count::Public {
            return Err(Error::Usage(format!(
                "--held-out {given}: not with --at-most: a record that is added or removed would move others from one part \
                 into the other, and cost both; leave --held-out out, or --at-most where the number of records may be public"
            )));
        }
        let (training, held_out) = hold_out(rows, &fraction, self.split_seed)?;
        if !fraction.is_zero() && held_out.is_empty() {
            return Err(Error::Usage(format!(
                "--held-out {given} holds out none of {n} records: at least 1/{n} is needed"
            )));
        }
        if count == Count::Public && training.len() < 2 {
            return Err(Error::Usage(format!(
                "--held-out {given} leaves {} of {n} records to learn from: at least 2 are needed",
                training.len()
            )));
        }
        Ok([training, held_out])
    }
}

impl Opened<'_> {
    /// The same, where each record must have a label: if one is dropped for its label, its features depend on that.
    #[must_use]
    pub fn with_all_labels(mut self) -> Self {
        self.drops_labels = false;
        self.needs_labels = true;
        self
    }

    /// Whether the record read last is dropped.
    fn drops(&self) -> bool {
        let missing = self.placement.columns().missing.as_ref();
        let is_mark =
            |place| missing.is_some_and(|missing| missing.is_mark(self.records.field(place)));
        self.placement.drops(&self.records, &self.places)
            || self.drops_labels && self.label.is_some_and(is_mark)
    }

    /// The names of the feature columns, in the order of the file.
    pub fn features(&self) -> Vec<String> {
        let names: Vec<&String> = self.placement.columns().names().collect();
        let header = self.records.header().iter();
        header
            .filter(|name| names.contains(name))
            .cloned()
            .collect()
    }

    /// The form of further records like those of the file, with its separator.
    pub fn form(&self) -> Form {
        Form {
            separator: Some(self.records.separator()),
            ..self.options.form.clone()
        }
    }

    /// The same, with one record of the first file as if it were another, if that is asked for.
    #[must_use]
    pub fn perhaps_edited(mut self, edit: Option<&Edit>) -> Self {
        if let Some(edit) = edit {
            self.records.edit(edit.clone());
        }
        self
    }

    /// Reads records of two classes; the second file has the negative ones.
    pub fn classes(mut self, declared: &DeclaredClasses) -> Result<Table, Error> {
        let declared = declared.checked()?;
        let classes_found = self.label.is_some() && !declared.are_both_given();
        let mut rows = Rows::default();
        let needs_labels = self.needs_labels;
        let classes = match (self.label, self.second) {
            (Some(label), _) => {
                let mut found = LabelValues::new(declared);
                rows.read(&mut self, DROPPED, |records, line| {
                    let wrong = |reason: &str| records.wrong(line, label, reason);
                    if needs_labels && records.field(label).is_empty() {
                        return Err(wrong(
                            "the label is empty: this learner needs that of each record, since the features of one that is \
                             dropped for its label would tell of it",
                        ));
                    }
                    Ok((found.index(records.field(label), wrong)?, false))
                })?;
                let name = self.records.header().get(label).cloned();
                let name = format!("the label column '{}'", name.unwrap_or_default());
                found.decide(self.records.path(), &name, &mut rows.rows)?
            }
            (None, second) => {
                rows.read(&mut self, 1, |_, _| Ok((1, false)))?;
                if let Some(second) = second {
                    let others = Records::open(second, &self.options.form)?;
                    if others.header() != self.records.header() {
                        return Err(Error::data(
                            second,
                            format!(
                                "the header must be that of {}: the same columns in the same order",
                                self.records.path().display()
                            ),
                        ));
                    }
                    let first = std::mem::replace(&mut self.records, others);
                    rows.read(&mut self, -1, |_, _| Ok((-1, false)))?;
                    self.records = first;
                }
                declared.or("1", "-1")
            }
        };
        let clipped = rows.clipped;
        let path = self.records.path();
        let [training, held_out] = self.options.split(rows.rows, Count::Public, path)?;
        let by_position = self.second.is_none() || held_out.is_empty();
        let neighbours = if by_position {
            "substitution of one record; n public"
        } else {
            // Moving a record from one file to the other shifts those between, and the public split
            // goes by position: only substitution within a file changes one record of each part.
            "substitution of one record by one of the same file; the two numbers of records public"
        };
        Ok(Table {
            placement: self.placement,
            label: Label::Classes(classes),
            classes_found,
            training,
            held_out,
            neighbours: neighbours.to_owned(),
            count: Count::Public,
            clipped,
        })
    }

    /// Reads records whose label is a number in this public interval.
    pub fn numbers(mut self, interval: &DeclaredBox, count: Count) -> Result<Table, Error> {
        if interval.name.is_some() {
            return Err(Error::Usage(
                "--label-box must be LO:HI, without a name: --label names the column".to_owned(),
            ));
        }
        let label = self.label.unwrap_or_default();
        let column = Column {
            name: self
                .records
                .header()
                .get(label)
                .cloned()
                .unwrap_or_default(),
            scale: interval.scale.clone(),
        };
        let mut rows = Rows {
            count,
            ..Rows::default()
        };
        let (one, clip) = (self.placement.grid().one(), self.options.clip);
        rows.read(&mut self, 0, |records, line| {
            columns::number(records, line, label, &column.scale, one, clip)
        })?;
        let clipped = rows.clipped;
        let path = self.records.path();
        let [training, held_out] = self.options.split(rows.rows, count, path)?;
        Ok(Table {
            placement: self.placement,
            label: Label::Interval(column),
            classes_found: false,
            training,
            held_out,
            neighbours: match count {
                Count::Public => "substitution of one record; n public".to_owned(),
                Count::AtMost(cap) => {
                    format!("addition or removal of one record; at most {cap} records")
                }
            },
            count,
            clipped,
        })
    }
}

/// Records as they are read.
#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
    clipped: u64,
    count: Count,
}

impl Rows {
    /// Reads all records; `label` gives each its label, and whether that was clipped, but one that is dropped has `dropped`.
    fn read(
        &mut self,
        opened: &mut Opened<'_>,
        dropped: i64,
        mut label: impl FnMut(&Records, u64) -> Result<(i64, bool), Error>,
    ) -> Result<(), Error> {
        while let Some(line) = opened.records.advance()? {
            let is_dropped = opened.drops();
            // Where records are added or removed nothing need stand for one that is dropped.
            if is_dropped && matches!(self.count, Count::AtMost(_)) {
                continue;
            }
            let records = &opened.records;
            // Their number is private.
            if let Count::AtMost(cap) = self.count
                && self.rows.len() == cap
            {
                return Err(Error::data(
                    records.path(),
                    format!("there are more records than --at-most {cap} allows"),
                ));
            }
            if is_dropped {
                let (features, label) = (opened.placement.zero(), dropped);
                self.rows.push(Row { features, label });
                continue;
            }
            let (features, clipped) = opened.placement.place(records, line, &opened.places)?;
            let (label, label_clipped) = label(records, line)?;
            self.clipped += u64::from(clipped || label_clipped);
            self.rows.push(Row { features, label });
        }
        Ok(())
    }
}

/// The place of a column that an option names.
fn column(records: &Records, option: &str, name: &str) -> Result<usize, Error> {
    records.column(name).ok_or_else(|| {
        Error::data(
            records.path(),
            format!("{option}: {}", records.no_column(name)),
        )
    })
}

/// The interval of each feature.
fn scales(names: &[String], boxes: &[DeclaredBox]) -> Result<Vec<Scale>, Error> {
    let mut common = None;
    let mut named: HashMap<&str, &Scale> = HashMap::new();
    for declared in boxes {
        match &declared.name {
            None => {
                if common.replace(&declared.scale).is_some() {
                    return Err(Error::Usage(
                        "--box LO:HI is given twice: one box for all features, others as NAME=LO:HI"
                            .to_owned(),
                    ));
                }
            }
            Some(name) => {
                if !names.contains(name) {
                    return Err(Error::Usage(format!(
                        "--box {name}=LO:HI: there is no feature '{name}'; the features are {}",
                        listed(names)
                    )));
                }
                if named.insert(name, &declared.scale).is_some() {
                    return Err(Error::Usage(format!("--box {name}=LO:HI is given twice")));
                }
            }
        }
    }
    let scale = |name: &String| named.get(name.as_str()).copied().or(common).cloned();
    let all: Option<Vec<Scale>> = names.iter().map(scale).collect();
    all.ok_or_else(|| {
        let without = names.iter().filter(|name| scale(name).is_none());
        let without: Vec<String> = without.cloned().collect();
        let (name, s) = (&without[0], if without.len() == 1 { "" } else { "s" });
        Error::Usage(format!(
            "no box for the feature{s} {}: give the public interval that it lies in as --box '{name}=LO:HI', or --box LO:HI \
             for all features; of a column of names give these as --category '{name}=A,B,...'; --drop '{name}' leaves it out; \
             --columns FILE says it of all columns, and assay columns begins such a file",
            listed(&without)
        ))
    })
}

/// Warns of features that have no name in the header: they are likely to be numbers of rows.
fn warn_of_unnamed(records: &Records, features: &[String]) {
    for name in features.iter().filter(|name| records.is_unnamed(name)) {
        output::warn(&format!(
            "column {name} has no name in the header, and is learned from: --drop {name} leaves it out, if it has the numbers \
             of the rows"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::labels::Classes;
    use super::*;
    use clap::Parser;
    use dp_assay::number::grid::squared_norm;
    use std::fs;
    use std::path::PathBuf;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        classes: DeclaredClasses,
        #[arg(long)]
        intercept: bool,
        #[arg(long, default_value_t = 20)]
        grid_bits: u32,
        #[command(flatten)]
        options: Options,
    }

    fn load_with(files: &[&str], options: &[&str]) -> Result<Table, Error> {
        let directory = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = files
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let path = directory.path().join(format!("{index}.csv"));
                fs::write(&path, text).unwrap();
                path
            })
            .collect();
        let line = Line::try_parse_from(["line"].iter().chain(options)).unwrap();
        let second = paths.get(1).map(PathBuf::as_path);
        let (bits, intercept) = (line.grid_bits, line.intercept);
        line.options
            .open(&paths[0], second, Shape::Ball, bits, intercept)?
            .classes(&line.classes)
    }

    fn records(files: &[&str], options: &[&str]) -> Vec<(Vec<i64>, bool)> {
        let loaded = load_with(files, options).unwrap();
        let records = loaded.training.into_iter();
        records.map(|row| (row.features, row.label == 1)).collect()
    }

    fn classes(loaded: &Table) -> &Classes {
        match &loaded.label {
            Label::Classes(classes) => classes,
            Label::Interval(_) => panic!("an interval"),
        }
    }

    fn message(files: &[&str], options: &[&str]) -> String {
        load_with(files, options).unwrap_err().to_string()
    }

    #[test]
    fn records_are_placed_inside_the_unit_ball() {
        let options = [
            "--label",
            "y",
            "--box",
            "-1:1",
            "--box",
            "b=0:10",
            "--intercept",
        ];
        let records = records(&["a,b,y\n1,10,0\n-1,0,1\n0.5,5,1\n"], &options);
        // floor(sqrt(4^20 / 3)) = 605395
        let radius = 605_395;
        assert_eq!(
            records,
            [
                (vec![radius, radius, radius], false),
                (vec![-radius, -radius, radius], true),
                (vec![radius / 2, 0, radius], true)
            ]
        );
        for (coordinates, _) in &records {
            assert!(squared_norm(coordinates) <= 1 << 40);
        }
    }

    #[test]
    fn the_larger_label_is_positive_unless_said_otherwise() {
        let labels = |text: &str, options: &[&str]| {
            let mut all = vec!["--label", "y", "--box", "0:1"];
            all.extend(options);
            let loaded = load_with(&[text], &all).unwrap();
            let positive: Vec<bool> = loaded.training.iter().map(|row| row.label == 1).collect();
            assert_eq!(
                loaded.classes_found,
                !options.contains(&"1") || !options.contains(&"0")
            );
            (classes(&loaded).positive.clone(), positive)
        };
        assert_eq!(
            labels("a,y\n1,9\n0,10\n", &[]),
            ("10".to_owned(), vec![false, true])
        );
        assert_eq!(
            labels("a,y\n1,yes\n0,no\n1,yes\n", &[]),
            ("yes".to_owned(), vec![true, false, true])
        );
        assert_eq!(
            labels("a,y\n1,yes\n0,no\n", &["--positive", "no"]),
            ("no".to_owned(), vec![false, true])
        );
        assert_eq!(
            labels("a,y\n1,-1\n0,1\n", &["--negative", "1"]),
            ("-1".to_owned(), vec![true, false])
        );
        // Declared values need not occur: nothing is learned from the data about them.
        assert_eq!(
            labels("a,y\n1,0\n0,0\n", &["--positive", "1", "--negative", "0"]),
            ("1".to_owned(), vec![false, false])
        );
    }

    #[test]
    fn two_files_are_two_classes() {
        let loaded = load_with(&["a,b\n1,0\n0,1\n", "a,b\n0,0\n"], &["--box", "0:1"]).unwrap();
        let labels: Vec<i64> = loaded.training.iter().map(|row| row.label).collect();
        assert_eq!(labels, [1, 1, -1]);
        assert_eq!(classes(&loaded).positive, "1");
        assert_eq!(loaded.neighbours, "substitution of one record; n public");
        let split = ["--box", "0:1", "--held-out", "1/3"];
        let loaded = load_with(&["a,b\n1,0\n0,1\n", "a,b\n0,0\n"], &split).unwrap();
        assert!(loaded.neighbours.contains("same file"));
        assert!(message(&["a,b\n1,0\n", "b,a\n0,0\n"], &["--box", "0:1"]).contains("same columns"));
        assert!(
            message(
                &["a,b\n1,0\n", "a,b\n0,0\n"],
                &["--box", "0:1", "--label", "b"]
            )
            .contains("one data file")
        );
    }

    #[test]
    fn a_missing_value_becomes_what_its_rule_says() {
        let text = "a,c,y\nNA,p,1\n1,,0\n0,q,?\n";
        let columns =
            "--label y --positive 1 --negative 0 --box -1:1 --category c=p,q --grid-bits 4";
        let read = |rules: &str| {
            let options: Vec<&str> = columns.split(' ').chain(rules.split(' ')).collect();
            records(&[text], &options)
        };
        // floor(sqrt(4^4 / 3)) = 9
        let zero = || (vec![0, 0, 0], true);
        assert_eq!(
            read("--missing zero --missing y=drop"),
            [(vec![0, 9, 0], true), (vec![9, 0, 0], false), zero()]
        );
        assert_eq!(
            read("--missing a=fill:-1 --missing c=fill:q --missing y=drop"),
            [(vec![-9, 9, 0], true), (vec![9, 0, 9], false), zero()]
        );
        assert_eq!(read("--missing drop"), [zero(), zero(), zero()]);
    }

    #[test]
    fn clipping_is_onto_the_box_and_counted() {
        let text = ["a,y\n3,0\n-3,1\n0,1\n"];
        let options = [
            "--label",
            "y",
            "--box",
            "-1:1",
            "--clip",
            "--grid-bits",
            "4",
        ];
        let loaded = load_with(&text, &options).unwrap();
        let firsts: Vec<i64> = loaded.training.iter().map(|row| row.features[0]).collect();
        assert_eq!(firsts, [16, -16, 0]);
        assert_eq!(loaded.clipped, 2);
    }

    #[test]
    fn a_message_names_the_place_and_never_the_value() {
        let options = ["--label", "y", "--box", "-1:1"];
        for (text, parts) in [
            ("a,y\n0.731,0\n7.31,1\n", &["line 3", "'a'", "-1:1"][..]),
            (
                "a,y\n0.731,0\nNaN,1\n",
                &["line 3", "'a'", "--missing drop"],
            ),
            ("a,y\n0.731,0\n-inf,1\n", &["line 3", "'a'", "finite"]),
            ("a,y\n0.731,0\n,1\n", &["line 3", "'a'", "--missing drop"]),
            ("a,y\n0.731,0\n731x,1\n", &["line 3", "'a'", "finite"]),
            ("a,y\n0.731,0\n0,1,731\n", &["line 3", "3 fields", "has 2"]),
            ("a,y\n0,0\n0,1\n0,731\n", &["line 4", "'y'", "third"]),
            ("a,y\n0,731\n0,731\n", &["'y'", "exactly two values, got 1"]),
            ("a,y\n0.731,\n0,1\n", &["line 2", "'y'", "empty"]),
            ("a,y\n0.731,1\n", &["exactly two values"]),
            ("a,y\n", &["exactly two values, got 0"]),
            ("a,y\n0,731\n0,731.0\n", &["'y'", "two ways"]),
        ] {
            let message = message(&[text], &options);
            for part in parts {
                assert!(message.contains(part), "{message}");
            }
            assert!(!message.contains("731"), "{message}");
        }
    }

    #[test]
    fn options_that_do_not_fit_the_header_are_refused() {
        let text = ["a,b,y\n0,0,0\n0,0,1\n"];
        for (options, part) in [
            (&["--label", "z", "--box", "0:1"][..], "no column 'z'"),
            (&["--box", "0:1"], "--label COLUMN is missing"),
            (&["--label", "y"], "no box for the features 'a', 'b'"),
            (
                &["--label", "y", "--box", "a=0:1"],
                "no box for the feature 'b'",
            ),
            (&["--label", "y", "--box", "c=0:1"], "no feature 'c'"),
            (&["--label", "y", "--box", "0:1", "--box", "0:2"], "twice"),
            (
                &["--label", "y", "--box", "0:1", "--drop", "c"],
                "no column 'c'",
            ),
            (
                &["--label", "y", "--box", "0:1", "--drop", "y"],
                "label's column",
            ),
            (
                &["--label", "y", "--drop", "a", "--drop", "b"],
                "no feature is left",
            ),
            (
                &["--label", "y", "--box", "0:1", "--grid-bits", "41"],
                "at most 40, got 41",
            ),
            (
                &["--label", "y", "--box", "0:1", "--grid-bits", "0"],
                "too coarse",
            ),
            (
                &[
                    "--label",
                    "y",
                    "--box",
                    "0:1",
                    "--positive",
                    "1",
                    "--negative",
                    "1",
                ],
                "differ",
            ),
        ] {
            let message = message(&text, options);
            assert!(message.contains(part), "{options:?}: {message}");
        }
        let one = message(
            &["a,y\n1,1\n"],
            &[
                "--label",
                "y",
                "--box",
                "0:1",
                "--positive",
                "1",
                "--negative",
                "0",
            ],
        );
        assert!(
            one.contains("at least two records are needed, got 1"),
            "{one}"
        );
    }

    fn numbers(text: &str, count: Count, options: &[&str]) -> Result<Table, Error> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("d.csv");
        fs::write(&path, text).unwrap();
        let all = [
            "line",
            "--label",
            "y",
            "--box",
            "0:2",
            "--category",
            "c=red,blue",
        ];
        let line = Line::try_parse_from(all.iter().chain(options)).unwrap();
        let interval = declared_box("0:100").unwrap();
        line.options
            .open(&path, None, Shape::Cube, 4, false)?
            .numbers(&interval, count)
    }

    #[test]
    fn numbers_and_names_become_coordinates_in_the_cube() {
        let text = "a,c,y\n2,red,100\n0,blue,0\n1,blue,75\n";
        let table = numbers(text, Count::AtMost(3), &[]).unwrap();
        let row = |features: &[i64], label| Row {
            features: features.to_vec(),
            label,
        };
        assert_eq!(
            table.training,
            [
                row(&[16, 16, 0], 16),
                row(&[-16, 0, 16], -16),
                row(&[0, 0, 16], 8)
            ]
        );
        assert!(table.neighbours.contains("at most 3 records"));
        // The number of records is private, and the values are.
        for (text, count, options, part) in [
            (
                text,
                Count::AtMost(2),
                &[][..],
                "more records than --at-most 2",
            ),
            (
                text,
                Count::AtMost(9),
                &["--held-out", "1/3"],
                "not with --at-most",
            ),
            ("a,c,y\n", Count::Public, &[], "at least two records"),
            (
                "a,c,y\n1,green,5\n",
                Count::Public,
                &[],
                "must be one of red, blue",
            ),
            ("a,c,y\n1,red,731\n", Count::Public, &[], "interval 0:100"),
            ("a,c,y\n731,red,1\n", Count::Public, &[], "interval 0:2"),
            (text, Count::Public, &["--drop", "c"], "--category c: it is"),
        ] {
            let message = numbers(text, count, options).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
            assert!(
                !message.contains("731") && !message.contains("green"),
                "{message}"
            );
        }
        let wild = "a,c,y\n731,green,-731\n0,blue,0\n";
        let table = numbers(wild, Count::Public, &["--clip"]).unwrap();
        assert_eq!(table.training[0], row(&[16, 0, 0], -16));
        assert_eq!(table.clipped, 1);
        assert!(
            numbers("a,c,y\n", Count::AtMost(2), &[])
                .unwrap()
                .training
                .is_empty()
        );
    }
}
