//! Private labels: the reference is the shipped learner; what is printed is checked by a count of its own.

use super::common::{
    Dice, Records, dataset, exp, explored, largest_quotient, plain, points, same_coins,
};
use dp_assay::coins::Coins;
use dp_assay::margin::gibbs::Candidates;
use dp_assay::margin::labels as shipped;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay_reference::margin::labels::learn;
use dp_assay_reference::margin::labels_as_printed::label_privacy;
use num_bigint::BigInt;

fn values(records: &Records, list: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let dot = |w: &Vec<i64>, x: &Vec<i64>| w.iter().zip(x).map(|(w, x)| w * x).sum();
    list.iter()
        .map(|w| records.iter().map(|(x, _)| dot(w, x)).collect())
        .collect()
}

#[test]
fn the_reference_is_the_shipped_learner_on_the_same_coins() {
    let mut dice = Dice::new(4);
    let (mut smaller, mut at_the_radius, mut at_the_threshold) = (0, 0, 0);
    for seed in 0..400 {
        let d = dice.between(1, 3) as usize;
        let m = dice.between(1, 6) as usize;
        let largest = dice.one_of(&[1, 3, 8]);
        let records = dice.records(m, largest, d);
        let count = dice.between(1, 12) as usize;
        let list = dice.vectors(count, 3, d);
        let rho = dice.one_of(&[integer(1), integer(2), integer(4), ratio(7, 2), integer(6)]);
        let epsilon = dice.one_of(&[ratio(1, 3), integer(2), integer(7)]);
        let flat = list.iter().flatten().map(|w| *w as i32).collect();
        let hypotheses = Candidates::new(d, flat).unwrap();
        let data = dataset(largest, d, &records);
        let cover = shipped::cover(&data, &hypotheses, &rho).unwrap();
        smaller += usize::from(cover.len() < list.len());
        // Boundaries: two hypotheses that are exactly rho/2 apart at most, and a product of exactly rho/2.
        let half = &rho / BigInt::from(2);
        let truncated = |v: &i64| integer(*v).min(rho.clone()).max(-&rho);
        let values = values(&records, &list);
        for (number, one) in values.iter().enumerate() {
            for other in &values[..number] {
                let apart = one.iter().zip(other);
                let apart = apart
                    .map(|(a, b)| (truncated(a) - truncated(b)).max(truncated(b) - truncated(a)));
                at_the_radius += usize::from(apart.max().unwrap() == half);
            }
            let signed = one
                .iter()
                .zip(&records)
                .map(|(v, (_, y))| if *y { *v } else { -v });
            at_the_threshold += signed.filter(|v| integer(*v) == half).count();
        }
        let (mut ours, mut theirs) = same_coins(seed);
        let k = learn(
            &points(largest, d, &records),
            &list,
            &rho,
            &epsilon,
            &mut ours,
        )
        .unwrap();
        let model = shipped::learn(&data, &hypotheses, &rho, &epsilon, &mut theirs).unwrap();
        assert_eq!(k, model.chosen);
        assert_eq!(ours.consumed(), theirs.consumed());
    }
    assert!(
        smaller > 100 && at_the_radius > 100 && at_the_threshold > 100,
        "{smaller} {at_the_radius} {at_the_threshold}"
    );
}

