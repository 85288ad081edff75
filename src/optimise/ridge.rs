//! Ridge regression: the minimum of `|Phi c - y|^2 + Lambda |c|^2`, within a gap fixed in advance.
//!
//! Floats guess and integers decide. With `H = Phi^T Phi + Lambda I` half the gradient at `c` is
//! `g = Phi^T (Phi c - y) + Lambda c = H (c - c*)`, where `c*` is the minimum; since `H >= Lambda`,
//!
//! `|c - c*| <= |g| / Lambda`,
//!
//! and on the grid `g` is computed exactly. A gap below the tolerance is reached on *all* data, so that
//! the promise hides nothing about them: Newton's steps in floats are taken as long as each halves `|g|`,
//! and if one does not, the solver starts again from zero with plain gradient steps in integers.
//!
//! # Why those always arrive
//! Rows have norm at most 1, so that `H <= M = m + Lambda`. A step `c - g/M`, each coordinate rounded to the
//! nearest of the steps `u`, takes `e = c - c*` to `(I - H/M) e + rho` with `|rho| <= sqrt(D) u / 2`; so
//! `|e|` tends to at most `sqrt(D) u M / (2 Lambda)`, and as `|g| <= M |e|` the certified gap to at most
//! `sqrt(D) u M^2 / (2 Lambda^2)`. The step `u = 2^-bits` is chosen such that this is at most half of the
//! tolerance. There `|e| <= |c*| + ` that much throughout, which bounds all integers.

use super::newton::Newton;
use super::{FeatureMatrix, OptimiseError};
use crate::number::range::{OutOfRange, above_zero, require};
use crate::number::root::ceil_sqrt;
use crate::number::{Grid, NumberError, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// What is public about the labels and the rows, whatever the data are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The grid of the labels.
    pub label_grid: Grid,
    /// No label is larger in magnitude, in steps of that grid.
    pub largest_label: i64,
    /// There are no more rows than this.
    pub most_rows: usize,
}

/// A point that is close to the minimum, and how close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The coefficients `c`, in steps of `2^-bits`.
    pub coefficients: Vec<i64>,
    /// How fine those steps are.
    pub bits: u32,
    /// At least the distance from `c` to the minimum, and at most the tolerance.
    pub gap: Rational,
}

impl Solution {
    /// The coefficients, each rounded to the nearest of `grid`: this moves them by at most `sqrt(D)/2` of its
    /// steps.
    ///
    /// # Errors
    /// [`NumberError`] for a coefficient that does not fit.
    pub fn rounded(&self, grid: Grid) -> Result<Vec<i64>, NumberError> {
        let denominator = BigInt::one() << self.bits;
        let value = |c: i64| Rational::new_raw(c.into(), denominator.clone());
        self.coefficients
            .iter()
            .map(|&c| grid.nearest(&value(c)))
            .collect()
    }
}

/// The minimum of `|Phi c - y|^2 + Lambda |c|^2`, within `tolerance`. Labels are in steps of their grid.
///
/// # Errors
/// All are about what is public, or labels beyond their bound: [`OptimiseError::Parameter`] unless
/// `tolerance > 0` and `Lambda > 0` is a multiple of `4^-b` for a feature grid of `b` bits;
/// [`OptimiseError::Length`]; [`OptimiseError::Overflow`] for a tolerance that 64-bit coefficients cannot reach.
pub fn solve(
    features: &FeatureMatrix,
    labels: &[i64],
    limits: &Limits,
    penalty: &Rational,
    tolerance: &Rational,
) -> Result<Solution, OptimiseError> {
    let problem = Problem::new(features, labels, limits, penalty, tolerance)?;
    let mut newton = None;
    let guess = |gradient: &[i128]| {
        if newton.is_none() {
            newton = Newton::new(features, problem.penalty as f64);
        }
        newton.as_ref().map(|newton| newton.step(gradient))
    };
    problem
        .by_guesses(guess)
        .map_or_else(|| problem.by_gradients(), Ok)
}

/// The problem in integers: coefficients in steps of `2^-s`, residuals of `2^-(b + s)`, gradients of
/// `2^-(2 b + s)`.
struct Problem<'a> {
    features: &'a FeatureMatrix,
    labels: &'a [i64],
    // A label times this is in steps of 2^-(b + s).
    label_shift: u32,
    // s
    bits: u32,
    // Lambda 4^b
    penalty: i128,
    // M 4^b
    steepest: i128,
    // No point is longer: below 2^62.
    farthest: i64,
    tolerance: &'a Rational,
}

