//! A source of the library, lent to the reference: so the explorer runs the reference's code on every outcome.

use dp_assay::coins::{Coins, CoinsError, Explored, Explorer, Layer};
use dp_assay::number::Rational;
use dp_assay_reference as reference;
use num_bigint::BigUint;

/// The source, and the error that it gave, which the reference does not know.
pub struct Lent<'a, C> {
    coins: &'a mut C,
    failed: Option<CoinsError>,
}

impl<C: Coins> Lent<'_, C> {
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut C) -> Result<T, CoinsError>,
    ) -> Result<T, reference::Error> {
        question(self.coins).map_err(|error| {
            self.failed = Some(error);
            reference::Error::Coins("lent".to_owned())
        })
    }
}

impl<C: Coins> reference::coins::Coins for Lent<'_, C> {
    fn bits(&mut self, count: u32) -> Result<u64, reference::Error> {
        self.ask(|coins| coins.bits(count))
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, reference::Error> {
        self.ask(|coins| coins.uniform_below(n))
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, reference::Error> {
        self.ask(|coins| coins.bernoulli(p))
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, reference::Error> {
        self.ask(|coins| coins.bernoulli_exp(x))
    }
}

/// Runs the reference's `code` on coins of the library.
pub fn lent<C: Coins, T>(
    coins: &mut C,
    code: impl FnOnce(&mut Lent<C>) -> Result<T, reference::Error>,
) -> Result<T, CoinsError> {
    let mut lent = Lent {
        coins,
        failed: None,
    };
    let result = code(&mut lent);
    match (result, lent.failed) {
        (_, Some(error)) => Err(error),
        (Ok(value), None) => Ok(value),
        (Err(error), None) => panic!("{error}"),
    }
}

/// Runs the reference's `code` on every outcome of this layer, until less than `2^-20` is undecided.
pub fn explored<T: Ord>(
    layer: Layer,
    runs: usize,
    mut code: impl FnMut(&mut Lent<dp_assay::coins::explorer::Run>) -> Result<T, reference::Error>,
) -> Explored<T> {
    Explorer::new(layer, runs)
        .until(Rational::new(1.into(), (1 << 20).into()))
        .explore(|run| lent(run, &mut code))
        .unwrap()
}
