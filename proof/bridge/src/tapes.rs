//! What a program does on tapes of coins.

use dp_assay::coins::{ChaCha, Coins, CoinsError, Tape};
use num_bigint::BigInt;

/// A program that draws coins from a tape; its result is written as an integer.
pub type Program = Box<dyn Fn(&mut Tape) -> Result<BigInt, CoinsError>>;

/// What a program does on every tape of at most so many bits.
pub enum Table {
    /// It ends with this result, and has read the whole tape.
    Result(BigInt),
    /// It asks for one bit more, and the tape is as long as tapes are here.
    More,
    /// It asks for a bit: what it does if that is 0, and if it is 1.
    Coin(Box<[Table; 2]>),
}

impl Table {
    /// Runs the program on every tape of at most `depth` bits.
    ///
    /// # Panics
    /// If it fails otherwise than for want of bits, or does not read what it was given: it then is no function of coins.
    pub fn of(program: &Program, depth: usize) -> Self {
        Self::from(program, &mut Vec::new(), depth)
    }

    fn from(program: &Program, read: &mut Vec<bool>, depth: usize) -> Self {
        let mut tape = Tape::new(read.clone());
        match program(&mut tape) {
            Ok(result) => {
                assert_eq!(
                    tape.consumed(),
                    read.len() as u64,
                    "bits were left on {read:?}"
                );
                Self::Result(result)
            }
            Err(CoinsError::TapeEnded { .. }) if read.len() == depth => Self::More,
            Err(CoinsError::TapeEnded { .. }) => Self::Coin(Box::new([false, true].map(|bit| {
                read.push(bit);
                let then = Self::from(program, read, depth);
                read.pop();
                then
            }))),
            Err(error) => panic!("{error} on {read:?}"),
        }
    }

    /// How many tapes it was run on.
    pub fn tapes(&self) -> u64 {
        match self {
            Self::Result(_) | Self::More => 1,
            Self::Coin(then) => 1 + then[0].tapes() + then[1].tapes(),
        }
    }
}

/// What a program does on one long tape.
pub struct Spot {
    /// The bits that it read, as an integer, the first one highest.
    pub bits: BigInt,
    /// How many they are.
    pub used: u64,
    pub result: BigInt,
}

/// Runs the program on a tape written in 0 and 1.
///
/// # Panics
/// If it is too short for it.
pub fn spot(program: &Program, tape: &str) -> Spot {
    on_tape(program, tape.chars().map(|bit| bit == '1').collect())
}

/// Runs the program on this many long random tapes; the same ones at every call.
///
/// # Panics
/// If one of them is too short for it.
pub fn spots(program: &Program, count: u64) -> Vec<Spot> {
    const LENGTH: u32 = 4096;
    (0..count)
        .map(|number| {
            let mut coins = ChaCha::reproducible(13, number);
            let bits: Vec<bool> = (0..LENGTH)
                .map(|_| coins.bits(1).expect("a bit") == 1)
                .collect();
            on_tape(program, bits)
        })
        .collect()
}

fn on_tape(program: &Program, bits: Vec<bool>) -> Spot {
    let mut tape = Tape::new(bits.clone());
    let result = program(&mut tape).expect("a tape that is long enough");
    let used = tape.consumed();
    let read = &bits[..used as usize];
    let bits = read
        .iter()
        .fold(BigInt::ZERO, |sum, &bit| (sum << 1) + u8::from(bit));
    Spot { bits, used, result }
}
