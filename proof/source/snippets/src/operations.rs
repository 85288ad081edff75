//! One operation of the subset each, of arguments. `rustc` compiles this file and the translator translates it; both are
//! evaluated on the same arguments (`arguments.rs`).

use crate::Error;
use crate::number::Rational;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, Zero};

pub fn sum(a: BigInt, b: BigInt) -> BigInt {
    a + b
}

pub fn difference(a: BigInt, b: BigInt) -> BigInt {
    a - b
}

pub fn product(a: BigInt, b: BigInt) -> BigInt {
    a * b
}

pub fn quotient(a: BigInt, b: BigInt) -> BigInt {
    a / b
}

pub fn quotient_and_rest(a: BigInt, b: BigInt) -> (BigInt, BigInt) {
    a.div_rem(&b)
}

pub fn sum_with_a_word(a: BigInt, b: u64) -> BigInt {
    a + b
}

pub fn negative(a: BigInt) -> BigInt {
    -a
}

pub fn root(a: BigInt) -> BigInt {
    a.sqrt()
}

pub fn shifted(a: BigInt, places: u32) -> BigInt {
    a << places
}

pub fn digit(a: BigInt, place: u64) -> bool {
    a.bit(place)
}

pub fn sizes(a: BigInt) -> (BigInt, BigUint, u64) {
    (a.abs(), a.magnitude().clone(), a.magnitude().bits())
}

pub fn signs(a: BigInt) -> (bool, bool, bool) {
    (a.is_zero(), a.is_negative(), a.is_positive())
}

pub fn equal(a: BigInt, b: BigInt) -> (bool, bool) {
    (a == b, a != b)
}

pub fn in_order(a: BigInt, b: BigInt) -> (bool, bool, bool, bool) {
    (a < b, a <= b, a > b, a >= b)
}

pub fn natural_sum(a: BigUint, b: BigUint) -> BigUint {
    a + b
}

pub fn natural_difference(a: BigUint, b: BigUint) -> BigUint {
    a - b
}

pub fn natural_product(a: BigUint, b: BigUint) -> BigUint {
    a * b
}

pub fn natural_quotient(a: BigUint, b: BigUint) -> BigUint {
    a / b
}

pub fn natural_root(a: BigUint) -> BigUint {
    a.sqrt()
}

pub fn natural_shifted(a: BigUint, places: u32) -> BigUint {
    a << places
}

pub fn natural_less_a_word(a: BigUint, b: u64) -> BigUint {
    a - b
}

pub fn word_sum(a: u64, b: u64) -> u64 {
    a + b
}

pub fn word_difference(a: u64, b: u64) -> u64 {
    a - b
}

pub fn word_product(a: u64, b: u64) -> u64 {
    a * b
}

pub fn short_word_sum(a: u32, b: u32) -> u32 {
    a + b
}

pub fn short_word_product(a: u32, b: u32) -> u32 {
    a * b
}

pub fn cut_off(a: u64) -> u32 {
    a as u32
}

pub fn lesser(a: u64, b: u64) -> u64 {
    a.min(b)
}

pub fn fraction(a: BigInt, b: BigInt) -> Rational {
    Rational::new(a, b)
}

pub fn fraction_squared(a: BigInt, b: BigInt) -> Rational {
    Rational::new(a, b).pow(2)
}

pub fn fraction_sum(a: Rational, b: Rational) -> Rational {
    a + b
}

pub fn fraction_difference(a: Rational, b: Rational) -> Rational {
    a - b
}

pub fn fraction_product(a: Rational, b: Rational) -> Rational {
    a * b
}

pub fn fraction_quotient(a: Rational, b: Rational) -> Rational {
    a / b
}

pub fn fraction_by_an_integer(a: Rational, b: BigInt) -> Rational {
    a * b
}

pub fn fraction_turned_over(a: Rational) -> Rational {
    a.recip()
}

pub fn fraction_floor(a: Rational) -> Rational {
    a.floor()
}

pub fn fraction_whole(a: Rational) -> BigInt {
    a.to_integer()
}

pub fn fraction_signs(a: Rational) -> (bool, bool) {
    (a.is_positive(), a.is_negative())
}

pub fn fractions_in_order(a: Rational, b: Rational) -> (bool, bool, bool, bool) {
    (a < b, a <= b, a > b, a >= b)
}

pub fn place_of(list: Vec<BigInt>, place: usize) -> BigInt {
    list[place].clone()
}

pub fn pairs(a: Vec<BigInt>, b: Vec<BigInt>) -> (Vec<BigInt>, usize) {
    (a.iter().zip(b).map(|(a, b)| a - b).collect(), a.len())
}

pub fn refused_unless(right: bool, a: BigInt) -> Result<BigInt, Error> {
    right.then_some(a).ok_or(Error::OutOfRange("a"))
}

pub fn or_else(a: Option<BigInt>, b: BigInt) -> BigInt {
    a.unwrap_or(b)
}
