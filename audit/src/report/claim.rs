//! The report on a claim: is the program as private as that?

use super::beliefs::{self, with};
use super::lines::{self, above};
use super::{AuditReport, Conclusion, Rows, estimate, power, repetition, short, times};
use crate::events::{Aspect, Side};
use crate::pairs::{Neighbourhood, Pair};
use crate::refute::{
    Answers, Claim, Confirmation, Counted, Datasets, Examined, Finding, Measure, Method, Question,
    Stage, Until, Verdict, learnable_mass,
};
use crate::report::row;
use crate::targets::cut;
use dp_assay::number::Rational;
use dp_assay::number::rational::{
    ratio, to_f64_for_display, to_scientific, to_scientific_above, to_scientific_below,
};
use dp_assay::privacy::{HalfPlane, NeighbouringRelation};
use num_traits::Zero;
use serde_json::{Value, json};

/// The report.
pub fn report(examined: &Examined, question: &Question, target: &str) -> AuditReport {
    let contradiction = contradiction(examined, question);
    let told = told(examined, question.until);
    AuditReport {
        conclusion: Conclusion::of(examined.found.verdict == Verdict::Violation),
        target: target.to_owned(),
        question: format!("the program is {}", question.claim),
        says: with(says(examined, question), contradiction.as_deref()),
        contradiction,
        warnings: warnings(examined, told.first),
        rows: rows(examined, &told, question),
        more: more(examined, &told, question),
        details: vec![
            row("level of all proofs together", question.level.to_string()),
            row("seed", question.seed.to_string()),
        ],
        json: as_json(examined, question),
    }
}

/// Two findings in the order in which they are told.
struct Told<'a> {
    /// The one that was asked for: the better bound on epsilon if all calls were to be spent for it, and otherwise the
    /// smaller witness.
    first: &'a Finding,
    /// The other one, and what it is.
    other: Option<(&'static str, &'a Finding)>,
}

fn told(examined: &Examined, until: Until) -> Told<'_> {
    let found = &examined.found;
    let Some(smaller) = examined.smaller() else {
        return Told {
            first: found,
            other: None,
        };
    };
    if until == Until::End && smaller.lower() < found.lower() {
        Told {
            first: found,
            other: Some(("a smaller witness", smaller)),
        }
    } else {
        Told {
            first: smaller,
            other: Some(("before shrinking", found)),
        }
    }
}

/// How the program contradicts itself or the claim, which is of pure privacy if its delta is 0.
fn contradiction(examined: &Examined, question: &Question) -> Option<String> {
    let budget = question.claim.as_budget();
    let pure = budget.and_then(|(epsilon, delta)| delta.is_zero().then_some(epsilon));
    let heard = examined.beliefs.as_ref();
    heard.and_then(|heard| beliefs::contradiction(heard, pure))
}

