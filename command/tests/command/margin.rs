//! The learners and bounds of the paper on margin guarantees.

use super::{Room, json, the_work_is_bounded};
use serde_json::Value;
use std::fmt::Write;

/// All learners.
const LEARNERS: [&str; 3] = ["margin-pure", "margin-gibbs", "margin-labels"];

/// A call of a learner on `data.csv`, in which the last of repeated options counts.
pub fn learn<'a>(algorithm: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut options = vec![
        ("--epsilon", "1"),
        ("--margin", "1/2"),
        ("--label", "y"),
        ("--positive", "1"),
        ("--negative", "0"),
        ("--box", "-1:1"),
        ("--out", "model.json"),
    ];
    for &(option, value) in changes {
        options.retain(|(name, _)| *name != option);
        options.push((option, value));
    }
    let mut arguments = vec!["learn", algorithm, "data.csv"];
    for (option, value) in options {
        arguments.extend([option, value]);
    }
    arguments
}

/// Records of two columns whose label is the sign of the first.
pub fn records(n: u32) -> String {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..n {
        let (sign, label) = if i % 3 == 0 { ("-", 0) } else { ("", 1) };
        writeln!(text, "{sign}0.9,0.{},{label}", i % 10).unwrap();
    }
    text
}

#[test]
fn a_model_is_learned_from_the_margin_and_predicts() {
    for algorithm in LEARNERS {
        let data = records(400);
        let room = Room::new().with("data.csv", &data);
        let arguments = learn(algorithm, &[("--format", "json")]);
        let printed = json(&room.prints(&[&arguments[..], &["--unsafe-report"]].concat()));
        let statement = printed["privacy"]["statement"].as_str().unwrap();
        let public = "intervals, categories and label values are public";
        let neighbours = match algorithm {
            "margin-labels" => "change of one label; n public; ALL FEATURES, parameters",
            _ => "substitution of one record; n public; parameters",
        };
        let begins = format!("(1, 0)-differentially private under {neighbours}");
        assert!(statement.starts_with(&begins), "{statement}");
        assert!(statement.contains(public), "{statement}");
        let seed = statement.contains("the candidates and their seed");
        assert_eq!(seed, algorithm != "margin-pure", "{statement}");
        assert_eq!(printed["parameters_from"], "theorem");
        assert_eq!(printed["parameters"]["margin"], "1/2");
        assert_eq!(printed["bound"]["vacuous"], false);
        let bound = printed["bound"]["statement"].as_str().unwrap();
        let promise = match algorithm {
            "margin-labels" => "if some candidate has the margin 1/2 on every record of the data",
            _ => "if some w of norm 1 has y <w, x> > 1/2 on every record of the data",
        };
        let promise = format!("{promise}, error at most 0.");
        assert!(bound.starts_with(&promise), "{bound}");
        let held_out = &printed["not_private"]["held_out"];
        assert_eq!(held_out["non_private_svm"], 0);
        assert!(held_out["this_model"].as_u64().unwrap() <= 8);
        let written = std::fs::read_to_string(room.path("model.json")).unwrap();
        assert!(!written.contains("svm") && !written.contains("error"));
        let predictions = room.prints(&["predict", "model.json", "data.csv"]);
        let wrong = predictions
            .lines()
            .zip(data.lines().skip(1))
            .filter(|(found, given)| given.rsplit(',').next() != Some(found));
        assert!(wrong.count() <= 40);
        // Without the flag no figure is printed that the records decide.
        let printed = room.prints(&[&learn(algorithm, &[])[..], &["--force"]].concat());
        assert!(!printed.contains("NOT PRIVATE"), "{printed}");
    }
}

#[test]
fn a_bound_that_says_nothing_is_vacuous_and_says_why() {
    let room = Room::new().with("data.csv", &records(40));
    for algorithm in LEARNERS {
        let changes = [
            ("--format", "json"),
            ("--margin", "1/10"),
            ("--epsilon", "1/10"),
        ];
        let arguments = [&learn(algorithm, &changes)[..], &["--force"]].concat();
        let bound = json(&room.prints(&arguments))["bound"].clone();
        assert_eq!(bound["vacuous"], true, "{algorithm}");
        let statement = bound["statement"].as_str().unwrap();
        let begins = "no error below 1/2 is promised at margin 1/10: ";
        assert!(statement.starts_with(begins), "{statement}");
    }
    // The radius of the cover leaves nothing of the margin.
    let changes = [("--radius", "1"), ("--format", "json")];
    let arguments = [&learn("margin-pure", &changes)[..], &["--force"]].concat();
    let printed = json(&room.prints(&arguments));
    assert_eq!(printed["parameters_from"], "overridden: radius");
    let statement = printed["bound"]["statement"].as_str().unwrap();
    let ends = "a cover of radius 1 need not keep it";
    assert!(statement.ends_with(ends), "{statement}");
}

