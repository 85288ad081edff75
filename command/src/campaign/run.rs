//! Runs a campaign: its mechanisms in parallel, each by a command of the auditor in a process of its own.

use super::child::{ended, last_line, said_of};
use super::plan::{Kind, Mechanism, Plan, Question};
use super::record::Record;
use crate::error::Error;
use crate::output::{self, Destination};
use dp_assay_audit::group::end_groups_on_signals;
use dp_assay_audit::targets::quoted;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a check and a `prepare` have.
const LONGEST: Duration = Duration::from_secs(3600);

/// How a campaign runs.
#[derive(Debug)]
pub struct Settings<'a> {
    /// The command `assay` itself.
    pub program: PathBuf,
    /// Where the records are, and the datasets that the plans have as text.
    pub directory: &'a Path,
    /// How many mechanisms at once, at least 1.
    pub jobs: usize,
}

/// Runs all mechanisms of all plans, and tells of each when there is a record of it, and whether that is an old one. The
/// records are in the order of the plans.
///
/// # Errors
/// If a record cannot be written: a campaign whose records are lost is worth nothing.
pub fn run(
    plans: &[Plan],
    settings: &Settings<'_>,
    told: impl Fn(&Record, bool) + Sync,
) -> Result<Vec<Record>, Error> {
    end_groups_on_signals().map_err(Error::signals)?;
    let prepared: Vec<OnceLock<Result<(), String>>> =
        plans.iter().map(|_| OnceLock::new()).collect();
    let places: Vec<(usize, usize)> = plans
        .iter()
        .enumerate()
        .flat_map(|(plan, whole)| (0..whole.entries.len()).map(move |entry| (plan, entry)))
        .collect();
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Record)>> = Mutex::new(Vec::new());
    let failed: OnceLock<Error> = OnceLock::new();
    thread::scope(|scope| {
        for _ in 0..settings.jobs.min(places.len()) {
            scope.spawn(|| {
                while failed.get().is_none() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(plan, entry)) = places.get(number) else {
                        return;
                    };
                    match one(&plans[plan], entry, &prepared[plan], settings) {
                        Ok((record, is_old)) => {
                            told(&record, is_old);
                            found
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push((number, record));
                        }
                        Err(error) => {
                            let _ = failed.set(error);
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = failed.into_inner() {
        return Err(error);
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(number, _)| *number);
    Ok(found.into_iter().map(|(_, record)| record).collect())
}

/// The record of one entry, and whether it was there already.
fn one(
    plan: &Plan,
    entry: usize,
    prepared: &OnceLock<Result<(), String>>,
    settings: &Settings<'_>,
) -> Result<(Record, bool), Error> {
    let entry = &plan.entries[entry];
    let room = settings.directory.join(&plan.library).join(&entry.name);
    output::make_directory(&room)?;
    let path = room.join("record.json");
    let (record, is_old) = match &entry.mechanism {
        Err(reason) => {
            let reason = reason.clone();
            let record = Record::could_not_run(&plan.library, &entry.name, reason);
            (record, false)
        }
        Ok(mechanism) => {
            let digest = mechanism.digest(&plan.directory);
            match Record::read(&path, &digest, mechanism) {
                Some(old) if old.is_finished() => (old, true),
                old => {
                    let mut record =
                        Record::could_not_run(&plan.library, &entry.name, String::new());
                    record.digest = digest;
                    record.attempts = old.map_or(1, |old| old.next_attempt());
                    fill(&mut record, plan, mechanism, prepared, &room, settings)?;
                    (record, false)
                }
            }
        }
    };
    Destination::new(&path, &[])?.write_text(&output::json(&record)?)?;
    Ok((record, is_old))
}

/// Asks a mechanism, and fills its record.
fn fill(
    record: &mut Record,
    plan: &Plan,
    mechanism: &Mechanism,
    prepared: &OnceLock<Result<(), String>>,
    room: &Path,
    settings: &Settings<'_>,
) -> Result<(), Error> {
    record.claim = mechanism.claim();
    record.expected = Some(mechanism.expected.clone());
    let level = mechanism.has_level().then(|| mechanism.level());
    record.level = level.flatten().map(|level| level.to_string());
    if let Err(reason) = prepared.get_or_init(|| prepare(plan)) {
        record.reason.clone_from(reason);
        return Ok(());
    }
    // Files that its words name may be there only now.
    record.digest = mechanism.digest(&plan.directory);
    let started = Instant::now();
    match report(plan, mechanism, room, settings, record)? {
        Ok(report) => record.take(mechanism, report),
        Err(reason) => record.reason = reason,
    }
    record.seconds = started.elapsed().as_secs_f64();
    Ok(())
}

/// Makes what a plan's mechanisms need.
fn prepare(plan: &Plan) -> Result<(), String> {
    let Some((program, arguments)) = plan.prepare.split_first() else {
        return Ok(());
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&plan.directory);
    let ended =
        ended(&mut command, Some(LONGEST)).map_err(|reason| format!("prepare: {reason}"))?;
    if ended.status.success() {
        return Ok(());
    }
    let said = [
        ended.complaint,
        last_line(&String::from_utf8_lossy(&ended.answer)),
    ];
    Err(said_of(
        "prepare ended",
        ended.status,
        said.iter().find(|line| !line.is_empty()),
    ))
}

/// Runs one mechanism: the report, or why there is none.
fn report(
    plan: &Plan,
    mechanism: &Mechanism,
    room: &Path,
    settings: &Settings<'_>,
    record: &mut Record,
) -> Result<Result<Value, String>, Error> {
    let words = match mechanism.kind {
        Kind::Check => mechanism.command.clone(),
        Kind::Audit(question) => audit(question, mechanism, room)?,
    };
    let directory = plan.directory.join(&mechanism.directory);
    record.replay = replay(mechanism, &directory, &words);
    let mut command = match mechanism.kind {
        Kind::Audit(_) => Command::new(&settings.program),
        Kind::Check => Command::new(&words[0]),
    };
    command
        .args(&words[1..])
        .current_dir(&directory)
        .envs(&mechanism.environment);
    if !directory.is_dir() {
        let reason = format!("directory: there is no directory {}", directory.display());
        return Ok(Err(reason));
    }
    // An audit has time limits of its own.
    let limit = (mechanism.kind == Kind::Check).then_some(LONGEST);
    let ended = match ended(&mut command, limit) {
        Ok(ended) => ended,
        Err(reason) => return Ok(Err(reason)),
    };
    record.processor_seconds = ended.processor_seconds;
    let is_report = mechanism.kind != Kind::Check || ended.status.success();
    Ok(match serde_json::from_slice(&ended.answer) {
        Ok(report @ Value::Object(_)) if is_report => Ok(report),
        _ => Err(said_of(
            "no report, and it ended",
            ended.status,
            Some(&ended.complaint).filter(|line| !line.is_empty()),
        )),
    })
}

/// The words of `assay audit`, or of another question, for this mechanism, after the datasets were written.
fn audit(question: Question, mechanism: &Mechanism, room: &Path) -> Result<Vec<String>, Error> {
    let mut words = vec!["assay".to_owned(), question.name().to_owned()];
    words.push(format!("--target={}", quoted(&mechanism.command)));
    for (option, texts) in &mechanism.files {
        let mut paths = Vec::new();
        for (number, text) in (1..).zip(texts) {
            let path = room.join(format!("{option}-{number}.json"));
            Destination::new(&path, &[])?.write_text(&format!("{text}\n"))?;
            let path = path
                .canonicalize()
                .map_err(|source| Error::read(&path, source))?;
            paths.push(path.to_string_lossy().into_owned());
        }
        if let Some(path) = paths.iter().find(|path| path.contains(',')) {
            return Err(Error::Usage(format!(
                "--out: no directory on the way may have a comma in its name, got {path}"
            )));
        }
        words.push(format!("--{option}={}", paths.join(",")));
    }
    words.extend(mechanism.words());
    words.push("--format=json".to_owned());
    Ok(words)
}

/// A command that does it again.
fn replay(mechanism: &Mechanism, directory: &Path, words: &[String]) -> String {
    // Without the "." of `./.`.
    let directory: PathBuf = directory.components().collect();
    let directory = directory.to_string_lossy().into_owned();
    let set = mechanism
        .environment
        .iter()
        .map(|(name, value)| format!("{name}={} ", quoted(std::slice::from_ref(value))));
    let environment: String = set.collect();
    format!(
        "cd {} && {environment}{}",
        quoted(&[directory]),
        quoted(words)
    )
}
