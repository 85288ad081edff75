//! The rows of our survey of auditors: 21 mechanisms at 10^6 calls, against the limits of any test.
//!
//! ```sh
//! cargo bench -p dp-assay-audit --bench rows
//! cargo bench -p dp-assay-audit --bench rows -- svt4 laplace_half
//! ```
//!
//! The second runs the named rows alone; `conformance`, `transport`, `learning` and `memory` name the tables that follow
//! them.
//!
//! The names are those of the survey. Laplace and Gaussian noise is rounded to multiples of 2^-20; the other rows are
//! the mechanisms of our corpus, with its pairs. For each row:
//!
//! - *refuted*: in how many audits that stop at the first proof, of 99 or, where all calls are spent, of nine;
//! - *stop*: the median number of their calls; beside it the expected calls
//!   of the best sequential test that knows the laws, `2 ln(1/level) / I`, where one direction is bet on, and both;
//! - *bound*: the median of 25 lower bounds on epsilon when all calls are spent on it, the limit of any test of 500,000
//!   calls on each dataset that knows the best event, and the ratio of the distances of both to the true epsilon, with its
//!   standard error: that of one bound is 0.6 of the distance of the limit;
//! - *beyond*: the processor seconds of an audit that spends all its calls, less those of the mechanism: the most.
//!
//! Baseline: what the best of six auditors said and proved at the same number of calls, as measured in the survey. Those
//! with a search for events come from repositories only and are not rerun here. One peer installs, `privacy-estimates`:
//! it bounds epsilon from given counts, and is given those of our events in the same run, if `PEER_PYTHON` names a
//! Python that has it.

use dp_assay::coins::ChaCha;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, parse, ratio, to_f64_for_display};
use dp_assay::stats::{EVariable, Null};
use dp_assay_audit::conform::{Reference, audit_law};
use dp_assay_audit::corpus::{Specimen, corpus};
use dp_assay_audit::events::{Aim, Lesson, Side};
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{Claim, Finding, Question, Until, Verdict, audit_pair};
use dp_assay_audit::targets::{
    Batch, Function, Output, Reply, Settings, Subprocess, Target, TargetError,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

const CALLS: u64 = 1_000_000;
/// The audits of a row: of those that stop at the first proof and find one, of those that do not, and of those that spend
/// all calls.
const STOPS: u64 = 99;
const SEEDS: u64 = 9;
const ENDS: u64 = 25;
/// The first seed is the one after this.
const SEEDS_AFTER: u64 = 4000;
/// The normal quantile at the level of 1/20.
const QUANTILE: f64 = 1.644_854;

/// A row of the survey.
struct Row {
    name: &'static str,
    mechanism: Mechanism,
    /// The true epsilon, the limit and the best bound of a peer as in the survey, where its mechanism is this one.
    survey: Option<(f64, f64)>,
    peer: &'static str,
}

/// What is audited.
enum Mechanism {
    /// A number with Laplace noise of this scale.
    Laplace(f64),
    /// A number with Gaussian noise of this standard deviation, claimed to be (epsilon, delta)-private.
    Gaussian(f64, &'static str, &'static str),
    /// One of the corpus.
    Corpus(Box<Specimen>),
}

/// A target, and the seconds of processor time that it took.
struct Timed<T> {
    inner: T,
    spent: f64,
}

/// The processor time of this program, which has one thread, in seconds: others that share the machine do not count.
/// Where the system does not tell, the time of day.
fn seconds(start: Instant) -> f64 {
    let used = std::fs::read_to_string("/proc/self/schedstat").ok();
    let used = used.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    used.map_or(start.elapsed().as_secs_f64(), |ns| ns as f64 / 1e9)
}

impl<T: Target> Target for Timed<T> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let start = Instant::now();
        let before = seconds(start);
        let batch = self.inner.sample(data, n);
        self.spent += seconds(start) - before;
        batch
    }
}

fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

fn standard_normal(rng: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * uniform(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(rng)).cos()
}

fn rounded(value: f64) -> Output {
    let steps = f64::from(1 << 20);
    Output::float((value * steps).round() / steps)
}

