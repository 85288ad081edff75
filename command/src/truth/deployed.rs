//! Noise as it is deployed: rounded to a grid, cut off, of steps, and of two Poisson laws.

use super::root::least_epsilon;
use super::{
    Answer, Given, INVERSE, Kind, Parameter, Quantity, SLOW, SLOWEST, Subject, Takes, affordable,
    forms, not_negative, parameter,
};
use crate::error::Error;
use dp_assay::law::{Continuous, OnGrid, Rounding};
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

const TAILS: &str = "differences of tails of the noise; remainders enclosed";
const CLOSED: &str = "sums of a geometric series in closed form";
const SERIES: &str = "a series of positive terms, and the rest of it by a geometric one";
const ROUNDINGS: [&str; 3] = ["nearest", "down", "toward-zero"];

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![
        rounded("rounded-laplace", "scale", "scale=2 grid=1"),
        rounded("rounded-gaussian", "deviation", "deviation=2 grid=1"),
        staircase(),
        truncated(),
        skellam(),
    ]
}

fn rounded(name: &'static str, spread: &'static str, example: &'static str) -> Subject {
    let number = |least, most| Kind::Number { least, most };
    Subject {
        name,
        definition: "value + X, for noise X of the real line, in steps of the grid, and rounded to a whole number of them: to the nearest and halves away from zero, down, or toward zero".to_owned(),
        parameters: vec![
            parameter(spread, number("1e-6", "1e12"), None),
            parameter("grid", number("1e-6", "1e12"), Some("1")),
            parameter("rounding", Kind::Word(&ROUNDINGS), Some(ROUNDINGS[0])),
            parameter("value", number("-1e12", "1e12"), Some("0")),
        ],
        quantities: vec![
            forms::pmf(|given| at_steps(given, true, true)).by(TAILS, SLOW),
            forms::cdf(|given| at_steps(given, false, true)).by(TAILS, SLOW),
            forms::tail(|given| at_steps(given, true, false)).by(TAILS, SLOW),
        ],
        example,
    }
}

/// The probability of the steps from `--at` on, up to it, or both.
fn at_steps(given: &Given, from: bool, to: bool) -> Result<Answer<'_>, Error> {
    let noise = match given.subject {
        "rounded-laplace" => Continuous::laplace(given.number("scale")?.clone())?,
        _ => Continuous::gaussian(given.number("deviation")?.pow(2))?,
    };
    let rounding = match given.word("rounding")? {
        "down" => Rounding::Down,
        "toward-zero" => Rounding::TowardZero,
        _ => Rounding::Nearest,
    };
    let (grid, value) = (given.number("grid")?, given.number("value")?);
    let law = OnGrid::new(noise, grid.clone(), rounding, value.clone())?;
    let k = given.at_integer()?;
    Ok(Answer::enclosed(move |bits| {
        law.between(from.then_some(&k), to.then_some(&k), bits)
    }))
}

fn staircase() -> Subject {
    let number = |least, most| Kind::Number { least, most };
    Subject {
        name: "staircase",
        definition: "the density a e^(-k E) where k D <= |x| < (k + G) D, and a e^(-(k+1) E) where (k + G) D <= |x| < (k + 1) D, for k = 0, 1, 2, ..., with E epsilon, D the sensitivity and G gamma (Geng, Viswanath 2012)".to_owned(),
        parameters: vec![
            parameter("epsilon", number("1e-6", "1000"), None),
            parameter("sensitivity", number("1e-100", "1e100"), Some("1")),
            parameter("gamma", number("0", "1"), None),
        ],
        quantities: vec![
            Quantity { takes: &[Takes::Number], ..forms::cdf(|given| stairs(given, false)).by(TAILS, SLOW) },
            Quantity { takes: &[Takes::Number], ..forms::tail(|given| stairs(given, true)).by(TAILS, SLOW) },
        ],
        example: "epsilon=1 gamma=3/8",
    }
}