impl<'a> Problem<'a> {
    fn new(
        features: &'a FeatureMatrix,
        labels: &'a [i64],
        limits: &Limits,
        penalty: &Rational,
        tolerance: &'a Rational,
    ) -> Result<Self, OptimiseError> {
        let b = features.grid().bits();
        check_labels(features, labels, limits)?;
        above_zero("the tolerance", tolerance)?;
        let scaled = penalty * (BigInt::one() << (2 * b));
        let right = scaled.is_integer() && scaled.is_positive();
        let expected = "above 0 and a multiple of 4^-b for a feature grid of b bits";
        require(right, "the penalty", penalty, expected)?;
        // u sqrt(D) M^2 / Lambda^2 <= tolerance.
        let steepest = penalty + BigInt::from(limits.most_rows);
        let root = BigInt::from(features.columns()).sqrt() + 1;
        let needed = (&steepest / penalty).pow(2) * root / tolerance;
        let least = limits.label_grid.bits().saturating_sub(b);
        let bits = (log2_above(&needed).max(0) as u32).max(least);
        // |c*| <= |y| / (2 sqrt(Lambda)) <= B sqrt(m / Lambda) / 2, and twice that is reached on the way.
        let label = limits.label_grid.value(limits.largest_label);
        let squared = &label * &label * BigInt::from(limits.most_rows) / penalty;
        let farthest = (log2_above(&squared).max(0) + 1) / 2 + log2_above(tolerance).max(0) + 1;
        // Every partial sum: (m + Lambda) 4^b 2^s times the farthest point, or m 4^b 2^s times a label.
        let largest = log2_above(&steepest).max(0)
            + i64::from(2 * b)
            + i64::from(bits)
            + farthest.max(log2_above(&label));
        if i64::from(bits) + farthest > 61 || largest > 124 {
            return Err(OptimiseError::Overflow {
                what: "ridge regression to this tolerance",
            });
        }
        let fits = |value: &BigInt| {
            value.to_i128().ok_or(OptimiseError::Overflow {
                what: "the penalty",
            })
        };
        Ok(Self {
            features,
            labels,
            label_shift: b + bits - limits.label_grid.bits(),
            bits,
            penalty: fits(&scaled.to_integer())?,
            steepest: fits(&(scaled.to_integer() + (BigInt::from(limits.most_rows) << (2 * b))))?,
            farthest: 1 << (i64::from(bits) + farthest),
            tolerance,
        })
    }

    /// Half the gradient at `c`, exactly.
    fn gradient(&self, c: &[i64]) -> Vec<i128> {
        // 1. r = Phi c - y.
        let mut residual = self.features.times(c);
        for (r, &y) in residual.iter_mut().zip(self.labels) {
            *r -= i128::from(y) << self.label_shift;
        }
        // 2. g = Phi^T r + Lambda c.
        let mut gradient = self.features.transposed_times(&residual);
        for (g, &c) in gradient.iter_mut().zip(c) {
            *g += self.penalty * i128::from(c);
        }
        gradient
    }

    /// `|g| / Lambda`, rounded up: at least the distance to the minimum.
    fn gap(&self, gradient: &[i128]) -> Rational {
        let squared: BigInt = gradient.iter().map(|&g| BigInt::from(g).pow(2)).sum();
        Rational::new(ceil_sqrt(&squared), BigInt::from(self.penalty) << self.bits)
    }

    fn solution(&self, coefficients: Vec<i64>, gap: Rational) -> Solution {
        Solution {
            coefficients,
            bits: self.bits,
            gap,
        }
    }

    /// Guessed steps from zero, in steps of `c`; `None` as soon as there is no guess, or one that does not halve
    /// the gradient.
    fn by_guesses(&self, mut guess: impl FnMut(&[i128]) -> Option<Vec<f64>>) -> Option<Solution> {
        let mut c = vec![0i64; self.features.columns()];
        let mut gradient = self.gradient(&c);
        let mut gap = self.gap(&gradient);
        while gap > *self.tolerance {
            // 1. The step, rounded; what is no number becomes zero, what is too large is clipped.
            for (c, step) in c.iter_mut().zip(guess(&gradient)?) {
                *c = c.saturating_sub(step.round() as i64);
            }
            //    Its length is limited, not each coordinate, so that the sums fit for any number of columns.
            let squared: BigInt = c.iter().map(|&c| BigInt::from(c).pow(2)).sum();
            if squared > BigInt::from(self.farthest).pow(2) {
                return None;
            }
            // 2. Accepted if it halves the gap.
            gradient = self.gradient(&c);
            let before = std::mem::replace(&mut gap, self.gap(&gradient));
            if &gap * BigInt::from(2) > before {
                return None;
            }
        }
        Some(self.solution(c, gap))
    }

