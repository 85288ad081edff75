//! `assay answer nt` and `assay answer svt`: Algorithm 1, with the constants of Theorem A, and with a hidden threshold.

use super::hold::hold;
use super::options::{SessionOptions, adapted, no_delta, some_delta};
use super::question::Question;
use super::session::{Accuracy, Parameters, Plan, Reply, Session, no_threshold};
use crate::error::Error;
use crate::options::{Range, whole_in};
use crate::output;
use crate::papers::kernels::learn::{Common, Data};
use clap::{Args, Command};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::Point;
use dp_assay::kernels::session::{self, Answer, Answered, Request};
use dp_assay::kernels::{
    AnswerGrid, KernelError, Optimum, Predictor, noisy_answers, sparse_vector,
};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, shortly};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_bigint::BigInt;
use num_traits::One;

/// Their options.
#[derive(Debug, Args)]
pub struct Rounds {
    #[command(flatten)]
    common: Common,
    /// T, the most queries that are answered
    #[arg(long, value_name = "T", value_parser = whole_in::<u64>(1..=MOST_QUERIES), allow_hyphen_values = true)]
    queries: u64,
    /// The probability with which some answer may be off by more than is said
    #[arg(long, value_name = "BETA", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    beta: Rational,
    /// B, the most answers from the data, at most T, instead of the number with the least bound on the error; after the last of
    /// them the session ends
    #[arg(long, value_name = "B", value_parser = whole_in::<u64>(1..=MOST_QUERIES), allow_hyphen_values = true)]
    updates: Option<u64>,
    /// A bound on the norm of the minimiser that was chosen without the records, instead of that of all datasets. Privacy
    /// does not rest on it
    #[arg(long, value_name = "C", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    norm_bound: Option<Rational>,
    #[command(flatten)]
    options: SessionOptions,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: Data,
}

/// Their names.
pub const NOISY: &str = "nt";
pub const SPARSE: &str = "svt";

const MOST_QUERIES: u64 = 1 << 40;

/// A prediction is rounded to a thousandth of its sensitivity.
const STEPS: u64 = 1024;

const IN_COMMON: &str = "\
A public model, 0 at first, is compared with the minimiser at each query. Where a noisy comparison says that it is far off, \
the answer comes from the data, with noise, and the model is moved towards it; otherwise the model answers, which costs \
nothing. What answers are off by at most is said before anything is spent. Often that is as much as the largest prediction: \
the bound falls slowly with the number of records, and gp has a better one unless pure privacy is needed or the queries \
span very many directions.";

/// The options of `nt`.
pub fn noisy_options(command: Command) -> Command {
    let about = "At most T queries, few of them answered from the data: (epsilon, delta)-private by Theorem A, for any kernel";
    adapted(Rounds::augment_args(command), about, IN_COMMON)
        .mut_arg("delta", |arg| arg.value_parser(some_delta))
}

/// The options of `svt`.
pub fn sparse_options(command: Command) -> Command {
    let about =
        "As nt, with a hidden noisy threshold in place of Theorem A: purely private, (epsilon, 0)";
    adapted(Rounds::augment_args(command), about, IN_COMMON).mut_arg("delta", |arg| {
        arg.value_parser(no_delta)
            .required(false)
            .default_value("0")
            .help("0, and nothing else: this session is purely private")
    })
}

/// Runs `assay answer nt`.
pub fn noisy(arguments: &Rounds) -> Result<(), Error> {
    arguments.run(NOISY, arguments.common.budget()?, |request, question| {
        let (sensitivity, kernel) = (&question.sensitivity, &question.kernel);
        let plan = noisy_answers::Plan::new(request, sensitivity, kernel)?;
        Ok(Planned {
            updates: plan.updates().value,
            error: plan.error().clone(),
            is_vacuous: plan.is_vacuous(),
            scale: integer(STEPS) / plan.loss() * plan.step(),
            numbers: vec![
                ("step of an answer", plan.step().to_string()),
                ("threshold", plan.threshold().to_string()),
                ("loss of a round", plan.loss().to_string()),
            ],
            plan: Box::new(Stepped {
                plan,
                grid: AnswerGrid::new(sensitivity, STEPS)?,
            }),
        })
    })
}

