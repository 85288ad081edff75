//! The adapters and examples in `targets/`, by the programs that run them: where one is missing, this is
//! said and its part is not tested.

#[allow(dead_code)] // of it the tests serve nothing
#[path = "../targets/rust/adapter.rs"]
mod adapter;
mod programs;

use dp_assay::number::rational::integer;
use dp_assay_audit::events::learn_event;
use dp_assay_audit::targets::{
    Analyst, Output, Reply, Settings, Strategy, Subprocess, Target, TargetError, check_repeats,
};
use programs::{is_here, python_is_here, words};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use tempfile::TempDir;

fn target(program: &str, file: &str, reply: Reply) -> Option<Subprocess> {
    if !is_here(program, file) {
        return None;
    }
    let path = format!("{}/targets/{file}", env!("CARGO_MANIFEST_DIR"));
    let settings = Settings {
        reply,
        ..Settings::default()
    };
    let command = [words(program), vec![path.into()]].concat();
    Some(Subprocess::start(&command, settings).unwrap())
}

fn sample(target: &mut Subprocess, data: &Value, n: usize) -> Vec<Output> {
    let outputs = target.sample(data, n).unwrap().outputs;
    assert_eq!(outputs.len(), n);
    outputs
}

#[test]
fn the_python_examples_answer() {
    for file in ["laplace_wrong_scale.py", "laplace_right_scale.py"] {
        let file = format!("python/examples/{file}");
        let Some(mut python) = target("python3", &file, Reply::Lines) else {
            return;
        };
        let outputs = sample(&mut python, &json!([0, 1]), 1000);
        assert!(
            outputs
                .iter()
                .all(|output| matches!(output, Output::Integer(_)))
        );
        // An exception is an output.
        let outputs = sample(&mut python, &json!(["a"]), 2);
        assert!(matches!(&outputs[0], Output::Error(error) if error.starts_with("TypeError")));
        python.finish().unwrap();
        let mut python = target("python3", &file, Reply::F64le).unwrap();
        let outputs = sample(&mut python, &json!([0, 1]), 1000);
        assert!(
            outputs
                .iter()
                .all(|output| matches!(output, Output::Float(_)))
        );
        python.finish().unwrap();
    }
}

#[test]
fn a_python_function_answers_with_outputs_of_every_kind() {
    if !python_is_here("the kinds of outputs of Python") {
        return;
    }
    let program = format!(
        "import sys; sys.path.insert(0, '{}/targets/python'); from adapter import serve; \
         answers = iter([1, 0.5, 'a', True, None, [1, None], {{'a': {{'b': False}}}}, b'\\n\\xff']); \
         serve(lambda data: data if len(data) > 1 else next(answers))",
        env!("CARGO_MANIFEST_DIR")
    );
    let command = [words("python3"), vec!["-c".into(), program.into()]].concat();
    let mut python = Subprocess::start(&command, Settings::default()).unwrap();
    let outputs = sample(&mut python, &json!([0]), 9);
    let lines: Vec<String> = outputs.iter().map(Output::line).collect();
    let expected = [
        "1",
        "\"0x1.0000000000000p-1\"",
        "\"a\"",
        "true",
        "null",
        "[1,null]",
        r#"{"a":{"b":false}}"#,
        r#"{"bytes":"0aff"}"#,
        r#"{"error":"StopIteration: "}"#,
    ];
    assert_eq!(lines, expected);
    assert_eq!(sample(&mut python, &floats(), 1)[0].line(), FLOATS);
    python.finish().unwrap();
}

/// A dataset of floats that JSON has no numbers for, and of objects that are none.
fn floats() -> Value {
    let float = |text: &str| json!({"float": text});
    json!([
        float("nan"),
        float("nan:0xfff8000000000003"),
        float("inf"),
        float("-inf"),
        float("-0x1.8p+1"),
        float("0x0.0000000000001p-1022"),
        {"float": 1},
        -0.0,
    ])
}

/// The same as an output.
const FLOATS: &str = r#"["nan","nan:0xfff8000000000003","inf","-inf","-0x1.8000000000000p+1","0x0.0000000000001p-1022",{"float":1},"-0x0.0p+0"]"#;

