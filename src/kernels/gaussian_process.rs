//! Predictions for queries that come one by one, with the noise of a Gaussian process: for kernels without a public basis.
//!
//! Each query that is not in the span of those before adds a coordinate, in which the minimiser is released with noise. Ours:
//! the paper mentions Hall, Rinaldo and Wasserman 2012, who release functions so.

use super::coefficients::largest_power_of_two;
use super::coordinates::{self, Coordinates, Expanded, KAPPA_BITS};
use super::{KernelError, KernelOn, Predictor, Sensitivity};
use crate::coins::{Coins, GaussianShift, Promise, Stage};
use crate::geometry::Point;
use crate::law::Noise;
use crate::number::Rational;
use crate::number::range::require;
use crate::number::rational::{nearest, shortly};
use crate::privacy::{Budget, NeighbouringRelation, discrete_gaussian};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::fmt;

/// A session that answers any number of queries.
///
/// (epsilon, delta)-private under substitution, all its answers together, the queries chosen as anybody likes who sees
/// them (`jt13.gp.online`).
pub struct Session<'a, P: ?Sized> {
    optimum: &'a P,
    plan: Plan,
    coordinates: Coordinates,
    // f(z) at the points of the coordinates: not private.
    predictions: Vec<Rational>,
    // The released coordinates, in steps.
    released: Vec<BigInt>,
}

impl<'a, P: Predictor + ?Sized> Session<'a, P> {
    /// Opens a session on an optimum whose vector and predictions have the sensitivity of the plan.
    #[track_caller]
    pub fn open(optimum: &'a P, plan: Plan, coins: &mut impl Coins) -> Self {
        coins.stage(&plan.stage);
        Self {
            optimum,
            coordinates: plan.coordinates(),
            plan,
            predictions: Vec::new(),
            released: Vec::new(),
        }
    }

    /// Goes on with the session of this plan that was stopped after these coordinates were released ([`Self::released`]).
    /// Nothing is drawn: the coordinates are made again from their queries, and what they are of the data again from the
    /// optimum, which must be the one that the session was opened with.
    ///
    /// **Privacy rests on these being all that this one session released.** Whoever goes on from an older list, or twice from
    /// one, spends the budget twice.
    ///
    /// # Errors
    /// [`KernelError::Geometry`] for a query outside the domain; [`KernelError::OtherSession`] for one that adds no coordinate
    /// in this plan. Nothing else is checked.
    pub fn resume(
        optimum: &'a P,
        plan: Plan,
        released: impl IntoIterator<Item = (Point, BigInt)>,
    ) -> Result<Self, KernelError> {
        let mut session = Self {
            optimum,
            coordinates: plan.coordinates(),
            plan,
            predictions: Vec::new(),
            released: Vec::new(),
        };
        for (answer, (z, noisy)) in released.into_iter().enumerate() {
            session.plan.kernel.domain().check(&z)?;
            let expanded = session.coordinates.expand(&z);
            if !session.add(&z, &expanded) {
                return Err(KernelError::OtherSession { answer });
            }
            session.released.push(noisy);
        }
        Ok(session)
    }

    /// Adds the coordinate of a query, if it is certified to be one.
    fn add(&mut self, z: &Point, expanded: &Expanded) -> bool {
        let added = self.coordinates.add(expanded);
        if added {
            self.predictions.push(self.optimum.prediction(z));
        }
        added
    }

    /// The prediction at a query.
    ///
    /// # Errors
    /// [`KernelError::Geometry`] for a query outside the domain, before anything is drawn; those of the coins, after which every
    /// query is [`KernelError::Spent`].
    #[track_caller]
    pub fn answer(&mut self, z: &Point, coins: &mut impl Coins) -> Result<Answer, KernelError> {
        self.plan.kernel.domain().check(z)?;
        // Where the coins failed a coordinate has no released value.
        if self.released.len() != self.coordinates.count() {
            return Err(KernelError::Spent);
        }
        // 1. phi(z) = sum of u_j e_j + rest, from public numbers.
        let expanded = self.coordinates.expand(z);
        // 2. rest/|rest| is the next coordinate e_t = sum of c_i phi(z_i), if it is certified to be one.
        let added = self.add(z, &expanded);
        if added {
            // 3. v_t = <w, e_t> = sum of c_i f(z_i), of the predictions without noise; rounded; and noise around it.
            let weights = self.coordinates.weights(self.released.len()).iter();
            let terms = weights.zip(&self.predictions).map(|(c, f)| f * c);
            let exact = coordinates::value(&BigInt::one()) * terms.sum::<Rational>();
            let steps = nearest(&(exact / &self.plan.step));
            let noisy = coins.draw(&self.plan.noise.around(steps))?;
            self.released.push(noisy);
        }
        // 4. sum of u_j v_j + |rest| v_t, of the released v.
        let known = expanded.along.iter().zip(&self.released);
        let mut sum = coordinates::value(&known.map(|(u, v)| u * v).sum());
        if let Some(last) = self.released.last().filter(|_| added) {
            sum += expanded.distance() * last;
        }
        Ok(Answer {
            value: sum * &self.plan.step,
            added,
            squared_rest: if added {
                Rational::zero()
            } else {
                expanded.squared_rest()
            },
        })
    }

