//! How far one record moves the numbers that are released, and a learner that releases them with noise around each.

use super::root;
use crate::claim::{Check, Trouble};
use crate::random_features::{Largest, domain, record};
use dp_assay::number::rational::integer;
use dp_assay::privacy::NeighbouringRelation::{self, AddOrRemove, Substitute};
use dp_assay::random_features::{Dataset, Model, Record};
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::Zero;

/// All records with x in {-1, -3/4, ..., 1} and one of these labels, in halves.
pub(super) fn records(labels: &[i64]) -> Vec<Record> {
    (-4..=4)
        .flat_map(|x| labels.iter().map(move |&label| record(x, label)))
        .collect()
}

/// The largest squared distance of what is released of two datasets: one of these records, alone and beside that one, and under
/// substitution any other of them in its place, otherwise none.
pub(super) fn farthest(
    neighbours: NeighbouringRelation,
    all: &[Record],
    beside: &Record,
    released: impl Fn(&Dataset) -> Result<Vec<BigInt>, Trouble>,
) -> Result<Largest<BigInt>, Trouble> {
    let mut farthest = Largest::from(BigInt::zero());
    for beside in [None, Some(beside)] {
        let of = |own: Option<&Record>| {
            let records = own.into_iter().chain(beside).cloned().collect();
            let count = 1 + beside.iter().count();
            released(&Dataset::new(domain(neighbours, count)?, records)?)
        };
        let mut with = Vec::new();
        for own in all {
            with.push((format!("{own:?}"), of(Some(own))?));
        }
        let others = match neighbours {
            Substitute => with.clone(),
            AddOrRemove => vec![("none".to_owned(), of(None)?)],
        };
        for (own, one) in &with {
            for (other, two) in &others {
                let squared = one.iter().zip(two).map(|(a, b)| (a - b).pow(2)).sum();
                farthest.see(squared, format_args!("beside {beside:?}: {own} or {other}"));
            }
        }
    }
    Ok(farthest)
}

/// No neighbours are farther apart than is promised, and some are nearly so far. `what`: the distance and its bound.
pub(super) fn within(
    check: &mut Check,
    (about, what): (&str, &str),
    farthest: &Largest<BigInt>,
    promised: &BigInt,
) -> Result<(), Trouble> {
    check.holds(
        farthest.value <= *promised,
        format_args!(
            "{about}, {}: squared distance {}, promised {promised}",
            farthest.instance, farthest.value
        ),
    );
    check.attained(
        format_args!("{about}: {what}"),
        &root(&integer(farthest.value.clone()))?,
        &root(&integer(promised.clone()))?,
    );
    Ok(())
}

/// On each of three seeds the learner returns what independent noise of this law gives; and on the first one what it returns
/// that calibrates its noise itself.
pub(super) fn has_noise_of_its_own(
    check: &mut Check,
    about: &str,
    (whole, law): (&Model, &DiscreteGaussian),
    learned: impl Fn(u64) -> Result<Model, Trouble>,
    expected: impl Fn(u64) -> Result<Vec<BigInt>, Trouble>,
) -> Result<(), Trouble> {
    for seed in 1..=3 {
        let (learned, expected) = (learned(seed)?, expected(seed)?);
        check.holds(
            learned.coefficients == expected
                && learned.noise == *law
                && (seed > 1 || learned == *whole),
            format_args!(
                "{about}, seed {seed}: {:?}, of independent noise {expected:?}",
                learned.coefficients
            ),
        );
    }
    Ok(())
}
