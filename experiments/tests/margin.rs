//! `reproduce` with the learners of the paper on margin guarantees, on small files of the shape of the real ones.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The columns of a wine, and the middle of what each may be.
const COLUMNS: [(&str, f64); 11] = [
    ("fixed acidity", 8.0),
    ("volatile acidity", 0.5),
    ("citric acid", 0.5),
    ("residual sugar", 10.0),
    ("chlorides", 0.1),
    ("free sulfur dioxide", 50.0),
    ("total sulfur dioxide", 150.0),
    ("density", 0.995),
    ("pH", 3.25),
    ("sulphates", 0.6),
    ("alcohol", 11.0),
];

/// `n` wines; those of one colour have `more` of the first properties than those of the other.
fn wine(n: usize, more: f64) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut text = format!("{};quality\n", names.join(";"));
    for record in 0..n {
        for (place, (_, middle)) in COLUMNS.iter().enumerate() {
            let by = if place < 6 { more } else { 0.0 };
            let wiggle = ((record * (place + 3)) % 7) as f64 / 100.0;
            write!(text, "{};", middle * (1.0 + by + wiggle * 0.1)).unwrap();
        }
        writeln!(text, "{}", 3 + record % 6).unwrap();
    }
    text
}

fn data() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("winequality-red.csv", wine(60, 0.4)),
        ("winequality-white.csv", wine(120, -0.4)),
    ] {
        fs::write(directory.path().join(file), text).unwrap();
    }
    directory
}

fn reproduce(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reproduce"))
        .current_dir(directory)
        .arg("bms22")
        .args(arguments)
        .output()
        .unwrap()
}

fn tables(output: &Output) -> Vec<Value> {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    results["tables"].as_array().unwrap().clone()
}

/// The mean before the standard error.
fn mean(cell: &Value) -> f64 {
    let text = cell.as_str().unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn every_learner_has_a_row_with_standard_errors_and_what_cannot_run_says_why() {
    let room = data();
    let arguments = "--data . --any-data --only table --quick --repetitions 2 --format json";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let tables = tables(&reproduce(room.path(), &arguments));
    let names: Vec<&str> = tables.iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["table-wine", "table-signs-20"]);
    let title = tables[0]["title"].as_str().unwrap();
    assert!(title.contains("not the files that the authors publish"));
    for table in &tables {
        let rows = table["rows"].as_array().unwrap();
        let row = |begins: &str| {
            let found = rows
                .iter()
                .find(|row| row[0].as_str().unwrap().starts_with(begins));
            found.unwrap_or_else(|| panic!("{begins}: {rows:?}"))
        };
        assert!(mean(&row("support vector machine")[3]) < 0.05);
        assert!(mean(&row("majority class")[3]) > 0.2);
        for learner in [
            "Gibbs learner",
            "the same, margin chosen privately (margin-gibbs",
            "the same, labels alone private",
            "Algorithm 1",
            "Algorithm 2 (",
            "Algorithm 2, margin chosen privately",
            "Algorithm 3, exp(-|z|^2/2)",
            "Algorithm 3, (<x, x'> + 1)^2",
            "cover of the sphere",
            "noisy gradients of all records",
            "noisy gradients of one record",
            "noisy gradient descent, hinge",
            "noisy gradient descent, logistic",
        ] {
            for cell in &row(learner).as_array().unwrap()[2..] {
                let text = cell.as_str().unwrap();
                assert!(
                    text.contains(" +- ") || text == "refused",
                    "{learner}: {text}"
                );
            }
        }
        // It takes one file alone, with a column of labels.
        for cell in &row("the same, labels alone private").as_array().unwrap()[2..] {
            assert!(cell.as_str().unwrap().contains(" +- "), "{cell}");
        }
        assert!(mean(&row("Gibbs learner")[4]) < mean(&row("majority class")[4]));
    }
}

#[test]
fn what_is_asked_for_wrongly_is_refused_before_the_work() {
    let room = data();
    for (arguments, part) in [
        (&["--only", "table"][..], "--data DIR is missing"),
        (&["--repetitions", "1"], "a whole number from 2 to 1000"),
        (&["--repetitions", "1e9"], "a whole number from 2 to 1000"),
        (
            &["--repetitions", "18446744073709551615"],
            "a whole number from 2 to 1000",
        ),
        (&["--data", "."], "--any-data takes it all the same"),
        (&["--data", "nowhere"], "nowhere"),
        (
            &["--only", "bounds", "--out", "nowhere"],
            "a directory that exists",
        ),
        (
            &["--only", "dimension", "--peer", "./nobody"],
            "--peer './nobody': it could not be started",
        ),
    ] {
        let output = reproduce(room.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(message.contains(part), "{part} in {message}");
        assert!(output.stdout.is_empty());
    }
}

/// A peer in a line of shell, which errs on every tenth record.
#[cfg(unix)]
#[test]
fn figures_are_written_as_data_and_as_plots_with_the_peer_in_them() {
    use std::os::unix::fs::PermissionsExt;
    let room = data();
    let script =
        "#!/bin/sh\nwhile read -r question; do echo '{\"training\": 100, \"test\": 100}'; done\n";
    let peer = room.path().join("peer");
    fs::write(&peer, script).unwrap();
    fs::set_permissions(&peer, fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = "--only dimension --only bounds --quick --repetitions 2 --peer ./peer --out . --format json";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let tables = tables(&reproduce(room.path(), &arguments));
    let rows = tables[0]["rows"].as_array().unwrap();
    let errors = |margin: &str, begins: &str| -> Vec<f64> {
        rows.iter()
            .filter(|row| row[0] == margin && row[1].as_str().unwrap().starts_with(begins))
            .map(|row| row[3].as_f64().unwrap())
            .collect()
    };
    assert_eq!(errors("1/10", "the peer, peer"), [0.1]);
    // At a wide margin the Gibbs learner does as well in 1000 dimensions as in 10, and far better than a coin.
    let gibbs = errors("1/2", "Gibbs");
    assert!(
        gibbs.len() == 3 && gibbs.iter().all(|error| *error < 0.2),
        "{gibbs:?}"
    );
    assert!(errors("1/2", "support vector")[2] < 0.01);
    let bounds = tables[1]["rows"].as_array().unwrap();
    assert!(bounds.iter().all(|row| row[6].as_f64().unwrap() > 1.0));
    for file in [
        "dimension.csv",
        "dimension-margin-half.svg",
        "dimension-margin-tenth.svg",
        "bounds.csv",
        "bounds.svg",
    ] {
        let text = fs::read_to_string(room.path().join(file)).unwrap();
        assert!(text.len() > 200, "{file}");
    }
}
