//! Algorithm 1 as the authors' public code has it: **not private**, for audit only.
//!
//! The code's features are `sqrt(2/N) cos(<w_k, x> + b_k)`: rows of norm about 1, where those of the
//! paper's `A` have norm `sqrt(N)`. The coefficients are so much larger, and the sensitivity in the code is
//! still the paper's, `4/sqrt(N)` (its figure for `eta = 3/8`): the noise is too small by a factor of
//! `sqrt(N)` (E-o).
//!
//! Exact for `N = 2 n^2` and cosines that are rational.

use crate::coins::Coins;
use crate::number::range::{above_zero, require};
use crate::number::{Enclosure, Rational};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{Complex, inverse_gram_diagonal, minimum_norm, reals};
use crate::privacy::{Budget, gaussian};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Signed};

const BITS: u32 = 160;

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

/// How far the coefficients move, squared, where the label of record `j` moves by `change`:
/// `change^2 (A A*)^-1_jj`, exactly.
///
/// # Errors
/// [`OptimiseError::Singular`], for equal rows in particular.
pub fn squared_label_swap(
    rows: &[Vec<Complex>],
    j: usize,
    change: &Rational,
) -> Result<Rational, OptimiseError> {
    Ok(inverse_gram_diagonal(rows, j)? * change * change)
}

/// A lower bound on `mu = distance / standard deviation` for *every* dataset that the code interpolates,
/// whatever its inputs and frequencies, and *every* record, where its label moves from 0 to 1:
/// `mu^2 >= 1 / (2 variance)`.
///
/// The distance is at least `sqrt((A A*)^-1_jj) >= 1 / |phi(x_j)|`, and `|phi|^2 = (2/N) sum cos^2 <= 2`.
///
/// # Errors
/// Those of [`variance`].
pub fn mu_of_any_label_swap(
    frequencies: u64,
    claimed: &Budget,
) -> Result<Enclosure, OptimiseError> {
    let half = Enclosure::integer(1, BITS).shifted(-1);
    Ok(half.divided_by(&variance(frequencies, claimed)?)?.sqrt()?)
}

/// The largest integer `epsilon` up to 2^20 that Gaussian noise at this `mu` certainly exceeds:
/// `delta(epsilon) > delta`; `None` if not even `epsilon = 0` is exceeded.
///
/// # Errors
/// Those of the profile.
pub fn epsilon_exceeded(mu: &Rational, delta: &Rational) -> Result<Option<u64>, OptimiseError> {
    let exceeded = |epsilon: u64| -> Result<bool, OptimiseError> {
        let epsilon = Rational::from_integer(epsilon.into());
        Ok(gaussian::profile(mu, &epsilon, BITS)?.is_above_rational(delta))
    };
    if !exceeded(0)? {
        return Ok(None);
    }
    // Exceeded at `below`, and not at `above`.
    let (mut below, mut above) = (0, 1);
    while above < 1 << 20 && exceeded(above)? {
        (below, above) = (above, above * 2);
    }
    while above - below > 1 {
        let middle = below.midpoint(above);
        if exceeded(middle)? {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok(Some(below))
}

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
    let c = minimum_norm(rows, &reals(labels))?;
    let scale = BigInt::one() << grid_bits;
    let variance = variance(c.len() as u64, claimed)?.upper() * (&scale * &scale);
    let noise = DiscreteGaussian::new(variance.ceil())?;
    let mut released = Vec::with_capacity(c.len());
    for entry in &c {
        released.push((&entry.re * &scale).round().to_integer() + coins.draw(&noise)?);
    }
    Ok(released)
}

/// The labels divided by their own norm, where that is rational: what the code does to them (E-c).
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
    use crate::optimise::exact::{difference, squared_norm};
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
    fn the_distance_of_a_label_swap_is_the_formula() {
        let rows = rows();
        let labels = [integer(0), ratio(1, 3)];
        let swapped = [integer(1), ratio(1, 3)];
        let c = minimum_norm(&rows, &reals(&labels)).unwrap();
        let other = minimum_norm(&rows, &reals(&swapped)).unwrap();
        let distance = squared_norm(&difference(&c, &other));
        assert_eq!(distance, squared_label_swap(&rows, 0, &integer(1)).unwrap());
        // And is at least 1/|phi|^2 >= 1/2.
        assert!(distance >= squared_norm(&rows[0]).recip());
        assert!(distance >= ratio(1, 2));
    }

    #[test]
    fn noise_for_unnormalised_features_on_normalised_ones_is_caught() {
        let mu = mu_of_any_label_swap(10_000, &claimed()).unwrap().lower();
        let delta = gaussian::profile(&mu, &integer(1), 128).unwrap();
        assert!(delta.is_above_rational(&ratio(8, 10)));
        assert!(epsilon_exceeded(&mu, claimed().delta()).unwrap().unwrap() >= 20);
        // With the sensitivity that fits the scaling, sqrt(N) times as much, the swap is private.
        let right = mu / BigInt::from(100);
        assert_eq!(
            epsilon_exceeded(&right, claimed().delta()).unwrap(),
            Some(0)
        );
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
        assert_eq!(
            squared_label_swap(&equal, 0, &integer(1)),
            Err(OptimiseError::Singular)
        );
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
}
