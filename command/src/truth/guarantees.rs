//! What theorems guarantee: the analytic Gaussian mechanism, composition, zero-concentrated privacy, subsampling.
//!
//! Where a theorem gives a bound, the meaning says so, and what is enclosed is that bound. Where only a certified
//! rational above it is known, the answer is an upper bound, never an enclosure.

use super::root::{least_epsilon, positive_root};
use super::{
    Answer, EPSILON, Given, INVERSE, Kind, QUICK, Quantity, SLOW, SLOWEST, Subject, Takes,
    affordable, of_number, parameter, second,
};
use crate::error::Error;
use dp_assay::number::{Dyadic, Enclosure, NumberError, Rational, rational};
use dp_assay::privacy::{
    Budget, NeighbouringRelation, Zcdp, composition, discrete_gaussian, gaussian,
};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![
        analytic_gaussian(),
        composed(),
        concentrated(),
        subsampling(),
        gaussian_vector(),
    ]
}

/// No theorem here depends on the relation: what it gives holds for the relation of what it is given.
const RELATION: NeighbouringRelation = NeighbouringRelation::Substitute;

fn analytic_gaussian() -> Subject {
    Subject {
        name: "analytic-gaussian",
        definition: "continuous Gaussian noise for a budget, in any dimension (Balle, Wang 2018)"
            .to_owned(),
        parameters: Vec::new(),
        quantities: vec![Quantity {
            name: "multiplier",
            meaning: "the least standard deviation a coordinate, divided by the l2 sensitivity, that is (epsilon, delta)-private",
            label: "least multiplier for epsilon {epsilon}, delta {delta}",
            method: INVERSE,
            takes: &[Takes::Epsilon, Takes::Delta],
            example: "--epsilon 1 --delta 1e-5",
            most: SLOWEST,
            answer: multiplier,
        }],
        example: "",
    }
}

fn multiplier(given: &Given) -> Result<Answer<'_>, Error> {
    let (epsilon, delta) = (given.epsilon()?, given.delta()?);
    let above = move |multiplier: &Rational, bits: u32| {
        let profile = gaussian::profile(&multiplier.recip(), epsilon, bits).map_err(of_number)?;
        Ok(profile - Enclosure::of(delta, bits))
    };
    let falling = move |multiplier: &Rational, bits: u32| {
        second::gaussian_profile(&multiplier.recip(), epsilon, bits)
    };
    let least = move |bits: u32| positive_root(&above, bits);
    Ok(Answer::falling_through(least, falling, delta))
}

fn composed() -> Subject {
    Subject {
        name: "composition",
        definition: "what so many adaptive steps, each (step-epsilon, step-delta)-private, guarantee together".to_owned(),
        parameters: vec![
            parameter("step-epsilon", EPSILON, None),
            parameter("step-delta", Kind::Delta, Some("0")),
            parameter("times", Kind::Whole { least: 1, most: 100_000 }, None),
        ],
        quantities: vec![
            Quantity::new("delta", "the least delta at epsilon with which all such steps are private together: optimal composition (Kairouz, Oh, Viswanath 2015)", "delta({epsilon})", &[Takes::Epsilon], "--epsilon 1", optimal_delta).by("the sum over the numbers of lies of the worst steps, which randomise responses", SLOWEST),
            Quantity::new("epsilon", "the least epsilon at delta with which all such steps are private together: optimal composition", "epsilon({delta})", &[Takes::AnyDelta], "--delta 1e-5", optimal_epsilon).by(INVERSE, SLOWEST),
            Quantity::new("basic-epsilon", "the sum of the epsilons: a bound on epsilon, with the sum of the deltas", "epsilon by basic composition", &[], "", |given| {
                Ok(Answer::Exact(given.number("step-epsilon")? * given.number("times")?))
            }).by("the sum", SLOWEST),
            Quantity::new("basic-delta", "the sum of the deltas: a bound on delta, with the sum of the epsilons", "delta by basic composition", &[], "", |given| {
                Ok(Answer::Exact(given.number("step-delta")? * given.number("times")?))
            }).by("the sum", SLOWEST),
            Quantity::new("advanced-epsilon", "a bound on epsilon, the smaller of the sum of the epsilons and the closed form of advanced composition (Kairouz, Oh, Viswanath 2015, Theorem 3.4), where --delta is its slack, which is added to the deltas of the steps", "epsilon by advanced composition, slack {delta}", &[Takes::Delta], "--delta 1e-5", advanced_epsilon).by("the closed form, rounded up at 64 bits", SLOWEST),
        ],
        example: "step-epsilon=1/10 times=30",
    }
}

