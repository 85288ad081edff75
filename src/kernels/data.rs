//! Datasets of labelled points of a public domain, as multisets.

use super::KernelError;
use crate::geometry::{Domain, Point};
use crate::number::range::{at_least_one, require};
use crate::number::{Grid, Rational};
use num_bigint::BigInt;
use num_traits::One;

/// A labelled point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// The point, in steps of the grid of the domain.
    pub point: Point,
    /// The label: -1 or 1 for classes; for numbers, in steps of the grid of labels.
    pub label: i64,
}

/// What labels are. Public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Labels {
    /// -1 and 1.
    Classes,
    /// Numbers of magnitude at most `largest` steps of `grid`.
    Numbers {
        /// The grid.
        grid: Grid,
        /// The largest magnitude, in steps, at least 1 and at most 2^40.
        largest: u64,
    },
}

impl Labels {
    /// The bits of a step of a label.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self {
            Self::Classes => 0,
            Self::Numbers { grid, .. } => grid.bits(),
        }
    }
}

/// Labelled points of a public domain, equal ones counted.
///
/// Two datasets are neighbours if one record of the one is substituted in the other. The domain and the number `n` of
/// records are public. A dataset is a multiset: the order in which records are given does not matter, and many equal
/// ones cost as much as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    domain: Domain,
    labels: Labels,
    records: Vec<(Record, u64)>,
    size: u64,
}

/// The most records, so that counts fit in 40 bits.
const MOST_RECORDS: u64 = 1 << 40;

impl Dataset {
    /// The dataset of these records of two classes, each as often as is said beside it.
    ///
    /// A point outside the ball is clipped, record by record; its label stays.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] without records or with more than 2^40; [`KernelError::Label`] for a label that is
    /// neither -1 nor 1; those of [`Domain::clipped`] for a coordinate that the domain does not have.
    pub fn new(
        domain: Domain,
        records: impl IntoIterator<Item = (Record, u64)>,
    ) -> Result<Self, KernelError> {
        Self::of_labels(domain, Labels::Classes, records)
    }

    /// The same with labels of this kind. A number of a larger magnitude than the largest is clipped, record by record.
    ///
    /// # Errors
    /// Those of [`Dataset::new`]; [`KernelError::Parameter`] for a largest label of 0 or above 2^40 steps.
    pub fn of_labels(
        domain: Domain,
        labels: Labels,
        records: impl IntoIterator<Item = (Record, u64)>,
    ) -> Result<Self, KernelError> {
        if let Labels::Numbers { largest, .. } = labels {
            let right = (1..=1 << 40).contains(&largest);
            let expected = "at least 1 and at most 2^40";
            require(right, "the largest label in steps", &largest, expected)?;
        }
        let mut sorted = Vec::new();
        let mut size = 0u64;
        for (number, (Record { point, label }, count)) in records.into_iter().enumerate() {
            let label = match labels {
                Labels::Classes if label != 1 && label != -1 => {
                    return Err(KernelError::Label { record: number });
                }
                Labels::Classes => label,
                // At most 2^40.
                Labels::Numbers { largest, .. } => label.clamp(-(largest as i64), largest as i64),
            };
            let wide: Vec<(u32, i64)> = point
                .coordinates()
                .iter()
                .map(|&(index, v)| (index, v.into()))
                .collect();
            let point = domain.clipped(&wide)?;
            sorted.push((Record { point, label }, count));
            size = size.saturating_add(count);
        }
        at_least_one("the number of records", size)?;
        let few = size <= MOST_RECORDS;
        require(few, "the number of records", &size, "at most 2^40")?;
        sorted.retain(|(_, count)| *count > 0);
        sorted.sort();
        let mut records: Vec<(Record, u64)> = Vec::with_capacity(sorted.len());
        for (record, count) in sorted {
            match records.last_mut() {
                Some((last, total)) if *last == record => *total += count,
                _ => records.push((record, count)),
            }
        }
        Ok(Self {
            domain,
            labels,
            records,
            size,
        })
    }

    /// The domain.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// What labels are.
    #[must_use]
    pub fn labels(&self) -> Labels {
        self.labels
    }

    /// The different records in ascending order, and how often each occurs. **Not private.**
    #[must_use]
    pub fn records(&self) -> &[(Record, u64)] {
        &self.records
    }

    /// `n`, which is public.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// `1/n`.
    pub(super) fn share(&self) -> Rational {
        Rational::new(BigInt::one(), self.size.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(x: i32, label: i64) -> Record {
        Record {
            point: Point::dense(&[x]),
            label,
        }
    }

    fn dataset(records: &[(Record, u64)]) -> Result<Dataset, KernelError> {
        let domain = Domain::new(Grid::new(2).unwrap(), 1, 4).unwrap();
        Dataset::new(domain, records.iter().cloned())
    }

    #[test]
    fn a_dataset_is_a_multiset() {
        let one = dataset(&[(record(3, 1), 2), (record(-1, -1), 1), (record(3, 1), 5)]).unwrap();
        let other = dataset(&[(record(-1, -1), 1), (record(2, 1), 0), (record(3, 1), 7)]).unwrap();
        assert_eq!(one, other);
        assert_eq!((one.size(), one.records().len()), (8, 2));
        assert_eq!(one.records()[1], (record(3, 1), 7));
    }

    #[test]
    fn points_are_clipped_and_labels_stay() {
        let clipped = dataset(&[(record(-9, 1), 1), (record(-4, 1), 1)]).unwrap();
        assert_eq!(clipped.records(), [(record(-4, 1), 2)]);
    }

    #[test]
    fn numbers_are_clipped_to_the_largest_label() {
        let domain = Domain::new(Grid::new(2).unwrap(), 1, 4).unwrap();
        let of = |largest| {
            let grid = Grid::new(3).unwrap();
            let records = [
                (record(1, -9), 1),
                (record(1, i64::MAX), 1),
                (record(2, 5), 1),
            ];
            Dataset::of_labels(domain, Labels::Numbers { grid, largest }, records)
        };
        let data = of(8).unwrap();
        let labels: Vec<i64> = data.records().iter().map(|(r, _)| r.label).collect();
        assert_eq!((labels, data.labels().bits()), (vec![-8, 8, 5], 3));
        assert!(of(0).is_err() && of(1 << 40).is_ok() && of((1 << 40) + 1).is_err());
    }

    #[test]
    fn what_is_no_dataset_is_refused() {
        let wrong = dataset(&[(record(1, 1), 1), (record(1, 0), 1)]);
        assert_eq!(wrong, Err(KernelError::Label { record: 1 }));
        let message = wrong.unwrap_err().to_string();
        assert_eq!(message, "the label of record 1 must be -1 or 1");
        assert!(dataset(&[]).is_err() && dataset(&[(record(1, 1), 0)]).is_err());
        assert!(dataset(&[(record(1, 1), 1 << 40)]).is_ok());
        assert!(dataset(&[(record(1, 1), 1 << 40), (record(2, 1), 1)]).is_err());
        assert!(dataset(&[(record(1, 1), u64::MAX), (record(2, 1), 2)]).is_err());
        let far = Record {
            point: Point::dense(&[1, 1]),
            label: 1,
        };
        assert!(dataset(&[(far, 1)]).is_err());
    }
}
