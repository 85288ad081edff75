//! The algorithm's repairs: how far one record moves them, on all small datasets, where that is attained, and what
//! the shipped learners release. One file a repair:
//!
//! | file | repair |
//! |---|---|
//! | [`clipping`] | Algorithm 1 repaired, and R1 |
//! | [`normed_labels`] | R2 |
//! | [`bounded_labels`] | R3 |
//! | [`clipped_kaczmarz`] | R4 |
//! | [`noisy_statistics`] | R5 |
//! | [`clipped_gradient_descent`] | R6 |
//! | [`adassp`] | AdaSSP, a baseline |
//!
//! What they share: [`minimum`] is a ridge minimum in two dimensions, found without the solver; [`farthest`] is how far one
//! record moves a vector of numbers; [`fit`] looks at a
//! fit and its noise, [`release`] at what a learner returns, and [`metered`] at its draws on two neighbours.

mod adassp;
mod bounded_labels;
mod clipped_gradient_descent;
mod clipped_kaczmarz;
mod clipping;
mod farthest;
mod fit;
mod metered;
mod minimum;
mod noisy_statistics;
mod normed_labels;
mod release;

pub(super) use adassp::{adassp, steps as adassp_steps};
pub(super) use bounded_labels::bounded_labels;
pub(super) use clipped_gradient_descent::clipped_gradient_descent;
pub(super) use clipped_kaczmarz::clipped_kaczmarz;
pub(super) use clipping::{algorithm_1, clipping};
pub(super) use noisy_statistics::noisy_statistics;
pub(super) use normed_labels::normed_labels;

use super::record;
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::optimise::FeatureMatrix;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::random_features::{Dataset, Domain, RandomFeatureError};

const BITS: u32 = 96;

/// All integer points of the disc of radius `2^bits`: the rows of norm at most 1 on that grid.
fn disc(bits: u32) -> Vec<[i64; 2]> {
    let one = 1i64 << bits;
    (-one..=one)
        .flat_map(|x| (-one..=one).map(move |y| [x, y]))
        .filter(|[x, y]| x * x + y * y <= one * one)
        .collect()
}

/// The square root, rounded down, for a figure.
fn root(value: &Rational) -> Result<Rational, NumberError> {
    Ok(Enclosure::of(value, BITS).sqrt()?.lower())
}

fn domain(neighbours: NeighbouringRelation, records: usize) -> Result<Domain, NumberError> {
    Ok(Domain {
        input_grid: Grid::new(1)?,
        largest_feature: 2,
        ..super::domain(neighbours, records)?
    })
}

/// The dataset with these labels, and the matrix of these rows in its place.
fn dataset(
    domain: Domain,
    bits: u32,
    rows: &[[i64; 2]],
    labels: &[i64],
) -> Result<(Dataset, FeatureMatrix), RandomFeatureError> {
    let records = labels.iter().map(|&label| record(0, label));
    let data = Dataset::new(domain, records.collect())?;
    let rows: Vec<Vec<i32>> = rows
        .iter()
        .map(|row| row.map(|x| x as i32).to_vec())
        .collect();
    let features = FeatureMatrix::new(Grid::new(bits)?, 2, &rows)?;
    Ok((data, features))
}
