//! The trait [`Coins`] and its layers: bits, uniform integers, Bernoulli, Bernoulli(exp(-x)), laws.
//!
//! Each layer is built on the one before, and is exact: no float, no modular bias, no truncation.
//! A real source of coins implements [`Coins::bits`] and [`Coins::consumed`] alone, and gets the
//! rest from the functions here; the [`Explorer`](super::Explorer) replaces one layer by an
//! enumeration of its outcomes.
//! Proofs: `spec/samplers.md`.

use super::table::{FIRST_BITS, Table, all_decided, decided};
use super::{CoinsError, Divergence, Forward, Loss, Stage};
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A source of fair, independent coins, and what is built on them.
pub trait Coins {
    /// `count` fair coins as an integer below `2^count`; `count` is at most 64.
    ///
    /// # Errors
    /// [`CoinsError::TooManyBits`] above 64, and those of the source.
    #[track_caller]
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError>;

    /// How many bits have been drawn so far.
    fn consumed(&self) -> u64;

    /// Fills `out` with words of 64 coins: what [`Coins::bits`] would give, one after the other.
    ///
    /// # Errors
    /// Those of the source.
    #[track_caller]
    fn words(&mut self, out: &mut [u64]) -> Result<(), CoinsError> {
        for word in out {
            *word = self.bits(64)?;
        }
        Ok(())
    }

    /// A uniform integer in `0..n`: [`uniform_below`].
    ///
    /// # Errors
    /// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
    #[track_caller]
    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        uniform_below(self, n)
    }

    /// True with probability `p`: [`bernoulli`].
    ///
    /// # Errors
    /// [`CoinsError::NotAProbability`] outside [0, 1], and those of the source.
    #[track_caller]
    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        bernoulli(self, p)
    }

    /// True with probability `exp(-x)` for a rational `x >= 0`: [`bernoulli_exp`].
    ///
    /// # Errors
    /// [`CoinsError::NegativeExponent`] for `x < 0`, and those of the source.
    #[track_caller]
    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        bernoulli_exp(self, x)
    }

    /// A place of a table: [`pick`], unless this source [recycles](super::Recycled) what is left over.
    ///
    /// # Errors
    /// Those of the source and of the table's enclosures.
    #[track_caller]
    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        pick(self, table)
    }

    /// A place of a table for each entry of `out`: [`pick_each`], unless this source recycles.
    ///
    /// # Errors
    /// Those of the source and of the table's enclosures.
    #[track_caller]
    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        pick_each(self, table, out)
    }

    /// A uniform integer in `0..n`, of a word: [`below`].
    ///
    /// # Errors
    /// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
    #[track_caller]
    fn below(&mut self, n: u64) -> Result<u64, CoinsError> {
        below(self, n)
    }

    /// A uniform number against bounds in steps of `2^-64`, the sharp ones computed if they are needed: [`against`].
    ///
    /// # Errors
    /// Those of the source.
    #[inline(always)]
    #[track_caller]
    fn against(
        &mut self,
        outright: u64,
        sharp: impl FnOnce() -> Sharp,
    ) -> Result<Against, CoinsError>
    where
        Self: Sized,
    {
        against(self, outright, sharp)
    }

    /// A draw from `law`, by its own sampler unless this source holds whole laws atomic.
    ///
    /// # Errors
    /// Those of the sampler.
    #[track_caller]
    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError>
    where
        Self: Sized,
    {
        law.sample(self)
    }

    /// A draw whose outcome is never published, and on which no public choice depends: the order of a pass, the
    /// record that a step reads. On a neighbour the meter couples it ([`Law::transport`]); to every other source
    /// it is a draw.
    ///
    /// # Errors
    /// Those of the sampler.
    #[track_caller]
    fn draw_hidden<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError>
    where
        Self: Sized,
    {
        self.draw(law)
    }

    /// A hidden draw of a threshold, of a law that does not depend on the data. On a neighbour the meter takes the outcome
    /// that is `slack` higher: it costs once what moving the law costs ([`Law::moved`]), and then hides how neighbours
    /// differ wherever nothing is told ([`Stage::above`]). To every other source it is a draw; `slack` means nothing.
    ///
    /// # Errors
    /// Those of the sampler.
    #[track_caller]
    fn draw_moved<L: Law<Outcome = BigInt>>(
        &mut self,
        law: &L,
        _slack: &BigInt,
    ) -> Result<BigInt, CoinsError>
    where
        Self: Sized,
    {
        self.draw(law)
    }

    /// Says of what a sampler asks that asks for bits. It means something to the [meter](super::meter) only, which compares
    /// the questions of two runs: whoever calls the functions of [`layers`](self) with an argument that the data decide is
    /// found out.
    #[inline(always)]
    fn asks(&mut self, _question: Question<'_>) {}

    /// Says that a stage begins, and what it promises. It ends where the next one begins. It means something to
    /// the [meter](super::meter) only.
    #[track_caller]
    fn stage(&mut self, _stage: &Stage) {}
}

