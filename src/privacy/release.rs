//! One release: an exact vector, and the noise around it.

use crate::coins::{Coins, CoinsError};
use crate::law::Noise;
use num_bigint::BigInt;

/// An exact vector with noise around each coordinate: one draw of [`Noise::around_all`].
///
/// As private as the noise is for the distance of two neighbours' exact vectors: see
/// [`discrete_gaussian`](super::discrete_gaussian).
///
/// # Errors
/// Those of the coins.
#[track_caller]
pub fn release(
    exact: impl IntoIterator<Item = impl Into<BigInt>>,
    noise: &impl Noise,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, CoinsError> {
    coins.draw(&noise.around_all(exact))
}
