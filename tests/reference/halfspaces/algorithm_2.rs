//! The repaired Algorithm 2 against the shipped one, and alone.

use super::common::{
    Records, any_records, big, coins_error, points, same_coins, shipped, shipped_coins_error, signs,
};
use crate::lent::{ChaCha, Explorer};
use dp_assay::coins::{Coins, Explored, Layer};
use dp_assay::geometry::LatticeCover;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay_reference::data::Points;
use dp_assay_reference::halfspaces::algorithm_2::{learn, net};

fn parameters(
    m: Option<usize>,
    radius: &Rational,
    threshold: &Rational,
    epsilon: &Rational,
) -> PureParameters {
    let half = ratio(1, 2);
    PureParameters::from_theorem(&half, &half, epsilon, &half, 100, 10)
        .and_then(|theorem| {
            theorem
                .with_projected_dimension(m)?
                .with_radius(radius.clone())
        })
        .and_then(|found| found.with_threshold(threshold.clone()))
        .unwrap()
}

#[test]
fn the_shipped_learner_returns_the_same_on_the_same_coins() {
    let mut coins = ChaCha::reproducible(11, 0);
    let (mut runs, mut projected) = (0, 0);
    for round in 0..320u64 {
        let (bits, d) = ((round % 5) as u32, 1 + (round / 5 % 3) as usize);
        let records = any_records(2 + (round % 7) as usize, d, bits, &mut coins);
        let m = [None, Some(1), Some(2), Some(3)][round as usize % 4];
        let radius = [ratio(1, 4), ratio(43, 100), ratio(9, 10)][round as usize % 3].clone();
        let threshold =
            [integer(0), ratio(1, 10), ratio(7, 20), integer(1)][round as usize / 4 % 4].clone();
        let epsilon = [ratio(1, 3), integer(2), integer(20)][round as usize / 2 % 3].clone();
        let (mut ours, mut theirs) = same_coins(round);
        let (a, k, pulled_back) = learn(
            &points(bits, &records),
            m,
            (&radius, &threshold),
            &epsilon,
            &mut ours,
        )
        .unwrap();
        let model = pure::learn(
            &shipped(bits, &records),
            &parameters(m, &radius, &threshold, &epsilon),
            &mut theirs,
        )
        .unwrap();
        assert_eq!(a, signs(model.projection.as_ref(), d));
        assert_eq!(k, model.point);
        assert_eq!(pulled_back, big(&model.halfspace.direction));
        assert_eq!(ours.consumed(), theirs.consumed());
        assert_eq!(net(a.len(), &radius).0 as u64, model.denominator);
        projected += usize::from(m.is_some());
        runs += 1;
    }
    assert_eq!((runs, projected), (320, 240));
}

type Law = Explored<(Vec<Vec<i64>>, Vec<i64>)>;

fn law(bits: u32, records: &Records, m: Option<usize>, numbers: [&Rational; 3]) -> Law {
    let [radius, threshold, epsilon] = numbers;
    let s = points(bits, records);
    Explorer::new(Layer::Laws, 100_000)
        .explore(|coins| {
            learn(&s, m, (radius, threshold), epsilon, coins)
                .map(|(a, k, _)| (a, k))
                .map_err(coins_error)
        })
        .unwrap()
}

fn shipped_law(bits: u32, records: &Records, m: Option<usize>, numbers: [&Rational; 3]) -> Law {
    let [radius, threshold, epsilon] = numbers;
    let data = shipped(bits, records);
    let parameters = parameters(m, radius, threshold, epsilon);
    Explorer::new(Layer::Laws, 100_000)
        .explore(|coins| {
            pure::learn(&data, &parameters, coins)
                .map(|model| {
                    (
                        signs(model.projection.as_ref(), data.dimension()),
                        model.point,
                    )
                })
                .map_err(shipped_coins_error)
        })
        .unwrap()
}

fn is_equal(one: &Law, other: &Law) -> bool {
    let tiny = ratio(1, 1 << 60);
    one.lower.len() == other.lower.len()
        && one.lower.iter().all(|(outcome, probability)| {
            let gap = probability - other.lower(outcome);
            gap < tiny && gap > -&tiny
        })
}

#[test]
fn the_law_is_the_shipped_one_where_records_lie_on_a_boundary() {
    // q = 4. <(1, 1), (3, 4)> = 7 is the threshold 7/20 times 4 * 5, exactly; and the point (0, 1) has 4 of 4.
    let met: Records = vec![
        (vec![3, 4], true),
        (vec![0, 8], true),
        (vec![-3, -4], false),
    ];
    let fifth = ratio(1, 5);
    // Ties of every point, at the origin; ties of the axes; what a matrix sends to 0; the sphere.
    let tied: Records = vec![
        (vec![0, 0], true),
        (vec![0, 0], false),
        (vec![4, 0], true),
        (vec![0, -4], false),
        (vec![2, -2], true),
        (vec![2, 2], false),
        (vec![2, 2], false),
    ];
    let one = integer(1);
    let (zero, seven, four) = (integer(0), ratio(7, 20), ratio(1, 4));
    for (bits, records, m, numbers) in [
        (3, &met, None, [&fifth, &seven, &one]),
        (3, &met, None, [&fifth, &zero, &one]),
        (3, &met, None, [&fifth, &one, &one]),
        (2, &tied, None, [&four, &zero, &one]),
        (2, &tied, None, [&four, &four, &one]),
        (2, &tied, Some(1), [&four, &zero, &one]),
        (2, &tied, Some(1), [&four, &one, &one]),
        (2, &tied, Some(2), [&four, &ratio(1, 10), &ratio(1, 3)]),
    ] {
        let (ours, theirs) = (
            law(bits, records, m, numbers),
            shipped_law(bits, records, m, numbers),
        );
        assert!(ours.undecided < ratio(1, 1 << 60) && theirs.undecided < ratio(1, 1 << 60));
        assert!(is_equal(&ours, &theirs), "{m:?} {numbers:?}");
    }
    // The threshold that is met exactly decides: a little more, and the law is another.
    let more = &seven + ratio(1, 20_000);
    let (at, above) = ([&fifth, &seven, &one], [&fifth, &more, &one]);
    assert!(!is_equal(
        &law(3, &met, None, at),
        &law(3, &met, None, above)
    ));
}

