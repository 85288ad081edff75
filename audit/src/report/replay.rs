//! The report on recorded noise: does it hide what it is claimed to hide?

use super::{AuditReport, Conclusion, Rows};
use crate::replay::{Claim, Draw, Examined, Loss, Run};
use crate::report::row;
use crate::targets::cut;
use dp_assay::number::Rational;
use dp_assay::number::rational::{shortly, to_scientific};
use num_traits::Zero;
use serde_json::{Value, json};

/// The report.
pub fn report(examined: &Examined, claim: &Claim, target: &str) -> AuditReport {
    let private = format!("({}, {})-private", claim.epsilon, shortly(&claim.delta));
    AuditReport {
        conclusion: Conclusion::of(examined.violated),
        target: target.to_owned(),
        question: question(claim),
        says: match examined.violated {
            true => format!("violation, given the recorded noise: not {private}"),
            false => format!(
                "not refuted, given the recorded noise: no proof was found that it is not {private}"
            ),
        },
        contradiction: None,
        warnings: Vec::new(),
        rows: rows(examined, claim),
        more: more(examined, claim),
        details: Vec::new(),
        json: as_json(examined, claim),
    }
}

/// What is claimed.
pub fn question(claim: &Claim) -> String {
    format!(
        "the program is ({}, {})-private, given the noise that it records",
        claim.epsilon,
        shortly(&claim.delta)
    )
}

/// The claim, for a report without an answer too.
pub fn asked(claim: &Claim) -> Value {
    json!({
        "epsilon": claim.epsilon.to_string(),
        "delta": claim.delta.to_string(),
        "level_of_all_proofs": claim.level.to_string(),
        "assumes": ASSUMES,
    })
}

/// What a verdict assumes. `spec/auditor.md` says why each is needed.
const ASSUMES: [&str; 5] = [
    "all randomness of the program goes through its recorder",
    "the laws, scales and values that are recorded are the truth; scales up to the rounding of doubles, 2^-48 of them",
    "the noise has exactly its law: noise on the real line is not rounded",
    "the noise is added to the value that is recorded, and the program is otherwise a function of its data and its noisy values",
    "who reads the output knows which of its numbers are the noisy values, in their order",
];

/// What noise says whose loss has no largest value.
const NO_EPSILON: &str = "has another value or scale under it on the two datasets, and far out its loss is above every number: with delta = 0 it hides nothing, whatever epsilon is. Claim a delta, or zCDP";

/// What that assumes, beside the rest.
const ASSUMES_FAR: &str = "noisy values are released however far out they are: none is cut off";

fn rows(examined: &Examined, claim: &Claim) -> Rows {
    let run = &examined.worst;
    let mut rows = vec![
        row(
            "the largest loss",
            format!(
                "{} in one run, where {} is claimed",
                run.loss,
                shortly(&claim.epsilon)
            ),
        ),
        row("evidence", evidence(examined, claim)),
        row(
            "pair",
            format!(
                "{} and {}",
                cut(run.pair.0.to_string()),
                cut(run.pair.1.to_string())
            ),
        ),
    ];
    rows.push(row(
        "outputs with the same noisy values",
        format!(
            "{} and {}",
            cut(run.recorded.output.to_string()),
            cut(run.replayed.output.to_string())
        ),
    ));
    rows.extend(examined.unbounded.and_then(|place| {
        let (law, said) = (&run.recorded.draws.get(place)?.law, NO_EPSILON);
        Some(row(
            "no epsilon",
            format!("number {place} (from 0), {law}, {said}"),
        ))
    }));
    rows.extend(costliest(run).map(|(place, a, b)| {
        row(
            "the draw that moved most",
            format!(
                "number {place} (from 0), {} of scale {}: around {} and {}",
                a.law,
                said(a.scale.as_ref()),
                said(a.value.as_ref()),
                said(b.value.as_ref())
            ),
        )
    }));
    rows.extend(ASSUMES.map(|assumed| row("assumed", assumed)));
    rows.extend(examined.unbounded.map(|_| row("assumed", ASSUMES_FAR)));
    rows
}

