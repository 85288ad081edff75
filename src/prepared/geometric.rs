//! The geometric law, prepared.

use super::cumulative::{GUARD, LARGEST_SCALE, at_most, ceiling, powers, shares, within_reach};
use super::drawn::{CHUNK, Drawn};
use crate::coins::{Coins, CoinsError, Law, Table};
use crate::number::{Enclosure, NumberError, Rational, rational};
use crate::sample::Geometric;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// A [`Geometric`] law, prepared: an integer as independent digits in base 512, and a top that is geometric itself
/// (ledger: `sample.prepared-geometric`).
///
/// As `q^k = q^(d_0) q^(512 d_1) ...` for the digits `d_0, d_1, ...` of `k`, the digits are independent.
#[derive(Debug, Clone)]
pub struct PreparedGeometric {
    law: Geometric,
    // The digits, the least first.
    digits: Vec<Table>,
    top: Table,
    // The law of the top, and from its last place on.
    top_law: Geometric,
}

const NAME: &str = "prepared geometric";

/// Bits of a digit.
pub(super) const DIGIT_BITS: u32 = 9;

/// How many digits there are.
pub(super) const BASE: usize = 1 << DIGIT_BITS;

/// From this scale on a low digit is split off.
pub(super) const LARGEST_TOP: u64 = 16;

/// A table ends where less than about `2^-40` is left: at so many scales.
const SCALES: u64 = 28;

impl PreparedGeometric {
    /// Prepares `law`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless the rate is between `2^-40` and `2^40`; those of the enclosures.
    pub fn new(law: &Geometric) -> Result<Self, CoinsError> {
        within_reach(NAME, "rate", law.rate(), LARGEST_SCALE.into())?;
        let mut digits = Vec::new();
        let mut rate = law.rate().clone();
        // 1. Low digits, as long as the scale of what is above them is large.
        while !at_most(&rate.recip(), LARGEST_TOP) {
            digits.push(digit(&rate)?);
            rate *= BigInt::from(BASE);
        }
        // 2. The top.
        Ok(Self {
            law: law.clone(),
            digits,
            top: top(&rate)?,
            top_law: Geometric::new(rate)?,
        })
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> &Geometric {
        &self.law
    }

    /// Fills `out` with independent draws.
    ///
    /// # Errors
    /// Those of the coins; [`CoinsError::TooLarge`] if a draw does not fit, with probability below `e^-100000` each.
    pub fn fill(&self, coins: &mut impl Coins, out: &mut [i64]) -> Result<(), CoinsError> {
        let mut places = [0; CHUNK];
        for chunk in out.chunks_mut(CHUNK) {
            let places = &mut places[..chunk.len()];
            // 1. The low digits.
            chunk.fill(0);
            let mut shift = 0;
            for digit in &self.digits {
                coins.pick_each(digit, places)?;
                for (value, digit) in chunk.iter_mut().zip(places.iter()) {
                    *value |= digit << shift;
                }
                shift += DIGIT_BITS;
            }
            // 2. The top.
            coins.pick_each(&self.top, places)?;
            let beyond = self.top.places() as i64 - 1;
            for (value, top) in chunk.iter_mut().zip(places.iter()) {
                *value = if *top < beyond {
                    *value + (top << shift)
                } else {
                    self.beyond(*value, shift, coins)?.small(NAME)?
                };
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn drawn<C: Coins>(&self, coins: &mut C) -> Result<Drawn, CoinsError> {
        // 1. The low digits: below 2^45 together, as the scale is at most 2^40.
        let (mut low, mut shift) = (0, 0);
        for digit in &self.digits {
            low |= (coins.pick(digit)? as i64) << shift;
            shift += DIGIT_BITS;
        }
        // 2. The top. Beyond its last place it begins again, since the geometric law has no memory.
        let top = coins.pick(&self.top)?;
        if top + 1 < self.top.places() {
            return Ok(Drawn::Small(low + ((top as i64) << shift)));
        }
        self.beyond(low, shift, coins)
    }

    #[cold]
    fn beyond<C: Coins>(&self, low: i64, shift: u32, coins: &mut C) -> Result<Drawn, CoinsError> {
        let top = coins.draw(&self.top_law)? + (self.top.places() - 1);
        Ok(Drawn::of((BigInt::from(top) << shift) + low))
    }
}

/// The law on `0..512` with `Pr[d]` proportional to `e^(-rate d)`.
fn digit(rate: &Rational) -> Result<Table, CoinsError> {
    let rate = rate.clone();
    let label = format!("base-512 digit of rate {rate}");
    Table::new(label, move |bits| digit_shares(&rate, bits))
}

/// Its cumulative probabilities.
pub(super) fn digit_shares(rate: &Rational, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
    let bits = bits + GUARD;
    let powers = powers(&Enclosure::exp_of(&-rate, bits)?, BASE);
    let total = powers
        .iter()
        .fold(Enclosure::integer(0, bits), |sum, power| sum + power);
    shares(&powers[..BASE - 1], &total, bits)
}

/// The geometric law, and one place for all that is far out.
pub(super) fn top(rate: &Rational) -> Result<Table, CoinsError> {
    let rate = rate.clone();
    let label = format!("top of rate {rate}");
    let places = ceiling(&(rate.recip() * BigInt::from(SCALES)))
        .to_usize()
        .unwrap_or(1);
    Table::new(label, move |bits| {
        // 1 - q^(k+1), and 1 beyond.
        let bits = bits + GUARD;
        let q = Enclosure::exp_of(&-&rate, bits)?;
        let mut cumulative: Vec<Enclosure> = powers(&q, places + 1)[1..]
            .iter()
            .map(Enclosure::complement)
            .collect();
        cumulative.push(Enclosure::integer(1, bits));
        Ok(cumulative)
    })
}

impl PartialEq for PreparedGeometric {
    fn eq(&self, other: &Self) -> bool {
        self.law == other.law
    }
}

impl Law for PreparedGeometric {
    type Outcome = BigUint;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigUint, CoinsError> {
        let drawn = BigInt::from(self.drawn(coins)?);
        Ok(drawn.magnitude().clone())
    }

    fn pmf(&self, outcome: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        self.law.pmf(outcome, bits)
    }

    fn outcome(&self, index: u64) -> Option<BigUint> {
        self.law.outcome(index)
    }

    fn label(&self) -> String {
        format!("prepared {}", self.law.label())
    }
}

/// `rate 512`: the rate of what is above the lowest digit.
pub(super) fn above_a_digit(rate: &Rational) -> Rational {
    rate * rational::integer(BASE)
}
