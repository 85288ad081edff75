//! The distance between two datasets or two outputs, exactly: doubles are the rationals that they are, and what needs a
//! root is kept as its square.

use crate::targets::Output;
use dp_assay::number::rational::{integer, shortly, to_scientific};
use dp_assay::number::{Rational, shortened};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// How many pairs of records are compared at most for one distance by insertions and deletions.
const MOST_STEPS: usize = 1 << 26;

/// The same, in words.
const MOST_IN_ORDER: &str = "arrays that differ, between what they have in common at the beginning and at the end, in at most 2^26 pairs of records";

/// How far two values are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Metric {
    /// Of arrays, without their order: the records that one has and the other has not, each as often as it is missing.
    Symmetric,
    /// Of arrays: the fewest records that are inserted and deleted, one at a time, to make one the other.
    InsertDelete,
    /// Of arrays of one length: the places at which they differ.
    Hamming,
    /// Of arrays of records that have users: those added or removed with all their records count 1, others whose records
    /// differ count 2.
    ByUser,
    /// Of numbers: the absolute difference.
    Absolute,
    /// Of arrays or objects of numbers: the sum of the absolute differences.
    L1,
    /// Of arrays or objects of numbers: the root of the sum of their squares.
    L2,
    /// Of arrays or objects of numbers: the largest of them.
    LInfinity,
}

impl fmt::Display for Metric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Symmetric => "symmetric",
            Self::InsertDelete => "insert-delete",
            Self::Hamming => "hamming",
            Self::ByUser => "by-user",
            Self::Absolute => "absolute",
            Self::L1 => "l1",
            Self::L2 => "l2",
            Self::LInfinity => "l-infinity",
        })
    }
}

/// Where a record says whose it is: the position in an array, or the name in an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserField {
    /// The position in an array, from 0.
    Position(usize),
    /// The name in an object.
    Name(String),
}

impl UserField {
    /// A whole number is a position, everything else a name.
    #[must_use]
    pub fn read(text: &str) -> Self {
        text.parse()
            .map_or_else(|_| Self::Name(text.to_owned()), Self::Position)
    }

    fn of<'a>(&self, record: &'a Output) -> Option<&'a Output> {
        match (self, record) {
            (Self::Position(place), Output::Vector(fields)) => fields.get(*place),
            (Self::Name(name), Output::Object(names, values)) => {
                values.get(names.iter().position(|other| other == name)?)
            }
            _ => None,
        }
    }
}

impl fmt::Display for UserField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(place) => write!(formatter, "{place}"),
            Self::Name(name) => write!(formatter, "{name:?}"),
        }
    }
}

/// A metric, and for that by users the field that names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// The metric.
    pub metric: Metric,
    /// The field of the user, for [`Metric::ByUser`].
    pub user: Option<UserField>,
}

/// A finite distance, by its square.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Length {
    square: Rational,
}

impl Length {
    /// A length that is rational, and at least 0: the absolute value is taken.
    #[must_use]
    pub fn of(value: &Rational) -> Self {
        Self {
            square: value * value,
        }
    }

    /// The root of this, which is at least 0: the absolute value is taken.
    #[must_use]
    pub fn root_of(square: &Rational) -> Self {
        Self {
            square: square.abs(),
        }
    }

    /// The square.
    #[must_use]
    pub fn square(&self) -> &Rational {
        &self.square
    }

    /// So many times as long.
    #[must_use]
    pub fn times(&self, factor: &Rational) -> Self {
        Self {
            square: &self.square * factor * factor,
        }
    }

    /// The length, if it is rational.
    #[must_use]
    pub fn rational(&self) -> Option<Rational> {
        let root = |of: &BigInt| Some(of.sqrt()).filter(|root| root * root == *of);
        Some(Rational::new(
            root(self.square.numer())?,
            root(self.square.denom())?,
        ))
    }

    /// At most six digits, for people: the length rounded to them.
    #[must_use]
    pub fn about(&self) -> String {
        // The root of a number of this many digits more has at least as many.
        let more = BigInt::from(10u32).pow(20);
        let scale = &more * self.square.denom();
        let root = (self.square.numer() * self.square.denom() * &more * &more).sqrt();
        to_scientific(&Rational::new(root, scale), 6)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rational() {
            Some(exact) => formatter.write_str(&shortly(&exact)),
            None => {
                let square = shortened(&self.square.to_string());
                write!(formatter, "sqrt({square}), about {}", self.about())
            }
        }
    }
}

