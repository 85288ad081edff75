//! Lines 1 and 2, and Lemma 4, against the shipped ones.

use super::common::{any_records, points, same_coins, shipped, signs};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::geometry::{SignMatrix, johnson_lindenstrauss};
use dp_assay::halfspaces::steps;
use dp_assay::number::rational::ratio;
use dp_assay_reference::halfspaces::projection::{draw, pull_back, rows_are_enough, unit_points};

#[test]
fn the_matrix_is_the_shipped_one_at_every_width_of_a_word() {
    for (seed, (m, d)) in [(1, 1), (3, 2), (2, 63), (2, 64), (3, 65), (1, 130)]
        .into_iter()
        .enumerate()
    {
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let matrix = SignMatrix::random(m, d, &mut theirs).unwrap();
        assert_eq!(
            draw(Some(m), d, &mut ours).unwrap(),
            signs(Some(&matrix), d)
        );
        assert_eq!(ours.consumed(), theirs.consumed());
        let w: Vec<i64> = (0..m as i64).map(|i| 3 * i - 2).collect();
        let expected = super::common::big(&matrix.pull_back(&w).unwrap());
        assert_eq!(pull_back(&w, &signs(Some(&matrix), d), d), expected);
    }
    let mut none = ChaCha::reproducible(1, 0);
    assert_eq!(draw(None, 2, &mut none).unwrap(), [[1, 0], [0, 1]]);
    assert_eq!(none.consumed(), 0);
}

#[test]
fn unit_points_are_the_shipped_ones_and_end_in_the_ball() {
    let mut coins = ChaCha::reproducible(5, 0);
    let (mut at_zero, mut on_the_sphere) = (0, 0);
    for round in 0..300 {
        let (bits, d) = (round % 9, 1 + (round / 9 % 4) as usize);
        let records = any_records(5, d, bits, &mut coins);
        let m = [None, Some(1), Some(2), Some(3)][round as usize % 4];
        let matrix = m.map(|m| SignMatrix::random(m, d, &mut coins).unwrap());
        let found = unit_points(&signs(matrix.as_ref(), d), &points(bits, &records));
        let expected = steps::unit_points(&shipped(bits, &records), matrix.as_ref()).unwrap();
        assert_eq!(found, expected);
        for ((x, _), v) in records.iter().zip(&found) {
            let squared: i64 = v.iter().map(|v| v * v).sum();
            assert!(squared <= 1 << (2 * bits));
            on_the_sphere += usize::from(squared == 1 << (2 * bits));
            let image = signs(matrix.as_ref(), d);
            let image = image
                .iter()
                .map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum::<i64>());
            at_zero += usize::from(image.into_iter().all(|v| v == 0));
        }
    }
    assert!(
        at_zero > 100 && on_the_sphere > 300,
        "{at_zero} {on_the_sphere}"
    );
}

#[test]
fn a_record_at_zero_keeps_its_label() {
    let records = vec![(vec![0, 0], true), (vec![3, -3], false)];
    let a = vec![vec![1, 1], vec![-1, -1]];
    assert_eq!(unit_points(&a, &points(3, &records)), [[8, 0], [-8, 0]]);
}

#[test]
fn the_least_number_of_rows_is_enough_and_one_less_is_not() {
    for b in [
        ratio(1, 2),
        ratio(1, 1000),
        ratio(999, 1000),
        ratio(1, 1_000_000_000),
    ] {
        for kappa in [ratio(1, 1), ratio(1, 2), ratio(3, 20), ratio(1, 100)] {
            let least = johnson_lindenstrauss::dimension(&b, &kappa).unwrap();
            assert!(rows_are_enough(least, &b, &kappa).unwrap());
            assert!(!rows_are_enough(least - 1, &b, &kappa).unwrap());
        }
    }
    for (b, kappa) in [(0, 1), (2, 1), (1, 0), (1, 3)] {
        assert!(rows_are_enough(10, &ratio(b, 2), &ratio(kappa, 2)).is_err());
    }
}
