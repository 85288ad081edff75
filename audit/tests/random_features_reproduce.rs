//! `assay reproduce`, `assay learn random-features` and `assay predict`, run as their users run them, on small
//! files of the shape of the real ones, which the tests write.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A reproducible stream of numbers in [0, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        // Knuth's MMIX generator.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}

/// `n` insurance records, with CRLF, in which smokers are charged more; then one record twice, and one whose
/// inputs have two charges.
fn insurance(n: usize) -> String {
    let mut numbers = Numbers(1);
    let mut text = "age,sex,bmi,children,smoker,region,charges\r\n".to_owned();
    let mut last = String::new();
    for _ in 0..n {
        let smoker = ["no", "yes"][numbers.below(2)];
        let age = 18 + numbers.below(47);
        let charges = 2000.0 + 250.0 * age as f64 + if smoker == "yes" { 20_000.0 } else { 0.0 };
        last = format!(
            "{age},{},{:.2},{},{smoker},{}",
            ["female", "male"][numbers.below(2)],
            16.0 + 30.0 * numbers.next(),
            numbers.below(6),
            ["northeast", "northwest", "southeast", "southwest"][numbers.below(4)],
        );
        write!(text, "{last},{charges:.2}\r\n").unwrap();
    }
    write!(
        text,
        "{last},1000\r\n19,male,30.59,0,no,northwest,1639.5\r\n"
    )
    .unwrap();
    text + "19,male,30.59,0,no,northwest,1639.5\r\n"
}

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

fn assay(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .current_dir(directory)
        .args(arguments)
        .output()
        .unwrap()
}

fn prints(directory: &Path, arguments: &[&str]) -> String {
    let output = assay(directory, arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Expects status 2, nothing printed, and no file more than before; returns the message.
fn refuses(directory: &Path, arguments: &[&str]) -> String {
    let count = || fs::read_dir(directory).unwrap().count();
    let before = count();
    let output = assay(directory, arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(count(), before, "{arguments:?}");
    message
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
        "reproduce",
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
            "reproduce",
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
                "reproduce",
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
        &["reproduce", "lnsx25", "--data", ".", "--out", "absent"],
    );
    assert!(
        message.contains("--out absent") && message.contains("exists"),
        "{message}"
    );
}

#[test]
fn files_other_than_the_published_ones_are_refused_unless_told() {
    let directory = data();
    let arguments = ["reproduce", "lnsx25", "--data", ".", "--only", "figures"];
    let message = refuses(directory.path(), &arguments);
    for part in ["./insurance.csv", "SHA-256 sum is ", "--any-data"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

/// Insurance records for the learner, without conflicting ones.
fn room() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("data.csv"), insurance(2000)).unwrap();
    directory
}

/// A call of the learner, which may replace the model of the call before.
fn learn<'a>(changes: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "learn",
        "random-features",
        "data.csv",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
        "--label",
        "charges",
        "--label-box",
        "0:50000",
        "--box",
        "age=18:65",
        "--box",
        "bmi=15:55",
        "--box",
        "children=0:5",
        "--category",
        "sex=female,male",
        "--category",
        "smoker=no,yes",
        "--category",
        "region=northeast,northwest,southeast,southwest",
        "--out",
        "model.json",
        "--force",
    ];
    arguments.extend(changes);
    arguments
}

#[test]
fn a_model_is_learned_beats_the_mean_and_predicts() {
    let directory = room();
    let report = prints(
        directory.path(),
        &learn(&["--seed", "1", "--format", "json", "--unsafe-report"]),
    );
    let report: Value = serde_json::from_str(&report).unwrap();
    let errors = &report["not_private"]["held_out"];
    let [ours, mean] =
        ["this_model", "mean_of_training_labels"].map(|name| errors[name].as_f64().unwrap());
    assert!(ours < 0.75 * mean, "{errors}");
    assert!(
        report["privacy"]["statement"]
            .as_str()
            .unwrap()
            .starts_with("NOT private, since a seed")
    );

    let printed = prints(directory.path(), &["predict", "model.json", "data.csv"]);
    let predictions: Vec<f64> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(predictions.len(), 2003);
    // The predictions are those that the report was made of: those of smokers are larger.
    let text = fs::read_to_string(directory.path().join("data.csv")).unwrap();
    let of = |value: &str| {
        let chosen: Vec<f64> = text
            .lines()
            .skip(1)
            .zip(&predictions)
            .filter(|(line, _)| line.contains(value))
            .map(|(_, prediction)| *prediction)
            .collect();
        chosen.iter().sum::<f64>() / chosen.len() as f64
    };
    assert!(of(",yes,") > of(",no,") + 5000.0);

    // No error on the data stands in the model.
    let model = fs::read_to_string(directory.path().join("model.json")).unwrap();
    assert!(!model.contains("not_private") && !model.contains("records\""));
}

