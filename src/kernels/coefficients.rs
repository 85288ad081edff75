//! The release to take where (epsilon, delta) is enough: the coefficients of the minimiser, once, with Gaussian noise.
//!
//! It is not in the paper; the authors mention noise on functions of Hall, Rinaldo and Wasserman 2012, of which this is the case
//! with a public basis ([`Basis`]). What is released predicts everywhere, as often and for whom one likes.

use super::{Basis, Dataset, Kernel, KernelError, Optimum, Predictor, Problem, fit};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::{Domain, Point};
use crate::number::range::require;
use crate::number::rational::nearest;
use crate::number::{OutOfRange, Rational};
use crate::privacy::{self, Budget, NeighbouringRelation, Zcdp, discrete_gaussian};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Releases the coefficients of the minimiser: (epsilon, delta)-private under substitution (ledger: `jt13.gp.coefficients`).
///
/// # Errors
/// [`KernelError::Parameter`] if the plan is for another domain or number of records; those of [`fit`] and of the coins.
#[track_caller]
pub fn release(
    data: &Dataset,
    plan: &Plan,
    coins: &mut impl Coins,
) -> Result<Coefficients, KernelError> {
    plan.check(data)?;
    // 1. The minimiser of (2), within the solver's tolerance.
    let w = fit(data, &plan.problem)?;
    // 2. Its coefficients theta_a = W_a sum of mu_i x_i^a, in steps, rounded to the nearest.
    let (sums, unit) = plan.basis.sums(&w);
    // 3. Around those of one weight W, noise of variance tau^2 W: one draw.
    coins.stage(&plan.stage);
    let mut steps = vec![BigInt::zero(); sums.len()];
    for group in &plan.groups {
        let factor = &group.weight * &unit / &plan.step;
        let exact = group.places.iter().map(|&a| nearest(&(&factor * &sums[a])));
        let noisy = privacy::release_in_bulk(exact.collect(), &group.noise, coins)?;
        for (&place, value) in group.places.iter().zip(noisy) {
            steps[place] = value;
        }
    }
    Coefficients::new(plan.basis.clone(), plan.step.clone(), steps)
}

/// The coefficients of a minimiser for the linear kernel, exactly: a coordinate of a point is multiplied once, where
/// [`Optimum::prediction`](Predictor::prediction) multiplies the points of all records. **Not private.**
///
/// # Errors
/// Those of [`Basis::of`]; [`KernelError::Parameter`] for another kernel.
pub fn exact(w: &Optimum) -> Result<Coefficients, KernelError> {
    let linear = w.kernel().is_linear();
    require(linear, "the kernel of the minimiser", &"another", "linear")?;
    let basis = Basis::of(&Kernel::Linear, w.kernel().domain())?;
    let (sums, step) = basis.sums(w);
    Coefficients::new(basis, step, sums)
}

/// A released function `f(z) = sum of theta_a z^a`. Public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coefficients {
    basis: Basis,
    step: Rational,
    steps: Vec<BigInt>,
}
crate::published!(Coefficients { basis, step, steps });

impl Coefficients {
    /// The function with these coefficients, each a number of steps.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless there is one for each feature.
    pub fn new(basis: Basis, step: Rational, steps: Vec<BigInt>) -> Result<Self, KernelError> {
        let fits = steps.len() == basis.dimension();
        let expected = "one for each feature of the basis";
        require(fits, "the coefficients", &steps.len(), expected)?;
        Ok(Self { basis, step, steps })
    }

    /// The basis.
    #[must_use]
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// `gamma`, a step of a coefficient.
    #[must_use]
    pub fn step(&self) -> &Rational {
        &self.step
    }

    /// The coefficients, in steps.
    #[must_use]
    pub fn steps(&self) -> &[BigInt] {
        &self.steps
    }
}

impl Predictor for Coefficients {
    /// The prediction, which is public; a coordinate that the domain does not have counts for nothing.
    fn prediction(&self, z: &Point) -> Rational {
        let features = self.basis.values(z).into_iter();
        let terms = features.filter_map(|(place, value)| Some(self.steps.get(place)? * value));
        let sum: BigInt = terms.sum();
        &self.step * self.basis.unit() * sum
    }
}

