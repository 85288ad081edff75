//! `assay account`: what a plan of private steps costs.

use crate::error::Error;
use crate::options::{Format, number, whole_in};
use crate::output;
use crate::screen;
use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};
use dp_assay::accountant::{Account, Allowed, Budget, Mechanism, Relation, Step};
use dp_assay::number::{Enclosure, Rational, rational, shortened};
use dp_assay_audit::input::read_text_at_most;
use num_traits::One;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A plan has at most so many kinds of steps.
const MOST_KINDS: usize = 32;

/// A plan has at most so many bytes.
const LARGEST_PLAN: u64 = 1 << 20;

/// Print what a plan of private steps costs together: epsilon between two certified ends.
///
/// A plan is a TOML file, or a JSON file whose name ends in .json. Each [[step]] has a mechanism (gaussian, laplace,
/// discrete-gaussian, discrete-laplace, randomised-response), its noise (deviation, scale, variance, or epsilon and
/// answers; sigma is another name of deviation) in units of what a record moves, a rate if each record is sampled with that probability, and times.
/// A record is removed, added, or either. With sampling = "fixed" the gaussian is on batches of that part of the records,
/// drawn without replacement, and a record is replaced; the deviation stays in units of what one record adds. With sampling =
/// "allocation" each record takes part in one of each 1/rate steps.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The file of the plan
    #[arg(value_name = "FILE")]
    plan: PathBuf,
    /// The delta at which epsilon is taken
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    delta: Rational,
    /// Instead of what the plan costs, print the least noise, or the most steps, for this epsilon
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    for_budget: Option<Rational>,
    /// What is looked for with --for-budget: the least factor for the noise of all steps, or how often the plan can be repeated
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        requires = "for_budget",
        default_value_if("for_budget", ArgPredicate::IsPresent, "noise")
    )]
    find: Option<Wanted>,
    /// Significant digits to aim at, from 1 to 6; of the least noise at most 5
    #[arg(long, value_name = "N", value_parser = whole_in::<u32>(1..=6), allow_hyphen_values = true, default_value_t = 4)]
    digits: u32,
    /// How to print the costs
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// What keeps to a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// The least noise.
    Noise,
    /// The most steps.
    Steps,
}

/// The plan as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    step: Vec<WrittenStep>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    mechanism: String,
    times: Option<u64>,
    sampling: Option<String>,
    rate: Option<Value>,
    #[serde(alias = "sigma")]
    deviation: Option<Value>,
    scale: Option<Value>,
    variance: Option<Value>,
    epsilon: Option<Value>,
    shift: Option<u32>,
    answers: Option<u64>,
}

/// A number: a decimal as it stands, or a text such as "3/2".
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Value {
    Whole(i64),
    Decimal(f64),
    Text(String),
}

impl Value {
    fn read(&self) -> Result<Rational, String> {
        match self {
            Self::Whole(value) => Ok(rational::integer(*value)),
            // The shortest decimal of this double: what was written, if that has at most 15 digits.
            Self::Decimal(value) => number(&value.to_string()),
            Self::Text(text) => number(text),
        }
    }
}

impl WrittenStep {
    /// How records are sampled.
    fn sampling(&self) -> Result<&str, String> {
        let sampling = self.sampling.as_deref().unwrap_or("poisson");
        match (sampling, self.mechanism.as_str()) {
            ("poisson", _) | ("fixed" | "allocation", "gaussian") => Ok(sampling),
            ("fixed" | "allocation", _) => {
                Err(format!("sampling \"{sampling}\" is for gaussian alone"))
            }
            (other, _) => Err(format!(
                "sampling must be \"poisson\", \"fixed\" or \"allocation\": of nothing else a bound is proved, got '{}'",
                shortened(other)
            )),
        }
    }

