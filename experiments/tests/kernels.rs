//! `reproduce` with the learners of the paper on kernels, on small files of the shape of the real ones.

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

/// `n` wines; those of one colour have `more` of the first properties than those of the other, good ones more of the last.
fn wine(n: usize, more: f64) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut text = format!("{};quality\n", names.join(";"));
    for record in 0..n {
        let quality = 3 + record % 6;
        for (place, (name, middle)) in COLUMNS.iter().enumerate() {
            let by = match *name {
                "density" => 0.0,
                "alcohol" => (quality as f64 - 5.5) / 20.0,
                _ if place < 6 => more,
                _ => 0.0,
            };
            let wiggle = ((record * (place + 3)) % 7) as f64 / 1000.0;
            let wiggle = if *name == "density" { 0.0 } else { wiggle };
            write!(
                text,
                "{};",
                middle * (1.0 + by + wiggle) + (record % 2) as f64 * 1e-4
            )
            .unwrap();
        }
        writeln!(text, "{quality}").unwrap();
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

fn assay(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reproduce"))
        .current_dir(directory)
        .args(arguments)
        .output()
        .unwrap()
}

fn reproduce(directory: &Path, arguments: &str) -> Output {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    assay(directory, &[&["jt13"], &arguments[..]].concat())
}

fn tables(output: &Output) -> Vec<Value> {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    results["tables"].as_array().unwrap().clone()
}

fn names(tables: &[Value]) -> Vec<&str> {
    tables
        .iter()
        .map(|table| table["name"].as_str().unwrap())
        .collect()
}

/// The mean before the standard error.
fn mean(cell: &Value) -> f64 {
    let text = cell.as_str().unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn every_learner_has_a_row_on_every_kernel_and_the_plans_are_beside() {
    let room = data();
    let asked = "--data . --any-data --only table --quick --repetitions 2 --out . --format json";
    let tables = tables(&reproduce(room.path(), asked));
    let expected = [
        "wine-colour",
        "wine-colour-plans",
        "wine-quality",
        "wine-quality-plans",
    ];
    assert_eq!(names(&tables), expected);
    for pair in tables.chunks(2) {
        let title = pair[0]["title"].as_str().unwrap();
        let of_numbers = pair[0]["name"] == "wine-quality";
        assert!(
            title.contains("not the files that the authors publish"),
            "{title}"
        );
        let rows = pair[0]["rows"].as_array().unwrap();
        let rows_of = |begins: &str| -> Vec<&Value> {
            let named = rows
                .iter()
                .filter(|row| row[0].as_str().unwrap().starts_with(begins));
            named.collect()
        };
        for learner in [
            "coefficients",
            "Gaussian process",
            "Algorithm 1 (PINP), noisy answers",
            "Algorithm 1 (PINP), hidden threshold",
            "Algorithm 2 (TDDL)",
            "Algorithm 3 (TDIL)",
            "noisy gradient descent",
        ] {
            let found = rows_of(learner);
            assert_eq!(found.len(), 2, "{learner}");
            for row in found {
                for cell in &row.as_array().unwrap()[3..] {
                    let text = cell.as_str().unwrap();
                    assert!(
                        text.contains(" +- ") || text == "refused",
                        "{learner}: {text}"
                    );
                }
            }
        }
        for learner in ["noisy sufficient statistics", "AdaSSP"] {
            assert_eq!(rows_of(learner).len(), 1, "{learner}");
        }
        let constant = if of_numbers { "mean" } else { "majority" };
        // The minimiser, which is not private, beats what looks at no point.
        let reached = |begins: &str| mean(&rows_of(begins)[0][5]);
        let minimiser = if of_numbers { "ridge" } else { "support" };
        assert!(reached(minimiser) < reached(constant), "{title}");
        let plans = pair[1]["rows"].as_array().unwrap();
        let noise = |column: usize| plans[0][column].as_f64().unwrap();
        assert!(noise(3) > noise(4) && noise(4) > noise(5));
        let csv = format!("{}.csv", pair[0]["name"].as_str().unwrap());
        let csv = fs::read_to_string(room.path().join(csv)).unwrap();
        assert_eq!(csv.lines().count(), rows.len() + 1);
    }
}

#[test]
fn the_figure_says_which_line_is_not_private() {
    let room = data();
    let asked = "--data . --any-data --only figure --quick --repetitions 2 --out . --format json";
    let tables = tables(&reproduce(room.path(), asked));
    assert_eq!(names(&tables), ["figure-wine", "figure-covertype-shaped"]);
    for table in &tables {
        let rows = table["rows"].as_array().unwrap();
        // Three epsilons, four noises and two lines without.
        assert_eq!(rows.len(), 3 * 6);
        for row in rows {
            let name = row[0].as_str().unwrap();
            let private = !name.contains("NOT private") && !name.starts_with("none");
            assert_eq!(row[1], if private { "yes" } else { "no" }, "{name}");
            let accuracy = row[3].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&accuracy));
        }
        let svg = format!("{}.svg", table["name"].as_str().unwrap());
        let svg = fs::read_to_string(room.path().join(svg)).unwrap();
        assert!(svg.contains("NOT private") && svg.contains("Gaussian process"));
    }
}

#[test]
fn what_is_asked_for_wrongly_is_refused_before_the_work() {
    let room = data();
    for (arguments, part) in [
        ("--only table", "--data <DIR>"),
        ("--data . --repetitions 1", "a whole number from 2 to 1000"),
        ("--data .", "--any-data takes it all the same"),
        ("--data nowhere", "nowhere"),
        (
            "--data . --any-data --out nowhere",
            "a directory that exists",
        ),
    ] {
        let output = reproduce(room.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        assert!(message.contains(part), "{part} in {message}");
        assert!(output.stdout.is_empty());
    }
}
