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
