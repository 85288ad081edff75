//! The prepared laws on the integers: their tables, and how the places become an integer.

use super::decisions::{Seen, Stated, tables_of};
use super::scripted::{Answer, Scripted};
use super::stated;
use super::{list_of, power_of_two};
use crate::claim::{Check, Trouble};
use crate::common::one_of_each;
use crate::samplers::ladder;
use crate::samplers::rung::{Rung, over_laws};
use dp_assay::coins::{Choice, CoinsError, Law, Table};
use dp_assay::number::{Dyadic, Enclosure, Rational, rational, rational::ratio};
use dp_assay::prepared::{PreparedGaussian, PreparedGeometric, PreparedLaplace};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, ToPrimitive, Zero};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// The working precision of what is compared with a product of probabilities.
const BITS: u32 = 256;

/// How many open words of a table are settled bit by bit.
fn settled(check: &Check) -> usize {
    if check.quick() { 1 } else { 4 }
}

/// Some of the places of a table: the first and the last ones, and those between.
fn some_places(places: usize, count: usize) -> Vec<usize> {
    let between = (0..count).map(|k| k * places / count);
    let ends = [0, 1, places.saturating_sub(3), places.saturating_sub(2)];
    let all: BTreeSet<usize> = between
        .chain(ends)
        .filter(|&k| k + 1 < places.max(2))
        .collect();
    all.into_iter().collect()
}

/// A prepared law: one draw, and many.
trait Draws: Law {
    fn fill_with(&self, coins: &mut Scripted, out: &mut [i64]) -> Result<(), CoinsError>;
    fn integer(outcome: &Self::Outcome) -> BigInt;
}

impl Draws for PreparedGeometric {
    fn fill_with(&self, coins: &mut Scripted, out: &mut [i64]) -> Result<(), CoinsError> {
        self.fill(coins, out)
    }

    fn integer(outcome: &BigUint) -> BigInt {
        outcome.clone().into()
    }
}

impl Draws for PreparedLaplace {
    fn fill_with(&self, coins: &mut Scripted, out: &mut [i64]) -> Result<(), CoinsError> {
        self.fill(coins, out)
    }

    fn integer(outcome: &BigInt) -> BigInt {
        outcome.clone()
    }
}

impl Draws for PreparedGaussian {
    fn fill_with(&self, coins: &mut Scripted, out: &mut [i64]) -> Result<(), CoinsError> {
        self.fill(coins, out)
    }

    fn integer(outcome: &BigInt) -> BigInt {
        outcome.clone()
    }
}

/// The tables of a prepared law are those that are stated; and each is noted as explored.
fn tables_are<L: Draws>(
    check: &mut Check,
    rung: &mut Rung,
    seen: &mut Seen,
    law: &L,
    state: impl FnOnce(&[Table]) -> Result<Vec<Vec<Enclosure>>, Trouble>,
) -> Result<Vec<Stated>, Trouble> {
    let tables = tables_of(|coins| law.sample(coins), 1)?;
    let cumulative = state(&tables)?;
    check.holds(
        tables.len() == cumulative.len(),
        format_args!("{}: {} tables", law.label(), tables.len()),
    );
    let mut stated = Vec::new();
    for (table, cumulative) in tables.into_iter().zip(cumulative) {
        let instance = format!("{}, {}", law.label(), table.label());
        rung.explores(Choice::Law(table.label()));
        let of_table = Stated {
            instance,
            table,
            cumulative,
        };
        seen.decides(check, &of_table, settled(check))?;
        stated.push(of_table);
    }
    Ok(stated)
}