/// A borrowed source is a source: whatever is asked of it, is asked of the source itself.
impl<C: Coins> Coins for &mut C {
    #[inline]
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        C::bits(self, count)
    }

    fn consumed(&self) -> u64 {
        C::consumed(self)
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        C::uniform_below(self, n)
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        C::bernoulli(self, p)
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        C::bernoulli_exp(self, x)
    }

    #[inline]
    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        C::pick(self, table)
    }

    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        C::pick_each(self, table, out)
    }

    #[inline]
    fn below(&mut self, n: u64) -> Result<u64, CoinsError> {
        C::below(self, n)
    }

    #[inline]
    fn words(&mut self, out: &mut [u64]) -> Result<(), CoinsError> {
        C::words(self, out)
    }

    fn against(
        &mut self,
        outright: u64,
        sharp: impl FnOnce() -> Sharp,
    ) -> Result<Against, CoinsError> {
        C::against(self, outright, sharp)
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        C::draw(self, law)
    }

    fn draw_hidden<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        C::draw_hidden(self, law)
    }

    fn draw_moved<L: Law<Outcome = BigInt>>(
        &mut self,
        law: &L,
        slack: &BigInt,
    ) -> Result<BigInt, CoinsError> {
        C::draw_moved(self, law, slack)
    }

    #[inline(always)]
    fn asks(&mut self, question: Question<'_>) {
        C::asks(self, question);
    }

    fn stage(&mut self, stage: &Stage) {
        C::stage(self, stage);
    }
}

