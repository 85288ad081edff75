//! The claims as they are listed, before any check runs: a paragraph each for people, a line each for spreadsheets, and the works to cite.

use crate::error::Error;
use crate::screen::{Screen, Style};
use dp_assay_ledger::Entry;
use dp_assay_ledger::bibliography::{Work, work};
use dp_assay_ledger::claim::{Claim, Status};
use std::io;

/// A paragraph a claim: id, status, item, statement, and the fields that it has.
pub fn table(entries: &[&Entry], screen: Screen) -> String {
    entries
        .iter()
        .map(|entry| paragraph(entry, screen))
        .collect()
}

fn paragraph(entry: &Entry, screen: Screen) -> String {
    let claim = &entry.claim;
    let status = claim.expected_in_words();
    let head = screen.wrapped(&format!("{}  {status}", claim.id), "", "    ");
    let style = match claim.expected {
        Status::Refuted => Style::Notable,
        _ => Style::Plain,
    };
    let mut text = head.replacen(&status, &screen.with(style, &status), 1);
    let mut line = |says: String| text += &screen.wrapped(&says, "    ", "      ");
    line(format!(
        "{}, {} ({})",
        claim.paper, claim.item, claim.version
    ));
    line(claim.statement.clone());
    if let (Some(quote), Some(place)) = (&claim.quote, &claim.place) {
        line(format!("{place}: {quote}"));
    }
    if let Some(clauses) = &claim.proof_only {
        line(format!("proof only: {clauses}"));
    }
    if !claim.repairs.is_empty() {
        line(format!("repairs: {}", claim.repairs.join(", ")));
    }
    line(format!("proof: {}", claim.proof_in_words()));
    if let Some(found) = &claim.machine_checked {
        line(format!("in Coq: {found}"));
    }
    if !entry.aliases.is_empty() {
        line(format!("also: {}", entry.aliases.join(", ")));
    }
    text
}

const COLUMNS: [&str; 18] = [
    "id",
    "alias_of",
    "paper",
    "item",
    "version",
    "expected",
    "kind",
    "place",
    "quote",
    "short",
    "statement",
    "reading",
    "proof_only",
    "proof",
    "repairs",
    "rests_on",
    "cites",
    "source",
];

/// A line a claim, and a line an alias, with the columns of the JSON; ids in one field have a space between.
pub fn csv(entries: &[&Entry]) -> Result<String, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let wrong = |error: csv::Error| Error::Print(io::Error::other(error));
    writer.write_record(COLUMNS).map_err(wrong)?;
    for Entry { claim, aliases, .. } in entries {
        writer
            .write_record(record(claim, &claim.id, ""))
            .map_err(wrong)?;
        for alias in aliases {
            let record = record(claim, alias, &claim.id);
            writer.write_record(record).map_err(wrong)?;
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| Error::Print(io::Error::other(error.to_string())))?;
    String::from_utf8(bytes).map_err(|error| Error::Print(io::Error::other(error)))
}

fn record(claim: &Claim, id: &str, alias_of: &str) -> [String; COLUMNS.len()] {
    let field = |value: &Option<String>| value.clone().unwrap_or_default();
    [
        id.to_owned(),
        alias_of.to_owned(),
        claim.paper.to_owned(),
        claim.item.clone(),
        claim.version.to_string(),
        claim.expected.to_string(),
        claim.fault.map_or(String::new(), |fault| fault.to_string()),
        field(&claim.place),
        field(&claim.quote),
        claim.short.clone(),
        claim.statement.clone(),
        field(&claim.reading),
        field(&claim.proof_only),
        claim.proof().to_string(),
        claim.repairs.join(" "),
        claim.rests_on.join(" "),
        claim.cites.join(" "),
        claim.source.clone(),
    ]
}

/// The papers that these claims are of, each once; of our own claims, this software.
pub fn bibtex(entries: &[&Entry]) -> String {
    let mut papers: Vec<&str> = entries.iter().map(|entry| entry.claim.paper).collect();
    papers.dedup();
    let works: Vec<String> = papers
        .into_iter()
        .filter_map(work)
        .map(Work::bibtex)
        .collect();
    works.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_ledger::entries;

    #[test]
    fn the_columns_are_named_and_a_claim_is_one_record() {
        let all: Vec<&Entry> = entries().unwrap().iter().collect();
        let text = csv(&all).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap().len(), COLUMNS.len());
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let aliases: usize = all.iter().map(|entry| entry.aliases.len()).sum();
        assert_eq!(records.len(), all.len() + aliases);
        assert_eq!(&records[0][0], all[0].claim.id);
    }

    #[test]
    fn a_list_is_as_wide_as_its_screen() {
        let all: Vec<&Entry> = entries().unwrap().iter().collect();
        for width in [60, 80, 100, 200] {
            for line in table(&all, Screen::of_width(width)).lines() {
                assert!(line.chars().count() <= width, "{line}");
            }
        }
        // In a pipe a field is one line.
        let statement = &all[0].claim.statement;
        assert!(table(&all[..1], Screen::FILE).contains(statement));
    }
}
