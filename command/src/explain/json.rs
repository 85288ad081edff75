//! The same as an object: the fields of `assay claims --format json`, and what is known beside them.

use super::prose::Prose;
use super::{Explained, plain};
use crate::report::json::{Found, Stated};
use dp_assay_ledger::bibliography::work;
use dp_assay_ledger::claim::Claim;
use dp_assay_ledger::{Accepted, Entry, planted, title, verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// A claim, explained to programs.
#[derive(Debug, Serialize)]
pub struct Explanation<'a> {
    #[serde(flatten)]
    stated: Stated<'a>,
    /// The id that was asked for.
    asked: &'a str,
    aliases: &'a [String],
    /// The title of the paper's page.
    title: &'static str,
    /// The status, weakened by what the claim rests on.
    shown: String,
    /// What the status means, in the words of the conventions.
    means: Option<String>,
    proof_shown: String,
    /// What stands under the claim on its page, in Markdown.
    prose: &'a str,
    /// What the page says of the scope.
    scope_on_page: Vec<&'a str>,
    /// The symbols that its words and the first paragraph of its prose use, with their meanings and where these hold.
    notation: BTreeMap<&'static str, String>,
    /// The evidence that is kept, at full size with seed 1; where the check was not run now.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Kept>,
    /// What the check found now.
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Option<Found<'a>>,
    /// The errors that were planted to see the check notice them.
    planted: Vec<&'static str>,
    /// The related claims, by what they are to this one.
    related: BTreeMap<&'static str, Vec<Related<'a>>>,
    works: Vec<Cited<'a>>,
    commands: [String; 3],
}

#[derive(Debug, Serialize)]
struct Kept {
    status: &'static str,
    method: &'static str,
    assertions: u64,
    counterexamples: Vec<&'static str>,
    figures: Vec<&'static str>,
}

impl From<Accepted> for Kept {
    fn from(found: Accepted) -> Self {
        Self {
            status: found.status,
            method: found.method,
            assertions: found.assertions,
            counterexamples: found.counterexamples,
            figures: found.figures,
        }
    }
}

#[derive(Debug, Serialize)]
struct Related<'a> {
    id: &'a str,
    expected: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    short: &'a str,
}

impl<'a> From<&'a Claim> for Related<'a> {
    fn from(claim: &'a Claim) -> Self {
        Self {
            id: &claim.id,
            expected: claim.expected.to_string(),
            kind: claim.fault.map(|fault| fault.to_string()),
            short: &claim.short,
        }
    }
}

#[derive(Debug, Serialize)]
struct Cited<'a> {
    key: &'a str,
    work: Option<String>,
}

/// A symbol with several meanings has them one after the other.
fn by_symbol(symbols: Vec<(&'static str, String)>) -> BTreeMap<&'static str, String> {
    let mut all: BTreeMap<&str, String> = BTreeMap::new();
    for (symbol, means) in symbols {
        all.entry(symbol)
            .and_modify(|known| *known = format!("{known}; {means}"))
            .or_insert(means);
    }
    all
}

impl<'a> From<&'a Explained<'a>> for Explanation<'a> {
    fn from(explained: &'a Explained<'a>) -> Self {
        let claim = explained.claim();
        let id = &claim.id;
        let related = |(name, entries): (&'static str, &'a [&'static Entry])| {
            let claims = entries.iter().map(|entry| Related::from(&entry.claim));
            (name, claims.collect())
        };
        let cited = |key: &'a String| Cited {
            key,
            work: work(key).map(|work| work.in_words()),
        };
        let prose = Prose::of(&claim.prose);
        let first = prose.first().map_or("", |(_, paragraph)| paragraph);
        let found = |recheck| Found::new(&explained.ledger, recheck);
        Self {
            stated: Stated::new(claim, None),
            asked: explained.asked,
            aliases: &explained.entry.aliases,
            title: title(claim.paper),
            shown: explained.shown(),
            means: verdict(claim).map(plain),
            proof_shown: explained.shown_proof(),
            prose: &claim.prose,
            notation: by_symbol(explained.symbols(first)),
            scope_on_page: prose.scope,
            kept: explained.accepted().map(Kept::from),
            ran: explained.recheck().map(found),
            planted: planted(id),
            related: explained.related().map(related).into_iter().collect(),
            works: claim.cites.iter().map(cited).collect(),
            commands: [
                format!("assay verify {id} --figures"),
                format!("assay explain {id} --proof"),
                format!("assay claims {id} --format bibtex"),
            ],
        }
    }
}
