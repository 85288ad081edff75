//! `assay truth` and `assay sample`: certified values and exact noise, with the papers and without.

use crate::room::{Room, json};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The words of a command line.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// What the command prints as JSON.
fn truth(room: &Room, line: &str) -> Value {
    let arguments = [&["truth"], &words(line)[..], &["--format", "json"]].concat();
    json(&room.prints(&arguments))
}

#[test]
fn truth_is_an_enclosure_and_samples_are_reproducible() {
    let room = Room::new();
    let truth = |more: &[&str]| {
        let law = ["truth", "discrete-laplace", "scale=2", "--format", "json"];
        json(&room.prints(&[&law[..], more].concat()))
    };
    let value = truth(&["--at", "-3", "--digits", "20"]);
    assert_eq!(value["lo"], "0.054648740365478837772");
    assert_eq!(value["hi"], "0.054648740365478837773");
    let exact = truth(&["--quantity", "profile", "--shift", "1", "--epsilon", "0.5"]);
    assert_eq!((&exact["lo"], &exact["hi"]), (&"0".into(), &"0".into()));
    let sample = [
        "sample",
        "discrete-gaussian variance=4",
        "-n",
        "100",
        "--seed",
        "3",
    ];
    let lines = room.prints(&sample);
    assert_eq!(lines.lines().count(), 100);
    assert_eq!(lines, room.prints(&sample));
    let all = json(&room.prints(&[&sample[..], &["--format", "json"]].concat()));
    let samples: Vec<_> = all["samples"].as_array().unwrap().iter().collect();
    assert!(
        lines
            .lines()
            .zip(samples)
            .all(|(line, sample)| sample == line)
    );
    let none = json(&room.prints(&[
        "sample",
        "geometric",
        "rate=1/2",
        "-n",
        "0",
        "--format",
        "json",
    ]));
    assert_eq!(none["samples"], Value::Array(Vec::new()));
    assert_eq!(
        room.prints(&["sample", "geometric rate=1", "-n", "1e1"])
            .lines()
            .count(),
        10
    );
    // Each law is defined where it can be asked for.
    for command in ["truth", "sample"] {
        let help = room.prints(&[command, "--help"]);
        for family in &dp_assay::law::named::FAMILIES {
            assert!(help.contains(&family.to_string()), "{help}");
        }
    }
}

