//! The discrete Laplace law, prepared.

use super::PreparedGeometric;
use super::cumulative::{GUARD, LARGEST_SCALE, at_most, ceiling, powers, within_one, within_reach};
use super::drawn::{CHUNK, Drawn, pick_around};
use super::geometric::{BASE, DIGIT_BITS, LARGEST_TOP, above_a_digit, digit_shares};
use crate::coins::{Coins, CoinsError, Table};
use crate::number::{Enclosure, Rational};
use crate::sample::{DiscreteLaplace, Geometric};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A [`DiscreteLaplace`] law, prepared (ledger: `sample.prepared-laplace`).
///
/// Up to scale 16 it is one table. Beyond, it is `k` or `-1 - k`, with odds `1` to `q`, where `k` is geometric: one table gives the
/// sign and the lowest base-512 digit, and [`PreparedGeometric`] what is above. Nothing is rejected, and zero comes once.
#[derive(Debug, Clone)]
pub struct PreparedLaplace {
    law: DiscreteLaplace,
    shape: Shape,
}

const NAME: &str = "prepared discrete Laplace";

#[derive(Debug, Clone)]
enum Shape {
    /// The integers from `-reach` to `reach`, and one place for all that is beyond.
    Narrow { table: Table, reach: i64 },
    /// The sign and the lowest digit; what is above that digit.
    Wide {
        low: Table,
        above: PreparedGeometric,
    },
}

/// A narrow table ends where less than about `2^-40` is left: at so many scales.
const SCALES: u64 = 28;

impl PreparedLaplace {
    /// Prepares `law`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless the scale is between `2^-40` and `2^40`; those of the enclosures.
    pub fn new(law: &DiscreteLaplace) -> Result<Self, CoinsError> {
        within_reach(NAME, "scale", law.scale(), LARGEST_SCALE.into())?;
        let shape = if at_most(law.scale(), LARGEST_TOP) {
            let reach = ceiling(&(law.scale() * BigInt::from(SCALES)));
            let reach = reach.to_usize().unwrap_or(1);
            Shape::Narrow {
                table: narrow(law.scale(), reach)?,
                reach: reach as i64,
            }
        } else {
            let rate = law.scale().recip();
            Shape::Wide {
                low: signed_digit(&rate)?,
                above: PreparedGeometric::new(&Geometric::new(above_a_digit(&rate))?)?,
            }
        };
        Ok(Self {
            law: law.clone(),
            shape,
        })
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> &DiscreteLaplace {
        &self.law
    }

    /// Fills `out` with independent draws.
    ///
    /// # Errors
    /// Those of the coins; [`CoinsError::TooLarge`] if a draw does not fit, with probability below `e^-100000` each.
    pub fn fill(&self, coins: &mut impl Coins, out: &mut [i64]) -> Result<(), CoinsError> {
        match &self.shape {
            Shape::Narrow { table, reach } => {
                for chunk in out.chunks_mut(CHUNK) {
                    if pick_around(table, *reach, coins, chunk)? {
                        for value in chunk.iter_mut().filter(|value| **value > *reach) {
                            *value = self.beyond(*reach, coins)?.small(NAME)?;
                        }
                    }
                }
            }
            Shape::Wide { low, above } => {
                let mut tops = [0; CHUNK];
                for chunk in out.chunks_mut(CHUNK) {
                    coins.pick_each(low, chunk)?;
                    let tops = &mut tops[..chunk.len()];
                    above.fill(coins, tops)?;
                    for (value, &top) in chunk.iter_mut().zip(tops.iter()) {
                        *value = joined(*value, Drawn::Small(top)).small(NAME)?;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn drawn<C: Coins>(&self, coins: &mut C) -> Result<Drawn, CoinsError> {
        match &self.shape {
            Shape::Narrow { table, reach } => {
                let place = coins.pick(table)?;
                if place + 1 < table.places() {
                    return Ok(Drawn::Small(place as i64 - reach));
                }
                self.beyond(*reach, coins)
            }
            Shape::Wide { low, above } => {
                // 1. The sign and the lowest digit. 2. What is above.
                let place = coins.pick(low)? as i64;
                Ok(joined(place, above.drawn(coins)?))
            }
        }
    }

    /// Both tails: a fair sign, and a geometric magnitude that begins after `reach`, as the law has no memory.
    #[cold]
    fn beyond<C: Coins>(&self, reach: i64, coins: &mut C) -> Result<Drawn, CoinsError> {
        let negative = coins.bits(1)? == 1;
        let magnitude = coins.draw(self.law.proposed_magnitude())? + (reach as u64 + 1);
        let magnitude = BigInt::from(magnitude);
        Ok(Drawn::of(if negative { -magnitude } else { magnitude }))
    }
}

/// 3. With `k = 512 above + digit`: `k`, or `-1 - k` with the sign.
#[inline]
fn joined(place: i64, above: Drawn) -> Drawn {
    let (negative, digit) = (place >= BASE as i64, place % BASE as i64);
    match above {
        Drawn::Small(above) if above < i64::MAX >> DIGIT_BITS => {
            let k = (above << DIGIT_BITS) + digit;
            Drawn::Small(if negative { -1 - k } else { k })
        }
        large => {
            let k = (BigInt::from(large) << DIGIT_BITS) + digit;
            Drawn::of(if negative { -1 - k } else { k })
        }
    }
}

/// The law on `-reach..=reach`, and one place for what is beyond.
fn narrow(scale: &Rational, reach: usize) -> Result<Table, CoinsError> {
    let rate = scale.recip();
    let label = format!("discrete Laplace of scale {scale} up to {reach}");
    Table::new(label, move |bits| {
        let bits = bits + GUARD;
        let one = Enclosure::integer(1, bits);
        let q = Enclosure::exp_of(&-&rate, bits)?;
        let each = (q.complement()).divided_by(&(&one + &q))?;
        // The probabilities of -reach, ..., 0, ..., reach are (1 - q)/(1 + q) q^|k|.
        let powers = powers(&q, reach + 1);
        let magnitudes = (1..=reach).rev().chain(0..=reach);
        let mut sum = Enclosure::integer(0, bits);
        let mut cumulative = Vec::with_capacity(2 * reach + 2);
        for magnitude in magnitudes {
            sum = sum + &powers[magnitude] * &each;
            cumulative.push(within_one(&sum, &one));
        }
        cumulative.push(one);
        Ok(cumulative)
    })
}

/// The sign and the lowest digit: place `d` is a digit without the sign, and `512 + d` one with it.
fn signed_digit(rate: &Rational) -> Result<Table, CoinsError> {
    let rate = rate.clone();
    let label = format!("sign and base-512 digit of rate {rate}");
    Table::new(label, move |bits| {
        // Minus has probability q / (1 + q).
        let one = Enclosure::integer(1, bits + GUARD);
        let q = Enclosure::exp_of(&-&rate, bits + GUARD)?;
        let minus = q.divided_by(&(&one + &q))?;
        let plus = minus.complement();
        let shares = digit_shares(&rate, bits)?;
        let mut cumulative: Vec<Enclosure> = shares.iter().map(|share| share * &plus).collect();
        cumulative.extend(
            shares
                .iter()
                .map(|share| within_one(&(&plus + share * &minus), &one)),
        );
        if let Some(last) = cumulative.last_mut() {
            *last = one;
        }
        Ok(cumulative)
    })
}