/// A release with its noise calibrated. All of it is public.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    problem: Problem,
    basis: Basis,
    size: u64,
    step: Rational,
    groups: Vec<Group>,
    stage: Stage,
    squared_sensitivity: Rational,
    slack: Rational,
}

/// Features of one weight.
#[derive(Debug, Clone, PartialEq)]
struct Group {
    weight: Rational,
    places: Vec<usize>,
    noise: DiscreteGaussian,
}

/// Rounding may add a thousandth, `2^-10`, to the sensitivity.
const FINENESS: u32 = 10;

impl Plan {
    /// The plan for a problem on `n` records of a domain.
    ///
    /// # Errors
    /// As [`Plan::with_fineness`].
    pub fn new(
        problem: &Problem,
        (domain, n): (Domain, u64),
        budget: &Budget,
    ) -> Result<Self, KernelError> {
        Self::with_fineness(FINENESS, problem, (domain, n), budget)
    }

    /// The same where rounding may add `2^-fineness` of the sensitivity to it.
    ///
    /// # Errors
    /// [`KernelError::Privacy`] for a budget with `delta = 0` or under another relation than substitution;
    /// [`KernelError::Parameter`] for a fineness above 40; those of [`Basis::of`] and [`Problem::sensitivity`].
    pub fn with_fineness(
        fineness: u32,
        problem: &Problem,
        (domain, n): (Domain, u64),
        budget: &Budget,
    ) -> Result<Self, KernelError> {
        require(fineness <= 40, "the fineness", &fineness, "at most 40")?;
        budget.under(NeighbouringRelation::Substitute)?;
        let basis = Basis::of(problem.kernel(), domain)?;
        let groups = basis.by_weight();
        // 1. D^2: so far, squared, the vector moves that the solver returns.
        let sensitivity = problem.sensitivity(domain, n)?;
        let squared = sensitivity.squared_vectors();
        // 2. gamma: rounding moves it by at most gamma sqrt(sum of 1/W_a) <= 2^-fineness D.
        let of_rounding: Rational = groups
            .iter()
            .map(|(weight, places)| weight.recip() * BigInt::from(places.len()))
            .sum();
        let share = Rational::new(BigInt::one(), BigInt::one() << fineness);
        let step = largest_power_of_two(&(&share * &share * &squared / of_rounding));
        // 3. D' = (1 + 2^-fineness) D.
        let grown = Rational::one() + &share;
        let squared_sensitivity = squared * &grown * &grown;
        let moved = &sensitivity.exact + &sensitivity.solver * BigInt::from(2);
        let mut plan = Self {
            problem: problem.clone(),
            basis,
            size: n,
            step,
            groups: Vec::new(),
            stage: Stage::once("the coefficients", budget.promise()),
            squared_sensitivity,
            slack: sensitivity.solver + moved * share / BigInt::from(2),
        };
        plan.calibrate(groups.into_iter().collect(), budget)?;
        Ok(plan)
    }

    /// The noise and what it promises: of one weight the least that is certified for the budget; of several
    /// `tau^2 = D'^2/(2 rho)`, where the rho of the budget is what all draws together take.
    fn calibrate(
        &mut self,
        groups: Vec<(Rational, Vec<usize>)>,
        budget: &Budget,
    ) -> Result<(), KernelError> {
        // In steps: D'^2 and tau^2 are times W/gamma^2.
        let in_steps = |weight: &Rational| weight / &self.step / &self.step;
        let dimension = self.basis.dimension() as u64;
        let mut of_weight: Vec<Rational> = Vec::new();
        if let [(weight, _)] = &groups[..] {
            let squared = &self.squared_sensitivity * in_steps(weight);
            let squared = squared.floor().to_integer().max(BigInt::one());
            of_weight.push(discrete_gaussian::variance(budget, &squared, dimension)?);
        } else {
            let rho = Zcdp::largest_for(budget)?;
            let squared_tau = &self.squared_sensitivity / (rho.rho() * BigInt::from(2));
            of_weight.extend(
                groups
                    .iter()
                    .map(|(weight, _)| (&squared_tau * in_steps(weight)).ceil()),
            );
            let promise = || Promise::Concentrated(rho.rho().clone());
            let draws = groups.len() as u64;
            self.stage = Stage::path("the coefficients", draws, promise(), promise());
        }
        for ((weight, places), variance) in groups.into_iter().zip(of_weight) {
            self.groups.push(Group {
                weight,
                places,
                noise: DiscreteGaussian::new(variance)?,
            });
        }
        Ok(())
    }