/// Every tuple of places gives another integer, one at a time and many at once, and the product of the places' probabilities is that
/// of the integer.
fn places_give_integers<L: Draws>(
    check: &mut Check,
    law: &L,
    stated: &[Stated],
    places: &[Vec<usize>],
    pmf: impl Fn(&BigInt) -> Result<Enclosure, Trouble>,
) -> Result<usize, Trouble> {
    let tuples = one_of_each(places);
    let script = |tuples: &[Vec<usize>]| {
        let queue = |of: usize| tuples.iter().map(|tuple| tuple[of]).collect();
        Scripted::picking(
            stated
                .iter()
                .enumerate()
                .map(|(of, s)| (&s.table, queue(of))),
        )
    };
    let mut values = Vec::new();
    for tuple in &tuples {
        let mut coins = script(std::slice::from_ref(tuple));
        let value = L::integer(&law.sample(&mut coins)?);
        let masses = stated.iter().zip(tuple);
        let product = masses
            .map(|(stated, place)| stated::mass(&stated.cumulative, *place))
            .fold(Enclosure::integer(1, BITS), |product, mass| product * mass);
        let probability = pmf(&value)?;
        // Compared to 30 digits, unless a difference of two cumulative probabilities has not so many.
        let tiny = *probability.hi() < Dyadic::new(1, -200);
        let sharp = product.has_digits(30) && probability.has_digits(30);
        check.holds(
            product.meets(&probability) && (sharp || tiny),
            format_args!(
                "{}: places {tuple:?} give {value}: {product}, stated {probability}",
                law.label()
            ),
        );
        values.push(value);
    }
    let different: BTreeSet<&BigInt> = values.iter().collect();
    check.holds(
        different.len() == values.len(),
        format_args!("{}: two tuples of places give one integer", law.label()),
    );
    let mut many = vec![0; tuples.len()];
    law.fill_with(&mut script(&tuples), &mut many)?;
    let many: Vec<BigInt> = many.into_iter().map(BigInt::from).collect();
    check.holds(
        many == values,
        format_args!("{}: many at once are as one at a time", law.label()),
    );
    Ok(values.len())
}

/// What is drawn one at a time, and many at once, by one script: the integer and the coins after it.
fn drawn<L: Draws>(
    check: &mut Check,
    law: &L,
    script: &Scripted,
) -> Result<(BigInt, Scripted), Trouble> {
    let (mut once, mut many) = (script.clone(), script.clone());
    let value = L::integer(&law.sample(&mut once)?);
    let mut out = [0];
    law.fill_with(&mut many, &mut out)?;
    check.holds(
        BigInt::from(out[0]) == value
            && once.bounds == many.bounds
            && once.exponents == many.exponents
            && once.counts == many.counts,
        format_args!("{}: {value} one at a time, {} of many", law.label(), out[0]),
    );
    Ok((value, once))
}

/// The script that picks these places, one of each table.
fn picking(stated: &[Stated], places: &[usize]) -> Scripted {
    let queues = stated.iter().zip(places);
    Scripted::picking(queues.map(|(stated, &place)| (&stated.table, [place].into())))
}

/// How far out beyond a table is looked.
const FAR: [u64; 5] = [0, 1, 2, 17, 100_000];

/// Beyond the tables: the product of the probabilities of these places and of how much further is drawn is that of the integer. The
/// law may have a sign; whether it is drawn apart from the places, so that each is half as likely, is said beside it.
fn beyond<L: Draws>(
    check: &mut Check,
    law: &L,
    stated: &[Stated],
    (places, further, j): (&[usize], &Geometric, u64),
    sign: Option<(bool, bool)>,
    pmf: impl Fn(&BigInt) -> Result<Enclosure, Trouble>,
) -> Result<(), Trouble> {
    let mut script = picking(stated, places);
    script.outcomes.push_back(j);
    script
        .words
        .extend(sign.map(|(negative, _)| u64::from(negative)));
    let (value, coins) = drawn(check, law, &script)?;
    let halved = sign.is_some_and(|(_, drawn_apart)| drawn_apart);
    let product = (stated.iter().zip(places))
        .map(|(stated, place)| stated::mass(&stated.cumulative, *place))
        .fold(further.pmf(&j.into(), BITS)?, |product, mass| {
            product * mass
        })
        .shifted(-i64::from(halved));
    let probability = pmf(&value)?;
    let same = product.meets(&probability) || !product.lo().is_positive();
    let right = sign.is_none_or(|(negative, _)| value.is_negative() == negative);
    check.holds(
        same && right && coins.laws == [further.label()],
        format_args!(
            "{}: beyond by {j}: {value}, {product}, stated {probability}",
            law.label()
        ),
    );
    Ok(())
}

