//! `assay plan`, `assay count` and `assay merge`, run as their users run them.
#![cfg(unix)]

use crate::programs::{PYTHON, python_is_here};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A directory in which the command runs.
struct Room(TempDir);

impl Room {
    fn new() -> Self {
        let room = Self(tempfile::tempdir().unwrap());
        fs::write(room.path("a.json"), "[1]").unwrap();
        fs::write(room.path("b.json"), "[0]").unwrap();
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command
            .current_dir(self.0.path())
            .args(arguments.split_whitespace());
        command
    }

    /// Runs the command and expects this status; what it printed, or its error where it printed nothing else.
    fn run(&self, status: i32, arguments: &str) -> String {
        self.ends(status, self.command(arguments))
    }

    fn ends(&self, status: i32, mut command: Command) -> String {
        let Output {
            status: ended,
            stdout,
            stderr,
        } = command.output().unwrap();
        let said = String::from_utf8_lossy(&stderr).into_owned();
        assert_eq!(ended.code(), Some(status), "{command:?}: {said}");
        match stdout.is_empty() {
            true => said,
            false => String::from_utf8(stdout).unwrap(),
        }
    }

    /// Counts all shards of so many, and merges them.
    fn merged(&self, of: u32, status: i32) -> String {
        let mut names = Vec::new();
        for index in 1..=of {
            let name = format!("{index}-{of}.json");
            self.run(
                0,
                &format!("count plan.json --shard {index}/{of} --out {name}"),
            );
            names.push(name);
        }
        self.run(
            status,
            &format!("merge plan.json {} --format json", names.join(" ")),
        )
    }

