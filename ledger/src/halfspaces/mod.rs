//! The claims of the paper, in its order, and the machinery that is for their evidence only.
//!
//! The claims are stated in `spec/halfspaces.md`.
//!
//! | section of the paper | checks | with |
//! |---|---|---|
//! | 2.1, the error of a hypothesis | `definitions` | |
//! | 3, the efficient learner | `efficient`; `projection`: Lemmas 4 and 5; `sample_complexity`: Theorem 6, Lemma 7 | |
//! | 4 and B, the pure learner | `pure` | [`exhaustive`]: the exact privacy loss of Algorithm 2 on small domains |
//! | 5 and C, the lower bound | `lower_bound` | [`mod@band`]: the mass of the band; [`mod@bisector`]: what refutes Claim 12.1 |
//! | A.1, Algorithm 3 | `algorithm_3`, `noise`; `smoothed`: one run of F' on a smoothed loss | [`one_dimension`]: the exact law of a transcript |
//! | beside a model, ours | `held_out` | |
//! | all, small errors | `small_errors` | |

mod algorithm_3;
pub mod band;
pub mod bisector;
mod definitions;
mod edges;
mod efficient;
pub mod exhaustive;
mod guarantee;
mod held_out;
mod lower_bound;
mod metered;
mod noise;
pub mod one_dimension;
mod one_line;
mod projection;
mod pure;
mod sample_complexity;
mod small_errors;
mod smoothed;

use crate::claim::{Page, Registered};
use crate::common::record;
use dp_assay::coins::CoinsError;
use dp_assay::geometry::GeometryError;
use dp_assay::halfspaces::HalfspaceError;
use dp_assay::number::rational::integer;
use dp_assay::number::{Enclosure, NumberError, Rational};

/// The page of the paper's claims, and their checks.
pub const PAGE: Page = Page {
    paper: "nuz20",
    title: "Nguyen, Ullman, Zakynthinou 2020: large-margin halfspaces",
    path: "spec/halfspaces.md",
    text: include_str!("../../pages/halfspaces.md"),
    evidence: include_str!("../../evidence/nuz20.txt"),
    checks: CHECKS,
};

