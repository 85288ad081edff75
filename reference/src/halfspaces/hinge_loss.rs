//! nuz20, line 4 of Algorithms 1 and 3, and line 10 of Algorithm 3, **repaired**: the loss, and the choice of a candidate by it.
//!
//! Private: [`HingeLoss::choose`] is (epsilon, 0)-private under substitution of one record, on all data, for candidates that
//! are public when it is made (`nuz20.alg-F.corrected`).
//!
//! Where it departs from the printed lines:
//! - line 10 has `-l` as the score: it is minus the *total* loss, whose sensitivity is the range `R` of `l`;
//! - line 10 has no budget: it is given, and Algorithm 3 gives it half of its own (`nuz20.alg3.corrected`).

use crate::Error;
use crate::coins::Coins;
use crate::number::{Rational, rational::ratio};
use crate::sample::{ExponentialMechanism, ScoreClass};
use crate::vector::dot;
use num_bigint::BigInt;

/// The loss `l(w; (x, y)) = 1{ y <w, x> < target } (target - y <w, x>)/width`, of slope `L = 1/width`.
///
/// Vectors are in steps of `1/one` and in the unit ball; records are given as `v = y x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HingeLoss {
    /// From this margin on nothing is lost.
    pub target: Rational,
    /// Above 0: over so much of the margin the loss falls by one.
    pub width: Rational,
    /// How many steps of the grid make one.
    pub one: i64,
}

impl HingeLoss {
    /// 4: `l(w; (x, y)) = 1{ y <w, x> < 96 gamma/100 } (96/86 - y <w, x>/(86 gamma/100))`, for `0 < gamma <= 1`
    /// (`nuz20.alg1`).
    pub fn printed(gamma: &Rational, one: i64) -> Result<Self, Error> {
        Self::new(gamma * ratio(96, 100), gamma * ratio(86, 100), one)
    }

    /// `max(0, 1 - y <w, x>/mu)`, for `0 < mu <= 1`.
    pub fn of_margin(mu: &Rational, one: i64) -> Result<Self, Error> {
        Self::new(mu.clone(), mu.clone(), one)
    }

    fn new(target: Rational, width: Rational, one: i64) -> Result<Self, Error> {
        if width <= ratio(0, 1) || target > ratio(1, 1) {
            return Err(Error::OutOfRange("the margin of the loss"));
        }
        Ok(Self { target, width, one })
    }

    /// `y <w, x> < target` if and only if the integer `<w, v>` is below this one.
    pub fn kink(&self) -> BigInt {
        (&self.target * BigInt::from(self.one).pow(2))
            .ceil()
            .to_integer()
    }

    /// The sum of `l(w; .)` over all records.
    pub fn total(&self, w: &[i64], records: &[Vec<i64>]) -> Rational {
        let (kink, squared_one) = (self.kink(), BigInt::from(self.one).pow(2));
        records
            .iter()
            .map(|v| dot(w, v))
            .filter(|product| *product < kink)
            .map(|product| {
                (&self.target - Rational::new(product, squared_one.clone())) / &self.width
            })
            .sum()
    }

    /// 10: return w <- M_E(D, -l, W): candidate `i` w.p. proportional to `exp(-epsilon total(w_i)/(2 R))`, for the range
    /// `R = (target + 1)/width` of the loss, which is its value at `y <w, x> = -1`. `epsilon n <= 2^23`.
    pub fn choose(
        &self,
        candidates: &[Vec<i64>],
        records: &[Vec<i64>],
        epsilon: &Rational,
        coins: &mut impl Coins,
    ) -> Result<usize, Error> {
        if epsilon * BigInt::from(records.len()) > ratio(1 << 23, 1) {
            return Err(Error::OutOfRange("epsilon n")); // `sample.exponential-mechanism`
        }
        let range = (&self.target + BigInt::from(1)) / &self.width;
        let class = |w: &Vec<i64>| ScoreClass {
            loss: self.total(w, records),
            count: 1u32.into(),
        };
        let classes = candidates.iter().map(class).collect();
        Ok(coins.draw(&ExponentialMechanism::new(epsilon.clone(), range, classes)?)?)
    }
}
