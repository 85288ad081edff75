//! Instances, and what all tests compare.
#![allow(dead_code)]

use crate::lent::{ChaCha, Explorer};
use dp_assay::coins::{Coins, CoinsError, Explored, Layer, explorer::Run};
use dp_assay::geometry::{Domain, Record};
use dp_assay::margin::Dataset;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay_reference::Error;
use dp_assay_reference::data::Points;
use num_traits::Zero;

/// Records `(x, y)`, `true` for `y = +1`.
pub type Records = Vec<(Vec<i64>, bool)>;

/// Two sources that give the same coins.
pub fn same_coins(seed: u64) -> (ChaCha, ChaCha) {
    (ChaCha::reproducible(seed, 7), ChaCha::reproducible(seed, 7))
}

/// For instances, not for the algorithms under test.
pub struct Dice(ChaCha);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha::reproducible(seed, 1))
    }

    /// One of `least, ..., most`.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + (self.0.bits(62).unwrap() % (most - least + 1) as u64) as i64
    }

    pub fn one_of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.between(0, list.len() as i64 - 1) as usize].clone()
    }

    /// A point of the ball; one in four is 0, on the sphere along an axis, or has few coordinates.
    pub fn point(&mut self, radius: i64, d: usize) -> Vec<i64> {
        let mut x = vec![0; d];
        let axis = self.between(0, d as i64 - 1) as usize;
        match self.between(0, 15) {
            0 => {}
            1 => x[axis] = radius,
            2 => x[axis] = -radius,
            3 => x[axis] = self.between(-radius, radius),
            _ => loop {
                x = (0..d).map(|_| self.between(-radius, radius)).collect();
                if x.iter().map(|x| x * x).sum::<i64>() <= radius * radius {
                    break;
                }
            },
        }
        x
    }

    pub fn records(&mut self, m: usize, radius: i64, d: usize) -> Records {
        (0..m)
            .map(|_| (self.point(radius, d), self.between(0, 1) == 1))
            .collect()
    }

    /// Small integer vectors, with repetitions and 0 among them.
    pub fn vectors(&mut self, count: usize, largest: i64, d: usize) -> Vec<Vec<i64>> {
        (0..count)
            .map(|_| (0..d).map(|_| self.between(-largest, largest)).collect())
            .collect()
    }
}

/// The reference's type.
pub fn points(radius: i64, d: usize, records: &Records) -> Points<bool> {
    Points::new(radius, d, records.clone()).unwrap()
}

/// The shipped one: a grid of 2^-4, whatever the radius.
pub fn dataset(radius: i64, d: usize, records: &Records) -> Dataset {
    let domain = Domain::new(Grid::new(4).unwrap(), d, radius as u64).unwrap();
    shipped(domain, records)
}

pub fn shipped(domain: Domain, records: &Records) -> Dataset {
    let record = |(x, y): &(Vec<i64>, bool)| Record {
        features: x.clone(),
        positive: *y,
    };
    Dataset::new(domain, records.iter().map(record).collect()).unwrap()
}

/// Records as the printed algorithms take them.
pub fn plain(records: &Records) -> Vec<(Vec<i64>, i64)> {
    let sign = |y: &bool| if *y { 1 } else { -1 };
    records.iter().map(|(x, y)| (x.clone(), sign(y))).collect()
}

/// All outcomes of an algorithm, whole laws being drawn at once.
pub fn explored<T: Ord>(
    mut algorithm: impl FnMut(&mut crate::lent::Lent<&mut Run>) -> Result<T, Error>,
) -> Explored<T> {
    let explorer = Explorer::new(Layer::Laws, 1 << 20);
    explorer
        .explore(|coins| algorithm(coins).map_err(of_coins))
        .unwrap()
}

fn of_coins(error: Error) -> CoinsError {
    match error {
        error @ Error::Coins(_) => crate::lent::passed_on(error),
        error => panic!("{error}"),
    }
}

/// The largest quotient of the probabilities of an outcome, in both directions. Everything must have been explored.
pub fn largest_quotient<T: Ord + Clone + std::fmt::Debug>(
    one: &Explored<T>,
    other: &Explored<T>,
) -> Rational {
    for explored in [one, other] {
        assert!(
            explored.undecided < ratio(1, 1 << 30),
            "{}",
            explored.undecided
        );
    }
    let mut largest = Rational::zero();
    for (one, other) in [(one, other), (other, one)] {
        for (outcome, probability) in &one.lower {
            let there = other.lower(outcome);
            assert!(!there.is_zero(), "{outcome:?} has no probability there");
            largest = largest.max(probability / there);
        }
    }
    largest
}

/// `e^epsilon`, to a part in a million.
pub fn exp(epsilon: &Rational) -> Rational {
    let exact = Enclosure::exp_of(epsilon, 64).unwrap().upper();
    exact * (integer(1) + ratio(1, 1_000_000))
}

/// A source that keeps noise away: what a release is drawn around is its outcome, and the law is noted.
pub struct Silent {
    pub coins: ChaCha,
    pub released: Vec<(Vec<num_bigint::BigInt>, Rational)>,
}

impl Silent {
    pub fn new(seed: u64) -> Self {
        Self {
            coins: ChaCha::reproducible(seed, 7),
            released: Vec::new(),
        }
    }
}

impl Coins for Silent {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn draw<L: dp_assay::coins::Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        type Release = dp_assay::law::AroundAll<dp_assay::sample::DiscreteGaussian>;
        let Some(release) = (law as &dyn std::any::Any).downcast_ref::<Release>() else {
            return law.sample(self);
        };
        let values = release.values.clone();
        self.released
            .push((values.clone(), release.noise.variance().clone()));
        let outcome: Box<dyn std::any::Any> = Box::new(values);
        Ok(*outcome.downcast::<L::Outcome>().unwrap())
    }
}

impl dp_assay_reference::coins::Coins for Silent {
    fn bits(&mut self, count: u32) -> Result<u64, Error> {
        dp_assay_reference::coins::Coins::bits(&mut self.coins, count)
    }

    fn consumed(&self) -> u64 {
        dp_assay_reference::coins::Coins::consumed(&self.coins)
    }

    fn draw<L: dp_assay_reference::coins::Law>(&mut self, law: &L) -> Result<L::Outcome, Error> {
        type Release =
            dp_assay_reference::sample::AroundAll<dp_assay_reference::sample::DiscreteGaussian>;
        let Some(release) = (law as &dyn std::any::Any).downcast_ref::<Release>() else {
            return law.sample(self);
        };
        let values = release.values.clone();
        self.released
            .push((values.clone(), release.noise.variance().clone()));
        let outcome: Box<dyn std::any::Any> = Box::new(values);
        Ok(*outcome.downcast::<L::Outcome>().unwrap())
    }
}
