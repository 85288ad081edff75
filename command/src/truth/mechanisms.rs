//! Mechanisms with few answers: randomised response and the exponential mechanism.

use super::root::least_epsilon_by;
use super::{
    Answer, EPSILON, Given, Kind, QUICK, Quantity, SLOW, SLOWEST, Subject, Takes, not_negative,
    of_number, parameter,
};
use crate::error::Error;
use dp_assay::coins::Law;
use dp_assay::number::{Enclosure, NumberError, Rational, rational};
use dp_assay::privacy::mechanisms::response_probabilities;
use dp_assay::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

const CLOSED: &str = "closed form; the exponential by a series with an enclosed remainder";

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![
        randomised_response(),
        exponential_mechanism(),
        permute_and_flip(),
    ]
}

fn randomised_response() -> Subject {
    Subject {
        name: "randomised-response",
        definition: "an answer among so many is kept with probability e^epsilon / (e^epsilon + answers - 1), and each other one given with probability 1 / (e^epsilon + answers - 1)".to_owned(),
        parameters: vec![
            parameter("epsilon", EPSILON, None),
            parameter("answers", Kind::Whole { least: 2, most: 1 << 32 }, Some("2")),
        ],
        quantities: vec![
            Quantity::new("pmf", "the probability that the answer is kept (k = 0), that it is the k-th of the others (k from 1)", "Pr[answer {at}]", &[Takes::Natural], "--at 0..1", response).by(CLOSED, QUICK),
            Quantity::new("profile", "the least delta for which the answer is (epsilon, delta)-private", "delta({epsilon})", &[Takes::Epsilon], "--epsilon 0..1..1/4", response_profile).by(CLOSED, QUICK),
            Quantity::new("epsilon", "the least epsilon for which the answer is (epsilon, delta)-private", "epsilon({delta})", &[Takes::AnyDelta], "--delta 0.1", response_epsilon).by(CLOSED, QUICK),
        ],
        example: "epsilon=1",
    }
}

fn response(given: &Given) -> Result<Answer<'_>, Error> {
    let (epsilon, answers) = (given.number("epsilon")?, given.whole("answers")?);
    let k = given.at_integer()?;
    if k >= BigInt::from(answers) {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(move |bits| match k.is_zero() {
        true => kept(epsilon, answers, bits),
        false => given_otherwise(epsilon, answers, bits),
    }))
}

/// The probability that randomised response keeps the answer.
///
/// # Errors
/// Those of the exponential.
pub fn kept(epsilon: &Rational, answers: u64, bits: u32) -> Result<Enclosure, NumberError> {
    let [kept, _] = response_probabilities(answers, epsilon, bits).map_err(of_number)?;
    Ok(kept)
}

/// The probability that randomised response gives one of the other answers.
///
/// # Errors
/// Those of the exponential.
pub fn given_otherwise(
    epsilon: &Rational,
    answers: u64,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let [_, other] = response_probabilities(answers, epsilon, bits).map_err(of_number)?;
    Ok(other)
}

/// The least delta at an epsilon `at >= 0`: only the answer that is kept on one input can gain.
///
/// # Errors
/// Those of the exponential.
pub fn profile_of_response(
    epsilon: &Rational,
    answers: u64,
    at: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    if at >= epsilon {
        return Ok(Enclosure::integer(0, bits));
    }
    let other = given_otherwise(epsilon, answers, bits)?;
    Ok(kept(epsilon, answers, bits)? - Enclosure::exp_of(at, bits)? * other)
}

fn response_profile(given: &Given) -> Result<Answer<'_>, Error> {
    let (epsilon, answers) = (given.number("epsilon")?, given.whole("answers")?);
    let at = given.epsilon()?;
    Ok(Answer::enclosed(move |bits| {
        profile_of_response(epsilon, answers, at, bits)
    }))
}

/// `ln((kept - delta) / other)`, where that is above 0.
fn response_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (epsilon, answers) = (given.number("epsilon")?, given.whole("answers")?);
    let delta = given.delta()?;
    if delta.is_zero() {
        return Ok(Answer::Exact(epsilon.clone()));
    }
    let at_zero = |bits: u32| profile_of_response(epsilon, answers, &Rational::zero(), bits);
    let least = move |bits: u32| {
        let spared = kept(epsilon, answers, bits)? - Enclosure::of(delta, bits);
        let other = given_otherwise(epsilon, answers, bits)?;
        Ok(not_negative(spared.divided_by(&other)?.ln()?))
    };
    least_epsilon_by(least, at_zero, |_, _| None, delta)
}

