//! Labelled records, from CSV files onto the public grid.
//!
//! What is public: the names of the columns, the box of each feature, the two label values, the grid
//! and the number of records. What is private: what stands in the records. So no message shows a
//! value of the data. That a file is *refused* depends on the data all the same: refusals are for
//! those who hold the data, and no model comes with one. With `--clip`, `--positive` and
//! `--negative`, well-formed records are never refused for what they contain.

mod lines;
pub mod regression;
mod scale;
mod split;

pub use lines::{Records, separator};
pub use scale::{Placed, Scale};
pub use split::{hold_out, permutation};

use crate::error::Error;
use clap::Args;
use dp_assay::halfspaces::{Dataset, Record};
use dp_assay::number::{Grid, Rational, rational};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How data files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct Arguments {
    /// What separates the fields: one of , ; | : space, or tab; otherwise found from the header
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    separator: Option<u8>,
    /// The column with the label, in a single file
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// The label value of the positive class; otherwise the larger of the two that occur
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    positive: Option<String>,
    /// The label value of the negative class; otherwise the other one that occurs
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    negative: Option<String>,
    /// A column to leave out; may be repeated
    #[arg(long, value_name = "COLUMN")]
    drop: Vec<String>,
    /// The public interval of all features, LO:HI, or of one, NAME=LO:HI; may be repeated
    #[arg(long = "box", value_name = "[NAME=]LO:HI", value_parser = declared_box, allow_hyphen_values = true)]
    boxes: Vec<DeclaredBox>,
    /// Clip features onto their boxes, record by record, instead of refusing
    #[arg(long)]
    clip: bool,
    /// Add a constant coordinate, so that the halfspace need not pass through the middle of the box
    #[arg(long)]
    intercept: bool,
    /// Place the data on the multiples of 2^-B
    #[arg(long, value_name = "B", default_value_t = 20)]
    grid_bits: u32,
    /// The fraction of the records that is held out, to measure the error on
    #[arg(long, value_name = "FRACTION", default_value = "1/5", value_parser = rational::parse, allow_hyphen_values = true)]
    holdout: Rational,
    /// The public seed that says which records are held out
    #[arg(long, value_name = "N", default_value_t = 1)]
    split_seed: u64,
    /// Also print how many records were clipped, which is not private
    #[arg(long)]
    unsafe_report: bool,
}

impl Arguments {
    /// The bits of the grid.
    pub fn grid_bits(&self) -> u32 {
        self.grid_bits
    }
}

/// `LO:HI` or `NAME=LO:HI`.
#[derive(Debug, Clone)]
struct DeclaredBox {
    name: Option<String>,
    scale: Scale,
}

fn declared_box(text: &str) -> Result<DeclaredBox, String> {
    let (name, interval) = match text.rsplit_once('=') {
        Some((name, interval)) => (Some(name.trim().to_owned()), interval),
        None => (None, text),
    };
    let (lo, hi) = interval
        .split_once(':')
        .ok_or_else(|| format!("'{text}' is not a box: write -1:1 or NAME=-1:1"))?;
    let read = |end: &str| rational::parse(end).map_err(|error| error.to_string());
    let scale = Scale::new(read(lo)?, read(hi)?)
        .ok_or_else(|| format!("the box '{interval}' must have LO below HI"))?;
    Ok(DeclaredBox { name, scale })
}

/// A feature: a column's name, and its public interval as exact texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The column's name.
    pub name: String,
    /// The interval's lower end.
    pub lo: String,
    /// The interval's upper end.
    pub hi: String,
}

/// The two label values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// Of the positive class.
    pub positive: String,
    /// Of the negative class.
    pub negative: String,
}

