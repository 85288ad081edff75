//! What the tests share: instances for the shipped learners and for the reference, and equal coins for both.
#![allow(dead_code)] // not every test uses all of it

use crate::lent::ChaCha;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::FeatureMatrix;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::{Dataset, Domain, Record};
use dp_assay_reference::data::Points;
use num_bigint::BigInt;

pub use NeighbouringRelation::{AddOrRemove, Substitute};

pub fn grid(bits: u32) -> Grid {
    Grid::new(bits).unwrap()
}

/// Two sources of the same coins.
pub fn same_coins(seed: u64) -> (ChaCha, ChaCha) {
    (ChaCha::reproducible(seed, 0), ChaCha::reproducible(seed, 0))
}

pub fn budget(neighbours: NeighbouringRelation) -> Budget {
    Budget::approximate(integer(1), ratio(1, 1000), neighbours).unwrap()
}

/// The same in the form of the reference.
pub fn one_in_a_thousand() -> (Rational, Rational) {
    (integer(1), ratio(1, 1000))
}

/// Rows and labels, for the one and for the other.
#[derive(Debug, Clone)]
pub struct Instance {
    pub feature_bits: u32,
    pub label_bits: u32,
    pub largest_label: i64,
    pub columns: usize,
    /// The number of records, or the cap on it.
    pub most: usize,
    pub neighbours: NeighbouringRelation,
    pub records: Vec<(Vec<i64>, i64)>,
}

impl Instance {
    pub fn domain(&self) -> Domain {
        Domain {
            input_grid: grid(0),
            dimension: 1,
            largest_feature: 1,
            label_grid: grid(self.label_bits),
            largest_label: self.largest_label,
            neighbours: self.neighbours,
            records: self.most,
        }
    }

    /// A dataset with these labels; the features are in the matrix.
    pub fn dataset(&self) -> Dataset {
        let record = |(_, label): &(Vec<i64>, i64)| Record {
            features: vec![0],
            label: *label,
        };
        Dataset::new(self.domain(), self.records.iter().map(record).collect()).unwrap()
    }

    pub fn matrix(&self) -> FeatureMatrix {
        let rows: Vec<Vec<i32>> = self
            .records
            .iter()
            .map(|(row, _)| row.iter().map(|&entry| entry as i32).collect())
            .collect();
        FeatureMatrix::new(grid(self.feature_bits), self.columns, &rows).unwrap()
    }

    pub fn points(&self) -> Points<i64> {
        Points::new(1 << self.feature_bits, self.columns, self.records.clone()).unwrap()
    }

    pub fn y_one(&self) -> i64 {
        1 << self.label_bits
    }
}

/// A generator of small integers, of no quality.
pub struct Small(u64);

impl Small {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66D)
    }

    /// From `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + ((self.0 >> 33) as i64).rem_euclid(high - low + 1)
    }
}

/// Instances of every kind: no record, zero rows, rows on the sphere, equal rows, labels at the bound and beyond it by rows that
/// add up; both relations.
pub fn instances(how_many: u64) -> Vec<Instance> {
    (0..how_many)
        .map(|seed| {
            let mut small = Small::new(seed);
            let feature_bits = small.between(0, 6) as u32;
            let label_bits = small.between(0, 5) as u32;
            let columns = small.between(1, 4) as usize;
            let one = 1i64 << feature_bits;
            let largest_label = small.between(1, 3 << label_bits);
            let neighbours = if seed % 2 == 0 {
                Substitute
            } else {
                AddOrRemove
            };
            let most = small.between(1, 5) as usize;
            let count = match neighbours {
                Substitute => most,
                AddOrRemove => small.between(0, most as i64) as usize,
            };
            let mut records: Vec<(Vec<i64>, i64)> = Vec::new();
            for _ in 0..count {
                let row = match small.between(0, 7) {
                    0 => vec![0; columns],
                    1 | 2 => {
                        let mut row = vec![0; columns];
                        let place = small.between(0, columns as i64 - 1) as usize;
                        row[place] = one * (2 * small.between(0, 1) - 1);
                        row
                    }
                    3 if columns == 4 && feature_bits > 0 => (0..4)
                        .map(|_| one / 2 * (2 * small.between(0, 1) - 1))
                        .collect(),
                    4 if !records.is_empty() => records[0].0.clone(),
                    _ => loop {
                        let row: Vec<i64> =
                            (0..columns).map(|_| small.between(-one, one)).collect();
                        if row.iter().map(|v| v * v).sum::<i64>() <= one * one {
                            break row;
                        }
                    },
                };
                let label = match small.between(0, 4) {
                    0 => largest_label,
                    1 => -largest_label,
                    2 => 0,
                    _ => small.between(-largest_label, largest_label),
                };
                records.push((row, label));
            }
            Instance {
                feature_bits,
                label_bits,
                largest_label,
                columns,
                most,
                neighbours,
                records,
            }
        })
        .collect()
}

pub fn big(values: &[i64]) -> Vec<BigInt> {
    values.iter().copied().map(BigInt::from).collect()
}
