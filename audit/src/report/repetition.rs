//! Whether it was seen that a program does not answer all requests alike.

use crate::targets::{LEAST_CALLS_FOR_REPEATS, Repetition, cut};
use serde_json::{Value, json};

/// For programs.
pub fn as_json(seen: &Repetition) -> Value {
    json!({
        "ruled_out": *seen == Repetition::Differed,
        "note": note(seen),
    })
}

/// For people: one row, if it was not.
pub fn row(seen: &Repetition) -> Option<(String, String)> {
    note(seen).map(|note| ("not checked".to_owned(), note))
}

/// Why nothing is known of it.
fn note(seen: &Repetition) -> Option<String> {
    let what = "whether the program reuses its seed";
    match seen {
        Repetition::Differed => None,
        Repetition::Undecided {
            data,
            requests,
            answers,
        } => Some(format!(
            "{what}: {requests} requests on {} got the same reply, of {answers} each, and {}",
            cut(data.clone()),
            match answers {
                1 =>
                    "a program that is so slow may also answer always the same; a longer --deadline lets it be asked for more at once",
                _ => "answers that vary so little, or are so few, may also agree by chance",
            }
        )),
        Repetition::NotChecked => Some(format!(
            "{what}: audits of fewer than {LEAST_CALLS_FOR_REPEATS} calls do not look for it"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_checked_is_said_and_nothing_else() {
        assert_eq!(row(&Repetition::Differed), None);
        assert_eq!(as_json(&Repetition::Differed)["ruled_out"], true);
        let undecided = |answers| Repetition::Undecided {
            data: "[0]".to_owned(),
            requests: 24,
            answers,
        };
        for (seen, said) in [
            (Repetition::NotChecked, "fewer than 50 calls"),
            (
                undecided(1),
                "24 requests on [0] got the same reply, of 1 each, and a program that is so slow",
            ),
            (undecided(64), "vary so little"),
        ] {
            let (_, note) = row(&seen).unwrap();
            assert!(note.contains(said), "{note}");
            let json = as_json(&seen);
            assert_eq!(json, json!({"ruled_out": false, "note": note}));
        }
    }
}
