//! The search for the pair of a domain on which a mechanism looks least private.
//!
//! 0. Pathological records, where the domain allows them: what many programs are not made for.
//! 1. The deterministic candidates: extremes, duplicates, empties, one outlier, ties at thresholds.
//! 2. Pairs drawn at random.
//! 3. In rounds, the neighbourhood of the pairs that promise most: what the candidates would change in the
//!    best one, and mutations of the best few.
//! 4. The best few and the simplest pair are measured once more and with more care, since the best of many measurements
//!    is too good.
//!
//! A promise of 0 or less is no evidence. Of pairs without evidence those with the fewest records are preferred, and of
//! these those with the largest difference: a leak that is too rare for the measurements shows most on them, as a release
//! of one of n records does.
//!
//! What is measured is the caller's; nothing of it may enter a proof. The same seed gives the same search, if
//! the measurements are the same.

use super::domain::Domain;
use super::draws::Draws;
use super::mutations::mutated;
use super::pair::Pair;
use super::parts::Parts;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// How many pairs are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Pairs with pathological records, which come first.
    pub pathological: usize,
    /// Deterministic candidates.
    pub candidates: usize,
    /// Pairs drawn at random.
    pub drawn: usize,
    /// Rounds of changes.
    pub rounds: usize,
    /// In each round, deterministic changes of the best pair.
    pub near: usize,
    /// In each round, mutations of the best few.
    pub mutations: usize,
    /// How many are the best few: mutated, and measured twice in the end.
    pub best: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            pathological: 12,
            candidates: 24,
            drawn: 12,
            rounds: 6,
            near: 2,
            mutations: 4,
            best: 3,
        }
    }
}

impl Effort {
    /// The most measurements of a search.
    #[must_use]
    pub fn measurements(&self) -> usize {
        let fixed = self.pathological + self.candidates;
        fixed + self.drawn + self.rounds * (self.near + self.mutations) + self.best + 1
    }
}

/// With how much care a pair is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// One of many.
    Screening,
    /// One of the last few, between which this decides.
    Choosing,
}

/// Promises that differ by less are taken as equal in the choice between the last few: for pairs of the same promise it
/// is within the error of a few thousand calls.
const SAME: f64 = 0.1;

/// How often a source is asked for a pair that has not been measured, relative to how many are wanted.
const PATIENCE: usize = 8;

/// The pair of the domain with the largest promise, by [`Effort::measurements`] at most; `None` if the domain
/// has no pair.
///
/// # Errors
/// Those of `promise`.
pub fn search<E>(
    domain: &Domain,
    effort: &Effort,
    seed: u64,
    promise: impl FnMut(&Pair, Care) -> Result<f64, E>,
) -> Result<Option<Pair>, E> {
    let mut draws = Draws::new(seed);
    let mut measured = Measured {
        promise,
        domain,
        seen: BTreeSet::new(),
        ranked: Vec::new(),
    };
    // 0. Pathological records.
    for pair in domain.pathological(effort.pathological) {
        measured.measure(pair)?;
    }
    // 1. Candidates.
    for pair in domain.pairs(effort.candidates) {
        measured.measure(pair)?;
    }
    // 2. Random pairs.
    measured.draw(effort.drawn, |_| domain.drawn(&mut draws))?;
    // 3. Feedback.
    for _ in 0..effort.rounds {
        let best: Vec<Pair> = measured.best(effort.best).cloned().collect();
        let Some(first) = best.first() else { break };
        let limit = measured.seen.len() + effort.near;
        let mut near = domain.near(first, limit).into_iter();
        measured.draw(effort.near, |_| near.next())?;
        measured.draw(effort.mutations, |turn| {
            mutated(&best[turn % best.len()], domain, &mut draws)
        })?;
    }
    // 4. Once more.
    let mut finalists = std::mem::take(&mut measured.ranked);
    let mut rest = finalists.split_off(effort.best.min(finalists.len()));
    rest.sort_by(|(one, _), (other, _)| one.simplest_first(other));
    finalists.extend(rest.into_iter().take(1));
    for (rank, pair) in &mut finalists {
        rank.promise = (measured.promise)(pair, Care::Choosing)?.max(0.0);
    }
    let promises = finalists.iter().map(|(rank, _)| rank.promise);
    let most = promises.fold(0.0, f64::max);
    finalists.retain(|(rank, _)| rank.promise >= most - SAME);
    finalists.sort_by(|(one, _), (other, _)| one.simplest_first(other));
    Ok(finalists.into_iter().next().map(|(_, pair)| pair))
}

/// What makes one pair better than another one.
#[derive(Debug, Clone, Copy)]
struct Rank {
    /// 0 without evidence.
    promise: f64,
    /// Of the larger dataset.
    records: usize,
    /// Between the records in which the datasets differ, as a part of the largest in the domain.
    difference: f64,
}

impl Rank {
    fn new(promise: f64, pair: &Pair, domain: &Domain) -> Self {
        let (records, difference) = Parts::of(pair, domain.relation()).map_or((0, 0.0), |found| {
            let (parts, records) = found;
            let ends = [&parts.first, &parts.second].map(Option::as_ref);
            (records, domain.records.difference(ends))
        });
        Self {
            promise: promise.max(0.0),
            records,
            difference,
        }
    }

