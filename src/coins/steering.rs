//! One draw led elsewhere, all others left as they are: how a result depends on one outcome.

use super::compared::is_known;
use super::layers::MOST_OUTCOMES;
use super::small_laws::{FairBits, UniformBelow};
use super::{Law, MOST_PLACES};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};
use std::any::Any;

/// The most outcomes of a draw that are gone through.
pub(crate) const SWEPT: u64 = MOST_OUTCOMES;

/// What a draw can be led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Probe {
    /// Each of so many outcomes.
    Each(u64),
    /// Both bits; and it may be the first digit of a number that is drawn digit by digit.
    Digit,
    /// Other uniform integers or places, up and down: so many doublings of the distance lead to the last of them.
    Number(u32),
    /// Other integers, up and down, without an end.
    Moved,
    /// Nothing else.
    Fixed,
}

impl Probe {
    pub(super) fn of<L: Law>(law: &L, outcome: &L::Outcome) -> Self {
        let (any, drawn): (&dyn Any, &dyn Any) = (law, outcome);
        if let Some(&FairBits { count }) = any.downcast_ref() {
            return match 1u64.checked_shl(count).unwrap_or(u64::MAX) {
                2 => Self::Digit,
                size @ ..=SWEPT => Self::Each(size),
                _ => Self::Number(count),
            };
        }
        if let Some(UniformBelow { n }) = any.downcast_ref() {
            return match n.to_u64() {
                Some(size @ ..=SWEPT) => Self::Each(size),
                _ => Self::Number(n.bits() as u32),
            };
        }
        let is_integer = drawn.is::<BigInt>() || drawn.is::<BigUint>() || drawn.is::<Vec<BigInt>>();
        let is_told = drawn.is::<Option<BigInt>>();
        match listed(law) {
            size @ 1..=SWEPT => Self::Each(size),
            u64::MAX if drawn.is::<usize>() => Self::Number(MOST_PLACES.ilog2()),
            _ if is_known(law) && (is_integer || is_told) => Self::Moved,
            _ => Self::Fixed,
        }
    }
}

/// How many outcomes a law lists; `u64::MAX` for more than [`SWEPT`].
fn listed<L: Law>(law: &L) -> u64 {
    match law.outcome(SWEPT) {
        Some(_) => u64::MAX,
        None => first_unlisted(law, [0, SWEPT]),
    }
}

/// The first number from `least` on that is no outcome's, if `end` is none: they are numbered without a gap.
fn first_unlisted<L: Law>(law: &L, [mut least, mut end]: [u64; 2]) -> u64 {
    while least < end {
        let between = least + (end - least) / 2;
        match law.outcome(between) {
            Some(_) => least = between + 1,
            None => end = between,
        }
    }
    least
}

/// Where draws are led, from one on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Steering {
    /// The one to the outcome of this number.
    To(u64),
    /// The one so far from where it was: of a vector each coordinate.
    By(BigInt),
    /// Those of the next 64 that are one bit to the digits of this number, the highest first.
    Digits(u64),
}

impl Steering {
    /// The outcome that a draw is led to, so many draws after the first one that is led; the one that was drawn where that
    /// cannot be.
    pub(super) fn of<L: Law>(&self, after: usize, law: &L, drawn: L::Outcome) -> L::Outcome {
        let led = match self {
            Self::To(number) if after == 0 => to(law, *number),
            Self::By(far) if after == 0 => by(law, &drawn, far),
            Self::Digits(number) if after < 64 => digit(law, (number >> (63 - after)) & 1),
            _ => None,
        };
        led.unwrap_or(drawn)
    }
}

fn to<L: Law>(law: &L, number: u64) -> Option<L::Outcome> {
    let any: &dyn Any = law;
    if any.is::<FairBits>() {
        return same(number);
    }
    if any.is::<UniformBelow>() {
        return same(BigUint::from(number));
    }
    let outcome = law.outcome(number)?;
    is_possible(law, &outcome).then_some(outcome)
}

fn digit<L: Law>(law: &L, digit: u64) -> Option<L::Outcome> {
    let any: &dyn Any = law;
    match any.downcast_ref::<FairBits>() {
        Some(FairBits { count: 1 }) => same(digit),
        _ => None,
    }
}

fn by<L: Law>(law: &L, drawn: &L::Outcome, far: &BigInt) -> Option<L::Outcome> {
    let (of, from): (&dyn Any, &dyn Any) = (law, drawn);
    let within = |from: BigInt, end: BigInt| (from + far).clamp(BigInt::ZERO, end - 1);
    if let (Some(bits), Some(word)) = (of.downcast_ref::<FairBits>(), from.downcast_ref::<u64>()) {
        return same(within((*word).into(), BigInt::one() << bits.count).to_u64()?);
    }
    if let (Some(below), Some(number)) = (
        of.downcast_ref::<UniformBelow>(),
        from.downcast_ref::<BigUint>(),
    ) {
        let moved = within(number.clone().into(), below.n.clone().into());
        return same(moved.to_biguint()?);
    }
    if let Some(place) = from.downcast_ref::<usize>() {
        let end = first_unlisted(law, [*place as u64, MOST_PLACES as u64]).max(1);
        return to(law, within((*place).into(), end.into()).to_u64()?);
    }
    if let Some(number) = from.downcast_ref::<BigUint>() {
        let moved = (BigInt::from(number.clone()) + far).max(BigInt::ZERO);
        let led = same(moved.to_biguint()?)?;
        return is_possible(law, &led).then_some(led);
    }
    if let Some(integer) = from.downcast_ref::<BigInt>() {
        return same(integer + far);
    }
    if let Some(told) = from.downcast_ref::<Option<BigInt>>() {
        let led = same(Some(told.clone().unwrap_or_default() + far))?;
        return is_possible(law, &led).then_some(led);
    }
    let mut vector = from.downcast_ref::<Vec<BigInt>>()?.clone();
    vector.iter_mut().for_each(|coordinate| *coordinate += far);
    same(vector)
}

fn is_possible<L: Law>(law: &L, outcome: &L::Outcome) -> bool {
    law.pmf(outcome, 64).is_ok_and(|p| !p.lo().is_zero())
}

/// A value as one of another type that is the same.
fn same<T: 'static, O: 'static>(value: T) -> Option<O> {
    let value: Box<dyn Any> = Box::new(value);
    value.downcast().ok().map(|value| *value)
}