#[test]
fn as_many_rows_as_dimensions_are_no_projection_and_that_is_said() {
    let room = Room::new().with("data.csv", &records(40));
    let parameters = |rows| {
        let changes = [("--dimension", rows), ("--format", "json")];
        let arguments = [&learn("margin-pure", &changes)[..], &["--force"]].concat();
        json(&room.prints(&arguments))["parameters"].clone()
    };
    let identity = parameters("7");
    let said = "none, since --dimension 7 is not below 2";
    assert_eq!(identity["projection"], said);
    assert_eq!(identity["dimension"], "2");
    assert_eq!(parameters("1")["projection"], "random signs");
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let room = Room::new().with("data.csv", &records(40));
    for algorithm in LEARNERS {
        for (option, value, expected) in [
            ("--margin", "0", "above 0 and at most 1"),
            ("--margin", "-1/4", "'-1/4' for '--margin <RHO>'"),
            ("--margin", "3/2", "at most 1"),
            ("--margin", "1e-300", "at least 1e-5"),
            ("--margin", "wide", "it must be an exact number"),
            ("--epsilon", "0", "above 0"),
            ("--epsilon", "1e300", "from 1e-9 to 1e4"),
            ("--beta", "0", "below 1"),
            ("--beta", "1", "below 1"),
            ("--grid-bits", "31", "at most 30 here, got 31"),
            ("--box", "1:-1", "LO below HI"),
            ("--label", "z", "no column 'z'"),
            ("--delta", "1e-6", "unexpected argument"),
        ] {
            let message = room.refuses(&learn(algorithm, &[(option, value)]));
            let name = option.trim_start_matches("--");
            assert!(message.contains(name), "{message}");
            assert!(message.contains(expected), "{message}");
        }
    }
    for (option, value, expected) in [
        ("--dimension", "0", "a whole number from 1 to"),
        ("--radius", "0", "above 0 and at most 1"),
        ("--radius", "3/2", "at most 1"),
        ("--limit", "1000", "more than --limit 1000"),
        ("--candidates", "-5", "it must be a whole number"),
    ] {
        let message = room.refuses(&learn("margin-pure", &[(option, value)]));
        assert!(message.contains(option), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    for algorithm in ["margin-gibbs", "margin-labels"] {
        for (option, value, expected) in [
            ("--candidates", "0", "a whole number from 1 to"),
            ("--candidates", "-1", "it must be a whole number from 1"),
            (
                "--candidates",
                "1e10",
                "candidates in dimension 2 would take 75 GiB, more than 2",
            ),
            (
                "--candidates-seed",
                "1/2",
                "it must be a whole number from 0",
            ),
            ("--radius", "1/2", "unexpected argument"),
        ] {
            let message = room.refuses(&learn(algorithm, &[(option, value)]));
            assert!(message.contains(option), "{message}");
            assert!(message.contains(expected), "{message}");
        }
    }
}

#[test]
fn a_cover_too_large_is_refused_with_its_size_and_what_to_change() {
    let room = Room::new().with("data.csv", &records(40));
    let message = room.refuses(&learn("margin-pure", &[("--margin", "1e-5")]));
    for part in [
        "points of the cover",
        "more than --limit 60000000000",
        "lower --dimension (here 2), raise --radius (here 1/100000), or raise --limit",
        "the guarantee of privacy stays",
        "take margin-gibbs, which needs no cover",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn data_of_an_odd_shape_are_refused_with_their_place() {
    for (data, parts) in [
        (
            "a,b,y\n0.5,-1,0\n1,0.25\n",
            &["line 3", "2 fields", "header has 3"][..],
        ),
        ("a,b,y\n0.5,-1,0\n", &["two"]),
        ("a,b,y\n0.5,-1,0\n2,0,1\n", &["line 3", "'a'", "--clip"]),
        ("a,b,y\n0.5,-1,0\n1,0,7\n", &["line 3", "'y'"]),
        ("y\n0\n1\n", &["--separator"]),
    ] {
        let room = Room::new().with("data.csv", data);
        for algorithm in LEARNERS {
            let message = room.refuses(&learn(algorithm, &[]));
            assert!(message.contains("data.csv"), "{message}");
            for part in parts {
                assert!(message.contains(part), "{part} in {message}");
            }
        }
    }
}

/// A call of the meter: all records are learned from.
pub fn meter<'a>(algorithm: &'a str, neighbour: &'a str) -> Vec<&'a str> {
    let mut arguments = learn(algorithm, &[("--format", "json"), ("--holdout", "0")]);
    let out = arguments.iter().position(|part| *part == "--out").unwrap();
    arguments.drain(out..out + 2);
    arguments[0] = "meter";
    arguments.extend(["--neighbour", neighbour]);
    arguments
}

#[test]
fn where_labels_are_private_a_neighbour_with_other_features_is_none() {
    let room = Room::new().with("data.csv", &records(40));
    let message = room.refuses(&meter("margin-labels", "replace:7=-0.9,0.5,1"));
    let part = "must have the same features: margin-labels is private under a change of one label";
    assert!(message.contains(part), "{message}");
}

/// A call with `--choose-margin` instead of `--margin`.
fn choosing<'a>(call: &[&'a str]) -> Vec<&'a str> {
    let margin = call.iter().position(|part| *part == "--margin").unwrap();
    [&call[..margin], &["--choose-margin"], &call[margin + 2..]].concat()
}

#[test]
fn private_labels_stand_in_a_column_and_a_second_file_is_refused() {
    let room = Room::new()
        .with("data.csv", "a\n-1\n1\n0.5\n")
        .with("others.csv", "a\n0.25\n-1\n");
    let words = "learn margin-labels data.csv others.csv --epsilon 1 --margin 1/2 --box -1:1 --out model.json";
    let separator = "--separator , --holdout 0";
    for words in [words.to_owned(), format!("{words} {separator}")] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let message = room.refuses(&arguments);
        let part = "margin-labels takes one data file: put both classes into it, and name the label's column with --label";
        assert!(message.contains(part), "{message}");
        assert!(!room.path("model.json").exists());
    }
    let help = room.prints(&["learn", "margin-labels", "--help"]);
    assert!(help.contains("a second file is refused"), "{help}");
}

