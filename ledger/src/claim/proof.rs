//! What covers a claim beyond what its check ran on.

use super::Claim;
use std::fmt::{self, Display};

/// What covers a claim beyond the scope of its check; of a refuted claim, its counterexample. From the weakest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// Nothing.
    None,
    /// Works that are cited: nobody here proved it again.
    Cited,
    /// The prose of its page.
    Paper,
    /// A theorem of Coq on the statement, as a formula: it says nothing of code.
    Statement,
    /// A theorem of Coq on a program, and the shipped code did what the program does on the tapes that were run.
    Program,
    /// A theorem of Coq on the reference's source, as it is translated: `spec/source.md`.
    Source,
}

impl Proof {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Cited,
        Self::Paper,
        Self::Statement,
        Self::Program,
        Self::Source,
    ];
}

impl Display for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::None => "none",
            Self::Cited => "cited",
            Self::Paper => "paper",
            Self::Statement => "Coq, statement",
            Self::Program => "Coq, program",
            Self::Source => "Coq, source",
        })
    }
}

impl Claim {
    /// What covers it beyond what ran: the strongest that its page has of it.
    #[must_use]
    pub fn proof(&self) -> Proof {
        match &self.machine_checked {
            Some(found) if found.is_of_the_source() => Proof::Source,
            Some(found) if found.tapes.is_some() => Proof::Program,
            Some(_) => Proof::Statement,
            None if self.proved => Proof::Paper,
            None if !self.cites.is_empty() => Proof::Cited,
            None => Proof::None,
        }
    }

    /// The same in words: `Coq, in part` where the theorems say less than the claim, or otherwise.
    #[must_use]
    pub fn proof_in_words(&self) -> String {
        match &self.machine_checked {
            Some(found) if found.note.is_some() => "Coq, in part".to_owned(),
            _ => self.proof().to_string(),
        }
    }
}
