//! The state of a session that was stopped.

use super::session::{Answered, Request};
use super::{KernelError, Optimum, Problem};
use num_bigint::BigInt;

/// What a session is asked for, by its algorithm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Algorithm 1 with the constants of Theorem A.
    NoisyAnswers(Request),
    /// Algorithm 1 with a hidden noisy threshold.
    SparseVector(Request),
}

/// All that a session needs to be started again after it was stopped. **Private**: it has the fit, and the hidden threshold.
///
/// Keep the state of a session that is stopped, and give it to nobody. An older copy that is used again spends the budget
/// twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// What was asked for.
    pub asked: Asked,
    /// The risk that was minimised.
    pub problem: Problem,
    /// What tells these data from others, a hash of them. It is compared, and nothing else is done with it.
    pub data: String,
    /// The minimiser that was found. It is not sought again: another run of the solver may find another one.
    pub fit: Optimum,
    /// The hidden threshold of the sparse vector technique, which is drawn once.
    pub threshold: Option<BigInt>,
    /// What was answered, in order: [`Session::answered`](super::noisy_answers::Session::answered).
    pub answered: Vec<Answered>,
}

impl State {
    /// Refuses a state that is not of this question about these data.
    ///
    /// # Errors
    /// [`KernelError::OtherState`], which names what differs.
    pub fn check(&self, asked: &Asked, problem: &Problem, data: &str) -> Result<(), KernelError> {
        let differs = |what| Err(KernelError::OtherState { what });
        if std::mem::discriminant(asked) != std::mem::discriminant(&self.asked) {
            return differs("algorithm");
        }
        if *asked != self.asked {
            return differs("set of parameters");
        }
        if *problem != self.problem {
            return differs("loss, kernel or penalty");
        }
        if data != self.data {
            return differs("dataset");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Domain, Point};
    use crate::kernels::{Dataset, Kernel, Predictor, Record, fit};
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};
    use crate::optimise::erm::Loss;
    use crate::privacy::{Budget, NeighbouringRelation};

    fn asked(queries: u64) -> Asked {
        let relation = NeighbouringRelation::Substitute;
        Asked::NoisyAnswers(Request {
            budget: Budget::approximate(integer(1), ratio(1, 1000), relation).unwrap(),
            queries,
            failure: ratio(1, 10),
            norm_bound: integer(2),
            updates: None,
            steps: 16,
        })
    }

    #[test]
    fn a_state_is_for_its_own_data_and_parameters_only() {
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 2).unwrap();
        let problem =
            |penalty| Problem::new(Loss::Hinge, Kernel::Linear, ratio(1, penalty)).unwrap();
        let record = |x, label| {
            let point = Point::dense(&[x]);
            (Record { point, label }, 3)
        };
        let data = Dataset::new(domain, [record(1, 1), record(-2, -1), record(2, -1)]).unwrap();
        let fit = fit(&data, &problem(10)).unwrap();
        // As it is written down and read again.
        let kernel = fit.kernel().clone();
        let terms: Vec<_> = fit.terms().map(|(x, mu)| (x.clone(), mu)).collect();
        let restored = Optimum::restored(kernel.clone(), terms.clone()).unwrap();
        assert!(restored.terms().eq(fit.terms()));
        let query = Point::dense(&[-1]);
        assert_eq!(restored.prediction(&query), fit.prediction(&query));
        let outside = (Point::dense(&[3]), integer(1));
        assert!(Optimum::restored(kernel, [outside]).is_err());
        let state = State {
            asked: asked(7),
            problem: problem(10),
            data: "1f".to_owned(),
            fit: restored,
            threshold: None,
            answered: Vec::new(),
        };
        let refused =
            |asked: &Asked, problem: &Problem, data| match state.check(asked, problem, data) {
                Ok(()) => "",
                Err(KernelError::OtherState { what }) => what,
                Err(error) => panic!("{error}"),
            };
        assert_eq!(refused(&asked(7), &problem(10), "1f"), "");
        assert_eq!(refused(&asked(8), &problem(10), "1f"), "set of parameters");
        assert_eq!(
            refused(&asked(7), &problem(9), "1f"),
            "loss, kernel or penalty"
        );
        assert_eq!(refused(&asked(7), &problem(10), "1e"), "dataset");
    }
}
