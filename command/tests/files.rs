//! Files as people have them, by the command as its users run it: what pandas and R write, missing values, comments, gzip, a
//! file that says what is public of each column; and the budget of several runs.

use crate::room::{Room, json, listing, text};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;

/// Sixty records whose class is the sign of `x`, as pandas writes them: the first column is the index. `row` may change one.
fn records(row: impl Fn(usize, &str) -> String) -> String {
    let mut all = ",x,size,y\n".to_owned();
    for i in 0..60 {
        let (sign, class) = if i % 2 == 0 { ("", "yes") } else { ("-", "no") };
        let size = ["small", "large"][i / 2 % 2];
        let usual = format!("{i},{sign}{}.5,{size},{class}", 1 + i % 9);
        all += &format!("{}\n", row(i, &usual));
    }
    all
}

fn as_they_are(_: usize, usual: &str) -> String {
    usual.to_owned()
}

/// A call of the Gibbs learner; the coins are seeded, so that models can be compared.
fn learn<'a>(data: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = "--epsilon 8 --margin 1/4 --candidates 200 --held-out 0 --seed 5 --positive yes --negative no";
    let mut call = vec!["learn", "margin-gibbs", data];
    call.extend(fixed.split(' '));
    call.extend(more);
    call
}

const COLUMNS: [&str; 8] = [
    "--label",
    "y",
    "--drop",
    "1",
    "--box",
    "x=-10:10",
    "--category",
    "size=small,large",
];

/// What such a call is refused with, after the warning that it is seeded; nothing is left behind.
fn refuses(room: &Room, call: &[&str]) -> String {
    let before = listing(room.directory.path());
    let output = room.run(call);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(listing(room.directory.path()), before);
    text(&output.stderr)
}

/// The model that such a call writes.
fn model(room: &Room, data: &str, more: &[&str]) -> serde_json::Value {
    let mut all = vec!["--out", "m.json", "--force"];
    all.extend(COLUMNS);
    all.extend(more);
    room.prints(&learn(data, &all));
    json(&fs::read_to_string(room.path("m.json")).unwrap())
}

#[test]
fn an_index_without_a_name_is_dropped_by_its_number() {
    let room = Room::new().with("d.csv", &records(as_they_are));
    let found = model(&room, "d.csv", &[]);
    assert_eq!(found["columns"]["numeric"][0]["name"], "x");
    let predicted = room.prints(&["predict", "m.json", "d.csv"]);
    assert_eq!(predicted.lines().count(), 60);
    // Kept, it is warned of.
    let call = learn(
        "d.csv",
        &[
            "--label", "y", "--box", "0:60", "--clip", "--drop", "size", "--out", "n.json",
        ],
    );
    let said = text(&room.run(&call).stderr);
    assert!(
        said.contains("column 1 has no name in the header, and is learned from: --drop 1"),
        "{said}"
    );
}

#[test]
fn one_table_in_many_forms_gives_one_model() {
    let plain = records(as_they_are);
    let room = Room::new().with("d.csv", &plain);
    let expected = model(&room, "d.csv", &[]);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(plain.as_bytes()).unwrap();
    fs::write(room.path("d.csv.gz"), packed.finish().unwrap()).unwrap();
    let quoted = plain.replacen("x,size,y", "'x','size','y'", 1);
    let commas = plain.replace(',', ";").replace('.', ",");
    let headed = format!("60,3,a title\n# two lines of it\n{plain}# the end\n");
    let spaced = plain.replacen(",x", "i x", 1).replace(',', "  ");
    for (name, contents, more) in [
        ("quoted.csv", quoted, &[][..]),
        ("commas.csv", commas, &["--decimal-comma"]),
        (
            "headed.csv",
            headed,
            &["--skip-lines", "1", "--comment", "#"],
        ),
    ] {
        fs::write(room.path(name), contents).unwrap();
        assert_eq!(model(&room, name, more), expected, "{name}");
    }
    assert_eq!(model(&room, "d.csv.gz", &[]), expected);
    // With a name for the first column.
    fs::write(room.path("spaced.csv"), spaced).unwrap();
    let mut call = vec![
        "--label",
        "y",
        "--drop",
        "i",
        "--box",
        "x=-10:10",
        "--category",
        "size=small,large",
    ];
    call.extend(["--separator", "space", "--out", "m.json", "--force"]);
    room.prints(&learn("spaced.csv", &call));
    assert_eq!(
        json(&fs::read_to_string(room.path("m.json")).unwrap()),
        expected
    );
}

