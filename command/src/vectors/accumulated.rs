//! Class D: one hash of many draws.

use super::algorithms::{Algorithm, Sample};
use super::{File, document};
use crate::error::Error;
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::Rational;
use dp_assay::number::rational::parse;
use dp_assay_audit::hexadecimal::hexadecimal;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use rayon::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What is hashed.
const ENCODING: &str = "for each draw the sample as signed LEB128 (false is 0, true is 1), then the bits that it consumed as unsigned LEB128";

const WANTED: &[(Algorithm, &[&str])] = &[
    (Algorithm::UniformBelow, &["10", "1e12", "1e30"]),
    (Algorithm::Bernoulli, &["1/3", "71/226"]),
    (Algorithm::BernoulliExp, &["3/4", "355/113"]),
    (Algorithm::Geometric, &["1/2", "355/113"]),
    (Algorithm::DiscreteLaplace, &["1", "355/113", "1e12"]),
    (Algorithm::DiscreteGaussian, &["4", "355/113", "1e12"]),
];

/// How many draws are hashed.
const DRAWS: [u64; 3] = [100, 10_000, 1_000_000];

/// How many of the first samples are shown.
const SHOWN: u64 = 8;

/// The files of this class, one an algorithm.
///
/// # Errors
/// Those of the samplers.
pub fn files() -> Result<Vec<File>, Error> {
    WANTED
        .par_iter()
        .map(|(algorithm, texts)| {
            let tests = texts.par_iter().map(|text| test(*algorithm, &parse(text)?));
            let tests: Vec<Value> = tests.collect::<Result<_, Error>>()?;
            let cases = tests.len();
            let content =
                json!({"algorithm": algorithm.name(), "encoding": ENCODING, "tests": tests});
            let path = format!("accumulated/{}.json", algorithm.name());
            Ok(document(path, "accumulated_v1", content, cases))
        })
        .collect()
}

fn test(algorithm: Algorithm, parameter: &Rational) -> Result<Value, Error> {
    let id = format!("dpv:accumulated-{}", algorithm.id(parameter));
    let key: [u8; 32] = Sha256::digest(&id).into();
    let sampler = algorithm.sampler(parameter)?;
    let mut coins = ChaCha::new(key, 1);
    let mut hash = Sha256::new();
    let (mut first, mut hashes) = (Vec::new(), Vec::new());
    for draw in 1..=DRAWS[DRAWS.len() - 1] {
        let before = coins.consumed();
        let sample = sampler.draw(&mut coins)?;
        hash.update(encoded(&sample, coins.consumed() - before));
        if draw <= SHOWN {
            first.push(sample.to_string());
        }
        if DRAWS.contains(&draw) {
            hashes.push(json!({
                "draws": draw,
                "consumed": coins.consumed(),
                "sha256": hexadecimal(&hash.clone().finalize()),
            }));
        }
    }
    Ok(json!({
        "id": id,
        "parameters": algorithm.parameters(parameter),
        "key": hexadecimal(&key),
        "stream": "1",
        "first": first,
        "hashes": hashes,
    }))
}

/// A draw as it is hashed.
fn encoded(sample: &Sample, bits: u64) -> Vec<u8> {
    let mut bytes = signed_leb128(&sample.number());
    bytes.extend(unsigned_leb128(bits));
    bytes
}

fn unsigned_leb128(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn signed_leb128(value: &BigInt) -> Vec<u8> {
    let mut value = value.clone();
    let mut bytes = Vec::new();
    loop {
        // The shift rounds down, so that the rest of a negative number is -1 in the end.
        let rest: BigInt = &value >> 7;
        let low: BigInt = &value - (&rest << 7);
        let low = low.to_u8().unwrap_or(0);
        let sign = low & 0x40 != 0;
        if (rest.is_zero() && !sign) || (rest == BigInt::from(-1) && sign) {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
        value = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the DWARF standard, version 5, tables 7.7 and 7.8, and numbers beyond a word.
    #[test]
    fn numbers_are_encoded_as_the_standard_has_it() {
        for (value, bytes) in [
            (2u64, vec![2]),
            (127, vec![127]),
            (128, vec![0x80, 1]),
            (129, vec![0x81, 1]),
            (12857, vec![0xb9, 0x64]),
        ] {
            assert_eq!(unsigned_leb128(value), bytes);
        }
        for (value, bytes) in [
            (2i64, vec![2]),
            (-2, vec![0x7e]),
            (127, vec![0xff, 0]),
            (-127, vec![0x81, 0x7f]),
            (128, vec![0x80, 1]),
            (-128, vec![0x80, 0x7f]),
            (129, vec![0x81, 1]),
            (-129, vec![0xff, 0x7e]),
            (0, vec![0]),
            (-1, vec![0x7f]),
        ] {
            assert_eq!(signed_leb128(&value.into()), bytes, "{value}");
        }
        let long = signed_leb128(&(BigInt::from(1) << 70));
        assert_eq!(long, [[0x80; 10].as_slice(), &[1]].concat());
    }
}
