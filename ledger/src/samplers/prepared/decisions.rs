//! The decision table of a prepared law, explored exactly: which words lead to which place.

use super::scripted::{After, Ended, Scripted};
use crate::claim::{Check, Trouble};
use crate::samplers::rung::power;
use dp_assay::coins::{Cell, Coins, CoinsError, ConstantWork, Explorer, Layer, Table};
use dp_assay::number::{Dyadic, Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The certified probabilities have so many bits.
pub(super) const SHARP: u32 = 320;

/// What a table is held against: certified values of its cumulative probabilities, computed from the law, not from the table.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) instance: String,
    pub(super) table: Table,
    pub(super) cumulative: Vec<Enclosure>,
}

/// What was seen of all tables of a row.
#[derive(Debug, Default)]
pub(super) struct Seen {
    tables: usize,
    places: usize,
    /// The most open words of a threshold, over all tables.
    open: Rational,
    settled: usize,
    undecided: Rational,
}

/// Twice as sharp as the widest bound that is compared with: what two enclosures of one number may differ by.
fn slack() -> Dyadic {
    Dyadic::new(1, -128)
}

/// `word / 2^64`, where `word` may be `2^64`.
fn share(word: impl Into<BigInt>) -> Dyadic {
    Dyadic::new(word, -64)
}

impl Seen {
    /// Asserts of a table, place by place: the words that decide for it lie where the law has it, all others are two at most for each
    /// threshold; the look-ups say what the words decide; sharper enclosures narrow what is open; and what is open is settled
    /// in proportion.
    pub(super) fn decides(
        &mut self,
        check: &mut Check,
        stated: &Stated,
        settled: usize,
    ) -> Result<(), Trouble> {
        let Stated {
            instance,
            table,
            cumulative,
        } = stated;
        check.holds(
            table.places() == cumulative.len(),
            format_args!("{instance}: {} places", table.places()),
        );
        let cells: Vec<Cell> = table.cells().collect();
        self.brackets(check, instance, table, &cells, cumulative);
        looked_up(check, stated, &cells, settled.max(1));
        narrows(check, instance, table, cumulative)?;
        self.settles(check, stated, &cells, settled)?;
        self.tables += 1;
        self.places += table.places();
        Ok(())
    }

    /// Step 1: the words of a place lie between its ends; so that its mass is at most its probability, and short of it by open words only.
    fn brackets(
        &mut self,
        check: &mut Check,
        instance: &str,
        table: &Table,
        cells: &[Cell],
        cumulative: &[Enclosure],
    ) {
        let start = |place: usize| place.checked_sub(1).map(|before| &cumulative[before]);
        let mut decided = BigInt::zero();
        for Cell { place, first, last } in cells {
            let begins = start(*place).is_none_or(|start| *start.hi() <= &share(*first) + &slack());
            let ends = *cumulative[*place].lo() >= &share(BigInt::from(*last) + 1) - &slack();
            check.holds(
                begins && ends && first <= last,
                format_args!("{instance}: place {place} is decided from {first} to {last}"),
            );
            decided += BigInt::from(*last) - *first + 1;
        }
        let open = (BigInt::one() << 64u32) - decided;
        let thresholds = BigInt::from(table.places() - 1);
        check.holds(
            open <= &thresholds * 2,
            format_args!("{instance}: {open} words stay open, with {thresholds} thresholds"),
        );
        if !thresholds.is_zero() {
            let each = Rational::new(open, thresholds);
            self.open = each.max(self.open.clone());
        }
    }

