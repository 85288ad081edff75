//! What a draw leaves over: the invariant by enumeration, the joint law of several draws, and the bits.

use super::decisions::SHARP;
use super::scripted::After;
use crate::claim::{Check, Trouble};
use crate::coins::explorer::Run;
use crate::coins::{Against, Coins, CoinsError, Explorer, Layer, Recycled, Table, Tape};
use crate::ledger::samplers::rung::power;
use crate::number::{Enclosure, NumberError, Rational, rational, rational::ratio};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A table, its cumulative probabilities, and how often they were enclosed: once more for each draw that the words do not decide.
#[derive(Debug)]
struct Sharp {
    table: Table,
    cumulative: Vec<Enclosure>,
    enclosed: Arc<AtomicUsize>,
}

impl Sharp {
    fn enclosed(&self) -> usize {
        self.enclosed.load(Ordering::Relaxed)
    }
}

fn sharp(
    label: &str,
    cumulative: impl Fn(u32) -> Result<Vec<Enclosure>, NumberError> + Send + Sync + 'static,
) -> Result<Sharp, Trouble> {
    let enclosed = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&enclosed);
    Ok(Sharp {
        cumulative: cumulative(SHARP)?,
        table: Table::new(label, move |bits| {
            count.fetch_add(1, Ordering::Relaxed);
            cumulative(bits)
        })?,
        enclosed,
    })
}

/// Tables of two to seven places, with irrational, rational, close and extreme thresholds.
fn tables() -> Result<Vec<Sharp>, Trouble> {
    let falling = |exponents: Vec<Rational>| {
        move |bits: u32| -> Result<Vec<Enclosure>, NumberError> {
            let mut list = exponents
                .iter()
                .map(|x| Enclosure::exp_of(&-x, bits + 8))
                .collect::<Result<Vec<_>, _>>()?;
            list.push(Enclosure::integer(1, bits));
            Ok(list)
        }
    };
    let exact = |list: Vec<Rational>| {
        move |bits: u32| -> Result<Vec<Enclosure>, NumberError> {
            Ok(list.iter().map(|c| Enclosure::of(c, bits)).collect())
        }
    };
    let fractions =
        |list: &[(i64, i64)]| list.iter().map(|&(n, d)| ratio(n, d)).collect::<Vec<_>>();
    Ok(vec![
        sharp("1/e", falling(fractions(&[(1, 1)])))?,
        sharp(
            "exponentials",
            falling(fractions(&[(3, 1), (1, 1), (1, 2), (1, 100)])),
        )?,
        sharp("thirds", exact(fractions(&[(1, 3), (2, 3), (1, 1)])))?,
        sharp(
            "quarters",
            exact(fractions(&[(1, 4), (1, 2), (3, 4), (1, 1)])),
        )?,
        sharp(
            "close",
            exact(fractions(&[
                (1, 1000),
                (499, 1000),
                (1, 2),
                (501, 1000),
                (998, 1000),
                (999, 1000),
                (1, 1),
            ])),
        )?,
    ])
}

/// The widths of the explored states.
const SMALL: [u32; 2] = [4, 4];

/// One step from every state of a size: the classes, each with what its states become.
#[derive(Debug)]
struct Step<K> {
    size: u64,
    /// For each outcome, the states `[z, size]` after it, in the order of `z`.
    classes: BTreeMap<K, Vec<[u64; 2]>>,
    /// The `z` that need fresh bits.
    cut: Vec<u64>,
}

fn step<K: Ord>(
    size: u64,
    mut draw: impl FnMut(&mut Recycled<Tape>) -> Result<Option<K>, CoinsError>,
) -> Result<Step<K>, Trouble> {
    let mut found = Step {
        size,
        classes: BTreeMap::new(),
        cut: Vec::new(),
    };
    for z in 0..size {
        let mut coins = Recycled::at(Tape::written(""), SMALL, [z, size]);
        match draw(&mut coins) {
            Ok(Some(outcome)) => found
                .classes
                .entry(outcome)
                .or_default()
                .push(coins.state()),
            // The state is discarded before it is settled.
            Ok(None) | Err(CoinsError::TapeEnded { .. }) => {
                let empty = coins.state() == [0, 1];
                found.cut.push(if empty { z } else { u64::MAX });
            }
            Err(other) => return Err(other.into()),
        }
    }
    Ok(found)
}

/// A pick from every state of a size. A point is cut if the table's words did not decide it, though sharper enclosures may.
fn picks(of: &Sharp, size: u64) -> Result<Step<usize>, Trouble> {
    step(size, |coins| {
        let before = of.enclosed();
        let place = coins.pick(&of.table)?;
        Ok((of.enclosed() == before).then_some(place))
    })
}

