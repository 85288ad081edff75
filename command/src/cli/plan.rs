//! `assay plan`: what is learned on one machine and counted on many.

use super::auditor::{
    ClaimOptions, DatasetOptions, Level, Limits, Progress, SEE, Seed, Watched, calls, could_not_run,
};
use super::{Format, Outcome};
use crate::error::Error;
use crate::options::whole_in;
use crate::output;
use crate::screen;
use crate::shards::plan::{
    Claimed, DRAWS, MOST_DRAWS, MOST_UNITS, Named, Neighbours, Parts, check_size, destination,
};
use crate::shards::program::{Program, REQUEST, Seeded, files_of, probe, specimen};
use crate::shards::report::{draws, many};
use crate::start_target::start_target;
use clap::Args;
use dp_assay::coins::ChaCha;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{
    AuditError, Claim, Datasets, Learned, Phase, Question, Until, learn, search_pair,
};
use dp_assay_audit::targets::{Reply, Target, check_repeats, check_starts};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The three commands, in their order.
const FORMATS: &str = r#"MANY MACHINES
  assay plan FILE …               here: search a pair, learn an event, fix both
  assay count FILE --shard i/N …  on each of N machines: count it, unit by unit
  assay merge FILE SHARD…         here again: add up, and judge once
  A plan has the program, the claim, the pair, the event, the level, and how
  often all is counted: --units times --unit-draws outputs on each dataset.
  A program that takes the seed of a request ("seed": 64 hexadecimal digits)
  and uses no other coins is --seeded: its counts can be repeated, and are the
  same on however many machines. docs/shards.md has more.

"#;

/// Search a pair, learn an event, and write a plan of counts for many machines.
///
/// assay count and assay merge follow it. Nothing is decided here. The options are those of assay audit, and at most 100000 of
/// the calls are for the event. Exit status: 0 planned, 2 could not run, 3 no event was found, or the program failed.
#[derive(Debug, Args)]
#[command(after_long_help = [FORMATS, SEE].concat())]
pub struct Arguments {
    /// The plan; a file that is there already is kept
    #[arg(value_name = "FILE")]
    plan: PathBuf,
    /// The program and its arguments, as one text, as for assay audit
    #[arg(long, value_name = "COMMAND", required_unless_present = "specimen")]
    target: Option<String>,
    #[command(flatten)]
    limits: Limits,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    reply: Reply,
    #[command(flatten)]
    claim: ClaimOptions,
    #[command(flatten)]
    datasets: DatasetOptions,
    /// The calls on each pair that is looked at, at least 50 and at most 16777216
    #[arg(long, value_name = "N", default_value = "200000", value_parser = calls, allow_hyphen_values = true)]
    calls: u64,
    #[command(flatten)]
    level: Level,
    #[command(flatten)]
    seed: Seed,
    /// The units into which the work is cut
    #[arg(long, value_name = "U", value_parser = whole_in::<u64>(1..=MOST_UNITS), allow_hyphen_values = true)]
    units: u64,
    /// The outputs on each dataset in a unit. A unit that is interrupted is counted again: fewer for slow programs
    #[arg(long, value_name = "N", default_value_t = DRAWS, value_parser = whole_in::<u64>(1..=MOST_DRAWS), allow_hyphen_values = true)]
    unit_draws: u64,
    /// The program takes the seed of each request from the request
    #[arg(long, conflicts_with = "specimen")]
    seeded: bool,
    /// Instead of a program: a mechanism of the corpus of assay self-test, with its pair and its claim. It is seeded
    #[arg(long, value_name = "NAME", conflicts_with_all = ["target", "claimed", "delta", "pair", "domain", "neighbours", "reply"])]
    specimen: Option<String>,
    /// How to print what was planned
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

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

/// Runs `assay plan`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    check_size(arguments.units, arguments.unit_draws)
        .map_err(|reason| Error::Usage(format!("--units and --unit-draws: {reason}")))?;
    let destination = destination(&arguments.plan)?;
    let (parts, learning) = match (&arguments.specimen, &arguments.target) {
        (Some(name), _) => of_specimen(arguments, name)?,
        (None, Some(command)) => of_program(arguments, command)?,
        (None, None) => return Err(Error::Usage("--target is needed".to_owned())),
    };
    let (text, plan) = Named::new(parts)?;
    let written = destination.write_new(&text)?;
    if written == destination.path() {
        print(arguments, &arguments.plan, &plan, &learning)?;
        return Ok(Outcome::AsExpected);
    }
    print(arguments, &written, &plan, &learning)?;
    Err(Error::Destination {
        path: arguments.plan.clone(),
        reason: format!(
            "there is a file of this name by now, and it stays; the plan is in {}",
            written.display()
        ),
    })
}