    /// The prediction at a query as far as it lies in the span of the coordinates so far, from what was released. Nothing is drawn
    /// and nothing private is read.
    ///
    /// # Errors
    /// [`KernelError::Geometry`] for a query outside the domain.
    pub fn known(&self, z: &Point) -> Result<Answer, KernelError> {
        self.plan.kernel.domain().check(z)?;
        let expanded = self.coordinates.expand(z);
        let known = expanded.along.iter().zip(&self.released);
        let sum = coordinates::value(&known.map(|(u, v)| u * v).sum());
        Ok(Answer {
            value: sum * &self.plan.step,
            added: false,
            squared_rest: expanded.squared_rest(),
        })
    }

    /// How many coordinates may still be added.
    #[must_use]
    pub fn left(&self) -> usize {
        self.coordinates.left()
    }

    /// The queries that added a coordinate, and what was released of each, in steps, in order. Public; all answers follow from
    /// them, and so does [`Self::resume`].
    pub fn released(&self) -> impl ExactSizeIterator<Item = (&Point, &BigInt)> {
        // Where the coins failed a coordinate has no released value: it is left out.
        self.released
            .iter()
            .zip(self.coordinates.points())
            .map(|(noisy, z)| (z, noisy))
    }
}

/// Without what is private.
impl<P: ?Sized> fmt::Debug for Session<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("plan", &self.plan)
            .field("released", &self.released)
            .finish_non_exhaustive()
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The prediction.
    pub value: Rational,
    /// Whether the query added a coordinate.
    pub added: bool,
    /// The squared distance of the query, in the space of the kernel, from what the answer is a prediction for: 0 if a
    /// coordinate was added. Times `C^2` it bounds the squared error that is neither noise nor rounding, nor the solver's.
    pub squared_rest: Rational,
}
crate::published!(Answer {
    value,
    added,
    squared_rest
});

/// What a session is asked for.
#[derive(Debug, Clone)]
pub struct GaussianProcess {
    /// What all its answers may cost, under substitution; `delta > 0`.
    pub budget: Budget,
    /// `m`, the most coordinates, from 1 to 2^12: the noise does not grow with it, but the memory of a session and the time of
    /// an answer grow like `m^2`. Later queries are answered in their span.
    pub coordinates: usize,
}

/// The parameters of a session. All of them are public.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    kernel: KernelOn,
    most: usize,
    longest: BigInt,
    step: Rational,
    squared_sensitivity: Rational,
    noise: DiscreteGaussian,
    stage: Stage,
}

/// Rounding and evaluation may each add a thousandth, `2^-10`, to the sensitivity.
const FINENESS: u32 = 10;

/// The most coordinates.
pub(super) const MOST_COORDINATES: usize = 1 << 12;

/// No weights have an absolute sum above `2^40`.
const LONGEST_BITS: u32 = 40;

