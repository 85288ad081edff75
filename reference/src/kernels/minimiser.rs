//! jt13, problem (2), **ours**: a certificate, checked in exact numbers, that a vector is near the minimiser; and how far that
//! moves.
//!
//! (2): `w* = argmin of (1/n) sum of l(<w, phi(x_i)>; y_i) + (lambda/2) |w|^2`. There is no bias (`jt13.eq3.bias`).
//!
//! Nothing here is private. Predictions of what [`vector`] returns move by at most `S'` under substitution of one record,
//! and the vector itself by at most `D` (`jt13.eq3`, `jt13.eq2.gap`, `jt13.eq3.solver`). That holds on all data if whoever
//! finds the dual point finds one that is near enough on all data, as the ascent of `jt13.eq2.arrives` does: a refusal
//! would tell of the data.

use super::kernel::{Expansion, Kernel};
use crate::Error;
use crate::data::Points;
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Problem (2), and how well it is solved. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `K`, and the ball that records and queries are in.
    pub kernel: Kernel,
    /// `l`
    pub loss: Loss,
    /// Labels are integers, in steps of `2^-label_bits`.
    pub label_bits: u32,
    /// `lambda > 0`
    pub lambda: Rational,
    /// `n >= 1`
    pub n: u64,
    /// `r`, in units of predictions: those of the vector that is found are within it of those of `w*`, on all data.
    pub r: Rational,
}

/// `l(f; y)`. A class is the sign of the label, of 0 it is 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// `-y f`, of classes. Its minimiser has `a_i = y_i`, and `r = 0`.
    Linear,
    /// `max(0, 1 - y f)`, of classes.
    Hinge,
    /// `ln(1 + e^(-y f))`, of classes.
    Logistic,
    /// `(y - f)^2/(2 width)` where `|y - f| <= width`, and `|y - f| - width/2` beyond.
    Huber {
        /// Above 0.
        width: Rational,
    },
    /// `(y - f)^2/2`, which goes on with slope `L` where `|y - f| > L`; labels are clipped to `[-largest, largest]`.
    Squared {
        /// Above 0.
        largest: Rational,
    },
}

/// `w(a) = (1/(lambda n)) sum of a_i phi(x_i)`, for the dual point `a` that somebody found, one `a_i` a record. The unit ball of `s`
/// is the ball of the kernel: its radius is how many steps make one there.
pub fn vector(s: &Points<i64>, problem: &Problem, a: &[Rational]) -> Result<Expansion, Error> {
    let Problem {
        kernel, lambda, r, ..
    } = problem;
    let records = s.iter().count();
    if (s.one(), s.dimension()) != (kernel.radius, kernel.d)
        || (records as u64, a.len()) != (problem.n, records)
        || records == 0
    {
        return Err(Error::OutOfRange("the domain or the number of records"));
    }
    // lambda |w(a) - w*|^2 <= gap(a), of the primal and the dual a half each: so |w(a) - w*| <= r/R.
    if gap(s, problem, a)? > lambda * r * r / kernel.squared_r() {
        return Err(Error::OutOfRange("the gap of the dual point"));
    }
    Ok(image(s, problem, a))
}

/// `gap(a) = (1/n) sum of (l(f_i; y_i) + l*(-a_i; y_i) + a_i f_i)`, `f_i = <w(a), phi(x_i)>`, and what the rounding of the kernel
/// adds (`jt13.eq2.gap`). Refuses an `a` of which it is not finite. `n >= 1` records, and as many `a_i`.
pub fn gap(s: &Points<i64>, problem: &Problem, a: &[Rational]) -> Result<Rational, Error> {
    let w = image(s, problem, a);
    let mut sum = Rational::zero();
    for ((x, y), a) in s.iter().zip(a) {
        sum += term_of_gap(problem, &problem.kernel.predict(&w, x)?, *y, a)?;
    }
    Ok(sum / integer(problem.n) + rounding(problem)?)
}

/// `w(a)`
fn image(s: &Points<i64>, problem: &Problem, a: &[Rational]) -> Expansion {
    let scale = &problem.lambda * integer(problem.n);
    s.iter()
        .zip(a)
        .map(|((x, _), a)| (a / &scale, x.clone()))
        .collect()
}

