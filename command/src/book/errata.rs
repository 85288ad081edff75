//! What of the papers does not stand, in their own words: for their authors, and for who reads them.

use super::frame::{self, status};
use super::prose::Prose;
use super::site::{Paper, Row, Site};
use dp_assay_ledger::claim::{Status, Version};
use maud::{Markup, html};

/// The file.
pub fn page(site: &Site) -> String {
    let prose = Prose::at_top(site);
    let body = html! {
        h1 { "Errata of the papers" }
        p.short { "Each statement as printed that is refuted, in the paper's words, and what stands in its place." }
        p { "How a claim fails says its kind: a misprint is no fault of the argument, and under another reading a statement may hold. "
            a href="words.html" { "What the words mean" } "." }
        @for paper in site.papers.iter().filter(|paper| !paper.authors.is_empty()) { (of(&prose, paper)) }
    };
    frame::page(site, "", "errata.html", "Errata", &body)
}

fn of(prose: &Prose, paper: &Paper) -> Markup {
    let fails = |row: &&Row| {
        let claim = &row.entry.claim;
        claim.expected == Status::Refuted && claim.version == Version::AsPrinted
    };
    html! {
        h2 #(paper.name()) { a href={ "p/" (paper.name()) ".html" } { (paper.authors) ": " i { (paper.title) } } }
        @for row in prose.site.rows_of(paper).filter(fails) { (erratum(prose, row)) }
    }
}

fn erratum(prose: &Prose, row: &Row) -> Markup {
    let claim = &row.entry.claim;
    html! {
        section.erratum {
            h3 { (prose.field(&claim.item)) " " a href=(prose.claim(&claim.id)) { (status(row)) } }
            @if let (Some(quote), Some(place)) = (&claim.quote, &claim.place) {
                blockquote { p { (prose.field(quote)) } footer { (place) } }
            }
            @if let Some(reading) = &claim.reading { p { b { "Read as: " } (prose.field(reading)) } }
            @for example in row.found.evidence.counterexamples.iter().take(1) {
                p { b { "Counterexample: " } (prose.statement(example)) }
            }
            @for repair in &row.relations.repaired_by {
                p { b { "In its place: " } (prose.statement(&repair.claim.short)) " "
                    a href=(prose.claim(&repair.claim.id)) { code { (repair.claim.id) } } }
            }
        }
    }
}
