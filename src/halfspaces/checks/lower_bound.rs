//! Section 5 and Appendix C: Theorem 12, Claim 12.1 and Lemma 16.

use super::band::band;
use super::bisector::{Code, bisector, bisector_bound};
use super::{BITS, of};
use crate::claim::{Check, Trouble};
use crate::halfspaces::bounds::lower_bound::{
    Packing, band_bound, best_repair, disagreement, gilbert_varshamov, lower_bound, nearest_repair,
};
use crate::number::rational::{integer, ratio, to_scientific_below};
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The square of the margin at which the paper's dimension is `d`: `1/(1000 d)`.
fn gamma_squared(dimension: u64) -> Rational {
    Rational::new(1.into(), BigInt::from(1000 * dimension))
}

/// The packing of Theorem 12 by formulas of its own: the angle, the band, the entropy.
struct SecondPath {
    both_errors: Enclosure,
    rate: Enclosure,
}

impl SecondPath {
    /// At distance `fraction d` and `d gamma^2 = c`.
    fn new(fraction: &Rational, c: &Rational) -> Result<Self, NumberError> {
        // theta = 2 arctan sqrt(f/(1-f)), since sin^2(theta/2) = f.
        let tangent = of(&(fraction / (integer(1) - fraction))).sqrt()?;
        let pi = Enclosure::pi(BITS);
        let apart = tangent.atan().shifted(1).divided_by(&pi)?;
        let band = of(&(c * integer(2))).divided_by(&pi)?.sqrt()?;
        let one = of(&integer(1));
        // 1 - (1 - theta/pi)/(1 - p) = (theta/pi - p)/(1 - p)
        let both_errors = &one - (&one - apart).divided_by(&(&one - band))?;
        // ln 2 - H = ln 2 + f ln f + (1-f) ln(1-f) = ln(2 (1-f)) + f ln(f/(1-f))
        let odds = fraction / (integer(1) - fraction);
        let rate =
            of(&(integer(2) * (integer(1) - fraction))).ln()? + of(fraction) * of(&odds).ln()?;
        Ok(Self { both_errors, rate })
    }
}

/// The library's packing agrees with the second path, and two errors are above 1/5.
fn no_classifier_for_two(
    check: &mut Check,
    found: &Packing,
    fraction: &Rational,
    c: &Rational,
) -> Result<(), Trouble> {
    let second = SecondPath::new(fraction, c)?;
    let instance = format!("distance {fraction} d, d gamma^2 = {c}");
    check.holds(found.both_errors.meets(&second.both_errors), &instance);
    check.holds(found.rate.meets(&second.rate), &instance);
    check.holds(found.slope.meets(&(of(c) * &second.rate)), &instance);
    check.holds(
        second.both_errors.is_above_rational(&ratio(1, 5)),
        &instance,
    );
    check.figure("theta/pi, at least", &found.disagreement);
    check.figure("mass of the band, at most", &found.band);
    check.figure("sum of the two errors, at least", &found.both_errors);
    check.figure("slope of n epsilon in 1/gamma^2", &found.slope);
    check.figure("offset", &found.offset);
    Ok(())
}

/// `nuz20.thm12`.
pub(super) fn theorem_12(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the inequalities of the repaired proof, at distance d/4 and d gamma^2 <= 1/1000: they hold for all d at once");
    let found = nearest_repair()?;
    no_classifier_for_two(check, &found, &ratio(1, 4), &ratio(1, 1000))?;
    check.attained(
        "slope that the page states",
        &ratio(1308, 10_000_000),
        &found.slope.lower(),
    );
    check.attained(
        "offset that the page states",
        &ratio(1373, 1000),
        &found.offset.lower(),
    );
    Ok(())
}

