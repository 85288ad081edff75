//! One claim, explained: what its page, the evidence that is kept, a run if one is asked for, and other claims say of it. [`text`] tells
//! people, [`json`] tells programs.

pub mod json;
mod prose;
pub mod text;

use crate::book::notation::{Part, parts};
use dp_assay_ledger::claim::{Claim, Effort};
use dp_assay_ledger::{Accepted, Entry, Ledger, LedgerError, Recheck, Relations, notation};

/// A text without the marks of Markdown.
fn plain(text: &str) -> String {
    text.replace(['*', '`'], "")
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

    /// The symbols of the page in the formulas of its claim, of the paper's words or of a paragraph, each with its meaning and, in
    /// brackets, where it is defined or holds.
    fn symbols(&self, paragraph: &str) -> Vec<(&'static str, String)> {
        let claim = self.claim();
        let quote = claim.quote.as_deref().unwrap_or("");
        let texts = [quote, &claim.statement, paragraph];
        let formulas: Vec<&str> = texts.into_iter().flat_map(formulas).collect();
        notation(claim)
            .into_iter()
            .filter(|[symbol, ..]| formulas.iter().any(|formula| occurs(symbol, formula)))
            .map(|[symbol, meaning, place]| (symbol, format!("{meaning} ({place})")))
            .collect()
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

/// What stands in backticks in a text, and what reads as a formula without them; an article before a backtick does not.
fn formulas(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, piece) in text.split('`').enumerate() {
        match at % 2 {
            0 => found.extend(parts(piece).into_iter().filter_map(|part| match part {
                Part::Formula(formula) if formula != "a" && formula != "A" => Some(formula),
                _ => None,
            })),
            _ => found.push(piece),
        }
    }
    found
}

/// Whether a symbol, written with or without its arguments, stands in a formula: `w` in `2w^2`, but not in `w*` or `w_A`.
fn occurs(symbol: &str, formula: &str) -> bool {
    let name = symbol.split('(').next().unwrap_or(symbol);
    let is_of_name = |sign: char| sign.is_alphanumeric() || "_*#~".contains(sign);
    formula.match_indices(name).any(|(at, _)| {
        let before = formula[..at].chars().next_back();
        let behind = formula[at + name.len()..].chars().next();
        !before.is_some_and(|sign| sign.is_alphabetic() || sign == '_')
            && !behind.is_some_and(is_of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_found_in_a_formula_and_not_within_a_longer_one() {
        for (symbol, formula, found) in [
            ("w", "2w^2", true),
            ("w", "w*", false),
            ("w*", "|w*|", true),
            ("E(kappa)", "m E(1/4)", true),
            ("m", "m_i", false),
            ("R", "R_D", false),
            ("R_D", "R_D(w)", true),
            ("[G^-1]_jj", "t sqrt([G^-1]_jj)", true),
        ] {
            assert_eq!(occurs(symbol, formula), found, "{symbol} in {formula}");
        }
    }

    #[test]
    fn words_are_no_formulas() {
        let text = "A learner of a `C` with a margin of gamma";
        assert_eq!(formulas(text), ["C", "gamma"]);
    }
}
