//! `assay audit`, and of its kin `conform` and `self-test`, run as their users run them.

mod faults;
mod sessions;
mod time;

use crate::nightly;
use crate::programs::{PYTHON, python_is_here};
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A directory with a pair of datasets and a domain, in which the command runs.
fn room() -> TempDir {
    let room = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.json", "[0, 1, 0, 1]"),
        ("b.json", "[0, 1, 0, 0]"),
        ("far.json", "[1, 1, 1, 1]"),
        ("none.json", "[0, 0]"),
        ("one.json", "[0, 1]"),
        ("empty.json", "[]"),
        ("questions.json", "[0.75]"),
        (
            "domain.json",
            r#"{"records": {"type": "integer", "lo": 0, "hi": 1}, "size": [1, 4], "neighbours": "substitute"}"#,
        ),
    ] {
        fs::write(room.path().join(name), text).unwrap();
    }
    room
}

/// Runs `assay` with these words; they are those of `assay audit` if they begin with an option.
fn run(arguments: &[&str]) -> Output {
    let room = room();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(room.path());
    if arguments[0].starts_with("--") {
        command.arg("audit");
    }
    command.args(arguments);
    // A test whose coins have a seed asks one process.
    if arguments.iter().any(|word| word.contains(FIXED)) {
        command.arg("--one-start");
    }
    command.output().unwrap()
}

/// How the programs of [`mechanism`] are seeded.
const FIXED: &str = "random.seed(7)";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the command, and returns all rows that it prints.
fn prints(arguments: &[&str]) -> String {
    text(&run(&[arguments, &["--verbose"]].concat()).stdout)
}

