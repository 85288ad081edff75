//! Gaussian noise on steps of which each record takes part in one, drawn uniformly: random allocation.
//!
//! Without the record the t steps answer with `Q = N(0, I)`, with it with the mean P of `N(mu e_i, I)`. Under Q the likelihood ratio
//! is the mean of t independent numbers `e^(mu z - mu^2/2)`: all that is needed is the law of their sum.

use super::{Grid, Noise, Sketched};
use crate::accountant::cells::{Cell, Cells, Mass};
use crate::accountant::double::{guess_exp, guess_ln};
use crate::accountant::interval::Interval;
use crate::accountant::normal;
use crate::accountant::sums::{Half, Law, gathered};

/// A law has at most so many nodes: sums take the square.
const MOST_NODES: usize = 1 << 14;

/// Points to a standard deviation of a sketch.
const SKETCHED: f64 = 8.0;

/// The pair of all t steps together.
#[derive(Debug, Clone, Copy)]
pub struct Allocation {
    mu: Interval,
    steps: u64,
}

/// The law of the sum of so many numbers.
#[derive(Clone)]
struct Counted {
    law: Law,
    count: u64,
}

/// How fine and how wide laws are.
#[derive(Clone, Copy)]
struct Fineness {
    /// Nodes to a standard deviation of the logarithm.
    points: f64,
    /// What may be left out at either end.
    tail: f64,
    /// Of the last sum, nodes are `steps` times the exponentials of multiples of this.
    step: f64,
}

impl Allocation {
    /// Noise of deviation `1/mu` on each of `steps >= 2` steps.
    #[must_use]
    pub fn new(mu: Interval, steps: u64) -> Self {
        Self { mu, steps }
    }

    /// The law of one number, at points of the normal variable that are `1 / points` apart.
    fn one(&self, fineness: &Fineness) -> Option<Law> {
        let mut reach = 1.0;
        while normal::above(reach, Interval::ZERO) > fineness.tail && reach < 36.0 {
            reach += 0.05;
        }
        let width = 2.0 * reach + self.mu.middle();
        let count = (width * fineness.points).ceil();
        if count > MOST_NODES as f64 {
            return None;
        }
        let place = |i: u32| f64::from(i) * (width / count) - reach;
        let places: Vec<f64> = (0..=count as u32).map(place).collect();
        let exact = |z: f64| {
            let half = self.mu * Interval::exactly(0.5);
            (self.mu * (Interval::exactly(z) - half)).exp()
        };
        let ratios: Vec<Interval> = places.iter().map(|z| exact(*z)).collect();
        let nodes: Vec<f64> = ratios.iter().map(|ratio| ratio.middle()).collect();
        let off = ratios
            .iter()
            .zip(&nodes)
            .map(|(ratio, node)| (ratio.hi / node - 1.0).max(node / ratio.lo - 1.0));
        // A quotient and a difference near 1 are rounded by less than this.
        let slack = off.fold(0.0, f64::max) + 1e-15;
        Some(self.spread_and_gathered(&places, &nodes, slack))
    }

    /// What the number has between two places: mass, and mean, which is off by the slack of its ends.
    fn part(&self, from: f64, to: f64, slack: f64) -> Mass {
        let off = Interval::between((1.0 - slack).next_down(), (1.0 + slack).next_up());
        Mass {
            p: normal::mass(from, to, self.mu) * off,
            q: normal::mass(from, to, Interval::ZERO),
        }
    }

    fn spread_and_gathered(&self, places: &[f64], nodes: &[f64], slack: f64) -> Law {
        let all: Vec<f64> = [&[0.0], nodes].concat();
        let mut above = vec![0.0_f64; all.len()];
        let (mut over, mut under) = (Vec::new(), Vec::new());
        let moment = |mass: Interval, node: f64| mass * Interval::exactly(node);
        for c in 0..nodes.len() {
            let from = match c {
                0 => f64::NEG_INFINITY,
                _ => places[c - 1],
            };
            let (to, low, high) = (places[c], all[c], all[c + 1]);
            let gap = Interval::exactly(high) - Interval::exactly(low);
            let whole = self.part(from, to, slack);
            let up = (whole.p - moment(whole.q, low)).not_negative().over(gap).hi;
            let down = (moment(whole.q, high) - whole.p)
                .not_negative()
                .over(gap)
                .hi;
            above[c] = (above[c] + down).next_up();
            above[c + 1] = (above[c + 1] + up).next_up();
            // At 0 nothing can be gathered.
            let cut = if c == 0 { from } else { 0.5 * (from + to) };
            let lower = self.part(from, cut, slack);
            let upper = self.part(cut, to, slack);
            over.push(Half {
                mass: lower.q,
                moment: (lower.p - moment(lower.q, low)).not_negative(),
            });
            under.push(Half {
                mass: upper.q,
                moment: (moment(upper.q, high) - upper.p).not_negative(),
            });
        }
        let beyond = self.part(places[places.len() - 1], f64::INFINITY, slack);
        let last = all.len() - 1;
        above[last] = (above[last] + beyond.q.hi).next_up();
        Law {
            below: gathered(&all, &over, &under),
            above,
            nodes: all,
            excess: beyond.p.hi,
            slack,
        }
    }

