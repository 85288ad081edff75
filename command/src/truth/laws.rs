//! The laws on the integers that have a name.

use super::root::{is_below, least, least_epsilon};
use super::{
    Answer, Given, INVERSE, Kind, Parameter, QUICK, Quantity, SLOW, SLOWEST, Subject, Takes,
    affordable, forms, no_epsilon, no_profile, second,
};
use crate::error::Error;
use dp_assay::law::named::{FAMILIES, NamedLaw};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

const CLOSED: &str = "closed form; the exponential by a series with an enclosed remainder";
const SERIES: &str = "the series, or by Poisson's formula its dual; tails by summation or by Euler and Maclaurin's formula; remainders enclosed";
const SYMMETRY: &str = "0, by symmetry";
const PROFILE: &str = "the two tails beyond the point where the loss is epsilon";

/// The subjects, one a family.
pub fn subjects() -> Vec<Subject> {
    let families = FAMILIES.iter().map(|family| {
        let is_gaussian = family.name == "discrete-gaussian";
        let method = if is_gaussian { SERIES } else { CLOSED };
        let most = if is_gaussian { SLOW } else { QUICK };
        let mut quantities = vec![
            forms::pmf(pmf).by(method, most),
            forms::cdf(cdf).by(method, most),
            forms::tail(tail).by(method, most),
            forms::mean(mean).by(if family.name == "geometric" { CLOSED } else { SYMMETRY }, most),
            Quantity::new("variance", "the variance (of a discrete Gaussian below its parameter)", "variance", &[], "", variance).by(method, most),
            Quantity::new("quantile", "the least integer k with Pr[Y <= k] >= p", "least k with Pr[Y <= k] >= {at}", &[Takes::Probability], "--at 9/10", quantile).by("the distribution function on both sides of the answer", SLOWEST),
        ];
        if family.name != "geometric" {
            quantities.push(Quantity::new("profile", "the least delta for which integers that differ by the shift are (epsilon, delta)-private with this noise", "delta({epsilon}) at shift {shift}", &[Takes::IntegerShift, Takes::Epsilon], "--shift 1 --epsilon 1/10", profile).by(PROFILE, most));
            quantities.push(Quantity::new("epsilon", "the least epsilon for which integers that differ by the shift are (epsilon, delta)-private with this noise", "epsilon({delta}) at shift {shift}", &[Takes::IntegerShift, Takes::AnyDelta], "--shift 1 --delta 1e-3", epsilon).by(INVERSE, SLOWEST));
        }
        Subject {
            name: family.name,
            definition: family.definition.to_owned(),
            parameters: vec![Parameter {
                name: family.parameter.0,
                kind: Kind::Number {
                    least: family.range.0,
                    most: family.range.1,
                },
                default: None,
            }],
            quantities,
            example: match family.name {
                "discrete-laplace" => "scale=2",
                "discrete-gaussian" => "variance=4",
                _ => "rate=1/2",
            },
        }
    });
    families.collect()
}

/// The law that is asked about.
fn law(given: &Given) -> Result<NamedLaw, Error> {
    Ok(match given.subject {
        "discrete-laplace" => {
            NamedLaw::DiscreteLaplace(DiscreteLaplace::new(given.number("scale")?.clone())?)
        }
        "discrete-gaussian" => {
            NamedLaw::DiscreteGaussian(DiscreteGaussian::new(given.number("variance")?.clone())?)
        }
        _ => NamedLaw::Geometric(Geometric::new(given.number("rate")?.clone())?),
    })
}

fn pmf(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, k) = (law(given)?, given.at_integer()?);
    let (again, at) = (law.clone(), k.clone());
    Ok(Answer::witnessed(
        move |bits| law.pmf(&k, bits),
        move |bits| second::pmf(&again, &at, bits),
    ))
}

fn cdf(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, k) = (law(given)?, given.at_integer()?);
    let (again, at) = (law.clone(), k.clone());
    Ok(Answer::witnessed(
        move |bits| law.cdf(&k, bits),
        move |bits| second::cdf(&again, &at, bits),
    ))
}

