//! The ledger as JSON: the shape stands in `spec/`, and names in it are not changed.

use super::{arithmetic, named_figures};
use dp_assay_ledger::claim::{Claim, MachineChecked, Status, Version};
use dp_assay_ledger::{Entry, Ledger, Recheck, repairs_of};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// What a page says of a claim. The same fields for a listed claim and a checked one.
#[derive(Debug, serde::Serialize)]
pub struct Stated<'a> {
    id: &'a str,
    paper: &'static str,
    item: &'a str,
    as_printed: bool,
    version: String,
    /// Where the paper has what is quoted.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    /// The paper's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    quote: Option<&'a str>,
    short: &'a str,
    statement: &'a str,
    expected: String,
    /// How it is refuted, or why it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// The kind, by its name before.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<&'a str>,
    /// The clauses of the statement that the check does not assert.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_only: Option<&'a str>,
    /// In whose place the claim stands.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    repairs: &'a [String],
    /// What stands in the claim's place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired_by: Vec<&'static str>,
    rests_on: &'a [String],
    cites: &'a [String],
    /// What covers the claim beyond what ran.
    proof: String,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine_checked: Option<Theorems<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alias_of: Option<&'a str>,
    source: &'a str,
}

impl<'a> Stated<'a> {
    /// The claim under its own id, or under another.
    pub fn new(claim: &'a Claim, alias: Option<&'a str>) -> Self {
        Self {
            id: alias.unwrap_or(&claim.id),
            paper: claim.paper,
            item: &claim.item,
            as_printed: claim.version == Version::AsPrinted,
            version: claim.version.to_string(),
            place: claim.place.as_deref(),
            quote: claim.quote.as_deref(),
            short: &claim.short,
            statement: &claim.statement,
            expected: claim.expected.to_string(),
            kind: claim.fault.map(|fault| fault.to_string()),
            fault: claim.fault.map(|fault| fault.to_string()),
            reading: claim.reading.as_deref(),
            proof_only: claim.proof_only.as_deref(),
            repairs: &claim.repairs,
            repaired_by: repairs_of(&claim.id),
            rests_on: &claim.rests_on,
            cites: &claim.cites,
            proof: claim.proof().to_string(),
            proved: claim.proved,
            machine_checked: claim.machine_checked.as_ref().map(Theorems::from),
            alias_of: alias.map(|_| claim.id.as_str()),
            source: &claim.source,
        }
    }
}

/// What Coq has of a claim: no run of the ledger checks it.
#[derive(Debug, serde::Serialize)]
struct Theorems<'a> {
    theorems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tapes: Option<u64>,
}

impl<'a> From<&'a MachineChecked> for Theorems<'a> {
    fn from(found: &'a MachineChecked) -> Self {
        Self {
            theorems: &found.theorems,
            note: found.note.as_deref(),
            tapes: found.tapes,
        }
    }
}

/// A claim and its other ids, each an object of its own.
fn under_each_id(aliases: &[String]) -> impl Iterator<Item = Option<&str>> {
    std::iter::once(None).chain(aliases.iter().map(|id| Some(id.as_str())))
}

/// The claims, as listed by `assay claims`.
#[derive(Debug, serde::Serialize)]
pub struct Listing<'a> {
    claims: Vec<Stated<'a>>,
}

impl<'a> Listing<'a> {
    /// Lists these claims.
    pub fn new(entries: &[&'a Entry]) -> Self {
        let stated = |entry: &'a Entry| {
            under_each_id(&entry.aliases).map(|alias| Stated::new(&entry.claim, alias))
        };
        Self {
            claims: entries.iter().copied().flat_map(stated).collect(),
        }
    }
}

#[derive(Debug, serde::Serialize)]
struct Checked<'a> {
    #[serde(flatten)]
    stated: Stated<'a>,
    #[serde(flatten)]
    found: Found<'a>,
}

/// What the check of a claim found.
#[derive(Debug, serde::Serialize)]
pub struct Found<'a> {
    status: String,
    /// The status, weakened by what it rests on.
    shown: String,
    /// The proof, weakened in the same way.
    proof_shown: String,
    as_expected: bool,
    scope: Option<String>,
    evidence: CheckedEvidence<'a>,
}

#[derive(Debug, serde::Serialize)]
struct CheckedEvidence<'a> {
    method: Option<String>,
    assertions: u64,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    counterexamples: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    slack: bool,
    figures: Figures<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    replay: String,
}

impl<'a> Checked<'a> {
    fn new(ledger: &'a Ledger, recheck: &'a Recheck, alias: Option<&'a str>) -> Self {
        Self {
            stated: Stated::new(&recheck.claim, alias),
            found: Found::new(ledger, recheck),
        }
    }
}

impl<'a> Found<'a> {
    /// What this check found.
    pub fn new(ledger: &'a Ledger, recheck: &'a Recheck) -> Self {
        let evidence = recheck.result.as_ref().ok();
        Self {
            status: recheck
                .status()
                .map_or("could-not-run".to_owned(), |status| status.to_string()),
            shown: ledger.shown(recheck),
            proof_shown: ledger.shown_proof(recheck),
            as_expected: recheck.as_expected(),
            scope: evidence.map(|evidence| evidence.scope()),
            evidence: CheckedEvidence {
                method: evidence.map(|evidence| evidence.method()),
                assertions: evidence.map_or(0, |evidence| evidence.assertions()),
                counterexamples: evidence.map_or(&[], |evidence| evidence.counterexamples()),
                failure: evidence.and_then(|evidence| evidence.failure()),
                slack: evidence.is_some_and(|evidence| evidence.is_slack()),
                figures: Figures(evidence.map_or_else(Vec::new, named_figures)),
                error: recheck.result.as_ref().err().map(String::as_str),
                replay: recheck.replay(&ledger.effort),
            },
        }
    }
}

/// The figures, in their own order.
#[derive(Debug)]
struct Figures<'a>(Vec<(String, &'a str)>);

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[derive(Debug, serde::Serialize)]
struct Summary {
    claims: usize,
    checked: usize,
    supported: usize,
    refuted: usize,
    counterexamples: usize,
    open: usize,
    could_not_run: usize,
    not_as_expected: usize,
    arithmetic: &'static str,
    quick: bool,
    thorough: bool,
    seed: u64,
    version: &'static str,
}

/// The whole ledger.
#[derive(Debug, serde::Serialize)]
pub struct LedgerReport<'a> {
    claims: Vec<Checked<'a>>,
    summary: Summary,
}

impl<'a> From<&'a Ledger> for LedgerReport<'a> {
    fn from(ledger: &'a Ledger) -> Self {
        let checked = |recheck: &'a Recheck| {
            under_each_id(&recheck.aliases).map(|alias| Checked::new(ledger, recheck, alias))
        };
        Self {
            claims: ledger.rechecks.iter().flat_map(checked).collect(),
            summary: Summary {
                claims: ledger.rechecks.len(),
                checked: ledger.count(Status::Checked),
                supported: ledger.count(Status::Supported),
                refuted: ledger.count(Status::Refuted),
                counterexamples: ledger.counterexamples(),
                open: ledger.count(Status::Open),
                could_not_run: ledger.could_not_run(),
                not_as_expected: ledger.not_as_expected(),
                arithmetic: arithmetic(),
                quick: ledger.effort.quick,
                thorough: ledger.effort.thorough,
                seed: ledger.effort.seed,
                version: env!("CARGO_PKG_VERSION"),
            },
        }
    }
}
