//! `assay audit --plan`: what is learned on one machine and counted on many.

use super::{Arguments, datasets};
use crate::cli::{Format, Outcome};
use crate::error::Error;
use crate::output;
use crate::shards::plan::{Claimed, DRAWS, Named, Neighbours, Parts, check_size, destination};
use crate::shards::program::{Program, REQUEST, Seeded, files_of, probe, specimen};
use crate::shards::report::{draws, many};
use crate::start_target::start_target;
use dp_assay::coins::ChaCha;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{
    AuditError, Claim, Datasets, Learned, Phase, Question, learn, search_pair,
};
use dp_assay_audit::targets::{Settings, Target, check_repeats};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// The stream of the seeds of a program that is learned from.
const LEARNING: u64 = 1 << 33;

/// What is known when something was learned.
struct Learning {
    pair: Pair,
    lines: Vec<Learned>,
    /// Calls, and how long they took.
    calls: u64,
    seconds: Duration,
}

/// Writes the plan.
pub(super) fn run(arguments: &Arguments, path: &Path) -> Result<Outcome, Error> {
    let units = arguments.plans.units.unwrap_or(1);
    check_size(units, unit_draws(arguments))
        .map_err(|reason| Error::Usage(format!("--units and --unit-draws: {reason}")))?;
    let destination = destination(path)?;
    let (parts, learning) = match (&arguments.plans.specimen, &arguments.target) {
        (Some(name), _) => of_specimen(arguments, name)?,
        (None, Some(command)) => of_program(arguments, command)?,
        (None, None) => return Err(Error::Usage("--target is needed".to_owned())),
    };
    let (text, plan) = Named::new(Parts { units, ..parts })?;
    let written = destination.write_new(&text)?;
    if written == destination.path() {
        print(arguments, path, &plan, &learning)?;
        return Ok(Outcome::AsExpected);
    }
    print(arguments, &written, &plan, &learning)?;
    Err(Error::Destination {
        path: path.to_owned(),
        reason: format!(
            "there is a file of this name by now, and it stays; the plan is in {}",
            written.display()
        ),
    })
}

fn unit_draws(arguments: &Arguments) -> u64 {
    arguments.plans.unit_draws.unwrap_or(DRAWS)
}

fn question(arguments: &Arguments, claim: Claim) -> Result<Question, Error> {
    let question = Question {
        claim,
        level: arguments.alpha.clone(),
        calls: arguments.calls,
        until: arguments.until(),
        shrink: false,
        seed: arguments.seed,
    };
    question.check().map_err(super::could_not_run)?;
    Ok(question)
}

/// A mechanism of the corpus: its pair, and its claim.
fn of_specimen(arguments: &Arguments, name: &str) -> Result<(Parts, Learning), Error> {
    let specimen = specimen(name)?;
    let question = question(arguments, specimen.claim())?;
    let claim = Claimed::of(&question.claim, None)?;
    let mut target = specimen.target(ChaCha::reproducible(arguments.seed, LEARNING));
    let datasets = match specimen.relation {
        Some(relation) => Datasets::Given(specimen.pair.clone(), relation),
        None => Datasets::Vouched(specimen.pair.clone()),
    };
    let learning = learn_from(arguments, &mut target, &datasets, &question)?;
    let program = Program::Specimen {
        name: name.to_owned(),
    };
    Ok((
        parts(arguments, program, claim, &datasets, &learning),
        learning,
    ))
}

/// A program.
fn of_program(arguments: &Arguments, command: &str) -> Result<(Parts, Learning), Error> {
    let Some(claim) = arguments.claim().map_err(Error::Usage)? else {
        return Err(Error::Usage(
            "the claim is missing: give --epsilon E (or --zcdp, --rdp, --gdp or --profile)"
                .to_owned(),
        ));
    };
    let question = question(arguments, claim)?;
    let profile = match &arguments.profile {
        Some(path) => {
            Some(std::fs::read_to_string(path).map_err(|source| Error::read(path, source))?)
        }
        None => None,
    };
    let claim = Claimed::of(&question.claim, profile)?;
    let datasets = datasets::read(arguments)?;
    let settings = Settings {
        reply: arguments.reply,
        deadline: Duration::from_secs(arguments.deadline),
        grace: Duration::from_secs(arguments.grace),
    };
    let mut program = start_target(command, settings)?;
    let files = files_of(command)?;
    let command = command.to_owned();
    let reply = arguments.reply;
    if !arguments.plans.seeded {
        let learning = learn_from(arguments, &mut program, &datasets, &question)?;
        let program = Program::Command {
            command,
            reply,
            files,
        };
        return Ok((
            parts(arguments, program, claim, &datasets, &learning),
            learning,
        ));
    }
    let coins = ChaCha::reproducible(arguments.seed, LEARNING);
    let mut seeded = Seeded { program, coins };
    let learning = learn_from(arguments, &mut seeded, &datasets, &question)?;
    let pair = &learning.pair;
    let at_once = seeded.at_once(&pair.0).min(seeded.at_once(&pair.1));
    // In a process of its own, as it will be asked on each machine.
    let mut fresh = start_target(&command, settings)?;
    let probe = probe(&mut fresh, pair)?;
    let program = Program::Seeded {
        command,
        reply,
        files,
        request: at_once.clamp(1, REQUEST),
        probe,
    };
    Ok((
        parts(arguments, program, claim, &datasets, &learning),
        learning,
    ))
}

