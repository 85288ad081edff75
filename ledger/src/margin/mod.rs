//! The claims of the paper, in its order, and the machinery that is for their evidence only.
//!
//! The claims are stated in `spec/margin.md`.
//!
//! | section of the paper | checks |
//! |---|---|
//! | 3.1, the pure learner (Algorithm 1) | `pure`, `cover` |
//! | 3.1, Theorem 3.1, and a lower bound beside it | `theorem`, `lower_bound` |
//! | 3.1, the Gibbs learner in its place | `gibbs`, `plane` |
//! | 3.2, Algorithms 2 and 4, Lemma 3.1, Theorem 3.2 | `efficient`, `descent` |
//! | 3.2, rounds that draw with replacement | `uses` |
//! | 4, random Fourier features | `frequencies`, `features` |
//! | 4, Algorithm 3 (proofs in Appendix C) | `kernel`, `kernel_bound` |
//! | 4, polynomial kernels | `polynomial` |
//! | 4, further extensions; Lemma A.4, fast projections | `maps` |
//! | 5, neural networks | `network`, `network_bound` |
//! | Appendix A, deviation bounds and projections | `deviation`, `projection` |
//! | Appendix D, the proof of Theorem 5.1 | `network_steps` |
//! | 6 and Appendix E, private labels | `labels` |
//! | Appendix F, the choice of a margin | `choice_of_margin`, `margin_by_hinge` |
//! | Appendices G and H, examples | `examples` |
//! | the rates of Section 3.2, and the size of networks | `rates` |
//! | the definition, and what is said outside numbered statements | `text` |
//!
//! Least hinge losses on the line are in `line`, and metered runs of the pure learners in `pairs`.

mod choice_of_margin;
mod cover;
mod descent;
mod deviation;
mod edges;
mod efficient;
mod examples;
mod features;
mod frequencies;
mod gibbs;
mod kernel;
mod kernel_bound;
mod labels;
mod line;
mod lower_bound;
mod maps;
mod margin_by_hinge;
mod network;
mod network_bound;
mod network_steps;
mod pairs;
mod plane;
mod polynomial;
mod printed;
mod projection;
mod pure;
mod rates;
mod text;
mod theorem;
mod uses;

use crate::claim::{Page, Registered};
use crate::common::record;
use dp_assay::coins::CoinsError;
use dp_assay::geometry::GeometryError;
use dp_assay::margin::MarginError;
use dp_assay::number::{Enclosure, Rational};

/// The working precision, in bits.
const BITS: u32 = 128;

/// The page of the paper's claims, and their checks.
pub const PAGE: Page = Page {
    paper: "bms22",
    title: "Bassily, Mohri, Suresh 2022: margin guarantees",
    path: "spec/margin.md",
    text: include_str!("../../pages/margin.md"),
    evidence: include_str!("../../evidence/bms22.txt"),
    checks: CHECKS,
};

