//! The first answers of a unit, in a few bytes: two units whose generators were made with one seed begin alike.
//!
//! Many machines make this likely: programs that take the time as their seed, and are started by the hundred in one second. Their
//! counts look like many, and say what one unit says.
//!
//! *A good program is hardly ever accused.* Let the answers of two units be independent and of one law, `n` of each. Given all of
//! them but for their order, each order is as likely as any other. If the units are alike, with `m_v` answers of the value `v` in each,
//! there are `(2n)! / ((2m_1)! (2m_2)! ...)` orders, and in `n! / (m_1! m_2! ...)` of them the units are alike. [`Head::bits`] is the
//! logarithm of the quotient, rounded towards no suspicion.

use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_audit::targets::Output;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// How many answers are looked at, the first ones: those of the turns for 1, 2, 4, ... 128.
pub const ANSWERS: usize = 255;

/// More is not needed to be sure of anything.
const MOST_BITS: f64 = 10_000.0;

/// What is kept of the first answers of a unit on one dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// 16 bytes of the SHA-256 of the answers, as lines of a reply.
    pub digest: String,
    /// Independent answers are alike in two units with probability at most 2 to the minus this power, given which answers there are.
    pub bits: u32,
}

/// The first answers of a unit on one dataset.
#[derive(Default)]
pub struct Heading {
    hash: Sha256,
    answers: usize,
    counts: BTreeMap<Output, u32>,
}

impl Heading {
    /// These answers come next.
    pub fn hear(&mut self, outputs: &[Output]) {
        let left = ANSWERS - self.answers;
        for output in outputs.iter().take(left) {
            self.hash.update(output.line());
            self.hash.update(b"\n");
            self.answers += 1;
            *self.counts.entry(output.clone()).or_default() += 1;
        }
    }

    /// No more answers come.
    pub fn end(self) -> Head {
        let digest = self.hash.finalize();
        Head {
            digest: hexadecimal(&digest[..16]),
            bits: bits(self.answers, self.counts.values().copied()),
        }
    }
}

/// `log2` of `((2n)! / prod (2m_v)!) / (n! / prod m_v!)`, rounded down.
fn bits(answers: usize, counts: impl Iterator<Item = u32>) -> u32 {
    // (2n)!/n! less the sum of (2m)!/m!, in logarithms; 1e-9 is far more than they err by.
    let rising = |n: u32| (n + 1..=2 * n).map(|k| f64::from(k).log2()).sum::<f64>();
    let alike: f64 = counts.map(rising).sum();
    let all = rising(answers as u32);
    ((all - alike) * (1.0 - 1e-9) - 1e-6).clamp(0.0, MOST_BITS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::coins::{ChaCha, Coins};

    fn head(seed: u64, bits: u32, answers: usize) -> Head {
        let mut coins = ChaCha::reproducible(seed, 0);
        let mut heading = Heading::default();
        let draw = |_| Output::Integer(coins.bits(bits).unwrap().into());
        let outputs: Vec<Output> = (0..answers).map(draw).collect();
        for some in outputs.chunks(1000) {
            heading.hear(some);
        }
        heading.end()
    }

    #[test]
    fn the_bits_are_those_of_all_orders() {
        // Of a a b b there are 6 orders, and in 2 of them the halves are alike: log2(3) = 1.58.
        assert_eq!(bits(2, [1, 1].into_iter()), 1);
        assert_eq!(bits(1, [1].into_iter()), 0);
        assert_eq!(bits(4, [4].into_iter()), 0);
        // Of a a b b c c there are 90, 6 of them alike: log2(15) = 3.9.
        assert_eq!(bits(3, [1, 1, 1].into_iter()), 3);
        assert_eq!(bits(0, [].into_iter()), 0);
    }

    #[test]
    fn one_seed_is_seen_and_two_are_not() {
        let (a, again, b) = (head(1, 8, 5000), head(1, 8, 5000), head(2, 8, 5000));
        assert_eq!(a, again);
        assert!(a.digest != b.digest && a.bits > 1000, "{a:?}");
        // Answers that never vary accuse nobody.
        let (silent, other) = (head(1, 0, 5000), head(2, 0, 5000));
        assert_eq!((silent.digest == other.digest, silent.bits), (true, 0));
        // A fair coin: a bit an answer, less the part that the multiset tells.
        let coin = head(3, 1, ANSWERS);
        assert!((240..255).contains(&coin.bits), "{coin:?}");
    }
}
