//! The solver: floats guess, integers decide.

use super::ascent::ascend;
use super::guess::guess;
use super::loss::Loss;
use super::problem::Erm;
use super::products::{Products, Rows};
use crate::geometry::FINEST_GRID;
use crate::number::range::above_zero;
use crate::number::{Rational, rational::integer};
use crate::optimise::OptimiseError;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// A point of the dual, and how far it is from the best. **Not private.**
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dual {
    /// The dual variables `a_i`, in steps of `2^-bits`. The primal point is their image `w(a)`.
    pub weights: Vec<i64>,
    /// The bits of a step, which are public.
    pub bits: u32,
    /// The gap at this point, rounded up.
    pub gap: Rational,
}

impl Dual {
    /// This point, if its gap is within the tolerance that noise counts on. The ascent arrives there by its proof; what
    /// ended farther away moves by more than was said, and must not be released.
    fn within(self, tolerance: &Rational) -> Result<Self, OptimiseError> {
        if self.gap > *tolerance {
            return Err(OptimiseError::Missed);
        }
        Ok(self)
    }
}

/// So many bits has the grid more than it needs.
const SPARE_BITS: u32 = 6;

/// The most bits of a weight: an integer of 64 bits holds it, and twice it.
const MOST_BITS: u32 = 61;

/// A tolerance within which the solver comes for all data, however many records there are: twice the gap at which it is
/// certain to arrive with weights of as many bits as they may have. Values of the kernel are at most `squared_bound`, and
/// off by `error` steps of `2^-bits`. It rests on public numbers alone, and is known before any record is looked at.
///
/// # Errors
/// Those of [`Loss::lipschitz`]; [`OptimiseError::Overflow`] for a penalty so small that no grid is fine enough.
pub fn attainable_tolerance(
    loss: &Loss,
    penalty: &Rational,
    squared_bound: &Rational,
    (bits, error): (u32, u32),
) -> Result<Rational, OptimiseError> {
    // The arrival is the same whatever the records are: that of one at 0 is taken.
    let products = Origin { bits, error };
    let erm = Erm::new(&products, (&[0], 0), &[1], loss, penalty, squared_bound)?;
    let most = (MOST_BITS + 1).checked_sub(erm.slope_bits());
    let most = most.filter(|most| *most >= erm.fewest_bits().max(FINEST_GRID));
    let most = most.ok_or(OptimiseError::Overflow {
        what: "a weight of the dual",
    })?;
    Ok(erm.arrival(most) * integer(2))
}

/// The products of one record at 0.
struct Origin {
    bits: u32,
    error: u32,
}

impl Products for Origin {
    fn count(&self) -> usize {
        1
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn error(&self) -> u32 {
        self.error
    }

    fn value(&self, _: usize, _: usize) -> i64 {
        0
    }
}

impl<P: Products> Erm<'_, P> {
    /// A point of the dual with a gap of at most `tolerance`. **Not private**; the time depends on the data too.
    ///
    /// Such a point is found for all data: see [`Erm::arrival`].
    ///
    /// # Errors
    /// Those of [`Erm::bits_for`]; none depends on the records. [`OptimiseError::Missed`] would be an error of ours.
    pub fn solve(&self, tolerance: &Rational) -> Result<Dual, OptimiseError> {
        // 1. A grid on which the ascent is certain to arrive.   2. Floats guess.   3. Integers ascend.
        let bits = self.finer(self.bits_for(tolerance)?);
        let mut rows = Rows::new(self.products);
        let weights = guess(self, bits, tolerance, &mut rows);
        let (weights, gap) = ascend(self, weights, bits, tolerance, &mut rows)?;
        Dual { weights, bits, gap }.within(tolerance)
    }

    /// The same from given weights, which need not be near, on a given grid: until the gap is within the tolerance or no
    /// single variable can be improved, when it is at most [`Erm::arrival`].
    ///
    /// # Errors
    /// [`OptimiseError::Length`] unless there is a weight for each record; those of enclosures.
    pub fn ascend(
        &self,
        weights: Vec<i64>,
        bits: u32,
        tolerance: &Rational,
    ) -> Result<Dual, OptimiseError> {
        if weights.len() != self.counts.len() {
            return Err(OptimiseError::Length {
                what: "the weights",
                expected: self.counts.len(),
                found: weights.len(),
            });
        }
        let bits = bits.max(self.fewest_bits());
        let mut rows = Rows::new(self.products);
        let (weights, gap) = ascend(self, weights, bits, tolerance, &mut rows)?;
        Ok(Dual { weights, bits, gap })
    }

