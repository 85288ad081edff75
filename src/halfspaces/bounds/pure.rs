//! Theorem 11: the pure learner (Algorithm 2).

use super::guarantee::sharp_margin;
use super::{Goal, ceiling, falls_by, lemma_7, margin_left, of, solve, whole};
use crate::geometry::johnson_lindenstrauss::least_dimension;
use crate::halfspaces::HalfspaceError;
use crate::number::range::above_zero_below_one;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;

/// How the size of a net of the unit ball in dimension `m` with radius `r` is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Net {
    /// By volume: `(1 + 2/r)^m`. A maximal set of points more than `r` apart is a net, and the balls of
    /// radius `r/2` around it are disjoint and inside the ball of radius `1 + r/2`. Nobody has built it.
    Volume,
    /// The lattice `Z^m / q`, `q = ceil(sqrt m / (2r))`, within distance `sqrt m / 2q` of the ball: every
    /// point of the ball is that close to its nearest lattice point, and `sqrt m / 2q <= r`.
    ///
    /// Size: the unit cubes around the points `k` lie in the ball of radius `q + sqrt m`, whose volume is
    /// at most `(sqrt(2 pi e/m) (q + sqrt m))^m` by Stirling; with `q <= sqrt m/(2r) + 1` this is
    /// `(sqrt(2 pi e) (1 + 1/(2r) + 1/sqrt m))^m`.
    Lattice,
}

impl Net {
    /// An upper bound on the logarithm of the size.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless `0 < radius < 1`.
    pub fn log_size(self, m: &BigUint, radius: &Rational) -> Result<Enclosure, HalfspaceError> {
        above_zero_below_one("radius", radius)?;
        let base = match self {
            Self::Volume => of(&(integer(1) + integer(2) / radius)),
            Self::Lattice => {
                let root_m = of(&whole(m)).sqrt()?;
                let two_pi_e = Enclosure::pi(super::BITS).shifted(1) * of(&integer(1)).exp()?;
                let one = of(&integer(1));
                let inner = &one + of(&(ratio(1, 2) / radius)) + one.divided_by(&root_m)?;
                two_pi_e.sqrt()? * inner
            }
        };
        Ok(of(&whole(m)) * base.ln()?)
    }
}

/// The numbers of Theorem 11.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pure {
    /// The distortion `kappa` of the projection.
    pub kappa: Rational,
    /// The radius of the net.
    pub radius: Rational,
    /// The dimension `m` of the projection.
    pub dimension: BigUint,
    /// The logarithm of the (bound on the) size of the net.
    pub log_net: Enclosure,
    /// The records that the choice (Claim 11.1) asks for, at this `m` and `n`.
    pub choice: BigUint,
    /// The records that the generalisation (Claim 14.2) asks for, at this `m` and `n`.
    pub generalisation: BigUint,
    /// The records `n`: both hold.
    pub records: BigUint,
}

/// Theorem 11 with the paper's constants: distortion `gamma/100`, four norms per record, a net of radius
/// `gamma/10`, and the generalisation by Lemma 7.
///
/// # Errors
/// Those of the enclosures.
pub fn theorem_11(goal: &Goal, net: Net) -> Result<Pure, HalfspaceError> {
    let kappa = &goal.gamma / integer(100);
    let radius = &goal.gamma / integer(10);
    balance(goal, kappa, radius, 4, net, |m, n, _| lemma_7(goal, m, n))
}

/// Theorem 11 with better constants: distortion `fraction * gamma`, two norms per record, a net whose
/// radius is 0.99 of the margin left, threshold 0 with ties as errors, and no VC theory.
///
/// Generalisation: if `h` has error above `3 alpha/4`, its training error is at most `alpha/4` with
/// probability at most `exp(-alpha n/6)` (Chernoff at a relative deviation of 2/3), for each `h` of the
/// net; so `n >= (6/alpha) (ln|W| + ln(4/beta))`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < fraction < 1`.
pub fn optimised(goal: &Goal, fraction: &Rational, net: Net) -> Result<Pure, HalfspaceError> {
    above_zero_below_one("fraction", fraction)?;
    let kappa = fraction * &goal.gamma;
    let radius = ratio(99, 100) * margin_left(&goal.gamma, &kappa);
    balance(goal, kappa, radius, 2, net, |_, _, log_net| {
        finite_class(goal, log_net, &(integer(6) / &goal.alpha))
    })
}

/// [`optimised`] with the best `fraction` among the hundredths from 1/2 up.
///
/// # Errors
/// Those of the enclosures.
pub fn optimised_best(goal: &Goal, net: Net) -> Result<Pure, HalfspaceError> {
    best(|fraction| optimised(goal, fraction, net))
}

/// [`counted`] with the best `fraction` among the hundredths from 1/2 up.
///
/// # Errors
/// Those of the enclosures.
pub fn counted_best(goal: &Goal, net: Net) -> Result<Pure, HalfspaceError> {
    best(|fraction| counted(goal, fraction, net))
}