/// Steps at a precision are not computed where that takes more than some seconds.
const MOST_WORK: u64 = 1 << 25;

fn step(given: &Given) -> Result<(Budget, u64), Error> {
    let epsilon = given.number("step-epsilon")?.clone();
    let delta = given.number("step-delta")?.clone();
    Ok((
        Budget::approximate(epsilon, delta, RELATION)?,
        given.whole("times")?,
    ))
}

/// The optimal delta, where it is not too much work.
fn delta_of_steps(
    step: &Budget,
    times: u64,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    affordable(times, bits, MOST_WORK)?;
    composition::optimal_delta(step, times, epsilon, bits).map_err(of_number)
}

fn optimal_delta(given: &Given) -> Result<Answer<'_>, Error> {
    let (step, times) = step(given)?;
    let epsilon = given.epsilon()?;
    if step.delta().is_zero() && *epsilon >= step.epsilon() * BigInt::from(times) {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(move |bits| {
        delta_of_steps(&step, times, epsilon, bits)
    }))
}

fn optimal_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (step, times) = step(given)?;
    let delta = given.delta()?;
    let all = step.epsilon() * BigInt::from(times);
    // Where delta is what the steps fail with, nothing is left for their losses: the largest one is needed.
    if composition::failure_exactly(&step, times).is_some_and(|failure| failure == *delta) {
        return Ok(Answer::Exact(all));
    }
    // Beyond the sum of the epsilons only what the steps fail with is left.
    let mut bits = 128;
    loop {
        let failure = delta_of_steps(&step, times, &all, bits)?;
        if failure.is_below_rational(delta) {
            break;
        }
        if failure.is_above_rational(delta) || bits > 2048 {
            let least = rational::to_scientific_above(&failure.upper(), 6);
            let got = rational::shortly(delta);
            // Rounded up it is 1, or is.
            if rational::parse(&least).is_ok_and(|least| least >= Rational::one()) {
                return Err(Error::Usage(format!(
                    "--delta {got}: no epsilon is enough, since the steps fail with a probability of nearly 1; take fewer times or less step-delta"
                )));
            }
            return Err(Error::Usage(format!(
                "--delta must be at least the probability with which the steps alone fail, about {least}, got {got}"
            )));
        }
        bits *= 2;
    }
    let at = move |epsilon: &Rational, bits: u32| delta_of_steps(&step, times, epsilon, bits);
    least_epsilon(at, |_, _| None, delta)
}

fn advanced_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (step, times) = step(given)?;
    let whole = composition::advanced(&step, times, given.delta()?)?;
    Ok(Answer::AtMost(whole.epsilon().clone()))
}

fn concentrated() -> Subject {
    Subject {
        name: "zcdp",
        definition: "a mechanism that is rho-zero-concentrated private (Bun, Steinke 2016)"
            .to_owned(),
        parameters: vec![parameter(
            "rho",
            Kind::Number {
                least: "1e-9",
                most: "1e4",
            },
            None,
        )],
        quantities: vec![
            Quantity::new(
                "delta",
                "an upper bound on delta at epsilon, itself enclosed: the infimum over the Renyi orders (Canonne, Kamath, Steinke 2020, Corollary 13)",
                "the bound on delta({epsilon})",
                &[Takes::Epsilon],
                "--epsilon 4",
                concentrated_delta,
            ).by("the bound is log-convex in the order: the zero of its derivative is enclosed, and the tangent there bounds it from below", SLOWEST),
            Quantity::new(
                "epsilon",
                "an upper bound on epsilon at delta, itself enclosed: where the bound on delta is delta",
                "the bound on epsilon({delta})",
                &[Takes::Delta],
                "--delta 1e-6",
                concentrated_epsilon,
            ).by("the bound on delta, inverted: an enclosure of it is above delta at one end and below at the other", SLOWEST),
            Quantity::new(
                "closed-epsilon",
                "an upper bound on epsilon at delta, itself enclosed: rho + 2 sqrt(rho ln(1/delta)) (Bun, Steinke 2016, Proposition 1.3)",
                "the closed bound on epsilon({delta})",
                &[Takes::Delta],
                "--delta 1e-6",
                closed_epsilon,
            ).by("the closed form", SLOWEST),
        ],
        example: "rho=1/2",
    }
}

