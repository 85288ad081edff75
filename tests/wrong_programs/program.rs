//! What the programs are made of, and how each is metered.

pub use dp_assay::coins::{
    ChaCha, Coins, CoinsError, Law, Meter, Outcomes, Promise, Sharp, Stage, Table, Uses,
};
pub use dp_assay::law::{Around, Censored, Noise};
pub use dp_assay::number::rational::{integer, ratio};
pub use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::NeighbouringRelation::Substitute;
pub use dp_assay::privacy::meter::Report;
use dp_assay::privacy::meter::meter;
pub use dp_assay::privacy::{Budget, Published};
pub use dp_assay::sample::DiscreteLaplace;
pub use num_bigint::{BigInt, BigUint};

pub type Out<T> = Result<T, CoinsError>;

/// Nothing, almost: (1/1000000, 0).
pub fn nothing() -> Budget {
    pure(ratio(1, 1_000_000))
}

pub fn pure(epsilon: Rational) -> Budget {
    Budget::pure(epsilon, Substitute).unwrap()
}

pub fn approximate(epsilon: Rational, delta: Rational) -> Budget {
    Budget::approximate(epsilon, delta, Substitute).unwrap()
}

/// The program on two neighbours, with three seeds, through drawn outcomes and unlikely ones.
pub fn metered<D: Sync, T: Published + Send>(
    program: impl Fn(&D, &mut Meter) -> Out<T> + Sync,
    [first, second]: [D; 2],
    claim: &Budget,
) -> Vec<Report> {
    let run = |outcomes| meter(&program, &first, &second, outcomes, claim).unwrap();
    (0..3)
        .flat_map(|seed| {
            let coins = || ChaCha::reproducible(seed, 0);
            [Outcomes::drawn(coins()), Outcomes::far_out(coins(), 20)].map(run)
        })
        .collect()
}

pub fn public(coins: &mut Meter) {
    coins.stage(&Stage::public("what depends on no record"));
}

pub fn once(coins: &mut Meter, epsilon: Rational) {
    coins.stage(&Stage::once("the release", Promise::Pure(epsilon)));
}

/// The number with noise of this scale: its centre moves with the record.
pub fn noisy(value: i64, scale: i64, coins: &mut Meter) -> Out<BigInt> {
    coins.draw(&DiscreteLaplace::new(integer(scale))?.around(value))
}

/// Two places, the first of this probability.
pub fn table(label: impl Into<String>, first: Rational) -> Out<Table> {
    let ends = move |bits| {
        Ok(vec![
            Enclosure::of(&first, bits),
            Enclosure::integer(1, bits),
        ])
    };
    Table::new(label, ends)
}

/// `2^-k`.
pub fn small(k: u32) -> Rational {
    Rational::new(1.into(), BigInt::from(1) << k)
}

/// A law of one's own: the bit with this probability, and otherwise the other one.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub bit: bool,
    pub p: Rational,
}

impl Law for Response {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        Ok(coins.bernoulli(&self.p)? == self.bit)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        let p = if *side == self.bit {
            self.p.clone()
        } else {
            integer(1) - &self.p
        };
        Ok(Enclosure::of(&p, bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

/// The two outcomes of a coin.
pub fn side(index: u64) -> Option<bool> {
    [true, false].get(index as usize).copied()
}

/// Both sides of a fair coin, as enclosures.
pub fn half(bits: u32) -> Enclosure {
    Enclosure::of(&ratio(1, 2), bits)
}
