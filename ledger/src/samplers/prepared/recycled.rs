//! What a draw leaves over: the invariant by enumeration, the joint law of several draws, and the bits.

use super::decisions::{SHARP, Stated};
use super::scripted::{After, Ended};
use crate::claim::{Check, Trouble};
use crate::failing::Failing;
use crate::samplers::rung::power;
use dp_assay::coins::explorer::Run;
use dp_assay::coins::{
    Against, ChaCha, Coins, CoinsError, Explorer, Layer, Recycled, Sharp, Table,
};
use dp_assay::number::{Enclosure, NumberError, Rational, rational, rational::ratio};
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

/// Tables of two to seven places, with irrational, rational and close thresholds, and some at the ends of words.
fn tables() -> Result<Vec<Stated>, Trouble> {
    let exact = |list: &[(i64, i64)]| -> Vec<(bool, Rational)> {
        let all = list.iter().chain(&[(1, 1)]);
        all.map(|&(n, d)| (false, ratio(n, d))).collect()
    };
    let falling = |list: &[(i64, i64)]| -> Vec<(bool, Rational)> {
        let exponents = list.iter().map(|&(n, d)| (true, ratio(n, d)));
        exponents.chain(exact(&[])).collect()
    };
    let close = [
        (1, 1000),
        (499, 1000),
        (1, 2),
        (501, 1000),
        (998, 1000),
        (999, 1000),
    ];
    [
        ("1/e", falling(&[(1, 1)])),
        ("exponentials", falling(&[(3, 1), (1, 1), (1, 2), (1, 100)])),
        ("thirds", exact(&[(1, 3), (2, 3)])),
        ("quarters", exact(&[(1, 4), (1, 2), (3, 4)])),
        ("close", exact(&close)),
    ]
    .into_iter()
    .map(|(label, list)| {
        let cumulative = move |bits: u32| -> Result<Vec<Enclosure>, NumberError> {
            let enclosed = |(exponential, x): &(bool, Rational)| match exponential {
                true => Enclosure::exp_of(&-x, bits + 8),
                false => Ok(Enclosure::of(x, bits)),
            };
            list.iter().map(enclosed).collect()
        };
        Ok(Stated {
            instance: label.to_owned(),
            cumulative: cumulative(SHARP)?,
            table: Table::new(label, cumulative)?,
        })
    })
    .collect()
}

/// Bits that settle what a word leaves open, the same each time; or none. What needs no bits gets none.
#[derive(Debug, Clone, Copy)]
struct Fresh(Option<u64>);

impl Coins for Fresh {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        match (count, self.0) {
            (0, _) => Ok(0),
            (_, Some(word)) => Ok(word >> (64 - count)),
            (_, None) => Err(CoinsError::TapeEnded { length: 0 }),
        }
    }

    fn consumed(&self) -> u64 {
        0
    }
}

/// Fresh bits that are tried.
const FRESH: [u64; 3] = [0, u64::MAX, 0x9e37_79b9_7f4a_7c15];

/// The states whose turn it is not.
const OTHERS: [[u64; 2]; 3] = [[3, 5], [0, 1], [7, 8]];

/// From every state `z` below `size`, where the first `whole` lead to an answer: given the answer and the new size, the new states are
/// equally many for each integer below it; the other states stay. Returns how many lead to each answer, for all fresh bits in turn.
fn keeps<const WORD: u32, K: Ord + Clone>(
    check: &mut Check,
    instance: impl Display,
    size: u64,
    whole: u64,
    draw: impl Fn(&mut Recycled<Fresh, WORD>) -> Result<K, CoinsError>,
) -> Vec<BTreeMap<K, u64>> {
    let mut answers = Vec::new();
    for fresh in FRESH {
        let mut left: BTreeMap<(Option<K>, u64), BTreeMap<u64, u64>> = BTreeMap::new();
        let mut count = BTreeMap::new();
        let mut right = true;
        for z in 0..size {
            let fresh = (z < whole).then_some(fresh);
            let [b, c, d] = OTHERS;
            let mut coins = Recycled::at(Fresh(fresh), [[z, size], b, c, d]);
            let answer = draw(&mut coins).ok();
            right &= answer.is_some() == (z < whole);
            let [[z, size], others @ ..] = coins.states();
            right &= z < size && others == OTHERS;
            let states = left.entry((answer.clone(), size)).or_default();
            *states.entry(z).or_default() += 1;
            if let Some(answer) = answer {
                *count.entry(answer).or_default() += 1;
            }
        }
        let uniform = left.iter().all(|((_, size), states)| {
            let mut counts = states.values();
            let first = counts.next();
            states.len() as u64 == *size && counts.all(|count| Some(count) == first)
        });
        check.holds(
            right && uniform,
            format_args!("{instance}, words of {WORD} bits, size {size}, fresh bits {fresh:#x}: what stays is uniform"),
        );
        answers.push(count);
    }
    answers
}