/// A distance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Distance {
    /// So far.
    Finite(Length),
    /// Farther than any number, and why.
    Infinite(String),
}

impl Distance {
    fn zero() -> Self {
        Self::whole(0)
    }

    fn whole(count: u64) -> Self {
        Self::Finite(Length::of(&integer(count)))
    }

    /// Whether it is larger than this.
    #[must_use]
    pub fn exceeds(&self, allowed: &Length) -> bool {
        match self {
            Self::Finite(length) => length > allowed,
            Self::Infinite(_) => true,
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(length) => write!(formatter, "{length}"),
            Self::Infinite(why) => write!(formatter, "infinite: {why}"),
        }
    }
}

/// Two values that the metric does not measure: the question is wrong, and nothing is said of the program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {metric} metric is of {expected}, got {got}")]
pub struct MetricError {
    /// The metric.
    pub metric: Metric,
    /// What it measures.
    pub expected: &'static str,
    /// What it was given.
    pub got: String,
}

impl Measure {
    /// The distance. Two exceptions of one text are at distance 0; an exception against anything else is infinitely far.
    ///
    /// # Errors
    /// [`MetricError`] if the metric measures neither value.
    pub fn between(&self, first: &Output, second: &Output) -> Result<Distance, MetricError> {
        if first == second && !self.must_fit(first) {
            return Ok(Distance::zero());
        }
        if let (Output::Error(_), _) | (_, Output::Error(_)) = (first, second) {
            let why = match (first, second) {
                (Output::Error(_), Output::Error(_)) => "two different exceptions",
                _ => "an exception on one side only",
            };
            return Ok(Distance::Infinite(why.to_owned()));
        }
        match self.metric {
            Metric::Absolute => self.absolute(first, second),
            Metric::L1 | Metric::L2 | Metric::LInfinity => self.of_coordinates(first, second),
            Metric::Symmetric | Metric::InsertDelete | Metric::Hamming | Metric::ByUser => {
                self.of_records(first, second)
            }
        }
    }

    /// Whether a value is looked at though it is compared with itself: what the metric does not measure is told then too.
    fn must_fit(&self, value: &Output) -> bool {
        !matches!(value, Output::Error(_) | Output::Null)
    }

    fn wrong(&self, expected: &'static str, value: &Output) -> MetricError {
        MetricError {
            metric: self.metric,
            expected,
            got: format!("{}: {}", value.kind(), shortened(&value.to_string())),
        }
    }

    fn absolute(&self, first: &Output, second: &Output) -> Result<Distance, MetricError> {
        if first.entries().is_some() && second.entries().is_some() {
            return Err(self.wrong("numbers", first));
        }
        Ok(match difference(first, second) {
            Ok(difference) => Distance::Finite(Length::of(&difference)),
            Err(why) => Distance::Infinite(why),
        })
    }

    fn of_coordinates(&self, first: &Output, second: &Output) -> Result<Distance, MetricError> {
        let mut differences = Vec::new();
        if let Err(why) = differences_of(first, second, &mut differences) {
            return Ok(Distance::Infinite(why));
        }
        Ok(Distance::Finite(match self.metric {
            Metric::L2 => Length::root_of(&differences.iter().map(|d| d * d).sum::<Rational>()),
            Metric::LInfinity => Length::of(&differences.into_iter().max().unwrap_or_default()),
            _ => Length::of(&differences.iter().sum::<Rational>()),
        }))
    }

    fn of_records(&self, first: &Output, second: &Output) -> Result<Distance, MetricError> {
        const EXPECTED: &str = "arrays of records, or objects of columns of one length";
        let (a, b) = match (records(first), records(second)) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return Err(self.wrong(EXPECTED, first)),
            _ => {
                let why = format!("{} against {}", first.kind(), second.kind());
                return Ok(Distance::Infinite(why));
            }
        };
        match (self.metric, &self.user) {
            (Metric::Hamming, _) if a.len() != b.len() => {
                let why = format!("{} records against {}", a.len(), b.len());
                Ok(Distance::Infinite(why))
            }
            (Metric::Hamming, _) => Ok(Distance::whole(
                a.iter().zip(&b).filter(|(a, b)| a != b).count() as u64,
            )),
            (Metric::ByUser, Some(field)) => self.by_user(field, &a, &b),
            (Metric::InsertDelete, _) => insert_delete(&a, &b)
                .map(Distance::whole)
                .ok_or_else(|| self.wrong(MOST_IN_ORDER, first)),
            _ => Ok(Distance::whole(symmetric(&a, &b))),
        }
    }

    fn by_user(
        &self,
        field: &UserField,
        first: &[Output],
        second: &[Output],
    ) -> Result<Distance, MetricError> {
        let mut users: BTreeMap<&Output, [Vec<&Output>; 2]> = BTreeMap::new();
        for (side, dataset) in [first, second].into_iter().enumerate() {
            for record in dataset {
                let user = field
                    .of(record)
                    .ok_or_else(|| self.wrong("records that have the field of --user", record))?;
                users.entry(user).or_default()[side].push(record);
            }
        }
        let changed = users.into_values().map(|mut both| {
            both.iter_mut().for_each(|records| records.sort_unstable());
            match both {
                [first, second] if first == second => 0,
                [first, second] if first.is_empty() || second.is_empty() => 1,
                // By two steps: the user is removed, and added again.
                _ => 2,
            }
        });
        Ok(Distance::whole(changed.sum()))
    }
}

