//! `assay campaign`, run as its users run it: a shell answers for the libraries.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A plan of eight entries: `coin.sh` is randomised response with epsilon = ln 3 = 1.0986.
const PLAN: &str = r#"
library = "coins"
about = "a coin that tells the truth with probability 3/4"
prepare = ["sh", "-c", "echo prepared >> prepared"]
target = ["sh", "coin.sh"]
options = { calls = 400, epsilon = "1.1", alpha = "1e-6" }

[[mechanism]]
name = "sound"
pair = ["[1]", "[0]"]
expected = { verdict = "not-refuted", why = "ln 3 < 1.1" }

[[mechanism]]
name = "broken"
pair = ["[1]", "[0]"]
options = { epsilon = 0.5, calls = 4000 }
expected = { verdict = "violation", epsilon_lower = "0.5", why = "ln 3 > 0.5" }

[[mechanism]]
name = "wrongly-expected"
pair = ["[1]", "[0]"]
expected = { verdict = "violation", why = "nobody is right always" }

[[mechanism]]
name = "not-there"
target = ["./no-such-program"]
pair = ["[1]", "[0]"]
expected = { verdict = "not-refuted", why = "it does not start" }

[[mechanism]]
name = "unknown-key"
pairs = ["[1]", "[0]"]
expected = { verdict = "not-refuted", why = "pairs is not a key" }

[[mechanism]]
name = "unknown-option"
pair = ["[1]", "[0]"]
options = { epsilom = 1 }
expected = { verdict = "not-refuted", why = "epsilom is not an option" }

[[mechanism]]
name = "silent"
target = ["sh", "-c", "echo it is broken >&2; exit 3"]
pair = ["[1]", "[0]"]
expected = { verdict = "not-refuted", why = "it ends at once" }

[[mechanism]]
name = "values"
check = ["sh", "-c", "echo run >> checked; echo \"{\\\"verdict\\\": \\\"$SAYS\\\"}\""]
environment = { SAYS = "right" }
expected = { verdict = "right", why = "it says so" }
"#;