#[test]
fn a_margin_is_chosen_with_half_of_epsilon() {
    let room = Room::new().with("data.csv", &records(400));
    for (algorithm, delta) in [
        ("margin-gibbs", "0"),
        ("margin-pure", "0"),
        ("margin-efficient", "1/1000000"),
    ] {
        let mut options = vec![("--format", "json"), ("--epsilon", "2")];
        if delta != "0" {
            options.push(("--delta", delta));
        }
        let arguments = choosing(&learn(algorithm, &options));
        let printed = json(&room.prints(&[&arguments[..], &["--force"]].concat()));
        let statement = printed["privacy"]["statement"].as_str().unwrap();
        let begins = format!("(2, {delta})-differentially private");
        assert!(statement.starts_with(&begins), "{statement}");
        let public = "the candidates and their seed";
        assert!(statement.contains(public), "{statement}");
        let parameters = &printed["parameters"];
        assert_eq!(parameters["margin_chosen_with_epsilon"], "1");
        assert!(parameters["candidates"].is_string());
        let chosen = parameters["margin"].as_str().unwrap();
        // The records have margins of at least 0.9/sqrt(2) along the first coordinate.
        let fits = ["1/2", "1/4"].contains(&chosen);
        // Of the bounds that of the Gibbs learner grows fastest as the margin falls.
        assert!(fits || algorithm != "margin-gibbs", "{chosen}");
        let bound = printed["bound"]["statement"].as_str().unwrap();
        // Of 400 records 320 are learned from: margins down to 1/32.
        let says = "(at each of the margins with epsilon 1 and beta 1/60";
        assert!(bound.contains(says), "{bound}");

        let mut arguments = choosing(&meter(algorithm, "replace:7=-0.9,0.5,1"));
        if delta != "0" {
            arguments.extend(["--delta", delta]);
        }
        let found = json(&room.prints(&arguments));
        assert_eq!(found["faults"], json("[]"), "{algorithm}: {found}");

        let both = [&learn(algorithm, &options)[..], &["--choose-margin"]].concat();
        let message = room.refuses(&both);
        assert!(message.contains("--choose-margin"), "{message}");
        let mut none = choosing(&learn(algorithm, &options));
        none.retain(|part| *part != "--choose-margin");
        let message = room.refuses(&none);
        assert!(message.contains("--margin <RHO>"), "{message}");
    }
    // What the choice goes by has no meaning for parameters that are not the theorem's.
    let fixed = choosing(&learn("margin-pure", &[("--radius", "1/2")]));
    let message = room.refuses(&fixed);
    assert!(message.contains("--radius"), "{message}");
    let fixed = choosing(&learn(
        "margin-efficient",
        &[("--rounds", "3"), ("--delta", "1e-6")],
    ));
    let message = room.refuses(&fixed);
    assert!(message.contains("--rounds"), "{message}");
    let none = choosing(&learn("margin-pure", &[("--candidates", "0")]));
    let message = room.refuses(&none);
    let part = "'--candidates <N>': it must be a whole number from 1";
    assert!(message.contains(part), "{message}");
}