impl Mechanism {
    fn question(&self, until: Until, seed: u64) -> Question {
        let claim = match self {
            Self::Laplace(_) => Claim::budget(integer(1), integer(0)),
            Self::Gaussian(_, epsilon, delta) => Claim::budget(
                parse(epsilon).expect("a constant"),
                parse(delta).expect("a constant"),
            ),
            Self::Corpus(specimen) => specimen.claim(),
        };
        Question {
            claim,
            level: ratio(1, 20),
            calls: CALLS,
            until,
            shrink: false,
            time: false,
            seed,
        }
    }

    /// An audit, and its seconds less those of the mechanism.
    fn audit(&self, until: Until, seed: u64) -> (Finding, f64) {
        let question = self.question(until, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let pair = Pair(json!(0), json!(1));
        let number = |data: &Value| data.as_f64().unwrap_or(f64::NAN);
        match self {
            Self::Laplace(scale) => {
                let target = Function(|data: &Value| {
                    let u = uniform(&mut rng) - 0.5;
                    let noise = -scale * u.signum() * (1.0 - 2.0 * u.abs()).ln();
                    Ok(rounded(number(data) + noise))
                });
                timed(target, &pair, &question)
            }
            Self::Gaussian(deviation, ..) => {
                let target = Function(|data: &Value| {
                    let noise = deviation * standard_normal(&mut rng);
                    Ok(rounded(number(data) + noise))
                });
                timed(target, &pair, &question)
            }
            Self::Corpus(specimen) => {
                let target = specimen.target(ChaCha::reproducible(seed, 9));
                timed(target, &specimen.pair, &question)
            }
        }
    }

    /// The laws on common cells; of few outcomes exactly, of Laplace noise on 400 ranges. `None` for Gaussians, whose delta
    /// asks for another formula.
    fn laws(&self) -> Option<Vec<(f64, f64)>> {
        match self {
            Self::Laplace(scale) => {
                let below = |x: f64| {
                    if x < 0.0 {
                        (x / scale).exp() / 2.0
                    } else {
                        1.0 - (-x / scale).exp() / 2.0
                    }
                };
                // Edges at 0 and 1, between which the ratio changes.
                let edges: Vec<f64> = (-200..=200).map(|i| f64::from(i) / 50.0).collect();
                let mass = |shift: f64| -> Vec<f64> {
                    let mut before = 0.0;
                    let mut cells: Vec<f64> = Vec::new();
                    for edge in &edges {
                        let now = below(edge - shift);
                        cells.push(now - before);
                        before = now;
                    }
                    cells.push(1.0 - before);
                    cells
                };
                Some(mass(0.0).into_iter().zip(mass(1.0)).collect())
            }
            Self::Gaussian(..) => None,
            Self::Corpus(specimen) => {
                let law = |data| specimen.mechanism().law(data).ok().flatten();
                let mut both: BTreeMap<Output, (f64, f64)> = BTreeMap::new();
                for (output, mass) in law(&specimen.pair.0)? {
                    both.entry(output).or_default().0 += mass;
                }
                for (output, mass) in law(&specimen.pair.1)? {
                    both.entry(output).or_default().1 += mass;
                }
                Some(both.into_values().collect())
            }
        }
    }
}

fn timed(target: impl Target, pair: &Pair, question: &Question) -> (Finding, f64) {
    let mut target = Timed {
        inner: target,
        spent: 0.0,
    };
    let start = Instant::now();
    let before = seconds(start);
    let finding = audit_pair(&mut target, pair, question).expect("an audit");
    let beyond = seconds(start) - before - target.spent;
    (finding, beyond)
}

/// The largest log ratio of events, and the limit of any test of 500,000 calls on each dataset at delta = 0: the best
/// event cut off by the likelihood ratio, `ln(p/q) - z sqrt(((1-p)/p + (1-q)/q)/n)`, and with `q` at least the `3/n`
/// of an event that never comes.
fn limit(laws: &[(f64, f64)]) -> (f64, f64) {
    let n = CALLS as f64 / 2.0;
    let (mut truth, mut best) = (0.0_f64, 0.0_f64);
    for swapped in [false, true] {
        let mut cells: Vec<(f64, f64)> = laws
            .iter()
            .map(|&(p, q)| if swapped { (q, p) } else { (p, q) })
            .filter(|&(p, _)| p > 0.0)
            .collect();
        cells.sort_by(|a, b| (b.0 / b.1).total_cmp(&(a.0 / a.1)));
        let (mut p, mut q) = (0.0, 0.0);
        for (more_p, more_q) in cells {
            truth = truth.max((more_p / more_q).ln());
            p += more_p;
            q += more_q;
            let never = 20.0_f64.ln() / n;
            let spread = ((1.0 - p) / p / n + (1.0 - q) / f64::max(q, 1e-300) / n).sqrt();
            let bound = if q < never {
                (p / never).ln() - QUANTILE * ((1.0 - p) / p / n).sqrt()
            } else {
                (p / q).ln() - QUANTILE * spread
            };
            best = best.max(bound);
        }
    }
    (truth, best)
}

/// `2 ln 20 / I`: with bets in one direction, as in the survey, and in both.
fn optimum(laws: &[(f64, f64)], epsilon: &Rational) -> (f64, f64) {
    let (slope, needed) = (to_f64_for_display(epsilon).exp(), 20.0_f64.ln());
    let one = |swapped: bool| {
        let growth = |t: f64| {
            let (lam, mu) = (1.0 - t, 1.0 + t);
            let term = |&(p, q): &(f64, f64)| {
                let (p, q) = if swapped { (q, p) } else { (p, q) };
                let (mut e0, mut e1) = (lam, mu);
                if p * mu > slope * q * lam {
                    let w = p / (p + q);
                    (e0, e1) = (
                        (lam * slope + mu) * w / slope,
                        (lam * slope + mu) * (1.0 - w),
                    );
                }
                let log = |p: f64, e: f64| if p > 0.0 { p * e.ln() } else { 0.0 };
                (log(p, e0) + log(q, e1)) / 2.0
            };
            laws.iter().map(term).sum::<f64>()
        };
        (0..2000)
            .map(|i| growth(f64::from(i) / 2000.0))
            .fold(0.0, f64::max)
    };
    let null = Null::new(epsilon, &integer(0)).expect("a claim");
    let positive = |p: f64| p.max(1e-15);
    let (first, second): (Vec<f64>, Vec<f64>) = laws
        .iter()
        .map(|&(p, q)| (positive(p), positive(q)))
        .unzip();
    let both = EVariable::new(&null, &first, &second)
        .expect("laws")
        .growth();
    (needed / one(false).max(one(true)), needed / both)
}

fn rows() -> Vec<Row> {
    let mut specimens: BTreeMap<&str, Specimen> = corpus()
        .expect("the corpus")
        .into_iter()
        .map(|s| (s.name, s))
        .collect();
    let mut corpus = |name, specimen, peer| Row {
        name,
        mechanism: Mechanism::Corpus(Box::new(specimens.remove(specimen).expect("a specimen"))),
        survey: None,
        peer,
    };
    let classical = |epsilon: f64, delta: f64| (2.0 * (1.25 / delta).ln()).sqrt() / epsilon;
    let own = |name, mechanism, survey, peer| Row {
        name,
        mechanism,
        survey,
        peer,
    };
    let gaussian = Mechanism::Gaussian;
    vec![
        own("laplace_ok", Mechanism::Laplace(1.0), None, "no 0.97"),
        own("laplace_half", Mechanism::Laplace(0.5), None, "yes 1.95"),
        own(
            "gauss_classic_e2",
            gaussian(classical(2.0, 1e-5), "2", "1e-5"),
            Some((1.610, 1.300)),
            "no 1.13",
        ),
        own(
            "gauss_classic_e2_d.1",
            gaussian(classical(2.0, 0.1), "2", "0.1"),
            Some((0.939, 0.929)),
            "no 0.92",
        ),
        own(
            "gauss_classic_e10",
            gaussian(classical(10.0, 1e-5), "10", "1e-5"),
            Some((10.394, 6.682)),
            "no",
        ),
        own(
            "gauss_missing_sqrt2",
            gaussian(1e5_f64.ln().sqrt() / 2.0, "2", "1e-5"),
            Some((2.397, 1.938)),
            "no",
        ),
        corpus("svt1", "sparse-vector-1", "no"),
        corpus("svt2", "sparse-vector-2", "no"),
        corpus("svt3", "sparse-vector-3", "yes"),
        corpus("svt4", "sparse-vector-4", "yes"),
        corpus("svt5", "sparse-vector-5", "yes"),
        corpus("svt6", "sparse-vector-6", "yes"),
        corpus("noisymax_idx_ok", "noisy-max", "no"),
        corpus("noisymax_value", "noisy-max-value", "yes 2.33"),
        corpus("geom_ok", "discrete-laplace", "no 0.97"),
        corpus("geom_offby1", "geometric-without-zero", "yes 8.37"),
        corpus("rr_ok", "randomised-response", "no 0.97"),
        corpus("rr_1.05", "randomised-response-1.05", "yes 1.02"),
        corpus("expmech_ok", "exponential-mechanism", "no"),
        corpus("expmech_no2", "exponential-mechanism-without-two", "yes"),
        corpus("sample_release_1e-3", "rare-release", "no 0.97"),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    if arguments.iter().any(|argument| argument == CHILD) {
        return child();
    }
    // Cargo adds `--bench`.
    let named: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| named.is_empty() || named.iter().any(|named| *named == name);
    let rows: Vec<Row> = rows().into_iter().filter(|row| wanted(row.name)).collect();
    if !rows.is_empty() {
        println!(
            "row                   claim true    | refuted stop     one dir. (ratio)  both (ratio) | bound   limit   gap         | beyond | same counts, peer | survey's best peer"
        );
    }
    for row in &rows {
        print_row(row);
    }
    for (name, table) in [
        ("conformance", conformance as fn()),
        ("transport", transport),
        ("learning", learning),
        ("memory", memory),
    ] {
        if wanted(name) {
            table();
        }
    }
}

/// The argument with which this program is its own trivially fast target.
const CHILD: &str = "--as-a-target";

/// Answers each request with the same doubles, in its format.
fn child() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let request: Value = serde_json::from_str(&line).expect("a request");
        let n = request["n"].as_u64().expect("a number") as usize;
        let reply: Vec<u8> = match request["reply"].as_str() {
            Some("f64le") => 0.1_f64.to_le_bytes().repeat(n),
            _ => b"\"0x1.999999999999ap-4\"\n".repeat(n),
        };
        out.write_all(&reply)
            .and_then(|()| out.flush())
            .expect("a reader");
    }
}