fn stairs(given: &Given, is_upper: bool) -> Result<Answer<'_>, Error> {
    let of = |name| given.number(name).cloned();
    let law = Continuous::staircase(of("epsilon")?, of("sensitivity")?, of("gamma")?)?;
    let x = given.at()?;
    Ok(Answer::enclosed(move |bits| match is_upper {
        true => law.between(Some(x), None, bits),
        false => law.between(None, Some(x), bits),
    }))
}

/// Discrete Laplace noise that is drawn again until it is at most `bound` in magnitude.
struct Truncated {
    scale: Rational,
    bound: BigInt,
}

fn truncated() -> Subject {
    const MOST: u64 = 1 << 40;
    Subject {
        name: "truncated-discrete-laplace",
        definition: "Pr[k] is proportional to e^(-|k|/S) for the integers k from -B to B, with S the scale and B the bound".to_owned(),
        parameters: vec![
            parameter(
                "scale",
                Kind::Number {
                    least: "1e-6",
                    most: "1e100",
                },
                None,
            ),
            parameter("bound", Kind::Whole { least: 1, most: MOST }, None),
        ],
        quantities: vec![
            forms::pmf(truncated_pmf).by(CLOSED, SLOW),
            forms::cdf(truncated_cdf).by(CLOSED, SLOW),
            Quantity::new("profile", "the least delta for which integers that differ by the shift are (epsilon, delta)-private with this noise; from epsilon = shift / S on it is the probability of what one of them alone can give", "delta({epsilon}) at shift {shift}", &[Takes::IntegerShift, Takes::Epsilon], "--shift 1 --epsilon 1/10", truncated_profile).by(CLOSED, SLOW),
            Quantity::new("epsilon", "the least epsilon for which integers that differ by the shift are (epsilon, delta)-private with this noise", "epsilon({delta}) at shift {shift}", &[Takes::IntegerShift, Takes::AnyDelta], "--shift 1 --delta 1/10", truncated_epsilon).by(INVERSE, SLOWEST),
        ],
        example: "scale=2 bound=10",
    }
}

impl Truncated {
    fn of(given: &Given) -> Result<Self, Error> {
        Ok(Self {
            scale: given.number("scale")?.clone(),
            bound: BigInt::from(given.whole("bound")?),
        })
    }

    /// `q^n`, for `q = e^(-1/S)`.
    fn power(&self, n: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        Enclosure::exp_of(&(-Rational::from_integer(n.clone()) / &self.scale), bits)
    }

    /// `1 - q^n`, without cancellation.
    fn lack(&self, n: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let exponent = -Rational::from_integer(n.clone()) / &self.scale;
        Ok(-Enclosure::of(&exponent, bits).exp_minus_one()?)
    }

    /// `1 - q` times the sum of `q^|k|` from `-B` to `B`: `(1 - q) + 2 q (1 - q^B)`.
    fn all(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let one = BigInt::one();
        let sides = self.power(&one, bits)? * self.lack(&self.bound, bits)?;
        Ok(self.lack(&one, bits)? + sides.shifted(1))
    }

    fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        if k.abs() > self.bound {
            return Ok(Enclosure::integer(0, bits));
        }
        let weight = self.power(&k.abs(), bits)? * self.lack(&BigInt::one(), bits)?;
        weight.divided_by(&self.all(bits)?)
    }

    /// `Pr[Y <= k]`: below 0 it is `q^|k| (1 - q^(B + 1 - |k|))` of [`Self::all`], and from 0 on the rest of that at `-k - 1`.
    fn cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        if *k < -&self.bound {
            return Ok(Enclosure::integer(0, bits));
        }
        if *k >= self.bound {
            return Ok(Enclosure::integer(1, bits));
        }
        if !k.is_negative() {
            return Ok(self.cdf(&(-k - 1), bits)?.complement());
        }
        let terms = &self.bound + 1 - k.abs();
        let weight = self.power(&k.abs(), bits)? * self.lack(&terms, bits)?;
        weight.divided_by(&self.all(bits)?)
    }

    /// For a shift `D >= 0`. Of the values `k` of the noise around 0, those below `D - B` are never those of the noise around `D`, and
    /// at the others the loss is `(|k - D| - |k|) / S`: above `epsilon < D/S` where `k < (D - epsilon S) / 2`. The losses fall with `k`, so
    /// that the best event is all up to the last of these.
    fn profile(
        &self,
        shift: &BigInt,
        epsilon: &Rational,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        let alone = shift - &self.bound - 1;
        let distance = Rational::from_integer(shift.clone());
        let excess = &distance - epsilon * &self.scale;
        if !excess.is_positive() {
            return self.cdf(&alone, bits);
        }
        let last: BigInt = (excess / BigInt::from(2)).ceil().to_integer() - 1;
        let own = self.cdf((&last).max(&alone), bits)?;
        let other = self.cdf(&(&last - shift), bits)?;
        Ok(not_negative(
            own - Enclosure::exp_of(epsilon, bits)? * other,
        ))
    }
}