/// Runs `assay answer svt`.
pub fn sparse(arguments: &Rounds) -> Result<(), Error> {
    let relation = NeighbouringRelation::Substitute;
    let budget = Budget::pure(arguments.common.epsilon.clone(), relation)?;
    arguments.run(SPARSE, budget, |request, question| {
        let (sensitivity, kernel) = (&question.sensitivity, &question.kernel);
        let plan = sparse_vector::Plan::new(request, sensitivity, kernel)?;
        let [threshold, test, answer] = plan.noises().map(|noise| noise.scale().clone());
        Ok(Planned {
            updates: plan.updates().value,
            error: plan.error().clone(),
            is_vacuous: plan.is_vacuous(),
            numbers: vec![
                ("step of an answer", plan.step().to_string()),
                ("threshold", plan.threshold().to_string()),
                ("noise of the threshold", threshold.to_string()),
                ("noise of a test", test.to_string()),
                ("noise of an answer", answer.to_string()),
            ],
            scale: answer * plan.step(),
            plan: Box::new(Stepped {
                plan,
                grid: AnswerGrid::new(sensitivity, STEPS)?,
            }),
        })
    })
}

impl Rounds {
    /// Runs a session by a plan for what is asked for.
    fn run(
        &self,
        name: &'static str,
        budget: Budget,
        plan: impl Fn(&Request, &Question) -> Result<Planned, Error>,
    ) -> Result<(), Error> {
        if let Some(updates) = self.updates.filter(|updates| *updates > self.queries) {
            return Err(Error::Usage(format!(
                "--updates {updates}: at most --queries, here {} (without it, the number with the least bound on the error)",
                self.queries
            )));
        }
        let question = Question::new(&self.common, &self.load, self.options.seed)?;
        let request = Request {
            budget,
            queries: self.queries,
            failure: self.beta.clone(),
            norm_bound: question.norm_bound(self.norm_bound.as_ref())?,
            updates: self.updates,
            steps: STEPS,
        };
        let planned = plan(&request, &question)?;
        self.say(&question, &planned)?;
        let mut parameters = self.common.exactly();
        parameters.extend([
            ("--queries", request.queries.to_string()),
            ("--beta", request.failure.to_string()),
            ("--norm-bound", request.norm_bound.to_string()),
            ("--updates", planned.updates.to_string()),
        ]);
        // The numbers of the plan too: another version that plans otherwise cannot go on with the session.
        parameters.extend(planned.numbers);
        let accuracy = Accuracy::Error {
            at_most: planned.error,
            probability: request.failure,
            scale: planned.scale,
        };
        let plan = (&*planned.plan, &accuracy);
        let options = (&self.common, &self.options);
        hold(name, question, parameters, plan, options)
    }

    /// Says what the answers are good for, or refuses.
    fn say(&self, question: &Question, planned: &Planned) -> Result<(), Error> {
        let text = format!(
            "answers are within {} of the minimiser's predictions, all of them with probability {}{}; at most {} of {} \
             come from the data",
            question.shown(&planned.error),
            shortly(&(Rational::one() - &self.beta)),
            question.beside(),
            planned.updates.min(self.queries),
            self.queries
        );
        // Labels, and the minimiser's predictions that fit them, are within 1.
        let says = match (planned.is_vacuous, planned.error >= integer(1)) {
            (true, _) => {
                "NOTHING: no prediction is further from 0, and nearly all answers will be 0"
            }
            (false, true) => "NOTHING of the labels: none is further from the middle",
            (false, false) => {
                output::note(&text);
                return Ok(());
            }
        };
        let smaller = match self.norm_bound {
            Some(_) => "",
            None => ", or a smaller --norm-bound,",
        };
        self.options.refuse_noise(
            &format!("{text}. This says {says}"),
            &format!("More records, a larger --lambda or --epsilon{smaller}"),
        )
    }
}

/// What is planned, and what is said of it.
struct Planned {
    /// B.
    updates: u64,
    error: Rational,
    is_vacuous: bool,
    /// The scale of the noise of an answer from the data.
    scale: Rational,
    /// The numbers of the plan, by their names.
    numbers: Parameters,
    plan: Box<dyn Plan>,
}

/// A plan, and the grid of its answers.
struct Stepped<P> {
    plan: P,
    grid: AnswerGrid,
}