/// The processor seconds of this program with all its threads, without its children, to a hundredth.
fn all_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// What a sample costs on its way from another process, in batches of 1,000.
fn transport() {
    println!(
        "\na sample from a subprocess        microseconds of ours, and by the clock with the child's"
    );
    let program = std::env::current_exe()
        .expect("this program")
        .into_os_string();
    let python = |file: &str| {
        let file = format!(
            "{}/targets/python/examples/{file}",
            env!("CARGO_MANIFEST_DIR")
        );
        vec!["python3".into(), file.into()]
    };
    for (name, command, reply, batches) in [
        (
            "f64le, trivial child",
            vec![program.clone(), CHILD.into()],
            Reply::F64le,
            2000,
        ),
        (
            "lines, trivial child",
            vec![program, CHILD.into()],
            Reply::Lines,
            2000,
        ),
        (
            "lines, Python adapter, Laplace",
            python("laplace_right_scale.py"),
            Reply::Lines,
            100,
        ),
    ] {
        let settings = Settings {
            reply,
            ..Settings::default()
        };
        let Ok(mut target) = Subprocess::start(&command, settings) else {
            println!("{name:<33} not there");
            continue;
        };
        let (start, before) = (Instant::now(), all_seconds());
        for _ in 0..batches {
            target.sample(&json!([0, 1]), 1000).expect("a batch");
        }
        let each = |seconds: f64| seconds * 1e6 / (1000.0 * f64::from(batches));
        let ours = all_seconds()
            .zip(before)
            .map_or(f64::NAN, |(after, before)| after - before);
        println!(
            "{name:<33} {:.2} {:.2}",
            each(ours),
            each(start.elapsed().as_secs_f64())
        );
    }
}

