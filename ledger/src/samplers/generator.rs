//! The generator that is used: draws, counted.

use super::BITS;
use super::ladder::mechanisms;
use crate::claim::{Check, Strength, Trouble};
use dp_assay::coins::{ChaCha, Coins, CoinsError, Law};
use dp_assay::number::{Enclosure, NumberError, Rational, rational, rational::ratio};
use dp_assay::prepared::{RealNoise, RoundedGaussian, RoundedGaussianVector, RoundedLaplace};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use dp_assay::stats::FrequencyTest;
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
    let names = ["at most the scale", "below minus twice the scale"];
    on_both_sides(check, 5, (&law, &scale), names, |k| law.cdf(k, BITS))
}

/// `sample.discrete-gaussian.generator`
pub(super) fn discrete_gaussian(check: &mut Check) -> Result<(), Trouble> {
    let law = DiscreteGaussian::new(ratio(1_000_000_000_000, 7))?;
    let sigma = law.variance().floor().to_integer().sqrt();
    let names = ["at most sigma", "below minus 2 sigma"];
    on_both_sides(check, 6, (&law, &sigma), names, |k| law.cdf(k, BITS))
}

/// Noise at most 0, at most its size, and below minus twice its size.
fn on_both_sides<L: Law<Outcome = BigInt>>(
    check: &mut Check,
    stream: u64,
    (law, size): (&L, &BigInt),
    [at_most, below]: [&str; 2],
    cdf: impl Fn(&BigInt) -> Result<Enclosure, NumberError>,
) -> Result<(), Trouble> {
    let twice = BigInt::from(2) * size;
    let events: &[Event<BigInt>] = &[
        ("at most 0", cdf(&BigInt::zero())?, &|k| !k.is_positive()),
        (at_most, cdf(size)?, &|k| k <= size),
        (below, cdf(&(-&twice - 1))?, &|k| *k < -&twice),
    ];
    test(check, stream, events, |coins| coins.draw(law))
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

/// `sample.rounded-laplace.generator`
pub(super) fn rounded_laplace(check: &mut Check) -> Result<(), Trouble> {
    let noise = RoundedLaplace::new(ratio(7, 3), ratio(1, 2))?;
    rounded(check, 8, &noise, &ratio(22, 7))
}

/// `sample.rounded-gaussian.generator`
pub(super) fn rounded_gaussian(check: &mut Check) -> Result<(), Trouble> {
    let noise = RoundedGaussian::new(ratio(49, 9), ratio(1, 2))?;
    rounded(check, 9, &noise, &ratio(22, 7))
}

/// Releases of a value: below it, at its place on the grid, above it, and two steps' worth of the noise's size above.
fn rounded<N: RealNoise>(
    check: &mut Check,
    stream: u64,
    noise: &N,
    value: &Rational,
) -> Result<(), Trouble> {
    // Integer k is released if the noise takes the value to between k - 1/2 and k + 1/2 steps.
    let far = rational::integer(1000);
    let end = |half: i64| rational::integer(half) * noise.step() / BigInt::from(2) - value;
    let from = |half: i64| noise.between(&end(half), &far, BITS);
    // 22/7 is 6.28... steps of 1/2.
    let events: &[Event<BigInt>] = &[
        ("at most 5", from(11)?.complement(), &|k| *k <= 5.into()),
        ("6", noise.between(&end(11), &end(13), BITS)?, &|k| {
            *k == 6.into()
        }),
        ("at least 7", from(13)?, &|k| *k >= 7.into()),
        ("at least 12", from(23)?, &|k| *k >= 12.into()),
    ];
    test(check, stream, events, |coins| {
        noise.draw_around(value, coins)
    })
}

/// `sample.rounded-gaussian-vector.generator`
pub(super) fn rounded_vector(check: &mut Check) -> Result<(), Trouble> {
    // The first two are rotated against one another, so independent; the third is their sum, of variance 2.
    let row = |list: [(i64, i64); 2]| list.map(|(n, d)| ratio(n, d)).to_vec();
    let factor = [
        row([(3, 5), (4, 5)]),
        row([(-4, 5), (3, 5)]),
        row([(-1, 5), (7, 5)]),
    ];
    let noise = RoundedGaussianVector::new(&factor, ratio(1, 1))?;
    let values = vec![ratio(1, 2); 3];
    // 1/2 and a Gaussian of variance v round to at least 2 if the Gaussian is at least 1.
    let above = |variance: i64| -> Result<Enclosure, Trouble> {
        let square = Enclosure::of(&ratio(1, variance), BITS);
        Ok(square.sqrt()?.normal_upper())
    };
    let two: BigInt = 2.into();
    let each = above(1)?;
    let both = each.squared();
    let events: &[Event<Vec<BigInt>>] = &[
        ("the first at least 2", each.clone(), &|y| y[0] >= two),
        ("the second at least 2", each, &|y| y[1] >= two),
        ("both at least 2", both, &|y| y[0] >= two && y[1] >= two),
        ("their sum at least 2", above(2)?, &|y| y[2] >= two),
    ];
    test(check, 10, events, |coins| noise.draw_around(&values, coins))
}
