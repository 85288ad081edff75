//! Algorithm 1 as printed: lines 1 to 3 and equation (4) against the shipped ones, the features against a computation of their own.

use super::support::{Small, Substitute, same_coins};
use crate::lent::Explorer;
use dp_assay::coins::{Coins, Layer};
use dp_assay::law::Noise;
use dp_assay::number::rational::{integer, nearest, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::exact::{self, minimum_norm, reals};
use dp_assay::privacy::Budget;
use dp_assay::random_features::as_printed::Algorithm1;
use dp_assay::sample::{DiscreteGaussian, spherical_gaussian};
use dp_assay_reference::Error;
use dp_assay_reference::random_features::algorithm_1_as_printed::{
    Complex, algorithm_1, min_norm, model,
};
use num_bigint::BigInt;
use num_traits::Zero;

/// `i^quarters` for each entry.
fn turns(rows: &[&[u32]]) -> Vec<Vec<exact::Complex>> {
    rows.iter()
        .map(|row| {
            row.iter()
                .map(|&q| exact::Complex::quarter_turns(q))
                .collect()
        })
        .collect()
}

fn ours(rows: &[Vec<exact::Complex>]) -> Vec<Vec<Complex>> {
    let pair = |entry: &exact::Complex| (entry.re.clone(), entry.im.clone());
    rows.iter()
        .map(|row| row.iter().map(pair).collect())
        .collect()
}

/// The page's X1, X1', X2, X3, near-duplicates, one record, and random rows: complex ones, real ones, too many.
fn instances() -> Vec<(Vec<Vec<exact::Complex>>, Vec<Rational>)> {
    let labels = vec![ratio(3, 5), ratio(-4, 5)];
    let mut all = vec![
        (turns(&[&[0, 0, 0], &[1, 0, 0]]), labels.clone()),
        (turns(&[&[1, 0, 0], &[0, 1, 0]]), labels.clone()),
        (turns(&[&[0, 0, 0, 0], &[0, 1, 2, 3]]), labels.clone()),
        (
            turns(&[&[0, 0, 0, 0, 0], &[1, 0, 0, 0, 0], &[0, 1, 2, 3, 0]]),
            vec![ratio(2, 3), ratio(-2, 3), ratio(1, 3)],
        ),
        (turns(&[&[2, 3]]), vec![integer(0)]),
        (
            vec![
                reals(&[integer(1), integer(0)]),
                reals(&[ratio(2499, 2501), ratio(100, 2501)]),
            ],
            labels.clone(),
        ),
        // Rows that are dependent: equal ones, one that is another times i, a zero row, more rows than columns.
        (turns(&[&[0, 1], &[0, 1]]), labels.clone()),
        (turns(&[&[0, 1], &[0, 1]]), vec![integer(1), integer(1)]),
        (turns(&[&[0, 1], &[1, 2]]), labels.clone()),
        (vec![reals(&[integer(0), integer(0)])], vec![integer(0)]),
        (turns(&[&[0], &[1]]), labels),
    ];
    for seed in 0..60 {
        let mut small = Small::new(seed);
        let m = small.between(1, 3) as usize;
        let n = small.between(m as i64, 4) as usize;
        let entry = |small: &mut Small| exact::Complex {
            re: integer(small.between(-2, 2)),
            im: if seed % 3 == 0 {
                integer(0)
            } else {
                integer(small.between(-2, 2))
            },
        };
        let rows = (0..m)
            .map(|_| (0..n).map(|_| entry(&mut small)).collect())
            .collect();
        let labels = (0..m).map(|_| ratio(small.between(-4, 4), 4)).collect();
        all.push((rows, labels));
    }
    all
}

#[test]
fn equation_4_is_the_shipped_one_and_undefined_where_that_fails() {
    let (mut solved, mut undefined) = (0, 0);
    for (rows, labels) in instances() {
        let found = min_norm(&ours(&rows), rows[0].len(), &labels);
        match minimum_norm(&rows, &reals(&labels)) {
            Ok(c) => {
                assert_eq!(found, Ok(ours(&[c]).remove(0)));
                solved += 1;
            }
            Err(_) => {
                assert_eq!(found, Err(Error::Undefined("A A* has no inverse")));
                undefined += 1;
            }
        }
    }
    assert!(solved > 40 && undefined > 5, "{solved} {undefined}");
    // No record: the shortest c is 0.
    assert_eq!(
        min_norm(&[], 2, &[]).unwrap(),
        vec![(integer(0), integer(0)); 2]
    );
}

fn claimed(epsilon: &Rational, delta: &Rational) -> Budget {
    Budget::approximate(epsilon.clone(), delta.clone(), Substitute).unwrap()
}

#[test]
fn lines_1_to_3_return_what_the_shipped_code_returns() {
    let mut compared = 0;
    for (case, (rows, labels)) in instances().into_iter().enumerate() {
        let Ok(c) = min_norm(&ours(&rows), rows[0].len(), &labels) else {
            continue;
        };
        for seed in 0..5 {
            let eta =
                [ratio(3, 8), ratio(1, 100), ratio(49, 100)][(case + seed as usize) % 3].clone();
            let (epsilon, delta) = [
                (integer(1), ratio(1, 100_000)),
                (ratio(1, 3), ratio(1, 7)),
                (integer(5), ratio(1, 1000)),
            ][case % 3]
                .clone();
            let grid_bits = [0, 3, 20][seed as usize % 3];
            let shipped = Algorithm1 {
                eta: eta.clone(),
                claimed: claimed(&epsilon, &delta),
            };
            let (mut ours, mut theirs) = same_coins(seed);
            let (re, im) =
                algorithm_1(&c, (&epsilon, &delta), &eta, 1 << grid_bits, &mut ours).unwrap();
            let release = shipped
                .release_not_private(&rows, &labels, grid_bits, &mut theirs)
                .unwrap();
            assert_eq!((re, im), (release.real, release.imaginary));
            assert_eq!(ours.consumed(), theirs.consumed());
            compared += 1;
        }
    }
    assert!(compared >= 200, "{compared}");
}

#[test]
fn coefficients_between_two_steps_go_away_from_zero_as_shipped() {
    // One row (2): c = y/2, in steps of 1.
    for y in [-3, -1, 0, 1, 3, 5] {
        let rows = vec![reals(&[integer(2)])];
        let shipped = Algorithm1 {
            eta: ratio(3, 8),
            claimed: claimed(&integer(1), &ratio(1, 1000)),
        };
        let c = min_norm(&ours(&rows), 1, &[integer(y)]).unwrap();
        let (mut ours, mut theirs) = same_coins(1);
        let budget = (&integer(1), &ratio(1, 1000));
        let (re, _) = algorithm_1(&c, budget, &ratio(3, 8), 1, &mut ours).unwrap();
        let release = shipped
            .release_not_private(&rows, &[integer(y)], 0, &mut theirs)
            .unwrap();
        assert_eq!(re, release.real);
    }
}

#[test]
fn the_noise_is_real_and_the_imaginary_part_is_that_of_c() {
    // X1, whose neighbour has another imaginary part (`lnsx25.alg1`).
    let rows = ours(&turns(&[&[0, 0, 0], &[1, 0, 0]]));
    let parts = [4, -4].map(|last| {
        let c = min_norm(&rows, 3, &[ratio(3, 5), ratio(last, 5)]).unwrap();
        let own: Vec<Rational> = c.iter().map(|(_, im)| im.clone()).collect();
        for seed in 0..10 {
            let (mut coins, _) = same_coins(seed);
            let budget = (&integer(1), &ratio(1, 100_000));
            let (_, im) = algorithm_1(&c, budget, &ratio(3, 8), 1 << 20, &mut coins).unwrap();
            assert_eq!(im, own);
        }
        own
    });
    let apart = parts[0].iter().zip(&parts[1]).map(|(a, b)| (a - b).pow(2));
    assert_eq!(apart.sum::<Rational>(), ratio(24, 25));
}

#[test]
fn line_1_is_undefined_from_eta_1_2_on() {
    let c = vec![(integer(1), integer(0))];
    let at = |eta: Rational, epsilon: i64, delta: Rational| {
        let (mut coins, _) = same_coins(0);
        algorithm_1(&c, (&integer(epsilon), &delta), &eta, 8, &mut coins)
    };
    let undefined = Err(Error::Undefined("line 1"));
    assert_eq!(at(ratio(1, 2), 1, ratio(1, 9)), undefined);
    assert_eq!(at(ratio(3, 4), 1, ratio(1, 9)), undefined);
    assert_eq!(at(ratio(1, 4), 0, ratio(1, 9)), undefined);
    assert_eq!(at(ratio(1, 4), 1, integer(0)), undefined);
    assert!(at(ratio(499, 1000), 1, ratio(1, 9)).is_ok());
    let (mut coins, _) = same_coins(0);
    let none = algorithm_1(
        &[],
        (&integer(1), &ratio(1, 9)),
        &ratio(1, 4),
        8,
        &mut coins,
    );
    assert_eq!(none, undefined);
}

#[test]
fn explored_it_has_the_law_of_noise_around_c() {
    // N = 2, eta = 1/4: Delta^2 = 4, in steps of 1, epsilon = 4: sigma^2 = ln(1.25/delta)/2, rounded up to 1.
    let c = vec![(ratio(7, 5), ratio(1, 3)), (integer(-2), integer(0))];
    let explored = Explorer::new(Layer::Laws, 4000)
        .with_tail(ratio(1, 1 << 12))
        .explore(|coins| {
            let budget = (&integer(4), &ratio(1, 4));
            match algorithm_1(&c, budget, &ratio(1, 4), 1, coins) {
                Ok((re, _)) => Ok(re),
                Err(error @ Error::Coins(_)) => Err(crate::lent::passed_on(error)),
                Err(other) => panic!("{other}"),
            }
        })
        .unwrap();
    let law = DiscreteGaussian::new(integer(1))
        .unwrap()
        .around_all([1, -2]);
    assert!(explored.disagreement(&law).unwrap().is_none());
    let other = DiscreteGaussian::new(integer(2))
        .unwrap()
        .around_all([1, -2]);
    assert!(explored.disagreement(&other).unwrap().is_some());
}

#[test]
fn the_model_is_its_lines_one_after_the_other() {
    for seed in 0..40 {
        let mut small = Small::new(seed);
        let (m, n, d) = (
            small.between(0, 2) as usize,
            3,
            small.between(1, 2) as usize,
        );
        let one = 1i64 << 10;
        let x: Vec<Vec<i64>> = (0..m)
            .map(|j| {
                if j == 0 {
                    vec![0; d]
                } else {
                    (0..d).map(|_| small.between(-one, one)).collect()
                }
            })
            .collect();
        let y: Vec<Rational> = (0..m).map(|_| ratio(small.between(-4, 4), 8)).collect();
        let (squared_sigma, eta) = (integer(2), ratio(3, 8));
        let (epsilon, delta) = (integer(1), ratio(1, 100_000));
        let (mut ours, mut theirs) = same_coins(seed);
        let found = model(
            (&x, &y),
            (n, d, &squared_sigma),
            (&epsilon, &delta),
            &eta,
            one,
            &mut ours,
        );
        // The same, of the shipped parts: N d coordinates of frequencies, the features, (4), and the release.
        let law = DiscreteGaussian::new(&squared_sigma * integer(one) * integer(one)).unwrap();
        let drawn = spherical_gaussian(&law, n * d, &mut theirs).unwrap();
        let omega: Vec<&[BigInt]> = drawn.chunks(d).collect();
        let feature = |omega: &[BigInt], x: &[i64]| {
            let product: BigInt = omega.iter().zip(x).map(|(w, x)| w * x).sum();
            let angle = Rational::new(product, BigInt::from(one) * one);
            let part = |value: Enclosure| {
                let steps = value * Enclosure::integer(one, 256);
                let (low, high) = (nearest(&steps.lower()), nearest(&steps.upper()));
                assert_eq!(low, high);
                Rational::new(low, one.into())
            };
            exact::Complex {
                re: part(Enclosure::of(&angle, 256).cos().unwrap()),
                im: part(Enclosure::of(&angle, 256).sin().unwrap()),
            }
        };
        let rows: Vec<Vec<exact::Complex>> = x
            .iter()
            .map(|x| omega.iter().map(|omega| feature(omega, x)).collect())
            .collect();
        if m == 0 {
            // No record, which the shipped function has no features for: c# = 0.
            let (_, (re, im)) = found.unwrap();
            assert!(re.len() == n && im.iter().all(Rational::is_zero));
            continue;
        }
        let shipped = Algorithm1 {
            eta,
            claimed: claimed(&epsilon, &delta),
        };
        let Ok(release) = shipped.release_not_private(&rows, &y, 10, &mut theirs) else {
            assert_eq!(found, Err(Error::Undefined("A A* has no inverse")));
            continue;
        };
        let (frequencies, (re, im)) = found.unwrap();
        assert!(frequencies.iter().map(Vec::as_slice).eq(omega));
        assert_eq!((re, im), (release.real, release.imaginary));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}
