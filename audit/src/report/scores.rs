//! The report on scores of membership, of one training or of many.

use super::{AuditReport, Conclusion, Rows, row};
use crate::scores::{Claim, many, one_run};
use dp_assay::number::Rational;
use dp_assay::number::rational::{shortly, to_scientific_above, to_scientific_below};
use serde_json::{Value, json};

/// What one training takes for granted.
const ONE_ASSUMES: [&str; 5] = [
    "the claim holds for one canary more or less",
    "each canary had a fair coin of its own, and was put in once or not at all: no twins shared a coin, and the number of members was not fixed",
    "all canaries are here, and all scores are of one training: none was dropped, and no other training was looked at",
    "no score knows who was in: none was scaled or signed by members and non-members apart",
    "which scores are looked at, and whether higher means in, was fixed before they were seen",
];

/// What many trainings take for granted.
const MANY_ASSUMES: [&str; 3] = [
    "the trainings are independent, and those with the record have one law, as have those without it",
    "the claim holds for this record put in or left out",
    "which score is looked at, and whether higher means in, was fixed before they were seen",
];

/// Of one training.
#[must_use]
pub fn one(
    found: &one_run::Found,
    question: &one_run::Question,
    scores: &str,
    coins: &str,
) -> AuditReport {
    let claim = &question.claim;
    let mut rows = vec![bound_row(
        claim,
        found.best().and_then(|best| best.lower.as_ref()),
    )];
    rows.extend(found.guessed.iter().map(|guessed| {
        let said = guessed.lower.as_ref().map_or_else(
            || "no bound".to_owned(),
            |lower| {
                format!(
                    "{} above {}",
                    parameter(claim),
                    to_scientific_below(lower, 5)
                )
            },
        );
        row(
            format!("{} guesses", guessed.guesses),
            format!("{} right: {said}", guessed.right),
        )
    }));
    rows.push(ceiling_row(
        claim,
        found.ceiling.as_ref(),
        "if all guesses had been right",
    ));
    rows.push(row("coins", coins));
    rows.extend(ONE_ASSUMES.map(|assumed| row("assumed", assumed)));
    let share = match found.guessed.len() {
        1 => "one number of guesses has all of it".to_owned(),
        many => format!(
            "{many} numbers of guesses have {} each",
            shortly(&found.share)
        ),
    };
    let more = vec![
        row(
            "level of all bounds together",
            format!("{}; {share}", shortly(&question.level)),
        ),
        row("canaries", found.canaries.to_string()),
        row("not seen", NOT_SEEN),
    ];
    let lower = found.best().and_then(|best| best.lower.clone());
    Told {
        claim,
        level: &question.level,
        refuted: found.is_refuted(),
        lower,
        ceiling: found.ceiling.as_ref(),
        rows,
        more,
        json: one_as_json(found, coins),
    }
    .report(scores)
}

/// Of many trainings.
#[must_use]
pub fn many(found: &many::Found, question: &many::Question, scores: &str) -> AuditReport {
    let claim = &question.claim;
    let mut rows = vec![bound_row(claim, found.lower.as_ref())];
    rows.extend(found.half_line.iter().map(|line| {
        let counts = format!(
            "{} of {} with the record, {} of {} without it",
            line.ins, found.ins, line.outs, found.outs
        );
        row(
            "scores where they differ most",
            format!(
                "at least as member-like as {}: {counts}",
                shortly(&line.threshold)
            ),
        )
    }));
    rows.extend(found.half_line.iter().map(|line| {
        let with = to_scientific_below(&line.with, 4);
        let without = to_scientific_above(&line.without, 4);
        row(
            "their probabilities",
            format!("above {with} with it, and below {without} without"),
        )
    }));
    rows.push(ceiling_row(
        claim,
        found.ceiling.as_ref(),
        "if the scores had not overlapped",
    ));
    rows.extend(MANY_ASSUMES.map(|assumed| row("assumed", assumed)));
    let more = vec![
        row(
            "level of the bound",
            format!(
                "{}: all thresholds together, half of it for either side",
                shortly(&question.level)
            ),
        ),
        row(
            "trainings",
            format!("{} with the record, {} without it", found.ins, found.outs),
        ),
        row("not seen", NOT_SEEN),
    ];
    Told {
        claim,
        level: &question.level,
        refuted: found.is_refuted,
        lower: found.lower.clone(),
        ceiling: found.ceiling.as_ref(),
        rows,
        more,
        json: many_as_json(found),
    }
    .report(scores)
}

