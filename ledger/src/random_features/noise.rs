//! Lemma 13, Theorem 12 and the length of the Gamma mechanism's noise.

use super::measures::mean_square_over_signs;
use super::privacy::rational_features;
use super::{Largest, algorithm, setting};
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::random_features::bounds::{Setting, noise};
use dp_assay::stats::chi_square;
use num_traits::Zero;

const BITS: u32 = 128;

pub(super) fn lemma_13(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_lemma_13(check)?;
    check.certified("epsilon = 1, delta_p = 1e-5, delta = 0.01 and 0.1, N = 1, 2, 10, 100, 1000, 5000, exact chi-square tails; eta cancels");
    for failure in ["0.01", "0.1"] {
        for features in [1, 2, 10, 100, 1000, 5000] {
            let setting = Setting {
                failure: parse(failure)?,
                ..setting(1000, features)
            };
            let holds = noise::lemma_13_holds(&setting)?;
            let claimed = integer(1) - &setting.failure;
            check.refutes(
                holds.is_below_rational(&claimed),
                "N = 10, delta = 0.01, and the other N: the bound is a quarter of the mean of |z|^2, and a little",
            );
            check.figure(
                format_args!("N = {features}, delta = {failure}: holds with probability"),
                format_args!("{holds}, claimed {claimed}"),
            );
        }
    }
    Ok(())
}

pub(super) fn lemma_13_corrected(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_lemma_13(check)?;
    let sizes: &[u64] = &[1, 2, 3, 10, 100, 1000, 5000];
    let sizes = if check.quick() { &sizes[..6] } else { sizes };
    check.certified(format_args!(
        "N in {sizes:?}, delta in {{0.5, 0.1, 0.01, 1e-6, 1e-12}}, exact chi-square tails"
    ));
    for &features in sizes {
        let mut worst = Largest::from(Rational::zero());
        for failure in ["0.5", "0.1", "0.01", "1e-6", "1e-12"] {
            let allowed = parse(failure)?;
            // The bound on |z|^2 in units of sigma^2.
            let setting = Setting {
                failure: allowed.clone(),
                ..setting(1000, features)
            };
            let variance = noise::expected_square(&setting)?
                .divided_by(&Enclosure::integer(features, BITS))?;
            let level = noise::lemma_13_corrected(&setting)?.divided_by(&variance)?;
            let exact = chi_square::upper_tail(features, &level)?;
            check.holds(
                exact.upper() <= allowed,
                format_args!("N = {features}, delta = {failure}: fails with probability {exact}"),
            );
            worst.see(exact.upper() / allowed, failure);
        }
        check.figure(
            format_args!(
                "N = {features}: probability of failure over delta, at most (delta = {})",
                worst.instance
            ),
            to_scientific(&worst.value, 3),
        );
    }
    Ok(())
}

pub(super) fn sub_exponential(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_lemma_13(check)?;
    check.certified("N = 1, delta = 1e-6; where 8 ln(1/delta) <= N: N = 20, delta = 0.1 and N = 100, delta = 1e-5; exact chi-square tails");
    let exceeds = |features: u64, failure: &str| -> Result<(Enclosure, Rational), Trouble> {
        let failure = parse(failure)?;
        let level = noise::sub_exponential_level(features, &failure)?;
        Ok((chi_square::upper_tail(features, &level)?, failure))
    };
    let (one, failure) = exceeds(1, "1e-6")?;
    check.holds(
        one.is_above_rational(&failure),
        "N = 1, delta = 1e-6: the tail of chi-square with one degree of freedom is heavier",
    );
    check.figure("N = 1, delta = 1e-6: fails with probability", one);
    // Within the range of the Gaussian part.
    for (features, delta) in [(20, "0.1"), (100, "1e-5")] {
        let (inside, failure) = exceeds(features, delta)?;
        check.holds(
            inside.upper() <= failure,
            format_args!("N = {features}, delta = {delta}: fails with probability {inside}"),
        );
        check.figure(
            format_args!("N = {features}, delta = {delta}: fails with probability"),
            inside,
        );
    }
    Ok(())
}

