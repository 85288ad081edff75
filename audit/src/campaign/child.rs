//! A process of a campaign: what it said, how it ended, what it used.

use crate::group::Group;
use crate::input::{LastWords, read_pipe};
use crate::output::printable;
use crate::targets::cut;
use std::io::Read;
use std::ops::ControlFlow;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The longest report, in bytes: it shows two datasets of at most 64 MiB.
const LONGEST_REPORT: usize = 1 << 28;

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

/// Starts a command, and waits until it has ended and nothing that it started holds its output. After the limit, all of them
/// are killed.
pub fn ended(command: &mut Command, limit: Option<Duration>) -> Result<Ended, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let program = command.get_program().to_string_lossy().into_owned();
    let (mut child, mut group) =
        Group::start(command).map_err(|error| format!("cannot start '{program}': {error}"))?;
    let (out, error) = (child.stdout.take(), child.stderr.take());
    let (tell, told) = mpsc::channel();
    let (answer, complaints, killed) = thread::scope(|scope| {
        let complaints = scope.spawn(|| end_of(error));
        let group = &mut group;
        let watch = scope.spawn(move || limit.is_some_and(|limit| kill_after(group, limit, &told)));
        let answer = beginning_of(out);
        let complaints = complaints.join().unwrap_or_default();
        // It may have closed its output, and go on.
        wait_for_end(&child);
        drop(tell);
        (answer, complaints, watch.join().unwrap_or_default())
    });
    let processor_seconds = processor_seconds(&child);
    // Before it is waited for: until then nobody else has its number.
    group.let_go();
    let status = child.wait().map_err(|error| error.to_string())?;
    if let (true, Some(limit)) = (killed, limit) {
        return Err(format!("it did not end within {} s", limit.as_secs()));
    }
    Ok(Ended {
        status,
        processor_seconds,
        answer,
        complaint: last_line(&complaints.text()),
    })
}

/// Kills a process and what it has started, unless it is told before the limit that it has ended.
fn kill_after(group: &mut Group, limit: Duration, told: &mpsc::Receiver<()>) -> bool {
    let is_late = told.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
    if is_late {
        group.kill();
    }
    is_late
}

/// All that comes, up to the longest report; the rest is read and forgotten.
fn beginning_of(source: Option<impl Read>) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(source) = source else { return kept };
    read_pipe(source, |bytes| {
        let room = LONGEST_REPORT - kept.len();
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        ControlFlow::Continue(())
    });
    kept
}

/// The end of all that comes.
fn end_of(source: Option<impl Read>) -> LastWords {
    let mut last = LastWords::default();
    let Some(source) = source else { return last };
    read_pipe(source, |bytes| {
        last.add(bytes);
        ControlFlow::Continue(())
    });
    last
}

/// The last line that says something, printable; of what `assay` says of its options, the line that names the mistake.
pub fn last_line(text: &str) -> String {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    let is_hint = last.is_some_and(|last| last.starts_with("For more information"));
    let mistake = text.lines().rfind(|line| line.starts_with("error:"));
    let line = if is_hint { mistake.or(last) } else { last };
    cut(printable(line.unwrap_or_default().trim()).into_owned())
}

/// Waits until a process has ended, and leaves it to be waited for once more: until then nobody else has its number, and the
/// system keeps its account. Where the system cannot do that, nothing is waited for, and what closes its output has no limit.
#[cfg(all(unix, not(target_os = "openbsd")))]
fn wait_for_end(child: &Child) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(Pid::from_child(child)), ended));
}

#[cfg(not(all(unix, not(target_os = "openbsd"))))]
fn wait_for_end(_child: &Child) {}

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
