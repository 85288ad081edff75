//! The public columns of a table, and how a record of them becomes coordinates on the grid.

use super::missing::{Missing, NO_RULE, Rule, is_usual_mark};
use super::scale::NOT_A_NUMBER;
use super::{Numbered, Placed, Records, Scale};
use crate::error::Error;
use crate::options;
use dp_assay::number::rational::shortly;
use dp_assay::number::shortened;
use dp_assay::number::{Grid, grid::FINEST};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::BufRead;

/// A numeric column and its public interval; in a file its ends are exact texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its interval.
    pub scale: Scale,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    lo: String,
    hi: String,
}

impl From<Column> for Written {
    fn from(column: Column) -> Self {
        Self {
            name: column.name,
            lo: column.scale.lo().to_string(),
            hi: column.scale.hi().to_string(),
        }
    }
}

impl TryFrom<Written> for Column {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { name, lo, hi } = written;
        let wrong = |reason: &str| {
            let (lo, hi) = (shortened(&lo), shortened(&hi));
            format!("the interval of '{name}', {lo}:{hi}: {reason}")
        };
        let read =
            |end, text| options::number(text).map_err(|error| wrong(&format!("{end}: {error}")));
        let scale = Scale::new(read("lo", &lo)?, read("hi", &hi)?);
        match scale {
            Some(scale) => Ok(Self { name, scale }),
            None => Err(wrong("it must have lo below hi")),
        }
    }
}

/// A categorical column: one coordinate, 0 or the largest, for each of its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// The column's name.
    pub name: String,
    /// The values that may occur.
    pub values: Vec<String>,
}

/// Where the coordinates lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Each in [-1, 1].
    Cube,
    /// Each in [-r, r], where the cube of that radius lies in the unit ball: no record is longer than 1.
    Ball,
}

/// Everything public about how a record becomes coordinates: numeric columns first, then one coordinate for each
/// value of each category, then a constant one if there is one. Or features that have numbers instead of names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Columns {
    /// Numeric columns.
    pub numeric: Vec<Column>,
    /// Categorical columns.
    pub categories: Vec<Category>,
    /// Whether the last coordinate is constant, the largest.
    pub intercept: bool,
    /// Where the coordinates lie.
    pub shape: Shape,
    /// They are multiples of 2^-grid_bits.
    pub grid_bits: u32,
    /// Features by number instead of columns by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbered: Option<Numbered>,
    /// What is made of missing values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
}