impl<K: Ord> Step<K> {
    /// In each class all states have one size, and their ranks are all integers below it, once each. A cut point is discarded.
    fn keeps(&self, check: &mut Check, instance: impl Display) {
        let uniform = self.classes.values().all(|states| {
            let size = states.len() as u64;
            let ranks: BTreeSet<u64> = states.iter().map(|[z, _]| *z).collect();
            states.iter().all(|[_, of]| *of == size)
                && ranks.len() == states.len()
                && ranks.last() == Some(&(size - 1))
        });
        let discarded = self.cut.iter().all(|&z| z < self.size);
        check.holds(
            uniform && discarded,
            format_args!("{instance}, size {}: what stays is uniform", self.size),
        );
    }
}

/// `-p log2 p`, where `p` is rational.
fn surprise(p: &Rational) -> Result<Enclosure, NumberError> {
    if p.is_zero() {
        return Ok(Enclosure::integer(0, SHARP));
    }
    let p = Enclosure::of(p, SHARP);
    weighted(&p, &p)
}

/// `-weight log2 p`
fn weighted(weight: &Enclosure, p: &Enclosure) -> Result<Enclosure, NumberError> {
    (-(weight * p.ln()?)).divided_by(&Enclosure::integer(2, SHARP).ln()?)
}

/// `sample.recycled`
pub(in super::super) fn recycled(check: &mut Check) -> Result<(), Trouble> {
    let tables = tables()?;
    let largest = if check.quick() { 80 } else { 400 };
    invariant(check, &tables, largest)?;
    joint(check, &tables)?;
    bits(check, &tables)
}

/// One step, for every state: the invariant, and which numbers a class has.
fn invariant(check: &mut Check, tables: &[Sharp], largest: u64) -> Result<(), Trouble> {
    let sizes = 1 << SMALL[0]..=largest;
    check.exact(format_args!(
        "one draw from every state of the sizes {} to {largest}, and of two beyond 2^33 around the thresholds: {} tables, integers below 1 to \
         16, comparisons with pairs of bounds: of each outcome and size, what stays is uniform; a point that is cut is discarded",
        sizes.start(),
        tables.len()
    ));
    let mut most_cut = 0;
    for of in tables {
        let Sharp {
            table, cumulative, ..
        } = of;
        for size in sizes.clone() {
            let found = picks(of, size)?;
            found.keeps(check, format_args!("{table:?}"));
            most_cut = most_cut.max(found.cut.len());
            check.holds(
                found.cut.len() <= 2 * (table.places() - 1),
                format_args!("{table:?}, size {size}: {} points are cut", found.cut.len()),
            );
        }
        // Which z lead to a place: those whose numbers are all of that place. Also where the state is large.
        let large = [(1 << 33) + 12_345, (1u64 << 63) - 1, 1 << 40];
        for size in sizes.clone().chain(large) {
            let exact = BigInt::from(size);
            for (place, c) in cumulative.iter().enumerate() {
                let scaled = c * &Enclosure::integer(exact.clone(), SHARP);
                let near = scaled.lo().floor();
                let near = u64::try_from(near).unwrap_or(0);
                for z in near.saturating_sub(3)..(near + 3).min(size) {
                    let mut coins = Recycled::at(Tape::written(""), SMALL, [z, size]);
                    let found = coins.pick(table);
                    let wrong = match found {
                        Ok(found) => {
                            let begins = match found.checked_sub(1) {
                                None => Rational::zero(),
                                Some(before) => cumulative[before].lower() * &exact,
                            };
                            let slack = power(200);
                            begins > rational::integer(z) + &slack
                                || cumulative[found].upper() * &exact
                                    < rational::integer(z) + Rational::one() - slack
                                || coins.state()[0] >= coins.state()[1]
                        }
                        Err(_) => coins.state() != [0, 1],
                    };
                    check.holds(
                        !wrong,
                        format_args!("{table:?}, size {size}: {z} near the end of place {place}"),
                    );
                }
            }
        }
    }
    for size in sizes.clone() {
        for n in 1..=16u64 {
            // The rejected class is drawn again, with bits that the empty tape does not have: it is kept, not discarded.
            let mut classes: BTreeMap<u64, Vec<[u64; 2]>> = BTreeMap::new();
            let mut left = BTreeSet::new();
            for z in 0..size {
                let mut coins = Recycled::at(Tape::written(""), SMALL, [z, size]);
                match coins.below(n) {
                    Ok(k) => classes.entry(k).or_default().push(coins.state()),
                    Err(_) => drop(left.insert(coins.state())),
                }
            }
            let rejected = size % n;
            let of_rejected = (0..rejected).map(|rank| [rank, rejected]).collect();
            let found = Step {
                size,
                classes,
                cut: Vec::new(),
            };
            found.keeps(check, format_args!("below {n}"));
            let each = found
                .classes
                .values()
                .all(|states| states.len() as u64 == size / n);
            check.holds(
                each && found.classes.len() as u64 == n && left == of_rejected,
                format_args!("below {n}, size {size}: equally many states for each integer"),
            );
        }
        for [below, last] in [
            [1 << 62, 1 << 62],
            [12_345 << 50, 13_000 << 50],
            [0, u64::MAX],
            [0, 0],
        ] {
            let found = step(size, |coins| {
                Ok(match coins.against(below, last)? {
                    Against::Below => Some(true),
                    Against::NotBelow => Some(false),
                    Against::Between(_) => None,
                })
            })?;
            found.keeps(check, format_args!("against {below} and {last}"));
            // z/size < below/2^64 for all numbers of z; and >= (last + 1)/2^64.
            let states = |side: bool| found.classes.get(&side).map_or(0, Vec::len) as u64;
            let least = (u128::from(size) * u128::from(below)) >> 64;
            let most = (u128::from(size) * (u128::from(last) + 1)).div_ceil(1 << 64);
            check.holds(
                u128::from(states(true)) <= least && u128::from(size - states(false)) >= most,
                format_args!("size {size} against {below} and {last}"),
            );
        }
    }
    check.figure("most points that are cut, of 5 tables", most_cut);
    Ok(())
}

