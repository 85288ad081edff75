//! Sessions: `assay answer`.

use super::{Room, json, listing, text};
use crate::nightly;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Records of two columns whose label is 1 where both have the same sign; and, as a number, 3 a b.
fn data(n: u32) -> String {
    let mut text = "a,b,y,z\n".to_owned();
    for i in 0..n {
        let [a, b] = [i % 2 == 0, i / 2 % 2 == 0].map(|up| if up { 0.9 } else { -0.9 });
        let label = u32::from(a == b);
        writeln!(text, "{a},{b},{label},{}", 3.0 * a * b).unwrap();
    }
    text
}

const KINDS: [&str; 3] = ["gp", "nt", "svt"];

type Options<'a> = &'a [(&'a str, &'a str)];

/// In place of a value, for an option that has none.
const GIVEN: &str = "given";

/// A call of a session, in which the last of repeated options counts; an option with the value "" is left out.
fn call<'a>(kind: &'a str, changes: Options<'a>) -> Vec<&'a str> {
    let mut options = vec![
        ("--label", "y"),
        ("--drop", "z"),
        ("--box", "-1:1"),
        ("--epsilon", "1000"),
        ("--lambda", "1/100"),
        ("--kernel", "polynomial=2,0"),
        ("--seed", "8"),
        ("--positive", "1"),
        ("--negative", "0"),
    ];
    if kind == "gp" {
        options.push(("--coordinates", "2"));
    } else {
        options.extend([("--queries", "5"), ("--norm-bound", "2")]);
    }
    if kind != "svt" {
        options.push(("--delta", "1e-6"));
    }
    for &(option, value) in changes {
        options.retain(|(name, _)| *name != option);
        options.push((option, value));
    }
    let mut words = vec!["answer", kind, "data.csv"];
    for (option, value) in options {
        match value {
            "" => {}
            GIVEN => words.push(option),
            _ => words.extend([option, value]),
        }
    }
    words
}

const NUMBERS: Options = &[
    ("--label", "z"),
    ("--drop", "y"),
    ("--positive", ""),
    ("--negative", ""),
    ("--label-box", "-4:4"),
    ("--loss", "huber=1/4"),
];

fn room() -> Room {
    Room::new().with("data.csv", &data(4000))
}

