//! Exact small instances, baselines and fairness.
//!
//! The checks stand in four files: [`small`] (the algorithm and its solvers on exact instances), [`audits`] (the
//! twelve adversarial ones), [`baselines`] and [`fairness`].

mod audits;
mod baselines;
mod fairness;
mod small;

use super::{Claim, Effort, Evidence, LedgerError, Status, ours, printed, refuted, verified};
use crate::number::Rational;
use crate::number::rational::{integer, ratio};
use crate::privacy::{Budget, NeighbouringRelation, PrivacyError};
use crate::random_features::as_printed::Algorithm1;

/// The claims of this file.
pub(super) const CLAIMS: &[Claim] = &[
    printed(
        "lnsx25.alg1",
        "Algorithm 1",
        "With complex features and real noise at the printed scale, the coefficients are (epsilon, delta)-private.",
        Status::Refuted,
        small::algorithm_1,
    ),
    printed(
        "lnsx25.alg1.as-coded",
        "Algorithm 1, the public code",
        "With features of norm about 1 and Delta = 4/sqrt(N), the coefficients are (epsilon, delta)-private.",
        Status::Refuted,
        small::as_coded,
    ),
    printed(
        "lnsx25.lemma9",
        "Lemma 9",
        "The l2 sensitivity of the coefficients of least norm is at most 2/sqrt(N(1 - 2 eta)).",
        Status::Refuted,
        small::lemma_9,
    ),
    printed(
        "lnsx25.eq4",
        "Equation (4)",
        "Where A A* has an inverse, A*(A A*)^-1 y is the interpolation of least norm.",
        Status::Verified,
        small::equation_4,
    ),
    printed(
        "lnsx25.e-z",
        "Section 2.1",
        "For m <= N the Moore-Penrose inverse is A(A A*)^-1.",
        Status::Refuted,
        small::misprinted_inverse,
    ),
    printed(
        "lnsx25.eq5",
        "Equation (5)",
        "The ridge coefficients come to those of least norm as lambda goes to 0.",
        Status::Verified,
        small::equation_5,
    ),
    ours(
        "lnsx25.e-l",
        "Lemma 9, for removal",
        "Where the larger dataset has lambda_min(A A*) >= N(1 - 2 eta), removal moves the coefficients by at most half of the printed bound.",
        Status::Verified,
        small::removal,
    ),
    printed(
        "lnsx25.kaczmarz",
        "Section 4.1",
        "Randomized Kaczmarz converges linearly to the interpolation of least norm.",
        Status::Verified,
        small::kaczmarz,
    ),
    printed(
        "lnsx25.e-x",
        "Section 4.1",
        "m steps of randomized Kaczmarz come close to the interpolation of least norm.",
        Status::Refuted,
        small::one_epoch,
    ),
    ours(
        "lnsx25.kaczmarz.corrected",
        "Section 4.1",
        "One pass of Kaczmarz in any fixed order ends at a point of norm at most |y|/sqrt(N): the sensitivity is at most 2|y|/sqrt(N), whatever the data.",
        Status::Verified,
        small::one_pass,
    ),
    ours(
        "lnsx25.a1",
        "audit A1: the imaginary part",
        "On X1 the event Im(output) = Im(c) has probability 1 on one dataset and 0 on its neighbour; with noise on both parts the pair is private.",
        Status::Verified,
        audits::imaginary_part,
    ),
    ours(
        "lnsx25.a2",
        "audit A2: near-duplicates",
        "On X6 a test tells the neighbours apart with probability above 0.84 as printed, and below 0.5412 after clipping or with ridge at the same noise.",
        Status::Verified,
        audits::near_duplicates,
    ),
    ours(
        "lnsx25.a3",
        "audit A3: the scale of the features",
        "With the code's features and Delta = 4/sqrt(N) a label swap at any record of any dataset that is interpolated has delta(1) > 0.8 at N = 10,000.",
        Status::Verified,
        audits::scale_of_the_features,
    ),
    ours(
        "lnsx25.a4",
        "audit A4: a single prediction",
        "The code's prediction at one training record alone is not (1, 1e-5)-private; with the printed noise on the paper's features it is.",
        Status::Verified,
        audits::single_prediction,
    ),
    ours(
        "lnsx25.a5",
        "audit A5: conflicting duplicates",
        "Equal inputs with different labels have no interpolation, and are an error; nearly equal ones have a huge one; ridge stays below |y|/(2 sqrt(Lambda)).",
        Status::Verified,
        audits::duplicates,
    ),
    ours(
        "lnsx25.a6",
        "audit A6: labels divided by their own norm",
        "One substituted label moves all normalised labels, and on orthonormal rows the coefficients by more than the code's Delta; with a public bound by at most 2/sqrt(m).",
        Status::Verified,
        audits::own_norm,
    ),
    ours(
        "lnsx25.a7",
        "audit A7: removal with lambda",
        "A penalty m lambda changes when a record is removed, and removal then moves the fit by more than the sensitivity at a fixed penalty.",
        Status::Verified,
        audits::tied_penalty,
    ),
    ours(
        "lnsx25.a8",
        "audit A8: all labels reversed",
        "Under the conditions of Lemma 9, y and -y are told apart with probability at most 0.5412 at epsilon = 1: the printed noise hides every dataset from every other.",
        Status::Verified,
        audits::reversed_labels,
    ),
    ours(
        "lnsx25.a9",
        "audit A9: the noise of the fairness experiments",
        "Noise of deviation 5 Delta/sqrt(2 epsilon) has delta above 10^-3 at the epsilon that is claimed, where 10^-5 is claimed.",
        Status::Verified,
        audits::fairness_noise,
    ),
    ours(
        "lnsx25.a10",
        "audit A10: the rate of the Gamma law",
        "Read as a scale, the rate epsilon/Delta of the Gamma mechanism loses more than 6 at epsilon = 1 and Delta = 3; read as a rate exactly epsilon.",
        Status::Verified,
        audits::gamma_rate,
    ),
    ours(
        "lnsx25.a12",
        "audit A12: floating point",
        "Added in double precision, noise of deviation 1 leaves in the low bits whether a coefficient is 0 or 1: an event of probability above 0.23 and 0, so that no epsilon helps.",
        Status::Verified,
        audits::low_bits,
    ),
    ours(
        "lnsx25.gamma-lattice",
        "Section 3.3, the Gamma mechanism",
        "On Z^d, noise of mass proportional to exp(-(epsilon/Delta)|k|) is (epsilon, 0)-private for queries of l2 sensitivity Delta, tightly; and is drawn exactly.",
        Status::Verified,
        baselines::gamma_on_the_lattice,
    ),
    ours(
        "lnsx25.gamma-lattice.high-dimension",
        "Section 3.3, the Gamma mechanism",
        "It is drawn exactly at the dimensions of the experiments, in the thousands.",
        Status::Open,
        baselines::gamma_in_high_dimension,
    ),
    printed(
        "lnsx25.rls",
        "Section 4.2, DP-RLS",
        "Regularised least squares has l2 sensitivity 2/(m lambda): for |x| <= 1 and labels of at most 1, or divided by their own norm.",
        Status::Refuted,
        baselines::least_squares,
    ),
    ours(
        "lnsx25.rls.normed-labels",
        "Section 4.2, DP-RLS",
        "With |x| <= 1, labels whose vector is promised to have norm at most 1, and Lambda = m lambda fixed, substitution moves the fit by at most 2/(m lambda).",
        Status::Verified,
        baselines::least_squares_of_normed_labels,
    ),
    ours(
        "lnsx25.rls.corrected",
        "Section 4.2, DP-RLS",
        "With |x| <= 1, |y| <= B and Lambda = m lambda it is at most the smaller of B sqrt(m/Lambda) and 2 B h (1 + sqrt(m-1)/(2 sqrt(Lambda))).",
        Status::Verified,
        baselines::least_squares_corrected,
    ),
    printed(
        "lnsx25.sgd",
        "Section 4.1, the SGD baseline as coded",
        "Delta = 4 e eta^2 (1 + sqrt(eta T))^2 k (1 + k) is an l2 sensitivity with probability 1 - delta/2, and noise scaled to it is (epsilon, delta)-private.",
        Status::Refuted,
        baselines::sgd,
    ),
    ours(
        "lnsx25.sgd.corrected",
        "Section 4.1, the SGD baseline",
        "For |phi| <= 1 and |y| <= 1, k visits to the substituted record move the last point by at most 2 eta k (1 + min(eta T, sqrt(eta T))); the root of the printed Delta is above that; at the rates the paper states the noisy point is (1/2, 1e-5)-private.",
        Status::Verified,
        baselines::sgd_corrected,
    ),
    printed(
        "lnsx25.def3",
        "Definition 3",
        "The excess risk of noise of covariance s^2 I is s^2 times the mean of |phi|^2, for squared loss: an equality.",
        Status::Verified,
        fairness::excess_risk,
    ),
    printed(
        "lnsx25.def4",
        "Definition 4 and equation (9)",
        "The excess risk gap is (s^2/2)|Tr H^a - Tr H|, exactly.",
        Status::Verified,
        fairness::gap,
    ),
    printed(
        "lnsx25.eq9",
        "Section 3.4, below equation (9)",
        "Tr H^a is the mean of |x|^2 over the group.",
        Status::Refuted,
        fairness::dropped_factor,
    ),
    printed(
        "lnsx25.def5",
        "Definition 5",
        "The statistical parity gap is a largest Kolmogorov-Smirnov distance, which a pass through the merged samples computes exactly.",
        Status::Verified,
        fairness::parity,
    ),
    ours(
        "lnsx25.claim-ks",
        "Section 4.2",
        "The distance over the points of a grid is at most the exact one, and can be 0 where that is 1.",
        Status::Verified,
        fairness::grid,
    ),
    printed(
        "lnsx25.e-k",
        "Sections 2.4 and 3.4",
        "For the random cosine features of the experiments xi_a = 0 for every group.",
        Status::Refuted,
        fairness::cosine_features,
    ),
    printed(
        "lnsx25.e-k.fourier",
        "Section 3.4",
        "For complex Fourier features xi_a = 0 for every group.",
        Status::Verified,
        fairness::fourier_features,
    ),
];

/// The budget (epsilon, 1e-5) under substitution.
fn budget(epsilon: Rational) -> Result<Budget, PrivacyError> {
    Budget::approximate(epsilon, delta(), NeighbouringRelation::Substitute)
}

/// `delta_p` of all experiments.
fn delta() -> Rational {
    ratio(1, 100_000)
}

/// Algorithm 1 at epsilon = 1 with the `eta` of the experiments, 3/8.
fn algorithm() -> Result<Algorithm1, PrivacyError> {
    Ok(Algorithm1 {
        eta: ratio(3, 8),
        claimed: budget(integer(1))?,
    })
}