/// Losses and scores are bounded, so that every exponential is computed.
const SCORES: Kind = Kind::Numbers {
    least: "-1e6",
    most: "1e6",
};

fn exponential_mechanism() -> Subject {
    Subject {
        name: "exponential-mechanism",
        definition: "an outcome of class k has a probability proportional to e^(-epsilon losses[k] / (2 sensitivity)), and class k has counts[k] outcomes (one each where no counts are given)".to_owned(),
        parameters: vec![
            parameter("epsilon", EPSILON, None),
            parameter("sensitivity", Kind::Number { least: "1e-6", most: "1e6" }, Some("1")),
            parameter("losses", SCORES, None),
            parameter("counts", Kind::Numbers { least: "0", most: "1e18" }, Some("1")),
        ],
        quantities: vec![Quantity {
            name: "pmf",
            meaning: "the probability that the outcome is one of class k, counted from 0",
            label: "Pr[class {at}]",
            method: CLOSED,
            takes: &[Takes::Natural],
            example: "--at 0..2",
            most: SLOW,
            answer: class,
        }],
        example: "epsilon=1 losses=0,1,5/2",
    }
}

/// The mechanism on the losses of this parameter.
pub(super) fn mechanism(given: &Given, losses: &str) -> Result<ExponentialMechanism, Error> {
    let (losses, counts) = (given.numbers(losses)?, given.numbers("counts")?);
    if counts.len() != 1 && counts.len() != losses.len() {
        return Err(Error::Usage(format!(
            "{}: there must be one count, or as many as losses, got {} for {}",
            given.subject,
            counts.len(),
            losses.len()
        )));
    }
    if let Some(count) = counts.iter().find(|count| !count.is_integer()) {
        return Err(Error::Usage(format!(
            "{}: counts must be whole numbers, got {}",
            given.subject,
            rational::shortly(count)
        )));
    }
    if counts.iter().all(Zero::is_zero) {
        return Err(Error::Usage(format!(
            "{}: counts must not all be 0, got {}",
            given.subject,
            counts
                .iter()
                .map(rational::shortly)
                .collect::<Vec<_>>()
                .join(",")
        )));
    }
    let classes = losses.iter().zip(counts.iter().cycle());
    let classes = classes.map(|(loss, count)| ScoreClass {
        loss: loss.clone(),
        count: count.to_integer().magnitude().clone(),
    });
    let epsilon = given.number("epsilon")?.clone();
    let sensitivity = given.number("sensitivity")?.clone();
    Ok(ExponentialMechanism::new(
        epsilon,
        sensitivity,
        classes.collect(),
    )?)
}

fn permute_and_flip() -> Subject {
    Subject {
        name: "permute-and-flip",
        definition: "the candidates come in a random order, and each is taken with probability e^(-epsilon (loss - least loss) / (2 sensitivity)): the first that is taken is the outcome (McKenna, Sheldon 2020)".to_owned(),
        parameters: vec![
            parameter("epsilon", EPSILON, None),
            parameter("sensitivity", Kind::Number { least: "1e-6", most: "1e6" }, Some("1")),
            parameter("losses", SCORES, None),
        ],
        quantities: vec![Quantity {
            name: "pmf",
            meaning: "the probability of candidate k, counted from 0",
            label: "Pr[candidate {at}]",
            method: "the integral of a polynomial, whose coefficients are exponentials",
            takes: &[Takes::Natural],
            example: "--at 0..2",
            most: SLOWEST,
            answer: candidate,
        }],
        example: "epsilon=1 losses=0,1,5/2",
    }
}

fn candidate(given: &Given) -> Result<Answer<'_>, Error> {
    let losses = given.numbers("losses")?;
    let scale = given.number("epsilon")? / (given.number("sensitivity")? * BigInt::from(2));
    let least = losses.iter().min().cloned().unwrap_or_default();
    let k = given.at_integer()?.to_usize();
    let k = k.filter(|k| *k < losses.len()).ok_or_else(|| {
        let at = rational::shortly(given.at().unwrap_or(&least));
        let most = losses.len() - 1;
        Error::Usage(format!(
            "--at must be a candidate from 0 to {most}, got {at}"
        ))
    })?;
    Ok(Answer::enclosed(move |bits| {
        let bits = bits + losses.len() as u32 + 32;
        let taken = |loss: &Rational| Enclosure::exp_of(&((&least - loss) * &scale), bits);
        let mut others = Vec::new();
        for (_, loss) in losses.iter().enumerate().filter(|(place, _)| *place != k) {
            others.push(taken(loss)?);
        }
        Ok(taken(&losses[k])? * none_before(&others, bits)?)
    }))
}

