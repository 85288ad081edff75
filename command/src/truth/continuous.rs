//! Laws on the real line: Laplace and Gaussian.

use super::root::{least_epsilon, least_epsilon_by};
use super::{
    Answer, Ask, Given, Kind, Parameter, QUICK, Quantity, SLOWEST, Subject, Takes, forms,
    no_epsilon, of_number, second,
};
use crate::error::Error;
use dp_assay::number::{Enclosure, NumberError, Rational, rational};
use dp_assay::privacy::{gaussian, laplace};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

const CLOSED: &str =
    "closed form; the exponential and the logarithm by series with enclosed remainders";
const NORMAL: &str =
    "the normal distribution function at the standardised place; remainders enclosed";

/// What both have; the methods differ.
struct Formulas {
    density: Ask,
    cdf: Ask,
    tail: Ask,
    quantile: Ask,
    variance: Ask,
    profile: Ask,
    epsilon: Ask,
}

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    let laplace = Formulas {
        density: laplace_density,
        cdf: |given| laplace_tail(given, -1),
        tail: |given| laplace_tail(given, 1),
        quantile: laplace_quantile,
        variance: laplace_variance,
        profile: laplace_profile,
        epsilon: laplace_epsilon,
    };
    let gaussian = Formulas {
        density: gaussian_density,
        cdf: |given| gaussian_tail(given, -1),
        tail: |given| gaussian_tail(given, 1),
        quantile: gaussian_quantile,
        variance: gaussian_variance,
        profile: gaussian_profile,
        epsilon: gaussian_epsilon,
    };
    let of = |name, parameter, definition: &str, method, formulas: &Formulas, example| Subject {
        name,
        definition: definition.to_owned(),
        parameters: vec![Parameter {
            name: parameter,
            kind: Kind::Number {
                least: "1e-100",
                most: "1e100",
            },
            default: None,
        }],
        quantities: quantities(method, formulas),
        example,
    };
    let mut laplace = of(
        "laplace",
        "scale",
        "the density e^(-|x|/S) / (2 S) on the real line, with S the scale",
        CLOSED,
        &laplace,
        "scale=2",
    );
    laplace.quantities.push(Quantity {
        name: "zcdp",
        meaning: "the least rho for which numbers that differ by the shift are rho-zCDP with this noise: d + e^-d - 1, with d = shift / S",
        label: "rho at shift {shift}",
        method: CLOSED,
        takes: &[Takes::Shift],
        example: "--shift 1",
        most: QUICK,
        answer: laplace_zcdp,
    });
    vec![
        laplace,
        of(
            "gaussian",
            "deviation",
            "the density e^(-x^2/(2 s^2)) / (s sqrt(2 pi)) on the real line, with s the standard deviation",
            NORMAL,
            &gaussian,
            "deviation=2",
        ),
    ]
}

fn quantities(method: &'static str, formulas: &Formulas) -> Vec<Quantity> {
    vec![
        Quantity::new(
                "density",
                "the density at x",
                "density at {at}",
                &[Takes::Number],
                "--at 1/2",
                formulas.density,
            ).by(CLOSED, QUICK),
        Quantity::new(
            "cdf",
            "the probability of at most x",
            "Pr[Y <= {at}]",
            &[Takes::Number],
            "--at -1..1..1/2",
            formulas.cdf,
        ).by(method, QUICK),
        Quantity::new(
            "tail",
            "the probability of at least x",
            "Pr[Y >= {at}]",
            &[Takes::Number],
            "--at 5",
            formulas.tail,
        ).by(method, QUICK),
        forms::mean(|_| {
                Ok(Answer::Exact(Rational::zero()))
            }).by("0, by symmetry", QUICK),
        forms::variance(formulas.variance).by("a rational function of the parameter", QUICK),
        Quantity::new(
            "quantile",
            "the x with Pr[Y <= x] = p",
            "x with Pr[Y <= x] = {at}",
            &[Takes::Probability],
            "--at 9/10",
            formulas.quantile,
        ).by(method, QUICK),
        Quantity::new(
            "profile",
            "the least delta for which numbers that differ by the shift are (epsilon, delta)-private with this noise",
            "delta({epsilon}) at shift {shift}",
            &[Takes::Shift, Takes::Epsilon],
            "--shift 1 --epsilon 1/10",
            formulas.profile,
        ).by(method, QUICK),
        Quantity::new(
                "epsilon",
                "the least epsilon for which numbers that differ by the shift are (epsilon, delta)-private with this noise",
                "epsilon({delta}) at shift {shift}",
                &[Takes::Shift, Takes::AnyDelta],
                "--shift 1 --delta 1e-3",
                formulas.epsilon,
            ).by("the profile, inverted: in closed form, or an enclosure of it is above delta at one end and below at the other", SLOWEST),
    ]
}

