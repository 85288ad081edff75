//! The command, run as its users run it.

mod advice;
mod halfspaces;
mod kernels;
mod kernels_answer;
mod kernels_libsvm;
mod margin;
mod margin_kernel;
mod meter;
mod random_features;

use crate::room::{Room, json, listing, text};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

const GOOD: &str = "a,b,y\n0.5,-1,0\n1,0.25,1\n-0.5,1,1\n0,0,0\n";

/// A call of a learner on `data.csv`, in which the last of repeated options counts.
fn learn<'a>(algorithm: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut options = vec![
        ("--epsilon", "1"),
        ("--gamma", "1/10"),
        ("--label", "y"),
        ("--box", "-1:1"),
        ("--out", "model.json"),
    ];
    if algorithm == "halfspaces-descent" {
        options.push(("--delta", "1e-6"));
    }
    for &(option, value) in changes {
        options.retain(|(name, _)| *name != option);
        options.push((option, value));
    }
    let mut arguments = vec!["learn", algorithm, "data.csv"];
    for (option, value) in options {
        arguments.extend([option, value]);
    }
    arguments
}

/// What a learner of numbers needs besides what [`learn`] gives it.
const REGRESSION: [(&str, &str); 2] = [("--delta", "1e-6"), ("--label-box", "0:1")];

#[test]
fn an_error_names_the_option_and_shortens_its_value() {
    let room = Room::new().with("data.csv", GOOD);
    let digits = "7".repeat(3000);
    let fraction = format!("0.{digits}");
    let wide = format!("0:{digits}");
    let mut calls = Vec::new();
    for option in [
        "--epsilon",
        "--gamma",
        "--alpha",
        "--beta",
        "--held-out",
        "--radius",
        "--threshold",
    ] {
        calls.push(("halfspaces-cover", option, None));
    }
    for option in ["--delta", "--margin"] {
        calls.push(("halfspaces-descent", option, None));
    }
    for (option, solver) in [
        ("--epsilon", "descent"),
        ("--delta", "descent"),
        ("--variance", "descent"),
        ("--residual", "descent"),
        ("--residual", "kaczmarz"),
        ("--penalty", "ridge"),
        ("--penalty", "statistics"),
    ] {
        calls.push(("random-features", option, Some(solver)));
    }
    let refuses = |algorithm: &str, solver: Option<&str>, option: &str, value: &str| {
        let mut changes = vec![(option, value)];
        if let Some(solver) = solver {
            changes.splice(0..0, REGRESSION);
            changes.push(("--solver", solver));
        }
        let mut arguments = learn(algorithm, &changes);
        if solver.is_some() {
            let gamma = arguments
                .iter()
                .position(|&argument| argument == "--gamma")
                .unwrap();
            arguments.drain(gamma..gamma + 2);
        }
        let message = room.refuses(&arguments);
        assert!(message.contains(&format!("for '{option} <")), "{message}");
        assert!(message.len() < 300, "{message}");
        assert!(!message.contains(&"7".repeat(41)), "{message}");
        message
    };
    for &(algorithm, option, solver) in &calls {
        for value in [
            "1e300", "1e-300", "1e9999", "1e-9999", &digits, &fraction, "banana",
        ] {
            let is_small = ["--held-out", "--threshold"].contains(&option);
            if !(is_small && value == "1e-300") {
                refuses(algorithm, solver, option, value);
            }
        }
    }
    refuses("halfspaces-cover", None, "--box", &wide);
    refuses("random-features", Some("descent"), "--label-box", &wide);
    let message = refuses(
        "random-features",
        Some("descent"),
        "--label-box",
        "0:1e9999",
    );
    assert!(
        message.contains("HI: it must be 0 or from 1e-300 to 1e300"),
        "{message}"
    );
    for arguments in [
        &["truth", "geometric rate=1", "--at", &digits][..],
        &["audit", "--target", "true", "--epsilon", &digits],
        &[
            "audit",
            "--target",
            "true",
            "--epsilon",
            "1",
            "--calls",
            &digits,
        ],
        &["sample", "geometric rate=1", "-n", &digits],
        &[
            "generate",
            "halfspace",
            "-n",
            "1",
            "-d",
            "1",
            "--out",
            "o.csv",
            "--margin",
            &digits,
        ],
        &["bound", &digits],
        &["verify", &digits],
        &["learn", &digits],
        &["truth", &digits],
        &["truth", "geometric", &digits],
        &["truth", "geometric", &format!("rate={digits}")],
        &[
            "conform",
            "--target",
            "true",
            "--law",
            &format!("geometric rate={fraction}"),
        ],
        &["verify", "--seed", &digits],
    ] {
        let message = room.refuses(arguments);
        assert!(message.len() < 700, "{message}");
        assert!(!message.contains(&"7".repeat(41)), "{message}");
    }
}

#[test]
fn control_characters_of_a_header_are_refused_and_not_printed() {
    let room = Room::new().with("data.csv", "a\u{1b}[2J,b,y\nx,-1,0\n1,1,1\n");
    for boxes in [&[][..], &[("--box", "b=0:1")]] {
        let message = room.refuses(&learn("halfspaces-cover", boxes));
        assert!(message.contains("column 1 of the header"), "{message}");
        assert!(!message.contains('\u{1b}'), "{message:?}");
    }
}

