//! What scores of membership of one run prove: how many guesses are right.

use crate::claim::{Check, Trouble};
use crate::common::compositions;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::HalfPlane;
use dp_assay::stats::one_run::of_budget;
use dp_assay::stats::{OneRun, binomial};
use num_traits::{One, Signed, Zero};

/// `P(X = j)` of `X` binomial, for all `j`.
fn masses(trials: u64, p: &Rational) -> Vec<Rational> {
    let tail = |j| binomial::exact_upper_tail(trials, j, p);
    (0..=trials).map(|j| tail(j) - tail(j + 1)).collect()
}

fn sum(values: &[Rational]) -> Rational {
    values
        .iter()
        .fold(Rational::zero(), |sum, value| sum + value)
}

/// What a delta adds by the `j`-th count, for each unit of `m delta`; from 1 on.
fn gains(masses: &[Rational], right: usize) -> Vec<Rational> {
    let tail = sum(&masses[right..]);
    let gain = |j: usize| {
        let share = match j <= right {
            true => &tail * sum(&masses[..j]),
            false => (Rational::one() - &tail) * sum(&masses[j..]),
        };
        share / (integer(j as u64) * &masses[j])
    };
    (1..masses.len()).map(gain).collect()
}

/// The mechanism that draws how many guesses are right, and then, evenly, which of the coins are guessed, and which rightly.
struct Even<'a> {
    canaries: u32,
    /// The law of the number of right guesses.
    right: &'a [Rational],
}

impl Even<'_> {
    /// The largest sum of `max(0, P(y) - slope P'(y))` over guesses `y`, of coins that differ in one: all guesses one by one.
    ///
    /// By symmetry the coins may all be 1; then `right` of a guess is how many of its signs are 1, and abstentions are 2.
    fn excess(&self, slope: &Rational) -> Rational {
        let guesses = self.right.len() - 1;
        let ways = |right: usize| choose(self.canaries as usize, guesses) * choose(guesses, right);
        let probability = |right: usize| &self.right[right] / integer(ways(right));
        let mut excess = [Rational::zero(), Rational::zero()];
        for code in 0..3usize.pow(self.canaries) {
            let signs: Vec<usize> = (0..self.canaries)
                .map(|i| code / 3usize.pow(i) % 3)
                .collect();
            if signs.iter().filter(|sign| **sign != 2).count() != guesses {
                continue;
            }
            let right = signs.iter().filter(|sign| **sign == 1).count();
            // The first coin is flipped.
            let flipped = match signs[0] {
                1 => right - 1,
                0 => right + 1,
                _ => right,
            };
            let [here, there] = [probability(right), probability(flipped)];
            excess[0] += (&here - slope * &there).max(Rational::zero());
            excess[1] += (&there - slope * &here).max(Rational::zero());
        }
        let [forth, back] = excess;
        forth.max(back)
    }
}

/// The number of ways to choose `k` of `n`.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |ways, j| ways * (n as u64 - j) / (j + 1))
}

/// `stats.one-run`
pub(super) fn one_run(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 3 } else { 4 };
    check.exact(format_args!(
        "up to {most} canaries, all numbers of guesses and of right ones, slopes 1, 2 and 7, deltas 0, 1/1000 and 1/50: the even mechanism that \
         attains the bound, all its guesses one by one"
    ));
    let mut mechanisms = 0u64;
    for canaries in 1..=most {
        for guesses in 1..=u64::from(canaries) {
            for slope in [1, 2, 7] {
                let right_masses = masses(guesses, &ratio(slope, slope + 1));
                for delta in [integer(0), ratio(1, 1000), ratio(1, 50)] {
                    for right in 1..=guesses {
                        mechanisms += u64::from(attained(
                            check,
                            canaries,
                            &right_masses,
                            right as usize,
                            slope,
                            &delta,
                        )?);
                    }
                }
            }
        }
    }
    check.figure("mechanisms that attain the bound", mechanisms);
    all_of_a_lattice(check)?;
    all_of_two_coins(check)?;
    largest_refuted(check)
}

