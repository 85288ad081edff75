//! The claims of the accountant (`spec/accounting.md`): epsilon and delta lie between its two ends.
//!
//! What is compared never comes from the accountant: closed forms in enclosures, and exact integers.

mod allocation;
mod batches;
mod budgets;
mod curve;
mod doubles;
mod hand;
mod steps;
mod sum;
mod thresholds;

use crate::claim::{Page, Registered, Trouble};
use dp_assay::accountant::AccountantError;
use dp_assay::accountant::cells::Cells;
use dp_assay::accountant::companions::Companion;
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
    ("privacy.fixed-batch", batches::fixed_batch),
    ("privacy.allocation", allocation::allocation),
    ("privacy.for-budget", budgets::for_budget),
];

/// The working precision of the checks.
const BITS: u32 = 160;

/// Of a grid that has too many cells; the grids here have some hundreds.
const TOO_LONG: AccountantError = AccountantError::TooLong {
    longest: dp_assay::accountant::tilt::LONGEST,
};

/// `integral of (dN(mu, 1) - g dN(0, 1))+` for `g > 0`.
fn gaussian(mu: &Enclosure, g: &Enclosure) -> Result<Enclosure, Trouble> {
    let ratio = g.ln()?.divided_by(mu)?;
    let half = mu.shifted(-1);
    Ok((&ratio - &half).normal_upper() - g * (ratio + half).normal_upper())
}

/// h of ((1 - q) Q + q P, Q) at g, or the other way round, from the h of (P, Q), which has the same either way round.
fn sampled(
    q: &Rational,
    g: &Enclosure,
    is_swapped: bool,
    h: &dyn Fn(&Enclosure) -> Result<Enclosure, Trouble>,
) -> Result<Enclosure, Trouble> {
    let q = Enclosure::of(q, BITS);
    let one = Enclosure::integer(1, BITS);
    let zero = Enclosure::integer(0, BITS);
    if is_swapped {
        let rest = &one - g * (&one - &q);
        return match rest.lo().is_positive() {
            true => Ok(&rest * h(&(g * &q).divided_by(&rest)?)?),
            false => Ok(zero),
        };
    }
    let inner = g - &one + &q;
    match inner.lo().is_positive() {
        true => Ok(&q * h(&inner.divided_by(&q)?)?),
        false => Ok(one - g),
    }
}

/// A companion as likelihood ratios and masses.
fn listed(companion: &Companion, cells: &Cells) -> Result<Vec<[Enclosure; 2]>, Trouble> {
    let listed = companion.atoms().map(|(node, mass)| {
        let node = Rational::from_integer(node.into());
        let loss = exactly(cells.offset)? + node * exactly(cells.step)?;
        let mass = Enclosure::of(&exactly(mass)?, BITS);
        Ok([Enclosure::exp_of(&loss, BITS)?, mass])
    });
    listed.collect()
}

/// h of a companion at a ratio, by its definition.
fn h(companion: &[[Enclosure; 2]], infinite: f64, g: &Rational) -> Result<Enclosure, Trouble> {
    let (zero, g) = (Enclosure::integer(0, BITS), Enclosure::of(g, BITS));
    let infinite = Enclosure::of(&exactly(infinite)?, BITS);
    let above = companion.iter().filter(|[ratio, _]| ratio.hi() > g.lo());
    Ok(above.fold(infinite, |sum, [ratio, mass]| {
        sum + mass * (ratio - &g).max(&zero)
    }))
}

/// The rational that a double is.
fn exactly(value: f64) -> Result<Rational, Trouble> {
    Ok(rational::from_f64(value)?)
}

/// The rational of a decimal that stands in the code.
fn number(text: &str) -> Result<Rational, Trouble> {
    Ok(rational::parse(text)?)
}

/// The doubles around it.
fn interval(text: &str) -> Result<dp_assay::accountant::interval::Interval, Trouble> {
    Ok(dp_assay::accountant::interval::Interval::of(&number(text)?))
}
