//! The library's explorer as a source of coins for the reference, whose own code is run.

use dp_assay::coins::explorer::Run;
use dp_assay::coins::{Coins as _, CoinsError, Layer};
use dp_assay::number::Rational;
use dp_assay_reference::Error;
use dp_assay_reference::coins::{Coins, layers};
use num_bigint::BigUint;

/// A run of the explorer, what it branches over, and the error that it gave, which the reference does not know.
pub struct Lent<'a> {
    run: &'a mut Run,
    layer: Layer,
    failed: Option<CoinsError>,
}

/// Runs code of the reference on a run of the explorer that branches over this layer. What is above the layer is the reference's.
pub fn lend<T>(
    run: &mut Run,
    layer: Layer,
    code: impl FnOnce(&mut Lent) -> Result<T, Error>,
) -> Result<T, CoinsError> {
    let mut lent = Lent {
        run,
        layer,
        failed: None,
    };
    let result = code(&mut lent);
    match (lent.failed, result) {
        (Some(error), _) => Err(error),
        (None, Ok(result)) => Ok(result),
        (None, Err(error)) => Err(CoinsError::Generator {
            reason: error.to_string(),
        }),
    }
}

impl Lent<'_> {
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut Run) -> Result<T, CoinsError>,
    ) -> Result<T, Error> {
        question(self.run).map_err(|error| {
            self.failed = Some(error);
            Error::Coins("lent".to_owned())
        })
    }
}

impl Coins for Lent<'_> {
    fn bits(&mut self, count: u32) -> Result<u64, Error> {
        self.ask(|run| run.bits(count))
    }

    fn consumed(&self) -> u64 {
        self.run.consumed()
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, Error> {
        match self.layer >= Layer::UniformBelow {
            true => self.ask(|run| run.uniform_below(n)),
            false => layers::uniform_below(self, n),
        }
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, Error> {
        match self.layer >= Layer::Bernoulli {
            true => self.ask(|run| run.bernoulli(p)),
            false => layers::bernoulli(self, p),
        }
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, Error> {
        match self.layer >= Layer::BernoulliExp {
            true => self.ask(|run| run.bernoulli_exp(x)),
            false => layers::bernoulli_exp(self, x),
        }
    }
}
