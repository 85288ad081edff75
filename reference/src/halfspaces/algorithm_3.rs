//! nuz20, Algorithm 3, **repaired**: Algorithm 1 with procedure F and Noise-GD, one record a step.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, `A`, all candidates and the choice together
//! (`nuz20.alg3.corrected`), if [`is_enough`] says so of the noise.
//!
//! Where it departs from the printed lines:
//! - line 2 has no value at `A x = 0`: there `x_A` is the first unit vector (`nuz20.e4.corrected`);
//! - line 5, its choice read at the algorithm's own epsilon, spends the budget twice: half of epsilon is for the candidates,
//!   and half for the choice (`nuz20.alg3.corrected`);
//! - line 8 has `ceil(log(8/beta))` runs, with no base: `k` is given, and `ceil(log2(8/beta))` will do (`nuz20.e6.corrected`);
//! - line 10 has minus the loss as the score: minus the total loss, in its range `R` (`nuz20.alg-F.corrected`);
//! - line 12 has a variance that is enough for some (epsilon, delta) only: it is given, with a certificate for all of them
//!   (`nuz20.alg-noisegd.corrected`);
//! - line 13 and line 15 are on the grid of the data: the noise is discrete, and a step and the projection round each
//!   coordinate towards zero. `w_1` is the origin, and the run visits `T` points, in the paper `n^2`.

use super::hinge_loss::HingeLoss;
use super::projection::{draw, pull_back, unit_points};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use crate::privacy::discrete_gaussian;
use crate::sample::{DiscreteGaussian, Noise};
use crate::vector::{dot, into_ball, towards_zero};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// What is public, beside the number of records, their dimension and their grid.
#[derive(Debug, Clone)]
pub struct Public {
    /// `m`, rows of the projection; without it nothing is projected.
    pub m: Option<usize>,
    /// The margin, `0 < gamma <= 1`.
    pub gamma: Rational,
    /// Of all that is published. The choice has half of it.
    pub epsilon: Rational,
    /// `k >= 1`, the number of runs.
    pub k: u32,
    /// `T >= 1`, the number of points that a run visits.
    pub points: u64,
    /// `sigma^2/L^2` in squared steps: of the noise on each coordinate of `n` times a gradient.
    pub variance: Rational,
}

/// What is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// `sqrt(m) A`, or the identity.
    pub a: Vec<Vec<i64>>,
    /// `w^(1), ..., w^(k)`, in steps.
    pub candidates: Vec<Vec<i64>>,
    /// The number of the one that was chosen, from 0.
    pub chosen: usize,
    /// The direction of `w^T A`.
    pub pulled_back: Vec<BigInt>,
}

/// `s`: `true` stands for `y = +1`.
pub fn learn(s: &Points<bool>, public: &Public, coins: &mut impl Coins) -> Result<Model, Error> {
    let m = public.m.unwrap_or(s.dimension());
    if s.len() == 0 || m == 0 || public.points == 0 {
        return Err(Error::OutOfRange("n, m or T"));
    }
    // 1: Choose a random matrix A in R^{m x d}, A_ij = +1/sqrt(m) w.p. 1/2, -1/sqrt(m) w.p. 1/2.   (here times sqrt(m))
    let a = draw(public.m, s.dimension(), coins)?;
    // 2: S_A <- { (A x/|A x|, y) | (x, y) in S }.                                        (here y A x/|A x|)
    let s_a = unit_points(&a, s);
    // 3: C <- B_2^m, the unit ball: |C|_2 = 2.
    // 4: l(w; (x, y)) = 1{ y <w, x> < 96 gamma/100 } (96/86 - y <w, x>/(86 gamma/100)).
    let loss = HingeLoss::printed(&public.gamma, s.one())?;
    // 5, 7: w <- F(S_A, l, (epsilon, delta), C).
    // 8: for i <- 1 to k do  w^(i) <- Noise-GD(D, l, (epsilon/2k, delta/k), C).  end
    let mut candidates = Vec::new();
    for _ in 0..public.k {
        candidates.push(noise_gd(&s_a, &loss, public, coins)?);
    }
    // 9: W <- { w^(1), ..., w^(k) }: `candidates`.
    // 10: return w <- M_E(D, -l, W), with epsilon/2.
    let half = &public.epsilon / BigInt::from(2);
    let chosen = loss.choose(&candidates, &s_a, &half, coins)?;
    // 6: return w^T A.
    let pulled_back = pull_back(&candidates[chosen], &a, s.dimension());
    Ok(Model {
        a,
        candidates,
        chosen,
        pulled_back,
    })
}

