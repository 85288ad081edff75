//! The page of a paper, and what its page of `spec/` says beside the claims.

use super::frame::{self, counts, made, mark, plain, status};
use super::map;
use super::prose::Prose;
use super::site::{Paper, Row, Site};
use super::sources::anchor;
use dp_assay_ledger::claim::{Fault, Status, Version};
use maud::{Markup, html};

/// The file of a paper: what of it is false or has a gap, all its items, and its map.
pub fn page(site: &Site, paper: &Paper) -> String {
    let home = format!("n/{}.html", paper.name());
    let prose = Prose::below(site, &home);
    let rows: Vec<&Row> = site.rows_of(paper).collect();
    let body = html! {
        p.place { a href="../papers.html" { "Papers" } }
        h1 { (paper.title) }
        p.short { (paper.authors) }
        @if paper.authors.is_empty() { (counts(rows.iter().copied())) }
        @else {
            p.label { "Its statements as printed" }
            (counts(rows.iter().copied().filter(|row| row.entry.claim.version == Version::AsPrinted)))
            p.label { "With what repairs them, and what is ours" }
            (counts(rows.iter().copied()))
        }
        (failing(&prose, "What is false", Fault::False, &rows))
        (failing(&prose, "What has a gap in its proof", Fault::Gap, &rows))
        @for part in paper.parts.iter().filter(|part| part.heading == "In short") {
            h2 { "In short" }
            (prose.text(&part.prose))
        }
        p { a href={ "../" (home) } { "Notation, conventions and what else the page says" } }
        h2 { "All items, in the order of the page" }
        (items(&prose, paper, &rows))
        h2 #map { "What rests on what" }
        (map::of(&prose, &rows))
    };
    frame::page(site, "../", "papers.html", &paper.title, &body)
}

/// The claims that fail in this way.
fn failing(prose: &Prose, title: &str, fault: Fault, rows: &[&Row]) -> Markup {
    let fails = |row: &&&Row| {
        let claim = &row.entry.claim;
        claim.fault == Some(fault) && claim.version != Version::Ours
    };
    let failing: Vec<&&Row> = rows.iter().filter(fails).collect();
    html! {
        @if !failing.is_empty() {
            h2 { (title) }
            ol.claims { @for row in failing { (line(prose, row)) } }
        }
    }
}

/// A claim in a line of a list.
pub fn line(prose: &Prose, row: &Row) -> Markup {
    let claim = &row.entry.claim;
    let kind = claim.fault.map(|kind| kind.to_string()).unwrap_or_default();
    html! {
        li data-status=(row.found.status) data-kind=(kind) data-version=(claim.version) {
            (mark(row))
            a href=(prose.claim(&claim.id)) { (claim.id) }
            span {
                (prose.statement(&claim.short))
                small { (made(" ")) (prose.field(&claim.item)) " · " (plain(row)) }
            }
        }
    }
}

/// All statements of a paper, section by section, each with what stands in its place.
fn items(prose: &Prose, paper: &Paper, rows: &[&Row]) -> Markup {
    html! {
        table.items {
            thead { tr { th { "item" } th { "says" } th { "as stated" } th { "in its place" } } }
            @for part in &paper.parts {
                @let of_part: Vec<&&Row> = rows.iter().filter(|row| row.section == part.heading).collect();
                @if !of_part.is_empty() {
                    tbody {
                        tr.section { th colspan="4" { a.here id=(anchor(&part.heading)) {} (part.heading) } }
                        @for row in of_part.iter().filter(|row| !is_shown_beside(prose.site, row)) { (item(prose, row)) }
                    }
                }
            }
        }
    }
}

/// Whether a claim stands beside what it repairs, and needs no line of its own.
fn is_shown_beside(site: &Site, row: &Row) -> bool {
    let paper = site.paper_of(row).page.path;
    let repairs = &row.relations.repairs;
    !repairs.is_empty()
        && repairs
            .iter()
            .all(|other| other.claim.source.starts_with(paper))
}

fn item(prose: &Prose, row: &Row) -> Markup {
    let claim = &row.entry.claim;
    let repairs = row.relations.repaired_by.iter();
    let repairs: Vec<&Row> = repairs
        .filter_map(|entry| prose.site.row(&entry.claim.id))
        .collect();
    html! {
        tr id=(claim.id) {
            td { (prose.field(&claim.item)) }
            td { (prose.statement(&claim.short)) " " small.id { (claim.id) } }
            td data-label="as stated" { a href=(prose.claim(&claim.id)) { (status(row)) } }
            td data-label="in its place" {
                @for repair in repairs {
                    a href=(prose.claim(repair.id())) title=(repair.id()) { (status(repair)) } " "
                }
            }
        }
    }
}

/// The file with what the page says outside its claims.
pub fn notes(site: &Site, paper: &Paper) -> String {
    let home = format!("n/{}.html", paper.name());
    let prose = Prose::below(site, &home);
    let body = html! {
        p.place { a href={ "../p/" (paper.name()) ".html" } { (paper.short()) } }
        h1 { "Beside the claims" }
        p.id { code { (paper.page.path) } }
        @for part in paper.parts.iter().filter(|part| !part.prose.trim().is_empty()) {
            @if !part.heading.is_empty() {
                h2 { a.here id=(anchor(&part.heading)) {} (part.heading) }
            }
            (prose.text(&part.prose))
        }
    };
    let title = format!("{}: beside the claims", paper.short());
    frame::page(site, "../", "", &title, &body)
}

/// The list of the papers.
pub fn list(site: &Site) -> String {
    let body = html! {
        h1 { "Papers" }
        @for paper in &site.papers {
            @let rows: Vec<&Row> = site.rows_of(paper).collect();
            @let bad = rows.iter().filter(|row| row.entry.claim.expected == Status::Refuted && row.entry.claim.fault == Some(Fault::False)).count();
            h2 { a href={ "p/" (paper.name()) ".html" } { (paper.title) } }
            p { (paper.authors) @if !paper.authors.is_empty() { "; " } (rows.len()) " claims, of which " (bad) " are false whatever is read" }
            (counts(rows.iter().copied()))
        }
    };
    frame::page(site, "", "papers.html", "Papers", &body)
}
