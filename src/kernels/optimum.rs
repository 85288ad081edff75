//! The regularised empirical risk (2), its minimiser, and how far that moves with one record.
//!
//! `w* = argmin (1/n) sum of l(<w, phi(x_i)>; y_i) + (lambda/2) |w|^2`. There is no bias term: a bias that is not
//! regularised moves by 2 with one record, whatever `n` and `lambda` are. A feature that is constant (the offset of a
//! polynomial kernel) is a bias that is regularised, and is covered.

use super::kernel::VALUE_BITS;
use super::{Dataset, Kernel, KernelError, KernelOn, Labels, Record};
use crate::geometry::{Domain, Point};
use crate::number::range::{above_zero, at_least_one, require};
use crate::number::{Enclosure, Rational};
use crate::optimise::erm::{Dual, Erm, Loss, Products, attainable_tolerance};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// The precision of roots, in bits.
const BITS: u32 = 96;

/// What is minimised. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    loss: Loss,
    kernel: Kernel,
    penalty: Rational,
    share: u32,
}

/// The solver may move a prediction by `S/2^5`, unless told otherwise: then noise grows by a sixteenth.
const SHARE: u32 = 5;

/// By how much the minimiser moves if one record is substituted, part by part. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sensitivity {
    /// `S = 2 L R^2/(lambda n)`: so far a prediction of the exact minimiser moves (`jt13.eq3`).
    pub exact: Rational,
    /// `r`: so far a prediction of what the solver returns may be from that of the minimiser; 0 for a closed form. It is
    /// `S/2^share`, or what the solver's integers attain for all data, if that is more: from about 10^6 records on.
    pub solver: Rational,
    /// `eta`: so far an evaluated prediction may be from that of the kernel without rounding.
    pub evaluation: Rational,
    /// `R^2`, the largest value of the kernel on the domain.
    pub squared_bound: Rational,
}

impl Sensitivity {
    /// `S' = S + 2 r + 2 eta`: so far an evaluated prediction at any point of the domain moves.
    #[must_use]
    pub fn predictions(&self) -> Rational {
        let twice = BigInt::from(2);
        &self.exact + &self.solver * &twice + &self.evaluation * &twice
    }

    /// The square of `(S + 2 r)/R`: so far, squared, the vector that the solver returns moves.
    #[must_use]
    pub fn squared_vectors(&self) -> Rational {
        let moved = &self.exact + &self.solver * BigInt::from(2);
        &moved * &moved / &self.squared_bound
    }
}

impl Problem {
    /// The risk with a loss, a kernel and `lambda`.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `lambda > 0`.
    pub fn new(loss: Loss, kernel: Kernel, penalty: Rational) -> Result<Self, KernelError> {
        above_zero("the penalty", &penalty)?;
        Ok(Self {
            loss,
            kernel,
            penalty,
            share: SHARE,
        })
    }

    /// The same with a solver that may move a prediction by `S/2^share`, `share` at most 20.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for a larger share.
    pub fn with_share(self, share: u32) -> Result<Self, KernelError> {
        require(share <= 20, "the share of the solver", &share, "at most 20")?;
        Ok(Self { share, ..self })
    }