fn tail(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, k) = (law(given)?, given.at_integer()?);
    let (again, at) = (law.clone(), k.clone());
    Ok(Answer::witnessed(
        move |bits| law.upper_tail(&k, bits),
        move |bits| second::tail(&again, &at, bits),
    ))
}

fn mean(given: &Given) -> Result<Answer<'_>, Error> {
    let law = law(given)?;
    Ok(Answer::enclosed(move |bits| law.mean(bits)))
}

fn variance(given: &Given) -> Result<Answer<'_>, Error> {
    let law = law(given)?;
    Ok(Answer::enclosed(move |bits| law.variance(bits)))
}

fn quantile(given: &Given) -> Result<Answer<'_>, Error> {
    let k = least_reaching(&law(given)?, given.at()?)?;
    Ok(Answer::Exact(Rational::from_integer(k)))
}

fn profile(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, shift) = (law(given)?, given.shift()?.to_integer());
    let epsilon = given.epsilon()?;
    let (again, by) = (law.clone(), shift.clone());
    Ok(Answer::witnessed(
        move |bits| profile_of(&law, &shift, epsilon, bits),
        move |bits| second::profile(&again, &by, epsilon, bits),
    ))
}

fn epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, shift, delta) = (law(given)?, given.shift()?.to_integer(), given.delta()?);
    if delta.is_zero() {
        return match &law {
            // The largest loss.
            NamedLaw::DiscreteLaplace(law) => Ok(Answer::Exact(
                Rational::from_integer(shift.abs()) / law.scale(),
            )),
            _ if shift.is_zero() => Ok(Answer::Exact(Rational::zero())),
            _ => Err(no_epsilon(delta)),
        };
    }
    let (again, by) = (law.clone(), shift.clone());
    let at = move |epsilon: &Rational, bits: u32| {
        affordable_tail(&law, bits)?;
        profile_of(&law, &shift, epsilon, bits)
    };
    let second = move |epsilon: &Rational, bits: u32| second::profile(&again, &by, epsilon, bits);
    least_epsilon(at, second, delta)
}

/// At few bits a wide tail has a closed form; at many it is summed, and an inverse asks for many tails.
fn affordable_tail(law: &NamedLaw, bits: u32) -> Result<(), NumberError> {
    const FEW_BITS: u32 = 1024;
    match law {
        NamedLaw::DiscreteGaussian(law) if bits > FEW_BITS => {
            let reach = (law.variance() * BigInt::from(bits)).ceil().to_integer();
            let terms = reach.sqrt().to_u64().unwrap_or(u64::MAX);
            affordable(terms, bits, 1 << 26)
        }
        _ => Ok(()),
    }
}

/// The privacy profile as additive noise: of a law that has one.
fn profile_of(
    law: &NamedLaw,
    shift: &BigInt,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let value = law.profile(shift, epsilon, bits);
    value.unwrap_or_else(|| Err(no_profile(law)))
}

/// The least `k` with `Pr[Y <= k] >= p`.
///
/// # Errors
/// Those of the real functions; [`NumberError::PrecisionExhausted`] where a probability is not told from `p`.
pub fn least_reaching(law: &NamedLaw, p: &Rational) -> Result<BigInt, NumberError> {
    let is_below = |k: &BigInt| is_below(|bits| law.cdf(k, bits), p);
    least(is_below, law.is_symmetric())
}

#[cfg(test)]
mod tests {
    use super::super::{Place, Value, subject};
    use super::*;
    use dp_assay::number::rational::{integer, parse, ratio};

    fn named(text: &str) -> NamedLaw {
        text.parse().unwrap()
    }