#[test]
fn the_number_of_records_is_neither_an_error_nor_in_the_model_where_records_are_added() {
    let directory = room();
    let path = directory.path().join("data.csv");
    let text = fs::read_to_string(&path).unwrap();
    for m in [0, 1, 2] {
        let lines: Vec<&str> = text.lines().take(1 + m).collect();
        fs::write(&path, lines.join("\n")).unwrap();
        for solver in ["descent", "statistics", "ridge", "kaczmarz"] {
            let changes = [
                "--at-most",
                "5",
                "--accept-noise",
                "--features",
                "fourier",
                "--frequencies",
                "3",
                "--solver",
                solver,
                "--format",
                "json",
            ];
            let safe = prints(directory.path(), &learn(&changes));
            let safe: Value = serde_json::from_str(&safe).unwrap();
            for name in ["not_private", "training_records", "held_out_records"] {
                assert!(safe.get(name).is_none(), "{name} in {safe}");
            }
            let unsafe_report = [&changes[..], &["--unsafe-report"]].concat();
            let report = prints(directory.path(), &learn(&unsafe_report));
            let report: Value = serde_json::from_str(&report).unwrap();
            assert_eq!(report["not_private"]["training_records"], m);
            assert!(report.get("training_records").is_none());
            assert_eq!(report["not_private"].get("training").is_some(), m > 0);
            fs::remove_file(directory.path().join("model.json")).unwrap();
        }
    }
}

#[test]
fn secret_coins_give_the_statement_and_another_model_each_time() {
    let directory = room();
    let run = || {
        let printed = prints(directory.path(), &learn(&["--at-most", "3000"]));
        assert!(printed.contains("(1, 1/1000000)-differentially private under addition or removal of one record; at most 3000 records"));
        fs::read_to_string(directory.path().join("model.json")).unwrap()
    };
    assert_ne!(run(), run());
}

#[test]
fn every_solver_beats_the_mean_on_either_features() {
    let directory = room();
    for (solver, features) in [
        ("descent", "linear"),
        ("descent", "fourier"),
        ("statistics", "linear"),
        ("ridge", "fourier"),
        ("kaczmarz", "linear"),
    ] {
        let changes = [
            "--solver",
            solver,
            "--features",
            features,
            "--seed",
            "1",
            "--format",
            "json",
            "--unsafe-report",
        ];
        let report: Value =
            serde_json::from_str(&prints(directory.path(), &learn(&changes))).unwrap();
        let errors = &report["not_private"]["training"];
        let [ours, mean] =
            ["this_model", "mean_of_training_labels"].map(|name| errors[name].as_f64().unwrap());
        assert!(ours < mean, "{solver}, {features}: {errors}");
        assert!(report["parameters"]["noise of a prediction"].is_string());
        let predictions = prints(directory.path(), &["predict", "model.json", "data.csv"]);
        assert_eq!(predictions.lines().count(), 2003);
    }
}

