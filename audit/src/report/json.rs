//! The ledger as JSON: the shape stands in `spec/`, and names in it are not changed.

use super::{Ledger, arithmetic, named_figures};
use dp_assay::ledger::{Claim, Status};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// One claim, as listed by `assay claims`.
#[derive(Debug, serde::Serialize)]
pub struct ListedClaim {
    id: &'static str,
    paper: &'static str,
    item: &'static str,
    as_printed: bool,
    statement: &'static str,
    expected: String,
}

impl From<&Claim> for ListedClaim {
    fn from(claim: &Claim) -> Self {
        Self {
            id: claim.id,
            paper: claim.paper,
            item: claim.item,
            as_printed: claim.as_printed,
            statement: claim.statement,
            expected: claim.expects.to_string(),
        }
    }
}

#[derive(Debug, serde::Serialize)]
struct CheckedClaim {
    id: &'static str,
    paper: &'static str,
    item: &'static str,
    as_printed: bool,
    statement: &'static str,
    status: String,
    expected: String,
    scope: Option<String>,
    evidence: CheckedEvidence,
}

#[derive(Debug, serde::Serialize)]
struct CheckedEvidence {
    method: Option<&'static str>,
    figures: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    replay: String,
}

/// The figures, in their own order.
#[derive(Debug)]
struct Figures(Vec<(String, String)>);

impl Serialize for Figures {
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
    verified: usize,
    supported: usize,
    refuted: usize,
    open: usize,
    could_not_run: usize,
    not_as_expected: usize,
    arithmetic: &'static str,
    quick: bool,
    seed: u64,
    version: &'static str,
}

/// The whole ledger.
#[derive(Debug, serde::Serialize)]
pub struct LedgerReport {
    claims: Vec<CheckedClaim>,
    summary: Summary,
}

impl From<&Ledger> for LedgerReport {
    fn from(ledger: &Ledger) -> Self {
        let claims = ledger
            .findings
            .iter()
            .map(|finding| {
                let claim = &finding.claim;
                let replay = claim.replay(&ledger.effort);
                let (status, scope, evidence) = match &finding.result {
                    Ok(evidence) => (
                        evidence.status.to_string(),
                        Some(evidence.scope.clone()),
                        CheckedEvidence {
                            method: Some(evidence.method),
                            figures: Figures(
                                named_figures(evidence)
                                    .into_iter()
                                    .map(|(name, value)| (name, value.to_owned()))
                                    .collect(),
                            ),
                            error: None,
                            replay,
                        },
                    ),
                    Err(error) => (
                        "could-not-run".to_owned(),
                        None,
                        CheckedEvidence {
                            method: None,
                            figures: Figures(Vec::new()),
                            error: Some(error.clone()),
                            replay,
                        },
                    ),
                };
                CheckedClaim {
                    id: claim.id,
                    paper: claim.paper,
                    item: claim.item,
                    as_printed: claim.as_printed,
                    statement: claim.statement,
                    status,
                    expected: claim.expects.to_string(),
                    scope,
                    evidence,
                }
            })
            .collect();
        Self {
            claims,
            summary: Summary {
                claims: ledger.findings.len(),
                verified: ledger.count(Status::Verified),
                supported: ledger.count(Status::Supported),
                refuted: ledger.count(Status::Refuted),
                open: ledger.count(Status::Open),
                could_not_run: ledger.could_not_run(),
                not_as_expected: ledger.not_as_expected(),
                arithmetic: arithmetic(),
                quick: ledger.effort.quick,
                seed: ledger.effort.seed,
                version: env!("CARGO_PKG_VERSION"),
            },
        }
    }
}
