//! Laws of sums of independent numbers that are not negative, one above and one below (`spec/accounting.md`, claim
//! `privacy.allocation`).
//!
//! One law is above another if the mean of every convex function that is not negative is no smaller under it. That is kept by
//! sums, by masses that are added, and by a mass that is spread over the two nodes beside it with its mean kept; a mass that is
//! gathered on a node from both sides goes down. Masses need not add up to 1.

use super::double::U;
use super::interval::Interval;

/// Covers what is lost where doubles have no more digits: nodes are between 1e-75 and 1e80, and apart by 1e-14 of
/// themselves or more.
const FLOOR: f64 = 1e-200;

/// Two laws of a sum at nodes.
#[derive(Debug, Clone)]
pub struct Law {
    /// The nodes, rising; the first is 0.
    pub nodes: Vec<f64>,
    /// Masses of the law above the sum's.
    pub above: Vec<f64>,
    /// Masses of the law below it, for convex functions that rise, or fall.
    pub below: Vec<f64>,
    /// An upper bound of the mean of what the sum exceeds the last node by.
    pub excess: f64,
    /// The sum may be off by this factor: `1 + slack` or its inverse.
    pub slack: f64,
}

/// What lies on one side of a node: its mass, and that times the distance from the node.
#[derive(Debug, Clone, Copy)]
pub struct Half {
    /// The mass.
    pub mass: Interval,
    /// Its first moment about the node.
    pub moment: Interval,
}

impl Half {
    /// Nothing.
    pub const NONE: Self = Self {
        mass: Interval::ZERO,
        moment: Interval::ZERO,
    };
}

/// What sums have in a cell between two nodes.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// Masses of the law above, times the distances from the lower and to the upper node.
    up: f64,
    down: f64,
    /// The lower half of the law below: mass, and times the distance from the lower node.
    low: [f64; 2],
    /// The upper half, and times the distance to the upper node.
    high: [f64; 2],
}

impl Sums {
    /// Adds `[above, below]` times what a row has.
    fn add(&mut self, row: &Self, [above, below]: [f64; 2]) {
        self.up += above * row.up;
        self.down += above * row.down;
        for place in 0..2 {
            self.low[place] += below * row.low[place];
            self.high[place] += below * row.high[place];
        }
    }
}

/// All cells, and what lies above the last node.
struct Table<'a> {
    nodes: &'a [f64],
    cells: Vec<Sums>,
    /// Of the law above: the mass, and the mean of what it exceeds the last node by.
    over: [f64; 2],
}

impl Table<'_> {
    /// Adds the sums of `x`, of these masses, and the numbers of another law from one place to another.
    ///
    /// What falls into one cell is added up first, so that no cell gets more terms than both laws have nodes.
    fn add(&mut self, x: f64, masses: [f64; 2], other: &Law, range: std::ops::Range<usize>) {
        let last = self.nodes.len() - 1;
        let Some(first) = other.nodes.get(range.start).map(|y| x + y) else {
            return;
        };
        let mut c = self.nodes.partition_point(|node| *node <= first).max(1) - 1;
        let mut row = Sums::default();
        for j in range {
            let sum = x + other.nodes[j];
            if sum >= self.nodes[last] {
                self.over[0] += masses[0] * other.above[j];
                self.over[1] += masses[0] * other.above[j] * (sum - self.nodes[last]);
                continue;
            }
            if sum >= self.nodes[c + 1] {
                self.cells[c].add(&row, masses);
                row = Sums::default();
                while self.nodes[c + 1] <= sum {
                    c += 1;
                }
            }
            let (up, down) = (sum - self.nodes[c], self.nodes[c + 1] - sum);
            row.up += other.above[j] * up;
            row.down += other.above[j] * down;
            // At 0 nothing can be gathered: there is nothing on its other side.
            let (half, distance) = match up < down && c > 0 {
                true => (&mut row.low, up),
                false => (&mut row.high, down),
            };
            half[0] += other.below[j];
            half[1] += other.below[j] * distance;
        }
        if c < last {
            self.cells[c].add(&row, masses);
        }
    }
}

impl Law {
    /// The law of the sum of an independent number of each law, at other nodes.
    #[must_use]
    pub fn plus(&self, other: &Self, nodes: Vec<f64>) -> Self {
        let all = other.nodes.len();
        self.summed(other, nodes, |table| {
            for (i, x) in self.nodes.iter().enumerate() {
                table.add(*x, [self.above[i], self.below[i]], other, 0..all);
            }
        })
    }

    /// The law of the sum of two independent numbers of this law.
    #[must_use]
    pub fn doubled(&self, nodes: Vec<f64>) -> Self {
        let all = self.nodes.len();
        self.summed(self, nodes, |table| {
            for (i, x) in self.nodes.iter().enumerate() {
                let masses = [self.above[i], self.below[i]];
                table.add(*x, masses, self, i..i + 1);
                table.add(*x, masses.map(|mass| 2.0 * mass), self, i + 1..all);
            }
        })
    }

