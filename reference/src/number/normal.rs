//! The standard normal distribution: its tails.

use super::exponential::{Sign, exactly, exp_at, power_series};
use super::root::sqrt_at;
use super::{Dyadic, Enclosure};

/// Tails below `2^-(2^RANGE)` are not told from zero.
const RANGE: i64 = 22;

impl Enclosure {
    /// The probability that a standard normal variable is at least `self`, to nearly full relative
    /// accuracy also far in the upper tail.
    #[must_use]
    pub fn normal_upper(&self) -> Self {
        self.monotone(|x| upper_at(x, self.bits()))
    }
}

/// `P(Z > x)` at one point.
fn upper_at(x: &Dyadic, bits: u32) -> Enclosure {
    let tail = two_tails(&(x * x), bits).shifted(-1);
    if x.is_negative() {
        tail.complement()
    } else {
        tail
    }
}

/// `P(|Z| > sqrt(s))` for a standard normal `Z` and `s >= 0`: every function here is this one, taken
/// at an exact `s` that is a square or twice a square.
///
/// It is at most `e^(-s/2) < 2^-(s/2)`, which is all we say for `s > 2^23`.
fn two_tails(s: &Dyadic, bits: u32) -> Enclosure {
    if *s > Dyadic::new(1, RANGE + 1) {
        return Enclosure::new(&Dyadic::zero(), &Dyadic::new(1, -(1 << RANGE)), bits);
    }
    // The asymptotic series is good for about s/2 log2(e) bits, and 7/5 > 2 ln(2).
    let value = if &Dyadic::from(5) * s > Dyadic::from(7 * (i64::from(bits) + 32)) {
        tails_far_out(s, bits + 24)
    } else {
        tails_by_complement(s, bits)
    };
    value.with_bits(bits + 4)
}

/// `1 - sqrt(2s/pi) e^(-s/2) (1 + s/3 + s^2/(3*5) + s^3/(3*5*7) + ...)`.
///
/// The series has positive terms only. What cancels is the subtraction from one, of
/// `s/2 log2(e) + log2(1 + s)` bits at most, which are computed in addition.
fn tails_by_complement(s: &Dyadic, bits: u32) -> Enclosure {
    let whole = u32::try_from(s.ceil()).unwrap_or(u32::MAX >> 2);
    let guarded = bits + (whole - whole / 4) + 2 * whole.max(bits).max(1).ilog2() + 32;
    let series = power_series(&exactly(s), guarded, Sign::Constant, |n| (1, 2 * n + 1));
    (density(s, guarded) * series).complement()
}

/// `sqrt(2/(pi s)) e^(-s/2) (1 - 1/s + 3/s^2 - 3*5/s^3 + ...)`, broken off at its smallest term at the
/// latest.
///
/// With `x = sqrt(s)` the tail is `2 phi(x)` times the integral of `e^(-xt) e^(-t^2/2)` over `t > 0`.
/// For `y >= 0` the number `e^-y` lies between any two successive partial sums of its Taylor series;
/// put `y = t^2/2` and integrate: term `n` becomes `(-1)^n (2n-1)!! / x^(2n+1)`, and the integral lies
/// between any two successive partial sums of these. The error is below the first omitted term,
/// although the series diverges.
fn tails_far_out(s: &Dyadic, bits: u32) -> Enclosure {
    let floor_unit = Dyadic::new(1, -i64::from(bits));
    let point = exactly(s).with_bits(bits);
    let mut term = Enclosure::integer(1, bits);
    let mut sum = term.clone();
    let mut factor = 1;
    loop {
        // Each term is the negated one before, times (2n - 1) / s.
        let next = -(term * Enclosure::integer(factor, bits)).over(&point);
        if next.abs().hi() <= &floor_unit || Dyadic::from(factor + 2) > *s {
            sum = sum.widened(next.abs().hi());
            break;
        }
        sum = sum + &next;
        term = next;
        factor += 2;
    }
    (density(s, bits) * sum).over(&point)
}

/// `sqrt(2s/pi) e^(-s/2)`.
fn density(s: &Dyadic, bits: u32) -> Enclosure {
    let squared = exactly(&s.shifted(1))
        .with_bits(bits)
        .over(&Enclosure::pi(bits));
    squared.monotone(|x| sqrt_at(x, bits)) * exp_at(&-s.shifted(-1), bits)
}
