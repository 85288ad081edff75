//! A second arithmetic: the real functions of `dp_assay::number` again, by MPFR.
//!
//! Nothing is shared with that room but the type of the answer: the series, the reductions and the
//! integers are those of MPFR and GMP. MPFR rounds each single function correctly in the direction
//! that is asked for, so that a lower endpoint is the function rounded down and an upper endpoint the
//! function rounded up, each at the end of the argument's own enclosure where the function says so.

use dp_assay::number::{Dyadic, Enclosure, Rational};
use num_bigint::BigInt;
use rug::Float;
use rug::float::{Constant, Round};
use rug::ops::{AddAssignRound, DivAssignRound, NegAssign};
use std::cmp::Ordering;

/// A function of MPFR that rounds its argument's image in place, in a direction.
type Function = fn(&mut Float, Round) -> Ordering;

/// `e^x`.
#[must_use]
pub fn exp(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::exp_round)
}

/// `e^x - 1`.
#[must_use]
pub fn exp_m1(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::exp_m1_round)
}

/// The hyperbolic tangent.
#[must_use]
pub fn tanh(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::tanh_round)
}

/// The natural logarithm of a positive number.
#[must_use]
pub fn ln(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::ln_round)
}

/// `ln(1 + x)` for `x > -1`.
#[must_use]
pub fn ln_1p(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::ln_1p_round)
}

/// The square root of a number that is not negative.
#[must_use]
pub fn sqrt(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::sqrt_round)
}

/// The inverse tangent.
#[must_use]
pub fn atan(x: &Rational, bits: u32) -> Enclosure {
    increasing(x, bits, Float::atan_round)
}

/// The inverse cosine on `[-1, 1]`.
#[must_use]
pub fn acos(x: &Rational, bits: u32) -> Enclosure {
    decreasing(x, bits, Float::acos_round)
}

/// Pi.
#[must_use]
pub fn pi(bits: u32) -> Enclosure {
    let rounded = |round| Float::with_val_round(bits.max(2), Constant::Pi, round).0;
    enclosure(&rounded(Round::Down), &rounded(Round::Up), bits)
}

/// The sine.
#[must_use]
pub fn sin(x: &Rational, bits: u32) -> Enclosure {
    lipschitz(x, bits, Float::sin_round)
}

/// The cosine.
#[must_use]
pub fn cos(x: &Rational, bits: u32) -> Enclosure {
    lipschitz(x, bits, Float::cos_round)
}

/// The complementary error function.
#[must_use]
pub fn erfc(x: &Rational, bits: u32) -> Enclosure {
    decreasing(x, bits, Float::erfc_round)
}

/// The standard normal distribution function, as `erfc(-x / sqrt(2)) / 2`: the quotient is rounded
/// away from the answer, and the function once more.
#[must_use]
pub fn normal_cdf(x: &Rational, bits: u32) -> Enclosure {
    // An error of the quotient is multiplied by up to its square.
    let digits = bits + 64;
    let quotient = |round: Round| {
        let mut value = argument(x, digits, round);
        // A negative number is divided by the smaller root to be rounded down, a positive one by the
        // larger.
        let outward = (round == Round::Down) == value.is_sign_negative();
        let root = if outward { Round::Down } else { Round::Up };
        let mut two = Float::with_val(digits, 2);
        two.sqrt_round(root);
        value.div_assign_round(&two, round);
        value.neg_assign();
        value
    };
    let mut lo = quotient(Round::Down);
    let mut hi = quotient(Round::Up);
    lo.erfc_round(Round::Down);
    hi.erfc_round(Round::Up);
    enclosure(&lo, &hi, bits).shifted(-1)
}

fn increasing(x: &Rational, bits: u32, function: Function) -> Enclosure {
    let (mut lo, mut hi) = (argument(x, bits, Round::Down), argument(x, bits, Round::Up));
    function(&mut lo, Round::Down);
    function(&mut hi, Round::Up);
    enclosure(&lo, &hi, bits)
}

fn decreasing(x: &Rational, bits: u32, function: Function) -> Enclosure {
    let (mut lo, mut hi) = (argument(x, bits, Round::Up), argument(x, bits, Round::Down));
    function(&mut lo, Round::Down);
    function(&mut hi, Round::Up);
    enclosure(&lo, &hi, bits)
}

/// The value at a rounded argument, widened by the error of the argument: for functions whose
/// derivative never exceeds one.
fn lipschitz(x: &Rational, bits: u32, function: Function) -> Enclosure {
    let (below, above) = (argument(x, bits, Round::Down), argument(x, bits, Round::Up));
    let (mut lo, mut hi) = (below.clone(), below.clone());
    function(&mut lo, Round::Down);
    function(&mut hi, Round::Up);
    let mut radius = above;
    let mut minus = below;
    minus.neg_assign();
    radius.add_assign_round(&minus, Round::Up);
    enclosure(&lo, &hi, bits).widened(&dyadic(&radius))
}

/// `x` rounded to `bits` bits and as many as it has itself, so that a number next to the edge of a
/// domain stays inside: -1 + 10^-38 to 80 bits is -1, where `ln_1p` is minus infinity.
fn argument(x: &Rational, bits: u32, round: Round) -> Float {
    let own = u32::try_from(x.numer().bits() + x.denom().bits()).unwrap_or(u32::MAX);
    let exact = rug::Rational::from((integer(x.numer()), integer(x.denom())));
    Float::with_val_round(bits.max(2).saturating_add(own), &exact, round).0
}

fn integer(value: &BigInt) -> rug::Integer {
    rug::Integer::from_str_radix(&value.to_str_radix(16), 16)
        .expect("hexadecimal digits are read back")
}

fn enclosure(lo: &Float, hi: &Float, bits: u32) -> Enclosure {
    Enclosure::new(&dyadic(lo), &dyadic(hi), bits)
}

/// The number that a finite float is.
///
/// # Panics
/// If it is not finite: outside the domain of a function, or beyond the range of MPFR's exponents.
fn dyadic(value: &Float) -> Dyadic {
    let (mantissa, exponent) = value.to_integer_exp().expect("the value is finite");
    let mantissa = BigInt::parse_bytes(mantissa.to_string_radix(16).as_bytes(), 16)
        .expect("hexadecimal digits are read back");
    Dyadic::new(mantissa, i64::from(exponent))
}
