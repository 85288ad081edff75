//! Runs a campaign: its mechanisms in parallel, each by `assay audit` in a process of its own.

use super::plan::{Kind, Mechanism, Plan};
use super::record::Record;
use crate::error::Error;
use crate::output::{self, Destination, printable};
use crate::targets::{cut, quoted};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The longest report, in bytes: it shows two datasets of at most 64 MiB.
const LONGEST_REPORT: usize = 1 << 28;

/// The time that a check and a `prepare` have.
const LONGEST: Duration = Duration::from_secs(3600);

/// What is kept of standard error: its end.
const KEPT: usize = 1 << 12;

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
    stop_children_on_signals()?;
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
    fs::create_dir_all(&room).map_err(|source| Error::write(&room, source))?;
    let path = room.join("record.json");
    let mut record = Record::could_not_run(&plan.library, &entry.name, String::new());
    let mut is_old = false;
    match &entry.mechanism {
        Err(reason) => record.reason.clone_from(reason),
        Ok(mechanism) => {
            let digest = mechanism.digest(&plan.directory);
            if let Some(old) = Record::read(&path, &digest, mechanism) {
                is_old = true;
                record = old;
            } else {
                record.digest = digest;
                record.claim = mechanism.claim();
                record.expected = Some(mechanism.expected.clone());
                record.level = mechanism
                    .has_level()
                    .then(|| mechanism.level())
                    .flatten()
                    .map(|level| level.to_string());
                match prepared.get_or_init(|| prepare(plan)) {
                    Err(reason) => record.reason.clone_from(reason),
                    Ok(()) => {
                        let started = Instant::now();
                        match report(plan, mechanism, &room, settings, &mut record)? {
                            Ok(report) => record.take(mechanism, report),
                            Err(reason) => record.reason = reason,
                        }
                        record.seconds = started.elapsed().as_secs_f64();
                    }
                }
            }
        }
    }
    Destination::new(&path, &[])?.write_text(&output::json(&record)?)?;
    Ok((record, is_old))
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
    let said = [ended.complaint, last_line(&ended.answer)];
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
        Kind::Audit => audit(mechanism, room)?,
    };
    let directory = plan.directory.join(&mechanism.directory);
    record.replay = replay(mechanism, &directory, &words);
    let mut command = match mechanism.kind {
        Kind::Audit => Command::new(&settings.program),
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
    let is_report = mechanism.kind == Kind::Audit || ended.status.success();
    Ok(match serde_json::from_slice(&ended.answer) {
        Ok(report @ Value::Object(_)) if is_report => Ok(report),
        _ => Err(said_of(
            "no report, and it ended",
            ended.status,
            Some(&ended.complaint).filter(|line| !line.is_empty()),
        )),
    })
}

/// The words of `assay audit` for this mechanism, after the datasets were written.
fn audit(mechanism: &Mechanism, room: &Path) -> Result<Vec<String>, Error> {
    let mut words = vec!["assay".to_owned(), "audit".to_owned()];
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

/// How a process ended, and the last thing that it said on standard error, if it said anything.
fn said_of(what: &str, status: ExitStatus, said: Option<&String>) -> String {
    match said {
        None => format!("{what} with {status}"),
        Some(said) => format!("{what} with {status}: {said}"),
    }
}

/// What a process left.
struct Ended {
    status: ExitStatus,
    /// Its standard output.
    answer: Vec<u8>,
    /// The last line of its standard error.
    complaint: String,
    /// The processor seconds of it and of what it waited for, if the system says.
    processor_seconds: Option<f64>,
}

/// Starts a command, and waits for its end, and for that of what it has started and left behind with its output. After the limit, all
/// of them are killed.
fn ended(command: &mut Command, limit: Option<Duration>) -> Result<Ended, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = start(command)?;
    let (out, error) = (child.stdout.take(), child.stderr.take());
    let (tell, told) = mpsc::channel();
    let (answer, complaints, killed) = thread::scope(|scope| {
        let complaints = scope.spawn(|| end_of(error));
        let child = &child;
        let watch = scope.spawn(move || limit.is_some_and(|limit| kill_after(child, limit, &told)));
        let answer = beginning_of(out);
        let complaints = complaints.join().unwrap_or_default();
        // It may have closed its output, and go on.
        let processor_seconds = processor_seconds_at_end(child);
        drop(tell);
        (
            answer,
            (complaints, processor_seconds),
            watch.join().unwrap_or_default(),
        )
    });
    let (complaints, processor_seconds) = complaints;
    let status = wait(&mut child)?;
    if let (true, Some(limit)) = (killed, limit) {
        return Err(format!("it did not end within {} s", limit.as_secs()));
    }
    Ok(Ended {
        status,
        processor_seconds,
        answer,
        complaint: last_line(&complaints),
    })
}

/// Kills a process and what it has started, unless it is told before the limit that it has ended.
fn kill_after(child: &Child, limit: Duration, told: &mpsc::Receiver<()>) -> bool {
    let is_late = told.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
    #[cfg(unix)]
    if is_late {
        unix::kill(child);
    }
    #[cfg(not(unix))]
    let _ = child;
    is_late
}

/// All that comes, up to the longest report; the rest is read and forgotten.
fn beginning_of(source: Option<impl Read>) -> Vec<u8> {
    let mut kept = Vec::new();
    read_all(source, |bytes| {
        let room = LONGEST_REPORT - kept.len();
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    });
    kept
}

