//! A program of somebody else to compare with. It is started once, and asked line by line.

use dp_assay::geometry::Record;
use dp_assay_cli::error::Error;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The program, started.
pub struct Peer {
    command: String,
    running: Mutex<Running>,
}

struct Running {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

/// The errors of the peer's model on the two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Errors {
    pub training: usize,
    pub test: usize,
}

impl Peer {
    /// Starts the program: a path, and its arguments after spaces.
    pub fn start(command: &str) -> Result<Self, Error> {
        let wrong = |reason: String| Error::Usage(format!("--peer '{command}': {reason}"));
        let mut words = command.split_whitespace();
        let program = words
            .next()
            .ok_or_else(|| wrong("it must name a program".to_owned()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| wrong(format!("it could not be started: {error}")))?;
        let to = child.stdin.take();
        let from = child
            .stdout
            .take()
            .ok_or_else(|| wrong("it has no standard output".to_owned()))?;
        Ok(Self {
            command: command.to_owned(),
            running: Mutex::new(Running {
                child,
                to,
                from: BufReader::new(from),
            }),
        })
    }

    /// Lets it learn from `training` with the budget `epsilon`, and counts its errors on both parts.
    pub fn errors(
        &self,
        [training, test]: [&[Record]; 2],
        (epsilon, seed): (f64, u64),
        one: f64,
    ) -> Result<Errors, Error> {
        let directory = tempfile::tempdir().map_err(|error| self.wrong(&error.to_string()))?;
        let paths = [("training.csv", training), ("test.csv", test)].map(|(name, records)| {
            let path = directory.path().join(name);
            write(&path, records, one).map(|()| path)
        });
        let [training_path, test_path] = paths;
        let question = json!({
            "epsilon": epsilon,
            "seed": seed,
            "training": training_path?,
            "test": test_path?,
        });
        let answer = self.ask(&question)?;
        let count = |part: &str, most: usize| {
            let found = answer[part].as_u64().map(|count| count as usize);
            found.filter(|&found| found <= most).ok_or_else(|| {
                self.wrong(&format!(
                    "it must answer {{\"training\": ERRORS, \"test\": ERRORS}}, got {answer}"
                ))
            })
        };
        Ok(Errors {
            training: count("training", training.len())?,
            test: count("test", test.len())?,
        })
    }

    fn ask(&self, question: &Value) -> Result<Value, Error> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut answer = String::new();
        let Running { to, from, .. } = &mut *running;
        let asked = to.as_mut().map_or(Ok(()), |to| {
            writeln!(to, "{question}")?;
            to.flush()
        });
        asked
            .and_then(|()| from.read_line(&mut answer))
            .map_err(|error| self.wrong(&error.to_string()))?;
        serde_json::from_str(&answer).map_err(|_| {
            self.wrong("it must answer each line of its input with a line of JSON, and did not")
        })
    }

    /// What tables call it: the name of the program's file.
    pub fn name(&self) -> String {
        let program = self.command.split_whitespace().next().unwrap_or_default();
        let name = Path::new(program).file_name().unwrap_or_default();
        format!("the peer, {}", name.to_string_lossy())
    }

    fn wrong(&self, reason: &str) -> Error {
        Error::Usage(format!("--peer '{}': {reason}", self.command))
    }
}

impl Drop for Peer {
    /// The end of its input tells it to stop.
    fn drop(&mut self) {
        let running = self.running.get_mut();
        let running = running.unwrap_or_else(PoisonError::into_inner);
        running.to = None;
        // Whether it ended well is nobody's concern any more.
        let _ = running.child.wait();
    }
}

/// A line a record: its label, 1 or -1, and its coordinates in units of `one`.
fn write(path: &Path, records: &[Record], one: f64) -> Result<(), Error> {
    let mut text = String::new();
    for record in records {
        text += if record.positive { "1" } else { "-1" };
        for &x in &record.features {
            text += &format!(",{}", x as f64 / one);
        }
        text.push('\n');
    }
    std::fs::write(path, text).map_err(|error| Error::write(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let record = |x: i64| Record {
            features: vec![x, 2],
            positive: x > 0,
        };
        vec![record(4), record(-8)]
    }

    #[test]
    fn records_are_written_in_units() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("r.csv");
        write(&path, &records(), 8.0).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text, "1,0.5,0.25\n-1,-1,0.25\n");
    }

    #[test]
    fn a_program_that_is_none_or_answers_nonsense_is_refused_by_name() {
        let refused = |command: &str| {
            let records = records();
            let peer = match Peer::start(command) {
                Ok(peer) => peer,
                Err(error) => return error.to_string(),
            };
            let parts = [&records[..], &records];
            peer.errors(parts, (1.0, 1), 8.0).unwrap_err().to_string()
        };
        assert!(refused(" ").contains("it must name a program"));
        assert!(refused("/no/such/program").starts_with("--peer '/no/such/program': it could not"));
        assert!(refused("cat").contains("it must answer {\"training\": ERRORS"));
        assert!(refused("true").starts_with("--peer 'true': "));
    }
}