/// Everything that was read.
#[derive(Debug)]
pub struct Loaded {
    /// The records to learn from.
    pub training: Dataset,
    /// The records to measure the error on.
    pub held_out: Vec<Record>,
    /// The features, in the order of the coordinates.
    pub features: Vec<Feature>,
    /// The label values.
    pub labels: Labels,
    /// Whether the last coordinate is constant.
    pub intercept: bool,
    /// How the neighbours are that the records are private between.
    pub neighbours: &'static str,
    /// How many records were clipped: private, and there only with `--unsafe-report`.
    pub clipped: Option<u64>,
}

/// Places records on the grid, so that none is longer than 1.
#[derive(Debug)]
pub struct Placement {
    scales: Vec<Scale>,
    intercept: bool,
    clip: bool,
    grid: Grid,
    // The largest coordinate: dimension * radius^2 <= 4^bits.
    radius: i64,
}

impl Placement {
    /// The placement of features with these intervals; refuses a grid that is too coarse or too fine.
    pub fn new(
        scales: Vec<Scale>,
        intercept: bool,
        clip: bool,
        grid_bits: u32,
    ) -> Result<Self, Error> {
        let grid = Grid::new(grid_bits)
            .map_err(|_| Error::option("--grid-bits", "at most 40", grid_bits))?;
        let dimension = scales.len() + usize::from(intercept);
        let square = (1u128 << (2 * grid_bits)) / (dimension.max(1) as u128);
        let radius = i64::try_from(square.isqrt()).unwrap_or(0);
        if radius == 0 {
            return Err(Error::Usage(format!(
                "--grid-bits {grid_bits} is too coarse for {dimension} coordinates: every one would \
                 be 0; at least half the binary logarithm of their number is needed"
            )));
        }
        Ok(Self {
            scales,
            intercept,
            clip,
            grid,
            radius,
        })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.scales.len() + usize::from(self.intercept)
    }

    /// The coordinates of the record read last, whose features stand in `columns`, and whether any
    /// was clipped.
    pub fn place(
        &self,
        records: &Records,
        line: u64,
        columns: &[usize],
    ) -> Result<(Vec<i64>, bool), Error> {
        let mut coordinates = Vec::with_capacity(self.dimension());
        let mut clipped = false;
        for (scale, &column) in self.scales.iter().zip(columns) {
            let wrong = |reason: String| Error::Field {
                path: records.path().to_owned(),
                line,
                column: records.header().get(column).cloned().unwrap_or_default(),
                reason,
            };
            let placed = scale
                .place(records.field(column), self.radius)
                .ok_or_else(|| {
                    wrong(
                        "must be a finite number such as 0.25 (empty, NaN and infinity are refused)"
                            .to_owned(),
                    )
                })?;
            coordinates.push(match placed {
                Placed::Inside(steps) => steps,
                Placed::Below | Placed::Above if !self.clip => {
                    return Err(wrong(format!(
                        "outside its box {}:{} (--clip clips onto the box)",
                        scale.lo(),
                        scale.hi()
                    )));
                }
                Placed::Below => {
                    clipped = true;
                    -self.radius
                }
                Placed::Above => {
                    clipped = true;
                    self.radius
                }
            });
        }
        if self.intercept {
            coordinates.push(self.radius);
        }
        Ok((coordinates, clipped))
    }
}

