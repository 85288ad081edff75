//! Steps on batches of a fixed size, drawn without replacement; neighbours by substitution.

use super::{BITS, TOO_LONG, gaussian, h, interval, listed, number, sampled};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::companions::{lower, upper};
use dp_assay::accountant::pairs::fixed::FixedBatch;
use dp_assay::accountant::pairs::gaussian::SampledGaussian;
use dp_assay::accountant::pairs::{Grid, Noise};
use dp_assay::accountant::{Account, Mechanism, Relation, Step};
use dp_assay::number::rational::{from_f64, integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_traits::{One, Zero};

pub(super) fn fixed_batch(check: &mut Check) -> Result<(), Trouble> {
    once(check)?;
    curve(check)?;
    whole(check)?;
    attained(check)?;
    all_datasets(check)
}

/// Steps on a batch.
fn steps(rate: &str, deviation: &str, times: u64) -> Result<[Step; 1], Trouble> {
    let (deviation, rate) = (number(deviation)?, number(rate)?);
    Ok([Step {
        mechanism: Mechanism::FixedBatch { deviation, rate },
        times,
    }])
}

/// How far apart the two Gaussians of a substitution are: from -1 to 1, in units of the noise.
fn apart(deviation: &str) -> Result<Enclosure, Trouble> {
    let one = Enclosure::integer(1, BITS);
    Ok((&one + &one).divided_by(&Enclosure::of(&number(deviation)?, BITS))?)
}

/// Of one step both ends are the closed form.
fn once(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "one step, (rate, deviation, epsilon) in {(1/100, 2, 1/50), (3/10, 4, 1/20), (1/10, 1, 1)}",
    );
    for (rate, deviation, epsilon) in [
        ("0.01", "2", "0.02"),
        ("0.3", "4", "0.05"),
        ("0.1", "1", "1"),
    ] {
        let account = Account::new(&steps(rate, deviation, 1)?, Relation::Substitution)?;
        let found = account.delta(&number(epsilon)?, 4)?.value;
        let mu = apart(deviation)?;
        let g = Enclosure::exp_of(&number(epsilon)?, BITS)?;
        let exact = sampled(&number(rate)?, &g, false, &|g| gaussian(&mu, g))?;
        check.holds(
            found.meets(&exact) && found.has_digits(3),
            format_args!("rate {rate}, deviation {deviation}: {found} {exact}"),
        );
    }
    Ok(())
}

/// The pair that dominates has the larger h of both directions, at thresholds on both sides of 1.
fn curve(check: &mut Check) -> Result<(), Trouble> {
    check.certified("(rate, mu) in {(1/10, 1), (1/2, 2)}, 8 points to a standard deviation, g = 41/77, 47/77, ..., 131/77");
    for (rate, rest, mu) in [("0.1", "0.9", "1"), ("0.5", "0.5", "2")] {
        let direction = SampledGaussian::new(interval(rate)?, interval(rest)?, interval(mu)?);
        let grid = Grid::even(direction.deviation() / 8.0, 1e-9);
        let cells = FixedBatch::new(direction).cells(&grid).ok_or(TOO_LONG)?;
        let (up, low) = (upper(&cells), lower(&cells));
        let infinite = up.infinite;
        let (up, low) = (listed(&up, &cells)?, listed(&low, &cells)?);
        let slack = from_f64(cells.slack)? + Rational::one();
        let mean = Enclosure::of(&number(mu)?, BITS);
        for i in (41..137).step_by(6) {
            let g = ratio(i, 77);
            let at = Enclosure::of(&g, BITS);
            let of = |is_swapped| sampled(&number(rate)?, &at, is_swapped, &|g| gaussian(&mean, g));
            let exact = of(false)?.max(&of(true)?);
            let above = h(&up, infinite, &(&g / &slack))? * Enclosure::of(&slack, BITS);
            let below = h(&low, 0.0, &(&g * &slack))?;
            let name = format!("rate {rate}, mu {mu}, g {g}: {below} {exact} {above}");
            check.holds(above.hi() >= exact.lo(), &name);
            check.holds(below.upper() <= exact.upper() * slack.clone(), &name);
            let near = (above - below).upper() <= ratio(1, 100);
            check.holds(near, &name);
        }
    }
    Ok(())
}