/// The checks, in the order of the page, which is the paper's.
const CHECKS: &[Registered] = &[
    // 3.1. The pure learner
    ("bms22.alg1.dp", pure::privacy),
    ("bms22.alg1.cover", cover::size),
    ("bms22.alg1.norm", cover::norm),
    ("bms22.thm3_1", theorem::theorem_3_1),
    ("bms22.thm3_1.size", text::records_for_a_tenth),
    ("bms22.thm3_1.lower", lower_bound::lower_bound),
    ("bms22.gibbs", gibbs::privacy),
    ("bms22.gibbs.prior", gibbs::prior),
    ("bms22.gibbs.bound", gibbs::bound),
    ("bms22.thm3_1x", plane::gibbs_law),
    ("bms22.thm3_1x.kl", plane::one_draw),
    ("bms22.gibbs.rejection", plane::number_of_trials),
    // 3.2. Algorithms 2 and 4
    ("bms22.thm3_2.proj", efficient::clipping),
    ("bms22.alg2.k", efficient::printed_exponent),
    ("bms22.lem3_1.sens", descent::sensitivity),
    ("bms22.lem3_1.prox", descent::proximal_step),
    ("bms22.lem3_1.util", descent::excess),
    ("bms22.alg4.dp.paper", efficient::privacy_as_in_the_proof),
    ("bms22.alg4.dp.zcdp", efficient::privacy_with_a_cap),
    ("bms22.alg4.dp.mixture", efficient::privacy_of_the_mixture),
    ("bms22.thm3_2", efficient::theorem_3_2),
    ("bms22.thm3_2.rate", rates::of_algorithm_2),
    ("bms22.thm3_2.k", efficient::balanced_dimension),
    ("bms22.thm3_2.time", efficient::time),
    // 3.2. Rounds that draw with replacement
    ("bms22.lem3_1.mult", uses::multiplicity),
    ("bms22.uses", uses::accountant),
    ("bms22.lem3_1.priv", uses::groups),
    ("bms22.lem3_1.range", uses::range),
    // 4. Random Fourier features
    ("bms22.bochner", frequencies::bochner),
    ("bms22.rff.laws", frequencies::laws),
    ("bms22.thm4_1", features::kernel_of_all_pairs),
    ("bms22.thm4_1.norm", features::norm_of_features),
    ("bms22.thm4_2", kernel::range_of_the_theorem),
    ("bms22.thm4_2.corrected", kernel::privacy),
    ("bms22.thm4_2.bound", kernel_bound::bound),
    ("bms22.thm4_2.d", features::number_of_features),
    ("bms22.thm4_2.features", kernel::comparator),
    ("bms22.factC_1", kernel::minimiser),
    // 4. Polynomial kernels
    ("bms22.poly.kernel", polynomial::kernel),
    ("bms22.poly.norm", polynomial::norm),
    ("bms22.poly.kappa", polynomial::largest),
    // 4. Further extensions
    ("bms22.ext.tensor", maps::tensor_sketch),
    ("bms22.ext.tree", maps::tree_sketch),
    ("bms22.ext.fastfood", maps::fastfood),
    // 5. Neural networks
    ("bms22.sec5.dp", network::privacy),
    ("bms22.sec5.score", network::score),
    ("bms22.thm5_1", network_bound::theorem_5_1),
    ("bms22.thm5_1.k", network_bound::rows),
    ("bms22.thm5_1.corrected", network_bound::corrected),
    // Appendix A
    ("bms22.lemA_1", deviation::lemma_a_1),
    ("bms22.lemA_2", labels::relative_margin),
    ("bms22.lemA_2.fat", labels::fat_shattering),
    ("bms22.lemA_3", projection::lemma_a_3),
    ("bms22.lemA_3.one-sided", projection::one_sided),
    // Lemma A.4. Fast projections
    ("bms22.lemA_4", maps::fast_projection),
    ("bms22.lemA_4.two-stage", maps::two_stages),
    // Appendix D
    ("bms22.lemD_1", network_steps::lemma_d_1),
    ("bms22.claimD_2", network_steps::projections),
    ("bms22.claimD_3", network_steps::roundings),
    ("bms22.claimD_4", network_steps::choice),
    ("bms22.claimD_5", network_steps::distribution),
    // 6 and Appendix E. Private labels
    ("bms22.alg_label.dp", labels::privacy),
    ("bms22.alg_label.full", labels::features),
    ("bms22.thm6_1", labels::errors),
    // Appendix F. The choice of a margin
    ("bms22.algF.grid", text::outside_the_grid),
    ("bms22.gem", choice_of_margin::mechanism),
    ("bms22.algF", choice_of_margin::privacy),
    ("bms22.algF.hinge", margin_by_hinge::privacy),
    ("bms22.lemF_1", choice_of_margin::fixed_margins),
    (
        "bms22.lemF_1.corrected",
        choice_of_margin::union_over_margins,
    ),
    ("bms22.corF_2", choice_of_margin::with_hinge_losses),
    ("bms22.lemF_3", choice_of_margin::sensitivities),
    // Appendices G and H. Examples
    ("bms22.lemG_1", examples::bad_cover),
    ("bms22.e8", examples::direct_mechanism),
    ("bms22.appH", examples::large_norm),
    // Text
    ("bms22.def2_1", text::definition),
    ("bms22.e12", text::frequencies_among_features),
    ("bms22.e12.dimension", text::rows_for_a_margin),
    ("bms22.e12.coins", text::over_the_sample_alone),
    ("bms22.intro.pac", text::infinite_class),
    ("bms22.text.free", text::free_privacy),
    ("bms22.text.rate", text::rate),
    ("bms22.text.dimension", text::dimension),
    ("bms22.text.network", rates::of_networks),
    ("bms22.text.lambda", text::tunable),
    ("bms22.text.nonprivate", text::without_privacy),
    ("bms22.text.affine", text::affine),
    ("bms22.text.convex", text::convex),
    ("bms22.intro.constrained", text::constrained),
];

/// What the explorer needs to see of an error of a learner.
fn of_the_coins(error: MarginError) -> CoinsError {
    match error {
        MarginError::Coins(error) | MarginError::Geometry(GeometryError::Coins(error)) => error,
        _ => CoinsError::NoOutcome,
    }
}

/// An enclosure of a rational at the working precision.
fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}
