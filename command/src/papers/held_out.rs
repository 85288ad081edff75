//! How a model errs on the records that were held out: told with noise, at no cost beside the model's.

use crate::error::Error;
use crate::options::number;
use crate::table::Label;
use dp_assay::coins::Coins;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::privacy::HeldOut;
use dp_assay::stats::{Ends, NoisySum, StatsError};
use dp_assay_audit::report::row;
use num_traits::{One, Signed};
use serde::{Deserialize, Serialize};

/// How a model errs on records that were held out: of each an integer from 0 to the largest, which is public. A function
/// of the model and of this one record: what the other records are does not matter.
#[derive(Debug)]
pub struct Errors {
    /// The largest: 1 where a record is right or wrong.
    pub largest: u64,
    /// Of the records.
    pub of_records: Vec<u64>,
}

impl Errors {
    /// Right or wrong; where nothing is predicted it is wrong.
    pub fn of_classes<T>(records: &[T], is_right: impl Fn(&T) -> bool) -> Self {
        let of_record = |record| u64::from(!is_right(record));
        Self {
            largest: 1,
            of_records: records.iter().map(of_record).collect(),
        }
    }

    /// The distance, in steps of the grid, of the label and what is predicted, both in `[-one, one]`; a prediction beyond an
    /// end counts as that end, and where nothing is predicted the error is the largest.
    pub fn of_numbers<T>(
        records: &[T],
        one: i64,
        of_record: impl Fn(&T) -> Option<(i64, i64)>,
    ) -> Self {
        let largest = 2 * one.unsigned_abs();
        let error = |record| match of_record(record) {
            Some((predicted, label)) => predicted.clamp(-one, one).abs_diff(label),
            None => largest,
        };
        Self {
            largest,
            of_records: records.iter().map(error).collect(),
        }
    }

    /// Their sum with noise: private with all of this epsilon, whatever the model cost.
    pub fn told(&self, epsilon: &Rational, coins: &mut impl Coins) -> Result<Told, Error> {
        let release = HeldOut::new(self.of_records.len() as u64, self.largest, epsilon)?;
        let told = release.release(&self.of_records, coins)?;
        let sum = NoisySum::new(
            told.clone(),
            (release.records(), self.largest),
            release.noise().scale(),
        )?;
        let level = ratio(1, 20);
        Ok(Told {
            records: release.records(),
            largest: self.largest.to_string(),
            told: told.to_string(),
            noise_scale: release.noise().scale().to_string(),
            error: shown(&sum.mean(), Side::Nearest),
            wrong_with: level.to_string(),
            on_these_records: ends(&sum.mean_of_these(&level)?),
            on_records_of_their_law: ends(&sum.mean_of_all(&level)?),
        })
    }
}

/// What is told of the errors: public, and safe to publish with the model. Numbers are texts; errors are the mean of those
/// of a record in units of the largest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// How many records were held out.
    pub records: u64,
    /// The largest error of a record: 1 of a class; of a number the width of its interval, in steps of the grid.
    pub largest: String,
    /// The sum of their errors with noise.
    pub told: String,
    /// The scale of its discrete Laplace noise.
    pub noise_scale: String,
    /// The mean error as told, put into [0, 1].
    pub error: String,
    /// Each of the intervals below misses with at most this probability.
    pub wrong_with: String,
    /// The mean error on the held-out records is between.
    pub on_these_records: [String; 2],
    /// If they were drawn independently from one law, its mean error is between.
    pub on_records_of_their_law: [String; 2],
}

impl Told {
    /// Refuses numbers that cannot be.
    pub fn check(&self) -> Result<(), String> {
        let in_range = |text: &String| {
            number(text).is_ok_and(|value| !value.is_negative() && value <= Rational::one())
        };
        let all = [&self.error, &self.wrong_with].into_iter();
        let mut all = all
            .chain(&self.on_these_records)
            .chain(&self.on_records_of_their_law);
        match all.all(in_range) {
            true => Ok(()),
            false => Err("held_out: its errors must be numbers from 0 to 1".to_owned()),
        }
    }

