//! The claims of the paper, in its order, and the machinery that is for their evidence only.
//!
//! The claims are stated in `spec/kernels.md`.
//!
//! | section of the paper | checks |
//! |---|---|
//! | 4, problems (1) and (2); Appendix A.1, bound (3) | `stability` |
//! | 4, the solver of (2) | `solver` |
//! | 3, kernels as integers; units | `kernel`, `equivariance` |
//! | Appendix A.1, Theorem 9; Theorem A in its place | `theorem_a`, `attacks` |
//! | 5, Algorithm 1 as printed, and repaired | `printed_interactive`, `printed_utility`, `interactive`, `sparse_vector` |
//! | Appendix B.1, Theorem 11 | `composition` |
//! | 6.1, Algorithm 2 and Theorem 4; 5, 12, 13 and Corollary 6; with Gaussian noise | `test_dependent`; `test_dependent_error`; `gaussian_targets` |
//! | 6.2, Algorithm 3 as printed, Theorems 7, 8, 14; repaired | `printed_test_independent`; `test_independent`, `linear_test_independent` |
//! | 2, Gaussian noise on functions: our release of coefficients, and sessions | `coefficients`, `process` |
//!
//! `edges` has what is out of range and what fails, for several rows; `printed` writes closed forms out again; `plain` has kernels by their definition and exact minimisers.

mod attacks;
mod coefficients;
mod composition;
mod edges;
mod equivariance;
mod gaussian_targets;
mod interactive;
mod kernel;
mod linear_test_independent;
mod plain;
mod printed;
mod printed_interactive;
mod printed_test_independent;
mod printed_utility;
mod process;
mod solver;
mod sparse_vector;
mod stability;
mod test_dependent;
mod test_dependent_error;
mod test_independent;
mod theorem_a;

use crate::claim::{Page, Registered};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::{KernelError, Record};
use dp_assay::number::{Grid, NumberError};

/// The working precision, in bits.
const BITS: u32 = 128;

/// The page of the paper's claims, and their checks.
pub const PAGE: Page = Page {
    paper: "jt13",
    title: "Jain, Thakurta 2013: learning with kernels",
    path: "spec/kernels.md",
    text: include_str!("../../pages/kernels.md"),
    evidence: include_str!("../../evidence/jt13.txt"),
    checks: CHECKS,
};

