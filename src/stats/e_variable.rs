//! One bet against (epsilon, delta)-indistinguishability, in both directions at once.
//!
//! A fair coin `b` chooses the data set, and the output falls in cell `x`. With `E = e^epsilon`, any
//! `lam, mu > 0`, `0 <= k1 <= mu`, `0 <= k2 <= lam` with `lam + mu + delta (k1 + k2) / E = 2`, and any
//! functions `0 <= phi_i <= k_i / E`,
//!
//! `e(0, x) = lam + phi1 - E phi2`, `e(1, x) = mu - E phi1 + phi2`
//!
//! is at least 0 and has mean at most 1 under every pair of laws `p`, `q` of the null: twice the mean is
//! `lam + mu + sum phi1 (p - E q) + sum phi2 (q - E p)`, and the sums are at most `delta k_i / E`. Neither
//! the plug-in laws `P`, `Q` nor the optimiser enter this: a bad one loses power, never validity.
//! The best functions, for `w = P / (P + Q)`, clip `(w mu - E (1 - w) lam) / E` and its mirror image;
//! the growth is then concave in `(lam - k2, mu - k1, k1, k2)`, a point of a simplex.
//!
//! In floats: `E` and delta are rounded up (a larger null), the values are products of positive numbers and
//! err by less than a factor `1 + 2^-46`, and the logarithm is lowered by 2^-40.
#![allow(clippy::float_arithmetic)] // a bet in a statistical test; the errors are covered by the slack above

use super::{Null, StatsError};

/// Which data set an output came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first: the coin fell 0.
    First,
    /// The second: the coin fell 1.
    Second,
}

/// Subtracted from every logarithm, for the rounding.
const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// The least mass on a coordinate that is in use, so that no bet loses everything.
const FLOOR: f64 = 1e-9;

/// The weight of the pooled law in [`guessed_laws`], in calls; and of each cell beside.
const POOLED: f64 = 8.0;
const EACH: f64 = 0.25;

/// Guesses of the laws on two data sets, from how often each cell came on either: frequencies, drawn by eight imagined
/// calls towards what both data sets have in common. Few calls then say little, and a cell that hardly ever came says
/// nothing; chosen because bets on these guesses grow early, which is all that depends on it.
///
/// # Errors
/// [`StatsError::Cells`] if there is no cell, or not as many of both.
pub fn guessed_laws(first: &[u64], second: &[u64]) -> Result<[Vec<f64>; 2], StatsError> {
    check(first, second)?;
    let total = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
    let (calls, cells) = (total(first) + total(second), first.len() as f64);
    let common = |cell: usize| {
        ((first[cell] + second[cell]) as f64 + 2.0 * EACH) / (calls + 2.0 * EACH * cells)
    };
    Ok([first, second].map(|counts| {
        let weight = total(counts) + EACH * cells + POOLED;
        let cells = counts.iter().enumerate();
        cells
            .map(|(cell, &count)| (count as f64 + EACH + POOLED * common(cell)) / weight)
            .collect()
    }))
}

/// Guesses like those of [`guessed_laws`], where each cell by itself is drawn, by `weight` imagined calls, towards
/// what is believed of it before: `shares` are the probabilities, above 0 and below 1, that an output in the cell came
/// from the first data set, if both are called equally often; 1/2 where nothing is known. Of many cells, each of few
/// calls, most look unlike by luck: this guess grows where the other one loses, and where few rare cells are all that
/// differs it is the other way round.
///
/// # Errors
/// [`StatsError::Cells`] if there is no cell, or not as many of all three; or if a share or the weight is out of range.
pub fn careful_laws(
    first: &[u64],
    second: &[u64],
    shares: &[f64],
    weight: f64,
) -> Result<[Vec<f64>; 2], StatsError> {
    check(first, second)?;
    let reason = if shares.len() != first.len() {
        Some("there are not as many shares as counts")
    } else if shares.iter().any(|share| !(*share > 0.0 && *share < 1.0)) {
        Some("a share is not above 0 and below 1")
    } else if !(weight > 0.0 && weight.is_finite()) {
        Some("the weight of the shares is not positive and finite")
    } else {
        None
    };
    if let Some(reason) = reason {
        return Err(StatsError::Cells { reason });
    }
    let total = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
    let (of_first, of_second, cells) = (total(first), total(second), first.len() as f64);
    let calls = of_first + of_second;
    let laws = first
        .iter()
        .zip(second)
        .zip(shares)
        .map(|((&a, &b), share)| {
            // As many as there would be of half of the calls on either.
            let a = a as f64 / of_first.max(1.0) * calls / 2.0;
            let b = b as f64 / of_second.max(1.0) * calls / 2.0;
            let common = (a + b + EACH) / (calls + EACH * cells);
            let part = (a + weight * share) / (a + b + weight);
            (2.0 * common * part, 2.0 * common * (1.0 - part))
        });
    let (first, second) = laws.unzip();
    Ok([first, second])
}

