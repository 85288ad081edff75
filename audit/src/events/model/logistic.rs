//! A logistic model: an output with the row of numbers `x` came from the first dataset with the odds `exp(w . x)`.
//!
//! The weights `w` are normal beforehand, with variance `1 / ridge`. The fit minimises the convex
//!
//! `loss(w) = sum of first log(1 + exp(-w . x)) + second log(1 + exp(w . x)) over the rows + ridge |w|^2 / 2`,
//!
//! where `first` and `second` say how often the row came under the two datasets, by Newton's method, without coins:
//!
//! 1. The shares are `p = 1 / (1 + exp(-X w))`, the gradient is `X^T (n p - first) + ridge w`, with `n = first + second`.
//! 2. The Hessian is `H = X^T diag(n p (1 - p)) X + ridge I`.
//! 3. `w := w - t H^-1 gradient`, where `t = 1` is halved until the loss falls.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// One over the variance of a weight beforehand: the columns are of the order of 1, and odds of e are no surprise. It also
/// keeps the weights finite where the datasets can always be told apart.
pub const RIDGE: f64 = 1.0;
/// The most steps of Newton's method: a bound on the time.
const STEPS: usize = 12;
/// The most halvings of one step: without a fall after them the fit is done.
const HALVINGS: usize = 8;
/// The relative progress after which it stops. On 2^15 rows of odds near 1 the weights are then within a hundredth of their
/// standard errors.
const ENOUGH: f64 = 1e-9;

/// The design matrix, and how often each of its rows came under the two datasets.
pub struct Design {
    rows: DMatrix<f64>,
    counts: [DVector<f64>; 2],
    ridge: f64,
}

/// A row of the design matrix, and how often it came.
pub type Row = (Vec<f64>, [f64; 2]);

/// The most likely weights, and how well they are known.
#[derive(Debug, Clone)]
pub struct Fit {
    /// One for each column.
    pub weights: DVector<f64>,
    /// The factor `L` of the Hessian `L L^T`, the inverse of the covariance of the weights.
    precision: Cholesky<f64, Dyn>,
}

impl Design {
    /// From rows of one length, with this positive ridge. Each dataset counts as half of the calls, however many it had. `None`
    /// if there are no rows, or one of the datasets has none.
    pub fn new(rows: &[Row], ridge: f64) -> Option<Self> {
        let width = rows.first()?.0.len();
        let totals = [0, 1].map(|side| rows.iter().map(|(_, counts)| counts[side]).sum::<f64>());
        if totals.contains(&0.0) {
            return None;
        }
        let half = (totals[0] + totals[1]) / 2.0;
        let counts = [0, 1].map(|side| {
            let counts = rows
                .iter()
                .map(|(_, counts)| counts[side] * half / totals[side]);
            DVector::from_iterator(rows.len(), counts)
        });
        let numbers = rows.iter().flat_map(|(row, _)| row.iter().copied());
        let rows = DMatrix::from_row_iterator(rows.len(), width, numbers);
        Some(Self {
            rows,
            counts,
            ridge,
        })
    }

    /// The most likely weights; `None` if floats do not find them.
    pub fn fit(&self) -> Option<Fit> {
        let mut weights = DVector::zeros(self.rows.ncols());
        let mut loss = self.loss(&weights);
        for _ in 0..STEPS {
            let (gradient, hessian) = self.derivatives(&weights)?;
            let mut step = hessian.solve(&gradient);
            let lower = (0..HALVINGS).find_map(|_| {
                let moved = &weights - &step;
                step /= 2.0;
                Some((self.loss(&moved), moved)).filter(|(there, _)| *there < loss)
            });
            let Some((there, moved)) = lower else { break };
            let progress = loss - there;
            (weights, loss) = (moved, there);
            if progress < ENOUGH * loss {
                break;
            }
        }
        let (_, precision) = self.derivatives(&weights)?;
        Some(Fit { weights, precision })
    }

    fn loss(&self, weights: &DVector<f64>) -> f64 {
        // log(1 + e^z), without overflow.
        let softplus = |z: f64| z.max(0.0) + (-z.abs()).exp().ln_1p();
        let log_odds = &self.rows * weights;
        let first = self.counts[0].dot(&log_odds.map(|z| softplus(-z)));
        let second = self.counts[1].dot(&log_odds.map(softplus));
        first + second + self.ridge / 2.0 * weights.norm_squared()
    }