/// The infimum over the orders of the bound on delta.
///
/// With the excess `e`, the order less 1, the logarithm `g` of the bound is convex, with the derivative
/// `(2 e + 1) rho - epsilon - ln(1 + 1/e)`. Where this is below 0 at `a`, or `a = 0`, and above 0 at `b`, the least value is at most
/// `g(b)` and at least `g(b) - g'(b) (b - a)`.
fn infimum(rho: &Rational, epsilon: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    let falling = |excess: &Rational, bits: u32| {
        let linear = (excess * BigInt::from(2) + Rational::one()) * rho - epsilon;
        let logarithm = Enclosure::of(&excess.recip(), bits + 32).ln_1p()?;
        Ok(logarithm - Enclosure::of(&linear, bits + 32))
    };
    // The derivative at the end is about as small as the bracket is narrow.
    let (a, b) = match positive_root(&falling, bits / 2 + 16) {
        Ok(place) => (place.lower(), place.upper()),
        // Between 0 and a power of two so small that the bound hardly moves there.
        Err(NumberError::Underflow { exponent }) => {
            (Rational::zero(), Dyadic::new(1, exponent).to_rational())
        }
        Err(error) => return Err(error),
    };
    let relation = NeighbouringRelation::Substitute;
    let mechanism = Zcdp::new(rho.clone(), relation).map_err(of_number)?;
    let above = mechanism
        .delta_of_order(&b, epsilon, bits + 16)
        .map_err(of_number)?;
    let slope = (-falling(&b, bits)?)
        .hi()
        .to_rational()
        .max(Rational::zero());
    let least = Enclosure::exp_of(&(-slope * (&b - a)), bits + 16)? * &above;
    Ok(Enclosure::new(least.lo(), above.hi(), bits))
}

fn concentrated_delta(given: &Given) -> Result<Answer<'_>, Error> {
    let (rho, epsilon) = (given.number("rho")?, given.epsilon()?);
    Ok(Answer::enclosed(move |bits| infimum(rho, epsilon, bits)))
}

fn concentrated_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let rho = given.number("rho")?;
    least_epsilon(
        move |epsilon, bits| infimum(rho, epsilon, bits),
        |_, _| None,
        given.delta()?,
    )
}

fn closed_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (rho, delta) = (given.number("rho")?, given.delta()?);
    Ok(Answer::enclosed(move |bits| {
        let own = u32::try_from(delta.denom().bits()).unwrap_or(u32::MAX);
        let nearly_one = Enclosure::of(&(delta - Rational::one()), bits.saturating_add(own));
        let logarithm = (-nearly_one.ln_1p()?).with_bits(bits);
        let rho = Enclosure::of(rho, bits);
        Ok((&rho * logarithm).sqrt()?.shifted(1) + rho)
    }))
}

fn subsampling() -> Subject {
    Subject {
        name: "subsampling",
        definition: "a step on some of the records, drawn without replacement, under substitution (Balle, Barthe, Gaboardi 2018, Theorem 9)".to_owned(),
        parameters: vec![
            parameter("drawn", Kind::Whole { least: 1, most: u64::MAX }, None),
            parameter("records", Kind::Whole { least: 1, most: u64::MAX }, None),
        ],
        quantities: vec![
            Quantity::new("epsilon", "the epsilon that a step of this epsilon costs the whole: the theorem's bound, ln(1 + (m/n) (e^epsilon - 1)), which some step attains", "epsilon of the whole for a step of {epsilon}", &[Takes::Epsilon], "--epsilon 1", |given| rescaled(given, false)).by("closed form", QUICK),
            Quantity::new("delta", "the delta that a step of this delta costs the whole: the theorem's bound, (m/n) delta", "delta of the whole for a step of {delta}", &[Takes::Delta], "--delta 1e-6", |given| {
                Ok(Answer::Exact(given.delta()? * rate(given)?))
            }).by("closed form", QUICK),
            Quantity::new("step-epsilon", "the largest epsilon of a step for which the theorem gives the whole this epsilon", "epsilon of a step for {epsilon} of the whole", &[Takes::Epsilon], "--epsilon 1", |given| rescaled(given, true)).by("closed form", QUICK),
        ],
        example: "drawn=10 records=1000",
    }
}

/// The fraction of the records that is drawn.
fn rate(given: &Given) -> Result<Rational, Error> {
    let (drawn, records) = (given.number("drawn")?, given.number("records")?);
    if drawn > records {
        return Err(Error::Usage(format!(
            "subsampling: drawn must be at most records, got {drawn} of {records}"
        )));
    }
    Ok(drawn / records)
}