/// Reads one file with a label column, or two files of which the first is positive.
pub fn load(
    first: &Path,
    second: Option<&PathBuf>,
    arguments: &Arguments,
) -> Result<Loaded, Error> {
    let declared = DeclaredLabels::new(arguments)?;
    let mut records = Records::open(first, arguments.separator)?;
    let label = label_column(&records, second.is_some(), arguments)?;
    let columns = feature_columns(&records, label, &arguments.drop)?;
    let names: Vec<&String> = columns
        .iter()
        .filter_map(|&column| records.header().get(column))
        .collect();
    let scales = scales(&names, &arguments.boxes)?;
    let features = names
        .iter()
        .zip(&scales)
        .map(|(name, scale)| Feature {
            name: (*name).clone(),
            lo: scale.lo().to_string(),
            hi: scale.hi().to_string(),
        })
        .collect();
    let placement = Placement::new(
        scales,
        arguments.intercept,
        arguments.clip,
        arguments.grid_bits,
    )?;

    let mut read = Read::default();
    let labels = match (label, second) {
        (Some(label), _) => {
            let mut found = LabelValues::new(declared);
            read.all(&mut records, &placement, &columns, |records, line| {
                found.index(records, line, label)
            })?;
            found.decide(&records, label, &mut read.records)?
        }
        (None, second) => {
            read.all(&mut records, &placement, &columns, |_, _| Ok(true))?;
            if let Some(second) = second {
                let mut others = Records::open(second, arguments.separator)?;
                if others.header() != records.header() {
                    return Err(Error::data(
                        second,
                        format!(
                            "the header must be that of {}: the same columns in the same order",
                            first.display()
                        ),
                    ));
                }
                read.all(&mut others, &placement, &columns, |_, _| Ok(false))?;
            }
            declared.or("1", "-1")
        }
    };
    let n = read.records.len();
    if n < 2 {
        return Err(Error::data(
            first,
            format!("at least two records are needed, got {n}"),
        ));
    }
    let (training, held_out) = hold_out(read.records, &arguments.holdout, arguments.split_seed)?;
    if training.len() < 2 {
        return Err(Error::Usage(format!(
            "--holdout {} leaves {} of {n} records to learn from: at least 2 are needed",
            arguments.holdout,
            training.len()
        )));
    }
    let by_position = second.is_none() || held_out.is_empty();
    Ok(Loaded {
        features,
        labels,
        intercept: arguments.intercept,
        neighbours: if by_position {
            "substitution of one record; n public"
        } else {
            // Moving a record from one file to the other shifts those between, and the public split
            // goes by position: only substitution within a file changes one record of each part.
            "substitution of one record by one of the same file; the two numbers of records public"
        },
        clipped: arguments.unsafe_report.then_some(read.clipped),
        training: Dataset::new(placement.grid, placement.dimension(), training)?,
        held_out,
    })
}

/// Records as they are read; the label still as which of two values it is.
#[derive(Default)]
struct Read {
    records: Vec<Record>,
    clipped: u64,
}

impl Read {
    fn all(
        &mut self,
        records: &mut Records,
        placement: &Placement,
        columns: &[usize],
        mut label: impl FnMut(&Records, u64) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        while let Some(line) = records.advance()? {
            let (features, clipped) = placement.place(records, line, columns)?;
            self.clipped += u64::from(clipped);
            let positive = label(records, line)?;
            self.records.push(Record { features, positive });
        }
        Ok(())
    }
}

/// The place of the label column: there is one if and only if there is a single file.
fn label_column(
    records: &Records,
    two_files: bool,
    arguments: &Arguments,
) -> Result<Option<usize>, Error> {
    match (&arguments.label, two_files) {
        (None, true) => Ok(None),
        (Some(name), true) => Err(Error::Usage(format!(
            "--label {name} goes with one data file: of two files the first is the positive class, the second the negative one"
        ))),
        (None, false) => Err(Error::Usage(
            "--label COLUMN is missing: name the label's column, or give two files, the positive class first"
                .to_owned(),
        )),
        (Some(name), false) => Ok(Some(column(records, "--label", name)?)),
    }
}

fn column(records: &Records, option: &str, name: &str) -> Result<usize, Error> {
    records.column(name).ok_or_else(|| {
        Error::data(
            records.path(),
            format!("{option}: there is no column '{name}' in the header"),
        )
    })
}

/// The columns that are neither the label nor dropped.
fn feature_columns(
    records: &Records,
    label: Option<usize>,
    drop: &[String],
) -> Result<Vec<usize>, Error> {
    let mut keep = vec![true; records.header().len()];
    for name in drop {
        let column = column(records, "--drop", name)?;
        if Some(column) == label {
            return Err(Error::Usage(format!(
                "--drop {name}: it is the label's column"
            )));
        }
        keep[column] = false;
    }
    let columns: Vec<usize> = (0..keep.len())
        .filter(|&column| keep[column] && Some(column) != label)
        .collect();
    if columns.is_empty() {
        return Err(Error::data(
            records.path(),
            "no feature is left: at least one column besides the label is needed",
        ));
    }
    Ok(columns)
}

