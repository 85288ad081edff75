//! A noisy test, and a noisy answer where it passes.

use super::{Around, DiscreteLaplace, Noise};
use crate::Error;
use crate::coins::{Coins, Law};
use crate::number::Enclosure;
use num_bigint::BigInt;
use num_traits::Signed;

/// The law of a value with fresh noise that is told where an integer, the *excess*, and noise of its own come to 0 or more.
/// Otherwise nothing is told, `None`, *quietly* (ledger: `sample.above-then-answer`).
///
/// It is one round of the sparse vector technique: the excess is how far the question is above a threshold. The two noises are
/// independent. To tell the noise of the test instead of a fresh one is another mechanism, which is not private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AboveThenAnswer {
    excess: BigInt,
    test: DiscreteLaplace,
    answer: Around<DiscreteLaplace>,
}

impl AboveThenAnswer {
    /// `answer` with `noise` where `excess` with `test` is not negative. Both integers depend on the data; the noises may not.
    #[must_use]
    pub fn new(
        [excess, answer]: [BigInt; 2],
        test: &DiscreteLaplace,
        noise: &DiscreteLaplace,
    ) -> Self {
        Self {
            excess,
            test: test.clone(),
            answer: noise.around(answer),
        }
    }

    /// The excess, the noise of the test, and the answer with its noise.
    #[must_use]
    pub fn parts(&self) -> (&BigInt, &DiscreteLaplace, &Around<DiscreteLaplace>) {
        (&self.excess, &self.test, &self.answer)
    }
}

impl Law for AboveThenAnswer {
    type Outcome = Option<BigInt>;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, Error> {
        // 1. The test.
        let test = coins.draw(&self.test)?;
        if (&self.excess + test).is_negative() {
            return Ok(None);
        }
        // 2. The answer, with noise of its own.
        Ok(Some(coins.draw(&self.answer)?))
    }

    fn pmf(&self, outcome: &Option<BigInt>, bits: u32) -> Result<Enclosure, Error> {
        match outcome {
            // Y <= -excess - 1, and Y >= -excess, which is as likely as Y <= excess.
            None => self.test.cdf(&(-&self.excess - 1), bits),
            Some(told) => Ok(self.test.cdf(&self.excess, bits)? * self.answer.pmf(told, bits)?),
        }
    }
}