    /// For people: of numbers in the units of the label.
    pub fn rows(&self, label: &Label) -> Vec<(String, String)> {
        let what = match label {
            Label::Classes(_) => "error",
            Label::Interval(_) => "mean absolute error",
        };
        let width = match label {
            Label::Classes(_) => None,
            Label::Interval(column) => Some(column.scale.hi() - column.scale.lo()),
        };
        let in_units = |text: &String| match (&width, number(text)) {
            (Some(width), Ok(share)) => format!("{:.4}", to_f64_for_display(&(share * width))),
            _ => text.clone(),
        };
        let between =
            |[low, high]: &[String; 2]| format!("between {} and {}", in_units(low), in_units(high));
        let noise = match width {
            None => format!(
                "{} as told, with noise of scale {}",
                self.told, self.noise_scale
            ),
            Some(_) => "told with noise".to_owned(),
        };
        vec![
            row("held-out records", self.records.to_string()),
            row(what, format!("{} ({noise})", in_units(&self.error))),
            row("on these records", between(&self.on_these_records)),
            row(
                "on others of their law",
                between(&self.on_records_of_their_law),
            ),
            row(
                "each interval is wrong",
                format!("with probability {} at most", self.wrong_with),
            ),
        ]
    }
}

impl From<StatsError> for Error {
    fn from(error: StatsError) -> Self {
        Self::Paper(Box::new(error))
    }
}

/// Where a number is rounded to.
enum Side {
    Below,
    Nearest,
    Above,
}

/// Both ends, rounded outwards.
fn ends([low, high]: &Ends) -> [String; 2] {
    [shown(low, Side::Below), shown(high, Side::Above)]
}

/// To four decimals.
fn shown(share: &Rational, side: Side) -> String {
    let scaled = share * integer(10_000);
    let digits = match side {
        Side::Below => scaled.floor(),
        Side::Nearest => scaled.round(),
        Side::Above => scaled.ceil(),
    };
    let digits = digits.to_integer();
    let (whole, rest) = (&digits / 10_000, &digits % 10_000);
    format!("{whole}.{rest:0>4}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::coins::ChaCha;

    #[test]
    fn an_error_is_wrong_or_a_distance_within_the_interval() {
        let wrong = Errors::of_classes(&[1, 2, 3], |record| record % 2 == 1);
        assert_eq!((wrong.largest, wrong.of_records), (1, vec![0, 1, 0]));
        let records = [Some((9, 3)), Some((-4, 3)), Some((1, 3)), None];
        let far = Errors::of_numbers(&records, 4, |record| *record);
        assert_eq!((far.largest, far.of_records), (8, vec![1, 7, 2, 8]));
    }

    #[test]
    fn what_is_told_is_within_its_intervals_and_survives_its_file() {
        let errors = Errors {
            largest: 1,
            of_records: (0..200).map(|k| u64::from(k % 10 == 0)).collect(),
        };
        let mut coins = ChaCha::reproducible(3, 0);
        let told = errors.told(&integer(1), &mut coins).unwrap();
        let value = |text: &str| number(text).unwrap();
        for [low, high] in [&told.on_these_records, &told.on_records_of_their_law] {
            assert!(value(low) <= ratio(1, 10) && ratio(1, 10) <= value(high));
        }
        let text = serde_json::to_string(&told).unwrap();
        let again: Told = serde_json::from_str(&text).unwrap();
        assert_eq!((again.check(), &again), (Ok(()), &told));
        let beyond = Told {
            error: "2".to_owned(),
            ..told
        };
        assert!(beyond.check().unwrap_err().contains("from 0 to 1"));
    }

    #[test]
    fn numbers_are_shown_to_four_decimals_on_their_side() {
        let third = ratio(1, 3);
        assert_eq!(shown(&third, Side::Below), "0.3333");
        assert_eq!(shown(&third, Side::Above), "0.3334");
        assert_eq!(shown(&ratio(2, 30_000), Side::Nearest), "0.0001");
        assert_eq!(shown(&integer(1), Side::Above), "1.0000");
    }
}