/// `sample.prepared-geometric`
pub(in super::super) fn geometric(check: &mut Check) -> Result<(), Trouble> {
    let mut rates = vec![ratio(1, 1000), ratio(1, 17), ratio(1, 1), ratio(512, 20)];
    if !check.quick() {
        rates.extend(
            [(1, 1_000_000), (1, 16), (1, 10), (22, 7), (1000, 1)].map(|(n, d)| ratio(n, d)),
        );
        rates.extend([power_of_two(40), power_of_two(-40)]);
    }
    check.certified(format_args!(
        "rates {}: every word of every table against the law's closed form; the places of the digits and of the top, and what is \
         beyond the top, against the twin's probabilities",
        list_of(&rates)
    ));
    let (mut rung, mut seen, mut count) = (Rung::default(), Seen::default(), 0);
    for rate in &rates {
        let law = Geometric::new(rate.clone())?;
        let prepared = PreparedGeometric::new(&law)?;
        let above = |digits: usize| rate * (BigInt::from(1) << (9 * digits));
        let stated = tables_are(check, &mut rung, &mut seen, &prepared, |tables| {
            let mut stated = Vec::new();
            for below in 0..tables.len() - 1 {
                stated.push(stated::digit(&above(below))?);
            }
            let end = tables[tables.len() - 1].places() - 1;
            stated.push(stated::geometric(&above(tables.len() - 1), end)?);
            Ok(stated)
        })?;
        let pmf = |k: &BigInt| Ok(law.pmf(k.magnitude(), BITS)?);
        let places: Vec<Vec<usize>> = stated
            .iter()
            .enumerate()
            .map(|(of, s)| match of + 1 == stated.len() {
                // The last place of the top is not an integer.
                true => some_places(s.table.places(), 7),
                false => vec![0, 1, 200, 511],
            })
            .collect();
        count += places_give_integers(check, &prepared, &stated, &places, pmf)?;
        // Beyond the top.
        let top = stated.len() - 1;
        let mut places = vec![3; stated.len()];
        places[top] = stated[top].table.places() - 1;
        let top_law = Geometric::new(above(top))?;
        for j in FAR {
            let drawn = (&places[..], &top_law, j);
            beyond(check, &prepared, &stated, drawn, None, pmf)?;
            count += 1;
        }
    }
    explored(
        check,
        rung,
        seen,
        count,
        &[ratio(1, 1), ratio(3, 7), ratio(1, 7)],
        |rate| Ok(PreparedGeometric::new(&Geometric::new(rate)?)?),
    )
}

/// The whole sampler, over draws of its tables and of what is beyond; and the figures.
fn explored<L: Law>(
    check: &mut Check,
    mut rung: Rung,
    seen: Seen,
    count: usize,
    parameters: &[Rational],
    prepare: impl Fn(Rational) -> Result<L, Trouble>,
) -> Result<(), Trouble>
where
    L::Outcome: Debug,
{
    check.certified(format_args!(
        "the whole sampler over draws from its tables, {}",
        list_of(parameters)
    ));
    for parameter in parameters {
        let prepared = prepare(parameter.clone())?;
        rung.sampler(&prepared, &over_laws(24), 24)?;
        for table in tables_of(|coins| prepared.sample(coins), 1)? {
            rung.explores(Choice::Law(table.label()));
        }
    }
    rung.report(check);
    let ladder = ladder::ladder()?;
    let [_, _, geometric, _] = &ladder.laws;
    rung.rests_on(check, &[geometric]);
    seen.report(check);
    check.figure("integers of chosen places", count);
    Ok(())
}

