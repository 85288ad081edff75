//! Small exact facts that contradict the text, one function each.

use crate::halfspaces::HalfspaceError;
use crate::halfspaces::bounds::{BITS, ceiling, of};
use crate::number::range::{above_zero, above_zero_at_most_one, above_zero_below_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// How often `ceil(ln(8/beta))` runs, each failing with probability 1/2, all fail: Algorithm 3 writes
/// `log`, and base 2 is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NaturalRuns {
    /// The runs, `ceil(ln(8/beta))`.
    pub runs: u64,
    /// `2^-runs`, divided by the `beta/8` that the proof needs.
    pub overshoot: Rational,
}

/// The overshoot of the natural logarithm at `beta`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < beta < 1`.
pub fn natural_runs(beta: &Rational) -> Result<NaturalRuns, HalfspaceError> {
    above_zero_below_one("beta", beta)?;
    let log = ceiling(&of(&(integer(8) / beta)).ln()?);
    let runs = u64::try_from(log).unwrap_or(u64::MAX);
    Ok(NaturalRuns {
        runs,
        overshoot: integer(8) / beta / integer(BigUint::one() << runs),
    })
}

/// Lemma 5 is said to hold for every matrix. Here is one in the support, all of whose rows are
/// `(1, 1)/sqrt m`, and `x = w = (1, -1)/sqrt 2`: margin 1, and `Ax = Aw = 0`. Returned are
/// `2 m |Ax|^2 = sum (row . (1, -1))^2` and `2 <w, x> = 2`.
#[must_use]
pub fn collapsing_matrix(rows: u32) -> (i64, i64) {
    let (row, x) = ([1i64, 1], [1i64, -1]);
    let dot = |a: [i64; 2], b: [i64; 2]| a[0] * b[0] + a[1] * b[1];
    (i64::from(rows) * dot(row, x).pow(2), dot(x, x))
}

/// Theorems 6 and 11 for large epsilon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeEpsilon {
    /// The paper's `1/(alpha epsilon gamma^2)`, which tends to 0.
    pub printed: Rational,
    /// Orthonormal points `N = floor(1/gamma^2)`: all their labellings have margin gamma.
    pub points: BigUint,
    /// The records that every learner needs, whatever epsilon.
    pub needed: BigUint,
}

/// The records that learning takes without any privacy, against the printed `n` without its logarithms.
///
/// Lower bound: label `N` orthonormal points by fair coins. The labelling `y` has margin
/// `1/sqrt N >= gamma` by `w = sum y_i e_i / sqrt N`. A point not among `n` uniform records is labelled
/// wrongly with probability 1/2, so that the expected error is at least `(1 - 1/N)^n / 2`, which is at
/// least `exp(-n/(N-1)) / 2`; and a learner's is at most `alpha + beta`. So
/// `n >= (N-1) ln(1/(2 alpha + 2 beta))`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] for a parameter outside its range.
pub fn large_epsilon(
    alpha: &Rational,
    beta: &Rational,
    gamma: &Rational,
    epsilon: &Rational,
) -> Result<LargeEpsilon, HalfspaceError> {
    above_zero_below_one("alpha", alpha)?;
    above_zero_below_one("beta", beta)?;
    above_zero_at_most_one("gamma", gamma)?;
    above_zero("epsilon", epsilon)?;
    let points = (integer(1) / (gamma * gamma)).floor();
    let allowed = of(&(integer(2) * (alpha + beta)));
    let needed = of(&(&points - integer(1))) * -allowed.ln()?;
    Ok(LargeEpsilon {
        printed: integer(1) / (alpha * epsilon * gamma * gamma),
        points: points.to_integer().magnitude().clone(),
        needed: needed.lo().ceil().to_biguint().unwrap_or_default(),
    })
}

/// The first display of the proof of Lemma 5 at a short record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortRecord {
    /// What the chain proves: `(1 - kappa^2) gamma |x| - kappa (1 + kappa) (|x|^2 + 1)/2`.
    pub proved: Rational,
    /// What the next line uses: `0.98 gamma |x|`.
    pub used: Rational,
}

