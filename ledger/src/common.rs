//! Instances: all of the small ones (vectors, multisets and their neighbours, the points of a cover), records, and weights.

use dp_assay::coins::{ChaCha, Coins, CoinsError};
use dp_assay::geometry::{LatticeCover, Record};
use dp_assay::number::{Enclosure, NumberError};
use std::iter::Sum;
use std::ops::Mul;

/// The inner product.
pub(crate) fn dot<T>(a: &[T], b: &[T]) -> T
where
    T: Sum,
    for<'a> &'a T: Mul<Output = T>,
{
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// One item of each list, in all ways.
pub(crate) fn one_of_each<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |chosen, list| {
        let longer = |begun: &Vec<T>| {
            let begun = begun.clone();
            list.iter()
                .map(move |item| [&begun[..], std::slice::from_ref(item)].concat())
        };
        chosen.iter().flat_map(longer).collect()
    })
}

/// All vectors of this length with these coordinates.
pub(crate) fn vectors(coordinates: &[i64], length: usize) -> Vec<Vec<i64>> {
    one_of_each(&vec![coordinates.to_vec(); length])
}

/// All integer vectors of `m` coordinates from `-side` to `side`, one after the other.
pub(crate) fn cube(m: usize, side: i64) -> impl Iterator<Item = Vec<i64>> {
    let (width, m) = ((2 * side + 1) as u64, m as u32);
    let coordinate = move |code: u64, axis| (code / width.pow(axis) % width) as i64 - side;
    (0..width.pow(m)).map(move |code| (0..m).map(|axis| coordinate(code, axis)).collect())
}

/// All lists of `parts` numbers with the sum `sum`, at least one: how often each kind is in a multiset.
pub(crate) fn compositions(parts: usize, sum: usize) -> Vec<Vec<usize>> {
    if parts == 1 {
        return vec![vec![sum]];
    }
    let with = |first: usize| {
        let rest = compositions(parts - 1, sum - first);
        rest.into_iter()
            .map(move |rest| [&[first][..], &rest].concat())
    };
    (0..=sum).flat_map(with).collect()
}

/// All multisets of `size` of `kinds` kinds, each as an ascending list.
pub(crate) fn multisets(kinds: usize, size: usize) -> Vec<Vec<usize>> {
    let list = |counts: Vec<usize>| {
        let counts = counts.into_iter().enumerate();
        counts.flat_map(|(kind, count)| vec![kind; count]).collect()
    };
    compositions(kinds, size).into_iter().map(list).collect()
}

/// All places of pairs of lists that differ in exactly one entry, as multisets.
pub(crate) fn neighbours(lists: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let differ = |one: &Vec<usize>, other: &Vec<usize>| {
        let mut left = other.clone();
        let missing = one.iter().filter(|kind| {
            let place = left.iter().position(|other| other == *kind);
            place.map(|place| left.swap_remove(place)).is_none()
        });
        missing.count()
    };
    let mut found = Vec::new();
    for (here, one) in lists.iter().enumerate() {
        for (there, other) in lists.iter().enumerate() {
            if differ(one, other) == 1 {
                found.push((here, there));
            }
        }
    }
    found
}

/// The points of a cover.
pub(crate) fn points_of(cover: &LatticeCover) -> Vec<Vec<i64>> {
    let mut points = Vec::new();
    let mut lines = cover.lines();
    while let Some(line) = lines.next_line() {
        points.extend((0..line.length()).map(|place| line.point(place)));
    }
    points
}

/// A point and its label.
pub(crate) fn record(features: &[i64], positive: bool) -> Record {
    Record {
        features: features.to_vec(),
        positive,
    }
}

/// The same point with the other label.
pub(crate) fn turned(record: &Record) -> Record {
    Record {
        positive: !record.positive,
        ..record.clone()
    }
}

/// `n` random records of `d` coordinates up to `limit`, labelled by the first coordinate.
pub(crate) fn random_records(
    (n, d): (usize, usize),
    limit: i64,
    coins: &mut ChaCha,
) -> Result<Vec<Record>, CoinsError> {
    let width = 2 * limit as u64 + 1;
    let mut records = Vec::new();
    for _ in 0..n {
        let mut features = Vec::new();
        for _ in 0..d {
            features.push((coins.bits(62)? % width) as i64 - limit);
        }
        let positive = features[0] >= 0;
        records.push(Record { features, positive });
    }
    Ok(records)
}

/// Each weight over the sum of all.
pub(crate) fn shares(weights: &[Enclosure]) -> Result<Vec<Enclosure>, NumberError> {
    let Some(total) = weights.iter().cloned().reduce(|sum, weight| sum + weight) else {
        return Ok(Vec::new());
    };
    weights
        .iter()
        .map(|weight| weight.divided_by(&total))
        .collect()
}