/// What it costs to learn an event and cells from 50,000 outputs of each dataset.
fn learning() {
    const OUTPUTS: usize = 50_000;
    println!("\n100,000 outputs to learn from  seconds for the event, and with its cells");
    fn rounded_to(steps: f64, value: f64) -> Output {
        Output::Integer((value * steps).round() as i128)
    }
    /// An output, from standard normal numbers.
    type Draw = fn(&mut dyn FnMut() -> f64) -> Output;
    let kinds: [(&str, Draw); 4] = [
        ("floats", |normal| Output::float(normal())),
        ("integers", |normal| rounded_to(10.0, normal())),
        ("large integers", |normal| rounded_to(1e6, normal())),
        ("vectors of 8 floats", |normal| {
            Output::Vector((0..8).map(|_| Output::float(normal())).collect())
        }),
    ];
    for (kind, draw) in kinds {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let [first, second] = [0.0, 1.0].map(|mean| {
            let mut normal = || mean + standard_normal(&mut rng);
            let outputs: Vec<Output> = (0..OUTPUTS).map(|_| draw(&mut normal)).collect();
            outputs
        });
        let claim = Null::new(&integer(1), &integer(0)).expect("a claim");
        let start = Instant::now();
        let before = seconds(start);
        let lesson = Lesson::new(&first, &second, Aim::after(OUTPUTS, 0.0));
        let event = lesson.event();
        let learned = seconds(start) - before;
        let _ = lesson.cells(&event, 64, &claim);
        println!("{kind:29}  {learned:.2} {:.2}", seconds(start) - before);
    }
}