/// `nuz20.thm12.corrected`.
pub(super) fn theorem_12_corrected(check: &mut Check) -> Result<(), Trouble> {
    let (fraction, c) = (ratio(28, 100), ratio(57, 1000));
    check.certified("the inequalities of the proof: they hold for all d and gamma at once");
    let found = best_repair()?;
    no_classifier_for_two(check, &found, &fraction, &c)?;
    check.attained(
        "slope that the page states",
        &ratio(5711, 1_000_000),
        &found.slope.lower(),
    );
    check.attained(
        "offset that the page states",
        &ratio(140, 100),
        &found.offset.lower(),
    );
    check.attained(
        "n epsilon of two distributions, against ln 9",
        &ratio(2197, 1000),
        &of(&integer(9)).ln()?.lower(),
    );
    for (numerator, denominator) in [(1, 100), (1, 10), (1, 4), (1, 1)] {
        let gamma = ratio(numerator, denominator);
        let packed = ratio(5711, 1_000_000) / gamma.pow(2) + ratio(140, 100);
        let stated = packed.max(ratio(2197, 1000));
        let instance = format!("gamma = {gamma}, epsilon = 1/10");
        check.holds(
            lower_bound(&ratio(1, 10), &gamma)? == stated * integer(10),
            instance,
        );
    }
    let most: u64 = if check.quick() { 100 } else { 600 };
    check.exact(format_args!(
        "greedy codes with exact binomials, d = 1..{most}"
    ));
    let rate = SecondPath::new(&fraction, &c)?.rate;
    let mut row = vec![BigUint::one()];
    for d in 1..=most {
        let distance = (28 * d).div_ceil(100);
        let words = gilbert_varshamov(d, distance);
        // Every word forbids a ball of the words nearer than the distance; C(d, i) by Pascal's rule.
        let inner = row.windows(2).map(|pair| &pair[0] + &pair[1]);
        let ends = || std::iter::once(BigUint::one());
        row = ends().chain(inner).chain(ends()).collect();
        let ball: BigUint = row.iter().take(distance as usize).sum();
        let instance = format!("d = {d}: {words} words");
        check.holds((&words - 1u32) * &ball < BigUint::one() << d, &instance);
        check.holds(&words * &ball >= BigUint::one() << d, &instance);
        check.holds(words >= BigUint::from(2u32), &instance);
        let log = Enclosure::integer(words, BITS).ln()?;
        check.holds((&rate * of(&integer(d))).is_below(&log), &instance);
    }
    let bound = lower_bound(&integer(1), &ratio(1, 100))?;
    check.figure(
        "n at epsilon = 1, gamma = 1/100, at least",
        to_scientific_below(&bound, 6),
    );
    Ok(())
}

