//! Records, datasets and models: labelled points of the unit ball on a public grid, and homogeneous
//! halfspaces.

use super::error::HalfspaceError;
use crate::geometry::SignMatrix;
pub use crate::geometry::{Halfspace, Record};
use crate::number::range::at_least_one;
use crate::number::{Grid, grid::squared_norm};
use std::fmt;

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
crate::published!(EfficientModel {
    projection,
    candidates,
    chosen,
    halfspace
});

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
