//! The report on a claim of stability: is a transformation as stable as that?

use super::{AuditReport, Conclusion, Rows, failed_afterwards};
use crate::maps::{Bound, Compared, Datasets, Distance, Effort, Examined, Length, Stability};
use crate::report::row;
use crate::targets::{Output, cut};
use serde_json::{Value, json};

/// The report.
pub fn report(
    examined: &Examined,
    stability: &Stability,
    datasets: &Datasets,
    effort: Effort,
    target: &str,
) -> AuditReport {
    let violation = examined.violation();
    let says = match (violation, datasets) {
        (Some(_), _) => format!("violation of the claim that {stability}"),
        (None, Datasets::Given(_)) => format!("not refuted by this pair: {stability}"),
        (None, Datasets::Described(_)) => {
            format!("not refuted by {} pairs: {stability}", examined.pairs)
        }
    };
    let farthest = examined.farthest.iter();
    AuditReport {
        conclusion: Conclusion::of(violation.is_some()),
        target: target.to_owned(),
        question: stability.to_string(),
        says,
        contradiction: None,
        warnings: failed_afterwards(examined.failure.as_ref()),
        rows: farthest
            .flat_map(|compared| rows(compared, stability))
            .collect(),
        more: more(examined, datasets),
        details: match datasets {
            Datasets::Given(_) => Vec::new(),
            Datasets::Described(_) => vec![row("seed", effort.seed.to_string())],
        },
        json: as_json(examined, stability, datasets, effort),
    }
}

/// The claim, for a report without an answer too.
pub fn asked(stability: &Stability) -> Value {
    let (kind, bound) = match &stability.bound {
        Bound::Factor(factor) => ("stability", factor),
        Bound::Neighbours(most) => ("bound", most),
    };
    let field = [&stability.input.user, &stability.output.user];
    json!({
        "claim": {
            kind: bound.to_string(),
            "input_metric": stability.input.metric.to_string(),
            "output_metric": stability.output.metric.to_string(),
            "user": field.into_iter().flatten().next().map(ToString::to_string),
        },
    })
}

/// The pair, and what was found on it.
fn rows(compared: &Compared, stability: &Stability) -> Rows {
    let [first, second] = compared.outputs.each_ref().map(Output::to_string);
    vec![
        row(
            "found",
            format!("{} ({})", compared.output, stability.output.metric),
        ),
        row(
            "claimed",
            format!(
                "at most {}, for datasets at the {} distance {}",
                compared.allowed, stability.input.metric, compared.input
            ),
        ),
        row(
            "pair",
            format!(
                "{} and {}",
                cut(compared.pair.0.to_string()),
                cut(compared.pair.1.to_string())
            ),
        ),
        row("outputs", format!("{} and {}", cut(first), cut(second))),
    ]
}

/// The grounds of the verdict, the limits of the audit, and its cost.
fn more(examined: &Examined, datasets: &Datasets) -> Rows {
    let mut rows = vec![row("assumed", ASSUMES)];
    rows.extend(examined.before.as_ref().map(|before| {
        row(
            "before shrinking",
            format!(
                "{} on {} and {}",
                before.output,
                cut(before.pair.0.to_string()),
                cut(before.pair.1.to_string())
            ),
        )
    }));
    if let Datasets::Described(_) = datasets {
        rows.push(row("pairs", examined.pairs.to_string()));
    }
    if examined.with_errors > 0 {
        let errors = format!("on {} of them", examined.with_errors);
        rows.push(row("an exception", errors));
    }
    rows.push(row(
        "calls",
        format!(
            "{} in {:.2} s",
            examined.calls,
            examined.seconds.as_secs_f64()
        ),
    ));
    rows.push(row("not seen", NOT_SEEN));
    rows
}

/// The assumption under which a violation is a proof.
const ASSUMES: &str = "the program is a function: each dataset was asked twice in one request, and the pair of a proof again at the end, the second dataset first";

const NOT_SEEN: &str = "pairs that were not compared: there is no statistics here, and no number says how many of them violate the claim";

fn as_json(
    examined: &Examined,
    stability: &Stability,
    datasets: &Datasets,
    effort: Effort,
) -> Value {
    let mut report = json!({
        "verdict": match examined.violation() {
            Some(_) => "violation",
            None => "not-refuted",
        },
        "assumes": ASSUMES,
        "pairs": examined.pairs,
        "pairs_with_an_exception": examined.with_errors,
        "most_pairs": match datasets {
            Datasets::Given(_) => None,
            Datasets::Described(_) => Some(effort.pairs),
        },
        "before_shrinking": examined.before.as_ref().map(compared_as_json),
        "calls": examined.calls,
        "seconds": examined.seconds.as_secs_f64(),
        "failed_after_the_proof": examined.failure.as_ref().map(ToString::to_string),
        "seed": effort.seed,
        "version": env!("CARGO_PKG_VERSION"),
    });
    let farthest = examined.farthest.as_ref().map(compared_as_json);
    for part in [Some(asked(stability)), farthest].into_iter().flatten() {
        if let (Some(report), Value::Object(part)) = (report.as_object_mut(), part) {
            report.extend(part);
        }
    }
    report
}

fn compared_as_json(compared: &Compared) -> Value {
    json!({
        "pair": [compared.pair.0, compared.pair.1],
        "outputs": compared.outputs.each_ref().map(Output::line),
        "input_distance": length_as_json(&compared.input),
        "allowed": length_as_json(&compared.allowed),
        "output_distance": match &compared.output {
            Distance::Finite(length) => length_as_json(length),
            Distance::Infinite(why) => json!({"infinite": why}),
        },
    })
}

/// Exact numbers as texts: the length itself if it is rational, and its square always.
fn length_as_json(length: &Length) -> Value {
    json!({
        "exact": length.rational().map(|exact| exact.to_string()),
        "square": length.square().to_string(),
        "about": length.about(),
    })
}
