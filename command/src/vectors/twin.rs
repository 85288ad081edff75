//! The algorithms of `spec/vectors/algorithms.md`, written a second time from that page, on single bits: it remembers
//! what happened, and can make one mistake.
//!
//! The library's sampler says what a case's sample is. The twin must agree with it without a mistake, and must not with the mistake
//! that the case is for.

use super::algorithms::{Algorithm, Sample};
use super::mistakes::Mistake;
use dp_assay::coins::{Coins, CoinsError};
use dp_assay::number::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// What happened in a draw.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The most rejections in a row, in one loop.
    pub rejections: u32,
    /// The most bits of one comparison with a probability.
    pub compared: u32,
    /// Whether the last candidate that is accepted was drawn, or the first one that is not.
    pub edge: bool,
    /// How many times minus zero was drawn.
    pub minus_zeros: u32,
    /// Whether a numerator shared a factor with the integer that it was divided by.
    pub shared: bool,
    /// Whether e^-x was drawn for an x above 7.
    pub large_exponent: bool,
    /// Whether a comparison ended because no digit was left, or needed none.
    pub ended: bool,
}

/// One draw by the twin.
pub struct Twin<'a, C> {
    coins: &'a mut C,
    mistake: Option<Mistake>,
    trace: Trace,
}

/// After so many rejections in a row the sampler with [`Mistake::GiveUp`] takes 0.
const PATIENCE: u32 = 3;

impl<'a, C: Coins> Twin<'a, C> {
    pub fn new(coins: &'a mut C, mistake: Option<Mistake>) -> Self {
        Self {
            coins,
            mistake,
            trace: Trace::default(),
        }
    }

    /// The sample, and what happened.
    pub fn draw(
        mut self,
        algorithm: Algorithm,
        parameter: &Rational,
    ) -> Result<(Sample, Trace), CoinsError> {
        let sample = match algorithm {
            Algorithm::UniformBelow => Sample::Integer(self.uniform_below(parameter.numer())?),
            Algorithm::Bernoulli => Sample::Truth(self.bernoulli(parameter)?),
            Algorithm::BernoulliExp => Sample::Truth(self.bernoulli_exp(parameter)?),
            Algorithm::Geometric => Sample::Integer(self.geometric(parameter)?),
            Algorithm::DiscreteLaplace => Sample::Integer(self.discrete_laplace(parameter)?),
            Algorithm::DiscreteGaussian => Sample::Integer(self.discrete_gaussian(parameter)?),
        };
        Ok((sample, self.trace))
    }

