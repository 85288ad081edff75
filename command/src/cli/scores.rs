//! `assay scores`: do scores of who was in the training data prove a claim of privacy false?

use super::Outcome;
use super::auditor::{Level, Shown};
use crate::error::Error;
use crate::options::{Format, number, whole_in};
use crate::output::{self, Destination};
use crate::scores::plan::Plan;
use crate::scores::read::{of_plan, two_files};
use clap::Args;
use dp_assay::coins::ChaCha;
use dp_assay::number::range::above_zero_below_one;
use dp_assay::number::rational::{integer, ratio, shortly, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::stats::MOST_CANARIES;
use dp_assay::stats::order_band::MOST_ORDERED;
use dp_assay::stats::{StatsError, binomial};
use dp_assay_audit::report::{self, AuditReport};
use dp_assay_audit::scores::{Claim, Higher, Scored, Scores, many, one_run};
use num_traits::Signed;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The three ways.
const WAYS: &str = r#"ONE TRAINING, MANY CANARIES
  assay scores --plan plan.csv --canaries 1000 --epsilon 2 --delta 1e-5
      tosses a coin for each canary, and says what so many can prove at most
  train once, on the canaries that are in; score all of them: scores.csv has
  the columns canary and score
  assay scores --coins plan.csv --scores scores.csv --epsilon 2 --delta 1e-5
  Coins of your own: --in and --out, two files with the column score (and
  canary, if they have names), of those that were in and that were not.

MANY TRAININGS, ONE RECORD
  assay scores --trainings many --in with.csv --out without.csv --epsilon 2
  Each score is of a training of its own, independent of all others.

Scores are decimal numbers, compared exactly. A higher score means: it was in.
docs/training.md has an example, and what is taken for granted.
"#;

/// Prove a claim of privacy false by scores of who was in the training data, of one training or of many.
///
/// Nothing is run: the scores are read, and a lower bound on epsilon is certified. Exit status: 0 not refuted, 1 violation proved,
/// 2 could not run.
#[derive(Debug, Args)]
#[command(after_long_help = WAYS)]
pub struct Arguments {
    /// The scores of those that were in: a CSV file with the column score
    #[arg(long = "in", value_name = "FILE", requires = "outs", conflicts_with_all = ["plan", "coins"])]
    ins: Option<PathBuf>,
    /// The scores of those that were not
    #[arg(long = "out", value_name = "FILE", requires = "ins")]
    outs: Option<PathBuf>,
    /// Who was in: the file that --plan wrote
    #[arg(
        long,
        value_name = "FILE",
        requires = "scores",
        conflicts_with = "plan"
    )]
    coins: Option<PathBuf>,
    /// The scores of all canaries of --coins: a CSV file with the columns canary and score
    #[arg(long, value_name = "FILE", requires = "coins")]
    scores: Option<PathBuf>,
    /// Before the training: toss the coins of --canaries, by the operating system, and write who is in. A file that is there is kept
    #[arg(long, value_name = "FILE", requires = "canaries", conflicts_with_all = ["report", "verbose"])]
    plan: Option<PathBuf>,
    /// How many canaries a plan has
    #[arg(long, value_name = "M", value_parser = whole_in::<u64>(1..=MOST_CANARIES), allow_hyphen_values = true, requires = "plan")]
    canaries: Option<u64>,
    /// The claimed epsilon, above 0 and at most 40
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, conflicts_with = "gdp")]
    epsilon: Option<Rational>,
    /// The claimed delta, at least 0 and below 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = number, allow_hyphen_values = true, conflicts_with = "gdp")]
    delta: Rational,
    /// The claim in another measure, instead of --epsilon: as hard to tell apart as normal laws of variance 1 at distance MU, above 0
    /// and at most 10. What is proved is a bound on mu, and on no epsilon
    #[arg(long, value_name = "MU", value_parser = number, allow_hyphen_values = true)]
    gdp: Option<Rational>,
    /// The same: the Renyi divergence of every order A above 1 is at most RHO times A. Above 0 and at most 20. What is proved is a bound on
    /// rho, and on no epsilon
    #[arg(long, value_name = "RHO", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["epsilon", "delta", "gdp"])]
    zcdp: Option<Rational>,
    /// Of how many trainings the scores are
    #[arg(long, value_enum, default_value = "one", conflicts_with_all = ["plan", "coins"])]
    trainings: Trainings,
    /// How many canaries of one training are guessed, half of them from either end; fixed before the scores were seen. Otherwise all,
    /// half of them, a quarter and so on down to 25, which share the level
    #[arg(long, value_name = "R", value_parser = whole_in::<u64>(1..=MOST_CANARIES), allow_hyphen_values = true)]
    guesses: Option<u64>,
    /// What a higher score means
    #[arg(long, value_enum, default_value = "in")]
    higher: Higher,
    /// As many were in as were not, and fair coins of their own decided so, by chance
    #[arg(long, requires = "ins")]
    fair_coins: bool,
    #[command(flatten)]
    level: Level,
    #[command(flatten)]
    shown: Shown,
}

