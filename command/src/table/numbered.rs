//! Features that have numbers, not names: how many, and their public interval.

use super::scale::Scale;
use crate::options;
use dp_assay::number::shortened;
use serde::{Deserialize, Serialize};

/// The most features.
pub const MOST_FEATURES: u64 = 1 << 24;

/// Features by their numbers, `1..=count`, each in `[-bound, bound]`; in a file the bound is an exact text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Numbered {
    pub(super) count: u32,
    pub(super) scale: Scale,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    count: u32,
    bound: String,
}

impl From<Numbered> for Written {
    fn from(numbered: Numbered) -> Self {
        Self {
            count: numbered.count,
            bound: numbered.scale.hi().to_string(),
        }
    }
}

impl TryFrom<Written> for Numbered {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { count, bound } = written;
        if !(1..=MOST_FEATURES).contains(&u64::from(count)) {
            return Err(format!(
                "columns.numbered.count must be from 1 to {MOST_FEATURES}, got {count}"
            ));
        }
        let scale = options::number(&bound)
            .ok()
            .and_then(|bound| Scale::new(-bound.clone(), bound));
        match scale {
            Some(scale) => Ok(Self { count, scale }),
            None => Err(format!(
                "columns.numbered.bound must be a number above 0, got '{}'",
                shortened(&bound)
            )),
        }
    }
}

impl Numbered {
    /// How many features there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_says_of_numbered_features_is_checked() {
        let read = |count: &str, bound: &str| {
            let text = format!("{{\"count\": {count}, \"bound\": \"{bound}\"}}");
            serde_json::from_str::<Numbered>(&text)
        };
        let numbered = read("16777216", "3/2").unwrap();
        let written = serde_json::to_string(&numbered).unwrap();
        assert_eq!(written, "{\"count\":16777216,\"bound\":\"3/2\"}");
        for (count, bound) in [
            ("0", "1"),
            ("16777217", "1"),
            ("1", "0"),
            ("1", "-1"),
            ("1", "x"),
        ] {
            assert!(read(count, bound).is_err(), "{count} {bound}");
        }
    }
}