/// The end of all that comes.
fn end_of(source: Option<impl Read>) -> Vec<u8> {
    let mut kept: Vec<u8> = Vec::new();
    read_all(source, |bytes| {
        kept.extend_from_slice(bytes);
        kept.drain(..kept.len().saturating_sub(KEPT));
    });
    kept
}

fn read_all(source: Option<impl Read>, mut taken: impl FnMut(&[u8])) {
    let Some(mut source) = source else { return };
    let mut bytes = [0; 1 << 12];
    loop {
        match source.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => taken(&bytes[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The last line that says something, printable; of what `assay` says of its options, the line that names the mistake.
fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    let is_hint = last.is_some_and(|last| last.starts_with("For more information"));
    let mistake = text.lines().rfind(|line| line.starts_with("error:"));
    let line = if is_hint { mistake.or(last) } else { last };
    cut(printable(line.unwrap_or_default().trim()).into_owned())
}

/// Starts a command in a process group of its own, so that it and what it starts can be told to end.
fn start(command: &mut Command) -> Result<Child, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    #[cfg(unix)]
    let started = unix::start(command);
    #[cfg(not(unix))]
    let started = command.spawn();
    started.map_err(|error| format!("cannot start '{program}': {error}"))
}

fn wait(child: &mut Child) -> Result<ExitStatus, String> {
    let status = child.wait().map_err(|error| error.to_string());
    #[cfg(unix)]
    unix::forget(child);
    status
}

#[cfg(target_os = "linux")]
use linux::processor_seconds_at_end;

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
fn processor_seconds_at_end(_child: &Child) -> Option<f64> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use super::Child;
    use rustix::io::retry_on_intr;
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    use std::fs;

    /// Waits for the end of a process, which stays to be waited for once more: until then the system keeps its account.
    pub(super) fn processor_seconds_at_end(child: &Child) -> Option<f64> {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        retry_on_intr(|| waitid(WaitId::Pid(Pid::from_child(child)), ended)).ok()?;
        let account = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        ticks(&account).map(|ticks| ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
    }

    /// The fields `utime`, `stime`, `cutime` and `cstime` of proc_pid_stat(5), added. The name of the program, in brackets,
    /// may have anything in it.
    pub(super) fn ticks(account: &str) -> Option<u64> {
        let (_, fields) = account.rsplit_once(')')?;
        let times: Vec<u64> = fields
            .split_whitespace()
            .skip(11)
            .take(4)
            .map(|field| field.parse().ok())
            .collect::<Option<_>>()?;
        (times.len() == 4).then(|| times.into_iter().sum())
    }
}

/// From now on the signals that end this process first end the audits that it started, which end their targets.
fn stop_children_on_signals() -> Result<(), Error> {
    #[cfg(unix)]
    unix::stop_children_on_signals()
        .map_err(|error| Error::Usage(format!("cannot listen for signals: {error}")))?;
    Ok(())
}

#[cfg(unix)]
mod unix {
    use super::{Child, Command, Mutex, PoisonError};
    use crate::ending::before_the_end;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::sync::MutexGuard;

    /// The processes that run. Each heads a group.
    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    fn running() -> MutexGuard<'static, Vec<Pid>> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn start(command: &mut Command) -> io::Result<Child> {
        let mut running = running();
        let child = command.process_group(0).spawn()?;
        running.push(Pid::from_child(&child));
        Ok(child)
    }

    pub(super) fn kill(child: &Child) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }

    pub(super) fn forget(child: &Child) {
        let id = Pid::from_child(child);
        running().retain(|other| *other != id);
    }

    /// They are asked, not killed: an audit that is killed cannot kill its target.
    pub(super) fn stop_children_on_signals() -> io::Result<()> {
        before_the_end(|| {
            // The lock is kept to the end: nothing is started any more.
            let running = std::mem::ManuallyDrop::new(running());
            for id in running.iter() {
                let _ = kill_process_group(*id, Signal::TERM);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_processor_seconds_are_those_of_the_program_and_of_what_it_started() {
        let account = "7 (a) b) S 1 7 7 0 -1 4194304 9 8 0 0 11 22 33 44 20 0 1 0 5";
        assert_eq!(linux::ticks(account), Some(110));
        assert_eq!(linux::ticks("7 (a) S 1"), None);
        // The loop runs in a shell of its own, which the first one waits for.
        let used = |loops: u32| {
            let mut command = Command::new("sh");
            let script = "sh -c 'i=0; while [ $i -lt '$0' ]; do i=$((i+1)); done'; true";
            command.args(["-c", script, &loops.to_string()]);
            ended(&mut command, None)
                .unwrap()
                .processor_seconds
                .unwrap()
        };
        // The first shell itself does as little in both.
        assert!(used(2_000_000) > used(1));
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_end_is_killed_with_what_it_started() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000000 & echo started; wait"]);
        let reason = ended(&mut command, Some(Duration::from_millis(100))).err();
        assert_eq!(reason.as_deref(), Some("it did not end within 0 s"));
    }

    #[test]
    fn the_end_of_what_is_said_is_kept_and_no_more() {
        let much = [vec![b'a'; 10 * KEPT], b"\nthe end\n\n".to_vec()].concat();
        let kept = end_of(Some(&much[..]));
        assert_eq!(kept.len(), KEPT);
        assert_eq!(last_line(&kept), "the end");
        assert_eq!(last_line(b""), "");
        let usage = b"error: unexpected argument '--epsilonn' found\n\nFor more information, try '--help'.\n";
        assert_eq!(
            last_line(usage),
            "error: unexpected argument '--epsilonn' found"
        );
    }
}
