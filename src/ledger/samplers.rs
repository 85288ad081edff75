//! The claims of our own samplers.

use super::{Claim, Effort, Evidence, LedgerError, Status};
use crate::coins::{Explorer, Layer};
use crate::number::{Enclosure, rational::ratio};

/// The claims of `spec/samplers.md`.
pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "sample.bernoulli",
    paper: "dp-assay",
    item: "coins::layers::bernoulli",
    statement: "bernoulli(p) is true with probability exactly p, for rational p in [0, 1].",
    as_printed: false,
    expects: Status::Verified,
    check: bernoulli,
}];

fn bernoulli(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let p = ratio(1, 3);
    let found = Explorer::new(Layer::Bits, 60).explore(|coins| coins_bernoulli(coins, &p))?;
    let fits = found.allows(&true, &Enclosure::of(&p, 96));
    let status = if fits {
        Status::Verified
    } else {
        Status::Refuted
    };
    Ok(Evidence::new("exhaustive exploration", status, "p = 1/3"))
}

fn coins_bernoulli(
    coins: &mut impl crate::coins::Coins,
    p: &crate::number::Rational,
) -> Result<bool, crate::coins::CoinsError> {
    coins.bernoulli(p)
}
