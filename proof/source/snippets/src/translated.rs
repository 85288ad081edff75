//! What the translator must translate: each function is run by rustc and by Coq, on the same tapes.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Rational, rational::integer};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pair {
    first: BigInt,
    second: BigInt,
}

impl Pair {
    fn of(coins: &mut impl Coins) -> Result<Self, Error> {
        Ok(Self { second: word(coins, 2)?, first: word(coins, 1)? })
    }

    fn less(&self, by: &BigInt) -> BigInt {
        &self.first * BigInt::from(10) + &self.second - by
    }
}

fn word(coins: &mut impl Coins, count: u32) -> Result<BigInt, Error> {
    Ok(BigInt::from(coins.bits(count)?))
}

fn refuse(right: bool, what: &'static str) -> Result<(), Error> {
    right.then_some(()).ok_or(Error::OutOfRange(what))
}

pub fn a_word(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(BigInt::from(coins.bits(3)?))
}

pub fn no_word(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(BigInt::from(coins.bits(0)?))
}

pub fn too_long_a_word(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(BigInt::from(coins.bits(65)?))
}

pub fn from_left_to_right(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(BigInt::from(coins.bits(2)?) * BigInt::from(4) - BigInt::from(coins.bits(2)?))
}

pub fn fields_in_the_order_written(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let pair = Pair::of(coins)?;
    Ok(pair.less(&pair.first))
}

pub fn shadowed(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = word(coins, 1)?;
    let x = &x + &x;
    let x = x + word(coins, 1)?;
    Ok(x)
}

pub fn first_one(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut v = BigInt::zero();
    while coins.bits(1)? == 0 {
        v += 1u32;
    }
    Ok(v)
}

pub fn left_early(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut v = BigInt::one();
    while coins.bits(1)? == 0 {
        v <<= 1u32;
        if v.bit(3) {
            return Ok(-v);
        }
    }
    Ok(v)
}

pub fn begun_again(coins: &mut impl Coins) -> Result<BigInt, Error> {
    loop {
        let x = coins.bits(2)?;
        if x == 3 {
            continue;
        }
        return Ok(BigInt::from(x));
    }
}

pub fn begun_again_and_counted(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut rounds = BigInt::zero();
    let mut last = BigInt::zero();
    loop {
        rounds += 1;
        if coins.bits(1)? == 1 {
            last += 5;
            continue;
        }
        if last > rounds {
            return Ok(last - rounds);
        }
    }
}

pub fn joined(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let (mut a, mut b) = (BigInt::one(), BigInt::from(7));
    if coins.bits(1)? == 1 {
        a = &b * &b;
        b -= &a;
    } else {
        b += word(coins, 1)?;
    }
    Ok(a * 100 + b)
}

pub fn joined_without_else(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut a = word(coins, 2)?;
    if a.is_zero() {
        a -= 3;
    }
    Ok(a)
}

pub fn left_from_a_branch(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut a = word(coins, 2)?;
    if a > BigInt::one() {
        if coins.bits(1)? == 1 {
            return Ok(a);
        }
        a = -a;
    }
    Ok(a - 1)
}

pub fn a_value_that_draws(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = if coins.bits(1)? == 1 { word(coins, 3)? } else { BigInt::from(9) };
    Ok(x)
}

pub fn the_right_of_and(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let both = coins.bits(1)? == 1 && coins.bits(1)? == 1;
    Ok(if both { BigInt::one() } else { BigInt::zero() })
}

pub fn the_right_of_or(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let either = coins.bits(1)? == 1 || coins.bits(2)? == 2;
    Ok(if !either { BigInt::one() } else { BigInt::zero() })
}

pub fn below_zero(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let (a, b) = (BigUint::from(coins.bits(2)?), BigUint::from(coins.bits(2)?));
    Ok(BigInt::from(a - b))
}

pub fn a_word_below_zero(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let (a, b) = (coins.bits(2)?, coins.bits(2)?);
    Ok(BigInt::from(a - b))
}

pub fn a_word_too_large(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = coins.bits(2)? + 18446744073709551614u64;
    Ok(BigInt::from(a))
}

pub fn a_product_too_large(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = coins.bits(3)? as u32;
    Ok(BigInt::from(a * 1073741824u32))
}

pub fn cut_off(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = (coins.bits(2)? + 4294967294u64) as u32;
    Ok(BigInt::from(a))
}

pub fn the_lesser(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(BigInt::from(coins.bits(3)?.min(5)))
}

pub fn a_quotient_towards_zero(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok((word(coins, 3)? - 4) / BigInt::from(3))
}

pub fn by_zero(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = word(coins, 2)?;
    Ok(BigInt::from(12) / a)
}

pub fn quotient_and_rest(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let (quotient, rest) = (word(coins, 4)? - BigInt::from(8)).div_rem(&BigInt::from(3));
    Ok(quotient * 100 + rest)
}

