//! Property tests of mechanisms through the meter: the search finds the neighbours on which a broken one costs most.

use dp_assay::coins::{ChaCha, Coins, CoinsError, Meter, Outcomes, Promise, Stage};
use dp_assay::law::Noise;
use dp_assay::number::Rational;
use dp_assay::number::rational::integer;
use dp_assay::privacy::meter::{Report, meter};
use dp_assay::privacy::neighbour_pairs::{
    NeighbourPair, Permuted, Removed, Substituted, neighbours, permuted, removed, substituted,
};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{TestError, TestRunner};
use quickcheck::{Arbitrary, Gen, QuickCheck};

type Outcome = Result<BigInt, CoinsError>;

/// A mechanism on records from 0 to 10, which says that it is 1-differentially private.
type Mechanism = fn(&[i64], &mut Meter) -> Outcome;

/// The sum with noise of this scale, which promises epsilon = 1.
fn noisy(sum: i64, scale: i64, coins: &mut Meter) -> Outcome {
    coins.stage(&Stage::once("the sum", Promise::Pure(integer(1))));
    coins.draw(&DiscreteLaplace::new(integer(scale))?.around(sum))
}

/// Private under both relations.
fn sound(data: &[i64], coins: &mut Meter) -> Outcome {
    noisy(data.iter().sum(), 10, coins)
}

/// As if a record moved the sum by 5 at most.
fn half_the_sensitivity(data: &[i64], coins: &mut Meter) -> Outcome {
    noisy(data.iter().sum(), 5, coins)
}

/// Noise whose width is the number of records: that number is not private.
fn width_of_the_number(data: &[i64], coins: &mut Meter) -> Outcome {
    noisy(data.iter().sum(), 10 + data.len() as i64, coins)
}

/// The first record counts twice: not a function of multisets.
fn first_counts_twice(data: &[i64], coins: &mut Meter) -> Outcome {
    noisy(data.iter().chain(data.first()).sum(), 20, coins)
}

fn metered(
    mechanism: Mechanism,
    relation: NeighbouringRelation,
    pair: &NeighbourPair<i64>,
) -> Report {
    let claim = Budget::pure(integer(1), relation).unwrap();
    let outcomes = Outcomes::drawn(ChaCha::reproducible(3, 0));
    meter(
        mechanism,
        &pair.first[..],
        &pair.second[..],
        outcomes,
        &claim,
    )
    .unwrap()
}

const RECORDS: std::ops::RangeInclusive<i64> = 0..=10;

/// The simplest pair that a search finds at fault.
fn simplest_fault(
    mechanism: Mechanism,
    relation: NeighbouringRelation,
) -> Option<NeighbourPair<i64>> {
    let pairs = neighbours(relation, RECORDS, 0..=3);
    let found = TestRunner::deterministic().run(&pairs, |pair| {
        prop_assert!(metered(mechanism, relation, &pair).is_sound());
        Ok(())
    });
    match found {
        Ok(()) => None,
        Err(TestError::Fail(_, pair)) => Some(pair),
        Err(error) => panic!("{error}"),
    }
}

use NeighbouringRelation::{AddOrRemove, Substitute};

#[test]
fn a_bad_sensitivity_is_found_and_shrunk_to_one_record() {
    for relation in [Substitute, AddOrRemove] {
        assert_eq!(simplest_fault(sound, relation), None);
    }
    let NeighbourPair { first, second } = simplest_fault(half_the_sensitivity, Substitute).unwrap();
    // No record but the one that moves by more than 5, from 0 or to it.
    assert_eq!((first.len(), second.len()), (1, 1));
    assert!(first[0].min(second[0]) == 0 && first[0].max(second[0]) > 5);
    let pair = simplest_fault(half_the_sensitivity, AddOrRemove).unwrap();
    assert_eq!((pair.first, pair.second), (vec![6], vec![]));
}

#[test]
fn the_worst_neighbour_is_among_those_that_are_searched() {
    let mut runner = TestRunner::deterministic();
    let pairs = substituted(RECORDS, 0..=2);
    let searched = (0..600).map(|_| pairs.new_tree(&mut runner).unwrap().current());
    let (attained, pair) = searched
        .map(|pair| {
            (
                metered(half_the_sensitivity, Substitute, &pair).attained(),
                pair,
            )
        })
        .max_by_key(|(attained, _)| attained.clone())
        .unwrap();
    let moved: i64 = pair.first.iter().sum::<i64>() - pair.second.iter().sum::<i64>();
    assert_eq!((attained, moved.abs()), (Some(integer(2)), 10));
}

