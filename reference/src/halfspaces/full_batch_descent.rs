//! nuz20, procedure F', **ours** in the place of F and Noise-GD of Algorithm 3: all records in each step.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, `A`, all candidates and the choice together
//! (`nuz20.full-batch`), if [`is_enough`] says so of the noise: substitution moves each sum of line a by at most 2. It needs no
//! amplification, and the average of a run has a bound of its own, which needs no theorem on last points. With the `n` of
//! `nuz20.thm6.corrected` it learns. A loss that is smoothed is as private, for the same reason (`nuz20.full-batch.smoothed`).

use super::algorithm_3::{Model, step};
use super::hinge_loss::HingeLoss;
use super::projection::{draw, pull_back, unit_points};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::Rational;
use crate::privacy::zcdp;
use crate::sample::{DiscreteGaussian, Noise};
use crate::vector::dot;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// What is public, beside the number of records, their dimension and their grid.
#[derive(Debug, Clone)]
pub struct Public {
    /// `m`, rows of the projection; without it nothing is projected.
    pub m: Option<usize>,
    /// The margin of the loss, `0 < mu <= 1`; its slope is `L = 1/mu`.
    pub mu: Rational,
    /// Of the loss: the slope falls from `L` to 0 over so much of the margin below `mu`, in steps of the grid; 0 is the hinge.
    pub width: u64,
    /// Of all that is published. The choice has half of it, if there is one.
    pub epsilon: Rational,
    /// `k >= 1`, the number of runs.
    pub k: u32,
    /// `T >= 1`, the number of gradients of a run.
    pub steps: u64,
    /// `sigma^2/L^2` in squared steps: of the noise on each coordinate of a sum.
    pub variance: Rational,
    /// `(eta L)^2`, of the length of a step, which is as private at every value. The theorems have
    /// `1/(T (n^2 + m sigma^2/L^2))`, and, smoothed, `1/(n/width + r)^2` with an integer `r` above `sqrt(T m sigma^2/L^2)`.
    pub squared_eta: Rational,
}

/// `s`: `true` stands for `y = +1`.
pub fn learn(s: &Points<bool>, public: &Public, coins: &mut impl Coins) -> Result<Model, Error> {
    let m = public.m.unwrap_or(s.dimension());
    if m == 0 || public.steps == 0 {
        return Err(Error::OutOfRange("m or T"));
    }
    // 1. A, once, with entries +1/sqrt(m) or -1/sqrt(m).
    let a = draw(public.m, s.dimension(), coins)?;
    // 2. S_A: y x_A of each record, x_A = A x/|A x|.
    let s_a = unit_points(&a, s);
    // 3. l(w; (x, y)) = max(0, 1 - y <w, x>/mu), and k runs.
    let loss = HingeLoss::of_margin(&public.mu, s.one())?;
    let mut candidates = Vec::new();
    for _ in 0..public.k {
        candidates.push(run(&s_a, m, &loss, public, coins)?);
    }
    // 4. Of their averages one, w.p. proportional to exp(-(epsilon/2) (total loss)/(2 R)), R = 1 + 1/mu; of one there is no choice.
    let half = &public.epsilon / BigInt::from(2);
    let chosen = match public.k {
        1 => 0,
        _ => loss.choose(&candidates, &s_a, &half, coins)?,
    };
    // 5. Return w^T A.
    let pulled_back = pull_back(&candidates[chosen], &a, s.dimension());
    Ok(Model {
        a,
        candidates,
        chosen,
        pulled_back,
    })
}

/// A run: from the origin.
fn run(
    data: &[Vec<i64>],
    m: usize,
    loss: &HingeLoss,
    public: &Public,
    coins: &mut impl Coins,
) -> Result<Vec<i64>, Error> {
    let noise = DiscreteGaussian::new(public.variance.clone())?;
    let (kink, one) = (loss.kink(), BigInt::from(loss.one));
    let (mut w, mut sum) = (vec![0; m], vec![BigInt::zero(); m]);
    for _ in 0..public.steps {
        sum.iter_mut().zip(&w).for_each(|(sum, w)| *sum += *w);
        // a. Minus the gradient of the total loss at w, in units of L: the sum of y x_A over y <w, x_A> < mu; of each as many widths
        //    as it is below, and at most once (without a width, once). Towards zero, so that none counts for more than 1. `kink` and
        //    the products are in squared steps, the width and `part` in steps.
        let mut g = vec![BigInt::zero(); m];
        for v in data.iter().filter(|v| dot(&w, v) < kink) {
            let widths = (&kink - dot(&w, v)).checked_div(&public.width.into());
            let part = widths.unwrap_or_else(|| one.clone()).min(one.clone());
            let of_v = v.iter().map(|v| &part * v / &one);
            g.iter_mut().zip(of_v).for_each(|(g, v)| *g += v);
        }
        // b. Noise around every coordinate: the one place where a run reads the data.
        let g = coins.draw(&noise.around_all(g))?;
        // c. w <- w + eta L g, and back into the unit ball, towards zero.
        w = step(&w, &g, &public.squared_eta, loss.one);
    }
    // d. The average of the points at which gradients were taken, towards zero: it is in the ball as well.
    let average = |sum: &BigInt| (sum / public.steps).to_i64().unwrap_or(0); // at most `one`
    Ok(sum.iter().map(average).collect())
}

/// Whether all that is published is (epsilon, delta)-private, on the grid of `1/one`, by the Renyi divergence of one `order`
/// above 1. Every order is valid; the library searches a good one.
///
/// Each of the `k T` sums moves by at most 2: together they are rho-zCDP with `rho = k T 2^2/(2 sigma^2/L^2)`. That is
/// (epsilon/2, delta)-private for `delta = exp((order - 1) (order rho - epsilon/2)) (1 - 1/order)^order/(order - 1)`; and the
/// choice has the other half (`nuz20.full-batch`). One run has all of epsilon in its place.
pub fn is_enough(
    public: &Public,
    one: i64,
    delta: &Rational,
    order: &Rational,
) -> Result<bool, Error> {
    if !public.variance.is_positive() {
        return Err(Error::OutOfRange("the variance"));
    }
    let sums = BigInt::from(public.k) * public.steps;
    let rho = Rational::from(sums * BigInt::from(one).pow(2) * 2) / &public.variance; // 2^2/2 = 2
    let share = &public.epsilon / BigInt::from(if public.k == 1 { 1 } else { 2 });
    Ok(zcdp::delta_of_order(&rho, &(order - Rational::one()), &share)? <= *delta)
}
