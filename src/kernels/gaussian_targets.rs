//! Algorithm 2 with Gaussian noise in the shape of the kernel: its targets are the answers of a session to the public points.

use super::gaussian_process::{self, GaussianProcess, MOST_COORDINATES, Session};
use super::{InSpan, KernelError, KernelOn, Predictor, Sensitivity, test_dependent};
use crate::coins::Coins;
use crate::geometry::Point;
use crate::number::Rational;
use crate::number::range::{above_zero, at_least_one};
use crate::privacy::Budget;
use num_traits::Zero;

/// Learns from `w*`, which is **not private**, and the public points `z_1, ..., z_T`. What is returned is private: by the
/// plan's budget under substitution, if the vector and its predictions move by no more than the sensitivity that the plan was
/// made for (`jt13.tddl.gaussian`).
///
/// A point that is there again, or in the span of those before it, costs nothing more.
///
/// # Errors
/// [`KernelError::Parameter`] unless there are as many points as planned; [`KernelError::Geometry`] for a point outside the
/// domain, both before anything is drawn; those of the coins.
pub fn learn(
    w: &impl Predictor,
    public: &[Point],
    plan: &GaussianTargetsPlan,
    coins: &mut impl Coins,
) -> Result<Learned, KernelError> {
    let kernel = plan.session.kernel();
    test_dependent::check(kernel, public, plan.points)?;
    // 1. y_t = <w*, phi(z_t)> + b_t with b ~ N(0, tau^2 K_ZZ), all of them before anything is fitted.
    let mut session = Session::open(w, plan.session.clone(), coins);
    let mut targets = Vec::with_capacity(public.len());
    let mut squared_rest = Rational::zero();
    for z in public {
        let answer = session.answer(z, coins)?;
        squared_rest = squared_rest.max(answer.squared_rest);
        targets.push(answer.value);
    }
    // 2. w^ = argmin over |w| <= C0 of (1/T) sum of (<w, phi(z_t)> - y_t)^2, in the span of the phi(z_t).
    let model = test_dependent::fit(kernel, public, targets.into_iter(), &plan.norm_bound);
    Ok(Learned {
        model,
        squared_rest,
    })
}

/// What is learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The model.
    pub model: InSpan,
    /// The largest squared distance of a public point from what its target is a prediction for: 0 unless a point adds no
    /// coordinate. Public, and the same whatever the data and the coins.
    pub squared_rest: Rational,
}
crate::published!(Learned {
    model,
    squared_rest
});

/// What is chosen. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaussianTargets {
    /// The budget, under substitution; `delta > 0`.
    pub budget: Budget,
    /// `C0`, above 0: the set that is searched is `|w| <= C0`.
    pub norm_bound: Rational,
}

impl GaussianTargets {
    /// What is drawn for so many public points: a coordinate for each, at most 2^12.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless `C0 > 0` and there is a point; those of [`GaussianProcess::plan`].
    pub fn plan(
        &self,
        sensitivity: &Sensitivity,
        kernel: &KernelOn,
        points: u64,
    ) -> Result<GaussianTargetsPlan, KernelError> {
        above_zero("the norm bound", &self.norm_bound)?;
        at_least_one("the number of public points", points)?;
        let session = GaussianProcess {
            budget: self.budget.clone(),
            coordinates: usize::try_from(points)
                .map_or(MOST_COORDINATES, |points| points.min(MOST_COORDINATES)),
        };
        Ok(GaussianTargetsPlan {
            session: session.plan(sensitivity, kernel)?,
            points,
            norm_bound: self.norm_bound.clone(),
        })
    }
}

/// What is drawn. All of it is public.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianTargetsPlan {
    session: gaussian_process::Plan,
    points: u64,
    norm_bound: Rational,
}

impl GaussianTargetsPlan {
    /// The session that answers the public points.
    #[must_use]
    pub fn session(&self) -> &gaussian_process::Plan {
        &self.session
    }

    /// `C0`.
    #[must_use]
    pub fn norm_bound(&self) -> &Rational {
        &self.norm_bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::geometry::Domain;
    use crate::kernels::{Dataset, Kernel, Problem, Record, fit};
    use crate::number::Grid;
    use crate::number::rational::{integer, parse};
    use crate::optimise::erm::Loss;
    use crate::privacy::NeighbouringRelation::Substitute;

    fn setting(delta: &str, norm_bound: i64) -> GaussianTargets {
        GaussianTargets {
            budget: Budget::approximate(integer(1), parse(delta).unwrap(), Substitute).unwrap(),
            norm_bound: integer(norm_bound),
        }
    }

    #[test]
    fn what_cannot_be_is_refused_before_anything_is_drawn() {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap();
        let point = |x| Point::dense(&[x]);
        let record = Record {
            point: point(2),
            label: 1,
        };
        let w = fit(&Dataset::new(domain, [(record, 9)]).unwrap(), &problem).unwrap();
        let sensitivity = problem.sensitivity(domain, 9).unwrap();
        let plan =
            |delta, bound, points| setting(delta, bound).plan(&sensitivity, w.kernel(), points);
        assert!(
            plan("1e-6", 0, 2).is_err() && plan("1e-6", 1, 0).is_err() && plan("0", 1, 2).is_err()
        );
        let plan = plan("1e-6", 2, 2).unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        for wrong in [vec![point(1)], vec![point(1); 3], vec![point(1), point(3)]] {
            assert!(learn(&w, &wrong, &plan, &mut coins).is_err());
        }
        assert_eq!(coins.consumed(), 0);
        let found = learn(&w, &[point(1), point(-2)], &plan, &mut coins).unwrap();
        // The second is in the span of the first.
        assert!(found.squared_rest < parse("1e-15").unwrap());
        assert!(found.model.prediction(&point(1)).abs() <= 2.0);
    }

    #[test]
    fn no_more_coordinates_are_planned_than_a_session_has() {
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1)).unwrap();
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap();
        let sensitivity = problem.sensitivity(domain, 9).unwrap();
        let kernel = problem.kernel().on(domain).unwrap();
        for (points, coordinates) in [(1, 1), (4096, 4096), (4097, 4096), (1 << 14, 4096)] {
            let plan = setting("1e-6", 2)
                .plan(&sensitivity, &kernel, points)
                .unwrap();
            assert_eq!(plan.session().coordinates().left(), coordinates);
        }
    }
}
