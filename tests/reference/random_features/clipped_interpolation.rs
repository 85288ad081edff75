//! R1 against the shipped learner, which solves in floats: what it found is handed to the reference.

use super::support::{
    AddOrRemove, Instance, Substitute, big, budget, grid, instances, one_in_a_thousand, same_coins,
};
use dp_assay::coins::Coins;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::{OptimiseError, minimum_norm};
use dp_assay::random_features::clipped_interpolation as r1;
use dp_assay_reference::random_features::clipped_interpolation::{interpolation, is_enough, learn};
use num_bigint::BigInt;
use num_traits::Zero;

/// What the shipped solver makes of the data: as its learner asks for it.
fn solved(instance: &Instance) -> Result<Vec<Rational>, OptimiseError> {
    let tolerance = ratio(1, 1 << 16);
    let labels: Vec<i64> = instance.records.iter().map(|(_, y)| *y).collect();
    let found = minimum_norm::solve(
        &instance.matrix(),
        &labels,
        grid(instance.label_bits),
        &tolerance,
    )?;
    let one = integer(BigInt::from(1) << found.bits);
    Ok(found
        .coefficients
        .iter()
        .map(|&c| integer(c) / &one)
        .collect())
}

/// `1/sqrt(1 - 2 eta)` in steps, for eta = 3/8 and 12/25.
const CASES: [(i64, i64, i64); 2] = [(3, 8, 2), (12, 25, 5)];

#[test]
fn it_returns_what_the_shipped_learner_returns() {
    let (mut clipped, mut on_the_sphere, mut dependent, mut free) = (0, 0, 0, 0);
    for (seed, instance) in instances(400).into_iter().enumerate() {
        let (numerator, denominator, root) = CASES[seed % 2];
        let c_bits = [0, 1, 4, 10][seed / 2 % 4];
        let parameters = r1::Parameters {
            eta: ratio(numerator, denominator),
            coefficient_grid: grid(c_bits),
        };
        let (c_one, radius) = (1i64 << c_bits, root << c_bits);
        let budget = budget(instance.neighbours);
        let fit = r1::fit(&instance.dataset(), &instance.matrix(), &parameters).unwrap();
        let noise = fit.noise(&budget).unwrap();
        let c = match solved(&instance) {
            Ok(c) => c,
            Err(_) => {
                dependent += 1;
                vec![Rational::zero(); instance.columns]
            }
        };
        let (mut ours, mut theirs) = same_coins(seed as u64);
        let found = learn(&c, c_one, radius, noise.variance(), &mut ours).unwrap();
        let model = fit.release_with((&noise, &budget), &mut theirs).unwrap();
        assert_eq!(found, model.coefficients, "{instance:?}");
        assert_eq!(ours.consumed(), theirs.consumed());
        let squared: Rational = c.iter().map(|c| c * c).sum();
        match squared.cmp(&integer(root * root)) {
            std::cmp::Ordering::Less => free += 1,
            std::cmp::Ordering::Equal => on_the_sphere += 1,
            std::cmp::Ordering::Greater => clipped += 1,
        }
    }
    let counts = (clipped, dependent, free);
    assert!(clipped > 25 && dependent > 50 && free > 100, "{counts:?}");
    let _ = on_the_sphere;
}

#[test]
fn the_exact_interpolation_is_within_the_gap_of_the_shipped_one() {
    let mut interpolated = 0;
    for instance in instances(400) {
        let exact = interpolation(&instance.points(), instance.y_one());
        assert_eq!(exact.len(), instance.columns);
        match solved(&instance) {
            Ok(c) => {
                let apart = c.iter().zip(&exact).map(|(a, b)| (a - b) * (a - b));
                assert!(apart.sum::<Rational>() <= ratio(1, 1 << 32));
                interpolated += 1;
            }
            // No row is so close to dependent on these grids that the shipped solver gives it up.
            Err(_) => assert!(exact.iter().all(Rational::is_zero), "{instance:?}"),
        }
        // It interpolates, unless there is none.
        if exact.iter().any(|c| !c.is_zero()) {
            let phi_one = integer(1i64 << instance.feature_bits);
            for (row, y) in &instance.records {
                let sum: Rational = row.iter().zip(&exact).map(|(a, c)| c * integer(*a)).sum();
                assert_eq!(sum / &phi_one, ratio(*y, instance.y_one()));
            }
        }
    }
    assert!(interpolated > 100);
}

