//! The held-out part.

use crate::error::Error;
use dp_assay::coins::{ChaCha, CoinsError};
use dp_assay::number::Rational;
use dp_assay::optimise::kaczmarz;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// A stream that no learner draws from, whatever its seed.
const STREAM: u64 = u64::from_le_bytes(*b"hold out");

/// Splits `records` into those to learn from and the `floor(n fraction)` held out, each in their order.
///
/// Which are held out depends on the seed and the number of records alone, never on what stands in
/// them: after substituting one record the two parts differ in at most that one.
pub fn hold_out<T>(
    records: Vec<T>,
    fraction: &Rational,
    seed: u64,
) -> Result<(Vec<T>, Vec<T>), Error> {
    if fraction.is_negative() || *fraction >= Rational::one() {
        return Err(Error::option(
            "--held-out",
            "at least 0 and below 1",
            fraction,
        ));
    }
    let count = (fraction * BigInt::from(records.len())).to_integer();
    let count = count.to_usize().unwrap_or(0);
    let mut held = vec![false; records.len()];
    for &index in permutation(records.len(), seed)?.iter().take(count) {
        if let Some(mark) = held.get_mut(index) {
            *mark = true;
        }
    }
    let mut learned = Vec::with_capacity(records.len() - count);
    let mut held_out = Vec::with_capacity(count);
    for (record, held) in records.into_iter().zip(held) {
        if held {
            held_out.push(record);
        } else {
            learned.push(record);
        }
    }
    Ok((learned, held_out))
}

/// A uniform permutation of `0..n`, the same for the same seed.
pub fn permutation(n: usize, seed: u64) -> Result<Vec<usize>, CoinsError> {
    kaczmarz::permutation(n, &mut ChaCha::reproducible(seed, STREAM))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    #[test]
    fn the_parts_are_a_partition_and_the_same_for_the_same_seed() {
        let all: Vec<usize> = (0..103).collect();
        let (learned, held) = hold_out(all.clone(), &ratio(1, 5), 7).unwrap();
        assert_eq!((learned.len(), held.len()), (83, 20));
        let mut again: Vec<usize> = learned.iter().chain(&held).copied().collect();
        again.sort_unstable();
        assert_eq!(again, all);
        assert_eq!(hold_out(all.clone(), &ratio(1, 5), 7).unwrap().1, held);
        assert_ne!(hold_out(all.clone(), &ratio(1, 5), 8).unwrap().1, held);
        assert!(hold_out(all.clone(), &ratio(0, 1), 7).unwrap().1.is_empty());
        assert!(hold_out(all.clone(), &ratio(1, 1), 7).is_err());
        assert!(hold_out(all, &ratio(-1, 2), 7).is_err());
    }

    #[test]
    fn a_permutation_is_one() {
        let mut order = permutation(1000, 3).unwrap();
        assert_ne!(order, (0..1000).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..1000).collect::<Vec<_>>());
        assert!(permutation(0, 3).unwrap().is_empty());
    }
}
