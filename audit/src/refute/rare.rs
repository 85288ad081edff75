//! A fifth bettor, for what is rare: outputs that came on one dataset only.
//!
//! A branch without noise, taken once in ten thousand calls, has some five outputs in the calls that events are learned from,
//! and hundreds in all calls. So what came is counted to the end, and each output is in a cell by how often the same one came
//! before: so often on the first dataset and never on the second, or the other way round; or neither. How often such cells
//! come on each side is learned in the same calls. Of noise that is as tight as it may be, an outcome that came on one side
//! comes there next with a share of `e^epsilon / (1 + e^epsilon)` at most, and nothing is bet.
//!
//! The bets on a round depend on the calls before it, which is all that the proof asks.

use super::claim::Claim;
use super::question::AuditError;
use crate::events::{Aspect, Estimator, Event, Feature, Predicate, Side, bytes};
use crate::targets::Output;
use dp_assay::number::Rational;
use dp_assay::number::rational::to_f64_for_display;
use dp_assay::stats::{CellCounts, Laws, Null};
use std::collections::HashMap;

/// Its share of the wealth.
pub const SHARE: f64 = 1.0 / 16.0;

/// An outcome that came so often on one side, and never on the other, is in the cell of the last that is not above.
const OFTEN: [u32; 4] = [1, 2, 4, 8];
/// What is believed of the share of that side in each cell, before anything is known, with a weight of so many calls.
const SHARES: [f64; 4] = [0.55, 0.65, 0.75, 0.85];
const WEIGHT: f64 = 4.0;
const CELLS: usize = 2 * OFTEN.len() + 1;
const REST: usize = CELLS - 1;

/// The most different outputs that are counted, and the most bytes of them. If there is no room, those that came once are
/// forgotten.
const MOST_KEYS: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 25;
/// The normal quantile of 0.95.
const QUANTILE: f64 = 1.645;
/// An event has at most so many outcomes, of which each came at least so often.
const LARGEST_EVENT: usize = 8;
const LEAST_WON: u32 = 4;

/// The bettor.
pub struct Rare {
    /// The whole output in an aspect.
    whole: Feature,
    seen: HashMap<Output, [u32; 2]>,
    bytes: usize,
    /// What comes again fills more than half of the room: nothing new is counted.
    is_full: bool,
    counts: CellCounts,
    estimator: Estimator,
}

impl Rare {
    /// The bettor of a line; the bits of doubles have no outcomes.
    pub fn new(aspect: Aspect) -> Option<Self> {
        let at = None;
        let whole = match aspect {
            Aspect::Whole => Feature::Exact { at },
            Aspect::Values | Aspect::Time => Feature::Value { at },
            Aspect::Bits => return None,
        };
        let on_second = SHARES.map(|share| 1.0 - share);
        let shares = SHARES.into_iter().chain(on_second).chain([0.5]);
        Some(Self {
            whole,
            seen: HashMap::new(),
            bytes: 0,
            is_full: false,
            counts: [vec![0; CELLS], vec![0; CELLS]],
            estimator: Estimator::Careful {
                shares: shares.collect(),
                weight: WEIGHT,
            },
        })
    }

    /// The laws of the cells that it guesses, and what it bets against.
    pub fn bet(&self, claim: &Claim) -> Result<(Laws, Null), AuditError> {
        let laws = self.estimator.laws(&self.counts)?;
        let null = claim.exceeded_by(&laws)?.null;
        Ok((laws, null))
    }

    /// How often the cells came in a round. What came is then known.
    pub fn count(&mut self, outputs: &[Vec<Output>; 2]) -> CellCounts {
        let mut round = [vec![0; CELLS], vec![0; CELLS]];
        for (round, outputs) in round.iter_mut().zip(outputs) {
            for output in outputs {
                let key = self.whole.key(output);
                let came = key.and_then(|key| self.seen.get(&*key));
                round[cell(came.copied().unwrap_or_default())] += 1;
            }
        }
        for (sums, round) in self.counts.iter_mut().zip(&round) {
            for (sum, more) in sums.iter_mut().zip(round) {
                *sum += more;
            }
        }
        for (side, outputs) in outputs.iter().enumerate() {
            for output in outputs {
                self.remember(output, side);
            }
        }
        round
    }

