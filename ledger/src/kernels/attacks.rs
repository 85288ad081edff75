//! How near Theorem A comes to the truth: sessions whose delta is a closed form.

use super::BITS;
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{Coins, CoinsError, Explorer, Law, Layer};
use dp_assay::law::Censored;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::noisy_answers;
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::Zero;
use std::ops::RangeInclusive;

/// A query that is asked again and again, whose exact answer differs between neighbours by `steps` steps, all that it may:
/// the larger one is just beyond the quiet interval, of `2 width + 1` integers, the other one inside.
struct Edge {
    /// The law of a round if the answer is the smaller one, and if it is the larger.
    rounds: [Censored; 2],
    loss: Rational,
    steps: i64,
}

impl Edge {
    fn new(loss: &Rational, steps: i64, width: i64) -> Result<Self, CoinsError> {
        let noise = DiscreteLaplace::new(integer(steps) / loss)?;
        let law = |value| Censored::new(value, &noise, [-width, width].map(BigInt::from));
        Ok(Self {
            rounds: [law(width + 1 - steps)?, law(width + 1)?],
            loss: loss.clone(),
            steps,
        })
    }

    /// The probabilities of a quiet round.
    fn quiet(&self) -> Result<[Enclosure; 2], NumberError> {
        let [first, second] = &self.rounds;
        Ok([first.pmf(&None, BITS)?, second.pmf(&None, BITS)?])
    }

    /// The probabilities of an update if there were no lower end of the interval: `e^-s/(1 + r)` and `1/(1 + r)`, with
    /// `r = e^(-s/steps)`.
    fn updates_above(&self) -> Result<[Enclosure; 2], NumberError> {
        let one = Enclosure::integer(1, BITS);
        let step = Enclosure::exp_of(&(-&self.loss / BigInt::from(self.steps)), BITS)?;
        let second = one.divided_by(&(&one + step))?;
        Ok([&second * Enclosure::exp_of(&-&self.loss, BITS)?, second])
    }
}

/// The probability of fewer than `updates` updates in `rounds >= updates` rounds, each of which is quiet with this
/// probability: the binomial sum of `C(n, j) (1 - quiet)^j quiet^(n - j)` over `j < updates`.
fn fewer(updates: u64, rounds: u64, quiet: &Enclosure) -> Result<Enclosure, NumberError> {
    let odds = quiet.complement().divided_by(quiet)?;
    let mut term = quiet.power(rounds);
    let mut sum = term.clone();
    for j in 1..updates {
        let factor = Enclosure::of(&Rational::new((rounds + 1 - j).into(), j.into()), BITS);
        term = term * (factor * &odds);
        sum = sum + &term;
    }
    Ok(sum)
}

/// `delta(epsilon)` is at least this: the first law's probability of fewer than `updates` updates in so many rounds, less
/// `e^epsilon` times the second law's. The best of these numbers of rounds, and which it is.
fn delta_of_quiet(
    [first, second]: [&Enclosure; 2],
    updates: u64,
    epsilon: &Rational,
    rounds: RangeInclusive<u64>,
) -> Result<(Enclosure, u64), NumberError> {
    let factor = Enclosure::exp_of(epsilon, BITS)?;
    let mut best = (Enclosure::integer(0, BITS), 0);
    for rounds in rounds {
        let gap = fewer(updates, rounds, first)? - &factor * fewer(updates, rounds, second)?;
        if gap.lower() > best.0.lower() {
            best = (gap, rounds);
        }
    }
    Ok(best)
}

/// The limit of rare updates: `Q(B, t) - e^epsilon Q(B, e^s t)` at `t = (epsilon + s B)/(e^s - 1)`, where
/// `Q(B, t) = sum over j < B of e^-t t^j/j!`.
fn delta_of_rare(
    loss: &Rational,
    updates: u64,
    epsilon: &Rational,
) -> Result<Enclosure, NumberError> {
    let gain = Enclosure::of(loss, BITS).exp_minus_one()?;
    let spent = Enclosure::of(&(epsilon + loss * BigInt::from(updates)), BITS);
    let t = spent.divided_by(&gain)?;
    let poisson = |t: &Enclosure| -> Result<Enclosure, NumberError> {
        let mut term = (-t).exp()?;
        let mut sum = term.clone();
        for j in 1..updates {
            term = (term * t).divided_by(&Enclosure::integer(j, BITS))?;
            sum = sum + &term;
        }
        Ok(sum)
    };
    let later = &t + &t * gain;
    Ok(poisson(&t)? - Enclosure::exp_of(epsilon, BITS)? * poisson(&later)?)
}

/// `jt13.thmA.attacks`
pub(super) fn attacks(check: &mut Check) -> Result<(), Trouble> {
    explored(check)?;
    closed_forms(check)?;
    largest_losses(check)
}

