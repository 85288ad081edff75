//! bms22, Algorithm 3 (A_PrivKerMrg), **as printed** in the proceedings; of the first version's the lines are lost.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, if what line 5 calls is. The printed
//! theorem claims it for every epsilon and delta from one that is for some (`bms22.thm4_2`).
//!
//! Every printed line, in order, in the paper's letters. Line 5 calls Algorithm 2, which is handed in.
//!
//! What is not printed, and what we put there:
//! - line 1: any law; here coordinates are independent: discrete Gaussian, Cauchy or Laplace for the Gaussian, the
//!   Laplacian and the Cauchy kernel (`bms22.rff.laws`). Bochner's theorem needs a kernel on all of `R^d`
//!   (`bms22.bochner`).
//! - line 2: `log`: natural. `D` is rounded up.
//! - real numbers: points in steps of a public grid `1/one`, frequencies in steps of `1/omega_one`; features in steps
//!   of `r/psi_one`, rounded towards zero, so that no norm is above `r`; beyond an angle of `2^64` they are 0.

use crate::Error;
use crate::coins::{Coins, Law};
use crate::number::{Enclosure, Rational, rational::integer};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// What Algorithm 3 requires, beside the dataset and the kernel.
#[derive(Debug, Clone)]
pub struct Required {
    /// `epsilon > 0`
    pub epsilon: Rational,
    /// `delta`, in (0, 1).
    pub delta: Rational,
    /// `Lambda`, the largest norm of a predictor in the kernel's space.
    pub lambda: Rational,
    /// `r`: `K(x, x) = r^2`.
    pub r: Rational,
    /// `rho`, in (0, 2 Lambda r].
    pub rho: Rational,
    /// `beta`, in (0, 1).
    pub beta: Rational,
}

/// Returns `omega_1, ..., omega_D`, in steps, and `w^Priv`, the halfspace of `psi^(x)`: both make the predictor.
///
/// `s`: records `(x, y)`, `x` in steps of `1/one`, all of one length, `y` = +1 or -1; `m = |s|`. `p`: the law of a
/// coordinate of a frequency, in steps. `a_eff_priv_mrg` is given records, how many of their steps are `r`, and what it
/// requires.
pub fn algorithm_3<C: Coins, W>(
    s: &[(Vec<i64>, i64)],
    p: &impl Law<Outcome = BigInt>,
    (one, omega_one, psi_one): (i64, i64, i64),
    required: &Required,
    coins: &mut C,
    a_eff_priv_mrg: impl FnOnce(&[(Vec<i64>, i64)], i64, &Required, &mut C) -> Result<W, Error>,
) -> Result<(Vec<Vec<BigInt>>, W), Error> {
    let (m, d) = (s.len(), s.first().map_or(0, |(x, _)| x.len()));
    // 1: Let P_K be the probability distribution associated with K: d coordinates of the law `p`.

    // 2: Let D = m^2 log(2m/beta).
    let log = Enclosure::of(&(integer(2 * m) / &required.beta), BITS).ln()?;
    let size = (log * Enclosure::integer(m * m, BITS))
        .upper()
        .ceil()
        .to_integer();
    let size = size.to_u64().unwrap_or(u64::MAX);

    // 3: Draw omega_1, ..., omega_D independently from P_K.
    let mut omega = Vec::new();
    for _ in 0..size {
        let mut frequency = Vec::new();
        for _ in 0..d {
            frequency.push(coins.draw(p)?);
        }
        omega.push(frequency);
    }

    // 4: Let S_psi^ = ((psi^(x_i), y_i) : i in [m]), where psi^ is as defined in (2).
    let unit = BigInt::from(one) * omega_one;
    let s_psi: Vec<_> = s
        .iter()
        .map(|(x, y)| (psi(x, &omega, &unit, psi_one), *y))
        .collect();

    // 5: w^Priv <- A_EffPrivMrg(S_psi^, epsilon, delta, 2 Lambda, rho, beta/2).
    let problem = Required {
        lambda: &required.lambda * integer(2),
        beta: &required.beta / integer(2),
        ..required.clone()
    };
    let w_priv = a_eff_priv_mrg(&s_psi, psi_one, &problem, coins)?;

    // 6: return Private predictor h: x -> <w^Priv, psi^(x)>.
    Ok((omega, w_priv))
}

/// (2): `psi^(x) = (r/sqrt(D)) (cos<omega_1, x>, sin<omega_1, x>, ..., cos<omega_D, x>, sin<omega_D, x>)`, in steps of
/// `r/psi_one`. An angle is `<omega, x>/unit`.
pub fn psi(x: &[i64], omega: &[Vec<BigInt>], unit: &BigInt, psi_one: i64) -> Vec<i64> {
    let squared = BigInt::from(psi_one) * psi_one / omega.len().max(1);
    let length = squared.sqrt(); // psi_one/sqrt(D), rounded down
    let entry = |value: Result<Enclosure, Error>| -> i64 {
        let value = value.map(|value| value * Enclosure::integer(length.clone(), BITS));
        value.map_or(0, |value| towards_zero(&value))
    };
    let mut features = Vec::new();
    for omega in omega {
        let angle: BigInt = omega.iter().zip(x).map(|(omega, x)| omega * x).sum();
        let angle = Enclosure::of(&Rational::new(angle, unit.clone()), BITS);
        features.push(entry(angle.cos()));
        features.push(entry(angle.sin()));
    }
    features
}

/// The end that is nearer to zero, rounded towards zero.
fn towards_zero(value: &Enclosure) -> i64 {
    let (lo, hi) = (value.lower(), value.upper());
    let end = if lo.is_positive() {
        lo.to_integer()
    } else if hi.is_negative() {
        hi.to_integer()
    } else {
        BigInt::ZERO
    };
    end.to_i64().unwrap_or(0)
}

const BITS: u32 = 128;
