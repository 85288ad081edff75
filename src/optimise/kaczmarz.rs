//! Kaczmarz's method with clipped residuals: one row at a time, in integers.
//!
//! It does not divide by the norms of the rows, and its sensitivity is known. The textbook method, exactly:
//! [`super::exact::kaczmarz`].

use super::{FeatureMatrix, OptimiseError, inner_product};
use crate::coins::{Coins, CoinsError};
use crate::number::range::above_zero;
use crate::number::{Grid, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// One pass over the rows in `order`, from zero: `c <- c + phi_j clip(y_j - phi_j . c)`, with residuals clipped
/// to `[-tau, tau]`. Coefficients are in steps of `grid`.
///
/// Rounding to the nearest, twice a step, moves the result of a step by at most `(sqrt(D) + 1)/2` steps of
/// `grid` in norm; without it each step is non-expansive (`spec/random-features.md`, `lnsx25.r4`).
///
/// # Errors
/// None depends on an entry, but on the number of rows ([`check_pass`]): [`OptimiseError::Parameter`] unless `tau > 0`; [`OptimiseError::Length`];
/// [`OptimiseError::Overflow`] if `2^b tau` in steps of `grid`, or `m tau` in those steps, is above 2^60.
pub fn clipped_pass(
    features: &FeatureMatrix,
    labels: &[i64],
    label_grid: Grid,
    order: &[usize],
    tau: &Rational,
    grid: Grid,
) -> Result<Vec<i64>, OptimiseError> {
    check_lengths(features, labels)?;
    let b = features.grid().bits();
    check_pass(order.len(), b, tau, grid)?;
    let product = if sums_are_short(order.len(), features.columns(), b, tau, grid) {
        |row: &[i32], c: &[i64]| i128::from(short_inner_product(row, c))
    } else {
        inner_product
    };
    let tau = (tau * (BigInt::from(1) << (b + grid.bits()))).floor();
    let tau = tau.to_integer().to_i128().ok_or(PASS_TOO_LARGE)?;
    let half = (1i64 << b) >> 1;
    let mut c = vec![0i64; features.columns()];
    for &j in order {
        let row = features.row(j);
        // 1. r = y - phi . c, exactly, in steps of the product of the two grids.
        let label = aligned(labels[j], b + grid.bits(), label_grid);
        //    A label may fill all 128 bits; what saturates is clipped to the same value.
        let residual = label.saturating_sub(product(row, &c));
        // 2. Clipped, and rounded to steps of the coefficients.
        let clipped = (residual.clamp(-tau, tau) + i128::from(half)) >> b;
        let clipped = clipped as i64;
        // 3. c + phi r, rounded.
        for (c, &entry) in c.iter_mut().zip(row) {
            *c += (i64::from(entry) * clipped + half) >> b;
        }
    }
    Ok(c)
}

/// Whether a [`clipped_pass`] over `visits` rows with entries of `feature_bits` bits fits in its integers; then
/// a shorter one does as well. Where the number of rows is private, ask for its public cap.
///
/// # Errors
/// [`OptimiseError::Parameter`] and [`OptimiseError::Overflow`] as for [`clipped_pass`].
pub fn check_pass(
    visits: usize,
    feature_bits: u32,
    tau: &Rational,
    grid: Grid,
) -> Result<(), OptimiseError> {
    above_zero("the bound of the residuals", tau)?;
    let most: BigInt = BigInt::from(visits.max(1 << feature_bits)) * largest_step(tau, grid);
    if most.bits() <= 60 {
        Ok(())
    } else {
        Err(PASS_TOO_LARGE)
    }
}

const PASS_TOO_LARGE: OptimiseError = OptimiseError::Overflow {
    what: "a pass with these grids and residuals",
};

/// A visit moves each coordinate by at most `tau` and the rounding: in steps of `grid`.
fn largest_step(tau: &Rational, grid: Grid) -> BigInt {
    (tau * BigInt::from(grid.one())).ceil().to_integer() + 1
}

/// Whether a `phi . c` fits in 64 bits throughout a pass: `|c|` grows by at most `tau` and the rounding a visit, so
/// that by Cauchy and Schwarz no partial sum is above `2^b m (tau + sqrt(D))`, in steps.
fn sums_are_short(
    visits: usize,
    columns: usize,
    feature_bits: u32,
    tau: &Rational,
    grid: Grid,
) -> bool {
    // A largest step has one to spare, to which the root is rounded up.
    let longest: BigInt = largest_step(tau, grid) + BigInt::from(columns).sqrt();
    let longest: BigInt = (longest * visits) << feature_bits;
    longest.bits() <= 62
}

/// `phi . c` where no partial sum leaves 64 bits.
fn short_inner_product(row: &[i32], c: &[i64]) -> i64 {
    row.iter().zip(c).map(|(&a, &c)| i64::from(a) * c).sum()
}

/// A uniformly random order of `count` rows.
///
/// # Errors
/// Those of the coins.
pub fn permutation(count: usize, coins: &mut impl Coins) -> Result<Vec<usize>, CoinsError> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let drawn = coins.uniform_below(&BigUint::from(last + 1))?;
        order.swap(last, drawn.to_usize().unwrap_or(0));
    }
    Ok(order)
}

/// A label in steps of `2^-bits`, rounded down if its own grid is finer.
fn aligned(label: i64, bits: u32, grid: Grid) -> i128 {
    if bits >= grid.bits() {
        i128::from(label) << (bits - grid.bits())
    } else {
        i128::from(label) >> (grid.bits() - bits)
    }
}