fn laplace_density(given: &Given) -> Result<Answer<'_>, Error> {
    let (scale, x) = (given.number("scale")?, given.at()?);
    Ok(Answer::witnessed(
        move |bits| {
            let height = Enclosure::of(&(scale * BigInt::from(2)).recip(), bits);
            Ok(height * Enclosure::exp_of(&(-x.abs() / scale), bits)?)
        },
        move |bits| {
            let standard = second::laplace_density(&(x / scale), bits)?;
            Some(standard * Enclosure::of(&scale.recip(), bits))
        },
    ))
}

/// `Pr[Y >= x]` for the sign 1, and `Pr[Y <= x]` for -1.
fn laplace_tail(given: &Given, sign: i64) -> Result<Answer<'_>, Error> {
    let x = given.at()? * BigInt::from(sign) / given.number("scale")?;
    let again = x.clone();
    Ok(Answer::witnessed(
        move |bits| {
            let half = Enclosure::exp_of(&-x.abs(), bits)?.shifted(-1);
            Ok(match x.is_negative() {
                true => half.complement(),
                false => half,
            })
        },
        move |bits| second::laplace_tail(&again, bits),
    ))
}

fn laplace_quantile(given: &Given) -> Result<Answer<'_>, Error> {
    let (scale, p) = (given.number("scale")?, given.at()?);
    let other = Rational::one() - p;
    // The distance from the middle is that of the smaller of p and 1 - p.
    let (small, sign) = match *p <= other {
        true => (p.clone(), 1),
        false => (other, -1),
    };
    let quantile = move |bits: u32| {
        // 2 p - 1 is exact, so that nothing is lost next to the middle.
        let from_one = &small * BigInt::from(2) - Rational::one();
        let own = u32::try_from(small.denom().bits()).unwrap_or(u32::MAX);
        let logarithm = Enclosure::of(&from_one, bits.saturating_add(own)).ln_1p()?;
        Ok(logarithm.with_bits(bits) * Enclosure::of(&(scale * BigInt::from(sign)), bits))
    };
    let rising = move |x: &Rational, bits: u32| second::laplace_tail(&(-x / scale), bits);
    Ok(Answer::rising_through(quantile, rising, p))
}

fn laplace_variance(given: &Given) -> Result<Answer<'_>, Error> {
    let scale = given.number("scale")?;
    Ok(Answer::Exact(scale * scale * BigInt::from(2)))
}

fn laplace_profile(given: &Given) -> Result<Answer<'_>, Error> {
    let (scale, shift) = (given.number("scale")?, given.shift()?.abs());
    let epsilon = given.epsilon()?;
    let distance = &shift / scale;
    Ok(Answer::witnessed(
        move |bits| laplace::profile(scale, &shift, epsilon, bits).map_err(of_number),
        move |bits| second::laplace_profile(&distance, epsilon, bits),
    ))
}

fn laplace_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (scale, shift) = (given.number("scale")?, given.shift()?.abs());
    let delta = given.delta()?;
    let distance = &shift / scale;
    if delta.is_zero() {
        return Ok(Answer::Exact(distance));
    }
    let again = shift.clone();
    let at_zero = |bits: u32| {
        let zero = Rational::zero();
        laplace::profile(scale, &again, &zero, bits).map_err(of_number)
    };
    let least = move |bits: u32| {
        let least = laplace::epsilon(scale, &shift, delta, bits).map_err(of_number)?;
        // It is finite at every delta.
        least.finite().ok_or(NumberError::DivisionByZero)
    };
    let falling =
        move |epsilon: &Rational, bits: u32| second::laplace_profile(&distance, epsilon, bits);
    least_epsilon_by(least, at_zero, falling, delta)
}

