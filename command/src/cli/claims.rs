//! `assay claims`: lists the claims.

use super::Outcome;
use crate::error::Error;
use crate::output;
use crate::report::json::Listing;
use crate::report::listing;
use crate::screen::Screen;
use clap::{Args, ValueEnum};
use dp_assay::number::shortened;
use dp_assay_ledger as ledger;
use dp_assay_ledger::claim::Claim;
use dp_assay_ledger::{Entry, LedgerError, Relations, find};
use std::collections::BTreeSet;

/// List the claims, with statement, source and what spec/ says of each.
///
/// With several filters a claim is listed if it passes all of them; of one filter given several values, one is enough.
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
pub struct Arguments {
    /// Ids of claims, in which * stands for any text; all claims if none is given
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    #[command(flatten)]
    filters: Filters,
    /// How to print the claims
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// What `--format json` was called before
    #[arg(long, hide = true)]
    json: bool,
}

/// Which of the claims that match are listed.
#[derive(Debug, Args)]
struct Filters {
    /// Only claims with this status, as their pages have it
    #[arg(long, value_delimiter = ',', value_parser = STATUSES)]
    status: Vec<String>,
    /// Only claims that fail in this way, or are open for it
    #[arg(long, value_delimiter = ',', value_parser = KINDS)]
    kind: Vec<String>,
    /// Only claims of this version: who states them
    #[arg(long = "version", value_name = "VERSION", value_delimiter = ',', value_parser = VERSIONS)]
    stated_by: Vec<String>,
    /// Only claims of this paper, by its key or an author's name, or our own: dp-assay
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    paper: Vec<String>,
    /// Only claims that rest on this one, directly or through others
    #[arg(long, value_name = "ID")]
    rests_on: Option<String>,
    /// Only claims that say this text somewhere, in capitals or not
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For programs
    Json,
    /// For spreadsheets: a line a claim, an alias a line of its own
    Csv,
    /// The papers of these claims, for a list of references
    Bibtex,
}

/// The words that the filters take: a test holds them to those of the ledger.
const STATUSES: [&str; 4] = ["checked", "supported", "refuted", "open"];
const KINDS: [&str; 6] = [
    "false",
    "misprint",
    "gap",
    "as-coded",
    "reading",
    "not-legible",
];
const VERSIONS: [&str; 4] = ["as-printed", "repaired", "reconstructed", "ours"];

/// A word of a row as an option takes it: `as-printed`.
fn word(word: &impl ToString) -> String {
    word.to_string().replace(' ', "-")
}

/// Runs `assay claims`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let entries = arguments.filters.of(select(&arguments.patterns)?)?;
    if entries.is_empty() {
        output::note("no claim passes all of these filters");
    }
    let format = match arguments.json {
        true => Format::Json,
        false => arguments.format,
    };
    match format {
        Format::Table => output::print(&listing::table(&entries, Screen::of_output()))?,
        Format::Json => output::print_json(&Listing::new(&entries))?,
        Format::Csv => output::print(&listing::csv(&entries)?)?,
        Format::Bibtex => output::print(&listing::bibtex(&entries))?,
    }
    Ok(Outcome::AsExpected)
}

