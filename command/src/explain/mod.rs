//! One claim, explained: what its page, the evidence that is kept, a run if one is asked for, and other claims say of it. [`text`] tells
//! people, [`json`] tells programs.

pub mod json;
mod prose;
pub mod text;

use dp_assay_ledger::claim::{Claim, Effort};
use dp_assay_ledger::{Accepted, Entry, Ledger, LedgerError, Recheck, Relations, notation};
use std::collections::BTreeSet;

/// What a word of the ledger means, without the marks of Markdown.
fn meaning(word: &str) -> Option<String> {
    dp_assay_ledger::meaning(word).map(|text| text.replace(['*', '`'], ""))
}

/// What there is to say of a claim.
#[derive(Debug)]
pub struct Explained<'a> {
    /// The id that was asked for: the claim's own, or another one of it.
    asked: &'a str,
    entry: &'static Entry,
    relations: Relations,
    /// What the check found now, if it was run: one row, or none.
    ledger: Ledger,
}

impl<'a> Explained<'a> {
    /// A claim that was asked for by this id; its check is run if an effort is given.
    ///
    /// # Errors
    /// Those of the ledger's pages.
    pub fn new(
        asked: &'a str,
        entry: &'static Entry,
        run: Option<Effort>,
    ) -> Result<Self, LedgerError> {
        Ok(Self {
            asked,
            entry,
            relations: Relations::of(&entry.claim)?,
            ledger: Ledger {
                rechecks: run.map(|effort| entry.run(effort)).into_iter().collect(),
                effort: run.unwrap_or_default(),
            },
        })
    }

    /// What the check found now, if it was run.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn claim(&self) -> &'static Claim {
        &self.entry.claim
    }

    fn recheck(&self) -> Option<&Recheck> {
        self.ledger.rechecks.first()
    }

    /// The status with its kind, as found or as the page has it, weakened by what the claim rests on.
    fn shown(&self) -> String {
        match self.recheck() {
            None => self.ledger.stated(self.claim()),
            Some(recheck) if recheck.as_expected() => self.ledger.shown(recheck),
            Some(recheck) => {
                let expected = self.claim().expected_in_words();
                format!("{} != {expected}", self.ledger.shown(recheck))
            }
        }
    }

    /// What covers the claim beyond what ran, weakened in the same way.
    fn shown_proof(&self) -> String {
        match self.recheck() {
            Some(recheck) => self.ledger.shown_proof(recheck),
            None => self.ledger.stated_proof(self.claim()),
        }
    }

    /// The evidence that is kept, where the check was not run now.
    fn accepted(&self) -> Option<Accepted> {
        self.entry.accepted().filter(|_| self.recheck().is_none())
    }

    /// The symbols of the page that its claim, the paper's words or a paragraph use, with their meanings.
    fn symbols(&self, paragraph: &str) -> Vec<(&'static str, &'static str)> {
        let claim = self.claim();
        let quote = claim.quote.as_deref().unwrap_or("");
        let texts = [quote, &claim.statement, paragraph];
        let is_of_word = |sign: char| sign.is_alphanumeric() || sign == '_';
        let words: BTreeSet<&str> = texts
            .iter()
            .flat_map(|text| text.split(|sign| !is_of_word(sign)))
            .collect();
        let mut symbols = notation(claim);
        symbols.retain(|(symbol, _)| words.contains(symbol.split('(').next().unwrap_or(symbol)));
        symbols
    }

    /// The related claims, by what they are to this one.
    fn related(&self) -> [(&'static str, &[&'static Entry]); 5] {
        let Relations {
            repairs,
            repaired_by,
            rests_on,
            rested_on_by,
            mentioned_by,
        } = &self.relations;
        [
            ("repairs", repairs),
            ("repaired_by", repaired_by),
            ("rests_on", rests_on),
            ("rested_on_by", rested_on_by),
            ("mentioned_by", mentioned_by),
        ]
    }
}
