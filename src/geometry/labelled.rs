//! Labelled points and homogeneous halfspaces, in integers.

use super::{GeometryError, SignMatrix};
use crate::number::grid;

/// A point and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The point, in steps of a grid.
    pub features: Vec<i64>,
    /// Whether the label is +1; otherwise it is -1.
    pub positive: bool,
}

impl Record {
    /// The label times the point: all that a learner of homogeneous halfspaces needs to know of the record.
    #[must_use]
    pub fn signed(&self) -> Vec<i64> {
        self.label_times(self.features.clone())
    }

    /// `y sqrt(m) A x`, or `y x` without a projection.
    ///
    /// # Errors
    /// Those of [`SignMatrix::apply`].
    pub fn projected(&self, projection: Option<&SignMatrix>) -> Result<Vec<i64>, GeometryError> {
        let image = match projection {
            Some(matrix) => matrix.apply(&self.features)?,
            None => self.features.clone(),
        };
        Ok(self.label_times(image))
    }

    /// The record with its point shortened to norm `radius` where it is longer, each coordinate rounded towards
    /// zero. No other record is read.
    #[must_use]
    pub fn clipped(mut self, radius: u64) -> Self {
        grid::clip_to_radius(&mut self.features, radius);
        self
    }

    fn label_times(&self, mut vector: Vec<i64>) -> Vec<i64> {
        if !self.positive {
            for coordinate in &mut vector {
                *coordinate = -*coordinate;
            }
        }
        vector
    }
}

/// The halfspace `{x : <w, x> > 0}`, for an integer vector `w`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Halfspace {
    /// The normal vector `w`; only its direction matters.
    pub direction: Vec<i64>,
}
crate::published!(Halfspace { direction });

impl Halfspace {
    /// `<w, x>`, exactly.
    ///
    /// # Errors
    /// [`GeometryError::Length`] unless `features` has as many coordinates as `w`;
    /// [`GeometryError::Overflow`] if it does not fit in 128 bits.
    pub fn inner_product(&self, features: &[i64]) -> Result<i128, GeometryError> {
        if features.len() != self.direction.len() {
            return Err(GeometryError::Length {
                expected: self.direction.len(),
                found: features.len(),
            });
        }
        let product = |(&w, &x): (&i64, &i64)| i128::from(w) * i128::from(x);
        self.direction
            .iter()
            .zip(features)
            .map(product)
            .try_fold(0i128, i128::checked_add)
            .ok_or(GeometryError::Overflow)
    }

    /// The sign of `<w, x>`, exactly: `Some(true)` for +1, `Some(false)` for -1, and `None` for a tie,
    /// which is undecided.
    ///
    /// # Errors
    /// Those of [`Halfspace::inner_product`].
    pub fn predict(&self, features: &[i64]) -> Result<Option<bool>, GeometryError> {
        let product = self.inner_product(features)?;
        Ok((product != 0).then_some(product > 0))
    }

    /// How many of the records have another label than predicted. A tie is an error, whatever the label.
    ///
    /// # Errors
    /// Those of [`Halfspace::inner_product`].
    pub fn errors(&self, records: &[Record]) -> Result<usize, GeometryError> {
        let mut errors = 0;
        for record in records {
            if self.predict(&record.features)? != Some(record.positive) {
                errors += 1;
            }
        }
        Ok(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(features: &[i64], positive: bool) -> Record {
        Record {
            features: features.to_vec(),
            positive,
        }
    }

    fn halfspace(direction: &[i64]) -> Halfspace {
        Halfspace {
            direction: direction.to_vec(),
        }
    }

    #[test]
    fn a_projection_carries_the_label() {
        let matrix = SignMatrix::from_signs(&[vec![1, -1], vec![1, 1]]).unwrap();
        let image = |positive| record(&[5, 3], positive).projected(Some(&matrix)).unwrap();
        assert_eq!((image(true), image(false)), (vec![2, 8], vec![-2, -8]));
        assert_eq!(record(&[5, 3], true).projected(None).unwrap(), [5, 3]);
        assert_eq!(record(&[5, 3], false).projected(None).unwrap(), [-5, -3]);
        assert_eq!(record(&[5, 3], false).signed(), [-5, -3]);
    }

    #[test]
    fn a_long_record_is_shortened_and_keeps_its_label() {
        // (6, 8) to norm 5 is (3, 4); a record that is short enough stays.
        assert_eq!(record(&[6, -8], false).clipped(5), record(&[3, -4], false));
        assert_eq!(record(&[3, 4], true).clipped(5), record(&[3, 4], true));
    }

    #[test]
    fn a_tie_is_an_error_whatever_the_label() {
        // Both readings of sign(0) as a label would spare one of the two records at the origin.
        let records = [
            record(&[4, 0], true),
            record(&[0, 4], false),
            record(&[0, 0], true),
            record(&[0, 0], false),
        ];
        assert_eq!(halfspace(&[1, -1]).errors(&records).unwrap(), 2);
        assert_eq!(halfspace(&[0, 0]).errors(&records).unwrap(), 4);
        assert_eq!(halfspace(&[0, 0]).predict(&[1, 2]).unwrap(), None);
    }

    #[test]
    fn predictions_are_signs_beyond_64_bits() {
        assert_eq!(halfspace(&[3, -2]).predict(&[1, 1]).unwrap(), Some(true));
        assert_eq!(halfspace(&[3, -2]).predict(&[1, 2]).unwrap(), Some(false));
        let (large, one_less) = (i64::MAX, i64::MAX - 1);
        let close = halfspace(&[large, -large]).predict(&[large, one_less]);
        assert_eq!(close.unwrap(), Some(true));
        assert!(halfspace(&[i64::MIN; 3]).predict(&[i64::MIN; 3]).is_err());
        assert!(halfspace(&[1]).predict(&[1, 2]).is_err());
    }
}