    /// Fewer records first, and then larger differences.
    fn simplest_first(&self, other: &Self) -> Ordering {
        (self.records.cmp(&other.records)).then(other.difference.total_cmp(&self.difference))
    }

    fn best_first(&self, other: &Self) -> Ordering {
        (other.promise.total_cmp(&self.promise)).then(self.simplest_first(other))
    }
}

/// The pairs measured so far.
struct Measured<'a, P> {
    promise: P,
    domain: &'a Domain,
    /// As text, in either order.
    seen: BTreeSet<[String; 2]>,
    /// The best first; of equal ones, the one that came first.
    ranked: Vec<(Rank, Pair)>,
}

impl<P: FnMut(&Pair, Care) -> Result<f64, E>, E> Measured<'_, P> {
    /// Measures a pair that has not been measured. Says whether it did.
    fn measure(&mut self, pair: Pair) -> Result<bool, E> {
        let mut texts = [pair.0.to_string(), pair.1.to_string()];
        texts.sort();
        if !self.seen.insert(texts) {
            return Ok(false);
        }
        let promise = (self.promise)(&pair, Care::Screening)?;
        let rank = Rank::new(promise, &pair, self.domain);
        let earlier = |(other, _): &(Rank, Pair)| other.best_first(&rank).is_le();
        let place = self.ranked.partition_point(earlier);
        self.ranked.insert(place, (rank, pair));
        Ok(true)
    }

    /// Measures `wanted` of the pairs that `next` gives, if it gives so many new ones.
    fn draw(
        &mut self,
        wanted: usize,
        mut next: impl FnMut(usize) -> Option<Pair>,
    ) -> Result<(), E> {
        let mut left = wanted;
        for turn in 0..wanted * PATIENCE {
            if left == 0 {
                break;
            }
            if let Some(pair) = next(turn)
                && self.measure(pair)?
            {
                left -= 1;
            }
        }
        Ok(())
    }

    fn best(&self, count: usize) -> impl Iterator<Item = &Pair> {
        self.ranked.iter().take(count).map(|(_, pair)| pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::convert::Infallible;

    fn domain(records: &str, size: &str, neighbours: &str) -> Domain {
        let text =
            format!(r#"{{"records": {records}, "size": {size}, "neighbours": "{neighbours}"}}"#);
        Domain::read("domain.json", &text).unwrap()
    }

    const INTEGERS: &str = r#"{"type": "integer", "lo": 0, "hi": 1000000}"#;
    const TUPLES: &str = r#"{"type": "tuple", "fields": [{"type": "number", "lo": -1e308, "hi": 1e308},
                             {"type": "choice", "values": ["a", "b", "c"]}]}"#;

    /// The search and all pairs that it measured.
    fn run(
        domain: &Domain,
        effort: &Effort,
        seed: u64,
        promise: impl Fn(&Pair) -> f64,
    ) -> (Option<Pair>, Vec<Pair>) {
        let mut asked = Vec::new();
        let found = search(domain, effort, seed, |pair, _| -> Result<f64, Infallible> {
            asked.push(pair.clone());
            Ok(promise(pair))
        });
        (found.unwrap(), asked)
    }

    #[test]
    fn all_that_is_measured_is_of_the_domain_and_within_the_budget() {
        let effort = Effort::default();
        for records in [INTEGERS, TUPLES, r#"{"type": "number", "lo": 0, "hi": 1}"#] {
            for (size, neighbours) in [
                ("[0, 3]", "add-remove"),
                ("[2, 5]", "substitute"),
                ("[1, 1]", "substitute"),
                // More than would be generated otherwise.
                ("[2000, 3000]", "substitute"),
            ] {
                let domain = domain(records, size, neighbours);
                let (found, asked) =
                    run(&domain, &effort, 1, |pair| pair.0.to_string().len() as f64);
                assert!(found.is_some_and(|pair| asked.contains(&pair)));
                assert!(asked.len() <= effort.measurements(), "{}", asked.len());
                assert!(asked.len() > effort.measurements() / 2, "{}", asked.len());
                for pair in &asked {
                    pair.check(domain.relation()).unwrap();
                    for data in [&pair.0, &pair.1] {
                        let records = data.as_array().unwrap();
                        assert!((domain.size.0..=domain.size.1).contains(&records.len()));
                        assert!(records.iter().all(|r| of(&domain.records, r)), "{data}");
                    }
                }
            }
        }
    }

    use crate::pairs::RecordType;

    /// Whether a value is a record.
    fn of(records: &RecordType, value: &Value) -> bool {
        match records {
            RecordType::Integer { lo, hi, .. } => {
                value.as_i64().is_some_and(|v| (lo..=hi).contains(&&v))
            }
            RecordType::Number { lo, hi, .. } => value
                .as_f64()
                .is_some_and(|v| lo.as_f64().unwrap() <= v && v <= hi.as_f64().unwrap()),
            RecordType::Choice { values } => values.contains(value),
            RecordType::Tuple { fields } => value.as_array().is_some_and(|items| {
                items.len() == fields.len() && fields.iter().zip(items).all(|(f, i)| of(f, i))
            }),
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_search() {
        let domain = domain(INTEGERS, "[1, 6]", "substitute");
        let promise = |pair: &Pair| (pair.1.to_string().len() % 7) as f64;
        let effort = Effort::default();
        assert_eq!(
            run(&domain, &effort, 5, promise),
            run(&domain, &effort, 5, promise)
        );
        assert_ne!(
            run(&domain, &effort, 5, promise).1,
            run(&domain, &effort, 6, promise).1
        );
    }

    /// A leak that shows only where the differing record is in a range that no candidate touches.
    fn leaks_in_a_range(pair: &Pair) -> f64 {
        let inside = |data: &Value| {
            let records = data.as_array().into_iter().flatten();
            let inside = records.filter(|r| (200_000..400_000).contains(&r.as_i64().unwrap_or(0)));
            inside.count() as f64
        };
        (inside(&pair.0) - inside(&pair.1)).abs()
    }

    #[test]
    fn random_pairs_find_what_no_candidate_is() {
        let domain = domain(INTEGERS, "[1, 4]", "substitute");
        let candidates = domain.pairs(10_000);
        assert!(candidates.iter().all(|pair| leaks_in_a_range(pair) == 0.0));
        let (found, _) = run(&domain, &Effort::default(), 1, leaks_in_a_range);
        assert_eq!(leaks_in_a_range(&found.unwrap()), 1.0);
        // Without them, and without mutations, it is missed.
        let deterministic = Effort {
            drawn: 0,
            mutations: 0,
            ..Effort::default()
        };
        let (found, _) = run(&domain, &deterministic, 1, leaks_in_a_range);
        assert_eq!(leaks_in_a_range(&found.unwrap()), 0.0);
    }

    #[test]
    fn the_feedback_climbs_where_independent_draws_do_not() {
        // Each of five records has a range of its own: all of them are seldom met at once.
        let met = |pair: &Pair| {
            let records = pair.0.as_array().unwrap().iter().enumerate();
            let met = records.filter(|(i, r)| r.as_u64().unwrap() / 200_001 == *i as u64);
            met.count() as f64
        };
        let domain = domain(INTEGERS, "[5, 5]", "substitute");
        let feedback = Effort {
            pathological: 0,
            candidates: 0,
            near: 0,
            rounds: 20,
            ..Effort::default()
        };
        let draws = Effort {
            drawn: feedback.measurements() - feedback.best,
            rounds: 0,
            ..feedback
        };
        let total = |effort: &Effort| -> f64 {
            let seeds = 0..50;
            seeds
                .map(|seed| met(&run(&domain, effort, seed, met).0.unwrap()))
                .sum()
        };
        let (with, without) = (total(&feedback), total(&draws));
        assert!(with > without + 5.0 * 8.0, "{with} {without}");
    }

    #[test]
    fn without_evidence_the_smallest_pair_with_the_largest_difference_is_chosen() {
        for (records, expected) in [
            (INTEGERS, "[0]/[1000000]"),
            (TUPLES, r#"[[-1e+308,"a"]]/[[1e+308,"b"]]"#),
        ] {
            let domain = domain(records, "[1, 6]", "substitute");
            for seed in 0..5 {
                // Noise that is no evidence, and prefers long texts.
                let noise = |pair: &Pair| -1.0 / pair.0.to_string().len() as f64;
                let (found, _) = run(&domain, &Effort::default(), seed, noise);
                let Pair(first, second) = found.unwrap();
                assert_eq!(format!("{first}/{second}"), expected, "seed {seed}");
            }
        }
        // And where records are added.
        let domain = domain(INTEGERS, "[0, 6]", "add-remove");
        let (found, _) = run(&domain, &Effort::default(), 1, |_| -3.0);
        assert_eq!(found, Some(Pair(json!([]), json!([1_000_000]))));
    }

    #[test]
    fn evidence_goes_before_simplicity_and_luck_in_the_screening_is_forgotten() {
        let domain = domain(INTEGERS, "[1, 6]", "substitute");
        let size = |pair: &Pair| pair.0.as_array().map_or(0, Vec::len);
        let leaks = |pair: &Pair| if size(pair) == 4 { 2.0 } else { 0.0 };
        let (found, _) = run(&domain, &Effort::default(), 1, leaks);
        assert_eq!(size(&found.unwrap()), 4);
        // Pairs of four records promise something in the screening only.
        let lucky = |pair: &Pair, care| -> Result<f64, Infallible> {
            Ok(if care == Care::Screening {
                leaks(pair)
            } else {
                0.0
            })
        };
        let found = search(&domain, &Effort::default(), 1, lucky).unwrap();
        assert_eq!(size(&found.unwrap()), 1);
    }

    #[test]
    fn an_error_of_the_mechanism_ends_the_search() {
        let domain = domain(INTEGERS, "[1, 4]", "substitute");
        let refuses = |_: &Pair, _| Err("refused");
        assert_eq!(
            search(&domain, &Effort::default(), 1, refuses),
            Err("refused")
        );
    }
}
