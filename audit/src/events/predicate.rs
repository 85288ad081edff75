//! Predicates: what an output may or may not satisfy. Deterministic, and defined on every output.

use super::features::{Feature, Real};
use crate::targets::Output;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What an output may or may not satisfy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Predicate {
    /// The feature is there, and at most the bound.
    AtMost {
        /// The feature.
        feature: Feature,
        /// The bound.
        bound: Real,
    },
    /// The feature is there, and at least the bound.
    AtLeast {
        /// The feature.
        feature: Feature,
        /// The bound.
        bound: Real,
    },
    /// The feature is there, and between the bounds or equal to one of them.
    Between {
        /// The feature.
        feature: Feature,
        /// The lower bound.
        low: Real,
        /// The upper bound.
        high: Real,
    },
    /// The feature is there, and one of these.
    OneOf {
        /// The feature.
        feature: Feature,
        /// The values.
        values: BTreeSet<Output>,
    },
    /// All of these.
    All(Vec<Predicate>),
    /// At least one of these; none of nothing.
    Any(Vec<Predicate>),
}

impl Predicate {
    /// Whether `output` satisfies it. Without the feature it does not: NaN is in no interval, and text
    /// is not above a bound.
    #[must_use]
    pub fn holds(&self, output: &Output) -> bool {
        match self {
            Self::AtMost { feature, bound } => feature
                .compare(output, bound.get())
                .is_some_and(Ordering::is_le),
            Self::AtLeast { feature, bound } => feature
                .compare(output, bound.get())
                .is_some_and(Ordering::is_ge),
            Self::Between { feature, low, high } => {
                let above = feature.compare(output, low.get());
                let below = || feature.compare(output, high.get());
                above.is_some_and(Ordering::is_ge) && below().is_some_and(Ordering::is_le)
            }
            Self::OneOf { feature, values } => feature
                .key(output)
                .is_some_and(|key| values.contains(&*key)),
            Self::All(parts) => parts.iter().all(|part| part.holds(output)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(output)),
        }
    }

    /// How many of `outputs` satisfy it.
    pub(super) fn count(&self, outputs: &[Output]) -> u64 {
        let holding = outputs.iter().filter(|output| self.holds(output));
        holding.count() as u64
    }

    /// What never holds.
    pub(super) fn never() -> Self {
        Self::Any(Vec::new())
    }

    /// This and `other`.
    pub(super) fn and(&self, other: Self) -> Self {
        let mut parts = match self {
            Self::All(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        parts.push(other);
        Self::All(parts)
    }

    /// This or `other`.
    pub(super) fn or(&self, other: Self) -> Self {
        let mut parts = match self {
            Self::Any(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        parts.push(other);
        Self::Any(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_ends_and_no_text() {
        let between = Predicate::Between {
            feature: Feature::Number { at: None },
            low: Real::new(0.0),
            high: Real::new(2.0),
        };
        for (output, inside) in [
            (Output::float(0.0), true),
            (Output::float(-0.0), true),
            (Output::Integer(2), true),
            (Output::float(2.0f64.next_up()), false),
            (Output::float(f64::NAN), false),
            (Output::float(f64::INFINITY), false),
            (Output::Label("1".into()), false),
            (Output::Vector(vec![Output::Integer(1)]), false),
            (Output::Error("1".into()), false),
        ] {
            assert_eq!(between.holds(&output), inside, "{output}");
        }
    }
}