/// 11: procedure Noise-GD(D, l, (epsilon', delta'), C)
fn noise_gd(
    data: &[Vec<i64>],
    loss: &HingeLoss,
    public: &Public,
    coins: &mut impl Coins,
) -> Result<Vec<i64>, Error> {
    let (n, m, kink) = (data.len(), data[0].len(), loss.kink());
    // 12: sigma^2, such that `is_enough`.
    let noise = DiscreteGaussian::new(public.variance.clone())?;
    // 13: eta(t) = |C|_2/sqrt(t (n^2 L^2 + m sigma^2)).           (here (L eta)^2 = 4/(t (n^2 + m sigma^2/L^2)))
    let squared_sigma = &public.variance / BigInt::from(loss.one).pow(2);
    let squared_gradient = squared_sigma * BigInt::from(m) + BigInt::from(n).pow(2);
    let squared_eta = |t: u64| ratio(4, 1) / (&squared_gradient * BigInt::from(t));
    // 14: Choose a point from C, w_1.
    let mut w = vec![0; m];
    // 15: for t <- 1 to T - 1 do
    for t in 1..=public.points - 1 {
        //  Pick (x, y) ~ D uniformly, with replacement.
        let picked = coins.uniform_below(&n.into())?.to_usize().unwrap_or(0);
        let v = &data[picked];
        //  w_{t+1} <- Pi_C(w_t - eta(t) [n grad l(w_t; (x, y)) + b_t]), b_t ~ N(0, I_m sigma^2).
        //  -n grad l = n L y x where y <w, x> < 96 gamma/100, and 0 elsewhere; b_t has the law of -b_t.
        let n_or_0 = if dot(&w, v) < kink { n } else { 0 };
        let moved = coins.draw(&noise.around_all(v.iter().map(|v| BigInt::from(n_or_0) * v)))?;
        w = step(&w, &moved, &squared_eta(t), loss.one);
    } // end
    // 16: return w_T.
    Ok(w)
}

/// `Pi_C(w + sqrt(squared_eta) g)`, towards zero, for the ball `C` of radius `one`.
pub(super) fn step(w: &[i64], g: &[BigInt], squared_eta: &Rational, one: i64) -> Vec<i64> {
    let (numerator, denominator) = (squared_eta.numer(), squared_eta.denom());
    let eta_times = |g| towards_zero(g, numerator, denominator);
    let moved: Vec<BigInt> = w.iter().zip(g).map(|(w, g)| eta_times(g) + w).collect();
    into_ball(&moved, one)
        .iter()
        .map(|w| w.to_i64().unwrap_or(0)) // at most `one`
        .collect()
}

/// Whether all that is published is (epsilon, delta)-private, for `n` records on the grid of `1/one` and descents in `m`
/// coordinates (`d` without a projection).
///
/// Each of the `T - 1` steps of a run is (eps0, delta0)-private for the record that it reads: substituting it moves `n` times
/// a gradient by at most `2 n L`. As it reads one of `n`, drawn uniformly, it is (eps1, delta0/n)-private with
/// `e^eps1 - 1 = (e^eps0 - 1)/n`. So it is purely eps1-private but
/// with probability `delta0/n` (Kairouz, Oh, Viswanath 2015), over all steps at most delta'/2. Pure eps1 is eps1^2/2-zCDP, so that with
/// the other delta'/2, `Lambda = ln(2/delta')`, all `T - 1` steps are (epsilon', delta')-private for
/// `epsilon' = (T - 1) eps1^2/2 + eps1 sqrt(2 (T - 1) Lambda)`. Then a run is (epsilon/2k, delta/k)-private
/// (`nuz20.alg-noisegd.corrected`), and all of them and the choice at epsilon/2 are (epsilon, delta)-private, by basic composition.
pub fn is_enough(
    public: &Public,
    (n, m, one): (u64, u64, i64),
    delta: &Rational,
) -> Result<bool, Error> {
    let k = BigInt::from(public.k);
    if k.is_zero() || n == 0 || !delta.is_positive() || !public.epsilon.is_positive() {
        return Err(Error::OutOfRange("k, n, delta or epsilon"));
    }
    let (epsilon, delta) = (&public.epsilon / (&k * 2), delta / k); // of a run: epsilon' and delta'
    let steps = integer(public.points.saturating_sub(1).max(1));
    let real = |x: &Rational| Enclosure::of(x, 192);
    // Lambda = ln(2/delta'), and eps1 = (sqrt(2 Lambda + 2 epsilon') - sqrt(2 Lambda))/sqrt(T - 1);
    let twice_lambda = real(&(ratio(2, 1) / &delta)).ln()?.shifted(1);
    let difference = (&twice_lambda + real(&epsilon).shifted(1)).sqrt()? - twice_lambda.sqrt()?;
    let eps1 = difference.divided_by(&real(&steps).sqrt()?)?;
    // eps0 = ln(1 + n (e^eps1 - 1)), rounded down, and delta0 = min(1/2, n delta'/(2 (T - 1))).
    let eps0 = (Enclosure::integer(n, 192) * eps1.exp_minus_one()?).ln_1p()?;
    let eps0 = eps0.with_bits(64).lower();
    let delta0 = (delta * integer(n) / (steps * integer(2))).min(ratio(1, 2));
    let squared = (BigInt::from(2) * n * one).pow(2);
    Ok(discrete_gaussian::delta(&public.variance, &squared, m, &eps0)? <= delta0)
}