/// Runs the command, expects this status, and returns the report.
fn reports(status: i32, arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--format", "json"]].concat());
    let errors = text(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {errors}"
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs the command on the pair, expects status 2 and nothing printed, and returns the message.
fn refuses(arguments: &[&str]) -> String {
    let output = run(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    message
}

/// The command for an example in Python; `None`, and a word on it, where there is no Python.
fn python(example: &str) -> Option<String> {
    if !python_is_here(example) {
        return None;
    }
    let directory = env!("CARGO_MANIFEST_DIR");
    Some(format!(
        "{PYTHON} '{directory}/../audit/targets/python/examples/{example}'"
    ))
}

/// The examples draw from coins of their own: both tests are at a level of 1e-6, and the wrong scale, whose epsilon
/// is 2, is missed with a smaller probability still.
const LEVEL: &str = "1e-6";

#[test]
fn the_wrong_scale_is_refuted_with_a_small_witness() {
    let Some(target) = python("laplace_wrong_scale.py") else {
        return;
    };
    let claim = [
        "--target",
        &target,
        "--epsilon",
        "1",
        "--alpha",
        LEVEL,
        "--calls",
        "20000",
    ];
    for (datasets, records) in [
        // The number of records is public, and no domain says that it may be another one.
        (["--pair", "a.json,b.json"], 4),
        (["--domain", "domain.json"], 1),
    ] {
        let report = reports(1, &[&claim[..], &datasets].concat());
        assert_eq!(report["verdict"], "violation");
        assert!(
            report["event"]
                .as_str()
                .is_some_and(|event| !event.is_empty())
        );
        let bound = report["epsilon_lower"].as_str().unwrap();
        let bound: f64 = bound.parse().unwrap();
        assert!((1.0..2.0).contains(&bound), "{report}");
        // Shrunk to the one record that differs, and zeros.
        let pair = report["pair"].as_array().unwrap();
        let pair = pair.iter().map(|data| data.as_array().unwrap());
        let mut sums: Vec<i64> = Vec::new();
        for data in pair {
            assert_eq!(data.len(), records, "{report}");
            sums.push(data.iter().filter_map(Value::as_i64).sum());
        }
        sums.sort_unstable();
        assert_eq!(sums, [0, 1], "{report}");
    }
    let output = run(&[&claim[..], &["--pair", "a.json,b.json", "--no-shrink"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(
        report.starts_with("violation: not (1, 0)-private"),
        "{report}"
    );
    assert!(report.contains("[0,1,0,1]"), "{report}");
}

#[test]
fn the_right_scale_is_not_refuted_and_what_was_not_seen_is_said() {
    let Some(target) = python("laplace_right_scale.py") else {
        return;
    };
    let claim = [
        "--target",
        &target,
        "--epsilon",
        "1",
        "--alpha",
        LEVEL,
        "--calls",
        "4000",
    ];
    let report = reports(0, &[&claim[..], &["--pair", "a.json,b.json"]].concat());
    assert_eq!(report["verdict"], "not-refuted");
    assert_eq!(report["pair"], json!([[0, 1, 0, 1], [0, 1, 0, 0]]));
    assert!(
        report["undetectable"]["mass"].as_f64().unwrap() > 0.0,
        "{report}"
    );
    assert!(report["power"].get("event").is_some(), "{report}");
}

#[test]
fn a_target_that_fails_is_inconclusive() {
    // A deadline of a second for those that hang, and none that matters for the others.
    for (script, reason) in [
        ("read r; exit 3", "ended"),
        ("read r; echo 1", "ended"),
        (
            "read r; echo 1; read r; exec sleep 1000",
            "did not answer within 1 s",
        ),
        ("exec sleep 1000", "more time with --deadline"),
        (
            "while read r; do yes 1 | head -n 100000; done",
            "answered more",
        ),
        (
            "while read r; do echo hello there; done",
            "line 1 of the reply",
        ),
        (
            "read r; echo 1; read r; echo '\"one'; exec cat",
            "line 1 of the reply",
        ),
        ("exec cat", "got the request itself"),
    ] {
        let script = script.replace('\'', r"'\''");
        let target = format!("sh -c '{script}'");
        let claim = [
            "--target",
            &target,
            "--epsilon",
            "1",
            "--pair",
            "a.json,b.json",
        ];
        let deadline = if script.ends_with("sleep 1000") {
            "1"
        } else {
            "60"
        };
        // With these coins the first request is for more than one call. Those that hang do not end either: a second is waited for that.
        let options = ["--deadline", deadline, "--grace", "1", "--seed", "2"];
        let report = reports(3, &[&claim[..], &options].concat());
        assert_eq!(report["verdict"], "inconclusive", "{script}");
        assert_eq!(report["epsilon_lower"], Value::Null, "{script}");
        // The question is told as with a verdict.
        let asked = json!([[0, 1, 0, 1], [0, 1, 0, 0]]);
        assert_eq!(report["pair"], asked, "{script}");
        for (key, value) in [("epsilon", "1"), ("delta", "0"), ("confidence", "0.9500")] {
            assert_eq!(report[key], value, "{script}");
        }
        assert_eq!(report["most_calls"], 200_000, "{script}");
        assert_eq!(report["seed"], 2, "{script}");
        assert_eq!(report["version"], env!("CARGO_PKG_VERSION"), "{script}");
        let said = report["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{script}: {said}");
    }
    let claim = [
        "--target",
        "sh -c 'exit 3'",
        "--epsilon",
        "1",
        "--pair",
        "a.json,b.json",
    ];
    let output = run(&claim);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).starts_with("inconclusive: "));
}

#[test]
fn an_inconclusive_report_tells_the_request_that_was_not_answered() {
    // It fails on the second dataset.
    let target = shell(&TELLS.replacen("do ", r#"do case "$r" in *1,0,0]*) exit 7;; esac; "#, 1));
    let claim = ["--target", &target, "--epsilon", "1", "--seed", "2"];
    let claim = [&claim[..], &["--pair", "a.json,b.json"]].concat();
    let report = reports(3, &claim);
    assert_eq!(report["request"]["data"], json!([0, 1, 0, 0]));
    assert_eq!(report["request"]["n"], 1);
    let number = &report["request"]["number"];
    let said = prints(&claim);
    let row = format!("number {number}, for 1 outputs on [0,1,0,0] (4 records)");
    assert!(said.contains(&row), "{said}");
}

/// Each call takes 15 ms, and the last 300 are wanted at once: more than two seconds on either dataset.
#[test]
fn a_slow_program_is_asked_for_what_fits_the_deadline() {
    let slow = shell(
        r#"while read -r r; do n=$(echo "$r" | sed 's/.*"n":\([0-9]*\).*/\1/'); sleep "$(echo "$n" | awk '{print $1 * 0.015}')"; yes 0 | head -n "$n"; done"#,
    );
    let claim = ["--target", &slow, "--epsilon", "1", "--calls", "400"];
    let options = ["--pair", "a.json,b.json", "--deadline", "2", "--all-calls"];
    let report = reports(0, &[&claim[..], &options].concat());
    assert_eq!(report["calls"], 400);
}

/// The seeds are fixed: this is no matter of chance.
#[test]
fn the_self_test_has_no_false_alarm_and_catches_what_is_gross() {
    let calls = if nightly::at_night() { "4000" } else { "1000" };
    let report = reports(0, &["self-test", "--calls", calls, "--alpha", "1/1000"]);
    assert_eq!(report["false_alarms"]["count"], 0);
    let (of, learners) = match cfg!(feature = "papers") {
        true => (31, &["learner-as-printed", "learner-pure-redrawn"][..]),
        false => (19, &[][..]),
    };
    assert_eq!(report["false_alarms"]["of"], of);
    let corpus = report["corpus"].as_array().unwrap();
    let own = [
        "discrete-laplace-2",
        "randomised-response-2",
        "geometric-without-zero",
        "sparse-vector-5",
        "data-dependent-error",
        "length",
        "lattice-hole",
    ];
    for name in own.iter().chain(learners) {
        let found = corpus.iter().find(|found| found["name"] == *name);
        assert_eq!(
            found.map(|found| &found["caught"]),
            Some(&json!(true)),
            "{name}"
        );
    }
    // Programs are told all of an event, however long.
    for found in corpus {
        let event = found["report"]["event"].as_str().unwrap();
        assert!(!event.contains('…'), "{}: {event}", found["name"]);
    }
    // What is missed is said.
    let missed = report["missed"].as_array().unwrap();
    assert!(missed.contains(&json!("disjoint-1e-6")), "{report}");
}

/// A program that answers always the same, and one that answers with the data: in a shell.
const SILENT: &str =
    r#"while read -r r; do yes 1 | head -n "$(echo "$r" | sed 's/.*"n":\([0-9]*\).*/\1/')"; done"#;
const TELLS: &str = r#"while read -r r; do d=$(echo "$r" | sed 's/.*"data":\[\([^]]*\).*/"<b>\1"/'); yes "$d" | head -n "$(echo "$r" | sed 's/.*"n":\([0-9]*\).*/\1/')"; done"#;

fn shell(script: &str) -> String {
    format!("sh -c '{}'", script.replace('\'', r"'\''"))
}

#[test]
fn the_power_of_the_audit_is_measured_or_said_not_to_be() {
    let target = shell(SILENT);
    let claim = [
        "--target",
        &target,
        "--epsilon",
        "1",
        "--pair",
        "a.json,b.json",
    ];
    let report = reports(0, &[&claim[..], &["--calls", "4000"]].concat());
    // What the search could have seen is told too.
    let read = report["features_read"][0].as_str().unwrap();
    assert!(read.starts_with("number"), "{read}");
    assert_eq!(report["power"]["pipeline"]["measured"], false);
    let how = report["power"]["pipeline"]["how"].as_str().unwrap();
    assert!(
        how.contains("--power") && how.contains("randomised-response"),
        "{how}"
    );
    // Asked for, it is another number than the power of the event, which for a program that says nothing is none.
    // By day of an audit that is short, and sees marks that are not so rare.
    let (calls, names) = match nightly::at_night() {
        true => ("4000", ["randomised-response", "rare-release:1/10"]),
        false => ("400", ["randomised-response", "rare-release:1/3"]),
    };
    let planted = names.join(",");
    let asked = ["--calls", calls, "--power", &planted];
    let report = reports(0, &[&claim[..], &asked].concat());
    let families = report["power"]["pipeline"]["families"].as_array().unwrap();
    for (family, name) in families.iter().zip(names) {
        assert_eq!(
            (&family["family"], &family["runs"], &family["caught"]),
            (&json!(name), &json!(59), &json!(59))
        );
        let epsilon: f64 = family["epsilon"].as_str().unwrap().parse().unwrap();
        let missed: f64 = family["missed"].as_str().unwrap().parse().unwrap();
        assert!(
            1.0 < missed && missed < epsilon && epsilon < 4.0,
            "{family}"
        );
    }
    assert_ne!(report["power"]["event"], families[0]["epsilon"]);
    // Not asked for, it is not measured, however short the audit is.
    let short = [&claim[..], &["--calls", "400"]].concat();
    let report = prints(&short);
    assert_eq!(report.matches("power of the audit").count(), 1, "{report}");
    // In words.
    let report = prints(&[&short[..], &["--power", "rare-release:1/100"]].concat());
    assert!(
        report.contains("rare-release:1/100: of the largest planted"),
        "{report}"
    );
}

#[test]
fn a_report_is_written_whole_for_every_verdict_and_a_wrong_question_leaves_none_of_before() {
    let (silent, tells, dies) = (shell(SILENT), shell(TELLS), "sh -c 'exit 3'".to_owned());
    for (target, status, verdict, junit) in [
        (&silent, 0, "not-refuted", "failures=\"0\" errors=\"0\""),
        (&tells, 1, "violation", "failures=\"1\" errors=\"0\""),
        (&dies, 3, "inconclusive", "failures=\"0\" errors=\"1\""),
    ] {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("new/report");
        let directory = directory.to_str().unwrap();
        let arguments = [
            "--target",
            target,
            "--epsilon",
            "1",
            "--pair",
            "a.json,b.json",
            "--calls",
            "400",
            "--no-shrink",
            "--report",
            directory,
        ];
        let printed = reports(status, &arguments);
        let read = |name: &str| fs::read_to_string(format!("{directory}/{name}")).unwrap();
        let mut written: Value = serde_json::from_str(&read("report.json")).unwrap();
        let replay = written.as_object_mut().unwrap().remove("replay").unwrap();
        assert_eq!(written, printed);
        assert_eq!(written["verdict"], verdict);
        let replay = replay.as_str().unwrap();
        assert!(
            replay.starts_with("assay audit --target 'sh -c") && !replay.contains("--report"),
            "{replay}"
        );
        let page = read("report.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        for said in [
            "claim",
            "verdict",
            "not seen",
            "version",
            "replay",
            "(1, 0)-private",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        if status != 3 {
            for said in [
                "pair",
                "[0,1,0,0]",
                "event",
                "on the second",
                "power of the audit",
                "seed",
            ] {
                assert!(page.contains(said), "{said}: {page}");
            }
        }
        assert!(read("report.xml").contains(junit));
        let sarif: Value = serde_json::from_str(&read("report.sarif")).unwrap();
        let rule = [None, Some("DPA001"), None, Some("DPA004")][status as usize];
        assert_eq!(sarif["runs"][0]["results"][0]["ruleId"].as_str(), rule);
        // Nothing else is left there; and not even that, once another run has begun that comes to no end.
        assert_eq!(fs::read_dir(directory).unwrap().count(), 4);
        let wrong = ["--epsilon", "1", "--pair", "a.json,far.json"];
        refuses(&[&["--target", "cat", "--report", directory][..], &wrong].concat());
        assert_eq!(fs::read_dir(directory).unwrap().count(), 0);
    }
}

/// A target that leaves a process behind, which holds its output: neither does the audit wait for it, nor does it
/// outlive the audit.
#[cfg(target_os = "linux")]
#[test]
fn a_grandchild_is_ended_with_the_audit() {
    let place = tempfile::tempdir().unwrap();
    let note = place.path().join("pid");
    let script = format!("sleep 1000 & echo $! > {}; {SILENT}", note.display());
    let start = Instant::now();
    let target = shell(&script);
    let claim = [
        "--target",
        &target,
        "--epsilon",
        "1",
        "--pair",
        "a.json,b.json",
    ];
    // It holds the output for as long as is allowed.
    let short = ["--calls", "400", "--grace", "2"];
    reports(0, &[&claim[..], &short].concat());
    // Much earlier than what it has started would end.
    assert!(start.elapsed().as_secs() < 500);
    let process = fs::read_to_string(&note).unwrap();
    let stat = format!("/proc/{}/stat", process.trim());
    // The signal is delivered before long.
    let runs = || fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    while runs() && start.elapsed().as_secs() < 500 {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!runs());
}

/// Whether the tests run with this signal ignored, and with them all that they start.
#[cfg(target_os = "linux")]
fn is_ignored(signal: rustix::process::Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
    mask >> (signal.as_raw() - 1) & 1 == 1
}

/// Waits for something that happens before long.
#[cfg(target_os = "linux")]
fn wait(done: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(300);
    while !done() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(done());
}

/// Neither a hung target nor what it has started outlives an audit that is interrupted or told to end, or whose terminal
/// ends, and the audit ends by that signal.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_audit_leaves_no_target_behind() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::process::ExitStatusExt;
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        if is_ignored(signal) {
            eprintln!("{signal:?} is ignored here, and not tested");
            continue;
        }
        let room = room();
        let target = shell("sleep 1000 & echo $! $$ > pids; read -r r; exec sleep 1000");
        let mut audit = Command::new(env!("CARGO_BIN_EXE_assay"))
            .current_dir(room.path())
            .args(["audit", "--target", &target, "--epsilon", "1"])
            .args(["--pair", "a.json,b.json"])
            .spawn()
            .unwrap();
        let note = room.path().join("pids");
        let processes = || fs::read_to_string(&note).unwrap_or_default();
        wait(|| processes().ends_with('\n'));
        let runs = |process: &str| {
            fs::read_to_string(format!("/proc/{process}/stat"))
                .is_ok_and(|stat| !stat.contains(") Z "))
        };
        assert!(processes().split_whitespace().all(runs));
        kill_process(Pid::from_child(&audit), signal).unwrap();
        assert_eq!(audit.wait().unwrap().signal(), Some(signal.as_raw()));
        wait(|| !processes().split_whitespace().any(runs));
    }
}

/// As `nohup` starts it, and as a shell starts what runs in the background: the audit goes on, and comes to its end.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_stays_so() {
    use rustix::process::{Pid, Signal, kill_process};
    for (name, signal) in [
        ("HUP", Signal::HUP),
        ("INT", Signal::INT),
        ("QUIT", Signal::QUIT),
    ] {
        let room = room();
        let target = shell(&format!(
            "echo > runs; while ! test -e go; do sleep 0.05; done; {SILENT}"
        ));
        let mut audit = Command::new("sh")
            .current_dir(room.path())
            .args(["-c", &format!("trap '' {name}; exec \"$@\"")])
            .args(["sh", env!("CARGO_BIN_EXE_assay"), "audit"])
            .args(["--target", &target, "--epsilon", "1", "--calls", "100"])
            .args(["--pair", "a.json,b.json", "--deadline", "600"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait(|| room.path().join("runs").exists());
        kill_process(Pid::from_child(&audit), signal).unwrap();
        fs::write(room.path().join("go"), "").unwrap();
        assert_eq!(audit.wait().unwrap().code(), Some(0), "{name}");
    }
}

/// Noise of another law stops the audit: the row on too little noise must not read like one of a full run.
#[test]
fn what_an_audit_of_a_law_did_not_decide_is_said() {
    let target = shell(SILENT);
    let law = "discrete-laplace scale=1e30";
    let law = [
        "conform", "--target", &target, "--law", law, "--alpha", "1/20",
    ];
    let report = prints(&[&law[..], &["--centre", "5"]].concat());
    let row = |name: &str| {
        let line = report.lines().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("{report}")).to_owned()
    };
    assert!(report.starts_with("not conforming"), "{report}");
    for name in ["another law is proved", "too little noise is proved"] {
        assert!(
            row(name).contains("after ") && !row(name).ends_with(" no"),
            "{report}"
        );
    }
    // Without the proof all of 200,000 calls would have been made: ln 19 of them.
    let report = reports(1, &[&law[..], &["--centre", "5"]].concat());
    assert!(report["calls"].as_u64() < Some(20_000), "{report}");
    let mass = report["undetectable"]["mass"].as_f64().unwrap();
    assert!((mass * 200_000.0 / 19f64.ln() - 1.0).abs() < 0.01, "{mass}");
}

/// Answers with the data, if they are those of the pair, and otherwise does something else.
fn tells_of_four_records(otherwise: &str) -> String {
    let script = TELLS.replacen(
        "do ",
        &format!(r#"do case "$r" in *'"data":[0,1,0,'*) ;; *) {otherwise};; esac; "#),
        1,
    );
    shell(&script)
}

#[test]
fn what_was_proved_stays_proved_if_the_program_refuses_smaller_datasets() {
    let claim = ["--epsilon", "1", "--pair", "a.json,b.json"];
    for (otherwise, said) in [
        ("exit 7", "ended (exit status: 7)"),
        ("echo no", "line 1 of the reply"),
    ] {
        let target = tells_of_four_records(otherwise);
        let report = reports(1, &[&["--target", &target][..], &claim].concat());
        assert_eq!(report["pair"], json!([[0, 1, 0, 1], [0, 1, 0, 0]]));
        let shrinking = &report["shrinking"];
        let why = shrinking["ended_early"].as_str().unwrap();
        assert!(why.contains(said), "{shrinking}");
        assert_eq!(shrinking["after"], Value::Null);
        is_told_as_a_whole(&report, &shrinking["before"]);
    }
    // One that answers too much may have been misunderstood before.
    let target = tells_of_four_records(r#"yes '"x"'"#);
    let report = reports(3, &[&["--target", &target][..], &claim].concat());
    assert_eq!(report["epsilon_lower"], Value::Null);
}

/// The same program, which does not end when it is told to.
#[test]
fn a_proof_is_kept_if_the_program_does_not_end_and_nothing_else_is() {
    for (script, status) in [(TELLS, 1), (SILENT, 3)] {
        let target = shell(&format!("{script}; exec sleep 1000"));
        let claim = [&["--target", &target], &SHORT_CLAIM[..], &["--grace", "1"]].concat();
        let report = reports(status, &claim);
        let said = "the target did not end within 1 s after the end of its input; --grace";
        let key = match status {
            1 => "failed_after_the_proof",
            _ => "reason",
        };
        assert!(report[key].as_str().unwrap().starts_with(said), "{report}");
        // Each start is waited for.
        let printed = text(&run(&[&claim[..], &["--one-start"]].concat()).stdout);
        assert!(printed.contains(said), "{printed}");
    }
    // So is that of another law.
    let target = shell(&format!("{SILENT}; exec sleep 1000"));
    let law = ["--law", "discrete-laplace scale=4", "--grace", "1"];
    let report = reports(1, &[&["conform", "--target", &target], &law[..]].concat());
    let failed = report["failed_after_the_proof"].as_str().unwrap();
    assert!(failed.contains("did not end within 1 s"), "{report}");
}

#[test]
fn five_lines_tell_a_finding_and_the_rest_is_asked_for() {
    let target = shell(TELLS);
    let claim = ["--target", &target, "--epsilon", "1", "--no-shrink"];
    let claim = [
        &claim[..],
        &["--pair", "a.json,b.json", "--all-calls", "--calls", "400"],
    ]
    .concat();
    let printed = text(&run(&claim).stdout);
    let lines: Vec<&str> = printed.lines().map(str::trim_start).collect();
    // The program shows no noise, which is told before all.
    let beginnings = [
        "violation: not (1, 0)-private",
        "the answers ",
        "epsilon is proved  above ",
        "pair               [0,1,0,1] and [0,1,0,0]",
        "event              ",
        "counts             ",
        "an estimate        ",
        "--verbose: ",
    ];
    assert_eq!(lines.len(), beginnings.len(), "{printed}");
    for (line, beginning) in lines.iter().zip(beginnings) {
        assert!(line.starts_with(beginning), "{printed}");
    }
    let all = prints(&claim);
    for name in [
        "assumed",
        "not seen",
        "read of the outputs",
        "power of this event",
    ] {
        assert!(all.contains(name) && !printed.contains(name), "{all}");
    }
}

/// Every second answer is the number of ones, and the others show by their kind what the last record is.
#[test]
fn answers_of_several_kinds_are_audited_and_their_kind_may_leak() {
    let count = r#"n=$(echo "$r" | sed 's/.*"n":\([0-9]*\).*/\1/')"#;
    let last = r#"case "$r" in *"0,0],"*) w=null;; *) w='{"suppressed":true}';; esac"#;
    let target = shell(&format!(
        r#"while read -r r; do {count}; {last}; yes "3
$w" | head -n "$n"; done"#
    ));
    // It has no coins, so that two starts of it are alike.
    let claim = [&["--one-start", "--target", &target], &SHORT_CLAIM[..]].concat();
    let report = reports(1, &claim);
    let read = report["features_read"][0].as_str().unwrap();
    assert!(read.contains("kind (number, text, array, ...)"), "{read}");
    // Half of the answers show one of the two datasets, and none the other.
    let counts = &report["counts"];
    assert!(counts["first"] == 0 || counts["second"] == 0, "{counts}");
}

/// Every key of a finding is at the top of the report too, and says the same.
fn is_told_as_a_whole(report: &Value, finding: &Value) {
    let finding = finding.as_object().unwrap();
    for key in ["epsilon_lower", "level", "calls", "pair", "event", "counts"] {
        assert!(finding.contains_key(key), "{key}: {finding:?}");
    }
    for (key, value) in finding {
        match key.as_str() {
            // Beside that of the event there is that of the whole audit.
            "power" => assert_eq!(report[key]["event"], value["event"]),
            _ => assert_eq!(report[key], *value, "{key}"),
        }
    }
}

#[test]
fn with_all_calls_the_best_bound_is_kept_beside_the_smaller_witness() {
    let target = shell(TELLS);
    let claim = ["--target", &target, "--epsilon", "1", "--all-calls"];
    let pair = ["--pair", "a.json,b.json", "--calls", "4000"];
    let claim = [&claim[..], &pair].concat();
    let report = reports(1, &claim);
    // The program and the auditor's coins are the same: so is the finding, at the half of the level that it had.
    let alone = reports(
        1,
        &[&claim[..], &["--no-shrink", "--alpha", "1/40"]].concat(),
    );
    for key in ["epsilon_lower", "level", "calls", "pair", "event", "counts"] {
        assert_eq!(report[key], alone[key], "{key}");
    }
    assert_eq!(alone["shrinking"], Value::Null);
    is_told_as_a_whole(&report, &report["shrinking"]["before"]);
    // All that is stated holds at the level that was asked for.
    assert_eq!(report["confidence"], "0.9500");
    let after = &report["shrinking"]["after"];
    assert_eq!(after["pair"], json!([[0, 0, 0, 1], [0, 0, 0, 0]]));
    assert_eq!(after["level"], "1/1240");
    let bound = |finding: &Value| finding["epsilon_lower"].as_str().unwrap().parse::<f64>();
    let (best, smaller) = (bound(&report).unwrap(), bound(after).unwrap());
    assert!(best > smaller && smaller > 1.0, "{report}");
    // And for people.
    let printed = prints(&claim);
    for said in [
        report["epsilon_lower"].as_str().unwrap(),
        after["epsilon_lower"].as_str().unwrap(),
        "[0,1,0,1]",
        "a smaller witness",
        "level 1/1240",
    ] {
        assert!(printed.contains(said), "{said}: {printed}");
    }
}

#[test]
fn the_smaller_witness_is_told_first_and_what_was_found_before_is_kept() {
    let target = shell(TELLS);
    let claim = ["--target", &target, "--epsilon", "1"];
    let claim = [&claim[..], &["--pair", "a.json,b.json"]].concat();
    let report = reports(1, &claim);
    let shrinking = &report["shrinking"];
    assert_eq!(
        shrinking["before"]["pair"],
        json!([[0, 1, 0, 1], [0, 1, 0, 0]])
    );
    assert_eq!(shrinking["before"]["level"], "1/40");
    let smaller = json!([[0, 0, 0, 1], [0, 0, 0, 0]]);
    assert_eq!(shrinking["after"]["pair"], smaller);
    is_told_as_a_whole(&report, &shrinking["after"]);
    let printed = prints(&claim);
    assert!(printed.contains("before shrinking"), "{printed}");
    assert!(
        printed.contains("from another pair of 4 records"),
        "{printed}"
    );
    assert!(printed.contains("[0,1,0,1]"), "{printed}");
}

#[test]
fn a_belief_that_is_wrong_on_the_first_pair_alone_is_still_told_after_shrinking() {
    let wrong = r#"{"trace": {"sensitivity": 1, "scale": 1, "distance": 3}}"#;
    let right = r#"{"trace": {"sensitivity": 1, "scale": 1, "distance": 1}}"#;
    let says = format!(
        r#"do case "$r" in *'"data":[0,1,0,'*) echo '{wrong}';; *) echo '{right}';; esac; "#
    );
    let target = shell(&TELLS.replacen("do ", &says, 1));
    let claim = ["--target", &target, "--epsilon", "1"];
    let claim = [&claim[..], &["--pair", "a.json,b.json"]].concat();
    let report = reports(1, &claim);
    assert_eq!(report["pair"], json!([[0, 0, 0, 1], [0, 0, 0, 0]]));
    let traces = &report["traces"];
    assert_eq!(traces["exceeds_sensitivity"], true, "{traces}");
    assert_eq!(traces["worst"]["distance"], "3");
    let (all, wrong) = (&traces["traces"], &traces["exceeding_traces"]);
    assert!(all.as_u64() > wrong.as_u64(), "{traces}");
    let printed = prints(&claim);
    assert!(printed.contains("a belief is wrong"), "{printed}");
}

#[test]
fn the_report_says_what_the_proof_is_and_where_the_event_was_counted() {
    let target = shell(TELLS);
    let claim = [
        "--target",
        &target,
        "--epsilon",
        "1",
        "--pair",
        "a.json,b.json",
        "--calls",
        "2000",
        "--no-shrink",
    ];
    // It stops within the training calls: the event is counted in fresh ones, which decide nothing.
    let early = reports(1, &claim);
    assert_eq!(early["method"], "sequential");
    assert_eq!(early["counts_are_of_training_calls"], false);
    assert_eq!(early["counts_are_of"], "confirming");
    assert_eq!(early["confirmation"]["exceeds"], true);
    let late = reports(1, &[&claim[..], &["--all-calls"]].concat());
    assert_eq!(late["method"], "fixed");
    assert_eq!(late["counts_are_of_training_calls"], false);
    for (options, said) in [
        (&[][..], "fresh calls, after the proof"),
        (&["--all-calls"], "the counts of this event"),
    ] {
        let report = prints(&[&claim[..], options].concat());
        assert!(report.contains(said), "{report}");
        assert!(report.contains("the program has no memory"), "{report}");
    }
}

/// The data are never looked at: only whether the request is the first, the second, ... The auditor asks for a round
/// dataset by dataset, so that this program is refuted. It is outside the null hypothesis, and the report says so.
#[test]
fn a_program_with_a_memory_is_outside_the_null_hypothesis() {
    let target = shell(
        r#"k=0; while read -r r; do k=$((1-k)); yes $k | head -n "$(echo "$r" | sed 's/.*"n":\([0-9]*\).*/\1/')"; done"#,
    );
    let claim = ["--target", &target, "--epsilon", "1"];
    let pair = ["--pair", "a.json,b.json", "--calls", "2000"];
    // Two starts of it answer alike, which a program with coins does not.
    reports(3, &[&claim[..], &pair].concat());
    let report = reports(1, &[&claim[..], &pair, &["--one-start"]].concat());
    let assumed = report["assumes"].as_str().unwrap();
    assert!(assumed.contains("no memory"), "{assumed}");
}

#[test]
fn numbers_are_exact_in_any_spelling_and_the_longest_deadline_is_none() {
    let target = shell(TELLS);
    let claim = ["--target", &target, "--epsilon", "1", "--calls", "1e4"];
    let longest = u64::MAX.to_string();
    let pair = ["--pair", "a.json,b.json", "--deadline", &longest];
    reports(1, &[&claim[..], &pair].concat());
}

/// A right discrete Laplace sum, epsilon = 1 for records of 0 or 1; `before` runs before each request, and `trace` is said
/// before each answer.
fn laplace(before: &str, trace: &str) -> Option<String> {
    python("laplace_right_scale.py")?;
    let program = format!(
        r#"
import json, random, sys
generator = random.Random()
for line in sys.stdin:
    {before}
    request = json.loads(line)
    for _ in range(request["n"]):
        noise = int(generator.expovariate(1)) - int(generator.expovariate(1))
        {trace}
        print(sum(request["data"]) + noise)
    sys.stdout.flush()
"#
    );
    Some(format!("{PYTHON} -c '{}'", program.replace('\'', r"'\''")))
}

#[test]
fn a_program_that_reuses_its_seed_is_not_judged() {
    for generator in ["random.Random(42)", "random.Random(len(line))"] {
        let Some(target) = laplace(&format!("generator = {generator}"), "pass") else {
            return;
        };
        let claim = ["--target", &target, "--epsilon", "1", "--calls", "2000"];
        for datasets in [["--pair", "a.json,b.json"], ["--domain", "domain.json"]] {
            let report = reports(3, &[&claim[..], &datasets].concat());
            let reason = report["reason"].as_str().unwrap();
            assert!(reason.contains("seems to reuse its seed"), "{reason}");
        }
    }
    // And one that does not is.
    let target = laplace("pass", "pass").unwrap();
    let claim = ["--target", &target, "--epsilon", "1", "--calls", "4000"];
    let pair = ["--alpha", LEVEL, "--pair", "a.json,b.json"];
    let report = reports(0, &[&claim[..], &pair].concat());
    assert_eq!(report["repetition"]["ruled_out_within"], "one process");
}

/// Whoever starts a program with one seed knows its noise, though the answers of one process have the law that is claimed.
#[test]
fn a_seed_that_is_fixed_for_the_process_is_found_by_a_second_start() {
    for (seed, status) in [
        ("random.Random(0)", 3),
        ("random.Random('a default')", 3),
        ("random.Random(None)", 0),
    ] {
        let Some(target) = laplace("pass", "pass") else {
            return;
        };
        let target = target.replace("random.Random()", &seed.replace('\'', r"'\''"));
        let claim = ["--target", &target, "--calls", "4000", "--alpha", LEVEL];
        for question in [
            &["audit", "--epsilon", "1", "--pair", "a.json,b.json"][..],
            &["audit", "--epsilon", "1", "--domain", "domain.json"],
            &[
                "conform",
                "--law",
                "discrete-laplace scale=1",
                "--data",
                "none.json",
            ],
        ] {
            let claim = [question, &claim].concat();
            let report = reports(status, &claim);
            let Some(reason) = report["reason"].as_str() else {
                let repetition = &report["repetition"];
                assert_eq!(repetition["ruled_out"], true, "{report}");
                assert_eq!(repetition["ruled_out_between"], "two starts");
                continue;
            };
            assert!(reason.contains("two starts of it gave"), "{reason}");
            reports(0, &[&claim[..], &["--one-start"]].concat());
        }
    }
}

/// What was not compared is not said to be ruled out.
#[test]
fn a_seed_that_is_fixed_on_purpose_is_not_said_to_be_ruled_out() {
    let Some(target) = mechanism("int(random.expovariate(1)) - int(random.expovariate(1))") else {
        return;
    };
    let claim = ["--target", &target, "--calls", "4000", "--alpha", LEVEL];
    for question in [
        &["audit", "--epsilon", "1", "--pair", "a.json,b.json"][..],
        &["conform", "--law", "discrete-laplace scale=1"],
    ] {
        let claim = [question, &claim].concat();
        let printed = prints(&claim);
        let row = printed.lines().find(|line| line.contains("not checked"));
        let row = row.unwrap_or_else(|| panic!("{printed}"));
        assert!(row.contains("not compared: --one-start"), "{row}");
        let report = reports(0, &claim);
        let repetition = &report["repetition"];
        assert_eq!(repetition["ruled_out"], false, "{report}");
        assert_eq!(repetition["ruled_out_within"], "one process", "{report}");
        assert!(row.ends_with(repetition["note"].as_str().unwrap()));
    }
}

#[test]
fn a_program_that_reuses_its_seed_has_no_law() {
    // A sample of 64 that comes again and again would be called another law.
    let law = ["--law", "discrete-laplace scale=1", "--alpha", LEVEL];
    let judge = |status, before: &str, calls| {
        let target = laplace(before, "pass")?.replace(r#"sum(request["data"])"#, "0");
        let claim = ["conform", "--target", &target, "--calls", calls];
        Some(reports(status, &[&claim[..], &law].concat()))
    };
    let Some(report) = judge(3, "generator = random.Random(42)", "4000") else {
        return;
    };
    let reason = report["reason"].as_str().unwrap();
    assert!(reason.contains("seems to reuse its seed"), "{reason}");
    let report = judge(0, "pass", "4000").unwrap();
    assert_eq!(report["repetition"]["ruled_out_within"], "one process");
    // Of few calls none are spent on it.
    let report = judge(0, "pass", "49").unwrap();
    let note = report["repetition"]["note"].as_str().unwrap();
    assert!(note.contains("fewer than 50 calls"), "{note}");
}

#[test]
fn where_a_reused_seed_could_not_be_seen_the_report_says_so() {
    let target = shell(SILENT);
    let claim = ["--target", &target, "--calls", "400"];
    for question in [
        &["audit", "--epsilon", "1", "--pair", "a.json,b.json"][..],
        &["conform", "--law", "discrete-laplace scale=1e30"],
    ] {
        let claim = [question, &claim].concat();
        let printed = prints(&claim);
        let row = printed.lines().find(|line| line.contains("not checked"));
        let row = row.unwrap_or_else(|| panic!("{printed}"));
        assert!(row.contains("answers that vary so little"), "{row}");
        let status = if question[0] == "conform" { 1 } else { 0 };
        let report = reports(status, &claim);
        let within = &report["repetition"]["ruled_out_within"];
        assert_eq!(*within, Value::Null, "{report}");
        assert!(row.ends_with(report["repetition"]["note"].as_str().unwrap()));
    }
}

#[test]
fn a_program_that_contradicts_itself_is_told_in_the_first_line_and_to_continuous_integration() {
    for (trace, said) in [
        (
            r#"print(json.dumps({"trace": {"sensitivity": 1, "scale": 1, "distance": 2}}))"#,
            "a distance of 2 with a declared sensitivity of 1",
        ),
        (
            r#"print(json.dumps({"trace": {"sensitivity": 1, "scale": "1/2", "distance": 1}}))"#,
            "a declared sensitivity of 1 with noise of scale 1/2, for a claim of epsilon = 1",
        ),
    ] {
        let Some(target) = laplace("pass", trace) else {
            return;
        };
        let room = room();
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.current_dir(room.path()).arg("audit");
        command.args(["--target", &target, "--epsilon", "1", "--alpha", LEVEL]);
        command.args([
            "--calls",
            "4000",
            "--pair",
            "a.json,b.json",
            "--report",
            "out",
        ]);
        let output = command.output().unwrap();
        // No violation is proved by it.
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let printed = text(&output.stdout);
        let first = printed.lines().next().unwrap();
        assert!(
            first.starts_with("not refuted") && first.contains(said),
            "{first}"
        );
        let xml = fs::read_to_string(room.path().join("out/report.xml")).unwrap();
        let junit = quick_junit::Report::deserialize_from_str(&xml).unwrap();
        assert_eq!((junit.tests, junit.failures, junit.errors), (2, 1, 0));
        let json = fs::read_to_string(room.path().join("out/report.json")).unwrap();
        let json: Value = serde_json::from_str(&json).unwrap();
        assert!(json["contradiction"].as_str().unwrap().contains(said));
        assert_eq!(json["verdict"], "not-refuted");
    }
    // With a delta above 0 the scale says nothing by itself.
    let trace =
        r#"print(json.dumps({"trace": {"sensitivity": 1, "scale": "1/2", "distance": 1}}))"#;
    let target = laplace("pass", trace).unwrap();
    let claim = ["--target", &target, "--epsilon", "1", "--delta", "1/10"];
    let pair = ["--calls", "4000", "--pair", "a.json,b.json"];
    let report = reports(0, &[&claim[..], &pair].concat());
    assert_eq!(report["contradiction"], Value::Null);
}

#[test]
fn the_report_says_which_relation_was_checked_and_how() {
    let target = shell(SILENT);
    let claim = ["--target", &target, "--epsilon", "1", "--calls", "100"];
    let pair = [&claim[..], &["--pair", "a.json,b.json"]].concat();
    let printed = prints(&pair);
    assert!(
        printed.contains("substitute one record: record 3 (from 0)"),
        "{printed}"
    );
    let expected = json!({"relation": "substitute", "checked": true, "record": 3});
    assert_eq!(reports(0, &pair)["neighbours"], expected);
    // Two numbers may be anything.
    let room = room();
    fs::write(room.path().join("x.json"), "0").unwrap();
    fs::write(room.path().join("y.json"), "50").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(room.path()).arg("audit").args(claim);
    command.args(["--pair", "x.json,y.json", "--verbose"]);
    let printed = text(&command.output().unwrap().stdout);
    assert!(printed.contains("your word, not checked"), "{printed}");
    let json = command.args(["--format", "json"]).output().unwrap().stdout;
    let json: Value = serde_json::from_slice(&json).unwrap();
    let expected = json!({"relation": "substitute", "checked": false, "record": null});
    assert_eq!(json["neighbours"], expected);
}

#[test]
fn what_was_searched_and_what_it_took_is_told() {
    let target = shell(SILENT);
    let claim = ["--target", &target, "--epsilon", "1", "--calls", "100"];
    let domain = [&claim[..], &["--domain", "domain.json"]].concat();
    let printed = prints(&domain);
    assert!(printed.contains("measurements of pairs, "), "{printed}");
    let search = &reports(0, &domain)["search"];
    assert_eq!(search["domain"]["size"], json!([1, 4]));
    let (calls, measurements) = (search["calls"].as_u64(), search["measurements"].as_u64());
    // At least 128 for each.
    assert!(measurements > Some(5), "{search}");
    assert!(calls >= measurements.map(|count| 128 * count), "{search}");
    let pair = [&claim[..], &["--pair", "a.json,b.json"]].concat();
    assert_eq!(reports(0, &pair)["search"], Value::Null);
}

#[test]
fn of_an_event_that_never_came_the_mass_is_told_and_no_epsilon() {
    let target = shell(TELLS);
    let claim = ["--target", &target, "--epsilon", "1", "--all-calls"];
    let pair = ["--no-shrink", "--calls", "4000", "--pair", "a.json,b.json"];
    let claim = [&claim[..], &pair].concat();
    let report = reports(1, &claim);
    assert_eq!(report["power"]["event"], Value::Null);
    // Some 1500 calls on each dataset: of an event of mass 0.02 some 30 are expected, and with epsilon = 1 and none on the
    // other dataset about 10 refute the claim.
    let mass = report["power"]["event_mass"].as_f64().unwrap();
    assert!(mass > 0.003 && mass < 0.02, "{mass}");
    let printed = prints(&claim);
    assert!(!printed.contains("no epsilon up to 40"), "{printed}");
    assert!(printed.contains("it never came on dataset"), "{printed}");
}

#[test]
fn one_specimen_is_audited_alone_as_with_all_others() {
    let claim = ["self-test", "length", "disjoint-*", "--calls", "4000"];
    let report = reports(0, &claim);
    let corpus = report["corpus"].as_array().unwrap();
    assert_eq!(corpus.len(), 6);
    let length = corpus
        .iter()
        .find(|found| found["name"] == "length")
        .unwrap();
    assert_eq!(length["caught"], true);
    assert!(length["to_be_caught_from"].as_u64().is_some());
    let missed = report["missed"].as_array().unwrap();
    assert!(missed.contains(&json!("disjoint-1e-6")), "{report}");
    assert_eq!(report["not_caught"], json!([]));
}

/// Answers each request by as many lines of this text; `{last}` is the last record of the dataset.
fn always(line: &str) -> String {
    let line = line.replace("{last}", "'$last'");
    shell(&format!(
        r#"while read -r r; do n=${{r#*\"n\":}}; n=${{n%%,*}}; last=${{r%%]*}}; last=${{last##*,}}; yes '{line}' | head -n "$n"; done"#
    ))
}

const SHORT_CLAIM: [&str; 6] = [
    "--epsilon",
    "1",
    "--pair",
    "a.json,b.json",
    "--calls",
    "400",
];

#[test]
fn a_program_that_only_fails_is_inconclusive_and_its_error_is_quoted() {
    let target = always(r#"{"error": "KeyError: age"}"#);
    let report = reports(3, &[&["--target", &target], &SHORT_CLAIM[..]].concat());
    let reason = report["reason"].as_str().unwrap();
    let expected = "the program answered nothing but the error \"KeyError: age\": is the dataset what it expects?";
    assert_eq!(reason, expected);
}

#[test]
fn a_program_that_answers_one_constant_is_told_in_the_first_lines() {
    for (line, status, said) in [
        ("5", 0, "every answer was the same, 5: nothing was tested"),
        (
            "{last}",
            1,
            "all calls on dataset 1 were answered by 1, and all on dataset 2 by 0: the program shows no noise, or makes its generator again",
        ),
    ] {
        let target = always(line);
        let claim = [&["--target", &target], &SHORT_CLAIM[..]].concat();
        let report = reports(status, &claim);
        let note = report["answers"]["note"].as_str().unwrap();
        assert!(note.starts_with(said), "{note}");
        let output = prints(&claim);
        let first: Vec<&str> = output.lines().take(2).collect();
        assert!(first[1].contains(said), "{output}");
    }
}

#[test]
fn the_calls_of_the_shrinking_are_told() {
    let target = always("{last}");
    let report = reports(1, &[&["--target", &target], &SHORT_CLAIM[..]].concat());
    let all = report["shrinking"]["calls"].as_u64().unwrap();
    let after = report["shrinking"]["after"]["calls"].as_u64().unwrap();
    assert!(all >= after && after > 0, "{report}");
    assert!(report["shrinking"]["seconds"].as_f64().unwrap() > 0.0);
    let output = prints(&[&["--target", &target], &SHORT_CLAIM[..]].concat());
    let row = output
        .lines()
        .find(|row| row.trim_start().starts_with("shrinking "))
        .unwrap();
    assert!(row.contains(&format!("{all} calls in ")), "{row}");
}

#[test]
fn what_is_noted_of_the_program_stands_before_all_rows() {
    // Words after the script are its arguments.
    let target = format!(
        "{} | sort",
        always("5").replacen("; done", "; done; exit 3", 1)
    );
    let claim = [&["--target", &target], &SHORT_CLAIM[..]].concat();
    let report = reports(0, &claim);
    let notes: Vec<&str> = report["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(notes[0].contains("| is a word like others"), "{notes:?}");
    assert!(notes[1].contains("exit status: 3"), "{notes:?}");
    let output = prints(&claim);
    assert!(
        output
            .lines()
            .nth(1)
            .unwrap()
            .trim_start()
            .starts_with("note "),
        "{output}"
    );
}

#[test]
fn two_levels_have_two_names() {
    let target = always("{last}");
    let report = reports(1, &[&["--target", &target], &SHORT_CLAIM[..]].concat());
    assert_eq!(report["level_of_all_proofs"], "1/20");
    assert_ne!(report["level"], report["level_of_all_proofs"]);
    assert_eq!(report["undetectable"]["level"], report["level"]);
}

/// A program in Python of this mechanism; `None`, and a word on it, where there is no Python.
fn mechanism(expression: &str) -> Option<String> {
    python("a mechanism in one line")?;
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../audit/targets/python");
    Some(format!(
        "{PYTHON} -c \"import sys, math, random; sys.path.insert(0, '{directory}'); from adapter import serve; random.seed(7); serve(lambda data: {expression})\""
    ))
}

/// Laplace noise by inversion: it leaks in its bits, whatever its scale, and in its values with half the scale. The audit
/// goes on after the first proof, and either line makes the exit status 1.
#[test]
fn values_and_bits_are_two_lines_of_one_report() {
    let laplace = |scale: &str| {
        mechanism(&format!(
            "(lambda u: data[3] - {scale} * math.copysign(1, u) * math.log(1 - 2 * abs(u)))(random.random() - 0.5)"
        ))
    };
    let claim = ["--epsilon", "1", "--pair", "a.json,b.json", "--no-shrink"];
    for (scale, values, says) in [
        (
            "1",
            "not-refuted",
            "violation: not (1, 0)-private, by its bits",
        ),
        (
            "0.5",
            "violation",
            "violation: not (1, 0)-private, by its values and by its bits",
        ),
    ] {
        let Some(target) = laplace(scale) else { return };
        let claim = [&["--target", &target, "--calls", "20000"], &claim[..]].concat();
        let report = reports(1, &claim);
        let lines = report["lines"].as_array().unwrap();
        let verdicts: Vec<&Value> = lines.iter().map(|line| &line["verdict"]).collect();
        assert_eq!(verdicts, [values, "violation"], "{report}");
        assert_eq!(lines[0]["aspect"], "values");
        for line in lines {
            assert_eq!(line["finding"]["level"], "1/40", "{line}");
        }
        let printed = prints(&claim);
        assert_eq!(printed.lines().next(), Some(says), "{printed}");
        let bits = printed
            .lines()
            .find(|line| line.trim_start().starts_with("bits  "));
        assert!(
            bits.is_some_and(|row| row.contains("violation: epsilon is above")),
            "{printed}"
        );
        // On request it ends at the first proof.
        let first = [&claim[..], &["--first-proof"]].concat();
        let report = reports(1, &first);
        let decided = |line: &&Value| !line["verdict"].is_null();
        assert_eq!(
            report["lines"]
                .as_array()
                .unwrap()
                .iter()
                .filter(decided)
                .count(),
            1
        );
        assert!(prints(&first).contains("stopped at the first proof"));
    }
    // Where there are no floats there is one line.
    let Some(target) = mechanism("random.getrandbits(4)") else {
        return;
    };
    let report = reports(
        0,
        &[&["--target", &target, "--calls", "400"], &claim[..]].concat(),
    );
    assert_eq!(report["lines"], json!([]));
    assert_eq!(report["level"], "1/20");
}

/// Half of the bits of a NaN, a group that only one dataset has, a letter in the middle, a bit of bytes.
#[test]
fn leaks_inside_of_outputs_are_told_by_what_leaks() {
    let coin = "random.getrandbits(1)";
    let letters = |count: &str| format!("''.join(random.choices('abcdefgh', k={count}))");
    let text = format!(
        "{} + ('xy'[data[3]] if {coin} else 'z') + {}",
        letters("9"),
        letters("9")
    );
    let nan = format!(
        "__import__('struct').unpack('<d', bytes([{coin} * (1 + data[3]), 0, 0, 0, 0, 0, 0xf8, 0x7f]))[0]"
    );
    let groups =
        format!("{{'a': random.random() < 0.5, 'rare' if data[3] and {coin} else 'b': 1}}");
    let bytes = format!(
        "bytes([*random.randbytes(9), data[3] * 16 * {coin} + random.getrandbits(4), *random.randbytes(9)])"
    );
    for (mechanism_, told) in [
        (text, "character 9 of output"),
        (nan, "output = nan:0x7ff8"),
        (groups, "\"rare\""),
        (bytes, "byte 9 of output"),
    ] {
        let Some(target) = mechanism(&mechanism_) else {
            return;
        };
        let claim = [
            "--target",
            &target,
            "--epsilon",
            "1",
            "--pair",
            "a.json,b.json",
        ];
        let report = reports(1, &[&claim[..], &["--calls", "4000"]].concat());
        let event = report["event"].as_str().unwrap();
        let is_told = event.contains(told)
            || (told.starts_with("output = nan") && event.contains("nan:0x7ff8"));
        assert!(is_told, "{told}: {event}");
    }
}

#[test]
fn a_pair_that_the_user_vouches_for_is_taken_as_given() {
    let target = shell(TELLS);
    let claim = ["--target", &target, "--epsilon", "1", "--calls", "400"];
    let far = [&claim[..], &["--pair", "a.json,far.json"]].concat();
    assert!(refuses(&far).contains("not neighbours"));
    let vouched = [&far[..], &["--neighbours", "vouched"]].concat();
    let report = reports(1, &vouched);
    let expected = json!({"relation": "vouched", "checked": false, "record": null});
    assert_eq!(report["neighbours"], expected);
    assert_eq!(report["pair"], json!([[0, 1, 0, 1], [1, 1, 1, 1]]));
    assert!(prints(&vouched).contains("vouched: your word"), "{report}");
}

/// A mean of values that are clamped, which NaN passes through: found by the search, since the domain lists it.
#[test]
fn a_domain_lists_nan_and_an_audit_may_have_fifty_calls() {
    let Some(target) = mechanism("max(0, min(1, data[0])) + random.gauss(0, 5)") else {
        return;
    };
    let room = room();
    let domain = r#"{"records": {"type": "number", "lo": 0, "hi": 1, "also": [{"float": "nan"}]},
                     "size": [1, 2], "neighbours": "substitute"}"#;
    fs::write(room.path().join("d.json"), domain).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .current_dir(room.path())
        .args(["audit", "--target", &target, "--epsilon", "1"]);
    command.args([
        "--domain",
        "d.json",
        "--calls",
        "50",
        "--one-start",
        "--first-proof",
        "--format",
        "json",
    ]);
    let output = command.output().unwrap();
    // Progress is for terminals.
    assert_eq!(text(&output.stderr), "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // max(0, min(1, nan)) is 1 in Python, and max(0, nan) would be 0: NaN is not seen there.
    assert_eq!(output.status.code(), Some(0), "{report}");
    let Some(target) = mechanism("data[0] + random.gauss(0, 5)") else {
        return;
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .current_dir(room.path())
        .args(["audit", "--target", &target, "--epsilon", "1"]);
    command.args(["--domain", "d.json", "--calls", "200", "--format", "json"]);
    command.arg("--one-start");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        report["pair"].to_string().contains(r#"{"float":"nan"}"#),
        "{report}"
    );
}
