//! The generator that is used: draws, counted.

use super::BITS;
use super::ladder::mechanisms;
use crate::claim::{Check, Strength, Trouble};
use crate::coins::{ChaCha, Coins, CoinsError, Law};
use crate::number::{Enclosure, Rational, rational, rational::ratio};
use crate::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use crate::stats::FrequencyTest;
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};

/// The false-alarm probability of each single test; a run of the whole ledger makes fewer than a
/// thousand, so that all of one run together raise a false alarm with probability below 1e-9.
fn level() -> Rational {
    Rational::new(1.into(), BigInt::from(10).pow(12))
}

/// An event: its name, its probability, and whether an outcome is in it.
type Event<'a, T> = (&'a str, Enclosure, &'a dyn Fn(&T) -> bool);

/// Draws, and tests how often each event occurs.
fn test<T>(
    check: &mut Check,
    stream: u64,
    events: &[Event<T>],
    mut draw: impl FnMut(&mut ChaCha) -> Result<T, CoinsError>,
) -> Result<(), Trouble> {
    let n = if check.quick() { 10_000 } else { 100_000 };
    let mut coins = ChaCha::reproducible(check.seed(), stream);
    let mut counts = vec![0u64; events.len()];
    for _ in 0..n {
        let outcome = draw(&mut coins)?;
        for (count, (_, _, event)) in counts.iter_mut().zip(events) {
            *count += u64::from(event(&outcome));
        }
    }
    let mut rows = Vec::new();
    for ((name, probability, _), count) in events.iter().zip(counts) {
        let test = FrequencyTest::new(n, probability.clone(), level())?;
        rows.push((
            name,
            probability.lower(),
            count,
            test.accepts(count),
            test.detects()?,
        ));
    }
    let names: Vec<String> = rows
        .iter()
        .map(|(name, ..)| format!("\"{name}\""))
        .collect();
    let factor = rows.iter().map(|(.., factor)| factor).max();
    let strength = Strength {
        samples: n,
        level: level() * BigInt::from(events.len()),
        detects: format!(
            "a factor {}",
            rational::to_scientific(factor.unwrap_or(&Rational::zero()), 4)
        ),
    };
    check.statistical(
        format_args!("events {}, seed {}", names.join(", "), check.seed()),
        &strength,
    );
    for (name, probability, count, accepted, factor) in rows {
        let expected = rational::to_scientific(&(probability * BigInt::from(n)), 6);
        check.holds(
            accepted,
            format_args!("\"{name}\": {count} times of {n}, expected {expected}"),
        );
        check.figure(
            name,
            format_args!(
                "{count} times, expected {expected}; detects a factor {}",
                rational::to_scientific(&factor, 4)
            ),
        );
    }
    let bits = Rational::new(coins.consumed().into(), n.into());
    check.figure("bits a draw", rational::to_scientific(&bits, 3));
    Ok(())
}

/// `sample.uniform-below.generator`
pub(super) fn uniform_below(check: &mut Check) -> Result<(), Trouble> {
    let six = BigUint::from(6u32);
    let events: &[Event<BigUint>] = &[
        ("0", Enclosure::of(&ratio(1, 6), BITS), &|k| k.is_zero()),
        ("5", Enclosure::of(&ratio(1, 6), BITS), &|k| {
            *k == BigUint::from(5u32)
        }),
        ("even", Enclosure::of(&ratio(1, 2), BITS), &|k| !k.bit(0)),
    ];
    test(check, 1, events, |coins| coins.uniform_below(&six))
}

/// `sample.bernoulli.generator`
pub(super) fn bernoulli(check: &mut Check) -> Result<(), Trouble> {
    let p = ratio(1, 3);
    let events: &[Event<bool>] = &[("true", Enclosure::of(&p, BITS), &|&b| b)];
    test(check, 2, events, |coins| coins.bernoulli(&p))
}

/// `sample.bernoulli-exp.generator`
pub(super) fn bernoulli_exp(check: &mut Check) -> Result<(), Trouble> {
    let x = ratio(3, 4);
    let events: &[Event<bool>] = &[("true", Enclosure::exp_of(&-&x, BITS)?, &|&b| b)];
    test(check, 3, events, |coins| coins.bernoulli_exp(&x))
}

/// `sample.geometric.generator`
pub(super) fn geometric(check: &mut Check) -> Result<(), Trouble> {
    let law = Geometric::new(ratio(1, 3))?;
    let above_9 = law.cdf(&9u32.into(), BITS)?.complement();
    let events: &[Event<BigUint>] = &[
        ("0", law.pmf(&BigUint::zero(), BITS)?, &|k| k.is_zero()),
        ("at most 3", law.cdf(&3u32.into(), BITS)?, &|k| {
            *k <= 3u32.into()
        }),
        ("at least 10", above_9, &|k| *k >= 10u32.into()),
    ];
    test(check, 4, events, |coins| coins.draw(&law))
}

/// `sample.discrete-laplace.generator`
pub(super) fn discrete_laplace(check: &mut Check) -> Result<(), Trouble> {
    let law = DiscreteLaplace::new(ratio(1_000_000, 7))?;
    let scale = law.scale().floor().to_integer();
    let twice = BigInt::from(2) * &scale;
    let events: &[Event<BigInt>] = &[
        ("at most 0", law.cdf(&BigInt::zero(), BITS)?, &|k| {
            !k.is_positive()
        }),
        ("at most the scale", law.cdf(&scale, BITS)?, &|k| {
            *k <= scale
        }),
        (
            "below minus twice the scale",
            law.cdf(&(-&twice - 1), BITS)?,
            &|k| *k < -&twice,
        ),
    ];
    test(check, 5, events, |coins| coins.draw(&law))
}

/// `sample.discrete-gaussian.generator`
pub(super) fn discrete_gaussian(check: &mut Check) -> Result<(), Trouble> {
    let law = DiscreteGaussian::new(ratio(1_000_000_000_000, 7))?;
    let sigma = law.variance().floor().to_integer().sqrt();
    let twice = BigInt::from(2) * &sigma;
    let events: &[Event<BigInt>] = &[
        ("at most 0", law.cdf(&BigInt::zero(), BITS)?, &|k| {
            !k.is_positive()
        }),
        ("at most sigma", law.cdf(&sigma, BITS)?, &|k| *k <= sigma),
        (
            "below minus 2 sigma",
            law.cdf(&(-&twice - 1), BITS)?,
            &|k| *k < -&twice,
        ),
    ];
    test(check, 6, events, |coins| coins.draw(&law))
}

/// `sample.exponential-mechanism.generator`
pub(super) fn exponential_mechanism(check: &mut Check) -> Result<(), Trouble> {
    let (_, law) = mechanisms()?.remove(1);
    let events: &[Event<usize>] = &[
        ("class 0", law.pmf(&0, BITS)?, &|class| *class == 0),
        ("class 2", law.pmf(&2, BITS)?, &|class| *class == 2),
    ];
    test(check, 7, events, |coins| coins.draw(&law))
}