fn evidence(examined: &Examined, claim: &Claim) -> String {
    match &examined.evidence {
        None => "a run that a true claim allows with probability 0".to_owned(),
        Some(_) if claim.delta.is_zero() => {
            format!("no run of {} is above the claim", examined.runs)
        }
        Some(mean) => format!(
            "{} on average over {} runs, which a true claim allows with probability {} at most; {} is a proof",
            to_scientific(mean, 4),
            examined.runs,
            to_scientific(&at_most(mean), 4),
            shortly(&(Rational::from_integer(1.into()) / &claim.level))
        ),
    }
}

/// The probability of such a mean under a true claim, by Markov's inequality.
fn at_most(mean: &Rational) -> Rational {
    let one = Rational::from_integer(1.into());
    match *mean <= one {
        true => one,
        false => one / mean,
    }
}

/// The draw whose value moved most, in its scale.
fn costliest(run: &Run) -> Option<(usize, &Draw, &Draw)> {
    let draws = run.recorded.draws.iter().zip(&run.replayed.draws);
    let moved = |a: &Draw, b: &Draw| -> Option<Rational> {
        let shift = a.value.as_ref()? - b.value.as_ref()?;
        let scaled = shift / a.scale.as_ref()?;
        Some(&scaled * &scaled)
    };
    let all = draws.enumerate().map(|(place, (a, b))| (place, a, b));
    all.max_by_key(|&(place, a, b)| (moved(a, b), std::cmp::Reverse(place)))
}

fn said(number: Option<&Rational>) -> String {
    number.map_or_else(|| "none".to_owned(), shortly)
}

/// The limits of the audit, and its cost.
fn more(examined: &Examined, claim: &Claim) -> Rows {
    vec![
        row("level of all proofs together", claim.level.to_string()),
        row(
            "draws of a run",
            examined.worst.recorded.draws.len().to_string(),
        ),
        row(
            "calls",
            format!(
                "3 for each of {} runs, in {:.2} s",
                examined.runs,
                examined.seconds.as_secs_f64()
            ),
        ),
        row("not seen", NOT_SEEN),
    ]
}

const NOT_SEEN: &str = "other pairs than this one, noisy values that these runs did not meet, and what the assumptions leave out: a sampler that has not its law, or bits of its doubles that tell";

fn as_json(examined: &Examined, claim: &Claim) -> Value {
    let run = &examined.worst;
    let (loss, reason) = match &run.loss {
        Loss::AtLeast(loss) => (Some(to_scientific(loss, 12)), None),
        Loss::Infinite(reason) => (None, Some(reason.to_string())),
    };
    let number = |number: Option<&Rational>| number.map(ToString::to_string);
    let draw = |draw: &Draw| {
        json!({
            "law": draw.law.to_string(),
            "scale": number(draw.scale.as_ref()),
            "value": number(draw.value.as_ref()),
            "released": number(draw.released.as_ref()),
        })
    };
    let mut report = json!({
        "verdict": match examined.violated {
            true => "violation-given-the-recorded-noise",
            false => "not-refuted-given-the-recorded-noise",
        },
        "largest_loss": loss,
        "unbounded": examined.unbounded,
        "infinite": reason,
        "evidence": examined.evidence.as_ref().map(|mean| to_scientific(mean, 6)),
        "certain": examined.evidence.is_none(),
        "pair": [run.pair.0, run.pair.1],
        "outputs": [run.recorded.output.line(), run.replayed.output.line()],
        "draws": [
            run.recorded.draws.iter().map(draw).collect::<Vec<_>>(),
            run.replayed.draws.iter().map(draw).collect::<Vec<_>>(),
        ],
        "runs": examined.runs,
        "seconds": examined.seconds.as_secs_f64(),
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let (Some(report), Value::Object(asked)) = (report.as_object_mut(), asked(claim)) {
        report.extend(asked);
    }
    report
}