#[test]
fn the_noise_is_said_before_it_is_spent_and_a_useless_budget_is_refused() {
    let directory = room();
    let output = assay(directory.path(), &learn(&[]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("noise of a prediction: at most standard deviation "),
        "{said}"
    );
    fs::remove_file(directory.path().join("model.json")).unwrap();
    // The penalty and the clip of the last two follow the budget, until nothing is learned; others are too loud.
    for solver in [
        &["descent"][..],
        &["statistics"],
        &["ridge"],
        &["ridge", "--penalty=1"],
        &["kaczmarz"],
        &["kaczmarz", "--residual=1"],
    ] {
        let changes = [&["--epsilon=1/1000", "--solver"][..], solver].concat();
        let little: Vec<&str> = learn(&changes)
            .into_iter()
            .filter(|argument| !["--epsilon", "1"].contains(argument))
            .collect();
        let message = refuses(directory.path(), &little);
        assert!(
            message.contains("nothing was spent") && message.contains("--accept-noise"),
            "{message}"
        );
        prints(
            directory.path(),
            &[&little[..], &["--accept-noise"]].concat(),
        );
        fs::remove_file(directory.path().join("model.json")).unwrap();
    }
}

#[test]
fn kaczmarz_learns_too() {
    let directory = room();
    let printed = prints(
        directory.path(),
        // So wide a clip leaves less than the mean would tell.
        &learn(&[
            "--solver",
            "kaczmarz",
            "--residual",
            "1/4",
            "--accept-noise",
        ]),
    );
    assert!(printed.contains("(R4)") && printed.contains("residual"));
    let predictions = prints(
        directory.path(),
        &["predict", "model.json", "data.csv", "--format", "json"],
    );
    let predictions: Value = serde_json::from_str(&predictions).unwrap();
    assert_eq!(predictions["predictions"].as_array().unwrap().len(), 2003);
}

#[test]
fn bad_options_and_records_are_refused_by_name() {
    let directory = room();
    for (changes, parts) in [
        (&["--penalty", "0"][..], &["--penalty", "above 0"][..]),
        (
            &["--solver", "ridge", "--penalty", "1/3"],
            &["--penalty must be a multiple of 2^-40", "got 1/3"],
        ),
        (
            &["--solver", "ridge", "--penalty", "1/1048576"],
            &["raise --penalty (here 1/1048576)"],
        ),
        (
            &["--solver", "kaczmarz", "--residual", "1024"],
            &["lower --residual (here 1024)"],
        ),
        (
            &["--frequencies", "0"],
            &["--frequencies", "from 1 to 32768"],
        ),
        (
            &["--frequencies", "5000000000"],
            &["--frequencies", "from 1 to 32768"],
        ),
        (&["--steps", "1000000"], &["--steps", "from 1 to 65536"]),
        // What would have no effect.
        (
            &["--features", "linear", "--frequencies", "9"],
            &["--frequencies needs --features fourier"],
        ),
        (
            &["--penalty", "9"],
            &["--penalty needs --solver statistics or ridge"],
        ),
        (
            &["--solver", "ridge", "--steps", "9"],
            &["--steps needs --solver descent"],
        ),
        // Their number is private, and is not shown.
        (
            &["--at-most", "10"],
            &["more records than --at-most 10 allows"],
        ),
        (
            &["--at-most", "3000", "--holdout", "1/5"],
            &["--holdout 1/5", "nothing can be held out"],
        ),
        (
            &["--category", "charges=a,b"],
            &["--category charges", "label's column"],
        ),
        (&["--category", "nothing=a,b"], &["no column 'nothing'"]),
        (&["--category", "sex=a,a"], &["write COLUMN=A,B"]),
        (&["--drop", "absent"], &["no column 'absent'"]),
    ] {
        let message = refuses(directory.path(), &learn(changes));
        for part in parts {
            assert!(message.contains(part), "{changes:?}: {message}");
        }
        assert!(!message.contains("2003"), "{message}");
    }
    let narrow: Vec<&str> = learn(&[])
        .into_iter()
        .map(|argument| {
            if argument == "0:50000" {
                "0:5000"
            } else {
                argument
            }
        })
        .collect();
    let message = refuses(directory.path(), &narrow);
    assert!(
        message.contains("column 'charges'") && message.contains("outside its public interval")
    );
    let clipped = [narrow, vec!["--clip"]].concat();
    prints(directory.path(), &clipped);
}

#[test]
fn a_model_file_that_was_changed_is_refused() {
    let directory = room();
    prints(
        directory.path(),
        &learn(&["--features", "fourier", "--frequencies", "3"]),
    );
    let path = directory.path().join("model.json");
    let good = fs::read_to_string(&path).unwrap();
    for (from, to, part) in [
        ("\"grid_bits\": 16", "\"grid_bits\": 17", "must be 16"),
        ("\"hi\": \"65\"", "\"hi\": \"x\"", "the interval of 'age'"),
        ("\"yes\"", "\"yes\", \"perhaps\"", "coordinates"),
        ("\"algorithm\"", "\"algorism\"", "algorism"),
        (
            "dp-assay-model-2",
            "dp-assay-model-3",
            "must be \"dp-assay-model-2\"",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        fs::write(&path, good.replacen(from, to, 1)).unwrap();
        let message = refuses(directory.path(), &["predict", "model.json", "data.csv"]);
        assert!(message.contains(part), "{message}");
    }
}
