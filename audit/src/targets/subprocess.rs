//! A program in any language, asked for samples over its standard input and output.

use super::beliefs::essence;
use super::complaints::Complaints;
use super::line::excerpt;
use super::pace::{Answered, Pace};
use super::{Analyst, Asked, Batch, Line, Output, Target, TargetError, Trace};
use crate::group::Group;
use crate::hexadecimal::hexadecimal;
use crate::input::{CHUNK, read_pipe};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line of a reply, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// The most traces for each output.
const TRACES_PER_OUTPUT: usize = 16;

/// So many chunks that were read may wait: what a flood can make us hold.
const WAITING: usize = 16;

/// So many doubles whose bytes are all letters are a text.
const LEAST_TEXT: u64 = 8;

/// How the target answers, in requests and on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// One JSON value a line.
    #[default]
    Lines,
    /// Eight bytes a value: doubles, little-endian. Such a target has no errors and no traces.
    F64le,
}

impl Reply {
    fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::F64le => "f64le",
        }
    }
}

/// How a target is talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How it answers.
    pub reply: Reply,
    /// How long it has for one request; one that no clock reaches is none. [`Target::at_once`] is such that a steady
    /// program needs an eighth of it.
    pub deadline: Duration,
    /// How long it has to end after the end of its input.
    pub grace: Duration,
    /// Whether it is started once only: two starts of it are not compared ([`super::check_starts`]).
    pub one_start: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            reply: Reply::Lines,
            deadline: Duration::from_secs(60),
            grace: Duration::from_secs(10),
            one_start: false,
        }
    }
}

/// A program, started once, that answers the requests of the audit protocol.
///
/// Its standard error is passed on to ours. After any error it is killed, and asked no more.
#[derive(Debug)]
pub struct Subprocess {
    // The words that started it.
    command: Vec<OsString>,
    child: Child,
    // With its children, so that they can be ended together.
    group: Group,
    // None when its input has been closed.
    requests: Option<Sender<Vec<u8>>>,
    chunks: Receiver<Vec<u8>>,
    // What it says on its standard error.
    complaints: Complaints,
    // What has been read and not yet used, from `used` on.
    buffer: Vec<u8>,
    used: usize,
    // The times that came before the outputs of a reply, if they were asked for.
    stamps: Option<Vec<u64>>,
    // The bytes of the reply so far.
    received: usize,
    pace: Pace,
    settings: Settings,
    // Who holds sessions with it, if it answers by sessions.
    analyst: Option<Analyst>,
    asked: Option<Asked>,
    // How many outputs the last line of ours asked for.
    expected: usize,
    // The doubles so far, if each of their bytes could be one of a text.
    doubles_of_text: Option<u64>,
    // How it ended when it was told to, if not with status 0.
    end: Option<String>,
    failed: bool,
}

