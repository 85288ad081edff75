//! `assay generate` with the records of the paper on kernels: made up, in the shape of its data.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn assay(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(directory)
        .args(arguments)
        .output()
        .unwrap()
}

fn generated(directory: &Path, arguments: &str, file: &str) -> String {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = assay(
        directory,
        &[&["generate"], &arguments[..], &["--out", file]].concat(),
    );
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {message}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("made up, public and reproducible"), "{said}");
    fs::read_to_string(directory.join(file)).unwrap()
}

#[test]
fn made_up_records_have_the_shape_and_equal_seeds_give_equal_files() {
    let room = tempfile::tempdir().unwrap();
    let at = room.path();
    let csv = generated(at, "covertype-shaped -n 50", "a.csv");
    assert_eq!(
        csv,
        generated(at, "covertype-shaped -n 50 --seed 1", "a.csv")
    );
    assert_ne!(
        csv,
        generated(at, "covertype-shaped -n 50 --seed 2", "b.csv")
    );
    assert!(csv.starts_with("x1,x2,") && csv.lines().count() == 51);
    assert!(csv.lines().all(|line| line.split(',').count() == 55));
    let sparse = generated(at, "covertype-shaped -n 50 --layout libsvm", "a.txt");
    assert_eq!(sparse.lines().count(), 50);
    for (dense, sparse) in csv.lines().skip(1).zip(sparse.lines()) {
        let label = dense.rsplit(',').next().unwrap();
        assert_eq!(sparse.split(' ').next().unwrap(), label);
    }
    let kdd = generated(at, "kdd-shaped -n 30 --margin 1/10 --noise 1/20", "k.txt");
    assert_eq!(
        kdd,
        generated(at, "kdd-shaped -n 30 --margin 0.1 --noise 0.05", "l.txt")
    );
    for line in kdd.lines() {
        assert_eq!(line.split(' ').count(), 41);
        assert!(line.ends_with(":0.158113"), "{line}");
    }
}

#[test]
fn what_cannot_be_made_is_refused_and_nothing_is_left() {
    let room = tempfile::tempdir().unwrap();
    fs::write(room.path().join("other.csv"), "a,b\n1,2\n").unwrap();
    for (arguments, part) in [
        (
            "covertype-shaped -n 0 --out a.csv",
            "a whole number from 1 to",
        ),
        ("covertype-shaped -n 5 --spread 0 --out a.csv", "--spread"),
        ("covertype-shaped -n 5 --noise 1 --out a.csv", "--noise"),
        (
            "covertype-shaped -n 5 --out other.csv",
            "a file of generated records",
        ),
        (
            "covertype-shaped -n 5 --layout libsvm --out other.csv",
            "not known to be made up",
        ),
        (
            "kdd-shaped -d 50 --out k.txt",
            "--nonzeros 40: at most half of --d, 25",
        ),
        ("kdd-shaped -n 5 --margin 1 --out k.txt", "--margin"),
        (
            "kdd-shaped -n 5 --margin 0.99 --out k.txt",
            "take a smaller margin",
        ),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = assay(room.path(), &[&["generate"], &words[..]].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        assert!(message.contains(part), "{part} in {message}");
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 1, "{arguments}");
    }
}