#[test]
fn each_kind_of_subject_has_its_known_value() {
    let room = Room::new();
    for (line, lo) in [
        (
            "exp --at 1",
            "2.7182818284590452353602874713526624977572470936999",
        ),
        ("pi", "3.1415926535897932384626433832795028841971693993751"),
        // erfc(1), and the 0.95 quantile of chi-square with one degree, which is that of the normal law at 0.975, squared.
        ("erfc --at 1 --digits 20", "0.15729920705028513065"),
        (
            "normal-quantile --at 0.975 --digits 20",
            "1.9599639845400542355",
        ),
        (
            "chi-square degrees=1 --quantity quantile --at 0.95 --digits 16",
            "3.841458820694124",
        ),
        (
            "discrete-laplace scale=2 --at -3 --digits 20",
            "0.054648740365478837772",
        ),
        (
            "laplace scale=1 --quantity cdf --at -1 --digits 20",
            "0.18393972058572116079",
        ),
        (
            "gaussian deviation=1 --quantity tail --at 2 --digits 20",
            "0.022750131948179207200",
        ),
        // Of sigma, which is the deviation or the root of the variance.
        (
            "gaussian sigma=1 --quantity tail --at 2 --digits 20",
            "0.022750131948179207200",
        ),
        (
            "discrete-gaussian sigma=2 --at 0 --digits 20",
            "0.19947114020071633896",
        ),
        // 1/0.26805112329..., of Balle and Wang.
        (
            "analytic-gaussian --epsilon 1 --delta 1e-5 --digits 10",
            "3.730631634",
        ),
        // 1 - 0.05^(1/1000)
        (
            "clopper-pearson trials=1000 occurrences=0 level=1/20 --quantity upper --digits 10",
            "0.002991249545",
        ),
        (
            "randomised-response epsilon=1 --quantity pmf --at 0 --digits 20",
            "0.73105857863000487925",
        ),
        (
            "subsampling drawn=1 records=100 --epsilon 1 --digits 6",
            "0.0170369",
        ),
        // By mpmath, from their definitions: sums over outcomes, the least over the orders.
        ("erfc --at 50 --digits 20", "2.0709207788416560484e-1088"),
        (
            "zcdp rho=1/2 --epsilon 4 --digits 20",
            "0.00019579541695772159729",
        ),
        (
            "discrete-gaussian variance=4 --quantity epsilon --shift 1 --delta 1e-6 --digits 20",
            "2.2757931514381039664",
        ),
        (
            "composition step-epsilon=1/10 times=30 --epsilon 1 --digits 20",
            "0.010561676338629962097",
        ),
        (
            "exponential-mechanism-pair epsilon=1 losses=0,1,5/2 neighbour=1/2,1/2,3/2 --epsilon 1/10 --digits 20",
            "0.10425138762691526397",
        ),
        (
            "composed-noise law=discrete-laplace:scale:5 times=2 --epsilon 1/4 --digits 20",
            "0.042110405834585086264",
        ),
        (
            "sum first=discrete-laplace:scale:2 second=discrete-gaussian:variance:4 --at 0 --digits 20",
            "0.13223653951925171080",
        ),
        // Reversed after it was composed it had no digit.
        (
            "exponential-mechanism-pair epsilon=1 losses=0,1 neighbour=1,0 times=5000 --epsilon 612 --digits 20",
            "0.49134224885158496485",
        ),
        // The best order less 1 is about e^-9738.
        (
            "zcdp rho=1e4 --quantity epsilon --delta 1e-6 --digits 20",
            "10739.073156563853527",
        ),
    ] {
        let value = truth(&room, line);
        let digits = lo.trim_start_matches("0.").trim_start_matches('0').len() - 2;
        let found = value["lo"].as_str().unwrap();
        let common = found
            .chars()
            .zip(lo.chars())
            .take_while(|(a, b)| a == b)
            .count();
        assert!(common >= digits, "{line}: {found}");
        assert_eq!(value["kind"], "enclosure", "{line}");
        assert!(value["lo"] != value["hi"], "{line}");
        for key in ["law", "definition", "quantity", "meaning", "method"] {
            assert!(
                value[key].as_str().is_some_and(|text| !text.is_empty()),
                "{line} {key}"
            );
        }
        assert_eq!(value["arithmetics"][0], "num-bigint", "{line}");
        // What has no second writing.
        let once = [
            "chi-square",
            "clopper-pearson",
            "randomised-response",
            "subsampling",
            "zcdp",
            "composition",
            "exponential-mechanism-pair",
            "composed-noise",
            "sum",
        ];
        let is_twice = !once.iter().any(|name| line.starts_with(name));
        let second = value["arithmetics"].get(1);
        assert_eq!(
            second.is_some(),
            is_twice && cfg!(feature = "mpfr"),
            "{line}"
        );
    }
}

#[test]
fn fifty_digits_are_the_default_and_a_thousand_are_possible() {
    let room = Room::new();
    let digits = |line: &str| {
        let value = truth(&room, line);
        value["hi"]
            .as_str()
            .unwrap()
            .trim_start_matches("0.")
            .replace('.', "")
            .len()
    };
    assert_eq!(digits("ln --at 2"), 50);
    for line in [
        "ln --at 2 --digits 1000",
        "discrete-gaussian variance=4 --quantity pmf --at 0 --digits 1000",
        "gaussian deviation=1 --quantity epsilon --shift 1 --delta 1e-2 --digits 1000",
        "clopper-pearson trials=20 occurrences=3 level=1/20 --digits 1000",
        "zcdp rho=1/2 --epsilon 2 --digits 1000",
        "binomial trials=1000 probability=1/3 --quantity tail --at 400 --digits 1000",
    ] {
        assert!(digits(line) >= 999, "{line}");
    }
}