#[test]
fn the_net_is_the_shipped_one_and_in_its_order() {
    for m in 1..=4 {
        for radius in [
            ratio(1, 1),
            ratio(3, 4),
            ratio(1, 2),
            ratio(43, 100),
            ratio(1, 3),
        ] {
            let cover = LatticeCover::rounding(m, &radius).unwrap();
            let (q, points) = net(m, &radius);
            assert_eq!(q as u64, cover.denominator());
            assert!(points.iter().all(|k| cover.contains(k)) && points.is_sorted());
            assert_eq!(points.len() as u128, cover.count_at_most(1 << 20).unwrap());
        }
    }
}

#[test]
fn neighbours_are_at_most_e_to_the_epsilon_apart_and_not_much_less() {
    let epsilon = integer(1);
    let numbers = [&ratio(1, 4), &ratio(1, 10), &epsilon];
    let of = |last: (Vec<i64>, bool)| -> Records {
        let mut records = vec![(vec![2, 2], true); 5];
        records.push(last);
        records
    };
    let base = law(2, &of((vec![2, 2], true)), Some(1), numbers);
    let most = Enclosure::exp_of(&epsilon, 100).unwrap().upper();
    let mut largest = integer(0);
    for last in [
        (vec![2, 2], false),
        (vec![2, -2], true),
        (vec![0, 0], true),
        (vec![4, 0], false),
    ] {
        let other = law(2, &of(last), Some(1), numbers);
        for (outcome, p) in &base.lower {
            let q = other.lower(outcome);
            for (p, q) in [(p, &q), (&q, p)] {
                largest = largest.max((p + &base.undecided + &other.undecided) / q);
            }
        }
    }
    assert!(largest <= most);
    assert!(largest > ratio(12, 5), "{largest}");
}

#[test]
fn no_records_and_no_dimension_are_data_like_others() {
    let mut coins = ChaCha::reproducible(1, 0);
    let (quarter, one) = (ratio(1, 4), integer(1));
    for (d, records) in [
        (2, vec![]),
        (2, vec![(vec![0, 0], true)]),
        (0, vec![]),
        (0, vec![(vec![], false)]),
    ] {
        let s = Points::new(4, d, records).unwrap();
        for m in [None, Some(0), Some(1), Some(2)] {
            let (a, k, pulled_back) = learn(&s, m, (&quarter, &quarter), &one, &mut coins).unwrap();
            assert_eq!(
                (a.len(), k.len(), pulled_back.len()),
                (m.unwrap_or(d), m.unwrap_or(d), d)
            );
        }
    }
    // Without records all points of the net are equally likely.
    let s = Points::new(4, 1, vec![]).unwrap();
    let found = Explorer::new(Layer::Laws, 100)
        .explore(|coins| {
            learn(&s, None, (&quarter, &quarter), &one, coins)
                .map(|found| found.1)
                .map_err(coins_error)
        })
        .unwrap();
    assert_eq!(found.lower.len(), 5);
    assert!(
        found
            .lower
            .values()
            .all(|p| *p <= ratio(1, 5) && *p > ratio(1, 5) - ratio(1, 1 << 40))
    );
    // The finest grid that there is.
    let s = Points::new(
        i64::MAX,
        4,
        vec![
            (vec![i64::MAX / 2; 4], true),
            (vec![-i64::MAX / 2; 4], true),
        ],
    )
    .unwrap();
    assert!(learn(&s, Some(3), (&integer(1), &quarter), &one, &mut coins).is_ok());
}

#[test]
fn what_is_out_of_range_is_refused_before_a_coin_is_drawn() {
    let s = points(2, &vec![(vec![0, 0], true); 2]);
    let mut coins = ChaCha::reproducible(1, 0);
    let (zero, one) = (integer(0), integer(1));
    for (radius, threshold, epsilon) in [
        (&zero, &one, &one),
        (&one, &ratio(-1, 9), &one),
        (&one, &one, &(integer(1 << 22) + ratio(1, 9))),
    ] {
        assert!(learn(&s, Some(1), (radius, threshold), epsilon, &mut coins).is_err());
    }
    assert_eq!(coins.consumed(), 0);
    assert!(learn(&s, Some(1), (&one, &zero), &integer(1 << 22), &mut coins).is_ok());
    assert!(
        Points::new(0, 1, vec![(vec![0], true)]).is_err()
            && Points::new(-4, 1, vec![(vec![1], true)]).is_err()
    );
    assert!(
        Points::new(4, 1, vec![(vec![5], true)]).is_err()
            && Points::new(4, 2, vec![(vec![1], true)]).is_err()
    );
    assert!(Points::new(4, 2, vec![(vec![0, -4], true)]).is_ok());
}
