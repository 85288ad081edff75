//! Datasets of labelled points of a ball on a public grid, and the margin at which bounds are stated.

use super::error::MarginError;
use crate::geometry::{Domain, Halfspace, Record};
use crate::number::range::{above_zero, at_least_one, require};
use crate::number::{Rational, grid::squared_norm};
use num_bigint::BigInt;

/// Labelled points of a public domain.
///
/// Two datasets are neighbours if one record of the one is substituted in the other. The domain and the number `m` of
/// records are public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    domain: Domain,
    records: Vec<Record>,
}

impl Dataset {
    /// The dataset of the given records, at least one.
    ///
    /// A record outside the ball is refused; [`Record::clipped`] brings it in, and is private, since it reads no other
    /// record.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] without records; [`MarginError::Length`] unless each has the domain's dimension;
    /// [`MarginError::OutsideTheBall`] if a norm is above the radius, decided in integers.
    pub fn new(domain: Domain, records: Vec<Record>) -> Result<Self, MarginError> {
        at_least_one("the number of records", records.len() as u64)?;
        for (number, record) in records.iter().enumerate() {
            let features = &record.features;
            if features.len() != domain.dimension() {
                return Err(MarginError::Length {
                    what: format!("record {number}"),
                    expected: domain.dimension(),
                    found: features.len(),
                });
            }
            // The first test keeps the squares of the second from overflowing.
            if features.iter().any(|x| x.unsigned_abs() > domain.radius())
                || squared_norm(features) > u128::from(domain.radius()).pow(2)
            {
                return Err(MarginError::OutsideTheBall { record: number });
            }
        }
        Ok(Self { domain, records })
    }

    /// The domain.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// That the domain and the number of records are those for which a plan was made. All of them are public.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] if they are not.
    pub(super) fn is_for(&self, planned: Domain, records: usize) -> Result<(), MarginError> {
        let expected = "that of the plan";
        let d = self.domain.dimension();
        let same = d == planned.dimension();
        require(same, "the dimension of a dataset", &d, expected)?;
        let radius = self.domain.radius();
        let same = radius == planned.radius();
        require(same, "the radius in steps of the grid", &radius, expected)?;
        let bits = self.domain.grid().bits();
        let same = bits == planned.grid().bits();
        require(same, "the bits of the grid", &bits, expected)?;
        let m = self.records.len();
        Ok(require(
            m == records,
            "the number of records",
            &m,
            expected,
        )?)
    }

    /// The records.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// How many records have `y <w, x> <= threshold`: the margin errors, `m` times the empirical margin loss. At
    /// threshold 0 they are the errors. Both comparisons are strict where nothing is lost: a tie is an error.
    ///
    /// `w` and `x` are in units of which a step of the grid is one. **Not private.**
    ///
    /// # Errors
    /// Those of [`Halfspace::inner_product`].
    pub fn margin_errors(&self, w: &Halfspace, threshold: &Rational) -> Result<usize, MarginError> {
        // An integer is at most the threshold if and only if it is at most its floor.
        let most = threshold.floor().to_integer();
        let mut errors = 0;
        for record in &self.records {
            let product = w.inner_product(&record.features)?;
            let signed = if record.positive { product } else { -product };
            if BigInt::from(signed) <= most {
                errors += 1;
            }
        }
        Ok(errors)
    }
}

/// The margin at which a bound is stated: hypotheses of norm at most `norm` (the paper's `Lambda`), points of norm at
/// most `radius` (`r`), and the confidence margin `rho`.
///
/// A bound depends on `q = Lambda r / rho` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Margin {
    norm: Rational,
    radius: Rational,
    rho: Rational,
}

impl Margin {
    /// The margin `rho` of hypotheses of norm at most `norm` on points of norm at most `radius`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `norm > 0`, `radius > 0` and `0 < rho <= norm radius`: beyond that every
    /// record is a margin error of every hypothesis.
    pub fn new(norm: Rational, radius: Rational, rho: Rational) -> Result<Self, MarginError> {
        above_zero("the norm of hypotheses", &norm)?;
        above_zero("the radius", &radius)?;
        above_zero("the margin", &rho)?;
        let right = rho <= &norm * &radius;
        let expected = "at most the norm of hypotheses times the radius";
        require(right, "the margin", &rho, expected)?;
        Ok(Self { norm, radius, rho })
    }

    /// `Lambda`.
    #[must_use]
    pub fn norm(&self) -> &Rational {
        &self.norm
    }

    /// `r`.
    #[must_use]
    pub fn radius(&self) -> &Rational {
        &self.radius
    }

    /// `rho`.
    #[must_use]
    pub fn rho(&self) -> &Rational {
        &self.rho
    }

    /// `q = Lambda r / rho`, at least 1.
    #[must_use]
    pub fn ratio(&self) -> Rational {
        &self.norm * &self.radius / &self.rho
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};

    fn record(features: &[i64], positive: bool) -> Record {
        Record {
            features: features.to_vec(),
            positive,
        }
    }

    fn dataset(radius: u64, records: Vec<Record>) -> Result<Dataset, MarginError> {
        let domain = Domain::new(Grid::new(3).unwrap(), 2, radius)?;
        Dataset::new(domain, records)
    }

    #[test]
    fn the_ball_is_closed_and_decided_in_integers() {
        assert!(dataset(10, vec![record(&[6, -8], true)]).is_ok());
        for outside in [&[7, 8], &[11, 0], &[i64::MIN, i64::MIN]] {
            let refused = dataset(10, vec![record(&[0, 0], true), record(outside, true)]);
            let error = refused.unwrap_err();
            assert_eq!(error, MarginError::OutsideTheBall { record: 1 });
            assert!(!error.to_string().contains(&outside[0].to_string()));
            let clipped = record(outside, true).clipped(10);
            assert!(dataset(10, vec![clipped]).is_ok());
        }
        let refused = dataset(10, vec![record(&[1], true)]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "record 0 must have 2 coordinates, got 1"
        );
        assert!(dataset(10, Vec::new()).is_err());
    }

    #[test]
    fn a_product_equal_to_the_threshold_is_a_margin_error() {
        let records = vec![
            record(&[3, 0], true),
            record(&[-3, 0], true),
            record(&[0, 3], false),
            record(&[0, 0], true),
        ];
        let data = dataset(10, records).unwrap();
        let w = Halfspace {
            direction: vec![2, -2],
        };
        // The products with the labels are 6, -6, 6 and 0.
        let errors = |threshold| data.margin_errors(&w, &threshold).unwrap();
        assert_eq!(errors(ratio(-13, 2)), 0);
        assert_eq!(errors(integer(-6)), 1);
        assert_eq!(errors(integer(0)), 2);
        assert_eq!(errors(integer(0)), w.errors(data.records()).unwrap());
        assert_eq!(errors(ratio(59, 10)), 2);
        assert_eq!(errors(integer(6)), 4);
    }

    #[test]
    fn a_margin_is_at_most_the_norm_times_the_radius() {
        let margin = |rho| Margin::new(integer(2), ratio(3, 2), rho);
        assert_eq!(margin(integer(3)).unwrap().ratio(), integer(1));
        assert_eq!(margin(ratio(1, 2)).unwrap().ratio(), integer(6));
        assert!(margin(ratio(301, 100)).is_err() && margin(integer(0)).is_err());
        assert!(Margin::new(integer(0), integer(1), integer(1)).is_err());
        assert!(Margin::new(integer(1), integer(-1), integer(1)).is_err());
    }
}
