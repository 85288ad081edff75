//! What the private learners are compared with: a support vector machine, which keeps nothing private.

use dp_assay::geometry::{Halfspace, Record};
use dp_assay::margin::Domain;
use dp_assay::number::{Rational, rational};

/// How often the records are gone through, at most.
const PASSES: usize = 100;

/// It ends where no step of a pass would have moved a coordinate by more.
const STILL: f64 = 1e-3;

/// The penalty of an error beside `|w|^2 / 2`: the usual one.
const PENALTY: f64 = 1.0;

/// The minimum of `|w|^2 / 2 + sum of max(0, 1 - y <w, x> / rho)` by descent in the coordinates of the dual (Hsieh,
/// Chang, Lin, Keerthi, Sundararajan 2008), in floats. *Not private*: it shows what the data allow.
pub fn learn(domain: Domain, records: &[Record], rho: &Rational) -> Halfspace {
    let step = 1.0 / (domain.grid().one() as f64 * rational::to_f64_for_display(rho));
    let points: Vec<Vec<f64>> = records
        .iter()
        .map(|record| {
            let signed = record.signed();
            signed.into_iter().map(|x| x as f64 * step).collect()
        })
        .collect();
    integers(&minimum(&points, domain.dimension()))
}

/// The minimum of `|w|^2 / 2 + sum of max(0, 1 - <w, z>)` over the points `z`.
pub fn minimum(points: &[Vec<f64>], dimension: usize) -> Vec<f64> {
    let mut w = vec![0.0; dimension];
    let mut weights = vec![0.0_f64; points.len()];
    let squares: Vec<f64> = points.iter().map(|z| dot(z, z)).collect();
    // A stride that has no factor in common with the number of records, so that neighbours in the file are far apart.
    let order = (0..points.len()).map(|i| i * stride(points.len()) % points.len());
    let order: Vec<usize> = order.collect();
    for _ in 0..PASSES {
        let mut largest = 0.0_f64;
        for &i in &order {
            if squares[i] == 0.0 {
                continue;
            }
            let gradient = dot(&w, &points[i]) - 1.0;
            let moved = (weights[i] - gradient / squares[i]).clamp(0.0, PENALTY);
            let change = moved - weights[i];
            weights[i] = moved;
            largest = largest.max(change.abs());
            if change != 0.0 {
                let coordinates = w.iter_mut().zip(&points[i]);
                coordinates.for_each(|(w, z)| *w += change * z);
            }
        }
        if largest < STILL {
            break;
        }
    }
    w
}

/// A number near the golden section of `n` that has no factor in common with it.
fn stride(n: usize) -> usize {
    let first = n * 5 / 8;
    let mut found = first..=n.max(1);
    found
        .find(|&k| num_integer::gcd(k, n.max(1)) == 1)
        .unwrap_or(1)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The direction in integers of at most 40 bits.
pub fn integers(w: &[f64]) -> Halfspace {
    let largest = w.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
    let scale = if largest > 0.0 {
        (1u64 << 40) as f64 / largest
    } else {
        0.0
    };
    Halfspace {
        direction: w.iter().map(|w| (w * scale).round() as i64).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_few_points_is_that_of_the_hand() {
        // |w|^2/2 + 2 max(0, 1 - w): w = 1. And |w|^2/2 + max(0, 1 - w/2): w = 1/2, inside the hinge.
        for (points, expected) in [
            (vec![vec![1.0], vec![1.0]], vec![1.0]),
            (vec![vec![0.5]], vec![0.5]),
            (vec![vec![2.0, 0.0], vec![0.0, 4.0]], vec![0.5, 0.25]),
            (vec![vec![0.0]], vec![0.0]),
        ] {
            let found = minimum(&points, expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-3, "{points:?}: {found}");
            }
        }
    }

    #[test]
    fn an_order_holds_each_record_once() {
        for n in 1..200 {
            let mut order: Vec<usize> = (0..n).map(|i| i * stride(n) % n).collect();
            order.sort_unstable();
            assert_eq!(order, (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_direction_keeps_its_signs() {
        assert_eq!(
            integers(&[-0.5, 0.25, 0.0]).direction,
            [-(1 << 40), 1 << 39, 0]
        );
        assert_eq!(integers(&[0.0]).direction, [0]);
    }
}
