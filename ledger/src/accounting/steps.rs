//! Sampled Gaussian steps, where closed forms know their delta.

use super::{BITS, gaussian, number, sampled};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::{Account, Mechanism, Relation, Step};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy;
use dp_assay::sample::DiscreteLaplace;
use num_traits::One;

/// Deviation, steps and delta, without sampling.
const WHOLE: [(&str, u64, &str); 5] = [
    ("20", 1_000, "1e-5"),
    ("1", 1, "1e-6"),
    ("100", 100_000, "1e-12"),
    ("100", 100_000, "1e-14"),
    ("5", 3, "0.05"),
];

/// Rate, deviation and epsilon, of one step.
const ONCE: [[&str; 3]; 4] = [
    ["0.01", "1", "0.02"],
    ["0.1", "1/2", "1"],
    ["0.3", "2", "0.05"],
    ["0.3", "2", "0.2"],
];

pub(super) fn subsampled_gaussian(check: &mut Check) -> Result<(), Trouble> {
    check.certified("k steps without sampling, k = 1 to 100000, delta = 0.05 to 1e-14; one sampled step, both directions");
    for (deviation, times, delta) in WHOLE {
        let step = Step {
            mechanism: Mechanism::Gaussian {
                deviation: number(deviation)?,
                rate: Rational::one(),
            },
            times,
        };
        let delta = number(delta)?;
        let found = Account::new(&[step], Relation::AddOrRemove)?
            .epsilon(&delta, 4)?
            .value;
        let mu = Enclosure::integer(times, BITS).sqrt()?;
        let mu = mu.divided_by(&Enclosure::of(&number(deviation)?, BITS))?;
        let at = |epsilon: &Rational| gaussian(&mu, &Enclosure::exp_of(epsilon, BITS)?);
        let name = format!("deviation {deviation}, {times} steps, delta {delta}");
        check.holds(at(&found.lower())?.upper() >= delta, &name);
        check.holds(at(&found.upper())?.lower() <= delta, &name);
        check.holds(found.has_digits(3), &name);
    }
    for [rate, deviation, epsilon] in ONCE {
        let mechanism = Mechanism::Gaussian {
            deviation: number(deviation)?,
            rate: number(rate)?,
        };
        let steps = [Step {
            mechanism,
            times: 1,
        }];
        let mu = Enclosure::of(&number(deviation)?.recip(), BITS);
        let epsilon = number(epsilon)?;
        let g = Enclosure::exp_of(&epsilon, BITS)?;
        for (relation, is_swapped) in [(Relation::Remove, false), (Relation::Add, true)] {
            let found = Account::new(&steps, relation)?.delta(&epsilon, 4)?.value;
            let exact = sampled(&number(rate)?, &g, is_swapped, &|g| gaussian(&mu, g))?;
            check.holds(
                found.meets(&exact),
                format_args!("rate {rate}, deviation {deviation}, {relation:?}"),
            );
        }
    }
    other_noise(check)?;
    unlike_answers(check)?;
    directions(check)
}

/// Laplace and discrete noise and randomised response, once, beside what knows their delta.
fn other_noise(check: &mut Check) -> Result<(), Trouble> {
    check.certified("once: Laplace noise of scale 2/3 at rates 1/10, 7/10 and 1, both directions; discrete noise at shifts 1 and 3; 2, 3 and 7 answers");
    let (scale, epsilon) = (ratio(2, 3), ratio(1, 20));
    let g = Enclosure::exp_of(&epsilon, BITS)?;
    for rate in [ratio(1, 10), ratio(7, 10), Rational::one()] {
        for (relation, is_swapped) in [(Relation::Remove, false), (Relation::Add, true)] {
            let mechanism = Mechanism::Laplace {
                scale: scale.clone(),
                rate: rate.clone(),
            };
            let exact = sampled(&rate, &g, is_swapped, &|g| laplace(&scale, g))?;
            let found = once(mechanism, relation, &epsilon)?;
            check.holds(
                found.meets(&exact),
                format_args!("Laplace, rate {rate}, {relation:?}: {found} {exact}"),
            );
        }
    }
    discrete_noise(check, &epsilon)?;
    answers(check, &epsilon)
}

/// The delta of a mechanism that is run once.
fn once(
    mechanism: Mechanism,
    relation: Relation,
    epsilon: &Rational,
) -> Result<Enclosure, Trouble> {
    let step = Step {
        mechanism,
        times: 1,
    };
    Ok(Account::new(&[step], relation)?.delta(epsilon, 4)?.value)
}

/// Discrete noise beside the profiles of its laws.
fn discrete_noise(check: &mut Check, epsilon: &Rational) -> Result<(), Trouble> {
    for shift in [1, 3] {
        let mechanism = Mechanism::DiscreteLaplace {
            scale: integer(4),
            shift,
        };
        let exact = DiscreteLaplace::new(integer(4))?.profile(&shift.into(), epsilon, BITS)?;
        let found = once(mechanism, Relation::Remove, epsilon)?;
        check.holds(
            found.meets(&exact),
            format_args!("discrete Laplace, shift {shift}: {found} {exact}"),
        );
        let variance = integer(5);
        let exact = privacy::discrete_gaussian::profile_of_shift(
            &variance,
            &[shift.into()],
            epsilon,
            BITS,
        )?;
        let found = once(
            Mechanism::DiscreteGaussian { variance, shift },
            Relation::Remove,
            epsilon,
        )?;
        check.holds(
            found.meets(&exact),
            format_args!("discrete Gaussian, shift {shift}: {found} {exact}"),
        );
    }
    Ok(())
}