    /// Step 4: of a number that begins with an open word: each place in proportion, by the code that settles it.
    fn settles(
        &mut self,
        check: &mut Check,
        stated: &Stated,
        cells: &[Cell],
        most: usize,
    ) -> Result<(), Trouble> {
        let Stated {
            instance,
            table,
            cumulative,
        } = stated;
        let mut words = Vec::new();
        for pair in cells.windows(2) {
            words.extend((pair[0].last + 1..pair[1].first).take(2));
        }
        let step = words.len().div_ceil(most.max(1)).max(1);
        for word in words.into_iter().step_by(step).take(most) {
            let found = Explorer::new(Layer::Bits, 400)
                .until(power(24))
                .explore(|run| {
                    let (left, coins) = (64, run);
                    After { word, left, coins }.pick(table)
                })?;
            // Within the word, place k has what lies between its ends.
            let within = |c: &Enclosure| {
                let scaled = c.shifted(64) - Enclosure::integer(word, SHARP + 64);
                let [none, all] = [0, 1].map(|n| Enclosure::integer(n, SHARP + 64));
                scaled.max(&none).min(&all)
            };
            let mut total = Rational::zero();
            for (place, lower) in &found.lower {
                let ends = within(&cumulative[*place]);
                let starts = place
                    .checked_sub(1)
                    .map(|before| within(&cumulative[before]))
                    .unwrap_or_else(|| Enclosure::integer(0, SHARP));
                let probability = (ends - starts).widened(&slack());
                check.holds(
                    found.allows(place, &probability),
                    format_args!(
                        "{instance}: word {word}, place {place}: {lower} seen, {probability} stated"
                    ),
                );
                total += lower;
            }
            check.holds(
                found.undecided <= power(24) && total <= Rational::one(),
                format_args!("{instance}: word {word} is settled"),
            );
            self.settled += 1;
            self.undecided = found.undecided.max(self.undecided.clone());
        }
        Ok(())
    }

    /// Enters the figures.
    pub(super) fn report(&self, check: &mut Check) {
        check.figure("tables", self.tables);
        check.figure("places", self.places);
        check.figure(
            "most open words a threshold, of 2^64",
            dp_assay::number::rational::shortly(&self.open),
        );
        check.figure("open words settled bit by bit", self.settled);
        check.figure(
            "largest undecided mass of an open word",
            dp_assay::number::rational::to_scientific_above(&self.undecided, 3),
        );
    }
}