pub(super) fn gamma_length(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_lemma_13(check)?;
    check.certified(
        "delta = 0.1, N in {100, 1000, 5000}, exact chi-square tails; eta and epsilon cancel",
    );
    let failure = ratio(1, 10);
    let claimed = integer(1) - &failure / integer(2);
    for features in [100, 1000, 5000] {
        let holds = noise::gamma_length_holds(features, &failure)?;
        check.refutes(
            holds.is_below_rational(&claimed),
            "delta = 0.1, N = 100, 1000 and 5000: the bound is sqrt(1/2) of what Chebyshev gives",
        );
        check.figure(
            format_args!("N = {features}: holds with probability"),
            format_args!("{holds}, claimed {claimed}"),
        );
    }
    Ok(())
}

pub(super) fn gamma_length_corrected(check: &mut Check) -> Result<(), Trouble> {
    check
        .certified("N in {1, 2, 10, 100, 1000}, delta in {0.9, 0.1, 0.01}, exact chi-square tails");
    for features in [1, 2, 10, 100, 1000] {
        for delta in ["0.9", "0.1", "0.01"] {
            let failure = parse(delta)?;
            let found = noise::gamma_length_corrected_holds(features, &failure)?;
            check.holds(
                found.is_above_rational(&(integer(1) - &failure / integer(2))),
                format_args!("N = {features}, delta = {delta}: holds with probability {found}"),
            );
            if delta == "0.1" {
                check.figure(
                    format_args!("N = {features}, delta = 0.1: holds with probability"),
                    found,
                );
            }
        }
    }
    Ok(())
}

/// The squared bound on the Gamma noise over Lemma 13's, both as printed, at `m = 1000` and this `N` and epsilon.
fn gamma_over_gaussian(features: u64, epsilon: &Rational) -> Result<Enclosure, Trouble> {
    let setting = Setting {
        epsilon: epsilon.clone(),
        ..setting(1000, features)
    };
    let gamma = noise::gamma_length_printed(&setting)?.squared();
    Ok(gamma.divided_by(&noise::lemma_13_printed(&setting)?)?)
}

pub(super) fn gamma_in_epsilon(check: &mut Check) -> Result<(), Trouble> {
    check.certified("both bounds as printed, N = 1200 and 5000, delta = 0.05, delta_p = 1e-5: epsilon = 1/2 and 1e-6; and epsilon = 1/4, 1/2, 1 for the other reading");
    for features in [1200, 5000] {
        let [usual, tiny] = [ratio(1, 2), ratio(1, 1_000_000)]
            .map(|epsilon| gamma_over_gaussian(features, &epsilon));
        let (usual, tiny) = (usual?, tiny?);
        // Over six orders of epsilon the quotient moves by less than a fiftieth: both grow as 1/epsilon^2.
        let limit = &usual * Enclosure::of(&ratio(51, 50), BITS);
        check.refutes(
            tiny.is_below(&limit),
            "N = 1200 and 5000: from epsilon = 1/2 to 1e-6 both squared bounds grow as 1/epsilon^2",
        );
        check.figure(
            format_args!(
                "N = {features}: Gamma's squared bound over Lemma 13's at epsilon = 1/2, 1e-6"
            ),
            format_args!("{usual}, {tiny}"),
        );
        for epsilon in [ratio(1, 4), ratio(1, 2), integer(1)] {
            let found = gamma_over_gaussian(features, &epsilon)?;
            check.holds(
                found.is_above_rational(&integer(1)),
                format_args!("N = {features}, epsilon = {epsilon}: the quotient is {found}"),
            );
        }
    }
    Ok(())
}