/// `ln(1 + rate (e^epsilon - 1))`, or with the reciprocal of the rate.
fn rescaled(given: &Given, is_step: bool) -> Result<Answer<'_>, Error> {
    let rate = rate(given)?;
    let epsilon = given.epsilon()?;
    if rate.is_one() || epsilon.is_zero() {
        return Ok(Answer::Exact(epsilon.clone()));
    }
    let factor = if is_step { rate.recip() } else { rate };
    Ok(Answer::enclosed(move |bits| {
        let gained = Enclosure::of(epsilon, bits + 32).exp_minus_one()?;
        let value = (Enclosure::of(&factor, bits + 32) * gained).ln_1p()?;
        Ok(value.with_bits(bits))
    }))
}

fn gaussian_vector() -> Subject {
    Subject {
        name: "discrete-gaussian-vector",
        definition: "discrete Gaussian noise of this variance parameter on a vector of integers of this dimension and squared l2 sensitivity".to_owned(),
        parameters: vec![
            parameter("variance", Kind::Number { least: "1e-3", most: "1e20" }, None),
            parameter("squared-sensitivity", Kind::Whole { least: 1, most: 1 << 62 }, Some("1")),
            parameter("dimension", Kind::Whole { least: 1, most: 1 << 62 }, Some("1")),
        ],
        quantities: vec![Quantity {
            name: "delta",
            meaning: "an upper bound on delta at epsilon, rounded up: the best of several; in dimension 1 the discrete-gaussian's profile is exact",
            label: "a bound on delta({epsilon})",
            method: "the smaller of the bound through zCDP, the bound by rounding the continuous law, and in one coordinate the profile",
            takes: &[Takes::Epsilon],
            example: "--epsilon 1",
            most: SLOW,
            answer: vector_delta,
        }],
        example: "variance=100 squared-sensitivity=4 dimension=3",
    }
}

fn vector_delta(given: &Given) -> Result<Answer<'_>, Error> {
    let squared = given.number("squared-sensitivity")?.to_integer();
    let dimension = given.whole("dimension")?;
    let bound = discrete_gaussian::delta(
        given.number("variance")?,
        &squared,
        dimension,
        given.epsilon()?,
    )?;
    Ok(Answer::AtMost(bound))
}

#[cfg(test)]
mod tests {
    use super::super::{Place, Value, Worth, subject};
    use super::*;
    use dp_assay::number::rational::{parse, ratio, to_f64_for_display};

    fn value(words: &str, quantity: &str, epsilon: &str, delta: &str) -> Value {
        let mut words = words.split_whitespace();
        let subject = subject(words.next().unwrap()).unwrap();
        let given = Given::read(&subject, &words.collect::<Vec<_>>()).unwrap();
        let read = |text: &str| (!text.is_empty()).then(|| parse(text).unwrap());
        let place = Place {
            epsilon: read(epsilon),
            delta: read(delta),
            ..Place::default()
        };
        Value::of(
            subject.quantity(Some(quantity)).unwrap(),
            &given,
            &place,
            20,
        )
        .unwrap()
    }

    fn ends(value: &Value) -> (Rational, Rational) {
        (
            parse(value.lo.as_ref().unwrap()).unwrap(),
            parse(&value.hi).unwrap(),
        )
    }

    #[test]
    fn the_published_multiplier_of_the_analytic_mechanism_is_met() {
        // 1/0.26805112329... at epsilon 1 and delta 1e-5.
        let (lo, hi) = ends(&value("analytic-gaussian", "multiplier", "1", "1e-5"));
        assert!(lo.recip() > parse("0.2680511232").unwrap());
        assert!(hi.recip() < parse("0.2680511233").unwrap());
        // The calibration of the library is on its safe side, and close.
        let budget = Budget::approximate(ratio(1, 1), parse("1e-5").unwrap(), RELATION).unwrap();
        let safe = gaussian::noise_multiplier(&budget).unwrap();
        assert!(safe >= lo && safe <= hi * ratio((1 << 19) + 1, 1 << 19));
    }

    #[test]
    fn the_infimum_over_orders_is_below_every_order_and_reached() {
        for (rho, epsilon) in [("1/2", "4"), ("0.01", "1/2"), ("3", "1"), ("1e-6", "0.01")] {
            let (lo, hi) = ends(&value(&format!("zcdp rho={rho}"), "delta", epsilon, ""));
            let mechanism = Zcdp::new(parse(rho).unwrap(), RELATION).unwrap();
            let epsilon = parse(epsilon).unwrap();
            for k in -40..18i64 {
                let excess = Dyadic::new(1 + (k & 1), k / 2).to_rational();
                let bound = mechanism.delta_of_order(&excess, &epsilon, 128).unwrap();
                assert!(bound.upper() >= lo, "{rho} {epsilon}");
            }
            // The library's search ends within a millionth of it.
            let found = mechanism.delta(&epsilon).unwrap();
            assert!(
                found >= lo && found <= hi * ratio(1_000_001, 1_000_000),
                "{rho} {epsilon}"
            );
        }
    }

