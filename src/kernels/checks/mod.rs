//! The claims of the paper, in its order, and the machinery that is for their evidence only.
//!
//! The claims are stated in `spec/kernels.md`.
//!
//! | section of the paper | checks |
//! |---|---|
//! | Appendix A.1, Theorem 9; Theorem A in its place | `theorem_a`, `attacks` |
//! | Appendix B.1, Theorem 11 | `composition` |

mod attacks;
mod composition;
mod theorem_a;

use crate::claim::{Page, Registered};

/// The working precision, in bits.
const BITS: u32 = 128;

/// The page of the paper's claims, and their checks.
pub const PAGE: Page = Page {
    paper: "jt13",
    title: "Jain, Thakurta 2013: learning with kernels",
    path: "spec/kernels.md",
    text: include_str!("../../../spec/kernels.md"),
    checks: CHECKS,
};

/// The checks, in the order of the page, which is the paper's.
const CHECKS: &[Registered] = &[
    // Theorem 9, and Theorem A in its place
    ("jt13.thmA", theorem_a::theorem_a),
    ("jt13.thmA.attacks", attacks::attacks),
    ("jt13.corA1", theorem_a::corollary_a1),
    ("jt13.corA2", theorem_a::corollary_a2),
    ("jt13.thm9", theorem_a::theorem_9),
    // B.1. Composition
    ("jt13.thm11", composition::theorem_11),
];
