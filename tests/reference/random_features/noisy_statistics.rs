//! R5 against the shipped statistics with their noise; and the shipped model against the equations that those make.

use super::support::{
    AddOrRemove, Small, Substitute, big, budget, grid, one_in_a_thousand, same_coins,
};
use dp_assay::coins::Coins;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::release_in_bulk;
use dp_assay::random_features::noisy_statistics as r5;
use dp_assay::random_features::{Dataset, Domain, Record};
use dp_assay_reference::data::Points;
use dp_assay_reference::random_features::equations::solve;
use dp_assay_reference::random_features::noisy_statistics::{Public, is_enough, learn};
use num_bigint::BigInt;
use num_traits::Signed;

struct Case {
    data: Dataset,
    map: FeatureMap,
    weight: Rational,
}

/// Linear and Fourier features, both relations, no record among them, inputs at the corners of the cube.
fn cases() -> Vec<Case> {
    (0..200u64)
        .map(|seed| {
            let mut small = Small::new(seed);
            let d = small.between(1, 3) as usize;
            let neighbours = if seed % 2 == 0 {
                Substitute
            } else {
                AddOrRemove
            };
            let most = small.between(1, 6) as usize;
            let count = match neighbours {
                Substitute => most,
                AddOrRemove => small.between(0, most as i64) as usize,
            };
            let domain = Domain {
                input_grid: grid(3),
                dimension: d,
                largest_feature: 8,
                label_grid: grid(2),
                largest_label: small.between(1, 16),
                neighbours,
                records: most,
            };
            let coordinate = |small: &mut Small| match small.between(0, 3) {
                0 => 8,
                1 => -8,
                _ => small.between(-8, 8),
            };
            let records = (0..count).map(|_| Record {
                features: (0..d).map(|_| coordinate(&mut small)).collect(),
                label: match small.between(0, 3) {
                    0 => domain.largest_label,
                    1 => -domain.largest_label,
                    _ => small.between(-domain.largest_label, domain.largest_label),
                },
            });
            let data = Dataset::new(domain, records.collect()).unwrap();
            let map = if seed % 4 < 2 {
                FeatureMap::linear(d, grid(3), grid(6)).unwrap()
            } else {
                let (mut coins, _) = same_coins(seed);
                let w = Frequencies::draw(2, d, &integer(1), grid(4), &mut coins).unwrap();
                FeatureMap::new(w, grid(3), grid(6)).unwrap()
            };
            // Substitution has another formula for large weights.
            let weight = [ratio(7, 10), integer(1), integer(3)][seed as usize % 3].clone();
            Case { data, map, weight }
        })
        .collect()
}

/// Rows and labels for the reference, and what is public with the weight that the shipped shape takes.
fn reference(case: &Case, variance: Rational) -> (Points<i64>, Public) {
    let rows = case.data.features(&case.map).unwrap();
    let records = rows.iter().zip(case.data.labels());
    let records = records.map(|(row, y)| (row.iter().map(|&v| v.into()).collect(), y));
    let phi_one = case.map.feature_grid().one();
    let s = Points::new(phi_one, case.map.dimension(), records.collect()).unwrap();
    let largest_label = case.data.domain().largest_label;
    let weight = (&case.weight * integer(phi_one) / integer(largest_label)).to_integer();
    let public = Public {
        l: case.map.largest_entry().into(),
        largest_label,
        weight: i64::try_from(weight).unwrap(),
        variance,
    };
    (s, public)
}

#[test]
fn it_releases_the_shipped_statistics_with_the_same_noise() {
    for (seed, case) in cases().iter().enumerate() {
        let domain = case.data.domain();
        let shape = r5::Shape::new(domain, &case.map, &case.weight).unwrap();
        let budget = budget(domain.neighbours);
        let noise = r5::noise(&shape, &budget).unwrap();
        let (s, public) = reference(case, noise.variance().clone());
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = learn(&s, &public, &mut ours).unwrap();
        let exact = r5::statistics(&case.data, &case.map, &shape).unwrap();
        assert_eq!(found, release_in_bulk(exact, &noise, &mut theirs).unwrap());
        // The shipped learner takes as many coins, and what it returns is solved for from these numbers.
        let (_, mut theirs) = same_coins(seed as u64);
        let parameters = r5::Parameters {
            label_weight: case.weight.clone(),
            penalty: integer(4),
            coefficient_grid: grid(20),
        };
        let model = r5::learn_with(
            &case.data,
            &case.map,
            &parameters,
            (&noise, &budget),
            &mut theirs,
        )
        .unwrap();
        assert_eq!(ours.consumed(), theirs.consumed());
        solves(
            &found,
            &model.coefficients,
            &s,
            &public,
            domain.label_grid.one(),
        );
        let (epsilon, delta) = one_in_a_thousand();
        let enough = |public: &Public| {
            let shape = (s.one(), s.dimension() as u64);
            is_enough(
                public,
                shape,
                (&epsilon, &delta),
                crate::lent::relation(domain.neighbours),
            )
            .unwrap()
        };
        // A certificate takes longer than all else.
        let (one_in, first) = crate::by_day_or_night((20, 6), (4, 24));
        if seed % one_in == 1 || seed < first {
            assert!(enough(&public));
            let less = Public {
                variance: &public.variance * ratio(99, 100),
                ..public
            };
            assert!(!enough(&less));
        }
    }
}

