//! How a file is written: the same value always gives the same bytes.

use serde_json::Value;

/// What is at most so long stands on one line.
const LINE: usize = 320;

/// The value as JSON: keys sorted, one space a level, LF, and a newline at the end.
pub fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, level: usize, text: &mut String) {
    let line = on_one_line(value);
    if line.len() <= LINE {
        text.push_str(&line);
        return;
    }
    let new_line = |level: usize, text: &mut String| {
        text.push('\n');
        text.push_str(&" ".repeat(level));
    };
    match value {
        Value::Array(entries) => {
            text.push('[');
            for (place, entry) in entries.iter().enumerate() {
                text.push_str(if place > 0 { "," } else { "" });
                new_line(level + 1, text);
                write(entry, level + 1, text);
            }
            new_line(level, text);
            text.push(']');
        }
        Value::Object(_) => {
            text.push('{');
            for (place, (key, entry)) in sorted(value).into_iter().enumerate() {
                text.push_str(if place > 0 { "," } else { "" });
                new_line(level + 1, text);
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push_str(": ");
                write(entry, level + 1, text);
            }
            new_line(level, text);
            text.push('}');
        }
        _ => text.push_str(&line),
    }
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(on_one_line).collect();
            format!("[{}]", entries.join(", "))
        }
        Value::Object(_) => {
            let entries = sorted(value).into_iter().map(|(key, entry)| {
                format!("{}: {}", Value::from(key.as_str()), on_one_line(entry))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

/// The entries of an object by their keys, whatever order it keeps them in.
fn sorted(value: &Value) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = value.as_object().into_iter().flatten().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_and_long_lists_have_a_line_for_each_entry() {
        let case = |name: &str| json!({"b": name, "a": ["x", "y"]});
        let short = text(&case("1\n"));
        assert_eq!(short, "{\"a\": [\"x\", \"y\"], \"b\": \"1\\n\"}\n");
        let long = json!({"tests": vec![case(&"7".repeat(200)); 2], "c": 1});
        let written = text(&long);
        assert_eq!(written.lines().count(), 7, "{written}");
        assert!(written.starts_with("{\n \"c\": 1,\n \"tests\": [\n  {\"a\": [\"x\""));
        let read: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(read, long);
    }
}
