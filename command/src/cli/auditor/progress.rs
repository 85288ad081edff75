//! What somebody who waits for a slow program sees on a terminal: how many calls were made, and how long the rest takes.

use crate::output;
use dp_assay_audit::refute::Phase;
use dp_assay_audit::targets::{Batch, Target, TargetError};
use serde_json::Value;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The first line comes after so long, and later ones after a quarter of the time of the phase, at least so much.
const FIRST: Duration = Duration::from_secs(2);
const NEXT: Duration = Duration::from_secs(5);

/// What is known of the phase of an audit. Lines are told to a terminal alone.
pub struct Progress(RefCell<State>);

struct State {
    phase: Option<Phase>,
    calls: u64,
    began: Instant,
    /// When the next line is due, since then.
    due: Duration,
}

impl Progress {
    pub fn new() -> Self {
        Self(RefCell::new(State {
            phase: None,
            calls: 0,
            began: Instant::now(),
            due: FIRST,
        }))
    }

    /// A phase begins.
    pub fn begin(&self, phase: Phase) {
        if phase == Phase::Confirming {
            output::progress("a violation is proved; its event is confirmed on fresh calls");
        }
        if phase == Phase::Shrinking {
            output::progress("now a smaller witness is looked for");
        }
        *self.0.borrow_mut() = State {
            phase: Some(phase),
            calls: 0,
            began: Instant::now(),
            due: FIRST,
        };
    }

    /// So many answers came.
    fn came(&self, answers: usize) {
        let mut state = self.0.borrow_mut();
        state.calls += answers as u64;
        let elapsed = state.began.elapsed();
        if elapsed >= state.due {
            output::progress(&line(state.phase, state.calls, elapsed));
            state.due = elapsed + NEXT.max(elapsed / 4);
        }
    }
}

/// The calls of a phase, and an estimate of the rest at this pace.
fn line(phase: Option<Phase>, calls: u64, elapsed: Duration) -> String {
    let took = duration(elapsed);
    match phase {
        Some(Phase::Searching { most }) => {
            format!("searching a pair: {}", of_most(calls, most, elapsed))
        }
        Some(Phase::Auditing { most }) => of_most(calls, most, elapsed),
        Some(Phase::Timing { most }) => {
            format!("with times: {}", of_most(calls, most, elapsed))
        }
        Some(Phase::Confirming) => format!("confirming: {calls} calls in {took}"),
        Some(Phase::Shrinking) => format!("shrinking: {calls} calls in {took}"),
        None => format!("{calls} calls in {took}"),
    }
}

fn of_most(calls: u64, most: u64, elapsed: Duration) -> String {
    let rest = most.saturating_sub(calls) as f64 / calls.max(1) as f64;
    // Longer than the age of the universe is not told better.
    let rest = elapsed.as_secs_f64() * rest.min(1e9);
    format!(
        "{calls} of at most {most} calls in {}, at most some {} more at this pace",
        duration(elapsed),
        duration(Duration::from_secs_f64(rest))
    )
}

/// Whole seconds, minutes or hours.
fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..=119 => format!("{seconds} s"),
        seconds @ ..=7199 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

/// A target whose answers are told.
pub struct Watched<'a> {
    pub target: &'a mut dyn Target,
    pub progress: &'a Progress,
}

impl Target for Watched<'_> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let batch = self.target.sample(data, n)?;
        self.progress.came(batch.outputs.len());
        Ok(batch)
    }

    fn timed(&mut self, data: &Value) -> Result<(Batch, u64), TargetError> {
        let (batch, time) = self.target.timed(data)?;
        self.progress.came(batch.outputs.len());
        Ok((batch, time))
    }

    fn at_once(&self, data: &Value) -> usize {
        self.target.at_once(data)
    }

    fn again(&self) -> Result<Box<dyn Target>, String> {
        self.target.again()
    }

    fn finish(&mut self) -> Result<(), TargetError> {
        self.target.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_audit::targets::{Function, Output};

    #[test]
    fn the_rest_is_estimated_by_the_pace_of_the_phase() {
        let seconds = Duration::from_secs;
        for (calls, most, took, said) in [
            (
                50,
                200,
                60,
                "50 of at most 200 calls in 60 s, at most some 3 min more at this pace",
            ),
            (
                200,
                200,
                9,
                "200 of at most 200 calls in 9 s, at most some 0 s more at this pace",
            ),
            (
                0,
                1 << 24,
                86_400,
                "0 of at most 16777216 calls in 24 h, at most some 402653184 h more at this pace",
            ),
        ] {
            assert_eq!(
                line(Some(Phase::Auditing { most }), calls, seconds(took)),
                said
            );
        }
        let shrinking = line(Some(Phase::Shrinking), 7, seconds(130));
        assert_eq!(shrinking, "shrinking: 7 calls in 2 min");
    }

    #[test]
    fn answers_are_counted_from_the_beginning_of_a_phase() {
        let progress = Progress::new();
        let mut silent = Function(|_: &Value| Ok(Output::Null));
        let mut watched = Watched {
            target: &mut silent,
            progress: &progress,
        };
        watched.sample(&Value::Null, 3).unwrap();
        progress.begin(Phase::Auditing { most: 100 });
        watched.sample(&Value::Null, 2).unwrap();
        watched.sample(&Value::Null, 2).unwrap();
        assert_eq!(progress.0.borrow().calls, 4);
    }
}
