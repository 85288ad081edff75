//! `reproduce lnsx25`, run as its users run it, on small files of the shape of the real ones, which the tests write.

#[path = "../../command/tests/insurance/mod.rs"]
mod insurance;

use insurance::{Numbers, insurance, prints, refuses};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use tempfile::TempDir;

/// What is run.
const PROGRAM: &str = env!("CARGO_BIN_EXE_reproduce");

/// `n` wines whose quality grows with the alcohol.
fn wine(n: usize, seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut text = "\"fixed acidity\";\"volatile acidity\";\"citric acid\";\"residual sugar\";\"chlorides\";\
         \"free sulfur dioxide\";\"total sulfur dioxide\";\"density\";\"pH\";\"sulphates\";\"alcohol\";\"quality\"\n"
        .to_owned();
    for _ in 0..n {
        for _ in 0..10 {
            write!(text, "{:.3};", numbers.next()).unwrap();
        }
        let alcohol = 8.0 + 6.0 * numbers.next();
        writeln!(text, "{alcohol:.1};{:.0}", alcohol / 2.0 + numbers.next()).unwrap();
    }
    text
}

/// A directory with the three files.
fn data() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("insurance.csv", insurance(80)),
        ("winequality-red.csv", wine(70, 2)),
        ("winequality-white.csv", wine(240, 3)),
    ] {
        fs::write(directory.path().join(file), text).unwrap();
    }
    directory
}

fn table<'a>(results: &'a Value, name: &str) -> &'a Value {
    let tables = results["tables"].as_array().unwrap();
    tables.iter().find(|table| table["name"] == name).unwrap()
}

/// The rows of a table as maps from column to cell.
fn rows(table: &Value) -> Vec<Vec<(&str, &Value)>> {
    let columns: Vec<&str> = table["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    let rows = table["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        columns
            .iter()
            .copied()
            .zip(row.as_array().unwrap())
            .collect()
    })
    .collect()
}

fn cell<'a>(row: &[(&str, &'a Value)], column: &str) -> &'a Value {
    row.iter().find(|(name, _)| *name == column).unwrap().1
}

fn number(row: &[(&str, &Value)], column: &str) -> f64 {
    cell(row, column).as_f64().unwrap()
}

#[test]
fn all_tables_come_out_with_their_csv_and_plots() {
    let directory = data();
    fs::create_dir(directory.path().join("out")).unwrap();
    let arguments = [
        "lnsx25",
        "--data",
        ".",
        "--any-data",
        "--quick",
        "--out",
        "out",
        "--format",
        "json",
    ];
    let results: Value = serde_json::from_str(&prints(directory.path(), &arguments)).unwrap();

    let records = table(&results, "records");
    let note = records["notes"].as_array().unwrap().last().unwrap();
    assert_eq!(
        note.as_str().unwrap(),
        "not the files that the authors publish, by their SHA-256 sums: insurance.csv, winequality-red.csv, \
         winequality-white.csv"
    );
    let records = rows(records);
    assert_eq!(number(&records[0], "records"), 83.0);
    assert_eq!(number(&records[0], "repeated inputs"), 2.0);
    assert_eq!(number(&records[0], "inputs with two labels"), 1.0);

    // The noise is 32 ln(125000) / N times the mean squared norm of the features, which is near 1.
    let table1 = rows(table(&results, "table1"));
    assert_eq!(table1.len(), 20);
    for row in &table1 {
        let ratio = number(row, "noise alone") * number(row, "N") / 375.554;
        assert!((ratio - 1.0).abs() < 0.1, "{row:?}");
    }
    // And the first row is the paper's.
    assert_eq!(number(&table1[0], "paper"), 0.39);
    assert_eq!(
        cell(&table1[1], "ours"),
        &Value::Null,
        "pinv at 4000 is not in --quick"
    );

    // No data set of any kind has less: the bound is by the norm of one record's features.
    for row in rows(table(&results, "true-epsilon")) {
        let least = [(2000.0, 10.0), (10_000.0, 30.0)];
        for (features, epsilon) in least {
            if number(&row, "N") == features {
                assert!(number(&row, "epsilon at least") > epsilon, "{row:?}");
            }
        }
    }
    for row in rows(table(&results, "figures7-8")) {
        // What is plotted is chance: the features have nearly the same norm in both groups.
        if cell(&row, "model") == "random features" && cell(&row, "data") != "wine, colour" {
            assert!(number(&row, "exact gap, group 1") < 1e-3, "{row:?}");
            assert!(
                number(&row, "mean of 100 draws, by chance") > 0.05,
                "{row:?}"
            );
        }
    }
    assert_eq!(rows(table(&results, "repaired")).len(), 24);
    // Every learner, and the two that are not private; under substitution only, and one that is published without it.
    for name in [
        "learners-insurance",
        "learners-red-wine",
        "learners-white-wine",
    ] {
        let learners = rows(table(&results, name));
        assert_eq!(learners.len(), 2 + 12);
        for row in learners {
            let text = cell(&row, "epsilon 1").as_str().unwrap();
            let (error, _) = text.split_once(" +- ").unwrap();
            assert!(error.parse::<f64>().unwrap() > 0.0, "{row:?}");
        }
    }

    for file in [
        "table1.csv",
        "table2.csv",
        "repaired.csv",
        "table1.svg",
        "figure4.svg",
        "repaired.svg",
    ] {
        let text = fs::read_to_string(directory.path().join("out").join(file)).unwrap();
        assert!(!text.is_empty(), "{file}");
    }
    let csv = fs::read_to_string(directory.path().join("out/table1.csv")).unwrap();
    assert_eq!(csv.lines().count(), 21);
    assert!(csv.starts_with("data,solver,N,paper,ours"));
}

