//! Two laws on a grid, one above a pair and one below, for all thresholds (`spec/accounting.md`, claim
//! `privacy.companions`).
//!
//! For a pair (P, Q) put `h(g) = integral of (dP - g dQ)+`; `delta(epsilon) = h(e^epsilon)`. One pair is above another if its h is.
//! A companion has its masses at the nodes of the grid, and is given by its Q-masses: P is `e^loss` times that.

use super::cells::{Cell, Cells, Mass, loss};
use super::interval::Interval;

/// Q-masses at nodes, and a P-mass at infinite loss.
#[derive(Debug, Clone)]
pub struct Companion {
    /// The nodes, rising.
    pub nodes: Vec<i64>,
    /// The masses, one a node.
    pub masses: Vec<f64>,
    /// What P has where Q has nothing.
    pub infinite: f64,
}

impl Companion {
    /// The nodes that have a mass, each with it.
    pub fn atoms(&self) -> impl Iterator<Item = (i64, f64)> + Clone + '_ {
        let atoms = self.nodes.iter().copied().zip(self.masses.iter().copied());
        atoms.filter(|(_, mass)| *mass > 0.0)
    }
}

/// The nodes as likelihood ratios, and the distance from each but the last to the next.
struct Nodes {
    ratio: Vec<Interval>,
    gap: Vec<Interval>,
}

impl Nodes {
    fn of(cells: &Cells) -> Self {
        let ratio: Vec<Interval> = cells
            .nodes
            .iter()
            .map(|node| cells.loss(*node).exp())
            .collect();
        let apart = cells
            .nodes
            .windows(2)
            .map(|pair| loss(0.0, cells.step, pair[1] - pair[0]));
        let gap = ratio
            .iter()
            .zip(apart)
            .map(|(ratio, apart)| *ratio * apart.exp_minus_one())
            .collect();
        Self { ratio, gap }
    }
}

/// A companion above the pair, once its losses are raised by `slack`: connect the dots.
///
/// A cell of masses (p, q) between the nodes g < g' becomes `(p - g q) / (g' - g)` at g' and the rest of q at g: h is
/// convex, and this is its chord. The share at g' is rounded up, q too, and mass at a higher node is above.
#[must_use]
pub fn upper(cells: &Cells) -> Companion {
    let nodes = Nodes::of(cells);
    // T is at most (1 + slack) times itself clamped to the cell, and that at most (1 + slack) T.
    let clamped = Interval::ONE + Interval::exactly(cells.slack);
    let mut masses = vec![0.0; cells.cells.len() + 1];
    masses[0] = cells.below.q.hi;
    for (i, cell) in cells.cells.iter().enumerate() {
        let Mass { p, q } = cell.low.and(cell.high);
        let surplus = (p * clamped).hi - (nodes.ratio[i] * q).lo;
        let share = (surplus.next_up().max(0.0) / nodes.gap[i].lo)
            .next_up()
            .min(q.hi);
        masses[i + 1] = (masses[i + 1] + share).next_up();
        masses[i] = (masses[i] + (q.hi - share).next_up()).next_up();
    }
    for (j, mass) in masses.iter_mut().enumerate() {
        *mass = (*mass + cells.on_node(j).q.hi).next_up();
    }
    Companion {
        nodes: cells.nodes.clone(),
        masses,
        infinite: (cells.above.p * clamped).hi,
    }
}

/// A companion below the pair, once its losses are lowered by `slack`.
///
/// The bin of a node is what lies between the cuts around it, of masses (p, q); its surplus is `s = p - g q`. Each
/// cut gives a line below h, and the chords of the minima of these lines at the nodes lie below it. That is the h of the
/// bins' q at their nodes after two kinds of moves: a surplus lifts `s / (g_j - g_(j-1))` from the node before, a deficit
/// lowers `-s / (g_(j+1) - g_j)` from the node after. To lift less, or from farther below, or lower more, is below.
#[must_use]
pub fn lower(cells: &Cells) -> Companion {
    let nodes = Nodes::of(cells);
    let raised = Interval::ONE + Interval::exactly(cells.slack);
    let cells = &cut_where_mass_is_scarce(cells, &nodes);
    let (mut masses, surplus) = settled(cells, &nodes, raised);
    for j in 0..masses.len() {
        let mut left = surplus[j];
        if j > 0 && left > 0.0 {
            let share = (left / nodes.gap[j - 1].hi)
                .next_down()
                .clamp(0.0, masses[j - 1]);
            masses[j - 1] = (masses[j - 1] - share).next_down().max(0.0);
            masses[j] = (masses[j] + share).next_down();
            left = (left - (share * nodes.gap[j - 1].hi).next_up()).next_down();
        }
        if left > 0.0 {
            // From ratio 0, where mass has no effect on h.
            masses[j] = (masses[j] + (left / nodes.ratio[j].hi).next_down()).next_down();
        }
    }
    Companion {
        nodes: cells.nodes.clone(),
        masses: masses.into_iter().map(|mass| mass.max(0.0)).collect(),
        infinite: 0.0,
    }
}

