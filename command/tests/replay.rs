//! Noise that a Python program records: what it hides, and what it does not. Left out where there is no Python. (With numpy,
//! whose versions differ: `targets/python/run-tests`.)

use crate::programs::{PYTHON, python_is_here};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Runs `assay replay` on a mechanism of `data`, on two datasets of two records.
fn audit(mechanism: &str, arguments: &[&str]) -> (i32, Value) {
    let room = tempfile::tempdir().unwrap();
    let adapters = format!("{}/../audit/targets/python", env!("CARGO_MANIFEST_DIR"));
    let program = format!(
        "import sys\nsys.path.insert(0, {adapters:?})\nfrom recorder import serve, noise\nimport random\nrandom.seed(1)\n\
         def laplace(scale):\n    return noise('laplace', scale, lambda: random.expovariate(1 / scale) - random.expovariate(1 / scale))\n\
         {mechanism}\nserve(mechanism)\n"
    );
    fs::write(room.path().join("program.py"), program).unwrap();
    fs::write(room.path().join("a.json"), "[0, 1]").unwrap();
    fs::write(room.path().join("b.json"), "[1, 1]").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room.path())
        .args([
            "replay",
            "--target",
            &format!("{PYTHON} program.py"),
            "--pair",
            "a.json,b.json",
        ])
        .args(["--format", "json"])
        .args(arguments)
        .output()
        .unwrap();
    let status = output.status.code().unwrap();
    let report = serde_json::from_slice(&output.stdout);
    let said = || Value::from(String::from_utf8_lossy(&output.stderr).into_owned());
    (status, report.unwrap_or_else(|_| said()))
}

const VIOLATION: &str = "violation-given-the-recorded-noise";
const NOT_REFUTED: &str = "not-refuted-given-the-recorded-noise";

#[test]
fn a_python_program_records_its_noise() {
    if !python_is_here("recorded noise") {
        return;
    }
    let pure = ["--epsilon", "1"];
    let approximate = ["--epsilon", "1", "--delta", "1e-5"];
    for (mechanism, arguments, verdict) in [
        (
            "def mechanism(data):\n    return sum(data) + laplace(1)",
            pure.as_slice(),
            NOT_REFUTED,
        ),
        // Half of the noise that it needs; a budget spent twice.
        (
            "def mechanism(data):\n    return sum(data) + laplace(0.5)",
            &pure,
            VIOLATION,
        ),
        (
            "def mechanism(data):\n    return [sum(data) + laplace(1), sum(data) - laplace(1)]",
            &pure,
            VIOLATION,
        ),
        (
            "def mechanism(data):\n    return [sum(data) + laplace(2), sum(data) - laplace(2)]",
            &pure,
            NOT_REFUTED,
        ),
        // Of two releases the second rests on the first, which is public.
        (
            "def mechanism(data):\n    r = laplace(1) + sum(data)\n    return [r, max(r, 3) + data[0] + 2 * laplace(1)]",
            &pure,
            VIOLATION,
        ),
        // Multiples of noise have their scale.
        (
            "def mechanism(data):\n    return sum(data) + 4 * laplace(1) / 4",
            &pure,
            NOT_REFUTED,
        ),
        // An exception shows no noisy value: on the other dataset it may come of the noise.
        (
            "def mechanism(data):\n    r = laplace(9) + sum(data)\n    if r < 1:\n        raise ValueError('too few')\n    return r",
            &pure,
            NOT_REFUTED,
        ),
        // Half of a multiple that nobody uses leaves the noise as it is.
        (
            "def mechanism(data):\n    z = laplace(1)\n    half = z * 0.5\n    return sum(data) + z",
            &pure,
            NOT_REFUTED,
        ),
        // Noise on the integers, whichever way round.
        (
            "g = lambda: noise('geometric', 1, lambda: random.randrange(9))\ndef mechanism(data):\n    a, b = g(), g()\n    return 7 + (a - b if data[0] else b - a)",
            &pure,
            NOT_REFUTED,
        ),
        (
            "def mechanism(data):\n    return sum(data) + noise('discrete-gaussian', 1, lambda: round(random.gauss(0, 1)))",
            &["--epsilon", "5", "--delta", "1e-5"],
            NOT_REFUTED,
        ),
        (
            "def mechanism(data):\n    return [sum(data) + noise('discrete-gaussian', 1, lambda: 0) for _ in range(9)]",
            &["--epsilon", "4.4"],
            VIOLATION,
        ),
        (
            "g = lambda: noise('geometric', 0.5, lambda: 1)\ndef mechanism(data):\n    return sum(data) + (g() - g())",
            &pure,
            VIOLATION,
        ),
        (
            "g = lambda: noise('geometric', 1, lambda: 1)\ndef mechanism(data):\n    return (g() - g()) + sum(data)",
            &pure,
            NOT_REFUTED,
        ),
        // Leaks beside the noise: in an output, in control flow, in an exception.
        (
            "def mechanism(data):\n    return [sum(data) + laplace(9), data[0]]",
            &pure,
            VIOLATION,
        ),
        (
            "def mechanism(data):\n    r = [sum(data) + laplace(9)]\n    return r + [laplace(9) + 0] if data[0] else r",
            &pure,
            VIOLATION,
        ),
        (
            "def mechanism(data):\n    return [len(data) + laplace(9), 1 // (1 - data[0])]",
            &pure,
            VIOLATION,
        ),
        (
            "def mechanism(data):\n    return sum(data) + random.gauss(0, 4)",
            &approximate,
            NOT_REFUTED,
        ),
        (
            "def mechanism(data):\n    return random.gauss(sum(data), 0.5)",
            &approximate,
            VIOLATION,
        ),
        (
            "def mechanism(data):\n    return [len(data) + random.gauss(0, 4), data[0]]",
            &approximate,
            VIOLATION,
        ),
    ] {
        let (status, report) = audit(mechanism, arguments);
        let expected = i32::from(verdict == VIOLATION);
        assert_eq!(
            (status, &report["verdict"]),
            (expected, &json!(verdict)),
            "{mechanism}: {report}"
        );
        assert!(
            report["assumes"]
                .as_array()
                .is_some_and(|all| all.len() == 5),
            "{report}"
        );
    }
}

