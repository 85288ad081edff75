//! Faults that maintainers meet, each with its true twin: what is found, and what is said of it.

use super::{PYTHON, python, reports, room, text};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A program in Python: `before` runs once, and `expression` answers `data`. `dl(s)` is discrete Laplace noise of scale `s`.
fn program(before: &str, expression: &str) -> Option<String> {
    python("a mechanism in one line")?;
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../audit/targets/python");
    let script = format!(
        "import math, random, sys\nsys.path.insert(0, {directory:?})\nsys.dont_write_bytecode = True\nfrom adapter import serve\n\
         R = random.Random()\n\
         def geo(s): return int(-math.log(1.0 - R.random()) * s)\n\
         def dl(s): return geo(s) - geo(s)\n\
         {before}\n\
         serve(lambda data: {expression})\n"
    );
    Some(format!("{PYTHON} -c '{}'", script.replace('\'', r"'\''")))
}

/// The report on a program and the pair `[0, 1]`, `[0, 0]`.
fn audited(status: i32, target: &str, options: &[&str]) -> Value {
    let pair = ["--target", target, "--pair", "one.json,none.json"];
    reports(status, &[&pair[..], options].concat())
}

/// A session with an accountant, which refuses when its budget is spent.
fn session(queries: u32, refusal: &str) -> Option<String> {
    let before = format!(
        "left = [{queries}]\n\
         def ask(data):\n    \
             if left[0] < 1: {refusal}\n    \
             left[0] -= 1\n    \
             return sum(data) + dl(10)\n"
    );
    program(&before, "ask(data)")
}

#[test]
fn a_program_that_refuses_from_some_call_on_is_inconclusive() {
    let raises = "raise RuntimeError(\"budget spent\")";
    for (queries, refusal) in [
        (5000, raises),
        (600, raises),
        (100, raises),
        (3, raises),
        (2000, "return None"),
        (2000, "return \"no budget left\""),
        (
            2000,
            "left[0] -= 1; raise RuntimeError(\"overspent by \" + str(-left[0]))",
        ),
    ] {
        let Some(target) = session(queries, refusal) else {
            return;
        };
        for ends in [
            &["--epsilon", "0.1"][..],
            &["--epsilon", "0.1", "--all-calls"],
        ] {
            let report = audited(3, &target, &[ends, &["--calls", "20000"]].concat());
            let reason = report["reason"].as_str().unwrap();
            assert!(reason.contains("a budget or another memory"), "{reason}");
            // The call is that of the program, with those of the checks before the audit.
            let from = format!("from call {} of the program on", queries + 1);
            assert!(reason.contains(&from), "{reason}");
        }
    }
    // The noise of a session is no other law.
    let target = session(5000, raises)
        .unwrap()
        .replace("sum(data) + dl", "dl");
    let law = [
        "conform",
        "--target",
        &target,
        "--law",
        "discrete-laplace scale=10",
    ];
    let report = reports(3, &[&law[..], &["--data", "none.json"]].concat());
    assert!(
        report["reason"].as_str().unwrap().contains("memory"),
        "{report}"
    );
    // With a budget for all calls it is judged, and errors that come at any time are outputs.
    let target = session(100_000, raises).unwrap();
    audited(0, &target, &["--epsilon", "0.1", "--calls", "20000"]);
    let fails = program("", "dl(10) if R.random() < 0.3 else 1 // 0").unwrap();
    audited(0, &fails, &["--epsilon", "0.1", "--calls", "20000"]);
}

#[test]
fn a_proof_from_answers_before_a_refusal_stays() {
    let before = "left = [3000]\ndef ask(data):\n    left[0] -= 1\n    return sum(data) if left[0] > 0 else 1 // 0\n";
    let Some(target) = program(before, "ask(data)") else {
        return;
    };
    let report = audited(1, &target, &["--epsilon", "1", "--calls", "20000"]);
    assert!(report["calls"].as_u64().unwrap() < 3000, "{report}");
}

#[test]
fn the_remainder_of_a_sum_of_many_entries_is_read() {
    for modulus in [2, 3, 5] {
        let mechanism = |told: &str| {
            let last = format!(
                "(lambda x: x + [{modulus} * R.randrange(200) + (({told}) - sum(x)) % {modulus}])([R.randrange(1000) for _ in range(19)])"
            );
            program("", &last)
        };
        let Some(target) = mechanism("sum(data)") else {
            return;
        };
        let report = audited(
            1,
            &target,
            &["--epsilon", "1", "--calls", "20000", "--no-shrink"],
        );
        let event = report["event"].as_str().unwrap();
        assert!(
            event.contains(&format!("sum of output mod {modulus}")),
            "{event}"
        );
        let twin = mechanism("R.randrange(1000)").unwrap();
        audited(
            0,
            &twin,
            &["--epsilon", "1", "--calls", "20000", "--alpha", "1e-6"],
        );
    }
}

/// Values are credited to their first user, or each user is counted by itself.
#[test]
fn a_new_user_whose_records_copy_those_of_others_is_tried() {
    let count = |who: &str| {
        let before = format!(
            "def count(data):\n    \
                 owner = {{}}\n    \
                 for user, value in data: {who}\n    \
                 return len(set(owner.values()))\n"
        );
        program(&before, "count(data)")
    };
    let room = room();
    let domain = r#"{"records": {"type": "tuple", "fields": [{"type": "integer", "lo": 0, "hi": 9}, {"type": "integer", "lo": 0, "hi": 3}]}, "size": [0, 12], "neighbours": "add-remove"}"#;
    fs::write(room.path().join("users.json"), domain).unwrap();
    for (who, status) in [
        ("owner.setdefault(value, user)", 1),
        ("owner[value] = user", 1),
        ("owner[user] = user", 0),
    ] {
        let Some(target) = count(who) else { return };
        let report = stable(&room, &target);
        assert_eq!(report.0, status, "{who}: {}", report.1);
    }
}

/// The status and what is printed on stability 1 by user over `users.json`.
fn stable(room: &TempDir, target: &str) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(room.path());
    command.args(["stable", "--target", target, "--domain", "users.json"]);
    command.args([
        "--stability",
        "1",
        "--input-metric",
        "by-user",
        "--user",
        "0",
    ]);
    command.args([
        "--output-metric",
        "absolute",
        "--most-pairs",
        "2000",
        "--format",
        "json",
    ]);
    let output = command.output().unwrap();
    let report = serde_json::from_str(&text(&output.stdout)).unwrap_or(json!(null));
    (output.status.code().unwrap(), report)
}
