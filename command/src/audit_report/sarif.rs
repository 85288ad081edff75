//! The report of an audit as SARIF 2.1.0, for code scanning: what was found is a result under a rule with a permanent id.
//!
//! `docs/rules.md` explains each rule. A result stands at the script that the command names. The command of a program
//! that is no file below the current directory has no place, and some readers show only results with one.

use super::{AuditReport, Conclusion};
use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_audit::targets::words;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Component, Path, PathBuf};

/// A kind of finding. Its id never gets another meaning.
struct Rule {
    id: &'static str,
    name: &'static str,
    level: &'static str,
    short: &'static str,
    full: &'static str,
}

const CLAIM: Rule = Rule {
    id: "DPA001",
    name: "FalsePrivacyClaim",
    level: "error",
    short: "The program is not as private as it is claimed to be.",
    full: "On the pair of datasets shown, the laws of the program's outputs are further apart than the claim allows, except with the probability that the report states.",
};

const LAW: Rule = Rule {
    id: "DPA002",
    name: "NoiseOfAnotherLaw",
    level: "error",
    short: "The noise of the program has not the law that it is said to have.",
    full: "The program's answers on the dataset shown, less the centre, have another law, except with the probability that the report states. This alone does not prove that the program is not private.",
};

const TRACE: Rule = Rule {
    id: "DPA003",
    name: "ProgramContradictsItself",
    level: "warning",
    short: "What the program says about its own noise does not fit together.",
    full: "The sensitivity, the scale or the distance that the program states in a trace contradict each other or the claim. This does not decide the exit status.",
};

const INCONCLUSIVE: Rule = Rule {
    id: "DPA004",
    name: "InconclusiveAudit",
    level: "warning",
    short: "The program failed before anything was proved.",
    full: "The program ended, hung, did not keep to the protocol, or answered nothing but one error. It was not shown to be private.",
};

const MAP: Rule = Rule {
    id: "DPA005",
    name: "UnstableTransformation",
    level: "error",
    short: "Outputs of the transformation are farther apart than it is claimed.",
    full: "The two outputs on the pair of datasets shown are farther apart than the claim of stability allows. Nothing of this is by chance.",
};

const RECORDED: Rule = Rule {
    id: "DPA006",
    name: "FalsePrivacyClaimGivenRecordedNoise",
    level: "error",
    short: "The noise that the program records does not hide what it is claimed to hide.",
    full: "On the pair of datasets shown, the recorded noise and what differs beside it tell the datasets apart more than the claim allows, under the assumptions that the report lists.",
};

/// In the order of their ids.
const RULES: [&Rule; 6] = [&CLAIM, &LAW, &TRACE, &INCONCLUSIVE, &MAP, &RECORDED];

/// The format's own schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Debug, Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    results: Vec<Finding>,
    column_kind: &'static str,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: &'static str,
    short_description: Text,
    full_description: Text,
    help: Text,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Text {
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    command_line: String,
    execution_successful: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
}

#[derive(Debug, Serialize)]
struct Fingerprints {
    /// Of the rule, the program and the claim, and of nothing that differs from run to run.
    #[serde(rename = "assayQuestion/v1")]
    question: String,
}

/// The report as one log with one run. The paths of locations are those from `directory`.
pub fn log(report: &AuditReport, replay: &str, directory: &Path) -> impl Serialize {
    let mut results = Vec::new();
    let located = || location(&report.target, directory);
    match report.conclusion {
        Conclusion::NotRefuted => {}
        Conclusion::Inconclusive => results.push(finding(&INCONCLUSIVE, report, located())),
        Conclusion::Refuted => results.push(finding(refuted(&report.json), report, located())),
    }
    if let Some(contradiction) = &report.contradiction {
        results.push(Finding {
            message: Text {
                text: contradiction.clone(),
            },
            ..finding(&TRACE, report, located())
        });
    }
    let version = env!("CARGO_PKG_VERSION");
    let descriptor = |rule: &&Rule| Descriptor {
        id: rule.id,
        name: rule.name,
        short_description: Text {
            text: rule.short.to_owned(),
        },
        full_description: Text {
            text: rule.full.to_owned(),
        },
        help: Text {
            text: format!(
                "{} docs/rules.md says what to do about {}.",
                rule.full, rule.id
            ),
        },
        default_configuration: Configuration { level: rule.level },
    };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "assay",
                    version,
                    semantic_version: version,
                    rules: RULES.iter().map(descriptor).collect(),
                },
            },
            invocations: [Invocation {
                command_line: replay.to_owned(),
                execution_successful: report.conclusion != Conclusion::Inconclusive,
            }],
            results,
            column_kind: "unicodeCodePoints",
        }],
    }
}

