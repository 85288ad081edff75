//! Theorem A: one round against what the accountant gives it; its two corollaries; Theorem 9.

use super::BITS;
use super::interactive::explored_sessions;
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::Law;
use dp_assay::kernels::bounds::noisy_answers as bounds;
use dp_assay::law::Censored;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::{Budget, PrivacyError, noisy_answers};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Losses of a round, and products `l s` for three orders `l`: there is room for an update at all of them.
const ROUNDS: [(&str, [&str; 3]); 4] = [
    ("1/1000", ["1/50", "1/4", "3/5"]),
    ("1/20", ["1/50", "1/4", "3/5"]),
    ("1/2", ["1/50", "1/5", "2/5"]),
    ("5/4", ["1/50", "1/10", "1/5"]),
];

/// A round on two neighbours: the moment of what is told, `sum of P (P/Q)^l`, and that of the quiet outcome.
struct Moments {
    told: Enclosure,
    quiet: Enclosure,
}

impl Moments {
    /// The quiet outcome has these probabilities.
    fn new(
        told: Enclosure,
        [p, q]: [&Enclosure; 2],
        order: &Rational,
    ) -> Result<Self, NumberError> {
        Ok(Self {
            told,
            quiet: power(p, q, order)?,
        })
    }

    /// `e^c` of the least `c` that pays for this round: `e^-c told + quiet = 1`.
    fn least_factor(&self) -> Result<Enclosure, NumberError> {
        self.told.divided_by(&self.quiet.complement())
    }
}

/// `p (p/q)^l`
fn power(p: &Enclosure, q: &Enclosure, order: &Rational) -> Result<Enclosure, NumberError> {
    let loss = p.ln()? - q.ln()?;
    Ok(p * (Enclosure::of(order, BITS) * loss).exp()?)
}

/// The rounds that tell most, for given probabilities `p`, `q` of an update: what is told has one of the two likelihood
/// ratios `e^s` and `e^-s`. `p` is one of a list, `q` one of five between the ends of what `s` allows.
fn extreme_rounds(
    loss: &Rational,
    order: &Rational,
) -> Result<Vec<(String, Moments)>, NumberError> {
    let of = |value: &Rational| Enclosure::of(value, BITS);
    let one = Enclosure::integer(1, BITS);
    let [up, down] = [loss.clone(), -loss].map(|loss| Enclosure::exp_of(&loss, BITS));
    let (up, down) = (up?, down?);
    let response = one.divided_by(&(&one + &up))?;
    let mut probabilities: Vec<Enclosure> = (1..16).map(|k| of(&ratio(k, 16))).collect();
    probabilities.extend([ratio(1, 1000), ratio(999, 1000)].map(|p| of(&p)));
    probabilities.extend([down.shifted(-1), response.complement(), response]);
    let mut rounds = Vec::new();
    for p in probabilities {
        let rest = p.complement();
        let least = (&p * &down).max(&(&one - &up * &rest));
        let largest = (&p * &up).min(&(&one - &down * &rest));
        for k in 0..5 {
            let q = &least + (&largest - &least) * of(&ratio(k, 4));
            // a + b = p and a e^-s + b e^s = q.
            let apart = &up - &down;
            let a = (&p * &up - &q).divided_by(&apart)?;
            let b = (&q - &p * &down).divided_by(&apart)?;
            let grown = Enclosure::exp_of(&(loss * order), BITS)?;
            let told = a * &grown + b.divided_by(&grown)?;
            let moments = Moments::new(told, [&rest, &q.complement()], order)?;
            rounds.push((format!("p in {p}, q in {q}"), moments));
        }
    }
    Ok(rounds)
}