/// The interval of each feature.
fn scales(names: &[&String], boxes: &[DeclaredBox]) -> Result<Vec<Scale>, Error> {
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
                if !names.contains(&name) {
                    return Err(Error::Usage(format!(
                        "--box {name}=LO:HI: there is no feature '{name}'"
                    )));
                }
                if named.insert(name, &declared.scale).is_some() {
                    return Err(Error::Usage(format!("--box {name}=LO:HI is given twice")));
                }
            }
        }
    }
    names
        .iter()
        .map(|name| {
            named
                .get(name.as_str())
                .copied()
                .or(common)
                .cloned()
                .ok_or_else(|| {
                    Error::Usage(format!(
                        "no box for the feature '{name}': give the public interval that it lies in as \
                         --box '{name}=LO:HI', or --box LO:HI for all features"
                    ))
                })
        })
        .collect()
}

/// What the two classes are called, as far as it is declared.
struct DeclaredLabels {
    positive: Option<String>,
    negative: Option<String>,
}

impl DeclaredLabels {
    fn new(arguments: &Arguments) -> Result<Self, Error> {
        let trimmed = |value: &Option<String>| value.as_ref().map(|text| text.trim().to_owned());
        let labels = Self {
            positive: trimmed(&arguments.positive),
            negative: trimmed(&arguments.negative),
        };
        for (option, value) in [
            ("--positive", &labels.positive),
            ("--negative", &labels.negative),
        ] {
            if value.as_ref().is_some_and(String::is_empty) {
                return Err(Error::option(option, "a label value", "''"));
            }
        }
        if labels.positive.is_some() && labels.positive == labels.negative {
            return Err(Error::Usage(format!(
                "--positive and --negative must differ, got '{}' twice",
                labels.positive.unwrap_or_default()
            )));
        }
        Ok(labels)
    }

    /// The names of the classes of two files; a default that is taken gives way to the other.
    fn or(self, positive: &str, negative: &str) -> Labels {
        let name = |given: Option<String>, default: &str, other: &str, taken: Option<&str>| {
            given.unwrap_or_else(|| {
                let free = if taken == Some(default) {
                    other
                } else {
                    default
                };
                free.to_owned()
            })
        };
        let negative_name = name(self.negative, negative, positive, self.positive.as_deref());
        Labels {
            positive: name(self.positive, positive, negative, Some(&negative_name)),
            negative: negative_name,
        }
    }
}

/// The values that the label takes: those declared, or at most two that are found.
struct LabelValues {
    // While reading a label is an index into this: true for the second.
    values: Vec<String>,
    declared: DeclaredLabels,
}

impl LabelValues {
    fn new(declared: DeclaredLabels) -> Self {
        let values = [&declared.positive, &declared.negative]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        Self { values, declared }
    }

    /// Which of the values the label of the record read last is.
    fn index(&mut self, records: &Records, line: u64, column: usize) -> Result<bool, Error> {
        let field = records.field(column);
        if let Some(index) = self
            .values
            .iter()
            .position(|value| value.as_bytes() == field)
        {
            return Ok(index == 1);
        }
        let wrong = |reason: &str| Error::Field {
            path: records.path().to_owned(),
            line,
            column: records.header().get(column).cloned().unwrap_or_default(),
            reason: reason.to_owned(),
        };
        if field.is_empty() {
            return Err(wrong("the label is empty: it must be one of two values"));
        }
        if self.values.len() == 2 {
            let both = self.declared.positive.is_some() && self.declared.negative.is_some();
            return Err(wrong(if both {
                "the label must be the value of --positive or that of --negative"
            } else {
                "the label must take exactly two values, and this is a third"
            }));
        }
        let value =
            std::str::from_utf8(field).map_err(|_| wrong("the label must be UTF-8 text"))?;
        self.values.push(value.to_owned());
        Ok(self.values.len() == 2)
    }

