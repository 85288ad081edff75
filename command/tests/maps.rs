//! Claims of stability: rows of the corpus of known bugs, re-stated as small functions, each with a sound control; and the
//! command with Python, where there is one.

use crate::programs::{PYTHON, python_is_here};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_audit::maps::{
    Bound, Datasets, Distance, Effort, Examined, MapError, Measure, Metric, Stability, UserField,
    examine,
};
use dp_assay_audit::pairs::{Domain, Pair};
use dp_assay_audit::targets::{Function, Output, TargetError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

const EFFORT: Effort = Effort {
    pairs: 600,
    seed: 1,
    shrink: true,
};

fn stability(input: Metric, output: Metric, bound: Bound) -> Stability {
    let measure = |metric| Measure {
        metric,
        user: Some(UserField::Position(0)).filter(|_| metric == Metric::ByUser),
    };
    Stability {
        input: measure(input),
        output: measure(output),
        bound,
    }
}

fn domain(records: &str, size: &str) -> Datasets {
    let text = format!(r#"{{"records": {records}, "size": {size}, "neighbours": "substitute"}}"#);
    Datasets::Described(Domain::read("domain.json", &text).unwrap())
}

fn ask(
    function: impl Fn(&Value) -> Output,
    datasets: &Datasets,
    stability: &Stability,
) -> Examined {
    let mut target = Function(|data: &Value| Ok(function(data)));
    let examined = examine(&mut target, datasets, stability, EFFORT).unwrap();
    // What is reported is measured once more, by hand of the metrics.
    let farthest = examined.farthest.as_ref().unwrap();
    let (input, allowed) = stability.of_datasets(&farthest.pair).unwrap().unwrap();
    assert_eq!((&input, &allowed), (&farthest.input, &farthest.allowed));
    let outputs = [function(&farthest.pair.0), function(&farthest.pair.1)];
    let output = stability.output.between(&outputs[0], &outputs[1]).unwrap();
    assert_eq!(output, farthest.output);
    assert_eq!(output.exceeds(&allowed), examined.violation().is_some());
    examined
}

fn square(examined: &Examined) -> Rational {
    match &examined.farthest.as_ref().unwrap().output {
        Distance::Finite(length) => length.square().clone(),
        Distance::Infinite(why) => panic!("{why}"),
    }
}

fn records(data: &Value) -> &Vec<Value> {
    data.as_array().unwrap()
}

fn integers(data: &Value) -> Vec<i64> {
    records(data).iter().map(|v| v.as_i64().unwrap()).collect()
}

fn numbers(data: &Value) -> Vec<f64> {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    records(data).iter().map(number).collect()
}

fn vector(values: impl IntoIterator<Item = i64>) -> Output {
    let entries = values.into_iter().map(|v| Output::Integer(v.into()));
    Output::Vector(entries.collect())
}

/// A tree of four leaves and a root: opendp issue 2924.
#[test]
fn row_2_a_tree_of_counts_in_l2() {
    let tree = |data: &Value| {
        let leaves = integers(data);
        vector([leaves.iter().sum()].into_iter().chain(leaves))
    };
    let datasets = domain(r#"{"type": "integer", "lo": 0, "hi": 1}"#, "[4, 4]");
    let claim = |factor| stability(Metric::L2, Metric::L2, Bound::Factor(factor));
    let found = ask(tree, &datasets, &claim(integer(2)));
    let violation = found.violation().unwrap();
    assert_eq!(
        violation.pair,
        Pair(json!([0, 0, 0, 0]), json!([1, 1, 1, 1]))
    );
    assert_eq!(violation.output.to_string(), "sqrt(20), about 4.47214");
    assert_eq!(violation.allowed.rational(), Some(integer(4)));
    // The given pair says the same.
    let found = ask(
        tree,
        &Datasets::Given(violation.pair.clone()),
        &claim(integer(2)),
    );
    assert!(found.violation().is_some());
    // Controls: the root of 5 is below 9/4, and in l1 the factor 2 is attained and true.
    assert!(
        ask(tree, &datasets, &claim(ratio(9, 4)))
            .violation()
            .is_none()
    );
    let in_l1 = |factor| stability(Metric::L1, Metric::L1, Bound::Factor(factor));
    assert!(
        ask(tree, &datasets, &in_l1(integer(2)))
            .violation()
            .is_none()
    );
    assert!(
        ask(tree, &datasets, &in_l1(ratio(19, 10)))
            .violation()
            .is_some()
    );
}

/// Squared deviations in doubles: opendp issue 2923.
#[test]
fn row_3_squared_deviations_of_large_numbers() {
    const LARGE: f64 = (1u64 << 50) as f64;
    // In one pass: squares less the square of the sum.
    let in_doubles = |data: &Value| {
        let values = numbers(data);
        let (sum, count) = (values.iter().sum::<f64>(), values.len() as f64);
        Output::float(values.iter().map(|v| v * v).sum::<f64>() - sum * sum / count)
    };
    let exactly = |data: &Value| {
        let quarters: Vec<f64> = numbers(data).iter().map(|v| (v - LARGE) * 4.0).collect();
        let count = quarters.len() as f64;
        let (sum, squares) = (quarters.iter().sum::<f64>(), quarters.iter().map(|q| q * q));
        Output::float((squares.sum::<f64>() * count - sum * sum) / (16.0 * count))
    };
    let mut other = vec![LARGE + 0.25; 10];
    let first = json!(other);
    other[9] = LARGE + 0.5;
    let datasets = Datasets::Given(Pair(first, json!(other)));
    let claim = stability(
        Metric::Hamming,
        Metric::Absolute,
        Bound::Neighbours(ratio(1, 16)),
    );
    let found = ask(in_doubles, &datasets, &claim);
    assert!(square(&found) > integer(1), "{}", square(&found));
    assert!(ask(exactly, &datasets, &claim).violation().is_none());
}

/// A resize that turns the order when it cuts: opendp issue 2927.
#[test]
fn row_4_a_resize_that_turns_the_order() {
    let resize = |data: &Value| {
        let mut values = integers(data);
        if values.len() > 3 {
            values.truncate(3);
            values.rotate_left(1);
        }
        values.resize(3, 0);
        vector(values)
    };
    let pair = Datasets::Given(Pair(json!([0, 1, 2, 9]), json!([0, 1, 2])));
    let claim = |output| stability(Metric::Symmetric, output, Bound::Neighbours(integer(2)));
    let found = ask(resize, &pair, &claim(Metric::Hamming));
    assert_eq!(square(&found), integer(9));
    // As a set it is as stable as it is claimed to be.
    assert!(
        ask(resize, &pair, &claim(Metric::Symmetric))
            .violation()
            .is_none()
    );
    let datasets = domain(r#"{"type": "integer", "lo": 0, "hi": 9}"#, "[0, 5]");
    assert!(
        ask(resize, &datasets, &claim(Metric::Hamming))
            .violation()
            .is_some()
    );
    // Cut it is stable only if it is blind to the order: the first three are not the first three of the turned data.
    let found = ask(resize, &datasets, &claim(Metric::Symmetric));
    let violation = found.violation().unwrap();
    assert!(violation.input.square() <= &integer(1));
    let sorted = |data: &Value| {
        let mut values = integers(data);
        values.sort_unstable();
        values.resize(3, 0);
        vector(values)
    };
    assert!(
        ask(sorted, &datasets, &claim(Metric::Symmetric))
            .violation()
            .is_none()
    );
    // One that shuffles is no function.
    let mut turn = 0;
    let mut shuffling = Function(|data: &Value| {
        let mut values = integers(data);
        turn += 1;
        values.rotate_left(turn % 3);
        Ok(vector(values))
    });
    let error = examine(&mut shuffling, &pair, &claim(Metric::Symmetric), EFFORT).unwrap_err();
    assert!(
        matches!(error, MapError::NotDeterministic { .. }),
        "{error}"
    );
}

/// A count of what is not null, after a remainder by 0: opendp issue 2940.
#[test]
fn row_8_a_count_of_remainders() {
    let remainders = |data: &Value| {
        let row = |record: &Value| {
            let [n, m] = [0, 1].map(|place| record[place].as_i64().unwrap());
            n.checked_rem(m)
        };
        let count = records(data).iter().filter_map(row).count();
        Output::Integer(count as i128)
    };
    let datasets = domain(
        r#"{"type": "tuple", "fields": [{"type": "integer", "lo": 0, "hi": 9}, {"type": "integer", "lo": 0, "hi": 3}]}"#,
        "[1, 16]",
    );
    let claim = stability(
        Metric::Hamming,
        Metric::Absolute,
        Bound::Neighbours(integer(0)),
    );
    let found = ask(remainders, &datasets, &claim);
    assert_eq!(square(&found), integer(1));
    assert_eq!(records(&found.violation().unwrap().pair.0).len(), 1);
    let rows = |data: &Value| Output::Integer(records(data).len() as i128);
    assert!(ask(rows, &datasets, &claim).violation().is_none());
}

/// A clamp that lets NaN pass: opendp issue 2936.
#[test]
fn row_10_a_clamp_of_nan() {
    // NaN stays NaN.
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let sum = |data: &Value| Output::float(numbers(data).into_iter().map(clamp).sum());
    let datasets = domain(r#"{"type": "choice", "values": [0, 1, null]}"#, "[1, 100]");
    let claim = stability(
        Metric::Hamming,
        Metric::Absolute,
        Bound::Neighbours(integer(2)),
    );
    let found = ask(sum, &datasets, &claim);
    let violation = found.violation().unwrap();
    assert!(
        matches!(violation.output, Distance::Infinite(_)),
        "{violation:?}"
    );
    assert_eq!(records(&violation.pair.0).len(), 1);
    let filled = |data: &Value| {
        let values = numbers(data)
            .into_iter()
            .map(|x| if x.is_nan() { 0.0 } else { x });
        Output::float(values.map(clamp).sum())
    };
    assert!(ask(filled, &datasets, &claim).violation().is_none());
}

/// Records of a user that were truncated by another key: opendp issue 2949.
#[test]
fn row_11_a_truncation_per_user() {
    let counts = |kept: BTreeMap<String, Value>| {
        let mut groups: BTreeMap<String, i128> = BTreeMap::new();
        for record in kept.into_values() {
            *groups.entry(record[1].to_string()).or_default() += 1;
        }
        let counts = groups
            .values()
            .map(|count| Output::Integer(*count))
            .collect();
        Output::Object(groups.into_keys().collect(), counts)
    };
    let by = |key: fn(&Value) -> String| {
        move |data: &Value| {
            let mut sorted = records(data).clone();
            sorted.sort_by_key(Value::to_string);
            counts(
                sorted
                    .into_iter()
                    .map(|record| (key(&record), record))
                    .collect(),
            )
        }
    };
    let datasets = domain(
        r#"{"type": "tuple", "fields": [{"type": "choice", "values": ["u", "v"]}, {"type": "integer", "lo": 0, "hi": 99}]}"#,
        "[0, 120]",
    );
    let claim = stability(Metric::ByUser, Metric::L2, Bound::Neighbours(integer(1)));
    let found = ask(by(Value::to_string), &datasets, &claim);
    assert!(square(&found) >= integer(2));
    let users: BTreeSet<String> = records(&found.violation().unwrap().pair.1)
        .iter()
        .map(|record| record[0].to_string())
        .collect();
    assert_eq!(users.len(), 1, "{found:?}");
    assert!(
        ask(by(|r| r[0].to_string()), &datasets, &claim)
            .violation()
            .is_none()
    );
}

/// A smaller pair is at another distance, and is allowed less.
#[test]
fn shrinking_measures_every_pair_anew() {
    let double = |data: &Value| vector(integers(data).into_iter().map(|v| 2 * v));
    let datasets = domain(r#"{"type": "integer", "lo": 0, "hi": 100}"#, "[1, 10]");
    let claim = stability(Metric::L1, Metric::L1, Bound::Factor(integer(1)));
    let found = ask(double, &datasets, &claim);
    let violation = found.violation().unwrap();
    assert!(found.before.is_some());
    let input = violation.input.rational().unwrap();
    assert_eq!(
        violation.output.to_string(),
        (input * integer(2)).to_string()
    );
    assert_eq!(records(&violation.pair.0).len(), 1);
}

#[test]
fn a_proof_stays_whatever_the_program_does_on_smaller_datasets() {
    let stability = stability(
        Metric::Symmetric,
        Metric::Absolute,
        Bound::Factor(integer(1)),
    );
    let pair = Pair(json!([5, 5, 5]), json!([5, 5, 5, 9]));
    let sum = |data: &Value| Output::Integer(integers(data).iter().map(|v| i128::from(*v)).sum());
    let small = |data: &Value| records(data).len() < 3;
    // It dies, or its outputs are of a kind that the metric does not measure.
    let mut dies = Function(|data: &Value| match small(data) {
        true => Err(TargetError::Failed),
        false => Ok(sum(data)),
    });
    let found = examine(
        &mut dies,
        &Datasets::Given(pair.clone()),
        &stability,
        EFFORT,
    )
    .unwrap();
    assert_eq!(found.violation().unwrap().pair, pair);
    assert!(found.failure.is_some());
    let mut changes = Function(|data: &Value| {
        Ok(match small(data) {
            true => Output::Label("too few".to_owned()),
            false => sum(data),
        })
    });
    let found = examine(&mut changes, &Datasets::Given(pair), &stability, EFFORT).unwrap();
    assert!(found.violation().is_some() && found.failure.is_none());
}

#[test]
fn an_exception_on_one_side_is_infinitely_far_and_nothing_else_is_no_answer() {
    let reciprocal = |data: &Value| match data.as_i64().unwrap() {
        0 => Output::Error("division by zero".to_owned()),
        x => Output::Integer(i128::from(100 / x)),
    };
    let datasets = domain(r#"{"type": "integer", "lo": 0, "hi": 5}"#, "[1, 1]");
    let claim = stability(
        Metric::Absolute,
        Metric::Absolute,
        Bound::Factor(integer(1000)),
    );
    let found = ask(reciprocal, &datasets, &claim);
    let why = found.violation().unwrap().output.to_string();
    assert_eq!(why, "infinite: an exception on one side only");
    let mut broken = Function(|_: &Value| Ok(Output::Error("no".to_owned())));
    let error = examine(&mut broken, &datasets, &claim, EFFORT).unwrap_err();
    assert!(
        error.to_string().contains("nothing but the error"),
        "{error}"
    );
}

/// Runs `assay stable` on a Python function; `None` where there is no Python.
fn audit(program: &str, datasets: &[(&str, &str)], arguments: &[&str]) -> Option<(i32, Value)> {
    if !python_is_here("the command with a map in Python") {
        return None;
    }
    let room = tempfile::tempdir().unwrap();
    let adapters = format!("{}/../audit/targets/python", env!("CARGO_MANIFEST_DIR"));
    let program = format!(
        "import sys\nsys.path.insert(0, {adapters:?})\nfrom adapter import serve\n{program}\n"
    );
    fs::write(room.path().join("program.py"), program).unwrap();
    for (name, text) in datasets {
        fs::write(room.path().join(name), text).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room.path())
        .args([
            "stable",
            "--target",
            &format!("{PYTHON} program.py"),
            "--format",
            "json",
            "--report",
            "out",
        ])
        .args(arguments)
        .output()
        .unwrap();
    let status = output.status.code().unwrap();
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&output.stderr).into_owned()));
    if status != 2 {
        for file in ["report.json", "report.html", "report.xml"] {
            assert!(room.path().join("out").join(file).exists(), "{file}");
        }
    }
    Some((status, report))
}

#[test]
fn the_command_audits_a_python_function() {
    let numbers = r#"{"records": {"type": "choice", "values": [0, 1, {"float": "nan"}, null]}, "size": [1, 20], "neighbours": "substitute"}"#;
    let decode = "def number(x):\n    x = float(x['float']) if isinstance(x, dict) else x\n    return float('nan') if x is None else float(x)\n";
    let clamp =
        format!("{decode}serve(lambda data: sum(min(1.0, max(0.0, number(x))) for x in data))");
    let passes =
        format!("{decode}serve(lambda data: sum(max(min(number(x), 1.0), 0.0) for x in data))");
    let claim = [
        "--domain",
        "domain.json",
        "--bound",
        "1",
        "--output-metric",
        "absolute",
    ];
    // max(0.0, nan) is 0.0 in Python, and max(nan, 0.0) is nan: the order decides.
    let Some((status, report)) = audit(&passes, &[("domain.json", numbers)], &claim) else {
        return;
    };
    assert_eq!(
        (status, &report["verdict"]),
        (1, &json!("violation")),
        "{report}"
    );
    assert!(
        report["output_distance"]["infinite"].is_string(),
        "{report}"
    );
    let (status, report) = audit(&clamp, &[("domain.json", numbers)], &claim).unwrap();
    assert_eq!(
        (status, &report["verdict"]),
        (0, &json!("not-refuted")),
        "{report}"
    );
    assert_eq!(report["output_distance"]["exact"], "1", "{report}");
    // The tree, on a pair.
    let tree = "serve(lambda data: [sum(data)] + data)";
    let pair = [("a.json", "[0, 0, 0, 0]"), ("b.json", "[1, 1, 1, 1]")];
    let claim = [
        "--pair",
        "a.json,b.json",
        "--stability",
        "2",
        "--input-metric",
        "l2",
        "--output-metric",
        "l2",
    ];
    let (status, report) = audit(tree, &pair, &claim).unwrap();
    assert_eq!(
        (status, &report["output_distance"]["square"]),
        (1, &json!("20")),
        "{report}"
    );
    assert_eq!(report["allowed"]["exact"], "4");
    // What has noise is no transformation.
    let noisy = "import random\nserve(lambda data: sum(data) + random.random())";
    let claim = [
        "--pair",
        "a.json,b.json",
        "--stability",
        "2",
        "--input-metric",
        "l1",
        "--output-metric",
        "absolute",
    ];
    let (status, report) = audit(noisy, &pair, &claim).unwrap();
    assert_eq!(status, 3, "{report}");
    assert!(
        report["reason"]
            .as_str()
            .unwrap()
            .contains("not deterministic"),
        "{report}"
    );
}
