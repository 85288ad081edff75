//! The request that a program was answering, for whoever has to repeat it.

use super::line::excerpt;
use serde_json::Value;
use std::fmt;

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Which of all requests it is, from 1.
    pub number: u64,
    /// How many outputs were wanted.
    pub outputs: usize,
    /// The dataset, as it was sent.
    pub data: Value,
}

impl fmt::Display for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "number {}, for {} outputs on {}",
            self.number,
            self.outputs,
            excerpt(&self.data.to_string())
        )?;
        match &self.data {
            Value::Array(records) => write!(formatter, " ({} records)", records.len()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_dataset_is_shortened_and_its_size_is_told() {
        let asked = Asked {
            number: 3,
            outputs: 8,
            data: Value::from(vec![0; 50]),
        };
        let said = asked.to_string();
        let expected = "number 3, for 8 outputs on [0,0,0,0,0,0,0,0,0,0";
        assert!(said.starts_with(expected), "{said}");
        assert!(said.ends_with("… (50 records)"), "{said}");
    }
}