/// A session with its queries on standard input: status, what it printed, and what it said.
fn session(room: &Room, arguments: &[&str], queries: &str) -> (Option<i32>, String, String) {
    let mut child = start(room, arguments);
    // It may refuse before it reads.
    let _ = child.stdin.take().unwrap().write_all(queries.as_bytes());
    let output = child.wait_with_output().unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// The objects of answers, after the first one on the session.
fn answers(printed: &str) -> Vec<Value> {
    let mut all = printed.lines().map(json);
    assert!(all.next().unwrap()["session"].is_string(), "{printed}");
    all.collect()
}

/// A state with the contents of its lines changed, and the digests that it would have had.
fn rewritten(state: &str, change: impl Fn(usize, &mut Value)) -> String {
    let mut lines = state.lines();
    let mut last = lines.next().unwrap().to_owned();
    let mut all = format!("{last}\n");
    for (number, line) in (2..).zip(lines) {
        let mut content = json(&line[65..]);
        change(number, &mut content);
        let content = content.to_string();
        let hash = Sha256::digest(format!("{last}{content}"));
        last = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(all, "{last} {content}").unwrap();
    }
    all
}

fn start(room: &Room, arguments: &[&str]) -> Child {
    room.command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A session that is refused: nothing is printed, nothing changes, and what it said.
fn refused(room: &Room, kind: &str, changes: Options) -> String {
    let before = listing(room.directory.path());
    let (status, printed, said) = session(room, &call(kind, changes), "0.5,0.5\n");
    assert_eq!(
        (status, printed.as_str()),
        (Some(2), ""),
        "{changes:?}: {said}"
    );
    assert_eq!(listing(room.directory.path()), before, "{changes:?}");
    said
}

#[test]
fn sessions_answer_classes_and_numbers() {
    let room = room();
    for kind in KINDS {
        let queries = "0.9,0.9\n-0.9,0.9\n0.9,0.9\n";
        let (status, printed, said) = session(&room, &call(kind, &[]), queries);
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("all answers together are (1000, "), "{said}");
        assert!(said.contains("NOT private"), "{said}");
        let classes: Vec<&str> = printed
            .lines()
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        assert_eq!(classes, ["1", "0", "1"], "{kind}: {printed}");
        let numbers = [NUMBERS, &[("--format", "json")]].concat();
        let (status, printed, said) = session(&room, &call(kind, &numbers), queries);
        assert_eq!(status, Some(0), "{said}");
        for (answer, expected) in answers(&printed).iter().zip([2.43, -2.43, 2.43]) {
            let found = answer["value"].as_f64().unwrap();
            assert!((found - expected).abs() < 1.5, "{kind}: {printed}");
        }
        assert_eq!(printed.lines().count(), 4);
    }
}

#[test]
fn after_the_budget_no_query_is_answered() {
    let room = room();
    for kind in ["nt", "svt"] {
        let (status, printed, said) = session(&room, &call(kind, &[]), &"0.5,0.5\n".repeat(7));
        assert_eq!((status, printed.lines().count()), (Some(2), 5), "{said}");
        assert!(printed.contains("left: queries 0, "), "{printed}");
        assert!(
            said.contains("line 6 is refused, and costs nothing: ")
                && said.contains("it answers nothing more")
                && said.ends_with("error: 2 lines were refused\n"),
            "{said}"
        );
        // With its last update too.
        let few = [
            ("--updates", "1"),
            ("--norm-bound", "1/10"),
            ("--accept-noise", GIVEN),
        ];
        let queries = "0.9,0.9\n0.9,-0.9\n0,0\n";
        let (status, printed, _) = session(&room, &call(kind, &few), queries);
        assert_eq!((status, printed.lines().count()), (Some(2), 1), "{printed}");
        let left = "from the data; left: queries 0, answers from the data 0\n";
        assert!(printed.ends_with(left), "{printed}");
    }
    // A process goes on within its span, and says what that leaves out.
    let many = [("--format", "json"), ("--norm-bound", "10")];
    let queries = "0.9,0.9\n0.9,0.9\n-0.5,0.5\n0.9,0\n";
    let (status, printed, said) = session(&room, &call("gp", &many), queries);
    assert_eq!(status, Some(0), "{said}");
    let lines = answers(&printed);
    let left: Vec<u64> = lines
        .iter()
        .map(|line| line["left"]["coordinates"].as_u64().unwrap())
        .collect();
    assert_eq!(left, [1, 1, 0, 0]);
    let news: Vec<bool> = lines
        .iter()
        .map(|line| line["from_the_data"].as_bool().unwrap())
        .collect();
    assert_eq!(news, [true, false, true, false]);
    assert_eq!(lines[0]["value"], lines[1]["value"]);
    assert_eq!(lines[1]["off_by_up_to"], Value::Null);
    assert!(
        lines[3]["off_by_up_to"].as_f64().unwrap() > 1.0,
        "{printed}"
    );
}

#[test]
fn a_line_that_is_no_query_costs_nothing() {
    let room = room();
    for kind in KINDS {
        // Names in another order, and a column that is not looked at; blank lines; the last line without its end.
        let queries = "b,note,a\n\n0.9,x,-0.9\r\n0.1,x,2\n\"0.9\",\"x, y\",0.9";
        let json_lines = [("--format", "json")];
        let (status, printed, said) = session(&room, &call(kind, &json_lines), queries);
        assert_eq!(status, Some(2), "{said}");
        // A line for each query, also one that is refused.
        let lines = answers(&printed);
        let numbers: Vec<u64> = lines
            .iter()
            .map(|line| line["line"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, [3, 4, 5]);
        assert_eq!(
            (&lines[0]["class"], &lines[2]["class"]),
            (&"0".into(), &"1".into())
        );
        let refused = lines[1]["refused"].as_str().unwrap();
        assert!(refused.contains("column 'a'"), "{refused}");
        let expected = "warning: line 4 is refused, and costs nothing: column 'a' is '2': outside its public interval -1:1 \
                        (--clip clips onto it)\n";
        assert!(said.contains(expected), "{said}");
        let names = "line 1 is read as the names of the columns\n";
        assert!(said.contains(names), "{said}");
        // It reads as svt does, and its plan takes longest.
        if kind == "nt" && !nightly::at_night() {
            continue;
        }
        for (wrong, part) in [
            (
                "0.5",
                "nothing: it has 1 field, where a query has 2 fields; what separates them is ','",
            ),
            ("0.5,0.5,1", "it has 3 fields, where"),
            (
                "0.5,NaN",
                "column 'b' is 'NaN': it is empty, or looks like a mark for a missing value",
            ),
            ("0.5,", "column 'b' is '': it is empty"),
            ("b,x", "column 'a' is 'b': must be"),
            ("\"0.5,0.5", "nothing: a quote is opened and never closed"),
            ("0.5;0.5", "1 field,"),
            ("1e400,0", "column 'a' is '1e400': outside"),
        ] {
            let queries = format!("0,0\n{wrong}\n0.9,0.9\n");
            let (status, printed, said) = session(&room, &call(kind, &[]), &queries);
            assert_eq!(
                (status, printed.lines().count()),
                (Some(2), 2),
                "{wrong}: {said}"
            );
            assert!(
                said.contains("line 2 is refused") && said.contains(part),
                "{wrong}: {said}"
            );
            let left = if kind == "gp" {
                "left: coordinates 1\n"
            } else {
                "left: queries 3,"
            };
            assert!(printed.contains(left), "{wrong}: {printed}");
        }
    }
    // Bytes that are no text.
    let mut child = start(&room, &call("nt", &[]));
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"\xff\xfe,0\n0.5,0.5\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    // Clipped, and said.
    let mut clipping = call("nt", &[]);
    clipping.push("--clip");
    let (status, printed, _) = session(&room, &clipping, "5,5\n");
    assert_eq!(status, Some(0));
    assert!(printed.contains("for the query clipped"), "{printed}");
}

/// What a session prints on these queries, in several runs with one state.
fn in_parts(room: &Room, arguments: &[&str], parts: &[&str]) -> String {
    let mut all = String::new();
    for part in parts {
        let (status, printed, said) = session(room, arguments, part);
        assert_eq!(status, Some(0), "{arguments:?}: {said}");
        all.push_str(&printed);
    }
    all
}

#[test]
fn a_session_that_is_stopped_goes_on_as_an_unbroken_one() {
    let room = room();
    let parts = [
        "0.9,0.9\n-0.9,0.9\n",
        "0.9,0.9\n",
        "",
        "0.3,-0.2\n-0.9,-0.9\n",
    ];
    for kind in KINDS {
        for numbers in [&[][..], NUMBERS] {
            // By day once with nt, whose plan takes longest.
            if kind == "nt" && !numbers.is_empty() && !nightly::at_night() {
                continue;
            }
            let name = format!("{kind}{}", numbers.len());
            let state = [numbers, &[("--state", name.as_str())]].concat();
            let unbroken = in_parts(&room, &call(kind, numbers), &[&parts.concat()]);
            let found = in_parts(&room, &call(kind, &state), &parts);
            assert_eq!(found, unbroken, "{kind}");
            assert!(found.contains("from the data"), "{found}");
            let lines = fs::read_to_string(room.path(&name)).unwrap();
            // The format, the opening, and each answer; of a process those with news.
            let kept = if kind == "gp" { 2 } else { 5 };
            assert_eq!(lines.lines().count(), 2 + kept, "{kind}");
            assert!(lines.contains("PRIVATE"));
            // That a line can be written does not depend on what was drawn.
            let beyond = |line: &str| line.len() - line.find("\"told\"").unwrap();
            assert!(
                lines.lines().skip(2).all(|line| beyond(line) == 108),
                "{lines}"
            );
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let found = fs::metadata(room.path(&name)).unwrap();
                assert_eq!(found.permissions().mode() & 0o777, 0o600);
            }
            let (status, printed, said) = session(&room, &call(kind, &state), "0.1,0.2\n");
            if kind == "gp" {
                assert!(printed.contains("left: coordinates 0"), "{printed}");
            } else {
                assert_eq!((status, printed.as_str()), (Some(2), ""), "{said}");
                let ended = "the session has ended, and answers nothing more; left: queries 0,";
                assert!(said.contains(ended), "{said}");
                assert!(said.contains("line 1 is refused"), "{said}");
            }
        }
    }
}

#[test]
fn an_answer_is_on_the_disk_before_it_is_printed_and_the_state_is_locked() {
    let room = room();
    for kind in KINDS {
        let state = [("--state", kind)];
        let mut child = start(&room, &call(kind, &state));
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        input.write_all(b"0.9,0.9\n").unwrap();
        let mut first = String::new();
        // The end of the input is not waited for.
        output.read_line(&mut first).unwrap();
        let lines = fs::read_to_string(room.path(kind)).unwrap();
        assert_eq!(lines.lines().count(), 3, "{kind}");
        // Another session cannot have it meanwhile.
        let said = refused(&room, kind, &state);
        assert!(said.contains("another session uses it"), "{said}");
        // One that is killed has spent what it told.
        child.kill().unwrap();
        child.wait().unwrap();
        let (status, printed, said) = session(&room, &call(kind, &state), "-0.9,0.9\n");
        assert_eq!(status, Some(0), "{said}");
        let left = if kind == "gp" {
            "left: coordinates 0\n"
        } else {
            "left: queries 3,"
        };
        assert!(printed.contains(left), "{printed}");
        assert!(said.contains("the session goes on; left: "), "{said}");
        // What was told last may not have been seen.
        let (answer, _) = first.split_once(';').unwrap();
        let last = format!("the last answer that was kept was {answer}\n");
        assert!(said.contains(&last), "{last}{said}");
    }
}

#[test]
fn a_session_goes_on_with_the_minimiser_and_the_threshold_of_its_file() {
    let room = room();
    let state = [("--state", "state")];
    for kind in KINDS {
        let arguments = call(kind, &state);
        in_parts(&room, &arguments, &["0.9,0.9\n"]);
        let path = room.path("state");
        let kept = fs::read_to_string(&path).unwrap();
        let goes_on = |change: &dyn Fn(&mut Value)| {
            let changed = rewritten(&kept, |number, content| {
                if number == 2 {
                    change(content);
                }
            });
            fs::write(&path, changed).unwrap();
            in_parts(&room, &arguments, &["0.9,-0.9\n"])
        };
        let unchanged = goes_on(&|_| {});
        assert!(unchanged.contains("from the data"), "{unchanged}");
        // Another minimiser: 0.
        let zero = goes_on(&|opening| opening["fit"] = Value::Array(Vec::new()));
        assert_ne!(zero, unchanged, "{kind}");
        // A threshold that nothing reaches.
        if kind == "svt" {
            let high = "9".repeat(30);
            let quiet = goes_on(&|opening| opening["threshold"] = high.as_str().into());
            assert!(quiet.contains("from the public model"), "{quiet}");
        }
        // Another version might go on otherwise.
        let other = rewritten(&kept, |number, content| {
            if number == 2 {
                content["software"] = "dp-assay 99.0.0".into();
            }
        });
        fs::write(&path, other).unwrap();
        let said = refused(&room, kind, &state);
        assert!(said.contains("only that version goes on with it"), "{said}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn the_state_of_something_else_is_refused() {
    let room = room().with("few.csv", &data(400));
    for kind in KINDS {
        // What it is refused for is what svt is refused for, and its plan takes longest.
        if kind == "nt" && !nightly::at_night() {
            continue;
        }
        let state = ("--state", "state");
        in_parts(&room, &call(kind, &[state]), &["0.9,0.9\n-0.9,0.9\n"]);
        let mut changes = vec![(("--epsilon", "2"), "another --epsilon: 1000, not 2")];
        // The same for all; this one is planned fastest.
        if kind == "gp" {
            changes.extend([
                (("--coordinates", "3"), "another --coordinates: 2, not 3"),
                (("--lambda", "1/10"), "another --lambda"),
                (("--kernel", "gaussian=1"), "another --kernel"),
                (("--loss", "logistic"), "another --loss"),
                (("--seed", ""), "another --seed: 8, not none"),
                (("--box", "-2:2"), "other columns"),
                (
                    ("--positive", "0"),
                    "other columns, intervals, categories or labels",
                ),
                (("--held-out", "1/5"), "no record may be one"),
                (("--grid-bits", "10"), "other columns"),
            ]);
        } else {
            changes.extend([
                (("--queries", "6"), "another --queries: 5, not 6"),
                (("--beta", "1/5"), "another --beta"),
                (("--updates", "4"), "another --updates"),
                (("--norm-bound", "3"), "another --norm-bound: 2, not 3"),
            ]);
        }
        if kind != "svt" {
            changes.push((("--delta", "1e-7"), "another --delta"));
        }
        for (change, part) in changes {
            // The classes must differ.
            let other = match change.0 {
                "--positive" => vec![state, change, ("--negative", "1")],
                // Some would say nothing.
                _ => vec![state, change, ("--accept-noise", GIVEN)],
            };
            let said = refused(&room, kind, &other);
            assert!(said.contains(part), "{kind}: {said}");
        }
        // One record differs.
        let original = fs::read_to_string(room.path("data.csv")).unwrap();
        let turned = original.replacen("0.9,0.9,1", "0.9,0.9,0", 1);
        fs::write(room.path("data.csv"), turned).unwrap();
        let said = refused(&room, kind, &[state]);
        assert!(said.contains("other records"), "{said}");
        // One record less: the numbers of the plan differ too.
        let (fewer, _) = original.trim_end().rsplit_once('\n').unwrap();
        fs::write(room.path("data.csv"), format!("{fewer}\n")).unwrap();
        let said = refused(&room, kind, &[state]);
        let part = "another number of records: 4000, not 3999";
        assert!(said.contains(part), "{said}");
        fs::write(room.path("data.csv"), original).unwrap();
        // Other files.
        let whole = fs::read_to_string(room.path("state")).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let opening = format!("{}\n{}", lines[0], lines[1]);
        let of = |lines: &[&str]| format!("{}\n", lines.join("\n"));
        let format = whole.replacen("session-2", "session-1", 1);
        let changed = |number, key: &'static str, value: Value| {
            rewritten(&whole, move |line, content| {
                if line == number {
                    content[key] = value.clone();
                }
            })
        };
        let algorithm = changed(2, "algorithm", "other".into());
        let damaged = changed(3, "quer", "".into());
        let long = changed(4, "told", "9".repeat(99).into());
        let steps = if kind == "svt" { 99 } else { 1 };
        let threshold = changed(2, "threshold", "9".repeat(steps).into());
        let quiet = changed(4, "told", Value::Null);
        let altered = "is not what the session wrote there";
        let mut files = vec![
            (&whole[..whole.len() - 4], "line 4 is not whole"),
            (&whole[..whole.len() - 1], "line 4 is not whole"),
            (&opening, "line 2 is not whole"),
            (&opening[..100], "line 2 is not whole"),
            (&whole[1..], "no session's state, or one of another version"),
            ("", "it is empty"),
            ("a,b\n1,2\n", "its first line must be dp-assay-session-2"),
            (&format, "its first line must be dp-assay-session-2"),
            ("dp-assay-session-2\n", "it has its first line only"),
            ("dp-assay-session-2\n\n", "line 2 is no line"),
            (&algorithm, "it is of a session other, not"),
            (&damaged, "line 3 is no line"),
            (
                &long,
                "line 4 has a number of 99 letters, where a session's have at most 98",
            ),
        ];
        // Answers that were removed, moved and altered.
        let edits = [
            of(&[lines[0], lines[1], lines[3]]),
            of(&[lines[0], lines[1], lines[3], lines[2]]),
            whole.replacen("\"told\":\"", "\"told\":\"1", 1),
            whole.replacen("PRIVATE", "private", 1),
        ];
        files.extend(edits.iter().map(|text| (text.as_str(), altered)));
        let part = match kind {
            "svt" => "line 2 has a number of 99 letters",
            _ => "it has a hidden threshold, and only svt has one",
        };
        files.push((&threshold, part));
        if kind == "gp" {
            files.push((&quiet, "it has an answer of a public model"));
        }
        for (text, part) in files {
            fs::write(room.path("state"), text).unwrap();
            let said = refused(&room, kind, &[state]);
            assert!(said.contains(part), "{kind}: {part}: {said}");
        }
        // More answers than the session may give.
        let again = format!("{}\n", lines[2]).repeat(4);
        let many = rewritten(&format!("{whole}{again}"), |_, _| {});
        fs::write(room.path("state"), many).unwrap();
        let said = refused(&room, kind, &[state]);
        let part = if kind == "gp" {
            "answer 2 is not one of this session"
        } else {
            "it answers nothing more"
        };
        assert!(said.contains(part), "{said}");
        fs::remove_file(room.path("state")).unwrap();
    }
    let nt = [("--state", "state")];
    in_parts(&room, &call("nt", &nt), &["0.9,0.9\n"]);
    let said = refused(&room, "svt", &nt);
    assert!(said.contains("it is of a session nt, not svt"), "{said}");
}

#[test]
fn a_session_with_a_matrix_is_refused_with_another() {
    let mut records = "k,y\n".to_owned();
    for i in 0..1000 {
        records.push_str(["left,1\n", "right,0\n"][i % 2]);
    }
    let room = Room::new()
        .with("data.csv", &records)
        .with("matrix.csv", "1,0\n0,1\n");
    let changes = [
        ("--drop", ""),
        ("--box", ""),
        ("--category", "k=left,right"),
        ("--kernel", "matrix=matrix.csv"),
        ("--state", "state"),
        ("--accept-noise", GIVEN),
    ];
    for kind in KINDS {
        let arguments = call(kind, &changes);
        let (status, printed, said) = session(&room, &arguments, "left\nright\nmiddle\n");
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("must be one of left, right"), "{said}");
        let classes: Vec<&str> = printed.lines().map(|line| &line[..1]).collect();
        assert_eq!(classes, ["1", "0"], "{kind}: {printed}");
        // Of the same bound, as the numbers of the plan are.
        fs::write(room.path("matrix.csv"), "1,1/2\n1/2,1\n").unwrap();
        let said = refused(&room, kind, &changes);
        assert!(said.contains("another matrix"), "{said}");
        fs::write(room.path("matrix.csv"), "1,0\n0,1\n").unwrap();
        fs::remove_file(room.path("state")).unwrap();
    }
}

#[test]
fn a_state_that_cannot_be_written_tells_nothing() {
    let room = room();
    fs::create_dir(room.path("folder")).unwrap();
    for (path, part) in [
        ("folder", "a regular file"),
        ("nowhere/state", "nowhere/state"),
        ("data.csv", "it is no session's state"),
        ("-", "- is none: write ./-"),
    ] {
        let said = refused(&room, "nt", &[("--state", path)]);
        assert!(said.contains(part), "{said}");
    }
    // A file that may grow to so many blocks of 512 bytes only.
    #[cfg(unix)]
    {
        let arguments = call("nt", &[("--state", "state"), ("--queries", "50")]);
        let limited = |blocks: u64| {
            let mut shell = std::process::Command::new("sh");
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
            shell
                .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_assay")])
                .args(&arguments)
                .current_dir(room.directory.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let mut child = shell.spawn().unwrap();
            let queries = "0.9,0.9\n".repeat(50);
            let _ = child.stdin.take().unwrap().write_all(queries.as_bytes());
            child.wait_with_output().unwrap()
        };
        let output = limited(1);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        // The data and a folder: nothing is left.
        assert_eq!(listing(room.directory.path()).len(), 2);
        in_parts(&room, &arguments, &["0.9,0.9\n"]);
        let length = fs::metadata(room.path("state")).unwrap().len();
        // Some shells count blocks of 1024 bytes.
        let output = limited(length / 512 + 1);
        let answers = text(&output.stdout).lines().count();
        let lines = fs::read_to_string(room.path("state")).unwrap();
        assert!(lines.ends_with('\n'));
        assert_eq!(lines.lines().count(), 3 + answers);
        assert!(answers < 49, "{answers}");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("cannot write state"));
        let found = in_parts(&room, &arguments, &["0.9,0.9\n"]);
        assert!(found.contains(&format!("left: queries {},", 48 - answers)));
    }
}

#[test]
fn what_no_session_is_for_is_refused() {
    let room = room();
    for kind in KINDS {
        for (change, part) in [
            (("--lambda", "0"), "above 0"),
            (("--lambda", "-1"), "above 0"),
            (("--epsilon", "0"), "above 0"),
            (("--norm-bound", "0"), "above 0"),
            (("--norm-bound", "-1"), "above 0"),
            (("--kernel", "fourier=5,1/2"), "take gaussian=1/2 itself"),
            (("--kernel", "polynomial=2,200"), "at most 2^14"),
            (("--loss", "squared"), "--label-box LO:HI is missing"),
            (("--positive", "2"), "line 2"),
        ] {
            let said = refused(&room, kind, &[change]);
            assert!(said.contains(part), "{kind}: {said}");
        }
    }
    for kind in ["gp", "nt"] {
        let said = refused(&room, kind, &[("--delta", "0")]);
        let part = "for delta = 0 take the session svt";
        assert!(
            said.contains("'--delta <D>'") && said.contains(part),
            "{said}"
        );
        let said = refused(&room, kind, &[("--delta", "0.9")]);
        assert!(said.contains("at most 1/2"), "{said}");
    }
    let said = refused(&room, "svt", &[("--delta", "1e-6")]);
    assert!(said.contains("svt is purely private"), "{said}");
    for kind in ["nt", "svt"] {
        for (option, value) in [
            ("--queries", "0"),
            ("--queries", "1e13"),
            ("--updates", "0"),
            ("--updates", "6"),
            ("--beta", "1"),
        ] {
            let said = refused(&room, kind, &[(option, value)]);
            assert!(said.contains(option), "{said}");
        }
    }
    for value in ["0", "4097"] {
        let said = refused(&room, "gp", &[("--coordinates", value)]);
        assert!(said.contains("from 1 to 4096"), "{said}");
    }
}

#[test]
fn a_session_whose_answers_say_nothing_is_refused() {
    let room = Room::new().with("data.csv", &data(40));
    for kind in KINDS {
        let noisy = [("--epsilon", "1/10"), ("--seed", ""), ("--state", "state")];
        let said = refused(&room, kind, &noisy);
        for part in [
            "NOTHING",
            "; nothing was spent. More records, a larger --lambda or --epsilon",
            "(--accept-noise answers all the same)",
        ] {
            assert!(said.contains(part), "{kind}: {said}");
        }
        assert!(!said.contains("NOT private"), "{kind}: {said}");
        let accepted = [&noisy[..2], &[("--accept-noise", GIVEN)]].concat();
        let (status, printed, said) = session(&room, &call(kind, &accepted), "0.9,0.9\n");
        assert_eq!((status, printed.lines().count()), (Some(0), 1), "{said}");
        assert!(said.contains("warning: ") && said.contains("NOTHING"));
        // So much noise leaves no decimals.
        let (value, _) = printed.split_once(", from ").unwrap();
        if kind == "gp" {
            assert!(!value.contains('.'), "{value}");
        }
    }
}

#[test]
fn a_session_with_pairs_of_very_many_records_is_refused_before_the_work() {
    let room = room();
    for kind in KINDS {
        let few = [("--limit", "15999999"), ("--accept-noise", GIVEN)];
        let said = refused(&room, kind, &few);
        let part = "4000 records with --kernel polynomial=2,0, some 1.6e7 steps, about 1 s: more than --limit 15999999";
        assert!(said.contains(part), "{kind}: {said}");
        let enough = [("--limit", "16000000"), ("--accept-noise", GIVEN)];
        let (status, _, said) = session(&room, &call(kind, &enough), "");
        assert_eq!(status, Some(0), "{said}");
    }
}

#[test]
fn names_that_are_not_those_of_the_columns_stop_the_session() {
    let room = room();
    for (first, part) in [
        ("aa,b", "'aa' is no column of the data; 'a' is missing"),
        ("b", "'a' is missing"),
        ("a,b,b", "'b' is there twice"),
        ("A,b", "'A' is no column of the data; 'a' is missing"),
        (
            "B,A",
            "'B', 'A' are no columns of the data; 'a', 'b' are missing",
        ),
    ] {
        let state = [("--state", "state")];
        let queries = format!("\n{first}\n0.9,0.9\n");
        let (status, printed, said) = session(&room, &call("gp", &state), &queries);
        assert_eq!((status, printed.as_str()), (Some(2), ""), "{said}");
        let expected = format!("error: line 2 looks like names: {part}; no query was read\n");
        assert!(said.ends_with(&expected), "{said}");
        let kept = fs::read_to_string(room.path("state")).unwrap();
        assert_eq!(kept.lines().count(), 2);
        fs::remove_file(room.path("state")).unwrap();
    }
    // A first line without a name is a query, a wrong one here, and later lines have no names.
    let (status, printed, said) = session(&room, &call("gp", &[]), "x,y\na,b\n0.9,0.9\n");
    assert_eq!((status, printed.lines().count()), (Some(2), 1), "{said}");
    assert!(said.ends_with("error: 2 lines were refused\n"), "{said}");
    // Names that are numbers: only where the line has all of them, which is said.
    let numbers = data(4000).replacen("a,b", "1,-1", 1);
    let room = Room::new().with("data.csv", &numbers);
    let arguments = call("gp", &[("--numeric-names", GIVEN)]);
    let names = "line 1 is read as the names of the columns";
    let (status, printed, said) = session(&room, &arguments, "-1,1\n0.9,0.9\n");
    assert_eq!((status, printed.lines().count()), (Some(0), 1), "{said}");
    assert!(said.contains(names), "{said}");
    let (status, printed, said) = session(&room, &arguments, "1,0.9\n0.9,0.9\n");
    assert_eq!((status, printed.lines().count()), (Some(0), 2), "{said}");
    assert!(!said.contains(names), "{said}");
}

#[test]
fn the_first_object_says_what_the_session_is() {
    let room = room();
    for kind in KINDS {
        let changes = [("--format", "json"), ("--state", kind)];
        let arguments = call(kind, &changes);
        let (status, printed, said) = session(&room, &arguments, "0.9,0.9\n-0.9,0.9\n");
        assert_eq!(status, Some(0), "{said}");
        let lines: Vec<Value> = printed.lines().map(json).collect();
        let opening = &lines[0];
        let privacy = &opening["privacy"];
        assert_eq!(opening["session"], kind);
        assert_eq!(privacy["epsilon"], "1000");
        let delta = if kind == "svt" { "0" } else { "1/1000000" };
        assert_eq!(privacy["delta"], delta);
        assert!(
            privacy["neighbours"]
                .as_str()
                .unwrap()
                .contains("substitution")
        );
        assert!(privacy["coins"].as_str().unwrap().contains("NOT private"));
        assert_eq!(opening["goes_on"], false);
        assert_eq!(opening["last_answer"], Value::Null);
        if kind == "gp" {
            assert!(opening["noise"].as_f64().unwrap() > 0.0);
            assert_eq!(opening["error_at_most"], Value::Null);
            assert_eq!(opening["left"]["coordinates"], 2);
        } else {
            assert_eq!(opening["noise"], Value::Null);
            assert!(opening["error_at_most"].as_f64().unwrap() > 0.0);
            assert_eq!(opening["error_probability"], 0.1);
            assert_eq!(opening["left"]["queries"], 5);
        }
        // Started again: what was told last, and what is left.
        let (_, printed, _) = session(&room, &arguments, "");
        let again = json(&printed);
        assert_eq!(again["goes_on"], true);
        assert_eq!(again["left"], lines[2]["left"]);
        for key in ["value", "class", "from_the_data", "off_by_up_to"] {
            let (found, told) = (&again["last_answer"][key], &lines[2][key]);
            match (found.as_f64(), told.as_f64()) {
                // The span is computed again, with roundings.
                (Some(found), Some(told)) => assert!((found - told).abs() < 1e-6, "{kind}"),
                _ => assert_eq!(found, told, "{kind}: {key}"),
            }
        }
    }
}

#[test]
fn no_more_answers_from_the_data_are_asked_for_than_answers() {
    let room = room();
    for kind in ["nt", "svt"] {
        let said = refused(&room, kind, &[("--updates", "6")]);
        let part = "--updates 6: at most --queries, here 5 (without it";
        assert!(said.contains(part), "{said}");
        // More are planned for where that has a better bound, and never given.
        let printed = |changes: Options| {
            let json_lines = [("--format", "json"), ("--accept-noise", GIVEN)];
            let changes = [&json_lines, changes].concat();
            let (status, printed, said) = session(&room, &call(kind, &changes), "");
            assert_eq!(status, Some(0), "{said}");
            json(&printed)
        };
        let (planned, five) = (printed(&[]), printed(&[("--updates", "5")]));
        let error = |opening: &Value| opening["error_at_most"].as_f64().unwrap();
        assert!(error(&planned) < error(&five), "{planned} {five}");
        assert_eq!(planned["left"], five["left"]);
        assert_eq!(five["left"]["answers_from_the_data"], 5);
    }
}

#[test]
fn queries_do_not_come_from_the_records() {
    let room = room();
    let mut arguments = call("gp", &[]);
    #[cfg(target_os = "linux")]
    for stdin in ["/dev/stdin", "data.csv"] {
        arguments[2] = stdin;
        let output = room
            .command(&arguments)
            .stdin(fs::File::open(room.path("data.csv")).unwrap())
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(output.stdout.is_empty());
        let expected = format!("error: {stdin}: standard input is this file too");
        assert!(said.starts_with(&expected), "{said}");
    }
    // Of a pipe too.
    #[cfg(target_os = "linux")]
    {
        arguments[2] = "/dev/stdin";
        let (status, _, said) = session(&room, &arguments, &data(10));
        assert_eq!(status, Some(2));
        assert!(said.contains("standard input is this file too"), "{said}");
    }
}

/// A running session that has answered once.
struct Once {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

fn once(room: &Room, kind: &str) -> Once {
    let mut child = start(room, &call(kind, &[("--state", "state")]));
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(b"0.9,0.9\n").unwrap();
    output.read_line(&mut String::new()).unwrap();
    Once {
        child,
        input,
        output,
    }
}

#[test]
fn a_session_whose_state_is_lost_stops_before_it_draws() {
    let room = room();
    let path = room.path("state");
    type Loss<'a> = (&'a dyn Fn(), &'a str);
    let losses: [Loss; 4] = [
        (&|| fs::remove_file(&path).unwrap(), "removed or replaced"),
        (
            &|| fs::rename(&path, room.path("elsewhere")).unwrap(),
            "removed or replaced",
        ),
        (
            &|| {
                // The same text, in another file.
                fs::copy(&path, room.path("copy")).unwrap();
                fs::rename(room.path("copy"), &path).unwrap();
            },
            "removed or replaced",
        ),
        (&|| fs::write(&path, "").unwrap(), "changed"),
    ];
    for (kind, (lose, part)) in KINDS.iter().cycle().zip(losses) {
        let mut running = once(&room, kind);
        lose();
        let before = listing(room.directory.path());
        running.input.write_all(b"-0.9,0.9\n").unwrap();
        drop(running.input);
        let mut rest = String::new();
        running.output.read_to_string(&mut rest).unwrap();
        let output = running.child.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(
            (output.status.code(), rest.as_str()),
            (Some(2), ""),
            "{said}"
        );
        let expected = format!("error: state: it was {part} while the session ran");
        assert!(said.contains(&expected), "{said}");
        assert_eq!(listing(room.directory.path()), before);
        let _ = fs::remove_file(&path);
    }
}

#[test]
fn a_state_that_is_too_large_is_not_read() {
    let room = room().with("state", "dp-assay-session-2\n");
    let file = fs::File::options().append(true).open(room.path("state"));
    file.unwrap().set_len((1 << 28) + 1).unwrap();
    let (status, printed, said) = session(&room, &call("gp", &[("--state", "state")]), "0,0\n");
    assert_eq!((status, printed.as_str()), (Some(2), ""));
    assert!(
        said.contains("a state has at most 268435456 bytes"),
        "{said}"
    );
}

#[test]
fn the_help_says_how_sessions_differ() {
    let room = Room::new();
    let help = room.prints(&["answer", "--help"]);
    for part in [
        "The session to take",
        "(epsilon, delta)-private by Theorem A",
        "purely private, (epsilon, 0)",
    ] {
        assert!(help.contains(part), "{help}");
    }
    for kind in KINDS {
        let help = room.prints(&["answer", kind, "--help"]);
        assert!(help.contains("An older copy that is put back"), "{help}");
    }
}
