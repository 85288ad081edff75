//! Doubles that JSON has no number for, in datasets: `{"float": "nan"}`.
//!
//! An object with this one name and a text is that double, written as in outputs: `nan`, `inf`, `-inf`, `0x1.8p+0`,
//! `nan:0x…`. It reaches the program as it stands, and an adapter makes it a double of its language. A text alone stays a
//! text: "nan" may be a record's category.

use crate::targets::read_hex;
use serde_json::Value;

/// The text of a double that is written so.
pub(super) fn text(value: &Value) -> Option<&str> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    fields.get("float")?.as_str()
}

/// The first text after `"float"` that is no double, in a file that is JSON: its line, from 1, and what is wrong with it.
pub(super) fn first_that_is_none(file: &str) -> Option<(usize, String)> {
    // Seldom there, and files may be large.
    if !file.contains("\"float\"") {
        return None;
    }
    let value: Value = serde_json::from_str(file).ok()?;
    let wrong = first_wrong(&value)?;
    let quoted = Value::from(wrong).to_string();
    let place = file.find(&quoted).unwrap_or(0);
    let line = 1 + file[..place].matches('\n').count();
    let reason = format!(
        "expected \"nan\", \"inf\", \"-inf\" or a double in hexadecimal (\"0x1.8p+0\") after \"float\", got {quoted}"
    );
    Some((line, reason))
}

fn first_wrong(value: &Value) -> Option<&str> {
    match (text(value), value) {
        (Some(text), _) => (!matches!(read_hex(text), Some(Ok(_)))).then_some(text),
        (None, Value::Array(items)) => items.iter().find_map(first_wrong),
        (None, Value::Object(fields)) => fields.values().find_map(first_wrong),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_told_from_other_texts_and_from_other_objects() {
        for right in [
            r#"[{"float": "nan"}, {"float": "-inf"}, {"float": "0x1.8p+0"}, {"float": "nan:0x7ff8000000000001"}]"#,
            r#"[{"float": 1}, {"float": "x", "more": 1}, "float", ["float"]]"#,
            "not JSON \"float\"",
        ] {
            assert_eq!(first_that_is_none(right), None, "{right}");
        }
        for wrong in ["NaN", "Infinity", "1.5", "", "0x1p+9999", "nan:0x1"] {
            let file = format!("[1,\n {{\"a\": [{{\"float\": \"{wrong}\"}}]}}]");
            let (line, reason) = first_that_is_none(&file).unwrap();
            assert!(reason.ends_with(&format!("got \"{wrong}\"")), "{reason}");
            assert!(line == 2 || wrong.is_empty(), "{line}");
        }
    }
}
