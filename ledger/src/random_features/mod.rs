//! The checks of the claims of `spec/random-features.md`, in the paper's order, and what only they need.
//!
//! | section | files |
//! |---|---|
//! | 2 | `preliminaries`, `interpolation`; `fairness` with the two measures of `measures` |
//! | 3.1 | `algorithm_1` as printed and as coded, `hidden_order` for the program of the figures; `repairs` |
//! | 3.2 | `privacy`, `gram`, `impossibility` |
//! | 3.3 | `generalisation`, `noise`; the Gamma mechanism in `gamma_noise` |
//! | 4 | `kaczmarz`, `least_squares`, `gradient_descent`, `figures` |
//! | appendix | `approximation` with the targets of `two_valued_targets` |
//!
//! [`instances`] has the small exact datasets; `metered` runs the shipped learners on the meter, for their rows.

mod algorithm_1;
mod approximation;
mod edges;
mod fairness;
mod figures;
mod gamma_noise;
mod generalisation;
mod gradient_descent;
mod gram;
mod hidden_order;
mod impossibility;
pub mod instances;
mod interpolation;
mod kaczmarz;
mod least_squares;
mod measures;
mod metered;
mod noise;
mod preliminaries;
mod printed;
mod privacy;
mod repairs;
mod two_valued_targets;

use crate::budgets;
use crate::claim::{Page, Registered};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{Complex, difference, squared_norm};
use dp_assay::privacy::{Budget, NeighbouringRelation, PrivacyError};
use dp_assay::random_features::as_printed::Algorithm1;
use dp_assay::random_features::bounds::Setting;
use dp_assay::random_features::{Domain, Record};
use std::fmt::Display;

/// The page of the paper, and the checks of its claims.
pub const PAGE: Page = Page {
    paper: "lnsx25",
    title: "Liao, Needell, Schaeffer, Xue 2025: random features",
    path: "spec/random-features.md",
    text: include_str!("../../pages/random-features.md"),
    evidence: include_str!("../../evidence/lnsx25.txt"),
    checks: CHECKS,
};

