//! A process of a campaign: what it said, how it ended, what it used.

use crate::output::printable;
use dp_assay_audit::group::Group;
use dp_assay_audit::input::{LastWords, Reading};
use dp_assay_audit::targets::cut;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest report, in bytes: it shows two datasets of at most 64 MiB.
const LONGEST_REPORT: usize = 1 << 28;

/// How long the end of its output is waited for, once a process has ended: what it left behind may hold it.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a process ended, and the last thing that it said on standard error, if it said anything.
pub fn said_of(what: &str, status: ExitStatus, said: Option<&String>) -> String {
    match said {
        None => format!("{what} with {status}"),
        Some(said) => format!("{what} with {status}: {said}"),
    }
}

/// What a process left.
pub struct Ended {
    pub status: ExitStatus,
    /// Its standard output.
    pub answer: Vec<u8>,
    /// The last line of its standard error.
    pub complaint: String,
    /// The processor seconds of it and of what it waited for, if the system says.
    pub processor_seconds: Option<f64>,
}

/// Starts a command, and waits until it has ended; what it started and left behind may go on. After the limit, all of them are
/// killed.
pub fn ended(command: &mut Command, limit: Option<Duration>) -> Result<Ended, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let program = command.get_program().to_string_lossy().into_owned();
    let (mut child, mut group) =
        Group::start(command).map_err(|error| format!("cannot start '{program}': {error}"))?;
    let answer = Reading::of(child.stdout.take(), |kept: &mut Vec<u8>, bytes| {
        // All up to the longest report; the rest is read and forgotten.
        let room = LONGEST_REPORT - kept.len();
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    });
    let complaints = Reading::of(child.stderr.take(), LastWords::add);
    let ends = ends_within(&mut child, limit);
    if !matches!(ends, Ok(true)) {
        group.kill();
    }
    let processor_seconds = processor_seconds(&child);
    // Before it is waited for: until then nobody else has its number.
    group.let_go();
    let status = child.wait().map_err(|error| error.to_string())?;
    let is_in_time = ends.map_err(|error| error.to_string())?;
    if let (false, Some(limit)) = (is_in_time, limit) {
        return Err(format!("it did not end within {} s", limit.as_secs()));
    }
    answer.wait(PATIENCE);
    complaints.wait(PATIENCE);
    let complaint = last_line(&complaints.kept().text());
    Ok(Ended {
        status,
        processor_seconds,
        answer: std::mem::take(&mut answer.kept()),
        complaint,
    })
}

/// Waits until a process has ended, or no longer than this.
fn ends_within(child: &mut Child, limit: Option<Duration>) -> io::Result<bool> {
    let begin = Instant::now();
    let mut pause = Duration::from_micros(100);
    while !has_ended(child)? {
        if limit.is_some_and(|limit| begin.elapsed() >= limit) {
            return Ok(false);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    Ok(true)
}

/// The last line that says something, printable; of what `assay` says of its options, the line that names the mistake.
pub fn last_line(text: &str) -> String {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    let is_hint = last.is_some_and(|last| last.starts_with("For more information"));
    let mistake = text.lines().rfind(|line| line.starts_with("error:"));
    let line = if is_hint { mistake.or(last) } else { last };
    cut(printable(line.unwrap_or_default().trim()).into_owned())
}

/// Whether a process has ended. It stays to be waited for: until then nobody else has its number, and the system keeps its
/// account.
#[cfg(all(unix, not(target_os = "openbsd")))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let found = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(Pid::from_child(child)), options));
    Ok(found?.is_some())
}

/// Whether a process has ended, where the system does not tell without forgetting it.
#[cfg(not(all(unix, not(target_os = "openbsd"))))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// The processor seconds of a process that has ended. Other systems than Linux are not asked.
#[cfg(not(target_os = "linux"))]
fn processor_seconds(_child: &Child) -> Option<f64> {
    None
}

#[cfg(target_os = "linux")]
fn processor_seconds(child: &Child) -> Option<f64> {
    let account = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    ticks(&account).map(|ticks| ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The fields `utime`, `stime`, `cutime` and `cstime` of proc_pid_stat(5), added. The name of the program, in brackets, may have
/// anything in it.
#[cfg(target_os = "linux")]
fn ticks(account: &str) -> Option<u64> {
    let (_, fields) = account.rsplit_once(')')?;
    let times: Vec<u64> = fields
        .split_whitespace()
        .skip(11)
        .take(4)
        .map(|field| field.parse().ok())
        .collect::<Option<_>>()?;
    (times.len() == 4).then(|| times.into_iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_processor_seconds_are_those_of_the_program_and_of_what_it_started() {
        let account = "7 (a) b) S 1 7 7 0 -1 4194304 9 8 0 0 11 22 33 44 20 0 1 0 5";
        assert_eq!(ticks(account), Some(110));
        assert_eq!(ticks("7 (a) S 1"), None);
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

    /// What has left the group is not killed, and is not waited for.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_left_behind_does_not_hold_the_campaign() {
        let begin = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "setsid sleep 600 & echo said; echo why >&2"]);
        let ended = ended(&mut command, None).unwrap();
        assert_eq!(ended.answer, b"said\n");
        assert_eq!(ended.complaint, "why");
        assert!(begin.elapsed() < Duration::from_secs(500));
    }

    #[test]
    fn the_last_line_is_what_was_wrong() {
        assert_eq!(last_line("much\nthe end\n\n"), "the end");
        assert_eq!(last_line(""), "");
        let usage = "error: unexpected argument '--epsilonn' found\n\nFor more information, try '--help'.\n";
        assert_eq!(
            last_line(usage),
            "error: unexpected argument '--epsilonn' found"
        );
    }
}
