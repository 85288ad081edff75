//! The claims of our own numbers and samplers (`spec/samplers.md`): each sampler has exactly the law that it says.
//!
//! Two kinds of rows. The first runs the sampling code itself on every outcome of the layer below and
//! compares certified bounds: no chance is involved. The second draws from the real generator, as a
//! check that the sampler that runs is the one that was explored, by tests of stated level and power.
//!
//! | part of the page | file |
//! |---|---|
//! | the second arithmetic | `arithmetics` |
//! | which samplers are explored, over which draws | `ladder`, `rung` |
//! | bits to Bernoulli draws, attempts | `bits` |
//! | laws on the integers, vectors, the exponential mechanism | `laws` |
//! | the discrete Gaussian as noise | `noise` |
//! | sums of two laws; the privacy loss, its composition and its inverse | `losses` |
//! | prepared samplers, recycling, rounded noise of the real line | `prepared` |
//! | the generator that is used | `generator` |
//! | what scores of membership prove | `scores`, `half_lines` |

mod arithmetics;
mod bits;
mod generator;
mod half_lines;
mod ladder;
mod laws;
mod losses;
mod noise;
mod prepared;
mod rung;
mod scores;

use crate::claim::{Page, Registered};

/// The page of our own claims.
pub(super) const PAGE: Page = Page {
    paper: "dp-assay",
    title: "our own numbers and samplers",
    path: "spec/samplers.md",
    text: include_str!("../../pages/samplers.md"),
    evidence: include_str!("../../evidence/dp-assay.txt"),
    checks: CHECKS,
};

/// The checks, in the order of the page.
const CHECKS: &[Registered] = &[
    ("number.two-arithmetics", arithmetics::agree),
    ("sample.uniform-below", bits::uniform_below),
    ("sample.bernoulli", bits::bernoulli),
    ("sample.bernoulli-exp", bits::bernoulli_exp),
    ("sample.attempts", bits::attempts),
    ("sample.geometric", laws::geometric),
    ("sample.discrete-laplace", laws::discrete_laplace),
    ("sample.censored", laws::censored),
    ("sample.above-then-answer", laws::above_then_answer),
    ("sample.discrete-gaussian", laws::discrete_gaussian),
    ("sample.discrete-gaussian.zcdp", noise::zcdp),
    ("sample.discrete-gaussian.multivariate", noise::multivariate),
    (
        "sample.discrete-gaussian.multivariate.corrected",
        noise::multivariate_corrected,
    ),
    ("sample.discrete-gaussian.continuous", noise::continuous),
    ("sample.spherical-gaussian", laws::spherical),
    ("sample.exponential-mechanism", laws::exponential_mechanism),
    ("law.sum", losses::sum),
    ("privacy.loss-distribution", losses::loss_distribution),
    ("privacy.least-epsilon", losses::least_epsilon),
    ("privacy.laplace-threshold", losses::laplace_threshold),
    ("sample.table", prepared::table),
    ("sample.recycled", prepared::recycled),
    ("sample.prepared-bernoulli-exp", prepared::bernoulli_exp),
    ("sample.prepared-geometric", prepared::geometric),
    ("sample.prepared-laplace", prepared::laplace),
    ("sample.prepared-gaussian", prepared::gaussian),
    (
        "sample.prepared-exponential-mechanism",
        prepared::exponential_mechanism,
    ),
    ("sample.integer-scores", prepared::integer_scores),
    ("sample.rounded-laplace", prepared::rounded_laplace),
    ("sample.rounded-gaussian", prepared::rounded_gaussian),
    ("sample.rounded-gaussian-vector", prepared::rounded_vector),
    ("sample.uniform-below.generator", generator::uniform_below),
    ("sample.bernoulli.generator", generator::bernoulli),
    ("sample.bernoulli-exp.generator", generator::bernoulli_exp),
    ("sample.geometric.generator", generator::geometric),
    (
        "sample.discrete-laplace.generator",
        generator::discrete_laplace,
    ),
    (
        "sample.discrete-gaussian.generator",
        generator::discrete_gaussian,
    ),
    (
        "sample.exponential-mechanism.generator",
        generator::exponential_mechanism,
    ),
    (
        "sample.rounded-laplace.generator",
        generator::rounded_laplace,
    ),
    (
        "sample.rounded-gaussian.generator",
        generator::rounded_gaussian,
    ),
    (
        "sample.rounded-gaussian-vector.generator",
        generator::rounded_vector,
    ),
    ("stats.one-run", scores::one_run),
    ("stats.order-band", half_lines::order_band),
];

/// The working precision of the checks.
const BITS: u32 = 160;

/// `{1/2, 1, 3}`
fn list(values: &[impl ToString]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{{{}}}", values.join(", "))
}
