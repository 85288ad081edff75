//! Tables of results: for people, as CSV, and as JSON.

use dp_assay_cli::error::Error;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// A table of results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The name of its CSV file, without the ending.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// One name a column.
    pub columns: Vec<&'static str>,
    /// As many cells a row as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// What has to be said to read it.
    pub notes: Vec<String>,
}

/// An entry of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A count.
    Count(usize),
    /// A measured or computed number; JSON has null where it is not finite.
    Number(f64),
    /// Nothing to say here.
    Nothing,
}

impl Table {
    /// A table without rows.
    pub fn new(name: &'static str, title: impl Into<String>, columns: &[&'static str]) -> Self {
        Self {
            name,
            title: title.into(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// For people: columns under each other, numbers to three digits.
    pub fn render(&self) -> String {
        let mut lines: Vec<Vec<String>> =
            vec![self.columns.iter().map(|&name| name.to_owned()).collect()];
        lines.extend(
            self.rows
                .iter()
                .map(|row| row.iter().map(Cell::short).collect()),
        );
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let widths = lines.iter().filter_map(|line| line.get(column));
                widths.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        let mut text = format!("{}\n", self.title);
        for line in lines {
            let mut rendered = String::from(" ");
            for (cell, width) in line.iter().zip(&widths) {
                rendered += &format!(" {cell:width$} ");
            }
            text += rendered.trim_end();
            text.push('\n');
        }
        for note in &self.notes {
            text += &format!("  * {note}\n");
        }
        text
    }

    /// As CSV, numbers in full.
    pub fn write_csv(&self, path: &Path, out: &mut dyn Write) -> Result<(), Error> {
        let wrong = |error: csv::Error| Error::write(path, std::io::Error::other(error));
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(&self.columns).map_err(wrong)?;
        for row in &self.rows {
            let cells = row.iter().map(Cell::full);
            writer.write_record(cells).map_err(wrong)?;
        }
        writer.flush().map_err(|error| Error::write(path, error))
    }
}

impl Cell {
    /// The numeric value, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Count(count) => Some(*count as f64),
            Self::Text(_) | Self::Nothing => None,
        }
    }

    fn short(&self) -> String {
        match self {
            Self::Number(value) => three_digits(*value),
            other => other.full(),
        }
    }

    fn full(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(value) => value.to_string(),
            Self::Nothing => String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Nothing, Self::Number)
    }
}

/// Three significant digits.
pub fn three_digits(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e6).contains(&size) {
        format!("{value:.2e}")
    } else {
        let places = (2 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.places$}")
    }
}

/// Mean and sample standard deviation; the latter is none for fewer than two values.
pub fn mean_and_spread(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let spread = (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
    (mean, spread)
}

/// Mean and standard error.
pub fn summary(errors: &[f64]) -> Cell {
    let (mean, spread) = mean_and_spread(errors);
    let error = spread.map_or(f64::NAN, |spread| spread / (errors.len() as f64).sqrt());
    format!("{} +- {}", four_places(mean), four_places(error)).into()
}

fn four_places(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.4}")
    } else {
        format!("{value:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned_and_its_csv_is_in_full() {
        let mut table = Table::new("t", "A table", &["what", "value"]);
        table.rows.push(vec!["long name".into(), 0.123_456.into()]);
        table.rows.push(vec!["x".into(), Cell::Nothing]);
        table.notes.push("a note".to_owned());
        assert_eq!(
            table.render(),
            "A table\n  what       value\n  long name  0.123\n  x\n  * a note\n"
        );
        let mut csv = Vec::new();
        table.write_csv(Path::new("t.csv"), &mut csv).unwrap();
        assert_eq!(
            String::from_utf8(csv).unwrap(),
            "what,value\nlong name,0.123456\nx,\n"
        );
    }

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.012_345, "0.0123"),
            (1.5, "1.50"),
            (-37.26, "-37.3"),
            (825.4, "825"),
            (12_345.6, "12346"),
            (9e11, "9.00e11"),
            (1e-9, "1.00e-9"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }

    #[test]
    fn the_spread_is_that_of_a_sample() {
        assert_eq!(mean_and_spread(&[1.0, 3.0]), (2.0, Some(2f64.sqrt())));
        assert_eq!(mean_and_spread(&[1.0]), (1.0, None));
    }
}
