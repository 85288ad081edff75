//! What many steps cost together, between two certified ends: sampled Gaussian and Laplace noise, Gaussian steps that
//! are unlike, and Gaussian privacy.

use super::root::least_epsilon;
use super::{
    Answer, Given, INVERSE, Kind, Parameter, QUICK, Quantity, SLOW, Subject, Takes, of_number,
    parameter, second,
};
use crate::error::Error;
use dp_assay::accountant::{
    Account, AccountantError, Budget, Known, Limit, Mechanism, Relation, Step,
};
use dp_assay::number::{Enclosure, Rational, rational};
use dp_assay::privacy::gaussian;
use num_traits::{One, Zero};

/// How a value is computed; it has as many digits as doubles give.
pub(super) const METHOD: &str = "laws above and below that of the loss, on a grid that is refined until six digits are there or no more can be; \
     convolved by Fourier in doubles, every error charged";

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![
        subsampled_gaussian(),
        subsampled_laplace(),
        gaussian_steps(),
        noise_for_budget(),
        steps_for_budget(),
        gaussian_privacy(),
    ]
}

/// The digits that are aimed at, if so many are asked for: more take long.
const DIGITS: u32 = 6;

/// Each value takes up to some seconds.
const MOST: usize = 100;

const RATE: Kind = Kind::Number {
    least: "1e-9",
    most: "1",
};
const NOISE: Kind = Kind::Number {
    least: "1/20",
    most: "1e6",
};
const STEPS: Kind = Kind::Whole {
    least: 1,
    most: 1 << 30,
};
const RELATION: Parameter = parameter(
    "relation",
    Kind::Word(&["add-or-remove", "remove", "add", "substitution"]),
    Some("add-or-remove"),
);
const SAMPLING: Parameter = parameter(
    "sampling",
    Kind::Word(&["poisson", "fixed", "allocation"]),
    Some("poisson"),
);
/// For steps one at a time: epochs are of many.
const SAMPLED_ALONE: Parameter = parameter(
    "sampling",
    Kind::Word(&["poisson", "fixed"]),
    Some("poisson"),
);
const ONLY_POISSON: Parameter = parameter("sampling", Kind::Word(&["poisson"]), Some("poisson"));
const ADD_OR_REMOVE: Parameter = parameter(
    "relation",
    Kind::Word(&["add-or-remove", "remove", "add"]),
    Some("add-or-remove"),
);

/// How the words of `sampling` and the unit of the noise are explained.
const SAMPLED: &str = "on a sample of the records at this rate (sampling=poisson: each record with that probability; sampling=fixed, with \
     relation=substitution: a batch of that part of all records, drawn without replacement; sampling=allocation: of each 1/rate steps \
     every record takes part in one)";
const UNIT: &str = "in units of the most that one record adds to the sum (its clipping norm; one record in place of another moves it by up to two)";

type Asked = fn(&Given) -> Result<Answer<'_>, Error>;

fn quantities(profile: Asked, epsilon: Asked) -> Vec<Quantity> {
    vec![
        Quantity {
            name: "epsilon",
            meaning: "the least epsilon for which all steps together are (epsilon, delta)-private, for the worst mechanism of this kind, whose every answer is seen",
            label: "epsilon({delta})",
            method: METHOD,
            takes: &[Takes::Delta],
            example: "--delta 1e-5",
            most: MOST,
            answer: epsilon,
        },
        Quantity {
            name: "profile",
            meaning: "the least delta for which all steps together are (epsilon, delta)-private, for the worst mechanism of this kind, whose every answer is seen",
            label: "delta({epsilon})",
            method: METHOD,
            takes: &[Takes::Epsilon],
            example: "--epsilon 1",
            most: MOST,
            answer: profile,
        },
    ]
}

fn subsampled_gaussian() -> Subject {
    Subject {
        name: "subsampled-gaussian",
        definition: format!(
            "so many steps, each {SAMPLED}, with Gaussian noise of this standard deviation, {UNIT}"
        ),
        parameters: vec![
            parameter("rate", RATE, None),
            parameter("deviation", NOISE, None),
            parameter("steps", STEPS, Some("1")),
            RELATION,
            SAMPLING,
        ],
        quantities: quantities(
            |given| delta_of(account(given, sampled_gaussian(given)?)?, given),
            |given| epsilon_of(account(given, sampled_gaussian(given)?)?, given),
        ),
        example: "rate=0.01 deviation=1 steps=100",
    }
}

fn subsampled_laplace() -> Subject {
    Subject {
        name: "subsampled-laplace",
        definition: "so many steps, each on a sample that has each record with probability rate, with Laplace noise of this scale, in units of the most that a record moves the number".to_owned(),
        parameters: vec![
            parameter("rate", RATE, None),
            parameter("scale", NOISE, None),
            parameter("steps", STEPS, Some("1")),
            ADD_OR_REMOVE,
            ONLY_POISSON,
        ],
        quantities: quantities(
            |given| delta_of(account(given, sampled_laplace(given)?)?, given),
            |given| epsilon_of(account(given, sampled_laplace(given)?)?, given),
        ),
        example: "rate=1/10 scale=1 steps=10",
    }
}