/// A session of a few rounds on every outcome: how often it has fewer than `B` updates.
fn explored(check: &mut Check) -> Result<(), Trouble> {
    const ROUNDS: u64 = 4;
    check.certified(format_args!(
        "sessions of {ROUNDS} rounds at the edge, explored: s = 1/2, by 1 and 2 steps, B = 1, 2; the quiet interval has 41 \
         integers"
    ));
    for steps in [1, 2] {
        let edge = Edge::new(&ratio(1, 2), steps, 20)?;
        for (law, quiet) in edge.rounds.iter().zip(edge.quiet()?) {
            for updates in 1..=2 {
                // Whether the session has ended before its last round.
                let session = |coins: &mut _| {
                    let mut left: u64 = updates;
                    for _ in 0..ROUNDS {
                        if left > 0 && told(law, coins)? {
                            left -= 1;
                        }
                    }
                    Ok(left > 0)
                };
                let explorer = Explorer::new(Layer::Laws, 1 << 14).with_tail(ratio(1, 1 << 10));
                let found = explorer.explore(session)?;
                let formula = fewer(updates, ROUNDS, &quiet)?;
                check.holds(
                    found.allows(&true, &formula) && found.undecided < ratio(1, 100),
                    format_args!("{steps} steps, B = {updates}: {formula}"),
                );
            }
        }
        // The upper end alone decides, up to what is beyond the lower one.
        let far = Edge::new(&ratio(1, 2), steps, 400)?;
        for (quiet, above) in far.quiet()?.into_iter().zip(far.updates_above()?) {
            let apart = (quiet.complement() - &above).abs();
            check.holds(
                apart.upper() < ratio(1, 1 << 60),
                format_args!("{steps} steps, wide: {above} of an update"),
            );
        }
    }
    Ok(())
}

/// Whether a round tells anything.
fn told(law: &Censored, coins: &mut impl Coins) -> Result<bool, CoinsError> {
    Ok(coins.draw(law)?.is_some())
}

/// The delta of sessions at the edge, in closed form, with the noise on a fine grid.
fn closed_forms(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "sessions at the edge on a grid of 1024 steps, up to 200 rounds: B = 3, s = 1/2 and B = 10, s = 1/5, epsilon = 1/2, \
         1, 2; the limit of rare updates",
    );
    for (updates, loss) in [(3, ratio(1, 2)), (10, ratio(1, 5))] {
        let edge = Edge::new(&loss, 1024, 1 << 16)?;
        let [first, second] = edge.quiet()?;
        for epsilon in ["0.5", "1", "2"] {
            let epsilon = parse(epsilon)?;
            let (seen, rounds) =
                delta_of_quiet([&first, &second], updates, &epsilon, updates..=200)?;
            let rare = delta_of_rare(&loss, updates, &epsilon)?;
            let bound = noisy_answers::delta(&loss, updates, &epsilon)?;
            for delta in [&seen, &rare] {
                let stands = delta.lower() > Rational::zero() && delta.upper() <= bound;
                let text = format!("B = {updates}, s = {loss}, epsilon = {epsilon}: {delta}");
                check.holds(stands, text);
            }
            check.figure(
                format_args!("B = {updates}, s = {loss}: delta at epsilon = {epsilon}"),
                format_args!(
                    "{seen} after {rounds} rounds, {rare} if updates are rare; Theorem A: {}",
                    to_scientific(&bound, 3)
                ),
            );
        }
        // One quiet round tells so much, and there may be any number of them: no epsilon bounds the loss.
        let each = first.ln()? - second.ln()?;
        check.holds(
            each.lower() > Rational::zero(),
            format_args!("s = {loss}: a quiet round tells {each}"),
        );
        check.figure(format_args!("s = {loss}: loss of a quiet round"), each);
    }
    Ok(())
}

/// For (1, 1e-6): the loss that Theorem A certifies, and one at which the session at the edge has a larger delta.
fn largest_losses(check: &mut Check) -> Result<(), Trouble> {
    // B, the loss that Theorem A certifies, one that is too large, and after how many rounds.
    let all = [
        (1, "0.0515", "0.0646", 18),
        (10, "0.0312", "0.0358", 49),
        (100, "0.0132", "0.0147", 270),
    ];
    let some = if check.quick() { &all[..2] } else { &all };
    check.certified(
        "epsilon = 1, delta = 1e-6, B = 1, 10, 100: the largest loss of Theorem A, and one that a session at the edge breaks",
    );
    let budget = budget("1", "1e-6")?;
    for &(updates, proved, broken, rounds) in some {
        let certified = noisy_answers::largest_loss(updates, &budget)?;
        let broken = parse(broken)?;
        let edge = Edge::new(&broken, 1 << 16, 1 << 24)?;
        let [first, second] = edge.quiet()?;
        let (seen, after) = delta_of_quiet(
            [&first, &second],
            updates,
            budget.epsilon(),
            rounds - 1..=rounds + 1,
        )?;
        check.holds(
            seen.lower() > *budget.delta(),
            format_args!("B = {updates}, s = {broken}: delta is {seen}"),
        );
        check.holds(
            certified >= parse(proved)? && certified < broken,
            format_args!("B = {updates}: Theorem A certifies {proved}"),
        );
        check.figure(
            format_args!("B = {updates}: the largest loss"),
            format_args!(
                "at least {}, by Theorem A; below {}, where delta is {seen} after {after} rounds",
                to_scientific(&certified, 4),
                to_scientific(&broken, 3)
            ),
        );
    }
    Ok(())
}
