//! Noise of the real line, rounded: cells, acceptance, and the integer that the digits decide.

use super::decisions::{SHARP, Seen, Stated, tables_of};
use super::integers::bracket;
use super::scripted::{Answer, Scripted};
use super::stated;
use super::{list_of, power_of_two};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{CoinsError, Table};
use dp_assay::number::{Enclosure, Rational, rational, rational::ratio};
use dp_assay::prepared::{RealNoise, RoundedGaussian, RoundedGaussianVector, RoundedLaplace};
use dp_assay::sample::Geometric;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::VecDeque;

/// The density of the noise, in units of cells.
#[derive(Debug, Clone)]
enum Density {
    /// Falls as `exp(-rate x)`.
    Laplace(Rational),
    /// Falls as `exp(-x^2 / (2 variance))`.
    Gaussian(Rational),
}

impl Density {
    /// The exponent at `x >= 0`, less that at 0.
    fn exponent(&self, x: &Rational) -> Rational {
        match self {
            Self::Laplace(rate) => rate * x,
            Self::Gaussian(variance) => x * x / (variance * BigInt::from(2)),
        }
    }

    fn stated(&self, table: &Table) -> Result<Vec<Enclosure>, Trouble> {
        let places = table.places();
        match self {
            Self::Laplace(rate) => stated::geometric(rate, places - 1),
            Self::Gaussian(variance) => stated::half_gaussian(variance, places as i64 - 2),
        }
    }

    /// The proposal of a cell from `first` on, by its label.
    fn proposal(&self, first: usize) -> Result<(String, Rational), Trouble> {
        let rate = match self {
            Self::Laplace(rate) => rate.clone(),
            Self::Gaussian(variance) => rational::integer(first) / variance,
        };
        Ok((
            dp_assay::coins::Law::label(&Geometric::new(rate.clone())?),
            rate,
        ))
    }
}

/// The largest `width` with `2^width <= sqrt(squared) / 64`.
fn width_of(squared: &Rational) -> i32 {
    (-64..64)
        .rev()
        .find(|&width| power_of_two(2 * width + 12) <= *squared)
        .unwrap_or(-64)
}

/// A number of the real line with so many known digits: its ends.
fn ends(negative: bool, cell: u64, word: &BigInt, digits: u32, width: i32) -> [Rational; 2] {
    let parts = BigInt::one() << digits;
    let end = |more: u32| {
        let u = Rational::new(word + more, parts.clone());
        (u + rational::integer(cell)) * power_of_two(width)
    };
    let [lo, hi] = [end(0), end(1)];
    if negative { [-hi, -lo] } else { [lo, hi] }
}

/// The words of 64 digits that are looked at.
const WORDS: [u64; 6] = [0, 1, 1 << 63, u64::MAX - 1, u64::MAX, 0x9e37_79b9_7f4a_7c15];

