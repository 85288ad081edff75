//! `assay audit`: is a program as private as it is claimed to be?

use super::{Format, Outcome, integer, number};
use crate::error::Error;
use crate::output;
use crate::report::table::aligned;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, to_scientific, to_scientific_below};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::broken;
use dp_assay_audit::conformance::{
    Amount, CellCount, Conformance, LawVerdict, Reference, audit_law,
};
use dp_assay_audit::driver::{
    AuditError, Finding, Method, Question, Until, Verdict, audit_pair, search_pair,
    shrink_violation,
};
use dp_assay_audit::named_law::NamedLaw;
use dp_assay_audit::pairs::{Domain, Pair};
use dp_assay_audit::targets::{Beliefs, Reply, Settings, Subprocess, Target, words};
use num_bigint::BigInt;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Audit a program, in any language: prove its claim (epsilon, delta) false, or say what was not seen.
///
/// The program reads requests on its standard input and answers samples on its standard output, one JSON
/// value a line (see audit/targets/). With --law, ask instead whether its noise has a law: not to conform is
/// not the same as not to be private. Exit status: 0 not refuted, 1 violation or another law proved,
/// 2 could not run, 3 inconclusive.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The program and its arguments, as one text
    #[arg(long, value_name = "COMMAND", required_unless_present = "self_test")]
    target: Option<String>,
    /// The claimed epsilon, above 0 and at most 40
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, required_unless_present_any = ["self_test", "law"])]
    epsilon: Option<Rational>,
    /// The claimed delta, at least 0 and below 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    delta: Rational,
    /// Two JSON files, the datasets
    #[arg(long, value_name = "A.json,B.json", value_delimiter = ',', num_args = 1..=2)]
    pair: Vec<PathBuf>,
    /// A JSON file that describes the datasets, from which pairs are searched
    #[arg(long, value_name = "DOMAIN.json", conflicts_with = "pair")]
    domain: Option<PathBuf>,
    /// How the two datasets of --pair are neighbours
    #[arg(long, value_enum, default_value = "substitute")]
    neighbours: Neighbours,
    /// The law of the integers that the program answers, less the centre: discrete-laplace scale=2
    #[arg(long, value_name = "LAW", conflicts_with_all = ["epsilon", "delta", "pair", "domain", "self_test", "neighbours", "no_shrink"])]
    law: Option<String>,
    /// A JSON file, the dataset for --law; without it: null
    #[arg(long, value_name = "DATA.json", requires = "law")]
    data: Option<PathBuf>,
    /// What the program would answer on this dataset without noise
    #[arg(long, value_name = "K", value_parser = integer, allow_hyphen_values = true, requires = "law")]
    centre: Option<BigInt>,
    /// The calls on the pair that is audited, or the most calls for --law
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    calls: u64,
    /// Spend all calls, for the best bound on epsilon, instead of stopping at the first proof
    #[arg(long, conflicts_with = "law")]
    all_calls: bool,
    /// The probability with which a true claim may be called violated
    #[arg(long, value_name = "ALPHA", default_value = "1/20", value_parser = number, allow_hyphen_values = true)]
    alpha: Rational,
    /// The seconds that the program has for a batch
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    deadline: u64,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    reply: ReplyKind,
    /// The seed of the auditor's own coins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep the pair as it is, and do not look for a smaller one
    #[arg(long)]
    no_shrink: bool,
    /// Audit the auditor: the corpus of mechanisms with known privacy
    #[arg(long, conflicts_with_all = ["target", "epsilon", "pair", "domain"])]
    self_test: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Neighbours {
    /// One record is replaced by another
    Substitute,
    /// One record is added or removed
    AddRemove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ReplyKind {
    /// One JSON value a line
    Lines,
    /// Eight bytes a value: doubles, little-endian
    F64le,
}

fn until(arguments: &Arguments) -> Until {
    if arguments.all_calls {
        Until::End
    } else {
        Until::Proof
    }
}

/// Runs `assay audit`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    if arguments.self_test {
        return self_test(arguments);
    }
    if let (Some(command), Some(law)) = (&arguments.target, &arguments.law) {
        return conform(arguments, command, law);
    }
    let (Some(command), Some(epsilon)) = (&arguments.target, &arguments.epsilon) else {
        return Err(Error::Usage("--target and --epsilon are needed".to_owned()));
    };
    let question = Question {
        epsilon: epsilon.clone(),
        delta: arguments.delta.clone(),
        level: arguments.alpha.clone(),
        calls: arguments.calls,
        until: until(arguments),
        seed: arguments.seed,
    };
    let relation = match arguments.neighbours {
        Neighbours::Substitute => NeighbouringRelation::Substitute,
        Neighbours::AddRemove => NeighbouringRelation::AddOrRemove,
    };
    let source = Source::read(arguments, relation)?;
    let mut target = start(arguments, command)?;
    let result = examine(&mut target, &source, &question, arguments.no_shrink);
    let result = result.and_then(|finding| Ok(target.finish().map(|()| finding)?));
    match result {
        Ok(finding) => {
            match arguments.format {
                Format::Json => output::print_json(&as_json(&finding, &question))?,
                Format::Table => output::print(&as_text(&finding, &question))?,
            }
            Ok(match finding.verdict {
                Verdict::Violation => Outcome::NotAsExpected,
                Verdict::NotRefuted => Outcome::AsExpected,
            })
        }
        Err(error) => failed(arguments, &error),
    }
}