/// Of how many trainings the scores are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Trainings {
    /// One training, in which each canary was put by a fair coin of its own
    One,
    /// A training for each score, independent of all others
    Many,
}

/// Runs `assay scores`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    if let (Some(path), Some(canaries)) = (&arguments.plan, arguments.canaries) {
        return plan(arguments, path, canaries);
    }
    let inputs = [
        &arguments.ins,
        &arguments.outs,
        &arguments.coins,
        &arguments.scores,
    ];
    let inputs = inputs.into_iter().flatten().map(PathBuf::as_path);
    let files = arguments.shown.files(inputs)?;
    let report = judge(arguments)?;
    arguments.shown.end(&report, files)
}

/// What is claimed.
fn claim(arguments: &Arguments) -> Result<Claim, Error> {
    let claim = match (&arguments.epsilon, &arguments.zcdp, &arguments.gdp) {
        (Some(epsilon), ..) => Claim::Budget {
            epsilon: epsilon.clone(),
            delta: arguments.delta.clone(),
        },
        (None, Some(rho), _) => Claim::Zcdp { rho: rho.clone() },
        (None, None, Some(mu)) => Claim::Gaussian { mu: mu.clone() },
        (None, None, None) => {
            let missing = "the claim is missing: give --epsilon E (or --zcdp RHO or --gdp MU)";
            return Err(Error::Usage(missing.to_owned()));
        }
    };
    claim.check()?;
    above_zero_below_one("--alpha", &arguments.level.alpha)?;
    Ok(claim)
}

fn judge(arguments: &Arguments) -> Result<AuditReport, Error> {
    let claim = claim(arguments)?;
    match (&arguments.ins, &arguments.outs, &arguments.coins, &arguments.scores) {
        (Some(ins), Some(outs), ..) => {
            let all = two_files(ins, outs)?;
            let name = format!("scores in {} and {}", ins.display(), outs.display());
            match arguments.trainings {
                Trainings::Many => many_trainings(arguments, claim, all, &name),
                Trainings::One => {
                    fair(arguments, &all)?;
                    let coins = "yours: you answer for it that they were fair, and one for each canary";
                    one_training(arguments, claim, all, &name, coins)
                }
            }
        }
        (.., Some(coins), Some(scores)) => {
            let plan = Plan::read(coins)?;
            let all = of_plan(scores, &plan)?;
            let name = format!("scores in {}", scores.display());
            let coins = format!("of assay scores --plan, sha256 {}", plan.digest);
            one_training(arguments, claim, all, &name, &coins)
        }
        _ => Err(Error::Usage(
            "the scores are missing: give --in FILE and --out FILE, or --coins FILE and --scores FILE (before the training: --plan FILE)"
                .to_owned(),
        )),
    }
}

fn one_training(
    arguments: &Arguments,
    claim: Claim,
    all: Vec<Scored>,
    name: &str,
    coins: &str,
) -> Result<AuditReport, Error> {
    let question = question(arguments, claim);
    let canaries = all.len() as u64;
    check_number(canaries, &question)?;
    let scores = Scores::new(all, arguments.higher);
    let found = one_run::examine(&scores, &question).map_err(not_judged)?;
    Ok(report::scores::one(&found, &question, name, coins))
}

fn question(arguments: &Arguments, claim: Claim) -> one_run::Question {
    one_run::Question {
        claim,
        level: arguments.level.alpha.clone(),
        guesses: arguments.guesses,
    }
}

/// Refuses fewer canaries than can prove anything, or than are to be guessed.
fn check_number(canaries: u64, question: &one_run::Question) -> Result<(), Error> {
    if let Some(guesses) = question.guesses
        && guesses > canaries
    {
        let most =
            format!("--guesses must be at most {canaries}, the number of canaries, got {guesses}");
        return Err(Error::Usage(most));
    }
    let is_enough = canaries > 0
        && one_run::ceiling(canaries, question)
            .map_err(not_judged)?
            .is_some();
    if is_enough {
        return Ok(());
    }
    let alpha = shortly(&question.level);
    Err(Error::Usage(match &question.claim {
        // With none of it so many would do: it counts once for each canary.
        Claim::Budget { delta, .. }
            if delta.is_positive() && integer(canaries) * delta * integer(10) > question.level =>
        {
            format!(
                "--delta {} is too large for {canaries} canaries: if all guesses were right, nothing would be proved at --alpha {alpha}. Their number times delta must be well below alpha",
                shortly(delta)
            )
        }
        _ => format!(
            "{canaries} canaries are too few: if all guesses were right, nothing would be proved at --alpha {alpha}"
        ),
    }))
}