/// How many of the words, each followed by fresh bits, lead to each answer, `times` over.
fn plainly<const WORD: u32, K: Ord>(
    times: u64,
    fresh: u64,
    draw: impl Fn(u64) -> Result<K, CoinsError>,
) -> Result<BTreeMap<K, u64>, CoinsError> {
    let mut count = BTreeMap::new();
    for word in 0..1u64 << WORD {
        *count
            .entry(draw(word << (64 - WORD) | fresh >> WORD)?)
            .or_default() += times;
    }
    Ok(count)
}

/// A place of a table on plain coins, by a number that begins with `word`.
fn picked(table: &Table, word: u64, fresh: u64) -> Result<usize, CoinsError> {
    let coins = &mut Fresh(Some(fresh));
    After {
        word,
        left: 64,
        coins,
    }
    .pick(table)
}

/// The bounds of a comparison, in steps of `2^-64`: the one tried outright, and the others.
const BOUNDS: [[u64; 3]; 5] = [
    [1 << 62, 1 << 62, 1 << 62],
    [12_000 << 50, 12_345 << 50, 13_000 << 50],
    [0, 1, u64::MAX],
    [0, 0, 0],
    [u64::MAX - 9, u64::MAX, u64::MAX],
];

fn compared(coins: &mut impl Coins, [outright, below, last]: [u64; 3]) -> Result<u8, CoinsError> {
    Ok(match coins.against(outright, || Sharp { below, last })? {
        Against::Below => 0,
        Against::NotBelow => 1,
        Against::Between { .. } => 2,
    })
}

/// Where the bounds have a number that begins with `word`.
fn lies([_, below, last]: [u64; 3], word: u64) -> Result<u8, CoinsError> {
    Ok(match word {
        _ if word < below => 0,
        _ if word > last => 1,
        _ => 2,
    })
}

/// `sample.recycled`
pub(in super::super) fn recycled(check: &mut Check) -> Result<(), Trouble> {
    let tables = tables()?;
    check.exact(format_args!(
        "words of 4 and 6 bits, one draw from every state of chosen sizes: {} tables, integers below 1 to 2^(W/2), {} comparisons, three values \
         of fresh bits: as often as on plain coins, and what stays is uniform",
        tables.len(),
        BOUNDS.len()
    ));
    let step = if check.quick() { 7 } else { 1 };
    invariant::<4>(check, &tables, (64..128).step_by(step))?;
    invariant::<6>(check, &tables, (1024..2048).step_by(61 * step))?;
    shipped(check, &tables)?;
    joint(check, &tables)?;
    bits::<6>(check, &tables, &[1024, 1025, 1500, 2047])?;
    bits::<8>(check, &tables, &[16_384, 20_001, 32_767])?;
    count(check, &tables)?;
    failing(check, &tables)
}

/// Coins that fail among many picks at once, from states that were used: what some place was already drawn from is gone.
fn failing(check: &mut Check, tables: &[Stated]) -> Result<(), Trouble> {
    check.exact("words of 32 bits, states used by 10 picks, then coins that fail at the k-th word of 9 more, for every k: no state that was there is kept");
    for Stated {
        table, instance, ..
    } in tables
    {
        let mut used = Recycled::new(ChaCha::reproducible(3, 0));
        used.pick_each(table, &mut [0; 10])?;
        let before = used.states();
        check.holds(
            before.iter().all(|[_, size]| *size > 1),
            format_args!("{instance}: all states are used"),
        );
        for k in 0.. {
            let mut coins = Recycled::<_, 32>::at(Failing::after(k), before);
            if coins.pick_each(table, &mut [0; 9]).is_ok() {
                check.holds(k >= 5, format_args!("{instance}: {k} words are drawn"));
                break;
            }
            check.holds(
                coins.states() == [[0, 1]; 4],
                format_args!(
                    "{instance}: after the word {} failed: {:?}",
                    k + 1,
                    coins.states()
                ),
            );
            // One at a time: the state whose turn it was has lost what was taken, and the others stay.
            let mut coins = Recycled::<_, 32>::at(Failing::after(k), before);
            let failed = (0..9).any(|_| coins.pick(table).is_err());
            check.holds(failed, format_args!("{instance}: one at a time"));
        }
    }
    Ok(())
}