    /// A plan for a program.
    fn plan(&self, status: i32, target: &str, options: &str) -> String {
        let mut command = self.command("plan plan.json --pair a.json,b.json --calls 2000");
        command.args(["--target", target]);
        command.args(options.split_whitespace());
        self.ends(status, command)
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Noise for epsilon = 2, under a claim of 1: the counts are a function of the plan, and another plan errs with probability 1e-6.
const SPECIMEN: &str = "plan plan.json --specimen discrete-laplace-2 --calls 2000 --alpha 1e-6";

#[test]
fn the_result_is_the_same_bytes_however_many_shards_there_are() {
    let room = Room::new();
    room.run(0, &format!("{SPECIMEN} --units 21 --unit-draws 1000"));
    let whole = room.merged(1, 1);
    for of in [2, 3, 7, 21] {
        assert_eq!(room.merged(of, 1), whole, "{of}");
    }
    let report = json(&whole);
    assert_eq!(report["verdict"], "violation");
    assert_eq!(report["counts"]["first_calls"], 21_000);
    assert_eq!(report["units"]["missing"], json!([]));
    let bound: f64 = report["epsilon_lower"].as_str().unwrap().parse().unwrap();
    // The true epsilon is 2; of 21,000 draws on each dataset the standard error is some 0.02.
    assert!((1.75..2.0).contains(&bound), "{report}");
    // Of shards that were cut in two ways too.
    let mixed = room.run(
        1,
        "merge plan.json 3-3.json 1-2.json 2-3.json 4-7.json --format json",
    );
    assert_eq!(mixed, whole);
    let text = room.run(1, "merge plan.json 1-1.json --report out");
    assert!(
        text.starts_with("violation: not (1, 0)-private\n"),
        "{text}"
    );
    assert!(room.read("out/report.xml").contains("failures=\"1\""));
    assert!(room.read("out/report.sarif").contains("DPA001"));
}

#[test]
fn a_true_claim_is_not_refuted_and_a_missing_shard_is_named() {
    let room = Room::new();
    room.run(
        0,
        "plan plan.json --specimen discrete-laplace --calls 2000 --units 10 --unit-draws 1000 --alpha 1e-6",
    );
    let report = json(&room.merged(5, 0));
    assert_eq!(report["verdict"], "not-refuted");
    let report = json(&room.run(
        3,
        "merge plan.json 1-5.json 3-5.json 5-5.json --format json",
    ));
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["units"]["missing"], json!([[2, 3], [6, 7]]));
    let text = room.run(3, "merge plan.json 1-5.json 3-5.json 5-5.json --report out");
    assert!(
        text.contains("4 of 10 units, counted as if they spoke against the proof: 2 to 3, 6 to 7"),
        "{text}"
    );
    assert!(room.read("out/report.xml").contains("errors=\"1\""));
}

#[test]
fn a_proof_that_missing_units_cannot_undo_stands() {
    let room = Room::new();
    room.run(0, &format!("{SPECIMEN} --units 100 --unit-draws 1000"));
    room.merged(20, 1);
    let names = |from: u32| -> String { (from..=20).map(|i| format!("{i}-20.json ")).collect() };
    let report = json(&room.run(1, &format!("merge plan.json {} --format json", names(2))));
    assert_eq!(report["verdict"], "violation");
    assert_eq!(report["units"]["missing"], json!([[0, 4]]));
    // Half of them could undo it.
    room.run(3, &format!("merge plan.json {}", names(11)));
}

#[test]
fn foreign_and_changed_records_are_refused() {
    let room = Room::new();
    let plan = |options: &str| {
        let _ = fs::remove_file(room.path("plan.json"));
        room.run(
            0,
            &format!("{SPECIMEN} --units 4 --unit-draws 500 {options}"),
        );
        room.run(0, "count plan.json --shard 1/1 --out all.json");
        let record = room.read("all.json");
        fs::remove_file(room.path("all.json")).unwrap();
        record
    };
    let foreign = plan("--seed 2");
    let own = plan("--seed 1");
    fs::write(room.path("foreign.json"), &foreign).unwrap();
    let error = room.run(2, "merge plan.json foreign.json");
    assert!(
        error.contains("foreign.json: it is a record of another plan"),
        "{error}"
    );
    let error = room.run(2, "count plan.json --shard 1/1 --out foreign.json");
    assert!(error.contains("another plan"), "{error}");
    assert_eq!(room.read("foreign.json"), foreign);
    let count = own
        .split("\"counts\":[[")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    for (from, to, says) in [
        (
            format!("[[{count},"),
            "[[501,".to_owned(),
            "501 occurrences in 500 draws",
        ),
        (
            format!("[[{count},"),
            "[[-1,".to_owned(),
            "invalid value: integer `-1`",
        ),
        (
            "\"unit\":1".to_owned(),
            "\"unit\":0".to_owned(),
            "unit 0 stands there twice",
        ),
        (
            "\"draws\": 500".to_owned(),
            "\"draws\": 50".to_owned(),
            "its units have 50 draws",
        ),
    ] {
        let changed = own.replacen(&from, &to, 1);
        assert_ne!(changed, own);
        fs::write(room.path("changed.json"), changed).unwrap();
        let error = room.run(2, "merge plan.json changed.json");
        assert!(
            error.contains("changed.json: ") && error.contains(says),
            "{error}"
        );
    }
    // A count that is possible, and not what this unit gives.
    let changed = own.replacen(&format!("[[{count},"), "[[0,", 1);
    fs::write(room.path("changed.json"), &changed).unwrap();
    let error = room.run(2, "merge plan.json changed.json");
    assert!(error.contains("changed.json: it is damaged"), "{error}");
    // Without the digest, as records were before, it can be told only beside the true one.
    let (content, _) = changed.split_once(",\n  \"sha256\"").unwrap();
    fs::write(room.path("changed.json"), format!("{content}\n}}\n")).unwrap();
    fs::write(room.path("own.json"), own).unwrap();
    let error = room.run(2, "merge plan.json own.json changed.json");
    assert!(
        error.contains("unit 0 was counted in own.json too, and differently"),
        "{error}"
    );
}

/// A unit takes about a tenth of a second, and most are left when the second is seen.
#[test]
fn a_shard_that_is_killed_goes_on_and_ends_with_the_same_bytes() {
    let room = Room::new();
    room.run(0, &format!("{SPECIMEN} --units 12 --unit-draws 100000"));
    room.run(0, "count plan.json --shard 1/1 --out whole.json");
    let mut child = room
        .command("count plan.json --shard 1/1 --out killed.json")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let units = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.matches("\"counts\":").count()
    };
    while units(&room.path("killed.json")) < 2 {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it was quicker than this test"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    let counted = units(&room.path("killed.json"));
    assert!((2..12).contains(&counted), "{counted}");
    let printed = json(&room.run(
        0,
        "count plan.json --shard 1/1 --out killed.json --format json",
    ));
    assert_eq!(printed["counted_now"], 12 - counted);
    assert_eq!(room.read("killed.json"), room.read("whole.json"));
}

/// A program in Python beside the adapter; `None`, and a word on it, where there is no Python.
fn python(room: &Room, script: &str) -> Option<String> {
    if !python_is_here("counting programs in Python") {
        return None;
    }
    let adapter = format!(
        "{}/../audit/targets/python/adapter.py",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::copy(adapter, room.path("adapter.py")).unwrap();
    fs::write(room.path("program.py"), script).unwrap();
    Some(format!("{PYTHON} program.py"))
}

/// Geometric noise for epsilon = 2.
const NOISE: &str = "import random\nfrom adapter import serve\n\
def count(data):\n    return sum(data) + int(coins.expovariate(2.0)) - int(coins.expovariate(2.0))\n";

#[test]
fn a_program_that_takes_its_seed_from_the_request_is_counted_alike_by_however_many() {
    let room = Room::new();
    let script = format!("{NOISE}coins = random.Random()\nserve(count, reseed=coins.seed)\n");
    let Some(target) = python(&room, &script) else {
        return;
    };
    room.plan(
        0,
        &target,
        "--epsilon 1 --units 6 --unit-draws 2000 --seeded",
    );
    let whole = room.merged(1, 1);
    assert_eq!(room.merged(4, 1), whole);
    let report = json(&whole);
    assert_eq!(
        (&report["repeatable"], &report["verdict"]),
        (&json!(true), &json!("violation"))
    );
    // Another program is not counted under this plan.
    fs::write(room.path("program.py"), format!("{script}\n")).unwrap();
    let error = room.run(2, "count plan.json --shard 1/2 --out x.json");
    assert!(
        error.contains("the program has changed: program.py is another one"),
        "{error}"
    );
}

#[test]
fn a_program_that_ignores_the_seed_is_not_seeded() {
    let room = Room::new();
    let script =
        format!("{NOISE}coins = random.SystemRandom()\nserve(count, reseed=lambda seed: None)\n");
    let Some(target) = python(&room, &script) else {
        return;
    };
    let error = room.plan(
        2,
        &target,
        "--epsilon 1 --units 6 --unit-draws 2000 --seeded",
    );
    assert!(
        error.contains("does not answer by the seed of the request"),
        "{error}"
    );
    assert!(!room.path("plan.json").exists());
    // Without the option it is counted with its own coins, and a function of its records.
    room.plan(0, &target, "--epsilon 1 --units 6 --unit-draws 2000");
    let merged = json(&room.merged(3, 1));
    assert_eq!(merged["repeatable"], false);
    assert_eq!(
        room.run(
            1,
            "merge plan.json 3-3.json 1-3.json 2-3.json --format json"
        ),
        room.merged(3, 1)
    );
}

/// Each unit is counted by a process of its own, so a constant seed gives each the same answers.
#[test]
fn a_program_with_one_seed_for_all_units_is_noticed() {
    let room = Room::new();
    let script = format!("{NOISE}coins = random.Random(7)\nserve(count)\n");
    let Some(target) = python(&room, &script) else {
        return;
    };
    // It is noticed before something is planned.
    let planned = room.plan(3, &target, "--epsilon 1 --units 4 --unit-draws 1000");
    assert!(planned.contains("two starts of it gave"), "{planned}");
    let one = "--epsilon 1 --units 4 --unit-draws 1000 --one-start";
    room.plan(0, &target, one);
    for index in 1..=2 {
        room.run(
            0,
            &format!("count plan.json --shard {index}/2 --out {index}.json"),
        );
    }
    let error = room.run(2, "merge plan.json 1.json 2.json");
    assert!(
        error.contains("the units 0 and 1 have the same answers on the first dataset"),
        "{error}"
    );
}

#[test]
fn a_unit_that_fails_is_recorded_and_tried_again() {
    let room = Room::new();
    let script = format!(
        "{NOISE}import os, sys\nif os.path.exists('broken'): sys.exit('no licence')\n\
         coins = random.SystemRandom()\nserve(count)\n"
    );
    let Some(target) = python(&room, &script) else {
        return;
    };
    room.plan(0, &target, "--epsilon 1 --units 5 --unit-draws 4000");
    fs::write(room.path("broken"), "").unwrap();
    let printed = json(&room.run(3, "count plan.json --shard 1/1 --out 1.json --format json"));
    // Three in a row are enough.
    assert_eq!(
        (
            &printed["counted"],
            printed["failed"].as_array().unwrap().len()
        ),
        (&json!(0), 3)
    );
    let report = json(&room.run(3, "merge plan.json 1.json --format json"));
    assert_eq!(report["units"]["missing"], json!([[0, 4]]));
    let reason = report["units"]["failed"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("no licence"), "{reason}");
    fs::remove_file(room.path("broken")).unwrap();
    room.run(0, "count plan.json --shard 1/1 --out 1.json");
    let text = room.run(1, "merge plan.json 1.json");
    assert!(
        text.contains("counted again") && text.contains("no licence"),
        "{text}"
    );
}