/// The pair, whether the program repeats itself, and the events.
fn learn_from(
    arguments: &Arguments,
    target: &mut dyn Target,
    datasets: &Datasets,
    question: &Question,
) -> Result<Learning, Error> {
    let progress = super::Progress::new();
    let mut watched = super::Watched {
        target,
        progress: &progress,
    };
    let mut learned = || -> Result<Learning, AuditError> {
        let pair = match datasets {
            Datasets::Given(pair, _) | Datasets::Vouched(pair) => pair.clone(),
            Datasets::Described(domain) => search_pair(&mut watched, domain, question)?.pair,
        };
        check_repeats(&mut watched, &[&pair.0, &pair.1], question.calls)?;
        progress.begin(Phase::Auditing {
            most: question.calls,
        });
        let begin = Instant::now();
        let draws = unit_draws(arguments) * arguments.plans.units.unwrap_or(1);
        let lines = learn(&mut watched, &pair, question, draws)?;
        let seconds = begin.elapsed();
        watched.finish()?;
        let training = lines.first().map(|line| line.training).unwrap_or_default();
        Ok(Learning {
            pair,
            lines,
            calls: training.first_calls + training.second_calls,
            seconds,
        })
    };
    let learning = learned().map_err(|error| match error {
        AuditError::Target(error) => Error::Inconclusive(error.to_string()),
        error => super::could_not_run(error),
    })?;
    let comes = |line: &Learned| line.training.first + line.training.second > 0;
    if !learning.lines.iter().any(comes) {
        return Err(Error::Inconclusive(format!(
            "no event that came more often on one dataset was found in {} calls, so that there is nothing to count; --calls gives more",
            learning.calls
        )));
    }
    Ok(learning)
}

fn parts(
    arguments: &Arguments,
    program: Program,
    claim: Claimed,
    datasets: &Datasets,
    learning: &Learning,
) -> Parts {
    Parts {
        program,
        claim,
        level: arguments.alpha.clone(),
        pair: learning.pair.clone(),
        neighbours: match datasets.relation() {
            Some(NeighbouringRelation::Substitute) => Neighbours::Substitute,
            Some(NeighbouringRelation::AddOrRemove) => Neighbours::AddRemove,
            None => Neighbours::Vouched,
        },
        lines: learning.lines.clone(),
        draws: unit_draws(arguments),
        units: 1,
        seed: arguments.seed,
    }
}

/// What was fixed, and how long it will take to count.
fn print(
    arguments: &Arguments,
    path: &Path,
    plan: &Named,
    learning: &Learning,
) -> Result<(), Error> {
    let rate = learning.calls as f64 / learning.seconds.as_secs_f64().max(1e-9);
    let hours = draws(plan) as f64 / rate / 3600.0;
    if arguments.format == Format::Json {
        return output::print_json(&json!({
            "plan": plan.name(),
            "file": path.display().to_string(),
            "units": plan.plan.units,
            "draws_on_each_dataset": plan.plan.draws,
            "lines": plan.lines().iter().map(|line| json!({
                "aspect": line.aspect,
                "event": format!("{:#}", line.event),
                "training": line.training,
            })).collect::<Vec<_>>(),
            "seeded": plan.plan.program.is_seeded(),
            "draws_per_second": rate,
            "hours_of_one_processor": hours,
            "version": env!("CARGO_PKG_VERSION"),
        }));
    }
    let mut rows = vec![("plan".to_owned(), plan.name())];
    for line in plan.lines() {
        let training = &line.training;
        rows.push(("event".to_owned(), line.event.to_string()));
        rows.push((
            "came".to_owned(),
            format!(
                "{} of {} times on the first dataset, {} of {} on the second (it was learned from these, and they prove nothing)",
                training.first, training.first_calls, training.second, training.second_calls
            ),
        ));
    }
    rows.extend([
        (
            "to count".to_owned(),
            format!(
                "{} units of {} draws on each dataset, {} in all",
                plan.plan.units,
                plan.plan.draws,
                many(draws(plan))
            ),
        ),
        (
            "pace".to_owned(),
            format!(
                "{} draws a second: some {} hours of one processor",
                many(rate as u64),
                dp_assay_audit::report::short(hours)
            ),
        ),
        (
            "next".to_owned(),
            format!(
                "assay count {} --shard 1/N --out 1.json, and so on",
                path.display()
            ),
        ),
    ]);
    output::print(&format!(
        "planned: {}\n{}",
        path.display(),
        dp_assay_audit::report::aligned(&rows, "  ")
    ))
}
