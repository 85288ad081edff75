//! The repaired learners of `lnsx25`: what they promise holds on random neighbours, and each broken twin is
//! told from the learner by the exact profile of two neighbours.

use dp_assay::coins::{ChaCha, Coins, CoinsError, Law, Meter, Outcomes, Promise, Stage};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::law::{AboveThenAnswer, Noise};
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::optimise::{FeatureMatrix, OptimiseError};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::privacy::meter::meter;
use dp_assay::privacy::{Budget, NeighbouringRelation, discrete_gaussian};
use dp_assay::random_features::bounds::ridge_sensitivity;
use dp_assay::random_features::steps::{self, Fit, RidgeParameters};
use dp_assay::random_features::{
    Dataset, Domain, HiddenOrder, RandomFeatureError, Record, clipped_interpolation,
    clipped_kaczmarz, ridge_of_bounded_labels, ridge_of_normed_labels,
};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use std::cell::Cell;

fn grid(bits: u32) -> Grid {
    Grid::new(bits).unwrap()
}

/// Labels in quarters, of magnitude at most 1.
fn domain(neighbours: NeighbouringRelation, records: usize) -> Domain {
    Domain {
        input_grid: grid(0),
        dimension: 1,
        largest_feature: 1,
        label_grid: grid(2),
        largest_label: 4,
        neighbours,
        records,
    }
}

/// A dataset with these labels; the matrix of features is given apart.
fn labelled(domain: Domain, labels: &[i64]) -> Dataset {
    let record = |&label: &i64| Record {
        features: vec![0],
        label,
    };
    Dataset::new(domain, labels.iter().map(record).collect()).unwrap()
}

/// Rows in steps of 2^-4.
fn matrix(rows: &[Vec<i32>]) -> FeatureMatrix {
    FeatureMatrix::new(grid(4), rows.first().map_or(2, Vec::len), rows).unwrap()
}

fn budget(neighbours: NeighbouringRelation) -> Budget {
    Budget::approximate(integer(1), ratio(1, 1000), neighbours).unwrap()
}

fn ridge(
    neighbours: NeighbouringRelation,
    records: usize,
    rows: &[Vec<i32>],
    labels: &[i64],
    penalty: Rational,
    bits: u32,
) -> Fit {
    let parameters = RidgeParameters {
        penalty,
        coefficient_grid: grid(bits),
    };
    let data = labelled(domain(neighbours, records), labels);
    ridge_of_bounded_labels::fit(&data, &matrix(rows), &parameters).unwrap()
}

fn squared_distance(one: &Fit, other: &Fit) -> Rational {
    let gaps = one.coefficients.iter().zip(&other.coefficients);
    let squared: i128 = gaps.map(|(a, b)| i128::from(a - b).pow(2)).sum();
    integer(squared) / integer(one.grid.one()).pow(2)
}

/// Whether this noise tells the two vectors apart by more than the budget: by the exact profile.
fn leaks(one: &Fit, other: &Fit, noise: &DiscreteGaussian, budget: &Budget) -> bool {
    let shift: Vec<i64> = one
        .coefficients
        .iter()
        .zip(&other.coefficients)
        .map(|(a, b)| a - b)
        .collect();
    let delta = discrete_gaussian::profile_of_shift(noise.variance(), &shift, budget.epsilon(), 40)
        .unwrap();
    assert!(delta.lower() > *budget.delta() || delta.upper() <= *budget.delta());
    delta.lower() > *budget.delta()
}

/// The noise that a twin would add who believes in another sensitivity.
fn noise_for(sensitivity: &Rational, fit: &Fit, budget: &Budget) -> DiscreteGaussian {
    steps::noise(sensitivity, fit.grid, fit.coefficients.len(), budget).unwrap()
}