#[test]
fn the_ledger_comes_in_three_formats() {
    let room = Room::new();
    let ledger = json(&room.prints(&["verify", "sample.attempt*", "--quick", "--format", "json"]));
    let claims = ledger["claims"].as_array().unwrap();
    assert!(!claims.is_empty());
    for claim in claims {
        for key in [
            "id",
            "paper",
            "item",
            "statement",
            "status",
            "expected",
            "scope",
        ] {
            assert!(claim[key].is_string(), "{key} in {claim}");
        }
        assert!(claim["as_printed"].is_boolean());
        assert!(claim["evidence"]["method"].is_string());
        assert!(claim["evidence"]["figures"].is_object());
        let replay = claim["evidence"]["replay"].as_str().unwrap();
        assert!(replay.starts_with("assay verify ") && replay.ends_with("--quick"));
        assert_eq!(claim["status"], claim["expected"]);
    }
    assert_eq!(ledger["summary"]["claims"], claims.len());
    assert_eq!(ledger["summary"]["not_as_expected"], 0);

    let xml = room.prints(&["verify", "sample.attempt*", "--quick", "--format", "junit"]);
    let junit = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    assert_eq!(
        (junit.tests, junit.failures, junit.errors),
        (claims.len(), 0, 0)
    );

    let table = room.prints(&["verify", "sample.attempt*", "--quick"]);
    assert!(!table.contains('\x1b') && !table.contains("!="));
    let summary = table.lines().last().unwrap();
    assert!(
        summary.contains("all as expected") && summary.contains("arithmetic"),
        "{summary}"
    );
    let figures = room.prints(&["verify", "sample.attempts", "--quick", "--figures"]);
    assert!(figures.contains("statement") && figures.contains("replay"));
}

#[test]
fn the_larger_instances_run_only_when_they_are_asked_for() {
    let room = Room::new();
    let found = |size: &[&'static str]| {
        let mut arguments = vec!["verify", "sample.uniform-below", "--format", "json"];
        arguments.extend(size);
        let ledger = json(&room.prints(&arguments));
        let claim = &ledger["claims"][0];
        assert_eq!(claim["status"], "checked");
        (
            claim["evidence"]["assertions"].as_u64().unwrap(),
            claim["evidence"]["replay"].as_str().unwrap().to_owned(),
            ledger["summary"]["thorough"].as_bool().unwrap(),
        )
    };
    let (quick, _, _) = found(&["--quick"]);
    let (usual, replay, thorough) = found(&[]);
    assert!(!replay.contains("--thorough") && !thorough);
    let (most, replay, thorough) = found(&["--thorough"]);
    assert!(replay.ends_with(" --thorough") && thorough);
    assert!(quick < usual && usual < most, "{quick} {usual} {most}");
}

#[test]
fn a_report_is_four_files_and_the_evidence_is_the_same_each_time() {
    let room = Room::new();
    let arguments = [
        "verify",
        "sample.attempts",
        "--quick",
        "--report",
        "out/ledger",
    ];
    room.prints(&arguments);
    let evidence = || -> Vec<String> {
        let names = ["ledger.json", "ledger.txt"];
        let read = |name| fs::read_to_string(room.path("out/ledger").join(name)).unwrap();
        names.map(read).to_vec()
    };
    let first = listing(&room.path("out"));
    let before = evidence();
    let names: Vec<_> = first
        .iter()
        .filter_map(|(path, _)| path.strip_prefix(room.path("out/ledger")).ok())
        .map(|path| path.display().to_string())
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(
        names,
        ["ledger.json", "ledger.txt", "ledger.xml", "times.json"]
    );
    json(&before[0]);
    let times = json(&fs::read_to_string(room.path("out/ledger/times.json")).unwrap());
    assert_eq!(times["claims"][0]["id"], "sample.attempts");
    assert!(times["claims"][0]["seconds"].is_number());
    assert!(times["unit"].as_str().unwrap().ends_with(" seconds"));
    let xml = fs::read_to_string(room.path("out/ledger/ledger.xml")).unwrap();
    let junit = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    assert!(junit.test_suites[0].test_cases[0].time.is_some());
    room.prints(&arguments);
    // Times alone differ.
    assert_eq!(evidence(), before);
}