    /// Which value is positive; turns the labels of `read` from indices into classes.
    fn decide(
        self,
        records: &Records,
        column: usize,
        read: &mut [Record],
    ) -> Result<Labels, Error> {
        let name = records.header().get(column).cloned().unwrap_or_default();
        let wrong = |reason: String| Error::data(records.path(), reason);
        let [first, second] = match <[String; 2]>::try_from(self.values) {
            Ok(values) => values,
            Err(values) => {
                return Err(wrong(format!(
                    "the label column '{name}' must take exactly two values, got {} (--positive and \
                     --negative declare them)",
                    values.len()
                )));
            }
        };
        let numbers = (rational::parse(&first), rational::parse(&second));
        let second_is_positive = match (&self.declared.positive, &self.declared.negative, numbers) {
            (Some(positive), _, _) => *positive == second,
            (None, Some(negative), _) => *negative == first,
            (None, None, (Ok(first), Ok(second))) => {
                if first == second {
                    return Err(wrong(format!(
                        "the label column '{name}' writes one number in two ways: say which is which \
                         with --positive"
                    )));
                }
                second > first
            }
            (None, None, _) => second > first,
        };
        for record in read {
            record.positive = record.positive == second_is_positive;
        }
        let (positive, negative) = if second_is_positive {
            (second, first)
        } else {
            (first, second)
        };
        Ok(Labels { positive, negative })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use dp_assay::number::grid::squared_norm;
    use std::fs;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn load_with(files: &[&str], options: &[&str]) -> Result<Loaded, Error> {
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
        let mut words = vec!["line"];
        if !options.contains(&"--holdout") {
            words.extend(["--holdout", "0"]);
        }
        let line = Line::try_parse_from(words.iter().chain(options)).unwrap();
        load(&paths[0], paths.get(1), &line.arguments)
    }

    fn records(files: &[&str], options: &[&str]) -> Vec<(Vec<i64>, bool)> {
        let loaded = load_with(files, options).unwrap();
        let records = loaded.training.records().iter();
        records
            .map(|record| (record.features.clone(), record.positive))
            .collect()
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
            let positive: Vec<bool> = loaded
                .training
                .records()
                .iter()
                .map(|r| r.positive)
                .collect();
            (loaded.labels.positive, positive)
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
        let classes: Vec<bool> = loaded
            .training
            .records()
            .iter()
            .map(|r| r.positive)
            .collect();
        assert_eq!(classes, [true, true, false]);
        assert_eq!(loaded.labels.positive, "1");
        assert_eq!(loaded.neighbours, "substitution of one record; n public");
        let split = ["--box", "0:1", "--holdout", "1/3"];
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
    fn clipping_is_onto_the_box_and_counted_only_when_asked() {
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
        let firsts: Vec<i64> = loaded
            .training
            .records()
            .iter()
            .map(|r| r.features[0])
            .collect();
        assert_eq!(firsts, [16, -16, 0]);
        assert_eq!(loaded.clipped, None);
        let mut options = options.to_vec();
        options.push("--unsafe-report");
        assert_eq!(load_with(&text, &options).unwrap().clipped, Some(2));
    }

    #[test]
    fn a_message_names_the_place_and_never_the_value() {
        let options = ["--label", "y", "--box", "-1:1"];
        for (text, parts) in [
            ("a,y\n0.731,0\n7.31,1\n", &["line 3", "'a'", "-1:1"][..]),
            ("a,y\n0.731,0\nNaN,1\n", &["line 3", "'a'", "finite"]),
            ("a,y\n0.731,0\n-inf,1\n", &["line 3", "'a'", "finite"]),
            ("a,y\n0.731,0\n,1\n", &["line 3", "'a'", "finite"]),
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
            (&["--label", "y"], "no box for the feature 'a'"),
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
}
