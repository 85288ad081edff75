//! Whether it was seen that a program does not answer all requests alike. One process of it was asked: a seed that is fixed for
//! the process, so that two starts give the same answers, is never ruled out.

use crate::targets::{LEAST_CALLS_FOR_REPEATS, Repetition, cut};
use serde_json::{Value, json};

/// For programs.
pub fn as_json(seen: &Repetition) -> Value {
    json!({
        "ruled_out": false,
        "ruled_out_within": (*seen == Repetition::Differed).then_some("one process"),
        "note": note(seen),
    })
}

/// For people: one row.
pub fn row(seen: &Repetition) -> (String, String) {
    ("not checked".to_owned(), note(seen))
}

/// What is not known of it.
fn note(seen: &Repetition) -> String {
    let what = "whether the program reuses its seed";
    match seen {
        Repetition::Differed => format!(
            "{what} at each start: within one process the replies to equal requests differed, and it was started once"
        ),
        Repetition::Undecided {
            data,
            requests,
            answers,
        } => format!(
            "{what}: {requests} requests on {} got the same reply, of {answers} each, and {}",
            cut(data.clone()),
            match answers {
                1 =>
                    "a program that is so slow may also answer always the same; a longer --deadline lets it be asked for more at once",
                _ => "answers that vary so little, or are so few, may also agree by chance",
            }
        ),
        Repetition::NotChecked => {
            format!(
                "{what}: audits of fewer than {LEAST_CALLS_FOR_REPEATS} calls do not look for it"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_checked_is_said_and_nothing_more_is_ruled_out() {
        let undecided = |answers| Repetition::Undecided {
            data: "[0]".to_owned(),
            requests: 24,
            answers,
        };
        for (seen, within, said) in [
            (Repetition::Differed, json!("one process"), "at each start"),
            (Repetition::NotChecked, json!(null), "fewer than 50 calls"),
            (
                undecided(1),
                json!(null),
                "24 requests on [0] got the same reply, of 1 each, and a program that is so slow",
            ),
            (undecided(64), json!(null), "vary so little"),
        ] {
            let (_, note) = row(&seen);
            assert!(note.contains(said), "{note}");
            let json = as_json(&seen);
            let expected = json!({"ruled_out": false, "ruled_out_within": within, "note": note});
            assert_eq!(json, expected);
        }
    }
}