impl GaussianProcess {
    /// The plan of a session on predictions with this sensitivity, by this kernel.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for no coordinate or more than 2^12, or for predictions that are evaluated so badly that
    /// queries a thousandth apart could not be told; [`KernelError::Privacy`] for a budget with `delta = 0` or under another
    /// relation than substitution; those of the real functions.
    pub fn plan(&self, sensitivity: &Sensitivity, kernel: &KernelOn) -> Result<Plan, KernelError> {
        let most = self.coordinates;
        let right = (1..=MOST_COORDINATES).contains(&most);
        let expected = "at least 1 and at most 2^12";
        require(right, "the number of coordinates", &most, expected)?;
        self.budget.under(NeighbouringRelation::Substitute)?;
        // 1. D^2: so far, squared, the vector moves that the solver returns.
        let squared = sensitivity.squared_vectors();
        let power = |bits: u32| Rational::new(BigInt::one(), BigInt::one() << bits);
        let of_each = &squared * power(2 * FINENESS) / BigInt::from(most);
        // 2. gamma: rounding moves m coordinates by at most gamma sqrt(m) <= 2^-f D.
        let step = largest_power_of_two(&of_each);
        // 3. A, the largest |c|_1: what predictions are off by moves them by at most 2 sqrt(m) A eta <= 2^-f D.
        let longest = longest(&of_each, &sensitivity.evaluation);
        let seen = coordinates::value(&longest).pow(2) * &sensitivity.squared_bound;
        let shown = shortly(&seen);
        let expected = "at least 2^20: take a coarser grid of points, or a larger lambda";
        let name = "the largest squared weights of a coordinate, in 1/R^2";
        require(
            seen >= power(0) * (BigInt::one() << 20),
            name,
            &shown,
            expected,
        )?;
        // 4. D' = (1 + kappa/2) D + 2 sqrt(m) A eta + gamma sqrt(m).
        let grown = power(0) + power(KAPPA_BITS + 1) + power(FINENESS - 1);
        let squared_sensitivity = squared * &grown * &grown;
        // 5. tau^2: that of one vector of m coordinates that moves by D'.
        let moved = &squared_sensitivity / &step / &step;
        let moved = moved.floor().to_integer();
        let variance = discrete_gaussian::variance(&self.budget, &moved, most as u64)?;
        let each = Promise::Gaussian(GaussianShift {
            squared: moved,
            moved: 1,
            variance: variance.clone(),
        });
        let whole = self.budget.promise();
        let stage = Stage::path("the coordinates", most as u64, each, whole);
        Ok(Plan {
            kernel: kernel.clone(),
            most,
            longest,
            noise: DiscreteGaussian::new(variance)?,
            step,
            squared_sensitivity,
            stage: Stage {
                may_end: true,
                ..stage
            },
        })
    }
}

/// The largest `A` with `(2 A eta)^2 <= of_each` and `A <= 2^40`, in steps of `2^-64`, rounded down.
fn longest(of_each: &Rational, evaluation: &Rational) -> BigInt {
    let limit = Rational::from_integer(BigInt::one() << (2 * LONGEST_BITS));
    let squared = if evaluation.is_zero() {
        limit
    } else {
        (of_each / (evaluation * evaluation * BigInt::from(4))).min(limit)
    };
    let squared_steps = squared * (BigInt::one() << (2 * coordinates::BITS));
    squared_steps.floor().to_integer().sqrt()
}

impl Plan {
    /// The coordinates of a session, none of them yet.
    #[must_use]
    pub fn coordinates(&self) -> Coordinates {
        Coordinates::new(self.kernel.clone(), self.most, self.longest.clone())
    }

    /// The kernel on the domain of the queries.
    #[must_use]
    pub fn kernel(&self) -> &KernelOn {
        &self.kernel
    }

    /// `A`: no weights of a coordinate have a larger absolute sum.
    #[must_use]
    pub fn longest(&self) -> Rational {
        coordinates::value(&self.longest)
    }

    /// `gamma`, a step of a coordinate: a power of two.
    #[must_use]
    pub fn step(&self) -> &Rational {
        &self.step
    }

    /// `D'^2`: so far, squared, the rounded coordinates move, all of them together.
    #[must_use]
    pub fn squared_sensitivity(&self) -> &Rational {
        &self.squared_sensitivity
    }

