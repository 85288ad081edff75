//! Tables by themselves: rational and irrational thresholds, on a word and between two, close to one another and to the ends.

use super::decisions::{SHARP, Seen, Stated};
use crate::claim::{Check, Trouble};
use dp_assay::coins::Table;
use dp_assay::number::{Dyadic, Enclosure, NumberError, Rational, rational, rational::ratio};
use num_bigint::BigInt;

/// A cumulative probability: rational, or `exp(-x)`.
#[derive(Debug, Clone)]
enum Threshold {
    Exact(Rational),
    Exponential(Rational),
    /// Enclosed as widely as a table takes it.
    Loose(Rational),
}

impl Threshold {
    fn enclosed(&self, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::Exact(c) => Ok(Enclosure::of(c, bits)),
            Self::Exponential(x) => Enclosure::exp_of(&-x, bits),
            Self::Loose(c) => {
                let radius = Dyadic::new(1, 38 - i64::from(bits));
                Ok(Enclosure::of(c, bits).widened(&radius))
            }
        }
    }
}

fn enclosed(thresholds: &[Threshold], bits: u32) -> Result<Vec<Enclosure>, NumberError> {
    thresholds.iter().map(|c| c.enclosed(bits)).collect()
}

/// `sample.table`
pub(in super::super) fn table(check: &mut Check) -> Result<(), Trouble> {
    let exact = |list: &[Rational]| -> Vec<Threshold> {
        list.iter().cloned().map(Threshold::Exact).collect()
    };
    let exponentials = |list: &[Rational]| -> Vec<Threshold> {
        let falling = list.iter().cloned().map(Threshold::Exponential);
        falling.chain([Threshold::Exact(ratio(1, 1))]).collect()
    };
    let word = super::power_of_two(-64);
    let words = |n: i64, parts: i64| &word * ratio(n, parts);
    let one = ratio(1, 1);
    let tables = [
        ("one place", exact(std::slice::from_ref(&one))),
        ("a half", exact(&[ratio(1, 2), one.clone()])),
        ("a third", exact(&[ratio(1, 3), one.clone()])),
        (
            "eighths, one place empty",
            exact(&[ratio(1, 8), ratio(3, 8), ratio(3, 8), one.clone()]),
        ),
        (
            "the first and the last place empty",
            exact(&[ratio(0, 1), ratio(2, 3), one.clone(), one.clone()]),
        ),
        (
            "three thresholds in the word 0",
            exact(&[words(1, 7), words(2, 7), words(2, 3), one.clone()]),
        ),
        (
            "thresholds at the ends of words",
            exact(&[
                words(1, 1),
                words(2, 1),
                ratio(1, 2) + words(1, 1),
                ratio(1, 2) + words(7, 2),
                &one - &word,
                one.clone(),
            ]),
        ),
        (
            "three thresholds in the last word",
            exact(&[
                &one - words(6, 7),
                &one - words(2, 3),
                &one - words(1, 7),
                one.clone(),
            ]),
        ),
        (
            "a threshold nearly 1",
            exact(&[&one - super::power_of_two(-90), one.clone()]),
        ),
        // On either side of the end of a word, and enclosed on both.
        (
            "thresholds near the ends of words",
            vec![
                Threshold::Loose(ratio(1, 4) - words(1, 1 << 40)),
                Threshold::Loose(ratio(1, 2) + words(1, 1 << 40)),
                Threshold::Exact(one.clone()),
            ],
        ),
        (
            "exponentials",
            exponentials(&[ratio(20, 1), ratio(3, 1), ratio(1, 1), ratio(1, 1000)]),
        ),
        (
            "tiny exponentials",
            exponentials(&[ratio(100, 1), ratio(45, 1), ratio(44, 1)]),
        ),
    ];
    let equal = if check.quick() { 1000 } else { 70_000 };
    check.certified(format_args!(
        "{} tables of up to 6 places, rational and irrational, with empty places, and with thresholds at 0, at 1, at the ends of words and \
         several in one word; and {equal} equal places: every open word of the former is settled bit by bit",
        tables.len()
    ));
    let mut seen = Seen::default();
    for (instance, thresholds) in tables {
        let cumulative = enclosed(&thresholds, SHARP)?;
        let table = Table::new(instance, move |bits| enclosed(&thresholds, bits + 8))?;
        let stated = Stated {
            instance: instance.to_owned(),
            table,
            cumulative,
        };
        seen.decides(check, &stated, usize::MAX)?;
    }
    let shares = move |bits: u32| -> Vec<Enclosure> {
        let share = |k: i64| rational::integer(k) / BigInt::from(equal);
        (1..=equal)
            .map(|k| Enclosure::of(&share(k), bits))
            .collect()
    };
    let stated = Stated {
        instance: format!("{equal} equal places"),
        cumulative: shares(SHARP),
        table: Table::new("equal places", move |bits| Ok(shares(bits)))?,
    };
    seen.decides(check, &stated, 0)?;
    seen.report(check);
    Ok(())
}
