//! The baseline of stochastic gradient descent (Wang and Guo), and what its sensitivity is.
//!
//! As coded: from the origin, `T` steps `c <- c - eta (<phi, c> - y) phi` at records drawn uniformly with
//! replacement, and Gaussian noise on the last point, of deviation `sqrt(2 ln(2.5/delta)) Delta / epsilon` with
//!
//! `Delta = 4 e eta^2 (1 + sqrt(eta T))^2 k (1 + k)`, `k = T (1 + C_T)/m`,
//! `C_T = max(sqrt(3 m ln(2m/delta)/T), 3 m ln(2m/delta)/T)`,
//!
//! where `k` bounds how often a record is drawn, with probability `1 - delta/2`.
//!
//! What is right, for `|phi| <= 1`, `|y| <= 1` and `eta <= 1`: a step is a non-expansive map, so that `k` visits to
//! the substituted record move the last point by at most `2 eta k (1 + w)`, where `w` bounds the iterates
//! ([`Run::distance_bound`]). The printed `Delta` is above the *square* of that, and used as a distance: for small `eta`, or
//! large `m`, it is too small. It was a bound for the square whose root was not taken.

use crate::number::range::{above_zero, above_zero_at_most_one};
use crate::number::{Enclosure, Rational};
use crate::optimise::OptimiseError;
use num_bigint::BigInt;
use num_traits::{One, Zero};

const BITS: u32 = 192;

/// The last point of the descent through the records in this order, from the origin: **not private**.
///
/// # Errors
/// [`OptimiseError::Length`] for an index without a record, or features of unequal number.
pub fn descend(
    data: &[Record],
    order: &[usize],
    rate: &Rational,
) -> Result<Vec<Rational>, OptimiseError> {
    // 1. c = 0.
    let mut c = vec![Rational::zero(); data.first().map_or(0, |record| record.phi.len())];
    for &index in order {
        let record = data.get(index).ok_or(OptimiseError::Length {
            what: "a dataset",
            expected: index + 1,
            found: data.len(),
        })?;
        if record.phi.len() != c.len() {
            return Err(OptimiseError::Length {
                what: "the features",
                expected: c.len(),
                found: record.phi.len(),
            });
        }
        // 2. c <- c - eta (<phi, c> - y) phi.
        let predicted: Rational = record.phi.iter().zip(&c).map(|(a, b)| a * b).sum();
        let step = (&record.y - predicted) * rate;
        for (c, phi) in c.iter_mut().zip(&record.phi) {
            *c += &step * phi;
        }
    }
    Ok(c)
}

/// A record: features of norm at most 1 and a label of at most 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The features.
    pub phi: Vec<Rational>,
    /// The label.
    pub y: Rational,
}

/// The run as it is coded: `m = T` in all experiments.
#[derive(Debug, Clone)]
pub struct Run {
    /// `m`.
    pub records: u64,
    /// `T`.
    pub steps: u64,
    /// `eta`.
    pub rate: Rational,
}

impl Run {
    /// The run with as many steps as records, at the learning rate `1/(divisor m)`.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] unless both are at least 1.
    pub fn of_the_figures(records: u64, divisor: u64) -> Result<Self, OptimiseError> {
        let product = Rational::from_integer((BigInt::from(records)) * BigInt::from(divisor));
        above_zero("the number of records and the divisor", &product)?;
        Ok(Self {
            records,
            steps: records,
            rate: product.recip(),
        })
    }

    /// `Delta` as printed in the code.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] unless `delta > 0`; those of the logarithm and the root.
    pub fn printed(&self, delta: &Rational) -> Result<Enclosure, OptimiseError> {
        let visits = self.printed_visits(delta)?;
        let one = Enclosure::integer(1, BITS);
        let rate = Enclosure::of(&self.rate, BITS);
        let reach = &one + self.root_of_eta_t()?;
        let e = Enclosure::exp_of(&Rational::one(), BITS)?;
        let counted = &visits * (&one + &visits);
        Ok((e * rate.squared() * reach.squared() * counted).shifted(2))
    }

