//! The bounds of the paper on halfspaces.

use super::{Room, json, the_work_is_bounded};
use serde_json::Value;

#[test]
fn bounds_name_their_constants_and_what_is_out_of_reach() {
    let room = Room::new();
    let evaluate = |claim: &str, options: &[&str]| {
        let arguments = [&["bound", claim, "--format", "json"][..], options].concat();
        json(&room.prints(&arguments))["versions"].clone()
    };
    let value = |version: &Value, name: &str| -> String {
        let constants = version["constants"].as_array().unwrap();
        let constant = constants.iter().find(|constant| constant["name"] == name);
        constant.unwrap()["value"].as_str().unwrap().to_owned()
    };
    let goal = [
        "--alpha",
        "0.1",
        "--beta",
        "0.1",
        "--epsilon",
        "1",
        "--gamma",
        "0.3",
    ];
    let thm6 = evaluate("nuz20.thm6", &[&goal[..], &["--delta", "1e-6"]].concat());
    assert_eq!(value(&thm6[0], "records n"), "597462702023");
    assert_eq!(value(&thm6[0], "dimension m"), "17312734");
    assert_eq!(value(&thm6[1], "records n"), "6168341");
    assert_eq!(value(&thm6[1], "distortion kappa"), "51/200");
    assert!(
        thm6.as_array()
            .unwrap()
            .iter()
            .all(|version| version["status"] == "infeasible")
    );
    let thm11 = evaluate("nuz20.thm11", &goal);
    for (number, records) in [
        (0, "50518179933"),
        (1, "580425"),
        (2, "232248"),
        (4, "105048"),
    ] {
        assert_eq!(value(&thm11[number], "records n"), records);
        assert_eq!(thm11[number]["status"], "infeasible");
    }
    let thm12 = evaluate("nuz20.thm12", &["--epsilon", "0.1", "--gamma", "0.01"]);
    assert_eq!(thm12[0]["status"], "vacuous");
    assert_eq!(value(&thm12[1], "records n, at least"), "75498");
    assert_eq!(thm12[1]["status"], "holds");
    let vacuous = evaluate("nuz20.thm12", &["--epsilon", "3", "--gamma", "1"]);
    assert_eq!(vacuous[1]["status"], "vacuous");
    let alpha = evaluate("nuz20.thm12.alpha", &goal);
    assert_eq!(value(&alpha[0], "records n, at least"), "11");
    assert_eq!(alpha[0]["status"], "holds");
    let table = room.prints(&[&["bound", "nuz20.thm11"][..], &goal].concat());
    assert!(
        table.contains("infeasible: 10^29675128.8 points of the net"),
        "{table}"
    );
}

#[test]
fn the_work_for_extreme_numbers_is_bounded() {
    let goal = "--alpha 1e-9 --beta 1e-100 --epsilon 1e-9 --gamma 1e-9";
    the_work_is_bounded("nuz20.thm6", &format!("{goal} --delta 1e-100"));
    the_work_is_bounded("nuz20.thm11", goal);
    the_work_is_bounded("nuz20.thm12", "--epsilon 1e-9 --gamma 1e-9");
    the_work_is_bounded("nuz20.thm12.alpha", goal);
}
