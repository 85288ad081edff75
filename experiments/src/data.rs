//! The three data files, and how the paper's code prepares them.

use dp_assay::number::{Rational, rational};
use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_cli::error::Error;
use dp_assay_cli::table::{Form, Records};
use nalgebra::DMatrix;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What stands in a data file: the columns that are needed; others are not looked at.
pub struct Schema {
    /// The file's name.
    pub file: &'static str,
    /// The SHA-256 sum of the file that the authors publish, as in `spec/random-features.md`.
    sha256: &'static str,
    separator: u8,
    numeric: &'static [&'static str],
    /// Names of columns, and the values that occur in them.
    categories: &'static [(&'static str, &'static [&'static str])],
    label: &'static str,
}

/// Medical Cost Personal Datasets (B. Lantz, Machine Learning with R): simulated records.
pub const INSURANCE: Schema = Schema {
    file: "insurance.csv",
    sha256: "388eff679557d08ac19f463d025de5e0b4adc482537c8456d19934d78621fd47",
    separator: b',',
    numeric: &["age", "bmi", "children"],
    categories: &[
        ("sex", &["female", "male"]),
        ("smoker", &["no", "yes"]),
        (
            "region",
            &["northeast", "northwest", "southeast", "southwest"],
        ),
    ],
    label: "charges",
};

/// Red wine (Cortez, Cerdeira, Almeida, Matos, Reis 2009, UCI 186).
pub const RED_WINE: Schema = wine(
    "winequality-red.csv",
    "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e",
);
/// White wine (the same source).
pub const WHITE_WINE: Schema = wine(
    "winequality-white.csv",
    "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836",
);

const fn wine(file: &'static str, sha256: &'static str) -> Schema {
    Schema {
        file,
        sha256,
        separator: b';',
        numeric: &[
            "fixed acidity",
            "volatile acidity",
            "citric acid",
            "residual sugar",
            "chlorides",
            "free sulfur dioxide",
            "total sulfur dioxide",
            "density",
            "pH",
            "sulphates",
            "alcohol",
        ],
        categories: &[],
        label: "quality",
    }
}

/// A data file, read: one entry a record in every column.
pub struct Source {
    /// The file's name.
    pub file: &'static str,
    /// The numeric columns by name, exactly as they stand in the file.
    pub numeric: Vec<(&'static str, Vec<Rational>)>,
    /// The categorical columns by name: the names of the values, and which one each record has.
    pub categories: Vec<(&'static str, &'static [&'static str], Vec<usize>)>,
    /// The label column, exactly as it stands in the file.
    pub label: Vec<Rational>,
}

/// Inputs and labels as floats: a column of `inputs` is a record.
#[derive(Clone)]
pub struct Prepared {
    /// Coordinates by records.
    pub inputs: DMatrix<f64>,
    /// One label a record.
    pub labels: Vec<f64>,
}

/// How often records coincide, which decides whether interpolation is possible at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Duplicates {
    /// Records.
    pub records: usize,
    /// Records whose inputs another, earlier record has.
    pub repeated: usize,
    /// Distinct inputs that occur with more than one label.
    pub conflicting: usize,
}

impl Schema {
    /// Why the file in `directory` is not the published one; `None` if it is.
    pub fn difference(&self, directory: &Path) -> Result<Option<Error>, Error> {
        /// The published files are smaller: a longer one has another sum in any case.
        const MOST_BYTES: u64 = 1 << 24;
        let path = directory.join(self.file);
        let mut contents = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut contents))
            .map_err(|source| Error::read(&path, source))?;
        let found = hexadecimal(&Sha256::digest(&contents));
        if found == self.sha256 {
            return Ok(None);
        }
        Ok(Some(Error::data(
            &path,
            format!(
                "this is not the file that the authors publish: its SHA-256 sum is {found}, and should be {} \
                 (--any-data takes it all the same)",
                self.sha256
            ),
        )))
    }
}

/// The files in `directory` that are not the published ones; an error if there are any and they are not taken.
pub fn others(
    directory: &Path,
    schemas: &[&Schema],
    any_data: bool,
) -> Result<Vec<&'static str>, Error> {
    let mut others = Vec::new();
    for schema in schemas {
        match schema.difference(directory)? {
            None => {}
            Some(_) if any_data => others.push(schema.file),
            Some(difference) => return Err(difference),
        }
    }
    Ok(others)
}