#[test]
fn a_javascript_function_answers_with_outputs_of_every_kind() {
    if !is_here("node", "the kinds of outputs of JavaScript") {
        return;
    }
    let program = format!(
        "const {{ serve }} = require('{}/targets/javascript/adapter.js'); \
         const answers = [2n ** 70n, 0.5, 'a', true, null, [1, null], {{ a: {{ b: false }} }}, new Uint8Array([10, 255])]; \
         serve((data) => (data.length > 1 ? data : answers.length ? answers.shift() : none));",
        env!("CARGO_MANIFEST_DIR")
    );
    let command = ["node", "-e", &program].map(OsString::from);
    let mut node = Subprocess::start(&command, Settings::default()).unwrap();
    let outputs = sample(&mut node, &json!([0]), 9);
    let lines: Vec<String> = outputs.iter().map(Output::line).collect();
    let expected = [
        "1180591620717411303424",
        "\"0x1.0000000000000p-1\"",
        "\"a\"",
        "true",
        "null",
        "[1,null]",
        r#"{"a":{"b":false}}"#,
        r#"{"bytes":"0aff"}"#,
        r#"{"error":"ReferenceError: none is not defined"}"#,
    ];
    assert_eq!(lines, expected);
    // Whole numbers are integers there. Engines may make all NaN one.
    let read = sample(&mut node, &floats(), 1)[0].line();
    let is_nan = |line: &str| line.starts_with("[\"nan");
    assert!(is_nan(&read), "{read}");
    let rest = "\"inf\",\"-inf\",-3,\"0x0.0000000000001p-1022\",{\"float\":1},\"-0x0.0p+0\"]";
    assert!(read.ends_with(rest), "{read}");
    node.finish().unwrap();
}

#[test]
fn the_adapters_answer_by_sessions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/targets");
    // Two answers in each session, counted by itself; then an exception, and one more at the end.
    let python = format!(
        "import sys; sys.path.insert(0, '{folder}/python'); from adapter import serve_sessions\n\
         class Session:\n    \
             def __init__(self, data): self.left = [1 / x for x in data]\n    \
             def __call__(self, question): return [question, self.left.pop()]\n    \
             def close(self): self.left.pop()\n\
         serve_sessions(Session)"
    );
    let javascript = format!(
        "const {{ serveSessions }} = require('{folder}/javascript/adapter.js'); \
         serveSessions((data) => {{ \
           if (data.includes(0)) throw new Error('zero'); \
           const left = data.map((x) => 1 / x); \
           const next = () => {{ if (!left.length) throw new Error('spent'); return left.pop(); }}; \
           return Object.assign((question) => [question, next()], {{ close: () => {{ next(); return 7; }} }}); \
         }});"
    );
    for (program, option, script, spent, zero) in [
        (
            "python3",
            "-c",
            &python,
            "IndexError: pop from empty list",
            "ZeroDivisionError: division by zero",
        ),
        ("node", "-e", &javascript, "Error: spent", "Error: zero"),
    ] {
        if !is_here(program, "sessions") {
            continue;
        }
        let command = [words(program), vec![option.into(), script.into()]].concat();
        let questions = vec![json!("a"), json!({"float": "inf"})];
        let analyst = Analyst::new(questions, Strategy::Fixed, 3, 1).unwrap();
        let started = Subprocess::start(&command, Settings::default()).unwrap();
        let mut target = started.held_by(analyst);
        let error = |text: &str| json!({ "error": text }).to_string();
        let spent = error(spent);
        let answers = |n| {
            let half = ["[\"a\",", "[\"inf\",", "[\"a\","];
            let half = half.map(|begin| format!("{begin}\"0x1.0000000000000p-1\"]"));
            [&half[..n], &vec![spent.clone(); 4 - n]].concat()
        };
        for (data, expected) in [
            (json!([2, 2]), answers(2)),
            (json!([]), answers(0)),
            (json!([0]), vec![error(zero)]),
            (json!([2, 2, 2]), answers(3)),
            (json!([2, 2, 2, 2]), answers(3)[..3].to_vec()),
        ] {
            let transcript = sample(&mut target, &data, 1).remove(0);
            let said = transcript.entries().unwrap();
            let said: Vec<String> = said.iter().map(Output::line).collect();
            assert_eq!(said, expected, "{program} {data}");
        }
        target.finish().unwrap();
    }
}

