//! bms22, Algorithm 6, **repaired**: a margin chosen privately, then any learner at it. It ships as `choice_of_margin`.
//!
//! Private: (epsilon + epsilon_2, delta) under substitution of one record, on all data, for every list of candidates
//! that was fixed without looking at the data, if the learner is (epsilon_2, delta)-private at each margin of the grid
//! (`bms22.algF.hinge`; `bms22.algF` with the Gibbs learner, which does not read the margin).
//!
//! Where it departs from what the text says of the lines, which are lost:
//! - line 2: the least loss is that of public candidates, and not of all `|w| <= Lambda`: it is exact, no smaller, and
//!   has the same sensitivity (`bms22.algF.hinge`);
//! - line 3: the bounds that are given are to hold at `beta/|V|` (`bms22.lemF_1.corrected`).

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::sample::{ExponentialMechanism, ScoreClass};
use crate::vector::{dot, squared_norm};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// By which loss a margin is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// `1{ y <w, x> <= rho }`: a record moves the least sum by at most 1.
    Margin,
    /// `max(0, 1 - y <w, x>/rho)`: a record moves the least sum by at most `1 + 2^j`.
    Hinge,
}

/// What is public, beside the candidates.
#[derive(Debug, Clone)]
pub struct Public {
    /// The loss.
    pub loss: Loss,
    /// `B(rho_j)` of the margins `rho_j = Lambda r/2^j`, `j = 0, 1, ...`; there is one.
    pub bounds: Vec<Rational>,
    /// `epsilon > 0`, of the choice.
    pub epsilon: Rational,
    /// `beta`, in (0, 1), of the choice: on it no privacy rests.
    pub beta: Rational,
}

/// Returns `j`: the margin is `Lambda r/2^j`; and what the learner, which is given `j`, returns.
///
/// `s`: `true` stands for `y = +1`. The candidates stand for directions: only `w/|w|` matters.
pub fn learn<C: Coins, W>(
    s: &Points<bool>,
    candidates: &[Vec<i64>],
    public: &Public,
    coins: &mut C,
    learner: impl FnOnce(usize, &mut C) -> Result<W, Error>,
) -> Result<(usize, W), Error> {
    // 1: V = { Lambda r/2^j }, as many as there are bounds.
    // 2: the generalised exponential mechanism, by the scores m (L + B).
    let j = coins.draw(&choice(&scores(s, candidates, public), public)?)?;
    // 3: the learner at that margin.
    Ok((j, learner(j, coins)?))
}

/// Of each margin `m (L + B)`: the least sum of losses of a candidate scaled to norm `Lambda`, and `m` times the bound.
///
/// By the margin loss all records are lost without a candidate; by the hinge loss the origin is one more candidate.
fn scores(s: &Points<bool>, candidates: &[Vec<i64>], public: &Public) -> Vec<Rational> {
    let m = integer(s.iter().count());
    let score = |(j, bound): (usize, &Rational)| {
        let sums = candidates.iter().map(|w| match public.loss {
            Loss::Margin => margin_errors(s, w, j),
            Loss::Hinge => hinge_losses(s, w, j),
        });
        sums.fold(m.clone(), Rational::min) + &m * bound
    };
    public.bounds.iter().enumerate().map(score).collect()
}

/// How many records have `y <w, x> <= |w| r/2^j`.
fn margin_errors(s: &Points<bool>, w: &[i64], j: usize) -> Rational {
    let most = squared_norm(w) * BigInt::from(s.one()).pow(2); // (|w| r)^2
    let is_error = |record: &&(Vec<i64>, bool)| {
        let product = margin(w, record);
        !product.is_positive() || (product.pow(2) << (2 * j)) <= most
    };
    integer(s.iter().filter(is_error).count())
}

/// The sum of `max(0, 1 - 2^j y <w, x>/(|w| r))`, `|w|` rounded up, so that the hypothesis is in the ball; at `w = 0`
/// that of 1.
fn hinge_losses(s: &Points<bool>, w: &[i64], j: usize) -> Rational {
    let squared = squared_norm(w);
    let root = squared.sqrt();
    let norm = if root.pow(2) == squared {
        root
    } else {
        root + 1
    };
    let whole = norm * s.one();
    if whole.is_zero() {
        return integer(s.iter().count());
    }
    let loss = |record| (&whole - (margin(w, record) << j)).max(BigInt::zero());
    let sum: BigInt = s.iter().map(loss).sum();
    Rational::new(sum, whole)
}

/// `y <w, x>`
fn margin(w: &[i64], (x, y): &(Vec<i64>, bool)) -> BigInt {
    if *y { dot(w, x) } else { -dot(w, x) }
}

/// The generalised exponential mechanism of Raskhodnikova, Smith 2016 (`bms22.gem`), for scores `q_j` that a neighbour
/// moves by at most `D_j`: `j` w.p. proportional to `exp(-epsilon s_j/2)`, `s_j` the largest of
/// `((q_j + t D_j) - (q_i + t D_i))/(D_j + D_i)` over all `i`, which moves by at most 1; `t = 2 ln(|V|/beta)/epsilon`,
/// rounded up.
fn choice(q: &[Rational], public: &Public) -> Result<ExponentialMechanism, Error> {
    let Public { epsilon, beta, .. } = public;
    if !epsilon.is_positive() || !beta.is_positive() || *beta >= integer(1) {
        return Err(Error::OutOfRange("epsilon or beta"));
    }
    let t = Enclosure::of(&(integer(q.len()) / beta), 64).ln()?.upper() * integer(2) / epsilon;
    let d = |j: usize| match public.loss {
        Loss::Margin => integer(1),
        Loss::Hinge => integer(BigInt::one() << j) + integer(1),
    };
    let quotient = |j: usize, i: usize| ((&q[j] + &t * d(j)) - (&q[i] + &t * d(i))) / (d(j) + d(i));
    let class = |j| ScoreClass {
        loss: (0..q.len())
            .map(|i| quotient(j, i))
            .fold(Rational::zero(), Rational::max),
        count: BigUint::one(),
    };
    let classes = (0..q.len()).map(class).collect();
    Ok(ExponentialMechanism::new(
        epsilon.clone(),
        Rational::one(),
        classes,
    )?)
}
