//! Real numbers whose first digits are drawn: the noise of the real line, cell by cell.

use super::drawn::Drawn;
use super::geometric::top;
use super::squeeze::Squeeze;
use super::{cumulative::GUARD, gaussian_cells};
use crate::coins::{Against, Coins, CoinsError, Table, Uniform};
use crate::number::{Dyadic, Enclosure, Rational};
use crate::sample::Geometric;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};

/// A real number `+-(cell + u) 2^width`, where `u` is uniform in `[digits / 2^count, (digits + 1) / 2^count)` and not known further.
#[derive(Debug, Clone)]
pub(super) struct Real {
    pub(super) negative: bool,
    cell: BigUint,
    digits: BigUint,
    count: u32,
    width: i32,
}

impl Real {
    /// Draws 64 more digits.
    pub(super) fn draw_digits(&mut self, coins: &mut impl Coins) -> Result<(), CoinsError> {
        self.digits = (&self.digits << 64u32) + coins.bits(64)?;
        self.count += 64;
        Ok(())
    }

    /// The ends of `u`.
    fn ends(&self) -> [Rational; 2] {
        let parts = BigInt::one() << self.count;
        [0u32, 1].map(|more| Rational::new((&self.digits + more).into(), parts.clone()))
    }

    /// Two numbers between which the number lies: strictly below the second one, or strictly above the first.
    pub(super) fn interval(&self) -> [Dyadic; 2] {
        let place = (&self.cell << self.count) + &self.digits;
        let exponent = i64::from(self.width) - i64::from(self.count);
        let [lo, hi] = [0u32, 1].map(|more| Dyadic::new(&place + more, exponent));
        if self.negative { [-hi, -lo] } else { [lo, hi] }
    }
}