pub(super) fn gamma_in_features(check: &mut Check) -> Result<(), Trouble> {
    check.certified("N = 10^2, 10^3, 10^4, 10^6, epsilon = 1/2 and 1, delta = 0.05, delta_p = 1e-5, eta = 3/8: both bounds as printed, and the exact mean squares");
    for epsilon in [ratio(1, 2), integer(1)] {
        let mut before: Option<(Enclosure, Enclosure)> = None;
        for features in [100, 1000, 10_000, 1_000_000] {
            let setting = Setting {
                epsilon: epsilon.clone(),
                ..setting(1000, features)
            };
            let gamma = noise::gamma_length_printed(&setting)?.squared();
            let gaussian = noise::lemma_13_printed(&setting)?;
            if let Some((gamma_before, gaussian_before)) = &before {
                check.holds(
                    gamma_before.is_below(&gamma) && gaussian.is_below(gaussian_before),
                    format_args!("epsilon = {epsilon}, N = {features}: Gamma {gamma} after {gamma_before}, Gaussian {gaussian} after {gaussian_before}"),
                );
            }
            before = Some((gamma, gaussian));
            // E R^2 = N (N + 1) Delta^2/epsilon^2 = 4 (N + 1)/((1 - 2 eta) epsilon^2), and E |z|^2 does not depend on N.
            let squared =
                integer(4 * (features + 1)) / (setting.lower_edge() * &epsilon * &epsilon);
            let constant = noise::expected_square(&setting)?;
            check.holds(
                constant.is_below_rational(&squared),
                format_args!(
                    "epsilon = {epsilon}, N = {features}: E R^2 = {squared}, E |z|^2 = {constant}"
                ),
            );
            check.figure(
                format_args!("epsilon = {epsilon}, N = {features}: mean square of the Gamma noise, of the Gaussian"),
                format_args!("{}, {constant}", to_scientific(&squared, 4)),
            );
        }
    }
    Ok(())
}

pub(super) fn theorem_12(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_12(check)?;
    check.certified("the worst case of the proof, delta = 1/5 and m = 1; m = 1, 100, 10,000 and delta = 0.19, 0.05, 1e-3, 1e-9 at the least N with N >= 8 m ln(2m/delta)");
    // The worst case, delta = 1/5 (for more, nothing is claimed) and m = 1: all falls from there.
    let limit = ratio(1, 5);
    let excess = noise::theorem_12_excess(&limit)?;
    let fails = noise::more_than(&excess)?;
    check.holds(
        fails.upper() <= &limit / integer(2),
        format_args!("delta = 1/5, m = 1: bound^2 over its mean {excess}, fails with {fails}"),
    );
    check.figure("worst case: bound^2 over its mean, at least", excess);
    check.figure("worst case: fails with probability, at most", fails);
    for records in [1u64, 100, 10_000] {
        for failure in ["0.19", "0.05", "1e-3", "1e-9"] {
            let allowed = parse(failure)?;
            let log = Enclosure::of(&(integer(2 * records) / &allowed), BITS).ln()?;
            // 8 m ln(2m/delta), rounded up.
            let least = (log.upper() * integer(8 * records)).ceil().to_integer();
            let setting = Setting {
                failure: allowed.clone(),
                ..setting(records, u64::try_from(least).unwrap_or(u64::MAX))
            };
            let bound = noise::theorem_12_printed(&setting)?;
            let fails = noise::more_than(&noise::over_expected(&bound, &setting)?)?;
            check.holds(
                fails.upper() <= allowed / integer(2),
                format_args!("m = {records}, delta = {failure}: bound {bound}, fails with {fails}"),
            );
        }
    }
    Ok(())
}

/// Rows of 1, 2, 3 and 6 frequencies at rational points of the circle.
fn rows() -> Vec<Vec<Rational>> {
    let tangents = [(1, 2), (-2, 3), (3, 1), (5, 1), (-1, 9), (2, 5)];
    [1, 2, 3, 6]
        .map(|n| rational_features(&tangents[..n]))
        .into()
}