    /// The step, or what is wrong with it.
    fn read(&self) -> Result<Step, String> {
        let sampling = self.sampling()?;
        let needed = |name: &str, value: &Option<Value>| match value {
            Some(value) => value.read().map_err(|reason| format!("{name}: {reason}")),
            None => Err(format!("{} needs {name}", self.mechanism)),
        };
        let rate = match &self.rate {
            Some(rate) => rate.read().map_err(|reason| format!("rate: {reason}"))?,
            None => Rational::one(),
        };
        let shift = self.shift.unwrap_or(1);
        let (own, mechanism) = match self.mechanism.as_str() {
            "gaussian" => {
                let deviation = needed("deviation", &self.deviation)?;
                let mechanism = match sampling {
                    "allocation" => {
                        self.only(["deviation", "rate"])?;
                        let step = Step::allocated(deviation, &rate, self.times.unwrap_or(1));
                        return step.map_err(|error| error.to_string());
                    }
                    "fixed" => Mechanism::FixedBatch { deviation, rate },
                    _ => Mechanism::Gaussian { deviation, rate },
                };
                (["deviation", "rate"], mechanism)
            }
            "laplace" => {
                let scale = needed("scale", &self.scale)?;
                (["scale", "rate"], Mechanism::Laplace { scale, rate })
            }
            "discrete-gaussian" => {
                if self.variance.is_none() && self.deviation.is_some() {
                    let right =
                        "discrete-gaussian takes variance, the square of sigma, and no deviation";
                    return Err(right.to_owned());
                }
                let variance = needed("variance", &self.variance)?;
                (
                    ["variance", "shift"],
                    Mechanism::DiscreteGaussian { variance, shift },
                )
            }
            "discrete-laplace" => {
                let scale = needed("scale", &self.scale)?;
                (
                    ["scale", "shift"],
                    Mechanism::DiscreteLaplace { scale, shift },
                )
            }
            "randomised-response" => {
                let epsilon = needed("epsilon", &self.epsilon)?;
                let answers = self.answers.unwrap_or(2);
                (
                    ["epsilon", "answers"],
                    Mechanism::RandomisedResponse { epsilon, answers },
                )
            }
            other => {
                return Err(format!(
                    "mechanism must be gaussian, laplace, discrete-gaussian, discrete-laplace or randomised-response, got '{}'",
                    shortened(other)
                ));
            }
        };
        self.only(own)?;
        Ok(Step {
            mechanism,
            times: self.times.unwrap_or(1),
        })
    }

    /// Refuses what the mechanism has no use for: nothing that was written is passed over.
    fn only(&self, own: [&str; 2]) -> Result<(), String> {
        let there = [
            ("rate", self.rate.is_some()),
            ("deviation", self.deviation.is_some()),
            ("scale", self.scale.is_some()),
            ("variance", self.variance.is_some()),
            ("epsilon", self.epsilon.is_some()),
            ("shift", self.shift.is_some()),
            ("answers", self.answers.is_some()),
        ];
        match there
            .iter()
            .find(|(name, is_there)| *is_there && !own.contains(name))
        {
            Some((name, _)) => Err(format!("{} takes no {name}", self.mechanism)),
            None => Ok(()),
        }
    }
}

/// Runs `assay account`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let steps = plan(&arguments.plan)?;
    if let Some(epsilon) = &arguments.for_budget {
        return for_budget(arguments, epsilon, &steps);
    }
    let cost = |steps: &[Step], relation| -> Result<Enclosure, Error> {
        let account = Account::new(steps, relation);
        let epsilon =
            account.and_then(|account| account.epsilon(&arguments.delta, arguments.digits));
        epsilon
            .map(|known| known.value)
            .map_err(|error| Error::Usage(format!("{}: {error}", arguments.plan.display())))
    };
    let mut lines: Vec<(String, Enclosure)> = Vec::new();
    let relations: &[_] = match relation(&steps) {
        Relation::Substitution => &[("a record replaced", Relation::Substitution)],
        _ => &[
            ("a record removed", Relation::Remove),
            ("a record added", Relation::Add),
            ("either", Relation::AddOrRemove),
        ],
    };
    for &(name, relation) in relations {
        lines.push((name.to_owned(), cost(&steps, relation)?));
    }
    if steps.len() > 1 {
        for (at, step) in (1..).zip(&steps) {
            let alone = cost(std::slice::from_ref(step), relation(&steps))?;
            let last = relations[relations.len() - 1].0;
            lines.push((
                format!("step {at} alone, {} times, {last}", times(step)),
                alone,
            ));
        }
    }
    let ends = |value: &Enclosure| value.to_decimals(arguments.digits + 4);
    match arguments.format {
        Format::Json => {
            let costs = lines.iter().map(|(name, value)| {
                let (lo, hi) = ends(value);
                json!({ "of": name, "lo": lo, "hi": hi })
            });
            output::print_json(&json!({
                "delta": arguments.delta.to_string(),
                "epsilon": costs.collect::<Vec<_>>(),
            }))
        }
        Format::Table => {
            let delta = rational::shortly(&arguments.delta);
            let rows = lines.iter().map(|(name, value)| {
                let (lo, hi) = ends(value);
                format!("{name}: epsilon({delta}) between {lo} and {hi}\n")
            });
            screen::print(&rows.collect::<String>())
        }
    }
}

