//! An exact test of acceptance, squeezed between two cheap bounds.

use crate::coins::{Against, Coins, CoinsError, Sharp, Uniform};
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// True with probability `exp(-rate n)`, for integers `n` with `rate n < 1`.
///
/// With `x = rate n`, `1 - x <= exp(-x) <= 1 - x + x^2/2`. Both bounds are taken in steps of `2^-64`, from a lower and an upper bound of `x`.
/// Only a uniform number between the two needs the exponential itself: with probability at most `x^2/2 + 2^-59`.
#[derive(Debug, Clone)]
pub(super) struct Squeeze {
    rate: Rational,
    // n is taken in units of 2^coarse, and the rate for a unit in steps of 2^-(64 + down), rounded down.
    coarse: u32,
    less_than_a_unit: u128,
    down: u32,
    step: u64,
}

impl Squeeze {
    /// The test with this rate, which is at most `2^-12`.
    pub(super) fn new(rate: &Rational) -> Self {
        // The largest n is 1/rate, below 2^62 units; and below 2^63 steps a unit.
        let largest = rate.recip().ceil().to_integer().bits() as u32;
        let coarse = largest.saturating_sub(62);
        let down = largest.min(62) - 2;
        let per_unit = rate * (BigInt::from(1) << (64 + down + coarse));
        let step = per_unit.floor().to_integer().to_u64().unwrap_or(0);
        Self {
            rate: rate.clone(),
            coarse,
            less_than_a_unit: (1 << coarse) - 1,
            down,
            step,
        }
    }

    /// A lower bound of `exp(-rate n)` for every `n` up to `most`, in steps of `2^-64`.
    pub(super) fn outright(&self, most: u128) -> u64 {
        self.above(most).wrapping_neg()
    }

    /// A uniform number against `exp(-rate n)`, for every `n` between two numbers: first against a lower bound.
    #[inline(always)]
    pub(super) fn against<C: Coins>(
        &self,
        outright: u64,
        ends: impl FnOnce() -> [u128; 2],
        coins: &mut C,
    ) -> Result<Against, CoinsError> {
        coins.against(outright, || {
            let [least, most] = ends();
            let x_above = self.above(most);
            let x_below = (((least >> self.coarse) * u128::from(self.step)) >> self.down) as u64;
            // At least 1 - x, and at most 1 - x + x^2/2.
            let square = ((u128::from(x_above) * u128::from(x_above)) >> 65) as u64 + 1;
            Sharp {
                below: x_above.wrapping_neg(),
                last: match x_below {
                    0 => u64::MAX,
                    x => x.wrapping_neg().saturating_add(square),
                },
            }
        })
    }

    /// `rate n` in steps of `2^-64`, from above.
    #[inline]
    fn above(&self, n: u128) -> u64 {
        let units = (n + self.less_than_a_unit) >> self.coarse;
        ((units * (u128::from(self.step) + 1)) >> self.down) as u64 + 1
    }

    /// True with probability `exp(-rate n)`, which is at least `outright`, in steps of `2^-64`.
    #[inline(always)]
    pub(super) fn accepts<C: Coins>(
        &self,
        n: impl Fn() -> u128,
        outright: u64,
        coins: &mut C,
    ) -> Result<bool, CoinsError> {
        match self.against(outright, || [n(), n()], coins)? {
            Against::Below => Ok(true),
            Against::NotBelow => Ok(false),
            Against::Between { place, parts } => {
                self.settle(n(), Uniform::within(place, parts), coins)
            }
        }
    }

    #[cold]
    fn settle<C: Coins>(
        &self,
        n: u128,
        uniform: Uniform,
        coins: &mut C,
    ) -> Result<bool, CoinsError> {
        let x = &self.rate * BigInt::from(n);
        uniform.falls_below(|| coins.bits(1), |bits| Enclosure::exp_of(&-&x, bits))
    }
}