/// Section 2.1 defines the margin relative to `|x|`; the chain needs records of norm 1. (The lemma itself
/// does not: `Ax/|Ax|` does not notice the norm.)
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < gamma <= 1` and `0 < norm <= 1`.
pub fn short_record(gamma: &Rational, norm: &Rational) -> Result<ShortRecord, HalfspaceError> {
    above_zero_at_most_one("gamma", gamma)?;
    let right = *norm > Rational::zero() && *norm <= Rational::one();
    require(right, "norm", norm, "above 0 and at most 1")?;
    let one = integer(1);
    let kappa = gamma / integer(100);
    let lost = &kappa * (&one + &kappa) * (norm * norm + &one) / integer(2);
    Ok(ShortRecord {
        proved: (&one - &kappa * &kappa) * gamma * norm - lost,
        used: ratio(98, 100) * gamma * norm,
    })
}

/// The margin that the proof of Lemma 5 gives for unit vectors, `gamma (0.99 - gamma/100)`: at least
/// `0.98 gamma`, where the paper says `0.96 gamma`.
///
/// It is `((1 - kappa^2) gamma - kappa (1 + kappa)) / (1 + kappa)` with `kappa = gamma/100`.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < gamma <= 1`.
pub fn margin_of_lemma_5(gamma: &Rational) -> Result<Rational, HalfspaceError> {
    let unit = short_record(gamma, &integer(1))?;
    Ok(unit.proved / (integer(1) + gamma / integer(100)))
}

/// A lower bound on `N r^m`, for the number `N` of balls of radius `r` that cover the unit ball in
/// dimension `m >= 2`: `r sqrt(2 pi (m-1) (1 - r^2))`. No constant bounds it for all `m`, so that the
/// covering number is not `O(r^-m)`.
///
/// Proof: the balls cover the sphere. A ball of radius `r < 1` meets it in a cap of angular radius at most
/// `a` with `sin a = r`: at distance `s` from the origin the cosine is `(1 + s^2 - r^2)/(2s)`, at least
/// `sqrt(1 - r^2)`. The cap `t >= cos a` has mass `c int (1-t^2)^((m-3)/2) dt`; as `t/cos a >= 1` there,
/// this is at most `c sin^(m-1) a / ((m-1) cos a)`, and `c <= sqrt((m-1)/(2 pi))` (see
/// [`band_bound`](crate::halfspaces::bounds::lower_bound::band_bound)).
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `dimension >= 2` and `0 < radius < 1`.
pub fn covering_constant(dimension: u64, radius: &Rational) -> Result<Enclosure, HalfspaceError> {
    require(dimension >= 2, "dimension", &dimension, "at least 2")?;
    above_zero_below_one("radius", radius)?;
    let chord = integer(1) - radius * radius;
    let square = Enclosure::pi(BITS).shifted(1) * of(&(integer(dimension - 1) * chord));
    Ok(of(radius) * square.sqrt()?)
}

/// The end of Section 4 speaks of a net of size `exp(1/gamma)`. By volume, a net of radius `gamma/10` in
/// dimension `m` has at least `(10/gamma)^m` points. Returned are the two logarithms.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < gamma <= 1`.
pub fn net_size(
    gamma: &Rational,
    dimension: &BigUint,
) -> Result<(Rational, Enclosure), HalfspaceError> {
    above_zero_at_most_one("gamma", gamma)?;
    let log = of(&(integer(10) / gamma)).ln()?;
    Ok((
        integer(1) / gamma,
        log * Enclosure::integer(dimension.clone(), BITS),
    ))
}

/// The dimension `d = floor(1/(1000 gamma^2))` and the exponent `floor(d/20)` of the number of words
/// `K = 2^(d/20)` in the proof of Theorem 12, with the floors that it leaves out. At exponent 0 there is
/// one distribution, and nothing is proved.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 < gamma <= 1`.
pub fn words_of_the_paper(gamma: &Rational) -> Result<(BigUint, BigUint), HalfspaceError> {
    above_zero_at_most_one("gamma", gamma)?;
    let dimension = (integer(1) / (integer(1000) * gamma * gamma)).to_integer();
    let exponent = &dimension / 20u32;
    Ok((dimension.magnitude().clone(), exponent.magnitude().clone()))
}

/// The squared norm of the output `w^T A` for the unit vector `w = e_1` of the ball: `d/m`, for every `A`,
/// because a row has `d` entries `+-1/sqrt m`. Definition 1 asks for a norm of at most 1.
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `rows >= 1`.
pub fn output_norm_squared(rows: u64, dimension: u64) -> Result<Rational, HalfspaceError> {
    require(rows > 0, "rows", &rows, "at least 1")?;
    Ok(Rational::new(dimension.into(), rows.into()))
}

