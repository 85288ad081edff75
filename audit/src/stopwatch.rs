//! How long something takes.

use std::time::{Duration, Instant};

/// Since when; nothing where there is no clock, as for a program in the page of a browser.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Option<Instant>);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self((!cfg!(target_family = "wasm")).then(Instant::now))
    }

    /// The time since the start; zero where there is no clock.
    pub fn elapsed(&self) -> Duration {
        self.0.map_or(Duration::ZERO, |start| start.elapsed())
    }
}
