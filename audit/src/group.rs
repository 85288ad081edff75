//! The process groups of what this process starts, so that nothing outlives it when it is interrupted.

use std::io;
use std::process::{Child, Command};

/// A process, and all processes that it starts.
#[derive(Debug)]
pub struct Group {
    // None when it has been killed or let go.
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

/// There are no groups here.
#[cfg(not(unix))]
impl Group {
    /// Starts the command.
    pub fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        Ok((command.spawn()?, Self {}))
    }

    /// Does nothing.
    pub fn kill(&mut self) {}

    /// Does nothing.
    pub fn let_go(&mut self) {}
}

/// From now on the signals that end this process (`before_the_end`) first kill all groups. A process calls this or
/// [`end_groups_on_signals`], not both: the first action keeps the lock to the end.
///
/// Nothing can be done about SIGKILL; a target then sees the end of its input.
///
/// # Errors
/// What the operating system said.
pub fn kill_groups_on_signals() -> io::Result<()> {
    #[cfg(unix)]
    crate::ending::before_the_end(unix::kill_all)?;
    Ok(())
}

/// From now on the signals that end this process first ask all groups to end (SIGTERM): an audit that is killed cannot kill
/// its target. Not beside [`kill_groups_on_signals`].
///
/// # Errors
/// What the operating system said.
pub fn end_groups_on_signals() -> io::Result<()> {
    #[cfg(unix)]
    crate::ending::before_the_end(unix::end_all)?;
    Ok(())
}

#[cfg(unix)]
mod unix {
    use super::{Child, Command, Group, io};
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::mem::ManuallyDrop;
    use std::os::unix::process::CommandExt;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// The groups that run. Whoever starts or kills one holds the lock while doing so.
    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    fn running() -> MutexGuard<'static, Vec<Pid>> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Group {
        /// Starts the command in a group of its own.
        pub fn start(command: &mut Command) -> io::Result<(Child, Self)> {
            let mut running = running();
            let child = command.process_group(0).spawn()?;
            let id = Pid::from_child(&child);
            running.push(id);
            Ok((child, Self { id: Some(id) }))
        }

        /// Kills the process and what it has started and left behind. Once: a number that is free may become another
        /// group's, and this one's stays taken while one of its processes runs.
        pub fn kill(&mut self) {
            if let Some(id) = self.id.take() {
                let mut running = running();
                running.retain(|other| *other != id);
                // There may be nobody left.
                let _ = kill_process_group(id, Signal::KILL);
            }
        }

        /// The process has ended, and what it left behind may go on.
        pub fn let_go(&mut self) {
            if let Some(id) = self.id.take() {
                running().retain(|other| *other != id);
            }
        }
    }

    pub(super) fn kill_all() {
        send(Signal::KILL);
    }

    pub(super) fn end_all() {
        send(Signal::TERM);
    }

    fn send(signal: Signal) {
        // The lock is kept to the end: nothing is started any more.
        let running = ManuallyDrop::new(running());
        for id in running.iter() {
            let _ = kill_process_group(*id, signal);
        }
    }
}
