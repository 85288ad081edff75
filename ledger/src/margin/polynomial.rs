//! Section 4: polynomial kernels.

use crate::claim::{Check, Trouble};
use crate::common::cube;
use dp_assay::geometry::{Domain, PolynomialMap};
use dp_assay::number::rational::{integer, shortly};
use dp_assay::number::{Grid, Rational, grid::squared_norm};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed};

/// The map on the integers, for points of norm at most `radius`.
fn map(dimension: usize, radius: u64, degree: u32, offset: u64) -> Result<PolynomialMap, Trouble> {
    let domain = Domain::new(Grid::new(0)?, dimension, radius)?;
    Ok(PolynomialMap::new(domain, degree, offset)?)
}

/// `bms22.poly.kernel`.
pub(super) fn kernel(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "degrees 1 to 5, dimensions 1 to 3, offsets 0, 1, 2, 7, points of norm at most 3: all pairs of points; the number of \
         features; each feature beside the root that it rounds; and norm and inner products of the features",
    );
    let radius = 3;
    for dimension in 1..=3usize {
        let mut inside: Vec<_> = cube(dimension, radius).collect();
        inside.retain(|x| squared_norm(x) <= 9);
        for degree in 1..=5u32 {
            for offset in [0i64, 1, 2, 7] {
                let map = map(dimension, radius as u64, degree, offset as u64)?;
                let weights: Vec<BigInt> = map.weights().map(BigInt::from).collect();
                let (d, p) = (dimension as u64, u64::from(degree));
                // How many ways there are to write the degree as a sum of d or d + 1 numbers.
                let parts = if offset == 0 { d } else { d + 1 };
                let ways = (1..parts).fold(1, |c, i| c * (p + i) / i);
                let name = format!("d = {dimension}, p = {degree}, c = {offset}");
                check.holds(
                    weights.len() as u64 == ways && map.domain().dimension() as u64 == ways,
                    format_args!("{name}: {} features", weights.len()),
                );
                let mut of_points = Vec::new();
                for x in &inside {
                    let monomials = map.monomials(x)?;
                    let features = map.features(x)?;
                    let rounded = monomials.iter().zip(&weights).zip(&features);
                    let right = rounded.into_iter().all(|((monomial, weight), &feature)| {
                        let exact = weight * BigInt::from(*monomial).pow(2);
                        let below = BigInt::from(feature).pow(2) <= exact;
                        let next = BigInt::from(feature.abs() + 1).pow(2) > exact;
                        below && next && i128::from(feature) * monomial >= 0
                    });
                    check.holds(right, format_args!("{name}, {x:?}: {features:?}"));
                    let largest = (9 + i128::from(offset)).pow(degree);
                    let radius = i128::from(map.domain().radius());
                    check.holds(
                        squared_norm(&features) as i128 <= radius * radius
                            && (radius - 1).pow(2) < largest,
                        format_args!("{name}, {x:?}: norm beside {radius}"),
                    );
                    of_points.push((monomials, features));
                }
                for (x, (monomials, features)) in inside.iter().zip(&of_points) {
                    for (y, (others, of_other)) in inside.iter().zip(&of_points) {
                        let product: i64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
                        let kernel = BigInt::from(product + offset).pow(degree);
                        let terms = monomials.iter().zip(others).zip(&weights);
                        let sum: BigInt = terms.map(|((a, b), w)| w * BigInt::from(a * b)).sum();
                        check.holds(sum == kernel, format_args!("{name}, {x:?}, {y:?}: {sum}"));
                        // Each feature is short of its root by less than 1: n features, and norms of at most |F| and |G|.
                        let rounded: i64 = features.iter().zip(of_other).map(|(a, b)| a * b).sum();
                        let n = BigInt::from(ways);
                        let norm =
                            |x: &[i64]| BigInt::from(squared_norm(x) as i64 + offset).pow(degree);
                        let reach = |x: &[i64]| (norm(x) * &n).sqrt() + BigInt::one();
                        let allowed = reach(x) + reach(y) + n.clone();
                        check.holds(
                            (kernel - BigInt::from(rounded)).abs() <= allowed,
                            format_args!("{name}, {x:?}, {y:?}: rounded to {rounded}"),
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// `kappa(x, x)` at the point of the largest norm, from the features: in integers.
fn largest_kernel(map: &PolynomialMap, radius: u64) -> Result<BigUint, Trouble> {
    let terms = map
        .monomials(&[radius as i64])?
        .into_iter()
        .zip(map.weights());
    let term = |(monomial, weight): (i128, u128)| {
        BigUint::from(weight) * BigUint::from(monomial.unsigned_abs()).pow(2)
    };
    Ok(terms.map(term).sum())
}

/// `bms22.poly.norm`.
pub(super) fn norm(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "degrees 1 to 5, one dimension: the squared norm of the features over r^(2p), at r = 1 and c = 4^j for j = 0 to 5; at \
         r = 1, 2, 4, c = 1, 4, 16, beside (1 + c)^p; and at r = 4, c = r^2/4, r^2/2, r^2, beside 2^p",
    );
    let over = |radius: u64, degree: u32, offset: u64| -> Result<Rational, Trouble> {
        let kernel = largest_kernel(&map(1, radius, degree, offset)?, radius)?;
        let squared = BigInt::from(radius).pow(2 * degree);
        Ok(Rational::new(kernel.into(), squared))
    };
    let mut largest = integer(0);
    for degree in 1..=5u32 {
        // It grows without end with c/r^2: a constant must depend on c too, which the paper has constant.
        let mut before = integer(0);
        for j in 0..=5u32 {
            let factor = over(1, degree, 4u64.pow(j))?;
            let expected = integer(4u64.pow(j) + 1).pow(degree as i32);
            check.holds(
                factor == expected && factor > before,
                format_args!("p = {degree}, r = 1, c = 4^{j}: {factor}"),
            );
            largest = largest.max(factor.clone());
            before = factor;
        }
        for radius in [1u64, 2, 4] {
            for offset in [1u64, 4, 16] {
                let factor = over(radius, degree, offset)?;
                check.holds(
                    factor <= integer(1 + offset).pow(degree as i32),
                    format_args!("p = {degree}, r = {radius}, c = {offset}: {factor}"),
                );
            }
        }
        for offset in [4, 8, 16] {
            let factor = over(4, degree, offset)?;
            check.holds(
                factor > Rational::one() && factor <= integer(2u32.pow(degree)),
                format_args!("p = {degree}, c = {offset}: {factor}"),
            );
        }
    }
    check.figure("largest squared norm over r^(2p)", shortly(&largest));
    check.figure(
        "squared norm over r^(2p) at r = c = 1, p = 5",
        shortly(&over(1, 5, 1)?),
    );
    check.figure(
        "squared norm over r^(2p) at r = 2, c = 1, p = 3",
        shortly(&over(2, 3, 1)?),
    );
    Ok(())
}

/// `bms22.poly.kappa`.
pub(super) fn largest(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "degrees 1 to 5, one dimension, r = 1, 2, 4, c = 1 and 4: kappa(x, x) at |x| = r beside r^p, and its root beside r^p",
    );
    for radius in [1u64, 2, 4] {
        for degree in 1..=5u32 {
            for offset in [1, 4] {
                let kernel = largest_kernel(&map(1, radius, degree, offset)?, radius)?;
                let power = BigUint::from(radius).pow(degree);
                // At |x| = r: kappa(x, x) = (r^2 + c)^p, and its root, the norm of the features, is above r^p.
                check.holds(
                    kernel > power && kernel > &power * &power,
                    format_args!("r = {radius}, p = {degree}, c = {offset}"),
                );
            }
            let without = largest_kernel(&map(1, radius, degree, 0)?, radius)?;
            let power = BigUint::from(radius).pow(2 * degree);
            check.holds(
                without == power,
                format_args!("r = {radius}, p = {degree}, c = 0"),
            );
        }
    }
    let (radius, degree) = (2u64, 3u32);
    let kernel = largest_kernel(&map(1, radius, degree, 1)?, radius)?;
    check.figure("kappa at r = 2, c = 1, p = 3", &kernel);
    check.figure("r^p there", radius.pow(degree));
    Ok(())
}