/// `2^exponent`
pub(super) fn power_of_two(exponent: i32) -> Rational {
    let power = Rational::from_integer(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// So many digits of the place in a cell are drawn at first.
const FIRST_DIGITS: u32 = 64;

/// What is drawn of a real number at first: [`FIRST_DIGITS`] of its place in a cell of the table; or more.
pub(super) enum Place {
    Short {
        negative: bool,
        cell: u64,
        word: u64,
    },
    Long(Box<Real>),
}

/// Symmetric noise on the real line whose density falls with the magnitude: cells of width `2^width`, from a table by the density at
/// their starts, and a uniform place in the cell, accepted by how far the density has fallen there.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    table: Table,
    pub(super) width: i32,
    decay: Decay,
    squeeze: Squeeze,
    // For each cell of the table, a lower bound of the probability that a place in it is accepted, in steps of 2^-64.
    outright: Vec<u64>,
}

/// How the density falls, in units of cells.
#[derive(Debug, Clone)]
enum Decay {
    /// As `exp(-rate x)`.
    Exponential { rate: Rational },
    /// As `exp(-x^2 / (2 variance))`.
    Gaussian { variance: Rational },
}

impl Decay {
    /// By how much the exponent falls from the start of a cell to `u` in it.
    fn fall(&self, cell: &BigUint, u: &Rational) -> Rational {
        match self {
            Self::Exponential { rate } => rate * u,
            Self::Gaussian { variance } => {
                let twice = Rational::from_integer(BigInt::from(cell * 2u32));
                u * (twice + u) / (variance * BigInt::from(2))
            }
        }
    }

    /// The same in the steps of the squeeze, for every `u` in `[word, word + 1) / 2^64`: from below and from above.
    #[inline]
    fn steps(&self, cell: u64, word: u64) -> [u128; 2] {
        match self {
            Self::Exponential { .. } => [0, 1].map(|more| u128::from(word) + more),
            // u (2 cell + u), with 32 digits of u.
            Self::Gaussian { .. } => [0, 1].map(|more| {
                let u = u128::from(word >> 32) + more;
                u * ((u128::from(cell) << 33) + u)
            }),
        }
    }

    /// A cell from `first` on.
    fn beyond<C: Coins>(&self, first: usize, coins: &mut C) -> Result<BigUint, CoinsError> {
        match self {
            // No memory.
            Self::Exponential { rate } => Ok(coins.draw(&Geometric::new(rate.clone())?)? + first),
            Self::Gaussian { variance } => gaussian_cells::beyond(first, variance, coins),
        }
    }
}

impl Cells {
    /// Cells of Laplace noise of this scale.
    pub(super) fn laplace(scale: &Rational) -> Result<Self, CoinsError> {
        let width = width_below(&(scale * scale));
        let rate = power_of_two(width) / scale;
        let squeeze = Squeeze::new(&(&rate * power_of_two(-64)));
        Ok(Self::new(
            width,
            top(&rate)?,
            Decay::Exponential { rate },
            squeeze,
        ))
    }

    /// Cells of Gaussian noise of this variance.
    pub(super) fn gaussian(variance: &Rational) -> Result<Self, CoinsError> {
        let width = width_below(variance);
        let variance = variance * power_of_two(-2 * width);
        let squeeze = Squeeze::new(&(variance.recip() * power_of_two(-65)));
        let table = gaussian_cells::half_gaussian(&variance)?;
        Ok(Self::new(
            width,
            table,
            Decay::Gaussian { variance },
            squeeze,
        ))
    }

    fn new(width: i32, table: Table, decay: Decay, squeeze: Squeeze) -> Self {
        // At the end of the cell.
        let end = u64::MAX;
        let bound = |cell: u64| squeeze.outright(decay.steps(cell, end)[1]);
        Self {
            outright: (0..table.places() as u64 - 1).map(bound).collect(),
            table,
            width,
            decay,
            squeeze,
        }
    }

    /// The table of the cells.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// Draws a number, as far as acceptance takes it.
    #[inline]
    pub(super) fn draw<C: Coins>(&self, coins: &mut C) -> Result<Place, CoinsError> {
        loop {
            // 1. A cell.
            let cell = coins.pick(&self.table)?;
            if let Some(place) = self.attempt(cell, coins)? {
                return Ok(place);
            }
        }
    }

    /// One attempt, from a cell: `None` if rejected.
    #[inline]
    fn attempt<C: Coins>(&self, cell: usize, coins: &mut C) -> Result<Option<Place>, CoinsError> {
        // 2. A sign, and the first digits of the place in the cell.
        let negative = coins.bits(1)? == 1;
        let word = coins.bits(FIRST_DIGITS)?;
        self.accept(cell, negative, word, coins)
    }

    /// The same from a cell, a sign and the first digits.
    #[inline(always)]
    pub(super) fn accept<C: Coins>(
        &self,
        cell: usize,
        negative: bool,
        word: u64,
        coins: &mut C,
    ) -> Result<Option<Place>, CoinsError> {
        let Some(&outright) = self.outright.get(cell) else {
            return self.attempt_beyond(negative, word, coins);
        };
        // 3. Accepted by the fall of the density, if that is decided for every number with these digits.
        let cell = cell as u64;
        let ends = || self.decay.steps(cell, word);
        match self.squeeze.against(outright, ends, coins)? {
            Against::Below => Ok(Some(Place::Short {
                negative,
                cell,
                word,
            })),
            Against::NotBelow => Ok(None),
            Against::Between { place, parts } => {
                let uniform = Uniform::within(place, parts);
                let real = self.settle(negative, cell.into(), word, uniform, coins)?;
                Ok(real.map(|real| Place::Long(Box::new(real))))
            }
        }
    }

    /// The same from the cells beyond the table on.
    #[cold]
    fn attempt_beyond<C: Coins>(
        &self,
        negative: bool,
        word: u64,
        coins: &mut C,
    ) -> Result<Option<Place>, CoinsError> {
        let cell = self.decay.beyond(self.outright.len(), coins)?;
        let real = self.settle(negative, cell, word, Uniform::new(), coins)?;
        Ok(real.map(|real| Place::Long(Box::new(real))))
    }

    /// What was drawn, as a number that may be drawn further.
    pub(super) fn real(&self, negative: bool, cell: u64, word: u64) -> Real {
        Real {
            negative,
            cell: cell.into(),
            digits: word.into(),
            count: FIRST_DIGITS,
            width: self.width,
        }
    }

    /// Accepts or rejects where the first digits do not decide: both numbers are drawn further, until it is decided for all that they may be.
    #[cold]
    fn settle<C: Coins>(
        &self,
        negative: bool,
        cell: BigUint,
        word: u64,
        mut uniform: Uniform,
        coins: &mut C,
    ) -> Result<Option<Real>, CoinsError> {
        let mut real = Real {
            cell,
            ..self.real(negative, 0, word)
        };
        loop {
            let bits = real.count + GUARD;
            let [near, far] = real.ends().map(|u| self.decay.fall(&real.cell, &u));
            let accept = Enclosure::exp_of(&-far, bits)?.hull(&Enclosure::exp_of(&-near, bits)?);
            match uniform.is_below(&accept) {
                Some(true) => return Ok(Some(real)),
                Some(false) => return Ok(None),
                None => {
                    real.draw_digits(coins)?;
                    for _ in 0..64 {
                        uniform.push(coins.bits(1)?);
                    }
                }
            }
        }
    }
}

/// The largest `width` with `2^width <= sqrt(squared) / 64`.
fn width_below(squared: &Rational) -> i32 {
    let bits = |x: &BigInt| x.bits() as i32;
    // 2^(2 w) <= squared for w = this, or for one less.
    let mut width = (bits(squared.numer()) - bits(squared.denom())).div_euclid(2) + 1;
    while power_of_two(2 * width) > *squared {
        width -= 1;
    }
    width - 6
}

/// Where a real number is rounded to: `floor(value + 1/2 + number)` is the integer nearest to `value + number`.
#[derive(Debug, Clone)]
pub(super) struct Target {
    whole: BigInt,
    small: Option<i64>,
    // value + 1/2 = whole + part; and the part in units of 2^(width - 64), rounded down.
    part: Rational,
    units: i128,
    // A step of the grid is 2^shift units: the last one below it.
    shift: u32,
    below_step: i128,
}

impl Target {
    /// Around `value`, for numbers in cells of width `2^width`, with `-63 < width < 64`.
    pub(super) fn new(value: &Rational, width: i32) -> Self {
        let raised = value + Rational::new(1.into(), 2.into());
        let whole = raised.floor().to_integer();
        let part = raised - Rational::from_integer(whole.clone());
        let shift = FIRST_DIGITS as i32 - width;
        let units = (&part * power_of_two(shift)).floor().to_integer();
        Self {
            small: whole.to_i64().filter(|whole| whole.abs() < 1 << 62),
            whole,
            part,
            units: units.to_i128().unwrap_or(0),
            shift: shift as u32,
            below_step: (1 << shift) - 1,
        }
    }

    /// The integer, if the first digits decide it and it is small.
    #[inline]
    fn decided(&self, negative: bool, cell: u64, word: u64) -> Option<i64> {
        let place = (i128::from(cell) << FIRST_DIGITS) | i128::from(word);
        // part + number lies in [least, least + 2) units. Without a branch, which would be wrong half the time: -p - 1 is !p.
        let least = self.units + (place ^ -i128::from(negative));
        // The floor is not the same for all of them if a multiple of the step lies one unit after the least.
        if (least + 1) & self.below_step == 0 {
            return None;
        }
        Some(self.small? + i64::try_from(least >> self.shift).ok()?)
    }

    /// The integer nearest to the value and a number that was drawn from `cells`.
    #[inline]
    pub(super) fn round<C: Coins>(
        &self,
        drawn: Place,
        cells: &Cells,
        coins: &mut C,
    ) -> Result<Drawn, CoinsError> {
        let real = match drawn {
            Place::Short {
                negative,
                cell,
                word,
            } => match self.decided(negative, cell, word) {
                Some(value) => return Ok(Drawn::Small(value)),
                None => cells.real(negative, cell, word),
            },
            Place::Long(real) => *real,
        };
        self.round_slowly(real, coins)
    }

    #[cold]
    fn round_slowly<C: Coins>(&self, mut real: Real, coins: &mut C) -> Result<Drawn, CoinsError> {
        loop {
            let ends = real.interval();
            if let Some(floor) = common_floor(&ends.map(|end| end.to_rational() + &self.part)) {
                return Ok(Drawn::of(&self.whole + floor));
            }
            real.draw_digits(coins)?;
        }
    }
}

/// The integer part of every number between the two, if it is one.
fn common_floor([lo, hi]: &[Rational; 2]) -> Option<BigInt> {
    let floor = lo.floor().to_integer();
    (hi.floor().to_integer() == floor).then_some(floor)
}

/// Whether a standard deviation or scale in steps of the grid, squared, is within reach.
pub(super) fn is_within_reach(squared: &Rational) -> bool {
    squared.is_positive() && *squared <= power_of_two(96) && *squared >= power_of_two(-80)
}
