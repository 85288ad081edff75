//! How many outputs a program may be asked for at once: as many as it is sure to answer within the deadline, and as we
//! can hold.
//!
//! Of a dataset that is new, one output. Then up to eight times as many as it has answered at once, but no more than
//! would take an eighth of the deadline, or fill [`REPLY_BYTES`], at the pace of the request before. So a program that takes
//! seconds for each output is asked for a few, and one that takes microseconds for thousands.

use serde_json::Value;
use std::time::Duration;

/// How many times as many outputs the next request may be for, and the part of the deadline that it may take.
const GROWTH: usize = 8;
/// The bytes of a reply that are meant to be held at once; a reply may be longer if its outputs suddenly are.
const REPLY_BYTES: usize = 1 << 24;
/// An audit goes to and fro between two datasets.
const REMEMBERED: usize = 2;

/// The pace of the last requests on the last datasets.
#[derive(Debug, Default)]
pub(super) struct Pace(Vec<Known>);

/// What is known of a dataset.
#[derive(Debug)]
struct Known {
    data: Value,
    last: Answered,
    /// The most outputs that were answered at once.
    most: usize,
}

/// A request that was answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answered {
    /// The outputs.
    pub outputs: usize,
    /// All bytes, with those of traces.
    pub bytes: usize,
    /// From the request to the last byte.
    pub time: Duration,
}

impl Pace {
    /// The most outputs to ask for on `data`, at least one.
    pub(super) fn at_once(&self, data: &Value, deadline: Duration) -> usize {
        let Some(known) = self.0.iter().find(|known| known.data == *data) else {
            return 1;
        };
        let reply = known.last;
        let fits = deadline.as_secs_f64() / GROWTH as f64 / reply.time.as_secs_f64().max(1e-9);
        let in_time = (fits * reply.outputs as f64) as usize;
        let in_room = REPLY_BYTES / (reply.bytes / reply.outputs.max(1)).max(1);
        let grown = known.most.saturating_mul(GROWTH);
        grown.min(in_time).min(in_room).max(1)
    }

    /// Remembers the last reply on `data`.
    pub(super) fn answered(&mut self, data: &Value, reply: Answered) {
        // The least recently asked is the first: it is forgotten if there is no room.
        let known = match self.0.iter().position(|known| known.data == *data) {
            Some(place) => {
                let known = self.0.remove(place);
                Known {
                    last: reply,
                    most: known.most.max(reply.outputs),
                    ..known
                }
            }
            None => Known {
                data: data.clone(),
                last: reply,
                most: reply.outputs,
            },
        };
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MINUTE: Duration = Duration::from_secs(60);

    fn after(outputs: usize, bytes: usize, time: Duration) -> usize {
        let mut pace = Pace::default();
        let reply = Answered {
            outputs,
            bytes,
            time,
        };
        pace.answered(&json!([1]), reply);
        pace.at_once(&json!([1]), MINUTE)
    }

    #[test]
    fn a_quick_program_is_asked_for_eight_times_as_many_and_a_slow_one_for_what_fits() {
        assert_eq!(Pace::default().at_once(&json!([1]), MINUTE), 1);
        assert_eq!(after(4, 8, Duration::from_micros(10)), 32);
        // An eighth of a minute is 7.5 s.
        assert_eq!(after(100, 200, Duration::from_secs(5)), 150);
        assert_eq!(after(1, 2, Duration::from_secs(50)), 1);
    }

    #[test]
    fn long_outputs_are_asked_for_one_by_one() {
        let short = Duration::from_millis(1);
        assert_eq!(after(1000, 16_000_000, short), 1048);
        assert_eq!(after(2, 20 << 20, short), 1);
    }

    #[test]
    fn another_dataset_is_another_pace() {
        let mut pace = Pace::default();
        let reply = |outputs| Answered {
            outputs,
            bytes: 0,
            time: Duration::ZERO,
        };
        for (data, outputs) in [(1, 10), (2, 20), (1, 30)] {
            pace.answered(&json!(data), reply(outputs));
        }
        let next = |pace: &Pace, data: i32| pace.at_once(&json!(data), MINUTE);
        assert_eq!(
            (next(&pace, 1), next(&pace, 2), next(&pace, 3)),
            (240, 160, 1)
        );
        // The rest of a batch does not slow down the next one.
        pace.answered(&json!(1), reply(1));
        assert_eq!(next(&pace, 1), 240);
        pace.answered(&json!(3), reply(1));
        // Only the last two are remembered: 1 was asked after 2.
        assert_eq!(
            (next(&pace, 1), next(&pace, 2), next(&pace, 3)),
            (240, 1, 8)
        );
    }
}
