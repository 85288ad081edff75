//! The Walsh-Hadamard transform, in integers.

use super::GeometryError;
use super::projection::check_sum;
use crate::number::range::require;

/// Replaces `v` by `H v`, for the matrix `H` of a power of two of rows with the entries `(-1)^(i . j)`, where `i . j` is
/// the number of ones that the binary digits of `i` and `j` share.
///
/// `H` is symmetric, and `H H = n I` for `n` rows: `|H v|^2 = n |v|^2`. No factor `1/sqrt(n)` is applied, so that
/// integers stay integers. In place; `n log2(n)` additions.
///
/// # Errors
/// [`GeometryError::Parameter`] unless the length is a power of two; [`GeometryError::Overflow`] if the absolute values
/// of the coordinates sum to 2^63 or more.
pub fn walsh_hadamard(vector: &mut [i64]) -> Result<(), GeometryError> {
    let length = vector.len();
    let right = length.is_power_of_two();
    require(right, "the length of a vector", &length, "a power of two")?;
    // No partial sum is larger than this sum.
    check_sum(vector)?;
    let mut half = 1;
    while half < length {
        for block in vector.chunks_exact_mut(2 * half) {
            let (left, right) = block.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `H v`, by its definition.
    fn plainly(v: &[i64]) -> Vec<i64> {
        let sign = |i: usize, j: usize| 1 - 2 * i64::from((i & j).count_ones() % 2);
        (0..v.len())
            .map(|i| v.iter().enumerate().map(|(j, x)| sign(i, j) * x).sum())
            .collect()
    }

    #[test]
    fn small_transforms() {
        for (before, after) in [
            (vec![5], vec![5]),
            (vec![5, 3], vec![8, 2]),
            (vec![1, 2, 3, 4], vec![10, -2, -4, 0]),
        ] {
            let mut vector = before.clone();
            walsh_hadamard(&mut vector).unwrap();
            assert_eq!(vector, after, "{before:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for length in [0, 3, 6] {
            let refused = walsh_hadamard(&mut vec![1; length]);
            assert!(
                matches!(refused, Err(GeometryError::Parameter(_))),
                "{length}"
            );
        }
        let mut largest = [i64::MAX, 0];
        walsh_hadamard(&mut largest).unwrap();
        assert_eq!(largest, [i64::MAX; 2]);
        for large in [[i64::MAX, 1], [i64::MIN, 0]] {
            let refused = walsh_hadamard(&mut large.clone());
            assert_eq!(refused, Err(GeometryError::Overflow));
        }
    }

    proptest! {
        #[test]
        fn it_is_the_matrix_of_its_definition_and_its_own_inverse(
            log in 0u32..8, values in prop::collection::vec(-1_000_000i64..1_000_000, 128)
        ) {
            let before = values[..1 << log].to_vec();
            let mut vector = before.clone();
            walsh_hadamard(&mut vector).unwrap();
            prop_assert_eq!(&vector, &plainly(&before));
            walsh_hadamard(&mut vector).unwrap();
            let scaled: Vec<i64> = before.iter().map(|v| v << log).collect();
            prop_assert_eq!(vector, scaled);
        }
    }
}