impl Columns {
    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        let values = self.categories.iter().map(|category| category.values.len());
        let numbered = self.numbered.as_ref().map_or(0, Numbered::count);
        numbered + self.numeric.len() + values.sum::<usize>() + usize::from(self.intercept)
    }

    /// The names of the columns, in the order of the coordinates.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let categories = self.categories.iter().map(|category| &category.name);
        self.numeric
            .iter()
            .map(|column| &column.name)
            .chain(categories)
    }

    /// Checks what a file may say of columns.
    pub fn check(&self) -> Result<(), String> {
        let mut seen = HashSet::new();
        for name in self.names() {
            if !seen.insert(name) {
                return Err(format!("it has the column '{name}' twice"));
            }
        }
        match self.numbered {
            None if seen.is_empty() => return Err("it has no columns".to_owned()),
            Some(_) if !seen.is_empty() || self.shape != Shape::Ball => {
                return Err(
                    "features that are numbered have no columns beside them, and the shape \"ball\"".to_owned(),
                );
            }
            _ => {}
        }
        for category in &self.categories {
            category.check()?;
        }
        self.check_rules()?;
        if self.grid_bits > FINEST {
            return Err(format!(
                "grid_bits must be at most {FINEST}, got {}",
                self.grid_bits
            ));
        }
        if self.largest() == 0 {
            return Err(format!(
                "grid_bits {} is too coarse for {} coordinates: every one would be 0",
                self.grid_bits,
                self.sharing()
            ));
        }
        Ok(())
    }

    /// Checks that what missing values are filled with is a value of their columns.
    pub(super) fn check_rules(&self) -> Result<(), String> {
        let Some(missing) = &self.missing else {
            return Ok(());
        };
        for column in &self.numeric {
            if let Some(Rule::Fill(value)) = missing.rule(&column.name)
                && !matches!(
                    column.scale.place(value.as_bytes(), 1),
                    Some(Placed::Inside(_))
                )
            {
                return Err(format!(
                    "the rule fill:{value} of '{}' must have a number of its interval {}:{}",
                    column.name,
                    shortly(column.scale.lo()),
                    shortly(column.scale.hi())
                ));
            }
        }
        for category in &self.categories {
            if let Some(Rule::Fill(value)) = missing.rule(&category.name)
                && !category.values.contains(value)
            {
                return Err(format!(
                    "the rule fill:{value} of '{}' must have one of its values, {}",
                    category.name,
                    category.values.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// What is made of a field of a column; nothing if it is not missing, or no rule says.
    fn rule(&self, column: &str, field: &[u8]) -> Option<&Rule> {
        let missing = self.missing.as_ref()?;
        let rule = missing.rule(column)?;
        missing.is_mark(field).then_some(rule)
    }

    /// How many share the length of a record in a ball: the coordinates, or all numbered features together and an intercept.
    fn sharing(&self) -> usize {
        match self.numbered {
            Some(_) => 1 + usize::from(self.intercept),
            None => self.dimension(),
        }
    }

    /// The largest coordinate, in steps of the grid.
    fn largest(&self) -> i64 {
        match self.shape {
            Shape::Cube => 1 << self.grid_bits,
            Shape::Ball => {
                let square = (1u128 << (2 * self.grid_bits)) / (self.sharing().max(1) as u128);
                i64::try_from(square.isqrt()).unwrap_or(0)
            }
        }
    }
}

impl Category {
    /// Which of its values a field is.
    fn position(&self, field: &[u8]) -> Option<usize> {
        let mut values = self.values.iter();
        values.position(|value| value.as_bytes() == field)
    }

    /// Checks that its values are there, and differ.
    pub fn check(&self) -> Result<(), String> {
        let distinct: HashSet<&String> = self.values.iter().collect();
        if distinct.is_empty()
            || distinct.len() < self.values.len()
            || distinct.contains(&String::new())
        {
            return Err(format!(
                "the values of the category '{}' must be different texts, none of them empty",
                self.name
            ));
        }
        Ok(())
    }
}

/// Places records on the grid.
#[derive(Debug)]
pub struct Placement {
    pub(super) columns: Columns,
    pub(super) clip: bool,
    grid: Grid,
    // The largest coordinate; in a ball dimension * largest^2 <= 4^bits. Of numbered features it is the longest record
    // too, and of an intercept: largest^2 or twice that is at most 4^bits.
    pub(super) largest: i64,
}

impl Placement {
    /// The placement of these columns; refuses a grid that is too coarse or too fine.
    pub fn new(columns: Columns, clip: bool) -> Result<Self, Error> {
        let bits = columns.grid_bits;
        let grid = Grid::new(bits).map_err(|_| Error::option("--grid-bits", "at most 40", bits))?;
        let dimension = columns.sharing();
        let largest = columns.largest();
        if largest == 0 {
            return Err(Error::Usage(format!(
                "--grid-bits {bits} is too coarse for {dimension} coordinates: every one would be 0; at least \
                 half the binary logarithm of their number is needed"
            )));
        }
        Ok(Self {
            columns,
            clip,
            grid,
            largest,
        })
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Where the columns stand in a file; others in it are not looked at.
    pub fn find<R: BufRead>(&self, records: &Records<R>) -> Result<Vec<usize>, Error> {
        self.columns
            .names()
            .map(|name| {
                records.column(name).ok_or_else(|| {
                    Error::data(
                        records.path(),
                        format!("the column '{name}' is needed: {}", records.no_column(name)),
                    )
                })
            })
            .collect()
    }

    /// Whether the record read last is dropped, since a value is missing whose rule says so.
    pub fn drops<R: BufRead>(&self, records: &Records<R>, places: &[usize]) -> bool {
        let is_dropped =
            |name: &String, field: &[u8]| self.columns.rule(name, field) == Some(&Rule::Drop);
        self.columns.missing.is_some() && self.any_missing(records, places, is_dropped)
    }

    /// Whether the record read last lacks a value that no rule fills.
    pub fn lacks<R: BufRead>(&self, records: &Records<R>, places: &[usize]) -> bool {
        let is_lacking = |name: &String, field: &[u8]| match self.columns.rule(name, field) {
            Some(rule) => *rule == Rule::Drop,
            None => is_usual_mark(field),
        };
        self.any_missing(records, places, is_lacking)
    }

    /// Whether a field is so, and no value of its category.
    fn any_missing<R: BufRead>(
        &self,
        records: &Records<R>,
        places: &[usize],
        is_missing: impl Fn(&String, &[u8]) -> bool,
    ) -> bool {
        let (numeric, categories) = (&self.columns.numeric, &self.columns.categories);
        let (first, rest) = places.split_at(numeric.len().min(places.len()));
        let mut numeric = numeric.iter().zip(first);
        let mut categories = categories.iter().zip(rest);
        numeric.any(|(column, &place)| is_missing(&column.name, records.field(place)))
            || categories.any(|(category, &place)| {
                let field = records.field(place);
                // With --clip a name that is none of these is none, where no rule says more.
                let is_none = self.clip && self.columns.rule(&category.name, field).is_none();
                let is_value = category.position(field).is_some();
                !is_none && !is_value && is_missing(&category.name, field)
            })
    }

    /// The record that counts for one that is dropped.
    pub fn zero(&self) -> Vec<i64> {
        vec![0; self.columns.dimension()]
    }

    /// The coordinates of the record read last, whose columns stand at `places`, and whether any was clipped.
    pub fn place<R: BufRead>(
        &self,
        records: &Records<R>,
        line: u64,
        places: &[usize],
    ) -> Result<(Vec<i64>, bool), Error> {
        let mut point = Vec::with_capacity(self.columns.dimension());
        let mut clipped = false;
        for (column, &place) in self.columns.numeric.iter().zip(places) {
            let filled = match self.columns.rule(&column.name, records.field(place)) {
                Some(Rule::Zero) => Some(0),
                Some(Rule::Fill(value)) => match column.scale.place(value.as_bytes(), self.largest)
                {
                    Some(Placed::Inside(steps)) => Some(steps),
                    _ => None,
                },
                Some(Rule::Drop) | None => None,
            };
            let (steps, beyond) = match filled {
                Some(steps) => (steps, false),
                None => number(records, line, place, &column.scale, self.largest, self.clip)
                    .map_err(|error| or_a_category(error, &column.name))?,
            };
            point.push(steps);
            clipped |= beyond;
        }
        let places = places.get(self.columns.numeric.len()..).unwrap_or_default();
        for (category, &place) in self.columns.categories.iter().zip(places) {
            let field = records.field(place);
            let rule = self.columns.rule(&category.name, field);
            let which = category.position(field).or_else(|| match rule {
                Some(Rule::Fill(value)) => category.position(value.as_bytes()),
                _ => None,
            });
            let is_none = rule == Some(&Rule::Zero);
            if which.is_none() && !is_none && is_usual_mark(field) && !self.clip {
                return Err(records.wrong(line, place, NO_RULE));
            }
            if which.is_none() && !is_none && !self.clip {
                return Err(records.wrong(
                    line,
                    place,
                    format!(
                        "must be one of {} (--clip lets it be none)",
                        category.values.join(", ")
                    ),
                ));
            }
            clipped |= which.is_none() && !is_none;
            let coordinate = |value| {
                if which == Some(value) {
                    self.largest
                } else {
                    0
                }
            };
            point.extend((0..category.values.len()).map(coordinate));
        }
        if self.columns.intercept {
            point.push(self.largest);
        }
        Ok((point, clipped))
    }
}

/// The same error, with what goes on where a column has names: its own option.
fn or_a_category(error: Error, column: &str) -> Error {
    match error {
        Error::Field {
            path,
            line,
            column: name,
            reason,
        } if reason == NOT_A_NUMBER => Error::Field {
            path,
            line,
            column: name,
            reason: format!(
                "{reason}; if the column has names: --category '{column}=A,B,...', or --drop '{column}'; if its numbers have a decimal comma: --decimal-comma"
            ),
        },
        other => other,
    }
}

/// The number in a field, from its interval onto integers from `-largest` to `largest`, and whether it was clipped.
pub(super) fn number<R: BufRead>(
    records: &Records<R>,
    line: u64,
    place: usize,
    scale: &Scale,
    largest: i64,
    clip: bool,
) -> Result<(i64, bool), Error> {
    let text = records.number(place);
    match text.and_then(|text| scale.place(&text, largest)) {
        None if is_usual_mark(records.field(place)) => Err(records.wrong(line, place, NO_RULE)),
        None => Err(records.wrong(line, place, NOT_A_NUMBER)),
        Some(Placed::Inside(steps)) => Ok((steps, false)),
        Some(Placed::Below) if clip => Ok((-largest, true)),
        Some(Placed::Above) if clip => Ok((largest, true)),
        Some(Placed::Below | Placed::Above) => Err(records.wrong(
            line,
            place,
            format!(
                "outside its public interval {}:{} (--clip clips onto it)",
                shortly(scale.lo()),
                shortly(scale.hi())
            ),
        )),
    }
}