    /// `tau^2`, the variance of the noise of a coordinate. That of a prediction is at most `(1 + 2^-9) tau^2 K(z, z)`.
    #[must_use]
    pub fn variance(&self) -> Rational {
        self.noise.variance() * &self.step * &self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::geometry::Domain;
    use crate::kernels::{Kernel, Problem};
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};
    use crate::optimise::erm::Loss;
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};

    fn plan(
        (bits, degree): (u32, u32),
        m: usize,
        (delta, relation): (Rational, NeighbouringRelation),
    ) -> Result<Plan, KernelError> {
        let domain = Domain::new(Grid::new(bits)?, 2, 1 << bits)?;
        let kernel = Kernel::Polynomial { degree, offset: 0 };
        let problem = Problem::new(Loss::Linear, kernel, integer(1))?;
        let asked = GaussianProcess {
            budget: Budget::approximate(integer(1), delta, relation)?,
            coordinates: m,
        };
        let sensitivity = problem.sensitivity(domain, 8)?;
        asked.plan(&sensitivity, &problem.kernel().on(domain)?)
    }

    fn small(bits: u32, degree: u32) -> Plan {
        plan((bits, degree), 4, (ratio(1, 1_000_000), Substitute)).unwrap()
    }

    fn plan_of(m: usize) -> Plan {
        plan((2, 1), m, (ratio(1, 1_000_000), Substitute)).unwrap()
    }

    #[test]
    fn the_parameters_of_a_session() {
        let exact = small(0, 1);
        // D = 2/8; gamma sqrt(4) <= D/2^10; D' = (1 + 2^-11 + 2^-9) D.
        assert_eq!(*exact.step(), ratio(1, 1 << 13));
        let moved = ratio(2048 + 1 + 4, 8192);
        assert_eq!(*exact.squared_sensitivity(), &moved * &moved);
        assert_eq!(exact.longest(), integer(1u64 << 40));
        // A of 4 coordinates with eta = 2^-48: 4 A eta <= D/2^10 at 2^34.
        assert_eq!(small(10, 3).longest(), integer(1u64 << 34));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let with = |m, delta, relation| plan((0, 1), m, (delta, relation));
        assert!(with(1 << 12, ratio(1, 9), Substitute).is_ok());
        for (m, delta, relation) in [
            (0, ratio(1, 9), Substitute),
            ((1 << 12) + 1, ratio(1, 9), Substitute),
            (1, integer(0), Substitute),
            (1, ratio(1, 9), AddOrRemove),
        ] {
            assert!(with(m, delta, relation).is_err());
        }
    }

    /// Predicts 1 everywhere.
    struct One;

    impl Predictor for One {
        fn prediction(&self, _: &Point) -> Rational {
            integer(1)
        }
    }

    #[test]
    fn a_query_outside_the_domain_is_refused() {
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&One, small(0, 1), &mut coins);
        let before = coins.consumed();
        assert!(session.answer(&Point::dense(&[1, 1]), &mut coins).is_err());
        assert_eq!((coins.consumed(), session.left()), (before, 4));
        let answer = session.answer(&Point::dense(&[0, 1]), &mut coins).unwrap();
        assert!(answer.added && session.left() == 3);
        // At the origin the prediction is 0 in the span of anything.
        let answer = session.answer(&Point::dense(&[]), &mut coins).unwrap();
        assert_eq!((answer.value, answer.added), (integer(0), false));
    }

    /// Predicts so much for each step along the two axes.
    struct Plane([i32; 2]);

    impl Predictor for Plane {
        fn prediction(&self, z: &Point) -> Rational {
            let terms = z.coordinates().iter();
            integer(terms.map(|&(i, v)| self.0[i as usize] * v).sum::<i32>())
        }
    }

    #[test]
    fn a_session_that_is_stopped_and_started_again_goes_on() {
        let (plane, plan) = (Plane([3, -2]), small(2, 1));
        let mut coins = ChaCha::reproducible(1, 0);
        let mut session = Session::open(&plane, plan.clone(), &mut coins);
        for z in [[1, 2], [-1, -2], [0, 0]] {
            session.answer(&Point::dense(&z), &mut coins).unwrap();
        }
        let released: Vec<(Point, BigInt)> = session
            .released()
            .map(|(z, noisy)| (z.clone(), noisy.clone()))
            .collect();
        assert_eq!(released.len(), 1);
        let mut again = Session::resume(&plane, plan.clone(), released.clone()).unwrap();
        assert_eq!(again.left(), session.left());
        assert!(again.released().eq(session.released()));
        let mut other_coins = coins.clone();
        // In its span, a second coordinate, and in the span of both: also where the first is a part of the second.
        for z in [[-1, -2], [1, 3], [3, 1]] {
            let answer = session.answer(&Point::dense(&z), &mut coins).unwrap();
            let found = again.answer(&Point::dense(&z), &mut other_coins);
            assert_eq!(found, Ok(answer), "{z:?}");
        }
        assert_eq!(
            (again.left(), coins.consumed()),
            (2, other_coins.consumed())
        );
        // What is known is answered once more without coins.
        for z in [[-1, -2], [1, 3], [3, 1]].map(|z| Point::dense(&z)) {
            let answer = session.answer(&z, &mut coins);
            assert_eq!(session.known(&z), answer);
        }
        assert_eq!(coins.consumed(), other_coins.consumed());
        // Of other queries, or a plan with fewer coordinates, no session has released so.
        let resumed = |m, released: Vec<(Point, BigInt)>| {
            let plan = plan_of(m);
            Session::resume(&plane, plan, released).map(|session| session.left())
        };
        let both: Vec<(Point, BigInt)> = again
            .released()
            .map(|(z, noisy)| (z.clone(), noisy.clone()))
            .collect();
        assert_eq!(resumed(2, both.clone()), Ok(0));
        let wrong = Err(KernelError::OtherSession { answer: 1 });
        assert_eq!(resumed(1, both), wrong);
        let twice = vec![released[0].clone(), released[0].clone()];
        assert_eq!(resumed(4, twice), wrong);
        let outside = vec![(Point::dense(&[4, 4]), BigInt::zero())];
        assert!(matches!(resumed(4, outside), Err(KernelError::Geometry(_))));
    }
}