/// For programs: the keys of the finding that is told first, and both findings under `shrinking`.
pub fn as_json(examined: &Examined, question: &Question) -> Value {
    let first = told(examined, question.until).first;
    let mut report = json!({
        "verdict": first.verdict,
        "epsilon": question.claim.as_budget().map(|(epsilon, _)| epsilon.to_string()),
        "delta": question.claim.as_budget().map(|(_, delta)| delta.to_string()),
        "claim": claim_as_json(&question.claim),
        "confidence": confidence(question),
        "level_of_all_proofs": question.level.to_string(),
        "assumes": ASSUMES,
        "answers": {
            "calls": first.answers.calls,
            "errors": first.answers.errors,
            "note": answers_note(&first.answers).or_else(|| noise_note(first)),
            "constant": is_constant(&examined.found.answers),
        },
        "delta_out_of_sight": delta_out_of_sight(first, question).is_some(),
        "repetition": repetition::as_json(examined.repetition.as_ref(), examined.starts.as_ref()),
        "shrinking": examined.shrinking.as_ref().map(|shrinking| json!({
            "before": finding_as_json(&examined.found),
            "after": shrinking.smaller.as_ref().map(finding_as_json),
            "another": shrinking.another.as_ref().map(finding_as_json),
            "calls": shrinking.calls,
            "seconds": shrinking.seconds.as_secs_f64(),
            "ended_early": failure(examined, Stage::Shrinking),
        })),
        "failed_after_the_proof": examined.failure.as_ref().map(|failure| failure.error.to_string()),
        "refused_after_the_proof": examined.refusal.as_ref().map(|refusal| json!({
            "from": refusal.from, "calls": refusal.calls, "answer": refusal.last,
        })),
        "contradiction": contradiction(examined, question),
        "lines": lines::as_json(examined, question, finding_as_json),
        "times": examined.buckets.as_ref().map(times::as_json),
        "neighbours": neighbours_as_json(examined, first),
        "search": examined.searched.as_ref().map(|(domain, searched)| json!({
            "domain": domain,
            "measurements": searched.measurements,
            "calls": searched.calls,
            "seconds": searched.seconds.as_secs_f64(),
        })),
        "traces": examined.beliefs.as_ref().map(beliefs::as_json),
        "seed": question.seed,
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let (Some(report), Value::Object(finding)) = (report.as_object_mut(), finding_as_json(first))
    {
        report.extend(finding);
    }
    // An infinite one has no number in JSON.
    let estimate = estimate::epsilon(first, &question.claim);
    report["learnable_mass"] = json!(learnable(first, question));
    report["epsilon_estimate"] =
        estimate.map_or(Value::Null, |epsilon| match epsilon.is_finite() {
            true => json!(epsilon),
            false => json!("infinite"),
        });
    report["power"]["pipeline"] = power::as_json(&examined.power);
    report["power"]["note"] = Value::from(POWER);
    report
}

/// The claim in its measure: `kind`, its numbers under their names, and `parameter`, the name of what `parameter_lower` bounds.
pub fn claim_as_json(claim: &Claim) -> Value {
    let mut value = match claim.measure() {
        Measure::Budget { epsilon, delta } => json!({
            "kind": "epsilon-delta", "epsilon": epsilon.to_string(), "delta": delta.to_string(),
        }),
        Measure::Zcdp { rho } => json!({"kind": "zcdp", "rho": rho.to_string()}),
        Measure::Renyi { order, epsilon } => json!({
            "kind": "rdp", "alpha": order.to_string(), "epsilon": epsilon.to_string(),
        }),
        Measure::Gaussian { mu } => json!({"kind": "gdp", "mu": mu.to_string()}),
        Measure::Profile(profile) => json!({
            "kind": "profile",
            "file": profile.name(),
            "half_planes": profile.half_planes().len(),
        }),
    };
    value["parameter"] = claim.parameter().0.into();
    value
}

/// One less the level of all proofs together.
fn confidence(question: &Question) -> String {
    to_scientific(&(Rational::from_integer(1.into()) - &question.level), 4)
}

/// The question, for a report without an answer, under the keys of a report with one. Calls that were made do not count,
/// so `calls` is null beside `most_calls`; the pair is null if it was to be searched.
pub fn asked(question: &Question, datasets: &Datasets) -> Value {
    json!({
        "epsilon": question.claim.as_budget().map(|(epsilon, _)| epsilon.to_string()),
        "delta": question.claim.as_budget().map(|(_, delta)| delta.to_string()),
        "claim": claim_as_json(&question.claim),
        "confidence": confidence(question),
        "calls": null,
        "most_calls": question.calls,
        "pair": match datasets {
            Datasets::Given(pair, _) | Datasets::Vouched(pair) => json!([pair.0, pair.1]),
            Datasets::Described(_) => Value::Null,
        },
    })
}

/// How the datasets of an audited pair are neighbours, as far as that was checked.
fn checked(examined: &Examined, pair: &Pair) -> Neighbourhood {
    let relation = examined.relation;
    let checked = relation.and_then(|relation| pair.check(relation).ok());
    checked.unwrap_or(Neighbourhood::Unchecked)
}

/// How the program failed at this stage after the proof.
fn failure(examined: &Examined, stage: Stage) -> Option<String> {
    let failure = examined.failure.as_ref();
    let failure = failure.filter(|failure| failure.stage == stage);
    failure.map(|failure| failure.error.to_string())
}

/// How the datasets of a finding are neighbours, and whether that was checked.
fn neighbours_as_json(examined: &Examined, finding: &Finding) -> Value {
    let place = match checked(examined, &finding.pair) {
        Neighbourhood::Record(place) | Neighbourhood::Row(place) => Some(place),
        Neighbourhood::Unchecked => None,
    };
    json!({
        "relation": match examined.relation {
            Some(NeighbouringRelation::Substitute) => "substitute",
            Some(NeighbouringRelation::AddOrRemove) => "add-remove",
            None => "vouched",
        },
        "checked": place.is_some(),
        "record": place,
    })
}

/// All JSON fields of one finding.
fn finding_as_json(finding: &Finding) -> Value {
    json!({
        "aspect": finding.aspect,
        "epsilon_lower": finding.epsilon_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
        "parameter_lower": finding.parameter_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
        "half_plane": {
            "slope": to_scientific_above(finding.half_plane.slope(), 10),
            "delta": to_scientific_above(finding.half_plane.delta(), 10),
        },
        "delta_lower": finding.delta_lower,
        "level": finding.level.to_string(),
        "method": finding.method,
        "calls": finding.calls,
        "seconds": finding.seconds.as_secs_f64(),
        "pair": [finding.pair.0, finding.pair.1],
        "event": format!("{:#}", finding.event),
        "counts": finding.counts,
        "counts_are_of_training_calls": finding.counted == Counted::Training,
        "counts_are_of": finding.counted,
        "confirmation": finding.confirmation,
        "features_read": finding.features_read,
        "undetectable": {
            "mass": finding.undetectable_mass,
            "miss_probability": to_scientific(&finding.miss, 3),
            "level": finding.level.to_string(),
        },
        "power": {
            "event": finding.event_power.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
            "event_mass": finding.event_mass,
        },
    })
}

/// The meaning of the two numbers on power.
const POWER: &str = "event: the epsilon that these calls would reject with probability 0.95, for the learned event alone; event_mass: if it never came on the other dataset, the probability of it with which they would, which no epsilon tells; pipeline: the epsilon that the whole audit catches with probability 0.95, in a named family of planted violations, which are single values on a given pair: of arrays, learners and the search of a domain it says nothing";

/// The assumption under which the level holds.
pub const ASSUMES: &str = "the answers on each dataset are independent of each other and of one law: the program has no memory";

/// The grounds of the bound on epsilon.
fn proof(finding: &Finding) -> Option<&'static str> {
    Some(match finding.method? {
        Method::Fixed => "the counts of this event, in calls after it was learned",
        Method::Sequential => "bets before each round of calls; the event shows where they won",
    })
}

fn says(examined: &Examined, question: &Question) -> String {
    let claim = &question.claim;
    match examined.found.verdict {
        Verdict::Violation => {
            let by = lines::violated(&examined.found);
            format!("violation: not {claim}{by}")
        }
        Verdict::NotRefuted => format!("not refuted: no proof was found that it is not {claim}"),
    }
}

/// Faults of the program or of its answers.
fn warnings(examined: &Examined, first: &Finding) -> Rows {
    let note = answers_note(&first.answers).or_else(|| noise_note(first));
    let note = note.map(|note| row("the answers", note));
    let failure = examined.failure.as_ref().map(|failure| {
        let when = match failure.stage {
            Stage::OtherLine => "while the other line was audited",
            Stage::Confirming => "while the event was confirmed on fresh calls",
            Stage::Shrinking => "while a smaller witness was looked for",
            Stage::Ending => "at the end",
        };
        row(
            "after the proof",
            format!(
                "the program failed {when}, and the proof before that stands: {}",
                failure.error
            ),
        )
    });
    let refusal = examined.refusal.as_ref().map(|refusal| {
        row(
            "after the proof",
            format!(
                "from call {} of the program on, all {} answers were {}: it has a budget or another memory. The proof is of answers before; nothing that came later is told",
                refusal.from, refusal.calls, refusal.last
            ),
        )
    });
    note.into_iter().chain(failure).chain(refusal).collect()
}

/// The rows below the verdict: bound, pair, event, counts; and the other finding, if there are two.
fn rows(examined: &Examined, told: &Told<'_>, question: &Question) -> Rows {
    let first = told.first;
    let proved = match first.lower() {
        Some(bound) => format!(
            "{}, except with probability {}{}",
            above(bound, &question.claim),
            question.level,
            estimate::hint(first, question).unwrap_or_default()
        ),
        None => "nothing".to_owned(),
    };
    let [data, other] = [&first.pair.0, &first.pair.1].map(dataset);
    let (parameter, _) = question.claim.parameter();
    let mut rows = vec![
        row(format!("{parameter} is proved"), proved),
        row("pair", format!("{data} and {other}")),
        row("event", event(first)),
        row("counts", counts(first)),
    ];
    let estimated = estimate::in_words(first, &question.claim);
    rows.extend(estimated.map(|said| row("an estimate", said)));
    if question.claim.as_budget().is_none() {
        rows.push(row("the claim allows", allowed(first)));
    }
    rows.extend(delta_out_of_sight(first, question).map(|said| row("delta", said)));
    rows.extend(lines::rows(examined, question));
    rows.extend(examined.buckets.iter().flat_map(times::rows));
    if let Some((what, other)) = told.other {
        rows.extend(beside(what, other, first, question));
    }
    let shrinking = examined.shrinking.as_ref();
    if let Some(another) = shrinking.and_then(|shrinking| shrinking.another.as_ref()) {
        let what = "another fault, on a smaller pair";
        rows.extend(beside(what, another, first, question));
    }
    rows
}

/// A finding beside the one that is told first: its bound, pair, event and counts.
fn beside(what: &str, other: &Finding, first: &Finding, question: &Question) -> Rows {
    let (parameter, _) = question.claim.parameter();
    let proved = match other.lower() {
        Some(bound) => format!("{parameter} is proved {}", above(bound, &question.claim)),
        None => format!("nothing is proved of {parameter}"),
    };
    let [data, neighbour] = [&other.pair.0, &other.pair.1].map(dataset);
    vec![
        row(
            what,
            format!(
                "{proved}, at level {}; the proof above has level {}, and all together have {}",
                other.level, first.level, question.level
            ),
        ),
        row("- pair", format!("{data} and {neighbour}")),
        row("- event", event(other)),
        row("- counts", counts(other)),
    ]
}

/// The half-plane of the claim, in words.
fn allowed(finding: &Finding) -> String {
    allows(finding.event.likelier, &finding.half_plane)
}

/// What a half-plane allows an event that is likelier on this dataset, in words.
pub fn allows(likelier: Side, half_plane: &HalfPlane) -> String {
    let (likely, rare) = match likelier {
        Side::First => ("first", "second"),
        Side::Second => ("second", "first"),
    };
    format!(
        "an event on the {likely} dataset at most {} times its probability on the {rare}, and {} more",
        to_scientific_above(half_plane.slope(), 6),
        to_scientific_above(half_plane.delta(), 4)
    )
}

/// The event or, of a proof by bets, that none was found that shows it.
fn event(finding: &Finding) -> String {
    match finding.confirmation {
        Some(Confirmation {
            exceeds: false,
            calls,
        }) => format!(
            "none alone: in {calls} fresh calls no event was found that exceeds the claim by two standard errors. Bets on several cells are the proof. The best before: {}",
            finding.event
        ),
        _ => finding.event.to_string(),
    }
}

/// How often it came, and in which calls.
fn counts(finding: &Finding) -> String {
    let calls = match finding.counted {
        Counted::Confirming => "fresh calls, after the proof",
        Counted::Later => "calls after the event was learned",
        Counted::Training => "calls that the event was learned from",
    };
    format!("{} ({calls})", finding.counts)
}

/// The grounds of the verdict, the limits of the audit, and its cost.
fn more(examined: &Examined, told: &Told<'_>, question: &Question) -> Rows {
    let first = told.first;
    let mut rows = Rows::new();
    rows.extend(proof(first).map(|proof| row("the proof is", proof.to_owned())));
    rows.push(row(
        "neighbours",
        match examined.relation {
            Some(relation) => format!("{relation}: {}", checked(examined, &first.pair)),
            None => "vouched: your word, which nothing was checked of".to_owned(),
        },
    ));
    rows.extend(shrunk(examined));
    if first.verdict == Verdict::Violation {
        rows.push(row("assumed", ASSUMES.to_owned()));
    }
    rows.extend(repetition::row(
        examined.repetition.as_ref(),
        examined.starts.as_ref(),
    ));
    rows.push(row("calls", calls(first, question)));
    if let Some((domain, searched)) = &examined.searched {
        rows.push(row(
            "searched",
            format!(
                "{} measurements of pairs, {} calls in {:.2} s, of the domain {}",
                searched.measurements,
                searched.calls,
                searched.seconds.as_secs_f64(),
                json!(domain)
            ),
        ));
    }
    rows.extend([
        row(
            "not seen",
            format!(
                "on this pair, a leak of mass below {} is missed with probability at least {} by any test of level {}{}; other pairs, and leaks invisible to the features listed below",
                short(first.undetectable_mass),
                first.miss,
                first.level,
                learnable(first, question).map_or(String::new(), |mass| format!(
                    ", and this audit needs a mass of some {} to learn an output that one dataset alone has",
                    short(mass)
                ))
            ),
        ),
        row("read of the outputs", first.features_read.join("; ")),
        row("power of this event", event_power(first, question)),
    ]);
    for other in examined.found.lines().skip(1) {
        let name = lines::name(other.aspect);
        rows.extend([
            row(format!("{name}: event"), event(other)),
            row(format!("{name}: counts"), counts(other)),
            row(format!("{name}: read"), other.features_read.join("; ")),
        ]);
        if question.claim.as_budget().is_none() {
            rows.push(row(format!("{name}: the claim allows"), allowed(other)));
        }
    }
    if let Some((what, other)) = told.other {
        let proof =
            proof(other).map(|proof| row(format!("{what}: the proof is"), proof.to_owned()));
        rows.extend(proof);
        rows.push(row(
            format!("{what}: calls"),
            format!("{} in {:.2} s", other.calls, other.seconds.as_secs_f64()),
        ));
    }
    if let Some(shrinking) = &examined.shrinking {
        let took = format!(
            "{} calls in {:.2} s, with those that proved nothing",
            shrinking.calls,
            shrinking.seconds.as_secs_f64()
        );
        let said = match failure(examined, Stage::Shrinking) {
            Some(error) => format!("ended early, after {took}: {error}"),
            None => took,
        };
        rows.push(row("shrinking", said));
    }
    rows.extend(power::rows(&examined.power));
    rows.extend(examined.beliefs.as_ref().map(beliefs::row));
    rows
}

/// The mass from which on an output that one dataset alone has is learned by this audit.
fn learnable(finding: &Finding, question: &Question) -> Option<f64> {
    let is_betting = question.until != Until::End && finding.aspect != Aspect::Bits;
    let bets = &finding.level * ratio(4, 5);
    let mass = || learnable_mass(&question.claim, &bets, question.calls);
    is_betting.then(mass).flatten()
}

/// That no violation of this delta could have been seen, if that is so: by any test, or by what this audit learns from.
fn delta_out_of_sight(finding: &Finding, question: &Question) -> Option<String> {
    let (_, delta) = question.claim.as_budget()?;
    let by_any = finding.undetectable_mass;
    let here = learnable(finding, question).filter(|mass| *mass > by_any);
    let is_open = finding.verdict == Verdict::NotRefuted && !delta.is_zero();
    let is_out = to_f64_for_display(delta) < here.unwrap_or(by_any);
    (is_open && is_out).then(|| {
        let here = here.map_or(String::new(), |mass| {
            format!(", and this one needs some {} to learn one", short(mass))
        });
        format!(
            "{} is out of sight: of {} calls no test notices a leak of mass below {}{here}. What else the claim forbids was looked for",
            to_scientific(delta, 3),
            finding.calls,
            short(by_any)
        )
    })
}

/// The cost of the audit of a pair.
fn calls(finding: &Finding, question: &Question) -> String {
    let confirming = finding.confirmation.map_or(String::new(), |confirmation| {
        format!(", and {} that confirm the event", confirmation.calls)
    });
    format!(
        "{} on this pair in {:.2} s{confirming}, seed {}",
        finding.calls,
        finding.seconds.as_secs_f64(),
        question.seed
    )
}

/// A property of all answers that suggests that the program does not do what it is asked for.
fn answers_note(answers: &Answers) -> Option<String> {
    if answers.are_mostly_errors() {
        let error = answers.first_error.as_deref().unwrap_or_default();
        let [all, errors] =
            [answers.calls, answers.errors].map(|counts| counts.iter().sum::<u64>());
        return Some(format!(
            "{errors} of {all} calls were answered by an error, first by {}: is the dataset what the program expects?",
            cut(format!("{error:?}"))
        ));
    }
    let [first, second] = answers.only()?;
    let said = [first, second].map(|answer| cut(answer.to_string()));
    Some(match is_constant(answers) {
        true => format!(
            "every answer was the same, {}: nothing was tested. Does the program read its dataset, and draw noise?",
            said[0]
        ),
        false => format!(
            "all calls on dataset 1 were answered by {}, and all on dataset 2 by {}: the program shows no noise, or makes its generator again with one seed, or keeps its answers in a cache",
            said[0], said[1]
        ),
    })
}

/// What the answers have in common that refute a claim, where it names the fault better than an event does.
fn noise_note(finding: &Finding) -> Option<String> {
    if finding.verdict != Verdict::Violation || finding.aspect == Aspect::Time {
        return None;
    }
    if let Some([first, second]) = finding.answers.none_on_both() {
        return Some(format!(
            "none came on both datasets: {first} different ones came again and again on dataset 1, and {second} on dataset 2. Is the noise a function of the records, or on another grid on each dataset?"
        ));
    }
    let [first, second] = finding.answers.few_states()?;
    Some(format!(
        "only {first} different ones came on dataset 1, and {second} on dataset 2, all of them about as often: does the generator have few states, or is it seeded by a small number?"
    ))
}

/// Whether every answer on both datasets was the same.
fn is_constant(answers: &Answers) -> bool {
    answers
        .only()
        .is_some_and(|[first, second]| first == second)
}

/// The pair that a smaller one was made from, and what stayed the same.
fn shrunk(examined: &Examined) -> Option<(String, String)> {
    let smaller = examined.smaller()?;
    let (before, after) = (&examined.found.pair, &smaller.pair);
    if before == after {
        return None;
    }
    let records = |pair: &Pair| {
        let sizes = [&pair.0, &pair.1].map(|data| data.as_array().map_or(0, Vec::len));
        sizes[0].max(sizes[1])
    };
    let kept = match (&examined.searched, examined.relation) {
        (Some(_), _) => "within the domain",
        (None, Some(NeighbouringRelation::Substitute)) => {
            "their number is public and was kept, and all records are of your datasets"
        }
        (None, _) => "all records are of your datasets",
    };
    let (before, after) = (records(before), records(after));
    let plural = if before == 1 { "" } else { "s" };
    let value = if before == after {
        format!(
            "from another pair of {before} record{plural}, on which the claim fell first, to simpler records: {kept}"
        )
    } else {
        format!(
            "from a pair of {before} record{plural}, on which the claim fell first, to {after}: {kept}"
        )
    };
    Some(("shrunk".to_owned(), value))
}

/// A dataset of more characters is printed in fewer.
const LONGEST: usize = 200;

/// A dataset for people: where it is long, equal records that follow on each other are counted, `0 (999 times)`, and what
/// is still long is cut.
pub fn dataset(data: &Value) -> String {
    let text = data.to_string();
    let Value::Array(records) = data else {
        return cut(text);
    };
    if text.len() <= LONGEST {
        return text;
    }
    let runs = records.chunk_by(PartialEq::eq).map(|run| match run {
        [one] => one.to_string(),
        all => format!("{} ({} times)", all[0], all.len()),
    });
    let runs: Vec<String> = runs.collect();
    cut(format!("[{}]", runs.join(",")))
}

/// What these calls would have rejected by this event.
fn event_power(finding: &Finding, question: &Question) -> String {
    if let Some(epsilon) = &finding.event_power {
        let epsilon = to_scientific(epsilon, 4);
        return format!("epsilon {epsilon} would be rejected with probability 0.95");
    }
    if finding.event_mass.is_none() && question.claim.as_budget().is_none() {
        return "not stated: it is an epsilon, and the claim is in another measure".to_owned();
    }
    let (likely, rare) = match finding.event.likelier {
        Side::First => (1, 2),
        Side::Second => (2, 1),
    };
    match (finding.event_mass, finding.method) {
        (Some(mass), _) => format!(
            "it never came on dataset {rare}, so that no epsilon can be stated; the claim would be rejected with probability 0.95 if it came with probability {} on dataset {likely}, and never on dataset {rare}",
            short(mass)
        ),
        (None, Some(Method::Sequential)) => {
            "not stated: the run stopped when the proof was there".to_owned()
        }
        (None, _) => no_event_power(finding, (likely, rare)),
    }
}

/// Why there is no epsilon that these calls would have rejected by this event.
fn no_event_power(finding: &Finding, (likely, rare): (u8, u8)) -> String {
    let (_, (calls, came)) = finding.counts.likelier_first(finding.event.likelier);
    let none = "none, as";
    if came == 0 || calls == 0 {
        return format!(
            "{none} these calls are too few: even if it always came on dataset {likely}, and never on dataset {rare}, the claim would not be rejected with probability 0.95"
        );
    }
    // Beside the claimed epsilon and delta, it may then come always: floats, for words.
    let frequency = came as f64 / calls as f64;
    let [slope, delta] = [finding.half_plane.slope(), finding.half_plane.delta()];
    let claimed = to_f64_for_display(slope) * frequency + to_f64_for_display(delta);
    let frequency = short(frequency);
    if claimed >= 1.0 {
        format!(
            "{none} the event is too frequent on dataset {rare} ({frequency}) for any larger epsilon to show in it"
        )
    } else {
        format!(
            "{none} the event is frequent on dataset {rare} ({frequency}, or what else chance allows): these calls need not reject the claim with probability 0.95, even if it always came on dataset {likely}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refute::{EventCounts, audit_pair};
    use crate::targets::{Function, Output};
    use dp_assay::coins::{ChaCha, Coins};

    #[test]
    fn long_datasets_are_cut_for_people() {
        let mut records = vec![json!(0); 999];
        records.push(json!(1));
        assert_eq!(dataset(&json!(records)), "[0 (999 times),1]");
        assert_eq!(dataset(&json!([0, 0, 1])), "[0,0,1]");
        let different: Vec<u32> = (0..1000).collect();
        let text = dataset(&json!(different));
        assert!(text.ends_with("… (3891 characters)"), "{text}");
        assert!(text.starts_with("[0,1,2,3") && text.chars().count() < 230);
        assert_eq!(dataset(&json!("x")), "\"x\"");
    }

    #[test]
    fn why_an_event_has_no_power_is_said_as_it_is() {
        let mut coins = ChaCha::reproducible(1, 0);
        let mut coin = Function(|_: &Value| Ok(Output::Integer(coins.bits(1)?.into())));
        let question = Question {
            claim: Claim::budget(ratio(1, 1), ratio(0, 1)),
            level: ratio(1, 20),
            calls: 1000,
            until: Until::Proof,
            shrink: false,
            time: false,
            seed: 1,
        };
        let pair = Pair(json!([0]), json!([1]));
        let mut found = audit_pair(&mut coin, &pair, &question).unwrap();
        let said = event_power(&found, &question);
        assert!(said.contains("too frequent on dataset"), "{said}");
        // At a quarter it could come e times as often, but chance allows more than a quarter.
        found.counts = EventCounts {
            first_calls: 400,
            first: 100,
            second_calls: 400,
            second: 100,
        };
        let said = event_power(&found, &question);
        assert!(said.contains("(0.250, or what else"), "{said}");
        found.counts = EventCounts {
            first_calls: 2,
            second_calls: 2,
            ..EventCounts::default()
        };
        let said = event_power(&found, &question);
        assert!(said.contains("too few"), "{said}");
    }
}
