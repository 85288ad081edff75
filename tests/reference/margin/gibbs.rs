//! The Gibbs learner: the reference is the shipped one.

use super::common::{Dice, dataset, exp, explored, largest_quotient, points, same_coins};
use dp_assay::coins::Coins;
use dp_assay::margin::gibbs;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::margin::gibbs::{candidates, learn};

#[test]
fn the_reference_is_the_shipped_learner_on_the_same_coins() {
    let mut dice = Dice::new(3);
    let (mut ties, mut zero) = ([0, 0], 0);
    for seed in 0..400 {
        let d = dice.between(1, 4) as usize;
        let m = dice.between(1, 8) as usize;
        let largest = dice.one_of(&[1, 3, 16]);
        let records = dice.records(m, largest, d);
        let count = dice.between(1, 9) as usize;
        let list = dice.vectors(count, 3, d);
        let epsilon = dice.one_of(&[ratio(1, 3), integer(2), integer(7)]);
        for (x, y) in &records {
            let dot = |w: &Vec<i64>| w.iter().zip(x).map(|(w, x)| w * x).sum::<i64>();
            ties[usize::from(*y)] += list.iter().filter(|w| dot(w) == 0).count();
            zero += usize::from(x.iter().all(|x| *x == 0));
        }
        let (mut ours, mut theirs) = same_coins(seed);
        let k = learn(&points(largest, d, &records), &list, &epsilon, &mut ours).unwrap();
        let flat = list.iter().flatten().map(|w| *w as i32).collect();
        let shipped = gibbs::Candidates::new(d, flat).unwrap();
        let model = gibbs::learn(
            &dataset(largest, d, &records),
            &shipped,
            &epsilon,
            &mut theirs,
        )
        .unwrap();
        assert_eq!(k, model.chosen);
        assert_eq!(list[k], model.halfspace.direction);
        assert_eq!(ours.consumed(), theirs.consumed());
    }
    assert!(
        ties[0] > 100 && ties[1] > 100 && zero > 50,
        "{ties:?} {zero}"
    );
}

#[test]
fn candidates_are_the_shipped_ones_of_the_same_seed() {
    // Below 4096 coordinates: beyond, the shipped ones are drawn by a table.
    for seed in 0..20 {
        let (mut ours, mut theirs) = same_coins(seed);
        let list = candidates(100, 40, &mut ours).unwrap();
        let shipped = gibbs::Candidates::draw(100, 40, &mut theirs).unwrap();
        let big = |w: &[i32]| w.iter().map(|w| i64::from(*w)).collect::<Vec<_>>();
        assert_eq!(list, shipped.iter().map(big).collect::<Vec<_>>());
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn a_substituted_record_moves_no_probability_by_more_than_epsilon() {
    let list = vec![vec![1, 0], vec![0, 1], vec![-1, 1], vec![0, 0], vec![2, -1]];
    let epsilon = integer(1);
    let law = |third: (Vec<i64>, bool)| {
        let s = points(3, 2, &vec![(vec![1, 2], true), (vec![0, 0], false), third]);
        explored(|coins| learn(&s, &list, &epsilon, coins))
    };
    let replacements = [
        (vec![3, 0], true),
        (vec![-3, 0], true),
        (vec![0, 0], true),
        (vec![1, -2], false),
    ];
    let laws: Vec<_> = replacements.into_iter().map(law).collect();
    let mut worst = integer(0);
    for one in &laws {
        for other in &laws {
            worst = worst.max(largest_quotient(one, other));
        }
    }
    assert!(
        worst <= exp(&epsilon) && worst > exp(&ratio(1, 2)),
        "{worst}"
    );
}

#[test]
fn without_records_every_candidate_is_as_likely() {
    let list = vec![vec![1, 0], vec![0, 1], vec![0, 0]];
    let empty = points(3, 2, &vec![]);
    let law = explored(|coins| learn(&empty, &list, &integer(1), coins));
    assert!(law.lower.values().all(|p| *p == ratio(1, 3)), "{law:?}");
    assert!(learn(&empty, &[], &integer(1), &mut same_coins(1).0).is_err());
}