    /// The law of the sum of all numbers, and its nodes as multiples of the step.
    fn law(&self, fineness: &Fineness) -> Option<(Law, Vec<i64>)> {
        let mut power = Counted {
            law: self.one(fineness)?,
            count: 1,
        };
        let mut total: Option<Counted> = None;
        let mut indices = Vec::new();
        let mut rest = self.steps;
        loop {
            if rest & 1 == 1 {
                total = Some(match total {
                    None => power.clone(),
                    Some(total) => self.sum(&total, Some(&power), fineness, &mut indices)?,
                });
            }
            rest >>= 1;
            if rest == 0 {
                return total.map(|total| (total.law, indices));
            }
            power = self.sum(&power, None, fineness, &mut indices)?;
        }
    }

    /// The law of both together; without another, of twice as many numbers.
    fn sum(
        &self,
        one: &Counted,
        other: Option<&Counted>,
        fineness: &Fineness,
        indices: &mut Vec<i64>,
    ) -> Option<Counted> {
        let second = other.unwrap_or(one);
        let nodes = self.nodes(one, second, fineness, indices)?;
        let law = match other {
            None => one.law.doubled(nodes),
            Some(other) => one.law.plus(&other.law, nodes),
        };
        let count = one.count + second.count;
        Some(Counted { law, count })
    }

    /// The nodes of a sum, in plain floats; of the last sum also as multiples of the step.
    fn nodes(
        &self,
        one: &Counted,
        other: &Counted,
        fineness: &Fineness,
        indices: &mut Vec<i64>,
    ) -> Option<Vec<f64>> {
        let (places, [low, high]) = Places::new(one, other, fineness);
        let count = (one.count + other.count) as f64;
        let is_last = one.count + other.count == self.steps;
        let index_of = |x: f64| (guess_ln(x / count) / fineness.step).round() as i64;
        let mut index = index_of(low) - 1;
        let (mut x, mut nodes) = (low, vec![0.0]);
        while nodes.len() < MOST_NODES {
            if is_last {
                x = count * guess_exp(index as f64 * fineness.step);
                indices.push(index);
            }
            nodes.push(x);
            if x >= high {
                return Some(nodes);
            }
            x = places.after(x);
            index = index_of(x).max(index + 1);
        }
        None
    }

    fn fineness(&self, grid: &Grid) -> Fineness {
        Fineness {
            points: (self.deviation() / grid.step).max(1.0),
            tail: grid.tail / self.steps as f64,
            step: grid.step,
        }
    }

    /// One of the two laws as cells whose masses are on their nodes.
    fn on_nodes(
        &self,
        law: &Law,
        indices: &[i64],
        step: f64,
        masses: &[f64],
        excess: f64,
    ) -> Cells {
        let all = Interval::exactly(self.steps as f64);
        let nothing = Cell {
            low: Mass::ZERO,
            high: Mass::ZERO,
        };
        let mut cells = Cells {
            offset: 0.0,
            step,
            nodes: indices.to_vec(),
            cells: vec![nothing; indices.len() - 1],
            on: Vec::new(),
            below: Mass {
                p: Interval::ZERO,
                q: Interval::exactly(masses[0]),
            },
            above: Mass {
                p: Interval::exactly(excess).over(all),
                q: Interval::ZERO,
            },
            slack: 0.0,
        };
        let ratios: Vec<Interval> = indices.iter().map(|node| cells.loss(*node).exp()).collect();
        let off = ratios.iter().zip(&law.nodes[1..]).map(|(ratio, x)| {
            let found = Interval::exactly(*x).over(all);
            (ratio.hi / found.lo - 1.0).max(found.hi / ratio.lo - 1.0)
        });
        // (1 + a)(1 + b) <= 1 + s + s^2 for s = a + b; the roundings here are less than the last term.
        let both = off.fold(0.0, f64::max) + law.slack;
        cells.slack = both + both * both + 1e-15;
        let on = |(mass, ratio): (&f64, &Interval)| {
            let q = Interval::exactly(*mass);
            Mass { p: q * *ratio, q }
        };
        cells.on = masses[1..].iter().zip(&ratios).map(on).collect();
        cells
    }
}