/// The ridge minimum in one dimension.
fn minimum(records: &[(Rational, Rational)], penalty: &Rational) -> Rational {
    let right: Rational = records.iter().map(|(a, y)| a * y).sum();
    let square: Rational = records.iter().map(|(a, _)| a * a).sum();
    right / (square + penalty)
}

// Broken twins.

#[test]
fn noise_on_the_cosines_alone_leaves_the_sines_in_clear() {
    // A record at angle pi/2, about: only its sine is not 0.
    let frequencies = Frequencies::new(grid(10), 1, vec![1608]).unwrap();
    let map = FeatureMap::new(frequencies, grid(0), grid(4)).unwrap();
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: grid(3),
    };
    let fit = |label| {
        let record = Record {
            features: vec![1],
            label,
        };
        let data = Dataset::new(domain(Substitute, 1), vec![record]).unwrap();
        clipped_interpolation::fit(&data, &data.features(&map).unwrap(), &parameters).unwrap()
    };
    let (one, other) = (fit(4), fit(-4));
    assert_ne!(one.coefficients[1], other.coefficients[1]);
    // The learner: no coordinate of thirty releases is always the exact one (chance below 2^-30).
    let budget = budget(Substitute);
    let noise = one.noise(&budget).unwrap();
    let mut coins = ChaCha::reproducible(1, 0);
    let releases: Vec<_> = (0..30)
        .map(|_| one.release_with((&noise, &budget), &mut coins).unwrap())
        .collect();
    for k in 0..2 {
        let exact = one.coefficients[k].into();
        assert!(releases.iter().any(|model| model.coefficients[k] != exact));
    }
    // The twin puts the exact sine back: {the sine's coefficient is one's} has probability 1 and 0.
    let twin = |fit: &Fit, coins: &mut ChaCha| {
        let mut model = fit.release_with((&noise, &budget), coins).unwrap();
        model.coefficients[1] = fit.coefficients[1].into();
        model
    };
    for _ in 0..30 {
        assert_eq!(
            twin(&one, &mut coins).coefficients[1],
            one.coefficients[1].into()
        );
        assert_ne!(
            twin(&other, &mut coins).coefficients[1],
            one.coefficients[1].into()
        );
    }
}

#[test]
fn the_sensitivity_of_long_features_for_short_ones_is_caught() {
    // 4/sqrt(N) belongs to rows of norm sqrt(N); here N = 100.
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: grid(3),
    };
    let fit = |label| {
        let data = labelled(domain(Substitute, 2), &[label, 0]);
        clipped_interpolation::fit(&data, &matrix(&[vec![8, 0], vec![0, 8]]), &parameters).unwrap()
    };
    let (one, other) = (fit(4), fit(-4));
    let budget = budget(Substitute);
    assert!(!leaks(&one, &other, &one.noise(&budget).unwrap(), &budget));
    let twin = noise_for(&ratio(4, 10), &one, &budget);
    assert!(leaks(&one, &other, &twin, &budget));
}

#[test]
fn the_missing_factor_two_is_caught() {
    let budget = budget(Substitute);
    let rows = [vec![16, 0]];
    // R3 and R2 with Lambda = 1: 1/2 and -1/2.
    let fit = |label| ridge(Substitute, 1, &rows, &[label], integer(1), 4);
    let (one, other) = (fit(4), fit(-4));
    let removed = ridge(AddOrRemove, 1, &rows, &[4], integer(1), 4).sensitivity;
    assert!(!leaks(&one, &other, &one.noise(&budget).unwrap(), &budget));
    assert!(leaks(
        &one,
        &other,
        &noise_for(&removed, &one, &budget),
        &budget
    ));
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: grid(4),
    };
    let fit = |neighbours, label| {
        let data = labelled(domain(neighbours, 1), &[label]);
        ridge_of_normed_labels::fit(&data, &matrix(&rows), &parameters).unwrap()
    };
    let (one, other) = (fit(Substitute, 4), fit(Substitute, -4));
    let removed = fit(AddOrRemove, 4).sensitivity;
    assert!(!leaks(&one, &other, &one.noise(&budget).unwrap(), &budget));
    assert!(leaks(
        &one,
        &other,
        &noise_for(&removed, &one, &budget),
        &budget
    ));
    // R4 with tau = 1: 1 and -1.
    let (one, other) = (
        pass(Substitute, 1, &rows, &[4], 4),
        pass(Substitute, 1, &rows, &[-4], 4),
    );
    let removed = pass(AddOrRemove, 1, &rows, &[4], 4).sensitivity;
    assert!(!leaks(&one, &other, &one.noise(&budget).unwrap(), &budget));
    assert!(leaks(
        &one,
        &other,
        &noise_for(&removed, &one, &budget),
        &budget
    ));
}