#[test]
fn a_rational_value_and_a_bound_say_so() {
    let room = Room::new();
    let exact = truth(
        &room,
        "discrete-laplace scale=2 --quantity quantile --at 9/10",
    );
    assert_eq!(
        (&exact["kind"], &exact["exact"]),
        (&"exact".into(), &"3".into())
    );
    let table = room.prints(&words(
        "truth laplace scale=2/3 --quantity variance --digits 5",
    ));
    assert!(
        table.contains("exactly 8/9\nlo 0.88888\nhi 0.88889\n"),
        "{table}"
    );
    let line = "composition step-epsilon=1/10 times=30 --quantity advanced-epsilon --delta 1e-5";
    let bound = truth(&room, line);
    assert_eq!(
        (&bound["kind"], &bound["lo"]),
        (&"upper bound".into(), &Value::Null)
    );
    let table = room.prints(&[&["truth"], &words(line)[..]].concat());
    assert!(
        table.contains("\nat most 2.") && !table.contains("\nlo "),
        "{table}"
    );
    let table = room.prints(&words("truth zcdp rho=1/2 --epsilon 4"));
    assert!(table.contains("an upper bound on delta"), "{table}");
    // Where nothing is left of delta the largest loss is needed, and is known.
    for (line, epsilon) in [
        (
            "discrete-laplace scale=2 --quantity epsilon --shift 1 --delta 0",
            "1/2",
        ),
        (
            "laplace scale=2 --quantity epsilon --shift 3 --delta 0",
            "3/2",
        ),
        (
            "randomised-response epsilon=2/3 --quantity epsilon --delta 0",
            "2/3",
        ),
        (
            "composition step-epsilon=1 step-delta=1e-5 times=1 --quantity epsilon --delta 1e-5",
            "1",
        ),
        (
            "composition step-epsilon=1/3 times=6 --quantity epsilon --delta 0",
            "2",
        ),
        (
            "composed-noise law=discrete-laplace:scale:2 times=3 --quantity epsilon --delta 0",
            "3/2",
        ),
        ("zcdp rho=1/2 --quantity epsilon --delta 0.9", "0"),
    ] {
        assert_eq!(truth(&room, line)["exact"], epsilon, "{line}");
    }
    // The bound is 1 but for a part that no digit shows.
    let nearly = truth(&room, "zcdp rho=1e4 --epsilon 1 --digits 20");
    assert_eq!(nearly["lo"], "0.99999999999999999999", "{nearly}");
}

