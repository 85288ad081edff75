//! One draw led elsewhere, all others left as they are: how a result depends on one outcome.

use super::Law;
use super::compared::is_known;
use super::small_laws::{FairBits, UniformBelow};
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
        let any: &dyn Any = law;
        let size = match (
            any.downcast_ref::<FairBits>(),
            any.downcast_ref::<UniformBelow>(),
        ) {
            (Some(bits), _) => Some(1u64.checked_shl(bits.count).unwrap_or(u64::MAX)),
            (_, Some(below)) => Some(below.n.to_u64().unwrap_or(u64::MAX)),
            _ => (0..=SWEPT).find(|index| law.outcome(*index).is_none()),
        };
        let outcome: &dyn Any = outcome;
        let is_integer = outcome.is::<BigInt>() || outcome.is::<Vec<BigInt>>();
        match size {
            Some(size @ 1..=SWEPT) => Self::Each(size),
            Some(size) if size > SWEPT => Self::Moved,
            _ if is_integer && is_known(law) => Self::Moved,
            _ => Self::Fixed,
        }
    }
}

/// Where one draw is led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Steering {
    /// To the outcome of this number.
    To(u64),
    /// So far from where it was: of a vector its first coordinate.
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
    let possible = law.pmf(&outcome, 64).is_ok_and(|p| !p.lo().is_zero());
    possible.then_some(outcome)
}

fn by<L: Law>(law: &L, drawn: &L::Outcome, far: &BigInt) -> Option<L::Outcome> {
    let (law, drawn): (&dyn Any, &dyn Any) = (law, drawn);
    let within = |drawn: BigInt, end: BigInt| (drawn + far).clamp(BigInt::ZERO, end - 1);
    if let (Some(bits), Some(word)) = (law.downcast_ref::<FairBits>(), drawn.downcast_ref::<u64>())
    {
        return same(within((*word).into(), BigInt::one() << bits.count).to_u64()?);
    }
    if let (Some(below), Some(drawn)) = (
        law.downcast_ref::<UniformBelow>(),
        drawn.downcast_ref::<BigUint>(),
    ) {
        let moved = within(drawn.clone().into(), below.n.clone().into());
        return same(moved.to_biguint()?);
    }
    if let Some(integer) = drawn.downcast_ref::<BigInt>() {
        return same(integer + far);
    }
    let mut vector = drawn.downcast_ref::<Vec<BigInt>>()?.clone();
    *vector.first_mut()? += far;
    same(vector)
}

/// A value as one of another type that is the same.
fn same<T: 'static, O: 'static>(value: T) -> Option<O> {
    let value: Box<dyn Any> = Box::new(value);
    value.downcast().ok().map(|value| *value)
}
