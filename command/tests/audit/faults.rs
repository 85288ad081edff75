//! Faults that maintainers meet, each with its true twin: what is found, and what is said of it.

use super::{PYTHON, python, reports, room, text};
use crate::nightly;
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
    // By day one of three, and fewer calls of what is private.
    let (moduli, calls) = match nightly::at_night() {
        true => (&[2, 3, 5][..], "20000"),
        false => (&[3][..], "4000"),
    };
    for modulus in moduli {
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
            &["--epsilon", "1", "--calls", calls, "--alpha", "1e-6"],
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

/// The ratio of the frequencies of the event that a finding shows, of which the likelier one is in the numerator.
fn ratio(finding: &Value) -> f64 {
    let counts = &finding["counts"];
    let rate =
        |came: &str, calls: &str| counts[came].as_f64().unwrap() / counts[calls].as_f64().unwrap();
    let rates = [rate("first", "first_calls"), rate("second", "second_calls")];
    rates[0].max(rates[1]) / rates[0].min(rates[1])
}

#[test]
fn a_branch_without_noise_that_is_taken_once_in_ten_thousand_calls_is_found_and_shown() {
    let rare = |leak: &str| {
        let answer = format!("{leak} if R.random() < 1e-4 else sum(data) + dl(1)");
        program("", &answer)
    };
    // By day one of the two, and fewer calls of what is private.
    let leaks = ["\"row \" + str(sum(data))", "[sum(data), \"debug\"]"];
    let (leaks, calls) = match nightly::at_night() {
        true => (&leaks[..], "100000"),
        false => (&leaks[..1], "20000"),
    };
    for leak in leaks {
        let Some(target) = rare(leak) else { return };
        let options = ["--epsilon", "1", "--calls", "1000000", "--no-shrink"];
        let report = audited(1, &target, &options);
        let event = report["event"].as_str().unwrap();
        let shows = ["row", "debug", "kind"]
            .iter()
            .any(|word| event.contains(word));
        assert!(shows, "{event}");
        // It carries the proof: half of the bound at least.
        let bound: f64 = report["epsilon_lower"].as_str().unwrap().parse().unwrap();
        assert!(ratio(&report).ln() > f64::max(1.0, bound / 2.0), "{report}");
        assert_eq!(report["confirmation"]["exceeds"], true);
    }
    let twin = rare("\"row \" + str(R.randrange(2))").unwrap();
    let options = ["--epsilon", "1", "--calls", calls, "--alpha", "1e-6"];
    audited(0, &twin, &options);
}

/// Noise that is wider on one dataset, in many entries: no coordinate tells it alone.
#[test]
fn the_scale_of_a_vector_is_shown_by_its_squares_or_its_largest_entry() {
    let vector = |scale: &str| {
        program(
            "",
            &format!("[R.gauss(0, 100 * ({scale})) for _ in range(64)]"),
        )
    };
    let claim = [
        "--epsilon",
        "1",
        "--delta",
        "1e-5",
        "--calls",
        "20000",
        "--no-shrink",
    ];
    let Some(target) = vector("1.15 if sum(data) else 1") else {
        return;
    };
    let report = audited(1, &target, &claim);
    let event = report["event"].as_str().unwrap();
    // Of the one or of the other, from one side or between two ends, and of nothing else.
    let plain = event.contains("sum of squares of output") || event.contains("largest magnitude");
    let one = !event.contains(" or ") && !event.contains(" and ");
    assert!(plain && one, "{event}");
    let twin = vector("1").unwrap();
    let calls = if nightly::at_night() { "20000" } else { "4000" };
    let claim = [
        "--epsilon",
        "1",
        "--delta",
        "1e-5",
        "--calls",
        calls,
        "--no-shrink",
        "--alpha",
        "1e-6",
    ];
    audited(0, &twin, &claim);
}

/// The divisor is the number of records, which is private; on no records it is 0, and the call fails.
#[test]
fn a_smaller_pair_with_another_fault_does_not_stand_for_the_one_that_was_given() {
    let before = "def f(d):\n    \
         n = len(d); q = 1 / math.ceil(n / 2)\n    \
         g = [R.gauss(0, 4) for _ in range(16)]\n    \
         g[0] += sum(x for x in d if R.random() < q)\n    \
         return [int(round(100 * v / int(n * q))) for v in g]\n";
    let Some(target) = program(before, "f(data)") else {
        return;
    };
    let room = room();
    for (name, text) in [("three.json", "[1, 1, 1]"), ("four.json", "[1, 1, 1, 1]")] {
        fs::write(room.path().join(name), text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(room.path());
    command.args([
        "audit",
        "--target",
        &target,
        "--pair",
        "three.json,four.json",
    ]);
    command.args([
        "--epsilon",
        "1",
        "--delta",
        "1e-5",
        "--neighbours",
        "add-remove",
    ]);
    command.args(["--calls", "5000", "--report", "out"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    // Both pairs are shown, without --verbose.
    assert!(printed.contains("[1,1,1] and [1,1,1,1]"), "{printed}");
    let json = fs::read_to_string(room.path().join("out/report.json")).unwrap();
    let report: Value = serde_json::from_str(&json).unwrap();
    for finding in [&report, &report["shrinking"]["before"]] {
        let event = finding["event"].as_str().unwrap();
        let other = ["length", "exception", "kind"]
            .iter()
            .any(|word| event.contains(word));
        assert!(!other, "{event}");
    }
    assert_ne!(report["pair"], json!([[], [1]]));
}

/// Where the kind of the output tells all, nothing else is shown: not the length of an array, not a bound on a number.
#[test]
fn an_exception_and_a_null_are_shown_as_what_they_are() {
    for (answer, shown) in [
        (
            "1 // 0 if sum(data) and R.random() < 0.5 else [dl(3), dl(3)]",
            "exception",
        ),
        (
            "None if sum(data) == 0 and R.random() < 0.5 else dl(1000) - 4000",
            "null",
        ),
    ] {
        let Some(target) = program("", answer) else {
            return;
        };
        let report = audited(1, &target, &["--epsilon", "1", "--calls", "4000"]);
        let event = report["event"].as_str().unwrap();
        let is_shown = event.contains(shown) || event.contains("error");
        assert!(
            is_shown && !event.contains("<=") && !event.contains("length"),
            "{event}"
        );
    }
}

/// A bound that stopped at the claim is told apart from how large the fault looks.
#[test]
fn an_estimate_stands_beside_the_bound() {
    let Some(target) = program("", "sum(data) + dl(0.5)") else {
        return;
    };
    // By all calls: of the hundred with which the claim falls the estimate may err by a factor of two.
    let report = audited(
        1,
        &target,
        &[
            "--epsilon",
            "1",
            "--calls",
            "20000",
            "--no-shrink",
            "--all-calls",
        ],
    );
    let estimate = report["epsilon_estimate"].as_f64().unwrap();
    assert!((1.4..2.8).contains(&estimate), "{report}");
    let options = [
        "--target",
        &target,
        "--pair",
        "one.json,none.json",
        "--epsilon",
        "1",
    ];
    let printed = super::prints(&[&options[..], &["--calls", "20000"]].concat());
    assert!(printed.contains("an estimate, and no proof"), "{printed}");
}