    fn check(&self, data: &Dataset) -> Result<(), OutOfRange> {
        let right = data.domain() == self.basis.domain() && data.size() == self.size;
        let found = format!("{} records", data.size());
        let expected = "of the domain and the number of records of the plan";
        require(right, "the dataset", &found, expected)
    }

    /// The problem.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The basis.
    #[must_use]
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// `gamma`, a step of a coefficient: a power of two.
    #[must_use]
    pub fn step(&self) -> &Rational {
        &self.step
    }

    /// `D'^2`: so far, squared, the rounded vector moves in the space of the kernel.
    #[must_use]
    pub fn squared_sensitivity(&self) -> &Rational {
        &self.squared_sensitivity
    }

    /// `tau^2`: noise on a coefficient of weight `W` has at most the variance `tau^2 W`, so that the noise of a prediction
    /// has at most the variance `tau^2 K(z, z)`.
    #[must_use]
    pub fn variance(&self) -> Rational {
        let squared = &self.step * &self.step;
        let of_group = |group: &Group| group.noise.variance() * &squared / &group.weight;
        let all = self.groups.iter().map(of_group);
        all.max().unwrap_or_else(Rational::zero)
    }

    /// By how much a prediction is off at most before any noise: by the solver and by rounding.
    #[must_use]
    pub fn slack(&self) -> &Rational {
        &self.slack
    }
}

