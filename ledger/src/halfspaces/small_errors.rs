//! `nuz20.e11` and the other small errors that are checked.

use super::{BITS, of};
use crate::claim::{Check, Trouble};
use dp_assay::geometry::SignMatrix;
use dp_assay::halfspaces::bounds::{Goal, Net, theorem_11};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, NumberError, Rational, grid::squared_norm};
use num_bigint::BigUint;
use num_traits::One;

/// `nuz20.e11`.
pub(super) fn number_of_words(check: &mut Check) -> Result<(), Trouble> {
    check.exact("gamma = 0.00707 and 0.00708");
    let (dimension, enough) = words_of_the_paper(&ratio(707, 100_000));
    let (smaller, none) = words_of_the_paper(&ratio(708, 100_000));
    check.holds(enough == BigUint::one(), "gamma = 0.00707: two words");
    check.refutes(
        none == BigUint::ZERO,
        "d = 1/(1000 gamma^2) and K = 2^(d/20), with floors, give one word at gamma = 0.00708",
    );
    check.figure(
        "d and floor(d/20) at gamma = 0.00707 and 0.00708",
        format_args!("{dimension}, {enough} and {smaller}, {none}"),
    );
    Ok(())
}

/// `nuz20.e11.net`.
pub(super) fn size_of_net(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "gamma = 3/10, in the dimension of Theorem 11 at alpha = beta = 1/10, epsilon = 1",
    );
    let gamma = ratio(3, 10);
    let goal = Goal::new(ratio(1, 10), ratio(1, 10), gamma.clone(), integer(1))?;
    let dimension = theorem_11(&goal, Net::Lattice)?.dimension;
    let (claimed, needed) = net_size(&gamma, &dimension)?;
    check.refutes(
        needed.is_above_rational(&claimed),
        "a net of size exp(1/gamma): by volume it has (10/gamma)^m points and more",
    );
    check.figure(
        "ln of the net, claimed 1/gamma against needed",
        format_args!("{} against {needed}", to_scientific(&claimed, 4)),
    );
    Ok(())
}

/// `nuz20.e11.norm`.
pub(super) fn norm_of_output(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all matrices of 2 rows and 4 columns");
    for matrix in SignMatrix::all(2, 4)? {
        // sqrt(m) w^T A for w = e1: its squared norm, divided by m.
        let squared = squared_norm(&matrix.pull_back(&[1, 0])?);
        let squared = integer(squared) / integer(2);
        check.holds(squared == ratio(4, 2), format_args!("d/m, A = {matrix:?}"));
        check.refutes(
            squared > Rational::one(),
            "w = e1, m = 2, d = 4: |w^T A|^2 = 2, outside the ball",
        );
    }
    check.figure("|w^T A|^2 for w = e1, m = 2, d = 4", ratio(4, 2));
    Ok(())
}

/// `nuz20.e11.vc`.
pub(super) fn dimension_of_halfspaces(check: &mut Check) -> Result<(), Trouble> {
    let side = if check.quick() { 1 } else { 2 };
    check.exact(format_args!(
        "all triples of points of {{-{side}, ..., {side}}}^2"
    ));
    let (triples, found) = triples_of_the_plane(side);
    check.refutes(
        found == 0,
        "homogeneous halfplanes shatter no three points of the plane, where m + 1 = 3",
    );
    check.holds(shattered(&[[1, 0], [0, 1]]), "two points are shattered");
    check.figure(
        "triples of the plane shattered",
        format_args!("{found} of {triples}"),
    );
    Ok(())
}

/// The end of Section 4 speaks of a net of size `exp(1/gamma)`. By volume, a net of radius `gamma/10` in
/// dimension `m` has at least `(10/gamma)^m` points. Returned are the two logarithms.
fn net_size(gamma: &Rational, dimension: &BigUint) -> Result<(Rational, Enclosure), NumberError> {
    let log = of(&(integer(10) / gamma)).ln()?;
    Ok((
        gamma.recip(),
        log * Enclosure::integer(dimension.clone(), BITS),
    ))
}