/// One draw from every state: of those that are full, and filling from those that are not.
fn invariant<const WORD: u32>(
    check: &mut Check,
    tables: &[Stated],
    sizes: impl Iterator<Item = u64>,
) -> Result<(), Trouble> {
    // 1. An integer below 1 does nothing but fill.
    for size in 1..1u64 << (2 * WORD - 2) {
        let room = 2 * WORD - 2 - size.ilog2();
        let z = size / 3;
        let [b, c, d] = OTHERS;
        let mut coins: Recycled<_, WORD> =
            Recycled::at(Fresh(Some(FRESH[2])), [[z, size], b, c, d]);
        let found = coins.below(1);
        let filled = [z << room | FRESH[2] >> (64 - room), size << room];
        check.holds(
            found == Ok(0) && coins.states()[0] == filled,
            format_args!("{:?} after {size} was filled", coins.states()[0]),
        );
    }
    for size in sizes {
        let ranks = size >> WORD;
        for Stated {
            table, instance, ..
        } in tables
        {
            let found = keeps::<WORD, _>(check, instance, size, ranks << WORD, |c| c.pick(table));
            for (found, fresh) in found.iter().zip(FRESH) {
                let plain = plainly::<WORD, _>(ranks, fresh, |word| picked(table, word, fresh))?;
                check.holds(
                    *found == plain,
                    format_args!(
                        "{instance}, size {size}: {found:?}, and {plain:?} on plain coins"
                    ),
                );
            }
        }
        for bounds in BOUNDS {
            let instance = format!("against {bounds:?}");
            let found = keeps::<WORD, _>(check, &instance, size, ranks << WORD, |c| {
                compared(c, bounds)
            });
            for (found, fresh) in found.iter().zip(FRESH) {
                let plain = plainly::<WORD, _>(ranks, fresh, |word| lies(bounds, word))?;
                check.holds(
                    *found == plain,
                    format_args!(
                        "{instance}, size {size}: {found:?}, and {plain:?} on plain coins"
                    ),
                );
            }
        }
        for n in 1..=1u64 << (WORD / 2) {
            let whole = size - size % n;
            let found = keeps::<WORD, _>(check, format_args!("below {n}"), size, whole, |c| {
                c.below(n)
            });
            let each: BTreeMap<u64, u64> = (0..n).map(|k| (k, size / n)).collect();
            check.holds(
                found.iter().all(|found| *found == each),
                format_args!("below {n}, size {size}: {found:?}"),
            );
        }
    }
    Ok(())
}

/// Words of 32 bits: those around each threshold lie in their place, and are put back as its first and its last ones.
fn shipped(check: &mut Check, tables: &[Stated]) -> Result<(), Trouble> {
    const RANK: u64 = 5;
    let size = (1 << 62) + 12_345;
    for Stated {
        table,
        cumulative,
        instance,
    } in tables
    {
        // The words of each place that were met, with the states after them.
        let mut met: BTreeMap<usize, BTreeMap<u64, [u64; 2]>> = BTreeMap::new();
        let zero = Enclosure::integer(0, SHARP);
        for c in cumulative.iter().chain([&zero]) {
            let near = i64::try_from(c.shifted(32).lo().floor()).unwrap_or(0);
            for word in (near - 2..=near + 2).filter(|&word| (0..1 << 32).contains(&word)) {
                let word = word as u64;
                let z = RANK << 32 | word;
                let [b, c, d] = OTHERS;
                let mut coins = Recycled::<_, 32>::at(Ended, [[z, size], b, c, d]);
                let found = coins.pick(table);
                let after = coins.states()[0];
                let right = match found {
                    Ok(place) => {
                        met.entry(place).or_default().insert(word, after);
                        let starts = place.checked_sub(1).map(|before| &cumulative[before]);
                        let at = |word: u64| rational::integer(word) * power(32);
                        starts.is_none_or(|c| c.lower() <= at(word))
                            && at(word + 1) <= cumulative[place].upper()
                    }
                    Err(_) => after == [RANK, size >> 32],
                };
                check.holds(
                    right,
                    format_args!("{instance}: the word {word} of 32 bits"),
                );
            }
        }
        for (place, words) in met {
            let (Some((first, of_first)), Some((last, of_last))) =
                (words.first_key_value(), words.last_key_value())
            else {
                continue;
            };
            let count = last - first + 1;
            let state = |rank: u64| [RANK * count + rank, (size >> 32) * count];
            check.holds(
                *of_first == state(0) && *of_last == state(count - 1),
                format_args!("{instance}: place {place} has {count} words of 32 bits"),
            );
        }
    }
    Ok(())
}

