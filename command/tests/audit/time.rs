//! `assay audit --time`: programs that stamp their answers with times that they make up, so that no test asks a clock.

use super::{PYTHON, prints, python, refuses, reports};

/// A sum with noise that hides it at epsilon 1, and the expression of its time: of `data`, `noise`, `calls` and `R`.
fn program(time: &str) -> Option<String> {
    python("a program that makes up its times")?;
    let script = format!(
        "import json, math, random, sys\n\
         R = random.Random()\n\
         def geo(): return int(-math.log(1.0 - R.random()))\n\
         calls = 0\n\
         for line in sys.stdin:\n    \
             request = json.loads(line)\n    \
             data = request[\"data\"]\n    \
             for _ in range(request[\"n\"]):\n        \
                 noise = geo() - geo()\n        \
                 calls += 1\n        \
                 if request.get(\"time\"): print(json.dumps({{\"time\": {time}}}))\n        \
                 print(sum(data) + noise)\n    \
             sys.stdout.flush()\n"
    );
    Some(format!("{PYTHON} -c '{script}'"))
}

fn audit<'a>(target: &'a str, calls: &'a str) -> Vec<&'a str> {
    let pair = ["--target", target, "--pair", "one.json,none.json", "--time"];
    [
        &pair[..],
        &["--epsilon", "1", "--calls", calls, "--alpha", "1e-6"],
    ]
    .concat()
}

#[test]
fn a_time_that_tells_a_record_is_found_though_the_outputs_alone_hide_it() {
    for (time, most) in [
        // Of the record alone, and hidden in other times.
        ("1000 + 50 * data[1] + R.randrange(60)", 4000),
        // Of the noise: with the output it tells the sum.
        ("1000 + 100 * abs(noise) + R.randrange(100)", 4000),
        // A branch that is rare.
        (
            "1000 + R.randrange(9) + (900 if data[1] and R.random() < .03 else 0)",
            20_000,
        ),
    ] {
        let Some(target) = program(time) else {
            return;
        };
        let report = reports(1, &audit(&target, "20000"));
        assert_eq!(report["aspect"], "time", "{time}");
        let [outputs, times] = report["lines"].as_array().unwrap().as_slice() else {
            panic!("{report}");
        };
        assert_eq!(outputs["verdict"], "not-refuted");
        assert_eq!(times["verdict"], "violation");
        assert!(report["calls"].as_u64() <= Some(most), "{report}");
        let event = report["event"].as_str().unwrap();
        // The value tells a little of the record as well.
        let of_both = event.starts_with("sum of output ");
        assert!(event.contains(r#""time""#) || of_both, "{time}: {event}");
        assert_eq!(report["times"]["learned_from"], 2500);
        // Two lines share what is not kept for a smaller pair.
        assert_eq!(times["finding"]["level"], "1/4000000");
        assert!(report["shrinking"].is_null());
    }
}

#[test]
fn times_that_tell_nothing_are_not_refuted_though_the_load_drifts() {
    for time in [
        "R.randrange(50)",
        "7",
        "1000 + calls // 50",
        "1000 + 300 * (calls // 1000 % 2)",
    ] {
        let Some(target) = program(time) else {
            return;
        };
        let report = reports(0, &audit(&target, "8000"));
        let aspects = report["lines"].as_array().unwrap();
        let decided = aspects.iter().all(|line| line["verdict"] == "not-refuted");
        assert!(decided && aspects.len() == 2, "{time}: {report}");
        assert_eq!(
            report["lines"][1]["finding"]["method"],
            serde_json::Value::Null
        );
    }
}

#[test]
fn outputs_that_are_a_violation_alone_are_not_audited_with_their_times() {
    let Some(target) = program("0") else {
        return;
    };
    let target = target.replace("+ noise", "");
    let report = reports(1, &audit(&target, "400"));
    assert_eq!(report["aspect"], "whole");
    assert_eq!(report["lines"][1]["verdict"], serde_json::Value::Null);
    assert!(report["times"].is_null());
    let told = prints(&audit(&target, "400"));
    assert!(
        told.contains("with times") && told.contains("the outputs alone are a violation"),
        "{told}"
    );
}

#[test]
fn what_is_assumed_of_times_is_said() {
    let Some(target) = program("1000 + 90 * data[1] + R.randrange(60)") else {
        return;
    };
    let told = super::run(&audit(&target, "4000"));
    let told = super::text(&told.stdout);
    let told = told.replace('\n', " \n ");
    let told = told
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    for said in [
        "-private, by its outputs together with their times \n",
        "with times violation: epsilon is above",
        "outputs not refuted in 4000 calls",
        "learned from 500 calls that are then spent",
        "the load of the machine does not depend on the dataset",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
}

#[test]
fn a_program_that_stamps_nothing_is_inconclusive_and_doubles_and_sessions_are_refused() {
    for (time, got) in [
        ("\"soon\"", r#"got: {"time": "soon"}"#),
        ("-1", "-1}"),
        ("2.5", "2.5}"),
    ] {
        let Some(target) = program(time) else {
            return;
        };
        let report = reports(3, &audit(&target, "400"));
        let reason = report["reason"].as_str().unwrap();
        assert!(
            reason.contains(r#"expected {"time": NANOSECONDS} before the output"#),
            "{reason}"
        );
        assert!(
            reason.contains(got) && reason.contains("copy it again"),
            "{reason}"
        );
    }
    let given = [
        "--target",
        "cat",
        "--pair",
        "a.json,b.json",
        "--epsilon",
        "1",
        "--time",
    ];
    let refused = refuses(&[&given[..], &["--reply", "f64le"]].concat());
    assert!(
        refused.contains("--reply must be lines with --time"),
        "{refused}"
    );
    let refused = refuses(&[&given[..], &["--questions", "questions.json"]].concat());
    assert!(
        refused.contains("'--time' cannot be used with '--questions"),
        "{refused}"
    );
}