    /// The gap at which the ascent is certain to arrive with weights of so many bits: proved in `spec/kernels.md` under
    /// `jt13.eq2.arrives`.
    #[must_use]
    pub fn arrival(&self, bits: u32) -> Rational {
        let step = Rational::new(BigInt::one(), BigInt::one() << bits);
        let (first, second) = self.arrival_factors();
        let linear = first * &step;
        let bound = match second {
            None => linear,
            Some(second) => linear.min(second * &step * &step),
        };
        bound + self.rounding()
    }

    /// The bits of weights with which the ascent is certain to come within the tolerance.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] for a tolerance that is 0 or that the rounding of the kernel exceeds;
    /// [`OptimiseError::Overflow`] if more than 61 are needed.
    pub fn bits_for(&self, tolerance: &Rational) -> Result<u32, OptimiseError> {
        let left = tolerance - self.rounding();
        above_zero("the tolerance, less the rounding of the kernel", &left)?;
        let mut bits = self.fewest_bits();
        let slope_bits = self.slope_bits();
        while self.arrival(bits) > *tolerance {
            bits += 1;
            if bits + slope_bits > MOST_BITS + 1 {
                return Err(OptimiseError::Overflow {
                    what: "a weight of the dual",
                });
            }
        }
        Ok(bits)
    }

    /// A grid of a few bits more, if weights have room for them: what is rounded to it is then likely to be near enough at once.
    fn finer(&self, bits: u32) -> u32 {
        (bits + SPARE_BITS)
            .min((MOST_BITS + 1).saturating_sub(self.slope_bits()))
            .max(bits)
    }

    /// The bits of a weight before the point.
    fn slope_bits(&self) -> u32 {
        self.slope.ceil().to_integer().bits() as u32
    }

    /// The arrival's factors of a step, and of its square where that is a bound too.
    fn arrival_factors(&self) -> (Rational, Option<Rational>) {
        let ratio = &self.squared_bound / self.penalty;
        match &self.quadratic {
            // h (3 + R^2/(2 lambda))
            None => (integer(3) + ratio / integer(2), None),
            // h (d + R^2/lambda) |interval|/2, and h^2 (d + R^2/lambda)^2/(8 d)
            Some(loss) => {
                let curvature = &loss.width + ratio;
                let second = &curvature * &curvature / integer(8);
                let second = (!loss.width.is_zero()).then(|| second / &loss.width);
                (loss.length() * curvature / integer(2), second)
            }
        }
    }

