//! The ledger: every claim, what its page says of it, and the check that re-establishes it.
//!
//! A claim is stated in one place, its heading in `spec/`. The pages are compiled in. What a check establishes is
//! compared with what the page expects, in both directions: a refuted claim that suddenly holds is as much a
//! failure as the reverse. A page without a check for each claim that is not open, or a check without its heading, is an error.

mod accepted;
mod error;
mod page;
mod plants;
mod recheck;
mod words;

pub use accepted::Accepted;
pub use error::LedgerError;
pub use plants::planted;
pub use recheck::{Ground, Ledger, Recheck, Weakness};
pub use words::{meaning, notation, verdict};

use crate::claim::{Check, CheckFunction, Claim, Effort, Page, Status, Trouble, Version};
use dp_assay::pattern::matches;
use page::Heading;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The registry: the pages of our own samplers and of the accountant, and one of each paper.
const PAGES: &[&Page] = &[
    &crate::samplers::PAGE,
    &crate::accounting::PAGE,
    &crate::halfspaces::PAGE,
    &crate::margin::PAGE,
    &crate::random_features::PAGE,
    &crate::kernels::PAGE,
];

/// A claim and its check.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The claim.
    pub claim: Claim,
    /// Other ids of it.
    pub aliases: Vec<String>,
    /// Ids of the other claims that its statement and prose name, by whatever id.
    pub(crate) mentions: BTreeSet<String>,
    evidence: &'static str,
    check: CheckFunction,
}

impl Entry {
    /// What its check found when somebody last looked at it, if that is kept.
    #[must_use]
    pub fn accepted(&self) -> Option<Accepted> {
        Accepted::of(&self.claim.id, self.evidence)
    }

    /// Runs the check.
    #[must_use]
    pub fn run(&self, effort: Effort) -> Recheck {
        // A check that panics is a defect, and must not stop the other checks.
        let result = match std::panic::catch_unwind(|| Check::run(self.check, effort)) {
            Ok(result) => result.map_err(|trouble| trouble.to_string()),
            Err(_) => Err("the check panicked (a defect: please report it)".to_owned()),
        };
        Recheck {
            claim: self.claim.clone(),
            aliases: self.aliases.clone(),
            result,
        }
    }
}

/// The pages of claims, in the order of the ledger.
#[must_use]
pub fn pages() -> &'static [&'static Page] {
    PAGES
}

/// The title of a paper's page, for the heading of a table.
#[must_use]
pub fn title(paper: &str) -> &'static str {
    PAGES
        .iter()
        .find(|page| page.paper == paper)
        .map_or("", |page| page.title)
}

/// All claims, in the order of the pages.
///
/// # Errors
/// [`LedgerError::Page`] if a page is malformed, or does not speak of the claims that are checked.
pub fn entries() -> Result<&'static [Entry], LedgerError> {
    static ENTRIES: OnceLock<Result<Vec<Entry>, LedgerError>> = OnceLock::new();
    ENTRIES
        .get_or_init(|| load(PAGES))
        .as_deref()
        .map_err(Clone::clone)
}

/// The claims of these pages with their checks.
fn load(pages: &[&Page]) -> Result<Vec<Entry>, LedgerError> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut aliases: Vec<(String, String, &Page)> = Vec::new();
    for page in pages {
        for heading in page::read(page)? {
            match heading {
                Heading::Alias { id, of } => aliases.push((id, of, page)),
                Heading::Claim(claim) => entries.push(Entry {
                    check: check_of(page, &claim)?,
                    claim: *claim,
                    aliases: Vec::new(),
                    mentions: BTreeSet::new(),
                    evidence: page.evidence,
                }),
            }
        }
        for &(id, _) in page.checks {
            if !entries.iter().any(|entry| entry.claim.id == id) {
                return Err(LedgerError::Page {
                    place: page.path.to_owned(),
                    reason: format!("a check of '{id}' without a heading"),
                });
            }
        }
    }
    for (id, of, page) in aliases {
        let taken = entries.iter().any(|entry| entry.claim.id == id);
        match entries.iter_mut().find(|entry| entry.claim.id == of) {
            Some(entry) if !taken => entry.aliases.push(id),
            _ => {
                return Err(LedgerError::Page {
                    place: page.path.to_owned(),
                    reason: format!("'{id}' cannot be an alias of '{of}'"),
                });
            }
        }
    }
    for entry in &entries {
        grounded(&entries, entry)?;
        repairing(&entries, &entry.claim)?;
    }
    mention(&mut entries);
    Ok(entries)
}