/// Whether homogeneous halfplanes (`<w,x> > 0` or `< 0`, never 0) give these points all labellings.
///
/// The labellings that a set of points admits are those of finitely many `w`: the `w` that realise one
/// form an open cone, which contains the sum of its two extreme rays, or a point itself if it is a
/// halfplane; and extreme rays are orthogonal to points.
#[must_use]
pub fn shattered(points: &[[i64; 2]]) -> bool {
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
#[must_use]
pub fn triples_of_the_plane(side: i64) -> (u64, u64) {
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
    use crate::halfspaces::bounds::{Goal, Net, theorem_11};
    use crate::number::rational::to_scientific;

    #[test]
    fn the_natural_logarithm_makes_too_few_runs() {
        for (beta, runs, overshoot) in [
            (ratio(1, 20), 6, ratio(5, 2)),
            (ratio(1, 100), 7, ratio(25, 4)),
            (ratio(1, 1000), 9, ratio(125, 8)),
            (ratio(1, 1_000_000), 16, ratio(15_625, 128)),
        ] {
            let found = natural_runs(&beta).unwrap();
            assert_eq!((found.runs, found.overshoot), (runs, overshoot));
        }
    }

    #[test]
    fn a_matrix_may_send_a_record_of_margin_one_to_zero() {
        assert_eq!(collapsing_matrix(1), (0, 2));
        assert_eq!(collapsing_matrix(1000), (0, 2));
    }

    #[test]
    fn privacy_that_is_free_does_not_make_learning_free() {
        let tenth = ratio(1, 10);
        let found = large_epsilon(&tenth, &tenth, &ratio(3, 10), &integer(1_000_000)).unwrap();
        assert_eq!(found.printed, ratio(1, 9000));
        assert_eq!((found.points, found.needed), (11u32.into(), 10u32.into()));
    }

    #[test]
    fn short_records_break_the_chain_of_lemma_5() {
        let half = ratio(1, 2);
        let at = |norm| short_record(&half, &norm).unwrap();
        assert!(at(integer(1)).proved > at(integer(1)).used);
        let tenth = at(ratio(1, 10));
        assert_eq!(to_scientific(&tenth.proved, 4), "0.04746");
        assert_eq!(tenth.used, ratio(49, 1000));
        let hundredth = at(ratio(1, 100));
        assert_eq!(to_scientific(&hundredth.proved, 4), "0.002487");
        assert_eq!(hundredth.used, ratio(49, 10_000));
        assert!(at(ratio(1, 1000)).proved < integer(0));
    }

    #[test]
    fn the_margin_of_lemma_5_is_0_98() {
        assert_eq!(margin_of_lemma_5(&integer(1)).unwrap(), ratio(98, 100));
        for percent in 1..=100 {
            let gamma = ratio(percent, 100);
            let formula = &gamma * (ratio(99, 100) - &gamma / integer(100));
            assert_eq!(margin_of_lemma_5(&gamma).unwrap(), formula);
            assert!(formula >= ratio(98, 100) * gamma);
        }
    }

    #[test]
    fn no_constant_bounds_the_covering_number() {
        let tenth = ratio(1, 10);
        let above = |dimension, bound: i64| {
            let constant = covering_constant(dimension, &tenth).unwrap();
            constant.is_above_rational(&integer(bound))
        };
        assert!(above(18, 1) && above(1609, 10) && above(160_770, 100));
        // At the paper's own dimension for gamma = 0.3 and its radius gamma/10.
        let constant = covering_constant(16_212_597, &ratio(3, 100)).unwrap();
        assert!(constant.is_above_rational(&integer(302)));
    }

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
        let words = |gamma| words_of_the_paper(&gamma).unwrap();
        assert_eq!(words(ratio(707, 100_000)), (20u32.into(), 1u32.into()));
        assert_eq!(words(ratio(708, 100_000)), (19u32.into(), 0u32.into()));
        assert_eq!(words(ratio(1, 10)), (0u32.into(), 0u32.into()));
    }

    #[test]
    fn the_output_leaves_the_ball() {
        assert_eq!(output_norm_squared(20, 2000).unwrap(), integer(100));
    }

    #[test]
    fn two_points_of_the_plane_can_be_shattered_and_three_cannot() {
        assert!(shattered(&[[1, 0], [0, 1]]));
        assert!(!shattered(&[[1, 0], [2, 0]]));
        assert_eq!(triples_of_the_plane(2), (2300, 0));
    }
}