/// R4 with `tau = 1`, in the order given.
fn pass(
    neighbours: NeighbouringRelation,
    records: usize,
    rows: &[Vec<i32>],
    labels: &[i64],
    bits: u32,
) -> Fit {
    let parameters = clipped_kaczmarz::Parameters {
        residual_bound: integer(1),
        order: clipped_kaczmarz::Order::AsGiven,
        coefficient_grid: grid(bits),
    };
    let data = labelled(domain(neighbours, records), labels);
    let mut coins = ChaCha::reproducible(1, 0);
    clipped_kaczmarz::fit(&data, &matrix(rows), &parameters, &mut coins).unwrap()
}

#[test]
fn a_penalty_tied_to_the_number_of_records_is_caught() {
    // lambda = 1/16: rows 1/4 (label 1) and 3/4 (label -1), the second removed.
    let budget = budget(AddOrRemove);
    let both = |penalty| {
        let rows = [vec![4, 0], vec![12, 0]];
        ridge(AddOrRemove, 2, &rows, &[4, -4], penalty, 4)
    };
    let one = |penalty| ridge(AddOrRemove, 2, &[vec![4, 0]], &[4], penalty, 4);
    // Lambda = 1/8 for both.
    let fixed = (both(ratio(1, 8)), one(ratio(1, 8)));
    assert!(!leaks(
        &fixed.0,
        &fixed.1,
        &fixed.0.noise(&budget).unwrap(),
        &budget
    ));
    // Lambda = m lambda: 1/8 and 1/16.
    let tied = (both(ratio(1, 8)), one(ratio(1, 16)));
    assert!(squared_distance(&tied.0, &tied.1) > tied.0.sensitivity.pow(2));
    assert!(leaks(
        &tied.0,
        &tied.1,
        &tied.0.noise(&budget).unwrap(),
        &budget
    ));
}

#[test]
fn a_gap_that_is_not_added_is_caught() {
    // One column, Lambda = 47/16: 16/63 and -16/63, which become 1/2 and -1/2 on a grid of halves.
    let budget = budget(Substitute);
    let penalty = ratio(47, 16);
    let fit = |label| ridge(Substitute, 1, &[vec![16]], &[label], penalty.clone(), 1);
    let (one, other) = (fit(4), fit(-4));
    let exact = ridge_sensitivity::substitution(&integer(1), &penalty, 1).unwrap();
    assert_eq!(squared_distance(&one, &other), integer(1));
    assert!(integer(1) <= one.sensitivity && one.sensitivity < ratio(11, 10));
    assert!(!leaks(&one, &other, &one.noise(&budget).unwrap(), &budget));
    assert!(leaks(
        &one,
        &other,
        &noise_for(&exact, &one, &budget),
        &budget
    ));
    // Added once instead of twice: half a step for one of the two.
    let once = exact + ratio(1, 4);
    assert!(once < integer(1));
    assert!(leaks(
        &one,
        &other,
        &noise_for(&once, &one, &budget),
        &budget
    ));
}