#[test]
fn a_range_is_printed_as_rows_in_each_format() {
    let room = Room::new();
    let line = "truth discrete-laplace scale=2 --at -1..1 --digits 8";
    let csv = room.prints(&[&words(line)[..], &["--format", "csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "law,quantity,at,digits,kind,exact,lo,hi");
    assert_eq!(
        lines[1],
        "discrete-laplace scale=2,pmf,-1,8,enclosure,,0.14855067,0.14855068"
    );
    assert_eq!(
        lines[2],
        "discrete-laplace scale=2,pmf,0,8,enclosure,,0.24491866,0.24491867"
    );
    assert_eq!(lines.len(), 4);
    let values = json(&room.prints(&[&words(line)[..], &["--format", "json"]].concat()));
    let rows = values["values"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (&rows[1]["at"], &rows[1]["lo"]),
        (&"0".into(), &"0.24491866".into())
    );
    assert_eq!(
        (&values["quantity"], &rows[1]["label"]),
        (&"pmf".into(), &"Pr[Y = 0]".into())
    );
    let table = room.prints(&words(line));
    assert_eq!(table.matches("\nlo ").count(), 3);
    // A range of another option, with a step, and a field with a comma.
    let line = "truth exponential-mechanism epsilon=1 losses=0,1 --at 0..1 --format csv";
    let csv = room.prints(&words(line));
    assert!(
        csv.contains(
            "\n\"exponential-mechanism epsilon=1 sensitivity=1 losses=0,1 counts=1\",pmf,0,"
        ),
        "{csv}"
    );
    let line =
        "truth gaussian deviation=1 --quantity profile --shift 1 --epsilon 0..1..1/4 --format csv";
    let csv = room.prints(&words(line));
    assert_eq!(csv.lines().count(), 6);
    assert!(csv.contains(",profile,1,3/4,50,enclosure,"), "{csv}");
    // One value has the same form.
    assert_eq!(
        room.prints(&words("truth pi --format csv")).lines().count(),
        2
    );
}

#[test]
fn the_longest_range_is_bounded_and_answered() {
    let room = Room::new();
    let line = "truth geometric rate=1/1000 --at 0..99999 --digits 2 --format csv";
    assert_eq!(room.prints(&words(line)).lines().count(), 100_001);
}

#[test]
fn values_are_those_of_the_published_vectors() {
    let room = Room::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/vectors/v1/values");
    for (file, law) in [
        (
            "discrete-gaussian/variance=355_113.json",
            "discrete-gaussian variance=355/113",
        ),
        (
            "discrete-laplace/scale=355_113.json",
            "discrete-laplace scale=355/113",
        ),
        ("geometric/rate=355_113.json", "geometric rate=355/113"),
        (
            "randomised-response/epsilon=355_113.json",
            "randomised-response epsilon=355/113",
        ),
    ] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let vectors = json(&text);
        let mut compared = 0;
        for group in vectors["groups"].as_array().unwrap() {
            let quantity = group["quantity"].as_str().unwrap();
            for value in group["values"].as_array().unwrap().iter().step_by(5) {
                let at = &value["at"];
                let Some(lo) = value["lo"].as_str() else {
                    continue;
                };
                let mut line = format!("{law} --quantity {quantity} --digits 60");
                for (key, option) in [
                    ("k", "--at"),
                    ("shift", "--shift"),
                    ("epsilon", "--epsilon"),
                ] {
                    if let Some(given) = at[key].as_str() {
                        line.push_str(&format!(" {option} {given}"));
                    }
                }
                let found = truth(&room, &line);
                let without_zeros = |text: &str| {
                    let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
                    let digits = match digits.contains('.') {
                        true => digits.trim_end_matches('0').trim_end_matches('.'),
                        false => digits,
                    };
                    format!("{digits}{exponent}")
                };
                assert_eq!(without_zeros(found["lo"].as_str().unwrap()), lo, "{line}");
                compared += 1;
            }
        }
        assert!(compared >= 2, "{file}: {compared}");
    }
}

#[test]
fn the_list_has_every_subject_and_its_examples_run() {
    let room = Room::new();
    let list = room.prints(&["truth", "--list"]);
    let all = json(&room.prints(&["truth", "--list", "--format", "json"]));
    let subjects = all["subjects"].as_array().unwrap();
    assert!(subjects.len() >= 30, "{}", subjects.len());
    for subject in subjects {
        assert!(list.contains(subject["definition"].as_str().unwrap()));
        // All examples run in the unit tests; here the first of each subject, as it is printed.
        let example = subject["quantities"][0]["example"].as_str().unwrap();
        assert!(list.contains(example), "{example}");
        let line = example.strip_prefix("assay ").unwrap();
        room.prints(&[&words(line)[..], &["--digits", "5"]].concat());
    }
    let one = room.prints(&["truth", "--list", "zcdp"]);
    assert!(
        one.starts_with("zcdp rho=NUMBER\n") && one.contains("--delta D"),
        "{one}"
    );
}
