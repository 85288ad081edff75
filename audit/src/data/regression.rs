//! Records with a real label, from a CSV file onto public grids, for the random feature learners.
//!
//! What is public: the names of the columns, the interval of each numeric column, the values of each
//! categorical one, the interval of the label, and the number of records or a cap on it. No message shows a
//! value of the data.

use super::{
    DeclaredBox, Placed, Records, Scale, column, declared_box, feature_columns, hold_out, scales,
    separator,
};
use crate::error::Error;
use clap::Args;
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::random_features::{Dataset, Domain, Record};
use num_traits::Zero;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Inputs and labels are multiples of 2^-16 in [-1, 1].
pub const GRID_BITS: u32 = 16;

/// How data files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct Arguments {
    /// What separates the fields: one of , ; | : space, or tab; otherwise found from the header
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    separator: Option<u8>,
    /// The column with the label
    #[arg(long, value_name = "COLUMN")]
    label: String,
    /// The public interval of the labels
    #[arg(long, value_name = "LO:HI", value_parser = declared_box, allow_hyphen_values = true)]
    label_box: DeclaredBox,
    /// A column to leave out; may be repeated
    #[arg(long, value_name = "COLUMN")]
    drop: Vec<String>,
    /// The public interval of all numeric columns, LO:HI, or of one, NAME=LO:HI; may be repeated
    #[arg(long = "box", value_name = "[NAME=]LO:HI", value_parser = declared_box, allow_hyphen_values = true)]
    boxes: Vec<DeclaredBox>,
    /// A column of names, and the names that may occur; may be repeated
    #[arg(long = "category", value_name = "COLUMN=A,B,...", value_parser = declared_category)]
    categories: Vec<Category>,
    /// Clip numbers and labels onto their intervals, and let unknown names be none, instead of refusing
    #[arg(long)]
    clip: bool,
    /// The fraction of the records that is held out, to measure the error on; 0 under addition and removal
    #[arg(long, value_name = "FRACTION", value_parser = rational::parse, allow_hyphen_values = true)]
    holdout: Option<Rational>,
    /// The public seed that says which records are held out
    #[arg(long, value_name = "N", default_value_t = 1)]
    split_seed: u64,
}

/// A categorical column: one coordinate, 0 or 1, for each of its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// The column's name.
    pub name: String,
    /// The values that may occur.
    pub values: Vec<String>,
}

fn declared_category(text: &str) -> Result<Category, String> {
    let wrong = || format!("'{text}' is not a category: write COLUMN=A,B with different values");
    let (name, values) = text.rsplit_once('=').ok_or_else(wrong)?;
    let values: Vec<String> = values
        .split(',')
        .map(|value| value.trim().to_owned())
        .collect();
    let distinct: std::collections::HashSet<&String> = values.iter().collect();
    if values.iter().any(String::is_empty) || distinct.len() < values.len() {
        return Err(wrong());
    }
    Ok(Category {
        name: name.trim().to_owned(),
        values,
    })
}

/// How inputs come onto the grid: numeric columns from their intervals onto [-1, 1], then one coordinate for
/// each value of each category.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// Numeric columns by name.
    pub numeric: Vec<(String, Scale)>,
    /// Categorical columns.
    pub categories: Vec<Category>,
    /// Whether values beyond their interval are clipped, and unknown names are none of the values.
    pub clip: bool,
}

impl Inputs {
    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        let values = self.categories.iter().map(|category| category.values.len());
        self.numeric.len() + values.sum::<usize>()
    }

    /// The places of the columns, numeric ones first.
    pub fn columns(&self, records: &Records) -> Result<Vec<usize>, Error> {
        let numeric = self.numeric.iter().map(|(name, _)| name);
        let categories = self.categories.iter().map(|category| &category.name);
        numeric
            .chain(categories)
            .map(|name| column(records, "the inputs", name))
            .collect()
    }

    /// The coordinates of the record read last.
    pub fn place(
        &self,
        records: &Records,
        line: u64,
        columns: &[usize],
    ) -> Result<Vec<i64>, Error> {
        let mut point = Vec::with_capacity(self.dimension());
        for ((_, scale), &column) in self.numeric.iter().zip(columns) {
            point.push(number(records, line, column, scale, self.clip)?);
        }
        let one = 1i64 << GRID_BITS;
        for (category, &column) in self.categories.iter().zip(&columns[self.numeric.len()..]) {
            let field = records.field(column);
            let which = category
                .values
                .iter()
                .position(|value| value.as_bytes() == field);
            if which.is_none() && !self.clip {
                return Err(wrong(
                    records,
                    line,
                    column,
                    format!(
                        "must be one of {} (--clip lets it be none)",
                        category.values.join(", ")
                    ),
                ));
            }
            point.extend(
                (0..category.values.len()).map(|value| if which == Some(value) { one } else { 0 }),
            );
        }
        Ok(point)
    }
}