#[test]
fn what_a_recording_cannot_judge_is_inconclusive() {
    if !python_is_here("recorded noise") {
        return;
    }
    for (mechanism, reason) in [
        // The noisy values stay inside.
        (
            "def mechanism(data):\n    noisy = [x + laplace(2) for x in data]\n    return noisy.index(max(noisy))",
            "does not always stand at one place of the output",
        ),
        (
            "def mechanism(data):\n    return round(sum(data) + laplace(1))",
            "does not always stand at one place of the output",
        ),
        // Nor where something is added to them: what is released is the sum, whose noise hides both.
        (
            "def mechanism(data):\n    return (len(data) + laplace(9)) + data[0]",
            "does not always stand at one place of the output",
        ),
        // Numbers that are there by chance, or in an order that the noise decides, or the data.
        (
            "def mechanism(data):\n    noisy = [x + noise('discrete-laplace', 2, lambda: random.randrange(-3, 4)) for x in data]\n    return [noisy.index(max(noisy)), list(range(-9, 9))]",
            "does not always stand at one place of the output",
        ),
        (
            "def mechanism(data):\n    return sorted(x + laplace(2) for x in data)",
            "does not always stand at one place of the output",
        ),
        (
            "def mechanism(data):\n    noisy = {x: x + laplace(0.1) for x in sorted(set([3, 5]), key=lambda x: x * (1 - 2 * data[0]))}\n    return [noisy[3], noisy[5]]",
            "does not always stand at one place of the output",
        ),
        // Two laws: either may have made the value.
        (
            "def mechanism(data):\n    return 7 + (laplace(1) if data[0] else random.gauss(0, 2))",
            "has another law on the other dataset",
        ),
        // A coin that is not recorded comes twice by luck.
        (
            "import _random\ncoin = _random.Random(1)\ndef mechanism(data):\n    return data[0] ^ (coin.random() < 0.25)",
            "not recorded",
        ),
        // A difference, and a part of it beside it.
        (
            "g = lambda: noise('geometric', 1, lambda: 1)\ndef mechanism(data):\n    a, b = g(), g()\n    return [sum(data) + (a - b), b + 0]",
            "no noise of a known law",
        ),
        // Draws of two scales, and a sum, are no discrete Laplace noise.
        (
            "g = lambda scale: noise('geometric', scale, lambda: 1)\ndef mechanism(data):\n    return sum(data) + (g(1) - g(2))",
            "no noise of a known law",
        ),
        (
            "g = lambda: noise('geometric', 1, lambda: 1)\ndef mechanism(data):\n    return sum(data) + (g() + g())",
            "no noise of a known law",
        ),
        ("def mechanism(data):\n    raise KeyError('x')", "KeyError"),
        // Randomness that is no noise, noise that is looked at, noise that nobody sees.
        (
            "def mechanism(data):\n    return data[0] ^ (random.random() < 0.25)",
            "no noise of a known law",
        ),
        // Noise on one side: the recorder knows only differences.
        (
            "def mechanism(data):\n    return sum(data) + noise('geometric', 1, lambda: 1)",
            "no noise of a known law",
        ),
        (
            "def mechanism(data):\n    z = laplace(1)\n    return sum(data) + z if z > 0 else sum(data) + z",
            "in another way",
        ),
        (
            "def mechanism(data):\n    z = laplace(1)\n    r = sum(data) + z\n    return [r, r - z - sum(data)]",
            "in another way",
        ),
        (
            "import os\ndef mechanism(data):\n    return sum(data) + int.from_bytes(os.urandom(8), 'big')",
            "no noise of a known law",
        ),
    ] {
        let (status, report) = audit(mechanism, &["--epsilon", "1"]);
        assert_eq!(status, 3, "{mechanism}: {report}");
        assert!(
            report["reason"]
                .as_str()
                .is_some_and(|said| said.contains(reason)),
            "{mechanism}: {report}"
        );
    }
}

