//! `assay scores` end to end: a plan, a training that is made up, and what its scores prove.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn assay(room: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room)
        .arg("scores")
        .args(arguments)
        .output()
        .unwrap()
}

/// The exit status and the report.
fn judged(room: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = assay(room, &[arguments, &["--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = serde_json::from_slice(&output.stdout);
    (
        output.status.code().unwrap(),
        report.unwrap_or_else(|_| Value::from(said)),
    )
}

/// A training that leaks this: the score of each canary, by its number and whether it is in.
fn score(room: &Path, of: impl Fn(usize, bool) -> String) {
    let plan = fs::read_to_string(room.join("plan.csv")).unwrap();
    let rows = plan.lines().skip(2).map(|line| {
        let (name, coin) = line.split_once(',').unwrap();
        format!("{name},{}\n", of(name.parse().unwrap(), coin == "1"))
    });
    let text = format!("canary,score\n{}", rows.collect::<String>());
    fs::write(room.join("scores.csv"), text).unwrap();
}

const COINS: [&str; 4] = ["--coins", "plan.csv", "--scores", "scores.csv"];

#[test]
fn a_training_that_tells_everything_is_refuted_up_to_the_ceiling() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    let claim = ["--epsilon", "3/2", "--delta", "1e-5"];
    let plan = ["--plan", "plan.csv", "--canaries", "100"];
    let (status, planned) = judged(room, &[&plan[..], &claim].concat());
    assert_eq!(status, 0, "{planned}");
    score(room, |name, is_in| {
        format!("{}.{name:03}", if is_in { "1" } else { "-1" })
    });
    let (status, report) = judged(room, &[&COINS[..], &claim].concat());
    assert_eq!((status, &report["verdict"]), (1, &Value::from("violation")));
    // Of 100 guesses, of 50 and of 25; 13 canaries that are in and 12 that are out there always are.
    let guesses = report["guesses"].as_array().unwrap();
    assert_eq!(guesses.len(), 3);
    assert_eq!(guesses[2]["right"], 25);
    let number = |value: &Value| -> f64 { value.as_str().unwrap().parse().unwrap() };
    let bound = number(&report["epsilon_lower"]);
    assert!(
        bound > 1.7 && bound <= number(&planned["ceiling"]),
        "{bound}"
    );
    let digest = planned["sha256"].as_str().unwrap();
    assert!(report["coins"].as_str().unwrap().contains(digest));
    // A number of guesses that was fixed has the whole level: ln(1/(20^(1/25) - 1)), but for delta.
    let (_, fixed) = judged(room, &[&COINS[..], &claim, &["--guesses", "25"]].concat());
    assert_eq!(fixed["epsilon_lower"], fixed["epsilon_ceiling"]);
    let bound = number(&fixed["epsilon_lower"]);
    assert!(bound > 2.0 && bound < 2.07, "{bound}");
    // A loss is the other way round.
    let (status, report) = judged(room, &[&COINS[..], &claim, &["--higher", "out"]].concat());
    assert_eq!((status, &report["epsilon_lower"]), (0, &Value::Null));
}

#[test]
fn a_training_that_tells_nothing_is_not_refuted() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    let claim = ["--epsilon", "1"];
    let plan = ["--plan", "plan.csv", "--canaries", "1000"];
    assert_eq!(judged(room, &[&plan[..], &claim].concat()).0, 0);
    // Scores by the names alone; and one score for all.
    for of in [
        |name: usize| format!("{}", name * 7919 % 1009),
        |_: usize| "3".to_owned(),
    ] {
        score(room, |name, _| of(name));
        // The coins are those of the operating system: at this level they refute nothing.
        let level = ["--alpha", "1e-9"];
        let (status, report) = judged(room, &[&COINS[..], &claim, &level].concat());
        assert_eq!(
            (status, &report["verdict"]),
            (0, &Value::from("not-refuted"))
        );
    }
}

#[test]
fn equal_scores_without_names_prove_nothing_by_the_order_of_a_file() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    let scores = |count| format!("score\n{}", "1\n".repeat(count));
    fs::write(room.join("in.csv"), scores(45)).unwrap();
    fs::write(room.join("out.csv"), scores(55)).unwrap();
    let files = ["--in", "in.csv", "--out", "out.csv", "--epsilon", "1/100"];
    let (status, report) = judged(room, &files);
    assert_eq!((status, &report["epsilon_lower"]), (0, &Value::Null));
    // Of 100 guesses, 50 of them that somebody is out, 5 are right whatever the order; of 50 none need be.
    assert_eq!(report["guesses"][0]["right"], 5);
    assert_eq!(report["guesses"][1]["right"], 0);
}

#[test]
fn a_bound_on_rho_or_mu_is_never_told_as_an_epsilon() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    for (name, from) in [("in.csv", 100), ("out.csv", 0)] {
        let rows = (from..from + 60 - from / 20).map(|score| format!("{score}\n"));
        fs::write(
            room.join(name),
            format!("score\n{}", rows.collect::<String>()),
        )
        .unwrap();
    }
    let files = ["--in", "in.csv", "--out", "out.csv"];
    for (claim, key, least) in [
        ("--gdp", "mu_lower", 0.9),
        ("--zcdp", "rho_lower", 1.0 / 3.0),
    ] {
        for way in ["many", "one"] {
            let way = &[claim, "1/3", "--trainings", way][..];
            let (status, report) = judged(room, &[&files[..], way].concat());
            assert_eq!(status, 1, "{report}");
            let fields = report.as_object().unwrap();
            assert!(
                fields.keys().all(|key| !key.contains("epsilon")),
                "{report}"
            );
            let bound: f64 = report[key].as_str().unwrap().parse().unwrap();
            assert!(bound > least, "{report}");
            let output = assay(room, &[&files[..], way].concat());
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                text.contains("nothing on any (epsilon, delta) follows"),
                "{text}"
            );
        }
    }
}

#[test]
fn a_report_has_its_four_files_and_many_trainings_their_half_line() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    for (name, from) in [("in.csv", 40), ("out.csv", 0)] {
        let rows = (from..from + 50).map(|score| format!("{score}e-2\n"));
        fs::write(
            room.join(name),
            format!("score\n{}", rows.collect::<String>()),
        )
        .unwrap();
    }
    let files = ["--in", "in.csv", "--out", "out.csv", "--trainings", "many"];
    let claim = ["--epsilon", "1", "--delta", "1e-6", "--report", "report"];
    let (status, report) = judged(room, &[&files[..], &claim].concat());
    assert_eq!((status, &report["verdict"]), (1, &Value::from("violation")));
    let half_line = &report["half_line"];
    assert!(
        [&half_line["with"], &half_line["without"]].contains(&&Value::from(50))
            || half_line["without"] == 0,
        "{half_line}"
    );
    for file in ["report.json", "report.html", "report.xml", "report.sarif"] {
        let text = fs::read_to_string(room.join("report").join(file)).unwrap();
        assert!(text.contains("violation"), "{file}");
    }
    let written = fs::read(room.join("report/report.json")).unwrap();
    let written: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(written["epsilon_lower"], report["epsilon_lower"]);
}