    fn summed(&self, other: &Self, nodes: Vec<f64>, fill: impl Fn(&mut Table)) -> Self {
        let mut table = Table {
            nodes: &nodes,
            cells: vec![Sums::default(); nodes.len() - 1],
            over: [0.0; 2],
        };
        fill(&mut table);
        // A term is rounded at most six times, and added to at most so many others; the gap is rounded too.
        let terms = (self.nodes.len() + other.nodes.len()) as f64;
        let error = 1.01 * (terms + 10.0) * U;
        let around = |value: f64| match value == 0.0 {
            true => Interval::ZERO,
            false => Interval::within(value, error),
        };
        let mut above = vec![0.0; nodes.len()];
        let mut halves = [Vec::new(), Vec::new()];
        for (c, sums) in table.cells.iter().enumerate() {
            let gap = nodes[c + 1] - nodes[c];
            above[c] = (above[c] + around(sums.down / gap).hi).next_up();
            above[c + 1] = (above[c + 1] + around(sums.up / gap).hi).next_up();
            for (halves, [mass, moment]) in halves.iter_mut().zip([sums.low, sums.high]) {
                halves.push(Half {
                    mass: around(mass),
                    moment: around(moment),
                });
            }
        }
        let [mass_over, excess_over] = table.over.map(|over| around(over).hi);
        if let Some(last) = above.last_mut() {
            *last = (*last + mass_over).next_up();
        }
        let above = above.iter().map(|mass| (mass + FLOOR).next_up()).collect();
        let mass = self
            .above
            .iter()
            .fold(0.0, |sum, mass| (sum + mass).next_up());
        let excess = Interval::exactly(self.excess)
            + Interval::exactly(mass) * Interval::exactly(other.excess)
            + Interval::exactly(excess_over);
        Self {
            below: gathered(&nodes, &halves[0], &halves[1]),
            above,
            nodes,
            excess: excess.hi,
            // A sum is rounded once.
            slack: (self.slack.max(other.slack) + 1.01 * U).next_up(),
        }
    }
}

/// A bin: what is gathered on a node, and what must move there from a neighbour so that the mean is kept.
#[derive(Clone, Copy)]
struct Bin {
    mass: f64,
    from: Option<usize>,
    /// What moves, rounded down where it arrives and up where it leaves.
    arrives: f64,
    leaves: f64,
}

impl Bin {
    /// As much of both halves as balances: the rest is dropped. Nothing moves.
    fn even(over: Half, under: Half) -> Self {
        let part = |half: Half, other: Half| match half.moment.hi > 0.0 {
            true => {
                (half.mass.lo * (other.moment.lo / half.moment.hi).min(1.0).next_down()).next_down()
            }
            false => half.mass.lo,
        };
        let mass = (part(over, under).max(0.0) + part(under, over).max(0.0)).next_down();
        Self {
            mass: mass.max(0.0),
            from: None,
            arrives: 0.0,
            leaves: 0.0,
        }
    }

    /// Both halves: their surplus moves up from the node before, their deficit down from the node after.
    fn of(nodes: &[f64], j: usize, over: Half, under: Half) -> Self {
        let net = over.moment - under.moment;
        let gap = |low: usize| Interval::exactly(nodes[low + 1]) - Interval::exactly(nodes[low]);
        let (from, moved) = match (net.lo > 0.0, net.hi < 0.0) {
            (true, _) if j > 0 => (j - 1, net.over(gap(j - 1))),
            (_, true) if j + 1 < nodes.len() => (j + 1, (-net).over(gap(j))),
            _ => return Self::even(over, under),
        };
        Self {
            mass: (over.mass + under.mass).lo,
            from: Some(from),
            arrives: moved.lo.max(0.0),
            leaves: moved.hi,
        }
    }
}

/// The masses that are below those of all halves: `over[c]` lies above node c in its cell, `under[c]` below node c + 1.
///
/// It is the lower companion, with the mean and the mass kept, or a part of both halves dropped: a bin that would draw more from
/// its neighbour than that has keeps only what balances.
#[must_use]
pub fn gathered(nodes: &[f64], over: &[Half], under: &[Half]) -> Vec<f64> {
    let halves = |j: usize| {
        let below = j.checked_sub(1).and_then(|c| under.get(c));
        let or_none = |half: Option<&Half>| half.copied().unwrap_or(Half::NONE);
        (or_none(over.get(j)), or_none(below))
    };
    let whole = |j: usize| Bin::of(nodes, j, halves(j).0, halves(j).1);
    let mut bins: Vec<Bin> = (0..nodes.len()).map(whole).collect();
    loop {
        let mut masses: Vec<f64> = bins.iter().map(|bin| bin.mass).collect();
        for (j, bin) in bins.iter().enumerate() {
            if let Some(from) = bin.from {
                masses[j] = (masses[j] + bin.arrives).next_down();
                masses[from] = (masses[from] - bin.leaves).next_down();
            }
        }
        let lacking: Vec<usize> = (0..bins.len())
            .filter(|j| bins[*j].from.is_some_and(|from| masses[from] < 0.0))
            .collect();
        if lacking.is_empty() {
            return masses.iter().map(|mass| (mass - FLOOR).max(0.0)).collect();
        }
        for j in lacking {
            bins[j] = Bin::even(halves(j).0, halves(j).1);
        }
    }
}
