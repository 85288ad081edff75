//! Processor time of this thread, and medians.
//!
//! Processor time, because others may be using the machine; both sides in turn, because it may get slower meanwhile.

use rustix::time::{ClockId, clock_gettime};

/// How many runs a figure is the median of.
pub const RUNS: usize = 7;

/// The least processor time of a run, in seconds.
const LEAST: f64 = 0.1;

/// Draws of one side: `run` makes `draws` of them.
pub struct Side<'a> {
    draws: f64,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Side<'a> {
    /// The side that makes `draws` draws when it is run.
    pub fn new(draws: usize, run: impl FnMut() + 'a) -> Self {
        Self {
            draws: draws as f64,
            run: Box::new(run),
        }
    }

    /// How many runs take [`LEAST`]; they warm the processor up, too.
    fn repetitions(&mut self) -> u32 {
        let mut repetitions = 1;
        loop {
            let seconds = self.seconds(repetitions);
            if seconds >= LEAST {
                return repetitions;
            }
            let wanted = 1.2 * LEAST / seconds.max(LEAST / 100.0);
            repetitions = (f64::from(repetitions) * wanted).ceil() as u32;
        }
    }

    fn seconds(&mut self, repetitions: u32) -> f64 {
        let start = thread_seconds();
        for _ in 0..repetitions {
            (self.run)();
        }
        thread_seconds() - start
    }

    fn draws_per_second(&mut self, repetitions: u32) -> f64 {
        f64::from(repetitions) * self.draws / self.seconds(repetitions)
    }
}

/// Draws a second of two sides that are run in turn.
pub struct Speeds {
    /// Our draws a second: the median.
    pub ours: f64,
    /// The peer's.
    pub peers: f64,
    /// The median of the runs' quotients.
    pub ratio: f64,
}

/// Runs both sides in turn, [`RUNS`] times each.
pub fn in_turn(mut ours: Side, mut peers: Side) -> Speeds {
    let (our_repetitions, peer_repetitions) = (ours.repetitions(), peers.repetitions());
    let runs: Vec<[f64; 2]> = (0..RUNS)
        .map(|_| {
            let peers = peers.draws_per_second(peer_repetitions);
            [ours.draws_per_second(our_repetitions), peers]
        })
        .collect();
    Speeds {
        ours: median(runs.iter().map(|run| run[0])),
        peers: median(runs.iter().map(|run| run[1])),
        ratio: median(runs.iter().map(|run| run[0] / run[1])),
    }
}

/// Draws a second of one side: the median of [`RUNS`] runs.
pub fn alone(mut side: Side) -> f64 {
    let repetitions = side.repetitions();
    median((0..RUNS).map(|_| side.draws_per_second(repetitions)))
}

/// The processor time of one run in milliseconds: the median of [`RUNS`] runs.
pub fn milliseconds(run: impl FnMut()) -> f64 {
    1000.0 / alone(Side::new(1, run))
}

/// The middle of an odd number of figures.
fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = figures.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The processor time that this thread has had.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
