//! The ledger: every claim, what we say of it, and the check that re-establishes it.
//!
//! A [`Claim`] is a statement with an id that never changes, and a check that can be run. The check
//! returns [`Evidence`]: how it was checked, what came out, and on what scope. What came out is compared
//! with what `spec/` says ([`Claim::expects`]), in both directions: a refuted claim that suddenly
//! verifies is as much a failure as the reverse.

mod error;
mod halfspaces;
mod random_features;
mod samplers;

pub use error::LedgerError;

use std::fmt;

/// What a check established.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// By exact enumeration, a certified enclosure or an exact identity; on the stated scope.
    Verified,
    /// By a statistical test of stated level and power.
    Supported,
    /// By a counterexample that replays.
    Refuted,
    /// Not checked, for a stated reason.
    Open,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Verified => "verified",
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Open => "open",
        })
    }
}

/// How much work a check may do, and the seed of its statistical tests.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Smaller instances: all of the ledger in a minute.
    pub quick: bool,
    /// The seed of the statistical tests.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            quick: false,
            seed: 1,
        }
    }
}

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
fn verified(holds: bool, method: &'static str, scope: impl Into<String>) -> Evidence {
    let status = if holds {
        Status::Verified
    } else {
        Status::Refuted
    };
    Evidence::new(method, status, scope)
}

/// Evidence that a claim is refuted if the counterexample stands; if it does not, nothing was checked.
fn refuted(counterexample: bool, method: &'static str, scope: impl Into<String>) -> Evidence {
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

impl Claim {
    /// The command that runs this check again and prints its figures.
    #[must_use]
    pub fn replay(&self, effort: &Effort) -> String {
        let quick = if effort.quick { " --quick" } else { "" };
        format!(
            "assay verify {} --figures --seed {}{quick}",
            self.id, effort.seed
        )
    }
}

/// A claim as a paper prints it. Its id begins with the paper's key and a dot.
const fn printed(
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
const fn ours(
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

/// All claims, in the order of the papers.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let mut claims = [samplers::CLAIMS, halfspaces::CLAIMS].concat();
    claims.extend(random_features::claims());
    claims
}

/// The claims whose id matches one of `patterns`, in which `*` stands for any text; all claims for
/// no pattern.
///
/// # Errors
/// [`LedgerError::NoSuchClaim`] for a pattern that no id matches.
pub fn select(patterns: &[String]) -> Result<Vec<Claim>, LedgerError> {
    let all = claims();
    for pattern in patterns {
        if !all.iter().any(|claim| matches(pattern, claim.id)) {
            return Err(LedgerError::NoSuchClaim {
                pattern: pattern.clone(),
            });
        }
    }
    Ok(all
        .into_iter()
        .filter(|claim| {
            patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, claim.id))
        })
        .collect())
}

/// Whether `text` matches `pattern`, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|text| {
            (0..=text.len())
                .filter(|&at| text.is_char_boundary(at))
                .any(|at| matches(rest, &text[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("nuz20.*", "nuz20.thm6"));
        assert!(matches("*thm*", "nuz20.thm6"));
        assert!(matches("nuz20.thm6", "nuz20.thm6"));
        assert!(!matches("nuz20.thm", "nuz20.thm6"));
        assert!(!matches("nuz20.*.corrected", "nuz20.thm6"));
    }

    #[test]
    fn a_pattern_without_a_match_is_an_error() {
        assert!(matches!(
            select(&["nonsense.*".to_owned()]),
            Err(LedgerError::NoSuchClaim { .. })
        ));
    }

    #[test]
    fn every_id_begins_with_the_key_of_its_paper() {
        for claim in claims() {
            let key = claim.id.split('.').next().unwrap();
            match claim.paper {
                "dp-assay" => assert!(["number", "sample"].contains(&key), "{}", claim.id),
                paper => assert_eq!(paper, key, "{}", claim.id),
            }
        }
        assert_eq!(before_the_dot("nuz20.alg3.corrected"), "nuz20");
    }

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<_> = claims().iter().map(|claim| claim.id).collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn every_claim_is_as_expected_on_small_instances() {
        let effort = Effort {
            quick: true,
            seed: 1,
        };
        let unexpected: Vec<_> = claims()
            .iter()
            .map(|claim| (claim.id, claim.expects, (claim.check)(&effort).unwrap()))
            .filter(|(_, expects, evidence)| evidence.status != *expects)
            .collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
    }
}
