//! What sessions share: what they are asked for, and what is public of them.
//!
//! A session that is stopped is started again by `resume`. To be kept for it, all of it **private**: the minimiser, by
//! [`Optimum::terms`](super::Optimum::terms) and [`Optimum::restored`](super::Optimum::restored), since another run of the
//! solver may find another one; what was answered, of which all else that is public follows; and the hidden threshold of
//! [`sparse_vector`](super::sparse_vector). An older copy that is used again spends the budget twice.

use super::{AnswerGrid, Expansion, KernelError, Predictor};
use crate::geometry::Point;
use crate::number::Rational;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one};
use crate::privacy::{Budget, NeighbouringRelation};
use num_bigint::BigInt;
use std::fmt;

/// A session that answers queries by a plan, on the minimiser: [`noisy_answers`](super::noisy_answers) and
/// [`sparse_vector`](super::sparse_vector) open one, and say how a query is answered.
pub struct Session<'a, P: ?Sized, Plan, Hidden = ()> {
    pub(super) optimum: &'a P,
    pub(super) plan: Plan,
    // Private: it is never told.
    pub(super) hidden: Hidden,
    pub(super) public: PublicSide,
}

impl<P: ?Sized, Plan, Hidden> Session<'_, P, Plan, Hidden> {
    /// What the session may still do. Public.
    #[must_use]
    pub fn left(&self) -> Left {
        self.public.left()
    }

    /// The public model, which answers wherever the session is quiet.
    #[must_use]
    pub fn model(&self) -> &Expansion {
        self.public.model()
    }

    /// What was answered so far, in order. Public.
    #[must_use]
    pub fn answered(&self) -> &[Answered] {
        self.public.answered()
    }
}

/// Without what is private.
impl<P: ?Sized, Plan: fmt::Debug, Hidden> fmt::Debug for Session<'_, P, Plan, Hidden> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("plan", &self.plan)
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

/// What a session is asked for. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What all its answers may cost, under substitution. Noisy answers take a `delta > 0`; with a hidden threshold epsilon
    /// alone is used.
    pub budget: Budget,
    /// The most queries, `T >= 1`.
    pub queries: u64,
    /// `beta`, between 0 and 1: how likely some answer may be off by more than the error of the plan.
    pub failure: Rational,
    /// `C > 0`, in units of the feature space: a public bound on `|w*|`, of every dataset
    /// ([`Problem::norm_bound`](super::Problem::norm_bound)). Privacy does not rest on it.
    pub norm_bound: Rational,
    /// `B`, the most updates; `None`: the number for which the bound on the error is least.
    pub updates: Option<u64>,
    /// How many steps of the grid of answers make the sensitivity; 1024 is a usual number.
    pub steps: u64,
}

impl Request {
    /// That `T >= 1`, `0 < beta < 1` and `C > 0`, and that the budget is under substitution.
    pub(super) fn check(&self) -> Result<(), KernelError> {
        at_least_one("the number of queries", self.queries)?;
        above_zero_below_one("beta", &self.failure)?;
        above_zero("the norm bound", &self.norm_bound)?;
        Ok(self.budget.under(NeighbouringRelation::Substitute)?)
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The prediction.
    pub value: Rational,
    /// Whether it comes from the data, with noise, and the public model was updated.
    pub updated: bool,
}
crate::published!(Answer { value, updated });

/// What a session may still do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// How many queries it may answer.
    pub queries: u64,
    /// How many of them from the data. With the last of these the session ends.
    pub updates: u64,
}

/// A query that was answered, and what the session told. Both are public; all answers follow from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The query.
    pub query: Point,
    /// The answer from the data, in steps of the grid of answers; `None`: the public model answered.
    pub told: Option<BigInt>,
}
crate::published!(Answered { query, told });

/// The public side of a session: its model, and what it has told so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PublicSide {
    grid: AnswerGrid,
    model: Expansion,
    left: Left,
    answered: Vec<Answered>,
}

impl PublicSide {
    pub(super) fn new(grid: AnswerGrid, model: Expansion, left: Left) -> Self {
        Self {
            grid,
            model,
            left,
            answered: Vec::new(),
        }
    }

    /// The prediction of the public model at a query, in steps. Refuses a query outside the domain, and every query once
    /// the session has ended.
    pub(super) fn admit(&self, query: &Point) -> Result<BigInt, KernelError> {
        self.model.kernel().domain().check(query)?;
        if self.left.queries == 0 || self.left.updates == 0 {
            return Err(KernelError::Spent);
        }
        Ok(self.grid.round(&self.model.prediction(query)))
    }

    /// The answer: what was told of a query that is admitted, or else the public prediction. The model is moved towards
    /// what was told.
    pub(super) fn enter(&mut self, query: &Point, public: BigInt, told: Option<BigInt>) -> Answer {
        self.left.queries -= 1;
        if let Some(told) = &told {
            self.model.step(query, *told > public);
            self.left.updates -= 1;
        }
        self.answered.push(Answered {
            query: query.clone(),
            told: told.clone(),
        });
        Answer {
            updated: told.is_some(),
            value: self.grid.value(&told.unwrap_or(public)),
        }
    }

    /// The same after these answers.
    pub(super) fn after(mut self, answered: &[Answered]) -> Result<Self, KernelError> {
        for Answered { query, told } in answered {
            let public = self.admit(query)?;
            self.enter(query, public, told.clone());
        }
        Ok(self)
    }

    /// Ends the session: a draw that failed may have told something, and is not made again.
    pub(super) fn end(&mut self) {
        self.left = Left {
            queries: 0,
            updates: 0,
        };
    }

    /// No query is left after the last update either.
    pub(super) fn left(&self) -> Left {
        let ended = self.left.updates == 0;
        let queries = if ended { 0 } else { self.left.queries };
        Left {
            queries,
            ..self.left
        }
    }

    pub(super) fn model(&self) -> &Expansion {
        &self.model
    }

    pub(super) fn answered(&self) -> &[Answered] {
        &self.answered
    }
}