    /// Gradient steps of length `1/M` from zero, which arrive on all data.
    fn by_gradients(&self) -> Result<Solution, OptimiseError> {
        let mut c = vec![0i64; self.features.columns()];
        loop {
            let gradient = self.gradient(&c);
            let gap = self.gap(&gradient);
            if gap <= *self.tolerance {
                return Ok(self.solution(c, gap));
            }
            for (c, g) in c.iter_mut().zip(&gradient) {
                // To the nearest: floor((2 g + M) / (2 M)).
                let step = Integer::div_floor(&(2 * g + self.steepest), &(2 * self.steepest));
                *c -= step as i64;
            }
        }
    }
}

fn check_labels(
    features: &FeatureMatrix,
    labels: &[i64],
    limits: &Limits,
) -> Result<(), OptimiseError> {
    if labels.len() != features.rows() {
        return Err(OptimiseError::Length {
            what: "the labels",
            expected: features.rows(),
            found: labels.len(),
        });
    }
    let right = labels.len() <= limits.most_rows;
    let expected = "at most its public cap";
    require(right, "the number of rows", &labels.len(), expected)?;
    let bound = limits.largest_label;
    require(bound > 0, "the bound of the labels", &bound, "above 0")?;
    match labels
        .iter()
        .position(|y| y.unsigned_abs() > bound.unsigned_abs())
    {
        Some(row) => {
            let value = format!("a larger one in row {row}");
            let expected = "at most its public bound in magnitude";
            Err(OutOfRange::new("each label", &value, expected).into())
        }
        None => Ok(()),
    }
}

