//! Records, datasets and models: labelled points of the unit ball on a public grid, and homogeneous
//! halfspaces.

use super::error::HalfspaceError;
use crate::geometry::{GeometryError, SignMatrix};
use crate::number::range::at_least_one;
use crate::number::{Grid, grid::squared_norm};
use std::fmt;

/// A point and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The point, in steps of the grid.
    pub features: Vec<i64>,
    /// Whether the label is +1; otherwise it is -1.
    pub positive: bool,
}

impl Record {
    /// The label times `vector`.
    fn signed(&self, mut vector: Vec<i64>) -> Vec<i64> {
        if !self.positive {
            vector
                .iter_mut()
                .for_each(|coordinate| *coordinate = -*coordinate);
        }
        vector
    }

    /// `y sqrt(m) A x`, or `y x` without a projection: all that a learner of homogeneous halfspaces
    /// needs to know of the record.
    ///
    /// # Errors
    /// Those of [`SignMatrix::apply`].
    pub fn projected(&self, projection: Option<&SignMatrix>) -> Result<Vec<i64>, GeometryError> {
        let image = match projection {
            Some(matrix) => matrix.apply(&self.features)?,
            None => self.features.clone(),
        };
        Ok(self.signed(image))
    }
}

/// Labelled points of the unit ball `{x : |x| <= 1}`, on a public grid.
///
/// Two datasets are neighbours if one record of the one is substituted in the other. The grid, the
/// dimension and the number of records are public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    grid: Grid,
    dimension: usize,
    records: Vec<Record>,
}

/// What is public of a dataset, and all that noise is calibrated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of records.
    pub records: usize,
    /// The number of features of each.
    pub dimension: usize,
    /// The grid of the features.
    pub grid: Grid,
}

impl Shape {
    /// Refuses data of another shape.
    pub(super) fn check(self, data: &Dataset) -> Result<(), HalfspaceError> {
        let found = data.shape();
        if found == self {
            Ok(())
        } else {
            Err(HalfspaceError::Shape {
                expected: self.to_string(),
                found: found.to_string(),
            })
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} records of {} features on the grid of 2^-{}",
            self.records,
            self.dimension,
            self.grid.bits()
        )
    }
}

impl Dataset {
    /// What is public of it.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            records: self.records.len(),
            dimension: self.dimension,
            grid: self.grid,
        }
    }

    /// The dataset of the given records.
    ///
    /// A record longer than 1 is refused, never clipped: a learner that clipped would be private as
    /// well, but for other data than those given.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] for dimension 0; [`HalfspaceError::TooFewRecords`] for fewer than
    /// two records; [`HalfspaceError::Length`] unless each has `dimension` features;
    /// [`HalfspaceError::OutsideTheBall`] if a norm is above 1, decided in integers.
    pub fn new(grid: Grid, dimension: usize, records: Vec<Record>) -> Result<Self, HalfspaceError> {
        at_least_one("the dimension of a dataset", dimension as u64)?;
        if records.len() < 2 {
            return Err(HalfspaceError::TooFewRecords {
                count: records.len(),
            });
        }
        let one = grid.one().unsigned_abs();
        for (number, record) in records.iter().enumerate() {
            let features = &record.features;
            if features.len() != dimension {
                return Err(HalfspaceError::Length {
                    what: format!("record {number}"),
                    expected: dimension,
                    found: features.len(),
                });
            }
            // The first test keeps the squares of the second from overflowing.
            if features.iter().any(|x| x.unsigned_abs() > one)
                || squared_norm(features) > u128::from(one).pow(2)
            {
                return Err(HalfspaceError::OutsideTheBall { record: number });
            }
        }
        Ok(Self {
            grid,
            dimension,
            records,
        })
    }

    /// The grid of the features.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number `d` of features.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The records.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Of each record `y sqrt(m) A x`, or `y x` without a projection: [`Record::projected`].
    ///
    /// # Errors
    /// Those of [`SignMatrix::apply`]; none depends on the features.
    pub fn projected(
        &self,
        projection: Option<&SignMatrix>,
    ) -> Result<Vec<Vec<i64>>, HalfspaceError> {
        let project = |record: &Record| Ok(record.projected(projection)?);
        self.records.iter().map(project).collect()
    }
}

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

