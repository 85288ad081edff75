//! What is public about the data for the repaired learners, and how records come onto their grids.
//!
//! None of it is read off the insurance records or the red wine. The white wine is taken to be public: it
//! says where the boxes of a wine's properties are, and on it the learner's parameters are chosen
//! ([`super::surrogate`]).

use crate::data::Source;
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::random_features::{Domain, Record};
use dp_assay_cli::error::Error;
use dp_assay_cli::table::{Placed, Scale};

/// Inputs and labels are multiples of 2^-16.
pub const GRID_BITS: u32 = 16;

/// Public intervals.
pub struct Public {
    /// Of each numeric column; values beyond are clipped.
    pub boxes: Vec<Scale>,
    /// Of the label; labels beyond are clipped, for learning only.
    pub label: Scale,
}

impl Public {
    /// Insurance: adults below retirement age, body mass indices from 15 to 55, up to five children, yearly
    /// charges up to 50,000 dollars. Round figures that a form would allow.
    pub fn insurance() -> Result<Self, Error> {
        let boxes = [(18, 65), (15, 55), (0, 5)].map(|(lo, hi)| scale(integer(lo), integer(hi)));
        Ok(Self {
            boxes: boxes.into_iter().collect::<Result<_, _>>()?,
            label: scale(integer(0), integer(50_000))?,
        })
    }

    /// Wine: from the 1st to the 99th percentile of the white wine, and half as wide again on each side.
    pub fn wine(white: &Source) -> Result<Self, Error> {
        Ok(Self {
            boxes: white
                .numeric
                .iter()
                .map(|(_, column)| wide(column))
                .collect::<Result<_, _>>()?,
            label: percentiles(&white.label)?,
        })
    }

    /// What a learner may know of `records` records with these many coordinates.
    pub fn domain(
        &self,
        dimension: usize,
        records: usize,
        neighbours: NeighbouringRelation,
    ) -> Result<Domain, Error> {
        let grid = Grid::new(GRID_BITS)?;
        Ok(Domain {
            input_grid: grid,
            dimension,
            largest_feature: grid.one(),
            label_grid: grid,
            largest_label: grid.one(),
            neighbours,
            records,
        })
    }

    /// Every record on the grids: numeric columns from their boxes onto [-1, 1], then one coordinate, 0 or
    /// 1, for each value of each category; the label from its interval onto [-1, 1].
    pub fn place(&self, source: &Source) -> Result<Vec<Record>, Error> {
        let one = Grid::new(GRID_BITS)?.one();
        let steps = |scale: &Scale, value: &Rational| {
            match scale.place(value.to_string().as_bytes(), one) {
                Some(Placed::Inside(steps)) => steps,
                Some(Placed::Above) => one,
                // Every rational is a number, so that nothing else comes here.
                Some(Placed::Below) | None => -one,
            }
        };
        Ok((0..source.records())
            .map(|record| {
                let mut features: Vec<i64> = self
                    .boxes
                    .iter()
                    .zip(&source.numeric)
                    .map(|(scale, (_, column))| steps(scale, &column[record]))
                    .collect();
                for (_, values, column) in &source.categories {
                    let indicators = (0..values.len())
                        .map(|value| if column[record] == value { one } else { 0 });
                    features.extend(indicators);
                }
                Record {
                    features,
                    label: steps(&self.label, &source.label[record]),
                }
            })
            .collect())
    }

    /// The middle of the label's interval and half its width, in floats.
    pub fn label_centre_and_radius(&self) -> (f64, f64) {
        let lo = rational::to_f64_for_display(self.label.lo());
        let hi = rational::to_f64_for_display(self.label.hi());
        (lo.midpoint(hi), (hi - lo) / 2.0)
    }
}

/// The nearest coordinate or label.
pub fn onto_grid(value: f64) -> i64 {
    (value * f64::from(1 << GRID_BITS)).round() as i64
}

/// A coordinate or a label in floats.
pub fn in_floats(steps: i64) -> f64 {
    steps as f64 / f64::from(1 << GRID_BITS)
}

fn integer(value: i64) -> Rational {
    rational::integer(value)
}

fn scale(lo: Rational, hi: Rational) -> Result<Scale, Error> {
    Scale::new(lo, hi).ok_or_else(|| {
        Error::Usage(
            "a public interval is empty: the white wine needs more than one value a column"
                .to_owned(),
        )
    })
}

/// From the 1st to the 99th percentile.
fn percentiles(column: &[Rational]) -> Result<Scale, Error> {
    let mut sorted: Vec<&Rational> = column.iter().collect();
    sorted.sort();
    let hundredth = sorted.len() / 100;
    match (
        sorted.get(hundredth),
        sorted.get(sorted.len() - 1 - hundredth),
    ) {
        (Some(&lo), Some(&hi)) => scale(lo.clone(), hi.clone()),
        _ => scale(integer(0), integer(0)),
    }
}

/// The same, and half as wide again on each side.
fn wide(column: &[Rational]) -> Result<Scale, Error> {
    let inner = percentiles(column)?;
    let half = (inner.hi() - inner.lo()) / integer(2);
    scale(inner.lo() - &half, inner.hi() + &half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        Source {
            file: "t.csv",
            numeric: vec![("x", [0, 5, 20, -1].map(integer).to_vec())],
            categories: vec![("c", &["a", "b"], vec![0, 1, 1, 0])],
            label: [0, 50, 100, 75].map(integer).to_vec(),
        }
    }

    #[test]
    fn records_come_onto_the_grid_one_by_one_and_are_clipped() {
        let public = Public {
            boxes: vec![scale(integer(0), integer(10)).unwrap()],
            label: scale(integer(0), integer(50)).unwrap(),
        };
        let one = 1 << GRID_BITS;
        let placed = public.place(&source()).unwrap();
        let features: Vec<Vec<i64>> = placed.iter().map(|r| r.features.clone()).collect();
        assert_eq!(
            features,
            [[-one, one, 0], [0, 0, one], [one, 0, one], [-one, one, 0]]
        );
        let labels: Vec<i64> = placed.iter().map(|record| record.label).collect();
        assert_eq!(labels, [-one, one, one, one]);
        assert_eq!(public.label_centre_and_radius(), (25.0, 25.0));
        // Legal for the library's datasets, which refuse what is beyond a bound.
        let domain = public
            .domain(3, 4, NeighbouringRelation::Substitute)
            .unwrap();
        assert!(dp_assay::random_features::Dataset::new(domain, placed).is_ok());
    }

    #[test]
    fn percentiles_leave_a_hundredth_out_on_each_side() {
        let column: Vec<Rational> = (0..=200).map(integer).collect();
        let inner = percentiles(&column).unwrap();
        assert_eq!((inner.lo(), inner.hi()), (&integer(2), &integer(198)));
        let outer = wide(&column).unwrap();
        assert_eq!((outer.lo(), outer.hi()), (&integer(-96), &integer(296)));
        assert!(percentiles(&[integer(1), integer(1)]).is_err());
    }
}