/// The coins of a run, as a source.
struct Of<'a>(&'a mut Run);

impl Coins for Of<'_> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.0.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

/// Several draws in a row, bit by bit.
fn joint(check: &mut Check, tables: &[Sharp]) -> Result<(), Trouble> {
    const TOLERATED: u32 = 7;
    let runs = if check.quick() { 20_000 } else { 60_000 };
    check.certified(format_args!(
        "bit by bit, states of 16 to 255: a table, an integer below 3 and a table in a row; two tables and a comparison; the joint law \
         against the product of the laws, up to 2^-{TOLERATED}"
    ));
    let mut undecided = Rational::zero();
    let mass = |of: &Sharp, place: usize| super::stated::mass(&of.cumulative, place);
    let third = Enclosure::of(&ratio(1, 3), SHARP);
    for (first, second) in [(0, 2), (2, 0), (3, 1)] {
        let (first, second) = (&tables[first], &tables[second]);
        let found = Explorer::new(Layer::Bits, runs)
            .until(power(TOLERATED))
            .explore(|run| {
                let mut coins = Recycled::at(Of(run), SMALL, [0, 1]);
                let places = (
                    coins.pick(&first.table)?,
                    coins.below(3)?,
                    coins.pick(&second.table)?,
                );
                Ok(places)
            })?;
        for a in 0..first.table.places() {
            for b in 0..3 {
                for c in 0..second.table.places() {
                    let product = mass(first, a) * &third * mass(second, c);
                    check.holds(
                        found.allows(&(a, b, c), &product),
                        format_args!(
                            "{:?}, {:?}: places {a}, {b}, {c}: {product}",
                            first.table, second.table
                        ),
                    );
                }
            }
        }
        check.holds(
            found.undecided <= power(TOLERATED),
            format_args!("{:?}, {:?}: all is explored", first.table, second.table),
        );
        undecided = undecided.max(found.undecided);
        // A comparison with exp(-1) between two picks.
        let one = Rational::one();
        let p = Enclosure::exp_of(&-&one, SHARP)?;
        let bound = u64::try_from(p.shifted(64).lo().floor()).unwrap_or(0);
        let found = Explorer::new(Layer::Bits, runs)
            .until(power(TOLERATED))
            .explore(|run| {
                let mut coins = Recycled::at(Of(run), SMALL, [0, 1]);
                let place = coins.pick(&first.table)?;
                let below = match coins.against(bound, bound)? {
                    Against::Below => true,
                    Against::NotBelow => false,
                    Against::Between(uniform) => {
                        uniform.falls_below(&mut coins, |bits| Enclosure::exp_of(&-&one, bits))?
                    }
                };
                Ok((place, below, coins.pick(&second.table)?))
            })?;
        for (place, below, then) in found.lower.keys() {
            let accepted = if *below { p.clone() } else { p.complement() };
            let product = mass(first, *place) * accepted * mass(second, *then);
            check.holds(
                found.allows(&(*place, *below, *then), &product)
                    && found.undecided <= power(TOLERATED),
                format_args!("{:?}: {place}, {below}, {then}: {product}", first.table),
            );
        }
        undecided = undecided.max(found.undecided);
    }
    check.figure(
        "largest undecided mass, several draws",
        rational::to_scientific_above(&undecided, 3),
    );
    Ok(())
}

