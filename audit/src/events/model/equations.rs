//! Small systems of linear equations.

/// Solves `matrix x = right` for a symmetric positive definite matrix, by Cholesky's factorisation
/// `matrix = L L^T`. `None` if the matrix is not positive definite, as far as doubles can tell.
pub(super) fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    let mut lower = vec![vec![0.0; n]; n];
    for row in 0..n {
        for column in 0..=row {
            let products = (0..column).map(|k| lower[row][k] * lower[column][k]);
            let rest = matrix[row][column] - products.sum::<f64>();
            lower[row][column] = if row > column {
                rest / lower[column][column]
            } else if rest > 0.0 && rest.is_finite() {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    // L y = right, then L^T x = y.
    let mut x = right.to_vec();
    for row in 0..n {
        let known: f64 = (0..row).map(|k| lower[row][k] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row][row];
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| lower[k][row] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row][row];
    }
    x.iter().all(|value| value.is_finite()).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_a_singular_one_refused() {
        let matrix = [
            vec![4.0, 2.0, 0.0],
            vec![2.0, 5.0, 1.0],
            vec![0.0, 1.0, 3.0],
        ];
        let x = solve(&matrix, &[8.0, 13.0, 5.0]).unwrap();
        for (row, right) in matrix.iter().zip([8.0, 13.0, 5.0]) {
            let left: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((left - right).abs() < 1e-12, "{x:?}");
        }
        assert!(solve(&[vec![1.0, 1.0], vec![1.0, 1.0]], &[1.0, 2.0]).is_none());
        assert!(solve(&[vec![f64::NAN]], &[1.0]).is_none());
        assert_eq!(solve(&[], &[]), Some(Vec::new()));
    }
}