/// `l(f; y) + l*(-a; y) + a f`, which is at least 0; rounded up of the logistic loss.
fn term_of_gap(problem: &Problem, f: &Rational, y: i64, a: &Rational) -> Result<Rational, Error> {
    let class = integer(if y < 0 { -1 } else { 1 });
    let number = Rational::new(y.into(), BigInt::one() << problem.label_bits);
    let outside = Err(Error::OutOfRange("a dual variable"));
    // l(f; y) = the largest of b (y - f) - d b^2/2 over b from low to high, for all losses but the logistic one. (Of the
    // linear and the hinge loss y^2 = 1.)
    let (y, d, low, high) = match &problem.loss {
        Loss::Logistic => {
            let share = a * &class;
            if share.is_negative() || share > Rational::one() {
                return outside;
            }
            return logistic_term(&(class * f), &share);
        }
        Loss::Linear => (class.clone(), Rational::zero(), class.clone(), class),
        Loss::Hinge => {
            let zero = Rational::zero();
            let (low, high) = (class.clone().min(zero.clone()), class.clone().max(zero));
            (class, Rational::zero(), low, high)
        }
        Loss::Huber { width } => (number, width.clone(), -Rational::one(), Rational::one()),
        Loss::Squared { largest } => {
            let (label, l) = (number.clamp(-largest, largest.clone()), lipschitz(problem)?);
            (label, Rational::one(), -&l, l)
        }
    };
    if *a < low || *a > high {
        return outside;
    }
    let residual = y - f;
    let value = |b: &Rational| b * &residual - &d * b * b / integer(2);
    let best = match d.is_zero() {
        true if residual.is_positive() => high,
        true => low,
        false => (&residual / &d).clamp(low, high),
    };
    Ok(value(&best) - value(a))
}

/// `ln(1 + e^-t) + s ln s + (1 - s) ln(1 - s) + s t`, rounded up: the term of `t = y f` and `a = s y`.
fn logistic_term(t: &Rational, s: &Rational) -> Result<Rational, Error> {
    // ln(1 + e^-t) = max(0, -t) + ln(1 + e^-|t|)
    let linear = (-t).max(Rational::zero()) + s * t;
    let mut sum = Enclosure::exp_of(&-t.abs(), BITS)?.ln_1p()? + Enclosure::of(&linear, BITS);
    for s in [s.clone(), Rational::one() - s] {
        if s.is_positive() {
            let s = Enclosure::of(&s, BITS);
            sum = sum + &s * s.ln()?;
        }
    }
    Ok(sum.upper())
}

/// `2 L eta`: by so much a gap is off if the kernel is. The term of the linear loss is 0 whatever `f` is.
fn rounding(problem: &Problem) -> Result<Rational, Error> {
    match problem.loss {
        Loss::Linear => Ok(Rational::zero()),
        _ => Ok(integer(2) * lipschitz(problem)? * eta(problem)?),
    }
}

/// `L`: the loss is `L`-Lipschitz in the prediction. Of the squared loss it is `Y (1 + R/sqrt(lambda))`, rounded up to a
/// multiple of `2^-16`: beyond it no minimiser has a residual (`jt13.eq3.squared.corrected`).
pub fn lipschitz(problem: &Problem) -> Result<Rational, Error> {
    let Loss::Squared { largest } = &problem.loss else {
        return Ok(Rational::one());
    };
    let squared = problem.kernel.squared_r() / &problem.lambda;
    let exact = largest * (root_above(&squared)? + Rational::one());
    Ok((exact * integer(1 << 16)).ceil() / integer(1 << 16))
}

/// `S = 2 L R^2/(lambda n)`: so far a prediction of `w*` moves under substitution (`jt13.eq3`).
pub fn s(problem: &Problem) -> Result<Rational, Error> {
    let lambda_n = &problem.lambda * integer(problem.n);
    Ok(integer(2) * lipschitz(problem)? * problem.kernel.squared_r() / lambda_n)
}

/// `eta = e L/lambda`: so far an evaluated prediction is from that of the kernel without rounding.
pub fn eta(problem: &Problem) -> Result<Rational, Error> {
    Ok(problem.kernel.error() * lipschitz(problem)? / &problem.lambda)
}

/// `S' = S + 2 r + 2 eta`: so far an evaluated prediction of the vector that is found moves.
pub fn s_prime(problem: &Problem) -> Result<Rational, Error> {
    Ok(s(problem)? + (&problem.r + eta(problem)?) * integer(2))
}

/// `D^2 = ((S + 2 r)/R)^2`: so far, squared, the vector that is found moves.
pub fn squared_d(problem: &Problem) -> Result<Rational, Error> {
    let moved = s(problem)? + &problem.r * integer(2);
    Ok(&moved * &moved / problem.kernel.squared_r())
}

/// `C`, with `|w*| <= C` on all data: the least of `L R/lambda` and `sqrt(2 l(0)/lambda)`, rounded up (`jt13.eq2`).
pub fn c(problem: &Problem) -> Result<Rational, Error> {
    let slope = lipschitz(problem)? / &problem.lambda;
    let by_slope = &slope * &slope * problem.kernel.squared_r();
    // The largest l(0; y), of losses that are at least 0 and have one. ln 2 < 0.6931472.
    let at_zero = match &problem.loss {
        Loss::Linear | Loss::Huber { .. } => return root_above(&by_slope),
        Loss::Hinge => Rational::one(),
        Loss::Logistic => Rational::new(6_931_472.into(), 10_000_000.into()),
        Loss::Squared { largest } => largest * largest / integer(2),
    };
    root_above(&by_slope.min(at_zero * integer(2) / &problem.lambda))
}

fn root_above(squared: &Rational) -> Result<Rational, Error> {
    Ok(Enclosure::of(squared, 96).sqrt()?.upper())
}

const BITS: u32 = 256;
