//! Names that stand twice in an object of a file: the reader of JSON would keep the last and drop the others silently.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use std::collections::HashSet;
use std::fmt;

/// The first name that an object has already: its line, from 1, and what is wrong with it. What is no JSON is left to
/// others.
pub(super) fn first_that_is_given_twice(text: &str) -> Option<(usize, String)> {
    let error = serde_json::from_str::<Once>(text).err()?;
    let reason = error.to_string();
    let at = reason.rfind(" at line ").unwrap_or(reason.len());
    (error.classify() == Category::Data).then(|| (error.line(), reason[..at].to_owned()))
}

/// JSON in which every name stands once.
struct Once;

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Once)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = entries.next_key::<String>()? {
            if names.contains(&name) {
                return Err(Error::custom(format!(
                    "the name {name:?} stands twice in one object, and one of its values would be lost"
                )));
            }
            names.insert(name);
            entries.next_value::<Self>()?;
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_stands_twice_is_found_at_any_depth() {
        for (text, line) in [
            (r#"{"a": 1, "a": 2}"#, 1),
            ("[1, {\"b\": [{\"a\": 1,\n \"\\u0061\": 2}]}]", 2),
        ] {
            let (found, reason) = first_that_is_given_twice(text).unwrap();
            assert_eq!(found, line, "{text}");
            assert!(
                reason.starts_with("the name \"a\" stands twice"),
                "{reason}"
            );
        }
        for text in [
            r#"[{"a": 1}, {"a": 2, "b": {"a": null}}, true, -1, 2.5, "a", "a"]"#,
            "{\"a\"",
            "12345678901234567890123",
        ] {
            assert_eq!(first_that_is_given_twice(text), None, "{text}");
        }
    }
}
