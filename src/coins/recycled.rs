//! Recycling: what a draw leaves of its randomness is used by the next one.

use super::layers::Question;
use super::layers::pick_within;
use super::{Against, Coins, CoinsError, Sharp, Table};

/// A source of coins that recycles what picks from tables and comparisons leave over.
///
/// It holds integers `z`, each below its `size`. The invariant: given all that was returned so far and the sizes, they are uniform
/// and independent. To draw, a word is taken off one of them: `z = z' 2^WORD + word`, where both parts are uniform and independent; the few integers beyond a
/// whole number of words are a class of their own. A table parts the words into classes, one for each place and one for each
/// word that a threshold cuts. The classes depend on the table, never on `z`. The class of the word is the answer, its rank in
/// the class is uniform again, and is put back: `z = z' count + rank`. A word that is cut is not put back: fresh bits settle
/// it. So no answer is less exact than without recycling, and the bits come within a fraction of a percent of the entropy
/// (ledger: `sample.recycled`; proof in `spec/samplers.md`; after Draper and Saad, 2025).
///
/// Plain bits and all else pass through. The state is secret as coins are: whoever reads it learns nothing of the past, but
/// something of what comes.
#[derive(Debug, Clone)]
pub struct Recycled<C, const WORD: u32 = 32> {
    coins: C,
    // Independent ones, in turn: none waits for the draw before.
    states: [State<WORD>; STATES],
    next: usize,
}

/// How many states there are.
const STATES: usize = 4;

impl<C: Coins> Recycled<C> {
    /// Recycles the coins of a source.
    #[must_use]
    pub fn new(coins: C) -> Self {
        Self::at(coins, [[0, 1]; STATES])
    }
}

impl<C: Coins, const WORD: u32> Recycled<C, WORD> {
    /// In given states `[z, size]`, the first one's turn. For the ledger, which explores words of few bits from every state; that
    /// `z` is uniform is the caller's word.
    ///
    /// # Panics
    /// Unless `z < size < 2^(2 WORD - 1)`, with `WORD` from 1 to 32.
    #[doc(hidden)]
    pub fn at(coins: C, states: [[u64; 2]; STATES]) -> Self {
        assert!((1..=32).contains(&WORD), "words have from 1 to 32 bits");
        for [z, size] in states {
            let fits = z < size && size >> (2 * WORD - 1) == 0;
            assert!(fits, "{z} of {size} is no state of words of {WORD} bits");
        }
        Self {
            coins,
            states: states.map(|[z, size]| State { z, size }),
            next: STATES - 1,
        }
    }

    /// The states `[z, size]`. For the ledger: they are secret.
    #[doc(hidden)]
    pub fn states(&self) -> [[u64; 2]; STATES] {
        self.states.map(|State { z, size }| [z, size])
    }

    /// The state whose turn it is, and the source.
    #[inline]
    fn turn(&mut self) -> (&mut State<WORD>, &mut C) {
        self.next = (self.next + 1) % STATES;
        (&mut self.states[self.next], &mut self.coins)
    }

    /// The source.
    #[must_use]
    pub fn into_inner(self) -> C {
        self.coins
    }
}

/// An integer `z`, uniform below `size < 2^(2 WORD - 1)`.
#[derive(Debug, Clone, Copy)]
struct State<const WORD: u32> {
    z: u64,
    size: u64,
}

impl<const WORD: u32> State<WORD> {
    const EMPTY: Self = Self { z: 0, size: 1 };

    const MASK: u64 = (1 << WORD) - 1;

    /// Adds as many bits as there is room for: without a branch that the draws decide.
    #[inline]
    fn fill(&mut self, coins: &mut impl Coins) -> Result<(), CoinsError> {
        let room = (self.size << (64 - 2 * WORD)).leading_zeros() - 1;
        self.z = (self.z << room) | coins.bits(room)?;
        self.size <<= room;
        Ok(())
    }

    /// Takes a uniform word off.
    #[inline]
    fn take(&mut self, coins: &mut impl Coins) -> Result<u64, CoinsError> {
        loop {
            self.fill(coins)?;
            let (rank, ranks) = (self.z >> WORD, self.size >> WORD);
            let word = self.z & Self::MASK;
            if rank < ranks {
                (self.z, self.size) = (rank, ranks);
                return Ok(word);
            }
            // Beyond the whole words: a class of its own.
            (self.z, self.size) = (word, self.size & Self::MASK);
        }
    }

