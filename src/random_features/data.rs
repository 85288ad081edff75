//! Labelled points with public bounds, on public grids, and the model that is learned from them.

use super::RandomFeatureError;
use crate::geometry::FeatureMap;
use crate::number::range::require;
use crate::number::{Grid, Rational};
use crate::optimise::{FeatureMatrix, MOST_ROWS, ridge::Limits};
use crate::privacy::NeighbouringRelation;
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;

/// A point and its label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Record {
    /// The point, in steps of the input grid.
    pub features: Vec<i64>,
    /// The label, in steps of the label grid.
    pub label: i64,
}

/// All that is public about the data. None of it may be read off the data themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domain {
    /// The grid of the features.
    pub input_grid: Grid,
    /// The number `d` of features.
    pub dimension: usize,
    /// No feature is larger in magnitude, in steps.
    pub largest_feature: i64,
    /// The grid of the labels.
    pub label_grid: Grid,
    /// `B`: no label is larger in magnitude, in steps.
    pub largest_label: i64,
    /// Which datasets are neighbours.
    pub neighbours: NeighbouringRelation,
    /// The number `m` of records, which is public under substitution; otherwise a cap on it.
    pub records: usize,
}

impl Domain {
    /// The record with its features and its label clipped to the bounds: a function of this record alone,
    /// so that a private learner after it is private.
    #[must_use]
    pub fn clip(&self, mut record: Record) -> Record {
        let (x, y) = (self.largest_feature.max(0), self.largest_label.max(0));
        for feature in &mut record.features {
            *feature = (*feature).clamp(-x, x);
        }
        record.label = record.label.clamp(-y, y);
        record
    }

    /// What a solver may know.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            label_grid: self.label_grid,
            largest_label: self.largest_label,
            most_rows: self.records,
        }
    }

    fn check(&self) -> Result<(), RandomFeatureError> {
        for (parameter, value) in [
            ("the dimension of a dataset", self.dimension as i64),
            ("the bound of the features", self.largest_feature),
            ("the bound of the labels", self.largest_label),
            ("the number of records", self.records as i64),
        ] {
            require(value > 0, parameter, &value, "at least 1")?;
        }
        // For the cap: a solver that refused the data for their number would tell it.
        let right = self.records <= MOST_ROWS;
        Ok(require(
            right,
            "the number of records",
            &self.records,
            "at most 2^20",
        )?)
    }
}

/// Labelled points within public bounds.
///
/// Two datasets are neighbours if one record of the one is substituted in the other, or if the one is the
/// other with a record more: the domain says which. They are sequences; a learner whose result depends on
/// the order says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    domain: Domain,
    records: Vec<Record>,
}

impl Dataset {
    /// The dataset of the given records; there may be none if records are added or removed.
    ///
    /// A record beyond a bound is refused, never clipped: see [`Domain::clip`].
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] for a domain with a dimension, a bound or a number of records below 1,
    /// or of more than 2^20 records;
    /// [`RandomFeatureError::Count`]; [`RandomFeatureError::Length`] unless each has the domain's dimension;
    /// [`RandomFeatureError::BeyondBound`].
    pub fn new(domain: Domain, records: Vec<Record>) -> Result<Self, RandomFeatureError> {
        domain.check()?;
        let (expected, legal) = match domain.neighbours {
            NeighbouringRelation::Substitute => ("exactly", records.len() == domain.records),
            NeighbouringRelation::AddOrRemove => ("at most", records.len() <= domain.records),
        };
        if !legal {
            return Err(RandomFeatureError::Count {
                expected,
                limit: domain.records,
                found: records.len(),
            });
        }
        for (number, record) in records.iter().enumerate() {
            let features = &record.features;
            if features.len() != domain.dimension {
                return Err(RandomFeatureError::Length {
                    what: format!("record {number}"),
                    expected: domain.dimension,
                    found: features.len(),
                });
            }
            let beyond = |value: &i64, bound: i64| value.unsigned_abs() > bound.unsigned_abs();
            for (what, is_beyond) in [
                (
                    "features",
                    features.iter().any(|x| beyond(x, domain.largest_feature)),
                ),
                ("label", beyond(&record.label, domain.largest_label)),
            ] {
                if is_beyond {
                    let record = number;
                    return Err(RandomFeatureError::BeyondBound { what, record });
                }
            }
        }
        Ok(Self { domain, records })
    }

    /// What is public.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The records, in their order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The features of all records.
    ///
    /// # Errors
    /// As [`FeatureMap::features`], and [`RandomFeatureError::Parameter`] if the map is for another grid.
    pub fn features(&self, map: &FeatureMap) -> Result<FeatureMatrix, RandomFeatureError> {
        let grid = self.domain.input_grid;
        require(
            grid == map.input_grid(),
            "the input grid of the data",
            &format!("2^-{}", grid.bits()),
            "that of the feature map",
        )?;
        let records = self.records.iter();
        let rows = records
            .map(|record| map.features(&record.features))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(FeatureMatrix::new(
            map.feature_grid(),
            map.dimension(),
            &rows,
        )?)
    }

    /// The labels, in their order.
    #[must_use]
    pub fn labels(&self) -> Vec<i64> {
        self.records.iter().map(|record| record.label).collect()
    }
}

