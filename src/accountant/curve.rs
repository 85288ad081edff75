//! Delta as a function of epsilon, from the masses of the sum: between two bounds.

use super::interval::Interval;
use super::tilt::Tilt;
use super::total::Total;

/// Bounds of delta at the nodes of a window.
#[derive(Debug, Clone)]
pub struct Curve {
    /// At each node the sum over later nodes `l > i` of `A_l (rho^(l-i) - sigma^(l-i))`, from above and from below.
    sums: Vec<[f64; 2]>,
    tilt: Tilt,
    step: f64,
    /// The loss of node 0 of the sum.
    offset: Interval,
    scale: Interval,
    above: f64,
    folded: f64,
    /// What P has at infinite loss, at most.
    pub infinite: f64,
    /// By how much all losses may be off: `k ln(1 + slack)`, summed.
    shift: Interval,
}

impl Curve {
    /// The curve of masses. With `rho = e^(-theta step)` and `sigma = rho e^(-step)`, delta at node i is `e^(scale - theta step i)`
    /// times `D_i`, the sum of `A_l (rho^(l-i) - sigma^(l-i))`. From the last node on
    /// `D_i = rho D_(i+1) + (rho - sigma) S_(i+1)`, `S_i = A_i + sigma S_(i+1)`: no term is negative.
    #[must_use]
    pub fn new(
        total: &Total,
        tilt: &Tilt,
        step: f64,
        offset: Interval,
        shift: Interval,
        infinite: f64,
    ) -> Self {
        let exact = Interval::exactly(step);
        let rho = (-(Interval::exactly(tilt.theta) * exact)).exp();
        let sigma = rho * (-exact).exp();
        let difference = sigma * exact.exp_minus_one();
        let mut sums = vec![[0.0; 2]; total.masses.len()];
        let (mut d, mut s) = ([0.0_f64; 2], [0.0_f64; 2]);
        for (i, masses) in total.masses.iter().enumerate().rev() {
            d[0] = ((rho.hi * d[0]).next_up() + (difference.hi * s[0]).next_up()).next_up();
            d[1] = ((rho.lo * d[1]).next_down() + (difference.lo * s[1]).next_down())
                .next_down()
                .max(0.0);
            s[0] = (masses[0] + (sigma.hi * s[0]).next_up()).next_up();
            s[1] = (masses[1] + (sigma.lo * s[1]).next_down())
                .next_down()
                .max(0.0);
            sums[i] = d;
        }
        Self {
            sums,
            tilt: tilt.clone(),
            step,
            offset,
            scale: total.scale,
            above: total.above,
            folded: total.folded,
            infinite,
            shift,
        }
    }

    /// `e^(scale - theta step x)`.
    fn weight(&self, x: Interval) -> Interval {
        let theta = Interval::exactly(self.tilt.theta) * Interval::exactly(self.step);
        (self.scale - theta * x).exp()
    }

    /// The place of an epsilon among the nodes: the one before it, and how far it is to the next on the scale of ratios.
    fn place(&self, epsilon: Interval) -> Option<(usize, Interval)> {
        let step = Interval::exactly(self.step);
        let relative = (epsilon - self.offset).over(step);
        let node = relative.lo.floor();
        let i = node - self.tilt.bottom as f64;
        if !(i >= 0.0 && i + 1.0 < self.sums.len() as f64) {
            return None;
        }
        let inside = (relative - Interval::exactly(node)).not_negative() * step;
        let share = inside.exp_minus_one().over(step.exp_minus_one());
        Some((i as usize, share))
    }

    /// Delta at node `i` of a companion: 0 for the upper, 1 for the lower.
    fn at(&self, i: usize, side: usize) -> Interval {
        let node = Interval::exactly((self.tilt.bottom + i as i64) as f64);
        self.weight(node) * Interval::exactly(self.sums[i][side])
    }

    /// An upper bound of delta; 1 where the window does not reach.
    #[must_use]
    pub fn above(&self, epsilon: f64) -> f64 {
        let Some((i, share)) = self.place(Interval::exactly(epsilon) - self.shift) else {
            return 1.0;
        };
        let (here, next) = (self.at(i, 0).hi, self.at(i + 1, 0).hi);
        // Between two nodes delta is linear in e^epsilon, and falls.
        let within = here - ((here - next).max(0.0).next_down() * share.lo).next_down();
        let end = Interval::exactly((self.tilt.bottom + self.sums.len() as i64) as f64);
        let rest = self.weight(end) * Interval::exactly(self.above);
        let sum = Interval::exactly(within.next_up()) + rest + Interval::exactly(self.infinite);
        (sum * self.shift.exp()).hi.min(1.0)
    }

    /// A lower bound of delta; 0 where the window does not reach.
    #[must_use]
    pub fn below(&self, epsilon: f64) -> f64 {
        let Some((i, share)) = self.place(Interval::exactly(epsilon) + self.shift) else {
            return 0.0;
        };
        let (here, next) = (self.at(i, 1).lo, self.at(i + 1, 1).lo);
        // Beyond the next node, where rounding may put it, the chord lies below too.
        let within = here - ((here - next).max(0.0).next_up() * share.hi).next_up();
        let node = Interval::exactly((self.tilt.bottom + i as i64) as f64);
        let folded = self.weight(node) * Interval::exactly(self.folded);
        let rest = (Interval::exactly(within.next_down().max(0.0)) - folded).not_negative();
        (rest * (-self.shift).exp()).lo
    }

    /// The first and the last epsilon that the window holds.
    #[must_use]
    pub fn reach(&self) -> [f64; 2] {
        let first = self.offset.middle() + (self.tilt.bottom + 2) as f64 * self.step;
        [first, first + (self.sums.len() as f64 - 5.0) * self.step]
    }

    /// Bounds of the least `epsilon >= 0` whose delta is at most `delta`; the upper is infinite where none is known.
    #[must_use]
    pub fn epsilon(&self, delta: f64) -> [f64; 2] {
        let [first, last] = self.reach();
        let first = first.max(0.0);
        let hi = match self.above(last.max(0.0)) {
            most if most > delta => f64::INFINITY,
            _ => boundary(first, last.max(0.0), |epsilon| self.above(epsilon) > delta)[1],
        };
        // Far below, what folded back has more weight than there is: the search begins near the upper end.
        let end = hi.min(last.max(0.0));
        let (mut start, mut back) = (end, self.step);
        while start > first && self.below(start) <= delta {
            start = (end - back).max(first);
            back *= 2.0;
        }
        let lo = boundary(start, end, |epsilon| self.below(epsilon) > delta)[0];
        [lo, hi]
    }
}

/// Two neighbours between which a condition that holds on the left ends; where it holds nowhere, 0 is on the left.
///
/// Whatever the condition is: it holds at the first number returned, if that is not 0, and not at the second.
fn boundary(first: f64, last: f64, holds: impl Fn(f64) -> bool) -> [f64; 2] {
    if !holds(first) {
        return [0.0, first];
    }
    let (mut low, mut high) = (first, last);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if holds(middle) {
            low = middle
        } else {
            high = middle
        }
    }
    [low, high]
}
