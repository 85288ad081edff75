//! bms22, the learner of private labels (Section 6 of the first version, there Algorithm 4; Appendix E of the
//! proceedings), **as printed** as far as we can tell. The proceedings in our copy have no appendix, and of the first
//! version its lines are lost.
//!
//! Private: (epsilon, 0) if one *label* changes, on all data (`bms22.alg_label.dp`). Not private for whole records
//! (`bms22.alg_label.full`): the cover is made on the features.
//!
//! What the text says: truncate the hypotheses; take "a minimum empirical cover" of them over the sample; run the
//! exponential mechanism on it with a score; return what it selects. This file needs no other algorithm.
//!
//! What is not legible, and what we put there:
//! - the truncation: to `[-rho, rho]`, as its name in the text is by `rho`.
//! - the radius of the cover: `rho/2`, in the largest difference on a point; a difference of exactly `rho/2` is within
//!   it. Then a tie may be lost (`bms22.thm6_1`).
//! - the score: `-R^_S^(rho/2)`, ties being errors, with sensitivity 1/m.
//! - which minimum cover: of the smallest subsets of the truncated hypotheses that cover all, the first in order. To
//!   look for it takes up to `2^|H|` steps: instances are tiny.
//! - real numbers: values `h(x)` are integers, in steps of a public grid.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Rational, rational::ratio};
use crate::sample::ScoredChoice;
use num_bigint::BigInt;

/// Returns the number of a hypothesis of `H`.
///
/// `h[k][i]` is `h_k(x_i)`, in steps of a grid, and `y[i]` = +1 or -1; `rho > 0`, in those steps; `epsilon > 0`.
pub fn label_privacy(
    h: &[Vec<i64>],
    y: &[i64],
    rho: &Rational,
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<usize, Error> {
    // Let H_rho = { h_rho : h in H }, h_rho(x) = h(x) truncated to [-rho, rho].
    let truncated = |value: &i64| {
        let value = Rational::from(BigInt::from(*value));
        value.min(rho.clone()).max(-rho)
    };
    let h_rho: Vec<Vec<Rational>> = h
        .iter()
        .map(|h| h.iter().map(truncated).collect())
        .collect();

    // Let C be a minimum cover of H_rho over x_1, ..., x_m, to within rho/2. No label is read.
    let half = rho * ratio(1, 2);
    let is_near = |a: &[Rational], b: &[Rational]| {
        a.iter().zip(b).all(|(a, b)| a - b <= half && b - a <= half)
    };
    let covers = |c: &Vec<usize>| {
        h_rho
            .iter()
            .all(|h| c.iter().any(|c| is_near(h, &h_rho[*c])))
    };
    let c = (0..=h.len())
        .flat_map(|size| subsets(h.len(), size))
        .find(covers)
        .unwrap_or_default(); // H itself covers

    // Run the Exponential mechanism over C with privacy parameter epsilon, sensitivity 1/m, and score function
    // -R^_S^(rho/2)(c): m R^ = how many i have y_i c(x_i) <= rho/2.
    let errors = c
        .iter()
        .map(|c| {
            let values = h_rho[*c].iter().zip(y);
            values
                .filter(|(value, y)| *value * BigInt::from(**y) <= half)
                .count() as u32
        })
        .collect();
    let chosen = coins.draw(&ScoredChoice::new(errors, epsilon)?)?;

    // return what was selected.
    Ok(c[chosen])
}

/// All subsets of `{ 0, ..., n - 1 }` of this size, in order.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut subsets = vec![vec![]];
    for _ in 0..size {
        let longer = |subset: &Vec<usize>| -> Vec<Vec<usize>> {
            let next = subset.last().map_or(0, |last| last + 1);
            (next..n)
                .map(|last| [&subset[..], &[last]].concat())
                .collect()
        };
        subsets = subsets.iter().flat_map(longer).collect();
    }
    subsets
}
