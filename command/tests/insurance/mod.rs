//! Records of the shape of the insurance ones, and the program of the test on them: of the command, and of the experiments.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A reproducible stream of numbers in [0, 1).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        // Knuth's MMIX generator.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}

/// `n` insurance records, with CRLF, in which smokers are charged more; then one record twice, and one whose
/// inputs have two charges.
pub fn insurance(n: usize) -> String {
    let mut numbers = Numbers(1);
    let mut text = "age,sex,bmi,children,smoker,region,charges\r\n".to_owned();
    let mut last = String::new();
    for _ in 0..n {
        let smoker = ["no", "yes"][numbers.below(2)];
        let age = 18 + numbers.below(47);
        let charges = 2000.0 + 250.0 * age as f64 + if smoker == "yes" { 20_000.0 } else { 0.0 };
        last = format!(
            "{age},{},{:.2},{},{smoker},{}",
            ["female", "male"][numbers.below(2)],
            16.0 + 30.0 * numbers.next(),
            numbers.below(6),
            ["northeast", "northwest", "southeast", "southwest"][numbers.below(4)],
        );
        write!(text, "{last},{charges:.2}\r\n").unwrap();
    }
    write!(
        text,
        "{last},1000\r\n19,male,30.59,0,no,northwest,1639.5\r\n"
    )
    .unwrap();
    text + "19,male,30.59,0,no,northwest,1639.5\r\n"
}

pub fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(crate::PROGRAM);
    command
        .current_dir(directory)
        .args(arguments)
        .output()
        .unwrap()
}

pub fn prints(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Expects status 2, nothing printed, and no file more than before; returns the message.
pub fn refuses(directory: &Path, arguments: &[&str]) -> String {
    let count = || fs::read_dir(directory).unwrap().count();
    let before = count();
    let output = run(directory, arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(count(), before, "{arguments:?}");
    message
}
