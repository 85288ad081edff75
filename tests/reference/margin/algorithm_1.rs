//! Algorithm 1: the reference is the shipped `pure`, and what is printed is both.

use super::common::{Dice, dataset, exp, explored, largest_quotient, plain, points, same_coins};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::geometry::SignMatrix;
use dp_assay::margin::pure::{PureParameters, learn as shipped};
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::margin::algorithm_1::{cover, learn};
use dp_assay_reference::margin::algorithm_1_as_printed::{Required, algorithm_1};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

fn matrix(rows: &[Vec<i64>]) -> SignMatrix {
    let row = |row: &Vec<i64>| row.iter().map(|a| *a as i8).collect();
    SignMatrix::from_signs(&rows.iter().map(row).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_reference_is_the_shipped_learner_on_the_same_coins() {
    let (mut dice, mut projected, mut ties) = (Dice::new(1), 0, 0);
    for seed in 0..300 {
        let d = dice.between(1, 4) as usize;
        let k = dice.between(1, 4) as usize;
        let m = dice.between(1, 6) as usize;
        let largest = dice.one_of(&[1, 2, 7, 16]);
        let records = dice.records(m, largest, d);
        let radius = dice.one_of(&[ratio(1, 1), ratio(3, 4), ratio(1, 2)]);
        let epsilon = dice.one_of(&[ratio(1, 4), ratio(2, 1), ratio(6, 1)]);

        let (mut ours, mut theirs) = same_coins(seed);
        let (phi, c, direction) = learn(
            &points(largest, d, &records),
            k,
            &radius,
            &epsilon,
            &mut ours,
        )
        .unwrap();
        let parameters = PureParameters::new(epsilon, Some(k), radius).unwrap();
        let model = shipped(&dataset(largest, d, &records), &parameters, &mut theirs).unwrap();
        match &model.projection {
            Some(projection) => {
                assert_eq!(*projection, matrix(&phi));
                projected += 1;
            }
            None => assert!(phi.len() == d && k >= d),
        }
        assert_eq!(c, model.point);
        let big: Vec<BigInt> = model
            .halfspace
            .direction
            .iter()
            .map(|w| (*w).into())
            .collect();
        assert_eq!(direction, big);
        assert_eq!(ours.consumed(), theirs.consumed());
        ties += usize::from(direction.iter().all(|w| *w == BigInt::ZERO));
    }
    assert!(
        projected > 50 && projected < 250 && ties > 0,
        "{projected} {ties}"
    );
}

#[test]
fn what_is_printed_is_the_shipped_learner_with_its_parameters() {
    let mut dice = Dice::new(2);
    for seed in 0..60 {
        let (d, m) = (dice.between(3, 4) as usize, dice.between(2, 5) as usize);
        let records = dice.records(m, 8, d);
        // r = 1/2 on a grid of 1/16; Lambda = 3 and rho = 3/2: Lambda r/rho = 1.
        let k = dice.between(1, 2);
        let log = (m as f64 * 10.0).ln();
        let required = Required {
            epsilon: dice.one_of(&[ratio(1, 2), integer(3)]),
            lambda: integer(3),
            r: ratio(1, 2),
            rho: ratio(3, 2),
            beta: ratio(1, 10),
            // k - 1 < constant log(m/beta) <= k
            constant: ratio(((k as f64 - 0.5) / log * 1e6) as i64, 1_000_000),
        };
        let (mut ours, mut theirs) = same_coins(seed);
        let (phi, c, w) = algorithm_1(&plain(&records), &required, &mut ours).unwrap();
        // A cover of the ball of 2 Lambda = 6 to within rho/(10 r) = 3/10.
        let parameters =
            PureParameters::new(required.epsilon, Some(k as usize), ratio(1, 20)).unwrap();
        let model = shipped(&dataset(8, d, &records), &parameters, &mut theirs).unwrap();
        assert_eq!(matrix(&phi), model.projection.unwrap());
        assert_eq!((c, w), (model.point, model.halfspace.direction));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn the_constant_of_line_1_multiplies_the_squared_ratio_and_the_logarithm() {
    // 1/4 of (2 3/4)^2 ln(4/(1/50)) = 9/4 ln 200 = 11.92, a quarter of it 2.98; and with 1/3 3.97.
    for (constant, k) in [(ratio(1, 4), 3), (ratio(1, 3), 4), (ratio(1, 12), 1)] {
        let required = Required {
            epsilon: integer(1),
            lambda: integer(2),
            r: ratio(3, 4),
            rho: integer(1),
            beta: ratio(1, 50),
            constant,
        };
        // A dimension of no coordinates: the matrix is drawn, and the cover is too large beyond that.
        let phi = if k < 3 {
            let s = vec![(vec![1, 2], 1); 4];
            algorithm_1(&s, &required, &mut ChaCha::reproducible(1, 0))
                .unwrap()
                .0
        } else {
            continue;
        };
        assert_eq!(phi.len(), k);
    }
}

#[test]
fn a_substituted_record_moves_no_probability_by_more_than_epsilon() {
    let epsilon = ratio(3, 2);
    let (one, other) = (
        vec![(vec![2, 0], true), (vec![1, 1], false), (vec![0, 0], true)],
        vec![(vec![2, 0], true), (vec![1, 1], false), (vec![-2, 1], true)],
    );
    for k in [1, 2] {
        let law = |records| {
            let s = points(3, 2, records);
            explored(|coins| learn(&s, k, &ratio(1, 2), &epsilon, coins))
        };
        let largest = largest_quotient(&law(&one), &law(&other));
        assert!(largest <= exp(&epsilon), "{largest}");
        assert!(
            largest > exp(&(&epsilon / BigInt::from(2))),
            "{}",
            largest.to_f64().unwrap()
        );
    }
}

#[test]
fn without_records_or_coordinates_every_point_is_as_likely() {
    let empty = points(3, 2, &vec![]);
    let law = explored(|coins| Ok(learn(&empty, 2, &ratio(1, 2), &integer(1), coins)?.1));
    assert_eq!(law.lower.len(), cover(2, &ratio(1, 2)).unwrap().len());
    let mut seen = law.lower.values();
    let first = seen.next().unwrap();
    assert!(seen.all(|probability| probability == first));
    let flat = points(3, 0, &vec![(vec![], true)]);
    let (phi, c, w) = learn(
        &flat,
        2,
        &ratio(1, 2),
        &integer(1),
        &mut ChaCha::reproducible(1, 0),
    )
    .unwrap();
    assert!(phi.is_empty() && c.is_empty() && w.is_empty());
    assert!(cover(2, &integer(0)).is_err());
}
