//! Which tilt and which window serve: plain floats, on which no bound rests.
//!
//! All masses are multiplied by `e^(theta node - zeta)` before they are convolved. Delta is then of the order of the largest
//! entries, and an error that is small beside these is small beside delta, however small delta is.

use super::companions::Companion;
use super::double::{guess_exp, guess_ln};
use super::interval::Interval;
use super::pairs::Sketched;

/// What is computed at a time.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// The epsilon of this delta.
    Delta(f64),
    /// The delta of this epsilon.
    Epsilon(f64),
}

/// A tilt, and the window of the sum.
#[derive(Debug, Clone)]
pub struct Tilt {
    /// Per unit of loss: `e^(theta loss)`.
    pub theta: f64,
    /// The first node of the window.
    pub bottom: i64,
    /// The length of the window, a power of two.
    pub length: usize,
    /// Chernoff's parameter for what lies below the window, and for what lies above.
    pub chernoff: [f64; 2],
}

/// The largest window: 2^22 complex numbers take 64 MB, and their transform twice that.
pub const LONGEST: usize = 1 << 22;

/// Logarithm of how much of delta may lie outside the window.
const OUTSIDE: f64 = -25.0;

/// The P-law of the losses of a kind of step in few parts: weight, mean and variance of each.
#[derive(Debug, Clone)]
pub struct Coarse {
    times: f64,
    parts: Vec<[f64; 3]>,
}

/// The logarithm of the moment generating function of the sum, with its first two derivatives.
fn cumulants(laws: &[Coarse], t: f64) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for law in laws {
        let top = law
            .parts
            .iter()
            .map(|[_, mean, variance]| t * mean + 0.5 * t * t * variance)
            .fold(f64::MIN, f64::max);
        let mut moments = [0.0; 3];
        for [weight, mean, variance] in &law.parts {
            let weight = weight * guess_exp(t * mean + 0.5 * t * t * variance - top);
            let at = mean + t * variance;
            moments[0] += weight;
            moments[1] += weight * at;
            moments[2] += weight * (variance + at * at);
        }
        let mean = moments[1] / moments[0];
        sum[0] += law.times * (guess_ln(moments[0]) + top);
        sum[1] += law.times * mean;
        sum[2] += law.times * (moments[2] / moments[0] - mean * mean);
    }
    sum
}

/// At most so many parts.
const PARTS: usize = 1000;

impl Coarse {
    /// Of a companion, without its offset.
    fn of(companion: &Companion, offset: f64, step: f64, times: u64) -> Self {
        let atoms: Vec<[f64; 3]> = companion
            .atoms()
            .map(|(node, mass)| {
                let loss = node as f64 * step;
                [mass * guess_exp(loss + offset), loss, 0.0]
            })
            .collect();
        Self::gathered(&atoms, times)
    }

    /// Of a sketch, in the direction (P, Q) or (Q, P).
    #[must_use]
    pub fn sketched(sketch: &[Sketched], is_swapped: bool, times: u64) -> Self {
        let part = |part: &Sketched| {
            let (weight, loss) = match is_swapped {
                false => (part.p, part.loss),
                true => (part.q, -part.loss),
            };
            [weight, loss, part.width * part.width / 12.0]
        };
        Self::gathered(&sketch.iter().map(part).collect::<Vec<_>>(), times)
    }

    /// Neighbours put together, each part being a weight, a mean and a variance.
    fn gathered(all: &[[f64; 3]], times: u64) -> Self {
        let together = |chunk: &[[f64; 3]]| {
            let mut moments = [0.0; 3];
            for [weight, mean, variance] in chunk {
                moments[0] += weight;
                moments[1] += weight * mean;
                moments[2] += weight * (mean * mean + variance);
            }
            let mean = moments[1] / moments[0];
            let variance = (moments[2] / moments[0] - mean * mean).max(0.0);
            [moments[0], mean, variance]
        };
        let parts = all.chunks(all.len().div_ceil(PARTS).max(1)).map(together);
        Self {
            times: times as f64,
            parts: parts.filter(|[weight, ..]| *weight > 0.0).collect(),
        }
    }
}