/// [`one_line`] with the best `fraction` among the hundredths from 1/2 up.
///
/// # Errors
/// Those of the enclosures.
pub fn one_line_best(goal: &Goal, net: Net) -> Result<Pure, HalfspaceError> {
    best(|fraction| one_line(goal, fraction, net))
}

/// That of the fewest records, among the hundredths from 1/2 up.
fn best(bound: impl Fn(&Rational) -> Result<Pure, HalfspaceError>) -> Result<Pure, HalfspaceError> {
    let mut best = bound(&ratio(50, 100))?;
    for hundredths in 51..100 {
        let next = bound(&ratio(hundredths, 100))?;
        if next.records < best.records {
            best = next;
        }
    }
    Ok(best)
}

/// Our own proof (see [`super::guarantee`]): no Markov step, so that the projection may fail with
/// probability `beta/(2n)` per record; two tails per record instead of four norms; and one Chernoff bound.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < fraction < 1`.
pub fn counted(goal: &Goal, fraction: &Rational, net: Net) -> Result<Pure, HalfspaceError> {
    by_tails(goal, fraction, net, |log_net| {
        let class = finite_class(goal, log_net, &integer(1))?;
        let wrong = &class * of(&(integer(2) / &goal.epsilon));
        let together = errors(&wrong, &class)?;
        let per_record = of(&goal.alpha);
        Ok((
            wrong.divided_by(&per_record)?,
            together.divided_by(&per_record)?,
        ))
    })
}

/// `B + C + sqrt(C^2 + 2 B C)`: the solution `x >= B` of `(x - B)^2 = 2 C x`.
fn errors(wrong: &Enclosure, class: &Enclosure) -> Result<Enclosure, HalfspaceError> {
    let root = (class.squared() + (wrong * class).shifted(1)).sqrt()?;
    Ok(wrong + class + root)
}

/// [`counted`] with one expectation in place of the choice and the generalisation (`nuz20.thm11.one-line`):
/// `-n ln(1 - alpha (1 - e^(-epsilon/2))) >= ln(2|W|/beta)`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < fraction < 1`.
pub fn one_line(goal: &Goal, fraction: &Rational, net: Net) -> Result<Pure, HalfspaceError> {
    let falls = of(&goal.alpha) * falls_by(&goal.epsilon)?;
    let each = -falls.complement().ln()?;
    by_tails(goal, fraction, net, |log_net| {
        let needed = (log_net + of(&(integer(2) / &goal.beta)).ln()?).divided_by(&each)?;
        Ok((needed.clone(), needed))
    })
}

/// The `n` that suffices, where a projection loses no margin but for `beta/2`, and what is `needed` for a logarithm of the net,
/// for the choice and for all, is to hold.
fn by_tails(
    goal: &Goal,
    fraction: &Rational,
    net: Net,
    needed: impl Fn(&Enclosure) -> Result<(Enclosure, Enclosure), HalfspaceError>,
) -> Result<Pure, HalfspaceError> {
    above_zero_below_one("fraction", fraction)?;
    let kappa = fraction * &goal.gamma;
    let radius = ratio(99, 100) * sharp_margin(&goal.gamma, &kappa);
    // Two tails have together the failure probability of one norm.
    let dimension = |n: &BigUint| least_dimension(&(&goal.beta / (integer(2) * whole(n))), &kappa);
    let records = solve(|n| Ok(needed(&net.log_size(&dimension(n)?, &radius)?)?.1))?;
    let dimension = dimension(&records)?;
    let log_net = net.log_size(&dimension, &radius)?;
    let (choice, together) = needed(&log_net)?;
    Ok(Pure {
        choice: ceiling(&choice),
        generalisation: ceiling(&together),
        kappa,
        radius,
        dimension,
        log_net,
        records,
    })
}

/// The `n` at which both the choice and the generalisation are good.
///
/// The choice: the exponential mechanism errs on at most `(2/epsilon)(ln|W| + ln(4/beta))` records more
/// than the best of the net, which errs on none; that is at most `alpha n/4` for
/// `n >= (8/(alpha epsilon)) (ln|W| + ln(4/beta))`.
fn balance(
    goal: &Goal,
    kappa: Rational,
    radius: Rational,
    norms: u32,
    net: Net,
    generalisation: impl Fn(&BigUint, &BigUint, &Enclosure) -> Result<Enclosure, HalfspaceError>,
) -> Result<Pure, HalfspaceError> {
    let dimension = |n: &BigUint| least_dimension(&goal.norm_failure(norms, n), &kappa);
    let choice = |log_net: &Enclosure| {
        finite_class(goal, log_net, &(integer(8) / (&goal.alpha * &goal.epsilon)))
    };
    let records = solve(|n| {
        let m = dimension(n)?;
        let log_net = net.log_size(&m, &radius)?;
        Ok(choice(&log_net)?.max(&generalisation(&m, n, &log_net)?))
    })?;
    let dimension = dimension(&records)?;
    let log_net = net.log_size(&dimension, &radius)?;
    Ok(Pure {
        choice: ceiling(&choice(&log_net)?),
        generalisation: ceiling(&generalisation(&dimension, &records, &log_net)?),
        kappa,
        radius,
        dimension,
        log_net,
        records,
    })
}