/// The bins, from the last on, with every deficit paid; and the surpluses that are left.
///
/// A deficit that the node after cannot pay is avoided: the part of the bin below its node goes, as far as it makes the
/// deficit, to the bin before. A cut may go through outcomes by a coin: that is a test too. Without a bin before, the
/// bin is dropped.
fn settled(cells: &Cells, nodes: &Nodes, raised: Interval) -> (Vec<f64>, Vec<f64>) {
    let count = cells.cells.len() + 1;
    let (mut masses, mut surplus) = (vec![0.0; count], vec![0.0; count]);
    let excess = |mass: Mass, j: usize| (mass.p * raised - nodes.ratio[j] * mass.q).lo;
    let mut handed = Mass::ZERO;
    for j in (0..count).rev() {
        let over = over_node(cells, j).and(handed);
        let under = if j == 0 {
            cells.below
        } else {
            cells.cells[j - 1].high
        };
        let whole = over.and(under);
        handed = Mass::ZERO;
        // On the node itself there is no deficit: the slack is more than it.
        let on = cells.on_node(j).q.lo;
        (masses[j], surplus[j]) = ((whole.q.lo + on).next_down(), excess(whole, j));
        if surplus[j] >= 0.0 {
            continue;
        }
        let due = |gap: &Interval| (-surplus[j] / gap.lo).next_up();
        let due = nodes.gap.get(j).map_or(f64::INFINITY, due);
        if j + 1 < count && masses[j + 1] >= due {
            masses[j + 1] = (masses[j + 1] - due).next_down().max(0.0);
            masses[j] = (masses[j] + due).next_down();
            surplus[j] = 0.0;
            continue;
        }
        let kept = Interval::exactly(kept_share(excess(over, j), excess(under, j)));
        let whole = over.and(under.times(kept));
        (masses[j], surplus[j]) = ((whole.q.lo + on).next_down(), excess(whole, j));
        handed = under.times((Interval::ONE - kept).not_negative());
        if surplus[j] < 0.0 {
            (masses[j], surplus[j]) = (on, 0.0);
        }
    }
    (masses, surplus)
}

/// The same cells with cuts such that no surplus needs more mass than the node before has, as far as that can be.
///
/// Near the least loss densities may rise so steeply that there is nothing to lift. Then a part of what lies above the
/// node goes to the bin after.
fn cut_where_mass_is_scarce(cells: &Cells, nodes: &Nodes) -> Cells {
    let mut moved = cells.clone();
    let mut before = 0.0;
    for j in 0..cells.cells.len() {
        let under = if j == 0 {
            cells.below
        } else {
            moved.cells[j - 1].high
        };
        let Cell { low, high } = moved.cells[j];
        let excess = |mass: Mass| (mass.p - nodes.ratio[j] * mass.q).middle();
        let liftable = if j == 0 {
            0.0
        } else {
            0.5 * before * nodes.gap[j - 1].lo
        };
        before = (under.q + low.q + cells.on_node(j).q).middle();
        if excess(under.and(low)) <= liftable {
            continue;
        }
        let kept = Interval::exactly(kept_share(-excess(under), -excess(low)));
        let given = low.times((Interval::ONE - kept).not_negative());
        moved.cells[j] = Cell {
            low: low.times(kept),
            high: high.and(given),
        };
        before -= given.q.middle();
    }
    moved
}

/// How much of a part its bin can keep, a little less than what balances the other: theirs are `over` and `under`.
fn kept_share(over: f64, under: f64) -> f64 {
    if over <= 0.0 || under >= 0.0 {
        0.0
    } else {
        (0.999_999 * (over / -under)).min(1.0)
    }
}

/// The part of a node's bin that lies above it.
fn over_node(cells: &Cells, j: usize) -> Mass {
    cells
        .cells
        .get(j)
        .map_or(cells.above, |cell: &Cell| cell.low)
}
