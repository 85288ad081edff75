//! One release: an exact vector, and the noise around it.

use crate::coins::{Coins, CoinsError};
use crate::law::Noise;
use crate::prepared::{DrawnOften, Preparable};
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

/// The same of a vector that may be long: its noise is prepared where that pays ([`DrawnOften`]).
///
/// # Errors
/// Those of the coins and of the enclosures.
#[track_caller]
pub fn release_in_bulk<L>(
    exact: Vec<impl Into<BigInt>>,
    noise: &L,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, CoinsError>
where
    L: Preparable<Outcome = BigInt, Prepared: Noise> + Noise,
{
    let noise = DrawnOften::new(noise.clone(), exact.len() as u64)?;
    coins.draw(&noise.around_all(exact))
}
