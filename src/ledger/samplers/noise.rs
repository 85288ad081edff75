//! What the discrete Gaussian promises as noise.

use super::{BITS, list};
use crate::claim::{Check, Trouble};
use crate::number::{Enclosure, NumberError, Rational, rational, rational::ratio};
use crate::privacy::{discrete_gaussian, gaussian};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The terms of a sum on either side of its centre.
const REACH: u32 = 400;

/// `sum over integers k of exp(-(k - centre)^2 / (2 variance))`, with what is left out bounded.
fn gaussian_sum(centre: &Rational, variance: &Rational) -> Result<Enclosure, NumberError> {
    let reach = BigInt::from(REACH);
    let middle = centre.round().to_integer();
    let mut sum = Enclosure::integer(0, BITS);
    let mut k = &middle - &reach;
    while k <= &middle + &reach {
        let gap = Rational::from(k.clone()) - centre;
        sum = sum + Enclosure::exp_of(&(-(&gap * &gap) / (variance * BigInt::from(2))), BITS)?;
        k += 1;
    }
    // Beyond the reach R the terms fall at least by exp(-R / variance) a step, and start below
    // exp(-R^2 / (2 variance)), on both sides.
    let reach = Rational::from(reach);
    let first = Enclosure::exp_of(&(-(&reach * &reach) / (variance * BigInt::from(2))), BITS)?;
    let gap = Enclosure::exp_of(&(-&reach / variance), BITS)?.complement();
    let rest = first.divided_by(&gap)?.shifted(1);
    Ok(Enclosure::new(sum.lo(), &(sum.hi() + rest.hi()), BITS))
}

/// `sample.discrete-gaussian.zcdp`
pub(super) fn zcdp(check: &mut Check) -> Result<(), Trouble> {
    const SHIFTS: i64 = 4;
    let variances = [(1, 9), (1, 2), (1, 1), (2, 1), (10, 3)].map(|(n, d)| ratio(n, d));
    let orders = [(11, 10), (3, 2), (2, 1), (5, 2), (10, 1)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "v in {}, D = 1..={SHIFTS}, alpha in {}; sums over {} terms with a bounded rest",
        list(&variances),
        list(&orders),
        2 * REACH + 1
    ));
    let one = Enclosure::integer(1, BITS);
    let mut least = one.clone();
    for variance in &variances {
        let centred = gaussian_sum(&Rational::zero(), variance)?;
        for shift in 1..=SHIFTS {
            for order in &orders {
                // Completing the square: D_alpha = alpha D^2 / (2 v)
                //   + ln(sum exp(-(k - c)^2 / (2v)) / sum exp(-k^2 / (2v))) / (alpha - 1), c = alpha D.
                let centre = order * rational::integer(shift);
                let quotient = gaussian_sum(&centre, variance)?.divided_by(&centred)?;
                let instance =
                    format_args!("v = {variance}, D = {shift}, alpha = {order}").to_string();
                if centre.is_integer() {
                    check.holds(
                        quotient.meets(&one) && quotient.has_digits(30),
                        format_args!("{instance}: equal to 30 digits"),
                    );
                } else {
                    check.holds(quotient.is_below(&one), format_args!("{instance}: below"));
                    least = least.min(&quotient);
                }
            }
        }
    }
    check.figure(
        "least quotient of the two sums (1: the bound is attained)",
        least,
    );
    Ok(())
}

/// The shift of the counterexample: four coordinates that move by one.
const SHIFT: [i64; 4] = [1, 1, 1, 1];

/// `sample.discrete-gaussian.multivariate`
pub(super) fn multivariate(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the counterexample, by exact convolution");
    let (variance, epsilon) = (ratio(4, 1), ratio(4, 1));
    let one_dimension =
        DiscreteGaussian::new(variance.clone())?.profile(&2.into(), &epsilon, BITS)?;
    let exact = discrete_gaussian::profile_of_shift(&variance, &SHIFT, &epsilon, BITS)?;
    check.refutes(
        one_dimension.is_below(&exact),
        "v = 4, shift (1, 1, 1, 1) of norm 2, epsilon = 4",
    );
    check.figure("delta in one dimension at the shift 2", &one_dimension);
    check.figure("delta of the shift, by exact convolution", &exact);
    check.figure("ratio", exact.divided_by(&one_dimension)?);
    Ok(())
}

/// `sample.discrete-gaussian.multivariate.corrected`
pub(super) fn multivariate_corrected(check: &mut Check) -> Result<(), Trouble> {
    // An exact convolution is exact to an absolute error, in which tiny deltas drown.
    const ERROR_BITS: u32 = 128;
    let error = Rational::new(1.into(), BigInt::one() << ERROR_BITS);
    let shifts: [&[i64]; 6] = [&[1], &[3], &[1, 1], &[2, 1], &SHIFT, &[3, 4]];
    let variances = [1, 4, 64].map(rational::integer);
    let epsilons = [(1, 10), (1, 2), (2, 1)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "against exact convolution (to 2^-{ERROR_BITS}): shifts {shifts:?}, v in {}, epsilon in {}",
        list(&variances),
        list(&epsilons)
    ));
    // Where the exact delta of several coordinates comes nearest to its bound.
    let mut nearest = (Rational::zero(), Rational::one());
    for shift in shifts {
        let squared: BigInt = shift.iter().map(|v| BigInt::from(v * v)).sum();
        for variance in &variances {
            for epsilon in &epsilons {
                let exact = discrete_gaussian::profile_of_shift(variance, shift, epsilon, BITS)?;
                let bound =
                    discrete_gaussian::delta(variance, &squared, shift.len() as u64, epsilon)?;
                check.holds(
                    exact.upper() <= &bound + &error,
                    format_args!("shift {shift:?}, v = {variance}, epsilon = {epsilon}"),
                );
                let several = shift.len() > 1;
                if several && exact.upper() * &nearest.1 > &nearest.0 * &bound {
                    nearest = (exact.upper(), bound);
                }
            }
        }
    }
    check.attained("delta in several coordinates", &nearest.0, &nearest.1);
    Ok(())
}

/// `sample.discrete-gaussian.continuous`
pub(super) fn continuous(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the counterexample");
    let epsilon = Rational::one();
    let discrete = DiscreteGaussian::new(ratio(25, 1))?.profile(&1.into(), &epsilon, BITS)?;
    let continuous = gaussian::profile(&ratio(1, 5), &epsilon, BITS)?;
    check.refutes(
        continuous.is_below(&discrete),
        "v = 25, shift 1, epsilon = 1",
    );
    check.figure("delta of the discrete Gaussian", &discrete);
    check.figure("delta of the continuous Gaussian", &continuous);
    check.figure("ratio", discrete.divided_by(&continuous)?);
    Ok(())
}
