//! The features against the shipped ones: the same frequencies of the same coins, and the same rows.

use super::support::{Small, grid, same_coins};
use dp_assay::coins::Coins;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::Error;
use dp_assay_reference::data::Points;
use dp_assay_reference::random_features::features::{fourier, frequencies, linear};

#[test]
fn frequencies_are_the_shipped_ones_of_the_same_coins() {
    for seed in 0..60 {
        let (n, d) = (1 + seed as usize % 7, 1 + seed as usize % 3);
        let squared_sigma = [ratio(1, 4), integer(40), ratio(7, 3)][seed as usize % 3].clone();
        let bits = [0, 3, 16][seed as usize % 3];
        let (mut ours, mut theirs) = same_coins(seed);
        let w = frequencies(n, d, &squared_sigma, 1 << bits, &mut ours).unwrap();
        let shipped = Frequencies::draw(n, d, &squared_sigma, grid(bits), &mut theirs).unwrap();
        assert!(w.iter().map(Vec::as_slice).eq(shipped.iter()));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

/// Points of the cube: its corners, its centre and others.
fn points(d: usize, one: i64, small: &mut Small) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0; d], vec![one; d], vec![-one; d]];
    points.extend((0..5).map(|_| (0..d).map(|_| small.between(-one, one)).collect()));
    points
}

#[test]
fn fourier_rows_are_the_shipped_ones_and_of_norm_at_most_one() {
    let mut entries = 0;
    for seed in 0..120u64 {
        let mut small = Small::new(seed);
        // N = 1, 4 and 16 have 1/sqrt(N) on the grid.
        let n = [1, 2, 3, 4, 5, 16][seed as usize % 6];
        let d = small.between(1, 3) as usize;
        let (w_bits, x_bits) = (small.between(0, 8) as u32, small.between(0, 8) as u32);
        let phi_bits = small.between(2, 24) as u32;
        // Frequency 0 among them: cos 0 = 1 and sin 0 = 0 are the entries that are no rounding.
        let mut w: Vec<Vec<i64>> = (0..n)
            .map(|_| {
                (0..d)
                    .map(|_| small.between(-5 << w_bits, 5 << w_bits))
                    .collect()
            })
            .collect();
        w[0] = vec![0; d];
        let shipped = Frequencies::new(grid(w_bits), d, w.concat()).unwrap();
        let map = FeatureMap::new(shipped, grid(x_bits), grid(phi_bits)).unwrap();
        for x in points(d, 1 << x_bits, &mut small) {
            let phi = fourier(&w, &x, (1 << w_bits, 1 << x_bits), 1 << phi_bits).unwrap();
            let as_theirs: Vec<i32> = phi.iter().map(|&phi| phi as i32).collect();
            assert_eq!(as_theirs, map.certified_features(&x).unwrap(), "{seed}");
            // In floats, which are off by far less than the entries are from the grid.
            assert_eq!(as_theirs, map.features(&x).unwrap(), "{seed}");
            assert!(Points::new(1 << phi_bits, 2 * n, vec![(phi, ())]).is_ok());
            entries += 2 * n;
        }
    }
    assert!(entries > 5000);
}

#[test]
fn linear_rows_are_the_shipped_ones_and_of_norm_at_most_one() {
    for seed in 0..200u64 {
        let mut small = Small::new(seed);
        let d = small.between(1, 4) as usize;
        let (x_bits, phi_bits) = (small.between(0, 8) as u32, small.between(2, 24) as u32);
        let map = FeatureMap::linear(d, grid(x_bits), grid(phi_bits)).unwrap();
        let mut all = points(d, 1 << x_bits, &mut small);
        // Beyond the cube, where both clip.
        all.push(
            (0..d)
                .map(|_| small.between(-9 << x_bits, 9 << x_bits))
                .collect(),
        );
        all.push(vec![i64::MIN; d]);
        for x in all {
            let phi = linear(&x, 1 << x_bits, 1 << phi_bits);
            let as_theirs: Vec<i32> = phi.iter().map(|&phi| phi as i32).collect();
            assert_eq!(as_theirs, map.features(&x).unwrap());
            assert!(Points::new(1 << phi_bits, d + 1, vec![(phi, ())]).is_ok());
        }
    }
    // d + 1 = 4 coordinates of 1/2: on the sphere.
    assert_eq!(linear(&[8, -8, 8], 8, 16), [8, 8, -8, 8]);
}

#[test]
fn beyond_the_cube_a_point_has_the_features_of_the_nearest_one_in_it() {
    let w = [vec![3, -2], vec![1, 7]];
    let at = |x: &[i64]| fourier(&w, x, (2, 8), 1 << 20).unwrap();
    assert_eq!(at(&[9, -100]), at(&[8, -8]));
    assert_eq!(at(&[i64::MAX, i64::MIN]), at(&[8, -8]));
    assert_ne!(at(&[8, -8]), at(&[7, -8]));
}

#[test]
fn what_is_refused_is_a_frequency_and_never_a_point() {
    let at = |w: Vec<i64>, x: &[i64]| fourier(&[w], x, (1, 1), 1 << 10);
    let (half, beyond) = (1i64 << 62, (1i64 << 62) + 1);
    for x in [[0, 0], [1, -1], [1, 1], [i64::MIN, i64::MAX]] {
        assert!(at(vec![half, -half], &x).is_ok());
        assert_eq!(
            at(vec![half, beyond], &x),
            Err(Error::OutOfRange("a frequency"))
        );
    }
}

#[test]
fn more_frequencies_than_steps_have_features_of_zeros() {
    // 1/sqrt(17) is below a step of 1/4. (The shipped map refuses such a grid, which is public.)
    let w = vec![vec![1]; 17];
    assert_eq!(fourier(&w, &[1], (1, 1), 4).unwrap(), [0; 34]);
    assert!(fourier(&[], &[1], (1, 1), 4).unwrap().is_empty());
}
