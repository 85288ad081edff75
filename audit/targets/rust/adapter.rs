//! Lets `assay audit` ask a Rust function for samples. Copy this file; it needs the crate `serde_json`.
//!
//! ```ignore
//! mod adapter;
//! adapter::serve(|data| Ok(json!(data.as_array().map_or(0, Vec::len) as i64 + noise()?)))
//! ```
//!
//! The mechanism takes one dataset and returns one output as JSON, or an error, which is an output too: a float with all its bits is
//! a text, as Python's `float.hex()` prints it. With `assay audit --time` each answer is stamped with the nanoseconds that the
//! mechanism took.

use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Display;
use std::io::{BufRead, Write};
use std::time::Instant;

/// Answers requests on standard input until it ends.
///
/// # Errors
/// A request that is not of the protocol, or a standard output that is closed.
pub fn serve<E: Display>(
    mut mechanism: impl FnMut(&Value) -> Result<Value, E>,
) -> Result<(), Box<dyn Error>> {
    let mut replies = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        replies.write_all(reply(&mut mechanism, &line?)?.as_bytes())?;
        replies.flush()?;
    }
    Ok(())
}

/// The lines that answer a request for samples.
///
/// # Errors
/// What is wrong with the request.
pub fn reply<E: Display>(
    mechanism: &mut impl FnMut(&Value) -> Result<Value, E>,
    line: &str,
) -> Result<String, Box<dyn Error>> {
    let request: Value = serde_json::from_str(line)?;
    if request["op"] != "sample" || request["reply"] != "lines" {
        return Err(format!("this program answers samples by lines, got: {line}").into());
    }
    let n = request["n"].as_u64().ok_or("n is a whole number")?;
    let is_timed = request["time"] == true;
    let mut text = String::new();
    for _ in 0..n {
        let start = Instant::now();
        let answer = mechanism(&request["data"]);
        let took = start.elapsed().as_nanos();
        if is_timed {
            text += &format!("{{\"time\": {took}}}\n");
        }
        let answer = answer.unwrap_or_else(|error| json!({"error": error.to_string()}));
        text += &format!("{answer}\n");
    }
    Ok(text)
}