#[test]
fn a_feature_longer_than_one_is_refused_and_would_move_farther() {
    let refused = FeatureMatrix::new(grid(4), 2, &[vec![16, 1]]);
    assert_eq!(refused, Err(OptimiseError::RowTooLong { row: 0 }));
    let penalty = integer(16);
    let bound = ridge_sensitivity::removal(&integer(1), &penalty, 1).unwrap();
    assert!(minimum(&[(integer(1), integer(1))], &penalty) <= bound);
    assert!(minimum(&[(integer(2), integer(1))], &penalty) > bound);
}

#[test]
fn a_label_beyond_its_bound_is_refused_and_would_move_farther() {
    let record = Record {
        features: vec![0],
        label: 5,
    };
    let refused = Dataset::new(domain(Substitute, 1), vec![record]);
    let expected = RandomFeatureError::BeyondBound {
        what: "label",
        record: 0,
    };
    assert_eq!(refused, Err(expected));
    let bound = ridge_sensitivity::removal(&integer(1), &integer(1), 1).unwrap();
    assert!(minimum(&[(integer(1), integer(1))], &integer(1)) <= bound);
    assert!(minimum(&[(integer(1), ratio(5, 4))], &integer(1)) > bound);
}

#[test]
fn labels_divided_by_their_own_norm_are_caught() {
    // 99 rows 1 with label 1, and a row of zeros whose label is 1 or 49: the norms are 10 and 50.
    let penalty = integer(99);
    let fit = |norm: i64| minimum(&vec![(integer(1), ratio(1, norm)); 99], &penalty);
    let bound = ridge_sensitivity::substitution(&integer(1), &penalty, 100).unwrap();
    assert!((fit(10) - fit(50)).abs() > bound);
    // Undivided, that label moves nothing at all.
    assert_eq!(fit(1), fit(1));
}

#[test]
fn residuals_dropped_instead_of_clipped_are_caught() {
    // One dimension, tau = 1, rows 1: a residual beyond tau counts as 0, which is not monotone.
    let twin = |labels: &[i64]| {
        labels.iter().fold(0i64, |c, y| {
            let residual = y - c;
            if residual.abs() > 1 { c } else { c + residual }
        })
    };
    assert_eq!(twin(&[1, 2]) - twin(&[-1, 2]), 3);
    // Clipped: at most 2, whatever comes after.
    let clip = |labels: &[i64]| labels.iter().fold(0i64, |c, y| c + (y - c).clamp(-1, 1));
    let mut largest = 0;
    for code in 0..9i64.pow(3) {
        let label = |place: u32| code / 9i64.pow(place) % 9 - 4;
        for first in -4..=4 {
            let one = clip(&[label(0), label(1), label(2)]);
            let other = clip(&[first, label(1), label(2)]);
            largest = largest.max((one - other).abs());
        }
    }
    assert_eq!(largest, 2);
}

#[test]
fn the_sensitivity_does_not_tell_how_many_records_there_are() {
    // Under removal the number of records is private: the noise of neighbours is the same.
    let rows = vec![vec![8, 0]; 4];
    let fit = |m: usize| ridge(AddOrRemove, 5, &rows[..m], &[4; 4][..m], integer(1), 4);
    let passed = |m: usize| pass(AddOrRemove, 5, &rows[..m], &[4; 4][..m], 4);
    for m in 1..4 {
        assert_eq!(fit(m).sensitivity, fit(4).sensitivity);
        assert_eq!(passed(m).sensitivity, passed(4).sensitivity);
    }
}

#[test]
fn a_budget_under_the_other_relation_is_refused() {
    let fit = ridge(Substitute, 1, &[vec![16, 0]], &[4], integer(1), 4);
    let refused = fit.noise(&budget(AddOrRemove));
    assert!(matches!(refused, Err(RandomFeatureError::Privacy(_))));
}

