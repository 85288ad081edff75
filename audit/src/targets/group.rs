//! The process groups of the targets that run, so that none outlives an audit that is interrupted.

use std::io;
use std::process::{Child, Command};

/// A target's process, and with it what it starts.
#[derive(Debug)]
pub(super) struct Group {
    // None when it has been killed.
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

#[cfg(not(unix))]
impl Group {
    /// Starts the command; there are no groups here.
    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        Ok((command.spawn()?, Self {}))
    }

    /// Does nothing.
    pub(super) fn kill(&mut self) {}
}

#[cfg(unix)]
pub use unix::kill_targets_on_signals;

#[cfg(unix)]
mod unix {
    use super::{Child, Command, Group, io};
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::os::unix::process::CommandExt;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// The groups that run. Whoever starts or ends one holds the lock while doing so.
    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    fn running() -> MutexGuard<'static, Vec<Pid>> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Group {
        /// Starts the command in a group of its own.
        pub(in super::super) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
            let mut running = running();
            let child = command.process_group(0).spawn()?;
            let id = Pid::from_child(&child);
            running.push(id);
            Ok((child, Self { id: Some(id) }))
        }

        /// Kills the target and what it has started and left behind. Once: a number that is free may become another
        /// group's, and this one's stays taken while one of its processes runs.
        pub(in super::super) fn kill(&mut self) {
            if let Some(id) = self.id.take() {
                let mut running = running();
                running.retain(|other| *other != id);
                // There may be nobody left.
                let _ = kill_process_group(id, Signal::KILL);
            }
        }
    }

    /// An interrupt, a request to end, the end of the terminal, and a request to end at once.
    const ENDING: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];

    /// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT kill all targets before they end this process as they would have
    /// done anyway. Those that are ignored stay so: `nohup` ignores the end of the terminal, and a shell the interrupts of
    /// what it runs in the background. For a command: a library that is embedded leaves signals alone.
    ///
    /// Nothing can be done about SIGKILL; a target then sees the end of its input.
    ///
    /// # Errors
    /// What the operating system said.
    pub fn kill_targets_on_signals() -> io::Result<()> {
        let ignored = Ignored::read();
        let mut signals = Signals::new(ENDING.into_iter().filter(|signal| !ignored.has(*signal)))?;
        std::thread::spawn(move || {
            // The first one ends this process.
            if let Some(signal) = signals.forever().next() {
                // The lock is kept to the end: no target is started any more.
                let running = running();
                for id in running.iter() {
                    let _ = kill_process_group(*id, Signal::KILL);
                }
                let _ = emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        });
        Ok(())
    }

    /// The signals that this process ignores, one bit each; `None` where the system does not tell.
    struct Ignored(Option<u64>);

    impl Ignored {
        /// Linux tells.
        fn read() -> Self {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
            Self(mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()))
        }

        /// Where nobody knows, a hangup is taken to be ignored, for the sake of `nohup`.
        fn has(&self, signal: i32) -> bool {
            match self.0 {
                Some(mask) => mask >> (signal - 1) & 1 == 1,
                None => signal == SIGHUP,
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn where_nobody_knows_a_hangup_is_left_alone() {
            let ending = |ignored: Ignored| ENDING.map(|signal| ignored.has(signal));
            assert_eq!(ending(Ignored(None)), [false, false, true, false]);
            // Bit 0 is signal 1, a hangup; bits 1 and 2 are the interrupts.
            assert_eq!(ending(Ignored(Some(0b1))), [false, false, true, false]);
            assert_eq!(ending(Ignored(Some(0b110))), [true, false, false, true]);
            assert_eq!(ending(Ignored(Some(0))), [false; 4]);
        }
    }
}
