//! The files that the command keeps, as it wrote them before it was a package of its own (`tests/formats/`): models, plans
//! and counts of many machines, sessions, records of campaigns. They are read, or refused with a word that says what to do.
//!
//! What a format carries: a model a format, and the version that wrote it, which must not be later. A plan, counts and a
//! session a format, and the version, which must be the same: another one may count or answer otherwise. A record of a
//! campaign has the version in its digest: one of another version is made anew.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The version that wrote the files.
const WRITTEN_BY: &str = "0.1.0";

/// A later one, which nobody knows.
const LATER: &str = "99.0.0";

/// A directory with copies of the files, in which the command runs.
struct Room(TempDir);

impl Room {
    fn new() -> Self {
        let room = Self(tempfile::tempdir().unwrap());
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
        for file in fs::read_dir(files).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), room.path(&file.file_name().to_string_lossy())).unwrap();
        }
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Changes a file, in which this must stand.
    fn change(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name}: {from}");
        fs::write(self.path(name), text.replacen(from, to, 1)).unwrap();
    }

    /// The status, what is printed, and what is said.
    fn run(&self, arguments: &str, input: &str) -> (i32, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
            .current_dir(self.0.path())
            .args(arguments.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // What refuses may not read it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let status = output.status.code().unwrap();
        (status, text(output.stdout), text(output.stderr))
    }

    /// What a command prints that must end with this status.
    fn prints(&self, status: i32, arguments: &str, input: &str) -> String {
        let (ended, printed, said) = self.run(arguments, input);
        assert_eq!(ended, status, "{arguments}: {printed}{said}");
        printed
    }

    /// Expects that a command is refused, and that the message has all of these.
    fn refuses(&self, arguments: &str, words: &[&str]) {
        let (status, printed, said) = self.run(arguments, "0.9,0.9\n");
        assert_eq!((status, &*printed), (2, ""), "{arguments}: {said}");
        for word in words {
            assert!(said.contains(word), "{arguments}: no '{word}': {said}");
        }
    }
}

/// Whether this is still the version that wrote the files: then those that go with one version are read, else refused.
fn is_the_same_version() -> bool {
    env!("CARGO_PKG_VERSION") == WRITTEN_BY
}

/// A file for each form of weights, and how its predictions begin.
#[cfg(feature = "papers")]
const MODELS: [(&str, [&str; 4]); 6] = [
    ("halfspace.json", ["1", "0", "1", "1"]),
    ("kernel-release.json", ["1", "0", "0", "1"]),
    ("kernel-tddl.json", ["1", "0", "0", "0"]),
    ("margin-kernel.json", ["1", "0", "0", "0"]),
    ("margin-network.json", ["1", "undecided", "undecided", "0"]),
    (
        "random-features.json",
        ["0.13779732", "1.20822594", "0.82797895", "1.97954162"],
    ),
];

#[cfg(feature = "papers")]
#[test]
fn a_model_of_this_format_predicts_as_it_did() {
    let room = Room::new();
    for (name, expected) in MODELS {
        let printed = room.prints(0, &format!("predict {name} points.csv"), "");
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len(), expected.len(), "{name}: {printed}");
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.starts_with(expected), "{name}: {printed}");
        }
    }
}

#[cfg(feature = "papers")]
#[test]
fn a_model_of_a_later_format_or_version_is_refused_by_its_name() {
    let later = format!("dp-assay {LATER}");
    for (from, to, words) in [
        (
            "dp-assay-model-2",
            "dp-assay-model-3",
            [
                "got \"dp-assay-model-3\"",
                "predict with the version that wrote it, dp-assay 0.1.0",
            ],
        ),
        (
            "dp-assay-model-2",
            "dp-assay-model-1",
            [
                "got \"dp-assay-model-1\"",
                "predict with the version that wrote it",
            ],
        ),
        (
            "dp-assay 0.1.0\"",
            &format!("{later}\", \"what-is-new\": 1"),
            [&*later, "later than this version, "],
        ),
    ] {
        for (name, _) in MODELS {
            let room = Room::new();
            room.change(name, from, to);
            room.refuses(&format!("predict {name} points.csv"), &words);
        }
    }
}