#[test]
fn parameters_out_of_range_are_refused() {
    let data = labelled(domain(Substitute, 1), &[4]);
    let features = matrix(&[vec![16, 0]]);
    for (eta, bits) in [(ratio(1, 2), 8), (integer(0), 8), (integer(-1), 8)] {
        let parameters = clipped_interpolation::Parameters {
            eta,
            coefficient_grid: grid(bits),
        };
        let refused = clipped_interpolation::fit(&data, &features, &parameters);
        assert!(matches!(refused, Err(RandomFeatureError::Parameter { .. })));
    }
    for penalty in [integer(0), integer(-1), ratio(1, 3)] {
        let parameters = RidgeParameters {
            penalty,
            coefficient_grid: grid(8),
        };
        assert!(ridge_of_bounded_labels::fit(&data, &features, &parameters).is_err());
    }
    let long = labelled(domain(Substitute, 2), &[4, 1]);
    let features = matrix(&[vec![16, 0], vec![0, 16]]);
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: grid(8),
    };
    assert_eq!(
        ridge_of_normed_labels::fit(&long, &features, &parameters),
        Err(RandomFeatureError::LabelsTooLong)
    );
}

#[test]
fn coefficients_that_might_not_fit_are_refused_whatever_the_labels_are() {
    // With labels up to 2^30 and steps of 2^-40 a coefficient may need 69 bits.
    let wide = Domain {
        label_grid: grid(0),
        largest_label: 1 << 30,
        ..domain(Substitute, 1)
    };
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: grid(40),
    };
    let features = matrix(&[vec![16, 0]]);
    for label in [0, 1 << 30] {
        let refused =
            ridge_of_bounded_labels::fit(&labelled(wide, &[label]), &features, &parameters);
        assert!(matches!(refused, Err(RandomFeatureError::Overflow { .. })));
    }
}

#[test]
fn a_pass_that_might_overflow_is_refused_whatever_the_number_of_records_is() {
    // One step of 2^18 fits on a grid of 2^-40, and eight do not: the cap decides, not the data.
    let parameters = clipped_kaczmarz::Parameters {
        residual_bound: integer(1 << 18),
        order: clipped_kaczmarz::Order::AsGiven,
        coefficient_grid: grid(40),
    };
    for m in [0, 1, 8] {
        let data = labelled(domain(AddOrRemove, 8), &vec![4; m]);
        let rows = vec![vec![2, 0]; m];
        let features = FeatureMatrix::new(grid(1), 2, &rows).unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        let refused = clipped_kaczmarz::fit(&data, &features, &parameters, &mut coins);
        assert!(matches!(
            refused,
            Err(RandomFeatureError::Optimise(OptimiseError::Overflow { .. }))
        ));
    }
}

#[test]
fn a_cap_on_the_records_that_the_solvers_cannot_hold_is_refused_without_any_record() {
    let most = 1 << 20;
    assert!(Dataset::new(domain(AddOrRemove, most), Vec::new()).is_ok());
    let refused = Dataset::new(domain(AddOrRemove, most + 1), Vec::new());
    assert!(matches!(refused, Err(RandomFeatureError::Parameter { .. })));
}

#[test]
fn an_interpolation_that_fails_is_zero_and_not_an_error() {
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: grid(8),
    };
    for rows in [[vec![16, 0], vec![16, 0]], [vec![0, 0], vec![16, 0]]] {
        let data = labelled(domain(Substitute, 2), &[4, -4]);
        let fit = clipped_interpolation::fit(&data, &matrix(&rows), &parameters).unwrap();
        assert_eq!(fit.coefficients, [0, 0]);
    }
}

// The learners from end to end.

/// Points of [0, 1) in steps of 2^-8, labels 1 or -1 by the halves.
fn steps(m: usize, neighbours: NeighbouringRelation) -> Dataset {
    let domain = Domain {
        input_grid: grid(8),
        dimension: 1,
        largest_feature: 256,
        label_grid: grid(2),
        largest_label: 4,
        neighbours,
        records: m,
    };
    let records = (0..m as i64)
        .map(|j| Record {
            features: vec![j * 97 % 256],
            label: if j * 97 % 256 < 128 { 4 } else { -4 },
        })
        .collect();
    Dataset::new(domain, records).unwrap()
}

