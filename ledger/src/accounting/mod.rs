//! The claims of the accountant (`spec/accounting.md`): epsilon and delta lie between its two ends.
//!
//! What is compared never comes from the accountant: closed forms in enclosures, and exact integers.

mod steps;
mod sum;
mod thresholds;

use crate::claim::{Page, Registered};
use dp_assay::accountant::AccountantError;
use dp_assay::number::{Enclosure, Rational, rational};

/// The page of the accountant.
pub(super) const PAGE: Page = Page {
    paper: "dp-assay",
    title: "our own numbers and samplers",
    path: "spec/accounting.md",
    text: include_str!("../../pages/accounting.md"),
    evidence: include_str!("../../evidence/dp-assay.txt"),
    checks: CHECKS,
};

/// The checks, in the order of the page.
const CHECKS: &[Registered] = &[
    ("privacy.companions", thresholds::companions),
    ("privacy.transform", sum::transform),
    ("privacy.subsampled-gaussian", steps::subsampled_gaussian),
];

/// The working precision of the checks.
const BITS: u32 = 160;

/// Of a grid that has too many cells; the grids here have some hundreds.
const TOO_LONG: AccountantError = AccountantError::TooLong {
    longest: dp_assay::accountant::tilt::LONGEST,
};

/// `integral of (dN(mu, 1) - g dN(0, 1))+` for `g > 0`.
fn gaussian(mu: &Enclosure, g: &Enclosure) -> Result<Enclosure, crate::claim::Trouble> {
    let ratio = g.ln()?.divided_by(mu)?;
    let half = mu.shifted(-1);
    Ok((&ratio - &half).normal_upper() - g * (ratio + half).normal_upper())
}

/// h of ((1 - q) N(0, 1) + q N(mu, 1), N(0, 1)) at g, or the other way round.
fn sampled(
    q: &Rational,
    mu: &Rational,
    g: &Enclosure,
    is_swapped: bool,
) -> Result<Enclosure, crate::claim::Trouble> {
    let (q, mu) = (Enclosure::of(q, BITS), Enclosure::of(mu, BITS));
    let one = Enclosure::integer(1, BITS);
    let zero = Enclosure::integer(0, BITS);
    if is_swapped {
        let rest = &one - g * (&one - &q);
        return match rest.lo().is_positive() {
            true => Ok(&rest * gaussian(&mu, &(g * &q).divided_by(&rest)?)?),
            false => Ok(zero),
        };
    }
    let inner = g - &one + &q;
    match inner.lo().is_positive() {
        true => Ok(&q * gaussian(&mu, &inner.divided_by(&q)?)?),
        false => Ok(one - g),
    }
}

/// The rational of a decimal that stands in the code.
fn number(text: &str) -> Result<Rational, crate::claim::Trouble> {
    Ok(rational::parse(text)?)
}

/// The doubles around it.
fn interval(text: &str) -> Result<dp_assay::accountant::interval::Interval, crate::claim::Trouble> {
    Ok(dp_assay::accountant::interval::Interval::of(&number(text)?))
}