    /// `k = T (1 + C_T)/m`, the visits that the printed `Delta` allows for.
    ///
    /// # Errors
    /// As [`Self::printed`].
    pub fn printed_visits(&self, delta: &Rational) -> Result<Enclosure, OptimiseError> {
        above_zero("delta", delta)?;
        let (m, t) = (BigInt::from(self.records), BigInt::from(self.steps));
        let inside = Rational::from_integer(&m * BigInt::from(2)) / delta;
        let log = Enclosure::of(&inside, BITS).ln()?;
        let factor = Rational::new(&m * BigInt::from(3), t.clone());
        let large = log * Enclosure::of(&factor, BITS);
        let c_t = large.max(&large.sqrt()?);
        let share = Enclosure::of(&Rational::new(t, m), BITS);
        Ok(share * (Enclosure::integer(1, BITS) + c_t))
    }

    /// The standard deviation of the noise in the code: `sqrt(2 ln(2.5/delta)) Delta / epsilon`.
    ///
    /// # Errors
    /// As [`Self::printed`].
    pub fn printed_deviation(
        &self,
        epsilon: &Rational,
        delta: &Rational,
    ) -> Result<Enclosure, OptimiseError> {
        let log = Enclosure::of(&(Rational::new(5.into(), 2.into()) / delta), BITS).ln()?;
        let deviation = log.shifted(1).sqrt()? * self.printed(delta)?;
        Ok(deviation.divided_by(&Enclosure::of(epsilon, BITS))?)
    }

    /// `sqrt(eta T)`.
    fn root_of_eta_t(&self) -> Result<Enclosure, OptimiseError> {
        let product = &self.rate * BigInt::from(self.steps);
        Ok(Enclosure::of(&product, BITS).sqrt()?)
    }

    /// How far apart the last points on two neighbouring datasets can be, where the substituted record is
    /// visited at most `visits` times: `2 eta visits (1 + min(eta T, sqrt(eta T)))`, rounded up. For
    /// `|phi| <= 1`, `|y| <= 1`.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] unless `0 < eta <= 1`.
    pub fn distance_bound(&self, visits: u64) -> Result<Rational, OptimiseError> {
        above_zero_at_most_one("eta", &self.rate)?;
        let sum = &self.rate * BigInt::from(self.steps);
        let reach = self.root_of_eta_t()?.upper().min(sum);
        Ok(&self.rate * BigInt::from(2 * visits) * (Rational::one() + reach))
    }