    /// The loss of a prediction.
    #[must_use]
    pub fn loss(&self) -> &Loss {
        &self.loss
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// `lambda`, above 0.
    #[must_use]
    pub fn penalty(&self) -> &Rational {
        &self.penalty
    }

    /// How far the minimiser for `n` records of a domain moves if one of them is substituted.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `n >= 1`; those of [`Kernel::on`].
    pub fn sensitivity(&self, domain: Domain, n: u64) -> Result<Sensitivity, KernelError> {
        at_least_one("the number of records", n)?;
        let kernel = self.kernel.on(domain)?;
        let squared_bound = kernel.squared_bound().clone();
        let slope = self.loss.lipschitz(&squared_bound, &self.penalty)? / &self.penalty;
        // |w|_1 <= L/lambda in the coefficients of the points, each times a value that is off by the error.
        let step = Rational::new(kernel.error().into(), BigInt::one() << VALUE_BITS);
        let exact = &slope * &squared_bound * BigInt::from(2) / BigInt::from(n);
        let solver = match self.loss {
            Loss::Linear => Rational::zero(),
            _ => {
                let attainable = self.attainable(&kernel)?;
                attainable.max(&exact / (BigInt::one() << self.share))
            }
        };
        Ok(Sensitivity {
            exact,
            solver,
            evaluation: slope * step,
            squared_bound,
        })
    }

    /// The least `r` with a gap of `lambda (r/R)^2` that the solver reaches for all data, rounded up.
    fn attainable(&self, kernel: &KernelOn) -> Result<Rational, KernelError> {
        let squared_bound = kernel.squared_bound();
        let step = (VALUE_BITS, kernel.error());
        let gap = attainable_tolerance(&self.loss, &self.penalty, squared_bound, step)?;
        let squared = gap * squared_bound / &self.penalty;
        Ok(Enclosure::of(&squared, BITS).sqrt()?.upper())
    }

    /// `C`, with `|w*| <= C` for every dataset: the least of `L R/lambda` and `sqrt(2 l(0)/lambda)`, rounded up. The second
    /// is for losses that are at least 0.
    ///
    /// # Errors
    /// Those of [`Kernel::on`].
    pub fn norm_bound(&self, domain: Domain) -> Result<Rational, KernelError> {
        let kernel = self.kernel.on(domain)?;
        let slope = self.loss.lipschitz(kernel.squared_bound(), &self.penalty)? / &self.penalty;
        let by_slope = &slope * &slope * kernel.squared_bound();
        let squared = match self.loss.at_zero() {
            None => by_slope,
            Some(loss) => by_slope.min(loss * BigInt::from(2) / &self.penalty),
        };
        Ok(Enclosure::of(&squared, BITS).sqrt()?.upper())
    }
}

/// Something that predicts a number at each point of a domain.
pub trait Predictor {
    /// The prediction at a point of the domain. **Not private.**
    fn prediction(&self, z: &Point) -> Rational;
}

/// A minimiser of the regularised empirical risk, `w = sum of mu_i phi(x_i)`. **Not private.**
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    kernel: KernelOn,
    // mu_i is numerator times unit.
    terms: Vec<(Point, BigInt)>,
    unit: Rational,
}

impl Optimum {
    /// What [`fit`] returned earlier, by its points and the coefficients `mu_i` beside them: of a stopped session.
    ///
    /// # Errors
    /// [`KernelError::Geometry`] for a point outside the domain.
    pub fn restored(
        kernel: KernelOn,
        terms: impl IntoIterator<Item = (Point, Rational)>,
    ) -> Result<Self, KernelError> {
        let terms: Vec<(Point, Rational)> = terms.into_iter().collect();
        let mut denominator = BigInt::one();
        for (point, mu) in &terms {
            kernel.domain().check(point)?;
            denominator = denominator.lcm(mu.denom());
        }
        let unit = Rational::new(BigInt::one(), denominator);
        let numerator = |(point, mu): (Point, Rational)| (point, (mu / &unit).to_integer());
        Ok(Self {
            kernel,
            terms: terms.into_iter().map(numerator).collect(),
            unit,
        })
    }

    /// The points and their coefficients `mu_i`. **Not private.**
    pub fn terms(&self) -> impl Iterator<Item = (&Point, Rational)> {
        let coefficient = |numerator: &BigInt| &self.unit * numerator;
        self.terms.iter().map(move |(x, mu)| (x, coefficient(mu)))
    }

    /// The same in integers: each coefficient is its number times the unit. **Not private.**
    pub(super) fn integer_terms(&self) -> (&[(Point, BigInt)], &Rational) {
        (&self.terms, &self.unit)
    }

    /// The kernel on the domain.
    #[must_use]
    pub fn kernel(&self) -> &KernelOn {
        &self.kernel
    }
}

impl Predictor for Optimum {
    fn prediction(&self, z: &Point) -> Rational {
        let mut sum = BigInt::zero();
        for (x, numerator) in &self.terms {
            sum += numerator * self.kernel.value(x, z);
        }
        let step = Rational::new(BigInt::one(), BigInt::one() << VALUE_BITS);
        &self.unit * step * sum
    }
}