/// Starts the program.
fn start(arguments: &Arguments, command: &str) -> Result<Subprocess, Error> {
    let settings = Settings {
        reply: match arguments.reply {
            ReplyKind::Lines => Reply::Lines,
            ReplyKind::F64le => Reply::F64le,
        },
        deadline: Duration::from_secs(arguments.deadline.max(1)),
        ..Settings::default()
    };
    let words = words(command).map_err(|error| Error::Usage(error.to_string()))?;
    Subprocess::start(&words, settings).map_err(|error| Error::Usage(error.to_string()))
}

/// An audit that could not be carried out.
fn failed(arguments: &Arguments, error: &AuditError) -> Result<Outcome, Error> {
    match error {
        // Whatever the target did wrong, it was not shown to be private, nor to have the law.
        AuditError::Target(error) => {
            match arguments.format {
                Format::Json => output::print_json(&json!({
                    "verdict": "inconclusive",
                    "reason": error.to_string(),
                    "epsilon_lower": null,
                }))?,
                Format::Table => output::print(&format!("inconclusive: {error}\n"))?,
            }
            Ok(Outcome::Inconclusive)
        }
        error => Err(Error::Usage(error.to_string())),
    }
}

/// Does the program's noise have the law?
fn conform(arguments: &Arguments, command: &str, law: &str) -> Result<Outcome, Error> {
    let reference = Reference {
        law: NamedLaw::read(&[law.to_owned()])?,
        centre: arguments.centre.clone().unwrap_or_default(),
        level: arguments.alpha.clone(),
        calls: arguments.calls,
    };
    let data = match &arguments.data {
        None => serde_json::Value::Null,
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
            serde_json::from_str(&text)
                .map_err(|error| Error::data(path, format!("expected JSON: {error}")))?
        }
    };
    let mut target = start(arguments, command)?;
    let result = audit_law(&mut target, &data, &reference);
    match result.and_then(|found| Ok(target.finish().map(|()| found)?)) {
        Ok(found) => {
            match arguments.format {
                Format::Json => output::print_json(&law_as_json(&found, &reference))?,
                Format::Table => output::print(&law_as_text(&found, &reference))?,
            }
            Ok(match found.verdict {
                LawVerdict::NotConforming => Outcome::NotAsExpected,
                LawVerdict::ConformsNotRefuted => Outcome::AsExpected,
            })
        }
        Err(error) => failed(arguments, &error),
    }
}

