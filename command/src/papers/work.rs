//! How long a run takes, and how much memory: what is said before the work, and refused beyond a limit.
//!
//! Both are formulas in public numbers. A time is a number of steps over a rate that was measured once, on one core of a
//! machine of 2024: another takes half as long or twice as long.

use crate::error::Error;
use dp_assay::geometry::LatticeCover;
use dp_assay::number::Rational;
use dp_assay::number::rational::shortly;
use std::f64::consts::TAU;
use std::fmt::Display;

/// What a run takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// What is done, with its numbers.
    pub what: String,
    /// How many steps.
    pub steps: u128,
    /// About how many of them are taken in a second.
    pub a_second: u128,
    /// About how many bytes are in memory at once, the records among them.
    pub bytes: u128,
}

/// Work is said beforehand from so many seconds on.
const SAID_FROM: u128 = 5;

impl Work {
    /// In words.
    pub fn in_words(&self) -> String {
        work_of(&self.what, self.steps, self.a_second)
    }

    /// Refuses more steps than the limit; `remedy` is what lowers them.
    pub fn within(self, limit: u128, remedy: &str) -> Result<Self, Error> {
        if self.steps <= limit {
            return Ok(self);
        }
        Err(Error::Usage(format!(
            "{}: more than --limit {limit}: {remedy}, or raise --limit; the guarantee of privacy stays",
            self.in_words()
        )))
    }

    /// About how many seconds it takes.
    pub fn seconds(&self) -> u128 {
        self.steps / self.a_second
    }

    /// Whether it takes so long that it is said beforehand.
    pub fn is_long(&self) -> bool {
        is_long(self.steps, self.a_second)
    }
}

/// Whether so many steps at this pace take so long that it is said beforehand.
pub fn is_long(steps: u128, a_second: u128) -> bool {
    steps >= SAID_FROM.saturating_mul(a_second)
}

/// About so many bytes records of so many coordinates take: their numbers, and what holds them together.
pub fn bytes_of_records(records: usize, coordinates: usize) -> u128 {
    records as u128 * (8 * coordinates as u128 + 80)
}

/// About so many steps are taken in a second, as measured on one core.
pub const STEPS_A_SECOND: u128 = 1_000_000_000;

/// Where no option says how many, a descent takes no more steps, and a choice has no more candidates, than take about so long.
/// More would lower bound and error, the error by little but on hard records (`experiments/results/near-linear.md`).
pub const SECONDS_UNLESS_TOLD: u128 = 10;

/// The most steps that are taken unless told otherwise: not many more than a minute.
pub const DEFAULT_LIMIT: u128 = 60 * STEPS_A_SECOND;

/// About how many steps it takes to score the points of the cover on so many records. It is gone through twice, line by
/// line. A line costs a record a step a point, but at most 16; and each point costs 8 steps besides, as measured.
pub fn steps(cover: &LatticeCover, points: u128, records: usize) -> u128 {
    // The mean length of a line through a ball, near enough.
    let radius = (cover.squared_bound() as f64).sqrt();
    let length = radius * (TAU / (cover.dimension() as f64 + 1.0)).sqrt();
    let of_a_point = 8.0 + records as f64 * (16.0 / length).min(1.0);
    (2.0 * points as f64 * of_a_point) as u128
}

/// A cover that a learner goes through, as its options have it.
pub struct Covered<'a> {
    /// The most steps.
    pub limit: u128,
    /// The dimension of the cover.
    pub dimension: usize,
    /// Its radius.
    pub radius: &'a Rational,
    /// The grid of the records.
    pub grid_bits: u32,
    /// What else helps where it is too large.
    pub instead: &'static str,
}

impl Covered<'_> {
    /// The work on so many records in words; more than the limit is refused.
    pub fn work(
        &self,
        cover: &LatticeCover,
        points: u128,
        records: usize,
    ) -> Result<String, Error> {
        let steps = steps(cover, points, records);
        let what = format!("{points} points of the cover on {records} records");
        let work = work_of(&what, steps, STEPS_A_SECOND);
        if steps > self.limit {
            return Err(self.above_limit(&format!("{work},")));
        }
        Ok(work)
    }

    /// The error for so many points.
    pub fn too_large(&self, points: impl Display) -> Error {
        self.above_limit(&format!("{points} points of the cover"))
    }

    /// The error for more work than the limit allows, with the options that help.
    fn above_limit(&self, work: &str) -> Error {
        Error::Usage(format!(
            "{work} are more than --limit {}: lower --dimension (here {}), raise --radius (here {}), or raise --limit; \
             the guarantee of privacy stays, that of accuracy need not{}",
            self.limit,
            self.dimension,
            shortly(self.radius),
            self.instead
        ))
    }

    /// The error for scores that are too large.
    pub fn overflow(&self) -> Error {
        Error::Usage(format!(
            "a score might not fit in 64 bits: lower --grid-bits (here {}) or raise --radius (here {})",
            self.grid_bits,
            shortly(self.radius)
        ))
    }
}

/// The work of `what` in words, for so many steps at this pace.
pub fn work_of(what: &str, steps: u128, a_second: u128) -> String {
    format!(
        "{what}, some {:.1e} steps, {}",
        steps as f64,
        in_words(steps / a_second)
    )
}

/// So many seconds, roughly.
fn in_words(seconds: u128) -> String {
    match seconds {
        0 => "less than a second".to_owned(),
        1..120 => format!("about {seconds} s"),
        120..7200 => format!("about {} minutes", seconds / 60),
        7200..172_800 => format!("about {} hours", seconds / 3600),
        _ => format!("about {} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    #[test]
    fn short_lines_cost_a_step_a_point_and_long_ones_less() {
        let cover = |radius| LatticeCover::rounding(3, &radius).unwrap();
        let short = cover(ratio(1, 2));
        let points = short.count_at_most(1 << 20).unwrap();
        assert_eq!(steps(&short, points, 100), 2 * points * 108);
        let long = cover(ratio(1, 1000));
        let points = long.count_at_most(1 << 40).unwrap();
        assert!(steps(&long, points, 100) < points * 25);
    }

    #[test]
    fn seconds_are_said_in_words() {
        for (seconds, words) in [
            (0, "less than a second"),
            (119, "about 119 s"),
            (7199, "about 119 minutes"),
            (7200, "about 2 hours"),
            (1 << 20, "about 12 days"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