/// Enters into each claim which others it names.
fn mention(entries: &mut [Entry]) {
    let ids: BTreeMap<String, String> = entries
        .iter()
        .flat_map(|entry| {
            let aliases = entry.aliases.iter();
            let ids = std::iter::once(&entry.claim.id).chain(aliases);
            ids.map(|id| (id.clone(), entry.claim.id.clone()))
        })
        .collect();
    for entry in entries {
        let claim = &entry.claim;
        let fields = [&claim.reading, &claim.proof_only];
        let texts = fields.into_iter().flatten();
        entry.mentions = texts
            .chain([&claim.statement, &claim.prose])
            .flat_map(|text| text.split(|sign: char| !is_of_id(sign)))
            .filter_map(|word| ids.get(word.trim_end_matches('.')))
            .filter(|id| **id != claim.id)
            .cloned()
            .collect();
    }
}

/// Whether an id may have this sign.
fn is_of_id(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&sign)
}

/// The check registered for a claim.
fn check_of(page: &Page, claim: &Claim) -> Result<CheckFunction, LedgerError> {
    let mut registered = page.checks.iter().filter(|(id, _)| *id == claim.id);
    match (registered.next(), registered.next()) {
        (Some(&(_, check)), None) => Ok(check),
        (None, _) if claim.expected == Status::Open => Ok(nothing_is_checked),
        (first, _) => Err(LedgerError::Page {
            place: claim.source.clone(),
            reason: format!(
                "'{}' has {} check",
                claim.id,
                if first.is_none() {
                    "no"
                } else {
                    "more than one"
                }
            ),
        }),
    }
}

/// The check of a claim that is open and has none.
fn nothing_is_checked(check: &mut Check) -> Result<(), Trouble> {
    check.left_open("nothing is checked: the page says why");
    Ok(())
}

/// Refuses a claim that rests on no claim of the ledger, on itself, or positively on a refuted one.
fn grounded(entries: &[Entry], entry: &Entry) -> Result<(), LedgerError> {
    let refused = |reason: String| LedgerError::Page {
        place: entry.claim.source.clone(),
        reason: format!("'{}' {reason}", entry.claim.id),
    };
    for (place, ground) in entry.claim.rests_on.iter().enumerate() {
        if entry.claim.rests_on[..place].contains(ground) {
            return Err(refused(format!(
                "rests on '{ground}', which it names twice"
            )));
        }
        let Some(found) = entries.iter().find(|other| other.claim.id == *ground) else {
            return Err(refused(format!("rests on '{ground}', which is no claim")));
        };
        let positive = matches!(entry.claim.expected, Status::Checked | Status::Supported);
        if positive && found.claim.expected == Status::Refuted {
            return Err(refused(format!("rests on '{ground}', which is refuted")));
        }
    }
    let mut reached = BTreeSet::new();
    let mut next = entry.claim.rests_on.clone();
    while let Some(id) = next.pop() {
        if id == entry.claim.id {
            return Err(refused("rests on itself".to_owned()));
        }
        if reached.insert(id.clone()) {
            let found = entries.iter().filter(|other| other.claim.id == id);
            next.extend(found.flat_map(|other| other.claim.rests_on.clone()));
        }
    }
    Ok(())
}

/// Refuses a claim that repairs no claim of its paper, one of ours, or itself.
fn repairing(entries: &[Entry], claim: &Claim) -> Result<(), LedgerError> {
    for id in &claim.repairs {
        let found = entries.iter().find(|other| other.claim.id == *id);
        let reason = match found.map(|other| &other.claim) {
            None => "which is no claim",
            Some(other) if matches!(other.version, Version::Repaired | Version::Ours) => {
                "which is charged to no paper"
            }
            Some(other) if other.paper != claim.paper => "which is of another paper",
            Some(_) => continue,
        };
        return Err(LedgerError::Page {
            place: claim.source.clone(),
            reason: format!("'{}' repairs '{id}', {reason}", claim.id),
        });
    }
    Ok(())
}

/// The ids of the claims that stand in the place of this one: what remains of it.
#[must_use]
pub fn repairs_of(id: &str) -> Vec<&'static str> {
    let all = entries().unwrap_or_default();
    all.iter()
        .filter(|entry| entry.claim.repairs.iter().any(|repaired| repaired == id))
        .map(|entry| entry.claim.id.as_str())
        .collect()
}