/// The least `rho` such that the Renyi divergence of each order `a > 1` is at most `rho a`: `d + e^-d - 1`, the divergence of Kullback and
/// Leibler (arXiv 2510.25746 has this value; the proof is ours).
///
/// With `s = a - 1/2`, `(a - 1)` times the divergence is `h(s^2) - d/2` for `h(u) = ln(cosh(d sqrt u) + sinh(d sqrt u) / (2 sqrt u))`, and
/// `a (a - 1) = s^2 - 1/4`. At `u = 1/4` it is `h = d/2`, and the slope there is `h' = d - 1 + e^-d`. So the claim is that `h` is below its
/// tangent at `1/4`. It is concave: the function under the logarithm is entire in `u` of order 1/2, and its zeros are `-y^2` for the
/// eigenvalues `y^2 > 0` of `-v'' = y^2 v` on `[0, d]` with `v(0) = 0` and `v'(d) + v(d)/2 = 0`, which is self-adjoint and positive. So it is
/// `h(0)` and a sum of `ln(1 + u/y^2)` (Hadamard). No smaller `rho` is enough: the order may be as near to 1 as one likes.
fn laplace_zcdp(given: &Given) -> Result<Answer<'_>, Error> {
    let distance = given.shift()?.abs() / given.number("scale")?;
    if distance.is_zero() {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(move |bits| {
        let d = Enclosure::of(&distance, bits);
        Ok(Enclosure::of(&-&distance, bits).exp_minus_one()? + d)
    }))
}

fn gaussian_density(given: &Given) -> Result<Answer<'_>, Error> {
    let (deviation, x) = (given.number("deviation")?, given.at()?);
    let standard = x / deviation;
    let exponent = -(&standard * &standard) / BigInt::from(2);
    Ok(Answer::witnessed(
        move |bits| {
            let root = Enclosure::pi(bits).shifted(1).sqrt()?;
            let width = root * Enclosure::of(deviation, bits);
            Enclosure::exp_of(&exponent, bits)?.divided_by(&width)
        },
        move |bits| {
            let density = second::normal_density(&standard, bits)?;
            Some(density * Enclosure::of(&deviation.recip(), bits))
        },
    ))
}

/// `Pr[Y >= x]` for the sign 1, and `Pr[Y <= x]` for -1.
fn gaussian_tail(given: &Given, sign: i64) -> Result<Answer<'_>, Error> {
    let x = given.at()? * BigInt::from(sign) / given.number("deviation")?;
    let again = x.clone();
    Ok(Answer::witnessed(
        move |bits| Ok(gaussian::upper_tail(&x, bits)),
        move |bits| second::function("normal-tail", &again, bits),
    ))
}

fn gaussian_quantile(given: &Given) -> Result<Answer<'_>, Error> {
    let (deviation, p) = (given.number("deviation")?, given.at()?);
    if *p == rational::ratio(1, 2) {
        return Ok(Answer::Exact(Rational::zero()));
    }
    let own = u32::try_from(p.denom().bits()).unwrap_or(u32::MAX);
    let quantile = move |bits: u32| {
        let p = Enclosure::of(p, bits.saturating_add(own));
        Ok(p.normal_quantile()?.with_bits(bits) * Enclosure::of(deviation, bits))
    };
    let rising =
        move |x: &Rational, bits: u32| second::function("normal-cdf", &(x / deviation), bits);
    Ok(Answer::rising_through(quantile, rising, p))
}

fn gaussian_variance(given: &Given) -> Result<Answer<'_>, Error> {
    let deviation = given.number("deviation")?;
    Ok(Answer::Exact(deviation * deviation))
}

fn gaussian_profile(given: &Given) -> Result<Answer<'_>, Error> {
    let mu = given.shift()?.abs() / given.number("deviation")?;
    let epsilon = given.epsilon()?;
    let distance = mu.clone();
    Ok(Answer::witnessed(
        move |bits| profile_of_gaussian(&mu, epsilon, bits),
        move |bits| second::gaussian_profile(&distance, epsilon, bits),
    ))
}

fn gaussian_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let mu = given.shift()?.abs() / given.number("deviation")?;
    let delta = given.delta()?;
    if delta.is_zero() && !mu.is_zero() {
        return Err(no_epsilon(delta));
    }
    let distance = mu.clone();
    let profile = move |epsilon: &Rational, bits: u32| profile_of_gaussian(&mu, epsilon, bits);
    let falling =
        move |epsilon: &Rational, bits: u32| second::gaussian_profile(&distance, epsilon, bits);
    least_epsilon(profile, falling, delta)
}

fn profile_of_gaussian(
    mu: &Rational,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    if mu.is_zero() {
        return Ok(Enclosure::integer(0, bits));
    }
    gaussian::profile(mu, epsilon, bits).map_err(of_number)
}

#[cfg(test)]
mod tests {
    use super::super::{Place, Value, subject};
    use super::*;
    use dp_assay::number::rational::{parse, to_f64_for_display};

    fn value(words: &str, quantity: &str, place: Place) -> f64 {
        let (name, parameter) = words.split_once(' ').unwrap();
        let subject = subject(name).unwrap();
        let given = Given::read(&subject, &[parameter]).unwrap();
        let quantity = subject.quantity(Some(quantity)).unwrap();
        let value = Value::of(quantity, &given, &place, 20).unwrap();
        to_f64_for_display(&parse(&value.hi).unwrap())
    }