    fn remember(&mut self, output: &Output, side: usize) {
        let Some(key) = self.whole.key(output) else {
            return;
        };
        if let Some(came) = self.seen.get_mut(&*key) {
            came[side] = came[side].saturating_add(1);
            return;
        }
        if self.is_full {
            return;
        }
        let more = bytes(&key);
        if self.seen.len() >= MOST_KEYS || self.bytes + more > MOST_BYTES {
            self.seen.retain(|_, came| came[0] + came[1] > 1);
            self.bytes = self.seen.keys().map(bytes).sum();
            self.is_full = 2 * self.seen.len() > MOST_KEYS || 2 * self.bytes > MOST_BYTES;
        }
        if self.bytes + more <= MOST_BYTES {
            let mut came = [0; 2];
            came[side] = 1;
            self.bytes += more;
            self.seen.insert(key.into_owned(), came);
        }
    }

    /// The outcomes of one side that came most often: alone, and together.
    pub fn won(&self) -> Vec<Event> {
        let sides = [Side::First, Side::Second].into_iter().enumerate();
        sides
            .flat_map(|(side, likelier)| self.won_on(side, likelier))
            .collect()
    }

    fn won_on(&self, side: usize, likelier: Side) -> Vec<Event> {
        let is_won = |came: &[u32; 2]| came[side] >= LEAST_WON && came[1 - side] == 0;
        let won = self.seen.iter().filter(|(_, came)| is_won(came));
        let mut won: Vec<(u32, &Output)> = won.map(|(key, came)| (came[side], key)).collect();
        won.sort_by(|(a, x), (b, y)| b.cmp(a).then_with(|| x.cmp(y)));
        won.truncate(LARGEST_EVENT);
        let event = |outcomes: &[(u32, &Output)]| Event {
            likelier,
            predicate: Predicate::OneOf {
                feature: self.whole.clone(),
                values: outcomes.iter().map(|(_, key)| (*key).clone()).collect(),
            },
        };
        let alone = won.first().map(|first| event(&[*first]));
        let together = (won.len() > 1).then(|| event(&won));
        alone.into_iter().chain(together).collect()
    }
}

/// The mass, on one dataset, of an outcome that the other never has, from which on this bettor finds it with probability about
/// 0.95, if so many calls may be made and the bets of a line have this level: its own arithmetic, in doubles, which decides
/// nothing. `None` for a claim in another measure, or one with a delta, which allows such outcomes.
#[must_use]
pub fn learnable_mass(claim: &Claim, bets: &Rational, calls: u64) -> Option<f64> {
    let (epsilon, _) = claim.as_budget().filter(|_| !claim.has_delta())?;
    let slope = to_f64_for_display(epsilon).exp();
    let needed = -to_f64_for_display(bets).ln() - SHARE.ln();
    let (mut wealth, mut hits) = (0.0, 0.0);
    // In the last cell no other outcome is met, and its share is drawn from what is believed towards 1.
    while wealth < needed && hits < calls as f64 {
        let share = (hits + WEIGHT * SHARES[OFTEN.len() - 1]) / (hits + WEIGHT);
        wealth += (share * (1.0 + slope) / slope).ln().max(0.0);
        hits += 1.0;
    }
    let came = hits + f64::from(OFTEN[OFTEN.len() - 1]);
    // A Poisson number of this mean is at least `came` with probability 0.95, by the normal law.
    let mean = came + QUANTILE * came.sqrt() + QUANTILE;
    Some((2.0 * mean / calls.max(1) as f64).min(1.0))
}