/// Whatever else is wrong.
#[test]
fn a_run_that_is_refused_leaves_no_report_of_another() {
    let room = Room::new();
    for (arguments, names) in [
        ("verify typo*", &["ledger.json", "times.json"][..]),
        ("audit --target cat", &["report.json", "report.html"]),
        (
            "audit --target cat --epsilon -1 --pair a.json,b.json",
            &["report.xml", "report.sarif"],
        ),
        ("conform --target cat --law typo", &["report.json"]),
        ("stable --target cat --pair a.json,b.json", &["report.json"]),
        ("replay --target cat --epsilon 1", &["report.json"]),
        (
            "scores --in a.csv --out b.csv --epsilon 1",
            &["report.json"],
        ),
        ("merge plan.json 1.json", &["report.json", "report.sarif"]),
    ] {
        let directory = room.path("out");
        fs::create_dir(&directory).unwrap();
        for name in names.iter().chain(&["of-others"]) {
            fs::write(directory.join(name), "of yesterday").unwrap();
        }
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let output = room.run(&[&words[..], &["--report", "out"]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let left = listing(&directory);
        let left: Vec<_> = left.iter().map(|(path, _)| path.file_name()).collect();
        assert_eq!(
            left,
            [Some(std::ffi::OsStr::new("of-others"))],
            "{arguments}"
        );
        fs::remove_dir_all(&directory).unwrap();
        // Nor is anything made for one that is refused.
        room.refuses(&[&words[..], &["--report", "out"]].concat());
    }
}

#[test]
fn claims_are_listed() {
    let room = Room::new();
    let text = room.prints(&["claims", "--format", "json"]);
    assert_eq!(room.prints(&["claims", "--json"]), text);
    let listed = json(&text);
    let claims = listed["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim["id"] == "sample.bernoulli"));
    for claim in claims {
        for key in ["id", "paper", "item", "statement", "expected", "proof"] {
            assert!(claim[key].is_string(), "{key} in {claim}");
        }
    }
    let bernoulli = claims
        .iter()
        .find(|claim| claim["id"] == "sample.bernoulli")
        .unwrap();
    let theorems = &bernoulli["machine_checked"];
    assert_eq!(
        theorems["theorems"][0],
        "samplers/Bernoulli.v bernoulli_law"
    );
    assert!(theorems["tapes"].as_u64().unwrap() > 0, "{theorems}");
    assert_eq!(bernoulli["proof"], "Coq, source");
    let table = room.prints(&["claims", "sample.bern*"]);
    assert!(table.starts_with("sample.bernoulli"), "{table}");
    assert!(
        table.contains("    proof: Coq, source\n    in Coq: "),
        "{table}"
    );
}

#[test]
fn generated_data_are_reproducible_and_have_the_margin() {
    let room = Room::new();
    let generate = |seed: &str, out: &str| {
        let arguments = [
            "generate",
            "halfspace",
            "--n",
            "50",
            "--d",
            "7",
            "--margin",
            "1/7",
            "--seed",
            seed,
            "--out",
            out,
        ];
        let printed = room.prints(&arguments);
        assert!(printed.contains("public and reproducible"), "{printed}");
        fs::read_to_string(room.path(out)).unwrap()
    };
    let first = generate("5", "a.csv");
    assert_eq!(first, generate("5", "b.csv"));
    assert_ne!(first, generate("6", "c.csv"));
    let records: Vec<Vec<i64>> = first
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .map(|field| field.parse().unwrap())
                .collect()
        })
        .collect();
    assert_eq!(first.lines().next(), Some("x1,x2,x3,x4,x5,x6,x7,label"));
    assert_eq!(records.len(), 50);
    // Some vector of signs has the margin on every record.
    assert!((0..128u32).any(|w| records.iter().all(|record| {
        let (label, x) = record.split_last().unwrap();
        let product: i64 = x
            .iter()
            .enumerate()
            .map(|(j, x)| if w >> j & 1 == 1 { *x } else { -x })
            .sum();
        label * product >= 1
    })));
}

/// A model of one feature and an intercept: positive above the middle of its interval.
const MODEL: &str = r#"{
  "format": "dp-assay-model-2",
  "software": "dp-assay 0.1.0",
  "algorithm": "halfspaces-cover",
  "privacy": {"epsilon": "1", "delta": "0", "neighbours": "substitution of one record; n public",
              "coins": "ChaCha20 seeded by the operating system",
              "statement": "(1, 0)-differentially private, in a test"},
  "parameters": {}, "parameters_from": "theorem",
  "columns": {"numeric": [{"name": "a", "lo": "0", "hi": "10"}], "categories": [], "intercept": true,
              "shape": "ball", "grid_bits": 20},
  "label": {"classes": {"positive": "yes, indeed", "negative": "no"}},
  "weights": {"direction": ["1000000000000000", "0"]}
}"#;

