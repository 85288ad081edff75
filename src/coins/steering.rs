//! One draw led elsewhere, all others left as they are: how a result depends on one outcome.

use super::compared::is_known;
use super::small_laws::{FairBits, UniformBelow};
use super::{Law, Table};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};
use std::any::Any;

/// The most outcomes of a draw that are gone through.
pub(crate) const SWEPT: u64 = 1024;

/// What a draw can be led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Probe {
    /// Each of so many outcomes.
    Each(u64),
    /// Other integers, up and down.
    Moved,
    /// Nothing else.
    Fixed,
}

impl Probe {
    pub(super) fn of<L: Law>(law: &L, outcome: &L::Outcome) -> Self {
        let (any, drawn): (&dyn Any, &dyn Any) = (law, outcome);
        let size = match (
            any.downcast_ref::<FairBits>(),
            any.downcast_ref::<UniformBelow>(),
            any.downcast_ref::<Table>(),
        ) {
            (Some(bits), _, _) => Some(1u64.checked_shl(bits.count).unwrap_or(u64::MAX)),
            (_, Some(below), _) => Some(below.n.to_u64().unwrap_or(u64::MAX)),
            (_, _, Some(table)) => Some(table.places() as u64),
            _ => (0..=SWEPT).find(|index| law.outcome(*index).is_none()),
        };
        let is_integer = drawn.is::<BigInt>() || drawn.is::<BigUint>() || drawn.is::<Vec<BigInt>>();
        let is_told = drawn.is::<Option<BigInt>>();
        match size {
            Some(size @ 1..=SWEPT) => Self::Each(size),
            Some(size) if size > SWEPT => Self::Moved,
            _ if is_known(law) && (is_integer || is_told) => Self::Moved,
            _ => Self::Fixed,
        }
    }
}

/// Where one draw is led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Steering {
    /// To the outcome of this number.
    To(u64),
    /// So far from where it was: of a vector each coordinate.
    By(BigInt),
}

impl Steering {
    /// The outcome that it is led to; the one that was drawn where that cannot be.
    pub(super) fn of<L: Law>(&self, law: &L, drawn: L::Outcome) -> L::Outcome {
        let led = match self {
            Self::To(number) => to(law, *number),
            Self::By(far) => by(law, &drawn, far),
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
    if let (Some(table), Some(place)) = (of.downcast_ref::<Table>(), from.downcast_ref::<usize>()) {
        let led = same(within((*place).into(), table.places().into()).to_usize()?)?;
        return is_possible(law, &led).then_some(led);
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
