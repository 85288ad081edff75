//! A homogeneous halfspace.

use super::{Dataset, HalfspaceError};

/// The halfspace `{x : <w, x> > 0}`, for an integer vector `w`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Halfspace {
    /// The normal vector `w`; only its direction matters.
    pub direction: Vec<i64>,
}

impl Halfspace {
    /// The sign of `<w, x>`, exactly: `Some(true)` for +1, `Some(false)` for -1, and `None` for a tie,
    /// which is undecided.
    ///
    /// # Errors
    /// [`HalfspaceError::Length`] unless `features` has as many coordinates as `w`;
    /// [`HalfspaceError::Overflow`] if the inner product does not fit in 128 bits.
    pub fn predict(&self, features: &[i64]) -> Result<Option<bool>, HalfspaceError> {
        if features.len() != self.direction.len() {
            return Err(HalfspaceError::Length {
                what: "the point".to_owned(),
                expected: self.direction.len(),
                found: features.len(),
            });
        }
        let product = |(&w, &x): (&i64, &i64)| i128::from(w) * i128::from(x);
        let inner_product = self
            .direction
            .iter()
            .zip(features)
            .map(product)
            .try_fold(0i128, i128::checked_add)
            .ok_or(HalfspaceError::Overflow {
                what: "the inner product with a point",
            })?;
        Ok((inner_product != 0).then_some(inner_product > 0))
    }

    /// How many records have another label than predicted.
    ///
    /// A tie is an error, whatever the label. (The paper writes both `sign(<w, x>) != y` and
    /// `y <w, x> < 0`; with the latter `w = 0` would never err: `spec/halfspaces.md`, E3.)
    ///
    /// # Errors
    /// Those of [`Halfspace::predict`].
    pub fn errors(&self, data: &Dataset) -> Result<usize, HalfspaceError> {
        let mut errors = 0;
        for record in data.records() {
            if self.predict(&record.features)? != Some(record.positive) {
                errors += 1;
            }
        }
        Ok(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;
    use crate::number::Grid;

    fn halfspace(direction: &[i64]) -> Halfspace {
        Halfspace {
            direction: direction.to_vec(),
        }
    }

    fn data() -> Dataset {
        let record = |features: &[i64], positive| Record {
            features: features.to_vec(),
            positive,
        };
        let records = vec![
            record(&[4, 0], true),
            record(&[0, 4], false),
            record(&[0, 0], true),
            record(&[0, 0], false),
        ];
        Dataset::new(Grid::new(3).unwrap(), 2, records).unwrap()
    }

    #[test]
    fn sign_of_zero_counted_right_is_caught() {
        // Both readings of sign(0) as a label would spare one of the two records at the origin.
        assert_eq!(halfspace(&[1, -1]).errors(&data()).unwrap(), 2);
        // And the zero vector errs on everything.
        assert_eq!(halfspace(&[0, 0]).errors(&data()).unwrap(), 4);
        assert_eq!(halfspace(&[0, 0]).predict(&[1, 2]).unwrap(), None);
    }

    #[test]
    fn predictions_are_signs() {
        assert_eq!(halfspace(&[3, -2]).predict(&[1, 1]).unwrap(), Some(true));
        assert_eq!(halfspace(&[3, -2]).predict(&[1, 2]).unwrap(), Some(false));
        // Neither product fits in 64 bits, and the difference of the two is 1.
        let near = [i64::MAX, i64::MAX - 1];
        assert_eq!(
            halfspace(&[i64::MAX - 1, -i64::MAX])
                .predict(&near)
                .unwrap(),
            None
        );
        assert!(halfspace(&[1]).predict(&[1, 2]).is_err());
        assert!(halfspace(&[i64::MIN; 3]).predict(&[i64::MIN; 3]).is_err());
    }
}
