//! lnsx25, equation (5), **repaired** (R3): ridge regression where each label has magnitude at most `B`.
//!
//! Private: (epsilon, delta) under `neighbours`, on all data of at most `m` records, if [`is_enough`] says so of the noise
//! (`lnsx25.r3`). A label beyond `B` is clipped to it, a function of its record alone. `m` is the number of records under
//! substitution, where it is public, and a cap on it under addition and removal.
//!
//! Where it departs: Lemma 9 wants `|y| <= 1`, a bound on all labels together, at which noise does not fall as data grow. Here
//! they are bounded one by one, and with Lambda of the order of `m` the noise falls (`lnsx25.r3`).

use super::ridge::{self, Public, root, two_h};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::Rational;
use crate::number::rational::{integer, ratio};
use crate::privacy::NeighbouringRelation;
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// Returns `c^`, in steps of `1/c_one`; `b` is `B` in steps of the labels, the other arguments as for [`ridge::learn`].
pub fn learn(
    s: &Points<i64>,
    b: i64,
    guess: (&[i64], i64),
    public: &Public,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    // 1. |y_j| <= B.
    let bounded = s.iter().map(|(phi, y)| (phi.clone(), (*y).clamp(-b, b)));
    let s = Points::new(s.one(), s.dimension(), bounded.collect())?;
    // 2. The minimum, near enough, on the grid, and the noise around it.
    ridge::learn(&s, guess, public, coins)
}

/// Whether the noise hides the minimum, in `d` coordinates. `moved`: how far it moves, as somebody says who computed it.
pub fn is_enough(
    public: &Public,
    (b, m): (i64, u64),
    moved: &Rational,
    d: u64,
    budget: (&Rational, &Rational),
    neighbours: NeighbouringRelation,
) -> Result<bool, Error> {
    let b = Rational::new(b.into(), public.y_one.into());
    let in_units_of_b = moved / b;
    Ok(
        moves_by_at_most(&in_units_of_b, &public.penalty, m, neighbours)?
            && ridge::is_enough(public, moved, d, budget)?,
    )
}

/// Whether the minimum moves by at most `moved`, for `B = 1`.
///
/// Under removal: if `moved` is at least what a removal moves it by ([`is_above_removal`]). Under substitution, which is a removal
/// and an addition: if `moved/2` is; or if `moved` is at least `2 h + sqrt(m - 1)/(2 Lambda^(3/2))`, with the h of [`two_h`].
pub fn moves_by_at_most(
    moved: &Rational,
    lambda: &Rational,
    m: u64,
    neighbours: NeighbouringRelation,
) -> Result<bool, Error> {
    if m < 1 || !lambda.is_positive() {
        return Ok(false);
    }
    if neighbours == NeighbouringRelation::AddOrRemove {
        return Ok(is_above_removal(moved, lambda, m));
    }
    let others = root(&(integer(m - 1) / lambda))? / (lambda * integer(2));
    Ok(two_h(lambda)? + others <= *moved || is_above_removal(&(moved / integer(2)), lambda, m))
}

/// Whether `moved` is at least how far a removal moves the minimum, for `B = 1`: `sqrt(m/Lambda)/2` always bounds it, and, if
/// `Lambda > m/(2 m - 1)^2`, the largest `t/(Lambda + t) (1 + sqrt(M t (1 - t)/Lambda))` for t from `Lambda/(Lambda + M)` to 1,
/// `M = m - 1`. By Sherman and Morrison the minimum moves by at most `sqrt(t q/Lambda) (1 + sqrt(M (1 - t) q))/(1 + q)`,
/// `q = p^T A^-1 p` and `t = Lambda |A^-1 p|^2/q`, of the record `p` and the matrix `A` of the others with `Lambda I`. Here `q` is
/// above 0 and at most `t/Lambda`. If `Lambda > m/(2 m - 1)^2`, the largest value over all `t` and `q` has `q = t/Lambda` (`lnsx25.r3`
/// has the proof).
fn is_above_removal(moved: &Rational, lambda: &Rational, m: u64) -> bool {
    let others = integer(m - 1);
    let is_large = lambda * integer(2 * m - 1) * integer(2 * m - 1) > integer(m);
    let least = lambda / (lambda + &others);
    !moved.is_negative() && moved * moved * lambda * integer(4) >= integer(m)
        || is_large && is_above(moved, lambda, &others, (&least, &Rational::one()), HALVINGS)
}

/// Whether `moved` is above the formula for all t from `low` to `high`: that follows where `t/(Lambda + t)`, which grows, is
/// taken at `high`, and `t (1 - t)` at the t nearest to 1/2. Otherwise each half of the interval is asked.
fn is_above(
    moved: &Rational,
    lambda: &Rational,
    others: &Rational,
    (low, high): (&Rational, &Rational),
    halvings: u32,
) -> bool {
    // moved >= high/(Lambda + high) (1 + sqrt(M t (1 - t)/Lambda)), without the root.
    let t = ratio(1, 2).clamp(low.clone(), high.clone());
    let rest = moved * (lambda + high) / high - integer(1);
    if !rest.is_negative() && &rest * &rest * lambda >= others * &t * (integer(1) - &t) {
        return true;
    }
    let middle = (low + high) / integer(2);
    halvings > 0
        && is_above(moved, lambda, others, (low, &middle), halvings - 1)
        && is_above(moved, lambda, others, (&middle, high), halvings - 1)
}

/// An interval is halved at most so often: what is above by a part in a million is seen to be long before.
const HALVINGS: u32 = 40;