/// The number of records that only one of two multisets has.
fn symmetric(first: &[Output], second: &[Output]) -> u64 {
    let mut counts: BTreeMap<&Output, i64> = BTreeMap::new();
    for record in first {
        *counts.entry(record).or_default() += 1;
    }
    for record in second {
        *counts.entry(record).or_default() -= 1;
    }
    counts.into_values().map(i64::unsigned_abs).sum()
}

/// The fewest insertions and deletions that make one sequence the other: the records beside a longest common subsequence.
/// `None` if too many differ.
fn insert_delete(first: &[Output], second: &[Output]) -> Option<u64> {
    let same = |(a, b): &(&Output, &Output)| a == b;
    let begin = first.iter().zip(second).take_while(same).count();
    let (first, second) = (&first[begin..], &second[begin..]);
    let ends = first.iter().rev().zip(second.iter().rev());
    let end = ends.take_while(same).count();
    let (first, second) = (&first[..first.len() - end], &second[..second.len() - end]);
    if first.len().saturating_mul(second.len()) > MOST_STEPS {
        return None;
    }
    // The distances of what was read of the first to each beginning of the second.
    let mut row: Vec<u64> = (0..=second.len() as u64).collect();
    for a in first {
        let mut before = row[0];
        row[0] += 1;
        for (place, b) in second.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = match a == b {
                true => before,
                false => 1 + above.min(row[place]),
            };
            before = above;
        }
    }
    row.last().copied()
}

