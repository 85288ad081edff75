//! The two ways in which the paper computes the minimum-norm solution, in floats.
//!
//! Feature matrices are features by records: the paper's matrix, transposed.

use crate::draws::Draws;
use dp_assay::coins::CoinsError;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Eigenvalues of the Gram matrix below this share of the largest count as zero. The paper calls
/// `numpy.linalg.pinv`, which cuts singular values at 1e-15 of the largest; the eigenvalues of a Gram
/// matrix in double precision are known to about 1e-13 of the largest, so the cut must be above that.
const CUT: f64 = 1e-10;

/// The minimum-norm least-squares solution, by the pseudo-inverse.
pub struct MinimumNorm {
    /// One coefficient a feature.
    pub coefficients: DVector<f64>,
    /// How many eigenvalues are above the cut.
    pub rank: usize,
    /// For each record, how far the coefficients move when its label moves by 1: the norm of its column
    /// of the pseudo-inverse. Empty where there are more records than features.
    pub distances: Vec<f64>,
}

/// The pseudo-inverse by the eigenvalues of the smaller of the two Gram matrices.
pub fn minimum_norm(features: &DMatrix<f64>, labels: &[f64]) -> MinimumNorm {
    let labels = DVector::from_column_slice(labels);
    let transposed = features.transpose();
    let by_records = features.ncols() <= features.nrows();
    let gram = if by_records {
        &transposed * features
    } else {
        features * &transposed
    };
    let SymmetricEigen {
        eigenvalues,
        eigenvectors,
    } = SymmetricEigen::new(gram);
    let least = CUT * eigenvalues.max();
    let inverse = eigenvalues.map(|value| if value > least { 1.0 / value } else { 0.0 });
    let rank = inverse.iter().filter(|&&value| value > 0.0).count();
    let apply =
        |vector: &DVector<f64>| &eigenvectors * eigenvectors.tr_mul(vector).component_mul(&inverse);
    if by_records {
        MinimumNorm {
            coefficients: features * apply(&labels),
            rank,
            distances: eigenvectors
                .row_iter()
                .map(|row| row.map(|x| x * x).tr_dot(&inverse).sqrt())
                .collect(),
        }
    } else {
        MinimumNorm {
            coefficients: apply(&(features * labels)),
            rank,
            distances: Vec::new(),
        }
    }
}

/// Randomized Kaczmarz as the paper's code has it: as many steps as records, each at a record drawn
/// uniformly with replacement, from zero. Returns the coefficients and the record of the last step.
pub fn kaczmarz(
    features: &DMatrix<f64>,
    labels: &[f64],
    draws: &mut Draws,
) -> Result<(DVector<f64>, usize), CoinsError> {
    let mut coefficients = DVector::zeros(features.nrows());
    let mut last = 0;
    for _ in 0..labels.len() {
        last = draws.below(labels.len())?;
        let row = features.column(last);
        let residual = labels[last] - row.dot(&coefficients);
        coefficients.axpy(residual / row.norm_squared(), &row, 1.0);
    }
    Ok((coefficients, last))
}

/// The predictions for the records of `features`.
pub fn predictions(features: &DMatrix<f64>, coefficients: &DVector<f64>) -> DVector<f64> {
    features.tr_mul(coefficients)
}

/// The mean squared error of the predictions: the paper's "test error".
pub fn mean_squared_error(predictions: &DVector<f64>, labels: &[f64]) -> f64 {
    let squares = predictions
        .iter()
        .zip(labels)
        .map(|(prediction, label)| (prediction - label).powi(2));
    squares.sum::<f64>() / labels.len() as f64
}

/// Squared regularised loss: the minimiser of `|Phi c - y|^2 + penalty |c|^2`; `penalty` above 0.
/// `None` if the matrix is not positive definite in floats.
pub fn ridge(features: &DMatrix<f64>, labels: &[f64], penalty: f64) -> Option<DVector<f64>> {
    let right = features * DVector::from_column_slice(labels);
    let mut gram = features * features.transpose();
    for index in 0..gram.nrows() {
        gram[(index, index)] += penalty;
    }
    gram.cholesky().map(|factor| factor.solve(&right))
}

#[cfg(test)]
mod tests {
    use super::super::features::CosineFeatures;
    use super::*;

    fn instance(features: usize, records: usize) -> (DMatrix<f64>, Vec<f64>) {
        let mut draws = Draws::new(1, "solvers");
        let inputs = DMatrix::from_vec(3, records, draws.normals(3 * records).unwrap());
        let map = CosineFeatures::draw(features, 3, 3.0, &mut draws).unwrap();
        (map.of(&inputs), draws.normals(records).unwrap())
    }

    // Condition numbers here are below 1e4 and double precision has 16 digits: 1e-9 is generous.
    #[test]
    fn the_minimum_norm_solution_interpolates_and_lies_in_the_row_space() {
        let (features, labels) = instance(60, 20);
        let solution = minimum_norm(&features, &labels);
        assert_eq!(solution.rank, 20);
        let fitted = predictions(&features, &solution.coefficients);
        assert!(mean_squared_error(&fitted, &labels) < 1e-18);
        // A ridge of small penalty is near it, any other interpolator is not.
        let near = ridge(&features, &labels, 1e-9).unwrap();
        assert!((near - &solution.coefficients).norm() < 1e-5 * solution.coefficients.norm());
    }

    #[test]
    fn a_moved_label_moves_the_coefficients_by_the_stated_distance() {
        let (features, mut labels) = instance(60, 20);
        let before = minimum_norm(&features, &labels);
        labels[7] += 1.0;
        let after = minimum_norm(&features, &labels);
        let distance = (after.coefficients - before.coefficients).norm();
        assert!((distance - before.distances[7]).abs() < 1e-9 * distance);
        // The bound that the lower bound of epsilon rests on.
        assert!(distance >= (1.0 - 1e-12) / features.column(7).norm());
    }

    #[test]
    fn conflicting_duplicates_get_their_mean_and_lower_the_rank() {
        let (features, _) = instance(60, 5);
        let doubled = features.select_columns(&[0, 1, 2, 3, 4, 4]);
        let solution = minimum_norm(&doubled, &[1.0, 2.0, 3.0, 4.0, 0.0, 1.0]);
        assert_eq!(solution.rank, 5);
        let fitted = predictions(&doubled, &solution.coefficients);
        for index in [4, 5] {
            assert!((fitted[index] - 0.5).abs() < 1e-6, "{fitted}");
        }
    }

    #[test]
    fn more_records_than_features_are_least_squares() {
        let (features, labels) = instance(10, 40);
        let solution = minimum_norm(&features, &labels);
        let residual =
            predictions(&features, &solution.coefficients) - DVector::from_column_slice(&labels);
        assert!((features * residual).norm() < 1e-9);
    }

    #[test]
    fn kaczmarz_interpolates_the_record_of_its_last_step() {
        let (features, labels) = instance(60, 20);
        let mut draws = Draws::new(1, "kaczmarz");
        let (coefficients, last) = kaczmarz(&features, &labels, &mut draws).unwrap();
        let fitted = predictions(&features, &coefficients);
        assert!((fitted[last] - labels[last]).abs() < 1e-12);
        // And one epoch has not converged.
        assert!(mean_squared_error(&fitted, &labels) > 1e-3);
    }
}
