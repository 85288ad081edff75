//! Claims after their checks ran: compared with what the pages expect, and weakened by what they rest on.

use super::entries;
use crate::claim::{Claim, Effort, Evidence, Proof, Status};
use std::collections::BTreeSet;
use std::fmt::{self, Display};

/// A claim after its check ran.
#[derive(Debug)]
pub struct Recheck {
    /// The claim.
    pub claim: Claim,
    /// Other ids of it.
    pub aliases: Vec<String>,
    /// Its evidence, or why the check could not be run.
    pub result: Result<Evidence, String>,
}

impl Recheck {
    /// Whether the check ran, every assertion stood, and the status is what the page says.
    #[must_use]
    pub fn as_expected(&self) -> bool {
        matches!(&self.result, Ok(evidence)
            if evidence.status() == self.claim.expected && evidence.failure().is_none())
    }

    /// What was established, if the check ran.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.result.as_ref().ok().map(Evidence::status)
    }

    /// The command that runs this check again and prints its figures.
    #[must_use]
    pub fn replay(&self, effort: &Effort) -> String {
        let size = match (effort.quick, effort.thorough) {
            (true, _) => " --quick",
            (false, true) => " --thorough",
            (false, false) => "",
        };
        format!(
            "assay verify {} --figures --seed {}{size}",
            self.claim.id, effort.seed
        )
    }
}

/// All claims that were checked in one run.
#[derive(Debug)]
pub struct Ledger {
    /// In the order of the pages.
    pub rechecks: Vec<Recheck>,
    /// How much was checked.
    pub effort: Effort,
}

/// A claim that another rests on, and that is not as firm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weakness {
    /// Its id.
    pub id: String,
    /// Its status.
    pub status: Status,
}

impl Display for Weakness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.id, self.status)
    }
}

/// What a proof uses that is none itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// The id of a claim, or the key of a work.
    pub name: String,
    /// What there is of it: [`Proof::Cited`] of a work, [`Proof::None`] of a claim.
    pub proof: Proof,
}

impl Display for Ground {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proof {
            Proof::None => write!(formatter, "{} (no proof)", self.name),
            proof => write!(formatter, "{} ({proof})", self.name),
        }
    }
}

/// What stands behind a word that is given something.
fn behind(given: &[impl Display]) -> String {
    let given: Vec<String> = given.iter().map(ToString::to_string).collect();
    match given.is_empty() {
        true => String::new(),
        false => format!(", given {}", given.join(", ")),
    }
}

