//! The command `assay vectors`.

use super::{data, files};
use crate::nightly;
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

/// The second run has one thread. By day without the hashes of many draws, which take nine tenths of the time.
#[test]
fn two_runs_write_the_same_bytes_and_those_of_the_repository() {
    let at_night = nightly::at_night();
    let only: &[&str] = match at_night {
        true => &[],
        false => &["--only", "values,tapes,trees,self-test"],
    };
    let room = tempfile::tempdir().unwrap();
    let first = vectors(room.path(), &[&["--out", "first"], only].concat());
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let second = Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(room.path())
        .env("RAYON_NUM_THREADS", "1")
        .args(["vectors", "--out", "second"])
        .args(only)
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(0), "{}", text(&second.stderr));
    let mut first = files(&room.path().join("first"));
    assert_eq!(first, files(&room.path().join("second")));
    let mut there = files(&data());
    if !at_night {
        there.retain(|path, _| !path.starts_with("accumulated/"));
        // The manifest lists other files then: those that are there, with the same words.
        let entries = |manifest: Option<Vec<u8>>| -> Vec<serde_json::Value> {
            let manifest = serde_json::from_slice::<serde_json::Value>(&manifest.unwrap());
            let files = manifest.unwrap()["files"].as_array().unwrap().clone();
            let is_here = |entry: &serde_json::Value| {
                !entry["path"].as_str().unwrap().starts_with("accumulated/")
            };
            files.into_iter().filter(is_here).collect()
        };
        let name = "MANIFEST.json";
        assert_eq!(entries(first.remove(name)), entries(there.remove(name)));
    }
    let names = |files: &std::collections::BTreeMap<String, Vec<u8>>| -> Vec<String> {
        files.keys().cloned().collect()
    };
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