/// What the efficient learners return. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EfficientModel {
    /// `sqrt(m) A`; `None` where nothing was projected.
    pub projection: Option<SignMatrix>,
    /// The candidates, in steps of the grid.
    pub candidates: Vec<Vec<i64>>,
    /// The number of the candidate that was chosen.
    pub chosen: usize,
    /// The halfspace `w^T A`, its normal vector scaled to integers.
    pub halfspace: Halfspace,
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

    fn dataset(records: Vec<Record>) -> Result<Dataset, HalfspaceError> {
        Dataset::new(Grid::new(3).unwrap(), 2, records)
    }

    #[test]
    fn the_unit_ball_is_closed_and_decided_in_integers() {
        let inside = record(&[8, 0], true);
        assert!(dataset(vec![inside.clone(), record(&[-5, 6], false)]).is_ok());
        // 6^2 + 6^2 = 72 > 64.
        for outside in [&[6, 6], &[9, 0], &[i64::MIN, i64::MIN]] {
            let refused = dataset(vec![inside.clone(), record(outside, true)]).unwrap_err();
            assert_eq!(refused, HalfspaceError::OutsideTheBall { record: 1 });
        }
    }

    #[test]
    fn errors_name_the_record_and_not_its_features() {
        let inside = record(&[8, 0], true);
        let refused = dataset(vec![inside.clone(), record(&[77, 78], true)]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "record 1 must have norm at most 1: scale all records by a public factor"
        );
        let refused = dataset(vec![record(&[1], true), inside.clone()]).unwrap_err();
        assert_eq!(refused.to_string(), "record 0 must have 2 features, got 1");
        let refused = dataset(vec![inside]).unwrap_err();
        assert_eq!(refused, HalfspaceError::TooFewRecords { count: 1 });
        assert!(Dataset::new(Grid::new(3).unwrap(), 0, Vec::new()).is_err());
    }

    #[test]
    fn projections_carry_the_label() {
        let data = dataset(vec![record(&[5, 3], true), record(&[5, 3], false)]).unwrap();
        let matrix = SignMatrix::from_signs(&[vec![1, -1], vec![1, 1]]).unwrap();
        assert_eq!(data.projected(Some(&matrix)).unwrap(), [[2, 8], [-2, -8]]);
        assert_eq!(data.projected(None).unwrap(), [[5, 3], [-5, -3]]);
    }

    fn halfspace(direction: &[i64]) -> Halfspace {
        Halfspace {
            direction: direction.to_vec(),
        }
    }

    fn four_records() -> Dataset {
        let records = vec![
            record(&[4, 0], true),
            record(&[0, 4], false),
            record(&[0, 0], true),
            record(&[0, 0], false),
        ];
        dataset(records).unwrap()
    }

    #[test]
    fn sign_of_zero_counted_right_is_caught() {
        // Both readings of sign(0) as a label would spare one of the two records at the origin.
        assert_eq!(halfspace(&[1, -1]).errors(&four_records()).unwrap(), 2);
        // And the zero vector errs on everything.
        assert_eq!(halfspace(&[0, 0]).errors(&four_records()).unwrap(), 4);
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

    #[test]
    fn data_of_another_shape_are_refused_with_both_shapes() {
        let data = dataset(vec![record(&[8, 0], true), record(&[0, 8], true)]).unwrap();
        assert_eq!(data.shape().check(&data), Ok(()));
        let planned = Shape {
            records: 3,
            ..data.shape()
        };
        assert_eq!(
            planned.check(&data).unwrap_err().to_string(),
            "the data must be 3 records of 2 features on the grid of 2^-3, as in the calibration, \
             got 2 records of 2 features on the grid of 2^-3"
        );
    }
}