/// The checks, in the order of the page, which is the paper's.
const CHECKS: &[Registered] = &[
    // 2.1. Learning halfspaces
    ("nuz20.e3", definitions::ties),
    ("nuz20.e3.corrected", definitions::ties_corrected),
    ("nuz20.normalisation", definitions::normalised_records),
    ("nuz20.footnote1", definitions::thresholds),
    ("nuz20.table1", sample_complexity::running_time),
    // 3. The efficient learner
    ("nuz20.alg1", efficient::loss),
    ("nuz20.e4", projection::undefined_direction),
    ("nuz20.e4.corrected", projection::total_direction),
    ("nuz20.thm3", efficient::theorem_3),
    ("nuz20.thm3.corrected", efficient::theorem_3_corrected),
    ("nuz20.lem4", projection::johnson_lindenstrauss_lemma),
    ("nuz20.lem5", projection::lemma_5),
    ("nuz20.lem5.corrected", projection::lemma_5_corrected),
    ("nuz20.e9", projection::short_records),
    ("nuz20.e9.corrected", projection::scale_free),
    ("nuz20.display2", projection::display_2),
    ("nuz20.thm6", sample_complexity::theorem_6_at_large_epsilon),
    (
        "nuz20.thm6.corrected",
        sample_complexity::theorem_6_corrected,
    ),
    ("nuz20.thm6.run", guarantee::full_batch_run),
    (
        "nuz20.e8.corrected",
        sample_complexity::large_epsilon_corrected,
    ),
    ("nuz20.claim6.1", efficient::claim_6_1),
    ("nuz20.claim6.1.corrected", efficient::claim_6_1_corrected),
    ("nuz20.claim6.2", sample_complexity::claims_at_large_epsilon),
    (
        "nuz20.claim6.2.corrected",
        sample_complexity::claim_6_2_corrected,
    ),
    ("nuz20.growth", sample_complexity::growth),
    ("nuz20.lem7", sample_complexity::lemma_7),
    ("nuz20.lem7.sharper", sample_complexity::lemma_7_sharper),
    ("nuz20.lem7.finite-class", sample_complexity::finite_class),
    ("nuz20.thm8", efficient::theorem_8),
    ("nuz20.e5", efficient::post_processing),
    ("nuz20.e5.corrected", efficient::joint_law),
    // 4. The pure learner
    ("nuz20.alg2", pure::algorithm_2),
    ("nuz20.alg2.corrected", pure::algorithm_2_total),
    ("nuz20.net", pure::net),
    ("nuz20.lem9", pure::exponential_mechanism),
    ("nuz20.thm10", pure::theorem_10),
    (
        "nuz20.thm11",
        sample_complexity::theorem_11_at_large_epsilon,
    ),
    ("nuz20.thm11.corrected", pure::theorem_11_corrected),
    ("nuz20.thm11.one-line", one_line::one_line),
    ("nuz20.thm11.run", guarantee::pure_run),
    ("nuz20.claim11.1", pure::claim_11_1),
    ("nuz20.e10", pure::covering_number),
    ("nuz20.e10.corrected", pure::lattice_size),
    (
        "nuz20.claim14.2",
        sample_complexity::claims_at_large_epsilon,
    ),
    ("nuz20.claim14.2.corrected", pure::claim_14_2_corrected),
    // 5. The lower bound
    ("nuz20.thm12", lower_bound::theorem_12),
    ("nuz20.thm12.packing", lower_bound::theorem_12_by_packing),
    ("nuz20.thm12.corrected", lower_bound::theorem_12_corrected),
    ("nuz20.thm12.alpha", lower_bound::theorem_12_with_alpha),
    ("nuz20.code", lower_bound::words_of_the_code),
    ("nuz20.claim12.1", lower_bound::claim_12_1),
    (
        "nuz20.claim12.1.corrected",
        lower_bound::claim_12_1_corrected,
    ),
    ("nuz20.display13", lower_bound::display_13),
    ("nuz20.display14", lower_bound::display_14),
    ("nuz20.e1", lower_bound::agreement),
    ("nuz20.e1.corrected", lower_bound::disagreement_is_the_angle),
    ("nuz20.lem16", lower_bound::lemma_16),
    // A.1. Algorithm 3
    ("nuz20.alg3", algorithm_3::transcript),
    ("nuz20.alg3.output", algorithm_3::final_output),
    ("nuz20.alg3.corrected", algorithm_3::algorithm_3_corrected),
    ("nuz20.alg-F", algorithm_3::procedure_f),
    ("nuz20.alg-F.corrected", algorithm_3::choice),
    ("nuz20.e6", algorithm_3::natural_logarithm),
    ("nuz20.e6.corrected", algorithm_3::base_two),
    ("nuz20.alg-noisegd", noise::printed_noise),
    ("nuz20.alg-noisegd.last-point", algorithm_3::last_point),
    ("nuz20.alg-noisegd.corrected", noise::certified_noise),
    ("nuz20.full-batch", noise::full_batch_privacy),
    ("nuz20.full-batch.one-run", guarantee::one_run),
    ("nuz20.full-batch.smoothed", smoothed::smoothed),
    // Beside a model
    ("nuz20.held-out", held_out::held_out),
    // Small errors
    ("nuz20.e11", small_errors::number_of_words),
    ("nuz20.e11.net", small_errors::size_of_net),
    ("nuz20.e11.norm", small_errors::norm_of_output),
    ("nuz20.e11.vc", small_errors::dimension_of_halfspaces),
];

/// The working precision, in bits.
const BITS: u32 = 160;

/// `kappa^2/4 - kappa^3/6`.
fn exponent(kappa: &Rational) -> Rational {
    kappa.pow(2) / integer(4) - kappa.pow(3) / integer(6)
}

/// `ln(2/b)/E(kappa)`: so many rows keep a norm up to kappa, but for probability `b`.
fn rows_for(failure: &Rational, kappa: &Rational) -> Result<Enclosure, NumberError> {
    of(&(integer(2) / failure))
        .ln()?
        .divided_by(&of(&exponent(kappa)))
}

/// An enclosure of a rational at the working precision.
fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// What the explorer needs to see of an error of a learner.
fn of_the_coins(error: HalfspaceError) -> CoinsError {
    match error {
        HalfspaceError::Coins(error) | HalfspaceError::Geometry(GeometryError::Coins(error)) => {
            error
        }
        _ => CoinsError::NoOutcome,
    }
}