/// Randomised response: the true answer alone has a loss above epsilon, and delta is `(e^own - e^epsilon) / (e^own + answers - 1)`.
fn answers(check: &mut Check, epsilon: &Rational) -> Result<(), Trouble> {
    let g = Enclosure::exp_of(epsilon, BITS)?;
    for answers in [2, 3, 7] {
        let own = ratio(3, 2);
        let odds = Enclosure::exp_of(&own, BITS)?;
        let all = &odds + Enclosure::integer(answers - 1, BITS);
        let exact = (odds - &g).divided_by(&all)?;
        let mechanism = Mechanism::RandomisedResponse {
            epsilon: own,
            answers,
        };
        let found = once(mechanism, Relation::Remove, epsilon)?;
        check.holds(
            found.meets(&exact),
            format_args!("{answers} answers: {found} {exact}"),
        );
    }
    let one = Mechanism::RandomisedResponse {
        epsilon: integer(1),
        answers: 1,
    };
    check.holds(
        once(one, Relation::Remove, epsilon).is_err(),
        "one answer is none",
    );
    Ok(())
}

/// Two unlike randomised responses, whose losses have no grid in common: all pairs of answers by hand.
fn unlike_answers(check: &mut Check) -> Result<(), Trouble> {
    check.certified("randomised response of 3 answers at 7/5 and twice of 2 at 1, together at epsilon 1/20, 3/2 and 3");
    let kinds = [(ratio(7, 5), 3, 1), (integer(1), 2, 2)];
    let step = |(epsilon, answers, times): &(Rational, u64, u64)| Step {
        mechanism: Mechanism::RandomisedResponse {
            epsilon: epsilon.clone(),
            answers: *answers,
        },
        times: *times,
    };
    let account = Account::new(&kinds.each_ref().map(step), Relation::Remove)?;
    // The outcomes of all three: their probabilities on either side.
    let one = || Enclosure::integer(1, BITS);
    let mut outcomes = vec![[one(), one()]];
    for (epsilon, answers, times) in &kinds {
        let odds = Enclosure::exp_of(epsilon, BITS)?;
        let all = &odds + Enclosure::integer(answers - 1, BITS);
        let (kept, other) = (odds.divided_by(&all)?, one().divided_by(&all)?);
        let rest = Enclosure::integer(answers - 2, BITS) * &other;
        let losses = [[&kept, &other], [&rest, &rest], [&other, &kept]];
        for _ in 0..*times {
            let with = |[p, q]: &[Enclosure; 2]| losses.map(|[a, b]| [p * a, q * b]);
            outcomes = outcomes.iter().flat_map(with).collect();
        }
    }
    for epsilon in [ratio(1, 20), ratio(3, 2), integer(3)] {
        let g = Enclosure::exp_of(&epsilon, BITS)?;
        let zero = Enclosure::integer(0, BITS);
        let exact = outcomes
            .iter()
            .fold(zero.clone(), |sum, [p, q]| sum + (p - &g * q).max(&zero));
        let found = account.delta(&epsilon, 4)?.value;
        check.holds(
            found.meets(&exact),
            format_args!("unlike answers at {epsilon}: {found} {exact}"),
        );
    }
    Ok(())
}

/// `integral of (dP - g dQ)+` of Laplace noise on a query of sensitivity 1, for `g > 0`: `1 - sqrt(g) e^(-1/(2 scale))` between
/// `1` and `e^(1/scale)`; by symmetry `1 - g` more than g times that of `1/g` below.
fn laplace(scale: &Rational, g: &Enclosure) -> Result<Enclosure, Trouble> {
    let one = Enclosure::integer(1, BITS);
    if g.upper() < integer(1) {
        let turned = laplace(scale, &one.divided_by(g)?)?;
        return Ok(one - g + g * turned);
    }
    let tight = Enclosure::exp_of(&(-scale.recip() / integer(2)), BITS)?;
    Ok((g.sqrt()? * tight)
        .complement()
        .max(&Enclosure::integer(0, BITS)))
}

/// Neither direction is the worse one for all steps: of both the larger counts.
fn directions(check: &mut Check) -> Result<(), Trouble> {
    check.certified("both directions together are the larger one: Laplace noise of scale 1 at rate 7/10, once (removal) and twice (addition)");
    for (times, worse, better) in [
        (1, Relation::Remove, Relation::Add),
        (2, Relation::Add, Relation::Remove),
    ] {
        let mechanism = Mechanism::Laplace {
            scale: integer(1),
            rate: ratio(7, 10),
        };
        let steps = [Step { mechanism, times }];
        let delta = |relation| -> Result<Enclosure, Trouble> {
            Ok(Account::new(&steps, relation)?
                .delta(&ratio(1, 4), 4)?
                .value)
        };
        let (worse, better, both) = (delta(worse)?, delta(better)?, delta(Relation::AddOrRemove)?);
        check.holds(
            better.is_below(&worse) && both.meets(&worse) && both.lower() > better.upper(),
            format_args!("{times} steps: {better}, {worse} and both {both}"),
        );
    }
    Ok(())
}
