//! How far the upper bounds are above the lower bound: records that are enough over records that are needed.

use super::Settings;
use crate::plot::{Axis, Chart};
use crate::table::{Cell, Table};
use dp_assay::margin::bounds::lower_bound::records_needed;
use dp_assay::margin::bounds::{GibbsRun, PureRun};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay_cli::error::Error;
use num_traits::Zero;
use rayon::prelude::*;

/// What has an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upper {
    /// Theorem 3.1 by the paper's proof.
    Paper,
    /// Algorithm 1, by a union over its cover.
    Cover,
    /// The Gibbs learner with the best of some numbers of candidates.
    Gibbs,
}

/// In any dimension.
const DIMENSION: u64 = 1 << 50;

/// The Gibbs learner's prior is on a grid, which costs little up to here.
const DIMENSION_OF_GIBBS: u64 = 10_000;

fn epsilon() -> Rational {
    integer(1)
}

fn beta() -> Rational {
    ratio(1, 20)
}

/// The table, and the plot of the ratio for Algorithm 1 against q, a line an alpha.
pub fn run(settings: &Settings) -> Result<(Table, (&'static str, String)), Error> {
    let quotients: &[i64] = if settings.quick {
        &[2, 10]
    } else {
        &[2, 3, 5, 10, 20, 50, 100]
    };
    let inverses: &[i64] = if settings.quick {
        &[10, 100]
    } else {
        &[10, 20, 50, 100, 1000]
    };
    let points: Vec<(i64, i64)> = inverses
        .iter()
        .flat_map(|&inverse| quotients.iter().map(move |&q| (q, inverse)))
        .collect();
    let mut table = Table::new(
        "bounds",
        "Records that are enough for an error of alpha, over records that every pure private learner needs: epsilon 1, \
         beta 1/20",
        &[
            "alpha",
            "q",
            "needed",
            "enough, Theorem 3.1",
            "ratio",
            "enough, a union over the cover",
            "ratio",
            "enough, Gibbs on candidates",
            "ratio",
        ],
    );
    table.rows = points
        .par_iter()
        .map(|&(q, inverse)| row(&integer(q), &ratio(1, inverse)))
        .collect::<Result<_, Error>>()?;
    table.notes = vec![
        "q is the norm of the hypotheses times the radius of the points over the margin; the lower bound is \
         bms22.thm3_1.lower"
            .to_owned(),
        "enough: the least number, to a part in 256, at which the bound is alpha if the margin loss on the data is 0"
            .to_owned(),
        format!(
            "Theorem 3.1 and the cover: in any dimension; Gibbs: up to dimension {DIMENSION_OF_GIBBS}, with the best \
             of 2^10, 2^20, ..., 2^60 candidates; nothing where even those are too few"
        ),
    ];
    let plot = chart(&table).svg();
    Ok((table, ("bounds.svg", plot)))
}

fn row(q: &Rational, alpha: &Rational) -> Result<Vec<Cell>, Error> {
    let needed = to_f64_for_display(&records_needed(q, alpha, &beta(), &epsilon())?.ceil());
    let mut row: Vec<Cell> = vec![
        to_f64_for_display(alpha).into(),
        to_f64_for_display(q).into(),
        needed.into(),
    ];
    for upper in [Upper::Paper, Upper::Cover, Upper::Gibbs] {
        let enough = least(|records| upper.holds(q, alpha, records))?;
        let enough = enough.map(|records| records as f64);
        row.push(enough.into());
        row.push(enough.map(|enough| enough / needed.max(1.0)).into());
    }
    Ok(row)
}

impl Upper {
    /// Whether the bound on the error of so many records is at most `alpha`.
    fn holds(self, q: &Rational, alpha: &Rational, records: u64) -> Result<bool, Error> {
        let none = Rational::zero();
        let run = PureRun {
            records,
            dimension: DIMENSION,
            epsilon: epsilon(),
            beta: beta(),
            ratio: q.clone(),
        };
        let bound = match self {
            Self::Paper => Some(run.theorem_3_1_best(&none)?.1),
            Self::Cover => run.guarantee(&run.best()?, &none)?.alpha,
            Self::Gibbs => {
                let of = |power| GibbsRun {
                    records,
                    dimension: DIMENSION_OF_GIBBS,
                    candidates: 1u64 << power,
                    epsilon: epsilon(),
                    beta: beta(),
                };
                let mut best: Option<Rational> = None;
                for power in (10..=60).step_by(10) {
                    if let Some(alpha) = of(power).guarantee(q, &none)?.alpha {
                        best = Some(best.map_or(alpha.clone(), |best| best.min(alpha)));
                    }
                }
                best
            }
        };
        Ok(bound.is_some_and(|bound| bound <= *alpha))
    }
}

/// The least number of records at which a bound holds, to a part in 256; nothing if it does not at 2^60.
fn least(holds: impl Fn(u64) -> Result<bool, Error>) -> Result<Option<u64>, Error> {
    const MOST: u64 = 1 << 60;
    if !holds(MOST)? {
        return Ok(None);
    }
    let mut high = 1;
    while !holds(high)? {
        high *= 4;
    }
    let mut low = high / 4;
    while high - low > low.div_ceil(256).max(1) {
        let middle = low.midpoint(high);
        if holds(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(high))
}

fn chart(table: &Table) -> Chart {
    let mut chart = Chart {
        title: "Records that are enough over records that are needed, epsilon 1".to_owned(),
        x: "q",
        y: "ratio",
        axes: [Axis::Logarithmic, Axis::Logarithmic],
        lines: Vec::new(),
    };
    for row in &table.rows {
        let [Some(alpha), Some(q)] = [&row[0], &row[1]].map(Cell::number) else {
            continue;
        };
        for (column, learner, dashed) in [(6, "Algorithm 1", false), (8, "Gibbs", true)] {
            if let Some(ratio) = row[column].number() {
                chart.add(&format!("{learner}, alpha {alpha}"), dashed, (q, ratio));
            }
        }
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_is_found_to_a_part_in_256() {
        for exact in [1, 16, 17, 1000, 123_456_789] {
            let found = least(|records| Ok(records >= exact)).unwrap().unwrap();
            assert!(found >= exact && found - exact <= exact.max(16).div_ceil(256));
        }
        assert_eq!(least(|_| Ok(false)).unwrap(), None);
    }

    #[test]
    fn enough_is_above_needed() {
        let row = row(&integer(2), &ratio(1, 10)).unwrap();
        for column in [4, 6, 8] {
            assert!(row[column].number().unwrap() > 1.0);
        }
    }
}