/// The checks, in the order of the page.
const CHECKS: &[Registered] = &[
    // Section 2
    ("lnsx25.e-z", interpolation::misprinted_inverse),
    ("lnsx25.def1", preliminaries::definition_1),
    ("lnsx25.def2", preliminaries::definition_2),
    ("lnsx25.def3", fairness::excess_risk),
    ("lnsx25.def4", fairness::gap),
    ("lnsx25.def5", fairness::parity),
    ("lnsx25.claim-ks", fairness::grid),
    ("lnsx25.thm6", preliminaries::theorem_6),
    ("lnsx25.thm6.hoeffding", gram::theorem_6_hoeffding),
    ("lnsx25.eq4", interpolation::equation_4),
    ("lnsx25.eq5", interpolation::equation_5),
    // Section 3.1
    ("lnsx25.alg1", algorithm_1::as_printed),
    ("lnsx25.alg1.complex", algorithm_1::complex),
    ("lnsx25.a1", algorithm_1::imaginary_part),
    ("lnsx25.a2", algorithm_1::near_duplicates),
    ("lnsx25.a5", algorithm_1::duplicates),
    ("lnsx25.a6", algorithm_1::own_norm),
    ("lnsx25.a7", algorithm_1::tied_penalty),
    ("lnsx25.a12", algorithm_1::low_bits),
    ("lnsx25.alg1.as-coded", algorithm_1::as_coded),
    (
        "lnsx25.alg1.as-coded.kaczmarz",
        hidden_order::as_coded_by_kaczmarz,
    ),
    ("lnsx25.a3", algorithm_1::scale_of_the_features),
    ("lnsx25.a4", algorithm_1::single_prediction),
    // The repairs
    ("lnsx25.alg1.corrected", repairs::algorithm_1),
    ("lnsx25.r1", repairs::clipping),
    ("lnsx25.r2", repairs::normed_labels),
    ("lnsx25.r3", repairs::bounded_labels),
    ("lnsx25.r4", repairs::clipped_kaczmarz),
    ("lnsx25.r5", repairs::noisy_statistics),
    ("lnsx25.r6", repairs::clipped_gradient_descent),
    ("lnsx25.adassp", repairs::adassp),
    ("lnsx25.adassp.steps", repairs::adassp_steps),
    // Section 3.2
    ("lnsx25.thm7", privacy::theorem_7),
    ("lnsx25.thm7.threshold", privacy::theorem_7_threshold),
    ("lnsx25.thm8", gram::theorem_8),
    ("lnsx25.thm8a", gram::separation),
    ("lnsx25.thm8b", gram::both_edges),
    ("lnsx25.thm8c", gram::lower_edge),
    ("lnsx25.thm8d", gram::gaussian_data),
    ("lnsx25.thm8.necessary", gram::necessary),
    ("lnsx25.e-i", gram::hypotheses),
    ("lnsx25.lemma9", privacy::lemma_9),
    ("lnsx25.lemma9.corrected", privacy::lemma_9_corrected),
    ("lnsx25.e-n", privacy::turned_labels),
    ("lnsx25.e-p", impossibility::gaussian_noise),
    ("lnsx25.e-p.any-noise", impossibility::any_noise),
    // Section 3.3
    ("lnsx25.claim-rkhs", approximation::function_space),
    ("lnsx25.thm10", generalisation::theorem_10),
    (
        "lnsx25.thm10.corrected",
        generalisation::theorem_10_corrected,
    ),
    ("lnsx25.thm11", generalisation::theorem_11),
    (
        "lnsx25.thm11.corrected",
        generalisation::theorem_11_corrected,
    ),
    ("lnsx25.thm12", noise::theorem_12),
    ("lnsx25.thm12.corrected", noise::theorem_12_corrected),
    ("lnsx25.e-w", noise::grows_with_features),
    ("lnsx25.lemma13", noise::lemma_13),
    ("lnsx25.lemma13.corrected", noise::lemma_13_corrected),
    ("lnsx25.e-h", noise::sub_exponential),
    ("lnsx25.e-j", noise::gamma_length),
    ("lnsx25.e-j.corrected", noise::gamma_length_corrected),
    ("lnsx25.claim-gamma-epsilon", noise::gamma_in_epsilon),
    ("lnsx25.claim-gamma-features", noise::gamma_in_features),
    ("lnsx25.gamma-lattice", gamma_noise::gamma_on_the_lattice),
    (
        "lnsx25.gamma-lattice.high-dimension",
        gamma_noise::gamma_in_high_dimension,
    ),
    ("lnsx25.a10", gamma_noise::gamma_rate),
    // Section 3.4
    ("lnsx25.eq9", fairness::dropped_factor),
    ("lnsx25.e-k", fairness::cosine_features),
    ("lnsx25.e-k.fourier", fairness::fourier_features),
    // Section 4
    ("lnsx25.kaczmarz", kaczmarz::convergence),
    ("lnsx25.e-x", kaczmarz::one_epoch),
    ("lnsx25.kaczmarz.corrected", kaczmarz::one_pass),
    ("lnsx25.claim-solver", kaczmarz::choice_of_solver),
    ("lnsx25.sgd", gradient_descent::as_coded),
    ("lnsx25.sgd.corrected", gradient_descent::corrected),
    ("lnsx25.e-q", figures::closed_forms),
    ("lnsx25.claim-gaussian-gamma", figures::gaussian_below_gamma),
    ("lnsx25.fig1", figures::figure_1),
    ("lnsx25.fig2", figures::figure_2),
    ("lnsx25.fig3", figures::figure_3),
    ("lnsx25.fig4", figures::figure_4),
    ("lnsx25.fig4.wine", figures::figure_4_wine),
    ("lnsx25.fig5", figures::figure_5),
    ("lnsx25.fig6", figures::figure_6),
    ("lnsx25.tab1", figures::table_1),
    ("lnsx25.claim-same-noise", least_squares::same_noise),
    ("lnsx25.rls", least_squares::printed_bound),
    ("lnsx25.rls.normed-labels", least_squares::normed_labels),
    ("lnsx25.rls.corrected", least_squares::corrected),
    ("lnsx25.a9", figures::fairness_noise),
    ("lnsx25.claim-gaps", fairness::smaller_gaps),
    ("lnsx25.fig7", fairness::figure_7),
    ("lnsx25.fig8", fairness::figure_8),
    ("lnsx25.fig9", figures::figure_9),
    ("lnsx25.tab2", figures::table_2),
    // Appendix
    ("lnsx25.lemma14", approximation::lemma_14),
    (
        "lnsx25.lemma14.corrected",
        approximation::lemma_14_corrected,
    ),
    ("lnsx25.lemma15", approximation::lemma_15),
    (
        "lnsx25.lemma15.corrected",
        approximation::lemma_15_corrected,
    ),
    ("lnsx25.lemma16", approximation::lemma_16),
    (
        "lnsx25.lemma16.corrected",
        approximation::lemma_16_corrected,
    ),
    ("lnsx25.eq16", generalisation::equation_16),
    ("lnsx25.e-u", approximation::quantifiers),
    ("lnsx25.e-t", generalisation::equation_17),
];