/// What a record becomes by a rule is what another one is without a rule.
#[test]
fn a_rule_for_missing_values_is_the_record_that_it_says() {
    let with = |number: &'static str, size: &'static str| {
        records(move |i, usual| match i {
            7 => format!("7,{number},{size},no"),
            _ => usual.to_owned(),
        })
    };
    let room = Room::new()
        .with("no-x.csv", &with("NA", "large"))
        .with("odd-x.csv", &with("-999", "large"))
        .with("no-size.csv", &with("-8.5", ""))
        .with("middle.csv", &with("0", "large"))
        .with("two.csv", &with("2", "large"))
        .with("other-size.csv", &with("-8.5", "huge"));
    let weights = |data: &str, more: &[&str]| model(&room, data, more)["weights"].clone();
    let middle = weights("middle.csv", &[]);
    assert_eq!(weights("no-x.csv", &["--missing", "zero"]), middle);
    assert_eq!(
        weights(
            "odd-x.csv",
            &["--missing", "x=zero", "--missing-mark", "-999"]
        ),
        middle
    );
    assert_eq!(
        weights("no-x.csv", &["--missing", "x=fill:2"]),
        weights("two.csv", &[])
    );
    // --clip lets a name that is none of the declared be none, as zero does.
    let none = weights("other-size.csv", &["--clip"]);
    assert_eq!(weights("no-size.csv", &["--missing", "zero"]), none);
    // A dropped record is the zero record, whatever else it has, and whether its label is there.
    let dropped = weights("no-x.csv", &["--missing", "drop"]);
    assert_eq!(weights("no-size.csv", &["--missing", "drop"]), dropped);
    let unlabelled = records(|i, usual| match i {
        7 => "7,3,small,".to_owned(),
        _ => usual.to_owned(),
    });
    fs::write(room.path("unlabelled.csv"), unlabelled).unwrap();
    assert_eq!(weights("unlabelled.csv", &["--missing", "y=drop"]), dropped);
    let said = refuses(
        &room,
        &learn(
            "unlabelled.csv",
            &[&COLUMNS[..], &["--out", "z.json", "--missing", "zero"]].concat(),
        ),
    );
    assert!(
        said.contains("line 9, column 'y': the label is empty") && said.contains("=drop"),
        "{said}"
    );
}

/// The rules look at one record alone: to lose a value is to substitute a record, or, where their number is private, to remove it.
#[test]
fn a_record_that_loses_a_value_is_a_neighbour() {
    let room = Room::new().with("d.csv", &records(as_they_are));
    let lost = "replace:6=4,NA,small,yes";
    for rule in ["drop", "zero", "x=fill:1"] {
        let mut call = learn("d.csv", &COLUMNS);
        call[0] = "meter";
        call.extend(["--missing", rule, "--neighbour", lost]);
        let found = room.prints(&call);
        assert!(found.contains("no fault on this pair and run"), "{found}");
    }
    let numbers: String = (0..40).map(|i| format!("{},{}\n", i % 7, i % 5)).collect();
    fs::write(room.path("numbers.csv"), format!("x,y\n{numbers}")).unwrap();
    let call = "meter random-features numbers.csv --label y --label-box 0:5 --box 0:7 --features linear --epsilon 8 \
                --delta 1e-3 --accept-noise --at-most 50 --seed 5 --missing drop --neighbour replace:6=,1";
    let found = room.prints(&call.split_whitespace().collect::<Vec<_>>());
    assert!(found.contains("no fault on this pair and run"), "{found}");
    // Without a rule it is no record.
    let said = room.refuses(
        &call
            .replace(" --missing drop", "")
            .split_whitespace()
            .collect::<Vec<_>>(),
    );
    assert!(
        said.contains("looks like a mark for a missing value"),
        "{said}"
    );
}

#[test]
fn the_number_of_records_stays_public_where_one_is_dropped() {
    let gaps = records(|i, usual| match i {
        3 | 8 => format!("{i},,small,no"),
        _ => usual.to_owned(),
    });
    let room = Room::new().with("d.csv", &gaps);
    let mut call = vec!["--out", "m.json", "--missing", "drop", "--format", "json"];
    call.extend(COLUMNS);
    let report = json(&room.prints(&learn("d.csv", &call)));
    assert_eq!(report["training_records"], 60);
}

#[test]
fn a_prediction_is_made_of_each_record_that_lacks_nothing() {
    let room = Room::new().with("d.csv", &records(as_they_are)).with(
        "new.csv",
        "y,size,x\n?,small,9\n,large,NA\nno,small,-9\n,,9\n",
    );
    model(&room, "d.csv", &[]);
    let predicted = room.prints(&["predict", "m.json", "new.csv"]);
    assert_eq!(predicted, "yes\nmissing\nno\nmissing\n");
    // A model that was told how to fill a value fills it.
    model(
        &room,
        "d.csv",
        &["--missing", "x=fill:9", "--missing", "size=drop"],
    );
    let predicted = room.prints(&["predict", "m.json", "new.csv"]);
    assert_eq!(predicted, "yes\nyes\nno\nmissing\n");
}