#[test]
fn a_width_that_tells_the_number_is_found_under_removal_only() {
    assert_eq!(simplest_fault(width_of_the_number, Substitute), None);
    let pair = simplest_fault(width_of_the_number, AddOrRemove).unwrap();
    assert_eq!((pair.first, pair.second), (vec![0], vec![]));
}

#[test]
fn an_order_that_matters_is_found() {
    let loss = |mechanism, pair: &NeighbourPair<i64>| -> Rational {
        let loss = metered(mechanism, Substitute, pair).loss;
        loss.magnitude().unwrap()
    };
    let run = |mechanism: Mechanism| {
        TestRunner::deterministic().run(&permuted(RECORDS, 0..=4), |pair| {
            let mut sorted = [pair.first.clone(), pair.second.clone()];
            sorted
                .iter_mut()
                .for_each(|records| records.sort_unstable());
            prop_assert_eq!(&sorted[0], &sorted[1]);
            prop_assert_eq!(loss(mechanism, &pair), integer(0));
            Ok(())
        })
    };
    assert_eq!(run(sound), Ok(()));
    assert!(matches!(run(first_counts_twice), Err(TestError::Fail(..))));
}

proptest! {
    #[test]
    fn strategies_give_neighbours(
        one in substituted(RECORDS, 0..=5),
        less in removed(RECORDS, 0..=5),
    ) {
        prop_assert_eq!(one.first.len(), one.second.len());
        let differing = one.first.iter().zip(&one.second).filter(|(a, b)| a != b);
        prop_assert!(differing.count() <= 1);
        prop_assert_eq!(less.first.len(), less.second.len() + 1);
        let is_removed = |at: usize| [&less.first[..at], &less.first[at + 1..]].concat() == less.second;
        prop_assert!((0..less.first.len()).any(is_removed));
    }
}

/// A record from 0 to 10.
#[derive(Debug, Clone)]
struct Small(i64);

impl Arbitrary for Small {
    fn arbitrary(source: &mut Gen) -> Self {
        Self(i64::from(u8::arbitrary(source) % 11))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(
            self.0
                .shrink()
                .filter(|value| RECORDS.contains(value))
                .map(Self),
        )
    }
}

fn plain(pair: NeighbourPair<Small>) -> NeighbourPair<i64> {
    let values = |records: Vec<Small>| records.into_iter().map(|record| record.0).collect();
    NeighbourPair {
        first: values(pair.first),
        second: values(pair.second),
    }
}

fn is_sound(
    mechanism: Mechanism,
    relation: NeighbouringRelation,
    pair: NeighbourPair<Small>,
) -> bool {
    metered(mechanism, relation, &plain(pair)).is_sound()
}

fn costs_nothing(mechanism: Mechanism, pair: NeighbourPair<Small>) -> bool {
    metered(mechanism, Substitute, &plain(pair)).loss.is_zero()
}

#[test]
fn quickcheck_finds_them_too() {
    let check = |property: fn(Substituted<Small>) -> bool| {
        QuickCheck::new().tests(400).quicktest(property).is_ok()
    };
    assert!(check(|pairs| is_sound(sound, Substitute, pairs.pair())));
    assert!(!check(|pairs| is_sound(
        half_the_sensitivity,
        Substitute,
        pairs.pair()
    )));
    let check = |property: fn(Removed<Small>) -> bool| {
        QuickCheck::new().tests(100).quicktest(property).is_ok()
    };
    assert!(check(|pairs| is_sound(sound, AddOrRemove, pairs.pair())));
    assert!(!check(|pairs| is_sound(
        width_of_the_number,
        AddOrRemove,
        pairs.pair()
    )));
    let check = |property: fn(Permuted<Small>) -> bool| {
        QuickCheck::new().tests(100).quicktest(property).is_ok()
    };
    assert!(check(|pairs| costs_nothing(sound, pairs.pair())));
    assert!(!check(|pairs| costs_nothing(
        first_counts_twice,
        pairs.pair()
    )));
}

#[test]
fn what_shrinks_is_still_a_pair_of_neighbours() {
    let mut source = Gen::new(6);
    for _ in 0..50 {
        let removed = Removed::<u8>::arbitrary(&mut source);
        for less in removed.shrink() {
            let NeighbourPair { first, second } = less.pair();
            assert_eq!(first.len(), second.len() + 1);
        }
        let substituted = Substituted::<u8>::arbitrary(&mut source);
        for less in substituted.shrink() {
            let NeighbourPair { first, second } = less.pair();
            let differing = first.iter().zip(&second).filter(|(a, b)| a != b);
            assert!(first.len() == second.len() && differing.count() <= 1);
        }
    }
}