#[test]
fn the_seed_decides_everything() {
    let directory = data();
    let run = |seed| {
        let arguments = [
            "lnsx25",
            "--data",
            ".",
            "--any-data",
            "--quick",
            "--only",
            "table1",
            "--seed",
            seed,
        ];
        prints(directory.path(), &arguments)
    };
    let first = run("1");
    assert_eq!(first, run("1"));
    assert_ne!(first, run("2"));
    assert!(first.contains("Figure 4") && !first.contains("Table 2"));
}

#[test]
fn bad_data_are_refused_by_name_and_nothing_is_written() {
    let white = wine(240, 3);
    let good = insurance(80);
    let replaced = |from: &str, to: &str| good.replacen(from, to, 1);
    for (file, text, parts) in [
        ("insurance.csv", None, &["cannot read", "insurance.csv"][..]),
        ("insurance.csv", Some(String::new()), &["the file is empty"]),
        (
            "insurance.csv",
            Some(replaced("bmi", "mass")),
            &["no column 'bmi'", "','"],
        ),
        (
            "insurance.csv",
            Some(good.replace(',', ";")),
            &["no column 'age'", "separated by ','"],
        ),
        (
            "insurance.csv",
            Some(replaced("30.59", "NaN")),
            &["column 'bmi'", "NaN and infinity are refused"],
        ),
        (
            "insurance.csv",
            Some(replaced("northwest", "north")),
            &["column 'region'", "must be one of northeast"],
        ),
        (
            "insurance.csv",
            Some(replaced("19,male,30.59", "19,male;30.59")),
            &["6 fields", "the header has 7"],
        ),
        (
            "insurance.csv",
            Some(insurance(2)),
            &["at least 20 records", "got 5"],
        ),
        (
            "winequality-white.csv",
            Some(white.replace(';', ",")),
            &["separated by ';'"],
        ),
        (
            "winequality-red.csv",
            Some({
                let line = white.lines().nth(1).unwrap();
                let header = white.lines().next().unwrap();
                format!("{header}\n{}", format!("{line}\n").repeat(30))
            }),
            &["'fixed acidity' is constant"],
        ),
    ] {
        let directory = data();
        match text {
            None => fs::remove_file(directory.path().join(file)).unwrap(),
            Some(text) => fs::write(directory.path().join(file), text).unwrap(),
        }
        let message = refuses(
            directory.path(),
            &[
                "lnsx25",
                "--data",
                ".",
                "--any-data",
                "--quick",
                "--out",
                ".",
            ],
        );
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
        assert!(message.contains(file), "{message}");
    }
    let directory = data();
    let message = refuses(
        directory.path(),
        &["lnsx25", "--data", ".", "--out", "absent"],
    );
    assert!(
        message.contains("--out absent") && message.contains("exists"),
        "{message}"
    );
}

#[test]
fn files_other_than_the_published_ones_are_refused_unless_told() {
    let directory = data();
    let arguments = ["lnsx25", "--data", ".", "--only", "figures"];
    let message = refuses(directory.path(), &arguments);
    for part in ["./insurance.csv", "SHA-256 sum is ", "--any-data"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}