/// Cells of one noise, and how a value and a number of the real line are rounded.
fn noise<N: RealNoise>(
    check: &mut Check,
    seen: &mut Seen,
    noise: &N,
    density: &Density,
    width: i32,
    label: &str,
) -> Result<usize, Trouble> {
    let settled = if check.quick() { 1 } else { 3 };
    let zero = Rational::zero();
    let tables = tables_of(|coins| noise.draw_around(&zero, coins), 8)?;
    let table = &tables[0];
    let stated = Stated {
        instance: format!("{label}, cells"),
        table: table.clone(),
        cumulative: density.stated(table)?,
    };
    seen.decides(check, &stated, settled)?;
    let far = table.places() - 1;
    let cells: Vec<usize> = [0, 1, 2, far / 7, far / 2, far - 1]
        .into_iter()
        .filter(|&c| c < far)
        .collect();
    let step = noise.step();
    let scripted = |cell: usize, words: &[u64], answers: &[Answer]| {
        let mut coins = Scripted::picking([(table, VecDeque::from([cell]))]);
        coins.words.extend(words);
        coins.answers.extend(answers);
        coins
    };
    let mut count = 0;
    // Values on the grid, half-way, close to half-way, and far from 0.
    let values: Vec<Rational> = [
        zero.clone(),
        ratio(1, 2),
        ratio(-1, 2),
        ratio(1, 3),
        ratio(-22, 7),
        ratio(1, 2) - power_of_two(-70),
        ratio(1_000_001, 2) + power_of_two(-70),
        power_of_two(70) + ratio(1, 3),
    ]
    .iter()
    .map(|in_steps| in_steps * step)
    .collect();
    for &cell in &cells {
        let start = density.exponent(&rational::integer(cell));
        for word in WORDS {
            // 1. The bounds of acceptance hold for every number with these digits; and they are close.
            let fall = |more: u32| {
                let u = Rational::new(BigInt::from(word) + more, BigInt::one() << 64u32);
                density.exponent(&(u + rational::integer(cell))) - &start
            };
            let (least, most) = (fall(0), fall(1));
            let (highest, lowest) = (
                Enclosure::exp_of(&-&least, SHARP)?,
                Enclosure::exp_of(&-&most, SHARP)?,
            );
            let mut coins = scripted(cell, &[0, word], &[Answer::Below]);
            let found = noise.draw_around(&zero, &mut coins);
            let Some(&bounds) = coins.bounds.first() else {
                check.holds(
                    false,
                    format_args!("{label}: cell {cell}, {word}: {found:?}"),
                );
                continue;
            };
            let gap =
                Rational::from_integer(BigInt::from(bounds[1]) + 1 - bounds[0]) * power_of_two(-64);
            check.holds(
                bracket([bounds[0], u64::MAX], &lowest)
                    && bracket([0, bounds[1]], &highest)
                    && gap <= &most * &most / BigInt::from(2) + power_of_two(-28),
                format_args!(
                    "{label}: cell {cell}, {word}: bounds {bounds:?} of {highest} to {lowest}"
                ),
            );
            // 2. What is rejected is drawn again; between the bounds the exponential decides.
            let near = lowest.shifted(64).lo().floor().to_u64().unwrap_or(0);
            let above = highest.shifted(64).hi().ceil();
            let first_above = above.to_u64().unwrap_or(u64::MAX);
            let between = [bounds[0], near.saturating_sub(1), first_above, bounds[1]];
            let within = between
                .into_iter()
                .filter(|w| (bounds[0]..=bounds[1]).contains(w));
            let answers = within.map(Answer::Word).chain([Answer::NotBelow]);
            for answer in answers {
                let mut coins = scripted(cell, &[0, word], &[answer]);
                let found = noise.draw_around(&zero, &mut coins);
                // A rejection picks another cell, and the script has no other.
                let rejected = coins.picked.len() == 2;
                let right = match answer {
                    Answer::Word(w) if w < near => !rejected,
                    Answer::Word(w) if BigInt::from(w) >= above => rejected,
                    Answer::Word(_) => !rejected && found.is_err(),
                    _ => rejected && found.is_err(),
                };
                check.holds(
                    right,
                    format_args!("{label}: cell {cell}, {word}, {answer:?}: {found:?}"),
                );
            }
            // 3. The integer that all numbers with these digits give; where they do not agree, more digits are drawn.
            for value in &values {
                for negative in [false, true] {
                    let more = [0x5555_5555_5555_5555u64, 77];
                    let mut script = scripted(cell, &[u64::from(negative), word], &[Answer::Below]);
                    script.words.extend(more);
                    let mut once = script.clone();
                    let found = noise.draw_around(value, &mut once)?;
                    let drawn = once.counts.len() as u32 - 2;
                    let mut digits = BigInt::from(word);
                    for extra in &more[..drawn as usize] {
                        digits = (digits << 64u32) + extra;
                    }
                    let in_steps = value / step + ratio(1, 2);
                    let [lo, hi] = ends(negative, cell as u64, &digits, 64 * (drawn + 1), width)
                        .map(|end| (end + &in_steps).floor().to_integer());
                    check.holds(
                        lo == found && hi == found,
                        format_args!(
                            "{label}: value {value}, cell {cell}, {word}, negative {negative}: {found}, from {lo} to {hi}"
                        ),
                    );
                    // Many at once: the same, or an error if 64 bits do not hold it.
                    let mut out = [0];
                    let many = noise.fill(value, &mut script, &mut out);
                    let same = match found.to_i64() {
                        Some(small) => many.is_ok() && out == [small],
                        None => matches!(many, Err(CoinsError::TooLarge { .. })),
                    };
                    check.holds(
                        same,
                        format_args!("{label}: {found}, of many {many:?} {out:?}"),
                    );
                    count += 1;
                }
            }
        }
    }
    count += many(check, noise, table, label)?;
    count += beyond(check, noise, density, table, width, label)?;
    Ok(count)
}