fn one_as_json(found: &one_run::Found, coins: &str) -> Value {
    let guesses = found.guessed.iter().map(|guessed| {
        json!({
            "guesses": guessed.guesses,
            "right": guessed.right,
            "refutes": guessed.refutes,
            "lower": text(guessed.lower.as_ref()),
        })
    });
    json!({
        "trainings": "one",
        "canaries": found.canaries,
        "guesses": guesses.collect::<Vec<_>>(),
        "level_of_each": found.share.to_string(),
        "coins": coins,
        "assumes": ONE_ASSUMES,
    })
}

fn many_as_json(found: &many::Found) -> Value {
    let half_line = found.half_line.as_ref().map(|line| {
        json!({
            "threshold": line.threshold.to_string(),
            "with": line.ins,
            "without": line.outs,
        })
    });
    json!({
        "trainings": "many",
        "with": found.ins,
        "without": found.outs,
        "half_line": half_line,
        "assumes": MANY_ASSUMES,
    })
}

/// What both kinds of reports have.
struct Told<'a> {
    claim: &'a Claim,
    level: &'a Rational,
    refuted: bool,
    lower: Option<Rational>,
    ceiling: Option<&'a Rational>,
    rows: Rows,
    more: Rows,
    json: Value,
}

impl Told<'_> {
    fn report(self, scores: &str) -> AuditReport {
        let private = private(self.claim);
        let mut json = self.json;
        let common = json!({
            "verdict": match self.refuted { true => "violation", false => "not-refuted" },
            "level": self.level.to_string(),
            "version": env!("CARGO_PKG_VERSION"),
        });
        let lower = text(self.lower.as_ref());
        let ceiling = text(self.ceiling);
        // A bound on rho or mu has a name of its own: it is none on an epsilon.
        let of_claim = match self.claim {
            Claim::Budget { epsilon, delta } => json!({
                "epsilon": epsilon.to_string(), "delta": delta.to_string(),
                "epsilon_lower": lower, "epsilon_ceiling": ceiling,
            }),
            Claim::Zcdp { rho } => json!({
                "rho": rho.to_string(), "rho_lower": lower, "rho_ceiling": ceiling,
            }),
            Claim::Gaussian { mu } => json!({
                "mu": mu.to_string(), "mu_lower": lower, "mu_ceiling": ceiling,
            }),
        };
        for part in [common, of_claim] {
            if let (Some(json), Value::Object(part)) = (json.as_object_mut(), part) {
                json.extend(part);
            }
        }
        AuditReport {
            conclusion: Conclusion::of(self.refuted),
            target: scores.to_owned(),
            question: format!("the training is {private}"),
            says: match self.refuted {
                true => format!("violation: not {private}"),
                false => format!("not refuted: no proof was found that it is not {private}"),
            },
            contradiction: None,
            warnings: Vec::new(),
            rows: self.rows,
            more: self.more,
            details: Vec::new(),
            json,
        }
    }
}

const NOT_SEEN: &str =
    "other records than these, other scores of them, and what the scores do not show";

fn private(claim: &Claim) -> String {
    match claim {
        Claim::Budget { epsilon, delta } => {
            format!("({}, {})-private", shortly(epsilon), shortly(delta))
        }
        Claim::Zcdp { rho } => format!("{}-zCDP", shortly(rho)),
        Claim::Gaussian { mu } => format!("{}-Gaussian private", shortly(mu)),
    }
}

fn parameter(claim: &Claim) -> &'static str {
    match claim {
        Claim::Budget { .. } => "epsilon",
        Claim::Zcdp { .. } => "rho",
        Claim::Gaussian { .. } => "mu",
    }
}

/// The bound in words.
fn bound_row(claim: &Claim, lower: Option<&Rational>) -> (String, String) {
    let said = lower.map_or_else(
        || "no bound".to_owned(),
        |lower| format!("above {}", to_scientific_below(lower, 6)),
    );
    let said = match claim {
        Claim::Budget { delta, .. } => format!("{said}, at delta = {}", shortly(delta)),
        Claim::Zcdp { .. } | Claim::Gaussian { .. } => {
            format!("{said}; nothing on any (epsilon, delta) follows from it")
        }
    };
    row(parameter(claim), said)
}

fn ceiling_row(claim: &Claim, ceiling: Option<&Rational>, when: &str) -> (String, String) {
    let said = ceiling.map_or_else(
        || "nothing".to_owned(),
        |most| {
            format!(
                "{} above {}",
                parameter(claim),
                to_scientific_below(most, 6)
            )
        },
    );
    row("the most that so many can prove", format!("{said}, {when}"))
}

fn text(number: Option<&Rational>) -> Option<String> {
    number.map(|number| to_scientific_below(number, 9))
}