fn room() -> TempDir {
    let room = tempfile::tempdir().unwrap();
    let coin = format!(
        "{}/../audit/targets/shell/coin.sh",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::copy(coin, room.path().join("coin.sh")).unwrap();
    fs::write(room.path().join("plan.toml"), PLAN).unwrap();
    room
}

fn campaign(room: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room.path())
        .arg("campaign")
        .args(arguments)
        .output()
        .unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// How often a line was written to this file.
fn lines(room: &TempDir, name: &str) -> usize {
    fs::read_to_string(room.path().join(name)).map_or(0, |text| text.lines().count())
}

#[test]
fn each_entry_has_a_record_and_none_stops_the_others() {
    let room = room();
    let arguments = [
        "plan.toml",
        "no-such-plan.toml",
        "--out",
        "out",
        "--jobs",
        "2",
        "--format",
        "json",
    ];
    let output = campaign(&room, &arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mechanisms = table["mechanisms"].as_array().unwrap();
    let expected = [
        ("sound", "as-expected", ""),
        ("broken", "as-expected", ""),
        (
            "wrongly-expected",
            "missed",
            "not-refuted, but expected violation",
        ),
        (
            "not-there",
            "could-not-run",
            "cannot start the target './no-such-program'",
        ),
        ("unknown-key", "could-not-run", "unknown field `pairs`"),
        (
            "unknown-option",
            "could-not-run",
            "no report, and it ended with exit status: 2",
        ),
        ("silent", "could-not-run", "it is broken"),
        ("values", "as-expected", ""),
        ("plan", "could-not-run", "cannot read no-such-plan.toml"),
    ];
    assert_eq!(mechanisms.len(), expected.len());
    for (record, (name, judgement, reason)) in mechanisms.iter().zip(expected) {
        assert_eq!(record["name"], name);
        assert_eq!(record["judgement"], judgement, "{record}");
        assert!(
            record["reason"].as_str().unwrap().contains(reason),
            "{record}"
        );
    }
    assert_eq!(table["summary"]["not_as_expected"], 1);
    assert_eq!(table["summary"]["could_not_run"], 5);
    // The record has the whole report, and the command that does it again.
    let record = json(&room.path().join("out/coins/broken/record.json"));
    assert_eq!(record["report"]["pair"], serde_json::json!([[1], [0]]));
    let again = record["replay"].as_str().unwrap().replacen(
        "&& assay",
        &format!("&& '{}'", env!("CARGO_BIN_EXE_assay")),
        1,
    );
    let replayed = Command::new("sh")
        .current_dir(room.path())
        .args(["-c", &again])
        .output()
        .unwrap();
    assert_eq!(replayed.status.code(), Some(1), "{again}");
    // The page and the JUnit have them all.
    let page = fs::read_to_string(room.path().join("out/campaign.md")).unwrap();
    let junit = fs::read_to_string(room.path().join("out/campaign.xml")).unwrap();
    for (name, _, _) in &expected[..8] {
        assert!(page.contains(&format!("| {name} |")), "{page}");
        assert!(
            junit.contains(&format!("<testcase name=\"{name}\"")),
            "{junit}"
        );
    }
    assert!(
        junit.contains("tests=\"9\" skipped=\"0\" failures=\"1\" errors=\"5\""),
        "{junit}"
    );
    // Six entries are audits that can be read.
    assert!(page.contains("with probability at most 6.00e-6"), "{page}");
}

#[test]
fn what_is_finished_does_not_run_again_until_its_entry_changes() {
    let room = room();
    let arguments = ["plan.toml", "--out", "out", "--format", "json"];
    assert_eq!(campaign(&room, &arguments).status.code(), Some(2));
    let record =
        |name: &str| fs::read(room.path().join(format!("out/coins/{name}/record.json"))).unwrap();
    let (sound, broken) = (record("sound"), record("broken"));
    assert_eq!((lines(&room, "checked"), lines(&room, "prepared")), (1, 1));
    // What could not run is tried again, and needs what is prepared.
    assert_eq!(campaign(&room, &arguments).status.code(), Some(2));
    assert_eq!((lines(&room, "checked"), lines(&room, "prepared")), (1, 2));
    assert!(sound == record("sound") && broken == record("broken"));
    // What was inconclusive had its level twice by now; what is finished, once.
    for (name, attempts) in [("silent", 2), ("sound", 1)] {
        let path = room.path().join(format!("out/coins/{name}/record.json"));
        assert_eq!(json(&path)["attempts"], attempts, "{name}");
    }
    // A changed entry runs, and so does one whose script has changed.
    let plan = PLAN.replace("SAYS = \"right\"", "SAYS = \"wrong\"");
    fs::write(room.path().join("plan.toml"), plan).unwrap();
    let output = campaign(&room, &arguments);
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(table["mechanisms"][7]["judgement"], "unexpected");
    assert_eq!(lines(&room, "checked"), 2);
    assert_eq!(sound, record("sound"));
    let script = room.path().join("coin.sh");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, format!("{text}# changed\n")).unwrap();
    campaign(&room, &arguments);
    assert_ne!(
        json(&room.path().join("out/coins/sound/record.json"))["digest"],
        serde_json::from_slice::<Value>(&sound).unwrap()["digest"]
    );
    // A record that was spoilt is made anew.
    let path = room.path().join("out/coins/sound/record.json");
    fs::write(&path, "{").unwrap();
    campaign(&room, &arguments);
    assert_eq!(json(&path)["judgement"], "as-expected");
}

#[test]
fn a_library_that_cannot_be_prepared_is_recorded_and_the_others_run() {
    let room = room();
    let broken = PLAN
        .replace("library = \"coins\"", "library = \"gone\"")
        .replace(
            "echo prepared >> prepared",
            "echo it is not in the registry >&2; exit 1",
        );
    fs::write(room.path().join("gone.toml"), broken).unwrap();
    let output = campaign(
        &room,
        &[
            "gone.toml",
            "plan.toml",
            "--format",
            "json",
            "--level",
            "1e-5",
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mechanisms = table["mechanisms"].as_array().unwrap();
    let reason = mechanisms[0]["reason"].as_str().unwrap();
    assert_eq!(
        reason,
        "prepare ended with exit status: 1: it is not in the registry"
    );
    assert_eq!(mechanisms[8]["judgement"], "as-expected");
    // Twelve entries can be read and are audits: each has a sixteenth of the level, whether it runs or not.
    assert_eq!(mechanisms[8]["level"], "1/1600000");
}

#[test]
fn the_exit_status_is_0_if_all_is_as_expected_and_1_if_something_is_not() {
    let room = room();
    let (sound, rest) = PLAN.split_once("[[mechanism]]\nname = \"wrongly").unwrap();
    fs::write(room.path().join("plan.toml"), sound).unwrap();
    let output = campaign(&room, &["plan.toml"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("2 mechanisms: 2 as expected, 0 not as expected, 0 could not run"),
        "{text}"
    );
    let (wrong, _) = rest.split_once("[[mechanism]]").unwrap();
    fs::write(
        room.path().join("plan.toml"),
        format!("{sound}[[mechanism]]\nname = \"wrongly{wrong}"),
    )
    .unwrap();
    assert_eq!(campaign(&room, &["plan.toml"]).status.code(), Some(1));
}
