//! The exponential of doubles with a proven error, and a logarithm that only guesses.
//!
//! `U = 2^-53` is the largest relative error of one rounded operation. No fused multiply-add is assumed: Rust never
//! contracts two operations to one.

use super::AccountantError;
use super::interval::Interval;
use std::hint::black_box;

#[cfg(all(target_arch = "x86", not(target_feature = "sse2")))]
compile_error!(
    "the accountant needs doubles that are rounded after each operation: build with SSE2"
);

/// 2^-53.
pub const U: f64 = 1.0 / 9_007_199_254_740_992.0;

/// The relative error of [`exp`]: see there.
const EXP_ERROR: f64 = 4.0 * U;

/// Below this argument the exponential counts as between 0 and [`TINY`].
const LEAST: f64 = -680.0;

/// Above `e^LEAST`, and far above where doubles lose digits.
pub const TINY: f64 = 1e-295;

/// Arguments above this are refused by their callers: the exponential is said to be infinite.
const MOST: f64 = 700.0;

/// Refuses a processor that does not round doubles to the nearest.
///
/// # Errors
/// [`AccountantError::Arithmetic`].
pub fn require_nearest() -> Result<(), AccountantError> {
    // To the nearest, ties to even: 1 + U is 1, 1 + 3U is 1 + 4U; so for negative numbers.
    let one = black_box(1.0_f64);
    let right = one + black_box(U) == 1.0
        && one + black_box(3.0 * U) == 1.0 + 4.0 * U
        && -one - black_box(U) == -1.0
        && -one - black_box(3.0 * U) == -1.0 - 4.0 * U
        && black_box(f64::MIN_POSITIVE) * black_box(0.5) > 0.0;
    if right {
        Ok(())
    } else {
        Err(AccountantError::Arithmetic)
    }
}

/// `e^x` for `-680 <= x <= 700`, within a relative error of 4U.
///
/// With `k` the integer nearest to `x / ln 2`, `r = x - k ln 2` lies within .3467. `ln 2` is `L1 + L2` up to 2^-90. `L1` has
/// 32 bits, so `k L1` is exact; `x - k L1` errs by at most U times .36, `k L2` by less than 2^-20 U, the second
/// subtraction by U times .36: together .73U, which is the relative error it causes. The series up to r^13 leaves out
/// less than r^14/14! e^r < .06U. Of `1 + (r + r^2 p)`: p errs by at most 2U of itself and is at most .57, so `r^2 p` by
/// less than .3U, the inner sum by .42U, the outer by 1U; relative to a value of at least .707 that is 2.5U, and 3.3U
/// in all. Scaling by `2^k` is exact.
#[must_use]
pub fn exp(x: f64) -> f64 {
    const L1: f64 = 6.931_471_803_691_238e-1;
    const L2: f64 = 1.908_214_929_270_587_7e-10;
    const SERIES: [f64; 12] = [
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
    ];
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * L1) - k * L2;
    let p = SERIES[1..].iter().fold(SERIES[0], |sum, c| sum * r + c);
    let value = 1.0 + (r + r * r * p);
    value * power_of_two(k as i64)
}

/// `2^k` for `-1022 <= k <= 1023`.
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

impl Interval {
    /// The exponential; infinite above 700.
    #[must_use]
    pub fn exp(self) -> Self {
        let lo = match self.lo {
            x if x < LEAST => 0.0,
            x => Self::within(exp(x.min(MOST)), EXP_ERROR).lo,
        };
        let hi = match self.hi {
            x if x < LEAST => TINY,
            x if x > MOST => f64::INFINITY,
            x => Self::within(exp(x), EXP_ERROR).hi,
        };
        Self { lo, hi }
    }

    /// `e^x - 1` for `0 <= x`, to nearly full relative accuracy.
    #[must_use]
    pub fn exp_minus_one(self) -> Self {
        if self.hi > 0.5 {
            return (self.exp() - Self::ONE).not_negative();
        }
        // x (1 + x/2 (1 + x/3 (...))): what follows x/18 is at most 2 of itself.
        let mut sum = Self::between(1.0, 2.0);
        for n in (2..=18).rev() {
            sum = Self::ONE + self * sum.over(Self::exactly(f64::from(n)));
        }
        self * sum
    }
}

/// About `ln x`, for `x > 0`: a guess, with no claim.
#[must_use]
pub fn guess_ln(x: f64) -> f64 {
    let k = ((x.to_bits() >> 52) as i64 & 0x7ff) - 1023;
    let (k, m) = match k {
        -1023 => return -708.0,
        k => (
            k,
            f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1023 << 52),
        ),
    };
    let (k, m) = if m > std::f64::consts::SQRT_2 {
        (k + 1, 0.5 * m)
    } else {
        (k, m)
    };
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = (0..12)
        .rev()
        .fold(0.0, |sum, n| sum * z + 1.0 / (2 * n + 1) as f64);
    k as f64 * std::f64::consts::LN_2 + 2.0 * s * series
}

/// About `e^x - 1`: a guess, with no claim.
#[must_use]
pub fn guess_exp_minus_one(x: f64) -> f64 {
    if x.abs() > 0.3 {
        return guess_exp(x) - 1.0;
    }
    x * (2..=14)
        .rev()
        .fold(1.0, |sum, n| 1.0 + x * sum / f64::from(n))
}

/// About `e^x`, and 0 or infinity far out: a guess, with no claim.
#[must_use]
pub fn guess_exp(x: f64) -> f64 {
    match x {
        x if x < LEAST => 0.0,
        x if x > MOST => f64::INFINITY,
        x => exp(x),
    }
}
