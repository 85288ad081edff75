//! The process groups of the targets that run, so that none outlives an audit that is interrupted.

use std::io;
use std::process::{Child, Command};

/// A target's process, and all processes that it starts.
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
    use crate::ending::before_the_end;
    use rustix::process::{Pid, Signal, kill_process_group};
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

    /// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT kill all targets before they end this process
    /// (`before_the_end`).
    ///
    /// Nothing can be done about SIGKILL; a target then sees the end of its input.
    ///
    /// # Errors
    /// What the operating system said.
    pub fn kill_targets_on_signals() -> io::Result<()> {
        before_the_end(|| {
            // The lock is kept to the end: no target is started any more.
            let running = std::mem::ManuallyDrop::new(running());
            for id in running.iter() {
                let _ = kill_process_group(*id, Signal::KILL);
            }
        })
    }
}