/// How often a step is taken, as a plan writes it: of epochs all their steps.
fn times(step: &Step) -> u64 {
    match step.mechanism {
        Mechanism::Allocation { steps, .. } => steps * step.times,
        _ => step.times,
    }
}

/// The neighbours of a plan: batches of a fixed size have others than samples.
fn relation(steps: &[Step]) -> Relation {
    let is_fixed = |step: &Step| matches!(step.mechanism, Mechanism::FixedBatch { .. });
    match steps.iter().any(is_fixed) {
        true => Relation::Substitution,
        false => Relation::AddOrRemove,
    }
}

/// Prints what the budget allows.
fn for_budget(arguments: &Arguments, epsilon: &Rational, steps: &[Step]) -> Result<(), Error> {
    let budget = Budget {
        epsilon: epsilon.clone(),
        delta: arguments.delta.clone(),
    };
    let neighbours = relation(steps);
    let (what, found) = match arguments.find {
        Some(Wanted::Steps) => (Wanted::Steps, budget.most_steps(steps, neighbours)),
        _ => (
            Wanted::Noise,
            budget.least_noise(steps, neighbours, arguments.digits),
        ),
    };
    let found =
        found.map_err(|error| Error::Usage(format!("{}: {error}", arguments.plan.display())))?;
    match arguments.format {
        Format::Json => output::print_json(&json!({
            "epsilon": budget.epsilon.to_string(),
            "delta": budget.delta.to_string(),
            "of": what.words(),
            "within": rational::shortly(&found.value),
            "beyond": found.beyond.as_ref().map(rational::shortly),
            "is_sharp": found.is_sharp,
        })),
        Format::Table => screen::print(&what.sentences(&found)),
    }
}

impl Wanted {
    fn words(self) -> &'static str {
        match self {
            Self::Noise => "the least factor for all noise",
            Self::Steps => "the most repetitions of the plan",
        }
    }

    fn sentences(self, found: &Allowed) -> String {
        let within = rational::shortly(&found.value);
        let first = format!("{}: {within} is within the budget", self.words());
        match &found.beyond {
            Some(beyond) if found.is_sharp => {
                format!("{first}, {} is beyond it\n", rational::shortly(beyond))
            }
            Some(beyond) => format!(
                "{first}, {} is beyond it; what lies between could not be told\n",
                rational::shortly(beyond)
            ),
            None => format!("{first}; whether it is sharp could not be told\n"),
        }
    }
}

/// The steps of a file.
fn plan(path: &Path) -> Result<Vec<Step>, Error> {
    let wrong = |reason: String| Error::Usage(format!("{}: {reason}", path.display()));
    let text = read_text_at_most(path, LARGEST_PLAN).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })?;
    let text = text.ok_or_else(|| wrong(format!("a plan has at most {LARGEST_PLAN} bytes")))?;
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    let written: Written = match is_json {
        true => serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?,
        false => toml::from_str(&text)
            .map_err(|error| wrong(error.to_string().lines().collect::<Vec<_>>().join("; ")))?,
    };
    if written.step.is_empty() || written.step.len() > MOST_KINDS {
        return Err(wrong(format!(
            "a plan has 1 to {MOST_KINDS} kinds of steps, got {}",
            written.step.len()
        )));
    }
    let steps = (1..).zip(&written.step).map(|(at, step)| {
        step.read()
            .map_err(|reason| wrong(format!("step {at}: {reason}")))
    });
    steps.collect()
}