/// The checks, in the order of the page, which is the paper's.
const CHECKS: &[Registered] = &[
    // 4. The regularised empirical risk
    ("jt13.eq1", stability::printed_regulariser),
    ("jt13.eq2", stability::norm),
    ("jt13.eq2.gap", solver::gap),
    ("jt13.eq2.arrives", solver::arrives),
    ("jt13.eq2.solver", solver::solver),
    ("jt13.eq2.lipschitz", stability::lipschitz),
    // Appendix A.1. The sensitivity
    ("jt13.eq3", stability::sensitivity),
    ("jt13.eq3.solver", stability::steps),
    ("jt13.eq3.bias", stability::bias),
    ("jt13.eq3.squared", stability::squared_loss),
    ("jt13.eq3.squared.corrected", stability::clipped_labels),
    // Kernels and units
    ("jt13.kernel.gaussian", kernel::gaussian),
    ("jt13.kernel.precomputed", kernel::precomputed),
    ("jt13.equivariance", equivariance::equivariance),
    // Theorem 9, and Theorem A in its place
    ("jt13.thmA", theorem_a::theorem_a),
    ("jt13.thmA.attacks", attacks::attacks),
    ("jt13.corA1", theorem_a::corollary_a1),
    ("jt13.corA2", theorem_a::corollary_a2),
    ("jt13.thm9", theorem_a::theorem_9),
    // 5. Algorithm 1 as printed
    ("jt13.alg1.eps0", printed_interactive::printed_noise),
    ("jt13.thm2", printed_interactive::theorem_2),
    (
        "jt13.thm2.corrected",
        printed_interactive::theorem_2_corrected,
    ),
    ("jt13.alg1.B", printed_utility::units_of_updates),
    ("jt13.alg1.sign", printed_utility::sign),
    ("jt13.sec5.prediction", printed_utility::answer_of_an_update),
    ("jt13.alg1.halts", printed_utility::halts),
    ("jt13.thm10", printed_utility::theorem_10),
    ("jt13.thm3", printed_utility::theorem_3),
    ("jt13.thm3.corrected", printed_utility::theorem_3_corrected),
    // 5. The interactive model, repaired
    ("jt13.nt", |check| {
        interactive::privacy(check)?;
        edges::noisy_answers_fail(check)
    }),
    ("jt13.nt.error", interactive::error),
    ("jt13.svt", sparse_vector::privacy),
    ("jt13.svt.error", sparse_vector::error),
    // B.1. Composition
    ("jt13.thm11", composition::theorem_11),
    // 6.1. Algorithm 2
    ("jt13.thm4", test_dependent::hidden_constant),
    ("jt13.thm4.corrected", test_dependent::closed_form),
    ("jt13.thm4.exact", test_dependent::exact_noise),
    ("jt13.alg2.span", test_dependent::in_the_span),
    ("jt13.thm5.core", test_dependent::core),
    ("jt13.thm5", test_dependent_error::one_public_point),
    ("jt13.thm5.corrected", test_dependent_error::excess),
    ("jt13.thm12", test_dependent_error::no_range),
    ("jt13.thm12.corrected", test_dependent_error::deviation),
    ("jt13.thm13", test_dependent_error::one_public_point),
    ("jt13.cor6", test_dependent_error::absolute_risk),
    ("jt13.cor6.factor", test_dependent_error::factor),
    ("jt13.cor6.corrected", test_dependent_error::sample_size),
    ("jt13.tddl.gaussian", gaussian_targets::gaussian_targets),
    // 6.2. Algorithm 3
    ("jt13.alg3.output", printed_test_independent::last_iterate),
    ("jt13.alg3.B", printed_test_independent::printed_rounds),
    ("jt13.thm7", printed_test_independent::literal_exponent),
    ("jt13.thm7.proof", printed_test_independent::proof),
    (
        "jt13.thm7.corrected",
        printed_test_independent::repaired_exponent,
    ),
    ("jt13.tdil", |check| {
        test_independent::privacy(check)?;
        edges::large_scores(check)?;
        edges::test_independent_fails(check)
    }),
    ("jt13.thm8", printed_test_independent::printed_rate),
    ("jt13.thm8.log", printed_test_independent::logarithm),
    ("jt13.thm8.second", printed_test_independent::second_term),
    ("jt13.thm8.factors", printed_test_independent::factors),
    ("jt13.thm8.linear", linear_test_independent::updates),
    ("jt13.thm8.corrected", test_independent::error),
    ("jt13.thm14", printed_test_independent::no_records),
    ("jt13.intro.d13", printed_test_independent::samples),
    (
        "jt13.sec4.exponential",
        printed_test_independent::growth_of_net,
    ),
    ("jt13.tdil.linear", linear_test_independent::linear),
    ("jt13.sec6.linear", linear_test_independent::mixture),
    // Gaussian noise on the minimiser
    ("jt13.gp.coefficients", coefficients::privacy),
    ("jt13.gp.error", coefficients::at_fixed_points),
    ("jt13.gp.error.adaptive", coefficients::everywhere),
    ("jt13.gp.online", process::online),
    ("jt13.gp.adaptive", process::adaptive),
    ("jt13.gp.equivariance", coefficients::equivariance),
    ("jt13.hall", coefficients::quadratically_many),
];

/// The multiples of `2^-bits`.
fn grid(bits: u32) -> Result<Grid, NumberError> {
    Grid::new(bits)
}

/// The integers of up to `radius` in `d` dimensions: a domain with a grid of step 1.
fn integers(d: usize, radius: u64) -> Result<Domain, KernelError> {
    Ok(Domain::new(grid(0)?, d, radius)?)
}

fn record(coordinates: &[i32], label: i64) -> Record {
    Record {
        point: Point::dense(coordinates),
        label,
    }
}
