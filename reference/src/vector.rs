//! Vectors of integers: exact, of any size.

use num_bigint::BigInt;
use num_traits::Zero;

/// `<x, z>`
pub fn dot(x: &[i64], z: &[i64]) -> BigInt {
    x.iter().zip(z).map(|(&x, &z)| BigInt::from(x) * z).sum()
}

/// `|x|^2`
pub fn squared_norm(x: &[i64]) -> BigInt {
    dot(x, x)
}

/// `x`, or where `|x| > radius` the vector `x radius/|x|`, each coordinate rounded towards zero: in the ball, exactly.
pub fn into_ball(x: &[BigInt], radius: i64) -> Vec<BigInt> {
    let (squared, radius) = (
        x.iter().map(|x| x * x).sum::<BigInt>(),
        BigInt::from(radius),
    );
    if squared <= radius.pow(2) {
        return x.to_vec();
    }
    x.iter()
        .map(|x| towards_zero(x, &radius.pow(2), &squared))
        .collect()
}

/// `x sqrt(numerator/denominator)`, rounded towards zero.
pub fn towards_zero(x: &BigInt, numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let root = (x * x * numerator / denominator).sqrt();
    if *x < BigInt::zero() { -root } else { root }
}