fn law_as_json(found: &Conformance, reference: &Reference) -> serde_json::Value {
    let end = |end: &Option<BigInt>| end.as_ref().map(ToString::to_string);
    json!({
        "verdict": found.verdict,
        "law": reference.law.to_string(),
        "centre": reference.centre.to_string(),
        "level": reference.level.to_string(),
        "law_refuted_after": found.law_refuted_after,
        "impossible_output": found.impossible.as_ref().map(dp_assay_audit::targets::Output::line),
        "noise": { "verdict": found.amount, "too_little_after": found.too_little_after },
        "closest": found.closest,
        "cell": found.cell.as_ref().map(|cell| json!({
            "from": end(&cell.from), "to": end(&cell.to), "expected": cell.expected, "count": cell.count,
        })),
        "tail": found.tail.as_ref().map(|tail| json!({
            "at_least": tail.threshold.to_string(), "expected": tail.expected, "count": tail.count,
        })),
        "calls": found.calls,
        "seconds": found.seconds.as_secs_f64(),
        "undetectable": {
            "mass": found.undetectable_mass,
            "miss_probability": to_scientific(&found.miss, 3),
        },
        "traces": found.beliefs.as_ref().map(beliefs_as_json),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn law_as_text(found: &Conformance, reference: &Reference) -> String {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let verdict = match found.verdict {
        LawVerdict::NotConforming => {
            format!(
                "not conforming: the noise is not {} around {}",
                reference.law, reference.centre
            )
        }
        LawVerdict::ConformsNotRefuted => format!(
            "conformance not refuted: no proof was found that the noise is not {} around {}",
            reference.law, reference.centre
        ),
    };
    let after = |calls: Option<u64>| match calls {
        Some(calls) => format!(
            "after {calls} calls, except with probability {}",
            &reference.level / BigInt::from(2)
        ),
        None => "no".to_owned(),
    };
    let law = match &found.impossible {
        Some(output) => format!("an output that it cannot have: {}", output.line()),
        None => after(found.law_refuted_after),
    };
    let little = match found.amount {
        Amount::TooLittle => after(found.too_little_after),
        Amount::EnoughNotRefuted => {
            "not proved (more noise than asked for is no finding here)".to_owned()
        }
    };
    let mut rows = vec![
        row("another law is proved", law),
        row("too little noise is proved", little),
        row("the outputs look like", found.closest.clone()),
    ];
    if let Some(cell) = &found.cell {
        rows.push(row(
            "the farthest cell",
            format!(
                "{}: {} of {} calls, expected {}",
                interval(cell),
                cell.count,
                found.calls,
                short(cell.expected)
            ),
        ));
    }
    if let Some(tail) = &found.tail {
        rows.push(row(
            "noise",
            format!(
                "at least {} in magnitude: {} of {} calls, expected {}",
                tail.threshold,
                tail.count,
                found.calls,
                short(tail.expected)
            ),
        ));
    }
    rows.extend(found.beliefs.as_ref().map(beliefs_row));
    rows.push(row(
        "calls",
        format!("{} in {:.2} s", found.calls, found.seconds.as_secs_f64()),
    ));
    rows.push(row(
        "not seen",
        format!(
            "a difference in outputs of mass below {} is missed with probability at least {}; what differs within a cell is not seen",
            short(found.undetectable_mass),
            found.miss
        ),
    ));
    format!("{verdict}\n{}", aligned(&rows, "  "))
}

/// A range of integers in words.
fn interval(cell: &CellCount) -> String {
    match (&cell.from, &cell.to) {
        (Some(from), Some(to)) if from == to => format!("{from}"),
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (Some(from), None) => format!("{from} and above"),
        (None, Some(to)) => format!("{to} and below"),
        (None, None) => "all integers".to_owned(),
    }
}

fn beliefs_as_json(beliefs: &Beliefs) -> serde_json::Value {
    let exact = |value: &Option<Rational>| value.as_ref().map(ToString::to_string);
    let range = |ends: &Option<(Rational, Rational)>| {
        ends.as_ref()
            .map(|(least, most)| json!([least.to_string(), most.to_string()]))
    };
    json!({
        "traces": beliefs.traces,
        "without_numbers": beliefs.others,
        "largest_distance": exact(&beliefs.distance),
        "declared_sensitivity": range(&beliefs.sensitivity),
        "declared_scale": range(&beliefs.scale),
        "exceeds_sensitivity": beliefs.violated(),
        "exceeding_traces": beliefs.exceeded,
        "worst": beliefs.worst.as_ref().map(|(distance, sensitivity)| json!({
            "distance": distance.to_string(), "sensitivity": sensitivity.to_string(),
        })),
    })
}

fn beliefs_row(beliefs: &Beliefs) -> (String, String) {
    let value = match (&beliefs.worst, &beliefs.distance) {
        (Some((distance, sensitivity)), _) => format!(
            "a belief is wrong: distance {distance} with a declared sensitivity of {sensitivity}, in {} of {} traces",
            beliefs.exceeded, beliefs.traces
        ),
        (None, Some(distance)) => format!(
            "the largest distance is {distance}, within the declared sensitivity, in {} traces",
            beliefs.traces
        ),
        (None, None) => {
            "none has the numbers sensitivity, scale and distance, so that nothing was checked"
                .to_owned()
        }
    };
    ("traces".to_owned(), value)
}

/// Where the pair comes from.
struct Source {
    pair: Option<Pair>,
    domain: Option<Domain>,
    relation: NeighbouringRelation,
}

impl Source {
    fn read(arguments: &Arguments, relation: NeighbouringRelation) -> Result<Self, Error> {
        let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
        match (&arguments.pair[..], &arguments.domain) {
            ([first, second], None) => {
                let pair = Pair::read(first, second).map_err(|error| usage(&error))?;
                pair.check(relation).map_err(|error| usage(&error))?;
                Ok(Self {
                    pair: Some(pair),
                    domain: None,
                    relation,
                })
            }
            ([], Some(path)) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    Error::Usage(format!("cannot read {}: {error}", path.display()))
                })?;
                let domain = Domain::read(&path.display().to_string(), &text)
                    .map_err(|error| usage(&error))?;
                Ok(Self {
                    pair: None,
                    relation: domain.relation(),
                    domain: Some(domain),
                })
            }
            _ => Err(Error::Usage(
                "the datasets are missing: give --pair A.json,B.json or --domain DOMAIN.json"
                    .to_owned(),
            )),
        }
    }
}