/// The logarithm of about the delta at the mean of the law tilted by `theta`.
fn ln_delta(laws: &[Coarse], theta: f64) -> f64 {
    let [k, mean, variance] = cumulants(laws, theta);
    let spread = (2.0 * std::f64::consts::PI * variance).sqrt().max(1e-300);
    k - theta * mean - guess_ln(1.0 + theta * (1.0 + theta) * spread)
}

/// The tilt whose mean has the delta, or is the epsilon, and that epsilon; `epsilon` is without the offset.
///
/// Of a bounded loss no tilt has a small delta: the tilted law need not be narrower than the grid.
fn saddle(laws: &[Coarse], step: f64, target: Target) -> (f64, f64) {
    let (mut low, mut high) = (1e-3_f64, 1e9_f64);
    for _ in 0..40 {
        let theta = (low * high).sqrt();
        let is_enough = match target {
            Target::Delta(delta) => ln_delta(laws, theta) <= guess_ln(delta),
            Target::Epsilon(epsilon) => cumulants(laws, theta)[1] >= epsilon,
        };
        let variance = cumulants(laws, theta)[2];
        // Not a number where the tilt is out of the range of doubles.
        let is_narrow = variance.is_nan() || variance < step * step;
        if is_enough || is_narrow {
            high = theta;
        } else {
            low = theta;
        }
    }
    let epsilon = match target {
        Target::Delta(_) => cumulants(laws, high)[1],
        Target::Epsilon(epsilon) => epsilon,
    };
    (high, epsilon)
}

/// About what is to be computed, before there is a grid.
#[derive(Debug, Clone, Copy)]
pub struct Outlook {
    /// The tilt.
    pub theta: f64,
    /// The epsilon.
    pub epsilon: f64,
    /// How far the window must reach.
    pub span: f64,
}

/// What these laws let expect.
#[must_use]
pub fn outlook(laws: &[Coarse], target: Target) -> Outlook {
    let [_, _, variance] = cumulants(laws, 0.0);
    // Far in the tail of bounded losses nothing is left to spread.
    let (theta, epsilon) = saddle(laws, 0.02 * variance.sqrt(), target);
    let window = window(laws, theta, epsilon, OUTSIDE);
    Outlook {
        theta,
        epsilon,
        span: window.high - window.low,
    }
}

/// The kinds of step: the upper companion of each, its offset, and how often it is there.
pub type Kinds<'a> = [(&'a Companion, f64, u64)];

/// The cheapest tilt that serves, or nothing where none does with the largest window.
#[must_use]
pub fn choose(kinds: &Kinds, step: f64, target: Target) -> Option<Tilt> {
    let laws: Vec<Coarse> = kinds
        .iter()
        .map(|(companion, offset, times)| Coarse::of(companion, *offset, step, *times))
        .collect();
    let offset: f64 = kinds
        .iter()
        .map(|(_, offset, times)| offset * *times as f64)
        .sum();
    let target = match target {
        Target::Delta(delta) => Target::Delta(delta),
        Target::Epsilon(epsilon) => Target::Epsilon(epsilon - offset),
    };
    let (theta, epsilon) = saddle(&laws, step, target);
    let ln_delta = match target {
        Target::Delta(delta) => guess_ln(delta),
        Target::Epsilon(epsilon) => {
            let [k, ..] = cumulants(&laws, theta);
            (k - theta * epsilon - 3.0).min(0.0)
        }
    };
    let steps: f64 = laws.iter().map(|law| law.times).sum();
    let allowed = 15.0 - guess_ln(steps);
    let mut best: Option<Tilt> = None;
    for share in [1.0, 0.75, 0.5, 0.35, 0.2, 0.1] {
        let theta = (theta * share * 256.0).round() / 256.0;
        // For k steps an entry errs by some 3e-14 k of the largest, which e^excess makes 1e-7 of delta.
        let [k, ..] = cumulants(&laws, theta);
        let excess = k - theta * epsilon - ln_delta;
        if share < 1.0 && excess > allowed {
            continue;
        }
        let found = window(&laws, theta, epsilon, OUTSIDE - excess.max(0.0));
        let found = found.on_grid(theta, step);
        let shortest = best.as_ref().map_or(LONGEST + 1, |best| best.length);
        best = found.filter(|found| found.length < shortest).or(best);
    }
    best
}