#[test]
fn what_is_printed_chooses_among_the_first_smallest_cover() {
    let mut dice = Dice::new(5);
    let mut sizes = [0; 8];
    for _ in 0..60 {
        let (m, count) = (dice.between(1, 3) as usize, dice.between(1, 7) as usize);
        let records = dice.records(m, 3, 2);
        let h = values(&records, &dice.vectors(count, 2, 2));
        let y: Vec<i64> = plain(&records).iter().map(|(_, y)| *y).collect();
        let rho = dice.one_of(&[1, 2, 4]);
        let epsilon = integer(1);
        let law = explored(|coins| label_privacy(&h, &y, &integer(rho), &epsilon, coins));
        // By bit masks, and twice the values, so that rho/2 is an integer.
        let doubled = |v: i64| 2 * v.clamp(-rho, rho);
        let near =
            |a: usize, b: usize| (0..m).all(|i| (doubled(h[a][i]) - doubled(h[b][i])).abs() <= rho);
        let covers =
            |mask: u32| (0..count).all(|a| (0..count).any(|b| mask >> b & 1 == 1 && near(a, b)));
        // The first of a size in order has its lowest members first: compare reversed bits.
        let order = |mask: &u32| (mask.count_ones(), u32::MAX - mask.reverse_bits());
        let best = (0..1u32 << count)
            .filter(|mask| covers(*mask))
            .min_by_key(order)
            .unwrap();
        let errors = |k: usize| (0..m).filter(|i| 2 * y[*i] * h[k][*i] <= rho).count();
        let of_c: Vec<usize> = (0..count).filter(|k| best >> k & 1 == 1).collect();
        sizes[of_c.len()] += 1;
        let weight = |k: usize| Enclosure::exp_of(&ratio(-(errors(k) as i64), 2), 128).unwrap();
        let total = of_c
            .iter()
            .fold(Enclosure::integer(0, 128), |sum, k| sum + weight(*k));
        assert!(law.lower.keys().eq(&of_c), "{law:?} {of_c:?}");
        for k in of_c {
            assert!(law.allows(&k, &weight(k).divided_by(&total).unwrap()));
        }
    }
    assert!(sizes[1] > 3 && sizes[2] > 3 && sizes[3] > 3, "{sizes:?}");
}

fn worst_of_labels(law: impl Fn(&Records) -> dp_assay::coins::Explored<usize>) -> Rational {
    let features = [vec![1, 0], vec![0, 1], vec![1, 1]];
    let laws: Vec<_> = (0..8)
        .map(|labels| {
            let records = features.iter().enumerate();
            law(&records
                .map(|(i, x)| (x.clone(), labels >> i & 1 == 1))
                .collect())
        })
        .collect();
    let mut worst = integer(0);
    for one in 0..8usize {
        for changed in [1, 2, 4] {
            worst = worst.max(largest_quotient(&laws[one], &laws[one ^ changed]));
        }
    }
    worst
}

#[test]
fn a_changed_label_moves_no_probability_by_more_than_epsilon() {
    let list: Vec<Vec<i64>> = (-2..=2)
        .flat_map(|a| (-2..=2).map(move |b| vec![a, b]))
        .collect();
    let (epsilon, rho) = (integer(1), integer(2));
    let worst = worst_of_labels(|records| {
        let s = points(2, 2, records);
        explored(|coins| learn(&s, &list, &rho, &epsilon, coins))
    });
    assert!(
        worst <= exp(&epsilon) && worst > exp(&ratio(1, 2)),
        "{worst}"
    );
    let worst = worst_of_labels(|records| {
        let h = values(records, &list[..12]);
        let y: Vec<i64> = plain(records).iter().map(|(_, y)| *y).collect();
        explored(|coins| label_privacy(&h, &y, &rho, &epsilon, coins))
    });
    assert!(
        worst <= exp(&epsilon) && worst > exp(&ratio(1, 2)),
        "{worst}"
    );
}

#[test]
fn without_records_the_first_hypothesis_is_the_cover() {
    let list = vec![vec![1, 0], vec![0, 1]];
    let empty = points(3, 2, &vec![]);
    let mut coins = same_coins(1).0;
    assert_eq!(
        learn(&empty, &list, &integer(1), &integer(1), &mut coins).unwrap(),
        0
    );
    assert_eq!(
        label_privacy(&[vec![], vec![]], &[], &integer(1), &integer(1), &mut coins).unwrap(),
        0
    );
    assert!(learn(&empty, &list, &integer(0), &integer(1), &mut coins).is_err());
    assert_eq!(coins.consumed(), 0);
}