/// What a sampler asks for that asks for bits, with its arguments.
#[derive(Debug, Clone, Copy)]
pub enum Question<'a> {
    /// [`uniform_below_attempt`] of this.
    UniformBelow(&'a BigUint),
    /// [`bernoulli`] of this.
    Bernoulli(&'a Rational),
    /// [`bernoulli_exp`] of this.
    BernoulliExp(&'a Rational),
    /// [`pick`] of this, so many times.
    Pick(&'a Table, usize),
    /// [`below`] this.
    Below(u64),
    /// [`against`] this, and then these.
    Against(u64, Option<Sharp>),
}

/// A uniform integer in `0..n`, by rejection (ledger: `sample.uniform-below`).
///
/// Expected bits: less than `2 ceil(log2 n)`.
///
/// # Errors
/// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
pub fn uniform_below(
    coins: &mut (impl Coins + ?Sized),
    n: &BigUint,
) -> Result<BigUint, CoinsError> {
    loop {
        if let Some(value) = uniform_below_attempt(coins, n)? {
            return Ok(value);
        }
    }
}

/// One attempt of [`uniform_below`]: `None` if rejected.
///
/// # Errors
/// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
pub fn uniform_below_attempt(
    coins: &mut (impl Coins + ?Sized),
    n: &BigUint,
) -> Result<Option<BigUint>, CoinsError> {
    coins.asks(Question::UniformBelow(n));
    if n.is_zero() {
        return Err(CoinsError::NoOutcome);
    }
    // 1. The width of n - 1 in bits: the least w with n <= 2^w.
    let width = (n - 1u32).bits();
    // 2. A uniform integer below 2^w.
    let mut candidate = BigUint::zero();
    let mut left = width;
    while left > 0 {
        let count = left.min(64) as u32;
        candidate = (candidate << count) + coins.bits(count)?;
        left -= u64::from(count);
    }
    // 3. Rejected unless below n: given acceptance it is uniform there. (Reducing it modulo n
    //    instead would favour the small ones.)
    Ok((candidate < *n).then_some(candidate))
}

/// True with probability `p` (ledger: `sample.bernoulli`).
///
/// Compares the binary digits of `p` with those of a uniform number in [0, 1), drawn one at a time,
/// up to the first difference. Expected bits: at most 2, whatever `p`.
///
/// # Errors
/// [`CoinsError::NotAProbability`] outside [0, 1], and those of the source.
pub fn bernoulli(coins: &mut (impl Coins + ?Sized), p: &Rational) -> Result<bool, CoinsError> {
    coins.asks(Question::Bernoulli(p));
    require_probability(p)?;
    if p.numer() == p.denom() {
        return Ok(true);
    }
    // The invariant: p = 0.d1 d2 ... dj + (remainder / denominator) 2^-j, and the uniform number
    // agrees with p in its first j digits.
    let denominator = p.denom();
    let mut remainder = p.numer().clone();
    // Once the remainder is zero all later digits of p are 0: the uniform number is not below p.
    while !remainder.is_zero() {
        remainder <<= 1u32;
        let digit = remainder >= *denominator;
        if digit {
            remainder -= denominator;
        }
        let coin = coins.bits(1)? == 1;
        if coin != digit {
            return Ok(digit);
        }
    }
    Ok(false)
}

/// True with probability `exp(-x)` for a rational `x >= 0` (ledger: `sample.bernoulli-exp`).
///
/// Canonne, Kamath, Steinke 2020, Algorithm 1.
///
/// # Errors
/// [`CoinsError::NegativeExponent`] for `x < 0`, and those of the source.
pub fn bernoulli_exp(coins: &mut (impl Coins + ?Sized), x: &Rational) -> Result<bool, CoinsError> {
    coins.asks(Question::BernoulliExp(x));
    require_exponent(x)?;
    if x.numer() <= x.denom() {
        return bernoulli_exp_up_to_one(coins, x);
    }
    // exp(-x) = exp(-1)^floor(x) exp(-(x - floor(x))): all factors must come up true.
    let (mut whole, rest) = x.numer().div_rem(x.denom());
    while !whole.is_zero() {
        if !coins.bernoulli_exp(&Rational::one())? {
            return Ok(false);
        }
        whole -= 1;
    }
    coins.bernoulli_exp(&Rational::new_raw(rest, x.denom().clone()))
}

/// True with probability `exp(-x)` for `0 <= x <= 1`.
///
/// Draws Bernoulli(x/1), Bernoulli(x/2), ... up to the first that is false, the `k`-th: then
/// `Pr[k > j] = x^j / j!`, so that `Pr[k odd] = 1 - x + x^2/2! - ... = exp(-x)`.
fn bernoulli_exp_up_to_one(
    coins: &mut (impl Coins + ?Sized),
    x: &Rational,
) -> Result<bool, CoinsError> {
    let mut k = BigInt::one();
    // `new_raw` spares a greatest common divisor: only the quotient matters.
    while coins.bernoulli(&Rational::new_raw(x.numer().clone(), x.denom() * &k))? {
        k += 1;
    }
    Ok(k.bit(0))
}

/// Draws a place of a table: 16 bits, and 48 more if these do not decide, and more if these do not (ledger: `sample.table`).
///
/// # Errors
/// Those of the source and of the table's enclosures.
#[inline]
pub fn pick(coins: &mut (impl Coins + ?Sized), table: &Table) -> Result<usize, CoinsError> {
    coins.asks(Question::Pick(table, 1));
    // 1. The first 16 bits.
    let first = coins.bits(FIRST_BITS)?;
    match table.decided_by_first_bits(first) {
        Some(place) => Ok(place),
        None => pick_within(coins, table, first, FIRST_BITS),
    }
}

/// Draws the rest of a number that begins with `first`, of so many bits, which do not decide its place.
#[cold]
pub(super) fn pick_within(
    coins: &mut (impl Coins + ?Sized),
    table: &Table,
    first: u64,
    known: u32,
) -> Result<usize, CoinsError> {
    // 2. A word of 64 bits.
    let rest = 64 - known;
    let word = (first << rest) | coins.bits(rest)?;
    match table.decided_by_word(word) {
        Some(place) => Ok(place),
        // 3. As many as it takes.
        None => table.settle(word, || coins.bits(1)),
    }
}

/// Draws a place for each entry of `out`: four at a time from a word, and looked up together.
///
/// # Errors
/// Those of the source and of the table's enclosures.
#[inline]
pub fn pick_each(
    coins: &mut (impl Coins + ?Sized),
    table: &Table,
    out: &mut [i64],
) -> Result<(), CoinsError> {
    coins.asks(Question::Pick(table, out.len()));
    let by_first_bits = table.by_first_bits();
    let mut words = [0; WORDS_AT_A_TIME];
    for chunk in out.chunks_mut(4 * WORDS_AT_A_TIME) {
        let words = &mut words[..chunk.len().div_ceil(4)];
        coins.words(words)?;
        for (word, four) in words.iter().zip(chunk.chunks_mut(4)) {
            let firsts = [0, 1, 2, 3].map(|part| (word >> (FIRST_BITS * part)) & 0xffff);
            // One question for all four, which is almost always answered so.
            if let Ok(four) = <&mut [i64; 4]>::try_from(&mut *four)
                && let Some(places) = all_decided(by_first_bits, firsts)
            {
                *four = places;
                continue;
            }
            for (place, first) in four.iter_mut().zip(firsts) {
                *place = match decided(by_first_bits, first) {
                    Some(place) => place as i64,
                    None => pick_within(coins, table, first, FIRST_BITS)? as i64,
                };
            }
        }
    }
    Ok(())
}

/// So many words are drawn at a time, for four places each.
const WORDS_AT_A_TIME: usize = 64;

/// A uniform integer in `0..n`, by rejection: [`uniform_below`] of a word.
///
/// # Errors
/// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
#[inline]
pub fn below(coins: &mut (impl Coins + ?Sized), n: u64) -> Result<u64, CoinsError> {
    coins.asks(Question::Below(n));
    let largest = n.checked_sub(1).ok_or(CoinsError::NoOutcome)?;
    loop {
        let candidate = coins.bits(64 - largest.leading_zeros())?;
        if candidate < n {
            return Ok(candidate);
        }
    }
}

/// Two bounds with which a uniform number is compared: [`Coins::against`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharp {
    /// In steps of `2^-64`: what is below is told apart. Not less than the bound that is tried first.
    pub below: u64,
    /// What is at least `2^-64 (last + 1)` is told apart.
    pub last: u64,
}

/// Where a uniform number lies: [`Coins::against`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// Below `2^-64 below`.
    Below,
    /// At least `2^-64 (last + 1)`.
    NotBelow,
    /// In between, and what is known of it: the `place`-th of so many equal `parts` of [0, 1). More digits settle it
    /// ([`Uniform::within`](super::Uniform::within)).
    Between {
        /// The part, counted from 0.
        place: u64,
        /// How many parts there are.
        parts: u128,
    },
}

/// Compares a uniform number with `2^-64 outright`, and where it is not below that with two sharper bounds: by its first 8 bits if
/// they decide, and otherwise by 64. So a number `p` is compared with it for which a lower bound is at hand, closer bounds are
/// cheap, and which is costly itself.
///
/// # Errors
/// Those of the source.
#[inline(always)]
pub fn against(
    coins: &mut (impl Coins + ?Sized),
    outright: u64,
    sharp: impl FnOnce() -> Sharp,
) -> Result<Against, CoinsError> {
    coins.asks(Question::Against(outright, None));
    let first = coins.bits(8)?;
    if first < outright >> 56 {
        return Ok(Against::Below);
    }
    let sharp = sharp();
    coins.asks(Question::Against(outright, Some(sharp)));
    if first < sharp.below >> 56 {
        return Ok(Against::Below);
    }
    if first > sharp.last >> 56 {
        return Ok(Against::NotBelow);
    }
    Ok(sharp.of_word((first << 56) | coins.bits(56)?))
}

impl Sharp {
    /// Where a number lies that begins with `word`.
    pub(super) fn of_word(self, word: u64) -> Against {
        if word < self.below {
            Against::Below
        } else if word > self.last {
            Against::NotBelow
        } else {
            Against::Between {
                place: word,
                parts: 1 << 64,
            }
        }
    }
}

/// Refuses what is outside [0, 1], and a fraction without a positive denominator.
pub(super) fn require_probability(p: &Rational) -> Result<(), CoinsError> {
    if !p.denom().is_positive() || p.numer().is_negative() || p.numer() > p.denom() {
        return Err(CoinsError::NotAProbability {
            value: p.to_string(),
        });
    }
    Ok(())
}

/// Refuses what is below 0, and a fraction without a positive denominator.
pub(crate) fn require_exponent(x: &Rational) -> Result<(), CoinsError> {
    if !x.denom().is_positive() || x.numer().is_negative() {
        return Err(CoinsError::NegativeExponent {
            value: x.to_string(),
        });
    }
    Ok(())
}

/// A discrete probability law: how to draw from it, its probabilities, and how far it is from another of its kind.
///
/// A law of your own needs [`sample`](Law::sample) and [`pmf`](Law::pmf). The meter does not know it, and believes
/// nothing else of it: it goes through its outcomes, which must be listed by [`outcome`](Law::outcome) and be at most
/// [`MOST_OUTCOMES`], and computes all that it needs of their probabilities. The methods below `label` are asked of the
/// laws of the library, which tests hold against their probabilities; of another law only [`transport`](Law::transport)
/// and [`is_quiet`](Law::is_quiet) are, and checked on all outcomes.
pub trait Law: Clone + PartialEq + Send + 'static {
    /// What is drawn.
    type Outcome: Clone + Ord + std::fmt::Debug + Send + 'static;

    /// Draws one outcome with exactly the law's probabilities.
    ///
    /// # Errors
    /// Those of the coins.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Self::Outcome, CoinsError>;

    /// The probability of `outcome`, enclosed with `bits` significant bits of working precision.
    ///
    /// # Errors
    /// Those of the real functions used.
    fn pmf(&self, outcome: &Self::Outcome, bits: u32) -> Result<Enclosure, NumberError>;

    /// The outcomes, each once, numbered from 0 and the likely ones first; `None` past the last. A law that does not
    /// number them (no outcome 0) is explored through its sampler.
    fn outcome(&self, _index: u64) -> Option<Self::Outcome> {
        None
    }

    /// The law and its parameters, in words: so the explorer names what it drew.
    fn label(&self) -> String {
        std::any::type_name::<Self>().to_owned()
    }

    /// Whether the library has this law. Nobody else can name a seal.
    #[doc(hidden)]
    fn is_of_the_library(&self, _: Seal) -> bool {
        false
    }

    /// The privacy loss of an outcome of this law, the one on the first dataset, if `other` is the one on the
    /// second.
    ///
    /// # Errors
    /// Those of the real functions used.
    fn loss(&self, other: &Self, outcome: &Self::Outcome, bits: u32) -> Result<Loss, NumberError> {
        Loss::of_probabilities(&self.pmf(outcome, bits)?, &other.pmf(outcome, bits)?)
    }

    /// The worst loss between this law and `other`, which is not equal to it, over all outcomes and in both
    /// directions. By default [`worst_of_outcomes`].
    ///
    /// # Errors
    /// Those of the real functions used.
    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        worst_of_outcomes(self, other, bits)
    }

    /// How far this law is from `other`, the one on the second dataset, in this direction. By default its [divergence](
    /// Law::divergence), for quiet outcomes and others. `None`: nothing bounds it.
    ///
    /// # Errors
    /// Those of the real functions used.
    fn forward(&self, other: &Self, bits: u32) -> Result<Option<Forward>, NumberError> {
        Ok(match self.divergence(other, bits)? {
            Divergence::None => Some(Forward::none()),
            Divergence::Pure(worst) => Some(Forward {
                quiet: worst.clone(),
                loud: worst,
            }),
            _ => None,
        })
    }

    /// For a hidden threshold: the law of the outcome and `slack`. `None`: it cannot be moved.
    fn moved(&self, _slack: &BigInt) -> Option<Self> {
        None
    }

    /// For a hidden draw: the outcome of `other` that goes with `outcome` of this law. If `outcome` is drawn from
    /// this law, what is returned must have the law `other`. `None`: there is no such coupling.
    fn transport(&self, _other: &Self, _outcome: &Self::Outcome) -> Option<Self::Outcome> {
        None
    }

    /// For a hidden draw of which records are read: how many records there are, and the numbers of those that are read,
    /// in order, each of them uniform and independent of the others and of the data. `None`: the draw is of another kind.
    fn reads(&self, _outcome: &Self::Outcome) -> Option<(u64, Vec<u64>)> {
        None
    }

    /// Whether the outcome is *quiet*: of a law of which one outcome says only that nothing is said. A stage may bound how
    /// many others come ([`Stage::rounds`]). By default none is quiet.
    fn is_quiet(&self, _outcome: &Self::Outcome) -> bool {
        false
    }

    /// An unlikely outcome, about `stretch` times as far out as a usual one: where the meter looks for datasets
    /// that are told apart there. `None`: a usual one will do.
    ///
    /// # Errors
    /// Those of the coins.
    fn far_out<C: Coins>(
        &self,
        _stretch: u32,
        _coins: &mut C,
    ) -> Result<Option<Self::Outcome>, CoinsError> {
        Ok(None)
    }
}

