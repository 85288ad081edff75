//! What the discrete Gaussian promises as noise.

use super::{BITS, list};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{Explorer, Law, Layer};
use dp_assay::law::Noise;
use dp_assay::number::{Enclosure, NumberError, Rational, rational, rational::ratio};
use dp_assay::privacy::{NeighbouringRelation, Zcdp, discrete_gaussian, gaussian};
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// The terms of a sum on either side of its centre.
const REACH: i64 = 44;

/// The logarithms of the law's probabilities, from the first to the last outcome that the sums ask for.
struct Logarithms {
    first: i64,
    values: Vec<Enclosure>,
}

impl Logarithms {
    fn of(law: &DiscreteGaussian, first: i64, last: i64) -> Result<Self, NumberError> {
        let values = (first..=last)
            .map(|k| law.pmf(&k.into(), BITS)?.ln())
            .collect::<Result<_, _>>()?;
        Ok(Self { first, values })
    }

    fn at(&self, k: i64) -> &Enclosure {
        &self.values[(k - self.first) as usize]
    }

    /// `sum over k of P(k)^alpha Q(k)^(1 - alpha)`, `P` the law around `shift` and `Q` the law, from [`REACH`] below
    /// `alpha shift` to as far above, with what is left out bounded: the terms are log-concave in `k`, so that beyond
    /// the last one they fall at least as fast as there.
    fn power_sum(&self, shift: i64, alpha: &Rational) -> Result<Enclosure, NumberError> {
        let order = Enclosure::of(alpha, BITS);
        let rest = Enclosure::of(&(Rational::one() - alpha), BITS);
        let middle = (alpha * BigInt::from(shift)).round().to_integer();
        let middle = middle.to_i64().unwrap_or(0);
        let terms = (middle - REACH..=middle + REACH)
            .map(|k| (&order * self.at(k - shift) + &rest * self.at(k)).exp())
            .collect::<Result<Vec<_>, _>>()?;
        let zero = Enclosure::integer(0, BITS);
        let sum = terms.iter().fold(zero, |sum, term| sum + term);
        let mut beyond = Enclosure::integer(0, BITS);
        for (end, before) in [(0, 1), (terms.len() - 1, terms.len() - 2)] {
            let quotient = terms[end].divided_by(&terms[before])?;
            beyond = beyond + (&terms[end] * &quotient).divided_by(&quotient.complement())?;
        }
        Ok(Enclosure::new(sum.lo(), &(sum.hi() + beyond.hi()), BITS))
    }
}