/// A bound is the last thousandth that is refuted, by the formula again where delta is 0; and 40 is the largest epsilon of a claim.
fn largest_refuted(check: &mut Check) -> Result<(), Trouble> {
    check.certified("bounds on epsilon and mu for 46 of 50 right, 100 canaries, level 1/20: the last thousandth that is refuted");
    let (none, thousandth, level) = (integer(0), ratio(1, 1000), ratio(1, 20));
    let run = OneRun::new(100, 50, 46)?;
    let tail = |epsilon: &Rational| -> Result<Enclosure, Trouble> {
        let odds = Enclosure::exp_of(epsilon, super::BITS)?;
        let all = (&odds + Enclosure::integer(1, super::BITS)).power(50);
        let ways = |j: usize| Enclosure::integer(choose(50, j), super::BITS) * odds.power(j as u64);
        let sum = (46..=50).fold(Enclosure::integer(0, super::BITS), |sum, j| sum + ways(j));
        Ok(sum.divided_by(&all)?)
    };
    let epsilon = run.epsilon_lower(&none, &level)?.unwrap_or_default();
    let name = format!("epsilon is above {epsilon}");
    check.holds(tail(&epsilon)?.upper() <= level, &name);
    check.holds(tail(&(&epsilon + &thousandth))?.lower() > level, &name);
    let mu = run.mu_lower(&level)?.unwrap_or_default();
    let name = format!("mu is above {mu}");
    check.holds(run.refutes_gaussian(&mu, &level)?, &name);
    check.holds(!run.refutes_gaussian(&(&mu + &thousandth), &level)?, &name);
    let claim = |epsilon: Rational| of_budget(&epsilon, &none);
    check.holds(
        claim(integer(40)).is_ok() && claim(integer(40) + thousandth).is_err(),
        "40 is the largest epsilon of a claim",
    );
    Ok(())
}

/// The mechanism of the page, where it is one: it is private, and has as many right guesses as often as the bound says.
fn attained(
    check: &mut Check,
    canaries: u32,
    masses: &[Rational],
    right: usize,
    slope: i64,
    delta: &Rational,
) -> Result<bool, Trouble> {
    let gains = gains(masses, right);
    let best = gains.iter().max().cloned().unwrap_or_default();
    let place = 1 + gains.iter().position(|gain| *gain == best).unwrap_or(0);
    // All of m delta goes to the step up to `place`.
    let spent = integer(canaries) * delta;
    let unit = integer(place as u64) * &masses[place];
    let moved = &spent * sum(&masses[place..]) / &unit;
    if moved > Rational::one() {
        return Ok(false);
    }
    let law: Vec<Rational> = masses
        .iter()
        .enumerate()
        .map(|(j, mass)| {
            let kept = (Rational::one() - &moved) * mass;
            match j < place {
                true => kept,
                false => kept + &spent * mass / &unit,
            }
        })
        .collect();
    let name = format!(
        "{canaries} canaries, {right} of {} right, slope {slope}, delta {delta}",
        masses.len() - 1
    );
    check.holds(
        sum(&law).is_one() && law.iter().all(|mass| !mass.is_negative()),
        format_args!("{name}: a law"),
    );
    let slope = integer(slope);
    let even = Even {
        canaries,
        right: &law,
    };
    check.holds(
        even.excess(&slope) <= *delta,
        format_args!("{name}: private"),
    );
    let claim = HalfPlane::new(slope, delta.clone())?;
    let run = OneRun::new(canaries.into(), masses.len() as u64 - 1, right as u64)?;
    let bound = run.chance(&claim, super::BITS)?.total();
    let attained = sum(&law[right..]);
    check.holds(
        bound.contains(&attained) && bound.has_digits(30),
        format_args!("{name}: {attained} comes, the bound is {bound}"),
    );
    Ok(true)
}

/// All laws of the number of right guesses in steps of 1/16, of which none that is private is above the bound.
fn all_of_a_lattice(check: &mut Check) -> Result<(), Trouble> {
    const STEPS: i64 = 16;
    check.exact("three canaries, two or three guesses, slope 2, delta 1/20: all even mechanisms whose numbers of right guesses have probabilities in sixteenths");
    let (slope, delta) = (integer(2), ratio(1, 20));
    let claim = HalfPlane::new(slope.clone(), delta.clone())?;
    let (mut private, mut refused) = (0u64, 0u64);
    for guesses in [2usize, 3] {
        let mut bounds = Vec::new();
        for right in 1..=guesses {
            let run = OneRun::new(3, guesses as u64, right as u64)?;
            bounds.push(run.chance(&claim, super::BITS)?.total());
        }
        for parts in laws_in_steps(guesses + 1, STEPS) {
            let law: Vec<Rational> = parts.iter().map(|part| ratio(*part, STEPS)).collect();
            if (Even {
                canaries: 3,
                right: &law,
            })
            .excess(&slope)
                > delta
            {
                refused += 1;
                continue;
            }
            private += 1;
            for (right, bound) in (1..=guesses).zip(&bounds) {
                let comes = sum(&law[right..]);
                check.holds(
                    !bound.is_below_rational(&comes),
                    format_args!(
                        "{parts:?}: {right} right with probability {comes}, bound {bound}"
                    ),
                );
            }
        }
    }
    check.figure("even mechanisms that are private", private);
    check.figure("even mechanisms that are not", refused);
    Ok(())
}