impl Source {
    /// Reads the file of `schema` in `directory`.
    pub fn read(directory: &Path, schema: &Schema) -> Result<Self, Error> {
        let path = directory.join(schema.file);
        let form = Form {
            separator: Some(schema.separator),
            ..Form::default()
        };
        let mut records = Records::open(&path, &form)?;
        let column = |records: &Records, name: &str| {
            records.column(name).ok_or_else(|| {
                Error::data(
                    &path,
                    format!(
                        "there is no column '{name}' in the header; its columns must be separated by '{}'",
                        char::from(schema.separator)
                    ),
                )
            })
        };
        let mut numeric = Vec::new();
        for &name in schema.numeric.iter().chain([&schema.label]) {
            numeric.push((name, column(&records, name)?, Vec::new()));
        }
        let mut categories = Vec::new();
        for &(name, values) in schema.categories {
            categories.push((name, values, column(&records, name)?, Vec::new()));
        }
        while let Some(line) = records.advance()? {
            let wrong = |column: &str, reason: String| Error::Field {
                path: path.clone(),
                line,
                column: column.to_owned(),
                reason,
            };
            for (name, index, column) in &mut numeric {
                let text = std::str::from_utf8(records.field(*index)).unwrap_or_default();
                column.push(rational::parse(text).map_err(|_| {
                    wrong(
                        name,
                        "must be a finite number such as 0.25 (empty, NaN and infinity are refused)"
                            .to_owned(),
                    )
                })?);
            }
            for (name, values, index, column) in &mut categories {
                let field = records.field(*index);
                let value = values.iter().position(|value| value.as_bytes() == field);
                column.push(
                    value.ok_or_else(|| {
                        wrong(name, format!("must be one of {}", values.join(", ")))
                    })?,
                );
            }
        }
        let Some((_, _, label)) = numeric.pop() else {
            return Err(Error::data(&path, "a label column is needed"));
        };
        if label.len() < MINIMUM {
            return Err(Error::data(
                &path,
                format!("at least {MINIMUM} records are needed, got {}", label.len()),
            ));
        }
        let source = Self {
            file: schema.file,
            numeric: numeric
                .into_iter()
                .map(|(name, _, column)| (name, column))
                .collect(),
            categories: categories
                .into_iter()
                .map(|(name, values, _, column)| (name, values, column))
                .collect(),
            label,
        };
        // Scaling by the extremes divides by their difference.
        let named = source.numeric.iter().map(|(name, column)| (*name, column));
        for (name, column) in named.chain([(schema.label, &source.label)]) {
            if column.iter().all(|value| Some(value) == column.first()) {
                return Err(Error::data(
                    &path,
                    format!("the column '{name}' is constant: at least two values are needed"),
                ));
            }
        }
        Ok(source)
    }

    /// The number of records.
    pub fn records(&self) -> usize {
        self.label.len()
    }

    /// The label column in floats.
    pub fn labels(&self) -> Vec<f64> {
        self.label
            .iter()
            .map(rational::to_f64_for_display)
            .collect()
    }

    /// Numeric columns as they are, then a zero-one column for each value of each category.
    pub fn unscaled(&self) -> DMatrix<f64> {
        self.inputs(|column| column)
    }

    /// As the paper's code prepares the data of Section 4.1: numeric columns and labels from their
    /// least to their largest value, test records included, onto [0, 1]; categories as above.
    pub fn between_extremes(&self) -> Prepared {
        Prepared {
            inputs: self.inputs(onto_unit_interval),
            labels: onto_unit_interval(self.labels()),
        }
    }

    fn inputs(&self, scale: impl Fn(Vec<f64>) -> Vec<f64>) -> DMatrix<f64> {
        let mut columns: Vec<Vec<f64>> = self
            .numeric
            .iter()
            .map(|(_, column)| scale(column.iter().map(rational::to_f64_for_display).collect()))
            .collect();
        for (_, values, column) in &self.categories {
            for which in 0..values.len() {
                let indicator = |&value: &usize| if value == which { 1.0 } else { 0.0 };
                columns.push(column.iter().map(indicator).collect());
            }
        }
        DMatrix::from_fn(columns.len(), self.records(), |coordinate, record| {
            columns[coordinate][record]
        })
    }

    /// Which records share their inputs, and how many others each shares them with.
    pub fn occurrences(&self) -> Vec<usize> {
        let mut count = HashMap::new();
        for record in 0..self.records() {
            *count.entry(self.key(record)).or_insert(0) += 1;
        }
        (0..self.records())
            .map(|record| count.get(&self.key(record)).copied().unwrap_or(0))
            .collect()
    }

    /// How often records coincide.
    pub fn duplicates(&self) -> Duplicates {
        let mut labels: HashMap<_, Vec<&Rational>> = HashMap::new();
        for (record, label) in self.label.iter().enumerate() {
            labels.entry(self.key(record)).or_default().push(label);
        }
        Duplicates {
            records: self.records(),
            repeated: self.records() - labels.len(),
            conflicting: labels
                .values()
                .filter(|labels| labels.iter().any(|label| Some(label) != labels.first()))
                .count(),
        }
    }

    /// A record's inputs.
    fn key(&self, record: usize) -> (Vec<&Rational>, Vec<usize>) {
        (
            self.numeric.iter().map(|(_, c)| &c[record]).collect(),
            self.categories.iter().map(|(_, _, c)| c[record]).collect(),
        )
    }
}

/// A file of fewer records leaves nothing to learn from or to test on.
const MINIMUM: usize = 20;

impl Prepared {
    /// The records with these indices.
    pub fn select(&self, indices: &[usize]) -> Self {
        Self {
            inputs: self.inputs.select_columns(indices),
            labels: indices.iter().map(|&index| self.labels[index]).collect(),
        }
    }
}

/// `(x - least) / (largest - least)`.
pub fn onto_unit_interval(column: Vec<f64>) -> Vec<f64> {
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    column
        .into_iter()
        .map(|x| (x - least) / (largest - least))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_with_another_sum_is_told_from_the_published_one() {
        let directory = tempfile::tempdir().unwrap();
        // The example of the standard, FIPS 180-2.
        let schema = Schema {
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ..INSURANCE
        };
        let differs = |text: &str| {
            fs::write(directory.path().join(schema.file), text).unwrap();
            schema.difference(directory.path()).unwrap().is_some()
        };
        assert!(!differs("abc"));
        assert!(differs("abc\n"));
    }

    #[test]
    fn the_sums_are_those_of_the_specification() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/random-features.md");
        let page = fs::read_to_string(page).unwrap();
        for schema in [INSURANCE, RED_WINE, WHITE_WINE] {
            let begins = format!("| `{}` | ", schema.file);
            let row = page.lines().find(|line| line.starts_with(&begins)).unwrap();
            assert!(row.ends_with(&format!("| `{}` |", schema.sha256)), "{row}");
        }
    }
}
