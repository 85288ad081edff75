//! The command `assay vectors`.

use super::{data, files};
use crate::nightly;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn vectors(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(folder)
        .arg("vectors")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Where the bytes differ first, for a message that a reader can use.
fn difference(one: &[u8], other: &[u8]) -> String {
    let (one, other) = (text(one), text(other));
    let mut lines = one.lines().zip(other.lines());
    let found = lines.find(|(one, other)| one != other);
    found.map_or("one is longer".to_owned(), |(one, other)| {
        format!("{one}\n{other}")
    })
}

/// The files without those of some classes, and what the manifest says of them.
fn without(
    mut files: BTreeMap<String, Vec<u8>>,
    left_out: &[&str],
) -> (BTreeMap<String, Vec<u8>>, Vec<Value>) {
    let is_here = |path: &str| !left_out.iter().any(|folder| path.starts_with(folder));
    let manifest: Value = serde_json::from_slice(&files.remove("MANIFEST.json").unwrap()).unwrap();
    let mut entries = manifest["files"].as_array().unwrap().clone();
    entries.retain(|entry| is_here(entry["path"].as_str().unwrap()));
    files.retain(|path, _| is_here(path));
    (files, entries)
}

/// The second run has one thread. By day without the hashes of many draws and the accounts, which take nearly all of the time; at
/// night the second is without the accounts.
#[test]
fn two_runs_write_the_same_bytes_and_those_of_the_repository() {
    const QUICK: &str = "values,tapes,trees,self-test";
    let all_but_accounts = format!("{QUICK},accumulated");
    let (first_only, second_only, left_out): (&[&str], &str, &[&str]) = match nightly::at_night() {
        true => (&[], &all_but_accounts, &[]),
        false => (&["--only", QUICK], QUICK, &["accumulated/", "accounts/"]),
    };
    let room = tempfile::tempdir().unwrap();
    let first = vectors(room.path(), &[&["--out", "first"], first_only].concat());
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let second = Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room.path())
        .env("RAYON_NUM_THREADS", "1")
        .args(["vectors", "--out", "second", "--only", second_only])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(0), "{}", text(&second.stderr));
    let first = files(&room.path().join("first"));
    let second = files(&room.path().join("second"));
    assert!(without(first.clone(), &["accounts/"]) == without(second, &[]));
    let (first, entries) = without(first, &[]);
    let (there, listed) = without(files(&data()), left_out);
    assert_eq!(entries, listed);
    let names =
        |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> { files.keys().cloned().collect() };
    assert_eq!(
        names(&first),
        names(&there),
        "write spec/vectors/v1 again: assay vectors --out DIR"
    );
    for (path, bytes) in &first {
        let old = &there[path];
        let found = difference(old, bytes);
        assert!(
            bytes == old,
            "{path} is another now; if it should be, write spec/vectors/v1 again, raise VERSION, and list what was wrong in errata.json\n{found}"
        );
    }
    // Nothing is left beside the folders.
    assert_eq!(fs::read_dir(room.path()).unwrap().count(), 2);
}

#[test]
fn one_class_is_written_alone_into_an_empty_folder() {
    let room = tempfile::tempdir().unwrap();
    fs::create_dir(room.path().join("empty")).unwrap();
    let output = vectors(
        room.path(),
        &["--out", "empty", "--only", "tapes,self-test"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let written = files(&room.path().join("empty"));
    assert_eq!(written.len(), 8);
    let there = files(&data());
    for (path, bytes) in &written {
        if path == "MANIFEST.json" {
            assert!(!text(bytes).contains("values/"), "of other classes");
        } else {
            assert!(there.get(path) == Some(bytes), "{path}");
        }
    }
}

/// It can't be replaced, which was noticed only after all the work. In a name space of our own, where that is allowed.
#[test]
#[cfg(target_os = "linux")]
fn a_mount_point_is_refused_before_the_work() {
    let room = tempfile::tempdir().unwrap();
    fs::create_dir(room.path().join("mount")).unwrap();
    let script = "mount -t tmpfs none mount || exit 77; exec \"$0\" vectors --out mount";
    let output = Command::new("unshare")
        .current_dir(room.path())
        .args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_assay")])
        .output();
    let Ok(output) = output else {
        return eprintln!("skipped: unshare is not here");
    };
    let error = text(&output.stderr);
    if output.status.code() == Some(77) || error.contains("unshare") {
        return eprintln!("skipped: nothing can be mounted here: {error}");
    }
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot be replaced"), "{error}");
}
