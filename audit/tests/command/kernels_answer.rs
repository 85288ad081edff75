//! Sessions: `assay answer`.

use super::{Room, json, listing, text};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, Stdio};

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
        if !value.is_empty() {
            words.extend([option, value]);
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
        for (line, expected) in printed.lines().zip([2.43, -2.43, 2.43]) {
            let found = json(line)["value"].as_f64().unwrap();
            assert!((found - expected).abs() < 1.5, "{kind}: {printed}");
        }
        assert_eq!(printed.lines().count(), 3);
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
        let few = [("--updates", "1"), ("--norm-bound", "1/10")];
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
    let lines: Vec<Value> = printed.lines().map(json).collect();
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
        let lines: Vec<Value> = printed.lines().map(json).collect();
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
        let expected = "warning: line 4 is refused, and costs nothing: standard input, line 4, column 'a': outside its \
                        public interval -1:1 (--clip clips onto it)";
        assert!(said.contains(expected), "{said}");
        for (wrong, part) in [
            ("0.5", "1 fields, where the header has 2"),
            ("0.5,0.5,1", "3 fields"),
            ("0.5,NaN", "column 'b'"),
            ("0.5,", "column 'b'"),
            ("b,x", "column 'a'"),
            ("\"0.5,0.5", "a quote is opened and never closed"),
            ("0.5;0.5", "1 fields"),
            ("1e400,0", "column 'a'"),
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
            let name = format!("{kind}{}", numbers.len());
            let state = [numbers, &[("--state", name.as_str())]].concat();
            let unbroken = in_parts(&room, &call(kind, numbers), &[&parts.concat()]);
            let found = in_parts(&room, &call(kind, &state), &parts);
            assert_eq!(found, unbroken, "{kind}");
            assert!(found.contains("from the data"), "{found}");
            let lines = fs::read_to_string(room.path(&name)).unwrap();
            // The opening, and each answer; of a process those with news.
            let kept = if kind == "gp" { 2 } else { 5 };
            assert_eq!(lines.lines().count(), 1 + kept, "{kind}");
            assert!(lines.contains("PRIVATE"));
            // That a line can be written does not depend on what was drawn.
            let beyond = |line: &str| line.len() - line.find("\"told\"").unwrap();
            assert!(
                lines.lines().skip(1).all(|line| beyond(line) == 108),
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
                assert!(said.contains("left: queries 0") && said.contains("nothing more"));
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
        assert_eq!(lines.lines().count(), 2, "{kind}");
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
        assert!(said.contains("the session goes on: left: "), "{said}");
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
            let (first, rest) = kept.split_once('\n').unwrap();
            let mut opening = json(first);
            change(&mut opening);
            fs::write(&path, format!("{opening}\n{rest}")).unwrap();
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
        fs::write(&path, kept.replacen("\"dp-assay ", "\"dp-assay 9", 1)).unwrap();
        let said = refused(&room, kind, &state);
        assert!(said.contains("only that version goes on with it"), "{said}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn the_state_of_something_else_is_refused() {
    let room = room().with("few.csv", &data(400));
    for kind in KINDS {
        let state = ("--state", "state");
        in_parts(&room, &call(kind, &[state]), &["0.9,0.9\n-0.9,0.9\n"]);
        let mut changes = vec![(("--epsilon", "2"), "another epsilon: 1000, not 2")];
        // The same for all, of which this one is planned fastest.
        if kind == "gp" {
            changes.extend([
                (("--coordinates", "3"), "another coordinates: 2, not 3"),
                (("--lambda", "1/10"), "another lambda"),
                (("--kernel", "gaussian=1"), "another kernel"),
                (("--loss", "logistic"), "another loss"),
                (("--seed", ""), "another seed: 8, not none"),
                (("--box", "-2:2"), "other columns"),
                (
                    ("--positive", "0"),
                    "other columns, intervals, categories or labels",
                ),
                (("--holdout", "1/5"), "no record may be one"),
                (("--grid-bits", "10"), "other columns"),
            ]);
        } else {
            changes.extend([
                (("--queries", "6"), "another queries: 5, not 6"),
                (("--beta", "1/5"), "another beta"),
                (("--updates", "7"), "another updates"),
                (("--norm-bound", "3"), "another norm-bound: 2, not 3"),
            ]);
        }
        if kind != "svt" {
            changes.push((("--delta", "1e-7"), "another delta"));
        }
        for (change, part) in changes {
            // The classes must differ.
            let other = match change.0 {
                "--positive" => vec![state, change, ("--negative", "1")],
                _ => vec![state, change],
            };
            let said = refused(&room, kind, &other);
            assert!(said.contains(part), "{kind}: {said}");
        }
        // Records of which one differs.
        let original = fs::read_to_string(room.path("data.csv")).unwrap();
        let turned = original.replacen("0.9,0.9,1", "0.9,0.9,0", 1);
        fs::write(room.path("data.csv"), turned).unwrap();
        let said = refused(&room, kind, &[state]);
        assert!(said.contains("other records"), "{said}");
        fs::write(room.path("data.csv"), original).unwrap();
        // Other files.
        let whole = fs::read_to_string(room.path("state")).unwrap();
        let first = whole.lines().next().unwrap();
        let format = whole.replace("session-1", "session-0");
        let algorithm = whole.replacen(&format!("\"{kind}\""), "\"other\"", 1);
        let damaged = whole.replacen("\"query\"", "\"quer\"", 1);
        let more = format!("{whole}{{}}\n");
        let files = [
            (&whole[..whole.len() - 4], "line 3 is not whole"),
            (&whole[..whole.len() - 1], "line 3 is not whole"),
            (first, "line 1 is not whole"),
            (&first[..100], "line 1 is not whole"),
            (&whole[1..], "line 1 is no line of a session's state"),
            ("", "it is empty"),
            ("a,b\n1,2\n", "line 1 is no line"),
            (&format, "its format must be"),
            (&algorithm, "it is of a session other, not"),
            (&damaged, "line 2 is no line"),
            (&more, "line 4 is no line"),
        ];
        for (text, part) in &files[if kind == "gp" { 0 } else { 10 }..] {
            fs::write(room.path("state"), text).unwrap();
            let said = refused(&room, kind, &[state]);
            assert!(said.contains(part), "{said}");
        }
        // More answers than the session may give.
        let line = whole.lines().nth(1).unwrap();
        let long = format!("{whole}{}", format!("{line}\n").repeat(4));
        fs::write(room.path("state"), long).unwrap();
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
        ("data.csv", "line 1 is no line of a session's state"),
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
        assert!(output.stdout.is_empty() && !room.path("state").exists());
        in_parts(&room, &arguments, &["0.9,0.9\n"]);
        let length = fs::metadata(room.path("state")).unwrap().len();
        // Some shells count blocks of 1024 bytes.
        let output = limited(length / 512 + 1);
        let answers = text(&output.stdout).lines().count();
        let lines = fs::read_to_string(room.path("state")).unwrap();
        assert!(lines.ends_with('\n'));
        assert_eq!(lines.lines().count(), 2 + answers);
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
fn a_session_says_when_its_answers_say_nothing() {
    let room = Room::new().with("data.csv", &data(40));
    for kind in KINDS {
        let arguments = call(kind, &[("--epsilon", "1/10"), ("--seed", "")]);
        let (status, _, said) = session(&room, &arguments, "0.9,0.9\n");
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("NOTHING"), "{kind}: {said}");
        assert!(!said.contains("NOT private"), "{kind}: {said}");
    }
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