/// The most memory that audits of more and more calls need: each figure is the most so far.
fn memory() {
    println!("\ncalls        most memory so far, MB");
    for calls in [100_000, 1_000_000, 10_000_000] {
        let question = Question {
            calls,
            ..Mechanism::Laplace(1.0).question(Until::Proof, 1)
        };
        let mut coins = ChaCha8Rng::seed_from_u64(1);
        let target = Function(|_: &Value| Ok(rounded(uniform(&mut coins))));
        timed(target, &Pair(json!(0), json!(1)), &question);
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let most = status
            .lines()
            .find(|line| line.starts_with("VmHWM"))
            .unwrap_or("");
        let kilobytes = most
            .split_whitespace()
            .nth(1)
            .and_then(|text| text.parse::<f64>().ok());
        println!(
            "{calls:<12} {:.0}",
            kilobytes.map_or(f64::NAN, |kb| kb / 1024.0)
        );
    }
}

/// What `privacy-estimates` makes of the counts of our event; nothing if it is not there.
fn peer_bound(finding: &Finding, delta: &Rational) -> Option<String> {
    let python = std::env::var_os("PEER_PYTHON")?;
    let counts = finding.counts;
    let (first, second) = (
        format!("{} {}", counts.first, counts.first_calls),
        format!("{} {}", counts.second, counts.second_calls),
    );
    let line = match finding.event.likelier {
        Side::First => format!("{first} {second}"),
        Side::Second => format!("{second} {first}"),
    };
    let mut child = Command::new(python)
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/benches/peers/privacy_estimates_bound.py"
        ))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    writeln!(child.stdin.take()?, "{line} {}", to_f64_for_display(delta)).ok()?;
    let output = child.wait_with_output().ok()?;
    let bound: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(format!("{bound:.4}"))
}