/// Also without a seed, which comes from where draws of `secrets` do.
#[test]
fn making_or_seeding_a_generator_is_no_draw() {
    if !python_is_here("recorded noise") {
        return;
    }
    for generator in [
        "random.Random(1)",
        "random.Random()",
        "random.SystemRandom()",
        "secrets.SystemRandom()",
        "random.seed(1) or random",
        "random.seed() or random",
        "random.setstate(random.getstate()) or random",
    ] {
        let mechanism = format!(
            "import secrets\ndef mechanism(data):\n    return sum(data) + ({generator}).gauss(0, 4)"
        );
        let (status, report) = audit(&mechanism, &["--epsilon", "1", "--delta", "1e-5"]);
        assert_eq!(
            (status, &report["verdict"]),
            (0, &json!(NOT_REFUTED)),
            "{generator}: {report}"
        );
    }
}

#[test]
fn the_example_leaks_which_groups_there_are() {
    if !python_is_here("recorded noise") {
        return;
    }
    let room = tempfile::tempdir().unwrap();
    fs::write(room.path().join("a.json"), r#"["a", "b"]"#).unwrap();
    fs::write(room.path().join("b.json"), r#"["a", "a"]"#).unwrap();
    let file = format!(
        "{}/../audit/targets/python/examples/count_that_leaks.py",
        env!("CARGO_MANIFEST_DIR")
    );
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room.path())
        .args(["replay", "--epsilon", "10", "--pair", "a.json,b.json"])
        .args(["--target", &format!("{PYTHON} '{file}'"), "--report", "out"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let first = "violation, given the recorded noise: not (10, 0)-private";
    assert!(said.starts_with(first), "{said}");
    assert_eq!(said.matches("  assumed").count(), 5, "{said}");
    let junit = fs::read_to_string(room.path().join("out/report.xml")).unwrap();
    assert!(junit.contains("failures=\"1\""), "{junit}");
}
