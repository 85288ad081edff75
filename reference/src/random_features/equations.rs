//! Linear equations, solved exactly, and rounding to the nearest integer.

use crate::number::{Rational, rational::ratio};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

/// `x` with `matrix x = right`, by elimination; `None` if the matrix, which is square, has no inverse.
pub fn solve(matrix: &[Vec<Rational>], right: &[Rational]) -> Option<Vec<Rational>> {
    let mut rows: Vec<Vec<Rational>> = matrix
        .iter()
        .zip(right)
        .map(|(row, value)| [&row[..], std::slice::from_ref(value)].concat())
        .collect();
    for k in 0..rows.len() {
        // 1. A row with an entry in column k: any will do, as nothing is rounded.
        let pivot = (k..rows.len()).find(|&j| !rows[j][k].is_zero())?;
        rows.swap(k, pivot);
        // 2. Its entry becomes 1, and that of each other row 0.
        let unit: Vec<Rational> = rows[k].iter().map(|entry| entry / &rows[k][k]).collect();
        for row in &mut rows {
            let factor = row[k].clone();
            for (entry, unit) in row.iter_mut().zip(&unit) {
                *entry -= &factor * unit;
            }
        }
        rows[k] = unit;
    }
    rows.into_iter().map(|mut row| row.pop()).collect()
}

/// The nearest integer; of two, the even one.
pub fn nearest_or_even(x: &Rational) -> BigInt {
    let up = (x + ratio(1, 2)).floor();
    let is_tie = &up - x == ratio(1, 2);
    let up = up.to_integer();
    if is_tie && up.is_odd() { up - 1 } else { up }
}