#[test]
fn predictions_are_by_name_and_whole() {
    let room = Room::new()
        .with("model.json", MODEL)
        .with("data.csv", "text;a\n\"x;y\";7.5\nz;2\n;5\n");
    let predict = ["predict", "model.json", "data.csv"];
    assert_eq!(room.prints(&predict), "yes, indeed\nno\nundecided\n");
    let with = |more: &[&'static str]| [&predict[..], more].concat();
    let printed = json(&room.prints(&with(&["--format", "json"])));
    assert_eq!(printed["predictions"][2], "undecided");
    room.prints(&with(&["--out", "p.csv"]));
    assert_eq!(
        fs::read_to_string(room.path("p.csv")).unwrap(),
        "prediction\n\"yes, indeed\"\nno\nundecided\n"
    );
    let room = room.with("data.csv", "a,c\n1,2\n11,2\n");
    assert_eq!(room.prints(&with(&["--clip"])), "no\nyes, indeed\n");
}

#[test]
fn scores_are_distances_from_the_boundary() {
    let room = Room::new()
        .with("model.json", MODEL)
        .with("data.csv", "a,c\n7.5,0\n2,0\n5,0\nNA,0\n10,0\n");
    let predict = ["predict", "model.json", "data.csv"];
    let with = |more: &[&'static str]| [&predict[..], more].concat();
    let printed = room.prints(&with(&["--scores"]));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "prediction,score");
    assert_eq!(lines[3], "undecided,0");
    assert_eq!(lines[4], "missing,");
    // The middle of the interval is 5, its half 5; with the intercept a record has two coordinates, each at most 1/sqrt(2).
    for (line, expected) in [
        (lines[1], ("\"yes, indeed\",", 0.5)),
        (lines[2], ("no,", -0.6)),
        (lines[5], ("\"yes, indeed\",", 1.0)),
    ] {
        let score: f64 = line.strip_prefix(expected.0).unwrap().parse().unwrap();
        let distance = expected.1 / f64::sqrt(2.0);
        // A step of the grid is 2^-20.
        assert!((score - distance).abs() < 2e-6, "{line}");
    }
    let found = json(&room.prints(&with(&["--scores", "--format", "json"])));
    assert_eq!(found["predictions"].as_array().unwrap().len(), 5);
    assert_eq!(
        (&found["scores"][2], &found["scores"][3]),
        (&json("0.0"), &Value::Null)
    );
    let without = json(&room.prints(&with(&["--format", "json"])));
    assert_eq!(without.get("scores"), None);
    // One file of predictions replaces another.
    for more in [&["--out", "p.csv", "--scores"][..], &["--out", "p.csv"]] {
        room.prints(&with(more));
        let written = fs::read_to_string(room.path("p.csv")).unwrap();
        assert_eq!(written == printed, more.len() == 3);
    }
}

#[test]
fn the_calls_of_the_documentation_print_scores() {
    let text = include_str!("../../../docs/learning.md");
    let section = text.split("\n## ").find(|part| part.starts_with("Scores"));
    let block = section.unwrap().split("```sh\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap().replace('\\', " ");
    let room = Room::new();
    let data = "generate halfspace -n 1000 -d 4 --margin 2/5 --out data.csv";
    room.prints(&data.split_whitespace().collect::<Vec<_>>());
    let calls: Vec<&str> = block.split("assay ").skip(1).collect();
    assert_eq!(calls.len(), 2);
    let printed: Vec<String> = calls
        .iter()
        .map(|call| room.prints(&call.split_whitespace().collect::<Vec<_>>()))
        .collect();
    let lines: Vec<&str> = printed[1].lines().collect();
    assert_eq!((lines[0], lines.len()), ("prediction,score", 1001));
    for line in &lines[1..] {
        let (label, score) = line.split_once(',').unwrap();
        let score: f64 = score.parse().unwrap();
        assert!(
            score.abs() <= 1.0 && (label == "-1") == (score < 0.0),
            "{line}"
        );
    }
}

/// Predicts with scores: each says its label, several have different sizes; their labels are those without scores.
fn scores_say_the_labels(room: &Room, file: &str, [positive, negative]: [&str; 2]) {
    let predict = ["predict", "model.json", file, "--format", "json"];
    let labels = &json(&room.prints(&predict))["predictions"];
    let found = json(&room.prints(&[&predict[..], &["--scores"]].concat()));
    assert_eq!(&found["predictions"], labels);
    let (labels, scores) = (
        labels.as_array().unwrap(),
        found["scores"].as_array().unwrap(),
    );
    assert_eq!(labels.len(), scores.len());
    for (label, score) in labels.iter().zip(scores) {
        let score = score.as_f64().unwrap();
        let said = match score {
            _ if score > 0.0 => positive,
            _ if score < 0.0 => negative,
            _ => "undecided",
        };
        assert_eq!(label, said, "{score}");
    }
    assert!(scores.iter().any(|score| score != &scores[0]));
}

/// 2,500 records of 5 signs with margin 3/5.
fn separable() -> Room {
    let room = Room::new();
    let sizes = ["--n", "2500", "--d", "5", "--margin", "3/5"];
    room.prints(&[&["generate", "halfspace", "--out", "data.csv"][..], &sizes].concat());
    room
}

/// The learners on those records, each with what makes it quick.
const LEARNERS: [(&str, &[(&str, &str)]); 4] = [
    (
        "halfspaces-cover",
        &[("--radius", "1/2"), ("--threshold", "0")],
    ),
    ("halfspaces-descent", &[]),
    (
        "halfspaces-descent",
        &[("--dimension", "4"), ("--runs", "2")],
    ),
    (
        "halfspaces-descent",
        &[("--variant", "one-record"), ("--steps", "300")],
    ),
];

/// A call of a learner on separable data; it may replace the model of the call before.
fn learn_separable<'a>(
    algorithm: &'a str,
    changes: &[(&'a str, &'a str)],
    more: &[(&'a str, &'a str)],
) -> Vec<&'a str> {
    let all = [
        &[
            ("--label", "label"),
            ("--gamma", "3/5"),
            ("--format", "json"),
        ],
        changes,
        more,
    ];
    [&learn(algorithm, &all.concat())[..], &["--force"]].concat()
}

