//! Programs that answer by sessions, asked by analysts.

use super::{LEVEL, PYTHON, python, refuses, reports};
use serde_json::Value;

/// A report on a program and the pair `[0, 1]`, `[0, 0]`, asked the one question 0.75.
fn asked(status: i32, target: &str, options: &[&str]) -> Value {
    let of_pair = [
        "--target",
        target,
        "--pair",
        "one.json,none.json",
        "--epsilon",
        "1",
        "--alpha",
        LEVEL,
    ];
    let asks = [
        "--questions",
        "questions.json",
        "--rounds",
        "4",
        "--no-shrink",
    ];
    reports(status, &[&of_pair[..], &asks, options].concat())
}

/// A program of sessions in Python, whose state between them is made by `before`, and which begins one by `begin`.
fn program(before: &str, begin: &str) -> Option<String> {
    python("a session in a few lines")?;
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../audit/targets/python");
    let script = format!(
        "import random, sys\nsys.path.insert(0, {directory:?})\nsys.dont_write_bytecode = True\nfrom adapter import serve_sessions\n\
         R = random.SystemRandom()\n\
         def told(data, right): return data[-1] if R.random() < right else 1 - data[-1]\n\
         {before}\ndef begin(data):\n    {begin}\nserve_sessions(begin)\n"
    );
    Some(format!("{PYTHON} -c '{}'", script.replace('\'', r"'\''")))
}

#[test]
fn a_budget_that_is_checked_late_is_a_violation_to_who_asks_more_than_once() {
    let Some(target) = python("filter_checks_late.py") else {
        return;
    };
    for analyst in ["fixed", "random", "adaptive", "probing"] {
        let report = asked(1, &target, &["--analyst", analyst, "--seed", "3"]);
        assert_eq!(report["analyst"]["strategy"], analyst);
        assert_eq!(report["analyst"]["rounds"], 4);
        assert_eq!(report["analyst"]["seed"], 3);
        assert_eq!(report["analyst"]["questions"][0], 0.75);
    }
    // One question keeps the budget. The last --rounds would be an error twice.
    let once = [
        "--target",
        &target,
        "--pair",
        "one.json,none.json",
        "--epsilon",
        "1",
        "--alpha",
        LEVEL,
    ];
    let rest = ["--questions", "questions.json", "--calls", "4000"];
    let report = reports(0, &[&once[..], &rest].concat());
    assert_eq!(report["analyst"]["rounds"], 1);
}

#[test]
fn a_session_that_keeps_its_budget_is_not_refuted_by_any_analyst() {
    let begin = "spent = []\n    def ask(question):\n        \
        if spent: raise ValueError(\"the budget is spent\")\n        \
        spent.append(question)\n        return told(data, 0.679)\n    return ask";
    let Some(target) = program("", begin) else {
        return;
    };
    for analyst in ["fixed", "random", "adaptive", "probing"] {
        asked(0, &target, &["--analyst", analyst, "--calls", "2000"]);
    }
}

#[test]
fn a_budget_that_is_kept_between_sessions_is_inconclusive() {
    let begin = "def ask(question):\n        \
        left[0] -= 1\n        \
        if left[0] < 0: raise ValueError(\"the budget is spent\")\n        \
        return told(data, 0.52)\n    return ask";
    let Some(target) = program("left = [6000]", begin) else {
        return;
    };
    let report = asked(3, &target, &["--calls", "20000"]);
    let reason = report["reason"].as_str().unwrap();
    assert!(
        reason.contains("it has a budget or another memory"),
        "{reason}"
    );
    assert!(reason.contains("the budget is spent"), "{reason}");
}

#[test]
fn a_program_that_has_no_sessions_says_so_and_one_that_has_them_too() {
    let Some(plain) = python("laplace_right_scale.py") else {
        return;
    };
    let report = asked(3, &plain, &["--calls", "100"]);
    let reason = report["reason"].as_str().unwrap();
    assert!(reason.contains("write serve_sessions(begin)"), "{reason}");
    let sessions = python("filter_checks_late.py").unwrap();
    let pair = [
        "--target",
        &sessions,
        "--pair",
        "one.json,none.json",
        "--epsilon",
        "1",
    ];
    let report = reports(3, &pair);
    let reason = report["reason"].as_str().unwrap();
    assert!(reason.contains("give --questions"), "{reason}");
}

#[test]
fn a_session_that_answers_nothing_but_one_error_is_inconclusive() {
    let Some(target) = program("", "return lambda question: question[1]") else {
        return;
    };
    let report = asked(3, &target, &["--calls", "400"]);
    let reason = report["reason"].as_str().unwrap();
    assert!(
        reason.contains("nothing but the error \"TypeError"),
        "{reason}"
    );
}

#[test]
fn questions_and_who_asks_them_are_checked() {
    let pair = [
        "--target",
        "true",
        "--pair",
        "one.json,none.json",
        "--epsilon",
        "1",
    ];
    for (options, said) in [
        (&["--analyst", "random"][..], "--questions"),
        (&["--rounds", "3"], "--questions"),
        (
            &["--questions", "questions.json", "--rounds", "1001"],
            "a whole number from 1 to 1000",
        ),
        (
            &["--questions", "questions.json", "--reply", "f64le"],
            "--reply must be lines",
        ),
        (
            &["--questions", "domain.json"],
            "a file with an array of questions",
        ),
        (
            &["--questions", "empty.json"],
            "at least one question, got none",
        ),
        (&["--questions", "no.json"], "no.json"),
    ] {
        let message = refuses(&[&pair[..], options].concat());
        assert!(message.contains(said), "{options:?}: {message}");
    }
}
