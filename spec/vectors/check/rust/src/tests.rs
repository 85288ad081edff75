//! What the checker refuses.

use crate::check::{Answer, Bits, Library, Parameters, check, double};
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{self, sink};
use std::path::PathBuf;

/// A library of one sampler, or one value.
struct Small<F> {
    sampler: F,
    same: bool,
    value: Option<&'static str>,
}

impl<F: Fn(&mut Bits) -> Result<String, String>> Library for Small<F> {
    fn same_algorithm(&self) -> bool {
        self.same
    }

    fn sample(&self, _: &str, _: &Parameters, bits: &mut Bits) -> Answer {
        Some((self.sampler)(bits))
    }

    fn value(&self, _: &str, _: &Parameters, _: &str, _: &Parameters) -> Answer {
        self.value.map(|value| Ok(value.to_owned()))
    }
}

/// An accountant of one bound.
struct Bound(&'static str);

impl Library for Bound {
    fn account(&self, _: &str, _: &Parameters, _: &str, _: &Parameters) -> Answer {
        Some(Ok(self.0.to_owned()))
    }
}

/// A folder of vectors with one file, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn of(name: &str, content: &Value) -> Self {
        let folder =
            std::env::temp_dir().join(format!("dp-assay-check-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("file.json"), content.to_string()).unwrap();
        let manifest = json!({"files": [{"path": "file.json"}]});
        std::fs::write(folder.join("MANIFEST.json"), manifest.to_string()).unwrap();
        Self(folder)
    }

    /// The lines of what is refuted, together.
    fn refutes(&self, library: &impl Library, options: &[&str]) -> Result<String, String> {
        let mut arguments = vec![self.0.to_str().unwrap().to_owned()];
        arguments.extend(options.iter().map(|option| (*option).to_owned()));
        check(&arguments, library, &mut sink()).map(|lines| lines.join("\n"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn sampler<F: Fn(&mut Bits) -> Result<String, String>>(sampler: F) -> Small<F> {
    Small {
        sampler,
        same: false,
        value: None,
    }
}

fn toss(bits: &mut Bits) -> Result<bool, String> {
    bits.bit().map_err(|_| "the tape ended".to_owned())
}

/// The tree of one toss of a fair coin, to a depth of 3 bits.
fn fair_coin() -> Value {
    let row = |outcome| json!({"outcome": outcome, "lower": "4/8", "lo": "0.5", "hi": "0.5"});
    json!({"schema": "tape_tree_v1", "algorithm": "bernoulli", "tests": [{
        "id": "dpv:coin", "parameters": {"p": "1/2"}, "depth": 3, "planted": "none", "result": "consistent",
        "outcomes": [row("true"), row("false")], "others": {"lo": "0", "hi": "0"}, "undecided": "0/8"
    }]})
}

fn says(found: Result<String, String>, words: &str) {
    let said = found.unwrap();
    assert!(said.contains(words), "no {words:?} in {said:?}");
}

#[test]
fn a_coin_is_fair_or_refuted() {
    let folder = Folder::of("coin", &fair_coin());
    let fair = sampler(|bits| Ok(toss(bits)?.to_string()));
    assert_eq!(folder.refutes(&fair, &[]), Ok(String::new()));
    let unfair = sampler(|bits| Ok((toss(bits)? && toss(bits)?).to_string()));
    says(
        folder.refutes(&unfair, &[]),
        "outcome true: between 2/8 = 0.250000 and 2/8 = 0.250000",
    );
    let third_outcome = sampler(|bits| match (toss(bits)?, toss(bits)?, toss(bits)?) {
        (true, true, true) => Ok("neither".to_owned()),
        _ => Ok(toss(bits)?.to_string()),
    });
    says(
        folder.refutes(&third_outcome, &[]),
        "all other outcomes: between 1/8 = 0.125000 and 8/8",
    );
}

/// An account of which a mistake would make 8.863.
fn an_account() -> Value {
    json!({"schema": "account_v1", "law": "poisson-gaussian", "quantity": "epsilon", "tests": [{
        "id": "dpv:account", "parameters": {}, "at": {"delta": "1/100000"}, "lo": "7.511275", "hi": "7.511277",
        "bug": "conversion", "effect": "loose", "mistaken": "8.863"
    }]})
}

#[test]
fn a_bound_below_the_lower_end_is_unsound_and_one_above_is_loose_only_if_asked() {
    let folder = Folder::of("account", &an_account());
    let unsound = "dpv:account: REFUTED: 7.51, certified from 7.511275 to 7.511277: UNSOUND; the mistake conversion gives 8.863";
    says(folder.refutes(&Bound("7.51"), &[]), unsound);
    // It has eleven digits.
    assert_eq!(
        folder.refutes(&Bound("7.5112749999"), &[]),
        Ok(String::new())
    );
    says(
        folder.refutes(&Bound("7.5112749999"), &["--strict"]),
        "UNSOUND",
    );
    for sound in ["7.511276", "7.6", "9", "inf"] {
        assert_eq!(
            folder.refutes(&Bound(sound), &[]),
            Ok(String::new()),
            "{sound}"
        );
    }
    says(
        folder.refutes(&Bound("8.863"), &["--sharp"]),
        "loose; the mistake",
    );
    assert_eq!(
        folder.refutes(&Bound("8.862"), &["--sharp"]),
        Ok(String::new())
    );
    says(
        folder.refutes(&Bound("1"), &["--bug=conversion"]),
        "UNSOUND",
    );
    let none = folder.refutes(&Bound("1"), &["--bug=orders"]);
    assert_eq!(none, Err("no case is for the mistake orders".to_owned()));
}

#[test]
fn a_sampler_that_is_no_function_of_its_bits_is_refuted() {
    let folder = Folder::of("function", &fair_coin());
    let goes_on = sampler(|bits| {
        loop {
            match toss(bits) {
                Ok(false) => {}
                Ok(true) => return Ok("false".to_owned()),
                Err(_) => return Ok("true".to_owned()),
            }
        }
    });
    says(
        folder.refutes(&goes_on, &[]),
        "outcome true: between 0/8 = 0.000000 and 1/8 = 0.125000",
    );
    let calls = Cell::new(0);
    let counts = sampler(|bits| {
        calls.set(calls.get() + 1);
        toss(bits)?;
        Ok((calls.get() % 2 == 0).to_string())
    });
    says(
        folder.refutes(&counts, &[]),
        "gave another outcome on the same tape",
    );
    let calls = Cell::new(0);
    let stops_sooner = sampler(|bits| {
        calls.set(calls.get() + 1);
        let first = toss(bits)?;
        Ok((calls.get() > 2 && first || calls.get() <= 2 && toss(bits)?).to_string())
    });
    says(
        folder.refutes(&stops_sooner, &[]),
        "asked for fewer bits on the same tape",
    );
}

#[test]
fn what_takes_more_bits_than_the_tape_has_is_undecided_and_has_another_tree() {
    let folder = Folder::of("tree", &fair_coin());
    let parity =
        |bits: &mut Bits| Ok((toss(bits)? ^ toss(bits)? ^ toss(bits)? ^ toss(bits)?).to_string());
    let undecided = folder.refutes(&sampler(parity), &[]).unwrap_err();
    assert!(
        undecided.contains("nothing could be compared"),
        "{undecided}"
    );
    let same = Small {
        same: true,
        ..sampler(parity)
    };
    says(
        folder.refutes(&same, &[]),
        "its tree is not that of the algorithm",
    );
}

#[test]
fn tapes_count_bits_and_demand_refusals() {
    let test = |id, result| {
        json!({
            "id": id, "parameters": {"p": "1/2"}, "tape": "40", "bits": 2, "result": result, "sample": "true", "consumed": 2
        })
    };
    let file = |result| json!({"schema": "tape_v1", "algorithm": "bernoulli", "tests": [test("dpv:tape", result)]});
    let second = |bits: &mut Bits| toss(bits).and(toss(bits)).map(|second| second.to_string());
    let first = |bits: &mut Bits| toss(bits).map(|first| (!first).to_string());
    let third = |bits: &mut Bits| {
        toss(bits)
            .and(toss(bits))
            .and(toss(bits))
            .map(|third| third.to_string())
    };
    let refuses = |_: &mut Bits| Err("p".to_owned());
    let [valid, invalid, ends] =
        ["valid", "invalid", "ends"].map(|result| Folder::of(result, &file(result)));
    let nothing = Ok(String::new());
    assert_eq!(
        valid.refutes(
            &Small {
                same: true,
                ..sampler(second)
            },
            &[]
        ),
        nothing
    );
    says(
        valid.refutes(
            &Small {
                same: true,
                ..sampler(first)
            },
            &[],
        ),
        "after 1 bits; due was Sample",
    );
    assert_eq!(invalid.refutes(&sampler(refuses), &[]), nothing);
    says(invalid.refutes(&sampler(second), &[]), "due was Invalid");
    assert_eq!(
        ends.refutes(
            &Small {
                same: true,
                ..sampler(third)
            },
            &[]
        ),
        nothing
    );
    says(
        ends.refutes(
            &Small {
                same: true,
                ..sampler(second)
            },
            &[],
        ),
        "due was Ends",
    );
    says(
        ends.refutes(
            &Small {
                same: true,
                ..sampler(refuses)
            },
            &[],
        ),
        "due was Ends",
    );
}

#[test]
fn a_delta_below_the_certified_one_is_unsound_and_one_above_is_conservative() {
    let file = |quantity| {
        json!({"schema": "certified_values_v1", "law": "law", "parameters": {}, "groups": [{
            "id": "dpv:third", "quantity": quantity,
            "values": [{"at": {"epsilon": "1/1"}, "lo": "0.3333", "hi": "0.3334", "f64": "0x1.5555555555555p-2"}]
        }]})
    };
    let delta = Folder::of("delta", &file("profile"));
    let pmf = Folder::of("pmf", &file("pmf"));
    let value = |value| Small {
        value: Some(value),
        ..sampler(|_| Err(String::new()))
    };
    for (given, options, due) in [
        ("0.33335", &[][..], ""),
        ("0.3", &[], "below, 1 digits right, UNSOUND"),
        ("0.34", &[], ""),
        ("0.33329999999999", &[], ""),
        ("0.33329999999999", &["--strict"], "UNSOUND"),
        ("0.3332", &["--digits=3"], ""),
        ("0.3332", &["--digits=4"], "below, 3 digits right, UNSOUND"),
        ("NaN", &[], "\"NaN\", not a number"),
        // Once the power of ten was computed first.
        ("1e999999999", &[], "whose exponent is beyond 10000"),
        (
            "1e-99999999999999999999",
            &[],
            "whose exponent is beyond 10000",
        ),
    ] {
        let found = delta.refutes(&value(given), options);
        assert_eq!(
            found.as_deref().map(str::is_empty),
            Ok(due.is_empty()),
            "{given}"
        );
        says(found, due);
    }
    says(pmf.refutes(&value("0.34"), &[]), "above, 1 digits right");
    assert_eq!(double(0.1)[..20], *"0.100000000000000005");
}

#[test]
fn bad_files_are_named_with_their_field() {
    let coin = sampler(|bits| Ok(toss(bits)?.to_string()));
    for (field, value, due) in [
        ("depth", Value::Null, "the field depth is missing"),
        (
            "depth",
            json!(99),
            "the field depth is 99, not an integer from 0 to 24",
        ),
        (
            "undecided",
            json!("one"),
            "the field undecided is \"one\", not a number",
        ),
        (
            "result",
            json!("refuted"),
            "the field result is not what its own numbers say",
        ),
    ] {
        let mut content = fair_coin();
        match value {
            Value::Null => drop(content["tests"][0].as_object_mut().unwrap().remove(field)),
            value => content["tests"][0][field] = value,
        }
        let error = Folder::of("bad", &content).refutes(&coin, &[]).unwrap_err();
        assert!(
            error.contains("file.json: ") && error.contains(due),
            "{error}"
        );
    }
    let none = check(&["/nowhere".to_owned()], &coin, &mut sink()).unwrap_err();
    assert!(none.contains("/nowhere/MANIFEST.json"), "{none}");
    assert!(check(&["a".to_owned(), "b".to_owned()], &coin, &mut sink()).is_err());
    assert!(
        check(
            &["a".to_owned(), "--digits=0".to_owned()],
            &coin,
            &mut sink()
        )
        .is_err()
    );
}

#[test]
fn a_library_that_panics_is_refuted() {
    let folder = Folder::of("panic", &fair_coin());
    let panics = sampler(|_| panic!("planted"));
    says(folder.refutes(&panics, &[]), "it panicked");
}

/// An output whose reader is gone.
struct Closed;

impl io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_is_not_read_to_the_end_has_no_verdict() {
    let folder = Folder::of("closed", &fair_coin());
    let fair = sampler(|bits| Ok(toss(bits)?.to_string()));
    let arguments = [folder.0.to_str().unwrap().to_owned()];
    let error = check(&arguments, &fair, &mut Closed).unwrap_err();
    assert!(error.contains("not read to the end"), "{error}");
}