/// A round with discrete Laplace noise, as it is drawn: the value moves up by `steps`, each of which costs `s/steps`.
fn noisy_round(
    loss: &Rational,
    order: &Rational,
    steps: i64,
    value: i64,
) -> Result<Moments, Trouble> {
    const QUIET: i64 = 3;
    let noise = DiscreteLaplace::new(integer(steps) / loss)?;
    let law = |value: i64| Censored::new(value, &noise, [-QUIET, QUIET].map(BigInt::from));
    let (first, second) = (law(value)?, law(value + steps)?);
    // 1. Beyond both values and the interval the likelihood ratio is e^s below, and e^-s above.
    let reach = value.abs() + steps + QUIET;
    let grown = Enclosure::exp_of(&(loss * order), BITS)?;
    let below = noise.cdf(&(-reach - 1 - value).into(), BITS)?;
    let above = noise.cdf(&(value - reach - 1).into(), BITS)?;
    let mut told = below * &grown + above.divided_by(&grown)?;
    // 2. Between.
    for k in (-reach..=reach).filter(|k| k.abs() > QUIET) {
        let outcome = Some(BigInt::from(k));
        let (p, q) = (first.pmf(&outcome, BITS)?, second.pmf(&outcome, BITS)?);
        told = told + power(&p, &q, order)?;
    }
    let (p, q) = (first.pmf(&None, BITS)?, second.pmf(&None, BITS)?);
    Ok(Moments::new(told, [&p, &q], order)?)
}

/// `jt13.thmA`
pub(super) fn theorem_a(check: &mut Check) -> Result<(), Trouble> {
    let worst = one_round(check)?;
    explored_sessions(check)?;
    for (loss, share) in worst {
        check.figure(
            format_args!("s = {loss}: what a round takes of c, at most"),
            to_scientific(&share, 4),
        );
    }
    Ok(())
}

/// Each round pays for itself out of `c`: `e^-c told + quiet <= 1`. What part of `c` the costliest takes, by loss.
fn one_round(check: &mut Check) -> Result<Vec<(Rational, Rational)>, Trouble> {
    check.certified(
        "one round, s = 1/1000, 1/20, 1/2, 5/4, three orders each: 20 probabilities of an update with 5 of the neighbour \
         each, told by the likelihood ratios e^s and e^-s; and rounds of the noise that is drawn, by 1, 2 and 5 steps",
    );
    let mut worst = Vec::new();
    for (loss, products) in ROUNDS {
        let loss = parse(loss)?;
        let mut largest = Rational::zero();
        for product in products {
            let order = parse(product)? / &loss;
            let instance = format!("s = {loss}, l = {order}");
            let Some(cost) = noisy_answers::cost_of_update(&loss, &order, BITS)? else {
                check.holds(false, format_args!("{instance}: no room for an update"));
                continue;
            };
            let mut rounds = extreme_rounds(&loss, &order)?;
            for (steps, value) in [(1, 3), (2, 3), (5, 3), (5, -1), (2, 8)] {
                let moments = noisy_round(&loss, &order, steps, value)?;
                rounds.push((format!("{steps} steps from {value}"), moments));
            }
            for (round, moments) in rounds {
                let room = moments.quiet.is_below_rational(&Rational::one());
                check.holds(
                    room,
                    format_args!("{instance}, {round}: room for an update"),
                );
                if room {
                    let share = moments.least_factor()?.ln()?.divided_by(&cost)?;
                    // Randomised response may take all of it, which an enclosure shows to so many digits.
                    let fits = share.upper() <= Rational::one() + ratio(1, 1 << 60);
                    check.holds(
                        fits,
                        format_args!("{instance}, {round}: takes {share} of c"),
                    );
                    largest = largest.max(share.upper());
                }
            }
        }
        worst.push((loss, largest));
    }
    Ok(worst)
}

/// Theorem A certifies this loss for the budget.
fn certifies(
    check: &mut Check,
    instance: &str,
    loss: &Rational,
    updates: u64,
    budget: &Budget,
) -> Result<(), Trouble> {
    let delta = noisy_answers::delta(loss, updates, budget.epsilon())?;
    let text = format!(
        "{instance}, B = {updates}, epsilon = {}: delta <= {} of {}",
        budget.epsilon(),
        to_scientific(&delta, 3),
        to_scientific(budget.delta(), 3)
    );
    check.holds(delta <= *budget.delta(), text);
    Ok(())
}