/// The dimension `d = floor(1/(1000 gamma^2))` and the exponent `floor(d/20)` of the number of words
/// `K = 2^(d/20)` in the proof of Theorem 12, with the floors that it leaves out. At exponent 0 there is
/// one distribution, and nothing is proved.
fn words_of_the_paper(gamma: &Rational) -> (BigUint, BigUint) {
    let dimension = (integer(1000) * gamma.pow(2)).recip().to_integer();
    let exponent = dimension.magnitude() / 20u32;
    (dimension.magnitude().clone(), exponent)
}

/// Whether homogeneous halfplanes (`<w,x> > 0` or `< 0`, never 0) give these points all labellings.
///
/// The labellings that a set of points admits are those of finitely many `w`: the `w` that realise one
/// form an open cone, which contains the sum of its two extreme rays, or a point itself if it is a
/// halfplane; and extreme rays are orthogonal to points.
fn shattered(points: &[[i64; 2]]) -> bool {
    let mut rays: Vec<[i64; 2]> = Vec::new();
    for &[x, y] in points {
        rays.extend([[-y, x], [y, -x]]);
    }
    let sums = |a: &[i64; 2]| {
        rays.iter()
            .map(move |b| [a[0] + b[0], a[1] + b[1]])
            .collect()
    };
    let mut directions: Vec<[i64; 2]> = rays.iter().flat_map::<Vec<_>, _>(sums).collect();
    directions.extend(points.iter().flat_map(|&[x, y]| [[x, y], [-x, -y]]));
    let mut labellings = std::collections::BTreeSet::new();
    for w in directions {
        let values = points.iter().map(|x| w[0] * x[0] + w[1] * x[1]);
        let values: Vec<i64> = values.collect();
        if values.iter().all(|&value| value != 0) {
            labellings.insert(values.iter().map(|&value| value > 0).collect::<Vec<_>>());
        }
    }
    labellings.len() == 1 << points.len()
}

/// How many triples of points of the grid `{-side, ..., side}^2` there are, and how many are shattered.
///
/// The VC dimension of homogeneous halfspaces in dimension `m` is `m`, not `m + 1`: of `m + 1` points some
/// combination `sum c_i x_i` vanishes, with some `c_i < 0`. A `w` with `<w,x_i> >= 0` where `c_i > 0` and
/// `<w,x_i> < 0` where `c_i < 0` would make `sum c_i <w,x_i>` positive. The unit vectors are shattered.
fn triples_of_the_plane(side: i64) -> (u64, u64) {
    let line = -side..=side;
    let grid: Vec<[i64; 2]> = line
        .clone()
        .flat_map(|x| line.clone().map(move |y| [x, y]))
        .collect();
    let (mut triples, mut found) = (0, 0);
    for (i, &a) in grid.iter().enumerate() {
        for (j, &b) in grid[..i].iter().enumerate() {
            for &c in &grid[..j] {
                triples += 1;
                found += u64::from(shattered(&[a, b, c]));
            }
        }
    }
    (triples, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_net_is_far_larger_than_the_exponential_of_the_inverse_margin() {
        let gamma = ratio(3, 10);
        // Already in one dimension.
        let (claimed, log) = net_size(&gamma, &1u32.into()).unwrap();
        assert!(log.is_above_rational(&claimed));
        let goal = Goal::new(ratio(1, 10), ratio(1, 10), gamma.clone(), integer(1)).unwrap();
        let rows = theorem_11(&goal, Net::Volume).unwrap().dimension;
        let (claimed, log) = net_size(&gamma, &rows).unwrap();
        assert!(claimed < integer(4) && log.is_above_rational(&integer(56_000_000)));
    }

    #[test]
    fn the_paper_s_code_has_two_words_only_for_tiny_margins() {
        let words = |gamma| words_of_the_paper(&gamma);
        assert_eq!(words(ratio(707, 100_000)), (20u32.into(), 1u32.into()));
        assert_eq!(words(ratio(708, 100_000)), (19u32.into(), 0u32.into()));
        assert_eq!(words(ratio(1, 10)), (0u32.into(), 0u32.into()));
    }

    #[test]
    fn two_points_of_the_plane_can_be_shattered_and_three_cannot() {
        assert!(shattered(&[[1, 0], [0, 1]]));
        assert!(!shattered(&[[1, 0], [2, 0]]));
        assert_eq!(triples_of_the_plane(2), (2300, 0));
    }
}
