//! `assay learn --advise`: which learner to take, and what is known of each, from public numbers. No record is read.

use crate::error::Error;
use crate::options::{Format, Range, whole_in};
use crate::output;
use crate::papers::PAPERS;
use crate::papers::advice::{Advice, Question, Task};
use crate::papers::forecast::Size;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use dp_assay::number::Rational;
use dp_assay_audit::report::{aligned, row};
use serde::Serialize;

// The numbers that are asked for. A doc comment here would be taken for what `assay learn` does.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Options {
    /// Say which learner to take, and the noise, guarantee, time and memory of each, from the numbers below alone
    #[arg(long)]
    advise: bool,
    /// With --advise: how many records are learned from
    #[arg(
        long, value_name = "N", requires = "advise", required_if_eq("advise", "true"),
        value_parser = whole_in::<usize>(2..=1 << 40), allow_hyphen_values = true
    )]
    records: Option<usize>,
    /// With --advise: how many features a record has; each name of a column of names is one
    #[arg(
        long, value_name = "D", requires = "advise", required_if_eq("advise", "true"),
        value_parser = whole_in::<usize>(1..=1 << 24), allow_hyphen_values = true
    )]
    features: Option<usize>,
    /// With --advise: the privacy parameter epsilon
    #[arg(
        long, value_name = "E", requires = "advise", required_if_eq("advise", "true"),
        value_parser = Range::Epsilon.parser(), allow_hyphen_values = true
    )]
    epsilon: Option<Rational>,
    /// With --advise: the privacy parameter delta; without it only learners that are private with delta = 0
    #[arg(long, value_name = "D", requires = "advise", value_parser = Range::Delta.parser(), allow_hyphen_values = true)]
    delta: Option<Rational>,
    /// With --advise: what the labels are
    #[arg(long, value_enum, requires = "advise", default_value = "classes")]
    task: Task,
    /// How to print the advice
    #[arg(long, value_enum, requires = "advise", default_value = "table")]
    format: Format,
}

/// The command `learn` with these options, which go without a learner.
pub fn adapted(command: Command) -> Command {
    Options::augment_args(command)
        .subcommand_required(false)
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
}

/// What is said.
#[derive(Debug, Serialize)]
struct Said {
    task: Task,
    records: usize,
    features: usize,
    epsilon: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<String>,
    /// Nothing where no learner is to be advised.
    take: Option<&'static str>,
    because: &'static str,
    learners: Vec<Advice>,
}

/// Runs `assay learn` without a learner.
pub fn run(matches: &ArgMatches) -> Result<(), Error> {
    let options = Options::from_arg_matches(matches)?;
    let (true, Some(records), Some(features), Some(epsilon)) = (
        options.advise,
        options.records,
        options.features,
        options.epsilon,
    ) else {
        return Err(Error::Usage(
            "learn needs a learner, or --advise with --records, --features and --epsilon to say which; assay help learn lists \
             them"
                .to_owned(),
        ));
    };
    let question = Question {
        task: options.task,
        size: Size {
            records,
            coordinates: features,
        },
        epsilon,
        delta: options.delta,
    };
    let mut learners = Vec::new();
    for learner in PAPERS.iter().flat_map(|paper| paper.learners) {
        learners.extend((learner.advice)(&question)?);
    }
    let (take, because) = match question.take(&learners) {
        Some((advice, because)) => (Some(advice.learner), because),
        None if learners.is_empty() && question.delta.is_none() => (
            None,
            "every learner for this task needs a delta; pass --delta, such as 1e-6",
        ),
        None => (
            None,
            "each learner is refused, or takes longer than ten minutes",
        ),
    };
    let said = Said {
        task: question.task,
        records,
        features,
        epsilon: question.epsilon.to_string(),
        delta: question.delta.as_ref().map(Rational::to_string),
        take,
        because,
        learners,
    };
    match options.format {
        Format::Json => output::print_json(&said),
        Format::Table => output::print(&said.render()),
    }
}

impl Said {
    fn render(&self) -> String {
        let mut text = match self.take {
            Some(learner) => format!("take {learner}: {}\n", self.because),
            None => format!("no learner is to be advised: {}\n", self.because),
        };
        for advice in &self.learners {
            text += &format!("\n{}\n", advice.learner);
            text += &aligned(&rows(advice), "  ");
        }
        text
    }
}

fn rows(advice: &Advice) -> Vec<(String, String)> {
    let mut rows = vec![row("delta", advice.delta.clone())];
    if let Some(why) = &advice.refused {
        rows.push(row("refused", why.clone()));
        return rows;
    }
    let mut say = |name: &str, value: Option<String>| {
        rows.extend(value.map(|value| row(name, value)));
    };
    say("noise", advice.noise.clone());
    let nothing = "nothing is promised of the error at any margin";
    say(
        "guarantee",
        Some(match (&advice.least_margin, &advice.error_at_margin_half) {
            (Some(margin), Some(error)) => {
                format!("an error below 1/2 from margin {margin} on; at most {error} at margin 1/2")
            }
            (Some(margin), None) => format!("an error below 1/2 from margin {margin} on"),
            (None, _) => nothing.to_owned(),
        }),
    );
    say(
        "time",
        advice.seconds.map(|seconds| format!("about {seconds} s")),
    );
    say(
        "memory",
        advice.megabytes.map(|all| format!("about {all} MB")),
    );
    rows
}