/// `sample.prepared-laplace`
pub(in super::super) fn laplace(check: &mut Check) -> Result<(), Trouble> {
    let mut scales = vec![ratio(1, 1000), ratio(1, 1), ratio(17, 1), ratio(1000, 1)];
    if !check.quick() {
        let more = [
            (355, 113),
            (10, 1),
            (16, 1),
            (1_000_000, 1),
            (1_234_567, 89),
        ];
        scales.extend(more.map(|(n, d)| ratio(n, d)));
        scales.extend([power_of_two(40), power_of_two(-40)]);
    }
    check.certified(format_args!(
        "scales {}: every word of every table against the law's closed form; the places of sign, digits and top, and what is beyond, \
         against the twin's probabilities",
        list_of(&scales)
    ));
    let (mut rung, mut seen, mut count) = (Rung::default(), Seen::default(), 0);
    for scale in &scales {
        let law = DiscreteLaplace::new(scale.clone())?;
        let prepared = PreparedLaplace::new(&law)?;
        let rate = scale.recip();
        let above = |digits: usize| &rate * (BigInt::from(1) << (9 * digits));
        let narrow = *scale <= ratio(16, 1);
        let stated = tables_are(check, &mut rung, &mut seen, &prepared, |tables| {
            if narrow {
                let reach = (tables[0].places() as i64 - 2) / 2;
                return Ok(vec![stated::laplace(&law, reach)?]);
            }
            let mut stated = vec![stated::signed_digit(&rate)?];
            for below in 1..tables.len() - 1 {
                stated.push(stated::digit(&above(below))?);
            }
            let end = tables[tables.len() - 1].places() - 1;
            stated.push(stated::geometric(&above(tables.len() - 1), end)?);
            Ok(stated)
        })?;
        let pmf = |k: &BigInt| Ok(law.pmf(k, BITS)?);
        let places: Vec<Vec<usize>> = stated
            .iter()
            .enumerate()
            .map(|(of, s)| match (narrow, of) {
                (true, _) => (0..s.table.places() - 1).collect(),
                (_, 0) => vec![0, 1, 200, 511, 512, 513, 700, 1023],
                (_, of) if of + 1 < stated.len() => vec![0, 1, 200, 511],
                _ => some_places(s.table.places(), 5),
            })
            .collect();
        count += places_give_integers(check, &prepared, &stated, &places, pmf)?;
        // Beyond: of a narrow law with either sign, of a wide one above the top.
        let last = stated.len() - 1;
        let end = stated[last].table.places() - 1;
        let further = if narrow {
            law.proposed_magnitude().clone()
        } else {
            Geometric::new(above(last))?
        };
        for j in FAR {
            for negative in [false, true] {
                let mut places = vec![if negative { 515 } else { 3 }; stated.len()];
                places[1..].fill(3);
                places[last] = end;
                let drawn = (&places[..], &further, j);
                let sign = Some((negative, narrow));
                beyond(check, &prepared, &stated, drawn, sign, pmf)?;
                count += 1;
            }
        }
    }
    let mut whole = vec![ratio(1, 2), ratio(1, 1), ratio(7, 3)];
    if !check.quick() {
        whole.push(ratio(20, 1));
    }
    explored(check, rung, seen, count, &whole, |scale| {
        Ok(PreparedLaplace::new(&DiscreteLaplace::new(scale)?)?)
    })
}

/// `value^2 / (2 variance)`
fn fall(value: &BigInt, variance: &Rational) -> Rational {
    Rational::from_integer(value * value) / (variance * BigInt::from(2))
}

/// Whether `below <= 2^64 p <= last + 1`, where `p` is enclosed sharply.
pub(super) fn bracket([below, last]: [u64; 2], p: &Enclosure) -> bool {
    let scaled = p.shifted(64);
    let slack = Dyadic::new(1, -64);
    Dyadic::from(BigInt::from(below)) <= scaled.hi() + &slack
        && scaled.lo() - &slack <= Dyadic::from(BigInt::from(last) + 1)
}

