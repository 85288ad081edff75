//! Whether it was seen that a program answers equal requests differently: within one process, and from start to start.

use crate::targets::{LEAST_CALLS_FOR_REPEATS, Repetition, Starts, cut};
use serde_json::{Value, json};

/// For programs; nothing if neither was looked for.
pub fn as_json(within: Option<&Repetition>, starts: Option<&Starts>) -> Value {
    let Some(note) = note(within, starts) else {
        return Value::Null;
    };
    let (one, two) = ruled_out(within, starts);
    json!({
        "ruled_out": one && two,
        "ruled_out_within": one.then_some("one process"),
        "ruled_out_between": two.then_some("two starts"),
        "note": note,
    })
}

/// For people: one row.
pub fn row(within: Option<&Repetition>, starts: Option<&Starts>) -> Option<(String, String)> {
    let name = match ruled_out(within, starts) {
        (true, true) => "reused seeds",
        _ => "not checked",
    };
    note(within, starts).map(|note| (name.to_owned(), note))
}

/// Whether replies to equal requests differed: within one process, and between two starts.
fn ruled_out(within: Option<&Repetition>, starts: Option<&Starts>) -> (bool, bool) {
    let one = within == Some(&Repetition::Differed);
    (one, starts == Some(&Starts::Differed))
}

/// What is known of it, and what is not.
fn note(within: Option<&Repetition>, starts: Option<&Starts>) -> Option<String> {
    match (within, starts) {
        (None, None) => None,
        (Some(Repetition::Differed), Some(Starts::Differed)) => Some(
            "ruled out within one process and between two starts: replies to equal requests differed. A seed that differs and can be guessed, such as the number of the process, is not seen".to_owned(),
        ),
        _ => {
            let parts = [within.map(of_one), starts.map(of_two)];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            Some(format!("whether the program reuses its seed: {}", parts.join("; ")))
        }
    }
}

/// Of one process.
fn of_one(seen: &Repetition) -> String {
    match seen {
        Repetition::Differed => {
            "within one process the replies to equal requests differed".to_owned()
        }
        Repetition::Undecided {
            data,
            requests,
            answers,
        } => format!(
            "{requests} requests on {} got the same reply, of {answers} each, and {}",
            cut(data.clone()),
            match answers {
                1 =>
                    "a program that is so slow may also answer always the same; a longer --deadline lets it be asked for more at once",
                _ => "answers that vary so little, or are so few, may also agree by chance",
            }
        ),
        Repetition::NotChecked => {
            format!("audits of fewer than {LEAST_CALLS_FOR_REPEATS} calls do not look for it")
        }
    }
}

/// Of two starts.
fn of_two(seen: &Starts) -> String {
    match seen {
        Starts::Differed => "two starts of it answered differently".to_owned(),
        Starts::Undecided { data, answers } => format!(
            "two starts of it gave the same {answers} answers on {}, which vary too little to say why",
            cut(data.clone())
        ),
        Starts::NotCompared(reason) => format!("two starts of it were not compared: {reason}"),
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
        let alone = || Starts::NotCompared("--one-start is given".to_owned());
        let alike = Starts::Undecided {
            data: "[0]".to_owned(),
            answers: 64,
        };
        for (seen, starts, within, between, said) in [
            (
                Repetition::Differed,
                alone(),
                true,
                false,
                "not compared: --one-start",
            ),
            (
                Repetition::NotChecked,
                Starts::Differed,
                false,
                true,
                "fewer than 50 calls",
            ),
            (
                undecided(1),
                Starts::Differed,
                false,
                true,
                "24 requests on [0] got the same reply, of 1 each, and a program that is so slow",
            ),
            (
                undecided(64),
                alike,
                false,
                false,
                "gave the same 64 answers on [0]",
            ),
        ] {
            let (name, note) = row(Some(&seen), Some(&starts)).unwrap();
            assert!(name == "not checked" && note.contains(said), "{note}");
            let expected = json!({
                "ruled_out": false,
                "ruled_out_within": within.then_some("one process"),
                "ruled_out_between": between.then_some("two starts"),
                "note": note,
            });
            assert_eq!(as_json(Some(&seen), Some(&starts)), expected);
        }
    }

    #[test]
    fn what_differed_within_a_process_and_between_two_is_ruled_out() {
        let (seen, starts) = (Repetition::Differed, Starts::Differed);
        let json = as_json(Some(&seen), Some(&starts));
        assert_eq!(json["ruled_out"], true);
        let (name, note) = row(Some(&seen), Some(&starts)).unwrap();
        assert!(name == "reused seeds" && note.contains("number of the process"));
        assert_eq!((as_json(None, None), row(None, None)), (Value::Null, None));
    }
}