#[test]
fn a_plan_is_counted_and_merged_with_counts_that_were_there() {
    let room = Room::new();
    let count = "count plan.json --shard 2/2 --out counts-2.json";
    if !is_the_same_version() {
        return room.refuses(count, &["a plan of version 0.1.0", "make a new plan"]);
    }
    room.prints(0, count, "");
    // Half of the noise that the claim needs.
    let printed = room.prints(1, "merge plan.json counts-1.json counts-2.json", "");
    assert!(
        printed.starts_with("violation: not (1, 0)-private"),
        "{printed}"
    );
}

#[test]
fn a_plan_and_counts_of_a_later_format_or_version_are_refused_by_its_name() {
    let version = format!("\"version\": \"{LATER}\", \"what-is-new\": 1");
    for (name, format, later, instead) in [
        (
            "plan.json",
            "plan of counts, 1",
            "plan of counts, 2",
            "make a new plan with this one",
        ),
        (
            "counts-1.json",
            "counts, 1",
            "counts, 2",
            "count again with this one",
        ),
    ] {
        let merge = "merge plan.json counts-1.json";
        let of_version = "\"version\": \"0.1.0\"";
        // Counts are read after their plan.
        if name == "counts-1.json" && !is_the_same_version() {
            continue;
        }
        let room = Room::new();
        room.change(name, of_version, &version);
        room.refuses(merge, &[name, LATER, instead]);
        room.change(name, format, later);
        room.refuses(merge, &[name, later, LATER, instead]);
    }
}

/// A session of each kind, after two answers.
#[cfg(feature = "papers")]
const SESSIONS: [(&str, &str, &str); 3] = [
    ("gp", "--coordinates 2 --delta 1e-6", "coordinates 0"),
    ("nt", "--queries 5 --norm-bound 2 --delta 1e-6", "queries 2"),
    ("svt", "--queries 5 --norm-bound 2", "queries 2"),
];

#[cfg(feature = "papers")]
fn answer(kind: &str, options: &str) -> String {
    format!(
        "answer {kind} records.csv --label y --drop z --positive 1 --negative 0 --box=-1:1 --epsilon 1000 --lambda 1/100 \
         --kernel polynomial=2,0 --seed 8 --accept-noise {options} --state {kind}.session"
    )
}

#[cfg(feature = "papers")]
#[test]
fn a_session_goes_on_with_the_budget_that_is_left() {
    for (kind, options, left) in SESSIONS {
        let room = Room::new();
        let answer = answer(kind, options);
        if !is_the_same_version() {
            room.refuses(
                &answer,
                &["dp-assay 0.1.0", "only that version goes on with it"],
            );
            continue;
        }
        let printed = room.prints(0, &answer, "0.9,0.9\n");
        assert_eq!(printed.lines().count(), 1, "{kind}: {printed}");
        assert!(printed.contains(left), "{kind}: {printed}");
    }
}

#[cfg(feature = "papers")]
#[test]
fn a_session_of_a_later_format_is_refused_by_its_name() {
    for (kind, options, _) in SESSIONS {
        for later in ["dp-assay-session-3", "dp-assay-session-10"] {
            let room = Room::new();
            room.change(&format!("{kind}.session"), "dp-assay-session-2", later);
            let instead = "only the version that wrote it goes on with it";
            room.refuses(&answer(kind, options), &[later, instead]);
        }
    }
}

#[test]
fn a_record_of_a_campaign_stands_and_one_of_another_version_is_made_anew() {
    let room = Room::new();
    let kept = room.path("out/formats/check");
    fs::create_dir_all(&kept).unwrap();
    fs::rename(room.path("record.json"), kept.join("record.json")).unwrap();
    let campaign = "campaign campaign.toml --out out";
    room.prints(0, campaign, "");
    // Its program says when it runs.
    assert_eq!(room.path("ran").exists(), !is_the_same_version());
    room.change(
        "out/formats/check/record.json",
        "\"digest\": \"",
        "\"digest\": \"0",
    );
    room.prints(0, campaign, "");
    assert!(room.path("ran").exists());
}
