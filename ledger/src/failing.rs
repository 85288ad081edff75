//! Coins that fail, at the k-th word for every k: for learners, which must give up, and sessions, which must have ended.

use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins, CoinsError};
use std::fmt::Display;
use std::ops::Range;

/// Coins of a fixed seed that give so many words, and fail from then on.
#[derive(Debug, Clone)]
pub(crate) struct Failing {
    coins: ChaCha,
    left: u64,
    given: u64,
}

impl Failing {
    /// They fail at the word after `left` of them.
    pub(crate) fn after(left: u64) -> Self {
        Self {
            coins: ChaCha::reproducible(29, 0),
            left,
            given: 0,
        }
    }

    /// They never fail.
    pub(crate) fn never() -> Self {
        Self::after(u64::MAX)
    }
}

impl Coins for Failing {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        if self.given == self.left {
            let reason = format!("word {} is not there", self.given + 1);
            return Err(CoinsError::Generator { reason });
        }
        self.given += 1;
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.given
    }
}

/// At so many words a learner is made to fail, or at each if there are fewer: at the first, the last, and evenly between.
const TRIED: u64 = 120;

/// Whatever word is missing, a learner returns an error and no result; with all of them the same result as before.
pub(crate) fn learner<T: PartialEq, E: Display>(
    check: &mut Check,
    name: &str,
    learn: impl Fn(&mut Failing) -> Result<T, E>,
) -> Result<(), Trouble> {
    let mut coins = Failing::never();
    let honest = learn(&mut coins);
    let words = coins.given;
    check.exact(format_args!(
        "{name}: coins that fail at the k-th of {words} words, for up to {TRIED} k: an error and no result"
    ));
    check.holds(
        honest.is_ok() && words > 0,
        format_args!("{name}: with all words it learns"),
    );
    let step = words.div_ceil(TRIED).max(1);
    for k in (0..words).step_by(step as usize).chain([words - 1]) {
        let found = learn(&mut Failing::after(k));
        check.holds(
            found.is_err(),
            format_args!("{name}: the word {} of {words} fails", k + 1),
        );
    }
    let again = learn(&mut Failing::after(words));
    check.holds(
        matches!((honest, again), (Ok(one), Ok(other)) if one == other),
        format_args!("{name}: with just enough words it learns the same"),
    );
    Ok(())
}

/// A session whose queries have numbers.
pub(crate) trait Queried: Sized {
    /// Answers this query with what it told.
    fn ask(&mut self, query: usize, coins: &mut Failing) -> Result<String, Trouble>;
    /// What is public of it.
    fn told(&self) -> String;
}

/// Whatever word of a query is missing, the session has ended: what it told before is all that it told, and neither this query
/// nor another one is answered, or draws anything. The queries before the `next` ones make it a used one.
pub(crate) fn session<S: Queried>(
    check: &mut Check,
    name: &str,
    next: Range<usize>,
    open: impl Fn(&mut Failing) -> Result<S, Trouble>,
) -> Result<(), Trouble> {
    check.exact(format_args!(
        "{name}, used: coins that fail at the k-th word of a query, for every k: it has ended, nothing more is told and nothing drawn"
    ));
    for k in 0.. {
        let mut coins = Failing::never();
        let mut session = open(&mut coins)?;
        for query in 0..next.start {
            session.ask(query, &mut coins)?;
        }
        let before = session.told();
        if session.ask(next.start, &mut Failing::after(k)).is_ok() {
            check.holds(k > 0, format_args!("{name}: a query draws"));
            break;
        }
        let mut coins = Failing::never();
        for query in next.clone() {
            let refused = session.ask(query, &mut coins).is_err();
            check.holds(
                refused && coins.given == 0,
                format_args!("{name}: query {query} after the word {} failed", k + 1),
            );
        }
        check.holds(
            session.told() == before,
            format_args!("{name}: what is told after the word {} failed", k + 1),
        );
    }
    Ok(())
}