/// The coins of a run; what settles an open word is given.
struct Given<'a, const WORD: u32>(&'a mut Run, u64);

impl<const WORD: u32> Coins for Given<'_, WORD> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        match count {
            _ if count == 64 - WORD => Ok(self.1 >> WORD),
            _ => self.0.bits(count),
        }
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

/// Several draws in a row from the empty states, bit by bit: given what settles open words, the joint law is a product.
fn joint(check: &mut Check, tables: &[Stated]) -> Result<(), Trouble> {
    const TOLERATED: u32 = 6;
    check.exact(format_args!(
        "from the empty states, bit by bit, for three values of fresh bits, undecided below 2^-{TOLERATED}: five draws of all kinds with words of \
         2 bits, so that the first state comes again, six places at once, and three places of one state with words of 4 bits: the joint law \
         is the product"
    ));
    let [a, b] = [&tables[3].table, &tables[0].table];
    let bounds = BOUNDS[1];
    for fresh in FRESH {
        let share = |of: &BTreeMap<u64, u64>, k: u64| {
            let total: u64 = of.values().sum();
            Rational::new(of.get(&k).copied().unwrap_or(0).into(), total.into())
        };
        let by_two = |table| {
            plainly::<2, _>(1, fresh, |word| {
                picked(table, word, fresh).map(|k| k as u64)
            })
        };
        let (of_a, of_b) = (by_two(a)?, by_two(b)?);
        let of_bounds = plainly::<2, _>(1, fresh, |word| lies(bounds, word).map(u64::from))?;
        let halves = BTreeMap::from([(0, 1), (1, 1)]);
        product::<2>(
            check,
            fresh,
            |coins| {
                // It leaves a rank, which no other state may have.
                let half = coins.below(2)?;
                let first = coins.pick(a)? as u64;
                let side = u64::from(compared(coins, bounds)?);
                Ok(vec![
                    half,
                    first,
                    side,
                    coins.pick(b)? as u64,
                    coins.pick(b)? as u64,
                ])
            },
            |list| {
                [&halves, &of_a, &of_bounds, &of_b, &of_b]
                    .iter()
                    .zip(list)
                    .map(|(of, &k)| share(of, k))
                    .product()
            },
        )?;
        let many = |coins: &mut dyn FnMut(&mut [i64]) -> Result<(), CoinsError>, count| {
            let mut out = vec![0; count];
            coins(&mut out)?;
            Ok(out.into_iter().map(|k| k as u64).collect())
        };
        product::<2>(
            check,
            fresh,
            |coins| many(&mut |out| coins.pick_each(b, out), 6),
            |list| list.iter().map(|&k| share(&of_b, k)).product(),
        )?;
        let third = &tables[2].table;
        let of_third = plainly::<4, _>(1, fresh, |word| {
            picked(third, word, fresh).map(|k| k as u64)
        })?;
        product::<4>(
            check,
            fresh,
            |coins| {
                many(
                    &mut |out| {
                        out.chunks_mut(1)
                            .try_for_each(|one| coins.pick_each(third, one))
                    },
                    3,
                )
            },
            |list| list.iter().map(|&k| share(&of_third, k)).product(),
        )?;
    }
    Ok(())
}

