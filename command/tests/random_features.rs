//! `assay learn random-features` and `assay predict`, run as their users run them, on small files of the shape of the real
//! ones, which the tests write.

use crate::insurance::{insurance, prints, refuses, run};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

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
        &learn(&[
            "--seed",
            "1",
            "--format",
            "json",
            "--unsafe-report",
            "--held-out",
            "1/5",
        ]),
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
    assert!(!model.contains("not_private") && !model.contains("training"));
    // But for what was told of the held-out records with noise: an eighth of the interval is far beyond it.
    let model: Value = serde_json::from_str(&model).unwrap();
    assert_eq!(model["held_out"], report["held_out"]);
    let told: f64 = model["held_out"]["error"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(told < 0.125, "{told}");
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
    let output = run(directory.path(), &learn(&[]));
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
fn labels_outside_their_interval_are_learned_from_if_they_are_clipped() {
    let directory = room();
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
