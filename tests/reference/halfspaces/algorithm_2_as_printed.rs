//! Algorithm 2 as printed. The library has none: it is held against the repaired one, and against hand-made laws.

use super::common::{Records, any_records, points, same_coins, signed};
use crate::lent::{ChaCha, Explorer};
use dp_assay::coins::{Coins, Layer};
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::Error;
use dp_assay_reference::halfspaces::{algorithm_2, algorithm_2_as_printed::algorithm_2};
use num_bigint::BigInt;

#[test]
fn it_returns_what_the_repaired_one_returns_where_no_image_is_0_and_else_nothing() {
    let mut coins = ChaCha::reproducible(7, 0);
    let (mut defined, mut undefined) = (0, 0);
    for round in 0..300u64 {
        let (bits, d) = ((round % 5) as u32, 1 + (round / 5 % 3) as usize);
        let records = any_records(2 + (round % 4) as usize, d, bits, &mut coins);
        let m = 1 + round as usize % 2;
        let gamma = [integer(1), ratio(7, 2)][round as usize / 2 % 2].clone();
        let epsilon = [ratio(1, 3), integer(2), integer(20)][round as usize % 3].clone();
        let tenth = &gamma / BigInt::from(10);
        let (mut ours, mut theirs) = same_coins(round);
        let (a, k, pulled_back) = algorithm_2::learn(
            &points(bits, &records),
            Some(m),
            (&tenth, &tenth),
            &epsilon,
            &mut theirs,
        )
        .unwrap();
        let is_zero = |x: &[i64]| {
            a.iter()
                .all(|row| row.iter().zip(x).map(|(a, x)| a * x).sum::<i64>() == 0)
        };
        match algorithm_2(&signed(&records), (m, d), &epsilon, &gamma, &mut ours) {
            Ok(found) => {
                assert!(!records.iter().any(|(x, _)| is_zero(x)));
                assert_eq!(found, (k, pulled_back));
                assert_eq!(ours.consumed(), theirs.consumed());
                defined += 1;
            }
            Err(error) => {
                assert!(matches!(error, Error::Undefined(_)), "{error}");
                assert!(records.iter().any(|(x, _)| is_zero(x)));
                assert_eq!(ours.consumed(), (m * d) as u64);
                undefined += 1;
            }
        }
    }
    assert!(defined > 80 && undefined > 80, "{defined} {undefined}");
}

#[test]
fn a_diagonal_record_has_no_result_with_probability_2_to_the_minus_m_and_a_neighbour_always_has_one()
 {
    for m in 1..=3 {
        let nothing = |x: [i64; 2]| {
            let s = [(x.to_vec(), 1)];
            let found = Explorer::new(Layer::Laws, 200_000)
                .explore(
                    |coins| match algorithm_2(&s, (m, 2), &integer(1), &integer(5), coins) {
                        Ok(_) => Ok(true),
                        Err(Error::Undefined(_)) => Ok(false),
                        Err(error @ Error::Coins(_)) => Err(crate::lent::passed_on(error)),
                        Err(other) => panic!("{other}"),
                    },
                )
                .unwrap();
            found.lower(&false)
        };
        assert_eq!(nothing([2, -2]), ratio(1, 1 << m));
        assert_eq!(nothing([4, 0]), integer(0));
    }
}

/// `m = d = 1`, so `x_A = +-1`, and gamma = 2: the net of radius 1/5 is -3/3, ..., 3/3 and one more on either side, and a record
/// is bad below 1/5. Of three records that say +1 and one that says -1, for `A = 1`: 3 bad to the left, 4 at 0, 1 to the right.
#[test]
fn the_law_is_that_of_the_exponential_mechanism_by_hand() {
    let s: Vec<(Vec<i64>, i64)> = [(8, 1), (3, 1), (-1, -1), (5, -1)]
        .map(|(x, y)| (vec![x], y))
        .to_vec();
    let epsilon = integer(2);
    let found = Explorer::new(Layer::Laws, 1000)
        .explore(|coins| {
            algorithm_2(&s, (1, 1), &epsilon, &integer(2), coins)
                .map_err(super::common::coins_error)
        })
        .unwrap();
    // 7 points: h/3 with |h| <= 3.5. `sqrt(m) A` = 1 or -1, and h = 0 is pulled back to 0 by both.
    assert_eq!(found.lower.len(), 13);
    let e = |bad: i64| dp_assay::number::Enclosure::exp_of(&integer(-bad), 100).unwrap();
    let three = dp_assay::number::Enclosure::integer(3, 100);
    let sum = &three * e(1) + e(4) + &three * e(3);
    for h in -3..=3i64 {
        // With A = 1 it is h that says +1; with A = -1 it is -h.
        for a in [1, -1] {
            let bad = match (h * a).signum() {
                1 => 1,
                0 => 4,
                _ => 3,
            };
            let exact = e(bad)
                .divided_by(&sum)
                .unwrap()
                .shifted(if h == 0 { 0 } else { -1 });
            assert!(
                found.allows(&(vec![h], vec![BigInt::from(h * a)]), &exact),
                "{h} {a}"
            );
        }
    }
}

#[test]
fn a_threshold_met_exactly_is_good_and_a_tie_is_bad() {
    // m = 1: x_A = +-1, and w = h/q. gamma = 10/3, so the radius is 1/3, q = 2, and 1/3 is no multiple of 1/2; with gamma = 5,
    // q = 1 and |w| = 0, 1 against 1/2; with gamma = 10 the radius is 1, q = 1, and w = 1 meets the threshold 1 exactly.
    let s: Records = vec![(vec![4], true), (vec![4], true)];
    let law = |gamma| {
        Explorer::new(Layer::Laws, 100)
            .explore(|coins| {
                algorithm_2(&signed(&s), (1, 1), &integer(2), &gamma, coins)
                    .map(|found| found.1)
                    .map_err(super::common::coins_error)
            })
            .unwrap()
    };
    // w = -1, 0, 1 have 2, 2 and 0 bad: e^-2, e^-2 and 1.
    let e = dp_assay::number::Enclosure::exp_of(&integer(-2), 100).unwrap();
    let sum = dp_assay::number::Enclosure::integer(1, 100) + e.shifted(1);
    for gamma in [integer(10), integer(5)] {
        let found = law(gamma);
        let good = dp_assay::number::Enclosure::integer(1, 100)
            .divided_by(&sum)
            .unwrap();
        assert!(found.allows(&vec![BigInt::from(1)], &good));
        assert!(found.allows(&vec![BigInt::from(0)], &e.divided_by(&sum).unwrap()));
    }
}

#[test]
fn no_records_are_data_like_others() {
    let mut coins = ChaCha::reproducible(1, 0);
    assert!(algorithm_2(&[], (2, 3), &integer(1), &integer(5), &mut coins).is_ok());
    assert!(
        algorithm_2(
            &[(vec![0], 1)],
            (1, 1),
            &integer(1),
            &integer(5),
            &mut coins
        )
        .is_err()
    );
}
