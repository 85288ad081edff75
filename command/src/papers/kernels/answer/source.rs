//! The coins of a session.

use crate::options::coins;
use dp_assay::coins::{ChaCha, CoinsError};

/// The coins of a session. With a seed each round has its own, so that a session that was stopped goes on with those of an
/// unbroken one.
pub struct Source {
    seed: Option<u64>,
    coins: ChaCha,
}

impl Source {
    /// The coins, and where they come from in words.
    pub fn new(seed: Option<u64>) -> Result<(Self, String), CoinsError> {
        let (coins, origin) = coins(seed)?;
        Ok((Self { seed, coins }, origin))
    }

    /// Those of a round.
    pub fn of_round(&mut self, round: u64) -> &mut ChaCha {
        if let Some(seed) = self.seed {
            self.coins = ChaCha::reproducible(seed, round);
        }
        &mut self.coins
    }
}