/// Where the noisy matrix is positive definite, `(G + Lambda) c = r` up to the floats of the shipped solver.
#[allow(clippy::needless_range_loop)] // two indices of one entry
fn solves(noisy: &[BigInt], c: &[BigInt], s: &Points<i64>, public: &Public, y_one: i64) {
    let (d, phi_one) = (s.dimension(), integer(s.one()));
    let (above, right) = noisy.split_at(noisy.len() - d);
    let mut matrix = vec![vec![integer(0); d]; d];
    let mut entries = above.iter();
    for i in 0..d {
        for k in i..d {
            let entry = integer(entries.next().unwrap().clone()) / (&phi_one * &phi_one);
            (matrix[i][k], matrix[k][i]) = (entry.clone(), entry);
        }
    }
    if !is_positive_definite(&matrix) {
        return;
    }
    // kappa sqrt(D) sigma, kappa = 4, in steps.
    let squared = &public.variance * integer(d as u64);
    let root = dp_assay::number::Enclosure::of(&squared, 64)
        .sqrt()
        .unwrap()
        .upper();
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += integer(4) * &root / (&phi_one * &phi_one);
    }
    let unit = &phi_one * integer(y_one) * integer(public.weight);
    let right: Vec<Rational> = right.iter().map(|r| integer(r.clone()) / &unit).collect();
    let exact = solve(&matrix, &right).unwrap();
    for (c, exact) in c.iter().zip(exact) {
        let off = (integer(c.clone()) - exact * integer(1 << 20)).abs();
        assert!(off <= ratio(51, 100));
    }
}

/// By elimination, whose pivots are positive then.
#[allow(clippy::needless_range_loop)] // two indices of one entry
fn is_positive_definite(matrix: &[Vec<Rational>]) -> bool {
    let mut rows = matrix.to_vec();
    for k in 0..rows.len() {
        if !rows[k][k].is_positive() {
            return false;
        }
        for j in k + 1..rows.len() {
            let factor = &rows[j][k] / &rows[k][k];
            for i in 0..rows.len() {
                let part = &factor * &rows[k][i];
                rows[j][i] -= part;
            }
        }
    }
    true
}

fn public(largest_label: i64, weight: i64) -> Public {
    Public {
        l: 3,
        largest_label,
        weight,
        variance: ratio(1, 1000),
    }
}

#[test]
fn what_is_beyond_a_bound_is_clipped_to_it() {
    // Noise of this variance is 0 but for e^-500.
    let run = |records: Vec<(Vec<i64>, i64)>| {
        let (mut coins, _) = same_coins(0);
        let s = Points::new(5, 2, records).unwrap();
        learn(&s, &public(4, 2), &mut coins).unwrap()
    };
    // G above the diagonal, and 2 y phi.
    assert_eq!(run(vec![(vec![3, -2], 4)]), big(&[9, -6, 4, 24, -16]));
    assert_eq!(run(vec![(vec![4, -2], 5)]), run(vec![(vec![3, -2], 4)]));
    assert_eq!(
        run(vec![(vec![-5, 0], i64::MIN)]),
        run(vec![(vec![-3, 0], -4)])
    );
    assert_eq!(run(vec![(vec![0, 0], 4)]), big(&[0; 5]));
    assert_eq!(run(vec![]), big(&[0; 5]));
    let both = run(vec![(vec![3, -2], 4), (vec![1, 1], -1)]);
    assert_eq!(both, big(&[10, -5, 5, 22, -18]));
}

#[test]
fn the_certificate_is_the_shipped_one_on_its_boundaries() {
    // phi_one = 8, l = 6, D = 2: the formula changes where b^2 > 1 + 1/D, that is w B > sqrt(96) = 9.79 steps. (No instance
    // meets it: D (D + 1) is no square.)
    // In fourths: (1 + l^2)/2 + b^2, 1 + l^2 + 2 b^2 + b^4 D/(D + 1) and l^2 + 4 b^2 - 1/D, times 8^4.
    for (b, neighbours, squared) in [
        (9, AddOrRemove, 8384i64),
        (9, Substitute, 4096 + 2304 + 2 * 64 * 81 + 2 * 81 * 81 / 3),
        (10, Substitute, 2304 + 4 * 64 * 100 - 4096 / 2),
    ] {
        let found = dp_assay::privacy::discrete_gaussian::variance(
            &budget(neighbours),
            &BigInt::from(squared),
            5,
        )
        .unwrap();
        let (epsilon, delta) = one_in_a_thousand();
        let enough = |variance: Rational| {
            let public = Public {
                l: 6,
                variance,
                ..public(b, 1)
            };
            is_enough(
                &public,
                (8, 2),
                (&epsilon, &delta),
                crate::lent::relation(neighbours),
            )
            .unwrap()
        };
        assert!(enough(found.clone()));
        assert!(!enough(found * ratio(999, 1000)));
    }
}