/// Records of one coordinate in quarters and a label in halves, of size at most 1.
fn domain(neighbours: NeighbouringRelation, records: usize) -> Result<Domain, NumberError> {
    Ok(Domain {
        input_grid: Grid::new(2)?,
        dimension: 1,
        largest_feature: 4,
        label_grid: Grid::new(1)?,
        largest_label: 2,
        neighbours,
        records,
    })
}

/// In steps of those grids.
fn record(x: i64, label: i64) -> Record {
    Record {
        features: vec![x],
        label,
    }
}

/// `delta_p` of all experiments.
fn delta() -> Rational {
    ratio(1, 100_000)
}

/// The budget (epsilon, 1e-5) under substitution.
fn budget(epsilon: Rational) -> Result<Budget, PrivacyError> {
    budgets::approximate(epsilon, delta())
}

/// Algorithm 1 at epsilon = 1 with the `eta` of the experiments, 3/8.
fn algorithm() -> Result<Algorithm1, PrivacyError> {
    Ok(Algorithm1 {
        eta: ratio(3, 8),
        claimed: budget(integer(1))?,
    })
}

/// `mu = distance / standard deviation` for two outputs of Algorithm 1 at this squared distance, where all of the
/// output has noise.
fn mu(
    algorithm: &Algorithm1,
    squared_distance: &Rational,
    frequencies: u64,
) -> Result<Enclosure, OptimiseError> {
    let squared =
        Enclosure::of(squared_distance, 160).divided_by(&algorithm.variance(frequencies)?)?;
    Ok(squared.sqrt()?)
}

/// `m` records and `N` frequencies at `eta = 3/8`, budget (1, 1e-5) and failure 0.05: the paper's experiments,
/// where they say.
fn setting(records: u64, features: u64) -> Setting {
    Setting {
        records,
        features,
        eta: ratio(3, 8),
        epsilon: integer(1),
        delta: delta(),
        failure: ratio(1, 20),
    }
}

/// The probability that the best test at equal errors tells two normal laws at distance `mu` apart: `Phi(mu/2)`.
fn told_apart(mu: &Enclosure) -> Enclosure {
    mu.shifted(-1).normal_cdf()
}

/// Two records and `n` features that are quarter turns: the first row is all ones, and the second is each of the
/// `4^n` in turn. (A phase common to a column changes its coefficient by that phase and nothing else.)
fn all_second_rows(n: u32) -> impl Iterator<Item = Vec<Vec<Complex>>> {
    let ones = vec![Complex::quarter_turns(0); n as usize];
    (0..4u32.pow(n)).map(move |code| {
        let second = (0..n).map(|place| Complex::quarter_turns(code >> (2 * place)));
        vec![ones.clone(), second.collect()]
    })
}

fn squared_distance(a: &[Complex], b: &[Complex]) -> Rational {
    squared_norm(&difference(a, b))
}

/// A vector or a matrix row, for an instance or a figure.
fn list<T: Display>(values: &[T]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", texts.join(", "))
}

/// The second of two rows, by which [`all_second_rows`] differ.
fn second(rows: &[Vec<Complex>]) -> String {
    rows.get(1).map_or_else(String::new, |row| list(row))
}

/// The largest value seen, and on which instance.
struct Largest<T> {
    value: T,
    instance: String,
}

impl<T: PartialOrd> Largest<T> {
    /// Nothing seen so far: `least` is at most all that can come.
    fn from(least: T) -> Self {
        Self {
            value: least,
            instance: "none".to_owned(),
        }
    }

    fn see(&mut self, value: T, instance: impl Display) {
        if value > self.value {
            self.value = value;
            self.instance = instance.to_string();
        }
    }
}