fn map() -> FeatureMap {
    let mut coins = ChaCha::reproducible(11, 0);
    let frequencies = Frequencies::draw(40, 1, &integer(16), grid(16), &mut coins).unwrap();
    FeatureMap::new(frequencies, grid(8), grid(20)).unwrap()
}

#[test]
fn with_enough_records_ridge_regression_is_private_and_learns() {
    let (data, map) = (steps(2000, Substitute), map());
    let budget = Budget::approximate(integer(1), parse("1e-5").unwrap(), Substitute).unwrap();
    let parameters = RidgeParameters {
        penalty: integer(64),
        coefficient_grid: grid(20),
    };
    let learn = |seed| {
        let mut coins = ChaCha::reproducible(seed, 0);
        ridge_of_bounded_labels::learn(&data, &map, &parameters, &budget, &mut coins).unwrap()
    };
    let model = learn(1);
    assert_eq!(model, learn(1));
    assert_ne!(model, learn(2));
    // The zero predictor and the mean predictor have error 1.
    let error: Rational = (0..256)
        .map(|x| {
            let label = integer(if x < 128 { 1 } else { -1 });
            (model.predict(&map, &[x]).unwrap() - label).pow(2)
        })
        .sum();
    assert!(error / integer(256) < ratio(1, 2));
}

#[test]
fn every_learner_answers_under_both_relations() {
    let map = map();
    for neighbours in [Substitute, AddOrRemove] {
        let data = steps(20, neighbours);
        let budget = Budget::approximate(integer(1), ratio(1, 1000), neighbours).unwrap();
        let coins = &mut ChaCha::reproducible(1, 0);
        let ridge = RidgeParameters {
            penalty: integer(1),
            coefficient_grid: grid(20),
        };
        let clip = clipped_interpolation::Parameters {
            eta: ratio(3, 8),
            coefficient_grid: grid(20),
        };
        let kaczmarz = clipped_kaczmarz::Parameters {
            residual_bound: integer(1),
            order: clipped_kaczmarz::Order::Random,
            coefficient_grid: grid(20),
        };
        let models = [
            ridge_of_bounded_labels::learn(&data, &map, &ridge, &budget, coins).unwrap(),
            clipped_interpolation::learn(&data, &map, &clip, &budget, coins).unwrap(),
            clipped_kaczmarz::learn(&data, &map, &kaczmarz, &budget, coins).unwrap(),
        ];
        assert!(models.iter().all(|model| model.coefficients.len() == 80));
        // Labels of norm sqrt(20) are not R2's.
        let refused = ridge_of_normed_labels::learn(&data, &map, &ridge, &budget, coins);
        assert_eq!(refused, Err(RandomFeatureError::LabelsTooLong));
    }
}

#[test]
fn the_order_of_a_random_pass_is_drawn_from_the_coins() {
    let rows = [vec![16, 0], vec![10, 12]];
    let parameters = clipped_kaczmarz::Parameters {
        residual_bound: integer(1),
        order: clipped_kaczmarz::Order::Random,
        coefficient_grid: grid(10),
    };
    let data = labelled(domain(Substitute, 2), &[4, 2]);
    let fit = |seed| {
        let mut coins = ChaCha::reproducible(seed, 0);
        clipped_kaczmarz::fit(&data, &matrix(&rows), &parameters, &mut coins)
            .unwrap()
            .coefficients
    };
    let found: std::collections::BTreeSet<_> = (0..40).map(fit).collect();
    assert_eq!(found.len(), 2);
}

// Random neighbours.

