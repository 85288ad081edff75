//! bms22, Algorithm 6 (Appendix F), **as printed** as far as we can tell: a margin chosen privately, then an algorithm
//! run at it. The proceedings in our copy have no appendix, and of the first version its lines are lost.
//!
//! Private: (epsilon_1 + epsilon_2, delta) under substitution of one record, if `A` is (epsilon_2, delta)-private at
//! each margin of the grid, and no neighbour moves a score `L + B` by more than its `Delta` (`bms22.gem`).
//!
//! What the text says: a finite grid over the margins; "the generalized exponential mechanism invoked in step 2", with
//! a score whose sensitivity depends on the margin; then `A` "with margin parameter" that was chosen. This file needs
//! no other algorithm.
//!
//! What is not legible, and what we put there:
//! - line 1: the grid: from `rho_bar` down by halves, to `rho_bar/sqrt(m)` or below (`bms22.algF.grid`). `log`:
//!   natural.
//! - line 2: the score `L(rho) + B(rho)`, as the proof of Lemma F.1 adds them; the mechanism is cited (Raskhodnikova,
//!   Smith 2016): it is that of `bms22.gem`, with its own confidence at `beta`.
//! - line 3: at which confidence `A` is run: that is `A`'s. The lemma asks for `beta/|V|` (`bms22.lemF_1.corrected`).
//! - real numbers: scores and sensitivities are rational; `t` is rounded up, which no claim of privacy sees.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Returns the margin that is chosen, and what `A` returns at it.
///
/// `m` is the number of records, and public; `rho_bar` the largest margin. `l` and `b` are `L(rho)` and `B(rho)`, and
/// `delta` is `Delta(rho) > 0`, all for `rho` of the grid: of these `l` alone may look at the data.
pub fn algorithm_6<C: Coins, W>(
    (m, rho_bar): (u64, &Rational),
    (epsilon_1, beta): (&Rational, &Rational),
    (l, b): (
        impl Fn(&Rational) -> Rational,
        impl Fn(&Rational) -> Rational,
    ),
    delta: impl Fn(&Rational) -> Rational,
    coins: &mut C,
    a: impl FnOnce(&Rational, &mut C) -> Result<W, Error>,
) -> Result<(Rational, W), Error> {
    // 1: Let V = { rho_bar/2^j : j = 0, ..., ceil(log2(sqrt(m))) }.
    let mut v = vec![rho_bar.clone()];
    while integer(BigInt::one() << (2 * (v.len() - 1))) < integer(m) {
        v.push(rho_bar / integer(BigInt::one() << v.len()));
    }

    // 2: Run the generalized exponential mechanism over V with privacy parameter epsilon_1, sensitivities Delta(rho),
    //    and score function L(rho) + B(rho), to select rho^ in V: with q_i the score of rho_i, t = 2
    //    log(|V|/beta)/epsilon_1, and s_i = max over j of ((q_i + t Delta_i) - (q_j + t Delta_j))/(Delta_i + Delta_j),
    //    w.p. proportional to exp(-epsilon_1 s_i/2).
    let log = Enclosure::of(&(integer(v.len()) / beta), 64).ln()?;
    let t = integer(2) * log.upper() / epsilon_1;
    let deltas: Vec<Rational> = v.iter().map(&delta).collect();
    let shifted: Vec<Rational> = v
        .iter()
        .zip(&deltas)
        .map(|(rho, delta)| l(rho) + b(rho) + &t * delta)
        .collect();
    let s = |i: usize| {
        let quotients =
            (0..v.len()).map(|j| (&shifted[i] - &shifted[j]) / (&deltas[i] + &deltas[j]));
        quotients.fold(Rational::zero(), Rational::max) // that of j = i is 0
    };
    let classes = (0..v.len())
        .map(|i| ScoreClass {
            loss: s(i),
            count: BigUint::one(),
        })
        .collect();
    let choice = ExponentialMechanism::new(epsilon_1.clone(), Rational::one(), classes)?;
    let rho = v.swap_remove(coins.draw(&choice)?);

    // 3: return A(S) with margin parameter rho^ and privacy parameter epsilon_2.
    let w = a(&rho, coins)?;
    Ok((rho, w))
}
