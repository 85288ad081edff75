//! Algorithm 1 as coded, against the shipped twin and against computations of its own.

use super::support::{Small, Substitute, same_coins};
use dp_assay::coins::Coins;
use dp_assay::number::rational::{integer, nearest, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::exact::{Complex, minimum_norm, reals};
use dp_assay::privacy::Budget;
use dp_assay::random_features::as_coded as shipped;
use dp_assay::sample::{DiscreteGaussian, spherical_gaussian};
use dp_assay_reference::Error;
use dp_assay_reference::random_features::algorithm_1_as_coded::{
    Solver, divided_by_norm, min_max, our_method, pinv_times, private, randomized_kaczmarz,
    rf_gaussian,
};
use num_bigint::BigInt;
use num_traits::Zero;

/// Cosines of N = 8 features, of up to four records; some equal, some zero.
fn cosines(seed: u64) -> Vec<Vec<Rational>> {
    let mut small = Small::new(seed);
    let m = small.between(1, 4) as usize;
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for _ in 0..m {
        let row = match small.between(0, 5) {
            0 if !rows.is_empty() => rows[0].clone(),
            1 => vec![integer(0); 8],
            _ => (0..8).map(|_| ratio(small.between(-5, 5), 5)).collect(),
        };
        rows.push(row);
    }
    rows
}

fn plain(rows: &[Vec<Complex>]) -> Vec<Vec<Rational>> {
    rows.iter()
        .map(|row| row.iter().map(|entry| entry.re.clone()).collect())
        .collect()
}

fn claimed(seed: u64) -> (Rational, Rational) {
    [
        (integer(1), ratio(1, 100_000)),
        (ratio(1, 2), ratio(1, 100)),
        (integer(3), ratio(1, 7)),
    ][seed as usize % 3]
        .clone()
}

#[test]
fn it_returns_what_the_shipped_twin_returns() {
    let (mut solved, mut projected) = (0, 0);
    for seed in 0..300u64 {
        let rows = shipped::features(&cosines(seed)).unwrap();
        let a = plain(&rows);
        let mut small = Small::new(seed + 1000);
        let y: Vec<Rational> = a.iter().map(|_| ratio(small.between(0, 4), 4)).collect();
        let (epsilon, delta) = claimed(seed);
        let budget = Budget::approximate(epsilon.clone(), delta.clone(), Substitute).unwrap();
        let grid_bits = [0, 4, 16][seed as usize / 3 % 3];
        let noisy = |c: &[Rational], coins: &mut crate::lent::ChaCha| {
            private(c, &ratio(16, 8), &epsilon, &delta, 1 << grid_bits, coins).unwrap()
        };
        // The pseudo-inverse, where the shipped twin has it.
        let (mut ours, mut theirs) = same_coins(seed);
        if let Ok(theirs_of) =
            shipped::release_not_private(&rows, &y, &budget, grid_bits, &mut theirs)
        {
            assert_eq!(noisy(&pinv_times(&a, 8, &y), &mut ours), theirs_of);
            assert_eq!(ours.consumed(), theirs.consumed());
            solved += 1;
        }
        // Kaczmarz.
        let (mut ours, mut theirs) = same_coins(seed);
        let found = randomized_kaczmarz(&a, &y, vec![integer(0); 8], a.len(), &mut ours);
        match shipped::release_of_kaczmarz_not_private(&rows, &y, &budget, grid_bits, &mut theirs) {
            Ok(theirs_of) => {
                assert_eq!(noisy(&found.unwrap(), &mut ours), theirs_of);
                assert_eq!(ours.consumed(), theirs.consumed());
                projected += 1;
            }
            // A row of zeros was drawn.
            Err(_) => assert!(matches!(found, Err(Error::Undefined(_)))),
        }
    }
    assert!(solved > 100 && projected > 100 && projected < 300);
}

#[test]
fn the_pseudo_inverse_is_the_shortest_least_squares_solution() {
    for seed in 0..300u64 {
        let mut small = Small::new(seed);
        let (m, n) = (small.between(0, 4) as usize, small.between(1, 3) as usize);
        let mut a: Vec<Vec<Rational>> = Vec::new();
        for _ in 0..m {
            let copied = !a.is_empty() && small.between(0, 3) == 0;
            let row = (0..n).map(|_| integer(small.between(-2, 2))).collect();
            a.push(if copied { a[0].clone() } else { row });
        }
        let y: Vec<Rational> = (0..m).map(|_| integer(small.between(-3, 3))).collect();
        let c = pinv_times(&a, n, &y);
        assert_eq!(c.len(), n);
        let dot = |a: &[Rational], b: &[Rational]| -> Rational {
            a.iter().zip(b).map(|(a, b)| a * b).sum()
        };
        // Least squares: the residual is orthogonal to every column.
        for k in 0..n {
            let slope: Rational = a
                .iter()
                .zip(&y)
                .map(|(row, y)| &row[k] * (y - dot(row, &c)))
                .sum();
            assert!(slope.is_zero(), "{a:?} {y:?}");
        }
        // Shortest: c is a combination of rows, found as the interpolation of its own values at independent rows.
        let mut independent: Vec<Vec<Rational>> = Vec::new();
        for row in &a {
            let longer = [&independent[..], std::slice::from_ref(row)].concat();
            let rows: Vec<_> = longer.iter().map(|row| reals(row)).collect();
            if minimum_norm(&rows, &reals(&vec![integer(0); longer.len()])).is_ok() {
                independent = longer;
            }
        }
        let rows: Vec<_> = independent.iter().map(|row| reals(row)).collect();
        let values: Vec<Rational> = independent.iter().map(|row| dot(row, &c)).collect();
        let shortest = minimum_norm(&rows, &reals(&values)).unwrap();
        if !shortest.is_empty() {
            assert_eq!(reals(&c), shortest);
        } else {
            assert!(c.iter().all(Rational::is_zero));
        }
    }
}

#[test]
fn equal_inputs_have_the_mean_of_their_labels() {
    // Where the shipped twin has an error that names them (`lnsx25.a5`), the program says nothing.
    let a = [
        vec![integer(1), integer(0)],
        vec![integer(1), integer(0)],
        vec![integer(0), integer(2)],
    ];
    let y = [integer(0), integer(1), integer(3)];
    assert_eq!(pinv_times(&a, 2, &y), [ratio(1, 2), ratio(3, 2)]);
}

/// The features of `RF_Gaussian`, put together here of the same coins.
fn features(
    gamma: &Rational,
    (n, d): (usize, usize),
    x: &[Vec<i64>],
    one: i64,
    coins: &mut impl Coins,
) -> Vec<Vec<Rational>> {
    let deviation = gamma * integer(2 * one);
    let law = DiscreteGaussian::new(&deviation * &deviation).unwrap();
    let omega = spherical_gaussian(&law, n * d, coins).unwrap();
    let offsets: Vec<u64> = (0..n).map(|_| coins.bits(32).unwrap()).collect();
    let entry = |x: &[i64], k: usize| {
        // Coordinate i of frequency k is entry (i, k) of a matrix of n columns.
        let product: BigInt = (0..d).map(|i| &omega[i * n + k] * x[i]).sum();
        let angle = Enclosure::of(&Rational::new(product, BigInt::from(one) * one), 300);
        let offset = Enclosure::pi(300) * Enclosure::of(&ratio(offsets[k] as i64, 1 << 31), 300);
        let factor = Enclosure::of(&ratio(2, n as i64), 300).sqrt().unwrap();
        let value = (angle + offset).cos().unwrap() * factor * Enclosure::integer(one, 300);
        assert_eq!(nearest(&value.lower()), nearest(&value.upper()));
        Rational::new(nearest(&value.lower()), one.into())
    };
    x.iter()
        .map(|x| (0..n).map(|k| entry(x, k)).collect())
        .collect()
}

#[test]
fn the_whole_is_its_lines_one_after_the_other() {
    for seed in 0..60u64 {
        let mut small = Small::new(seed);
        let (m, n, d) = (
            small.between(0, 3) as usize,
            small.between(3, 5) as usize,
            small.between(1, 2) as usize,
        );
        let one = 1i64 << 8;
        let x: Vec<Vec<i64>> = (0..m)
            .map(|j| {
                if j == 1 {
                    vec![0; d]
                } else {
                    (0..d).map(|_| small.between(0, one)).collect()
                }
            })
            .collect();
        let raw: Vec<Rational> = (0..m).map(|_| integer(small.between(-3, 9))).collect();
        let y = if seed % 2 == 0 {
            min_max(&raw)
        } else {
            divided_by_norm(&raw, one).unwrap_or(raw)
        };
        let gamma = [integer(20), integer(2), ratio(1, 3)][seed as usize % 3].clone();
        let (epsilon, delta) = claimed(seed);
        for solver in [Solver::Pinv, Solver::Kaczmarz] {
            let (mut ours, mut theirs) = same_coins(seed);
            let found = our_method(
                (&x, &y),
                (&gamma, n, d),
                solver,
                (&epsilon, &delta),
                one,
                &mut ours,
            )
            .unwrap();
            let a = features(&gamma, (n, d), &x, one, &mut theirs);
            let c = match solver {
                Solver::Pinv => pinv_times(&a, n, &y),
                Solver::Kaczmarz => {
                    let rows: Vec<_> = a.iter().map(|row| reals(row)).collect();
                    let c = shipped::kaczmarz(&rows, &y, &mut theirs).unwrap();
                    // The shipped twin knows the number of features of no record.
                    if m == 0 {
                        vec![integer(0); n]
                    } else {
                        c.into_iter().map(|c| c.re).collect()
                    }
                }
            };
            let budget = Budget::approximate(epsilon.clone(), delta.clone(), Substitute).unwrap();
            let variance = shipped::variance(n as u64, &budget).unwrap().upper();
            let z = DiscreteGaussian::new((variance * integer(one * one)).ceil()).unwrap();
            let z = spherical_gaussian(&z, n, &mut theirs).unwrap();
            let released: Vec<BigInt> = c
                .iter()
                .zip(z)
                .map(|(c, z)| (c * integer(one)).round().to_integer() + z)
                .collect();
            assert_eq!(found, released);
            assert_eq!(ours.consumed(), theirs.consumed());
        }
    }
}

#[test]
fn features_have_a_norm_of_about_one() {
    let (mut coins, _) = same_coins(1);
    let x = [vec![100, 200], vec![0, 0]];
    let a = rf_gaussian(&integer(2), 400, 2, &x, 1 << 8, &mut coins).unwrap();
    for row in a {
        let squared: Rational = row.iter().map(|entry| entry * entry).sum();
        assert!(squared > ratio(3, 4) && squared < ratio(5, 4));
    }
}

#[test]
fn labels_are_divided_by_their_norm_as_in_the_shipped_twin() {
    let labels = [integer(3), integer(-4), integer(12)];
    let theirs = shipped::divided_by_their_norm(&labels).unwrap();
    // On a grid of 13ths it is exact.
    assert_eq!(divided_by_norm(&labels, 13).unwrap(), theirs);
    let found = divided_by_norm(&[integer(1), integer(1)], 1000).unwrap();
    assert_eq!(found, [ratio(707, 1000), ratio(707, 1000)]);
    assert!(divided_by_norm(&[integer(0)], 13).is_err());
    assert!(divided_by_norm(&[], 13).unwrap().is_empty());
}

#[test]
fn labels_are_placed_between_their_own_extremes() {
    let found = min_max(&[integer(3), integer(-1), integer(7)]);
    assert_eq!(found, [ratio(1, 2), integer(0), integer(1)]);
    assert_eq!(min_max(&[integer(5), integer(5)]), [integer(0), integer(0)]);
    assert!(min_max(&[]).is_empty());
}

#[test]
fn a_record_is_drawn_with_replacement_for_each_step() {
    // Two orthogonal records, two steps: one of them is missed in about half of the runs.
    let a = [vec![integer(1), integer(0)], vec![integer(0), integer(2)]];
    let y = [integer(1), integer(1)];
    let (mut both, mut one) = (0, 0);
    for seed in 0..100 {
        let (mut coins, _) = same_coins(seed);
        let c = randomized_kaczmarz(&a, &y, vec![integer(0); 2], 2, &mut coins).unwrap();
        match c.iter().filter(|c| c.is_zero()).count() {
            0 => both += 1,
            _ => one += 1,
        }
    }
    assert!(both > 30 && one > 30);
}
