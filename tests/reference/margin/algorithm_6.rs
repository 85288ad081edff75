//! Algorithm 6: the reference is the shipped `choice_of_margin`, with either loss, and so is what is printed.

use super::common::{Dice, dataset, exp, explored, largest_quotient, points, same_coins};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::margin::choice_of_margin::{
    Choice, GeneralisedMechanism, Loss as Shipped, learn_with, least_hinge_losses,
    least_margin_errors,
};
use dp_assay::margin::gibbs::{self as shipped_gibbs, Candidates};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::Error;
use dp_assay_reference::margin::algorithm_6::{Loss, Public, learn};
use dp_assay_reference::margin::algorithm_6_as_printed::algorithm_6;
use dp_assay_reference::margin::gibbs;
use num_bigint::BigInt;
use num_traits::One;

const LOSSES: [(Loss, Shipped); 2] = [
    (Loss::Margin, Shipped::Margin),
    (Loss::Hinge, Shipped::Hinge),
];

#[test]
fn the_reference_is_the_shipped_choice_and_learner_on_the_same_coins() {
    let mut dice = Dice::new(15);
    let (mut chosen, mut at_the_margin) = ([[0; 6]; 2], 0);
    for seed in 0..300 {
        let d = dice.between(1, 3) as usize;
        let m = dice.between(1, 20) as usize;
        let radius = dice.one_of(&[1, 4, 16]);
        let records = dice.records(m, radius, d);
        let count = dice.between(1, 5) as usize;
        let list = dice.vectors(count, 4, d);
        let margins = dice.between(1, 5) as usize;
        let bounds: Vec<Rational> = (0..margins).map(|j| ratio((j * j) as i64, 8)).collect();
        let epsilon = dice.one_of(&[ratio(1, 2), integer(4), integer(30)]);
        let beta = dice.one_of(&[ratio(1, 10), ratio(9, 10)]);
        let flat = list.iter().flatten().map(|w| *w as i32).collect();
        let candidates = Candidates::new(d, flat).unwrap();
        let data = dataset(radius, d, &records);
        for w in &list {
            for (x, y) in &records {
                let dot: i64 = w.iter().zip(x).map(|(w, x)| w * x).sum();
                let (dot, norm) = (
                    if *y { dot } else { -dot },
                    w.iter().map(|w| w * w).sum::<i64>(),
                );
                let met = (0..margins)
                    .any(|j| dot > 0 && (dot * dot) << (2 * j) == norm * radius * radius);
                at_the_margin += usize::from(met);
            }
        }
        for (number, (ours_loss, theirs_loss)) in LOSSES.into_iter().enumerate() {
            let (mut ours, mut theirs) = same_coins(seed);
            let public = Public {
                loss: ours_loss,
                bounds: bounds.clone(),
                epsilon: epsilon.clone(),
                beta: beta.clone(),
            };
            let s = points(radius, d, &records);
            let (j, k) = learn(&s, &list, &public, &mut ours, |_, coins| {
                gibbs::learn(&s, &list, &epsilon, coins)
            })
            .unwrap();
            let choice = Choice {
                loss: theirs_loss,
                bounds: bounds.clone(),
                epsilon: epsilon.clone(),
                beta: beta.clone(),
            };
            let (halvings, model) =
                learn_with(&data, &candidates, &choice, &mut theirs, |_, coins| {
                    shipped_gibbs::learn(&data, &candidates, &epsilon, coins)
                })
                .unwrap();
            assert_eq!((j, k), (halvings, model.chosen));
            assert_eq!(ours.consumed(), theirs.consumed());
            chosen[number][j] += 1;
        }
    }
    assert!(
        chosen.iter().all(|of| of[..4].iter().all(|c| *c > 2)),
        "{chosen:?}"
    );
    assert!(at_the_margin > 100, "{at_the_margin}");
}

#[test]
fn the_learner_is_given_the_margin_and_the_coins_that_follow() {
    let s = points(4, 1, &vec![(vec![4], true); 8]);
    let public = Public {
        loss: Loss::Margin,
        bounds: vec![integer(5), integer(0), integer(5)],
        epsilon: integer(100),
        beta: ratio(1, 2),
    };
    let (mut ours, mut other) = same_coins(3);
    let (j, told) = learn(&s, &[vec![1]], &public, &mut ours, |j, coins| {
        Ok((j, dp_assay_reference::coins::Coins::bits(coins, 20)?))
    })
    .unwrap();
    assert_eq!((j, told.0), (1, 1));
    let used = ours.consumed() - 20;
    for _ in 0..used {
        other.bits(1).unwrap();
    }
    assert_eq!(told.1, other.bits(20).unwrap());
}