/// The bits that a pick takes beyond the entropy.
fn bits(check: &mut Check, tables: &[Sharp]) -> Result<(), Trouble> {
    const DIGITS: u32 = 16;
    let sizes: &[u64] = if check.quick() {
        &[64, 255]
    } else {
        &[64, 100, 255, 1000, 4096]
    };
    check.certified(format_args!(
        "bits of one pick beyond the entropy, {} tables, sizes {sizes:?}: the entropy of the class, and fresh bits counted up to {DIGITS}, \
         against (B/M)(log2 M + 1/ln 2 + 2 + log2 r)",
        tables.len()
    ));
    let mut nearest = (Rational::zero(), Rational::one());
    for of in tables {
        let Sharp {
            table, cumulative, ..
        } = of;
        for &size in sizes {
            let found = picks(of, size)?;
            let share = |states: u64| Rational::new(states.into(), size.into());
            // 1. The entropy of the class: one for each outcome, and one for each point that is cut.
            let mut spent = Enclosure::integer(0, SHARP);
            for states in found.classes.values() {
                spent = spent + surprise(&share(states.len() as u64))?;
            }
            let cut = found.cut.len() as u64;
            let point = surprise(&share(1))?;
            spent = spent + point * Enclosure::integer(cut, SHARP);
            // 2. Fresh bits: what more than so many digits takes, two bits on average for each threshold that is left.
            for &z in found.cut.iter().filter(|&&z| z < size) {
                let explored = Explorer::new(Layer::Bits, 2000)
                    .until(power(DIGITS))
                    .explore(|run| {
                        let mut coins = Recycled::at(Of(run), SMALL, [z, size]);
                        coins.pick(table)?;
                        Ok(coins.consumed())
                    })?;
                let mut mean = Rational::zero();
                for (count, mass) in &explored.lower {
                    mean += mass * rational::integer(*count);
                }
                mean += explored.undecided * rational::integer(2 * DIGITS + 8);
                spent = spent + Enclosure::of(&(mean * share(1)), SHARP);
            }
            // 3. Less the entropy of the place.
            let mut entropy = Enclosure::integer(0, SHARP);
            for place in 0..table.places() {
                let mass = super::stated::mass(cumulative, place);
                if mass.lo().is_positive() {
                    entropy = entropy + weighted(&mass, &mass)?;
                }
            }
            let lost = spent - entropy;
            // 4. The bound; r thresholds at most in one unit of z.
            let together = (0..size)
                .map(|z| {
                    let inside = |c: &&Enclosure| {
                        let scaled = c.upper() * rational::integer(size);
                        scaled > rational::integer(z) && scaled < rational::integer(z + 1)
                    };
                    cumulative.iter().filter(inside).count()
                })
                .max();
            let log2 = |n: u64| {
                weighted(
                    &Enclosure::integer(-1, SHARP),
                    &Enclosure::integer(n, SHARP),
                )
            };
            let ln2 = Enclosure::integer(2, SHARP).ln()?;
            let each = log2(size)?
                + Enclosure::integer(1, SHARP).divided_by(&ln2)?
                + Enclosure::integer(2, SHARP)
                + log2(together.unwrap_or(1).max(1) as u64)?;
            let bound = each * Enclosure::of(&share(cut), SHARP);
            check.holds(
                lost.upper() <= bound.upper(),
                format_args!(
                    "{table:?}, size {size}: {lost} bits beyond the entropy, {bound} promised"
                ),
            );
            if !bound.lower().is_zero() && lost.upper() * &nearest.1 > &nearest.0 * bound.lower() {
                nearest = (lost.upper(), bound.lower());
            }
        }
    }
    check.figure(
        "bits of a pick beyond the entropy, where they come nearest to the bound",
        format_args!(
            "{} of {}",
            rational::to_scientific_above(&nearest.0, 3),
            rational::to_scientific_above(&nearest.1, 3)
        ),
    );
    // The shipped width begins as the small ones do: 32 bits at first.
    check.exact("the shipped width: 32 bits to begin with, none while the size is at least 2^31");
    let word = 0x1234_5678;
    let mut run = Tape::written("");
    let coins = After {
        word,
        left: 32,
        coins: &mut run,
    };
    let mut coins = Recycled::new(coins);
    let k = coins.below(2)?;
    check.holds(
        k == word % 2 && coins.state() == [word / 2, 1 << 31],
        format_args!("{:?} after one bit of {word}", coins.state()),
    );
    let k = coins.below(3)?;
    let ranks = (1 << 31) / 3;
    check.holds(
        k == (word / 2) % 3 && coins.state() == [word / 6, ranks],
        format_args!("{:?} after an integer below 3", coins.state()),
    );
    Ok(())
}