/// Losses between which a window must reach, and Chernoff's parameters for what lies outside.
struct Window {
    low: f64,
    high: f64,
    chernoff: [f64; 2],
}

/// The window that holds `epsilon` and leaves out masses of `e^outside`.
fn window(laws: &[Coarse], theta: f64, epsilon: f64, outside: f64) -> Window {
    let [k, mean, variance] = cumulants(laws, theta);
    let unit = 1.0 / variance.sqrt().max(1e-9);
    let (mut low, mut high) = ((f64::MIN, 0.0), (f64::MAX, 0.0));
    // From 1.35^-12 to 1.35^15. Multiplied one by one, so that all machines have the same window.
    let mut t = (0..12).fold(2.0 * unit, |t, _| t / 1.35);
    for _ in 0..28 {
        let edge = |t: f64| (cumulants(laws, theta + t)[0] - k - outside) / t;
        let (above, below) = (edge(t), edge(-t));
        if above.is_finite() && above < high.0 {
            high = (above, t);
        }
        if below.is_finite() && below > low.0 {
            low = (below, -t);
        }
        t *= 1.35;
    }
    Window {
        low: low.0.min(epsilon).min(mean),
        high: high.0.max(epsilon).max(mean),
        chernoff: [low.1, high.1],
    }
}

impl Window {
    /// The same on a grid; nothing where it is too long.
    fn on_grid(&self, theta: f64, step: f64) -> Option<Tilt> {
        let low = self.low - 4.0 * step;
        let nodes = (self.high + 4.0 * step - low) / step;
        if !nodes.is_finite() || nodes > LONGEST as f64 {
            return None;
        }
        let length = (nodes.ceil() as usize).max(64).next_power_of_two();
        let spare = 0.5 * (length as f64 - nodes);
        Some(Tilt {
            theta,
            bottom: (low / step - spare).floor() as i64,
            length,
            chernoff: self.chernoff,
        })
    }
}

/// About the logarithm by which tilted masses are scaled, so that they add up to about 1.
#[must_use]
pub fn scale(companion: &Companion, offset: f64, step: f64, theta: f64) -> f64 {
    let losses = companion
        .atoms()
        .map(|(node, mass)| (mass, node as f64 * step));
    let exponent = |loss: f64| offset + (1.0 + theta) * loss;
    let top = losses
        .clone()
        .map(|(_, loss)| exponent(loss))
        .fold(f64::MIN, f64::max);
    let sum: f64 = losses
        .map(|(mass, loss)| mass * guess_exp(exponent(loss) - top))
        .sum();
    top + guess_ln(sum)
}

/// An upper bound of the k-fold mass beyond an edge, by Chernoff: `(sum a e^(t (node - edge/k)))^k` over all kinds,
/// with `t` below 0 for what lies below the edge.
#[must_use]
pub fn beyond(tilted: &[(&[(i64, f64)], u64)], step: f64, edge: i64, t: f64) -> f64 {
    let (step, t) = (Interval::exactly(step), Interval::exactly(t));
    // The edge is spread over the steps, so that no factor is out of range.
    let steps: u64 = tilted.iter().map(|(_, times)| times).sum();
    let each = Interval::exactly(edge as f64).over(Interval::exactly(steps as f64));
    let mut product = Interval::ONE;
    for (masses, times) in tilted {
        let mut sum = Interval::ZERO;
        for (node, mass) in *masses {
            let node = Interval::exactly(*node as f64) - each;
            sum = sum + Interval::exactly(*mass) * (t * step * node).exp();
        }
        product = product * sum.power(*times);
    }
    if product.hi.is_nan() {
        f64::INFINITY
    } else {
        product.hi
    }
}
