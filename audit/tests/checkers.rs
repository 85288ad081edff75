//! The checkers of `spec/vectors/check/` in Python and JavaScript, by the programs that run them: where one is missing, this
//! is said and its part is not tested. (`make vectors NIGHTLY=1` has the one in Rust, too.)

mod nightly;
mod programs;

use programs::{is_here, words};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A language of the checkers: the program, the ending of its files, how an adapter says its functions.
struct Language {
    program: &'static str,
    ending: &'static str,
}

/// Those whose program is here.
fn languages() -> Vec<Language> {
    let all = [("python3", "py"), ("node", "mjs")];
    let here = all.map(|(program, ending)| {
        is_here(program, &format!("check.{ending}")).then_some(Language { program, ending })
    });
    here.into_iter().flatten().collect()
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/vectors")
}

/// What a checker found: its exit status, and what it printed.
struct Found {
    status: Option<i32>,
    said: String,
}

impl Found {
    fn says(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, Some(status), "{}", self.said);
        for word in words {
            assert!(self.said.contains(word), "no {word:?} in {}", self.said);
        }
    }
}

impl Language {
    fn check(&self, folder: &Path, adapter: &Path, options: &[&str]) -> Found {
        let checker = vectors().join(format!("check/check.{}", self.ending));
        let start = words(self.program);
        let output = Command::new(&start[0])
            .args(&start[1..])
            .args([checker.as_path(), folder, adapter])
            .args(options)
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        Found {
            status: output.status.code(),
            said: String::from_utf8(said).unwrap(),
        }
    }

    /// The checker with an adapter that stands beside it, on the vectors of the repository.
    fn check_all(&self, adapter: &str) -> Found {
        let adapter = vectors().join(format!("check/{adapter}.{}", self.ending));
        // The values in JavaScript are doubles; those in Python have as many digits as are certified.
        let digits = if self.ending == "py" { 50 } else { 10 };
        let options = [&*format!("--digits={digits}")];
        self.check(&vectors().join("v1"), &adapter, &options)
    }

    /// The checker with an adapter that stands beside it, on some of those files: what the mistake of the adapter is in.
    fn check_part(&self, adapter: &str, is_taken: impl Fn(&str) -> bool) -> Found {
        let from = vectors().join("v1");
        let manifest = fs::read_to_string(from.join("MANIFEST.json")).unwrap();
        let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
        let files = manifest["files"].as_array_mut().unwrap();
        files.retain(|file| is_taken(file["path"].as_str().unwrap()));
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = file["path"].as_str().unwrap();
            let to = folder.path().join(path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from.join(path), to).unwrap();
        }
        fs::write(folder.path().join("MANIFEST.json"), manifest.to_string()).unwrap();
        let adapter = vectors().join(format!("check/{adapter}.{}", self.ending));
        let digits = if self.ending == "py" { 50 } else { 10 };
        let options = [&*format!("--digits={digits}")];
        self.check(folder.path(), &adapter, &options)
    }

    /// The checker on a folder, with an adapter that is written here: in Python, or in JavaScript.
    fn check_written(
        &self,
        folder: &TempDir,
        python: &str,
        javascript: &str,
        options: &[&str],
    ) -> Found {
        let adapter = folder.path().join(format!("adapter.{}", self.ending));
        fs::write(
            &adapter,
            if self.ending == "py" {
                python
            } else {
                javascript
            },
        )
        .unwrap();
        self.check(folder.path(), &adapter, options)
    }
}

