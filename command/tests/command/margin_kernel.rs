//! The learner with a kernel.

use super::margin::{learn, meter, records};
use super::{Room, json, scores_say_the_labels};
use std::fmt::Write;

const NAME: &str = "margin-kernel";

/// A call of the learner with few frequencies, in which the last of repeated options counts.
fn call<'a>(changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut options = vec![
        ("--kernel", "gaussian=4"),
        ("--frequencies", "40"),
        ("--delta", "1e-6"),
    ];
    for &(option, value) in changes {
        options.retain(|(name, _)| *name != option);
        options.push((option, value));
    }
    learn(NAME, &options)
}

/// The same with a polynomial kernel.
fn polynomial<'a>(kernel: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut options = vec![("--kernel", kernel), ("--delta", "1e-6")];
    options.extend(changes);
    learn(NAME, &options)
}

/// Records of two columns whose label is 1 where both have the same sign, which no halfspace tells.
fn crossed(n: u32) -> String {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..n {
        let [a, b] = [i % 2 == 0, i / 2 % 2 == 0].map(|up| if up { "" } else { "-" });
        let label = u32::from(a == b);
        writeln!(text, "{a}0.9{0},{b}0.9{0},{label}", i % 10).unwrap();
    }
    text
}

#[test]
fn what_no_halfspace_tells_is_learned_and_predicts() {
    let data = crossed(2000);
    let room = Room::new().with("data.csv", &data);
    let many = [
        ("--epsilon", "10"),
        ("--format", "json"),
        ("--held-out", "1/5"),
    ];
    for (mut arguments, kernel) in [
        (call(&many), "gaussian=4"),
        (polynomial("polynomial=2,0", &many), "polynomial=2,0"),
    ] {
        arguments.extend(["--unsafe-report", "--force", "--seed", "5"]);
        let printed = json(&room.prints(&arguments));
        let statement = printed["privacy"]["statement"].as_str().unwrap();
        let public = "parameters, the frequencies, intervals, categories and label values, and the places of the records are \
             public";
        assert!(
            statement.contains("(10, 1/1000000)-differentially private under substitution")
                && statement.contains(public),
            "{statement}"
        );
        let parameters = &printed["parameters"];
        assert_eq!(parameters["kernel"], kernel);
        assert_eq!(parameters["accounting"], "mixture");
        let held_out = &printed["not_private"]["held_out"];
        let of = printed["not_private"]["held_out_records"].as_u64().unwrap();
        let wrong = |who: &str| held_out[who].as_u64().unwrap();
        assert!(10 * wrong("this_model") < of, "{kernel}: {held_out}");
        // It is linear.
        assert!(3 * wrong("non_private_svm") > of, "{kernel}: {held_out}");
        scores_say_the_labels(&room, "data.csv", ["1", "0"]);
        let predictions = room.prints(&["predict", "model.json", "data.csv"]);
        let wrong = predictions
            .lines()
            .zip(data.lines().skip(1))
            .filter(|(found, given)| given.rsplit(',').next() != Some(found));
        assert!(wrong.count() < 200, "{kernel}");
    }
}

#[test]
fn a_bound_has_its_constants_or_says_why_there_is_none() {
    let room = Room::new().with("data.csv", &records(40));
    let bound = |arguments: &[&str]| {
        let arguments = [arguments, &["--format", "json", "--force"]].concat();
        let printed = json(&room.prints(&arguments));
        let statement = printed["bound"]["statement"].as_str().unwrap().to_owned();
        (printed, statement)
    };
    let (printed, statement) = bound(&call(&[("--held-out", "1/5")]));
    assert_eq!(printed["bound"]["vacuous"], true);
    // Of 40 records 32 are learned from: 128 ln(2560) = 1004.5.
    assert!(
        statement.ends_with("40 frequencies need not keep it, 1005 do"),
        "{statement}"
    );
    assert_eq!(printed["parameters_from"], "overridden: frequencies");
    assert_eq!(printed["parameters"]["features"], "80");
    let options = [("--kernel", "laplacian=1"), ("--delta", "1e-6")];
    let (printed, statement) = bound(&learn(NAME, &options));
    assert_eq!(printed["parameters_from"], "theorem");
    // Of all 40: 160 ln(3200) = 1291.3.
    assert_eq!(printed["parameters"]["frequencies"], "1292");
    assert!(
        statement.contains("by the features, ") && statement.contains("by the descent"),
        "{statement}"
    );
    let (printed, statement) = bound(&polynomial("polynomial=2,1", &[("--margin", "2")]));
    assert_eq!(printed["parameters"]["features"], "6");
    assert!(printed["parameters"].get("frequencies").is_none());
    assert!(statement.contains("by the features, "), "{statement}");
}

#[test]
fn a_run_is_metered_and_stays_within_the_budget() {
    let room = Room::new().with("data.csv", &records(40));
    for kernel in ["cauchy=1", "polynomial=2,1"] {
        let mut arguments = meter(NAME, "replace:7=-0.9,0.5,1");
        arguments.extend(["--delta", "1e-6", "--kernel", kernel]);
        if kernel == "cauchy=1" {
            arguments.extend(["--frequencies", "10"]);
        }
        let found = json(&room.prints(&arguments));
        assert_eq!(found["faults"], json("[]"), "{found}");
        assert_eq!(found["equal_results"], true);
    }
}

#[test]
fn a_broken_model_is_refused_by_its_fault() {
    let room = Room::new().with("data.csv", &records(40));
    let quick = ["--force"];
    for (arguments, changes) in [
        (
            call(&[("--frequencies", "2")]),
            &[
                ("\"fourier\"", "\"fourrier\"", "weights: "),
                (
                    "\"feature_grid_bits\": 20",
                    "\"feature_grid_bits\": 30",
                    "24",
                ),
                (
                    "\"direction\": [",
                    "\"direction\": [\"1\",",
                    "must have 4 coordinates",
                ),
            ][..],
        ),
        (
            polynomial("polynomial=2,0", &[]),
            &[
                ("\"degree\": 2", "\"degree\": 3", "must have 4 coordinates"),
                (
                    "\"degree\": 2",
                    "\"degree\": 0",
                    "at least 1 and at most 20",
                ),
            ],
        ),
    ] {
        room.prints(&[&arguments[..], &quick].concat());
        let written = std::fs::read_to_string(room.path("model.json")).unwrap();
        for (from, to, fault) in changes {
            assert!(written.contains(from), "{from} in {written}");
            let broken = written.replace(from, to);
            std::fs::write(room.path("broken.json"), broken).unwrap();
            let message = room.refuses(&["predict", "broken.json", "data.csv"]);
            assert!(
                message.contains("broken.json is not a model file: "),
                "{message}"
            );
            assert!(message.contains(fault), "{fault} in {message}");
        }
    }
}
