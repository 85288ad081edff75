//! bms22, the learner of private labels, **repaired**. It ships as `labels`.
//!
//! Private: (epsilon, 0) if one *label* changes, on all data (`bms22.alg_label.dp`). Features are public: for whole
//! records this is not private (`bms22.alg_label.full`). The time it takes depends on the labels too, and is not
//! covered.
//!
//! Where it departs from what the text says of the lines, which are lost:
//! - the cover is not a smallest one: in public order a hypothesis is taken unless one that was taken is near it;
//! - near is *less than* `rho/2`: at exactly `rho/2` a tie could be lost (`bms22.thm6_1`).

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Rational, rational::ratio};
use crate::sample::ScoredChoice;
use crate::vector::dot;
use num_bigint::BigInt;
use num_traits::Signed;

/// Returns `k`: the hypothesis `w_k` is the halfspace that was learned. The cover may be published as well.
///
/// `s`: `true` stands for `y = +1`. `h`: hypotheses, in public order. `rho > 0` is a margin of `<w, x>`, in which a
/// step of a point and one of a hypothesis are 1.
pub fn learn(
    s: &Points<bool>,
    h: &[Vec<i64>],
    rho: &Rational,
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<usize, Error> {
    if !rho.is_positive() {
        return Err(Error::OutOfRange("rho"));
    }
    let half = rho * ratio(1, 2);
    // 1. C: a hypothesis is taken unless one that was taken is within less than rho/2 of it on every point, both
    //    truncated to [-rho, rho]. No label is read.
    let truncated = |w: &[i64], x: &[i64]| Rational::from(dot(w, x)).clamp(-rho, rho.clone());
    let values = |w: &[i64]| s.iter().map(|(x, _)| truncated(w, x)).collect();
    let mut taken: Vec<(usize, Vec<Rational>)> = Vec::new();
    for (k, w) in h.iter().enumerate() {
        let values: Vec<Rational> = values(w);
        let is_near = |(_, other): &(usize, Vec<Rational>)| {
            values.iter().zip(other).all(|(a, b)| (a - b).abs() < half)
        };
        if !taken.iter().any(is_near) {
            taken.push((k, values));
        }
    }

    // 2. Of each of them the margin errors at rho/2: y <w, x> <= rho/2. A changed label moves them by at most one.
    let is_error = |(value, (_, y)): &(&Rational, &(Vec<i64>, bool))| {
        let sign = BigInt::from(if *y { 1 } else { -1 });
        *value * sign <= half
    };
    let errors = taken
        .iter()
        .map(|(_, values)| values.iter().zip(s.iter()).filter(is_error).count() as u32)
        .collect();

    // 3. One of them, with probability proportional to exp(-epsilon errors/2).
    let place = coins.draw(&ScoredChoice::new(errors, epsilon)?)?;
    Ok(taken[place].0)
}