fn check_lengths(features: &FeatureMatrix, labels: &[i64]) -> Result<(), OptimiseError> {
    if labels.len() == features.rows() {
        return Ok(());
    }
    Err(OptimiseError::Length {
        what: "the labels",
        expected: features.rows(),
        found: labels.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::{integer, ratio};

    fn grid(bits: u32) -> Grid {
        Grid::new(bits).unwrap()
    }

    /// Rows (1, 0), (3/5, 4/5) rounded towards zero, and (-1/2, 1/2).
    fn features() -> FeatureMatrix {
        let rows = [vec![256, 0], vec![153, 204], vec![-128, 128]];
        FeatureMatrix::new(grid(8), 2, &rows).unwrap()
    }

    #[test]
    fn a_pass_that_never_clips_is_the_textbook_one_in_exact_arithmetic() {
        // Rows (1, 0) and (1/2, 1/2) without division: c = (1, 0), then r = 1/4 - 1/2 and c = (7/8, -1/8).
        let rows = [vec![4, 0], vec![2, 2]];
        let features = FeatureMatrix::new(grid(2), 2, &rows).unwrap();
        let c = clipped_pass(&features, &[4, 1], grid(2), &[0, 1], &integer(2), grid(6)).unwrap();
        assert_eq!(c, [56, -8]);
        // Clipped to 1/2: c = (1/2, 0), then r = 0.
        let c = clipped_pass(&features, &[4, 1], grid(2), &[0, 1], &ratio(1, 2), grid(6)).unwrap();
        assert_eq!(c, [32, 0]);
    }

    #[test]
    fn the_longest_label_on_the_finest_grids_is_clipped_like_any_other() {
        // Aligned it is 2^127 - 2^64, and 40 steps of -1/32 make a product of -40 * 2^59, beyond the rest.
        let one = 1 << 24;
        let features = FeatureMatrix::new(grid(24), 1, &[vec![-one], vec![one]]).unwrap();
        let labels = [i64::MAX, i64::MAX];
        let mut order = vec![0; 40];
        order.push(1);
        let tau = ratio(1, 32);
        let c = clipped_pass(&features, &labels, grid(0), &order, &tau, grid(40)).unwrap();
        assert_eq!(c, [-39 << 35]);
    }

    #[test]
    fn a_step_rounds_to_the_nearest() {
        // A row 3/4 and label 1: 3/4 on a grid of halves is 1, not 1/2; and -3/4 is -1/2 (ties go up).
        let features = FeatureMatrix::new(grid(2), 1, &[vec![3]]).unwrap();
        let pass =
            |label| clipped_pass(&features, &[label], grid(2), &[0], &integer(1), grid(1)).unwrap();
        assert_eq!((pass(4), pass(-4)), (vec![2], vec![-1]));
    }

    #[test]
    fn short_and_long_sums_agree() {
        // Steps of 2^-20 fit in 64 bits and steps of 2^-40, for 2^20 visits of a row, do not.
        let features = features();
        let order: Vec<usize> = (0..1 << 14).map(|k| k % 3).collect();
        let pass = |bits| {
            clipped_pass(
                &features,
                &[90, -256, 30],
                grid(8),
                &order,
                &integer(1),
                grid(bits),
            )
        };
        let (short, long) = (pass(20).unwrap(), pass(40).unwrap());
        for (short, long) in short.iter().zip(&long) {
            // Rounding alone tells them apart: 2^14 steps of the coarser grid, times sqrt(2) + 1, at most.
            assert!((short - (long >> 20)).abs() <= 3 << 14);
        }
        assert!(short[0].abs() > 1 << 17);
    }

    #[test]
    fn a_permutation_has_every_row_once() {
        let mut coins = ChaCha::reproducible(1, 0);
        let mut order = permutation(100, &mut coins).unwrap();
        assert_ne!(order, (0..100).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        assert!(permutation(0, &mut coins).unwrap().is_empty());
    }

    #[test]
    fn passes_that_cannot_be_are_refused() {
        let features = features();
        let pass = |labels: &[i64], tau, bits| {
            clipped_pass(&features, labels, grid(8), &[0, 1, 2], &tau, grid(bits))
        };
        assert!(pass(&[1, 2], integer(1), 20).is_err());
        assert!(pass(&[1, 2, 3], integer(0), 20).is_err());
        assert!(pass(&[1, 2, 3], integer(1i64 << 40), 20).is_err());
        assert!(pass(&[1, 2, 3], integer(1), 20).is_ok());
    }

    #[test]
    fn one_visit_must_fit_with_the_entries_of_its_row() {
        // Entries up to 2^b times steps up to 2^40 + 1, in 60 bits.
        let visit = |bits| check_pass(1, bits, &integer(1), grid(40));
        assert!(visit(19).is_ok());
        assert!(visit(20).is_err());
    }

    #[test]
    fn many_visits_must_fit_as_well() {
        let visits = |count| check_pass(count, 0, &integer(1), grid(40));
        assert!(visits((1 << 20) - 1).is_ok());
        assert!(visits(1 << 20).is_err());
    }

    #[test]
    fn a_visit_is_counted_with_its_rounding() {
        // 2^20 visits of 2^40 - k steps, and one step more for the rounding.
        let visits = |k| {
            let tau = integer(1) - ratio(k, 1 << 40);
            check_pass(1 << 20, 0, &tau, grid(40))
        };
        assert!(visits(2).is_ok());
        assert!(visits(1).is_err());
    }

    #[test]
    fn sums_are_short_below_two_to_the_62() {
        // A visit adds 2^31 and sqrt(2^20), and entries have 10 bits: 2^21 visits are a little too many.
        let short = |visits| sums_are_short(visits, 1 << 20, 10, &integer(2), grid(30));
        assert!(short(1 << 20));
        assert!(!short(1 << 21));
    }
}