impl Filters {
    /// Those of these claims that pass.
    fn of(&self, mut entries: Vec<&'static Entry>) -> Result<Vec<&'static Entry>, Error> {
        self.papers()?;
        let above = match &self.rests_on {
            Some(id) => Some(resting_on(named(id)?)?),
            None => None,
        };
        let text = self.search.as_ref().map(|text| text.to_lowercase());
        let one_of = |given: &[String], own: Option<String>| {
            given.is_empty() || own.is_some_and(|own| given.contains(&own))
        };
        entries.retain(|Entry { claim, .. }| {
            one_of(&self.status, Some(word(&claim.expected)))
                && one_of(&self.kind, claim.fault.as_ref().map(word))
                && one_of(&self.stated_by, Some(word(&claim.version)))
                && (self.paper.is_empty() || self.paper.iter().any(|name| is_of(claim, name)))
                && above
                    .as_ref()
                    .is_none_or(|ids| ids.contains(claim.id.as_str()))
                && text.as_ref().is_none_or(|text| says(claim, text))
        });
        Ok(entries)
    }

    /// Refuses a paper that the ledger does not have.
    fn papers(&self) -> Result<(), Error> {
        let all = ledger::entries()?;
        let is_none = |name: &&String| !all.iter().any(|entry| is_of(&entry.claim, name));
        let Some(unknown) = self.paper.iter().find(is_none) else {
            return Ok(());
        };
        let mut papers: Vec<&str> = all.iter().map(|entry| entry.claim.paper).collect();
        papers.dedup();
        Err(Error::Usage(format!(
            "invalid value '{}' for '--paper <KEY>': it must be an author's name, or one of {}",
            shortened(unknown),
            papers.join(", ")
        )))
    }
}

/// Whether a claim is of the paper with this key, or with this text in its authors or title.
fn is_of(claim: &Claim, name: &str) -> bool {
    let title = ledger::title(claim.paper).to_lowercase();
    claim.paper == name || (!name.is_empty() && title.contains(&name.to_lowercase()))
}

/// The ids of all claims that rest on this one, directly or not.
fn resting_on(entry: &'static Entry) -> Result<BTreeSet<&'static str>, Error> {
    let mut reached = BTreeSet::new();
    let mut next = vec![entry];
    while let Some(entry) = next.pop() {
        for other in Relations::of(&entry.claim)?.rested_on_by {
            if reached.insert(other.claim.id.as_str()) {
                next.push(other);
            }
        }
    }
    Ok(reached)
}

/// Whether a claim says this text, which is in small letters.
fn says(claim: &Claim, text: &str) -> bool {
    let all = [
        &claim.id,
        &claim.item,
        &claim.short,
        &claim.statement,
        &claim.prose,
    ];
    let some = [
        &claim.place,
        &claim.quote,
        &claim.reading,
        &claim.proof_only,
    ];
    let mut texts = all.into_iter().chain(some.into_iter().flatten());
    texts.any(|own| own.to_lowercase().contains(text))
}

/// The claims that match; of a pattern that matches none, the id that it may have meant.
pub fn select(patterns: &[String]) -> Result<Vec<&'static Entry>, Error> {
    match ledger::select(patterns) {
        Err(LedgerError::NoSuchClaim { pattern }) => {
            let hint = meant(&pattern, ledger::entries()?).map_or(String::new(), |pattern| {
                format!(" Did you mean '{pattern}'?")
            });
            Err(Error::Usage(format!(
                "no claim matches '{}'.{hint} 'assay claims' lists them all",
                shortened(&pattern)
            )))
        }
        selected => Ok(selected?),
    }
}

/// The claim that has this id, or has it as another one; otherwise the nearest ids.
pub fn named(id: &str) -> Result<&'static Entry, Error> {
    if let Some(entry) = find(id)? {
        return Ok(entry);
    }
    let nearest = nearest(id, ledger::entries()?);
    let nearest: Vec<String> = nearest.iter().map(|id| format!("'{id}'")).collect();
    let hint = match nearest.is_empty() {
        true => String::new(),
        false => format!(" The nearest are {}.", nearest.join(", ")),
    };
    Err(Error::Usage(format!(
        "no claim is called '{}'.{hint} 'assay claims' lists them all",
        shortened(id)
    )))
}

/// All ids: those of claims, and their other ones.
fn ids(entries: &[Entry]) -> impl Iterator<Item = &String> {
    entries
        .iter()
        .flat_map(|entry| std::iter::once(&entry.claim.id).chain(&entry.aliases))
}

/// All claims that begin with `pattern`, as of a paper; otherwise the id that is most like it, if one is at all.
fn meant(pattern: &str, entries: &[Entry]) -> Option<String> {
    let beginning = format!("{}.", pattern.trim_end_matches('.'));
    if ids(entries).any(|id| id.starts_with(&beginning)) {
        return Some(beginning + "*");
    }
    nearest(pattern, entries).first().map(|id| (*id).to_owned())
}

/// The ids that are most like this one, at most three, the nearest first.
fn nearest<'a>(id: &str, entries: &'a [Entry]) -> Vec<&'a str> {
    // What is longer is no misspelt id.
    let mut alike: Vec<(f64, &str)> = ids(entries)
        .filter(|_| id.len() <= 100)
        .map(|known| (strsim::jaro_winkler(id, known), known.as_str()))
        .filter(|(likeness, _)| *likeness > 0.8)
        .collect();
    alike.sort_by(|(first, _), (second, _)| second.total_cmp(first));
    alike.into_iter().take(3).map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_ledger::claim::{Fault, Status, Version};

    #[test]
    fn the_filters_take_the_words_of_the_ledger() {
        assert_eq!(Status::ALL.map(|status| word(&status)), STATUSES);
        assert_eq!(Fault::ALL.map(|kind| word(&kind)), KINDS);
        assert_eq!(Version::ALL.map(|version| word(&version)), VERSIONS);
    }

    #[test]
    fn a_misspelt_id_is_answered_with_the_nearest() {
        let error = select(&["sample.discrete-laplase".to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("Did you mean 'sample.discrete-laplace'?"),
            "{error}"
        );
        let error = select(&["#".to_owned()]).unwrap_err();
        assert!(!error.to_string().contains("Did you mean"), "{error}");
        // Stars cost nothing, and what is long is not repeated.
        let error = select(&["*a".repeat(100_000)]).unwrap_err().to_string();
        assert!(error.len() < 500, "{error}");
        for paper in ["sample", "sample."] {
            let error = select(&[paper.to_owned()]).unwrap_err().to_string();
            assert!(error.contains("Did you mean 'sample.*'?"), "{error}");
        }
        let error = named("sample.discrete-laplase").unwrap_err().to_string();
        assert!(
            error.contains("The nearest are 'sample.discrete-laplace', '"),
            "{error}"
        );
        let error = named(&"a".repeat(100_000)).unwrap_err().to_string();
        assert!(error.len() < 500, "{error}");
    }
}