/// Each answer has its time before it, whatever it is, and only where it is asked for.
#[test]
fn the_adapters_stamp_the_times_that_the_mechanism_took() {
    for (program, adapter, script) in [
        (
            "python3",
            "python/adapter.py",
            "import time\nfrom adapter import serve\ndef mechanism(data):\n    time.sleep(data[0])\n    return 1 / data[0]\nserve(mechanism)\n",
        ),
        (
            "node",
            "javascript/adapter.js",
            "const { serve } = require('./adapter.js');\nserve((data) => { const end = Date.now() + 1000 * data[0]; while (Date.now() < end) {} if (!data[0]) throw 1; return 1 / data[0]; });\n",
        ),
    ] {
        let Some((_room, mut timed)) = beside_adapter(program, adapter, script) else {
            continue;
        };
        let (batch, time) = timed.timed(&json!([0.02])).unwrap();
        assert_eq!(
            batch.outputs[0].exact_number(),
            Some(integer(50)),
            "{program}"
        );
        // JavaScript counts milliseconds, so that the first may be short.
        assert!(time > 18_000_000, "{program}: {time}");
        let (batch, _) = timed.timed(&json!([0])).unwrap();
        assert!(matches!(batch.outputs[0], Output::Error(_)), "{program}");
        let outputs = sample(&mut timed, &json!([0.001]), 2);
        assert_eq!(outputs[1].exact_number(), Some(integer(1000)));
        timed.finish().unwrap();
    }
}