/// Whether these are counts of the same cells, of at least one.
fn check(first: &[u64], second: &[u64]) -> Result<(), StatsError> {
    let reason = if first.len() != second.len() {
        "the counts have different numbers of cells"
    } else if first.is_empty() {
        "there is none"
    } else {
        return Ok(());
    };
    Err(StatsError::Cells { reason })
}

/// The logarithms of an e-variable on cells.
#[derive(Debug, Clone, PartialEq)]
pub struct EVariable {
    first: Vec<f64>,
    second: Vec<f64>,
    growth: f64,
    stakes: Option<Stakes>,
}

impl EVariable {
    /// The e-variable that grows fastest if the laws on the two data sets are `first` and `second`,
    /// which are guesses: weights per cell, all positive. If they satisfy the null, it is 1.
    ///
    /// # Errors
    /// [`StatsError::Cells`] if the laws have different numbers of cells, none, or a weight that is
    /// not positive and finite.
    pub fn new(null: &Null, first: &[f64], second: &[f64]) -> Result<Self, StatsError> {
        let laws = normalised(first, second)?;
        let stakes = (!satisfies(null, &laws)).then(|| best(null, &laws));
        Ok(Self::staked(null, &laws, stakes))
    }

    /// The same with stakes that were the best against a claim nearby: an e-variable too, whatever they are, and found
    /// without a search. `None` is not to bet.
    pub(super) fn with(
        null: &Null,
        first: &[f64],
        second: &[f64],
        stakes: Option<Stakes>,
    ) -> Result<Self, StatsError> {
        let laws = normalised(first, second)?;
        let stakes = stakes.filter(|_| !satisfies(null, &laws));
        let stakes = stakes.map(|stakes| Stakes::of_shares(null, stakes.0));
        Ok(Self::staked(null, &laws, stakes))
    }

    fn staked(null: &Null, laws: &[(f64, f64)], stakes: Option<Stakes>) -> Self {
        let growth = stakes.map_or(0.0, |stakes| growth(null, &stakes, laws));
        let Some(stakes) = stakes.filter(|_| growth > 0.0) else {
            // Not to bet is an e-variable too.
            let ones = vec![0.0; laws.len()];
            return Self {
                first: ones.clone(),
                second: ones,
                growth: 0.0,
                stakes: None,
            };
        };
        let values = laws.iter().map(|&law| stakes.values(null, law));
        let (first, second) = values
            .map(|(e0, e1)| (e0.ln() - SLACK, e1.ln() - SLACK))
            .unzip();
        Self {
            first,
            second,
            growth,
            stakes: Some(stakes),
        }
    }

    /// What is staked, if something is.
    pub(super) fn stakes(&self) -> Option<Stakes> {
        self.stakes
    }

    /// The logarithm of the e-value of an output in `cell`; `None` if there is no such cell.
    #[must_use]
    pub fn log(&self, side: Side, cell: usize) -> Option<f64> {
        match side {
            Side::First => self.first.get(cell).copied(),
            Side::Second => self.second.get(cell).copied(),
        }
    }

    /// The expected logarithm per call, if the guesses are right.
    #[must_use]
    pub fn growth(&self) -> f64 {
        self.growth
    }

    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.first.len()
    }
}

/// Guesses as laws, cell by cell.
fn normalised(first: &[f64], second: &[f64]) -> Result<Vec<(f64, f64)>, StatsError> {
    let reason = if first.len() != second.len() {
        "the laws have different numbers of cells"
    } else if first.is_empty() {
        "there is none"
    } else if first
        .iter()
        .chain(second)
        .any(|p| !(1e-200..=1e200).contains(p))
    {
        "a weight is not positive and finite"
    } else {
        let (p_total, q_total) = (first.iter().sum::<f64>(), second.iter().sum::<f64>());
        let laws = first.iter().zip(second);
        return Ok(laws.map(|(p, q)| (p / p_total, q / q_total)).collect());
    };
    Err(StatsError::Cells { reason })
}

/// `lam - k2`, `mu - k1`, `k1` and `k2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stakes([f64; 4]);

