//! Class B: tapes, each found by a search for what its flag says, and for the mistake that it must show.

use super::algorithms::{Algorithm, Sample};
use super::mistakes::{Mistake, notes};
use super::twin::{Trace, Twin};
use super::wanted::{INVALID, WANTED, Wanted};
use super::{File, document};
use crate::error::Error;
use dp_assay::coins::{ChaCha, Coins, CoinsError, Tape};
use dp_assay::number::Rational;
use dp_assay::number::rational::{self, parse};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// No tape of a case is longer, in bits.
const LONGEST: u64 = 2_000;

/// So many streams are tried for a case.
const STREAMS: u64 = 1 << 22;

/// What happens in a case, by its flag.
pub fn meaning(flag: &str) -> &'static str {
    match flag {
        "Ordinary" => "nothing special",
        "Unlucky" => "at least four rejections in a row",
        "Boundary" => {
            "the draw is decided at the edge: the first candidate that is rejected, the last that is not, a comparison of more than 53 bits, or one whose digits end"
        }
        "LargeExponent" => "e^-x with x above 7 is drawn",
        "HugeScale" => {
            "the parameter is beyond 10^6, or 1/10^6 where it is a rate, or 2^32 where it is n"
        }
        "TinyScale" => "the noise is 0 nearly always",
        "GcdSharing" => {
            "x shares a factor with an integer that it is divided by, and a wrong division shows"
        }
        "NegativeZeroReject" => "minus zero is drawn, and rejected",
        "InvalidParam" => "the parameter must be refused",
        "ZeroScale" => "the parameter is zero and must be refused",
        "TapeEnds" => "the tape ends before the draw does",
        _ => "",
    }
}

/// The files of this class, one an algorithm.
///
/// # Errors
/// A case that is not found, or is not what it should be: the generator checks what it writes.
pub fn files() -> Result<Vec<File>, Error> {
    Algorithm::ALL.into_iter().map(file).collect()
}

