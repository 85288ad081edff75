//! Line 4 and line 10 against the shipped ones.

use super::common::{any_records, coins_error, same_coins};
use crate::lent::{ChaCha, Explorer};
use dp_assay::coins::{Coins, Layer};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::Hinge;
use dp_assay_reference::halfspaces::hinge_loss::HingeLoss;

#[test]
fn totals_and_choices_are_the_shipped_ones() {
    let mut coins = ChaCha::reproducible(3, 0);
    let mut at_the_kink = 0;
    for round in 0..300 {
        let (bits, d) = (round % 4, 1 + (round / 4 % 3) as usize);
        let one = 1i64 << bits;
        let records: Vec<Vec<i64>> = any_records(round as usize % 6, d, bits, &mut coins)
            .into_iter()
            .map(|(x, _)| x)
            .collect();
        let candidates: Vec<Vec<i64>> = any_records(1 + round as usize % 3, d, bits, &mut coins)
            .into_iter()
            .map(|(x, _)| x)
            .collect();
        // 96/100 of 25/48 is one half: on the grid.
        let gamma = [ratio(25, 48), ratio(1, 1), ratio(3, 10)][round as usize % 3].clone();
        let (ours, theirs) = match round % 2 {
            0 => (
                HingeLoss::printed(&gamma, one).unwrap(),
                Hinge::of_algorithm_1(&gamma),
            ),
            _ => (
                HingeLoss::of_margin(&gamma, one).unwrap(),
                Hinge::of_margin(&gamma),
            ),
        };
        assert_eq!(ours.kink(), theirs.kink(one * one));
        for w in &candidates {
            assert_eq!(
                ours.total(w, &records),
                theirs.total(w, &records, one * one)
            );
            for v in &records {
                let product: i64 = w.iter().zip(v).map(|(w, v)| w * v).sum();
                at_the_kink += usize::from(ratio(product, one * one) == ours.target);
            }
        }
        let epsilon = ratio(1 + i64::from(round % 5), 2);
        let law = theirs
            .choice(&candidates, &records, &epsilon, one * one)
            .unwrap();
        let found = Explorer::new(Layer::Laws, 100)
            .explore(|coins| {
                ours.choose(&candidates, &records, &epsilon, coins)
                    .map_err(coins_error)
            })
            .unwrap();
        assert!(found.disagreement(&law).unwrap().is_none());
        let (mut one, mut other) = same_coins(round.into());
        let chosen = ours
            .choose(&candidates, &records, &epsilon, &mut one)
            .unwrap();
        assert_eq!(chosen, other.draw(&law).unwrap());
        assert_eq!(one.consumed(), other.consumed());
    }
    assert!(at_the_kink > 3, "{at_the_kink}");
}

#[test]
fn the_printed_constants_hold() {
    // Slope 100/(86 gamma); 1 at gamma/10; 0 from 96 gamma/100 on; range (96 gamma + 100)/(86 gamma).
    let loss = HingeLoss::printed(&ratio(1, 2), 1000).unwrap();
    assert_eq!(loss.total(&[50], &[vec![1000]]), integer(1));
    assert_eq!(loss.total(&[480], &[vec![1000]]), integer(0));
    assert_eq!(loss.total(&[-1000], &[vec![1000]]), ratio(148, 43));
    assert_eq!(loss.total(&[0], &[vec![1000], vec![7]]), ratio(192, 86));
}

#[test]
fn what_is_out_of_range_is_refused_by_what_is_public() {
    assert!(
        HingeLoss::printed(&integer(0), 8).is_err()
            && HingeLoss::of_margin(&integer(2), 8).is_err()
    );
    let loss = HingeLoss::of_margin(&integer(1), 8).unwrap();
    let mut coins = ChaCha::reproducible(1, 0);
    let most = integer(1 << 22);
    let two = [vec![8], vec![-8]];
    assert!(loss.choose(&two, &two, &most, &mut coins).is_ok());
    assert!(
        loss.choose(&two, &two, &(most + ratio(1, 7)), &mut coins)
            .is_err()
    );
    assert!(loss.choose(&[], &two, &integer(1), &mut coins).is_err());
    assert!(loss.choose(&two, &[], &integer(1), &mut coins).is_ok());
}

#[test]
fn the_choice_is_private_and_spends_what_it_has() {
    // One dimension, gamma = 1: candidates at both ends; one record turned. The law is at most e^epsilon apart, and at more
    // than 9/10 of epsilon.
    let loss = HingeLoss::printed(&integer(1), 8).unwrap();
    let epsilon = integer(2);
    let records = |turned: usize| -> Vec<Vec<i64>> {
        (0..5)
            .map(|i| vec![if i < turned { -8 } else { 8 }])
            .collect()
    };
    let candidates = [vec![-8], vec![-8], vec![-8], vec![8]];
    let law = |turned| {
        Explorer::new(Layer::Laws, 100)
            .explore(|coins| {
                loss.choose(&candidates, &records(turned), &epsilon, coins)
                    .map_err(coins_error)
            })
            .unwrap()
    };
    let (one, other) = (law(0), law(1));
    let most = dp_assay::number::Enclosure::exp_of(&epsilon, 100)
        .unwrap()
        .upper();
    let worst = (0..4)
        .flat_map(|place| {
            [
                (one.lower(&place), other.lower(&place)),
                (other.lower(&place), one.lower(&place)),
            ]
        })
        .map(|(p, q)| (p + &one.undecided + &other.undecided) / q)
        .max()
        .unwrap();
    assert!(worst <= most);
    let near = dp_assay::number::Enclosure::exp_of(&ratio(18, 10), 100)
        .unwrap()
        .lower();
    assert!(worst > near, "{worst}");
}
