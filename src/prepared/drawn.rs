//! An integer that is small almost always.

use crate::coins::{Coins, CoinsError, Table};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A drawn integer: in 64 bits, if it fits.
pub(super) enum Drawn {
    Small(i64),
    Large(BigInt),
}

impl Drawn {
    pub(super) fn of(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Self::Small(small),
            None => Self::Large(value),
        }
    }

    /// Adds it to `value`: in words, as long as they hold the sum.
    #[inline]
    pub(super) fn add_to(self, value: &mut BigInt) {
        let in_words = match &self {
            Self::Small(own) => value.to_i64().and_then(|value| value.checked_add(*own)),
            Self::Large(_) => None,
        };
        match in_words {
            Some(sum) => *value = sum.into(),
            None => *value += BigInt::from(self),
        }
    }

    /// The integer, if 64 bits hold it.
    #[inline]
    pub(super) fn small(self, law: &'static str) -> Result<i64, CoinsError> {
        match self {
            Self::Small(value) => Ok(value),
            Self::Large(_) => Err(CoinsError::TooLarge { law }),
        }
    }
}

impl From<Drawn> for BigInt {
    fn from(drawn: Drawn) -> Self {
        match drawn {
            Drawn::Small(value) => value.into(),
            Drawn::Large(value) => value,
        }
    }
}

/// So many draws are made at a time, where several tables are read for each.
pub(super) const CHUNK: usize = 256;

/// Picks places of a table of the integers from `-reach` on, as those integers: whether any is beyond `reach`.
#[inline]
pub(super) fn pick_around(
    table: &Table,
    reach: i64,
    coins: &mut impl Coins,
    out: &mut [i64],
) -> Result<bool, CoinsError> {
    coins.pick_each(table, out)?;
    // Below 0 if one is beyond: a sign for all, where a comparison for each would take longer than the rest.
    let mut room = 0;
    for value in out {
        *value -= reach;
        room |= reach - *value;
    }
    Ok(room < 0)
}