mod seal {
    /// What the library alone can name: so only its laws say that they are its laws.
    #[derive(Debug, Clone, Copy)]
    pub struct Seal;
}
pub(crate) use seal::Seal;

/// The most outcomes that [`worst_of_outcomes`] goes through.
pub const MOST_OUTCOMES: u64 = 4096;

/// The worst loss between two laws that number few outcomes: the largest `|ln(p / q)|`, outcome by outcome.
///
/// # Errors
/// Those of the laws.
pub fn worst_of_outcomes<L: Law>(
    first: &L,
    second: &L,
    bits: u32,
) -> Result<Divergence, NumberError> {
    let mut worst = Rational::zero();
    for law in [first, second] {
        for index in 0.. {
            let Some(outcome) = law.outcome(index) else {
                if index == 0 {
                    return Ok(Divergence::Unbounded(
                        "the law does not number its outcomes",
                    ));
                }
                break;
            };
            if index >= MOST_OUTCOMES {
                return Ok(Divergence::Unbounded(
                    "the law has too many outcomes to go through",
                ));
            }
            let (p, q) = (first.pmf(&outcome, bits)?, second.pmf(&outcome, bits)?);
            if p.hi().is_zero() && q.hi().is_zero() {
                continue;
            }
            if p.lo().is_zero() || q.lo().is_zero() {
                return Ok(Divergence::Unbounded(
                    "an outcome is possible on one side only",
                ));
            }
            worst = worst.max((p.ln()? - q.ln()?).abs().upper());
        }
    }
    Ok(Divergence::Pure(worst))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::ratio;

    /// Outcomes 0, 1, ... with probabilities of one denominator; `numbered` of them are listed.
    #[derive(Debug, Clone, PartialEq)]
    struct Table {
        counts: Vec<i64>,
        total: i64,
        numbered: u64,
    }

    fn table(counts: &[i64]) -> Table {
        Table {
            counts: counts.to_vec(),
            total: counts.iter().sum(),
            numbered: counts.len() as u64,
        }
    }

    impl Law for Table {
        type Outcome = u64;

        fn sample<C: Coins>(&self, _: &mut C) -> Result<u64, CoinsError> {
            Ok(0)
        }

        fn pmf(&self, outcome: &u64, bits: u32) -> Result<Enclosure, NumberError> {
            let count = self.counts.get(*outcome as usize).copied().unwrap_or(0);
            Ok(Enclosure::of(&ratio(count, self.total), bits))
        }

        fn outcome(&self, index: u64) -> Option<u64> {
            (index < self.numbered).then_some(index)
        }
    }

    fn worst(first: &Table, second: &Table) -> Divergence {
        let there = first.divergence(second, 128).unwrap();
        let back = second.divergence(first, 128).unwrap();
        let same = match (&there, &back) {
            (Divergence::Pure(there), Divergence::Pure(back)) => {
                (there - back).abs() < ratio(1, 1 << 60)
            }
            _ => there == back,
        };
        assert!(same, "{there:?} {back:?}");
        there
    }

    #[test]
    fn the_worst_of_the_outcomes_is_the_largest_quotient_either_way() {
        // 4/8 to 1/8, 2/8 to 2/8, 2/8 to 5/8; and what neither side draws does not count.
        let Divergence::Pure(found) = worst(&table(&[4, 2, 2, 0]), &table(&[1, 2, 5, 0])) else {
            panic!("the outcomes are numbered");
        };
        let above = found - Enclosure::integer(4, 128).ln().unwrap().lower();
        assert!(!above.is_negative() && above < ratio(1, 1 << 60), "{above}");
    }

    #[test]
    fn nothing_bounds_an_outcome_that_one_side_only_draws() {
        let unbounded = Divergence::Unbounded("an outcome is possible on one side only");
        assert_eq!(worst(&table(&[1, 1]), &table(&[1, 0])), unbounded);
        // Nor one that one side only numbers.
        assert_eq!(worst(&table(&[1, 1]), &table(&[1, 1, 1])), unbounded);
    }

    #[test]
    fn only_few_and_numbered_outcomes_are_gone_through() {
        let [not_numbered, other] = [&[1, 1], &[1, 2]].map(|counts| Table {
            numbered: 0,
            ..table(counts)
        });
        let says = Divergence::Unbounded("the law does not number its outcomes");
        assert_eq!(worst(&not_numbered, &other), says);
        let gone_through = |count: u64| {
            let law = table(&vec![1; count as usize]);
            worst_of_outcomes(&law, &law, 16).unwrap()
        };
        assert!(matches!(gone_through(MOST_OUTCOMES), Divergence::Pure(_)));
        let says = Divergence::Unbounded("the law has too many outcomes to go through");
        assert_eq!(gone_through(MOST_OUTCOMES + 1), says);
    }

    /// A law that says no more than it must.
    #[derive(Clone, PartialEq)]
    struct Silent;

    impl Law for Silent {
        type Outcome = u64;

        fn sample<C: Coins>(&self, coins: &mut C) -> Result<u64, CoinsError> {
            coins.bits(64)
        }

        fn pmf(&self, _: &u64, bits: u32) -> Result<Enclosure, NumberError> {
            Ok(Enclosure::integer(1, bits).shifted(-64))
        }
    }

    #[test]
    fn a_law_that_says_no_more_than_it_must_has_its_type_as_a_label() {
        let mut coins = ChaCha::reproducible(1, 0);
        assert!(Silent.label().ends_with("::Silent"), "{}", Silent.label());
        assert_eq!(Silent.outcome(0), None);
        assert_eq!(Silent.transport(&Silent, &5), None);
        assert_eq!(Silent.far_out(3, &mut coins), Ok(None));
        // To a source of coins a hidden draw is a draw.
        let mut again = coins.clone();
        assert_eq!(coins.draw_hidden(&Silent), again.draw(&Silent));
        assert_eq!(coins.consumed(), 64);
    }
}
