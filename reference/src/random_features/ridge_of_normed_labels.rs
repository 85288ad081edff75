//! lnsx25, Lemma 9, **repaired** (R2): ridge regression where the vector of all labels has norm at most 1.
//!
//! Private: (epsilon, delta) under `neighbours`, among datasets with `|y| <= 1`, if [`is_enough`] says so of the noise
//! (`lnsx25.r2`). A longer vector of labels is no legal dataset, and refused; that its labels keep the promise is for the user
//! to see to, record by record: `|y_j| <= 1/sqrt(m)`.
//!
//! Where it departs: Lemma 9 bounds the distance of two interpolations by `2/sqrt(N (1 - 2 eta))`, for some data. The
//! minimum of ridge regression moves by at most `1/sqrt(Lambda)`, for all: the same with `Lambda = N (1 - 2 eta)/4`, or
//! `(1 - 2 eta)/4` for rows of norm 1 (`lnsx25.lemma9`, `lnsx25.r2`).

use super::ridge::{self, Public};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::privacy::NeighbouringRelation;
use num_bigint::BigInt;

/// Returns `c^`, in steps of `1/c_one`; arguments as for [`ridge::learn`].
pub fn learn(
    s: &Points<i64>,
    guess: (&[i64], i64),
    public: &Public,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    // 1. The promise: |y| <= 1.
    let squared: BigInt = s.iter().map(|(_, y)| BigInt::from(*y).pow(2)).sum();
    if squared > BigInt::from(public.y_one).pow(2) {
        return Err(Error::OutOfRange("the norm of the labels"));
    }
    // 2. The minimum, near enough, on the grid, and the noise around it.
    ridge::learn(s, guess, public, coins)
}

/// Whether the noise hides a minimum of `d` coordinates that moves by at most `1/sqrt(Lambda)` under substitution, and by half
/// of it under removal (`lnsx25.r2`): no minimum is longer than `|y|/(2 sqrt(Lambda))`, and a record and the others share `|y| <= 1`.
pub fn is_enough(
    public: &Public,
    d: u64,
    budget: (&Rational, &Rational),
    neighbours: NeighbouringRelation,
) -> Result<bool, Error> {
    let substitution = Enclosure::of(&public.penalty, 128).sqrt()?.lower().recip();
    let moved = match neighbours {
        NeighbouringRelation::Substitute => substitution,
        NeighbouringRelation::AddOrRemove => substitution / integer(2),
    };
    ridge::is_enough(public, &moved, d, budget)
}