    fn at(text: &str) -> Place {
        Place {
            at: Some(parse(text).unwrap()),
            ..Place::default()
        }
    }

    #[test]
    fn values_are_those_of_formulas_in_doubles() {
        let close = |found: f64, expected: f64| {
            assert!(
                (found - expected).abs() <= 1e-13 * expected.abs(),
                "{found} {expected}"
            );
        };
        close(
            value("laplace scale=2", "density", at("-3")),
            (-1.5f64).exp() / 4.0,
        );
        close(
            value("laplace scale=2", "cdf", at("-3")),
            (-1.5f64).exp() / 2.0,
        );
        close(
            value("laplace scale=2", "cdf", at("3")),
            1.0 - (-1.5f64).exp() / 2.0,
        );
        close(
            value("laplace scale=2", "tail", at("3")),
            (-1.5f64).exp() / 2.0,
        );
        close(
            value("laplace scale=2", "quantile", at("0.9")),
            -2.0 * 0.2f64.ln(),
        );
        close(
            value("laplace scale=2", "quantile", at("0.1")),
            2.0 * 0.2f64.ln(),
        );
        close(value("laplace scale=2", "variance", Place::default()), 8.0);
        close(
            value("gaussian deviation=2", "density", at("1")),
            (-0.125f64).exp() / (2.0 * (2.0 * std::f64::consts::PI).sqrt()),
        );
        // Pr[Z >= 1.96...] = 0.025, and at 2 with all its digits.
        close(
            value("gaussian deviation=3", "tail", at("6")),
            0.022_750_131_948_179_21,
        );
        close(
            value("gaussian deviation=3", "cdf", at("-6")),
            0.022_750_131_948_179_21,
        );
        close(
            value("gaussian deviation=2", "quantile", at("0.975")),
            2.0 * 1.959_963_984_540_054,
        );
    }

    #[test]
    fn profiles_and_their_inverses_meet() {
        for (words, shift, epsilon) in [
            ("laplace scale=2", "3", "1/2"),
            ("gaussian deviation=2", "3", "1/2"),
            ("gaussian deviation=1", "-1", "4"),
        ] {
            let shift = Some(parse(shift).unwrap());
            let epsilon = parse(epsilon).unwrap();
            let delta = value(
                words,
                "profile",
                Place {
                    shift: shift.clone(),
                    epsilon: Some(epsilon.clone()),
                    ..Place::default()
                },
            );
            let delta = dp_assay::number::rational::from_f64(delta).unwrap();
            let back = value(
                words,
                "epsilon",
                Place {
                    shift,
                    delta: Some(delta),
                    ..Place::default()
                },
            );
            assert!(
                (back / to_f64_for_display(&epsilon) - 1.0).abs() < 1e-12,
                "{words} {back}"
            );
        }
    }

    /// By the divergences themselves, in closed form (Mironov 2017, Proposition 6), at many orders; and near 1 nothing less is enough.
    #[test]
    fn the_zcdp_of_laplace_noise_is_enough_at_all_orders_and_no_less_is() {
        for shift in ["1/10", "1", "3", "10"] {
            let place = Place {
                shift: Some(parse(shift).unwrap()),
                ..Place::default()
            };
            let rho = value("laplace scale=1", "zcdp", place);
            let d = to_f64_for_display(&parse(shift).unwrap());
            let divergence = |a: f64| {
                let toward = a / (2.0 * a - 1.0) * ((a - 1.0) * d).exp();
                let away = (a - 1.0) / (2.0 * a - 1.0) * (-a * d).exp();
                (toward + away).ln() / (a - 1.0)
            };
            for a in [1.01, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0] {
                assert!(divergence(a) <= rho * a * (1.0 + 1e-9), "{shift} {a}");
            }
            let near = divergence(1.0 + 1e-4) / (1.0 + 1e-4);
            assert!(near > rho * (1.0 - 1e-3), "{shift}: {near} {rho}");
        }
    }

    #[test]
    fn the_published_epsilon_of_gaussian_noise_is_met() {
        // mu = 0.26805112329... at epsilon 1 and delta 1e-5 (Balle, Wang 2018).
        let place = Place {
            shift: Some(parse("0.26805112329").unwrap()),
            delta: Some(parse("1e-5").unwrap()),
            ..Place::default()
        };
        let epsilon = value("gaussian deviation=1", "epsilon", place);
        assert!((epsilon - 1.0).abs() < 1e-9, "{epsilon}");
    }
}