/// All laws on so many outcomes whose probabilities are multiples of one step.
pub(super) fn laws_in_steps(outcomes: usize, steps: i64) -> Vec<Vec<i64>> {
    let law = |counts: Vec<usize>| counts.into_iter().map(|count| count as i64).collect();
    let all = compositions(outcomes, steps as usize);
    all.into_iter().map(law).collect()
}

/// All mechanisms on two coins with four outputs, in fourths, even or not: with both coins guessed, and with one.
fn all_of_two_coins(check: &mut Check) -> Result<(), Trouble> {
    const STEPS: i64 = 4;
    // The guess of each coin: 1 or 0, or 2 if there is none.
    const BOTH: [[u8; 2]; 4] = [[0, 0], [0, 1], [1, 0], [1, 1]];
    const ONE: [[u8; 2]; 4] = [[0, 2], [1, 2], [2, 0], [2, 1]];
    check.exact("two canaries, four outputs: all mechanisms with probabilities in fourths, slopes 1 and 2, delta 1/4, both coins guessed or one of them");
    let laws = laws_in_steps(4, STEPS);
    let delta = ratio(1, STEPS);
    for (guesses, outputs) in [(2u64, BOTH), (1, ONE)] {
        for slope in [1, 2] {
            let claim = HalfPlane::new(integer(slope), delta.clone())?;
            let private = |p: &[i64], q: &[i64]| {
                let excess = |p: &[i64], q: &[i64]| -> i64 {
                    p.iter().zip(q).map(|(p, q)| (p - slope * q).max(0)).sum()
                };
                excess(p, q) <= 1 && excess(q, p) <= 1
            };
            // Which laws may stand beside which.
            let beside: Vec<Vec<usize>> = laws
                .iter()
                .map(|p| (0..laws.len()).filter(|&q| private(p, &laws[q])).collect())
                .collect();
            // How often so many guesses are right of each law, if the coins are these.
            let count = |law: &[i64], coins: [u8; 2], least: usize| -> i64 {
                let comes = law.iter().zip(outputs).filter(|(_, output)| {
                    output
                        .iter()
                        .zip(coins)
                        .filter(|(guess, coin)| **guess == *coin)
                        .count()
                        >= least
                });
                comes.map(|(mass, _)| mass).sum()
            };
            for right in 1..=guesses {
                let of = |coins: [u8; 2]| -> Vec<i64> {
                    laws.iter()
                        .map(|law| count(law, coins, right as usize))
                        .collect()
                };
                let right_of = BOTH.map(of);
                let best = best_of_two_coins(&beside, &right_of);
                let run = OneRun::new(2, guesses, right)?;
                let bound = run.chance(&claim, super::BITS)?.total();
                // Four equally likely settings of the coins, of STEPS units each.
                let comes = ratio(best, 4 * STEPS);
                check.holds(
                    !bound.is_below_rational(&comes),
                    format_args!("{guesses} guesses, slope {slope}: at best {right} are right with probability {comes}, bound {bound}"),
                );
                check.figure(
                    format_args!("the best of all, {right} of {guesses} right, slope {slope}"),
                    format_args!("{comes} of {}", bound.to_decimals(4).1),
                );
            }
        }
    }
    Ok(())
}

/// The most right guesses over all four laws of which neighbours may stand beside each other: coins 00 and 11 are beside 01 and 10.
fn best_of_two_coins(beside: &[Vec<usize>], right: &[Vec<i64>; 4]) -> i64 {
    let mut best = 0;
    for (first, near) in beside.iter().enumerate() {
        for (last, also) in beside.iter().enumerate() {
            let common = |right: &[i64]| {
                let both = near
                    .iter()
                    .filter(|place| also.binary_search(place).is_ok());
                both.map(|&place| right[place]).max()
            };
            if let (Some(one), Some(other)) = (common(&right[1]), common(&right[2])) {
                best = best.max(right[0][first] + right[3][last] + one + other);
            }
        }
    }
    best
}