/// Numbers at a time: more than a word has signs, and more than the noise draws at once.
const MANY: [usize; 2] = [65, 257];
const AT_ONCE: usize = 256;

/// Many at once: each has a cell, a sign and digits of its own.
fn many<N: RealNoise>(
    check: &mut Check,
    noise: &N,
    table: &Table,
    label: &str,
) -> Result<usize, Trouble> {
    let zero = Rational::zero();
    for length in MANY {
        // Digits that differ from number to number, and signs without a period.
        let word = |index: usize| (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let negative = |index: usize| word(index).count_ones() % 2 == 1;
        let cell = |index: usize| index % (table.places() - 1);
        let cells = (0..length).map(cell).collect();
        let mut coins = Scripted::picking([(table, cells)]);
        let mut expected = Vec::new();
        let all: Vec<usize> = (0..length).collect();
        for part in all.chunks(AT_ONCE) {
            for signs in part.chunks(64) {
                let signs = signs.iter().zip(0..64);
                let bits = signs.map(|(&index, bit)| u64::from(negative(index)) << bit);
                coins.words.push_back(bits.sum());
            }
            coins.words.extend(part.iter().map(|&index| word(index)));
        }
        coins.answers.extend(vec![Answer::Below; length]);
        for index in 0..length {
            let mut alone = Scripted::picking([(table, VecDeque::from([cell(index)]))]);
            alone
                .words
                .extend([u64::from(negative(index)), word(index)]);
            alone.answers.push_back(Answer::Below);
            expected.push(noise.draw_around(&zero, &mut alone)?);
        }
        let mut found = vec![0; length];
        let filled = noise.fill(&zero, &mut coins, &mut found);
        let found: Vec<BigInt> = found.into_iter().map(BigInt::from).collect();
        let apart = found
            .iter()
            .zip(&expected)
            .position(|(one, other)| one != other);
        check.holds(
            filled.is_ok() && apart.is_none() && coins.words.is_empty(),
            format_args!(
                "{label}: {length} at once, {filled:?}: number {apart:?} is not the one drawn alone"
            ),
        );
    }
    Ok(MANY.len())
}

/// Beyond the table: the exponents of what is drawn add up to that of the law, and the number is rounded as the others are.
fn beyond<N: RealNoise>(
    check: &mut Check,
    noise: &N,
    density: &Density,
    table: &Table,
    width: i32,
    label: &str,
) -> Result<usize, Trouble> {
    let first = table.places() - 1;
    let (proposal, rate) = density.proposal(first)?;
    let word = 1u64 << 63;
    for j in [0u64, 3, 1000] {
        let cell = first as u64 + j;
        let mut coins = Scripted::picking([(table, VecDeque::from([first]))]);
        // The sign and 64 digits; then the digits of the uniform number that is compared: all 0, which accept.
        coins.words.extend([0, word]);
        coins.words.extend([0; 600]);
        coins.outcomes.push_back(j);
        coins.exponentials.push_back(true);
        let found = noise.draw_around(&Rational::zero(), &mut coins)?;
        let drawn = coins.counts.iter().filter(|&&count| count == 64).count() as u32;
        let digits = BigInt::from(word) << (64 * (drawn - 1));
        let [lo, hi] = ends(false, cell, &digits, 64 * drawn, width)
            .map(|end| (end + ratio(1, 2)).floor().to_integer());
        // From one cell start to another the exponent falls by what the proposal and its acceptance have.
        let falls = density.exponent(&rational::integer(cell))
            - density.exponent(&rational::integer(first));
        let tilted = &rate * BigInt::from(j) + coins.exponents.iter().sum::<Rational>();
        check.holds(
            lo == found && hi == found && falls == tilted && coins.laws == [proposal.clone()],
            format_args!(
                "{label}: beyond by {j}: {found}, from {lo} to {hi}; {:?}",
                coins.laws
            ),
        );
        // The digits of the uniform number all 1: rejected, unless nothing has fallen.
        let mut coins = Scripted::picking([(table, VecDeque::from([first]))]);
        coins.words.extend([0, word]);
        coins.words.extend([u64::MAX; 600]);
        coins.outcomes.push_back(j);
        coins.exponentials.push_back(true);
        let found = noise.draw_around(&Rational::zero(), &mut coins);
        check.holds(
            found.is_err() && coins.picked.len() == 2,
            format_args!("{label}: beyond by {j}, rejected: {found:?}"),
        );
    }
    Ok(3)
}

/// Scales and deviations, in steps of the grid.
fn sizes(check: &Check) -> Vec<Rational> {
    let mut sizes = vec![ratio(1, 10), ratio(1000, 3)];
    if !check.quick() {
        sizes.extend([ratio(1, 1), ratio(16, 1), ratio(1_000_000, 1)]);
        sizes.extend([power_of_two(48), power_of_two(-40)]);
    }
    sizes
}

/// Noise of one size: its scale or variance, and its density in cells of `2^width` steps.
struct OfOneSize<N> {
    noise: N,
    parameter: Rational,
    density: Density,
    width: i32,
    label: String,
}

/// Noise of each size. `upper`: the probability that it is above a positive number, by its parameter and from the integral of its
/// density.
fn rounded<N: RealNoise>(
    check: &mut Check,
    of: &str,
    sized: impl Fn(&Rational, &Rational) -> Result<OfOneSize<N>, Trouble>,
    upper: impl Fn(&Rational, &Rational) -> Result<Enclosure, Trouble>,
) -> Result<(), Trouble> {
    let sizes = sizes(check);
    check.certified(scope(of, &sizes));
    let (mut seen, mut count) = (Seen::default(), 0);
    for (size, step) in sizes.iter().zip([ratio(1, 3), ratio(5, 1)].iter().cycle()) {
        let this = sized(size, step)?;
        let label = &this.label;
        count += noise(
            check,
            &mut seen,
            &this.noise,
            &this.density,
            this.width,
            label,
        )?;
        // The stated law of a release: what the noise has between two ends.
        let value = step * ratio(1, 5);
        let law = this.noise.around(value.clone());
        for outcome in [-3i64, -1, 0, 1, 4] {
            let found = dp_assay::coins::Law::pmf(&law, &outcome.into(), SHARP)?;
            let above = |end: Rational| -> Result<Enclosure, Trouble> {
                let upper = upper(&this.parameter, &end.abs())?;
                Ok(if end.is_negative() {
                    upper.complement()
                } else {
                    upper
                })
            };
            let end = |half: i64| (rational::integer(outcome) + ratio(half, 2)) * step - &value;
            let stated = above(end(-1))? - above(end(1))?;
            check.holds(
                found.meets(&stated.widened(&dp_assay::number::Dyadic::new(1, -250))),
                format_args!("{label}: {outcome} with probability {found}, stated {stated}"),
            );
        }
    }
    seen.report(check);
    check.figure("roundings", count);
    Ok(())
}

fn scope(of: &str, sizes: &[Rational]) -> String {
    format!(
        "{of} {} steps: every word of the cells' table against the law; up to 6 cells, {} words of digits: bounds of acceptance, and what          words between them give; 8 values, both signs: the integer against exact ends; beyond the table: the exponents",
        list_of(sizes),
        WORDS.len()
    )
}

/// `sample.rounded-laplace`
pub(in super::super) fn rounded_laplace(check: &mut Check) -> Result<(), Trouble> {
    let sized = |size: &Rational, step: &Rational| {
        let (scale, width) = (size * step, width_of(&(size * size)));
        Ok(OfOneSize {
            noise: RoundedLaplace::new(scale.clone(), step.clone())?,
            density: Density::Laplace(power_of_two(width) / size),
            width,
            label: format!("scale {scale}, step {step}"),
            parameter: scale,
        })
    };
    rounded(check, "scales", sized, |scale, end| {
        Ok(Enclosure::exp_of(&-(end / scale), SHARP)?.shifted(-1))
    })
}

/// `sample.rounded-gaussian`
pub(in super::super) fn rounded_gaussian(check: &mut Check) -> Result<(), Trouble> {
    let sized = |size: &Rational, step: &Rational| {
        let squared = size * size;
        let (variance, width) = (&squared * step * step, width_of(&squared));
        Ok(OfOneSize {
            noise: RoundedGaussian::new(variance.clone(), step.clone())?,
            density: Density::Gaussian(squared * power_of_two(-2 * width)),
            width,
            label: format!("variance {variance}, step {step}"),
            parameter: variance,
        })
    };
    rounded(check, "deviations", sized, |variance, end| {
        let deviations = Enclosure::of(&(end * end / variance), SHARP).sqrt()?;
        Ok(deviations.normal_upper())
    })
}

/// `sample.rounded-gaussian-vector`
pub(in super::super) fn rounded_vector(check: &mut Check) -> Result<(), Trouble> {
    // Correlated, orthogonal, with a zero row, wide and tall.
    let factors: [&[&[(i64, i64)]]; 4] = [
        &[&[(1, 1)]],
        &[&[(3, 5), (4, 5)], &[(-4, 5), (3, 5)]],
        &[&[(2, 1), (-1, 3), (0, 1)], &[(0, 1), (0, 1), (0, 1)]],
        &[&[(1, 1)], &[(-1000, 7)], &[(1, 1_000_000)]],
    ];
    check.exact(format_args!(
        "{} factors, two steps, {} words of digits and both signs for each Gaussian: every coordinate against the exact ends of its sum;          the covariance against the product",
        factors.len(),
        WORDS.len()
    ));
    let mut count = 0;
    for rows in factors {
        let factor: Vec<Vec<Rational>> = rows
            .iter()
            .map(|row| row.iter().map(|&(n, d)| ratio(n, d)).collect())
            .collect();
        let columns = factor[0].len();
        for step in [ratio(1, 3), ratio(2, 1)] {
            let noise = RoundedGaussianVector::new(&factor, step.clone())?;
            let expected: Vec<Vec<Rational>> = factor
                .iter()
                .map(|a| {
                    let products = factor
                        .iter()
                        .map(|b| a.iter().zip(b).map(|(x, y)| x * y).sum());
                    products.collect()
                })
                .collect();
            check.holds(
                noise.covariance() == expected,
                format_args!("{factor:?}: covariance {:?}", noise.covariance()),
            );
            let values: Vec<Rational> = (0..factor.len() as i64)
                .map(|i| ratio(7 * i - 3, 4))
                .collect();
            let mut meeting = Scripted::meeting();
            meeting.words.extend([1 << 63; 64]);
            meeting.answers.extend([Answer::Below; 8]);
            noise.draw_around(&values, &mut meeting)?;
            // Standard Gaussians: of variance 1, in cells of 1/64.
            let table = &meeting.picked[0];
            let width = -6;
            let same = meeting.picked.iter().all(|picked| picked == table);
            check.holds(
                same && meeting.picked.len() == columns,
                format_args!("{factor:?}: {} Gaussians", meeting.picked.len()),
            );
            for (turn, word) in WORDS.into_iter().enumerate() {
                let cells: Vec<usize> = (0..columns).map(|i| (turn * 37 + i * 11) % 400).collect();
                let signs: Vec<bool> = (0..columns).map(|i| (turn + i) % 2 == 1).collect();
                let mut coins = Scripted::picking([(table, cells.iter().copied().collect())]);
                for &negative in &signs {
                    coins.words.extend([u64::from(negative), word]);
                }
                let more = 0x0123_4567_89ab_cdef;
                coins.words.extend(std::iter::repeat_n(more, 4 * columns));
                coins
                    .answers
                    .extend(std::iter::repeat_n(Answer::Below, columns));
                let found = noise.draw_around(&values, &mut coins)?;
                let drawn = (coins.counts.len() / columns - 2) as u32;
                let mut digits = BigInt::from(word);
                for _ in 0..drawn {
                    digits = (digits << 64u32) + more;
                }
                let gaussians: Vec<[Rational; 2]> = cells
                    .iter()
                    .zip(&signs)
                    .map(|(&cell, &negative)| {
                        ends(negative, cell as u64, &digits, 64 * (drawn + 1), width)
                    })
                    .collect();
                for ((row, value), found) in factor.iter().zip(&values).zip(&found) {
                    // Every corner of the box of the Gaussians.
                    for corner in 0..1usize << columns {
                        let products = row.iter().zip(&gaussians).enumerate();
                        let sum: Rational = products
                            .map(|(i, (a, ends))| a * &ends[corner >> i & 1])
                            .sum();
                        let rounded = ((value + sum) / &step + ratio(1, 2)).floor().to_integer();
                        check.holds(
                            rounded == *found,
                            format_args!(
                                "{factor:?}, step {step}, {word}: {found}, a corner has {rounded}"
                            ),
                        );
                    }
                    count += 1;
                }
            }
        }
    }
    check.figure("coordinates", count);
    Ok(())
}