pub fn a_root(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok((word(coins, 4)? - BigInt::from(2)).sqrt())
}

pub fn widths(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(BigInt::from((word(coins, 5)? - BigInt::from(16)).magnitude().bits()))
}

pub fn signs(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = word(coins, 2)? - BigInt::one();
    if x.is_negative() {
        return Ok(BigInt::from(10));
    }
    Ok(if x.is_positive() { x.abs() } else { BigInt::from(20) })
}

pub fn a_negative_bit(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = word(coins, 3)? - BigInt::from(4);
    Ok(if x.bit(1) { BigInt::one() } else { BigInt::zero() })
}

pub fn sums_of_rationals(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = Rational::new(word(coins, 2)? - 2, BigInt::from(6));
    let b = Rational::new(word(coins, 2)?, BigInt::from(-4));
    let c = &a + &b - integer(2);
    Ok(c.numer() * BigInt::from(1000) + c.denom())
}

pub fn products_of_rationals(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = Rational::new(word(coins, 2)? - 2, BigInt::from(6));
    let b = Rational::new(word(coins, 2)?, BigInt::from(-4));
    let c = &a * &b * BigInt::from(3);
    Ok(c.numer() * BigInt::from(1000) + c.denom())
}

pub fn quotients_of_rationals(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = Rational::new(word(coins, 2)? - 2, BigInt::from(6));
    let b = Rational::new(word(coins, 2)? - 1, BigInt::from(4));
    let c = a / b;
    Ok(c.numer() * BigInt::from(1000) + c.denom())
}

pub fn turned_over(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = Rational::new(word(coins, 3)? - 4, BigInt::from(6)).recip();
    Ok(a.numer() * BigInt::from(1000) + a.denom())
}

pub fn floors(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(Rational::new(word(coins, 4)? - 8, BigInt::from(3)).floor().to_integer())
}

pub fn whole_parts(coins: &mut impl Coins) -> Result<BigInt, Error> {
    Ok(Rational::new(word(coins, 4)? - 8, BigInt::from(3)).to_integer())
}

pub fn rationals_compared(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let a = Rational::new_raw(word(coins, 2)? - 1, BigInt::from(2));
    let b = Rational::new(word(coins, 2)?, BigInt::from(3));
    if a < b {
        return Ok(BigInt::one());
    }
    Ok(if a >= Rational::one() { BigInt::from(2) } else { BigInt::from(3) })
}

pub fn refused_by_name(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = word(coins, 2)?;
    refuse(x <= BigInt::one(), "the first")?;
    refuse(!x.is_zero(), "the second")?;
    Ok(x)
}

pub fn if_let(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = word(coins, 2)?;
    if let Some(found) = x.is_positive().then_some(x) {
        return Ok(found + 1);
    }
    Err(Error::OutOfRange("nothing"))
}

pub fn let_else(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = word(coins, 2)?;
    let Some(found) = x.is_positive().then_some(x) else {
        return Ok(word(coins, 2)?);
    };
    Ok(found + 40)
}

pub fn a_list_of_draws(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let places = coins.bits(2)?;
    let drawn = draws(places as usize, coins)?;
    Ok(drawn[1].clone() * 10 + drawn[0].clone())
}

fn draws(count: usize, coins: &mut impl Coins) -> Result<Vec<BigInt>, Error> {
    (0..count).map(|_| word(coins, 1)).collect()
}

pub fn through_a_range(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut sum = BigInt::zero();
    for i in 0..3usize {
        let x = word(coins, 1)?;
        if x.is_zero() {
            continue;
        }
        sum = sum * 10 + BigInt::from(i);
    }
    Ok(sum)
}

pub fn pushed(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut all: Vec<BigInt> = Vec::new();
    for _ in 0..3usize {
        all.push(word(coins, 1)?);
    }
    Ok(all[2].clone() * 4 + all[1].clone() * 2 + all[0].clone())
}

pub fn sums_of_lists(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let (a, b) = (draws(2, coins)?, draws(3, coins)?);
    let both: Vec<BigInt> = a.iter().zip(b).map(|(a, b)| a * 2 - b).collect();
    Ok(both[0].clone() * 10 + both[1].clone() + BigInt::from(both.len()))
}

pub fn layers_below(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let x = coins.uniform_below(&5u32.into())?;
    Ok(if coins.bernoulli(&Rational::new_raw(1.into(), 3.into()))? { BigInt::from(x) } else { -BigInt::one() })
}

pub fn a_loop_in_a_loop(coins: &mut impl Coins) -> Result<BigInt, Error> {
    let mut rows = BigInt::zero();
    while coins.bits(1)? == 1 {
        let mut row = BigInt::one();
        while coins.bits(1)? == 1 {
            row += 1;
        }
        rows = rows * 10 + row;
    }
    Ok(rows)
}
