//! Two answers are equal if their values are, whoever asked; the name is published.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

struct Answer {
    value: i64,
    name: String,
}
dp_assay::published!(Answer { value, name });

impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &&str, _: &mut Meter| {
        Ok(Answer { value: 1, name: (*record).to_owned() })
    };
    metered(program, ["Ann", "Bob"], &nothing())
}