/// Up to five rows of norm at most 1 in three columns, their labels, and one record more.
fn rows_and_labels() -> impl Strategy<Value = (Vec<Vec<i32>>, Vec<i64>, Vec<i32>, i64)> {
    let row = || {
        proptest::collection::vec(-16i32..=16, 3).prop_filter("norm at most 1", |row| {
            row.iter().map(|a| a * a).sum::<i32>() <= 256
        })
    };
    (1usize..5).prop_flat_map(move |m| {
        (
            proptest::collection::vec(row(), m),
            proptest::collection::vec(-4i64..=4, m),
            row(),
            -4i64..=4,
        )
    })
}

/// So many neighbours of each learner: fewer by day.
fn cases() -> ProptestConfig {
    ProptestConfig::with_cases(match std::env::var_os("NIGHTLY") {
        Some(_) => 60,
        None => 20,
    })
}

proptest! {
    #![proptest_config(cases())]
    #[test]
    fn neighbours_stay_within_the_sensitivity_of_bounded_labels((rows, labels, row, label) in rows_and_labels(), p in 0usize..4, bits in 1u32..12) {
        let penalty = [ratio(1, 4), integer(1), integer(3), integer(40)][p].clone();
        let m = rows.len();
        let fit = |neighbours, rows: &[Vec<i32>], labels: &[i64]| ridge(neighbours, m, rows, labels, penalty.clone(), bits);
        let (mut others, mut other_labels) = (rows.clone(), labels.clone());
        others[0] = row;
        other_labels[0] = label;
        let one = fit(Substitute, &rows, &labels);
        let two = fit(Substitute, &others, &other_labels);
        prop_assert!(squared_distance(&one, &two) <= one.sensitivity.pow(2));
        let one = fit(AddOrRemove, &rows, &labels);
        if m > 1 {
            let two = fit(AddOrRemove, &rows[1..], &labels[1..]);
            prop_assert!(squared_distance(&one, &two) <= one.sensitivity.pow(2));
        }
    }

    #[test]
    fn neighbours_stay_within_the_sensitivity_of_normed_labels((rows, labels, row, label) in rows_and_labels(), p in 0usize..3) {
        let penalty = [ratio(1, 16), ratio(1, 4), integer(2)][p].clone();
        // Labels in sixteenths, so that five of them have norm at most 1.
        let narrow = |neighbours| Domain { label_grid: grid(4), ..domain(neighbours, 4) };
        let fit = |neighbours, rows: &[Vec<i32>], labels: &[i64]| {
            let domain = Domain { records: rows.len().max(if neighbours == Substitute { 0 } else { 5 }), ..narrow(neighbours) };
            let parameters = RidgeParameters { penalty: penalty.clone(), coefficient_grid: grid(8) };
            ridge_of_normed_labels::fit(&labelled(domain, labels), &matrix(rows), &parameters).unwrap()
        };
        let (mut others, mut other_labels) = (rows.clone(), labels.clone());
        others[0] = row;
        other_labels[0] = label;
        let one = fit(Substitute, &rows, &labels);
        let two = fit(Substitute, &others, &other_labels);
        prop_assert!(squared_distance(&one, &two) <= one.sensitivity.pow(2));
        if rows.len() > 1 {
            let one = fit(AddOrRemove, &rows, &labels);
            let two = fit(AddOrRemove, &rows[1..], &labels[1..]);
            prop_assert!(squared_distance(&one, &two) <= one.sensitivity.pow(2));
        }
    }

    #[test]
    fn neighbours_stay_within_the_sensitivity_of_a_clipped_pass((rows, labels, row, label) in rows_and_labels(), bits in 0u32..12) {
        let m = rows.len();
        let (mut others, mut other_labels) = (rows.clone(), labels.clone());
        others[0] = row;
        other_labels[0] = label;
        let one = pass(Substitute, m, &rows, &labels, bits);
        let two = pass(Substitute, m, &others, &other_labels, bits);
        prop_assert!(squared_distance(&one, &two) <= one.sensitivity.pow(2));
        let one = pass(AddOrRemove, m, &rows, &labels, bits);
        if m > 1 {
            let two = pass(AddOrRemove, m, &rows[1..], &labels[1..], bits);
            prop_assert!(squared_distance(&one, &two) <= one.sensitivity.pow(2));
        }
    }

    #[test]
    fn whatever_the_data_the_clipped_interpolation_is_in_the_ball((rows, labels, _, _) in rows_and_labels()) {
        let data = labelled(domain(Substitute, rows.len()), &labels);
        let parameters = clipped_interpolation::Parameters { eta: ratio(3, 8), coefficient_grid: grid(8) };
        let fit = clipped_interpolation::fit(&data, &matrix(&rows), &parameters).unwrap();
        let zero = Fit { coefficients: vec![0; 3], ..fit.clone() };
        prop_assert!(squared_distance(&fit, &zero) <= integer(4));
        prop_assert!(!fit.sensitivity.is_zero() && fit.sensitivity <= integer(4));
    }
}