impl Subprocess {
    /// Starts `command`: the program and its arguments. No shell is involved.
    ///
    /// # Errors
    /// [`TargetError::Command`] without a program, [`TargetError::Start`] if it does not start.
    pub fn start(command: &[OsString], settings: Settings) -> Result<Self, TargetError> {
        let (program, arguments) = command.split_first().ok_or_else(|| TargetError::Command {
            reason: "expected a program and its arguments, got nothing".to_owned(),
        })?;
        let start = |source| TargetError::Start {
            program: program.to_string_lossy().into_owned(),
            source,
        };
        let mut starting = Command::new(program);
        starting
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (mut child, group) = Group::start(&mut starting).map_err(start)?;
        let (requests, to_write) = channel::<Vec<u8>>();
        let (filled, chunks) = sync_channel(WAITING);
        if let Some(mut input) = child.stdin.take() {
            // In a thread of its own: a target that does not read must not stop us.
            thread::spawn(move || {
                for request in to_write {
                    if input
                        .write_all(&request)
                        .and_then(|()| input.flush())
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                read_pipe(output, |chunk| match filled.send(chunk.to_vec()) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
            });
        }
        let complaints = Complaints::of(child.stderr.take());
        Ok(Self {
            command: command.to_vec(),
            child,
            group,
            complaints,
            requests: Some(requests),
            chunks,
            buffer: Vec::new(),
            used: 0,
            stamps: None,
            received: 0,
            pace: Pace::default(),
            settings,
            analyst: None,
            asked: None,
            expected: 0,
            doubles_of_text: Some(0),
            end: None,
            failed: false,
        })
    }

    /// The same program, asked by sessions with this analyst: an output is the transcript of one session.
    #[must_use]
    pub fn held_by(mut self, analyst: Analyst) -> Self {
        self.analyst = Some(analyst);
        self
    }

    /// The last request, if there was one: after an error, the one that was not answered rightly.
    #[must_use]
    pub fn asked(&self) -> Option<&Asked> {
        self.asked.as_ref()
    }

    /// What was seen that is no error, but is rarely meant: doubles that are text, and an end with another status than 0.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let text = self
            .doubles_of_text
            .is_some_and(|doubles| doubles >= LEAST_TEXT);
        let text = text.then(|| {
            "every byte of the doubles that the program answered is one of a printed text: does it answer lines, which need --reply lines?".to_owned()
        });
        let end = self.end.as_ref().map(|status| {
            format!("the program ended with {status} at the end of its input, where 0 is usual")
        });
        text.into_iter().chain(end).collect()
    }

    /// One answer to a request that is none for samples, such as `record` (see `docs/protocol.md`).
    ///
    /// # Errors
    /// As for samples. A program that is not asked for lines has no answer.
    pub fn request(&mut self, op: &'static str, data: &Value) -> Result<Output, TargetError> {
        if self.failed || self.requests.is_none() {
            return Err(TargetError::Failed);
        }
        let batch = self.ask(data, 1, |program| {
            program.exchange(json!({"op": op, "data": data}), 1)
        });
        if batch.is_err() {
            self.kill();
        }
        batch?.outputs.pop().ok_or(TargetError::Failed)
    }

    /// `n` outputs of a program that takes the seed of each request from it, and keeps nothing else from one to the next.
    ///
    /// # Errors
    /// As for [`Target::sample`].
    pub fn sample_seeded(
        &mut self,
        data: &Value,
        n: usize,
        seed: &[u8; 32],
    ) -> Result<Batch, TargetError> {
        self.sample_with(data, n, Some(seed))
    }

    fn sample_with(
        &mut self,
        data: &Value,
        n: usize,
        seed: Option<&[u8; 32]>,
    ) -> Result<Batch, TargetError> {
        if self.failed || self.requests.is_none() {
            return Err(TargetError::Failed);
        }
        let analyst = self.analyst.clone();
        let batch = self.ask(data, n, |program| match analyst {
            Some(analyst) => program.sessions(&analyst, data, n),
            None => {
                let mut request = json!({"op": "sample", "data": data});
                if let Some(seed) = seed {
                    request["seed"] = Value::from(hexadecimal(seed));
                }
                program.exchange(request, n)
            }
        });
        if batch.is_err() {
            self.kill();
        }
        batch
    }

    /// Asks for `n` outputs on `data`, and remembers how long it took.
    fn ask(
        &mut self,
        data: &Value,
        n: usize,
        answer: impl FnOnce(&mut Self) -> Result<Batch, TargetError>,
    ) -> Result<Batch, TargetError> {
        self.asked = Some(Asked {
            number: self.asked.as_ref().map_or(0, |before| before.number) + 1,
            outputs: n,
            data: data.clone(),
        });
        self.received = 0;
        let start = Instant::now();
        let batch = answer(self)?;
        let answered = Answered {
            outputs: n,
            bytes: self.received,
            time: start.elapsed(),
        };
        self.pace.answered(data, answered);
        Ok(batch)
    }

    /// Sends one line, for `n` outputs, and reads the reply.
    pub(super) fn exchange(&mut self, mut request: Value, n: usize) -> Result<Batch, TargetError> {
        self.check_quiet()?;
        let reply = self.settings.reply;
        request["n"] = n.into();
        request["reply"] = reply.name().into();
        // If it has ended its thread has too: then reading says so.
        let request = request.to_string();
        if let Some(requests) = &self.requests {
            let _ = requests.send(format!("{request}\n").into_bytes());
        }
        self.expected = n;
        let end = End::after(self.settings.deadline);
        let batch = match reply {
            Reply::Lines => self.lines(&request, n, end)?,
            Reply::F64le => self.doubles(n, end)?,
        };
        self.check_quiet()?;
        Ok(batch)
    }

    fn lines(&mut self, request: &str, n: usize, end: End) -> Result<Batch, TargetError> {
        let mut batch = Batch {
            outputs: Vec::with_capacity(n.min(CHUNK)),
            traces: Vec::new(),
        };
        let mut line: u64 = 0;
        while batch.outputs.len() < n {
            line += 1;
            let length = self.line(line, batch.outputs.len(), n, end)?;
            let bytes = &self.buffer[self.used..self.used + length];
            let text = std::str::from_utf8(bytes).map_err(|_| TargetError::Line {
                line,
                reason: "expected a JSON value in UTF-8, got other bytes".to_owned(),
            })?;
            if text == request {
                let reason = "expected an output, got the request itself".to_owned();
                return Err(TargetError::Line { line, reason });
            }
            let read = Line::read(text);
            let wrong = |reason| TargetError::Line { line, reason };
            match (&mut self.stamps, read) {
                (_, Ok(Line::Trace(said))) => {
                    if batch.traces.len() >= TRACES_PER_OUTPUT.saturating_mul(n) {
                        return Err(TargetError::Line {
                            line,
                            reason: format!(
                                "expected at most {TRACES_PER_OUTPUT} traces an output"
                            ),
                        });
                    }
                    batch.traces.push(Trace {
                        line,
                        output: batch.outputs.len(),
                        said: essence(&said),
                    });
                }
                (Some(stamps), _) if stamps.len() == batch.outputs.len() => {
                    stamps.push(Line::read_time(text).map_err(wrong)?);
                }
                (_, read) => match read.map_err(wrong)? {
                    Line::Output(output) => batch.outputs.push(output),
                    Line::Trace(_) => (),
                },
            }
            self.used += length + 1;
        }
        Ok(batch)
    }

    /// Reads until the buffer holds a whole line from `used` on: its length, without the newline.
    fn line(&mut self, line: u64, got: usize, n: usize, end: End) -> Result<usize, TargetError> {
        let mut searched = 0;
        loop {
            let unused = &self.buffer[self.used..];
            let newline = unused[searched..].iter().position(|&byte| byte == b'\n');
            let length = newline.map_or(unused.len(), |place| searched + place);
            if length > LONGEST_LINE {
                return Err(TargetError::LongLine {
                    line,
                    limit: LONGEST_LINE,
                });
            }
            if newline.is_some() {
                return Ok(length);
            }
            searched = length;
            self.more(got, n, end)?;
        }
    }

    fn doubles(&mut self, n: usize, end: End) -> Result<Batch, TargetError> {
        let mut batch = Batch {
            outputs: Vec::with_capacity(n.min(CHUNK)),
            traces: Vec::new(),
        };
        loop {
            let wanted = n - batch.outputs.len();
            let whole = (self.buffer.len() - self.used) / 8;
            let take = wanted.min(whole) * 8;
            let bytes = &self.buffer[self.used..self.used + take];
            let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
            self.doubles_of_text = self
                .doubles_of_text
                .filter(|_| bytes.iter().all(is_text))
                .map(|doubles| doubles + take as u64 / 8);
            batch.outputs.extend(bytes.chunks_exact(8).map(|eight| {
                let bits = eight
                    .iter()
                    .rev()
                    .fold(0, |bits, &byte| bits << 8 | u64::from(byte));
                Output::Float(bits)
            }));
            self.used += take;
            if batch.outputs.len() == n {
                return Ok(batch);
            }
            self.more(batch.outputs.len(), n, end)?;
        }
    }

    /// Reads more into the buffer.
    fn more(&mut self, got: usize, expected: usize, end: End) -> Result<(), TargetError> {
        match self.chunks.recv_timeout(end.left()) {
            Ok(chunk) => {
                self.keep(&chunk);
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => Err(TargetError::Deadline {
                deadline: self.settings.deadline,
                got,
                expected,
                rest: self.rest(),
            }),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.status();
                let said = self.complaints.last_line().map_or(String::new(), |line| {
                    format!("; the last line of its standard error: {line}")
                });
                Err(TargetError::Ended {
                    status,
                    said,
                    got,
                    expected,
                })
            }
        }
    }

    /// What came of an answer that is not whole, and the usual causes.
    fn rest(&self) -> String {
        let rest = &self.buffer[self.used..];
        let begins = excerpt(&String::from_utf8_lossy(&rest[..rest.len().min(200)]));
        match (self.settings.reply, rest.len()) {
            (_, 0) => "; the usual cause is output that is not flushed after each reply".to_owned(),
            (Reply::Lines, bytes) => format!(
                "; and {bytes} bytes without a newline, which begin with: {begins} (is it missing, or not flushed, or does the program answer doubles, which need --reply f64le?)"
            ),
            (Reply::F64le, bytes) => format!(
                "; and {bytes} bytes of the next double, which begin with: {begins} (are the others not flushed, or does the program answer lines, which need --reply lines?)"
            ),
        }
    }

    fn keep(&mut self, chunk: &[u8]) {
        self.buffer.drain(..self.used);
        self.used = 0;
        self.received += chunk.len();
        self.buffer.extend_from_slice(chunk);
    }

    /// Nothing may be there that was not asked for.
    fn check_quiet(&mut self) -> Result<(), TargetError> {
        if self.used == self.buffer.len() {
            match self.chunks.try_recv() {
                Ok(chunk) => self.keep(&chunk),
                Err(_) => return Ok(()),
            }
        }
        let (unit, example) = match self.settings.reply {
            Reply::F64le => ("doubles", String::new()),
            Reply::Lines => {
                let text = String::from_utf8_lossy(&self.buffer[self.used..]);
                let first = text.lines().next().unwrap_or("");
                ("lines", format!(": {}", excerpt(first)))
            }
        };
        if self.expected == 0 {
            return Err(TargetError::Unasked { example });
        }
        Err(TargetError::Flood {
            expected: self.expected,
            unit,
            example,
        })
    }

    /// The exit status in words, of a target whose output has ended.
    fn status(&mut self) -> String {
        match self.wait(Duration::from_secs(2)) {
            Some(Ok(status)) => status.to_string(),
            Some(Err(error)) => error.to_string(),
            None => "it closed its standard output and still runs".to_owned(),
        }
    }

    /// Waits at most so long for the end.
    fn wait(&mut self, at_most: Duration) -> Option<std::io::Result<ExitStatus>> {
        let end = End::after(at_most);
        let mut pause = Duration::from_micros(100);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.group.kill();
                    self.complaints.wait();
                    return Some(Ok(status));
                }
                Ok(None) if end.left() > Duration::ZERO => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn kill(&mut self) {
        self.failed = true;
        self.requests = None;
        self.group.kill();
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end of a wait; `None` if no clock reaches it.
#[derive(Debug, Clone, Copy)]
struct End(Option<Instant>);

impl End {
    fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    fn left(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| {
            end.saturating_duration_since(Instant::now())
        })
    }
}

impl Target for Subprocess {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        self.sample_with(data, n, None)
    }

    fn timed(&mut self, data: &Value) -> Result<(Batch, u64), TargetError> {
        if self.settings.reply != Reply::Lines || self.analyst.is_some() {
            let reason = "a time is a line of its own, before one output".to_owned();
            return Err(TargetError::Unstamped { reason });
        }
        if self.failed || self.requests.is_none() {
            return Err(TargetError::Failed);
        }
        self.stamps = Some(Vec::new());
        let batch = self.ask(data, 1, |program| {
            program.exchange(json!({"op": "sample", "data": data, "time": true}), 1)
        });
        let stamps = self.stamps.take().unwrap_or_default();
        if batch.is_err() {
            self.kill();
        }
        let time = stamps.first().copied().ok_or(TargetError::Failed);
        batch.and_then(|batch| Ok((batch, time?)))
    }

    fn at_once(&self, data: &Value) -> usize {
        self.pace.at_once(data, self.settings.deadline)
    }

    fn again(&self) -> Result<Box<dyn Target>, String> {
        if self.settings.one_start {
            return Err("--one-start is given".to_owned());
        }
        match Self::start(&self.command, self.settings) {
            Ok(mut again) => {
                again.analyst.clone_from(&self.analyst);
                Ok(Box::new(again))
            }
            Err(error) => Err(format!("it did not start twice: {error}")),
        }
    }

    /// Closes its input, waits for its end, and sees whether it said more than it was asked for.
    fn finish(&mut self) -> Result<(), TargetError> {
        if self.failed {
            return Err(TargetError::Failed);
        }
        self.requests = None;
        let end = End::after(self.settings.grace);
        // The end of its output is the end of it; a chunk before that is too much.
        let quiet = loop {
            if self.used < self.buffer.len() {
                break self.check_quiet();
            }
            match self.chunks.recv_timeout(end.left()) {
                Ok(chunk) => self.keep(&chunk),
                Err(_) => break Ok(()),
            }
        };
        let ended = self.wait(end.left());
        self.kill();
        quiet?;
        match ended {
            Some(status) => {
                let bad = status.ok().filter(|status| !status.success());
                self.end = bad.map(|status| status.to_string());
                Ok(())
            }
            None => Err(TargetError::Lingers {
                grace: self.settings.grace,
            }),
        }
    }
}

impl Drop for Subprocess {
    fn drop(&mut self) {
        if !self.failed {
            self.requests = None;
            let _ = self.wait(self.settings.grace);
            self.kill();
        }
    }
}

/// Why a command may not do what its author meant: it looks like text for a shell, and none reads it.
#[must_use]
pub fn meant_for_a_shell(words: &[OsString]) -> Option<String> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let sets = words.first().filter(|word| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        let mut letters = name.chars();
        letters
            .next()
            .is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    });
    let wrong = sets.or_else(|| {
        let controls = ["|", "||", "&&", ";", "<", ">"];
        words.iter().find(|word| controls.contains(&&***word))
    })?;
    Some(format!(
        "no shell reads the command, so that {wrong} is a word like others: write --target \"sh -c '…'\""
    ))
}