/// The cell of an outcome that came so often on the two sides.
fn cell(came: [u32; 2]) -> usize {
    let place = |count: u32| OFTEN.iter().rposition(|least| count >= *least);
    match came {
        [a, 0] => place(a).unwrap_or(REST),
        [0, b] => place(b).map_or(REST, |place| OFTEN.len() + place),
        _ => REST,
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::super::pair::audit_pair;
    use super::super::question::Question;
    use super::super::question::tests::question;
    use super::*;
    use crate::pairs::Pair;
    use crate::targets::Function;
    use dp_assay::coins::{ChaCha, Coins};
    use dp_assay::number::rational::ratio;
    use dp_assay::sample::DiscreteLaplace;
    use num_traits::ToPrimitive;
    use serde_json::json;

    #[test]
    fn an_outcome_is_in_the_cell_of_how_often_it_came_on_one_side() {
        let cells = [
            [0, 0],
            [1, 0],
            [3, 0],
            [4, 0],
            [99, 0],
            [0, 1],
            [0, 8],
            [1, 1],
            [9, 1],
        ];
        assert_eq!(cells.map(cell), [8, 0, 1, 2, 3, 4, 7, 8, 8]);
        let mut rare = Rare::new(Aspect::Whole).unwrap();
        let leak = || vec![Output::Integer(7)];
        for round in [1, 2, 3] {
            let counts = rare.count(&[leak(), Vec::new()]);
            // The calls of a round are not counted in its own cells.
            assert_eq!(counts[0][REST], u64::from(round == 1));
        }
        assert!(rare.won().is_empty());
        rare.count(&[leak(), Vec::new()]);
        assert_eq!(rare.won()[0].predicate.to_string(), "output = 7");
        assert!(Rare::new(Aspect::Bits).is_none());
    }

    #[test]
    fn the_mass_that_is_found_is_some_fifty_occurrences_at_epsilon_one() {
        let mass = |epsilon: i64, calls| {
            let claim = Claim::budget(ratio(epsilon, 1), ratio(0, 1));
            learnable_mass(&claim, &ratio(1, 25), calls).unwrap()
        };
        let occurrences = mass(1, 1_000_000) * 500_000.0;
        assert!((35.0..70.0).contains(&occurrences), "{occurrences}");
        assert!(mass(3, 1_000_000) > mass(1, 1_000_000) && mass(1, 50) == 1.0);
        let other = Claim::budget(ratio(1, 1), ratio(1, 100));
        assert_eq!(learnable_mass(&other, &ratio(1, 25), 1000), None);
    }

    #[test]
    fn what_came_once_is_forgotten_where_there_is_no_room() {
        let mut rare = Rare::new(Aspect::Whole).unwrap();
        for number in 0..3 * MOST_KEYS as i128 {
            let leak = number % 1000 == 0;
            let value = if leak { -1 } else { number };
            rare.count(&[vec![Output::Integer(value)], Vec::new()]);
            assert!(rare.seen.len() <= MOST_KEYS);
        }
        assert_eq!(rare.won()[0].predicate.to_string(), "output = -1");
    }

    /// No noise in one of 8192 answers beside noise that is as tight as the claim: without this bettor it was missed.
    #[test]
    fn a_branch_that_is_taken_once_in_ten_thousand_calls_is_found() {
        let noise = DiscreteLaplace::new(ratio(1, 1)).unwrap();
        let audit = |leaks: bool| {
            let mut coins = ChaCha::reproducible(4, 0);
            let mut target = Function(|data: &serde_json::Value| {
                let value = i128::from(data[0] == 1);
                let is_rare = coins.bits(13)? == 0;
                let noise = coins.draw(&noise)?.to_i128().unwrap_or(0);
                Ok(match is_rare && leaks {
                    true => Output::Label(format!("row {value}")),
                    false => Output::Integer(value + noise),
                })
            });
            let question = Question {
                level: ratio(1, 20),
                ..question(1_000_000)
            };
            let pair = Pair(json!([0]), json!([1]));
            audit_pair(&mut target, &pair, &question).unwrap()
        };
        let found = audit(true);
        assert_eq!(found.verdict, Verdict::Violation, "{found:?}");
        let won: Vec<String> = found.won.iter().map(ToString::to_string).collect();
        assert!(won.contains(&"output = \"row 0\"".to_owned()), "{won:?}");
        assert_eq!(audit(false).verdict, Verdict::NotRefuted);
    }
}