/// The probability that nobody who comes before is taken, `others` being the probabilities to be: each comes before with
/// probability `t`, for a uniform `t`, so it is the integral of the product of `1 - t p` over `t` from 0 to 1.
fn none_before(others: &[Enclosure], bits: u32) -> Result<Enclosure, NumberError> {
    let mut coefficients = vec![Enclosure::integer(1, bits)];
    for p in others {
        coefficients.push(Enclosure::integer(0, bits));
        for place in (1..coefficients.len()).rev() {
            coefficients[place] = &coefficients[place] - p * &coefficients[place - 1];
        }
    }
    let mut integral = Enclosure::integer(0, bits);
    for (power, coefficient) in coefficients.iter().enumerate() {
        let share = coefficient.divided_by(&Enclosure::integer(power + 1, bits))?;
        integral = integral + share;
    }
    Ok(integral)
}

fn class(given: &Given) -> Result<Answer<'_>, Error> {
    let law = mechanism(given, "losses")?;
    let class = given.at_integer()?.to_usize();
    let class = class.filter(|class| *class < law.classes().len());
    let Some(class) = class else {
        let classes = law.classes().len();
        let at = rational::shortly(given.at()?);
        return Err(Error::Usage(format!(
            "--at must be a class from 0 to {}, got {at}",
            classes - 1
        )));
    };
    Ok(Answer::enclosed(move |bits| law.pmf(&class, bits)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;
    use dp_assay::privacy::mechanisms::randomised_response_among;

    /// By all orders of the candidates, one after the other.
    #[test]
    fn permute_and_flip_takes_the_first_that_is_taken() {
        use super::super::{Place, Value, subject};
        use dp_assay::number::rational::{integer, parse, to_f64_for_display};
        fn first(left: &[(usize, f64)], reached: f64, taken: &mut [f64]) {
            for (place, (candidate, p)) in left.iter().enumerate() {
                let mut others = left.to_vec();
                others.remove(place);
                let here = reached / left.len() as f64;
                taken[*candidate] += here * p;
                first(&others, here * (1.0 - p), taken);
            }
        }
        for (losses, list) in [
            ("1,0,5/2,3", vec![1.0, 0.0, 2.5, 3.0]),
            ("7,7", vec![7.0, 7.0]),
        ] {
            let least = list.iter().copied().fold(f64::INFINITY, f64::min);
            let p = list
                .iter()
                .map(|loss: &f64| ((least - loss) * 3.0 / 4.0).exp());
            let mut expected = vec![0.0; list.len()];
            first(&p.enumerate().collect::<Vec<_>>(), 1.0, &mut expected);
            let subject = subject("permute-and-flip").unwrap();
            let losses = format!("losses={losses}");
            let words = ["epsilon=3", "sensitivity=2", &losses];
            let given = Given::read(&subject, &words).unwrap();
            for (k, expected) in expected.into_iter().enumerate() {
                let place = Place {
                    at: Some(integer(k as i64)),
                    ..Place::default()
                };
                let found = Value::of(&subject.quantities[0], &given, &place, 20).unwrap();
                let found = to_f64_for_display(&parse(&found.hi).unwrap());
                assert!((found - expected).abs() < 1e-13, "{k}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_closed_profile_is_that_of_the_losses() {
        for (answers, epsilon) in [(2, ratio(1, 2)), (5, ratio(3, 1)), (1 << 20, ratio(40, 1))] {
            let losses = randomised_response_among(answers, &epsilon, 200).unwrap();
            for part in 0..5 {
                let at = &epsilon * ratio(part, 4);
                let closed = profile_of_response(&epsilon, answers, &at, 200).unwrap();
                let found = losses.delta(&at).unwrap();
                assert!(
                    found.meets(&closed),
                    "{answers} {epsilon} {at}: {found} {closed}"
                );
                assert!((found - closed).abs().hi().magnitude() < -150);
            }
        }
    }
}