/// A model that may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The coefficients, in steps of their grid: noisy, or made of what is.
    pub coefficients: Vec<BigInt>,
    /// The grid of the coefficients.
    pub grid: Grid,
    /// The law of the noise: of each coefficient, in steps, or (R5, R6, AdaSSP) of each number that was released on the
    /// way to them, in its own.
    pub noise: DiscreteGaussian,
}
crate::published!(Model {
    coefficients,
    grid,
    noise
});

impl Model {
    /// `phi(x) . c`, exactly, in units of the labels.
    ///
    /// # Errors
    /// Those of [`FeatureMap::features`].
    pub fn predict(&self, map: &FeatureMap, point: &[i64]) -> Result<Rational, RandomFeatureError> {
        let row = map.features(point)?;
        let (grid, bits) = (map.feature_grid(), self.grid.bits());
        Ok(FeatureMatrix::value(grid, &row, &self.coefficients, bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NeighbouringRelation::{AddOrRemove, Substitute};

    fn domain(neighbours: NeighbouringRelation) -> Domain {
        Domain {
            input_grid: Grid::new(3).unwrap(),
            dimension: 2,
            largest_feature: 8,
            label_grid: Grid::new(4).unwrap(),
            largest_label: 16,
            neighbours,
            records: 2,
        }
    }

    fn record(features: &[i64], label: i64) -> Record {
        Record {
            features: features.to_vec(),
            label,
        }
    }

    #[test]
    fn a_label_above_its_bound_is_an_error_that_does_not_repeat_it() {
        let records = vec![record(&[8, -8], 16), record(&[1, 1], -17)];
        let refused = Dataset::new(domain(Substitute), records).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the label of record 1 must be within the public bound: clip every record, or widen it"
        );
        for outside in [record(&[9, 0], 0), record(&[i64::MIN, 0], 0)] {
            let refused = Dataset::new(domain(AddOrRemove), vec![outside]).unwrap_err();
            assert_eq!(
                refused,
                RandomFeatureError::BeyondBound {
                    what: "features",
                    record: 0
                }
            );
        }
    }

    #[test]
    fn clipping_is_record_by_record_and_makes_any_record_legal() {
        let clipped = domain(AddOrRemove).clip(record(&[i64::MIN, 7], i64::MAX));
        assert_eq!(clipped, record(&[-8, 7], 16));
        assert!(Dataset::new(domain(AddOrRemove), vec![clipped]).is_ok());
    }

    #[test]
    fn the_number_of_records_is_public_or_capped() {
        let some = |n| vec![record(&[0, 0], 0); n];
        assert!(Dataset::new(domain(Substitute), some(1)).is_err());
        assert!(Dataset::new(domain(Substitute), some(2)).is_ok());
        for n in 0..=2 {
            assert!(Dataset::new(domain(AddOrRemove), some(n)).is_ok());
        }
        let refused = Dataset::new(domain(AddOrRemove), some(3)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "there must be at most 2 records, got 3"
        );
        assert!(Dataset::new(domain(AddOrRemove), vec![record(&[0], 0)]).is_err());
    }

    #[test]
    fn a_domain_of_nothing_is_refused_by_name() {
        let refused = |change: fn(&mut Domain)| {
            let mut domain = domain(AddOrRemove);
            change(&mut domain);
            Dataset::new(domain, Vec::new()).unwrap_err().to_string()
        };
        for (refused, expected) in [
            (
                refused(|domain| domain.dimension = 0),
                "the dimension of a dataset must be at least 1, got 0",
            ),
            (
                refused(|domain| domain.largest_feature = 0),
                "the bound of the features must be at least 1, got 0",
            ),
            (
                refused(|domain| domain.largest_label = 0),
                "the bound of the labels must be at least 1, got 0",
            ),
            (
                refused(|domain| domain.records = 0),
                "the number of records must be at least 1, got 0",
            ),
            (
                refused(|domain| domain.records = (1 << 20) + 1),
                "the number of records must be at most 2^20, got 1048577",
            ),
        ] {
            assert_eq!(refused, expected);
        }
    }
}