    /// As [`Self::distance_bound`], for features with `|phi|^2 <= squared_length`: the code's cosines have
    /// `|phi|^2 <= 2`.
    ///
    /// With `phi = s phi'`, `|phi'| <= 1`, the points `s c` make the run on the `phi'` at the rate `s^2 eta`.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] unless `0 < s^2 eta <= 1`.
    pub fn distance_bound_of_longer_features(
        &self,
        squared_length: &Rational,
        visits: u64,
    ) -> Result<Rational, OptimiseError> {
        above_zero("the squared length of the features", squared_length)?;
        let scaled = Self {
            rate: &self.rate * squared_length,
            ..self.clone()
        };
        let length = Enclosure::of(squared_length, BITS).sqrt()?.lower();
        Ok(scaled.distance_bound(visits)? / length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio};
    use proptest::prelude::*;

    fn delta() -> Rational {
        parse("1e-5").unwrap()
    }

    fn squared_distance(a: &[Rational], b: &[Rational]) -> Rational {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    #[test]
    fn the_formula_is_that_of_the_code() {
        // m = T = 1000, eta = 1/m: 0.15057..., as numpy evaluates it.
        let run = Run::of_the_figures(1000, 1).unwrap();
        let printed = run.printed(&delta()).unwrap();
        assert!(
            printed.is_above_rational(&ratio(15_057, 100_000)),
            "{printed}"
        );
        assert!(
            printed.is_below_rational(&ratio(15_058, 100_000)),
            "{printed}"
        );
    }

    #[test]
    fn features_longer_than_one_are_not_taken_for_shorter_ones() {
        // The code's cosines have |phi|^2 <= 2. One record (1, 1) with label 1 or -1, one visit at the rate 1/8:
        // sqrt(2)/4 apart. At its second visit the point matters too.
        let run = Run {
            records: 1,
            steps: 2,
            rate: ratio(1, 8),
        };
        let ends = |order: &[usize]| {
            [1, -1].map(|label| {
                let record = Record {
                    phi: vec![integer(1), integer(1)],
                    y: integer(label),
                };
                descend(&[record], order, &run.rate).unwrap()
            })
        };
        let two = integer(2);
        for order in [&[0][..], &[0, 0]] {
            let [c, d] = ends(order);
            let visits = order.len() as u64;
            let bound = run.distance_bound_of_longer_features(&two, visits).unwrap();
            assert!(squared_distance(&c, &d) <= &bound * &bound);
        }
        // A bound for features of norm at most 1 is below what one visit at a low rate does.
        let slow = Run {
            records: 1,
            steps: 1,
            rate: ratio(1, 100),
        };
        let record = |label| Record {
            phi: vec![integer(1), integer(1)],
            y: integer(label),
        };
        let [c, d] = [1, -1].map(|label| descend(&[record(label)], &[0], &slow.rate).unwrap());
        let short = slow.distance_bound(1).unwrap();
        let long = slow.distance_bound_of_longer_features(&two, 1).unwrap();
        let found = squared_distance(&c, &d);
        assert!(found > &short * &short && found <= &long * &long);
        let one = slow.distance_bound_of_longer_features(&integer(1), 1);
        assert_eq!(one.unwrap(), short);
        assert!(
            slow.distance_bound_of_longer_features(&integer(0), 1)
                .is_err()
        );
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(Run::of_the_figures(0, 1).is_err());
        let run = Run::of_the_figures(4, 1).unwrap();
        assert!(run.printed(&integer(0)).is_err());
        let fast = Run {
            rate: integer(2),
            ..run
        };
        assert!(fast.distance_bound(1).is_err());
        let record = Record {
            phi: vec![integer(1)],
            y: integer(1),
        };
        assert!(descend(&[record], &[1], &ratio(1, 2)).is_err());
    }

    fn record() -> impl Strategy<Value = Record> {
        (0usize..6, 0i64..6, -4i64..5).prop_map(|(direction, length, label)| {
            let (x, y) = [(5, 0), (3, 4), (0, 5), (-3, 4), (4, -3), (-5, 0)][direction];
            Record {
                phi: vec![ratio(x * length, 25), ratio(y * length, 25)],
                y: ratio(label, 4),
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn neighbours_end_within_the_bound(
            mut data in prop::collection::vec(record(), 3),
            substitute in record(),
            order in prop::collection::vec(0usize..3, 0..9),
            rate in 1i64..9,
        ) {
            let run = Run { records: 3, steps: order.len() as u64, rate: ratio(rate, 8) };
            let visits = order.iter().filter(|&&index| index == 0).count() as u64;
            let c = descend(&data, &order, &run.rate).unwrap();
            data[0] = substitute;
            let d = descend(&data, &order, &run.rate).unwrap();
            let bound = run.distance_bound(visits).unwrap();
            prop_assert!(squared_distance(&c, &d) <= &bound * &bound);
        }
    }

    #[test]
    fn the_bound_for_longer_features_is_nearly_attained() {
        // One visit to (2, 0) at a low rate moves the point by eta y phi. The bound has a later step's share as well.
        let run = Run {
            records: 1,
            steps: 1,
            rate: ratio(1, 1000),
        };
        let [c, d] = [1, -1].map(|label| {
            let record = Record {
                phi: vec![integer(2), integer(0)],
                y: integer(label),
            };
            descend(&[record], &[0], &run.rate).unwrap()
        });
        assert_eq!(squared_distance(&c, &d), ratio(4, 1000) * ratio(4, 1000));
        let bound = run
            .distance_bound_of_longer_features(&integer(4), 1)
            .unwrap();
        assert!(bound >= ratio(4, 1000) && bound <= ratio(4, 1000) * ratio(101, 100));
    }
}