/// The minimiser, or what the solver returns in its place: its predictions are within `r` of the minimiser's, for all
/// data. **Not private.**
///
/// # Errors
/// [`KernelError::Parameter`] if the labels are not those of the loss: classes, numbers, or numbers of the largest magnitude
/// that the squared loss names; those of [`Problem::sensitivity`]. None depends on the records.
pub fn fit(data: &Dataset, problem: &Problem) -> Result<Optimum, KernelError> {
    let kernel = problem.kernel.on(data.domain())?;
    problem.check_labels(data.labels())?;
    let records = data.records();
    // 1. The loss -y f has a closed form, with a_i = y_i.
    let dual = match problem.loss {
        Loss::Linear => Dual {
            weights: records.iter().map(|(record, _)| record.label).collect(),
            bits: 0,
            gap: Rational::zero(),
        },
        // 2. Otherwise a dual point whose gap is at most lambda (r/R)^2.
        _ => {
            let tolerance = problem.tolerance(data.domain(), data.size())?;
            let labels: Vec<i64> = records.iter().map(|(record, _)| record.label).collect();
            let counts: Vec<u64> = records.iter().map(|(_, count)| *count).collect();
            let products = Records {
                records,
                kernel: &kernel,
            };
            let labels = (labels.as_slice(), data.labels().bits());
            let bound = kernel.squared_bound();
            let erm = Erm::new(
                &products,
                labels,
                &counts,
                &problem.loss,
                &problem.penalty,
                bound,
            )?;
            erm.solve(&tolerance)?
        }
    };
    // 3. w = (1/(lambda n)) sum of m_i a_i phi(x_i), over the records with a_i != 0.
    let unit = data.share() / &problem.penalty / (BigInt::one() << dual.bits);
    let term = |((record, count), weight): (&(Record, u64), &i64)| {
        (record.point.clone(), BigInt::from(*weight) * *count)
    };
    let terms = records.iter().zip(&dual.weights);
    let terms = terms
        .filter(|(_, weight)| **weight != 0)
        .map(term)
        .collect();
    Ok(Optimum {
        kernel,
        terms,
        unit,
    })
}

impl Problem {
    /// The gap that the solver must reach: `lambda (r/R)^2`, with which the returned vector is within `r/R` of the minimiser.
    ///
    /// # Errors
    /// Those of [`Problem::sensitivity`].
    pub fn tolerance(&self, domain: Domain, n: u64) -> Result<Rational, KernelError> {
        let sensitivity = self.sensitivity(domain, n)?;
        let solver = &sensitivity.solver;
        Ok(&self.penalty * solver * solver / &sensitivity.squared_bound)
    }

    fn check_labels(&self, labels: Labels) -> Result<(), KernelError> {
        let right = match (labels, &self.loss) {
            (Labels::Classes, loss) => loss.of_classes(),
            (Labels::Numbers { grid, largest }, Loss::Squared { largest_label }) => {
                Rational::new(largest.into(), grid.one().into()) <= *largest_label
            }
            (Labels::Numbers { .. }, loss) => !loss.of_classes(),
        };
        let expected = "classes for a loss of classes; otherwise numbers, at most the largest label of the squared loss";
        Ok(require(
            right,
            "the labels of the dataset",
            &"others",
            expected,
        )?)
    }
}

/// The kernel between the records of a dataset.
struct Records<'a> {
    records: &'a [(Record, u64)],
    kernel: &'a KernelOn,
}

