//! The learners with a kernel.

use super::{Room, json};
use serde_json::Value;
use std::fmt::Write;

/// A call of a learner, in which the last of repeated options counts.
fn call<'a>(learner: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut options = vec![
        ("--label", "y"),
        ("--box", "-1:1"),
        ("--epsilon", "1"),
        ("--delta", "1e-6"),
        ("--lambda", "1/100"),
        ("--out", "model.json"),
    ];
    for &(option, value) in changes {
        options.retain(|(name, _)| *name != option);
        options.push((option, value));
    }
    let mut words = vec!["learn", learner, "data.csv"];
    words.extend(options.iter().flat_map(|(option, value)| [*option, *value]));
    words
}

const CLASSES: [(&str, &str); 2] = [("--positive", "1"), ("--negative", "0")];

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

/// Records of two columns whose label is 3 a - b.
fn plane(n: u32) -> String {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..n {
        let (a, b) = (i % 19, i % 17);
        let y = 3.0 * (f64::from(a) / 9.0 - 1.0) - (f64::from(b) / 8.0 - 1.0);
        writeln!(
            text,
            "{},{},{y}",
            f64::from(a) / 9.0 - 1.0,
            f64::from(b) / 8.0 - 1.0
        )
        .unwrap();
    }
    text
}

fn statement(printed: &Value) -> &str {
    printed["privacy"]["statement"].as_str().unwrap()
}

#[test]
fn a_release_learns_what_no_halfspace_tells() {
    let data = crossed(4000);
    let room = Room::new().with("data.csv", &data);
    for kernel in ["polynomial=2,0", "fourier=40,4"] {
        let many = [
            ("--epsilon", "10"),
            ("--format", "json"),
            ("--kernel", kernel),
            ("--seed", "5"),
        ];
        let mut arguments = call("kernel-release", &[&CLASSES[..], &many].concat());
        arguments.extend(["--unsafe-report", "--force"]);
        let printed = json(&room.prints(&arguments));
        let said = statement(&printed);
        assert!(
            said.contains("(10, 1/1000000)-differentially private under substitution"),
            "{said}"
        );
        assert!(
            said.contains("parameters, the frequencies, intervals"),
            "{said}"
        );
        assert_eq!(printed["parameters"]["kernel"], kernel);
        let held_out = &printed["not_private"]["held_out"];
        let of = printed["not_private"]["held_out_records"].as_u64().unwrap();
        let wrong = held_out["this_model"].as_u64().unwrap();
        assert!(10 * wrong < of, "{kernel}: {held_out}");
        let predictions = room.prints(&["predict", "model.json", "data.csv"]);
        let wrong = predictions
            .lines()
            .zip(data.lines().skip(1))
            .filter(|(found, given)| given.rsplit(',').next() != Some(found));
        assert!(wrong.count() < 400, "{kernel}");
    }
}

#[test]
fn a_release_of_numbers_predicts_in_their_units() {
    let room = Room::new().with("data.csv", &plane(4000));
    for loss in ["squared", "huber=1/2"] {
        let changes = [
            ("--loss", loss),
            ("--label-box", "-4:4"),
            ("--epsilon", "10"),
            ("--lambda", "1/1000"),
            ("--format", "json"),
            ("--seed", "3"),
        ];
        let mut arguments = call("kernel-release", &changes);
        arguments.extend(["--unsafe-report", "--force"]);
        let printed = json(&room.prints(&arguments));
        let held_out = &printed["not_private"]["held_out"];
        let [ours, mean] =
            ["this_model", "mean_of_training_labels"].map(|who| held_out[who].as_f64().unwrap());
        assert!(ours < 0.6 && 2.0 * ours < mean, "{loss}: {held_out}");
        let room = &room;
        let found = room.prints(&["predict", "model.json", "data.csv"]);
        let first: f64 = found.lines().next().unwrap().parse().unwrap();
        // 3 (-1) - (-1)
        assert!((first + 2.0).abs() < 1.5, "{loss}: {first}");
    }
}

#[test]
fn a_release_is_metered() {
    let room = Room::new().with("data.csv", &crossed(400));
    let mut arguments = call(
        "kernel-release",
        &[&CLASSES[..], &[("--holdout", "0")]].concat(),
    );
    let out = arguments.iter().position(|part| *part == "--out").unwrap();
    arguments.drain(out..out + 2);
    arguments[0] = "meter";
    arguments.extend(["--neighbour", "replace:3=0.9,0.9,0", "--seed", "1"]);
    let printed = room.prints(&arguments);
    assert!(!printed.contains("FAULT"), "{printed}");
}

#[test]
fn what_cannot_be_is_refused_and_nothing_is_spent() {
    let room = Room::new().with("data.csv", &crossed(40));
    let refuses = |changes: &[(&str, &str)], part: &str| {
        let classes: &[(&str, &str)] = if changes.iter().any(|(name, _)| *name == "--label-box") {
            &[]
        } else {
            &CLASSES
        };
        let message = room.refuses(&call("kernel-release", &[classes, changes].concat()));
        assert!(message.contains(part), "{message}");
    };
    refuses(&[("--lambda", "0")], "above 0");
    refuses(&[("--lambda", "-1")], "above 0");
    refuses(&[("--delta", "0")], "above 0 and at most 1/2");
    refuses(&[("--kernel", "gaussian=4")], "take fourier=N,4");
    refuses(
        &[("--kernel", "polynomial=2,1/3")],
        "C must be a multiple of 4^-B",
    );
    refuses(&[("--kernel", "polynomial=20,1000")], "at most 2^14");
    refuses(&[("--kernel", "polynomial=0,1")], "the degree P");
    refuses(
        &[("--kernel", "cubic")],
        "it must be linear, polynomial=P,C",
    );
    refuses(&[("--loss", "squared")], "--label-box LO:HI is missing");
    refuses(&[("--label-box", "0:1")], "take --loss huber=W or squared");
    refuses(
        &[("--loss", "huber=0"), ("--label-box", "0:1")],
        "W must be",
    );
    refuses(&[("--grid-bits", "31")], "at most 30");
}

#[test]
fn theorem_a_is_evaluated() {
    let room = Room::new();
    let arguments = [
        "bound",
        "jt13.thmA",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
        "--updates",
        "10",
        "--format",
        "json",
    ];
    let printed = json(&room.prints(&arguments));
    let version = |name: &str| {
        let mut versions = printed["versions"].as_array().unwrap().iter();
        let version =
            versions.find(|version| version["version"].as_str().unwrap().starts_with(name));
        let constants = version.unwrap()["constants"].as_array().unwrap();
        constants[0]["value"]
            .as_str()
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    assert!((version("Theorem A") - 0.0312).abs() < 0.0002);
    assert!((version("Corollary A1") - 0.00763).abs() < 0.0001);
    assert!(version("Theorem 9") < 1e-4);
}
