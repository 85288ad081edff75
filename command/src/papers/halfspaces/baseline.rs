//! What the private learners are compared with: learners that keep nothing private.

use crate::error::Error;
use crate::table::permutation;
use dp_assay::halfspaces::{Halfspace, Record};

/// How often the perceptron goes through the records.
const PASSES: u64 = 10;

/// The averaged perceptron (Freund, Schapire 1999) in integers, over a fixed number of passes in a
/// fixed shuffled order. *Not private*: it shows what the data allow.
///
/// The average is over the vector after every record, and is shortened to 62 bits a coordinate.
pub fn non_private_baseline(dimension: usize, records: &[Record]) -> Result<Halfspace, Error> {
    // The sum over all steps is `step * weights - late`, where late adds (step - 1) y x at each update.
    let mut weights = vec![0i128; dimension];
    let mut late = vec![0i128; dimension];
    let mut step = 0i128;
    let order = permutation(records.len(), 0)?;
    for _ in 0..PASSES {
        for record in order.iter().filter_map(|&index| records.get(index)) {
            let x = &record.features;
            let score: i128 = x
                .iter()
                .zip(&weights)
                .map(|(&x, &weight)| i128::from(x) * weight)
                .sum();
            let sign = if record.positive { 1 } else { -1 };
            if score * sign <= 0 {
                for ((weight, late), &x) in weights.iter_mut().zip(&mut late).zip(x) {
                    let change = sign * i128::from(x);
                    *weight += change;
                    *late += step * change;
                }
            }
            step += 1;
        }
    }
    let sum: Vec<i128> = weights
        .iter()
        .zip(&late)
        .map(|(weight, late)| step * weight - late)
        .collect();
    let widest = sum.iter().map(|value| value.unsigned_abs()).max();
    let excess = (128 - widest.unwrap_or(0).leading_zeros()).saturating_sub(62);
    Ok(Halfspace {
        direction: sum.iter().map(|value| (value >> excess) as i64).collect(),
    })
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

    #[test]
    fn separable_records_are_separated() {
        let records: Vec<Record> = (-50..50i64)
            .filter(|i| i.abs() > 5)
            .map(|i| record(&[i * 1000, 40_000 - 13 * i], i > 0))
            .collect();
        let halfspace = non_private_baseline(2, &records).unwrap();
        assert_eq!(halfspace.errors(&records), Ok(0));
    }

    #[test]
    fn large_coordinates_do_not_overflow() {
        let records: Vec<Record> = (0..1000).map(|i| record(&[1 << 40], i % 2 == 0)).collect();
        let halfspace = non_private_baseline(1, &records).unwrap();
        assert!(halfspace.errors(&records).unwrap() >= 500);
    }
}
