//! Bernoulli(e^-x) with the division of the bignum library dashu-ratio, checked by tape trees: `cargo run -- ../../../v1`.
//!
//! The algorithm is that of algorithms.md, written once more, with the fraction `x / k` computed by the library. OpenDP
//! divided so from January 2024 to March 2026 (its issue 2638); this is not its code. What is found is in README.md.

#[path = "../../check/rust/src/check.rs"]
mod check;

use check::{Answer, Bits, Library, Parameters, TapeEnded};
use dashu_int::UBig;
use dashu_ratio::RBig;
use std::process::ExitCode;

/// The sampler, with the fractions of this library.
struct Dashu;

impl Library for Dashu {
    fn sample(&self, algorithm: &str, parameters: &Parameters, bits: &mut Bits) -> Answer {
        if algorithm != "bernoulli-exp" {
            return None;
        }
        let text = parameters.get("x").and_then(|x| x.as_str());
        let x = text.and_then(|text| RBig::from_str_radix(text, 10).ok());
        let drawn = match x {
            Some(x) if x >= RBig::ZERO => bernoulli_exp(x, bits),
            _ => return Some(Err("x is a fraction of at least 0".to_owned())),
        };
        Some(drawn.map(|truth| truth.to_string()).map_err(|_| "the tape ended".to_owned()))
    }
}

/// True with probability e^-x.
fn bernoulli_exp(mut x: RBig, bits: &mut Bits) -> Result<bool, TapeEnded> {
    while x > RBig::ONE {
        if !bernoulli_exp_up_to_one(&RBig::ONE, bits)? {
            return Ok(false);
        }
        x -= RBig::ONE;
    }
    bernoulli_exp_up_to_one(&x, bits)
}

/// Draws Bernoulli(x/1), Bernoulli(x/2), ... up to the first that is false: true if that is at an odd place.
fn bernoulli_exp_up_to_one(x: &RBig, bits: &mut Bits) -> Result<bool, TapeEnded> {
    let mut k = 1u32;
    // The division of a fraction by an integer.
    while bernoulli(&(x.clone() / UBig::from(k)), bits)? {
        k += 1;
    }
    Ok(k % 2 == 1)
}

/// True with probability p: its binary digits beside the tape, up to the first that differ.
fn bernoulli(p: &RBig, bits: &mut Bits) -> Result<bool, TapeEnded> {
    let (mut rest, denominator) = (p.numerator().clone(), p.denominator().clone());
    if rest == denominator.clone().into() {
        return Ok(true);
    }
    while rest > 0.into() {
        rest *= 2;
        let digit = rest >= denominator.clone().into();
        if digit {
            rest -= &denominator;
        }
        if bits.bit()? != digit {
            return Ok(digit);
        }
    }
    Ok(false)
}

fn main() -> ExitCode {
    let third = RBig::from_parts(2.into(), 3u8.into());
    println!("dashu-ratio says that (2/3) / 2 = {}", third / UBig::from(2u8));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    check::main(&arguments, &Dashu)
}
