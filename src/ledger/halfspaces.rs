//! The claims of Nguyen, Ullman, Zakynthinou 2020 (`nuz20`): `spec/halfspaces.md`, row by row.
//!
//! The checks stand in four files: [`algorithms`] (privacy of the algorithms), [`noise`] (of their noise),
//! [`samples`] (sample complexity) and [`lower_bound`]; [`errata`] has what is left.

mod algorithms;
mod errata;
mod lower_bound;
mod noise;
mod samples;

use super::{Claim, Effort, Evidence, LedgerError, Status};

/// The claims of `spec/halfspaces.md`.
pub(super) const CLAIMS: &[Claim] = &[
    printed(
        "nuz20.alg1",
        "Algorithm 1, step 4",
        "The loss is convex in w with slope 100/(86 gamma), at least 1 where y<w,x> < gamma/10, 0 from 96 gamma/100 on, and at most (96 gamma + 100)/(86 gamma).",
        Status::Verified,
        algorithms::loss,
    ),
    printed(
        "nuz20.alg2",
        "Algorithm 2",
        "Where every A x is nonzero, Algorithm 2 is (epsilon, 0)-private under substitution: no output's probability moves by more than e^epsilon.",
        Status::Verified,
        algorithms::pure,
    ),
    ours(
        "nuz20.alg2.corrected",
        "Algorithm 2",
        "With x_A defined for A x = 0 as well (such a record is bad for every w), Algorithm 2 is (epsilon, 0)-private on all data.",
        Status::Verified,
        algorithms::pure_total,
    ),
    printed(
        "nuz20.alg3",
        "Algorithm 3",
        "Algorithm 3's transcript (the candidates and the choice among them) is (epsilon, delta)-private.",
        Status::Refuted,
        algorithms::algorithm_3,
    ),
    ours(
        "nuz20.alg3.corrected",
        "Algorithm 3",
        "With epsilon/(2k) and delta/k for each of k runs and epsilon/2 for the choice, it is (epsilon, delta)-private.",
        Status::Verified,
        algorithms::algorithm_3_corrected,
    ),
    printed(
        "nuz20.alg-F",
        "Algorithm 3, procedure F",
        "k runs at (epsilon/k, delta/k) and the exponential mechanism at epsilon are (epsilon, delta)-private together.",
        Status::Refuted,
        algorithms::procedure_f,
    ),
    ours(
        "nuz20.alg-F.corrected",
        "Algorithm 3, procedure F",
        "The total loss of a fixed w moves by at most R = (96 gamma + 100)/(86 gamma) under substitution, and R is attained: the choice at epsilon/2 with sensitivity R is (epsilon/2, 0)-private.",
        Status::Verified,
        algorithms::choice_sensitivity,
    ),
    printed(
        "nuz20.alg-noisegd",
        "Algorithm 3, line 12",
        "The variance 32 L^2 n^2 ln(n/delta) ln(1/delta) / epsilon^2 makes the noisy gradients (epsilon, delta)-private, for all epsilon and delta.",
        Status::Refuted,
        noise::printed_noise,
    ),
    ours(
        "nuz20.alg-noisegd.corrected",
        "Algorithm 3, line 12",
        "The certificate eps1 = (sqrt(2 ln(2/delta) + 2 epsilon) - sqrt(2 ln(2/delta)))/sqrt(T), amplification by a hidden record and the analytic Gaussian mechanism make T noisy gradients (epsilon, delta)-private, for all epsilon > 0 and delta in (0, 1).",
        Status::Verified,
        noise::certified_noise,
    ),
    ours(
        "nuz20.full-batch",
        "procedure F' (ours)",
        "k runs of T full gradients with discrete Gaussian noise of variance 2 k T / rho (unit points), and a choice at epsilon/2, are (epsilon, delta)-private for the rho of (epsilon/2, delta).",
        Status::Verified,
        noise::full_batch,
    ),
    printed(
        "nuz20.thm3",
        "Theorem 3",
        "There is an (epsilon, delta)-private F with excess loss sqrt(m) L |C| polylog(n, 1/beta, 1/delta) / epsilon with probability 1 - beta/4.",
        Status::Open,
        samples::theorem_3,
    ),
    printed(
        "nuz20.lem4",
        "Lemma 4",
        "With m >= ln(2/b) / (kappa^2/4 - kappa^3/6) rows, | |Ax|^2 - |x|^2 | > kappa |x|^2 with probability at most b, for each x.",
        Status::Verified,
        samples::johnson_lindenstrauss,
    ),
    printed(
        "nuz20.lem5",
        "Lemma 5",
        "For every given matrix A, all but 4 b of the distribution keeps margin 96 gamma/100.",
        Status::Refuted,
        samples::lemma_5,
    ),
    ours(
        "nuz20.lem5.corrected",
        "Lemma 5",
        "Whenever |A(x+w)| and |A(x-w)| are kept up to kappa, the margin of x_A by w_A is at least (gamma - kappa)/(1 + kappa): for each fixed record, with probability 1 - 2 b over A.",
        Status::Verified,
        samples::lemma_5_corrected,
    ),
    printed(
        "nuz20.thm6",
        "Theorem 6",
        "n = polylog / (alpha epsilon gamma^2) records suffice, for every epsilon.",
        Status::Refuted,
        samples::large_epsilon,
    ),
    ours(
        "nuz20.thm6.corrected",
        "Theorem 6",
        "Explicit n for the full-batch learner: training and generalisation requirements hold at the returned n.",
        Status::Verified,
        samples::theorem_6_corrected,
    ),
    printed(
        "nuz20.claim6.1",
        "Claim 6.1",
        "With that n the training error at margin gamma/10 is at most alpha/4 with probability 1 - beta/4.",
        Status::Open,
        samples::claim_6_1,
    ),
    printed(
        "nuz20.claim6.2",
        "Claim 6.2",
        "With n = polylog / (alpha epsilon gamma^2) records the error is at most alpha with probability 1 - beta/2.",
        Status::Refuted,
        samples::large_epsilon,
    ),
    ours(
        "nuz20.claim6.2.corrected",
        "Claim 6.2",
        "n >= (32/alpha)(ln(16/beta) + m ln(2 e n/m)) makes 4 (2en/m)^m e^(-alpha n/32) at most beta/4, with VC dimension m.",
        Status::Verified,
        samples::claim_6_2_corrected,
    ),
    printed(
        "nuz20.lem7",
        "Lemma 7",
        "Anthony and Bartlett's relative-deviation bound.",
        Status::Open,
        samples::lemma_7,
    ),
    ours(
        "nuz20.lem7.finite-class",
        "Lemma 7 (our replacement)",
        "For one hypothesis of error above 3 alpha/4, the training error is at most alpha/4 with probability at most e^(-n alpha/6).",
        Status::Verified,
        samples::finite_class,
    ),
    printed(
        "nuz20.thm8",
        "Theorem 8",
        "Algorithm 1, taken literally, is (epsilon, delta)-private.",
        Status::Refuted,
        algorithms::theorem_8,
    ),
    ours(
        "nuz20.thm8.corrected",
        "Theorem 8",
        "The repaired Algorithm 3 is (epsilon, delta)-private, jointly in (A, w).",
        Status::Verified,
        algorithms::algorithm_3_corrected,
    ),
    printed(
        "nuz20.lem9",
        "Lemma 9",
        "The exponential mechanism is (epsilon, 0)-private, and errs by more than (2 Delta/epsilon) ln(|O|/delta) with probability at most delta.",
        Status::Verified,
        algorithms::exponential_mechanism,
    ),
    printed(
        "nuz20.thm10",
        "Theorem 10",
        "Algorithm 2, taken literally, is (epsilon, 0)-private.",
        Status::Refuted,
        algorithms::theorem_10,
    ),
    ours(
        "nuz20.thm10.corrected",
        "Theorem 10",
        "Algorithm 2 with the total map x_A is (epsilon, 0)-private, jointly in (A, w).",
        Status::Verified,
        algorithms::theorem_10_corrected,
    ),
    printed(
        "nuz20.thm11",
        "Theorem 11",
        "n = polylog / (alpha epsilon gamma^2) records suffice for Algorithm 2, for every epsilon.",
        Status::Refuted,
        samples::large_epsilon,
    ),
    ours(
        "nuz20.thm11.corrected",
        "Theorem 11",
        "Explicit n for Algorithm 2, with the size of an explicit net.",
        Status::Verified,
        samples::theorem_11_corrected,
    ),
    printed(
        "nuz20.claim11.1",
        "Claim 11.1 (= 14.1)",
        "A net point within gamma/10 of w*_A errs on no record, and n >= (8/(alpha epsilon))(ln|W| + ln(4/beta)) makes the mechanism's error at most alpha/4.",
        Status::Verified,
        samples::claim_11_1,
    ),
    printed(
        "nuz20.claim14.2",
        "Claim 14.2",
        "With n = polylog / (alpha epsilon gamma^2) records the error is at most alpha with probability 1 - beta/2.",
        Status::Refuted,
        samples::large_epsilon,
    ),
    ours(
        "nuz20.claim14.2.corrected",
        "Claim 14.2",
        "n >= (6/alpha)(ln|W| + ln(4/beta)) makes |W| e^(-n alpha/6) at most beta/4: no VC theory is needed.",
        Status::Verified,
        samples::claim_14_2_corrected,
    ),
    ours(
        "nuz20.net",
        "Algorithm 2, step 3",
        "The lattice points k/q with q = ceil(sqrt(m)/(2r)) and |k| <= q + sqrt(m)/2 are within r of every point of the ball, and are counted exactly without being stored.",
        Status::Verified,
        samples::net,
    ),
    printed(
        "nuz20.thm12",
        "Theorem 12",
        "Every (epsilon, 0)-private (1/10, 1/10, gamma)-learner needs Omega(1/(epsilon gamma^2)) records.",
        Status::Verified,
        lower_bound::theorem_12,
    ),
    ours(
        "nuz20.thm12.corrected",
        "Theorem 12",
        "n epsilon >= 0.005711/gamma^2 + 1.40, for every classifier, proper or not.",
        Status::Verified,
        lower_bound::theorem_12_corrected,
    ),
    printed(
        "nuz20.claim12.1",
        "Claim 12.1 (= 15.1)",
        "At Hamming distance d/10 no classifier errs on both distributions with at most 1/10.",
        Status::Refuted,
        lower_bound::claim_12_1,
    ),
    ours(
        "nuz20.claim12.1.corrected",
        "Claim 12.1",
        "At Hamming distance d/4, with d <= 1/(1000 gamma^2), any classifier's two errors add up to more than 1/5.",
        Status::Verified,
        lower_bound::claim_12_1_corrected,
    ),
    printed(
        "nuz20.lem16",
        "Lemma 16",
        "If d = 1/(1000 gamma^2) then the band has mass p_gamma <= 0.2.",
        Status::Verified,
        lower_bound::lemma_16,
    ),
    printed(
        "nuz20.e1",
        "Claim 12.1, proof",
        "Two halfspaces at angle theta agree with probability theta/pi.",
        Status::Refuted,
        lower_bound::agreement,
    ),
    ours(
        "nuz20.e1.corrected",
        "Claim 12.1, proof",
        "They disagree with probability theta/pi: 0.2048 at Hamming distance d/10.",
        Status::Verified,
        lower_bound::disagreement,
    ),
    printed(
        "nuz20.e1-prime",
        "Algorithm 3, line 12",
        "The constant 32 of the noise variance is enough at n = 10, delta = 1/100, epsilon = 60.",
        Status::Refuted,
        noise::constant_32,
    ),
    ours(
        "nuz20.e1-prime.corrected",
        "Algorithm 3, line 12",
        "The unconditional certificate holds at large epsilon too.",
        Status::Verified,
        noise::certified_at_large_epsilon,
    ),
    printed(
        "nuz20.e2",
        "Algorithm 3, lines 8 to 10",
        "Candidates at (epsilon, delta) in all and a choice at epsilon spend (epsilon, delta).",
        Status::Refuted,
        algorithms::overspent,
    ),
    ours(
        "nuz20.e2.corrected",
        "Algorithm 3, lines 8 to 10",
        "Half of epsilon for the candidates and half for the choice: the same event's loss stays below epsilon.",
        Status::Verified,
        algorithms::split,
    ),
    printed(
        "nuz20.e3",
        "Section 2.1",
        "Pr[sign(<w,x>) != y] = Pr[y <w,x> < 0].",
        Status::Refuted,
        errata::ties,
    ),
    ours(
        "nuz20.e3.corrected",
        "Section 2.1",
        "Pr[y <w,x> <= 0], which counts ties as errors whatever sign(0) is.",
        Status::Verified,
        errata::ties_corrected,
    ),
    printed(
        "nuz20.e4",
        "Algorithms 1 and 2, step 2",
        "A x / |A x| is defined for every record of the unit ball.",
        Status::Refuted,
        algorithms::undefined_direction,
    ),
    ours(
        "nuz20.e4.corrected",
        "Algorithms 1 and 2, step 2",
        "x_A is defined for every record and matrix, record by record, with norm at most one.",
        Status::Verified,
        algorithms::total_direction,
    ),
    printed(
        "nuz20.e5",
        "Theorems 8, 10, proofs",
        "If w is private then so is w^T A, by post-processing.",
        Status::Refuted,
        errata::post_processing,
    ),
    ours(
        "nuz20.e5.corrected",
        "Theorems 8, 10, proofs",
        "The pair (A, w) is private, and w^T A is a function of it.",
        Status::Verified,
        errata::joint,
    ),
    printed(
        "nuz20.e6",
        "Algorithm 3, line 8",
        "ceil(ln(8/beta)) runs, each good with probability 1/2, all fail with probability at most beta/8.",
        Status::Refuted,
        errata::natural_logarithm,
    ),
    ours(
        "nuz20.e6.corrected",
        "Algorithm 3, line 8",
        "ceil(log2(8/beta)) runs do.",
        Status::Verified,
        errata::base_two,
    ),
    printed(
        "nuz20.e7",
        "Lemma 5, quantifiers",
        "Lemma 5 holds for every matrix.",
        Status::Refuted,
        samples::lemma_5,
    ),
    ours(
        "nuz20.e7.corrected",
        "Lemma 5, quantifiers",
        "It holds over the matrices, for each fixed record: the exact probability is at least 1 - 2 b.",
        Status::Verified,
        samples::lemma_5_over_matrices,
    ),
    printed(
        "nuz20.e8",
        "Theorems 6 and 11, Table 1",
        "The sample complexity falls like 1/epsilon for all epsilon.",
        Status::Refuted,
        samples::large_epsilon,
    ),
    ours(
        "nuz20.e8.corrected",
        "Theorems 6 and 11, Table 1",
        "With max(1, 1/epsilon) it stays above what learning needs without privacy.",
        Status::Verified,
        samples::large_epsilon_corrected,
    ),
    printed(
        "nuz20.e9",
        "Lemma 5, first display",
        "The display proves margin 0.98 gamma |x| for records of every norm.",
        Status::Refuted,
        errata::short_records,
    ),
    ours(
        "nuz20.e9.corrected",
        "Lemma 5, first display",
        "x_A does not depend on the norm of x, so that the lemma follows from unit records.",
        Status::Verified,
        errata::scale_free,
    ),
    printed(
        "nuz20.e10",
        "Claim 11.1, proof",
        "The covering number of the ball is at most C (10/gamma)^m, with one constant C for all m.",
        Status::Refuted,
        errata::covering_number,
    ),
    ours(
        "nuz20.e10.corrected",
        "Claim 11.1, proof",
        "The lattice net has at most (sqrt(2 pi e)(1 + 1/(2r) + 1/sqrt(m)))^m points.",
        Status::Verified,
        errata::lattice_size,
    ),
    printed(
        "nuz20.e11",
        "small errors a to m",
        "Items b, c, f, g and i of the list of small errors, as printed.",
        Status::Refuted,
        errata::small_ones,
    ),
];

/// A claim as the paper prints it.
const fn printed(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        id,
        paper: "nuz20",
        item,
        statement,
        as_printed: true,
        expects,
        check,
    }
}

/// A claim of ours about the paper: repaired, or explicit.
const fn ours(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        as_printed: false,
        ..printed(id, item, statement, expects, check)
    }
}

/// Verified if it holds, and refuted if it does not.
fn verified(holds: bool, method: &'static str, scope: impl Into<String>) -> Evidence {
    let status = if holds {
        Status::Verified
    } else {
        Status::Refuted
    };
    Evidence::new(method, status, scope)
}

/// Refuted if the counterexample stands; if it does not, the claim was not checked.
fn refuted(counterexample: bool, method: &'static str, scope: impl Into<String>) -> Evidence {
    let status = if counterexample {
        Status::Refuted
    } else {
        Status::Open
    };
    Evidence::new(method, status, scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_as_expected() {
        let effort = Effort {
            quick: true,
            seed: 1,
        };
        let unexpected: Vec<_> = CLAIMS
            .iter()
            .map(|claim| (claim, (claim.check)(&effort).unwrap()))
            .filter(|(claim, evidence)| evidence.status != claim.expects)
            .collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
    }
}