fn print_row(row: &Row) {
    let question = row.mechanism.question(Until::Proof, 1);
    let (claim, delta) = question
        .claim
        .as_budget()
        .expect("a claim (epsilon, delta)");
    let laws = row.mechanism.laws();
    let (truth, limit) = match (&laws, row.survey) {
        (Some(laws), _) => limit(laws),
        (None, Some(both)) => both,
        (None, None) => (f64::NAN, f64::NAN),
    };
    let violates = truth > to_f64_for_display(claim) + 1e-9;
    let (mut stops, mut refuted, mut beyond) = (Vec::new(), 0, 0.0_f64);
    // Where only a reference law tells, all calls are spent.
    let stops_early = violates && laws.is_some();
    let audits = if stops_early { STOPS } else { SEEDS };
    for seed in SEEDS_AFTER + 1..=SEEDS_AFTER + audits {
        let (finding, seconds) = row.mechanism.audit(Until::Proof, seed);
        refuted += u64::from(finding.verdict == Verdict::Violation);
        stops.push(finding.calls);
        if finding.calls == CALLS {
            beyond = beyond.max(seconds);
        }
    }
    stops.sort_unstable();
    let stop = stops[stops.len() / 2];
    let mut ends: Vec<(f64, Finding)> = Vec::new();
    for seed in SEEDS_AFTER + 1..=SEEDS_AFTER + ENDS {
        let (finding, seconds) = row.mechanism.audit(Until::End, seed);
        beyond = beyond.max(seconds);
        let bound = finding.epsilon_lower.as_ref();
        ends.push((bound.map_or(0.0, to_f64_for_display), finding));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    if std::env::var_os("ROWS_EVENTS").is_some() {
        for (bound, finding) in &ends {
            println!("  {bound:.4} {:?} {}", finding.counts, finding.event);
        }
    }
    let (bound, last) = &ends[ends.len() / 2];
    // Of a median: 1.25 standard deviations of one over the root of their number; two quarters are 1.35 apart.
    let quarters = ends[3 * ends.len() / 4].0 - ends[ends.len() / 4].0;
    let error = 1.25 * quarters / 1.35 / (ends.len() as f64).sqrt();
    let gap = (truth - bound) / (truth - limit);
    let optima = match laws {
        Some(laws) if violates => {
            let (one, both) = optimum(&laws, claim);
            let ratio = |optimum: f64| stop as f64 / optimum;
            format!(
                "{one:>8.0} ({:>5.2}) {both:>8.0} ({:>5.2})",
                ratio(one),
                ratio(both)
            )
        }
        _ => format!("{:>33}", "-"),
    };
    println!(
        "{:<21} {:<5} {truth:<7.4} | {:<7} {stop:>7} {optima} | {bound:<7.4} {limit:<7.4} {:<11} | {beyond:>4.2} s | {:<17} | {}",
        row.name,
        claim.to_string(),
        format!("{refuted}/{audits}"),
        if gap.is_finite() {
            format!("{gap:.2} ± {:.2}", error / (truth - limit))
        } else {
            "-".to_owned()
        },
        peer_bound(last, delta).unwrap_or_else(|| "-".to_owned()),
        row.peer
    );
}

/// The two rows that no test of privacy can refute: as discrete Gaussians on the lattice of step 1/64, against the
/// Gaussian of the least deviation that keeps the claim (0.4999 and 1.956, from the survey).
fn conformance() {
    const RUNS: u64 = 101;
    println!(
        "\nagainst the law                   calls of half, of nine tenths and of all of {RUNS} runs"
    );
    for (name, deviation, least) in [
        ("gauss_classic_e10", 0.4845, 0.4999),
        ("gauss_missing_sqrt2", 1e5_f64.ln().sqrt() / 2.0, 1.956),
    ] {
        let law = |deviation: f64| {
            let variance = (deviation * 64.0).powi(2).round();
            format!("discrete-gaussian variance={variance}")
                .parse::<NamedLaw>()
                .expect("a law")
        };
        let truth = law(deviation);
        let reference = Reference {
            law: law(least).into(),
            centre: integer(0),
            level: ratio(1, 20),
            calls: 100_000,
        };
        let mut needed: Vec<u64> = (0..RUNS)
            .map(|seed| {
                let mut coins = ChaCha::reproducible(SEEDS_AFTER + seed, 7);
                let mut target =
                    Function(|_: &Value| Ok(Output::integer(&truth.draw(&mut coins)?)));
                let found = audit_law(&mut target, &Value::Null, &reference).expect("an audit");
                found.law_refuted_after.unwrap_or(u64::MAX)
            })
            .collect();
        needed.sort_unstable();
        println!("{name:<33} {} {} {}", needed[50], needed[90], needed[100]);
    }
}
