//! What the tests share: the same records for the shipped learner and for the reference, and the same coins.
#![allow(dead_code)]

use crate::lent::ChaCha;
use dp_assay::coins::{Coins, CoinsError};
use dp_assay::geometry::SignMatrix;
use dp_assay::halfspaces::data::EfficientModel;
use dp_assay::halfspaces::{Dataset, HalfspaceError, Record};
use dp_assay::number::Grid;
use dp_assay_reference::Error;
use dp_assay_reference::data::Points;
use dp_assay_reference::halfspaces::algorithm_3::Model;
use num_bigint::BigInt;

pub type Records = Vec<(Vec<i64>, bool)>;

pub fn shipped(bits: u32, records: &Records) -> Dataset {
    let record = |(features, positive): &(Vec<i64>, bool)| Record {
        features: features.clone(),
        positive: *positive,
    };
    let records: Vec<_> = records.iter().map(record).collect();
    let d = records[0].features.len();
    Dataset::new(Grid::new(bits).unwrap(), d, records).unwrap()
}

pub fn points(bits: u32, records: &Records) -> Points<bool> {
    Points::new(1 << bits, records[0].0.len(), records.clone()).unwrap()
}

/// The labels as +1 and -1.
pub fn signed(records: &Records) -> Vec<(Vec<i64>, i64)> {
    let sign = |y| if y { 1 } else { -1 };
    records.iter().map(|(x, y)| (x.clone(), sign(*y))).collect()
}

pub fn same_coins(seed: u64) -> (ChaCha, ChaCha) {
    (ChaCha::reproducible(seed, 0), ChaCha::reproducible(seed, 0))
}

/// The matrix as the reference has it: the identity without a projection.
pub fn signs(matrix: Option<&SignMatrix>, d: usize) -> Vec<Vec<i64>> {
    let unit = |j: usize| -> Vec<i64> { (0..d).map(|i| i64::from(i == j)).collect() };
    let Some(matrix) = matrix else {
        return (0..d).map(unit).collect();
    };
    let columns: Vec<_> = (0..d).map(|j| matrix.apply(&unit(j)).unwrap()).collect();
    (0..matrix.rows())
        .map(|i| columns.iter().map(|column| column[i]).collect())
        .collect()
}

pub fn big(v: &[i64]) -> Vec<BigInt> {
    v.iter().map(|&v| v.into()).collect()
}

pub fn assert_same_model(ours: &Model, theirs: &EfficientModel, d: usize) {
    assert_eq!(ours.a, signs(theirs.projection.as_ref(), d));
    assert_eq!(ours.candidates, theirs.candidates);
    assert_eq!(ours.chosen, theirs.chosen);
    assert_eq!(ours.pulled_back, big(&theirs.halfspace.direction));
}

/// `n` records of the closed unit ball of `d` dimensions: many on its sphere, at its centre, and on the diagonals.
pub fn any_records(n: usize, d: usize, bits: u32, coins: &mut impl Coins) -> Records {
    let one = 1i64 << bits;
    let mut any = |below: i64| {
        let drawn = coins.uniform_below(&(below as u64).into()).unwrap();
        i64::try_from(drawn).unwrap()
    };
    (0..n)
        .map(|_| {
            let kind = any(8);
            let axis = any(d as i64) as usize;
            let mut x = vec![0; d];
            match kind {
                0 => {}
                1 | 2 => x[axis] = if any(2) == 0 { one } else { -one },
                3 => {
                    let side = (one * one / d as i64).isqrt();
                    x.fill_with(|| if any(2) == 0 { side } else { -side });
                }
                _ => loop {
                    x.fill_with(|| any(2 * one + 1) - one);
                    if x.iter().map(|x| x * x).sum::<i64>() <= one * one {
                        break;
                    }
                },
            }
            (x, any(2) == 0)
        })
        .collect()
}

pub fn coins_error(error: Error) -> CoinsError {
    match error {
        error @ Error::Coins(_) => crate::lent::passed_on(error),
        other => panic!("{other}"),
    }
}

pub fn shipped_coins_error(error: HalfspaceError) -> CoinsError {
    match error {
        HalfspaceError::Coins(error) => error,
        HalfspaceError::Geometry(dp_assay::geometry::GeometryError::Coins(error)) => error,
        other => panic!("{other}"),
    }
}