fn question(arguments: &Arguments, claim: Claim) -> Result<Question, Error> {
    let question = Question {
        claim,
        level: arguments.level.alpha.clone(),
        calls: arguments.calls,
        until: Until::Proofs,
        shrink: false,
        time: false,
        seed: arguments.seed.seed,
    };
    question.check().map_err(could_not_run)?;
    Ok(question)
}

/// A mechanism of the corpus: its pair, and its claim.
fn of_specimen(arguments: &Arguments, name: &str) -> Result<(Parts, Learning), Error> {
    let specimen = specimen(name)?;
    let question = question(arguments, specimen.claim())?;
    let claim = Claimed::of(&question.claim, None)?;
    let mut target = specimen.target(ChaCha::reproducible(arguments.seed.seed, LEARNING));
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
    let question = question(arguments, arguments.claim.claim()?)?;
    let profile = match &arguments.claim.profile {
        Some(path) => {
            Some(std::fs::read_to_string(path).map_err(|source| Error::read(path, source))?)
        }
        None => None,
    };
    let claim = Claimed::of(&question.claim, profile)?;
    let datasets = arguments.datasets.neighbouring()?;
    let settings = arguments.limits.settings(arguments.reply);
    let mut program = start_target(command, settings)?;
    let files = files_of(command)?;
    let command = command.to_owned();
    let reply = arguments.reply;
    if !arguments.seeded {
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
    let coins = ChaCha::reproducible(arguments.seed.seed, LEARNING);
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
    let progress = Progress::new();
    let mut watched = Watched {
        target,
        progress: &progress,
    };
    let mut learned = || -> Result<Learning, AuditError> {
        if let Some(pair) = datasets.first() {
            check_starts(&mut watched, &[&pair.0, &pair.1])?;
        }
        let pair = match datasets {
            Datasets::Given(pair, _) | Datasets::Vouched(pair) => pair.clone(),
            Datasets::Described(domain) => search_pair(&mut watched, domain, question)?.pair,
        };
        check_repeats(&mut watched, &[&pair.0, &pair.1], question.calls)?;
        progress.begin(Phase::Auditing {
            most: question.calls,
        });
        let begin = Instant::now();
        let draws = arguments.unit_draws * arguments.units;
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
        error => could_not_run(error),
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
        level: arguments.level.alpha.clone(),
        pair: learning.pair.clone(),
        neighbours: match datasets.relation() {
            Some(NeighbouringRelation::Substitute) => Neighbours::Substitute,
            Some(NeighbouringRelation::AddOrRemove) => Neighbours::AddRemove,
            None => Neighbours::Vouched,
        },
        lines: learning.lines.clone(),
        draws: arguments.unit_draws,
        units: arguments.units,
        seed: arguments.seed.seed,
    }
}

/// What was fixed, and how long it will take to count.
fn print(
    arguments: &Arguments,
    path: &Path,
    plan: &Named,
    learning: &Learning,
) -> Result<(), Error> {
    let path = path.display().to_string();
    let rate = learning.calls as f64 / learning.seconds.as_secs_f64().max(1e-9);
    let hours = draws(plan) as f64 / rate / 3600.0;
    if arguments.format == Format::Json {
        return output::print_json(&json!({
            "plan": plan.name(),
            "file": path,
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
            format!("assay count {path} --shard 1/N --out 1.json, and so on"),
        ),
    ]);
    screen::print(&format!(
        "planned: {path}\n{}",
        dp_assay_audit::report::aligned(&rows, "  ")
    ))
}