/// `nuz20.claim12.1`.
pub(super) fn claim_12_1(check: &mut Check) -> Result<(), Trouble> {
    let dimensions: &[u64] = if check.quick() {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    const COUNTEREXAMPLE: &str =
        "two words at Hamming distance d/10 and the bisector w + w' of their halfspaces";
    let tenth = ratio(1, 10);
    check.certified(format_args!(
        "the bisector's error, d in {dimensions:?} in closed form, and every d >= 20 that 10 divides by a bound"
    ));
    for &d in dimensions {
        let found = bisector(d, d / 10, &gamma_squared(d))?;
        check.refutes(found.error.is_below_rational(&tenth), COUNTEREXAMPLE);
        // The band, by a series that the bisector does not use.
        let mass = band(d, &gamma_squared(d))?;
        check.holds(found.band.meets(&mass), format_args!("the band at d = {d}"));
        check.figure(
            format_args!("error of the bisector on both distributions, d = {d}"),
            found.error,
        );
    }
    let bound = bisector_bound()?;
    check.refutes(bound.is_below_rational(&tenth), COUNTEREXAMPLE);
    check.figure("bound on it for all d >= 20", bound);
    check.exact("the codes of the proof, d = 20, 40, ..., 200: all pairs of words");
    for length in (20..=200).step_by(20) {
        let code = Code::of_the_paper(length)?;
        let instance = format!("d = {length}");
        let right = code.words.len() == 1 << (length / 20)
            && code.words.iter().all(|word| word.bits() <= length);
        check.holds(right, &instance);
        check.holds(code.minimum_distance() == Some(length / 10), &instance);
    }
    Ok(())
}

/// `nuz20.claim12.1.corrected`.
pub(super) fn claim_12_1_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the inequality at distance d/4 and d gamma^2 <= 1/1000, for all d at once");
    let found = nearest_repair()?;
    no_classifier_for_two(check, &found, &ratio(1, 4), &ratio(1, 1000))?;
    let dimensions: &[u64] = if check.quick() {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    check.certified(format_args!(
        "the bound at the exact mass of the band, against the bisector, d in {dimensions:?}, distances d/4 and d/2"
    ));
    for &d in dimensions {
        for distance in [d / 4, d / 2] {
            let fraction = Rational::new(distance.into(), d.into());
            let band = band(d, &gamma_squared(d))?;
            let apart = disagreement(&fraction)?;
            let bound = (&apart - &band).divided_by(&band.complement())?;
            // The bisector's error is the same on both.
            let reached = bisector(d, distance, &gamma_squared(d))?.error.shifted(1);
            check.attained(
                format_args!("bound on the two errors, d = {d}, distance {distance}"),
                &bound.upper(),
                &reached.lower(),
            );
        }
    }
    Ok(())
}

/// `nuz20.e1`.
pub(super) fn agreement(check: &mut Check) -> Result<(), Trouble> {
    check.exact("w = (1, 0), w' = (1, 1): eight sectors of 45 degrees");
    let angle = ratio(1, 4);
    let agree = Rational::one() - sectors_that_differ([1, 1]);
    check.refutes(
        agree != angle,
        "w = (1, 0), w' = (1, 1): they agree with probability 3/4, and theta/pi = 1/4",
    );
    check.figure("theta/pi", &angle);
    check.figure("Pr[the signs agree]", &agree);
    check.certified("two words at Hamming distance d/10, angle arccos(4/5)");
    let disagree = disagreement(&ratio(1, 10))?;
    let agree = disagree.complement();
    check.holds(
        agree.is_above_rational(&disagree.upper()),
        "words at distance d/10 agree more often than theta/pi",
    );
    let shown = (&agree + of(&ratio(3, 10))).complement();
    check.holds(
        shown.hi().is_negative(),
        "the printed chain then shows an error above a negative number",
    );
    check.figure("theta/pi at distance d/10", disagree);
    check.figure("Pr[the signs agree] at distance d/10", agree);
    check.figure("the printed chain then shows an error of at least", shown);
    Ok(())
}

/// How many of the eight open sectors between the multiples of 45 degrees, which are equally likely, have
/// different signs for `(1, 0)` and for `w`.
fn sectors_that_differ(w: [i64; 2]) -> Rational {
    // One point inside each.
    let sectors = [
        [2, 1],
        [1, 2],
        [-1, 2],
        [-2, 1],
        [-2, -1],
        [-1, -2],
        [1, -2],
        [2, -1],
    ];
    let differ = |x: &&[i64; 2]| (x[0] > 0) != (x[0] * w[0] + x[1] * w[1] > 0);
    Rational::new(sectors.iter().filter(differ).count().into(), 8.into())
}

/// `nuz20.e1.corrected`.
pub(super) fn disagreement_is_the_angle(check: &mut Check) -> Result<(), Trouble> {
    check.exact("theta in {0, pi/4, pi/2, 3 pi/4, pi}, by sectors of the plane");
    for (w, angle) in [
        ([1i64, 0], integer(0)),
        ([1, 1], ratio(1, 4)),
        ([0, 1], ratio(1, 2)),
        ([-1, 1], ratio(3, 4)),
        ([-1, 0], integer(1)),
    ] {
        let found = sectors_that_differ(w);
        check.holds(found == angle, format_args!("w' = {w:?}: {found}"));
    }
    check.certified("arccos(4/5)/pi, by the half angle arctan(1/3)");
    let tenth = disagreement(&ratio(1, 10))?;
    let half_angle = of(&ratio(1, 3)).atan();
    let second = half_angle.shifted(1).divided_by(&Enclosure::pi(BITS))?;
    check.holds(
        tenth.meets(&second) && tenth.has_digits(20),
        "Hamming distance d/10",
    );
    check.figure("theta/pi at Hamming distance d/10", tenth);
    Ok(())
}

/// `nuz20.lem16`.
pub(super) fn lemma_16(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 60 } else { 1000 };
    check.certified(format_args!(
        "d = 1..100 and every 30th up to {most}, by a series"
    ));
    let mut largest = Rational::zero();
    for d in (1..=100).chain((110..=most).step_by(30)) {
        let mass = band(d, &gamma_squared(d))?;
        check.holds(
            mass.is_below_rational(&ratio(1, 5)),
            format_args!("d = {d}"),
        );
        largest = largest.max(mass.upper());
    }
    let sharp = band_bound(&ratio(1, 1000))?;
    check.attained(
        "mass of the band, against sqrt(2c/pi)",
        &largest,
        &sharp.lower(),
    );
    check.holds(
        sharp.is_below_rational(&ratio(1, 5)),
        "sqrt(2c/pi) at c = 1/1000",
    );
    check.figure("sqrt(2c/pi) at c = 1/1000", sharp);
    Ok(())
}