    /// Puts back where a word lies among the `count` words from `first` on.
    #[inline]
    fn put_back(&mut self, word: u64, first: u64, count: u64) {
        self.z = self.z * count + (word - first);
        self.size *= count;
    }

    /// [`Coins::pick`].
    #[inline]
    fn pick(&mut self, table: &Table, coins: &mut impl Coins) -> Result<usize, CoinsError> {
        let word = self.take(coins)?;
        let (place, first, end) = table.class_of(word, WORD);
        if first <= word && word < end {
            self.put_back(word, first, end - first);
            return Ok(place);
        }
        pick_within(coins, table, word, WORD)
    }
}

impl<C: Coins, const WORD: u32> Coins for Recycled<C, WORD> {
    #[inline]
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    #[inline(always)]
    fn asks(&mut self, question: Question<'_>) {
        self.coins.asks(question);
    }

    #[inline]
    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        self.coins.asks(Question::Pick(table, 1));
        let (state, coins) = self.turn();
        state.pick(table, coins)
    }

    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        // Out of memory into registers; after an error nothing is used twice.
        self.coins.asks(Question::Pick(table, out.len()));
        let mut states = std::mem::replace(&mut self.states, [State::EMPTY; STATES]);
        let mut rounds = out.chunks_exact_mut(STATES);
        for round in &mut rounds {
            for (state, place) in states.iter_mut().zip(round) {
                *place = state.pick(table, &mut self.coins)? as i64;
            }
        }
        for (state, place) in states.iter_mut().zip(rounds.into_remainder()) {
            *place = state.pick(table, &mut self.coins)? as i64;
        }
        self.states = states;
        Ok(())
    }

    #[inline]
    fn below(&mut self, n: u64) -> Result<u64, CoinsError> {
        if n == 0 || n > 1 << (WORD / 2) {
            return super::layers::below(&mut self.coins, n);
        }
        self.coins.asks(Question::Below(n));
        let (state, coins) = self.turn();
        loop {
            state.fill(coins)?;
            // z = n rank + k for a whole number of ranks; what is left over is a class of its own, rejected.
            let State { z, size } = *state;
            let ranks = size / n;
            let whole = ranks * n;
            if z < whole {
                (state.z, state.size) = (z / n, ranks);
                return Ok(z % n);
            }
            (state.z, state.size) = (z - whole, size - whole);
        }
    }

    #[inline(always)]
    fn against(
        &mut self,
        outright: u64,
        sharp: impl FnOnce() -> Sharp,
    ) -> Result<Against, CoinsError> {
        self.coins.asks(Question::Against(outright, None));
        let rest = 64 - WORD;
        let (state, coins) = self.turn();
        let word = state.take(coins)?;
        // 1. The words that are certainly below the first bound.
        let (outright_word, outright) = (outright, outright >> rest);
        if word < outright {
            state.put_back(word, 0, outright);
            return Ok(Against::Below);
        }
        // 2. The others that are certainly below, and those that certainly are not.
        let sharp = sharp();
        coins.asks(Question::Against(outright_word, Some(sharp)));
        let (below, above) = (sharp.below >> rest, (sharp.last >> rest) + 1);
        if word < below {
            state.put_back(word, outright, below - outright);
            return Ok(Against::Below);
        }
        if word >= above {
            state.put_back(word, above, (1 << WORD) - above);
            return Ok(Against::NotBelow);
        }
        // 3. Those between are not put back.
        Ok(sharp.of_word((word << rest) | coins.bits(rest)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Law, Tape};
    use crate::number::rational::ratio;
    use crate::prepared::PreparedLaplace;
    use crate::sample::DiscreteLaplace;

    /// Words of 4 bits, and the first state empty.
    fn short(tape: &str) -> Recycled<Tape, 4> {
        Recycled::at(Tape::written(tape), [[0, 1]; STATES])
    }

    #[test]
    fn a_state_that_cannot_be_is_refused() {
        let is_refused = |state: [u64; 2]| {
            let states = [state, [0, 1], [0, 1], [0, 1]];
            std::panic::catch_unwind(|| Recycled::<_, 4>::at(Tape::written(""), states)).is_err()
        };
        assert!(!is_refused([0, 1]) && !is_refused([126, 127]));
        assert!(is_refused([0, 0]) && is_refused([1, 1]) && is_refused([0, 128]));
    }

    #[test]
    fn one_filling_gives_many_integers() {
        // 101101 is 45 = 1 + 4 (3 + 4 (2 + 4 0)); four states take turns.
        let mut coins = short("101101 000000 000000 000000");
        assert_eq!(coins.below(4), Ok(1));
        assert_eq!(coins.states()[0], [11, 16]);
        for _ in 1..STATES {
            assert_eq!(coins.below(4), Ok(0));
        }
        assert_eq!(coins.consumed(), 24);
        // Two bits are missing now.
        assert!(coins.below(4).is_err());
    }

    #[test]
    fn the_rank_of_a_word_in_its_class_is_put_back() {
        // The word 9 after the rank 2 of 4: it is the third of the 9 from 7 on.
        let sharp = || Sharp {
            below: 7 << 60,
            last: (7 << 60) - 1,
        };
        let mut coins = short("101001");
        assert_eq!(coins.against(3 << 60, sharp), Ok(Against::NotBelow));
        assert_eq!(coins.states()[0], [2 * 9 + 2, 4 * 9]);
        // The word 5: the third of the 4 that only the second bound tells apart.
        let mut coins = short("100101");
        assert_eq!(coins.against(3 << 60, sharp), Ok(Against::Below));
        assert_eq!(coins.states()[0], [2 * 4 + 2, 4 * 4]);
    }

    #[test]
    fn what_is_beyond_the_whole_words_is_drawn_from_again() {
        // Of 6 2^4 + 5 the last 5 have no word: 100 of 101 is the last but one. It is filled to 4 2^4 + 5 and drawn from.
        let mut coins: Recycled<Tape, 4> =
            Recycled::at(Tape::written("0110"), [[100, 101], [0, 1], [0, 1], [0, 1]]);
        let sharp = || Sharp {
            below: 1 << 63,
            last: (1 << 63) - 1,
        };
        // 4 2^4 + 6 = 70 of 80 is 4 16 + 6.
        assert_eq!(coins.against(1 << 63, sharp), Ok(Against::Below));
        assert_eq!(coins.states()[0], [4 * 8 + 6, 5 * 8]);
    }

    #[test]
    fn integers_that_are_wide_and_bits_pass_through() {
        let (mut recycled, mut plain) = (
            Recycled::new(ChaCha::reproducible(5, 0)),
            ChaCha::reproducible(5, 0),
        );
        let wide = (1 << 16) + 1;
        assert_eq!(recycled.below(wide), plain.below(wide));
        assert_eq!(recycled.bits(13), plain.bits(13));
        assert_eq!(recycled.states(), [[0, 1]; STATES]);
        assert!(recycled.below(0).is_err());
    }

    #[test]
    fn after_an_error_nothing_is_used_twice() {
        let law = PreparedLaplace::new(&DiscreteLaplace::new(ratio(1, 1)).unwrap()).unwrap();
        let mut coins = Recycled::new(Tape::new(vec![true; 62 * 3]));
        assert!(law.fill(&mut coins, &mut [0; 4]).is_err());
        assert_eq!(coins.states(), [[0, 1]; STATES]);
    }

    #[test]
    fn the_states_stay_below_their_sizes_and_2_to_the_63() {
        let mut coins = Recycled::new(ChaCha::reproducible(6, 0));
        let law = PreparedLaplace::new(&DiscreteLaplace::new(ratio(7, 3)).unwrap()).unwrap();
        for n in 1..2000 {
            law.sample(&mut coins).unwrap();
            coins.below(n).unwrap();
            let below = n << 41;
            let sharp = || Sharp { below, last: below };
            coins.against(n << 40, sharp).unwrap();
            for [z, size] in coins.states() {
                assert!(z < size && size < 1 << 63, "{z} of {size}");
            }
        }
    }
}