#[test]
fn what_is_printed_is_the_shipped_choice_of_the_same_scores() {
    let mut dice = Dice::new(16);
    for seed in 0..200 {
        let d = dice.between(1, 2) as usize;
        let m = dice.between(1, 40) as usize;
        let records = dice.records(m, 8, d);
        let candidates = Candidates::new(
            d,
            dice.vectors(3, 4, d)
                .concat()
                .iter()
                .map(|w| *w as i32)
                .collect(),
        )
        .unwrap();
        let data = dataset(8, d, &records);
        let epsilon = dice.one_of(&[ratio(1, 2), integer(4), integer(30)]);
        let beta = ratio(1, 10);
        // rho_bar, rho_bar/2, ..., down to rho_bar/sqrt(m) or below.
        let size = 1 + (0..).find(|j| 4i64.pow(*j) >= m as i64).unwrap() as usize;
        for (_, loss) in LOSSES {
            let rho_bar = ratio(3, 2);
            let sums: Vec<Rational> = match loss {
                Shipped::Margin => {
                    let errors = least_margin_errors(&candidates, &data, size).unwrap();
                    errors.into_iter().map(integer).collect()
                }
                Shipped::Hinge => least_hinge_losses(&candidates, &data, size).unwrap(),
            };
            let place = |rho: &Rational| {
                (0..size)
                    .find(|j| rho * integer(BigInt::one() << *j) == rho_bar)
                    .unwrap()
            };
            let l = |rho: &Rational| sums[place(rho)].clone();
            let b = |rho: &Rational| rho.recip() * integer(2);
            let delta = |rho: &Rational| loss.sensitivity(place(rho));
            let (mut ours, mut theirs) = same_coins(seed);
            let (rho, told) = algorithm_6(
                (m as u64, &rho_bar),
                (&epsilon, &beta),
                (l, b),
                delta,
                &mut ours,
                |rho, coins| {
                    Ok::<_, Error>((
                        rho.clone(),
                        dp_assay_reference::coins::Coins::bits(coins, 9)?,
                    ))
                },
            )
            .unwrap();
            let sensitivities = (0..size).map(|j| loss.sensitivity(j)).collect();
            let mechanism = GeneralisedMechanism::new(sensitivities, &epsilon, &beta).unwrap();
            let bound = |j: usize| integer(BigInt::one() << j) * integer(2) / &rho_bar;
            let scores: Vec<Rational> = (0..size).map(|j| &sums[j] + bound(j)).collect();
            let j = theirs.draw(&mechanism.choice(&scores).unwrap()).unwrap();
            assert_eq!(place(&rho), j);
            assert_eq!(told, (rho, theirs.bits(9).unwrap()));
            assert_eq!(ours.consumed(), theirs.consumed());
        }
    }
}

#[test]
fn a_substituted_record_moves_no_probability_by_more_than_epsilon() {
    let epsilon = integer(1);
    for (loss, _) in LOSSES {
        let public = Public {
            loss,
            bounds: vec![integer(0), ratio(1, 9), ratio(1, 5)],
            epsilon: epsilon.clone(),
            beta: ratio(1, 2),
        };
        let list = [vec![1, 0], vec![0, -1], vec![3, 4]];
        let law = |third: (Vec<i64>, bool)| {
            let s = points(5, 2, &vec![(vec![5, 0], true), (vec![3, 4], true), third]);
            explored(|coins| Ok(learn(&s, &list, &public, coins, |_, _| Ok(()))?.0))
        };
        let laws: Vec<_> = [
            (vec![5, 0], true),
            (vec![5, 0], false),
            (vec![0, 0], true),
            (vec![-3, -4], true),
            (vec![1, 2], true),
        ]
        .into_iter()
        .map(law)
        .collect();
        let mut worst = integer(0);
        for one in &laws {
            for other in &laws {
                worst = worst.max(largest_quotient(one, other));
            }
        }
        assert!(
            worst <= exp(&epsilon) && worst > exp(&ratio(1, 20)),
            "{worst}"
        );
    }
}

#[test]
fn without_records_or_candidates_the_bounds_decide_and_without_bounds_nothing() {
    let public = |bounds| Public {
        loss: Loss::Hinge,
        bounds,
        epsilon: integer(1),
        beta: ratio(1, 2),
    };
    let empty = points(4, 1, &vec![]);
    let one = points(4, 1, &vec![(vec![4], true)]);
    let mut coins = ChaCha::reproducible(1, 0);
    for s in [&empty, &one] {
        for list in [vec![], vec![vec![0]], vec![vec![1]]] {
            assert!(
                learn(
                    s,
                    &list,
                    &public(vec![integer(1), integer(2)]),
                    &mut coins,
                    |_, _| Ok(())
                )
                .is_ok()
            );
        }
        assert!(learn(s, &[], &public(vec![]), &mut coins, |_, _| Ok(())).is_err());
        let wrong = Public {
            beta: integer(0),
            ..public(vec![integer(1)])
        };
        assert!(learn(s, &[], &wrong, &mut coins, |_, _| Ok(())).is_err());
    }
}
