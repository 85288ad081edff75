//! bms22, Algorithm 2, **repaired**: a halfspace by a random projection and Algorithm 4. It ships as `efficient`.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, candidates and choice together, if
//! [`algorithm_4::is_enough`] says so for `m` points of dimension `k` in steps of `1/radius` (`bms22.alg4.dp.mixture`);
//! for every map that was drawn without looking at the data, and every radius.
//!
//! Where it departs from the printed lines:
//! - lines 1 and 2: the map is given, one of three or none: the printed number of rows balances nothing
//!   (`bms22.thm3_2.k`);
//! - line 3: the ball's radius is given: `sqrt(1 + gamma) r` for a map that distorts by `gamma`, in the place of `2 r`;
//! - line 4: Algorithm 4 is the repaired one.

use super::algorithm_1::signs;
use super::algorithm_4::{self, Public};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::vector::{dot, into_ball};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A matrix by its rows.
pub type Matrix = Vec<Vec<i64>>;

/// Returns the candidates of Algorithm 4 in steps of `2^-30`, which one is chosen, and the direction of `Phi^T w`. All
/// of it may be published.
///
/// `s`: `true` stands for `y = +1`; there are at least two records. `map` is `sqrt(c) Phi` for some `c`, by rows as
/// long as the points. `radius >= 1`: that of the ball, in steps of the images; the theorem has
/// `floor(sqrt(c (1 + gamma)) one)`, and `q` in `public` that of the projected space.
pub fn learn(
    s: &Points<bool>,
    map: &Matrix,
    radius: i64,
    public: &Public,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<BigInt>>, usize, Vec<BigInt>), Error> {
    // 1., 2. Phi is there: `signs` of Algorithm 1, `hadamard` or `two_stage` below, or I. (To draw until one suits
    //        would not be private.)

    // 3. S_Phi: the image of each record, moved into the ball. No other record is read.
    let image = |x: &[i64]| {
        let image: Vec<BigInt> = map.iter().map(|row| dot(row, x)).collect();
        into_ball(&image, radius)
            .iter()
            .map(|v| v.to_i64().unwrap_or(0))
            .collect()
    };
    let s_phi = s.iter().map(|(x, y)| (image(x), *y)).collect();
    let s_phi = Points::new(radius, map.len(), s_phi)?; // they are in the ball

    // 4. w, by Algorithm 4.
    let (candidates, chosen) = algorithm_4::learn(&s_phi, public, coins)?;

    // 5. return Phi^T w. A prediction is made without line 3: moving into the ball changes no sign
    //    (`bms22.thm3_2.proj`).
    let direction = (0..s.dimension())
        .map(|j| {
            map.iter()
                .zip(&candidates[chosen])
                .map(|(row, w)| w * row[j])
                .sum()
        })
        .collect();
    Ok((candidates, chosen, direction))
}

/// `sqrt(k) Phi = P H D`: random signs, the Walsh-Hadamard matrix of the least power of two from `d >= 1` on, and `k`
/// of its rows, with replacement (`bms22.lemA_4`). `H_ij = (-1)^(i . j)`, `i . j` how many binary ones both have in
/// common.
pub fn hadamard(k: usize, d: usize, coins: &mut impl Coins) -> Result<Matrix, Error> {
    let diagonal = signs(1, d, coins)?;
    let mut matrix = Vec::new();
    for _ in 0..k {
        let i = coins.bits(d.next_power_of_two().ilog2())? as usize;
        let entry = |(j, sign): (usize, &i64)| {
            if (i & j).count_ones().is_multiple_of(2) {
                *sign
            } else {
                -sign
            }
        };
        matrix.push(diagonal[0].iter().enumerate().map(entry).collect());
    }
    Ok(matrix)
}

/// `sqrt(k_1 k) Phi`: `hadamard` to `k_1` rows, then `signs` to `k` (`bms22.lemA_4.two-stage`).
pub fn two_stage(k: usize, k_1: usize, d: usize, coins: &mut impl Coins) -> Result<Matrix, Error> {
    let first = hadamard(k_1, d, coins)?;
    let last = signs(k, k_1, coins)?;
    let entry = |row: &[i64], j: usize| row.iter().zip(&first).map(|(a, b)| a * b[j]).sum();
    Ok(last
        .iter()
        .map(|row| (0..d).map(|j| entry(row, j)).collect())
        .collect())
}