fn truncated_pmf(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, k) = (Truncated::of(given)?, given.at_integer()?);
    Ok(Answer::enclosed(move |bits| law.pmf(&k, bits)))
}

fn truncated_cdf(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, k) = (Truncated::of(given)?, given.at_integer()?);
    Ok(Answer::enclosed(move |bits| law.cdf(&k, bits)))
}

fn truncated_profile(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, shift) = (Truncated::of(given)?, given.shift()?.to_integer().abs());
    let epsilon = given.epsilon()?;
    if shift.is_zero() {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(move |bits| {
        law.profile(&shift, epsilon, bits)
    }))
}

fn truncated_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (law, shift) = (Truncated::of(given)?, given.shift()?.to_integer().abs());
    let delta = given.delta()?;
    if shift.is_zero() {
        return Ok(Answer::Exact(Rational::zero()));
    }
    if delta.is_zero() {
        return Err(super::no_epsilon(delta));
    }
    // From this epsilon on only what one of the two alone can give is left.
    let last = Rational::from_integer(shift.clone()) / &law.scale;
    if law.profile(&shift, &last, 128)?.is_above_rational(delta) {
        return Err(super::no_epsilon(delta));
    }
    let profile = move |epsilon: &Rational, bits: u32| law.profile(&shift, epsilon, bits);
    least_epsilon(profile, |_, _| None, delta)
}

fn skellam() -> Subject {
    Subject {
        name: "skellam",
        definition: "the difference of two independent Poisson numbers, each of mean V/2, with V the variance: Pr[k] = e^-V I_|k|(V)".to_owned(),
        parameters: vec![Parameter {
            name: "variance",
            kind: Kind::Number {
                least: "1e-6",
                most: "1e4",
            },
            default: None,
        }],
        quantities: vec![
            forms::pmf(|given| {
                let (variance, k) = (given.number("variance")?, given.at_integer()?.abs());
                Ok(Answer::enclosed(move |bits| skellam_pmf(variance, &k, bits)))
            }).by(SERIES, SLOW),
            forms::cdf(|given| skellam_tail(given, -1)).by(SERIES, SLOWEST),
            forms::tail(|given| skellam_tail(given, 1)).by(SERIES, SLOWEST),
        ],
        example: "variance=4",
    }
}

/// `e^-V` times the sum over `j >= 0` of `(V/2)^(2 j + k) / (j! (j + k)!)`.
fn skellam_pmf(variance: &Rational, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
    let wide = bits + 32;
    let order = k.to_u64().unwrap_or(u64::MAX);
    affordable(order.saturating_add(8 * u64::from(wide)), wide, 1 << 26)?;
    let half = variance / BigInt::from(2);
    let mut term = Enclosure::exp_of(&-variance, wide)?;
    for j in 1..=order {
        term = term * Enclosure::of(&(&half / BigInt::from(j)), wide);
    }
    let square = half.pow(2);
    let smallest = Enclosure::integer(1, wide).shifted(-i64::from(wide));
    let mut sum = term.clone();
    for j in 1u64.. {
        let ratio = &square / BigInt::from(u128::from(j) * u128::from(j + order));
        term = term * Enclosure::of(&ratio, wide);
        sum = sum + &term;
        // From here on each term is at most half of the one before.
        let is_small = term.upper() <= (&sum * &smallest).upper();
        if ratio <= Rational::new(1.into(), 2.into()) && is_small {
            break;
        }
    }
    let rest = Enclosure::integer(0, wide).hull(&term);
    Ok((sum + rest).with_bits(bits))
}