    fn makes(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    fn bit(&mut self) -> Result<bool, CoinsError> {
        Ok(self.coins.bits(1)? == 1)
    }

    /// Counts a rejection, the `in_a_row`-th, and says whether to give up.
    fn gives_up(&mut self, in_a_row: u32) -> bool {
        self.trace.rejections = self.trace.rejections.max(in_a_row);
        self.makes(Mistake::GiveUp) && in_a_row >= PATIENCE
    }

    fn word(&mut self, width: u64) -> Result<BigInt, CoinsError> {
        let mut value = BigInt::zero();
        for place in 0..width {
            let bit = BigInt::from(u8::from(self.bit()?));
            value = match self.makes(Mistake::Order) {
                true => value + (bit << place),
                false => value * 2 + bit,
            };
        }
        let kept = match self.mistake {
            Some(Mistake::Narrow) => 32,
            Some(Mistake::Word) => 64,
            _ => return Ok(value),
        };
        Ok(value % (BigInt::one() << kept))
    }

    fn uniform_below(&mut self, n: &BigInt) -> Result<BigInt, CoinsError> {
        let largest: BigInt = n - 1;
        let width = match self.makes(Mistake::Width) {
            true => n.bits(),
            false => largest.bits(),
        };
        for rejected in 1.. {
            let candidate = self.word(width)?;
            self.trace.edge |= candidate == *n || (candidate == largest && width > 0);
            if candidate < *n || (self.makes(Mistake::Inclusive) && candidate == *n) {
                return Ok(candidate);
            }
            if self.makes(Mistake::Modulo) {
                return Ok(candidate % n);
            }
            if self.gives_up(rejected) {
                break;
            }
        }
        Ok(BigInt::zero())
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        let endless = self.makes(Mistake::Endless);
        self.trace.ended |= p.is_one();
        if p.is_one() && !endless {
            return Ok(true);
        }
        let (mut a, b) = (p.numer().clone(), p.denom());
        for compared in 1.. {
            self.trace.ended |= a.is_zero();
            if a.is_zero() && !endless {
                break;
            }
            a *= 2;
            let digit = a >= *b;
            if digit {
                a -= b;
            }
            self.trace.compared = self.trace.compared.max(compared);
            if self.bit()? != digit {
                return Ok(digit != self.makes(Mistake::Inverted));
            }
            if self.makes(Mistake::Float) && compared == 53 {
                break;
            }
        }
        Ok(false)
    }

    /// x / k.
    fn quotient(&mut self, x: &Rational, k: &BigInt) -> Rational {
        let shared = x.numer().gcd(k);
        self.trace.shared |= !shared.is_one() && !x.is_zero();
        if self.makes(Mistake::Division) && !x.is_zero() {
            return Rational::new(x.numer() / &shared, x.denom() / &shared * k);
        }
        x / k
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        let large = *x > Rational::from_integer(7.into());
        self.trace.large_exponent |= large;
        if large && self.makes(Mistake::Underflow) {
            return Ok(false);
        }
        if *x <= Rational::one() {
            let mut k = BigInt::one();
            loop {
                let p = self.quotient(x, &k);
                if !self.bernoulli(&p)? {
                    return Ok(k.is_odd() != self.makes(Mistake::Parity));
                }
                k += 1;
            }
        }
        let mut whole = x.floor().to_integer();
        if self.makes(Mistake::Cap) {
            whole = whole.min(7.into());
        }
        while whole.is_positive() {
            if !self.bernoulli_exp(&Rational::one())? {
                return Ok(false);
            }
            whole -= 1;
        }
        if self.makes(Mistake::Fraction) {
            return Ok(true);
        }
        self.bernoulli_exp(&(x - x.floor()))
    }

    fn geometric(&mut self, rate: &Rational) -> Result<BigInt, CoinsError> {
        let (s, t) = (rate.numer(), rate.denom());
        let mut u = BigInt::zero();
        for rejected in 1.. {
            let candidate = self.uniform_below(t)?;
            let weight = Rational::new(candidate.clone(), t.clone());
            if self.makes(Mistake::Remainder) || self.bernoulli_exp(&weight)? {
                u = candidate;
                break;
            }
            if self.gives_up(rejected) {
                break;
            }
        }
        let mut v = BigInt::zero();
        while self.bernoulli_exp(&Rational::one())? {
            v += 1;
        }
        let x = u + t * v;
        Ok(if self.makes(Mistake::Floor) { x } else { x / s })
    }

    fn discrete_laplace(&mut self, scale: &Rational) -> Result<BigInt, CoinsError> {
        let late = self.makes(Mistake::Sign);
        for rejected in 1.. {
            let mut minus = if late { false } else { self.bit()? };
            let magnitude = self.geometric(&scale.recip())?;
            if late {
                minus = self.bit()?;
            }
            let minus_zero = minus && magnitude.is_zero();
            self.trace.minus_zeros += u32::from(minus_zero);
            if !minus_zero || self.makes(Mistake::DoubleZero) {
                return Ok(if minus { -magnitude } else { magnitude });
            }
            if self.gives_up(rejected) {
                break;
            }
        }
        Ok(BigInt::zero())
    }

    fn discrete_gaussian(&mut self, variance: &Rational) -> Result<BigInt, CoinsError> {
        let variance = match self.makes(Mistake::Sigma) {
            true => variance * variance,
            false => variance.clone(),
        };
        let mut t = variance.floor().to_integer().sqrt();
        if !self.makes(Mistake::Proposal) || t.is_zero() {
            t += 1;
        }
        let scale = Rational::from_integer(t.clone());
        for rejected in 1.. {
            let y = self.discrete_laplace(&scale)?;
            // (|y| - a/(b t))^2 / (2 a/b) = (|y| b t - a)^2 / (2 a b t^2)
            let (a, b) = (variance.numer(), variance.denom());
            let gap: BigInt = y.abs() * b * &t - a;
            let mut numerator = &gap * &gap;
            if self.makes(Mistake::Overflow) {
                numerator %= BigInt::one() << 64;
            }
            let exponent = Rational::new(numerator, a * b * &t * &t * 2);
            if self.bernoulli_exp(&exponent)? {
                return Ok(y);
            }
            if self.gives_up(rejected) {
                break;
            }
        }
        Ok(BigInt::zero())
    }
}
