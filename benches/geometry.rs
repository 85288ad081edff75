//! What the Walsh-Hadamard transform takes, as a ratio to a plain pass over the same memory in the same run.
//!
//! `cargo bench --bench geometry`.

use dp_assay::geometry::walsh_hadamard;
use std::hint::black_box;
use std::time::Instant;

/// A level of the transform may take as long as so many passes.
const LIMIT: f64 = 3.0;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    for log in [12, 16, 20, 22] {
        transform(log);
    }
}

/// Prints the time of a level beside that of a pass that reads and writes every number: the best of several each.
fn transform(log: u32) {
    let vector: Vec<i64> = (0..1i64 << log).map(|x| x % 17 - 8).collect();
    let (mut pass, mut all) = (f64::MAX, f64::MAX);
    for _ in 0..((1 << 24) >> log).max(3) {
        let mut copy = vector.clone();
        let start = Instant::now();
        for x in &mut copy {
            *x = x.wrapping_add(3);
        }
        black_box(&mut copy);
        pass = pass.min(start.elapsed().as_secs_f64());
        let mut copy = vector.clone();
        let start = Instant::now();
        walsh_hadamard(&mut copy).expect("a power of two, and small numbers");
        black_box(&mut copy);
        all = all.min(start.elapsed().as_secs_f64());
    }
    let passes = all / pass / f64::from(log);
    println!(
        "a level of the transform of 2^{log} numbers: {passes:.2} plain passes, {:.2} of the limit of {LIMIT}",
        passes / LIMIT
    );
}
