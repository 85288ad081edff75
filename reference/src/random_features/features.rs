//! lnsx25, Section 2.4, **repaired**: random Fourier features, and linear ones, on a public grid.
//!
//! Of a row privacy uses two facts, on all inputs and whatever the frequencies are: it is a function of its record and of
//! public numbers, and it has norm at most 1, in integers. Every repair rests on them, and on nothing else of a row
//! (`lnsx25.alg1.corrected`). The frequencies are public, and drawn before the data are looked at.
//!
//! Where it departs from the printed `exp(i <w_k, x>)`:
//! - complex, so that real noise leaves a part in clear: here the cosine and the sine are two coordinates (`lnsx25.a1`);
//! - of norm sqrt(N), and irrational: here over sqrt(N), in steps, each coordinate rounded towards zero (`lnsx25.alg1.corrected`);
//! - w_k from N(0, sigma^2 I): here discrete Gaussian on a grid (`bms22.rff.laws`).

use crate::Error;
use crate::coins::Coins;
use crate::number::{Enclosure, Rational};
use crate::sample::DiscreteGaussian;
use crate::vector::dot;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// `phi(x) = (cos <w_k, x>, sin <w_k, x>)_k / sqrt(N)`, in steps of `1/phi_one`.
///
/// `w`: `N` frequencies, in steps of `1/w_one`. `x`: in steps of `1/x_one`; a coordinate beyond [-1, 1] is clipped.
/// Refused are only frequencies with `|w_k|_1 > 2^63`, in units of the inputs.
pub fn fourier(
    w: &[Vec<i64>],
    x: &[i64],
    (w_one, x_one): (i64, i64),
    phi_one: i64,
) -> Result<Vec<i64>, Error> {
    let l1 = |w: &Vec<i64>| w.iter().map(|&w| BigInt::from(w).abs()).sum::<BigInt>();
    if w.iter().any(|w_k| l1(w_k) > BigInt::from(w_one) << 63) {
        return Err(Error::OutOfRange("a frequency"));
    }
    let x = into_cube(x, x_one);
    // 1. r = 1/sqrt(N) in steps, rounded down: N pairs (cos, sin) r are no longer than 1.
    let r = (BigInt::from(phi_one) * phi_one / w.len().max(1)).sqrt();
    let mut phi = Vec::new();
    for w_k in w {
        // 2. <w_k, x>, exactly.
        let angle = Rational::new(dot(w_k, &x), BigInt::from(w_one) * x_one);
        // 3. r cos and r sin of it, towards zero.
        phi.push(scaled(&r, &angle, Enclosure::cos, 1)?);
        phi.push(scaled(&r, &angle, Enclosure::sin, 0)?);
    }
    Ok(phi)
}

/// `phi(x) = (1, x) / sqrt(d + 1)`, in steps of `1/phi_one`, `x` as for [`fourier`].
pub fn linear(x: &[i64], x_one: i64, phi_one: i64) -> Vec<i64> {
    // 1. r = 1/sqrt(d + 1) in steps, rounded down.
    let r = BigInt::from(phi_one) * phi_one / (x.len() + 1);
    let r = r.sqrt().to_i64().unwrap_or(phi_one);
    // 2. (r, r x), towards zero.
    let x = into_cube(x, x_one);
    let scaled = |x: &i64| (i128::from(r) * i128::from(*x) / i128::from(x_one)) as i64;
    [&[r], &x.iter().map(scaled).collect::<Vec<_>>()[..]].concat()
}

/// `w_1, ..., w_N` in Z^d, in steps of `1/w_one`: each coordinate discrete Gaussian of variance `sigma^2`, in units of the
/// inputs. `public` are coins of a seed that is published.
pub fn frequencies(
    n: usize,
    d: usize,
    squared_sigma: &Rational,
    w_one: i64,
    public: &mut impl Coins,
) -> Result<Vec<Vec<i64>>, Error> {
    let law = DiscreteGaussian::new(squared_sigma * BigInt::from(w_one) * BigInt::from(w_one))?;
    let mut w = vec![vec![0; d]; n];
    for coordinate in w.iter_mut().flatten() {
        let drawn: BigInt = public.draw(&law)?;
        *coordinate = drawn.to_i64().ok_or(Error::OutOfRange("a frequency"))?;
    }
    Ok(w)
}

/// Each coordinate clipped to [-1, 1].
fn into_cube(x: &[i64], x_one: i64) -> Vec<i64> {
    x.iter().map(|&x| x.clamp(-x_one, x_one)).collect()
}

/// `r f(angle)` towards zero, `f` the cosine or the sine: with more bits until both ends of the enclosure agree. They will,
/// as both are irrational of every rational angle but 0, where the value is `at_zero`.
fn scaled(
    r: &BigInt,
    angle: &Rational,
    f: impl Fn(&Enclosure) -> Result<Enclosure, Error>,
    at_zero: i64,
) -> Result<i64, Error> {
    let fits = |value: BigInt| value.to_i64().unwrap_or(0); // |value| <= r
    if angle.is_zero() {
        return Ok(fits(r * at_zero));
    }
    let mut bits = 64;
    loop {
        let value = f(&Enclosure::of(angle, bits))? * Enclosure::integer(r.clone(), bits);
        let (low, high) = (value.lower().to_integer(), value.upper().to_integer());
        if low == high {
            return Ok(fits(low));
        }
        bits *= 2;
    }
}