fn file(algorithm: Algorithm) -> Result<File, Error> {
    let mut tests = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut id = |start: String, kind: &str| {
        let number = numbers.entry(format!("{start}-{kind}")).or_insert(0);
        *number += 1;
        format!("dpv:tape-{start}-{kind}-{number}")
    };
    let of_this = |wanted: &&Wanted| wanted.algorithm == algorithm;
    for wanted in WANTED.iter().filter(of_this) {
        for text in wanted.parameters {
            let parameter = parse(text)?;
            let found = search(wanted, &parameter)?;
            for found in found {
                let name = id(algorithm.id(&parameter), wanted.bug.word());
                tests.push(found.test(&name, algorithm, &parameter, wanted.bug));
            }
        }
        // Some of these tapes once more, too short: by a bit, by half, and without any.
        if wanted.bug == Mistake::GiveUp || wanted.flag == "Ordinary" {
            let parameter = parse(wanted.parameters[0])?;
            for found in search(wanted, &parameter)?.iter().take(1) {
                for bits in found.cut() {
                    let name = id(algorithm.id(&parameter), Mistake::Padding.word());
                    tests.push(ends(&name, algorithm, &parameter, &found.tape[..bits])?);
                }
            }
        }
    }
    for (_, texts) in INVALID.iter().filter(|(of, _)| *of == algorithm) {
        for text in *texts {
            let parameter = parse(text)?;
            let name = id(algorithm.id(&parameter), Mistake::Unchecked.word());
            tests.push(invalid(&name, algorithm, &parameter)?);
        }
    }
    let flags: BTreeSet<&str> = tests
        .iter()
        .flat_map(|test| test["flags"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let bugs: BTreeSet<Mistake> = WANTED
        .iter()
        .filter(of_this)
        .map(|wanted| wanted.bug)
        .chain([Mistake::Padding, Mistake::Unchecked])
        .collect();
    let notes = notes(flags, meaning, bugs.into_iter().map(Mistake::words));
    let cases = tests.len();
    let content = json!({"algorithm": algorithm.name(), "notes": notes, "tests": tests});
    let path = format!("tapes/{}.json", algorithm.name());
    Ok(document(path, "tape_v1", content, cases))
}

/// A tape and what it gives.
struct Found {
    tape: Vec<bool>,
    sample: Sample,
    consumed: usize,
    flags: Vec<&'static str>,
}

impl Found {
    /// Lengths at which the tape is too short.
    fn cut(&self) -> BTreeSet<usize> {
        let short = [self.consumed.saturating_sub(1), self.consumed / 2, 0];
        short
            .into_iter()
            .filter(|bits| *bits < self.consumed)
            .collect()
    }

    fn test(&self, id: &str, algorithm: Algorithm, parameter: &Rational, bug: Mistake) -> Value {
        json!({
            "id": id,
            "parameters": algorithm.parameters(parameter),
            "tape": hexadecimal(&self.tape),
            "bits": self.tape.len(),
            "result": "valid",
            "sample": self.sample.to_string(),
            "consumed": self.consumed,
            "flags": self.flags,
            "bug": bug.word(),
            "effect": bug.effect(),
        })
    }
}

/// The first streams in which the flag's event happens and the mistake shows.
fn search(wanted: &Wanted, parameter: &Rational) -> Result<Vec<Found>, Error> {
    let Wanted { algorithm, .. } = *wanted;
    let name = format!(
        "dp-assay vectors, {} {}",
        algorithm.id(parameter),
        wanted.bug.word()
    );
    let key: [u8; 32] = Sha256::digest(name).into();
    let mut found = Vec::new();
    for stream in 0..STREAMS {
        let coins = Beginning(ChaCha::new(key, stream));
        let case = if wanted.bug == Mistake::Float {
            // So many equal digits don't come by chance.
            let bits = read(coins, 64)?;
            attempt(
                wanted,
                parameter,
                &Tape::new([digits(parameter, 60), bits].concat()),
            )?
        } else {
            attempt(wanted, parameter, &coins)?
        };
        found.extend(case);
        if found.len() >= wanted.count {
            return Ok(found);
        }
    }
    Err(wrong(
        &algorithm.id(parameter),
        &format!("no {} tape shows '{}'", wanted.flag, wanted.bug.word()),
    ))
}

/// The first [`LONGEST`] bits of a key stream, of which the tape of a case is a part.
#[derive(Debug, Clone)]
struct Beginning(ChaCha);

impl Coins for Beginning {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        if self.consumed() + u64::from(count) > LONGEST {
            return Err(CoinsError::TapeEnded { length: LONGEST });
        }
        self.0.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

/// The case of these coins, if it is what is wanted.
fn attempt<C: Coins + Clone>(
    wanted: &Wanted,
    parameter: &Rational,
    coins: &C,
) -> Result<Option<Found>, Error> {
    let Wanted { algorithm, .. } = *wanted;
    let twin = |mistake| {
        let mut coins = coins.clone();
        let drawn = Twin::new(&mut coins, mistake).draw(algorithm, parameter);
        drawn.map(|(sample, trace)| (sample, coins.consumed(), trace))
    };
    let Ok((sample, consumed, trace)) = twin(None) else {
        return Ok(None);
    };
    let shows = |mistake| {
        let other = twin(Some(mistake));
        !other.is_ok_and(|(other, bits, _)| other == sample && bits == consumed)
    };
    if !shows(wanted.bug) {
        return Ok(None);
    }
    let flags = flags(algorithm, parameter, &trace, || shows(Mistake::Division));
    if !flags.contains(&wanted.flag) {
        return Ok(None);
    }
    let tape = read(coins.clone(), consumed.next_multiple_of(8))?;
    // What is written is what the library draws.
    let mut library = Tape::new(tape.clone());
    let drawn = algorithm.sampler(parameter)?.draw(&mut library)?;
    if drawn != sample || library.consumed() != consumed {
        return Err(wrong(
            &algorithm.id(parameter),
            &format!(
                "the library and the second writing differ on the tape {}",
                hexadecimal(&tape)
            ),
        ));
    }
    Ok(Some(Found {
        tape,
        sample,
        consumed: consumed as usize,
        flags,
    }))
}

/// The flags of what happened.
fn flags(
    algorithm: Algorithm,
    parameter: &Rational,
    trace: &Trace,
    division_shows: impl Fn() -> bool,
) -> Vec<&'static str> {
    use Algorithm::{Bernoulli, BernoulliExp, UniformBelow};
    let million = rational::integer(1_000_000);
    let huge = match algorithm {
        UniformBelow => *parameter >= rational::integer(1u64 << 32),
        Algorithm::Geometric => *parameter <= million.recip(),
        Algorithm::DiscreteLaplace | Algorithm::DiscreteGaussian => *parameter > million,
        Bernoulli | BernoulliExp => false,
    };
    let tiny = match algorithm {
        Algorithm::Geometric => *parameter >= rational::integer(10),
        Algorithm::DiscreteLaplace => *parameter <= rational::ratio(1, 10),
        Algorithm::DiscreteGaussian => *parameter <= rational::ratio(1, 100),
        _ => false,
    };
    let boundary = match algorithm {
        UniformBelow => trace.edge,
        Bernoulli => trace.ended,
        BernoulliExp => parameter.is_zero() || parameter.is_one(),
        _ => false,
    };
    let happens = [
        ("Unlucky", trace.rejections >= 4),
        ("Boundary", boundary || trace.compared > 53),
        ("LargeExponent", trace.large_exponent),
        ("HugeScale", huge),
        ("TinyScale", tiny),
        ("GcdSharing", trace.shared && division_shows()),
        ("NegativeZeroReject", trace.minus_zeros > 0),
    ];
    let mut flags: Vec<&str> = happens
        .into_iter()
        .filter_map(|(flag, happens)| happens.then_some(flag))
        .collect();
    if flags.is_empty() {
        flags.push("Ordinary");
    }
    flags
}

/// A tape that ends too early.
fn ends(
    id: &str,
    algorithm: Algorithm,
    parameter: &Rational,
    tape: &[bool],
) -> Result<Value, Error> {
    let drawn = algorithm
        .sampler(parameter)?
        .draw(&mut Tape::new(tape.to_vec()));
    if !matches!(drawn, Err(CoinsError::TapeEnded { .. })) {
        return Err(wrong(id, "the tape should have ended too early"));
    }
    Ok(json!({
        "id": id,
        "parameters": algorithm.parameters(parameter),
        "tape": hexadecimal(tape),
        "bits": tape.len(),
        "result": "ends",
        "flags": ["TapeEnds"],
        "bug": Mistake::Padding.word(),
        "effect": Mistake::Padding.effect(),
    }))
}

/// Parameters that must be refused, before a bit is read.
fn invalid(id: &str, algorithm: Algorithm, parameter: &Rational) -> Result<Value, Error> {
    let tape = [false, true].repeat(32);
    let mut coins = Tape::new(tape.clone());
    let drawn = algorithm
        .sampler(parameter)
        .and_then(|sampler| sampler.draw(&mut coins));
    if drawn.is_ok() || coins.consumed() > 0 {
        return Err(wrong(id, "the parameter should have been refused"));
    }
    let flags = match parameter.is_zero() && algorithm != Algorithm::UniformBelow {
        true => vec!["InvalidParam", "ZeroScale"],
        false => vec!["InvalidParam"],
    };
    Ok(json!({
        "id": id,
        "parameters": algorithm.parameters(parameter),
        "tape": hexadecimal(&tape),
        "bits": tape.len(),
        "result": "invalid",
        "flags": flags,
        "bug": Mistake::Unchecked.word(),
        "effect": Mistake::Unchecked.effect(),
    }))
}

/// The next bits of these coins.
fn read(mut coins: impl Coins, count: u64) -> Result<Vec<bool>, CoinsError> {
    (0..count).map(|_| Ok(coins.bits(1)? == 1)).collect()
}

/// The first binary digits of a number from 0 to 1, behind the point.
fn digits(value: &Rational, count: u32) -> Vec<bool> {
    let shifted: BigInt = (value * (BigInt::one() << count)).floor().to_integer();
    (0..count)
        .rev()
        .map(|place| (&shifted >> place).is_odd())
        .collect()
}

/// The first bit is the highest of the first byte.
fn hexadecimal(bits: &[bool]) -> String {
    let byte = |bits: &[bool]| {
        let bits = bits.iter().zip((0..8).rev());
        bits.fold(0, |byte, (&bit, place)| byte | u8::from(bit) << place)
    };
    bits.chunks(8)
        .map(|bits| format!("{:02x}", byte(bits)))
        .collect()
}

fn wrong(case: &str, what: &str) -> Error {
    Error::Usage(format!("{case}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tapes_are_written_with_the_first_bit_highest() {
        let bits = |text: &str| text.chars().map(|c| c == '1').collect::<Vec<_>>();
        assert_eq!(hexadecimal(&bits("")), "");
        assert_eq!(hexadecimal(&bits("1")), "80");
        assert_eq!(hexadecimal(&bits("0111011010111")), "76b8");
        assert_eq!(digits(&rational::ratio(5, 8), 4), bits("1010"));
        assert_eq!(digits(&rational::ratio(1, 3), 5), bits("01010"));
    }

    #[test]
    fn every_mistake_of_the_list_is_wanted_somewhere() {
        let wanted: BTreeSet<Mistake> = WANTED.iter().map(|wanted| wanted.bug).collect();
        // All but those that are no mistakes of an algorithm.
        assert_eq!(wanted.len(), 22);
    }

    #[test]
    fn a_case_that_does_not_show_its_mistake_is_not_taken() {
        let wanted = |bug, flag| Wanted {
            algorithm: Algorithm::UniformBelow,
            parameters: &[],
            flag,
            bug,
            count: 1,
        };
        let six = rational::integer(6);
        let tape = |text| Tape::written(text);
        let taken = |bug, flag, text| {
            attempt(&wanted(bug, flag), &six, &tape(text))
                .unwrap()
                .is_some()
        };
        // 7 is rejected, and reduced to 1 by mistake; 2 is not.
        assert!(taken(Mistake::Modulo, "Ordinary", "1110100000000000"));
        assert!(!taken(Mistake::Modulo, "Ordinary", "0100000000000000"));
        // 6 is the first candidate that is rejected.
        assert!(taken(Mistake::Inclusive, "Boundary", "1100100000000000"));
        assert!(!taken(Mistake::Inclusive, "Ordinary", "1100100000000000"));
    }
}