/// The records of an array, or the rows of an object of columns that have one length.
fn records(value: &Output) -> Option<Vec<Output>> {
    match value {
        Output::Vector(records) => Some(records.clone()),
        Output::Object(names, columns) => {
            let columns: Vec<&Vec<Output>> = columns
                .iter()
                .map(|column| match column {
                    Output::Vector(items) => Some(items),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            let length = columns.first()?.len();
            if columns.iter().any(|column| column.len() != length) {
                return None;
            }
            let row = |index: usize| columns.iter().map(move |column| column[index].clone());
            let row = |index| Output::Object(names.clone(), row(index).collect());
            Some((0..length).map(row).collect())
        }
        _ => None,
    }
}

/// The absolute differences of all numbers of two values of one shape. A name that one object lacks counts as 0 there.
fn differences_of(
    first: &Output,
    second: &Output,
    differences: &mut Vec<Rational>,
) -> Result<(), String> {
    match (first, second) {
        (Output::Vector(a), Output::Vector(b)) if a.len() == b.len() => {
            let mut both = a.iter().zip(b);
            both.try_for_each(|(a, b)| differences_of(a, b, differences))
        }
        (Output::Vector(a), Output::Vector(b)) => {
            Err(format!("{} entries against {}", a.len(), b.len()))
        }
        (Output::Object(..), Output::Object(..)) => {
            let (a, b) = (named(first), named(second));
            for (name, value) in &a {
                match b.get(name) {
                    Some(other) => differences_of(value, other, differences)?,
                    None => from_zero(value, differences)?,
                }
            }
            let alone = b.iter().filter(|(name, _)| !a.contains_key(*name));
            for (_, value) in alone {
                from_zero(value, differences)?;
            }
            Ok(())
        }
        _ => difference(first, second).map(|difference| differences.push(difference)),
    }
}

fn named(value: &Output) -> BTreeMap<&str, &Output> {
    match value {
        Output::Object(names, values) => names.iter().map(String::as_str).zip(values).collect(),
        _ => BTreeMap::new(),
    }
}

/// The absolute values of all numbers of a value.
fn from_zero(value: &Output, differences: &mut Vec<Rational>) -> Result<(), String> {
    match value.entries() {
        Some(entries) => {
            let mut entries = entries.iter();
            entries.try_for_each(|entry| from_zero(entry, differences))
        }
        None => {
            differences.push(difference(value, &Output::Integer(0))?);
            Ok(())
        }
    }
}

/// The absolute difference of two numbers; 0 for two values that are no numbers, and equal. All NaN are one, and so are
/// 0 and -0. The error says why it is infinite.
fn difference(first: &Output, second: &Output) -> Result<Rational, String> {
    let apart = || Err(format!("{first} against {second}"));
    match (exact(first), exact(second)) {
        (Some(Exact::Finite(a)), Some(Exact::Finite(b))) => Ok((a - b).abs()),
        (Some(a), Some(b)) if a == b => Ok(Rational::zero()),
        (None, None) if first.cmp(second) == Ordering::Equal => Ok(Rational::zero()),
        _ => apart(),
    }
}

#[derive(PartialEq)]
enum Exact {
    Finite(Rational),
    Infinity { negative: bool },
    NotANumber,
}

/// What a number is; `None` for everything else.
fn exact(value: &Output) -> Option<Exact> {
    if let Some(value) = value.exact_number() {
        return Some(Exact::Finite(value));
    }
    match value {
        Output::Float(bits) if f64::from_bits(*bits).is_nan() => Some(Exact::NotANumber),
        Output::Float(bits) => Some(Exact::Infinity {
            negative: f64::from_bits(*bits).is_sign_negative(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    fn between(metric: Metric, first: &str, second: &str) -> Result<Distance, MetricError> {
        let user = Some(UserField::Position(0)).filter(|_| metric == Metric::ByUser);
        let read = |text| Output::read(text).unwrap();
        Measure { metric, user }.between(&read(first), &read(second))
    }

    fn is(metric: Metric, first: &str, second: &str, square: Rational) {
        for (a, b) in [(first, second), (second, first)] {
            let Ok(Distance::Finite(length)) = between(metric, a, b) else {
                panic!("{metric} {a} {b}");
            };
            assert_eq!(*length.square(), square, "{metric} {a} {b}");
        }
    }

    #[test]
    fn distances_are_exact() {
        let square = |root: i64| integer(root * root);
        is(Metric::Symmetric, "[1, 1, 2]", "[2, 1, 3]", square(2));
        is(Metric::Symmetric, "[1, 2]", "[2, 1]", square(0));
        is(Metric::Symmetric, "[0.0]", "[-0.0]", square(2));
        is(
            Metric::Symmetric,
            "[3, \"nan\"]",
            "[\"nan\", 3.0]",
            square(0),
        );
        is(
            Metric::Symmetric,
            r#"{"a": [1, 2]}"#,
            r#"{"a": [2]}"#,
            square(1),
        );
        is(Metric::Hamming, "[1, 2, 3]", "[3, 1, 2]", square(3));
        is(Metric::InsertDelete, "[1, 2, 3]", "[3, 1, 2]", square(2));
        is(Metric::InsertDelete, "[0, 1, 2]", "[2, 1, 0]", square(4));
        is(Metric::InsertDelete, "[0, 1, 2]", "[1, 2, 3]", square(2));
        is(Metric::InsertDelete, "[1, 7, 2]", "[1, 2]", square(1));
        is(Metric::InsertDelete, "[1, 1]", "[1, 1, 1, 1]", square(2));
        is(Metric::InsertDelete, "[]", "[5, 5]", square(2));
        is(Metric::InsertDelete, "[1, 2, 1]", "[1, 2, 1]", square(0));
        is(Metric::Absolute, "3", "-4.5", ratio(225, 4));
        is(Metric::Absolute, "\"nan\"", "\"nan\"", square(0));
        is(Metric::Absolute, "0.0", "-0.0", square(0));
        is(Metric::Absolute, "\"inf\"", "\"inf\"", square(0));
        is(Metric::L1, "[0, [1, 2]]", "[1, [3, -1]]", square(6));
        is(
            Metric::L1,
            r#"{"a": 1, "b": 2}"#,
            r#"{"c": 4, "b": 1}"#,
            square(6),
        );
        is(
            Metric::L2,
            "[0, 0, 0, 0, 0]",
            "[4, 1, 1, 1, 1]",
            integer(20),
        );
        is(Metric::LInfinity, "[0, 5]", "[-7, 1]", square(7));
        is(Metric::LInfinity, "[]", "[]", square(0));
        let users = "[[1, 5], [1, 6], [2, 7]]";
        is(Metric::ByUser, users, "[[2, 7]]", square(1));
        is(Metric::ByUser, users, "[[1, 6], [2, 7], [1, 5]]", square(0));
        is(Metric::ByUser, users, "[[1, 5], [2, 7], [3, 0]]", square(3));
        // What no double is, next to what one is.
        let (a, b) = ("9007199254740993", "9007199254740992.0");
        is(Metric::Absolute, a, b, square(1));
        let tiny = 2f64.powi(-1074);
        let exact = dp_assay::number::rational::from_f64(tiny).unwrap();
        is(
            Metric::L2,
            "0",
            &format!("[{tiny:e}]").replace(['[', ']'], ""),
            &exact * &exact,
        );
    }

    #[test]
    fn insertions_and_deletions_are_counted_as_by_trying_them() {
        /// The same by its definition: from either end of the recursion one record is taken away.
        fn tried(a: &[Output], b: &[Output]) -> u64 {
            match (a, b) {
                ([], rest) | (rest, []) => rest.len() as u64,
                ([x, a @ ..], [y, b @ ..]) if x == y => tried(a, b),
                ([_, less @ ..], [_, fewer @ ..]) => 1 + tried(less, b).min(tried(a, fewer)),
            }
        }
        let sequences: Vec<Vec<Output>> = (0..3u32.pow(4))
            .flat_map(|number| (0..=4u32).map(move |length| (number, length)))
            .map(|(number, length)| {
                let digit = |place| i64::from(number / 3u32.pow(place) % 3);
                (0..length)
                    .map(|place| Output::Integer(digit(place).into()))
                    .collect()
            })
            .collect();
        for a in sequences.iter().step_by(3) {
            for b in &sequences {
                assert_eq!(insert_delete(a, b), Some(tried(a, b)), "{a:?} {b:?}");
            }
        }
        let many = |value: i64| vec![Output::Integer(value.into()); 1 << 14];
        assert_eq!(insert_delete(&many(1), &many(2)), None);
        assert_eq!(insert_delete(&many(1), &many(1)), Some(0));
    }

    #[test]
    fn what_cannot_be_subtracted_is_infinitely_far() {
        for (metric, first, second) in [
            (Metric::Absolute, "\"nan\"", "1"),
            (Metric::Absolute, "\"inf\"", "\"-inf\""),
            (Metric::Absolute, "null", "1"),
            (Metric::Absolute, "[1]", "1"),
            (Metric::L2, "[1, 2]", "[1]"),
            (Metric::L1, "[\"a\"]", "[\"b\"]"),
            (Metric::Hamming, "[1]", "[1, 2]"),
            (Metric::Symmetric, "[1]", "1"),
        ] {
            let found = between(metric, first, second);
            assert!(
                matches!(found, Ok(Distance::Infinite(_))),
                "{metric} {first}"
            );
        }
        let measure = Measure {
            metric: Metric::Symmetric,
            user: None,
        };
        let error = |text: &str| Output::Error(text.to_owned());
        let far = measure.between(&error("x"), &Output::Vector(Vec::new()));
        assert_eq!(
            far.unwrap().to_string(),
            "infinite: an exception on one side only"
        );
        let far = measure.between(&error("x"), &error("y"));
        assert_eq!(
            far.unwrap().to_string(),
            "infinite: two different exceptions"
        );
        let near = measure.between(&error("x"), &error("x"));
        assert_eq!(near.unwrap(), Distance::zero());
    }

    #[test]
    fn a_metric_that_does_not_fit_is_no_distance() {
        for (metric, value) in [
            (Metric::Absolute, "[1]"),
            (Metric::Symmetric, "3"),
            (Metric::Hamming, "{\"a\": 1}"),
            (Metric::ByUser, "[3]"),
        ] {
            assert!(between(metric, value, value).is_err(), "{metric} {value}");
        }
    }

    #[test]
    fn lengths_are_written_exactly_where_they_can_be() {
        let written = |square: Rational| Length::root_of(&square).to_string();
        assert_eq!(written(integer(16)), "4");
        assert_eq!(written(ratio(9, 4)), "3/2");
        assert_eq!(written(integer(20)), "sqrt(20), about 4.47214");
        assert_eq!(written(integer(0)), "0");
        assert_eq!(
            written(ratio(2, 1_000_000)),
            "sqrt(1/500000), about 0.00141421"
        );
    }
}