pub(super) fn theorem_12_corrected(check: &mut Check) -> Result<(), Trouble> {
    super::printed::of_theorem_12(check)?;
    // 1. E |phi . z|^2 = N for unit noise: over all signs of z, at features on the circle.
    check.exact("the mean square over all vectors of signs, for 1, 2, 3 and 6 frequencies at rational points of the circle");
    for row in rows() {
        let n = row.len() / 2;
        let found = mean_square_over_signs(&row);
        check.holds(
            found == integer(n),
            format_args!("N = {n}: the mean square over all signs is {found}"),
        );
    }
    // 2. Equal weights of every rank: N/r times chi-square with r degrees of freedom.
    check.certified("weights equal on 1, 2, 10, 100 and 1000 directions, delta = 0.5, 0.05, 1e-6, exact chi-square tails");
    for failure in ["0.5", "0.05", "1e-6"] {
        let allowed = parse(failure)?;
        let example = Setting {
            failure: allowed.clone(),
            ..setting(1000, 5000)
        };
        let bound = noise::theorem_12_corrected(&example)?;
        let level = noise::over_expected(&bound, &example)?;
        for rank in [1u64, 2, 10, 100, 1000] {
            let scaled = &level * Enclosure::integer(rank, BITS);
            let fails = chi_square::upper_tail(rank, &scaled)?;
            check.holds(
                fails.upper() <= allowed,
                format_args!("delta = {failure}, {rank} equal weights: fails with {fails}"),
            );
        }
    }
    let example = setting(1000, 5000);
    check.figure(
        "root mean square at epsilon = 1, delta_p = 1e-5, eta = 3/8",
        noise::expected_square(&example)?.sqrt()?,
    );
    check.figure(
        "with probability 0.95 at most",
        noise::theorem_12_corrected(&example)?,
    );
    Ok(())
}

pub(super) fn grows_with_features(check: &mut Check) -> Result<(), Trouble> {
    check.certified("m = 1000, epsilon = 1, delta_p = 1e-5, eta = 3/8, delta = 0.05, N = 1500, 5000, 100,000; the noise in a prediction at 1, 2, 3 and 6 frequencies, by enumeration of signs");
    let exact = noise::expected_square(&setting(1000, 1500))?;
    let bounds = [1500, 5000, 100_000]
        .into_iter()
        .map(|features| {
            let bound = noise::theorem_12_printed(&setting(1000, features))?;
            check.figure(format_args!("Theorem 12 at N = {features}"), &bound);
            Ok(bound)
        })
        .collect::<Result<Vec<_>, Trouble>>()?;
    for pair in bounds.windows(2) {
        check.refutes(
            pair[0].is_below(&pair[1]),
            "m = 1000: the bound of Theorem 12 grows from N = 1500 to 5000 to 100,000",
        );
    }
    // The noise in a prediction does not depend on N; that in a coordinate falls, which is the other reading.
    let algorithm = algorithm()?;
    let mut coordinate: Option<Enclosure> = None;
    for row in rows() {
        let n = row.len() as u64 / 2;
        let variance = algorithm.variance(n)?;
        let found = &variance * Enclosure::of(&mean_square_over_signs(&row), BITS);
        check.holds(
            found.meets(&exact),
            format_args!("N = {n}: mean square in a prediction {found}, stated {exact}"),
        );
        if let Some(before) = coordinate {
            check.holds(
                variance.is_below(&before),
                format_args!("N = {n}: variance of a coordinate {variance}, before {before}"),
            );
        }
        check.figure(
            format_args!("variance of a coordinate of the noise at N = {n}"),
            &variance,
        );
        coordinate = Some(variance);
    }
    check.figure(
        "root mean square of the noise in a prediction, at each of these",
        exact.sqrt()?,
    );
    Ok(())
}