/// What the meter finds of a program on three records and on two; it draws a hidden order of them, too, which is not coupled
/// from two to three.
fn found_with_a_hidden_order(
    program: impl Fn(i64, &mut Meter) -> Result<i64, CoinsError> + Sync,
) -> String {
    let of = |n: usize| {
        let record = Record {
            features: vec![1],
            label: 0,
        };
        Dataset::new(domain(AddOrRemove, 3), vec![record; n]).unwrap()
    };
    let learner = |data: &Dataset, coins: &mut Meter| {
        let told = program(3 - data.records().len() as i64, coins)?;
        coins.stage(&Stage::public("an order"));
        coins.draw_hidden(&HiddenOrder::of(data))?;
        Ok::<_, CoinsError>(told)
    };
    let claim = Budget::pure(ratio(3, 10), AddOrRemove).unwrap();
    let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
    let report = meter(learner, &of(3), &of(2), outcomes, &claim).unwrap();
    report.faults().join("; ")
}

#[test]
fn rounds_that_cost_more_on_a_way_back_without_coupling_are_found() {
    // A test that costs 1/5 to be told where the record is there, and nothing where it is not.
    let found = found_with_a_hidden_order(|removed, coins| {
        let whole = Promise::Pure(ratio(3, 10));
        let stage = Stage::above("the rounds", ratio(1, 10), 1, ratio(1, 10), whole);
        coins.stage(&stage);
        let noise = DiscreteLaplace::new(integer(10))?;
        let hidden = coins.draw_moved(&noise.around(0), &1.into())?;
        let test = DiscreteLaplace::new(integer(20))?;
        let round = AboveThenAnswer::new([removed - hidden, removed.into()], &test, &noise);
        Ok(i64::from(coins.draw(&round)?.is_some()))
    });
    assert!(
        found.contains("are not compared on the way back"),
        "{found}"
    );
}

thread_local! {
    static DRAWN: Cell<u32> = const { Cell::new(0) };
}

/// A fair coin that counts how often it is thrown.
#[derive(Debug, Clone, PartialEq)]
struct Counting;

impl Law for Counting {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<bool, CoinsError> {
        DRAWN.set(DRAWN.get() + 1);
        coins.bernoulli(&ratio(1, 2))
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(Enclosure::of(&ratio(1, 2), bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        [true, false].get(index as usize).copied()
    }
}

#[test]
fn what_a_law_does_on_one_side_only_is_found_without_a_way_back() {
    // How many records there are is told where the law was drawn once, as it never is on the second side.
    let found = found_with_a_hidden_order(|removed, coins| {
        coins.stage(&Stage::public("a coin"));
        DRAWN.set(0);
        coins.draw(&Counting)?;
        Ok(if DRAWN.get() == 1 { removed } else { 0 })
    });
    assert!(
        found.contains("on the second dataset and itself"),
        "{found}"
    );
}