fn many_trainings(
    arguments: &Arguments,
    claim: Claim,
    all: Vec<Scored>,
    name: &str,
) -> Result<AuditReport, Error> {
    if arguments.guesses.is_some() || arguments.fair_coins {
        return Err(Error::Usage(
            "--guesses and --fair-coins are for one training: of many, every threshold is looked at, and no coins are needed"
                .to_owned(),
        ));
    }
    let question = many::Question {
        claim,
        level: arguments.level.alpha.clone(),
    };
    let ins = all.iter().filter(|scored| scored.is_in).count();
    for (option, trainings) in [("--in", ins), ("--out", all.len() - ins)] {
        if !(1..=MOST_ORDERED).contains(&(trainings as u64)) {
            return Err(Error::Usage(format!(
                "{option} must have from 1 to {MOST_ORDERED} scores, one for each training, got {trainings}"
            )));
        }
    }
    let found =
        many::examine(&Scores::new(all, arguments.higher), &question).map_err(not_judged)?;
    Ok(report::scores::many(&found, &question, name))
}

/// Refuses members and non-members of numbers that fair coins hardly give, or that somebody chose.
fn fair(arguments: &Arguments, all: &[Scored]) -> Result<(), Error> {
    let members = all.iter().filter(|scored| scored.is_in).count() as u64;
    let canaries = all.len() as u64;
    let fewer = members.min(canaries - members);
    let tail = binomial::lower_tail(canaries, fewer, &Enclosure::of(&ratio(1, 2), 128))
        .map_err(Error::from)?;
    // Both sides together: 1e-9.
    if canaries > 0 && tail.upper() < ratio(1, 2_000_000_000) {
        return Err(Error::Usage(format!(
            "--in and --out have {members} and {} scores: fair coins do not do that. Each canary is put in by a coin of its own, and all are scored (--plan tosses them)",
            canaries - members
        )));
    }
    if 2 * members == canaries && canaries > 2 && !arguments.fair_coins {
        return Err(Error::Usage(format!(
            "--in and --out have {members} scores each: a fixed half, or one of each pair, is no fair coin for each, and the bound does not hold then. If coins did that by chance, say --fair-coins (--plan tosses them)"
        )));
    }
    Ok(())
}

/// Tosses the coins, and says what they can prove.
fn plan(arguments: &Arguments, path: &Path, canaries: u64) -> Result<Outcome, Error> {
    if path.exists() {
        return Err(Error::Destination {
            path: path.to_owned(),
            reason:
                "it is there already, and is kept: a training may follow it. Choose another name"
                    .to_owned(),
        });
    }
    let question = question(arguments, claim(arguments)?);
    check_number(canaries, &question)?;
    let ceiling = one_run::ceiling(canaries, &question)
        .map_err(not_judged)?
        .unwrap_or_default();
    let claimed = question.claim.parameter();
    let option = match &question.claim {
        Claim::Budget { .. } => "--epsilon",
        Claim::Zcdp { .. } => "--zcdp",
        Claim::Gaussian { .. } => "--gdp",
    };
    let most = to_scientific_below(&ceiling, 5);
    if ceiling < *claimed {
        let enough = one_run::canaries_needed(&question).map_err(not_judged)?;
        let needed = enough.map_or_else(
            || format!("no number up to {MOST_CANARIES} can"),
            |enough| format!("--canaries {enough} can"),
        );
        return Err(Error::Usage(format!(
            "--canaries {canaries} cannot refute {option} {}: if all guesses were right, no more than {most} would be proved; {needed}",
            shortly(claimed)
        )));
    }
    let destination = Destination::new(path, &[])?;
    let plan = Plan::draw(canaries, &mut ChaCha::from_operating_system()?)?;
    let written = destination.write_new(&plan.text())?;
    planned(arguments, &written, &plan, &most)?;
    Ok(Outcome::AsExpected)
}

/// Says what was drawn, and what it can prove at most.
fn planned(arguments: &Arguments, path: &Path, plan: &Plan, most: &str) -> Result<(), Error> {
    let (canaries, members) = (plan.len(), plan.members());
    let of = match (&arguments.zcdp, &arguments.gdp) {
        (Some(_), _) => "rho",
        (None, Some(_)) => "mu",
        (None, None) => "epsilon",
    };
    match arguments.shown.format() {
        Format::Json => output::print_json(&json!({
            "plan": path.display().to_string(),
            "canaries": canaries,
            "in": members,
            "sha256": plan.digest,
            "ceiling": most,
            "of": of,
        })),
        Format::Table => output::print(&format!(
            "{}: {canaries} canaries, of which {members} are in\n  sha256   {}\n  ceiling  {of} above {most} is the most that so many can prove, if all guesses are right\n",
            output::printable(&path.display().to_string()),
            plan.digest,
        )),
    }
}

/// A bound that could not be computed.
fn not_judged(error: StatsError) -> Error {
    Error::usage(error)
}