/// Step 2: every value of the first 16 bits, the first and the last word of every place, and the words around them: what is looked up is
/// what the words decide; and as much work for every word says the same. Of the open words, at so many places: they wait for more bits,
/// unless sharper enclosures alone decide them.
fn looked_up(check: &mut Check, stated: &Stated, cells: &[Cell], open: usize) {
    let Stated {
        instance,
        table,
        cumulative,
    } = stated;
    let place_of = |word: u64| {
        let after = cells.partition_point(|cell| cell.last < word);
        let at = cells.get(after).filter(|cell| cell.first <= word);
        at.map(|cell| cell.place)
    };
    let ended =
        |found: &Result<usize, CoinsError>| *found == Err(CoinsError::TapeEnded { length: 0 });
    let mut wrong = None;
    let mut by_first = Vec::with_capacity(1 << 16);
    for first in 0..1u64 << 16 {
        let (least, largest) = (first << 48, first << 48 | u64::MAX >> 16);
        let whole = place_of(least).filter(|_| place_of(largest) == place_of(least));
        let coins = &mut Ended;
        let (word, left) = (first, 16);
        let found = After { word, left, coins }.pick(table);
        let right = match whole {
            Some(place) if place < usize::from(u16::MAX) => found == Ok(place),
            _ => ended(&found),
        };
        by_first.push(found.ok());
        wrong = wrong.or((!right).then_some(first));
    }
    check.holds(
        wrong.is_none(),
        format_args!("{instance}: the look-up of the first 16 bits {wrong:?}"),
    );
    // Four different values in a word: the places of all four, in whichever order, if nothing more is needed.
    let mut wrong = None;
    for first in 0..1u64 << 16 {
        let parts = [first, first ^ 0x5a5a, first ^ 0x3fc0, first ^ 0x8001];
        let word = parts.iter().fold(0, |word, part| word << 16 | part);
        let (left, coins) = (64, &mut Ended);
        let mut four = [0; 4];
        let each = After { word, left, coins }.pick_each(table, &mut four);
        let picked: Option<Vec<usize>> =
            parts.iter().map(|&part| by_first[part as usize]).collect();
        let right = match picked {
            Some(mut picked) => {
                picked.sort_unstable();
                four.sort_unstable();
                each.is_ok()
                    && picked
                        .iter()
                        .zip(four)
                        .all(|(&place, drawn)| place as i64 == drawn)
            }
            None => each.is_err(),
        };
        wrong = wrong.or((!right).then_some(first));
    }
    check.holds(
        wrong.is_none(),
        format_args!("{instance}: four places of the word that begins with {wrong:?}"),
    );
    let every = cells.len().div_ceil(open.max(1));
    for (index, cell) in cells.iter().enumerate() {
        for end in [cell.first, cell.last] {
            for word in [end.saturating_sub(1), end, end.saturating_add(1)] {
                let place = place_of(word);
                if place.is_none() && index % every != 0 {
                    continue;
                }
                let left = 64;
                let coins = &mut Ended;
                let found = After { word, left, coins }.pick(table);
                // Every threshold is compared for it: not of every word, where there are very many.
                let constant = (cells.len() <= 1 << 12 || index % every == 0).then(|| {
                    let coins = &mut Ended;
                    ConstantWork(After { word, left, coins }).pick(table)
                });
                let right = match (place, &found) {
                    (Some(place), _) => found == Ok(place),
                    (None, Ok(found)) => {
                        let starts = found.checked_sub(1).map(|before| &cumulative[before]);
                        let word = BigInt::from(word);
                        starts.is_none_or(|start| *start.hi() <= &share(word.clone()) + &slack())
                            && *cumulative[*found].lo() >= &share(word + 1) - &slack()
                    }
                    (None, Err(_)) => ended(&found),
                };
                check.holds(
                    right && constant.as_ref().is_none_or(|constant| *constant == found),
                    format_args!(
                        "{instance}: word {word}: {found:?}, with constant work {constant:?}"
                    ),
                );
            }
        }
    }
}

/// Step 3: what settles open words: enclosures of the same probabilities, sharper with more bits, in rising order, the last 1.
fn narrows(
    check: &mut Check,
    instance: &str,
    table: &Table,
    cumulative: &[Enclosure],
) -> Result<(), Trouble> {
    for bits in [128, 256] {
        let enclosed = table.cumulative(bits)?;
        let width = Dyadic::new(1, 32 - i64::from(bits));
        let wrong = enclosed.iter().zip(cumulative).position(|(found, stated)| {
            !found.meets(&stated.widened(&Dyadic::new(1, -280))) || found.width() > width
        });
        let last = enclosed
            .last()
            .map(|last| (last.lo().clone(), last.hi().clone()));
        let one = Dyadic::from(1);
        let rises = enclosed
            .windows(2)
            .all(|pair| pair[0].lo() <= pair[1].lo() && pair[0].hi() <= pair[1].hi());
        check.holds(
            wrong.is_none()
                && rises
                && enclosed.len() == cumulative.len()
                && last == Some((one.clone(), one)),
            format_args!("{instance}: cumulative probability {wrong:?} at {bits} bits"),
        );
    }
    Ok(())
}

/// The tables that a sampler picks from, in order.
pub(super) fn tables_of<T>(
    sampler: impl FnOnce(&mut Scripted) -> Result<T, CoinsError>,
    words: usize,
) -> Result<Vec<Table>, Trouble> {
    let mut coins = Scripted::meeting();
    coins.words.extend(std::iter::repeat_n(0, words));
    coins
        .answers
        .extend(std::iter::repeat_n(super::scripted::Answer::Below, words));
    sampler(&mut coins)?;
    Ok(coins.picked)
}