#[test]
fn a_run_is_metered_and_stays_within_epsilon() {
    let room = Room::new().with("data.csv", &records(40));
    for algorithm in LEARNERS {
        let neighbour = match algorithm {
            "margin-labels" => "replace:7=0.9,0.5,0",
            _ => "replace:7=-0.9,0.5,1",
        };
        let arguments = meter(algorithm, neighbour);
        let found = json(&room.prints(&arguments));
        assert_eq!(found["faults"], json("[]"), "{found}");
        assert_eq!(found["equal_results"], true);
        assert_eq!(found["promised"]["epsilon"], "1");
    }
}

#[test]
fn bounds_name_their_constants_and_when_they_say_nothing() {
    let room = Room::new();
    let evaluate = |claim: &str, options: &str| {
        let call = ["bound", claim, "--format", "json"];
        let arguments: Vec<&str> = call.into_iter().chain(options.split(' ')).collect();
        json(&room.prints(&arguments))["versions"].clone()
    };
    let value = |version: &Value, name: &str| -> String {
        let constants = version["constants"].as_array().unwrap();
        let constant = constants.iter().find(|constant| constant["name"] == name);
        constant.unwrap()["value"].as_str().unwrap().to_owned()
    };
    let goal = "--epsilon 1 --beta 1/20 --margin 1";
    let many = "--dimension 1000000000000000 --records 115000";
    let theorem = evaluate("bms22.thm3_1", &format!("{goal} {many}"));
    // Rounded up; the library's own test has 0.09984, rounded to the nearest.
    assert_eq!(value(&theorem[0], "error, at most"), "0.09985");
    assert_eq!(theorem[0]["status"], "infeasible");
    let few = evaluate(
        "bms22.thm3_1",
        &format!("{goal} --dimension 1000000 --records 1000"),
    );
    assert_eq!(value(&few[0], "error, at most"), "1/2: nothing");
    assert_eq!(few[0]["status"], "vacuous");
    let gibbs = |margin: &str| {
        let rest = "--beta 1/20 --records 1000 --dimension 20 --candidates 10000";
        evaluate(
            "bms22.gibbs.bound",
            &format!("--epsilon 1 --margin {margin} {rest}"),
        )
    };
    assert_eq!(value(&gibbs("1")[0], "error, at most"), "0.07173");
    assert_eq!(gibbs("1")[0]["status"], "feasible");
    assert_eq!(gibbs("1/10")[0]["status"], "vacuous");
    let lower = |alpha: &str| {
        let options = format!("--epsilon 1 --beta 1/20 --margin 1/10 --alpha {alpha}");
        evaluate("bms22.thm3_1.lower", &options)
    };
    assert_eq!(value(&lower("1/100")[0], "records m, at least"), "798");
    assert_eq!(lower("1/100")[0]["status"], "holds");
    assert_eq!(lower("1/5")[0]["status"], "vacuous");
}

#[test]
fn the_work_for_extreme_numbers_is_bounded() {
    let goal = "--beta 1e-100 --epsilon 1e-9 --margin 1e-9";
    let data = "--records 9e18 --dimension 9e18";
    the_work_is_bounded("bms22.thm3_1", &format!("{goal} {data}"));
    let candidates = format!("{goal} {data} --candidates 9e18");
    the_work_is_bounded("bms22.gibbs.bound", &candidates);
    the_work_is_bounded("bms22.thm3_1.lower", &format!("{goal} --alpha 1e-9"));
}