    /// The gradient of the loss, and the factored Hessian.
    fn derivatives(&self, weights: &DVector<f64>) -> Option<(DVector<f64>, Cholesky<f64, Dyn>)> {
        let [first, second] = &self.counts;
        let all = first + second;
        let shares = (&self.rows * weights).map(sigmoid);
        let gradient =
            self.rows.tr_mul(&(all.component_mul(&shares) - first)) + weights * self.ridge;
        let curvature = all.component_mul(&shares.map(|share| share * (1.0 - share)));
        let mut curved = self.rows.clone();
        for (mut row, curvature) in curved.row_iter_mut().zip(&curvature) {
            row *= *curvature;
        }
        let mut hessian = self.rows.tr_mul(&curved);
        for i in 0..hessian.nrows() {
            hessian[(i, i)] += self.ridge;
        }
        Some((gradient, hessian.cholesky()?))
    }
}

impl Fit {
    /// The probability that an output with this row came from the first dataset, if both are called equally often. The
    /// posterior of the weights is taken as normal, and the logarithm of the odds is divided by the root of 1 and its
    /// variance (MacKay 1992): of what hardly ever came, little is known.
    pub fn share(&self, row: Vec<f64>) -> f64 {
        let row = DVector::from_vec(row);
        let mean = row.dot(&self.weights);
        let part = self.precision.l_dirty().solve_lower_triangular(&row);
        let variance = part.map_or(f64::INFINITY, |part| part.norm_squared());
        sigmoid(mean / (1.0 + variance).sqrt())
    }
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once each, and with a 1 for the constant.
    fn design(of: impl Fn(usize, usize) -> [f64; 2], n: usize) -> Design {
        let row = |side: usize, i: usize| {
            let [x, y] = of(side, i);
            let counts = [0, 1].map(|s| f64::from(u8::from(s == side)));
            (vec![x, y, 1.0], counts)
        };
        let rows: Vec<Row> = (0..n).flat_map(|i| [row(0, i), row(1, i)]).collect();
        Design::new(&rows, RIDGE).unwrap()
    }

    #[test]
    fn the_fit_is_where_the_gradient_vanishes() {
        let noise = |i: usize, k: usize| ((i * k) % 101) as f64 / 50.0 - 1.0;
        let shifts = [0.3, 0.0];
        let design = design(
            |side, i| {
                [
                    noise(i, 37) + shifts[side],
                    noise(i, 53) - 0.5 * shifts[side],
                ]
            },
            3000,
        );
        let weights = design.fit().unwrap().weights;
        let least = design.loss(&weights);
        for i in 0..3 {
            for change in [-1e-3, 1e-3] {
                let mut moved = weights.clone();
                moved[i] += change;
                assert!(design.loss(&moved) > least, "{weights:?}");
            }
        }
        assert!(weights[0] > 0.1 && weights[1] < -0.1, "{weights:?}");
    }

    #[test]
    fn datasets_that_never_overlap_have_finite_weights() {
        let shifts = [5.0, 0.0];
        let design = design(
            |side, i| [shifts[side] + (i % 7) as f64 / 7.0, (i % 5) as f64],
            1000,
        );
        let weights = design.fit().unwrap().weights;
        assert!(weights.iter().all(|w| w.is_finite() && w.abs() < 1e3));
        assert!(weights[0] > 1.0, "{weights:?}");
        assert!(Design::new(&[], RIDGE).is_none());
        assert!(Design::new(&[(vec![1.0], [1.0, 0.0])], RIDGE).is_none());
    }

    #[test]
    fn a_dataset_that_was_called_more_often_counts_no_more() {
        let rows = [
            (vec![0.0, 1.0], [30.0, 10.0]),
            (vec![1.0, 1.0], [10.0, 30.0]),
        ];
        let more = rows
            .clone()
            .map(|(row, [first, second])| (row, [first, 9.0 * second]));
        for rows in [&rows, &more] {
            let fit = Design::new(rows, RIDGE).unwrap().fit().unwrap();
            let share = fit.share(vec![0.0, 1.0]);
            assert!((0.65..0.75).contains(&share), "{share}");
        }
    }
}
