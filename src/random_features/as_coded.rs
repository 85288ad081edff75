//! Algorithm 1 as the authors' public code has it: **not private**, for audit only.
//!
//! The code's features are `sqrt(2/N) cos(<w_k, x> + b_k)`: rows of norm about 1, where those of the
//! paper's `A` have norm `sqrt(N)`. The coefficients are so much larger, and the sensitivity in the code is
//! still the paper's, `4/sqrt(N)` (its figure for `eta = 3/8`): the noise is too small by a factor of
//! `sqrt(N)` (`lnsx25.alg1.as-coded`).
//!
//! The programs of Figures 1 to 6 do not solve for the interpolation of least norm: they take `m` steps of Kaczmarz
//! ([`kaczmarz`]) and add the same noise.
//!
//! Exact for `N = 2 n^2` and cosines that are rational.

use crate::coins::{Coins, Stage};
use crate::number::range::{above_zero, require};
use crate::number::{Enclosure, Rational};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{Complex, kaczmarz_step, minimum_norm, reals};
use crate::privacy::{Budget, release};
use crate::sample::DiscreteGaussian;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};

/// Runs the code's algorithm: **not private**. The output is on the grid of steps `2^-grid_bits`.
///
/// # Errors
/// Those of [`minimum_norm`], which depend on the data and so leak; those of the coins.
pub fn release_not_private(
    rows: &[Vec<Complex>],
    labels: &[Rational],
    claimed: &Budget,
    grid_bits: u32,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, OptimiseError> {
    // The non-private coefficients.
    let c = minimum_norm(rows, &reals(labels))?;
    with_noise(&c, claimed, grid_bits, coins)
}

/// Runs what Figures 1 to 6 were made with: **not private**. As [`release_not_private`], with the coefficients of
/// [`kaczmarz`].
///
/// # Errors
/// Those of [`kaczmarz`] and of the coins.
pub fn release_of_kaczmarz_not_private(
    rows: &[Vec<Complex>],
    labels: &[Rational],
    claimed: &Budget,
    grid_bits: u32,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, OptimiseError> {
    let c = kaczmarz(rows, labels, coins)?;
    with_noise(&c, claimed, grid_bits, coins)
}

/// `m` steps of Kaczmarz from 0, each at a record drawn uniformly with replacement. The order is not told.
///
/// # Errors
/// [`OptimiseError::Length`]; [`OptimiseError::ZeroRow`]; those of the coins.
pub fn kaczmarz(
    rows: &[Vec<Complex>],
    labels: &[Rational],
    coins: &mut impl Coins,
) -> Result<Vec<Complex>, OptimiseError> {
    let (m, labels) = (BigUint::from(rows.len()), reals(labels));
    let mut c = vec![Complex::zero(); rows.first().map_or(0, Vec::len)];
    for _ in rows {
        let record = coins.uniform_below(&m)?.to_usize().unwrap_or(usize::MAX);
        c = kaczmarz_step(&c, rows, &labels, record)?;
    }
    Ok(c)
}

/// Steps 1 to 3 of Algorithm 1 on the code's features, with what they claim to keep.
fn with_noise(
    c: &[Complex],
    claimed: &Budget,
    grid_bits: u32,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, OptimiseError> {
    // 1. The variance, in steps of the grid, rounded up.
    let scale = BigInt::one() << grid_bits;
    let variance = variance(c.len() as u64, claimed)?.upper() * (&scale * &scale);
    let noise = DiscreteGaussian::new(variance.ceil())?;
    // 2, 3. c + z.
    let on_grid = c
        .iter()
        .map(|entry| (&entry.re * &scale).round().to_integer());
    coins.stage(&Stage::once("the release", claimed.promise()));
    Ok(release(on_grid, &noise, coins)?)
}

/// The features of the code: the given cosines times `sqrt(2/N)`.
///
/// # Errors
/// [`OptimiseError::Parameter`] unless each row has `N = 2 n^2` cosines, all in [-1, 1].
pub fn features(cosines: &[Vec<Rational>]) -> Result<Vec<Vec<Complex>>, OptimiseError> {
    let one = Rational::one();
    let row = |row: &Vec<Rational>| {
        let half = row.len() as u64 / 2;
        let root = half.isqrt();
        let right = root > 0 && root * root * 2 == row.len() as u64;
        let expected = "twice a square, so that sqrt(2/N) is rational";
        require(right, "the number of cosines", &row.len(), expected)?;
        for cosine in row {
            require(cosine.abs() <= one, "a cosine", cosine, "between -1 and 1")?;
        }
        let scaled = row.iter().map(|c| Complex::real(c / BigInt::from(root)));
        Ok(scaled.collect())
    };
    cosines.iter().map(row).collect()
}

const BITS: u32 = 160;

/// The sensitivity in the code, squared: `16/N`.
///
/// # Errors
/// [`OptimiseError::Parameter`] for `N = 0`.
pub fn squared_sensitivity(frequencies: u64) -> Result<Rational, OptimiseError> {
    let n = Rational::from_integer(frequencies.into());
    above_zero("the number of frequencies", &n)?;
    Ok(Rational::from_integer(16.into()) / n)
}

/// The variance of the noise in the code: `(2 ln(1.25/delta) / epsilon^2) 16/N`.
///
/// # Errors
/// [`OptimiseError::Parameter`] for `N = 0` or `delta = 0`; those of the logarithm.
pub fn variance(frequencies: u64, claimed: &Budget) -> Result<Enclosure, OptimiseError> {
    above_zero("delta", claimed.delta())?;
    let log = Enclosure::of(&(Rational::new(5.into(), 4.into()) / claimed.delta()), BITS).ln()?;
    let squared_epsilon = claimed.epsilon() * claimed.epsilon();
    let factor = squared_sensitivity(frequencies)? * BigInt::from(2) / squared_epsilon;
    Ok(log * Enclosure::of(&factor, BITS))
}

/// The labels divided by their own norm, where that is rational: what the code does to them (`lnsx25.a6`).
///
/// # Errors
/// [`OptimiseError::Parameter`] for labels that are all zero, or whose norm is not rational.
pub fn divided_by_their_norm(labels: &[Rational]) -> Result<Vec<Rational>, OptimiseError> {
    let squared: Rational = labels.iter().map(|y| y * y).sum();
    let name = "the squared norm of the labels";
    above_zero(name, &squared)?;
    let norm = Rational::new(squared.numer().sqrt(), squared.denom().sqrt());
    let right = &norm * &norm == squared;
    require(right, name, &squared, "the square of a rational")?;
    Ok(labels.iter().map(|y| y / &norm).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::{integer, parse, ratio};
    use crate::privacy::NeighbouringRelation;

    fn claimed() -> Budget {
        let delta = parse("1e-5").unwrap();
        Budget::approximate(integer(1), delta, NeighbouringRelation::Substitute).unwrap()
    }

    /// Two records, N = 8.
    fn rows() -> Vec<Vec<Complex>> {
        let cosines = |first: i64| {
            (0..8)
                .map(|k| ratio(if k % 2 == 0 { first } else { 4 }, 5))
                .collect()
        };
        features(&[cosines(3), cosines(-5)]).unwrap()
    }

    #[test]
    fn labels_divided_by_their_own_norm_are_caught() {
        // Two records on orthonormal rows: |c - c'| = |y - y'|. The second label goes from 4 to 5/4; both norms
        // are rational. What only one record may move, its own label, moves for both.
        let own = |last: Rational| divided_by_their_norm(&[integer(3), last]).unwrap();
        let (first, second) = (own(integer(4)), own(ratio(5, 4)));
        assert_ne!(first[0], second[0]);
        // With the public bound B = 4 and y_j / (B sqrt(2)) the first label stays, and the distance is at most
        // 2/sqrt(2).
        let squared = |a: &[Rational], b: &[Rational]| -> Rational {
            a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let public = |last: Rational| [integer(3) / integer(4), last / integer(4)];
        let (kept, moved) = (public(integer(4)), public(ratio(5, 4)));
        assert_eq!(kept[0], moved[0]);
        assert!(squared(&kept, &moved) / integer(2) <= integer(2));
        // An outlier turns the whole vector: (3, z) for z = (9/h - h)/2, h = 1/1000.
        let z = (integer(9000) - ratio(1, 1000)) / integer(2);
        assert!(squared(&first, &own(z)) > ratio(39, 100));
    }

    #[test]
    fn what_does_not_fit_the_code_is_refused() {
        assert!(features(&[vec![integer(0); 3]]).is_err());
        assert!(features(&[vec![integer(2); 2]]).is_err());
        assert!(features(&[vec![]]).is_err());
        assert!(squared_sensitivity(0).is_err());
        assert!(divided_by_their_norm(&[integer(0)]).is_err());
        assert!(divided_by_their_norm(&[integer(1), integer(1)]).is_err());
        let found = divided_by_their_norm(&[integer(3), integer(4)]).unwrap();
        assert_eq!(found, [ratio(3, 5), ratio(4, 5)]);
        let equal = vec![rows()[0].clone(); 2];
        let mut coins = ChaCha::reproducible(1, 0);
        let labels = [integer(0), integer(1)];
        assert!(release_not_private(&equal, &labels, &claimed(), 8, &mut coins).is_err());
        assert_eq!(
            release_not_private(&rows(), &labels, &claimed(), 8, &mut coins)
                .unwrap()
                .len(),
            8
        );
    }

    #[test]
    fn m_steps_at_records_that_are_drawn() {
        // Two equal records: whatever is drawn, the first step interpolates both.
        let equal = vec![rows()[0].clone(); 2];
        let labels = [integer(1), integer(1)];
        let mut coins = ChaCha::reproducible(2, 0);
        let c = kaczmarz(&equal, &labels, &mut coins).unwrap();
        let at_once = crate::optimise::exact::minimum_norm(&equal[..1], &reals(&labels[..1]));
        assert_eq!(c, at_once.unwrap());
        let released =
            release_of_kaczmarz_not_private(&equal, &labels, &claimed(), 8, &mut coins).unwrap();
        assert_eq!(released.len(), 8);
        assert!(kaczmarz(&rows(), &labels[..1], &mut coins).is_err());
        assert_eq!(kaczmarz(&[], &[], &mut coins), Ok(vec![]));
    }
}