/// Where the nodes of a sum are: even along the logarithm in its bulk. Far out one large number leads, and the sum is that number and
/// about the middle of the rest; where its nodes are farther apart than even ones, they are kept, moved by that middle: what is
/// there lies on few places, and is gathered on them.
struct Places<'a> {
    apart: f64,
    large: &'a [f64],
    shift: f64,
    bulk: f64,
}

impl<'a> Places<'a> {
    /// The places, and from where to where they are.
    fn new(one: &'a Counted, other: &Counted, fineness: &Fineness) -> (Self, [f64; 2]) {
        let count = (one.count + other.count) as f64;
        let [middle, deviation] = one.logarithm();
        let shift = guess_exp(other.logarithm()[0]);
        let deviation = deviation * (one.count as f64 / count).sqrt();
        let [first, second] = [one, other].map(|counted| counted.reach(fineness.tail));
        let low = first[0] + second[0];
        let high = 1.3 * (first[1] + other.count as f64).max(second[1] + one.count as f64);
        let places = Self {
            apart: guess_exp((deviation / fineness.points).min(0.4)) - 1.0,
            large: &one.law.nodes,
            shift,
            bulk: guess_exp(middle) + shift,
        };
        (places, [low, high])
    }

    fn after(&self, x: f64) -> f64 {
        let even = x + x * self.apart;
        // A third of an even distance is the least.
        let least = x + 0.3 * x * self.apart - self.shift;
        let at = self.large.partition_point(|node| *node <= least);
        match self.large.get(at..at + 2) {
            Some([node, next]) if x > self.bulk && next - node > even - x => node + self.shift,
            _ => even,
        }
    }
}

impl Counted {
    /// About the mean and the standard deviation of the logarithm.
    fn logarithm(&self) -> [f64; 2] {
        let mut moments = [0.0; 3];
        for (x, mass) in self.law.nodes.iter().zip(&self.law.above).skip(1) {
            let ln = guess_ln(*x);
            moments[0] += mass;
            moments[1] += mass * ln;
            moments[2] += mass * ln * ln;
        }
        let mean = moments[1] / moments[0];
        let variance = moments[2] / moments[0] - mean * mean;
        [mean, variance.max(1e-18).sqrt()]
    }

    /// About where all but `tail` lies: of its masses from below, of its mean from above.
    fn reach(&self, tail: f64) -> [f64; 2] {
        let (nodes, masses) = (&self.law.nodes, &self.law.above);
        let (mut low, mut sum) = (1, masses[0]);
        while low + 1 < nodes.len() && sum + masses[low] <= tail {
            sum += masses[low];
            low += 1;
        }
        let (mut high, mut sum) = (nodes.len() - 1, 0.0);
        while high > low && sum <= 0.1 * tail {
            sum += masses[high] * (1.0 + nodes[high] / self.count as f64);
            high -= 1;
        }
        [nodes[low], nodes[high]]
    }
}

impl Noise for Allocation {
    fn deviation(&self) -> f64 {
        let mu = self.mu.middle();
        let once = (guess_exp((mu * mu).min(600.0)) - 1.0).max(mu * mu);
        (once / self.steps as f64).sqrt().min(mu)
    }

    fn sketch(&self, tail: f64) -> Vec<Sketched> {
        let grid = Grid::even(self.deviation() / SKETCHED, tail);
        let Some((law, _)) = self.law(&self.fineness(&grid)) else {
            return Vec::new();
        };
        let part = |(x, mass): (&f64, &f64)| {
            let ratio = x / self.steps as f64;
            Sketched {
                loss: guess_ln(ratio),
                width: grid.step,
                p: ratio * mass,
                q: *mass,
            }
        };
        law.nodes.iter().zip(&law.above).skip(1).map(part).collect()
    }

    fn cells(&self, grid: &Grid) -> Option<Cells> {
        self.both(grid).map(|(above, _)| above)
    }

    fn both(&self, grid: &Grid) -> Option<(Cells, Option<Cells>)> {
        let (law, indices) = self.law(&self.fineness(grid))?;
        let cells =
            |masses: &[f64], excess| self.on_nodes(&law, &indices, grid.step, masses, excess);
        let mut below = cells(&law.below, 0.0);
        below.below = Mass::ZERO;
        Some((cells(&law.above, law.excess), Some(below)))
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}