/// `factor (ln|W| + ln(4/beta))`.
fn finite_class(
    goal: &Goal,
    log_net: &Enclosure,
    factor: &Rational,
) -> Result<Enclosure, HalfspaceError> {
    Ok((log_net + of(&(integer(4) / &goal.beta)).ln()?) * of(factor))
}

#[cfg(test)]
mod tests {
    use super::super::tests::goal;
    use super::*;
    use crate::number::rational::to_scientific;

    /// The decimal digits of the net's size, to three figures.
    fn digits(pure: &Pure) -> String {
        let log10 = pure.log_net.divided_by(&of(&integer(10)).ln().unwrap());
        to_scientific(&log10.unwrap().upper(), 3)
    }

    #[test]
    fn the_paper_s_constants_ask_for_a_net_that_no_computer_holds() {
        for (goal, m, size, choice, records) in [
            (
                goal("0.1", "0.1", "0.3", "1"),
                "1.62e7",
                "2.97e7",
                "5.47e9",
                "5.05e10",
            ),
            (
                goal("0.1", "0.1", "0.1", "1"),
                "1.55e8",
                "3.56e8",
                "6.57e10",
                "4.82e11",
            ),
            (
                goal("0.1", "0.05", "0.5", "1"),
                "5.90e6",
                "9.52e6",
                "1.75e9",
                "1.84e10",
            ),
            (
                goal("0.25", "0.25", "0.9", "1"),
                "1.50e6",
                "2.05e6",
                "1.51e8",
                "1.68e9",
            ),
        ] {
            let pure = theorem_11(&goal, Net::Volume).unwrap();
            let three = |n: &BigUint| to_scientific(&whole(n), 3);
            assert_eq!(three(&pure.dimension), m);
            assert_eq!(digits(&pure), size);
            assert_eq!(three(&pure.choice), choice);
            assert_eq!(three(&pure.records), records);
            assert_eq!(pure.generalisation, pure.records);
        }
    }

    #[test]
    fn better_constants_bring_it_to_a_few_hundred_thousand() {
        for (goal, hundredths, m, records) in [
            (goal("0.1", "0.1", "0.3", "1"), 88, 1696u32, 580_425u32),
            (goal("0.1", "0.1", "0.1", "1"), 91, 13_721, 6_042_912),
            (goal("0.1", "0.05", "0.5", "1"), 85, 766, 225_454),
            (goal("0.25", "0.25", "0.9", "1"), 74, 300, 26_329),
        ] {
            let pure = optimised_best(&goal, Net::Volume).unwrap();
            assert_eq!(pure.kappa, ratio(hundredths, 100) * &goal.gamma);
            assert_eq!(pure.dimension, m.into());
            assert_eq!(pure.records, records.into());
            assert_eq!(pure.choice, pure.records);
        }
    }

    #[test]
    fn our_proof_needs_fewer_still() {
        for (goal, hundredths, m, records) in [
            (goal("0.1", "0.1", "0.3", "1"), 88, 1118u32, 232_248u32),
            (goal("0.1", "0.1", "0.1", "1"), 91, 9511, 2_693_925),
            (goal("0.1", "0.05", "0.5", "1"), 85, 484, 78_808),
            (goal("0.25", "0.25", "0.9", "1"), 79, 172, 5746),
        ] {
            let pure = counted(&goal, &ratio(hundredths, 100), Net::Volume).unwrap();
            assert_eq!(pure.dimension, m.into());
            assert_eq!(pure.records, records.into());
        }
    }

    #[test]
    fn one_line_needs_less_than_half_of_that() {
        for (goal, least, most) in [
            (goal("0.1", "0.1", "0.3", "1"), 100_000u32, 106_000u32),
            (goal("0.1", "0.1", "0.1", "1"), 1_150_000, 1_230_000),
            (goal("0.25", "0.25", "0.9", "1"), 2000, 2450),
        ] {
            let found = one_line_best(&goal, Net::Volume).unwrap().records;
            assert!(found >= least.into() && found <= most.into(), "{found}");
        }
    }

    #[test]
    fn the_lattice_costs_a_few_percent_more_than_the_volume_bound() {
        let goal = goal("0.1", "0.1", "0.3", "1");
        let pure = optimised(&goal, &ratio(88, 100), Net::Lattice).unwrap();
        assert_eq!(pure.dimension, 1697u32.into());
        assert_eq!(pure.records, 590_921u32.into());
        assert_eq!(digits(&pure), "3.21e3");
    }

    #[test]
    fn of_equal_numbers_of_records_the_smallest_distortion_is_taken() {
        let alike = |fraction: &Rational| {
            Ok(Pure {
                kappa: fraction.clone(),
                radius: ratio(1, 2),
                dimension: 1u32.into(),
                log_net: of(&integer(1)),
                choice: 5u32.into(),
                generalisation: 5u32.into(),
                records: 5u32.into(),
            })
        };
        assert_eq!(best(alike).unwrap().kappa, ratio(1, 2));
    }
}