    #[test]
    fn inverses_lead_back() {
        for (words, epsilon) in [
            ("zcdp rho=1/2", "4"),
            ("composition step-epsilon=1/10 times=30", "1"),
            (
                "composition step-epsilon=1/10 step-delta=1e-8 times=30",
                "1/2",
            ),
        ] {
            let (delta, _) = ends(&value(words, "delta", epsilon, ""));
            let (lo, hi) = ends(&value(words, "epsilon", "", &delta.to_string()));
            let epsilon = to_f64_for_display(&parse(epsilon).unwrap());
            for end in [lo, hi] {
                assert!(
                    (to_f64_for_display(&end) / epsilon - 1.0).abs() < 1e-12,
                    "{words}"
                );
            }
        }
    }

    #[test]
    fn two_pure_steps_are_enumerated() {
        // Answers with odds e: both true t^2 against l^2, one of each, both false. At epsilon 1 the first alone gains.
        let e = 1f64.exp();
        let (truth, lie) = (e / (1.0 + e), 1.0 / (1.0 + e));
        let expected = truth * truth - e * lie * lie;
        let (lo, _) = ends(&value(
            "composition step-epsilon=1 times=2",
            "delta",
            "1",
            "",
        ));
        assert!((to_f64_for_display(&lo) / expected - 1.0).abs() < 1e-13);
        let all = value("composition step-epsilon=1 times=2", "delta", "2", "");
        assert_eq!(all.exact, Some(Rational::zero()));
    }

    #[test]
    fn bounds_say_that_they_are_bounds() {
        let words = "composition step-epsilon=1/10 times=30";
        let advanced = value(words, "advanced-epsilon", "", "1e-5");
        assert_eq!((advanced.worth, &advanced.lo), (Worth::UpperBound, &None));
        let (_, optimal) = ends(&value(words, "epsilon", "", "1e-5"));
        assert!(parse(&advanced.hi).unwrap() >= optimal);
        let vector = value(
            "discrete-gaussian-vector variance=100 dimension=3",
            "delta",
            "1",
            "",
        );
        assert_eq!(vector.worth, Worth::UpperBound);
    }

    #[test]
    fn known_values_of_closed_forms() {
        let close = |value: Value, expected: f64| {
            let found = to_f64_for_display(&ends(&value).0);
            assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}");
        };
        let e = 1f64.exp();
        close(
            value("subsampling drawn=10 records=1000", "epsilon", "1", ""),
            (1.0 + (e - 1.0) / 100.0).ln(),
        );
        close(
            value("subsampling drawn=10 records=1000", "step-epsilon", "1", ""),
            (1.0 + (e - 1.0) * 100.0).ln(),
        );
        close(
            value("zcdp rho=1/2", "closed-epsilon", "", "1e-6"),
            0.5 + 2.0 * (0.5 * 1e6f64.ln()).sqrt(),
        );
        let delta = value("subsampling drawn=10 records=1000", "delta", "", "1e-6");
        assert_eq!(delta.exact, Some(parse("1e-8").unwrap()));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |words: &str, quantity: &str, delta: Option<&str>| {
            let mut words = words.split_whitespace();
            let subject = subject(words.next().unwrap()).unwrap();
            let given = Given::read(&subject, &words.collect::<Vec<_>>()).unwrap();
            let place = Place {
                epsilon: Some(ratio(1, 1)),
                delta: delta.map(|text| parse(text).unwrap()),
                ..Place::default()
            };
            let quantity = subject.quantity(Some(quantity)).unwrap();
            Value::of(quantity, &given, &place, 20)
                .unwrap_err()
                .to_string()
        };
        let message = refused("subsampling drawn=11 records=10", "epsilon", None);
        assert!(
            message.contains("drawn must be at most records"),
            "{message}"
        );
        let message = refused(
            "composition step-epsilon=1 step-delta=1e-3 times=10",
            "epsilon",
            Some("1e-4"),
        );
        assert!(
            message.contains(
                "--delta must be at least the probability with which the steps alone fail"
            ),
            "{message}"
        );
    }
}