/// What part a closed form has of the largest loss that Theorem A certifies for (1, 1e-6).
fn shares(
    check: &mut Check,
    closed: impl Fn(u64, &Budget) -> Result<Rational, PrivacyError>,
) -> Result<(), Trouble> {
    let budget = budget("1", "1e-6")?;
    for updates in [1, 1000] {
        let share = closed(updates, &budget)? / noisy_answers::largest_loss(updates, &budget)?;
        check.figure(
            format_args!(
                "(1, 1e-6), B = {updates}: part of the largest loss that Theorem A certifies"
            ),
            to_scientific(&share, 3),
        );
    }
    Ok(())
}

/// `jt13.corA1`
pub(super) fn corollary_a1(check: &mut Check) -> Result<(), Trouble> {
    super::printed::rounds(check)?;
    let updates: &[u64] = &[1, 2, 10, 1000, 1 << 30];
    let updates = if check.quick() {
        &updates[..3]
    } else {
        updates
    };
    let budgets = [
        ("1e-4", "6.7e-3"),
        ("1", "6.7e-3"),
        ("0.1", "1e-6"),
        ("1", "1e-6"),
        ("2.7", "1e-6"),
        ("5", "1e-12"),
    ];
    check.certified(format_args!(
        "Theorem A at the closed form: B in {updates:?}, {} pairs of epsilon and delta",
        budgets.len()
    ));
    for (epsilon, delta) in budgets {
        let budget = budget(epsilon, delta)?;
        for &updates in updates {
            let loss = bounds::closed_loss(updates, &budget)?;
            certifies(check, "Corollary A1", &loss, updates, &budget)?;
        }
    }
    shares(check, bounds::closed_loss)
}

/// `jt13.corA2`
pub(super) fn corollary_a2(check: &mut Check) -> Result<(), Trouble> {
    super::printed::rounds(check)?;
    let budgets = [
        ("0.01", "1e-9"),
        ("1", "1e-6"),
        ("10", "1e-6"),
        ("10", "0.5"),
        ("1", "0.999"),
    ];
    // B, and as many updates as the loop makes at most: the least integer from B on.
    let sizes = [("1", 1), ("1.001", 2), ("7.5", 8), ("1000000", 1_000_000)];
    check.certified(format_args!(
        "Theorem A at lines 1 and 2 of Algorithm 1, B = 1, 1.001, 7.5, 10^6, {} pairs of epsilon and delta",
        budgets.len()
    ));
    for (epsilon, delta) in budgets {
        let budget = budget(epsilon, delta)?;
        for (size, updates) in sizes {
            let loss = bounds::printed_loss(&parse(size)?, &budget)?;
            let instance = format!("line 2 at B = {size}");
            certifies(check, &instance, &loss, updates, &budget)?;
        }
    }
    shares(check, |updates, budget| {
        bounds::printed_loss(&integer(updates), budget)
    })
}

/// `jt13.thm9`
pub(super) fn theorem_9(check: &mut Check) -> Result<(), Trouble> {
    super::printed::rounds(check)?;
    let budgets = [("0.01", "1e-9"), ("1", "1e-6"), ("10", "0.5")];
    let sizes = [1, 10, 10_000];
    check.certified(
        "Theorem A at the printed eps_0: B = 1, 10, 10^4, three pairs of epsilon and delta",
    );
    for (epsilon, delta) in budgets {
        let budget = budget(epsilon, delta)?;
        for updates in sizes {
            let loss = bounds::theorem_9_loss(updates, &budget)?;
            certifies(check, "Theorem 9", &loss, updates, &budget)?;
        }
    }
    shares(check, bounds::theorem_9_loss)
}