/// The rule of a refuted claim. A claim of stability has a metric.
fn refuted(report: &Value) -> &'static Rule {
    match report["verdict"].as_str() {
        Some("not-conforming") => &LAW,
        Some("violation-given-the-recorded-noise") => &RECORDED,
        _ if report["claim"]["output_metric"].is_string() => &MAP,
        _ => &CLAIM,
    }
}

fn finding(rule: &Rule, report: &AuditReport, location: Option<Location>) -> Finding {
    let question = [rule.id, &report.target, &report.question].join("\n");
    let print = hexadecimal(&Sha256::digest(question.as_bytes())[..16]);
    Finding {
        rule_id: rule.id,
        rule_index: RULES
            .iter()
            .position(|other| other.id == rule.id)
            .unwrap_or(0),
        level: rule.level,
        message: Text {
            text: format!("{}\n{}", report.question, report.leading()),
        },
        locations: location.into_iter().collect(),
        partial_fingerprints: Fingerprints { question: print },
    }
}

/// The first word of the command that is a file below the directory; the program itself, which may run a script, last.
fn location(target: &str, directory: &Path) -> Option<Location> {
    let words = words(target).ok()?;
    let below = |word: &std::ffi::OsString| {
        let path = Path::new(word);
        let path = path.strip_prefix(directory).unwrap_or(path);
        let mut parts = path.components().filter(|part| *part != Component::CurDir);
        let plain = parts
            .clone()
            .all(|part| matches!(part, Component::Normal(_)));
        let path: PathBuf = parts.by_ref().collect();
        (plain && directory.join(&path).is_file()).then_some(path)
    };
    let (program, arguments) = words.split_first()?;
    let path = arguments
        .iter()
        .find_map(below)
        .or_else(|| below(program))?;
    let uri: Vec<String> = path
        .components()
        .map(|part| encoded(&part.as_os_str().to_string_lossy()))
        .collect();
    Some(Location {
        physical_location: PhysicalLocation {
            artifact_location: Artifact {
                uri: uri.join("/"),
                uri_base_id: "%SRCROOT%",
            },
            region: Region { start_line: 1 },
        },
    })
}

