//! The auditor in the test suites of others: the example for pytest, and the action, run as they are.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ASSAY: &str = env!("CARGO_BIN_EXE_assay");

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// With the pytest of `make test-ecosystem`. Nothing is installed: where it is not there this is said, and the example is not tested.
#[cfg(unix)]
#[test]
fn the_example_for_pytest_fails_on_the_broken_count_and_passes_on_the_sound_ones() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../audit/python/run-tests");
    let ran = Command::new(script)
        .arg("example")
        .env("DP_ASSAY_COMMAND", ASSAY)
        .env("NO_INSTALL", "1")
        .output()
        .unwrap();
    let printed = text(&ran.stdout) + &text(&ran.stderr);
    match ran.status.code() {
        Some(0) => assert!(printed.contains("1 failed, 2 passed"), "{printed}"),
        Some(77) => eprintln!("{printed}: the example for pytest is not tested"),
        other => panic!("{other:?}: {printed}"),
    }
}

/// Runs what the action runs, in a folder with two datasets.
#[cfg(unix)]
fn act(room: &Path, target: &str, options: &str) -> Output {
    act_with(Path::new(ASSAY), room, target, options)
}

/// The same with this command.
#[cfg(unix)]
fn act_with(assay: &Path, room: &Path, target: &str, options: &str) -> Output {
    fs::write(room.join("a.json"), "[0]").unwrap();
    fs::write(room.join("b.json"), "[1]").unwrap();
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../audit/action/run"))
        .current_dir(room)
        .env("ASSAY_COMMAND", assay)
        .env("ASSAY_TARGET", target)
        .env("ASSAY_EPSILON", "1")
        .env("ASSAY_PAIR", "a.json,b.json")
        .env("ASSAY_OPTIONS", options)
        .env("ASSAY_REPORT", "out")
        .env("GITHUB_OUTPUT", "output")
        .env("GITHUB_STEP_SUMMARY", "summary.md")
        .output()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn the_action_tells_its_verdict_as_status_output_summary_and_sarif() {
    let tells = "while read line; do data=${line#*data\\\":[}; data=${data%%]*}; n=${line#*n\\\":}; n=${n%%,*}; yes $data | head -n $n; done";
    for (script, status, verdict, results) in
        [(tells, 1, "refuted", 1), ("exit 7", 3, "inconclusive", 1)]
    {
        let room = tempfile::tempdir().unwrap();
        fs::write(room.path().join("my target.sh"), script).unwrap();
        let ran = act(room.path(), "sh 'my target.sh'", "--calls\n1000\n");
        let printed = text(&ran.stdout) + &text(&ran.stderr);
        assert_eq!(ran.status.code(), Some(status), "{printed}");
        let read = |name: &str| fs::read_to_string(room.path().join(name)).unwrap();
        assert_eq!(read("output"), format!("verdict={verdict}\n"));
        assert!(read("summary.md").starts_with(&format!("### assay: {verdict}\n\n    ")));
        let sarif: serde_json::Value = serde_json::from_str(&read("out/report.sarif")).unwrap();
        let found = sarif["runs"][0]["results"].as_array().unwrap();
        assert_eq!(found.len(), results, "{sarif}");
        let place = &found[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(place, "my%20target.sh");
    }
    // A word of the options is one word, and a wrong one could not run.
    let room = tempfile::tempdir().unwrap();
    let ran = act(room.path(), "true", "--calls 1000");
    assert_eq!(ran.status.code(), Some(2));
    let read = |name: &str| fs::read_to_string(room.path().join(name)).unwrap();
    assert_eq!(read("output"), "verdict=could-not-run\n");
    // The summary says why.
    let summary = read("summary.md");
    assert!(
        summary.contains("    error: unexpected argument '--calls 1000'"),
        "{summary}"
    );
}

#[cfg(unix)]
#[test]
fn the_action_says_that_there_is_no_command() {
    let room = tempfile::tempdir().unwrap();
    let ran = act_with(Path::new("./assay"), room.path(), "true", "");
    assert_eq!(ran.status.code(), Some(2));
    let read = |name: &str| fs::read_to_string(room.path().join(name)).unwrap();
    assert_eq!(read("output"), "verdict=could-not-run\n");
    assert!(
        read("summary.md").contains("./assay"),
        "{}",
        read("summary.md")
    );
}

#[test]
fn the_action_hands_on_each_input() {
    let action = include_str!("../../audit/action/action.yml");
    let run = include_str!("../../audit/action/run");
    let variables: Vec<&str> = action
        .lines()
        .filter_map(|line| line.trim().strip_prefix("ASSAY_")?.split_once(':'))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(variables.len(), 10, "{variables:?}");
    for name in variables {
        assert!(run.contains(&format!("ASSAY_{name}")), "{name}");
        let input = name.to_lowercase();
        assert!(action.contains(&format!("\n  {input}:\n")), "{input}");
        assert!(
            action.contains(&format!("ASSAY_{name}: ${{{{ inputs.{input} }}}}\n")),
            "{input}"
        );
    }
}
