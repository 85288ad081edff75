//! Finer and finer grids, until the digits are there or nothing is gained.
//!
//! Every pass gives bounds that hold. Which grid is tried next decides only what it costs: plain floats choose it.

use super::AccountantError;
use super::cells::loss;
use super::companions::{Companion, lower, upper};
use super::curve::Curve;
use super::interval::Interval;
use super::pairs::{Grid, Noise};
use super::tilt::{Coarse, LONGEST, Outlook, Target, choose, outlook};
use super::total::{Kind, convolve};

/// The most digits: beyond, doubles have none.
pub const MOST_DIGITS: u32 = 12;

/// Steps that are composed.
pub struct Composed<'a> {
    /// Their pairs with tails of about this size left out, and how often each is taken.
    pub noises: &'a dyn Fn(f64) -> Noises,
    /// The directions asked for, as whether P and Q change places; given whether it makes no difference.
    pub directions: &'a dyn Fn(bool) -> &'static [bool],
    /// How many steps there are.
    pub steps: f64,
}

/// Pairs, and how often each is taken.
pub type Noises = Vec<(Box<dyn Noise>, u64)>;

/// Bounds of what was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub lo: f64,
    pub hi: f64,
}

impl Bounds {
    pub(super) fn has(self, digits: u32) -> bool {
        self.hi.is_finite() && (self.hi - self.lo) * 10_f64.powi(digits as i32) <= self.hi
    }

    /// Its width beside its upper end; infinite where nothing is known from one side.
    fn width(self) -> f64 {
        match self.hi.is_finite() && self.lo > 0.0 {
            true => (self.hi - self.lo) / self.hi,
            false => f64::INFINITY,
        }
    }
}

/// Why there are no more digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A finer grid is longer than there is memory for.
    Points,
    /// Finer grids do not narrow it: what is left is the rounding of doubles.
    Rounding,
    /// No mechanism is known that costs as much as none exceeds.
    Worst,
}

impl Limit {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Points => {
                "the losses of all steps together spread over too many points of a finer grid"
            }
            Self::Rounding => "finer grids do not narrow it: what is left is how doubles round",
            Self::Worst => {
                "which mechanism of this kind costs the most is not known: the lower end is what one costs, and the upper end what none exceeds"
            }
        }
    }
}

/// A first look at all directions, to so many digits; those that cannot be the larger are left at that.
const GLANCE: u32 = 2;

/// At most so many passes of one direction.
const PASSES: usize = 12;

/// What is read off a curve.
type Read<'a> = &'a dyn Fn(&Curve) -> Bounds;

/// The larger of all directions, and what stood in the way of more digits.
pub fn refined(
    composed: &Composed,
    target: Target,
    digits: u32,
    read: Read,
) -> Result<(Bounds, Option<Limit>), AccountantError> {
    let digits = digits.clamp(1, MOST_DIGITS);
    let tail = match target {
        Target::Delta(delta) => 1e-10 * delta,
        Target::Epsilon(_) => 1e-40,
    };
    let noises = (composed.noises)(tail / composed.steps);
    let is_symmetric = noises.iter().all(|(noise, _)| noise.is_symmetric());
    let directions = (composed.directions)(is_symmetric).iter();
    let mut sides: Vec<Side> = directions
        .map(|is_swapped| Side::new(&noises, *is_swapped, target, tail, composed.steps))
        .collect();
    for goal in [digits.min(GLANCE), digits] {
        let known = sides.iter().map(|side| side.bounds.lo).fold(0.0, f64::max);
        for side in &mut sides {
            if side.bounds.hi > known {
                side.refine(composed, goal, read)?;
            }
        }
    }
    let lo = sides.iter().map(|side| side.bounds.lo).fold(0.0, f64::max);
    let hi = sides.iter().map(|side| side.bounds.hi).fold(0.0, f64::max);
    let bounds = Bounds { lo, hi };
    let limit = sides
        .iter()
        .filter(|side| side.bounds.hi > lo)
        .find_map(|side| side.limit);
    Ok((bounds, limit.filter(|_| !bounds.has(digits))))
}

/// One direction of the pair.
struct Side {
    is_swapped: bool,
    target: Target,
    tail: f64,
    outlook: Outlook,
    /// The step of the last grid, and the width that it gave.
    last: Option<(f64, f64)>,
    /// How many passes in a row narrowed next to nothing: one may do so by chance, on grids that are still coarse.
    stood: u32,
    /// No step below this has a window that fits.
    least: f64,
    /// For how many steps' errors the grid must be fine.
    weight: f64,
    bounds: Bounds,
    limit: Option<Limit>,
}

impl Side {
    fn new(
        noises: &[(Box<dyn Noise>, u64)],
        is_swapped: bool,
        target: Target,
        tail: f64,
        steps: f64,
    ) -> Self {
        let law = |(noise, times): &(Box<dyn Noise>, u64)| {
            Coarse::sketched(&noise.sketch(tail / steps), is_swapped, *times)
        };
        let outlook = outlook(&noises.iter().map(law).collect::<Vec<_>>(), target);
        let theta = outlook.theta;
        let weight = match target {
            Target::Delta(_) => steps * (1.0 + theta) / outlook.epsilon.max(1e-4 * outlook.span),
            Target::Epsilon(_) => steps * theta * (1.0 + theta),
        };
        Self {
            is_swapped,
            target,
            tail,
            outlook,
            last: None,
            stood: 0,
            least: outlook.span / (0.9 * LONGEST as f64),
            weight,
            bounds: Bounds {
                lo: 0.0,
                hi: f64::INFINITY,
            },
            limit: None,
        }
    }

