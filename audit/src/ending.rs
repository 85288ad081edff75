//! What is done before a signal ends the process: targets are killed, temporary files removed.

use std::io;

/// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT run `action` before they end this process as they would have done anyway.
/// Those that are ignored stay so: `nohup` ignores the end of the terminal, and a shell the interrupts of what it runs in the
/// background. For a command: a library that is embedded leaves signals alone. On other systems than Unix nothing is done.
///
/// # Errors
/// What the operating system said.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "there are no such signals")
)]
pub fn before_the_end(action: fn()) -> io::Result<()> {
    #[cfg(unix)]
    unix::before_the_end(action)?;
    Ok(())
}

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::sync::{Mutex, PoisonError};

    /// What is done, in the order in which it was asked for. Empty: nobody listens for signals yet.
    static ACTIONS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

    /// An interrupt, a request to end, the end of the terminal, and a request to end at once.
    const ENDING: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];

    pub(super) fn before_the_end(action: fn()) -> io::Result<()> {
        let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
        if actions.is_empty() {
            let ignored = Ignored::read();
            let mut signals =
                Signals::new(ENDING.into_iter().filter(|signal| !ignored.has(*signal)))?;
            std::thread::spawn(move || {
                // The first one ends this process.
                if let Some(signal) = signals.forever().next() {
                    let actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
                    for action in actions.iter() {
                        action();
                    }
                    let _ = emulate_default_handler(signal);
                    std::process::exit(128 + signal);
                }
            });
        }
        if !actions.contains(&action) {
            actions.push(action);
        }
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
