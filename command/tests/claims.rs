//! Claims in other measures than (epsilon, delta), as users of `assay audit` state them.

use crate::nightly;
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Output};

/// A program that answers with its last record, and one that always answers 1, in a shell.
const TELLS: &str = r#"while read -r r; do n=${r#*\"n\":}; n=${n%%,*}; last=${r%%]*}; last=${last##*,}; yes "$last" | head -n "$n"; done"#;
const SILENT: &str =
    r#"while read -r r; do n=${r#*\"n\":}; n=${n%%,*}; yes 1 | head -n "$n"; done"#;

/// Every kind of claim.
const CLAIMS: [[&str; 2]; 5] = [
    ["--zcdp", "1/2"],
    ["--rdp", "8:0.5"],
    ["--gdp", "1"],
    ["--profile", "curve.csv"],
    ["--profile", "trade-off.json"],
];

fn run(script: &str, arguments: &[&str]) -> Output {
    let room = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.json", "[0, 1]"),
        ("b.json", "[0, 0]"),
        ("curve.csv", "epsilon,delta\n0,0.3\n1,0.1\n"),
        (
            "trade-off.json",
            r#"{"alpha": [0, "1/4", 1], "beta": [1, "1/4", 0]}"#,
        ),
    ] {
        fs::write(room.path().join(name), text).unwrap();
    }
    let target = format!("sh -c '{script}'");
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(room.path());
    command.args(["audit", "--target", &target, "--pair", "a.json,b.json"]);
    if !arguments.contains(&"--calls") {
        command.args(["--calls", "2000"]);
    }
    command.arg("--no-shrink");
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn reports(status: i32, script: &str, arguments: &[&str]) -> Value {
    let output = run(script, &[arguments, &["--format", "json"]].concat());
    let errors = text(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {errors}"
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_program_that_tells_everything_violates_every_claim() {
    for (claim, kind) in CLAIMS
        .iter()
        .zip(["zcdp", "rdp", "gdp", "profile", "profile"])
    {
        for more in [&[][..], &["--all-calls"]] {
            let report = reports(1, TELLS, &[&claim[..], more].concat());
            assert_eq!(report["verdict"], "violation", "{claim:?}");
            assert_eq!(report["claim"]["kind"], kind);
            // Keys of claims (epsilon, delta) stay, and say nothing.
            for key in ["epsilon", "delta", "epsilon_lower", "delta_lower"] {
                assert_eq!(report.get(key), Some(&Value::Null), "{claim:?} {key}");
            }
            // A bound, not below the claim, and the bound on one event that was exceeded.
            let lower: f64 = report["parameter_lower"].as_str().unwrap().parse().unwrap();
            let claimed = match kind {
                "zcdp" | "rdp" => 0.5,
                _ => 1.0,
            };
            assert!(lower >= claimed, "{claim:?}: {lower}");
            let slope: f64 = report["half_plane"]["slope"]
                .as_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!(slope >= 1.0, "{claim:?}: {slope}");
        }
    }
}

#[test]
fn a_program_that_tells_nothing_violates_none() {
    for claim in CLAIMS {
        let report = reports(0, SILENT, &claim);
        assert_eq!(report["verdict"], "not-refuted", "{claim:?}");
        assert_eq!(report["parameter_lower"], Value::Null);
    }
}

#[test]
fn people_are_told_the_claim_the_bound_and_what_the_claim_allows() {
    for (claim, said, bound) in [
        (CLAIMS[0], "violation: not 1/2-zCDP", "rho is proved"),
        (
            CLAIMS[1],
            "violation: not (8, 1/2)-Rényi private",
            "epsilon of order 8 is proved",
        ),
        (
            CLAIMS[2],
            "violation: not 1-Gaussian private",
            "mu is proved",
        ),
        (
            CLAIMS[3],
            "violation: not private within the profile curve.csv",
            "the multiple of the profile is proved",
        ),
    ] {
        let page = text(&run(TELLS, &claim).stdout);
        assert!(page.starts_with(said), "{page}");
        assert!(
            page.contains(bound) && page.contains("the claim allows"),
            "{page}"
        );
    }
    // Of a claim (epsilon, delta) nothing is new but the keys of its claim.
    let report = reports(1, TELLS, &["--epsilon", "1"]);
    assert_eq!(
        report["claim"],
        json!({"kind": "epsilon-delta", "epsilon": "1", "delta": "0", "parameter": "epsilon"})
    );
    assert_eq!(report["epsilon"], "1");
    assert_eq!(report["parameter_lower"], Value::Null);
    assert!(!text(&run(TELLS, &["--epsilon", "1"]).stdout).contains("the claim allows"));
}

#[test]
fn power_is_measured_of_programs_with_two_outcomes() {
    let claim = ["--gdp", "1", "--power", "randomised-response", "--calls"];
    let calls = if nightly::at_night() { "2000" } else { "200" };
    let report = reports(0, SILENT, &[&claim[..], &[calls]].concat());
    let power = &report["power"]["pipeline"]["families"][0];
    assert_eq!(power["parameter"], "mu");
    let caught: f64 = power["epsilon"].as_str().unwrap().parse().unwrap();
    assert!(caught > 1.0 && caught <= 3.0, "{power}");
}
