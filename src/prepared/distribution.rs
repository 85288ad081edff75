//! The prepared laws as distributions of the crate `rand` (feature `rand`): as [`crate::law::distribution`] says of their twins.

use super::{
    PreparedExponentialMechanism, PreparedGaussian, PreparedGeometric, PreparedLaplace, Rounded,
    RoundedGaussian, RoundedLaplace,
};
use crate::coins::Law;
use crate::law::distribution::distributions;
use num_bigint::{BigInt, BigUint};
use rand::Rng;
use rand::distr::Distribution;

distributions! {
    PreparedGeometric: BigUint, Law::sample;
    PreparedLaplace: BigInt, Law::sample;
    PreparedGaussian: BigInt, Law::sample;
    PreparedExponentialMechanism: usize, Law::sample;
    Rounded<RoundedLaplace>: BigInt, Law::sample;
    Rounded<RoundedGaussian>: BigInt, Law::sample;
}