#[test]
fn every_learner_learns_writes_a_model_and_predicts_by_it() {
    let room = separable();
    for (algorithm, changes) in LEARNERS {
        let held_out = [("--seed", "7"), ("--held-out", "1/5")];
        let mut arguments = learn_separable(algorithm, changes, &held_out);
        let safe = json(&room.prints(&arguments));
        assert!(safe.get("not_private").is_none());
        arguments.push("--unsafe-report");
        let report = json(&room.prints(&arguments));
        let model = json(&fs::read_to_string(room.path("model.json")).unwrap());
        assert_eq!(report["privacy"], model["privacy"]);
        assert_eq!(report["parameters"], model["parameters"]);
        assert!(model.get("not_private").is_none() && model.get("bound").is_none());
        assert_eq!(model["weights"]["direction"].as_array().unwrap().len(), 5);
        assert_eq!(model["software"], "dp-assay 0.1.0");
        let statement = model["privacy"]["statement"].as_str().unwrap();
        let private = if algorithm == "halfspaces-cover" {
            "(1, 0)-differentially private"
        } else {
            "(1, 1/1000000)-differentially private"
        };
        assert!(
            statement.starts_with("NOT private, since a seed is given"),
            "{statement}"
        );
        assert_eq!(model["privacy"]["private"], false);
        assert!(statement.contains(private), "{statement}");
        assert!(
            statement.contains("under substitution of one record"),
            "{statement}"
        );
        let from = model["parameters_from"].as_str().unwrap();
        for (option, _) in changes.iter().filter(|(option, _)| *option != "--variant") {
            assert!(from.contains(&option[2..]), "{option} in {from}");
        }

        // The model says of all records what the report says of both parts.
        let labels = fs::read_to_string(room.path("data.csv")).unwrap();
        let labels = labels
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().unwrap());
        let printed = room.prints(&["predict", "model.json", "data.csv"]);
        let wrong = printed
            .lines()
            .zip(labels)
            .filter(|(found, right)| found != right);
        let errors = &report["not_private"];
        let reported =
            ["training", "held_out"].map(|part| errors[part]["this_model"].as_u64().unwrap());
        assert_eq!(wrong.count() as u64, reported.iter().sum::<u64>());
        assert_eq!(errors["held_out"]["non_private_baseline"], 0);
        if !changes.contains(&("--variant", "one-record")) {
            assert!(
                reported[0] < 200,
                "{algorithm} {changes:?}: {reported:?} of 2000 and 500"
            );
        }
    }
}

#[test]
fn a_bound_says_something_or_why_it_does_not() {
    let room = separable();
    let bound = |number: usize, more: &[(&'static str, &'static str)]| {
        let (algorithm, changes) = LEARNERS[number];
        let more = [&[("--held-out", "1/5")][..], more].concat();
        json(&room.prints(&learn_separable(algorithm, changes, &more)))["bound"].clone()
    };
    let says = |bound: &Value, part: &str| {
        let statement = bound["statement"].as_str().unwrap();
        assert!(statement.contains(part), "{statement}");
    };
    for (number, epsilon, error) in [(0, "1", "0.0139"), (1, "4", "0.")] {
        let found = bound(number, &[("--epsilon", epsilon)]);
        assert_eq!(found["vacuous"], false);
        let alpha = found["error_at_most"].as_str().unwrap();
        assert!(alpha.starts_with(error), "{alpha}");
        says(&found, "on every distribution of margin 3/5");
        says(
            &found,
            &format!("error at most {alpha} with probability 9/10"),
        );
    }
    for (number, more, part) in [
        (0, &[("--radius", "3/5")][..], "a net of radius"),
        (0, &[("--threshold", "1/5")], "does not leave"),
        (1, &[("--margin", "3/5")], "does not leave"),
        (1, &[("--grid-bits", "3")], "rounding to the grid"),
        (2, &[], "4 rows keep the margins of 2000 records"),
        (3, &[], "no guarantee is stated"),
    ] {
        let found = bound(number, more);
        assert_eq!(found["vacuous"], true, "{part}");
        assert!(found.get("error_at_most").is_none());
        says(&found, part);
    }
}

#[test]
fn seeds_reproduce_and_without_them_runs_differ() {
    let room = separable();
    let model = |number: usize, more: &[(&'static str, &'static str)]| {
        let (algorithm, changes) = LEARNERS[number];
        room.prints(&learn_separable(algorithm, changes, more));
        json(&fs::read_to_string(room.path("model.json")).unwrap())
    };
    for number in 0..LEARNERS.len() {
        let seeded = model(number, &[("--seed", "5")]);
        assert_eq!(seeded, model(number, &[("--seed", "5")]));
        assert_ne!(
            seeded["weights"],
            model(number, &[("--seed", "6")])["weights"]
        );
        let free = model(number, &[]);
        assert!(
            free["privacy"]["statement"]
                .as_str()
                .unwrap()
                .starts_with("(1, ")
        );
        // The least likely to differ is the pure learner: from a few points of thousands.
        let other = (0..20).any(|_| model(number, &[])["weights"] != free["weights"]);
        assert!(other, "{number}");
    }
}