fn product<const WORD: u32>(
    check: &mut Check,
    fresh: u64,
    draw: impl Fn(&mut Recycled<Given<'_, WORD>, WORD>) -> Result<Vec<u64>, CoinsError>,
    stated: impl Fn(&[u64]) -> Rational,
) -> Result<(), Trouble> {
    let found = Explorer::new(Layer::Bits, 60_000)
        .until(power(6))
        .explore(|run| draw(&mut Recycled::at(Given(run, fresh), [[0, 1]; 4])))?;
    for (list, lower) in &found.lower {
        let stated = stated(list);
        check.holds(
            *lower <= stated && stated <= lower + &found.undecided,
            format_args!("{list:?}, fresh bits {fresh:#x}: {lower} seen, {stated} stated"),
        );
    }
    check.holds(
        found.undecided <= power(6),
        format_args!("fresh bits {fresh:#x}: {} undecided", found.undecided),
    );
    Ok(())
}

/// `log2 n`
fn log2(n: &Enclosure) -> Result<Enclosure, NumberError> {
    n.ln()?.divided_by(&Enclosure::integer(2, SHARP).ln()?)
}

/// The bits that a pick takes beyond the entropy, exactly, against the bound.
fn bits<const WORD: u32>(
    check: &mut Check,
    tables: &[Stated],
    sizes: &[u64],
) -> Result<(), Trouble> {
    check.certified(format_args!(
        "words of {WORD} bits, sizes {sizes:?}: what a pick takes of the state and of fresh bits up to 64, beyond the entropy, against \
         (B/2^W)(64 + 1/ln 2) + W 2^(2 - W)"
    ));
    let whole = |n: u64| Enclosure::integer(n, SHARP);
    let words = 1u64 << WORD;
    let mut nearest = (rational::integer(0), rational::integer(1));
    for Stated {
        table,
        cumulative,
        instance,
    } in tables
    {
        let mut entropy = whole(0);
        for place in 0..table.places() {
            let mass = super::stated::mass(cumulative, place);
            entropy = entropy - &mass * &log2(&mass)?;
        }
        for &start in sizes {
            let (mut spent, mut reached) = (whole(0), whole(1));
            let (mut size, mut cut) = (start, 0);
            // What is beyond the whole words is filled and drawn from again.
            for _ in 0..4 {
                let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
                let decided = size >> WORD << WORD;
                cut = 0;
                for z in 0..size {
                    let mut coins = Recycled::<_, WORD>::at(Fresh(None), [[z, size]; 4]);
                    let open = coins.pick(table).is_err() && z < decided;
                    cut += u64::from(open);
                    *sizes.entry(coins.states()[0][1]).or_default() += 1;
                }
                let share = |n: u64| Enclosure::of(&Rational::new(n.into(), size.into()), SHARP);
                let mut here = log2(&whole(size))? + share(cut) * whole(64 - u64::from(WORD));
                for (after, times) in sizes {
                    here = here - share(times) * log2(&whole(after))?;
                }
                spent = spent + &reached * &here;
                cut /= size >> WORD;
                let beyond = size - decided;
                if beyond == 0 {
                    break;
                }
                reached = reached * share(beyond);
                size = beyond << (2 * WORD - 2 - beyond.ilog2());
            }
            let lost = spent - &entropy;
            let each = whole(64) + whole(1).divided_by(&whole(2).ln()?)?;
            let bound = each * Enclosure::of(&Rational::new(cut.into(), words.into()), SHARP)
                + Enclosure::of(&(rational::integer(4 * WORD) * power(WORD)), SHARP);
            check.holds(
                lost.upper() <= bound.lower() && cut <= 2 * (table.places() as u64 - 1),
                format_args!("{instance}, size {start}: {lost} bits lost, {bound} promised"),
            );
            if lost.upper() * &nearest.1 > &nearest.0 * bound.lower() {
                nearest = (lost.upper(), bound.lower());
            }
        }
    }
    check.figure(
        format_args!("words of {WORD} bits: lost bits of a pick, nearest to the bound"),
        format_args!(
            "{} of {}",
            rational::to_scientific_above(&nearest.0, 3),
            rational::to_scientific_above(&nearest.1, 3)
        ),
    );
    Ok(())
}

/// Words of 32 bits: as many bits as the places that were drawn have information, and hardly more.
fn count(check: &mut Check, tables: &[Stated]) -> Result<(), Trouble> {
    const PICKS: usize = 4000;
    check.certified(format_args!(
        "words of 32 bits, {PICKS} places of each table, one at a time and many at once: the bits that were drawn are not less than \
         the sum of -log2 p of what came, and at most 252 + {PICKS} 2^-20 more"
    ));
    for Stated {
        table,
        cumulative,
        instance,
    } in tables
    {
        let mut coins = Recycled::new(ChaCha::reproducible(14, 0));
        let mut out = [0; PICKS];
        coins.pick_each(table, &mut out[PICKS / 2..])?;
        for place in &mut out[..PICKS / 2] {
            *place = coins.pick(table)? as i64;
        }
        let mut surprise = Enclosure::integer(0, SHARP);
        for place in 0..table.places() {
            let times = out.iter().filter(|&&k| k == place as i64).count();
            let mass = super::stated::mass(cumulative, place);
            surprise = surprise - log2(&mass)? * Enclosure::integer(times, SHARP);
        }
        let drawn = rational::integer(coins.consumed());
        let most = surprise.lower() + rational::integer(252) + rational::integer(PICKS) * power(20);
        check.holds(
            surprise.upper() <= drawn && drawn <= most,
            format_args!("{instance}: {drawn} bits for {surprise}"),
        );
    }
    Ok(())
}