/// The number in a field, from its interval onto the grid.
fn number(
    records: &Records,
    line: u64,
    column: usize,
    scale: &Scale,
    clip: bool,
) -> Result<i64, Error> {
    let one = 1i64 << GRID_BITS;
    match scale.place(records.field(column), one) {
        None => Err(wrong(
            records,
            line,
            column,
            "must be a finite number such as 0.25 (empty, NaN and infinity are refused)".to_owned(),
        )),
        Some(Placed::Inside(steps)) => Ok(steps),
        Some(Placed::Below) if clip => Ok(-one),
        Some(Placed::Above) if clip => Ok(one),
        Some(Placed::Below | Placed::Above) => Err(wrong(
            records,
            line,
            column,
            format!(
                "outside its public interval {}:{} (--clip clips onto it)",
                scale.lo(),
                scale.hi()
            ),
        )),
    }
}

fn wrong(records: &Records, line: u64, column: usize, reason: String) -> Error {
    Error::Field {
        path: records.path().to_owned(),
        line,
        column: records.header().get(column).cloned().unwrap_or_default(),
        reason,
    }
}

/// A file whose header was read: what is public about it, before any record is looked at.
#[derive(Debug)]
pub struct Opened {
    records: Records,
    /// How inputs come onto the grid.
    pub inputs: Inputs,
    /// The column of the label, and its interval.
    pub label: (String, Scale),
}

/// The records.
#[derive(Debug)]
pub struct Loaded {
    /// To learn from.
    pub training: Dataset,
    /// To measure the error on.
    pub held_out: Vec<Record>,
}

impl Opened {
    /// Opens a file.
    pub fn new(path: &Path, arguments: &Arguments) -> Result<Self, Error> {
        let records = Records::open(path, arguments.separator)?;
        let label = column(&records, "--label", &arguments.label)?;
        for name in &arguments.drop {
            column(&records, "--drop", name)?;
        }
        let mut not_numeric = arguments.drop.clone();
        for category in &arguments.categories {
            let place = column(&records, "--category", &category.name)?;
            if place == label || not_numeric.contains(&category.name) {
                return Err(Error::Usage(format!(
                    "--category {}: it is the label's column, dropped, or given twice",
                    category.name
                )));
            }
            not_numeric.push(category.name.clone());
        }
        let numeric: Vec<&String> = match feature_columns(&records, Some(label), &not_numeric) {
            Ok(columns) => columns
                .iter()
                .filter_map(|&c| records.header().get(c))
                .collect(),
            // All columns that were named are there: no numeric one is left, which is fine with categories.
            Err(Error::Data { .. }) if !arguments.categories.is_empty() => Vec::new(),
            Err(error) => return Err(error),
        };
        let scales = scales(&numeric, &arguments.boxes)?;
        let inputs = Inputs {
            numeric: numeric.into_iter().cloned().zip(scales).collect(),
            categories: arguments.categories.clone(),
            clip: arguments.clip,
        };
        if arguments.label_box.name.is_some() {
            return Err(Error::Usage(
                "--label-box must be LO:HI, without a name: --label names the column".to_owned(),
            ));
        }
        Ok(Self {
            records,
            inputs,
            label: (arguments.label.clone(), arguments.label_box.scale.clone()),
        })
    }

    /// Reads the records. Under addition and removal there are at most `cap`, and none is held out.
    pub fn read(mut self, arguments: &Arguments, cap: Option<usize>) -> Result<Loaded, Error> {
        let columns = self.inputs.columns(&self.records)?;
        let label = column(&self.records, "--label", &self.label.0)?;
        let mut all = Vec::new();
        while let Some(line) = self.records.advance()? {
            all.push(Record {
                features: self.inputs.place(&self.records, line, &columns)?,
                label: number(&self.records, line, label, &self.label.1, arguments.clip)?,
            });
        }
        // Where records are added or removed their number is private: no record at all is learned from too.
        if cap.is_none() && all.len() < 2 {
            return Err(Error::data(
                self.records.path(),
                format!("at least two records are needed, got {}", all.len()),
            ));
        }
        let fifth = rational::ratio(1, 5);
        let fraction = match (cap, &arguments.holdout) {
            (None, None) => fifth,
            (None, Some(fraction)) => fraction.clone(),
            (Some(_), Some(fraction)) if !fraction.is_zero() => {
                return Err(Error::Usage(format!(
                    "--holdout {fraction} needs a public number of records: under addition and removal \
                     nothing can be held out"
                )));
            }
            (Some(_), _) => Rational::zero(),
        };
        let (training, held_out) = hold_out(all, &fraction, arguments.split_seed)?;
        let grid = Grid::new(GRID_BITS)?;
        let domain = Domain {
            input_grid: grid,
            dimension: self.inputs.dimension(),
            largest_feature: grid.one(),
            label_grid: grid,
            largest_label: grid.one(),
            neighbours: match cap {
                None => NeighbouringRelation::Substitute,
                Some(_) => NeighbouringRelation::AddOrRemove,
            },
            records: cap.unwrap_or(training.len()),
        };
        Ok(Loaded {
            training: Dataset::new(domain, training)?,
            held_out,
        })
    }
}