impl Products for Records<'_> {
    fn count(&self) -> usize {
        self.records.len()
    }

    fn bits(&self) -> u32 {
        VALUE_BITS
    }

    fn error(&self) -> u32 {
        self.kernel.error()
    }

    fn value(&self, i: usize, j: usize) -> i64 {
        let point = |i: usize| &self.records[i].0.point;
        self.kernel.value(point(i), point(j))
    }

    fn row(&self, i: usize, out: &mut Vec<i64>) {
        let points = self.records.iter().map(|(record, _)| &record.point);
        self.kernel.row(&self.records[i].0.point, points, out);
    }

    fn linear_dimension(&self) -> Option<usize> {
        let dimension = self.kernel.domain().dimension();
        let length = |(record, _): &(Record, u64)| record.point.coordinates().len();
        let all: usize = self.records.iter().map(length).sum();
        // With w a look at all records costs their coordinates, without it their number squared.
        let worth = all <= self.records.len().saturating_pow(2);
        (self.kernel.has_a_vector() && worth).then_some(dimension)
    }

    fn coordinates(&self, i: usize) -> (&[(u32, i32)], u32) {
        let shift = self.kernel.linear_shift().unwrap_or(0);
        (self.records[i].0.point.coordinates(), shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};

    fn domain() -> Domain {
        Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap()
    }

    fn problem(loss: Loss, penalty: Rational) -> Problem {
        Problem::new(loss, Kernel::Linear, penalty).unwrap()
    }

    fn record(x: i32, label: i64) -> (Record, u64) {
        let point = Point::dense(&[x]);
        (Record { point, label }, 1)
    }

    #[test]
    fn public_numbers() {
        let hinge = problem(Loss::Hinge, ratio(1, 10));
        let stated = hinge.sensitivity(domain(), 5).unwrap();
        // 2 R^2/(lambda n) = 2 * 4 * 10/5
        assert_eq!(
            (&stated.exact, &stated.solver),
            (&integer(16), &ratio(1, 2))
        );
        assert_eq!(stated.predictions(), integer(17));
        // lambda r^2/R^2
        assert_eq!(hinge.tolerance(domain(), 5).unwrap(), ratio(1, 160));
        let coarse = hinge.clone().with_share(0).unwrap();
        assert_eq!(coarse.sensitivity(domain(), 5).unwrap().solver, integer(16));
        assert!(hinge.clone().with_share(21).is_err() && hinge.sensitivity(domain(), 0).is_err());
        // sqrt(2/lambda) = sqrt(20) is below R/lambda = 20.
        let bound = hinge.norm_bound(domain()).unwrap();
        assert!(&bound * &bound >= integer(20) && bound < ratio(4473, 1000));
        let linear = problem(Loss::Linear, ratio(1, 10));
        assert_eq!(linear.norm_bound(domain()).unwrap(), integer(20));
        assert!(Problem::new(Loss::Hinge, Kernel::Linear, integer(0)).is_err());
    }

    #[test]
    fn a_kernel_is_learned_with_from_any_number_of_records() {
        let fine = Domain::new(Grid::new(12).unwrap(), 2, 1 << 12).unwrap();
        let bell = Kernel::Gaussian {
            squared_width: integer(1),
        };
        let cubic = Kernel::Polynomial {
            degree: 3,
            offset: 1 << 24,
        };
        let numbers = Labels::Numbers {
            grid: Grid::new(30).unwrap(),
            largest: 1 << 30,
        };
        let squared = Loss::Squared {
            largest_label: integer(1),
        };
        let huber = Loss::Huber { width: ratio(1, 2) };
        for (loss, labels, one) in [
            (Loss::Hinge, Labels::Classes, 1),
            (Loss::Logistic, Labels::Classes, 1),
            (huber, numbers, 1 << 30),
            (squared, numbers, 1 << 30),
        ] {
            for kernel in [Kernel::Linear, bell.clone(), cubic.clone()] {
                for penalty in [ratio(1, 10_000), ratio(1, 10), integer(1000)] {
                    let problem = Problem::new(loss.clone(), kernel.clone(), penalty).unwrap();
                    for n in [1_000_000, 1 << 32, 1 << 40] {
                        let stated = problem.sensitivity(fine, n).unwrap();
                        assert!(stated.solver >= &stated.exact / integer(32));
                        let records = [(&[4096, 0], one, n / 2), (&[0, -3000], -one, n / 2)];
                        let record = |(x, label, count): (&[i32; 2], i64, u64)| {
                            let point = Point::dense(x);
                            (Record { point, label }, count)
                        };
                        let data = Dataset::of_labels(fine, labels, records.map(record)).unwrap();
                        assert!(fit(&data, &problem).is_ok(), "{problem:?}, n = {n}");
                    }
                }
            }
        }
    }

    /// The majority of `n` labels at one point with `K = 1`: at `lambda = 2` the hinge loss has the minimum at the mean label
    /// over `lambda`.
    #[test]
    fn what_the_solver_attains_is_counted_and_kept_however_many_records_there_are() {
        let fine = Domain::new(Grid::new(30).unwrap(), 1, 1 << 30).unwrap();
        let hinge = problem(Loss::Hinge, integer(2));
        let point = Point::dense(&[1 << 30]);
        for n in [10_000_000u64, 1_000_000_000, 1 << 40] {
            let stated = hinge.sensitivity(fine, n).unwrap();
            // S = 2 R^2/(lambda n); r^2 = 2 g R^2/lambda, with g the gap that 61 bits and a kernel off by 2^-48 attain.
            assert_eq!(stated.exact, Rational::new(1.into(), n.into()));
            let power = |bits: u32| Rational::new(BigInt::one(), BigInt::one() << bits);
            let gap = power(63) + power(48);
            let squared = &stated.solver * &stated.solver;
            assert!(squared >= gap && squared <= &gap * (integer(1) + power(40)));
            assert!(stated.solver > &stated.exact / integer(32));
            let predicted = |positive: u64| {
                let of = |label, count| {
                    let point = point.clone();
                    (Record { point, label }, count)
                };
                let records = [of(1, positive), of(-1, n - positive)];
                let data = Dataset::new(fine, records).unwrap();
                let found = fit(&data, &hinge).unwrap().prediction(&point);
                let minimum = (integer(2 * positive) - integer(n)) / integer(n) / integer(2);
                let off = &found - minimum;
                let most = &stated.solver + &stated.evaluation;
                assert!(off <= most && -off <= most, "n = {n}");
                found
            };
            let positive = n / 2 + n / 7;
            let moved = predicted(positive) - predicted(positive - 1);
            let most = stated.predictions();
            assert!(moved <= most && -moved <= most, "n = {n}");
        }
    }

    #[test]
    fn a_rounded_kernel_costs_eta() {
        let fine = Domain::new(Grid::new(30).unwrap(), 1, 1 << 30).unwrap();
        let hinge = problem(Loss::Hinge, ratio(1, 10));
        let stated = hinge.sensitivity(fine, 5).unwrap();
        assert_eq!(
            stated.evaluation,
            Rational::new(10.into(), BigInt::one() << 48)
        );
        assert!(stated.predictions() > &stated.exact + integer(2) * &stated.solver);
        let point = Point::dense(&[1 << 30]);
        let data = Dataset::new(
            fine,
            [(
                Record {
                    point: point.clone(),
                    label: 1,
                },
                5,
            )],
        )
        .unwrap();
        // t = s/lambda reaches 1 at s = 1/10.
        let predicted = fit(&data, &hinge).unwrap().prediction(&point);
        let off = predicted - integer(1);
        assert!(off <= stated.solver && -off <= stated.solver);
    }

    #[test]
    fn labels_are_those_of_the_loss() {
        let numbers = |largest| Labels::Numbers {
            grid: Grid::new(0).unwrap(),
            largest,
        };
        let of = |labels| Dataset::of_labels(domain(), labels, [record(1, 1)]).unwrap();
        let squared = Loss::Squared {
            largest_label: integer(2),
        };
        let fits =
            |labels, loss: &Loss| fit(&of(labels), &problem(loss.clone(), integer(1))).is_ok();
        let huber = Loss::Huber { width: integer(1) };
        for loss in [Loss::Linear, Loss::Hinge, Loss::Logistic] {
            assert!(fits(Labels::Classes, &loss) && !fits(numbers(1), &loss));
        }
        assert!(fits(numbers(2), &squared) && !fits(numbers(3), &squared));
        assert!(!fits(Labels::Classes, &squared) && !fits(Labels::Classes, &huber));
        assert!(fits(numbers(3), &huber));
    }

    #[test]
    fn the_order_of_records_does_not_matter() {
        let hinge = problem(Loss::Hinge, ratio(1, 10));
        let records = [record(1, 1), record(-2, -1), record(2, -1)];
        let one = Dataset::new(domain(), records.clone()).unwrap();
        let other = Dataset::new(domain(), records.into_iter().rev()).unwrap();
        let (one, other) = (fit(&one, &hinge).unwrap(), fit(&other, &hinge).unwrap());
        assert_eq!(one, other);
        assert_eq!(one.terms().count(), 3);
        assert_eq!(one.kernel().domain(), domain());
    }

    #[test]
    fn a_minimiser_is_written_down_and_restored() {
        let records = [record(1, 1), record(-2, -1), record(2, -1)];
        let data = Dataset::new(domain(), records).unwrap();
        let fit = fit(&data, &problem(Loss::Hinge, ratio(1, 10))).unwrap();
        let kernel = fit.kernel().clone();
        let terms: Vec<_> = fit.terms().map(|(x, mu)| (x.clone(), mu)).collect();
        let restored = Optimum::restored(kernel.clone(), terms).unwrap();
        assert!(restored.terms().eq(fit.terms()));
        let query = Point::dense(&[-1]);
        assert_eq!(restored.prediction(&query), fit.prediction(&query));
        let outside = (Point::dense(&[3]), integer(1));
        assert!(Optimum::restored(kernel, [outside]).is_err());
    }
}