/// `Pr[Y >= k]` for the sign 1, and `Pr[Y <= k]` for -1: half of what is not 0, less or more the terms between.
fn skellam_tail(given: &Given, sign: i64) -> Result<Answer<'_>, Error> {
    let variance = given.number("variance")?;
    let k = given.at_integer()? * sign;
    Ok(Answer::enclosed(move |bits| {
        let terms = k.abs().to_u64().unwrap_or(u64::MAX);
        affordable(terms.saturating_mul(256), bits, 1 << 26)?;
        let at_zero = skellam_pmf(variance, &BigInt::zero(), bits)?;
        // Pr[Y >= 1], and then what lies between 1 and k.
        let above = at_zero.complement().shifted(-1);
        let mut between = Enclosure::integer(0, bits);
        let (least, most) = match k.is_positive() {
            true => (BigInt::one(), &k - 1),
            false => (BigInt::one(), -&k),
        };
        let mut at = least;
        while at <= most {
            between = between + skellam_pmf(variance, &at, bits)?;
            at += 1;
        }
        Ok(match k.is_positive() {
            true => above - between,
            false => above + at_zero + between,
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::super::{Place, Value, subject};
    use super::*;
    use dp_assay::number::rational::{parse, ratio, to_f64_for_display};

    /// A value, to 20 digits.
    fn value(words: &str, quantity: &str, at: [Option<&str>; 4]) -> f64 {
        let (name, parameters) = words.split_once(' ').unwrap();
        let subject = subject(name).unwrap();
        let words: Vec<&str> = parameters.split(' ').collect();
        let [at, shift, epsilon, delta] = at.map(|text| text.map(|text| parse(text).unwrap()));
        let place = Place {
            at,
            shift,
            epsilon,
            delta,
        };
        let given = Given::read(&subject, &words).unwrap();
        let quantity = subject.quantity(Some(quantity)).unwrap();
        let value = Value::of(quantity, &given, &place, 20).unwrap();
        to_f64_for_display(&parse(&value.hi).unwrap())
    }

    fn at(words: &str, quantity: &str, k: i64) -> f64 {
        value(words, quantity, [Some(&k.to_string()), None, None, None])
    }

    fn close(found: f64, expected: f64, what: &str) {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-12 * expected.abs().max(1e-3),
            "{what}: {found} {expected}"
        );
    }

    #[test]
    fn probabilities_add_up_to_those_of_ends() {
        for words in [
            "rounded-laplace scale=2 grid=1/2",
            "rounded-gaussian deviation=3 rounding=down value=1/3",
            "truncated-discrete-laplace scale=3/2 bound=6",
            "skellam variance=5",
        ] {
            for k in [-7, -3, -1, 0, 1, 4, 6] {
                let step = at(words, "cdf", k) - at(words, "cdf", k - 1);
                close(at(words, "pmf", k), step, words);
                if !words.starts_with("truncated") {
                    let all = at(words, "cdf", k - 1) + at(words, "tail", k);
                    close(all, 1.0, words);
                }
            }
        }
    }

    #[test]
    fn rounded_noise_has_the_mass_of_what_is_rounded_there() {
        // Laplace: from 3/2 to 5/2; from 2 to 3; around 0, what is above -1 and below 1.
        let laplace = |x: f64| (-x / 2.0).exp() / 2.0;
        let pmf = |words: &str, k| at(&format!("rounded-laplace scale=2 {words}"), "pmf", k);
        close(pmf("grid=1", 2), laplace(1.5) - laplace(2.5), "nearest");
        close(pmf("rounding=down", 2), laplace(2.0) - laplace(3.0), "down");
        close(
            pmf("rounding=toward-zero", 0),
            1.0 - 2.0 * laplace(1.0),
            "toward zero",
        );
        // In steps of 1/10 around 1.
        close(
            pmf("grid=1/10 value=1", 30),
            laplace(1.95) - laplace(2.05),
            "steps",
        );
        // Pr[|Z| < 1/2].
        let gaussian = at("rounded-gaussian deviation=1", "pmf", 0);
        close(gaussian, 0.382_924_922_548_026, "gaussian");
    }

    #[test]
    fn a_staircase_has_half_of_its_mass_on_either_side_and_the_mass_of_its_steps() {
        let words = "staircase epsilon=1 gamma=1/4";
        close(at(words, "cdf", 0), 0.5, "middle");
        // A period has e^-1 of the one before.
        let period = at(words, "tail", 1) - at(words, "tail", 2);
        close(
            period / (0.5 - at(words, "tail", 1)),
            (-1.0f64).exp(),
            "period",
        );
    }

    /// By the sum over all outcomes of what one law exceeds e^epsilon times the other.
    #[test]
    fn the_profile_of_truncated_noise_is_that_of_the_sum_over_outcomes() {
        for (scale, bound) in [(2.0f64, 6i64), (0.5, 2), (5.0, 3)] {
            let words = format!("truncated-discrete-laplace scale={scale} bound={bound}");
            let weight = |k: i64| match k.abs() <= bound {
                true => (-(k.abs() as f64) / scale).exp(),
                false => 0.0,
            };
            let all: f64 = (-bound..=bound).map(weight).sum();
            for shift in [1, 2, 5, 13] {
                for epsilon in ["0", "1/10", "1/2", "2/5", "3", "30"] {
                    let factor = to_f64_for_display(&parse(epsilon).unwrap()).exp();
                    let gains = (-bound - shift..=bound + shift)
                        .map(|k| (weight(k) - factor * weight(k - shift)).max(0.0));
                    let expected = gains.sum::<f64>() / all;
                    let at = [None, Some(&*shift.to_string()), Some(epsilon), None];
                    let found = value(&words, "profile", at);
                    close(found, expected, &format!("{words} {shift} {epsilon}"));
                }
            }
        }
    }

    #[test]
    fn the_epsilon_of_truncated_noise_is_where_the_profile_is_delta() {
        let words = "truncated-discrete-laplace scale=2 bound=6";
        let epsilon = value(words, "epsilon", [None, Some("3"), None, Some("1/4")]);
        let epsilon = dp_assay::number::rational::from_f64(epsilon)
            .unwrap()
            .to_string();
        let back = value(words, "profile", [None, Some("3"), Some(&epsilon), None]);
        close(back, 0.25, "back");
        // Less than what one alone can give is never enough.
        let subject = subject("truncated-discrete-laplace").unwrap();
        let given = Given::read(&subject, &["scale=2", "bound=6"]).unwrap();
        let place = Place {
            shift: Some(parse("3").unwrap()),
            delta: Some(ratio(1, 1_000_000)),
            ..Place::default()
        };
        let quantity = subject.quantity(Some("epsilon")).unwrap();
        let error = Value::of(quantity, &given, &place, 20).unwrap_err();
        assert!(error.to_string().contains("no epsilon"), "{error}");
    }

    /// By the two Poisson laws, and by the moments.
    #[test]
    fn skellam_is_the_difference_of_two_poisson_numbers() {
        let poisson = |k: i64| {
            let factorial: f64 = (1..=k).map(|j| j as f64).product();
            (-2.5f64).exp() * 2.5f64.powi(k as i32) / factorial
        };
        for k in 0..8 {
            let expected: f64 = (0..60).map(|j| poisson(j) * poisson(j + k)).sum();
            for k in [k, -k] {
                close(at("skellam variance=5", "pmf", k), expected, "pmf");
            }
        }
        let second: f64 = (-40..=40i64)
            .map(|k| (k * k) as f64 * at("skellam variance=5", "pmf", k))
            .sum();
        close(second, 5.0, "variance");
    }
}