/// The least `k >= 0` with `value <= 2^k`.
fn log2_above(value: &Rational) -> i64 {
    if value.is_zero() {
        return 0;
    }
    let ceiling = value.abs().ceil().to_integer();
    (ceiling - BigInt::one()).bits() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    fn grid(bits: u32) -> Grid {
        Grid::new(bits).unwrap()
    }

    fn limits(rows: usize) -> Limits {
        Limits {
            label_grid: grid(4),
            largest_label: 16,
            most_rows: rows,
        }
    }

    /// Rows (1, 0), (3/5, 4/5) rounded and (-1/2, 1/2).
    fn features() -> FeatureMatrix {
        let rows = [vec![256, 0], vec![153, 204], vec![-128, 128]];
        FeatureMatrix::new(grid(8), 2, &rows).unwrap()
    }

    const LABELS: [i64; 3] = [16, -16, 5];

    /// The minimum for two columns, by Cramer's rule.
    fn exact(features: &FeatureMatrix, labels: &[i64], penalty: &Rational) -> [Rational; 2] {
        let value = |a: i32| features.grid().value(a.into());
        let sum = |f: &dyn Fn(usize) -> Rational| (0..labels.len()).map(f).sum::<Rational>();
        let at = |j: usize, k: usize| value(features.row(j)[k]);
        let gram = |k: usize, l: usize| sum(&|j| at(j, k) * at(j, l));
        let right = |k: usize| sum(&|j| at(j, k) * grid(4).value(labels[j]));
        let (a, b, d) = (gram(0, 0) + penalty, gram(0, 1), gram(1, 1) + penalty);
        let determinant = &a * &d - &b * &b;
        let first = (right(0) * &d - right(1) * &b) / &determinant;
        let second = (right(1) * a - right(0) * b) / determinant;
        [first, second]
    }

    fn squared_distance(solution: &Solution, exact: &[Rational]) -> Rational {
        let unit = ratio(1, 1 << solution.bits);
        let off = |(c, e): (&i64, &Rational)| (&unit * integer(*c) - e).pow(2);
        solution.coefficients.iter().zip(exact).map(off).sum()
    }

    #[test]
    fn the_gap_is_at_least_the_distance_to_the_minimum() {
        let features = features();
        for penalty in [ratio(1, 1024), ratio(1, 8), integer(1), integer(50)] {
            for tolerance in [ratio(1, 10), ratio(1, 1_000_000)] {
                let solution = solve(&features, &LABELS, &limits(3), &penalty, &tolerance).unwrap();
                let minimum = exact(&features, &LABELS, &penalty);
                assert!(solution.gap <= tolerance);
                assert!(squared_distance(&solution, &minimum) <= solution.gap.pow(2));
            }
        }
    }

    #[test]
    fn gradient_steps_alone_keep_the_promise() {
        let features = features();
        for penalty in [ratio(1, 8), integer(1), integer(50)] {
            for tolerance in [ratio(1, 10), ratio(1, 1_000_000)] {
                let limits = limits(3);
                let problem =
                    Problem::new(&features, &LABELS, &limits, &penalty, &tolerance).unwrap();
                let solution = problem.by_gradients().unwrap();
                let minimum = exact(&features, &LABELS, &penalty);
                assert!(solution.gap <= tolerance);
                assert!(squared_distance(&solution, &minimum) <= solution.gap.pow(2));
            }
        }
    }

    #[test]
    fn a_point_that_is_not_the_minimum_has_a_gap() {
        let (features, limits) = (features(), limits(3));
        let tolerance = ratio(1, 1_000_000);
        let penalty = integer(1);
        let problem = Problem::new(&features, &LABELS, &limits, &penalty, &tolerance).unwrap();
        let mut solution = problem.by_gradients().unwrap();
        // The broken twin: one coefficient is off by 1/16, and the gap is read off the gradient there.
        solution.coefficients[1] += 1 << (solution.bits - 4);
        let gap = problem.gap(&problem.gradient(&solution.coefficients));
        assert!(gap > tolerance && gap >= ratio(1, 16));
    }

    #[test]
    fn guesses_that_are_wrong_are_not_believed() {
        let (features, limits) = (features(), limits(3));
        let (penalty, tolerance) = (integer(1), ratio(1, 1_000_000));
        let problem = Problem::new(&features, &LABELS, &limits, &penalty, &tolerance).unwrap();
        // No number, nothing, too far, and the wrong way.
        for wrong in [f64::NAN, 0.0, f64::INFINITY, 1e15, -1e15] {
            assert_eq!(problem.by_guesses(|_| Some(vec![wrong; 2])), None);
        }
        assert_eq!(problem.by_guesses(|_| None), None);
        // Three quarters of Newton's step, again and again, are good enough.
        let newton = Newton::new(&features, problem.penalty as f64).unwrap();
        let mut guesses = 0;
        let short = |gradient: &[i128]| {
            guesses += 1;
            let shorter: Vec<i128> = gradient.iter().map(|g| g * 3 / 4).collect();
            Some(newton.step(&shorter))
        };
        let solution = problem.by_guesses(short).unwrap();
        assert!(guesses > 5 && solution.gap <= tolerance);
        let minimum = exact(&features, &LABELS, &penalty);
        assert!(squared_distance(&solution, &minimum) <= solution.gap.pow(2));
    }

    #[test]
    fn a_wrong_guess_in_many_columns_does_not_leave_the_integers() {
        // Equal rows with a first entry of about 2/3, the rest spread over 512 columns: at a point with every
        // coordinate at the limit the gradient is 30,000 * 0.656 * 16.66 * 2^(48 + 61), which is above 2^127.
        let mut row = vec![1 << 19; 513];
        row[0] = 11_000_000;
        let m = 30_000;
        let features = FeatureMatrix::new(grid(24), 513, &vec![row; m]).unwrap();
        let labels = vec![1 << 20; m];
        let limits = Limits {
            label_grid: grid(0),
            largest_label: 1 << 20,
            most_rows: m,
        };
        let (penalty, tolerance) = (integer(1 << 10), ratio(1, 1 << 22));
        let problem = Problem::new(&features, &labels, &limits, &penalty, &tolerance).unwrap();
        assert_eq!(problem.farthest, 1 << 61);
        let far = problem.farthest as f64;
        let guessed = problem.by_guesses(|_| Some(vec![-far; 513]));
        assert!(guessed.is_none());
    }

    #[test]
    fn duplicates_and_no_rows_at_all_are_solved() {
        let rows = vec![vec![256, 0]; 5];
        let same = FeatureMatrix::new(grid(8), 2, &rows).unwrap();
        let labels = [16, -16, 16, 16, 16];
        let tolerance = ratio(1, 1000);
        let solution = solve(&same, &labels, &limits(5), &integer(1), &tolerance).unwrap();
        // (3/1) / (5 + 1) = 1/2, and nothing in the other direction.
        let minimum = [ratio(1, 2), integer(0)];
        assert!(squared_distance(&solution, &minimum) <= tolerance.pow(2));
        let none = FeatureMatrix::new(grid(8), 2, &[]).unwrap();
        let solution = solve(&none, &[], &limits(5), &integer(1), &tolerance).unwrap();
        assert_eq!(solution.coefficients, [0, 0]);
    }

    #[test]
    fn what_cannot_be_solved_is_refused_for_public_reasons() {
        let features = features();
        let refused = |limits: &Limits, penalty: Rational, tolerance: Rational| {
            solve(&features, &LABELS, limits, &penalty, &tolerance).unwrap_err()
        };
        let small = ratio(1, 1000);
        assert!(matches!(
            refused(&limits(3), integer(0), small.clone()),
            OptimiseError::Parameter { .. }
        ));
        assert!(matches!(
            refused(&limits(3), ratio(1, 3), small.clone()),
            OptimiseError::Parameter { .. }
        ));
        assert!(matches!(
            refused(&limits(3), integer(1), integer(0)),
            OptimiseError::Parameter { .. }
        ));
        assert!(matches!(
            refused(&limits(2), integer(1), small.clone()),
            OptimiseError::Parameter { .. }
        ));
        assert!(matches!(
            refused(&limits(3), ratio(1, 65536), ratio(1, 1 << 40)),
            OptimiseError::Overflow { .. }
        ));
        let narrow = Limits {
            largest_label: 15,
            ..limits(3)
        };
        let error = refused(&narrow, integer(1), small);
        assert_eq!(
            error.to_string(),
            "each label must be at most its public bound in magnitude, got a larger one in row 0"
        );
        let error = solve(&features, &[1], &limits(3), &integer(1), &ratio(1, 2));
        assert!(matches!(error, Err(OptimiseError::Length { .. })));
    }

    #[test]
    fn the_gap_is_rounded_up_and_only_where_it_must_be() {
        let (features, limits) = (features(), limits(3));
        let (penalty, tolerance) = (integer(1), ratio(1, 1000));
        let problem = Problem::new(&features, &LABELS, &limits, &penalty, &tolerance).unwrap();
        // Gradients are in steps of 4^-8 2^-bits.
        let step = ratio(1, 1 << 16) / (BigInt::one() << problem.bits);
        for (gradient, norm) in [([3, 4], 5), ([1, 1], 2), ([2, 2], 3), ([0, 0], 0)] {
            assert_eq!(problem.gap(&gradient), &step * integer(norm));
        }
    }

    #[test]
    fn the_bound_of_the_labels_is_above_zero() {
        let solved = |largest_label| {
            let limits = Limits {
                largest_label,
                ..limits(3)
            };
            let (penalty, tolerance) = (integer(1), ratio(1, 1000));
            solve(&features(), &[0, 0, 0], &limits, &penalty, &tolerance)
        };
        for bound in [0, -1, i64::MIN] {
            let says = format!("the bound of the labels must be above 0, got {bound}");
            assert_eq!(solved(bound).unwrap_err().to_string(), says);
        }
        assert_eq!(solved(1).unwrap().coefficients, [0, 0]);
    }

    #[test]
    fn a_value_is_at_most_its_power_of_two_and_above_half_of_it() {
        for (n, d, power) in [
            (0, 1, 0),
            (1, 3, 0),
            (1, 1, 0),
            (3, 2, 1),
            (2, 1, 1),
            (5, 2, 2),
            (4, 1, 2),
            (9, 2, 3),
        ] {
            assert_eq!(log2_above(&ratio(n, d)), power, "{n}/{d}");
        }
    }

    #[test]
    fn coefficients_are_rounded_to_the_nearest_of_a_coarser_grid() {
        let solution = Solution {
            coefficients: vec![5, -5, 7, 8],
            bits: 4,
            gap: integer(0),
        };
        // 5/16 is 1.25 quarters, 7/16 is 1.75.
        assert_eq!(solution.rounded(grid(2)).unwrap(), [1, -1, 2, 2]);
        assert_eq!(solution.rounded(grid(5)).unwrap(), [10, -10, 14, 16]);
    }
}
