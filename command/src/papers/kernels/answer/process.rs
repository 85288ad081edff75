//! `assay answer gp`: predictions with the noise of a Gaussian process.

use super::hold::hold;
use super::options::{SessionOptions, adapted, some_delta};
use super::question::Question;
use super::session::{Accuracy, Plan, Reply, Session, no_threshold};
use crate::error::Error;
use crate::options::{Range, whole_in};
use crate::output;
use crate::papers::kernels::learn::{Common, Data};
use clap::{Args, Command};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::Point;
use dp_assay::kernels::gaussian_process::{self, GaussianProcess};
use dp_assay::kernels::session::Answered;
use dp_assay::kernels::{KernelError, Optimum};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::BigInt;

/// Its options.
#[derive(Debug, Args)]
pub struct Process {
    #[command(flatten)]
    common: Common,
    /// M, the most coordinates: queries that are not in the span of those before, in the space of the kernel. The noise does
    /// not grow with it; the time of an answer grows as M^2
    #[arg(long, value_name = "M", default_value = "256", value_parser = whole_in::<usize>(1..=1 << 12), allow_hyphen_values = true)]
    coordinates: usize,
    /// A bound on the norm of the minimiser that was chosen without the records, instead of that of all datasets: for what
    /// an answer outside the span is off by. Privacy does not rest on it
    #[arg(long, value_name = "C", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    norm_bound: Option<Rational>,
    #[command(flatten)]
    options: SessionOptions,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: Data,
}

/// Its name.
pub const NAME: &str = "gp";

/// Adds its options.
pub fn options(command: Command) -> Command {
    let about = "The session to take: any number of queries, at most M directions of them released with Gaussian noise, \
                 (epsilon, delta)-private";
    let more = "\
Each query that is not in the span of those before adds a coordinate, in which the minimiser is released once, with noise; \
all answers are computed from these. A query in their span, such as one that is repeated, costs nothing. After the M-th \
coordinate queries are answered in the span, and what that leaves out is said. How much noise an answer has is said before \
anything is spent. For a linear or polynomial kernel of few columns, learn kernel-release predicts everywhere with the same \
noise, and needs no session.";
    adapted(Process::augment_args(command), about, more)
        .mut_arg("delta", |arg| arg.value_parser(some_delta))
}

/// Runs `assay answer gp`.
pub fn run(arguments: &Process) -> Result<(), Error> {
    let question = Question::new(&arguments.common, &arguments.load, arguments.options.seed)?;
    let asked = GaussianProcess {
        budget: arguments.common.budget()?,
        coordinates: arguments.coordinates,
    };
    let plan = asked.plan(&question.sensitivity, &question.kernel)?;
    let norm_bound = question.norm_bound(arguments.norm_bound.as_ref())?;
    // (1 + 2^-9) tau^2 R^2, beside (C R)^2.
    let squared_bound = question.kernel.squared_bound();
    let squared = plan.variance() * squared_bound * ratio(513, 512);
    let deviation = Enclosure::of(&squared, 64).sqrt()?.upper();
    let text = format!(
        "noise of an answer: standard deviation at most {}{}",
        question.shown(&deviation),
        question.beside()
    );
    // Labels and the minimiser's predictions that fit them are at most 1.
    if deviation >= integer(1) || squared >= &norm_bound * &norm_bound * squared_bound {
        arguments.options.refuse_noise(
            &format!("{text}: the answers say next to NOTHING"),
            "More records, a larger --lambda or --epsilon",
        )?;
    } else {
        output::note(&text);
    }
    // The numbers of the plan too: another version that plans otherwise cannot go on with the session.
    let mut parameters = arguments.common.exactly();
    parameters.extend([
        ("--coordinates", arguments.coordinates.to_string()),
        ("step of a coordinate", plan.step().to_string()),
        ("variance of the noise", plan.variance().to_string()),
        ("length of the weights", plan.longest().to_string()),
    ]);
    let plan = Bounded { plan, norm_bound };
    let accuracy = Accuracy::Noise(deviation);
    hold(
        NAME,
        question,
        parameters,
        (&plan, &accuracy),
        (&arguments.common, &arguments.options),
    )
}

/// A plan, and the bound on the norm of the minimiser.
struct Bounded {
    plan: gaussian_process::Plan,
    norm_bound: Rational,
}

/// A session, and the bound.
struct Running<'a> {
    session: gaussian_process::Session<'a, Optimum>,
    squared_bound: Rational,
    norm_bound: Rational,
}

impl Bounded {
    fn running<'a>(
        &self,
        optimum: &Optimum,
        session: gaussian_process::Session<'a, Optimum>,
    ) -> Box<dyn Session + 'a> {
        Box::new(Running {
            session,
            squared_bound: optimum.kernel().squared_bound().clone(),
            norm_bound: self.norm_bound.clone(),
        })
    }
}

impl Plan for Bounded {
    fn open<'a>(
        &self,
        optimum: &'a Optimum,
        coins: &mut ChaCha,
    ) -> Result<Box<dyn Session + 'a>, KernelError> {
        let session = gaussian_process::Session::open(optimum, self.plan.clone(), coins);
        Ok(self.running(optimum, session))
    }

    fn resume<'a>(
        &self,
        optimum: &'a Optimum,
        threshold: Option<BigInt>,
        answered: Vec<Answered>,
    ) -> Result<Box<dyn Session + 'a>, Error> {
        no_threshold(threshold.as_ref())?;
        let told = |Answered { query, told }| Some((query, told?));
        let released: Option<Vec<_>> = answered.into_iter().map(told).collect();
        let released = released.ok_or_else(|| {
            Error::Usage("it has an answer of a public model, and gp has no such model".to_owned())
        })?;
        let session = gaussian_process::Session::resume(optimum, self.plan.clone(), released)?;
        Ok(self.running(optimum, session))
    }
}

impl Session for Running<'_> {
    fn answer(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Reply, KernelError> {
        let answer = self.session.answer(z, coins)?;
        self.reply(answer)
    }

    fn kept(&self) -> usize {
        self.session.released().len()
    }

    fn last(&self) -> Option<Answered> {
        let (query, told) = self.session.released().last()?;
        Some(Answered {
            query: query.clone(),
            told: Some(told.clone()),
        })
    }

    fn last_reply(&self) -> Result<Option<Reply>, KernelError> {
        let Some((query, _)) = self.session.released().last() else {
            return Ok(None);
        };
        let known = self.session.known(query)?;
        let told = gaussian_process::Answer {
            added: true,
            ..known
        };
        self.reply(told).map(Some)
    }

    fn threshold(&self) -> Option<&BigInt> {
        None
    }

    fn left(&self) -> Vec<(&'static str, &'static str, u64)> {
        vec![("coordinates", "coordinates", self.session.left() as u64)]
    }

    /// In the span it answers for ever.
    fn has_ended(&self) -> bool {
        false
    }
}

impl Running<'_> {
    fn reply(&self, answer: gaussian_process::Answer) -> Result<Reply, KernelError> {
        // What is left of a query in the span is a rounding.
        let outside = &answer.squared_rest * ratio(1 << 40, 1) > self.squared_bound;
        let off = if outside {
            let squared = &self.norm_bound * &self.norm_bound * &answer.squared_rest;
            Some(Enclosure::of(&squared, 64).sqrt()?.upper())
        } else {
            None
        };
        let words = match (answer.added, outside) {
            (true, _) => "from the data",
            (false, false) => "from earlier answers",
            (false, true) => "from earlier answers, in whose span it is not",
        };
        Ok(Reply {
            value: answer.value,
            source: (answer.added, words),
            off,
        })
    }
}
