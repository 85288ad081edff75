//! The coins of a unit: a stream of ChaCha20 of its own, for either dataset.

use dp_assay::coins::{ChaCha, Coins, CoinsError};
use sha2::{Digest, Sha256};

/// `ChaCha20(key, stream)` with `key = SHA-256(text, plan, dataset)` and `stream = unit`: whoever counts the unit gets the same
/// coins, and other units and other plans get others.
pub fn of_unit(plan: &[u8; 32], dataset: u8, unit: u64) -> ChaCha {
    let mut hash = Sha256::new();
    hash.update(b"dp-assay: the coins of a unit");
    hash.update(plan);
    hash.update([dataset]);
    ChaCha::new(hash.finalize().into(), unit)
}

/// The next seed for a program.
pub fn seed(coins: &mut ChaCha) -> Result<[u8; 32], CoinsError> {
    let mut words = [0; 4];
    coins.words(&mut words)?;
    let mut seed = [0; 32];
    for (bytes, word) in seed.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Ok(seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_unit_dataset_and_plan_has_coins_of_its_own_and_always_the_same() {
        let first = |plan, dataset, unit| seed(&mut of_unit(&[plan; 32], dataset, unit)).unwrap();
        let mut seen = HashSet::new();
        for plan in 0..3 {
            for dataset in 0..2 {
                for unit in [0, 1, 2, 1 << 40, u64::MAX] {
                    let seed = first(plan, dataset, unit);
                    assert_eq!(seed, first(plan, dataset, unit));
                    assert!(seen.insert(seed));
                }
            }
        }
        // And each request of a unit.
        let mut coins = of_unit(&[0; 32], 0, 0);
        assert_ne!(seed(&mut coins).unwrap(), seed(&mut coins).unwrap());
    }
}