/// Splits a command into words as a shell does: blanks separate, '…' and "…" quote, \ escapes. Nothing is
/// expanded.
///
/// # Errors
/// [`TargetError::Command`] for a quote that is not closed, and for no words.
pub fn words(text: &str) -> Result<Vec<OsString>, TargetError> {
    let wrong = |reason: &str| TargetError::Command {
        reason: reason.to_owned(),
    };
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' => words.extend(word.take().map(OsString::from)),
            '\'' | '"' => {
                let current = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some(end) if end == letter => break,
                        Some('\\') if letter == '"' => match letters.next() {
                            Some(escaped @ ('"' | '\\' | '$' | '`')) => current.push(escaped),
                            Some(other) => current.extend(['\\', other]),
                            None => return Err(wrong("a quote is not closed")),
                        },
                        Some(other) => current.push(other),
                        None => return Err(wrong("a quote is not closed")),
                    }
                }
            }
            '\\' => match letters.next() {
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => return Err(wrong("it ends in a backslash")),
            },
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word.map(OsString::from));
    if words.is_empty() {
        return Err(wrong("expected a program and its arguments, got nothing"));
    }
    Ok(words)
}

/// Words as a shell and `--target` read them.
pub fn quoted(words: &[String]) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:,+@%".contains(letter);
    let one = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(200);

    /// Nothing here takes a minute, on however slow a machine.
    fn shell(script: &str, reply: Reply) -> Subprocess {
        let command = ["sh", "-c", script].map(OsString::from);
        let settings = Settings {
            reply,
            deadline: MINUTE,
            grace: MINUTE,
            ..Settings::default()
        };
        Subprocess::start(&command, settings).unwrap()
    }

    /// For programs that do not answer, on however quick a machine.
    fn impatient(script: &str) -> Subprocess {
        let mut target = shell(script, Reply::Lines);
        target.settings.deadline = SHORT;
        target
    }

    fn sample(script: &str, n: usize) -> Result<Batch, TargetError> {
        shell(script, Reply::Lines).sample(&Value::Null, n)
    }

    /// The children are run by a shell, and answer any request for two outputs like this.
    fn answering(lines: &str) -> String {
        format!("while read -r request; do printf '{lines}'; done")
    }

    #[test]
    fn batches_come_whole_and_the_child_is_started_once() {
        let mut target = shell(
            "count=0; while read -r request; do count=$((count+1)); echo $count; echo '[1,\"a\"]' >/dev/null; echo $count; done",
            Reply::Lines,
        );
        for count in 1..=3 {
            let batch = target.sample(&serde_json::json!([0, 1]), 2).unwrap();
            assert_eq!(batch.outputs, vec![Output::Integer(count); 2]);
        }
        target.finish().unwrap();
        assert!(matches!(
            target.sample(&Value::Null, 1),
            Err(TargetError::Failed)
        ));
    }

    #[test]
    fn the_request_is_that_of_the_protocol() {
        let script = "read -r request; echo \"$request\" | sed 's/\"/\\\\\"/g; s/^/\"/; s/$/\"/'";
        let batch = shell(script, Reply::Lines)
            .sample(&serde_json::json!([0.1, "x"]), 1)
            .unwrap();
        let Output::Label(text) = &batch.outputs[0] else {
            panic!("{batch:?}");
        };
        let request: Value = serde_json::from_str(text).unwrap();
        let expected =
            serde_json::json!({"op": "sample", "data": [0.1, "x"], "n": 1, "reply": "lines"});
        assert_eq!(request, expected);
    }

    #[test]
    fn a_command_that_is_meant_for_a_shell_is_seen() {
        for (command, wrong) in [
            ("SEED=1 python3 x.py", "SEED=1 is"),
            ("cat x | sort", "| is"),
            ("a && b", "&& is"),
        ] {
            let hint = meant_for_a_shell(&words(command).unwrap()).unwrap();
            assert!(hint.contains(wrong) && hint.contains("sh -c"), "{hint}");
        }
        for command in ["sh -c 'A=1 cat | sort'", "./a=b/run", "x --y=z", "1=2"] {
            assert_eq!(meant_for_a_shell(&words(command).unwrap()), None);
        }
    }

    #[test]
    fn what_is_rarely_meant_is_noted() {
        // Eight bytes a line: "      5\n".
        let lines = |n| format!("read -r r; yes '      5' | head -n {n}");
        let mut text = shell(&lines(8), Reply::F64le);
        text.sample(&Value::Null, 8).unwrap();
        assert!(
            text.notes()[0].contains("--reply lines"),
            "{:?}",
            text.notes()
        );
        let mut few = shell(&lines(7), Reply::F64le);
        few.sample(&Value::Null, 7).unwrap();
        assert!(few.notes().is_empty());
        let mut zeros = shell("read -r r; head -c 64 /dev/zero", Reply::F64le);
        zeros.sample(&Value::Null, 8).unwrap();
        zeros.finish().unwrap();
        assert!(zeros.notes().is_empty());
        let mut fails = shell("read -r r; echo 1; read -r r; exit 3", Reply::Lines);
        fails.sample(&Value::Null, 1).unwrap();
        fails.finish().unwrap();
        assert!(
            fails.notes()[0].contains("exit status: 3"),
            "{:?}",
            fails.notes()
        );
    }

    #[test]
    fn a_command_that_does_not_exist_does_not_start() {
        let command = words("/no/such/program --flag").unwrap();
        let error = Subprocess::start(&command, Settings::default()).unwrap_err();
        assert!(error.to_string().contains("/no/such/program"), "{error}");
    }

    #[test]
    fn a_child_that_dies_is_reported() {
        let error = sample("read -r request; echo 1; exit 3", 2).unwrap_err();
        assert!(error.to_string().contains("after 1 of 2"), "{error}");
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        let error = sample("exit 0", 2).unwrap_err();
        assert!(
            matches!(error, TargetError::Ended { got: 0, .. }),
            "{error}"
        );
        let error = sample("read -r request; printf 12", 1).unwrap_err();
        assert!(
            matches!(error, TargetError::Ended { got: 0, .. }),
            "{error}"
        );
    }

    #[test]
    fn the_last_words_of_a_child_that_dies_are_quoted_and_its_end_is_not_noted() {
        let script =
            "read -r r; echo 1; echo 'a trace' >&2; printf 'no \\033[31m luck\\n' >&2; exit 3";
        let mut target = shell(script, Reply::Lines);
        let error = target.sample(&Value::Null, 2).unwrap_err().to_string();
        let expected = "(exit status: 3) after 1 of 2 answers; the last line of its standard error: no \\u{1b}[31m luck";
        assert!(error.ends_with(expected), "{error}");
        assert!(target.notes().is_empty(), "{:?}", target.notes());
    }

    #[test]
    fn a_child_that_hangs_or_answers_short_misses_the_deadline() {
        for script in ["exec sleep 1000", &answering("1\\n")] {
            let error = impatient(script).sample(&Value::Null, 2).unwrap_err();
            assert!(matches!(error, TargetError::Deadline { .. }), "{error}");
        }
    }

    #[test]
    fn what_came_without_a_newline_is_told_at_the_deadline() {
        // It hangs after all that it says: what comes before the deadline is waited for.
        let mut target = impatient("read -r r; printf 12.5; exec sleep 1000");
        let request = target.chunks.try_recv();
        assert!(request.is_err());
        if let Some(requests) = &target.requests {
            requests.send(b"x\n".to_vec()).unwrap();
        }
        let said = target.chunks.recv().unwrap();
        target.keep(&said);
        let lines = target
            .more(0, 1, End::after(SHORT))
            .unwrap_err()
            .to_string();
        for words in ["4 bytes without a newline", "12.5", "--reply f64le"] {
            assert!(lines.contains(words), "{lines}");
        }
        target.settings.reply = Reply::F64le;
        let doubles = target
            .more(0, 1, End::after(SHORT))
            .unwrap_err()
            .to_string();
        for words in ["4 bytes of the next double", "--reply lines"] {
            assert!(doubles.contains(words), "{doubles}");
        }
        target.kill();
        let silent = impatient("exec sleep 1000")
            .sample(&Value::Null, 1)
            .unwrap_err()
            .to_string();
        assert!(silent.contains("not flushed"), "{silent}");
    }

    #[test]
    fn a_deadline_that_no_clock_reaches_is_none() {
        let endless = Settings {
            deadline: Duration::MAX,
            grace: Duration::MAX,
            ..Settings::default()
        };
        let command = ["sh", "-c", &answering("1\\n")].map(OsString::from);
        let mut target = Subprocess::start(&command, endless).unwrap();
        assert_eq!(target.sample(&Value::Null, 1).unwrap().outputs.len(), 1);
        target.finish().unwrap();
    }

    #[test]
    fn a_child_that_does_not_read_its_input_misses_the_deadline() {
        let data = Value::from("x".repeat(1 << 21));
        let error = impatient("exec sleep 1000").sample(&data, 1).unwrap_err();
        assert!(matches!(error, TargetError::Deadline { .. }), "{error}");
    }

    #[test]
    fn a_flood_is_reported() {
        let error = sample(&answering("1\\n2\\n3\\n"), 2).unwrap_err();
        assert!(
            error.to_string().contains("more than the 2 lines"),
            "{error}"
        );
        // It may be read before the request or after it.
        let error = sample("exec yes 1", 2).unwrap_err();
        let expected = matches!(
            error,
            TargetError::Flood { .. } | TargetError::Unasked { .. }
        );
        assert!(expected, "{error}");
        let mut early = shell("echo hello; exec sleep 1000", Reply::Lines);
        let hello = early.chunks.recv().unwrap();
        early.keep(&hello);
        let error = early.sample(&Value::Null, 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the target answered before it was asked: hello"
        );
        let error = sample("read -r r; head -c 3000000 /dev/zero; sleep 1000", 2).unwrap_err();
        assert!(
            matches!(error, TargetError::LongLine { line: 1, .. }),
            "{error}"
        );
        // What comes late is seen at the end.
        let mut late = shell("read -r r; echo 1; read -r r; echo 2", Reply::Lines);
        late.sample(&Value::Null, 1).unwrap();
        assert!(matches!(late.finish(), Err(TargetError::Flood { .. })));
        assert!(matches!(
            late.sample(&Value::Null, 1),
            Err(TargetError::Failed)
        ));
    }

    #[test]
    fn a_line_that_is_no_output_is_named() {
        let error = sample(&answering("1\\ngarbage\\n"), 2)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("line 2") && error.contains("expected"),
            "{error}"
        );
        let error = sample(&answering("\\377\\n"), 1).unwrap_err().to_string();
        assert!(error.contains("UTF-8"), "{error}");
    }

    #[test]
    fn outputs_of_several_kinds_are_one_reply() {
        let lines = r#"1\n"a"\nnull\n{"count":2}\ntrue\n"nan"\n"#;
        let batch = sample(&answering(lines), 6).unwrap();
        let kinds: Vec<_> = batch.outputs.iter().map(Output::kind).collect();
        use crate::targets::OutputKind as Kind;
        let expected = [
            Kind::Number,
            Kind::Label,
            Kind::Null,
            Kind::Object,
            Kind::Boolean,
            Kind::Number,
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn what_json_lacks_is_told_how_to_write() {
        for (line, right) in [
            ("True", "write true"),
            ("[1, NaN]", "write \"nan\""),
            ("[1, -Infinity]", "write \"-inf\""),
            ("None", "write null"),
        ] {
            let error = sample(&answering(&format!("{line}\\n")), 1)
                .unwrap_err()
                .to_string();
            assert!(error.contains(right), "{line}: {error}");
        }
    }

    #[test]
    fn errors_are_outputs_and_traces_stand_apart() {
        let lines = r#"{"trace":{"scale":2,"more":[1]}}\n1\n{"error":"no"}\n"#;
        let batch = sample(&answering(lines), 2).unwrap();
        assert_eq!(
            batch.outputs,
            [Output::Integer(1), Output::Error("no".into())]
        );
        assert_eq!(batch.traces.len(), 1);
        assert_eq!(batch.traces[0].output, 0);
        // Of a trace only what is read is kept.
        assert_eq!(batch.traces[0].said, serde_json::json!({"scale": 2}));
    }

    #[test]
    fn raw_doubles_keep_their_bits() {
        // 1.5, -0.0 and a NaN with a payload, little-endian.
        let script = answering(
            "\\000\\000\\000\\000\\000\\000\\370\\077\\000\\000\\000\\000\\000\\000\\000\\200\\001\\000\\000\\000\\000\\000\\370\\377",
        );
        let batch = shell(&script, Reply::F64le)
            .sample(&Value::Null, 3)
            .unwrap();
        let expected = [1.5f64.to_bits(), 1 << 63, 0xfff8_0000_0000_0001];
        assert_eq!(batch.outputs, expected.map(Output::Float));
        let error = shell(&script, Reply::F64le)
            .sample(&Value::Null, 2)
            .unwrap_err();
        assert!(matches!(error, TargetError::Flood { .. }), "{error}");
    }

    #[test]
    fn a_child_that_does_not_end_is_killed_and_reported() {
        let mut target = shell("read -r r; echo 1; exec sleep 1000", Reply::Lines);
        target.sample(&Value::Null, 1).unwrap();
        target.settings.grace = SHORT;
        assert!(matches!(target.finish(), Err(TargetError::Lingers { .. })));
    }

    /// Whether a process runs. One that has ended and was left to nobody may still be listed, as a zombie.
    #[cfg(target_os = "linux")]
    fn runs(process: &str) -> bool {
        std::fs::read_to_string(format!("/proc/{process}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z "))
    }

    /// The target leaves a process behind that holds its output, in each way of ending: what it left is killed.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_grandchild_does_not_outlive_the_audit_nor_hang_it() {
        for (after, fine) in [
            ("read -r r", true),
            ("exit 0", false),
            ("exec sleep 1000", false),
        ] {
            let before = Instant::now();
            let script = format!("sleep 1000 & read -r r; echo $!; {after}");
            let mut target = shell(&script, Reply::Lines);
            let batch = target.sample(&Value::Null, 1).unwrap();
            let Output::Integer(grandchild) = batch.outputs[0] else {
                panic!("{batch:?}");
            };
            let grandchild = grandchild.to_string();
            assert!(runs(&grandchild));
            target.settings.deadline = SHORT;
            // All of it is waited for, as the output stays open.
            target.settings.grace = Duration::from_secs(5);
            if fine {
                target.finish().unwrap();
            } else {
                assert!(target.sample(&Value::Null, 1).is_err());
            }
            // The signal is delivered before long, and the sleeps end much later.
            while runs(&grandchild) && before.elapsed() < 5 * MINUTE {
                thread::sleep(Duration::from_millis(10));
            }
            assert!(!runs(&grandchild), "{after}");
            assert!(before.elapsed() < 5 * MINUTE, "{after}");
        }
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let split = |text| words(text).unwrap();
        assert_eq!(split(" python3  a\\ b.py "), ["python3", "a b.py"]);
        assert_eq!(
            split("sh -c 'echo \"1\"' \"x\\\"y\" ''"),
            ["sh", "-c", "echo \"1\"", "x\"y", ""]
        );
        assert!(words("a 'b").is_err());
        assert!(words("  ").is_err());
    }

    #[test]
    fn words_are_quoted_so_that_they_are_read_as_they_were() {
        let words: Vec<String> = ["a-b", "", "two words", "it's", "\"$x\" \\"]
            .map(str::to_owned)
            .to_vec();
        let read = super::words(&quoted(&words)).unwrap();
        let read: Vec<String> = read
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        assert_eq!(read, words);
    }
}