/// `sample.discrete-gaussian.zcdp`
pub(super) fn zcdp(check: &mut Check) -> Result<(), Trouble> {
    const SHIFTS: i64 = 4;
    let variances = [(1, 9), (1, 2), (1, 1), (2, 1), (10, 3)].map(|(n, d)| ratio(n, d));
    let orders = [(11, 10), (3, 2), (2, 1), (5, 2), (10, 1)].map(|(n, d)| ratio(n, d));
    check.certified(format_args!(
        "the probabilities of the law against the rho of its accounting: v in {}, D = 1..={SHIFTS}, alpha in {}; sums \
         over {} terms with a bounded rest",
        list(&variances),
        list(&orders),
        2 * REACH + 1
    ));
    let one = Enclosure::integer(1, BITS);
    let mut least = one.clone();
    for variance in &variances {
        let law = DiscreteGaussian::new(variance.clone())?;
        // alpha D is at most 40.
        let logarithms = Logarithms::of(&law, -REACH - SHIFTS, 40 + REACH)?;
        for shift in 1..=SHIFTS {
            let distance = rational::integer(shift);
            let spent = Zcdp::gaussian(&distance, variance, NeighbouringRelation::Substitute)?;
            for order in &orders {
                // exp((alpha - 1) D_alpha), and exp((alpha - 1) alpha rho).
                let exponent = (order - Rational::one()) * order * spent.rho();
                let promised = Enclosure::exp_of(&exponent, BITS)?;
                let quotient = logarithms.power_sum(shift, order)?.divided_by(&promised)?;
                let instance =
                    format_args!("v = {variance}, D = {shift}, alpha = {order}").to_string();
                if (order * distance.numer()).is_integer() {
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
        "least quotient of exp((alpha - 1) D_alpha) and its bound (1: the bound is attained)",
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

    check.certified("another, over all draws of the noise that is shipped");
    let law = DiscreteGaussian::new(Rational::one())?;
    let (lower, upper) = explored_delta(&law, &epsilon)?;
    let one_dimension = law.profile(&2.into(), &epsilon, BITS)?;
    check.refutes(
        one_dimension.is_below_rational(&lower),
        "v = 1, shift (1, 1, 1, 1) of norm 2, epsilon = 4",
    );
    let exact = discrete_gaussian::profile_of_shift(law.variance(), &SHIFT, &epsilon, BITS)?;
    check.holds(
        exact.lower() <= upper && exact.upper() >= lower,
        format_args!("v = 1: the noise that is explored has the delta of the convolution, {exact}"),
    );
    check.figure(
        "delta of the noise that is shipped, v = 1",
        format_args!(
            "between {} and {}",
            rational::to_scientific_below(&lower, 4),
            rational::to_scientific_above(&upper, 4)
        ),
    );
    Ok(())
}

/// Bounds on `Pr[E] - e^epsilon Pr'[E]`, `Pr` the law of the shipped noise around [`SHIFT`], `Pr'` that around 0, both
/// explored, and `E` the outcomes `y` with `<SHIFT, y> > epsilon v + |SHIFT|^2 / 2`: there the loss exceeds epsilon.
fn explored_delta(
    law: &DiscreteGaussian,
    epsilon: &Rational,
) -> Result<(Rational, Rational), Trouble> {
    let squared: i64 = SHIFT.iter().map(|v| v * v).sum();
    let threshold = epsilon * law.variance() + ratio(squared, 2);
    let explorer = Explorer::new(Layer::Laws, 1 << 15)
        .with_tail(Rational::new(BigInt::one(), BigInt::one() << 15));
    let mut bounds = Vec::new();
    for centre in [SHIFT, [0; 4]] {
        let around = law.around_all(centre);
        let found = explorer.explore(|coins| around.sample(coins))?;
        let event = |y: &&Vec<BigInt>| {
            let product: BigInt = y.iter().zip(SHIFT).map(|(y, v)| y * v).sum();
            Rational::from_integer(product) > threshold
        };
        let lower: Rational = found
            .lower
            .keys()
            .filter(event)
            .map(|y| found.lower(y))
            .sum();
        bounds.push((lower.clone(), lower + &found.undecided));
    }
    let factor = Enclosure::exp_of(epsilon, BITS)?;
    Ok((
        &bounds[0].0 - factor.upper() * &bounds[1].1,
        &bounds[0].1 - factor.lower() * &bounds[1].0,
    ))
}

/// `sample.discrete-gaussian.multivariate.corrected`
pub(super) fn multivariate_corrected(check: &mut Check) -> Result<(), Trouble> {
    // An exact convolution is exact to an absolute error, in which tiny deltas drown.
    const ERROR_BITS: u32 = 128;
    let error = Rational::new(1.into(), BigInt::one() << ERROR_BITS);
    let error_that_shows = &error * BigInt::from(1 << 20);
    let shifts: [&[i64]; 6] = [&[1], &[3], &[1, 1], &[2, 1], &SHIFT, &[3, 4]];
    let variances = [1, 4, 64].map(rational::integer);
    let epsilons = [(1, 10), (1, 2), (2, 1), (4, 1)].map(|(n, d)| ratio(n, d));
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
            let sum = discrete_gaussian::ShiftedSum::new(variance, shift, BITS)?;
            for epsilon in &epsilons {
                let exact = sum.profile(epsilon)?;
                let bound =
                    discrete_gaussian::delta(variance, &squared, shift.len() as u64, epsilon)?;
                check.holds(
                    exact.upper() <= &bound + &error,
                    format_args!("shift {shift:?}, v = {variance}, epsilon = {epsilon}"),
                );
                let several = shift.len() > 1 && exact.lower() > error_that_shows;
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