impl Ledger {
    /// How many claims have this status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        let has = |recheck: &&Recheck| recheck.status() == Some(status);
        self.rechecks.iter().filter(has).count()
    }

    /// How many checks could not be run.
    #[must_use]
    pub fn could_not_run(&self) -> usize {
        self.rechecks.iter().filter(|f| f.result.is_err()).count()
    }

    /// How many checks ran and did not establish what the page says.
    #[must_use]
    pub fn not_as_expected(&self) -> usize {
        let differs = |recheck: &&Recheck| recheck.result.is_ok() && !recheck.as_expected();
        self.rechecks.iter().filter(differs).count()
    }

    /// By how many distinct counterexamples the claims are refuted. Claims that fall by the same one count once, and of
    /// a claim that has several only the first counts.
    #[must_use]
    pub fn counterexamples(&self) -> usize {
        self.rechecks
            .iter()
            .filter(|recheck| recheck.status() == Some(Status::Refuted))
            .filter_map(|recheck| recheck.result.as_ref().ok())
            .filter_map(|evidence| evidence.counterexamples().first())
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// The claims that this one rests on, directly or not, and that are less firm than its own status. A row is
    /// never shown stronger than they are. A claim that was not run counts as its page expects.
    #[must_use]
    pub fn weaknesses(&self, recheck: &Recheck) -> Vec<Weakness> {
        match recheck.status() {
            Some(own) => self.weaker(&recheck.claim, own),
            None => Vec::new(),
        }
    }

    /// The same of a claim with this status.
    fn weaker(&self, claim: &Claim, own: Status) -> Vec<Weakness> {
        let mut weaknesses: Vec<Weakness> = Vec::new();
        let mut reached = BTreeSet::new();
        let mut next: Vec<String> = claim.rests_on.clone();
        next.reverse();
        while let Some(id) = next.pop() {
            if !reached.insert(id.clone()) {
                continue;
            }
            let Some((status, rests_on)) = self.look_up(&id) else {
                continue;
            };
            let weaker = match own {
                Status::Checked => status != Status::Checked,
                Status::Supported => matches!(status, Status::Open | Status::Refuted),
                // A refutation may rest on another: it is a fact like any.
                Status::Refuted => status == Status::Open,
                Status::Open => false,
            };
            if weaker {
                weaknesses.push(Weakness { id, status });
            }
            next.extend(rests_on);
        }
        weaknesses
    }

    /// `checked`, `refuted (misprint)`, `checked, given p.thm8 (open)`.
    #[must_use]
    pub fn shown(&self, recheck: &Recheck) -> String {
        let Some(status) = recheck.status() else {
            return "could not run".to_owned();
        };
        let mut text = status.to_string();
        if let (Some(fault), true) = (recheck.claim.fault, recheck.as_expected()) {
            text += &format!(" ({fault})");
        }
        text + &behind(&self.weaknesses(recheck))
    }

    /// The same of a claim that was not run: what its page expects.
    #[must_use]
    pub fn stated(&self, claim: &Claim) -> String {
        claim.expected_in_words() + &behind(&self.weaker(claim, claim.expected))
    }

    /// What covers a claim beyond what ran, and what of it is only cited or has no proof: `paper, given BS16 (cited)`. Beside a
    /// run that contradicts the page a proof is worth nothing.
    #[must_use]
    pub fn shown_proof(&self, recheck: &Recheck) -> String {
        match recheck.as_expected() {
            true => self.stated_proof(&recheck.claim),
            false => Proof::None.to_string(),
        }
    }

    /// The same of a claim that was not run.
    #[must_use]
    pub fn stated_proof(&self, claim: &Claim) -> String {
        claim.proof_in_words() + &behind(&self.weaker_grounds(claim))
    }

    /// What the proof of this claim uses, directly or through others, and is no proof: works that are cited, and claims that
    /// have none. A theorem of which Coq has all uses neither; a refuted claim needs none, since its counterexample replays.
    #[must_use]
    pub fn weaker_grounds(&self, claim: &Claim) -> Vec<Ground> {
        let enough = claim.proof().min(Proof::Paper);
        let mut grounds: Vec<Ground> = Vec::new();
        let mut enter = |name: &str, proof: Proof| {
            if proof < enough && grounds.iter().all(|ground| ground.name != name) {
                let name = name.to_owned();
                grounds.push(Ground { name, proof });
            }
        };
        let mut reached = BTreeSet::new();
        let mut next = vec![claim];
        while let Some(claim) = next.pop() {
            let in_coq = claim.machine_checked.as_ref();
            if in_coq.is_some_and(|found| found.note.is_none()) {
                continue;
            }
            for work in &claim.cites {
                enter(work, Proof::Cited);
            }
            for ground in claim.rests_on.iter().filter_map(|id| self.claim(id)) {
                if !reached.insert(&ground.id) {
                    continue;
                }
                if ground.expected != Status::Refuted {
                    enter(&ground.id, ground.proof());
                }
                next.push(ground);
            }
        }
        grounds
    }

    /// A claim of this run, or else of the pages.
    fn claim(&self, id: &str) -> Option<&Claim> {
        let found = self.rechecks.iter().map(|recheck| &recheck.claim);
        found
            .chain(entries().ok()?.iter().map(|entry| &entry.claim))
            .find(|claim| claim.id == id)
    }

    /// The status of a claim and what it rests on: as found, or as its page has it.
    fn look_up(&self, id: &str) -> Option<(Status, Vec<String>)> {
        let found = self.rechecks.iter().find(|f| f.claim.id == id);
        if let Some(recheck) = found {
            let status = recheck.status().unwrap_or(Status::Open);
            return Some((status, recheck.claim.rests_on.clone()));
        }
        let entry = entries().ok()?.iter().find(|e| e.claim.id == id)?;
        Some((entry.claim.expected, entry.claim.rests_on.clone()))
    }
}
