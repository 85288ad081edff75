//! What an event promises: the bound on epsilon that its test would give, predicted from training outputs.

use crate::events::outputs::Outputs;
use crate::events::predicate::Predicate;
use dp_assay::stats::Side;

// Cautions: by how many standard errors of the training frequencies an estimate is moved towards "private". The best of many
// events looks better than it is: the largest of a million normal variables is about 5, of twenty about 2.

/// Among a few events.
const CAUTION: f64 = 2.0;
/// Of the searches, one each: a rare leak is passed over unless there is less.
pub const SEARCHES: [f64; 3] = [5.0, 2.0, 1.0];
/// Of the choice among the some twenty events that the searches came by. Where nothing promises anything with the first, a
/// smaller promise is better than none.
pub const CHOICES: [f64; 3] = [2.0, 1.0, 0.0];
/// Of the last fit of a threshold: some ten of its events are unlike enough to be different ones.
pub const REFIT: f64 = 2.0;

// Margins: by how much of epsilon one event must promise more than another to take its place.

/// A later feature: the simple ones come first.
pub const LATER: f64 = 0.02;
/// An interval, or a refinement by one more part: what people read gets longer.
pub const LONGER: f64 = 0.05;
/// An event in the place of the half-line of a straight line: it was found among many, and looks better than it is.
pub const LINE: f64 = 0.3;
/// A set of outcomes: it is chosen by what is expected, not by the luckiest count.
pub const EXPECTED: f64 = 0.005;

/// What an event is learned for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// The claimed delta.
    pub delta: f64,
    /// On how many calls on each dataset the event will be counted.
    pub calls: u64,
    /// The level of that test.
    pub level: f64,
}

impl Aim {
    /// The aim of an audit that trains on a quarter of its calls, `training` of them on the longer side, and
    /// spends a fifth of the level 1/20 on the event.
    #[must_use]
    pub fn after(training: usize, delta: f64) -> Self {
        Self {
            delta,
            calls: 3 * training.max(1) as u64,
            level: 0.01,
        }
    }
}

/// How often something holds under each dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; 2]);

impl Counts {
    /// How many outputs there are.
    pub fn of(outputs: Outputs<'_>) -> Self {
        Self(outputs.map(|all| all.len() as u64))
    }

    /// How many outputs satisfy the predicate.
    pub fn holding(predicate: &Predicate, outputs: Outputs<'_>) -> Self {
        Self(outputs.map(|all| predicate.count(all)))
    }

    pub fn plus(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    /// Without some that are among them.
    pub fn minus(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1]])
    }

    pub fn sum(self) -> u64 {
        self.0[0] + self.0[1]
    }

    /// The ratio of the two frequencies, smoothed.
    pub fn ratio(self, totals: Self) -> f64 {
        let rate = |side: usize| (self.0[side] as f64 + 0.5) / (totals.0[side] as f64 + 1.0);
        rate(0) / rate(1)
    }
}

/// How good an event seems.
#[derive(Debug, Clone, Copy)]
pub struct Score {
    /// Where it is the more likely.
    pub likelier: Side,
    /// The predicted bound on `e^epsilon`; nothing is promised by 1 and less.
    ratio: f64,
}

impl Score {
    /// The score of an event that promises nothing, as one that always holds: epsilon = 0. An event with a smaller
    /// prediction is no worse and no better.
    pub fn nothing() -> Self {
        Self {
            likelier: Side::First,
            ratio: 1.0,
        }
    }

    /// The predicted bound on epsilon.
    pub fn epsilon(self) -> f64 {
        self.ratio.ln()
    }

    /// Whether it promises more, by so much of epsilon.
    pub fn better_than(self, other: Self, by: f64) -> bool {
        self.ratio > other.ratio * by.exp()
    }
}

/// Predicts bounds from counts among so many training outputs.
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    delta: f64,
    /// By how many standard deviations of one call the test alone moves a frequency.
    at_the_test: f64,
    caution: f64,
    /// How many training outputs there are.
    pub totals: Counts,
    /// By how many standard deviations of one call the test and the caution move each frequency.
    shift: [f64; 2],
}

impl Judge {
    pub fn new(aim: &Aim, totals: Counts) -> Self {
        Self::cautious(aim, totals, CAUTION)
    }

    /// With a caution of so many standard errors.
    pub fn cautious(aim: &Aim, totals: Counts, caution: f64) -> Self {
        // An upper bound of the normal quantile: P(Z >= z) <= exp(-z^2/2)/2.
        let quantile = (2.0 * (0.5 / aim.level.clamp(1e-300, 0.5)).ln()).sqrt();
        let at_the_test = quantile / (aim.calls.max(1) as f64).sqrt();
        let shift = |total| moved(at_the_test, caution, total);
        Self {
            delta: aim.delta,
            at_the_test,
            caution,
            totals,
            shift: totals.0.map(shift),
        }
    }