#[test]
fn a_file_of_columns_is_as_good_as_an_option_for_each() {
    let room = Room::new().with("d.csv", &records(as_they_are));
    let skeleton = room.prints(&["columns", "d.csv"]);
    for part in [
        "[\"1\"]\ndrop = true",
        "[\"x\"]\nbox = \"\"\n",
        "[\"size\"]",
        "[\"y\"]",
    ] {
        assert!(skeleton.contains(part), "{skeleton}");
    }
    let filled = skeleton
        .replace(
            "[\"x\"]\nbox = \"\"",
            "[\"x\"]\nbox = \"-10:10\"\nmissing = \"drop\"",
        )
        .replace(
            "[\"size\"]\nbox = \"\"",
            "[\"size\"]\ncategory = [\"small\", \"large\"]",
        )
        .replace("[\"y\"]\nbox = \"\"", "[\"y\"]\nlabel = true");
    fs::write(room.path("columns.toml"), filled).unwrap();
    let expected = model(&room, "d.csv", &["--missing", "x=drop"]);
    room.prints(&learn(
        "d.csv",
        &["--columns", "columns.toml", "--out", "n.json"],
    ));
    let found = json(&fs::read_to_string(room.path("n.json")).unwrap());
    assert_eq!(found, expected);
    // Unfilled, it is refused by the column.
    fs::write(room.path("columns.toml"), skeleton).unwrap();
    let said = refuses(
        &room,
        &learn("d.csv", &["--columns", "columns.toml", "--out", "o.json"]),
    );
    assert!(
        said.contains("columns.toml: column 'size': its box is empty"),
        "{said}"
    );
}

#[test]
fn a_budget_adds_up_what_runs_cost_and_refuses_what_goes_beyond() {
    let room = Room::new().with("d.csv", &records(as_they_are));
    let run = |out: &'static str, more: &[&'static str]| {
        let mut call = vec!["--out", out, "--budget", "b.json"];
        call.extend(COLUMNS);
        call.extend(more);
        let output = room.run(&learn("d.csv", &call));
        (output.status.code(), text(&output.stderr))
    };
    let budget = || json(&fs::read_to_string(room.path("b.json")).unwrap());
    let (status, said) = run("1.json", &[]);
    assert!(
        status == Some(2) && said.contains("--budget-total EPSILON[,DELTA] begins one"),
        "{said}"
    );
    let (status, said) = run("1.json", &["--budget-total", "20"]);
    assert!(
        status == Some(0) && said.contains("epsilon 8 of 20"),
        "{said}"
    );
    assert_eq!(run("2.json", &[]).0, Some(0));
    assert_eq!(budget()["runs"][1]["model"], "2.json");
    let before = budget();
    // 4 is left, and 8 are asked for.
    let (status, said) = run("3.json", &[]);
    assert!(
        status == Some(2) && said.contains("asks for 8, and 4 is left on d.csv; nothing was spent"),
        "{said}"
    );
    // What is refused before a draw costs nothing.
    assert_eq!(run("3.json", &["--limit", "1", "--seed", "6"]).0, Some(2));
    assert_eq!(budget(), before);
    assert!(!room.path("3.json").exists());
}

#[test]
fn a_session_spends_its_budget_once() {
    let room = Room::new().with("d.csv", &records(as_they_are));
    let session = |more: &[&str]| {
        let call = "answer gp d.csv --epsilon 8 --delta 1e-3 --lambda 1 --coordinates 1 --accept-noise --positive yes \
                    --negative no --budget b.json";
        let call: Vec<&str> = call.split_whitespace().chain(COLUMNS).collect();
        let output = room.run(&[&call, more].concat());
        (output.status.code(), text(&output.stderr))
    };
    let (status, said) = session(&["--budget-total", "9,1e-2", "--state", "s"]);
    assert!(
        status == Some(0) && said.contains("epsilon 8 of 9"),
        "{said}"
    );
    // It goes on, and costs nothing more; another one does.
    assert_eq!(session(&["--state", "s"]).0, Some(0));
    let (status, said) = session(&["--state", "other"]);
    assert!(
        status == Some(2) && said.contains("asks for 8, and 1 is left on d.csv"),
        "{said}"
    );
    assert!(!room.path("other").exists());
}

#[test]
fn learners_have_their_old_names_for_a_version() {
    let room = Room::new().with("d.csv", &records(as_they_are));
    for (old, new, more) in [
        (
            "halfspaces-pure",
            "halfspaces-cover",
            &["--gamma", "1/2"][..],
        ),
        (
            "margin-pure",
            "margin-cover",
            &["--margin", "1/2", "--radius", "1/2"],
        ),
        (
            "halfspaces-efficient",
            "halfspaces-descent",
            &["--gamma", "1/2", "--delta", "1e-3", "--steps", "9"],
        ),
        (
            "margin-efficient",
            "margin-descent",
            &["--margin", "1/2", "--delta", "1e-3"],
        ),
    ] {
        let call = |name: &'static str, out: &'static str| {
            let mut call = vec![
                "learn",
                name,
                "d.csv",
                "--epsilon",
                "8",
                "--seed",
                "5",
                "--out",
                out,
                "--force",
            ];
            call.extend(["--positive", "yes", "--negative", "no"]);
            call.extend(COLUMNS);
            call.extend(more);
            room.prints(&call);
            fs::read_to_string(room.path(out)).unwrap()
        };
        let written = call(old, "old.json");
        assert_eq!(written, call(new, "new.json"));
        assert_eq!(json(&written)["algorithm"], new);
        // So are models of the old name read.
        fs::write(room.path("old.json"), written.replace(new, old)).unwrap();
        let predictions = |model: &str| room.prints(&["predict", model, "d.csv"]);
        assert_eq!(predictions("old.json"), predictions("new.json"));
    }
}
