//! Until a page has its new form: the claims as the code lists them, with evidence that states its conclusion.

pub use super::LedgerError;
use super::{Entry, Runs, random_features, samplers};
use crate::claim::{self, Check, Fault, Strength, Trouble, Version};
use std::fmt;

pub use crate::claim::{Effort, Status};

/// What a check found.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// How it was checked, in a few words: "exact enumeration", "certified arithmetic".
    pub method: &'static str,
    /// What was established.
    pub status: Status,
    /// On what: never wider than what was run.
    pub scope: String,
    /// The numbers that came out, each with its name; of a refutation, the counterexample.
    pub figures: Vec<(String, String)>,
}

impl Evidence {
    /// Evidence without figures.
    #[must_use]
    pub fn new(method: &'static str, status: Status, scope: impl Into<String>) -> Self {
        Self {
            method,
            status,
            scope: scope.into(),
            figures: Vec::new(),
        }
    }

    /// The same evidence with one more figure.
    #[must_use]
    pub fn figure(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.figures.push((name.into(), value.to_string()));
        self
    }
}

/// Evidence that a claim is verified if it holds, and refuted if it does not.
pub(super) fn verified(holds: bool, method: &'static str, scope: impl Into<String>) -> Evidence {
    let status = if holds {
        Status::Verified
    } else {
        Status::Refuted
    };
    Evidence::new(method, status, scope)
}

/// Evidence that a claim is refuted if the counterexample stands; if it does not, nothing was checked.
pub(super) fn refuted(
    counterexample: bool,
    method: &'static str,
    scope: impl Into<String>,
) -> Evidence {
    let status = if counterexample {
        Status::Refuted
    } else {
        Status::Open
    };
    Evidence::new(method, status, scope)
}

/// A claim of a paper, or of this library.
#[derive(Clone, Copy)]
pub struct Claim {
    /// The permanent id, as `nuz20.thm6`; a repaired claim ends in `.corrected`.
    pub id: &'static str,
    /// The paper's key, or `dp-assay` for our own.
    pub paper: &'static str,
    /// Where it stands: "Theorem 6", "Algorithm 2, step 5".
    pub item: &'static str,
    /// What is claimed, in one or two sentences.
    pub statement: &'static str,
    /// Whether this is what is printed (rather than our repair or our own).
    pub as_printed: bool,
    /// What `spec/` says of it.
    pub expects: Status,
    /// Re-establishes it.
    pub check: fn(&Effort) -> Result<Evidence, LedgerError>,
}

impl fmt::Debug for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Claim")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A claim as a paper prints it. Its id begins with the paper's key and a dot.
pub(super) const fn printed(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        id,
        paper: before_the_dot(id),
        item,
        statement,
        as_printed: true,
        expects,
        check,
    }
}

/// A claim of ours about a paper: repaired, or explicit.
pub(super) const fn ours(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        as_printed: false,
        ..printed(id, item, statement, expects, check)
    }
}

/// `nuz20` of `nuz20.thm6`.
const fn before_the_dot(id: &'static str) -> &'static str {
    let mut length = 0;
    while length < id.len() && id.as_bytes()[length] != b'.' {
        length += 1;
    }
    id.split_at(length).0
}

/// The claims of the pages that are not yet read.
pub(super) fn entries() -> Vec<Entry> {
    let mut claims = samplers::CLAIMS.to_vec();
    claims.extend(random_features::claims());
    claims.into_iter().map(entry).collect()
}

fn entry(claim: Claim) -> Entry {
    Entry {
        claim: claim::Claim {
            id: claim.id.to_owned(),
            paper: claim.paper,
            place: String::new(),
            item: claim.item.to_owned(),
            version: match (claim.as_printed, claim.paper) {
                (true, _) => Version::AsPrinted,
                (false, "dp-assay") => Version::Ours,
                (false, _) => Version::Repaired,
            },
            short: claim.statement.chars().take(claim::SHORT).collect(),
            statement: claim.statement.to_owned(),
            expected: claim.expects,
            fault: (claim.expects == Status::Refuted).then_some(Fault::False),
            reading: None,
            rests_on: Vec::new(),
            cites: Vec::new(),
            machine_checked: None,
            proved: false,
        },
        aliases: Vec::new(),
        runs: Runs::Old(claim.check),
    }
}

/// Says to a check what old evidence concluded.
pub(super) fn adopt(
    old: fn(&Effort) -> Result<Evidence, LedgerError>,
    effort: Effort,
    check: &mut Check,
) -> Result<(), Trouble> {
    let mut evidence = old(&effort)?;
    if evidence.status != Status::Open {
        evidence.scope = format!("{} ({})", evidence.scope, evidence.method);
    }
    match evidence.status {
        Status::Verified => {
            check.exact(&evidence.scope);
            check.holds(true, "");
        }
        Status::Refuted => {
            check.exact(&evidence.scope);
            check.refutes(true, &evidence.scope);
        }
        Status::Supported => {
            let strength = Strength {
                samples: 0,
                level: crate::number::rational::ratio(1, 1),
                detects: String::new(),
            };
            check.statistical(&evidence.scope, &strength);
            check.holds(true, "");
        }
        Status::Open => check.left_open(&evidence.scope),
    }
    for (name, value) in evidence.figures {
        check.figure(name, value);
    }
    Ok(())
}
