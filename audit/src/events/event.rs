//! An event: a predicate, and where it is the more likely.

use super::predicate::Predicate;
use crate::targets::Output;
use dp_assay::stats::Side;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A predicate, and the dataset under which it seemed to hold more often than it may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Where the predicate is the more likely.
    #[serde(with = "written_side")]
    pub likelier: Side,
    /// The predicate.
    pub predicate: Predicate,
}

impl Event {
    /// Whether `output` is in the event.
    #[must_use]
    pub fn contains(&self, output: &Output) -> bool {
        self.predicate.holds(output)
    }

    /// How many of `outputs` are in the event.
    #[must_use]
    pub fn count(&self, outputs: &[Output]) -> u64 {
        self.predicate.count(outputs)
    }
}

/// A side as it is written: `first` or `second`.
mod written_side {
    use super::Side;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match side {
            Side::First => "first",
            Side::Second => "second",
        })
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        match &*String::deserialize(deserializer)? {
            "first" => Ok(Side::First),
            "second" => Ok(Side::Second),
            other => Err(D::Error::custom(format!(
                "expected \"first\" or \"second\", got {other:?}"
            ))),
        }
    }
}

/// For people, cut where it is long; in full with `{:#}`.
impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.predicate.fmt(formatter)
    }
}