#[test]
fn the_rust_adapter_answers_and_stamps() {
    let mut calls = 0;
    let mut mechanism = |data: &Value| {
        calls += 1;
        match data[0].as_i64() {
            Some(number) => Ok(json!(number + calls)),
            None => Err("no number"),
        }
    };
    let mut reply = |line: &str| adapter::reply(&mut mechanism, line);
    let said = reply(r#"{"op": "sample", "data": [3], "n": 2, "reply": "lines"}"#).unwrap();
    assert_eq!(said, "4\n5\n");
    let said = reply(r#"{"op": "sample", "data": [3], "time": true, "n": 1, "reply": "lines"}"#);
    let said = said.unwrap();
    let (stamp, answer) = said.split_once('\n').unwrap();
    let stamp: Value = serde_json::from_str(stamp).unwrap();
    assert!(stamp["time"].is_u64() && answer == "6\n", "{said}");
    let said = reply(r#"{"op": "sample", "data": ["x"], "n": 1, "reply": "lines"}"#).unwrap();
    assert_eq!(said, "{\"error\":\"no number\"}\n");
    for wrong in [
        r#"{"op": "open", "data": [3], "n": 1, "reply": "lines"}"#,
        r#"{"op": "sample", "data": [3], "n": 1, "reply": "f64le"}"#,
        r#"{"op": "sample", "data": [3], "n": "1", "reply": "lines"}"#,
        "no JSON",
    ] {
        assert!(reply(wrong).is_err(), "{wrong}");
    }
}

/// A program in a folder of its own, beside the adapter of its language.
fn beside_adapter(program: &str, adapter: &str, script: &str) -> Option<(TempDir, Subprocess)> {
    // Says so where the language is missing.
    target(program, adapter, Reply::Lines)?;
    let room = tempfile::tempdir().unwrap();
    let from = format!("{}/targets/{adapter}", env!("CARGO_MANIFEST_DIR"));
    let name = adapter.rsplit('/').next().unwrap();
    fs::copy(from, room.path().join(name)).unwrap();
    let path = room
        .path()
        .join("program.".to_owned() + name.rsplit('.').next().unwrap());
    fs::write(&path, script).unwrap();
    let command = [words(program), vec![path.into()]].concat();
    let started = Subprocess::start(&command, Settings::default()).unwrap();
    Some((room, started))
}

#[test]
fn a_seed_is_handed_on_and_a_program_that_takes_none_ends() {
    for (program, adapter, takes, takes_none, says) in [
        (
            "python3",
            "python/adapter.py",
            "from adapter import serve\nseeds = []\nserve(lambda data: seeds[-1], reseed=seeds.append)\n",
            "from adapter import serve\nserve(lambda data: 1)\n",
            "reseed=random.seed",
        ),
        (
            "node",
            "javascript/adapter.js",
            "const { serve } = require('./adapter.js');\nlet seed;\nserve(() => seed, (text) => { seed = text; });\n",
            "const { serve } = require('./adapter.js');\nserve(() => 1);\n",
            "",
        ),
    ] {
        let Some((_room, mut seeded)) = beside_adapter(program, adapter, takes) else {
            continue;
        };
        for byte in [0, 0xab] {
            let outputs = seeded
                .sample_seeded(&json!([0]), 2, &[byte; 32])
                .unwrap()
                .outputs;
            let digits = format!("{byte:02x}").repeat(32);
            assert_eq!(outputs, vec![Output::Label(digits); 2]);
        }
        seeded.finish().unwrap();
        let (_room, mut none) = beside_adapter(program, adapter, takes_none).unwrap();
        let error = none
            .sample_seeded(&json!([0]), 2, &[1; 32])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("the target ended") && error.contains(says),
            "{error}"
        );
    }
}

/// Its next answer would be about another dataset.
#[test]
fn a_mechanism_that_changes_its_dataset_ends() {
    for (program, adapter, script) in [
        (
            "python3",
            "python/adapter.py",
            "from adapter import serve\ndef mechanism(data):\n    data.append(1)\n    return len(data)\nserve(mechanism)\n",
        ),
        (
            "node",
            "javascript/adapter.js",
            "const { serve } = require('./adapter.js');\nserve((data) => data.push(1));\n",
        ),
    ] {
        let Some((_room, mut changes)) = beside_adapter(program, adapter, script) else {
            continue;
        };
        let error = changes.sample(&json!([0]), 2).unwrap_err().to_string();
        assert!(error.contains("the target ended"), "{error}");
        assert!(
            error.contains("changed its dataset") || program == "node",
            "{error}"
        );
    }
}

#[test]
fn the_shell_example_tells_the_truth_three_times_in_four() {
    let Some(mut shell) = target("sh", "shell/coin.sh", Reply::Lines) else {
        return;
    };
    // False alarm below 1e-20 by Hoeffding; a coin of 0.65 is caught with probability above 0.99.
    let outputs = sample(&mut shell, &json!([1, 1]), 10_000);
    let ones = outputs
        .iter()
        .filter(|output| **output == Output::Integer(1))
        .count();
    assert!((7000..8000).contains(&ones), "{ones}");
    shell.finish().unwrap();
}

/// With each awk there is: mawk takes half of all seeds of 32 bits as one.
#[test]
fn the_shell_example_never_repeats_itself() {
    for _ in 0..60 {
        let Some(mut shell) = target("sh", "shell/coin.sh", Reply::Lines) else {
            return;
        };
        // A good program is accused with probability 1e-9 at most.
        check_repeats(&mut shell, &[&json!([0]), &json!([1])], 2000).unwrap();
        shell.finish().unwrap();
    }
}

#[test]
fn the_javascript_example_leaks_in_its_lowest_bits() {
    let Some(mut node) = target("node", "javascript/laplace.js", Reply::Lines) else {
        return;
    };
    let zero = sample(&mut node, &json!([0]), 20_000);
    let one = sample(&mut node, &json!([1]), 20_000);
    let event = learn_event(&zero, &one, 0.0);
    let counts = [event.count(&zero), event.count(&one)];
    assert!(
        counts[0] > 100 * counts[1].max(1) / 2,
        "{event}: {counts:?}"
    );
    // What JSON has no number for is a float all the same.
    let infinite = sample(&mut node, &json!([1e308, 1e308]), 3);
    assert_eq!(infinite, vec![Output::float(f64::INFINITY); 3]);
    node.finish().unwrap();
}

#[test]
fn a_python_program_that_is_not_there_is_reported() {
    let Some(mut python) = target("python3", "python/no_such.py", Reply::Lines) else {
        return;
    };
    let error = python.sample(&json!([0]), 1).unwrap_err();
    assert!(
        matches!(error, TargetError::Ended { got: 0, .. }),
        "{error}"
    );
}