/// Without sampling a step is a Gaussian whose mean moves by 2, and both ends are the closed form.
fn whole(check: &mut Check) -> Result<(), Trouble> {
    check.certified("12 steps with all records in the batch, deviation 10, delta 1e-6");
    let delta = number("1e-6")?;
    let account = Account::new(&steps("1", "10", 12)?, Relation::Substitution)?;
    let found = account.epsilon(&delta, 4)?.value;
    let mu = apart("10")? * Enclosure::integer(12, BITS).sqrt()?;
    let at = |epsilon: &Rational| gaussian(&mu, &Enclosure::exp_of(epsilon, BITS)?);
    let holds = at(&found.lower())?.upper() >= delta
        && at(&found.upper())?.lower() <= delta
        && found.has_digits(3);
    check.holds(holds, format_args!("without sampling: {found}"));
    Ok(())
}

/// The lower end is what one pair of datasets costs: a sampled Gaussian whose mean moves by 2, in its worse direction. The
/// upper end is above it, and is more than that of Poisson samples.
fn attained(check: &mut Check) -> Result<(), Trouble> {
    check.certified("50 steps at rate 1/10, deviation 4, delta 1e-5, beside sampled Gaussians of deviation 2 and 4");
    let delta = number("1e-5")?;
    let found = Account::new(&steps("0.1", "4", 50)?, Relation::Substitution)?;
    let found = found.epsilon(&delta, 4)?.value;
    let sampled = |deviation: i64| -> Result<Enclosure, Trouble> {
        let mechanism = Mechanism::Gaussian {
            deviation: integer(deviation),
            rate: ratio(1, 10),
        };
        let step = Step {
            mechanism,
            times: 50,
        };
        let account = Account::new(&[step], Relation::AddOrRemove)?;
        Ok(account.epsilon(&delta, 4)?.value)
    };
    let (half, same) = (sampled(2)?, sampled(4)?);
    check.holds(
        found.lower() >= half.lower() && found.lower() <= half.upper(),
        format_args!("lower end: {found} {half}"),
    );
    check.holds(
        found.upper() > half.upper() && same.upper() < found.lower(),
        format_args!("upper end: {found} {half}, Poisson {same}"),
    );
    check.figure("upper end of epsilon beside the lower", format!("{found}"));
    Ok(())
}

/// How likely each of four answers is, given the sum of a batch.
const ANSWERS: [[i64; 4]; 5] = [
    [8, 4, 2, 2],
    [4, 7, 3, 2],
    [3, 4, 6, 3],
    [1, 5, 4, 6],
    [2, 1, 5, 8],
];

/// `sum of (p - g q)+` of weights that add up to `whole`.
fn excess(p: &[i64], q: &[i64], g: &Rational, whole: i64) -> Rational {
    let part = |(p, q): (&i64, &i64)| (integer(*p) - g * integer(*q)).max(Rational::zero());
    p.iter().zip(q).map(part).sum::<Rational>() / integer(whole)
}

/// The theorem for every dataset of four records with values 0, 1 and 2, and all that has one value in place of another.
fn all_datasets(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all datasets of four records with values 0, 1, 2 and their neighbours, batches of two, a mechanism of four answers, g = 1/4, 1/2, ..., 3");
    // Of all batches of two: six.
    let law = |dataset: [usize; 4]| {
        let mut law = [0; 4];
        for i in 0..4 {
            for j in i + 1..4 {
                for (sum, weight) in law.iter_mut().zip(ANSWERS[dataset[i] + dataset[j]]) {
                    *sum += weight;
                }
            }
        }
        law
    };
    let base = |g: &Rational| {
        let pairs = (0..5usize).flat_map(|a| (0..5usize).map(move |b| (a, b)));
        let near = pairs.filter(|(a, b)| a.abs_diff(*b) <= 2);
        near.map(|(a, b)| excess(&ANSWERS[a], &ANSWERS[b], g, 16))
            .fold(Rational::zero(), Rational::max)
    };
    let rate = ratio(1, 2);
    let from_one = |g: &Rational| &rate * base(&(Rational::one() + (g - Rational::one()) / &rate));
    for i in 1..=12 {
        let g = ratio(i, 4);
        let most = match g >= Rational::one() {
            true => from_one(&g),
            false => Rational::one() - &g + &g * from_one(&g.recip()),
        };
        for code in 0..243 {
            let digit = |place: u32| code / 3_usize.pow(place) % 3;
            let others = [digit(0), digit(1), digit(2)];
            let dataset = |own: usize| [others[0], others[1], others[2], own];
            let replaced = digit(3) + 3 * digit(4);
            let (one, other) = (dataset(replaced % 3), dataset(replaced / 3));
            let found = excess(&law(one), &law(other), &g, 96);
            check.holds(
                found <= most,
                format_args!("{one:?} and {other:?} at {g}: {found} {most}"),
            );
        }
    }
    Ok(())
}