/// Rows of two columns in quarters, labels in eighths.
fn in_quarters(records: &[([i64; 2], i64)]) -> Instance {
    Instance {
        feature_bits: 2,
        label_bits: 3,
        largest_label: 100,
        columns: 2,
        most: records.len().max(1),
        neighbours: if records.is_empty() {
            AddOrRemove
        } else {
            Substitute
        },
        records: records.iter().map(|(row, y)| (row.to_vec(), *y)).collect(),
    }
}

#[test]
fn on_every_boundary_too() {
    // (what it is, the records, c in steps of 1/4 before the noise)
    let cases: [(&str, &[([i64; 2], i64)], [i64; 2]); 9] = [
        ("no record", &[], [0, 0]),
        ("a zero record", &[([0, 0], 8)], [0, 0]),
        (
            "the ball reached: c = (2, 0)",
            &[([2, 0], 8), ([0, 2], 0)],
            [8, 0],
        ),
        ("a step more", &[([4, 0], 18), ([0, 4], 0)], [8, 0]),
        (
            "beyond it, rounded towards zero",
            &[([4, 0], 16), ([0, 4], -16)],
            [5, -5],
        ),
        (
            "equal rows, unequal labels",
            &[([4, 0], 8), ([4, 0], -8)],
            [0, 0],
        ),
        (
            "equal rows, equal labels",
            &[([4, 0], 8), ([4, 0], 8)],
            [0, 0],
        ),
        (
            "more records than columns",
            &[([4, 0], 8), ([0, 4], 8), ([2, 2], 8)],
            [0, 0],
        ),
        // 3/8 and -5/8 are 3/2 and -5/2 steps: to the even ones.
        ("two ties", &[([4, 0], 3), ([0, 4], -5)], [2, -2]),
    ];
    for (what, records, in_steps) in cases {
        let instance = in_quarters(records);
        let parameters = r1::Parameters {
            eta: ratio(3, 8),
            coefficient_grid: grid(2),
        };
        let fit = r1::fit(&instance.dataset(), &instance.matrix(), &parameters).unwrap();
        assert_eq!(fit.coefficients, in_steps, "{what}");
        let budget = budget(instance.neighbours);
        let noise = fit.noise(&budget).unwrap();
        let (mut ours, mut theirs) = same_coins(1);
        let exact = interpolation(&instance.points(), instance.y_one());
        let found = learn(&exact, 4, 8, noise.variance(), &mut ours).unwrap();
        let model = fit.release_with((&noise, &budget), &mut theirs).unwrap();
        assert_eq!(found, model.coefficients, "{what}");
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn any_function_of_the_data_ends_in_the_ball() {
    // With noise next to none the coefficients are seen.
    let quiet = ratio(1, 1000);
    for c in [
        [ratio(7, 3), ratio(-1, 5)],
        [integer(BigInt::from(10).pow(60)), integer(-1)],
        [integer(2), integer(0)],
        [integer(0), integer(0)],
    ] {
        let (mut coins, _) = same_coins(2);
        let found = learn(&c, 1 << 10, 2 << 10, &quiet, &mut coins).unwrap();
        let squared: BigInt = found.iter().map(|c| c * c).sum();
        assert!(squared <= BigInt::from(4i64 << 20));
    }
    let (mut coins, _) = same_coins(2);
    let found = learn(&[integer(2), integer(0)], 4, 8, &quiet, &mut coins).unwrap();
    assert_eq!(found, big(&[8, 0]));
}

#[test]
fn the_shipped_noise_is_certified_and_a_hundredth_less_is_not() {
    let (epsilon, delta) = one_in_a_thousand();
    for (instance, c_bits) in instances(12).iter().zip([1, 4, 10].iter().cycle()) {
        let parameters = r1::Parameters {
            eta: ratio(3, 8),
            coefficient_grid: grid(*c_bits),
        };
        let fit = r1::fit(&instance.dataset(), &instance.matrix(), &parameters).unwrap();
        let noise = fit.noise(&budget(instance.neighbours)).unwrap();
        let enough = |variance: &Rational| {
            let d = instance.columns as u64;
            is_enough(2 << c_bits, variance, d, (&epsilon, &delta)).unwrap()
        };
        assert!(enough(noise.variance()));
        assert!(!enough(&(noise.variance() * ratio(99, 100))));
    }
}