fn gaussian_steps() -> Subject {
    let list = |least, most| Kind::Numbers { least, most };
    Subject {
        name: "gaussian-steps",
        definition: format!(
            "unlike steps together, each {SAMPLED}: the i-th kind has the i-th rate and deviation, {UNIT}, and is taken steps[i] times"
        ),
        parameters: vec![
            parameter("rates", list("1e-9", "1"), None),
            parameter("deviations", list("1/20", "1e6"), None),
            parameter("steps", list("1", "1073741824"), None),
            RELATION,
            SAMPLING,
        ],
        quantities: quantities(
            |given| delta_of(account(given, unlike(given)?)?, given),
            |given| epsilon_of(account(given, unlike(given)?)?, given),
        ),
        example: "rates=0.02,0.01 deviations=1,2 steps=20,50",
    }
}

fn sampled_gaussian(given: &Given) -> Result<Vec<Step>, Error> {
    let (deviation, rate) = (given.number("deviation")?, given.number("rate")?);
    Ok(vec![gaussian_of(
        given,
        deviation,
        rate,
        given.whole("steps")?,
    )?])
}

/// Gaussian noise on what is sampled as it was asked for, so many times.
fn gaussian_of(
    given: &Given,
    deviation: &Rational,
    rate: &Rational,
    times: u64,
) -> Result<Step, Error> {
    let deviation = deviation.clone();
    let mechanism = match given.word("sampling")? {
        "allocation" => {
            let step = Step::allocated(deviation, rate, times);
            return step.map_err(|error| of_account(given, &error));
        }
        "fixed" => Mechanism::FixedBatch {
            deviation,
            rate: rate.clone(),
        },
        _ => Mechanism::Gaussian {
            deviation,
            rate: rate.clone(),
        },
    };
    Ok(Step { mechanism, times })
}

fn sampled_laplace(given: &Given) -> Result<Vec<Step>, Error> {
    Ok(vec![Step {
        mechanism: Mechanism::Laplace {
            scale: given.number("scale")?.clone(),
            rate: given.number("rate")?.clone(),
        },
        times: given.whole("steps")?,
    }])
}

fn unlike(given: &Given) -> Result<Vec<Step>, Error> {
    let (rates, deviations) = (given.numbers("rates")?, given.numbers("deviations")?);
    let steps = given.numbers("steps")?;
    if rates.len() != deviations.len() || rates.len() != steps.len() {
        return Err(Error::Usage(format!(
            "{}: rates, deviations and steps must be lists of one length, got {}, {} and {} numbers",
            given.subject,
            rates.len(),
            deviations.len(),
            steps.len()
        )));
    }
    if let Some(part) = steps.iter().find(|times| !times.is_integer()) {
        return Err(Error::Usage(format!(
            "{}: steps must be whole numbers, got {}",
            given.subject,
            rational::shortly(part)
        )));
    }
    let kinds = rates.iter().zip(deviations).zip(steps);
    kinds
        .map(|((rate, deviation), times)| {
            let times = times.to_integer().try_into().unwrap_or(u64::MAX);
            gaussian_of(given, deviation, rate, times)
        })
        .collect()
}

fn account(given: &Given, steps: Vec<Step>) -> Result<Account, Error> {
    Account::new(&steps, relation(given)?).map_err(|error| of_account(given, &error))
}

fn relation(given: &Given) -> Result<Relation, Error> {
    Ok(match given.word("relation")? {
        "remove" => Relation::Remove,
        "add" => Relation::Add,
        "substitution" => Relation::Substitution,
        _ => Relation::AddOrRemove,
    })
}

fn of_account(given: &Given, error: &AccountantError) -> Error {
    Error::Usage(format!("{}: {error}", given.subject))
}

fn epsilon_of<'a>(account: Account, given: &'a Given) -> Result<Answer<'a>, Error> {
    let delta = given.delta()?;
    Ok(Answer::sharpest(move |digits| {
        let value = account.epsilon(delta, digits.min(DIGITS));
        value.map_err(|error| of_account(given, &error))
    }))
}

fn delta_of<'a>(account: Account, given: &'a Given) -> Result<Answer<'a>, Error> {
    let epsilon = given.epsilon()?;
    Ok(Answer::sharpest(move |digits| {
        let value = account.delta(epsilon, digits.min(DIGITS));
        value.map_err(|error| of_account(given, &error))
    }))
}

/// How the least noise and the most steps are found.
const SOUGHT: &str = "bisection; the value is within the budget by its account, and the value beside it, one unit of the last digit away, beyond it";