/// `sample.prepared-gaussian`
pub(in super::super) fn gaussian(check: &mut Check) -> Result<(), Trouble> {
    let mut variances = vec![
        ratio(1, 1000),
        ratio(1, 1),
        ratio(4097, 1),
        ratio(1_000_000, 1),
    ];
    if !check.quick() {
        let more = [
            (25, 7),
            (100, 1),
            (257, 1),
            (1000, 1),
            (4096, 1),
            (28_673, 7),
            (16_385, 1),
            (1_000_000_000_000, 7),
        ];
        variances.extend(more.map(|(n, d)| ratio(n, d)));
        variances.extend([power_of_two(80), power_of_two(-80)]);
    }
    check.certified(format_args!(
        "variances {}: every word of every table against exponentials taken one by one; narrow: every place; wide: chosen cells, signs \
         and places in the cell, with the bounds of acceptance against the exponential, and what a word between them gives; beyond \
         the table: the exponents of what is drawn add up to that of the law",
        list_of(&variances)
    ));
    let (mut rung, mut seen, mut count) = (Rung::default(), Seen::default(), 0);
    let mut widest = Rational::zero();
    for variance in &variances {
        let law = DiscreteGaussian::new(variance.clone())?;
        let prepared = PreparedGaussian::new(&law)?;
        if *variance <= ratio(1 << 12, 1) {
            let stated = tables_are(check, &mut rung, &mut seen, &prepared, |tables| {
                let reach = (tables[0].places() as i64 - 2) / 2;
                Ok(vec![stated::gaussian(variance, reach)?])
            })?;
            let last = stated[0].table.places() - 1;
            let normaliser = law.normaliser(BITS)?;
            let pmf = |k: &BigInt| {
                Ok(Enclosure::exp_of(&-fall(k, variance), BITS)?.divided_by(&normaliser)?)
            };
            let all = (0..last).collect();
            count += places_give_integers(check, &prepared, &stated, &[all], pmf)?;
            count += beyond_narrow(check, &prepared, &stated[0], last as i64 / 2 + 1)?;
        } else {
            let cells_of = wide(check, &mut rung, &mut seen, &prepared)?;
            count += cells_of.0;
            widest = widest.max(cells_of.1);
        }
    }
    check.figure(
        "widest gap between the bounds of acceptance",
        rational::to_scientific_above(&widest, 3),
    );
    explored(
        check,
        rung,
        seen,
        count,
        &[ratio(1, 1), ratio(25, 7)],
        |variance| Ok(PreparedGaussian::new(&DiscreteGaussian::new(variance)?)?),
    )
}

/// Both tails of a narrow law, from `first` on: a rejected proposal is followed by another.
fn beyond_narrow(
    check: &mut Check,
    prepared: &PreparedGaussian,
    stated: &Stated,
    first: i64,
) -> Result<usize, Trouble> {
    let variance = prepared.law().variance();
    let rate = rational::integer(first) / variance;
    let proposal = Geometric::new(rate.clone())?;
    let mut count = 0;
    for j in [0u64, 1, 5] {
        for negative in [false, true] {
            let mut script = picking(std::slice::from_ref(stated), &[stated.table.places() - 1]);
            script.words.push_back(u64::from(negative));
            script.outcomes.extend([7, j]);
            script.exponentials.extend([false, true]);
            let (value, coins) = drawn(check, prepared, &script)?;
            let tilted = &rate * BigInt::from(j)
                + coins.exponents.last().cloned().unwrap_or_default()
                + fall(&first.into(), variance);
            check.holds(
                value == BigInt::from(first + j as i64) * if negative { -1 } else { 1 }
                    && tilted == fall(&value, variance)
                    && coins.counts == [1]
                    && coins.laws == [proposal.label(), proposal.label()],
                format_args!("{}: beyond by {j}: {value}", prepared.label()),
            );
            count += 1;
        }
    }
    Ok(count)
}

