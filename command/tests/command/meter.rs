//! `assay meter`: what a learner costs between a file and its neighbour.

use super::{GOOD, Room, json, learn, text};
use serde_json::Value;

/// A call of the meter on `data.csv`: the options are those of the learner.
fn meter<'a>(algorithm: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut arguments = learn(algorithm, changes);
    arguments[0] = "meter";
    let out = arguments.iter().position(|&part| part == "--out").unwrap();
    arguments.drain(out..out + 2);
    arguments
}

/// Runs the meter on the learner of `arguments`, and returns its exit status and what it found.
fn found(room: &Room, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = room.run(&[arguments, &["--format", "json"]].concat());
    let printed = text(&output.stdout);
    assert!(!printed.is_empty(), "{}", text(&output.stderr));
    (output.status.code(), json(&printed))
}

const DECLARED: [(&str, &str); 4] = [
    ("--positive", "1"),
    ("--negative", "0"),
    ("--held-out", "0"),
    ("--seed", "5"),
];

/// What makes each learner quick on four records.
const QUICK: [(&str, &[(&str, &str)]); 3] = [
    (
        "halfspaces-cover",
        &[
            ("--radius", "1/2"),
            ("--threshold", "0"),
            ("--gamma", "3/5"),
        ],
    ),
    ("halfspaces-descent", &[("--steps", "20"), ("--runs", "2")]),
    (
        "halfspaces-descent",
        &[
            ("--variant", "one-record"),
            ("--steps", "20"),
            ("--runs", "2"),
        ],
    ),
];

/// Regression on the same, on few features.
const REGRESSION: &str = "meter random-features data.csv --label y --label-box 0:1 --box -1:1 --epsilon 1 --delta 1e-6 \
                          --features fourier --frequencies 3 --accept-noise --seed 5";

fn regression() -> Vec<&'static str> {
    REGRESSION.split_whitespace().collect()
}

#[test]
fn every_learner_is_metered_and_keeps_its_promises() {
    let room = Room::new().with("data.csv", GOOD);
    for (algorithm, quick) in QUICK {
        for far_out in [false, true] {
            let mut arguments = meter(algorithm, &[quick, &DECLARED].concat());
            arguments.extend(["--neighbour", "replace:3=1,0.25,0"]);
            if far_out {
                arguments.extend(["--far-out", "20"]);
            }
            let (status, found) = found(&room, &arguments);
            assert_eq!(
                found["faults"],
                json("[]"),
                "{algorithm} {quick:?}: {found}"
            );
            assert_eq!(status, Some(0));
            assert_eq!(found["equal_results"], true);
            assert_eq!(found["claim"]["epsilon"], "1");
            assert_eq!(
                found["far_out"],
                if far_out { json("20") } else { Value::Null }
            );
            // Something depends on the record, and every draw belongs to a stage that promises something.
            assert_ne!(found["attained"], "0", "{found}");
            let stages = found["stages"].as_array().unwrap();
            assert!(
                stages.iter().any(|stage| stage["attained"] != "0"),
                "{found}"
            );
        }
    }
    for solver in ["descent", "statistics", "ridge", "kaczmarz"] {
        for relation in [
            &["--neighbour", "replace:3=1,0.25,0", "--held-out", "0"][..],
            &["--neighbour", "remove:3", "--at-most", "4"],
        ] {
            let arguments = [&regression()[..], &["--solver", solver], relation].concat();
            let (status, found) = found(&room, &arguments);
            assert_eq!(
                found["faults"],
                json("[]"),
                "{solver} {relation:?}: {found}"
            );
            assert_eq!(
                (status, &found["equal_results"]),
                (Some(0), &Value::Bool(true))
            );
            let stages = found["stages"].as_array().unwrap();
            assert_eq!(stages[0]["name"], "the features");
            assert_ne!(found["attained"], "0", "{found}");
        }
    }
}