    /// The bits that labels and the ends of intervals need.
    fn fewest_bits(&self) -> u32 {
        let ends = self.slope.denom().bits() as u32 - 1;
        self.label_bits.max(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use crate::optimise::erm::Matrix;

    fn one() -> Matrix {
        Matrix {
            rows: vec![vec![3]],
            bits: 0,
        }
    }

    #[test]
    fn what_is_attainable_is_attained_and_not_much_less_would_be() {
        let losses = [
            Loss::Hinge,
            Loss::Logistic,
            Loss::Huber { width: ratio(1, 3) },
            Loss::Squared {
                largest_label: integer(1),
            },
        ];
        for loss in &losses {
            for penalty in [ratio(1, 1_000_000), ratio(1, 10), integer(1_000_000)] {
                for (bound, error) in [(integer(1), 0), (integer(1), 1), (integer(1 << 14), 1)] {
                    let step = (48, error);
                    let least = attainable_tolerance(loss, &penalty, &bound, step).unwrap();
                    let products = Origin { bits: 48, error };
                    let erm =
                        Erm::new(&products, (&[1], 0), &[1 << 40], loss, &penalty, &bound).unwrap();
                    let name = format!("{loss:?}, {penalty}, {bound}, {error}");
                    assert!(erm.bits_for(&least).is_ok(), "{name}");
                    assert!(erm.bits_for(&(least / integer(3))).is_err(), "{name}");
                }
            }
        }
        let squared = &losses[3];
        let tiny = Rational::new(1.into(), BigInt::one() << 100);
        assert!(attainable_tolerance(squared, &tiny, &integer(1), (48, 1)).is_err());
    }

    #[test]
    fn a_grid_is_chosen_that_arrives() {
        let (products, penalty) = (one(), ratio(3, 2));
        let erm =
            |loss| Erm::new(&products, (&[1], 0), &[4], &loss, &penalty, &integer(3)).unwrap();
        // Hinge: 2^-u R^2/(2 lambda) = 2^-u
        let hinge = erm(Loss::Hinge);
        assert_eq!(hinge.arrival(5), ratio(1, 32));
        assert_eq!(hinge.bits_for(&ratio(1, 32)).unwrap(), 5);
        assert_eq!(hinge.bits_for(&ratio(1, 33)).unwrap(), 6);
        // Huber of width 1: min(3 h, 9 h^2/8)
        let huber = erm(Loss::Huber { width: integer(1) });
        assert_eq!(huber.arrival(0), ratio(9, 8));
        assert_eq!(huber.arrival(3), ratio(9, 512));
        // Logistic: 4 h
        assert_eq!(erm(Loss::Logistic).arrival(3), ratio(1, 2));
        assert!(hinge.bits_for(&integer(0)).is_err());
        let tiny = Rational::new(1.into(), BigInt::one() << 61);
        assert_eq!(hinge.bits_for(&tiny).unwrap(), 61);
        assert!(hinge.bits_for(&(tiny / integer(2))).is_err());
    }

    #[test]
    fn one_record_is_solved() {
        let (products, penalty) = (one(), ratio(3, 2));
        let tolerance = ratio(1, 1 << 20);
        for loss in [
            Loss::Hinge,
            Loss::Logistic,
            Loss::Huber { width: ratio(1, 3) },
        ] {
            let erm = Erm::new(&products, (&[-1], 0), &[4], &loss, &penalty, &integer(3)).unwrap();
            let found = erm.solve(&tolerance).unwrap();
            assert!(found.gap <= tolerance, "{loss:?}");
            assert_eq!(found.weights.len(), 1);
            // From the wrong end in integers alone.
            let far = erm.ascend(vec![0], found.bits, &tolerance).unwrap();
            assert!(far.gap <= tolerance, "{loss:?}");
            assert!(erm.ascend(vec![], 3, &tolerance).is_err() && erm.gap(&[], 3).is_err());
        }
    }

    #[test]
    fn a_point_that_is_not_near_enough_is_not_returned() {
        let ended = |gap| Dual {
            weights: vec![1],
            bits: 0,
            gap,
        };
        let tolerance = ratio(1, 4);
        assert_eq!(
            ended(ratio(1, 4)).within(&tolerance),
            Ok(ended(ratio(1, 4)))
        );
        let missed = ended(ratio(26, 100)).within(&tolerance).unwrap_err();
        assert_eq!(missed, OptimiseError::Missed);
        assert!(missed.to_string().contains("defect"));
    }

    #[test]
    fn a_weight_beyond_its_interval_is_brought_back() {
        // a = 2, where the dual is infinite; the formula of the gap is negative there, so within any tolerance.
        let (products, penalty) = (one(), integer(100));
        let erm = Erm::new(
            &products,
            (&[1], 0),
            &[1],
            &Loss::Hinge,
            &penalty,
            &integer(3),
        )
        .unwrap();
        assert!(erm.gap(&[2], 0).unwrap() < integer(0));
        let found = erm.ascend(vec![2], 0, &ratio(1, 4)).unwrap();
        assert_eq!(found.weights, [1]);
        assert!(found.gap >= integer(0));
    }

    #[test]
    fn what_is_no_problem_is_refused() {
        let penalty = integer(1);
        let new = |rows: Vec<Vec<i64>>, labels: &[i64], counts: &[u64]| {
            let products = Matrix { rows, bits: 0 };
            Erm::new(
                &products,
                (labels, 0),
                counts,
                &Loss::Hinge,
                &penalty,
                &integer(3),
            )
            .map(|_| ())
        };
        assert_eq!(new(vec![vec![3]], &[1], &[1]), Ok(()));
        assert!(new(vec![vec![4]], &[1], &[1]).is_err());
        assert!(new(vec![vec![-1]], &[1], &[1]).is_err());
        assert!(new(vec![vec![3]], &[1, 1], &[1]).is_err());
        assert!(new(vec![vec![3]], &[1], &[0]).is_err());
        assert!(new(vec![vec![3]], &[1], &[(1 << 40) + 1]).is_err());
        let two = || vec![vec![3, 3], vec![3, 3]];
        assert!(new(two(), &[1, 1], &[u64::MAX, 2]).is_err());
    }
}