/// A wide law: cells, signs, places in the cell, and their acceptance. How many were tried, and the widest gap of the bounds.
fn wide(
    check: &mut Check,
    rung: &mut Rung,
    seen: &mut Seen,
    prepared: &PreparedGaussian,
) -> Result<(usize, Rational), Trouble> {
    let variance = prepared.law().variance();
    let label = prepared.label();
    // How wide a cell is shows in the bits that are drawn: one for the sign, the others for the place.
    let mut coins = Scripted::meeting();
    coins.words.push_back(0);
    coins.answers.push_back(Answer::Below);
    prepared.sample(&mut coins)?;
    let low_bits = coins.counts.first().map_or(0, |count| count - 1);
    let square = |bits: u32| Rational::from_integer(BigInt::from(1) << (2 * bits));
    check.holds(
        square(low_bits + 6) <= *variance && *variance < square(low_bits + 7),
        format_args!("{label}: cells of 2^{low_bits}"),
    );
    let in_cells = variance / square(low_bits);
    let stated = tables_are(check, rung, seen, prepared, |tables| {
        let last = tables[0].places() as i64 - 2;
        Ok(vec![stated::half_gaussian(&in_cells, last)?])
    })?;
    let table = &stated[0].table;
    let far = table.places() - 1;
    let (mut count, mut widest) = (0, Rational::zero());
    let width = 1u64 << low_bits;
    let lows: BTreeSet<u64> = [0, 1, 2, width / 3, width / 2, width - 1]
        .into_iter()
        .filter(|&low| low < width)
        .collect();
    // A script: the cell and the word, and after a rejection the cell 1 and the word 0, which are accepted.
    let script = |cell: usize, word: u64, answer: Answer| {
        let mut script = Scripted::picking([(table, [cell, 1].into())]);
        script.words.extend([word, 0]);
        script.answers.push_back(answer);
        script
    };
    let another = BigInt::from(width);
    for &cell in &some_places(table.places(), 5) {
        for &low in &lows {
            for negative in [false, true] {
                let word = low << 1 | u64::from(negative);
                let start = BigInt::from(cell) << low_bits;
                let magnitude = &start + low;
                let (value, coins) = drawn(check, prepared, &script(cell, word, Answer::Below))?;
                count += 1;
                if negative && magnitude.is_zero() {
                    check.holds(value == another, format_args!("{label}: -0 gives {value}"));
                    continue;
                }
                let right = if negative {
                    -&magnitude
                } else {
                    magnitude.clone()
                };
                check.holds(
                    value == right,
                    format_args!("{label}: {cell} {word}: {value}"),
                );
                // The law falls by so much from the start of the cell.
                let x = fall(&magnitude, variance) - fall(&start, variance);
                let p = Enclosure::exp_of(&-&x, BITS)?;
                let Some(&bounds) = coins.bounds.first() else {
                    check.holds(x.is_zero(), format_args!("{label}: {right} without a test"));
                    continue;
                };
                let gap = Rational::from_integer(BigInt::from(bounds[1]) + 1 - bounds[0])
                    * power_of_two(-64);
                let further = &x + power_of_two(-60);
                let allowed = &further * &further / BigInt::from(2) + power_of_two(-60);
                check.holds(
                    bracket(bounds, &p) && gap <= allowed,
                    format_args!("{label}: {right}: bounds {bounds:?} of {p}"),
                );
                widest = widest.max(gap);
                // What each answer gives.
                let rejected = drawn(check, prepared, &script(cell, word, Answer::NotBelow))?.0;
                check.holds(
                    rejected == another,
                    format_args!("{label}: {right} is rejected"),
                );
                let near = p.shifted(64).lo().floor().to_u64().unwrap_or(0);
                let between = [bounds[0], near - 1, near, near.saturating_add(1), bounds[1]];
                for word_of in between
                    .into_iter()
                    .filter(|w| (bounds[0]..=bounds[1]).contains(w))
                {
                    let mut coins = script(cell, word, Answer::Word(word_of));
                    let found = prepared.sample(&mut coins);
                    let says = match word_of.cmp(&near) {
                        std::cmp::Ordering::Less => found == Ok(right.clone()),
                        std::cmp::Ordering::Greater => found == Ok(another.clone()),
                        // More digits are drawn: the script's last word is one, and then it ends.
                        std::cmp::Ordering::Equal => found.is_err() || coins.words.is_empty(),
                    };
                    check.holds(
                        says,
                        format_args!("{label}: {right} with {word_of}: {found:?}"),
                    );
                }
            }
        }
    }
    // Beyond the table: the exponents of the cell's proposal, of its acceptance and of the place's.
    let rate = rational::integer(far) / &in_cells;
    let proposal = Geometric::new(rate.clone())?;
    for j in [0u64, 1, 40] {
        for &low in &lows {
            let mut script = script(far, low << 1 | 1, Answer::Below);
            script.outcomes.extend([2, j]);
            script.exponentials.extend([false, true, true]);
            let (value, coins) = drawn(check, prepared, &script)?;
            let first = BigInt::from(far) << low_bits;
            let exponents: Rational = coins.exponents[1..].iter().sum();
            let tilted = &rate * BigInt::from(j) + exponents + fall(&first, variance);
            let magnitude = (BigInt::from(far + j as usize) << low_bits) + low;
            check.holds(
                value == -magnitude
                    && tilted == fall(&value, variance)
                    && coins.laws == [proposal.label(), proposal.label()],
                format_args!("{label}: beyond by {j}, {low}: {value}"),
            );
            count += 1;
        }
    }
    Ok((count, widest))
}