impl Stakes {
    /// Scaled to `lam + mu + delta (k1 + k2) / E = 2`, a little below.
    fn of_shares(null: &Null, shares: [f64; 4]) -> Self {
        let price = 1.0 + null.delta / null.slope;
        let [a, b, c, d] = shares;
        let total = a + b + price * (c + d);
        let scale = 2.0 / total * (1.0 - 1e-15);
        Self([a * scale, b * scale, c * scale, d * scale])
    }

    /// `e(0, x)` and `e(1, x)` on a cell with these guessed probabilities.
    fn values(&self, null: &Null, (p, q): (f64, f64)) -> (f64, f64) {
        let Self([spare_lam, spare_mu, k1, k2]) = *self;
        let (lam, mu) = (spare_lam + k2, spare_mu + k1);
        let slope = null.slope;
        let (w, v) = (p / (p + q), q / (p + q));
        if w * mu > slope * v * lam {
            (
                (w * (lam + mu / slope)).min(lam + k1 / slope),
                (v * (mu + slope * lam)).max(spare_mu),
            )
        } else if v * lam > slope * w * mu {
            (
                (w * (lam + slope * mu)).max(spare_lam),
                (v * (mu + lam / slope)).min(mu + k2 / slope),
            )
        } else {
            (lam, mu)
        }
    }
}

/// Whether the guesses satisfy the null: there is nothing to win then.
fn satisfies(null: &Null, laws: &[(f64, f64)]) -> bool {
    let excess = |a: f64, b: f64| (a - null.slope * b).max(0.0);
    let first: f64 = laws.iter().map(|&(p, q)| excess(p, q)).sum();
    let second: f64 = laws.iter().map(|&(p, q)| excess(q, p)).sum();
    first <= null.delta && second <= null.delta
}

fn growth(null: &Null, stakes: &Stakes, laws: &[(f64, f64)]) -> f64 {
    let sum: f64 = laws
        .iter()
        .map(|&(p, q)| {
            let (e0, e1) = stakes.values(null, (p, q));
            p * e0.ln() + q * e1.ln()
        })
        .sum();
    sum / 2.0 - SLACK
}

/// Golden sections of a line search: the best point to a millionth of the line, and the growth to its square.
const HALVINGS: u32 = 29;

/// The search ends when a round of line searches adds less than this part of the growth.
const ENOUGH: f64 = 1e-4;

/// The best point of the simplex: exact line searches between pairs of coordinates, which converge
/// because the growth is concave and smooth. For delta = 0 the clips are off, and one search does it.
fn best(null: &Null, laws: &[(f64, f64)]) -> Stakes {
    let value = |shares: [f64; 4]| growth(null, &Stakes::of_shares(null, shares), laws);
    let pure = null.delta <= 0.0;
    // Equal stakes, in the coordinates of cost: with delta = 0 all of lam and mu may be staked.
    let mut shares = if pure { [0.0, 0.0, 1.0, 1.0] } else { [0.5; 4] };
    let pairs: &[(usize, usize)] = if pure {
        &[(2, 3)]
    } else {
        &[(2, 3), (0, 3), (1, 2), (0, 1), (0, 2), (1, 3)]
    };
    let price = 1.0 + null.delta / null.slope;
    let cost = [1.0, 1.0, price, price];
    let mut last = value(shares);
    for _ in 0..60 {
        for &(i, j) in pairs {
            let both = shares[i] * cost[i] + shares[j] * cost[j];
            if both <= 4.0 * FLOOR {
                continue;
            }
            let split = |share: f64| {
                let mut moved = shares;
                moved[i] = share / cost[i];
                moved[j] = (both - share) / cost[j];
                moved
            };
            shares = split(highest(FLOOR, both - FLOOR, |share| value(split(share))));
        }
        let now = value(shares);
        if pure || now - last < ENOUGH * now.abs() {
            break;
        }
        last = now;
    }
    Stakes::of_shares(null, shares)
}

