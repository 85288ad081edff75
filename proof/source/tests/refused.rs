//! What the translator must refuse, and why: `snippets/refused.txt`, each beside a copy of the reference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const USES: &str = "use crate::Error;
use crate::coins::Coins;
use crate::number::{Rational, rational::integer};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
";
const MANIFEST: &str = "read lib.rs
read error.rs
read number/mod.rs
read number/rational.rs
read coins/mod.rs
read coins/layers.rs
read refused.rs
translate crate::refused::f
";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A copy of the sources of the reference.
fn sources(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/src"), &folder);
    folder
}

/// What the translator says of a file.
fn said(sources: &Path, manifest: &str, text: &str) -> (bool, String) {
    fs::write(sources.join("refused.rs"), text).unwrap();
    let file = sources.join("manifest.txt");
    fs::write(&file, manifest).unwrap();
    let found = Command::new(env!("CARGO_BIN_EXE_source-to-coq")).arg(&file).arg(sources).output().unwrap();
    (found.status.success(), String::from_utf8(found.stderr).unwrap())
}

#[test]
fn each_snippet_is_refused_for_what_it_does() {
    let sources = sources("refused");
    let text = include_str!("../snippets/refused.txt");
    let mut wrong = Vec::new();
    for snippet in text.split("=== ").skip(1) {
        let (head, body) = snippet.split_once('\n').unwrap();
        let (name, why) = head.split_once(" | ").unwrap();
        let (translated, said) = said(&sources, MANIFEST, &format!("{USES}{body}"));
        if translated || !said.contains(why) || said.contains("panicked") {
            wrong.push(format!("{name}: translated {translated}, {}", said.trim()));
        }
    }
    assert!(text.matches("=== ").count() > 40 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_function_that_only_draws_is_translated() {
    let body = "fn f(coins: &mut impl Coins) -> Result<BigInt, Error> { Ok(BigInt::from(coins.bits(3)?)) }";
    let (translated, said) = said(&sources("translated"), MANIFEST, &format!("{USES}{body}"));
    assert!(translated, "{said}");
}

#[test]
fn what_is_given_may_read_another_variable_and_not_change_it() {
    let sources = sources("given");
    let manifest = MANIFEST.replace("translate", "learners opaque\ngiven crate::refused::f x : Vec<BigInt>\ntranslate");
    for (value, refused) in
        [("y.iter().rev().cloned().collect()", false), ("{ y.push(BigInt::one()); y.clone() }", true), ("y.drain(..).collect()", true)]
    {
        let body = format!("let mut y: Vec<BigInt> = Vec::new(); y.push(BigInt::one()); let x = {value}; Ok(y[0].clone())");
        let text = format!("{USES}fn f(coins: &mut impl Coins) -> Result<BigInt, Error> {{ {body} }}");
        let (translated, said) = said(&sources, &manifest, &text);
        assert_eq!((translated, said.contains("y may be changed")), (!refused, refused), "{value}: {said}");
    }
}