    /// Without a test to come and without caution: what the smoothed frequencies say.
    pub fn bare(aim: &Aim, totals: Counts) -> Self {
        Self {
            at_the_test: 0.0,
            shift: [0.0; 2],
            ..Self::cautious(aim, totals, 0.0)
        }
    }

    /// The same judge of fewer training outputs.
    pub fn among(&self, totals: Counts) -> Self {
        let shift = |total| moved(self.at_the_test, self.caution, total);
        Self {
            totals,
            shift: totals.0.map(shift),
            ..*self
        }
    }

    /// The largest `E` with `p - E q - delta >= sqrt(s^2 p(1-p) + E^2 t^2 q(1-q))`: what the score test of
    /// `p <= E q + delta` would reject, if it saw frequencies like these. Both frequencies are smoothed by one
    /// occurrence, so that what was never seen is not taken for impossible.
    pub fn score(&self, counts: Counts) -> Score {
        self.expected(counts.0.map(|count| count as f64))
    }

    /// The same of counts that are expected.
    pub fn expected(&self, counts: [f64; 2]) -> Score {
        let rate = |side: usize| {
            let total = (self.totals.0[side] as f64).max(counts[side]);
            (counts[side] + 1.0) / (total + 2.0)
        };
        let rates = [rate(0), rate(1)];
        let (likelier, p, q) = if rates[1] > rates[0] {
            (Side::Second, 1, 0)
        } else {
            (Side::First, 0, 1)
        };
        let variance = |side: usize| {
            let shift = self.shift[side];
            shift * shift * rates[side] * (1.0 - rates[side])
        };
        let (above, q_rate) = (rates[p] - self.delta, rates[q]);
        let (v, w) = (variance(p), variance(q));
        // The smaller root of (q^2 - w) E^2 - 2 above q E + (above^2 - v) = 0, without cancellation.
        let c = above * above - v;
        let ratio = if above <= 0.0 || c <= 0.0 {
            0.0
        } else {
            let half_b = above * q_rate;
            let discriminant = half_b * half_b - (q_rate * q_rate - w) * c;
            c / (half_b + discriminant.max(0.0).sqrt())
        };
        Score { likelier, ratio }
    }
}

/// By how many standard deviations of one call a frequency is moved in all.
fn moved(at_the_test: f64, caution: f64, total: u64) -> f64 {
    at_the_test + caution / (total.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prediction_solves_its_equation() {
        let aim = Aim {
            delta: 0.01,
            calls: 300_000,
            level: 0.025,
        };
        let totals = Counts([100_000, 50_000]);
        let judge = Judge::new(&aim, totals);
        for counts in [[30_000, 5000], [500, 24_000], [2000, 1], [99_000, 20_000]] {
            let score = judge.score(Counts(counts));
            let (p, q) = match score.likelier {
                Side::First => (0, 1),
                Side::Second => (1, 0),
            };
            let rate = |side: usize| (counts[side] + 1) as f64 / (totals.0[side] + 2) as f64;
            let e = score.epsilon().exp();
            let variance = |s: usize| judge.shift[s].powi(2) * rate(s) * (1.0 - rate(s));
            let left = rate(p) - e * rate(q) - aim.delta;
            let right = (variance(p) + e * e * variance(q)).sqrt();
            assert!(
                rate(p) > rate(q) && (left - right).abs() < 1e-9,
                "{counts:?}"
            );
        }
    }

    #[test]
    fn rare_events_and_small_samples_promise_less() {
        let judge = |n: u64, delta| Judge::new(&Aim::after(n as usize, delta), Counts([n, n]));
        let epsilon = |n, x, y| judge(n, 0.0).score(Counts([x, y])).epsilon();
        // All of the same ratio.
        assert!(epsilon(1000, 500, 100) < epsilon(100_000, 50_000, 10_000));
        assert!(epsilon(100_000, 50_000, 10_000) < 5f64.ln());
        assert!(epsilon(100_000, 50, 10) < epsilon(100_000, 5000, 1000));
        // Three occurrences against none prove nothing.
        assert_eq!(epsilon(100_000, 3, 0), f64::NEG_INFINITY);
        assert!(epsilon(100_000, 100, 0) > 2.0);
        // Nor does what the delta allows.
        assert_eq!(
            judge(1000, 0.2).score(Counts([150, 0])).epsilon(),
            f64::NEG_INFINITY
        );
        assert_eq!(
            judge(0, 0.0).score(Counts([0, 0])).epsilon(),
            f64::NEG_INFINITY
        );
    }
}
