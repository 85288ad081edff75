//! How long each claim took. That is no evidence, and two runs differ in it: it stands in no file that is compared.

use crate::error::Error;
use crate::output;
use serde_json::json;
use std::time::Duration;

/// What a time is. Of the processor's time other work on the machine changes little.
pub const UNIT: &str = match cfg!(unix) {
    true => "processor seconds",
    false => "wall seconds",
};

/// How long claims took, by their ids, in the order of the pages.
#[derive(Debug, Default)]
pub struct Times(pub Vec<(String, Duration)>);

impl Times {
    /// How long this claim took, if it was measured.
    pub fn of(&self, id: &str) -> Option<Duration> {
        let found = self.0.iter().find(|(known, _)| known == id);
        found.map(|(_, time)| *time)
    }

    /// All of them, the longest first, for programs.
    pub fn json(&self) -> Result<String, Error> {
        let mut claims: Vec<&(String, Duration)> = self.0.iter().collect();
        claims.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        let claim = |(id, time): &&(String, Duration)| json!({"id": id, "seconds": seconds(*time)});
        let all = self.0.iter().map(|(_, time)| *time).sum();
        output::json(&json!({
            "unit": UNIT,
            "all": seconds(all),
            "claims": claims.iter().map(claim).collect::<Vec<_>>(),
        }))
    }
}

/// In milliseconds: more digits say nothing.
fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// What the work gives, and how long this thread was busy with it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = now();
    let found = work();
    (found, now().saturating_sub(began))
}

/// The processor's time of this thread.
#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// The time since some moment of this process.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_is_first_and_the_sum_is_there() {
        let millis = Duration::from_millis;
        let times = Times(vec![
            ("a".to_owned(), millis(5)),
            ("b".to_owned(), millis(1250)),
        ]);
        assert_eq!((times.of("a"), times.of("c")), (Some(millis(5)), None));
        let found: serde_json::Value = serde_json::from_str(&times.json().unwrap()).unwrap();
        assert_eq!(found["all"], 1.255);
        assert_eq!(found["claims"][0], json!({"id": "b", "seconds": 1.25}));
        assert_eq!(found["claims"][1]["id"], "a");
    }

    #[test]
    fn work_is_handed_back() {
        assert_eq!(timed(|| 7).0, 7);
    }
}