    /// The step that may give so many digits.
    ///
    /// A cell of width w errs by `theta (1 + theta) w^2/12` in the logarithm of the tilted mass of its step, above and below.
    fn step(&self, digits: u32) -> f64 {
        let wanted = 1.0 / 10_f64.powi(digits as i32);
        let step = match self.last {
            None => 0.8 * (6.0 * wanted / self.weight).sqrt(),
            Some((step, _)) if self.stood > 0 => 0.3 * step,
            // The width falls with the square of the step.
            Some((step, width)) if width < 1.0 => {
                step * (0.95 * (wanted / width).sqrt()).clamp(0.02, 0.7)
            }
            Some((step, _)) => 0.25 * step,
        };
        step.max(self.least)
    }

    fn refine(
        &mut self,
        composed: &Composed,
        digits: u32,
        read: Read,
    ) -> Result<(), AccountantError> {
        for _ in 0..PASSES {
            if self.bounds.has(digits) || self.bounds.hi == 0.0 || self.limit.is_some() {
                return Ok(());
            }
            let step = self.step(digits);
            match self.pass(composed, step, read)? {
                None if self.last.is_some_and(|(last, _)| 2.0 * step > 0.7 * last)
                    || self.least > self.outlook.span =>
                {
                    self.limit = Some(Limit::Points);
                }
                None => self.least = 2.0 * step,
                Some((bounds, used)) => self.learn(bounds, used),
            }
        }
        if !self.bounds.has(digits) {
            self.limit = self.limit.or(Some(Limit::Rounding));
        }
        Ok(())
    }

    /// Takes the bounds of a pass with this step.
    fn learn(&mut self, found: Bounds, step: f64) {
        let width = found.width();
        let is_no_finer = self.last.is_some_and(|(last, _)| step >= 0.999 * last);
        let is_as_wide = |(_, before): (f64, f64)| before.is_finite() && width >= 0.95 * before;
        self.stood = match self.last.is_some_and(is_as_wide) {
            true => self.stood + 1,
            false => 0,
        };
        if is_no_finer || self.stood > 1 {
            self.limit = Some(Limit::Rounding);
        } else if step <= self.least {
            self.limit = Some(Limit::Points);
        }
        self.bounds = Bounds {
            lo: self.bounds.lo.max(found.lo),
            hi: self.bounds.hi.min(found.hi),
        };
        if let (Target::Epsilon(_), true) = (self.target, found.hi > 0.0) {
            self.tail = self.tail.min(1e-10 * found.hi).max(1e-280);
        }
        self.last = Some((step, width));
    }

    /// The bounds on a grid of about this step, and the step that it has; nothing where it is too long.
    fn pass(
        &self,
        composed: &Composed,
        wanted: f64,
        read: Read,
    ) -> Result<Option<(Bounds, f64)>, AccountantError> {
        let tail = self.tail / composed.steps;
        let noises = (composed.noises)(tail);
        // What has a grid of its own decides, the widest spread first.
        let weight =
            |(noise, times): &(Box<dyn Noise>, u64)| noise.deviation().powi(2) * *times as f64;
        let first = noises
            .iter()
            .filter(|(noise, _)| noise.step(wanted) != wanted)
            .max_by(|one, other| weight(one).total_cmp(&weight(other)));
        let step = first.map_or(wanted, |(noise, _)| noise.step(wanted));
        let theta = self.outlook.theta;
        let grid = Grid {
            step,
            tail,
            power: Some(if self.is_swapped { -theta } else { 1.0 + theta }),
        };
        let curve = curve(&noises, self.is_swapped, &grid, self.target);
        Ok(curve.map(|curve| (read(&curve), step)))
    }
}

/// The curve of all steps in one direction.
fn curve(
    noises: &[(Box<dyn Noise>, u64)],
    is_swapped: bool,
    grid: &Grid,
    target: Target,
) -> Option<Curve> {
    let step = grid.step;
    let mut kinds = Vec::new();
    let mut offset = Interval::ZERO;
    let (mut slack, mut infinite) = (Interval::ZERO, Interval::ZERO);
    let mut mass = Interval::ONE;
    for (noise, times) in noises {
        let (mut above, mut below) = noise.both(grid)?;
        if is_swapped {
            (above, below) = (above.swapped(), below.map(|cells| cells.swapped()));
        }
        let below = below.as_ref().unwrap_or(&above);
        let exact = Interval::exactly(*times as f64);
        offset = offset + exact * Interval::exactly(above.offset);
        slack = slack + exact * Interval::exactly(above.slack.max(below.slack));
        let upper = upper(&above);
        infinite = infinite + exact * Interval::exactly(upper.infinite);
        mass = mass * largest(&upper, above.offset, step).power(*times);
        kinds.push(Kind {
            upper,
            lower: lower(below),
            offset: above.offset,
            times: *times,
        });
    }
    let parts: Vec<(&Companion, f64, u64)> = kinds
        .iter()
        .map(|kind| (&kind.upper, kind.offset, kind.times))
        .collect();
    let tilt = choose(&parts, step, target)?;
    let total = convolve(&kinds, step, &tilt);
    // (finite + infinite)^k - finite^k <= k infinite (finite + infinite)^(k-1), and so for unlike steps.
    let infinite = (infinite * mass).hi;
    Some(Curve::new(
        &total,
        &tilt,
        step,
        offset,
        Interval::exactly(slack.hi),
        infinite,
    ))
}

/// What P has in all, at least 1.
fn largest(companion: &Companion, offset: f64, step: f64) -> Interval {
    let finite = companion.atoms().fold(Interval::ZERO, |sum, (node, mass)| {
        sum + Interval::exactly(mass) * loss(offset, step, node).exp()
    });
    let all = finite + Interval::exactly(companion.infinite);
    Interval::exactly(all.hi.max(1.0))
}
