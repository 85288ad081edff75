//! What a Renyi divergence of one order says of epsilon and delta.

use super::{Answer, EPSILON, Given, Kind, QUICK, Quantity, Subject, Takes, parameter};
use crate::error::Error;
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_traits::{One, Signed, Zero};

/// The bits at which it is seen whether a bound says anything.
const LOOK: u32 = 64;

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![Subject {
        name: "rdp",
        definition: "so many mechanisms together, of each of which the Renyi divergence of this order is at most this between neighbours, in both directions (Mironov 2017)".to_owned(),
        parameters: vec![
            parameter(
                "order",
                Kind::Number {
                    least: "1.000001",
                    most: "1e6",
                },
                None,
            ),
            parameter("divergence", EPSILON, None),
            parameter(
                "steps",
                Kind::Whole {
                    least: 1,
                    most: 1 << 30,
                },
                Some("1"),
            ),
        ],
        quantities: vec![
            Quantity::new(
                "epsilon",
                "an upper bound on epsilon at delta, itself enclosed, and at least 0 (Canonne, Kamath, Steinke 2020, Proposition 12)",
                "the bound on epsilon({delta})",
                &[Takes::Delta],
                "--delta 1e-6",
                epsilon,
            ).by("closed form", QUICK),
            Quantity::new(
                "delta",
                "an upper bound on delta at epsilon, itself enclosed, and at most 1 (Canonne, Kamath, Steinke 2020, Proposition 12)",
                "the bound on delta({epsilon})",
                &[Takes::Epsilon],
                "--epsilon 4",
                delta,
            ).by("closed form", QUICK),
        ],
        example: "order=8 divergence=1/10 steps=10",
    }]
}

/// The order, the order less 1, and the divergence of all steps: divergences add up.
fn all_steps(given: &Given) -> Result<[Rational; 3], Error> {
    let order = given.number("order")?;
    let steps = Rational::from_integer(given.whole("steps")?.into());
    let divergence = given.number("divergence")? * steps;
    Ok([order.clone(), order - Rational::one(), divergence])
}

/// `ln(1 - 1/order)`, without cancellation: `-ln(1 + 1/(order - 1))`.
fn shape(excess: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    Ok(-Enclosure::of(&excess.recip(), bits).ln_1p()?)
}

/// `divergence + ln(1 - 1/order) - (ln delta + ln order) / (order - 1)`, and 0 where that is less or delta is 1 or more: then
/// nothing is asked.
fn epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let ([order, excess, divergence], delta) = (all_steps(given)?, given.delta()?);
    let bound = move |bits: u32| -> Result<Enclosure, NumberError> {
        let bits = bits + 32;
        let product = Enclosure::of(&(delta * &order), bits).ln()?;
        let charge = product.divided_by(&Enclosure::of(&excess, bits))?;
        Ok(Enclosure::of(&divergence, bits) + shape(&excess, bits)? - charge)
    };
    if *delta >= Rational::one() || !bound(LOOK)?.upper().is_positive() {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(bound))
}

/// `e^((order - 1) (divergence - epsilon)) (1 - 1/order)^order / (order - 1)`, and 1 where that is more.
fn delta(given: &Given) -> Result<Answer<'_>, Error> {
    let ([order, excess, divergence], epsilon) = (all_steps(given)?, given.epsilon()?);
    let bound = move |bits: u32| -> Result<Enclosure, NumberError> {
        let bits = bits + 32;
        let exponent = Enclosure::of(&(&excess * (&divergence - epsilon)), bits)
            + Enclosure::of(&order, bits) * shape(&excess, bits)?;
        exponent.exp()?.divided_by(&Enclosure::of(&excess, bits))
    };
    if bound(LOOK)?.lower() >= Rational::one() {
        return Ok(Answer::Exact(Rational::one()));
    }
    Ok(Answer::enclosed(bound))
}

#[cfg(test)]
mod tests {
    use super::super::{Asked, Value, subject};
    use super::*;
    use dp_assay::number::rational::parse;

    fn asked(quantity: &str, words: &[&str], asked: &Asked) -> Value {
        let subject = subject("rdp").unwrap();
        let given = Given::read(&subject, words).unwrap();
        let quantity = subject.quantity(Some(quantity)).unwrap();
        let (places, _) = asked.places(quantity).unwrap();
        Value::of(quantity, &given, &places[0], 20).unwrap()
    }

    #[test]
    fn a_gaussian_at_its_zcdp_order_has_the_bound_of_that_order() {
        // rho = 1/2 at order 8: divergence 4. The same bound as the library's, another function.
        use super::super::Span;
        let at = Asked {
            epsilon: Some(Span::read("6").unwrap()),
            ..Asked::default()
        };
        let found = asked("delta", &["order=8", "divergence=4"], &at);
        let rho = dp_assay::privacy::Zcdp::new(
            parse("1/2").unwrap(),
            dp_assay::privacy::NeighbouringRelation::AddOrRemove,
        );
        let seven = parse("7").unwrap();
        let exact = rho
            .unwrap()
            .delta_of_order(&seven, &parse("6").unwrap(), 200)
            .unwrap();
        assert!(parse(&found.lo.unwrap()).unwrap() <= exact.upper());
        assert!(parse(&found.hi).unwrap() >= exact.lower());
    }

    #[test]
    fn the_bound_on_epsilon_is_where_the_bound_on_delta_is_delta() {
        use super::super::Span;
        let words = ["order=5/2", "divergence=1/10", "steps=3"];
        let at = Asked {
            delta: Some(Span::read("1e-6").unwrap()),
            ..Asked::default()
        };
        let epsilon = asked("epsilon", &words, &at);
        let back = |epsilon: &str| {
            let at = Asked {
                epsilon: Some(Span::read(epsilon).unwrap()),
                ..Asked::default()
            };
            asked("delta", &words, &at)
        };
        // The bound on delta falls.
        let target = parse("1e-6").unwrap();
        assert!(parse(&back(&epsilon.lo.unwrap()).hi).unwrap() >= target);
        assert!(parse(&back(&epsilon.hi).lo.unwrap()).unwrap() <= target);
    }
}