    #[test]
    fn a_quantile_is_the_least_integer_that_reaches_the_probability() {
        for law in [
            named("geometric rate=1/7"),
            named("discrete-laplace scale=355/113"),
            named("discrete-gaussian variance=4"),
        ] {
            for p in [ratio(1, 1000), ratio(1, 3), ratio(1, 2), ratio(999, 1000)] {
                let k = least_reaching(&law, &p).unwrap();
                // By adding up the probabilities.
                let up_to = |k: &BigInt| {
                    let mut sum = Enclosure::integer(0, 128);
                    let mut at = BigInt::from(-200);
                    while at <= *k {
                        sum = sum + law.pmf(&at, 128).unwrap();
                        at += 1;
                    }
                    sum
                };
                assert!(up_to(&k).is_above_rational(&p), "{p} {k}");
                assert!(up_to(&(&k - 1)).is_below_rational(&p), "{p} {k}");
            }
        }
    }

    #[test]
    fn a_tail_is_what_the_probabilities_from_there_on_add_up_to() {
        for text in [
            "geometric rate=1/2",
            "discrete-laplace scale=3/2",
            "discrete-gaussian variance=5",
        ] {
            let law = named(text);
            for k in [-1, 0, 1, 4] {
                let sum = (k..200).fold(Enclosure::integer(0, 128), |sum, at| {
                    sum + law.pmf(&at.into(), 128).unwrap()
                });
                let tail = law.upper_tail(&k.into(), 128).unwrap();
                let error = (tail - sum).abs().upper();
                assert!(error < ratio(1, 1 << 60), "{text} {k}");
            }
        }
    }

    /// The least epsilon at which the sum over all outcomes of what one law exceeds e^epsilon times the other is delta.
    #[test]
    fn the_least_epsilon_is_that_of_the_sum_over_outcomes() {
        for (name, parameter, shift, delta) in [
            ("discrete-laplace", "scale=2", 3, "1/100"),
            ("discrete-laplace", "scale=7/3", 1, "0.05"),
            ("discrete-gaussian", "variance=4", 1, "1e-6"),
            ("discrete-gaussian", "variance=1/4", 2, "1e-3"),
        ] {
            let subject = subject(name).unwrap();
            let given = Given::read(&subject, &[parameter]).unwrap();
            let place = Place {
                shift: Some(integer(shift)),
                delta: Some(parse(delta).unwrap()),
                ..Place::default()
            };
            let quantity = subject.quantity(Some("epsilon")).unwrap();
            let value = Value::of(quantity, &given, &place, 20).unwrap();
            let law = named(&format!("{name} {parameter}"));
            let summed = |epsilon: &Rational| {
                let factor = Enclosure::exp_of(epsilon, 128).unwrap();
                (-150..150i64).fold(Enclosure::integer(0, 128), |sum, k| {
                    let gain = law.pmf(&(k - shift).into(), 128).unwrap()
                        - &factor * law.pmf(&k.into(), 128).unwrap();
                    sum + gain.max(&Enclosure::integer(0, 128))
                })
            };
            let (lo, hi) = (
                parse(&value.lo.unwrap()).unwrap(),
                parse(&value.hi).unwrap(),
            );
            let little = ratio(999_999, 1_000_000);
            let delta = parse(delta).unwrap();
            assert!(
                summed(&(lo * &little)).is_above_rational(&delta),
                "{name} {parameter}"
            );
            assert!(
                summed(&(hi / little)).is_below_rational(&delta),
                "{name} {parameter}"
            );
        }
    }

    #[test]
    fn a_delta_that_is_enough_without_epsilon_needs_none() {
        let subject = subject("discrete-laplace").unwrap();
        let given = Given::read(&subject, &["scale=1000"]).unwrap();
        let quantity = subject.quantity(Some("epsilon")).unwrap();
        for (shift, delta) in [(1, ratio(1, 2)), (0, ratio(1, 1000))] {
            let place = Place {
                shift: Some(integer(shift)),
                delta: Some(delta),
                ..Place::default()
            };
            let value = Value::of(quantity, &given, &place, 20).unwrap();
            assert_eq!(value.exact, Some(integer(0)));
        }
    }
}