impl<P> Stepped<P> {
    fn held<'a, L: 'a, H: 'a>(&self, session: Running<'a, L, H>) -> Box<dyn Session + 'a>
    where
        Running<'a, L, H>: Rounded,
    {
        let grid = self.grid.clone();
        Box::new(OnGrid { session, grid })
    }
}

impl Plan for Stepped<noisy_answers::Plan> {
    fn open<'a>(
        &self,
        optimum: &'a Optimum,
        coins: &mut ChaCha,
    ) -> Result<Box<dyn Session + 'a>, KernelError> {
        let plan = self.plan.clone();
        Ok(self.held(noisy_answers::Session::open(optimum, plan, coins)))
    }

    fn resume<'a>(
        &self,
        optimum: &'a Optimum,
        threshold: Option<BigInt>,
        answered: Vec<Answered>,
    ) -> Result<Box<dyn Session + 'a>, Error> {
        no_threshold(threshold.as_ref())?;
        let session = noisy_answers::Session::resume(optimum, self.plan.clone(), &answered)?;
        Ok(self.held(session))
    }
}

impl Plan for Stepped<sparse_vector::Plan> {
    fn open<'a>(
        &self,
        optimum: &'a Optimum,
        coins: &mut ChaCha,
    ) -> Result<Box<dyn Session + 'a>, KernelError> {
        let session = sparse_vector::Session::open(optimum, self.plan.clone(), coins)?;
        Ok(self.held(session))
    }

    fn resume<'a>(
        &self,
        optimum: &'a Optimum,
        threshold: Option<BigInt>,
        answered: Vec<Answered>,
    ) -> Result<Box<dyn Session + 'a>, Error> {
        let missing = || Error::Usage("the hidden threshold is missing".to_owned());
        let (plan, threshold) = (self.plan.clone(), threshold.ok_or_else(missing)?);
        let session = sparse_vector::Session::resume(optimum, plan, threshold, &answered)?;
        Ok(self.held(session))
    }
}

/// A session of either kind.
type Running<'a, L, H> = session::Session<'a, Optimum, L, H>;

/// What each kind does in its own way.
trait Rounded {
    fn round(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Answer, KernelError>;

    /// The hidden threshold, if there is one. **Not private.**
    fn hidden(&self) -> Option<&BigInt> {
        None
    }
}

impl Rounded for noisy_answers::Session<'_, Optimum> {
    fn round(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Answer, KernelError> {
        self.answer(z, coins)
    }
}

impl Rounded for sparse_vector::Session<'_, Optimum> {
    fn round(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Answer, KernelError> {
        self.answer(z, coins)
    }

    fn hidden(&self) -> Option<&BigInt> {
        Some(self.threshold_not_private())
    }
}

/// A session, and the grid of its answers.
struct OnGrid<'a, L, H> {
    session: Running<'a, L, H>,
    grid: AnswerGrid,
}

impl<'a, L, H> Session for OnGrid<'a, L, H>
where
    Running<'a, L, H>: Rounded,
{
    fn answer(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Reply, KernelError> {
        Ok(reply(self.session.round(z, coins)?))
    }

    fn kept(&self) -> usize {
        self.session.answered().len()
    }

    fn last(&self) -> Option<Answered> {
        self.session.answered().last().cloned()
    }

    fn last_reply(&self) -> Result<Option<Reply>, KernelError> {
        let answer = |Answered { query, told }: &Answered| {
            // A quiet answer has not moved the model.
            let public = || self.grid.round(&self.session.model().prediction(query));
            let steps = told.clone().unwrap_or_else(public);
            reply(Answer {
                value: self.grid.value(&steps),
                updated: told.is_some(),
            })
        };
        Ok(self.session.answered().last().map(answer))
    }

    fn threshold(&self) -> Option<&BigInt> {
        self.session.hidden()
    }

    fn left(&self) -> Vec<(&'static str, &'static str, u64)> {
        let left = self.session.left();
        let from_the_data = left.updates.min(left.queries);
        vec![
            ("queries", "queries", left.queries),
            (
                "answers_from_the_data",
                "answers from the data",
                from_the_data,
            ),
        ]
    }

    fn has_ended(&self) -> bool {
        self.session.left().queries == 0
    }
}

fn reply(answer: Answer) -> Reply {
    let words = if answer.updated {
        "from the data"
    } else {
        "from the public model"
    };
    Reply {
        value: answer.value,
        source: (answer.updated, words),
        off: None,
    }
}