/// Searches a pair if none is given, audits it, and shrinks what was found.
fn examine(
    target: &mut dyn Target,
    source: &Source,
    question: &Question,
    no_shrink: bool,
) -> Result<Finding, AuditError> {
    question.check()?;
    // Half of the level for the finding, and half for all proofs of the shrinking together.
    let half = Question {
        level: &question.level / num_bigint::BigInt::from(2),
        ..question.clone()
    };
    let question = if no_shrink { question } else { &half };
    let pair = match (&source.pair, &source.domain) {
        (Some(pair), _) => pair.clone(),
        (None, Some(domain)) => search_pair(target, domain, question)?,
        (None, None) => Pair(serde_json::Value::Null, serde_json::Value::Null),
    };
    let found = audit_pair(target, &pair, question)?;
    if no_shrink || found.verdict != Verdict::Violation {
        return Ok(found);
    }
    shrink_violation(
        target,
        &found,
        source.relation,
        source.domain.as_ref(),
        question,
    )
}

/// A float that is only printed, in four digits.
fn short(value: f64) -> String {
    from_f64(value).map_or_else(|error| error.to_string(), |exact| to_scientific(&exact, 3))
}

fn as_json(finding: &Finding, question: &Question) -> serde_json::Value {
    json!({
        "verdict": finding.verdict,
        "epsilon": question.epsilon.to_string(),
        "delta": question.delta.to_string(),
        "epsilon_lower": finding.epsilon_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
        "delta_lower": finding.delta_lower,
        "confidence": to_scientific(&(Rational::from_integer(1.into()) - &question.level), 4),
        "method": finding.method,
        "calls": finding.calls,
        "seconds": finding.seconds.as_secs_f64(),
        "pair": [finding.pair.0, finding.pair.1],
        "event": finding.event.to_string(),
        "counts": finding.counts,
        "undetectable": {
            "mass": finding.undetectable_mass,
            "miss_probability": to_scientific(&finding.miss, 3),
        },
        "power": {
            "event": finding.event_power.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
            "note": "for the learned event alone: epsilon that these calls would reject with probability 0.95; the power of the whole search is measured by --self-test",
        },
        "traces": finding.beliefs.as_ref().map(beliefs_as_json),
        "seed": question.seed,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn as_text(finding: &Finding, question: &Question) -> String {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let claim = format!("({}, {})", question.epsilon, question.delta);
    let verdict = match finding.verdict {
        Verdict::Violation => format!("violation: not {claim}-private"),
        Verdict::NotRefuted => {
            format!("not refuted: no proof was found that it is not {claim}-private")
        }
    };
    let counts = &finding.counts;
    let bound = match &finding.epsilon_lower {
        Some(bound) => format!(
            "above {} at delta = {}, except with probability {}",
            to_scientific_below(bound, 6),
            question.delta,
            question.level
        ),
        None => "nothing".to_owned(),
    };
    let mut rows = vec![
        row("epsilon is proved", bound),
        row("dataset 1", finding.pair.0.to_string()),
        row("dataset 2", finding.pair.1.to_string()),
        row("event", finding.event.to_string()),
        row(
            "on dataset 1",
            format!("{} of {} calls", counts.first, counts.first_calls),
        ),
        row(
            "on dataset 2",
            format!("{} of {} calls", counts.second, counts.second_calls),
        ),
        row(
            "calls",
            format!(
                "{} in {:.2} s, seed {}",
                finding.calls,
                finding.seconds.as_secs_f64(),
                question.seed
            ),
        ),
        row(
            "not seen",
            format!(
                "on this pair, a leak of mass below {} is missed with probability at least {}; other pairs were not ruled out",
                short(finding.undetectable_mass),
                finding.miss
            ),
        ),
        row(
            "power of this event",
            match (&finding.event_power, finding.method) {
                (Some(epsilon), _) => format!(
                    "epsilon {} would be rejected with probability 0.95",
                    to_scientific(epsilon, 4)
                ),
                (None, Some(Method::Sequential)) => {
                    "not stated: the run stopped when the proof was there".to_owned()
                }
                (None, _) => {
                    "no epsilon up to 40 would be rejected with probability 0.95".to_owned()
                }
            },
        ),
    ];
    rows.extend(finding.beliefs.as_ref().map(beliefs_row));
    format!("{verdict}\n{}", aligned(&rows, "  "))
}

/// Audits the corpus: every violation should be proved, and no true claim refuted.
fn self_test(arguments: &Arguments) -> Result<Outcome, Error> {
    let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
    let corpus = broken::corpus().map_err(|error| usage(&error))?;
    let mut rows = Vec::new();
    let mut false_alarms = 0;
    let mut missed = Vec::new();
    let mut results = Vec::new();
    for (number, specimen) in corpus.iter().enumerate() {
        let question = Question {
            epsilon: specimen.epsilon.clone(),
            delta: specimen.delta.clone(),
            level: arguments.alpha.clone(),
            calls: arguments.calls,
            until: until(arguments),
            seed: arguments.seed.wrapping_add(number as u64),
        };
        let coins = dp_assay::coins::ChaCha::reproducible(arguments.seed, number as u64);
        let mut target = specimen.target(coins);
        let finding =
            audit_pair(&mut target, &specimen.pair, &question).map_err(|error| usage(&error))?;
        let caught = finding.verdict == Verdict::Violation;
        if caught && !specimen.violates() {
            false_alarms += 1;
        }
        if !caught && specimen.violates() {
            missed.push(specimen.name);
        }
        let says = match (specimen.violates(), caught) {
            (true, true) => "caught",
            (true, false) => "missed",
            (false, false) => "not refuted",
            (false, true) => "FALSE ALARM",
        };
        let truth = if specimen.truth.epsilon.is_finite() {
            format!("{:.4}", specimen.truth.epsilon)
        } else {
            "infinite".to_owned()
        };
        let bound = finding
            .epsilon_lower
            .as_ref()
            .map_or("-".to_owned(), |bound| to_scientific_below(bound, 4));
        rows.push((
            specimen.name.to_owned(),
            format!(
                "{says:<12} claim {:<5} true {truth:<9} proved > {bound:<7} {:>7} calls {:>6.2} s",
                specimen.epsilon.to_string(),
                finding.calls,
                finding.seconds.as_secs_f64()
            ),
        ));
        results.push(json!({
            "name": specimen.name,
            "about": specimen.about,
            "violates": specimen.violates(),
            "caught": caught,
            "true_epsilon": specimen.truth.epsilon.is_finite().then_some(specimen.truth.epsilon),
            "report": as_json(&finding, &question),
        }));
    }
    let summary = format!(
        "{} mechanisms of known privacy: {false_alarms} false alarms, {} violations missed at {} calls{}",
        corpus.len(),
        missed.len(),
        arguments.calls,
        if missed.is_empty() {
            String::new()
        } else {
            format!(" ({})", missed.join(", "))
        }
    );
    match arguments.format {
        Format::Json => output::print_json(
            &json!({ "corpus": results, "false_alarms": false_alarms, "missed": missed }),
        )?,
        Format::Table => output::print(&format!("{}\n{summary}\n", aligned(&rows, "")))?,
    }
    Ok(if false_alarms == 0 {
        Outcome::AsExpected
    } else {
        Outcome::NotAsExpected
    })
}