/// A part of a path as it stands in a URI (RFC 3986: unreserved letters stay).
fn encoded(part: &str) -> String {
    let letter = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    part.bytes().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_audit::report::Rows;
    use serde_json::json;

    fn report(conclusion: Conclusion, verdict: &str) -> AuditReport {
        AuditReport {
            conclusion,
            target: "python3 './my tests/é.py' --fast".to_owned(),
            question: "the program is (1, 0)-private".to_owned(),
            says: "as it was said".to_owned(),
            contradiction: None,
            warnings: Rows::new(),
            rows: vec![("event".to_owned(), "output >= 1\u{1b}".to_owned())],
            more: Rows::new(),
            details: Rows::new(),
            json: json!({"verdict": verdict}),
        }
    }

    fn written(report: &AuditReport, directory: &Path) -> Value {
        serde_json::to_value(log(report, "assay audit", directory)).unwrap()
    }

    #[test]
    fn each_finding_has_the_rule_that_it_is_of_and_its_page() {
        let page = include_str!("../../../docs/rules.md");
        let here = Path::new(".");
        let ids = |report: &AuditReport| -> Vec<String> {
            let log = written(report, here);
            let run = &log["runs"][0];
            let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
            for rule in rules {
                let (id, name) = (rule["id"].as_str().unwrap(), rule["name"].as_str().unwrap());
                assert!(page.contains(&format!("## {id}: {name}\n")), "{id}: {name}");
            }
            let results = run["results"].as_array().unwrap();
            let id = |result: &Value| {
                let index = result["ruleIndex"].as_u64().unwrap() as usize;
                assert_eq!(result["ruleId"], rules[index]["id"]);
                assert_eq!(
                    result["level"],
                    rules[index]["defaultConfiguration"]["level"]
                );
                result["ruleId"].as_str().unwrap().to_owned()
            };
            results.iter().map(id).collect()
        };
        assert_eq!(ids(&report(Conclusion::Refuted, "violation")), ["DPA001"]);
        assert_eq!(
            ids(&report(Conclusion::Refuted, "not-conforming")),
            ["DPA002"]
        );
        assert_eq!(
            ids(&report(
                Conclusion::Refuted,
                "violation-given-the-recorded-noise"
            )),
            ["DPA006"]
        );
        let mut map = report(Conclusion::Refuted, "violation");
        map.json["claim"] = json!({"bound": "1", "output_metric": "l1"});
        assert_eq!(ids(&map), ["DPA005"]);
        assert_eq!(
            ids(&report(Conclusion::Inconclusive, "inconclusive")),
            ["DPA004"]
        );
        let mut contradicted = report(Conclusion::NotRefuted, "not-refuted");
        assert!(ids(&contradicted).is_empty());
        contradicted.contradiction = Some("a distance of 2".to_owned());
        assert_eq!(ids(&contradicted), ["DPA003"]);
    }

    #[test]
    fn the_place_is_the_script_from_the_root_as_a_uri() {
        let root = tempfile::tempdir().unwrap();
        let report = report(Conclusion::Refuted, "violation");
        // A file that is not there is no place.
        let log = written(&report, root.path());
        assert_eq!(log["runs"][0]["results"][0]["locations"], json!([]));
        std::fs::create_dir(root.path().join("my tests")).unwrap();
        std::fs::write(root.path().join("my tests/é.py"), "").unwrap();
        let log = written(&report, root.path());
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20tests/%C3%A9.py");
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        assert_eq!(place["region"]["startLine"], 1);
        // The same by its whole path; and nothing outside.
        let whole = root.path().join("my tests/é.py");
        let found = location(&format!("sh '{}'", whole.display()), root.path());
        assert_eq!(
            found.unwrap().physical_location.artifact_location.uri,
            "my%20tests/%C3%A9.py"
        );
        assert!(location("sh -c true", root.path()).is_none());
        let own = location("'my tests/é.py' --fast", root.path());
        assert!(own.is_some());
        let inside = root.path().join("my tests");
        std::fs::write(root.path().join("b.py"), "").unwrap();
        assert!(location("python3 ../b.py", &inside).is_none());
        assert!(location(&format!("python3 {}/b.py", root.path().display()), &inside).is_none());
    }

    #[test]
    fn a_fingerprint_is_of_the_question_and_not_of_the_answer() {
        let here = Path::new(".");
        let print = |report: &AuditReport| {
            written(report, here)["runs"][0]["results"][0]["partialFingerprints"]["assayQuestion/v1"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let first = report(Conclusion::Refuted, "violation");
        let mut again = report(Conclusion::Refuted, "violation");
        again.rows.clear();
        assert_eq!(print(&first), print(&again));
        assert_eq!(print(&first).len(), 32);
        let law = report(Conclusion::Refuted, "not-conforming");
        assert_ne!(print(&first), print(&law));
        again.question.push('!');
        assert_ne!(print(&first), print(&again));
        // What a program says is shown, and not obeyed.
        let log = written(&first, here);
        let text = log["runs"][0]["results"][0]["message"]["text"]
            .as_str()
            .unwrap();
        assert!(text.contains("output >= 1\\u{1b}"), "{text}");
    }
}
