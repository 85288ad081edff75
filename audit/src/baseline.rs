//! What the private learners are compared with: learners that keep nothing private.

use crate::data::permutation;
use crate::error::Error;
use crate::model::Direction;
use num_bigint::BigInt;

/// How often the perceptron goes through the records.
const PASSES: u64 = 10;

/// The averaged perceptron (Freund, Schapire 1999) in integers, over a fixed number of passes in a
/// fixed shuffled order. *Not private*: it shows what the data allow.
///
/// The average is over the vector after every record, and is shortened to 62 bits a coordinate.
pub fn non_private_baseline(
    dimension: usize,
    records: &[(Vec<i64>, bool)],
) -> Result<Direction, Error> {
    // The sum over all steps is `step * weights - late`, where late adds (step - 1) y x at each update.
    let mut weights = vec![0i128; dimension];
    let mut late = vec![0i128; dimension];
    let mut step = 0i128;
    let order = permutation(records.len(), 0)?;
    for _ in 0..PASSES {
        for (x, label) in order.iter().filter_map(|&index| records.get(index)) {
            let score: i128 = x
                .iter()
                .zip(&weights)
                .map(|(&x, &weight)| i128::from(x) * weight)
                .sum();
            let sign = if *label { 1 } else { -1 };
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
    let mut sum: Vec<i128> = weights
        .iter()
        .zip(&late)
        .map(|(weight, late)| step * weight - late)
        .collect();
    let widest = sum.iter().map(|value| value.unsigned_abs()).max();
    let excess = (128 - widest.unwrap_or(0).leading_zeros()).saturating_sub(62);
    for value in &mut sum {
        *value >>= excess;
    }
    Ok(Direction::new(sum.into_iter().map(BigInt::from).collect()))
}

/// The class of most records; the positive one if they are equally many.
pub fn majority_class(records: &[(Vec<i64>, bool)]) -> bool {
    let positive = records.iter().filter(|(_, label)| *label).count();
    2 * positive >= records.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separable_records_are_separated() {
        let records: Vec<(Vec<i64>, bool)> = (-50..50i64)
            .filter(|i| i.abs() > 5)
            .map(|i| (vec![i * 1000, 40_000 - 13 * i], i > 0))
            .collect();
        let direction = non_private_baseline(2, &records).unwrap();
        assert_eq!(direction.errors(&records), 0);
    }

    #[test]
    fn large_coordinates_do_not_overflow() {
        let big = 1i64 << 40;
        let records: Vec<(Vec<i64>, bool)> = (0..1000).map(|i| (vec![big], i % 2 == 0)).collect();
        let direction = non_private_baseline(1, &records).unwrap();
        assert!(direction.errors(&records) >= 500);
    }

    #[test]
    fn the_majority_is_that_of_most() {
        let record = |label| (vec![], label);
        assert!(majority_class(&[record(true), record(false), record(true)]));
        assert!(!majority_class(&[
            record(false),
            record(false),
            record(true)
        ]));
    }
}