/// Where a concave function is highest, by golden sections; an end if it is highest there.
fn highest(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (start, end) = (low, high);
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_left, mut at_right) = (value(left), value(right));
    for _ in 0..HALVINGS {
        if at_left < at_right {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = value(right);
        } else {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = value(left);
        }
    }
    let candidates = [start, (low + high) / 2.0, end];
    let mut best = (candidates[1], value(candidates[1]));
    for end in [candidates[0], candidates[2]] {
        let at_end = value(end);
        if at_end > best.1 {
            best = (end, at_end);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};

    fn null(epsilon: &str, delta: &str) -> Null {
        Null::new(&parse(epsilon).unwrap(), &parse(delta).unwrap()).unwrap()
    }

    /// The largest mean under the null: a linear function, highest at an extreme point. The null is a
    /// section of the cone that, on each cell, has the rays (E, 1), (1, E), and with delta also (1, 0)
    /// and (0, 1): each extreme point has one cell per ray.
    fn worst_mean(null: &Null, e: &[(f64, f64)]) -> f64 {
        let (slope, delta) = (null.slope, null.delta);
        let top = |p: f64, q: f64| {
            let along = e.iter().map(|(e0, e1)| p * e0 + q * e1);
            along.fold(0.0, f64::max)
        };
        let mut worst = 0.0f64;
        for c in [0.0, delta] {
            for d in [0.0, delta] {
                // a E + b = 1 - c, a + b E = 1 - d.
                let det = slope * slope - 1.0;
                let (a, b) = if c == d {
                    ((1.0 - c) / (1.0 + slope), (1.0 - d) / (1.0 + slope))
                } else {
                    let (c, d) = (1.0 - c, 1.0 - d);
                    ((slope * c - d) / det, (slope * d - c) / det)
                };
                if a >= 0.0 && b >= 0.0 {
                    let mean = a * top(slope, 1.0)
                        + b * top(1.0, slope)
                        + c * top(1.0, 0.0)
                        + d * top(0.0, 1.0);
                    worst = worst.max(mean / 2.0);
                }
            }
        }
        worst
    }

    fn values(e: &EVariable) -> Vec<(f64, f64)> {
        e.first
            .iter()
            .zip(&e.second)
            .map(|(a, b)| (a.exp(), b.exp()))
            .collect()
    }

    #[test]
    fn the_mean_is_at_most_one_whatever_the_guess() {
        let guesses: [(&[f64], &[f64]); 5] = [
            (&[0.9, 0.05, 0.05], &[0.05, 0.05, 0.9]),
            (&[0.7, 0.3, 1e-12], &[1e-12, 0.1, 0.9]),
            (&[0.5, 0.5], &[1e-30, 1.0]),
            (&[0.1, 0.2, 0.3, 0.4], &[0.7, 0.1, 0.1, 0.1]),
            (&[1.0, 1e-9], &[1e-9, 1.0]),
        ];
        for (p, q) in guesses {
            for epsilon in ["0", "0.1", "1", "4"] {
                for delta in ["0", "1e-6", "0.05", "0.3"] {
                    let null = null(epsilon, delta);
                    let e = values(&EVariable::new(&null, p, q).unwrap());
                    let mean = worst_mean(&null, &e);
                    assert!(mean <= 1.0, "{epsilon} {delta} {p:?} {q:?}: {mean}");
                    // A doubled e is not an e-variable.
                    let doubled: Vec<_> = e.iter().map(|(a, b)| (2.0 * a, 2.0 * b)).collect();
                    assert!(worst_mean(&null, &doubled) > 1.0);
                }
            }
        }
    }

    #[test]
    fn growth_is_the_divergence_for_randomised_response() {
        // KL(Bern(p) || Bern(E / (1 + E))) with p = e^2 / (1 + e^2), E = e.
        let p = 1.0 / (1.0 + (-2.0f64).exp());
        let e = EVariable::new(&null("1", "0"), &[p, 1.0 - p], &[1.0 - p, p]).unwrap();
        let r = 1.0 / (1.0 + (-1.0f64).exp());
        let divergence = p * (p / r).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - r)).ln();
        assert!((e.growth() - divergence).abs() < 1e-10, "{}", e.growth());
        assert!((e.growth() - 0.06713).abs() < 1e-5);
    }

    #[test]
    fn the_best_bet_may_be_at_the_end_of_the_range() {
        // The logarithm of 1.2.
        let null = null("0.182321556793954626", "0");
        let e = EVariable::new(&null, &[0.7, 0.3, 1e-12], &[1e-12, 0.1, 0.9]).unwrap();
        // One direction alone grows by 0.489519, with lam = 0: both together by more.
        assert!((e.growth() - 0.505_989).abs() < 1e-5, "{}", e.growth());
    }

    #[test]
    fn stakes_of_a_claim_nearby_are_valid_and_nearly_as_good() {
        let (p, q) = ([0.6, 0.3, 0.1], [0.1, 0.2, 0.7]);
        for delta in ["0", "1e-6", "0.05"] {
            let near = EVariable::new(&null("0.5", delta), &p, &q).unwrap();
            for epsilon in ["0.51", "0.6", "2", "4"] {
                let null = null(epsilon, delta);
                let with = EVariable::with(&null, &p, &q, near.stakes()).unwrap();
                let mean = worst_mean(&null, &values(&with));
                assert!(mean <= 1.0, "{epsilon} {delta}: {mean}");
                let best = EVariable::new(&null, &p, &q).unwrap().growth();
                assert!(with.growth() <= best + 1e-9, "{epsilon} {delta}");
                if epsilon.starts_with("0.") {
                    assert!(with.growth() > 0.99 * best, "{epsilon} {delta}");
                }
            }
            // Nothing is staked where the guess satisfies the null, nor where nothing was.
            let null = null("4", delta);
            let with = |stakes| EVariable::with(&null, &p, &p, stakes).unwrap();
            assert_eq!(with(near.stakes()).growth(), 0.0);
            assert_eq!(with(None).stakes(), None);
        }
    }

    #[test]
    fn delta_is_spent_where_it_helps() {
        // More delta, less growth, continuously from delta = 0; none when the null holds.
        let (p, q) = ([0.6, 0.3, 0.1], [0.1, 0.2, 0.7]);
        let growth = |delta| {
            EVariable::new(&null("0.5", delta), &p, &q)
                .unwrap()
                .growth()
        };
        let all = [growth("0"), growth("1e-9"), growth("0.05"), growth("0.2")];
        assert!((all[0] - all[1]).abs() < 1e-6, "{all:?}");
        assert!(all[1] > all[2] && all[2] > all[3], "{all:?}");
        // max (P - E Q)(A) is 0.6 - 0.165 < 0.45 and its mirror 0.7 - 0.165 < 0.55.
        assert_eq!(growth("0.6"), 0.0);
    }

    #[test]
    fn guesses_are_laws_and_tend_to_the_frequencies() {
        let guess = guessed_laws(&[30_000, 10_000, 0], &[0, 0, 40_000]).unwrap();
        for law in &guess {
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12 && law.iter().all(|p| *p > 0.0));
        }
        assert!((guess[0][0] - 0.75).abs() < 1e-3 && (guess[1][2] - 1.0).abs() < 1e-3);
        let careful = careful_laws(&[30_000, 10_000, 0], &[0, 0, 40_000], &[0.5; 3], 8.0).unwrap();
        for (law, guess) in careful.iter().zip(&guess) {
            assert!(law.iter().zip(guess).all(|(p, q)| (p - q).abs() < 1e-3));
        }
        // Of one call less is thought by the careful.
        let (first, second) = ([50, 50, 1], [50, 50, 0]);
        let careful = careful_laws(&first, &second, &[0.5; 3], 8.0);
        let [ratio, careful] = [guessed_laws(&first, &second), careful].map(|laws| {
            let laws = laws.unwrap();
            laws[0][2] / laws[1][2]
        });
        assert!(
            careful > 1.0 && careful < 1.3 && ratio > 2.0,
            "{careful} {ratio}"
        );
        // Without calls, what is believed is guessed.
        let believed = careful_laws(&[0, 0], &[0, 0], &[0.75, 0.5], 8.0).unwrap();
        assert!((believed[0][0] / believed[1][0] - 3.0).abs() < 1e-12);
        assert_eq!(believed[0][1], believed[1][1]);
        // And without a belief, both are the same.
        let nothing = guessed_laws(&[0, 0], &[0, 0]).unwrap();
        assert_eq!(nothing[0], nothing[1]);
    }

    #[test]
    fn nonsense_is_refused() {
        let null = Null::new(&ratio(1, 1), &ratio(0, 1)).unwrap();
        assert!(EVariable::new(&null, &[], &[]).is_err());
        assert!(EVariable::new(&null, &[1.0], &[0.5, 0.5]).is_err());
        assert!(EVariable::new(&null, &[f64::NAN], &[1.0]).is_err());
        assert!(EVariable::new(&null, &[0.0, 1.0], &[0.5, 0.5]).is_err());
        assert!(guessed_laws(&[], &[]).is_err());
        assert!(guessed_laws(&[1], &[1, 2]).is_err());
        assert!(careful_laws(&[], &[], &[], 8.0).is_err());
        assert!(careful_laws(&[1], &[1, 2], &[0.5], 8.0).is_err());
        assert!(careful_laws(&[1], &[1], &[0.5, 0.5], 8.0).is_err());
        for (share, weight) in [(0.0, 8.0), (1.0, 8.0), (f64::NAN, 8.0), (0.5, 0.0)] {
            assert!(careful_laws(&[1], &[1], &[share], weight).is_err());
        }
    }
}
