//! `assay answer nt` and `assay answer svt`: Algorithm 1, with the constants of Theorem A, and with a hidden threshold.

use super::hold::{Plan, Reply, Session, hold};
use super::options::{SessionOptions, adapted, no_delta, some_delta};
use super::question::Question;
use crate::error::Error;
use crate::options::{Range, whole_in};
use crate::output;
use crate::papers::kernels::learn::{Common, Data};
use clap::{Args, Command};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::Point;
use dp_assay::kernels::session::{Answer, Answered, Left, Request};
use dp_assay::kernels::{KernelError, Optimum, noisy_answers, sparse_vector};
use dp_assay::number::Rational;
use dp_assay::number::chosen::Chosen;
use dp_assay::number::rational::integer;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_bigint::BigInt;

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
    /// B, the most answers from the data, instead of the number with the least bound on the error; after the last of them
    /// the session ends
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
    let question = arguments.question()?;
    let budget = Budget::approximate(
        arguments.common.epsilon.clone(),
        arguments.common.delta.clone(),
        NeighbouringRelation::Substitute,
    )?;
    let request = arguments.request(&question, budget)?;
    let plan = noisy_answers::Plan::new(&request, &question.sensitivity, &question.kernel)?;
    let mut parameters = arguments.parameters(&request);
    arguments.planned(
        &question,
        (plan.error(), plan.is_vacuous()),
        (plan.updates(), plan.step(), &plan.threshold()),
        &mut parameters,
    );
    parameters.push(("loss-of-a-round", plan.loss().to_string()));
    hold(NOISY, question, parameters, &plan, &arguments.options)
}

/// Runs `assay answer svt`.
pub fn sparse(arguments: &Rounds) -> Result<(), Error> {
    let question = arguments.question()?;
    let budget = Budget::pure(
        arguments.common.epsilon.clone(),
        NeighbouringRelation::Substitute,
    )?;
    let request = arguments.request(&question, budget)?;
    let plan = sparse_vector::Plan::new(&request, &question.sensitivity, &question.kernel)?;
    let mut parameters = arguments.parameters(&request);
    arguments.planned(
        &question,
        (plan.error(), plan.is_vacuous()),
        (plan.updates(), plan.step(), &plan.threshold()),
        &mut parameters,
    );
    let [threshold, test, answer] = plan.noises().map(|noise| noise.scale().to_string());
    parameters.extend([
        ("noise-of-the-threshold", threshold),
        ("noise-of-a-test", test),
        ("noise-of-an-answer", answer),
    ]);
    hold(SPARSE, question, parameters, &plan, &arguments.options)
}

impl Rounds {
    fn question(&self) -> Result<Question, Error> {
        Question::new(&self.common, &self.load, self.options.seed)
    }

    fn request(&self, question: &Question, budget: Budget) -> Result<Request, Error> {
        Ok(Request {
            budget,
            queries: self.queries,
            failure: self.beta.clone(),
            norm_bound: question.norm_bound(self.norm_bound.as_ref())?,
            updates: self.updates,
            steps: STEPS,
        })
    }

    /// All that is asked for.
    fn parameters(&self, request: &Request) -> Vec<(&'static str, String)> {
        let mut parameters = self.common.exactly();
        parameters.extend([
            ("queries", request.queries.to_string()),
            ("beta", request.failure.to_string()),
            ("norm-bound", request.norm_bound.to_string()),
        ]);
        parameters
    }

    /// Says what the answers are good for, and sets down the numbers of the plan: another version that plans otherwise cannot
    /// go on with the session.
    fn planned(
        &self,
        question: &Question,
        (error, vacuous): (&Rational, bool),
        (updates, step, threshold): (&Chosen<u64>, &Rational, &Rational),
        parameters: &mut Vec<(&'static str, String)>,
    ) {
        let text = format!(
            "answers are within {} of the minimiser's predictions, all of them with probability 1 - {}{}; at most {} of {} \
             come from the data",
            question.shown(error),
            self.beta,
            question.beside(),
            updates.value.min(self.queries),
            self.queries
        );
        // Labels, and the minimiser's predictions that fit them, are within 1.
        let says = match (vacuous, *error >= integer(1)) {
            (true, _) => {
                "NOTHING: no prediction is further from 0, and nearly all answers will be 0"
            }
            (false, true) => "NOTHING of the labels: none is further from the middle",
            (false, false) => "",
        };
        let smaller = match self.norm_bound {
            Some(_) => "",
            None => ", or a smaller --norm-bound",
        };
        match says {
            "" => output::note(&text),
            _ => output::warn(&format!(
                "{text}. This says {says}. More records, a larger --lambda or --epsilon{smaller} would help"
            )),
        }
        parameters.extend([
            ("updates", updates.value.to_string()),
            ("step", step.to_string()),
            ("threshold", threshold.to_string()),
        ]);
    }
}

impl Plan for noisy_answers::Plan {
    fn open<'a>(
        &self,
        optimum: &'a Optimum,
        coins: &mut ChaCha,
    ) -> Result<Box<dyn Session + 'a>, KernelError> {
        let session = noisy_answers::Session::open(optimum, self.clone(), coins);
        Ok(Box::new(session))
    }

    fn resume<'a>(
        &self,
        optimum: &'a Optimum,
        _: Option<BigInt>,
        answered: Vec<Answered>,
    ) -> Result<Box<dyn Session + 'a>, Error> {
        let session = noisy_answers::Session::resume(optimum, self.clone(), &answered)?;
        Ok(Box::new(session))
    }
}

impl Plan for sparse_vector::Plan {
    fn open<'a>(
        &self,
        optimum: &'a Optimum,
        coins: &mut ChaCha,
    ) -> Result<Box<dyn Session + 'a>, KernelError> {
        let session = sparse_vector::Session::open(optimum, self.clone(), coins)?;
        Ok(Box::new(session))
    }

    fn resume<'a>(
        &self,
        optimum: &'a Optimum,
        threshold: Option<BigInt>,
        answered: Vec<Answered>,
    ) -> Result<Box<dyn Session + 'a>, Error> {
        let missing = || Error::Usage("the hidden threshold is missing".to_owned());
        let threshold = threshold.ok_or_else(missing)?;
        let session = sparse_vector::Session::resume(optimum, self.clone(), threshold, &answered)?;
        Ok(Box::new(session))
    }
}

impl Session for noisy_answers::Session<'_, Optimum> {
    fn answer(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Reply, KernelError> {
        Ok(reply(Self::answer(self, z, coins)?))
    }

    fn kept(&self) -> usize {
        self.answered().len()
    }

    fn last(&self) -> Option<Answered> {
        self.answered().last().cloned()
    }

    fn left(&self) -> Vec<(&'static str, &'static str, u64)> {
        in_words(Self::left(self))
    }
}

impl Session for sparse_vector::Session<'_, Optimum> {
    fn answer(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Reply, KernelError> {
        Ok(reply(Self::answer(self, z, coins)?))
    }

    fn kept(&self) -> usize {
        self.answered().len()
    }

    fn last(&self) -> Option<Answered> {
        self.answered().last().cloned()
    }

    fn threshold(&self) -> Option<&BigInt> {
        Some(self.threshold_not_private())
    }

    fn left(&self) -> Vec<(&'static str, &'static str, u64)> {
        in_words(Self::left(self))
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

fn in_words(left: Left) -> Vec<(&'static str, &'static str, u64)> {
    vec![
        ("queries", "queries", left.queries),
        (
            "answers_from_the_data",
            "answers from the data",
            left.updates.min(left.queries),
        ),
    ]
}