/// The claims that have an id that matches one of `patterns`, in which `*` stands for any text; all claims for
/// no pattern.
///
/// # Errors
/// [`LedgerError::NoSuchClaim`] for a pattern that no id matches; and those of [`entries`].
pub fn select(patterns: &[String]) -> Result<Vec<&'static Entry>, LedgerError> {
    let all = entries()?;
    let has = |entry: &Entry, pattern: &String| {
        matches(pattern, &entry.claim.id) || entry.aliases.iter().any(|id| matches(pattern, id))
    };
    for pattern in patterns {
        if !all.iter().any(|entry| has(entry, pattern)) {
            return Err(LedgerError::NoSuchClaim {
                pattern: pattern.clone(),
            });
        }
    }
    Ok(all
        .iter()
        .filter(|entry| patterns.is_empty() || patterns.iter().any(|pattern| has(entry, pattern)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "### p.a\n- item: Lemma 1\n- version: ours\n- short: s\n- statement: t\n- expected: checked\n- rests on: p.b\n\n### p.b\n- item: Lemma 2\n- version: ours\n- short: s\n- statement: t\n- expected: open\n\n### p.c\n- alias of: p.a\n";
    const OPEN: CheckFunction = |check| {
        check.left_open("too hard");
        Ok(())
    };

    fn loaded(
        text: &'static str,
        checks: &'static [crate::claim::Registered],
    ) -> Result<Vec<Entry>, LedgerError> {
        load(&[&Page {
            paper: "p",
            title: "",
            path: "spec/p.md",
            text,
            evidence: "",
            checks,
        }])
    }

    #[test]
    fn a_page_and_its_checks_name_the_same_claims() {
        assert!(loaded(TEXT, &[("p.a", OPEN), ("p.b", OPEN)]).is_ok());
        // What is open needs no check.
        let without = loaded(TEXT, &[("p.a", OPEN)]).unwrap();
        assert!(without[1].run(Effort::default()).as_expected());
        for (checks, named) in [
            (&[("p.b", OPEN)] as &'static [_], "'p.a' has no check"),
            (
                &[("p.a", OPEN), ("p.b", OPEN), ("p.d", OPEN)],
                "a check of 'p.d' without a heading",
            ),
            (
                &[("p.a", OPEN), ("p.b", OPEN), ("p.a", OPEN)],
                "more than one check",
            ),
            (
                &[("p.a", OPEN), ("p.b", OPEN), ("p.c", OPEN)],
                "a check of 'p.c' without a heading",
            ),
        ] {
            let reason = loaded(TEXT, checks).unwrap_err().to_string();
            assert!(reason.contains(named), "{reason}");
        }
    }

    #[test]
    fn a_claim_rests_on_claims_and_not_on_itself() {
        const CHECKS: &[crate::claim::Registered] = &[("p.a", OPEN), ("p.b", OPEN)];
        for (now, then, named) in [
            ("rests on: p.b", "rests on: p.z", "'p.z', which is no claim"),
            ("rests on: p.b", "rests on: p.a", "rests on itself"),
            ("rests on: p.b", "rests on: p.b, p.b", "names twice"),
            (
                "expected: open",
                "expected: refuted (false)",
                "which is refuted",
            ),
            ("alias of: p.a", "alias of: p.z", "alias of 'p.z'"),
        ] {
            let text: &'static str = Box::leak(TEXT.replace(now, then).into_boxed_str());
            let reason = loaded(text, CHECKS).unwrap_err().to_string();
            assert!(reason.contains(named), "{reason}");
        }
    }

    #[test]
    fn a_repair_stands_in_the_place_of_a_claim_of_its_paper() {
        const CHECKS: &[crate::claim::Registered] = &[("p.a", OPEN), ("p.b", OPEN)];
        for (version, repairs, named) in [
            ("as printed", "p.b", None),
            ("as printed", "p.z", Some("'p.z', which is no claim")),
            ("ours", "p.b", Some("charged to no paper")),
        ] {
            let printed = format!(
                "item: Lemma 2\n- version: {version}\n- place: Section 1\n- quote: \"Lemma\""
            );
            let repaired = format!("item: Lemma 1\n- version: repaired\n- repairs: {repairs}");
            let text = TEXT
                .replace("item: Lemma 2\n- version: ours", &printed)
                .replace("item: Lemma 1\n- version: ours", &repaired);
            let found = loaded(Box::leak(text.into_boxed_str()), CHECKS);
            match (found, named) {
                (Ok(_), None) => {}
                (Err(error), Some(named)) => assert!(error.to_string().contains(named), "{error}"),
                (found, _) => panic!("{repairs}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("nuz20.*", "nuz20.thm6"));
        assert!(matches("*thm*", "nuz20.thm6"));
        assert!(matches("nuz20.thm6", "nuz20.thm6"));
        assert!(!matches("nuz20.thm", "nuz20.thm6"));
        assert!(!matches("nuz20.*.corrected", "nuz20.thm6"));
    }
}
