//! What of an output is looked at: a mechanism of floats fails in its lowest bits first, and that hides errors of scale.

use crate::targets::Output;
use serde::{Deserialize, Serialize};

/// What of an output is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// All of it.
    Whole,
    /// Values: how numbers compare, and whole outputs; not the sign of a zero, nor the bits of NaN, nor which bits of a
    /// double are set.
    Values,
    /// How doubles are represented: their lowest and highest set bit, the sign of zero, the bits of NaN.
    Bits,
    /// Values together with the times that they took, in buckets.
    Time,
}

impl Aspect {
    /// The aspects in which such outputs are audited: values and bits apart if a double among them is no whole number,
    /// and otherwise all at once.
    #[must_use]
    pub fn of(outputs: &[Vec<Output>; 2]) -> &'static [Self] {
        match outputs.iter().flatten().any(Output::has_fraction) {
            true => &[Self::Values, Self::Bits],
            false => &[Self::Whole],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_bits_are_apart_where_doubles_are_no_whole_numbers() {
        let of = |output: Output| Aspect::of(&[Vec::new(), vec![Output::Integer(1), output]]).len();
        for one in [
            Output::float(3.0),
            Output::Label("0.5".into()),
            Output::Bytes(vec![1]),
            Output::Vector(vec![Output::Null]),
        ] {
            assert_eq!(of(one.clone()), 1, "{one}");
        }
        for two in [0.5, -0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(of(Output::float(two)), 2);
            let nested = Output::Object(vec!["x".into()], vec![Output::float(two)]);
            assert_eq!(of(Output::Vector(vec![nested])), 2);
        }
    }
}