#[test]
fn a_network_is_learned_predicts_and_is_metered() {
    let room = Room::new().with("data.csv", &records(200));
    let changes = [("--radius", "1/2"), ("--format", "json")];
    let arguments = [&learn("margin-network", &changes)[..], &["--unsafe-report"]].concat();
    let printed = json(&room.prints(&arguments));
    assert_eq!(
        printed["parameters_from"],
        "overridden: projections, radius"
    );
    assert_eq!(printed["parameters"]["projections"], "none of 2, none of 1");
    assert_eq!(printed["bound"]["vacuous"], true);
    let held_out = &printed["not_private"]["held_out"];
    assert!(held_out["this_model"].as_u64().unwrap() <= 12, "{held_out}");
    let predictions = room.prints(&["predict", "model.json", "data.csv"]);
    assert_eq!(predictions.lines().count(), 200);
    let written = std::fs::read_to_string(room.path("model.json")).unwrap();
    let broken = written.replace("\"neurons\"", "\"neutrons\"");
    std::fs::write(room.path("broken.json"), broken).unwrap();
    let message = room.refuses(&["predict", "broken.json", "data.csv"]);
    assert!(
        message.contains("broken.json is not a model file: weights: "),
        "{message}"
    );
    let mut arguments = meter("margin-network", "replace:7=-0.9,0.5,1");
    arguments.extend(["--radius", "1/2"]);
    let found = json(&room.prints(&arguments));
    assert_eq!(found["faults"], json("[]"), "{found}");
    for (option, value, expected) in [
        ("--margin", "0", "above 0 and at most 1"),
        ("--layers", "0", "a whole number from 1 to 64"),
        ("--layers", "65", "a whole number from 1 to 64"),
        ("--layers", "2.5", "a whole number from 1 to 64"),
        ("--width", "0", "a whole number from 1 to 4294967295"),
        ("--width", "-5", "a whole number from 1 to 4294967295"),
        ("--limit", "x", "a whole number from 0 to"),
        ("--grid-bits", "1/2", "a whole number from 0 to"),
        ("--slope", "0", "above 0"),
        ("--norm", "-1", "above 0"),
        ("--radius", "0", "above 0 and at most 1"),
        ("--limit", "3", "lower --layers (here 2), --width (here 1)"),
        (
            "--limit",
            "1e3",
            "--limit 1000 allows on 160 records, 6: lower --layers",
        ),
        (
            "--slope",
            "1e-9",
            "--margin 1/2 is above 2.500e-10, the most that",
        ),
        (
            "--norm",
            "1/4",
            "--margin 1/2 is above 0.06250, the most that a network of --layers 2, --norm 1/4, --slope 4 puts out",
        ),
        ("--dimension", "1", "--radius <R>"),
    ] {
        let refused = [
            &learn("margin-network", &[(option, value)])[..],
            &["--force"],
        ];
        let message = room.refuses(&refused.concat());
        assert!(message.contains(option), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_network_is_refused_where_its_options_do_not_fit_together() {
    let room = Room::new().with("data.csv", &records(200));
    let refuses = |changes: &[(&'static str, &'static str)], parts: &[&str]| {
        let message = room.refuses(&learn("margin-network", changes));
        for part in parts {
            assert!(message.contains(part), "{part} in {message}");
        }
    };
    // Also where --radius is given: no network errs less at this margin than any other.
    refuses(
        &[("--margin", "1"), ("--radius", "1"), ("--norm", "1e-9")],
        &[
            "--margin 1 is above 1.000e-18, the most that a network of --layers 2, --norm 1/1000000000, --slope 4",
        ],
    );
    for (option, value) in [("--width", "7"), ("--slope", "100")] {
        refuses(
            &[("--layers", "1"), (option, value)],
            &["--width and --slope are of hidden layers, and --layers 1 has none"],
        );
    }
    // The size is said in full, or as the layers' product: 27 matrices of 3 entries would be 27 * 27 * 27.
    refuses(
        &[("--radius", "1"), ("--width", "3"), ("--limit", "1e5")],
        &["the networks are ", "allows on 160 records, 625"],
    );
    refuses(
        &[("--margin", "1e-5"), ("--limit", "1e18")],
        &[
            "the networks are at least ",
            " * ",
            "more than the 10000000 that fit in memory",
        ],
    );
    let said = |changes: &[(&'static str, &'static str)]| {
        let output = room
            .command(&learn("margin-network", changes))
            .output()
            .unwrap();
        let parameters = room.path("model.json");
        assert!(output.status.success());
        let written: Value = json(&std::fs::read_to_string(parameters).unwrap());
        (
            String::from_utf8(output.stderr).unwrap(),
            written["parameters"].clone(),
        )
    };
    let (work, parameters) = said(&[("--layers", "1"), ("--radius", "1/2")]);
    assert!(work.contains(" networks on 160 records, some "), "{work}");
    assert!(parameters["slope"].is_null() && parameters["width"].is_null());
}

#[test]
fn more_work_than_the_limit_is_refused_before_candidates_are_drawn() {
    let room = Room::new().with("data.csv", &records(40));
    let message = room.refuses(&learn("margin-gibbs", &[("--candidates", "1e8")]));
    for part in [
        "100000000 candidates in dimension 2 on 32 records, some 4.1e11 steps, about 6 minutes: more than --limit 60000000000",
        "lower --candidates, or raise --limit",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
    let message = room.refuses(&learn("margin-gibbs", &[("--limit", "40639999")]));
    assert!(message.contains("some 4.1e7 steps"), "{message}");
    // 10,000 candidates of 2 coordinates, and for each 2000 steps and one a record.
    room.prints(&learn("margin-gibbs", &[("--limit", "40640000")]));
    let pure = learn("margin-pure", &[("--limit", "0")]);
    let message = room.refuses(&[&pure[..], &["--force"]].concat());
    assert!(
        message.contains("points of the cover are more than --limit 0"),
        "{message}"
    );
}

#[test]
fn the_label_learner_says_what_does_not_fit() {
    let room = Room::new().with("data.csv", &records(40));
    for (option, value, part) in [
        (
            "--candidates",
            "1e8",
            "--candidates 100000000: the values of 100000000 candidates on 32 records would take 24 GiB, more than 2",
        ),
        (
            "--margin",
            "0.123456789012345678",
            "has too many digits: in steps of the grid it must be a fraction",
        ),
    ] {
        let message = room.refuses(&learn("margin-labels", &[(option, value)]));
        assert!(message.contains(part), "{message}");
        assert!(message.contains(option), "{message}");
    }
    let neighbour = meter("margin-labels", "replace:7=0.9,0.5,0");
    let found = json(&room.prints(&neighbour));
    assert_eq!(found["claim"]["neighbours"], "change one label");
    let shown: Vec<&str> = neighbour
        .iter()
        .map(|word| if *word == "json" { "table" } else { word })
        .collect();
    let shown = room.prints(&shown);
    assert!(shown.contains("(epsilon = 1, delta = 0), change one label"));
    assert!(!shown.contains("substitut"), "{shown}");
    let others = room.with("others.csv", &records(40).replacen(",1\n", ",0\n", 2));
    let message = others.refuses(&meter("margin-labels", "others.csv"));
    assert!(
        message.contains("private under change of one label"),
        "{message}"
    );
}

#[test]
fn the_efficient_learner_says_how_its_noise_is_calibrated_and_is_metered() {
    let room = Room::new().with("data.csv", &records(400));
    let noise = |accounting| {
        let changes = [
            ("--delta", "1e-6"),
            ("--accounting", accounting),
            ("--format", "json"),
        ];
        let arguments = [&learn("margin-efficient", &changes)[..], &["--force"]].concat();
        let printed = json(&room.prints(&arguments));
        let statement = printed["privacy"]["statement"].as_str().unwrap();
        assert!(statement.starts_with("(1, 1/1000000)-differentially private under substitution"));
        let parameters = &printed["parameters"];
        assert_eq!(parameters["accounting"], accounting);
        // So few records are far below what Theorem 3.2 asks for.
        assert_eq!(printed["bound"]["vacuous"], true);
        let noise = parameters["noise_over_what_one_use_moves"].as_str();
        noise.unwrap().parse::<f64>().unwrap()
    };
    let [mixture, zcdp, paper] = ["mixture", "zcdp", "paper"].map(noise);
    assert!(mixture < zcdp && zcdp < paper, "{mixture} {zcdp} {paper}");
    let mut arguments = meter("margin-efficient", "replace:7=-0.9,0.5,1");
    arguments.extend(["--delta", "1e-6"]);
    let found = json(&room.prints(&arguments));
    assert_eq!(found["faults"], json("[]"), "{found}");
    for (option, value, expected) in [
        ("--delta", "0", "above 0 and at most 1/2"),
        ("--delta", "0.99", "above 0 and at most 1/2"),
        ("--rounds", "4097", "a whole number from 1 to 4096"),
        ("--rounds", "-5", "a whole number from 1 to 4096"),
        ("--dimension", "2.5", "a whole number from 1 to"),
        ("--margin", "0", "above 0 and at most 1"),
        ("--margin", "3/2", "at most 1"),
        ("--dimension", "0", "a whole number from 1 to"),
        ("--rounds", "0", "a whole number from 1 to"),
        ("--between", "0", "a whole number from 1 to"),
        ("--between", "3", "only with --map two-stage"),
        ("--map", "gaussian", "two-stage"),
        ("--accounting", "renyi", "mixture"),
        ("--grid-bits", "31", "at most 30 here, got 31"),
    ] {
        let mut arguments = learn("margin-efficient", &[(option, value)]);
        if option != "--delta" {
            arguments.extend(["--delta", "1e-6"]);
        }
        let message = room.refuses(&arguments);
        assert!(message.contains(option), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let message = room.refuses(&learn("margin-efficient", &[]));
    assert!(message.contains("--delta <D>"), "{message}");
    let changes = [
        ("--delta", "1e-6"),
        ("--dimension", "7"),
        ("--format", "json"),
    ];
    let arguments = [&learn("margin-efficient", &changes)[..], &["--force"]].concat();
    let parameters = json(&room.prints(&arguments))["parameters"].clone();
    assert_eq!(
        parameters["projection"],
        "none, since --dimension 7 is not below 2"
    );
}

#[test]
fn the_efficient_learner_projects_by_the_map_that_is_asked_for_and_its_model_predicts() {
    let data = records(400);
    let room = Room::new().with("data.csv", &data);
    let two_stage = [
        ("--map", "two-stage"),
        ("--dimension", "1"),
        ("--between", "4"),
    ];
    let hadamard = [("--map", "hadamard"), ("--dimension", "1")];
    for (changes, projection, overridden) in [
        (
            &[][..],
            "none, since the theorem asks for at least 2 rows",
            false,
        ),
        (&[("--map", "none")], "none", false),
        (&[("--dimension", "1")], "random signs", true),
        (&hadamard, "randomised Hadamard transform", true),
        (
            &two_stage,
            "randomised Hadamard transform to dimension 4, then random signs",
            true,
        ),
    ] {
        let all = [changes, &[("--delta", "1e-6"), ("--format", "json")]].concat();
        let arguments = [&learn("margin-efficient", &all)[..], &["--force"]].concat();
        let printed = json(&room.prints(&arguments));
        assert_eq!(printed["parameters"]["projection"], projection);
        let from = printed["parameters_from"].as_str().unwrap();
        assert_eq!(from != "theorem", overridden, "{projection}: {from}");
        if overridden {
            let statement = printed["bound"]["statement"].as_str().unwrap();
            assert!(statement.contains("too few rows"), "{statement}");
        }
        let predictions = room.prints(&["predict", "model.json", "data.csv"]);
        assert_eq!(predictions.lines().count(), 400, "{projection}");
        let mut arguments = meter("margin-efficient", "replace:7=-0.9,0.5,1");
        arguments.extend(["--delta", "1e-6"]);
        arguments.extend(changes.iter().flat_map(|&(option, value)| [option, value]));
        let found = json(&room.prints(&arguments));
        assert_eq!(found["faults"], json("[]"), "{projection}: {found}");
    }
    for (changes, expected) in [
        (
            &two_stage[..2],
            "give --dimension and --between, or neither",
        ),
        (
            &[("--map", "none"), ("--dimension", "1")],
            "not with --map none",
        ),
    ] {
        let all = [changes, &[("--delta", "1e-6")]].concat();
        let refused = [&learn("margin-efficient", &all)[..], &["--force"]];
        let message = room.refuses(&refused.concat());
        assert!(message.contains(expected), "{message}");
    }
    // Images of two stages are in finer steps: the grid must be coarser.
    let changes = [
        &two_stage[..2],
        &[("--between", "8192"), ("--grid-bits", "25")],
    ]
    .concat();
    let all = [&changes[..], &[("--delta", "1e-6")]].concat();
    let refused = [&learn("margin-efficient", &all)[..], &["--force"]];
    let message = room.refuses(&refused.concat());
    assert!(message.contains("--grid-bits (here 25)"), "{message}");
}