#[test]
fn a_dimension_that_is_not_below_the_data_s_projects_nothing() {
    let room = separable();
    for (algorithm, changes) in [LEARNERS[0], LEARNERS[1]] {
        let found = json(&room.prints(&learn_separable(
            algorithm,
            changes,
            &[("--dimension", "5")],
        )));
        assert_eq!(found["parameters"]["dimension"], "5");
        assert_eq!(
            found["parameters"]["projection"],
            "none, since --dimension 5 is not below 5"
        );
    }
}

#[test]
fn a_learner_that_would_take_too_long_names_the_options_and_leaves_the_old_model() {
    let room = separable().with("model.json", MODEL);
    for (algorithm, changes, parts) in [
        (
            "halfspaces-cover",
            &[("--gamma", "1/1000")][..],
            &[
                "--dimension (here 5)",
                "--radius (here 1/10000)",
                "--limit 60000000000",
            ][..],
        ),
        (
            "halfspaces-descent",
            &[("--variant", "one-record")],
            &[
                "--steps 6250000",
                "--limit 100000000",
                "--variant full-batch",
            ],
        ),
        (
            "halfspaces-descent",
            &[("--steps", "18446744073709551615")],
            &["--steps 18446744073709551615", "--runs"],
        ),
        (
            "halfspaces-descent",
            &[("--variant", "one-record"), ("--margin", "1/2")],
            &["--margin 1/2", "full-batch"],
        ),
        (
            "halfspaces-cover",
            &[("--held-out", "2499/2500")],
            &["--held-out 2499/2500 leaves 1 of 2500"],
        ),
    ] {
        let message = room.refuses(&learn_separable(algorithm, &[], changes));
        for part in parts {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
    assert_eq!(fs::read_to_string(room.path("model.json")).unwrap(), MODEL);
}

#[test]
fn a_truncated_model_is_refused() {
    let room = separable();
    room.prints(&learn_separable("halfspaces-descent", &[], &[]));
    let model = fs::read_to_string(room.path("model.json")).unwrap();
    for length in [0, 1, model.len() / 2, model.len() - 3] {
        fs::write(room.path("model.json"), &model[..length]).unwrap();
        let message = room.refuses(&["predict", "model.json", "data.csv", "--out", "p.csv"]);
        assert!(
            message.contains("model.json is not a model file"),
            "{message}"
        );
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_crash() {
    let room = Room::new();
    let mut child = room
        .command(&["sample", "geometric", "rate=1/2", "-n", "1000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn help_and_version_have_status_zero() {
    let room = Room::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["learn", "halfspaces-cover", "--help"],
    ] {
        room.prints(arguments);
    }
}

#[test]
fn the_values_of_a_file_without_a_header_are_never_names() {
    let rows = "0.731,0.5,1\n0.25,-1,0\n-0.731,1,1\n0.5,0,0\n";
    let room = Room::new().with("data.csv", rows);
    let quick = [("--label", "3"), ("--gamma", "1/2"), ("--radius", "1/2")];
    let with = |more: &'static str| {
        let mut arguments = learn("halfspaces-cover", &quick);
        arguments.push(more);
        arguments
    };
    room.prints(&with("--no-header"));
    let model = fs::read_to_string(room.path("model.json")).unwrap();
    assert!(!model.contains("731"), "{model}");
    let predict = ["predict", "model.json", "data.csv", "--no-header"];
    assert_eq!(room.prints(&predict).lines().count(), 4);
    assert!(room.refuses(&predict[..3]).contains("--numeric-names"));
    // Names may be numbers if that is said.
    let room = Room::new().with("data.csv", "1,2,3\n0.25,-1,0\n-0.5,1,1\n0.5,0,0\n");
    room.prints(&with("--numeric-names"));
}

#[test]
fn a_model_replaces_nothing_unless_it_is_forced() {
    let room = separable()
        .with("thesis.tex", "\\documentclass{book}")
        .with("empty", "");
    let quick = |out: &'static str| {
        let options = [("--label", "label"), ("--gamma", "3/5"), ("--out", out)];
        learn("halfspaces-descent", &options)
    };
    let message = room.refuses(&quick("thesis.tex"));
    assert!(
        message.contains("thesis.tex") && message.contains("--force"),
        "{message}"
    );
    let mut forced = quick("thesis.tex");
    forced.push("--force");
    room.prints(&forced);
    room.prints(&quick("empty"));
    // A model least of all: it has been paid for.
    for model in ["thesis.tex", "empty"] {
        let message = room.refuses(&quick(model));
        for part in [model, "paid for with privacy", "another --out", "--force"] {
            assert!(message.contains(part), "{message}");
        }
    }
    room.prints(&forced);
}

/// The records come from a pipe, so that what happens while they are learned from has its place.
#[cfg(unix)]
#[test]
fn a_model_that_came_meanwhile_stays_and_the_new_one_has_another_name() {
    let room = separable().with("other.json", "paid for too");
    fs::rename(room.path("data.csv"), room.path("records.csv")).unwrap();
    let made = Command::new("mkfifo").arg(room.path("data.csv")).status();
    assert!(made.unwrap().success());
    let call = learn(
        "halfspaces-descent",
        &[("--label", "label"), ("--gamma", "3/5")],
    );
    for (number, forced) in [(2, false), (3, false), (3, true)] {
        // It waits until the records are asked for, when the name was looked at already.
        let mut meanwhile = Command::new("sh")
            .args([
                "-c",
                "exec 3>data.csv; cp other.json model.json; cat records.csv >&3",
            ])
            .current_dir(room.directory.path())
            .spawn()
            .unwrap();
        let force: &[&str] = if forced { &["--force"] } else { &[] };
        let output = room.run(&[&call[..], force].concat());
        let _ = meanwhile.kill();
        meanwhile.wait().unwrap();
        let said = text(&output.stderr);
        let model = fs::read_to_string(room.path("model.json")).unwrap();
        let other = format!("model-{number}.json");
        let status = if forced { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert_eq!(model == "paid for too", !forced);
        assert!(room.path(&other).exists() && !room.path("model-4.json").exists());
        if !forced {
            let part = "cannot write model.json: there is a file of this name by now, and it stays; the model is in ";
            assert!(said.contains(part) && said.contains(&other), "{said}");
            assert!(text(&output.stdout).contains(&other));
            room.prints(&["predict", &other, "records.csv"]);
            fs::remove_file(room.path("model.json")).unwrap();
        }
    }
}

#[test]
fn predictions_and_generated_records_replace_only_their_own_kind_unless_forced() {
    let generate = [
        "generate",
        "halfspace",
        "-n",
        "5",
        "-d",
        "3",
        "--margin",
        "1/3",
    ];
    let predict = ["predict", "model.json", "data.csv"];
    for (command, kind, own, others) in [
        (
            &generate[..],
            "a file of generated records",
            "x1,x2,label\n1,1,1\n",
            ["x1,x3,label\n1,1,1\n", "prediction\nno\n"],
        ),
        (
            &predict[..],
            "a file of predictions",
            "prediction\nperhaps\n",
            ["prediction,1\nno,1\n", "x1,label\n1,1\n"],
        ),
    ] {
        let room = Room::new()
            .with("model.json", MODEL)
            .with("data.csv", "a,b\n1,2\n");
        let to = |more: &[&'static str]| [command, &["--out", "out"], more].concat();
        for other in others.into_iter().chain(["thesis", "\n", MODEL]) {
            fs::write(room.path("out"), other).unwrap();
            let message = room.refuses(&to(&[]));
            let says = format!("it is there already, and is not {kind} (--force replaces it)");
            assert!(message.contains(&says), "{message}");
            room.prints(&to(&["--force"]));
            // What was written may be replaced.
            room.prints(&to(&[]));
        }
        for mine in [own, ""] {
            fs::write(room.path("out"), mine).unwrap();
            room.prints(&to(&[]));
            assert_ne!(fs::read_to_string(room.path("out")).unwrap(), mine);
        }
    }
}

#[test]
fn the_pure_learner_says_how_much_there_is_to_do_and_has_a_limit() {
    let room = separable();
    let (algorithm, changes) = LEARNERS[0];
    let output = room.run(&learn_separable(algorithm, changes, &[]));
    let said = text(&output.stderr);
    assert!(
        said.contains("points of the cover on 2500 records, some "),
        "{said}"
    );
    let points = json(&text(&output.stdout))["parameters"]["cover_points"].clone();
    assert!(said.starts_with(points.as_str().unwrap()), "{said}");
    // The lines are short, so that each point costs a step a record, and 8; and the cover is gone through twice.
    let steps = 2 * 2508 * points.as_str().unwrap().parse::<u64>().unwrap();
    let (enough, less) = (steps.to_string(), (steps - 1).to_string());
    room.prints(&learn_separable(
        algorithm,
        changes,
        &[("--limit", &enough)],
    ));
    let message = room.refuses(&learn_separable(algorithm, changes, &[("--limit", &less)]));
    for part in [
        &*format!("are more than --limit {less}"),
        "or raise --limit",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
    // How large epsilon may be depends on the number of records.
    let large = learn_separable(algorithm, changes, &[("--epsilon", "1e4")]);
    let output = room.run(&large);
    assert_eq!(output.status.code(), Some(2));
    let says = "--epsilon must be at most 2^23 divided by the number of records, got 10000";
    assert!(text(&output.stderr).contains(says));
}

#[cfg(unix)]
#[test]
fn names_and_links_that_cannot_be_written_are_refused_before_the_work() {
    let room = separable();
    let long = "x".repeat(300);
    std::os::unix::fs::symlink(room.path("nowhere"), room.path("link")).unwrap();
    for (out, part) in [
        (&*long, "cannot write"),
        ("link", "a file that is not there"),
    ] {
        // The records would be refused later.
        let more = [("--label", "no such column"), ("--out", out)];
        let message = room.refuses(&learn_separable("halfspaces-cover", &[], &more));
        assert!(message.contains(part), "{message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_printed_does_not_hide_that_the_model_was_written() {
    let room = separable();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = room.command(&learn_separable("halfspaces-descent", &[], &[]));
    let output = command.stdout(full).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        message.contains("the model was written to model.json, and its privacy budget is spent"),
        "{message}"
    );
    json(&fs::read_to_string(room.path("model.json")).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_no_temporary_file() {
    let room = Room::new();
    let many = ["generate", "halfspace", "--n", "1e7", "--d", "1000"];
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        // Who is started with `&` ignores interrupts, and so does what it starts.
        if ignored >> (number - 1) & 1 == 1 {
            continue;
        }
        let mut child = room
            .command(&[&many[..], &["--margin", "1/10", "--out", "d.csv"]].concat())
            .spawn()
            .unwrap();
        // Sizes only: who reads a file that grows as fast may never come to its end.
        let is_written = |file: std::io::Result<fs::DirEntry>| {
            let size = file.and_then(|file| file.metadata()).map(|data| data.len());
            size.unwrap_or(0) > 0
        };
        while !fs::read_dir(room.directory.path()).unwrap().any(is_written) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let id = child.id().to_string();
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), None);
        assert_eq!(listing(room.directory.path()), []);
    }
}

#[test]
fn what_is_not_private_is_printed_only_when_asked_for_and_under_its_heading() {
    let room = separable();
    let table = |more: &[&'static str]| {
        let quick = [
            ("--format", "table"),
            ("--positive", "1"),
            ("--negative", "-1"),
            ("--held-out", "1/5"),
        ];
        let arguments = learn_separable("halfspaces-descent", &quick, &[]);
        room.prints(&[&arguments[..], more].concat())
    };
    let safe = table(&[]);
    for part in ["Parameters (from: theorem)", "\nThe bound", "projection   "] {
        assert!(safe.contains(part), "{part} in {safe}");
    }
    for part in ["NOT PRIVATE", "baseline", "clipped"] {
        assert!(!safe.contains(part), "{part} in {safe}");
    }
    let (public, private) = table(&["--unsafe-report"])
        .split_once("\nNOT PRIVATE")
        .map(|(before, after)| (before.to_owned(), after.to_owned()))
        .unwrap();
    assert!(!public.contains("this model"));
    for part in [
        "training error, this model",
        "held-out error, majority class",
        "of 2000)",
        "of 500)",
        "clipped records",
    ] {
        assert!(private.contains(part), "{part} in {private}");
    }
}

#[test]
fn budgets_that_promise_little_and_labels_from_the_records_draw_a_caution() {
    let room = separable();
    let cautions = |more: &[(&'static str, &'static str)]| {
        let output = room.run(&learn_separable("halfspaces-descent", &[], more));
        let report = json(&text(&output.stdout));
        let cautions: Vec<String> = serde_json::from_value(report["cautions"].clone()).unwrap();
        for caution in &cautions {
            assert!(text(&output.stderr).contains(caution));
        }
        let statement = report["privacy"]["statement"].as_str().unwrap().to_owned();
        assert!(statement.contains("every further release from the same records adds"));
        (cautions.join("; "), statement)
    };
    let declared = [("--positive", "1"), ("--negative", "-1")];
    let (none, statement) = cautions(&declared);
    assert_eq!(none, "");
    assert!(!statement.contains("found in the records"));
    let (found, statement) = cautions(&[]);
    assert!(
        found.contains("--positive and --negative declare them"),
        "{found}"
    );
    assert!(statement.contains("found in the records"), "{statement}");
    let (large, _) = cautions(
        &[
            &declared[..],
            &[
                ("--epsilon", "21/2"),
                ("--delta", "0.001"),
                ("--steps", "100"),
            ],
        ]
        .concat(),
    );
    assert!(large.contains("--epsilon 21/2 is above 10"), "{large}");
    assert!(large.contains("--delta 1/1000 is above 1/2500"), "{large}");
}

/// At the ends of the ranges a bound is computed, and beyond them nothing is.
fn the_work_is_bounded(claim: &str, options: &str) {
    let room = Room::new();
    let long = format!("0.1{}", "7".repeat(3000));
    let good: Vec<&str> = ["bound", claim]
        .into_iter()
        .chain(options.split(' '))
        .collect();
    room.prints(&good);
    for (place, option) in good
        .iter()
        .enumerate()
        .filter(|(_, word)| word.starts_with("--"))
    {
        for value in ["1e-9999", "1e9999", "-1e-9999", &long] {
            let mut bad = good.clone();
            bad[place + 1] = value;
            let message = room.refuses(&bad);
            assert!(message.contains(&format!("for '{option} <")), "{message}");
            assert!(message.contains("it must "), "{message}");
            assert!(message.len() < 300, "{message}");
        }
    }
}