/// A folder of vectors with this file alone.
fn folder(content: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = content.to_string();
    let digest: String = Sha256::digest(&text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let files = json!({"files": [{"path": "file.json", "sha256": digest, "schema": content["schema"], "cases": 1}]});
    fs::write(folder.path().join("file.json"), text).unwrap();
    fs::write(folder.path().join("MANIFEST.json"), files.to_string()).unwrap();
    folder
}

/// The tree of one toss of a fair coin, to a depth of 3 bits.
fn fair_coin() -> Value {
    let row = |outcome| json!({"outcome": outcome, "lower": "4/8", "lo": "0.5", "hi": "0.5"});
    json!({"schema": "tape_tree_v1", "algorithm": "bernoulli", "tests": [{
        "id": "dpv:coin", "parameters": {"p": "1/2"}, "depth": 3, "planted": "none", "result": "consistent",
        "outcomes": [row("true"), row("false")], "others": {"lo": "0", "hi": "0"}, "undecided": "0/8"
    }]})
}

/// One certified delta, 1/3 to four digits.
fn third() -> Value {
    json!({"schema": "certified_values_v1", "law": "discrete-laplace", "parameters": {"scale": "2/1"}, "groups": [{
        "id": "dpv:third", "quantity": "profile",
        "values": [{"at": {"epsilon": "1/1"}, "lo": "0.3333", "hi": "0.3334", "f64": "0x1.5555555555555p-2"}]
    }]})
}

#[test]
fn our_own_samplers_agree_with_every_vector() {
    for language in languages() {
        // Two thirds of the time are for three trees in Python: they are for the night.
        let is_short = language.ending != "py" || nightly::at_night();
        let found = match is_short {
            true => language.check_all("own"),
            false => language.check_part("own", |path| path != "trees/discrete-gaussian.json"),
        };
        found.says(0, &["agreed: ", "A  ", "B  ", "C  "]);
    }
}

#[test]
fn the_planted_division_is_refuted_by_the_trees_of_its_outcomes() {
    for language in languages() {
        let is_tree = |path: &str| path == "trees/bernoulli-exp.json";
        let found = language.check_part("wrong_division", is_tree);
        for words in [
            "tree-bernoulli-exp-x=2/3-14: REFUTED: outcome false: between 6391/16384",
            "tree-bernoulli-exp-x=3/4-14: REFUTED: outcome false: between 8941/16384",
            "tree-bernoulli-exp-x=4/5-14: REFUTED: outcome false: between 7911/16384",
            "this is the tree of the mistake division",
        ] {
            found.says(1, &[words]);
        }
    }
}

#[test]
fn a_zero_that_is_drawn_twice_as_often_is_refuted() {
    for language in languages() {
        let is_tree = |path: &str| path == "trees/discrete-laplace.json";
        let found = language.check_part("wrong_zero", is_tree);
        found.says(
            1,
            &["tree-discrete-laplace-scale=2/1-14: REFUTED: outcome 0: between 6360/16384"],
        );
        found.says(1, &["this is the tree of the mistake double-zero"]);
    }
}

#[test]
fn the_template_offers_nothing_and_nothing_is_compared() {
    for language in languages() {
        language
            .check_all("template")
            .says(2, &["nothing could be compared"]);
    }
}

#[test]
fn a_coin_is_fair_or_refuted() {
    let folder = folder(&fair_coin());
    for language in languages() {
        let fair = language.check_written(
            &folder,
            "sample = lambda algorithm, parameters, bits: bits.next()",
            "export const sample = (algorithm, parameters, bits) => bits.next();",
            &[],
        );
        fair.says(0, &["C  1 of 1 compared: 1 consistent", "agreed: 1 cases"]);
        let unfair = language.check_written(
            &folder,
            "sample = lambda algorithm, parameters, bits: bits.next() and bits.next()",
            "export const sample = (algorithm, parameters, bits) => bits.next() && bits.next();",
            &[],
        );
        unfair.says(
            1,
            &["outcome true: between 2/8 = 0.250000 and 2/8 = 0.250000 on all tapes of 3 bits"],
        );
    }
}

#[test]
fn a_sampler_that_goes_on_after_the_end_of_its_tape_decides_nothing() {
    let folder = folder(&fair_coin());
    for language in languages() {
        // It reads on until a one comes, and calls the end of the tape true. No run that ended is true.
        let found = language.check_written(
            &folder,
            "def sample(algorithm, parameters, bits):\n  try:\n    while bits.next() == 0: pass\n    return False\n  except Exception: return True",
            "export function sample(algorithm, parameters, bits) { try { while (bits.next() === 0); return false; } catch { return true; } }",
            &[],
        );
        found.says(
            1,
            &["outcome true: between 0/8 = 0.000000 and 1/8 = 0.125000"],
        );
    }
}

#[test]
fn a_sampler_that_keeps_a_bit_for_later_is_no_function_of_its_bits() {
    let folder = folder(&fair_coin());
    for language in languages() {
        let found = language.check_written(
            &folder,
            "kept = []\ndef sample(algorithm, parameters, bits):\n  if kept: return kept.pop()\n  kept.append(bits.next())\n  return bits.next()",
            "const kept = [];\nexport function sample(algorithm, parameters, bits) { if (kept.length) return kept.pop(); kept.push(bits.next()); return bits.next(); }",
            &[],
        );
        found.says(1, &["it is no function of its bits"]);
    }
}

#[test]
fn a_sampler_that_stops_sooner_on_the_same_tape_is_no_function_of_its_bits() {
    let folder = folder(&fair_coin());
    for language in languages() {
        // Two bits in its first two calls, then one.
        let found = language.check_written(
            &folder,
            "calls = [0]\ndef sample(algorithm, parameters, bits):\n  calls[0] += 1\n  return bits.next() if calls[0] > 2 else bits.next() + bits.next()",
            "let calls = 0;\nexport function sample(algorithm, parameters, bits) { calls += 1; return calls > 2 ? bits.next() : bits.next() + bits.next(); }",
            &[],
        );
        found.says(1, &["asked for fewer bits on the same tape"]);
    }
}

#[test]
fn a_sampler_that_counts_its_calls_is_no_function_of_its_bits() {
    let folder = folder(&fair_coin());
    for language in languages() {
        let found = language.check_written(
            &folder,
            "calls = [0]\ndef sample(algorithm, parameters, bits):\n  calls[0] += 1\n  bits.next()\n  return calls[0] % 2",
            "let calls = 0;\nexport function sample(algorithm, parameters, bits) { calls += 1; bits.next(); return calls % 2; }",
            &[],
        );
        found.says(1, &["gave another outcome on the same tape"]);
    }
}

#[test]
fn an_outcome_that_the_law_does_not_have_is_refuted() {
    let row = |outcome| json!({"outcome": outcome, "lower": "4/8", "lo": "0.5", "hi": "0.5"});
    let mut content = fair_coin();
    content["algorithm"] = json!("uniform-below");
    content["tests"][0]["parameters"] = json!({"n": "2"});
    content["tests"][0]["outcomes"] = json!([row("0"), row("1")]);
    let folder = folder(&content);
    for language in languages() {
        // 2 comes with probability 1/8, and what is undecided hides that 0 and 1 come too seldom.
        let found = language.check_written(
            &folder,
            "def sample(algorithm, parameters, bits):\n  if bits.next() + bits.next() + bits.next() == 3: return 2\n  return bits.next()",
            "export function sample(algorithm, parameters, bits) { return bits.next() + bits.next() + bits.next() === 3 ? 2 : bits.next(); }",
            &[],
        );
        found.says(1, &["all other outcomes: between 1/8 = 0.125000 and 8/8"]);
        let half = language.check_written(
            &folder,
            "sample = lambda algorithm, parameters, bits: bits.next() / 2",
            "export const sample = (algorithm, parameters, bits) => bits.next() / 2;",
            &[],
        );
        half.says(1, &["returned 0", "which is not an integer"]);
    }
}

#[test]
fn what_takes_more_bits_than_the_tape_has_is_undecided_and_has_another_tree() {
    let folder = folder(&fair_coin());
    for language in languages() {
        // The parity of four bits: all is undecided on three.
        let (python, javascript) = (
            "sample = lambda algorithm, parameters, bits: sum(bits.next() for _ in range(4)) % 2\n",
            "export const sample = (algorithm, parameters, bits) => (bits.next() + bits.next() + bits.next() + bits.next()) % 2;\n",
        );
        language
            .check_written(&folder, python, javascript, &[])
            .says(
                2,
                &[
                    "C  0 of 1 compared: 1 undecided",
                    "nothing could be compared",
                ],
            );
        let same = language.check_written(
            &folder,
            &format!("{python}SAME_ALGORITHM = True"),
            &format!("{javascript}export const sameAlgorithm = true;"),
            &[],
        );
        same.says(1, &["its tree of 3 bits is not that of the algorithm"]);
    }
}

#[test]
fn a_delta_below_the_certified_one_is_unsound_and_one_above_is_conservative() {
    let folder = folder(&third());
    let strict: &[&str] = &["--strict"];
    for language in languages() {
        for (value, options, status, words) in [
            ("0.33335", &[][..], 0, "A  1 of 1 compared: 1 inside"),
            ("0.3", &[], 1, "below, 1 digits right, UNSOUND"),
            ("0.34", &[], 0, "A  1 of 1 compared: 1 conservative"),
            (
                "0.33329999999999",
                &[],
                0,
                "A  1 of 1 compared: 1 below by rounding",
            ),
            ("0.33329999999999", strict, 1, "UNSOUND"),
            (
                "0.3332",
                &["--digits=3"],
                0,
                "A  1 of 1 compared: 1 below by rounding",
            ),
            (
                "0.3332",
                &["--digits=4"],
                1,
                "below, 3 digits right, UNSOUND",
            ),
        ] {
            let python = format!("value = lambda law, parameters, quantity, at: '{value}'");
            let javascript = format!("export const value = () => '{value}';");
            language
                .check_written(&folder, &python, &javascript, options)
                .says(status, &[words]);
        }
        let double = language.check_written(
            &folder,
            "value = lambda *_: 1 / 3",
            "export const value = () => 1 / 3;",
            strict,
        );
        double.says(0, &["A  1 of 1 compared: 1 inside"]);
        let none = language.check_written(
            &folder,
            "value = lambda *_: float('nan')",
            "export const value = () => NaN;",
            &[],
        );
        none.says(1, &["is not a number"]);
    }
}

#[test]
fn a_probability_is_wrong_on_either_side() {
    let mut content = third();
    content["groups"][0]["quantity"] = json!("pmf");
    let folder = folder(&content);
    for language in languages() {
        let above = language.check_written(
            &folder,
            "value = lambda *_: 0.34",
            "export const value = () => 0.34;",
            &[],
        );
        above.says(1, &["above, 1 digits right"]);
    }
}

#[test]
fn tapes_are_for_the_same_algorithm_and_refusals_for_all() {
    let test = |id, p, result, sample| json!({"id": id, "parameters": {"p": p}, "tape": "40", "bits": 2, "result": result, "sample": sample, "consumed": 2});
    let mut ends = test("dpv:ends", "1/3", "ends", "true");
    ends["bits"] = json!(1);
    let tests = [
        test("dpv:two", "1/2", "valid", "false"),
        test("dpv:minus", "-1/2", "invalid", ""),
        ends,
    ];
    let folder = folder(&json!({"schema": "tape_v1", "algorithm": "bernoulli", "tests": tests}));
    for language in languages() {
        let python = "def sample(algorithm, parameters, bits):\n  if parameters['p'][0] == '-': raise ValueError('p')\n  first, second = bits.next(), bits.next()\n  return first == second\n";
        let javascript = "export function sample(algorithm, parameters, bits) { if (parameters.p[0] === '-') throw new Error('p'); return bits.next() === bits.next(); }\n";
        let other = language.check_written(&folder, python, javascript, &[]);
        other.says(0, &["1 refused", "2 not compared", "agreed: 1 cases"]);
        let same = |python: &str, javascript: &str| {
            let python = format!("{python}SAME_ALGORITHM = True\n");
            let javascript = format!("{javascript}export const sameAlgorithm = true;\n");
            language.check_written(&folder, &python, &javascript, &[])
        };
        same(python, javascript).says(0, &["1 ended, 1 refused, 1 sampled", "agreed: 3 cases"]);
        let python = python
            .replace("first == second", "first != second")
            .replace("raise", "pass #");
        let javascript = javascript
            .replace("bits.next() ===", "bits.next() !==")
            .replace("throw", "void");
        let wrong = same(&python, &javascript);
        wrong.says(
            1,
            &[
                "returned true after 2 bits; due was false after 2",
                "must be refused",
                "REFUTED: 2 of 3 cases",
            ],
        );
    }
}

#[test]
fn a_tape_counts_the_bits_and_its_end_is_no_refusal() {
    let test = |id, result| json!({"id": id, "parameters": {"p": "1/2"}, "tape": "00", "bits": 2, "result": result, "sample": "true", "consumed": 1});
    let tests = [test("dpv:one", "valid"), test("dpv:ends", "ends")];
    let folder = folder(&json!({"schema": "tape_v1", "algorithm": "bernoulli", "tests": tests}));
    for language in languages() {
        let two = language.check_written(
            &folder,
            "SAME_ALGORITHM = True\nsample = lambda algorithm, parameters, bits: bits.next() + bits.next() == 0",
            "export const sameAlgorithm = true;\nexport const sample = (algorithm, parameters, bits) => bits.next() + bits.next() === 0;",
            &[],
        );
        two.says(
            1,
            &[
                "dpv:one: REFUTED: returned true after 2 bits; due was true after 1",
                "dpv:ends: REFUTED",
            ],
        );
        let refuses = language.check_written(
            &folder,
            "SAME_ALGORITHM = True\ndef sample(algorithm, parameters, bits): raise ValueError('p')",
            "export const sameAlgorithm = true;\nexport function sample() { throw new Error('p'); }",
            &[],
        );
        refuses.says(1, &["REFUTED: 2 of 2 cases"]);
    }
}

#[test]
fn a_library_that_stops_with_an_error_is_refuted_and_what_it_does_not_offer_is_not() {
    let folder = folder(&third());
    for language in languages() {
        let stops = language.check_written(
            &folder,
            "def value(*case): raise OverflowError('too large')",
            "export function value() { throw new Error('too large'); }",
            &[],
        );
        stops.says(1, &["dpv:third epsilon=1/1: REFUTED: ", "too large"]);
        let offers_nothing = language.check_written(
            &folder,
            "def value(*case): raise NotImplementedError",
            "export function value() {}",
            &[],
        );
        offers_nothing.says(
            2,
            &[
                "A  0 of 1 compared: 1 not compared",
                "nothing could be compared",
            ],
        );
    }
}

#[test]
fn bad_files_are_named_with_their_field() {
    let changed = |change: fn(&mut Value)| {
        let mut content = fair_coin();
        change(&mut content["tests"][0]);
        folder(&content)
    };
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 5] = [
        (
            |test| drop(test.as_object_mut().unwrap().remove("depth")),
            "dpv:coin: the field depth is missing",
        ),
        (
            |test| test["depth"] = json!(99),
            "dpv:coin: the field depth is 99, not an integer from 0 to 24",
        ),
        (
            |test| test["depth"] = json!("3"),
            "dpv:coin: the field depth is \"3\", not of type",
        ),
        (
            |test| test["undecided"] = json!("one"),
            "dpv:coin: the field undecided is \"one\", not a number",
        ),
        (
            |test| test["result"] = json!("refuted"),
            "dpv:coin: the field result is not what its own numbers say",
        ),
    ];
    let (python, javascript) = (
        "sample = lambda algorithm, parameters, bits: bits.next()",
        "export const sample = (algorithm, parameters, bits) => bits.next();",
    );
    for language in languages() {
        for (change, words) in cases {
            let found = language.check_written(&changed(change), python, javascript, &[]);
            found.says(2, &["file.json: ", words]);
        }
        let folder = folder(&fair_coin());
        fs::write(
            folder.path().join("file.json"),
            fair_coin().to_string() + "\n",
        )
        .unwrap();
        let found = language.check_written(&folder, python, javascript, &[]);
        found.says(
            2,
            &["file.json: its SHA-256 is ", "not that of MANIFEST.json"],
        );
        fs::remove_file(folder.path().join("MANIFEST.json")).unwrap();
        language
            .check_written(&folder, python, javascript, &[])
            .says(2, &["MANIFEST.json"]);
        let digits = language.check_written(&folder, python, javascript, &["--digits=0"]);
        digits.says(2, &["--digits", "from 1 to 50"]);
    }
}