/// The largest power of two whose square is at most this number, which is above 0.
pub(super) fn largest_power_of_two(squared: &Rational) -> Rational {
    let mut power = Rational::one();
    let two = BigInt::from(2);
    while &power * &power > *squared {
        power /= &two;
    }
    while &power * &power * &two * &two <= *squared {
        power *= &two;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::kernels::Record;
    use crate::number::Grid;
    use crate::number::rational::{integer, parse, ratio};
    use crate::optimise::erm::Loss;
    use crate::privacy::PrivacyError;

    fn budget(delta: &str) -> Result<Budget, PrivacyError> {
        let relation = NeighbouringRelation::Substitute;
        Budget::approximate(integer(1), parse(delta).unwrap(), relation)
    }

    const CUBIC: Kernel = Kernel::Polynomial {
        degree: 3,
        offset: 1,
    };

    fn plan(kernel: Kernel, bits: u32, d: usize, n: u64) -> Plan {
        let domain = Domain::new(Grid::new(bits).unwrap(), d, 2).unwrap();
        let problem = Problem::new(Loss::Linear, kernel, integer(1)).unwrap();
        Plan::new(&problem, (domain, n), &budget("1e-6").unwrap()).unwrap()
    }

    #[test]
    fn powers_of_two() {
        for (squared, expected) in [
            (integer(1), integer(1)),
            (ratio(399, 100), integer(1)),
            (integer(4), integer(2)),
            (ratio(1, 5), ratio(1, 4)),
            (ratio(1, 16), ratio(1, 4)),
        ] {
            assert_eq!(largest_power_of_two(&squared), expected);
        }
    }

    #[test]
    fn the_parameters_of_a_linear_release() {
        let plan = plan(Kernel::Linear, 0, 4, 8);
        // D = 2 R/n = 1/2; gamma sqrt(4) <= D/2^10.
        assert_eq!(*plan.step(), ratio(1, 1 << 12));
        let grown = ratio(1025, 2048);
        assert_eq!(*plan.squared_sensitivity(), &grown * &grown);
        // 1025 steps in each of 4 coordinates: 2050.
        let expected =
            discrete_gaussian::variance(&budget("1e-6").unwrap(), &(2050 * 2050).into(), 4);
        let variance = plan.variance() * integer(1 << 24);
        assert_eq!(variance, expected.unwrap());
        assert_eq!(plan.slack(), &ratio(1, 1 << 11));
    }

    #[test]
    fn a_large_release_predicts_what_the_minimiser_does() {
        for (kernel, bits) in [(Kernel::Linear, 1), (CUBIC, 0), (CUBIC, 1)] {
            let n = 1 << 40;
            let plan = plan(kernel, bits, 2, n);
            let record = |x: [i32; 2], label| Record {
                point: Point::dense(&x),
                label,
            };
            let records = [(record([1, -1], 1), n - n / 4), (record([0, 2], -1), n / 4)];
            let data = Dataset::new(plan.basis().domain(), records).unwrap();
            let w = fit(&data, plan.problem()).unwrap();
            let found = release(&data, &plan, &mut ChaCha::reproducible(1, 0)).unwrap();
            for z in [[1, 1], [0, 0], [-1, 1], [0, -2]] {
                let z = Point::dense(&z);
                let off = found.prediction(&z) - w.prediction(&z);
                assert!(off < ratio(1, 1 << 20) && off > ratio(-1, 1 << 20), "{off}");
            }
        }
    }

    #[test]
    fn exact_coefficients_predict_what_the_minimiser_does() {
        let record = |x: [i32; 2], label| Record {
            point: Point::dense(&x),
            label,
        };
        let minimiser = |kernel, bits| {
            let domain = Domain::new(Grid::new(bits).unwrap(), 2, 5).unwrap();
            let records = [(record([3, -4], 1), 2), (record([1, 2], -1), 1)];
            let data = Dataset::new(domain, records).unwrap();
            let problem = Problem::new(Loss::Linear, kernel, ratio(1, 3)).unwrap();
            // On the finer grid the kernel's values are rounded.
            let eta = problem.sensitivity(domain, 3).unwrap().evaluation;
            (fit(&data, &problem).unwrap(), eta)
        };
        for bits in [0, 30] {
            let (w, eta) = minimiser(Kernel::Linear, bits);
            let found = exact(&w).unwrap();
            for z in [[1, 0], [0, 1], [-3, 2]] {
                let z = Point::dense(&z);
                let off = found.prediction(&z) - w.prediction(&z);
                assert!(off <= eta && -off <= eta, "{bits}");
            }
        }
        let quadratic = Kernel::Polynomial {
            degree: 2,
            offset: 1,
        };
        assert!(exact(&minimiser(quadratic, 0).0).is_err());
    }

    #[test]
    fn what_no_plan_is_for_is_refused() {
        let plan = plan(Kernel::Linear, 0, 1, 8);
        let release_of = |n: u64| {
            let record = Record {
                point: Point::dense(&[1]),
                label: 1,
            };
            let data = Dataset::new(plan.basis().domain(), [(record, n)]).unwrap();
            release(&data, &plan, &mut ChaCha::reproducible(1, 0))
        };
        assert!(release_of(8).is_ok() && release_of(9).is_err());
        let new = |budget: Budget| Plan::new(plan.problem(), (plan.basis().domain(), 8), &budget);
        assert!(new(budget("0").unwrap()).is_err());
        let other = NeighbouringRelation::AddOrRemove;
        assert!(new(Budget::approximate(integer(1), ratio(1, 9), other).unwrap()).is_err());
        let basis = plan.basis().clone();
        assert!(Coefficients::new(basis, integer(1), vec![]).is_err());
    }

    #[test]
    fn the_slack_is_that_of_the_solver_and_of_rounding() {
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap();
        let problem = Problem::new(Loss::Hinge, Kernel::Linear, integer(1)).unwrap();
        let plan = Plan::new(&problem, (domain, 8), &budget("1e-6").unwrap()).unwrap();
        // S = 2 * 4/8 = 1 and r = S/32: r + 2^-10 (S + 2 r)/2
        assert_eq!(*plan.slack(), ratio(1, 32) + ratio(17, 16 << 11));
    }
}