fn noise_for_budget() -> Subject {
    Subject {
        name: "noise-for-budget",
        definition: format!(
            "the noise that so many steps, each {SAMPLED}, with Gaussian noise need to cost at most epsilon at delta"
        ),
        parameters: vec![
            parameter("rate", RATE, None),
            parameter("steps", STEPS, Some("1")),
            RELATION,
            SAMPLING,
        ],
        quantities: vec![Quantity {
            name: "deviation",
            meaning: "the least standard deviation, in units of the most that one record adds to the sum, for which all steps together are (epsilon, delta)-private: the upper end is enough, and the lower is not",
            label: "deviation({epsilon}, {delta})",
            method: SOUGHT,
            takes: &[Takes::Epsilon, Takes::Delta],
            example: "--epsilon 2 --delta 1e-5",
            most: MOST_SOUGHT,
            answer: |given| {
                let (rate, times) = (given.number("rate")?, given.whole("steps")?);
                let steps = vec![gaussian_of(given, &Rational::one(), rate, times)?];
                let (budget, relation, unsharp) =
                    (budget(given)?, relation(given)?, unsharp(given)?);
                Ok(Answer::sharpest(move |digits| {
                    let found = budget.least_noise(&steps, relation, digits);
                    let found = found.map_err(|error| of_account(given, &error))?;
                    let limit = (!found.is_sharp).then_some(unsharp);
                    let beyond = found.beyond.unwrap_or_else(Rational::zero);
                    Ok(Known {
                        value: Enclosure::between(&beyond, &found.value, 128),
                        limit,
                    })
                }))
            },
        }],
        example: "rate=0.01 steps=100",
    }
}

fn steps_for_budget() -> Subject {
    Subject {
        name: "steps-for-budget",
        definition: format!(
            "the steps, each {SAMPLED}, with Gaussian noise of this standard deviation, {UNIT}, that cost at most epsilon at delta"
        ),
        parameters: vec![
            parameter("rate", RATE, None),
            parameter("deviation", NOISE, None),
            RELATION,
            SAMPLED_ALONE,
        ],
        quantities: vec![Quantity {
            name: "steps",
            meaning: "the most steps that together are (epsilon, delta)-private, for the worst mechanism of this kind, whose every answer is seen",
            label: "steps({epsilon}, {delta})",
            method: SOUGHT,
            takes: &[Takes::Epsilon, Takes::Delta],
            example: "--epsilon 2 --delta 1e-5",
            most: MOST_SOUGHT,
            answer: |given| {
                let (deviation, rate) = (given.number("deviation")?, given.number("rate")?);
                let steps = [gaussian_of(given, deviation, rate, 1)?];
                let unsharp = unsharp(given)?;
                let found = budget(given)?.most_steps(&steps, relation(given)?);
                let found = found.map_err(|error| of_account(given, &error))?;
                match found.beyond {
                    Some(_) if found.is_sharp => Ok(Answer::Exact(found.value)),
                    Some(beyond) => Ok(Answer::sharpest(move |_| {
                        Ok(Known {
                            value: Enclosure::between(&found.value, &beyond, 128),
                            limit: Some(unsharp),
                        })
                    })),
                    None => Err(of_account(given, &AccountantError::AnySteps)),
                }
            },
        }],
        example: "rate=0.01 deviation=1",
    }
}

/// Why a least noise and a most steps may not be sharp.
fn unsharp(given: &Given) -> Result<Limit, Error> {
    Ok(match relation(given)? {
        Relation::Substitution => Limit::Worst,
        _ => Limit::Rounding,
    })
}

/// Each takes up to a minute.
const MOST_SOUGHT: usize = 10;

fn budget(given: &Given) -> Result<Budget, Error> {
    Ok(Budget {
        epsilon: given.epsilon()?.clone(),
        delta: given.delta()?.clone(),
    })
}

fn gaussian_privacy() -> Subject {
    Subject {
        name: "gdp",
        definition: "mu-Gaussian differential privacy: no test tells neighbours apart better than N(0, 1) from N(mu, 1); n steps that are each mu-GDP are mu sqrt(n)-GDP (Dong, Roth, Su 2022)".to_owned(),
        parameters: vec![parameter("mu", Kind::Number { least: "1e-6", most: "1e3" }, None)],
        quantities: vec![
            Quantity {
                name: "profile",
                meaning: "the least delta at epsilon that mu-GDP gives",
                label: "delta({epsilon})",
                method: "closed form; the normal law by series with an enclosed remainder",
                takes: &[Takes::Epsilon],
                example: "--epsilon 1",
                most: QUICK,
                answer: |given| {
                    let (mu, epsilon) = (given.number("mu")?, given.epsilon()?);
                    Ok(Answer::witnessed(
                        move |bits| gaussian::profile(mu, epsilon, bits).map_err(of_number),
                        move |bits| second::gaussian_profile(mu, epsilon, bits),
                    ))
                },
            },
            Quantity {
                name: "epsilon",
                meaning: "the least epsilon at delta that mu-GDP gives",
                label: "epsilon({delta})",
                method: INVERSE,
                takes: &[Takes::Delta],
                example: "--delta 1e-5",
                most: SLOW,
                answer: |given| {
                    let (mu, delta) = (given.number("mu")?, given.delta()?);
                    let profile = move |epsilon: &Rational, bits: u32| {
                        gaussian::profile(mu, epsilon, bits).map_err(of_number)
                    };
                    let again = move |epsilon: &Rational, bits: u32| {
                        second::gaussian_profile(mu, epsilon, bits)
                    };
                    least_epsilon(profile, again, delta)
                },
            },
        ],
        example: "mu=1/2",
    }
}