#[test]
fn what_is_printed_is_headed_not_private_and_leaves_nothing_behind() {
    let room = Room::new().with("data.csv", GOOD);
    let (algorithm, quick) = QUICK[1];
    let mut arguments = meter(algorithm, &[quick, &DECLARED].concat());
    arguments.extend(["--neighbour", "replace:3=1,0.25,0"]);
    let first = room.prints(&arguments);
    assert!(first.starts_with("NOT PRIVATE: "), "{first}");
    for part in [
        "learner    halfspaces-descent",
        "neighbour  with another record on line 3",
        "coins      seed 5 given",
        "(epsilon = 1, delta = 1/1000000), substitute one record",
        "privacy loss of this run  ",
        "equal results             yes",
        "no fault on this pair and run",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert_eq!(first, room.prints(&arguments));
    assert!(!room.path("model.json").exists());
}

#[test]
fn a_neighbour_is_one_record_away_or_in_another_order() {
    let with = |name: &str| {
        let permuted = "a,b,y\n0,0,0\n0.5,-1,0\n1,0.25,1\n-0.5,1,1\n";
        let replaced = GOOD.replace("1,0.25,1", "1,0.25,0");
        let room = Room::new()
            .with("data.csv", GOOD)
            .with("permuted.csv", permuted);
        let (algorithm, quick) = QUICK[0];
        let mut arguments = meter(algorithm, &[quick, &DECLARED].concat());
        arguments.extend(["--neighbour", name]);
        found(&room.with("replaced.csv", &replaced), &arguments).1
    };
    // A score is a sum over the records.
    assert_eq!(with("permuted.csv")["privacy_loss"]["at_most"], "0");
    let (edited, file) = (with("replace:3=1,0.25,0"), with("replaced.csv"));
    assert_ne!(edited["privacy_loss"]["at_most"], "0");
    assert_eq!(edited["privacy_loss"], file["privacy_loss"]);
    assert_eq!(edited["stages"], file["stages"]);
}

/// The stage that costs something on this pair.
fn cost_of(found: &Value, stage: &str) -> String {
    let stages = found["stages"].as_array().unwrap();
    let found = stages.iter().find(|one| one["name"] == stage).unwrap();
    found["attained"].as_str().unwrap().to_owned()
}

/// Which record is held out the split seed decides. Whoever differs, the model and the held-out errors cost one epsilon.
#[test]
fn a_held_out_record_costs_as_much_as_one_that_is_learned_from() {
    let room = Room::new().with("data.csv", GOOD);
    let mut arguments = meter(QUICK[0].0, &[QUICK[0].1, &DECLARED[..2]].concat());
    arguments.extend(["--held-out", "1/4", "--seed", "5", "--neighbour"]);
    let mut held_out = 0;
    for line in 2..=5 {
        // The label turned.
        let record = GOOD.lines().nth(line - 1).unwrap();
        let (features, label) = record.rsplit_once(',').unwrap();
        let label = if label == "1" { 0 } else { 1 };
        let neighbour = format!("replace:{line}={features},{label}");
        let (status, found) = found(&room, &[&arguments[..], &[neighbour.as_str()]].concat());
        assert_eq!(status, Some(0), "{found}");
        assert_eq!(found["promised"]["epsilon"], "1", "{found}");
        let model = cost_of(&found, "the choice of a point");
        let errors = cost_of(&found, "the held-out errors");
        assert!(model == "0" || errors == "0", "{found}");
        held_out += u32::from(errors == "1");
    }
    assert_eq!(held_out, 1);
    let message = room.refuses(&[&arguments[..], &["replace:2=0.5,-1,0"]].concat());
    assert!(message.contains("the records are the same"), "{message}");
}

#[test]
fn the_help_of_the_meter_offers_no_second_file() {
    let room = Room::new();
    for learner in ["margin-gibbs", "margin-labels", "halfspaces-cover"] {
        let help = room.prints(&["meter", learner, "--help"]);
        assert!(!help.contains("DATA2"), "{help}");
        let help = room.prints(&["learn", learner, "--help"]);
        assert_eq!(help.contains("DATA2"), learner != "margin-labels", "{help}");
    }
}
