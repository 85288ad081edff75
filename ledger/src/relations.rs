//! How a claim hangs together with others: what it repairs and what repairs it, what it rests on and what rests on it, and who
//! names it.

use crate::claim::Claim;
use crate::pages::{Entry, LedgerError, entries};

/// The claims that one claim has to do with, each list in the order of the pages.
#[derive(Debug, Clone)]
pub struct Relations {
    /// In whose place it stands.
    pub repairs: Vec<&'static Entry>,
    /// What stands in its place.
    pub repaired_by: Vec<&'static Entry>,
    /// What its proof uses.
    pub rests_on: Vec<&'static Entry>,
    /// Whose proofs use it.
    pub rested_on_by: Vec<&'static Entry>,
    /// Who else names it, in a statement or in prose: none of the claims above.
    pub mentioned_by: Vec<&'static Entry>,
}

impl Relations {
    /// Those of this claim, as the pages have them.
    ///
    /// # Errors
    /// Those of [`entries`].
    pub fn of(claim: &Claim) -> Result<Self, LedgerError> {
        let all = entries()?;
        let those = |is: &dyn Fn(&Entry) -> bool| -> Vec<&'static Entry> {
            all.iter().filter(|entry| is(entry)).collect()
        };
        let mut found = Self {
            repairs: those(&|other| claim.repairs.contains(&other.claim.id)),
            repaired_by: those(&|other| other.claim.repairs.contains(&claim.id)),
            rests_on: those(&|other| claim.rests_on.contains(&other.claim.id)),
            rested_on_by: those(&|other| other.claim.rests_on.contains(&claim.id)),
            mentioned_by: Vec::new(),
        };
        found.mentioned_by =
            those(&|other| other.mentions.contains(&claim.id) && !found.has(&other.claim.id));
        Ok(found)
    }

    /// Whether a claim is in one of the lists.
    fn has(&self, id: &str) -> bool {
        let lists = [
            &self.repairs,
            &self.repaired_by,
            &self.rests_on,
            &self.rested_on_by,
            &self.mentioned_by,
        ];
        lists
            .into_iter()
            .flatten()
            .any(|other| other.claim.id == id)
    }
}

/// The claim that has this id, or has it as another one.
///
/// # Errors
/// Those of [`entries`].
pub fn find(id: &str) -> Result<Option<&'static Entry>, LedgerError> {
    let is = |entry: &&Entry| entry.claim.id == id || entry.aliases.iter().any(|other| other == id);
    Ok(entries()?.iter().find(is))
}
