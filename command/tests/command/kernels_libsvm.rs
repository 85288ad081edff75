//! The learners with a kernel on sparse records, in the LIBSVM format.

use super::kernels::call_with;
use super::{Room, json, scores_say_the_labels};
use std::fmt::Write;

fn call<'a>(learner: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let usual = [
        ("--libsvm", "1000"),
        ("--positive", "1"),
        ("--negative", "-1"),
        ("--epsilon", "1"),
        ("--delta", "1e-6"),
        ("--lambda", "1/100"),
        ("--out", "model.json"),
    ];
    call_with([learner, "data.svm"], &usual, changes)
}

/// Records of 1000 features, three of them not 0. The label is +1 where feature 1 is, and -1 where feature 2 is.
fn records(n: u32) -> String {
    let mut text = "# made up\n".to_owned();
    for i in 0..n {
        let (label, first) = if i % 2 == 0 { ("+1", 1) } else { ("-1", 2) };
        let (second, third) = (3 + 7 * i % 500, 600 + 11 * i % 400);
        writeln!(text, "{label} {first}:0.9 {second}:0.1 {third}:-0.1").unwrap();
    }
    text
}

#[test]
fn sparse_records_are_learned_from_and_predicted() {
    let data = records(1000);
    let room = Room::new().with("data.svm", &data);
    let many = [
        ("--epsilon", "10"),
        ("--format", "json"),
        ("--seed", "5"),
        ("--held-out", "1/5"),
    ];
    let mut arguments = call("kernel-release", &many);
    arguments.push("--unsafe-report");
    let printed = json(&room.prints(&arguments));
    assert_eq!(printed["coordinates"], 1000);
    let held_out = &printed["not_private"]["held_out"];
    let wrong = |who: &str| held_out[who].as_u64().unwrap();
    assert_eq!(wrong("without_noise"), 0, "{held_out}");
    // Of 200.
    assert!(wrong("this_model") < 10, "{held_out}");
    let model = room.path("model.json");
    let model = json(&std::fs::read_to_string(model).unwrap());
    let numbered = &model["columns"]["numbered"];
    assert_eq!(numbered, &json("{\"count\": 1000, \"bound\": \"1\"}"));
    // With labels, which are not looked at, and without.
    let expected = |lines: &[&str], file: &str, text: &str| {
        std::fs::write(room.path(file), text).unwrap();
        let found = room.prints(&["predict", "model.json", file]);
        assert_eq!(found.lines().collect::<Vec<_>>(), lines);
    };
    expected(
        &["1", "-1", "1"],
        "z.svm",
        "7 1:1\n2:1\n\nx 1:1 2:0.1 # last\n",
    );
    scores_say_the_labels(&room, "z.svm", ["1", "-1"]);
    // Of one record no more than its sign: longer ones are shortened.
    expected(&["1"], "long.svm", "1:1 5:1 6:1\n");
    let csv = ["predict", "model.json", "z.svm", "--no-header"];
    let message = room.refuses(&csv);
    assert!(
        message.contains("--no-header is for CSV files"),
        "{message}"
    );
    std::fs::write(room.path("z.svm"), "1 1001:1\n").unwrap();
    let message = room.refuses(&["predict", "model.json", "z.svm"]);
    assert!(
        message.contains("line 1: entry 1: its index is above 1000"),
        "{message}"
    );
}

#[test]
fn other_learners_and_labels_that_are_numbers_take_sparse_records_too() {
    let data = records(1000);
    let room = Room::new()
        .with("data.svm", &data)
        .with("public.svm", "1:1\n2:1\n7 3:1\n");
    let many = [("--epsilon", "40"), ("--seed", "5"), ("--lambda", "1/10")];
    for (learner, option) in [("kernel-targets", "--public"), ("kernel-net", "--net")] {
        let changes = [&many[..], &[(option, "public.svm"), ("--out", learner)]].concat();
        room.prints(&call(learner, &changes));
        let found = room.prints(&["predict", learner, "public.svm"]);
        assert_eq!(
            found.lines().take(2).collect::<Vec<_>>(),
            ["1", "-1"],
            "{learner}"
        );
    }
    let numbers = [
        ("--loss", "squared"),
        ("--label-box", "-2:2"),
        ("--positive", ""),
        ("--negative", ""),
    ];
    let mut arguments = call("kernel-release", &[&many[..], &numbers].concat());
    arguments.push("--intercept");
    room.prints(&arguments);
    let found = room.prints(&["predict", "model.json", "public.svm"]);
    let found: Vec<f64> = found.lines().map(|line| line.parse().unwrap()).collect();
    assert!(found[0] > 0.2 && found[1] < -0.2, "{found:?}");
}

#[test]
fn a_run_on_sparse_records_is_metered() {
    let room = Room::new().with("data.svm", &records(400));
    let mut arguments = call("kernel-release", &[("--out", "")]);
    arguments[0] = "meter";
    let changed = "replace:3=-1 1:0.9 1000:0.4";
    arguments.extend(["--neighbour", changed, "--held-out", "0", "--accept-noise"]);
    let found = json(&room.prints(&[&arguments[..], &["--format", "json"]].concat()));
    assert_eq!(found["faults"], json("[]"), "{found}");
    arguments.retain(|word| *word != changed);
    let place = arguments.iter().position(|word| *word == "--neighbour");
    arguments.insert(place.unwrap() + 1, "replace:1=-1 1:0.9");
    let message = room.refuses(&arguments);
    assert!(message.contains("no record starts on line 1"), "{message}");
}
